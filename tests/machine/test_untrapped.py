"""What does QEMU let a partition reach although HCR_EL2.TIDCP should trap it?

Every implementation defined register and operation is tried at EL1.
"""

import pytest

from corollary.emulation.probe import SLOT, System
from corollary.spec.kernel import platform
from tests.machine.system import assembled

HCR = next(register.value for register in platform.BOOT_REGISTERS if register.name == "HCR_EL2")
WITHOUT_STAGE_2 = HCR & ~(1 << 0 | 1 << 12)  # VM and DC: the program has no tables
EL1H_MASKED = 0x3C5
BATCH = 64  # tries whose outcomes fit in a register
HANDLER, VECTORS, WORDS = (
    0x200,
    0x800,
    4,
)  # of a synchronous exception, in vectors at this offset of the slot; instructions of a try
HVC = next(value for name, value, _ in platform.EXCEPTION_CLASSES if name == "HVC64")  # the call that ends a program
MRS, MSR, SYS = 0xD5300000, 0xD5100000, 0xD5080000  # with op0 3, 3 and 1 once the encoding is put in
PLACES = [
    (op1, crn, crm, op2)
    for crn in platform.IMPLEMENTATION_DEFINED
    for op1 in range(8)
    for crm in range(16)
    for op2 in range(8)
]
NAMED = {place: name for name, place in platform.UNTRAPPED.items()}

PROLOGUE = assembled(
    [
        "mov x0, x1",
        "msr hcr_el2, x0",
        "msr spsr_el2, x2",
        "msr elr_el2, x3",
        "msr vbar_el1, x4",
        "isb",
        "mov x5, xzr",
        "mov x7, xzr",
        "eret",
    ]
)
BEFORE, AFTER = assembled(["mov x0, #1"]), assembled(["lsl x5, x5, #1", "orr x5, x5, x0"])
END = assembled(["hvc #0"])
REFUSED = assembled(["mov x0, xzr", "mrs x6, elr_el1", "add x6, x6, #4", "msr elr_el1, x6", "eret"])


def encoded(form, place):
    """Return the instruction of a form that names a register or operation, on x7, which is zero."""
    op1, crn, crm, op2 = place
    op0 = {MRS: 1 << 19, MSR: 1 << 19, SYS: 0}[form]
    return form | op0 | op1 << 16 | crn << 12 | crm << 8 | op2 << 5 | 7


def tried(system, form, places):
    """Return those that succeed at EL1. Fails when one is trapped to EL2, as it should be."""
    body = [word for place in places for word in (*BEFORE, encoded(form, place), *AFTER)]
    program = [*PROLOGUE, *body, *END]
    program += [0] * ((VECTORS + HANDLER) // 4 - len(program)) + REFUSED
    stopped, general = system.go(program, 0, WITHOUT_STAGE_2, EL1H_MASKED, SLOT + 4 * len(PROLOGUE), SLOT + VECTORS)
    assert stopped.syndrome >> 26 == HVC, (
        f"exception {stopped.syndrome:#x} at instruction {(stopped.at - SLOT) // 4}: QEMU traps it now, "
        "so it is none to be trusted"
    )
    return [place for number, place in enumerate(places) if general[5] >> (len(places) - 1 - number) & 1]


def reached(system, form):
    """Return the registers or operations that EL1 reaches, by name where the specification knows one."""
    found = [place for at in range(0, len(PLACES), BATCH) for place in tried(system, form, PLACES[at : at + BATCH])]
    return {NAMED.get(place, place) for place in found}


@pytest.fixture(scope="module")
def system():
    with System() as machine:
        yield machine


@pytest.mark.parametrize(
    "form, expected", [(MRS, {*platform.UNTRAPPED}), (MSR, platform.UNTRAPPED_WRITES)], ids=("read", "write")
)
def test_just_the_registers_that_the_ledger_names_are_not_trapped(system, form, expected):
    assert reached(system, form) == expected


def test_no_implementation_defined_operation_is_there(system):
    assert reached(system, SYS) == set()


def test_what_is_written_there_tells_nobody_anything(system):
    """No partition can leave a word in one of them for another."""
    for place in (platform.UNTRAPPED[name] for name in platform.UNTRAPPED_WRITES):
        code = [encoded(MSR, place) & ~31 | 2, encoded(MRS, place) & ~31 | 1]
        _, before = system.go([code[1], *assembled(["ret"])])
        _, after = system.go([*code, *assembled(["ret"])], 0, 0, 0x5555_5555_5555_5555)
        assert after[1] == before[1]
