"""Does every instruction have the bytecodes that it is translated into, each with a number of its own?"""

from itertools import product

import pytest

from corollary.language.types import LanguageError
from corollary.spec.wasm import bytecodes, internal
from corollary.spec.wasm.bytecodes import Form
from corollary.spec.wasm.internal import COMMUTES, EXCHANGED, FIELDS, LOADS, OPERATIONS, SCALED, STEPS, STORES, ZERO
from corollary.spec.wasm.meaning import SAME
from corollary.spec.wasm.opcodes import BY_NAME, INSTRUCTIONS, ROWS
from corollary.spec.wasm.values import ValueType

SIMPLE = {Form.UNARY, Form.SLOTS, Form.VALUE, Form.FROM}
CONDITIONS = {Form[f"{kind}_{operand}"] for kind, operand in product(("IF", "UNLESS", "LOOP"), ("SLOTS", "VALUE"))}
BOOLEAN = "eq ne lt_s lt_u gt_s gt_u le_s le_u ge_s ge_u lt gt le ge".split()


def forms(row):
    """Return the forms of the bytecodes that do one instruction."""
    return {made.form for made in OPERATIONS if made.opcode == row.opcode and made.inner is None}


def expected(row):
    """Return the forms that the translator may ask for."""
    if row.width:
        return {form for form in (LOADS if row.results else STORES) if row.width > 1 or form not in SCALED}
    if not row.is_numeric or row.opcode in SAME or row.name in ZERO:
        return set()
    if len(row.parameters) == 1:
        return {Form.UNARY}
    forms = {Form.SLOTS, Form.VALUE} if COMMUTES[row.opcode] else {Form.SLOTS, Form.VALUE, Form.FROM}
    return forms | CONDITIONS if row.name.split(".")[1] in BOOLEAN else forms


@pytest.mark.parametrize("row", INSTRUCTIONS.values(), ids=lambda row: row.name)
def test_an_instruction_has_every_form_that_the_translator_may_ask_for(row):
    assert forms(row) & (SIMPLE | CONDITIONS | {*LOADS, *STORES}) == expected(row)


def test_each_comparison_of_a_loops_step_has_every_form_of_it():
    made = {(each.form, each.row.name) for each in OPERATIONS if each.form in STEPS}
    assert made == {(form, f"i32.{name}") for form, name in product(STEPS, EXCHANGED)}


def test_bytes_of_each_width_can_be_moved():
    for form in (Form.MOVE, Form.MOVE_SUM):
        assert sorted(each.row.width for each in OPERATIONS if each.form is form) == [1, 2, 4, 8]


def test_every_instruction_and_every_bytecode_is_one_row():
    names = [made.name for made in OPERATIONS]
    for rows in ([row[0] for row in ROWS], [row[1] for row in ROWS], names, [row[1:] for row in bytecodes.ROWS]):
        assert len(set(rows)) == len(rows)
    assert {*FIELDS, Form.OWN} == {made.form for made in OPERATIONS} == {*Form}


def test_a_row_says_what_an_instruction_is():
    row = BY_NAME["i32.add"]
    assert (row.opcode, row.parameters, row.results) == (0x6A, (ValueType.I32,) * 2, (ValueType.I32,))


@pytest.mark.parametrize(("number", "next_one"), [(len(OPERATIONS) + 1, len(OPERATIONS)), (7, 8)])
def test_numbers_have_no_gaps_and_no_number_is_given_twice(monkeypatch, number, next_one):
    monkeypatch.setattr(bytecodes, "ROWS", (*bytecodes.ROWS, (number, Form.SLOTS, "i32.add")))
    with pytest.raises(LanguageError, match=f"has number {number}(.|\n)*the next one, {next_one}"):
        internal.operations()
