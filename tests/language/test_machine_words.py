"""Does each function on machine words mean what it says, at every width, in Python, in Z3 and in C?

The expected results come from other means: ctypes, strings of bits, and fractions.
"""

import ctypes
import math
import random
from fractions import Fraction
from inspect import signature
from types import SimpleNamespace

import pytest
import z3

from corollary.language.builtins import BUILTINS, TYPED
from corollary.language.frontend import translate
from corollary.language.types import WORDS, OutOfRange, boolean
from corollary.proofs import bits
from tests.language import cee
from tests.language.generator import HEADER, TRUTHS
from tests.language.test_bits import evaluated, samples, variants
from tests.language.test_readings import load

UNDEFINED = (ZeroDivisionError, OutOfRange)
TYPES = tuple(WORDS.values())
NAMES = tuple(function.__name__ for function in TYPED)
PAIRS, SYMBOLIC = 200, 64
each_name = pytest.mark.parametrize("name", NAMES)


# ---- the meaning of the functions, by other means


def number(type_, a):
    """Return the signed number that the C type of the same width has for the bits of `a`."""
    return getattr(ctypes, f"c_int{type_.bits}")(a).value


def word(type_, value):
    """Return the bits of any integer, cut by the C type of the width."""
    return getattr(ctypes, f"c_uint{type_.bits}")(value).value


def digits(type_, a):
    """Return all binary digits."""
    return format(a, f"0{type_.bits}b")


def quotient(type_, a, b):
    """Return the exact quotient without its fraction.

    Raises `OutOfRange` when it does not fit, `ZeroDivisionError` when there is none.
    """
    exact = math.trunc(Fraction(number(type_, a), number(type_, b)))
    if number(type_, word(type_, exact)) != exact:
        raise OutOfRange(f"{exact} does not fit")
    return exact


def rest(type_, a, b):
    """Return the remainder of `a` by `b`, with the quotient rounded towards zero."""
    return number(type_, a) - number(type_, b) * math.trunc(Fraction(number(type_, a), number(type_, b)))


def rotated(type_, a, count):
    """Return the digits rotated: those that leave at the front come back at the end."""
    text, count = digits(type_, a), count % type_.bits
    return int(text[count:] + text[:count], 2)


def shifted_down(type_, a, count, lead):
    """Return the digits shifted down, with other digits in front."""
    return int((lead * (count % type_.bits) + digits(type_, a))[: type_.bits], 2)


ORACLE = {
    "wrapping_add": lambda type_, a, b: word(type_, a + b),
    "wrapping_sub": lambda type_, a, b: word(type_, a - b),
    "wrapping_mul": lambda type_, a, b: word(type_, a * b),
    "signed_less": lambda type_, a, b: number(type_, a) < number(type_, b),
    "signed_divide": lambda type_, a, b: word(type_, quotient(type_, a, b)),
    "signed_overflows": lambda type_, a, b: (
        number(type_, b) == -1 and number(type_, word(type_, -number(type_, a))) != -number(type_, a)
    ),
    "signed_remainder": lambda type_, a, b: word(type_, rest(type_, a, b)),
    "shift_left": lambda type_, a, b: int((digits(type_, a) + "0" * (b % type_.bits))[-type_.bits :], 2),
    "shift_right": lambda type_, a, b: shifted_down(type_, a, b, "0"),
    "shift_right_signed": lambda type_, a, b: shifted_down(type_, a, b, digits(type_, a)[0]),
    "rotated_left": rotated,
    "rotated_right": lambda type_, a, b: rotated(type_, a, -b),
    "leading_zeros": lambda type_, a: len(digits(type_, a)) - len(digits(type_, a).lstrip("0")),
    "trailing_zeros": lambda type_, a: len(digits(type_, a)) - len(digits(type_, a).rstrip("0")),
    "ones": lambda type_, a: digits(type_, a).count("1"),
    "sign_extend": lambda type_, a, width: int(
        digits(type_, a)[-width:].rjust(type_.bits, digits(type_, a)[-width]), 2
    ),
}


# ---- the cases


def arity(name):
    """Return the number of operands after the type."""
    return len(signature(BUILTINS[name]).parameters) - 1


