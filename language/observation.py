"""How is it declared who sees what of a state, what else they may learn, and what others may do to them?

A component has one `View`. An observer is of the type of its `actor`. It sees a scalar by itself, or through one of its
slots, if there are any. `function(s, observer, slot, indices)` leaves out the slot where there are none. A function of
a row may also leave out objects that it does not need, such as `call`.
"""

import inspect
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from corollary.language.types import ArrayType, annotation_type, is_scalar


@dataclass(frozen=True)
class Observation:
    """Who sees the named fields of a table, or all of them: `function(s, observer, slot, indices)`."""

    table: str
    function: Any
    only: tuple[Any, ...] = ()


@dataclass(frozen=True)
class Implication:
    """What follows from seeing a scalar of a table, though it is not part of the scalar: `function(s, indices)`."""

    table: str
    function: Any


@dataclass(frozen=True)
class Known:
    """A fact that an observer can tell, though it does not see all that the fact depends on.

    `function(s, p, ...)` is the fact; `corollary` is what follows from it.
    """

    function: Any
    corollary: Any


@dataclass(frozen=True)
class Sealed:
    """What may depend on the secret, in the named operations: `function(before, call, indices)`."""

    table: str
    about: tuple
    function: Any
    reason: str


@dataclass(frozen=True)
class Released:
    """What a caller may learn about others: two states are compared only where this has the same value in both.

    `function(s, call, observer, slot, page)` may leave out what it does not need. The last three are called `p`, `slot`
    and `page`. Without a gate, parameters named like arguments of the operation stand for these.
    """

    name: str
    function: Any
    reason: str
    about: tuple[Any, ...] = ()  # operations that reveal it; () for all
    after: bool = False  # its value after a step is released, too


@dataclass(frozen=True)
class Novelty:
    """Scalars that nobody sees until a step gives them their value: `function(before, after, indices)`."""

    table: str
    only: tuple
    function: Any


@dataclass(frozen=True)
class Disclosure:
    """An observer that comes to see what neither it nor the caller saw, in the named operations.

    `function(before, call, observer, slot)` says which observer.
    """

    name: str
    about: tuple
    function: Any
    reason: str


@dataclass(frozen=True)
class Interference:
    """How a call changes what an observer sees as its own, without a handle on it.

    `function(before, call, after, u, indices)` is about the named fields of a table, or about all of it.
    """

    name: str
    table: str
    only: tuple
    function: Any
    reason: str


@dataclass(frozen=True)
class Private:
    """A field of the state that nobody sees."""

    field: str
    reason: str


@dataclass(frozen=True, eq=False)
class View:
    """Who sees what of a component. There are no exceptions but those that are listed here."""

    observations: tuple
    implied: tuple[Any, ...] = ()
    known: tuple[Any, ...] = ()
    sealed: tuple[Any, ...] = ()
    private: tuple[Any, ...] = ()
    released: tuple[Any, ...] = ()
    novelties: tuple[Any, ...] = ()
    disclosures: tuple[Any, ...] = ()
    interferences: tuple[Any, ...] = ()
    slots: Any = None  # the type of what a handle names, which an observer may look through
    alone: int = 0  # in place of a slot: what an observer sees by itself
    exists: Any = None  # `f(s, p)`: is there such an observer? Without it, there always is
    names: Any = None  # `f(s, call, p)`: does a call name them? Without a gate, arguments of the actor's type do
    groups: tuple[Any, ...] = ()  # (name, predicates): tables that are asked about together, as one part of the state
    joint: tuple[Any, ...] = ()  # the names of groups that are seen as a whole, or not at all

    @property
    def tables(self):
        """All rows with a function. Each must have a value in every state that the invariants admit."""
        return (
            self.observations,
            self.implied,
            self.known,
            self.sealed,
            self.released,
            self.novelties,
            self.disclosures,
            self.interferences,
        )

    @property
    def parts(self):
        """The tables of each part of the state that is asked about by itself, by its name."""
        grouped = {name: self.seen_by(functions) for name, functions in self.groups}
        apart = {row.table for row in self.observations}.difference(*grouped.values())
        return {row.table: (row.table,) for row in self.observations if row.table in apart} | grouped

    def seen_by(self, functions):
        """Return the tables that some predicates are about."""
        return tuple(row.table for row in self.observations if row.function in functions)

    def observing(self, path):
        """Return the predicates that say who sees the scalar at a path."""
        return [row.function for row in self.observations if is_about(row, path)]

    def making(self, path):
        """Return the rows that say how the scalar at a path may be one that nobody saw before."""
        return [row for row in self.novelties if is_about(row, path)]

    def implying(self, path):
        """Return the rows that say what follows from seeing the scalar at a path."""
        return [row for row in self.implied if row.table == path[0]]

    def looks(self, observer):
        """Return every way in which an observer may look: by itself, and through each slot."""
        return [(observer, slot) for slot in range(self.alone + 1)] if self.slots else [(observer,)]

    def look_alone(self, observer):
        """Return how an observer sees what it sees by itself."""
        return (observer, self.alone) if self.slots else (observer,)


