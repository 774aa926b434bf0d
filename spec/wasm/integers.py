"""What do the integer instructions of WebAssembly compute? Each is a function of its operands; those that may trap say when.

i32 and i64 have the same instructions, so both are made by one function. WebAssembly core 2.0, 4.3.2.
"""

from language.builtins import (
    leading_zeros, ones, rotated_left, rotated_right, shift_left, shift_right, shift_right_signed, sign_extend, signed_divide, signed_less,
    signed_overflows, signed_remainder, trailing_zeros, wrapping_add, wrapping_mul, wrapping_sub)
from language.types import u32, u64
from spec.wasm.traps import Trap


def instructions(name, type_):
    """The instructions of an integer type: the name of each to its meaning."""

    def eqz(a: type_) -> bool:
        """Is it zero?"""
        return a == 0

    def eq(a: type_, b: type_) -> bool:
        """Are both the same?"""
        return a == b

    def ne(a: type_, b: type_) -> bool:
        """Do they differ?"""
        return a != b

    def lt_s(a: type_, b: type_) -> bool:
        """Less, in two's complement."""
        return signed_less(type_, a, b)

    def lt_u(a: type_, b: type_) -> bool:
        """Less."""
        return a < b

    def gt_s(a: type_, b: type_) -> bool:
        """Greater, in two's complement."""
        return signed_less(type_, b, a)

    def gt_u(a: type_, b: type_) -> bool:
        """Greater."""
        return a > b

    def le_s(a: type_, b: type_) -> bool:
        """Not greater, in two's complement."""
        return not signed_less(type_, b, a)

    def le_u(a: type_, b: type_) -> bool:
        """Not greater."""
        return a <= b

    def ge_s(a: type_, b: type_) -> bool:
        """Not less, in two's complement."""
        return not signed_less(type_, a, b)

    def ge_u(a: type_, b: type_) -> bool:
        """Not less."""
        return a >= b

    def clz(a: type_) -> type_:
        """The number of leading zero bits."""
        return leading_zeros(type_, a)

    def ctz(a: type_) -> type_:
        """The number of trailing zero bits."""
        return trailing_zeros(type_, a)

    def popcnt(a: type_) -> type_:
        """The number of one bits."""
        return ones(type_, a)

    def add(a: type_, b: type_) -> type_:
        """The sum, modulo 2 to the width."""
        return wrapping_add(type_, a, b)

    def sub(a: type_, b: type_) -> type_:
        """The difference, modulo 2 to the width."""
        return wrapping_sub(type_, a, b)

    def mul(a: type_, b: type_) -> type_:
        """The product, modulo 2 to the width."""
        return wrapping_mul(type_, a, b)

    def div_s(a: type_, b: type_) -> type_:
        """The quotient in two's complement, rounded towards zero."""
        return signed_divide(type_, a, b)

    def div_s_trap(a: type_, b: type_) -> Trap:
        """By zero there is no quotient, and of the least number by minus one none that fits."""
        if b == 0:
            return Trap.DIVISION_BY_ZERO
        return Trap.INTEGER_OVERFLOW if signed_overflows(type_, a, b) else Trap.NONE

    def div_u(a: type_, b: type_) -> type_:
        """The quotient, rounded down."""
        return a // b

    def div_u_trap(a: type_, b: type_) -> Trap:
        """By zero there is no quotient."""
        return Trap.DIVISION_BY_ZERO if b == 0 else Trap.NONE

    def rem_s(a: type_, b: type_) -> type_:
        """The remainder in two's complement, with the sign of the dividend."""
        return signed_remainder(type_, a, b)

    def rem_s_trap(a: type_, b: type_) -> Trap:
        """By zero there is no remainder."""
        return Trap.DIVISION_BY_ZERO if b == 0 else Trap.NONE

    def rem_u(a: type_, b: type_) -> type_:
        """The remainder."""
        return a % b

    def rem_u_trap(a: type_, b: type_) -> Trap:
        """By zero there is no remainder."""
        return Trap.DIVISION_BY_ZERO if b == 0 else Trap.NONE

    def and_(a: type_, b: type_) -> type_:
        """The bits of both."""
        return a & b

    def or_(a: type_, b: type_) -> type_:
        """The bits of either."""
        return a | b

    def xor(a: type_, b: type_) -> type_:
        """The bits of just one."""
        return a ^ b

    def shl(a: type_, b: type_) -> type_:
        """Moved up, by a count modulo the width."""
        return shift_left(type_, a, b)

    def shr_s(a: type_, b: type_) -> type_:
        """Moved down, by a count modulo the width, copies of the sign behind."""
        return shift_right_signed(type_, a, b)

    def shr_u(a: type_, b: type_) -> type_:
        """Moved down, by a count modulo the width."""
        return shift_right(type_, a, b)

    def rotl(a: type_, b: type_) -> type_:
        """Rotated up."""
        return rotated_left(type_, a, b)

    def rotr(a: type_, b: type_) -> type_:
        """Rotated down."""
        return rotated_right(type_, a, b)

    def extend8_s(a: type_) -> type_:
        """The low 8 bits in two's complement."""
        return sign_extend(type_, a, 8)

    def extend16_s(a: type_) -> type_:
        """The low 16 bits in two's complement."""
        return sign_extend(type_, a, 16)

    return {function.__name__.rstrip("_"): renamed(function, name) for function in locals().values() if hasattr(function, "__code__")}


def renamed(function, prefix):
    """The function under the name of an instruction."""
    function.__name__ = f"{prefix}_{function.__name__.rstrip('_')}"
    return function


def i64_extend32_s(a: u64) -> u64:
    """The low 32 bits in two's complement."""
    return sign_extend(u64, a, 32)


def i32_wrap_i64(a: u64) -> u32:
    """The low 32 bits."""
    return u32.truncate(a)


def i64_extend_i32_s(a: u32) -> u64:
    """The same number in two's complement."""
    return sign_extend(u64, u64(a), 32)


def i64_extend_i32_u(a: u32) -> u64:
    """The same number."""
    return u64(a)


MEANING = {function.__name__: function for family in (instructions("i32", u32), instructions("i64", u64)) for function in family.values()}
MEANING |= {function.__name__: function for function in (i64_extend32_s, i32_wrap_i64, i64_extend_i32_s, i64_extend_i32_u)}
"""The meaning of each integer instruction by its name, `_` for `.`; behind `_trap`, when it traps."""
