"""Do the prover's rules do to registers, flags and memory what the processor does? Every form of instruction that is proved."""

import random

import pytest
import z3

from proofs.machine import floats, handlers, words
from proofs.machine.beyond import BEYOND
from proofs.machine.interpreter import HANDLER
from proofs.machine.lift import CORRECTED, SIZE, NotAllowed, instruction
from proofs.machine.processor import CONDITIONS, FLAGS, WORDS
from spec.wasm.internal import OPERATIONS
from tests.machine.cases import KINDS, STATES, cases, forms, of_handlers, remembered
from tests.machine.oracle import Effect, Functions, WideEffect, differences, form
from tests.machine.probe import MIDDLE, Probe
from tests.machine.system import assembled


@pytest.fixture(scope="module")
def probe():
    with Probe() as opened:
        yield opened


def difference(probe, codes, seed, kind, functions):
    """The first case of a form in which prover and processor differ, or None; and how many cases there were."""
    tried = list(cases(codes, random.Random(seed), kind))
    outcomes = probe.run([(code, state) for code, _, state in tried])
    for (code, effect, state), outcome in zip(tried, outcomes):
        found = differences(effect.outcome(state), outcome, functions)
        if found:
            return describe(code, state, found), len(tried)
    return None, len(tried)


def describe(code, state, found):
    """A difference, for people."""
    text = instruction(code.to_bytes(SIZE, "little"), MIDDLE).text
    lines = [f"{name}: {spelled(ours)} by the rules, {spelled(theirs)} in the processor" for name, (ours, theirs) in found.items()]
    return "\n".join([f"{text} ({code:#010x})", *lines, *(f"{name} was {spelled(word)}" for name, word in state.registers.items())])


def spelled(part):
    """A part of an outcome, for people."""
    return f"{part:#x}" if isinstance(part, int) else part.hex() if isinstance(part, bytes) else str(part)


@pytest.mark.parametrize("kind", KINDS)
def test_every_form_does_what_the_processor_does(probe, kind):
    found, total, functions = [], 0, Functions()
    for text, codes in forms(kind).items():
        said, count = difference(probe, codes, text, kind, functions)
        total += count
        assert count >= STATES
        found += [said] if said else []
    print(f"\n{len(forms(kind))} forms, {total} states, {len(functions.said)} applications of functions, {len(found)} differences")
    assert found == [], "\n\n".join(found)


def operations(kind):
    """The names of all that the instructions of a kind of code do."""
    return {operation.name for codes in forms(kind).values() for operation in instruction(codes[0].to_bytes(SIZE, "little"), MIDDLE).operations}


def test_every_rule_has_an_instruction():
    assert {*WORDS, *FLAGS, *CONDITIONS} <= operations(Effect)
    assert {*BEYOND, *floats.RULES, floats.FROM_INTEGER} <= operations(WideEffect)


def test_every_correction_has_an_instruction():
    assert set(CORRECTED) <= {instruction(codes[0].to_bytes(SIZE, "little"), MIDDLE).mnemonic for codes in forms(WideEffect).values()}


def test_no_instruction_of_a_handler_is_left_out():
    image = handlers.built()
    found = {form(instruction(image.read(at, SIZE), at).text) for operation in OPERATIONS for at in image.code(image.functions[f"{HANDLER}{operation.name}"])}
    assert found <= set(of_handlers()) == set(forms(WideEffect))


@pytest.mark.parametrize("text", ["scvtf d1, x2, #4", "fcvtzs w1, d2, #4", "ucvtf d1, d2, #4", "scvtf v1.2d, v2.2d", "frintn v1.2d, v2.2d", "fcvt h1, s2",
                                  "fmin v1.2d, v2.2d, v3.2d"])
def test_an_instruction_is_not_taken_for_one_that_has_a_rule(text):
    with pytest.raises(NotAllowed):
        WideEffect(assembled([text])[0])


MISTAKES = {
    "an addition one too large": (WORDS, "INT_ADD", lambda values, width, out: words.add(words.add(*values, width), 1, width), "add x, x, #"),
    "a signed for an unsigned comparison": (WORDS, "INT_LESSEQUAL", lambda values, width, out: words.negate(words.less_signed(values[1], values[0], width)), "cmp x, x"),
    "zeros for the sign": (WORDS, "INT_LEFT", lambda values, width, out: values[0], "lsl w, w, #"),
    "a borrow forgotten": (FLAGS, "INT_SBORROW", lambda a, b, width: False, "cmp x, x"),
    "an extension forgotten": (WORDS, "INT_ZEXT", lambda values, width, out: words.concat([(values[0], width), (1, out - width)]), "ldrb w, [x, #]"),
}


WIDE = {
    "a division without a sign": (BEYOND, "INT_SDIV", words.divide, "sdiv w, w, w"),
    "zeros below": (BEYOND, "LZCOUNT", lambda a, width: words.leading_zeros(a, width) + 1, "clz w, w"),
    "a bit too few": (BEYOND, "POPCOUNT", lambda a, width: words.ones(a & ~1, width), "cnt v.8B, v.8B"),
    "a difference in either order": (floats.RULES, "FLOAT_SUB", floats.either_way, "fsub d, d, d"),
    "a NaN that is less": (floats.RULES, "FLOAT_LESS", lambda name, width, a, b: floats.less(a, b) | floats.is_nan(a), "fcmp d, d"),
    "zeros that differ": (floats.RULES, "FLOAT_EQUAL", lambda name, width, a, b: a == b, "fcmp s, s"),
    "a quotient of the second operand alone": (floats.RULES, "FLOAT_DIV", lambda name, width, a, b: floats.unknown(name, width, b), "fdiv d, d, d"),
    "zeros in either order": (floats.RULES, "fmin", floats.chosen(lambda a, b: z3.If(floats.less(b, a), b, a)), "fmin d, d, d"),
    "a NaN that is passed over": (floats.RULES, "fmax", lambda name, width, a, b: floats.maximum(a, b), "fmax s, s, s"),
}


@pytest.mark.parametrize(("kind", "mistake"), [*((Effect, mistake) for mistake in MISTAKES), *((WideEffect, mistake) for mistake in WIDE)])
def test_a_mistake_in_the_rules_is_noticed(probe, monkeypatch, kind, mistake):
    table, name, wrong, text = (MISTAKES | WIDE)[mistake]
    codes = next(codes for known, codes in forms(kind).items() if known.startswith(text))
    assert difference(probe, codes, text, kind, Functions())[0] is None
    remembered.cache_clear()
    monkeypatch.setitem(table, name, wrong)
    try:
        assert difference(probe, codes, text, kind, Functions())[0] is not None
    finally:
        remembered.cache_clear()
