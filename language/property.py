"""What must always hold, and where is each promise written down?

This has the registries of invariants and theorems, of each component by itself. An invariant is a boolean function of
the state and of indices that range over their types. A theorem relates the states before and after a call, and may name
indices, too. Each has an id and a sentence.
"""

from dataclasses import dataclass
from typing import Any

from corollary.language.reads import Registry, note
from corollary.language.types import LanguageError


@dataclass(frozen=True)
class Property:
    """One promise: its id, its sentence, its function and what it is about."""

    id: str
    sentence: str
    function: Any
    about: Any = None  # the operations that a theorem covers: their names, or a predicate; None for all
    unknown: bool = False  # does it also cover calls that name no operation, although `about` is given?
    changes: tuple = ()  # for the effect of an operation: the fields that success may change
    total: int = 0  # for a conserved quantity: the sum of all rows

    def __getattribute__(self, name):
        """Return an attribute, and note that the promise was read.

        The same id may later stand for another function, or for none.
        """
        if name in ("function", "about", "unknown", "changes", "total"):
            home = component_of(super().__getattribute__("function").__module__)
            note("promise", f"{home}/{self.id}")
        return super().__getattribute__(name)

    def concerns(self, operation):
        """Does the theorem cover this operation?"""
        if self.about is None:
            return True
        return self.about(operation) if callable(self.about) else operation.name in self.about


KINDS = ("INVARIANTS", "COROLLARIES", "THEOREMS", "CONDITIONS", "EFFECTS", "CONSERVED")
PROMISES = {}
"""The registries of each component, by its name and by kind."""
MODELS = "corollary.model."
ROOMS = ("corollary.spec.", MODELS)  # each has a folder for each component of this project


def component_of(module):
    """Return the name of the component that a module is part of: its package, or its folder in a room."""
    return next((module.removeprefix(room) for room in ROOMS if module.startswith(room)), module).split(".")[0]


def promises_of(component):
    """Return the registries of a component by kind."""
    return PROMISES.setdefault(component, {kind: Registry(component) for kind in KINDS})


def by_itself(operation):
    """Use as `about` for a theorem that covers no operation.

    Such a theorem covers what the kernel and its guests do without a call.
    """
    return operation is None


def _register(kind, id_, sentence, about, unknown=False, changes=(), total=0):
    def mark(function):
        registries = promises_of(component_of(function.__module__))
        if any(id_ in known for known in registries.values()):
            code = function.__code__
            raise LanguageError(
                f"property {id_} is declared twice", code.co_filename, code.co_firstlineno, "an id of its own"
            )
        registries[kind][id_] = Property(id_, sentence, function, about, unknown, changes, total)
        return function

    return mark


def invariant(id_, sentence):
    """Declare `f(s, i, j, ...) -> bool`, which holds in every reachable state for all i, j, ..."""
    return _register("INVARIANTS", id_, sentence, None)


def conserved(id_, sentence, total):
    """Declare `f(s, i) -> number`: what each row counts for. In every reachable state all rows add up to `total`."""
    return _register("CONSERVED", id_, sentence, None, total=total)


def corollary(id_, sentence):
    """Declare `f(s, i, j, ...) -> bool`, which follows from the invariants alone."""
    return _register("COROLLARIES", id_, sentence, None)


def theorem(id_, sentence, about=None, unknown=False):
    """Declare `f(before, call, after, status, i, ...) -> bool`, which holds for every call that `about` covers.

    Without `about`, it holds for every call. A theorem that leaves out `call` and `status` and names no operation also
    holds for every step of the kernel itself. With `unknown`, a theorem that names operations also holds for calls
    without an operation.
    """
    return _register("THEOREMS", id_, sentence, about, unknown)


def succeeds(operation):
    """Declare `f(before, call, a, b, ...) -> bool`: the operation ends in OK if and only if this holds.

    It is evaluated on the state before the call. Parameters named like arguments of the operation stand for those
    arguments. Each argument must also be in the range of its type.
    """
    return _register("CONDITIONS", f"{operation} succeeds", "it succeeds if and only if this holds", (operation,))


def ensures(operation, sentence, changes=()):
    """Declare `f(before, call, after, a, b, ..., i, ...) -> bool`: what the operation does on success, for all i.

    `changes` names the fields that may change, as `table.field` or the whole `table`, and `result` for what the caller
    receives. The function states the new value of each. Everything else stays as it was, except for the bookkeeping of
    the gate.
    """
    return _register("EFFECTS", f"{operation} ensures", sentence, (operation,), changes=tuple(changes))


MARKS = (invariant, conserved, corollary, theorem, succeeds, ensures)
"""What declares a promise."""
