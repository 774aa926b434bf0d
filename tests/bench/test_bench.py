"""Does the benchmark compare what it claims to compare?

The programs compute the right results, the engines take turns, the checksums agree, and medians are reported.
"""

import hashlib
import json
import re
import statistics
import struct
import sys
from typing import Any
from xml.etree import ElementTree

import pytest
import wasmtime
from rich.console import Console
from typer.testing import CliRunner

from corollary import Instance
from corollary.bench import engines, figures, measure, plot, programs
from corollary.commands import cli
from corollary.commands.shapes import SHAPES, misfit

WORD = 0xFFFFFFFF
SCALES = (0, 1, 2, 7)
BULK = {"copy_bulk"}
LATER = (
    "relaxed_simd",
    "simd",
    "threads",
    "multi_memory",
    "memory64",
    "tail_call",
    "exceptions",
    "gc",
    "function_references",
)


# ---- the programs


def module(name, *more):
    """Return a program as wasmtime accepts it without these features."""
    return wasmtime.Module.from_file(limited(*more), str(programs.program(name).wasm))


def limited(*more):
    """Return an engine that refuses everything added after WebAssembly 2.0, vectors, and these features."""
    config = wasmtime.Config()
    for feature in (*LATER, *more):
        setattr(config, f"wasm_{feature}", False)
    return wasmtime.Engine(config)


@pytest.mark.parametrize("name", programs.SOURCES)
def test_a_program_needs_nothing_and_offers_its_entry(name):
    found = module(name)
    entry: Any = next(export.type for export in found.exports if export.name == programs.ENTRY)
    assert not found.imports and {export.name for export in found.exports} == {programs.ENTRY, "memory"}
    assert [list(map(str, types)) for types in (entry.params, entry.results)] == [["i32"], ["i32"]]


def test_the_limits_refuse_vectors():
    vector = wasmtime.wat2wasm("(module (func (drop (v128.const i64x2 0 0))))")
    wasmtime.Module(wasmtime.Engine(), vector)
    with pytest.raises(wasmtime.WasmtimeError, match="(?i)simd"):
        wasmtime.Module(limited(), vector)


@pytest.mark.parametrize("name", programs.SOURCES)
def test_only_the_block_copy_uses_block_copies(name):
    if name in BULK:
        with pytest.raises(wasmtime.WasmtimeError, match="bulk memory"):
            module(name, "bulk_memory")
    else:
        module(name, "bulk_memory")


@pytest.mark.parametrize("name", programs.SOURCES)
def test_work_grows_with_the_scale(name):
    config = wasmtime.Config()
    config.consume_fuel = True
    store = wasmtime.Store(wasmtime.Engine(config))
    entry: Any = wasmtime.Instance(
        store, wasmtime.Module.from_file(store.engine, str(programs.program(name).wasm)), []
    ).exports(store)[programs.ENTRY]

    def spent(scale):
        store.set_fuel(1 << 40)
        entry(store, scale)
        return (1 << 40) - store.get_fuel()

    empty, once, twice = spent(0), spent(16), spent(32)
    assert once - empty > 1000 and twice - once == pytest.approx(once - empty, rel=0.05)


@pytest.mark.parametrize("name", programs.SOURCES)
def test_native_and_wasmtime_agree_every_time(name):
    program, (native, compiled) = (
        programs.program(name),
        (engines.Engine(name, *engines.ENGINES[name]()) for name in ("native", "wasmtime")),
    )
    found = [engine.load(program) for engine in (native, compiled)]
    answers = [[run(scale) for scale in (*SCALES, *SCALES)] for run in found]
    assert (
        answers[0] == answers[1]
        and answers[0][: len(SCALES)] == answers[0][len(SCALES) :]
        and len(set(answers[0])) == len(SCALES)
    )


@pytest.mark.parametrize("name", programs.SOURCES)
def test_a_program_says_what_it_measures(name):
    assert re.fullmatch(r"What do(es)? [\w ,]+ cost[\w ,]*\?", programs.program(name).question)


# ---- the same in Python


def constants(name):
    """Return the enumerators of a program that have a value."""
    found = {}
    for constant, value in re.findall(
        r"(\w+) = ([\w* ]+)", ", ".join(re.findall(r"enum \{(.*?)\}", programs.SOURCES[name].read_text()))
    ):
        found[constant] = eval(value, {}, found)
    return found


def folded(values):
    """Return the checksum of a row of numbers."""
    total = 0
    for value in values:
        total = (31 * total + value) & WORD
    return total


