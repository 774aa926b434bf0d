"""What does a stack frame hold, and which part of the stack is a function's own?

Words lie at offsets from the stack pointer at the entry: offset -> (bytes, word).
"""

from typing import Any

from corollary.proofs.machine import alignment, convention, words
from corollary.proofs.machine.convention import SP, STACK_ALIGNMENT
from corollary.proofs.machine.lift import SIZE, NotAllowed
from corollary.proofs.machine.memory import BYTE, linear, multiple
from corollary.proofs.machine.processor import Core

STACK = "stack"


def put(stack, offset, size, value):
    """Store a word over whatever it covers."""
    for old in range(offset - 15, offset + size):
        if old in stack:
            length, word = stack[old]
            if old + length <= offset:
                continue
            del stack[old]
            for number in range(length):
                if not offset <= old + number < offset + size:
                    stack[old + number] = (1, words.extract(word, BYTE * number, BYTE, BYTE * length))
    stack[offset] = (size, value)


def get(stack, offset, size, anything):
    """Load a word; bytes that were never stored are unknown."""
    if offset in stack and stack[offset][0] == size:
        return stack[offset][1]
    parts, at = [], offset
    while at < offset + size:
        start = next(
            (start for start in range(at, at - 16, -1) if start in stack and start + stack[start][0] > at), None
        )
        if start is None:
            stack[at] = (1, anything("uninitialized", BYTE))
            start = at
        length, word = stack[start]
        taken = min(start + length, offset + size) - at
        parts.append((words.extract(word, BYTE * (at - start), BYTE * taken, BYTE * length), BYTE * taken))
        at += taken
    return words.concat(parts)


class Framed(Core):
    """Runs code that has a stack, and checks its `convention` and the `regime` of alignment where it runs.

    Subclasses provide `image`, `entry` (name of a register -> what it held) and `multiples`. The last maps the id of a
    word to a number of bytes; the code's callers make the word a multiple of that number. A subclass's `base` says
    what an address is relative to.
    """

    image: Any
    entry: Any
    multiples: Any
    convention: Any
    regime: Any
    base: Any

    def aligned_at_entry(self):
        """Return what is known of the alignment of words at the entry."""
        return {self.entry[SP].get_id(): STACK_ALIGNMENT} if self.convention.stack else {}

    def run(self, thread, code):
        """Run one instruction."""
        self.access = alignment.access(int.from_bytes(self.image.read(thread.pc, SIZE), "little"))
        self.before = self.depth(thread)
        if self.access is not None and self.access.on_stack and self.regime.stack:
            self.aligned(thread, thread.registers.named(SP), STACK_ALIGNMENT, SP)
        return super().run(thread, code)

    def accessed(self, thread, address, size):
        """Check an access of `size` bytes at once: they must be aligned."""
        if self.access is None or self.access.size != size:
            raise NotAllowed(f"{thread.pc:#x}: {size} bytes are accessed, nobody knows how aligned")
        if self.regime.accesses:
            self.aligned(thread, address, self.access.alignment, "an address")

    def aligned(self, thread, address, size, what):
        """Oblige an address to be a multiple of `size` bytes."""
        thread.oblige(multiple(linear(address), size, self.multiples), f"{what} is a multiple of {size}")

    def depth(self, thread):
        """Return the stack pointer, counted from the entry; None if it is not on the code's own stack."""
        root, offset, _ = self.base(thread, linear(thread.registers.named(SP)))
        return offset if root is STACK else None

    def own(self, thread, offset, size, given=0):
        """Check that bytes of the stack are the code's own.

        They lie in its frame, or among the `given` ones above it that hold arguments. Raises `NotAllowed` if not.
        """
        if offset + size > 0 and not 0 <= offset <= given - size:
            raise NotAllowed(f"{thread.pc:#x}: {size} bytes at {offset:#x} of the stack reach into the caller's frame")
        both = self.before, self.depth(thread)  # a push or a pop has moved SP already
        depths = [depth for depth in both if depth is not None]
        if not depths or offset < min(depths):
            raise NotAllowed(f"{thread.pc:#x}: {size} bytes at {offset:#x} of the stack lie below the stack pointer")

    def abandon(self, thread):
        """Forget what lies below the stack pointer: a callee may use it."""
        offset = self.depth(thread)
        if offset is None or offset > 0:
            raise NotAllowed(f"{thread.pc:#x}: the stack pointer is {thread.registers.named(SP)}")
        thread.deepest = max(thread.deepest, -offset)
        for start in [start for start in thread.stack if start < offset]:
            del thread.stack[start]

    def obey(self, thread, way, target=None):
        """Oblige the path to meet the convention where code is left this way."""
        registers = self.entry, thread.registers.named
        demands = convention.demands(way, self.convention, *registers, self.multiples, target, thread.pc + SIZE)
        for condition, what in demands:
            thread.oblige(condition, what)
