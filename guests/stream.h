/* How does a guest reach the other machine? Through a session of sealed frames, over a stream each way. */
#ifndef STREAM_H
#define STREAM_H

#include <stdbool.h>
#include <stdint.h>

/* The session, and its messages one at a time. */
struct session;
extern struct session *const session;
extern uint8_t *const message;

void stream_prepare(void);
void stream_begin(void);
bool stream_submit(uint64_t size);
bool stream_take(uint64_t *size);
bool stream_step(void);
bool stream_is_over(void);
uint64_t stream_why_over(void);
uint64_t stream_strangers(void);
uint64_t stream_kept_out(void);

#endif
