"""What do the bytes of an image do? Unicorn's Cortex-A72 runs them, with system registers and devices as tables.

Unicorn has no EL2. Code runs at its EL1, whose flags, loads, stores and branches are the same. Every access to a
system register and every maintenance instruction is intercepted, applied to `registers` and recorded in `events`.
There are no stage 1, no alignment checks and no caches: barriers do nothing that can be seen here.
"""

import ctypes
import mmap
from dataclasses import dataclass
from pathlib import Path

from capstone import CS_ARCH_ARM64, CS_MODE_ARM, Cs
from elftools.elf.constants import SH_FLAGS
from elftools.elf.elffile import ELFFile
from unicorn import UC_ARCH_ARM64, UC_HOOK_CODE, UC_HOOK_INSN, UC_HOOK_INTR, UC_HOOK_MEM_WRITE, UC_MODE_ARM
from unicorn import arm64_const as arm64
from unicorn.unicorn import Uc, UcError
from unicorn.unicorn_const import UC_PROT_ALL, UC_PROT_EXEC, UC_PROT_READ, UC_PROT_WRITE

from corollary.codegen.image import section
from corollary.spec.kernel.memory_map import REGIONS, Region

WORD = 8
INSTRUCTION = 4
GENERAL = (*range(arm64.UC_ARM64_REG_X0, arm64.UC_ARM64_REG_X28 + 1), arm64.UC_ARM64_REG_X29, arm64.UC_ARM64_REG_X30)
VECTORS = tuple(range(arm64.UC_ARM64_REG_Q0, arm64.UC_ARM64_REG_Q31 + 1))
ZERO_REGISTER = arm64.UC_ARM64_REG_XZR
ACCESS = {"code": UC_PROT_READ | UC_PROT_EXEC, "constant": UC_PROT_READ, "data": UC_PROT_READ | UC_PROT_WRITE}
FLAGS_OF_A_CALL = 0x3C5  # EL1h, all masked: the kernel runs there in place of EL2h
FULL_VECTORS = 3 << 20  # CPACR_EL1.FPEN: Unicorn's own, for the vector registers of partitions
BACK = 0x1000  # an address outside the image: where a call returns to
ONWARD = 0x1100  # another one: where a handler's jump to the next one goes
SCRATCH, ROOM = 0x10_0000, 0x20_0000  # memory outside the image: for what is passed by its address
WFI = (0xD503207F).to_bytes(INSTRUCTION, "little")
WAITING = ("WFI", 0)  # an event
SYSTEM = ("mrs", "msr", "sys", "sysl", "tlbi", "ic", "dc", "at")


class Astray(Exception):
    """The code did something that no code of the kernel does; the message says what, and where."""


@dataclass(frozen=True)
class Program:
    """The contents of an ELF file: the bytes of its sections, its symbols, and the system registers that it names."""

    sections: tuple  # (address, bytes)
    symbols: dict  # name: (address, size)
    names: dict  # (op0, op1, crn, crm, op2): name
    returns: tuple  # addresses of `eret`


def program(path):
    """Read an ELF file; a word that is not an instruction names no register, even if it looks like one."""
    with Path(path).open("rb") as file:
        elf = ELFFile(file)
        loaded = [section for section in elf.iter_sections() if section["sh_flags"] & SH_FLAGS.SHF_ALLOC]
        sections = tuple(
            (section["sh_addr"], section.data()) for section in loaded if section["sh_type"] != "SHT_NOBITS"
        )
        code = [
            (section["sh_addr"], section.data()) for section in loaded if section["sh_flags"] & SH_FLAGS.SHF_EXECINSTR
        ]
        table = section(elf, ".symtab")
        symbols = {
            symbol.name: (symbol["st_value"], symbol["st_size"]) for symbol in table.iter_symbols() if symbol.name
        }
    names, returns = {}, []
    for address, data in code:
        for offset in range(0, len(data), INSTRUCTION):
            word = int.from_bytes(data[offset : offset + INSTRUCTION], "little")
            if word == 0xD69F03E0:
                returns.append(address + offset)
            elif word >> 22 == 0b1101010100:
                names |= named(word, data[offset : offset + INSTRUCTION])
    return Program(sections, symbols, names, tuple(returns))


def named(word, code):
    """Return `{encoding: name}` of the system register or maintenance that an instruction is about, if any."""
    for read in Cs(CS_ARCH_ARM64, CS_MODE_ARM).disasm(code, 0):
        operands = [part.strip() for part in read.op_str.upper().split(",")]
        encoding = (word >> 19 & 3, word >> 16 & 7, word >> 12 & 15, word >> 8 & 15, word >> 5 & 7)
        if read.mnemonic in ("mrs", "msr"):
            return {encoding: operands[1 if read.mnemonic == "mrs" else 0]}
        if read.mnemonic in SYSTEM:
            return {encoding: f"{read.mnemonic.upper()} {operands[0]}"}
    return {}


