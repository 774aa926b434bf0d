"""Is the model's SHA-256 FIPS 180-4, and its HMAC RFC 2104?

Do its trees and chains equal an independent reader's results?
"""

import hashlib
import hmac

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corollary.language.layout import word
from corollary.language.values import local
from corollary.model.kernel.proof import climb, hash_leaf, hash_pair
from corollary.model.kernel.proof import mutation_digest as model_mutation_digest
from corollary.model.kernel.witness import chain, finish
from corollary.record.running import BEGINNING, absorbed, finished
from corollary.spec.kernel.limits import DRAIN_LIMIT
from corollary.spec.kernel.sha256 import Block, Digest, authenticate, begin, compress, end, put, put_digest, word_of
from corollary.spec.kernel.state import Call, Kernel, PageId, WitnessRecord
from corollary.spec.kernel.vocabulary import Status, Tier
from tests.model.world import (
    BY_NAME,
    DRAIN_PAGE,
    SELF,
    SLOT_LOG,
    SLOT_OWN,
    SLOT_PROOF_ROOTS,
    SPARE_PAGE,
    World,
    leaf_of,
    mutation_digest,
    numbers,
    parent_of,
    root_of,
)

DIGESTS = st.binary(min_size=32, max_size=32)

NIST = (  # FIPS 180-4 examples and the short messages of the validation system
    (b"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    (b"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
        b"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
    ),
    (
        b"abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
        "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1",
    ),
    (bytes.fromhex("d3"), "28969cdfa74a12c82f3bad960b0b000aca2ac329deea5c2328ebc6f2ba9802c1"),
    (bytes.fromhex("11af"), "5ca7133fa735326081558ac312c620eeca9970d1e70a4b95533d956f072d1f98"),
    (bytes.fromhex("74ba2521"), "b16aa56be3880d18cd41e68384cf1ec8c17680c45a02b1575dc1518923ae8b0e"),
    (bytes(1000), "541b3e9daa09b20bf85fa273e5cbd3e80185aa4ec298e765db87742b70138a53"),
)


def blocks_of(message):
    """Return a message with the padding of FIPS 180-4, as blocks of sixteen words."""
    padded = message + b"\x80" + bytes((55 - len(message)) % 64) + (8 * len(message)).to_bytes(8, "big")
    for start in range(0, len(padded), 64):
        block = local(Block)
        for position in range(16):
            block[position] = int.from_bytes(padded[start + 4 * position : start + 4 * position + 4], "big")
        yield block


def sha256(message):
    """Return the digest that the model computes."""
    state = local(Digest)
    begin(state)
    for block in blocks_of(message):
        compress(state, block)
    return bytes_of(state)


def bytes_of(digest):
    return b"".join(digest[position].to_bytes(4, "big") for position in range(8))


def digest_of(data):
    digest = local(Digest)
    for position in range(8):
        digest[position] = int.from_bytes(data[4 * position : 4 * position + 4], "big")
    return digest


@pytest.mark.parametrize(
    "message, expected", NIST, ids=lambda value: f"{len(value)} bytes" if isinstance(value, bytes) else ""
)
def test_published_digests(message, expected):
    assert sha256(message).hex() == expected


@pytest.mark.long
def test_a_million_times_a():
    expected = "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
    assert sha256(b"a" * 1_000_000).hex() == expected


@given(st.binary(max_size=300))
def test_any_message_as_hashlib(message):
    assert sha256(message) == hashlib.sha256(message).digest()


def test_every_length_around_the_padding():
    for length in range(130):
        message = bytes(range(length))
        assert sha256(message) == hashlib.sha256(message).digest()


@given(DIGESTS, st.binary(min_size=64, max_size=64), DIGESTS)
def test_authentication_is_hmac(key, message, rest):
    tag, block = local(Digest), local(Block)
    for position in range(16):
        block[position] = int.from_bytes(message[4 * position : 4 * position + 4], "big")
    authenticate(tag, digest_of(key), block, digest_of(rest))
    assert bytes_of(tag) == hmac.new(key, message + rest, hashlib.sha256).digest()


@given(DIGESTS, st.integers(0, 3))
def test_words_hold_a_digest_in_memory_order(data, part):
    assert word_of(digest_of(data), part).to_bytes(8, "little") == data[8 * part : 8 * part + 8]


@given(st.integers(0, (1 << 64) - 1), st.integers(0, 7))
def test_numbers_enter_a_block_as_they_lie_in_memory(value, number):
    block = local(Block)
    put(block, number, value)
    words = block[2 * number], block[2 * number + 1]
    assert b"".join(word.to_bytes(4, "big") for word in words) == value.to_bytes(8, "little")


@given(DIGESTS, st.integers(0, 7))
def test_a_message_that_ends_inside_a_block(data, extra):
    state, block = local(Digest), local(Block)
    put_digest(block, 0, digest_of(data))
    end(block, 8, 8 * 32)
    begin(state)
    compress(state, block)
    assert bytes_of(state) == hashlib.sha256(data).digest()


# ---- trees of mutations


@given(DIGESTS)
def test_leaf(data):
    node = local(Digest)
    hash_leaf(digest_of(data), node)
    assert bytes_of(node) == leaf_of(data)


@given(DIGESTS, DIGESTS)
def test_pair(left, right):
    node = local(Digest)
    hash_pair(digest_of(left), digest_of(right), node)
    assert bytes_of(node) == parent_of(left, right)


