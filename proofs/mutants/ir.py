"""Which small mistakes could a model contain? A program makes every one-node change to a function's IR.

A mutant is a function, a path to one node of its body, and the replacement of that node. Its id depends only on
these, so it is the same in every run until the code around it changes.
"""

import difflib
from contextlib import contextmanager
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import cached_property
from typing import Any

from corollary.codegen.declarations import definition
from corollary.language import ir
from corollary.language.types import ArrayType, boolean, is_enum, is_flags, is_scalar
from corollary.proofs.fingerprint import digest, of_node

SWAPS = {"+": "-", "-": "+", "*": "+", "//": "*", "%": "//", "&": "|", "|": "&", "^": "|", "<<": ">>", ">>": "<<"}
COMPARISONS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}
BUILTINS = {
    "minimum": "maximum",
    "maximum": "minimum",
    "wrapping_add": "wrapping_sub",
    "wrapping_sub": "wrapping_add",
    "saturating_sub": "maximum",
}
REMOVED = object()  # stands for a statement that is left out


@dataclass(frozen=True)
class Mutant:
    """One change, and the step in which it is looked for."""

    function: Any
    path: tuple
    new: Any
    what: str  # the kind of change
    operation: str = ""

    @cached_property
    def id(self):
        """The id, made from the function, the path, and the texts of the old and the new node."""
        new = "removed" if self.new is REMOVED else of_node(self.new)
        text = digest(self.function.symbol, repr(self.path), of_node(at(self.function.body, self.path)), new)
        return f"{self.function.symbol}-{text[:10]}"

    @contextmanager
    def applied(self):
        """Apply the mutation while the context lasts."""
        body = self.function.body
        self.function.body = put(body, self.path, self.new)
        try:
            yield
        finally:
            self.function.body = body

    @property
    def line(self):
        """The line of the statement around the change."""
        around = (at(self.function.body, self.path[:depth]) for depth in range(1, len(self.path) + 1))
        return max(getattr(node, "line", 0) for node in around) or self.function.line

    @property
    def change(self):
        """`file:line `old` -> `new``, in the C before and after."""
        before = definition(self.function)
        with self.applied():
            after = definition(self.function)
        old, new = [], []
        for line in difflib.ndiff(before, after):
            if line[0] in "-+":
                (old if line[0] == "-" else new).append(line[2:].strip())
        return f"{'/'.join(self.function.file.split('/')[-2:])}:{self.line} `{' '.join(old)}` -> `{' '.join(new)}`"

    def visible(self):
        """Does the change alter the text of the function, and can it be printed?"""
        before = definition(self.function)
        with self.applied():
            try:
                return definition(self.function) != before
            except Exception:  # a change that the language cannot express
                return False


# ---- paths


def at(node, path):
    """Return the node at a path of field names and positions."""
    for part in path:
        node = node[part] if isinstance(part, int) else getattr(node, part)
    return node


def put(node, path, new):
    """Return the tree with another node at the path."""
    if not path:
        return new
    part, *rest = path
    if isinstance(part, int):
        inner = put(node[part], rest, new)
        return (*node[:part], *(() if inner is REMOVED else (inner,)), *node[part + 1 :])
    return replace(node, **{part: put(getattr(node, part), rest, new)})


def below(node, path=()):
    """Yield every node with its path; constant tables are not entered."""
    yield path, node
    if isinstance(node, tuple):
        for position, inner in enumerate(node):
            yield from below(inner, (*path, position))
    elif is_dataclass(node) and not isinstance(node, ir.TypedFunction):
        table = isinstance(node, ir.Builtin) and node.name == "constant_table"
        for item in fields(node):
            value = getattr(node, item.name)
            inner = isinstance(value, tuple) or (
                is_dataclass(value) and not isinstance(value, (ir.TypedFunction, type))
            )
            if inner and item.name != "comments" and not table:
                yield from below(value, (*path, item.name))


# ---- changes: `(what, new node)` for every mistake at one node


def _binary(node, function):
    yield "operator", replace(node, op=SWAPS[node.op])


