"""Which operands are the floating-point instructions tried on, and how are they packed?"""

import math
import random
import struct
from functools import cache
from itertools import product

from corollary.codegen.floats import functions

RANDOM = 10_000  # cases of each instruction besides the special ones
CASE = struct.Struct("<QQQ")  # two operands, the second of them perhaps unused, and the result
PACKED = {32: ("<f", "<I"), 64: ("<d", "<Q")}
FRACTION = {32: 23, 64: 52}  # bits of a pattern after its exponent
HALFWAY = tuple(fraction + 2 for fraction in FRACTION.values())  # bits of a number halfway between two of a format
OVERFLOW = 2.0**128 - 2.0**103  # the least number whose nearest f32 is infinity
NUMBERS = (
    0.0,
    0.5,
    1.0,
    1.5,
    2.5,
    *(2.0**n for n in (23, 24, 31, 32, 52, 53, 63, 64, -126, -150)),
    OVERFLOW,
    *(limit + part for limit in (2.0**31, 2.0**32) for part in (-1, -0.5, 0.5, 1)),
)
LIMITS = (0, 24, 31, 32, 53, 63)


def pattern(x, bits):
    """Return the pattern of a number in a format."""
    as_float, as_word = PACKED[bits]
    return struct.unpack(as_word, struct.pack(as_float, x))[0]


def infinity(bits):
    """Return the pattern of the positive infinity."""
    return pattern(math.inf, bits)


def canonical(bits):
    """Return the pattern of the positive canonical NaN: only the first bit of the fraction is set."""
    return infinity(bits) | 1 << (FRACTION[bits] - 1)


@cache
def specials(bits):
    """Return the special patterns, with their neighbours and both signs.

    These are numbers where something changes, infinities, canonical and other NaNs, and the least and largest
    integers.
    """
    top = 1 << (bits - 1)
    numbers = [pattern(x, bits) for x in NUMBERS if bits == 64 or x < OVERFLOW]
    middle = [
        infinity(bits),
        canonical(bits),
        1 << FRACTION[bits],
        *numbers,
        *(1 << limit for limit in LIMITS if limit < bits),
    ]
    return sorted({(place + step) % (2 * top) ^ sign for place in middle for step in (-1, 0, 1) for sign in (0, top)})


def anything(bits, rng):
    """Return any pattern."""
    return rng.getrandbits(bits)


def moderate(bits, rng):
    """Return a number that is not too far from 1, with few bits set or any."""
    fraction, reach = FRACTION[bits], rng.choice((2, 30, 160))
    bias = (1 << (bits - fraction - 2)) - 1
    exponent = (bias + rng.randint(-reach, reach)) % (2 * bias + 1)
    few = sum({1 << rng.randrange(fraction) for _ in range(rng.randrange(4))})
    return rng.getrandbits(1) << (bits - 1) | exponent << fraction | rng.choice((few, rng.getrandbits(fraction)))


def halfway(bits, rng):
    """Return an integer about halfway between two f32 or two f64, or the negative of one."""
    digits = rng.choice([count for count in HALFWAY if count < bits])
    odd = rng.getrandbits(digits) | 1
    return rng.choice((1, -1)) * ((odd << rng.randrange(bits - digits)) + rng.randint(-1, 1)) % (1 << bits)


@cache
def tuples(widths):
    """Return operands for words of these widths: all combinations of special ones, then random ones."""
    rng = random.Random(str(widths))
    chosen = [tuple(rng.choice((anything, moderate, halfway))(bits, rng) for bits in widths) for _ in range(RANDOM)]
    return [*product(*map(specials, widths)), *chosen]


def operands(name):
    """Return the cases of an instruction: tuples of words."""
    *parameters, _ = functions()[name].__annotations__.values()
    return tuples(tuple(type_.bits for type_ in parameters))


def packed(name):
    """Return the cases of an instruction as they lie in memory."""
    return b"".join(CASE.pack(*(*case, 0)[:2], 0) for case in operands(name))


def results(memory):
    """Return the results of cases that were left in memory."""
    return [result for _, _, result in CASE.iter_unpack(memory)]