def fib(scale, FIRST, DIFFERENT):
    numbers = [0, 1]
    while len(numbers) < FIRST + DIFFERENT:
        numbers.append(numbers[-1] + numbers[-2])
    return folded(numbers[FIRST + i % DIFFERENT] for i in range(scale))


def sieve(scale, LIMIT, STEP, DIFFERENT):
    primes = [n for n in range(2, LIMIT) if all(n % divisor for divisor in range(2, int(n**0.5) + 1))]
    return folded(sum(prime < LIMIT - i % DIFFERENT * STEP for prime in primes) for i in range(scale))


def matmul(scale, SIZE):
    places = range(SIZE)
    left = [[(i - j) / SIZE for j in places] for i in places]
    right = [[(1 + (i + j) % SIZE) * 2 / (SIZE * (SIZE + 1)) for i in places] for j in places]
    for _ in range(scale):
        left = [[1 - 1.9 * mean * mean for column in right for mean in [dot(row, column)]] for row in left]
    return folded(low ^ high for row in left for low, high in struct.iter_unpack("<II", struct.pack(f"<{SIZE}d", *row)))


def dot(row, column):
    """Return the sum of products, added in order. `sum` adds doubles in order only in some versions of Python."""
    total = 0.0
    for a, b in zip(row, column):
        total += a * b
    return total


def sha256(scale, BUFFER, **_):
    message = bytes(i % 256 for i in range(BUFFER)) * scale
    return int.from_bytes(hashlib.sha256(message).digest()[:4], "big")


