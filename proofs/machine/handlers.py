"""Does the machine code of each handler do what its operation means? Every path of it, for any words of code, any slots, any memory.

A handler is code between two dispatches: it is entered with the state in registers, and goes on at the next operation's
handler, or leaves the run. What it may touch are objects apart from each other, each reached from its own register.
"""

import time
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

import z3

from codegen import build
from proofs import bits, fingerprint, second
from proofs.loops import Unbounded
from proofs.machine import words
from proofs.machine.image import Image
from proofs.machine.lift import SIZE, GaveUp, NotAllowed, Varnode, instruction, registers
from proofs.machine.memory import ADDRESS, BYTE, linear
from proofs.machine.processor import Core, Registers, as_word
from proofs.prove import Row
from proofs.symbolic import Store
from spec.language.frontend import translate
from spec.wasm.internal import LOADS, MOVES, OPERATIONS, STEPS, STORES, Form
from spec.wasm.machine import Machine, Outcome
from spec.wasm.meaning import WORD, is_signed, meaning, trap
from spec.wasm.traps import Trap

STATE = {"code": "x20", "frame": "x21", "memory": "x22", "size": "x23", "budget": "x24", "control": "x25", "vm": "x26", "table": "x27"}
"""Where the convention `preserve_none` passes the state of the interpreter on AArch64."""
LARGEST = 1 << 32           # bytes of a memory
FIELDS = {slot.name: slot for slot in Machine.layout.slots}
PAIRED = (Form.VALUE_SLOTS, Form.VALUE_VALUE, Form.SLOTS_SLOTS, Form.SLOTS_VALUE)
COMPUTED = (Form.UNARY, Form.SLOTS, Form.VALUE, Form.FROM, Form.COPY_VALUE, *PAIRED)
BACK = (Form.LOOP_SLOTS, Form.LOOP_VALUE, Form.BACK_VALUE, *STEPS)
BEYOND = {"INT_SDIV": words.divide_signed, "LZCOUNT": words.leading_zeros, "POPCOUNT": words.ones}
"""The p-code operations of handlers that the kernel's own code does not have: of words of one width."""
PROVED = (*COMPUTED, *LOADS, *STORES, *MOVES, Form.IF_SLOTS, Form.IF_VALUE, Form.UNLESS_SLOTS, Form.UNLESS_VALUE, *BACK)


@lru_cache(maxsize=1)
def built():
    """The VM for AArch64."""
    return Image(build.vm_image())


@dataclass
class Thread:
    """One path on its way: registers, what memory is now, and how it ended."""

    pc: int
    registers: Registers
    slots: object
    bytes: object
    vm: dict = field(default_factory=dict)          # offset in the machine record -> byte that was stored
    decided: dict = field(default_factory=dict)
    obligations: list = field(default_factory=list)
    trail: list = field(default_factory=list)
    count: int = 0
    ended: object = None

    def fork(self):
        """Another path that begins like this one."""
        return Thread(self.pc, self.registers.fork(), self.slots, self.bytes, dict(self.vm), dict(self.decided), list(self.obligations),
                    list(self.trail), self.count)


class Lanes(Registers):
    """Registers whose parts may be written one by one and read together, as those of vectors are."""

    def fork(self):
        """A copy."""
        return Lanes(self.unknown, self.only, self.pieces)

    def piece(self, node):
        """What was put at an offset, put together from its parts if need be."""
        key = (node.space, node.offset)
        if key not in self.pieces or self.pieces[key][0] >= node.size:
            return super().piece(node)
        parts, taken = [], 0
        while taken < node.size:
            size, value = super().piece(Varnode(node.space, node.offset + taken, 1))
            size = min(size, node.size - taken)
            parts.append((words.extract(as_word(value, self.pieces[node.space, node.offset + taken][0]), 0, BYTE * size,
                                        BYTE * self.pieces[node.space, node.offset + taken][0]), BYTE * size))
            taken += size
        return node.size, words.concat(parts)

    def alone(self, node):
        """What begins below and reaches in is cut in two, or three."""
        for back in range(1, 16):
            size, value = self.pieces.get((node.space, node.offset - back), (0, None))
            if size > back:
                whole = as_word(value, size)
                self.pieces[node.space, node.offset - back] = (back, words.extract(whole, 0, BYTE * back, BYTE * size))
                above = back + node.size
                if size > above:
                    rest = words.extract(whole, BYTE * above, BYTE * (size - above), BYTE * size)
                    self.pieces[node.space, node.offset + node.size] = (size - above, rest)
        for ahead in range(1, node.size):
            self.pieces.pop((node.space, node.offset + ahead), None)


