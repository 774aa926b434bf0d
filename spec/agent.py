"""Which states does an agent have, and which may follow which? Everything that keeps agents asks this module."""

from corollary.language.types import Enum


class Life(Enum):
    """The state of an agent."""

    TERMINATED = 0  # final; also where there never was an agent
    INITIALIZING = 1
    RUNNING = 2
    SUSPENDED = 3
    MIGRATING = 4
    HIBERNATED = 5  # its pages are free; what it was is on a disk
    RECONSTRUCTING = 6


def may_follow(old: Life, new: Life) -> bool:
    """May an agent go from one state to another in a step? This is the table of edges."""
    if new == Life.TERMINATED:
        return old != Life.TERMINATED
    if old == Life.INITIALIZING:
        return new == Life.RUNNING
    if old == Life.RUNNING:
        return new == Life.SUSPENDED or new == Life.MIGRATING
    if old == Life.SUSPENDED:
        return new == Life.RUNNING or new == Life.MIGRATING or new == Life.HIBERNATED
    if old == Life.MIGRATING:
        return new == Life.RUNNING or new == Life.SUSPENDED
    if old == Life.HIBERNATED:
        return new == Life.RECONSTRUCTING
    return old == Life.RECONSTRUCTING and new == Life.RUNNING


def is_alive(state: Life) -> bool:
    """Is there an agent?"""
    return state != Life.TERMINATED
