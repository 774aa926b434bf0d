/* Which partition is which, and where does root put a guest's capabilities? Guests and agents use the same numbers. */
#ifndef SLOTS_H
#define SLOTS_H

/* Partitions, in the order in which root creates them; agents, if any, come last. */
enum { ROOT_PARTITION, WORKER_A, WORKER_B, AUDITOR, HOSTILE, FLEETING };
enum { FIRST_AGENT = AUDITOR + 1, PLACER = WORKER_A, MANAGER = WORKER_B };   /* with agents there are no workers */
enum { LIBRARIAN = WORKER_A };      /* it has the region of the other worker, too */

/* Slots are fresh, so the number of a slot is its first handle. */
enum { OWN = 1, REGION, CONSOLE, PEER, LOG, REVOKED_SOON, DELETED_SOON, FLEETING_ONE, SENDING, RECEIVING, POKE, POKED,
       DISK };

/* Of an agent that sends to a second one, and of that. */
enum { ALSO_SENDING = DISK + 1, ALSO_RECEIVING };

/* By the place of a child: its partition, and an edge whose ends its parent may pass on. */
enum { CHILD = POKED + 1, FAMILY = CHILD + 4 };

/* Of an agent that may ask for vectors: an edge to the librarian, one back, and the bell. */
enum { STORE = FAMILY + 4, ANSWERS, BELL };

/* Of the librarian: the bell, its second region, and both edges of each agent that may ask. */
enum { READERS = 4, RUNG = DISK + 1, MORE_REGION, ASKED, ANSWERING = ASKED + READERS };

/* Of the manager: the partitions of the agents, in the order in which root made them, and the ends of edges to agents,
 * by the number of the agent. Of who places agents: the capability to see all traffic.
 */
enum { WARD = 16, INBOX = 63, TRAFFIC = WARD };
enum { PRIORITIES = PEER }; /* of the manager: it says who is urgent */
#define INBOX_OF(number) (INBOX - (number))

/* Guests talk through an edge each way, numbered as its sender, and a notification of each. */
#define SCHEMA 0x636f756e74657273ull
#define POKE_BIT 1ull       /* of the other's notification: the only one that it may set */

/* Of who drives a link to another machine: both streams, and a region for the session. Agents have no pages there. */
enum { OUTGOING = DISK + 1, INCOMING, STREAM_SLOT = INBOX - 1, STREAM_REGION = 14 };

#endif
