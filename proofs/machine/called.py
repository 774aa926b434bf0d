"""Does the machine code that handlers call do what its function in the model says?

Every path is checked, for any arguments, on any machine. Two well-known functions of the image, `memmove` and
`memset`, move and fill bytes. That they do so is a row of the ledger.
"""

import time

import z3

from corollary.language.layout import size_of
from corollary.language.types import SliceType, is_scalar, u64
from corollary.proofs import bits
from corollary.proofs.machine import handlers, words
from corollary.proofs.machine.convention import CALL, HALVES, RETURN, VM_FUNCTION
from corollary.proofs.machine.heap import different, part, range_of, read
from corollary.proofs.machine.interpreter import CALLED, VM, Interpreter, Thread
from corollary.proofs.machine.lanes import Lanes
from corollary.proofs.machine.lift import SIZE, NotAllowed, instruction, registers
from corollary.proofs.machine.memory import ADDRESS, BYTE, Layout, encoded, held, linear
from corollary.proofs.machine.sums import normal
from corollary.proofs.prove import ObligationResult
from corollary.proofs.symbolic import LENGTH, Reference, along
from corollary.spec.wasm.machine import Machine, Memory, Table

MOVE, FILL = "memmove", "memset"


class Entered(Interpreter):
    """The machine code of a function, entered by the standard calling convention."""

    convention = VM_FUNCTION

    def __init__(self, image, function, heap):
        super().__init__(image, function.symbol, heap)
        self.handlers, self.function = {}, function
        self.arguments = [self.argument(item) for item in function.parameters]

    def argument(self, item):
        """Return the value of a parameter: any scalar, the machine, its memory, or any of its tables."""
        if is_scalar(item.type):
            return z3.Const(item.name, bits.sort(item.type))
        return {
            Machine: VM,
            Memory: part(VM, "memory", 0),
            Table: part(VM, "tables", z3.BitVec(item.name, ADDRESS), "table", 0),
        }[item.type]

    def start(self):
        """Return the state at the entry."""
        path = Thread(self.symbol.address, Lanes(self.unknown), self.heap.fork(), symbol=self.symbol)
        for name, value in self.entry.items():
            path.registers[registers()[name]] = value
        for position, (item, value) in enumerate(zip(self.function.parameters, self.arguments)):
            path.registers[registers()[f"x{position}"]] = self.passed(item.type, value)
        return path

    def passed(self, type_, value):
        """Return the word that passes an argument in its register.

        A scalar may leave a part of it undefined. A record in a slice is passed as the address of the slice's first
        element.
        """
        if not is_scalar(type_):
            return self.pointer(value if value is VM else slice_of(value))
        width = BYTE * type_.storage
        garbage = [(self.anything("garbage", ADDRESS - width), ADDRESS - width)] if width < ADDRESS else []
        return words.concat([(encoded(value, type_), width), *garbage])

    def call(self, thread, target):
        """Move or fill bytes. Raises `NotAllowed` if anything else is called."""
        name = self.image.at[target].name if target in self.image.at else hex(target)
        if name not in (MOVE, FILL):
            raise NotAllowed(f"{thread.pc:#x}: {self.symbol.name} calls {name}")
        self.plain(self.image.at[target])
        self.obey(thread, CALL)
        to, what, size = (thread.registers.named(f"x{number}") for number in range(3))
        place, at = self.slice_at(thread, to)
        count = self.elements(thread, place, size)
        self.within(thread, place, at, count)
        value = (self.moved if name == MOVE else self.filled)(thread, place, what, count)
        self.abandon(thread)
        kept = {each: thread.registers.named(each) for each in HALVES}
        thread.registers.drop(VM_FUNCTION.lost)
        for each, word in {"x0": to, **kept}.items():
            thread.registers[registers()[each]] = word
        range_of(thread.heap, place, at, count, value)

    def plain(self, symbol):
        """Check that unproved code of the image reaches no system register. Raises `NotAllowed` if it does."""
        for address in self.image.code(symbol):
            code = instruction(self.image.read(address, SIZE), address)
            if code.form.use not in self.uses:
                raise NotAllowed(f"{address:#x}: {code.text} is an instruction for {code.form.use}, in {symbol.name}")

    def moved(self, thread, place, word, count):
        """Return the elements that are moved to a slice, by number, as they were before any of them changed."""
        source, first = self.slice_at(thread, word)
        if source.type is not place.type:
            raise NotAllowed(f"{thread.pc:#x}: elements of {'.'.join(source.path)} go to {'.'.join(place.path)}")
        self.within(thread, source, first, count)
        before = thread.heap.fork()
        return lambda number: read(before, source.element(words.add(number, first, ADDRESS)))

    def filled(self, thread, place, word, count):
        """Return the byte that a slice is filled with, by number."""
        if place.type.element.storage != 1:
            raise NotAllowed(f"{thread.pc:#x}: {'.'.join(place.path)} is filled with bytes")
        byte = held(word, place.type.element, thread.oblige)
        return lambda number: byte

    def slice_at(self, thread, word):
        """Return `(slice, position)` of what an address points to."""
        place, offset, parts = self.base(thread, linear(word))
        if not isinstance(getattr(place, "type", None), SliceType):
            raise NotAllowed(f"{thread.pc:#x}: bytes of no slice")
        position, left, parts = Layout(thread.oblige).position(size_of(place.type.element), offset, parts, None)
        if left or parts:
            raise NotAllowed(f"{thread.pc:#x}: an address between elements of {'.'.join(place.path)}")
        return place, normal(position)

    def elements(self, thread, place, count):
        """Return the number of elements of a slice that `count` bytes make."""
        found = linear(count)
        number, left, parts = Layout(thread.oblige).position(
            size_of(place.type.element), found.constant, list(found.parts.values()), None
        )
        if left or parts:
            raise NotAllowed(f"{thread.pc:#x}: a part of an element of {'.'.join(place.path)}")
        return normal(number)

    def within(self, thread, place, first, count):
        """Oblige `count` elements from `first` on to lie within a slice."""
        length = read(thread.heap, place.field(LENGTH, u64))
        first, count, length = (words.term(word, ADDRESS) for word in (first, count, length))
        thread.oblige(
            z3.And(z3.BVAddNoOverflow(first, count, False), z3.ULE(first + count, length)),
            f"{'.'.join(place.path)} is moved and filled in range",
        )


