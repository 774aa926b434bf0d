"""What may a refused call change? Nothing outside the books: its frame condition.

The books of a component are the fields that every call may change, and the caller's own account. The goal covers every
other scalar of the state, at fresh indices.
"""

from collections.abc import Iterator
from typing import Any

import z3

from corollary.language.component import OK, STATE
from corollary.language.frontend import translate
from corollary.language.types import ArrayType, Index, is_scalar
from corollary.proofs import bits
from corollary.proofs.symbolic import TOP, index_type


def scalars_of(reference, prefix: tuple = ()) -> Iterator[tuple[Any, tuple]]:
    """Yield every scalar place below a reference, with fresh variables for the indices: `(place, variables)`."""
    type_ = reference.type
    if is_scalar(type_):
        yield reference, prefix
    elif isinstance(type_, ArrayType):
        name = unused(f"?{type_.index.name}" if type_.index else f"?{reference.path[-1]}", prefix)
        index = type_.index or Index(name, type_.length)
        variable = z3.Const(name, bits.sort(index))
        place = reference.element(bits.resize(variable, index, index_type(type_)))
        yield from scalars_of(place, (*prefix, (name, index, variable)))
    else:
        for name, field_type in type_.fields.items():
            yield from scalars_of(reference.field(name, field_type), prefix)


def unused(name, variables):
    """Return the name, or one like it that none of the variables has: tables in tables may have the same indices."""
    while any(name == other for other, _, _ in variables):
        name += "'"
    return name


def frame_goal(run):
    """Return `(variables, goal)`: when the status is not OK, every scalar outside the books is as before."""
    component, parts, variables = run.component, [], {}
    for cell, indices in scalars_of(run.place(STATE)):
        if component.is_book(cell.path):
            continue
        variables.update({name: (name, type_, term) for name, type_, term in indices})
        types = run.executor.index_types(cell)
        same = bits.compare("==", run.after.read(cell, types, TOP), run.before.read(cell, types, TOP), cell.type)
        if component.is_of_caller(cell.path, refused=True):
            same = bits.disjoin([bits.compare("==", cell.indices[0], run.actor, indices[0][1]), same])
        parts.append(same)
    return list(variables.values()), bits.disjoin([succeeded(run), bits.conjoin(parts)])


def succeeded(run):
    """Return the condition that a step ends in OK; one that returns no status always does."""
    status = translate(run.transition.function).returns
    return True if status is None else bits.compare("==", run.status, int(status[OK]), status)
