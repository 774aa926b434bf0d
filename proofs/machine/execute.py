"""Which paths does a machine function take, and what does each leave behind? Symbolic execution of one function.

A call of another model function is an event. The callee is proved by itself, so here it returns anything, and whatever
it may write holds anything afterwards. The model's side uses the same names for these values.
"""

from dataclasses import dataclass, field
from typing import Any

import z3

from corollary.codegen.declarations import leaf_name
from corollary.language.layout import alignment_of, size_of
from corollary.language.types import is_scalar
from corollary.proofs import bits
from corollary.proofs.footprint import leaves
from corollary.proofs.machine import alignment, words
from corollary.proofs.machine.calls import Event, cell_symbol, cells, facts_of, forget, result_of
from corollary.proofs.machine.convention import ARGUMENTS, CALL, FUNCTION, RESULT, RETURN, SP, TAIL_CALL
from corollary.proofs.machine.frames import STACK, Framed, get, put
from corollary.proofs.machine.lift import SIZE, GaveUp, NotAllowed, instruction, registers
from corollary.proofs.machine.memory import (
    ADDRESS,
    BYTE,
    Layout,
    decoded,
    encoded,
    held,
    linear,
    overlap,
    place_of,
    signed,
)
from corollary.proofs.machine.path import Path
from corollary.proofs.machine.premises import Premises, Typed
from corollary.proofs.machine.processor import Core, Registers, Undecided, as_word, general, is_condition
from corollary.proofs.machine.summary import below, footprint, named
from corollary.proofs.symbolic import TOP, Reference, belongs

MOST_BRANCHES = 200  # branches of one path with both sides possible
IN_REGISTERS = len(ARGUMENTS)


@dataclass
class Thread(Path):
    """One path of a function during its execution."""

    events: list = field(default_factory=list)
    branches: list = field(default_factory=list)  # conditions of the branches
    reached: list = field(default_factory=list)  # addresses of memory that were read or written
    bounded: bool = True  # is every round counted, but in loops that wait for a device?
    ended: str = ""  # how the path ended, if not by a return
    waiting: dict = field(default_factory=dict)  # first instruction of each loop that it is in -> its round
    rounds: list = field(default_factory=list)  # of counting loops, in the order of entry
    again: Any = None  # the round after which a loop goes on, if the path ends there
    operations: tuple | None = None  # numbers of operations that the call may name here, if that matters
    stale: dict = field(default_factory=dict)  # registers that may have changed by now
    clearing: list | None = None  # what a memory-clearing loop stores in one round


