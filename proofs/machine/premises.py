"""What is known of values that no code computed? State contents have their types, and the solver is told in time."""

import z3

from corollary.proofs import bits, second
from corollary.proofs.engine import EFFORT
from corollary.proofs.symbolic import Store, belongs


class Typed(Store):
    """A store whose unknown contents have their types: `facts` says so for each that was read."""

    def __init__(self, symbolic, heads=None, shared=None, facts=None):
        super().__init__(symbolic, heads, shared)
        self.facts = facts if facts is not None else {}

    def fork(self):
        """Return a copy whose later writes are its own."""
        return Typed(self.symbolic, self.heads, self.shared, self.facts)

    def base(self, reference, types):
        """Return the value before any write."""
        return self.noted(super().base(reference, types), reference.type)

    def noted(self, value, type_):
        """Return an unknown value, and note that it has its type."""
        if not bits.known(value) and not type_.exact and value.get_id() not in self.facts:
            self.facts[value.get_id()] = (belongs(value, type_), value)
        return value


class Premises:
    """A solver that keeps the facts about unknown contents, however often it goes back."""

    def __init__(self, facts):
        self.solver, self.facts, self.known, self.saved = z3.Solver(), facts, 0, []
        self.solver.set("rlimit", EFFORT)
        self.add, self.model = self.solver.add, self.solver.model

    def push(self):
        """Remember what is known now."""
        self.saved.append(self.known)
        self.solver.push()

    def pop(self):
        """Go back to what was known at the last `push`."""
        self.known = self.saved.pop()
        self.solver.pop()

    def check(self):
        """Return the solver's answer to whether all of it can hold."""
        news = list(self.facts.values())[self.known :]
        self.solver.add(*(fact for fact, _ in news if fact is not True))
        self.known += len(news)
        answer = self.solver.check()
        if answer == z3.unsat:
            second.confirm(self.solver)
        return answer
