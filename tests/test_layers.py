"""Does each package know only those below it? The promises, which people must read, know the language alone."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
ORDER = (
    "language", "spec", "model", "codegen", "corollary", "corollary.record", "emulation", "proofs", "proofs.mutants",
    "bench", "corollary.report", "corollary.commands", "tests")
"""The packages: each may import those before it and no other.

A folder that is not named belongs to the one above it.
"""
COMPONENTS = [path.name for path in (ROOT / "spec").iterdir() if (path / "__init__.py").exists()]


def package_of(name):
    """Return the package of a dotted name, or None if it is not ours."""
    steps = name.split(".")
    return next((prefix for count in range(len(steps), 0, -1) if (prefix := ".".join(steps[:count])) in ORDER), None)


def is_module(name):
    """Is there a file or a folder of that name?"""
    path = ROOT / name.replace(".", "/")
    return path.is_dir() or path.with_suffix(".py").exists()


def imported(path):
    """Return the modules that a file imports, anywhere in it."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            names = [f"{node.module}.{alias.name}" for alias in node.names]
            yield from (name if is_module(name) else node.module for name in names)


def modules(folder):
    """Return path, dotted name and imports of each Python file in a folder."""
    for path in sorted((ROOT / folder).rglob("*.py")):
        name = path.relative_to(ROOT).with_suffix("").as_posix()
        yield name, name.removesuffix("/__init__").replace("/", "."), set(imported(path))


def outside(package, allowed):
    """Return the forbidden imports of a package's modules among our own packages."""
    return [(path, name) for path, own, names in modules(package.replace(".", "/")) if package_of(own) == package
            for name in sorted(names) if package_of(name) not in (None, package, *allowed)]


@pytest.mark.parametrize("package", ORDER)
def test_a_package_imports_those_below_it_only(package):
    assert outside(package, ORDER[:ORDER.index(package)]) == []


@pytest.mark.parametrize("package", ["spec", "model"])
@pytest.mark.parametrize("component", COMPONENTS)
def test_components_do_not_import_one_another(package, component):
    others = {f"{other}.{name}" for other in ("spec", "model") for name in COMPONENTS if name != component}
    found = [(path, name) for path, _, names in modules(f"{package}/{component}") for name in sorted(names)
             if ".".join(name.split(".")[:2]) in others]
    assert found == [] and list(modules(f"{package}/{component}"))


def test_every_folder_of_python_has_its_place():
    folders = {path.parent.relative_to(ROOT).as_posix().replace("/", ".") for path in ROOT.glob("*/__init__.py")}
    assert folders == {package for package in ORDER if "." not in package}


def test_promises_know_the_language_alone():
    assert outside("spec", ("language",)) == [] and outside("language", ()) == []


def test_an_import_is_seen_wherever_it_stands(tmp_path):
    (tmp_path / "a.py").write_text("import one.two\ndef f():\n    from three import four\n    from language import types\n")
    assert set(imported(tmp_path / "a.py")) == {"one.two", "three", "language.types"}
    assert package_of("proofs.mutants.run") == "proofs.mutants" and package_of("proofs.oracle.cases") == "proofs"
    assert package_of("corollary.module") == "corollary" and package_of("json") is None
