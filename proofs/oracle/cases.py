"""Which instructions, in which states, are asked of both: the prover and the processor?"""

import os
import re
from dataclasses import replace
from functools import lru_cache
from itertools import islice

from emulation.operands import anything, canonical, infinity, pattern, specials
from emulation.probe import LANE, LANES, MIDDLE, REACH, VECTORS, WINDOW, WORDS, State
from proofs.machine import instructions, system, words
from proofs.machine.instructions import GENERAL, HANDLER, PAIR
from proofs.machine.lift import SIZE
from proofs.machine.obligations import BUILDS, built
from proofs.machine.summary import named
from proofs.oracle.effect import WORD, Effect, WideEffect

KINDS = {Effect: (GENERAL,), WideEffect: (GENERAL, PAIR, HANDLER)}
"""The rules of the kernel's code and of that of handlers, and the forms that each has."""
TIMES = int(os.environ.get("COROLLARY_ORACLE", "1"))    # how much larger the run is
EXAMPLES = 6 * TIMES    # instructions of each form
STATES, FEWER = 8, 3    # of each instruction; of those that compute with vectors, as each state is several
EDGES = (0, 1, 2, 63, 64, 0x7F, 0x80, 0xFF, 0x7FFF, 0xFFFF, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF, 1 << 32, (1 << 63) - 1, 1 << 63, (1 << 64) - 1)
TARGETS = ("imm26", "imm19", "imm14")               # fields that say how far away something is, in words
LITERAL = {"ldr", "ldrsw"}                          # of which it is a word that is loaded
INDIRECT = ("ret", "br")

FORMATS = {32: "s", 64: "d"}         # bits of a floating-point number, and what its registers are called
PAIRS = {bits: (*((pattern(x, bits), pattern(y, bits)) for x, y in ((1.5, -2.5), (0.0, -0.0))), (canonical(bits) + 1, canonical(bits) + 2)) for bits in FORMATS}
"""Two operands each that every operation is tried on, so that two that are taken for one must agree on them: numbers, zeros, NaN."""
FEW = {bits: (infinity(bits), infinity(bits) + 1, *(each for pair in PAIRS[bits] for each in pair)) for bits in FORMATS}
"""What comes again and again."""


@lru_cache(maxsize=None)
def spoken_of():
    """The instructions that a proof of the kernel speaks of: of functions of the model, and of all code that has a contract."""
    found = {}
    for build in BUILDS:
        image = built(build)
        for name in sorted({*named(), *system.covered()}):
            for address in image.code(image.functions[name]):
                found[int.from_bytes(image.read(address, SIZE), "little")] = None
    return list(found)


@lru_cache(maxsize=None)
def remembered(kind, code):
    """The effect of an instruction by the rules of a kind of code."""
    return kind(code)


def forms(kind):
    """The forms that a kind of code may have, by their names."""
    found = [form for form in instructions.forms() if form.use in KINDS[kind]]
    return {f"{form} ({form.value:08x})": form for form in found}


def examples(form, source, kind):
    """Some instructions of a form, half as many by the rules of handlers if those of the kernel have them, too."""
    count = EXAMPLES // 2 if kind is WideEffect and form.use == GENERAL else EXAMPLES
    return dict.fromkeys(islice(form.words(source), count))


def near(code, form, source):
    """The instruction, with the target of a branch inside the slot, and what it loads from a place relative to itself in the window."""
    name = next((name for name in TARGETS if name in form.fields), None)
    if name is None or form.name in ("adr", "adrp"):
        return code
    low, width = form.fields[name]
    distance = source.choice([n for n in range(-REACH, REACH) if n not in (0, 1)])
    if form.name in LITERAL:
        distance = (WINDOW - MIDDLE) // SIZE + source.randrange(2 * WORDS - 3)
    return code & ~(((1 << width) - 1) << low) | (distance & ((1 << width) - 1)) << low


