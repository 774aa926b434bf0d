"""Is a second solver asked when it is wanted, and believed when it disagrees?"""

import pytest
import z3

from proofs import cache, second, steps, verify
from proofs.machine.obligations import built
from proofs.machine.refine import Comparison
from proofs.machine.summary import named


@pytest.fixture
def wanted(monkeypatch):
    monkeypatch.setenv(second.SWITCH, "1")


def impossible():
    solver, x, f = z3.Solver(), z3.BitVec("x", 64), z3.Function("s.page.[].owner", z3.BitVecSort(64), z3.BitVecSort(8))
    solver.add(f(x * 4) != f(x << 2))
    return solver


def test_what_both_call_impossible_is(wanted):
    second.confirm(impossible())


def test_what_only_z3_has_a_word_for_is_said_in_the_standards(wanted):
    solver, (x, y) = z3.Solver(), z3.BitVecs("x y", 16)
    solver.add(z3.BVMulNoOverflow(x, y, False), x >= 256, x < 512, z3.UGE(y, 256))
    assert solver.check() == z3.unsat
    second.confirm(solver)


def test_a_disagreement_is_told(wanted):
    solver = z3.Solver()
    solver.add(z3.BitVec("x", 8) > 3)
    with pytest.raises(second.Disagreement, match="bitwuzla sat"):
        second.confirm(solver)


def test_nobody_is_asked_unless_it_is_wanted(monkeypatch):
    monkeypatch.delenv(second.SWITCH, raising=False)
    monkeypatch.setattr(second, "opinion", None)
    second.confirm(impossible())


def test_an_obligation_fails_when_the_second_solver_does_not_agree(wanted, monkeypatch):
    decide = next(decide for id_, _, decide in steps.questions("page_unmap") if id_ == "page_unmap/MEM-23")
    assert decide().result == "proved"
    monkeypatch.setattr(second, "opinion", lambda text: "unknown")
    row = verify.decide_one("page_unmap", "page_unmap/MEM-23", 3, decide, "test", ())
    assert row["result"] == "unknown" and "bitwuzla unknown" in row["reason"]


def test_machine_code_is_put_to_it_too(wanted, monkeypatch):
    asked = []
    usual = second.opinion
    monkeypatch.setattr(second, "opinion", lambda text: asked.append(text) or usual(text))
    assert Comparison(built(), named()["memory_take"]).run().result == "proved"
    assert Comparison(built(), named()["ring_own_ring"]).run().result == "proved"
    assert asked


def test_proofs_with_a_second_opinion_are_kept_apart(monkeypatch):
    monkeypatch.delenv(second.SWITCH, raising=False)
    alone = cache.key("page_map", "page_map/MEM-1")
    monkeypatch.setenv(second.SWITCH, "1")
    assert cache.key("page_map", "page_map/MEM-1") != alone
