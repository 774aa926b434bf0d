"""Is it stated who sees each part of the state? Is every release needed, and do two runs agree where they should?"""

from copy import deepcopy

import pytest

from corollary.language.observation import View, is_about
from corollary.model.kernel.component import KERNEL
from corollary.proofs.frame import scalars_of
from corollary.proofs.pair import alike
from corollary.proofs.prove import Step
from corollary.proofs.replay import load
from corollary.proofs.respect import disturbed
from corollary.proofs.transition import transitions
from corollary.proofs.unwinding import revealed
from corollary.report.explain import replayed
from corollary.report.ledger import rows
from corollary.spec.agent import Life
from corollary.spec.kernel.block import ALL_UNITS
from corollary.spec.kernel.hardware import Leaf
from corollary.spec.kernel.limits import MESSAGES_PER_EDGE, PAGE_WORDS
from corollary.spec.kernel.memory import lets, mapping_id
from corollary.spec.kernel.observation import DISCLOSURES, INTERFERENCES, NOVELTIES, PRIVATE, RELEASED, SEALED
from corollary.spec.kernel.state import Kernel
from corollary.spec.kernel.vocabulary import Access, Mode, ObjectKind, PageKind, PartitionState, Status
from tests.model.test_agents import begin, change, host, hosting, running, speaking
from tests.model.world import FIRST_FREE, SLOT_SCHEDULER, Right, World
from tests.proofs.kernel import PARTS, place

SHOWN_BY = {"heirs": ("partition_destroy", "partition")}
MADE_BY = {
    "page_created": "page_create",
    "blank_contents": "page_create",
    "blank_mapping": "page_create",
    "mapping_linked": "page_map",
    "page_shared": "page_share",
    "slot_filled": "capability_grant",
    "page_listed": "page_transfer",
    "edge_made": "edge_create",
    "message_sent": "edge_send",
    "notification_made": "notification_create",
    "agent_begun": "agent_create",
    "child_begun": "agent_create",
    "page_pinned": "device_submit",
    "block_made": "block_create",
    "unit_linked": "block_map",
}
NEEDED_BY = {
    "turn": "yield_now",
    "time": "tool_acquire",
    "room": "tool_release",
    "ring": "tool_acquire",
    "standing": "capability_inspect",
    "pool": "page_create",
    "attestation": "ring_elevate",
}
TOLD_BY_SENDING = {"progress": Status.WOULD_BLOCK, "sender": Status.NOT_SENDER}  # what a sender learns, and how
REFUTED_LATE = {"turn", "pool", "ring", "standing", "attestation"}  # Z3 looks for these two states for minutes
LEFT_BY = {
    "last time": ("preempt", "partition"),
    "free": ("wait", "partition"),
    "foothold": ("region_reclaim", "partition"),
    "last page": ("region_reclaim", "owned"),
    "found": ("find", "queue"),
}
FOLLOWS_IN = {"score ring": "ring_assign"}
TAKEN_BY = {"edges": "edge_create", "notifications": "notification_create"}
TOLD_TO_MAKERS = {"rows": Status.OBJECT_IN_USE, "births": Status.SPAWN_LIMIT}  # of agents, and how
OF_LARGE_MEMORY = {"fit": ("block_create", Status.NO_BLOCK), "dirt": ("block_clean", Status.WRONG_STATE)}
OF_HALVES = {
    "reflexes": Status.WRONG_MODE,
    "connection": Status.NOT_CONNECTED,
    "coherence": Status.NOT_COHERENT,
    "leased": Status.STILL_LEASED,
}
LOST = ("partition", "page", "contents", "mapping", "list")
DISTURBED_BY = {f"page taken back: {what}": "region_reclaim" for what in LOST} | {
    "inherited": "partition_destroy",
    "discard": "witness_discard",
    "inheritance": "partition_reclaim",
    "shared contents": "page_append",
    "end of a share": "page_unshare",
    "share": "share_map",
    "proof root": "proof_root_commit",
    **{f"end of a lease: {what}": "device_return" for what in ("device", "queue", "answer", "pin")},
}
LEAVES = [cell.path for cell, _ in scalars_of(place("s"))]


def step(name):
    return Step(next(transition for transition in transitions(KERNEL) if transition.name == name))


