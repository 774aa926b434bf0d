"""Is the identity of the machine another one when it means something else, and the same one otherwise?"""

import dataclasses
import shutil

import pytest

from corollary.codegen import meaning, released
from corollary.codegen.folders import GENERATED
from corollary.language.intrinsics import intrinsic
from corollary.language.layout import Layout
from corollary.language.loops import decreases, maintains
from corollary.language.types import u32
from corollary.model.wasm import reference
from corollary.spec.wasm.internal import FIELDS, OPERATIONS, Fields
from corollary.spec.wasm.machine import Machine
from corollary.spec.wasm.traps import Trap

LIMIT, MOST, LESS = 7, 7, 6


def twice(n: u32) -> u32:
    """Return it twice."""
    return n * 2


def double(number: u32) -> u32:
    """Return the double of a number."""
    return number * 2


def thrice(n: u32) -> u32:
    """Return it three times."""
    return n * 3


def original(n: u32) -> u32:
    """Count up."""
    total: u32 = 0
    left = n
    while left > 0 and total < LIMIT:
        maintains(left <= n)
        decreases(left)
        total += twice(1)
        left -= 1
    return total


def reworded(count: u32) -> u32:
    """Say the same in other words, for which there may be reasons."""
    made: u32 = 0
    rest = count  # how often yet

    while rest > 0 and made < MOST:
        decreases(rest)
        made += double(1)
        rest -= 1
    return made


def limited(n: u32) -> u32:
    """Count up to another limit."""
    total: u32 = 0
    left = n
    while left > 0 and total < LESS:
        decreases(left)
        total += twice(1)
        left -= 1
    return total


def called(n: u32) -> u32:
    """Call something else."""
    total: u32 = 0
    left = n
    while left > 0 and total < LIMIT:
        decreases(left)
        total += thrice(1)
        left -= 1
    return total


def compared(n: u32) -> u32:
    """Compare in another way."""
    total: u32 = 0
    left = n
    while left > 0 and total <= LIMIT:
        decreases(left)
        total += twice(1)
        left -= 1
    return total


def confused(n: u32) -> u32:
    """Return another local."""
    total: u32 = 0
    left = n
    while left > 0 and total < LIMIT:
        decreases(left)
        total += twice(1)
        left -= 1
    return left


def reordered(n: u32) -> u32:
    """Do the same in another order."""
    total: u32 = 0
    left = n
    while left > 0 and total < LIMIT:
        decreases(left)
        left -= 1
        total += twice(1)
    return total


@intrinsic
def elsewhere(a: u32) -> u32:
    """Have a body that is no program of the language."""
    return sum([a])


def test_comments_names_and_what_proofs_read_have_no_part_in_it():
    assert meaning.identity_of(original) == meaning.identity_of(reworded)
    assert meaning.identity_of(twice) == meaning.identity_of(double)


@pytest.mark.parametrize(
    "other", [limited, called, compared, confused, reordered, twice], ids=lambda each: each.__name__
)
def test_what_a_function_does_is_all_of_it(other):
    assert meaning.identity_of(original) != meaning.identity_of(other)


def test_an_intrinsic_counts_with_the_syntax_of_its_module_without_prose(monkeypatch):
    meaning.identity_of.cache_clear()
    found = []
    for text in ('"""Prose."""\nx = 1  # one', "x = 1", "x = 2"):
        meaning.syntax.cache_clear()
        monkeypatch.setattr(meaning.inspect, "getsource", lambda module, text=text: text)
        found.append(meaning.identity(meaning.translate(elsewhere)))
    meaning.syntax.cache_clear()
    assert found[0] == found[1] != found[2]


# ---- the machine


ORIGINAL = list(meaning.meaning())
ADD = next(made for made in OPERATIONS if made.name == "i32_add_slots")
SUBTRACT = next(made for made in OPERATIONS if made.name == "i32_sub_slots")


def swapped(monkeypatch):
    """Let two bytecodes have each other's number."""
    rows = {one: dataclasses.replace(one, number=other.number) for one, other in ((ADD, SUBTRACT), (SUBTRACT, ADD))}
    monkeypatch.setattr(meaning, "OPERATIONS", [rows.get(made, made) for made in OPERATIONS])


