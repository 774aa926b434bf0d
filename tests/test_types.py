"""Does the type checker notice what is wrong, and does it help where programs of the language are written?"""

import importlib.resources
import inspect
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

import corollary
from tools import check_types, stubs

ROOT = Path(__file__).resolve().parents[1]
CALLS = {
    "corollary": ("corollary", "Limits", "pages=1"),
    "bench": ("corollary.bench.programs", "Program", '"name", "what", Path(), Path()'),
    "codegen": ("corollary.codegen.program", "Constant", '"NAME", 1, None, "module", "note", False, 1'),
    "commands": ("corollary.commands.doctor", "Finding", '"what", "why", "verdict", "remedy"'),
    "emulation": ("corollary.emulation.traces", "Preempt", "1"),
    "language": ("corollary.language.types", "LanguageError", '"message"'),
    "mutants": ("corollary.proofs.mutants.breaks", "Break", '"n", "w", "m", "old", "new", "operation", "property"'),
    "proofs": ("corollary.proofs.machine.lift", "Varnode", '"register", 0, 8'),
    "record": ("corollary.record.audit", "Query", "since=0"),
    "report": ("corollary.report.trust", "Box", '"key", "text", "about", "link", "style", 1, 2'),
    "tests": ("tests.wasm.script", "Place", '"file", 1'),
    "tools": ("tools.check_types", "main", "everything=True"),
}
"""Something of each package, and how it is called."""
SHOWN = {
    "s": "Kernel",
    "s.capability[c]": "Capability",
    "s.capability[c].kind": "ObjectKind",
    "s.capability[c].rights": "Right",
    "s.capability[c].generation": "u32",
    "s.capability[c].generation + 1": "int",
    "s.partition[0].tools[0]": "u8",
    "s.partition[0].bucket.credit": "u64",
    "s.capability[c].rights & Right.READ": "int",
    "u32(7)": "u32",
    "u32.truncate(7)": "int",
    "u32.bits": "int",
    "local(Capability)": "Capability",
    "Kernel.layout.size": "int",
}
"""Expressions of a program of the language, with their types."""
PROGRAM = """
from corollary.language.types import u32
from corollary.language.values import local
from corollary.spec.kernel.state import Capability, CapabilityId, Kernel
from corollary.spec.kernel.vocabulary import Right


def program(s: Kernel, c: CapabilityId) -> None:
"""


def public():
    """Yield the name and the value of everything that users call: functions, classes, methods and properties."""
    for name in corollary.__all__:
        value = getattr(corollary, name)
        yield f"corollary.{name}", value
        for key, member in vars(value).items() if inspect.isclass(value) else ():
            if not key.startswith("_") and (inspect.isfunction(member) or isinstance(member, (classmethod, property))):
                yield f"corollary.{name}.{key}", member


def wrong(module, name, arguments):
    """Return a program of a right call in line 5, and then a wrong one in each line."""
    given = arguments.split(", ")
    first = re.sub(r"^(\w+=|).*", r"\1None", given[0])
    return "\n".join(
        (
            "from pathlib import Path",
            "",
            f"from {module} import {name}",
            "",
            f"{name}({arguments})",
            f"{name}(*((1,) * 3), surplus=2)",
            f"{name}.nothing",
            f"{name}({', '.join([first, *given[1:]])})",
            "",
        )
    )


@pytest.fixture(scope="module")
def said(tmp_path_factory):
    """Return what the checker says of all programs: `(file, line) -> messages`."""
    folder = ROOT / "build" / tmp_path_factory.getbasetemp().name / "typed"
    folder.mkdir(parents=True, exist_ok=True)
    programs = {f"wrong_{package}": wrong(*call) for package, call in CALLS.items()}
    programs["shown"] = PROGRAM + "".join(f"    reveal_type({each})\n" for each in SHOWN)
    programs["public"] = "import corollary\n" + "".join(f"reveal_type({name})\n" for name, _ in public())
    paths = [folder / f"{name}.py" for name in programs]
    for path, text in zip(paths, programs.values()):
        path.write_text(text)
    asked = [sys.executable, "-m", check_types.CHECKER, "--outputjson", *map(str, paths)]
    try:
        done = subprocess.run(asked, cwd=ROOT, capture_output=True, text=True)
    finally:
        for path in paths:
            path.unlink()
    found = {}
    for each in json.loads(done.stdout)["generalDiagnostics"]:
        key = Path(each["file"]).stem, each["range"]["start"]["line"] + 1
        found.setdefault(key, []).append((each.get("rule", ""), each["message"]))
    return found


@pytest.mark.parametrize("package", CALLS)
def test_a_wrong_call_of_each_package_is_noticed(said, package):
    rules = [{rule for rule, _ in said.get((f"wrong_{package}", line), [])} for line in (5, 6, 7, 8)]
    assert not rules[0] and "reportCallIssue" in rules[1]
    assert rules[2] & {"reportAttributeAccessIssue", "reportFunctionMemberAccess"}
    assert rules[3] == {"reportArgumentType"}


@pytest.mark.parametrize("expression", SHOWN)
def test_an_editor_knows_the_types_of_a_program_of_the_language(said, expression):
    line = 1 + PROGRAM.count("\n") + list(SHOWN).index(expression)
    assert said["shown", line] == [("", f'Type of "{expression}" is "{SHOWN[expression]}"')]


def test_what_users_call_is_typed(said):
    assert (importlib.resources.files("corollary") / "py.typed").is_file()
    for line, (name, value) in enumerate(public(), 2):
        ((_, told),) = said["public", line]
        assert "Unknown" not in told, told
        called = value.fget if isinstance(value, property) else getattr(value, "__func__", value)
        if inspect.isfunction(called):
            assert untyped(called) == [], name


def untyped(function):
    """Return the parameters of a function without a type, and `return` if it does not say what it returns."""
    shape = inspect.signature(function)
    given = [each for each in shape.parameters.values() if each.name not in ("self", "cls")]
    found = [each.name for each in given if each.annotation is each.empty]
    return [*found, *(["return"] if shape.return_annotation is shape.empty else [])]


def test_what_is_not_typed_is_noticed():
    assert untyped(lambda one, other=2: one) == ["one", "other", "return"] and untyped(Path.cwd) == ["return"]


def test_the_stub_of_z3_is_what_the_package_says():
    assert stubs.STUB.read_text() == stubs.stub()


def test_a_file_is_checked_again_when_something_below_it_changes():
    digests, path = check_types.digests(), "corollary/language/types.py"
    kept = check_types.content
    try:
        check_types.content = lambda name: kept(name) + (b"\n" if name == path else b"")
        again = check_types.digests()
    finally:
        check_types.content = kept
    changed = {name for name in digests if digests[name] != again[name]}
    assert {path, "corollary/proofs/symbolic.py", "tests/language/test_values.py"} <= changed
    assert "corollary/language/ir.py" not in changed and "tools/check_types.py" not in changed
