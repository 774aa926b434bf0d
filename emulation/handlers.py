"""How may a handler of the WebAssembly machine be entered? On random machines where its operation has a meaning.

Handlers are entered as they enter each other. Their table leads out, so that only one operation is done.
"""

import copy
import random
from functools import lru_cache
from typing import Any

from corollary.codegen import build
from corollary.emulation.pair import Entry, call
from corollary.emulation.processor import BACK, GENERAL, ONWARD, ROOM, SCRATCH, VECTORS, program
from corollary.emulation.values import boundary
from corollary.language.frontend import translate
from corollary.language.layout import WORD, align, encode, size_of
from corollary.language.types import SliceType, is_scalar
from corollary.language.values import allocate
from corollary.model.wasm import machine as running
from corollary.model.wasm.reference import function_of
from corollary.spec.kernel.memory_map import PAGE, Region
from corollary.spec.wasm.internal import OPERATIONS
from corollary.spec.wasm.machine import Machine, Memory, Table, TableOf

HANDLER = "take_"
STATE = (
    "code",
    "frame",
    "memory",
    "size",
    "budget",
    "control",
    "vm",
    "table",
)  # in x20 to x27: what Clang calls preserve_none
FIRST = 20
CALLEE_SAVED = (*range(FIRST, FIRST + len(STATE)), 29, 30)
WATCHED = ("scratch",)
OPERATION = {f"{HANDLER}{operation.name}": (number, operation) for number, operation in enumerate(OPERATIONS)}
BITS = 64
SLOTS, CODE, BYTES, ITEMS = 96, 48, 256, 24  # of a machine: slots, words of code, bytes of memory, items of all else
NUMBERS = 1 << 16  # of operations: a word of code may name any


@lru_cache(maxsize=1)
def built():
    """Return the VM for AArch64, and the region where it lies."""
    found = program(build.vm_image())
    start = min(address for address, _ in found.sections) // PAGE * PAGE
    end = align(max(address + len(data) for address, data in found.sections), PAGE)
    return found, (Region("vm", start, end - start, "code", "handlers and their constants"),)


class Layout:
    """A layout in memory: writes values with slices one after the other, and remembers where each record lies."""

    def __init__(self, put, start):
        self.put, self.next, self.place = put, start, {}

    def room(self, size):
        """Reserve room for so many bytes; return its address."""
        address, self.next = self.next, align(self.next + size, 16)
        return address

    def laid(self, value, type_, address):
        """Write a record at an address, and everything that it refers to."""
        self.place[id(value)] = address
        for slot in type_.layout.slots:
            part = getattr(value, slot.name)
            if not isinstance(slot.type, SliceType):
                self.put(address + slot.offset, encode(part, slot.type))
                continue
            shared = type_ is TableOf and slot.name == "elements"
            at = self.elements_of(value.table[0]) if shared else self.elements(part, slot.type.element)
            self.place[id(part)] = at
            self.put(address + slot.offset, at.to_bytes(WORD, "little") + len(part).to_bytes(WORD, "little"))

    def elements(self, part, type_):
        """Write the elements of a slice; return their address."""
        step = size_of(type_)
        at = self.room(step * len(part))
        for number in range(len(part)) if not is_scalar(type_) else ():
            self.laid(part[number], type_, at + number * step)
        if is_scalar(type_):
            self.put(at, b"".join(encode(part[number], type_) for number in range(len(part))))
        return at

    def elements_of(self, table):
        """Return the address of the elements of a table, which its instance names, too."""
        return self.place[id(table.elements)]


