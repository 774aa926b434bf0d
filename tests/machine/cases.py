"""Which instructions of the kernel and of handlers, in which states, are both asked of: the prover and the processor?"""

import re
from dataclasses import replace
from functools import lru_cache

from proofs.machine import handlers, system, words
from proofs.machine.interpreter import HANDLER
from proofs.machine.lift import SIZE, NotAllowed, instruction
from proofs.machine.obligations import BUILDS, built
from proofs.machine.summary import named
from tests.machine.oracle import WORD, Effect, WideEffect, form
from tests.machine.probe import LANE, LANES, MIDDLE, REACH, VECTORS, WINDOW, WORDS, State
from tests.machine.system import assembled
from tests.wasm.cases import anything, canonical, infinity, pattern, specials

KINDS = (Effect, WideEffect)        # of code: the kernel's, and that of handlers
STATES = 200            # of each form
EXAMPLES = 10           # instructions of a form that are tried
EDGES = (0, 1, 2, 63, 64, 0x7F, 0x80, 0xFF, 0x7FFF, 0xFFFF, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF, 1 << 32, (1 << 63) - 1, 1 << 63, (1 << 64) - 1)
BRANCHES = {"b": (26, 0), "bl": (26, 0), "b.": (19, 5), "cbz": (19, 5), "cbnz": (19, 5), "tbz": (14, 5), "tbnz": (14, 5)}
LITERAL, IS_LITERAL = 0x3B00_0000, 0x1800_0000      # bits of a load from a place relative to the instruction
INDIRECT = ("ret", "br", "blr")
# for rules, or outcomes of rules, that no instruction of the image needs now but one that a compiler might choose
OTHERS = ("adds x1, x2, x2", "adds w1, w2, w2", "asr x1, x2, #5", "asr w1, w2, #5", "sxtw x1, w2", "sxtb w1, w2", "udiv x1, x2, x3", "udiv w1, w2, w3")

FORMATS = {32: "s", 64: "d"}         # bits of a floating-point number, and what its registers are called
PAIRS = {bits: (*((pattern(x, bits), pattern(y, bits)) for x, y in ((1.5, -2.5), (0.0, -0.0))), (canonical(bits) + 1, canonical(bits) + 2)) for bits in FORMATS}
"""Two operands each that every operation is tried on, so that two that are taken for one must agree on them: numbers, zeros, NaN."""
FEW = {bits: (infinity(bits), infinity(bits) + 1, *(each for pair in PAIRS[bits] for each in pair)) for bits in FORMATS}
"""What comes again and again."""


def by_form(stretches):
    """The instructions of stretches of code, `(image, symbol)` each, by their form."""
    found = {}
    for image, symbol in stretches:
        for address in image.code(symbol):
            code = image.read(address, SIZE)
            found.setdefault(form(instruction(code, address).text), {})[int.from_bytes(code, "little")] = None
    return {text: list(codes) for text, codes in sorted(found.items())}


@lru_cache(maxsize=None)
def spoken_of():
    """The instructions that a proof of the kernel speaks of: of functions of the model, and of all code that has a contract."""
    return by_form((built(build), built(build).functions[name]) for build in BUILDS for name in sorted({*named(), *system.covered()}))


@lru_cache(maxsize=None)
def of_handlers():
    """The instructions of all handlers."""
    image = handlers.built()
    return by_form((image, symbol) for name, symbol in image.functions.items() if name.startswith(HANDLER))


@lru_cache(maxsize=None)
def remembered(kind, code):
    """The effect of an instruction by the rules of a kind of code."""
    return kind(code)


def plain(code):
    """Does an instruction know nothing but general registers, flags and memory? Else the rules of functions of the model refuse it."""
    try:
        remembered(Effect, code)
    except NotAllowed:
        return False
    return True


def others(texts):
    """Instructions by their form."""
    return {form(instruction(code.to_bytes(SIZE, "little"), MIDDLE).text): [code] for code in assembled(texts)}


@lru_cache(maxsize=None)
def forms(kind=Effect):
    """The forms of all instructions of a kind of code, of the kernel's only the plain ones; and others that have a rule."""
    if kind is WideEffect:
        return of_handlers()
    return others(OTHERS) | {text: codes for text, codes in spoken_of().items() if plain(codes[0])}


def near(code, mnemonic, source):
    """The instruction, with the target of a branch inside the slot, and what it loads from a place relative to itself in the window."""
    if code & LITERAL == IS_LITERAL:
        distance = (WINDOW - MIDDLE) // SIZE + source.randrange(2 * WORDS - 1)
        return code & ~(0x7FFFF << 5) | distance << 5
    name = "b." if mnemonic.startswith("b.") else mnemonic
    if name not in BRANCHES:
        return code
    bits, low = BRANCHES[name]
    distance = source.choice([n for n in range(-REACH, REACH) if n not in (0, 1)])
    return code & ~(((1 << bits) - 1) << low) | (distance & ((1 << bits) - 1)) << low


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


def common(state, effect):
    """The states in which an instruction computes with the operands that all have in common, in either order; none, if it knows no vectors."""
    for bits in formats(effect.instruction.text) if {*effect.inputs, *effect.changed} & set(VECTORS) else ():
        for pair in PAIRS[bits]:
            yield from (operands(state, effect, *pair), operands(state, effect, *pair[::-1]))


def related(state, effect):
    """A state and, if the instruction knows vectors, the same with the operands exchanged, and with one and its opposite."""
    yield state
    if {*effect.inputs, *effect.changed} & set(VECTORS):
        one, other = (state.vectors[effect.code >> place & 31] for place in (5, 16))
        yield operands(state, effect, other, one)
        for bits in formats(effect.instruction.text):
            yield operands(state, effect, one, one ^ sum(1 << place for place in range(bits - 1, 8 * LANE, bits)))


def state_for(effect, source):
    """A random state in which the instruction reaches only what there is."""
    general = [word(source) for _ in range(31)]
    base, index = effect.code >> 5 & 31, effect.code >> 16 & 31
    stack, flags = WINDOW + 128, source.getrandbits(4) << 28
    if effect.instruction.mnemonic in INDIRECT:
        general[base] = MIDDLE + SIZE * source.choice([n for n in range(-REACH, REACH) if n])
    held = vectors(source.choice(formats(effect.instruction.text)), source)
    state = State(tuple(general), stack, flags, source.randbytes(8 * WORDS), tuple(held))
    if effect.address(state) is None:
        return state
    if index != base and index < 31:
        general[index] = 8 * source.randrange(4)    # when it is one, the index stays in reach
    if base < 31:
        general[base] = 0
    away = effect.address(replace(state, general=tuple(general), stack=0))
    start = (WINDOW + 128 - away) & ((1 << 64) - 1) & ~15
    if base < 31:
        general[base] = start
    return replace(state, general=tuple(general), stack=stack if base < 31 else start)


def cases(codes, source, kind=Effect):
    """Instruction, effect and state of each case of a form."""
    chosen = source.sample(codes, min(EXAMPLES, len(codes)))
    for turn in range(-(-STATES // len(chosen))):
        for code in chosen:
            code = near(code, instruction(code.to_bytes(SIZE, "little"), MIDDLE).mnemonic, source)
            effect = remembered(kind, code)
            state = state_for(effect, source)
            yield from ((code, effect, each) for each in (*(common(state, effect) if turn == 0 else ()), *related(state, effect)))
