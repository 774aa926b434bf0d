"""Do sessions go from stage to stage, and does nobody get in, or see a file, who must not?"""

import math
import os
from itertools import product

import pytest

from corollary.governance import (
    ConsistencyMode,
    Governor,
    IsolationLevel,
    IsolationManager,
    RateLimitExceeded,
    Ring,
    SessionConfig,
    SessionParticipant,
    SessionScope,
    SharedSession,
    Stage,
    Status,
)
from tests.governance.clauses import clause
from tests.governance.test_rings import Clock, action, refused, spent


@pytest.fixture
def session():
    """Return a session that agents may join."""
    made = SharedSession(Governor(Clock()), "s")
    made.begin_handshake()
    return made


@clause("S10.1", "S17.1")
def test_stages_follow_one_another():
    made = SharedSession(Governor(), "s")
    steps = [made.begin_handshake, made.activate, made.terminate, made.archive]
    stages = [Stage.CREATED, Stage.HANDSHAKING, Stage.ACTIVE, Stage.TERMINATING]
    for stage, step in zip(stages, steps):
        assert made.state is stage
        for other in steps:
            if other is not step:
                refused(Status.WRONG_STAGE, other)
        if stage is Stage.HANDSHAKING:
            refused(Status.WRONG_STAGE, made.activate)  # nobody is there
            made.join("a")
        step()
    assert made.state is Stage.ARCHIVED
    for each in steps[:2] + steps[2:]:
        refused(Status.WRONG_STAGE, each)


@clause("S10.1")
@pytest.mark.parametrize("stages", [*product(Stage, repeat=2)])
def test_no_other_stage_follows(stages):
    governor, (here, there) = Governor(), stages
    governor.open_session("s")
    for stage in [*Stage][2 : here + 1]:
        governor.advance("s", stage)
    if here is not Stage.VACANT and there == here + 1:
        governor.advance("s", there)
        assert governor.stage("s") is there
    elif here is not Stage.VACANT:
        refused(Status.WRONG_STAGE, governor.advance, "s", there)


@clause("S10.2", "S10.4", "S17.3")
def test_defaults_of_a_session():
    made = SessionConfig()
    assert (made.max_participants, made.max_duration_seconds, made.min_eff_score) == (10, 3600, 0.60)
    assert made.consistency_mode is ConsistencyMode.EVENTUAL and made.enable_audit is True
    SessionConfig(max_participants=1000, max_duration_seconds=604_800, min_eff_score=1)
    assert {each.name for each in ConsistencyMode} == {"STRONG", "EVENTUAL"}


@clause("S10.2", "S17.3", "B14")
@pytest.mark.parametrize(
    ("name", "value", "error"),
    [
        ("consistency_mode", "eventual", TypeError),
        ("max_participants", True, TypeError),
        ("max_participants", 1.0, TypeError),
        ("max_participants", 0, ValueError),
        ("max_participants", 1001, ValueError),
        ("max_duration_seconds", 0, ValueError),
        ("max_duration_seconds", 604_801, ValueError),
        ("max_duration_seconds", "60", TypeError),
        ("min_eff_score", math.nan, ValueError),
        ("min_eff_score", 1.01, ValueError),
        ("min_eff_score", True, TypeError),
        ("enable_audit", 1, TypeError),
    ],
)
def test_a_session_out_of_bounds_is_refused(name, value, error):
    with pytest.raises(error, match=name):
        SessionConfig(**{name: value})


@clause("S10.3", "S17.4", "B14")
def test_participants():
    made = SessionParticipant("a")
    assert (made.ring, made.sigma_raw, made.eff_score, made.is_active) == (Ring.SANDBOX, 0.0, 0.0, True)
    assert made.joined_at.utcoffset().total_seconds() == 0
    for name, value, error in (
        ("ring", True, TypeError),
        ("ring", 1.0, TypeError),
        ("ring", 4, TypeError),
        ("sigma_raw", -0.1, ValueError),
        ("eff_score", math.nan, ValueError),
        ("agent_did", "a\n", ValueError),
    ):
        with pytest.raises(error, match=name):
            SessionParticipant(**({"agent_did": "a"} | {name: value}))


@clause("S17.1", "B7")
@pytest.mark.parametrize("bad", ["", "../../x y", "s\n", "/etc", ".."])
def test_a_session_has_an_identifier(bad):
    governor = Governor()
    with pytest.raises(ValueError, match="session_id"):
        SharedSession(governor, bad)
    assert governor.sessions == {}


def test_a_session_has_room_for_some(session):
    for number in range(10):
        session.join(f"a{number}")
    refused(Status.EXHAUSTED, session.join, "late")
    session.leave("a3")
    session.join("late")
    refused(Status.TAKEN, session.join, "late")


@clause("S3.3", "B3")
def test_trust_and_consensus_count_when_one_joins(session):
    assert session.join("one", 0.97, True).ring is Ring.PRIVILEGED
    assert session.join("new").ring is Ring.SANDBOX
    strict = SharedSession(session.governor, "strict", SessionConfig(min_eff_score=0.9))
    strict.begin_handshake()
    refused(Status.INSUFFICIENT_TRUST, strict.join, "two", 0.8)
    assert strict.join("three", 0.5).ring is Ring.SANDBOX


