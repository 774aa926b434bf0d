"""Why was an obligation refuted? Its counterexample runs again in the model: before, call, after."""

import difflib
import inspect
import pprint
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Group
from rich.markup import escape
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from corollary.codegen.folders import write_whole
from corollary.language.types import OutOfRange, is_enum, is_flags
from corollary.language.values import difference, leaves, spell
from corollary.model.kernel.component import KERNEL
from corollary.model.kernel.promises import CONSERVED, COROLLARIES, INVARIANTS, THEOREMS
from corollary.proofs import conserved, outcome, replay, secret, verify
from corollary.proofs.prove import ALWAYS, LEFT, RESPECT, SHOWN, nothing
from corollary.proofs.respect import disturbed
from corollary.proofs.transition import Transition, transitions
from corollary.proofs.unwinding import diverged, revealed
from corollary.proofs.verify import PARTIAL, RESULT
from corollary.report import promised, results
from corollary.spec.kernel.hypercalls import OPERATIONS
from corollary.spec.kernel.state import Call, Kernel
from corollary.spec.kernel.vocabulary import Status

SAVED = Path("tests/counterexamples")
BROKEN_BY = (OutOfRange, IndexError)  # what the model raises when the kernel would overflow
HOLDS = "the promise holds in the model as it is now"
STATUS = "status"


@dataclass
class Story:
    """A replayed counterexample: does the model break the promise too, and what shows it?"""

    example: Any
    broken: bool
    finding: str


def find(rows, id_):
    """Return the row of an obligation, or None, and the ids that look similar."""
    row = next((row for row in rows if row["id"] == id_), None)
    return row, difflib.get_close_matches(id_, [row["id"] for row in rows], 5, 0.4)


def promise(id_):
    """Return the invariant, theorem or corollary with this id.

    Other promises are judged by code of their own, so they get one that always holds.
    """
    return next((registry[id_] for registry in (INVARIANTS, THEOREMS, COROLLARIES) if id_ in registry), ALWAYS)


def step_named(name):
    """Return the transition with this name."""
    return next(
        step for step in (*transitions(KERNEL), Transition("any state", nothing, component=KERNEL)) if step.name == name
    )


class Outdated(Exception):
    """A counterexample refers to something that the specification no longer has."""


def loaded(data):
    """Return the counterexample and its step; raises `Outdated`."""
    try:
        return replay.load(data, KERNEL), step_named(data["transition"])
    except (AttributeError, LookupError, StopIteration, OutOfRange):
        raise Outdated(
            "the counterexample does not fit the specification as it is now: run `corollary verify` again"
        ) from None


def replayed(data):
    """Load a counterexample, take its step in the model, and return its `Story`; raises `Outdated`."""
    example, step = loaded(data)
    id_ = example.property
    try:
        if id_ == secret.KEY:
            secret.replay_with_keys(example, step)
        elif "t" in example.roots:
            replay.replay_both(example, step)
        else:
            replay.replay(example, step, promise(id_))
    except BROKEN_BY as problem:
        return Story(example, True, f"the model stops: {problem}")
    if id_ in OUTCOMES:
        finding = OUTCOMES[id_](example, step)
        return Story(example, bool(finding), finding or HOLDS)
    if id_ in CONSERVED:
        finding = lost_or_gained(example, step)
        return Story(example, bool(finding), finding or HOLDS)
    for family, said, paths in (
        (RESPECT.id, "a bystander's own, and yet changed", lambda: map(spell, disturbed(example, step))),
        (
            SHOWN.id,
            "seen now, though neither the observer nor who acts saw it before",
            lambda: map(spell, revealed(example, step, part_of(id_))),
        ),
        (
            LEFT.id,
            "the same in both states before, and no longer",
            lambda: map(spell, diverged(example, step, part_of(id_))),
        ),
        (
            secret.KEY,
            "another key makes a difference to",
            lambda: map(difference_in_words, secret.betrayed(example, step)),
        ),
        ("FRAME", "refused, and yet changed", lambda: touched_outside_books(example)),
    ):
        if id_.split("-")[:2] == family.split("-"):
            touched = ", ".join(paths())
            return Story(example, bool(touched), f"{said}: {touched}" if touched else HOLDS)
    if "t" in example.roots:
        return Story(
            example,
            not example.holds,
            HOLDS if example.holds else "the caller can tell the two states apart in the model too",
        )
    return Story(example, not example.holds, HOLDS if example.holds else "the promise is broken in the model too")


