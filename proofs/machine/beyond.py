"""What does the processor do that only handlers need?

Floating point, and operations that the kernel's own code does not have. The kernel's rules do not
use this module, so nothing here can help to prove the kernel.
"""

from corollary.proofs.machine import floats, instructions, words
from corollary.proofs.machine.processor import BYTE, Core, as_word

BEYOND = {"INT_SDIV": words.divide_signed, "POPCOUNT": words.ones}
"""The p-code operations that the kernel's own code does not have. Their operands are words of one width."""


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