@clause("B15", "B8")
def test_who_comes_again_owes_what_it_owed(session):
    governor = session.governor
    session.join("a")
    assert spent(governor, "a") == 10
    session.leave("a")
    assert not governor.check("a", "s", action(is_read_only=True)).allowed
    refused(Status.NOT_SEATED, session.leave, "a")
    session.join("a")
    with pytest.raises(RateLimitExceeded):
        governor.spend("a", "s")


@clause("B15")
def test_a_session_ends_in_time_and_leaves_nobody(session):
    governor = session.governor
    session.join("a", 0.8)
    session.activate()
    governor.clock.pass_(3600)
    assert session.is_over
    refused(Status.WRONG_STAGE, session.join, "late")
    governor.clock.pass_(-1800)
    refused(Status.WRONG_STAGE, session.join, "late")
    session.leave("a")
    session.terminate()
    session.archive()
    governor.forget("s")
    assert governor.seats == governor.left == governor.sessions == {}
    assert SharedSession(governor, "s").state is Stage.CREATED


def test_a_session_is_archived_though_somebody_was_dismissed(session):
    governor = session.governor
    for each in "abc":
        session.join(each, 0.8)
    session.activate()
    session.terminate()
    governor.dismiss("a", "s")
    session.archive()
    assert session.participants == governor.seats == governor.left == {}


def test_who_joined_by_the_governor_may_leave_a_session(session):
    session.governor.join("a", "s", 0.8)
    session.leave("a")
    assert session.governor.seats == {} and session.participants == {}


# ---- isolation


@pytest.fixture
def base(tmp_path):
    """Return a folder with those of two sessions, whose names begin alike, and a link out of one of them."""
    for name in ("session-1", "session-10", "session-1-evil", "session-2"):
        (tmp_path / name).mkdir()
    (tmp_path / "session-1" / "out").symlink_to(tmp_path / "session-2")
    (tmp_path / "session-1" / "etc").symlink_to("/etc")
    (tmp_path / "session-1" / "loop").symlink_to("loop")
    return tmp_path


@clause("S11.1", "S11.2")
def test_levels_and_folders():
    assert {each.name for each in IsolationLevel} == {"SNAPSHOT", "READ_COMMITTED", "SERIALIZABLE"}
    assert SessionScope("s", IsolationLevel.SNAPSHOT).working_directory == "/var/agt/sessions/s"


@clause("S11.3", "S20.5", "B2")
@pytest.mark.parametrize("level", IsolationLevel)
def test_a_session_sees_its_own_folder_and_no_other(base, level):
    scope = SessionScope("session-1", level, str(base))
    for own in ("session-1", "session-1/", "session-1/a/b", "session-1/x/../y", "session-2/../session-1/a"):
        assert scope.is_path_allowed(f"{base}/{own}") and scope.is_path_allowed(f"{base}/{own}", write=True)
    for other in (
        "session-10/a",
        "session-1-evil/a",
        "session-1/../session-2/a",
        "session-1/out/a",
        "session-1/etc/passwd",
        "session-1/loop/a",
        "",
        "..",
        "session-1/../..",
        "session-1\0/a",
    ):
        assert not scope.is_path_allowed(f"{base}/{other}")
    for wrong in ("/etc/passwd", "session-1/a", "", None, b"/", "/" + "a/" * 2000):
        assert not scope.is_path_allowed(wrong)


@clause("S11.4")
def test_without_a_scope_nothing_is_seen(base):
    manager = IsolationManager(str(base))
    assert not manager.check_access("session-1", f"{base}/session-1/a")
    manager.create_scope("session-1")
    assert manager.check_access("session-1", f"{base}/session-1/a")
    refused(Status.TAKEN, manager.create_scope, "session-1", IsolationLevel.READ_COMMITTED)


@clause("S11.5", "S11.3", "B2")
def test_grants_are_for_reading_what_was_committed(base):
    scope = SessionScope("session-1", IsolationLevel.READ_COMMITTED, str(base))
    scope.grant_access("session-2")
    path = os.path.join(base, "session-2", "a")
    assert scope.is_path_allowed(path) and not scope.is_path_allowed(path, write=True)
    assert not scope.is_path_allowed(f"{base}/session-10/a")
    for level in (IsolationLevel.SNAPSHOT, IsolationLevel.SERIALIZABLE):
        refused(Status.RING_DENIED, SessionScope("session-1", level).grant_access, "session-2")


@clause("B2")
@pytest.mark.parametrize("bad", ["", "/etc", "../../../etc", "..", "a/b"])
def test_a_scope_and_a_grant_have_identifiers(bad):
    with pytest.raises(ValueError, match="session_id"):
        SessionScope(bad, IsolationLevel.READ_COMMITTED)
    with pytest.raises(ValueError, match="session_id"):
        SessionScope("s", IsolationLevel.READ_COMMITTED).grant_access(bad)
