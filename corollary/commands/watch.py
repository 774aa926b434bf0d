"""What does a witness log tell right now? Tables for people, which follow a log that grows, and the same as data.

A table is a `View`: what to show one more of is one more row of `VIEWS`.
"""

import sys
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict, dataclass

from rich import box
from rich.console import Console, Group
from rich.live import Live
from rich.table import Table
from rich.text import Text

from corollary.record import fading
from corollary.record.audit import what_of
from corollary.record.facts import Facts
from corollary.record.follow import Log
from corollary.spec.agent import Life
from corollary.spec.kernel.limits import SECOND
from corollary.spec.kernel.packed import BadgeParts
from corollary.spec.kernel.vocabulary import PartitionState, Status

ROOMY = 100  # columns from which a table shows all it has
SIDE_BY_SIDE = 150  # columns from which tables stand beside each other
AROUND = 4  # lines that a table takes besides its rows: title, headings, rule, and how many more rows there are
LEAST = AROUND + 1  # lines of a table with one row
BETWEEN = 3  # columns between those of a table
WORD = 8  # bytes
UNKNOWN = "?"  # what the log does not tell
ABSENT = (PartitionState.VACANT, PartitionState.DESTROYED)


@dataclass(frozen=True)
class Column:
    """A column of a table: its heading, and the text of a cell, from the facts, a number and a row."""

    heading: str
    cell: Callable
    roomy: bool = False  # left out where there is little room
    left: bool = False  # texts stand on the left, numbers on the right
    gives_way: bool = False  # is cut where there is little room


@dataclass(frozen=True)
class View:
    """A table: its title, its rows as pairs of a number and what is told of it, and its columns."""

    title: str
    rows: Callable
    columns: tuple
    rank: int  # the greater, the sooner it is left out where there are too few lines
    beside: bool = False  # on the right, where tables stand beside each other
    below: bool = False  # below all others, as wide as the terminal


def word(value):
    """Return a value as text: an enumerator by its name, and what is not told as a question mark."""
    return UNKNOWN if value is None else getattr(value, "name", str(value))


def seconds(ns):
    """Return a time as text, in seconds."""
    return UNKNOWN if ns is None else f"{ns / SECOND:.6f}"


def from_to(row):
    """Return who sent last, and who received last."""
    return f"{word(row.source)} → {word(row.target)}"


def with_end(number, row):
    """Return the number of an object, and whether it has ended."""
    return word(number) + (" ended" if row.exists is False else "")


def weight(facts, row):
    """Return the weight of an edge now, in units of traffic."""
    return fading.units(row.weight.at(facts.epoch or 0))


def by_weight(facts):
    """Return the edges, the heaviest first; those that have ended come last."""
    return sorted(
        facts.edges.items(), key=lambda each: (each[1].exists is False, -weight(facts, each[1]), each[0] or 0)
    )


def by_presence(facts):
    """Return the partitions by number; those that are absent come last."""
    return sorted(facts.partitions.items(), key=lambda each: (each[1].state in ABSENT, each[0]))


def by_end(facts):
    """Return the notifications by number; those that have ended come last."""
    return sorted(facts.notifications.items(), key=lambda each: (each[1].exists is False, each[0] or 0))


def by_life(facts):
    """Return the agents by row; those that have ended come last."""
    return sorted(facts.agents.items(), key=lambda each: (each[1].life == Life.TERMINATED, each[0]))


def child_of(row):
    """Return the row of the agent that made one; a dash if none did."""
    return "–" if row.parent == 0 else UNKNOWN if row.parent is None else str(BadgeParts(row.parent).agent)


def module_of(row):
    """Return the first digits of the SHA-256 of an agent's module."""
    return UNKNOWN if row.module is None else row.module.to_bytes(WORD, "little").hex()


def total(row, name):
    """Return how often an agent did something."""
    return UNKNOWN if row.meters is None else str(row.meters[name].total)


def by_unit(facts):
    """Return the blocks in their order."""
    return sorted(facts.blocks.items())


def by_status(facts):
    """Return how many calls each partition was refused, by status, the most frequent first."""
    found = {}
    for p, row in facts.partitions.items():
        for status, count in row.refused.items():
            found.setdefault(status, Counter())[p] = count
    return sorted(found.items(), key=lambda each: -each[1].total())


def by_tier(facts):
    """Return the calls of each tier of proof that was asked for."""
    return [(tier, counts) for tier, counts in facts.tiers.items() if counts]


def newest_first(facts):
    """Return the latest refused calls."""
    return [(record.actor, record) for record in reversed(facts.latest)]


