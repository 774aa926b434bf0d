"""What do floating-point instructions mean, for the processor and for WebAssembly?

Both use the same functions of bit patterns. Comparisons, signs, NaN, minimum, maximum and the conversion from f32 to
f64 are defined exactly. A sum or a rounding is an uninterpreted function of the processor, and WebAssembly's meaning
is built from it.
"""

import z3

from corollary.proofs.machine import words
from corollary.proofs.machine.lift import NotAllowed
from corollary.spec.wasm import floats

BYTE = 8
FORMATS = {32: z3.Float32(), 64: z3.Float64()}
INFINITY = {32: 0x7F80_0000, 64: 0x7FF0_0000_0000_0000}
NAN = {32: floats.F32_NAN, 64: floats.F64_NAN}
SIGN = {32: floats.F32_SIGN, 64: floats.F64_SIGN}
RANGES = {"i32_s": floats.I32, "i32_u": floats.U32, "i64_s": floats.I64, "i64_u": floats.U64}


def number(pattern):
    """Return the number that a pattern stands for."""
    return z3.fpBVToFP(pattern, FORMATS[pattern.size()])


def magnitude(pattern):
    """Return a pattern without its sign."""
    return pattern & ~z3.BitVecVal(SIGN[pattern.size()], pattern.size())


def is_nan(pattern):
    """Is a pattern a NaN: above infinity?"""
    return z3.UGT(magnitude(pattern), z3.BitVecVal(INFINITY[pattern.size()], pattern.size()))


def ordered(a, b):
    """Is neither of two patterns a NaN?"""
    return z3.Not(z3.Or(is_nan(a), is_nan(b)))


def less(a, b):
    """Is `a` less than `b`? Never if one is a NaN."""
    negative, other = (pattern < 0 for pattern in (a, b))
    some = magnitude(a | b) != 0
    return z3.And(ordered(a, b), z3.If(negative, z3.If(other, z3.UGT(a, b), some), z3.And(z3.Not(other), z3.ULT(a, b))))


def equal(a, b):
    """Are two patterns the same number? Zeros are, whatever their signs; a NaN equals nothing."""
    return z3.And(ordered(a, b), z3.Or(a == b, magnitude(a | b) == 0))


def at_most(a, b):
    """Is `a` less than `b`, or the same number?"""
    return z3.Or(less(a, b), equal(a, b))


def unknown(name, width, *patterns):
    """Return the value of an uninterpreted function of patterns."""
    signature = ".".join(str(pattern.size()) for pattern in patterns)
    return z3.Function(f"{name}.{signature}.{width}", *(pattern.sort() for pattern in patterns), z3.BitVecSort(width))(
        *patterns
    )


def some_nan(name, width, *patterns):
    """Return a quiet NaN; which one depends on the operands."""
    return unknown(f"{name}.nan", width, *patterns) | z3.BitVecVal(NAN[width], width)


def canonical(pattern):
    """Return the pattern, or the canonical NaN if it is a NaN."""
    return z3.If(is_nan(pattern), z3.BitVecVal(NAN[pattern.size()], pattern.size()), pattern)


def extreme(first, a, b, equal):
    """Return the number that comes first, of two that are not NaN.

    For equal numbers, which may differ in their sign, return the word `equal`.
    """
    return z3.If(first(a, b), a, z3.If(first(b, a), b, equal))


def minimum(a, b):
    """Return the smaller number; -0 is less than +0."""
    return extreme(less, a, b, a | b)


def maximum(a, b):
    """Return the larger number; -0 is less than +0."""
    return extreme(lambda x, y: less(y, x), a, b, a & b)


def widened(pattern):
    """Return an f32 that is not a NaN as an f64; every f32 has its own."""
    return z3.fpToIEEEBV(z3.fpToFP(z3.RNE(), number(pattern), FORMATS[64]))


def calculated(name, width, a, b):
    """Return a difference or quotient: a NaN if an operand is one."""
    return z3.If(ordered(a, b), unknown(name, width, a, b), some_nan(name, width, a, b))


def either_way(name, width, a, b):
    """Return a sum or product.

    If no operand is a NaN, their order does not matter. Otherwise, which NaN it is depends on the order.
    """
    first = z3.ULT(a, b)
    return z3.If(
        ordered(a, b), unknown(name, width, z3.If(first, a, b), z3.If(first, b, a)), some_nan(name, width, a, b)
    )


# ---- the processor


def converted(name, width, pattern):
    """Return a number in another format."""
    if pattern.size() == 32:
        return z3.If(is_nan(pattern), some_nan(name, width, pattern), widened(pattern))
    return unknown(name, width, pattern)


def chosen(choose):
    """Return the rule of a minimum or a maximum, which is a NaN if an operand is one."""
    return lambda name, width, a, b: z3.If(z3.Or(is_nan(a), is_nan(b)), some_nan(name, width, a, b), choose(a, b))


def condition(holds):
    """Return the rule of a comparison."""
    return lambda name, width, *patterns: holds(*patterns)


