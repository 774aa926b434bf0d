/* Generated from spec/kernel/gate.py, model/kernel/gate.py
   with codegen/templates/unit.c.j2: edit those, not this.
   Content: sha256 2ccc60b311f05232 */

#include "gate.h"
#include "builtins.h"
#include "arguments.h"
#include "capability.h"
#include "clock.h"
#include "console.h"
#include "edge.h"
#include "memory.h"
#include "partition.h"
#include "proof.h"
#include "ring.h"
#include "schedule.h"
#include "witness.h"

#define HANDLE_LIMIT 274877906944ull
#define RESOURCE_LIMIT 4
#define WITNESS_READ 36
#define WITNESS_DISCARD 38
#define OPERATION_COUNT 52
static const uint8_t KIND_OF[52] = {
    16, 17, 20, 80, 17, 32, 33, 34, 39, 39, 39, 40, 35, 39, 36, 52, 1, 18, 98,
    3, 4, 7, 8, 2, 99, 160, 112, 97, 1, 33, 84, 84, 84, 84, 98, 99, 51, 114,
    51, 80, 130, 130, 130, 96, 50, 48, 49, 50, 51, 48, 53, 53,
};
static const uint8_t TIER_OF[52] = {
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 1, 3, 3, 1, 1, 1, 1, 1, 1, 1, 1, 1,
};
static const uint8_t REQUIRED_RING[52] = {
    2, 2, 2, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2,
    2, 2, 2, 2, 2, 2, 2, 2, 0, 2, 2, 2, 2, 3, 2, 3, 3, 2, 2,
    2, 3, 2, 2, 1, 3, 3, 2, 2, 2, 2, 2, 2, 2,
};
static const uint8_t OBJECT_OF[52] = {
    0, 0, 0, 0, 1, 5, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 7, 7, 1,
    1, 1, 1, 1, 1, 1, 1, 1, 7, 1, 5, 11, 1, 0, 1, 0, 0, 8, 8,
    8, 0, 9, 9, 9, 0, 6, 7, 3, 3, 3, 7, 4, 4,
};
static const uint8_t RIGHTS_OF[52] = {
    0, 8, 0, 0, 10, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 16,
    16, 16, 128, 128, 2, 2, 2, 2, 2, 2, 8, 2, 2, 0, 2, 0, 0, 1, 1,
    3, 0, 2, 36, 34, 0, 2, 2, 8, 2, 1, 2, 2, 1,
};
static const uint8_t TAKES_HANDLE[52] = {
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 1, 0, 0, 1, 1,
    1, 0, 1, 1, 1, 0, 1, 1, 1, 1, 1, 1, 1, 1,
};
static const uint8_t HANDLES[52] = {
    9, 1, 1, 1, 1, 9, 1, 5, 1, 1, 1, 1, 9, 1, 1, 1, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 3, 1, 8, 1, 0, 0, 1, 1,
    1, 0, 1, 3, 1, 0, 1, 1, 1, 1, 1, 1, 1, 1,
};
static const uint8_t ANY_OBJECT[52] = {
    1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
};
static const uint8_t USES_RESOURCE[52] = {
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
};
static const uint8_t ACCEPTS_DEAD[52] = {
    0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
};
static const uint8_t METER_OF[52] = {
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0,
    1, 0, 0, 0, 0, 0, 1, 0, 0, 1, 1, 0, 1, 1,
};
static const uint8_t FOR_CREATORS[52] = {
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
};
static const uint8_t ELEVATION_ADMITS[52] = {
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1,
};
static const uint8_t REPLACES_ROOT[52] = {
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0,
};

/* What does the gate know of a hypercall? Its row, a column at a time. */

/* Does the call name an operation? */
bool gate_known(const struct call *call)
{
    return call->operation < OPERATION_COUNT;
}