def decided(decide):
    """Return the result of an obligation; ask again, as `verify` does, when it is unknown.

    A search depends on the searches before it.
    """
    row = decide()
    return decide() if row.result == "unknown" else row


@pytest.mark.parametrize("path", LEAVES, ids=".".join)
def test_every_scalar_is_seen_by_somebody_or_private_for_a_reason(path):
    assert bool(KERNEL.view.observing(path)) != (path[0] in {each.field for each in PRIVATE})


def needed():
    """Return what a proof fails without; of what is refuted only after minutes `make full` asks."""
    rows = [row for row in RELEASED if row.name in NEEDED_BY]
    return [pytest.param(row, marks=pytest.mark.full) if row.name in REFUTED_LATE else row for row in rows]


def test_of_everything_released_it_is_shown_that_it_must_be():
    assert {
        *NEEDED_BY,
        *LEFT_BY,
        *TAKEN_BY,
        *TOLD_BY_SENDING,
        *FOLLOWS_IN,
        *TOLD_TO_MAKERS,
        *OF_LARGE_MEMORY,
        *OF_HALVES,
        "giver",
    } == {row.name for row in RELEASED}


@pytest.mark.parametrize("row", [row for row in RELEASED if row.name in FOLLOWS_IN], ids=lambda row: row.name)
def test_what_follows_from_the_rest_tells_nothing_more(row):
    assert step(FOLLOWS_IN[row.name]).answer([other for other in RELEASED if other is not row]).result == "proved"


@pytest.mark.parametrize("row", needed(), ids=lambda row: row.name)
def test_without_what_is_released_a_proof_fails(row):
    told = decided(lambda: step(NEEDED_BY[row.name]).answer([other for other in RELEASED if other is not row]))
    assert told.result == "refuted"
    story = replayed(told.counterexample.as_json())
    assert story.broken and story.example.holds is False
    assert alike(story.example.roots["s"], story.example.roots["t"], story.example.roots["s"].current, KERNEL.view)


@pytest.mark.full
@pytest.mark.parametrize("row", [row for row in RELEASED if row.name in LEFT_BY], ids=lambda row: row.name)
def test_without_what_is_released_states_are_left_different(row):
    name, part = LEFT_BY[row.name]
    told = step(name).left(part, [other for other in RELEASED if other is not row])
    assert (
        told.result != "proved"
    )  # a counterexample would have to hold whole page tables, twice; not all of them are found
    assert told.counterexample is None or told.counterexample.holds is False


def makers(name, taken):
    """Return a kernel in which partition 1 is about to use a number that partition 2 has taken, or has not."""
    w = World()
    for p in (1, 2):
        w.spawn(p)
        w.give(SLOT_SCHEDULER, p, 1)
        w.endow(p, edges=2, notifications=2)
    w.run(2).must(name, w.handle(1, 2), taken, 2, 0)
    return w.run(1)


@pytest.mark.parametrize("row", [row for row in RELEASED if row.name in TAKEN_BY], ids=lambda row: row.name)
def test_what_is_released_of_a_pool_tells_states_apart_that_are_alike_otherwise(row):
    name, (one, other) = TAKEN_BY[row.name], [makers(TAKEN_BY[row.name], number) for number in (7, 8)]
    assert alike(one.s, other.s, 1, KERNEL.view)
    states = [deepcopy(w.s) for w in (one, other)]
    assert [w.call(name, w.handle(1, 1), 7, 2, 0) for w in (one, other)] == [Status.OBJECT_IN_USE, Status.OK]
    assert [row.function(s, w.last) for s, w in zip(states, (one, other))] == [True, False]


def readers(ends):
    """Return a kernel in which partition 1 may map a page of partition 2.

    Partition 2 is destroyed, or its destruction failed.
    """
    w = World()
    for p in (1, 2):
        w.spawn(p)
    w.give(w.handle(31), 1, 1)
    w.data(2, FIRST_FREE + 100)
    w.must("page_share", w.handle(32), FIRST_FREE + 100, 1, w.handle(31))
    assert w.proved("partition_destroy", w.handle(32), words={} if ends else {0: 0}) == (
        Status.OK if ends else Status.POLICY_VIOLATION
    )
    return w.run(1)


