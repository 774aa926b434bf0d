"""Are the instructions of hypercalls and of the boot what QEMU counted, and is more than was proved noticed?"""

import json
import statistics

import pytest
from rich.console import Console
from typer.testing import CliRunner

from corollary.bench import log
from corollary.codegen.build import Unable
from corollary.commands import cli
from corollary.commands.shapes import SHAPES, misfit
from corollary.emulation import differential, package
from corollary.emulation.count import Counted, Counter, OfOperation, operation_symbols
from corollary.emulation.machine import SHIFT, start
from corollary.emulation.verdict import Transcript
from corollary.report import hypercalls
from corollary.spec.kernel import platform
from corollary.spec.kernel.hypercalls import OPERATIONS
from tests.report.test_report import row

IMAGE = "abc123"
SYMBOL = operation_symbols()["page_map"]
WAY = {"vectors[8]": ["trap"], "trap": ["gate_dispatch"], "gate_dispatch": ["gate_perform"], "gate_perform": [SYMBOL]}
BOUND = 6 * (len(WAY) + 1)  # when each function on the way has one path of 6 instructions


TRACES = {"page_map": [1], "device_lease": [1], "page_unmap": [9, 5, 7]}
"""Calls in traces; of these, only `page_unmap` was not counted under QEMU before."""
LEASE = operation_symbols()["device_lease"]
TIMES = {"one": 1.5}


@pytest.fixture(scope="module")
def counting():
    """Return what a whole run says, and its counts."""
    system, outcome = package.demonstration(), Transcript(bytes(range(32)))
    with Counter(system.kernel) as counter:
        for line in start(system, outcome.key, *counter.arguments):
            outcome.take(line)
        return outcome, counter.read()


@pytest.fixture
def verified(tmp_path):
    """Return the path of a verification of the image, in which `page_map` is bounded."""
    rows = [
        row(f"{name}/machine-code", 4, figures={"paths": 1, "routes": [[6, 16, callees, True]]})
        for name, callees in (WAY | {SYMBOL: []}).items()
    ]
    found = {"seconds": 1.0, "kernel_sha256": IMAGE, "sources": "", "obligations": rows}
    (tmp_path / "verify.json").write_text(json.dumps(found))
    return tmp_path / "verify.json"


def outcome(monkeypatch, tmp_path, verified, instructions, image=IMAGE):
    """Return the exit code, the result and what was printed when the longest call took some instructions."""
    seen = Counted({}, {SYMBOL: OfOperation(3, 20, instructions, 80, {SYMBOL: 30, "trap": 30})})
    monkeypatch.setattr(hypercalls, "counted", lambda: (image, seen))
    with_disk = Counted({}, {name: OfOperation(2, 30, 40, 80, {}) for name in (SYMBOL, LEASE)})
    monkeypatch.setattr(hypercalls, "counted_with_disk", lambda: with_disk)
    monkeypatch.setattr(hypercalls, "emulated", lambda names: {name: TRACES.get(name, []) for name in names})
    monkeypatch.setattr(hypercalls.log, "measured", lambda: TIMES)
    console = Console(record=True, width=120)
    code = hypercalls.main(console, tmp_path / "hypercalls.json", verified)
    return code, json.loads((tmp_path / "hypercalls.json").read_text()), console.export_text()


