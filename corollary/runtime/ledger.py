"""What may an agent still use of its tools? Its budgets, less what it spent, and what calls have reserved.

The ledger is a part of the state of its agent. It changes in turns alone: a call reserves when it is asked for, and its
result settles that. So a call counts once, whatever process is killed, and a budget counts as long as the agent lives.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from corollary.problem import Problem
from corollary.runtime.store import Budget, Event, Kind, Rules

NOTHING = Budget(0, 0, 0.0)
LEAST = len('{"error": ""}')  # bytes that even a call without a result takes


class Denied(Problem):
    """A program asked for something that its rules do not allow; the message says what."""


class Ledger:
    """The budgets of an agent, and what became of them; `noted` is what an earlier ledger of the agent noted."""

    def __init__(self, rules: Rules, noted: Mapping[str, Any] | None = None):
        self.rules, noted = rules, noted or {"spent": {}, "reserved": {}}
        self.spent = {tool: Budget(**use) for tool, use in noted["spent"].items()}
        self.reserved = {id_: (tool, Budget(**use)) for id_, (tool, use) in noted["reserved"].items()}

    def noted(self) -> dict[str, Any]:
        """Return what JSON keeps of it."""
        return {
            "spent": {tool: asdict(use) for tool, use in self.spent.items()},
            "reserved": {id_: (tool, asdict(use)) for id_, (tool, use) in self.reserved.items()},
        }

    def left(self, tool: str) -> Budget:
        """Return what is neither spent nor reserved of a tool; raises `Denied` if the rules do not name it."""
        if tool not in self.rules.tools:
            raise Denied(f"the rules do not allow {tool!r}; they allow: {', '.join(self.rules.tools) or 'no tool'}")
        gone = self.spent.get(tool, NOTHING)
        for name, use in self.reserved.values():
            gone = total(gone, use) if name == tool else gone
        whole = self.rules.tools[tool]
        return Budget(whole.calls - gone.calls, whole.bytes - gone.bytes, whole.seconds - gone.seconds)

    def reserve(self, id_: str, tool: str, size: int) -> Budget:
        """Reserve what one call may use, with `size` bytes of arguments, and return it; raises `Denied`."""
        left = self.left(tool)
        if left.calls < 1 or left.bytes < size + LEAST or left.seconds <= 0:
            raise Denied(f"the budget of {tool} is spent, or reserved by calls that go on: {told(left)} are left")
        room = max(self.rules.body, LEAST)
        use = Budget(1, min(left.bytes, size + room), min(left.seconds, self.rules.patience))
        self.reserved[id_] = tool, use
        return use

    def settle(self, event: Event) -> None:
        """Turn what a call reserved into what it used, if an event is the result of one."""
        if event.kind is Kind.RESULT and event.about in self.reserved:
            tool, most = self.reserved.pop(event.about)
            used = json.loads(event.body).get("spent", {"bytes": 0, "seconds": 0.0})
            use = Budget(1, min(used["bytes"], most.bytes), min(used["seconds"], most.seconds))
            self.spent[tool] = total(self.spent.get(tool, NOTHING), use)


def total(one: Budget, other: Budget) -> Budget:
    """Return the sum of two uses."""
    return Budget(one.calls + other.calls, one.bytes + other.bytes, one.seconds + other.seconds)


def told(left: Budget) -> str:
    """Return a budget in words."""
    return f"{left.calls} calls, {left.bytes} bytes, {left.seconds:g} s"
