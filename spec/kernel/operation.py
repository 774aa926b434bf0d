"""What can a hypercall demand of its caller? Each hypercall has a row in `spec/kernel/hypercalls.py`.

A row gives the number, the witness kind, proof tier, reversibility, the object and rights that the handle must have,
and the arguments. The required ring, the decoding of registers, the packing of arguments into a witness record, the
dispatch in C, guest stubs and the reference follow from the row.
"""

import linecache
from dataclasses import dataclass
from typing import Any

from corollary.language.rows import Rows
from corollary.language.types import LanguageError, annotation_type
from corollary.spec.kernel.limits import REGISTERS
from corollary.spec.kernel.state import Handle
from corollary.spec.kernel.vocabulary import Action, Meter, ObjectKind, Reversibility, Ring, Tier

OPERATIONS = []


@dataclass(frozen=True)
class Hypercall:
    """One hypercall and what it demands of its caller."""

    number: int
    name: str
    kind: Action
    tier: Tier = Tier.P1
    reversibility: Reversibility = Reversibility.FULL
    admin: bool = False
    read_only: bool = False
    on: ObjectKind = ObjectKind.NONE  # NONE: the operation concerns the caller alone and takes no handle
    any_object: bool = False  # the handle may name any kind of object
    needs: int = 0  # rights
    resource: bool = False  # argument 1 names a resource that the ring must permit
    accepts_dead: bool = False  # the capability may be revoked, or name an object that is gone
    meter: Meter = Meter.CALLS  # what a call is paid from
    creators: bool = False  # creators of the named partition may ask for it in ring 2, too
    elevation: bool = True  # does a ring that is held for a while admit the caller?
    replaces_root: bool = False  # its proof is about the pending root and leads to the root it replaces
    shows_module: bool = False  # its path leads from the module of the agent that x2 names, not from the call
    parameters: tuple = ()  # name and type of each argument after the handle
    function: Any = None  # what it does: a function of the model, once that is imported

    @property
    def required_ring(self):
        """The ring that follows from the declaration."""
        if self.admin:
            return Ring.ROOT
        if self.reversibility == Reversibility.NONE and not self.read_only and not self.creators:
            return Ring.PRIVILEGED
        return Ring.SANDBOX if self.read_only else Ring.STANDARD

    @property
    def promised(self):
        """Must it be said when it succeeds, and what it does?"""
        return not self.admin

    @property
    def handles(self):
        """Which registers hold handles: bit 0 for x1, and so on."""
        others = sum(2 << position for position, (_, type_) in enumerate(self.parameters) if type_ is Handle)
        return int(self.takes_handle) | others

    @property
    def constant(self):
        """The name of its number in generated code."""
        return f"OPERATION_{self.name.upper()}"

    @property
    def takes_handle(self):
        """Does register x1 hold a handle?"""
        return self.any_object or self.on != ObjectKind.NONE

    @property
    def places(self):
        """Where each argument lies in the record: `(name, type, field, low bit)` with field object or payload."""
        found, fields, used = [], ["object", "payload"], 0
        for name, type_ in self.parameters:
            if used + type_.bits > 64:
                fields, used = fields[1:], 0
            if not fields or type_.bits > 64:
                raise LanguageError(
                    f"the arguments of {self.name} do not fit a witness record", instead="128 bits in all"
                )
            found.append((name, type_, fields[0], used))
            used += type_.bits
        return tuple(found)


def hypercall(number, name, kind, takes=(), **demands):
    """Declare the hypercall with the next number; `takes` gives name and type of each argument after the handle."""
    declared = Hypercall(
        number,
        name,
        kind,
        parameters=tuple((each, annotation_type(type_)) for each, type_ in dict(takes).items()),
        **demands,
    )
    check(declared)
    OPERATIONS.append(declared)


def check(declared):
    """Refuse a row that the table, the registers or the witness record cannot carry."""
    if not isinstance(declared.reversibility, Reversibility) or not isinstance(declared.tier, Tier):
        raise TypeError(f"{declared.name}: reversibility and tier are enumerators, never strings or None")
    if declared.number != len(OPERATIONS):
        raise LanguageError(f"{declared.name} has number {declared.number}", instead=f"the next one, {len(OPERATIONS)}")
    if any(declared.name == other.name for other in OPERATIONS):
        raise LanguageError(f"two hypercalls are called {declared.name}")
    room = REGISTERS - 1 - (declared.tier >= Tier.P2)
    if len(declared.parameters) > room:
        raise LanguageError(f"{declared.name} takes more than {room} arguments", instead="fewer or packed arguments")
    declared.places


def named(name):
    """Return the hypercall with this name. Raises `LookupError` when there is none."""
    for declared in OPERATIONS:
        if declared.name == name:
            return declared
    raise LookupError(f"no hypercall is called {name}: spec/kernel/hypercalls.py has all of them")


def column(attribute, words=None):
    """Return one attribute of every operation, in the order of their numbers, as a constant table.

    `words` is its enumeration or flags.
    """
    return Rows(
        (getattr(declared, attribute) for declared in OPERATIONS), (declared.constant for declared in OPERATIONS), words
    )


def define(source, names):
    """Define a function by source made from the declarations; the source stays where `inspect` finds it."""
    name = source[len("def ") : source.index("(")]
    file = f"<{name}>"
    linecache.cache[file] = (len(source), None, source.splitlines(True), file)
    exec(compile(source, file, "exec"), names)  # made of names and types that an imported module declares
    return names[name]
