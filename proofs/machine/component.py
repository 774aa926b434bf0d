"""What may machine code of a component do that the kernel's may not? Count zeros, and have the C library set bytes."""

from corollary.language.layout import size_of
from corollary.proofs.machine import words
from corollary.proofs.machine.beyond import Wide
from corollary.proofs.machine.convention import ARGUMENTS, CALL, FUNCTION, RESULT, TAIL_CALL
from corollary.proofs.machine.execute import FunctionCode
from corollary.proofs.machine.lift import NotAllowed, registers
from corollary.proofs.machine.memory import ADDRESS, BYTE, linear
from corollary.proofs.symbolic import TOP, Executor, Reference

FILL = "memset"


class ComponentCode(Wide, FunctionCode):
    """The machine code of one function of a component, run on all arguments and states.

    It has general registers only, so it cannot have those instructions for handlers that use others.
    """

    def call(self, thread, target, tail=False):
        """Record a call of another function, or set bytes."""
        if self.name(target) == FILL:
            self.fill(thread, TAIL_CALL if tail else CALL)
        else:
            super().call(thread, target, tail)

    def fill(self, thread, way):
        """Do what the function of this name in the C library does.

        Raises `NotAllowed` unless the code says which byte, and how many.
        """
        self.obey(thread, way)
        target, byte, size = map(thread.registers.named, ARGUMENTS[:3])
        if not words.known(byte) or not words.known(size):
            raise NotAllowed(f"{thread.pc:#x}: {FILL} is given what is known only while it runs")
        root, offset, parts = self.base(thread, linear(target))
        whole = self.roots.get(str(root))
        if whole is not None and (byte, offset, parts, size) == (0, 0, [], size_of(whole)):
            Executor(thread.heap).clear(Reference(str(root), (), (), whole), TOP)
        else:
            self.fill_words(thread, target, byte & words.mask(BYTE), size)
        self.abandon(thread)
        thread.registers.drop(FUNCTION.lost)
        thread.registers[registers()[RESULT]] = target

    def fill_words(self, thread, target, byte, size):
        """Store a byte `size` times, in words."""
        for at in range(0, size, BYTE):
            count = min(BYTE, size - at)
            value = int.from_bytes(bytes([byte]) * count, "little")
            self.save(thread, linear(words.add(target, at, ADDRESS)), count, value)
