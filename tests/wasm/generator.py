"""Which modules do both engines run? Random ones, valid always, that end always, and that use every instruction in every way.

All that is random comes from numbers that `Choices` draws, 0 being the simplest of each: a list of numbers is a module, and fewer or smaller
ones are a simpler module. Loops and functions take from a global `fuel`, which the host fills before each call.
"""

from dataclasses import dataclass
from functools import lru_cache
from random import Random

from spec.wasm.internal import is_condition
from spec.wasm.machine import PAGE
from spec.wasm.meaning import fits, trap
from spec.wasm.module import External, Mode
from spec.wasm.opcodes import BY_NAME, INSTRUCTIONS
from spec.wasm.values import ValueType
from tests.wasm.binary import Body, Program, Segment
from tests.wasm.cases import pattern, specials
from tests.wasm.suite import SPECTEST, HostFunction, HostGlobal

I32, I64, F32, F64, FUNCREF, EXTERNREF = (ValueType[name] for name in ("I32", "I64", "F32", "F64", "FUNCREF", "EXTERNREF"))
NUMERIC, REFERENCES = (I32, I64, F32, F64), (FUNCREF, EXTERNREF)
TYPES = NUMERIC + NUMERIC + NUMERIC + REFERENCES
WIDTH = {I32: 32, I64: 64, F32: 32, F64: 64}
ROWS = tuple(INSTRUCTIONS.values())
MAKING = {type_: [row for row in ROWS if row.is_numeric and row.results[0] is type_] for type_ in NUMERIC}
TAKING = {type_: [row for row in ROWS if row.is_numeric and row.parameters[0] is type_] for type_ in NUMERIC}
CHAINED = {type_: [row for row in MAKING[type_] if row.parameters == (type_, type_)] for type_ in NUMERIC}
COMPARING = [row for row in ROWS if is_condition(row) and len(row.parameters) == 2]
COMPARING_I32 = [row for row in COMPARING if row.parameters[0] is I32]
TRAPPING = {row.name for row in ROWS if row.is_numeric and (trap(row) or fits(row))}
LOADING = {type_: [row for row in ROWS if row.width and row.results == (type_,)] for type_ in NUMERIC}
STORING = [row for row in ROWS if row.width and not row.results]
POWERS = (0, 1, 2, 3, 4, 7, 8, 15, 16, 31, 32, 33, 63)
FUEL = 60                   # loop headers and function entries of one call
LENGTH = (20, 40, 60, 60, 100, 300)           # instructions of a body, about
DEPTH = 5                   # of what is nested
SMALL = 0xFFF               # locals that are kept small are addresses, even when moved up and added to
CONTENT = 300               # bytes of a data segment
NEAR = 4096                 # what is added to addresses
ELEMENTS = 12               # of tables
TALL = 24                   # operands at a time
PROVIDER = "first"          # the name under which a module finds the one before it
FUEL_NAME = "fuel"


class Choices:
    """Numbers below given bounds: first those that are given, then random ones, or zeros when there is no seed."""

    def __init__(self, seed=None, given=()):
        self.random = None if seed is None else Random(seed).random
        self.given, self.drawn = given, []

    def draw(self, bound):
        """A number below a bound."""
        position = len(self.drawn)
        number = (min(self.given[position], bound - 1) if position < len(self.given) else 0 if self.random is None else int(self.random() * bound))
        self.drawn.append(number)
        return number


@lru_cache(maxsize=None)
def interesting(type_):
    """Bits of a type that are likely to matter, simple ones first."""
    bits = WIDTH[type_]
    if type_ in (F32, F64):
        return [pattern(float(number), bits) for number in (0, 1, -1, 2, 3, 7, 100, -5, 0.5)] * 8 + list(specials(bits))
    edges = [1 << power for power in POWERS if power < bits]
    return [*range(12), *((sign * (edge + step)) % (1 << bits) for sign in (1, -1) for edge in edges for step in (0, -1, 1))]


@dataclass
class Frame:
    """A block that is open: what a branch to it takes along, where its own operands begin, and whether its rest never runs."""

    label: tuple
    height: int
    unreachable: bool = False


