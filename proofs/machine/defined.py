"""Is a call defined that only the machine code makes? For all arguments, or for those that the machine code passes.

A function of the model is proved only where it is defined: where no sum overflows and no index is out of range. If the
model makes a call, level 1 proves that the call is defined. If only the machine code makes it, that must be proved at
the call.
"""

from typing import Any

import z3

from corollary.language.reads import remembered
from corollary.language.types import boolean, is_scalar
from corollary.proofs import bits
from corollary.proofs.machine import words
from corollary.proofs.machine.calls import cells
from corollary.proofs.machine.frames import get
from corollary.proofs.machine.memory import decoded
from corollary.proofs.machine.premises import Premises, Typed
from corollary.proofs.machine.summary import footprint
from corollary.proofs.symbolic import TOP, Executor, Reference, belongs


@remembered
def is_total(function):
    """Is a function of the model defined for all arguments and states?"""
    objects = {item.name: item.type for item in function.parameters if not is_scalar(item.type)}
    store = Typed(frozenset(objects))
    store.shared["roots"] = dict(objects)
    solver, arguments = Premises(store.facts), []
    for item in function.parameters:
        if is_scalar(item.type):
            arguments.append(z3.Const(item.name, bits.sort(item.type)))
            solver.add(words.condition(belongs(arguments[-1], item.type)))
        else:
            arguments.append(Reference(item.name, (), (), item.type))
    asked = [condition for condition, _ in conditions(store, function, arguments)]
    solver.add(words.condition(bits.negate(bits.conjoin(asked))))
    return solver.check() == z3.unsat


def conditions(store, function, arguments):
    """Yield `(condition, what)`: what must hold for a function to be defined on some arguments, in a store's state."""
    executor = Executor(store)
    executor.run(function, arguments)
    for obligation in executor.obligations:
        met = bits.disjoin([bits.negate(obligation.guard.term), obligation.condition])
        yield met, f"{obligation.what} in {function.symbol}, which the machine code calls"


def demands(event, anything):
    """Return `(condition, what)` pairs: what must hold for a call of the machine code to be defined there."""
    store, found = event.heap.fork(), []
    arguments = [argument(event, item, store, anything, found) for item in event.function.parameters]
    return [*found, *conditions(store, event.function, arguments)]


def argument(event, item, store, anything, found):
    """Return what a call passes for a parameter. If a scalar does not matter, it is zero or False."""
    if is_scalar(item.type):
        return event.scalars[item.name][0] if item.name in event.scalars else False if item.type is boolean else 0
    place = event.places.get(item.name)
    if isinstance(place, Reference):
        return place
    root = f"{item.name}@{event.number}"
    store.shared["roots"][root] = item.type
    whole = Reference(root, (), (), item.type)
    read = [path for name, path in footprint(event.function).reads if name == item.name and place is not None]
    start: Any = place
    for path in read:
        for at, type_, indices in cells(item.type, path):
            word = get(event.stack, start + at, type_.storage, anything)
            value = decoded(word, type_, lambda condition, what: found.append((condition, f"{what} in {event.callee}")))
            store.write(Reference(root, path, indices, type_), value, TOP)
    return whole
