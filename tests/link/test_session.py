"""Does an end of a session do with each frame what it must? In the library, and in the model alike."""

import hashlib
import hmac
import random
import struct
from functools import cache

import pytest

from corollary.language.values import allocate
from corollary.link import End, LinkOver, open_, seal
from corollary.model.link import session
from corollary.spec.link.session import (
    AT_KIND,
    AT_SIZE,
    AT_VERSION,
    GIVE_UP,
    HEADER,
    LEAST_FRAME,
    LIMIT,
    MOST_FRAME,
    MOST_MESSAGE,
    PATIENCE,
    PREFIX,
    RECEIPT,
    WINDOW,
    Answer,
    Beginning,
    Session,
)
from tests.link.hostile import MEASUREMENTS, ends

REFUSALS = {Answer.TRUNCATED, Answer.TOO_LARGE, Answer.WRONG_SESSION, Answer.TOO_OLD, Answer.REPLAYED, Answer.FORGED}


@pytest.fixture
def pair():
    """Both ends of a session."""
    return ends(random.Random(1))


def sent(end, *messages, now=0):
    """Submit messages, and return the frames that are sent."""
    assert all(end.submit(message, now) for message in messages)
    return list(end.frames(now))


def key(end, name="sending"):
    """Return a key of an end."""
    return bytes(getattr(end.state, name))


def made(first, number, content, kind=1, version=1, session_id=None):
    """Return a frame as the first end would seal it, from the description of the format."""
    name = first.state.id if session_id is None else session_id
    header = struct.pack("<QQBBH", name, number, kind, version, len(content))
    return header + seal(key(first), struct.pack("<IQ", 0, number), content, header)


def content(message, number=0, given=0):
    """Return the content of a frame."""
    return struct.pack("<QQ", given, number) + message


# ---- frames


def test_a_frame_is_as_the_format_says(pair):
    first, second = pair
    (frame,) = sent(first, b"hello")
    assert frame == made(first, 0, content(b"hello"))
    assert second.arrive(made(first, 0, content(b"hello")), 0) is Answer.OK and list(second.messages()) == [b"hello"]
    (receipt,) = second.frames(0)
    assert receipt[AT_KIND] == RECEIPT and len(receipt) == LEAST_FRAME
    plain = open_(key(second), struct.pack("<IQ", 1, 0), receipt[HEADER:], receipt[:HEADER])
    assert plain == content(b"", 0, 1)


def test_the_largest_message_fits_and_a_larger_one_is_refused(pair):
    first, second = pair
    (frame,) = sent(first, b"x" * MOST_MESSAGE)
    assert len(frame) == MOST_FRAME <= 1472  # of Ethernet, without the headers of IP and UDP
    assert second.arrive(frame, 0) is Answer.OK and list(second.messages()) == [b"x" * MOST_MESSAGE]
    with pytest.raises(ValueError, match="at most"):
        first.submit(b"x" * (MOST_MESSAGE + 1), 0)
    first.state.size = MOST_MESSAGE + 1
    assert first.ask("submit", 0) is Answer.TOO_LARGE


