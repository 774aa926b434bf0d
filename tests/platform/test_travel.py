"""Does an agent move between two machines under QEMU, whatever goes wrong, and would it be noticed if it did not?"""

import copy
import random
import socket

import pytest

from corollary.emulation import qemu, travelling
from corollary.emulation.ending import name_of
from corollary.emulation.layout import UNIT, Fault
from corollary.emulation.mending import MANAGER
from corollary.emulation.travelling import FAULTS, HOME, MOVER, ROAMER, SHORT, TRAVELLER, VERBS, Journey, undisturbed
from corollary.emulation.verdict import Transcript
from corollary.emulation.wire import MACHINES, WIRES, Cable, Ends, Line, Wire, run_both
from corollary.spec.kernel.vocabulary import Status
from corollary.spec.manager.vocabulary import Verb

MESSAGES, ROUNDS = 100, 100


class Travelled:
    """A journey back and forth, with faults: what both machines booted, and all that they told."""

    def __init__(self, kind, faults, folder, rounds=1, messages=MESSAGES, mover=TRAVELLER):
        self.faults, self.moves, self.mover, cable = faults, rounds * len(faults), mover, Cable()
        self.systems = travelling.systems(mover, Ends().known(), self.moves, messages, faults, folder)
        keys = [bytes(range(end, end + 32)) for end in range(MACHINES)]
        runs = [Transcript(key, travelling.names(mover, end)) for end, key in enumerate(keys)]
        self.journey = Journey(runs, cable.cut)
        takes = [lambda line, end=end: self.journey.take(end, line) for end in range(MACHINES)]
        run_both(self.systems, runs, WIRES[kind], takes, cable, travelling.limit(self.moves, messages, mover.large))
        self.logs = travelling.logs_of(self.journey)

    def wrong(self):
        """Return the rows that are not as expected."""
        found = travelling.rows(self.journey, self.logs, self.systems, self.mover, self.moves, self.faults)
        return {row.attempt for row in found if not row.good}

    def bad(self, journey=None, logs=None):
        """Return the rows about moves and the agent that were not as expected after another journey."""
        journey, logs = journey or self.journey, logs or self.logs
        of_moves = travelling.rows_of_moves(journey, logs, self.moves, self.faults)
        rows = [*of_moves, *travelling.rows_of_agent(journey, logs, self.mover)]
        return {row.attempt for row in rows if not row.good}


@pytest.fixture(scope="module")
def travelled(tmp_path_factory):
    """Return a short journey over a wire that is hostile."""
    return Travelled("hostile", SHORT, tmp_path_factory.mktemp("travel"))


def test_an_agent_that_moves_between_machines_loses_no_message_and_is_in_one_place(travelled):
    assert travelled.wrong() == set()
    assert {end for told in travelled.journey.settled.values() for end, there in told if there} == set(range(MACHINES))


@pytest.mark.full
@pytest.mark.parametrize("kind", WIRES)
def test_whatever_goes_wrong_at_any_step_on_either_side_it_is_in_one_place(kind, tmp_path):
    assert Travelled(kind, FAULTS, tmp_path).wrong() == set()


@pytest.mark.full
@pytest.mark.timeout(4 * 3600)
def test_of_ten_thousand_messages_none_is_lost_or_doubled_while_everything_goes_wrong(tmp_path):
    made = Travelled("hostile", FAULTS, tmp_path, rounds=ROUNDS, messages=10_000)
    assert made.wrong() == set()
    for row in travelling.table(made.journey, FAULTS):
        assert row["in one place"] == row["moves"] >= ROUNDS


@pytest.mark.full
@pytest.mark.timeout(1200)
def test_an_agent_moves_to_another_machine_with_all_of_its_memory(tmp_path):
    made = Travelled("good", SHORT[:1], tmp_path, mover=ROAMER, messages=10)
    assert made.wrong() == set() and "words that are wrong: 0" in made.journey.said
    sent = travelling.figures(made.logs)["bytes to the wire in a move"]
    assert sent > ROAMER.memory // 2  # zeros are not sent: on a busy host it moves before it has filled the rest
    assert not travelling.tier_row(made.journey, made.logs[::-1], ROAMER).good


@pytest.mark.full
@pytest.mark.timeout(4 * 3600)
@pytest.mark.parametrize("kind", WIRES)
def test_whatever_goes_wrong_its_memory_is_in_one_place_and_whole(kind, tmp_path):
    assert Travelled(kind, FAULTS, tmp_path, mover=ROAMER).wrong() == set()


def test_the_table_tells_of_each_move_what_went_wrong_and_where_the_agent_was(travelled):
    rows = list(travelling.table(travelled.journey, SHORT))
    assert [(row["step"], row["fault"]) for row in rows] == [(verb.name, kind.name) for verb, kind in SHORT]
    assert sum(row["moves"] for row in rows) == len(travelled.journey.settled)
    assert all(row["in one place"] == row["moves"] for row in rows)
    assert all((row["median ms"] is None) == (row["stayed"] == row["moves"]) for row in rows)


@pytest.mark.parametrize("there", [True, False])
def test_the_table_tells_of_an_agent_in_two_places_or_in_none(travelled, there):
    journey = copy.copy(travelled.journey)
    journey.settled = journey.settled | {0: [(end, there) for end, _ in journey.settled[0]]}
    assert next(travelling.table(journey, SHORT))["in one place"] == 0


def test_each_step_is_refused_killed_and_cut_off():
    assert {(verb, kind) for verb, kind in FAULTS if kind not in (Fault.NONE, Fault.FORGED)} == {
        (verb, kind) for verb in VERBS for kind in (Fault.REFUSED, Fault.LOST, Fault.CUT)
    }
    assert set(SHORT) <= set(FAULTS)


