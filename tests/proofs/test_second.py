"""Is a second solver asked where Z3 wanders and when it is wanted, and believed when it disagrees?"""

import _thread
import threading
from types import SimpleNamespace

import pytest
import z3

from corollary.language.types import u32
from corollary.model.kernel.component import KERNEL
from corollary.proofs import cache, engine, second, steps, symbolic, verify, whole
from corollary.proofs.engine import Question
from corollary.proofs.machine.obligations import built
from corollary.proofs.machine.refine import Comparison
from corollary.proofs.machine.summary import named
from corollary.proofs.prove import ObligationResult, corollary_step
from tests.proofs.test_engine import THERE, step, vacate


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


SINGLE = z3.FPSort(8, 24)


def rotated(solver, word, distance):
    """A rotation must differ from the two shifts that it consists of."""
    solver.add(
        z3.RotateLeft(word, distance)
        != (word << z3.URem(distance, 16) | z3.LShR(word, z3.URem(16 - z3.URem(distance, 16), 16)))
    )


def there_and_back(solver, word, distance):
    """A value rotated to one side and back must be another word."""
    solver.add(z3.RotateRight(z3.RotateLeft(word, distance), distance) != word)


def bits_of_a_sum(solver, word, distance):
    """The bits of a number must mean another one, though it is a number."""
    number = z3.fpToFP(z3.RNE(), word, SINGLE)
    solver.add(z3.fpNEQ(z3.fpToFP(z3.fpToIEEEBV(number), SINGLE), number))


@pytest.mark.parametrize("said", [rotated, there_and_back, bits_of_a_sum])
def test_words_of_z3_alone_are_put_in_words_of_the_standard(wanted, said):
    solver = z3.Solver()
    said(solver, *z3.BitVecs("word distance", 16))
    assert solver.check() == z3.unsat
    second.confirm(solver)


@pytest.mark.parametrize("turned", [z3.RotateLeft, z3.RotateRight])
def test_a_rotation_in_words_of_the_standard_is_the_same(wanted, turned):
    word, distance = z3.BitVecs("word distance", 16)
    for by in range(40):
        solver = z3.Solver()
        solver.add(
            word == 0xBEE5,
            distance == by,
            turned(word, distance) == z3.simplify(turned(z3.BitVecVal(0xBEE5, 16), z3.BitVecVal(by, 16))),
        )
        assert second.opinion(second.problem(solver)) == "sat"


def test_a_product_that_takes_long_is_taken_for_unknown_first(wanted, monkeypatch):
    monkeypatch.setattr(second, "PATIENCE", 10_000)
    solver, (one, other) = z3.Solver(), z3.BitVecs("one other", 32)
    solver.add(other == -1, one - one / other * other != 0)
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


@pytest.mark.parametrize("sigil", "?$")
def test_a_name_that_z3_gives_to_what_terms_share_proves_nothing(sigil):
    """A parameter `x35` was taken for a shared term, and a false promise was proved."""
    for number in range(1, 100):
        solver, word = z3.Solver(ctx=z3.Context()), f"{sigil}x{number}"
        x = z3.BitVec(word, 16, solver.ctx)
        shared = (x ^ 0x1234) * (x + 7)
        solver.add(shared != x, shared + 1 != x * 3)
        assert solver.check() == z3.sat and not second.refutes(solver)


@pytest.mark.parametrize("name", ["select", "push", "bvadd"])
def test_a_text_that_bitwuzla_cannot_read_refutes_nothing(name):
    solver = z3.Solver()
    solver.add(z3.BitVec(name, 8) != z3.BitVec(name, 8) + 1)
    assert not second.refutes(solver)


def hard():
    """Return a problem that takes minutes: a product of two primes has no other factors."""
    solver, (p, q) = z3.Solver(), z3.BitVecs("p q", 64)
    half, product = 1 << 31, 1000000007 * 998244353
    solver.add(p * q == product, z3.ULT(1, p), z3.ULT(p, q), z3.ULT(q, half), p != 998244353)
    return second.problem(solver)


def test_an_interrupt_ends_a_search_and_other_threads_go_on_beside_it():
    threading.Timer(0.5, _thread.interrupt_main).start()
    with pytest.raises(KeyboardInterrupt):
        second.asked_for(hard())


def test_a_search_is_given_up_after_as_many_looks_each_time(monkeypatch):
    def counted(looks, interrupted):
        for look in usual(looks, interrupted):
            counts[-1] += 1
            yield look

    counts, usual = [], second.given_up
    monkeypatch.setattr(second, "given_up", counted)
    for looks in (500, 500, 2000):
        counts.append(0)
        assert second.asked_for(hard(), looks) == "unknown"
    assert counts[0] == counts[1] < counts[2]


def asked_of(id_):
    """Return how an obligation of the kernel is decided."""
    return next(decide for other, _, decide in steps.questions(id_.split("/")[0], KERNEL) if other == id_)


