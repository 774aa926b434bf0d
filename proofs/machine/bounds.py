"""How long can a function run, and how deep can its stack get?

A bound adds the figures of a function's own paths and those of its callees. A hypercall lasts from the vector to the
exception return, on the paths through `gate_dispatch` and the function of the operation. The kernel waits for a device
without limit only when it starts and when it stops. When a call writes to the device, it looks for room only a few
times, and each look is counted. Code without a proof has no bound.
"""

from corollary.language.frontend import translate
from corollary.language.reads import remembered
from corollary.proofs.machine.contracts import CAUSES, CONTRACTS
from corollary.proofs.machine.lift import NotAllowed
from corollary.proofs.machine.refine import UNKNOWN
from corollary.proofs.machine.summary import footprint, named
from corollary.spec.kernel.hypercalls import OPERATIONS

ENTRY = f"vectors[{CAUSES['SYNCHRONOUS']}]"
DISPATCH, PERFORM = "gate_dispatch", "gate_perform"
LAST_WORDS = ("complain",)  # besides faults, these run on the last stack
EVENTS = {
    "schedule_wait": "SYNCHRONOUS",
    "action_contain": "SYNCHRONOUS",
    "action_preempt": "IRQ",
}  # other entries that a partition can cause


class Bounds:
    """The worst case of each function, callees included, from the machine-code rows of one build."""

    def __init__(self, rows):
        self.routes = {row["operation"]: row["figures"]["routes"] for row in rows if tells_of_paths(row)}
        self.found = {}

    def once(self, compute, *arguments):
        """Return what `compute` finds for these arguments; it runs only once for them."""
        key = (compute.__name__, *arguments)
        if key not in self.found:
            self.found[key] = compute(*arguments)
        return self.found[key]

    def instructions(self, symbol, through=(), number=None):
        """Return the instructions of a function's longest path that returns; see `most_instructions`."""
        return self.once(self.most_instructions, symbol, through, number)

    def stack(self, symbol, through=(), number=None):
        """Return the bytes of stack of a function's deepest path; see `most_stack`."""
        return self.once(self.most_stack, symbol, through, number)

    def most_instructions(self, symbol, through, number):
        """Return the instructions of a function's longest path that returns; None if it or a callee has no bound.

        For a function in `through`, given as `(function, callee)`, only the paths with that callee count. When the
        call names the operation `number`, only the paths that it can take count.
        """
        if symbol not in self.routes:
            return None
        found = []
        for count, _, callees, returns, *_ in self.chosen(symbol, through, number):
            parts = [count, *(self.instructions(name, through, number) for name in callees)] if returns else []
            if None in parts:
                return None
            found += [sum(parts)] if returns else []
        return max(found, default=None)

    def most_stack(self, symbol, through, number):
        """Return the bytes of stack of a function's deepest path, whether it returns or stops the machine."""
        if symbol not in self.routes:
            return None
        found = []
        for _, depth, callees, *_ in self.chosen(symbol, through, number):
            inner = [
                self.stack(name, through, number) for name in callees if name != symbol
            ]  # `halt` jumps to itself for ever
            if None in inner:
                return None
            found.append(depth + max([0, *inner]))
        return max(found, default=None)

    def chosen(self, symbol, through, number):
        """Return the paths of a function that count."""
        wanted = [callee for name, callee in through if name == symbol]
        return [
            route
            for route in self.routes.get(symbol, ())
            if all(callee in route[2] for callee in wanted) and may_name(route, number)
        ]

    def deepest(self, last=False):
        """Return the most bytes that any entry can use of the kernel's stack, or of its last; None without a bound."""
        ways = [
            name
            for name, contract in CONTRACTS.items()
            if contract.function.symbol in ("vectors", "start") and is_fault(contract) == last
        ]
        found = [self.stack(name) for name in (*ways, *(LAST_WORDS if last else ()))]
        return None if None in found else max(found)

    def hypercall(self, symbol):
        """Return `(instructions, bytes of stack)` of a hypercall, from the vector to the exception return.

        The call names the operation whose function is `symbol`.
        """
        through, number = (("trap", DISPATCH), (PERFORM, symbol)), operation_numbers()[symbol]
        return self.instructions(ENTRY, through, number), self.stack(ENTRY, through, number)

    def longest(self):
        """Return `(instructions, what)` of the longest stay in the kernel that a partition can cause.

        The instructions are None if a stay has no bound. The partition makes a call, names an operation that does not
        exist, waits, does something forbidden, or its quantum ends.
        """
        ways = {
            name: self.instructions(ENTRY, (("trap", DISPATCH),), number)
            for name, number in [*operation_numbers().items(), ("no operation", UNKNOWN)]
        }
        ways |= {
            function: self.instructions(f"vectors[{CAUSES[cause]}]", (("trap", function),))
            for function, cause in EVENTS.items()
        }
        unbounded = [name for name, count in ways.items() if count is None]
        return (None, unbounded[0]) if unbounded else max((count, name) for name, count in ways.items())


@remembered
def operation_numbers():
    """Return the number of each operation, by its function's symbol. Raises `NotAllowed` if a call can change it."""
    changed = [symbol for symbol, each in named().items() if ("call", ("operation",)) in footprint(each).writes]
    if changed:
        raise NotAllowed(f"{changed[0]} changes the operation of its call: its callees are bounded for another one")
    return {translate(declared.function).symbol: declared.number for declared in OPERATIONS}


def may_name(route, number):
    """May the call name an operation on a path? A path without recorded operations allows all."""
    operations = route[4] if len(route) > 4 else None
    return None in (operations, number) or number in operations


def tells_of_paths(row):
    """Does a row list the paths of one function or piece? Other rows are about the whole image."""
    return "routes" in (row.get("figures") or {})


def is_fault(contract):
    """Does a vector handle faults of the kernel itself? These run on the last stack."""
    return "kernel_fault" in contract.follows
