"""Could a component be in a given concrete state? Only if every invariant holds of it, at every index.

Tables are sparse, and most rows are blank: all zero. The solver is asked once whether an invariant holds of a blank row
whatever the rest of the state is. If so, only rows that are not blank are checked. An invariant of several rows may
hold if any one of them is blank, whatever the others are. For every other invariant, all rows are checked one by one,
once for the same contents of the tables that it reads.
"""

import itertools
import math
from typing import Any

import z3

from corollary.language.frontend import translate
from corollary.language.reads import Memo
from corollary.language.types import ArrayType, Index
from corollary.language.values import leaves
from corollary.proofs import bits, second
from corollary.proofs.footprint import footprint
from corollary.proofs.symbolic import Executor, Reference, Store


def log_of(s, component):
    """Return the rows of the component's log by their numbers; none if it has no log."""
    return getattr(s, component.log).rows if component.log else {}


def fill_log(s, mentioned, component):
    """Fill the log with a numbered record wherever none is mentioned, as after the log has gone round.

    Otherwise no state with a long log could be valid.
    """
    records: Any = getattr(s, component.log) if component.log else ()
    for number in set(range(len(records))) - mentioned:
        records[number].sequence = number


def broken(s, invariants):
    """Yield `(invariant, indices)` wherever a state breaks an invariant."""
    filled = Filled(s)
    for property_ in invariants:
        holds = property_.function
        for indices in suspects(s, filled, property_):
            if not holds(s, *indices):
                yield property_, indices


def suspects(s, filled, property_):
    """Return the indices at which an invariant may be broken."""
    types = index_types(property_)
    if holds_of_blank_rows(property_):
        return filled.indices(types)
    if holds_if_any_is_blank(property_):
        return itertools.product(*(filled.numbers(type_) for type_ in types))
    return () if holds_everywhere(s, property_) else rows_of(types)


def rows_of(types):
    """Return all indices of some types."""
    return itertools.product(*(range(type_.bound) for type_ in types))


WORTH = 4  # rows that are checked while one is read
_everywhere = Memo()


def holds_everywhere(s, property_):
    """Does an invariant hold of all rows? States differ in few tables, and many differ in none that it reads."""
    holds, types, names = property_.function, index_types(property_), fields_read(translate(property_.function))

    def checked():
        return all(holds(s, *indices) for indices in rows_of(types))

    if WORTH * touched(s, names) > math.prod(type_.bound for type_ in types):
        return checked()  # at once, rather than look at all that it reads
    return _everywhere.get((holds, contents(s, names)), checked)


def fields_read(function):
    """Return the names of the fields of the state that an invariant may read; all of them if nobody knows."""
    state = function.parameters[0]
    try:
        return sorted({path[0] for root, path in footprint(function).reads if root == state.name})
    except TypeError:
        return list(state.type.fields)


def touched(s, names):
    """Return how many rows of some fields of a state are there."""
    return sum(len(getattr(getattr(s, name), "rows", ())) for name in names)


def contents(s, names):
    """Return what is not zero in some fields of a state."""
    return tuple((name, *(leaf for leaf in leaves(getattr(s, name)) if leaf[1])) for name in names)


def index_types(property_):
    """Return the types of the indices of an invariant."""
    return tuple(parameter.type for parameter in translate(property_.function).parameters[1:])


class Filled:
    """The rows of a state that are not blank, by the types of their indices."""

    def __init__(self, s):
        self.rows = {}
        for name, table in tables_of(type(s)).items():
            inner_rows = has_rows(table.element)
            for number, row in list(getattr(s, name).rows.items()):
                for path, value in leaves(row) if not isinstance(row, int) else [((), row)]:
                    if value:
                        self.add((table.index,), (number,))
                        if not inner_rows:
                            break
                        if len(path) > 1 and isinstance(path[1], int):
                            inner = table.element.fields[path[0]]
                            self.add((table.index, inner.index), (number, path[1]))

    def add(self, types, indices):
        self.rows.setdefault(types, set()).add(indices)

    def indices(self, types):
        """Return the indices of rows that are not blank; without index types, one empty tuple."""
        return sorted(self.rows.get(types, ())) if types else [()]

    def numbers(self, type_):
        """Return the numbers of rows of tables with this index that are not blank."""
        return sorted(number for (number,) in self.rows.get((type_,), ()))


def tables_of(record):
    """Return the tables of a record, which have an index type, by name."""
    return {
        name: type_ for name, type_ in record.fields.items() if isinstance(type_, ArrayType) and type_.index is not None
    }


def has_rows(element):
    """Does an element of a table hold a table itself?"""
    return hasattr(element, "fields") and bool(tables_of(element))


_holds, _holds_of_any = {}, {}


def holds_of_blank_rows(property_):
    """Does an invariant hold whenever all that it reads at its own indices is zero, whatever else there is?"""
    if property_.function not in _holds:
        _holds[property_.function] = asked(property_, [range(len(index_types(property_)))])
    return _holds[property_.function]


def holds_if_any_is_blank(property_):
    """Does an invariant hold whenever all that it reads at one of its indices alone is zero, whichever that is?"""
    if property_.function not in _holds_of_any:
        _holds_of_any[property_.function] = asked(property_, [[place] for place in range(len(index_types(property_)))])
    return _holds_of_any[property_.function]


def asked(property_, choices):
    """Ask the solver whether the invariant holds of blank rows, for each choice of places among its indices."""
    types = index_types(property_)
    if not types or not all(isinstance(type_, Index) for type_ in types):
        return False
    function, variables = translate(property_.function), [z3.FreshConst(bits.sort(type_)) for type_ in types]
    state = function.parameters[0]
    store = Store({state.name})
    store.shared["roots"] = {state.name: state.type}
    value = Executor(store).run(function, [Reference(state.name, (), (), state.type), *variables])
    reads = list(store.shared["reads"].values())
    return all(holds_where_zero(value, reads, [variables[place] for place in chosen]) for chosen in choices)


def holds_where_zero(value, reads, indices):
    """Does an invariant hold wherever all that was read at just these indices is zero?"""
    wanted = [index.get_id() for index in indices]
    blank = [
        bits.compare("==", term, 0, reference.type)
        for _, reference, _, found, term in reads
        if [index.get_id() for index in found] == wanted
    ]
    solver = z3.SolverFor("QF_UFBV")
    solver.add(*map(bits.truth, blank), bits.truth(bits.negate(value)))
    return second.impossible(solver)
