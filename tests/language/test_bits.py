"""Does each operator mean the same in Z3 and in Python, on constants and variables, and is a wrong rule noticed?"""

import operator
import random

import pytest
import z3

from corollary.language.builtins import BUILTINS
from corollary.language.types import boolean, u8, u16, u32, u64
from corollary.proofs import bits
from corollary.proofs.symbolic import belongs
from tests.language.shapes import ENUMS, Far, Lane, Right, Slot

NUMBERS = (u8, u16, u32, u64, Slot, Lane, Far)
EXACT = (u8, u16, u32, u64, Lane)
ARITHMETIC = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "//": operator.floordiv,
    "%": operator.mod,
    "&": operator.and_,
    "|": operator.or_,
    "^": operator.xor,
    "<<": operator.lshift,
    ">>": operator.rshift,
}
COMPARISONS = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
TWO_NUMBERS = ("minimum", "maximum", "saturating_sub", "without", "subset")
WRAPPING = ("wrapping_add", "wrapping_sub", "wrapping_mul")
PAIRS = 24


def samples(type_, count, rng):
    """Return boundary and random values of a type."""
    if type_ is boolean:
        return [False, True]
    top = type_.bound - 1
    edge = {0, 1, 2, top, top - 1, top // 2, top // 2 + 1, type_.bits % type_.bound, (type_.bits - 1) % type_.bound}
    found = [value for value in edge | {rng.randint(0, top) for _ in range(count)} if type_.contains(value)]
    return found or [int(member) for member in type_]


def pairs(type_):
    """Return pairs of values: all combinations of a few, both near the boundaries and away from them."""
    rng = random.Random(type_.name)
    values = samples(type_, 8, rng)
    return [(rng.choice(values), rng.choice(values)) for _ in range(PAIRS)] + [(value, value) for value in values[:4]]


def variants(value, type_, name):
    """Return a value as itself, as a variable and as a widened variable, each with its substitution."""
    variable = z3.Const(name, bits.sort(type_))
    yield value, []
    yield variable, [(variable, bits.term(value, type_))]
    narrow = type_.bits // 2
    if type_ is not boolean and narrow and value < 1 << narrow:
        short = z3.BitVec(f"{name} short", narrow)
        yield z3.ZeroExt(type_.bits - narrow, short), [(short, z3.BitVecVal(value, narrow))]


def evaluated(value, substitution):
    """Return the Python value of a result when its variables have these values."""
    if bits.known(value):
        return value
    value = z3.simplify(z3.substitute(value, *substitution))
    return z3.is_true(value) if z3.is_bool(value) else value.as_long()


def differences(types, expected, computed):
    """Return every pair of values and form of operands on which `computed` differs from `expected`."""
    found = []
    for type_ in types:
        for a, b in pairs(type_):
            wanted = expected(type_, a, b)
            for left, first in variants(a, type_, "left"):
                for right, second in variants(b, type_, "right"):
                    got = [evaluated(part, first + second) for part in computed(type_, left, right)]
                    if not agrees(wanted, got):
                        found.append((type_, a, b, left, right, wanted, got))
    return found


def agrees(wanted, got):
    """Compare `(value, fits)`: the obligation must be the same, and so must the value where the obligation holds."""
    value, fits = wanted
    return got[1] == fits and (not fits or got[0] == value)


def arithmetic_differences(op, types=NUMBERS):
    """Return the cases where an arithmetic operator differs from Python."""

    def expected(type_, a, b):
        if (op in ("//", "%") and b == 0) or (op in ("<<", ">>") and b >= type_.bits):
            return None, False
        exact = ARITHMETIC[op](a, b)
        return exact, type_.contains(exact)

    def computed(type_, a, b):
        result, fits = bits.arithmetic(op, a, b, type_)
        return result, bits.conjoin([fits, belongs(result, type_)])

    return differences(types, expected, computed)


def comparison_differences(op, types=NUMBERS):
    """Return the cases where a comparison differs from Python."""
    return differences(
        types, lambda _, a, b: (COMPARISONS[op](a, b), True), lambda type_, a, b: (bits.compare(op, a, b, type_), True)
    )


def builtin_differences(name, types):
    """Return the cases where a two-argument function of the language differs from its Python body."""
    typed = name in WRAPPING
    return differences(
        types,
        lambda type_, a, b: (BUILTINS[name](*([type_] if typed else []), a, b), True),
        lambda type_, a, b: (bits.builtin(name, [a, b], boolean if name == "subset" else type_, type_), True),
    )


def unary_differences(expected, computed, types):
    """Return the cases where a function of one value differs from Python."""
    return [
        (type_, value, operand)
        for type_ in types
        for value in samples(type_, 8, random.Random(1))
        for operand, given in variants(value, type_, "value")
        if evaluated(computed(type_, operand), given) != expected(type_, value)
    ]


def rotation_differences(count):
    """Return the cases where a rotation by a constant differs from Python."""
    return unary_differences(
        lambda _, value: BUILTINS["rotate_right"](value, count),
        lambda _, value: bits.builtin("rotate_right", [value, count], u32, u32),
        (u32,),
    )


def swap_differences():
    """Return the cases where the byte swap differs from Python."""
    return unary_differences(
        lambda _, value: BUILTINS["byte_swap"](value),
        lambda _, value: bits.builtin("byte_swap", [value], u32, u32),
        (u32,),
    )


def resize_differences(target):
    """Return the cases where a change of width differs from keeping the low bits."""
    return unary_differences(
        lambda _, value: int(value) & ((1 << target.bits) - 1),
        lambda type_, value: bits.resize(value, type_, target),
        (*NUMBERS, *ENUMS, Right, boolean),
    )


def logic_differences(expected, computed):
    """Return the cases where a function of two bools differs from Python."""
    return differences((boolean,), lambda _, a, b: (expected(a, b), True), lambda _, a, b: (computed(a, b), True))


LOGIC = {
    "and": (lambda a, b: a and b, lambda a, b: bits.conjoin([a, b])),
    "or": (lambda a, b: a or b, lambda a, b: bits.disjoin([a, b])),
    "not": (lambda a, b: not a, lambda a, b: bits.negate(a)),
    "not not": (lambda a, b: a, lambda a, b: bits.negate(bits.negate(a))),
    "implies": (BUILTINS["implies"], lambda a, b: bits.builtin("implies", [a, b], boolean, boolean)),
    "==": (operator.eq, lambda a, b: bits.compare("==", a, b, boolean)),
    "!=": (operator.ne, lambda a, b: bits.compare("!=", a, b, boolean)),
    "choose": (lambda a, b: b if a else not b, lambda a, b: bits.choose(a, b, bits.negate(b), boolean)),
    "choose constants": (lambda a, b: not a, lambda a, b: bits.choose(a, False, True, boolean)),
    **{op: (ARITHMETIC[op], lambda a, b, op=op: bits.arithmetic(op, a, b, boolean)[0]) for op in "&|^"},
}


@pytest.mark.parametrize("op", ARITHMETIC)
def test_an_arithmetic_operator_is_pythons_and_fits_exactly_where_the_result_does(op):
    assert not arithmetic_differences(op)


@pytest.mark.parametrize("op", ["&", "|", "^"])
def test_flags_are_combined_as_in_python(op):
    assert not arithmetic_differences(op, (Right,))


@pytest.mark.parametrize("op", COMPARISONS)
def test_a_comparison_is_pythons(op):
    assert not comparison_differences(op)


@pytest.mark.parametrize("op", ["==", "!="])
def test_enumerators_and_flags_are_compared_as_in_python(op):
    assert not comparison_differences(op, (*ENUMS, Right))


@pytest.mark.parametrize("name", TWO_NUMBERS)
def test_a_function_of_two_numbers_is_its_python_body(name):
    assert not builtin_differences(name, NUMBERS)


@pytest.mark.parametrize("name", ["subset", "without"])
def test_a_function_of_flags_is_its_python_body(name):
    assert not builtin_differences(name, (Right,))


@pytest.mark.parametrize("name", WRAPPING)
def test_wrapping_arithmetic_is_its_python_body(name):
    assert not builtin_differences(name, EXACT)


@pytest.mark.parametrize("count", [1, 7, 16, 31])
def test_rotation_is_its_python_body(count):
    assert not rotation_differences(count)


def test_byte_swap_is_its_python_body():
    assert not swap_differences()


@pytest.mark.parametrize("name", LOGIC)
def test_logic_on_bools_is_pythons(name):
    assert not logic_differences(*LOGIC[name])


@pytest.mark.parametrize("target", [*NUMBERS, Right], ids=lambda type_: type_.name)
def test_resize_keeps_the_low_bits(target):
    assert not resize_differences(target)


@pytest.mark.parametrize("type_", [*NUMBERS, *ENUMS, Right], ids=lambda type_: type_.name)
def test_belongs_is_membership(type_):
    rng = random.Random(3)
    for value in {rng.randrange(1 << type_.bits) for _ in range(40)} | set(range(min(16, 1 << type_.bits))):
        for operand, given in variants(value, type_, "value"):
            assert evaluated(belongs(operand, type_), given) == type_.contains(value)


@pytest.mark.parametrize("values", [(3, 250, 0), (7,)])
def test_a_constant_table_is_pythons_tuple(values):
    for position, wanted in enumerate(values):
        for operand, given in variants(position, u8, "value"):
            assert evaluated(bits.builtin("constant_table", [0, operand, *values], u8, u8), given) == wanted


def test_constants_stay_constants():
    for op in ARITHMETIC:
        assert bits.known(*bits.arithmetic(op, 5, 2, u32))
    for op in COMPARISONS:
        assert bits.known(bits.compare(op, 5, 2, u32))
    for name in TWO_NUMBERS:
        assert bits.known(bits.builtin(name, [5, 2], u32, u32))


# ---- the comparison functions above notice a wrong rule

FITS = {
    "+ without its obligation": ("+", lambda left, right, *_: (left + right, True)),
    "- without its obligation": ("-", lambda left, right, *_: (left - right, True)),
    "* without its obligation": ("*", lambda left, right, *_: (left * right, True)),
    "// by zero": ("//", lambda left, right, *_: (z3.UDiv(left, right), True)),
    "signed //": ("//", lambda left, right, *_: (left / right, right != 0)),
    "signed %": ("%", lambda left, right, *_: (left % right, right != 0)),
    "<< that loses bits": ("<<", lambda left, right, a, b, type_: (left << right, z3.ULT(right, type_.bits))),
    "<< by any amount": ("<<", lambda left, right, *_: (left << right, z3.LShR(left << right, right) == left)),
    "signed >>": (">>", lambda left, right, a, b, type_: (left >> right, z3.ULT(right, type_.bits))),
    ">> by any amount": (">>", lambda left, right, *_: (z3.LShR(left, right), True)),
    "- the wrong way round": ("-", lambda left, right, *_: (right - left, z3.UGE(right, left))),
    "- that refuses zero": ("-", lambda left, right, *_: (left - right, z3.UGT(left, right))),
    "& for |": ("|", lambda left, right, *_: (left & right, True)),
}
FUNCTIONS = {
    "signed minimum": ("minimum", lambda a, b, _: z3.If(a < b, a, b)),
    "maximum for minimum": ("minimum", lambda a, b, _: z3.If(z3.UGT(a, b), a, b)),
    "signed maximum": ("maximum", lambda a, b, _: z3.If(a > b, a, b)),
    "wrapping saturating_sub": ("saturating_sub", lambda a, b, _: a - b),
    "intersection for without": ("without", lambda a, b, _: a & b),
    "superset for subset": ("subset", lambda a, b, _: (b & ~a) == 0),
}


@pytest.mark.parametrize("op, rule", FITS.values(), ids=FITS)
def test_a_wrong_arithmetic_rule_is_noticed(op, rule, monkeypatch):
    monkeypatch.setitem(bits._SYMBOLIC, op, rule)
    assert arithmetic_differences(op)


@pytest.mark.parametrize(
    "op, rule", [("<", z3.ULE), ("<=", z3.ULT), (">", z3.UGE), (">=", z3.UGT), ("<", operator.lt), ("==", operator.ne)]
)
def test_a_wrong_comparison_rule_is_noticed(op, rule, monkeypatch):
    monkeypatch.setitem(bits.OPERATORS, op, rule)
    assert comparison_differences(op)


@pytest.mark.parametrize("op, rule", [("<", operator.le), (">=", operator.gt)])
def test_a_wrong_folding_of_a_comparison_is_noticed(op, rule, monkeypatch):
    monkeypatch.setitem(bits.CONCRETE, op, rule)
    assert comparison_differences(op)


@pytest.mark.parametrize("name, rule", FUNCTIONS.values(), ids=FUNCTIONS)
def test_a_wrong_builtin_rule_is_noticed(name, rule, monkeypatch):
    monkeypatch.setitem(bits._BUILTINS, name, rule)
    assert builtin_differences(name, NUMBERS)


def test_a_rotation_to_the_left_is_noticed(monkeypatch):
    monkeypatch.setitem(bits._BUILTINS, "rotate_right", lambda a, b, values: z3.RotateLeft(a, int(values[1])))
    assert rotation_differences(7)


def test_a_missing_byte_swap_is_noticed(monkeypatch):
    monkeypatch.setitem(bits._BUILTINS, "byte_swap", lambda a, b, _: a)
    assert swap_differences()


def test_a_wrapping_rule_of_another_operator_is_noticed(monkeypatch):
    monkeypatch.setitem(bits._BUILTINS, "wrapping_sub", lambda a, b, _: b - a)
    assert builtin_differences("wrapping_sub", EXACT)


def test_sign_extension_is_noticed(monkeypatch):
    monkeypatch.setattr(bits.z3, "ZeroExt", z3.SignExt)
    assert resize_differences(u64)


def test_a_bound_on_significant_bits_that_is_too_low_is_noticed(monkeypatch):
    monkeypatch.setattr(bits, "significant", lambda value, type_: type_.bits // 2)
    assert arithmetic_differences("+") and arithmetic_differences("*") and arithmetic_differences("<<")
