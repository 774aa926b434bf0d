"""What is a session? Two machines send each other numbered frames, and by them messages, in order and each once.

A frame has a header, which is additional data, then content, which is encrypted, then a tag:

    session (8 bytes), number (8), kind (1), version (1), bytes of content (2)
    messages that the sender of the frame has given out (8), number of the message (8), the message
    tag (16)

Numbers have the low byte first. Each direction has a key of its own and numbers its frames from 0 on: the nonce is the
direction (4 bytes) and the number (8). A message that is sent again gets a new frame with a new number.
"""

from corollary.language.types import Array, Enum, Slice, u8, u16, u32, u64
from corollary.language.values import Record
from corollary.spec.kernel.sha256 import Digest
from corollary.spec.link.envelope import TAG, Envelope, Key

LIMIT = 0xFFFFFFFFFFFFFFFF  # no frame and no message has this number
WINDOW = 64  # frames that may overtake one another, and messages on the way
VERSION = 1
HEADER = 20  # bytes
AT_NUMBER = 8  # positions in the header
AT_KIND = 16
AT_VERSION = 17
AT_SIZE = 18
PREFIX = 16  # bytes of content before the message
MOST_MESSAGE = 1400  # bytes
LEAST_FRAME = HEADER + PREFIX + TAG
MOST_FRAME = LEAST_FRAME + MOST_MESSAGE
MESSAGE = 1  # kind of a frame with a message
RECEIPT = 2  # kind of a frame without one
PATIENCE = 50_000_000  # nanoseconds until a message is sent again; each time twice as long
MOST_DOUBLINGS = 5
GIVE_UP = 30_000_000_000  # nanoseconds without any genuine frame after which a link on which something waits is dead


class Answer(Enum):
    """What becomes of what is asked, or of a frame."""

    OK = 0
    NOTHING = 1  # nothing is to be sent now
    WAITS = 2  # the next message has not come yet
    FULL = 3  # too many messages are on the way
    NO_ROOM = 4  # a buffer is smaller than it must be
    TOO_LARGE = 5  # a frame or a message is larger than any may be
    TRUNCATED = 6  # a frame has fewer bytes than it says, or more
    WRONG_SESSION = 7  # a frame is of another session or version
    TOO_OLD = 8  # so many later frames came that nobody knows whether this one did
    REPLAYED = 9  # a frame with this number was accepted before
    FORGED = 10  # the tag is not right
    DOUBLED = 11  # the frame is genuine; its message is here, or was given out
    BEYOND = 12  # no frame, message or count can have this number, or the kind of a genuine frame is unknown
    EXHAUSTED = 13  # there are no more numbers: the session is over
    DEAD = 14  # nothing came for too long: the session is over
    STRANGER = 15  # the other end knows the secret, but has booted something else
    UNANSWERED = 16  # a hello is genuine, but whoever made it had not heard the nonce of this end


class Link(Record):
    """What both directions of a session have come to. There is nothing secret in it."""

    next: u64  # number of the next frame to be sealed
    after: u64  # number behind the last frame that was accepted
    seen: u64  # bit i: frame `after - 1 - i` was accepted
    taken: u64  # messages that were taken for sending
    settled: u64  # messages of these, from the first on, that the other end gave out
    given: u64  # messages that were given out here
    held: u64  # bit i: message `given + i` is here


class Session(Record):
    """A link, its keys, and the messages on the way."""

    link: Link
    id: u64
    direction: u32  # in which this end sends: 0 for the first end, 1 for the second
    ended: Answer  # why the session is over; OK while it is not
    owes: bool  # must the other end be told what was given out?
    heard: u64  # when the last genuine frame came, in nanoseconds
    size: u64  # bytes of the frame or message that is handed over
    forged: u64  # frames that were not genuine
    replayed: u64  # frames that came again, or too late
    refused: u64  # other frames that were refused
    sending: Key
    receiving: Key
    frame: Envelope  # a frame that is handed over; of MOST_FRAME bytes
    message: Slice[u8]  # a message that is handed over; of MOST_MESSAGE bytes
    outgoing: Slice[u8]  # a place of MOST_MESSAGE bytes for each message on the way
    incoming: Slice[u8]  # likewise
    outgoing_size: Array[u16, WINDOW]
    incoming_size: Array[u16, WINDOW]
    due: Array[u64, WINDOW]  # when each is sent, or sent again
    tries: Array[u8, WINDOW]  # how often each was sent


class Beginning(Record):
    """What both ends know when a session begins. All are SHA-256 words, as they lie in digests."""

    secret: Digest
    measurement: Array[u32, 16]  # of what the first end has booted, then of the second end
    nonce: Array[u32, 16]  # of the first end, then of the second end; new for each session
    direction: u32  # 0 if this is the first end, 1 if it is the second


class Hello(Record):
    """What an end shows before a session begins, authenticated with the secret."""

    measurement: Digest  # of what it has booted
    nonce: Digest  # its own
    heard: Digest  # the nonce that it has heard last of the other end; zeros for none
    tag: Digest
