"""Can people review the tables in generated C?

Rows have names, each table is there once, and it holds the numbers of the model.
"""

import re
from dataclasses import dataclass

import pytest

from corollary.codegen.folders import GENERATED
from corollary.codegen.kernel import KERNEL
from corollary.codegen.vm import VM

FEW = 8  # rows that anybody can count
TABLE = re.compile(r"static const (?:struct )?\w+ (\w+)\[\d*\] = \{(.*?)\};\n", re.DOTALL)
ENUMERATOR = re.compile(r"^(?:    |#define )([A-Z]\w*)(?: =)? (0x[0-9a-f]+|\d+)\b", re.MULTILINE)
NAMELESS = {
    "DIGITS": "the characters of a text, in order",
    "FRACTION_OF_CUBE_ROOTS": "the constants of SHA-256, in the order of FIPS 180-4",
    "INVARIANT_IDS": "the words of texts, which are beside them",
    "MESSAGE_TEXT": "the words of texts, which are beside them",
}
"""Every larger table whose rows have no names, and why."""


@dataclass(frozen=True)
class Table:
    """A constant table in C: its name, and its elements without comments."""

    name: str
    elements: tuple

    @property
    def is_named(self):
        """Does each element say which row it is?"""
        return all(element.startswith("[") for element in self.elements)

    def rows(self, names):
        """Its rows, where names stand for numbers. Rows that are not said are absent."""
        found, is_named = {}, self.is_named
        for place, element in enumerate(self.elements):
            said, _, value = element.rpartition("] = ") if is_named else (f"[{place}", "", element)
            first, _, last = said.removeprefix("[").partition("...")
            for row in range(number(first, names), number(last or first, names) + 1):
                if row in found:
                    raise ValueError(f"{self.name} says row {row} twice")
                found[row] = number(value, names)
        return found


def number(text, names):
    """The value of a constant expression in C."""
    value = eval(text.strip(), {"__builtins__": {}}, names)
    return ord(value) if isinstance(value, str) else value


def tables(text):
    """The constant tables in C text."""
    bare = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    return [
        Table(name, tuple(filter(None, (part.strip() for part in body.split(",")))))
        for name, body in TABLE.findall(bare)
    ]


def generated(folder="*"):
    """The constant tables of all generated C, or of one folder."""
    paths = sorted([*GENERATED.glob(f"{folder}/*.c"), *GENERATED.glob(f"{folder}/*.h")])
    return [table for path in paths for table in tables(path.read_text())]


def nameless(found):
    """The names of larger tables whose rows have no names."""
    return sorted({table.name for table in found if len(table.elements) > FEW and not table.is_named})


def repeated(found):
    """The names that several tables have."""
    names = [table.name for table in found]
    return sorted({name for name in names if names.count(name) > 1})


def numbers(folder):
    """The numbers that names stand for in a folder of generated C."""
    texts = [path.read_text() for path in sorted(GENERATED.glob(f"{folder}/*.[ch]"))]
    return {name: int(value, 0) for text in texts for name, value in ENUMERATOR.findall(text)}


def differing(found, constants, names):
    """The tables that do not hold what the constants of the same name do. A row that is not said holds 0."""
    wanted = {item.name: dict(enumerate(item.value)) for item in constants if item.element is not None}
    held = {table.name: table.rows(names) for table in found if table.name in wanted}
    return sorted(
        name
        for name, rows in wanted.items()
        if name not in held or {row: held[name].get(row, 0) for row in {*rows, *held[name]}} != rows
    )


def test_the_rows_of_every_larger_table_have_names_or_there_is_a_reason():
    assert nameless(generated()) == sorted(NAMELESS)


def test_no_table_is_there_twice():
    assert [repeated(generated(folder.name)) for folder in GENERATED.iterdir()] == [[]] * len(list(GENERATED.iterdir()))


@pytest.mark.parametrize(("folder", "program"), [("kernel", KERNEL), ("vm", VM)])
def test_every_table_holds_the_numbers_of_the_model(folder, program):
    constants = [item for item in program.constants(program.functions) if item.element is not None]
    assert len(constants) > FEW
    assert differing(generated(folder), constants, numbers(folder)) == []


WALL = f"static const uint16_t WALL[9] = {{\n    {', '.join(9 * ['65535'])},\n}};\n"
PART = WALL.replace("65535", "[A] = 1", 1)
NAMED = "static const uint8_t T[4] = {\n    [A] = 1, /* first, */\n    [A + 1 ... C - 1] = B,\n};\n"
NAMES = {"A": 0, "B": 2, "C": 3}


@dataclass(frozen=True)
class Wanted:
    """A constant table of a model."""

    value: tuple
    name: str = "T"
    element: str = "uint8_t"


def test_a_wall_of_numbers_is_found():
    assert nameless(tables(WALL)) == nameless(tables(PART)) == ["WALL"]
    assert nameless(tables(NAMED)) == []


def test_a_table_that_is_there_twice_is_found():
    assert repeated(tables(WALL + NAMED + WALL)) == ["WALL"]


def test_a_table_that_holds_something_else_is_found():
    assert differing(tables(NAMED), [Wanted((1, 2, 2, 0))], NAMES) == []
    for values in ((1, 2, 2, 1), (1, 2, 0, 0), (0, 2, 2, 0), (1, 2)):
        assert differing(tables(NAMED), [Wanted(values)], NAMES) == ["T"]
    assert differing([], [Wanted((1,))], NAMES) == ["T"]


def test_a_row_that_is_said_twice_is_found():
    with pytest.raises(ValueError, match="T says row 0 twice"):
        tables(NAMED.replace("A + 1", "A"))[0].rows(NAMES)
