"""Does an end begin a session with nobody but the other end? In the library, and in the model alike."""

import hashlib
import hmac
import random
import struct

import pytest

from corollary.link import End, Forged, Stranger, heard_in, hello
from corollary.model.link.exchange import introduce, meet
from corollary.model.link.keys import LABEL
from corollary.spec.link.session import Answer, Beginning, Hello
from tests.link.hostile import MEASUREMENTS

SECRET, NONCES = b"\x5a" * 32, (b"\x33" * 32, b"\x44" * 32)
SIZE = 128
OLD = b"\x77" * 32  # the nonce of either end in an earlier session


def expected(second, secret=SECRET, measurements=MEASUREMENTS, nonces=NONCES):
    """Return the hello of an end, computed with Python's own HMAC."""
    label = struct.pack(">4II", *LABEL, 3 + second).ljust(64, b"\0")
    key = hmac.digest(secret, label, hashlib.sha256)
    shown, heard = measurements[second] + nonces[second], nonces[not second]
    middle = hmac.digest(key, shown, hashlib.sha256)
    return shown + heard + hmac.digest(middle, heard.ljust(64, b"\0"), hashlib.sha256)


def words(data):
    """Return bytes as the words of digests."""
    return struct.unpack(f">{len(data) // 4}I", data)


def known(second, nonces=NONCES):
    """Return what an end of the model knows before it meets the other one."""
    b = Beginning()
    put(b.secret, SECRET)
    put(b.measurement, b"".join(MEASUREMENTS))
    put(b.nonce, b"".join(nonces))
    b.direction = second
    return b


def put(array, data):
    """Write bytes into words of the model."""
    for place, word in enumerate(words(data)):
        array[place] = word


def of_model(shown):
    """Return a hello for the model."""
    h = Hello()
    for number, array in enumerate((h.measurement, h.nonce, h.heard, h.tag)):
        put(array, shown[32 * number : 32 * number + 32])
    return h


@pytest.mark.parametrize("second", [False, True])
def test_a_hello_is_what_the_description_says(second):
    made = Hello()
    introduce(made, known(second))
    assert [*made.measurement, *made.nonce, *made.heard, *made.tag] == [*words(expected(second))]
    assert hello(SECRET, MEASUREMENTS[second], NONCES[second], second, NONCES[not second]) == expected(second)


@pytest.mark.parametrize("second", [False, True])
def test_the_nonce_of_the_other_end_is_taken_and_nothing_else(second):
    b = known(second, nonces=[NONCES[end] if end == second else bytes(32) for end in range(2)])
    assert meet(b, of_model(expected(not second))) == Answer.OK
    assert [*b.nonce] == [*words(b"".join(NONCES))] and [*b.secret] == [*words(SECRET)]
    found = heard_in(expected(not second), SECRET, MEASUREMENTS[not second], NONCES[second], second)
    assert found == (NONCES[not second], True)


@pytest.mark.parametrize("second", [False, True])
@pytest.mark.parametrize("heard", [bytes(32), OLD, NONCES[0][:-1] + b"\0", NONCES[1][:-1] + b"\0"])
def test_a_hello_that_does_not_answer_begins_nothing_and_is_heard(second, heard):
    """It may be the first one of the other end, or one of an earlier session."""
    b = known(second, nonces=[NONCES[end] if end == second else bytes(32) for end in range(2)])
    shown = expected(not second, nonces=(heard, NONCES[1]) if second is False else (NONCES[0], heard))
    assert meet(b, of_model(shown)) == Answer.UNANSWERED and [*b.nonce] == [*words(b"".join(NONCES))]
    found = heard_in(shown, SECRET, MEASUREMENTS[not second], NONCES[second], second)
    assert found == (NONCES[not second], False)


@pytest.mark.parametrize("at", range(0, SIZE, 5))
def test_a_changed_bit_is_noticed(at):
    shown = bytearray(expected(True))
    shown[at] ^= 1 << at % 8
    b = known(False)
    assert meet(b, of_model(shown)) == Answer.FORGED and [*b.nonce] == [*words(b"".join(NONCES))]
    with pytest.raises(Forged):
        heard_in(bytes(shown), SECRET, MEASUREMENTS[True], NONCES[False])


@pytest.mark.parametrize(
    "shown",
    [expected(False), expected(True, secret=b"\x5b" * 32), bytes(SIZE)],
    ids=["its own, reflected", "of another secret", "nothing"],
)
def test_a_hello_of_somebody_else_is_refused(shown):
    assert meet(known(False), of_model(shown)) == Answer.FORGED
    with pytest.raises(Forged):
        heard_in(shown, SECRET, MEASUREMENTS[True], NONCES[False])


def test_who_has_booted_something_else_is_a_stranger():
    shown = expected(True, measurements=(MEASUREMENTS[0], b"\x66" * 32))
    b = known(False)
    assert meet(b, of_model(shown)) == Answer.STRANGER and [*b.nonce] == [*words(b"".join(NONCES))]
    with pytest.raises(Stranger, match="booted something else"):
        heard_in(shown, SECRET, MEASUREMENTS[True], NONCES[False])


class Greeter:
    """An end before a session: it shows its hello, and hears those of others until one answers it."""

    def __init__(self, second):
        self.second, self.heard, self.met = second, bytes(32), False

    def shown(self):
        return hello(SECRET, MEASUREMENTS[self.second], NONCES[self.second], self.second, self.heard)

    def hear(self, shown):
        if not self.met:
            other = MEASUREMENTS[not self.second]
            self.heard, self.met = heard_in(shown, SECRET, other, NONCES[self.second], self.second)


@pytest.mark.parametrize("seed", range(20))
def test_both_ends_meet_whatever_earlier_hellos_come_in_between(seed):
    chosen, ends = random.Random(seed), [Greeter(False), Greeter(True)]
    earlier = [[expected(second, nonces=(OLD, OLD)), expected(second, nonces=(OLD, bytes(32)))] for second in range(2)]
    for end, others in zip(ends, reversed(earlier)):
        end.hear(others[0])
    passed = [*earlier[0], *earlier[1]]
    for _ in range(100):
        for sender, receiver in (ends, reversed(ends)):
            mine = [shown for shown in passed if shown[:32] == MEASUREMENTS[sender.second]]
            passed.append(sender.shown())
            for shown in (passed[-1], *chosen.sample(mine, chosen.randrange(2))):
                receiver.hear(shown)
    assert [(end.met, end.heard) for end in ends] == [(True, NONCES[1]), (True, NONCES[0])]


def test_an_end_that_hears_only_earlier_hellos_does_not_begin():
    end = Greeter(False)
    for nonces in ((bytes(32), OLD), (OLD, OLD), (OLD, NONCES[1])):
        end.hear(expected(True, nonces=nonces))
        assert not end.met


def test_keys_of_an_earlier_nonce_open_nothing():
    first = End(SECRET, MEASUREMENTS, (NONCES[0], OLD))
    second = End(SECRET, MEASUREMENTS, NONCES, second=True)
    assert first.submit(b"to whom?", 0)
    assert [second.arrive(frame, 0) for frame in first.frames(0)] == [Answer.WRONG_SESSION]


@pytest.mark.parametrize("size", [0, 127, 129])
def test_a_hello_of_another_size_is_refused(size):
    with pytest.raises(ValueError, match="128 bytes"):
        heard_in(bytes(size), SECRET, MEASUREMENTS[True], NONCES[False])
