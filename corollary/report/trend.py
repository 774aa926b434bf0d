"""What has changed between two results of `corollary verify`?"""

from dataclasses import dataclass

from corollary.emulation.count import operation_symbols
from corollary.proofs.machine.bounds import Bounds, tells_of_paths
from corollary.report.things import CODE
from corollary.report.trust import LEVELS

SHOWN = 10  # obligations whose time changed most
LEAST = 0.5  # s: smaller changes of time are noise


@dataclass(frozen=True)
class Trend:
    """What is different in a result from an earlier one.

    Levels are `(level, name, proved before, all before, proved now, all now)`, results that differ `(id, before, now)`,
    times `(id, s before, s now)`, bounds `(operation, what, before, now)`, bytes `(kind, before, now)`.
    """

    levels: list
    results: list
    added: list
    gone: list
    times: list
    bounds: list
    bytes: list

    @property
    def worse(self):
        """The ids that were proved and are not any more."""
        return [id_ for id_, before, now in self.results if before == "proved"]


def between(old, new):
    """Return the `Trend` from the obligations of an earlier result to those of a later one."""
    before, now = ({row["id"]: row for row in rows} for rows in (old, new))
    both = sorted(before.keys() & now.keys())
    changed = [
        (id_, before[id_]["result"], now[id_]["result"]) for id_ in both if before[id_]["result"] != now[id_]["result"]
    ]
    return Trend(
        levels(old, new),
        changed,
        sorted(now.keys() - before.keys()),
        sorted(before.keys() - now.keys()),
        times(before, now, both),
        bounds(old, new),
        sizes(before, now),
    )


def levels(old, new):
    """Return each level that either result has, with what was and is proved."""
    found = [(level, name, *counted(old, level), *counted(new, level)) for level, name in LEVELS.items()]
    return [line for line in found if any(line[2:])]


def counted(rows, level):
    """Return how many obligations of a level are proved, and how many there are."""
    mine = [row["result"] for row in rows if row["level"] == level]
    return mine.count("proved"), len(mine)


def times(before, now, both):
    """Return the obligations that take noticeably longer or shorter, the largest change first."""
    found = [(id_, before[id_]["seconds"], now[id_]["seconds"]) for id_ in both]
    found.sort(key=lambda line: -abs(line[2] - line[1]))
    return [line for line in found[:SHOWN] if abs(line[2] - line[1]) >= LEAST]


def bounds(old, new):
    """Return the hypercalls whose longest call or deepest stack changed."""
    sides = [Bounds([row for row in rows if row["property"] == CODE and tells_of_paths(row)]) for rows in (old, new)]
    found = []
    for name, symbol in operation_symbols().items():
        for what, before, now in zip(("instructions", "stack"), *(side.hypercall(symbol) for side in sides)):
            found += [(name, what, before, now)] if before != now else []
    return found


def sizes(before, now):
    """Return the kinds of bytes of the image whose number changed, `(kind, bytes before, bytes now)`."""
    kinds = [rows.get(f"image/{CODE}-account", {}).get("figures", {}).get("kinds", {}) for rows in (before, now)]
    return (
        [
            (kind, kinds[0].get(kind, 0), kinds[1].get(kind, 0))
            for kind in {**kinds[0], **kinds[1]}
            if kinds[0].get(kind) != kinds[1].get(kind)
        ]
        if all(kinds)
        else []
    )


def told(trend):
    """Yield the trend in lines of text."""
    for level, name, proved, all_, now_proved, now_all in trend.levels:
        yield f"level {level}, {name}: {proved} of {all_} proved before, {now_proved} of {now_all} now"
    yield from (f"{before} -> {now}  {id_}" for id_, before, now in trend.results)
    yield f"{len(trend.added)} obligations are new, {len(trend.gone)} are gone"
    yield from (f"{before:.1f} s -> {now:.1f} s  {id_}" for id_, before, now in trend.times)
    yield from (f"{before} -> {now} {what}  {name}" for name, what, before, now in trend.bounds)
    yield from (f"{before} -> {now} bytes  {kind}" for kind, before, now in trend.bytes)
