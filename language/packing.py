"""Which shifts and masks stand for the parts of a word?

Everything here is made in the type of the word, which holds every bit pattern. So nothing that is built can be out of
range. What is read can be only if its type leaves out a bit pattern of its part: that is an obligation.
"""

import ast
from collections.abc import Callable
from typing import NoReturn

from corollary.language import ir
from corollary.language.types import boolean
from corollary.language.word import Symbol, WordMeta, capitals

REPLACE = "replace"
NUMBERS = ("mask", "low", "width")
"""What `Leaf.page` knows of itself, as constants."""


class Packing:
    """The part of the translator of a function that reads, builds and changes words.

    `views` has the word that each local is, if it is one. The rest belongs to the translator of all expressions.
    """

    views: dict
    scalars: dict
    resolve: Callable
    expression: Callable
    condition: Callable
    adapt: Callable
    line: Callable
    fail: Callable[..., NoReturn]

    def word_of(self, node):
        """The word that an expression is a view of, or None."""
        if isinstance(node, ast.Name):
            return self.views.get(node.id) if node.id in self.scalars else None
        if not isinstance(node, ast.Call):
            return None
        if isinstance(node.func, ast.Attribute) and node.func.attr == REPLACE:
            return self.word_of(node.func.value)
        target = self.resolve(node.func)
        return target if isinstance(target, WordMeta) and hasattr(target, "parts") else None

    def part(self, node, word):
        """`leaf.page`: the value of a part of a word."""
        part = word.parts.get(node.attr)
        if part is None:
            self.fail(node, f"{word.__name__} has no part {node.attr}", f"one of: {', '.join(word.parts)}")
        if part.type is None:
            self.fail(node, f"nothing says what {node.attr} holds", f"`{node.attr}: Index(...) = at({part.low}, ...)`")
        return taken(part, self.expression(node.value), self.line(node))

    def word_call(self, node, word):
        """`Leaf(word)`, `Leaf(page=...)` or `leaf.replace(page=...)`."""
        changes = isinstance(node.func, ast.Attribute) and node.func.attr == REPLACE
        if node.args and (changes or node.keywords or len(node.args) != 1):
            name = f"`{word.__name__}({next(iter(word.fields), 'word')}=...)`"
            self.fail(node, f"a {word.__name__} is one integer, or a value for each part by name", name)
        if node.args:
            return self.adapt(self.expression(node.args[0]), word.carrier, node.args[0])
        values = self.part_values(node, word)
        if changes:
            return replaced(word, self.expression(node.func.value), values, self.line(node))
        for name in word.fields:
            if name not in values:
                self.fail(node, f"nothing says what {name} is in this {word.__name__}", f"`{name}=...`")
        return built(word, values, self.line(node))

    def part_values(self, node, word):
        """The named values of a call, in the order in which the parts were declared."""
        given = {keyword.arg: keyword.value for keyword in node.keywords}
        for name in given:
            if name in word.parts and name not in word.fields:
                self.fail(node, f"{name} is always {word.parts[name].fixed}", "another part")
            if name not in word.fields:
                self.fail(node, f"{word.__name__} has no part {name}", f"one of: {', '.join(word.fields)}")
        return {name: self.part_value(given[name], part) for name, part in word.fields.items() if name in given}

    def part_value(self, node, part):
        if part.type is boolean:
            return self.condition(node)
        return self.adapt(self.expression(node), part.type, node)

    def part_number(self, node, part):
        """`Leaf.page.mask`: a number that the declaration of a part implies."""
        if node.attr not in NUMBERS:
            self.fail(node, f"a part has no {node.attr}", f"one of: {', '.join(NUMBERS)}")
        symbol = "" if node.attr == "width" else part.symbol(node.attr)
        return ir.Literal(getattr(part, node.attr), None, symbol)


def taken(part, word, line):
    """Return the value of a part of a word, which is an expression."""
    if part.type is boolean:
        return ir.Compare("!=", ir.Binary("&", word, mask(part, word.type), word.type, line), zero(word.type), boolean)
    moved = ir.Binary(">>", word, low(part, word.type), word.type, line) if part.low else word
    if part.type is word.type:
        return moved
    if part.is_exact:
        return ir.Truncate(moved, part.type)
    ones = ir.Literal(part.ones, word.type)
    return ir.Convert(ir.Binary("&", moved, ones, word.type, line), part.type, line)


def built(word, values, line):
    """Return the word that is built of a value for each part. `values` has expressions by name."""
    name = Symbol(f"{capitals(word.__name__)}_FIXED", next(iter(word.parts.values())))
    fixed = [ir.Literal(word.fixed, word.carrier, name)] if word.fixed else []
    return union([*fixed, *placed(word, values, line)], word.carrier, line)


def replaced(word, old, values, line):
    """Return a word with other values in some parts."""
    for name in values:
        old = ir.Builtin("without", (old, mask(word.fields[name], word.carrier)), word.carrier)
    return union([old, *placed(word, values, line)], word.carrier, line)


def placed(word, values, line):
    """Yield the values at their places, without those that are known to be zero."""
    for name, value in values.items():
        if not (isinstance(value, ir.Literal) and value.value == 0):
            yield put(word.fields[name], value, word.carrier, line)


def put(part, value, carrier, line):
    """Return a value at its place in a word."""
    if part.type is boolean:
        bit = mask(part, carrier)
        return bit if isinstance(value, ir.Literal) else ir.Conditional(value, bit, zero(carrier), carrier)
    wide = value if part.type is carrier else ir.Convert(value, carrier, line)
    return ir.Binary("<<", wide, low(part, carrier), carrier, line) if part.low else wide


def union(parts, carrier, line):
    """Return all of the parts in one word."""
    total, *rest = parts or [zero(carrier)]
    for part in rest:
        total = ir.Binary("|", total, part, carrier, line)
    return total


def mask(part, carrier):
    """The bits of a part."""
    return ir.Literal(part.mask, carrier, part.symbol("mask"))


def low(part, carrier):
    """The number of the lowest bit of a part."""
    return ir.Literal(part.low, carrier, part.symbol("low"))


def zero(carrier):
    """A word without a bit."""
    return ir.Literal(0, carrier)
