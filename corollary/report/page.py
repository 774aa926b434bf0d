"""What is proved, what is trusted, and what is each about? Pages that link to each other show it, without a network.

`index.html` has the whole picture. Every thing with obligations and every promise has a page of its own, on which each
obligation can be opened and linked to. `search.js` lists all of them for the search, which every page has.
"""

import io
import json
import re
import subprocess
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path

import jinja2
from markupsafe import Markup, escape
from rich.console import Console

from corollary.codegen.folders import ROOT, write_whole
from corollary.emulation.count import Counted
from corollary.model import components
from corollary.model.kernel.component import KERNEL
from corollary.model.kernel.gate import OPERATIONS
from corollary.proofs import outcome, secret, verify
from corollary.proofs.machine.obligations import built
from corollary.proofs.mutants.row import EQUIVALENT, SURVIVOR, UNSOUND, cross_examined, doubtful, tally
from corollary.report import component, covered, explain, ledger, measured, results, things, trend, trust
from corollary.report.source import code_style
from corollary.report.things import CODE, natural
from corollary.report.trust import LEVELS

BUILD = Path("build")
TARGET = BUILD / "report" / "index.html"
TEMPLATES = Path(__file__).parent / "templates"
PAGES = ("thing", "promise")  # the folders of pages beside the index
# steps that are no hypercalls
LAST = ("boot", "preempt", "contain", "guest_store", "device_write", "unknown_operation", "any state")
MACHINE = 4  # the level from which on obligations are about machine code
REACHES = "reachable"
OUTCOME = (outcome.CONDITION, outcome.EFFECT, outcome.SETTLED, secret.KEY)  # what each operation is asked by itself
PAPER = 100  # columns of a printed counterexample
STORIES = 60  # counterexamples in the report, at most; `corollary explain` shows the others


def write(target=TARGET, build=BUILD, old=None):
    """Write the report from the results under `build/`, and return the path of its index.

    `old` is an earlier result of `corollary verify`, as `results.verified` reads it: the report then says what changed.
    """
    found = Found(build, old)
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    environment.filters |= {
        "ticks": ticks,
        "link": things.link,
        "anchor": things.anchor,
        "slug": trust.slug,
        "path": things.path_of,
        "page": things.page_of,
    }
    environment.globals |= {"LEVELS": LEVELS, "promise_pages": {thing.name for thing in found.promises}}
    written = {
        target: environment.get_template("index.html.j2").render(root="", **found.values()),
        target.parent / "style.css": environment.get_template("style.css.j2").render(code_style=Markup(code_style())),
        target.parent / "page.js": (TEMPLATES / "page.js").read_text(),
        target.parent / "search.js": found.search(),
    }
    if found.mutants:
        written[target.parent / "mutants.html"] = environment.get_template("mutants.html.j2").render(
            root="", mutants=found.mutants, ids=found.by_id, mutants_outdated=found.mutants_outdated
        )
    template = environment.get_template("thing.html.j2")
    for thing in (*found.things, *found.promises):
        written[target.parent / thing.path] = template.render(
            root="../", thing=thing, stories=found.stories, ids=found.by_id, outdated=found.outdated
        )
    for path, text in written.items():
        write_whole(path, text)
    for each in components.BESIDE:
        component.write(each, target.parent / each.name / target.name)
    for path in (path for folder in PAGES for path in (target.parent / folder).glob("*.html") if path not in written):
        path.unlink()  # of an earlier report
    return target


def ticks(text):
    """Mark words between backticks as code."""
    return Markup(re.sub(r"`([^`]*)`", r"<code>\1</code>", str(escape(text))))


