"""What is impossible, after all that is known on a path?"""

import z3

from proofs import bits, second


class Conditions:
    """What is known on a path. Each question is put to a solver of its own, which then sees the whole at once.

    What a function is that nobody looks into, on whatever arguments, is first taken for a word without any relation to others:
    what is impossible then is impossible.
    """

    def __init__(self, facts, timeout):
        self.facts, self.timeout, self.known, self.saved = facts, timeout, [], []

    def add(self, *conditions):
        """Know more."""
        self.known += [condition for condition in map(bits.truth, conditions) if not z3.is_true(condition)]

    def push(self):
        """Remember where to go back to."""
        self.saved.append(len(self.known))

    def pop(self):
        """Go back."""
        del self.known[self.saved.pop():]

    def impossible(self, condition):
        """Is a condition impossible, even if functions are any words?"""
        return self.answer(condition, loosened) == z3.unsat

    def check(self, condition):
        """Can a condition be?"""
        return z3.unsat if self.impossible(condition) else self.answer(condition, list)

    def answer(self, condition, changed):
        """A solver's answer."""
        solver = z3.Then("simplify", "fpa2bv", "propagate-values", "solve-eqs", "bit-blast", "sat").solver() if changed is loosened else z3.Solver()
        solver.set("timeout", self.timeout)
        solver.add(*changed([*self.known, bits.truth(condition), *(bits.truth(fact) for fact, _ in self.facts.values())]))
        answer = solver.check()
        if answer == z3.unsat:
            second.confirm(solver)
        return answer


def loosened(conditions):
    """Conditions with a word of its own for each application of a function, the same for the same."""
    found, seen, pending = [], set(), list(conditions)
    while pending:
        term = pending.pop()
        if term.get_id() not in seen:
            seen.add(term.get_id())
            if z3.is_app_of(term, z3.Z3_OP_UNINTERPRETED) and term.num_args():
                found.append((term, z3.Const(f"application {len(found)}", term.sort())))
            pending += term.children()
    return [z3.substitute(condition, *found) for condition in conditions]
