"""How does C check every invariant?

Each invariant is a function. One loop for each kind of index calls its functions for all indices. What invariants ask
of their first index alone is asked before the loop over their second, once for all invariants that begin with it. If
what is left calls nothing, the loop asks it itself, and there is no function.
"""

from dataclasses import dataclass
from typing import Any

from corollary.codegen.expressions import Printer, snake, type_name
from corollary.codegen.hoisting import negated, parted
from corollary.codegen.wrapping import comment, wrap
from corollary.language import ir
from corollary.language.frontend import translate
from corollary.language.types import Array, boolean, u32
from corollary.language.values import Record
from corollary.model.kernel.component import KERNEL

INDICES = 2  # of an invariant, at most: what a violation has room for
INDENT = " " * 4


class Violation(Record):
    """The first invariant that was found not to hold: its number, from 1, and the indices for which it fails."""

    number: u32
    index: Array[u32, INDICES]


@dataclass(frozen=True)
class Group:
    """The invariants over the same indices, with the same antecedent. One loop checks them all.

    The antecedent is a condition on the first of two indices, or None. Where it is false, all members hold. A function
    of its own has it, and the loop over the second index.
    """

    name: str
    inside: str  # the name of that function, or nothing
    indices: tuple  # (variable, type), outermost first
    antecedent: Any  # an expression
    members: tuple  # (number, property, function)


def numbered(component=KERNEL):
    """Each invariant with its number, from 1, and its typed function."""
    invariants = component.invariants.values()
    return [(position + 1, item, translate(item.function)) for position, item in enumerate(invariants)]


def about(symbol, component=KERNEL):
    """The id and sentence of the invariant with this C name, for the comment above it; empty for what it calls."""
    found = (f"{item.id}: {item.sentence}." for _, item, function in numbered(component) if function.symbol == symbol)
    return next(found, "")


def groups(component=KERNEL):
    """The invariants grouped by their kinds of index and antecedent.

    Groups are in the order in which they first occur, those with an antecedent last.
    """
    found = {}
    for entry in numbered(component):
        indices = tuple((item.name, item.type) for item in entry[2].parameters[1:])
        kinds, before = tuple(type_.name for _, type_ in indices), antecedent(entry[2])
        key = (kinds, before and text_of(entry[2], before))
        found.setdefault(key, (indices, before, []))[2].append(entry)
    kinds = [kinds for kinds, _ in found]
    out = []
    for position, (indices, before, members) in enumerate(found.values()):
        own = kinds[position]
        number = f"_{kinds[: position + 1].count(own)}" if kinds.count(own) > 1 else ""
        name = f"check_{'_and_'.join(map(plural, own)) or 'whole'}{number}"
        inside = f"check_{plural(own[1])}_of_{singular(own[0])}{number}" if before else ""
        out.append(Group(name, inside, indices, before, tuple(members)))
    return sorted(out, key=lambda group: bool(group.inside))  # behind a choice, code has twice as many paths


def antecedent(function):
    """What an invariant over two indices asks first, and of the first one alone, or None."""
    before = parted(function).before if len(function.parameters) > INDICES else ()
    return ir.Logic("and", before, boolean) if len(before) > 1 else next(iter(before), None)


def is_called(function):
    """Does the loop that checks an invariant call its function?"""
    return antecedent(function) is None or parted(function).rest is None


def checked(component):
    """Return the functions of the invariants that are called to check them."""
    return [item.function for _, item, function in numbered(component) if is_called(function)]


def text_of(function, condition):
    """A condition on what a function is given, in C."""
    return Printer(function).expression(condition)


def plural(name):
    """`capabilities` for `CapabilityId`."""
    word = singular(name)
    return word[:-1] + "ies" if word.endswith("y") else word if word.endswith("ed") else word + "s"


def singular(name):
    """`capability` for `CapabilityId`."""
    return snake(name).removesuffix("_id")


def loops(indices, body):
    """The lines of loops over some indices, outermost first, around a body that is not indented."""
    lines = [
        f"{INDENT * depth}for (uint32_t {name} = 0; {name} < {type_.bound}; {name}++) {{"
        for depth, (name, type_) in enumerate(indices)
    ]
    lines += [part for line in body for part in wrap(INDENT * len(indices) + line)]
    return [*lines, *(f"{INDENT * depth}}}" for depth in reversed(range(len(indices))))]


def guarded(condition, statement):
    """The lines of a statement that runs on a condition."""
    return [f"if ({condition}) {{", f"{INDENT}{statement}", "}"]


def asked_of(group):
    """The lines that ask each member of a group, for the indices of one round."""
    names = [name for name, _ in group.indices]
    lines = []
    for number, _, function in group.members:
        told = [str(number), *names, *["0"] * (INDICES - len(names))]
        lines += guarded(violation_of(group, function), f"return violated(found, {', '.join(told)});")
    return lines


def violation_of(group, function):
    """When a member of a group does not hold for some indices, in C: its function says so, or what is left to ask."""
    if not is_called(function):
        return text_of(function, negated(parted(function).rest))
    return f"!{function.symbol}({', '.join(['s', *(name for name, _ in group.indices)])})"


def group_text(group, component=KERNEL):
    """The lines of the functions that check a group."""
    spoken = ", ".join(item.id for _, item, _ in group.members)
    many = [f"every {type_name(type_).removesuffix('_t').removesuffix('_id')}" for _, type_ in group.indices]
    if not group.antecedent:
        about = f"{spoken}, for {' and '.join(many) or 'the state as a whole'}."
        return checking(component, about, group.name, "", loops(group.indices, asked_of(group)))
    outer, inner = group.indices
    head = guarded(text_of(group.members[0][2], negated(group.antecedent)), "return true;")
    rows = guarded(f"!{group.inside}(s, found, {outer[0]})", "return false;")
    return [
        *checking(
            component,
            f"{spoken}, for {many[1]} of one {singular(outer[1].name)}, if it is one that they are about.",
            group.inside,
            f", {type_name(outer[1])} {outer[0]}",
            [*head, *loops((inner,), asked_of(group))],
        ),
        "",
        *checking(component, f"{spoken}, for {many[0]}.", group.name, "", loops((outer,), rows)),
    ]


def checking(component, about, name, more, body):
    """The lines of one function that checks invariants, with more parameters than the state and what was found."""
    state = snake(component.state.name)
    head = f"static bool {name}(const struct {state} *s, struct violation *found{more})"
    return [*comment(about), *wrap(head), "{", *(f"{INDENT}{line}" for line in body), f"{INDENT}return true;", "}"]
