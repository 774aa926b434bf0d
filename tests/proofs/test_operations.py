"""Is each word, operation and form of machine code read correctly, and is no other one refused or read?"""

import itertools
from types import SimpleNamespace
from typing import Any

import pytest
import z3

from corollary.language.types import u64
from corollary.proofs.machine import floats, instructions, lift, words
from corollary.proofs.machine.beyond import BEYOND, Wide
from corollary.proofs.machine.image import Image
from corollary.proofs.machine.lift import NotAllowed, PcodeOp, Varnode
from corollary.proofs.machine.obligations import built
from corollary.proofs.machine.premises import Typed
from corollary.proofs.machine.processor import FLAGS, WORDS, Registers, as_word, evaluate
from corollary.spec.kernel.vocabulary import PageKind
from tests.proofs.asked import holds

# ---- reading


def test_a_variable_is_no_constant():
    image = built()
    base, content, _ = next(section for section in image.sections if not section[2])
    assert image.constant(base, 8) == bytes(content[:8])
    image = Image(image.path)
    image.sections.append((0, bytearray(16), True))
    assert image.read(0, 8) == bytes(8)
    with pytest.raises(LookupError, match="is not read-only"):
        image.constant(0, 8)
    for address, size in ((12, 8), (16, 1)):
        with pytest.raises(LookupError, match="is not in the image"):
            image.read(address, size)


def test_a_p_code_operation_without_a_meaning_is_refused():
    node = Varnode("const", 0, 8)
    with pytest.raises(NotAllowed, match="FLOAT_TRUNC has no meaning"):
        evaluate(SimpleNamespace(name="FLOAT_TRUNC", inputs=[node], output=node), Registers(None))


def signed(word):
    """Return a byte as a signed number."""
    return word - 256 if word > 127 else word


BYTES = (0, 1, 2, 7, 8, 100, 127, 128, 129, 254, 255)
OF_ONE = {  # an operation's result for a byte, before it is cut to the width of its output
    "COPY": lambda a: a,
    "INT_NEGATE": lambda a: ~a,
    "INT_2COMP": lambda a: -a,
    "INT_ZEXT": lambda a: a,
    "INT_SEXT": signed,
    "LZCOUNT": lambda a: 8 - a.bit_length(),
    "POPCOUNT": lambda a: a.bit_count(),
}
OF_TWO = {
    "INT_ADD": lambda a, b: a + b,
    "INT_SUB": lambda a, b: a - b,
    "INT_MULT": lambda a, b: a * b,
    "INT_AND": lambda a, b: a & b,
    "INT_OR": lambda a, b: a | b,
    "INT_XOR": lambda a, b: a ^ b,
    "INT_LEFT": lambda a, b: a << b,
    "INT_RIGHT": lambda a, b: a >> b,
    "INT_SRIGHT": lambda a, b: signed(a) >> b,
    "INT_DIV": lambda a, b: a // b,
    "INT_SDIV": lambda a, b: int(signed(a) / signed(b)),
    "INT_EQUAL": lambda a, b: a == b,
    "INT_NOTEQUAL": lambda a, b: a != b,
    "INT_SLESS": lambda a, b: signed(a) < signed(b),
    "INT_LESSEQUAL": lambda a, b: a <= b,
    "INT_CARRY": lambda a, b: a + b > 255,
    "INT_SCARRY": lambda a, b: not -128 <= signed(a) + signed(b) < 128,
    "INT_SBORROW": lambda a, b: not -128 <= signed(a) - signed(b) < 128,
}


def test_every_operation_on_words_is_asked_about():
    assert {*OF_ONE, *OF_TWO} == {*WORDS, *FLAGS, *BEYOND}


@pytest.mark.parametrize("name", [*OF_ONE, *OF_TWO])
def test_an_operation_on_words_is_what_arithmetic_says(name):
    meaning, number = (OF_ONE[name], 1) if name in OF_ONE else (OF_TWO[name], 2)
    places = [Varnode("register", 64 * position, 1) for position in range(number)]
    output = Varnode("register", 256, 2 if name in ("INT_ZEXT", "INT_SEXT") else 1)
    operation, unknown = PcodeOp(name, output, tuple(places)), z3.BitVecs("a b", 8)[:number]

    def evaluated(values):
        lanes = Registers(None)
        for place, value in zip(places, values):
            lanes[place] = value
        lanes[output] = Wide.evaluate(Wide.__new__(Wide), SimpleNamespace(registers=lanes), operation)
        return words.term(as_word(lanes[output], output.size), 8 * output.size)

    found = evaluated(unknown)
    for values in itertools.product(BYTES, repeat=number):
        if name not in ("INT_DIV", "INT_SDIV") or values[1]:  # the instruction checks for zero first
            known = [(word, z3.BitVecVal(value, 8)) for word, value in zip(unknown, values)]
            told = [z3.simplify(each).as_long() for each in (evaluated(values), z3.substitute(found, *known))]
            assert told == [int(meaning(*values)) & (1 << 8 * output.size) - 1] * 2, values


