"""Is each function, translated, still the function that it was? Its instructions and its operations, executed symbolically side by side.

Both are run from the entry, and from wherever a branch back leads, to the next such branch, a return or a trap: from the same
locals and operands, in a machine that holds anything, on every path. Then both must have asked the same of others, and left the same. So
nothing is unrolled, and loops are covered by induction over their rounds. What another function or the memory as a whole does
is not looked into: both sides ask for it, with the same arguments, and hold anything afterwards, the same on both sides.
"""

from dataclasses import dataclass, field

import z3

from host import Module
from model.wasm.reference import FIELD, FUNCTIONS
from proofs import bits
from proofs.loops import Unbounded
from proofs.machine.interpreter import VM, different, part, read
from proofs.machine.premises import Premises, Typed
from proofs.symbolic import LENGTH, TOP, Executor, Unknown, along
from spec.language.frontend import translate
from spec.language.types import u32, u64
from model.wasm.computing import WIDEST
from spec.wasm import integers
from spec.wasm.internal import CONSTANTS, OPERATIONS, PLACES, commutes
from spec.wasm.machine import NULL_REFERENCE, PAGE, Machine
from spec.wasm.meaning import SAME, WORD, fits, is_signed, meaning, trap
from spec.wasm.module import External
from spec.wasm.opcodes import BY_NAME, INSTRUCTIONS
from spec.wasm.traps import Trap
from spec.wasm.values import ValueType

WIDTH = 64
BUDGET = 1 << 40            # safe points: both sides are never suspended
OTHERS = {("memory", "[]", "bytes", "[]"), ("memory", "[]", "size"), ("globals", "[]", "cell", "[]")}
"""What others may change meanwhile."""
MEMORY = part(VM, "memory", 0)
LARGEST = 1 << 32           # bytes of a memory, and elements of all else that has a fixed room
SLICES = (part(VM, "code"), part(VM, "stack"), part(VM, "memory"), part(MEMORY, "bytes"), part(VM, "globals"), part(VM, "globals", None, "cell"))
HARD = {translate(integers.MEANING[f"{type_}_{name}"]).symbol
        for type_ in ("i32", "i64") for name in "mul div_s div_u rem_s rem_u clz ctz popcnt rotl rotr".split()}
"""Integer instructions that both sides take for functions of which they know nothing."""
SECONDS = 20_000            # of the solver, in thousandths
PLACE = Machine.fields["at"]


class Different(AssertionError):
    """Instructions and operations do not do the same."""


# ---- words


def number(value):
    """A constant word."""
    return z3.BitVecVal(value, WIDTH)


def low(value, type_):
    """A word as a value of a type of the language."""
    return z3.simplify(z3.Extract(type_.bits - 1, 0, value)) if type_.bits < WIDTH else value


def wide(value):
    """A value as a word with zeros above."""
    if z3.is_bool(value):
        return z3.If(value, number(1), number(0))
    return z3.ZeroExt(WIDTH - value.size(), value) if value.size() < WIDTH else value


def anything(name, type_):
    """Any value of a type, as a word."""
    return wide(z3.BitVec(name, WORD.get(type_, u64).bits))


class Blind(Unbounded):
    """What is hard to compute with is not looked into: it is the same function on both sides."""

    def __init__(self, heap):
        super().__init__(heap, lambda function: True)

    def invoke(self, function, arguments, guard):
        if function.intrinsic:
            return Executor.invoke(self, function, arguments, guard)
        if function.symbol not in HARD:
            return super().invoke(function, arguments, guard)
        symbol = z3.Function(function.symbol, *(bits.sort(item.type) for item in function.parameters), bits.sort(function.returns))
        return symbol(*(bits.term(value, item.type) for value, item in zip(arguments, function.parameters)))


def computed(function, *operands):
    """What a function of values computes."""
    function = translate(function)
    return bits.term(Blind(Typed(frozenset())).invoke(function, list(operands), TOP), function.returns)