def slice_of(place):
    """Return the slice that a place is an element of."""
    path = place.path[:-1]
    return Reference(place.root, path, place.indices[:-1], along(Machine, path)[0])


class Comparison(handlers.Comparison):
    """Compares the machine code of a function with the function in the model."""

    def __init__(self, image, function, meant=None):
        code = Entered(image, function, handlers.any_machine())
        self.prepare(code, meant or function, code.arguments)

    def premises(self):
        """Yield what holds for every machine, and that the objects passed to the function exist."""
        yield from self.sizes()
        for place in self.arguments:
            if isinstance(place, Reference) and place is not VM:
                yield words.less(0, read(self.store, slice_of(place).field(LENGTH, u64)), ADDRESS)

    def known(self):
        """Return nothing: no more is known at the end."""
        return ()

    def ended(self, path):
        """Yield what must hold where a path ends.

        The code returns the function's result to its caller, and leaves the same machine.
        """
        yield from self.preserved(path, RETURN)
        returns = self.function.returns
        if returns is not None:
            width = BYTE * returns.storage
            yield (
                words.equal(
                    words.extract(path.registers.named("x0"), 0, width, ADDRESS), encoded(self.result, returns), width
                ),
                "the result",
            )
        yield from different(path.heap, self.left, "as it returns")


# ---- the obligations

PART = "called by handlers"
LEVEL, PROPERTY = 4, "called"


def steps():
    """Return one step for all of them."""
    return [PART]


def questions(step):
    """Yield the obligations: `(id, level, decide)`."""
    for symbol, function in CALLED.items():
        yield f"{symbol}/{PROPERTY}", LEVEL, lambda function=function: decide(function)


def decide(function):
    """Compare the machine code of a function with the function in the model."""
    start, comparison = time.process_time(), Comparison(handlers.built(), function)
    answer = comparison.run()
    return ObligationResult(
        f"{function.symbol}/{PROPERTY}",
        LEVEL,
        PROPERTY,
        function.symbol,
        answer.result,
        time.process_time() - start,
        f"the machine code of {function.symbol} does what the model says, and reaches nothing else",
        reason=answer.reason,
        rounds=comparison.paths,
    )
