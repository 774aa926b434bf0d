"""Does the machine code of each handler do what its operation means? Every path is checked, on any machine.

An operation means what its function in `model/wasm/reference.py` does. A handler is the code between two dispatches:
it goes on at the next operation's handler, or leaves the run. Wherever the function is defined, so that every index is
in range there, both leave the same machine. The handler accesses nothing that is out of range.
"""

import time
from dataclasses import replace
from typing import Any, NamedTuple

import z3

from corollary.codegen import build
from corollary.language import ir
from corollary.language.frontend import translate
from corollary.language.reads import note, remembered
from corollary.language.types import boolean, is_scalar, u32, u64
from corollary.model.wasm.reference import function_of
from corollary.proofs import bits
from corollary.proofs.loops import Unbounded
from corollary.proofs.machine import floats, words
from corollary.proofs.machine.calls import result_of
from corollary.proofs.machine.convention import LINK, RETURN, TAIL_CALL, demands
from corollary.proofs.machine.heap import different, index_types, leave_anything, part, range_of, read
from corollary.proofs.machine.image import Image
from corollary.proofs.machine.interpreter import (
    CALLED,
    HANDLER,
    IN_PLACE,
    STATE,
    STEPS,
    VM,
    Call,
    Interpreter,
    Steps,
    wide,
)
from corollary.proofs.machine.lift import NotAllowed
from corollary.proofs.machine.memory import ADDRESS
from corollary.proofs.machine.premises import Typed
from corollary.proofs.machine.sums import near, normal, parted
from corollary.proofs.prove import ObligationResult
from corollary.proofs.symbolic import LENGTH, Executor, Reference
from corollary.spec.wasm.bytecodes import Form
from corollary.spec.wasm.internal import OPERATIONS
from corollary.spec.wasm.machine import NULL_REFERENCE, Machine, Outcome

LARGEST = 1 << 32  # bytes of a memory, elements of a slice


@remembered
def built():
    """Return the VM for AArch64."""
    note("image", f"{__name__}:built")
    return Image(build.vm_image())


# ---- what an operation means


WORDS = {
    "+": words.add,
    "-": words.subtract,
    "*": words.multiply,
    "//": words.divide,
    "&": words.bits_and,
    "|": words.bits_or,
    "^": words.bits_xor,
    "<<": words.shift_left,
    ">>": words.shift_right,
}


BUILTINS = {
    "wrapping_add": words.add,
    "wrapping_sub": words.subtract,
    "wrapping_mul": words.multiply,
    "sign_extend": lambda a, b, width: words.sign_extend(words.extract(a, 0, b, width), b, width),
    "shift_left": lambda a, b, width: words.shift_left(a, words.bits_and(b, width - 1, width), width),
}


def remainder(a, b, quotient):
    """Return what a division leaves: the dividend minus the quotient times the divisor."""
    return a - quotient * b


