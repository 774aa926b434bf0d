"""Which bytecode does a call compile to?"""

from corollary.language.builtins import saturating_sub, wrapping_add, wrapping_sub
from corollary.language.contracts import preserves, requires
from corollary.language.loops import decreases, maintains
from corollary.language.types import u32
from corollary.model.wasm.emission import RETURN_POINT, far_operation, field_sized, mark, operation, safe_point
from corollary.model.wasm.operands import own_slot, pop, push_made, push_slot
from corollary.model.wasm.reader import refuse, refused, spend
from corollary.model.wasm.room import counted, in_room
from corollary.model.wasm.spilling import slot, spill_from
from corollary.spec.wasm.internal import Handler
from corollary.spec.wasm.module import Decoded, Module, Translation
from corollary.spec.wasm.refusals import Refusal


@requires(counted)
@preserves(in_room)
def call(m: Module, t: Translation, d: Decoded) -> None:
    """Translate a call. The arguments, and later the results, are where the frame of the callee begins."""
    if d.value >= m.counts.functions:
        refuse(m, Refusal.UNKNOWN_FUNCTION, d.at)
        return
    type_ = m.functions[d.value].type
    if type_ >= m.counts.types:
        refuse(m, Refusal.UNKNOWN_TYPE, d.at)
        return
    parameters = m.types[type_].parameters.count
    spill_from(m, t, saturating_sub(t.height, parameters))
    top = own_slot(t, t.height)
    popped = pop(m, t, parameters)
    if not popped:
        return
    base = own_slot(t, t.height)
    safe_point(t)
    at = t.at
    if d.value < m.imported_functions:
        far_operation(m, t, Handler.CALL_IMPORT, base, u32.truncate(d.value))
    elif m.functions[d.value].entry != 0:
        far_operation(m, t, Handler.CALL, base, wrapping_sub(u32, m.functions[d.value].entry, at))
    else:
        far_operation(m, t, Handler.CALL, base, m.functions[d.value].calls)
        m.functions[d.value].calls = wrapping_add(u32, at, 1)
    operation(m, t, Handler.EXIT, top, base, base)
    return_here(m, t, m.types[type_].results.count)


@requires(counted)
@preserves(in_room)
def call_indirect(m: Module, t: Translation, d: Decoded) -> None:
    """Translate a call to a function in a table."""
    if d.value >= m.counts.types:
        refuse(m, Refusal.UNKNOWN_TYPE, d.at)
        return
    chosen = pop(m, t, 1)
    if not chosen:
        return
    index = slot(m, t, t.height)
    parameters = m.types[d.value].parameters.count
    spill_from(m, t, saturating_sub(t.height, parameters))
    popped = pop(m, t, parameters)
    if not popped:
        return
    base = own_slot(t, t.height)
    field_sized(m, d.second)
    field_sized(m, m.types[d.value].same)
    safe_point(t)
    operation(m, t, Handler.CALL_INDIRECT, base, index, u32.truncate(d.second))
    operation(m, t, Handler.EXIT, m.types[d.value].same, base, base)
    return_here(m, t, m.types[d.value].results.count)


@preserves(in_room)
def return_here(m: Module, t: Translation, results: u32) -> None:
    """Mark the return point of a call, and push its results.

    The results are where the arguments were. A single result is where the word before says.
    """
    mark(t, RETURN_POINT)
    t.straight = 0
    t.calls = True
    if results == 1:
        at = wrapping_sub(u32, t.at, 1)
        push_made(m, t, at)
        return
    spend(m, results)
    left = results
    while left > 0 and not refused(m):
        maintains(in_room(t))
        decreases(left)
        left -= 1
        push_slot(m, t)