@given(DIGESTS)
def test_a_leaf_is_never_taken_for_an_inner_node(data):
    assert leaf_of(data) != hashlib.sha256(data).digest()
    assert leaf_of(data) != parent_of(data, data)


@given(DIGESTS, st.lists(DIGESTS, max_size=16), st.integers(0, (1 << 16) - 1))
def test_path(leaf, siblings, position):
    s, node = Kernel(), digest_of(leaf)
    s.memory[5].word[9] = position
    for level, sibling in enumerate(siblings):
        for part, value in enumerate(numbers(sibling)):
            s.memory[5].word[16 + 4 * level + part] = value
    for level in range(len(siblings)):
        climb(node, s, PageId(5), level)
    assert bytes_of(node) == root_of(leaf, position, siblings)


@given(st.data(), st.sampled_from([name for name, declared in BY_NAME.items() if declared.tier >= Tier.P2]))
def test_mutation_digest(data, name):
    w, digest = World(), local(Digest)
    numbered, counters = st.integers(0, (1 << 64) - 1), st.integers(0, (1 << 32) - 1)
    registers = [SLOT_PROOF_ROOTS + 2, *data.draw(st.lists(numbered, min_size=4, max_size=4)), SPARE_PAGE]
    if BY_NAME[name].handles > 1:
        registers[1] = data.draw(st.sampled_from((SELF, SLOT_OWN)))
    w.own().nonce, w.own().generation, w.slot(SLOT_PROOF_ROOTS + 2).incarnation = (
        data.draw(numbered),
        data.draw(counters),
        data.draw(counters),
    )
    for part in range(4):
        w.s.proof_root[2].pending[part] = data.draw(numbered)
    call = Call(operation=BY_NAME[name].number, capability=SLOT_PROOF_ROOTS + 2)
    for position, value in enumerate(registers):
        call.argument[position] = value
    model_mutation_digest(w.s, call, BY_NAME[name].handles, BY_NAME[name].replaces_root, digest)
    expected = w.meant(name, *registers)
    expected[5] %= 1 << 64
    assert bytes_of(digest) == mutation_digest(expected)


# ---- the witness chain


def record_bytes(record, count):
    """Return the first bytes of a record, from the layout that the kernel and the auditor share."""
    return b"".join(word(record, position).to_bytes(8, "little") for position in range(count // 8))


@given(
    DIGESTS, st.integers(0, (1 << 64) - 1), st.integers(0, (1 << 64) - 1), st.integers(0, 63), st.sampled_from(Status)
)
def test_chain_value(head, sequence, time, actor, status):
    record = WitnessRecord(sequence=sequence, time=time, actor=actor, status=status, object=~time & ((1 << 64) - 1))
    state = digest_of(head)
    chain(state, record)
    assert bytes_of(state) == absorbed(head, record_bytes(record, 48).ljust(64, b"\0"))


@given(st.integers(0, 20))
def test_a_log_is_finished_as_hashlib_does(count):
    log = bytes(range(64)) * count
    state, digest = local(Digest), local(Digest)
    begin(state)
    for block in list(blocks_of(log))[:count]:
        compress(state, block)
    finish(digest, state, count)
    assert bytes_of(digest) == hashlib.sha256(log).digest()


def test_a_log_of_any_length_is_finished():
    for records in (1 << 23, (1 << 54) - 1, 1 << 54):
        digest = local(Digest)
        finish(digest, digest_of(BEGINNING), records)
        assert bytes_of(digest) == finished(BEGINNING, records)


def test_the_log_is_one_message_of_which_each_record_tells_half_a_state():
    w = World()
    w.must("yield_now")
    w.call("capability_inspect", 63)
    w.call(255)
    state = BEGINNING
    for record in w.records:
        state = absorbed(state, record_bytes(record, 48).ljust(64, b"\0"))
        assert record_bytes(record, 64)[48:] == state[:16]
    assert bytes_of(w.s.head) == state
    log = b"".join(record_bytes(record, 48).ljust(64, b"\0") for record in w.records)
    assert finished(state, len(w.records)) == hashlib.sha256(log).digest()


def test_a_drained_record_is_the_record_in_the_log():
    w = World()
    expected = [record_bytes(record, 64) for record in w.records][:DRAIN_LIMIT]
    assert w.must("witness_read", SLOT_LOG, DRAIN_PAGE, 0) == len(expected)
    words = w.s.memory[DRAIN_PAGE].word
    for number, record in enumerate(expected):
        assert b"".join(words[8 * number + part].to_bytes(8, "little") for part in range(8)) == record


def test_a_checkpoint_is_sealed_under_the_boot_key():
    w = World()
    w.drain()
    sequence, head, time = w.s.sequence, bytes_of(w.s.head), w.now + 10**9
    assert w.must("witness_seal", SLOT_LOG, SPARE_PAGE) == sequence
    words = [w.s.memory[SPARE_PAGE].word[position].to_bytes(8, "little") for position in range(16)]
    message = b"".join(words[:12])
    assert message == b"".join(
        (
            sequence.to_bytes(8, "little"),
            time.to_bytes(8, "little"),
            head,
            DRAIN_LIMIT.to_bytes(8, "little"),
            bytes(8),
            finished(head, sequence),
        )
    )
    assert b"".join(words[12:]) == hmac.new(bytes_of(w.s.key), message, hashlib.sha256).digest()
