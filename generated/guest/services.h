/* Generated from spec/host.py, spec/kernel/limits.py, spec/vectors/vocabulary.py
   with codegen/templates/services.h.j2: edit those, not this.
   Content: sha256 058bcf5b0e9b5924 */

/* Which functions does a guest offer to the agent that it runs? It performs each of them in C. */

#ifndef SERVICES_H
#define SERVICES_H

#include "vm/instance.h"

#define AGENTS_IMPORT_FROM TEXT("corollary")

/* The words of what lies in the memory of an agent. */
enum { ABOUT_LENGTH, ABOUT_BADGE, ABOUT_SEQUENCE, ABOUT_WORDS };
enum { GRANT_HANDLE, GRANT_SLOT, GRANT_RIGHTS, GRANT_WORDS };

enum { I32 = VALUE_TYPE_I32, I64 = VALUE_TYPE_I64, ENDS = 0 };

/* How a call ended: the last answer of the kernel, and which record of this partition tells of it; what somebody else
   answered, if the kernel allowed all; or the agent sleeps, and gets its answer when it is resumed. */
struct ended {
    uint64_t status, record, answered;
    bool sleeps;
};

/* Performs a call with its arguments from `slot` on. */
typedef trap_t perform_t(struct instance *i, const uint64_t *slot, struct ended *ended);

perform_t perform_send, perform_recv, perform_notify, perform_wait, perform_request_shared_region, perform_map_shared,
    perform_vector_get, perform_vector_put, perform_spawn_agent, perform_hibernate, perform_yield_now, perform_print;

/* A name and its size, types, which end with ENDS, and what is called. */
static const struct service {
    const char *name;
    uint64_t size;
    uint8_t parameters[7], results[2];
    perform_t *perform;
} SERVICE[] = {
    {TEXT("send"), {I64, I32, I32, I64, ENDS}, {I32, ENDS}, perform_send},
    {TEXT("recv"), {I64, I32, I32, I32, ENDS}, {I32, ENDS}, perform_recv},
    {TEXT("notify"), {I64, I64, ENDS}, {I32, ENDS}, perform_notify},
    {TEXT("wait"), {I64, I32, ENDS}, {I32, ENDS}, perform_wait},
    {TEXT("request_shared_region"), {I64, I64, I32, I32, I32, I32, ENDS}, {I32, ENDS}, perform_request_shared_region},
    {TEXT("map_shared"), {I64, I64, I32, I32, ENDS}, {I32, ENDS}, perform_map_shared},
    {TEXT("vector_get"), {I64, I64, I32, I32, I32, ENDS}, {I32, ENDS}, perform_vector_get},
    {TEXT("vector_put"), {I64, I64, I32, I32, I32, ENDS}, {I32, ENDS}, perform_vector_put},
    {TEXT("spawn_agent"), {I64, I32, I32, I32, I32, ENDS}, {I32, ENDS}, perform_spawn_agent},
    {TEXT("hibernate"), {I64, ENDS}, {I32, ENDS}, perform_hibernate},
    {TEXT("yield_now"), {ENDS}, {I32, ENDS}, perform_yield_now},
    {TEXT("print"), {I32, I32, ENDS}, {I32, ENDS}, perform_print},
};

enum { SERVICES = sizeof(SERVICE) / sizeof(SERVICE[0]) };

#endif