class Author:
    """Writes a module; it imports from another one, the provider, if that is given."""

    def __init__(self, choices, provider=None):
        self.draw, self.provider, self.program = choices.draw, provider, Program()
        self.tame = self.draw(4) > 0            # avoid traps
        self.grows = self.draw(3) > 0 and not (provider and unbounded(provider))        # only what has a maximum grows
        self.interrupts = self.pick((16, 16, 3))        # one operand of so many is followed by something else before it is used

    def pick(self, options):
        """One of some options."""
        return options[self.draw(len(options))]

    def bits(self, type_):
        """Some value, as a constant instruction has it; references are always null."""
        if type_ in REFERENCES:
            return BY_NAME["ref.null"], (type_,)
        width = WIDTH[type_]
        value = self.pick(interesting(type_)) if self.draw(8) < 7 else self.draw(1 << 32) << width - 32 | self.draw(1 << 32) & (1 << width - 32) - 1
        row = BY_NAME[f"{type_.name.lower()}.const"]
        return row, (value - (1 << width) if type_ in (I32, I64) and value >> width - 1 else value,)

    # ---- the module

    def write(self):
        """The whole module."""
        program = self.program
        self.signatures()
        self.imports()
        program.functions = [Body(self.draw(len(program.types))) for _ in range(1 + self.draw(4))]
        self.stores()
        self.function_types = [program.types[index] for index in (*program.imported(External.FUNCTION), *(body.type for body in program.functions))]
        self.segments()
        for number, body in enumerate(program.functions):
            Writer(self, body).write()
        self.offer()
        return program

    def signatures(self):
        """Types of functions."""
        for _ in range(1 + self.draw(5)):
            self.program.types.append(tuple(tuple(self.pick(TYPES) for _ in range(self.draw(4))) for _ in "pr"))

    def type_index(self, parameters, results):
        """The index of a type, which is written down if it is new."""
        if (parameters, results) not in self.program.types:
            self.program.types.append((parameters, results))
        return self.program.types.index((parameters, results))

    def imports(self):
        """What comes from the host and from the provider."""
        for name, what in SPECTEST.items():
            if isinstance(what, HostFunction) and self.draw(8) == 7:
                kinds = tuple(ValueType[kind.upper()] for kind in what.parameters)
                self.program.imports.append(("spectest", name, External.FUNCTION, self.type_index(kinds, ())))
            elif isinstance(what, HostGlobal) and self.draw(4) == 3:
                self.program.imports.append(("spectest", name, External.GLOBAL, (ValueType[what.value[0].upper()], False)))
        if self.provider:
            for name, kind, index in self.provider.exports:
                what = entities(self.provider, kind)[index]
                if kind is External.FUNCTION:
                    what = self.provider.types[what]
                second = kind is External.MEMORY and self.program.imported(kind)
                if self.draw(3) > 0 and name != FUEL_NAME and travels(kind, what) and not second:
                    self.program.imports.append((PROVIDER, name, kind, self.type_index(*what) if kind is External.FUNCTION else what))

    def stores(self):
        """Memory, tables and globals; the first global of its own is the fuel."""
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
        """Limits that begin with a minimum."""
        return minimum, minimum + self.draw(4) if self.grows else self.pick((minimum, None, minimum + 9))

    def segments(self):
        """Element and data segments; of what lies in tables at first, table, index and type are known."""
        self.placed = []
        for _ in range(self.draw(5)):
            mode, type_ = self.pick((Mode.ACTIVE, Mode.ACTIVE, Mode.PASSIVE, Mode.DECLARATIVE)), self.pick((FUNCREF, FUNCREF, EXTERNREF))
            targets = [index for index, (element, _) in enumerate(self.tables) if element is type_]
            if mode is Mode.ACTIVE and not targets:
                continue
            content = [self.bits(type_) if type_ is EXTERNREF or self.draw(8) == 7 else (BY_NAME["ref.func"], (self.draw(len(self.function_types)),))
                       for _ in range(self.draw(ELEMENTS))]
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
        self.placed += [(segment.table, at + number, self.function_types[immediates[0]])
                        for number, (row, immediates) in enumerate(segment.content) if row.name == "ref.func"]

    def offer(self):
        """Export everything, and perhaps start."""
        program = self.program
        for kind in External:
            program.exports += [(FUEL_NAME if (kind, index) == (External.GLOBAL, self.fuel) else f"{kind.name.lower()} {index}", kind, index)
                                for index in range(len(entities(program, kind)))]
        starts = [index for index, type_ in enumerate(self.function_types) if type_ == ((), ())]
        if starts and self.draw(3) == 2:
            program.start = self.pick(starts)
        if self.draw(8) == 7:
            program.custom.append(("custom", bytes(self.draw(4))))


