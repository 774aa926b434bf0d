"""Which fields may a function read, and which may it write? Its IR and its callees tell; nothing is run.

A field is named by its parameter and its path. Rows of a table are not told apart.
"""

from dataclasses import dataclass
from typing import Any

from corollary.language import ir
from corollary.language.types import ArrayType, is_scalar

NONE = -1  # stands for a call that names no operation
OPERATION = ("call", ("operation",))


@dataclass(frozen=True)
class Footprint:
    """The scalar fields below each parameter that a function may read or write: `(parameter, path)`."""

    reads: frozenset
    writes: frozenset
    used: frozenset  # parameters that matter at all


def leaves(type_, path=()):
    """The paths of all scalars below a type."""
    if is_scalar(type_):
        yield path
    elif isinstance(type_, ArrayType):
        yield from leaves(type_.element, (*path, "[]"))
    else:
        for name, inner in type_.fields.items():
            yield from leaves(inner, (*path, name))


found = {}
"""The footprint of each function that was asked for. Code that changes a function clears this."""


def footprint(function, number=None):
    """Return the footprint of a function and its callees.

    With `number`, count only what is done for a call that names this operation, if nobody changes that name.
    """
    key = id(function), number
    if key not in found:
        found[key] = (
            function,
            (of_opaque if function.opaque else of_body)(function, number),
        )  # kept, so that no id is used again
    return found[key][1]


def of_opaque(function, number=None):
    """Return the footprint of an opaque function: it may read all its arguments, and write all that it may change."""
    below = {
        item.name: {(item.name, path) for path in leaves(item.type)}
        for item in function.parameters
        if not is_scalar(item.type)
    }
    return Footprint(
        frozenset().union(*below.values()),
        frozenset().union(*(below[name] for name in function.mutates)),
        frozenset(item.name for item in function.parameters),
    )


def of_body(function, number=None):
    """Return the footprint of a function from its statements."""
    walk = Walk(function, number)
    walk.block(function.body)
    used = {parameter for parameter, _ in walk.reads | walk.writes} | walk.locals
    if function.hardware:
        used |= {item.name for item in function.parameters if is_scalar(item.type)}
    return Footprint(frozenset(walk.reads), frozenset(walk.writes), frozenset(used))


class Walk:
    """A walk through the statements of one function, which records the fields below its parameters."""

    def __init__(self, function, number):
        self.derived, self.number = ir.is_derived(function), number
        self.reads, self.writes, self.locals = set(), set(), set()
        self.places = {item.name: (item.name, ()) for item in function.parameters if not is_scalar(item.type)}

    def block(self, statements):
        """Record what statements do. Raises `TypeError` for a statement that no step of the kernel takes."""
        for node in statements:
            if not self.is_taken(node):
                continue
            if isinstance(node, ir.If):
                self.expressions(node.condition)
                self.block(node.then)
                self.block(node.other)
            elif isinstance(node, ir.For):
                self.block(node.body)
            elif isinstance(node, (ir.While, ir.Move, ir.Fill)):
                raise TypeError(f"nobody knows the footprint of a {type(node).__name__}, in line {node.line}")
            else:
                self.statement(node)
                self.expressions(node)

    def is_taken(self, node):
        """May the operation take this statement? In a derived function it takes one branch."""
        return not self.derived or self.number is None or self.branch_of(node) in (None, self.number)

    def branch_of(self, node):
        """Return the number of the operation whose branch this statement is, or None."""
        test: Any = node.condition if isinstance(node, ir.If) and not node.other else None
        is_number = (
            isinstance(test, ir.Compare)
            and test.op == "=="
            and isinstance(test.right, ir.Literal)
            and isinstance(test.left, ir.Load)
        )
        return test.right.value if is_number and self.place(test.left.place) == OPERATION else None

    def statement(self, node):
        """Record what a statement writes, and which place it names."""
        if isinstance(node, ir.Alias):
            self.places[node.name] = self.place(node.place)
        elif isinstance(node, ir.Declare):
            self.places[node.name] = (None, ())
        elif isinstance(node, ir.Clear):
            self.note(self.writes, node.place)
        elif isinstance(node, ir.Assign) and not isinstance(node.target, ir.Local):
            self.note(self.writes, node.target)

    def place(self, node) -> tuple[str, tuple]:
        """Return `(parameter, path)` of a place; the parameter of a local is None."""
        if isinstance(node, ir.Root):
            return self.places[node.name]
        root, path = self.place(node.base)
        return root, (*path, node.name if isinstance(node, ir.Field) else "[]")

    def note(self, into, node):
        """Record all scalars of a place as read, or as written."""
        root, path = self.place(node)
        if root is not None:
            into.update((root, leaf) for leaf in leaves(node.type, path))

    def expressions(self, node):
        """Record what the values inside a statement read, and what they call."""
        for part in ir.walk(node):
            if isinstance(part, ir.Load):
                self.note(self.reads, part.place)
            elif isinstance(part, ir.Local):
                self.locals.add(part.name)
            elif isinstance(part, ir.Call):
                self.call(part)

    def call(self, node):
        """Record what a callee does below its parameters, as done below its arguments."""
        callee = footprint(node.function, self.number)
        for parameter, argument in zip(node.function.parameters, node.arguments):
            if is_scalar(parameter.type):
                continue
            root, path = self.place(argument)
            for mine, theirs in ((self.reads, callee.reads), (self.writes, callee.writes)):
                mine.update(
                    (root, (*path, *inner)) for name, inner in theirs if name == parameter.name and root is not None
                )
