"""Do the prover's rules change registers, flags and memory as the processor does?

Every form of instruction that is proved is tried.
"""

import random

import pytest
import z3

from corollary.emulation.probe import MIDDLE, Probe
from corollary.proofs.machine import floats, instructions, lift, words
from corollary.proofs.machine.beyond import BEYOND
from corollary.proofs.machine.lift import CORRECTED, SIZE, NotAllowed, instruction
from corollary.proofs.machine.processor import CONDITIONS, FLAGS, WORDS
from corollary.proofs.oracle.cases import EXAMPLES, KINDS, STATES, cases, forms, remembered
from corollary.proofs.oracle.effect import Effect, Functions, WideEffect, differences
from tests.machine.system import assembled


@pytest.fixture(scope="module")
def probe():
    with Probe() as opened:
        yield opened


def difference(probe, form, seed, kind, functions, instructions=EXAMPLES):
    """Return the first case of a form in which prover and processor differ, or None, and the number of cases."""
    tried = list(cases(form, random.Random(seed), kind, instructions))
    outcomes = probe.run([(code, state) for code, _, state in tried])
    for (code, effect, state), outcome in zip(tried, outcomes):
        found = differences(effect.outcome(state), outcome, functions)
        if found:
            return describe(code, state, found), len(tried)
    return None, len(tried)


def describe(code, state, found):
    """Describe a difference for people."""
    text = lifted(code).text
    lines = [
        f"{name}: {spelled(ours)} by the rules, {spelled(theirs)} in the processor"
        for name, (ours, theirs) in found.items()
    ]
    return "\n".join(
        [f"{text} ({code:#010x})", *lines, *(f"{name} was {spelled(word)}" for name, word in state.registers.items())]
    )


def spelled(part):
    """Spell a part of an outcome for people."""
    return f"{part:#x}" if isinstance(part, int) else part.hex() if isinstance(part, bytes) else str(part)


@pytest.mark.parametrize("count", [2, pytest.param(EXAMPLES, marks=pytest.mark.full)])
@pytest.mark.parametrize("kind", KINDS)
def test_every_form_does_what_the_processor_does(probe, kind, count):
    found, total, functions = [], 0, Functions()
    for text, form in forms(kind).items():
        said, tried = difference(probe, form, text, kind, functions, count)
        total += tried
        assert tried >= STATES
        found += [said] if said else []
    print(
        f"\n{len(forms(kind))} forms, {total} states, {len(functions.said)} applications of functions, "
        f"{len(found)} differences"
    )
    assert found == [], "\n\n".join(found)


def lifted(code):
    """Return an instruction, lifted."""
    return instruction(code.to_bytes(SIZE, "little"), MIDDLE)


def shown(kind):
    """Return an instruction of each form that a kind of code may have."""
    return [lifted(next(form.words(random.Random(text)))) for text, form in forms(kind).items()]


def test_every_form_is_compared():
    compared = {form.use for kind in KINDS for form in forms(kind).values()}
    assert compared | {instructions.SYSTEM, instructions.PADDING} == set(
        instructions.ROWS
    )  # those: tests/machine/test_system.py
    wanted = {form for form in instructions.forms() if form.use in compared}
    assert {form for kind in KINDS for form in forms(kind).values()} == wanted


def test_every_rule_has_an_instruction():
    done = {kind: {operation.name for each in shown(kind) for operation in each.operations} for kind in KINDS}
    assert {*WORDS, *FLAGS, *CONDITIONS} <= done[Effect]
    assert {*BEYOND, *floats.RULES, floats.FROM_INTEGER} <= done[WideEffect]


def test_every_correction_has_an_instruction():
    assert set(CORRECTED) <= {each.mnemonic for each in shown(WideEffect)}


WRONG = {
    "a sign in all 64 bits": "ldrsb   00 111 0 01 11 imm12 Rn Rt",
    "a sign in all 64 bits of a halfword": "ldrsh   01 111 0 00 11 1 Rm 011 S 10 Rn Rt",
    "no sign": "ldrsb   00 111 0 00 11 0 imm9 00 Rn Rt",
    "a second word eight bytes from the first": "ldpsw   01 101 0 010 1 imm7 Rt2 Rn Rt | different",
}
"""Forms that Cortex-A72 has and SLEIGH gets wrong. They have no row for that reason."""


