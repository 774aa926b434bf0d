"""What do the floating-point instructions of WebAssembly compute?

An f32 is a u32 and an f64 is a u64: the bit pattern. Arithmetic follows IEEE 754, rounding to nearest, ties to even.
Where a result is a NaN, the standard leaves sign and payload open. Here it is always the positive canonical NaN, so
that results are the same on every machine. Integers are bit patterns, too: the suffix `_s` reads them in two's
complement, `_u` as unsigned.

A conversion to an integer that may trap has two functions: `_fits` says whether it traps, and the saturating one
returns the value.
"""

import math
import struct
from fractions import Fraction

from corollary.language.intrinsics import intrinsic
from corollary.language.types import u32, u64

F32_SIGN, F64_SIGN = 1 << 31, 1 << 63
F32_NAN, F64_NAN = 0x7FC0_0000, 0x7FF8_0000_0000_0000
F32_PRECISION = 24  # bits of a significand
I32, I64 = range(-1 << 31, 1 << 31), range(-1 << 63, 1 << 63)
U32, U64 = range(1 << 32), range(1 << 64)


# ---- bit patterns to Python's floats, which are f64, and back


def f32_value(a):
    """Return the number that a bit pattern stands for."""
    return struct.unpack("<f", a.to_bytes(4, "little"))[0]


def f64_value(a):
    """Return the number that a bit pattern stands for."""
    return struct.unpack("<d", a.to_bytes(8, "little"))[0]


def f32_bits(x):
    """Return the bit pattern of the f32 nearest to a number.

    The result of + - * / on two f32, or of a root, may already be rounded to f64. The exact result is half way between
    two f32, or farther from there than f64 rounds, because 53 bits are more than twice 24 plus one (Figueroa, "When is
    double rounding innocuous?").
    """
    if math.isnan(x):
        return F32_NAN
    try:
        pattern = struct.pack("<f", x)
    except OverflowError:  # Python's error for a finite number that is nearest to an infinity
        pattern = struct.pack("<f", math.copysign(math.inf, x))
    return int.from_bytes(pattern, "little")


def f64_bits(x):
    """Return the bit pattern of a number."""
    return F64_NAN if math.isnan(x) else int.from_bytes(struct.pack("<d", x), "little")


# ---- operations that Python's own arithmetic refuses or leaves open


def quotient(x, y):
    """Return `x / y`. Division by zero gives an infinity with the sign of the quotient, or NaN."""
    return x / y if y != 0 else x * math.copysign(math.inf, y)


def root(x):
    """Return the square root, or NaN for a number less than zero."""
    return math.sqrt(x) if x >= 0 else math.nan


def extreme(choose, x, y):
    """Return the `min` or `max` of two numbers, with -0 less than +0, or NaN if either is NaN."""
    return choose(x, y, key=lambda z: (z, math.copysign(1, z))) if x == x and y == y else math.nan


def integral(rounding, x):
    """Round a number to an integer with a function of Python that knows neither infinities nor -0."""
    return math.copysign(rounding(x), x) if math.isfinite(x) else x


def signed(a, type_):
    """Return the integer that a bit pattern stands for in two's complement."""
    return a - type_.bound if a >= type_.bound // 2 else a


def single(n):
    """Return the f32 nearest to an integer, as a number.

    It is rounded once. On the way through f64 it might land half way between two f32.
    """
    unit = 1 << max(n.bit_length() - F32_PRECISION, 0)
    return float(round(Fraction(n, unit)) * unit)


def saturated(x, integers):
    """Return the integer in a range that is nearest to a truncated number, or 0 for NaN."""
    return 0 if math.isnan(x) else math.trunc(max(integers[0], min(integers[-1], x)))


def fits(x, integers):
    """Is a truncated number in a range?"""
    return math.isfinite(x) and math.trunc(x) in integers


# ---- f32: arithmetic


@intrinsic
def f32_add(a: u32, b: u32) -> u32:
    """The sum."""
    return f32_bits(f32_value(a) + f32_value(b))


