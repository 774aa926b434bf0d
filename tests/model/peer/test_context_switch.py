"""Does a context switch restore everything? Each check fails with a peer's behaviour and passes with ours."""

from pathlib import Path

import pytest

from corollary.spec.kernel.platform import Context, saved_registers
from tests.model.context_switch import Core, numbers_in, routine

GENERATED = Path(__file__).parents[3] / "generated"


SYSTEM = (
    "SP_EL0",
    "SP_EL1",
    "ELR_EL2",
    "CPACR_EL1",
    "VBAR_EL1",
    "ESR_EL1",
    "FAR_EL1",
    "ELR_EL1",
    "SPSR_EL1",
    "TPIDR_EL0",
    "TPIDR_EL1",
    "TPIDRRO_EL0",
    "PAR_EL1",
    "CSSELR_EL1",
    "CNTKCTL_EL1",
    "CNTV_CTL_EL0",
    "CNTV_CVAL_EL0",
    "FPCR",
    "FPSR",
)
SEEN_BY_A_GUEST = [f"x{i}" for i in range(31)] + [f"q{i}" for i in range(32)] + list(SYSTEM) + ["SPSR_EL2"]
FLAGS = 0x6000_03C5  # EL1h, masked, Z and C: flags that a return may carry

PEER_SAVE = """
    stp x0, x1, [x0, #0]
    stp x2, x3, [x0, #16]
    mrs x9, ELR_EL2
    stp x9, x30, [x0, #32]
""".splitlines()
PEER_RESTORE = """
    ldp x0, x1, [x0, #0]
    ldp x2, x3, [x0, #16]
    ldp x9, x30, [x0, #32]
""".splitlines()


def our_switch():
    vectors = (GENERATED / "platform/vectors.S").read_text()
    constants = numbers_in((GENERATED / "platform/constants.h").read_text())
    save = ["stp x0, x1, [sp, #CONTEXT_X0]", *routine(vectors, "save_context")]
    return save, routine(vectors, "restore_context"), "sp", constants


def peer_switch():
    return PEER_SAVE, PEER_RESTORE, "x0", {}


def guest(seed, at):
    """Return a core that runs a guest; every register holds a different value."""
    registers = {name: seed + number for number, name in enumerate(SEEN_BY_A_GUEST)}
    return registers | {"SPSR_EL2": FLAGS, "sp": at, "VTTBR_EL2": seed}


def a_switch_brings_everything_back(switch):
    """Save a guest, run another, and switch back: the first sees the state that it left, under its own tables."""
    save, restore, base, constants = switch()
    at, vttbr_at = 0x1000, constants.get("CONTEXT_X30", 240) + 8
    before = guest(1_000_000, at)
    if base != "sp":
        before[base] = at
    saved = Core(constants, before).run(save)
    saved.memory[at + vttbr_at] = 777  # as `trap` gets it from the model
    dirty = dict.fromkeys(before, 856599) | {base: at, "x0": at}
    back = Core(constants, dirty, saved.memory).run(restore)
    assert back.returned, "no exception return"
    assert back.registers["VTTBR_EL2"] == 777, "the tables of another"
    wrong = [name for name in SEEN_BY_A_GUEST if back.registers[name] != before[name]]
    assert wrong == []


def test_item_9_context_switch():
    a_switch_brings_everything_back(our_switch)
    with pytest.raises((AssertionError, KeyError)):  # its base register is gone after the first load
        a_switch_brings_everything_back(peer_switch)


def test_item_9_a_forgotten_register_would_be_noticed():
    save, restore, base, constants = our_switch()
    for position, line in enumerate(restore):
        if line.strip().startswith(("ldp", "msr", "eret")):
            broken = (save, restore[:position] + restore[position + 1 :], base, constants)
            with pytest.raises((AssertionError, KeyError)):
                a_switch_brings_everything_back(lambda broken=broken: broken)


def test_item_9_no_guest_returns_to_el2():
    _, restore, base, constants = our_switch()
    for flags in (0x9, 0xD, 0x3C9, 0x1F, 0xFFFF_FFFF_FFFF_FFFF):
        registers = guest(1, 0x1000) | {"SPSR_EL2": flags}
        saved = Core(constants, registers).run(our_switch()[0])
        saved.memory[0x1000 + constants["CONTEXT_X30"] + 8] = 0
        back = Core(constants, {"x0": 0x1000}, saved.memory).run(restore)
        assert back.registers["SPSR_EL2"] & 0x1F in (0, 4, 5)


def test_item_9_each_register_has_a_place_of_its_own():
    general, system, vector = saved_registers()
    places = [saved.offset for pairs in (general, system, vector) for pair in pairs for saved in pair]
    assert len(set(places)) == len(places)
    assert max(places) < Context.layout.size