@pytest.mark.parametrize("there", [True, False])
def test_an_agent_in_two_places_or_in_none_is_noticed(travelled, there):
    journey = copy.copy(travelled.journey)
    journey.settled = journey.settled | {0: [(end, there) for end, _ in journey.settled[0]]}
    assert "moves in which nothing goes wrong" in travelled.bad(journey)


def test_an_agent_that_stays_is_noticed(travelled):
    journey = copy.copy(travelled.journey)
    journey.settled = journey.settled | {0: [(end, end == HOME) for end in range(MACHINES)]}
    assert "moves in which nothing goes wrong" in travelled.bad(journey)


def test_a_source_that_says_that_it_gave_up_while_the_agent_goes_is_noticed(travelled):
    journey = copy.copy(travelled.journey)
    journey.given_up = journey.given_up | {SHORT.index((Verb.SEND_COMMIT, Fault.CUT))}
    assert travelled.bad(journey) == {"moves in which SEND_COMMIT: CUT"}


@pytest.mark.parametrize(("given_up", "is_good"), [(set(), False), ({0}, True), ({0, 1}, False), ({1}, False)])
def test_after_a_cut_the_agent_stays_exactly_if_it_was_given_up(travelled, given_up, is_good):
    journey = copy.copy(travelled.journey)
    journey.given_up = given_up
    journey.settled = {0: [(HOME, True)], 1: [(HOME, False), (1 - HOME, True)]}
    found = travelling.ends_of_moves(journey).values()
    assert travelling.move_row(found, Verb.SEND_CHUNK, Fault.CUT).good == is_good


def without_one(logs, end, actors, operation):
    """Return the logs without a call of an operation on one machine that was allowed to one of these."""
    other = copy.copy(logs[end])
    actor = next(p for p in actors if other.allowed(p, operation))
    calls = other.calls[actor]
    first = next(n for n, each in enumerate(calls) if name_of(each) == operation and each.status == Status.OK)
    other.calls = other.calls | {actor: calls[:first] + calls[first + 1 :]}
    return [other if number == end else log for number, log in enumerate(logs)]


@pytest.mark.parametrize("end", range(MACHINES))
def test_a_message_that_is_lost_on_either_machine_is_noticed(travelled, end):
    logs = without_one(travelled.logs, end, travelled.journey.partitions(end), "edge_receive")
    assert travelled.bad() == set() and travelled.bad(logs=logs) == {"messages, by both logs"}


def test_a_kill_that_no_log_tells_of_is_noticed(travelled):
    end = next(end for end, log in enumerate(travelled.logs) if log.allowed(0, "partition_reconstruct"))
    logs = without_one(travelled.logs, end, (0,), "partition_reconstruct")
    assert travelled.bad(logs=logs) == {"kills of a manager, by both logs"}


@pytest.mark.parametrize("change", [lambda said: said[1:], lambda said: [said[0], *said], lambda said: said[::-1]])
def test_other_words_of_the_agent_are_noticed(travelled, change):
    journey = copy.copy(travelled.journey)
    journey.said = change(journey.said)
    assert travelled.bad(journey) == {"what it says"}


@pytest.mark.parametrize(
    ("word", "what"),
    [
        ("task", "tasks that were refused"),
        ("cut", "cuts of the wire"),
        ("unsound", "notes that make no sense, kept out"),
    ],
)
def test_a_fault_that_does_not_strike_is_noticed(travelled, word, what):
    journey = copy.copy(travelled.journey)
    journey.runs = [copy.copy(run) for run in journey.runs]
    for run in journey.runs:
        kept = [line for line in run.told[MANAGER] if line[0] != word]
        run.told = run.told | {MANAGER: kept}
    assert what in travelled.bad(journey)


def test_what_a_move_took_is_told_for_each_that_was_made(travelled):
    told = travelling.figures(travelled.logs)
    moved = sum(not stayed for _, stayed, _ in travelling.ends_of_moves(travelled.journey).values())
    assert told["moves that were made"] == moved > 1 and told["bytes to the wire in a move"] > MOVER


def test_undisturbed_the_traveller_adds_squares():
    said = undisturbed(TRAVELLER.module, 40)
    sums = [sum(number**2 for number in range(1, last + 1)) for last in (0, 20, 40)]
    assert said == [
        *(f"sum so far: {each}" for each in sums),
        "numbers received: 40",
        f"sum: {sums[-1]}",
        "out of order, lost or doubled: 0",
    ]


def test_nothing_comes_through_a_wire_that_is_cut_and_all_comes_later():
    cable, (source, target) = Cable(), socket.socketpair()
    line = Line(cable, Wire(), source, target, random.Random(1))
    cable.cut(60)
    assert line.step(b"1" * UNIT) == []
    cable.cut(0)
    assert line.step(b"2" * UNIT) == [b"2" * UNIT]
    source.close()
    target.close()


@pytest.mark.parametrize(
    "arguments", [["--moves", "3"], ["--wire", "good", "--messages", "3"], ["--disk", "good", "--wire", "good"]]
)
def test_options_that_do_not_belong_together_are_refused(arguments, capsys):
    with pytest.raises(SystemExit) as refused:
        qemu.main(arguments)
    assert refused.value.code == 2 and "error" in capsys.readouterr().err


def test_an_agent_that_is_not_there_does_not_travel(tmp_path):
    assert qemu.main(["--agents", "nobody.wasm", "--wire", "good"], tmp_path) == 2
