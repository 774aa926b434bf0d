"""Do agents begin only of attested modules, live as the table of edges says, and speak only for their partition?"""

import hashlib
import itertools

import pytest

from corollary.spec.agent import Life, may_follow
from corollary.spec.kernel.agent import badge_of, life_of, lives, names_living, speaker_of
from corollary.spec.kernel.edge import MESSAGE_AGENT, MESSAGE_SOURCE
from corollary.spec.kernel.limits import AGENTS, ANCESTRY_LIMIT, CHILDREN, COUNTER_LIMIT, MODULE_LINES, PARTS
from corollary.spec.kernel.vocabulary import Action
from tests.model.world import (
    ALL_RIGHTS,
    DRAIN_PAGE,
    FIRST_DATA,
    FIRST_FREE,
    ROOT,
    SELF,
    SLOT_OWN,
    SLOT_SCHEDULER,
    SPARE_PAGE,
    Allowance,
    PageKind,
    Right,
    Status,
    World,
    leaf_of,
    numbers,
    root_of,
)

HOST, OTHER = 1, 2
ROW = 5
CODE = FIRST_FREE + 300  # pages of a module
WORDS = [0x0061_736D + 7 * number for number in range(512)]  # of a page of a module
PATH = (0b10, (b"\x11" * 32, b"\x22" * 32))  # position and siblings
OWN = 20  # the slot of a partition's capability on itself


def bytes_of(words):
    """Return words as they lie in memory."""
    return b"".join(word.to_bytes(8, "little") for word in words)


HASH = hashlib.sha256(bytes_of(WORDS)).digest()
NAME = numbers(HASH)[0]


def hosting(agents=8, attested=HASH):
    """Return a world whose root of proofs attests a module, with a partition for agents that has the module's page."""
    w = World(attested=root_of(leaf_of(attested), *PATH))
    host(w, HOST, agents)
    return w


def host(w, p, agents=8):
    """Let a partition have agents."""
    w.spawn(p)
    if agents:
        w.endow(p, agents=agents)
    w.data(p, CODE + p)
    for position, word in enumerate(WORDS):
        w.s.memory[CODE + p].word[position] = word


def begin(w, row=ROW, place=0, p=HOST):
    """Begin an agent, and return its badge."""
    return w.must("agent_create", w.handle(30 + p), row, place)


def measure(w, badge, p=HOST, parts=range(PARTS)):
    """Measure the page of a module."""
    for part in parts:
        w.must("agent_measure", w.handle(30 + p), badge, CODE + p, part)


def spawn(w, badge, p=HOST, name=NAME, path=PATH, **details):
    """Ask for the spawn of an agent that was measured."""
    return w.proved("agent_spawn", w.handle(30 + p), badge, name, path=path, **details)


def running(w, row=ROW, place=0, p=HOST):
    """Return the badge of an agent that runs."""
    badge = begin(w, row, place, p)
    measure(w, badge, p)
    assert spawn(w, badge, p) == Status.OK
    return badge


def change(w, badge, old, life, p=HOST):
    """Ask for a change of an agent's life."""
    return w.call("agent_change", w.handle(30 + p), badge, life, old)


def counted(s):
    """Compare what every partition counts with the agents that live in it."""
    for p, row in s.partition.rows.items():
        assert row.agents_made == sum(lives(s, a) and s.agent[a].partition == p for a in range(AGENTS))
    return True


# ---- beginning


def test_an_agent_begins_is_measured_and_runs():
    w = hosting()
    badge = begin(w)
    row = w.s.agent[ROW]
    assert badge == ROW | 1 << 8 == badge_of(w.s, ROW) and w.last.result[0] == badge
    assert (row.life, row.partition, row.parent, row.depth, row.spawned) == (Life.INITIALIZING, HOST, 0, 0, 0)
    measure(w, badge)
    assert w.last.result[0] == row.lines == 64
    assert spawn(w, badge) == Status.OK
    assert row.life == Life.RUNNING and row.spawned == w.now
    assert b"".join(word.to_bytes(4, "big") for word in row.module) == HASH
    assert counted(w.s) and w.own(HOST).agents_made == 1
    assert w.newest.kind == Action.AGENT_SPAWN and w.newest.object == badge and w.newest.payload == NAME


