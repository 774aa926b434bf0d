"""How long can a function run, and how deep can its stack get? Own figures of every path, and those of its callees.

A hypercall is what happens between the vector and the exception return, on the paths through `gate_dispatch` and the
function of the operation. The kernel waits for a device without end only where it starts and where it stops: what a call
writes looks a few times for room, each look counted. What no proof covers has no bound.
"""

from language.frontend import translate
from language.reads import remembered
from proofs.machine.contracts import CAUSES, CONTRACTS
from proofs.machine.lift import NotAllowed
from proofs.machine.refine import UNKNOWN
from proofs.machine.summary import footprint, named
from spec.kernel.hypercalls import OPERATIONS

ENTRY = f"vectors[{CAUSES['SYNCHRONOUS']}]"
DISPATCH, PERFORM = "gate_dispatch", "gate_perform"
LAST_WORDS = ("complain",)      # besides faults, what runs on the last stack
EVENTS = {"schedule_rotate": "SYNCHRONOUS", "action_contain": "SYNCHRONOUS", "action_preempt": "IRQ"}    # what else a partition brings about


class Bounds:
    """The worst case of each function, callees included, from the rows of the machine code of one build."""

    def __init__(self, rows):
        self.routes = {row["operation"]: row["figures"]["routes"] for row in rows if tells_of_paths(row)}
        self.found = {}

    def once(self, compute, *arguments):
        """What is computed of a function, once for the same arguments."""
        key = (compute.__name__, *arguments)
        if key not in self.found:
            self.found[key] = compute(*arguments)
        return self.found[key]

    def instructions(self, symbol, through=(), number=None):
        """The instructions of the longest path of a function that returns; see `most_instructions`."""
        return self.once(self.most_instructions, symbol, through, number)

    def stack(self, symbol, through=(), number=None):
        """The bytes of stack of the deepest path of a function; see `most_stack`."""
        return self.once(self.most_stack, symbol, through, number)

    def most_instructions(self, symbol, through, number):
        """The instructions of the longest path of a function that returns; None when it or a callee has no bound.

        Of a function named in `through`, as `(function, callee)`, only the paths with that callee count; when the call names the
        operation `number`, only those that it can take.
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
        """The bytes of stack of the deepest path of a function, whether it returns or stops the machine."""
        if symbol not in self.routes:
            return None
        found = []
        for _, depth, callees, *_ in self.chosen(symbol, through, number):
            inner = [self.stack(name, through, number) for name in callees if name != symbol]       # `halt` goes on for ever, in place
            if None in inner:
                return None
            found.append(depth + max([0, *inner]))
        return max(found, default=None)

    def chosen(self, symbol, through, number):
        """The paths of a function that count."""
        wanted = [callee for name, callee in through if name == symbol]
        return [route for route in self.routes.get(symbol, ()) if all(callee in route[2] for callee in wanted) and may_name(route, number)]

    def deepest(self, last=False):
        """The bytes of the kernel's stack, or of its last, that any way into it can use; None when one has no bound."""
        ways = [name for name, kept in CONTRACTS.items()
                if kept.function.symbol in ("vectors", "start") and is_fault(kept) == last]
        found = [self.stack(name) for name in (*ways, *(LAST_WORDS if last else ()))]
        return None if None in found else max(found)

    def hypercall(self, symbol):
        """`(instructions, bytes of stack)` from the vector to the exception return, when the function of an operation is called."""
        through, number = (("trap", DISPATCH), (PERFORM, symbol)), operation_numbers()[symbol]
        return self.instructions(ENTRY, through, number), self.stack(ENTRY, through, number)

    def longest(self):
        """`(instructions, what)` of the longest stay in the kernel that a partition can bring about; None for instructions where one has no bound.

        It calls, names an operation that there is not, waits, does what no partition may, or its quantum ends.
        """
        ways = {name: self.instructions(ENTRY, (("trap", DISPATCH),), number) for name, number in [*operation_numbers().items(), ("no operation", UNKNOWN)]}
        ways |= {function: self.instructions(f"vectors[{CAUSES[cause]}]", (("trap", function),)) for function, cause in EVENTS.items()}
        unbounded = [name for name, count in ways.items() if count is None]
        return (None, unbounded[0]) if unbounded else max((count, name) for name, count in ways.items())


@remembered
def operation_numbers():
    """Symbol of the function of each operation -> its number, which no function changes in a call."""
    changed = [symbol for symbol in named() if ("call", ("operation",)) in footprint(symbol).writes]
    if changed:
        raise NotAllowed(f"{changed[0]} changes the operation of its call: its callees are bounded for another one")
    return {translate(declared.function).symbol: declared.number for declared in OPERATIONS}


def may_name(route, number):
    """May the call name an operation on a path? A path that tells nothing of operations is one of all."""
    operations = route[4] if len(route) > 4 else None
    return None in (operations, number) or number in operations


def tells_of_paths(row):
    """Does an obligation tell of the paths of one function, or piece? The others about an image are about all of it."""
    return "routes" in (row.get("figures") or {})


def is_fault(kept):
    """Is a vector for faults of the kernel itself? These run on the last stack."""
    return "kernel_fault" in kept.follows
