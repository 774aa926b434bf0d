"""Which instructions leave a value of a type on the operand stack?"""

from typing import Any

from corollary.emulation.operands import pattern
from corollary.spec.wasm.bytecodes import Form
from corollary.spec.wasm.internal import OPERATIONS
from corollary.spec.wasm.machine import PAGE
from corollary.spec.wasm.opcodes import BY_NAME
from tests.wasm.choices import (
    CONTENT,
    ELEMENTS,
    F32,
    F64,
    FUNCREF,
    I32,
    I64,
    LOADING,
    NEAR,
    NUMERIC,
    REFERENCES,
    ROWS,
    SMALL,
    STORING,
    TRAPPING,
    TYPES,
    WIDTH,
)
from tests.wasm.emitter import Emitter, Frame

MAKING = {type_: [row for row in ROWS if row.is_numeric and row.results[0] is type_] for type_ in NUMERIC}
CHAINED = {type_: [row for row in MAKING[type_] if row.parameters == (type_, type_)] for type_ in NUMERIC}
COMPARED = {operation.opcode for operation in OPERATIONS if operation.form is Form.IF_SLOTS}
COMPARING = [row for row in ROWS if row.opcode in COMPARED]
COMPARING_I32 = [row for row in COMPARING if row.parameters[0] is I32]


