"""What of a promise is asked once, before the loop over its last index, and what in each round?

What a promise asks first, and of its other indices alone, is its **antecedent**: where that is false, the promise holds
for every last index. Only what Python asks before anything else is taken, so nothing is asked that was guarded.
"""

from dataclasses import dataclass, fields, is_dataclass, replace
from functools import cache
from typing import Any

from corollary.language import ir
from corollary.language.types import boolean

OPPOSITE = {"==": "!=", "!=": "=="}


@dataclass(frozen=True)
class Parted:
    """A promise in two parts.

    `before` are conditions without the last index: unless all are true, the promise holds. `rest` is what it asks then,
    or None if that can be had from its function alone.
    """

    before: tuple
    rest: Any


@cache
def parted(function):
    """Return the parts of a promise, which is a typed function whose last parameter is the last index."""
    *definitions, last = function.body
    inner, known = {function.parameters[-1].name}, {}
    for node in definitions:
        if not isinstance(node, ir.Alias) and not (isinstance(node, ir.Assign) and node.declares):
            return Parted((), None)
        name, value = (node.name, node.place) if isinstance(node, ir.Alias) else (node.target.name, node.value)
        if inner.isdisjoint(names(value)):
            known[name] = expanded(value, known)
        else:
            inner.add(name)
    before, rest = asked(expanded(last.value, known), False, inner)
    return Parted(tuple(before), rest if ir.is_plain(function) else None)


def asked(node, sought, inner):
    """Return what is asked first and without `inner` names, and what is left.

    An expression is as `sought` only if all of the first is true and the rest is as sought, too. The rest is None if
    nothing is left.
    """
    if inner.isdisjoint(names(node)):
        return [node if sought else negated(node)], None
    if isinstance(node, ir.Not):
        before, rest = asked(node.operand, not sought, inner)
        return before, negated(rest)
    operands = parts(node, sought)
    before = []
    while operands:
        more, rest = asked(operands[0], sought, inner)
        before += more
        if rest is not None:
            operands = (rest, *operands[1:])
            break
        operands = operands[1:]
    else:
        return before, node
    return before, operands[0] if len(operands) == 1 else ir.Logic("and" if sought else "or", operands, boolean)


def parts(node, sought):
    """Return what must all be as sought for an expression to be so, in the order in which Python asks."""
    if isinstance(node, ir.Logic) and (node.op == "and") == sought:
        return node.operands
    if isinstance(node, ir.Builtin) and node.name == "implies" and not sought:
        return negated(node.arguments[0]), node.arguments[1]
    return ()


def negated(node):
    """Return the opposite of a condition."""
    if isinstance(node, ir.Compare) and node.op in OPPOSITE:
        return replace(node, op=OPPOSITE[node.op])
    return node.operand if isinstance(node, ir.Not) else ir.Not(node, boolean)


def names(node):
    """Return the names of all parameters and locals in an expression."""
    return {part.name for part in ir.walk(node) if isinstance(part, (ir.Local, ir.Root))}


def expanded(node, known):
    """Return an expression with the meanings of known names in their place."""
    if isinstance(node, (ir.Local, ir.Root)):
        return known.get(node.name, node)
    if isinstance(node, tuple):
        return tuple(expanded(part, known) for part in node)
    if not is_dataclass(node) or isinstance(node, (type, ir.TypedFunction)):
        return node
    return replace(node, **{item.name: expanded(getattr(node, item.name), known) for item in fields(node)})
