"""What is a handover? Both ends of the moves of one agent, and whatever the link and the kernels may do to them.

Of the link it is assumed only that it makes no message up: one that was sent may come at any time, in any order, many
times, or never. So no message is kept. What was sent is a number: of the greatest ticket of the kind.
"""

from corollary.language.types import u64
from corollary.language.values import Record
from corollary.spec.manager.state import Agent


class Handover(Record):
    """The whole state: the rows of both managers, what both kernels do, and what was sent."""

    source: Agent
    target: Agent
    source_runs: bool  # does the kernel there let the agent run?
    target_runs: bool
    ticket: u64  # of the next move
    heard: u64  # the greatest ticket for which the target has promised room, and said so
    filled: u64  # the greatest ticket for which the target has said that it has everything
    decided: u64  # the ticket for which the source has decided, and said so; 0 if there is none
    done: bool  # has the target said that the agent runs?