def is_about(row, path):
    """Is a row about the scalar at a path?"""
    return row.table == path[0] and (not row.only or (len(path) > 2 and path[2] in row.only))


# ---- is it declared as it must be?


def mistakes(view, state, actor, steps):
    """Yield `(function, message, instead)` for what is wrong with a view of a state; a function may be missing."""
    hidden = {row.field for row in view.private}
    for field in sorted(hidden - set(state.fields)):
        yield None, f"{field} is private, which is no field of {state.name}", f"one of {', '.join(state.fields)}"
    paths = list(scalars(state))
    for path in paths:
        if bool(view.observing(path)) == (path[0] in hidden):
            name = ".".join(part for part in path if part != "[]")
            told = "is private, and yet somebody sees it" if path[0] in hidden else "is seen by nobody, and not private"
            yield None, f"{name} {told}", f"a row of `observations` or of `private` about {path[0]}"
    for row in view.observations:
        if not any(is_about(row, path) for path in paths):
            yield row.function, f"{row.function.__name__} is about {row.table}, where there is no such field", "a field"
        yield from misjudged(row.function, state, actor)
    for row in (row for table in view.tables for row in table):
        yield from misnamed(row, state, paths, steps)
    yield from misgrouped(view)


def misnamed(row, state, paths, steps):
    """Yield the same for a row about a table, a field or a step that there is not."""
    function, table, only, about = row.function, *(getattr(row, each, None) for each in ("table", "only", "about"))
    if table is not None and table not in state.fields:
        yield function, f"{function.__name__} is about {table}, which is no field", f"one of {', '.join(state.fields)}"
    for what, names, known in (
        ("field", only, {path[2] for path in paths if path[0] == table and len(path) > 2}),
        ("step", about, set(steps)),
    ):
        if isinstance(names, str):
            yield function, f"{function.__name__} is about {names!r}, which is no tuple of names", f"({names!r},)"
        for name in sorted(set(names or ()) - known):
            yield function, f"{function.__name__} is about {name}, which is no {what}", f"one of {sorted(known)}"


def misgrouped(view):
    """Yield the same for groups of tables that hide a table or another group: each table is asked about once."""
    tables = {row.table for row in view.observations}
    names = [name for name, _ in view.groups]
    grouped = [table for _, functions in view.groups for table in set(view.seen_by(functions))]
    for name in sorted({each for each in names if names.count(each) > 1 or each in tables}):
        yield None, f"{name} is the name of a group, and of a table or another group", "another name of the group"
    for table in sorted({each for each in grouped if grouped.count(each) > 1}):
        yield None, f"{table} is in two groups", "one group for each table"


def misjudged(function, state, actor):
    """Yield the same for a predicate that is not about a state and an observer."""
    notes = [note for name, note in inspect.get_annotations(function).items() if name != "return"]
    if len(notes) < 2 or notes[0] is not state or annotation_type(notes[1]) is not actor:
        name = function.__name__
        yield function, f"{name} does not say who sees it", f"def {name}(s: {state.name}, p: {actor.name}, ...)"


def scalars(type_, path: tuple = ()) -> Iterator[tuple]:
    """Yield the path of every scalar of a type."""
    if is_scalar(type_):
        yield path
    elif isinstance(type_, ArrayType):
        yield from scalars(type_.element, (*path, "[]"))
    else:
        for name, inner in type_.fields.items():
            yield from scalars(inner, (*path, name))
