"""What does a step leave of a sum over all rows of a table? As much as there was, whatever it moves from row to row.

Only the rows that a step writes can count for less or more. Before the step these hold no more than the whole sum, since
no row counts for less than nothing.
"""

import z3

from language.frontend import translate
from language.types import u64
from proofs import bits
from proofs.footprint import footprint
from proofs.symbolic import Executor, Store, Write
from proofs.transition import place
from spec.kernel.state import Kernel


NARROW = 32     # bits of what a row counts for: 64 hold the sum of all


class Uncountable(Exception):
    """A sum of which nothing can be told, and why."""


def goal_of(run, property_):
    """`(premise, goal)`: of the rows that a step writes, what they count for before and after it; `Uncountable` if nothing can be told."""
    check_rows(translate(property_.function))
    rows = written_rows(run, property_.function)
    before, after = [summed(run, property_.function, rows, state) for state in (run.before, run.after)]
    if run.transition.from_zero:
        return True, bits.compare("==", after, property_.total, u64)
    return bits.compare("<=", before, property_.total, u64), bits.compare("==", before, after, u64)


def fields_of(function):
    """The fields that a sum is taken of."""
    return sorted(path for name, path in footprint(function).reads if name == function.parameters[0].name)


def check_rows(function):
    """Refuse to add up what depends on more than the row that is counted, or numbers that their sum might not hold."""
    if function.returns.bits > NARROW:
        raise Uncountable(f"{function.symbol} counts in {function.returns.bits} bits; {NARROW} can be added up")
    store, type_ = Store({"s"}), function.parameters[-1].type
    store.shared["roots"] = {"s": Kernel}
    row = z3.Const("row", bits.sort(type_))
    Executor(store).run(function, [place("s"), row])
    for _, reference, _, indices, _ in store.shared["reads"].values():
        if len(indices) != 1 or not row.eq(indices[0]):
            raise Uncountable(f"{function.symbol} reads {'.'.join(reference.path)} of more than the row that it counts")


def written_rows(run, function):
    """The indices of the rows in which a step may have written what is counted, each once."""
    found = {}
    for path in fields_of(translate(function)):
        node = run.after.heads.get(("s", path))
        while node is not None:
            if type(node) is not Write or len(node.indices) != 1 or node.indices[0] is None:
                raise Uncountable(f"{run.transition.name} writes {'.'.join(path)} in rows that cannot be listed")
            index, = node.indices
            found.setdefault(int(index) if bits.known(index) else index.get_id(), index)
            node = node.older
    return list(found.values())


def summed(run, function, rows, state):
    """What different rows among these count for."""
    type_, whole = translate(function).parameters[-1].type, 0
    for number, row in enumerate(rows):
        value, _ = run.evaluate(function, [place("s"), row], state)
        again = bits.disjoin([bits.compare("==", row, other, type_) for other in rows[:number]])
        amount = bits.choose(again, 0, bits.resize(value, translate(function).returns, u64), u64)
        whole, _ = bits.arithmetic("+", whole, amount, u64)
    return whole


def is_kept(example, property_, from_zero=False):
    """Does a concrete step leave the sum as it was, or make it what it is at first?"""
    return total(example.after, property_) == (property_.total if from_zero else total(example.roots["s"], property_))


def total(s, property_):
    """The sum over all rows of a concrete state."""
    index = translate(property_.function).parameters[-1].type
    return sum(property_.function(s, number) for number in range(index.bound))
