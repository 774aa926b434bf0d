"""How long does an exact search among many vectors take, compared with a plain loop in C? Usage:

    python -m corollary.bench.vectors

Both take turns on the same vectors in one run, and must find the same. The same compiler translates both, with the same
flags. Seconds are processor time. The plain loop adds floats in the order in which they lie, one by one; the store has
several sums, but makes every NaN the same.
"""

import ctypes
import json
import random
from pathlib import Path

from rich.console import Console
from rich.table import Table

from corollary import vectors
from corollary.bench.compression import compared
from corollary.codegen import build
from corollary.codegen.folders import ROOT, write_whole
from corollary.spec.vectors.limits import ROWS
from corollary.spec.vectors.vocabulary import Element, Metric

RESULT, DRIVER = Path("build/vectors.json"), ROOT / "bench" / "drivers" / "vectors.c"
COUNT, DIMENSION, MOST, SEED = 4096, 256, 10, 1
FLAGS = (*build.VM_FLAGS, "-shared", "-fPIC")  # as the store is compiled, but visible
DRAW = {Element.I8: lambda chosen: chosen.randrange(-128, 128), Element.F32: lambda chosen: chosen.gauss(0, 1)}


class WrongAnswer(RuntimeError):
    """The two searches do not find the same."""


def plain():
    """Return the library with the plain loops."""
    digest = build.fingerprint([DRIVER], FLAGS, build.VECTORS)
    return ctypes.CDLL(str(build.linked(build.BUILD / "host" / f"plain-{digest}.so", [DRIVER], FLAGS)))


def measured(element):
    """Return the figures of vectors of one type; raises WrongAnswer."""
    chosen = random.Random(SEED)
    draw = [[DRAW[element](chosen) for _ in range(DIMENSION)] for _ in range(COUNT + 1)]
    store = vectors.VectorStore(DIMENSION, element, COUNT)
    for key, elements in enumerate(draw[1:]):
        store.put(key, elements)
    mine = [key for key, _ in store.nearest(draw[0], MOST)]
    query, rows = (store.format.pack(*draw[0]), b"".join(store.format.pack(*each) for each in draw[1:]))
    found, search = (ctypes.c_uint32 * MOST)(), getattr(plain(), f"nearest_{element.name.lower()}")

    def ours():
        store.do("begin_nearest", int(Metric.SQUARED))
        store.do("go_on", ROWS)

    def other():
        search(rows, query, COUNT, DIMENSION, MOST, found)

    other()
    if list(found) != mine:
        raise WrongAnswer(f"the plain loop finds {list(found)}, and the store {mine}")
    seconds, other_seconds = compared(ours, other)
    return {"seconds": seconds, "other seconds": other_seconds, "times as fast": other_seconds / seconds}


def main():
    """Measure, print and write."""
    data = {element.name: measured(element) for element in Element}
    write_whole(RESULT, json.dumps(data, indent=1))
    shown = Table("elements", "µs", "plain µs", "times as fast", title=f"{MOST} of {COUNT} of {DIMENSION} elements")
    for name, row in data.items():
        figures = (row["seconds"] * 1e6, row["other seconds"] * 1e6, row["times as fast"])
        shown.add_row(name, *(f"{figure:.2f}" if figure < 10 else f"{figure:.0f}" for figure in figures))
    Console().print(shown)


if __name__ == "__main__":
    main()
