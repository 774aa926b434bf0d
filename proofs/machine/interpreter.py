"""What does the machine code of a handler leave behind? Symbolic execution between two dispatches, on any machine.

The machine is an object of the model. Through the registers of the convention, the code reaches the elements of its
slices. While the code runs, registers hold the place in the code, the frame, the calls and the budget. The record's
own fields for them then hold anything.
"""

from dataclasses import dataclass, field
from typing import Any

import z3

from corollary.codegen.vm import RUNNING
from corollary.language.frontend import translate
from corollary.language.layout import size_of
from corollary.language.types import Slice, SliceType, is_scalar, u64
from corollary.language.values import Record
from corollary.proofs import bits
from corollary.proofs.machine import alignment, words
from corollary.proofs.machine.beyond import Wide
from corollary.proofs.machine.calls import result_of
from corollary.proofs.machine.conditions import Conditions
from corollary.proofs.machine.convention import ARGUMENTS, CALL, PRESERVE_NONE, RESULT, SP, VM_FUNCTION
from corollary.proofs.machine.frames import STACK, Framed, get, put
from corollary.proofs.machine.heap import different, leave_anything, part, range_of, read
from corollary.proofs.machine.lanes import Lanes
from corollary.proofs.machine.lift import SIZE, NotAllowed, Varnode, instruction, registers
from corollary.proofs.machine.memory import ADDRESS, BYTE, Layout, decoded, divided, encoded, held, linear, signed
from corollary.proofs.machine.path import Path
from corollary.proofs.machine.platform import loops
from corollary.proofs.machine.processor import Undecided, as_word, is_condition
from corollary.proofs.machine.sums import near, normal, parted
from corollary.proofs.symbolic import LENGTH, TOP, Reference, along, belongs
from corollary.spec.wasm.machine import Machine

STATE = {
    "code": "x20",
    "frame": "x21",
    "memory": "x22",
    "size": "x23",
    "budget": "x24",
    "control": "x25",
    "vm": "x26",
    "table": "x27",
}
"""Where the convention `preserve_none` passes the interpreter's state on AArch64."""
IN_PLACE = {"at": "code", "frame": "frame", "depth": "control", "budget": "budget"}
"""The machine's fields that registers of the convention stand for while the code runs."""
CALLED = {translate(function).symbol: translate(function) for function in RUNNING}
"""The model functions that handlers call, by their symbols."""
HANDLER = "take_"  # start of a handler's symbol
ELEMENTS = ("tables", "[]", "elements")
STACKED = ("stack",)  # the slice whose addresses are compared: it does not wrap
MEMORY = ("memory", "[]", "bytes")
MOST_ROUNDS = 1 << 32
MOST_INSTRUCTIONS = 1000  # on one path


class Steps(Record):
    """The handlers, by the numbers of their operations."""

    take: Slice[u64]


VM, STEPS = Reference("vm", (), (), Machine), Reference("steps", (), (), Steps)


def not_yet(condition, number):
    """Return that there were no more rounds than it takes a sum to become zero, or True if nothing is known.

    The sum changes by one each round and is zero after the last round, so it was not zero so far.
    """
    ends = condition.arg(0) if z3.is_not(condition) else condition
    if ends is condition or not z3.is_eq(ends) or ends.arg(0).sort() != number.sort():
        return True
    changing = words.subtract(*ends.children(), width=ADDRESS)
    step = signed(linear(changing).parts.get(number.get_id(), (0, number))[0], ADDRESS)
    if step not in (1, -1):
        return True
    rest = normal(words.subtract(changing, words.multiply(number, step & words.mask(ADDRESS), ADDRESS), ADDRESS))
    if not words.known(rest) and number.get_id() in {key for key, _ in bits.unseen(rest, set())}:
        return True  # the start of the count changes, too
    return z3.ULE(number, words.term(normal(words.multiply(rest, -step & words.mask(ADDRESS), ADDRESS)), ADDRESS))


def wide(number):
    """Return a 32-bit number as a word."""
    return words.extend(number, 32, ADDRESS)


@dataclass
class Call:
    """A call of a model function: its arguments, and the machine at the time."""

    function: Any
    scalars: dict
    places: dict
    heap: Any


