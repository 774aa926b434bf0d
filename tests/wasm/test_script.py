"""Does the reader understand every directive and literal, and report where a script goes wrong?"""

import struct
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.wasm.literals import FLOATS, INTEGERS, LiteralError, number
from tests.wasm.script import (
    DIRECTIVES,
    AssertExhaustion,
    AssertInvalid,
    AssertMalformed,
    AssertReturn,
    AssertTrap,
    AssertUnlinkable,
    Form,
    Get,
    Invoke,
    Module,
    Pattern,
    Place,
    Register,
    ScriptError,
    parse,
)

CODES = {"f32": ("<f", "<I"), "f64": ("<d", "<Q")}
HERE = Place("here.wast", 1)
# just above the middle of two neighbours of f32; rounded to f64 first, it becomes the middle itself
TWICE_ROUNDED = "0x1.000001000000001p0"

ACTION = Invoke(HERE, None, "f", ())
SHORT = Module(HERE, None, Form.TEXT, b"(module)")
MEANINGS = [
    ("(module)", SHORT),
    ("(module $m (func))", Module(HERE, "$m", Form.TEXT, b"(module $m (func))")),
    (r'(module $m binary "\00asm" "\01\00\00\00")', Module(HERE, "$m", Form.BINARY, b"\0asm\1\0\0\0")),
    (r'(module quote "(func" " $f)")', Module(HERE, None, Form.QUOTE, b"(func $f)")),
    ("(func $f) (memory 1)", Module(HERE, None, Form.TEXT, b"(func $f) (memory 1)")),
    ('(register "n")', Register(HERE, "n", None)),
    ('(register "n" $m)', Register(HERE, "n", "$m")),
    ('(invoke "f")', ACTION),
    (
        '(invoke $m "\\u{e9}\\t" (i32.const -1) (f64.const 0x1p-1))',
        Invoke(HERE, "$m", "é\t", (("i32", 2**32 - 1), ("f64", 0x3FE0 << 48))),
    ),
    (
        '(invoke "f" (ref.null func) (ref.null extern) (ref.extern 3))',
        Invoke(HERE, None, "f", (("funcref", None), ("externref", None), ("externref", 3))),
    ),
    ('(get "g")', Get(HERE, None, "g")),
    ('(get $m "g")', Get(HERE, "$m", "g")),
    ('(assert_return (invoke "f"))', AssertReturn(HERE, ACTION, ())),
    ('(assert_return (get "g") (i64.const 7))', AssertReturn(HERE, Get(HERE, None, "g"), (("i64", 7),))),
    (
        '(assert_return (invoke "f") (f32.const nan:canonical) (f64.const nan:arithmetic))',
        AssertReturn(HERE, ACTION, (("f32", Pattern.CANONICAL), ("f64", Pattern.ARITHMETIC))),
    ),
    (
        '(assert_return (invoke "f") (ref.func) (ref.extern) (ref.null func))',
        AssertReturn(
            HERE, ACTION, (("funcref", Pattern.REFERENCE), ("externref", Pattern.REFERENCE), ("funcref", None))
        ),
    ),
    ('(assert_trap (invoke "f") "why")', AssertTrap(HERE, ACTION, "why")),
    ('(assert_trap (module) "why")', AssertTrap(HERE, SHORT, "why")),
    ('(assert_exhaustion (invoke "f") "why")', AssertExhaustion(HERE, ACTION, "why")),
    ('(assert_invalid (module) "why")', AssertInvalid(HERE, SHORT, "why")),
    ('(assert_malformed (module binary "") "why")', AssertMalformed(HERE, Module(HERE, None, Form.BINARY, b""), "why")),
    ('(assert_unlinkable (module) "why")', AssertUnlinkable(HERE, SHORT, "why")),
]

# the script, the line of its mistake, a part of the error message
MISTAKES = [
    ("(module", 1, "not closed"),
    ("(module)\n)", 2, "too many"),
    ("(module)\n\n(; never (; ;) closed", 3, "comment is not closed"),
    ('(module)\n(register "never closed)', 2, "no token"),
    ("(module)\n(assert_nothing)", 2, "assert_nothing is none of module, register"),
    ("(module)\n7", 2, "this is none of module"),
    ('(func)\n(register "m")', 1, "func is none of module"),
    ("(register)", 1, "register needs a name"),
    ('(register\n  "m" $m\n  $n)', 3, "no more operands"),
    ('(register "\\ff")', 1, "no UTF-8"),
    ('(register "\\z")', 1, "no such escape"),
    ('(register "\\u{110000}")', 1, "no character"),
    ('(register "\\u{d800}")', 1, "no character"),
    ("(invoke $m)", 1, "the name of an export"),
    ('(invoke "f" 1)', 1, "invoke needs constants"),
    ('(invoke "f"\n  (i32.add 1))', 2, "i32.add is no constant"),
    ('(invoke "f" (i32.const))', 1, "i32.const is no constant"),
    ('(invoke "f" (i32.const "1"))', 1, "i32.const is no constant"),
    ('(invoke "f" (i32.const 1 2))', 1, "i32.const is no constant"),
    ('(invoke "f" (v128.const 1))', 1, "v128.const is no constant"),
    ('(invoke "f" (ref.null any))', 1, "ref.null is no constant"),
    ('(invoke "f" (f32.const nan:canonical))', 1, "nan:canonical is no number"),
    ('(invoke "f"\n(i32.const 0x1_0000_0000))', 2, "does not fit 32 bits"),
    ("(assert_return (module))", 1, "module is none of invoke, get"),
    ('(assert_return (invoke "f")\n(i32.const x))', 2, "x is no integer"),
    ('(assert_exhaustion (get "g") "why")', 1, "get is none of invoke"),
    ('(assert_invalid (invoke "f") "why")', 1, "invoke is none of module"),
    ("(assert_invalid (module))", 1, "a reason"),
    ('(module binary "" word)', 1, "module needs strings"),
]


