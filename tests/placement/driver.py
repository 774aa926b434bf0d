"""Who drives the placement component in tests: an epoch of surveys and candidates, and what is recommended, done."""

from corollary.bench.placement import FOREVER, Placed
from corollary.spec.placement.vocabulary import Change, Status


class Driven(Placed):
    """The component in C, with some nodes in partitions; it is driven as a policy would do it."""

    def __init__(self, homes):
        super().__init__()
        self.nodes, self.homes, self.done = range(len(homes)), sorted({*homes}), []
        for n, p in enumerate(homes):
            assert self.take("add_node", n, p) == Status.OK

    def home(self, n):
        """Return the partition of a node."""
        return self.read("node", n, "home")

    def score(self, p):
        """Return the score of a partition in ppm."""
        return self.read("home", p, "score")

    def survey(self):
        """Add up all traffic, and score all partitions."""
        for n in self.nodes:
            assert self.take("survey_node", n) == Status.OK
        for p in self.homes:
            assert self.take("score_home", p) == Status.OK

    def consider(self):
        """Consider each move, each merge and each split; return how often each status was the answer."""
        told = [self.take("consider_move", n, q) for n in self.nodes for q in self.homes if self.home(n) != q]
        for p in self.homes:
            for q in self.homes:
                if self.take("couple_homes", p, q) == Status.OK:
                    while self.take("add_couple_row") == Status.OK:
                        pass
                    told.append(self.take("consider_merge"))
            if self.take("begin_cut", 0, p, FOREVER, 0) == Status.OK:
                assert self.cut() == Status.OK
                told.append(self.take("consider_split", p))
        return {Status(status): told.count(status) for status in told}

    def epoch(self, weights):
        """Set weights, let an epoch pass, and carry out what is recommended."""
        for (n, m), weight in weights.items():
            assert self.take("set_weight", n, m, weight) == Status.OK
        self.survey()
        self.consider()
        assert self.take("begin_epoch") == Status.OK
        if self.take("recommend") == Status.OK:
            self.carry_out()

    def carry_out(self):
        """Do what is recommended: move the nodes to their new partition."""
        kind, target, side = (self.read("advice", name) for name in ("kind", "target", "side"))
        if kind == Change.SPLIT:
            target = max(self.homes) + 1
            self.homes.append(target)
        self.done.append((Change(kind), self.read("epoch"), target))
        for n in self.nodes:
            if side >> n & 1 and self.home(n) != target:
                assert self.take("rehome_node", n, target) == Status.OK
        assert self.take("conclude") == Status.OK
