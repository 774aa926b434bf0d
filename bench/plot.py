"""How do the engines compare at a glance? Bars on a logarithmic scale.

A bar to the right of the peer's line means slower, a bar to the left faster.
"""

import math
from pathlib import Path

import jinja2

ENVIRONMENT = jinja2.Environment(
    loader=jinja2.FileSystemLoader(Path(__file__).parent / "templates"),
    autoescape=True,
    trim_blocks=True,
    lstrip_blocks=True,
    undefined=jinja2.StrictUndefined,
)
COLOURS = (
    "#5d6878",
    "#3557d6",
    "#d9822b",
    "#1f8a4c",
    "#a33ea1",
    "#c9302c",
)  # of the engines in order, repeated if there are more
LEFT, WIDTH, RIGHT = 150, 720, 30
TOP, LINE, BAR, GAP = 96, 18, 14, 14
ROOM = 1.5  # factor beyond the longest and shortest bars, for their figures
STEPS = (1, 2, 5)


def draw(data):
    """Return the SVG text of a result of `corollary.bench.measure`, compared with its first peer."""
    base, shown = next(iter(data["ratios"].items()))
    groups = [
        *(
            (program["program"], {name: found["programs"][program["program"]] for name, found in shown.items()})
            for program in data["programs"]
        ),
        ("geometric mean", {name: found["geometric_mean"] for name, found in shown.items()}),
    ]
    low, high = span([ratio for _, found in groups for ratio in found.values()])
    colours = {name: COLOURS[number % len(COLOURS)] for number, name in enumerate(data["engines"])}
    rows, bottom = laid_out(groups, base, colours, low, high)
    legend = [
        {"x": LEFT + number * WIDTH / len(colours), "name": name, "version": data["engines"][name], "colour": colour}
        for number, (name, colour) in enumerate(colours.items())
    ]
    return ENVIRONMENT.get_template("bench.svg.j2").render(
        base=base,
        rows=rows,
        legend=legend,
        top=TOP,
        bottom=bottom,
        line=position(1, low, high),
        left=LEFT,
        bar=BAR,
        ticks=[(position(tick, low, high), f"{tick:g}") for tick in ticks(low, high)],
        width=LEFT + WIDTH + RIGHT,
        height=bottom + 2 * LINE,
    )


def laid_out(groups, base, colours, low, high):
    """Return the groups of bars with their positions, and the position after the last."""
    rows, y = [], TOP
    for title, found in groups:
        bars = [(name, ratio) for name, ratio in found.items() if name != base]
        rows.append(
            {
                "title": title,
                "y": y + (len(bars) * LINE - LINE + BAR) / 2,
                "bars": [
                    placed(name, ratio, y + number * LINE, colours[name], low, high)
                    for number, (name, ratio) in enumerate(bars)
                ],
            }
        )
        y += max(1, len(bars)) * LINE + GAP
    return rows, y


def placed(name, ratio, y, colour, low, high):
    """Return one bar: it goes from the peer's line to its ratio, with the figure beyond it."""
    end, line = position(ratio, low, high), position(1, low, high)
    return {
        "name": name,
        "y": y,
        "x": min(end, line),
        "width": abs(end - line),
        "end": end,
        "slower": ratio >= 1,
        "text": f"{ratio:.2f}",
        "colour": colour,
    }


def span(ratios):
    """Return the least and the greatest ratio that the picture has room for."""
    return min([1, *ratios]) / ROOM, max([1, *ratios]) * ROOM


def position(ratio, low, high):
    """Return the position of a ratio on the logarithmic scale."""
    return LEFT + WIDTH * math.log(ratio / low) / math.log(high / low)


def ticks(low, high):
    """Return the marks of the scale: 1, 2 and 5 times the powers of ten."""
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    return [step * 10.0**power for power in powers for step in STEPS if low <= step * 10.0**power <= high]
