"""How are Python values converted to the bits of WebAssembly, and back?"""

import ctypes

from corollary.limits import check_whole
from corollary.spec.wasm.machine import NULL_REFERENCE
from corollary.spec.wasm.values import ValueType

WIDTHS = {ValueType.I32: 32, ValueType.I64: 64}
FLOATS = {ValueType.F32: (ctypes.c_float, ctypes.c_uint32), ValueType.F64: (ctypes.c_double, ctypes.c_uint64)}
BITS = WIDTHS | {type_: 8 * ctypes.sizeof(same) for type_, (_, same) in FLOATS.items()}
REFERENCES = (ValueType.FUNCREF, ValueType.EXTERNREF)


def to_bits(type_, value, references, what="a value"):
    """Return the bits of a Python value of a type; raises `TypeError` or `ValueError`, with `what` in the message."""
    if type_ in WIDTHS:
        return integer_bits(WIDTHS[type_], value, what)
    if type_ in FLOATS:
        if not isinstance(value, (int, float)):
            raise TypeError(f"{what} is an {type_.name.lower()}: give a float, not {value!r}")
        held, same = FLOATS[type_]
        return same.from_buffer(held(value)).value
    if type_ is ValueType.FUNCREF:
        return NULL_REFERENCE if value is None else references.of_function(value)
    return references.of_object(value)


def integer_bits(width, value, what):
    """Return the bits of an integer, signed or unsigned; raises `TypeError` or `ValueError`."""
    if not isinstance(value, int):
        raise TypeError(f"{what} is an i{width}: give an int, not {value!r}")
    if not -(1 << width - 1) <= value < 1 << width:
        raise ValueError(f"{what} is an i{width}: {value} does not fit, only -2^{width - 1} .. 2^{width}-1 does")
    return value % (1 << width)


def from_bits(type_, bits, references):
    """Return the Python value of bits; integers are signed. Raises `LookupError` for an invalid reference."""
    if type_ in WIDTHS:
        width = WIDTHS[type_]
        low = bits % (1 << width)
        return low - (1 << width) if low >> width - 1 else low
    if type_ in FLOATS:
        held, same = FLOATS[type_]
        return held.from_buffer(same(bits)).value
    return references.function(bits) if type_ is ValueType.FUNCREF else references.object(bits)


def all_bits(types, values, references, what):
    """Return the bits of values, one for each type, as a tuple; raises `TypeError` or `ValueError`."""
    if len(types) != len(values):
        wanted = ", ".join(type_.name.lower() for type_ in types)
        raise TypeError(f"{what} takes {len(types)} values ({wanted or 'none'}), not {len(values)}")
    return tuple(
        to_bits(type_, value, references, f"value {number} of {what}")
        for number, (type_, value) in enumerate(zip(types, values), 1)
    )


def checked_bits(types, bits, what):
    """Return the given bits if they fit the types; raises `TypeError` or `ValueError` if they do not."""
    if len(types) != len(bits):
        raise TypeError(f"{what} takes the bits of {len(types)} values, not of {len(bits)}")
    for type_, held in zip(types, bits):
        check_whole(f"{what}, an {type_.name.lower()}", held, (1 << BITS.get(type_, 64)) - 1)
    return bits


def all_values(types, bits, references):
    """Return the Python values of bits, as a tuple; raises `LookupError`."""
    return tuple(from_bits(type_, held, references) for type_, held in zip(types, bits))


def carried(types, bits, source, target):
    """Return bits of one instance as another one has them, because each numbers references in its own way.

    Raises `LookupError` for an invalid reference.
    """
    return tuple(
        to_bits(type_, from_bits(type_, held, source), target) if type_ in REFERENCES else held
        for type_, held in zip(types, bits)
    )
