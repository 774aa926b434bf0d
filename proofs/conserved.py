"""Does a step preserve a sum over all rows of a table, whatever it moves from row to row?

Only the rows that a step writes can come to count for more or less. Before the step, these rows add up to no more than
the whole sum, since no row counts for less than nothing.
"""

import z3

from corollary.language.component import STATE
from corollary.language.frontend import translate
from corollary.language.types import u64
from corollary.proofs import bits
from corollary.proofs.footprint import footprint
from corollary.proofs.symbolic import Executor, Reference, Store, Write, belongs

NARROW = 32  # bits of a row's count: 64 bits hold the sum of all rows


class Uncountable(Exception):
    """The error that nothing can be said about a sum, and why."""


def goal_of(run, property_):
    """Return `(premise, goal)` about the counts of the rows that a step writes, before and after it.

    Raises `Uncountable` when nothing can be said about the sum.
    """
    check_rows(translate(property_.function))
    rows = written_rows(run, property_.function)
    before, after = [summed(run, property_.function, rows, state) for state in (run.before, run.after)]
    if run.transition.from_zero:
        counts_for_nothing = left_at_zero(run, property_.function, rows)
        return True, bits.conjoin([bits.compare("==", after, property_.total, u64), counts_for_nothing])
    return bits.compare("<=", before, property_.total, u64), bits.compare("==", before, after, u64)


def fields_of(function):
    """Return the fields that a sum is taken of."""
    return sorted(path for name, path in footprint(function).reads if name == function.parameters[0].name)


def check_rows(function):
    """Check that a count depends on its own row alone, and that the sum has room for all counts.

    Raises `Uncountable` otherwise.
    """
    if function.returns.bits > NARROW:
        raise Uncountable(f"{function.symbol} counts in {function.returns.bits} bits; {NARROW} can be added up")
    (state, index), store = function.parameters, Store({STATE})
    store.shared["roots"] = {STATE: state.type}
    row = z3.Const("row", bits.sort(index.type))
    Executor(store).run(function, [Reference(STATE, (), (), state.type), row])
    for _, reference, _, indices, _ in store.shared["reads"].values():
        if len(indices) != 1 or not row.eq(indices[0]):
            raise Uncountable(f"{function.symbol} reads {'.'.join(reference.path)} of more than the row that it counts")


def written_rows(run, function):
    """Return the indices of the rows in which a step may have written a counted field, each once."""
    found = {}
    for path in fields_of(translate(function)):
        node = run.after.heads.get((STATE, path))
        while node is not None:
            if type(node) is not Write or len(node.indices) != 1 or node.indices[0] is None:
                raise Uncountable(f"{run.transition.name} writes {'.'.join(path)} in rows that cannot be listed")
            (index,) = node.indices
            found.setdefault(int(index) if bits.known(index) else index.get_id(), index)
            node = node.older
    return list(found.values())


def summed(run, function, rows, state):
    """Add up the counts of these rows; equal indices count once."""
    type_, whole = translate(function).parameters[-1].type, 0
    for number, row in enumerate(rows):
        value, _ = run.evaluate(function, [run.place(STATE), row], state)
        again = bits.disjoin([bits.compare("==", row, other, type_) for other in rows[:number]])
        amount = bits.choose(again, 0, bits.resize(value, translate(function).returns, u64), u64)
        whole, _ = bits.arithmetic("+", whole, amount, u64)
    return whole


def left_at_zero(run, function, rows):
    """Return the condition that a row which the first step does not write counts for nothing, for any row."""
    type_ = translate(function).parameters[-1].type
    row = z3.Const("?row", bits.sort(type_))
    value, _ = run.evaluate(function, [run.place(STATE), row], run.after)
    written = [bits.compare("==", row, other, type_) for other in rows]
    nothing = bits.compare("==", value, 0, translate(function).returns)
    return bits.disjoin([bits.negate(belongs(row, type_)), *written, nothing])


def is_conserved(example, property_, from_zero=False):
    """Does a concrete step preserve the sum, or, if it starts from zero, make it the initial sum?"""
    return total(example.after, property_) == (property_.total if from_zero else total(example.roots[STATE], property_))


def total(s, property_):
    """Add up the counts of all rows of a concrete state."""
    index = translate(property_.function).parameters[-1].type
    return sum(property_.function(s, number) for number in range(index.bound))
