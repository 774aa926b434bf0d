"""Which modules do both engines run?

Random ones that are always valid, always end, and use every instruction in every way.

All randomness comes from numbers that `Choices` draws, and 0 is always the simplest choice. A list of numbers is a
module; fewer or smaller numbers make a simpler module. Loops and functions take from a global `fuel`, which the host
fills before each call.
"""

from random import Random

from corollary.spec.wasm.machine import PAGE
from corollary.spec.wasm.module import External, Mode
from corollary.spec.wasm.opcodes import BY_NAME
from corollary.spec.wasm.values import ValueType
from tests.wasm.binary import Body, Program, Segment
from tests.wasm.choices import CONTENT, ELEMENTS, EXTERNREF, FUNCREF, I32, I64, REFERENCES, TYPES, WIDTH, interesting
from tests.wasm.suite import SPECTEST, HostFunction, HostGlobal
from tests.wasm.writer import Writer

FUEL = 60  # loop headers and function entries of one call
PROVIDER = "first"  # the name under which a module finds the previous one
FUEL_NAME = "fuel"


class Author:
    """Writes a module; it imports from another one, the provider, if there is one."""

    def __init__(self, choices, provider=None):
        self.draw, self.provider, self.program = choices.draw, provider, Program()
        self.tame = self.draw(4) > 0  # avoid traps
        self.grows = self.draw(3) > 0 and not (
            provider and unbounded(provider)
        )  # only memories and tables with a maximum grow
        self.interrupts = self.pick(
            (16, 16, 3)
        )  # one operand in this many is followed by something else before its use

    def pick(self, options):
        """Return one of some options."""
        return options[self.draw(len(options))]

    def bits(self, type_):
        """Return some value as a constant instruction has it; references are always null."""
        if type_ in REFERENCES:
            return BY_NAME["ref.null"], (type_,)
        width = WIDTH[type_]
        value = (
            self.pick(interesting(type_))
            if self.draw(8) < 7
            else self.draw(1 << 32) << width - 32 | self.draw(1 << 32) & (1 << width - 32) - 1
        )
        row = BY_NAME[f"{type_.name.lower()}.const"]
        return row, (value - (1 << width) if type_ in (I32, I64) and value >> width - 1 else value,)

    # ---- the module

    def write(self):
        """Write the whole module."""
        program = self.program
        self.signatures()
        self.imports()
        program.functions = [Body(self.draw(len(program.types))) for _ in range(1 + self.draw(4))]
        self.stores()
        self.function_types = [
            program.types[index]
            for index in (*program.imported(External.FUNCTION), *(body.type for body in program.functions))
        ]
        self.segments()
        for body in program.functions:
            Writer(self, body).write()
        self.offer()
        return program

    def signatures(self):
        """Write the types of functions."""
        for _ in range(1 + self.draw(5)):
            self.program.types.append(tuple(tuple(self.pick(TYPES) for _ in range(self.draw(4))) for _ in "pr"))

    def type_index(self, parameters, results):
        """Return the index of a type; a new type is added."""
        if (parameters, results) not in self.program.types:
            self.program.types.append((parameters, results))
        return self.program.types.index((parameters, results))

    def imports(self):
        """Write the imports from the host and from the provider."""
        for name, what in SPECTEST.items():
            if isinstance(what, HostFunction) and self.draw(8) == 7:
                kinds = tuple(ValueType[kind.upper()] for kind in what.parameters)
                self.program.imports.append(("spectest", name, External.FUNCTION, self.type_index(kinds, ())))
            elif isinstance(what, HostGlobal) and self.draw(4) == 3:
                self.program.imports.append(
                    ("spectest", name, External.GLOBAL, (ValueType[what.value[0].upper()], False))
                )
        if self.provider:
            for name, kind, index in self.provider.exports:
                what = entities(self.provider, kind)[index]
                if kind is External.FUNCTION:
                    what = self.provider.types[what]
                second = kind is External.MEMORY and self.program.imported(kind)
                if self.draw(3) > 0 and name != FUEL_NAME and travels(kind, what) and not second:
                    self.program.imports.append(
                        (PROVIDER, name, kind, self.type_index(*what) if kind is External.FUNCTION else what)
                    )

    def stores(self):
        """Write memory, tables and globals; the first global of its own is the fuel."""
        program = self.program
        if not program.imported(External.MEMORY) and self.draw(8) > 0:
            program.memories.append(self.some_limits(1 + self.draw(3)))
        for _ in range(self.draw(4)):
            program.tables.append((self.pick((FUNCREF, FUNCREF, EXTERNREF)), self.some_limits(self.draw(ELEMENTS))))
        imported = program.imported(External.GLOBAL)
        self.fuel = len(imported)
        program.globals.append((I32, True, (BY_NAME["i32.const"], (FUEL,))))
        for _ in range(self.draw(9)):
            type_ = self.pick(TYPES)
            same = [index for index, (other, mutable) in enumerate(imported) if other is type_ and not mutable]
            first = (BY_NAME["global.get"], (self.pick(same),)) if same and self.draw(2) else self.bits(type_)
            program.globals.append((type_, self.draw(4) < 3, first))
        self.globals = entities(program, External.GLOBAL)
        self.memory, self.tables = entities(program, External.MEMORY), entities(program, External.TABLE)

    def some_limits(self, minimum):
        """Return limits that begin with a minimum."""
        return minimum, minimum + self.draw(4) if self.grows else self.pick((minimum, None, minimum + 9))

    def segments(self):
        """Write element and data segments, and note the initial content of tables: table, index and type."""
        self.placed = []
        for _ in range(self.draw(5)):
            mode, type_ = (
                self.pick((Mode.ACTIVE, Mode.ACTIVE, Mode.PASSIVE, Mode.DECLARATIVE)),
                self.pick((FUNCREF, FUNCREF, EXTERNREF)),
            )
            targets = [index for index, (element, _) in enumerate(self.tables) if element is type_]
            if mode is Mode.ACTIVE and not targets:
                continue
            content = [
                self.bits(type_)
                if type_ is EXTERNREF or self.draw(8) == 7
                else (BY_NAME["ref.func"], (self.draw(len(self.function_types)),))
                for _ in range(self.draw(ELEMENTS))
            ]
            segment = Segment(mode, content, type=type_)
            if mode is Mode.ACTIVE:
                segment.table = self.pick(targets)
                self.place(segment, self.tables[segment.table][1][0] - len(content))
            self.program.elements.append(segment)
        for _ in range(self.draw(4)):
            content = Random(self.draw(1 << 16)).randbytes(self.draw(CONTENT))
            segment = Segment(self.pick((Mode.ACTIVE, Mode.PASSIVE)) if self.memory else Mode.PASSIVE, content)
            if segment.mode is Mode.ACTIVE:
                last = self.memory[0][0] * PAGE - len(content)
                segment.offset = BY_NAME["i32.const"], (self.pick((*[0] * 10, *range(40), last, PAGE * 2)),)
            self.program.data.append(segment)

    def place(self, segment, room):
        """Choose the offset of an element segment; it does not always fit."""
        at = self.draw(room + 1) if room >= 0 and self.tame else self.draw(ELEMENTS)
        segment.offset = BY_NAME["i32.const"], (at,)
        self.placed += [
            (segment.table, at + number, self.function_types[immediates[0]])
            for number, (row, immediates) in enumerate(segment.content)
            if row.name == "ref.func"
        ]

    def offer(self):
        """Export everything, and perhaps start."""
        program = self.program
        for kind in External:
            program.exports += [
                (
                    FUEL_NAME if (kind, index) == (External.GLOBAL, self.fuel) else f"{kind.name.lower()} {index}",
                    kind,
                    index,
                )
                for index in range(len(entities(program, kind)))
            ]
        starts = [index for index, type_ in enumerate(self.function_types) if type_ == ((), ())]
        if starts and self.draw(3) == 2:
            program.start = self.pick(starts)
        if self.draw(8) == 7:
            program.custom.append(("custom", bytes(self.draw(4))))


def unbounded(program):
    """Could a memory or table of a module grow without end?"""
    return any(maximum is None for _, maximum in (*program.memories, *(limits for _, limits in program.tables)))


def travels(kind, what):
    """May an external go to another module? Only the host knows which of its objects are there."""
    if kind is External.FUNCTION:
        return EXTERNREF not in what[0] + what[1]
    return kind is External.MEMORY or what[0] is not EXTERNREF


def entities(program, kind):
    """Return a module's items of a kind, imported or its own; for functions, the index of the type."""
    own = {
        External.FUNCTION: [body.type for body in program.functions],
        External.TABLE: program.tables,
        External.MEMORY: program.memories,
        External.GLOBAL: [(type_, mutable) for type_, mutable, _ in program.globals],
    }[kind]
    return [*program.imported(kind), *own]


def module(choices, provider=None):
    """Return a module, as `Program`."""
    return Author(choices, provider).write()