def leave_anything(heap, count):
    """What others may change holds anything, under names that both sides have for it."""
    for path in OTHERS:
        type_, types, _ = along(Machine, path)
        symbol = z3.Function(f"{'.'.join(path)} after {count}", *map(bits.sort, types), bits.sort(type_))

        def value(*indices, symbol=symbol, types=types):
            return symbol(*map(bits.term, indices, types))

        heap.heads[VM.root, path] = Unknown(TOP, (), value, heap.heads.get((VM.root, path)))


# ---- instructions


@dataclass(frozen=True)
class Label:
    """A block that is open: where a branch goes, None out of the function; how many operands it takes along, and how many are below."""

    target: int | None
    taken: int
    height: int
    loop: bool = False


@dataclass
class Source:
    """A function in the middle: the next instruction, and what it has. Values are words with their types."""

    function: "Function"
    heap: object
    at: int
    locals: list
    stack: list = field(default_factory=list)
    labels: list = field(default_factory=list)
    asked: list = field(default_factory=list)       # what it wanted of others
    end: tuple = ()                                 # how it ended, once it has

    def fork(self):
        """A copy that goes on by itself."""
        return Source(self.function, self.heap.fork(), self.at, list(self.locals), list(self.stack), list(self.labels), list(self.asked), self.end)

    # ---- operands

    def push(self, type_, word):
        """An operand more."""
        self.stack.append((type_, z3.simplify(word)))

    def pop(self):
        """The word of the last operand."""
        return self.stack.pop()[1]

    def several(self, count):
        """The last operands."""
        taken = self.stack[len(self.stack) - count:]
        del self.stack[len(self.stack) - count:]
        return taken

    def ask(self, what, words, results=()):
        """Others do something, with these words; what it results in."""
        self.asked.append((what, words, self.heap.fork()))
        leave_anything(self.heap, len(self.asked))
        for position, type_ in enumerate(results):
            self.push(type_, anything(f"result {position} of {len(self.asked)}", type_))

    # ---- steps: each yields `(condition, state)` for every way on

    def step(self):
        """Do an instruction."""
        row, immediates = self.function.code[self.at]
        self.at += 1
        if row.is_numeric:
            yield from self.compute(row)
        elif row.width:
            yield from self.access(row, immediates[1])
        else:
            yield from getattr(self, f"on_{row.symbol}", self.on_other)(row, *immediates)

    def go_on(self):
        """There is one way on."""
        yield True, self

    def trapped(self, reason):
        """Here it ends for good."""
        self.end = ("trap", int(reason))
        return self

    def compute(self, row):
        """A numeric instruction."""
        operands = [low(word, WORD[type_]) for word, type_ in zip([word for _, word in self.several(len(row.parameters))], row.parameters)]
        result = row.results[0]
        if row.opcode in SAME:
            self.push(result, wide(operands[0]))
            return self.go_on()
        return self.checked(row, operands)

    def checked(self, row, operands):
        """The result, and where there is none the trap."""
        other = self.fork()
        wrong = False
        if trap(row):
            reason = computed(trap(row), *operands)
            wrong = reason != int(Trap.NONE)
            other.end = ("trap", reason)
        elif fits(row):
            wrong = z3.Not(computed(fits(row), *operands))
            differs = computed(meaning(BY_NAME[f"{row.parameters[0].name.lower()}.ne"]), *operands, *operands)
            other.end = ("trap", z3.If(differs, *(z3.BitVecVal(int(reason), Trap.bits) for reason in (Trap.INVALID_CONVERSION, Trap.INTEGER_OVERFLOW))))
        value = computed(meaning(row), *operands)
        if commutes(row):
            self.function.solver.add(value == computed(meaning(row), *reversed(operands)))
        self.push(row.results[0], wide(value))
        yield bits.negate(wrong), self
        yield wrong, other

    def size(self):
        """The bytes of the memory, of which there are not too many."""
        size = bits.term(read(self.heap, part(MEMORY, "size")), u64)
        self.function.solver.add(z3.ULE(size, LARGEST))
        return size

    def access(self, row, offset):
        """A load or a store."""
        value = None if row.results else self.pop()
        at = z3.simplify(wide(low(self.pop(), WORD[row.parameters[0]])) + offset)
        inside = z3.ULE(at + row.width, self.size())
        other = self.fork()
        places = [part(MEMORY, "bytes", at + byte) for byte in range(row.width)]
        if row.results:
            raw = [bits.term(read(self.heap, place), place.type) for place in reversed(places)]
            raw, size = z3.Concat(*raw) if len(raw) > 1 else raw[0], WORD[row.results[0]].bits
            extend = z3.SignExt if is_signed(row) else z3.ZeroExt
            self.push(row.results[0], wide(extend(size - raw.size(), raw) if raw.size() < size else raw))
        for byte, place in enumerate(places if value is not None else ()):
            self.heap.write(place, z3.simplify(z3.Extract(8 * byte + 7, 8 * byte, value)), TOP)
        yield inside, self
        yield z3.Not(inside), other.trapped(Trap.MEMORY_OUT_OF_BOUNDS)

    def on_unreachable(self, row):
        yield True, self.trapped(Trap.UNREACHABLE)

    def on_nop(self, row):
        return self.go_on()

    def open(self, type_, loop=False):
        """A block begins."""
        parameters, results = self.function.block_type(type_)
        target = self.at if loop else self.function.ends[self.at - 1] + 1
        self.labels.append(Label(target, len(parameters if loop else results), len(self.stack) - len(parameters), loop))

    def on_block(self, row, type_):
        self.open(type_)
        return self.go_on()

    def on_loop(self, row, type_):
        self.open(type_, loop=True)
        return self.go_on()

    def on_if(self, row, type_):
        holds, start = self.pop() != 0, self.at - 1
        self.open(type_)
        other = self.fork()
        other.at = self.function.others[start] + 1 if start in self.function.others else self.function.ends[start]
        yield holds, self
        yield z3.Not(holds), other

    def on_else(self, row):
        self.at = self.labels[-1].target - 1
        return self.go_on()

    def on_end(self, row):
        self.labels.pop()
        return self.go_on()

    def branch(self, depth):
        """Go to a label."""
        label = self.labels[-1 - depth]
        if label.target is None:
            return self.return_()
        self.stack[label.height:] = self.several(label.taken)
        del self.labels[len(self.labels) - 1 - depth + label.loop:]
        self.at, self.end = label.target, ("back",) if label.loop else ()
        return self

    def return_(self):
        """Leave the function."""
        self.end = ("return", [word for _, word in self.several(len(self.function.results))])
        return self

    def on_br(self, row, depth):
        yield True, self.branch(depth)

    def on_br_if(self, row, depth):
        holds = self.pop() != 0
        other = self.fork()
        yield holds, other.branch(depth)
        yield z3.Not(holds), self

    def on_br_table(self, row, *labels):
        which = low(self.pop(), WORD[ValueType.I32])
        for position, label in enumerate(labels):
            last = position == len(labels) - 1
            yield (z3.UGE(which, position) if last else which == position), self.fork().branch(label)

    def on_return(self, row):
        yield True, self.return_()

    def on_call(self, row, index):
        parameters, results = self.function.type_of(index)
        self.ask(("call", index), [word for _, word in self.several(len(parameters))], results)
        return self.go_on()

    def on_call_indirect(self, row, type_, table):
        types = self.function.program.types
        parameters, results = types[type_]
        index = wide(low(self.pop(), WORD[ValueType.I32]))
        self.ask(("call_indirect", types.index(types[type_]), table), [*(word for _, word in self.several(len(parameters))), index], results)
        return self.go_on()

    def on_drop(self, row):
        self.pop()
        return self.go_on()

    def on_select(self, row, *types):
        holds = self.pop() != 0
        other, (type_, first) = self.pop(), self.stack.pop()
        self.push(type_, z3.If(holds, first, other))
        return self.go_on()

    on_select_typed = on_select

    def on_local_get(self, row, index):
        self.stack.append(self.locals[index])
        return self.go_on()

    def on_local_set(self, row, index):
        self.locals[index] = self.stack.pop()
        return self.go_on()

    def on_local_tee(self, row, index):
        self.locals[index] = self.stack[-1]
        return self.go_on()

    def on_global_get(self, row, index):
        type_, word = self.function.globals[index], bits.term(read(self.heap, cell(index)), u64)
        self.function.solver.add(word == wide(low(word, WORD.get(type_, u64))))
        self.push(type_, word)
        return self.go_on()

    def on_global_set(self, row, index):
        self.heap.write(cell(index), self.pop(), TOP)
        return self.go_on()

    def on_i32_const(self, row, value):
        self.push(row.results[0], number(value % (1 << WORD[row.results[0]].bits)))
        return self.go_on()

    on_i64_const = on_f32_const = on_f64_const = on_i32_const

    def on_ref_null(self, row, type_):
        self.push(type_, number(NULL_REFERENCE))
        return self.go_on()

    def on_ref_is_null(self, row):
        self.push(ValueType.I32, wide(self.pop() == NULL_REFERENCE))
        return self.go_on()

    def on_ref_func(self, row, index):
        self.push(ValueType.FUNCREF, number(index + 1))
        return self.go_on()

    def on_memory_size(self, row):
        self.push(ValueType.I32, z3.UDiv(self.size(), number(PAGE)))
        return self.go_on()

    def on_other(self, row, *immediates):
        """What others do: of the memory as a whole, tables and segments."""
        parameters, results = self.function.signature(row, immediates)
        self.ask((row.symbol, *immediates), [word for _, word in self.several(len(parameters))], results)
        return self.go_on()


