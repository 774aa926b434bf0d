"""What is known of the operands of a body while it is translated?

They stay where they are as long as possible: in a local, or a constant in the operation that takes it.
"""

from model.wasm.reader import refuse, refused, spend
from spec.language.builtins import wrapping_add
from spec.language.loops import decreases
from spec.language.types import u32, u64
from spec.language.values import length
from spec.wasm.module import NONE, OPERANDS, Module, Place, Translation
from spec.wasm.refusals import Refusal


def own_slot(t: Translation, height: u32) -> u32:
    """The slot of an operand at a height; that frames are not too large is seen to when the body is known."""
    return wrapping_add(u32, t.locals, height)


def push(m: Module, t: Translation, place: Place, value: u64) -> None:
    """An operand more."""
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


def push_slot(m: Module, t: Translation) -> None:
    """An operand more, in the slot of its height."""
    push(m, t, Place.SLOT, 0)


def push_made(m: Module, t: Translation, at: u32) -> None:
    """An operand more, which an operation has left in the slot of its height."""
    t.made = t.height
    push_slot(m, t)
    t.last = at


def maker(t: Translation, height: u32) -> u32:
    """The operation just before that left in its slot the operand at a height, but for what is yet to be computed of it; or NONE."""
    if height >= length(t.operands) or t.made != height or t.last < t.border:
        return NONE
    return t.last if t.operands[height].place == Place.SLOT else NONE


def pop(t: Translation, count: u32) -> None:
    """So many operands less."""
    t.height = t.height - count if count < t.height else 0
    if t.lowest > t.height:
        t.lowest = t.height


def add(t: Translation, value: u32) -> None:
    """The operand above the stack is on it again, and more by a number."""
    if t.height < length(t.operands) and t.height < OPERANDS:
        t.operands[t.height].addend = wrapping_add(u32, t.operands[t.height].addend, value)
        t.height += 1


def scale(t: Translation, shift: u32) -> None:
    """The operand above the stack is on it again, moved up."""
    if t.height < length(t.operands) and t.height < OPERANDS:
        t.operands[t.height].shift = shift
        t.height += 1


def restore(m: Module, t: Translation, height: u32, count: u32) -> None:
    """So many operands in their slots above a height."""
    t.height = height
    if t.lowest > height:
        t.lowest = height
    spend(m, count)
    left = count
    while left > 0 and not refused(m):
        decreases(left)
        left -= 1
        push_slot(m, t)
    t.last = NONE


def is_value(t: Translation, height: u32) -> bool:
    """Is the operand at a height a constant?"""
    if height >= length(t.operands):
        return False
    return t.operands[height].place == Place.VALUE


def value_of(t: Translation, height: u32) -> u64:
    """The constant at a height."""
    if height >= length(t.operands):
        return 0
    return t.operands[height].value


def addend_of(t: Translation, height: u32) -> u32:
    """What is yet to be added to the operand at a height."""
    if height >= length(t.operands):
        return 0
    return t.operands[height].addend


def shift_of(t: Translation, height: u32) -> u32:
    """By how much the operand at a height is yet to be moved up."""
    if height >= length(t.operands):
        return 0
    return t.operands[height].shift


def source(t: Translation, height: u32) -> u32:
    """The slot of an operand that is no constant, without what is yet to be added."""
    if height >= length(t.operands):
        return 0
    return u32.truncate(t.operands[height].value) if t.operands[height].place == Place.LOCAL else own_slot(t, height)


def may_shift(t: Translation, height: u32) -> bool:
    """Is the operand at a height no constant, and nothing yet to be computed of it?"""
    return not is_value(t, height) and addend_of(t, height) == 0 and shift_of(t, height) == 0


def is_local(t: Translation, height: u32) -> bool:
    """Is the operand at a height in a local?"""
    if height >= length(t.operands):
        return False
    return t.operands[height].place == Place.LOCAL and may_shift(t, height)


def in_own_slot(t: Translation, height: u32) -> bool:
    """Is the operand at a height in the slot of its height?"""
    if height >= length(t.operands):
        return False
    return t.operands[height].place == Place.SLOT and may_shift(t, height)