def unbounded(program):
    """Could a memory or table of a module grow without end?"""
    return any(maximum is None for _, maximum in (*program.memories, *(limits for _, limits in program.tables)))


def travels(kind, what):
    """May an external go to another module? What objects of the host are there, only the host could tell."""
    if kind is External.FUNCTION:
        return EXTERNREF not in what[0] + what[1]
    return kind is External.MEMORY or what[0] is not EXTERNREF


def entities(program, kind):
    """What a module has of a kind, imported or its own: of functions the index of the type."""
    own = {External.FUNCTION: [body.type for body in program.functions], External.TABLE: program.tables, External.MEMORY: program.memories,
           External.GLOBAL: [(type_, mutable) for type_, mutable, _ in program.globals]}[kind]
    return [*program.imported(kind), *own]


class Writer:
    """Writes one body. What the operand stack holds is known at every step; in code that never runs there may be less on it than is taken."""

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

    # ---- sequences

    def sequence(self, depth):
        """Some instructions that may do anything with the operands of the innermost block."""
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
        """Compute with the uppermost operand, and the one below if it is of the same type."""
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
        """Take the uppermost operand away, into a local, a global, or nowhere."""
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
        """Leave just these operands in the innermost block; in code that never runs, fewer will do."""
        height = self.frames[-1].height
        keep = 0
        while keep < len(wanted) and height + keep < len(self.stack) and self.stack[height + keep] is wanted[keep]:
            keep += 1
        if self.frames[-1].unreachable and self.draw(2):
            keep = 0
            wanted = wanted[self.draw(len(wanted) + 1):]
        while len(self.stack) > height + keep:
            self.leave_behind(self.stack[-1])
        for type_ in wanted[keep:]:
            self.expression(type_, 1)

    def operands(self, types, depth):
        """Operands of these types; in code that never runs, the first ones may be missing. Other things may be done in between."""
        frame = self.frames[-1]
        missing = frame.unreachable and len(self.stack) == frame.height and self.draw(2)
        for type_ in types[self.draw(len(types) + 1) if missing else 0:]:
            self.expression(type_, depth)
            self.between(depth)

    # ---- operands

    def expression(self, type_, depth):
        """One operand more."""
        if depth <= 0 or self.left <= 0 or self.draw(3) == 0:
            self.leaf(type_)
        else:
            self.pick(EXPRESSIONS[type_])(self, type_, depth - 1)

    def leaf(self, type_):
        """A local, a constant, or a global."""
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
        """The globals of a type, without the fuel."""
        return [index for index, (other, changes) in enumerate(self.author.globals)
                if other is type_ and index != self.author.fuel and (changes or not mutable)]

    def computed(self, type_, depth):
        """The result of a numeric instruction."""
        row = self.pick(MAKING[type_])
        if row.name not in TRAPPING or not self.tame:
            self.operands(row.parameters, depth)
        else:
            self.operands(row.parameters[:-1], depth)
            self.harmless(row.parameters[-1])
        self.emit(row.name, takes=len(row.parameters), gives=row.results)

    def chained(self, type_, depth):
        """The result of one instruction as an operand of the next, with locals and constants."""
        rows = [row for row in CHAINED[type_] if row.name not in TRAPPING]
        self.simple(type_)
        for _ in range(2 + self.draw(2)):
            self.simple(type_)
            self.emit(self.pick(rows).name, takes=2, gives=(type_,))

    def simple(self, type_):
        """A local, or a constant that is often small."""
        self.harmless(type_) if self.draw(2) else self.leaf(type_)

    def harmless(self, type_):
        """A constant that is neither a divisor nor a number to convert that traps."""
        number = 1 + self.draw(100)
        self.emit(f"{type_.name.lower()}.const", pattern(float(number), WIDTH[type_]) if type_ in (F32, F64) else number, gives=(type_,))

    def loaded(self, type_, depth):
        """What is in memory."""
        if not self.author.memory:
            return self.leaf(type_)
        row = self.pick(LOADING[type_])
        self.address(row, depth)
        self.between(depth)
        self.emit(row.name, *self.argument(row), takes=1, gives=row.results)

    def argument(self, row):
        """Alignment and offset of an access."""
        bound = self.author.memory[0][0] * PAGE - (SMALL << 3) - 2 * NEAR
        offset = self.pick((0, 0, 0, self.draw(64), self.draw(NEAR), self.draw(max(bound, 1)) if self.tame else self.draw(1 << 32)))
        return self.draw(row.width.bit_length()), offset

    def address(self, row, depth):
        """An i32 that is an address, in one of the ways in which they are computed."""
        small = [index for index in self.small] or [index for index, type_ in enumerate(self.locals) if type_ is I32]
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
        """A number to add to an address; often one that leads into the first data segment."""
        return self.draw(self.pick((CONTENT, NEAR)))

    def shaped(self, type_, depth):
        """An address that is none."""
        self.address(self.pick(STORING), depth)

    def compared(self, type_, depth):
        """A truth value."""
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
        """A size, or what growing says."""
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
        """A reference from a table."""
        tables = self.tables_of(type_)
        if not tables:
            return self.leaf(type_)
        self.index(depth)
        self.emit("table.get", self.pick(tables), takes=1, gives=(type_,))

    def tables_of(self, type_):
        """The tables of a type."""
        return [index for index, (element, (minimum, _)) in enumerate(self.author.tables) if element is type_ and (minimum or not self.tame)]

    def index(self, depth):
        """An index of a table, most likely."""
        if self.tame or self.draw(3):
            self.constant(self.draw(3 if self.tame else ELEMENTS))
        else:
            self.expression(I32, depth)

    def called(self, type_, depth):
        """The first result of a function."""
        candidates = [index for index, (_, results) in enumerate(self.author.function_types) if results[:1] == (type_,)]
        if not candidates:
            return self.leaf(type_)
        self.dismiss(self.call(candidates, depth) - 1)

    def call(self, candidates, depth):
        """Call one of some functions, or what a table holds; how many results there are."""
        index = self.pick(candidates)
        parameters, results = self.author.function_types[index]
        tables = [number for number, (element, _) in enumerate(self.author.tables) if element is FUNCREF]
        fitting = [(table, at) for table, at, type_ in self.author.placed if type_ == (parameters, results)]
        indirect = tables and (fitting or not self.tame) and self.draw(2)
        self.operands(parameters, depth)
        if indirect:
            right = fitting and (self.tame or self.draw(3))
            table, at = self.pick(fitting) if right else (self.pick(tables), None)
            self.index(depth) if at is None else self.kept(at) if self.author.memory and self.draw(2) else self.constant(at)
            self.emit("call_indirect", self.program.types.index((parameters, results)), table, takes=1)
        else:
            self.emit("call", index)
        del self.stack[max(self.frames[-1].height, len(self.stack) - len(parameters)):]
        self.stack += results
        return len(results)

    def condition(self, depth):
        """An i32, and perhaps other things before it is used."""
        self.compared(I32, depth) if self.draw(3) else self.expression(I32, depth)
        self.between(depth)

    def between(self, depth):
        """What may be done between an operand and its use."""
        if self.left > 0 and self.draw(self.author.interrupts) == 2:
            self.statement(depth - 1)

    def selected(self, type_, depth):
        """One of two."""
        self.operands((type_, type_), depth)
        self.condition(depth)
        if type_ in REFERENCES or self.draw(2):
            self.emit("select_typed", type_, takes=3, gives=(type_,))
        else:
            self.emit("select", takes=3, gives=(type_,))

    def teed(self, type_, depth):
        """What is left in a local, too."""
        targets = [index for index, other in enumerate(self.locals) if other is type_]
        self.expression(type_, depth)
        if targets:
            target = self.pick(targets)
            if self.tame and target in self.small:
                self.limit()
            self.emit("local.tee", target, takes=1, gives=(type_,))

    def kept(self, value):
        """An i32 that comes from the memory, where it is put before."""
        start = len(self.code)
        self.address(BY_NAME["i32.load"], 0)
        address = self.code[start:]
        argument = self.argument(BY_NAME["i32.load"])
        self.constant(value)
        self.emit("i32.store", *argument, takes=2)
        self.code += address
        self.emit("i32.load", *argument, gives=(I32,))

    def blocked(self, type_, depth):
        """What a block leaves."""
        self.structured((type_,), depth)

    # ---- blocks

    def structured(self, results, depth):
        """A block with operands from outside."""
        kind = self.pick(("block", "if", "loop"))
        parameters = tuple(self.pick(TYPES) for _ in range(self.draw(3) if self.draw(2) else 0))
        self.operands(parameters, depth)
        if kind == "if":
            self.condition(depth)
        self.block(kind, parameters, results, depth)

    def block(self, kind, parameters, results, depth):
        """A block whose operands, and condition, are there."""
        type_ = results[0] if len(results) == 1 and not parameters else self.author.type_index(parameters, results) if parameters or results else None
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
        """The instructions of a block."""
        if loop:
            self.header()
        self.sequence(depth)
        if loop and self.draw(4):
            self.arrange(self.frames[-1].label)
            self.step() if self.draw(2) else self.condition(depth)
            self.emit("br_if", 0, takes=1)
            if self.frames[-1].unreachable:
                self.stack[self.frames[-1].height:] = self.frames[-1].label
        self.arrange(results)

    def step(self):
        """A condition on a local that is counted."""
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

    # ---- what leaves the stack as it is

    def statement(self, depth):
        """One of those."""
        self.pick(STATEMENTS)(self, max(depth - 1, 0))

    def set_local(self, depth):
        """A local gets a value."""
        if not self.locals:
            return
        target = self.draw(len(self.locals))
        self.expression(self.locals[target], depth)
        if self.tame and target in self.small:
            self.limit()
        self.emit("local.set", target, takes=1)

    def set_global(self, depth):
        """A global gets a value."""
        type_ = self.pick(TYPES)
        targets = self.globals_of(type_, True)
        if targets:
            self.expression(type_, depth)
            self.emit("global.set", self.pick(targets), takes=1)

    def store(self, depth):
        """Memory gets a value."""
        if self.author.memory:
            row = self.pick(STORING)
            self.address(row, depth)
            self.expression(row.parameters[1], depth)
            self.emit(row.name, *self.argument(row), takes=2)

    def moved(self, depth):
        """Memory gets what is in it elsewhere."""
        if self.author.memory:
            store = self.pick(STORING)
            load = self.pick([row for row in LOADING[store.parameters[1]] if row.width == store.width])
            self.address(store, depth)
            self.address(load, depth)
            self.emit(load.name, *self.argument(load), takes=1, gives=load.results)
            self.emit(store.name, *self.argument(store), takes=2)

    def nested(self, depth):
        """A block whose results are not used."""
        if depth <= 0:
            return
        results = tuple(self.pick(TYPES) for _ in range(self.draw(3) if self.draw(2) else 0))
        self.structured(results, depth)
        self.dismiss(len(results))

    def dismiss(self, count):
        """Take the uppermost operands away."""
        for _ in range(count):
            self.leave_behind(self.stack[-1])

    def call_any(self, depth):
        """A call whose results are not used."""
        self.dismiss(self.call(range(len(self.author.function_types)), depth))

    def branch_if(self, depth):
        """A branch that may be taken."""
        label = self.draw(len(self.frames))
        types = self.frames[-1 - label].label
        self.operands(types, depth)
        self.condition(depth)
        self.emit("br_if", label, takes=1 + len(types), gives=types)
        self.dismiss(len(types))

    def leave(self, depth):
        """What never goes on, mostly where it is not always reached."""
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
        """A branch, a return, or a trap."""
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
        del self.stack[self.frames[-1].height:]
        self.frames[-1].unreachable = True

    def by_table(self, label, depth):
        """A branch to one of many."""
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
        """No operation."""
        self.emit("nop")

    def tower(self, depth):
        """Many operands at a time, with other things done in between."""
        type_ = self.pick(NUMERIC)
        count = 2 + self.draw(TALL)
        rows = [row for row in TAKING[type_] if row.parameters == (type_, type_) and row.results == (type_,) and row.name not in TRAPPING]
        self.operands((type_,) * count, depth - 2)
        for _ in range(count - 1):
            self.emit(self.pick(rows).name, takes=2, gives=(type_,))
        self.leave_behind(type_)

    def bulk(self, depth):
        """The memory, or a table, as a whole."""
        name = self.pick(BULK)
        rows = {"memory": self.author.memory, "table": self.author.tables}.get(name.split(".")[0], ())
        segments = self.program.data if name in ("memory.init", "data.drop") else self.program.elements
        if name.endswith(".drop"):
            if segments:
                self.emit(name, self.draw(len(segments)))
        elif rows and (segments or name != "memory.init"):
            getattr(self, name.replace(".", "_"))(depth)

    def range(self, depth, *bounds):
        """Three i32: two places, or one and what to fill with, and how many."""
        for bound in bounds:
            self.constant(self.draw(bound)) if self.tame or self.draw(3) else self.expression(I32, depth)

    def memory_fill(self, depth):
        """A byte over and over."""
        self.range(depth, NEAR, 1 << 10, 100)
        self.emit("memory.fill", takes=3)

    def memory_copy(self, depth):
        """Bytes to another place."""
        self.range(depth, *self.pick(((200, 200, 200), (200, 200, 200), (NEAR, NEAR, NEAR))))
        self.emit("memory.copy", takes=3)

    def memory_init(self, depth):
        """Bytes of a segment."""
        segment = self.draw(len(self.program.data))
        self.range(depth, NEAR, 1 + len(self.program.data[segment].content) // 2, 1 + len(self.program.data[segment].content) // 2)
        self.emit("memory.init", segment, takes=3)

    def table_set(self, depth):
        """An element."""
        table = self.draw(len(self.author.tables))
        if self.author.tables[table][1][0] or not self.tame:
            self.index(depth)
            self.expression(self.author.tables[table][0], depth)
            self.emit("table.set", table, takes=2)

    def table_fill(self, depth):
        """An element over and over."""
        table = self.draw(len(self.author.tables))
        element, (minimum, _) = self.author.tables[table]
        self.range(depth, 1 + minimum // 2)
        self.expression(element, depth)
        self.range(depth, 1 + minimum // 2)
        self.emit("table.fill", table, takes=3)

    def table_copy(self, depth):
        """Elements to another place."""
        table = self.draw(len(self.author.tables))
        same = [index for index, (element, _) in enumerate(self.author.tables) if element is self.author.tables[table][0]]
        source = self.pick(same)
        least = 1 + min(self.author.tables[index][1][0] for index in (table, source)) // 2
        self.range(depth, least, least, least)
        self.emit("table.copy", table, source, takes=3)

    def table_init(self, depth):
        """Elements of a segment."""
        table = self.draw(len(self.author.tables))
        element, (minimum, _) = self.author.tables[table]
        fitting = [index for index, segment in enumerate(self.program.elements) if segment.type is element]
        if fitting:
            segment = self.pick(fitting)
            active = self.program.elements[segment].mode is not Mode.PASSIVE
            count = 1 if active and self.tame else 1 + min(minimum, len(self.program.elements[segment].content)) // 2
            self.range(depth, 1 + minimum // 2, count, count)
            self.emit("table.init", segment, table, takes=3)


BULK = tuple(row.name for row in ROWS if hasattr(Writer, row.name.replace(".", "_"))) + ("data.drop", "elem.drop")
COMMON = (Writer.computed,) * 3 + (Writer.chained,) + (Writer.loaded,) * 2 + (Writer.called, Writer.selected, Writer.teed, Writer.blocked)
EXPRESSIONS = ({type_: COMMON for type_ in NUMERIC}
               | {I32: COMMON + (Writer.computed, Writer.shaped, Writer.shaped, Writer.compared, Writer.counted)}
               | {type_: (Writer.fetched, Writer.called, Writer.selected, Writer.teed, Writer.blocked) for type_ in REFERENCES})
STATEMENTS = (Writer.set_local, Writer.set_local, Writer.set_local, Writer.set_global, Writer.store, Writer.store, Writer.moved, Writer.nested, Writer.nested,
              Writer.call_any, Writer.branch_if, Writer.branch_if, Writer.leave, Writer.tower, Writer.bulk, Writer.bulk, Writer.nothing)


def module(choices, provider=None):
    """A module, as `Program`."""
    return Author(choices, provider).write()