@pytest.mark.parametrize("mistake", WRONG)
def test_a_form_that_sleigh_gets_wrong_is_refused_and_would_be_noticed(probe, monkeypatch, mistake):
    (form,) = instructions.forms_of(WRONG[mistake].replace(" S ", " 0 "), instructions.GENERAL)
    code = next(form.words(random.Random(mistake)))
    with pytest.raises(NotAllowed, match="is of no form"):
        lifted(code)
    monkeypatch.setattr(instructions, "form_of", lambda word: form)
    lift.instruction.cache_clear()
    try:
        assert "by the rules" in difference(probe, form, mistake, Effect, Functions())[0]
    finally:
        lift.instruction.cache_clear()


@pytest.mark.parametrize(
    "text",
    [
        "scvtf d1, x2, #4",
        "fcvtzs w1, d2, #4",
        "ucvtf d1, d2, #4",
        "scvtf v1.2d, v2.2d",
        "frintn v1.2d, v2.2d",
        "fcvt h1, s2",
        "fmin v1.2d, v2.2d, v3.2d",
    ],
)
def test_an_instruction_is_not_taken_for_one_that_has_a_rule(text):
    with pytest.raises(NotAllowed):
        WideEffect(assembled([text])[0])


MISTAKES = {
    "an addition one too large": (
        WORDS,
        "INT_ADD",
        lambda values, width, out: words.add(words.add(*values, width=width), 1, width),
        "add sf=1 sh=0",
    ),
    "a signed for an unsigned comparison": (
        WORDS,
        "INT_LESSEQUAL",
        lambda values, width, out: words.negate(words.less_signed(values[1], values[0], width)),
        "subs sf=1 shift=00",
    ),
    "zeros for the sign": (WORDS, "INT_LEFT", lambda values, width, out: values[0], "ubfm sf=0"),
    "zeros below": (
        WORDS,
        "LZCOUNT",
        lambda values, width, out: words.extend(words.leading_zeros(values[0], width) + 1, width, out),
        "clz sf=0",
    ),
    "a borrow forgotten": (FLAGS, "INT_SBORROW", lambda a, b, width: False, "subs sf=1 shift=00"),
    "an extension forgotten": (
        WORDS,
        "INT_ZEXT",
        lambda values, width, out: words.concat([(values[0], width), (1, out - width)]),
        "ldrb (394",
    ),
}


WIDE = {
    "a division without a sign": (BEYOND, "INT_SDIV", words.divide, "sdiv sf=0"),
    "a bit too few": (BEYOND, "POPCOUNT", lambda a, width: words.ones(a & ~1, width), "cnt Q=0"),
    "a difference in either order": (floats.RULES, "FLOAT_SUB", floats.either_way, "fsub ftype=01"),
    "a NaN that is less": (
        floats.RULES,
        "FLOAT_LESS",
        lambda name, width, a, b: floats.less(a, b) | floats.is_nan(a),
        "fcmp ftype=01",
    ),
    "zeros that differ": (floats.RULES, "FLOAT_EQUAL", lambda name, width, a, b: a == b, "fcmp ftype=00"),
    "a quotient of the second operand alone": (
        floats.RULES,
        "FLOAT_DIV",
        lambda name, width, a, b: floats.unknown(name, width, b),
        "fdiv ftype=01",
    ),
    "zeros in either order": (
        floats.RULES,
        "fmin",
        floats.chosen(lambda a, b: z3.If(floats.less(b, a), b, a)),
        "fmin ftype=01",
    ),
    "a NaN that is passed over": (
        floats.RULES,
        "fmax",
        lambda name, width, a, b: floats.maximum(a, b),
        "fmax ftype=00",
    ),
}


@pytest.mark.parametrize(
    ("kind", "mistake"), [*((Effect, mistake) for mistake in MISTAKES), *((WideEffect, mistake) for mistake in WIDE)]
)
def test_a_mistake_in_the_rules_is_noticed(probe, monkeypatch, kind, mistake):
    table, name, wrong, text = (MISTAKES | WIDE)[mistake]
    form = next(form for known, form in forms(kind).items() if known.startswith(text))
    assert difference(probe, form, text, kind, Functions())[0] is None
    remembered.cache_clear()
    monkeypatch.setitem(table, name, wrong)
    try:
        assert difference(probe, form, text, kind, Functions())[0] is not None
    finally:
        remembered.cache_clear()
