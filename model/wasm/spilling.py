"""How does an operand get into a slot, either the slot of its height or a local?"""

from corollary.language.builtins import saturating_sub, wrapping_add
from corollary.language.contracts import preserves, requires
from corollary.language.loops import decreases, maintains
from corollary.language.types import u32, u64
from corollary.language.values import length
from corollary.model.wasm.emission import emit, is_latest, operation, retarget, take_back, word_at
from corollary.model.wasm.merging import on_value
from corollary.model.wasm.operands import (
    addend_of,
    in_own_slot,
    is_local,
    is_value,
    maker,
    own_slot,
    pop,
    push,
    shift_of,
    source,
    value_of,
)
from corollary.model.wasm.reader import refused, spend
from corollary.model.wasm.room import in_room, is_operand
from corollary.spec.wasm.internal import Handler
from corollary.spec.wasm.machine import BytecodeWord, Pair
from corollary.spec.wasm.module import NONE, OPERANDS, Decoded, Module, Place, Translation
from corollary.spec.wasm.opcodes import Opcode

WINDOW = 16  # most operands that `local.set` looks at; if there are more, it spills all


@requires(is_operand)
@preserves(in_room)
def slot(m: Module, t: Translation, height: u32) -> u32:
    """Return the slot that holds the operand at a height.

    A constant, or an operand that is still to be computed, is spilled to a slot first.
    """
    if is_value(t, height) or addend_of(t, height) != 0 or shift_of(t, height) != 0:
        spill(m, t, height)
    return source(t, height)


@requires(is_operand)
@preserves(in_room)
def spill(m: Module, t: Translation, height: u32) -> None:
    """Spill the operand at a height to the slot of its height."""
    place_in(m, t, height, own_slot(t, height))
    t.operands[height].place = Place.SLOT
    t.operands[height].addend = 0
    t.operands[height].shift = 0


@requires(is_operand)
@preserves(in_room)
def place_in(m: Module, t: Translation, height: u32, target: u32) -> None:
    """Move the operand at a height into a given slot."""
    if is_value(t, height):
        operation(m, t, Handler.CONST, 0, 0, target)
        emit(m, t, value_of(t, height))
        t.last = NONE
    elif addend_of(t, height) != 0 or shift_of(t, height) != 0:
        compute_late(m, t, height, target)
    elif source(t, height) != target:
        copy(m, t, source(t, height), target)


@requires(is_operand)
@preserves(in_room)
def compute_late(m: Module, t: Translation, height: u32, target: u32) -> None:
    """Compute what is delayed of the operand at a height, into a given slot."""
    shift = shift_of(t, height)
    addend = addend_of(t, height)
    from_ = source(t, height)
    at = t.at
    if shift != 0 and addend != 0:
        operation(m, t, Handler.I32_SHL_ADD_VALUE_VALUE, from_, 0, target)
        emit(m, t, Pair(low=shift, high=addend))
    elif shift != 0:
        at = on_value(m, t, height, Opcode.I32_SHL, from_, shift, target)
    else:
        at = add_late(m, t, height, from_, addend, target)
    t.last = at if target == own_slot(t, height) else NONE
    t.made = height


@requires(is_operand)
@preserves(in_room)
def add_late(m: Module, t: Translation, height: u32, from_: u32, addend: u32, target: u32) -> u32:
    """Add a constant to the slot of the operand at a height, and return the position of the operation.

    The addition is fused with a copy just before.
    """
    at = t.copied
    if not is_latest(t, at, 1):
        t.step = on_value(m, t, height, Opcode.I32_ADD, from_, addend, target)
        return t.step
    first = word_at(t, at)
    take_back(t, at)
    operation(m, t, Handler.I32_ADD_COPY_VALUE, unchanged(first, from_), BytecodeWord(first).a, target)
    emit(m, t, Pair(low=addend, high=BytecodeWord(first).c))
    return at


def unchanged(copied: u64, from_: u32) -> u32:
    """Return the slot that held the value before the copy."""
    return BytecodeWord(copied).a if BytecodeWord(copied).c == from_ else from_


@preserves(in_room)
def copy(m: Module, t: Translation, from_: u32, target: u32) -> None:
    """Emit a copy of a slot. Two copies in a row are one operation."""
    at = t.copied
    if is_latest(t, at, 1):
        first = word_at(t, at)
        take_back(t, at)
        operation(m, t, Handler.COPY_PAIR, BytecodeWord(first).a, unchanged(first, from_), BytecodeWord(first).c)
        emit(m, t, target)
        t.copied = NONE
    else:
        t.copied = t.at
        operation(m, t, Handler.COPY, from_, 0, target)
    t.last = NONE


@preserves(in_room)
def spill_from(m: Module, t: Translation, bottom: u32) -> None:
    """Spill all operands from a height on to the slots of their heights."""
    spend(m, saturating_sub(t.height, bottom))
    height = bottom
    end = t.height
    while height < end and not refused(m):
        maintains(in_room(t))
        decreases(end - height)
        next_ = height + 1
        if next_ < end and is_local(t, height) and is_local(t, next_):
            spill_two(m, t, height)
            height = next_
        else:
            spill(m, t, height)
        height = wrapping_add(u32, height, 1)


@requires(lambda t, height: height < OPERANDS and u64(height) + 2 <= length(t.operands))
@preserves(in_room)
def spill_two(m: Module, t: Translation, height: u32) -> None:
    """Spill two operands, one above the other, from locals to the slots of their heights."""
    next_ = height + 1
    operation(m, t, Handler.COPY_TWO, source(t, height), source(t, next_), own_slot(t, height))
    t.operands[height].place = Place.SLOT
    t.operands[next_].place = Place.SLOT
    t.last = NONE


@preserves(in_room)
def spill_locals(m: Module, t: Translation, which: u32) -> None:
    """Spill operands that are still in a local: those in a given local, or all of them for NONE."""
    height = t.lowest
    end = t.height
    all_ = which == NONE or (end > height and end - height > WINDOW)
    while height < end and not refused(m):
        maintains(in_room(t))
        decreases(end - height)
        if t.operands[height].place == Place.LOCAL and (all_ or t.operands[height].value == which):
            spill(m, t, height)
        height += 1
    if all_:
        t.lowest = t.height


@preserves(in_room)
def gather(m: Module, t: Translation, first: u32) -> None:
    """Move the topmost operands into the slots of their heights, on this path only."""
    spend(m, saturating_sub(t.height, first))
    height = first
    end = t.height
    while height < end and not refused(m):
        maintains(in_room(t))
        decreases(end - height)
        place_in(m, t, height, own_slot(t, height))
        height = wrapping_add(u32, height, 1)


@preserves(in_room)
def variable(m: Module, t: Translation, d: Decoded) -> None:
    """Translate an instruction on a local.

    `local.get` leaves the value where it is. `local.set` first spills operands that are still in the local.
    """
    which = u32.truncate(d.value)
    if d.opcode == Opcode.LOCAL_GET:
        push(m, t, Place.LOCAL, which)
        return
    popped = pop(m, t, 1)
    if not popped:
        return
    height = t.height
    spill_locals(m, t, which)
    last = maker(t, height)
    if last != NONE and in_own_slot(t, height):
        retarget(t, last, which)
        t.step = last
    else:
        place_in(m, t, height, which)
    t.last = NONE
    if d.opcode == Opcode.LOCAL_TEE:
        push(m, t, Place.LOCAL, which)