def part_of(promised):
    """Return the part of the state that the id of a promise names: `memory` for `NI-4-memory`."""
    return promised.split("-")[-1]


def touched_outside_books(example):
    """Return the fields that a refused call changed outside the log and the caller's account."""
    if example.status in (None, Status.OK):
        return []
    caller = example.roots["s"].current
    return [
        spell(path)
        for path, _, _ in difference(example.roots["s"], example.after)
        if not KERNEL.is_book(path) and not (KERNEL.is_of_caller(path, refused=True) and path[1] == caller)
    ]


def lost_or_gained(example, step):
    """Say how a step changed a sum that it must keep; return "" if it kept the sum."""
    sum_ = CONSERVED[example.property]
    if conserved.is_conserved(example, sum_, step.from_zero):
        return ""
    before = sum_.total if step.from_zero else conserved.total(example.roots["s"], sum_)
    return f"all rows add up to {conserved.total(example.after, sum_)}, and {before} is promised"


# ---- what an operation promises


def promise_of(step, id_):
    """Return the operation's precondition of success or its postcondition, by the name of the obligation."""
    return outcome.promise_of(step, "succeeds" if id_ == outcome.CONDITION else "ensures")


def ended_otherwise(example, step):
    """Say how a call ended against its condition of success; return "" if it ended as promised."""
    promise = promise_of(step, outcome.CONDITION)
    if outcome.ends_as_promised(promise, step, example):
        return ""
    if example.status != Status.OK:
        return f"the condition of success holds, and yet the call ends in {example.status.name}"
    beyond = promised.out_of_range(promise, step, example)
    if beyond:
        name, value, type_ = beyond
        return f"{name} is {value:#x}, which is no {type_.name}, and yet the call succeeds"
    return (
        "the condition of success does not hold, and yet the call succeeds; it asks for "
        f"{promised.unmet(promise, step, example)}"
    )


def did_otherwise(example, step):
    """Say where a successful call did not do as promised, or changed more than it may; "" if it did neither."""
    promise = promise_of(step, outcome.EFFECT)
    if outcome.does_as_promised(promise, step, example):
        return ""
    beyond = [
        f"{spell(path)}, from {shown(path, old)} to {shown(path, new)}"
        for path, old, new in outcome.strayed(promise, step, example)
    ]
    if beyond:
        return f"changed, though success may not: {'; '.join(beyond)}"
    wrong = promised.astray(promise, step, example)
    if not wrong:
        return "no ending would be as promised"
    told = [
        f"{spell(path)} is {shown(path, value)}, and {shown(path, wanted)} is promised" for path, value, wanted in wrong
    ]
    return f"not as promised: {'; '.join(told)}"


def left_open(example, step):
    """Say which fields the promise of a call leaves open; return "" if it leaves none open."""
    found = promised.left_open(promise_of(step, outcome.SETTLED), step, example)
    return f"nothing says which of these it is: {', '.join(map(difference_in_words, found))}" if found else ""


def difference_in_words(found):
    """Return a field and its two values as text: `sequence, 1 and 2`."""
    path, one, other = found
    return f"{spell(path)}, {shown(path, one)} and {shown(path, other)}"


OUTCOMES = {outcome.CONDITION: ended_otherwise, outcome.EFFECT: did_otherwise, outcome.SETTLED: left_open}


# ---- for people


def picture(row, story):
    """Return the story of a counterexample, ready to be printed."""
    parts = [headline(row, story), *declaration(story.example), call_table(story.example), state_table(story.example)]
    if story.example.after is not None:
        parts.append(change_table(story.example))
    if story.example.hashes:
        parts.append(
            "The solver supposed some hash values, and the model was run with them: real messages may not hash so."
        )
    return Group(*parts)


def headline(row, story):
    """Return a panel with the promise and the finding."""
    colour = "red" if story.broken else "green"
    text = f"[bold]{row['property']}[/]  {row['sentence']}\n[{colour}]{escape(story.finding)}[/]"
    return Panel(text, title=row["id"], title_align="left", border_style=colour)


def declaration(example):
    """Return the source of what an operation promises, if that promise is broken."""
    if example.property not in OUTCOMES:
        return []
    promise = promise_of(step_named(example.transition), example.property)
    return [Text(inspect.getsource(promise.function), style="dim")]