class FunctionCode(Framed, Core):
    """The machine code of one function, run on all arguments and states."""

    convention, regime = FUNCTION, alignment.KERNEL

    def __init__(self, image, function, limit=60_000):
        self.image, self.function, self.limit = image, function, limit
        self.symbol = image.functions[function.symbol]
        self.roots = {item.name: item.type for item in function.parameters if not is_scalar(item.type)}
        self.store = Typed(frozenset(self.roots))
        self.solver = Premises(self.store.facts)
        self.store.shared["roots"] = dict(self.roots)
        self.arguments, self.fresh, self.steps = {}, 0, 0
        self.entry = {name: z3.BitVec(f"{name}@entry", ADDRESS) for name in FUNCTION.entered}
        self.pointers, self.words = {}, {}  # what the entry passes: id of a word -> object, parameter -> word
        self.multiples = self.aligned_at_entry()
        self.given = BYTE * max(0, len(function.parameters) - IN_REGISTERS)

    # ---- the beginning

    def start(self):
        """Return the state at the entry. Premises about arguments go to the solver."""
        thread = Thread(self.symbol.address, self.held(), self.store.fork(), {})
        for name, value in self.entry.items():
            thread.registers[registers()[name]] = value
        for position, item in enumerate(self.function.parameters):
            whole = Reference(item.name, (), (), item.type)
            self.arguments[item.name] = z3.Const(item.name, bits.sort(item.type)) if is_scalar(item.type) else whole
            word = self.passed(item) if self.relies_on(item) else self.anything("not passed", ADDRESS)
            self.words[item.name] = word
            if position < IN_REGISTERS:
                thread.registers[registers()[ARGUMENTS[position]]] = word
            else:
                put(thread.stack, BYTE * (position - IN_REGISTERS), BYTE, word)
        return thread

    def held(self):
        """Return the registers that such code may look at or change."""
        return Registers(self.unknown, general())

    def relies_on(self, item):
        """Does the caller pass a parameter? One that the model never reads holds anything: see `call`."""
        return item.name in footprint(self.function).used

    def passed(self, item):
        """Return the word that passes an argument: a scalar of its type, extended, or the address of an object."""
        if is_scalar(item.type):
            value, width = self.arguments[item.name], BYTE * item.type.storage
            self.assume(belongs(value, item.type))
            return words.concat([(encoded(value, item.type), width), *self.garbage(ADDRESS - width)])
        word = z3.BitVec(f"&{item.name}", ADDRESS)
        self.pointers[word.get_id()] = (item.name, word)
        self.multiples[word.get_id()] = alignment_of(item.type)
        return word

    def garbage(self, width):
        """Return bits about which nothing is known."""
        return [(self.anything("garbage", width), width)] if width else []

    def anything(self, name, width):
        """Return a new unknown word."""
        self.fresh += 1
        return z3.BitVec(f"{name}.{self.fresh}", width)

    def unknown(self, node):
        """Return what a register holds that was never written."""
        return self.anything(f"{node.space}.{node.offset:#x}", BYTE * node.size)

    def assume(self, condition):
        """Add a premise."""
        if condition is not True:
            self.solver.add(condition)

    # ---- paths

    def paths(self):
        """Yield every possible path at its return; the solver holds its conditions meanwhile."""
        yield from self.explore(self.start())

    def explore(self, thread):
        while True:
            self.steps += 1
            if self.steps > self.limit:
                raise NotAllowed(f"{self.symbol.name} takes more than {self.limit} steps")
            try:
                fork = self.step(thread)
            except Undecided as question:
                thread.count -= 1
                yield from self.branches(thread, question.condition, None)
                return
            if thread.pc is None:
                yield thread
                return
            if fork is not None:
                yield from self.branches(thread, *fork)
                return

    def branches(self, thread, condition, target):
        """Follow both sides of a branch, if possible. Without a target, both go on at the same instruction."""
        here = thread.pc
        if len(thread.branches) > MOST_BRANCHES:
            raise NotAllowed(f"{here:#x}: {self.symbol.name} divides more than {MOST_BRANCHES} times on one path")
        for taken, test, goes in ((True, condition, target), (False, words.negate(condition), here + SIZE)):
            self.solver.push()
            self.solver.add(test)
            if self.possible():
                side = thread.fork()
                side.branches.append(test)
                side.trail.append((here, taken))
                side.pc = here if target is None else goes
                side.decided[condition.get_id()] = (taken, condition)
                yield from self.explore(side)
            self.solver.pop()

    def possible(self):
        """Can the path be taken?"""
        answer = self.solver.check()
        if answer == z3.unknown:
            raise GaveUp(f"{self.symbol.name}: the solver does not know whether a path is possible")
        return answer == z3.sat

    # ---- instructions

    def step(self, thread):
        """Run one instruction; return a condition and a target when the path divides."""
        if not self.inside(thread.pc):
            raise NotAllowed(f"{self.symbol.name} leaves itself for {thread.pc:#x}")
        thread.count += 1
        return self.run(thread, instruction(self.image.read(thread.pc, SIZE), thread.pc))

    def inside(self, address):
        """Is an address one of the function's own instructions?"""
        return self.symbol.address <= address < self.symbol.end

    def jump(self, thread, target):
        """Go on elsewhere: inside the function, or at another one, which then returns for this one."""
        if self.inside(target) and target != self.symbol.address:
            thread.pc = target
            return None
        self.call(thread, target, tail=True)
        thread.pc = None
        return None

    def leave(self, thread, target):
        """Return to the caller, with everything preserved that must be."""
        self.obey(thread, RETURN, target)
        thread.pc = None
        return None

    def divides(self, value):
        """Must the path divide before this word is chosen? An address must lead to one object."""
        if words.known(value) or is_condition(value) or value.size() != ADDRESS:
            return False
        return any(key in self.pointers or key == self.entry[SP].get_id() for key in linear(value).parts)

    # ---- memory

    def load_word(self, thread, operation):
        """Load the word at an address."""
        return self.load(thread, self.reach(thread, operation.inputs[1], operation.output.size), operation.output.size)

    def store_word(self, thread, operation):
        """Store a word at an address."""
        node = operation.inputs[2]
        address = self.reach(thread, operation.inputs[1], node.size)
        self.save(thread, address, node.size, as_word(thread.registers[node], node.size))

    def reach(self, thread, node, size):
        """Return the address of an access of `size` bytes, which must be aligned."""
        address = thread.registers[node]
        thread.reached.append(address)
        self.accessed(thread, address, size)
        return linear(address)

    def base(self, thread, address):
        """Return `(root, offset, parts)`: an address relative to its base.

        Offsets on the stack count from the entry. Constants have no root.
        """
        stack, found, rest = self.entry[SP].get_id() if self.convention.stack else None, None, []
        for key, (factor, word) in address.parts.items():
            if key == stack or key in self.pointers:
                if found is not None or factor != 1:
                    raise NotAllowed(f"{thread.pc:#x}: an address with more than one base")
                found = STACK if key == stack else self.pointers[key][0]
            else:
                rest.append((signed(factor, ADDRESS), word))
        offset = signed(address.constant, ADDRESS)
        if found == STACK and rest:
            raise NotAllowed(f"{thread.pc:#x}: the stack is indexed by {rest}")
        return found, offset, rest

    def pieces(self, thread, root, offset, parts, size):
        """Return the places that an access of an object touches, lowest first."""
        layout, found = Layout(thread.oblige), []
        while size:
            pieces, taken = layout.scalars(Reference(root, (), (), self.roots[root]), [], offset, parts, size)
            found += pieces
            offset, size = offset + taken, size - taken
        return found

    def load(self, thread, address, size):
        root, offset, parts = self.base(thread, address)
        if root == STACK:
            self.own(thread, offset, size, self.given)
            return get(thread.stack, offset, size, self.anything)
        if root is None:
            return self.constant(thread, offset, parts, size)
        loaded = []
        for piece in self.pieces(thread, root, offset, parts, size):
            if piece.place is None:
                raise NotAllowed(f"{thread.pc:#x}: padding is read")
            word = encoded(thread.heap.read(piece.place, piece.types, TOP), piece.place.type)
            loaded.append(
                (
                    words.extract(word, BYTE * piece.first, BYTE * piece.count, BYTE * piece.place.type.storage),
                    BYTE * piece.count,
                )
            )
        return words.concat(loaded)

    def constant(self, thread, address, parts, size):
        """Return what the constants of the image hold at an address."""
        if not parts:
            return int.from_bytes(self.image.constant(address, size), "little")
        table = self.image.object(address)
        if table is None or len(parts) != 1 or parts[0][0] % size:
            raise NotAllowed(f"{thread.pc:#x}: no constant at {address:#x} with {parts}")
        step, index = parts[0]
        if step <= 0:
            raise NotAllowed(f"{thread.pc:#x}: {table.name} is read backwards")
        count = (table.end - address - size) // step + 1
        thread.oblige(words.less(index, count, ADDRESS), f"{table.name} is indexed in range")
        result = None
        for number in reversed(range(count)):
            value = int.from_bytes(self.image.constant(address + step * number, size), "little")
            result = (
                value
                if result is None
                else words.choose(words.equal(index, number, ADDRESS), value, result, BYTE * size)
            )
        return result

    def save(self, thread, address, size, value):
        root, offset, parts = self.base(thread, address)
        if root == STACK:
            self.push(thread, offset, size, value)
            return
        if root is None:
            raise NotAllowed(f"{thread.pc:#x}: a store to {offset:#x}, outside every object")
        low = 0
        for piece in self.pieces(thread, root, offset, parts, size):
            part = words.extract(value, low, BYTE * piece.count, BYTE * size)
            low += BYTE * piece.count
            if piece.place is None:
                thread.oblige(words.equal(part, 0, BYTE * piece.count), "padding stays zero")
                continue
            type_ = piece.place.type
            if piece.count < type_.storage:
                part = self.spliced(thread, piece, part)
            thread.heap.write(piece.place, decoded(part, type_, thread.oblige), TOP)

    def spliced(self, thread, piece, part):
        """Return a scalar after a store to only some of its bytes."""
        type_ = piece.place.type
        old = encoded(thread.heap.read(piece.place, piece.types, TOP), type_)
        width, first, last = BYTE * type_.storage, BYTE * piece.first, BYTE * (piece.first + piece.count)
        return words.concat(
            [
                *([(words.extract(old, 0, first, width), first)] if first else []),
                (part, last - first),
                *([(words.extract(old, last, width - last, width), width - last)] if last < width else []),
            ]
        )

    def push(self, thread, offset, size, value):
        """Write to the function's own frame."""
        self.own(thread, offset, size)
        thread.deepest = max(thread.deepest, -offset)
        put(thread.stack, offset, size, value)

    # ---- calls

    def call(self, thread, target, tail=False):
        """Record a call of another function."""
        name = self.name(target)
        model = named(self.image.program)
        leaf = {leaf_name(function): function for function in model.values() if function.hardware}.get(name)
        function = leaf or model.get(name)
        if function is None:
            raise NotAllowed(f"{thread.pc:#x}: {self.symbol.name} calls {name}, which is not of the model")
        if not leaf and not self.may_call(function):
            raise NotAllowed(
                f"{thread.pc:#x}: {self.symbol.name} calls {name}, which the model does not: "
                "its proof might rest on itself"
            )
        self.obey(thread, TAIL_CALL if tail else CALL)
        scalars, places = {}, {}
        parameters = [item for item in function.parameters if is_scalar(item.type)] if leaf else function.parameters
        for position, item in enumerate(parameters):
            if not leaf and item.name not in footprint(function).used:
                continue  # the compiler need not pass what is never read
            word = self.argument(thread, position, tail)
            if is_scalar(item.type):
                scalars[item.name] = (held(word, item.type, thread.oblige), item.type)
            else:
                places[item.name] = self.pointed(thread, word, item.type)
        self.apart(thread, function, places)
        self.abandon(thread)
        event = Event(
            len(thread.events),
            function,
            leaf is not None,
            scalars,
            places,
            thread.heap.fork(),
            dict(thread.stack),
            None,
        )
        thread.events.append(event)
        thread.registers.drop(FUNCTION.lost)
        if leaf is None:
            event.result = self.returned(thread, function, event.number)
            self.havoc(thread, event)

    def name(self, target):
        """Return the name of the code at an address."""
        return self.image.at[target].name if target in self.image.at else hex(target)

    def may_call(self, function):
        """Is the proof of a model function independent of this one's?"""
        return function.symbol in below(self.function)

    def apart(self, thread, function, places):
        """Check that objects a callee may write do not overlap its others. Its proof assumes that."""
        kinds = {item.name: item.type for item in function.parameters}
        written = {name for name, _ in footprint(function).writes}
        for one in places:
            for other in places:
                if (
                    one < other
                    and written & {one, other}
                    and overlap(places[one], kinds[one], places[other], kinds[other])
                ):
                    raise NotAllowed(f"{thread.pc:#x}: {function.symbol} gets {one} and {other} that overlap")

    def argument(self, thread, position, tail):
        """Return the word that a callee finds as its n-th argument."""
        if position < IN_REGISTERS:
            return thread.registers.named(ARGUMENTS[position])
        if tail:
            raise NotAllowed(f"{thread.pc:#x}: a tail call with arguments on the stack")
        return self.load(
            thread, linear(words.add(thread.registers.named(SP), BYTE * (position - IN_REGISTERS), ADDRESS)), BYTE
        )

    def pointed(self, thread, word, type_):
        """Return the object of a type that a pointer leads to: a place, or an offset on the stack."""
        root, offset, parts = self.base(thread, linear(word))
        self.aligned(thread, word, alignment_of(type_), "a pointer")
        if root == STACK:
            self.own(thread, offset, size_of(type_))
            self.typed(thread, offset, type_)
            return offset
        if root is None:
            raise NotAllowed(f"{thread.pc:#x}: a pointer to a constant")
        return place_of(Layout(thread.oblige), Reference(root, (), (), self.roots[root]), offset, parts, type_)

    def typed(self, thread, offset, type_):
        """Oblige an object on the stack to hold values of its types.

        A callee's proof assumes this even where its model never looks.
        """
        for at, inner, _ in [cell for path in leaves(type_) for cell in cells(type_, path)]:
            if not inner.exact or inner.bits < BYTE * inner.storage:
                decoded(get(thread.stack, offset + at, inner.storage, self.anything), inner, thread.oblige)

    def returned(self, thread, function, number):
        """Return whatever a function may return."""
        if function.returns is None:
            return None
        result = result_of(function, number)
        for fact in facts_of(function, result):
            self.solver.add(fact)
        width = BYTE * function.returns.storage
        thread.registers[registers()[RESULT]] = words.concat(
            [(encoded(result, function.returns), width), *self.garbage(ADDRESS - width)]
        )
        return result

    def havoc(self, thread, event):
        """Let whatever the callee may write hold anything."""
        for parameter, path in sorted(footprint(event.function).writes):
            place = event.places[parameter]
            if isinstance(place, Reference):
                forget(thread.heap, place, path, event.left(parameter, path))
            else:
                for offset, type_, cell in cells(
                    next(item.type for item in event.function.parameters if item.name == parameter), path
                ):
                    value = thread.heap.noted(cell_symbol(event.left(parameter, path), cell, type_), type_)
                    self.push(thread, place + offset, type_.storage, encoded(value, type_))
