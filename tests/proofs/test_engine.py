"""Does the engine prove what follows from the invariants, and nothing else? The steps asked about change one scalar."""

from types import SimpleNamespace
from typing import Any

import pytest
import z3

from corollary.language import ir
from corollary.language.frontend import translate
from corollary.language.property import Property
from corollary.language.types import Index, u32
from corollary.model.kernel.component import KERNEL
from corollary.proofs import bits, symbolic
from corollary.proofs.engine import Question
from corollary.proofs.frame import frame_goal, scalars_of
from corollary.proofs.machine.summary import named
from corollary.proofs.pair import Noting, Pair, handles, same_answer
from corollary.proofs.prove import Step, nothing
from corollary.proofs.replay import judge
from corollary.proofs.respect import disturbed, respect_goal
from corollary.proofs.symbolic import TOP, Executor, Reference, Store
from corollary.proofs.transition import Run, Transition, step_named
from corollary.proofs.unwinding import determined, diverged, revealed
from corollary.spec.kernel.hypercalls import OPERATIONS
from corollary.spec.kernel.integrity import acts_on
from corollary.spec.kernel.limits import SLOTS
from corollary.spec.kernel.observation import ALONE, NOVELTIES, OBSERVATIONS
from corollary.spec.kernel.sha256 import Block, Digest, compress
from corollary.spec.kernel.state import Call, Kernel, PageId, PartitionId, SlotId
from corollary.spec.kernel.vocabulary import ALL_RIGHTS, ObjectKind, PageKind, PartitionState, Status
from tests.proofs.kernel import PARTS, place, still

LEAVES = {".".join(cell.path): (cell, indices) for cell, indices in scalars_of(place("s"))}
WITHOUT_HANDLES = next(declared for declared in OPERATIONS if not declared.handles)
STILL = still()


def pages_are_data(s: Kernel, page: PageId) -> bool:
    return s.page[page].kind == PageKind.DATA


def roots_are_data(s: Kernel, p: PartitionId) -> bool:
    return s.page[s.partition[p].root].kind == PageKind.DATA


DATA = Property("DATA", "every page is one of data", pages_are_data)


def read(run, *path, index=None):
    """Return a scalar of the state before."""
    cell = place("s")
    for part in path:
        cell = cell.element(index) if part == "[]" else cell.field(part, cell.type.fields[part])
    return run.before.read(cell, run.executor.index_types(cell), TOP)


PAGE = z3.Const("?page", bits.sort(PageId))


def asked(premises_, goal, *invariants, step=STILL, effort=None):
    """Return the result of a question about any state; premises and goal are functions of the run."""
    run, options = Run(step), {"effort": effort} if effort is not None else {}
    by_id = {property_.id: property_ for property_ in invariants}
    question = Question(run, by_id, quantified=[("?page", PageId, PAGE)], **options)
    return question.decide([premise(run) for premise in premises_], goal(run))


# ---- a question


def test_a_scalar_has_the_values_of_its_type_and_no_others():
    assert asked([], lambda run: z3.ULT(read(run, "page", "[]", "kind", index=PAGE), PageKind.bound)).result == "proved"
    assert asked([], lambda run: read(run, "page", "[]", "kind", index=PAGE) != PageKind.bound - 1).result == "refuted"


def test_a_premise_counts_and_nothing_else_is_one():
    def few(run):
        return z3.ULT(read(run, "sequence"), 4)

    assert asked([few], lambda run: z3.ULT(read(run, "sequence"), 5)).result == "proved"
    assert asked([few], lambda run: z3.ULT(read(run, "sequence"), 3)).result == "refuted"
    assert asked([lambda run: True], few).result == "refuted"


