"""What is proved of a component other than the kernel? One page shows its steps, their obligations and the mutants."""

import inspect
from pathlib import Path

import jinja2
from markupsafe import Markup

from corollary.codegen.folders import write_whole
from corollary.language.component import BEFORE
from corollary.language.frontend import translate
from corollary.language.types import OutOfRange
from corollary.proofs import verify
from corollary.proofs.machine.compiled import LEVEL
from corollary.proofs.mutants import model
from corollary.proofs.mutants.row import tally
from corollary.proofs.outcome import CONDITION, EFFECT
from corollary.proofs.prove import ANY_STATE
from corollary.proofs.steps import left_out
from corollary.proofs.transition import transitions
from corollary.report import results
from corollary.report.source import code_style
from corollary.report.trust import LEVELS

TEMPLATES = Path(__file__).parent / "templates"
ENDS = ("proved", "refuted", "unknown")


def write(component, target):
    """Write the page about a component from its results; return what it says, for programs."""
    verified = found(component)
    rows, tried = verified["obligations"], results.mutated(verify.results_of(component)[0].with_name(model.RESULT.name))
    mutants = tried and tried["mutants"]
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES), autoescape=True, trim_blocks=True, lstrip_blocks=True
    )
    counts = {end: sum(row["result"] == end for row in rows) for end in ENDS}
    values = dict(
        name=component.name,
        counts=counts | {"all": len(rows)},
        seconds=verified["seconds"],
        outdated=bool(rows) and verify.outdated(verified, component),
        steps=list(steps(component, rows)),
        levels=list(levels(rows)),
        code=[row for row in rows if row["level"] == LEVEL],
        left_out=list(left_out(component)),
        stories={row["id"]: story(row, component) for row in rows if row["counterexample"]},
        has_view=component.view is not None,
        exceptions=list(exceptions(component.view)) if component.view else [],
        mutants=mutants,
        mutants_outdated=bool(tried) and verify.outdated(tried, component),
        tally=tally(mutants) if mutants else None,
    )
    write_whole(target, environment.get_template("component.html.j2").render(values))
    style = environment.get_template("style.css.j2").render(code_style=Markup(code_style()))
    write_whole(target.parent / "style.css", style)
    return {"page": target.resolve().as_uri(), "counts": values["counts"]}


def levels(rows):
    """Yield number, name, proved and all obligations of each level that has any."""
    for level, name in LEVELS.items():
        mine = [row["result"] for row in rows if row["level"] == level]
        if mine:
            yield level, name, mine.count("proved"), len(mine)


def summary(component):
    """Return a line about a component: how many obligations it has, how many are proved, in how many seconds."""
    verified = found(component)
    rows = verified["obligations"]
    return {
        "name": component.name,
        "levels": ", ".join(f"{proved} / {count} at level {level}" for level, _, proved, count in levels(rows)),
        "doc": (inspect.getdoc(component.state) or "").split("\n")[0],
        "all": len(rows),
        "proved": sum(row["result"] == "proved" for row in rows),
        "seconds": verified["seconds"],
        "outdated": bool(rows) and verify.outdated(verified, component),
    }


def found(component):
    """Return what `corollary verify` found of a component; nothing, if it did not run."""
    return results.verified(verify.results_of(component)[0]) or {"seconds": 0.0, "obligations": []}


def steps(component, rows):
    """Yield each step with its text, what is promised of it, and its obligations."""
    for name, function in [*functions(component).items(), (ANY_STATE, None)]:
        mine = [row for row in rows if row["operation"] == name]
        yield {
            "name": name,
            "doc": inspect.getdoc(function) if function else "What follows from the invariants alone.",
            "source": inspect.getsource(function) if function else "",
            "promises": promises(component, name),
            "rows": sorted(mine, key=lambda row: (row["level"], row["id"])),
        }


def exceptions(view):
    """Yield what a view lets others learn, or change, and what nobody sees: where, and for which reason."""
    for kind in ("released", "interferences", "disclosures", "sealed", "novelties"):
        for row in getattr(view, kind):
            told = (translate(row.function).doc, getattr(row, "reason", ""))
            yield {
                "kind": kind,
                "name": getattr(row, "name", "") or named(row),
                "steps": getattr(row, "about", ()),
                "reason": " ".join(filter(None, told)) or row.function.__name__,
            }
    for row in view.private:
        yield {"kind": "private", "name": row.field, "steps": (), "reason": row.reason}


def named(row):
    """Return the fields that a row is about: of a table, or all of it."""
    return ", ".join(f"{row.table}.{field}" for field in getattr(row, "only", ())) or row.table


def functions(component):
    """Return the function of each step by its name: an operation's own, if there is one."""
    known = transitions(component)
    return {step.name: step.operation.function if step.operation else step.function for step in known}


def promises(component, operation):
    """Return the texts of what an operation promises, by the ids of the obligations."""
    registries = {CONDITION: (component.conditions, "succeeds"), EFFECT: (component.effects, "ensures")}
    found = {id_: known.get(f"{operation} {what}") for id_, (known, what) in registries.items()}
    return {id_: inspect.getsource(promise.function) for id_, promise in found.items() if promise}


def story(row, component):
    """Return in words how a counterexample goes: its step is taken again in the model."""
    try:
        return verify.told(row, component)
    except (LookupError, AttributeError, TypeError, OutOfRange):
        return f"the state {BEFORE} the step does not fit the component as it is now: verify it again"
