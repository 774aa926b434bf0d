"""Does a whole exception do what the model says? An emulator and the model run in lockstep, one exception at a time.

Each step runs the bytes of the image from the vector to the exception return. Then the model in Python takes the same
step. Both must agree: on every byte of the state, on what the hardware was told and in which order, on the registers of
the partition that goes on, and on the saved registers of all others.
"""

import ctypes
import struct
from dataclasses import dataclass, replace
from functools import lru_cache

from unicorn import arm64_const as arm64

from corollary.codegen.image import kernel_image
from corollary.emulation.native import MEMORY, MEMORY_EVERY, SIZE, Image, compare
from corollary.emulation.processor import GENERAL, INSTRUCTION, VECTORS, WAITING, Astray, program
from corollary.emulation.traces import Environment, Fault, Hypercall, Preempt, taken
from corollary.language.layout import leaf_at, offset_of
from corollary.language.values import spell
from corollary.model.kernel.boot import GUEST_BASE, boot
from corollary.model.kernel.report import say, tell_end
from corollary.model.kernel.schedule import proceed, wait
from corollary.spec.kernel import platform
from corollary.spec.kernel.hardware import POOL_BASE, Vttbr, page_address, vttbr
from corollary.spec.kernel.limits import QUEUE_SIZE, ROOT
from corollary.spec.kernel.memory_map import PAGE, REGIONS
from corollary.spec.kernel.message import Message
from corollary.spec.kernel.schedule import dozes
from corollary.spec.kernel.state import Kernel, Queue
from corollary.spec.kernel.vocabulary import DeviceKind

CONSTANT = {name: value for _, group in platform.CONSTANTS for name, value, _ in group}
SYSTEM = tuple(register.name for pair in platform.saved_registers()[1] for register in pair)
CONTEXT = struct.Struct(f"<{platform.Context.layout.size // 8}Q")
WORD, VECTOR = 64, 128  # bits of registers
MASK = (1 << WORD) - 1
STACK = next(region for region in REGIONS if region.name == "stack")
UNITS_START = next(region for region in REGIONS if region.name == "units").start
TICK = CONSTANT["TICK_NS"]
SYNCHRONOUS, IRQ = 8, 9  # the vectors of AArch64 below EL2
SPURIOUS = 1023
ABORTS = (CONSTANT["EC_INSTRUCTION_ABORT"], CONSTANT["EC_DATA_ABORT"])
MODES = (5, 4, 0)  # EL1h, EL1t, EL0t: of AArch64
OFTEN, RARELY, HARDLY_EVER = 0.5, 0.01, 0.0003


def register(d, name, value, half=0):
    """Return the write of a register of a virtio transport."""
    return f"transports+{d * CONSTANT['TRANSPORT_SIZE'] + CONSTANT[f'VIRTIO_{name}'] + 4 * half:#x}", value


def queue_of(kind):
    """Return the number of the queue that a kind of device uses."""
    return CONSTANT["VIRTIO_TRANSMITS"] if kind == DeviceKind.TRANSMITTER else 0


def started(d, kind):
    """Return what a device is told that gets its queue."""
    queue, answer = (POOL_BASE + offset_of(Kernel, (name, d)) for name in ("queue", "answer"))
    places = (("DESCRIPTORS", queue), ("AVAILABLE", queue + Queue.layout["flags"].offset), ("USED", answer))
    return [
        *(register(d, "STATUS", status) for status in (1, 3)),
        *(register(d, *pair) for select in (0, 1) for pair in (("FEATURES_SELECT", select), ("FEATURES", select))),
        register(d, "STATUS", 11),
        register(d, "QUEUE_SELECT", queue_of(kind)),
        register(d, "QUEUE_SIZE", QUEUE_SIZE),
        *(register(d, name, place >> 32 * half & 0xFFFFFFFF, half) for name, place in places for half in (0, 1)),
        register(d, "QUEUE_READY", 1),
        register(d, "STATUS", 15),
    ]


ORDERS = ("publish", "observe")  # only barriers, which cannot be seen here
TRANSPORT = {
    "reset": lambda d: [register(d, "STATUS", 0)],
    "start": started,
    "notify": lambda d, kind: [register(d, "QUEUE_NOTIFY", queue_of(kind))],
}
"""What a device is told, by the effect of the model."""


class Differs(AssertionError):
    """The image and the model differ; the message says where."""


@lru_cache(maxsize=1)
def shipped():
    """Return the image that ships."""
    return program(kernel_image())


@dataclass(frozen=True)
class Wait:
    """The current partition waits for an event or an interrupt."""


@dataclass(frozen=True)
class Spurious:
    """An interrupt that is no longer there when the kernel asks."""


