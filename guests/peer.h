/* What does root tell who drives one end of a link to another machine, and where does that find it? */
#ifndef PEER_H
#define PEER_H

#include "runtime.h"

enum { OUTGOING = DISK + 1, INCOMING };                     /* slots of both streams */
enum { SENDS_AT = 2, RECEIVES_AT = 1 };                     /* transports: an even and an odd one */
enum { TO_SEND_OF = 16, RECEIVED_OF, BUFFERS_OF };          /* pages of the peer, one after the other */

#endif
