"""What is proved, what is trusted, and what is each about? One page shows it all, without a network."""

import inspect
import io
import json
import re
from dataclasses import asdict
from pathlib import Path

import jinja2
from markupsafe import Markup, escape
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import CLexer, PythonLexer
from rich.console import Console

from corollary.codegen.folders import ROOT, write_whole
from corollary.emulation.count import Counted
from corollary.language.frontend import translate
from corollary.model.kernel.gate import OPERATIONS
from corollary.model.kernel.promises import CONDITIONS, CONSERVED, COROLLARIES, EFFECTS, INVARIANTS, THEOREMS
from corollary.proofs import outcome, secret, verify
from corollary.proofs.machine.bounds import Bounds, tells_of_paths
from corollary.proofs.machine.contracts import CONTRACTS
from corollary.proofs.machine.lift import SIZE, instruction
from corollary.proofs.machine.obligations import built
from corollary.proofs.machine.summary import named
from corollary.proofs.mutants.row import EQUIVALENT, SURVIVOR, UNSOUND, cross_examined, doubtful, tally
from corollary.report import explain, ledger, measured, results

GENERATED = ROOT / "generated"
BUILD = Path("build")
TARGET = BUILD / "report" / "index.html"
TEMPLATES = Path(__file__).parent / "templates"
COLOURS = HtmlFormatter(nowrap=True)
LEVELS = {
    1: "well-formed",
    2: "invariants",
    3: "theorems",
    4: "machine code",
    5: "platform",
    6: "constant time",
    7: "outside the steps",
}
KINDS = (("invariant", INVARIANTS), ("conserved", CONSERVED), ("corollary", COROLLARIES), ("theorem", THEOREMS))
LAST = ("boot", "preempt", "contain", "guest_store", "unknown_operation", "any state")  # steps that are no hypercalls
MACHINE, PLATFORM = 4, 5  # the levels of machine code proofs: code from the model, code around it
CODE = "machine-code"  # the property of the image that ships
REACHES = "reachable"
OUTCOME = (outcome.CONDITION, outcome.EFFECT, outcome.SETTLED, secret.KEY)  # what each operation is asked by itself
PAPER = 100  # columns of a printed counterexample
STORIES = 60  # counterexamples on the page, at most; `corollary explain` shows the others


