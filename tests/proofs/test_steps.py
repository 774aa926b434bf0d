"""Is every step of the system checked with every promise that concerns it, and no other step?"""

import pytest
import z3

import corollary.model.kernel.action
import corollary.model.kernel.boot
import corollary.model.kernel.device
import corollary.model.kernel.gate
import corollary.model.kernel.schedule
from corollary.language.property import by_itself
from corollary.model.kernel.component import KERNEL
from corollary.model.kernel.promises import CONSERVED, COROLLARIES, INVARIANTS, THEOREMS
from corollary.proofs import steps
from corollary.proofs.machine import called, handlers, obligations
from corollary.proofs.machine import steps as machine
from corollary.proofs.outcome import CONDITION, EFFECT, SETTLED
from corollary.proofs.outside import PART
from corollary.proofs.prove import ANSWER, LEFT, RESPECT, SHOWN, SIGHT, Step
from corollary.proofs.secret import KEY
from corollary.proofs.symbolic import TOP
from corollary.proofs.transition import Run, step_named, transitions
from corollary.spec.kernel.hypercalls import OPERATIONS
from corollary.spec.kernel.observation import KNOWN, PRIVATE
from corollary.spec.kernel.state import Call, Kernel
from corollary.spec.kernel.vocabulary import Status
from tests.proofs.kernel import PARTS, place, still

ACTIONS = (
    corollary.model.kernel.action.preempt,
    corollary.model.kernel.action.contain,
    corollary.model.kernel.schedule.wait,
    corollary.model.kernel.schedule.survey,
    corollary.model.kernel.schedule.rotate,
    corollary.model.kernel.action.guest_store,
    corollary.model.kernel.device.device_write,
    corollary.model.kernel.device.find,
)
SOME = ("yield_now", "system_halt", "unknown_operation", "preempt", "boot")


def named(name):
    return next(transition for transition in transitions(KERNEL) if transition.name == name)


def test_the_system_takes_these_steps_and_no_others():
    found = {(t.name, t.function, t.operation, t.from_zero) for t in transitions(KERNEL)}
    calls = {(declared.name, corollary.model.kernel.gate.dispatch, declared, False) for declared in OPERATIONS}
    others = {
        ("boot", corollary.model.kernel.boot.boot, None, True),
        ("unknown_operation", corollary.model.kernel.gate.dispatch, None, False),
    }
    assert found == calls | others | {(function.__name__, function, None, False) for function in ACTIONS}
    assert len(found) == len(transitions(KERNEL))


def test_a_step_that_there_is_not_is_named():
    with pytest.raises(LookupError, match="there is no step nowhere"):
        step_named("nowhere", KERNEL)
    assert all(step_named(transition.name, KERNEL) == transition for transition in transitions(KERNEL))


def test_only_steps_with_an_obligation_of_such_an_id_are_listed():
    texts = (
        "page_map/",
        "map/NI",
        "page_map/MEM-1",
        "any state/",
        "NI-2",
        "page",
        "",
        "/",
        "sha256_put/machine-code",
        "x/page_map/",
    )
    for name in ("page_map", "share_map", "preempt", steps.ANY_STATE, "code of sha256"):
        for text in texts:
            may = (
                any(text in f"{name}/{label}" for label in ("MEM-1", "NI-2", "NI-4-page"))
                if "code" not in name
                else True
            )
            assert steps.may_hold(name, text, KERNEL) >= may, (name, text)
    assert [text for text in texts if steps.may_hold("page_map", text, KERNEL)] == [
        "page_map/",
        "map/NI",
        "page_map/MEM-1",
        "NI-2",
        "page",
        "",
        "/",
    ]


def test_every_step_is_asked_about_once():
    found = steps.names(KERNEL)
    assert len(set(found)) == len(found)
    of_code = {*called.steps(), *handlers.steps(), *obligations.steps()}
    assert {steps.ANY_STATE, *(t.name for t in transitions(KERNEL))} | of_code <= set(found)
    assert any(name.startswith(PART) for name in found)