def test_what_is_released_of_the_giver_of_a_share_tells_states_apart_that_are_alike_otherwise():
    pair = [readers(ends) for ends in (True, False)]
    assert alike(pair[0].s, pair[1].s, 1, KERNEL.view)
    states = [deepcopy(w.s) for w in pair]
    assert [w.call("share_map", w.handle(1, 1), FIRST_FREE + 100, 1, FIRST_FREE + 16 + 2, 9) for w in pair] == [
        Status.NOT_SHARED,
        Status.OK,
    ]
    (row,) = [row for row in RELEASED if row.name == "giver"]
    assert [row.function(s, w.last) for s, w in zip(states, pair)] == [True, False]


def neighbours(taken):
    """Return a kernel in which partition 1 is about to make an agent in the row that another partition's has, or not.

    It has agents to itself.
    """
    w = hosting()
    host(w, 2)
    w.give(w.handle(31), 1, 1)
    begin(w, 7 if taken else 8, p=2)
    return w.run(1)


def parents(alive):
    """Return a kernel in which an agent of partition 1 made one in partition 2, which lives on, or has ended."""
    w = hosting()
    host(w, 2)
    for p in (1, 2):
        w.give(w.handle(30 + p), 1, p)
    speaking(w, running(w))
    child = w.run(1).must("agent_create", w.handle(2, 1), 8, 0)
    w.must("capability_delete", w.handle(2, 1))
    w.run(0)
    assert change(w, child, Life.RUNNING if alive else Life.INITIALIZING, Life.TERMINATED, p=2) == (
        Status.WRONG_STATE if alive else Status.OK
    )
    return w.run(1)


@pytest.mark.parametrize(
    ("row", "make"),
    [(row, {"rows": neighbours, "births": parents}[row.name]) for row in RELEASED if row.name in TOLD_TO_MAKERS],
    ids=lambda each: getattr(each, "name", ""),
)
def test_what_is_released_to_who_makes_agents_tells_states_apart_that_are_alike_otherwise(row, make):
    pair = [make(taken) for taken in (True, False)]
    assert alike(pair[0].s, pair[1].s, 1, KERNEL.view)
    states = [deepcopy(w.s) for w in pair]
    assert [w.call("agent_create", w.handle(1, 1), 7, 0) for w in pair] == [TOLD_TO_MAKERS[row.name], Status.OK]
    told = [row.function(s, w.last) for s, w in zip(states, pair)]
    assert told[0] != told[1]


def takers(clean, taken):
    """Return a kernel in which partition 1 may have large memory, of which these units are clean, and these taken."""
    w = World()
    w.spawn(1)
    w.endow(1, units=2)
    w.give(w.handle(31), 1, 1)
    w.s.bank[0].clean, w.s.bank[0].taken = clean, taken
    w.s.bank[1].taken = ALL_UNITS
    return w.run(1)


@pytest.mark.parametrize("row", [row for row in RELEASED if row.name in OF_LARGE_MEMORY], ids=lambda row: row.name)
def test_what_is_released_of_large_memory_tells_states_apart_that_are_alike_otherwise(row):
    name, refused = OF_LARGE_MEMORY[row.name]
    pair = [takers(0, ALL_UNITS), takers(1, ALL_UNITS ^ 1) if row.name == "fit" else takers(0, 0)]
    assert alike(pair[0].s, pair[1].s, 1, KERNEL.view)
    states = [deepcopy(w.s) for w in pair]
    assert [w.call(name, w.handle(1, 1), 0) for w in pair] == [refused, Status.OK]
    told = [row.function(*((s, w.last) if row.name == "fit" else (s,))) for s, w in zip(states, pair)]
    assert told[0] != told[1]


def surgeons(name, refused):
    """Return a kernel in which partition 1 may merge partitions 2 and 3 and split 2 into 4, unless it is refused."""
    w = World()
    for p in (1, 2, 3):
        w.spawn(p)
    page = w.data(1, FIRST_FREE + 100)
    w.must("edge_create", SLOT_SCHEDULER, 7, 50, 0)
    w.give(w.handle(50), 3, 10, Right.READ)
    w.give(w.handle(50), 2, 10, Right.WRITE)
    w.create(4)
    w.own(4).parent = 1
    for p in (2, 3, 4):
        w.give(w.handle(30 + p), 1, p)
    w.s.traffic[7].source, w.s.traffic[7].target, w.s.traffic[7].carried = 2, 3, 7
    w.own(2).carried, w.own(3).carried = 10, 7
    if refused and name == "reflexes":
        w.s.mode = Mode.REFLEX
    elif refused and name == "connection":
        w.s.capability[50].lineage += 1
    elif refused and name == "coherence":
        w.s.traffic[7].carried = 6
    elif refused:
        w.s.device[9].leased, w.s.device[9].holder = True, 2
    return w.run(1), page