/* What happens between a hypercall and its operation? The gate, in its exact order, and the record.

   Known operation, rate limit, ring 0, ring comparison, resource, then P1, P2, P3, then the operation, then the
   witness. Room for the record is made sure of first: no witness, no mutation. */

/* The kind of the record that the call will leave. */
action_t gate_kind_of(const struct call *call)
{
    return gate_known(call) ? (action_t)KIND_OF[call->operation] : ACTION_PROOF_REJECTED;
}

/* What the call is paid from; one that names no operation costs what any other does. */
meter_t gate_meter_of(const struct call *call)
{
    return gate_known(call) ? (meter_t)METER_OF[call->operation] : METER_CALLS;
}

/* May a partition of this ring ask for this operation now? */
status_t gate_admit(struct kernel *s, const struct call *call)
{
    bool paid = ring_pay(s, s->current, gate_meter_of(call), call->now);
    if (!paid) {
        return STATUS_RATE_LIMITED;
    }
    if (!gate_known(call)) {
        return STATUS_UNKNOWN_OPERATION;
    }
    uint8_t required = REQUIRED_RING[call->operation];
    if (required == RING_ROOT) {
        return STATUS_NEEDS_SRE_WITNESS;
    }
    ring_t ring = ELEVATION_ADMITS[call->operation] != 0 ? ring_effective_ring(s, s->current, call->now)
                  : ring_base_ring(s, s->current);
    if (ring > required) {
        return STATUS_RING_DENIED;
    }
    if (USES_RESOURCE[call->operation] != 0) {
        if (call->argument[1] >= RESOURCE_LIMIT) {
            return STATUS_RESOURCE_DENIED;
        }
        if (!ring_permits(ring, call->argument[1])) {
            return STATUS_RESOURCE_DENIED;
        }
    }
    return STATUS_OK;
}

/* P1: is the handle one of the caller's own slots, live, on the right object, with enough rights? */
status_t gate_lookup(const struct kernel *s, const struct call *call)
{
    if (call->argument[0] >= HANDLE_LIMIT) {
        return STATUS_INVALID_HANDLE;
    }
    handle_t handle = call->argument[0];
    capability_id_t c = capability_id(s->current, capability_handle_slot(handle));
    if (capability_free(s, c)) {
        return STATUS_INVALID_HANDLE;
    }
    if (s->capability[c].generation != capability_handle_generation(handle)) {
        return STATUS_STALE_HANDLE;
    }
    if (ACCEPTS_DEAD[call->operation] != 0) {
        return STATUS_OK;
    }
    if (!capability_live(s, c)) {
        return STATUS_REVOKED;
    }
    if (ANY_OBJECT[call->operation] == 0 && s->capability[c].kind != OBJECT_OF[call->operation]) {
        return STATUS_WRONG_OBJECT;
    }
    if (!capability_current_object(s, c)) {
        return STATUS_WRONG_OBJECT;
    }
    if (((right_t)RIGHTS_OF[call->operation] & ~s->capability[c].rights) != 0) {
        return STATUS_INSUFFICIENT_RIGHTS;
    }
    return STATUS_OK;
}

/* Does the call ask for the next eight records that nobody copied, while fewer wait to be dropped, in a page where
   they can be put? */
bool gate_copies_on(const struct kernel *s, const struct call *call)
{
    return call->operation == WITNESS_READ && call->argument[2] == s->copied && s->copied - s->drained < DRAIN_LIMIT &&
           s->sequence - s->copied >= DRAIN_LIMIT && call->argument[1] < PAGES &&
           memory_lets(s, s->current, call->argument[1] & 1023, ACCESS_WRITE);
}

/* Does the call drop eight records, as many as it may, all copied? */
bool gate_drops_all(const struct kernel *s, const struct call *call)
{
    return call->operation == WITNESS_DISCARD && call->argument[1] == s->drained + 7 && call->argument[1] < s->copied;
}

