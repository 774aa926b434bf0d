"""Do the prover's rules do to registers, flags and memory what the processor does? Every form of instruction that is proved."""

import random

import pytest

from proofs.machine import words
from proofs.machine.lift import SIZE, instruction
from proofs.machine.processor import CONDITIONS, FLAGS, WORDS
from tests.machine.cases import STATES, cases, forms, remembered
from tests.machine.oracle import NAMES
from tests.machine.probe import BREAKPOINT, MIDDLE, Probe


@pytest.fixture(scope="module")
def probe():
    with Probe() as opened:
        yield opened


def differences(probe, codes, seed):
    """The first case of a form in which prover and processor differ, or None; and how many cases there were."""
    tried = list(cases(codes, random.Random(seed)))
    outcomes = probe.run([(code, state) for code, _, state in tried])
    for (code, effect, state), outcome in zip(tried, outcomes):
        expected = effect.outcome(state)
        if (outcome.state, outcome.went, outcome.why) != (expected.state, expected.went, BREAKPOINT):
            return describe(code, state, expected, outcome), len(tried)
    return None, len(tried)


def describe(code, state, expected, outcome):
    """A difference, for people."""
    text = instruction(code.to_bytes(SIZE, "little"), MIDDLE).text
    lines = [f"{text} ({code:#010x})"]
    for name, before, ours, theirs in zip(NAMES, (*state.general, state.stack), (*expected.state.general, expected.state.stack),
                                          (*outcome.state.general, outcome.state.stack)):
        if ours != theirs:
            lines.append(f"{name}: {before:#x} becomes {ours:#x} by the rules, {theirs:#x} in the processor")
    lines.append(f"flags {expected.state.flags >> 28:04b} / {outcome.state.flags >> 28:04b}, goes to {expected.went:#x} / {outcome.went:#x}, "
                 f"window {'same' if expected.state.window == outcome.state.window else 'differs'}, exception class {outcome.why:#x}")
    return "\n".join(lines)


def test_every_form_does_what_the_processor_does(probe):
    found, total = [], 0
    for text, codes in forms().items():
        difference, count = differences(probe, codes, text)
        total += count
        assert count >= STATES
        found += [difference] if difference else []
    print(f"\n{len(forms())} forms, {total} states, {len(found)} differences")
    assert found == [], "\n\n".join(found)


def test_every_rule_has_an_instruction():
    used = {operation.name for codes in forms().values() for operation in instruction(codes[0].to_bytes(SIZE, "little"), MIDDLE).operations}
    assert {*WORDS, *FLAGS, *CONDITIONS} <= used


MISTAKES = {
    "an addition one too large": (WORDS, "INT_ADD", lambda values, width, out: words.add(words.add(*values, width), 1, width), "add x, x, #"),
    "a signed for an unsigned comparison": (WORDS, "INT_LESSEQUAL", lambda values, width, out: words.negate(words.less_signed(values[1], values[0], width)), "cmp x, x"),
    "zeros for the sign": (WORDS, "INT_LEFT", lambda values, width, out: values[0], "lsl w, w, #"),
    "a borrow forgotten": (FLAGS, "INT_SBORROW", lambda a, b, width: False, "cmp x, x"),
    "an extension forgotten": (WORDS, "INT_ZEXT", lambda values, width, out: words.concat([(values[0], width), (1, out - width)]), "ldrb w, [x, #]"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_in_the_rules_is_noticed(probe, monkeypatch, mistake):
    table, name, wrong, text = MISTAKES[mistake]
    codes = next(codes for known, codes in forms().items() if known.startswith(text))
    assert differences(probe, codes, text)[0] is None
    remembered.cache_clear()
    monkeypatch.setitem(table, name, wrong)
    try:
        assert differences(probe, codes, text)[0] is not None
    finally:
        remembered.cache_clear()