def test_an_invariant_holds_at_every_index_that_a_question_speaks_of():
    def is_data(run):
        return read(run, "page", "[]", "kind", index=PAGE) == int(PageKind.DATA)

    assert asked([], is_data).result == "refuted"
    told = asked([], is_data, DATA)
    assert told.result == "proved" and told.assumptions == ("DATA",)
    assert asked([], lambda run: bits.negate(is_data(run)), DATA).result == "refuted"


def test_an_invariant_is_none_of_the_state_that_boot_finds():
    def is_data(run):
        return bits.truth(run.evaluate(pages_are_data, [place("s"), PAGE], run.before)[0])

    assert asked([], is_data, DATA, step=still("boot", from_zero=True)).result == "refuted"


def test_a_question_that_takes_too_long_is_not_decided():
    told = asked([], lambda run: read(run, "sequence") * read(run, "sequence") != 49, effort=0)
    assert told.result == "unknown" and told.candidate is None


def test_a_counterexample_breaks_the_goal_and_no_invariant():
    told = asked([], lambda run: read(run, "page", "[]", "owner", index=PAGE) != 3, DATA)
    state, page = told.candidate.roots["s"], told.candidate.scalars["?page"]
    assert told.result == "refuted" and state.page[page].owner == 3 and state.page[page].kind == PageKind.DATA


def test_each_term_of_a_formula_is_looked_at_once():
    word, seen = z3.BitVec("word", 8), set()
    doubled = word + word
    found = [number for number, _ in bits.unseen(doubled * doubled, seen)]
    assert len(found) == len(set(found)) == 3 and set(found) == seen and not list(bits.unseen(doubled, seen))


# ---- a step


def vacate(s: Kernel) -> None:
    s.partition[0].state = PartitionState.VACANT


def count(s: Kernel) -> None:
    s.sequence += 1


def count_carefully(s: Kernel) -> None:
    if s.sequence < 1000:
        s.sequence += 1


def is_there(s: Kernel) -> bool:
    return s.partition[0].state != PartitionState.VACANT


THERE = Property("THERE", "the first partition is there", is_there)


def step(function):
    found = Step(Transition(function.__name__, function, component=KERNEL))
    found.invariants = {THERE.id: THERE}
    return found


def test_what_a_step_breaks_is_refuted_by_a_state_that_replays():
    told = step(vacate).preserves(THERE)
    assert told.result == "refuted" and told.counterexample.holds is False
    assert told.counterexample.roots["s"].partition[0].state != PartitionState.VACANT


def test_what_a_step_leaves_is_proved():
    assert step(count_carefully).preserves(THERE).result == step(nothing).preserves(THERE).result == "proved"


def is_zero_or_counted(s: Kernel) -> None:
    if s.sequence > 0:
        s.sequence -= 1


@pytest.mark.parametrize(
    ("function", "result"), [(count, "refuted"), (count_carefully, "proved"), (is_zero_or_counted, "proved")]
)
def test_a_sum_that_may_overflow_is_refuted_where_it_stands(function, result):
    told = step(function).well_formed("test_engine")
    assert told.result == result and ("fits" in told.reason) == (result == "refuted")


# ---- what a refused call, or the calls of others, may change


def test_every_table_of_the_state_has_scalars():
    assert {leaf.split(".")[0] for leaf in LEAVES} == set(Kernel.fields) and len(LEAVES) > 2 * len(Kernel.fields)


def changed_alone(leaf, operation=WITHOUT_HANDLES.number):
    """Return a call without handles that changes one scalar alone, anywhere in its table.

    The result is the run, the scalar, and the condition for the change.
    """
    run, (cell, _) = Run(STILL), LEAVES[leaf]
    value = z3.Const("value", bits.sort(cell.type))
    old = run.before.read(cell, run.executor.index_types(cell), TOP)
    run.after = run.before.fork()
    run.after.write(place("call").field("operation", Call.fields["operation"]), operation, TOP)
    run.after.write(cell, value, TOP)
    return run, cell, value != old