def another_layout(monkeypatch):
    """Let the fields of an instance lie 8 bytes farther."""
    slots = [dataclasses.replace(slot, offset=slot.offset + 8) for slot in Machine.layout.slots]
    monkeypatch.setattr(Machine, "layout", Layout(tuple(slots), Machine.layout.size + 8, Machine.layout.alignment))


def another_meaning(monkeypatch):
    """Let a bytecode do what another one does."""
    functions = list(reference.FUNCTIONS)
    functions[ADD.number] = functions[SUBTRACT.number]
    monkeypatch.setattr(reference, "FUNCTIONS", functions)


def another_translation(monkeypatch):
    """Let modules be translated otherwise."""
    monkeypatch.setattr(meaning, "functions", lambda: (original,))


def other_fields(monkeypatch):
    """Let bytecodes of one form have their operands elsewhere."""
    monkeypatch.setitem(FIELDS, ADD.form, Fields("c = b a"))


def another_trap(monkeypatch):
    """Let a trap have another number."""
    monkeypatch.setattr(meaning, "spelled", lambda type_: "Trap NONE=1" if type_ is Trap else type_.__name__)


CHANGES = (swapped, another_layout, another_meaning, another_translation, other_fields, another_trap)


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
def test_another_number_layout_or_meaning_is_another_machine(monkeypatch, change):
    change(monkeypatch)
    assert released.identity_of(list(meaning.meaning())) != released.identity_of(ORIGINAL)


def test_what_was_generated_is_what_is_meant():
    assert released.machine_identity() == released.identity_of(ORIGINAL)


def test_the_text_of_the_c_has_no_part_in_it(tmp_path, monkeypatch):
    shutil.copytree(GENERATED, tmp_path / "generated")
    for path in (tmp_path / "generated" / "vm").glob("*.c"):
        path.write_text(path.read_text().replace("value", "other") + "/* more */\n")
    monkeypatch.setattr(released, "LINES", tmp_path / "generated" / "reference" / "machine.txt")
    assert released.machine_identity.__wrapped__() == released.identity_of(ORIGINAL)


# ---- releases


RELEASED = released.released()
LAST = f"bytecode {len(OPERATIONS) - 1} "


def test_there_is_a_release():
    assert RELEASED


@pytest.mark.parametrize("name", RELEASED)
def test_all_that_a_release_says_of_numbers_is_so_today(name):
    assert meaning.changed(RELEASED[name]) == [], "spec/wasm/released/: these numbers stay; give what is new a new one"


def test_a_bytecode_may_be_added_and_do_the_same_in_another_way():
    otherwise = {line: f"{line.rpartition(' ')[0]} 0" for line in ORIGINAL if line.startswith("bytecode 7 ")}
    before = [otherwise.get(line, line) for line in ORIGINAL if not line.startswith(LAST)]
    assert len(before) == len(ORIGINAL) - 1 and meaning.changed(before) == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("bytecode 7 ", f"bytecode {len(OPERATIONS)} "),
        (f" {ADD.name} ", " renamed "),
        ("OUT_OF_BOUNDS=5 ", "OUT_OF_BOUNDS=4 "),
        ("-> to ", "-> next "),
    ],
    ids=["renumbered", "renamed", "a trap", "fields"],
)
def test_nothing_else_may_become_of_one(old, new):
    line = next(line for line in ORIGINAL if old in line)
    assert meaning.changed([line]) == [] and len(meaning.changed([line.replace(old, new)])) == 1


def test_a_machine_is_called_by_its_release(tmp_path, monkeypatch):
    (tmp_path / "9.9.txt").write_text("# prose\n\nbytecode 0 exit 12\n")
    monkeypatch.setattr(released, "RELEASED", tmp_path)
    known = released.identity_of(["bytecode 0 exit 12"])
    assert released.named(known) == f"machine {known.hex()[:16]} (release 9.9)"
    assert released.named(bytes(32)) == "machine 0000000000000000"
