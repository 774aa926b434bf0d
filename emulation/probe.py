"""How do we ask the processor? QEMU runs cases of one instruction each."""

import os
import struct
import time
from dataclasses import dataclass
from pathlib import Path

from corollary.codegen import build
from corollary.codegen.image import kernel_image
from corollary.emulation.machine import PROCESSOR, Shared, packed, words_of
from corollary.language.layout import encode, size_of
from corollary.spec.kernel import memory_map
from corollary.spec.kernel.state import Kernel

HERE = Path(__file__).with_name("probes")
RAM, COMMAND, CASES, SLOT, WINDOW = 0x40000000, 0x50000000, 0x50001000, 0x41000000, 0x41001000
MIDDLE = SLOT + 128  # where the instruction is
WORDS = 32  # of the window
REACH = 31  # words of the slot on either side
LANES, LANE = 32, 16  # vector registers, and bytes of each
IN = struct.Struct(f"<I4xQQ31Q{8 * WORDS}s{LANES * LANE}s")
OUT = struct.Struct(f"<QQ31Q{8 * WORDS}sQQ8x{LANES * LANE}s")
GENERAL, VECTORS = (*(f"x{number}" for number in range(31)), "sp"), tuple(f"q{number}" for number in range(LANES))
BREAKPOINT = 0x3C  # exception class of BRK
BATCH = 4096
KERNEL = next(region.start for region in memory_map.REGIONS if region.name == "kernel")
GIVEN, LEFT, PROGRAM, STACK, OBJECTS, ROOM = 0x50001000, 0x50002000, 0x50003000, 0x50100000, 0x50200000, 1 << 16
CALLEE_SAVED = tuple(0x1111_1111_1111_1111 * number for number in range(1, 12))  # what x19 .. x29 hold before a call
SIXTEEN = 16  # registers of a program at EL2
PATIENCE = 60  # s of the host's time for a batch
SILENT = ("-display", "none", "-serial", "none", "-monitor", "none")


@dataclass(frozen=True)
class State:
    """What an instruction finds or leaves.

    These are 31 registers, the stack pointer, N Z C V as bits 31 .. 28, the window, and 32 vector registers.
    """

    general: tuple
    stack: int
    flags: int
    window: bytes
    vectors: tuple

    @property
    def registers(self):
        """The contents of each register, by its name."""
        return dict(zip((*GENERAL, *VECTORS), (*self.general, self.stack, *self.vectors)))

    @classmethod
    def of(cls, registers, flags, window):
        """Return the state in which the registers hold this."""
        general = [registers[name] for name in GENERAL]
        return cls(tuple(general[:-1]), general[-1], flags, window, tuple(registers[name] for name in VECTORS))


@dataclass(frozen=True)
class Outcome:
    """The outcome of a case: the state, where control went, and the class of the exception that ended it."""

    state: State
    went: int
    why: int

    @property
    def parts(self):
        """All its parts, by name."""
        return self.state.registers | {
            "flags": self.state.flags,
            "window": self.state.window,
            "pc": self.went,
            "exception class": self.why,
        }


def image(source, more=(), script="probe.ld", folder=build.BUILD / "probe"):
    """Link an assembly file of the probes with a linker script; return the path of the image.

    `more` is what more the compiler is given.
    """
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / f"{source}.elf"
    new = target.with_suffix(f".{os.getpid()}")
    build.run(
        [
            *build.compiler(),
            "-target",
            "aarch64-freestanding-none",
            "-mcpu=cortex_a72",
            "-nostdlib",
            "-static",
            "-Wl,--build-id=none",
            "-Wl,-e,start",
            f"-Wl,-T,{HERE / script}",
            *more,
            "-o",
            str(new),
            str(HERE / f"{source}.S"),
        ]
    )
    new.replace(target)
    return target


class Machine(Shared):
    """A processor that takes commands through its memory."""

    source, options, more = "", "", ()

    def __enter__(self):
        machine = ("-M", f"virt,gic-version=3{self.options}", *PROCESSOR, *SILENT)
        return self.launch(machine, image(self.source, self.more))

    def write(self, address, data):
        """Put bytes into memory."""
        self.memory[address - RAM : address - RAM + len(data)] = data

    def read(self, address, size):
        """Return bytes of memory."""
        return self.memory[address - RAM : address - RAM + size]

    def command(self, number):
        """Give the command and wait until it is done."""
        self.write(COMMAND, struct.pack("<Q", number))
        deadline = time.monotonic() + PATIENCE
        while any(self.read(COMMAND, 8)):
            if time.monotonic() > deadline or self.process.poll() is not None:
                raise RuntimeError("the probe does not answer")
            time.sleep(0.001)