def test_each_changed_bit_of_a_frame_is_refused_and_changes_nothing_else(pair):
    first, second = pair
    (frame,) = sent(first, b"hello")
    before = bytes(second.state.link)
    for bit in range(8 * len(frame)):
        changed = bytearray(frame)
        changed[bit // 8] ^= 1 << bit % 8
        assert second.arrive(bytes(changed), 0) in REFUSALS
    state = second.state
    assert bytes(state.link) == before and state.forged + state.replayed + state.refused == 8 * len(frame)
    assert second.arrive(frame, 0) is Answer.OK


def test_each_length_but_the_right_one_is_refused(pair):
    first, second = pair
    (frame,) = sent(first, b"hello")
    for size in (*range(len(frame)), len(frame) + 1, MOST_FRAME):
        assert second.arrive((frame + bytes(MOST_FRAME))[:size], 0) is Answer.TRUNCATED
    assert second.arrive(frame + bytes(MOST_FRAME), 0) is Answer.TOO_LARGE


@pytest.mark.parametrize(
    ("at", "value", "answer"),
    [
        (0, 0xFF, Answer.WRONG_SESSION),
        (8, 1, Answer.FORGED),
        (AT_KIND, RECEIPT, Answer.FORGED),
        (AT_VERSION, 2, Answer.WRONG_SESSION),
        (AT_SIZE, 0, Answer.TRUNCATED),
        (HEADER, 0, Answer.FORGED),
    ],
)
def test_a_forged_part_has_its_answer(pair, at, value, answer):
    first, second = pair
    (frame,) = sent(first, b"hello")
    changed = bytearray(frame)
    changed[at] = value if changed[at] != value else value + 1
    assert second.arrive(bytes(changed), 0) is answer


@pytest.mark.parametrize(
    ("frame", "answer"),
    [
        (lambda first: made(first, 0, content(b"x", WINDOW)), Answer.BEYOND),
        (lambda first: made(first, 0, content(b"x", 0, 1)), Answer.BEYOND),
        (lambda first: made(first, 0, content(b"x"), kind=3), Answer.BEYOND),
        (lambda first: made(first, LIMIT, content(b"x")), Answer.BEYOND),
        (lambda first: made(first, 0, b"x" * (PREFIX - 1)), Answer.TRUNCATED),
        (lambda first: made(first, LIMIT - 1, content(b"x", WINDOW - 1)), Answer.OK),
    ],
)
def test_a_genuine_end_that_counts_wrong_is_noticed(pair, frame, answer):
    first, second = pair
    assert second.arrive(frame(first), 0) is answer and list(second.messages()) == []


# ---- numbers


class Window:
    """What the window means, in other words: the set of numbers that came, and the greatest of them."""

    def __init__(self):
        self.came = set()

    def answer(self, number):
        """Return what a frame of this number must be told."""
        if self.came and number <= max(self.came) - WINDOW:
            return Answer.TOO_OLD
        if number in self.came:
            return Answer.REPLAYED
        self.came.add(number)
        return Answer.OK


@pytest.mark.parametrize("seed", range(20))
def test_each_number_is_accepted_once(seed):
    chosen = random.Random(seed)
    first, second = ends(chosen)
    window, at = Window(), chosen.choice((0, 70, 1 << 40))
    for _ in range(400):
        number = max(0, at + chosen.choice((-65, -64, -63, -2, -1, 0, 1, 2, 62, 63, 64, 65, chosen.randint(-70, 5))))
        at = max(at, number) if chosen.random() < 0.9 else at
        expected = window.answer(number)
        frame = made(first, number, content(b"", 0, 0), kind=RECEIPT)
        assert second.arrive(frame, 0) is expected


def test_a_message_that_is_sent_again_has_a_new_number(pair):
    first, _ = pair
    frames = sent(first, b"again")
    for now in range(0, GIVE_UP, PATIENCE // 2):
        frames += first.frames(now)
    assert len(frames) > 10 and len({frame[8:16] for frame in frames}) == len(frames)
    assert len({frame[HEADER:] for frame in frames}) == len(frames)


def test_the_wait_doubles_up_to_a_bound(pair):
    first, _ = pair
    times, now = [], 0
    sent(first, b"again")
    while now < GIVE_UP - 1:
        now += PATIENCE // 10
        times += [now for _ in first.frames(min(now, GIVE_UP - 1))]
    waits = [later - sooner for sooner, later in zip([0, *times], times)]
    assert waits[:6] == [PATIENCE << count for count in range(6)] and set(waits[5:]) == {PATIENCE << 5}


@pytest.mark.parametrize("number", [LIMIT - 1, LIMIT])
def test_a_session_is_over_when_numbers_are_used_up(pair, number):
    first, _ = pair
    first.state.link.next = number
    first.submit(b"x", 0)
    frames = []
    with pytest.raises(LinkOver, match="no more numbers"):
        frames += [frame for now in (0, PATIENCE) for frame in first.frames(now)]
    assert first.ask("poll", 0) is first.ask("submit", 0) is Answer.EXHAUSTED
    assert first.state.link.next == LIMIT


# ---- messages


def test_no_more_messages_are_taken_than_there_are_places(pair):
    first, second = pair
    frames = sent(first, *(bytes([number]) for number in range(WINDOW)))
    assert not first.submit(b"one too many", 0)
    for frame in frames[:0:-1]:
        assert second.arrive(frame, 0) is Answer.OK and list(second.messages()) == []
    assert second.arrive(frames[0], 0) is Answer.OK
    assert list(second.messages()) == [bytes([number]) for number in range(WINDOW)]
    assert [first.arrive(frame, 0) for frame in second.frames(0)] == [Answer.OK]
    assert first.submit(b"one more", 0)


def test_a_receiver_that_takes_nothing_out_slows_the_sender(pair):
    first, second = pair
    for frame in sent(first, *[b"x"] * WINDOW):
        second.arrive(frame, 0)
    for frame in second.frames(0):
        first.arrive(frame, 0)
    assert not first.submit(b"x", 0)
    assert len(list(second.messages())) == WINDOW


# ---- keys


def derived(secret, nonces):
    """Return id and keys of a session as the description says."""

    def mac(key, *parts):
        return hmac.new(key, b"".join(parts), hashlib.sha256).digest()

    extracted = mac(mac(secret, *MEASUREMENTS), *nonces)
    name, first, second = (
        mac(extracted, b"corollary link 1", purpose.to_bytes(4, "big"), bytes(44)) for purpose in (2, 0, 1)
    )
    return int.from_bytes(name[:8], "little"), first, second


def test_keys_are_derived_as_described():
    secret, nonces = bytes(range(32)), (b"n" * 32, b"m" * 32)
    for second in (False, True):
        end = End(secret, MEASUREMENTS, nonces, second)
        keys = key(end), key(end, "receiving")
        assert (end.state.id, *(keys[::-1] if second else keys)) == derived(secret, nonces)


def test_whatever_differs_makes_other_keys():
    same = (b"s" * 32, MEASUREMENTS, (b"n" * 32, b"m" * 32))
    others = [
        (b"t" * 32, *same[1:]),
        (same[0], MEASUREMENTS[::-1], same[2]),
        (same[0], (MEASUREMENTS[0], bytes(32)), same[2]),
        (*same[:2], same[2][::-1]),
        (*same[:2], (b"n" * 32, bytes(32))),
    ]
    found = {key(End(*given), name) for given in (same, *others) for name in ("sending", "receiving")}
    assert len(found) == 2 * (1 + len(others))


@pytest.mark.parametrize("wrong", [(bytes(31),), (bytes(32), (bytes(32), b"")), (bytes(32), MEASUREMENTS, (b"", b""))])
def test_an_input_of_another_size_is_refused(wrong):
    whole = (bytes(32), MEASUREMENTS, (bytes(32), bytes(32)))
    with pytest.raises(ValueError, match="32 bytes"):
        End(*wrong, *whole[len(wrong) :])


def test_the_secret_is_forgotten():
    b, s = Beginning(), modelled(b"\1" * 32, (bytes(32), bytes(32)), False)
    b.secret[3] = 7
    assert session.begin(s, b, 0) == Answer.OK and list(b.secret) == [0] * 8


# ---- the model


def modelled(secret, nonces, second):
    """Return a session of the model that has begun."""
    b, s = Beginning(direction=int(second)), Session()
    for array, data in ((b.secret, secret), (b.measurement, b"".join(MEASUREMENTS)), (b.nonce, b"".join(nonces))):
        for number, word in enumerate(struct.unpack(f">{len(data) // 4}I", data)):
            array[number] = word
    allocate(s.frame, bytes=bytearray(MOST_FRAME))
    places = {name: bytearray(WINDOW * MOST_MESSAGE) for name in ("outgoing", "incoming")}
    allocate(s, message=bytearray(MOST_MESSAGE), **places)
    assert session.begin(s, b, 0) == Answer.OK
    return s


class Modelled:
    """An end of the model, which is asked as one of the library is."""

    def __init__(self, secret, nonces, second):
        self.state = modelled(secret, nonces, second)

    def ask(self, name, data, now):
        """Hand over bytes, call a function, and return its answer and what it hands over."""
        place = self.state.frame.bytes if name in ("arrive", "poll") else self.state.message
        place.rows[: len(data)] = data
        self.state.size = len(data)
        arguments = () if name == "give_out" else (now,)
        answer = getattr(session, name)(self.state, *arguments)
        return answer, bytes(place.rows[: self.state.size]) if name in ("give_out", "poll") and answer == 0 else b""

    @property
    def seen(self):
        """The state, as far as it says anything."""
        state, link = self.state, self.state.link
        counters = [getattr(link, name) for name in type(link).fields]
        return [*counters, state.ended, state.owes, state.heard, state.forged, state.replayed, state.refused]


def asked(end, name, data, now):
    """Do the same with an end of the library."""
    place = end.frame if name in ("arrive", "poll") else end.room["message"]
    place[: len(data)] = data
    end.state.size = len(data)
    answer = end.ask(name, *(() if name == "give_out" else (now,)))
    return answer, bytes(place)[: end.state.size] if name in ("give_out", "poll") and answer is Answer.OK else b""


def shown(end):
    """Return what is seen of an end of the library."""
    state, link = end.state, end.state.link
    counters = [getattr(link, name) for name, _ in link._fields_]
    return [*counters, state.ended, state.owes, state.heard, state.forged, state.replayed, state.refused]


@pytest.mark.parametrize("seed", range(3))
def test_library_and_model_do_the_same(seed):
    chosen = random.Random(seed)
    secret, nonces = chosen.randbytes(32), (chosen.randbytes(32), chosen.randbytes(32))
    pairs = [(End(secret, MEASUREMENTS, nonces, second), Modelled(secret, nonces, second)) for second in (False, True)]
    flying, now = [[], []], 0
    for _ in range(120):
        side, name = chosen.randrange(2), chosen.choice(("submit", "poll", "poll", "arrive", "arrive", "give_out"))
        data = chosen.randbytes(chosen.randrange(40)) if name == "submit" else b""
        if name == "arrive" and flying[1 - side]:
            data = bytearray(chosen.choice(flying[1 - side][-4:]))
            data[chosen.randrange(len(data))] ^= chosen.choice((0, 0, 0, 1, 0x80))
        now += chosen.choice((0, PATIENCE // 2, PATIENCE))
        library, model = pairs[side]
        answer, out = asked(library, name, bytes(data), now)
        assert model.ask(name, bytes(data), now) == (answer, out) and model.seen == shown(library)
        flying[side] += [out] if name == "poll" and out else []


@cache
def small():
    """Return a session whose buffers are too small."""
    return Session()


@pytest.mark.parametrize("name", ["submit", "poll", "arrive"])
def test_buffers_that_are_too_small_are_refused(name):
    assert getattr(session, name)(small(), 0) == Answer.NO_ROOM
    assert session.give_out(small()) == Answer.NO_ROOM and session.begin(small(), Beginning(), 0) == Answer.NO_ROOM
