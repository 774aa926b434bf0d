/* Generated from spec/kernel/gate.py, model/kernel/gate.py
   with codegen/templates/unit.h.j2: edit those, not this.
   Content: sha256 96b523657b61e330 */

#ifndef KERNEL_GATE_H
#define KERNEL_GATE_H

#include "types.h"

#define WITNESS_DISCARD 38
#define OPERATION_COUNT 76

/* Does the call name an operation? */
inline bool gate_known(const struct call *call)
{
    return call->operation < OPERATION_COUNT;
}

/* Does the call drop eight records, the most that it may, all of them copied? */
inline bool gate_drops_all(const struct kernel *s, const struct call *call)
{
    return call->operation == WITNESS_DISCARD && call->argument[1] == s->drained + 7 && call->argument[1] < s->copied;
}

action_t gate_kind_of(const struct call *call);
meter_t gate_meter_of(const struct call *call);
status_t gate_admit(struct kernel *s, const struct call *call);
status_t gate_lookup(const struct kernel *s, const struct call *call);
bool gate_copies_on(const struct kernel *s, const struct call *call);
bool gate_will_drain(const struct kernel *s, const struct call *call);
bool gate_room_for(const struct kernel *s, const struct call *call);
bool gate_in_charge(const struct kernel *s, const struct call *call);
bool gate_convinces(const struct kernel *s, const struct call *call, tier_t tier);
status_t gate_authorize(const struct kernel *s, struct call *call);
status_t gate_carry_out(struct kernel *s, struct call *call);
uint64_t gate_first_word(const struct call *call, status_t status);
uint64_t gate_second_word(const struct call *call, status_t status);
void gate_record(struct kernel *s, const struct call *call, partition_id_t actor, status_t status);
status_t gate_dispatch(struct kernel *s, struct call *call);
status_t gate_perform(struct kernel *s, struct call *call);

#endif
