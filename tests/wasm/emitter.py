"""How is an instruction of a body written, and what is on the operand stack after it?"""

from dataclasses import dataclass

from corollary.spec.wasm.opcodes import BY_NAME
from tests.wasm.choices import I32, SMALL, TYPES

LENGTH = (20, 40, 60, 60, 100, 300)  # approximate number of instructions in a body


@dataclass
class Frame:
    """An open block.

    It has the operands that a branch to it takes, the base of its own operands, and whether its rest never runs.
    """

    label: tuple
    height: int
    unreachable: bool = False


class Emitter:
    """Writes instructions of one body.

    It knows the content of the operand stack at every step. In dead code, the stack may hold fewer operands than are
    taken.
    """

    stack: list

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
        """Write one instruction, and update the stack."""
        self.code.append((BY_NAME[name], immediates))
        self.left -= 1
        if takes:
            del self.stack[max(self.frames[-1].height, len(self.stack) - takes) :]
        self.stack += gives

    def constant(self, value):
        """Write an i32 constant."""
        self.emit("i32.const", value, gives=(I32,))

    def limit(self):
        """Make the top i32 small."""
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