def word(source):
    """A register: an edge, a small or any number."""
    return source.choice((source.choice(EDGES), source.getrandbits(6), source.getrandbits(32), source.getrandbits(64)))


def formats(text):
    """The formats of the numbers in the registers that an instruction names; both, if there are none."""
    return [bits for bits, letter in FORMATS.items() if re.search(rf"\b{letter}\d", text)] or list(FORMATS)


def vectors(bits, source):
    """All vector registers, full of numbers of one format: such where something changes, a few, or any."""
    for _ in range(LANES):
        parts = (source.choice((source.choice(specials(bits)), *source.sample(FEW[bits], 2), anything(bits, source))) for _ in range(8 * LANE // bits))
        yield sum(part << bits * place for place, part in enumerate(parts))


def operands(state, effect, one, other):
    """The state with two words where the instruction may compute with them: in vectors, and the first in a general register if that is no address."""
    first, second, held, general = effect.code >> 5 & 31, effect.code >> 16 & 31, list(state.vectors), list(state.general)
    held[first], held[second] = one, other
    if first < len(general) and effect.goes is None and effect.address(state) is None:
        general[first] = one & words.mask(WORD)
    return replace(state, vectors=tuple(held), general=tuple(general))


def calculates(effect):
    """Does an instruction compute with what is in vectors, rather than move it from or to memory?"""
    return not (effect.loads or effect.stores) and {*effect.inputs, *effect.changed} & set(VECTORS)


def common(state, effect):
    """The states with the operands that all have in common, in either order, if it computes with vectors."""
    for bits in formats(effect.instruction.text) if calculates(effect) else ():
        for pair in PAIRS[bits]:
            yield from (operands(state, effect, *pair), operands(state, effect, *pair[::-1]))


def related(state, effect):
    """A state and, if the instruction computes with vectors, with the operands exchanged, or one opposite."""
    yield state
    if calculates(effect):
        one, other = (state.vectors[effect.code >> place & 31] for place in (5, 16))
        yield operands(state, effect, other, one)
        for bits in formats(effect.instruction.text):
            yield operands(state, effect, one, one ^ sum(1 << place for place in range(bits - 1, 8 * LANE, bits)))


def reaching(state, effect, start):
    """The state with such a base that the instruction reaches a place from `start` on, or just before."""
    base = effect.code >> 5 & 31

    def held(value):
        general = list(state.general)
        if base < len(general):
            general[base] = value
        return replace(state, general=tuple(general), stack=state.stack if base < len(general) else value)

    first, second = (effect.address(held(value)) for value in (0, 16))
    factor = (second - first) % (1 << WORD) // 16           # more than 1 where the base is the index, too
    if factor == 0:
        return state
    value = (start - first) % (1 << WORD) if factor == 1 else start // factor
    return held(value if base < len(state.general) else value & ~15)


def state_for(effect, source):
    """A random state in which the instruction reaches only what there is."""
    general = [word(source) for _ in range(31)]
    if effect.form.name in INDIRECT:
        general[effect.code >> 5 & 31] = MIDDLE + SIZE * source.choice([n for n in range(-REACH, REACH) if n])
    numbers = vectors(source.choice(formats(effect.instruction.text)), source)
    held = numbers if calculates(effect) else (source.getrandbits(8 * LANE) for _ in range(LANES))
    state = State(tuple(general), WINDOW + 128, source.getrandbits(4) << 28, source.randbytes(8 * WORDS), tuple(held))
    start = WINDOW + source.randrange(32, 8 * WORDS - 64)
    return state if effect.address(state) is None else reaching(state, effect, start)


def cases(form, source, kind=Effect):
    """Instruction, effect and state of each case of a form."""
    codes = [near(code, form, source) for code in examples(form, source, kind)]
    for turn in range(STATES):
        for code in codes:
            effect = remembered(kind, code)
            if turn < FEWER or not calculates(effect):
                state = state_for(effect, source)
                tried = (*(common(state, effect) if turn == 0 else ()), *related(state, effect))
                yield from ((code, effect, each) for each in tried)