def can_fail(goal, *conditions):
    """Can a goal fail under some conditions?"""
    solver = z3.SolverFor("QF_UFBV")
    solver.add(*map(bits.truth, conditions), bits.truth(bits.negate(goal)))
    return solver.check() == z3.sat


@pytest.mark.parametrize("leaf", LEAVES)
def test_a_refused_call_changes_the_books_and_the_account_of_its_caller_alone(leaf):
    run, cell, changed = changed_alone(leaf)
    current, owned = read(run, "current"), KERNEL.is_of_caller(cell.path, refused=True)
    run.transition = step_named("yield_now", KERNEL)  # a call, which has a status
    for status, refused in ((Status.BAD_ARGUMENT, True), (Status.OK, False)):
        run.status = status
        _, goal = frame_goal(run)
        assert can_fail(goal, changed) == (refused and not KERNEL.is_book(cell.path))
        if owned:
            same = bits.compare("==", cell.indices[0], current, PartitionId)
            assert not can_fail(goal, changed, same) and can_fail(goal, changed, bits.negate(same)) == refused


def test_a_goal_about_all_that_is_kept_names_the_indices_of_all():
    variables, _ = frame_goal(changed_alone(next(iter(LEAVES)))[0])
    kept = [indices for cell, indices in LEAVES.values() if not KERNEL.is_book(cell.path)]
    assert {name for name, _, _ in variables} == {name for indices in kept for name, _, _ in indices}


@pytest.mark.parametrize("leaf", LEAVES)
def test_a_bystander_is_disturbed_by_any_change_of_what_it_sees(leaf):
    run, cell, changed = changed_alone(leaf)
    variables, goal = respect_goal(run, ())
    bystander = variables[0][2]
    field = cell.path[2] if len(cell.path) > 2 else None
    rows = [row for row in OBSERVATIONS if row.table == cell.path[0] and field in (row.only or (field,))]
    types = run.executor.index_types(cell)
    indices = [index for index, type_ in zip(cell.indices, types) if isinstance(type_, Index)]
    seen = [run.evaluate(row.function, [place("s"), bystander, ALONE, *indices], run.before)[0] for row in rows]
    assert can_fail(goal, changed) == can_fail(False, bits.disjoin(seen), bystander != run.actor)
    assert not can_fail(goal, changed, bystander == run.actor)
    vacant = read(run, "partition", "[]", "state", index=bystander) == int(PartitionState.VACANT)
    assert not can_fail(goal, changed, vacant)


def test_what_a_handle_of_the_call_names_may_be_changed():
    run, _, changed = changed_alone("partition.[].score")
    run.transition = step_named("yield_now", KERNEL)  # a call, which may name somebody
    variables, goal = respect_goal(run, ())
    named, _ = run.evaluate(acts_on, [place("s"), place("call"), variables[0][2], int(ALL_RIGHTS)], run.before)
    assert can_fail(goal, changed) and not can_fail(goal, changed, named)


# ---- which scalars a function reads


def test_what_a_function_is_given_and_what_it_reads_is_noted_in_order():
    run = Run(STILL)
    executor = Noting(run.before.fork(), translate(pages_are_data), [place("s"), PAGE])
    executor.run(translate(pages_are_data), [place("s"), PAGE])
    kind = read(run, "page", "[]", "kind", index=PAGE)
    assert [(str(value), type_) for value, type_ in executor.inputs] == [("?page", PageId), (str(kind), PageKind)]


def hashed(*known):
    """Return the state after a compression, some of whose inputs are known."""
    store = Store({"state", "block"})
    store.shared.update(roots={"state": Digest, "block": Block})
    state, block = (Reference(name, (), (), type_) for name, type_ in store.shared["roots"].items())
    for reference in (state, block):
        for number in range(reference.type.length if reference.root in known else 0):
            store.write(reference.element(number), number, TOP)
    Executor(store).run(translate(compress), [state, block])
    return store.read(state.element(0), [u32], TOP)