@pytest.mark.parametrize(
    "details",
    [
        dict(path=(PATH[0] ^ 1, PATH[1])),
        dict(path=(PATH[0], PATH[1][::-1])),
        dict(path=(PATH[0], PATH[1][:1])),
        dict(path=(0, ())),
        dict(path=None),
        dict(tier=2),
        dict(words={0: 1}),
    ],
    ids=str,
)
def test_no_path_no_agent(details):
    w = hosting()
    badge = begin(w)
    measure(w, badge)
    assert spawn(w, badge, **details) == Status.POLICY_VIOLATION
    assert w.s.agent[ROW].life == Life.INITIALIZING and w.own(ROOT).nonce == 0
    assert spawn(w, badge) == Status.OK


@pytest.mark.parametrize(
    "parts",
    [(), range(15), range(1, 16), (*range(14), 15, 14), (*range(16), 15), (0, *range(16)), range(15, -1, -1)],
    ids=str,
)
def test_another_module_is_not_attested(parts):
    w = hosting()
    badge = begin(w)
    measure(w, badge, parts=parts)
    assert spawn(w, badge) == Status.POLICY_VIOLATION


def test_a_module_that_changed_by_a_bit_is_not_attested():
    w = hosting()
    badge = begin(w)
    w.s.memory[CODE + HOST].word[511] ^= 1 << 63
    measure(w, badge)
    assert spawn(w, badge) == Status.POLICY_VIOLATION
    other = hashlib.sha256(bytes_of([*WORDS[:511], WORDS[511] ^ 1 << 63])).digest()
    v = hosting(attested=other)
    badge = begin(v)
    measure(v, badge)
    assert spawn(v, badge, name=NAME) == Status.POLICY_VIOLATION
    assert spawn(v, badge, name=numbers(other)[0]) == Status.POLICY_VIOLATION


def test_the_record_names_the_module_that_was_measured():
    w = hosting()
    badge = begin(w)
    measure(w, badge)
    assert spawn(w, badge, name=NAME ^ 1) == Status.MODULE_MISMATCH
    assert spawn(w, badge, name=NAME) == Status.OK


def test_nobody_spawns_twice_or_without_proof():
    w = hosting()
    badge = running(w)
    assert spawn(w, badge) == Status.POLICY_VIOLATION  # its hash is finished, and is no state to go on from
    assert w.call("agent_spawn", w.handle(30 + HOST), badge, NAME, 0, 0, SPARE_PAGE) == Status.POLICY_VIOLATION


def test_the_module_of_another_partition_is_not_shown():
    w = hosting()
    host(w, OTHER)
    badge = begin(w, p=OTHER)
    measure(w, badge, p=OTHER)
    assert spawn(w, badge, p=HOST) == Status.POLICY_VIOLATION
    assert spawn(w, badge, p=OTHER) == Status.OK


def test_who_may_not_prove_spawns_nothing():
    w = hosting()
    badge = begin(w)
    measure(w, badge)
    w.must("capability_grant", w.handle(30 + HOST), 50, ALL_RIGHTS ^ Right.PROVE, SELF, 0)
    assert w.proved("agent_spawn", w.handle(50), badge, NAME, path=PATH) == Status.INSUFFICIENT_RIGHTS
    w.must("capability_grant", w.handle(30 + HOST), 51, Right.READ | Right.EXECUTE, SELF, 0)
    assert w.call("agent_create", w.handle(51), 9, 0) == Status.INSUFFICIENT_RIGHTS
    assert w.call("agent_measure", w.handle(51), badge, CODE + HOST, 0) == Status.INSUFFICIENT_RIGHTS
    assert w.call("agent_change", w.handle(51), badge, Life.TERMINATED, Life.INITIALIZING) == Status.OK


def test_only_pages_of_the_partition_are_measured():
    w = hosting()
    badge, handle = begin(w), w.handle(30 + HOST)
    assert w.call("agent_measure", handle, badge, FIRST_DATA, 0) == Status.NOT_OWNER
    assert w.call("agent_measure", handle, badge, FIRST_FREE + 16 * HOST, 0) == Status.NOT_OWNER  # a table of its own
    assert w.call("agent_measure", handle, badge, CODE + OTHER, 0) == Status.NOT_OWNER
    assert w.call("agent_measure", handle, badge, CODE + HOST, PARTS) == Status.BAD_ARGUMENT
    appended = w.page(HOST, CODE + 90, PageKind.APPEND)
    assert w.must("agent_measure", handle, badge, appended, 3) == 4