FROM_INTEGER = "FLOAT_INT2FLOAT"  # only in a comparison with zero: instructions convert other integers
ROUNDINGS = {"frintn": "nearest", "frintm": "floor", "frintp": "ceil", "frintz": "trunc"}
RULES = {
    "FLOAT_NAN": condition(is_nan),
    "FLOAT_LESS": condition(less),
    "FLOAT_EQUAL": condition(equal),
    "FLOAT_FLOAT2FLOAT": converted,
    "fmin": chosen(minimum),
    "fmax": chosen(maximum),
    **dict.fromkeys(("FLOAT_ADD", "FLOAT_MULT"), either_way),
    **dict.fromkeys(("FLOAT_SUB", "FLOAT_DIV"), calculated),
    **dict.fromkeys(("FLOAT_SQRT", *ROUNDINGS, "fcvtzs", "fcvtzu", "scvtf", "ucvtf"), unknown),
}
"""What each operation computes: `rule(name, width, *patterns)`."""


def evaluate(operation, values):
    """Return the value of a floating-point operation on words. Raises `NotAllowed` for formats but f32 and f64."""
    if operation.name == FROM_INTEGER and values == [0]:
        return 0
    if operation.name not in RULES or not {BYTE * node.size for node in (*operation.inputs, operation.output)} <= {
        BYTE,
        *FORMATS,
    }:
        raise NotAllowed(f"{operation.name} has no meaning for other numbers than f32 and f64")
    patterns = [words.term(value, BYTE * node.size) for value, node in zip(values, operation.inputs)]
    return RULES[operation.name](operation.name, BYTE * operation.output.size, *patterns)


# ---- WebAssembly


def fits(pattern, integers):
    """Is a number without its fraction in a range? It lies between the number below the range and the one above."""
    a = pattern if pattern.size() == 64 else z3.If(is_nan(pattern), z3.BitVecVal(NAN[64], 64), widened(pattern))
    below, above = (
        z3.fpToFP(rounding, z3.RealVal(limit), FORMATS[64])
        for rounding, limit in ((z3.RTN(), integers[0] - 1), (z3.RTP(), integers[-1] + 1))
    )
    return z3.And(less(z3.simplify(z3.fpToIEEEBV(below)), a), less(a, z3.simplify(z3.fpToIEEEBV(above))))


def saturated(name, width, pattern, integers):
    """Return the integer of a range that is nearest to a number without its fraction; for a NaN, 0."""
    zero = z3.BitVecVal(0, pattern.size())
    beyond = z3.If(
        less(pattern, zero),
        z3.BitVecVal(integers[0], width),
        z3.If(less(zero, pattern), z3.BitVecVal(integers[-1], width), z3.BitVecVal(0, width)),
    )
    return z3.If(fits(pattern, integers), unknown(name, width, pattern), beyond)


def meanings():
    """Yield what each floating-point instruction of WebAssembly computes, by the name of its function."""
    for width in FORMATS:
        name = f"f{width}"
        for operation, rule in (
            ("add", "FLOAT_ADD"),
            ("sub", "FLOAT_SUB"),
            ("mul", "FLOAT_MULT"),
            ("div", "FLOAT_DIV"),
        ):
            yield f"{name}_{operation}", lambda a, b, rule=rule: canonical(RULES[rule](rule, a.size(), a, b))
        for rule, operation in ROUNDINGS.items():
            yield f"{name}_{operation}", lambda a, rule=rule: canonical(unknown(rule, a.size(), a))
        yield (
            f"{name}_sqrt",
            lambda a: z3.If(
                at_most(z3.BitVecVal(0, a.size()), a),
                unknown("FLOAT_SQRT", a.size(), a),
                z3.BitVecVal(NAN[a.size()], a.size()),
            ),
        )
        for operation, choose in (("min", minimum), ("max", maximum)):
            yield (
                f"{name}_{operation}",
                lambda a, b, choose=choose: z3.If(
                    z3.Or(is_nan(a), is_nan(b)), z3.BitVecVal(NAN[a.size()], a.size()), choose(a, b)
                ),
            )
        yield f"{name}_abs", lambda a: a & ~z3.BitVecVal(SIGN[a.size()], a.size())
        yield f"{name}_neg", lambda a: a ^ z3.BitVecVal(SIGN[a.size()], a.size())
        yield (
            f"{name}_copysign",
            lambda a, b: (a & ~z3.BitVecVal(SIGN[a.size()], a.size())) | (b & z3.BitVecVal(SIGN[a.size()], a.size())),
        )
        for operation, compare in (
            ("eq", equal),
            ("ne", lambda a, b: z3.Not(equal(a, b))),
            ("lt", less),
            ("gt", lambda a, b: less(b, a)),
            ("le", at_most),
            ("ge", lambda a, b: at_most(b, a)),
        ):
            yield f"{name}_{operation}", compare
        for kind, integers in RANGES.items():
            integer, sign = kind.split("_")
            bits = int(integer[1:])
            yield f"{name}_convert_{kind}", lambda a, rule=f"{sign}cvtf", width=width: unknown(rule, width, a)
            yield (
                f"{integer}_trunc_sat_{name}_{sign}",
                lambda a, rule=f"fcvtz{sign}", bits=bits, integers=integers: saturated(rule, bits, a, integers),
            )
            yield f"{integer}_trunc_{name}_{sign}_fits", lambda a, integers=integers: fits(a, integers)
    yield "f32_demote_f64", lambda a: canonical(unknown("FLOAT_FLOAT2FLOAT", 32, a))
    yield "f64_promote_f32", lambda a: z3.If(is_nan(a), z3.BitVecVal(NAN[64], 64), widened(a))


MEANING = dict(meanings())
