"""What do tests of the prover ask the solver and a layout?"""

import z3

from corollary.proofs.machine import words


def slot(record, name):
    """Return the place of a field in a record."""
    return next(each for each in record.layout.slots if each.name == name)


def holds(conditions, *known):
    """Do the conditions follow from the known facts?"""
    solver = z3.Solver()
    solver.add(*known, z3.Not(z3.And(*[words.condition(condition) for condition in conditions])))
    return solver.check() == z3.unsat
