"""Does everything that is counted fit the room that the host made for it?

The functions of the VM require and preserve these conditions.
"""

from corollary.language.builtins import minimum
from corollary.language.types import u32, u64
from corollary.language.values import length
from corollary.spec.wasm.module import CODE_FREE, CODE_RATE, NONE, OPERANDS, Module, Translation, Validation


def code_words(m: Module) -> u64:
    """Return how many words of code a host makes room for: the longest module has no more than `NONE` bytes."""
    return CODE_RATE * minimum(length(m.bytes), NONE) + CODE_FREE


def counted(m: Module) -> bool:
    """Is there room for everything that is counted in a module?"""
    return (
        m.counts.types <= length(m.types)
        and m.counts.imports <= length(m.imports)
        and m.counts.functions <= length(m.functions)
        and m.counts.tables <= length(m.tables)
        and m.counts.memories <= length(m.memories)
        and m.counts.globals <= length(m.globals)
        and m.counts.exports <= length(m.exports)
        and m.counts.elements <= length(m.elements)
        and m.counts.data <= length(m.data)
        and m.imported_functions <= m.counts.functions
        and m.imported_globals <= m.counts.globals
    )


def stacked(v: Validation) -> bool:
    """Is there room for all operands and blocks of the body that is validated?"""
    return v.height <= length(v.operands) and v.depth <= length(v.labels)


def within_block(v: Validation) -> bool:
    """Is the place that is validated in a block, if only in the block of the body?"""
    return stacked(v) and v.depth > 0


def planted(m: Module) -> bool:
    """Is there room for the root of a trie of strings?"""
    return length(m.nodes) > 0


def in_heights(t: Translation) -> bool:
    """Is there room for all operands of the body that is translated?"""
    return t.height <= length(t.operands) and t.height <= OPERANDS


def in_room(t: Translation) -> bool:
    """Is there room for all operations, operands and blocks of the body that is translated?"""
    return t.at <= length(t.code) and t.at <= length(t.marks) and in_heights(t) and t.depth <= length(t.targets)


def in_block(t: Translation) -> bool:
    """Is the place that is translated in a block, if only in the block of the body?"""
    return in_room(t) and t.depth > 0


def is_operand(t: Translation, height: u32) -> bool:
    """Is there an operand at a height, on the stack or just taken from it?"""
    return height < length(t.operands)


def one_taken(t: Translation) -> bool:
    """Was the operand above the stack just taken from it?"""
    return t.height < length(t.operands) and t.height < OPERANDS


def two_taken(t: Translation) -> bool:
    """Were the two operands above the stack just taken from it?"""
    return u64(t.height) + 2 <= length(t.operands) and t.height < OPERANDS