class HandlerCases:
    """Random machines on both sides of a pair, and ways to enter a handler, or a function that handlers call."""

    def __init__(self, pair, symbol):
        self.pair, self.symbol, self.random = pair, symbol, random.Random(symbol)
        self.address = pair.sides[0].program.symbols[symbol][0]
        self.function: Any = None
        if symbol not in OPERATION:
            self.function = translate(getattr(running, symbol.removeprefix("machine_")))
        self.meaning = function_of(OPERATION[symbol][1]) if symbol in OPERATION else self.function.python
        self.table = SCRATCH + ROOM - NUMBERS * WORD
        pair.put(self.table, ONWARD.to_bytes(WORD, "little") * NUMBERS)

    def differences(self, count):
        """Yield how the sides differ, or None, for each of `count` machines.

        The operation is not entered where it has no meaning.
        """
        done = tried = 0
        while done < count and tried < 100 * count:
            tried += 1
            machine = self.machine()
            arguments = self.arguments(machine)
            if self.defined(machine, arguments):
                done += 1
                different = self.pair.differs(self.entry(machine, arguments))
                yield different and f"{self.symbol}: {different}"

    def defined(self, machine, arguments):
        """Does the operation have a meaning here?"""
        twin, passed = copy.deepcopy((machine, arguments))
        try:
            self.meaning(*(passed if self.function else (twin,)))
            return True
        except (ArithmeticError, ValueError, IndexError):
            return False

    # ---- machines

    def machine(self):
        """Return a machine that holds anything, but is about to do this operation."""
        vm = self.filled(Machine)
        vm.at, vm.frame, vm.depth = (
            self.random.randrange(8, 24),
            self.random.randrange(16),
            self.random.randrange(1, SLOTS - 1),
        )
        vm.budget, vm.stop = self.random.choice((0, 1, 2, 1000)), self.random.choice((0, 0, 1))
        if self.symbol in OPERATION:
            vm.code[vm.at] = OPERATION[self.symbol][0] | self.fields() << 16
        return vm

    def fields(self):
        """Return three fields of an operation."""
        return sum(self.random.randrange(24) << 16 * number for number in range(3))

    def filled(self, type_):
        """Return a random record of a type; its slices are as long as in small machines."""
        made = type_()
        for name, inner in type_.fields.items():
            if is_scalar(inner):
                setattr(made, name, self.scalar(inner))
            elif isinstance(inner, SliceType) and not (type_ is TableOf and name == "elements"):
                allocate(made, **{name: self.elements(name, inner.element)})
        if type_ is Memory:
            made.size = self.random.choice((len(made.bytes), self.random.randrange(len(made.bytes) + 1)))
        if type_ is Table:
            made.size = self.random.choice((len(made.elements), self.random.randrange(len(made.elements) + 1)))
        if type_ is TableOf:
            object.__setattr__(made, "elements", made.table[0].elements)
        return made

    def elements(self, name, type_):
        """Return the elements of a slice, by its name."""
        if not is_scalar(type_):
            return [self.filled(type_) for _ in range({"memory": 1, "table": 1, "module": 1}.get(name, 3))]
        count = {"stack": SLOTS, "control": SLOTS, "code": CODE, "bytes": BYTES, "beyond": 0}.get(name, ITEMS)
        return [self.word() if type_.bits == BITS else self.scalar(type_) for _ in range(count)]

    def word(self):
        """Return a slot or a word of code: a small number like an address or a distance, a boundary, or anything."""
        kind = self.random.randrange(4)
        if kind == 0:
            return self.random.randrange(BYTES)
        if kind == 1:
            return self.random.randrange(24) | self.random.randrange(16) << 32
        if kind == 2:
            return self.float()
        return self.random.choice(
            (
                0,
                1,
                (1 << 31) - 1,
                1 << 31,
                (1 << 32) - 1,
                1 << 32,
                (1 << 63) - 1,
                1 << 63,
                (1 << 64) - 1,
                self.random.getrandbits(BITS),
            )
        )

    def float(self):
        """Return the bits of a float of either width: zero, infinity, NaN, the least, the largest, or any."""
        width, exponent = self.random.choice(((32, 8), (64, 11)))
        sign, fraction = self.random.getrandbits(1) << width - 1, width - 1 - exponent
        scale = self.random.choice(
            (
                0,
                1,
                (1 << exponent - 1) - 1,
                (1 << exponent - 1) + self.random.randrange(70),
                (1 << exponent) - 2,
                (1 << exponent) - 1,
            )
        )
        return (
            sign
            | scale % (1 << exponent) << fraction
            | self.random.choice((0, 1, 1 << fraction - 1, self.random.getrandbits(fraction)))
        )

    def scalar(self, type_):
        """Return a value of a type, which is likely to be one of its boundaries."""
        while True:
            number = (
                self.random.choice(
                    (self.random.randrange(4), self.random.randrange(BYTES), boundary(type_, self.random))
                )
                % type_.bound
            )
            try:
                return type_.coerce(bool(number) if type_.name == "bool" else number)
            except ValueError:  # an enumeration without this number
                pass

    # ---- entries

    def arguments(self, machine):
        """Return the arguments of a function that handlers call: parts of the machine, and numbers."""
        parts = {
            Machine: lambda: machine,
            Memory: lambda: machine.memory[0],
            Table: lambda: machine.tables[self.random.randrange(3)].table[0],
        }
        return [
            parts[each.type]() if each.type in parts else self.scalar(each.type)
            for each in (self.function.parameters if self.function else ())
        ]

    def entry(self, machine, arguments):
        """Write the machine to both sides; return how its code is entered."""
        layout = Layout(self.pair.put, SCRATCH)
        vm = layout.room(size_of(Machine))
        layout.laid(machine, Machine, vm)
        general, sp = [self.random.getrandbits(BITS) for _ in GENERAL[:-1]] + [BACK], self.table - PAGE
        vectors = tuple(self.random.getrandbits(2 * BITS) for _ in VECTORS)
        if self.function:
            for number, (parameter, value) in enumerate(zip(self.function.parameters, arguments)):
                width = 8 * parameter.type.storage if is_scalar(parameter.type) else BITS
                held = int(value) if is_scalar(parameter.type) else layout.place[id(value)]
                general[number] = general[number] >> width << width | held
            returns = self.function.returns
            return Entry(
                self.address, tuple(general), sp, vectors, ends=call(8 * returns.storage if returns is not None else 0)
            )
        memory = machine.memory[0]
        at = {name: layout.place[id(getattr(machine, name))] for name in ("code", "stack", "control")}
        state = (
            at["code"] + WORD * machine.at,
            at["stack"] + WORD * machine.frame,
            layout.place[id(memory.bytes)],
            memory.size,
            machine.budget,
            at["control"] + WORD * machine.depth,
            vm,
            self.table,
        )
        general[FIRST : FIRST + len(STATE)] = map(int, state)
        return Entry(self.address, tuple(general), sp, vectors, ends={BACK: ((29,), 8), ONWARD: (CALLEE_SAVED, 0)})