def test_a_hash_is_computed_where_all_of_its_inputs_are_known_and_else_is_any():
    state = list(range(8))
    compress(state, list(range(16)))
    assert hashed("state", "block") == state[0]
    for known in (("state",), ("block",), ()):
        found: Any = hashed(*known)
        assert found.arg(0).decl().name() == "sha256_compress"


# ---- what two runs may leave different


OF_PARTS = {leaf: part for part in PARTS for leaf in LEAVES if leaf.split(".")[0] in PARTS[part]}


def changed_in_both(leaf):
    """Return two runs of a step that sets a scalar to a choice of each run.

    The result also says whether the scalar is the same before, and after.
    """
    pair, (cell, _) = Pair(STILL), LEAVES[leaf]
    values = [z3.Const(name, bits.sort(cell.type)) for name in ("one", "other")]
    for run, value in zip(pair.runs.values(), values):
        run.after = run.before.fork()
        run.after.write(cell, value, TOP)
    types = pair.first.executor.index_types(cell)
    before = [run.before.read(cell, types, TOP) for run in pair.runs.values()]
    return pair, before[0] == before[1], values[0] == values[1]


@pytest.mark.parametrize("leaf", OF_PARTS)
def test_a_scalar_that_was_the_same_is_the_same_afterwards(leaf):
    pair, before, after = changed_in_both(leaf)
    _, _, goals = determined(pair, OF_PARTS[leaf])
    goal = next(
        (goal for goal in goals if can_fail(goal, before, z3.Not(after)) and not can_fail(goal, after, before)), None
    )
    assert goal is not None
    path = LEAVES[leaf][0].path
    if not any(row.table == path[0] and (not row.only or path[2] in row.only) for row in NOVELTIES):
        assert not can_fail(goal, z3.Not(before))


def test_the_same_key_and_for_hashes_the_same_books_are_given():
    key = Kernel.fields["key"].length
    for part in PARTS:
        pair = Pair(STILL)
        _, premises_, _ = determined(pair, part)
        assert len(premises_) >= key if part not in KERNEL.view.joint else len(premises_) > key
        first = place("s").field("key", Kernel.fields["key"]).element(0)
        words = [run.before.read(first, [u32], TOP) for run in pair.runs.values()]
        assert not can_fail(words[0] == words[1], *premises_)


def test_states_that_the_caller_can_tell_apart_are_no_counterexample(monkeypatch):
    step_ = Step(STILL)
    monkeypatch.setattr(step_, "decide_pair", lambda *arguments: arguments[-1])
    monkeypatch.setattr(step_, "of_pairs", lambda decide: decide(step_.pair))
    judged: Any = step_.answer()
    other = Kernel()
    other.partition[other.current].score = 5
    for t, told, holds in ((Kernel(), False, False), (other, False, True), (Kernel(), True, True), (other, True, True)):
        assert judged(SimpleNamespace(holds=told, roots={"s": Kernel(), "t": t})) == holds


def is_fifth_slot(before: Kernel, s: SlotId) -> bool:
    return s == 5


def test_an_index_may_have_the_name_of_a_state():
    for number in (4, 5):
        example = SimpleNamespace(scalars={"?s": number}, status=Status.OK)
        told = judge(example, Property("X-1", "", is_fifth_slot), {"before": Kernel(), "s": Kernel()})
        assert told == (number == 5)


def with_page(number, **fields):
    """Return a state in which a page has these fields."""
    s = Kernel()
    for name, value in fields.items():
        setattr(s.page[number], name, value)
    return s


def test_what_a_concrete_step_makes_is_the_same_in_both_runs_whatever_it_was():
    free, other = with_page(4, filled=1), with_page(4, filled=2)
    made = [with_page(4, kind=PageKind.DATA, filled=filled) for filled in (1, 1, 2)]
    for endings, paths in ((made[:2], []), (made[1:], [("page", 4, "filled")])):
        example = SimpleNamespace(
            roots={"s": free, "t": other}, scalars={"?PageId": 4}, after=endings[0], other_after=endings[1]
        )
        assert diverged(example, STILL, "page") == paths