def call_table(example):
    """Return a table of the call: who asked for what, and the answer."""
    table = Table(title="Call", title_justify="left", show_header=False)
    for name, value in call_lines(example):
        table.add_row(name, f"[bold]{value}[/]" if name == STATUS else value)
    return table


def entry_table(state):
    """Return a table of the arguments for which a function of the image differs from its model."""
    table = Table(title="Called with", title_justify="left")
    table.add_column("argument")
    table.add_column("value")
    for line in entry_lines(state):
        table.add_row(*line)
    return table


def entry_lines(state):
    """Yield the arguments for which a function of the image differs from its model, with their values as text."""
    for name, value in state["scalars"].items():
        yield name, f"{value} in {state['words'][name]:#x}"
    for name, cells in state["objects"].items():
        for path, value in cells:
            yield spell((name, *path)), f"{value:#x}"
    for name, value in state["results"]:
        yield f"{name}() returns", f"{value:#x}"


def call_lines(example):
    """Yield who asked for what, and the answer: names, and their values as text."""
    for name, value in example.scalars.items():
        yield name.lstrip("?"), f"{value}"
    if example.transition not in ("any state", "boot"):
        yield from register_lines(example)
    if example.status is not None:
        yield STATUS, example.status.name


def register_lines(example):
    """Yield the registers of a hypercall, with the names that its operation gives them."""
    call = example.roots["call"]
    declared = OPERATIONS[call.operation] if call.operation < len(OPERATIONS) else None
    yield "caller", f"partition {example.roots['s'].current}"
    yield "operation", f"{call.operation} {declared.name if declared else 'unknown'}"
    yield "now", f"{call.now} ns"
    names = ["handle", *(name for name, _ in declared.parameters)] if declared else []
    for position, name in enumerate(names):
        yield f"x{position + 1} {name}", f"{call.argument[position]:#x}"


def state_table(example):
    """Return a table of the fields before the step that decide the outcome."""
    matter, rest = sorted_by_influence(example)
    table = Table(
        title="Before: what matters",
        title_justify="left",
        caption_justify="left",
        caption=f"{rest} more fields are not zero; without all of them the same happens" if rest else None,
    )
    table.add_column("field")
    table.add_column("value")
    for path, value in matter:
        table.add_row(spell(path), shown(path, value))
    return table


