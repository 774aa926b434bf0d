"""How does an answer depend on nothing that was asked before? Each question has a context of its own.

Z3 orders terms by numbers that it gives out as they are built. In one context for a whole process, the search for one
answer would depend on all terms of the questions before it. Terms are built in the common context and carried over.
"""

import itertools

import z3


class Context:
    """A context of its own, and the terms that were carried into it."""

    def __init__(self):
        self.own, self.carried = z3.Context(), {}
        self.meter = z3.SolverFor("QF_UFBV", ctx=self.own)  # is only asked how many steps were taken

    def carry(self, term):
        """Return a term of the common context in this one."""
        found = self.carried.get(term.get_id())
        if found is None:
            found = self.carried[term.get_id()] = (term, term.translate(self.own))  # keeps the id from being used again
        return found[1]

    def spent(self):
        """Return the steps that the solvers of this context have taken so far."""
        return self.meter.statistics().get_key_value("rlimit count")

    def solver(self, *tactics):
        """Return an empty solver for words and functions of them; with tactics, one that applies them in turn."""
        made = z3.Then(*tactics, ctx=self.own).solver() if tactics else z3.SolverFor("QF_UFBV", ctx=self.own)
        return Solver(self, made)

    def general(self):
        """Return an empty solver for formulas of any kind."""
        return Solver(self, z3.Solver(ctx=self.own))


class Solver:
    """A solver in a context of its own, which takes terms of the common one."""

    def __init__(self, context, solver):
        self.context, self.there, self.ctx = context, solver, context.own
        self.set, self.push, self.reason_unknown = solver.set, solver.push, solver.reason_unknown
        self.to_smt2, self.assertions = solver.to_smt2, solver.assertions

    def add(self, *formulas):
        """Assert formulas."""
        self.there.add(*map(self.context.carry, formulas))

    def check(self, *assumed):
        """Return the answer to whether everything asserted and `assumed` can hold."""
        return self.there.check(*map(self.context.carry, assumed))

    def misled(self, assumed):
        """Return the places of what was `assumed` in the contradiction that was found."""
        core = {each.get_id() for each in self.there.unsat_core()}
        return [place for place, each in enumerate(assumed) if self.context.carry(each).get_id() in core]

    def model(self):
        """Return what the solver found, for terms of the common context."""
        return Model(self.context, self.there.model())


class Model:
    """The values that a solver in a context of its own gives to terms of the common one."""

    def __init__(self, context, model):
        self.context, self.there = context, model

    def eval(self, term, model_completion=False):
        """Return the value of a term in the common context; where nothing demands one, any if `model_completion`."""
        return self.there.eval(self.context.carry(term), model_completion).translate(z3.main_ctx())

    def numbers(self, terms):
        """Return the values of terms as numbers and truths, any where nothing demands one.

        Z3 is asked for all of them as one long word: for each alone, it would look again at what they share.
        """
        carried = [self.context.carry(term) for term in terms]
        parts = {term.get_id(): self.word(term) for term in carried}
        words = list(parts.values())
        whole = self.there.eval(z3.Concat(*words) if words[1:] else words[0], True).as_binary_string() if words else ""
        digits = whole.rjust(sum(word.size() for word in words), "0")
        ends = itertools.accumulate(word.size() for word in words)
        values = {id_: int(digits[end - word.size() : end], 2) for (id_, word), end in zip(parts.items(), ends)}
        return [bool(values[term.get_id()]) if z3.is_bool(term) else values[term.get_id()] for term in carried]

    def word(self, term):
        """Return a term as a word: one of a single bit for a truth."""
        if z3.is_bv(term):
            return term
        return z3.If(term, z3.BitVecVal(1, 1, self.context.own), z3.BitVecVal(0, 1, self.context.own))
