"""To what does each byte that is loaded belong? To code or constants that somebody answers for, or to padding.

What is in no function and no constant and is not zero belongs to nobody: such a byte fails the account, wherever it lies, also
behind the last instruction of a function.
"""

from collections import Counter
from dataclasses import dataclass

from codegen.kernel import KERNEL
from proofs.machine.contracts import CONTRACTS
from proofs.machine.lift import SIZE, NotAllowed, instruction
from proofs.machine.summary import named
from proofs.machine.system import covered

MODEL, CONTRACT = "functions of the model", "code with a contract"
CONSTANTS, TABLES, PADDING = "constants", "EL2 translation tables", "padding, all zero"
KINDS = (MODEL, CONTRACT, CONSTANTS, TABLES, PADDING)
LEAVES = {"BRANCH", "BRANCHIND", "RETURN"}      # operations behind which nothing follows


@dataclass(frozen=True)
class Part:
    """Some bytes of the image and what they are."""

    kind: str
    name: str
    address: int
    size: int

    @property
    def end(self):
        """The address behind it."""
        return self.address + self.size


class Unaccounted(Exception):
    """Bytes of the image belong to nobody; the message says which and why."""


class Account:
    """The parts of an image."""

    def __init__(self, image):
        self.image = image

    def run(self):
        """All parts, in the order of their addresses; Unaccounted when there are others."""
        found = sorted(self.owned(), key=lambda part: part.address)
        for part, following in zip(found, found[1:]):
            if following.address < part.end:
                raise Unaccounted(f"{part.name} and {following.name} share {following.address:#x}")
        whole = [*found, *self.between(found)]
        if sum(part.size for part in whole) != self.loaded:
            raise Unaccounted("something lies outside of what is loaded")
        return sorted(whole, key=lambda part: part.address)

    @property
    def loaded(self):
        """The bytes that are loaded."""
        return sum(len(content) for _, content, _ in self.image.sections)

    def owned(self):
        """The parts that have a symbol."""
        for symbol in self.image.functions.values():
            yield from self.function(symbol)
        for symbol in self.image.objects:
            if self.is_loaded(symbol.address):
                yield Part(self.kind_of_object(symbol), symbol.name, symbol.address, symbol.size)

    def is_loaded(self, address):
        """Is there content at an address?"""
        return any(base <= address < base + len(content) for base, content, _ in self.image.sections)

    # ---- functions

    def kind_of_function(self, name):
        """Who answers for a function."""
        kinds = [kind for kind, names in ((MODEL, named()), (CONTRACT, covered())) if name in names]
        if len(kinds) != 1:
            raise Unaccounted(f"{name} has {' and '.join(kinds) or 'no proof'}")
        return kinds[0]

    def function(self, symbol):
        """The instructions of a function that can be reached in it, the constants that they load, and zeros."""
        kind, reached = self.kind_of_function(symbol.name), self.reached(symbol)
        literals = {at for address in reached for at in self.literal(address) if symbol.address <= at < symbol.end}
        for address in range(symbol.address, symbol.end, SIZE):
            if address in reached:
                yield Part(kind, symbol.name, address, SIZE)
            elif address in literals:
                yield Part(CONSTANTS, symbol.name, address, SIZE)
            else:
                yield self.zeros(address, SIZE, f"no instruction of {symbol.name} leads there and none loads it")

    def lifted(self, address):
        """The instruction at an address; Unaccounted if it is none."""
        try:
            return instruction(self.image.read(address, SIZE), address)
        except (NotAllowed, LookupError) as problem:
            raise Unaccounted(str(problem)) from None

    def reached(self, symbol):
        """The addresses of the instructions of a function that some path within it leads to."""
        contracts = [kept for kept in CONTRACTS.values() if kept.function.symbol == symbol.name]
        seen, pending = set(), [symbol.address, *(kept.symbol(self.image).address for kept in contracts)]
        while pending:
            address = pending.pop()
            if address in seen or not symbol.address <= address < symbol.end:
                continue
            seen.add(address)
            operations = self.lifted(address).operations
            branches = [each.inputs[0] for each in operations if each.name in ("BRANCH", "CBRANCH")]
            pending += [target.offset for target in branches if target.space == "ram"]
            pending += [] if LEAVES & {each.name for each in operations} else [address + SIZE]
        return seen

    def literal(self, address):
        """The addresses, by instruction size, of the constant that an instruction loads from a place that it names."""
        for each in self.lifted(address).operations:
            if each.name == "LOAD" and each.inputs[1].space == "const":
                yield from range(each.inputs[1].offset, each.inputs[1].offset + each.output.size, SIZE)

    # ---- constants and padding

    def kind_of_object(self, symbol):
        """Who answers for a constant: the proofs of what reads it, or the walk of the tables."""
        if self.image.labels["translation_start"] <= symbol.address < self.image.labels["translation_end"]:
            return TABLES
        if symbol.name in {item.name for item in KERNEL.constants(KERNEL.functions) if item.element is not None}:
            return CONSTANTS
        raise Unaccounted(f"{symbol.name} is no constant of the model")

    def between(self, owned):
        """What lies between the parts that have a symbol."""
        taken = {at for part in owned for at in range(part.address, part.end)}
        for base, content, _ in self.image.sections:
            for address in range(base, base + len(content)):
                if address not in taken:
                    yield self.zeros(address, 1, "it lies in no symbol")

    def zeros(self, address, size, why):
        """Padding; Unaccounted if it is not zero."""
        if any(self.image.read(address, size)):
            raise Unaccounted(f"{self.image.read(address, size).hex()} at {address:#x}: {why}")
        return Part(PADDING, "", address, size)


def totals(parts):
    """The bytes of each kind, in the order of KINDS, and of all."""
    found = Counter()
    for part in parts:
        found[part.kind] += part.size
    return {"kinds": {kind: found[kind] for kind in KINDS}, "total": sum(found.values())}
