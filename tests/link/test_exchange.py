"""Does an end begin a session with nobody but the other end? In the library, and in the model alike."""

import hashlib
import hmac
import struct

import pytest

from corollary.link import End, Forged, Stranger, hello, nonce_of
from corollary.model.link.exchange import introduce, meet
from corollary.model.link.keys import LABEL
from corollary.spec.link.session import Answer, Beginning, Hello
from tests.link.hostile import MEASUREMENTS

SECRET, NONCES = b"\x5a" * 32, (b"\x33" * 32, b"\x44" * 32)
SIZE = 96


def expected(second, secret=SECRET, measurements=MEASUREMENTS, nonces=NONCES):
    """Return the hello of an end, computed with Python's own HMAC."""
    label = struct.pack(">4II", *LABEL, 3 + second).ljust(64, b"\0")
    key = hmac.digest(secret, label, hashlib.sha256)
    shown = measurements[second] + nonces[second]
    return shown + hmac.digest(key, shown, hashlib.sha256)


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
    for number, array in enumerate((h.measurement, h.nonce, h.tag)):
        put(array, shown[32 * number : 32 * number + 32])
    return h


@pytest.mark.parametrize("second", [False, True])
def test_a_hello_is_what_the_description_says(second):
    made = Hello()
    introduce(made, known(second))
    assert [*made.measurement, *made.nonce, *made.tag] == [*words(expected(second))]
    assert hello(SECRET, MEASUREMENTS[second], NONCES[second], second) == expected(second)


@pytest.mark.parametrize("second", [False, True])
def test_the_nonce_of_the_other_end_is_taken_and_nothing_else(second):
    b = known(second, nonces=[NONCES[end] if end == second else bytes(32) for end in range(2)])
    assert meet(b, of_model(expected(not second))) == Answer.OK
    assert [*b.nonce] == [*words(b"".join(NONCES))] and [*b.secret] == [*words(SECRET)]
    assert nonce_of(expected(not second), SECRET, MEASUREMENTS[not second], second) == NONCES[not second]


@pytest.mark.parametrize("at", range(0, SIZE, 5))
def test_a_changed_bit_is_noticed(at):
    shown = bytearray(expected(True))
    shown[at] ^= 1 << at % 8
    b = known(False)
    assert meet(b, of_model(shown)) == Answer.FORGED and [*b.nonce] == [*words(b"".join(NONCES))]
    with pytest.raises(Forged):
        nonce_of(bytes(shown), SECRET, MEASUREMENTS[True])


@pytest.mark.parametrize(
    "shown",
    [expected(False), expected(True, secret=b"\x5b" * 32), bytes(SIZE)],
    ids=["its own, reflected", "of another secret", "nothing"],
)
def test_a_hello_of_somebody_else_is_refused(shown):
    assert meet(known(False), of_model(shown)) == Answer.FORGED
    with pytest.raises(Forged):
        nonce_of(shown, SECRET, MEASUREMENTS[True])


def test_who_has_booted_something_else_is_a_stranger():
    shown = expected(True, measurements=(MEASUREMENTS[0], b"\x66" * 32))
    b = known(False)
    assert meet(b, of_model(shown)) == Answer.STRANGER and [*b.nonce] == [*words(b"".join(NONCES))]
    with pytest.raises(Stranger, match="booted something else"):
        nonce_of(shown, SECRET, MEASUREMENTS[True])


def test_a_hello_of_an_earlier_session_opens_nothing():
    old = nonce_of(expected(True, nonces=(bytes(32), b"\x77" * 32)), SECRET, MEASUREMENTS[True])
    first = End(SECRET, MEASUREMENTS, (NONCES[0], old))
    second = End(SECRET, MEASUREMENTS, NONCES, second=True)
    assert first.submit(b"to whom?", 0)
    assert [second.arrive(frame, 0) for frame in first.frames(0)] == [Answer.WRONG_SESSION]


@pytest.mark.parametrize("size", [0, 95, 97])
def test_a_hello_of_another_size_is_refused(size):
    with pytest.raises(ValueError, match="96 bytes"):
        nonce_of(bytes(size), SECRET, MEASUREMENTS[True])