class Meaning(Unbounded):
    """The function of an operation, run on any machine. It builds words as the machine code does."""

    def __init__(self, store, conditions):
        super().__init__(store, lambda function: function.symbol not in CALLED)
        self.conditions, self.calls, self.narrowed, self.bounds = conditions, [], {}, []

    def oblige(self, condition, what, line, frame):
        """Assume, from here on, what must hold where the function is defined."""
        super().oblige(condition, what, line, frame)
        self.conditions.add(bits.disjoin([bits.negate(frame.guard.term), condition]))

    def on_If(self, node, frame):
        condition = self.value(node.condition, frame)
        super().on_If(replace(node, condition=ir.Literal(self.decided(condition), boolean)), frame)

    def of_Conditional(self, node, frame):
        condition = self.value(node.condition, frame)
        return super().of_Conditional(replace(node, condition=ir.Literal(self.decided(condition), boolean)), frame)

    def decided(self, condition):
        """Return a condition, as a constant if it is the same in every state that the machine code's path leads to."""
        if bits.known(condition):
            return condition
        return (
            False
            if self.conditions.impossible(condition)
            else True
            if self.conditions.impossible(z3.Not(condition))
            else condition
        )

    def wide(self, number):
        """Return a 32-bit number as a word: the word it was made from, if that is known to be no larger."""
        return (
            self.narrowed[number.get_id()][1]
            if not words.known(number) and number.get_id() in self.narrowed
            else wide(number)
        )

    def of_Binary(self, node, frame):
        if node.op not in WORDS or node.type is boolean:
            return self.left_over(node, frame)
        left, right = self.value(node.left, frame), self.value(node.right, frame)
        self.oblige(
            bits.arithmetic(node.op, left, right, node.type)[1], f"`{node.op}` fits {node.type.name}", node.line, frame
        )
        return WORDS[node.op](left, right, node.type.bits)

    def left_over(self, node, frame):
        """Return a remainder, or the value of an operation that makes no word."""
        if node.op != "%":
            return super().of_Binary(node, frame)
        left, right = (bits.term(self.value(side, frame), node.type) for side in (node.left, node.right))
        self.oblige(right != 0, "the divisor is not zero", node.line, frame)
        return remainder(left, right, z3.UDiv(left, right))

    def of_Builtin(self, node, frame):
        width = node.type.bits
        if node.name in BUILTINS:
            return BUILTINS[node.name](*(self.value(side, frame) for side in node.arguments), width)
        if node.name != "signed_remainder":
            return super().of_Builtin(node, frame)
        left, right = (bits.term(self.value(side, frame), node.type) for side in node.arguments)
        self.oblige(right != 0, "the divisor is not zero", 0, frame)
        return remainder(left, right, left / right)

    def of_Compare(self, node, frame):
        left, right = self.value(node.left, frame), self.value(node.right, frame)
        if node.left.type is u64:
            left, right = normal(left), normal(right)
        return bits.compare(node.op, left, right, node.left.type)

    def of_Convert(self, node, frame):
        if not is_word(node):
            return super().of_Convert(node, frame)
        value = self.value(node.operand, frame)
        if (node.operand.type, node.type) == (u32, u64):
            return self.wide(value)
        made: Any = words.extend(value, node.operand.type.bits, node.type.bits)
        if node.type.bits < node.operand.type.bits:
            self.oblige(
                words.less(value, node.type.bound, node.operand.type.bits),
                f"value is a {node.type.name}",
                node.line,
                frame,
            )
            if (node.operand.type, node.type) == (u64, u32) and frame.guard.term is True and not words.known(made):
                self.narrowed[made.get_id()] = (made, value)
        return made

    def of_Truncate(self, node, frame):
        if not is_word(node):
            return super().of_Truncate(node, frame)
        return words.extend(self.value(node.operand, frame), node.operand.type.bits, node.type.bits)

    def place(self, node, frame):
        found = super().place(node, frame)
        if not isinstance(node, ir.Element):
            return found
        return Reference(found.root, found.path, (*found.indices[:-1], normal(found.indices[-1])), found.type)

    def inside(self, slice_, first, count, node, frame):
        end, size = normal(words.add(first, count, ADDRESS)), self.length(self.place(slice_, frame), frame)
        within = z3.And(
            z3.ULE(words.term(normal(first), ADDRESS), words.term(end, ADDRESS)),
            z3.ULE(words.term(end, ADDRESS), words.term(size, ADDRESS)),
        )
        self.oblige(within, "all elements are in range", node.line, frame)
        if frame.guard.term is True:
            self.bounds.append((end, size))

    def on_Move(self, node, frame):
        at, first, count = (self.value(each, frame) for each in (node.at, node.first, node.count))
        self.inside(node.source, first, count, node, frame)
        self.inside(node.target, at, count, node, frame)
        source, before, guard = self.place(node.source, frame), self.store.fork(), frame.guard

        def moved(number):
            place = source.element(words.add(number, first, ADDRESS))
            return before.read(place, index_types(place), guard)

        range_of(self.store, self.place(node.target, frame), at, count, moved, guard)

    def on_Fill(self, node, frame):
        at, value, count = (self.value(each, frame) for each in (node.at, node.value, node.count))
        self.inside(node.target, at, count, node, frame)
        range_of(self.store, self.place(node.target, frame), at, count, lambda number: value, frame.guard)

    def invoke(self, function, arguments, guard):
        if function.intrinsic:
            return floats.MEANING[function.name](
                *(bits.term(value, item.type) for value, item in zip(arguments, function.parameters))
            )
        if function.symbol not in CALLED:
            return Executor.invoke(self, function, arguments, guard)
        given = list(zip(function.parameters, arguments))
        places = {item.name: value for item, value in given if not is_scalar(item.type)}
        scalars = {item.name: (value, item.type) for item, value in given if is_scalar(item.type)}
        number = len(self.calls)
        self.calls.append(Call(function, scalars, places, self.store.fork()))
        leave_anything(self.store, number, function, places, guard)
        return result_of(function, number)


def is_word(node):
    """Does a conversion go from one machine integer to another?"""
    return all(type_.exact and type_ is not boolean for type_ in (node.type, node.operand.type))


