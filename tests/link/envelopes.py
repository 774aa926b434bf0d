"""What does the model make of envelopes, keys and sessions?"""

import struct

from corollary.language.values import allocate, local
from corollary.model.link import aead, poly1305
from corollary.model.link.chacha20 import block
from corollary.spec.link.envelope import TAG, Authenticator, Envelope, Key, KeyStream, Nonce
from corollary.spec.link.envelope import Tag as TagWords


def put_words(array, data):
    """Write bytes as words, with the low byte first."""
    for number, word in enumerate(struct.unpack(f"<{len(data) // 4}I", data)):
        array[number] = word


def words(array):
    """Return the bytes of words."""
    return struct.pack(f"<{len(array)}I", *array)


def envelope(key, nonce, additional, rest):
    """Return an envelope of the model."""
    e = Envelope(additional=len(additional), content=len(rest) - TAG)
    put_words(e.key, key)
    put_words(e.nonce, nonce)
    allocate(e, bytes=bytearray(additional + rest))
    return e


def sealed(key, nonce, content, additional):
    """Return fault, cipher text and tag as the model says."""
    e = envelope(key, nonce, additional, content + bytes(TAG))
    return aead.seal(e), bytes(e.bytes.rows)[len(additional) :]


def opened(key, nonce, box, additional):
    """Return fault, content and tag as the model says."""
    e = envelope(key, nonce, additional, box)
    return aead.open_(e), bytes(e.bytes.rows)[len(additional) :]


def stream(key, nonce, first, size):
    """Return bytes of the key stream from a block on."""
    keys, nonces, found = local(Key), local(Nonce), b""
    put_words(keys, key)
    put_words(nonces, nonce)
    while len(found) < size:
        made = local(KeyStream)
        block(made, keys, nonces, first)
        found, first = found + words(made), first + 1
    return found[:size]


def tag(key, data, poly1305=poly1305):
    """Return the tag of bytes for a one-time key of 32 bytes, as a module says."""
    keys, a, made = local(KeyStream), Authenticator(), local(TagWords)
    put_words(keys, key)
    poly1305.begin(a, keys)
    e = Envelope()
    allocate(e, bytes=bytearray(data))
    poly1305.absorb_bytes(a, e, 0, len(data), False)
    poly1305.finish(a, made)
    return words(made)