def sorted_by_influence(example):
    """Return the fields that matter to the ending of the step, and the number of other fields that are not zero.

    With all the other fields set to zero, the step ends the same.
    """
    data = example.as_json()
    fields = [(path, value) for path, value in leaves(example.roots["s"]) if value]
    ending, matter, pending = ends(data), [], [fields]
    while pending:
        group = pending.pop()
        rest = without(data, {path for path, _ in group})
        if ends(rest) == ending:
            data = rest
        elif len(group) == 1:
            matter += group
        else:
            pending += [group[len(group) // 2 :], group[: len(group) // 2]]
    return matter, len(fields) - len(matter)


def ends(data):
    """Return how a step ends: whether the promise is broken, and the status."""
    story = replayed(data)
    return story.broken, story.example.status


def without(data, paths):
    """Return a counterexample with some fields of the state set to zero."""
    return data | {"s": [[where, value] for where, value in data["s"] if tuple(where) not in paths]}


def change_table(example):
    """Return a table of what the step changed."""
    table = Table(title="After: what changed", title_justify="left")
    for heading in ("field", "before", "after"):
        table.add_column(heading)
    for path, old, new in changed(example):
        table.add_row(spell(path), shown(path, old), shown(path, new))
    return table


def changed(example):
    """Return each field that the step changed, except the chain value, with its values before and after."""
    return [found for found in difference(example.roots["s"], example.after) if found[0][0] != "head"]


def shown(path, value):
    """Return a value as text: enumerators and rights by name, small numbers in decimal, large ones in hexadecimal."""
    type_ = type_at(path)
    if is_enum(type_):
        return type_(value).name
    if is_flags(type_):
        named = [name for name, bit in type_.members.items() if value & bit]
        return " ".join([*named, *([f"{value & ~type_.mask:#x}"] if value & ~type_.mask else [])]) or "0"
    return f"{value:#x}" if value >= 4096 else str(value)


def type_at(path):
    """Return the type of a field of the kernel, or of the caller's answer."""
    if path == ("status",):
        return Status
    type_: Any = Kernel if path[0] in Kernel.fields else Call
    for part in path:
        type_ = type_.element if isinstance(part, int) else type_.fields[part]
    return type_


# ---- as a test


TEST = '''"""{id}: {sentence}. A state in which this was once broken; the promise must hold there."""

from corollary.report.explain import replayed

EXAMPLE = {example}


def test_{name}():
    story = replayed(EXAMPLE)
    assert not story.broken, story.finding
'''


def save(row, folder=SAVED):
    """Save a counterexample as a test, and return its path."""
    name = "".join(character if character.isalnum() else "_" for character in row["id"]).lower()
    path = Path(folder) / f"test_{name}.py"
    example = pprint.pformat(row["counterexample"], width=120, compact=True, sort_dicts=False)
    write_whole(path, TEST.format(id=row["id"], sentence=row["sentence"], example=example, name=name))
    return path


def load_rows(result, partial):
    """Return the obligations of the last full run, updated by a later run of some of them."""
    rows = {row["id"]: row for row in obligations(result)}
    if partial.exists() and not (result.exists() and result.stat().st_mtime > partial.stat().st_mtime):
        rows |= {row["id"]: row for row in obligations(partial)}
    return list(rows.values())


def obligations(path):
    """Return the rows of a result file, each with `outdated`: have the sources changed since? No file gives no rows."""
    found = results.verified(path)
    return (
        [row | {"outdated": outdated} for outdated in [verify.outdated(found, KERNEL)] for row in found["obligations"]]
        if found
        else []
    )


def explain(id_, console, keep, result=RESULT, partial=PARTIAL):
    """Print the story of one obligation; return 0 when nothing is wrong with it, else 1."""
    rows = load_rows(result, partial)
    if not rows:
        console.print(f"{result} is not there: run `corollary verify` first")
        return 1
    row, similar = find(rows, id_)
    if row is None:
        console.print(
            f"no obligation {id_}" + (f"; did you mean {', '.join(similar)}?" if similar else ""), markup=False
        )
        return 1
    if row["counterexample"] is None:
        console.print(f"{row['id']}: {row['result']}. {row['sentence']}. {row['reason']}".rstrip(" ."), markup=False)
        if row.get("figures", {}).get("state"):
            console.print(entry_table(row["figures"]["state"]))
        if row["outdated"]:
            console.print("that was of other sources: run `corollary verify` again", markup=False)
        return 0 if row["result"] == "proved" and not row["outdated"] else 1
    try:
        console.print(picture(row, replayed(row["counterexample"])))
    except Outdated as problem:
        console.print(str(problem))
        return 1
    if keep:
        console.print(f"kept as {save(row)}")
    return 1


# ---- for programs


def as_data(id_, keep=False, result=RESULT, partial=PARTIAL):
    """Return what `explain` shows of an obligation, as data; an unknown one has no `result`, but `similar` ids."""
    row, similar = find(load_rows(result, partial), id_)
    found = {"id": id_, "result": "", "sentence": "", "reason": "", "outdated": False, "similar": similar}
    found |= {"broken": False, "finding": "", "call": {}, "before": {}, "after": [], "kept": ""}
    if row is None:
        return found
    found |= {name: row[name] for name in ("result", "sentence", "reason", "outdated")} | {"similar": []}
    if row["counterexample"] is None:
        state = row.get("figures", {}).get("state")
        return found | {"call": dict(entry_lines(state)) if state else {}}
    try:
        found |= story_as_data(replayed(row["counterexample"]))
    except Outdated as problem:
        return found | {"reason": str(problem), "outdated": True}
    return found | {"kept": str(save(row)) if keep else ""}


def story_as_data(story):
    """Return a replayed counterexample as data: the call, the fields before that matter, and those that changed."""
    example = story.example
    matter, _ = sorted_by_influence(example)
    after = [] if example.after is None else changed(example)
    return {
        "broken": story.broken,
        "finding": story.finding,
        "call": dict(call_lines(example)),
        "before": {spell(path): shown(path, value) for path, value in matter},
        "after": [
            {"field": spell(path), "before": shown(path, old), "after": shown(path, new)} for path, old, new in after
        ],
    }


def is_well(found):
    """Is nothing wrong with an obligation, given as data?"""
    return found["result"] == "proved" and not found["outdated"]