def read_one(text):
    """Return the only directive of a script."""
    (only,) = parse(text.encode(), HERE.file)
    return only


def value(kind, bits):
    """Return the number that bits mean."""
    code, word = CODES[kind]
    return Fraction(struct.unpack(code, struct.pack(word, bits))[0])


def is_nearest(kind, bits, exact):
    """Is no number of the format nearer, with ties to even? For positive numbers."""
    distance = abs(value(kind, bits) - exact)
    for neighbour in {max(bits - 1, 0), bits + 1} - {bits, FLOATS[kind].infinity}:
        other = abs(value(kind, neighbour) - exact)
        if other < distance or other == distance and bits % 2:
            return False
    return True


@pytest.mark.parametrize("text,meaning", MEANINGS, ids=[text for text, _ in MEANINGS])
def test_every_directive_is_understood(text, meaning):
    assert read_one(text) == meaning


def test_no_directive_is_left_out():
    assert {meaning.keyword for _, meaning in MEANINGS} == set(DIRECTIVES)


@pytest.mark.parametrize("text,line,said", MISTAKES, ids=[text for text, _, _ in MISTAKES])
def test_a_mistake_is_told_with_its_place(text, line, said):
    with pytest.raises(ScriptError) as caught:
        parse(text.encode(), HERE.file)
    assert str(caught.value).startswith(f"{HERE.file}:{line}: ") and said in str(caught.value)


def test_the_text_of_a_module_is_cut_out_as_it_stands():
    text = '( ;; a comment )\n module (; another (; ) ;) ;) $m\n\t(func (export ")\\"(;") ) )'
    first, second = parse(f"(module)\n\n {text}\r\n".encode(), HERE.file)
    assert first.source == b"(module)" and second.source == text.encode() and second.name == "$m"
    assert (first.place.line, second.place.line) == (1, 3)


def test_directives_and_what_is_in_them_know_their_lines():
    only: Any = read_one('\n(assert_invalid\n\n  (module (func $f))\n  "why")')
    assert only.place.line == 2 and only.subject.place.line == 4


def test_text_that_is_no_text_may_stand_in_comments():
    assert parse(b"(; \xff\0 ;) ;; \xfe\n(module)", HERE.file) == [
        Module(Place(HERE.file, 2), None, Form.TEXT, b"(module)")
    ]


def test_an_empty_script_says_nothing():
    assert parse(b" ;; nothing", HERE.file) == []


def test_text_and_quotes_become_binaries():
    text, quote = read_one('(module (func (export "f")))'), read_one(r'(module quote "(func (exp" "ort \"f\"))")')
    assert text.binary == quote.binary and text.binary.startswith(b"\0asm\1\0\0\0")


def test_text_that_is_not_understood_is_told_with_its_place():
    with pytest.raises(ScriptError, match=r"^here\.wast:2: expected"):
        read_one('\n(module quote "(func")').binary


def test_only_malformed_text_is_about_text():
    assert (
        read_one('(assert_malformed (module quote "(func") "why")').textual
        and read_one('(assert_malformed (module) "why")').textual
    )
    assert not any(meaning.textual for _, meaning in MEANINGS)
    assert not read_one('(assert_invalid (module quote "(func)") "why")').textual


def test_every_escape_is_known():
    only = read_one(r'(module binary "\t\n\r\"\'\\\00\fF\u{1F600}")')
    assert only.source == b"\t\n\r\"'\\\0\xff" + "\U0001f600".encode()


@pytest.mark.parametrize("kind,width", INTEGERS.items())
@given(data=st.data())
def test_integers_have_the_bits_of_python(kind, width, data):
    wanted = data.draw(st.integers(-1 << width - 1, (1 << width) - 1))
    sign = "-" if wanted < 0 else data.draw(st.sampled_from(("", "+")))
    for digits in (f"{abs(wanted)}", f"{abs(wanted):_}", f"{abs(wanted):#x}", f"0x{abs(wanted):_X}"):
        assert number(kind, sign + digits) == wanted & (1 << width) - 1


