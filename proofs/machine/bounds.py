"""How long can a function run, and how deep can its stack get? Own figures of every path, and those of its callees."""

from functools import lru_cache


class Bounds:
    """The worst case of each function, callees included, from the rows of the machine code."""

    def __init__(self, rows):
        self.routes = {row["operation"]: row["figures"]["routes"] for row in rows if row.get("figures")}

    @lru_cache(maxsize=None)
    def instructions(self, symbol):
        """The instructions of the longest path of a function; None when a callee has no figures."""
        return self.worst(symbol, lambda count, depth, callees: [count, *callees], sum, self.instructions)

    @lru_cache(maxsize=None)
    def stack(self, symbol):
        """The bytes of stack of the deepest path of a function."""
        return self.worst(symbol, lambda count, depth, callees: [depth, max([0, *callees])], sum, self.stack)

    def worst(self, symbol, parts, total, inner):
        if symbol not in self.routes:
            return None
        found = []
        for count, depth, names in self.routes[symbol]:
            callees = [inner(name) for name in names]
            if None in callees:
                return None
            found.append(total(parts(count, depth, callees)))
        return max(found)
