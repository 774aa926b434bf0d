"""Does each command that prints a table print its result as JSON, too, in the shape that the documents show?"""

import json
from functools import partial

import pytest
from typer.main import get_command
from typer.testing import CliRunner
from wasmtime import wat2wasm

from corollary.bench import costs, growth
from corollary.codegen import __main__ as generating
from corollary.commands import cli
from corollary.commands.shapes import ANY, SHAPES, WITHOUT, lines, misfit
from corollary.emulation import differential
from corollary.language.layout import encode
from corollary.report import explain
from corollary.spec.kernel.state import Kernel
from docs import values  # pyright: ignore[reportAttributeAccessIssue] - not `tests/docs`
from tests.record.logs import run_trace
from tests.report.test_explain import grant_of_too_much, row_of

MODULE = """(module (import "wasi_snapshot_preview1" "proc_exit" (func (param i32))) (memory (export "memory") 1)
  (func $twice (export "twice") (param i32) (result i32) (i32.add (local.get 0) (local.get 0))))"""


def told(*arguments, code=0, command=None):
    """Return the result that a command prints as JSON, once its shape is as the documents say."""
    done = CliRunner().invoke(cli.app, [*map(str, arguments), "--json"])
    assert done.exit_code == code, done.output
    result = json.loads(done.stdout)
    assert misfit(SHAPES[command or arguments[0]], result) == ""
    return result


@pytest.fixture(scope="module")
def trace():
    return run_trace(seed=43, steps=60)


@pytest.fixture
def log(trace, tmp_path):
    (tmp_path / "run.log").write_bytes(trace.log)
    (tmp_path / "kernel.bin").write_bytes(encode(trace.state, Kernel))
    return tmp_path / "run.log"


def test_every_command_has_it_or_prints_no_table():
    commands = vars(get_command(cli.app))["commands"]
    having = {name for name, command in commands.items() if any("--json" in each.opts for each in command.params)}
    assert having == {name.split()[0] for name in SHAPES} and commands.keys() - having == WITHOUT.keys()


def test_an_audit(log):
    assert told("audit", log)["good"]


def test_a_replay(log):
    state = log.with_name("kernel.bin")
    found = told("replay", log, "--state", state)
    assert found["same"] and found["records"] > 0 and found["fault"] == "" and found["not_compared"]
    state.write_bytes(bytes(len(state.read_bytes())))
    found = told("replay", log, "--state", state, code=1)
    assert not found["same"] and found["fault"]


def test_an_explanation(monkeypatch, tmp_path):
    row = row_of(grant_of_too_much())
    monkeypatch.setattr(explain, "load_rows", lambda result, partial: [row | {"outdated": False}])
    found = told("explain", row["id"], code=1)
    assert found["result"] == "refuted" and found["call"]["operation"].endswith("capability_grant")
    assert found["call"]["status"] and found["before"] and found["finding"] == explain.HOLDS
    found = told("explain", "capability_grant/CAP-2000", code=1)
    assert found["result"] == "" and row["id"] in found["similar"]
    monkeypatch.setattr(
        explain, "load_rows", lambda *paths: [row | {"result": "proved", "counterexample": None, "outdated": False}]
    )
    assert told("explain", row["id"])["result"] == "proved"


def test_what_is_generated(monkeypatch, tmp_path):
    monkeypatch.setattr("corollary.codegen.render.files", lambda: {"kernel/a.c": "one\ntwo\n"})
    monkeypatch.setattr(generating, "run", partial(generating.run, target=tmp_path))
    assert told("gen", "--check", code=1)["differing"] == ["kernel/a.c"]
    assert told("gen")["written"] == ["kernel/a.c"]
    found = told("gen", "--check")
    assert (found["files"], found["lines"], found["differing"]) == (1, 2, [])


def test_a_component(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    CliRunner().invoke(cli.app, ["new", "bank"])
    monkeypatch.chdir(tmp_path / "bank")
    assert "generated/bank/model.c" in {f"generated/{path}" for path in told("gen")["written"]}
    assert told("gen", "--check")["differing"] == []


def test_a_differential_run(monkeypatch, tmp_path):
    monkeypatch.setattr(differential, "RESULT", tmp_path / "differential.json")
    found = told("differential", "--steps", 60, "--seed", 21)
    assert found["steps"] >= 60 and found["differences"] == [] and found["operations"]["succeeded"] > 0


def test_a_module(tmp_path):
    (tmp_path / "module.wasm").write_bytes(wat2wasm(MODULE))
    found = told("inspect", tmp_path / "module.wasm")
    assert [each["name"] for each in found["exports"]] == ["memory", "twice"] and found["has"]
    assert found["functions"][0]["name"] == "twice" and found["functions"][0]["code"]
    assert told("inspect", tmp_path / "module.wasm", "--no-code")["functions"] == []
    (tmp_path / "module.wasm").write_bytes(b"\0asm")
    assert CliRunner().invoke(cli.app, ["inspect", str(tmp_path / "module.wasm"), "--json"]).exit_code == 1


def test_costs(monkeypatch, tmp_path):
    monkeypatch.setattr(growth, "main", partial(growth.main, tries=2, target=tmp_path / "costs.json", searched=2))
    monkeypatch.setattr(growth, "SIZES", (1, 2, 4))
    monkeypatch.setattr(growth, "COUNT", growth.COUNT // 10)
    monkeypatch.setattr(growth, "RESULT", tmp_path / "costs.json")
    found = told("bench", "--costs", command="bench --costs")
    assert {each["kind"] for each in found["kinds"]} == costs.KINDS.keys()
    assert len(found["curves"]) == len(costs.PASSES) + len(growth.ENTRIES)


def test_the_doctor():
    assert [each["target"] for each in told("doctor")["takes"]] == ["make", "check", "test", "full"]


@pytest.mark.parametrize(
    "shape, value, where",
    [
        ({"a": "one"}, {"a": 1}, ""),
        ({"a": "one"}, {}, "the result: ['a']"),
        ({"a": "one"}, {"a": 1, "b": 2}, "the result: ['b']"),
        ({"a?": "one"}, {}, ""),
        ({"a": ["one"]}, {"a": {}}, ".a"),
        ({"a": [{"b": "one"}]}, {"a": [{"b": 1}, {}]}, ".a[1]: ['b']"),
        ({ANY: {"b": "one"}}, {"x": {"b": 1}, "y": 3}, ".y"),
        ([{"a": "one"}], {"a": 1}, "the result"),
    ],
)
def test_a_misfit_is_found(shape, value, where):
    assert misfit(shape, value) == where


def test_the_documents_show_each_shape():
    shown = values.json_shapes()
    for command, shape in SHAPES.items():
        part = shown.split(f"### `corollary {command} --json`\n")[1].split("\n### ")[0]
        assert all(f"| `{path}` |" in part for path, _ in lines(shape))
