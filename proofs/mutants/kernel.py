"""Which mutants does the model of the kernel have? Those of each of its functions."""

from functools import cache

from corollary.codegen.kernel import functions
from corollary.model.kernel.component import KERNEL
from corollary.proofs.mutants.ir import mutants_of
from corollary.proofs.mutants.proof import Judge
from corollary.proofs.transition import step_named


@cache
def named():
    """Return the functions of the kernel by symbol."""
    return {function.symbol: function for function in functions()}


@cache
def candidates(symbol):
    """Return every mutant of one function."""
    return mutants_of(named()[symbol])


@cache
def judge_of(name):
    """Return the judge of a step, made once for each process."""
    return Judge(step_named(name, KERNEL))
