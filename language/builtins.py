"""Which functions does the language offer besides its operators?

The bodies in this file are their meaning in Python. `BUILTINS` lists them for the front end. The readings in Z3 and C
are tested against these bodies. All are strict: every argument is evaluated.
"""

from collections.abc import Callable
from typing import Any

from corollary.language.types import OutOfRange


def implies(premise, conclusion):
    """Return False only when `premise` holds and `conclusion` does not."""
    return (not premise) or conclusion


def subset(inner, outer):
    """Is every flag of `inner` also in `outer`?"""
    return inner & ~outer == 0


def without(flags, removed):
    """`flags` without those in `removed`."""
    return flags & ~removed


def minimum(a, b):
    """The smaller of two integers."""
    return a if a < b else b


def maximum(a, b):
    """The larger of two integers."""
    return a if a > b else b


def saturating_sub(a, b):
    """`a - b`, or 0 where that would be negative."""
    return a - b if a > b else 0


def wrapping_add(type_, a, b):
    """The sum modulo the bound of `type_`."""
    return (a + b) % type_.bound


def wrapping_sub(type_, a, b):
    """The difference modulo the bound of `type_`."""
    return (a - b) % type_.bound


def wrapping_mul(type_, a, b):
    """The product modulo the bound of `type_`."""
    return (a * b) % type_.bound


def signed(type_, a):
    """The two's complement integer that the bits of `a` encode.

    Only for Python: the language has no negative integers.
    """
    return a - type_.bound if a >= type_.bound // 2 else a


def signed_less(type_, a, b):
    """`a < b`, both read as two's complement."""
    return signed(type_, a) < signed(type_, b)


def signed_divide(type_, a, b):
    """The two's complement quotient, rounded towards zero. Undefined if `b` is zero or the quotient does not fit."""
    quotient = abs(signed(type_, a)) // abs(signed(type_, b))
    if signed_overflows(type_, a, b):
        raise OutOfRange(f"{a} by {b} is not a signed {type_.name}")
    return (quotient if signed_less(type_, a, 0) == signed_less(type_, b, 0) else -quotient) % type_.bound


def signed_overflows(type_, a, b):
    """Is `a` the least two's complement integer and `b` minus one?"""
    return a == type_.bound // 2 and b == type_.bound - 1


def signed_remainder(type_, a, b):
    """The two's complement remainder, with the sign of `a`. Undefined if `b` is zero."""
    rest = abs(signed(type_, a)) % abs(signed(type_, b))
    return (-rest if signed_less(type_, a, 0) else rest) % type_.bound


def shift_left(type_, a, count):
    """`a` shifted left by `count` modulo the width. Bits that leave the type are lost."""
    return (a << count % type_.bits) % type_.bound


def shift_right(type_, a, count):
    """`a` shifted right by `count` modulo the width."""
    return a >> count % type_.bits


def shift_right_signed(type_, a, count):
    """`a` shifted right by `count` modulo the width, with copies of its sign bit shifted in."""
    return (signed(type_, a) >> count % type_.bits) % type_.bound


def rotated_left(type_, a, count):
    """`a` rotated left by `count` modulo the width."""
    return shift_left(type_, a, count) | a >> (type_.bits - count % type_.bits)


def rotated_right(type_, a, count):
    """`a` rotated right by `count` modulo the width."""
    return rotated_left(type_, a, type_.bits - count % type_.bits)


def leading_zeros(type_, a):
    """The number of zero bits above the highest one bit; the whole width for 0."""
    return type_.bits - int(a).bit_length()


def trailing_zeros(type_, a):
    """The number of zero bits below the lowest one bit; the whole width for 0."""
    return (a & -a).bit_length() - 1 if a else type_.bits


def ones(type_, a):
    """The number of one bits."""
    return int(a).bit_count()


def sign_extend(type_, a, width):
    """The low `width` bits of `a`, read as two's complement. `width` is a constant."""
    low = a % (1 << width)
    return (low - (1 << width) if low >> (width - 1) else low) % type_.bound


def rotate_right(a, count):
    """The u32 `a` rotated right by the constant `count`, 1 .. 31."""
    return (a >> count) | ((a << (32 - count)) & 0xFFFFFFFF)


def byte_swap(a):
    """The u32 `a` with its four bytes in reverse order."""
    return int.from_bytes(a.to_bytes(4, "little"), "big")


WRAPPING = (wrapping_add, wrapping_sub, wrapping_mul)
"""The typed builtins that an index type also has, if every bit pattern is an index."""
TYPED = (
    *WRAPPING,
    signed_less,
    signed_divide,
    signed_overflows,
    signed_remainder,
    shift_left,
    shift_right,
    shift_right_signed,
    rotated_left,
    rotated_right,
    leading_zeros,
    trailing_zeros,
    ones,
    sign_extend,
)
"""The builtins that take the type as their first argument: integers modulo its bound."""
BUILTINS: dict[str, Callable[..., Any]] = {
    f.__name__: f for f in (implies, subset, without, minimum, maximum, saturating_sub, *TYPED, rotate_right, byte_swap)
}