def test_no_module_is_too_long():
    w = hosting()
    badge = begin(w)
    w.s.agent[ROW].lines = MODULE_LINES - 4
    measure(w, badge, parts=(0,))
    assert w.call("agent_measure", w.handle(30 + HOST), badge, CODE + HOST, 0) == Status.LIMIT_REACHED


def test_rows_are_taken_once_and_badges_never_come_back():
    w, seen = hosting(agents=1), set()
    for number in range(1, 6):
        badge = begin(w)
        assert badge == ROW | number << 8 and badge not in seen
        assert w.call("agent_create", w.handle(30 + HOST), ROW, 0) == Status.OBJECT_IN_USE
        for old in seen:
            assert w.call("agent_measure", w.handle(30 + HOST), old, CODE + HOST, 0) == Status.STALE_HANDLE
            assert change(w, old, Life.INITIALIZING, Life.TERMINATED) == Status.STALE_HANDLE
        seen.add(badge)
        assert change(w, badge, Life.INITIALIZING, Life.TERMINATED) == Status.OK
        assert change(w, badge, Life.TERMINATED, Life.RUNNING) == Status.STALE_HANDLE
        assert counted(w.s)
    w.s.agent[ROW].generation = COUNTER_LIMIT
    assert w.call("agent_create", w.handle(30 + HOST), ROW, 0) == Status.SLOT_RETIRED


def test_a_partition_has_as_many_agents_as_it_was_lent():
    w = hosting(agents=3)
    badges = [begin(w, row) for row in range(3)]
    assert w.call("agent_create", w.handle(30 + HOST), 9, 0) == Status.LIMIT_REACHED
    assert change(w, badges[1], Life.INITIALIZING, Life.TERMINATED) == Status.OK
    begin(w, 9)
    assert w.call("agent_create", w.handle(30 + HOST), 1, 0) == Status.LIMIT_REACHED
    assert counted(w.s) and w.own(ROOT).agents == AGENTS - 3
    assert w.call("partition_endow", w.handle(30 + HOST), Allowance.AGENTS, AGENTS) == Status.LIMIT_REACHED


@pytest.mark.parametrize("name, arguments", [("agent_create", (AGENTS, 0)), ("agent_create", (0, CHILDREN))])
@pytest.mark.parametrize("beyond", [0, 1 << 8, 1 << 32, (1 << 64) - (1 << 9)])
def test_numbers_out_of_range_are_refused(name, arguments, beyond):
    w = hosting()
    assert w.call(name, w.handle(30 + HOST), *(value + beyond * (value > 0) for value in arguments)) == (
        Status.BAD_ARGUMENT
    )


@pytest.mark.parametrize("badge", [0, 1, ROW, 2 << 8 | ROW, 1 << 8, 0xFF_FFFF_FFFF, 1 << 40, (1 << 64) - 1], ids=hex)
def test_what_is_no_badge_names_nobody(badge):
    w = hosting()
    measure(w, begin(w))
    refused = Status.BAD_ARGUMENT if badge >= 1 << 40 else Status.STALE_HANDLE
    assert w.call("agent_measure", w.handle(30 + HOST), badge, CODE + HOST, 0) == refused
    assert change(w, badge, Life.INITIALIZING, Life.TERMINATED) == refused
    assert w.call("agent_speak", 0, badge) == refused
    assert spawn(w, badge) == Status.POLICY_VIOLATION
    assert life_of(w.s, ROW) == Life.INITIALIZING


# ---- life


@pytest.mark.parametrize("old, life", list(itertools.product(Life, Life)))
def test_lives_go_along_the_table(old, life):
    w = hosting()
    badge = running(w)
    w.s.agent[ROW].life = old
    allowed = may_follow(old, life) and not (old == Life.INITIALIZING and life == Life.RUNNING)
    refused = Status.STALE_HANDLE if old == Life.TERMINATED else Status.WRONG_STATE
    assert change(w, badge, old, life) == (Status.OK if allowed else refused)
    assert w.s.agent[ROW].life == (life if allowed else old)
    assert w.newest.kind == Action.AGENT_CHANGE
    if allowed:
        assert w.newest.object == badge | int(life) << 40 | int(old) << 48 or w.newest.payload == int(old)
    assert w.own(HOST).agents_made == (0 if allowed and life == Life.TERMINATED else 1)


