"""When is a proof still good? When nothing it depends on has changed.

The fingerprint of a function covers its IR and that of everything it calls, the layout of every type it
mentions, and nothing else: not lines, not comments. The prover itself is covered by the source text of the modules that
decide an obligation, and of whatever they import of it: who runs proofs, keeps them and tells of them is none of these.
"""

import ast
import hashlib
from dataclasses import fields, is_dataclass
from functools import lru_cache
from pathlib import Path

import z3

from spec.language import ir
from spec.language.frontend import translate
from spec.language.types import ArrayType, SliceType, is_enum, is_flags, is_scalar

UNIMPORTANT = {"line", "comments", "symbol"}
HERE = Path(__file__).parent
PACKAGES = ("proofs.", "codegen.")          # the prover, and what it knows of the C
WITHOUT = (__name__, "codegen.build", "codegen.image")
"""What has no part in a verdict: what makes keys, and what makes images, whose bytes are in the keys."""
DECIDING = ("proofs.prove", "proofs.cover")
"""The modules that decide what the promises bring; the others have keys of their own."""
LANGUAGE = [*sorted((HERE.parent / "spec" / "language").glob("*.py")), HERE.parent / "spec" / "operation.py"]
DERIVED = {"gate_perform", "gate_packed_object", "gate_packed_payload", "gate_arguments_told"}    # one branch an operation; see `of_operation`


def digest(*parts):
    """The SHA-256 of several texts, in hexadecimal."""
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


@lru_cache(maxsize=None)
def of_type(type_):
    """The text of a type: its values and its layout."""
    if type_ is None:
        return "none"
    if isinstance(type_, ArrayType):
        return f"{of_type(type_.element)}[{type_.length}]"
    if isinstance(type_, SliceType):
        return f"{of_type(type_.element)}[]"
    if is_enum(type_):
        return f"{type_.name}{[(m.name, int(m)) for m in type_]}"
    if is_flags(type_):
        return f"{type_.name}{type_.bits}"
    if is_scalar(type_):
        return f"{type_.name}<{type_.bound}"
    return f"{type_.name}{{{','.join(f'{k}:{of_type(t)}' for k, t in type_.fields.items())}}}"


def of_node(node):
    """The text of an IR node; calls are named by the fingerprint of what they call."""
    if isinstance(node, ir.Function):
        return of_function(node)
    if isinstance(node, tuple):
        return f"({','.join(map(of_node, node))})"
    if is_dataclass(node):
        inner = ",".join(of_node(getattr(node, f.name)) for f in fields(node) if f.name not in UNIMPORTANT)
        return f"{type(node).__name__}({inner})"
    if isinstance(node, (int, str, bool)) or node is None:
        return str(int(node)) if isinstance(node, int) else str(node)
    return digest(of_type(node))[:16]


_functions = {}


def of_function(function):
    """The fingerprint of a function of the language with all its callees."""
    if function.symbol in DERIVED:
        return function.symbol
    key = id(function)
    if key not in _functions:
        parameters = ",".join(f"{p.name}:{digest(of_type(p.type))[:16]}" for p in function.parameters)
        flags = f"{function.opaque}{function.hardware}"
        _functions[key] = digest(function.symbol, parameters, of_type(function.returns), of_node(function.body), flags)
    return _functions[key]


def of_property(property_):
    """The fingerprint of a promise."""
    return digest(property_.id, property_.sentence, of_function(translate(property_.function)))


def of_operation(declared):
    """The fingerprint of one operation: what the derived functions do for its number, and its own function."""
    parameters = ",".join(f"{name}:{of_type(type_)}" for name, type_ in declared.parameters)
    return digest(str(declared.number), declared.name, parameters, of_function(translate(declared.function)))


@lru_cache(maxsize=None)
def made_of(*modules):
    """The files of some modules of the prover and of all that they import of it."""
    found, pending = {}, list(modules)
    while pending:
        name = pending.pop()
        path = HERE.parent.joinpath(*name.split(".")).with_suffix(".py")
        if name.startswith(PACKAGES) and name not in (*WITHOUT, *found) and path.exists():
            found[name] = path
            pending += imported(path)
    return [found[name] for name in sorted(found)]


def imported(path):
    """The names of all that a file imports, and of what it imports from: some are no modules."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        if isinstance(node, ast.ImportFrom):
            yield from (node.module, *(f"{node.module}.{alias.name}" for alias in node.names))


def of_files(*paths):
    """The fingerprint of source texts."""
    return digest(*(path.read_text() for path in paths))


@lru_cache(maxsize=None)
def prover():
    """The fingerprint of the prover and the solver."""
    return digest(z3.get_full_version(), of_files(*made_of(*DECIDING), *LANGUAGE))