def _compare(node, function):
    yield "comparison", replace(node, op=COMPARISONS[node.op])


def _logic(node, function):
    yield "and/or", replace(node, op="or" if node.op == "and" else "and")
    for position in range(len(node.operands)):
        rest = node.operands[:position] + node.operands[position + 1 :]
        yield "dropped condition", rest[0] if len(rest) == 1 else replace(node, operands=rest)


def _not(node, function):
    yield "negated condition", node.operand


def _conditional(node, function):
    yield "swapped branches", replace(node, then=node.other, other=node.then)


def _literal(node, function):
    if node.type is boolean:
        yield "constant", ir.Literal(not node.value, boolean)
    elif is_enum(node.type):
        members: list[Any] = list(node.type)
        following = members[(members.index(node.type(node.value)) + 1) % len(members)]
        yield "enumerator", ir.Literal(int(following), node.type, following.name)
    elif is_flags(node.type):
        names = list(node.type.members)
        if node.symbol in names:
            name = names[(names.index(node.symbol) + 1) % len(names)]
            yield "enumerator", ir.Literal(node.type.members[name], node.type, name)
    else:
        for value in (node.value + 1, node.value - 1):
            if value >= 0 and (node.type is None or node.type.contains(value)):
                yield "constant", ir.Literal(value, node.type)


def _if(node, function):
    refuses = len(node.then) == 1 and isinstance(node.then[0], ir.Return) and not node.other
    yield ("dropped guard" if refuses else "removed branch"), REMOVED
    yield "negated condition", replace(node, condition=ir.Not(node.condition, boolean))


def _assign(node, function):
    if not node.declares:
        yield "removed effect", REMOVED


def _do(node, function):
    yield ("dropped hardware call" if node.call.function.hardware else "removed effect"), REMOVED


def _clear(node, function):
    yield "removed effect", REMOVED


def _field(node, function):
    same = [name for name, type_ in node.base.type.fields.items() if is_scalar(type_) and type_ is node.type]
    if node.name in same and len(same) > 1:
        yield "swapped field", replace(node, name=same[(same.index(node.name) + 1) % len(same)])


def _element(node, function):
    if not isinstance(node.index, ir.Literal):
        yield "wrong index", replace(node, index=ir.Literal(0, node.index.type))


def _call(node, function):
    for position in range(len(node.arguments) - 1):
        one, other = (item.type for item in node.function.parameters[position : position + 2])
        arrays = isinstance(one, ArrayType) and isinstance(other, ArrayType)
        alike = one is other or (arrays and (one.element, one.length) == (other.element, other.length))
        if alike and node.arguments[position] != node.arguments[position + 1]:
            yield "swapped arguments", replace(node, arguments=_swapped(node.arguments, position))


def _builtin(node, function):
    if node.name in BUILTINS:
        yield "operator", replace(node, name=BUILTINS[node.name])
    if node.name in ("subset", "without", "saturating_sub", "wrapping_sub"):
        yield "swapped arguments", replace(node, arguments=_swapped(node.arguments, 0))


def _swapped(arguments, position):
    one, other = arguments[position : position + 2]
    return (*arguments[:position], other, one, *arguments[position + 2 :])


def _local(node, function):
    names = [item.name for item in function.parameters if item.type is node.type]
    if len(names) > 1 and node.name in names:
        yield "swapped variable", replace(node, name=names[(names.index(node.name) + 1) % len(names)])


CHANGES = {
    ir.Binary: _binary,
    ir.Compare: _compare,
    ir.Logic: _logic,
    ir.Not: _not,
    ir.Conditional: _conditional,
    ir.Literal: _literal,
    ir.If: _if,
    ir.Assign: _assign,
    ir.Do: _do,
    ir.Clear: _clear,
    ir.Field: _field,
    ir.Element: _element,
    ir.Call: _call,
    ir.Builtin: _builtin,
    ir.Local: _local,
}


def mutants_of(function):
    """Return every mutant of a function."""
    return tuple(
        Mutant(function, path, new, what)
        for path, node in below(function.body)
        if type(node) in CHANGES
        for what, new in CHANGES[type(node)](node, function)
    )