@pytest.mark.parametrize("told", ["status", *range(Call.fields["result"].length)])
def test_an_answer_is_the_same_where_the_status_and_every_word_is(told):
    pair, one, other = Pair(STILL), z3.BitVec("one", 64), z3.BitVec("other", 64)
    pair.transition = step_named("yield_now", KERNEL)  # a call, which has a status
    for run, value in zip(pair.runs.values(), (one, other)):
        run.status, run.after = int(Status.OK), run.before.fork()
        for number in range(Call.fields["result"].length):
            cell = place("call").field("result", Call.fields["result"]).element(number)
            run.after.write(cell, value if number == told else number, TOP)
    if told == "status":
        pair.first.status = int(Status.BAD_ARGUMENT)
    assert can_fail(same_answer(pair), one != other)
    assert told == "status" or not can_fail(same_answer(pair), one == other)


def test_what_has_a_name_in_two_runs_is_what_it_stands_for():
    told = Pair(step_named("yield_now", KERNEL)).names()
    assert told and not any(z3.is_true(z3.simplify(each)) for each in told)


def test_only_a_single_loop_that_changes_something_is_taken_as_a_sweep():
    sweeps = [function for function in named().values() if symbolic.is_loop(function)]
    assert sweeps and all(
        function.mutates and isinstance(function.body[0], ir.For) and len(function.body) == 1 for function in sweeps
    )
    assert len(sweeps) < len(named())


# ---- who is disturbed by a concrete step


def scored(bystander):
    """Return a step in which partition 2 runs, the score of partition 3 changes, and somebody looks on."""
    before, after = Kernel(), Kernel()
    for s in (before, after):
        s.current = 2
        for p in (2, 3):
            s.partition[p].state = PartitionState.RUNNING
    after.partition[3].score = 7
    roots = {"s": before, "call": Call()}
    return SimpleNamespace(roots=roots, after=after, scalars={"?bystander": bystander})


def test_what_a_call_leaves_alone_of_a_bystander_it_may_change_of_its_caller_and_of_nobody():
    call, example = step_named("yield_now", KERNEL), scored(3)
    assert disturbed(example, call, ()) == [("partition", 3, "score")]
    example.roots["s"].current = 3
    assert disturbed(example, call, ()) == []
    example = scored(3)
    for s in (example.roots["s"], example.after):
        s.partition[3].state = PartitionState.VACANT
    assert disturbed(example, call, ()) == [] and disturbed(scored(4), call, ()) == []


def test_whom_a_handle_of_a_concrete_call_names_is_no_bystander():
    call, example = step_named("partition_destroy", KERNEL), scored(3)
    example.roots["call"].operation = call.operation.number
    for number in handles(call):
        example.roots["call"].argument[number] = 5
    assert disturbed(example, call, ()) != []
    slot = example.roots["s"].capability[2 * SLOTS + 5]
    slot.kind, slot.object, slot.rights = ObjectKind.PARTITION, 3, ALL_RIGHTS
    assert disturbed(example, call, ()) == []


def test_a_concrete_step_reveals_what_is_seen_after_it_and_was_neither_seen_nor_made():
    free, mine, other = (with_page(4), *(with_page(4, kind=PageKind.DATA, owner=owner) for owner in (1, 2)))
    for before, after, shows in ((free, mine, False), (other, mine, True), (mine, mine, False), (other, other, False)):
        before.current = 3
        scalars = {"?observer": 1, "?slot": ALONE, "?PageId": 4}
        example = SimpleNamespace(roots={"s": before, "call": Call()}, after=after, scalars=scalars)
        assert bool(revealed(example, step_named("yield_now", KERNEL), "page")) == shows
