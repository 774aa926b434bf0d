"""How does the cost of an input grow with its size, at each entry? The worst inputs of a search are made larger."""

import io
import json
import math
import random
import time
from dataclasses import dataclass
from typing import Any

from rich.console import Console
from rich.table import Table

from corollary import Instance, Limits, Module
from corollary.bench import costs, plot
from corollary.bench.inputs import KEY, LOGS, MODULES, Log, Parts, made
from corollary.codegen.build import BUILD
from corollary.codegen.folders import write_whole
from corollary.codegen.progress import bar
from corollary.inspection import describe as inspected
from corollary.record.audit import audit, describe
from corollary.spec.wasm.refusals import Refusal

WIDE = Limits(tables=1000, elements=1 << 24)
RESULT = BUILD / "costs.json"
COUNT, SMALLEST = 1500, 2048  # entries of the smallest input of a curve, and bytes of the smallest module
SIZES = (1, 2, 4, 8, 16, 32)  # and the multiples that the others have
TRIES, SEED = 12, 1
PLACE, WIDTH, HEIGHT, LEGEND = 70, 620, 420, 230


def instantiating(binary):
    """Return an action that makes an instance."""
    loaded = Module(binary, WIDE)
    return lambda: Instance(loaded, limits=WIDE)


def keeping(binary):
    """Return an action that saves an instance."""
    return lambda instance=Instance(binary, limits=WIDE): instance.snapshot(KEY)


def restoring(binary):
    """Return an action that restores an instance."""
    loaded = Module(binary, WIDE)
    kept = Instance(loaded, limits=WIDE).snapshot(KEY)
    return lambda: Instance.restore(loaded, kept, KEY, limits=WIDE)


def inspecting(binary):
    """Return an action that describes a module."""
    return lambda: [len(line) for line in inspected(binary)]


def auditing(log):
    """Return an action that audits a log: it checks all seals and describes every record."""
    return lambda: audit(io.BytesIO(log), KEY, on_record=describe)


@dataclass(frozen=True)
class Entry:
    """An entry to the system, and what its inputs are made of."""

    name: str
    prepare: Any  # an input -> the action to measure
    whole: type = Parts
    families: tuple = MODULES
    small: int = COUNT  # entries of a small input: each may take long

    def input(self, mixture, count):
        """Return an input from a mixture of families, with `count` entries in all."""
        return made(self.whole, mixture, count)


ENTRIES = (
    Entry("instantiate", instantiating),
    Entry("keep", keeping),
    Entry("bring back", restoring),
    Entry("inspect", inspecting),
    Entry("audit", auditing, Log, LOGS, 200),
)


def seconds(perform):
    """Return the least processor time of several runs of an action: other work of the machine makes the rest slower."""
    found = []
    while len(found) < 2 or (len(found) < 4 and sum(found) < 0.02):
        start = time.process_time()
        perform()
        found.append(time.process_time() - start)
    return min(found)


def changed(mixture, families, chosen):
    """Return another mixture: one family more, or two of the present ones."""
    if len(mixture) < 3 or chosen.random() < 0.5:
        return [*mixture, chosen.choice(families)]
    return chosen.sample(mixture, 2)


def search(entry, price, tries, seed=SEED):
    """Return `(price, mixture)` of the worst input: try each family alone, then changes of the worst so far."""
    chosen, worst = random.Random(f"{seed} {entry.name}"), (0, [])
    queue = [[family] for family in entry.families]
    for turn in range(len(queue) + tries):
        other = queue[turn] if turn < len(queue) else changed(worst[1], entry.families, chosen)
        worst = max(worst, (price(other), other), key=lambda found: found[0])
    return worst


# ---- curves


@dataclass(frozen=True)
class Curve:
    """The cost of an entry's worst inputs: `points` are `(bytes, cost)`, from the smallest to the largest."""

    entry: str
    unit: str
    input: str
    points: tuple

    @property
    def exponent(self):
        """The power of the size that the cost grows with, by least squares: 1 means in proportion."""
        xs, ys = ([math.log(value) for value in values] for values in zip(*self.points))
        x, y = sum(xs) / len(xs), sum(ys) / len(ys)
        return sum((one - x) * (other - y) for one, other in zip(xs, ys)) / sum((one - x) ** 2 for one in xs)

    @property
    def per_byte(self):
        """The cost of a byte of the largest input."""
        size, cost = self.points[-1]
        return cost / size

    @property
    def relative(self):
        """The points as multiples of the first."""
        (size, cost), *_ = self.points
        return [(x / size, y / cost) for x, y in self.points]


