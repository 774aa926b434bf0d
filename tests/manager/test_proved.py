"""Does a wrong step of a manager, or of both ends together, break a promise? `verify` proves the right ones."""

import importlib.util
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings

from corollary.codegen.build import BUILD
from corollary.codegen.folders import GENERATED
from corollary.commands.trial import steps_of
from corollary.emulation.beside import Beside, library
from corollary.language import component as components
from corollary.language.component import Component, check, declared
from corollary.model.handover import component as handover
from corollary.model.handover import steps as together
from corollary.model.manager import component as manager
from corollary.model.manager import failures, hibernation, life, migration, source, target, tasks
from corollary.proofs import steps
from corollary.spec.agent import Life, may_follow
from corollary.spec.handover.state import Handover
from corollary.spec.manager import remedy, step
from corollary.spec.manager.state import Manager
from tests.store.test_proved import changed

HANDOVER = [each.name for each in handover.HANDOVER.operations]
MANAGER = [each.name for each in manager.MANAGER.operations]
IN_ORDER = (step, remedy, source, target, tasks, life, hibernation, failures, migration, together)
"""The modules with what the steps do; each imports only those before it."""
RESERVED = "    if g.step != Step.RESERVED:\n        return Status.WRONG_STEP\n"
PROMISED = "    if g.step != Step.PROMISED:\n        return Status.WRONG_STEP\n    settle"
AWAITED = "    if awaits(s.target, PeerId(0), s.decided):\n        return Status.WRONG_STEP\n"
WRONG_TOGETHER = [
    (step, "wake_target", "return Verb.SEND_FILLED", "return Verb.RESTORE"),
    (step, "give_up_source", "Step.ADMITTED, Step.MOVED", "Step.ADMITTED, Step.COMMITTED"),
    (step, "drop_target", "not has_ticket(g.step) or", "not is_handed_over(g.step) or"),
    (
        target,
        "withdraw_target",
        "    if g.step != Step.PROMISED:\n        return Status.WRONG_STEP\n    settle",
        "    settle",
    ),
    (target, "accept_target", "    if not awaits(g, peer, ticket):\n        return Status.DONE\n", ""),
    (source, "release_source", "if g.step != Step.LEFT:", "if g.step != Step.COMMITTED:"),
    (source, "decide_source", "if g.step != Step.MOVED:", "if g.step != Step.RESERVED:"),
    (source, "fill_source", RESERVED + "    if g.there", "    if g.there"),
    (source, "stop_source", "enter(g, Step.STOPPED)", "enter(g, Step.COMMITTED)"),
    (target, "arrive_target", "settle(g, Life.RUNNING)", "settle(g, Life.SUSPENDED)"),
    (tasks, "set_back_target", "elif g.step == Step.PROMISED:", "elif g.step == Step.FILLED:"),
    (tasks, "set_back_source", "if may_give_up(g.step):", "if g.step == Step.COMMITTED or may_give_up(g.step):"),
    (together, "promise_target", "    if ticket <= s.heard:\n        return Status.DOUBLED\n", ""),
    (together, "stop_source", "    if s.source_runs:\n        return Status.WRONG_STATE\n", ""),
    (
        together,
        "answer_target",
        "    if awaits(s.target, PeerId(0), s.decided):\n        return Status.WRONG_STEP\n",
        "",
    ),
]
"""Changes of the ends of a move: the module, the step of which a promise must fail, what is replaced, and by what."""
RESTED = "    if is_recent(g.moved_at, epoch):\n        return Status.RESTING\n"
LANE = "    if s.lane[lane].taken:\n        return Status.LANE_TAKEN\n    status"
SIZE = "    if size != g.receipt.packed:\n        return Status.WRONG_SIZE\n"
HASH = "    if not is_hash(g.hash, first, second, third, fourth):\n        return Status.WRONG_HASH\n    g.state"
BADGE = "    if badge <= s.badge:\n        return Status.BADGE_USED\n    s.badge = badge\n    clear"
RELEASED = "    status = release(s.agent[a])\n"
WRONG_ALONE = [
    (source, "admit", RESTED, ""),
    (source, "admit", "return Status.RESTING", "return Status.BUSY"),
    (life, "begin_epoch", "s.epoch >= LAST_EPOCH", "s.epoch >= LAST_EPOCH - 1"),
    (migration, "admit", LANE, "    status"),
    (
        migration,
        "released",
        "    status = release(s.agent[a])\n    free_lane(s, a)\n",
        "    status = release(s.agent[a])\n",
    ),
    (migration, "hear_reserve", "    if ticket <= s.peer[peer].heard:\n        return Status.DOUBLED\n", ""),
    (migration, "snapped", "        s.ticket += 1\n", "        s.ticket += 0\n"),
    (migration, "hear_commit", "    if ticket > s.peer[peer].heard:\n        return Status.UNKNOWN\n", ""),
    (target, "checked", "        return Status.WRONG_HASH\n", "        return Status.OK\n"),
    (hibernation, "read", SIZE, ""),
    (hibernation, "unpacked", HASH, "    g.state"),
    (hibernation, "written", "enter(s.agent[a], Step.RECORDING)", "enter(s.agent[a], Step.FREEING)"),
    (hibernation, "reconstruct", "    if is_full(g.readings, s.epoch):\n        return Status.TOO_OFTEN\n", ""),
    (failures, "fail", "    if remedy == Remedy.RESTART:\n        note(g.restarts, s.epoch)\n", ""),
    (failures, "fail", "    g.failed_at = s.epoch\n", ""),
    (failures, "violate", "    if would_be_third(g.violations, s.epoch):\n        enter(g, Step.STOPPING)\n", ""),
    (remedy, "fail", " and not is_full(g.restarts, epoch)", ""),
    (
        remedy,
        "fail",
        "Remedy.REPLACE if g.remedy == Remedy.RELOAD else",
        "Remedy.RESTART if g.remedy == Remedy.RELOAD else",
    ),
    (
        life,
        "register",
        "    if badge <= s.badge:\n        return Status.BADGE_USED\n    s.badge = badge\n    clear",
        "    clear",
    ),
    (life, "terminated", "    if g.state == Life.MIGRATING:\n        return Status.BUSY\n", ""),
    (life, "restart", "    s.since = s.number\n", ""),
    (tasks, "assign", "    if g.asked >= s.since:\n        return Status.ASKED\n", ""),
]
"""Changes of the manager, likewise."""