@dataclass
class Guest:
    """The registers of a partition in the processor, and the translation that it runs under."""

    x: list
    q: list
    system: dict
    vttbr: int = 0

    @classmethod
    def fresh(cls, entry):
        """Return a guest that has not run yet."""
        initial = {register.name: register.value for register in platform.INITIAL}
        return cls([0] * len(GENERAL), [0] * len(VECTORS), dict.fromkeys(SYSTEM, 0) | initial | {"ELR_EL2": entry})

    def encoded(self):
        """Return the bytes of its context."""
        halves = (half for value in self.q for half in (value & MASK, value >> WORD))
        return CONTEXT.pack(*self.x, self.vttbr, *(self.system[name] for name in SYSTEM), *halves)

    def differs(self, processor):
        """Return, in words, the first register that is not the partition's when it goes on; None if there is none."""
        names = (
            *(f"x{number}" for number in range(len(self.x))),
            *(f"q{number}" for number in range(len(self.q))),
            *SYSTEM,
        )
        system = self.system | {"SPSR_EL2": permitted(self.system["SPSR_EL2"])}
        wanted = (*self.x, *self.q, *(system[name] for name in SYSTEM))
        found = (*processor.general(), *processor.vectors(), *(processor.registers[name] for name in SYSTEM))
        return next(
            (
                f"{name} is {value:#x}, not {other:#x}"
                for name, value, other in zip(names, found, wanted)
                if value != other
            ),
            None,
        )


def permitted(spsr):
    """Return the SPSR with which the kernel lets a partition go on: EL1 or EL0, in AArch64."""
    kept = spsr & platform.SPSR_KEPT.value
    return kept & ~1 | kept >> 2 & kept & 1


