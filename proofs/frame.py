"""What may a refused call change? Nothing outside the books: its frame condition.

The books are the log, the chain value, the time that is used and the caller's own account: its tokens and messages, its
record count and its refusal count. The goal covers every other scalar of the state, at fresh indices.
"""

import z3

from corollary.language.types import ArrayType, Index, is_scalar
from corollary.proofs import bits
from corollary.proofs.symbolic import TOP, index_type
from corollary.proofs.transition import place
from corollary.spec.kernel.state import Kernel
from corollary.spec.kernel.vocabulary import Status

BOOKS = ("log", "head", "sequence", "time")
ACCOUNT = ("bucket", "messages", "records", "refused")
TURN = ("current", "idle", "switches")  # who runs after a call


def scalars_of(reference, prefix=()):
    """Yield every scalar place below a reference, with fresh variables for the indices: `(place, variables)`."""
    type_ = reference.type
    if is_scalar(type_):
        yield reference, prefix
    elif isinstance(type_, ArrayType):
        name = f"?{type_.index.name}" if type_.index else f"?{reference.path[-1]}"
        index = type_.index or Index(name, type_.length)
        variable = z3.Const(name, bits.sort(index))
        place = reference.element(bits.resize(variable, index, index_type(type_)))
        yield from scalars_of(place, (*prefix, (name, index, variable)))
    else:
        for name, field_type in type_.fields.items():
            yield from scalars_of(reference.field(name, field_type), prefix)


def frame_goal(run):
    """Return `(variables, goal)`: when the status is not OK, every scalar outside the books is as before."""
    state = place("s")
    current = run.before.read(state.field("current", Kernel.fields["current"]), [], TOP)
    parts, variables = [], {}
    for cell, indices in scalars_of(state):
        if cell.path[0] in BOOKS:
            continue
        variables.update({name: (name, type_, term) for name, type_, term in indices})
        types = run.executor.index_types(cell)
        same = bits.compare("==", run.after.read(cell, types, TOP), run.before.read(cell, types, TOP), cell.type)
        if cell.path[0] == "partition" and cell.path[2] in ACCOUNT:
            same = bits.disjoin([bits.compare("==", cell.indices[0], current, indices[0][1]), same])
        parts.append(same)
    refused = bits.compare("!=", run.status, int(Status.OK), Status)
    return list(variables.values()), bits.disjoin([bits.negate(refused), bits.conjoin(parts)])
