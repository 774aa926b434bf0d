"""Does a footprint hold everything that a function touches?

The model as it runs in Python, its symbolic execution, and small twins are asked.
"""

import random
import sys
from copy import deepcopy

import pytest

import corollary.model.kernel.gate
from corollary.emulation.generator import Generator
from corollary.emulation.traces import Fault, Hypercall, Preempt, apply, booted, taken
from corollary.language import ir
from corollary.language.frontend import translate
from corollary.language.layout import word
from corollary.language.reads import recording
from corollary.language.types import Array, u32
from corollary.language.values import ArrayValue, Record, clear, local
from corollary.model.kernel.component import KERNEL
from corollary.model.kernel.promises import INVARIANTS
from corollary.model.kernel.schedule import proceed
from corollary.proofs import cache, fingerprint, unwritten, verify
from corollary.proofs.cache import of_answers
from corollary.proofs.footprint import NONE, Walk, footprint, leaves
from corollary.proofs.prove import Step
from corollary.proofs.steps import questions
from corollary.proofs.transition import Run, step_named, transitions
from corollary.proofs.unwritten import cells_of, looked_at, read_by, shortcuts, shortened, written_by
from corollary.spec.kernel.hypercalls import OPERATIONS
from corollary.spec.kernel.observation import OBSERVATIONS
from corollary.spec.kernel.state import Kernel, PartitionId
from tests.proofs.kernel import PARTS

STEPS = 150  # of each trace
SEEDS = range(3)
NAMES = [transition.name for transition in transitions(KERNEL)]


class Watched:
    """A stand-in for a record or array that notes which scalars below it are read and written.

    It does not tell rows apart.
    """

    __slots__ = ("value", "path", "read", "written")

    def __init__(self, value, path, read, written):
        for name, each in zip(Watched.__slots__, (value, path, read, written)):
            object.__setattr__(self, name, each)

    def part(self, name, value):
        if isinstance(value, (Record, ArrayValue)):
            return Watched(value, (*self.path, name), self.read, self.written)
        self.read.add((*self.path, name))
        return value

    def __getattr__(self, name):
        return self.part(name, getattr(object.__getattribute__(self, "value"), name))

    def __getitem__(self, index):
        return self.part("[]", self.value[index])

    def __setattr__(self, name, value):
        self.written.add((*self.path, name))
        setattr(self.value, name, value)

    def __setitem__(self, index, value):
        self.written.add((*self.path, "[]"))
        self.value[index] = value

    def __len__(self):
        return len(self.value)


def watched_clear(value):
    """Do `clear`, also on a watched value."""
    if isinstance(value, Watched):
        value.written.update(below(value))
        value = value.value
    clear(value)


def watched_word(value, number):
    """Do `word`, also on a watched value."""
    if isinstance(value, Watched):
        value.read.update(below(value))
        value = value.value
    return word(value, number)


def below(value):
    """Return the paths of all scalars of a watched value."""
    return leaves(value.value.type if isinstance(value.value, ArrayValue) else type(value.value), value.path)


def watched(function, state, *arguments):
    """Return what a Python function reads and writes of a state: two sets of paths."""
    read, written = set(), set()
    function(Watched(state, (), read, written), *arguments)
    return read, written


@pytest.fixture
def watching(monkeypatch):
    """Let functions that take a whole record or array take a watched one, too, once they are translated as they are."""
    for step in transitions(KERNEL):
        translate(step.operation.function if step.operation else step.function)
    for usual, other in ((clear, watched_clear), (word, watched_word)):
        for module in list(sys.modules.values()):
            if module.__name__.startswith("corollary.model.") and getattr(module, usual.__name__, None) is usual:
                monkeypatch.setattr(module, usual.__name__, other)


def name_of(step):
    """Return the name of a trace's step, or None if it is no step of the kernel."""
    if isinstance(step, Hypercall):
        return OPERATIONS[step.operation].name if step.operation < len(OPERATIONS) else "unknown_operation"
    return {Preempt: "preempt", Fault: "contain"}.get(type(step))


