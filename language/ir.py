"""What does a program of the language look like once it is parsed and typed?

Places name storage, expressions have scalar types, statements change places. The Z3 and C readings, the mutants and the
dependency hashes are functions of these nodes alone.
"""

from dataclasses import dataclass, field, fields, is_dataclass
from functools import cache
from typing import Any


@dataclass(frozen=True)
class Root:
    """A parameter or local that holds a record or array, by reference."""

    name: str
    type: Any


@dataclass(frozen=True)
class Field:
    """A field of a record place."""

    base: Any
    name: str
    type: Any


@dataclass(frozen=True)
class Element:
    """An element of an array place."""

    base: Any
    index: Any
    type: Any
    line: int = 0


@dataclass(frozen=True)
class Literal:
    """A constant; `symbol` is the name it had in the source, if any."""

    value: int
    type: Any
    symbol: str = ""


@dataclass(frozen=True)
class Local:
    """The value of a scalar parameter or local."""

    name: str
    type: Any


@dataclass(frozen=True)
class Load:
    """The value of a scalar place."""

    place: Any
    type: Any


@dataclass(frozen=True)
class Length:
    """The number of elements of a slice."""

    place: Any
    type: Any


@dataclass(frozen=True)
class Binary:
    """`left op right` with op one of `+ - * // % & | ^ << >>`; the result must fit `type`."""

    op: str
    left: Any
    right: Any
    type: Any
    line: int = 0


@dataclass(frozen=True)
class Compare:
    """`left op right` with op one of `== != < <= > >=`."""

    op: str
    left: Any
    right: Any
    type: Any


@dataclass(frozen=True)
class Not:
    """Logical negation."""

    operand: Any
    type: Any


@dataclass(frozen=True)
class Logic:
    """Short-circuit `and` or `or` of two or more operands."""

    op: str
    operands: tuple
    type: Any


@dataclass(frozen=True)
class Conditional:
    """`then if condition else other`."""

    condition: Any
    then: Any
    other: Any
    type: Any


@dataclass(frozen=True)
class Convert:
    """The same integer in another type. It must belong to that type."""

    operand: Any
    type: Any
    line: int = 0


@dataclass(frozen=True)
class Truncate:
    """The low bits of an integer."""

    operand: Any
    type: Any


@dataclass(frozen=True)
class Builtin:
    """A function of `builtins.py`."""

    name: str
    arguments: tuple
    type: Any


@dataclass(frozen=True)
class Call:
    """A call of a function of the language; aggregate arguments are places."""

    function: Any
    arguments: tuple
    type: Any
    line: int = 0


@dataclass(frozen=True)
class Assign:
    """Store a scalar: `target` is a `Local` or a place."""

    target: Any
    value: Any
    line: int
    declares: bool = False
    comments: tuple = ()


@dataclass(frozen=True)
class Alias:
    """A name for a place, with its indices as they are now."""

    name: str
    place: Any
    line: int
    comments: tuple = ()


@dataclass(frozen=True)
class Declare:
    """A zeroed local record or array."""

    name: str
    type: Any
    line: int
    comments: tuple = ()


@dataclass(frozen=True)
class Clear:
    """Set everything in a place to zero."""

    place: Any
    line: int
    comments: tuple = ()


@dataclass(frozen=True)
class If:
    """A two-way branch. An `elif` is an `If` that stands alone in `other`."""

    condition: Any
    then: tuple
    other: tuple
    line: int
    comments: tuple = ()


@dataclass(frozen=True)
class For:
    """`for variable in range(count)`, with a constant `count`."""

    variable: str
    count: Literal
    body: tuple
    type: Any
    line: int
    comments: tuple = ()


@dataclass(frozen=True)
class While:
    """A loop that runs while `condition` holds.

    The `promises` hold before each round and after the last. The `measure` decreases with each round.
    """

    condition: Any
    promises: tuple
    measure: Any
    body: tuple
    line: int
    comments: tuple = ()


@dataclass(frozen=True)
class Return:
    """Leave the function, with a scalar or nothing."""

    value: Any
    line: int
    comments: tuple = ()


@dataclass(frozen=True)
class Do:
    """A call for its effect."""

    call: Call
    line: int
    comments: tuple = ()


@dataclass(frozen=True)
class Move:
    """Copy `count` elements from one slice to another, or within the same, as if through a third."""

    target: Any
    at: Any
    source: Any
    first: Any
    count: Any
    line: int
    comments: tuple = ()


@dataclass(frozen=True)
class Fill:
    """Set `count` elements of a slice, from one position on, to the same value."""

    target: Any
    at: Any
    value: Any
    count: Any
    line: int
    comments: tuple = ()


@dataclass(frozen=True)
class Parameter:
    """A parameter. Scalars are passed by value, records and arrays by reference."""

    name: str
    type: Any


@dataclass(frozen=True)
class Clause:
    """A precondition or postcondition of a function. `text` is how the source states it."""

    condition: Any
    text: str
    line: int


@dataclass(eq=False)  # each is one of a kind
class TypedFunction:
    """A typed function. `python` is the callable it was read from, `mutates` the parameters it may change."""

    name: str
    module: str
    parameters: tuple
    returns: Any
    body: tuple
    python: Any
    file: str
    line: int
    doc: str
    mutates: frozenset = frozenset()
    opaque: bool = False
    hardware: str = ""
    intrinsic: bool = False  # C and Python each have their own body
    callees: tuple = field(default=(), repr=False)
    requires: tuple = ()
    ensures: tuple = ()

    @property
    def symbol(self):
        """The name in C: module and function, or the function alone if its name already starts with the module."""
        return self.name if self.intrinsic or self.name.startswith(self.module) else f"{self.module}_{self.name}"

    @property
    def spoken(self):
        """The parts that appear in C: the preconditions, then the body."""
        return *self.requires, *self.body


def is_derived(function):
    """Is the function generated from the declarations of all operations, with one branch for each?"""
    return function.file.startswith("<")


def is_shared(place):
    """Is the place a field that others may set at any time?"""
    return isinstance(place, Field) and place.name in place.base.type.shared


def below(function, opaque=False):
    """All functions that a function calls, directly or indirectly. Opaque ones are left out unless `opaque` is true."""
    calls = [node.function for node in walk(function.body) if isinstance(node, Call)]
    direct = [callee for callee in calls if opaque or not callee.opaque]
    return list({each.symbol: each for callee in direct for each in (callee, *below(callee, opaque))}.values())


@cache
def parts_of(class_: type):
    """The names of the fields of a class of nodes; None if the class is none of nodes."""
    if issubclass(class_, TypedFunction) or not is_dataclass(class_):
        return None
    return tuple(item.name for item in fields(class_))


def children(node):
    """The nodes directly below a node, in evaluation order."""
    if isinstance(node, tuple):
        yield from node
    for name in parts_of(type(node)) or ():
        value = getattr(node, name)
        if isinstance(value, tuple) or parts_of(type(value)) is not None:
            yield value


def walk(node):
    """Yield `node` and every node below it."""
    pending = [node]
    while pending:
        node = pending.pop()
        yield node
        pending += reversed([*children(node)])


def is_plain(function):
    """Is a function one expression without calls? The compiler may know what it returns, and not call it."""
    body = function.body
    return (
        not function.opaque
        and all(isinstance(node, Return) for node in body)
        and not any(isinstance(node, Call) for node in walk(body))
    )