@pytest.mark.parametrize("told", [life for life in Life if life != Life.RUNNING])
def test_whoever_errs_about_the_old_state_changes_nothing(told):
    w = hosting()
    badge = running(w)
    assert change(w, badge, told, Life.TERMINATED) == Status.WRONG_STATE
    assert w.s.agent[ROW].life == Life.RUNNING
    assert w.call("agent_change", w.handle(30 + HOST), badge, 7, 2) == Status.BAD_ARGUMENT


def test_a_handle_on_another_partition_changes_nothing():
    w = hosting()
    host(w, OTHER)
    badge = running(w)
    assert change(w, badge, Life.RUNNING, Life.SUSPENDED, p=OTHER) == Status.STALE_HANDLE


def test_the_life_of_an_agent_is_its_own_while_its_partition_rests():
    w = hosting()
    badge = running(w)
    w.must("partition_suspend", w.handle(30 + HOST))
    assert life_of(w.s, ROW) == Life.RUNNING
    assert change(w, badge, Life.RUNNING, Life.MIGRATING) == Status.OK
    w.must("partition_resume", w.handle(30 + HOST))
    assert life_of(w.s, ROW) == Life.MIGRATING


def test_agents_end_with_their_partition():
    w = hosting(agents=4)
    badges = [running(w, row, place) for row, place in ((1, 0), (2, 1), (3, 2))]
    handle = w.handle(30 + HOST)
    assert w.proved("partition_destroy", handle) == Status.OK
    assert not any(names_living(w.s, badge) for badge in badges)
    assert w.call("agent_create", handle, 9, 0) == Status.WRONG_STATE
    assert change(w, badges[0], Life.RUNNING, Life.TERMINATED) == Status.STALE_HANDLE
    while w.must("partition_release", handle):
        pass
    while w.own(HOST).records:
        w.drain()
    w.must("partition_reclaim", handle)
    w.must("capability_delete", handle)
    assert w.own(ROOT).agents == AGENTS and w.own(HOST).agents_made == 0
    host(w, HOST, agents=4)
    assert not any(names_living(w.s, badge) for badge in badges) and counted(w.s)
    assert begin(w, 2) == 2 | 2 << 8
    assert counted(w.s)


# ---- families


def speaking(w, badge, p=HOST):
    """Let an agent speak for its partition."""
    w.run(p).must("agent_speak", 0, badge)
    w.run(ROOT)


def family():
    """Return a world, and the badge of an agent that speaks for a partition with all rights on itself."""
    w = hosting(agents=40)
    w.give(w.handle(30 + HOST), HOST, OWN)
    badge = running(w)
    speaking(w, badge)
    return w, badge


def child(w, row, place):
    """Let the one that speaks ask for a child; return the status."""
    return w.run(HOST).call("agent_create", w.handle(OWN, HOST), row, place)


def test_whoever_speaks_is_the_parent():
    w, badge = family()
    assert child(w, 10, 2) == Status.OK
    row = w.s.agent[10]
    assert (row.parent, row.place, row.depth) == (badge, 2, 1) and w.s.agent[ROW].child[2] == badge_of(w.s, 10)
    assert w.s.agent[ROW].child[1] == 0 and counted(w.s)


def test_a_spawn_bomb_ends_at_four_children():
    w, badge = family()
    for place in range(CHILDREN):
        assert child(w, 10 + place, place) == Status.OK
    for row, place in itertools.product((20, 21), range(CHILDREN)):
        assert child(w, row, place) == Status.SPAWN_LIMIT
    w.run(ROOT)
    assert change(w, badge_of(w.s, 12), Life.INITIALIZING, Life.TERMINATED) == Status.OK
    assert child(w, 20, 1) == Status.SPAWN_LIMIT
    assert child(w, 20, 2) == Status.OK
    assert w.s.agent[ROW].child[2] == badge_of(w.s, 20)
    assert sum(w.s.agent[a].parent == badge and lives(w.s, a) for a in range(AGENTS)) == CHILDREN


def test_a_chain_of_children_has_an_end():
    w, badge = family()
    for depth in range(ANCESTRY_LIMIT):
        row = 10 + depth
        assert child(w, row, 0) == Status.OK
        w.run(ROOT)
        measure(w, badge_of(w.s, row))
        assert spawn(w, badge_of(w.s, row)) == Status.OK
        speaking(w, badge_of(w.s, row))
    assert w.s.agent[row].depth == ANCESTRY_LIMIT
    assert child(w, 30, 1) == Status.DEPTH_EXCEEDED