class Lockstep:
    """A kernel in Unicorn and its model, after the same boot.

    `random` makes what guests leave in their registers. `told` receives what the model tells hardware (`ears`).
    """

    def __init__(self, information, random, processor, told):
        self.random, self.model, self.told, self.taken, self.over = random, Kernel(), told, 0, False
        self.charged = self.waited = (
            0  # what the trap handler keeps: whose slice runs, and who waited first, counted from 1
        )
        self.processor = processor
        self.place = {name: address for name, (address, _) in self.processor.program.symbols.items()}
        self.platform = bytearray(self.place["bss_end"] - self.place["bss_start"])
        self.guests = {}
        boot(self.model, information)
        self.image = Image(self.model)
        self.state = self.processor.where(POOL_BASE, SIZE)
        ctypes.memmove(self.state, self.image.data, SIZE)
        self.processor.registers |= {name: 0 for name in self.processor.program.names.values() if " " not in name}
        self.first()

    def first(self):
        """Let the first partition go on, as after boot."""
        self.effects([("reset_context", ROOT, GUEST_BASE)])
        self.processor.put(self.place["bss_start"], self.platform)
        self.processor.set((arm64.UC_ARM64_REG_SP, arm64.UC_ARM64_REG_X30), (STACK.end, self.place["restore_context"]))
        self.leaves(self.place["resume"], self.going_on())
        self.compare("boot", whole=True)

    # ---- what is expected

    def effects(self, told):
        """Return what the processor must be told when the model tells hardware this; contexts change at once."""
        events, running = [], self.processor.registers["VTTBR_EL2"]
        for name, *values in told:
            if name == "put":
                events.append(("uart+0x0", values[0]))
            elif name == "reset_context":
                self.guests[values[0]] = Guest.fresh(values[1])
                self.put_context(values[0])
            elif name in ORDERS:
                continue
            elif name in TRANSPORT:
                events += TRANSPORT[name](*values)
            elif name == "synchronize_instructions":
                start, line = page_address(values[0]), CONSTANT["CACHE_LINE"]
                events += [("DC CVAU", address) for address in range(start, start + PAGE, line)] + [("IC IALLUIS", 0)]
            elif name == "clear_part":
                size = 1 << CONSTANT["UNIT_PART_SHIFT"]
                start = UNITS_START + (values[0] << CONSTANT["UNIT_SHIFT"]) + values[1] * size
                events += [("DC ZVA", address) for address in range(start, start + size, CONSTANT["CACHE_LINE"])]
            else:
                base = (
                    values[1] if name in ("flush_translation", "flush_unit") else values[0] << Vttbr.parts["vmid"].low
                )
                events += [("VTTBR_EL2", base), ("TLBI VMALLS12E1IS", 0), ("VTTBR_EL2", running)]
        return events

    def charge(self):
        """Start a slice; return what the processor must be told."""
        self.charged = self.model.current + 1
        self.put_platform(self.place["charged"], struct.pack("<I", self.charged))
        ticks = self.model.partition[self.model.current].share * CONSTANT["SHARE_TICKS"]
        return [("CNTHP_TVAL_EL2", ticks), ("CNTHP_CTL_EL2", CONSTANT["CNTHP_ENABLE"])]

    def wait(self, guest):
        """Let a partition wait; return what the processor must be told.

        The processor must wait, too, when all partitions that can run have waited in turn.
        """
        whole_round = self.waited == self.model.current + 1
        self.waited = self.waited or self.model.current + 1
        guest.system["ELR_EL2"] = guest.system["ELR_EL2"] + INSTRUCTION & MASK
        wait(self.model)
        return [WAITING] if whole_round else []

    def going_on(self):
        """Let the current partition go on; return what the processor must be told.

        While nobody can run, the processor waits. If nobody ever will, the machine switches off.
        """
        if self.model.idle and not dozes(self.model):
            self.told.clear()
            tell_end(self.model)
            say(Message.NOBODY)
            self.over = True
            return [*self.effects(self.told), ("exception", CONSTANT["PSCI_SYSTEM_OFF"])]
        events = self.charge() if self.model.current + 1 != self.charged else []
        guest = self.guests[self.model.current]
        guest.vttbr = vttbr(self.model, self.model.current)
        self.put_context(self.model.current)
        return [*([WAITING] if self.model.idle else []), *events, ("VTTBR_EL2", guest.vttbr)]

    def starting_again(self):
        """Start again after a fault of root; return what the machine must be told."""
        self.told.clear()
        say(Message.ROOT_FAULTED)
        self.over = True
        return [*self.effects(self.told), ("exception", CONSTANT["PSCI_SYSTEM_RESET"])]

    def put_context(self, p):
        """Set what memory holds of the registers of a partition."""
        self.put_platform(self.place["contexts"] + p * CONTEXT.size, self.guests[p].encoded())

    def put_platform(self, address, data):
        """Set what memory holds outside the state of the model."""
        offset = address - self.place["bss_start"]
        self.platform[offset : offset + len(data)] = data

    # ---- steps

    def step(self, step):
        """Take a step on both sides and compare its whole outcome.

        Return the step, as it could happen here, and its status.
        """
        self.taken += 1
        if isinstance(step, Environment):
            return step, self.change(step)
        guest = self.guests[self.model.current]
        self.live(guest)
        step, address, syndrome = self.possible(step, guest)
        registers = {
            "ESR_EL2": syndrome,
            "FAR_EL2": getattr(step, "address", 0),
            "ISR_EL1": CONSTANT["ISR_INTERRUPT"],
            "CNTPCT_EL0": getattr(step, "now", 0) // TICK,
            "ICC_IAR1_EL1": SPURIOUS if isinstance(step, Spurious) else CONSTANT["TIMER_INTERRUPT"],
        }
        self.processor.registers |= registers | guest.system
        self.processor.set((*GENERAL, *VECTORS), (*guest.x, *guest.q))
        events, status = self.modelled(step, guest)
        self.leaves(address, events, f"step {self.taken}, {step}")
        self.compare(f"step {self.taken}, {step}", whole=self.taken % MEMORY_EVERY == 0 or self.over)
        return step, status

    def change(self, step):
        """Make a change to the kernel's memory that the kernel does not make itself.

        Whoever this wakes waits for the next exception: until then no code of the kernel runs.
        """
        if step.possible(self.model):
            taken(self.model, step)
            self.image.update()
            for offset, data in step.patches():
                self.processor.put(POOL_BASE + offset, data)

    def live(self, guest):
        """Change some registers of a guest, as if it had run."""
        anything = self.random.getrandbits
        for _ in range(3):
            guest.x[self.random.randrange(len(guest.x))] = anything(WORD)
            guest.q[self.random.randrange(len(guest.q))] = anything(VECTOR)
            guest.system[self.random.choice(SYSTEM)] = anything(WORD)
        guest.system["ELR_EL2"] = anything(WORD)
        guest.system["SPSR_EL2"] = anything(WORD) & ~0x1F | self.random.choice(MODES)
        if self.random.random() < (HARDLY_EVER if self.model.current == ROOT else RARELY):  # it ends root
            guest.system["SPSR_EL2"] |= CONSTANT["SPSR_AARCH32"]

    def possible(self, step, guest):
        """Return a step as the processor can report it: `(step, address of its vector, ESR_EL2)`."""
        if hasattr(step, "now"):
            step = replace(step, now=step.now // TICK * TICK)
        syndrome, vector = 0, SYNCHRONOUS
        often = OFTEN if self.waited else RARELY  # or no round of waits would be whole
        if self.model.idle and not isinstance(step, Preempt):  # nothing but an interrupt can happen
            step = Preempt(self.model.time // TICK * TICK)
        if not self.model.idle and self.random.random() < often:
            step, syndrome = Wait(), CONSTANT["EC_WFX"] << CONSTANT["ESR_EC_SHIFT"]
        elif isinstance(step, Hypercall):
            syndrome = CONSTANT["EC_HVC64"] << CONSTANT["ESR_EC_SHIFT"] | self.random.getrandbits(1) << 25
            guest.x[: 1 + len(step.arguments)] = (step.operation, *step.arguments)
        elif isinstance(step, Preempt):
            vector = IRQ
            step = Spurious() if self.random.random() < RARELY else step
        else:
            step, syndrome = self.fault(step, guest)
        if guest.system["SPSR_EL2"] & CONSTANT["SPSR_AARCH32"]:
            step = Fault(
                getattr(step, "now", 0),
                CONSTANT["EC_ILLEGAL_STATE"] << CONSTANT["ESR_EC_SHIFT"],
                guest.system["ELR_EL2"],
            )
        return step, self.place["vectors"] + vector * CONSTANT["VECTOR_SIZE"], syndrome

    def fault(self, step, guest):
        """Return a fault, as its class demands, and its syndrome.

        An abort has an address. WFI and WFE only wait. HVC with another number is no call.
        """
        syndrome = step.syndrome
        class_ = syndrome >> CONSTANT["ESR_EC_SHIFT"] & CONSTANT["ESR_EC_MASK"]
        if class_ == CONSTANT["EC_WFX"]:
            return Wait(), syndrome
        if class_ == CONSTANT["EC_HVC64"]:
            syndrome |= 1
        address = step.address if class_ in ABORTS else guest.system["ELR_EL2"]
        return replace(step, syndrome=syndrome, address=address), syndrome

    def modelled(self, step, guest):
        """Take a step in the model and in what is known of the platform.

        Return what the processor must be told, and the status of a call.
        """
        self.told.clear()
        status, events = None, []
        if isinstance(step, Wait):
            events = self.wait(guest)
        elif not isinstance(step, Spurious):
            self.waited = 0
            call, status = taken(self.model, step)
            if call is not None and status is not None:
                guest.x[: 1 + len(call.result)] = (
                    int(status),
                    *(int(call.result[number]) for number in range(len(call.result))),
                )
        self.put_platform(self.place["waited"], struct.pack("<I", self.waited))
        self.put_context(next(p for p, other in self.guests.items() if other is guest))
        events += self.effects(self.told)
        if isinstance(step, Preempt):
            events += [*self.charge(), ("ICC_EOIR1_EL1", CONSTANT["TIMER_INTERRUPT"])]
        if isinstance(step, Fault) and self.model.current == ROOT:
            return [*events, *self.starting_again()], status
        proceed(self.model)
        return [*events, *self.going_on()], status

    # ---- comparison

    def leaves(self, address, events, where="boot"):
        """Run from an address to the exception return; check what the processor was told, and the registers there."""
        self.processor.events.clear()
        try:
            end = self.processor.run(address)
        except Astray as problem:
            raise Differs(f"{where}: {problem}") from None
        found = [event for event in self.processor.events if event[0] not in SYSTEM]
        if found != events:
            number = next((n for n, (a, b) in enumerate(zip(found, events)) if a != b), min(len(found), len(events)))
            raise Differs(
                f"{where}: hardware is told {found[number : number + 3]} by the image, "
                f"{events[number : number + 3]} by the model, from event {number} on"
            )
        if self.over:
            return
        guest = self.guests[self.model.current]
        different = guest.differs(self.processor)
        if end not in self.processor.program.returns or different:
            raise Differs(f"{where}: {different or f'it ends at {end:#x}'}")

    def compare(self, where, whole=False):
        """Compare memory: everything if `whole`, else all but the page frames, and what the model wrote in them."""
        written = self.image.update()
        ours = ctypes.addressof(self.image.data)
        parts = (
            [(0, SIZE)]
            if whole
            else [(MEMORY, SIZE - MEMORY), *((offset, size) for offset, size in written if offset < MEMORY)]
        )
        for offset, size in parts:
            if compare(ours + offset, self.state + offset, size):
                raise Differs(f"{where}: {self.first_byte(offset, size)}")
        found = self.processor.get(self.place["bss_start"], len(self.platform))
        if found != self.platform:
            offset = next(n for n, (a, b) in enumerate(zip(found, self.platform)) if a != b)
            raise Differs(
                f"{where}: the byte at {self.place['bss_start'] + offset:#x} is {found[offset]:#x}, "
                f"not {self.platform[offset]:#x}"
            )

    def first_byte(self, offset, size):
        """Return the first byte of the state that differs, in words."""
        ours, theirs = (
            ctypes.string_at(start + offset, size) for start in (ctypes.addressof(self.image.data), self.state)
        )
        at = offset + next(n for n, (a, b) in enumerate(zip(ours, theirs)) if a != b)
        return (
            f"{spell(leaf_at(Kernel, at))} is {theirs[at - offset]:#x} in the image, "
            f"{ours[at - offset]:#x} in the model"
        )
