"""Do messages between two machines under QEMU all come, once and in order, whatever the wire does to their frames?"""

import io
import random
from copy import deepcopy

import pytest
from rich.console import Console

from corollary.emulation import qemu
from corollary.emulation.layout import FRAME_AT, UNIT
from corollary.emulation.package import linked
from corollary.emulation.wire import MACHINES, PEER, WIRES, Cable, Ends, Line, Wire, run_both, transcripts, verdict
from corollary.language.layout import decode
from corollary.link import HELLO
from corollary.record.audit import audit
from corollary.spec.kernel.arguments import named_arguments
from corollary.spec.kernel.hypercalls import OPERATIONS
from corollary.spec.kernel.limits import ROOT
from corollary.spec.kernel.state import WitnessRecord
from corollary.spec.link.session import Answer

MESSAGES = 100
STREAMS = 2


@pytest.fixture(scope="module", params=WIRES)
def judged(request, tmp_path_factory):
    """Return a kind of wire, what both machines booted, and their transcripts."""
    ends, wire = Ends(), WIRES[request.param]
    wire, systems = (
        ends.along(wire) if wire.interferes else wire,
        ends.systems(MESSAGES, tmp_path_factory.mktemp("wire")),
    )
    runs = transcripts((bytes(range(32)), bytes(range(1, 33))))
    run_both(systems, runs, wire, [run.take for run in runs])
    return wire, systems, runs


def wrong(run, system, wire, messages=MESSAGES):
    return {row.attempt for row in verdict(run, system, wire, messages) if not row.good}


def test_all_messages_come_once_and_in_order_both_ways(judged):
    wire, systems, runs = judged
    assert [wrong(run, system, wire) for run, system in zip(runs, systems)] == [set(), set()]


def test_a_message_too_few_or_a_wrong_one_is_noticed(judged):
    wire, (system, _), (run, _) = judged
    assert wrong(run, system, wire, MESSAGES + 1) == {
        "messages that the other end gave out",
        "messages that came, in order",
    }
    altered = deepcopy(run)
    altered.told[PEER] = [["link", "wrong", "1"] if line[:2] == ["link", "wrong"] else line for line in run.told[PEER]]
    assert wrong(altered, system, wire) == {"messages that are not what was sent"}


def nonce(run):
    """Return the nonce of a machine: root grants it with both streams, and the log tells the badges."""
    records = [record for record in (decode(data, WitnessRecord) for data in run.records) if record.actor == ROOT]
    grants = [named_arguments(OPERATIONS[record.operation], record) for record in records if is_grant(record)]
    return [grant["badge"] for grant in grants[-STREAMS - 1 : -1]]


def is_grant(record):
    return record.operation < len(OPERATIONS) and OPERATIONS[record.operation].name == "capability_grant"


def test_each_end_brings_a_nonce_of_its_own(judged):
    _, _, runs = judged
    first, second = map(nonce, runs)
    assert all([*first, *second]) and len({*first, *second}) == 2 * STREAMS


def told(run, what):
    """Return the number that a peer told at its end."""
    return next(int(value, 16) for name, value in run.lines(PEER, "link") if name == what)


def test_who_has_booted_something_else_gets_no_message(tmp_path):
    known = Ends().known()
    known[1] = Ends(bytes(32), (bytes(32), bytes(32))).known()[1] | {"secret": known[0]["secret"]}
    systems, runs = [linked(3, end, tmp_path) for end in known], transcripts((bytes(32), bytes(range(32))))
    run_both(systems, runs, WIRES["good"], [run.take for run in runs])
    assert [told(run, "ended") for run in runs] == [Answer.DEAD] * MACHINES
    assert [told(run, "received") + told(run, "sent") for run in runs] == [0] * MACHINES
    assert all(told(run, "strangers") > 0 for run in runs)


def test_a_wire_that_did_nothing_is_not_taken_for_a_hostile_one(judged):
    wire, (system, _), (run, _) = judged
    other = WIRES["good"] if wire.interferes else WIRES["hostile"]
    assert wrong(run, system, other) == {"frames that the link kept out"}


def test_the_first_that_comes_out_is_the_hello_of_an_earlier_session_and_it_may_come_again():
    wire, unit = Ends(bytes(32), (bytes(32), bytes(32))).along(Wire()), bytes(UNIT)
    line = Line(Cable(), wire, None, None, random.Random(1), earlier=wire.earlier[0])
    first, second = line.step(unit)
    assert second == unit and first[FRAME_AT : FRAME_AT + HELLO] == wire.earlier[0] != wire.earlier[1]
    assert line.step(unit) == [unit] and line.before == [first, unit, unit] and not wire.interferes


@pytest.mark.parametrize("what", ["drop", "double", "damage", "forge", "replay", "cut"])
def test_a_hostile_wire_does_what_it_says(what):
    unit, earlier = bytes(range(256)) * (UNIT // 256), b"\1" * UNIT
    out = Wire(**{what: 1.0}).passed(random.Random(1), unit, [earlier])
    expected = {
        "drop": lambda: out == [],
        "double": lambda: out == [unit, unit],
        "damage": lambda: len(out) == 1 and len(out[0]) == UNIT and out[0] != unit,
        "forge": lambda: len(out) == 2 and out[0] == unit and len(out[1]) == UNIT,
        "replay": lambda: out == [unit, earlier],
        "cut": lambda: len(out) == 1 and unit.startswith(out[0]) and len(out[0]) < UNIT,
    }
    assert expected[what]()
    assert Wire().passed(random.Random(1), unit, [earlier]) == [unit]


def test_each_machine_has_a_log_that_its_own_key_checks(tmp_path):
    log = tmp_path / "wire.log"
    assert qemu.run_wire(Console(file=io.StringIO()), False, "good", 20, log)
    logs = [log, qemu.numbered(log, 1)]
    keys = [bytes.fromhex(qemu.beside(path, qemu.KEY).read_text()) for path in logs]
    assert keys[0] != keys[1]
    for path, key, other in zip(logs, keys, reversed(keys)):
        assert audit(io.BytesIO(path.read_bytes()), key).good
        assert not audit(io.BytesIO(path.read_bytes()), other).good
