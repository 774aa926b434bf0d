"""Did any run exceed its proved bounds? The counts of a run under QEMU, beside the bounds."""

from dataclasses import dataclass

from corollary.emulation.count import operation_symbols
from corollary.proofs.machine.bounds import Bounds, tells_of_paths
from corollary.report.things import CODE


@dataclass(frozen=True)
class Line:
    """What was measured in the worst of all runs, and what was proved; None means that there is no such figure.

    Stack sizes are in bytes.
    """

    name: str
    runs: int
    instructions: int | None
    instructions_proved: int | None
    stack: int | None = None
    stack_proved: int | None = None
    median: int | None = None

    @property
    def exceeded(self):
        """Did a run exceed a proved bound?"""
        return any(
            counted is not None and proved is not None and counted > proved
            for counted, proved in ((self.instructions, self.instructions_proved), (self.stack, self.stack_proved))
        )

    @property
    def exact(self):
        """Did a run reach the proved bound on instructions exactly?"""
        return self.instructions is not None and self.instructions == self.instructions_proved


def proved(rows):
    """Return the bounds that follow from the rows of a verification; None if no path of the machine code is proved."""
    mine = [row for row in rows if row["property"] == CODE and tells_of_paths(row) and row["result"] == "proved"]
    return Bounds(mine) if mine else None


def hypercalls(bounds, counted):
    """Return a line for every operation, from the vector to the exception return.

    An operation that never ran has no measured figures.
    """
    lines = []
    for name, symbol in operation_symbols().items():
        seen, (instructions, stack) = counted.operations.get(symbol), bounds.hypercall(symbol)
        lines.append(
            Line(name, seen.runs, seen.instructions, instructions, seen.stack, stack, seen.median)
            if seen
            else Line(name, 0, None, instructions, None, stack)
        )
    return lines


def functions(bounds, counted):
    """Return a line for every function that ran, boot included, from its first instruction to its return."""
    return [
        Line(symbol, seen.runs, seen.instructions, bounds.instructions(symbol))
        for symbol, seen in sorted(counted.functions.items())
        if seen.runs
    ]