def of_pass(name, tries):
    """Return the curve of a pass over a module, in steps, for the kind of module that costs it the most.

    Refused modules do not count, because they cost less for each byte, the larger they are.
    """
    searched = [costs.worst(kind, tries) for kind in costs.KINDS]
    taken = [worst for worst in searched if worst.large.refusal is Refusal.NONE]
    found = max(taken, key=lambda worst: worst.large.steps[name] / worst.large.size)
    prices = [costs.cost(costs.KINDS[found.kind](times * SMALLEST, *found.numbers)) for times in SIZES]
    return Curve(name, "steps", found.kind, tuple((price.size, price.steps[name]) for price in prices))


def of_entry(entry, tries):
    """Return the curve of another entry, in nanoseconds of processor time, for the mixture that costs it the most."""

    def measured(mixture, count):
        data = entry.input(mixture, count)
        return len(data), 1e9 * seconds(entry.prepare(data))

    def price(mixture):
        size, cost = measured(mixture, SIZES[2] * COUNT)
        return cost / size

    _, mixture = search(entry, price, tries)
    return Curve(
        entry.name,
        "ns",
        ", ".join(family.__name__.strip("_") for family in mixture),
        tuple(measured(mixture, times * COUNT) for times in SIZES),
    )


def curves(tries=TRIES):
    """Yield a curve for each entry."""
    yield from (of_pass(name, tries) for name in costs.PASSES)
    yield from (of_entry(entry, tries) for entry in ENTRIES)


def draw(found):
    """Return the SVG text of curves on logarithmic axes, relative to the smallest input, with a line for proportion."""
    most = max(value for curve in found for point in curve.relative for value in point)

    def at(x, y):
        return PLACE + WIDTH * math.log(x) / math.log(most), PLACE + HEIGHT * (1 - math.log(max(y, 1)) / math.log(most))

    drawn = [
        {
            "entry": curve.entry,
            "points": [at(*point) for point in curve.relative],
            "colour": plot.COLOURS[number % len(plot.COLOURS)],
            "dashed": number >= len(plot.COLOURS),
            "text": f"power {curve.exponent:.2f}, {curve.per_byte:.0f} {curve.unit} a byte",
        }
        for number, curve in enumerate(found)
    ]
    ticks = [(*at(2**power, 2**power), 2**power) for power in range(int(math.log2(most)) + 1)]
    return plot.ENVIRONMENT.get_template("costs.svg.j2").render(
        curves=drawn,
        ticks=ticks,
        line=(at(1, 1), at(most, most)),
        place=PLACE,
        right=PLACE + WIDTH,
        bottom=PLACE + HEIGHT,
        width=PLACE + WIDTH + LEGEND,
        height=HEIGHT + 2 * PLACE,
    )


def as_data(curve):
    """Return a curve as data."""
    return {
        "entry": curve.entry,
        "unit": curve.unit,
        "input": curve.input,
        "points": [{"bytes": size, "cost": cost} for size, cost in curve.points],
        "cost_a_byte": curve.per_byte,
        "power_of_the_size": curve.exponent,
    }


def main(tries=TRIES, console=Console(), target=RESULT, searched=costs.TRIES):
    """Print, draw and write what the worst input of each kind and of each entry costs; return the exit code."""
    with bar(console) as progress:
        task = progress.add_task("inputs", total=len(costs.KINDS) + len(costs.PASSES) + len(ENTRIES))
        rows = [counted(costs.worst(kind, searched), progress, task) for kind in costs.KINDS]
        found = [counted(curve, progress, task) for curve in curves(tries)]
    costs.show(rows, console)
    show(found, console)
    write_whole(target, json.dumps({"kinds": [*map(costs.as_data, rows)], "curves": [*map(as_data, found)]}, indent=1))
    picture = target.with_suffix(".svg")
    write_whole(picture, draw(found))
    console.print(f"Cost against size: {picture}", soft_wrap=True)
    return 0


def counted(found, progress, task):
    """Return what was found, and count it."""
    progress.advance(task)
    return found


def show(found, console):
    """Print a table of curves."""
    table = Table("entry", "worst input", "bytes of the largest", "cost of a byte", "power of the size")
    for curve in found:
        size, price = str(curve.points[-1][0]), f"{curve.per_byte:.1f} {curve.unit}"
        table.add_row(curve.entry, curve.input, size, price, f"{curve.exponent:.2f}")
    console.print(table)
