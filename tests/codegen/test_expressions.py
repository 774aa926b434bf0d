"""Which expressions have no equivalent in C?"""

import pytest

from corollary.codegen.declarations import character, in_words, named_rows
from corollary.codegen.expressions import CASES, FILLED, Printer
from corollary.language.bytes import fill
from corollary.language.frontend import translate
from corollary.language.rows import Rows
from corollary.language.types import LanguageError, u32, u64
from corollary.spec.wasm.machine import Table
from corollary.spec.wasm.module import Module
from corollary.spec.wasm.refusals import Refusal
from tests.language import cee
from tests.language.shapes import Kind, Right


def of_values(t: Table, at: u32, value: u64, count: u32) -> None:
    """All names are bound earlier."""
    fill(t.elements, at, value, count)


def of_an_element(t: Table, at: u32, count: u32) -> None:
    """The loop would change the value that it reads."""
    fill(t.elements, at, t.elements[at] + 1, count)


def up_to_an_element(t: Table, at: u32, value: u64) -> None:
    """The loop would change its own bound."""
    fill(t.elements, at, value, t.elements[at])


def of_its_own_name(t: Table, filled: u32, value: u64, count: u32) -> None:
    """The loop has a variable of this name."""
    fill(t.elements, filled, value, count)


def is_to_stop(m: Module) -> bool:
    """Others set the field that is read."""
    return m.stop != 0 or m.refusal != Refusal.NONE


def stops_itself(m: Module) -> None:
    """The field is for others to set."""
    m.stop = 1


def told_apart(kind: Kind, value: u32) -> u32:
    """One case returns at once, one makes another choice, one binds a name; the rest continues."""
    if kind == Kind.PAGE:
        return value
    if kind == Kind.GATE:
        if value == 7:
            return u32(1)
        return u32(2)
    if kind == Kind.RING:
        half = value >> 1
        third = half >> 1
        return third ^ half
    if kind == Kind.SHARE:
        return value ^ 5
    if value == 9:
        return u32(3)
    return u32(4)


def test_wide_elements_are_filled_in_a_loop():
    assert f"t->elements.at[(uint64_t)at + {FILLED}] = value;" in "\n".join(Printer(translate(of_values)).body())


@pytest.mark.parametrize("function", [of_an_element, up_to_an_element, of_its_own_name])
def test_what_a_loop_would_compute_anew_is_refused(function):
    with pytest.raises(ValueError, match="name it first"):
        Printer(translate(function)).body()


def test_what_others_may_set_is_read_by_one_atomic_load():
    assert Printer(translate(is_to_stop)).body() == [
        "    return __atomic_load_n(&m->stop, __ATOMIC_RELAXED) != 0 || m->refusal != REFUSAL_NONE;"
    ]


def test_what_others_may_set_is_not_written():
    with pytest.raises(LanguageError, match="stop is for others to set"):
        translate(stops_itself)


def asked_twice(kind: Kind) -> u32:
    """The second question about one value is never reached; an `if` may do nothing."""
    if kind == Kind.PAGE:
        return u32(1)
    if kind == Kind.GATE:
        return u32(2)
    if kind == Kind.RING:
        return u32(3)
    if kind == Kind.PAGE:
        return u32(4)
    if kind == Kind.CLOCK:
        pass
    return u32(5)


def test_a_value_that_is_asked_for_twice_is_no_case():
    text = "\n".join(Printer(translate(asked_twice)).body())
    assert "switch" not in text and text.count("if (kind == ") == 5


def test_values_of_one_word_are_told_apart_by_a_switch(tmp_path):
    function = translate(told_apart)
    lines = cee.function(function)
    assert sum("case " in line for line in lines) == CASES and "if (value == 9) {" in "\n".join(lines)
    library = cee.compile_library("\n".join([cee.PRELUDE, *cee.typedef(Kind), *lines]), tmp_path, "told")
    for kind in Kind:
        for value in (0, 7, 9, 0xFFFF_FFFF):
            assert getattr(library, function.symbol)(int(kind), value) & 0xFFFF_FFFF == told_apart(kind, u32(value))


def test_a_table_says_its_rows_and_what_their_numbers_stand_for():
    assert named_rows(Rows((0, 2, 0), ("A", "B", "C"), Kind)) == [
        "    [B] = KIND_GATE,",
        "    /* all others: KIND_EMPTY */",
    ]
    assert named_rows(Rows((True, False), ("A", "B"))) == ["    [A] = 1,", "    /* all others: 0 */"]
    assert named_rows(Rows((1, 2), ("A", "B"))) == ["    [A] = 1,", "    [B] = 2,"]
    both = sum(Right.members.values())
    assert in_words(Right, both).count(" | ") == len(Right.members) - 1


def test_rows_for_which_there_is_nothing_are_said_together():
    def rows(*values):
        return named_rows(Rows(values, [f"ROW_{place}" for place in range(len(values))], None, 9, "NOTHING"))

    assert rows(9, 9, 1, 9, 0, 9, 9) == [
        "    [0 ... ROW_2 - 1] = NOTHING,",
        "    [ROW_2] = 1,",
        "    [ROW_3] = NOTHING,",
        "    [ROW_4] = 0,",
        "    [ROW_4 + 1 ... 6] = NOTHING,",
    ]
    assert rows(9, 9) == ["    [0 ... 1] = NOTHING,"]
    assert rows(1, 2) == ["    [ROW_0] = 1,", "    [ROW_1] = 2,"]


def test_rows_are_called_as_the_enumeration_that_a_table_is_indexed_by():
    assert named_rows(Rows((0, 0, 7, 5), Kind))[0].startswith(f"    [KIND_{Kind(2).name}] = 7")


def test_a_character_is_written_as_one():
    assert [character(value) for value in b"a\0'\\"] == ["'a'", r"'\0'", r"'\''", r"'\\'"]
