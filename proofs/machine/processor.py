"""What does the processor do? P-code operations on registers of known and symbolic words.

A condition (a flag, or the result of a comparison) stays a condition until its byte is needed.
"""

from typing import Any

from corollary.language.reads import remembered
from corollary.proofs.machine import instructions, words
from corollary.proofs.machine.convention import FLAGS as FLAG_NAMES
from corollary.proofs.machine.convention import USED, VECTORS
from corollary.proofs.machine.lift import SIZE, NotAllowed, registers

BYTE = 8


def bits_of(size):
    """Return the number of bits in some bytes."""
    return BYTE * size


class Later:
    """A flag that is computed only when it is needed; most never are."""

    def __init__(self, function, values, width):
        self.function, self.values, self.width, self.value = function, values, width, None

    def force(self):
        """Return its value."""
        if self.value is None:
            self.value = self.function(*self.values, self.width)
        return self.value


WITHIN = ("pc", "tmp_ldXn", *(f"tmp{name}" for name in FLAG_NAMES))  # what SLEIGH needs inside an instruction


@remembered
def general():
    """Return the bytes of registers that a model function's code may read or change: general ones and flags."""
    return bytes_of((*USED, *WITHIN))


@remembered
def vectors():
    """Return the bytes of the vector registers.

    The upper ones, which Cortex-A72 does not have, are written as zeros.
    """
    return bytes_of(name.replace("q", "z") for name in VECTORS)


def bytes_of(names):
    """Return the bytes of registers."""
    return frozenset(registers()[name].offset + byte for name in names for byte in range(registers()[name].size))


class Registers:
    """The contents of registers and temporaries, each piece at its offset."""

    def __init__(self, unknown, only=None, pieces=None):
        self.unknown = unknown  # f(varnode): what a register holds that was never written
        self.only = only  # the registers that may be used; None for all
        self.pieces = dict(pieces or {})

    def fork(self):
        """Return a copy."""
        return Registers(self.unknown, self.only, self.pieces)

    def __getitem__(self, node):
        if node.space == "const":
            return node.offset & words.mask(bits_of(node.size))
        size, value = self.piece(node)
        if isinstance(value, Later):
            value = value.force()
        if size == node.size:
            return value
        return words.extract(as_word(value, size), 0, bits_of(node.size), bits_of(size))

    def piece(self, node):
        """Return the piece that was put at an offset, at least as wide as asked for."""
        key = (node.space, node.offset)
        self.allowed(node)
        if key not in self.pieces:
            for back in range(1, 16):
                size, value = self.pieces.get((node.space, node.offset - back), (0, None))
                if size >= back + node.size:
                    part = words.extract(as_word(value, size), bits_of(back), bits_of(node.size), bits_of(size))
                    return node.size, part
            self.pieces[key] = (node.size, self.unknown(node))
        size, value = self.pieces[key]
        if size < node.size:
            raise NotAllowed(f"{node} is read wider than it was written")
        return size, value

    def allowed(self, node):
        """Check that a register may be used: each of its bytes must be allowed. Raises `NotAllowed` if not."""
        places = range(node.offset, node.offset + node.size)
        if node.space == "register" and self.only is not None and not self.only.issuperset(places):
            raise NotAllowed(f"{register_name(node)} is not among the registers that this code may look at or change")

    def __setitem__(self, node, value):
        key = (node.space, node.offset)
        self.allowed(node)
        old = self.pieces.get(key, (0, None))[0]
        if old > node.size:
            upper = words.extract(
                as_word(self.pieces[key][1], old), bits_of(node.size), bits_of(old - node.size), bits_of(old)
            )
            value = words.concat([(as_word(value, node.size), bits_of(node.size)), (upper, bits_of(old - node.size))])
            self.pieces[key] = (old, value)
            return
        self.alone(node)
        self.pieces[key] = (node.size, value)

    def alone(self, node):
        """Let no other piece keep what these bytes held.

        Pieces inside are dropped. One that begins below and reaches in is not allowed.
        """
        for back in range(1, 16):
            if self.pieces.get((node.space, node.offset - back), (0, None))[0] > back:
                raise NotAllowed(f"{node} is a part of what was written before")
        for ahead in range(1, node.size):
            self.pieces.pop((node.space, node.offset + ahead), None)

    def drop(self, names):
        """Let some registers hold anything."""
        for name in names:
            node = registers()[name]
            self.alone(node)
            self.pieces.pop((node.space, node.offset), None)

    def named(self, name):
        """Return the contents of a register by its name."""
        return self[registers()[name]]

    def forget(self, space):
        """Drop the temporaries of an instruction."""
        for key in [key for key in self.pieces if key[0] == space]:
            del self.pieces[key]


