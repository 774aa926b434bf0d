"""How does C check every invariant?

Each invariant is a function. One loop for each kind of index calls its functions for all indices.
"""

from dataclasses import dataclass

from corollary.codegen.expressions import snake, type_name
from corollary.codegen.wrapping import comment, wrap
from corollary.language.frontend import translate
from corollary.language.types import Array, u32
from corollary.language.values import Record
from corollary.model.kernel.component import KERNEL

INDICES = 2  # of an invariant, at most


class Violation(Record):
    """The first invariant that was found not to hold: its number, from 1, and the indices for which it fails."""

    number: u32
    index: Array[u32, INDICES]


@dataclass(frozen=True)
class Group:
    """The invariants over the same indices. One loop checks them all."""

    name: str
    indices: tuple  # (variable, type), outermost first
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
    """The invariants grouped by their kinds of index, in the order in which each kind first occurs."""
    found = {}
    for entry in numbered(component):
        parameters = entry[2].parameters[1:]
        found.setdefault(tuple(item.type.name for item in parameters), []).append((parameters, entry))
    out = []
    for names, members in found.items():
        parameters = members[0][0]
        out.append(
            Group(
                "check_" + ("_and_".join(plural(part) for part in names) or "whole"),
                tuple((item.name, item.type) for item in parameters),
                tuple(entry for _, entry in members),
            )
        )
    return out


def plural(name):
    """`capabilities` for `CapabilityId`."""
    word = snake(name).removesuffix("_id")
    return word[:-1] + "ies" if word.endswith("y") else word if word.endswith("ed") else word + "s"


def loop(group):
    """The body of the function that checks a group."""
    lines, depth = [], 1
    for name, type_ in group.indices:
        lines.append(f"{'    ' * depth}for (uint32_t {name} = 0; {name} < {type_.bound}; {name}++) {{")
        depth += 1
    names = [name for name, _ in group.indices]
    pad = "    " * depth
    for number, _, function in group.members:
        lines += wrap(f"{pad}if (!{function.symbol}({', '.join(['s', *names])})) {{")
        lines += [
            f"{pad}    return violated(found, {', '.join([str(number), *names, *['0'] * (2 - len(names))])});",
            f"{pad}}}",
        ]
    while depth > 1:
        depth -= 1
        lines.append(f"{'    ' * depth}}}")
    return [*lines, "    return true;"]


def group_text(group, component=KERNEL):
    """The lines of the function that checks a group."""
    head = f"static bool {group.name}(const struct {snake(component.state.name)} *s, struct violation *found)"
    spoken = ", ".join(item.id for _, item, _ in group.members)
    many = " and ".join(
        f"every {type_name(type_).removesuffix('_t').removesuffix('_id')}" for _, type_ in group.indices
    )
    return [*comment(f"{spoken}, for {many or 'the state as a whole'}."), head, "{", *loop(group), "}"]