@pytest.fixture
def wandering(monkeypatch):
    """Z3 finds nothing soon. Yields what Bitwuzla is asked, and may be told what it answers."""
    asked, usual = [], second.asked_for
    told = SimpleNamespace(asked=asked, answer=None)
    monkeypatch.delenv(second.SWITCH, raising=False)
    monkeypatch.setattr(engine, "SOON", 1)
    monkeypatch.setattr(second, "asked_for", lambda text, *limit: asked.append(text) or told.answer or usual(text))
    return told


def test_what_z3_does_not_find_soon_is_put_to_bitwuzla_and_the_row_says_so(wandering):
    row = asked_of("page_unmap/MEM-23")()
    assert (row.result, row.solver) == ("proved", second.name()) and wandering.asked


@pytest.mark.parametrize("answer", ["sat", "unknown"])
def test_another_answer_of_bitwuzla_counts_for_nothing(wandering, answer):
    wandering.answer = answer
    row = asked_of("page_unmap/MEM-23")()
    assert (row.result, row.solver) == ("proved", engine.Z3) and 0 < len(wandering.asked) <= engine.OFTEN


def test_what_is_false_bitwuzla_does_not_make_true(wandering):
    row = step(vacate).preserves(THERE)
    assert row.result == "refuted" and row.counterexample.holds is False and wandering.asked


def test_after_some_times_in_vain_it_is_not_asked_and_refutes_nothing(wandering, monkeypatch):
    wandering.answer = "unknown"
    question = Question(corollary_step(KERNEL).run, {})
    monkeypatch.setattr(question, "search", lambda steps: z3.unknown if steps == engine.SOON else z3.unsat)
    for _ in range(engine.OFTEN + 2):
        assert question.ask(engine.EFFORT) == z3.unsat
    assert len(wandering.asked) == engine.OFTEN and question.solved_by == engine.Z3


def test_a_question_that_nobody_else_is_asked_is_searched_in_one_go(wandering, monkeypatch):
    """Z3 would begin anew after each stop, and a search with many candidates come to its limit on the way."""
    question, limits = Question(corollary_step(KERNEL).run, {}), []
    question.aided = False
    monkeypatch.setattr(question, "search", lambda steps: limits.append(steps) or z3.sat)
    assert question.ask(engine.EFFORT) == z3.sat
    assert limits == [question.patience] and not wandering.asked


def test_a_row_names_each_solver_and_each_assumption_that_it_rests_on():
    def row(result, solver, *assumed):
        return ObligationResult("x/X-1", 3, "X-1", "x", result, 1.0, solver=solver, assumptions=list(assumed), rounds=2)

    joined = row("proved", "z3", "B").after(row("proved", "bitwuzla", "A")).after(row("unknown", "none", "C"))
    assert (joined.solver, joined.assumptions) == ("bitwuzla, z3", ["A", "B"])
    assert (joined.seconds, joined.rounds, joined.result) == (3.0, 6, "proved")


def test_where_bitwuzla_judges_z3_finds_all_by_itself(wandering, monkeypatch):
    monkeypatch.setenv(second.SWITCH, "1")
    row = asked_of("page_unmap/MEM-23")()
    assert (row.result, row.solver) == ("proved", engine.Z3)


def test_an_obligation_fails_when_the_second_solver_does_not_agree(wanted, monkeypatch):
    decide = asked_of("page_unmap/MEM-23")
    assert decide().result == "proved"
    monkeypatch.setattr(second, "opinion", lambda text: "unknown")
    row = verify.decide_one("page_unmap", "page_unmap/MEM-23", 3, decide, "test", (), KERNEL.name)
    assert row["result"] == "unknown" and "bitwuzla unknown" in row["reason"]


def test_machine_code_is_put_to_it_too(wanted, monkeypatch):
    asked = []
    usual = second.opinion
    monkeypatch.setattr(second, "opinion", lambda text: asked.append(text) or usual(text))
    assert Comparison(built(), named()["memory_take"]).run().result == "proved"
    assert Comparison(built(), named()["ring_own_ring"]).run().result == "proved"
    assert asked


def own_row():
    each = z3.BitVec("each", 32)
    return symbolic.is_own_row(each, each, u32, SimpleNamespace(count=SimpleNamespace(value=8), type=u32))


def blank_rows():
    promise = KERNEL.invariants["CAP-1"]
    return whole.asked(promise, [range(len(whole.index_types(promise)))])


@pytest.mark.parametrize("decide", [own_row, blank_rows])
def test_what_a_proof_takes_for_granted_is_put_to_it_too(wanted, monkeypatch, decide):
    assert decide()
    monkeypatch.setattr(second, "opinion", lambda text: "sat")
    with pytest.raises(second.Disagreement, match="bitwuzla sat"):
        decide()


def test_what_is_possible_is_put_to_nobody(wanted, monkeypatch):
    monkeypatch.setattr(second, "opinion", None)
    assert not second.impossible(z3.Solver())


def test_proofs_with_a_second_opinion_are_kept_apart(monkeypatch):
    monkeypatch.delenv(second.SWITCH, raising=False)
    alone = cache.path_of("page_map/MEM-1")
    monkeypatch.setenv(second.SWITCH, "1")
    assert cache.path_of("page_map/MEM-1") != alone