@pytest.mark.parametrize("kind", CODES)
@given(data=st.data())
def test_numbers_that_a_format_has_are_read_exactly(kind, data):
    code, word = CODES[kind]
    wanted = data.draw(st.floats(width=FLOATS[kind].width, allow_nan=False))
    (bits,) = struct.unpack(word, struct.pack(code, wanted))
    assert number(kind, wanted.hex()) == number(kind, repr(wanted)) == bits


@given(mantissa=st.integers(0, 10**30), power=st.integers(-360, 270))
def test_decimals_are_rounded_as_python_does(mantissa, power):
    text = f"{mantissa}e{power}"
    for written in (text, f"{mantissa:_}.0_0E{power:+}", f"{mantissa}.e{power}", f"{mantissa}"):
        assert number("f64", written) == struct.unpack("<Q", struct.pack("<d", float(written)))[0]


@given(mantissa=st.integers(0, 1 << 80), power=st.integers(-1200, 900))
def test_hexadecimals_are_rounded_as_python_does(mantissa, power):
    digits = f"{mantissa:02x}"
    for written in (f"0x{digits}p{power}", f"0x{digits[:1]}.{digits[1:]}P{power:+}", f"0x{digits}.", f"0x{digits}"):
        assert number("f64", written) == struct.unpack("<Q", struct.pack("<d", float.fromhex(written)))[0]


@pytest.mark.parametrize("kind", CODES)
@given(mantissa=st.integers(1, 10**30), power=st.integers(-80, 8))
@example(mantissa=0, power=0)
def test_no_number_is_nearer(kind, mantissa, power):
    assert is_nearest(kind, number(kind, f"{mantissa}e{power}"), Fraction(mantissa) * Fraction(10) ** power)


@pytest.mark.parametrize("kind", CODES)
@given(data=st.data())
def test_between_two_numbers_the_even_one_is_taken_and_beside_the_middle_the_nearer_one(kind, data):
    bits = data.draw(st.integers(0, FLOATS[kind].infinity - 2))
    middle = (value(kind, bits) + value(kind, bits + 1)) / 2
    power = middle.denominator.bit_length() - 1
    # the middle with many more binary digits than any format has, so that the last one can be changed
    digits = middle.numerator << 200
    written = [number(kind, f"0x{digits + change:x}p{-200 - power}") for change in (-1, 0, 1)]
    assert written == [bits, bits + bits % 2, bits + 1]


def test_a_number_is_rounded_only_once():
    assert number("f32", TWICE_ROUNDED) == number("f32", "0x1.000002p0")
    assert struct.pack("<f", float.fromhex(TWICE_ROUNDED)) == struct.pack("<f", 1.0)


@pytest.mark.parametrize("kind,form", FLOATS.items())
def test_infinities_and_nans_have_their_bits(kind, form):
    code, word = CODES[kind]
    assert number(kind, "inf") == struct.unpack(word, struct.pack(code, float("inf")))[0]
    assert (
        number(kind, "nan")
        == number(kind, f"nan:{1 << form.fraction - 1:#x}")
        == struct.unpack(word, struct.pack(code, float("nan")))[0]
    )
    assert number(kind, "nan:0x1") == number(kind, "inf") + 1
    for text in ("inf", "nan", "nan:0x1", "0", "1"):
        assert number(kind, f"-{text}") == number(kind, f"+{text}") | 1 << form.width - 1


@pytest.mark.parametrize(
    "kind,text",
    [
        ("i32", ""),
        ("i32", "-"),
        ("i32", "_1"),
        ("i32", "1_"),
        ("i32", "1__0"),
        ("i32", "0x"),
        ("i32", "0x_1"),
        ("i32", "1.0"),
        ("i32", "0X1"),
        ("i32", "4294967296"),
        ("i32", "-2147483649"),
        ("i64", "0x1_0000_0000_0000_0000"),
        ("i64", "-0x8000_0000_0000_0001"),
        ("f32", ""),
        ("f32", "+"),
        ("f32", "."),
        ("f32", ".5"),
        ("f32", "1e"),
        ("f32", "0x1p"),
        ("f32", "0x.1"),
        ("f32", "1_.0"),
        ("f32", "0x1.0_p0"),
        ("f32", "nan:"),
        ("f32", "nan:1"),
        ("f32", "nan:0x0"),
        ("f32", "nan:0x800000"),
        ("f64", "nan:0x10_0000_0000_0000"),
        ("f32", "infinity"),
        ("f32", "--1"),
        ("f32", "0x1p128"),
        ("f32", "3.4028235678e38"),
        ("f32", "0x1.ffffffp127"),
        ("f64", "1e309"),
        ("f64", "-0x1p1024"),
    ],
)
def test_what_is_no_number_is_refused(kind, text):
    with pytest.raises(LiteralError):
        number(kind, text)