def test_each_operation_has_a_row_in_its_order(monkeypatch, tmp_path, verified):
    code, found, printed = outcome(monkeypatch, tmp_path, verified, BOUND)
    assert code == 0 and misfit(SHAPES["bench --hypercalls"], found) == ""
    assert [each["operation"] for each in found["hypercalls"]] == [declared.name for declared in OPERATIONS]
    seen = {"operation": "page_map", "calls": 3, "median": 20, "worst": BOUND, "proved": BOUND, "exceeded": False}
    traced = {"operation": "page_unmap", "calls": 3, "median": 7, "worst": 9, "proved": None, "exceeded": False}
    leased = {"operation": "device_lease", "calls": 2, "median": 30, "worst": 40, "proved": None, "exceeded": False}
    assert [each for each in found["hypercalls"] if each["calls"]] == [
        seen | {"measured": "QEMU"},
        traced | {"measured": "emulated"},
        leased | {"measured": "QEMU, disk"},
    ]
    assert {each["measured"] for each in found["hypercalls"] if not each["calls"]} == {"not called"}
    assert found["nanoseconds"] == TIMES and all(name in printed for name in TIMES)
    assert (found["shortest"], found["shortest_functions"]) == ("page_map", {SYMBOL: 10, "trap": 10})
    assert all(declared.name in printed for declared in OPERATIONS) and "no bounds" not in printed


def test_a_call_that_takes_more_than_was_proved_is_told(monkeypatch, tmp_path, verified):
    code, found, printed = outcome(monkeypatch, tmp_path, verified, BOUND + 1)
    assert code == 1 and [each["operation"] for each in found["hypercalls"] if each["exceeded"]] == ["page_map"]
    assert f"page_map: {BOUND + 1} instructions, more than was proved" in printed


def test_bounds_of_another_image_are_no_bounds(monkeypatch, tmp_path, verified):
    code, found, printed = outcome(monkeypatch, tmp_path, verified, BOUND + 1, "def456")
    assert code == 0 and {each["proved"] for each in found["hypercalls"]} == {None} and "no bounds" in printed


def test_a_run_that_does_not_end_well_is_no_result(monkeypatch, tmp_path):
    def fail():
        raise Unable("there is no QEMU")

    monkeypatch.setattr(hypercalls, "counted", fail)
    monkeypatch.setattr(hypercalls, "RESULT", tmp_path / "hypercalls.json")
    done = CliRunner().invoke(cli.app, ["bench", "--hypercalls"])
    assert done.exit_code == 1 and "there is no QEMU" in done.stdout and not (tmp_path / "hypercalls.json").exists()


def test_an_emulated_call_takes_as_many_instructions_as_under_qemu(counting):
    """The ring of the caller counts; only root makes partitions, here and there."""
    under_qemu = counting[1].operations[operation_symbols()["partition_create"]]
    emulated = hypercalls.emulated({"partition_create"})["partition_create"]
    assert statistics.median_low(emulated) == under_qemu.median


def test_a_difference_of_the_model_is_no_figure(monkeypatch):
    different = differential.Trace(0, 1, difference="trace 0: step 1: x0 is 1, not 0")
    monkeypatch.setattr(hypercalls.differential, "run", lambda *arguments, **more: [different])
    with pytest.raises(Unable, match="x0 is 1"):
        hypercalls.emulated({"proof_inspect"})


def test_the_log_is_measured_beside_openssl():
    found = log.measured()
    assert [*found] == [*log.NAMES] and min(found.values()) > 0
    assert found["append a record"] > found["check a handle (P1)"]


def test_the_parts_of_the_boot_are_the_instructions_until_the_first_of_a_guest(counting):
    """The kernel reads its clock, tells it, and resumes a guest: that much lies behind."""
    told, counted = counting
    ticks = int(told.value("ticks", "to", "the", "first", "guest", "instruction")[0], 16)
    behind = sum(hypercalls.of_the_boot(counted).values()) - ticks * platform.TICK_NS // (1 << SHIFT)
    assert 0 < behind < sum(counted.functions[name].instructions for name in ("report_tell_number", "resume"))


def test_the_parts_of_hypercalls_are_all_of_their_instructions(counting):
    operations = counting[1].operations.values()
    once = [each for each in operations if each.runs == 1]
    assert once and all(sum(each.shares.values()) == each.median == each.instructions for each in once)
    assert all(each.median <= each.instructions for each in operations)
    assert all(sum(each.shares.values()) <= each.runs * each.instructions for each in operations)
