"""How do two ends that share a secret show each other what they have booted, and agree on nonces?

    key of a hello = HMAC(secret, LABEL, purpose, zeros)

    tag = HMAC(key of the hello, measurement and nonce)

Each end sends its hello until a genuine frame comes. A hello that comes again, from an end or from an earlier session,
leads to keys that nobody else has, so it opens nothing.
"""

from corollary.language.contracts import ensures
from corollary.language.types import u32
from corollary.language.values import local
from corollary.model.link.keys import authenticate, expand
from corollary.spec.kernel.sha256 import Block, Digest
from corollary.spec.link.session import Answer, Beginning, Hello

OF_HELLO = 3  # purpose: the key of the first hello, and behind it that of the second


def half_of(direction: u32) -> u32:
    """Return where the words of an end begin, in the measurements and in the nonces of both."""
    return 0 if direction == 0 else 8


def sign(tag: Digest, h: Hello, secret: Digest, half: u32) -> None:
    """Compute the tag of a hello of an end."""
    key = local(Digest)
    expand(key, secret, OF_HELLO if half == 0 else OF_HELLO + 1)
    shown = local(Block)
    for i in range(8):
        shown[i] = h.measurement[i]
        shown[i + 8] = h.nonce[i]
    authenticate(tag, key, shown)


def introduce(h: Hello, b: Beginning) -> None:
    """Make the hello of this end."""
    half = half_of(b.direction)
    for i in range(8):
        h.measurement[i] = b.measurement[half + i]
        h.nonce[i] = b.nonce[half + i]
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


@ensures(lambda b, old_b, h, result: has_nonce_of(b, old_b, h) if result == Answer.OK else is_same(b, old_b))
@ensures(lambda genuine, result: (result == Answer.FORGED) == (not genuine))
@ensures(lambda old_b, h, genuine, result: (result == Answer.OK) == (genuine and is_expected(old_b, h)))
def judge(b: Beginning, h: Hello, genuine: bool) -> Answer:
    """Take the nonce of the other end from its hello, if that is genuine, and of what the other end should boot."""
    if not genuine:
        return Answer.FORGED
    half = 8 - half_of(b.direction)
    for i in range(8):
        if h.measurement[i] != b.measurement[half + i]:
            return Answer.STRANGER
    for i in range(8):
        b.nonce[half + i] = h.nonce[i]
    return Answer.OK


def meet(b: Beginning, h: Hello) -> Answer:
    """Take the nonce of the other end, if the hello is one that the other end made and shows what it should."""
    answer = judge(b, h, is_genuine(b, h))
    return answer