@pytest.mark.parametrize("seed", SEEDS)
def test_what_the_model_really_touches_is_in_its_footprint(seed, watching):
    chance = random.Random(seed)
    maker = Generator(random.Random(seed))
    s, writing = booted(maker.information), set()
    for _ in range(STEPS):
        step = maker.next(s)
        if step is None:
            break
        name = name_of(step)
        _, written = watched(lambda state: taken(state, step), s) if name else ((), taken(s, step) and ())
        proceed(s)
        if name:
            assert written <= set(written_by(name, KERNEL.name)), (
                name,
                sorted(written - set(written_by(name, KERNEL.name))),
            )
            writing |= {name} if len(written) > 6 else set()
        id_ = chance.choice(list(INVARIANTS))
        types = [p.type for p in translate(INVARIANTS[id_].function).parameters[1:]]
        read, written = watched(
            INVARIANTS[id_].function, deepcopy(s), *(chance.randrange(type_.bound) for type_ in types)
        )
        assert read <= set(read_by(id_, KERNEL.name)) and not written, id_
    assert len(writing) >= 10


def test_who_sees_a_part_depends_on_no_field_but_those_of_its_footprint():
    maker, chance = Generator(random.Random(0)), random.Random(0)
    s = booted(maker.information)
    for _ in range(STEPS):
        apply(s, maker.next(s))
    for part, tables in PARTS.items():
        for row in OBSERVATIONS:
            types = [p.type for p in translate(row.function).parameters[1:]]
            read, _ = watched(row.function, s, *(chance.randrange(type_.bound) for type_ in types))
            assert row.table not in tables or read <= set(looked_at(part, KERNEL.name))
        assert {path[0] for path in cells_of(part, KERNEL.name)} == set(tables)


@pytest.mark.parametrize("name", NAMES)
def test_what_a_step_writes_symbolically_is_in_its_footprint(name):
    run = Run(step_named(name, KERNEL))
    written = {
        path
        for (root, path), node in run.after.heads.items()
        if root == "s" and node is not run.before.heads.get((root, path))
    }
    assert written and written <= set(written_by(name, KERNEL.name))


# ---- ways to reach a field


def directly(s: Kernel, p: PartitionId) -> None:
    s.partition[p].score = 7


def by_another_name(s: Kernel, p: PartitionId) -> None:
    row = s.partition[p]
    row.score = 7


def by_a_name_of_a_name(s: Kernel, p: PartitionId) -> None:
    table = s.partition
    row = table[p]
    row.score = 7


def by_a_call(s: Kernel, p: PartitionId) -> None:
    by_another_name(s, p)


def in_a_branch_of_a_loop(s: Kernel, p: PartitionId) -> None:
    for i in range(3):
        if i > p:
            row = s.partition[p]
            row.score = 7


def by_clearing(s: Kernel, p: PartitionId) -> None:
    clear(s.partition[p])


def through_a_value(s: Kernel, p: PartitionId) -> u32:
    by_another_name(s, p)
    return 0


def for_a_value(s: Kernel, p: PartitionId) -> None:
    value = through_a_value(s, p)
    if value > p:
        return


WAYS = (
    directly,
    by_another_name,
    by_a_name_of_a_name,
    by_a_call,
    in_a_branch_of_a_loop,
    by_clearing,
    through_a_value,
    for_a_value,
)


@pytest.mark.parametrize("way", WAYS)
def test_a_field_is_written_whichever_way_it_is_reached(way):
    assert ("s", ("partition", "[]", "score")) in footprint(translate(way)).writes
    assert all(path[:2] == ("partition", "[]") for _, path in footprint(translate(way)).writes)


def elsewhere(s: Kernel, p: PartitionId) -> None:
    words = local(Array[u32, 4])
    words[0] = s.partition[p].score


def test_what_is_written_to_a_local_is_written_nowhere():
    found = footprint(translate(elsewhere))
    assert not found.writes and found.reads == {("s", ("partition", "[]", "score"))}


def test_what_a_footprint_does_not_know_is_refused():
    walk = Walk(translate(directly), None)
    with pytest.raises(TypeError, match="nobody knows the footprint of a While"):
        walk.block((ir.While(ir.Literal(1, u32), (), None, (), 3),))


# ---- what depends on the footprint


def test_an_operation_takes_its_own_branch_and_one_that_there_is_not_takes_none():
    function = translate(corollary.model.kernel.gate.dispatch)
    every = footprint(function).writes
    assert footprint(function, NONE).writes < footprint(function, 0).writes < every
    assert every == frozenset().union(*(footprint(function, declared.number).writes for declared in OPERATIONS))


