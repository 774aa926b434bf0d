"""Is a chain of deltas what the specification says, byte by byte, and is every change of it noticed?"""

import hashlib
import json
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corollary.governance import DeltaEngine, Governor, SemanticDelta, Stage, Status, VFSChange
from tests.governance.clauses import clause
from tests.governance.test_rings import refused

FIRST = datetime(2026, 1, 1, tzinfo=UTC)
texts = st.text(min_size=1, max_size=20).filter(str.strip)
hashes = st.none() | texts
changes = st.builds(VFSChange, texts, texts, hashes, hashes, hashes)


def engine(session="s", clock=lambda: FIRST):
    """Return the engine of a session."""
    governor = Governor()
    governor.open_session(session)
    return DeltaEngine(governor, session, clock)


def chain(count):
    """Return an engine with some deltas."""
    made = engine()
    for number in range(count):
        made.capture("a", [VFSChange(f"/{number}", "write")])
    return made


@clause("S14.3", "AC13.2-3", "AC13.4")
def test_vectors():
    first = SemanticDelta("delta:1", 1, "s", "a", FIRST, (VFSChange("/x", "w"),), "")
    assert first.compute_hash() == "bfc118d6f9d706335df30c13a76b4fe8c597ffde79ac1b26d779df4576bedfc7"
    change = VFSChange("/x\u00e9", "w", content_hash="c", previous_hash="p", agent_did="b")
    second = first._replace(timestamp=FIRST + timedelta(microseconds=5), changes=(change,), parent_hash="ab" * 32)
    assert second.compute_hash() == "5063f52031fbeba8cd7730f265056411d3875b70a4c959db06c44b1c818c8e97"


@given(st.lists(changes, max_size=4), st.datetimes(timezones=st.just(UTC)), texts, texts)
def test_the_canonical_form_is_that_of_json(made, when, agent, session):
    delta = SemanticDelta("d", 7, session, agent, when, tuple(made), "p")
    names = ("path", "operation", "content_hash", "previous_hash", "agent_did")
    told = {
        "delta_id": "d",
        "turn_id": 7,
        "session_id": session,
        "agent_did": agent,
        "timestamp": when.isoformat(),
        "changes": [{name: getattr(each, name) for name in names} for each in made],
        "parent_hash": "p",
    }
    assert delta.canonical == json.dumps(told, sort_keys=True)
    assert delta.compute_hash() == hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()


@clause("S1.4.5", "S14.1", "S14.2", "AC13.6")
def test_each_delta_follows_the_one_before():
    made = chain(3)
    assert [each.turn_id for each in made.deltas] == [1, 2, 3]
    assert [each.parent_hash for each in made.deltas] == ["", *(each.delta_hash for each in made.deltas[:2])]
    assert all(each.previous_hash == each.parent_hash and each.action == "write" for each in made.deltas)
    assert [each.delta_id for each in made.deltas] == ["delta:1", "delta:2", "delta:3"]
    assert made.root == made.deltas[-1].delta_hash and made.verify_chain()


@clause("S14.4", "AC13.5")
def test_an_empty_chain_is_whole():
    assert engine().verify_chain() and engine().root is None


def rehashed(deltas, at, **changed):
    """Change a delta, and hash it and all that follow anew."""
    deltas[at] = deltas[at]._replace(**changed)
    for number in range(at, len(deltas)):
        parent = deltas[number - 1].delta_hash if number else ""
        new = deltas[number]._replace(parent_hash=parent)
        deltas[number] = new._replace(delta_hash=new.compute_hash())


def swapped(deltas):
    """Swap two deltas."""
    deltas[1], deltas[2] = deltas[2], deltas[1]


@clause("S14.4", "S14.5", "S19.1", "S20.4", "B11")
@pytest.mark.parametrize(
    ("forge", "told"),
    [
        (lambda deltas: deltas.pop(), "3 deltas were added"),
        (lambda deltas: deltas.pop(0), "delta 1"),
        (lambda deltas: deltas.pop(1), "delta 2"),
        (lambda deltas: deltas.clear(), "3 deltas were added"),
        (lambda deltas: deltas.append(deltas[-1]), "delta 4"),
        (swapped, "delta 2"),
        (lambda deltas: deltas.__setitem__(1, deltas[1]._replace(agent_did="b")), "not what was hashed"),
        (lambda deltas: deltas.__setitem__(1, deltas[1]._replace(changes=())), "not what was hashed"),
        (lambda deltas: deltas.__setitem__(1, deltas[1]._replace(delta_hash="0" * 64)), "not what was hashed"),
        (lambda deltas: deltas.__setitem__(1, deltas[1]._replace(session_id="t")), "turn 2 of t"),
        (lambda deltas: rehashed(deltas, 0, agent_did="b"), "these are not they"),
        (lambda deltas: rehashed(deltas, 2, agent_did="b"), "these are not they"),
    ],
)
def test_a_forged_chain_is_noticed(forge, told):
    made = chain(3)
    forge(made.deltas)
    found = made.verify_chain()
    assert not found and told in found.reason


