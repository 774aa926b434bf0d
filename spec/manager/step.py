"""What do the steps mean: in which state, what to do next, who has the agent, and what is still to come?"""

from corollary.language.types import u8, u64
from corollary.spec.agent import Life
from corollary.spec.manager.state import Agent, Hash, PeerId
from corollary.spec.manager.vocabulary import Remedy, Step, Verb


def rank(step: Step) -> u8:
    """Return a number that falls with each step."""
    return u8(step)


def lies(step: Step, first: Step, last: Step) -> bool:
    """Does a step come after another one, or is it that, and not after a last one?"""
    return rank(last) <= rank(step) and rank(step) <= rank(first)


def may_give_up(step: Step) -> bool:
    """Is it a move from here that is not decided?"""
    return lies(step, Step.ADMITTED, Step.MOVED)


def has_ticket(step: Step) -> bool:
    """Is it a move from here that the target was asked about?"""
    return lies(step, Step.SNAPPED, Step.LEFT)


def is_handed_over(step: Step) -> bool:
    """Is the agent the target's?"""
    return step == Step.COMMITTED or step == Step.LEFT


def is_arriving(step: Step) -> bool:
    """Is it a move to here?"""
    return lies(step, Step.PROMISED, Step.ACCEPTED)


def may_drop(step: Step) -> bool:
    """Is it a move to here of an agent that is still the source's?"""
    return step == Step.PROMISED or step == Step.FILLED


def is_remedy(step: Step) -> bool:
    """Is a failure being mended?"""
    return lies(step, Step.REBOOTING, Step.RESTARTING)


def fits(state: Life, step: Step) -> bool:
    """Does a step belong to a state?"""
    if step == Step.NONE:
        return state != Life.MIGRATING and state != Life.RECONSTRUCTING
    if lies(step, Step.PROMISED, Step.RETURNING):
        return state == Life.MIGRATING
    if lies(step, Step.FREEZING, Step.RECORDING) or is_remedy(step):
        return state == Life.SUSPENDED
    if step == Step.STOPPING:
        return state == Life.RUNNING
    if step == Step.RESTORING:
        return state == Life.RECONSTRUCTING
    return state == Life.HIBERNATED


def verb_of(step: Step) -> Verb:
    """Return what is to be done next in the middle of a step: after a restart it is the same again."""
    if lies(step, Step.REBOOTING, Step.RESTARTING):
        return mending(step)
    if lies(step, Step.READING, Step.FREEING):
        return keeping(step)
    return moving(step)


def moving(step: Step) -> Verb:
    """Return the same for a move."""
    if step == Step.ADMITTED:
        return Verb.SUSPEND
    if step == Step.STOPPED:
        return Verb.SNAPSHOT
    if step == Step.SNAPPED:
        return Verb.SEND_RESERVE
    if step == Step.RESERVED:
        return Verb.SEND_CHUNK
    if step == Step.MOVED:
        return Verb.DECIDE
    if step == Step.COMMITTED:
        return Verb.SEND_COMMIT
    if step == Step.LEFT:
        return Verb.RELEASE
    if step == Step.RETURNING:
        return Verb.RESUME
    if step == Step.PROMISED:
        return Verb.ASK_CHUNK
    if step == Step.FILLED:
        return Verb.SEND_FILLED
    return Verb.RESTORE if step == Step.ACCEPTED else Verb.NOTHING


def keeping(step: Step) -> Verb:
    """Return the same for hibernation and reconstruction."""
    if step == Step.STOPPING:
        return Verb.SUSPEND
    if step == Step.FREEZING:
        return Verb.SNAPSHOT
    if step == Step.PACKING:
        return Verb.COMPRESS
    if step == Step.WRITING:
        return Verb.WRITE
    if step == Step.RECORDING:
        return Verb.RECORD
    if step == Step.FREEING:
        return Verb.RELEASE
    if step == Step.READING:
        return Verb.READ
    return Verb.DECOMPRESS if step == Step.UNPACKING else Verb.RESTORE


def mending(step: Step) -> Verb:
    """Return the same for a failure."""
    if step == Step.RESTARTING:
        return Verb.RESTART
    if step == Step.RELOADING:
        return Verb.RELOAD
    return Verb.REPLACE if step == Step.REPLACING else Verb.REBOOT


def step_for(remedy: Remedy) -> Step:
    """Return the step in which a remedy is carried out."""
    if remedy == Remedy.RESTART:
        return Step.RESTARTING
    if remedy == Remedy.RELOAD:
        return Step.RELOADING
    if remedy == Remedy.REPLACE:
        return Step.REPLACING
    return Step.REBOOTING if remedy == Remedy.REBOOT else Step.NONE


# ---- who has the agent


def is_held_at_source(g: Agent) -> bool:
    """May the source let its agent run?"""
    return g.state != Life.TERMINATED and not is_handed_over(g.step)


def is_held_at_target(g: Agent) -> bool:
    """May the target let the agent run that came?"""
    return g.state != Life.TERMINATED and not may_drop(g.step)


def is_void(g: Agent, ticket: u64) -> bool:
    """Is the source not in the middle of a move? Then one that it began was given up, or is over."""
    return not has_ticket(g.step) or g.ticket != ticket


def awaits(g: Agent, peer: PeerId, ticket: u64) -> bool:
    """Is the target in the middle of a move?"""
    return is_arriving(g.step) and g.peer == peer and g.ticket == ticket


def is_hash(hash: Hash, first: u64, second: u64, third: u64, fourth: u64) -> bool:
    """Is it this hash?"""
    return hash.first == first and hash.second == second and hash.third == third and hash.fourth == fourth
