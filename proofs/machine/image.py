"""What lies where in compiled code? Functions, constants and their bytes, read from an ELF file."""

import hashlib
from bisect import bisect_right
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from elftools.elf.constants import SH_FLAGS
from elftools.elf.elffile import ELFFile

from corollary.codegen.image import section
from corollary.codegen.kernel import KERNEL
from corollary.proofs.machine.lift import SIZE


@dataclass(frozen=True)
class Symbol:
    """A named range of bytes in the image."""

    name: str
    address: int
    size: int

    @property
    def end(self):
        """Return the address just after it."""
        return self.address + self.size


class Image:
    """An ELF file, read once; patched bytes count as its own. Its functions are those of a program of the language."""

    def __init__(self, path, patches=(), program=KERNEL):
        self.path, self.program = Path(path), program
        data = self.path.read_bytes()
        self.sha256 = hashlib.sha256(data).hexdigest()
        with self.path.open("rb") as file:
            elf = ELFFile(file)
            self.sections = [
                (section["sh_addr"], bytearray(section.data()), bool(section["sh_flags"] & SH_FLAGS.SHF_WRITE))
                for section in elf.iter_sections()
                if section["sh_flags"] & SH_FLAGS.SHF_ALLOC and section["sh_type"] != "SHT_NOBITS"
            ]
            symbols = [
                (symbol.name, symbol["st_info"]["type"], symbol["st_value"], symbol["st_size"])
                for symbol in section(elf, ".symtab").iter_symbols()
            ]
        self.functions = {name: Symbol(name, value, size) for name, kind, value, size in symbols if kind == "STT_FUNC"}
        self.objects = sorted(
            (Symbol(name, value, size) for name, kind, value, size in symbols if kind == "STT_OBJECT" and size),
            key=lambda symbol: symbol.address,
        )
        self.labels = {name: value for name, kind, value, size in symbols if name and kind != "STT_FILE"}
        places = {
            (name, value, size)
            for name, kind, value, size in symbols
            if name and kind != "STT_FILE" and not name.startswith("$")
        }
        self.ambiguous = sorted(name for name, count in Counter(name for name, *_ in places).items() if count > 1)
        self.marks = sorted(
            (value, name.startswith("$x")) for name, _, value, _ in symbols if name.startswith(("$x", "$d"))
        )
        self.at = {symbol.address: symbol for symbol in self.functions.values()}
        for address, patch in patches:
            self.patch(address, patch)

    def code(self, symbol):
        """Yield the addresses of the instructions in a range, without the constants in it.

        The mapping symbols $x and $d of the ELF file tell them apart.
        """
        for address in range(symbol.address, symbol.end, SIZE):
            if self.marks[bisect_right(self.marks, address, key=lambda mark: mark[0]) - 1][1]:
                yield address

    def patch(self, address, data):
        """Change bytes, as a compiler's mistake would."""
        base, content, _ = self.section(address, len(data))
        content[address - base : address - base + len(data)] = data

    def section(self, address, size):
        """Return the section that holds some bytes. Raises `LookupError` if none does."""
        for base, content, writable in self.sections:
            if base <= address and address + size <= base + len(content):
                return base, content, writable
        raise LookupError(f"{address:#x} is not in the image")

    def read(self, address, size):
        """Return bytes of the image."""
        base, content, _ = self.section(address, size)
        return bytes(content[address - base : address - base + size])

    def constant(self, address, size):
        """Return bytes that nothing changes while the kernel runs. Raises `LookupError` if they are writable."""
        base, content, writable = self.section(address, size)
        if writable:
            raise LookupError(f"{address:#x} is not read-only")
        return bytes(content[address - base : address - base + size])

    def object(self, address):
        """Return the constant or variable at an address, or None."""
        position = bisect_right(self.objects, address, key=lambda symbol: symbol.address) - 1
        found = self.objects[position] if position >= 0 else None
        return found if found and address < found.end else None