class Processor:
    """One image in memory of its own; `patches` are `(address, bytes)` that replace what the image has there."""

    def __init__(self, program, patches=(), regions=REGIONS):
        self.program, self.registers, self.events, self.written = program, {}, [], []
        self.counted, self.last = 0, None  # instructions, once `count` was called, and where the last one was
        self.held = {}  # what registers of devices were told last, which is what they answer
        self.uc = Uc(UC_ARCH_ARM64, UC_MODE_ARM)
        self.uc.ctl_set_cpu_model(arm64.UC_CPU_ARM64_A72)
        regions = (*regions, Region("scratch", SCRATCH, ROOM, "data", "what is passed by its address"))
        self.at = {region.name: region for region in regions}
        self.memory = {region.name: self.mapped(region) for region in regions if region.kind in ACCESS}
        for region in regions:
            if region.kind == "device":
                self.uc.mmio_map(region.start, region.size, self.device_read, region, self.device_write, region)
        self.uc.mem_map(BACK, 0x1000, UC_PROT_ALL)
        for address, data in (*program.sections, *patches):
            self.put(address, data)
        self.uc.reg_write(arm64.UC_ARM64_REG_CPACR_EL1, FULL_VECTORS)
        self.uc.ctl_exits_enabled(True)
        self.exits = (BACK, ONWARD, *program.returns)
        self.uc.ctl_set_exits(list(self.exits))
        for instruction in (
            arm64.UC_ARM64_INS_MRS,
            arm64.UC_ARM64_INS_MSR,
            arm64.UC_ARM64_INS_SYS,
            arm64.UC_ARM64_INS_SYSL,
        ):
            self.uc.hook_add(
                UC_HOOK_INSN,
                getattr(self, "on_read" if instruction == arm64.UC_ARM64_INS_MRS else "on_write"),
                None,
                1,
                0,
                instruction,
            )
        self.uc.hook_add(UC_HOOK_INTR, self.on_exception)

    def mapped(self, region):
        """Map a region to memory of this process."""
        room = mmap.mmap(-1, region.size)
        address = ctypes.addressof(ctypes.c_char.from_buffer(room))
        self.uc.mem_map_ptr(region.start, region.size, ACCESS[region.kind], address)
        return address, region.size, room

    # ---- memory

    def where(self, address, size):
        """Return the address in this process of some bytes of the machine."""
        for name, (here, length, _) in self.memory.items():
            offset = address - self.at[name].start
            if 0 <= offset and offset + size <= length:
                return here + offset
        raise LookupError(f"there is no memory at {address:#x}")

    def put(self, address, data):
        """Write bytes, even where the code itself may not."""
        ctypes.memmove(self.where(address, len(data)), bytes(data), len(data))

    def get(self, address, size):
        """Read bytes."""
        return ctypes.string_at(self.where(address, size), size)

    def watch(self, *names):
        """From now on, note every store into these regions in `written`, as `(address, size)`."""
        for region in (self.at[name] for name in names):
            self.uc.hook_add(UC_HOOK_MEM_WRITE, self.on_store, None, region.start, region.end - 1)

    def on_store(self, uc, access, address, size, value, data):
        self.written.append((address, size))

    def count(self):
        """From now on, count the instructions that run in `counted`; return the processor."""
        self.uc.hook_add(UC_HOOK_CODE, self.on_instruction)
        return self

    def on_instruction(self, uc, address, size, data):
        self.counted += address != self.last  # one that was intercepted may be told of twice
        self.last = address

    # ---- what Unicorn does not do

    def on_read(self, uc, register, encoding, data):
        name = self.name(encoding)
        if name not in self.registers:
            raise Astray(f"{name} is read")
        if register != ZERO_REGISTER:
            uc.reg_write(register, self.registers[name])
        uc.reg_write(arm64.UC_ARM64_REG_PC, uc.reg_read(arm64.UC_ARM64_REG_PC) + INSTRUCTION)
        return True

    def on_write(self, uc, register, encoding, data):
        name = self.name(encoding)
        value = 0 if register == ZERO_REGISTER else uc.reg_read(register)
        if name in self.registers:
            self.registers[name] = value
        self.events.append((name, value))
        uc.reg_write(arm64.UC_ARM64_REG_PC, uc.reg_read(arm64.UC_ARM64_REG_PC) + INSTRUCTION)
        return True

    def name(self, encoding):
        """Return the name of an encoding, as another disassembler spells it; numbers if the image does not have it."""
        key = (encoding.op0 & 3, encoding.op1, encoding.crn, encoding.crm, encoding.op2)
        return self.program.names.get(key, str(key))

    def on_exception(self, uc, number, data):
        self.events.append(("exception", uc.reg_read(GENERAL[0])))  # says what an SMC asks for
        uc.emu_stop()

    def device_read(self, uc, offset, size, region):
        return self.held.get((region.name, offset), 0)

    def device_write(self, uc, offset, size, value, region):
        self.held[region.name, offset] = value
        self.events.append((f"{region.name}+{offset:#x}", value))

    # ---- running

    def run(self, address, seconds=0):
        """Run from an address until code comes back, is about to return from an exception, stops, or takes too long.

        Return the address where it is then. What it waits for comes at once, but only the first time: code may wait
        for ever.
        """
        here = self.run_on(address, seconds)
        if not self.waits(here):
            return here
        self.events.append(WAITING)
        return self.run_on(here, seconds)

    def run_on(self, address, seconds):
        """Run from an address until something ends it, such as WFI; return the address where it is then."""
        self.uc.reg_write(arm64.UC_ARM64_REG_PC, address)
        try:
            self.uc.emu_start(address, 0, timeout=round(seconds * 1e6))
        except UcError as problem:
            raise Astray(f"{problem} at {self.uc.reg_read(arm64.UC_ARM64_REG_PC):#x}") from None
        return self.uc.reg_read(arm64.UC_ARM64_REG_PC)

    def waits(self, address):
        """Is this an address where WFI ended the run?"""
        return address not in self.exits and self.uc.mem_read(address - INSTRUCTION, INSTRUCTION) == WFI

    def general(self):
        """Return what x0 to x30 hold."""
        return self.uc.reg_read_batch(GENERAL)

    def vectors(self):
        """Return what q0 to q31 hold."""
        return self.uc.reg_read_batch(VECTORS)

    def set(self, registers, values):
        """Give values to registers, by Unicorn's numbers."""
        self.uc.reg_write_batch(list(zip(registers, values)))
