"""What does an object hold if its slices have any length?

Here are places, ranges that change at once, and the fields in which two states of an object may differ.
"""

from dataclasses import dataclass
from typing import Any

import z3

from corollary.language.types import SliceType, u64
from corollary.proofs import bits
from corollary.proofs.loops import used
from corollary.proofs.machine import words
from corollary.proofs.machine.calls import forget
from corollary.proofs.machine.memory import ADDRESS
from corollary.proofs.machine.sums import normal
from corollary.proofs.symbolic import TOP, Reference, Unknown, along


def part(reference, *path):
    """Return the place at a path of names and positions below another place."""
    for name in path:
        reference = (
            reference.field(name, reference.type.fields[name]) if isinstance(name, str) else reference.element(name)
        )
    return reference


def index_types(place):
    """Return the types of a place's positions, which are all in slices."""
    return [u64] * len(place.indices)


def read(heap, place):
    """Return what is at a place."""
    return heap.read(place, index_types(place), TOP)


def leave_anything(heap, number, function, places, guard=TOP):
    """Let what a called function may write hold anything, under names that both sides of a comparison use."""
    for root, path in sorted(used(function.python, True)):
        place = places[root]
        path = (*path, "[]") if isinstance(along(place.type, path)[0], SliceType) else path
        forget(heap, place, path, f"{function.symbol}@{number}.{root}.{'.'.join(path)}", guard)


@dataclass(frozen=True)
class Range(Unknown):
    """A change of the elements of a slice from `first` on."""

    first: Any


def range_of(heap, place, first, count, value, guard=TOP):
    """Set the elements `first .. first + count - 1` of a slice to `value(number)` each, counted from 0."""
    before, key = heap.fork(), (place.root, (*place.path, "[]"))

    def now(position):
        old = before.read(place.element(position), index_types(place.element(position)), guard)
        number = normal(words.subtract(position, first, ADDRESS))
        return bits.choose(words.less(number, count, ADDRESS), value(number), old, place.type.element)

    heap.heads[key] = Range(guard, place.indices, now, heap.heads.get(key), first)


def different(one, other, when, without=()):
    """Return `(condition, what)` for each field that two heaps may hold differently: it must be the same everywhere."""
    found = []
    for root, path in sorted(
        {key for heap in (one, other) for key in heap.heads if one.heads.get(key) is not other.heads.get(key)}
    ):
        if (root, path) in without:
            continue
        type_, types, _ = along(one.shared["roots"][root], path)
        where = [z3.BitVec(f"where.{number}", ADDRESS) for number in range(len(types))]
        if types:
            where[-1] = normal(
                words.add(where[-1], anchor(one.heads.get((root, path)), other.heads.get((root, path))), ADDRESS)
            )
        place = Reference(root, path, tuple(where), type_)
        found.append((bits.compare("==", read(one, place), read(other, place), type_), f"{'.'.join(path)} {when}"))
    return found


def anchor(*nodes):
    """Return a position to count others from: where a range begins, or where something was stored.

    Then sums of many words need not be compared.
    """
    found = 0
    for node in nodes:
        while node is not None:
            if isinstance(node, Range):
                return node.first
            found, node = node.indices[-1] if node.indices and words.known(found) else found, node.older
    return found