@dataclass
class Thread(Path):
    """One path of a handler during its execution."""

    symbol: Any = None  # the handler whose code it is in
    calls: list = field(default_factory=list)
    rounds: tuple = ()  # first instructions of the loops that it is in
    ended: Any = None  # where it goes on


class Interpreter(Framed, Wide):
    """The machine code of one handler, on any machine; `heap` is what the machine holds."""

    convention, regime = PRESERVE_NONE, alignment.PARTITION

    def __init__(self, image, symbol, heap):
        self.image, self.symbol, self.heap = image, image.functions[symbol], heap
        self.handlers = {symbol.address: symbol for each, symbol in image.functions.items() if each.startswith(HANDLER)}
        self.pointers, self.differences, self.unknowns = {}, {}, {}
        self.conditions = Conditions(heap.facts)
        self.entry = {name: z3.BitVec(name, ADDRESS) for name in self.convention.entered}
        self.multiples = self.aligned_at_entry()
        self.roots = {name: self.pointer(place) for name, place in (("vm", VM), ("table", part(STEPS, "take")))}

    # ---- the machine in registers

    def pointer(self, place):
        """Return the address of a slice's first element, or of the machine."""
        if place.path == ("beyond",):
            return words.add(
                self.pointer(part(VM, "stack")),
                words.multiply(read(self.heap, part(VM, "stack").field(LENGTH, u64)), BYTE, ADDRESS),
                ADDRESS,
            )
        if place.path == ELEMENTS:  # the same as those of the table
            place = part(VM, "tables", place.indices[0], "table", 0, "elements")
        name, indices = f"&{'.'.join((place.root, *place.path))}", [bits.term(index, u64) for index in place.indices]
        symbol: Any = (
            z3.Function(name, *(index.sort() for index in indices), z3.BitVecSort(ADDRESS)) if indices else None
        )
        word = symbol(*indices) if indices else z3.BitVec(name, ADDRESS)
        self.pointers[word.get_id()] = (word, place)
        return word

    def held(self, heap, wide):
        """Return what the convention's registers hold for a machine in the state `heap`.

        `wide` makes words of its numbers.
        """
        value = {name: read(heap, part(VM, name)) for name in IN_PLACE}
        place = {
            "code": ("code", value["at"], BYTE),
            "frame": ("stack", value["frame"], BYTE),
            "control": ("control", value["depth"], BYTE),
        }
        found = {
            name: words.add(self.pointer(part(VM, slice_)), words.multiply(wide(number), size, ADDRESS), ADDRESS)
            for name, (slice_, number, size) in place.items()
        }
        memory = part(VM, "memory", 0)
        return (
            found
            | self.roots
            | {
                "budget": value["budget"],
                "size": read(heap, part(memory, "size")),
                "memory": self.pointer(part(memory, "bytes")),
            }
        )

    def start(self):
        """Return the state at the entry."""
        path = Thread(self.symbol.address, Lanes(self.unknown), self.heap.fork(), symbol=self.symbol)
        for name, value in {
            **{STATE[name]: value for name, value in self.held(self.heap, wide).items()},
            **self.entry,
        }.items():
            path.registers[registers()[name]] = value
        for name in IN_PLACE:
            place = part(VM, name)
            path.heap.write(place, z3.BitVec(f"stale {name}", place.type.bits), TOP)
        return path

    def anything(self, name, width):
        """Return a new unknown word."""
        number = len(self.unknowns) + 1
        word = z3.BitVec(f"{name}.{number}", width)
        self.unknowns[word.get_id()] = (number, word)
        return word

    def unknown(self, node):
        """Return what a register holds that was never written."""
        return self.anything(f"{node.space}.{node.offset:#x}", BYTE * node.size)

    # ---- paths

    def paths(self):
        """Yield every possible path at its end; the solver holds its conditions meanwhile."""
        yield from self.explore(self.start())

    def explore(self, path):
        while path.ended is None:
            if path.pc in loops(self.image, path.symbol) and path.pc not in path.rounds:
                yield from self.rounds(path)
                return
            try:
                fork = self.step(path)
            except Undecided as question:
                path.count -= 1
                fork = question.condition, None
            if fork is not None:
                yield from self.branches(path, *fork)
                return
        yield path

    def step(self, path):
        """Run one instruction; return a condition and a target when the path divides."""
        if not path.symbol.address <= path.pc < path.symbol.end:
            raise NotAllowed(f"{path.pc:#x}: {self.symbol.name} leaves itself")
        path.count += 1
        if path.count > MOST_INSTRUCTIONS:
            raise NotAllowed(f"{path.pc:#x}: {self.symbol.name} runs more than {MOST_INSTRUCTIONS} instructions")
        return self.run(path, instruction(self.image.read(path.pc, SIZE), path.pc))

    def branches(self, path, condition, target):
        """Follow both sides of a branch, if possible. Without a target, both go on at the same instruction."""
        for taken, test in ((True, condition), (False, words.negate(condition))):
            self.conditions.push()
            self.conditions.add(test)
            if not self.conditions.impossible(True):
                side = path.fork()
                side.trail.append((path.pc, taken))
                side.decided[condition.get_id()] = (taken, condition)
                if target is not None and taken:
                    self.jump(side, target)
                elif target is not None:
                    side.pc += SIZE
                yield from self.explore(side)
            self.conditions.pop()

    def divides(self, value):
        """Must the path divide before this word is chosen? The base of an address must be known."""
        return (
            not words.known(value)
            and not is_condition(value)
            and value.size() == ADDRESS
            and any(key in self.pointers for key in linear(value).parts)
        )

    def evaluate(self, thread, operation):
        """Return the value of an operation. For addresses in a slice, only their distances into it matter."""
        if operation.name in ("INT_SUB", "INT_LESSEQUAL", "INT_EQUAL") and operation.inputs[0].size == BYTE:
            found = self.of_addresses(thread, operation.name, *(thread.registers[node] for node in operation.inputs))
            if found is not None:
                return found
        return super().evaluate(thread, operation)

    def beside(self, one, other):
        """Return `(slice, elements, elements)`: how far two addresses are into the same slice; or None."""
        if words.known(one, other):
            return None
        found = [linear(word) for word in (one, other)]
        bases = [
            {key for key, (factor, _) in each.parts.items() if key in self.pointers and factor == 1} for each in found
        ]
        if bases[0] != bases[1] or len(bases[0]) != 1:
            return None
        key = bases[0].pop()
        place = self.pointers[key][1]
        if not isinstance(place.type, SliceType):
            return None
        size = size_of(place.type.element)
        parts = [[part for other, part in each.parts.items() if other != key] for each in found]
        if any(factor % size for each in parts for factor, _ in each) or any(each.constant % size for each in found):
            return None
        return place, *(normal(divided(size, each.constant, rest)[0]) for each, rest in zip(found, parts))

    def of_addresses(self, thread, name, one, other):
        """Return the value of an operation on two addresses in a slice, or None for other words.

        It is their difference, whether that is zero, or whether one address is not above the other. Parts that both
        share may be left out: a slice does not reach over the end of the address space, and what is near its beginning
        does not wrap.
        """
        if name == "INT_EQUAL":
            found = (
                None if words.known(one) or not words.known(other) or other != 0 else self.differences.get(one.get_id())
            )
            return None if found is None else self.alike(thread, *found[1:])
        beside = self.beside(one, other)
        if beside is None:
            return None
        place, one, other = beside
        common, one, other = parted(one, other)
        if name == "INT_LESSEQUAL":
            if place.path != STACKED:
                return None
            thread.obligations += [
                (condition, "an address is near its slice") for condition in near(common, one, other)
            ]
            return words.negate(words.less(other, one, ADDRESS))
        difference: Any = words.multiply(
            normal(words.subtract(one, other, ADDRESS)), size_of(place.type.element), ADDRESS
        )
        if not words.known(difference) and place.path == STACKED:
            self.differences[difference.get_id()] = (difference, common, one, other)
        return difference

    def alike(self, thread, *distances):
        """Are two addresses in a slice the same?"""
        thread.obligations += [(condition, "an address is near its slice") for condition in near(*distances)]
        return words.equal(*distances[1:], width=ADDRESS)

    def jump(self, path, target):
        """Go on elsewhere: in the handler, or at the start of another, which runs as a part of this one."""
        if not path.symbol.address <= target < path.symbol.end:
            if target not in self.handlers:
                raise NotAllowed(f"{path.pc:#x}: {self.symbol.name} leaves itself for {target:#x}")
            path.symbol = self.handlers[target]
        path.pc = target

    def leave(self, path, target):
        """Go on at the next handler, or leave the run."""
        path.ended, path.pc = target, None

    # ---- loops

    def rounds(self, path):
        """Run any round of a loop.

        What a round changes by a constant has changed by that constant times the number of rounds, and what each round
        stores is stored. It is proved that this also holds after the next round. Every obligation of a round is
        proved, too.
        """
        first, number = path.pc, self.anything("round", ADDRESS)
        before = len(self.unknowns)
        once, steps = self.condition(path.fork())[1], {}
        for key, (size, value) in once.registers.pieces.items():
            old = path.registers.pieces.get(key)
            if key[0] == "register" and size == BYTE and old is not None and old[0] == size:
                difference = z3.simplify(
                    words.term(as_word(value, size), ADDRESS) - words.term(as_word(old[1], size), ADDRESS)
                )
                if z3.is_bv_value(difference):
                    steps[key] = difference.as_long()
        sample = self.nth(path, once, steps, number)
        condition, after = self.condition(sample.fork())
        stored = [
            self.stored(key, sample, after, number)
            for key in after.heap.heads
            if after.heap.heads[key] is not sample.heap.heads.get(key)
        ]

        def at(count):
            made = self.nth(path, once, steps, count)
            for place, start, value in stored:
                range_of(made.heap, place, start, count, value)
            return made

        self.conditions.push()
        self.conditions.add(z3.ULE(number, MOST_ROUNDS), *self.so_far(words.condition(condition), number, before))
        again, next_ = self.condition(at(number))
        next_.rounds = (*path.rounds, first)
        for taken, test in ((True, again), (False, words.negate(again))):
            self.conditions.push()
            self.conditions.add(test)
            if not self.conditions.impossible(True):
                side = next_.fork()
                side.trail.append((side.pc, taken))
                if taken:
                    self.same(side, at(number + 1), condition, again, number)
                    side.ended = False
                    yield side
                else:
                    side.pc += SIZE
                    yield from self.explore(side)
            self.conditions.pop()
        self.conditions.pop()

    def so_far(self, condition, number, before):
        """Return what holds after some rounds, since another round followed each of them.

        Return nothing if the condition for another round depends on something that is unknown anew in each round.
        """
        if any(self.unknowns.get(key, (0,))[0] > before for key, _ in bits.unseen(condition, set())):
            return []
        return [z3.Or(number == 0, z3.substitute(condition, (number, number - 1))), not_yet(condition, number)]

    def condition(self, path):
        """Run to the branch back at the end of a round; return the condition for another round, and the path."""
        first = path.pc
        path.rounds = (*path.rounds, first)
        while True:
            fork = self.step(path)
            if path.ended is not None or (fork is not None and fork[1] != first) or (fork is None and path.pc == first):
                raise NotAllowed(f"{first:#x}: a loop is not left by its last branch alone")
            if fork is not None:
                return fork[0], path

    def nth(self, path, once, steps, count):
        """Return a path before a round, without what the rounds so far stored."""
        made = path.fork()
        for key, (size, value) in once.registers.pieces.items():
            if key in steps:
                total = words.add(
                    words.term(as_word(path.registers.pieces[key][1], size), ADDRESS),
                    words.multiply(count, steps[key], ADDRESS),
                    ADDRESS,
                )
                made.registers.pieces[key] = (size, total)
            elif path.registers.pieces.get(key) is None or path.registers.pieces[key][1] is not value:
                made.registers.pieces.pop(key, None)
        return made

    def stored(self, key, before, after, number):
        """Return `(slice, first position, value of each number)` for what a round stores into a slice."""
        node = after.heap.heads[key]
        if (
            node.older is not before.heap.heads.get(key)
            or node.guard is not TOP
            or not node.indices
            or key[1][-1] != "[]"
        ):
            raise NotAllowed(f"{before.pc:#x}: a round stores more than an element")
        place = Reference(
            key[0], key[1][:-1], node.indices[:-1], along(after.heap.shared["roots"][key[0]], key[1][:-1])[0]
        )
        start = normal(words.subtract(node.indices[-1], number, ADDRESS))
        word = bits.term(node.value, place.type.element)
        return place, start, lambda position: z3.substitute(word, (number, words.term(position, ADDRESS)))

    def same(self, path, wanted, condition, again, number):
        """Oblige the path to be, after a round, as it is before the next one."""
        path.oblige(z3.ULT(number, MOST_ROUNDS), "a loop has not too many rounds")
        path.oblige(
            words.condition(condition) == words.condition(again), "a loop goes on for the same reason in each round"
        )
        for key, (size, value) in wanted.registers.pieces.items():
            if key[0] == "register" and (
                key not in path.registers.pieces or path.registers.pieces[key][1] is not value
            ):
                found = as_word(path.registers[Varnode(key[0], key[1], size)], size)
                path.oblige(words.equal(found, as_word(value, size), BYTE * size), "registers after a round")
        path.obligations += different(path.heap, wanted.heap, "after a round")
        if path.stack != wanted.stack or len(path.calls) != len(wanted.calls):
            raise NotAllowed(f"{path.pc:#x}: a round calls or uses the stack")

    # ---- memory

    def load_word(self, thread, operation):
        """Load the word at an address."""
        address, size, loaded = thread.registers[operation.inputs[1]], operation.output.size, []
        self.accessed(thread, address, size)
        place, offset, parts = self.base(thread, linear(address))
        if place is STACK:
            self.own(thread, offset, size)
            return get(thread.stack, offset, size, self.anything)
        while size:
            word, taken = self.loaded(thread, *self.reached(thread, place, offset, parts), size)
            loaded.append((word, BYTE * taken))
            offset, size = offset + taken, size - taken
        return words.concat(loaded)

    def loaded(self, thread, place, offset, size):
        """Return `(word, bytes)` at an offset in a scalar, or in a slice's address and length in a record."""
        if isinstance(place.type, SliceType):
            if offset not in (0, BYTE) or size < BYTE:
                raise NotAllowed(f"{thread.pc:#x}: a part of an address or a length is loaded")
            return (read(thread.heap, self.counted(place).field(LENGTH, u64)) if offset else self.pointer(place)), BYTE
        storage = place.type.storage
        taken = min(size, storage - offset)
        return words.extract(
            encoded(read(thread.heap, place), place.type), BYTE * offset, BYTE * taken, BYTE * storage
        ), taken

    def counted(self, place):
        """Return the slice whose length is the number of elements of a slice."""
        return part(VM, "tables", place.indices[0], "table", 0, "elements") if place.path == ELEMENTS else place

    def store_word(self, thread, operation):
        """Store a word at an address."""
        node = operation.inputs[2]
        value, size, low = as_word(thread.registers[node], node.size), node.size, 0
        address = thread.registers[operation.inputs[1]]
        self.accessed(thread, address, size)
        root, offset, parts = self.base(thread, linear(address))
        if root is STACK:
            self.own(thread, offset, size)
            put(thread.stack, offset, size, value)
            return
        while low < size:
            place, at = self.reached(thread, root, offset + low, parts)
            if isinstance(place.type, SliceType) or at or place.type.storage > size - low or place.root != VM.root:
                raise NotAllowed(f"{thread.pc:#x}: a store into a part of {'.'.join(place.path)}")
            taken = place.type.storage
            thread.heap.write(
                place,
                decoded(words.extract(value, BYTE * low, BYTE * taken, BYTE * size), place.type, thread.oblige),
                TOP,
            )
            low += taken

    def base(self, thread, address) -> Any:
        """Return `(place, offset, parts)`: an address relative to a slice, the machine or the stack."""
        found, rest, constant = None, [], address.constant
        for key, (factor, word) in address.parts.items():
            if z3.is_app_of(word, z3.Z3_OP_ITE) and all(map(z3.is_bv_value, word.children()[1:])):
                if word.arg(0).get_id() not in thread.decided:
                    raise Undecided(word.arg(0))
                constant += factor * word.arg(1 if thread.decided[word.arg(0).get_id()][0] else 2).as_long()
                continue
            base = STACK if key == self.entry[SP].get_id() else self.pointers[key][1] if key in self.pointers else None
            if base is None or factor != 1:
                rest.append((signed(factor, ADDRESS), word))
            elif found is not None:
                raise NotAllowed(f"{thread.pc:#x}: an address with more than one base")
            else:
                found = base
        if found is None or (found is STACK and rest):
            raise NotAllowed(f"{thread.pc:#x}: an address in no object")
        return found, signed(constant, ADDRESS), rest

    def reached(self, thread, place, offset, parts):
        """Return `(place, offset)` at an offset from a slice's first element, or from the machine.

        The place is a scalar or a slice.
        """
        inside = place is VM
        while True:
            type_ = place.type
            if isinstance(type_, SliceType) and not inside:
                position, offset, parts = Layout(thread.oblige).position(size_of(type_.element), offset, parts, None)
                extent = (
                    part(VM, *MEMORY[:1], place.indices[0], "size")
                    if place.path == MEMORY
                    else place.field(LENGTH, u64)
                )
                position = normal(position)
                thread.oblige(
                    words.less(position, read(thread.heap, extent), ADDRESS),
                    f"{'.'.join(place.path)} is indexed in range",
                )
                place, inside = place.element(position), True
            elif isinstance(type_, SliceType) or is_scalar(type_):
                if parts:
                    raise NotAllowed(f"{thread.pc:#x}: an address runs through {'.'.join(place.path)}")
                return place, offset
            else:
                slot = next(
                    (slot for slot in type_.layout.slots if slot.offset <= offset < slot.offset + slot.size), None
                )
                if slot is None:
                    raise NotAllowed(f"{thread.pc:#x}: an address between the fields of {type_.__name__}")
                place, offset = place.field(slot.name, slot.type), offset - slot.offset

    # ---- calls

    def call(self, thread, target):
        """Record a call of a model function."""
        name = self.image.at[target].name if target in self.image.at else hex(target)
        function = CALLED.get(name)
        if function is None:
            raise NotAllowed(f"{thread.pc:#x}: {self.symbol.name} calls {name}")
        self.obey(thread, CALL)
        scalars, places = {}, {}
        if len(function.parameters) > len(ARGUMENTS):
            raise NotAllowed(f"{thread.pc:#x}: {name} is given arguments on the stack")
        for register, item in zip(ARGUMENTS, function.parameters):
            word = thread.registers.named(register)
            if is_scalar(item.type):
                scalars[item.name] = (held(word, item.type, thread.oblige), item.type)
            else:
                places[item.name] = self.pointed(thread, word, item.type)
        self.abandon(thread)
        number = len(thread.calls)
        thread.calls.append(Call(function, scalars, places, thread.heap.fork()))
        thread.registers.drop(VM_FUNCTION.lost)
        leave_anything(thread.heap, number, function, places)
        if function.returns is not None:
            result = result_of(function, number)
            self.conditions.add(bits.truth(belongs(result, function.returns)))
            width = BYTE * function.returns.storage
            garbage = [(self.anything("garbage", ADDRESS - width), ADDRESS - width)] if width < ADDRESS else []
            thread.registers[registers()[RESULT]] = words.concat([(encoded(result, function.returns), width), *garbage])

    def pointed(self, thread, word, type_):
        """Return the object of a type that a pointer leads to."""
        place, offset, parts = self.base(thread, linear(word))
        if place is STACK:
            raise NotAllowed(f"{thread.pc:#x}: a pointer to the stack")
        if isinstance(place.type, SliceType):
            position, offset, parts = Layout(thread.oblige).position(size_of(place.type.element), offset, parts, None)
            position = normal(position)
            thread.oblige(
                words.less(position, read(thread.heap, place.field(LENGTH, u64)), ADDRESS),
                f"{'.'.join(place.path)} is indexed in range",
            )
            place = place.element(position)
        if place.type is not type_ or offset or parts:
            raise NotAllowed(f"{thread.pc:#x}: a pointer to no {type_.__name__}")
        return place