@pytest.mark.parametrize("row", [row for row in RELEASED if row.name in OF_HALVES], ids=lambda row: row.name)
def test_what_is_released_to_who_parts_partitions_tells_states_apart_that_are_alike_otherwise(row):
    pair = [surgeons(row.name, refused) for refused in (True, False)]
    worlds = [w for w, _ in pair]
    one, two, new = (worlds[0].handle(p, 1) for p in (2, 3, 4))
    asked = ("partition_split", one, new) if row.name == "reflexes" else ("partition_merge", one, two, 7, 10, 7)
    registers = [w.prove(*asked, page=page) for w, page in pair]
    assert alike(worlds[0].s, worlds[1].s, 1, KERNEL.view)
    states = [deepcopy(w.s) for w in worlds]
    assert [w.call(asked[0], *given) for w, given in zip(worlds, registers)] == [OF_HALVES[row.name], Status.OK]
    told = [row.function(*((s,) if row.name == "reflexes" else (s, w.last))) for s, w in zip(states, worlds)]
    assert told[0] != told[1]


EDGE, END, PAGE = 7, 2, {1: FIRST_FREE + 201, 2: FIRST_FREE + 202}


def partners():
    """Return two running partitions, each with a page: the first made an edge, the second may receive from it."""
    w = World()
    for p in (1, 2):
        w.spawn(p)
        w.data(p, PAGE[p])
    w.endow(1, edges=1)
    w.give(SLOT_SCHEDULER, 1, 1)
    w.give(w.handle(32), 1, 3)
    w.run(1).must("edge_create", w.handle(1, 1), EDGE, END, 0)
    w.must("capability_grant", w.handle(END, 1), END, Right.READ, w.handle(3, 1), 0)
    return w


def full(received):
    """Return a kernel in which partition 1 filled an edge, which the root partition made.

    Partition 2 received a message from it, or not.
    """
    w = World()
    for p in (1, 2):
        w.spawn(p)
        w.data(p, PAGE[p])
    w.must("edge_create", SLOT_SCHEDULER, EDGE, 50, 0)
    w.give(w.handle(50), 2, END, Right.READ)
    w.give(w.handle(50), 1, END, Right.WRITE)
    w.run(1)
    for _ in range(MESSAGES_PER_EDGE):
        w.must("edge_send", w.handle(END, 1), PAGE[1], 1, 0)
    w.run(2).call("edge_receive", w.handle(END, 2), PAGE[2] if received else PAGE[1])
    return w


def passed_on(given_up):
    """Return a kernel in which partition 1 let partition 2 send.

    Partition 2 gave that up, or tried to give up a capability that it does not have.
    """
    w = partners()
    w.must("capability_grant", w.handle(END, 1), END + 1, Right.WRITE, w.handle(3, 1), 0)
    w.run(2).call("capability_delete", w.handle(END + 1 if given_up else END + 2, 2))
    return w


@pytest.mark.parametrize(
    ("row", "make"),
    [(row, {"progress": full, "sender": passed_on}[row.name]) for row in RELEASED if row.name in TOLD_BY_SENDING],
    ids=lambda each: getattr(each, "name", ""),
)
def test_what_is_released_to_who_sends_tells_states_apart_that_are_alike_otherwise(row, make):
    pair = [make(freed) for freed in (False, True)]
    for w in pair:
        w.run(1).call("capability_delete", w.handle(3, 1))  # it no longer commands the other
    assert alike(pair[0].s, pair[1].s, 1, KERNEL.view)
    told = [row.function(w.s, 1, END) for w in pair]
    assert told[0] != told[1]
    assert [w.call("edge_send", w.handle(END, 1), PAGE[1], 1, 0) for w in pair] == [
        TOLD_BY_SENDING[row.name],
        Status.OK,
    ]


