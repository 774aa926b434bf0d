"""Does the proof of a wrong function, or step of a link, fail, or else a test? `verify` proves the right ones."""

import random

import pytest

from corollary.codegen.link import LINK
from corollary.language import component as components
from corollary.language.component import Component, check, declared
from corollary.model.link import aead, chacha20, exchange, keys, numbers, poly1305, session
from corollary.model.link import component as links
from corollary.proofs.outside import functions
from corollary.spec.link.envelope import Fault
from corollary.spec.link.session import Link
from tests.link.envelopes import envelope, tag
from tests.link.test_cipher import flipped, polynomial
from tests.store.test_proved import changed, outcome, result_of

OPERATIONS = [operation.name for operation in links.LINK.operations]
LOOKED = "    if fault != Fault.NONE:\n        return Answer.FORGED\n"
ROOMY = "    if not is_whole(e):\n        return Fault.NO_ROOM\n"
AUTHENTICATED = "    tag = local(Tag)\n    authenticate(e, tag)\n    if"
MEASURED = "        if h.measurement[i] != b.measurement[8 - half + i]:\n            return Answer.STRANGER\n"
ANSWERED = "        if h.heard[i] != b.nonce[half + i]:\n            return Answer.UNANSWERED\n"
ACCEPTED = "    answer = accept(s.link, number)\n"
WRONG_STEPS = [
    ("take_number", "    s.next += 1\n", "", "well-formed-numbers"),
    ("take_number", "s.next == LIMIT", "s.next == LIMIT - 1", "well-formed-numbers"),
    ("accept", "moves = number - s.after + 1", "moves = number - s.after", "LINK-2"),
    ("accept", "if moves < WINDOW else 0) | 1", "if moves < WINDOW else 0)", "well-formed-numbers"),
    ("accept", "if moves < WINDOW else 0)", "if moves <= WINDOW else 0)", "LINK-5"),
    (
        "accept",
        "<< (s.after - 1 - number)\n",
        "<< (s.after - 1 - number)\n        s.after = number + 1\n",
        "well-formed-numbers",
    ),
    ("accept", "    if age >= WINDOW:\n        return Answer.TOO_OLD\n", "", "well-formed-numbers"),
    ("accept", "if age >= WINDOW", "if age >= WINDOW - 1", "OK-iff"),
    ("accept", "(s.seen >> age) & 1 == 1", "(s.seen >> age) & 3 == 3", "well-formed-numbers"),
    ("take", "s.settled) >= WINDOW", "s.settled) > WINDOW", "reaches-FULL"),
    ("settle", "maximum(s.settled, count)", "count", "LINK-7"),
    ("settle", "count > s.taken", "count > s.taken + 1", "well-formed-numbers"),
    ("hold", "if number < s.given:", "if number <= s.given:", "OK-iff"),
    ("hold", "    if (s.held >> place) & 1 == 1:\n        return Answer.DOUBLED\n", "", "OK-iff"),
    ("give", "if s.held & 1 == 0:", "if s.held == 0:", "LINK-9"),
    ("give", "    s.held = s.held >> 1\n", "", "LINK-8"),
    ("give", "    s.given += 1\n", "    s.given += 2\n", "well-formed-numbers"),
]
"""Changes of the steps: the step, what is replaced, by what, and which promise must fail."""
WRONG = [
    (session, "send", "prepare(e, s.direction, frame_number", "prepare(e, s.direction, number"),
    (session, "send", "prepare(e, s.direction, frame_number", "prepare(e, 0, frame_number"),
    (session, "send", "LEAST_FRAME + size", "LEAST_FRAME + size + 1"),
    (session, "opened", LOOKED + ACCEPTED, ACCEPTED + LOOKED),
    (session, "opened", "accept(s.link, number)", "accept(s.link, number // 2)"),
    (session, "opened", "accept(s.link, number)", "look(s.link, number)"),
    (session, "judged", "look(s.link, number_at(e, AT_NUMBER))", "Answer.OK"),
    (session, "judged", "    if s.size > MOST_FRAME:\n        return Answer.TOO_LARGE\n", ""),
    (session, "judged", "    if s.size < LEAST_FRAME:\n        return Answer.TRUNCATED\n", ""),
    (session, "give_out", "minimum(u64(s.incoming_size[place]), MOST_MESSAGE)", "u64(s.incoming_size[place])"),
    (session, "send_message", "minimum(u64(s.outgoing_size[place]), MOST_MESSAGE)", "u64(s.outgoing_size[place])"),
    (session, "send_message", "minimum(now, LIMIT >> 1)", "now"),
    (session, "submit", "    if s.size > MOST_MESSAGE:\n        return Answer.TOO_LARGE\n", ""),
    (session, "poll", "        passed += 1\n", ""),
    (exchange, "judge", "    if not genuine:\n        return Answer.FORGED\n", ""),
    (exchange, "judge", MEASURED, MEASURED.replace("b.measurement[8 - half + i]", "h.measurement[i]")),
    (exchange, "judge", MEASURED, MEASURED.replace("8 - half + i", "i")),
    (exchange, "judge", ANSWERED, ANSWERED.replace("b.nonce[half + i]", "h.heard[i]")),
    (exchange, "judge", ANSWERED, ANSWERED.replace("half + i", "i")),
    (exchange, "judge", "b.nonce[8 - half + i] = h.nonce[i]", "b.nonce[half + i] = h.nonce[i]"),
    (exchange, "judge", "b.nonce[8 - half + i] = h.nonce[i]", "b.nonce[8 - half + i] = 0"),
    (aead, "open_", ROOMY + AUTHENTICATED, AUTHENTICATED),
    (chacha20, "encrypt", "while done + BLOCK <= e.content:", "while done <= e.content:"),
    (chacha20, "encrypt", "u32(1 + done // BLOCK))\n        add_block", "u32(2 + done // BLOCK))\n        add_block"),
    (chacha20, "add_rest", "        done += 1\n", ""),
    (poly1305, "multiply", "h[1] = u32((d1 & LIMB) + (low >> BITS))", "h[1] = u32((d1 & LIMB) + low)"),
    (poly1305, "multiply", "h[3] = u32(d3 & LIMB)", "h[3] = u32(d3)"),
    (poly1305, "product", "WIDE = 1 << 28", "WIDE = 1 << 29"),
    (poly1305, "absorb", "WIDE = 1 << 28", "WIDE = 1 << 26"),
    (poly1305, "absorb_rest", "0 < count and count < PIECE", "count <= PIECE"),
]
"""Changes of the functions: the module, the function whose proof must fail, what is replaced, and by what."""


