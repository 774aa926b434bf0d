"""Which mistakes could the machine code contain? One instruction of a function changed, by program.

Each is refuted by the proof of its function, or proved to do the same; a solver that gives up decides nothing.
"""

import random
from dataclasses import dataclass
from functools import lru_cache

from proofs.machine.image import Image
from proofs.machine.lift import SIZE, NotAllowed, instruction
from proofs.machine.obligations import built
from proofs.machine.refine import Comparison
from proofs.machine.summary import named
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
    """Mutants of all functions, each kind of change in turn."""
    image, source, chosen = built(), random.Random(seed), {}
    names, kinds = sorted(named()), list(FIELDS)
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
    found = Comparison(image, named()[mutant.function]).run()
    if found.result == "proved":
        return f"{EQUIVALENT}: proved to do the same"
    return f"proof: {' '.join(found.reason.split())[:160]}" if found.result == "refuted" else ""
