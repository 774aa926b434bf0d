"""How is bytecode emitted and taken back, and how do branches get their targets?"""

from corollary.language.builtins import wrapping_add, wrapping_sub
from corollary.language.contracts import preserves, requires
from corollary.language.loops import decreases
from corollary.language.types import u8, u16, u32, u64
from corollary.language.values import length
from corollary.model.wasm.reader import refuse
from corollary.model.wasm.room import in_room
from corollary.spec.wasm.internal import Handler
from corollary.spec.wasm.machine import FIELD, BytecodeWord, FarBytecodeWord
from corollary.spec.wasm.module import NONE, Module, Translation
from corollary.spec.wasm.refusals import Refusal

HANDLERS = len(Handler)
SAFE_POINT = 1  # execution may resume at the operation itself
RETURN_POINT = 2  # a call returns here


@preserves(in_room)
def emit(m: Module, t: Translation, word: u64) -> None:
    """Add a word to the code."""
    if t.at >= length(t.code) or t.at >= length(t.marks) or t.at >= NONE:
        refuse(m, Refusal.TOO_LARGE, m.at)
        return
    t.code[t.at] = word
    t.marks[t.at] = t.next_mark
    t.next_mark = 0
    t.at += 1
    t.last = NONE


@preserves(in_room)
def operation(m: Module, t: Translation, handler: Handler, a: u32, b: u32, c: u32) -> None:
    """Emit an operation with three fields."""
    t.straight = wrapping_add(u32, t.straight, 1)
    word = BytecodeWord(handler=u16(handler), a=u16.truncate(a), b=u16.truncate(b), c=u16.truncate(c))
    emit(m, t, word)


@preserves(in_room)
def far_operation(m: Module, t: Translation, handler: Handler, a: u32, far: u32) -> None:
    """Emit an operation with one field and a number of 32 bits."""
    t.straight = wrapping_add(u32, t.straight, 1)
    emit(m, t, FarBytecodeWord(handler=u16(handler), a=u16.truncate(a), far=far))


def mark(t: Translation, kind: u8) -> None:
    """Mark the next word as a resume point of a kind."""
    t.next_mark = t.next_mark | kind


def safe_point(t: Translation) -> None:
    """Mark the next operation as one that is always a safe point."""
    mark(t, SAFE_POINT)
    t.straight = 0


@preserves(in_room)
def poll(m: Module, t: Translation) -> None:
    """Emit a safe point and nothing else."""
    safe_point(t)
    operation(m, t, Handler.POLL, 0, 0, 0)


def join(t: Translation, straight: u32) -> None:
    """Join a path that has run through so many operations since a safe point."""
    if straight > t.straight:
        t.straight = straight


@requires(lambda t, at: at < t.at)
@preserves(in_room)
def take_back(t: Translation, at: u32) -> None:
    """Take back the code from an operation on. Its resume point moves to the operation that replaces it."""
    mark(t, t.marks[at])
    t.at = at


def is_latest(t: Translation, at: u32, words: u32) -> bool:
    """Is the operation at this position the last one, with no branch target after it?"""
    return at >= t.border and at < t.at and t.at - at == words


@requires(lambda t, at: at < length(t.code))
def word_at(t: Translation, at: u32) -> u64:
    """Return a word of the code."""
    return t.code[at]


@requires(lambda t, at: at < length(t.code))
def far_of(t: Translation, at: u32) -> u32:
    """Return the upper half of a word."""
    return FarBytecodeWord(t.code[at]).far


@requires(lambda t, at: at < length(t.code))
def set_far(t: Translation, at: u32, far: u32) -> None:
    """Replace the upper half of a word."""
    t.code[at] = FarBytecodeWord(t.code[at]).replace(far=far)


@requires(in_room)
def resolve(m: Module, t: Translation, last: u32, target: u32) -> None:
    """Make a chain of words lead to a target. Each word holds the position of the one before, counted from 1."""
    at = last
    left = t.at
    if last != 0:
        t.border = t.at
    while at != 0 and left > 0:
        decreases(left)
        left -= 1
        word = at - 1
        if word >= t.at:
            refuse(m, Refusal.TOO_LARGE, m.at)
            return
        at = far_of(t, word)
        set_far(t, word, wrapping_sub(u32, target, word))


@requires(lambda t, at: at < length(t.code))
def retarget(t: Translation, at: u32, target: u32) -> None:
    """Make an operation leave its result in another slot."""
    t.code[at] = BytecodeWord(t.code[at]).replace(c=u16.truncate(target))


def field_sized(m: Module, index: u64) -> None:
    """Refuse the module unless an index fits a field of an operation."""
    if index > FIELD:
        refuse(m, Refusal.TOO_LARGE, m.at)