@pytest.mark.parametrize("row", INTERFERENCES, ids=lambda row: row.name)
def test_without_what_others_may_change_a_proof_fails(row):
    left = [other for other in INTERFERENCES if other is not row]
    asked = step(DISTURBED_BY[row.name])
    told = asked.respect(left)
    assert told.result == "refuted"
    assert {path[0] for path in disturbed(told.counterexample, asked.transition, left)} == {row.table}


@pytest.mark.parametrize("row", DISCLOSURES, ids=lambda row: row.name)
def test_without_what_is_disclosed_a_proof_fails(row):
    name, part = SHOWN_BY[row.name]
    left = [other for other in DISCLOSURES if other is not row]
    told = step(name).shown(part, left)
    assert told.result == "refuted" and revealed(told.counterexample, step(name).transition, part, left)


@pytest.mark.parametrize("row", NOVELTIES, ids=lambda row: f"{row.table}-{row.function.__name__}")
def test_what_is_made_is_seen_for_the_first_time(row, monkeypatch):
    left = [other for other in NOVELTIES if other is not row]
    monkeypatch.setattr(View, "making", lambda view, path: [other for other in left if is_about(other, path)])
    part = next(part for part, tables in PARTS.items() if row.table in tables)
    told = step(MADE_BY[row.function.__name__]).shown(part)
    assert told.result == "refuted" and told.counterexample.holds is False


def test_what_a_step_makes_visible_is_the_same_though_the_step_leaves_it_as_it_was():
    """A free page's contents are zero (MEM-5). Nothing else keeps its next owner from seeing the old ones."""
    told = step("page_create").left("memory")
    assert told.result == "proved" and "MEM-5" in told.assumptions


@pytest.mark.full
def test_two_states_are_left_different_where_what_is_released_differs():
    told = step("yield_now").left("partition", [row for row in RELEASED if row.name != "turn"])
    assert told.result == "refuted"
    story = replayed(told.counterexample.as_json())
    assert story.broken and "the same in both states before" in story.finding


def test_what_is_released_stands_in_the_ledger():
    declared = {
        f"{kind}: {row.name}"
        for kind, table in (("released", RELEASED), ("interference", INTERFERENCES), ("disclosed", DISCLOSURES))
        for row in table
    } | {f"sealed: {row.table} in {', '.join(row.about)}" for row in SEALED}
    assert declared == {row.name for row in rows() if row.kind == "declassification"}


def test_what_nobody_sees_stands_in_the_ledger():
    assert {f"private: {each.field}" for each in PRIVATE} <= {row.name for row in rows() if row.kind == "argument"}


def test_a_pair_survives_on_disk():
    told = step("tool_acquire").answer([])
    data = told.counterexample.as_json()
    assert load(data, KERNEL).as_json() == data


def states_with(value):
    """Return a state in which partition 1 owns a page whose table is gone.

    The table's place is now data of partition 2, which wrote a word there.
    """
    s = Kernel()
    for page, p in ((4, 1), (5, 2)):
        s.page[page].kind, s.page[page].owner, s.partition[p].state = PageKind.DATA, p, PartitionState.RUNNING
    own = s.mapping[mapping_id(4, 0)]
    own.linked, own.cached, own.partition, own.table, own.entry = True, True, 1, 5, PAGE_WORDS - 1
    s.memory[5].word[PAGE_WORDS - 1] = value
    return s


def test_what_another_wrote_where_a_table_was_is_not_told():
    one, other = states_with(0), states_with(Leaf.parts["never_executed"].mask)
    assert alike(one, other, 1, KERNEL.view) and not alike(one, other, 2, KERNEL.view)
    assert lets(one, 1, 4, Access.WRITE) == lets(other, 1, 4, Access.WRITE)


def test_states_differ_to_whom_a_page_is_shared_with():
    one, other = states_with(0), states_with(1)
    for s in (one, other):
        share = s.mapping[mapping_id(5, 1)]
        share.used, share.partition = True, 3
    assert not alike(one, other, 3, KERNEL.view) and alike(one, other, 4, KERNEL.view)


def test_states_differ_to_whom_commands_the_owner():
    one, other = states_with(0), states_with(1)
    for s in (one, other):
        slot = s.capability[3 * 64 + 7]
        slot.kind, slot.object, slot.rights = ObjectKind.PARTITION, 2, 2
    assert not alike(one, other, 3, KERNEL.view)
