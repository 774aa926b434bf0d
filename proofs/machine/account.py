"""What does each loaded byte belong to? To code, constants or tables that are accounted for, or to padding.

A byte that is in no function and no constant, and is not zero, belongs to nothing. It fails the account wherever it
lies, even after the last instruction of a function.
"""

from collections import Counter
from dataclasses import dataclass

from corollary.codegen.kernel import KERNEL
from corollary.language.reads import remembered_property
from corollary.proofs.machine.contracts import CONTRACTS
from corollary.proofs.machine.lift import SIZE, NotAllowed, instruction
from corollary.proofs.machine.summary import named
from corollary.proofs.machine.system import covered

MODEL, CONTRACT = "functions of the model", "code with a contract"
CONSTANTS, TABLES, PADDING = "constants", "EL2 translation tables", "padding, all zero"
KINDS = (MODEL, CONTRACT, CONSTANTS, TABLES, PADDING)
LEAVES = {"BRANCH", "BRANCHIND", "RETURN"}  # operations after which the next instruction does not follow


@dataclass(frozen=True)
class Part:
    """A range of bytes in the image, and what it is."""

    kind: str
    name: str
    address: int
    size: int

    @property
    def end(self):
        """Return the address just after it."""
        return self.address + self.size


class Unaccounted(Exception):
    """Bytes of the image belong to nothing; the message says which and why."""


class Account:
    """The parts of an image."""

    def __init__(self, image):
        self.image = image

    def run(self):
        """Return all parts in address order. Raises `Unaccounted` when parts overlap or other bytes are left."""
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
        """Return the number of loaded bytes."""
        return sum(len(content) for _, content, _ in self.image.sections)

    def owned(self):
        """Yield the parts that have a symbol."""
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
        """Return what accounts for a function. Raises `Unaccounted` unless exactly one thing does."""
        kinds = [kind for kind, names in ((MODEL, named()), (CONTRACT, covered())) if name in names]
        if len(kinds) != 1:
            raise Unaccounted(f"{name} has {' and '.join(kinds) or 'no proof'}")
        return kinds[0]

    def function(self, symbol):
        """Yield the parts of a function: its reachable instructions, the constants that they load, and zeros."""
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
        """Return the instruction at an address. Raises `Unaccounted` if there is none."""
        try:
            return instruction(self.image.read(address, SIZE), address)
        except (NotAllowed, LookupError) as problem:
            raise Unaccounted(str(problem)) from None

    def reached(self, symbol):
        """Return the addresses of the instructions that some path within a function reaches."""
        contracts = [contract for contract in CONTRACTS.values() if contract.function.symbol == symbol.name]
        seen, pending = set(), [symbol.address, *(contract.symbol(self.image).address for contract in contracts)]
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
        """Yield the address of each 4-byte part of the constant that an instruction loads from a fixed address."""
        for each in self.lifted(address).operations:
            if each.name == "LOAD" and each.inputs[1].space == "const":
                yield from range(each.inputs[1].offset, each.inputs[1].offset + each.output.size, SIZE)

    # ---- constants and padding

    def kind_of_object(self, symbol):
        """Return what accounts for a constant: the proofs of the code that reads it, or the walk of the tables."""
        if self.image.labels["translation_start"] <= symbol.address < self.image.labels["translation_end"]:
            return TABLES
        if symbol.name in self.constant_tables:
            return CONSTANTS
        raise Unaccounted(f"{symbol.name} is no constant of the model")

    @remembered_property
    def constant_tables(self):
        """The names of the model's constants that are stored in memory."""
        return {item.name for item in KERNEL.constants(KERNEL.functions) if item.element is not None}

    def between(self, owned):
        """Yield the bytes between the parts that have a symbol, as padding."""
        taken = {at for part in owned for at in range(part.address, part.end)}
        for base, content, _ in self.image.sections:
            for address in range(base, base + len(content)):
                if address not in taken:
                    yield self.zeros(address, 1, "it lies in no symbol")

    def zeros(self, address, size, why):
        """Return padding. Raises `Unaccounted` if it is not zero."""
        if any(self.image.read(address, size)):
            raise Unaccounted(f"{self.image.read(address, size).hex()} at {address:#x}: {why}")
        return Part(PADDING, "", address, size)


def totals(parts):
    """Return the bytes of each kind, in the order of KINDS, and their total."""
    found = Counter()
    for part in parts:
        found[part.kind] += part.size
    return {"kinds": {kind: found[kind] for kind in KINDS}, "total": sum(found.values())}