/* Will this call bring eight records nearer to their way out of the log, or out of it? */
bool gate_will_drain(const struct kernel *s, const struct call *call)
{
    partition_id_t p = s->current;
    return (gate_copies_on(s, call) || gate_drops_all(s, call)) &&
           ring_effective_ring(s, p, call->now) <= REQUIRED_RING[call->operation] &&
           ring_affordable(s, p, METER_MESSAGES, call->now) && gate_lookup(s, call) == STATUS_OK;
}

/* May the call be recorded? Within the caller's share of the log, or beyond it when it helps to make room. */
bool gate_room_for(const struct kernel *s, const struct call *call)
{
    if (witness_own_room(s, s->current)) {
        return true;
    }
    return witness_log_room(s) && gate_will_drain(s, call);
}

/* Is the caller the creator of the partition that it names, or in ring 1? */
bool gate_in_charge(const struct kernel *s, const struct call *call)
{
    ring_t ring = ring_effective_ring(s, s->current, call->now);
    return s->partition[capability_named_partition(s, call)].parent == s->current || ring == RING_PRIVILEGED;
}

/* P2 and, where the tier asks for it, P3: a path to the root that binds the caller, or to the one that the call
   replaces. */
bool gate_convinces(const struct kernel *s, const struct call *call, tier_t tier)
{
    bool replaces_root = REPLACES_ROOT[call->operation] != 0;
    uint32_t digest[8] = {0};
    proof_mutation_digest(s, call, HANDLES[call->operation], replaces_root, digest);
    if (!proof_policy_holds(s, call, tier, digest)) {
        return false;
    }
    if (tier != TIER_P3) {
        return true;
    }
    return proof_path_holds(s, call, replaces_root ? proof_named_root(s, call) : s->partition[s->current].proof_root,
                            digest);
}

/* P1, and what more the tier of the operation asks for. */
status_t gate_authorize(const struct kernel *s, struct call *call)
{
    if (TAKES_HANDLE[call->operation] != 0) {
        status_t status = gate_lookup(s, call);
        if (status != STATUS_OK) {
            return status;
        }
        call->capability = capability_id(s->current, capability_handle_slot(call->argument[0]));
        if (FOR_CREATORS[call->operation] != 0 && !gate_in_charge(s, call)) {
            return STATUS_RING_DENIED;
        }
    }
    uint8_t tier = TIER_OF[call->operation];
    if (tier >= TIER_P2) {
        if (!gate_convinces(s, call, tier)) {
            return STATUS_POLICY_VIOLATION;
        }
    }
    return STATUS_OK;
}

/* Admit, authorize and perform a call; a proof is used up only by success. */
status_t gate_carry_out(struct kernel *s, struct call *call)
{
    status_t status = gate_admit(s, call);
    if (status != STATUS_OK) {
        return status;
    }
    status = gate_authorize(s, call);
    if (status != STATUS_OK) {
        return status;
    }
    partition_id_t actor = s->current;
    status = gate_perform(s, call);
    if (status == STATUS_OK && TIER_OF[call->operation] >= TIER_P2) {
        s->partition[actor].nonce++;
    }
    return status;
}

/* What the record keeps as its object: packed arguments, x2 of a call that was refused, or what was asked for in
   vain. */
uint64_t gate_first_word(const struct call *call, status_t status)
{
    if (!gate_known(call)) {
        return call->operation;
    }
    return status == STATUS_OK ? arguments_packed_object(call) : call->argument[1];
}

/* What the record keeps as its payload: packed arguments, x3 of a call that was refused, or x2 of one that names no
   operation. */
uint64_t gate_second_word(const struct call *call, status_t status)
{
    if (!gate_known(call)) {
        return call->argument[1];
    }
    return status == STATUS_OK ? arguments_packed_payload(call) : call->argument[2];
}