# ---- the comparison


def any_machine():
    """Return the store of a machine that holds anything."""
    store = Typed(frozenset({VM.root, STEPS.root}))
    store.shared["roots"] = {VM.root: Machine, STEPS.root: Steps}
    return store


class Answer(NamedTuple):
    """The result of a comparison, and the reason if it is not proved."""

    result: str
    reason: str


class Comparison:
    """Compares a handler with the function of its operation."""

    def __init__(self, image, operation, function=None):
        self.operation, store = operation, any_machine()
        self.prepare(
            Interpreter(image, f"{HANDLER}{operation.name}", store), translate(function or function_of(operation)), [VM]
        )

    def prepare(self, code, function, arguments):
        """Begin with machine code, and the function to compare it with."""
        self.code, self.store, self.conditions = code, code.heap, code.conditions
        self.function, self.arguments = function, arguments
        self.paths = self.longest = 0
        self.conditions.add(*self.premises())

    def premises(self):
        """Yield what holds for every machine that runs."""
        yield from self.sizes()
        yield z3.BVAddNoOverflow(
            read(self.store, part(VM, "base")), read(self.store, part(VM, "entries").field(LENGTH, u64)), False
        )
        yield words.equal(read(self.store, part(STEPS, "take").field(LENGTH, u64)), len(OPERATIONS), ADDRESS)
        if self.operation.name == "call_indirect":
            yield from self.beyond(self.store)

    def sizes(self):
        """Yield limits on sizes, for any machine."""
        stack, memory = part(VM, "stack"), part(VM, "memory", 0)
        yield z3.ULT(self.code.pointer(stack), 1 << ADDRESS - 1)
        yield z3.ULE(read(self.store, stack.field(LENGTH, u64)), LARGEST)
        yield z3.ULE(read(self.store, part(memory, "size")), LARGEST)

    def beyond(self, before):
        """Yield that the table that an indirect call names has room for its size, and is null beyond."""
        word = read(before, part(VM, "code", wide(read(before, part(VM, "at")))))
        slot, number = (words.extend(words.extract(word, low, 16, ADDRESS), 16, ADDRESS) for low in (32, 48))
        held = read(before, part(VM, "stack", normal(words.add(wide(read(before, part(VM, "frame"))), slot, ADDRESS))))
        index, table = wide(words.extract(held, 0, 32, ADDRESS)), part(VM, "tables", number, "table", 0)
        size, room = wide(read(before, part(table, "size"))), read(before, part(table, "elements").field(LENGTH, u64))
        yield z3.ULE(size, room)
        yield z3.Or(
            z3.ULT(index, size), z3.UGE(index, room), read(before, part(table, "elements", index)) == NULL_REFERENCE
        )

    def run(self):
        """Return the answer."""
        try:
            for path in self.code.paths():
                self.conditions.push()
                answer = self.compare(path)
                self.conditions.pop()
                if answer is not None:
                    return answer
        except NotAllowed as problem:
            return Answer("refuted", str(problem))
        return Answer("proved", "") if self.paths else Answer("unknown", "no path is possible")

    def compare(self, path):
        """Return what is wrong with a path, or None. The operation's function runs under the path's conditions."""
        self.meaning = Meaning(self.store.fork(), self.conditions)
        self.result = self.meaning.run(self.function, self.arguments)
        self.left = self.meaning.store
        if path.ended is not False:  # not after a round of a loop
            self.conditions.add(*self.known())
        if self.conditions.impossible(True):
            return None
        self.paths, self.longest = self.paths + 1, max(self.longest, path.count)
        known = {condition.get_id() for condition in self.conditions.known}
        goals = [*path.obligations, *(self.ended(path) if path.ended is not False else ())]
        for condition, what in goals:
            condition = bits.truth(condition)
            certain = z3.is_true(condition) or condition.get_id() in known or self.follows(condition)
            answer = z3.unsat if certain else self.conditions.check(z3.Not(condition))
            if answer != z3.unsat:
                way = [f"{at:x} {'yes' if taken else 'no'}" for at, taken in path.trail]
                return Answer("refuted" if answer == z3.sat else "unknown", f"{what}, on the path {way}")
        return None

    def known(self):
        """Yield what holds for the code of a valid module where a run goes on."""
        yield bits.disjoin([bits.negate(self.result), self.is_operation()])

    def follows(self, condition):
        """Is a word below a length because it is below the end of what the operation moves or fills?

        The parts that word and end share are left out.
        """
        if not z3.is_app_of(condition, z3.Z3_OP_ULT):
            return False
        word, length = condition.children()
        for end, size in self.meaning.bounds:
            if bits.same(size, length):
                common, one, other = parted(word, end)
                if self.conditions.impossible(
                    z3.Not(z3.And(*map(bits.truth, [*near(common, one, other), words.less(one, other, ADDRESS)])))
                ):
                    return True
        return False

    def place(self):
        """Return the position in the code where the run goes on."""
        return self.meaning.wide(read(self.left, part(VM, "at")))

    def following(self):
        """Return the number of the operation at which the run goes on."""
        return words.extend(
            words.extract(read(self.left, part(VM, "code", normal(self.place()))), 0, 16, ADDRESS), 16, ADDRESS
        )

    def is_operation(self):
        """Is there an operation where the run goes on?"""
        length = read(self.store, part(VM, "code").field(LENGTH, u64))
        return bits.conjoin(
            [words.less(normal(self.place()), length, ADDRESS), words.less(self.following(), len(OPERATIONS), ADDRESS)]
        )

    def ended(self, path):
        """Yield what must hold where a path ends: both sides go on, or both end, with the same machine."""
        leaves = not words.known(path.ended) and path.ended.eq(self.code.entry[LINK])
        yield (
            (bits.negate(self.result) if leaves else self.result),
            "it goes on or leaves the run as the operation does",
        )
        yield from self.preserved(path, RETURN if leaves else TAIL_CALL)
        yield from self.same_calls(path)
        if leaves:
            outcome = words.extract(path.registers.named("x0"), 0, Outcome.bits, ADDRESS)
            yield words.equal(outcome, read(self.left, part(VM, "outcome")), Outcome.bits), "the outcome is returned"
            yield from different(path.heap, self.left, "as it leaves the run")
            return
        held = self.code.held(self.left, self.meaning.wide)
        for name, register in STATE.items():
            yield (
                words.equal(normal(path.registers.named(register)), normal(held[name]), ADDRESS),
                f"{name} as it goes on",
            )
        handler = read(path.heap, part(STEPS, "take", self.following()))
        yield words.equal(path.ended, handler, ADDRESS), "it goes on at the handler of the next operation"
        yield from different(path.heap, self.left, "as it goes on", {(VM.root, (name,)) for name in IN_PLACE})

    def preserved(self, path, way):
        """Return what the convention demands where the code is left."""
        code = self.code
        return demands(way, code.convention, code.entry, path.registers.named, code.multiples, path.ended)

    def same_calls(self, path):
        """Yield that model functions are called in the same order, with equal arguments and on the same machine."""
        if [call.function for call in path.calls] != [call.function for call in self.meaning.calls]:
            yield False, "it calls what the operation calls"
            return
        for ours, theirs in zip(path.calls, self.meaning.calls):
            for name, (value, type_) in theirs.scalars.items():
                yield bits.compare("==", ours.scalars[name][0], value, type_), f"{name} of {ours.function.name}"
            for name, place in theirs.places.items():
                found = ours.places[name]
                same = (found.root, found.path) == (place.root, place.path)
                yield (
                    same
                    and bits.conjoin([bits.compare("==", *pair, u64) for pair in zip(found.indices, place.indices)]),
                    f"{name} of {ours.function.name}",
                )
            yield from different(
                ours.heap, theirs.heap, f"before {ours.function.name}", {(VM.root, (name,)) for name in IN_PLACE}
            )


# ---- the obligations

PART = "handlers: "  # start of a step's name; a step holds the operations of one form
LEVEL, PROPERTY = 4, "handler"


def steps():
    """Return one step for each form."""
    return [PART + form.name for form in Form]


def questions(step):
    """Yield the obligations of a step: `(id, level, decide)`."""
    for operation in OPERATIONS:
        if PART + operation.form.name == step:
            yield f"{operation.name}/{PROPERTY}", LEVEL, lambda operation=operation: decide(operation)


def decide(operation):
    """Compare the handler of an operation with its meaning."""
    start, comparison = time.process_time(), Comparison(built(), operation)
    answer = comparison.run()
    return ObligationResult(
        f"{operation.name}/{PROPERTY}",
        LEVEL,
        PROPERTY,
        operation.name,
        answer.result,
        time.process_time() - start,
        (
            f"the handler of {operation.name} does what its operation means, reaches nothing else, "
            "and goes on at the next one"
        ),
        reason=answer.reason,
        rounds=comparison.paths,
    )
