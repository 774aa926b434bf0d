"""How does Python reach the link between two machines? Through a library built from the generated C.

One end is an `End`: messages go in and come out, and so do frames. Nothing here knows a network or a clock.
"""

import ctypes
from collections.abc import Iterator
from functools import cache
from typing import Any

from corollary.codegen import build
from corollary.language.layout import size_of
from corollary.library import PREFIX, UNSIGNED, Room, structure
from corollary.problem import Problem
from corollary.spec.link.envelope import TAG, Envelope, Fault
from corollary.spec.link.session import MOST_FRAME, MOST_MESSAGE, WINDOW, Answer, Beginning, Hello, Session

FUNCTIONS: dict[str, tuple[Any, str]] = {  # rest of the name: what is returned, and parameters, P for a pointer
    "exchange_introduce": (None, "PP"),
    "exchange_meet": (Answer, "PP"),
    "aead_seal": (Fault, "P"),
    "aead_open_": (Fault, "P"),
    "session_begin": (Answer, "PPL"),
    "session_submit": (Answer, "PL"),
    "session_give_out": (Answer, "P"),
    "session_poll": (Answer, "PL"),
    "session_arrive": (Answer, "PL"),
}
HELLO, SHOWN = size_of(Hello), ("measurement", "nonce", "heard", "tag")  # bytes, and what they are, 32 of each
OVER = (Answer.EXHAUSTED, Answer.DEAD)  # why a session is over
for record in (Envelope, Session, Beginning, Hello):
    structure(record)  # each is made once, before there can be a second thread


class LinkOver(Problem):
    """A session is over. `answer` says why: an `Answer`."""

    def __init__(self, answer: Answer):
        super().__init__(Answer.notes[answer.name])
        self.answer = answer


class Forged(Problem):
    """The tag of an envelope, or of a hello, is not right."""


class Stranger(Problem):
    """The other end has booted something else than it should."""


def seal(key: bytes, nonce: bytes, content: bytes, additional: bytes = b"") -> bytes:
    """Return cipher text and tag (RFC 8439, 2.8). Raises `ValueError` for a key without 32 bytes, a nonce without 12.

    Never use a nonce twice with one key.
    """
    room = envelope(key, nonce, additional, content + bytes(TAG))
    call("aead_seal", room.address)
    return bytes(room["bytes"])[len(additional) :]


def open_(key: bytes, nonce: bytes, sealed: bytes, additional: bytes = b"") -> bytes:
    """Return the content of cipher text and tag. Raises `Forged`; `ValueError` likewise, and for less than a tag."""
    if len(sealed) < TAG:
        raise ValueError(f"{len(sealed)} bytes hold no tag, which has {TAG}")
    room = envelope(key, nonce, additional, sealed)
    if call("aead_open_", room.address) != Fault.NONE:
        raise Forged("the tag is not that of these bytes")
    return bytes(room["bytes"])[len(additional) : -TAG]


def envelope(key, nonce, additional, rest):
    """Return the room of an envelope; raises `ValueError`."""
    if (len(key), len(nonce)) != (32, 12):
        raise ValueError(f"a key has 32 bytes and a nonce 12, not {len(key)} and {len(nonce)}")
    room = Room(Envelope)
    room.make(bytes=len(additional) + len(rest))
    ctypes.memmove(room["bytes"], additional + rest, len(additional) + len(rest))
    room.value.additional, room.value.content = len(additional), len(rest) - TAG
    ctypes.memmove(room.value.key, key, len(key))
    ctypes.memmove(room.value.nonce, nonce, len(nonce))
    return room


def hello(secret: bytes, measurement: bytes, nonce: bytes, second: bool = False, heard: bytes = bytes(32)) -> bytes:
    """Return what an end shows the other one before a session.

    This is what it has booted, a nonce that was never used, and the nonce that it `heard` last of the other end. All
    have 32 bytes. `second` says which end this is. Raises `ValueError` for other sizes.
    """
    own, other = (measurement, nonce), (bytes(32), heard)
    measurements, nonces = zip(*((other, own) if second else (own, other)))
    known, room = beginning(secret, measurements, nonces, second), Room(Hello)
    run("exchange_introduce", room.address, known.address)
    return b"".join(words_of(getattr(room.value, name)) for name in SHOWN)