@pytest.mark.parametrize(
    ("name", "size", "allowed"),
    [("FLOAT_ADD", 4, True), ("FLOAT_ADD", 8, True), ("FLOAT_ADD", 2, False), ("FLOAT_CEILING", 8, False)],
)
def test_an_operation_on_floats_is_one_of_the_rules_on_a_format_of_webassembly(name, size, allowed):
    operation = PcodeOp(name, Varnode("register", 0, size), tuple(Varnode("register", at, size) for at in (16, 32)))
    values = z3.BitVecs("one other", 8 * size)
    if allowed:
        result: Any = floats.evaluate(operation, values)
        assert result.size() == 8 * size
    else:
        with pytest.raises(NotAllowed, match="has no meaning"):
            floats.evaluate(operation, values)


def test_of_an_unknown_value_its_type_is_known_and_nothing_of_any_other():
    typed, value = Typed({"s"}), z3.BitVec("kind", 8)
    assert typed.noted(3, PageKind) == 3 and typed.noted(z3.BitVec("word", 64), u64) is not None and typed.facts == {}
    assert typed.noted(value, PageKind) is typed.noted(value, PageKind) is value
    assert [holds([fact == z3.ULT(value, PageKind.bound)]) for fact, _ in typed.facts.values()] == [True]


def test_a_wide_read_of_a_narrow_write_is_refused():
    pieces = Registers(None)
    pieces[Varnode("register", 0, 4)] = 1
    with pytest.raises(NotAllowed, match="read wider"):
        pieces[Varnode("register", 0, 8)]


# ---- forms


def test_every_load_and_store_of_one_register_has_a_form():
    names = {form.name for form in instructions.forms()}
    plain = {f"{start}{end}" for start in ("ldr", "str") for end in ("", "b", "h")}
    assert plain | {"ldrsb", "ldrsh", "ldrsw"} <= names


@pytest.mark.parametrize(("name", "start"), [("b.cond", 0x54000000), ("csel", 0x9A800000)])
def test_a_condition_is_one_of_fourteen(name, start):
    low = 0 if name == "b.cond" else 12
    known = [instructions.form_of(start | number << low) is not None for number in range(16)]
    assert known == [True] * 14 + [False] * 2


@pytest.mark.parametrize(("immr", "imms", "known"), [(31, 31, True), (32, 31, False), (31, 32, False), (32, 32, False)])
def test_every_number_of_bits_lies_in_the_register(immr, imms, known):
    assert (instructions.form_of(0x53000000 | immr << 16 | imms << 10) is not None) == known


def test_an_instruction_with_a_fixed_point_stays_as_it_is():
    output, lane, number = Varnode("register", 0x5000, 8), Varnode("register", 0x5100, 8), Varnode("const", 4, 8)
    plain, fixed = (PcodeOp("FLOAT_TRUNC", output, inputs) for inputs in ((lane,), (lane, number)))
    assert lift.named("fcvtzs", (fixed,)) == (fixed,)
    assert lift.named("fcvtzs", (plain,))[0] == PcodeOp("fcvtzs", output, (lane,))


@pytest.mark.parametrize(("name", "size"), [("s0", 16), ("d0", 16), ("q0", 16), ("d31", 16), ("w0", 8), ("x0", 8)])
def test_what_is_written_to_the_beginning_of_a_register_clears_the_rest(name, size):
    place = lift.registers()[name]
    rest = [each.output for each in lift.cleared(place)]
    assert place.size + sum(each.size for each in rest) == size
    assert all(each.offset == place.offset + place.size for each in rest)


def test_of_integers_zero_alone_is_known_as_a_float():
    node = SimpleNamespace(size=8)
    operation = SimpleNamespace(name=floats.FROM_INTEGER, inputs=[node], output=node)
    assert floats.evaluate(operation, [0]) == 0
    with pytest.raises(NotAllowed):
        floats.evaluate(operation, [1])
