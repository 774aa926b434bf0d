"""Which instructions leave the operand stack unchanged, but may do anything else?"""

from corollary.spec.wasm.module import Mode
from corollary.spec.wasm.opcodes import BY_NAME
from tests.wasm.choices import I32, LOADING, NEAR, NUMERIC, ROWS, STORING, TAKING, TRAPPING, TYPES
from tests.wasm.emitter import Frame
from tests.wasm.expressions import Expressions

TALL = 24  # operands at a time


class Statements(Expressions):
    """Writes instructions that leave the operand stack unchanged."""

    def statement(self, depth):
        """Write one such statement."""
        self.pick(STATEMENTS)(self, max(depth - 1, 0))

    def set_local(self, depth):
        """Set a local."""
        if not self.locals:
            return
        target = self.draw(len(self.locals))
        self.expression(self.locals[target], depth)
        if self.tame and target in self.small:
            self.limit()
        self.emit("local.set", target, takes=1)

    def set_global(self, depth):
        """Set a global."""
        type_ = self.pick(TYPES)
        targets = self.globals_of(type_, True)
        if targets:
            self.expression(type_, depth)
            self.emit("global.set", self.pick(targets), takes=1)

    def store(self, depth):
        """Store a value in memory."""
        if self.author.memory:
            row = self.pick(STORING)
            self.address(row, depth)
            self.expression(row.parameters[1], depth)
            self.emit(row.name, *self.argument(row), takes=2)

    def moved(self, depth):
        """Move memory to another place in memory."""
        if self.author.memory:
            store = self.pick(STORING)
            load = self.pick([row for row in LOADING[store.parameters[1]] if row.width == store.width])
            self.address(store, depth)
            self.address(load, depth)
            self.emit(load.name, *self.argument(load), takes=1, gives=load.results)
            self.emit(store.name, *self.argument(store), takes=2)

    def nested(self, depth):
        """Write a block with unused results."""
        if depth <= 0:
            return
        results = tuple(self.pick(TYPES) for _ in range(self.draw(3) if self.draw(2) else 0))
        self.structured(results, depth)
        self.dismiss(len(results))

    def dismiss(self, count):
        """Remove the top operands."""
        for _ in range(count):
            self.leave_behind(self.stack[-1])

    def call_any(self, depth):
        """Write a call with unused results."""
        self.dismiss(self.call(range(len(self.author.function_types)), depth))

    def branch_if(self, depth):
        """Write a branch that may be taken."""
        label = self.draw(len(self.frames))
        types = self.frames[-1 - label].label
        self.operands(types, depth)
        self.condition(depth)
        self.emit("br_if", label, takes=1 + len(types), gives=types)
        self.dismiss(len(types))

    def leave(self, depth):
        """Write code that never goes on, mostly where it is not always reached."""
        if self.draw(4):
            self.condition(depth)
            self.emit("if", None, takes=1)
            self.frames.append(Frame((), len(self.stack)))
            self.gone(depth)
            self.arrange(())
            self.frames.pop()
            self.emit("end")
        elif len(self.frames) > 1:
            self.gone(depth)

    def gone(self, depth):
        """Write a branch, a return, or a trap."""
        kind = self.draw(10)
        label = self.draw(len(self.frames))
        if kind == 0 and not self.tame:
            self.emit("unreachable")
        elif kind < 3:
            self.operands(self.results, depth)
            self.emit("return")
        elif kind < 6:
            self.operands(self.frames[-1 - label].label, depth)
            self.emit("br", label)
        else:
            self.by_table(label, depth)
        del self.stack[self.frames[-1].height :]
        self.frames[-1].unreachable = True

    def by_table(self, label, depth):
        """Write a branch to one of many labels."""
        types = self.frames[-1 - label].label
        same = [other for other in range(len(self.frames)) if self.frames[-1 - other].label == types]
        self.operands(types, depth)
        if self.author.memory and self.draw(3) == 2:
            row = BY_NAME["i32.load8_u"]
            self.address(row, depth)
            self.emit(row.name, *self.argument(row), takes=1, gives=(I32,))
        else:
            self.expression(I32, depth)
        if self.draw(4) == 3:
            self.constant(3)
            self.emit("i32.and", takes=2, gives=(I32,))
        self.emit("br_table", *(self.pick(same) for _ in range(self.draw(5))), label)

    def nothing(self, depth):
        """Write no operation."""
        self.emit("nop")

    def tower(self, depth):
        """Write many operands at a time, with other things done in between."""
        type_ = self.pick(NUMERIC)
        count = 2 + self.draw(TALL)
        rows = [
            row
            for row in TAKING[type_]
            if row.parameters == (type_, type_) and row.results == (type_,) and row.name not in TRAPPING
        ]
        self.operands((type_,) * count, depth - 2)
        for _ in range(count - 1):
            self.emit(self.pick(rows).name, takes=2, gives=(type_,))
        self.leave_behind(type_)

    def bulk(self, depth):
        """Write an operation on the memory, or on a table, as a whole."""
        name = self.pick(BULK)
        rows = {"memory": self.author.memory, "table": self.author.tables}.get(name.split(".")[0], ())
        segments = self.program.data if name in ("memory.init", "data.drop") else self.program.elements
        if name.endswith(".drop"):
            if segments:
                self.emit(name, self.draw(len(segments)))
        elif rows and (segments or name != "memory.init"):
            getattr(self, name.replace(".", "_"))(depth)

    def range(self, depth, *bounds):
        """Write three i32: two places, or a place and a value to fill with, and a count."""
        for bound in bounds:
            self.constant(self.draw(bound)) if self.tame or self.draw(3) else self.expression(I32, depth)

    def memory_fill(self, depth):
        """Fill memory with a byte."""
        self.range(depth, NEAR, 1 << 10, 100)
        self.emit("memory.fill", takes=3)

    def memory_copy(self, depth):
        """Copy bytes to another place."""
        self.range(depth, *self.pick(((200, 200, 200), (200, 200, 200), (NEAR, NEAR, NEAR))))
        self.emit("memory.copy", takes=3)

    def memory_init(self, depth):
        """Copy bytes of a segment."""
        segment = self.draw(len(self.program.data))
        self.range(
            depth,
            NEAR,
            1 + len(self.program.data[segment].content) // 2,
            1 + len(self.program.data[segment].content) // 2,
        )
        self.emit("memory.init", segment, takes=3)

    def table_set(self, depth):
        """Set an element."""
        table = self.draw(len(self.author.tables))
        if self.author.tables[table][1][0] or not self.tame:
            self.index(depth)
            self.expression(self.author.tables[table][0], depth)
            self.emit("table.set", table, takes=2)

    def table_fill(self, depth):
        """Fill a table with an element."""
        table = self.draw(len(self.author.tables))
        element, (minimum, _) = self.author.tables[table]
        self.range(depth, 1 + minimum // 2)
        self.expression(element, depth)
        self.range(depth, 1 + minimum // 2)
        self.emit("table.fill", table, takes=3)

    def table_copy(self, depth):
        """Copy elements to another place."""
        table = self.draw(len(self.author.tables))
        same = [
            index for index, (element, _) in enumerate(self.author.tables) if element is self.author.tables[table][0]
        ]
        source = self.pick(same)
        least = 1 + min(self.author.tables[index][1][0] for index in (table, source)) // 2
        self.range(depth, least, least, least)
        self.emit("table.copy", table, source, takes=3)

    def table_init(self, depth):
        """Copy elements of a segment."""
        table = self.draw(len(self.author.tables))
        element, (minimum, _) = self.author.tables[table]
        fitting = [index for index, segment in enumerate(self.program.elements) if segment.type is element]
        if fitting:
            segment = self.pick(fitting)
            active = self.program.elements[segment].mode is not Mode.PASSIVE
            count = 1 if active and self.tame else 1 + min(minimum, len(self.program.elements[segment].content)) // 2
            self.range(depth, 1 + minimum // 2, count, count)
            self.emit("table.init", segment, table, takes=3)


BULK = tuple(row.name for row in ROWS if hasattr(Statements, row.name.replace(".", "_"))) + ("data.drop", "elem.drop")
STATEMENTS = (
    (Statements.set_local,) * 3
    + (Statements.set_global, Statements.store, Statements.store, Statements.moved)
    + (
        Statements.nested,
        Statements.nested,
        Statements.call_any,
        Statements.branch_if,
        Statements.branch_if,
        Statements.leave,
        Statements.tower,
    )
    + (Statements.bulk, Statements.bulk, Statements.nothing)
)
