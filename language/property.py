"""What must always hold, and where is each promise written down? The registry of invariants and theorems.

An invariant is a boolean function of the state and of indices that range over their types. A theorem
relates the states before and after a call (and may name indices too). Each has an id and a sentence.
"""

from dataclasses import dataclass

from language.reads import Registry, note


@dataclass(frozen=True)
class Property:
    """One promise: its id, its sentence, its function and what it is about."""

    id: str
    sentence: str
    function: object
    about: object = None    # names of operations, or a test of them, that a theorem speaks of; None for all
    unknown: bool = False   # does it speak of calls that name no operation, too, although it says what it is about?
    changes: tuple = ()     # of what an operation ensures: the fields that success may change
    total: int = 0          # of what is conserved: what all rows add up to

    def __getattribute__(self, name):
        """Whoever uses a promise reads it: the same id may come to stand for another function, or for none."""
        if name in ("function", "about", "unknown", "changes", "total"):
            note("promise", self.id)
        return super().__getattribute__(name)

    def concerns(self, operation):
        """Does the theorem speak of this operation?"""
        if self.about is None:
            return True
        return self.about(operation) if callable(self.about) else operation.name in self.about


INVARIANTS, COROLLARIES, THEOREMS = Registry(), Registry(), Registry()
CONDITIONS, EFFECTS, CONSERVED = Registry(), Registry(), Registry()
REGISTRIES = {"INVARIANTS": INVARIANTS, "COROLLARIES": COROLLARIES, "THEOREMS": THEOREMS, "CONDITIONS": CONDITIONS,
              "EFFECTS": EFFECTS, "CONSERVED": CONSERVED}


def by_itself(operation):
    """As `about`: the theorem speaks of what the kernel and its guests do without a call, and of no operation."""
    return operation is None


def _register(registry, id_, sentence, about, unknown=False, changes=(), total=0):
    def mark(function):
        if any(id_ in known for known in REGISTRIES.values()):
            raise ValueError(f"property {id_} is declared twice")
        registry[id_] = Property(id_, sentence, function, about, unknown, changes, total)
        return function
    return mark


def invariant(id_, sentence):
    """Declare `f(s, i, j, ...) -> bool`, which holds in every reachable state for all i, j, ..."""
    return _register(INVARIANTS, id_, sentence, None)


def conserved(id_, sentence, total):
    """Declare `f(s, i) -> number`: what each row counts for. All rows add up to `total`, in every reachable state."""
    return _register(CONSERVED, id_, sentence, None, total=total)


def corollary(id_, sentence):
    """Declare `f(s, i, j, ...) -> bool`, which follows from the invariants alone."""
    return _register(COROLLARIES, id_, sentence, None)


def theorem(id_, sentence, about=None, unknown=False):
    """Declare `f(before, call, after, status, i, ...) -> bool`, which holds of every call, or of those named by `about`.

    One that leaves out `call` and `status` and names no operation holds of every step of the kernel itself, too.
    With `unknown`, one that names some holds of calls without an operation, as well.
    """
    return _register(THEOREMS, id_, sentence, about, unknown)


def succeeds(operation):
    """Declare `f(before, call, a, b, ...) -> bool`: the operation ends in OK if and only if this holds of the state before.

    Parameters with the names of the operation's arguments are these; each must be in the range of its type, too.
    """
    return _register(CONDITIONS, f"{operation} succeeds", "it succeeds if and only if this holds", (operation,))


def ensures(operation, sentence, changes=()):
    """Declare `f(before, call, after, a, b, ..., i, ...) -> bool`: what the operation does when it succeeds, for all i.

    `changes` names the fields that may change, as `table.field` or the whole `table`, and `result` for what the caller
    is told; the function says what each of them is then. All else stays as it was, but for the books of the gate.
    """
    return _register(EFFECTS, f"{operation} ensures", sentence, (operation,), changes=tuple(changes))