class Found:
    """All results under a folder, and what is made of them."""

    def __init__(self, build, old=None):
        self.verified = results.verified(build / "verify.json") or {"seconds": 0.0, "obligations": []}
        self.when = decided(build / "verify.json")
        self.rows = self.verified["obligations"]
        self.outdated = bool(self.rows) and verify.outdated(self.verified, KERNEL)
        tried, self.qemu = results.mutated(build / "mutants.json"), results.booted(build / "qemu.json")
        self.mutants = tried and tried["mutants"]
        self.mutants_outdated = bool(tried) and verify.outdated(tried, KERNEL)
        self.things = things.things(self.rows, self.mutants or ())
        self.promises = things.promises(self.rows, self.mutants or ())
        self.by_id = {row["id"]: row for row in self.rows}
        self.stories = {row["id"]: story(row) for row in [row for row in self.rows if row["counterexample"]][:STORIES]}
        self.trend = trend.between(old["obligations"], self.rows) if old else None

    def values(self):
        """Return everything that the index shows."""
        promised = [row for row in self.rows if row["level"] < MACHINE]
        columns, rows, mutants, listed, levels = (
            ordered_columns(promised),
            self.rows,
            self.mutants,
            ledger.rows(),
            level_counts(self.rows),
        )
        image = covered.sections(rows)
        return dict(
            rows=rows,
            counts=counts(rows),
            levels=levels,
            seconds=self.verified["seconds"],
            when=self.when,
            commit=None if self.outdated else commit(),
            outdated=self.outdated,
            image_sha256=any(row["property"] == CODE for row in rows) and self.verified.get("kernel_sha256"),
            stale=of_another_image(self.verified, self.qemu),
            trend=self.trend,
            trend_worse=self.trend and self.trend.worse,
            image=image,
            bytes_of=list(covered.totals(image)) if image else [],
            row_size=covered.ROW,
            row_height=covered.HEIGHT,
            trust=trust.picture(levels, listed),
            trust_wide=trust.WIDE,
            trust_line=trust.LINE,
            columns=columns,
            groups=grouped(columns),
            sentences=sentences(rows),
            matrix=matrix(promised, columns),
            red=[row for row in rows if row["result"] != "proved"],
            slowest=sorted(rows, key=lambda row: -row["seconds"])[:10],
            operations=operations(self.things, promised),
            asked=OUTCOME,
            components=[component.summary(each) for each in components.BESIDE],
            things=of_each_kind(self.things),
            promises=self.promises,
            bounds=bounds_beside(rows, self.qemu or {}),
            ledger=sorted(listed, key=lambda row: list(trust.UNDER).index(row.kind)),
            mutants=mutants,
            mutants_outdated=self.mutants_outdated,
            kills=kill_matrix(mutants or []),
            tally=tally(mutants or []),
            cross_examined=cross_examined(mutants or []),
            doubtful=doubtful(mutants or []),
            qemu={name: value for name, value in (self.qemu or {}).items() if name != "counted"},
        )

    def search(self):
        """Return what the search looks through, as a script.

        These are `[kind, name, path, what it is about, [[obligation, sentence], ...]]`. Sentences are numbers of a
        list.
        """
        said = {sentence: number for number, sentence in enumerate(dict.fromkeys(row["sentence"] for row in self.rows))}
        pages = [
            [
                thing.kind,
                thing.name,
                thing.path,
                thing.doc,
                [[row["id"], said[row["sentence"]]] for row in thing.rows] if thing.kind != things.PROMISE else [],
            ]
            for thing in (*self.things, *self.promises)
        ]
        believed = [
            ["trust ledger", row.name, f"index.html#ledger-{trust.slug(row.kind)}", f"{row.kind}: {row.reason}", []]
            for row in ledger.rows()
        ]
        data = {"sentences": list(said), "pages": pages + believed}
        return f"window.SEARCHED = {json.dumps(data, separators=(',', ':'))};\n"


def decided(path):
    """Return when a result was written, in UTC; None if there is none."""
    return datetime.fromtimestamp(path.stat().st_mtime, UTC).strftime("%Y-%m-%d %H:%M UTC") if path.exists() else None


def commit():
    """Return the commit that lies here, with `-dirty` if files differ from it; None where git cannot say."""
    if not (ROOT / ".git").exists():  # an installed package may lie in the repository of somebody else
        return None
    command = ["git", "describe", "--always", "--dirty", "--exclude=*"]
    try:
        return subprocess.check_output(command, cwd=ROOT, stderr=subprocess.DEVNULL, text=True).strip()
    except (OSError, subprocess.CalledProcessError):
        return None


def story(row):
    """Return the counterexample in words."""
    written = io.StringIO()
    paper = Console(file=written, width=PAPER, color_system=None)
    try:
        paper.print(explain.picture(row, explain.replayed(row["counterexample"])))
    except explain.Outdated as problem:
        return str(problem)
    return written.getvalue()


def of_another_image(verified, qemu):
    """Return the commands that ran with an image other than the one that the present sources make."""
    ran = {"make verify": verified.get("kernel_sha256"), "make qemu": (qemu or {}).get("image_sha256")}
    return [command for command, image in ran.items() if image is not None and image != built().sha256]


def counts(rows):
    """Count the obligations by result, with the number of all and of cached ones."""
    found = {result: sum(row["result"] == result for row in rows) for result in results.RESULTS}
    return found | {"all": len(rows), "cached": sum(row["cached"] for row in rows)}


def level_counts(rows):
    """Return the number of proved and of all obligations, by level."""
    return [
        {
            "level": level,
            "name": name,
            "all": sum(row["level"] == level for row in rows),
            "proved": sum(row["level"] == level and row["result"] == "proved" for row in rows),
        }
        for level, name in LEVELS.items()
    ]