def cell(index):
    """A global."""
    return part(VM, "globals", index, "cell", 0)


# ---- operations


ASKED = {row.symbol for row in INSTRUCTIONS.values() if not row.is_numeric and not row.width and not hasattr(Source, f"on_{row.symbol}")}
"""What others do: the same operation, but for those with a constant."""


@dataclass
class Target:
    """The operations of a function in the middle: the next one, and the machine."""

    function: "Function"
    heap: object
    at: int
    asked: list = field(default_factory=list)
    end: tuple = ()

    def fork(self):
        """A copy that goes on by itself."""
        return Target(self.function, self.heap.fork(), self.at, list(self.asked), self.end)

    def word(self, behind=0):
        """A word of code."""
        if self.at + behind not in self.function.words:
            raise Different(f"it goes on at {self.at}, outside of its operations")
        return self.function.words[self.at + behind]

    def field(self, name):
        """A field of the operation."""
        place = PLACES[name]
        return self.word(place.word) >> place.first & (1 << place.bits) - 1

    def operand(self, name):
        """What a field is to the operation: a constant, or what is in a slot."""
        return number(self.field(name)) if name in CONSTANTS else self.slot(self.field(name))

    def slot(self, position):
        """The word in a slot."""
        return bits.term(read(self.heap, part(VM, "stack", position)), u64)

    def put(self, position, word):
        """Replace the word in a slot."""
        self.heap.write(part(VM, "stack", position), word, TOP)

    def several(self, first, count):
        """The words in some slots."""
        return [self.slot(first + position) for position in range(count)]

    def step(self):
        """Do an operation: `(condition, state)` for every way on."""
        operation = OPERATIONS[self.word() & FIELD]
        name, fields = operation.name, operation.fields
        if name.removesuffix("_value") in ASKED:
            self.ask(name.removesuffix("_value"), fields)
        elif name.startswith("return_"):
            count, first = {"return_none": (0, 0), "return_one": (1, self.field("a"))}.get(name, (self.field("b"), self.field("a")))
            self.end = ("return", self.several(first, count))
        elif name.startswith("call"):
            self.call(name, fields)
        else:
            return self.perform()
        return [(True, self)]

    def ask(self, symbol, fields):
        """Others do something: what is marked are the immediates of the instruction, the rest its operands."""
        what = (symbol, *(self.field(name[1:]) for name in fields.operands if name[0] == "#"))
        given = [self.operand(name) for name in fields.operands if name[0] != "#"]
        target = [self.field(name) for name in fields.changed]
        self.others_do(what, given, self.function.results_of(what), *target, words=fields.words)

    def others_do(self, what, given, results, target=0, *, words):
        """Others do something, with these words; its results are put into slots."""
        self.asked.append((what, given, self.heap.fork()))
        leave_anything(self.heap, len(self.asked))
        for position, type_ in enumerate(results):
            self.put(target + position, anything(f"result {position} of {len(self.asked)}", type_))
        self.at += words

    def call(self, name, fields):
        """Another function; the host's may use all slots above its arguments."""
        base = self.field("a")
        if name == "call_indirect":
            type_ = self.field("about")
            parameters, results = self.function.program.types[type_]
            what, more = (name, type_, self.field("c")), [self.slot(self.field("b"))]
        else:
            index = self.field("far") if name == "call_import" else self.function.entered(displaced(self.at, self.word()))
            parameters, results = self.function.type_of(index)
            what, more = ("call", index), []
            if name == "call_import" and self.field("about") != base + len(parameters):
                raise Different("the arguments of a call of the host are not the last slots that are used")
        self.others_do(what, [*self.several(base, len(parameters)), *more], results, self.field("result") if len(results) == 1 else base, words=fields.words)

    def perform(self):
        """What no other has a part in, as the reference machine does it."""
        heap = self.heap.fork()
        heap.write(part(VM, "at"), self.at, TOP)
        meaning_ = Blind(heap)
        goes_on = bits.truth(meaning_.run(translate(FUNCTIONS[self.word() & FIELD]), [VM]))
        for obligation in meaning_.obligations:
            self.function.oblige(obligation)
        after, trapped = meaning_.store, self.fork()
        trapped.end = ("trap", bits.term(read(after, part(VM, "trap")), Trap))
        trapped.heap = after
        yield z3.Not(goes_on), trapped
        at = bits.term(read(after, part(VM, "at")), PLACE)
        for place in self.function.values(at, goes_on):
            side = self.fork()
            side.heap, side.at = after.fork(), place
            if place <= self.at:
                side.end = ("back",)
            yield z3.And(goes_on, at == place), side


