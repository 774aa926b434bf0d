"""Does the list of all promises contain every written promise, and does the gate know every operation?"""

import ast
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from corollary.language.property import conserved, corollary, invariant, theorem
from corollary.model import kernel
from corollary.model.kernel.gate import OPERATIONS
from corollary.model.kernel.promises import CONDITIONS, EFFECTS

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("spec", "model", "language", "proofs", "codegen")  # the packages of the prover
DECLARING = PACKAGES[:2]
DECLARE = {mark.__name__ for mark in (invariant, conserved, corollary, theorem)}
REGISTRIES = {"PROMISES", "promises_of"}
ASK = """
from corollary.model.components import ALL
for each in ALL:
    print(*each.invariants, *each.conserved, *each.corollaries, *each.theorems)
"""
IN_ORDER = """
from importlib import import_module
import_module("{first}")
from corollary.model.kernel.promises import REGISTRIES
from corollary.model.kernel.report import INVARIANT_IDS
print(INVARIANT_IDS, {{kind: list(registry) for kind, registry in REGISTRIES.items()}})
"""
FIRST = ("corollary.spec.kernel.state", "corollary.model.kernel.gate", "corollary.model.kernel.report")
ADDED = """
from corollary.language.property import invariant
from corollary.spec.kernel.state import Kernel


@invariant("NEW-{package}", "nothing imports this module")
def added(s: Kernel) -> bool:
    return True
"""


def sources(root, *packages):
    """Return the modules of some packages: their paths and trees."""
    return [
        (path, ast.parse(path.read_text())) for package in packages for path in sorted((root / package).rglob("*.py"))
    ]


def promising(package):
    """Return the modules of the kernel in a package that declare an invariant: their paths and trees."""
    return [(path, tree) for path, tree in sources(ROOT, f"{package}/kernel") if decorators(tree, {"invariant"})]


def decorators(tree, names):
    """Return the decorators of a function that call one of these names."""
    return [
        mark
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef)
        for mark in node.decorator_list
        if isinstance(mark, ast.Call) and isinstance(mark.func, ast.Name) and mark.func.id in names
    ]


def operations(tree):
    """Return the functions that carry out hypercalls."""
    return [
        node.name
        for node in tree.body
        if isinstance(node, ast.FunctionDef)
        for mark in node.decorator_list
        if isinstance(mark, ast.Name) and mark.id == "operation"
    ]


@pytest.mark.parametrize("package", DECLARING)
def test_no_promise_is_forgotten(tmp_path, package):
    for name in PACKAGES:
        shutil.copytree(ROOT / name, tmp_path / "corollary" / name)
    for name in ("__init__.py", "__init__.pyi"):
        shutil.copy(ROOT / "corollary" / name, tmp_path / "corollary")
    (tmp_path / "corollary" / package / "kernel" / "added.py").write_text(ADDED.format(package=package))
    done = subprocess.run([sys.executable, "-c", ASK], cwd=tmp_path, capture_output=True, text=True, env={})
    written = [
        ast.literal_eval(mark.args[0])
        for _, tree in sources(tmp_path / "corollary", *DECLARING)
        for mark in decorators(tree, DECLARE)
    ]
    assert f"NEW-{package}" in written
    assert sorted(done.stdout.split()) == sorted(written), done.stderr


def test_no_order_or_table_depends_on_what_is_imported_first():
    modules = [f"corollary.{package}.kernel.{path.stem}" for package in DECLARING for path, _ in promising(package)]
    asked = [IN_ORDER.format(first=first) for first in (*FIRST, *modules)]
    told = {subprocess.check_output([sys.executable, "-c", ask], text=True) for ask in asked}
    assert len(modules) > 5 and len(told) == 1


@pytest.mark.parametrize("registry", [CONDITIONS, EFFECTS], ids=["succeeds", "ensures"])
def test_every_operation_that_may_succeed_promises_it_and_no_other_does(registry):
    promised = [name for promise in registry.values() for name in promise.about]
    assert sorted(promised) == sorted(declared.name for declared in OPERATIONS if not declared.admin)


@pytest.mark.long
def test_whoever_asks_for_all_promises_asks_where_they_are_complete():
    takers = {
        path.relative_to(ROOT).as_posix()
        for path, tree in sources(ROOT, *PACKAGES, "tools", "tests")
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        and node.module == "corollary.language.property"
        and REGISTRIES & {name.name for name in node.names}
    }
    assert takers == {"model/kernel/promises.py", "language/component.py", "proofs/cache.py"}


def test_the_gate_sees_every_module_with_operations():
    declaring = {path.stem for path, tree in sources(ROOT, "model/kernel") if operations(tree)}
    assert declaring == set(kernel.WITH_OPERATIONS) and len(declaring) == len(kernel.WITH_OPERATIONS)


def test_who_acts_by_itself_stands_under_its_own_heading():
    text = (ROOT / "spec" / "kernel" / "integrity.py").read_text()
    calls, by_itself = text.split("# ---- what happens without a call\n")
    assert "about=by_itself" not in calls
    assert by_itself.count("@theorem(") == by_itself.count("about=by_itself") > 3
