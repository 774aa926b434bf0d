"""What may a function of the model read and write? Its callers need to know; its IR says it."""

import operator

from corollary.codegen.kernel import KERNEL
from corollary.language import ir
from corollary.language.frontend import translate
from corollary.language.reads import remembered
from corollary.language.types import ArrayType, is_scalar
from corollary.proofs.footprint import footprint as of_function


@remembered
def named(program=KERNEL):
    """Return every function of a program by its symbol; by default those of the kernel that come from the model."""
    return {function.symbol: function for function in program.functions}


@remembered
def below(function):
    """Return all functions that a function calls, directly or not, by symbol; the model has no recursion."""
    direct = {callee.symbol: callee for callee in map(translate, function.callees)}
    return direct | {symbol: each for callee in direct.values() for symbol, each in below(callee).items()}


@remembered
def footprint(function):
    """Return the footprint of a function, with all that it calls."""
    return of_function(function)


class _Fresh:
    """Follows the control flow that is the same in every run of a function, and watches its array parameters' cells."""

    def __init__(self, function):
        self.arrays = {
            item.name: item.type.length
            for item in function.parameters
            if isinstance(item.type, ArrayType) and is_scalar(item.type.element)
        }
        self.written, self.spoiled, self.numbers = {name: set() for name in self.arrays}, set(), {}
        self.left = False  # may the function have returned already?

    def block(self, statements, certain=True):
        """Go through statements; one that may not run writes nothing for certain."""
        for node in statements:
            if isinstance(node, ir.For):
                for number in range(int(node.count.value)):
                    self.numbers[node.variable] = number
                    self.block(node.body, certain)
            elif isinstance(node, ir.If):
                self.reads(node.condition)
                self.block(node.then, False)
                self.block(node.other, False)
                self.left |= any(isinstance(part, ir.Return) for part in ir.walk((node.then, node.other)))
            else:
                self.statement(node, certain and not self.left)
                if isinstance(node, ir.Return):
                    return

    def statement(self, node, certain):
        if isinstance(node, ir.Assign):
            self.reads(node.value)
            if isinstance(node.target, ir.Element) and isinstance(node.target.base, ir.Root):
                self.reads(node.target.index)
                self.write(node.target.base.name, self.number(node.target.index), certain)
            elif isinstance(node.target, ir.Local):
                self.numbers.pop(node.target.name, None)
        elif isinstance(node, ir.Clear) and isinstance(node.place, ir.Root):
            for number in range(self.arrays.get(node.place.name, 0)):
                self.write(node.place.name, number, certain)
        elif isinstance(node, ir.Alias):
            self.spoiled |= {part.name for part in ir.walk(node.place) if isinstance(part, ir.Root)}
        else:
            self.reads(node, certain)

    def write(self, name, number, certain):
        if name in self.arrays and certain and number is not None:
            self.written[name].add(number)

    def reads(self, node, certain=False):
        for part in ir.walk(node):
            if isinstance(part, ir.Call):
                self.call(part, certain)
            elif isinstance(part, ir.Element) and isinstance(part.base, ir.Root):
                if self.number(part.index) not in self.written.get(part.base.name, ()):
                    self.spoiled.add(part.base.name)

    def call(self, node, certain):
        for parameter, argument in zip(node.function.parameters, node.arguments):
            name = getattr(argument, "name", None)
            if is_scalar(parameter.type) or name not in self.arrays:
                continue
            whole = set(range(self.arrays[name]))
            if parameter.name in initialized(node.function):
                self.written[name] |= whole if certain else set()
            elif self.written[name] != whole:
                self.spoiled.add(name)

    def number(self, node):
        """Return an index that is the same in every run, else None."""
        if isinstance(node, ir.Literal):
            return int(node.value)
        if isinstance(node, ir.Local):
            return self.numbers.get(node.name)
        if isinstance(node, (ir.Convert, ir.Truncate)):
            return self.number(node.operand)
        if isinstance(node, ir.Binary) and node.op in "+-*":
            sides = self.number(node.left), self.number(node.right)
            if None not in sides:
                return {"+": operator.add, "-": operator.sub, "*": operator.mul}[node.op](*sides)
        return None


@remembered
def initialized(function):
    """Return the array parameters that a function writes completely before it reads them.

    What they held does not matter.
    """
    watch = _Fresh(function)
    watch.block(function.body)
    return frozenset(
        name
        for name, length in watch.arrays.items()
        if len(watch.written[name]) == length and name not in watch.spoiled
    )


@remembered
def possible_results(function):
    """Return the values that a function may return, if all are written as literals; else None."""
    found = set()
    for node in ir.walk(function.body):
        if isinstance(node, ir.Return):
            if isinstance(node.value, ir.Literal):
                found.add(int(node.value.value))
            elif isinstance(node.value, ir.Call) and possible_results(node.value.function) is not None:
                found |= possible_results(node.value.function)
            else:
                return None
    return frozenset(found) if function.returns is not None else None
