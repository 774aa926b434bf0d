"""Do functions that the prover calls equivalent agree with the original when both run?

A difference found by running them convicts the prover.
"""

import io

import pytest
from rich.console import Console

from corollary.emulation import handlers, pair
from corollary.emulation.crossexamine import crossexamine
from corollary.emulation.lockstep import shipped
from corollary.emulation.processor import Processor
from corollary.proofs.mutants import machine
from corollary.proofs.mutants import run as mutants
from corollary.proofs.mutants.machine import HANDLER_KIND, KIND, MachineMutant
from corollary.proofs.mutants.row import EQUIVALENT, UNSOUND, MutantResult, cross_examined, doubtful
from tests.emulation.test_differential import found, nop
from tests.told import written

FEW = 200  # states


def mutant(name, text, change, kind=KIND):
    """Return a mutant: change the first instruction of a function that has this text."""
    program, regions = (shipped(), None) if kind == KIND else handlers.built()
    processor = Processor(program) if regions is None else Processor(program, (), regions)
    address, word = found(processor, name, text)
    start = program.symbols[name][0]
    return MachineMutant(kind, name, address, address - start, change(word), "by hand", f"{name} {text}")


DIFFERENT = (
    mutant("action_contain", "stp x29, x30", lambda word: word & ~(31 << 10) | 3 << 10),  # x30 lost before a tail call
    mutant("schedule_rotate", "ldp x29, x30", lambda word: word & ~(31 << 10) | 3 << 10),
    mutant("capability_grant", "ldp x20, x19", lambda word: word & ~31 | 21),  # a preserved register lost
    mutant("gate_admit", "b.", lambda word: word ^ 1),  # a condition turned
    mutant("schedule_survey", "strb", nop),
    mutant("flush", "tlbi", nop),
    mutant("restore_context", "ldp x26, x27", nop),
    mutant("vectors", "stp x0, x1", nop),
    mutant("now", "lsl", nop),
    mutant("take_i32_add_slots", "add w", lambda word: word ^ 1 << 30, HANDLER_KIND),  # sub
    mutant("take_f64_mul_slots", "fmul", lambda word: word ^ 3 << 12, HANDLER_KIND),  # fadd
    mutant("take_call", "str", nop, HANDLER_KIND),
    mutant("machine_grow_memory", "b.", lambda word: word ^ 1, HANDLER_KIND),
)
ALIKE = (
    mutant("capability_handle_generation", "ret", lambda word: 0xD61F0000 | 30 << 5),  # br x30
    mutant("flush", "dsb ishst", lambda word: 0xD5033B9F),  # dsb ish, which is more
    mutant("take_i32_add_slots", "br", lambda word: word, HANDLER_KIND),
)


def proved(monkeypatch):
    """Make the prover call everything equivalent, and use few states."""
    monkeypatch.setattr(machine, "verdict", lambda mutant: f"{EQUIVALENT}: proved to do the same")
    monkeypatch.setattr(mutants, "crossexamine", lambda mutant: crossexamine(mutant, FEW))


@pytest.mark.parametrize("different", DIFFERENT, ids=lambda mutant: mutant.change)
def test_an_unsound_prover_is_convicted(different, monkeypatch):
    proved(monkeypatch)
    [row] = mutants.machine_job([different])
    assert row.end == UNSOUND and different.function in row.killed_by and row in doubtful([row])


@pytest.mark.parametrize("alike", ALIKE, ids=lambda mutant: mutant.change)
def test_what_is_equivalent_tells_on_how_many_states(alike, monkeypatch):
    proved(monkeypatch)
    [row] = mutants.machine_job([alike])
    assert row.end == EQUIVALENT and row.states >= FEW and str(row.states) in row.killed_by and doubtful([row]) == []


def test_one_difference_makes_the_run_fail(monkeypatch, tmp_path):
    monkeypatch.setattr(mutants, "RESULT", tmp_path / "mutants.json")
    rows = [
        MutantResult("a", KIND, "f", "f.c", "x", "y", f"{EQUIVALENT}: proved to do the same", states=10),
        MutantResult("b", KIND, "g", "g.c", "x", "y", f"{UNSOUND}: g: x0"),
    ]
    console = Console(file=io.StringIO(), width=200)
    mutants.summarize(rows, console)
    assert f"{UNSOUND} b" in written(
        console
    ) and "2 proved equivalent, each run beside the original on at least 10 states: 1 differ" in written(console)
    for these, code in ((rows, 1), (rows[:1], 0)):
        monkeypatch.setattr(mutants, "run", lambda *arguments, **named: these)
        monkeypatch.setattr(mutants, "verdict", lambda rows, survivors: ([], []))
        assert mutants.main(["--kind", KIND]) == code


def test_what_nobody_has_run_is_not_called_equivalent():
    assert doubtful([MutantResult("a", KIND, "f", "f.c", "x", "y", f"{EQUIVALENT}: proved to do the same")])
    assert cross_examined([]) == ""


def test_code_that_never_ends_differs_from_code_that_does(monkeypatch):
    monkeypatch.setattr(pair, "SECONDS", 0.5)
    endless = mutant("capability_handle_generation", "ret", lambda word: 0x14000000)  # b .
    assert crossexamine(endless, 1).difference
