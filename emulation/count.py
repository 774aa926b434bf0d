"""How many instructions does each kernel function take, and each hypercall? QEMU counts them with count.c.

Only what returned is counted. A hypercall is counted for the operation whose function it reached, from the vector to
the exception return, with the bytes of stack that were written to. A function's own instructions, without its callees,
are told apart for the boot, until a guest runs first, and for the hypercalls of each operation.
"""

import re
import statistics
import tempfile
from dataclasses import dataclass
from pathlib import Path

from elftools.elf.elffile import ELFFile

from corollary.codegen import build
from corollary.codegen.image import section
from corollary.language.frontend import translate
from corollary.spec.kernel import memory_map, platform
from corollary.spec.kernel.hypercalls import OPERATIONS

SOURCE = Path(__file__).with_suffix(".c")
KINDS = {
    name: int(bit)
    for name, bit in re.findall(
        r"(\w+) = (\d+)", re.findall(r"Kinds of marks\. \*/\nenum \{(.*)\}", SOURCE.read_text())[0]
    )
}
SIZE = 4  # bytes of an instruction
VECTOR_SIZE = dict(pair[:2] for _, group in platform.CONSTANTS for pair in group)["VECTOR_SIZE"]
LINK, LINK_MASK, REACH = 0x9400_0000, 0xFC00_0000, 26  # BL, and the bits of its offset
ERET = 0xD69F_03E0
FROM_GUESTS = range(8, 12)  # vectors of a lower exception level in AArch64, as Arm ARM D1 numbers them


@dataclass(frozen=True)
class OfFunction:
    """The runs of a function: the most instructions that one took, callees included, and its own during the boot."""

    runs: int
    instructions: int
    boot: int


@dataclass(frozen=True)
class OfOperation:
    """The hypercalls that reached an operation: the instructions of the longest, the bytes of the deepest stack.

    `shares` are each function's own instructions in all of them, by symbol.
    """

    runs: int
    median: int
    instructions: int
    stack: int
    shares: dict


@dataclass(frozen=True)
class Counted:
    """The counts of functions, and of hypercalls by the function of their operation; both by symbol."""

    functions: dict
    operations: dict

    @classmethod
    def of(cls, kept):
        """Rebuild the counts from the result of `asdict`."""
        return cls(
            {symbol: OfFunction(**counts) for symbol, counts in kept["functions"].items()},
            {symbol: OfOperation(**counts) for symbol, counts in kept["operations"].items()},
        )


def operation_symbols():
    """Return the symbol of each operation's function, by the name of the operation."""
    return {declared.name: translate(declared.function).symbol for declared in OPERATIONS}


class Counter:
    """A counter in QEMU for the functions of an image, also when other images beside it call them.

    Give QEMU the `arguments`, then `read`.
    """

    def __init__(self, elf, *beside):
        self.plugin, (self.names, self.marks) = build.shared("count", [SOURCE]), marked(elf, *beside)

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory()
        self.result, noted = Path(self.folder.name) / "result", Path(self.folder.name) / "marks"
        noted.write_text("\n".join(" ".join(f"{number:x}" for number in line) for line in self.marks))
        self.arguments = ("-plugin", f"file={self.plugin},marks={noted},result={self.result}")
        return self

    def __exit__(self, *exception):
        self.folder.cleanup()

    def read(self):
        """Return the counts; they are empty if QEMU did not come to its end."""
        found = {"function": {}, "call": {}, "share": {}}
        for line in self.result.read_text().splitlines() if self.result.exists() else ():
            what, number, *counts = line.split()
            found[what].setdefault(self.names[int(number)], []).append(tuple(map(int, counts)))
        return Counted(
            {name: OfFunction(*counts) for name, [counts] in found["function"].items()},
            {name: self.of_calls(calls, found["share"][name]) for name, calls in found["call"].items()},
        )

    def of_calls(self, calls, shares):
        """Summarise hypercalls, given as their instructions and bytes of stack, and the shares of functions."""
        instructions, stack = zip(*calls)
        own = {self.names[number]: share for number, share in shares}
        return OfOperation(len(calls), statistics.median_low(instructions), max(instructions), max(stack), own)


def text_of(elf):
    """Return the address of an image's instructions, the instructions, and its functions by name."""
    with Path(elf).open("rb") as file:
        parsed = ELFFile(file)
        text = section(parsed, ".text")
        symbols = section(parsed, ".symtab").iter_symbols()
        functions = {each.name: each["st_value"] for each in symbols if each["st_info"]["type"] == "STT_FUNC"}
        return text["sh_addr"], text.data(), functions


def marked(elf, *beside):
    """Return the names of the functions, and what the plugin has to know.

    That is the head, then address, kinds and number of each mark.
    """
    texts = [text_of(path)[:2] for path in (elf, *beside)]
    found, stack = text_of(elf)[2], next(region for region in memory_map.REGIONS if region.name == "stack")
    names = sorted(found)
    last = max(start + len(data) for start, data in texts) + SIZE  # a call may be the last instruction
    return names, [(min(texts)[0], last, stack.start, stack.end, len(names)), *marks_of(found, names, texts)]


def marks_of(found, names, texts):
    """Return address, kinds as bits, and number of the function of each mark."""
    kinds, numbers, at = {}, {}, set(found.values())
    for number, name in enumerate(names):
        add(kinds, found[name], "FUNCTION")
        numbers[found[name]] = number
    for symbol in operation_symbols().values():
        add(kinds, found[symbol], "OPERATION")
    for index in FROM_GUESTS:
        add(kinds, found["vectors"] + index * VECTOR_SIZE, "VECTOR")
    for address, word in words_of(texts):
        if word == ERET:
            add(kinds, address, "EXCEPTION_RETURN")
        if word & LINK_MASK == LINK and target(word, address) in at:
            add(kinds, address, "CALL")
            add(kinds, address + SIZE, "RETURN_POINT")
    return [(address, kind, numbers.get(address, 0)) for address, kind in sorted(kinds.items())]


def words_of(texts):
    """Yield every instruction with its address."""
    for start, data in texts:
        for at in range(0, len(data), SIZE):
            yield start + at, int.from_bytes(data[at : at + SIZE], "little")


def target(word, address):
    """Return the address that a BL goes to."""
    offset = word & ~LINK_MASK
    return address + SIZE * (offset - (offset >> REACH - 1 << REACH))


def add(kinds, address, kind):
    """Mark an instruction as one of a kind, too."""
    kinds[address] = kinds.get(address, 0) | KINDS[kind]
