"""Do two versions of an image do the same? Both are entered alike, and everything that they leave is compared."""

from dataclasses import dataclass, field

from unicorn import arm64_const as arm64

from corollary.emulation.processor import BACK, GENERAL, VECTORS, Astray, Processor
from corollary.spec.kernel.memory_map import REGIONS

PRESERVED = tuple(range(19, 30))  # of x0 to x30, by the procedure call standard
SECONDS = 10  # after which a mutant counts as running for ever


@dataclass(frozen=True)
class Entry:
    """How code is entered, in all registers, and what matters at each place where it may end.

    That is which of x0 to x30 matter, and how much of x0. Where the code may return from an exception all of them
    matter, and so do the vectors and the system registers.
    """

    address: int
    general: tuple
    sp: int
    vectors: tuple = (0,) * len(VECTORS)
    system: dict = field(default_factory=dict)
    ends: dict = field(default_factory=dict)  # address: (numbers of registers, bits of x0)


def call(result=0):
    """Return the end of a function that comes back, with a result of so many bits."""
    return {BACK: (PRESERVED, result)}


class Pair:
    """The original and a mutant: the same program without and with patches."""

    def __init__(self, program, patches, watched, regions=REGIONS):
        self.sides = tuple(Processor(program, patched, regions) for patched in ((), patches))
        for side in self.sides:
            side.watch(*watched)

    def put(self, address, data):
        """Write bytes on both sides."""
        for side in self.sides:
            side.put(address, data)

    def differs(self, entry):
        """Return, in words, how the sides differ when they are entered this way, or None.

        The memory that they wrote stays changed: the caller puts it back, with `written`.
        """
        ends = [self.left(side, entry) for side in self.sides]
        names = ("end", "events", *(f"x{number}" for number in range(len(GENERAL))), "sp", "q0-q31", "system registers")
        for name, one, other in zip(names, *ends):
            if one != other:
                return f"{name}: {spelled(one)} of the original, {spelled(other)} of the mutant"
        for address, size in self.written():
            one, other = (side.get(address, size) for side in self.sides)
            if one != other:
                return f"memory at {address:#x}: {one.hex()} of the original, {other.hex()} of the mutant"
        return None

    def left(self, side, entry):
        """Return everything that one side leaves, except memory; what does not matter is None."""
        side.events.clear()
        side.written.clear()
        side.registers = dict(entry.system)
        side.set((*GENERAL, arm64.UC_ARM64_REG_SP, *VECTORS), (*entry.general, entry.sp, *entry.vectors))
        try:
            end = side.run(entry.address, SECONDS)
        except Astray as problem:
            return (str(problem), tuple(side.events), *[None] * (len(GENERAL) + 3))
        sp, system = side.uc.reg_read(arm64.UC_ARM64_REG_SP), tuple(sorted(side.registers.items()))
        general = side.general()
        if end in entry.ends:
            kept, bits = entry.ends[end]
            result = general[0] & (1 << bits) - 1
            return (
                end,
                tuple(side.events),
                result,
                *(general[number] if number in kept else None for number in range(1, len(GENERAL))),
                sp,
                None,
                system,
            )
        if end in side.program.returns:
            return (end, tuple(side.events), *general, sp, tuple(side.vectors()), system)
        return (end, tuple(side.events), *[None] * (len(GENERAL) + 3))  # stopped for good: registers do not matter

    def written(self):
        """Return what either side has written, as `(address, size)`."""
        return sorted({*self.sides[0].written, *self.sides[1].written})


def spelled(value):
    """Return a value as text; a number in hexadecimal."""
    return f"{value:#x}" if isinstance(value, int) else str(value)[:160]
