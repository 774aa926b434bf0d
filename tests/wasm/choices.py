"""Which numbers make all random decisions in a module, and which values are likely to matter?"""

from functools import cache
from random import Random

from corollary.emulation.operands import pattern, specials
from corollary.spec.wasm.meaning import fits, trap
from corollary.spec.wasm.opcodes import INSTRUCTIONS
from corollary.spec.wasm.values import ValueType

I32, I64, F32, F64, FUNCREF, EXTERNREF = (
    ValueType[name] for name in ("I32", "I64", "F32", "F64", "FUNCREF", "EXTERNREF")
)
NUMERIC, REFERENCES = (I32, I64, F32, F64), (FUNCREF, EXTERNREF)
TYPES = NUMERIC + NUMERIC + NUMERIC + REFERENCES
WIDTH = {I32: 32, I64: 64, F32: 32, F64: 64}
ROWS = tuple(INSTRUCTIONS.values())
TAKING = {type_: [row for row in ROWS if row.is_numeric and row.parameters[0] is type_] for type_ in NUMERIC}
TRAPPING = {row.name for row in ROWS if row.is_numeric and (trap(row) or fits(row))}
LOADING = {type_: [row for row in ROWS if row.width and row.results == (type_,)] for type_ in NUMERIC}
STORING = [row for row in ROWS if row.width and not row.results]
POWERS = (0, 1, 2, 3, 4, 7, 8, 15, 16, 31, 32, 33, 63)
SMALL = 0xFFF  # locals that are kept small serve as addresses, even when moved up and added to
CONTENT = 300  # bytes of a data segment
NEAR = 4096  # the largest number added to an address
ELEMENTS = 12  # of tables


class Choices:
    """Numbers below given bounds: first the given ones, then random ones, or zeros when there is no seed."""

    def __init__(self, seed=None, given=()):
        self.random = None if seed is None else Random(seed).random
        self.given, self.drawn = given, []

    def draw(self, bound):
        """Return a number below a bound."""
        position = len(self.drawn)
        number = (
            min(self.given[position], bound - 1)
            if position < len(self.given)
            else 0
            if self.random is None
            else int(self.random() * bound)
        )
        self.drawn.append(number)
        return number


@cache
def interesting(type_):
    """Return bits of a type that are likely to matter, simple ones first."""
    bits = WIDTH[type_]
    if type_ in (F32, F64):
        return [pattern(float(number), bits) for number in (0, 1, -1, 2, 3, 7, 100, -5, 0.5)] * 8 + list(specials(bits))
    edges = [1 << power for power in POWERS if power < bits]
    return [
        *range(12),
        *((sign * (edge + step)) % (1 << bits) for sign in (1, -1) for edge in edges for step in (0, -1, 1)),
    ]
