"""What does an end of a session do with messages, with frames and as time passes?

Whatever bytes come, and whatever the state is, each function has a value and ends. Times are nanoseconds of one clock.
"""

from corollary.language.builtins import implies, maximum, minimum, saturating_sub
from corollary.language.bytes import move
from corollary.language.contracts import ensures, requires
from corollary.language.loops import decreases, maintains
from corollary.language.types import u8, u16, u32, u64
from corollary.language.values import clear, length
from corollary.model.link.aead import open_, seal
from corollary.model.link.keys import derive
from corollary.model.link.numbers import accept, give, has_grown, hold, is_same, look, settle, take, take_number
from corollary.model.link.words import number_at, put_number
from corollary.spec.link.envelope import TAG, Envelope, Fault
from corollary.spec.link.session import (
    AT_KIND,
    AT_NUMBER,
    AT_SIZE,
    AT_VERSION,
    GIVE_UP,
    HEADER,
    LEAST_FRAME,
    LIMIT,
    MESSAGE,
    MOST_DOUBLINGS,
    MOST_FRAME,
    MOST_MESSAGE,
    PATIENCE,
    PREFIX,
    RECEIPT,
    VERSION,
    WINDOW,
    Answer,
    Beginning,
    Session,
)

SHORT = 256  # a byte holds less


def is_roomy(s: Session) -> bool:
    """Are all buffers large enough?"""
    handed = length(s.frame.bytes) >= MOST_FRAME and length(s.message) >= MOST_MESSAGE
    return handed and length(s.outgoing) >= WINDOW * MOST_MESSAGE and length(s.incoming) >= WINDOW * MOST_MESSAGE


def is_refusal(answer: Answer) -> bool:
    """Does the answer say that a frame is not genuine, is not for this session, or came before?"""
    of_form = answer == Answer.NO_ROOM or answer == Answer.TOO_LARGE or answer == Answer.TRUNCATED
    of_number = answer == Answer.WRONG_SESSION or answer == Answer.TOO_OLD or answer == Answer.REPLAYED
    return of_form or of_number or answer == Answer.FORGED


@ensures(lambda result: result < WINDOW)
def place_of(number: u64) -> u32:
    """Return the place of a message among those on the way."""
    return u32(number % WINDOW)


def why_over(s: Session) -> Answer:
    """Return why a session is over."""
    return Answer.EXHAUSTED if s.ended == Answer.EXHAUSTED else Answer.DEAD


def begin(s: Session, b: Beginning, now: u64) -> Answer:
    """Begin a session: both ends call this with the same secret, measurements and nonces. The secret is zeroed."""
    if not is_roomy(s):
        return Answer.NO_ROOM
    clear(s.link)
    derive(s, b)
    s.direction = 0 if b.direction == 0 else 1
    s.ended = Answer.OK
    s.owes = False
    s.heard = now
    s.forged = 0
    s.replayed = 0
    s.refused = 0
    return Answer.OK


def submit(s: Session, now: u64) -> Answer:
    """Take a message of `size` bytes for sending. It is kept until the other end has given it out."""
    if not is_roomy(s):
        return Answer.NO_ROOM
    if s.ended != Answer.OK:
        return why_over(s)
    if s.size > MOST_MESSAGE:
        return Answer.TOO_LARGE
    number = s.link.taken
    if number == s.link.settled:  # nothing was to be heard until now
        s.heard = maximum(s.heard, now)
    answer = take(s.link)
    if answer != Answer.OK:
        return answer
    place = place_of(number)
    move(s.outgoing, MOST_MESSAGE * u64(place), s.message, 0, s.size)
    s.outgoing_size[place] = u16(s.size)
    s.due[place] = now
    s.tries[place] = 0
    return Answer.OK


def give_out(s: Session) -> Answer:
    """Hand over the next message, and its `size`; WAITS if it has not come yet."""
    if not is_roomy(s):
        return Answer.NO_ROOM
    number = s.link.given
    answer = give(s.link)
    if answer != Answer.OK:
        return answer
    place = place_of(number)
    size = minimum(u64(s.incoming_size[place]), MOST_MESSAGE)
    move(s.message, 0, s.incoming, MOST_MESSAGE * u64(place), size)
    s.size = size
    s.owes = True
    return Answer.OK


