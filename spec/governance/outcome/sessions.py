"""When does a session go on, and when does its chain grow?"""

from corollary.language.property import ensures, succeeds
from corollary.language.types import u64
from corollary.spec.governance.limits import LAST
from corollary.spec.governance.state import Governance, Session, SessionId
from corollary.spec.governance.vocabulary import Stage
from corollary.spec.governance.words import has_chain


def is_chain(session: Session, deltas: u64, first: u64, second: u64, third: u64, fourth: u64) -> bool:
    """Has a session as many deltas, and does the last one have this hash?"""
    hash = session.first == first and session.second == second and session.third == third and session.fourth == fourth
    return session.deltas == deltas and hash


def is_same_chain(one: Session, other: Session) -> bool:
    """Are two chains the same?"""
    return is_chain(one, other.deltas, other.first, other.second, other.third, other.fourth)


def is_staged(before: Governance, after: Governance, c: SessionId, i: SessionId, stage: Stage) -> bool:
    """Is a session in a stage, and is every other one where it was?"""
    return after.session[i].stage == (stage if i == c else before.session[i].stage)


@succeeds("open_session")
def may_open(before: Governance, c: SessionId) -> bool:
    return before.session[c].stage == Stage.VACANT


@ensures("open_session", "there is a session without deltas", changes=("session",))
def is_open(before: Governance, after: Governance, c: SessionId, i: SessionId) -> bool:
    staged = is_staged(before, after, c, i, Stage.CREATED)
    new = after.session[i]
    return staged and (is_chain(new, 0, 0, 0, 0, 0) if i == c else is_same_chain(new, before.session[i]))


@succeeds("advance")
def may_advance(before: Governance, c: SessionId, stage: Stage) -> bool:
    old = u64(before.session[c].stage)
    return old != 0 and u64(stage) == old + 1


@ensures("advance", "the session is in the next stage", changes=("session.stage",))
def is_advanced(before: Governance, after: Governance, c: SessionId, stage: Stage, i: SessionId) -> bool:
    return is_staged(before, after, c, i, stage)


@succeeds("forget")
def may_forget(before: Governance, c: SessionId) -> bool:
    return before.session[c].stage == Stage.ARCHIVED


@ensures("forget", "the row is free", changes=("session.stage",))
def is_forgotten(before: Governance, after: Governance, c: SessionId, i: SessionId) -> bool:
    return is_staged(before, after, c, i, Stage.VACANT)


@succeeds("append")
def may_append(before: Governance, c: SessionId, number: u64) -> bool:
    old = before.session[c].deltas
    return has_chain(before.session[c].stage) and old < LAST - 1 and number != 0 and number - 1 == old


@ensures(
    "append",
    "the delta is the last one",
    changes=("session.deltas", "session.first", "session.second", "session.third", "session.fourth"),
)
def is_appended(
    before: Governance,
    after: Governance,
    c: SessionId,
    number: u64,
    first: u64,
    second: u64,
    third: u64,
    fourth: u64,
    i: SessionId,
) -> bool:
    if i != c:
        return is_same_chain(after.session[i], before.session[i])
    return is_chain(after.session[i], number, first, second, third, fourth)
