"""Where did a concrete call break what its operation promises?

A promise only judges an ending; it does not construct one. The solver finds the promised ending that is closest to the
call's: all fields that may change are unknown, and as many as possible keep the value that the call gave them.
"""

import ast
import inspect
import textwrap
from typing import Any

import z3

from corollary.language.frontend import translate
from corollary.language.types import is_scalar
from corollary.proofs import bits
from corollary.proofs.context import Context
from corollary.proofs.engine import numbers_in
from corollary.proofs.outcome import asked, ending, registers, values
from corollary.proofs.replay import Contents
from corollary.proofs.symbolic import TOP, Executor
from corollary.proofs.unwinding import at

# ---- when it succeeds


def out_of_range(promise, transition, example):
    """Return the first argument outside the type that a promise gives it, as `(name, value, type)`, or None."""
    places = registers(transition.operation)
    given = {name: example.roots["call"].argument[place] for name, place in places.items()}
    found = ((p.name, given[p.name], p.type) for p in translate(promise.function).parameters if p.name in given)
    return next((each for each in found if not each[2].contains(each[1])), None)


def unmet(promise, transition, example):
    """Return the text of the first part of a condition that does not hold for a concrete call, or None."""
    given = values(promise, transition, example)
    return next((text for text, holds in parts(promise.function) if not holds(*given)), None)


def parts(function):
    """Yield `(text, holds)` for each part of a function's conjunction; `holds` takes the function's arguments."""
    source = textwrap.dedent(inspect.getsource(function))
    tree: Any = ast.parse(source).body[0]
    *before, last = tree.body
    whole = not isinstance(last.value, ast.BoolOp) or not isinstance(last.value.op, ast.And)
    if whole or any(isinstance(node, ast.Return) for statement in before for node in ast.walk(statement)):
        yield ast.get_source_segment(source, last.value), function
        return
    for value in last.value.values:
        tree.decorator_list, tree.body = [], [*before, ast.Return(value)]
        names: dict[str, Any] = {}
        exec(compile(ast.fix_missing_locations(ast.Module([tree], [])), tree.name, "exec"), function.__globals__, names)
        yield " ".join((ast.get_source_segment(source, value) or "").split()), names[tree.name]


# ---- what it does


class Concrete:
    """The parts of a step that endings are made from: the state before and the call, both known."""

    def __init__(self, transition, example):
        self.transition, self.component = transition, transition.component
        self.before = Contents({"s": example.roots["s"], "call": example.roots["call"]})
        self.executor, self.run = Executor(self.before), self


class Ending:
    """A symbolic ending of a concrete call: each field that may change, and the condition that it is as promised."""

    def __init__(self, promise, transition, example, name):
        step, function, given = (
            Concrete(transition, example),
            translate(promise.function),
            values(promise, transition, example),
        )
        store = ending(step, promise, name)
        arguments = [
            int(value) if is_scalar(p.type) else transition.place(p.name)
            for p, value in zip(function.parameters, given)
        ]
        self.promised = bits.truth(Executor(store).run(function, arguments))
        chosen = [
            ("?" + p.name, p.type, value)
            for p, value in zip(function.parameters, arguments)
            if "?" + p.name in example.scalars
        ]
        self.fields = [
            (cell, store.read(cell, types, TOP))
            for cell, types in asked(step, promise, chosen)
            if not (step.component.is_of_caller(cell.path) and cell.indices[0] == example.roots["s"].current)
        ]


def astray(promise, transition, example):
    """Return `(path, value, promised)` for each field that a call left wrong; None if no ending is as promised."""
    possible, solver, found = Ending(promise, transition, example, "promised"), Context().general(), []
    solver.add(possible.promised)
    if solver.check() != z3.sat:
        return None
    for cell, term in possible.fields:
        if all(map(bits.known, cell.indices)):
            path = path_of(cell, cell.indices)
            value = at(example.roots["call"] if path[0] in transition.component.answers else example.after, path)
            same = bits.truth(bits.compare("==", term, int(value), cell.type))
            if solver.check(same) == z3.sat:
                solver.add(same)
            else:
                found.append((path, value, cell, term))
    solver.check()
    others = numbers_in(solver.model(), [term for *_, term in found])
    return [(path, value, cell.type.coerce(other)) for (path, value, cell, _), other in zip(found, others)]


def left_open(promise, transition, example):
    """Return `(path, one, other)` for each field that the promise of a concrete call leaves open between two values."""
    (one, other), solver = (
        [Ending(promise, transition, example, name) for name in ("one", "other")],
        Context().general(),
    )
    solver.add(one.promised, other.promised)
    found = []
    for (cell, here), (_, there) in zip(one.fields, other.fields):
        if solver.check(bits.truth(bits.compare("!=", here, there, cell.type))) == z3.sat:
            *indices, first, second = numbers_in(solver.model(), [*cell.indices, here, there])
            found.append((path_of(cell, indices), *map(cell.type.coerce, (first, second))))
    return found


def path_of(cell, numbers):
    """Return the path of a place, with its indices filled in."""
    remaining = iter(numbers)
    return tuple(next(remaining) if part == "[]" else part for part in cell.path)
