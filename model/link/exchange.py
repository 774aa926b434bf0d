"""How do two ends that share a secret show each other what they have booted, and agree on nonces?

    key of a hello = HMAC(secret, LABEL, purpose, zeros)

    tag = HMAC(HMAC(key of the hello, measurement and nonce), nonce that was heard and zeros)

Each end sends its hello until a genuine frame comes, always with the nonce that it has heard last. A session begins
with a hello that has the nonce of this end in it: whoever made it made it now. A hello of an earlier session is
genuine, but has another one, so it begins nothing, and the next hello of the other end is heard instead of it.
"""

from corollary.language.contracts import ensures
from corollary.language.types import u32
from corollary.language.values import local
from corollary.model.link.keys import authenticate, expand
from corollary.spec.kernel.sha256 import Block, Digest
from corollary.spec.link.session import Answer, Beginning, Hello

OF_HELLO = 3  # purpose: the key of the first hello, and behind it that of the second


@ensures(lambda result: result <= 8)
def half_of(direction: u32) -> u32:
    """Return where the words of an end begin, in the measurements and in the nonces of both."""
    return 0 if direction == 0 else 8


def sign(tag: Digest, h: Hello, secret: Digest, half: u32) -> None:
    """Compute the tag of a hello of an end."""
    key = local(Digest)
    expand(key, secret, OF_HELLO if half == 0 else OF_HELLO + 1)
    shown = local(Block)
    heard = local(Block)
    for i in range(8):
        shown[i] = h.measurement[i]
        shown[i + 8] = h.nonce[i]
        heard[i] = h.heard[i]
    middle = local(Digest)
    authenticate(middle, key, shown)
    authenticate(tag, middle, heard)


def introduce(h: Hello, b: Beginning) -> None:
    """Make the hello of this end."""
    half = half_of(b.direction)
    for i in range(8):
        h.measurement[i] = b.measurement[half + i]
        h.nonce[i] = b.nonce[half + i]
        h.heard[i] = b.nonce[8 - half + i]
    tag = local(Digest)
    sign(tag, h, b.secret, half)
    for i in range(8):
        h.tag[i] = tag[i]


def is_genuine(b: Beginning, h: Hello) -> bool:
    """Did the other end make this hello? All words of the tag are looked at, so the time tells nothing of it."""
    tag = local(Digest)
    sign(tag, h, b.secret, 8 - half_of(b.direction))
    wrong: u32 = 0
    for i in range(8):
        wrong = wrong | (tag[i] ^ h.tag[i])
    return wrong == 0


def is_expected(b: Beginning, h: Hello) -> bool:
    """Has the other end booted what it should?"""
    half = 8 - half_of(b.direction)
    for i in range(8):
        if h.measurement[i] != b.measurement[half + i]:
            return False
    return True


def is_answer(b: Beginning, h: Hello) -> bool:
    """Had the other end heard the nonce of this one when it made its hello?"""
    half = half_of(b.direction)
    for i in range(8):
        if h.heard[i] != b.nonce[half + i]:
            return False
    return True


def is_heard(answer: Answer) -> bool:
    """Is the nonce of a hello taken that is answered like this?"""
    return answer == Answer.OK or answer == Answer.UNANSWERED


def has_nonce_of(b: Beginning, old: Beginning, h: Hello) -> bool:
    """Is the nonce of the other end that of a hello, and that of this end as it was?"""
    half = half_of(b.direction)
    for i in range(8):
        if b.nonce[8 - half + i] != h.nonce[i] or b.nonce[half + i] != old.nonce[half + i]:
            return False
    return True


def is_same(b: Beginning, old: Beginning) -> bool:
    """Are both nonces as they were?"""
    for i in range(16):
        if b.nonce[i] != old.nonce[i]:
            return False
    return True


@ensures(lambda b, old_b, h, result: has_nonce_of(b, old_b, h) if is_heard(result) else is_same(b, old_b))
@ensures(lambda old_b, h, result: (result == Answer.FORGED) == (not is_genuine(old_b, h)))
@ensures(lambda old_b, h, result: is_heard(result) == (is_genuine(old_b, h) and is_expected(old_b, h)))
@ensures(lambda old_b, h, result: (result == Answer.OK) == (is_heard(result) and is_answer(old_b, h)))
def meet(b: Beginning, h: Hello) -> Answer:
    """Take the nonce of the other end from its hello, if that is genuine, and of what the other end should boot.

    With OK a session can begin. With UNANSWERED this end must introduce itself again, to show what it has heard.
    """
    if not is_genuine(b, h):
        return Answer.FORGED
    if not is_expected(b, h):
        return Answer.STRANGER
    half = 8 - half_of(b.direction)
    for i in range(8):
        b.nonce[half + i] = h.nonce[i]
    return Answer.OK if is_answer(b, h) else Answer.UNANSWERED
