/* What do ping and pong have agreed on? */
#ifndef TALK_H
#define TALK_H

enum { MESSAGES = 10000, BATCH = 8 };   /* as many as an edge holds, before an answer is waited for */

#endif
