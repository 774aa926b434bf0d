"""How is an envelope sealed, and when is it opened? ChaCha20-Poly1305 (RFC 8439, 2.8), in place."""

from corollary.language.builtins import implies
from corollary.language.contracts import ensures, requires
from corollary.language.types import u32, u64
from corollary.language.values import local
from corollary.model.link.chacha20 import block, encrypt
from corollary.model.link.poly1305 import TOP, absorb, absorb_bytes, begin, finish
from corollary.model.link.words import put, word
from corollary.spec.link.envelope import TAG, WORD, Authenticator, Envelope, Fault, KeyStream, Tag, has, is_whole


@ensures(lambda e, result: (result == Fault.NONE) == is_whole(e))
def seal(e: Envelope) -> Fault:
    """Encrypt the content, and put the tag behind it. The nonce must be a new one for this key."""
    if not is_whole(e):
        return Fault.NO_ROOM
    encrypt(e)
    tag = local(Tag)
    authenticate(e, tag)
    put_tag(e, e.additional + e.content, tag)
    return Fault.NONE


@ensures(lambda e, result: implies(result == Fault.NONE, is_whole(e)))
def open_(e: Envelope) -> Fault:
    """Decrypt the content if the tag behind it is right; otherwise leave all bytes as they are."""
    if not is_whole(e):
        return Fault.NO_ROOM
    tag = local(Tag)
    authenticate(e, tag)
    if difference(e, e.additional + e.content, tag) != 0:
        return Fault.FORGED
    encrypt(e)
    return Fault.NONE


@requires(is_whole)
def authenticate(e: Envelope, tag: Tag) -> None:
    """Make the tag of additional data and cipher text, with the key that is block 0 of the key stream (2.6)."""
    stream = local(KeyStream)
    block(stream, e.key, e.nonce, 0)
    a = local(Authenticator)
    begin(a, stream)
    absorb_bytes(a, e, 0, e.additional, True)
    absorb_bytes(a, e, e.additional, e.content, True)
    absorb(
        a,
        u32.truncate(e.additional),
        u32.truncate(e.additional >> 32),
        u32.truncate(e.content),
        u32.truncate(e.content >> 32),
        TOP,
    )
    finish(a, tag)


@requires(lambda e, at: has(e, at, TAG))
def put_tag(e: Envelope, at: u64, tag: Tag) -> None:
    """Write a tag to a position."""
    for i in range(4):
        put(e, at + WORD * i, tag[i])


@requires(lambda e, at: has(e, at, TAG))
def difference(e: Envelope, at: u64, tag: Tag) -> u32:
    """Return 0 if a tag lies at a position. The time does not depend on where it differs: all of it is compared."""
    found: u32 = 0
    for i in range(4):
        found = found | (tag[i] ^ word(e, at + WORD * i))
    return found
