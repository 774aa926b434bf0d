"""Is every enumerator used? One that only holds its number says `reserved`."""

import ast
import re
from importlib import import_module
from pathlib import Path

import pytest

from corollary.language.types import EnumMeta, FlagsMeta
from corollary.spec.kernel.interface import NAMES

ROOT = Path(__file__).resolve().parents[2]
ROOMS = ("spec", "model", "corollary", "codegen", "emulation")
FILES = [path for room in ROOMS for path in sorted((ROOT / room).rglob("*.py"))]
TREES = {path: ast.parse(path.read_text()) for path in FILES if not any(above.is_symlink() for above in path.parents)}


def attributes(tree):
    """Yield the last two parts of each dotted name: of what, and which."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, (ast.Name, ast.Attribute)):
            yield node.value.id if isinstance(node.value, ast.Name) else node.value.attr, node.attr


def looked_up(tree):
    """Yield the enumerations of which a member is had by a name that is computed or given: each may be used."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load) and isinstance(node.value, ast.Name):
            if not isinstance(node.slice, ast.Constant):
                yield node.value.id


USED = {pair for tree in TREES.values() for pair in attributes(tree)}
LOOKED_UP = {name for tree in TREES.values() for name in looked_up(tree)}
IN_GUESTS = {name for path in (ROOT / "guests").glob("*.[ch]") for name in re.findall(r"[A-Z_]+", path.read_text())}


def written_types():
    """Yield every enumeration and every type of flags that is written as a class."""
    for path, tree in TREES.items():
        classes = [node for node in tree.body if isinstance(node, ast.ClassDef)]
        names = [node.name for node in classes if {"Enum", "Flags"} & {getattr(base, "id", "") for base in node.bases}]
        module = path.relative_to(ROOT).with_suffix("").as_posix().replace("/", ".").removeprefix("corollary.")
        written = (getattr(import_module(f"corollary.{module}"), name) for name in names)
        yield from (type_ for type_ in written if isinstance(type_, (EnumMeta, FlagsMeta)))  # those of the language


TYPES = {f"{type_.__module__}.{type_.__name__}": type_ for type_ in written_types()}


def unused(type_):
    """Return the members that nothing names.

    A zero is what a field holds in which nothing was stored. Enumerators that callers of the kernel pass are for them.
    Guests in C name a member with its type before it.
    """
    members = type_.members if isinstance(type_, FlagsMeta) else type_.__members__
    if isinstance(type_, EnumMeta) and type_.__name__ in NAMES.keys() | LOOKED_UP:
        return set()
    left = {name for name, value in members.items() if value != 0 and (type_.__name__, name) not in USED}
    return {name for name in left if f"{type_.__name__.upper()}_{name}" not in IN_GUESTS}


@pytest.mark.parametrize("name", TYPES)
def test_what_nothing_uses_is_reserved_and_nothing_else_is(name):
    type_ = TYPES[name]
    assert unused(type_) == {member for member, note in type_.notes.items() if note == "reserved"}


def test_there_are_types_and_some_of_their_names_are_reserved():
    assert len(TYPES) > 30 and unused(TYPES["corollary.spec.ring.Scope"]) == {"SESSION"}
