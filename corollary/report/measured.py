"""Did anything that ran take more than was proved? What a run under QEMU counted, beside the bounds."""

from dataclasses import dataclass

from emulation.count import operation_symbols


@dataclass(frozen=True)
class Line:
    """What was measured, in the worst of all runs, and what was proved; None where there is no such figure."""

    name: str
    runs: int
    instructions: int | None
    instructions_proved: int | None
    stack: int | None = None
    stack_proved: int | None = None

    @property
    def exceeded(self):
        """Did a run take more than was proved?"""
        return any(None not in pair and pair[0] > pair[1]
                   for pair in ((self.instructions, self.instructions_proved), (self.stack, self.stack_proved)))

    @property
    def exact(self):
        """Did a run take all that was proved?"""
        return self.instructions is not None and self.instructions == self.instructions_proved


def hypercalls(bounds, counted):
    """A line for every operation, from the vector to the exception return; one that never ran has no measured figures."""
    lines = []
    for name, symbol in operation_symbols().items():
        worst, (instructions, stack) = counted.operations.get(symbol), bounds.hypercall(symbol)
        lines.append(Line(name, worst.runs, worst.instructions, instructions, worst.stack, stack) if worst
                     else Line(name, 0, None, instructions, None, stack))
    return lines


def functions(bounds, counted):
    """A line for every function that ran, boot included, from its first instruction to its return."""
    return [Line(symbol, worst.runs, worst.instructions, bounds.instructions(symbol)) for symbol, worst in sorted(counted.functions.items())]