@intrinsic
def f32_sub(a: u32, b: u32) -> u32:
    """The difference."""
    return f32_bits(f32_value(a) - f32_value(b))


@intrinsic
def f32_mul(a: u32, b: u32) -> u32:
    """The product."""
    return f32_bits(f32_value(a) * f32_value(b))


@intrinsic
def f32_div(a: u32, b: u32) -> u32:
    """The quotient. Division by zero gives an infinity, or NaN for 0 / 0."""
    return f32_bits(quotient(f32_value(a), f32_value(b)))


@intrinsic
def f32_sqrt(a: u32) -> u32:
    """The square root, or NaN for a number less than zero."""
    return f32_bits(root(f32_value(a)))


@intrinsic
def f32_min(a: u32, b: u32) -> u32:
    """The smaller number, with -0 less than +0, or NaN if either is NaN."""
    return f32_bits(extreme(min, f32_value(a), f32_value(b)))


@intrinsic
def f32_max(a: u32, b: u32) -> u32:
    """The larger number, with -0 less than +0, or NaN if either is NaN."""
    return f32_bits(extreme(max, f32_value(a), f32_value(b)))


@intrinsic
def f32_ceil(a: u32) -> u32:
    """The least integer that is not less. The sign is kept, even on zero."""
    return f32_bits(integral(math.ceil, f32_value(a)))


@intrinsic
def f32_floor(a: u32) -> u32:
    """The greatest integer that is not greater. The sign is kept, even on zero."""
    return f32_bits(integral(math.floor, f32_value(a)))


@intrinsic
def f32_trunc(a: u32) -> u32:
    """The number without its fraction. The sign is kept, even on zero."""
    return f32_bits(integral(math.trunc, f32_value(a)))


@intrinsic
def f32_nearest(a: u32) -> u32:
    """The nearest integer, ties to even. The sign is kept, even on zero."""
    return f32_bits(integral(round, f32_value(a)))


# ---- f32: the sign alone, even of NaN


@intrinsic
def f32_abs(a: u32) -> u32:
    """The same with a positive sign."""
    return a & ~F32_SIGN


@intrinsic
def f32_neg(a: u32) -> u32:
    """The same with the opposite sign."""
    return a ^ F32_SIGN


@intrinsic
def f32_copysign(a: u32, b: u32) -> u32:
    """`a` with the sign of `b`."""
    return (a & ~F32_SIGN) | (b & F32_SIGN)


# ---- f32: comparisons; -0 equals +0, and NaN equals nothing


@intrinsic
def f32_eq(a: u32, b: u32) -> bool:
    """Are they equal?"""
    return f32_value(a) == f32_value(b)


@intrinsic
def f32_ne(a: u32, b: u32) -> bool:
    """Are they different, or is either NaN?"""
    return f32_value(a) != f32_value(b)


@intrinsic
def f32_lt(a: u32, b: u32) -> bool:
    """Is `a` less than `b`?"""
    return f32_value(a) < f32_value(b)


@intrinsic
def f32_gt(a: u32, b: u32) -> bool:
    """Is `a` greater than `b`?"""
    return f32_value(a) > f32_value(b)


@intrinsic
def f32_le(a: u32, b: u32) -> bool:
    """Is `a` less than or equal to `b`?"""
    return f32_value(a) <= f32_value(b)


@intrinsic
def f32_ge(a: u32, b: u32) -> bool:
    """Is `a` greater than or equal to `b`?"""
    return f32_value(a) >= f32_value(b)


# ---- f64: arithmetic


@intrinsic
def f64_add(a: u64, b: u64) -> u64:
    """The sum."""
    return f64_bits(f64_value(a) + f64_value(b))


@intrinsic
def f64_sub(a: u64, b: u64) -> u64:
    """The difference."""
    return f64_bits(f64_value(a) - f64_value(b))


@intrinsic
def f64_mul(a: u64, b: u64) -> u64:
    """The product."""
    return f64_bits(f64_value(a) * f64_value(b))