def of_each_kind(found):
    """Return the things that are no operations by kind, in the order of kinds."""
    kinds = [kind for kind in things.KINDS if kind not in (things.OPERATION, things.PROMISE)]
    return [(kind, mine) for kind in kinds for mine in [[thing for thing in found if thing.kind == kind]] if mine]


# ---- the matrix


def ordered_columns(rows):
    """Return the properties in order: those that every step must satisfy, then by family and number."""
    first = ["well-formed", REACHES, "FRAME"]
    found = {row["property"] for row in rows}
    return [name for name in first if name in found] + sorted(found - set(first), key=natural)


def grouped(columns):
    """Return runs of columns of one family, as `[family, how many]`."""
    out = []
    for name in columns:
        family = name.split("-")[0] if "-" in name and name != "well-formed" else "step"
        if out and out[-1][0] == family:
            out[-1][1] += 1
        else:
            out.append([family, 1])
    return out


def matrix(rows, columns):
    """Return a line for each step: its name and a cell for each property."""
    cells = by_place(rows)
    names = sorted(
        {row["operation"] for row in rows}, key=lambda name: (LAST.index(name) + 1 if name in LAST else 0, name)
    )
    return [{"name": name, "cells": [cell(cells.get((name, column), [])) for column in columns]} for name in names]


def by_place(rows):
    """Return the obligations by step and property."""
    found = {}
    for row in rows:
        found.setdefault((row["operation"], row["property"]), []).append(row)
    return found


def sentences(rows):
    """Return what each property promises, if it promises the same for every step."""
    said = {}
    for row in rows:
        said.setdefault(row["property"], set()).add(row["sentence"])
    return {name: found.pop() for name, found in said.items() if len(found) == 1}


def cell(found):
    """Return what a cell shows: the worst result, and the first obligation that has it; None for no obligations."""
    if not found:
        return None
    result = things.worst(found)
    return {
        "result": result,
        "cached": all(row["cached"] for row in found),
        "count": len(found),
        "row": next(row for row in found if row["result"] == result),
    }


# ---- operations


def operations(found, rows):
    """Return each operation with what is asked of its success."""
    cells, pages = by_place(rows), {thing.name: thing for thing in found if thing.kind == things.OPERATION}
    return [
        {
            "thing": pages[declared.name],
            "never": declared.admin,
            "ring": declared.required_ring.name,
            "tier": declared.tier.name,
            "effect": effect and effect.sentence,
            "changes": effect.changes if effect else (),
            "cells": [cell(cells.get((declared.name, name), [])) for name in OUTCOME],
        }
        for declared in OPERATIONS
        for effect in [things.promises_of(declared)[1]]
    ]


def bounds_beside(rows, qemu):
    """Return each hypercall as measured under QEMU beside its bounds, and a summary of all functions.

    Returns None unless there are both bounds and measurements.
    """
    bounds = measured.proved(rows)
    if not bounds or "counted" not in qemu:
        return None
    counted = Counted.of(qemu["counted"])
    lines = measured.hypercalls(bounds, counted)
    functions = [line for line in measured.functions(bounds, counted) if line.instructions_proved is not None]
    return {
        "hypercalls": lines,
        "functions": functions,
        "silent": [line.name for line in lines if not line.runs],
        "exact": sum(line.exact for line in functions),
        "exceeded": [line.name for line in (*lines, *functions) if line.exceeded],
    }


# ---- mutants


def kill_matrix(mutants):
    """Return how the mutants of each operation ended: killed by what, proved equivalent, or alive."""
    ends = sorted({mutant.end for mutant in mutants}, key=lambda name: (name in (EQUIVALENT, SURVIVOR, UNSOUND), name))
    lines = []
    for operation in sorted({mutant.operation for mutant in mutants}):
        mine = [mutant.end for mutant in mutants if mutant.operation == operation]
        lines.append({"operation": operation, "counts": [mine.count(name) for name in ends], "all": len(mine)})
    return {
        "ends": ends,
        "colours": [{EQUIVALENT: "--soft", SURVIVOR: "--bad", UNSOUND: "--bad"}.get(name, "--good") for name in ends],
        "lines": lines,
    }


def summary(target, old=None, build=BUILD):
    """Return what the report says, for programs: where it is, the counts, and the trend from an earlier result."""
    verified = results.verified(build / "verify.json") or {"seconds": 0.0, "obligations": []}
    rows = verified["obligations"]
    return {
        "page": target.resolve().as_uri(),
        "counts": counts(rows),
        "levels": level_counts(rows),
        "trend": asdict(trend.between(old["obligations"], rows)) if old else None,
    }
