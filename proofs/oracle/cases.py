"""Which instructions, in which states, are tried on both the prover and the processor?"""

import os
import re
from dataclasses import replace
from functools import cache
from itertools import islice

from corollary.emulation.operands import anything, canonical, infinity, pattern, specials
from corollary.emulation.probe import LANE, LANES, MIDDLE, REACH, VECTORS, WINDOW, WORDS, State
from corollary.proofs.machine import instructions, system, words
from corollary.proofs.machine.instructions import GENERAL, HANDLER, HASH, PAIR
from corollary.proofs.machine.lift import SIZE
from corollary.proofs.machine.obligations import BUILDS, built
from corollary.proofs.machine.summary import named
from corollary.proofs.oracle.effect import WORD, Effect, HashEffect, WideEffect

KINDS = {Effect: (GENERAL,), WideEffect: (GENERAL, PAIR, HANDLER), HashEffect: (HASH,)}
"""The rules for the kernel's code, for handlers and for hashes, and the forms that each has of its own."""
TIMES = int(os.environ.get("COROLLARY_ORACLE", "1"))  # how many times larger the run is
EXAMPLES = 6  # instructions of each form
STATES, FEWER = 8, 3  # of each instruction; fewer where it computes with vectors, as each state stands for several
EDGES = (
    0,
    1,
    2,
    63,
    64,
    0x7F,
    0x80,
    0xFF,
    0x7FFF,
    0xFFFF,
    0x7FFF_FFFF,
    0x8000_0000,
    0xFFFF_FFFF,
    1 << 32,
    (1 << 63) - 1,
    1 << 63,
    (1 << 64) - 1,
)
TARGETS = ("imm26", "imm19", "imm14")  # fields that hold a distance in words
LITERAL = {"ldr", "ldrsw"}  # forms that load a word at that distance
INDIRECT = ("ret", "br")
WRITTEN, READ = "Rd", ("Rn", "Rm")  # fields of the registers that an instruction writes and reads

FORMATS = {32: "s", 64: "d"}  # bits of a floating-point number, and the letter of its registers
PAIRS = {
    bits: (
        *((pattern(x, bits), pattern(y, bits)) for x, y in ((1.5, -2.5), (0.0, -0.0))),
        (canonical(bits) + 1, canonical(bits) + 2),
    )
    for bits in FORMATS
}
"""Pairs of operands for every operation: numbers, zeros, NaN. Operations that are taken for one must agree on them."""
FEW = {bits: (infinity(bits), infinity(bits) + 1, *(each for pair in PAIRS[bits] for each in pair)) for bits in FORMATS}
"""The values that come again and again."""


@cache
def spoken_of():
    """Return the instructions that a proof of the kernel is about.

    They are those of functions of the model, and of all code that has a contract.
    """
    found = {}
    for build in BUILDS:
        image = built(build)
        for name in sorted({*named(), *system.covered()}):
            for address in image.code(image.functions[name]):
                found[int.from_bytes(image.read(address, SIZE), "little")] = None
    return list(found)


@cache
def remembered(kind, code):
    """Return the effect of an instruction by the rules of a kind of code."""
    return kind(code)


def forms(kind):
    """Return the forms that a kind of code may have, by their names."""
    found = [form for form in instructions.forms() if form.use in KINDS[kind]]
    return {f"{form} ({form.value:08x})": form for form in found}


