/* What does the librarian know of those who ask, and how does it answer? */
#ifndef DESK_H
#define DESK_H

#include <stdbool.h>
#include "layout.h"
#include "slip.h"

/* The badge is the kernel's word for who asks. What is asked is a copy. */
struct request {
    uint64_t badge, words;
    struct slip slip;
};

/* Prepare everything; return so many bytes of pages, all zero. Then let root know that the store has this status. */
void *desk_open(uint64_t size);
void desk_is_open(uint64_t status);

/* Rest until something is asked; 0 if it is a request that the asker may make, or else a status of the kernel. */
uint64_t desk_hear(struct request *request);

/* Copy the elements that are to be put; 0, or a status of the kernel if the page with them is not shared. */
uint64_t desk_take(const struct request *request, uint32_t *elements);

/* Let the asker read elements, of which there are as many as in any vector. */
void desk_lend(const struct request *request, const uint32_t *elements);

/* Tell the host what was asked, what is answered and, of the elements, the hash; then answer. */
void desk_answer(const struct request *request, const struct reply *reply, const uint32_t *elements);

#endif
