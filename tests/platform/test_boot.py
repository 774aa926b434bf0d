"""Does the first guest instruction find the memory and processor that boot's model and the specification say?"""

import os
from dataclasses import dataclass
from pathlib import Path

import pytest

from corollary.codegen import image
from corollary.emulation.debugger import Debugger, stub
from corollary.emulation.machine import booting, sharing
from corollary.emulation.package import pages_of
from corollary.emulation.verdict import booted_with, expected_measurements
from corollary.language.layout import decode, encode, offset_of
from corollary.model.kernel.boot import GUEST_BASE, ROOT_TABLES, boot
from corollary.spec.kernel import memory_map, platform
from corollary.spec.kernel.hardware import vttbr
from corollary.spec.kernel.limits import ROOT
from corollary.spec.kernel.state import Kernel, PageId, PartitionId, RecordId
from corollary.spec.kernel.vocabulary import Ring
from tests.differential import first_byte
from tests.model.properties import broken, miscounted

KEY = bytes(range(32))
REGION = {region.name: region for region in memory_map.REGIONS}
CONSTANT = {name: value for _, group in platform.CONSTANTS for name, value, _ in group}
SHORT = {"AMAIR_EL1": "AMAIR0"}  # names in QEMU, besides those that lack only the level
HIDDEN = {"ICC_SRE_EL2", "ICH_HCR_EL2"}  # QEMU shows these to no debugger; the kernel measures them


@dataclass(frozen=True)
class Stopped:
    """A machine at its first guest instruction: memory by region, and registers by QEMU's names."""

    memory: dict
    registers: dict

    def register(self, name):
        """Return the value of a system register."""
        return next(
            self.registers[known]
            for known in (name, name.removesuffix("_EL1"), SHORT.get(name))
            if known in self.registers
        )

    @property
    def state(self):
        """Return the bytes of the kernel's state."""
        return self.memory["kernel"][: Kernel.layout.size]


@pytest.fixture(scope="module")
def stopped(system, tmp_path_factory):
    memory, door = Path(f"/dev/shm/corollary.boot.{os.getpid()}"), tmp_path_factory.mktemp("boot") / "gdb"
    try:
        with booting(system, KEY, *sharing(memory), *stub(door)), Debugger(door) as debugger:
            debugger.run_to(GUEST_BASE)
            with memory.open("rb") as file:
                return Stopped(
                    {name: at(file, region) for name, region in REGION.items() if region.kind == "data"},
                    {name: debugger.register(name) for name in debugger.numbers},
                )
    finally:
        memory.unlink(missing_ok=True)


def at(file, region):
    """Return the bytes of a region in the machine's memory."""
    file.seek(region.start - memory_map.RAM)
    return file.read(region.size)


@pytest.fixture(scope="module")
def found(stopped):
    """Return the state that lies in memory."""
    return decode(stopped.state, Kernel)


@pytest.fixture(scope="module")
def expected(system, found):
    """Return the model's state from the key, the host's measurements of the files, and the time in the first record."""
    information, state = booted_with(system, expected_measurements(system), found.log[RecordId(0)].time), Kernel()
    for i in range(len(information.key)):
        information.key[i] = int.from_bytes(KEY[4 * i : 4 * i + 4], "big")
    boot(state, information)
    package = pages_of(system.package)
    for number in range(information.package):
        page = package[number * memory_map.PAGE : (number + 1) * memory_map.PAGE]
        decode(page, Kernel.fields["memory"].element, into=state.memory[PageId(ROOT_TABLES + number)])
    return state


# ---- memory


def test_the_state_is_that_of_the_models_boot(stopped, expected):
    assert first_byte(expected, stopped.state) is None


def test_every_promise_about_a_state_holds(stopped, found):
    assert encode(found, Kernel) == stopped.state
    assert broken(found) is None and miscounted(found) is None


@pytest.mark.parametrize(
    "path",
    [
        ("key", 0),
        ("head", 7),
        ("sequence",),
        ("partition", ROOT, "quota"),
        ("memory", ROOT_TABLES, "word", 0),
        ("log", 7, "time"),
    ],
)
def test_a_changed_byte_is_found(stopped, expected, path):
    changed = bytearray(stopped.state)
    changed[offset_of(Kernel, path)] ^= 1
    assert first_byte(expected, bytes(changed)).startswith("the state differs first in ")


def test_a_broken_promise_is_found(stopped):
    changed = bytearray(stopped.state)
    changed[offset_of(Kernel, ("partition", ROOT, "ring"))] ^= Ring.PRIVILEGED
    assert broken(decode(bytes(changed), Kernel)) is not None


def test_nothing_lies_behind_the_state_nor_where_the_secret_was(stopped):
    assert not any(stopped.memory["kernel"][Kernel.layout.size :]) and not any(stopped.memory["secret"])


def test_the_key_lies_in_the_state_and_nowhere_else(stopped, found):
    kept = encode(found.key, Kernel.fields["key"])
    parts = {whole[at : at + 8] for whole in (KEY, kept) for at in range(0, len(KEY), 8)}
    state = bytearray(stopped.state)
    assert kept in state
    start = offset_of(Kernel, ("key",))
    state[start : start + len(kept)] = bytes(len(kept))
    places = {
        "the state": bytes(state),
        **{name: memory for name, memory in stopped.memory.items() if name != "kernel"},
    }
    assert [name for name, memory in places.items() for part in parts if part in memory] == []


# ---- the processor


def test_every_register_that_boot_writes_holds_what_it_should(stopped, expected):
    held = {
        register.name: register.held
        for register in (*platform.BOOT_REGISTERS, platform.SCTLR_EL2)
        if register.name not in HIDDEN
    }
    held |= {
        "VTTBR_EL2": vttbr(expected, PartitionId(ROOT)),
        "CNTHP_CTL_EL2": CONSTANT["CNTHP_ENABLE"],
    }  # once root runs
    assert HIDDEN.isdisjoint(stopped.registers)
    assert {name: hex(stopped.register(name)) for name in held} == {name: hex(value) for name, value in held.items()}


def test_translation_vectors_and_the_context_are_those_of_the_image(stopped, elf):
    symbols = dict(image.symbols(elf))
    places = {"TTBR0_EL2": "translation_root", "VBAR_EL2": "vectors", "SP_EL2": "contexts"}
    assert {name: stopped.register(name) for name in places} == {name: symbols[at] for name, at in places.items()}


def test_root_starts_at_its_first_instruction_with_nothing_of_the_kernels(stopped):
    initial = {register.name: register.value for register in platform.INITIAL}
    assert (stopped.registers["pc"], stopped.registers["cpsr"]) == (GUEST_BASE, initial["SPSR_EL2"])
    general, system, vector = platform.saved_registers()
    kept = [saved.name for pair in system for saved in pair if not saved.name.endswith("_EL2")]
    assert {name: stopped.register(name) for name in kept} == {name: initial.get(name, 0) for name in kept}
    wide = [f"x{number}" for number in range(31)] + [f"v{number}" for number in range(32)]
    assert len(wide) == 1 + 2 * len(general) + 2 * len(vector)
    assert {name: stopped.registers[name] for name in wide} == dict.fromkeys(wide, 0)