# ---- frames to the other end


def poll(s: Session, now: u64) -> Answer:
    """Make the next frame that must be sent now, of `size` bytes; NOTHING if there is none.

    DEAD if something waits for the other end, and nothing came from it for too long.
    """
    if not is_roomy(s):
        return Answer.NO_ROOM
    if s.ended != Answer.OK:
        return why_over(s)
    if s.link.settled < s.link.taken and saturating_sub(now, s.heard) >= GIVE_UP:
        s.ended = Answer.DEAD
        return Answer.DEAD
    count = minimum(saturating_sub(s.link.taken, s.link.settled), WINDOW)
    first = s.link.settled
    passed: u64 = 0
    while passed < count:
        maintains(passed <= count)
        decreases(count - passed)
        if s.due[place_of(first + passed)] <= now:
            return send_message(s, first + passed, now)
        passed += 1
    if s.owes:
        return send(s, RECEIPT, 0, 0)
    return Answer.NOTHING


@requires(is_roomy)
def send_message(s: Session, number: u64, now: u64) -> Answer:
    """Make a frame of a message, and say when it is to be sent again."""
    place = place_of(number)
    size = minimum(u64(s.outgoing_size[place]), MOST_MESSAGE)
    move(s.frame.bytes, HEADER + PREFIX, s.outgoing, MOST_MESSAGE * u64(place), size)
    doublings = minimum(s.tries[place], MOST_DOUBLINGS)
    s.due[place] = minimum(now, LIMIT >> 1) + (u64(PATIENCE) << doublings)
    s.tries[place] = u8(minimum(u32(doublings) + 1, MOST_DOUBLINGS))
    return send(s, MESSAGE, number, size)


@requires(lambda s, size: is_roomy(s) and size <= MOST_MESSAGE)
@ensures(lambda s, old_s, result: has_grown(s.link.next, old_s.link.next, result))
@ensures(lambda s, old_s, result: implies(result == Answer.OK, has_nonce(s.frame, s.direction, old_s.link.next)))
@ensures(lambda s, result: implies(result == Answer.OK, s.size <= MOST_FRAME))
def send(s: Session, kind: u8, number: u64, size: u64) -> Answer:
    """Seal a frame with the next number; the message is in its place."""
    frame_number = s.link.next
    answer = take_number(s.link)
    if answer != Answer.OK:
        s.ended = answer
        return answer
    e = s.frame
    put_number(e, 0, s.id)
    put_number(e, AT_NUMBER, frame_number)
    e.bytes[AT_KIND] = kind
    e.bytes[AT_VERSION] = VERSION
    e.bytes[AT_SIZE] = u8.truncate(PREFIX + size)
    e.bytes[AT_SIZE + 1] = u8.truncate((PREFIX + size) >> 8)
    put_number(e, HEADER, s.link.given)
    put_number(e, HEADER + 8, number)
    for i in range(8):
        e.key[i] = s.sending[i]
    prepare(e, s.direction, frame_number, size)
    fault = seal(e)
    if fault != Fault.NONE:
        return Answer.NO_ROOM
    s.size = LEAST_FRAME + size
    s.owes = False
    return Answer.OK


def has_nonce(e: Envelope, direction: u32, number: u64) -> bool:
    """Is the nonce that of a frame?"""
    return e.nonce[0] == direction and (u64(e.nonce[1]) | u64(e.nonce[2]) << 32) == number


@requires(lambda size: size <= MOST_MESSAGE)
@ensures(has_nonce)
@ensures(lambda e, size: e.additional == HEADER and e.content == PREFIX + size)
def prepare(e: Envelope, direction: u32, number: u64, size: u64) -> None:
    """Set the parts and the nonce of a frame."""
    e.additional = HEADER
    e.content = PREFIX + size
    e.nonce[0] = direction
    e.nonce[1] = u32.truncate(number)
    e.nonce[2] = u32.truncate(number >> 32)


# ---- frames from the other end


