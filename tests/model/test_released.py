"""Does every released number keep its meaning? New numbers are added at the end, and none is ever reassigned."""

import dataclasses

import pytest

from corollary.spec.kernel import interface
from corollary.spec.kernel.hypercalls import OPERATIONS
from corollary.spec.kernel.operation import Hypercall
from corollary.spec.kernel.vocabulary import Action

RELEASED = interface.released()


@pytest.mark.parametrize("name", RELEASED)
def test_all_that_a_release_says_is_so_today(name):
    assert interface.changed(RELEASED[name]) == [], (
        "spec/kernel/released/: what a release says holds for ever; give what is new a new number"
    )


def test_there_is_a_release():
    assert RELEASED


def lines(monkeypatch, operations):
    """Return everything that readers would agree on if these were the operations."""
    monkeypatch.setattr(interface, "OPERATIONS", operations)
    return list(interface.meaning())


LAST = OPERATIONS[-1]
APPENDED = Hypercall(len(OPERATIONS), "added", Action.IPC_SEND)


def test_an_operation_may_be_added(monkeypatch):
    before = list(interface.meaning())
    assert lines(monkeypatch, [*OPERATIONS, APPENDED]) != before
    assert interface.changed(before) == []


@pytest.mark.parametrize(
    "operations",
    [
        OPERATIONS[:-1],
        [*OPERATIONS[:-1], dataclasses.replace(LAST, name="renamed")],
        [*OPERATIONS[:-1], dataclasses.replace(LAST, number=LAST.number + 1)],
        [*OPERATIONS[:-1], dataclasses.replace(LAST, parameters=APPENDED.parameters + OPERATIONS[0].parameters[:1])],
        [*OPERATIONS[:-1], dataclasses.replace(LAST, kind=Action.PARTITION_MERGE)],
    ],
    ids=["gone", "renamed", "renumbered", "with an argument", "of another kind"],
)
def test_nothing_else_may_become_of_one(monkeypatch, operations):
    before = list(interface.meaning())
    lines(monkeypatch, operations)
    assert interface.changed(before) == [before[LAST.number]]


@pytest.mark.parametrize(
    ("then", "kept"),
    [
        (lambda line: line.rpartition(" ")[0], True),
        (lambda line: line.replace("OK=0", "FINE=0"), False),
        (lambda line: line.replace("OK=0 ", ""), False),
        (lambda line: f"{line} WHATEVER=9", False),
        (lambda line: line.removesuffix("55") + "0", False),
    ],
    ids=["a name was added", "renamed", "gone", "the last is gone", "renumbered"],
)
def test_a_vocabulary_grows_at_its_end(then, kept):
    status = next(line for line in interface.meaning() if line.startswith("Status "))
    assert status.endswith("=55") and (interface.changed([then(status)]) == []) == kept


def test_a_record_does_not_grow():
    record = next(line for line in interface.meaning() if line.startswith("WitnessRecord "))
    assert interface.changed([record.rpartition(" ")[0]]) != [] and interface.changed([record]) == []
