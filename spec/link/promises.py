"""What does a link promise? No number is sealed or accepted twice, and messages are given out in order, each once."""

from corollary.language.builtins import implies, maximum, shift_left
from corollary.language.property import ensures, invariant, succeeds, theorem
from corollary.language.types import Index, u64
from corollary.spec.link.session import LIMIT, WINDOW, Answer, Link

Age = Index("Age", WINDOW)


# ---- frames


def is_used(s: Link, number: u64) -> bool:
    """Was a frame of this number accepted, or is it so old that it counts as accepted?"""
    if number >= s.after:
        return False
    return s.after - number > WINDOW or (s.seen >> (s.after - number - 1)) & 1 == 1


@theorem("LINK-1", "a number that was sealed is not sealed again")
def numbers_grow(before: Link, after: Link) -> bool:
    return before.next <= after.next


@succeeds("take_number")
def has_a_number(before: Link) -> bool:
    return before.next < LIMIT


@ensures("take_number", "the next number is one greater", changes=("next",))
def is_numbered(before: Link, after: Link) -> bool:
    return after.next == before.next + 1


@theorem("LINK-2", "a number that was accepted stays used")
def stays_used(before: Link, after: Link, n: u64) -> bool:
    return implies(is_used(before, n), is_used(after, n))


@theorem("LINK-3", "a number that is accepted was not used, and is used from then on", about=("accept",))
def is_accepted_once(before: Link, after: Link, status: Answer, number: u64) -> bool:
    return implies(status == Answer.OK, not is_used(before, number) and is_used(after, number))


@theorem("LINK-4", "the window does not move back")
def window_moves_on(before: Link, after: Link) -> bool:
    return before.after <= after.after


@succeeds("accept")
def is_new(before: Link, number: u64) -> bool:
    return number != LIMIT and not is_used(before, number)


@ensures(
    "accept",
    "the window moves on to the number if it is behind it, and the number is marked",
    changes=("after", "seen"),
)
def is_marked(before: Link, after: Link, number: u64) -> bool:
    if number < before.after:
        return after.after == before.after and after.seen == before.seen | u64(1) << (before.after - 1 - number)
    moves = number - before.after + 1
    kept = shift_left(u64, before.seen, moves) if moves < WINDOW else 0
    return after.after == number + 1 and after.seen == kept | 1


@theorem("LINK-5", "no other number is used up, unless it falls out of the window", about=("accept",))
def uses_no_other(before: Link, after: Link, number: u64, n: u64) -> bool:
    is_left = n < after.after and after.after - n > WINDOW
    return implies(is_used(after, n), is_used(before, n) or n == number or is_left)


@invariant("LINK-6", "no frame before the first one is marked")
def is_marked_well(s: Link, age: Age) -> bool:
    return implies(age >= s.after, (s.seen >> age) & 1 == 0)


# ---- messages


def is_here(s: Link, m: u64) -> bool:
    """Was a message given out, or is it held for that?"""
    return m < s.given or (m - s.given < WINDOW and (s.held >> (m - s.given)) & 1 == 1)


@invariant("LINK-7", "no more messages are on the way than there are places for")
def is_bounded(s: Link) -> bool:
    return s.settled <= s.taken and s.taken - s.settled <= WINDOW


@theorem("LINK-8", "a message that has come is not forgotten")
def nothing_is_lost(before: Link, after: Link, m: u64) -> bool:
    return implies(is_here(before, m), is_here(after, m))


@theorem("LINK-9", "no message is given out a second time, and none is left out")
def given_in_order(before: Link, after: Link) -> bool:
    return after.given == before.given or (is_here(before, before.given) and after.given == before.given + 1)


@theorem("LINK-10", "messages once taken, or settled, stay so")
def counts_grow(before: Link, after: Link) -> bool:
    return before.taken <= after.taken and before.settled <= after.settled


@succeeds("take")
def has_place(before: Link) -> bool:
    return before.taken < LIMIT and before.taken - before.settled < WINDOW


@ensures("take", "one more message is on the way", changes=("taken",))
def is_taken(before: Link, after: Link) -> bool:
    return after.taken == before.taken + 1


@succeeds("settle")
def may_settle(before: Link, count: u64) -> bool:
    return count <= before.taken


@ensures("settle", "all messages before are settled, and those that were", changes=("settled",))
def is_settled(before: Link, after: Link, count: u64) -> bool:
    return after.settled == maximum(before.settled, count)


@succeeds("hold")
def may_hold(before: Link, number: u64) -> bool:
    return not is_here(before, number) and number - before.given < WINDOW


@ensures("hold", "the message is here, and no other that was not", changes=("held",))
def is_held(before: Link, after: Link, number: u64) -> bool:
    return after.held == before.held | u64(1) << (number - before.given)


@succeeds("give")
def may_give(before: Link) -> bool:
    return is_here(before, before.given) and before.given < LIMIT


@ensures("give", "the next message is given out, and the others are still here", changes=("given", "held"))
def is_given(before: Link, after: Link) -> bool:
    return after.given == before.given + 1 and after.held == before.held // 2