@pytest.mark.parametrize("name", ["tool_release", "page_map", "preempt"])
def test_only_what_a_step_leaves_alone_is_decided_without_a_solver(name):
    step, written = step_named(name, KERNEL), set(written_by(name, KERNEL.name))
    able = shortcuts(step)
    decided = {id_ for id_, _, decide in questions(name, KERNEL) if isinstance(decide, unwritten.Unwritten)}
    assert decided == {id_ for id_, each in able.items() if each.applies()} < set(able)
    for id_ in INVARIANTS:
        assert (f"{name}/{id_}" in decided) == (not written & set(read_by(id_, KERNEL.name)))
    assert [id_ for id_, _, _ in questions(name, KERNEL)] == Step(step).names()


def test_boot_keeps_nothing_that_was_before():
    boot = step_named("boot", KERNEL)
    usual = [("boot/CAP-1", 2, None)]
    assert list(shortened(boot, usual)) == usual


@pytest.mark.parametrize("name", ["tool_release", "preempt"])
def test_the_solver_says_the_same(name):
    long = {id_: decide for id_, _, decide in Step(step_named(name, KERNEL)).questions()}
    found = [decide for _, _, decide in questions(name, KERNEL) if isinstance(decide, unwritten.Unwritten)]
    for decide in random.Random(0).sample(found, 6):
        row, slow = decide(), long[decide.id]()
        assert (row.result, slow.result) == ("proved", "proved"), decide.id
        assert (row.id, row.level, row.property, row.operation, row.sentence) == (
            slow.id,
            slow.level,
            slow.property,
            slow.operation,
            slow.sentence,
        )
        assert row.solver == "footprints" and row.reason == "its fields are not written"


def test_it_rests_on_two_footprints_and_on_no_function():
    decide = next(decide for id_, _, decide in questions("tool_release", KERNEL) if id_ == "tool_release/CAP-1")
    with recording() as read:
        decide()
    assert {(kind, name) for kind, name in fingerprint.names(of_answers(read))} == {
        ("fact", "corollary.proofs.unwritten:written_by#tool_release#kernel"),
        ("fact", "corollary.proofs.unwritten:read_by#CAP-1#kernel"),
    }


def spoil(s: Kernel) -> None:
    row = s.page[3]
    clear(row)


def test_a_step_that_writes_what_a_promise_speaks_of_is_put_to_the_solver_and_refuted():
    name, fact = "tool_release", "corollary.proofs.unwritten:written_by#tool_release#kernel"
    function, said = translate(step_named(name, KERNEL).operation.function), fingerprint.now("fact", fact)
    spared = {each.about for each in shortcuts(step_named(name, KERNEL)).values() if each.applies()}
    usual, function.body = function.body, (*translate(spoil).body, *function.body)
    try:
        fingerprint.forget()
        assert fingerprint.now("fact", fact) != said
        asked = {
            id_.split("/")[1]: decide
            for id_, _, decide in questions(name, KERNEL)
            if not isinstance(decide, unwritten.Unwritten)
        }
        now_asked = [id_ for id_ in INVARIANTS if id_ in spared and id_ in asked]
        assert now_asked and all(any(path[0] == "page" for path in read_by(id_, KERNEL.name)) for id_ in now_asked)
        assert any(asked[id_]().result != "proved" for id_ in now_asked)
        assert all(
            each().result == "refuted"
            for each in shortcuts(step_named(name, KERNEL)).values()
            if each.about in now_asked
        )
    finally:
        function.body = usual
        fingerprint.forget()
    assert fingerprint.now("fact", fact) == said


def test_a_row_that_footprints_decide_is_kept_without_what_was_read_to_list_its_step(tmp_path, monkeypatch):
    monkeypatch.setattr(cache, "FOLDER", tmp_path)
    verify.questions_of.cache_clear()
    rows, _ = verify.decide_rows(
        "tool_release", ["tool_release/CAP-1", "tool_release/CAP-1"], "run", "worker", (), KERNEL.name
    )
    assert [row["cached"] for row in rows] == [False, True]
    assert {kind for kind, _ in cache.read_of("tool_release/CAP-1")} == {"fact", "code", "component"}