def why(status):
    """Return what a status means, as far as its name does not say it."""
    return Status.notes.get(Status(status).name, "")


VIEWS = (
    View(
        "Partitions",
        by_presence,
        (
            Column("no", lambda facts, number, row: word(number)),
            Column("state", lambda facts, number, row: word(row.state), left=True),
            Column("ring", lambda facts, number, row: word(row.ring), left=True),
            Column("of", lambda facts, number, row: word(row.creator)),
            Column("records", lambda facts, number, row: word(row.records)),
            Column("refused", lambda facts, number, row: word(row.refused.total())),
            Column("no room", lambda facts, number, row: word(row.unrecorded)),
            Column("faults", lambda facts, number, row: word(row.faults)),
            Column("failure", lambda facts, number, row: word(row.failure), roomy=True, left=True),
            Column("last seen, s", lambda facts, number, row: seconds(row.last), roomy=True),
        ),
        rank=0,
    ),
    View(
        "Agents",
        by_life,
        (
            Column("no", lambda facts, number, row: word(number)),
            Column("state", lambda facts, number, row: word(row.life), left=True),
            Column("in", lambda facts, number, row: word(row.partition)),
            Column("of", lambda facts, number, row: child_of(row)),
            Column("module", lambda facts, number, row: module_of(row), left=True),
            Column("calls", lambda facts, number, row: total(row, "calls"), roomy=True),
            Column("messages", lambda facts, number, row: total(row, "messages"), roomy=True),
            Column("measured, B", lambda facts, number, row: word(row.measured), roomy=True),
            Column("last seen, s", lambda facts, number, row: seconds(row.last), roomy=True),
        ),
        rank=1,
    ),
    View(
        "Edges",
        by_weight,
        (
            Column("no", lambda facts, number, row: with_end(number, row)),
            Column("last from → to", lambda facts, number, row: from_to(row), left=True),
            Column("messages", lambda facts, number, row: word(row.sent)),
            Column("received", lambda facts, number, row: word(row.received)),
            Column("carried", lambda facts, number, row: word(row.carried)),
            Column("weight", lambda facts, number, row: f"{weight(facts, row):.3f}"),
            Column("made by", lambda facts, number, row: word(row.maker), roomy=True),
            Column("last seen, s", lambda facts, number, row: seconds(row.last), roomy=True),
        ),
        rank=2,
        beside=True,
    ),
    View(
        "Notifications",
        by_end,
        (
            Column("no", lambda facts, number, row: with_end(number, row)),
            Column("last from → to", lambda facts, number, row: from_to(row), left=True),
            Column("signals", lambda facts, number, row: word(row.signals)),
            Column("bits set", lambda facts, number, row: UNKNOWN if row.bits is None else f"{row.bits:#x}"),
            Column("made by", lambda facts, number, row: word(row.maker), roomy=True),
            Column("last seen, s", lambda facts, number, row: seconds(row.last), roomy=True),
        ),
        rank=5,
        beside=True,
    ),
    View(
        "Blocks",
        by_unit,
        (
            Column("unit", lambda facts, number, row: word(number)),
            Column("tier", lambda facts, number, row: word(row.heat), left=True),
            Column("of", lambda facts, number, row: word(row.holder)),
            Column("use", lambda facts, number, row: word(row.use)),
            Column("last moved, s", lambda facts, number, row: seconds(row.last), roomy=True),
        ),
        rank=7,
        beside=True,
    ),
    View(
        "Tiers of proof",
        by_tier,
        (
            Column("tier", lambda facts, tier, counts: word(tier), left=True),
            Column("allowed", lambda facts, tier, counts: word(counts[Status.OK])),
            Column("refused", lambda facts, tier, counts: word(counts.total() - counts[Status.OK])),
        ),
        rank=6,
        beside=True,
    ),
    View(
        "Refused",
        by_status,
        (
            Column("status", lambda facts, status, counts: Status(status).name, left=True),
            Column("calls", lambda facts, status, counts: word(counts.total())),
            Column(
                "by partition",
                lambda facts, status, counts: ", ".join(f"{p}: {count}" for p, count in counts.most_common()),
                left=True,
                gives_way=True,
            ),
        ),
        rank=4,
    ),
    View(
        "Refused last",
        newest_first,
        (
            Column("at, s", lambda facts, number, record: seconds(record.time)),
            Column("no", lambda facts, number, record: word(number)),
            Column("status", lambda facts, number, record: Status(record.status).name, left=True),
            Column("call", lambda facts, number, record: what_of(record), left=True, gives_way=True),
            Column("why", lambda facts, number, record: why(record.status), roomy=True, left=True, gives_way=True),
        ),
        rank=3,
        below=True,
    ),
)


