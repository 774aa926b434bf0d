"""Which references may an instance have? Those to its own functions and objects, and those that somebody gave it.

Each instance has a range of numbers that no other one of the process has: its functions count from its base, objects of
Python that it was given from the middle of the range. On its stack a reference is counted from the base; in tables and
globals, which others may share, from 0. Whoever reads one there finds the instance that it belongs to among those with
which it shares tables and globals, and whose functions it was given.

Objects are kept until the instance goes; or until a call ends where no table and no global of it could hold one.
One that comes out of a snapshot may be forged, so an instance from a snapshot has only what it was given since.
"""

import weakref
from itertools import count

from corollary.limits import check_asked
from corollary.linker import Function
from spec.wasm.machine import NULL_REFERENCE
from spec.wasm.values import ValueType

MASK = (1 << 64) - 1
RANGE = 1 << 26         # numbers of an instance: functions, of which there are fewer than half as many, then objects
OBJECT = RANGE // 2
SERIAL = count(1)       # of instances: `next` is one step, also where there are threads


class References:
    """The references of an instance.

    `given` are those that it may have besides its own, None for any; `kept` are functions that it was given.
    """

    def __init__(self, instance, limit):
        self.owner, self.limit, self.given, self.kept = weakref.ref(instance), limit, None, {}
        self.objects, self.numbers = [], {}
        self.base = instance.machine.base = next(SERIAL) * RANGE

    @property
    def instance(self):
        """Whose references they are."""
        return self.owner()

    def forget(self):
        """From now on, only what is given counts."""
        self.given = set()

    def check(self, reference):
        """Raise `LookupError` for what was never given."""
        if self.given is not None and reference not in self.given:
            raise LookupError("the instance holds a reference from before its snapshot: references to objects and to "
                              "functions of others do not outlive one; give it a new one")

    # ---- numbers

    def shared(self, reference):
        """A reference of this instance as it is in tables and globals."""
        return NULL_REFERENCE if reference == NULL_REFERENCE else (reference + self.base) & MASK

    def own(self, reference):
        """A reference in a table or global as this instance has it."""
        return NULL_REFERENCE if reference == NULL_REFERENCE else (reference - self.base) & MASK

    def held(self, type_, bits):
        """Bits of this instance as they are in a global of a type."""
        return self.shared(bits) if type_ in (ValueType.FUNCREF, ValueType.EXTERNREF) else bits

    def of(self, external):
        """The bits of a global as this instance has them."""
        return self.own(external.bits) if external.holds else external.bits

    def whose(self, reference):
        """The references of the instance that a shared one belongs to; raises `LookupError`."""
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
        """The function that a reference of this instance means; None for the null reference. Raises `LookupError`."""
        if bits == NULL_REFERENCE:
            return None
        functions = self.instance.functions
        return functions[bits - 1] if bits <= len(functions) else self.foreign(self.shared(bits))

    def foreign(self, reference):
        """The function of another instance that a reference in a table means; raises `LookupError`."""
        self.check(reference)
        if reference not in self.kept:
            owner = self.whose(reference)
            index = owner.own(reference) - 1
            if index >= len(owner.instance.functions):
                raise LookupError(f"{reference:#x} refers to no function")
            self.kept[reference] = owner.instance.functions[index]
        return self.kept[reference]

    def of_function(self, function):
        """The reference to a function, as this instance has it; raises `TypeError`."""
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
        """The object that a reference means; None for the null reference. Raises `LookupError`."""
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
        """The reference to an object, as this instance has it; the null reference for None. Raises `LimitExceeded`."""
        if thing is None:
            return NULL_REFERENCE
        if id(thing) not in self.numbers:
            check_asked("objects", len(self.objects) + 1, self.limit)
            self.objects.append(thing)
            self.numbers[id(thing)] = len(self.objects)
        return OBJECT + self.numbers[id(thing)]

    def drop_objects(self):
        """No call is running or waiting: what no table and no global holds, nobody holds any more."""
        if self.objects and not self.instance.holds_objects:
            self.objects, self.numbers = [], {}
