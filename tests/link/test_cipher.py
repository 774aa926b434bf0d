"""Are envelopes sealed as RFC 8439 says, and is everything else refused?"""

import random

import pytest
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

from corollary.language.values import allocate, local
from corollary.link import Forged, open_, seal
from corollary.model.link import aead
from corollary.model.link.chacha20 import quarter_round
from corollary.spec.link.envelope import LARGEST, TAG, Envelope, Fault, KeyStream
from tests.link.envelopes import opened, sealed, stream, tag
from tests.link.vectors import SEALED, STREAMS, TAGS

PRIME = (1 << 130) - 5
CLAMP = 0x0FFFFFFC0FFFFFFC0FFFFFFC0FFFFFFF


@pytest.mark.parametrize("name", STREAMS)
def test_the_key_stream_is_that_of_the_vector(name):
    key, nonce, first, plain, cipher = STREAMS[name]
    made = stream(key, bytes.fromhex(nonce), first, len(plain))
    assert bytes(a ^ b for a, b in zip(plain, made, strict=True)).hex() == cipher


def test_a_quarter_round_is_that_of_the_vectors():
    for before, after in (
        ((0x11111111, 0x01020304, 0x9B8D6F43, 0x01234567), (0xEA2A92F4, 0xCB1CF8CE, 0x4581472E, 0x5881C4BB)),
        ((0x516461B1, 0x2A5F714C, 0x53372767, 0x3D631689), (0xBDB886DC, 0xCFACAFD2, 0xE46BEA80, 0xCCC07C79)),
    ):
        s = local(KeyStream)
        for place, value in enumerate(before):
            s[place] = value
        quarter_round(s, 0, 1, 2, 3)
        assert tuple(s[place] for place in range(4)) == after


@pytest.mark.parametrize("name", TAGS)
def test_the_tag_is_that_of_the_vector(name):
    low, high, data, made = TAGS[name]
    assert tag(bytes.fromhex(low + high), bytes.fromhex(data)).hex() == made


@pytest.mark.parametrize("name", SEALED)
def test_an_envelope_is_that_of_the_vector(name):
    key, nonce, additional, content, box = SEALED[name]
    nonce, additional, box = (bytes.fromhex(each) for each in (nonce, additional, box))
    assert seal(key, nonce, content, additional) == box and open_(key, nonce, box, additional) == content
    assert sealed(key, nonce, content, additional) == (Fault.NONE, box)
    assert opened(key, nonce, box, additional)[0] == Fault.NONE


def polynomial(key, data):
    """Return the tag as the definition says, with integers of Python."""
    factor, total = int.from_bytes(key[:16], "little") & CLAMP, 0
    for at in range(0, len(data), 16):
        total = (total + int.from_bytes(data[at : at + 16] + b"\1", "little")) * factor % PRIME
    return ((total + int.from_bytes(key[16:], "little")) % (1 << 128)).to_bytes(16, "little")


def test_tags_are_those_of_the_polynomial():
    chosen = random.Random(1)
    for size in (*range(34), 63, 64, 65, 300):
        extreme = bytes(chosen.choice((0, 0xFF, 0xFE, 0xFB)) for _ in range(32 + size))
        for data in (chosen.randbytes(32 + size), extreme, b"\xff" * (32 + size)):
            assert tag(data[:32], data[32:]) == polynomial(data[:32], data[32:])


def drawn(chosen, size):
    """Return a random key, nonce, additional data and content."""
    return chosen.randbytes(32), chosen.randbytes(12), chosen.randbytes(chosen.randrange(70)), chosen.randbytes(size)


@pytest.mark.long
def test_each_side_opens_what_the_other_seals():
    chosen = random.Random(2)
    for size in range(2001):
        key, nonce, additional, content = drawn(chosen, size)
        box = seal(key, nonce, content, additional)
        assert box == ChaCha20Poly1305(key).encrypt(nonce, content, additional)
        assert ChaCha20Poly1305(key).decrypt(nonce, box, additional) == content
        assert open_(key, nonce, box, additional) == content


def test_library_and_model_do_the_same():
    chosen = random.Random(3)
    for size in (*range(20), 63, 64, 65, 127, 128, 129, 200, 700):
        key, nonce, additional, content = drawn(chosen, size)
        box = seal(key, nonce, content, additional)
        assert sealed(key, nonce, content, additional) == (Fault.NONE, box)
        assert opened(key, nonce, box, additional) == (Fault.NONE, content + box[size:])
        wrong = bytearray(box)
        wrong[chosen.randrange(len(wrong))] ^= 1 << chosen.randrange(8)
        assert opened(key, nonce, bytes(wrong), additional) == (Fault.FORGED, bytes(wrong))


def flipped(data):
    """Yield the data with each bit changed."""
    for bit in range(8 * len(data)):
        changed = bytearray(data)
        changed[bit // 8] ^= 1 << bit % 8
        yield bytes(changed)


def test_each_changed_bit_is_refused():
    chosen = random.Random(4)
    for size in (0, 1, 40, 130):
        key, nonce, additional, content = drawn(chosen, size)
        box = seal(key, nonce, content, additional)
        boxes = [(key, nonce, other, additional) for other in flipped(box)]
        boxes += [(key, nonce, box, other) for other in flipped(additional)]
        boxes += [(key, other, box, additional) for other in flipped(nonce)]
        boxes += [(other, nonce, box, additional) for other in flipped(key)]
        boxes += [(key, nonce, box[:-1], additional)] if size else []
        boxes += [(key, nonce, box, additional + b"\0")]
        for changed in boxes:
            with pytest.raises(Forged):
                open_(*changed)
            with pytest.raises(InvalidTag):
                ChaCha20Poly1305(changed[0]).decrypt(*changed[1:])


def test_additional_data_does_not_become_content():
    key, nonce = bytes(32), bytes(12)
    box = seal(key, nonce, b"abc", b"x" * 16)
    with pytest.raises(Forged):
        open_(key, nonce, b"x" * 16 + box, b"")


@pytest.mark.parametrize("size", [0, 1, TAG - 1])
def test_less_than_a_tag_is_refused(size):
    with pytest.raises(ValueError, match="hold no tag"):
        open_(bytes(32), bytes(12), bytes(size))


@pytest.mark.parametrize(("additional", "content"), [(0, 1), (1, 0), (LARGEST + 1, 0), ((1 << 64) - 1, 1), (17, 0)])
def test_what_has_no_room_is_left_alone(additional, content):
    for action in (aead.seal, aead.open_):
        e = Envelope(additional=additional, content=content)
        allocate(e, bytes=bytearray(16))
        assert action(e) == Fault.NO_ROOM and bytes(e.bytes.rows) == bytes(16)


@pytest.mark.parametrize(("key", "nonce"), [(31, 12), (32, 11), (0, 0)])
def test_a_key_or_nonce_of_another_size_is_refused(key, nonce):
    with pytest.raises(ValueError, match="32 bytes and a nonce 12"):
        seal(bytes(key), bytes(nonce), b"")