/* Witness a call, allowed or denied. */
void gate_record(struct kernel *s, const struct call *call, partition_id_t actor, status_t status)
{
    action_t kind = gate_kind_of(call);
    tier_t tier = gate_known(call) ? (tier_t)TIER_OF[call->operation] : TIER_NONE;
    uint8_t number = gate_known(call) ? (uint8_t)call->operation : KERNEL_OPERATION;
    witness_append_for_partition(s, call->now, actor, kind, tier, status, number, gate_first_word(call, status),
                                 call->argument[0], gate_second_word(call, status));
}

/* One hypercall of the current partition, from the registers to the record. */
status_t gate_dispatch(struct kernel *s, struct call *call)
{
    partition_id_t actor = s->current;
    call->now = clock_advance(s, call->now);
    call->yields = false;
    clear_words(call->result, 3);
    if (!gate_room_for(s, call)) {
        witness_count_refusal(s, actor);
        return STATUS_WITNESS_FULL;
    }
    status_t status = gate_carry_out(s, call);
    gate_record(s, call, actor, status);
    schedule_settle(s, call->yields);
    return status;
}

/* Run the operation that the call names, once the gate has admitted it. */
status_t gate_perform(struct kernel *s, struct call *call)
{
    switch (call->operation) {
    case OPERATION_CAPABILITY_GRANT:
        if (call->argument[1] >= 64 || call->argument[2] >= 0x10000 || call->argument[3] >= 0x4000000000ull) {
            return STATUS_BAD_ARGUMENT;
        }
        return capability_grant(s, call, call->argument[1], call->argument[2], call->argument[3], call->argument[4]);
    case OPERATION_CAPABILITY_REVOKE:
        return capability_revoke(s, call);
    case OPERATION_CAPABILITY_DELETE:
        return capability_delete(s, call);
    case OPERATION_CAPABILITY_INSPECT:
        return capability_inspect(s, call);
    case OPERATION_CAPABILITY_WITHDRAW:
        if (call->argument[1] >= 64) {
            return STATUS_BAD_ARGUMENT;
        }
        return capability_withdraw(s, call, call->argument[1]);
    case OPERATION_PAGE_CREATE:
        if (call->argument[1] >= 0x400 || call->argument[2] >= 7 || call->argument[3] >= 0x4000000000ull) {
            return STATUS_BAD_ARGUMENT;
        }
        return memory_page_create(s, call, call->argument[1], call->argument[2], call->argument[3]);
    case OPERATION_PAGE_RELEASE:
        if (call->argument[1] >= 0x400) {
            return STATUS_BAD_ARGUMENT;
        }
        return memory_page_release(s, call, call->argument[1]);
    case OPERATION_PAGE_TRANSFER:
        if (call->argument[1] >= 0x400 || call->argument[2] >= 0x4000000000ull) {
            return STATUS_BAD_ARGUMENT;
        }
        return memory_page_transfer(s, call, call->argument[1], call->argument[2]);
    case OPERATION_TABLE_ROOT:
        if (call->argument[1] >= 0x400) {
            return STATUS_BAD_ARGUMENT;
        }
        return memory_table_root(s, call, call->argument[1]);
    case OPERATION_TABLE_LINK:
        if (call->argument[1] >= 0x400 || call->argument[2] >= 512 || call->argument[3] >= 0x400) {
            return STATUS_BAD_ARGUMENT;
        }
        return memory_table_link(s, call, call->argument[1], call->argument[2], call->argument[3]);
    case OPERATION_PAGE_MAP:
        if (call->argument[1] >= 0x400 || call->argument[2] >= 0x400 || call->argument[3] >= 512 ||
            call->argument[4] >= 256) {
            return STATUS_BAD_ARGUMENT;
        }
        return memory_page_map(s, call, call->argument[1], call->argument[2], call->argument[3], call->argument[4]);
    case OPERATION_PAGE_UNMAP:
        if (call->argument[1] >= 0x400) {
            return STATUS_BAD_ARGUMENT;
        }
        return memory_page_unmap(s, call, call->argument[1]);
    case OPERATION_PAGE_SHARE:
        if (call->argument[1] >= 0x400 || call->argument[2] >= 4 || call->argument[3] >= 0x4000000000ull) {
            return STATUS_BAD_ARGUMENT;
        }
        return memory_page_share(s, call, call->argument[1], call->argument[2], call->argument[3]);
    case OPERATION_SHARE_MAP:
        if (call->argument[1] >= 0x400 || call->argument[2] >= 4 || call->argument[3] >= 0x400 ||
            call->argument[4] >= 512) {
            return STATUS_BAD_ARGUMENT;
        }
        return memory_share_map(s, call, call->argument[1], call->argument[2], call->argument[3], call->argument[4]);
    case OPERATION_PAGE_UNSHARE:
        if (call->argument[1] >= 0x400 || call->argument[2] >= 4) {
            return STATUS_BAD_ARGUMENT;
        }
        return memory_page_unshare(s, call, call->argument[1], call->argument[2]);
    case OPERATION_PAGE_APPEND:
        if (call->argument[1] >= 0x400) {
            return STATUS_BAD_ARGUMENT;
        }
        return memory_page_append(s, call, call->argument[1], call->argument[2]);
    case OPERATION_PARTITION_CREATE:
        if (call->argument[1] >= 64 || call->argument[2] >= 64 || call->argument[3] >= 0x10000) {
            return STATUS_BAD_ARGUMENT;
        }
        return partition_create(s, call, call->argument[1], call->argument[2], call->argument[3]);
    case OPERATION_PARTITION_ADOPT:
        if (call->argument[1] >= 64 || call->argument[2] >= 64) {
            return STATUS_BAD_ARGUMENT;
        }
        return partition_adopt(s, call, call->argument[1], call->argument[2]);
    case OPERATION_PARTITION_START:
        return partition_start(s, call, call->argument[1]);
    case OPERATION_PARTITION_SUSPEND:
        return partition_suspend(s, call);
    case OPERATION_PARTITION_RESUME:
        return partition_resume(s, call);
    case OPERATION_PARTITION_HIBERNATE:
        return partition_hibernate(s, call);
    case OPERATION_PARTITION_RECONSTRUCT:
        return partition_reconstruct(s, call);
    case OPERATION_PARTITION_DESTROY:
        return partition_destroy(s, call);
    case OPERATION_PARTITION_RELEASE:
        return partition_release(s, call);
    case OPERATION_PARTITION_RECLAIM:
        return partition_reclaim(s, call);
    case OPERATION_PARTITION_FAIL:
        if (call->argument[1] >= 5) {
            return STATUS_BAD_ARGUMENT;
        }
        return partition_fail(s, call, call->argument[1]);
    case OPERATION_SYSTEM_HALT:
        return partition_system_halt(s, call);
    case OPERATION_PARTITION_ENDOW:
        if (call->argument[1] >= 4 || call->argument[2] >= 0x10000) {
            return STATUS_BAD_ARGUMENT;
        }
        return partition_endow(s, call, call->argument[1], call->argument[2]);
    case OPERATION_REGION_RECLAIM:
        if (call->argument[1] >= 0x400) {
            return STATUS_BAD_ARGUMENT;
        }
        return partition_region_reclaim(s, call, call->argument[1]);
    case OPERATION_RING_ASSIGN:
        if (call->argument[1] >= 0x4000000000ull || call->argument[2] >= 0x100000000ull || call->argument[3] >= 2) {
            return STATUS_BAD_ARGUMENT;
        }
        return ring_assign(s, call, call->argument[1], call->argument[2], call->argument[3] != 0);
    case OPERATION_RING_DEMOTE:
        if (call->argument[1] >= 0x100000000ull) {
            return STATUS_BAD_ARGUMENT;
        }
        return ring_demote(s, call, call->argument[1]);
    case OPERATION_RING_ELEVATE:
        if (call->argument[1] >= 4 || call->argument[2] >= 0x100000000ull || call->argument[3] >= 0x4000000000ull) {
            return STATUS_BAD_ARGUMENT;
        }
        return ring_elevate(s, call, call->argument[1], call->argument[2], call->argument[3]);
    case OPERATION_RING_RESTORE:
        return ring_restore(s, call);
    case OPERATION_TOOL_ACQUIRE:
        if (call->argument[1] >= 4) {
            return STATUS_BAD_ARGUMENT;
        }
        return ring_tool_acquire(s, call, call->argument[1]);
    case OPERATION_TOOL_RELEASE:
        if (call->argument[1] >= 4) {
            return STATUS_BAD_ARGUMENT;
        }
        return ring_tool_release(s, call, call->argument[1]);
    case OPERATION_WITNESS_READ:
        if (call->argument[1] >= 0x400) {
            return STATUS_BAD_ARGUMENT;
        }
        return witness_read(s, call, call->argument[1], call->argument[2]);
    case OPERATION_WITNESS_SEAL:
        if (call->argument[1] >= 0x400) {
            return STATUS_BAD_ARGUMENT;
        }
        return witness_seal(s, call, call->argument[1]);
    case OPERATION_WITNESS_DISCARD:
        return witness_discard(s, call, call->argument[1]);
    case OPERATION_PROOF_INSPECT:
        return proof_inspect(s, call);
    case OPERATION_PROOF_ROOT_PROPOSE:
        if (call->argument[1] >= 256) {
            return STATUS_BAD_ARGUMENT;
        }
        return proof_root_propose(s, call, call->argument[1], call->argument[2]);
    case OPERATION_PROOF_ROOT_BIND:
        if (call->argument[1] >= 0x4000000000ull) {
            return STATUS_BAD_ARGUMENT;
        }
        return proof_root_bind(s, call, call->argument[1]);
    case OPERATION_PROOF_ROOT_COMMIT:
        return proof_root_commit(s, call);
    case OPERATION_YIELD_NOW:
        return schedule_yield_now(s, call);
    case OPERATION_CONSOLE_WRITE:
        if (call->argument[1] >= 0x400 || call->argument[2] >= 512 || call->argument[3] >= 0x10000 ||
            call->argument[4] >= 2) {
            return STATUS_BAD_ARGUMENT;
        }
        return console_write(s, call, call->argument[1], call->argument[2], call->argument[3], call->argument[4]);
    case OPERATION_EDGE_CREATE:
        if (call->argument[1] >= 256 || call->argument[2] >= 64) {
            return STATUS_BAD_ARGUMENT;
        }
        return edge_create(s, call, call->argument[1], call->argument[2], call->argument[3]);
    case OPERATION_EDGE_DESTROY:
        return edge_destroy(s, call);
    case OPERATION_EDGE_SEND:
        if (call->argument[1] >= 0x400 || call->argument[2] >= 0x10000) {
            return STATUS_BAD_ARGUMENT;
        }
        return edge_send(s, call, call->argument[1], call->argument[2], call->argument[3]);
    case OPERATION_EDGE_RECEIVE:
        if (call->argument[1] >= 0x400) {
            return STATUS_BAD_ARGUMENT;
        }
        return edge_receive(s, call, call->argument[1]);
    case OPERATION_NOTIFICATION_CREATE:
        if (call->argument[1] >= 256 || call->argument[2] >= 64) {
            return STATUS_BAD_ARGUMENT;
        }
        return edge_notification_create(s, call, call->argument[1], call->argument[2]);
    case OPERATION_NOTIFICATION_SIGNAL:
        return edge_notification_signal(s, call, call->argument[1]);
    case OPERATION_NOTIFICATION_WAIT:
        return edge_notification_wait(s, call);
    }
    return STATUS_UNKNOWN_OPERATION;
}