def cases(name, type_, count=PAIRS):
    """Return operands: all pairs of a few boundary values, random pairs, and every width of an extension."""
    rng = random.Random(f"{name} {type_.name}")
    values = samples(type_, count // 4, rng)
    if arity(name) == 1:
        return [(value,) for value in values]
    if name == "sign_extend":
        return [(rng.choice(values), width) for width in range(1, type_.bits + 1)]
    least, most, minus_one = type_.bound // 2, type_.bound // 2 - 1, type_.bound - 1
    edges = [(a, b) for a in (0, 1, least, most, minus_one) for b in (0, 1, least, most, minus_one)]
    return edges + [(rng.choice(values), rng.choice(values)) for _ in range(count)]


def outcome(function, *arguments):
    """Return the result of a function, or None where it has no value."""
    try:
        return function(*arguments)
    except UNDEFINED:
        return None


def python_differences(name):
    """Return the cases where the function in Python differs from its meaning."""
    return [
        (type_, case)
        for type_ in TYPES
        for case in cases(name, type_)
        if outcome(BUILTINS[name], type_, *case) != outcome(ORACLE[name], type_, *case)
    ]


def result_type(name, type_):
    """Return the type of a function's result."""
    return boolean if name in TRUTHS else type_


def forms(name, type_, case):
    """Return operands as themselves, as variables and widened, with the values of the variables.

    Widths stay as they are.
    """
    if arity(name) == 1 or name == "sign_extend":
        return [((first, *case[1:]), given) for first, given in variants(case[0], type_, "first")]
    return [
        ((first, second), given + also)
        for first, given in variants(case[0], type_, "first")
        for second, also in variants(case[1], type_, "second")
    ]


def z3_differences(name, types=TYPES):
    """Return the cases where the reading in Z3 has another value than Python, or is defined elsewhere."""
    found = []
    for type_ in types:
        for case in cases(name, type_)[:SYMBOLIC]:
            wanted = outcome(BUILTINS[name], type_, *case)
            for values, given in forms(name, type_, case):
                is_defined = evaluated(bits.defined(name, list(values), type_), given)
                got = evaluated(bits.builtin(name, list(values), result_type(name, type_), type_), given)
                if is_defined != (wanted is not None) or (is_defined and got != wanted):
                    found.append((type_, case, values, wanted, got))
    return found


def source():
    """Return a module with a function for each builtin at each width.

    The widths of extensions are constants, so each width has a function.
    """
    parts = [HEADER]
    for name in NAMES:
        for type_ in TYPES:
            letters = "ab"[: 1 if name == "sign_extend" else arity(name)]
            inner, result = (
                ", ".join(f"{letter}: {type_.name}" for letter in letters),
                "bool" if name in TRUTHS else type_.name,
            )
            for suffix, more in (
                [(f"_{width}", f", {width}") for width in range(1, type_.bits + 1)]
                if name == "sign_extend"
                else [("", "")]
            ):
                parts.append(
                    f"def {name}_{type_.name}{suffix}({inner}) -> {result}:\n"
                    f"    return {name}({type_.name}, {', '.join(letters)}{more})\n"
                )
    return "\n\n".join(parts)


@pytest.fixture(scope="module")
def module(tmp_path_factory):
    """Return the functions in Python, and their C."""
    loaded = load(tmp_path_factory.mktemp("words"), "words", source())
    functions = {
        name: translate(python)
        for name, python in vars(loaded).items()
        if getattr(python, "__module__", "") == "words" and callable(python)
    }
    return SimpleNamespace(
        functions=functions, text="\n".join(line for item in functions.values() for line in cee.function(item))
    )


@pytest.fixture(scope="module")
def library(module, tmp_path_factory):
    """Return the functions in C, with the header that ships."""
    return cee.compile_library(cee.PRELUDE + module.text, tmp_path_factory.mktemp("words"), "words")


def c_differences(name, library, functions):
    """Return the cases where C and Python differ, among all operands for which the function has a value in Python."""
    found = []
    for type_ in TYPES:
        for case in cases(name, type_):
            constant = f"_{case[1]}" if name == "sign_extend" else ""
            item, wanted = functions[f"{name}_{type_.name}{constant}"], outcome(BUILTINS[name], type_, *case)
            if wanted is not None:
                entry = getattr(library, item.symbol)
                entry.restype, entry.argtypes = cee.unsigned(item.returns), [cee.unsigned(type_)] * len(item.parameters)
                got = entry(*case[: len(item.parameters)])
                found += [] if got == wanted else [(type_, case, wanted, got)]
    return found


def test_each_function_is_told_by_other_means():
    assert set(ORACLE) == set(NAMES)


@each_name
def test_python_does_what_is_said(name):
    assert not python_differences(name)


def test_every_byte_is_counted_as_its_digits_are():
    byte = WORDS[8]
    for name in NAMES:
        if arity(name) == 1:
            assert [BUILTINS[name](byte, a) for a in range(byte.bound)] == [
                ORACLE[name](byte, a) for a in range(byte.bound)
            ], name


@each_name
def test_z3_is_python_and_defined_exactly_where_python_has_a_value(name):
    assert not z3_differences(name)


@each_name
def test_c_is_python(name, library, module):
    assert not c_differences(name, library, module.functions)


def test_some_cases_are_undefined_and_most_are_not():
    for name in NAMES:
        values = [outcome(BUILTINS[name], type_, *case) for type_ in TYPES for case in cases(name, type_)]
        assert (None in values) == (name in ("signed_divide", "signed_remainder")), name
        assert len(values) - values.count(None) > len(values) / 2


@each_name
def test_constants_stay_constants(name):
    for case in cases(name, TYPES[0]):
        assert bits.known(bits.builtin(name, list(case), result_type(name, TYPES[0]), TYPES[0]))


# ---- the comparison functions above notice a wrong rule

RULES = {
    "unsigned less": ("signed_less", lambda a, b, _: z3.ULT(a, b)),
    "less or equal": ("signed_less", lambda a, b, _: a <= b),
    "unsigned quotient": ("signed_divide", lambda a, b, _: z3.UDiv(a, b)),
    "remainder with the sign of the divisor": ("signed_remainder", lambda a, b, _: a % b),
    "unsigned remainder": ("signed_remainder", lambda a, b, _: z3.URem(a, b)),
    "overflow without a divisor": ("signed_overflows", lambda a, b, _: a == 1 << a.size() - 1),
    "overflow of the greatest number": (
        "signed_overflows",
        lambda a, b, _: z3.And(a == (1 << a.size() - 1) - 1, b == -1),
    ),
    "left by any count": ("shift_left", lambda a, b, _: a << b),
    "right by any count": ("shift_right", lambda a, b, _: z3.LShR(a, b)),
    "right with the sign": ("shift_right", lambda a, b, _: a >> (b & (a.size() - 1))),
    "right with zeros": ("shift_right_signed", lambda a, b, _: z3.LShR(a, b & (a.size() - 1))),
    "right with the sign by any count": ("shift_right_signed", lambda a, b, _: a >> b),
    "rotated the other way": ("rotated_left", lambda a, b, _: z3.RotateRight(a, b)),
    "rotated back": ("rotated_right", lambda a, b, _: z3.RotateLeft(a, b)),
    "zeros from the other end": ("leading_zeros", lambda a, b, _: bits._first_one(a, range(a.size()))),
    "zeros but for the last bit": ("trailing_zeros", lambda a, b, _: bits._first_one(a, range(1, a.size()))),
    "zeros for ones": ("ones", lambda a, b, _: bits._ones(~a)),
    "extended by zeros": (
        "sign_extend",
        lambda a, b, values: z3.ZeroExt(a.size() - values[1], z3.Extract(values[1] - 1, 0, a)),
    ),
    "not extended": ("sign_extend", lambda a, b, _: a),
}
HEADERS = {
    "unsigned quotient": ("signed_divide", "((int16_t)a / (int16_t)b)", "(a / b)"),
    "unsigned remainder": ("signed_remainder", "((int8_t)a % (int8_t)b)", "(a % b)"),
    "right with zeros": ("shift_right_signed", "((int64_t)a >> (count & 63))", "(a >> (count & 63))"),
    "a count of another width": ("shift_left", "(a << (count & 31))", "(a << (count & 15))"),
    "rotated the other way": (
        "rotated_left",
        "(a << (count & 7) | a >> (-count & 7))",
        "(a >> (count & 7) | a << (-count & 7))",
    ),
    "zeros of a wider word": ("leading_zeros", "(a) - 24;", "(a);"),
    "zeros of half a word": ("trailing_zeros", "__builtin_ctzll(a)", "__builtin_ctz((uint32_t)a)"),
    "ones of half a word": ("ones", "__builtin_popcountll(a)", "__builtin_popcount((uint32_t)a)"),
    "extended by zeros": ("sign_extend", "(int32_t)(uint32_t)(a << (32 - width))", "(uint32_t)(a << (32 - width))"),
}


@pytest.mark.parametrize("name, rule", RULES.values(), ids=RULES)
def test_a_wrong_rule_is_noticed(name, rule, monkeypatch):
    monkeypatch.setitem(bits._BUILTINS, name, rule)
    assert z3_differences(name, TYPES[:2])


@pytest.mark.parametrize("name", ["signed_divide", "signed_remainder"])
@pytest.mark.parametrize("anywhere", [True, False])
def test_a_function_that_is_defined_elsewhere_is_noticed(name, anywhere, monkeypatch):
    right = bits.defined
    monkeypatch.setattr(
        bits, "defined", lambda name, values, operand: right(name, values, operand) if bits.known(*values) else anywhere
    )
    assert z3_differences(name, TYPES[:1])


@pytest.fixture(scope="module")
def wrong_library(module, tmp_path_factory):
    """Return the functions with all mistakes in their header."""
    header = cee.PRELUDE
    for _, right, wrong in HEADERS.values():
        assert header.count(right) == 1, right
        header = header.replace(right, wrong)
    return cee.compile_library(header + module.text, tmp_path_factory.mktemp("wrong"), "words")


@pytest.mark.parametrize("name", [name for name, _, _ in HEADERS.values()], ids=HEADERS)
def test_a_wrong_header_is_noticed(name, wrong_library, module):
    assert c_differences(name, wrong_library, module.functions)
