"""Which promises notice which breaks of the model? A table of what each edit does to the text, and what turns red."""

import ast
from collections import Counter

from rich.table import Table

from corollary.codegen.folders import ROOT, file_of
from corollary.proofs.mutants.breaks import KIND, NAMED
from corollary.proofs.mutants.slips import SLIPS
from corollary.spec.kernel.operation import hypercall

CHECK_LEFT_OUT, CHECK_CHANGED, DEMAND = "check left out", "check changed", "another right demanded"
LEFT_OUT, ADDED, CHANGED, ORDER = "effect left out", "effect added", "effect changed", "another order"
SORTS = (CHECK_LEFT_OUT, CHECK_CHANGED, DEMAND, LEFT_OUT, ADDED, CHANGED, ORDER)


def family(property_):
    """Return the family of a promise: MEM for MEM-11. OK-iff and ENSURES are families of their own."""
    head, _, number = property_.partition("-")
    return head if number[:1].isdigit() else property_


def sort_of(edit):
    """Return what a break does to the text of its module."""
    text = (ROOT / file_of(edit.module)).read_text()
    return compared(ast.parse(text).body, ast.parse(edit.edited(text)).body)


def compared(old, new, judges=False):
    """Return what happened to some statements; `judges` says whether their function answers yes or no."""
    old, new = apart(old, new)
    if old and all(map(is_row, (*old, *new))):
        return DEMAND
    if len(old) == len(new) == 1 and type(old[0]) is type(new[0]) and hasattr(old[0], "body"):
        return within(old[0], new[0], judges)
    gone, come = Counter(map(ast.dump, old)), Counter(map(ast.dump, new))
    if gone == come:
        return ORDER
    if not gone - come:
        return ADDED
    if not come - gone or all(isinstance(node, ast.Pass) for node in new):
        return CHECK_LEFT_OUT if any(is_check(node) for node in old) else LEFT_OUT
    return CHECK_CHANGED if judges else CHANGED


def apart(old, new):
    """Return two lists of statements without their common beginning and end."""
    while old and new and ast.dump(old[0]) == ast.dump(new[0]):
        old, new = old[1:], new[1:]
    while old and new and ast.dump(old[-1]) == ast.dump(new[-1]):
        old, new = old[:-1], new[:-1]
    return old, new


def within(old, new, judges):
    """Return what happened to a compound statement."""
    if isinstance(old, ast.FunctionDef):
        judges = isinstance(old.returns, ast.Name) and old.returns.id == "bool"
    if isinstance(old, ast.If) and ast.dump(old.test) != ast.dump(new.test):
        return CHECK_CHANGED
    for part in ("body", "orelse"):
        if [*map(ast.dump, getattr(old, part, []))] != [*map(ast.dump, getattr(new, part, []))]:
            return compared(getattr(old, part), getattr(new, part), judges)
    return CHANGED


def is_row(node):
    """Does a statement say what a hypercall demands?"""
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Call)
        and ast.unparse(node.value.func) == hypercall.__name__
    )


def is_check(node):
    """Is the statement a check, an `if` that may return?"""
    return isinstance(node, ast.If) and any(isinstance(part, ast.Return) for part in ast.walk(node))


def killed(rows):
    """Count how often each sort of break turned each family of promises red: `(sort, family) -> count`."""
    found = Counter()
    for row in rows:
        if row.killed_by:
            found[sort_of(NAMED[row.id.removeprefix(f"{KIND}-")]), family(row.killed_by.rpartition("/")[2])] += 1
    return found


def show(rows, console):
    """Print the table and a summary; print nothing if there are no breaks."""
    if not rows:
        return
    counts, of_family = killed(rows), Counter()
    for (_, name), number in counts.items():
        of_family[name] += number
    families = [name for name, _ in of_family.most_common()]
    table = Table(title="What a break does, and the promise that turns red", title_justify="left")
    for heading in ("", "breaks", *families):
        table.add_column(heading, justify="right" if heading else "left")
    for sort in SORTS:
        row = [counts[sort, name] for name in families]
        if any(row):
            table.add_row(sort, str(sum(row)), *(str(number or "") for number in row))
    console.print(table)
    console.print(told(rows), soft_wrap=True)


def told(rows):
    """Summarize the breaks: how many, from which table, in how many steps, and which takes longest."""
    slips = sum(row.id.removeprefix(f"{KIND}-") in {name for name, *_ in SLIPS} for row in rows)
    steps, refuted = len({row.operation for row in rows}), sum(bool(row.killed_by) for row in rows)
    slowest = max(rows, key=lambda row: row.seconds)
    return (
        f"{len(rows)} breaks, {len(rows) - slips} of rules and {slips} slips, of {steps} steps: {refuted} refuted by "
        f"a proof; the slowest takes {slowest.seconds:.0f} s: {slowest.id}"
    )
