"""Which references may an instance hold? Those to its own functions and objects, and those that it was given.

Each instance has a range of numbers of its own within the process. Its functions count from the base of the range, and
Python objects that it was given count from the middle. On the instance's stack, a reference counts from the base; in
tables and globals, which others may share, it counts from 0. A reader of such a shared reference looks for its instance
among those that it shares tables and globals with, and those whose functions it was given.

Objects are kept as long as the instance; if none of its tables and globals can hold one, only until the call ends.
A reference from a snapshot may be forged, so an instance from a snapshot may use only what it was given since then.
"""

import weakref
from itertools import count
from typing import Any

from corollary.limits import check_asked
from corollary.linker import Function
from corollary.spec.wasm.machine import NULL_REFERENCE
from corollary.spec.wasm.values import ValueType

MASK = (1 << 64) - 1
RANGE = 1 << 26  # numbers of an instance: functions in the lower half, objects in the upper
OBJECT = RANGE // 2
SERIAL = count(1)  # of instances: `next` is atomic, also with several threads


class References:
    """The references of an instance.

    `given` are the foreign references that it may use (None: any); `kept` are the foreign functions that it was given.
    """

    def __init__(self, instance, limit):
        self.owner, self.limit, self.given, self.kept = weakref.ref(instance), limit, None, {}
        self.objects, self.numbers = [], {}
        self.base = instance.machine.base = next(SERIAL) * RANGE

    @property
    def instance(self) -> Any:
        """The instance that holds these references."""
        return self.owner()

    def forget(self):
        """From now on, allow only foreign references that are given later."""
        self.given = set()

    def check(self, reference):
        """Raise `LookupError` for a reference that was never given."""
        if self.given is not None and reference not in self.given:
            raise LookupError(
                "the instance holds a reference from before its snapshot: references to objects and to "
                "functions of others do not outlive one; give it a new one"
            )

    # ---- numbers

    def shared(self, reference):
        """Return a reference of this instance in its shared form, as tables and globals hold it."""
        return NULL_REFERENCE if reference == NULL_REFERENCE else (reference + self.base) & MASK

    def own(self, reference):
        """Return a shared reference as this instance has it on its stack."""
        return NULL_REFERENCE if reference == NULL_REFERENCE else (reference - self.base) & MASK

    def held(self, type_, bits):
        """Return bits of this instance as a global of a type holds them."""
        return self.shared(bits) if type_ in (ValueType.FUNCREF, ValueType.EXTERNREF) else bits

    def of(self, external):
        """Return the bits of a global as this instance has them on its stack."""
        return self.own(external.bits) if external.holds else external.bits

    def whose(self, reference):
        """Return the `References` of the instance that a shared reference belongs to; raises `LookupError`."""
        base = reference - 1 - (reference - 1) % RANGE
        seen, waiting = {self.instance}, [self.instance]
        while waiting:
            found = waiting.pop()
            if found.machine.base == base:
                return found.references
            near = found.neighbours() - seen
            seen |= near
            waiting.extend(near)
        raise LookupError(f"{reference:#x} refers to nothing that this instance was given")

    # ---- functions

    def function(self, bits):
        """Return the function that a reference stands for, or None for the null reference. Raises `LookupError`."""
        if bits == NULL_REFERENCE:
            return None
        functions = self.instance.functions
        return functions[bits - 1] if bits <= len(functions) else self.foreign(self.shared(bits))

    def foreign(self, reference):
        """Return the function of another instance that a shared reference stands for; raises `LookupError`."""
        self.check(reference)
        if reference not in self.kept:
            owner = self.whose(reference)
            index = owner.own(reference) - 1
            if index >= len(owner.instance.functions):
                raise LookupError(f"{reference:#x} refers to no function")
            self.kept[reference] = owner.instance.functions[index]
        return self.kept[reference]

    def of_function(self, function):
        """Return the reference to a function, as this instance has it; raises `TypeError`."""
        if not isinstance(function, Function):
            raise TypeError(f"{function!r} is no function of WebAssembly: give one that an instance exports")
        index = self.instance.functions.number(function)
        if index is not None:
            return index + 1
        if function.instance is None:
            raise TypeError("a function of the host can be referred to only once an instance imports it")
        reference = function.instance.references.shared(function.index + 1)
        if self.given is not None:
            self.given.add(reference)
        self.kept[reference] = function
        return self.own(reference)

    # ---- objects

    def object(self, bits):
        """Return the object that a reference stands for, or None for the null reference. Raises `LookupError`."""
        if bits == NULL_REFERENCE:
            return None
        reference = self.shared(bits)
        if (reference - 1) // RANGE * RANGE == self.base:
            owner = self
        else:
            self.check(reference)
            owner = self.whose(reference)
        position = owner.own(reference) - OBJECT - 1
        if not 0 <= position < len(owner.objects):
            self.check(reference)
            raise LookupError(f"{reference:#x} refers to no object")
        return owner.objects[position]

    def of_object(self, thing):
        """Return the reference to an object as this instance has it; None gives null. Raises `LimitExceeded`."""
        if thing is None:
            return NULL_REFERENCE
        if id(thing) not in self.numbers:
            check_asked("objects", len(self.objects) + 1, self.limit)
            self.objects.append(thing)
            self.numbers[id(thing)] = len(self.objects)
        return OBJECT + self.numbers[id(thing)]

    def drop_objects(self):
        """Drop the objects if no table and no global can hold one; call this when no call runs or waits."""
        if self.objects and not self.instance.holds_objects:
            self.objects, self.numbers = [], {}
