"""What do both sides of a comparison treat as unknown?

The effects of others, and functions that are hard to compute with.
"""

import z3

from corollary.language.frontend import translate
from corollary.language.types import u64
from corollary.proofs import bits
from corollary.proofs.loops import Unbounded
from corollary.proofs.machine.calls import forget
from corollary.proofs.machine.heap import part
from corollary.proofs.machine.interpreter import VM
from corollary.proofs.machine.premises import Typed
from corollary.proofs.symbolic import TOP, Executor
from corollary.spec.wasm import integers
from corollary.spec.wasm.meaning import WORD

WIDTH = 64
LARGEST = 1 << 32  # bytes of a memory, and elements of everything else that has a fixed room
OTHERS = {("memory", "[]", "bytes", "[]"), ("memory", "[]", "size"), ("globals", "[]", "cell", "[]")}
"""The parts of the state that others may change meanwhile."""
MEMORY = part(VM, "memory", 0)
HARD = {
    translate(integers.MEANING[f"{type_}_{name}"]).symbol
    for type_ in ("i32", "i64")
    for name in "mul div_s div_u rem_s rem_u clz ctz popcnt rotl rotr".split()
}
"""Integer instructions that both sides treat as unknown functions."""


class Different(AssertionError):
    """Instructions and operations do not do the same."""


def number(value):
    """Return a constant word."""
    return z3.BitVecVal(value, WIDTH)


def low(value, type_):
    """Return a word as a value of a type of the language."""
    return z3.simplify(z3.Extract(type_.bits - 1, 0, value)) if type_.bits < WIDTH else value


def wide(value):
    """Return a value as a word with zeros above."""
    if z3.is_bool(value):
        return z3.If(value, number(1), number(0))
    return z3.ZeroExt(WIDTH - value.size(), value) if value.size() < WIDTH else value


def anything(name, type_):
    """Return any value of a type, as a word."""
    return wide(z3.BitVec(name, WORD.get(type_, u64).bits))


class Blind(Unbounded):
    """Functions that are hard to compute with stay opaque: each is the same function on both sides."""

    def __init__(self, heap):
        super().__init__(heap, lambda function: True)

    def invoke(self, function, arguments, guard):
        if function.intrinsic:
            return Executor.invoke(self, function, arguments, guard)
        if function.symbol not in HARD:
            return super().invoke(function, arguments, guard)
        symbol = z3.Function(
            function.symbol, *(bits.sort(item.type) for item in function.parameters), bits.sort(function.returns)
        )
        return symbol(*(bits.term(value, item.type) for value, item in zip(arguments, function.parameters)))


def computed(function, *operands):
    """Return the result of a function of values."""
    function = translate(function)
    return bits.term(Blind(Typed(frozenset())).invoke(function, list(operands), TOP), function.returns)


def leave_anything(heap, count):
    """Let the parts that others may change hold anything, under names that both sides share."""
    for path in OTHERS:
        forget(heap, VM, path, f"{'.'.join(path)} after {count}")


def cell(index):
    """Return the place of a global."""
    return part(VM, "globals", index, "cell", 0)
