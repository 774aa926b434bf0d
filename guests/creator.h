/* What does the root partition need to make any other partition? */
#ifndef CREATOR_H
#define CREATOR_H

#include "runtime.h"
#include "package.h"

/* The first slots of root's capabilities on partitions, edges and notifications; add the partition's number. */
enum { MOST_PARTITIONS = 22, PARTITION_SLOT = 32, EDGE_SLOT = 42, NOTIFICATION_SLOT = 52 };
enum { TRUSTED = 990000, QUOTA = 64, AUDITOR_QUOTA = 1408 };
enum { SHARE = 90 }; /* of the processor, besides the least: all those that root makes fit into a quantum */

/* Root's own level-3 table, and the entries that it maps there. */
enum { OWN_TABLE = 2, PROOF_ENTRY = 128, BUFFER_ENTRY = ENTRY_OF(BUFFER_OF) };
enum { CANARY_ENTRY = 130, STATUS_ENTRY = 192, VICTIM_ENTRY = 224 };

#define BUFFER_PAGE (COMMIT_PAGE + 1)
#define READ_WRITE (ACCESS_READ | ACCESS_WRITE)

/* A call that must succeed: if it fails, the host is told where it is written. */
#define MUST(call) must(__FILE_NAME__ ":" LINE_OF(__LINE__), TRY(call))
#define LINE_OF(line) LINE_AS_TEXT(line)
#define LINE_AS_TEXT(line) #line
void must(const char *where, struct answer answer);

uint64_t partition(uint64_t p);
void forget(uint64_t p);
uint64_t region_with(uint64_t page);
void take_own(uint64_t page, uint64_t entry);
void take_console(void);
void make_tables(uint64_t p, uint64_t first);
void lend_units(uint64_t p, uint64_t first);
uint64_t give_block(uint64_t p);
uint64_t first_page(uint64_t image);

/* Make a partition: enrol one that has nothing yet, then furnish it with tables, an image and capabilities. */
void enrol(uint64_t p, uint64_t score, uint64_t quota);
void furnish(uint64_t p, uint64_t image);
void create(uint64_t p, uint64_t image, uint64_t score, uint64_t quota);

void create_auditor(uint64_t image);
void run(uint64_t p);
struct status *status_of(uint64_t p);
void tell_canary(const char *when);
void tell_victim(uint64_t p);
void connect(uint64_t from, uint64_t to);

#endif
