"""What is known about the operands of a body while it is compiled?

Operands stay where they are as long as possible: in a local, or as a constant in the operation that takes it.
"""

from corollary.language.builtins import implies, minimum, wrapping_add
from corollary.language.contracts import ensures, preserves, requires
from corollary.language.loops import decreases, maintains
from corollary.language.types import u32, u64
from corollary.language.values import length
from corollary.model.wasm.reader import refuse, refused, spend
from corollary.model.wasm.room import in_room, is_operand, one_taken
from corollary.spec.wasm.module import NONE, OPERANDS, Module, Place, Translation
from corollary.spec.wasm.refusals import Refusal


def own_slot(t: Translation, height: u32) -> u32:
    """Return the slot of an operand at a height. The size of the frame is checked when the body is known."""
    return wrapping_add(u32, t.locals, height)


@preserves(in_room)
def push(m: Module, t: Translation, place: Place, value: u64) -> None:
    """Push an operand."""
    if t.height >= length(t.operands) or t.height >= OPERANDS:
        refuse(m, Refusal.TOO_LARGE, m.at)
        return
    t.operands[t.height].place = place
    t.operands[t.height].value = value
    t.operands[t.height].addend = 0
    t.operands[t.height].shift = 0
    t.height += 1
    if t.height > t.most:
        t.most = t.height


@preserves(in_room)
def push_slot(m: Module, t: Translation) -> None:
    """Push an operand that is in the slot of its height."""
    push(m, t, Place.SLOT, 0)


@preserves(in_room)
def push_made(m: Module, t: Translation, at: u32) -> None:
    """Push an operand that an operation has left in the slot of its height."""
    t.made = t.height
    push_slot(m, t)
    t.last = at


@requires(is_operand)
def maker(t: Translation, height: u32) -> u32:
    """Return the operation just before if it left the operand at a height in its slot, or else NONE.

    A shift and an addition may still be delayed.
    """
    if t.made != height or t.last < t.border or t.last >= t.at:
        return NONE
    return t.last if t.operands[height].place == Place.SLOT else NONE


@preserves(in_room)
@ensures(lambda t, count, result: implies(result, u64(t.height) + count <= minimum(length(t.operands), OPERANDS)))
def pop(m: Module, t: Translation, count: u32) -> bool:
    """Pop so many operands. Refuse the module if there are fewer."""
    if count > t.height:
        refuse(m, Refusal.TYPE_MISMATCH, m.at)
        return False
    t.height -= count
    if t.lowest > t.height:
        t.lowest = t.height
    return True


@requires(one_taken)
@preserves(in_room)
def add(t: Translation, value: u32) -> None:
    """Push the operand above the stack again, with a delayed addition of a number."""
    t.operands[t.height].addend = wrapping_add(u32, t.operands[t.height].addend, value)
    t.height += 1


@requires(one_taken)
@preserves(in_room)
def scale(t: Translation, shift: u32) -> None:
    """Push the operand above the stack again, with a delayed left shift."""
    t.operands[t.height].shift = shift
    t.height += 1


@preserves(in_room)
def restore(m: Module, t: Translation, height: u32, count: u32) -> None:
    """Cut the stack to a height, and push so many operands in their slots."""
    if height > length(t.operands) or height > OPERANDS:
        refuse(m, Refusal.TOO_LARGE, m.at)
        return
    t.height = height
    if t.lowest > height:
        t.lowest = height
    spend(m, count)
    left = count
    while left > 0 and not refused(m):
        maintains(in_room(t))
        decreases(left)
        left -= 1
        push_slot(m, t)
    t.last = NONE


@requires(is_operand)
def is_value(t: Translation, height: u32) -> bool:
    """Is the operand at a height a constant?"""
    return t.operands[height].place == Place.VALUE


@requires(is_operand)
def value_of(t: Translation, height: u32) -> u64:
    """Return the constant at a height."""
    return t.operands[height].value


@requires(is_operand)
def addend_of(t: Translation, height: u32) -> u32:
    """Return what is still to be added to the operand at a height."""
    return t.operands[height].addend


@requires(is_operand)
def shift_of(t: Translation, height: u32) -> u32:
    """Return the left shift that is still to be applied to the operand at a height."""
    return t.operands[height].shift


@requires(is_operand)
def source(t: Translation, height: u32) -> u32:
    """Return the slot of an operand that is not a constant, before what is still to be added."""
    return u32.truncate(t.operands[height].value) if t.operands[height].place == Place.LOCAL else own_slot(t, height)


@requires(is_operand)
def may_shift(t: Translation, height: u32) -> bool:
    """Is the operand at a height not a constant, with nothing still to be computed?"""
    return not is_value(t, height) and addend_of(t, height) == 0 and shift_of(t, height) == 0


@requires(is_operand)
def is_local(t: Translation, height: u32) -> bool:
    """Is the operand at a height in a local?"""
    return t.operands[height].place == Place.LOCAL and may_shift(t, height)


@requires(is_operand)
def in_own_slot(t: Translation, height: u32) -> bool:
    """Is the operand at a height in the slot of its height?"""
    return t.operands[height].place == Place.SLOT and may_shift(t, height)
