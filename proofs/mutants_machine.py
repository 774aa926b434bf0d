"""Which mistakes could the machine code contain? One instruction changed, by program, of a function of the model or of the platform.

Each is refuted by the proof of its function or by a contract that runs through it, or proved to do the same; a solver
that gives up decides nothing.
"""

import random
from dataclasses import dataclass
from functools import lru_cache

from proofs.machine.contract import Kept
from proofs.machine.contracts import CONSTANT, CONTRACTS
from proofs.machine.image import Image
from proofs.machine.lift import SIZE, NotAllowed, instruction
from proofs.machine.obligations import built
from proofs.machine.refine import Comparison
from proofs.machine.summary import named
from proofs.machine.system import covered
from proofs.mutants_row import EQUIVALENT

KIND = "machine"
COUNT = 500
# bits of an instruction that a mistake of each kind may change
FIELDS = {"operand": (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 16, 17, 18, 19, 20), "offset": tuple(range(5, 24)), "condition": (0, 1, 2, 3, 12, 13, 14, 15, 24),
          "size": (22, 23, 30, 31), "opcode": tuple(range(21, 32))}
TRIES = 200


@dataclass(frozen=True)
class MachineMutant:
    """Another instruction at an address of a function."""

    function: str
    address: int
    offset: int         # in the function
    new: int
    what: str
    change: str

    @property
    def id(self):
        """Made of the function, the place in it and what stands there now."""
        return f"machine-{self.function}-{self.offset:x}-{self.new:08x}"


@lru_cache(maxsize=None)
def sample(seed=0, count=COUNT):
    """Mutants of all code that is proved, each kind of change in turn."""
    image, source, chosen = built(), random.Random(seed), {}
    names, kinds = sorted({*named(), *covered()}), list(FIELDS)
    while len(chosen) < count:
        mutant = one(image, source, names[len(chosen) % len(names)], kinds[len(chosen) % len(kinds)])
        if mutant is not None and mutant.id not in chosen:
            chosen[mutant.id] = mutant
        else:
            source.shuffle(kinds)
    return tuple(chosen.values())


def one(image, source, name, what):
    """A change of this kind somewhere in a function, if any is found that is an instruction and reads otherwise."""
    symbol = image.functions[name]
    for _ in range(TRIES):
        offset = SIZE * source.randrange(symbol.size // SIZE)
        code = image.read(symbol.address + offset, SIZE)
        new = int.from_bytes(code, "little") ^ (1 << source.choice(FIELDS[what]))
        try:
            old, changed = instruction(code, symbol.address + offset), instruction(new.to_bytes(SIZE, "little"), symbol.address + offset)
        except NotAllowed:
            continue
        if old.text != changed.text and old.mnemonic != "nop":
            return MachineMutant(name, symbol.address + offset, offset, new, what, f"{name}+{offset:#x} `{old.text}` -> `{changed.text}`")
    return None


def verdict(mutant):
    """What the proof of the function says: why it fails, that it still holds, or nothing."""
    image = Image(built().path, [(mutant.address, mutant.new.to_bytes(SIZE, "little"))])
    found = [proof.run() for proof in proofs_of(image, mutant)]
    refuted = next((each for each in found if each.result == "refuted"), None)
    if refuted is not None:
        return f"proof: {' '.join(refuted.reason.split())[:160]}"
    return f"{EQUIVALENT}: proved to do the same" if found and all(each.result == "proved" for each in found) else ""


def proofs_of(image, mutant):
    """The proofs that the changed instruction has a part in, none of which has run yet."""
    if mutant.function in named():
        return [Comparison(image, named()[mutant.function])]
    kept = [kept for kept in CONTRACTS.values() if mutant.function in (kept.function.symbol, *kept.follows)]
    if mutant.function == "vectors":
        kept = [each for each in kept if each.offset == mutant.offset // CONSTANT["VECTOR_SIZE"] * CONSTANT["VECTOR_SIZE"]]
    return [Kept(image, each) for each in kept]
