/* What have ping and pong agreed on? */
#ifndef TALK_H
#define TALK_H

enum { MESSAGES = 10000, BATCH = 8 };   /* a batch, as many as an edge holds, comes before each wait for an answer */

#endif
