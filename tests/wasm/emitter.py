"""How is an instruction of a body written, and what is on the operand stack after it?"""

from dataclasses import dataclass

from spec.wasm.opcodes import BY_NAME
from tests.wasm.choices import I32, SMALL, TYPES

LENGTH = (20, 40, 60, 60, 100, 300)           # instructions of a body, about


@dataclass
class Frame:
    """A block that is open: what a branch to it takes along, where its own operands begin, and whether its rest never runs."""

    label: tuple
    height: int
    unreachable: bool = False


class Emitter:
    """Writes instructions of one body.

    What the operand stack holds is known at every step; in code that never runs there may be less on it than is taken.
    """

    def __init__(self, author, body):
        self.author, self.body, self.draw, self.pick, self.tame = author, body, author.draw, author.pick, author.tame
        self.program, self.code, self.stack = author.program, body.code, []
        self.parameters, self.results = self.program.types[body.type]
        self.frames = [Frame(self.results, 0)]
        self.left = self.pick(LENGTH)
        body.locals = [self.pick(TYPES) for _ in range(self.draw(6) if self.draw(40) < 39 else self.draw(300))]
        self.locals = [*self.parameters, *body.locals]
        integers = [index for index, type_ in enumerate(self.locals) if type_ is I32]
        self.small = [index for index in integers if self.draw(2)]

    def emit(self, name, *immediates, takes=0, gives=()):
        """One instruction, and what it does to the stack."""
        self.code.append((BY_NAME[name], immediates))
        self.left -= 1
        if takes:
            del self.stack[max(self.frames[-1].height, len(self.stack) - takes):]
        self.stack += gives

    def constant(self, value):
        """An i32."""
        self.emit("i32.const", value, gives=(I32,))

    def limit(self):
        """Make the uppermost i32 small."""
        self.constant(SMALL)
        self.emit("i32.and", takes=2, gives=(I32,))

    def header(self):
        """Take fuel, or end."""
        fuel = self.author.fuel
        self.emit("global.get", fuel, gives=(I32,))
        self.emit("i32.eqz", takes=1, gives=(I32,))
        self.emit("if", None, takes=1)
        if self.draw(3) == 2:
            self.code += [*map(self.author.bits, self.results), (BY_NAME["return"], ())]
        else:
            self.code.append((BY_NAME["unreachable"], ()))
        self.emit("end")
        self.emit("global.get", fuel, gives=(I32,))
        self.constant(1)
        self.emit("i32.sub", takes=2, gives=(I32,))
        self.emit("global.set", fuel, takes=1)
