"""What does each hypercall take, when does it succeed, what does it do then, and what can it answer?

This is the reference for people who write guests or read logs.
"""

import ast
import inspect
import textwrap
from typing import Any

from corollary.codegen.folders import file_of
from corollary.codegen.guest import arguments
from corollary.codegen.kernel import operation_files
from corollary.language import ir
from corollary.language.frontend import translate
from corollary.language.types import is_enum, is_flags
from corollary.model.kernel.gate import OPERATIONS, lookup
from corollary.model.kernel.promises import CONDITIONS, EFFECTS
from corollary.spec.kernel.vocabulary import ObjectKind, Right, Ring, Status, Tier

SOURCES = (
    "spec/kernel/hypercalls.py",
    *operation_files(),
    *dict.fromkeys(file_of(promise.function.__module__) for promise in CONDITIONS.values()),
)
GATE = {Status.OK, Status.WITNESS_FULL, Status.RATE_LIMITED}


def literals(python):
    """The statuses that appear in the body of a function."""
    nodes = ir.walk(translate(python).body)
    return {Status(node.value) for node in nodes if isinstance(node, ir.Literal) and node.type is Status}


def gate_statuses(declared):
    """The statuses with which the gate alone may end a call of this operation."""
    found = set(GATE)
    if declared.required_ring == Ring.ROOT:
        return (found | {Status.NEEDS_SRE_WITNESS}) - {Status.OK}
    found |= {Status.RING_DENIED} if declared.required_ring != Ring.SANDBOX else set()
    found |= {Status.RESOURCE_DENIED} if declared.resource else set()
    if declared.takes_handle:
        found |= literals(lookup) - {Status.OK}
        found -= {Status.INSUFFICIENT_RIGHTS} if declared.needs == 0 else set()
    found |= {Status.POLICY_VIOLATION} if declared.tier >= Tier.P2 else set()
    return found | ({Status.BAD_ARGUMENT} if any(checked(type_) for _, type_ in declared.parameters) else set())


def checked(type_):
    """Are there register values that do not belong to the type?"""
    return type_.bits < 64


def statuses(declared):
    """Every status that a call of this operation can end with."""
    own = set() if declared.required_ring == Ring.ROOT else literals(declared.function)
    return sorted(gate_statuses(declared) | own)


def all_statuses():
    """Every status that some call can end with."""
    return sorted({Status.UNKNOWN_OPERATION, *(status for declared in OPERATIONS for status in statuses(declared))})


def rights(value):
    """`READ, WRITE` for a set of rights."""
    return ", ".join(name for name, bit in Right.members.items() if value & bit) or "none"


def object_of(declared):
    """What the handle must name."""
    if declared.any_object:
        return "any"
    return "no handle" if declared.on == ObjectKind.NONE else declared.on.name


def argument_rows(declared):
    """The register, name, type and place in the witness record of each argument."""
    kept = {name: f"`{field}` {low}..{low + type_.bits - 1}" for name, type_, field, low in declared.places}
    kept["handle"] = "`capability`"
    return [
        {"register": f"x{register}", "name": name, "type": spelled(type_), "place": kept.get(name, "not kept")}
        for name, type_, register in arguments(declared)
    ]


def spelled(type_):
    """A type and the values that it admits."""
    if is_enum(type_) or is_flags(type_):
        return type_.name
    return type_.name if type_.name.startswith("u") or type_.name == "bool" else f"{type_.name} 0 .. {type_.bound - 1}"


def condition(declared):
    """When the operation succeeds, as lines of Python. Empty if it never does."""
    promise = CONDITIONS.get(f"{declared.name} succeeds")
    return body_of(promise.function) if promise else []


def body_of(function):
    """The lines of a function below its first line and its docstring."""
    source = textwrap.dedent(inspect.getsource(function))
    parsed: Any = ast.parse(source).body[0]
    first = parsed.body[1] if ast.get_docstring(parsed) else parsed.body[0]
    return textwrap.dedent("\n".join(source.splitlines()[first.lineno - 1 :])).splitlines()


def effect(declared):
    """What the operation does when it succeeds, in a sentence. Empty if it never does."""
    promise = EFFECTS.get(f"{declared.name} ensures")
    return promise.sentence if promise else ""


def changes(declared):
    """The fields that may change when the operation succeeds, besides the bookkeeping of the gate."""
    promise = EFFECTS.get(f"{declared.name} ensures")
    return promise.changes if promise else ()


def words():
    """The functions that state conditions of success: name, docstring and file."""
    nodes = (node for promise in CONDITIONS.values() for node in ir.walk(translate(promise.function).body))
    found = {node.function.python: node.function for node in nodes if isinstance(node, ir.Call)}.values()
    return [
        {"name": function.name, "doc": " ".join(function.doc.split()), "file": file_of(function.python.__module__)}
        for function in sorted(found, key=lambda function: (function.name, function.python.__module__))
    ]


def values():
    """The values that the template uses."""
    rows = [
        {
            "number": declared.number,
            "name": declared.name,
            "kind": declared.kind.name,
            "tier": declared.tier.name,
            "undo": declared.reversibility.name,
            "ring": f"{int(declared.required_ring)} {declared.required_ring.name}",
            "object": object_of(declared),
            "rights": rights(declared.needs),
            "arguments": argument_rows(declared),
            "doc": " ".join(declared.function.__doc__.split()),
            "admin": declared.admin,
            "condition": condition(declared),
            "effect": effect(declared),
            "changes": ", ".join(f"`{field}`" for field in changes(declared)),
            "statuses": ", ".join(status.name for status in statuses(declared)),
        }
        for declared in OPERATIONS
    ]
    return {"rows": rows, "words": words()}