class Probe(Machine):
    """A processor that runs cases, each `(instruction, State)`."""

    source = "probe"

    def run(self, cases):
        """Return the outcomes of some cases, in order."""
        return [
            outcome for first in range(0, len(cases), BATCH) for outcome in self.batch(cases[first : first + BATCH])
        ]

    def batch(self, cases):
        size = IN.size + OUT.size
        for number, (code, state) in enumerate(cases):
            vectors = b"".join(word.to_bytes(LANE, "little") for word in state.vectors)
            self.write(
                CASES + number * size, IN.pack(code, state.flags, state.stack, *state.general, state.window, vectors)
            )
        self.command(len(cases))
        return [self.outcome(CASES + number * size + IN.size) for number in range(len(cases))]

    def outcome(self, at):
        flags, stack, *general, window, went, why, lanes = OUT.unpack(self.read(at, OUT.size))
        vectors = (int.from_bytes(lanes[first : first + LANE], "little") for first in range(0, len(lanes), LANE))
        return Outcome(State(tuple(general), stack, flags, window, tuple(vectors)), went, why >> 26)


@dataclass(frozen=True)
class Left:
    """What a function left: an exception or 0, the stack pointer, its result, x19 .. x29, and its objects."""

    exception: int
    stack: int
    result: int
    saved: tuple
    objects: dict


class Caller(Machine):
    """A processor that runs one function of an image, on a state of arguments and objects."""

    source = "call"

    def call(self, image, function, state):
        """Call the function and return what it leaves; its parameters for objects get pointers to them."""
        for base, content, _ in image.sections:
            self.write(base, bytes(content))
        places = {
            name: OBJECTS + number * ROOM if not isinstance(record, Kernel) else KERNEL
            for number, (name, record) in enumerate(state.objects.items())
        }
        types = {item.name: item.type for item in function.parameters}
        for name, record in state.objects.items():
            self.write(places[name], encode(record, types[name]))
        arguments = [
            places[item.name] if item.name in places else state.words[item.name] for item in function.parameters
        ]
        self.write(
            GIVEN,
            packed(
                image.functions[function.symbol].address, STACK, *arguments, *[0] * (8 - len(arguments)), *CALLEE_SAVED
            ),
        )
        self.command(1)
        exception, stack, result, *saved = words_of(self.read(LEFT, 8 * (3 + len(CALLEE_SAVED))))
        return Left(
            exception,
            stack,
            result,
            tuple(saved),
            {name: self.read(places[name], size_of(types[name])) for name in places},
        )


class Walker(Machine):
    """A processor that translates addresses."""

    source, options = "walk", ",virtualization=on"

    def walk(self, vttbr, vtcr, hcr, addresses):
        """Return PAR_EL1 after AT S12E1R and after AT S12E1W, for each address."""
        self.write(COMMAND + 8, struct.pack("<QQQ", vttbr, vtcr, hcr))
        for number, address in enumerate(addresses):
            self.write(CASES + 24 * number, struct.pack("<Q", address))
        self.command(len(addresses))
        return [struct.unpack("<QQ", self.read(CASES + 24 * number + 8, 16)) for number in range(len(addresses))]


class Reacher(Machine):
    """A processor that translates its own addresses by the kernel's tables in memory; the kernel does not run."""

    RETURN = struct.pack("<I", 0xD65F03C0)

    def __enter__(self):
        beside = ("-device", f"loader,file={image('regime', script='regime.ld')},cpu-num=0")
        return self.launch(("-M", "virt,gic-version=3,virtualization=on", *PROCESSOR, *SILENT, *beside), kernel_image())

    def reach(self, regime, addresses):
        """Return three registers for each `(address, whether to call it)`.

        They are PAR_EL1 after AT S1E2R, PAR_EL1 after AT S1E2W, and ESR_EL2 of the call.
        """
        self.write(COMMAND + 8, struct.pack("<QQQQ", regime.ttbr, regime.tcr, regime.mair, regime.sctlr))
        for number, (address, calls) in enumerate(addresses):
            self.write(CASES + 40 * number, struct.pack("<QQ", address, calls))
        self.command(len(addresses))
        return [struct.unpack("<QQQ", self.read(CASES + 40 * number + 16, 24)) for number in range(len(addresses))]


@dataclass(frozen=True)
class Stopped:
    """The exception that ended a program: ESR_EL2, ELR_EL2, SPSR_EL2, FAR_EL2; all 0 if none did."""

    syndrome: int
    at: int
    status: int
    address: int


class System(Machine):
    """A processor that runs a program at EL2 on x0 .. x15."""

    source, options = "system", ",virtualization=on"

    def go(self, codes, *given):
        """Run a program of instructions that ends in RET; return `(Stopped, x0 .. x15)`."""
        self.write(PROGRAM, struct.pack(f"<{len(codes)}I", *codes))
        self.write(GIVEN, packed(*given, *[0] * (SIXTEEN - len(given))))
        self.command(1)
        syndrome, at, status, address, *general = words_of(self.read(LEFT, 8 * (4 + SIXTEEN)))
        return Stopped(syndrome, at, status, address), general
