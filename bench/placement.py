"""How long does a complete cut take in the C of the placement component, for complete graphs, and how long in networkx?

`python -m corollary.bench.placement` prints the median of many cuts, with its limit, and how many times as long
networkx takes for the same graph.
"""

import ctypes
import random
import statistics
import time

from rich.console import Console
from rich.table import Table

from corollary.bench.figures import Figure
from corollary.codegen.build import BUILD, shared
from corollary.codegen.folders import GENERATED, ROOT
from corollary.language.frontend import translate
from corollary.language.layout import offset_of, size_of
from corollary.language.types import is_scalar
from corollary.model.placement.component import PLACEMENT
from corollary.spec.placement.limits import CUT_TIME, FRACTION

FOLDER, DRIVER = GENERATED / "placement", ROOT / "bench" / "drivers" / "placement.c"
LIMITS = {16: 5.0, 32: 50.0, 64: None}  # microseconds, by the number of nodes; a larger cut may be given up
TURNS, TIMES, SEED = 51, 40, 1  # measurements, and cuts in each
HEAVIEST = 1 << 20
FOREVER = (1 << 32) - 1  # steps


class Placed:
    """The component in C, with a driver that takes all steps of a cut. Arguments and results are plain numbers."""

    def __init__(self):
        library = shared("placement-driver", [*sorted(FOLDER.glob("*.c")), DRIVER], BUILD / "host", FOLDER)
        self.library = ctypes.CDLL(str(library))
        self.library.time_cuts.restype = ctypes.c_uint64
        self.entries = {each.name: self.entry(translate(each.function).symbol) for each in PLACEMENT.operations}
        self.memory = ctypes.create_string_buffer(size_of(PLACEMENT.state))
        self.entry(translate(PLACEMENT.boot).symbol)(self.memory)

    def entry(self, symbol):
        """Return a function of the library."""
        found = getattr(self.library, symbol)
        found.restype = ctypes.c_uint8
        return found

    def take(self, name, *arguments):
        """Take a step; return the number of the status."""
        return self.entries[name](self.memory, *map(ctypes.c_uint64, arguments))

    def cut(self, now=0):
        """Take steps of the cut under way until it is complete or refused; return the number of the last status."""
        return self.library.finish_cut(self.memory, ctypes.c_uint64(now)) & 0xFF

    def read(self, *path):
        """Return a scalar of the state."""
        type_, at = PLACEMENT.state, offset_of(PLACEMENT.state, path)
        for part in path:
            type_ = type_.element if isinstance(part, int) else type_.fields[part]
        assert is_scalar(type_), path
        return int.from_bytes(self.memory[at : at + size_of(type_)], "little")

    def seconds(self, times):
        """Return the seconds of some cuts of the whole graph."""
        return self.library.time_cuts(self.memory, ctypes.c_uint32(times)) / 1e9


def filled(count, weights):
    """Return the component with nodes in one partition, and weights of pairs, in the units in which it keeps them."""
    placed = Placed()
    for n in range(count):
        assert placed.take("add_node", n, 0) == 0
    for (n, m), weight in weights.items():
        assert placed.take("set_weight", n, m, weight << FRACTION) == 0
    return placed


def complete(count):
    """Return random weights for all pairs of some nodes."""
    chosen = random.Random(SEED)
    return {(n, m): chosen.randrange(1, HEAVIEST) for n in range(count) for m in range(n)}


def least_cut(count, weights):
    """Return the value of the least cut of a graph, from networkx; nothing crosses between parts of a graph."""
    import networkx  # only the comparison needs this

    graph = networkx.Graph()
    graph.add_nodes_from(range(count))
    graph.add_weighted_edges_from((n, m, weight) for (n, m), weight in weights.items() if weight)
    return networkx.stoer_wagner(graph)[0] if networkx.is_connected(graph) else 0


def main():
    """Measure and print; return 1 if a limit is passed."""
    table, console, holds = Table("complete graph", "µs", "limit", "networkx takes"), Console(), True
    for count, limit in LIMITS.items():
        weights = complete(count)
        placed = filled(count, weights)
        median = statistics.median(placed.seconds(TIMES) / TIMES for _ in range(TURNS))
        start = time.perf_counter()
        least_cut(count, weights)
        other = time.perf_counter() - start
        figure = Figure(f"K{count}", median * 1e6, "µs", limit)
        holds &= figure.holds
        told = f"{limit}" if limit else f"{CUT_TIME / 1000}, or it is given up"
        table.add_row(figure.name, f"{figure.value:.1f}", told, f"{other / median:.0f} times as long")
    console.print(table)
    return int(not holds)


if __name__ == "__main__":
    raise SystemExit(main())
