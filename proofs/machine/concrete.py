"""In which state do machine code and model differ?

Turns what a solver's model says of arguments and memory into values of the kernel's model.
"""

from dataclasses import dataclass, field

import z3

from corollary.language.types import boolean, is_scalar
from corollary.language.values import default, leaves
from corollary.proofs.engine import store


@dataclass
class State:
    """What a function is called with: scalar arguments in their registers, and the contents of its objects."""

    function: str
    scalars: dict  # parameter -> value
    words: dict  # parameter -> all 64 bits; the value may be only the lowest
    objects: dict
    results: list = field(default_factory=list)  # `(callee, the result assumed for it)`

    def as_json(self):
        """Return a form that can be stored on disk; of the objects, only scalars that are not zero, by path."""
        return {
            "scalars": self.scalars,
            "words": self.words,
            "results": self.results,
            "objects": {
                name: [[list(path), int(value)] for path, value in leaves(record) if value]
                for name, record in self.objects.items()
            },
        }


def concrete(machine, thread, model):
    """Return the state that a solver's model describes, for the cells that were read."""
    function = machine.function
    scalars = {
        item.name: number(model, machine.arguments[item.name]) for item in function.parameters if is_scalar(item.type)
    }
    registers = {name: number(model, machine.words[name]) for name in scalars}
    objects = {item.name: default(item.type) for item in function.parameters if not is_scalar(item.type)}
    for root, reference, _, arguments, value in list(machine.store.shared["reads"].values()):
        indices = [number(model, argument) for argument in arguments]
        if root in objects and in_range(machine.roots[root], reference.path, indices):
            found = number(model, value)
            store(objects[root], reference, indices, bool(found) if reference.type is boolean else found)
    results = [
        (event.callee, number(model, event.result))
        for event in (thread.events if thread else ())
        if event.result is not None and event.function
    ]
    return State(function.symbol, scalars, registers, objects, results)


def number(model, term):
    """Return the value of a term as an int."""
    if not isinstance(term, z3.ExprRef):
        return int(term)
    value = model.eval(term, model_completion=True)
    return int(z3.is_true(value)) if z3.is_bool(value) else value.as_long()


def in_range(type_, path, indices):
    """Does a path with these indices lead to a cell?"""
    remaining = iter(indices)
    for part in path:
        if part == "[]":
            if next(remaining) >= type_.length:
                return False
            type_ = type_.element
        else:
            type_ = type_.fields[part]
    return True
