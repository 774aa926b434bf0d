"""What does the assembly of a context switch do to the registers?

This is a reader of the few instructions that it consists of.
"""

import re

REGISTER = re.compile(r"^(x\d+|q\d+|sp)$")
PLACE = re.compile(r"\[(\w+)(?:, #(\w+))?\]")


class Core:
    """A core's registers (general, vector and system alike), and the memory that holds contexts."""

    def __init__(self, constants, registers, memory=None):
        self.constants, self.registers, self.memory = constants, dict(registers), memory if memory is not None else {}
        self.returned = False

    def run(self, lines):
        """Execute lines until an exception return or a branch away."""
        for line in lines:
            text = line.split("/*")[0].strip()
            if not text:
                continue
            name, _, rest = text.partition(" ")
            if name in ("b", "bl"):
                return self
            if name == "eret":
                self.returned = True
                return self
            getattr(self, f"do_{name}")(rest)
        return self

    def width(self, register):
        return 16 if register.startswith("q") else 8

    def address(self, rest):
        base, offset = PLACE.search(rest).groups()
        if base not in self.registers:
            raise KeyError(f"{base} holds no address any more")
        return self.registers[base] + (self.constants[offset] if offset in self.constants else int(offset or 0, 0))

    def names(self, rest):
        return [part.strip() for part in rest.split("[")[0].split(",") if part.strip()]

    def do_stp(self, rest):
        at = self.address(rest)
        for register in self.names(rest):
            self.memory[at] = self.registers[register]
            at += self.width(register)

    def do_ldp(self, rest):
        at = self.address(rest)
        for register in self.names(rest):
            self.registers[register] = self.memory[at]
            at += self.width(register)

    do_str = do_stp

    def do_ldr(self, rest):
        if "=" in rest:
            name, _, constant = rest.partition(",")
            self.registers[name.strip()] = self.constants.get(constant.strip().lstrip("="), 0)
        else:
            self.do_ldp(rest)

    def do_mrs(self, rest):
        target, source = (part.strip() for part in rest.split(","))
        self.registers[target] = self.registers[source]

    def do_msr(self, rest):
        target, source = (part.strip() for part in rest.split(","))
        self.registers[target] = self.registers[source]

    def do_mov(self, rest):
        target, source = (part.strip() for part in rest.split(","))
        self.registers[target] = (
            self.registers[source] if source in self.registers else self.constants.get(source.lstrip("#"), 0)
        )

    def do_permitted(self, rest):
        target, scratch = (part.strip() for part in rest.split(","))
        kept = self.registers[target] & self.constants["SPSR_KEPT"]
        self.registers[scratch] = (kept >> 2) | ~1
        self.registers[target] = kept & self.registers[scratch]

    def do_dsb(self, rest):
        """Do nothing: a barrier orders accesses and changes no state."""

    do_isb = do_dsb


def routine(text, name):
    """Return the lines of one routine."""
    return re.search(rf"^BEGIN {name}\n(.*?)^END {name}", text, re.MULTILINE | re.DOTALL).group(1).splitlines()


def numbers_in(header):
    """Return the constants of a generated header."""
    return {
        name: int(value, 0)
        for name, value in re.findall(r"^#define (\w+)\s+U\((0x[0-9a-f]+|\d+)\)", header, re.MULTILINE)
    }
