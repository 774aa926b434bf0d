"""Does the VM do what wasmtime does, and would the comparison notice a difference?"""

import os
import re
import signal
from pathlib import Path
from random import Random

import pytest
import wasmtime

from corollary.disassembly import disassemble
from corollary.module import Invalid, Malformed, Module
from corollary.spec.wasm.internal import NUMBER, OPERATIONS
from corollary.spec.wasm.opcodes import BY_NAME
from corollary.spec.wasm.refusals import Refusal
from tests import debian
from tests.wasm import differential
from tests.wasm.binary import listing
from tests.wasm.choices import Choices
from tests.wasm.corollary_engine import CorollaryEngine
from tests.wasm.differential import Ours, Tally, difference, disagreement, isolated, mutant, own_case, run, tried
from tests.wasm.suite import Trap
from tests.wasm.wasmtime_engine import SHARED

SEEDS = range(200)  # modules of the quick part
ENOUGH = 500  # enough modules for every mistake to show


@pytest.mark.parametrize("generator", ["own", "binaryen"])
def test_the_engines_agree(generator, capsys):
    tally = run(len(SEEDS) if generator == "own" else len(SEEDS) // 10, generator=generator)
    with capsys.disabled():
        print(
            f"\n{tally.modules} modules by {generator}, {tally.traps.total()} calls, "
            f"{tally.verdicts.total()} broken modules"
        )
    assert not tally.differences and tally.traps and len(tally.verdicts) > 1 and tally.operations


def test_modules_are_valid_and_the_same_for_the_same_seed():
    for seed in SEEDS:
        case = own_case(Choices(seed))
        for binary in case.binaries.values():
            wasmtime.Module.validate(SHARED, binary)
        assert case.binaries == own_case(Choices(seed)).binaries


def test_every_instruction_is_generated():
    programs = [program for seed in SEEDS for program in own_case(Choices(seed)).programs]
    used = {row.name for program in programs for body in program.functions for row, _ in body.code}
    # a body ends without an `end` of its own
    assert used == set(BY_NAME)
    assert all(len(list(listing(program))) > len(program.functions) for program in programs)


def test_operations_are_counted_as_they_are_disassembled():
    for seed in SEEDS[:20]:
        for binary in own_case(Choices(seed)).binaries.values():
            module = Module(binary)
            assert list(differential.operations(module)) == [number for _, number in read(module)]


# ---- mistakes


def patched(right, wrong):
    """Return an engine that takes one instruction for another in translated code, in all its forms."""
    taken = {
        number: NUMBER[name]
        for number, operation in enumerate(OPERATIONS)
        if right in (operation.name, getattr(operation.row, "symbol", None))
        and (name := operation.name.replace(right, wrong)) in NUMBER
    }
    assert taken

    class Patched(CorollaryEngine):
        """An engine that translates wrongly."""

        def decode(self, binary):
            """Return a module with wrong operations."""
            module = super().decode(binary)
            for at, number in read(module):
                module.translation["code"][at] += taken.get(number, number) - number
            return module

    return Patched


def read(module):
    """Return the places of operations in translated code, and their numbers."""
    entries = sorted(
        function.entry for function in module.room["functions"][: module.value.counts.functions] if function.entry
    )
    for first, end in zip(entries, [*(entry - 1 for entry in entries[1:]), module.translation.value.at]):
        yield from ((at, NUMBER[text.split()[0]]) for at, text in disassemble(module.translation["code"], first, end))


@pytest.mark.parametrize(
    "right,wrong",
    [
        ("i32_add", "i32_or"),
        ("i32_load", "i32_load16_u"),
        ("i32_store", "i32_store16"),
        ("i32_eq", "i32_ne"),
        ("i32_shl_value", "i32_shr_u_value"),
        ("f64_add", "f64_sub"),
        ("memory_fill", "memory_copy"),
        ("copy", "i32_clz"),
        ("select", "i32_add_value"),
        ("trap_unreachable", "return_none"),
    ],
)
def test_a_wrong_operation_is_noticed(right, wrong, monkeypatch):
    monkeypatch.setattr(differential, "CorollaryEngine", patched(right, wrong))
    assert any(isolated(difference, own_case(Choices(seed))) for seed in range(ENOUGH))


class OtherTrap(CorollaryEngine):
    """An engine whose traps always have a wrong reason."""

    def instantiate(self, module, imports):
        """Return an instance whose functions trap in this way."""
        made = super().instantiate(module, imports)
        invoke = made.invoke

        def otherwise(name, arguments):
            try:
                return invoke(name, arguments)
            except Trap:
                raise Trap("out of order") from None

        made.invoke = otherwise
        return made


class Broken(CorollaryEngine):
    """An engine whose host breaks."""

    def instantiate(self, module, imports):
        """Break: there is no instance."""
        raise ZeroDivisionError("broken")


@pytest.mark.parametrize("engine,said", [(OtherTrap, "out of order"), (Broken, "ZeroDivisionError: broken")])
def test_another_trap_and_another_exception_are_noticed(engine, said, monkeypatch):
    monkeypatch.setattr(differential, "CorollaryEngine", engine)
    assert any(said in (difference(own_case(Choices(seed))) or "") for seed in range(ENOUGH))


@pytest.mark.parametrize("name,value", [("memory", b"\1"), ("table", [True]), ("global", ("i32", 1))])
def test_what_is_left_behind_is_compared(name, value, monkeypatch):
    state = Ours.state
    monkeypatch.setattr(
        Ours,
        "state",
        lambda self, instance, export: value if export.startswith(name) else state(self, instance, export),
    )
    found = next(found for seed in range(ENOUGH) if (found := difference(own_case(Choices(seed)))))
    assert re.search(rf"{name} \d+ at the end: wasmtime says ", found)


def test_a_module_that_is_not_valid_is_a_difference_even_if_both_refuse_it():
    case = own_case(Choices(0))
    broken = differential.Case(dict.fromkeys(case.binaries, b"\0asm"), case.calls, case.programs)
    assert "is instantiated" in difference(broken)


# ---- broken modules


class Taking:
    """An engine that accepts everything as a module."""

    def __init__(self, binary):
        self.binary = binary


def refusing(refused):
    """Refuse every module."""

    def refuse(binary):
        raise refused

    return refuse


@pytest.mark.parametrize(
    "decode,binary,said",
    [
        (Taking, b"\0asm", "the VM None"),
        (refusing(Invalid(Refusal.TYPE_MISMATCH, 8)), b"\0asm\1\0\0\0", "wasmtime says None"),
        (refusing(Malformed(Refusal.MAGIC, 9)), b"\0asm\0\0\0\0", "refuses it at byte 0x9 of 0x8"),
    ],
)
def test_a_wrong_verdict_is_noticed(decode, binary, said, monkeypatch):
    assert disagreement(binary) is None
    monkeypatch.setattr(differential, "Module", decode)
    assert said in disagreement(binary)
    rng, tally = Random(0), Tally()
    assert any(differential.broken(mutant(own_case(Choices(0)).binaries["main"], rng), tally) for _ in SEEDS)


def test_what_came_with_version_3_may_be_taken_by_wasmtime_alone():
    sums = wasmtime.wat2wasm("(module (global i32 (i32.add (i32.const 1) (i32.const 2))))")
    assert differential.verdicts(sums)[0] is None and isinstance(differential.verdicts(sums)[1], Invalid)
    assert disagreement(sums) is None
    other = sums.replace(bytes((BY_NAME["i32.add"].opcode,)), bytes((BY_NAME["i32.xor"].opcode,)))
    assert differential.verdicts(other)[0] is not None and disagreement(other) is None


# ---- the run


def end_process(seed, generator, folder, tally):
    """End the process, for one seed."""
    if seed == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    return tried(seed, generator, folder, tally)


def test_a_module_that_ends_the_process_is_found(monkeypatch):
    monkeypatch.setattr(differential, "tried", end_process)
    assert run(6).differences == [(3, f"the process ended with {-signal.SIGKILL}")]


@pytest.mark.full
def test_a_difference_is_shown_with_the_shortest_module(monkeypatch, capsys):
    monkeypatch.setattr(differential, "CorollaryEngine", patched("i64_add", "i64_sub"))
    assert differential.main(["--modules", str(ENOUGH), "--seed", "0"]) == 1
    said = capsys.readouterr().out
    assert "1 differences" in said and "i64.add" in said
    seed = int(re.search(r"^seed (\d+): ", said, re.MULTILINE)[1])
    shortest = [bytes.fromhex(found) for found in re.findall(r"^bytes (\w+)$", said, re.MULTILINE)]
    whole = own_case(Choices(seed)).binaries.values()
    assert sum(map(len, shortest)) < sum(map(len, whole)) // 2
    for binary in shortest:
        wasmtime.Module.validate(SHARED, binary)


def test_without_binaryen_the_command_says_what_to_do(monkeypatch, tmp_path: Path):
    for name in ("INSTALLED", "FETCHED"):
        monkeypatch.setattr(debian, name, tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(debian.PackageMissing, match="apt-get install -y binaryen"):
        differential.main(["--generator", "binaryen"])