def register_name(node):
    """Return the name of a register."""
    return next((name for name, place in registers().items() if place == node), f"register {node.offset:#x}")


def is_condition(value):
    """Is a value a condition rather than a word?"""
    return isinstance(value, bool) or (not words.known(value) and value.sort().kind() == 1)  # Z3_BOOL_SORT


def as_word(value, size):
    """Return a condition as the byte that it stands for."""
    if isinstance(value, bool):
        return int(value)
    if is_condition(value):
        return words.choose(value, 1, 0, bits_of(size))
    return value


def as_condition(value, size):
    """Return a byte as the condition that it stands for."""
    if is_condition(value):
        return value
    return words.negate(words.equal(value, 0, bits_of(size)))


def _unary(function):
    return lambda values, width, out: function(values[0], width)


def _binary(function):
    return lambda values, width, out: function(values[0], values[1], width)


def _carry(a, b, width):
    return words.less(words.add(a, b, width), a, width)


def _signed_carry(a, b, width):
    top = words.bits_and(
        words.bits_and(
            words.bits_xor(a, words.add(a, b, width), width), words.bits_xor(b, words.add(a, b, width), width), width
        ),
        1 << (width - 1),
        width,
    )
    return words.negate(words.equal(top, 0, width))


def _signed_borrow(a, b, width):
    difference = words.subtract(a, b, width)
    top = words.bits_and(
        words.bits_and(words.bits_xor(a, b, width), words.bits_xor(a, difference, width), width),
        1 << (width - 1),
        width,
    )
    return words.negate(words.equal(top, 0, width))


def _shift(function):
    def run(values, width, out):
        distance = values[1] if words.known(values[1]) else words.term(values[1], values[1].size())
        if not words.known(distance):
            distance = (
                words.extend(distance, distance.size(), width)
                if distance.size() <= width
                else words.extract(distance, 0, width, distance.size())
            )
        return function(values[0], distance, width)

    return run


# functions of words, with the width of the first operand in bits
WORDS = {
    "COPY": lambda values, width, out: values[0],
    "INT_ADD": _binary(words.add),
    "INT_SUB": _binary(words.subtract),
    "INT_MULT": _binary(words.multiply),
    "INT_AND": _binary(words.bits_and),
    "INT_OR": _binary(words.bits_or),
    "INT_XOR": _binary(words.bits_xor),
    "INT_NEGATE": _unary(words.complement),
    "INT_2COMP": _unary(lambda a, width: words.subtract(0, a, width)),
    "INT_LEFT": _shift(words.shift_left),
    "INT_RIGHT": _shift(words.shift_right),
    "INT_SRIGHT": _shift(words.shift_signed),
    "LZCOUNT": lambda values, width, out: words.extend(words.leading_zeros(values[0], width), width, out),
    "INT_ZEXT": lambda values, width, out: words.extend(values[0], width, out),
    "INT_SEXT": lambda values, width, out: words.sign_extend(values[0], width, out),
    "INT_DIV": _binary(words.divide),
    "INT_EQUAL": _binary(words.equal),
    "INT_NOTEQUAL": lambda values, width, out: words.negate(words.equal(*values, width=width)),
    "INT_SLESS": _binary(words.less_signed),
    "INT_LESSEQUAL": lambda values, width, out: words.negate(words.less(values[1], values[0], width)),
}
FLAGS: dict[str, Any] = {"INT_CARRY": _carry, "INT_SCARRY": _signed_carry, "INT_SBORROW": _signed_borrow}
CONDITIONS = {
    "BOOL_NEGATE": lambda values: words.negate(values[0]),
    "BOOL_AND": lambda values: words.both(*values),
    "BOOL_OR": lambda values: words.either(*values),
}