def named(names):
    """Return a name for each change of something."""
    return [f"{name} {number}" for number, name in enumerate(names)]


def test_the_component_is_well_made():
    check(declared("link"), links.__file__)


@pytest.mark.parametrize(("name", "old", "new", "promise"), WRONG_STEPS, ids=named(name for name, *_ in WRONG_STEPS))
def test_a_wrong_step_breaks_a_promise(name, old, new, promise, tmp_path, monkeypatch):
    monkeypatch.setitem(components.COMPONENTS, "link", None)  # and what it is now comes back
    other = changed(numbers, old, new, tmp_path)
    wrong = Component(state=Link, operations=tuple(getattr(other, each) for each in OPERATIONS))
    assert result_of(name, promise, wrong) == "refuted"


@pytest.mark.parametrize(("module", "name", "old", "new"), WRONG, ids=named(name for _, name, *_ in WRONG))
def test_the_proof_of_a_wrong_function_fails(module, name, old, new, tmp_path):
    assert outcome(getattr(changed(module, old, new, tmp_path), name)) == "refuted"


def test_every_function_has_a_row():
    assert {function.symbol for function in LINK.functions} <= set(functions())


# ---- what no proof says


def makes_right_tags(module):
    """Are tags those of the polynomial?"""
    chosen = random.Random(1)
    drawn = [bytes(chosen.choice((0, 0xFF, 0xFB, 0x7F)) for _ in range(32 + size)) for size in range(120)]
    exact = b"\x01" + bytes(31) + b"\xfb" + b"\xff" * 15 + bytes(32)  # the polynomial is the prime
    return all(tag(data[:32], data[32:], module) == polynomial(data[:32], data[32:]) for data in (exact, *drawn))


def refuses_each_bit(module):
    """Is each changed bit of a tag refused, and nothing decrypted then?"""
    e = envelope(bytes(32), bytes(12), b"", b"content" + bytes(16))
    module.seal(e)
    for box in flipped(bytes(e.bytes.rows)):
        other = envelope(bytes(32), bytes(12), b"", box)
        if module.open_(other) != Fault.FORGED or bytes(other.bytes.rows) != box:
            return False
    return True


UNPROVED = [
    (makes_right_tags, poly1305, "    d1 += low >> BITS\n", ""),
    (makes_right_tags, poly1305, "    d4 += d3 >> BITS\n", ""),
    (makes_right_tags, poly1305, "(low & LIMB) + FOLD * (d4 >> BITS)", "low & LIMB"),
    (makes_right_tags, poly1305, "carry: u32 = FOLD", "carry: u32 = 0"),
    (makes_right_tags, poly1305, "total = (total >> 32) + a.pad[1]", "total = u64(a.pad[1])"),
    (refuses_each_bit, aead, "for i in range(4):\n        found", "for i in range(3):\n        found"),
    (refuses_each_bit, aead, "found | (tag[i]", "(tag[i]"),
    (refuses_each_bit, aead, "    if difference", "    encrypt(e)\n    if difference"),
]
"""Changes that leave every proof as it is: what must notice them, the module, what is replaced, and by what."""


@pytest.mark.parametrize(("right", "module", "old", "new"), UNPROVED, ids=map(str, range(len(UNPROVED))))
def test_what_no_proof_notices_a_test_does(right, module, old, new, tmp_path):
    assert right(module) and not right(changed(module, old, new, tmp_path))


def test_both_ends_have_keys_of_their_own():
    texts = {name: value for name, value in vars(keys).items() if name.startswith("OF_")}
    assert len(set(texts.values())) == len(texts) == 3
