"""How long can a function run, and how deep can its stack get? Own figures of every path, and those of its callees.

A hypercall is what happens between the vector and the exception return, on the paths through `gate_dispatch` and the
function of the operation. A device is ready when it is first asked: how long it lets the kernel wait is not the
kernel's. What has no figures of its own is read off its code: all stack that it ever takes at once, and every
instruction as often as ROUNDS lets a loop go round; without a row there it has no bound of instructions.
"""


from proofs.machine import words
from proofs.machine.contracts import CAUSES, CONTRACTS
from proofs.machine.lift import SIZE, NotAllowed, instruction, registers
from proofs.machine.memory import ADDRESS
from proofs.machine.platform import loops
from spec import memory_map
from spec.language.reads import remembered

ENTRY = f"vectors[{CAUSES['SYNCHRONOUS']}]"
DISPATCH, PERFORM = "gate_dispatch", "gate_perform"
ROUNDS = {
    "hardware_console_send_to_console": (memory_map.PAGE, "it goes once over the bytes that it is given, at most a page"),
    "print_hexadecimal": (16, "it goes once over the digits, at most those of 64 bits"),
    "print": (64, "it goes once over a text of the image, none of which is longer"),
}
"""Symbol of a function that no proof covers -> how often any of its loops goes round, in all, and why."""


class Bounds:
    """The worst case of each function, callees included, from the rows of the machine code of one build."""

    def __init__(self, rows, image=None):
        self.routes = {row["operation"]: row["figures"]["routes"] for row in rows if row.get("figures")}
        self.image = image

    @remembered
    def instructions(self, symbol, through=()):
        """The instructions of the longest path of a function that returns; None when it or a callee has no bound.

        Of a function named in `through`, as `(function, callee)`, only the paths with that callee count.
        """
        if symbol not in self.routes:
            return self.static_instructions(symbol)
        found = []
        for count, _, callees, returns in self.chosen(symbol, through):
            parts = [count, *(self.instructions(name, through) for name in callees)] if returns else []
            if None in parts:
                return None
            found += [sum(parts)] if returns else []
        return max(found, default=None)

    def static_instructions(self, symbol):
        """The instructions of a function and its callees, whatever its paths: each as often as a loop goes round; None when that is not known."""
        if self.image is None or symbol not in ROUNDS:
            return None
        found, total = self.image.functions[symbol], 0
        for address in self.image.code(found):
            code = instruction(self.image.read(address, SIZE), address)
            callees = [self.image.at[target].name for target in leads_to(code) if target in self.image.at and target != found.address]
            parts = [1, *map(self.instructions, callees)]
            if None in parts:
                return None
            total += sum(parts) * (ROUNDS[symbol][0] if in_a_loop(self.image, found, address) else 1)
        return total

    @remembered
    def stack(self, symbol, through=()):
        """The bytes of stack of the deepest path of a function, whether it returns or stops the machine."""
        if symbol not in self.routes:
            return static_stack(self.image, symbol) if self.image is not None and symbol in self.image.functions else None
        found = []
        for _, depth, callees, _ in self.chosen(symbol, through):
            inner = [self.stack(name, through) for name in callees if name != symbol]       # `halt` goes on for ever, in place
            if None in inner:
                return None
            found.append(depth + max([0, *inner]))
        return max(found, default=None)

    def chosen(self, symbol, through):
        """The paths of a function that count."""
        wanted = [callee for name, callee in through if name == symbol]
        return [route for route in self.routes.get(symbol, ()) if all(callee in route[2] for callee in wanted)]

    def deepest(self):
        """The bytes of the kernel's stack that anything at all can use: every way into the kernel; None when one has no bound."""
        found = [self.stack(name) for name, kept in CONTRACTS.items() if kept.function.symbol in ("vectors", "start") and not is_fault(kept)]
        return None if None in found else max(found)

    def hypercall(self, symbol):
        """`(instructions, bytes of stack)` from the vector to the exception return, when the function of an operation is called."""
        through = (("trap", DISPATCH), (PERFORM, symbol))
        return self.instructions(ENTRY, through), self.stack(ENTRY, through)


def is_fault(kept):
    """Is a vector for faults of the kernel itself? These run on the last stack."""
    return "kernel_fault" in kept.follows


@remembered
def static_stack(image, symbol):
    """The bytes of stack that a function and its callees can use, whatever its paths: all that it ever takes, at once."""
    found, taken, deepest = image.functions[symbol], 0, 0
    for address in image.code(found):
        code = instruction(image.read(address, SIZE), address)
        size = takes(code)
        if size and in_a_loop(image, found, address):
            raise NotAllowed(f"{address:#x}: {symbol} takes stack in a loop")
        taken += size
        for target in leads_to(code):
            if target in image.at and target != found.address:
                deepest = max(deepest, static_stack(image, image.at[target].name))
    return taken + deepest


def in_a_loop(image, symbol, address):
    """Does an instruction of a function lie in one of its loops?"""
    return any(first <= address <= loop.last for first, loop in loops(image, symbol).items())


def takes(code):
    """The bytes by which an instruction lowers the stack pointer."""
    total = 0
    for operation in code.operations:
        if operation.output == registers()["sp"] and operation.name in ("INT_ADD", "INT_SUB"):
            constants = [node.offset for node in operation.inputs if node.space == "const"]
            if len(constants) != 1 or registers()["sp"] not in operation.inputs:
                raise NotAllowed(f"{code.address:#x}: {code.text} moves the stack pointer by no constant")
            moved = words.signed(constants[0], ADDRESS) * (1 if operation.name == "INT_ADD" else -1)
            total += max(0, -moved)
    return total


def leads_to(code):
    """The addresses that an instruction calls or branches to."""
    return [operation.inputs[0].offset for operation in code.operations
            if operation.name in ("CALL", "BRANCH", "CBRANCH") and operation.inputs[0].space == "ram"]