@intrinsic
def f64_div(a: u64, b: u64) -> u64:
    """The quotient. Division by zero gives an infinity, or NaN for 0 / 0."""
    return f64_bits(quotient(f64_value(a), f64_value(b)))


@intrinsic
def f64_sqrt(a: u64) -> u64:
    """The square root, or NaN for a number less than zero."""
    return f64_bits(root(f64_value(a)))


@intrinsic
def f64_min(a: u64, b: u64) -> u64:
    """The smaller number, with -0 less than +0, or NaN if either is NaN."""
    return f64_bits(extreme(min, f64_value(a), f64_value(b)))


@intrinsic
def f64_max(a: u64, b: u64) -> u64:
    """The larger number, with -0 less than +0, or NaN if either is NaN."""
    return f64_bits(extreme(max, f64_value(a), f64_value(b)))


@intrinsic
def f64_ceil(a: u64) -> u64:
    """The least integer that is not less. The sign is kept, even on zero."""
    return f64_bits(integral(math.ceil, f64_value(a)))


@intrinsic
def f64_floor(a: u64) -> u64:
    """The greatest integer that is not greater. The sign is kept, even on zero."""
    return f64_bits(integral(math.floor, f64_value(a)))


@intrinsic
def f64_trunc(a: u64) -> u64:
    """The number without its fraction. The sign is kept, even on zero."""
    return f64_bits(integral(math.trunc, f64_value(a)))


@intrinsic
def f64_nearest(a: u64) -> u64:
    """The nearest integer, ties to even. The sign is kept, even on zero."""
    return f64_bits(integral(round, f64_value(a)))


# ---- f64: the sign alone, even of NaN


@intrinsic
def f64_abs(a: u64) -> u64:
    """The same with a positive sign."""
    return a & ~F64_SIGN


@intrinsic
def f64_neg(a: u64) -> u64:
    """The same with the opposite sign."""
    return a ^ F64_SIGN


@intrinsic
def f64_copysign(a: u64, b: u64) -> u64:
    """`a` with the sign of `b`."""
    return (a & ~F64_SIGN) | (b & F64_SIGN)


# ---- f64: comparisons; -0 equals +0, and NaN equals nothing


@intrinsic
def f64_eq(a: u64, b: u64) -> bool:
    """Are they equal?"""
    return f64_value(a) == f64_value(b)


@intrinsic
def f64_ne(a: u64, b: u64) -> bool:
    """Are they different, or is either NaN?"""
    return f64_value(a) != f64_value(b)


@intrinsic
def f64_lt(a: u64, b: u64) -> bool:
    """Is `a` less than `b`?"""
    return f64_value(a) < f64_value(b)


@intrinsic
def f64_gt(a: u64, b: u64) -> bool:
    """Is `a` greater than `b`?"""
    return f64_value(a) > f64_value(b)


@intrinsic
def f64_le(a: u64, b: u64) -> bool:
    """Is `a` less than or equal to `b`?"""
    return f64_value(a) <= f64_value(b)


@intrinsic
def f64_ge(a: u64, b: u64) -> bool:
    """Is `a` greater than or equal to `b`?"""
    return f64_value(a) >= f64_value(b)


# ---- between f32 and f64


@intrinsic
def f32_demote_f64(a: u64) -> u32:
    """The nearest f32."""
    return f32_bits(f64_value(a))


@intrinsic
def f64_promote_f32(a: u32) -> u64:
    """The same number."""
    return f64_bits(f32_value(a))


# ---- from integers


@intrinsic
def f32_convert_i32_s(a: u32) -> u32:
    """The f32 nearest to a signed integer."""
    return f32_bits(single(signed(a, u32)))


@intrinsic
def f32_convert_i32_u(a: u32) -> u32:
    """The f32 nearest to an unsigned integer."""
    return f32_bits(single(a))


@intrinsic
def f32_convert_i64_s(a: u64) -> u32:
    """The f32 nearest to a signed integer."""
    return f32_bits(single(signed(a, u64)))


