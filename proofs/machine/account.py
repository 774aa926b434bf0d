"""To what does each byte that is loaded belong? To code or constants that somebody answers for, or to padding.

What is in no function and no constant, is not zero and is no text that code or a table of texts leads to, belongs to
nobody: such a byte fails the account, wherever it lies, also behind the last instruction of a function.
"""

from collections import Counter
from dataclasses import dataclass

from codegen.kernel import KERNEL
from proofs.machine.contracts import CONTRACTS
from proofs.machine.image import Symbol
from proofs.machine.lift import SIZE, NotAllowed, instruction
from proofs.machine.memory import ADDRESS, BYTE
from proofs.machine.summary import named
from proofs.machine.system import covered

MODEL, CONTRACT, BELIEVED = "functions of the model", "code with a contract", "code that no proof covers"
CONSTANTS, TABLES, TEXTS, PADDING = "constants", "EL2 translation tables", "texts", "padding, all zero"
KINDS = (MODEL, CONTRACT, BELIEVED, CONSTANTS, TABLES, TEXTS, PADDING)
WORD = ADDRESS // BYTE
UNPROVED = {
    "platform/console.c": "print print_decimal print_hexadecimal",
    "platform/measure.c": "measure_begin measure_words measure_end",
    "platform/power_on.c": "power_on",
    "platform/report.c": "hardware_console_send_to_console",
}
"""The functions of the image whose machine code no proof covers, by generated file: the ledger tells of each."""
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
        self.image, self.believed = image, frozenset(name for names in UNPROVED.values() for name in names.split())

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
        answering = ((MODEL, named()), (CONTRACT, covered()), (BELIEVED, self.believed))
        kinds = [kind for kind, names in answering if name in names]
        if len(kinds) != 1:
            raise Unaccounted(f"{name} has {'no proof and no row in the ledger' if not kinds else ' and '.join(kinds)}")
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

    # ---- constants and texts

    def kind_of_object(self, symbol):
        """Who answers for a constant: the proofs of what reads it, the walk of the tables, or people who read texts."""
        if self.image.labels["translation_start"] <= symbol.address < self.image.labels["translation_end"]:
            return TABLES
        if symbol.name in {item.name for item in KERNEL.constants(KERNEL.functions) if item.element is not None}:
            return CONSTANTS
        if all(word == 0 or self.text_at(word) for word in self.words(symbol)):
            return TEXTS
        raise Unaccounted(f"{symbol.name} is no constant of the model and no table of texts")

    def words(self, symbol):
        """The words of a table of addresses; none if it cannot be one."""
        data = self.image.read(symbol.address, symbol.size)
        return [int.from_bytes(data[at:at + WORD], "little") for at in range(0, symbol.size, WORD)]

    def text_at(self, address):
        """The text at an address, among constants and in no symbol: what prints, up to a zero; None where none is."""
        found, last = bytearray(), self.image.labels["rodata_end"]
        if address < self.image.labels["rodata_start"] or self.image.object(address):
            return None
        while address + len(found) < last:
            found += self.image.read(address + len(found), 1)
            if found[-1] == 0:
                return Symbol("a text", address, len(found)) if printable(found[:-1]) else None
        return None

    def texts(self):
        """The texts that tables of texts and instructions lead to."""
        tables = [symbol for symbol in self.image.objects if self.is_loaded(symbol.address) and symbol.size % WORD == 0]
        named_there = {word for symbol in tables for word in self.words(symbol)}
        for address in named_there.union(*map(self.made, self.image.functions.values())):
            found = self.text_at(address)
            if found:
                yield found

    def made(self, symbol):
        """The addresses that the instructions of a function can make of a page and an offset."""
        pages, offsets = set(), {0}
        for address in self.reached(symbol):
            code = self.lifted(address)
            constants = [node.offset for each in code.operations for node in each.inputs if node.space == "const"]
            if code.mnemonic in ("adrp", "adr"):
                pages.update(constants)
            elif code.mnemonic == "add":
                offsets.update(constants)
        return {page + offset for page in pages for offset in offsets}

    def between(self, owned):
        """What lies between the parts that have a symbol: texts, and zeros."""
        texts = {at for text in self.texts() for at in range(text.address, text.end)}
        taken = {at for part in owned for at in range(part.address, part.end)}
        for base, content, _ in self.image.sections:
            for address in range(base, base + len(content)):
                if address in texts and address not in taken:
                    yield Part(TEXTS, "a text", address, 1)
                elif address not in taken:
                    yield self.zeros(address, 1, "it lies in no symbol and in no text that anything leads to")

    def zeros(self, address, size, why):
        """Padding; Unaccounted if it is not zero."""
        if any(self.image.read(address, size)):
            raise Unaccounted(f"{self.image.read(address, size).hex()} at {address:#x}: {why}")
        return Part(PADDING, "", address, size)


def printable(data):
    """Are these bytes characters that print, and ends of lines?"""
    return all(byte == ord("\n") or ord(" ") <= byte <= ord("~") for byte in data)


def totals(parts):
    """The bytes of each kind, in the order of KINDS, and those of each function that no proof covers."""
    found, believed = Counter(), Counter()
    for part in parts:
        found[part.kind] += part.size
        if part.kind == BELIEVED:
            believed[part.name] += part.size
    return {"kinds": {kind: found[kind] for kind in KINDS}, "believed": dict(believed), "total": sum(found.values())}
