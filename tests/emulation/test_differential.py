"""Do whole exceptions on the kernel's bytes do what the model says, and are differences found?"""

import io
import json
import random
from collections import Counter

import pytest
from capstone import CS_ARCH_ARM64, CS_MODE_ARM, Cs
from rich.console import Console

from corollary.emulation import differential
from corollary.emulation.ears import ears
from corollary.emulation.generator import Generator
from corollary.emulation.lockstep import Lockstep, shipped
from corollary.emulation.processor import INSTRUCTION, Processor
from corollary.emulation.states import Alter
from corollary.emulation.traces import Preempt
from corollary.model.kernel.gate import OPERATIONS
from corollary.spec.kernel.limits import ROOT
from corollary.spec.kernel.vocabulary import Awaited

NOP = 0xD503201F
VECTORS_SIZE = 0x800
SEEDS, LENGTH = (1, 2, 3, 4), 1000  # 4: a trace in which the root partition makes mistakes


def found(processor, name, text):
    """Return the address and the word of the first instruction of a function that has this text."""
    address, size = processor.program.symbols[name]
    for read in Cs(CS_ARCH_ARM64, CS_MODE_ARM).disasm(processor.get(address, size or VECTORS_SIZE), address):
        if f"{read.mnemonic} {read.op_str}".startswith(text):
            return read.address, int.from_bytes(read.bytes, "little")
    raise LookupError(f"{name} has no {text}")


def patched(name, text, change):
    """Return a processor with one instruction of a function changed: the first that has this text."""
    address, word = found(Processor(shipped()), name, text)
    return Processor(shipped(), [(address, change(word).to_bytes(INSTRUCTION, "little"))])


def nop(word):
    """Replace the instruction with one that does nothing."""
    return NOP


def ended(machine, seeds=range(1, 12), length=400):
    """Return the first difference that traces show on a processor."""
    return next((said for seed in seeds if (said := differential.trace(seed, length, machine).difference)), "")


@pytest.mark.parametrize("seed", SEEDS)
def test_image_and_model_agree(seed):
    trace = differential.trace(seed, LENGTH)
    assert trace.difference == "" and trace.taken


def test_whoever_a_change_wakes_waits_for_the_next_exception():
    told, source = [], random.Random(1)
    generator = Generator(source)
    with ears(told):
        both = Lockstep(generator.information, source, Processor(shipped()), told)
        root = ("partition", ROOT)
        rests = ((*root, "awaited"), int(Awaited.BITS)), ((*root, "rest", "until"), 1 << 60), (("idle",), True)
        both.step(Alter(rests))
        both.step(Alter(((("notification", 0, "bits"), 1),)))
        assert both.model.idle
        both.step(Preempt(generator.tick()))
        assert not both.model.idle


def test_a_trace_is_the_same_when_it_is_run_again():
    assert differential.trace(5, 60) == differential.trace(5, 60)


@pytest.mark.parametrize(
    "name,text,change,said",
    [
        ("restore_context", "ldp x26, x27", nop, "x26"),
        ("restore_context", "ldp q8, q9", nop, "q8"),
        ("save_context", "mrs x3, tpidr_el1", nop, "TPIDR_EL1"),
        ("restore_context", "orr x4, x4, #0xfffffffffffffffe", nop, "SPSR_EL2"),
        ("flush", "tlbi", nop, "hardware is told"),
        ("trap", "wfi", nop, "hardware is told"),
        ("resume", "bl", nop, ""),
        ("schedule_rotate", "strb", nop, ""),
        ("witness_chain", "bl", nop, ""),
        # the caller gets a value that the guest chose: the store of x30 becomes one of x3
        ("action_contain", "stp x29, x30", lambda word: word & ~(31 << 10) | 3 << 10, ""),
    ],
)
def test_a_mistake_is_found(name, text, change, said):
    difference = ended(patched(name, text, change))
    assert difference and said in difference, difference


def test_the_command_tells_what_it_did():
    console = Console(file=io.StringIO(), width=200)
    traces = differential.run(40, seed=21, workers=1, console=console)
    told = list(differential.summary(differential.figures(traces, 1.0)))
    assert sum(each.taken for each in traces) >= 40
    assert (
        "0 differences" in told[-2]
        and f"of {len([o for o in OPERATIONS if o.required_ring != 0])} operations" in told[-1]
    )


def test_a_difference_is_a_red_exit_and_stands_in_the_result(monkeypatch, tmp_path):
    monkeypatch.setattr(differential, "RESULT", tmp_path / "differential.json")
    monkeypatch.setattr(
        differential,
        "run",
        lambda *arguments: [differential.Trace(7, 1, 0, Counter(), "trace 7: step 1: x0 is 1, not 0")],
    )
    assert differential.main(["--steps", "1"]) == 1
    assert json.loads((tmp_path / "differential.json").read_text())["differences"] == [
        "trace 7: step 1: x0 is 1, not 0"
    ]