def examples(form, source, kind, count):
    """Return some instructions of a form.

    There are half as many by the rules of handlers if the rules of the kernel have the form, too.
    """
    halved = kind is WideEffect and form.use == GENERAL
    found = islice(form.words(source), TIMES * count // (2 if halved else 1))
    return dict.fromkeys([*found, *overwriting(form, source)])


def overwriting(form, source):
    """Yield an instruction of a form that writes a register which it reads, if the form has any: few random ones do."""
    read = [name for name in READ if name in form.fields and WRITTEN in form.fields]
    if read:
        word, (from_, _), (to, width) = next(form.words(source)), form.fields[source.choice(read)], form.fields[WRITTEN]
        register = (1 << width) - 1
        same = word & ~(register << to) | (word >> from_ & register) << to
        if form.has(same):
            yield same


def near(code, form, source):
    """Return the instruction with a distance that suits the test.

    The target of a branch is inside the slot. What is loaded relative to the instruction is in the window.
    """
    name = next((name for name in TARGETS if name in form.fields), None)
    if name is None or form.name in ("adr", "adrp"):
        return code
    low, width = form.fields[name]
    distance = source.choice([n for n in range(-REACH, REACH) if n not in (0, 1)])
    if form.name in LITERAL:
        distance = (WINDOW - MIDDLE) // SIZE + source.randrange(2 * WORDS - 3)
    return code & ~(((1 << width) - 1) << low) | (distance & ((1 << width) - 1)) << low


def word(source):
    """Return a register's value: an edge, a small or any number."""
    return source.choice((source.choice(EDGES), source.getrandbits(6), source.getrandbits(32), source.getrandbits(64)))


def formats(text):
    """Return the number formats of the registers that an instruction names; both, if it names none."""
    return [bits for bits, letter in FORMATS.items() if re.search(rf"\b{letter}\d", text)] or list(FORMATS)


def vectors(bits, source):
    """Yield all vector registers, full of numbers of one format: such where something changes, a few, or any."""
    for _ in range(LANES):
        parts = (
            source.choice((source.choice(specials(bits)), *source.sample(FEW[bits], 2), anything(bits, source)))
            for _ in range(8 * LANE // bits)
        )
        yield sum(part << bits * place for place, part in enumerate(parts))


def operands(state, effect, one, other):
    """Return the state with two words where the instruction may compute with them.

    Both are in vectors. The first is in a general register, too, if that is no address.
    """
    first, second, held, general = (
        effect.code >> 5 & 31,
        effect.code >> 16 & 31,
        list(state.vectors),
        list(state.general),
    )
    held[first], held[second] = one, other
    if first < len(general) and effect.goes is None and effect.address(state) is None:
        general[first] = one & words.mask(WORD)
    return replace(state, vectors=tuple(held), general=tuple(general))


def calculates(effect):
    """Does an instruction compute with vectors, rather than move them from or to memory?"""
    return not (effect.loads or effect.stores) and {*effect.inputs, *effect.changed} & set(VECTORS)


def common(state, effect):
    """Yield the state with the operands that all instructions share, in either order, if it computes with vectors."""
    for bits in formats(effect.instruction.text) if calculates(effect) else ():
        for pair in PAIRS[bits]:
            yield from (operands(state, effect, *pair), operands(state, effect, *pair[::-1]))


def related(state, effect):
    """Yield a state; if the instruction computes with vectors, also with operands exchanged, or one opposite."""
    yield state
    if calculates(effect):
        one, other = (state.vectors[effect.code >> place & 31] for place in (5, 16))
        yield operands(state, effect, other, one)
        for bits in formats(effect.instruction.text):
            yield operands(state, effect, one, one ^ sum(1 << place for place in range(bits - 1, 8 * LANE, bits)))


def reaching(state, effect, start):
    """Return the state with a base from which the instruction reaches a place from `start` on, or just before."""
    base = effect.code >> 5 & 31

    def held(value):
        general = list(state.general)
        if base < len(general):
            general[base] = value
        return replace(state, general=tuple(general), stack=state.stack if base < len(general) else value)

    first, second = (effect.address(held(value)) for value in (0, 16))
    factor = (second - first) % (1 << WORD) // 16  # more than 1 where the base is the index, too
    if factor == 0:
        return state
    value = (start - first) % (1 << WORD) if factor == 1 else start // factor
    return held(value if base < len(state.general) else value & ~15)


def state_for(effect, source):
    """Return a random state in which the instruction reaches only memory that there is."""
    general = [word(source) for _ in range(31)]
    if effect.form.name in INDIRECT:
        general[effect.code >> 5 & 31] = MIDDLE + SIZE * source.choice([n for n in range(-REACH, REACH) if n])
    numbers = vectors(source.choice(formats(effect.instruction.text)), source)
    held = numbers if calculates(effect) else (source.getrandbits(8 * LANE) for _ in range(LANES))
    state = State(tuple(general), WINDOW + 128, source.getrandbits(4) << 28, source.randbytes(8 * WORDS), tuple(held))
    start = WINDOW + source.randrange(32, 8 * WORDS - 64)
    return state if effect.address(state) is None else reaching(state, effect, start)


def cases(form, source, kind=Effect, count=EXAMPLES):
    """Yield the instruction, effect and state of each case of a form, for this many instructions."""
    codes = [near(code, form, source) for code in examples(form, source, kind, count)]
    for turn in range(STATES):
        for code in codes:
            effect = remembered(kind, code)
            if turn < FEWER or not calculates(effect):
                state = state_for(effect, source)
                tried = (*(common(state, effect) if turn == 0 else ()), *related(state, effect))
                yield from ((code, effect, each) for each in tried)
