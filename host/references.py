"""Which references may an instance have? Those to its own functions, and those that somebody gave it.

On its stack a reference is the number of one of its functions, counted from 1, or that of a function or an object of the process,
counted from where its own functions count there; in tables and globals, which others may share, it is counted as in the process.
One that comes out of a snapshot may be forged, so an instance from a snapshot has only what it was given since.
"""

from host.linker import STORE, Function
from host.values import REFERENCES
from spec.wasm.machine import NULL_REFERENCE

MASK = (1 << 64) - 1
OBJECT = 1 << 62        # the number in the process of an object, less its own


class Objects:
    """The objects of Python that references mean, by number. They are kept for good: nobody can tell when WebAssembly forgets one."""

    def __init__(self):
        self.all, self.numbers = [], {}

    def number(self, thing):
        """The number of an object, counted from 1; the same object has the same."""
        if id(thing) not in self.numbers:
            self.all.append(thing)
            self.numbers[id(thing)] = len(self.all)
        return self.numbers[id(thing)]


OBJECTS = Objects()


class References:
    """The references of an instance; `given` are those that it may have besides its own, None for any; `kept` are functions that it was given."""

    def __init__(self, instance):
        self.instance, self.given, self.kept = instance, None, {}

    def forget(self):
        """From now on, only what is given counts."""
        self.given = set()

    def note(self, kind, number):
        """Something is given."""
        if self.given is not None:
            self.given.add((kind, number))

    def check(self, kind, number):
        """Raise `LookupError` for what was never given."""
        if self.given is not None and (kind, number) not in self.given:
            raise LookupError("the instance holds a reference from before its snapshot: references to objects and to functions of others "
                              "do not outlive one; give it a new one")

    # ---- functions

    def shared(self, reference):
        """A reference of this instance as it is in tables and globals."""
        return NULL_REFERENCE if reference == NULL_REFERENCE else (reference + self.instance.machine.base) & MASK

    def own(self, reference):
        """A reference in a table or global as this instance has it."""
        return NULL_REFERENCE if reference == NULL_REFERENCE else (reference - self.instance.machine.base) & MASK

    def held(self, type_, bits):
        """Bits of this instance as they are in a global of a type."""
        return self.shared(bits) if type_ in REFERENCES else bits

    def of(self, external):
        """The bits of a global as this instance has them."""
        return self.own(external.bits) if external.type in REFERENCES else external.bits

    def function(self, bits):
        """The function that a reference of this instance means; None for the null reference. Raises `LookupError`."""
        if bits == NULL_REFERENCE:
            return None
        functions = self.instance.functions
        return functions[bits - 1] if bits <= len(functions) else self.foreign(self.shared(bits))

    def foreign(self, reference):
        """The function of another instance that a reference in a table means; raises `LookupError`."""
        self.check("function", reference)
        return STORE.find(reference)

    def of_function(self, function):
        """The reference to a function, as this instance has it; raises `TypeError`."""
        if not isinstance(function, Function):
            raise TypeError(f"{function!r} is no function of WebAssembly: give one that an instance exports")
        for index, known in enumerate(self.instance.functions):
            if known is function:
                return index + 1
        if function.instance is None:
            raise TypeError("a function of the host can be referred to only once an instance imports it")
        reference = function.instance.references.shared(function.index + 1)
        self.note("function", reference)
        self.kept[reference] = function
        return self.own(reference)

    # ---- objects

    def object(self, bits):
        """The object that a reference means; None for the null reference. Raises `LookupError`."""
        if bits == NULL_REFERENCE:
            return None
        reference = self.shared(bits)
        self.check("object", reference)
        if not OBJECT < reference <= OBJECT + len(OBJECTS.all):
            raise LookupError(f"{reference:#x} refers to no object")
        return OBJECTS.all[reference - OBJECT - 1]

    def of_object(self, thing):
        """The reference to an object, as this instance has it; the null reference for None."""
        if thing is None:
            return NULL_REFERENCE
        reference = OBJECT + OBJECTS.number(thing)
        self.note("object", reference)
        return self.own(reference)
