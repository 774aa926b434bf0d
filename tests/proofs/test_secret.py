"""Does the proof about the key notice leaks, and is each of its exceptions needed?"""

import pytest

import corollary.model.kernel.gate
from corollary.language.frontend import translate
from corollary.language.types import u64
from corollary.model.kernel.component import KERNEL
from corollary.model.kernel.ring import tool_acquire
from corollary.model.kernel.witness import witness_seal
from corollary.proofs import secret
from corollary.proofs.prove import Step
from corollary.proofs.replay import Counterexample
from corollary.proofs.transition import step_named
from corollary.spec.kernel.observation import SEALED
from corollary.spec.kernel.state import Call, Kernel, PageId
from corollary.spec.kernel.vocabulary import Resource, Status


@pytest.mark.parametrize("row", SEALED, ids=lambda row: row.function.__name__)
def test_without_what_is_declared_to_be_sealed_the_key_is_told(row):
    others = tuple(other for other in SEALED if other is not row)
    for operation in row.about:
        step = Step(step_named(operation, KERNEL))
        found = secret.question(step, others)
        assert found.result == "refuted" and found.counterexample.holds is False
        assert {"?PageId", "?EntryId"} <= set(found.counterexample.scalars)
        assert {path[0] for path, _, _ in secret.betrayed(found.counterexample, step.transition, others)} == {row.table}
        assert not secret.betrayed(found.counterexample, step.transition, SEALED)


def test_with_it_nothing_tells_of_the_key():
    assert secret.question(Step(step_named("witness_seal", KERNEL))).result == "proved"


def test_only_the_four_words_of_a_seal_may_differ_and_only_where_it_is_made():
    roots = {"s": Kernel(), "call": Call()}
    roots["call"].argument[1] = 7
    example = Counterexample("", secret.KEY, roots, {})
    sealing, reading = [step_named(name, KERNEL) for name in ("witness_seal", "witness_read")]
    differing = [word for word in range(20) if secret.may_differ(example, sealing, ("memory", 7, "word", word), SEALED)]
    assert differing == [12, 13, 14, 15]
    for path in (("memory", 6, "word", 12), ("log", 7, "object")):
        assert not secret.may_differ(example, sealing, path, SEALED)
    assert not secret.may_differ(example, reading, ("memory", 7, "word", 12), SEALED)


def tells_by_its_status(s: Kernel, call: Call, resource: Resource) -> Status:
    if s.key[0] == 7:
        return Status.WRONG_STATE
    return Status.OK


def tells_by_the_epoch(s: Kernel, call: Call, page: PageId) -> Status:
    s.epoch = u64(s.key[3])
    return Status.OK


@pytest.mark.parametrize(
    ("operation", "leaky", "where"),
    [(tool_acquire, tells_by_its_status, ("status",)), (witness_seal, tells_by_the_epoch, ("epoch",))],
)
def test_an_operation_that_tells_of_the_key_is_refuted(monkeypatch, operation, leaky, where):
    monkeypatch.setitem(corollary.model.kernel.gate.perform.__globals__, operation.__name__, leaky)
    monkeypatch.setattr(translate(operation), "body", translate(leaky).body)
    step = Step(step_named(operation.__name__, KERNEL))
    found = secret.question(step)
    told = [path for path, _, _ in secret.betrayed(found.counterexample, step.transition)]
    assert found.result == "refuted" and where in told