def heard_in(shown: bytes, secret: bytes, measurement: bytes, nonce: bytes, second: bool = False) -> tuple[bytes, bool]:
    """Return the nonce in a hello of the other end, and whether that has heard this end's nonce.

    If not, the hello may be of an earlier session: show the other end what was heard, and wait for its next one. The
    other end should have booted what was measured. `second` says which end this is. Raises `Forged`, `Stranger`, and
    `ValueError` for a hello of another size than `HELLO`, or a secret, measurement or nonce without 32 bytes.
    """
    if len(shown) != HELLO:
        raise ValueError(f"a hello has {HELLO} bytes, not {len(shown)}")
    own, other = (bytes(32), nonce), (measurement, bytes(32))
    expected, nonces = zip(*((other, own) if second else (own, other)))
    known, room = beginning(secret, expected, nonces, second), Room(Hello)
    for number, name in enumerate(SHOWN):
        put_words(getattr(room.value, name), shown[32 * number : 32 * number + 32])
    answer = call("exchange_meet", known.address, room.address)
    if answer is Answer.FORGED:
        raise Forged("the tag is not that of this hello")
    if answer is Answer.STRANGER:
        raise Stranger(Answer.notes[answer.name])
    return words_of(known.value.nonce)[0 if second else 32 :][:32], answer is Answer.OK


def beginning(secret, measurements, nonces, second):
    """Return the room of what is known when a session begins; raises `ValueError`."""
    room = Room(Beginning)
    for name, data in (("secret", (secret,)), ("measurement", measurements), ("nonce", nonces)):
        if any(len(each) != 32 for each in data):
            raise ValueError(f"each {name} has 32 bytes")
        put_words(getattr(room.value, name), b"".join(data))
    room.value.direction = int(second)
    return room


class End:
    """One end of a session.

    `secret`, and `measurements` and `nonces` of the first end and the second, have 32 bytes each. `second` says which
    end this is. Times are nanoseconds of one clock. Raises `ValueError` for other sizes.
    """

    def __init__(
        self,
        secret: bytes,
        measurements: tuple[bytes, bytes],
        nonces: tuple[bytes, bytes],
        second: bool = False,
        now: int = 0,
    ):
        known = beginning(secret, measurements, nonces, second)
        self.room = Room(Session)
        self.room.make(message=MOST_MESSAGE, outgoing=WINDOW * MOST_MESSAGE, incoming=WINDOW * MOST_MESSAGE)
        self.state, self.frame = self.room.value, (ctypes.c_uint8 * MOST_FRAME)()
        self.state.frame.bytes.at, self.state.frame.bytes.length = ctypes.addressof(self.frame), MOST_FRAME
        self.ask("begin", known.address, now)

    def ask(self, name, *arguments):
        """Call a function of the session, and return its answer."""
        return call(f"session_{name}", self.room.address, *arguments)

    def submit(self, message: bytes, now: int) -> bool:
        """Take a message for sending; return False if too many are on the way.

        Raises `LinkOver`, and `ValueError` for more than MOST_MESSAGE bytes.
        """
        if len(message) > MOST_MESSAGE:
            raise ValueError(f"a message has at most {MOST_MESSAGE} bytes, not {len(message)}")
        ctypes.memmove(self.room["message"], message, len(message))
        self.state.size = len(message)
        return checked(self.ask("submit", now)) is Answer.OK

    def frames(self, now: int) -> Iterator[bytes]:
        """Yield all frames that must be sent now. Raises `LinkOver`."""
        while checked(self.ask("poll", now)) is Answer.OK:
            yield ctypes.string_at(self.frame, self.state.size)

    def arrive(self, frame: bytes, now: int) -> Answer:
        """Take a frame, whoever made it, and return what became of it."""
        ctypes.memmove(self.frame, frame, min(len(frame), MOST_FRAME))
        self.state.size = len(frame)
        return self.ask("arrive", now)

    def messages(self) -> Iterator[bytes]:
        """Yield the messages that have come, in order."""
        while self.ask("give_out") is Answer.OK:
            yield ctypes.string_at(self.room["message"], self.state.size)


def put_words(array, data):
    """Write bytes as the words of digests, which have the high byte first."""
    for number in range(len(data) // 4):
        array[number] = int.from_bytes(data[4 * number : 4 * number + 4], "big")


def words_of(array):
    """Return the words of digests as bytes."""
    return b"".join(word.to_bytes(4, "big") for word in array)


def checked(answer):
    """Return an answer; raises `LinkOver`."""
    if answer in OVER:
        raise LinkOver(answer)
    return answer


def call(name, *arguments):
    """Call a function of the library, and return its answer."""
    return FUNCTIONS[name][0](run(name, *arguments))


def run(name, *arguments):
    """Call a function of the library, and return what it returns, as a number."""
    return getattr(library(), PREFIX + name)(*arguments)


@cache
def library() -> Any:
    """Return the library with the functions of the link; its calls release the lock of the interpreter."""
    loaded, letters = ctypes.CDLL(str(build.link_library())), {"P": ctypes.c_void_p, "L": ctypes.c_uint64}
    for name, (answer, parameters) in FUNCTIONS.items():
        function = getattr(loaded, PREFIX + name)
        function.restype = None if answer is None else UNSIGNED[answer.storage]
        function.argtypes = [letters[each] for each in parameters]
    return loaded
