"""Do the prover's rules do to registers, flags and memory what the processor does? Every form of instruction that is proved."""

import random
from functools import lru_cache

import pytest

from proofs.machine.lift import SIZE, instruction
from proofs.machine.obligations import BUILDS, built
from proofs.machine.processor import FLAGS, WORDS
from proofs.machine.summary import named
from proofs.machine import words
from tests.machine.oracle import NAMES, Effect, form
from tests.machine.probe import BREAKPOINT, MIDDLE, REACH, WINDOW, WORDS as WINDOW_WORDS, Probe, State

STATES = 200            # of each form
EXAMPLES = 10           # instructions of a form that are tried
EDGES = (0, 1, 2, 63, 64, 0x7F, 0x80, 0xFF, 0x7FFF, 0xFFFF, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF, 1 << 32, (1 << 63) - 1, 1 << 63, (1 << 64) - 1)
BRANCHES = {"b": (26, 0), "bl": (26, 0), "b.": (19, 5), "cbz": (19, 5), "cbnz": (19, 5), "tbz": (14, 5), "tbnz": (14, 5)}
INDIRECT = ("ret", "br", "blr")


@lru_cache(maxsize=None)
def forms():
    """The instructions of the proved functions, by their form."""
    found = {}
    for build in BUILDS:
        image = built(build)
        for name in named():
            symbol = image.functions[name]
            for address in range(symbol.address, symbol.end, SIZE):
                code = image.read(address, SIZE)
                found.setdefault(form(instruction(code, address).text), {})[int.from_bytes(code, "little")] = None
    return {text: list(codes) for text, codes in sorted(found.items())}


def near(code, mnemonic, source):
    """The instruction, with the target of a branch inside the slot."""
    name = "b." if mnemonic.startswith("b.") else mnemonic
    if name not in BRANCHES:
        return code
    bits, low = BRANCHES[name]
    distance = source.choice([n for n in range(-REACH, REACH) if n not in (0, 1)])
    return code & ~(((1 << bits) - 1) << low) | (distance & ((1 << bits) - 1)) << low


def word(source):
    """A register: an edge, a small or any number."""
    return source.choice((source.choice(EDGES), source.getrandbits(6), source.getrandbits(32), source.getrandbits(64)))


def state_for(code, effect, mnemonic, source):
    """A random state in which the instruction reaches only what there is."""
    general = [word(source) for _ in range(31)]
    base, index = code >> 5 & 31, code >> 16 & 31
    stack, flags = WINDOW + 128, source.getrandbits(4) << 28
    if mnemonic in INDIRECT:
        general[base] = MIDDLE + SIZE * source.choice([n for n in range(-REACH, REACH) if n])
    state = State(tuple(general), stack, flags, source.randbytes(8 * WINDOW_WORDS))
    if effect.address(state) is None:
        return state
    if index != base and index < 31:
        general[index] = 8 * source.randrange(4)    # when it is one, the index stays in reach
    if base < 31:
        general[base] = 0
    away = effect.address(State(tuple(general), 0, flags, state.window))
    start = (WINDOW + 128 - away) & ((1 << 64) - 1) & ~15
    if base < 31:
        general[base] = start
    return State(tuple(general), stack if base < 31 else start, flags, state.window)


def cases(codes, source):
    """Instruction, effect and state of each case of a form."""
    chosen = source.sample(codes, min(EXAMPLES, len(codes)))
    for turn in range(-(-STATES // len(chosen))):
        for code in chosen:
            mnemonic = instruction(code.to_bytes(SIZE, "little"), MIDDLE).mnemonic
            code = near(code, mnemonic, source)
            effect = remembered(code)
            yield code, effect, state_for(code, effect, mnemonic, source)


@lru_cache(maxsize=None)
def remembered(code):
    """The effect of an instruction."""
    return Effect(code)


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
        if text.startswith(("udf", "nop")):
            continue
        difference, count = differences(probe, codes, text)
        total += count
        assert count >= STATES
        found += [difference] if difference else []
    print(f"\n{len(forms())} forms, {total} states, {len(found)} differences")
    assert found == [], "\n\n".join(found)


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
