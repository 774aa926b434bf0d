"""What is a path of machine code on its way? Where it is, what it has left so far, and what must be so on it."""

from dataclasses import dataclass, field, fields

from proofs.machine.processor import Registers
from proofs.symbolic import Store


@dataclass
class Path:
    """A path on its way; what else it has is for the heirs to say."""

    pc: int
    registers: Registers
    heap: Store
    stack: dict = field(default_factory=dict)
    obligations: list = field(default_factory=list)     # (condition, what)
    trail: list = field(default_factory=list)           # addresses of branches, and whether they were taken
    decided: dict = field(default_factory=dict)         # id of a condition inside an instruction -> whether it holds here
    count: int = 0                                      # instructions, without those of callees
    deepest: int = 0                                    # bytes of stack below the entry, without those of callees

    def fork(self):
        """Another path that begins like this one."""
        return type(self)(**{item.name: copied(getattr(self, item.name)) for item in fields(self)})

    def oblige(self, condition, what):
        """Something that must be so on this path."""
        if condition is not True:
            self.obligations.append((condition, f"{self.pc:#x}: {what}"))


def copied(value):
    """A part of a path whose later changes are its own."""
    return value.fork() if hasattr(value, "fork") else value.copy() if isinstance(value, (list, dict)) else value
