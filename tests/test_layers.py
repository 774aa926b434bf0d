"""Does each package know only those below it? The promises, which people must read, know the language alone."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
ORDER = (
    "corollary.language",
    "corollary.spec",
    "corollary.model",
    "corollary.codegen",
    "corollary",
    "corollary.record",
    "corollary.emulation",
    "corollary.proofs",
    "corollary.proofs.mutants",
    "corollary.bench",
    "corollary.report",
    "corollary.commands",
    "tests",
)
"""The packages: each may import those before it and no other.

A folder that is not named belongs to the one above it.
"""
AT_THE_TOP = {path.name for path in (ROOT / "corollary").iterdir() if path.is_symlink()}
ROOMS = {name for name in AT_THE_TOP if (ROOT / name / "__init__.py").exists()}
OF_THE_KERNEL = ("corollary.proofs.outside",)  # about code that runs before the kernel boots, and beside it
COMPONENTS = [path.name for path in (ROOT / "spec").iterdir() if (path / "__init__.py").exists()]


def package_of(name):
    """Return the package of a dotted name, or None if it is not ours."""
    steps = name.split(".")
    return next((prefix for count in range(len(steps), 0, -1) if (prefix := ".".join(steps[:count])) in ORDER), None)


def is_module(name):
    """Is there a file or a folder of that name?"""
    path = ROOT / name.replace(".", "/")
    return (path / "__init__.py").exists() or path.with_suffix(".py").exists()


def imported(path):
    """Return the modules that a file imports, anywhere in it."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            names = [f"{node.module}.{alias.name}" for alias in node.names]
            yield from (name if is_module(name) else node.module for name in names)


def modules(package):
    """Return path, dotted name and imports of each Python file in the folder of a package."""
    folder = ROOT / package.replace(".", "/")
    for path in sorted(folder.rglob("*.py")):
        name = path.relative_to(ROOT).with_suffix("").as_posix()
        yield name, name.removesuffix("/__init__").replace("/", "."), set(imported(path))


def outside(package, allowed):
    """Return the forbidden imports of a package's modules among our own packages."""
    return [
        (path, name)
        for path, own, names in modules(package)
        if package_of(own) == package
        for name in sorted(names)
        if package_of(name) not in (None, package, *allowed)
    ]


@pytest.mark.parametrize("package", ORDER)
def test_a_package_imports_those_below_it_only(package):
    assert outside(package, ORDER[: ORDER.index(package)]) == []


@pytest.mark.parametrize("package", ["spec", "model"])
@pytest.mark.parametrize("component", COMPONENTS)
def test_components_do_not_import_one_another(package, component):
    others = {f"corollary.{other}.{name}" for other in ("spec", "model") for name in COMPONENTS if name != component}
    found = [
        (path, name)
        for path, _, names in modules(f"corollary.{package}.{component}")
        for name in sorted(names)
        if ".".join(name.split(".")[:3]) in others
    ]
    assert found == [] and list(modules(f"corollary.{package}.{component}"))


def test_every_folder_of_python_has_its_place():
    folders = {path.parent.name for path in ROOT.glob("*/__init__.py")}
    assert folders == {
        "corollary",
        "tests",
        *(package.split(".")[1] for package in ORDER if package.split(".")[-1] in AT_THE_TOP),
    }


def test_folders_at_the_top_are_rooms_of_the_package():
    assert all((ROOT / "corollary" / name).resolve() == ROOT / name for name in AT_THE_TOP)


def test_no_module_has_two_names():
    """A room is imported through the package only, or its modules would exist twice in one process."""
    for package in ORDER:
        assert [
            (path, name) for path, _, names in modules(package) for name in names if name.split(".")[0] in ROOMS
        ] == []


def of_kernel(package):
    """Return what the modules of a package import of the kernel, other than the folders below."""
    rooms = tuple(f"corollary.{room}.kernel" for room in ("spec", "model", "codegen"))
    return [
        (path, name)
        for path, own, names in modules(package)
        if own.rpartition(".")[0] == package and own not in OF_THE_KERNEL
        for name in sorted(names)
        if name.startswith(rooms)
    ]


def test_the_prover_knows_no_component():
    assert of_kernel("corollary.proofs") == []
    assert of_kernel("corollary.proofs.machine") != []  # it is about one image


def test_to_verify_a_component_the_kernel_is_not_loaded():
    text = "import sys, corollary.proofs.verify; print([name for name in sys.modules if '.kernel' in name])"
    assert subprocess.run([sys.executable, "-c", text], cwd=ROOT, capture_output=True, text=True).stdout == "[]\n"


def test_promises_know_the_language_alone():
    assert outside("corollary.spec", ("corollary.language",)) == [] and outside("corollary.language", ()) == []


def test_an_import_is_seen_wherever_it_stands(tmp_path):
    (tmp_path / "a.py").write_text(
        "import one.two\ndef f():\n    from three import four\n    from corollary.language import types\n"
    )
    assert set(imported(tmp_path / "a.py")) == {"one.two", "three", "corollary.language.types"}
    assert (
        package_of("corollary.proofs.mutants.run") == "corollary.proofs.mutants"
        and package_of("corollary.proofs.oracle.cases") == "corollary.proofs"
    )
    assert package_of("corollary.module") == "corollary" and package_of("json") is None
