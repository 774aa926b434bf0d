"""Does the host keep anything for the whole process? Only what is listed here, each with its reason."""

import ast
import dataclasses
import enum
import functools
import importlib
import pkgutil
import re
import struct
import threading
import types
import typing
from pathlib import Path

import pytest

import corollary
from corollary import library
from corollary.language.types import Enum
from corollary.once import once
from tests.corollary import stress

KEPT = {
    "corollary.compression.NEW": "a function of the interpreter",
    "corollary.compression.library": "a cache: the library of the store, which holds nothing; loaded twice, it is one",
    "corollary.vectors.library": "a cache: likewise the library of the store of vectors",
    "corollary.link.library": "a cache: likewise the library of the link",
    "corollary.library.LOADING": "a lock: two threads that begin at once load one library",
    "corollary.library.LOADED": "a cache: the library of C, by its flags, loaded once and never changed",
    "corollary.library.structure": "a cache: layouts of records, which are constants; all are made at import",
    "corollary.library.protect": "a cache: a function of the C library",
    "corollary.meter.RUNNING": "the calls that a thread is in: each thread has its own, and each call holds its own",
    "corollary.references.SERIAL": "a count: no two instances may have the same numbers; a step cannot be divided",
}
CONSTANT = (
    str,
    bytes,
    int,
    float,
    bool,
    tuple,
    frozenset,
    type(None),
    types.ModuleType,
    types.FunctionType,
    types.BuiltinFunctionType,
    type,
    struct.Struct,
    re.Pattern,
    range,
    enum.Enum,
)
COLLECTIONS = (dict, list, set)


def modules():
    """Return the modules of the package."""
    return [
        importlib.import_module(f"corollary.{found.name}")
        for found in pkgutil.iter_modules(corollary.__path__)
        if not found.ispkg
    ]


def named():
    """Return everything that a module or a class of the package holds, by its full name."""
    for module in modules():
        for name, value in vars(module).items():
            if name.startswith("__"):
                continue
            yield f"{module.__name__}.{name}", value
            if isinstance(value, type) and value.__module__ == module.__name__:
                for inner, held in vars(value).items():
                    if not inner.startswith("_"):
                        yield f"{module.__name__}.{name}.{inner}", held


def is_cache(value):
    """Does a function remember results?"""
    return hasattr(value, "cache_info")


DESCRIPTORS = (
    property,
    staticmethod,
    classmethod,
    once,
    types.MemberDescriptorType,
    types.GetSetDescriptorType,
    type(library.Slice.at),
)
OPTIONAL = type(typing.Optional[int])  # noqa: UP045 - the class of what Optional makes
TYPES = (typing.TypeVar, types.UnionType, types.GenericAlias, OPTIONAL)


def is_constant(value):
    """Is a value entirely immutable?"""
    frozen = (
        dataclasses.is_dataclass(value)
        and not isinstance(value, type)
        and vars(type(value))["__dataclass_params__"].frozen
    )
    return frozen or isinstance(value, (*CONSTANT, *DESCRIPTORS, *TYPES)) and not is_cache(value)


def test_nothing_is_kept_but_what_is_listed():
    found = {
        name for name, value in named() if name in KEPT or not is_constant(value) and not isinstance(value, COLLECTIONS)
    }
    own = {name for name in found if name in KEPT or not defined_elsewhere(name)}
    assert own == {*KEPT}


def defined_elsewhere(name):
    """Is the value only imported here, from another scanned module or from outside the package?"""
    module, _, last = name.rpartition(".")
    if module not in {each.__name__ for each in modules()}:
        return False
    tree = ast.parse(Path(importlib.import_module(module).__file__).read_text())
    return any(
        isinstance(node, ast.ImportFrom) and any((alias.asname or alias.name) == last for alias in node.names)
        for node in tree.body
    )


def test_collections_are_constants():
    before = {
        name: repr(value) for name, value in named() if isinstance(value, COLLECTIONS) and not name.endswith(".LOADED")
    }
    assert len(before) > 5
    stress.verdicts(numbers=1)
    from tests.wasm.test_wasi import run

    run("args", "one")
    assert {name: repr(value) for name, value in named() if name in before} == before


@pytest.mark.parametrize("path", sorted(Path(corollary.__path__[0]).glob("*.py")), ids=lambda path: path.stem)
def test_no_function_changes_what_a_module_holds(path):
    for node in ast.walk(ast.parse(path.read_text())):
        assert not isinstance(node, (ast.Global, ast.Nonlocal)), (path, node.lineno)
        if isinstance(node, (ast.FunctionDef, ast.Lambda)):
            defaults = [*node.args.defaults, *filter(None, node.args.kw_defaults)]
            assert not any(isinstance(default, (ast.List, ast.Dict, ast.Set)) for default in defaults), (
                path,
                node.lineno,
            )


def test_a_list_of_a_module_would_be_noticed(monkeypatch):
    class Cell:
        """An object that changes."""

    monkeypatch.setattr(corollary.module, "_made", Cell(), raising=False)
    with pytest.raises(AssertionError):
        test_nothing_is_kept_but_what_is_listed()
    assert not is_constant(threading.local()) and not is_constant(functools.lru_cache(len)) and is_constant(Enum)