class Expressions(Emitter):
    """Writes instructions that leave values. Subclasses write statements."""

    arrange: Any
    dismiss: Any
    leave_behind: Any
    operands: Any
    sequence: Any
    statement: Any

    def expression(self, type_, depth):
        """Write one more operand."""
        if depth <= 0 or self.left <= 0 or self.draw(3) == 0:
            self.leaf(type_)
        else:
            self.pick(EXPRESSIONS[type_])(self, type_, depth - 1)

    def leaf(self, type_):
        """Write a local, a constant, or a global."""
        locals_ = [index for index, other in enumerate(self.locals) if other is type_]
        globals_ = self.globals_of(type_, False)
        kind = self.draw(8)
        if kind > 2 and locals_:
            self.emit("local.get", self.pick(locals_), gives=(type_,))
        elif kind == 2 and globals_:
            self.emit("global.get", self.pick(globals_), gives=(type_,))
        elif type_ is FUNCREF and kind > 0:
            self.emit("ref.func", self.draw(len(self.author.function_types)), gives=(type_,))
        else:
            row, immediates = self.author.bits(type_)
            self.emit(row.name, *immediates, gives=(type_,))

    def globals_of(self, type_, mutable):
        """Return the globals of a type, without the fuel."""
        return [
            index
            for index, (other, changes) in enumerate(self.author.globals)
            if other is type_ and index != self.author.fuel and (changes or not mutable)
        ]

    def computed(self, type_, depth):
        """Write the result of a numeric instruction."""
        row = self.pick(MAKING[type_])
        if row.name not in TRAPPING or not self.tame:
            self.operands(row.parameters, depth)
        else:
            self.operands(row.parameters[:-1], depth)
            self.harmless(row.parameters[-1])
        self.emit(row.name, takes=len(row.parameters), gives=row.results)

    def chained(self, type_, depth):
        """Write the result of one instruction as an operand of the next, with locals and constants."""
        rows = [row for row in CHAINED[type_] if row.name not in TRAPPING]
        self.simple(type_)
        for _ in range(2 + self.draw(2)):
            self.simple(type_)
            self.emit(self.pick(rows).name, takes=2, gives=(type_,))

    def simple(self, type_):
        """Write a local, or a constant that is often small."""
        self.harmless(type_) if self.draw(2) else self.leaf(type_)

    def harmless(self, type_):
        """Write a constant that does not trap as a divisor or in a conversion."""
        number = 1 + self.draw(100)
        self.emit(
            f"{type_.name.lower()}.const",
            pattern(float(number), WIDTH[type_]) if type_ in (F32, F64) else number,
            gives=(type_,),
        )

    def loaded(self, type_, depth):
        """Write a load from memory."""
        if not self.author.memory:
            return self.leaf(type_)
        row = self.pick(LOADING[type_])
        self.address(row, depth)
        self.between(depth)
        self.emit(row.name, *self.argument(row), takes=1, gives=row.results)

    def argument(self, row):
        """Return the alignment and offset of an access."""
        bound = self.author.memory[0][0] * PAGE - (SMALL << 3) - 2 * NEAR
        offset = self.pick(
            (0, 0, 0, self.draw(64), self.draw(NEAR), self.draw(max(bound, 1)) if self.tame else self.draw(1 << 32))
        )
        return self.draw(row.width.bit_length()), offset

    def address(self, row, depth):
        """Write an i32 address, computed in one of the usual ways."""
        small = list(self.small) or [index for index, type_ in enumerate(self.locals) if type_ is I32]
        kind = self.draw(8)
        if kind == 0 or not small:
            self.constant(self.nearby())
        elif kind == 7:
            self.expression(I32, depth)
            if self.tame:
                self.limit()
        else:
            self.emit("local.get", self.pick(small), gives=(I32,))
            if kind in (3, 4, 5):
                self.constant(self.draw(4) if self.draw(2) else row.width.bit_length() - 1)
                self.emit("i32.shl", takes=2, gives=(I32,))
            if kind == 6:
                self.emit("local.get", self.pick(small), gives=(I32,))
                self.emit("i32.add", takes=2, gives=(I32,))
            for _ in range(self.draw(3) if kind in (2, 4, 5) else 0):
                self.constant(self.nearby() if self.tame or self.draw(2) else self.author.bits(I32)[1][0])
                self.emit("i32.add" if self.tame or self.draw(3) else "i32.sub", takes=2, gives=(I32,))

    def nearby(self):
        """Return a number to add to an address; it often leads into the first data segment."""
        return self.draw(self.pick((CONTENT, NEAR)))

    def shaped(self, type_, depth):
        """Write a value that has the form of an address but is none."""
        self.address(self.pick(STORING), depth)

    def compared(self, type_, depth):
        """Write a truth value."""
        kind = self.draw(8)
        if kind == 0:
            self.expression(self.pick((I32, I64)), depth)
            self.emit(f"{self.stack[-1].name.lower() if self.stack else 'i32'}.eqz", takes=1, gives=(I32,))
        elif kind == 1:
            self.expression(self.pick(REFERENCES), depth)
            self.emit("ref.is_null", takes=1, gives=(I32,))
        else:
            row = self.pick(COMPARING)
            self.operands(row.parameters, depth)
            self.emit(row.name, takes=2, gives=(I32,))

    def counted(self, type_, depth):
        """Write a size, or the result of growing."""
        table = self.draw(len(self.author.tables)) if self.author.tables else None
        grows = self.author.grows and self.draw(2)
        if self.author.memory and (table is None or self.draw(2)):
            if grows:
                self.expression(I32, 0) if self.draw(3) == 2 else self.constant(self.draw(3))
            self.emit("memory.grow" if grows else "memory.size", takes=int(bool(grows)), gives=(I32,))
        elif table is not None:
            if grows:
                self.expression(self.author.tables[table][0], 1)
                self.expression(I32, 0) if self.draw(3) == 2 else self.constant(self.draw(3))
            self.emit("table.grow" if grows else "table.size", table, takes=2 if grows else 0, gives=(I32,))
        else:
            self.leaf(type_)

    def fetched(self, type_, depth):
        """Write a reference from a table."""
        tables = self.tables_of(type_)
        if not tables:
            return self.leaf(type_)
        self.index(depth)
        self.emit("table.get", self.pick(tables), takes=1, gives=(type_,))

    def tables_of(self, type_):
        """Return the tables of a type."""
        return [
            index
            for index, (element, (minimum, _)) in enumerate(self.author.tables)
            if element is type_ and (minimum or not self.tame)
        ]

    def index(self, depth):
        """Write a number that most likely is an index of a table."""
        if self.tame or self.draw(3):
            self.constant(self.draw(3 if self.tame else ELEMENTS))
        else:
            self.expression(I32, depth)

    def called(self, type_, depth):
        """Write the first result of a function."""
        candidates = [index for index, (_, results) in enumerate(self.author.function_types) if results[:1] == (type_,)]
        if not candidates:
            return self.leaf(type_)
        self.dismiss(self.call(candidates, depth) - 1)

    def call(self, candidates, depth):
        """Call one of some functions, or an element of a table; return the number of results."""
        index = self.pick(candidates)
        parameters, results = self.author.function_types[index]
        tables = [number for number, (element, _) in enumerate(self.author.tables) if element is FUNCREF]
        fitting = [(table, at) for table, at, type_ in self.author.placed if type_ == (parameters, results)]
        indirect = tables and (fitting or not self.tame) and self.draw(2)
        self.operands(parameters, depth)
        if indirect:
            right = fitting and (self.tame or self.draw(3))
            table, at = self.pick(fitting) if right else (self.pick(tables), None)
            self.index(depth) if at is None else self.kept(at) if self.author.memory and self.draw(
                2
            ) else self.constant(at)
            self.emit("call_indirect", self.program.types.index((parameters, results)), table, takes=1)
        else:
            self.emit("call", index)
        del self.stack[max(self.frames[-1].height, len(self.stack) - len(parameters)) :]
        self.stack += results
        return len(results)

    def condition(self, depth):
        """Write an i32, and perhaps other things before it is used."""
        self.compared(I32, depth) if self.draw(3) else self.expression(I32, depth)
        self.between(depth)

    def between(self, depth):
        """Write something between an operand and its use."""
        if self.left > 0 and self.draw(self.author.interrupts) == 2:
            self.statement(depth - 1)

    def selected(self, type_, depth):
        """Write a choice between two values."""
        self.operands((type_, type_), depth)
        self.condition(depth)
        if type_ in REFERENCES or self.draw(2):
            self.emit("select_typed", type_, takes=3, gives=(type_,))
        else:
            self.emit("select", takes=3, gives=(type_,))

    def teed(self, type_, depth):
        """Write a value that also stays in a local."""
        targets = [index for index, other in enumerate(self.locals) if other is type_]
        self.expression(type_, depth)
        if targets:
            target = self.pick(targets)
            if self.tame and target in self.small:
                self.limit()
            self.emit("local.tee", target, takes=1, gives=(type_,))

    def kept(self, value):
        """Write an i32 that is stored in memory and loaded again."""
        start = len(self.code)
        self.address(BY_NAME["i32.load"], 0)
        address = self.code[start:]
        argument = self.argument(BY_NAME["i32.load"])
        self.constant(value)
        self.emit("i32.store", *argument, takes=2)
        self.code += address
        self.emit("i32.load", *argument, gives=(I32,))

    def blocked(self, type_, depth):
        """Write the result of a block."""
        self.structured((type_,), depth)

    # ---- blocks

    def structured(self, results, depth):
        """Write a block with operands from outside."""
        kind = self.pick(("block", "if", "loop"))
        parameters = tuple(self.pick(TYPES) for _ in range(self.draw(3) if self.draw(2) else 0))
        self.operands(parameters, depth)
        if kind == "if":
            self.condition(depth)
        self.block(kind, parameters, results, depth)

    def block(self, kind, parameters, results, depth):
        """Write a block whose operands and condition are already there."""
        type_ = (
            results[0]
            if len(results) == 1 and not parameters
            else self.author.type_index(parameters, results)
            if parameters or results
            else None
        )
        self.emit(kind, type_, takes=int(kind == "if"))
        height = max(self.frames[-1].height, len(self.stack) - len(parameters))
        self.stack[height:] = parameters
        self.frames.append(Frame(parameters if kind == "loop" else results, height))
        self.inside(kind == "loop", results, depth)
        if kind == "if" and (parameters != results or self.draw(2)):
            self.emit("else")
            self.stack[height:] = parameters
            self.frames[-1] = Frame(results, height)
            self.inside(False, results, depth)
        self.frames.pop()
        self.emit("end")
        self.stack[height:] = results

    def inside(self, loop, results, depth):
        """Write the instructions of a block."""
        if loop:
            self.header()
        self.sequence(depth)
        if loop and self.draw(4):
            self.arrange(self.frames[-1].label)
            self.step() if self.draw(2) else self.condition(depth)
            self.emit("br_if", 0, takes=1)
            if self.frames[-1].unreachable:
                self.stack[self.frames[-1].height :] = self.frames[-1].label
        self.arrange(results)

    def step(self):
        """Write a condition on a counting local."""
        counters = [index for index, type_ in enumerate(self.locals) if type_ is I32 and index not in self.small]
        row = self.pick(COMPARING_I32)
        if not counters:
            return self.condition(0)
        counter = self.pick(counters)
        self.emit("local.get", counter, gives=(I32,))
        self.simple(I32)
        self.emit("i32.add", takes=2, gives=(I32,))
        self.emit("local.set", counter, takes=1)
        for counted in (True, False) if self.draw(2) else (False, True):
            self.emit("local.get", counter, gives=(I32,)) if counted else self.simple(I32)
        self.emit(row.name, takes=2, gives=(I32,))


ANYWHERE = (Expressions.called, Expressions.selected, Expressions.teed, Expressions.blocked)
COMMON = (Expressions.computed,) * 3 + (Expressions.chained,) + (Expressions.loaded,) * 2 + ANYWHERE
EXPRESSIONS = (
    dict.fromkeys(NUMERIC, COMMON)
    | {
        I32: COMMON
        + (Expressions.computed, Expressions.shaped, Expressions.shaped, Expressions.compared, Expressions.counted)
    }
    | dict.fromkeys(REFERENCES, (Expressions.fetched, *ANYWHERE))
)
