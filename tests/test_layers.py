"""Does each package know only those below it? The promises, which people must read, know the language alone."""

import ast
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[1]
ORDER = (
    "corollary.language",
    "corollary.spec",
    "corollary.model",
    "corollary.codegen",
    "corollary",
    "corollary.components",
    "corollary.runtime",
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
ROOMS = AT_THE_TOP - sys.stdlib_module_names  # Python has a module `platform`, too; ours has no Python
BESIDE = ("docs", "tools")  # folders of Python that no wheel has
COMMON = ("corollary.spec.kernel.sha256", "corollary.spec.wasm.floats")  # are about no component
OF_THE_KERNEL = ("corollary.proofs.outside",)  # about code that runs before the kernel boots, and beside it
COMPUTED = {
    "corollary.language.component": "a component is found by its name, or in the folder of the user",
    "corollary.model.kernel": "all modules with operations are loaded, in an order",
    "corollary.model.kernel.promises": "all modules with promises are loaded",
    "corollary.codegen.program": "the source of a function is read where the function stands",
    "corollary.codegen.words": "the words of a module are read",
    "corollary.proofs.fingerprint": "what a proof reads is found by the names in its source",
    "corollary.proofs.steps": "the component names the module about its image",
    "corollary.proofs.mutants.prover": "a mutant names its module",
    "corollary.proofs.mutants.run": "a mutant names its module",
    "corollary.proofs.mutants.source": "a mutant names its module",
    "corollary.proofs.mutants.wrong_rules": "a mutant names its module",
}
"""The modules that import something whose name is computed, and why."""
IMPORTERS = {"import_module", "__import__", "run_module", "resolve_name"}
ABOUT = {"handover": {"manager"}}
"""The components that are about what others do together."""
COMPONENTS = [path.name for path in (ROOT / "spec").iterdir() if (path / "__init__.py").exists()]


def package_of(name):
    """Return the package of a dotted name, or None if it is not ours."""
    steps = name.split(".")
    return next((prefix for count in range(len(steps), 0, -1) if (prefix := ".".join(steps[:count])) in ORDER), None)


def is_module(name):
    """Is there a file or a folder of that name?"""
    path = ROOT / name.replace(".", "/")
    return (path / "__init__.py").exists() or path.with_suffix(".py").exists()


def imported(path, own="", inside=False):
    """Return the modules that a file imports, anywhere in it.

    `own` is the dotted name of the file, which relative imports begin at; `inside` says that it is a package itself.
    """
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            home = home_of(node, own.split("."), inside)
            names = [f"{home}.{alias.name}" for alias in node.names]
            yield from (name if is_module(name) else home for name in names)
        elif is_import(node) and (name := spelled(node)) is not None:
            yield name


def home_of(node, own, inside):
    """Return the absolute name of the module that `from` names."""
    if not node.level:
        return node.module
    above = own[: len(own) + inside - node.level]
    return ".".join([*above, *([node.module] if node.module else [])])


def is_import(node):
    """Is this a call that imports, or finds, a module by its name?"""
    if not isinstance(node, ast.Call):
        return False
    called = node.func
    return IMPORTERS & {getattr(called, "id", None), getattr(called, "attr", None)} != set()


def named(node):
    """Return what a call that imports is given for a name."""
    return node.args[0] if node.args else next((each.value for each in node.keywords), None)


def spelled(node) -> Any:
    """Return the name that a call imports, as far as it is written down; None if it is computed from the beginning."""
    name: Any = named(node)
    if isinstance(name, ast.JoinedStr) and isinstance(name.values[0], ast.Constant):
        return str(name.values[0].value).rpartition(".")[0] or None
    return name.value if isinstance(name, ast.Constant) else None


def computes(path):
    """Does a file import something whose name is computed?"""
    calls = [node for node in ast.walk(ast.parse(path.read_text())) if is_import(node)]
    return any(not isinstance(named(node), ast.Constant) for node in calls)


def modules(package):
    """Return path, dotted name and imports of each Python file in the folder of a package."""
    for path, own in sources(package):
        yield path.with_suffix("").relative_to(ROOT).as_posix(), own, set(imported(path, own, path.stem == "__init__"))


def sources(package):
    """Return path and dotted name of each Python file in the folder of a package, and of each that says its names."""
    folder = ROOT / package.replace(".", "/")
    for path in sorted((*folder.rglob("*.py"), *folder.rglob("*.pyi"))):
        yield path, path.relative_to(ROOT).with_suffix("").as_posix().removesuffix("/__init__").replace("/", ".")


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
    strange = {*COMPONENTS} - {component, *ABOUT.get(component, ())}
    others = {f"corollary.{other}.{name}" for other in ("spec", "model") for name in strange}
    found = [
        (path, name)
        for path, _, names in modules(f"corollary.{package}.{component}")
        for name in sorted(names)
        if ".".join(name.split(".")[:3]) in others and name not in COMMON
    ]
    assert found == [] and list(modules(f"corollary.{package}.{component}"))


@pytest.mark.parametrize("package", ORDER[:-1])
def test_what_is_installed_imports_nothing_beside_it(package):
    found = [(path, name) for path, _, names in modules(package) for name in names if name.split(".")[0] in BESIDE]
    assert found == []


def test_who_computes_the_name_of_an_import_is_listed():
    found = {own for package in ORDER[:-1] for path, own in sources(package) if computes(path)}
    assert found == COMPUTED.keys()


LOADED = """import importlib, json, pkgutil, sys
package = importlib.import_module(sys.argv[1])
for found in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
    importlib.import_module(found.name)
print(json.dumps([*sys.modules]))"""


def loaded(package, before=""):
    """Return our packages that are in a process once every module of one package was imported there."""
    command = [sys.executable, "-c", before + LOADED, package]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return {package_of(name) for name in json.loads(done.stdout)} - {None, "corollary"}


@pytest.mark.parametrize("package", ORDER[:3])
def test_nothing_above_is_there_once_a_package_was_imported(package):
    """Whatever way an import takes, it leaves a module; what users import, `corollary`, loads nothing by itself."""
    assert loaded(package) <= {*ORDER[: ORDER.index(package) + 1]}


def test_a_hidden_import_would_be_there():
    hidden = "exec('import corollary' + '.model.kernel.ring');"
    assert "corollary.model" in loaded("corollary.spec", hidden)


def test_the_picture_shows_each_package_in_order():
    picture = (ROOT / "ARCHITECTURE.md").read_text().split("```mermaid\n")[1].split("```")[0]
    shown = re.findall(r"([\w/]+)/(?=<br>|,)", picture)
    names = [package.removeprefix("corollary.") for package in ORDER[:-1]]
    folders = [
        name.replace(".", "/") if name.split(".")[0] in (*AT_THE_TOP, "corollary") else f"corollary/{name}"
        for name in names
    ]
    assert shown == folders


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
    (tmp_path / "b.py").write_text(
        "from . import this\nfrom ..model import gate\nfrom .near import far\n"
        "import_module('corollary.model.kernel')\nimportlib.import_module(name='corollary.record')\n"
        "__import__(f'corollary.proofs.{name}')\nimport_module(name)\n"
    )
    assert set(imported(tmp_path / "b.py", "corollary.spec.kernel")) == {
        "corollary.spec",
        "corollary.spec.near",
        "corollary.model",
        "corollary.model.kernel",
        "corollary.record",
        "corollary.proofs",
    }
    assert computes(tmp_path / "b.py") and not computes(tmp_path / "a.py")
    assert (
        package_of("corollary.proofs.mutants.run") == "corollary.proofs.mutants"
        and package_of("corollary.proofs.oracle.cases") == "corollary.proofs"
    )
    assert package_of("corollary.module") == "corollary" and package_of("json") is None
