"""Which functions does the language offer besides its operators? Their meaning in Python is this file.

`BUILTINS` names them for the front end; the readings in Z3 and C are tested against these bodies.
All are strict: every argument is evaluated.
"""


def implies(premise, conclusion):
    """False only when `premise` holds and `conclusion` does not."""
    return (not premise) or conclusion


def subset(inner, outer):
    """Is every flag of `inner` also in `outer`?"""
    return inner & ~outer == 0


def without(flags, removed):
    """`flags` less those of `removed`."""
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


def rotate_right(a, count):
    """The u32 `a` rotated right by the constant `count`, 1 .. 31."""
    return (a >> count) | ((a << (32 - count)) & 0xFFFFFFFF)


def byte_swap(a):
    """The u32 `a` with its four bytes in the opposite order."""
    return int.from_bytes(a.to_bytes(4, "little"), "big")


BUILTINS = {f.__name__: f for f in (
    implies, subset, without, minimum, maximum, saturating_sub,
    wrapping_add, wrapping_sub, wrapping_mul, rotate_right, byte_swap)}