@clause("B11")
def test_no_delta_has_the_name_of_another_one():
    made = engine()
    made.capture("a", delta_id="x")
    refused(Status.OUT_OF_ORDER, made.capture, "a", delta_id="x")
    assert len(made.deltas) == 1 and made.verify_chain()


def test_an_interrupt_loses_no_delta(monkeypatch):
    made = chain(1)
    do = made.governor.do

    def interrupted(*arguments):
        do(*arguments)
        raise KeyboardInterrupt

    monkeypatch.setattr(made.governor, "do", interrupted)
    with pytest.raises(KeyboardInterrupt):
        made.capture("a", delta_id="x")
    monkeypatch.undo()
    assert made.verify_chain() and [each.delta_id for each in made.deltas] == ["delta:1", "x"]
    assert made.capture("b").turn_id == 3 and made.verify_chain()


@pytest.mark.parametrize(("agent", "made"), [("", []), ("a\n", []), ("a", ["write"]), ("a", [{"path": "/x"}])])
def test_what_is_no_delta_changes_nothing(agent, made):
    found = chain(1)
    with pytest.raises((TypeError, ValueError)):
        found.capture(agent, made)
    assert len(found.deltas) == 1 and found.verify_chain()


def test_a_session_that_is_over_takes_no_deltas():
    made = chain(1)
    for stage in (Stage.HANDSHAKING, Stage.ACTIVE, Stage.TERMINATING, Stage.ARCHIVED):
        made.governor.advance("s", stage)
    refused(Status.WRONG_STAGE, made.capture, "a")
    assert made.verify_chain()


@clause("S14.7")
def test_changes_are_kept_for_180_days_and_hashes_for_ever():
    now = [FIRST]
    made = engine(clock=lambda: now[0])
    made.capture("a", [VFSChange("/old", "write")])
    now[0] += timedelta(days=100)
    made.capture("a", [VFSChange("/new", "write")])
    now[0] += timedelta(days=81)
    old = made.deltas[0].delta_hash
    assert made.expire() == 1 and made.expire() == 0
    assert made.deltas[0].changes is None and made.deltas[0].delta_hash == old and made.verify_chain()
    made.deltas[0] = made.deltas[0]._replace(delta_hash="0" * 64)
    assert not made.verify_chain()


def test_what_has_no_changes_and_has_not_expired_is_noticed():
    made = chain(2)
    made.deltas[0] = made.deltas[0]._replace(changes=None)
    assert "not what has expired" in made.verify_chain().reason


@pytest.mark.parametrize("forged", [{"agent_did": "b"}, {"delta_id": "other"}, {"timestamp": FIRST - timedelta(1)}])
def test_what_has_expired_cannot_be_changed(forged):
    now = [FIRST]
    made = engine(clock=lambda: now[0])
    for _ in range(3):
        made.capture("a", [VFSChange("/x", "write")])
    made.deltas[0] = made.deltas[0]._replace(**forged)
    now[0] += timedelta(days=181)
    assert made.expire() == 2 and "not what was hashed" in made.verify_chain().reason
    made.deltas[0] = made.deltas[0]._replace(changes=None)
    assert not made.verify_chain()
    made.deltas[1] = made.deltas[1]._replace(**forged)
    assert not made.verify_chain()


@pytest.mark.parametrize("name", ["s", "other"])
def test_an_engine_writes_into_no_session_that_came_after_its_own(name):
    made = engine()
    governor = made.governor
    for stage in [*Stage][2:]:
        governor.advance("s", stage)
    governor.forget("s")
    governor.open_session(name)
    assert governor.sessions[name] == made.row
    refused(Status.WRONG_STAGE, made.capture, "a")
    assert governor.state.session[made.row].deltas == 0 and "forgotten" in made.verify_chain().reason
