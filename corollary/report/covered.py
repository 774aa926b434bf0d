"""Who answers for each byte of the image? Every loaded byte has its place in a picture, in the colour of its proof."""

from dataclasses import dataclass
from itertools import groupby

from corollary.proofs.machine import account
from corollary.proofs.machine.contracts import CONTRACTS
from corollary.proofs.machine.obligations import built
from corollary.report.things import CODE, page_of, path_of, worst

ROW = 1024  # bytes in a line of the picture
HEIGHT = 9  # of a line, where a byte is 1 wide
ANSWERS = {
    account.MODEL: "compared with the model",
    account.CONTRACT: "keep a contract",
    account.CONSTANTS: "read by proved code as the model's",
    account.TABLES: "walked for all addresses",
    account.PADDING: "is zero",
}


@dataclass(frozen=True)
class Piece:
    """Bytes that belong together: what they are, the obligations that speak for them, and where they lie.

    `result` is the worst result of these obligations, "" if none was decided.
    """

    kind: str
    name: str
    result: str
    size: int
    address: int
    outline: str
    page: str


@dataclass(frozen=True)
class Section:
    """A part of the image that is loaded as a whole."""

    address: int
    size: int
    pieces: list

    @property
    def lines(self):
        """The number of lines that it takes."""
        return -(-self.size // ROW)


def sections(rows):
    """Return the picture as `Section`s; None unless each byte is accounted for, and the rows tell of the image."""
    if f"image/{CODE}-account" not in {row["id"] for row in rows if row["result"] == "proved"}:
        return None
    image, mine = built(), {row["id"]: row for row in rows if row["level"] in (4, 5)}
    parts = account.Account(image).run()
    found = []
    for base, content, _ in image.sections:
        inside = [part for part in parts if base <= part.address < base + len(content)]
        found.append(Section(base, len(content), pieces(inside, base, mine)))
    return found


def pieces(parts, base, rows):
    """Return neighbours of one kind and name as one piece each."""
    return [
        piece(kind, name, list(group), base, rows)
        for (kind, name), group in groupby(parts, key=lambda part: (part.kind, part.name))
    ]


def piece(kind, name, parts, base, rows):
    """Return some bytes that follow each other as a piece."""
    first, end = parts[0].address, parts[-1].end
    speaking = [rows[id_] for id_ in speakers(kind, name) if id_ in rows]
    page = path_of(page_of(speaking[0]["operation"])) if speaking else ""
    return Piece(kind, name, worst(speaking), end - first, first, outline(first - base, end - base), page)


def speakers(kind, name):
    """Return the ids of the obligations that speak for bytes of a kind, with a name."""
    if kind == account.MODEL:
        return [f"{name}/{CODE}"]
    if kind == account.CONTRACT:
        return [f"{kept.name}/{CODE}" for kept in CONTRACTS.values() if name in (kept.function.symbol, *kept.follows)]
    return [f"image/{CODE}-{'translation' if kind == account.TABLES else 'account'}"]


def outline(first, end):
    """Return the outline of the bytes from `first` up to `end`, as the path of an SVG: a rectangle in each line."""
    boxes = []
    while first < end:
        line, column = divmod(first, ROW)
        width = min(end - first, ROW - column)
        lines = (end - first) // ROW if column == 0 and width == ROW else 1
        boxes.append(f"M{column} {line * HEIGHT}h{width}v{lines * HEIGHT - 1}h-{width}z")
        first += width if lines == 1 else lines * ROW
    return "".join(boxes)


def totals(found):
    """Return for each kind of bytes `(kind, what answers for them, bytes, bytes of which this is proved)`."""
    every = [piece for section in found for piece in section.pieces]
    for kind, answer in ANSWERS.items():
        mine = [piece for piece in every if piece.kind == kind]
        yield (
            kind,
            answer,
            sum(piece.size for piece in mine),
            sum(piece.size for piece in mine if piece.result == "proved"),
        )
