"""Which mistakes could the machine code contain? A program changes one instruction of a function.

The function belongs to the model, to the platform, or to a handler and what it calls. The proof of the function, or a
contract that runs through it, refutes the mutant or proves it equivalent. A solver that gives up decides nothing.
"""

import random
from dataclasses import dataclass
from functools import cache

from corollary.proofs.machine import called, handlers
from corollary.proofs.machine.contract import ContractComparison
from corollary.proofs.machine.contracts import CONSTANT, CONTRACTS
from corollary.proofs.machine.image import Image
from corollary.proofs.machine.interpreter import CALLED, HANDLER
from corollary.proofs.machine.lift import SIZE, NotAllowed, instruction
from corollary.proofs.machine.obligations import built
from corollary.proofs.machine.refine import Comparison
from corollary.proofs.machine.summary import named
from corollary.proofs.machine.system import covered
from corollary.proofs.mutants.row import EQUIVALENT
from corollary.spec.wasm.internal import OPERATIONS

KIND, COUNT = "machine", 500
HANDLER_KIND, HANDLER_COUNT = "handler", 200
WAY_OUT = "way-out"  # kernel code that is left wrongly: none of these mutants is equivalent
OPERATION = {f"{HANDLER}{operation.name}": operation for operation in OPERATIONS}
"""The operation of each handler."""
RUNNING = sorted([*OPERATION, *CALLED])  # handlers, and what they call
# bits of an instruction that a mistake of each kind may flip
FIELDS = {
    "operand": (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 16, 17, 18, 19, 20),
    "offset": tuple(range(5, 24)),
    "condition": (0, 1, 2, 3, 12, 13, 14, 15, 24),
    "size": (22, 23, 30, 31),
    "opcode": tuple(range(21, 32)),
}
TRIES = 200


@dataclass(frozen=True)
class MachineMutant:
    """A different instruction at an address of a function."""

    kind: str  # of the kernel, or of handlers
    function: str
    address: int
    offset: int  # in the function
    new: int
    what: str
    change: str

    @property
    def id(self):
        """The id, made from the kind, the function, the offset in it and the new instruction."""
        return f"{self.kind}-{self.function}-{self.offset:x}-{self.new:08x}"


@cache
def sample(seed=0, count=COUNT, kind=KIND):
    """Choose mutants of all kernel code that is proved, or of handlers, taking each kind of change in turn."""
    source, chosen, kinds = random.Random(seed), {}, list(FIELDS)
    names = sorted({*named(), *covered()}) if kind == KIND else source.sample(RUNNING, len(RUNNING))
    while len(chosen) < count:
        mutant = one(kind, source, names[len(chosen) % len(names)], kinds[len(chosen) % len(kinds)])
        if mutant is not None and mutant.id not in chosen:
            chosen[mutant.id] = mutant
        else:
            source.shuffle(kinds)
    return tuple(chosen.values())


def image_of(kind):
    """Return the image that mutants of a kind change."""
    return handlers.built() if kind == HANDLER_KIND else built()


def one(kind, source, name, what):
    """Return a random change in a function, or None if no try gives an instruction that reads differently."""
    image = image_of(kind)
    symbol = image.functions[name]
    for _ in range(TRIES):
        offset = SIZE * source.randrange(symbol.size // SIZE)
        code = image.read(symbol.address + offset, SIZE)
        new = int.from_bytes(code, "little") ^ (1 << source.choice(FIELDS[what]))
        try:
            old, changed = (
                instruction(code, symbol.address + offset),
                instruction(new.to_bytes(SIZE, "little"), symbol.address + offset),
            )
        except NotAllowed:
            continue
        if old.text != changed.text and old.mnemonic != "nop":
            return MachineMutant(
                kind,
                name,
                symbol.address + offset,
                offset,
                new,
                what,
                f"{name}+{offset:#x} `{old.text}` -> `{changed.text}`",
            )
    return None


def verdict(mutant):
    """Return what the proof of the function says: why it fails, that it still holds, or an empty string."""
    image = Image(image_of(mutant.kind).path, [(mutant.address, mutant.new.to_bytes(SIZE, "little"))])
    found = [proof.run() for proof in proofs_of(image, mutant)]
    refuted = next((each for each in found if each.result == "refuted"), None)
    if refuted is not None:
        return f"proof: {' '.join(refuted.reason.split())[:160]}"
    same = found and mutant.kind != WAY_OUT and all(each.result == "proved" for each in found)
    return f"{EQUIVALENT}: proved to do the same" if same else ""


def proofs_of(image, mutant):
    """Return the proofs that involve the changed instruction; none of them has run yet."""
    if mutant.function in CALLED:
        return [called.Comparison(image, CALLED[mutant.function])]
    if mutant.kind == HANDLER_KIND:
        return [handlers.Comparison(image, OPERATION[mutant.function])]
    if mutant.function in named():
        return [Comparison(image, named()[mutant.function])]
    contracts = [each for each in CONTRACTS.values() if mutant.function in (each.function.symbol, *each.follows)]
    if mutant.function == "vectors":
        contracts = [
            each
            for each in contracts
            if each.offset == mutant.offset // CONSTANT["VECTOR_SIZE"] * CONSTANT["VECTOR_SIZE"]
        ]
    return [ContractComparison(image, each) for each in contracts]
