"""Which bits does a number of the WebAssembly text format mean?

Everything is computed with integers and fractions and rounded once, so no number passes through a wider float first.
"""

import re
from dataclasses import dataclass
from fractions import Fraction

INTEGERS = {"i32": 32, "i64": 64}
DIGITS, HEX = r"[0-9](?:_?[0-9])*", r"[0-9A-Fa-f](?:_?[0-9A-Fa-f])*"
INTEGER = re.compile(rf"([+-]?)(?:0x({HEX})|({DIGITS}))")
HEXADECIMAL = re.compile(rf"0x({HEX})(?:\.({HEX})?)?(?:[pP]([+-]?{DIGITS}))?")
DECIMAL = re.compile(rf"{DIGITS}(?:\.(?:{DIGITS})?)?(?:[eE][+-]?{DIGITS})?")
PAYLOAD = re.compile(rf"nan:0x({HEX})")


class LiteralError(ValueError):
    """The text is no number of its type."""


@dataclass(frozen=True)
class Format:
    """An IEEE 754 binary format: how many bits exponent and fraction have."""

    exponent: int
    fraction: int

    @property
    def width(self):
        """Return the number's width in bits."""
        return 1 + self.exponent + self.fraction

    @property
    def sign(self):
        """Return the sign bit."""
        return 1 << self.width - 1

    @property
    def infinity(self):
        """Return the bits of positive infinity: a full exponent."""
        return self.sign - (1 << self.fraction)

    @property
    def nan(self):
        """Return the bits of the positive canonical NaN."""
        return self.infinity | 1 << self.fraction - 1


FLOATS = {"f32": Format(8, 23), "f64": Format(11, 52)}


def number(kind, text):
    """Return the bits of a number as an unsigned integer. Raises LiteralError."""
    return integer(text, INTEGERS[kind]) if kind in INTEGERS else floating(text, FLOATS[kind])


def integer(text, width):
    """Return the bits of an integer, which may be written signed or unsigned. Raises LiteralError."""
    found = INTEGER.fullmatch(text)
    if found is None:
        raise LiteralError(f"{text} is no integer")
    sign, digits, decimal = found.groups()
    magnitude = int(digits, 16) if digits else int(decimal)
    value = -magnitude if sign == "-" else magnitude
    if not -1 << width - 1 <= value < 1 << width:
        raise LiteralError(f"{text} does not fit {width} bits")
    return value % (1 << width)


def floating(text, form):
    """Return the bits of a floating-point number. Raises LiteralError."""
    unsigned = text[1:] if text[:1] in ("+", "-") else text
    return (form.sign if text.startswith("-") else 0) | magnitude_of(unsigned, form)


def magnitude_of(text, form):
    """Return the bits of a number without a sign. Raises LiteralError."""
    if text in ("inf", "nan"):
        return getattr(form, {"inf": "infinity", "nan": "nan"}[text])
    if found := PAYLOAD.fullmatch(text):
        return with_payload(int(found[1], 16), form)
    bits = rounded(exact(text), form)
    if bits >= form.infinity:
        raise LiteralError(f"{text} is too large")
    return bits


def with_payload(payload, form):
    """Return the bits of a NaN that carries a payload. Raises LiteralError when the payload is invalid."""
    if not 0 < payload < 1 << form.fraction:
        raise LiteralError(f"{payload:#x} is no payload")
    return form.infinity | payload


def exact(text):
    """Return the number that decimal or hexadecimal text means, as a fraction. Raises LiteralError."""
    if found := HEXADECIMAL.fullmatch(text):
        whole, part, power = (group.replace("_", "") if group else "" for group in found.groups())
        return Fraction(int(whole + part, 16)) * Fraction(2) ** (int(power or 0) - 4 * len(part))
    if DECIMAL.fullmatch(text):
        return Fraction(text.replace("_", "").replace(".e", "e").replace(".E", "E").rstrip("."))
    raise LiteralError(f"{text} is no number")


def rounded(value, form):
    """Return the bits of the nearest number of a format, ties to even.

    A number that is too large gives the bits of infinity or more.
    """
    if value == 0:
        return 0
    smallest = 2 - (1 << form.exponent - 1)
    power = max(logarithm(value), smallest)
    # the leading bit of a normal number adds one to the exponent, and so does a carry out of the fraction
    return (power - smallest << form.fraction) + round(value / Fraction(2) ** (power - form.fraction))


def logarithm(value):
    """Return the whole part of the binary logarithm of a positive fraction."""
    guess = value.numerator.bit_length() - value.denominator.bit_length()
    return guess if Fraction(2) ** guess <= value else guess - 1
