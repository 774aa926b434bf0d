"""What is known of a path of machine code while it runs? Where it is, what it changed, and what must hold on it."""

from dataclasses import dataclass, field, fields
from typing import Any

from corollary.proofs.machine.processor import Registers
from corollary.proofs.symbolic import Store


@dataclass
class Path:
    """A path while it runs. Subclasses add fields."""

    pc: int
    registers: Registers
    heap: Store
    stack: dict = field(default_factory=dict)
    obligations: list = field(default_factory=list)  # (condition, what)
    trail: list = field(default_factory=list)  # addresses of branches, and whether they were taken
    decided: dict = field(default_factory=dict)  # id of a condition inside an instruction -> whether it holds here
    count: int = 0  # instructions, without those of callees
    deepest: int = 0  # bytes of stack below the entry, without those of callees

    def fork(self):
        """Return another path that begins like this one."""
        held: dict[str, Any] = {item.name: copied(getattr(self, item.name)) for item in fields(self)}
        return type(self)(**held)

    def oblige(self, condition, what):
        """Add a condition that must hold on this path."""
        if condition is not True:
            self.obligations.append((condition, f"{self.pc:#x}: {what}"))


def copied(value):
    """Return a part of a path, copied so that its later changes are its own."""
    return value.fork() if hasattr(value, "fork") else value.copy() if isinstance(value, (list, dict)) else value
