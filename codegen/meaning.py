"""What does the machine mean to those who keep a snapshot and those who go on with it?

They must agree on every bytecode, on what a module is translated to, and on every layout. This module says all that
line by line. Comments have no part in it, nor has C, nor have the names of functions, locals and constants, nor what
only proofs read.

`generated/reference/machine.txt` has the lines. Their SHA-256 is the identity of the machine (`codegen/released.py`),
which every snapshot carries. A release keeps a copy in `spec/wasm/released/`, whose numbers stay for ever.
"""

import ast
import hashlib
import inspect
import sys
from dataclasses import fields
from functools import cache

from corollary.language import ir
from corollary.language.frontend import translate
from corollary.language.types import ArrayType, SliceType, is_enum, is_flags
from corollary.language.values import RecordMeta
from corollary.model.wasm import decoder, reference, snapshot, translator
from corollary.spec.kernel.interface import lost, spelled
from corollary.spec.wasm.internal import OPERATIONS
from corollary.spec.wasm.machine import Outcome
from corollary.spec.wasm.refusals import Refusal
from corollary.spec.wasm.snapshot import Fault
from corollary.spec.wasm.traps import Trap
from corollary.spec.wasm.values import ValueType

SOURCES = (
    "spec/wasm/bytecodes.py",
    "spec/wasm/internal.py",
    "spec/wasm/machine.py",
    "spec/wasm/module.py",
    "model/wasm/reference.py",
    "model/wasm/decoder.py",
    "model/wasm/translator.py",
    "model/wasm/snapshot.py",
)
VOCABULARIES = (Outcome, Trap, Refusal, Fault, ValueType)  # that hosts, guests and snapshots speak
SILENT = {"line", "comments", "symbol", "promises", "measure"}  # parts of a node without a part in what it does
NAMING = {ir.Root: "name", ir.Local: "name", ir.Alias: "name", ir.Declare: "name", ir.For: "variable"}
"""The nodes that name a local, and where."""


# ---- what a function does


@cache
def identity_of(python):
    """Return the identity of a function of the language, in hexadecimal: of what it does, and all that it calls."""
    return identity(translate(python))


def identity(function):
    """Return the same for a function that is translated already.

    The body of an intrinsic is Python: it counts with the syntax of its whole module.
    """
    if function.intrinsic:
        return digest(function.name, syntax(function.python.__module__))
    names = {}
    parameters = [f"{local(parameter.name, names)}:{parameter.type.name}" for parameter in function.parameters]
    return digest(*parameters, typed(function.returns), said(function.body, names))


def digest(*parts):
    """Return the first half of the SHA-256 of some texts."""
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:32]


def local(name, names):
    """Return what a local is called: the how manyth it is in its function."""
    return f"local {names.setdefault(name, len(names))}"


def typed(type_):
    """Return the name of a type. What it consists of has a line of its own."""
    return type_.name if type_ is not None else "none"


def said(node, names):
    """Return the text of a node, or of several. `names` are the locals so far, which this adds to."""
    if isinstance(node, ir.TypedFunction):
        return identity(node) if node.python is None else identity_of(node.python)
    if isinstance(node, tuple):
        return f"({','.join(said(each, names) for each in node)})"
    if node is None or isinstance(node, (int, str)):
        return repr(node if isinstance(node, str) or node is None else int(node))
    inner = ",".join(part(node, each.name, names) for each in fields(node) if each.name not in SILENT)
    return f"{type(node).__name__}({inner})"


def part(node, name, names):
    """Return the text of one field of a node."""
    value = getattr(node, name)
    if name == "type":
        return typed(value)
    return local(value, names) if NAMING.get(type(node)) == name else said(value, names)


@cache
def syntax(module):
    """Return the syntax of a module without its docstrings."""
    tree = ast.parse(inspect.getsource(sys.modules[module]))
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.FunctionDef, ast.ClassDef)) and ast.get_docstring(node):
            node.body = node.body[1:]
    return ast.dump(tree)


# ---- the types that functions speak of


def types_of(functions):
    """Return the types with members or fields that functions and their callees mention, each once."""
    found, seen, pending = {}, set(), list(functions)
    while pending:
        function = pending.pop()
        if id(function) not in seen:
            seen.add(id(function))
            nodes = list(ir.walk(function.body))
            pending += [node.function for node in nodes if isinstance(node, ir.Call)]
            for each in (*function.parameters, *nodes):
                add_type(getattr(each, "type", None), found)
            add_type(function.returns, found)
    return list(found.values())


def add_type(type_, found):
    """Add a type and all that it consists of to those that were found."""
    if isinstance(type_, (ArrayType, SliceType)):
        add_type(type_.element, found)
    elif isinstance(type_, RecordMeta) and type_.name not in found:
        found[type_.name] = type_
        for inner in type_.fields.values():
            add_type(inner, found)
    elif type_ is not None and (is_enum(type_) or is_flags(type_)):
        found[type_.name] = type_


# ---- the machine


def bytecode(operation, function):
    """Say what a bytecode is: its number, its name, its fields, and the identity of what it does."""
    told = operation.fields.text.split()
    return " ".join(["bytecode", str(operation.number), operation.name, *told, identity_of(function)])


def functions():
    """Return what a snapshot depends on besides bytecodes: the functions that make code, and that let it go on."""
    return decoder.decode, translator.translate, snapshot.check


def meaning():
    """Yield, line by line, all that a machine that keeps an instance and one that goes on with it must agree on."""
    yield from map(bytecode, OPERATIONS, reference.FUNCTIONS)
    yield from (f"function {translate(function).symbol} {identity_of(function)}" for function in functions())
    types = types_of(map(translate, (*reference.FUNCTIONS, *functions())))
    yield from map(spelled, sorted({*types, *VOCABULARIES}, key=lambda type_: type_.name))


def changed(lines):
    """Return the lines of a release that no longer hold: numbers, names and fields of bytecodes, and vocabularies."""
    names = {type_.__name__ for type_ in VOCABULARIES}
    stay = [line for line in map(without_identity, lines) if line.split()[0] in {"bytecode", *names}]
    return lost(stay, [*map(without_identity, meaning())], names)


def without_identity(line):
    """Return the line of a bytecode without what it does, and any other line as it is."""
    return line.rpartition(" ")[0] if line.startswith("bytecode ") else line