def is_used_once(s: Session, old: Session, answer: Answer) -> bool:
    """Could the number of a frame be accepted before, and not any more, if the frame was?"""
    if answer != Answer.OK and answer != Answer.DOUBLED:
        return True
    if not is_roomy(old):
        return False
    number = number_at(old.frame, AT_NUMBER)
    return look(old.link, number) == Answer.OK and look(s.link, number) != Answer.OK


@ensures(lambda s, old_s, result: implies(is_refusal(result), is_same(s.link, old_s.link)))
@ensures(lambda s, old_s, result: is_used_once(s, old_s, result))
@ensures(lambda s, old_s: s.link.after >= old_s.link.after and s.link.next == old_s.link.next)
def arrive(s: Session, now: u64) -> Answer:
    """Take a frame of `size` bytes, whoever made it. One that is not genuine, or came before, changes a count only."""
    if not is_roomy(s):
        return Answer.NO_ROOM
    if s.ended != Answer.OK:
        return why_over(s)
    answer = opened(s, now)
    if answer == Answer.FORGED:
        s.forged = minimum(s.forged, LIMIT - 1) + 1
    elif answer == Answer.REPLAYED or answer == Answer.TOO_OLD:
        s.replayed = minimum(s.replayed, LIMIT - 1) + 1
    elif is_refusal(answer):
        s.refused = minimum(s.refused, LIMIT - 1) + 1
    return answer


@requires(is_roomy)
@ensures(lambda s, old_s, result: implies(is_refusal(result), is_same(s.link, old_s.link)))
@ensures(lambda s, old_s, result: is_used_once(s, old_s, result))
@ensures(lambda s, old_s: s.link.after >= old_s.link.after)
def opened(s: Session, now: u64) -> Answer:
    """Do the same, without the counts."""
    answer = judged(s)
    if answer != Answer.OK:
        return answer
    number = number_at(s.frame, AT_NUMBER)
    for i in range(8):
        s.frame.key[i] = s.receiving[i]
    prepare(s.frame, 1 - minimum(s.direction, 1), number, saturating_sub(s.size, LEAST_FRAME))
    fault = open_(s.frame)
    if fault != Fault.NONE:
        return Answer.FORGED
    answer = accept(s.link, number)
    if answer != Answer.OK:
        return answer
    s.heard = maximum(s.heard, now)
    return used(s, s.frame.bytes[AT_KIND], saturating_sub(s.size, LEAST_FRAME))


@requires(is_roomy)
@ensures(lambda s, result: implies(result == Answer.OK, s.size >= LEAST_FRAME and s.size <= MOST_FRAME))
@ensures(lambda result: result != Answer.DOUBLED)
@ensures(lambda s, result: result != Answer.OK or look(s.link, number_at(s.frame, AT_NUMBER)) == Answer.OK)
def judged(s: Session) -> Answer:
    """Return what the header of a frame says against it; nothing of that is certain yet."""
    if s.size < LEAST_FRAME:
        return Answer.TRUNCATED
    if s.size > MOST_FRAME:
        return Answer.TOO_LARGE
    e = s.frame
    if number_at(e, 0) != s.id or e.bytes[AT_VERSION] != VERSION:
        return Answer.WRONG_SESSION
    if u64(e.bytes[AT_SIZE]) + SHORT * u64(e.bytes[AT_SIZE + 1]) != s.size - HEADER - TAG:
        return Answer.TRUNCATED
    return look(s.link, number_at(e, AT_NUMBER))


@requires(lambda s, size: is_roomy(s) and size <= MOST_MESSAGE)
@ensures(lambda result: not is_refusal(result))
def used(s: Session, kind: u8, size: u64) -> Answer:
    """Use the content of a genuine frame: what the other end has given out, and its message of so many bytes."""
    answer = settle(s.link, number_at(s.frame, HEADER))
    if answer != Answer.OK or kind == RECEIPT:
        return answer
    if kind != MESSAGE:
        return Answer.BEYOND
    number = number_at(s.frame, HEADER + 8)
    held = hold(s.link, number)
    if held == Answer.OK:
        place = place_of(number)
        move(s.incoming, MOST_MESSAGE * u64(place), s.frame.bytes, HEADER + PREFIX, size)
        s.incoming_size[place] = u16(size)
    if held != Answer.BEYOND:
        s.owes = True
    return held
