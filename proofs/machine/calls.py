"""How is a call of another function represented? As an event: the callee, its arguments, and names for its effects.

Machine code and model use the same names for what a callee returns and for what it may have written. So they agree on
these values without knowing them.
"""

from dataclasses import dataclass
from typing import Any

import z3

from corollary.codegen.declarations import leaf_name
from corollary.language.layout import size_of
from corollary.language.reads import remembered, remembered_property
from corollary.proofs import bits
from corollary.proofs.machine.summary import below, footprint, possible_results
from corollary.proofs.symbolic import TOP, Store, Unknown, along, belongs


@dataclass
class Event:
    """A call: the callee, its arguments, what the caller's memory held, and what came back."""

    number: int
    function: Any
    leaf: bool  # is this a call of the assembly behind a hardware function, not of the function?
    scalars: dict  # parameter -> (value, type)
    places: dict  # parameter -> Reference, or offset on the stack
    heap: Store
    stack: dict
    result: Any

    is_call = True

    @property
    def callee(self):
        """Return the symbol of the code that was called."""
        return leaf_name(self.function) if self.leaf else self.function.symbol

    def left(self, parameter, path):
        """Return the name for what the call left in a field of an object."""
        return f"{self.function.symbol}@{self.number}.{parameter}.{'.'.join(path)}"

    @remembered_property
    def has_effect(self):
        """Does the order of this call among others matter?"""
        return self.leaf or has_effect(self.function)


def has_effect(function):
    """Does a function change the state or act on the hardware?"""
    return bool(footprint(function).writes) or touches_hardware(function)


@remembered
def touches_hardware(function):
    """Does a function act on the hardware, directly or through others?"""
    return any(each.hardware for each in (function, *below(function).values()))


def result_of(function, number):
    """Return the unknown that stands for the result of a path's n-th call."""
    return z3.Const(f"{function.symbol}@{number}", bits.sort(function.returns))


def facts_of(function, result):
    """Return what is known of a result: it is of its type, and one of the literals that the function returns."""
    facts = [belongs(result, function.returns)]
    known = possible_results(function)
    if known is not None:
        facts.append(bits.disjoin([bits.compare("==", result, value, function.returns) for value in sorted(known)]))
    return [fact for fact in facts if fact is not True]


def cell_symbol(name, indices, type_):
    """Return the unknown that one scalar of an object holds after a call that may write it."""
    return z3.Const(f"{name}{list(indices)}", bits.sort(type_))


def forget(heap, place, path, name, guard=TOP):
    """Make one field below a place unknown, under a name."""
    type_, types, _ = along(place.type, path)
    symbol = z3.Function(name, *map(bits.sort, types), bits.sort(type_)) if types else z3.Const(name, bits.sort(type_))

    def value(*indices):
        return heap.noted(symbol(*map(bits.term, indices, types)) if types else symbol, type_)

    key = (place.root, (*place.path, *path))
    heap.heads[key] = Unknown(guard, place.indices, value, heap.heads.get(key))


def cells(type_, path):
    """Return `(offset, type, indices)` of every scalar at a path below a type, for all array positions."""
    found = [(0, type_, ())]
    for part in path:
        following = []
        for offset, inner, indices in found:
            if part == "[]":
                following += [
                    (offset + number * size_of(inner.element), inner.element, (*indices, number))
                    for number in range(inner.length)
                ]
            else:
                following.append((offset + inner.layout[part].offset, inner.fields[part], indices))
        found = following
    return found