class Handler(Core):
    """The machine code of one handler."""

    def __init__(self, image, name, timeout=20_000):
        self.image, self.symbol = image, image.functions[f"take_{name}"]
        self.entry = {name: z3.BitVec(name, ADDRESS) for name in STATE}
        self.roots = {value.get_id(): name for name, value in self.entry.items()}
        self.word = z3.Array("word", z3.BitVecSort(ADDRESS), z3.BitVecSort(ADDRESS))
        self.handler = z3.Array("handler", z3.BitVecSort(ADDRESS), z3.BitVecSort(ADDRESS))
        self.solver, self.fresh = z3.Solver(), 0
        self.solver.set("timeout", timeout)
        self.solver.add(z3.ULE(self.entry["size"], LARGEST))

    def remainders(self, operation):
        """Tell the solver what division leaves, which it does not find by itself: what is divided less the quotient times the divisor."""
        if operation.row and ".rem_" in operation.row.name and operation.form in COMPUTED:
            a, b = Meaning(self, operation).operands()
            self.solver.add(z3.SRem(a, b) == a - a / b * b, z3.URem(a, b) == a - z3.UDiv(a, b) * b)

    def start(self):
        """The state at the entry."""
        path = Thread(self.symbol.address, Lanes(self.unknown), z3.Array("slot", z3.BitVecSort(ADDRESS), z3.BitVecSort(ADDRESS)),
                    z3.Array("byte", z3.BitVecSort(ADDRESS), z3.BitVecSort(BYTE)))
        for name, register in STATE.items():
            path.registers[registers()[register]] = self.entry[name]
        return path

    def unknown(self, node):
        """What is in a register that nobody wrote."""
        self.fresh += 1
        return z3.BitVec(f"{node.space}.{node.offset:#x}.{self.fresh}", BYTE * node.size)

    # ---- paths

    def paths(self):
        """Every possible path at its end; the solver holds its conditions meanwhile."""
        yield from self.explore(self.start())

    def explore(self, path):
        while path.ended is None:
            if not self.symbol.address <= path.pc < self.symbol.end:
                raise NotAllowed(f"{path.pc:#x}: {self.symbol.name} leaves itself")
            path.count += 1
            fork = self.run(path, instruction(self.image.read(path.pc, SIZE), path.pc))
            if fork is not None:
                yield from self.branches(path, *fork)
                return
        yield path

    def branches(self, path, condition, target):
        """Both sides of a branch, as far as they are possible."""
        for taken, test, goes in ((True, condition, target), (False, words.negate(condition), path.pc + SIZE)):
            self.solver.push()
            self.solver.add(test)
            answer = self.solver.check()
            if answer == z3.unknown:
                raise GaveUp(f"{path.pc:#x}: the solver does not know whether a path is possible")
            if answer == z3.sat:
                side = path.fork()
                side.trail.append((path.pc, taken))
                side.pc = goes
                yield from self.explore(side)
            self.solver.pop()

    def evaluate(self, thread, operation):
        """The value of an operation; handlers have some that the kernel's code has not."""
        if operation.name not in BEYOND:
            return super().evaluate(thread, operation)
        width = BYTE * operation.inputs[0].size
        values = [as_word(thread.registers[node], node.size) for node in operation.inputs]
        return words.extend(BEYOND[operation.name](*values, width), width, BYTE * operation.output.size)

    def jump(self, path, target):
        """Go on elsewhere in the handler."""
        path.pc = target

    def call(self, path, target):
        """Handlers of these forms call nothing."""
        raise NotAllowed(f"{path.pc:#x}: {self.symbol.name} calls {target:#x}")

    def leave(self, path, target):
        """To the next handler, or out of the run."""
        path.ended = target
        path.pc = None

    # ---- memory

    def based(self, path, address):
        """`(name, constant, parts)` of an address: the object, and where in it."""
        parts, found = [], None
        for key, (factor, word) in linear(address).parts.items():
            if key in self.roots and factor == 1 and found is None:
                found = self.roots[key]
            else:
                parts.append((words.signed(factor & words.mask(ADDRESS), ADDRESS), word))
        if found not in ("code", "frame", "memory", "vm", "table"):
            raise NotAllowed(f"{path.pc:#x}: an address in no object: {address}")
        return found, words.signed(linear(address).constant, ADDRESS), parts

    def position(self, path, constant, parts):
        """The word of an object that an address leads to, and the byte in it."""
        if any(factor % BYTE for factor, _ in parts):
            raise NotAllowed(f"{path.pc:#x}: a word is indexed by {parts}")
        total = (constant // BYTE) & words.mask(ADDRESS)
        for factor, word in parts:
            total = words.add(words.multiply(word, (factor // BYTE) & words.mask(ADDRESS), ADDRESS), total, ADDRESS)
        return words.term(total, ADDRESS), constant % BYTE

    def load_word(self, path, operation):
        """What lies at an address."""
        size = operation.output.size
        name, constant, parts = self.based(path, path.registers[operation.inputs[1]])
        if name == "memory":
            return self.memory(path, path.registers[operation.inputs[1]], size)
        if name == "vm":
            return self.field(path, constant, parts, size)
        array = {"code": self.word, "frame": path.slots, "table": self.handler}[name]
        index, byte = self.position(path, constant, parts)
        if byte + size > BYTE:
            raise NotAllowed(f"{path.pc:#x}: a load across words")
        return words.extract(z3.Select(array, index), BYTE * byte, BYTE * size, ADDRESS)

    def memory(self, path, address, size):
        """Bytes of the WebAssembly memory, which must be within its size."""
        offset = self.within(path, address, size)
        return words.concat([(z3.Select(path.bytes, offset + number), BYTE) for number in range(size)])

    def within(self, path, address, size):
        """The offset of an access in the memory; that it is within must be proved."""
        offset = z3.simplify(address - self.entry["memory"])
        path.obligations.append((z3.And(z3.ULE(offset, self.entry["size"]), z3.ULE(offset + size, self.entry["size"])), "an access is within the memory"))
        return offset

    def field(self, path, offset, parts, size):
        """A field of the machine record."""
        if parts or any(offset + number in path.vm for number in range(size)):
            raise NotAllowed(f"{path.pc:#x}: a field of the machine at {offset} and {parts}")
        return z3.BitVec(f"vm.{offset}.{size}", BYTE * size)

    def store_word(self, path, operation):
        """Put a word at an address."""
        node, address = operation.inputs[2], path.registers[operation.inputs[1]]
        value = words.term(as_word(path.registers[node], node.size), BYTE * node.size)
        name, constant, parts = self.based(path, address)
        if name == "memory":
            offset = self.within(path, address, node.size)
            for number in range(node.size):
                path.bytes = z3.Store(path.bytes, offset + number, z3.Extract(BYTE * number + BYTE - 1, BYTE * number, value))
        elif name == "vm" and not parts:
            for number in range(node.size):
                path.vm[constant + number] = z3.Extract(BYTE * number + BYTE - 1, BYTE * number, value)
        elif name == "frame":
            index, byte = self.position(path, constant, parts)
            if byte or node.size != BYTE:
                raise NotAllowed(f"{path.pc:#x}: a part of a slot is stored")
            path.slots = z3.Store(path.slots, index, value)
        else:
            raise NotAllowed(f"{path.pc:#x}: a store into {name}")


# ---- what an operation means


class Meaning:
    """What an operation does, in the terms of a handler's entry."""

    def __init__(self, handler, operation):
        self.handler, self.operation, self.row, self.form = handler, operation, operation.row, operation.form
        self.slots, self.bytes = handler.start().slots, handler.start().bytes

    def word(self, number):
        """A word of code, counted from the operation."""
        return z3.Select(self.handler.word, z3.BitVecVal(number, ADDRESS))

    def field(self, position):
        """One of the fields of the operation, as a number of a slot."""
        return z3.ZeroExt(48, z3.Extract(16 * position + 15, 16 * position, self.word(0)))

    def slot(self, position):
        """What is in the slot that a field names."""
        return z3.Select(self.slots, self.field(position))

    def operand(self, number, value):
        """An operand in the width of its type."""
        return z3.Extract(WORD[self.row.parameters[number]].bits - 1, 0, value)

    def operands(self):
        """The operands of an instruction that computes."""
        if self.operation.inner:
            return self.operands_of_pair()
        if self.form in (Form.COPY_VALUE, Form.BACK_VALUE):
            return [self.operand(0, self.copied(1)), self.low()]
        name = self.form.name.split("_")[-1]
        sources = {"UNARY": [self.slot(1)], "SLOTS": [self.slot(1), self.slot(2)], "VALUE": [self.slot(1), self.word(1)],
                   "FROM": [self.word(1), self.slot(1)]}[name]
        return [self.operand(number, value) for number, value in enumerate(sources)]

    def operands_of_pair(self):
        """The result of the inner instruction, and the second operand of the other."""
        behind = self.word(1)
        *own, other = {Form.VALUE_SLOTS: (self.slot(1), behind, self.slot(2)), Form.VALUE_VALUE: (self.slot(1), self.low(), self.high()),
                       Form.SLOTS_SLOTS: (self.slot(1), self.slot(2), z3.Select(self.slots, z3.ZeroExt(48, z3.Extract(15, 0, behind)))),
                       Form.SLOTS_VALUE: (self.slot(1), self.slot(2), behind), Form.STEP_SLOTS: (self.slot(1), self.slot(2), self.slot(3)),
                       Form.STEP_VALUE: (self.slot(1), self.low(), self.slot(2)), Form.STEP_VALUES: (self.slot(1), self.low(), self.high())}[self.form]
        width = WORD[self.operation.inner.results[0]].bits
        return [run(meaning(self.operation.inner), [z3.Extract(width - 1, 0, value) for value in own]), self.operand(1, other)]

    def low(self):
        """The lower half of the word behind."""
        return z3.Extract(31, 0, self.word(1))

    def high(self):
        """The upper half of the word behind."""
        return z3.Extract(63, 32, self.word(1))

    def copied(self, position):
        """What is in the slot that a field names once another slot was copied, where the form does that."""
        if self.form is Form.COPY_VALUE:
            return z3.Select(self.copy(), self.field(position))
        return self.slot(position)

    def copy(self):
        """The slots after the copy that comes before a sum."""
        return z3.Store(self.slots, z3.ZeroExt(48, z3.Extract(47, 32, self.word(1))), self.slot(2))

    def after(self):
        """The slots once the operation is done."""
        if self.form in STEPS:
            return z3.Store(self.slots, self.field(3 if self.form is Form.STEP_VALUE else 1), wide(self.operands()[0]))
        return z3.Store(self.copy() if self.form is Form.COPY_VALUE else self.slots, self.field(3), wide(self.computed()))

    def computed(self):
        """The result of an instruction."""
        return run(meaning(self.row), self.operands())

    def trap(self):
        """Why an instruction that computes traps, as a term."""
        return z3.BitVecVal(int(Trap.NONE), BYTE) if trap(self.row) is None else bits.term(run(trap(self.row), self.operands()), Trap)

    def address(self):
        """The address of an access: 32 bits, and the offset on top."""
        kind, width = "SUM" if self.form is Form.STORE_SUM_VALUE else self.form.name.split("_")[-1], self.row.width
        low = z3.Extract(31, 0, self.slot(1))
        value = z3.Extract(31, 0, self.word(1))
        base = {"SUM": low + value, "SCALED": (low << (width.bit_length() - 1)) + value, "SLOTS": low + z3.Extract(31, 0, self.slot(2))}.get(kind, low)
        offset = z3.ZeroExt(32, value) if kind in ("FAR", "SLOTS") else self.field(2 if self.form in LOADS else 3)
        return z3.ZeroExt(32, base) + offset

    def move(self):
        """From where and to where bytes are moved."""
        parts = [(z3.Extract(31, 0, self.slot(1)), self.low()), (z3.Extract(31, 0, self.slot(2)), self.high())]
        return [z3.ZeroExt(32, base + more) if self.form is Form.MOVE_SUM else z3.ZeroExt(32, base) + z3.ZeroExt(32, more) for base, more in parts]

    def inside(self):
        """For each access, whether it is within the memory."""
        return [z3.ULE(at + self.row.width, self.handler.entry["size"]) for at in (self.move() if self.form in MOVES else [self.address()])]

    def moved(self):
        """The memory after a move."""
        source, target = self.move()
        after = self.bytes
        for number in range(self.row.width):
            after = z3.Store(after, target + number, z3.Select(self.bytes, source + number))
        return after

    def loaded(self):
        """What a load leaves in its slot."""
        raw = z3.Concat(*(z3.Select(self.bytes, self.address() + number) for number in reversed(range(self.row.width)))) if self.row.width > 1 else (
            z3.Select(self.bytes, self.address()))
        held = WORD[self.row.results[0]].bits
        if raw.size() < held:
            raw = (z3.SignExt if is_signed(self.row) else z3.ZeroExt)(held - raw.size(), raw)
        return wide(raw)

    def stored(self):
        """The memory after a store."""
        source = {Form.STORE_VALUE: self.word(1), Form.STORE_SUM_VALUE: z3.ZeroExt(32, self.high())}.get(self.form, self.slot(2))
        after = self.bytes
        for number in range(self.row.width):
            after = z3.Store(after, self.address() + number, z3.Extract(BYTE * number + BYTE - 1, BYTE * number, source))
        return after


def run(function, arguments):
    """What a function of the language returns, as a term."""
    return Unbounded(Store(set())).run(translate(function), arguments)


def wide(value):
    """A value as it is held in a slot."""
    if z3.is_bool(value):
        return z3.If(value, z3.BitVecVal(1, ADDRESS), z3.BitVecVal(0, ADDRESS))
    return z3.ZeroExt(ADDRESS - value.size(), value) if value.size() < ADDRESS else value


# ---- the comparison


@dataclass(frozen=True)
class Goal:
    """What must be so at the end of a path, and which the words for it."""

    condition: object
    what: str


class Comparison:
    """Compares a handler with its operation."""

    def __init__(self, image, operation):
        self.operation, self.handler = operation, Handler(image, operation.name)
        self.handler.remainders(operation)
        self.handler.entry_link = z3.BitVec("x30", ADDRESS)
        self.paths = self.longest = 0

    def run(self):
        """`(result, reason)`."""
        try:
            for path in self.started():
                self.paths, self.longest = self.paths + 1, max(self.longest, path.count)
                reason = self.compare(path)
                if reason is not None:
                    return reason
        except NotAllowed as problem:
            return "refuted", str(problem)
        except GaveUp as problem:
            return "unknown", str(problem)
        return ("proved", "") if self.paths else ("unknown", "no path is possible")

    def started(self):
        """Every path, from a state that knows where it came from."""
        start = self.handler.start()
        start.registers[registers()["x30"]] = self.handler.entry_link
        return self.handler.explore(start)

    def compare(self, path):
        """What is wrong with a path, or None."""
        meant = Meaning(self.handler, self.operation)
        left = not words.known(path.ended) and path.ended.eq(self.handler.entry_link)
        goals = [Goal(condition, what) for condition, what in path.obligations]
        goals += self.left(meant, path) if left else self.dispatched(meant, path)
        for goal in goals:
            answer = self.ask(goal)
            if answer is not None:
                return answer, f"{goal.what}, on the path {['%x %s' % (at, 'yes' if taken else 'no') for at, taken in path.trail]}"
        return None

    def ask(self, goal):
        """`refuted` or `unknown` for a goal that was not proved, else None."""
        solver = self.handler.solver
        solver.push()
        solver.add(z3.Not(bits.truth(goal.condition)))
        answer = solver.check()
        if answer == z3.unsat:
            second.confirm(solver)
        solver.pop()
        return None if answer == z3.unsat else "refuted" if answer == z3.sat else "unknown"

    def dispatched(self, meant, path):
        """The handler goes on: where, and with what."""
        entry, form = self.handler.entry, self.operation.form
        conditions, following, budget, slots, memory = self.going_on(meant)
        yield from (Goal(condition, "it goes on only when the operation does") for condition in conditions)
        for name, register in STATE.items():
            wanted = {"code": entry["code"] + BYTE * following, "budget": budget}.get(name, entry[name])
            yield Goal(words.equal(path.registers.named(register), wanted, ADDRESS), f"{name} as it goes on")
        number = z3.ZeroExt(48, z3.Extract(15, 0, z3.Select(self.handler.word, following)))
        yield Goal(words.term(path.ended, ADDRESS) == z3.Select(self.handler.handler, number), "it goes on at the handler of the next operation")
        yield Goal(path.slots == slots, "the slots as it goes on")
        yield Goal(path.bytes == memory, "the memory as it goes on")
        yield Goal(not path.vm, f"{form.name} leaves the machine record alone")

    def going_on(self, meant):
        """When an operation goes on, at which word, and what is then left of the budget, in slots and in memory."""
        form, budget, slots, memory = self.operation.form, self.handler.entry["budget"], meant.slots, meant.bytes
        one, two = z3.BitVecVal(1, ADDRESS), z3.BitVecVal(2, ADDRESS)
        if form in LOADS or form in STORES or form in MOVES:
            following = one if form in (Form.LOAD, Form.STORE) else two
            if form in LOADS:
                return meant.inside(), following, budget, z3.Store(slots, meant.field(3), meant.loaded()), memory
            return meant.inside(), following, budget, slots, meant.moved() if form in MOVES else meant.stored()
        if form in COMPUTED:
            following = one if form in (Form.UNARY, Form.SLOTS) else two
            return [meant.trap() == int(Trap.NONE)], following, budget, meant.after(), memory
        taken = self.taken(meant)
        if form in STEPS or form is Form.BACK_VALUE:
            slots = meant.after()
        taken = z3.Not(taken) if form.name.startswith("UNLESS") else taken
        word = 0 if form in (Form.IF_VALUE, Form.UNLESS_VALUE, Form.LOOP_VALUE, Form.STEP_VALUES) else 1
        target = word + z3.SignExt(32, z3.Extract(63, 32, meant.word(word)))
        if form not in BACK:
            return [], z3.If(taken, target, two), budget, slots, memory
        return [z3.Or(z3.Not(taken), budget != 0)], z3.If(taken, target, two), z3.If(taken, budget - 1, budget), slots, memory

    def taken(self, meant):
        """Is the branch of an operation taken? A branch back without a condition always is."""
        return z3.BoolVal(True) if self.operation.form is Form.BACK_VALUE else bits.truth(meant.computed())

    def left(self, meant, path):
        """The run is left: why, and what the machine record says."""
        entry, form = self.handler.entry, self.operation.form
        if form in BACK:
            outcome, reason = Outcome.SUSPENDED, None
            condition = z3.And(self.taken(meant), entry["budget"] == 0)
        elif form in LOADS or form in STORES or form in MOVES:
            outcome, reason = Outcome.TRAPPED, z3.BitVecVal(int(Trap.MEMORY_OUT_OF_BOUNDS), BYTE)
            condition = z3.Not(z3.And(*meant.inside()))
        else:
            outcome, reason = Outcome.TRAPPED, meant.trap()
            condition = meant.trap() != int(Trap.NONE)
        yield Goal(condition, f"it leaves the run only when the operation does: {outcome.name}")
        wanted = {"at": self.distance("code", 3), "frame": self.distance("frame", 3, "stack"), "depth": self.distance("control", 3), "budget": entry["budget"],
                  "outcome": z3.BitVecVal(int(outcome), BYTE), **({"trap": reason} if reason is not None else {})}
        stored = set(path.vm)
        for name, value in wanted.items():
            slot = FIELDS[name]
            places = range(slot.offset, slot.offset + slot.size)
            stored -= set(places)
            if not set(places) <= set(path.vm):
                yield Goal(False, f"{name} is told")
                continue
            found = z3.Concat(*(path.vm[place] for place in reversed(places))) if slot.size > 1 else path.vm[slot.offset]
            yield Goal(found == value, f"{name} is told")
        yield Goal(not stored, "nothing else of the machine record changes")
        yield Goal(words.equal(words.extract(path.registers.named("x0"), 0, BYTE, ADDRESS), int(outcome), BYTE), "the outcome is returned")
        yield Goal(path.slots == meant.slots, "the slots are left as they were")
        yield Goal(path.bytes == meant.bytes, "the memory is left as it was")

    def distance(self, name, shift, record=None):
        """How far a pointer of the state is into a slice of the machine, in elements."""
        start = z3.BitVec(f"vm.{FIELDS[record or name].offset}.8", ADDRESS)
        return z3.Extract(31, 0, z3.LShR(self.handler.entry[name] - start, shift))


def provable():
    """The operations whose handlers are compared."""
    return [operation for operation in OPERATIONS if operation.form in PROVED and all(operand[0] != "f" for operand in operands(operation.row))]


def operands(row):
    """The names of the types that a numeric instruction computes with."""
    return [type_.name.lower() for type_ in (*row.parameters, *row.results)] if row.is_numeric else ["i"]


# ---- the obligations

PART = "handlers: "         # the name of a step: the operations of one form
LEVEL, PROPERTY = 4, "handler"
HERE = Path(__file__).parent


def steps():
    """One step for each form."""
    return [PART + form.name for form in PROVED]


def questions(step):
    """The obligations of a step: `(id, level, decide)`."""
    for operation in provable():
        if PART + operation.form.name == step:
            yield f"{operation.name}/{PROPERTY}", LEVEL, lambda operation=operation: decide(operation)


def decide(operation):
    """Compare the handler of an operation with its meaning."""
    start, comparison = time.process_time(), Comparison(built(), operation)
    result, reason = comparison.run()
    return Row(f"{operation.name}/{PROPERTY}", LEVEL, PROPERTY, operation.name, result, time.process_time() - start,
               f"the handler of {operation.name} does what its operation means, stays within the memory, and goes on at the next one", reason=reason,
               rounds=comparison.paths)


@lru_cache(maxsize=None)
def rules():
    """The fingerprint of everything that a comparison rests on, but for the handler itself."""
    spec = HERE.parent.parent / "spec" / "wasm"
    return fingerprint.digest(fingerprint.prover(), *(path.read_text() for path in (*sorted(HERE.glob("*.py")), *sorted(spec.glob("*.py")))))


def key(id_):
    """What the proof of one handler depends on: the prover, the meaning of instructions, the bytes of the image."""
    return fingerprint.digest(rules(), second.mark(), built().sha256, id_)


def listing():
    """What the list of obligations depends on."""
    return rules()
