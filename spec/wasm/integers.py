"""What do the integer instructions of WebAssembly compute?

Each instruction is a function of its operands. An instruction that may trap has a second function that says when. i32
and i64 have the same instructions, so one function makes both. WebAssembly core 2.0, 4.3.2.
"""

from corollary.language.builtins import (
    leading_zeros,
    ones,
    rotated_left,
    rotated_right,
    shift_left,
    shift_right,
    shift_right_signed,
    sign_extend,
    signed_divide,
    signed_less,
    signed_overflows,
    signed_remainder,
    trailing_zeros,
    wrapping_add,
    wrapping_mul,
    wrapping_sub,
)
from corollary.language.types import u32, u64
from corollary.spec.wasm.traps import Trap


def instructions(name, type_):
    """Return the instructions of an integer type, as a map from names to meanings."""

    def eqz(a: type_) -> bool:
        """Is it zero?"""
        return a == 0

    def eq(a: type_, b: type_) -> bool:
        """Are both equal?"""
        return a == b

    def ne(a: type_, b: type_) -> bool:
        """Do they differ?"""
        return a != b

    def lt_s(a: type_, b: type_) -> bool:
        """Is `a` less than `b`, in two's complement?"""
        return signed_less(type_, a, b)

    def lt_u(a: type_, b: type_) -> bool:
        """Is `a` less than `b`?"""
        return a < b

    def gt_s(a: type_, b: type_) -> bool:
        """Is `a` greater than `b`, in two's complement?"""
        return signed_less(type_, b, a)

    def gt_u(a: type_, b: type_) -> bool:
        """Is `a` greater than `b`?"""
        return a > b

    def le_s(a: type_, b: type_) -> bool:
        """Is `a` less than or equal to `b`, in two's complement?"""
        return not signed_less(type_, b, a)

    def le_u(a: type_, b: type_) -> bool:
        """Is `a` less than or equal to `b`?"""
        return a <= b

    def ge_s(a: type_, b: type_) -> bool:
        """Is `a` greater than or equal to `b`, in two's complement?"""
        return not signed_less(type_, a, b)

    def ge_u(a: type_, b: type_) -> bool:
        """Is `a` greater than or equal to `b`?"""
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
        """The sum, modulo 2 to the power of the width."""
        return wrapping_add(type_, a, b)

    def sub(a: type_, b: type_) -> type_:
        """The difference, modulo 2 to the power of the width."""
        return wrapping_sub(type_, a, b)

    def mul(a: type_, b: type_) -> type_:
        """The product, modulo 2 to the power of the width."""
        return wrapping_mul(type_, a, b)

    def div_s(a: type_, b: type_) -> type_:
        """The quotient in two's complement, rounded towards zero."""
        return signed_divide(type_, a, b)

    def div_s_trap(a: type_, b: type_) -> Trap:
        """Trap on division by zero, and on the least number by minus one: its quotient does not fit."""
        if b == 0:
            return Trap.DIVISION_BY_ZERO
        return Trap.INTEGER_OVERFLOW if signed_overflows(type_, a, b) else Trap.NONE

    def div_u(a: type_, b: type_) -> type_:
        """The quotient, rounded down."""
        return a // b

    def div_u_trap(a: type_, b: type_) -> Trap:
        """Trap on division by zero."""
        return Trap.DIVISION_BY_ZERO if b == 0 else Trap.NONE

    def rem_s(a: type_, b: type_) -> type_:
        """The remainder in two's complement, with the sign of the dividend."""
        return signed_remainder(type_, a, b)

    def rem_s_trap(a: type_, b: type_) -> Trap:
        """Trap on division by zero."""
        return Trap.DIVISION_BY_ZERO if b == 0 else Trap.NONE

    def rem_u(a: type_, b: type_) -> type_:
        """The remainder."""
        return a % b

    def rem_u_trap(a: type_, b: type_) -> Trap:
        """Trap on division by zero."""
        return Trap.DIVISION_BY_ZERO if b == 0 else Trap.NONE

    def and_(a: type_, b: type_) -> type_:
        """The bits that are set in both."""
        return a & b

    def or_(a: type_, b: type_) -> type_:
        """The bits that are set in either."""
        return a | b

    def xor(a: type_, b: type_) -> type_:
        """The bits that are set in exactly one."""
        return a ^ b

    def shl(a: type_, b: type_) -> type_:
        """`a` shifted left, by a count modulo the width."""
        return shift_left(type_, a, b)

    def shr_s(a: type_, b: type_) -> type_:
        """`a` shifted right by a count modulo the width, filled with copies of the sign."""
        return shift_right_signed(type_, a, b)

    def shr_u(a: type_, b: type_) -> type_:
        """`a` shifted right, by a count modulo the width."""
        return shift_right(type_, a, b)

    def rotl(a: type_, b: type_) -> type_:
        """`a` rotated left."""
        return rotated_left(type_, a, b)

    def rotr(a: type_, b: type_) -> type_:
        """`a` rotated right."""
        return rotated_right(type_, a, b)

    def extend8_s(a: type_) -> type_:
        """The low 8 bits, sign-extended."""
        return sign_extend(type_, a, 8)

    def extend16_s(a: type_) -> type_:
        """The low 16 bits, sign-extended."""
        return sign_extend(type_, a, 16)

    return {
        function.__name__.rstrip("_"): renamed(function, name)
        for function in locals().values()
        if hasattr(function, "__code__")
    }


def renamed(function, prefix):
    """Give a function the name of an instruction."""
    function.__name__ = f"{prefix}_{function.__name__.rstrip('_')}"
    return function


def i64_extend32_s(a: u64) -> u64:
    """The low 32 bits, sign-extended."""
    return sign_extend(u64, a, 32)


def i32_wrap_i64(a: u64) -> u32:
    """The low 32 bits."""
    return u32.truncate(a)


def i64_extend_i32_s(a: u32) -> u64:
    """The same number, sign-extended."""
    return sign_extend(u64, u64(a), 32)


def i64_extend_i32_u(a: u32) -> u64:
    """The same number."""
    return u64(a)


MEANING = {
    function.__name__: function
    for family in (instructions("i32", u32), instructions("i64", u64))
    for function in family.values()
}
MEANING |= {
    function.__name__: function for function in (i64_extend32_s, i32_wrap_i64, i64_extend_i32_s, i64_extend_i32_u)
}
"""The meaning of each integer instruction by its name, with `_` for `.`. The suffix `_trap` names when it traps."""
