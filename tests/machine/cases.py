"""Which instructions of the image, in which states, are both asked of: the prover and the processor?"""

from functools import lru_cache

from proofs.machine import system
from proofs.machine.lift import SIZE, NotAllowed, instruction
from proofs.machine.obligations import BUILDS, built
from proofs.machine.summary import named
from tests.machine.oracle import Effect, form
from tests.machine.probe import MIDDLE, REACH, WINDOW, WORDS, State
from tests.machine.system import assembled

STATES = 200            # of each form
EXAMPLES = 10           # instructions of a form that are tried
EDGES = (0, 1, 2, 63, 64, 0x7F, 0x80, 0xFF, 0x7FFF, 0xFFFF, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF, 1 << 32, (1 << 63) - 1, 1 << 63, (1 << 64) - 1)
BRANCHES = {"b": (26, 0), "bl": (26, 0), "b.": (19, 5), "cbz": (19, 5), "cbnz": (19, 5), "tbz": (14, 5), "tbnz": (14, 5)}
LITERAL, IS_LITERAL = 0x3B00_0000, 0x1800_0000      # bits of a load from a place relative to the instruction
INDIRECT = ("ret", "br", "blr")
# for rules, or outcomes of rules, that no instruction of the image needs now but one that a compiler might choose
OTHERS = ("adds x1, x2, x2", "adds w1, w2, w2", "asr x1, x2, #5", "asr w1, w2, #5", "sxtw x1, w2", "sxtb w1, w2", "udiv x1, x2, x3", "udiv w1, w2, w3")


@lru_cache(maxsize=None)
def spoken_of():
    """The instructions that a proof speaks of, by their form: of functions of the model, and of all code that has a contract."""
    found = {}
    for build in BUILDS:
        image = built(build)
        for name in sorted({*named(), *system.covered()}):
            for address in image.code(image.functions[name]):
                code = image.read(address, SIZE)
                found.setdefault(form(instruction(code, address).text), {})[int.from_bytes(code, "little")] = None
    return {text: list(codes) for text, codes in sorted(found.items())}


@lru_cache(maxsize=None)
def remembered(code):
    """The effect of an instruction."""
    return Effect(code)


def plain(code):
    """Does an instruction know nothing but general registers, flags and memory? Else the rules of functions of the model refuse it."""
    try:
        remembered(code)
    except NotAllowed:
        return False
    return True


@lru_cache(maxsize=None)
def forms():
    """The plain ones of these forms, and others that have a rule."""
    others = {form(instruction(code.to_bytes(SIZE, "little"), MIDDLE).text): [code] for code in assembled(OTHERS)}
    return others | {text: codes for text, codes in spoken_of().items() if plain(codes[0])}


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


def state_for(code, effect, mnemonic, source):
    """A random state in which the instruction reaches only what there is."""
    general = [word(source) for _ in range(31)]
    base, index = code >> 5 & 31, code >> 16 & 31
    stack, flags = WINDOW + 128, source.getrandbits(4) << 28
    if mnemonic in INDIRECT:
        general[base] = MIDDLE + SIZE * source.choice([n for n in range(-REACH, REACH) if n])
    state = State(tuple(general), stack, flags, source.randbytes(8 * WORDS))
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