def write(target=TARGET, build=BUILD):
    """Make the page from the results under `build/`, and return its path."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    environment.filters["ticks"] = ticks
    text = environment.get_template("report.html.j2").render(**values(build))
    write_whole(target, text)
    return target


def values(build):
    """Return everything that the template shows."""
    verified = results.verified(build / "verify.json") or {"seconds": 0.0, "obligations": []}
    outdated = bool(verified["obligations"]) and verify.outdated(verified)
    rows, mutants, qemu = (
        verified["obligations"],
        results.mutated(build / "mutants.json"),
        results.booted(build / "qemu.json"),
    )
    promised = [(number, row) for number, row in enumerate(rows) if row["level"] < MACHINE]
    columns = ordered_columns([row for _, row in promised])
    return dict(
        rows=rows,
        outdated=outdated,
        seconds=verified["seconds"],
        levels=level_counts(rows),
        columns=columns,
        groups=grouped(columns),
        matrix=matrix(promised, columns),
        code=machine_code(rows),
        image_sha256=shipped(rows, MACHINE) and verified.get("kernel_sha256"),
        stale=of_another_image(verified, qemu),
        compared=counts(shipped(rows, MACHINE)),
        bounds=bounds_beside(rows, qemu or {}),
        account=account(rows),
        platform=platform_code(rows),
        kept=counts(shipped(rows, PLATFORM)),
        red=[row for row in rows if row["result"] != "proved"],
        slowest=sorted(rows, key=lambda row: -row["seconds"])[:10],
        detail=Markup(details(rows)),
        sources=sources(),
        properties=properties(rows),
        sentences=sentences(rows),
        outcomes=outcomes(promised),
        asked=OUTCOME,
        ledger=[asdict(row) for row in ledger.rows()],
        mutants=mutants,
        kills=kill_matrix(mutants or []),
        tally=tally(mutants or []),
        cross_examined=cross_examined(mutants or []),
        doubtful=doubtful(mutants or []),
        qemu={name: value for name, value in (qemu or {}).items() if name != "counted"},
        code_style=Markup(code_style()),
        counts=counts(rows),
    )


def ticks(text):
    """Mark words between backticks as code."""
    return Markup(re.sub(r"`([^`]*)`", r"<code>\1</code>", str(escape(text))))


def of_another_image(verified, qemu):
    """Return the commands that ran with an image other than the one that the present sources make."""
    ran = {"make verify": verified.get("kernel_sha256"), "make qemu": (qemu or {}).get("image_sha256")}
    return [command for command, image in ran.items() if image is not None and image != built().sha256]


def counts(rows):
    """Count the obligations by result, with the number of all and of cached ones."""
    found = {result: sum(row["result"] == result for row in rows) for result in ("proved", "refuted", "unknown")}
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


# ---- the matrix


def natural(text):
    """Return a sort key that puts CAP-2 before CAP-10."""
    return [int(part) if part.isdigit() else part for part in re.split(r"(\d+)", text)]


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


def matrix(numbered, columns):
    """Return a line for each step: its name and a cell for each property."""
    cells, rows = by_place(numbered), [row for _, row in numbered]
    names = sorted(
        {row["operation"] for row in rows}, key=lambda name: (LAST.index(name) + 1 if name in LAST else 0, name)
    )
    return [{"name": name, "cells": [cell(cells.get((name, column), [])) for column in columns]} for name in names]


def by_place(numbered):
    """Return the obligations, with their numbers, by step and property."""
    found = {}
    for number, row in numbered:
        found.setdefault((row["operation"], row["property"]), []).append((number, row))
    return found


def sentences(rows):
    """Return what each property promises, if it promises the same for every step."""
    said = {}
    for row in rows:
        said.setdefault(row["property"], set()).add(row["sentence"])
    return {name: found.pop() for name, found in said.items() if len(found) == 1}


def outcomes(numbered):
    """Return for each operation when it succeeds, what it does then, what may change, and how that was decided."""
    cells, found = by_place(numbered), []
    for declared in OPERATIONS:
        condition, effect = CONDITIONS.get(f"{declared.name} succeeds"), EFFECTS.get(f"{declared.name} ensures")
        found.append(
            {
                "name": declared.name,
                "never": declared.admin,
                "changes": effect.changes if effect else (),
                "sentence": effect.sentence if effect else "",
                "effect": coloured(effect.function) if effect else "",
                "condition": coloured(condition.function) if condition else "",
                "cells": [cell(cells.get((declared.name, name), [])) for name in OUTCOME],
            }
        )
    return found


def cell(found):
    """Return what a cell shows: the worst result, and the obligations behind it; None for no obligations."""
    if not found:
        return None
    results = [row["result"] for _, row in found]
    worst = next(result for result in ("refuted", "unknown", "proved") if result in results)
    return {
        "result": worst,
        "cached": all(row["cached"] for _, row in found),
        "rows": ",".join(str(number) for number, _ in found),
        "count": len(found),
    }


def details(rows):
    """Return what the page says about each obligation, as JSON that is safe inside a script."""
    told = {row["id"]: story(row) for row in [row for row in rows if row["counterexample"]][:STORIES]}
    kept = [
        [
            row["id"],
            row["level"],
            row["result"],
            round(row["seconds"], 3),
            row["sentence"],
            int(row["cached"]),
            row["rounds"],
            row["assumptions"],
            row["reason"],
            told.get(row["id"], ""),
            row["solver"],
        ]
        for row in rows
    ]
    return json.dumps(kept, separators=(",", ":")).replace("<", "\\u003c")


def story(row):
    """Return the counterexample in words."""
    paper = Console(file=io.StringIO(), width=PAPER, color_system=None)
    try:
        paper.print(explain.picture(row, explain.replayed(row["counterexample"])))
    except explain.Outdated as problem:
        return str(problem)
    return paper.file.getvalue()


# ---- machine code


def shipped(rows, level):
    """Return the rows of a level that are about the shipped image."""
    return [row for row in rows if row["property"] == CODE and row["level"] == level]


def machine_code(rows):
    """Return each function of the image that comes from the model: its figures, and its Python, C and assembly."""
    mine = {row["operation"]: (number, row) for number, row in enumerate(rows) if tells_of_code(row)}
    image = built() if mine else None
    bounds = Bounds([row for _, row in mine.values()])
    return [
        {
            "name": symbol,
            "number": number,
            "result": row["result"],
            "seconds": row["seconds"],
            "paths": row["figures"]["paths"],
            "own": row["figures"]["instructions"],
            "instructions": bounds.instructions(symbol),
            "stack": bounds.stack(symbol),
            "python": coloured(named()[symbol].python),
            "c": coloured_c(symbol),
            "assembly": disassembly(image, symbol),
        }
        for symbol, (number, row) in sorted(mine.items())
        if symbol in named()
    ]


def tells_of_code(row):
    """Is an obligation about the machine code of one function, or piece, of the shipped image?"""
    return row["property"] == CODE and tells_of_paths(row)


def bounds_beside(rows, qemu):
    """Return each hypercall as measured under QEMU beside its bounds, and a summary of all functions.

    Returns None unless there are both bounds and measurements.
    """
    mine = [row for row in rows if tells_of_code(row) and row["result"] == "proved"]
    if not mine or "counted" not in qemu:
        return None
    proved, counted = Bounds(mine), Counted.of(qemu["counted"])
    lines = measured.hypercalls(proved, counted)
    functions = [line for line in measured.functions(proved, counted) if line.instructions_proved is not None]
    return {
        "hypercalls": lines,
        "functions": functions,
        "silent": [line.name for line in lines if not line.runs],
        "exact": sum(line.exact for line in functions),
        "exceeded": [line.name for line in (*lines, *functions) if line.exceeded],
    }


def platform_code(rows):
    """Return each piece of the platform that keeps a contract: the contract, the source and the instructions."""
    mine = {row["operation"]: row for row in shipped(rows, PLATFORM) if row["operation"] in CONTRACTS}
    image = built() if mine else None
    return [
        {
            "name": name,
            "result": row["result"],
            "seconds": row["seconds"],
            "sentence": row["sentence"],
            "paths": row.get("figures", {}).get("paths", 0),
            "python": coloured(CONTRACTS[name].body),
            "source": platform_text(CONTRACTS[name].function.symbol),
            "assembly": disassembly(image, CONTRACTS[name]),
        }
        for name, row in mine.items()
    ]


def account(rows):
    """Return how many bytes of the image belong to what, and to each function that no proof covers.

    Returns None unless it is proved that every byte belongs to something.
    """
    return next(
        (row["figures"] for row in rows if row["id"] == f"image/{CODE}-account" and row["result"] == "proved"), None
    )


def disassembly(image, code):
    """Return the instructions of a function, or of a piece with a contract, with their addresses.

    Constants between them are left out.
    """
    found = image.functions[code] if isinstance(code, str) else code.symbol(image)
    lines = (instruction(image.read(address, SIZE), address) for address in image.code(found))
    return "\n".join(f"{line.address:x}  {line.text}" for line in lines)


def platform_text(symbol):
    """Return the generated source of a piece of the platform: C, or assembly from its BEGIN to its END."""
    for path in sorted(GENERATED.rglob("*.S")):
        found = re.search(rf"^BEGIN {symbol}\n.*?^END {symbol}$", path.read_text(), re.M | re.S)
        if found:
            return found.group()
    return coloured_c(symbol)


# ---- source beside source


def sources():
    """Return each operation as people write it and as the compiler gets it."""
    return [
        {
            "name": declared.name,
            "number": declared.number,
            "doc": " ".join(declared.function.__doc__.split()),
            "ring": declared.required_ring.name,
            "tier": declared.tier.name,
            "python": coloured(declared.function),
            "c": coloured_c(translate(declared.function).symbol),
        }
        for declared in OPERATIONS
    ]


def coloured(function):
    """Return the Python source of a function."""
    return Markup(highlight(inspect.getsource(function), PythonLexer(), COLOURS))


def coloured_c(symbol):
    """Return the generated C of a function."""
    return Markup(highlight(c_text(symbol), CLexer(), COLOURS))


def c_text(symbol):
    """Return the definition of a function in the generated C, with the comment above it."""
    for path in sorted(GENERATED.rglob("*.c")):
        found = re.search(
            rf"(?:^/\*(?:[^*]|\*(?!/))*\*/\n)?^\w[^\n;{{}}]*\b{symbol}\([^;{{}}]*\)\n\{{.*?^\}}\n",
            path.read_text(),
            re.M | re.S,
        )
        if found:
            return found.group()
    return "/* not generated: run `corollary gen` */"


def properties(rows):
    """Return each promise: its sentence, its source, and how many steps keep it."""
    return [
        {
            "id": item.id,
            "kind": kind,
            "sentence": item.sentence,
            "python": coloured(item.function),
            "all": len(mine),
            "proved": sum(row["result"] == "proved" for row in mine),
        }
        for kind, registry in KINDS
        for item in registry.values()
        for mine in [[row for row in rows if row["property"] == item.id]]
    ]


def code_style():
    """Return the colours of source text, for light and dark mode."""
    dark = HtmlFormatter(style="github-dark").get_style_defs(".code")
    light = HtmlFormatter(style="default").get_style_defs(".code")
    keep = [[line for line in text.splitlines() if line.startswith(".code .")] for text in (light, dark)]
    return "\n".join([*keep[0], "@media (prefers-color-scheme: dark) {", *keep[1], "}"])


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
