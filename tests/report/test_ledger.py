"""Does the trust ledger have a row for everything that no proof covers?"""

import re
from pathlib import Path

from corollary.language import ir
from corollary.language.frontend import translate
from corollary.model.kernel.action import contain, guest_store, preempt
from corollary.model.kernel.boot import boot
from corollary.model.kernel.component import KERNEL
from corollary.model.kernel.device import device_write
from corollary.model.kernel.gate import dispatch
from corollary.model.kernel.promises import CONDITIONS, CONSERVED, COROLLARIES, EFFECTS, INVARIANTS, THEOREMS
from corollary.proofs.machine.obligations import BUILDS, built
from corollary.proofs.machine.summary import named
from corollary.proofs.machine.system import covered
from corollary.report.ledger import ROOT, rows
from corollary.spec.kernel.observation import SEALED

ENTRIES = (boot, dispatch, preempt, contain, guest_store, device_write)


def promises(*registries):
    """Return the functions of some promises."""
    return [item.function for registry in registries for item in registry.values()]


def reachable(functions=(*ENTRIES, *promises(INVARIANTS, CONSERVED, COROLLARIES, THEOREMS, CONDITIONS, EFFECTS))):
    """Return every function that the kernel or its promises call, by walking the IR itself."""
    found, waiting = {}, [translate(function) for function in functions]
    while waiting:
        function = waiting.pop()
        if function.symbol not in found:
            found[function.symbol] = function
            waiting += [node.function for node in ir.walk(function.body) if isinstance(node, ir.Call)]
    return found.values()


def test_every_function_that_is_not_looked_into_is_listed():
    listed = {row.name for row in rows()}
    unproved = {function.symbol for function in reachable() if function.hardware or function.opaque}
    assert unproved and unproved <= listed


def row(name):
    """Return the row of this name."""
    return next(row for row in rows() if row.name == name)


def test_all_that_may_depend_on_the_key_is_listed():
    for sealed in SEALED:
        listed = row(f"sealed: {sealed.table} in {', '.join(sealed.about)}")
        assert sealed.reason in listed.reason and listed.kind == "declassification"


def test_what_operations_and_their_promises_have_in_common_is_listed():
    asked = ([dispatch], promises(CONDITIONS, EFFECTS))
    done, promised = [{function.symbol for function in reachable(functions)} for functions in asked]
    told = row("words of operations and promises").reason.split("but for ")[1].split(":")[0]
    assert done & promised == set(told.split(", "))
    assert "ring_effective_ring" in done & promised and "gate_lookup" in done - promised


def test_what_success_may_change_of_the_books_is_listed():
    told = row("books of the gate").reason
    assert all(
        re.search(rf"\b{name}\b", told) for book in (*KERNEL.books, *KERNEL.turn) for name in book.split(".")[-1:]
    )


def test_every_file_of_the_platform_is_listed():
    listed = {row.name for row in rows()}
    folders = [ROOT / "platform" / "kernel", ROOT / "generated" / "platform"]
    files = [path for folder in folders for path in folder.rglob("*") if path.suffix in (".c", ".S", ".ld")]
    assert len({path.parent for path in files}) == 3 and {path.relative_to(ROOT).as_posix() for path in files} <= listed


def test_every_function_of_the_image_is_proved():
    for image in map(built, BUILDS):
        assert set(image.functions) == set(named()) | covered() and not covered() & set(named())


def test_solver_compiler_emulator_and_hardware_model_are_listed():
    assert {"solver", "compiler", "emulator", "hardware model", "prover", "front end"} <= {row.kind for row in rows()}


def test_every_row_says_why_and_names_files_that_exist():
    for row in rows():
        assert row.name and row.kind and row.reason
        for path in re.findall(r"[\w/]+\.(?:py|S|c)\b", row.evidence):
            assert (ROOT / path).exists(), f"{row.name}: {path}"


def test_names_are_unique():
    names = [row.name for row in rows()]
    assert len(names) == len(set(names))


def test_opaque_functions_are_tested_otherwise():
    assert all(Path(ROOT / row.evidence.split(";")[0]).exists() for row in rows() if row.kind == "opaque function")
