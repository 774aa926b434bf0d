"""What do tests of the prover ask of the solver and of a layout?"""


import z3

from proofs.machine import words


def slot(record, name):
    """Where a field of a record lies."""
    return next(each for each in record.layout.slots if each.name == name)


def holds(conditions, *known):
    """Do conditions follow from what is known?"""
    solver = z3.Solver()
    solver.add(*known, z3.Not(z3.And(*[words.condition(condition) for condition in conditions])))
    return solver.check() == z3.unsat
