"""Are two large terms equal? Pieces that agree on random inputs are proved equal one by one, from the inputs upwards.

Whatever is proved equal becomes one new variable. So no question gets larger than what lies between two such pieces. A
hash of many rounds is compared round by round, though nothing says where a round ends.
"""

import random
from collections import Counter

import z3

from corollary.proofs import second

SAMPLES, SEED = 4, 7
EFFORT = 20_000_000  # solver steps for one piece
DEPTH = 8  # how many variables are expanded, newest first, before two pieces are given up


def nodes(roots):
    """Return every subterm, operands first."""
    order, seen, pending = [], set(), [(root, False) for root in reversed(roots)]
    while pending:
        node, expanded = pending.pop()
        if expanded:
            order.append(node)
        elif node.get_id() not in seen:
            seen.add(node.get_id())
            pending.append((node, True))
            pending += [(child, False) for child in node.children()]
    return order


class Sweep:
    """The pieces of some terms, and which of them are equal."""

    def __init__(self, roots):
        self.order = nodes(roots)
        self.random = random.Random(SEED)
        self.leaves = [node for node in self.order if is_input(node)]
        self.signatures = self.sampled()
        self.looks = Counter(self.signatures.values())
        self.standing, self.classes, self.definitions, self.merged = {}, {}, {}, 0
        self.solver = z3.Solver()
        self.solver.set("rlimit", EFFORT)

    def sampled(self):
        """Return the values of each piece for the same random inputs."""
        rows = [[] for _ in self.order]
        for _ in range(SAMPLES):
            chosen = [
                (
                    leaf,
                    z3.BitVecVal(self.random.getrandbits(leaf.size()), leaf.size())
                    if z3.is_bv(leaf)
                    else z3.BoolVal(self.random.random() < 0.5),
                )
                for leaf in self.leaves
            ]
            values = {leaf.get_id(): value for leaf, value in chosen}
            for row, node in zip(rows, self.order):
                if node.get_id() not in values:
                    values[node.get_id()] = z3.simplify(
                        node.decl()(*(values[child.get_id()] for child in node.children()))
                    )
                row.append(str(values[node.get_id()]))
        return {node.get_id(): (str(node.sort()), *row) for row, node in zip(rows, self.order)}

    def fails(self, goal):
        """Is a condition false for some of the random inputs?"""
        return "False" in self.signatures[goal.get_id()]

    def run(self):
        """Merge equal pieces; afterwards `stand_in` gives every piece in few variables."""
        for node in self.order:
            own = (
                node
                if is_input(node) or not node.children()
                else node.decl()(*(self.standing[child.get_id()] for child in node.children()))
            )
            self.standing[node.get_id()] = own if z3.is_bv_value(node) or is_input(node) else self.merge(node, own)
        return self

    def merge(self, node, own):
        """Return what stands for a piece.

        It is a variable if another piece looks like it, and the same variable if they are proved equal.
        """
        signature = self.signatures[node.get_id()]
        if self.looks[signature] == 1 or z3.is_bool(node):
            return own
        family = self.classes.setdefault(signature, [])
        for other, variable in family:
            if own.eq(other) or self.same(own, other):
                self.merged += 1
                return variable
        variable = z3.FreshConst(node.sort(), "piece")
        self.definitions[variable.get_id()] = (len(self.definitions), variable, own)
        family.append((own, variable))
        return variable

    def same(self, a, b):
        """Are two pieces equal, whatever their variables are? If not, try with what the newest variables stand for."""
        for _ in range(DEPTH):
            self.solver.push()
            self.solver.add(a != b)
            answer = self.solver.check()
            if answer == z3.unsat:
                second.confirm(self.solver)
            self.solver.pop()
            if answer != z3.sat:
                return answer == z3.unsat
            inside = [self.definitions[node.get_id()] for node in nodes([a, b]) if node.get_id() in self.definitions]
            if not inside:
                return False
            _, newest, meaning = max(inside, key=lambda definition: definition[0])
            a, b = z3.substitute(a, (newest, meaning)), z3.substitute(b, (newest, meaning))
        return False

    def stand_in(self, node):
        """Return a term in the variables of the pieces."""
        return self.standing[node.get_id()]


def is_input(node):
    """Is a term a free variable or the value of an uninterpreted function?"""
    return node.decl().kind() == z3.Z3_OP_UNINTERPRETED


def equal(a, b):
    """Are two terms equal for all inputs?"""
    sweep = Sweep([a, b]).run()
    return sweep.stand_in(a).eq(sweep.stand_in(b)) or sweep.same(sweep.stand_in(a), sweep.stand_in(b))