def displaced(at, word):
    """Where a word leads."""
    return (at + (word >> 32)) % (1 << 32)



# ---- both


@dataclass(frozen=True)
class Holder:
    """What an operand is made of: a slot, shifted and added to as an i32; or a constant."""

    slot: int | None
    shift: int = 0
    addend: int = 0

    def word(self, target):
        """The operand."""
        if self.slot is None:
            return number(self.addend)
        word = target.slot(self.slot)
        return wide((low(word, u32) << self.shift) + self.addend) if self.shift or self.addend else word


class Function:
    """A function of a program, as instructions and as operations."""

    def __init__(self, program, module, index):
        self.program, self.module, self.index = program, module, index
        body = program.functions[index - len(program.imported(External.FUNCTION))]
        self.code, (self.parameters, self.results) = body.code, program.types[body.type]
        self.types = [*self.parameters, *body.locals]
        self.globals = [type_ for type_, _ in (*program.imported(External.GLOBAL), *((type_, mutable) for type_, mutable, _ in program.globals))]
        self.entry = module.entries[index] & 0xFFFF_FFFF
        self.end = min([entry & 0xFFFF_FFFF for entry in module.entries if entry & 0xFFFF_FFFF > self.entry], default=module.translation.value.at + 1) - 1
        self.words = dict(zip(range(self.entry - 1, self.end), module.translation["code"][self.entry - 1:self.end]))
        self.first = max(1, len(self.types))        # slot of the first operand
        self.others, self.ends = matching(self.code)
        self.paths = 0
        self.heap = self.machine()
        self.solver = Premises(self.heap.facts, SECONDS)

    def machine(self):
        """A machine that holds anything but the code, before any budget is spent."""
        heap = Typed(frozenset({VM.root}))
        heap.shared["roots"] = {VM.root: Machine}
        for at, word in self.words.items():
            heap.write(part(VM, "code", at), word, TOP)
        for place, value in ((part(VM, "frame"), 0), (part(VM, "budget"), BUDGET), *((place.field(LENGTH, u64), LARGEST) for place in SLICES)):
            heap.write(place, value, TOP)
        return heap

    # ---- types

    def type_of(self, index):
        """Parameters and results of a function."""
        types = [*self.program.imported(External.FUNCTION), *(body.type for body in self.program.functions)]
        if index >= len(types):
            raise Different(f"a call of function {index}")
        return self.program.types[types[index]]

    def block_type(self, type_):
        """Parameters and results of a block."""
        return ((), ()) if type_ is None else ((), (type_,)) if isinstance(type_, ValueType) else self.program.types[type_]

    def element(self, table):
        """The type of the elements of a table."""
        return [*self.program.imported(External.TABLE), *self.program.tables][table][0]

    def signature(self, row, immediates):
        """Parameters and results of an instruction that others do."""
        if row.parameters is not None:
            return row.parameters, row.results
        element, i32 = self.element(immediates[0]), ValueType.I32
        return {"table_get": ((i32,), (element,)), "table_set": ((i32, element), ()), "table_grow": ((element, i32), (i32,)),
                "table_fill": ((i32, element, i32), ())}[row.symbol]

    def results_of(self, what):
        """The types of what others result in."""
        name, *immediates = what
        return self.signature(BY_NAME[name.replace("_", ".", 1)], immediates)[1]

    def entered(self, entry):
        """The function that begins at an operation."""
        found = [index for index, word in enumerate(self.module.entries) if word & 0xFFFF_FFFF == entry]
        if len(found) != 1:
            raise Different(f"a call of what begins at {entry}")
        return found[0]

    def oblige(self, obligation):
        """An operation is defined."""
        self.prove(z3.Implies(bits.truth(obligation.guard.term), bits.truth(obligation.condition)), obligation.what)

    # ---- the comparison

    def validate(self):
        """Compare from the entry and from wherever a branch back leads; raises `Different`. Returns the number of paths."""
        slots = [anything(f"local {position}", type_) if position < len(self.parameters) else number(0) for position, type_ in enumerate(self.types)]
        source = Source(self, self.heap.fork(), 0, list(zip(self.types, slots)), labels=[Label(None, len(self.results), 0)])
        cuts, waiting = {}, [(source, self.started(self.entry, slots))]
        while waiting:
            for after, there in self.pairs(*waiting.pop()):
                self.paths += 1
                self.compare(after, there)
                if after.end == ("back",):
                    held = cuts.setdefault((after.at, there.at), [])
                    if not held:
                        held += [self.holder(word, there, height) for height, (_, word) in enumerate(after.stack)]
                        waiting.append(self.any_round(after, there, held))
                        held.append(None)       # an empty list would be a new one
                    self.equal([word for _, word in after.stack], [holder.word(there) for holder in held[:-1]], "operands")
        return self.paths

    def started(self, at, words):
        """The operations from a place on, with words in the first slots."""
        target = Target(self, self.heap.fork(), at)
        for position, word in enumerate(words):
            target.put(position, word)
        return target

    def any_round(self, after, there, held):
        """Both at the beginning of any round of a loop: all values are any, and operands are where they were found to be."""
        locals_ = [(type_, anything(f"local {position}", type_)) for position, type_ in enumerate(self.types)]
        unused = [number(0)] * (self.first - len(locals_))
        slots = [anything(f"operand {height}", type_) for height, (type_, _) in enumerate(after.stack)]
        target = self.started(there.at, [*(word for _, word in locals_), *unused, *slots])
        stack = [(type_, holder.word(target)) for holder, (type_, _) in zip(held, after.stack)]
        return Source(self, self.heap.fork(), after.at, locals_, stack, list(after.labels)), target

    def holder(self, word, target, height):
        """Where the word of an operand is found: below a block, it may be yet to be computed, or a constant of the operations that use it."""
        places = [self.first + height, *range(len(self.types))]
        found = [Holder(place) for place in places]
        found += [Holder(None, 0, known.as_long()) for known in [z3.simplify(word)] if z3.is_bv_value(known)]
        for place in places:
            for shift in range(WIDEST + 1):
                rest = z3.simplify(low(word, u32) - (low(target.slot(place), u32) << shift))
                if z3.is_bv_value(rest):
                    found.append(Holder(place, shift, rest.as_long()))
        return next((holder for holder in found if self.holds(holder.word(target) == word)), found[0])

    def pairs(self, source, target):
        """Every way of the instructions, with every way of the operations on the same condition."""
        for after in self.ways(source):
            for there in self.ways(target.fork()):
                yield after, there

    def ways(self, state):
        """Every way to an end; the solver holds its conditions meanwhile."""
        while not state.end:
            if isinstance(state, Source) and state.at == len(self.code):
                state.return_()
                break
            sides = [(condition, side) for condition, side in state.step() if chosen(condition) is not False]
            if len(sides) == 1:
                state = sides[0][1]
                continue
            for condition, side in sides:
                self.solver.push()
                self.solver.add(bits.truth(condition))
                if self.possible():
                    yield from self.ways(side)
                self.solver.pop()
            return
        yield state

    def values(self, term, condition):
        """All that a term may be where a condition holds."""
        known = z3.simplify(term)
        if z3.is_bv_value(known):
            return [known.as_long()]
        found = []
        self.solver.push()
        self.solver.add(condition)
        while self.possible():
            found.append(self.solver.model().eval(term, True).as_long())
            self.solver.add(term != found[-1])
        self.solver.pop()
        return found

    def possible(self):
        """May all conditions hold?"""
        answer = self.solver.check()
        assert answer != z3.unknown, "the solver gives up"
        return answer == z3.sat

    def prove(self, condition, what):
        """It must hold here."""
        if not self.holds(condition):
            raise Different(what)

    def holds(self, condition):
        """Must it hold here?"""
        if chosen(condition) is not None:
            return chosen(condition)
        self.solver.push()
        self.solver.add(z3.Not(bits.truth(condition)))
        wrong = self.possible()
        self.solver.pop()
        return not wrong

    def compare(self, source, target):
        """The same was asked, and is left."""
        if [what for what, *_ in source.asked] != [what for what, *_ in target.asked]:
            raise Different(f"others are asked for {[what for what, *_ in source.asked]}, then for {[what for what, *_ in target.asked]}")
        for (what, *ours), (_, *theirs) in zip(source.asked, target.asked):
            self.equal(ours[0], theirs[0], f"what {what[0]} is given")
            self.same(ours[1], theirs[1], f"before {what[0]}")
        if source.end[0] != target.end[0]:
            raise Different(f"{source.end} became {target.end}")
        if source.end[0] == "trap":
            self.equal([source.end[1]], [target.end[1]], "the trap")
        if source.end[0] == "return":
            self.equal(source.end[1], target.end[1], "results")
        if source.end[0] == "back":
            self.equal([word for _, word in source.locals], target.several(0, len(self.types)), "locals")
        self.same(source.heap, target.heap, "at the end")

    def same(self, one, other, when):
        """What others may see is the same."""
        hidden = {*one.heads, *other.heads} - {(VM.root, path) for path in OTHERS}
        for condition, what in different(one, other, when, hidden):
            self.prove(condition, what)

    def equal(self, ours, theirs, what):
        """Both are the same words."""
        if len(ours) != len(theirs):
            raise Different(what)
        for one, other in zip(ours, theirs):
            self.prove(one == other, what)


def chosen(condition):
    """A condition that is known, or None."""
    known = z3.simplify(bits.truth(condition))
    return True if z3.is_true(known) else False if z3.is_false(known) else None


def matching(code):
    """Where the `else` and the `end` of each block are."""
    others, ends, opened = {}, {}, []
    for position, (row, _) in enumerate(code):
        if row.name in ("block", "loop", "if"):
            opened.append(position)
        elif row.name == "else":
            others[opened[-1]] = position
        elif row.name == "end":
            ends[opened.pop()] = position
    return others, ends


def validate(program):
    """Compare all functions of a program with their operations; how many paths there were. Raises `Different`."""
    module = Module(program.encoded())
    first = len(program.imported(External.FUNCTION))
    return sum(Function(program, module, first + number).validate() for number in range(len(program.functions)))
