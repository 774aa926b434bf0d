"""What rests on what? From what one gets, over the levels of proof, to the kinds of things in the trust ledger."""

from collections import Counter
from dataclasses import dataclass

LEVELS = {
    1: "well-formed",
    2: "invariants",
    3: "theorems",
    4: "machine code",
    5: "platform",
    6: "constant time",
    7: "outside the steps",
}
ALL, RUNS = tuple(LEVELS), 0  # RUNS: no level, but that programs were run
CLAIMS = {
    "the kernel that runs keeps its promises": (1, 2, 3, 4, 5),
    "a check of a proof leaks no secret": (4, 6),
    "agents compute what WebAssembly says": (4, 7, RUNS),
}
"""What one gets, and the levels that together say so."""
UNDER = {
    "specification": ALL,
    "front end": ALL,
    "prover": ALL,
    "solver": ALL,
    "interpreter": ALL,
    "cache": ALL,
    "opaque function": (1, 2, 3, 4),
    "argument": (3, 4, RUNS),
    "model of events": (2, 3, 5),
    "declassification": (3,),
    "premise": (1, 4, 5),
    "composition": (4, 5),
    "processor description": (4, 5, 6),
    "hardware model": (3, 4, 5, 6),
    "hardware function": (5,),
    "function outside the proofs": (5,),
    "machine code that is not proved": (4,),
    "C library": (4,),
    "generated C": (RUNS,),
    "assembly": (5,),
    "platform C": (5,),
    "linker script": (5,),
    "generator": (5,),
    "emulator": (5, RUNS),
    "intrinsic functions": (4, 7, RUNS),
    "compiler": (RUNS,),
    "text parser": (RUNS,),
    "C of the VM": (4, RUNS),
    "C of the host": (RUNS,),
    "C of guests": (RUNS,),
    "library": (RUNS,),
    "secret": (RUNS,),
}
"""Which levels would say less if something of a kind of the ledger were not as it is believed to be."""
LINE, GAP, WIDE, COLUMN = (
    26,
    8,
    300,
    440,
)  # of the picture: a box and what is below it, its width, and from column to column


@dataclass(frozen=True)
class Box:
    """One thing in the picture. `about` is its number of rows or obligations, `link` where it leads."""

    key: str
    text: str
    about: str
    link: str
    style: str
    x: int
    y: int


@dataclass(frozen=True)
class Line:
    """That one box rests on another."""

    upper: str
    lower: str
    path: str


@dataclass(frozen=True)
class Picture:
    """All boxes, and the lines between them."""

    boxes: list
    lines: list

    @property
    def size(self):
        """Width and height."""
        return max(box.x for box in self.boxes) + WIDE, max(box.y for box in self.boxes) + LINE


def picture(counts, ledger):
    """Return the picture of trust from the counts of each level, as `page.level_counts` has them, and the ledger."""
    kinds = Counter(row.kind for row in ledger)
    order = sorted(kinds, key=lambda kind: list(UNDER).index(kind))
    claims = [(f"claim {text}", text, "", "", "claim") for text in CLAIMS]
    levels = [
        (f"level {count['level']}", count["name"], f"{count['proved']:,} of {count['all']:,}", "#matrix", state(count))
        for count in counts
    ]
    levels.append((f"level {RUNS}", "runs and tests", "", "#qemu", "runs"))
    bases = [(f"kind {kind}", kind, str(kinds[kind]), f"#ledger-{slug(kind)}", "base") for kind in order]
    columns = (claims, levels, bases)
    tall = max(map(len, columns)) * (LINE + GAP)
    boxes = {box.key: box for number, column in enumerate(columns) for box in placed(column, number * COLUMN, tall)}
    edges = [(f"claim {claim}", f"level {level}") for claim, under in CLAIMS.items() for level in under]
    edges += [(f"level {level}", f"kind {kind}") for kind in order for level in UNDER[kind]]
    return Picture(
        list(boxes.values()), [Line(upper, lower, curve(boxes[upper], boxes[lower])) for upper, lower in edges]
    )


def state(count):
    """Return how a level looks: good if all of it is proved, bad if not, neither if nothing was decided."""
    return "undecided" if not count["all"] else "good" if count["proved"] == count["all"] else "bad"


def slug(kind):
    """Return a kind of the ledger as the name of a place on the page."""
    return kind.lower().replace(" ", "-")


def placed(column, x, tall):
    """Yield the boxes of a column, evenly over the height of the picture."""
    step = tall / len(column)
    for number, box in enumerate(column):
        yield Box(*box, x=x, y=round(number * step + (step - LINE) / 2))


def curve(upper, lower):
    """Return the line between two boxes, as the path of an SVG."""
    start, end, above, below = upper.x + WIDE, lower.x, upper.y + LINE // 2, lower.y + LINE // 2
    middle = (start + end) // 2
    return f"M{start} {above}C{middle} {above} {middle} {below} {end} {below}"
