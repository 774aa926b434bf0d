"""Does each layer know only those below it? What people must read, the promises, knows the language alone."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
BELOW = {"language": set(), "spec": {"language"}, "model": {"language", "spec"}}
COMPONENTS = [path.name for path in (ROOT / "spec").iterdir() if (path / "__init__.py").exists()]
OURS = {path.parent.name for path in ROOT.glob("*/__init__.py")}


def imported(path):
    """The modules that a file imports, wherever in it."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (node.module, *(f"{node.module}.{alias.name}" for alias in node.names))


def modules(folder):
    """The files of a folder that are Python, and what each imports."""
    return [(path.relative_to(ROOT).as_posix(), set(imported(path))) for path in sorted((ROOT / folder).rglob("*.py"))]


@pytest.mark.parametrize("layer", BELOW)
def test_a_layer_imports_those_below_it_only(layer):
    others = OURS - BELOW[layer] - {layer}
    found = [(path, name) for path, names in modules(layer) for name in names if name.split(".")[0] in others]
    assert found == [] and modules(layer)


@pytest.mark.parametrize("component", COMPONENTS)
@pytest.mark.parametrize("layer", ["spec", "model"])
def test_components_do_not_import_one_another(layer, component):
    others = {f"{other}.{name}" for other in BELOW for name in COMPONENTS if name != component}
    found = [(path, name) for path, names in modules(f"{layer}/{component}") for name in names
             if ".".join(name.split(".")[:2]) in others]
    assert found == [] and modules(f"{layer}/{component}")


def test_an_import_is_seen_wherever_it_stands(tmp_path):
    (tmp_path / "a.py").write_text("import one.two\ndef f():\n    from three import four\n")
    assert set(imported(tmp_path / "a.py")) == {"one.two", "three", "three.four"}