@intrinsic
def f32_convert_i64_u(a: u64) -> u32:
    """The f32 nearest to an unsigned integer."""
    return f32_bits(single(a))


@intrinsic
def f64_convert_i32_s(a: u32) -> u64:
    """The f64 nearest to a signed integer."""
    return f64_bits(float(signed(a, u32)))


@intrinsic
def f64_convert_i32_u(a: u32) -> u64:
    """The f64 nearest to an unsigned integer."""
    return f64_bits(float(a))


@intrinsic
def f64_convert_i64_s(a: u64) -> u64:
    """The f64 nearest to a signed integer."""
    return f64_bits(float(signed(a, u64)))


@intrinsic
def f64_convert_i64_u(a: u64) -> u64:
    """The f64 nearest to an unsigned integer."""
    return f64_bits(float(a))


# ---- to integers


@intrinsic
def i32_trunc_sat_f32_s(a: u32) -> u32:
    """The signed integer nearest to the truncated number; for NaN, 0."""
    return u32.truncate(saturated(f32_value(a), I32))


@intrinsic
def i32_trunc_f32_s_fits(a: u32) -> bool:
    """Does the truncated number fit a signed 32-bit integer?"""
    return fits(f32_value(a), I32)


@intrinsic
def i32_trunc_sat_f32_u(a: u32) -> u32:
    """The unsigned integer nearest to the truncated number; for NaN, 0."""
    return saturated(f32_value(a), U32)


@intrinsic
def i32_trunc_f32_u_fits(a: u32) -> bool:
    """Does the truncated number fit an unsigned 32-bit integer?"""
    return fits(f32_value(a), U32)


@intrinsic
def i32_trunc_sat_f64_s(a: u64) -> u32:
    """The signed integer nearest to the truncated number; for NaN, 0."""
    return u32.truncate(saturated(f64_value(a), I32))


@intrinsic
def i32_trunc_f64_s_fits(a: u64) -> bool:
    """Does the truncated number fit a signed 32-bit integer?"""
    return fits(f64_value(a), I32)


@intrinsic
def i32_trunc_sat_f64_u(a: u64) -> u32:
    """The unsigned integer nearest to the truncated number; for NaN, 0."""
    return saturated(f64_value(a), U32)


@intrinsic
def i32_trunc_f64_u_fits(a: u64) -> bool:
    """Does the truncated number fit an unsigned 32-bit integer?"""
    return fits(f64_value(a), U32)


@intrinsic
def i64_trunc_sat_f32_s(a: u32) -> u64:
    """The signed integer nearest to the truncated number; for NaN, 0."""
    return u64.truncate(saturated(f32_value(a), I64))


@intrinsic
def i64_trunc_f32_s_fits(a: u32) -> bool:
    """Does the truncated number fit a signed 64-bit integer?"""
    return fits(f32_value(a), I64)


@intrinsic
def i64_trunc_sat_f32_u(a: u32) -> u64:
    """The unsigned integer nearest to the truncated number; for NaN, 0."""
    return saturated(f32_value(a), U64)


@intrinsic
def i64_trunc_f32_u_fits(a: u32) -> bool:
    """Does the truncated number fit an unsigned 64-bit integer?"""
    return fits(f32_value(a), U64)


@intrinsic
def i64_trunc_sat_f64_s(a: u64) -> u64:
    """The signed integer nearest to the truncated number; for NaN, 0."""
    return u64.truncate(saturated(f64_value(a), I64))


@intrinsic
def i64_trunc_f64_s_fits(a: u64) -> bool:
    """Does the truncated number fit a signed 64-bit integer?"""
    return fits(f64_value(a), I64)


@intrinsic
def i64_trunc_sat_f64_u(a: u64) -> u64:
    """The unsigned integer nearest to the truncated number; for NaN, 0."""
    return saturated(f64_value(a), U64)


@intrinsic
def i64_trunc_f64_u_fits(a: u64) -> bool:
    """Does the truncated number fit an unsigned 64-bit integer?"""
    return fits(f64_value(a), U64)
