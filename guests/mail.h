/* How do messages follow an agent? Its first machine numbers them, and they are put where it is. */
#ifndef MAIL_H
#define MAIL_H

#include <stdbool.h>
#include <stdint.h>
#include "layout.h"

struct mail {
    uint64_t number, schema, length;
    uint64_t word[PAYLOAD_WORDS];
};

void mail_prepare(bool is_home);

/* Of the last message that was taken from the sender, or came; and of the last one that was put where the agent is. */
uint64_t mail_taken(void);
uint64_t mail_put(void);

/* Take the next message from the sender, unless too many wait. Take one that came; is it the next? */
bool mail_take(void);
bool mail_accept(const struct mail *mail);

/* Put the next message where the agent receives; or the other end has put all up to this one. */
bool mail_deliver(void);
void mail_was_put(uint64_t number);
const struct mail *mail_kept(uint64_t number);

/* The agent has gone, or has come with so many messages received. */
uint64_t mail_leave(void);
void mail_come(uint64_t read);
bool mail_can_come(uint64_t read);
bool mail_is_here(void);

#endif