def test_a_partition_with_agents_makes_others_only_as_one_of_them():
    w = hosting()
    w.give(w.handle(30 + HOST), HOST, OWN)
    badge = running(w)
    assert child(w, 10, 0) == Status.NO_SPEAKER
    w.must("agent_speak", 0, badge)
    assert child(w, 10, 0) == Status.OK
    w.run(ROOT)
    assert change(w, badge, Life.RUNNING, Life.SUSPENDED) == Status.OK
    assert child(w, 11, 1) == Status.NO_SPEAKER


def test_a_child_goes_on_without_its_parent_and_its_row_is_no_ones_parent():
    w, badge = family()
    assert child(w, 10, 0) == Status.OK
    w.run(ROOT)
    assert change(w, badge, Life.RUNNING, Life.TERMINATED) == Status.OK
    assert lives(w.s, 10) and not names_living(w.s, w.s.agent[10].parent)
    again = running(w)
    assert again != badge and [*w.s.agent[ROW].child] == [0] * CHILDREN
    speaking(w, again)
    assert child(w, 11, 0) == Status.OK
    assert w.s.agent[10].parent == badge and w.s.agent[11].parent == again and counted(w.s)


# ---- speaking


def talk():
    """Return a world in which a partition has an agent and an end of an edge; root receives."""
    w = hosting()
    w.data(HOST, CODE + 80)
    w.must("edge_create", SLOT_SCHEDULER, 3, 50, 0)
    w.give(w.handle(50), HOST, 8, Right.WRITE)
    return w


def sent(w, p=HOST, page=CODE + 80):
    """Send a message, and return the badge of an agent that its receiver reads."""
    w.run(p).must("edge_send", w.handle(8, p), page, 1, 0)
    w.run(ROOT).must("edge_receive", w.handle(50), DRAIN_PAGE)
    assert w.s.memory[DRAIN_PAGE].word[MESSAGE_SOURCE] == p
    return w.s.memory[DRAIN_PAGE].word[MESSAGE_AGENT]


def test_messages_carry_the_badge_of_who_speaks():
    w = talk()
    badge = running(w)
    assert sent(w) == 0
    w.s.memory[CODE + 80].word[MESSAGE_AGENT] = badge  # nobody believes what the sender writes there
    assert sent(w) == 0
    speaking(w, badge)
    w.s.memory[CODE + 80].word[MESSAGE_AGENT] = 12345
    assert sent(w) == badge


@pytest.mark.parametrize("life", [Life.SUSPENDED, Life.MIGRATING, Life.TERMINATED])
def test_who_does_not_run_signs_nothing(life):
    w = talk()
    badge = running(w)
    speaking(w, badge)
    assert change(w, badge, Life.RUNNING, life) == Status.OK
    assert sent(w) == 0
    refused = Status.STALE_HANDLE if life == Life.TERMINATED else Status.WRONG_STATE
    assert w.run(HOST).call("agent_speak", 0, badge) == refused


def test_a_row_that_another_agent_has_does_not_sign_for_the_one_before():
    w = talk()
    badge = running(w)
    speaking(w, badge)
    assert change(w, badge, Life.RUNNING, Life.TERMINATED) == Status.OK
    again = running(w)
    assert again != badge and sent(w) == 0 and speaker_of(w.s) == 0


def test_nobody_speaks_as_the_agent_of_another():
    w = hosting()
    host(w, OTHER)
    mine, other = running(w), running(w, 9, p=OTHER)
    assert w.run(HOST).call("agent_speak", 0, other) == Status.STALE_HANDLE
    assert w.call("agent_speak", 0, mine) == Status.OK
    assert w.own(HOST).speaker == mine and w.own(OTHER).speaker == 0
    assert w.run(ROOT).call("agent_speak", 0, mine) == Status.STALE_HANDLE


def test_who_begins_does_not_speak():
    w = hosting()
    badge = begin(w)
    assert w.run(HOST).call("agent_speak", 0, badge) == Status.WRONG_STATE


def test_a_manager_that_has_no_agents_makes_them_without_a_parent():
    w = hosting()
    assert w.s.agent[ROW].parent == 0
    badge = begin(w)
    assert w.s.agent[ROW].parent == 0 and badge
    assert w.call("agent_create", SLOT_OWN, 9, 3) == Status.OK
    assert w.call("agent_create", SLOT_OWN, 10, 3) == Status.NO_SPEAKER
