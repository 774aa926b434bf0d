"""What does the body of a function consist of?"""

from tests.wasm.choices import I32, REFERENCES, TAKING, TRAPPING, TYPES
from tests.wasm.statements import Statements

DEPTH = 5  # levels of nesting


class Writer(Statements):
    """Writes one body."""

    def write(self):
        """The whole body."""
        self.header()
        if self.tame:
            for index in self.small:
                if index < len(self.parameters):
                    self.emit("local.get", index, gives=(I32,))
                    self.limit()
                    self.emit("local.set", index, takes=1)
        while self.left > 0 and self.draw(20):
            self.sequence(DEPTH)
        self.arrange(self.results)

    def sequence(self, depth):
        """Write some instructions that may do anything with the operands of the innermost block."""
        for _ in range(self.draw(10)):
            if self.left <= 0:
                return
            top = self.stack[-1] if len(self.stack) > self.frames[-1].height else None
            kind = self.draw(8)
            if kind < 4 or top is None and kind > 5:
                self.statement(depth)
            elif kind < 6:
                self.expression(self.pick(TYPES), depth)
            elif kind == 6:
                self.use(top, depth)
            else:
                self.leave_behind(top)

    def use(self, top, depth):
        """Compute with the top operand, and with the one below if it has the same type."""
        if top in REFERENCES:
            self.emit("ref.is_null", takes=1, gives=(I32,))
            return
        row = self.pick(TAKING[top])
        safe = not self.tame or row.name not in TRAPPING
        below = self.stack[-2] if len(self.stack) - 1 > self.frames[-1].height else None
        if len(row.parameters) == 2 and (below is not top or not safe):
            self.expression(top, depth - 1) if safe else self.harmless(top)
        elif not safe:
            return
        self.emit(row.name, takes=len(row.parameters), gives=row.results)

    def leave_behind(self, type_):
        """Remove the top operand, into a local, a global, or nowhere."""
        targets = [index for index, other in enumerate(self.locals) if other is type_ and index not in self.small]
        globals_ = self.globals_of(type_, True)
        if globals_ and self.draw(2):
            self.emit("global.set", self.pick(globals_), takes=1)
        elif targets and self.draw(3):
            self.emit(self.pick(("local.set", "local.tee")), self.pick(targets), takes=1)
            if self.code[-1][0].name == "local.tee":
                self.stack.append(type_)
                self.emit("drop", takes=1)
        else:
            self.emit("drop", takes=1)

    def arrange(self, wanted):
        """Leave just these operands in the innermost block; in dead code, fewer will do."""
        height = self.frames[-1].height
        keep = 0
        while keep < len(wanted) and height + keep < len(self.stack) and self.stack[height + keep] is wanted[keep]:
            keep += 1
        if self.frames[-1].unreachable and self.draw(2):
            keep = 0
            wanted = wanted[self.draw(len(wanted) + 1) :]
        while len(self.stack) > height + keep:
            self.leave_behind(self.stack[-1])
        for type_ in wanted[keep:]:
            self.expression(type_, 1)

    def operands(self, types, depth):
        """Write operands of these types.

        In dead code, the first ones may be missing. Other things may be done in between.
        """
        frame = self.frames[-1]
        missing = frame.unreachable and len(self.stack) == frame.height and self.draw(2)
        for type_ in types[self.draw(len(types) + 1) if missing else 0 :]:
            self.expression(type_, depth)
            self.between(depth)