def evaluate(operation, registers):
    """Return the output of an operation without effect on memory or control."""
    sizes = [node.size for node in operation.inputs]
    if operation.name == "COPY" and operation.inputs[0].space != "const":
        size, value = registers.piece(operation.inputs[0])
        return value if size == operation.output.size else registers[operation.inputs[0]]
    values = [registers[node] for node in operation.inputs]
    if operation.name in CONDITIONS:
        return CONDITIONS[operation.name]([as_condition(value, size) for value, size in zip(values, sizes)])
    values = [as_word(value, size) for value, size in zip(values, sizes)]
    if operation.name in FLAGS:
        return Later(FLAGS[operation.name], values, bits_of(sizes[0]))
    if operation.name == "SUBPIECE":
        return words.extract(
            values[0], bits_of(operation.inputs[1].offset), bits_of(operation.output.size), bits_of(sizes[0])
        )
    if operation.name not in WORDS:
        raise NotAllowed(f"the p-code operation {operation.name} has no meaning here")
    return WORDS[operation.name](values, bits_of(sizes[0]), bits_of(operation.output.size))


class Undecided(Exception):
    """A pointer depends on a condition, so the path divides there."""

    def __init__(self, condition):
        super().__init__()
        self.condition = condition


class Core:
    """Runs one instruction on a thread, if its form is allowed for such code.

    The thread has registers, `pc` and `decided`. Subclasses say what memory holds and where control goes:
    `load_word(thread, operation)`, `store_word(thread, operation)`, `call(thread, target)`, `jump(thread, target)`,
    `leave(thread, target)`.
    """

    uses = frozenset({instructions.GENERAL})
    load_word: Any
    store_word: Any
    call: Any
    jump: Any
    leave: Any

    def run(self, thread, code):
        """Run an instruction; return a condition and a target when the path divides."""
        if code.form.use not in self.uses:
            raise NotAllowed(
                f"{thread.pc:#x}: {code.text} is an instruction for {code.form.use}, which this code may not have"
            )
        thread.registers.forget("unique")
        operations, position, skip = code.operations, 0, None
        while position < len(operations):
            operation = operations[position]
            if skip is not None and position >= skip[0]:
                skip = None
            if skip is not None and operation.name in ("BRANCH", "CBRANCH", "CALL", "RETURN", "BRANCHIND", "STORE"):
                raise NotAllowed(f"{thread.pc:#x}: {operation.name} under a condition inside {code.text}")
            if operation.name in ("BRANCH", "CBRANCH"):
                target, condition = self.target(operation, thread, position)
                following = target == thread.pc + SIZE and operation.name == "CBRANCH"
                inner = target[0] if isinstance(target, tuple) else len(operations) if following else None
                if condition is False:
                    position += 1
                elif inner is not None and condition is True:
                    position = inner
                elif inner is not None:
                    skip, position = (inner, condition), position + 1
                elif condition is True:
                    return self.jump(thread, target)
                else:
                    return condition, target
                continue
            if operation.name == "CALL":
                self.call(thread, operation.inputs[0].offset)
                break
            if operation.name in ("RETURN", "BRANCHIND"):
                return self.leave(thread, thread.registers[operation.inputs[0]])
            if operation.name == "STORE":
                self.store_word(thread, operation)
            else:
                self.put(thread, operation, skip)
            position += 1
        thread.pc = thread.pc + SIZE if thread.pc is not None else None
        return None

    def target(self, operation, thread, position):
        """Return where a branch leads (inside the instruction: a one-tuple), and on which condition."""
        node = operation.inputs[0]
        condition: Any = True
        if operation.name == "CBRANCH":
            condition = as_condition(thread.registers[operation.inputs[1]], operation.inputs[1].size)
            if not words.known(condition) and condition.get_id() in thread.decided:
                condition = thread.decided[condition.get_id()][0]
        if node.space == "const":
            return (position + words.signed(node.offset, bits_of(node.size)),), condition
        return node.offset, condition

    def put(self, thread, operation, skip):
        """Evaluate an operation into its output. If a condition skips it, the output keeps its old value."""
        value = self.load_word(thread, operation) if operation.name == "LOAD" else self.evaluate(thread, operation)
        if skip is not None:
            old, size = thread.registers[operation.output], operation.output.size
            value = value.force() if isinstance(value, Later) else value
            if self.divides(old) or self.divides(value):
                raise Undecided(skip[1])
            if is_condition(value) or is_condition(old):
                value = words.choose_condition(skip[1], as_condition(old, size), as_condition(value, size))
            else:
                value = words.choose(skip[1], old, value, bits_of(size))
        thread.registers[operation.output] = value

    def evaluate(self, thread, operation):
        """Return the value of an operation without effect on memory or control."""
        return evaluate(operation, thread.registers)

    def divides(self, value):
        """Must the path divide before this word is chosen?"""
        return False
