"""What does the processor do that only handlers need?

Vector registers, floating point, and operations that the kernel's own code does not have. The kernel's rules do not
use this module, so nothing here can help to prove the kernel.
"""

from corollary.proofs.machine import floats, instructions, words
from corollary.proofs.machine.lift import Varnode
from corollary.proofs.machine.processor import BYTE, Core, Registers, as_word, general, vectors

BEYOND = {"INT_SDIV": words.divide_signed, "LZCOUNT": words.leading_zeros, "POPCOUNT": words.ones}
"""The p-code operations that the kernel's own code does not have. Their operands are words of one width."""


class Lanes(Registers):
    """The registers of a handler, vector and general: parts may be written one by one and read together."""

    def __init__(self, unknown, pieces=None):
        super().__init__(unknown, general() | vectors(), pieces)

    def fork(self):
        """Return a copy."""
        return Lanes(self.unknown, self.pieces)

    def piece(self, node):
        """Return what was put at an offset, assembled from parts if need be."""
        key = (node.space, node.offset)
        if key not in self.pieces or self.pieces[key][0] >= node.size:
            return super().piece(node)
        parts, taken = [], 0
        while taken < node.size:
            size, value = super().piece(Varnode(node.space, node.offset + taken, 1))
            size = min(size, node.size - taken)
            parts.append(
                (
                    words.extract(
                        as_word(value, self.pieces[node.space, node.offset + taken][0]),
                        0,
                        BYTE * size,
                        BYTE * self.pieces[node.space, node.offset + taken][0],
                    ),
                    BYTE * size,
                )
            )
            taken += size
        return node.size, words.concat(parts)

    def alone(self, node):
        """Cut in two, or three, a piece that begins below and reaches in."""
        for back in range(1, 16):
            size, value = self.pieces.get((node.space, node.offset - back), (0, None))
            if size > back:
                whole = as_word(value, size)
                self.pieces[node.space, node.offset - back] = (back, words.extract(whole, 0, BYTE * back, BYTE * size))
                above = back + node.size
                if size > above:
                    rest = words.extract(whole, BYTE * above, BYTE * (size - above), BYTE * size)
                    self.pieces[node.space, node.offset + node.size] = (size - above, rest)
        for ahead in range(1, node.size):
            self.pieces.pop((node.space, node.offset + ahead), None)


class Wide(Core):
    """Runs one instruction of a handler, whose registers are `Lanes`."""

    uses = frozenset({instructions.GENERAL, instructions.PAIR, instructions.HANDLER})

    def evaluate(self, thread, operation):
        """Return the value of an operation without effect on memory or control."""
        if (
            operation.name not in BEYOND
            and operation.name not in floats.RULES
            and operation.name != floats.FROM_INTEGER
        ):
            return super().evaluate(thread, operation)
        values = [as_word(thread.registers[node], node.size) for node in operation.inputs]
        if operation.name not in BEYOND:
            return floats.evaluate(operation, values)
        width = BYTE * operation.inputs[0].size
        return words.extend(BEYOND[operation.name](*values, width), width, BYTE * operation.output.size)