def bytecode(scale, SMALLEST, DIFFERENT, **_):
    def steps(value):
        return 0 if value == 1 else 1 + steps(value // 2 if value % 2 == 0 else 3 * value + 1)

    return folded(max(map(steps, range(1, SMALLEST + i % DIFFERENT))) for i in range(scale))


@pytest.mark.parametrize("reference", [fib, sieve, matmul, sha256, bytecode])
def test_a_program_computes_what_python_does(reference):
    name = reference.__name__
    run = engines.load_native(programs.program(name))
    assert [run(scale) for scale in SCALES] == [reference(scale, **constants(name)) for scale in SCALES]


# ---- engines


def test_an_engine_that_cannot_be_had_is_told_with_the_reason(monkeypatch):
    monkeypatch.delenv(engines.SWITCH, raising=False)
    found, left_out = engines.at_hand(["native", "process"])
    assert [engine.name for engine in found] == ["native"] and left_out == [
        ("process", f"{engines.SWITCH} names no binary")
    ]
    monkeypatch.setenv(engines.SWITCH, "/nowhere/engine")
    assert engines.at_hand(["process"]) == (
        [],
        [("process", f"/nowhere/engine, which {engines.SWITCH} names, cannot be run")],
    )


def test_a_package_that_is_missing_is_told_with_the_command():
    with pytest.raises(
        engines.EngineMissing, match=r"no-such-engine is not installed: run `pip install --editable .\[bench\]`"
    ):
        engines.installed("no-such-engine")


SCRIPT = """#!{python}
import sys
assert sys.argv[1:3] == ["--invoke", "run"] and open(sys.argv[3], "rb").read(4) == b"\\0asm"
print("result:", {answer})
"""


@pytest.fixture
def binary(tmp_path, monkeypatch):
    """Write an engine that prints an answer, and name it to the benchmark."""

    def write(answer, command="{path}"):
        path = tmp_path / "engine"
        path.write_text(SCRIPT.format(python=sys.executable, answer=answer))
        path.chmod(0o755)
        monkeypatch.setenv(engines.SWITCH, command.replace("{path}", str(path)))
        (engine,), _ = engines.at_hand(["process"])
        return engine.load(programs.program("fib"))

    return write


@pytest.mark.parametrize("command", ["{path}", "{path} --invoke run {wasm} {scale}"])
def test_a_binary_is_an_engine(binary, command):
    assert binary("-int(sys.argv[4])", command)(5) == WORD - 4


def test_a_binary_that_fails_is_told_with_what_it_said(binary):
    with pytest.raises(engines.EngineFailed, match="--invoke run .* ended with 1 and printed .*ZeroDivisionError"):
        binary("1 // 0")(5)
    with pytest.raises(engines.EngineFailed, match="ended with 0 and printed 'result: nothing"):
        binary("'nothing'")(5)


# ---- measuring, with an engine and a clock under the test's control


class World:
    """A clock, and engines that advance it.

    A run takes a start time plus a time for each unit of the scale, multiplied by the disturbance of the round.
    """

    START = 0.25

    def __init__(self, disturbance=(1,)):
        self.now, self.log, self.disturbance = 0.0, [], disturbance

    def clock(self):
        return self.now

    def engine(self, name, seconds, answer=lambda scale: scale):
        def run(scale):
            turn = self.log.count((name, scale)) % len(self.disturbance)
            self.log.append((name, scale))
            self.now += self.START + seconds * scale * self.disturbance[turn]
            return answer(scale)

        return engines.Engine(name, f"{name} 1.0", lambda program: run)


PROGRAM = programs.Program("made_up", "What is this?", None, None)


def test_engines_take_turns_and_the_yardstick_chooses_the_scale():
    world, rounds, turned = World(), 3, []
    found = [world.engine("fast", 0.001), world.engine(measure.YARDSTICK, 0.01)]
    result = measure.measured(PROGRAM, found, rounds, world.clock, lambda: turned.append(len(world.log)))
    turn = [("fast", 0), ("fast", result.scale), (measure.YARDSTICK, 0), (measure.YARDSTICK, result.scale)]
    assert result.scale == round(measure.TARGET / 0.01) and world.log[-rounds * len(turn) :] == rounds * turn
    assert {name for name, _ in world.log[: -rounds * len(turn)]} == {measure.YARDSTICK}
    assert [later - earlier for earlier, later in zip(turned, turned[1:])] == [len(turn)] * (rounds - 1)


def test_the_median_counts_without_the_start():
    world = World(disturbance=(1, 100, 1, 3, 1))
    result = measure.measured(PROGRAM, [world.engine("a", 0.001), world.engine("b", 0.004)], 5, world.clock)
    assert result.seconds == pytest.approx({"a": 0.001 * result.scale, "b": 0.004 * result.scale})
    assert (
        statistics.median(result.rounds["a"]) == pytest.approx(result.seconds["a"] + World.START)
        and max(result.rounds["a"]) > 10 * result.seconds["a"]
    )


def test_a_wrong_checksum_is_refused_by_name():
    world = World()
    found = [world.engine("right", 0.01), world.engine("wrong", 0.01, lambda scale: scale ^ 0x80 if scale else 0)]
    with pytest.raises(
        measure.WrongChecksum, match=r"made_up, scale 30: wrong returns 0x0000009e, right returns 0x0000001e"
    ):
        measure.measured(PROGRAM, found, 2, world.clock)


def test_an_engine_that_does_nothing_is_not_measured():
    world = World()
    with pytest.raises(measure.Unmeasurable, match="made_up: a run of scale"):
        measure.measured(PROGRAM, [world.engine("idle", 0)], 2, world.clock)
    with pytest.raises(measure.Unmeasurable, match="made_up: idle takes no longer"):
        measure.measured(PROGRAM, [world.engine("busy", 0.01), world.engine("idle", 0)], 2, world.clock)


def test_an_engine_that_breaks_is_told_by_name():
    def broken(scale):
        raise ValueError("trap")

    with pytest.raises(engines.EngineFailed, match="made_up: broken failed: trap"):
        measure.measured(PROGRAM, [engines.Engine("broken", "", lambda program: broken)], 1, World().clock)


# ---- comparison


@pytest.fixture
def data():
    """Return the results of three engines on two programs; the names need escaping."""
    found = [engines.Engine(name, "<1> & 2", None) for name in ("native", "wasm3", "our <own> & only")]
    seconds = [(0.1, 0.4, 0.05), (0.1, 0.9, 0.2)]
    results = [
        measure.Result(
            f"program{number}", "What?", 7, 1, {engine.name: taken for engine, taken in zip(found, row)}, {}, {}
        )
        for number, row in enumerate(seconds)
    ]
    return measure.as_data(results, found, [("process", "none")], 3, [])


def test_ratios_and_their_geometric_means(data):
    means = {base: {name: found["geometric_mean"] for name, found in to.items()} for base, to in data["ratios"].items()}
    assert means["native"] == pytest.approx({"native": 1, "wasm3": 6, "our <own> & only": 1})
    assert means["wasm3"] == pytest.approx({"native": 1 / 6, "wasm3": 1, "our <own> & only": 1 / 6})
    assert data["ratios"]["native"]["our <own> & only"]["programs"] == pytest.approx({"program0": 0.5, "program1": 2})


def test_the_picture_is_xml_and_names_all_engines(data):
    root = ElementTree.fromstring(plot.draw(data))
    told = ["".join(text.itertext()) for text in root.iter("{http://www.w3.org/2000/svg}text")]
    assert {f"{name} {version}" for name, version in data["engines"].items()} <= set(told)
    assert {"program0", "program1", "geometric mean", "0.50", "9.00", "6.00"} <= set(told)


def test_bars_lie_on_their_side_of_the_line_and_within_the_picture():
    low, high = plot.span([0.5, 9])
    slower, faster = (plot.placed("", ratio, 0, "", low, high) for ratio in (9, 0.5))
    line = plot.position(1, low, high)
    assert plot.LEFT < faster["x"] < faster["x"] + faster["width"] == pytest.approx(line) == slower["x"]
    assert (
        slower["width"] == pytest.approx(plot.position(9 * low, low, high) - plot.LEFT)
        and slower["x"] + slower["width"] < plot.LEFT + plot.WIDTH
    )


# ---- the figures next to the programs


@pytest.mark.parametrize(
    "value,limit,least,holds",
    [(1, 2, False, True), (3, 2, False, False), (1, 2, True, False), (3, 2, True, True), (3, None, False, True)],
)
def test_a_figure_knows_whether_it_holds(value, limit, least, holds):
    found = figures.Figure("what", value, "ms", limit, least)
    assert figures.as_data([found]) == [
        {"name": "what", "value": value, "unit": "ms", "limit": limit, "least": least, "holds": holds}
    ]
    console = Console(record=True, width=200)
    console.print(figures.table([found]))
    assert ("missed" in console.export_text()) is not holds


def test_the_cost_of_safe_points_is_the_mean_ratio_with_and_without():
    results = [
        measure.Result("program", "What?", 1, 1, {"corollary": mine, "unchecked": 1.0}, {}, {}) for mine in (1.1, 1.1)
    ]
    (figure,) = figures.safe_points(results)
    assert figure.value == pytest.approx(1.1) and not figure.holds
    assert not [*figures.safe_points([measure.Result("program", "What?", 1, 1, {"corollary": 1.0}, {}, {})])]


def test_without_safe_points_a_program_computes_the_same_and_takes_no_fuel():
    instance, bare = (Instance(programs.program("fib").wasm.read_bytes()) for _ in range(2))
    bare.run.turn = engines.library(engines.UNCHECKED).turn
    assert instance.call(engines.ENTRY, 2) == bare.call(engines.ENTRY, 2) == bare.call(engines.ENTRY, 2, fuel=1)
    assert instance.call(engines.ENTRY, 2, fuel=1) != bare.call(engines.ENTRY, 2, fuel=1)


def test_the_large_module_is_as_large_as_it_says_and_valid():
    binary = figures.large_module()
    assert abs(len(binary) - figures.LARGE) < figures.LARGE / 50
    wasmtime.Module.validate(wasmtime.Engine(), binary)
    assert len(Instance(binary).functions) > 1000


# ---- the command


def test_the_command_measures_and_writes(monkeypatch, tmp_path):
    monkeypatch.setattr(measure, "TARGET", 0.01)
    monkeypatch.setattr(measure, "ENOUGH", 0.002)
    monkeypatch.setattr(measure, "PARTIAL", tmp_path / "bench-only.json")
    done = CliRunner().invoke(
        cli.app, ["bench", "--only", "fib", "--engine", "native", "--engine", "wasmtime", "--rounds", "2"]
    )
    assert done.exit_code == 0, done.output
    written = json.loads(measure.PARTIAL.read_text())
    assert misfit(SHAPES["bench"], written) == ""
    assert list(written["engines"]) == ["native", "wasmtime"] and [
        program["program"] for program in written["programs"]
    ] == ["fib"]
    assert "geometric mean" in done.output and ElementTree.parse(measure.PARTIAL.with_suffix(".svg"))


def test_the_command_refuses_what_it_does_not_know():
    for option in ("--only", "--engine"):
        done = CliRunner().invoke(cli.app, ["bench", option, "nonsense"])
        assert done.exit_code == 2 and "nonsense is unknown; there are " in done.output


def test_an_engine_that_was_asked_for_must_be_there(monkeypatch):
    monkeypatch.delenv(engines.SWITCH, raising=False)
    console = Console(record=True, width=200)
    assert (
        measure.main(wanted=["native", "process"], console=console) == 1
        and "left out: process: " in console.export_text()
    )
