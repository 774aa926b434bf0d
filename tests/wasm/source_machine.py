"""What do instructions do, executed symbolically?"""

from dataclasses import dataclass, field
from typing import Any

import z3

from corollary.language.types import u64
from corollary.proofs import bits
from corollary.proofs.machine.heap import part, read
from corollary.proofs.machine.interpreter import VM
from corollary.proofs.symbolic import TOP
from corollary.spec.wasm.internal import commutes
from corollary.spec.wasm.machine import NULL_REFERENCE, PAGE
from corollary.spec.wasm.meaning import SAME, WORD, fits, is_signed, meaning, trap
from corollary.spec.wasm.opcodes import BY_NAME
from corollary.spec.wasm.traps import Trap
from corollary.spec.wasm.values import ValueType
from corollary.values import REFERENCES
from tests.wasm.unknowns import LARGEST, MEMORY, anything, cell, computed, leave_anything, low, number, wide


@dataclass(frozen=True)
class Label:
    """An open block: the target of a branch, None out of the function.

    It also has the number of operands that a branch takes along, and the number of operands below.
    """

    target: int | None
    taken: int
    height: int
    loop: bool = False


@dataclass
class Source:
    """A function under comparison, at some point: the next instruction and the present values.

    Values are words with their types.
    """

    function: Any
    heap: Any
    at: int
    locals: list
    stack: list = field(default_factory=list)
    labels: list = field(default_factory=list)
    asked: list = field(default_factory=list)  # the requests to others
    end: tuple = ()  # the function's end, once it has ended

    def fork(self):
        """Return a copy that goes on by itself."""
        return Source(
            self.function,
            self.heap.fork(),
            self.at,
            list(self.locals),
            list(self.stack),
            list(self.labels),
            list(self.asked),
            self.end,
        )

    # ---- operands

    def push(self, type_, word):
        """Push an operand."""
        self.stack.append((type_, z3.simplify(word)))

    def pop(self):
        """Pop the word of the last operand."""
        return self.stack.pop()[1]

    def several(self, count):
        """Pop the last operands."""
        taken = self.stack[len(self.stack) - count :]
        del self.stack[len(self.stack) - count :]
        return taken

    def ask(self, what, words, results=()):
        """Ask others to do something with these words; push the results."""
        self.asked.append((what, words, self.heap.fork()))
        leave_anything(self.heap, len(self.asked))
        for position, type_ in enumerate(results):
            self.push(type_, anything(f"result {position} of {len(self.asked)}", type_))

    # ---- steps: each yields `(condition, state)` for every continuation

    def step(self):
        """Execute an instruction."""
        row, immediates = self.function.code[self.at]
        self.at += 1
        if row.is_numeric:
            yield from self.compute(row)
        elif row.width:
            yield from self.access(row, immediates[1])
        else:
            yield from getattr(self, f"on_{row.symbol}", self.on_other)(row, *immediates)

    def go_on(self):
        """Continue in the one possible way."""
        yield True, self

    def trapped(self, reason):
        """End here for good."""
        self.end = ("trap", int(reason))
        return self

    def compute(self, row):
        """Execute a numeric instruction."""
        operands = [
            low(word, WORD[type_])
            for word, type_ in zip([word for _, word in self.several(len(row.parameters))], row.parameters)
        ]
        result = row.results[0]
        if row.opcode in SAME:
            self.push(result, wide(operands[0]))
            return self.go_on()
        return self.checked(row, operands)

    def checked(self, row, operands):
        """Yield the result, and the trap where there is none."""
        other = self.fork()
        wrong = False
        if trap(row):
            reason = computed(trap(row), *operands)
            wrong = reason != int(Trap.NONE)
            other.end = ("trap", reason)
        elif fits(row):
            wrong = z3.Not(computed(fits(row), *operands))
            differs = computed(meaning(BY_NAME[f"{row.parameters[0].name.lower()}.ne"]), *operands, *operands)
            other.end = (
                "trap",
                z3.If(
                    differs,
                    *(
                        z3.BitVecVal(int(reason), Trap.bits)
                        for reason in (Trap.INVALID_CONVERSION, Trap.INTEGER_OVERFLOW)
                    ),
                ),
            )
        value = computed(meaning(row), *operands)
        if commutes(row):
            self.function.solver.add(value == computed(meaning(row), *reversed(operands)))
        self.push(row.results[0], wide(value))
        yield bits.negate(wrong), self
        yield wrong, other

    def size(self):
        """Return the bytes of the memory, whose number is bounded."""
        size = bits.term(read(self.heap, part(MEMORY, "size")), u64)
        self.function.solver.add(z3.ULE(size, LARGEST))
        return size

    def access(self, row, offset):
        """Execute a load or a store."""
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
        """Begin a block."""
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
        self.stack[label.height :] = self.several(label.taken)
        del self.labels[len(self.labels) - 1 - depth + label.loop :]
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
        self.ask(
            ("call_indirect", types.index(types[type_]), table),
            [*(word for _, word in self.several(len(parameters))), index],
            results,
        )
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
        self.push(type_, counted(word, -self.base()) if type_ in REFERENCES else word)
        return self.go_on()

    def on_global_set(self, row, index):
        type_, word = self.stack.pop()
        self.heap.write(cell(index), counted(word, self.base()) if type_ in REFERENCES else word, TOP)
        return self.go_on()

    def base(self):
        """Return the base from which the instance's references count in globals."""
        return bits.term(read(self.heap, part(VM, "base")), u64)

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
        """Ask others to act: on the memory as a whole, tables and segments."""
        parameters, results = self.function.signature(row, immediates)
        self.ask((row.symbol, *immediates), [word for _, word in self.several(len(parameters))], results)
        return self.go_on()


def counted(reference, base):
    """Return a reference that counts from another base."""
    return z3.If(reference == NULL_REFERENCE, reference, reference + base)


def matching(code):
    """Return the places of the `else` and the `end` of each block."""
    others, ends, opened = {}, {}, []
    for position, (row, _) in enumerate(code):
        if row.name in ("block", "loop", "if"):
            opened.append(position)
        elif row.name == "else":
            others[opened[-1]] = position
        elif row.name == "end":
            ends[opened.pop()] = position
    return others, ends
