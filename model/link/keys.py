"""Which keys does a session have? HMAC-SHA256 derives them from what both ends know, as HKDF does (RFC 5869).

    extracted = HMAC(HMAC(secret, both measurements), both nonces)
    key of a direction = HMAC(extracted, LABEL, purpose, zeros)

Each message of HMAC has 64 bytes. So whoever boots something else, or begins another session, has other keys.
"""

from corollary.language.builtins import byte_swap
from corollary.language.types import u32, u64
from corollary.language.values import clear, local
from corollary.spec.kernel.sha256 import INNER_PAD, OUTER_PAD, Block, Digest, compress, end, keyed
from corollary.spec.link.envelope import Key
from corollary.spec.link.session import Beginning, Session

LABEL = (0x636F726F, 0x6C6C6172, 0x79206C69, 0x6E6B2031)  # "corollary link 1"
OF_FIRST = 0  # purpose: the key with which the first end sends
OF_SECOND = 1  # and the second
OF_SESSION = 2  # and the id


def derive(s: Session, b: Beginning) -> None:
    """Set the keys and the id of a session, and forget the secret."""
    middle = local(Digest)
    authenticate(middle, b.secret, b.measurement)
    extracted = local(Digest)
    authenticate(extracted, middle, b.nonce)
    expand_key(s.sending, extracted, OF_FIRST if b.direction == 0 else OF_SECOND)
    expand_key(s.receiving, extracted, OF_SECOND if b.direction == 0 else OF_FIRST)
    named = local(Digest)
    expand(named, extracted, OF_SESSION)
    s.id = u64(byte_swap(named[0])) | u64(byte_swap(named[1])) << 32
    clear(b.secret)


def expand(derived: Digest, extracted: Digest, purpose: u32) -> None:
    """Derive 32 bytes for a purpose."""
    message = local(Block)
    for i in range(4):
        message[i] = LABEL[i]
    message[4] = purpose
    authenticate(derived, extracted, message)


def expand_key(key: Key, extracted: Digest, purpose: u32) -> None:
    """Derive a key, whose words have the low byte first."""
    derived = local(Digest)
    expand(derived, extracted, purpose)
    for i in range(8):
        key[i] = byte_swap(derived[i])


def authenticate(tag: Digest, key: Digest, message: Block) -> None:
    """Compute HMAC-SHA256 of a message of 64 bytes (RFC 2104), with functions that are proved by themselves."""
    inner = local(Digest)
    keyed(inner, key, INNER_PAD)
    compress(inner, message)
    block = local(Block)
    end(block, 0, 8 * 128)
    compress(inner, block)
    keyed(tag, key, OUTER_PAD)
    last = local(Block)
    for i in range(8):
        last[i] = inner[i]
    end(last, 8, 8 * 96)
    compress(tag, last)
