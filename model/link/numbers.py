"""Which number comes next, and which came before? The steps of a link, without any bytes.

Each step can be taken in any state, even one that no step leads to.
"""

from corollary.language.builtins import implies, maximum, saturating_sub, shift_left
from corollary.language.contracts import ensures
from corollary.language.types import u64
from corollary.spec.link.session import LIMIT, WINDOW, Answer, Link


def is_same(s: Link, old: Link) -> bool:
    """Is a link as another one?"""
    frames = s.next == old.next and s.after == old.after and s.seen == old.seen
    messages = s.taken == old.taken and s.settled == old.settled and s.given == old.given and s.held == old.held
    return frames and messages


def has_grown(count: u64, old: u64, answer: Answer) -> bool:
    """Is a count one more, if the answer is OK, and otherwise the same?"""
    return count > old and count - old == 1 if answer == Answer.OK else count == old


@ensures(lambda s, old_s, result: has_grown(s.next, old_s.next, result))
def take_number(s: Link) -> Answer:
    """Use up the number of the next frame, which is `next` before."""
    if s.next == LIMIT:
        return Answer.EXHAUSTED
    s.next += 1
    return Answer.OK


def look(s: Link, number: u64) -> Answer:
    """Return whether a frame of this number may be accepted."""
    if number == LIMIT:
        return Answer.BEYOND
    if number >= s.after:
        return Answer.OK
    age = s.after - 1 - number
    if age >= WINDOW:
        return Answer.TOO_OLD
    return Answer.REPLAYED if (s.seen >> age) & 1 == 1 else Answer.OK


@ensures(lambda s, old_s, result: implies(result != Answer.OK, is_same(s, old_s)))
@ensures(lambda s, old_s: s.after >= old_s.after)
@ensures(lambda s, number, result: implies(result == Answer.OK, look(s, number) != Answer.OK))
@ensures(lambda s, old_s, number, result: implies(look(old_s, number) == Answer.OK, result == Answer.OK))
def accept(s: Link, number: u64) -> Answer:
    """Mark a frame as accepted, whose tag was found right."""
    answer = look(s, number)
    if answer != Answer.OK:
        return answer
    if number >= s.after:
        moves = number - s.after + 1
        s.seen = (shift_left(u64, s.seen, moves) if moves < WINDOW else 0) | 1
        s.after = number + 1
    else:
        s.seen = s.seen | u64(1) << (s.after - 1 - number)
    return Answer.OK


@ensures(lambda s, old_s, result: has_grown(s.taken, old_s.taken, result))
def take(s: Link) -> Answer:
    """Give a number to a message that is to be sent, which is `taken` before."""
    if saturating_sub(s.taken, s.settled) >= WINDOW:
        return Answer.FULL
    if s.taken == LIMIT:
        return Answer.EXHAUSTED
    s.taken += 1
    return Answer.OK


def settle(s: Link, count: u64) -> Answer:
    """Learn that the other end has given out so many messages."""
    if count > s.taken:
        return Answer.BEYOND
    s.settled = maximum(s.settled, count)
    return Answer.OK


@ensures(lambda result: result == Answer.OK or result == Answer.DOUBLED or result == Answer.BEYOND)
def hold(s: Link, number: u64) -> Answer:
    """Note that a message came."""
    if number < s.given:
        return Answer.DOUBLED
    place = number - s.given
    if place >= WINDOW:
        return Answer.BEYOND
    if (s.held >> place) & 1 == 1:
        return Answer.DOUBLED
    s.held = s.held | u64(1) << place
    return Answer.OK


@ensures(lambda s, old_s, result: has_grown(s.given, old_s.given, result))
def give(s: Link) -> Answer:
    """Give out the next message, which is `given` before."""
    if s.held & 1 == 0:
        return Answer.WAITS
    if s.given == LIMIT:
        return Answer.EXHAUSTED
    s.held = s.held >> 1
    s.given += 1
    return Answer.OK