def named(changes):
    """Return a name for each change."""
    return [f"{name} {number}" for number, (_, name, _, _) in enumerate(changes)]


def wrong(module, old, new, folder, monkeypatch):
    """Return the modules by name, with one changed, and all that import it loaded anew."""
    found = {}
    for each in IN_ORDER[IN_ORDER.index(module) :]:
        other = changed(each, old, new, folder) if each is module else again(each, folder)
        monkeypatch.setitem(sys.modules, each.__name__, other)
        found[each] = other
    return [found.get(each, each) for each in IN_ORDER]


def again(module, folder):
    """Return a module that is loaded anew."""
    path = folder / f"again_{Path(module.__file__).name}"
    path.write_text(Path(module.__file__).read_text())
    spec = importlib.util.spec_from_file_location(module.__name__, path)
    other = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(other)
    return other


def operations(modules, names):
    """Return the functions of some names, from whichever module has them last."""
    return tuple(next(vars(each)[name] for each in reversed(modules) if name in vars(each)) for name in names)


def results(name, component):
    """Yield the result of each obligation of a step."""
    for _, _, decide_one in steps.questions(name, component):
        yield decide_one().result


@pytest.mark.parametrize(("name", "module"), [("manager", manager), ("handover", handover)])
def test_the_component_is_well_made(name, module):
    check(declared(name), module.__file__)


@pytest.mark.long
@pytest.mark.parametrize(("module", "name", "old", "new"), WRONG_TOGETHER, ids=named(WRONG_TOGETHER))
def test_a_wrong_end_breaks_a_promise(module, name, old, new, tmp_path, monkeypatch):
    monkeypatch.setitem(components.COMPONENTS, "handover", None)  # and what it is now comes back
    found = operations(wrong(module, old, new, tmp_path, monkeypatch), HANDOVER)
    assert "refuted" in results(name, Component(state=Handover, operations=found, calls=("agent", "manager")))


@pytest.mark.long
@pytest.mark.parametrize(("module", "name", "old", "new"), WRONG_ALONE, ids=named(WRONG_ALONE))
def test_a_wrong_step_breaks_a_promise(module, name, old, new, tmp_path, monkeypatch):
    monkeypatch.setitem(components.COMPONENTS, "manager", None)
    found = operations(wrong(module, old, new, tmp_path, monkeypatch)[:-1], MANAGER)
    assert "refuted" in results(name, Component(state=Manager, operations=found, calls=("agent",)))


@pytest.mark.parametrize("component", [manager.MANAGER, handover.HANDOVER], ids=lambda each: each.name)
def test_c_does_the_same_as_the_model_in_random_steps(component):
    made = library(GENERATED / component.name, BUILD / "host")

    @settings(max_examples=100)
    @given(steps_of(component))
    def trial(taken):
        beside = Beside(component, made)
        for operation, *arguments in taken:
            beside.take(operation.function, *arguments)

    trial()


def test_the_table_of_edges_is_what_was_asked_for():
    edges = {(old.name, new.name) for old in Life for new in Life if may_follow(old, new)}
    wanted = {
        "INITIALIZING": "RUNNING TERMINATED",
        "RUNNING": "SUSPENDED MIGRATING TERMINATED",
        "SUSPENDED": "RUNNING MIGRATING HIBERNATED TERMINATED",
        "MIGRATING": "RUNNING SUSPENDED TERMINATED",
        "HIBERNATED": "RECONSTRUCTING TERMINATED",
        "RECONSTRUCTING": "RUNNING TERMINATED",
    }
    assert edges == {(old, new) for old, those in wanted.items() for new in those.split()}
