"""How does a session go on, and how does its chain of deltas grow?"""

from corollary.language.types import u64
from corollary.language.values import clear
from corollary.spec.governance.limits import LAST
from corollary.spec.governance.state import Governance, SessionId
from corollary.spec.governance.vocabulary import Stage, Status
from corollary.spec.governance.words import has_chain, next_stage


def open_session(s: Governance, c: SessionId) -> Status:
    """Begin a session, in a row that is free."""
    if s.session[c].stage != Stage.VACANT:
        return Status.TAKEN
    clear(s.session[c])
    s.session[c].stage = Stage.CREATED
    return Status.OK


def advance(s: Governance, c: SessionId, stage: Stage) -> Status:
    """Let a session come to the stage that follows."""
    if stage == Stage.VACANT or stage != next_stage(s.session[c].stage):
        return Status.WRONG_STAGE
    s.session[c].stage = stage
    return Status.OK


def forget(s: Governance, c: SessionId) -> Status:
    """Free the row of a session that is archived."""
    if s.session[c].stage != Stage.ARCHIVED:
        return Status.WRONG_STAGE
    s.session[c].stage = Stage.VACANT
    return Status.OK


def append(s: Governance, c: SessionId, number: u64, first: u64, second: u64, third: u64, fourth: u64) -> Status:
    """Add the delta of a number to the chain. Its hash covers that of the delta before it."""
    session = s.session[c]
    if not has_chain(session.stage):
        return Status.WRONG_STAGE
    if session.deltas >= LAST - 1:
        return Status.EXHAUSTED
    if number != session.deltas + 1:
        return Status.OUT_OF_ORDER
    session.deltas = number
    session.first = first
    session.second = second
    session.third = third
    session.fourth = fourth
    return Status.OK