# ---- tables


def drawn(view, facts, columns, most):
    """Return a table that is so many columns wide, with so many rows at most (None: all); it has at least one."""
    rows = view.rows(facts)
    shown = rows[:most]
    more = f"and {len(rows) - len(shown)} more" if len(shown) < len(rows) else " "
    table = Table(title=view.title, caption=more, title_justify="left", caption_justify="left", title_style="bold")
    table.box, table.show_edge, table.pad_edge = box.SIMPLE_HEAD, False, False
    chosen = [column for column in view.columns if columns >= ROOMY or not column.roomy]
    cells = [[column.cell(facts, number, row) for column in chosen] for number, row in shown]
    for column, width in zip(chosen, widths(chosen, cells, columns)):
        side = "left" if column.left else "right"
        table.add_column(column.heading, justify=side, no_wrap=True, overflow="ellipsis", width=width)
    for texts in cells:
        table.add_row(*map(Text, texts))
    return table


def widths(chosen, cells, columns):
    """Return how wide each column is: as its widest cell, unless it gives way because there is no more room."""
    needs = [max(map(len, [column.heading, *texts])) for column, texts in zip(chosen, zip(*cells))]
    fixed = sum(need for column, need in zip(chosen, needs) if not column.gives_way)
    room = max(0, columns - fixed - BETWEEN * (len(chosen) - 1))
    given = iter(shares([need for column, need in zip(chosen, needs) if column.gives_way], room))
    return [next(given) if column.gives_way else need for column, need in zip(chosen, needs)]


