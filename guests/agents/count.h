/* What have the agent that counts and the one that moves agreed on? */
#ifndef COUNT_H
#define COUNT_H

#define END 0ull    /* comes after the last number */

#endif