@pytest.mark.parametrize("name", SOME)
def test_every_promise_is_asked_of_a_step(name):
    step, found = named(name), [id_.removeprefix(f"{name}/") for id_, _, _ in steps.questions(name, KERNEL)]
    wanted = {*INVARIANTS, *CONSERVED, *(id_ for id_, theorem in THEOREMS.items() if step.speaks(theorem))}
    wanted |= {"FRAME", RESPECT.id, ANSWER.id} if step.hypercall else set()
    wanted |= {CONDITION, EFFECT, SETTLED} if step.operation and not step.operation.admin else set()
    wanted.add(KEY)
    wanted |= {f"{about.id}-{part}" for about in (SHOWN, LEFT) for part in PARTS} if not step.from_zero else set()
    others = {id_ for id_ in found if id_.startswith(("well-formed-", "reaches-"))}
    assert set(found) == wanted | others and len(set(found)) == len(found)


def test_each_table_that_somebody_sees_is_of_one_part():
    tables = [table for part in PARTS.values() for table in part]
    assert set(tables) == set(Kernel.fields) - {each.field for each in PRIVATE} and len(set(tables)) == len(tables)


def test_a_status_that_an_operation_returns_is_asked_for():
    found = {id_ for id_, _, _ in steps.questions("yield_now", KERNEL)}
    assert f"yield_now/reaches-{Status.OK.name}" in found
    assert any(id_.startswith("yield_now/well-formed-") for id_ in found)


def test_of_any_state_all_that_follows_is_asked():
    found = {id_ for id_, _, _ in steps.questions(steps.ANY_STATE, KERNEL)}
    assert {f"any state/{id_}" for id_ in COROLLARIES} <= found and any("-premise-" in id_ for id_ in found)
    assert all(id_.startswith("any state/") for id_ in found)


def test_what_a_partition_can_tell_is_asked_and_so_is_what_follows_from_it():
    found = {id_ for id_, _, _ in steps.questions(steps.ANY_STATE, KERNEL)}
    proved = {promise.function: id_ for id_, promise in COROLLARIES.items()}
    for row in KNOWN:
        assert (
            f"any state/{SIGHT.id}-{row.function.__name__}" in found and f"any state/{proved[row.corollary]}" in found
        )


@pytest.mark.parametrize(("name", "end"), [(called.PART, "called"), ("code of capability", "machine-code")])
def test_other_code_has_obligations_of_its_own(name, end):
    found = {id_ for id_, _, _ in steps.questions(name, KERNEL)}
    assert any(id_.endswith(f"/{end}") for id_ in found)


# ---- what a step is


def test_an_unknown_operation_is_any_number_beyond_the_table():
    run = Run(still("still"))
    run.transition = named("unknown_operation")
    run.fix_operation()
    number = run.before.read(place("call").field("operation", Call.fields["operation"]), [], TOP)
    known = len(OPERATIONS)
    for value, possible in ((known, True), (known + 1, True), (known - 1, False), (0, False)):
        solver = z3.Solver()
        solver.add(run.premise, number == value)
        assert (solver.check() == z3.sat) == possible


def test_boot_begins_with_zeros_and_every_other_step_with_anything():
    for from_zero in (False, True):
        before = Run(still("still", from_zero=from_zero)).before
        value = before.read(place("s").field("sequence", Kernel.fields["sequence"]), [], TOP)
        assert isinstance(value, int) == from_zero


def test_a_theorem_speaks_of_the_steps_that_it_is_about():
    own = [theorem for theorem in THEOREMS.values() if theorem.about is by_itself]
    assert own and all(named("preempt").speaks(theorem) for theorem in own)
    others = [named(name) for name in ("yield_now", "boot", "unknown_operation")]
    assert not any(step.speaks(theorem) for step in others for theorem in own)


def test_a_hypercall_comes_from_a_partition_that_runs():
    for name, premises in (("yield_now", 1), ("preempt", 0)):
        step = Step(named(name))
        idle = step.run.before.read(place("s").field("idle", Kernel.fields["idle"]), [], TOP)
        solver = z3.Solver()
        solver.add(idle, *(premise for premise in step.premises if premise is not True))
        assert (solver.check() == z3.unsat) == bool(premises)


def test_each_step_of_machine_code_is_asked_about_where_it_belongs():
    first = next(name for name in machine.names() if name.startswith(machine.code.CODE))
    assert machine.questions(first) and machine.questions(machine.called.PART)
    with pytest.raises(StopIteration):
        machine.questions("nowhere")