def shares(needs, room):
    """Return what each gets of some room: what it needs, or else an equal share of what the others leave."""
    given = [0] * len(needs)
    for place, index in enumerate(sorted(range(len(needs)), key=lambda each: needs[each])):
        given[index] = min(needs[index], max(1, room // (len(needs) - place)))
        room -= given[index]
    return given


def stacked(views, facts, columns, lines):
    """Return tables below one another, in so many lines (None: in as many as they need).

    If there are too few lines, some tables are left out by their rank, and named.
    """
    views = [view for view in views if view.rows(facts)]
    if lines is None:
        return Group(*(drawn(view, facts, columns, None) for view in views))
    kept = views if lines >= LEAST * len(views) else sorted(views, key=by_rank)[: max(1, (lines - 1) // LEAST)]
    left_out = [view.title for view in views if view not in kept]
    kept = [view for view in views if view in kept]
    rows = shares([len(view.rows(facts)) for view in kept], max(0, lines - AROUND * len(kept) - bool(left_out)))
    note = [Text(f"in a taller terminal: {', '.join(left_out)}", no_wrap=True)] if left_out else []
    return Group(*(drawn(view, facts, columns, most) for view, most in zip(kept, rows)), *note)


def by_rank(view):
    """Return the rank of a table."""
    return view.rank


def tables(facts, columns, lines):
    """Return all tables in a terminal that has so many columns and lines left."""
    if columns < SIDE_BY_SIDE:
        return stacked(VIEWS, facts, columns, lines)
    below = [view for view in VIEWS if view.below]
    sides = [[view for view in VIEWS if view.beside == side and not view.below] for side in (False, True)]
    last = None if lines is None else max(LEAST, lines // 4)
    grid = Table.grid(padding=(0, 3))
    grid.add_row(*(stacked(side, facts, columns // 2, lines and lines - last) for side in sides))
    return Group(grid, stacked(below, facts, columns, last))


def heading(log, facts):
    """Yield the lines above the tables: how far the log is good, and what is waited for."""
    verdict = log.verdict
    yield Text(f"{log.path}")
    yield Text(f"{facts.records} records, the last at {seconds(facts.time)} s, epoch {word(facts.epoch)}")
    if not verdict.good:
        yield Text(f"BAD: {verdict.fault}", style="bold red")
    elif log.over:
        yield Text(f"GOOD: the log has ended; SHA-256 of the log {verdict.head.hex()}", style="green")
    else:
        half = f"; {log.waiting} bytes of the next one are there" if log.waiting else ""
        yield Text(f"good so far: more records may come{half}", style="green")
    if verdict.begins:
        yield Text(f"it begins at a checkpoint, with record {verdict.begins}: {UNKNOWN} is what it does not tell")
    if log.trusts_links:
        yield Text("links are taken on trust: only checkpoints and the end are compared", style="yellow")
    if verdict.sealed:
        yield Text(f"the key vouches for the records before {verdict.vouched}")


def picture(log, facts, console, limited):
    """Return all that is shown, cut to the lines of the terminal if it is `limited`."""
    lines = [*heading(log, facts)]
    taken = sum(len(line.wrap(console, console.width)) for line in lines) + 2  # an empty line, and one for the cursor
    left = max(0, console.height - taken) if limited else None
    return Group(*lines, Text(), tables(facts, console.width, left))


# ---- following


def is_terminal(console):
    """Is there somebody who sees a picture change?"""
    return sys.stdout.isatty() and not console.is_dumb_terminal


def read(log, facts):
    """Fold in all that is in the log."""
    for record in log.records():
        facts.take(record)


def follow(log, facts, console, interval):
    """Show the log until it ends or is found bad, with a look at the file every so many seconds."""
    with Live(console=console, auto_refresh=False, vertical_overflow="crop") as live:

        def show(limited=True):
            live.update(picture(log, facts, console, limited), refresh=True)

        while not log.over:
            due = time.monotonic() + interval
            for record in log.records():
                facts.take(record)
                if time.monotonic() >= due:  # a long log is shown while it is read
                    show()
                    due = time.monotonic() + interval
            show()
            if not log.over:
                time.sleep(max(0.0, due - time.monotonic()))
        show(limited=False)


def watch(path, key, trust_links, interval, once, silent):
    """Watch a log in the terminal, or print once what it tells; return the log and the facts, or print nothing.

    Raises `OSError` and `corollary.record.witness_log.BadLog` when the file cannot be watched at all.
    """
    console = Console()
    with Log(path, key, trust_links) as log:
        facts = Facts(log.verdict)
        if silent or once or not is_terminal(console):
            read(log, facts)
            if not silent:
                console.print(picture(log, facts, console, limited=False))
        else:
            follow(log, facts, console, interval)
        return log, facts


def wait_for(path, interval):
    """Return once there is such a file."""
    while not path.exists():
        time.sleep(interval)


# ---- data


def named(counts):
    """Return counts by status, with the names of the statuses."""
    return {Status(status).name: count for status, count in counts.items()}


def name_of(value):
    """Return the name of an enumerator; None for what is not told."""
    return None if value is None else value.name


def as_data(log, facts):
    """Return all that the log tells as data; None is what it does not tell."""
    verdict = log.verdict
    return {
        "log": {
            "good": verdict.good,
            "fault": verdict.fault,
            "ended": log.auditor.ended,
            "links_checked": not log.trusts_links,
            "records": verdict.records,
            "begins": verdict.begins,
            "waiting": log.waiting,
            "sealed": verdict.sealed,
            "vouched": verdict.vouched,
            "time": facts.time,
            "epoch": facts.epoch,
        },
        "partitions": [
            {
                "partition": number,
                "state": name_of(row.state),
                "ring": name_of(row.ring),
                "creator": row.creator,
                "records": row.records,
                "refused": named(row.refused),
                "unrecorded": row.unrecorded,
                "faults": row.faults,
                "failure": name_of(row.failure),
                "last": row.last,
            }
            for number, row in by_presence(facts)
        ],
        "agents": [
            {
                "agent": number,
                "state": name_of(row.life),
                "partition": row.partition,
                "badge": row.badge,
                "parent": row.parent,
                "measured": row.measured,
                "module": None if row.module is None else module_of(row),
                "meters": {name: asdict(meter) for name, meter in (row.meters or {}).items()},
                "last": row.last,
            }
            for number, row in by_life(facts)
        ],
        "edges": [
            {
                "edge": number,
                "exists": row.exists,
                "maker": row.maker,
                "source": row.source,
                "target": row.target,
                "sent": row.sent,
                "received": row.received,
                "carried": row.carried,
                "weight": weight(facts, row),
                "last": row.last,
            }
            for number, row in by_weight(facts)
        ],
        "notifications": [
            {
                "notification": number,
                "exists": row.exists,
                "maker": row.maker,
                "source": row.source,
                "target": row.target,
                "signals": row.signals,
                "bits": row.bits,
                "last": row.last,
            }
            for number, row in by_end(facts)
        ],
        "blocks": [
            {"unit": number, "tier": name_of(row.heat), "holder": row.holder, "use": row.use, "last": row.last}
            for number, row in by_unit(facts)
        ],
        "tiers": {tier.name: named(counts) for tier, counts in by_tier(facts)},
        "refused_last": [
            {
                "record": record.sequence,
                "time": record.time,
                "partition": record.actor,
                "status": Status(record.status).name,
                "call": what_of(record),
                "why": why(record.status),
            }
            for _, record in newest_first(facts)
        ],
    }
