"""Would a mistake in the assembly or in the trap handler be noticed?

Each test changes one instruction of the image and names the contract that breaks.
"""

from types import SimpleNamespace
from typing import Any

import pytest

from corollary.model.kernel.promises import INVARIANTS
from corollary.proofs.machine import system
from corollary.proofs.machine.contract import ContractComparison, PathCheck
from corollary.proofs.machine.contracts import CAUSES, CONSTANT, CONTRACTS, REGION, saved
from corollary.proofs.machine.image import Image
from corollary.proofs.machine.lift import SIZE, instruction
from corollary.proofs.machine.obligations import built, fits
from corollary.proofs.machine.refine import Different
from corollary.spec.kernel import platform

NOP = 0xD503201F
BLAMED = list(INVARIANTS).index("MEM-7") + 1  # the kernel counts from one: zero is no violation
HVC = f"vectors[{CAUSES['SYNCHRONOUS']}]"


def find(name, text):
    """Return the address and the code of the one instruction of a function that has this text."""
    found = find_all(name, text)
    assert len(found) == 1, f"{name}: `{text}` {len(found)} times"
    return found[0], int.from_bytes(built().read(found[0], SIZE), "little")


def find_all(name, text):
    """Return the addresses of a function's instructions that have this text.

    A text that ends in a space matches any target.
    """
    symbol = built().functions[name]
    read = {address: instruction(built().read(address, SIZE), address).text for address in built().code(symbol)}
    return [
        address for address, found in read.items() if found == text or (text.endswith(" ") and found.startswith(text))
    ]


def changed(name, *changes: Any):
    """Return the image with instructions of a function changed: `(text, code or f(code))`."""
    patches = []
    for text, new in changes:
        address, code = find(name, text)
        word: Any = new(code) if callable(new) else new
        patches.append((address, word.to_bytes(SIZE, "little")))
    return Image(built().path, patches)


def verdict(image, name):
    """Return the verdict of a contract's proof."""
    found = ContractComparison(image, CONTRACTS[name]).run()
    return found.result, found.reason


def swapped(code):
    """Return a pair load or store with its registers exchanged."""
    first, second = code & 31, code >> 10 & 31
    return code & ~(31 | 31 << 10) | second | first << 10


def other(register):
    """Return a move of another register from or to a system register."""
    return lambda code: code & ~31 | register


BREAKS = {
    "a pair is saved crosswise": ("save_context", HVC, [("stp x4, x5, [sp, #0x20]", swapped)], "contexts.[].x.[]"),
    "a register of EL1 is not saved": ("save_context", HVC, [("mrs x3, vbar_el1", NOP)], "contexts.[].vbar_el1"),
    "a vector register is not given back": ("restore_context", HVC, [("ldp q30, q31, [sp, #0x380]", NOP)], "Q3"),
    "a general register is not given back": ("restore_context", HVC, [("ldp x28, x29, [sp, #0xe0]", NOP)], "X2"),
    "a thread pointer is not given back": (
        "restore_context",
        HVC,
        [("msr tpidr_el1, x3", NOP)],
        "exactly the registers of a context",
    ),
    "another register than VTTBR_EL2 is loaded into it": (
        "restore_context",
        HVC,
        [("msr vttbr_el2, x2", other(3))],
        "VTTBR_EL2 at the return",
    ),
    "PSTATE is not sanitized": ("restore_context", HVC, [("msr spsr_el2, x3", other(4))], "SPSR_EL2 at the return"),
    "descriptors may be stored after the return": (
        "restore_context",
        HVC,
        [("dsb ISHST", NOP)],
        "do DSB ISHST is expected",
    ),
    "trap() runs on the wrong stack": ("save_context", HVC, [("mov sp, x2", NOP)], "the stack of trap()"),
    "a TLB keeps a partition's translations": (
        "flush",
        "hardware_partition_flush_partition",
        [("tlbi VMALLS12E1IS", NOP)],
        "do TLBI VMALLS12E1IS is expected",
    ),
    "the VMID is not in force when the TLB is told": (
        "flush",
        "hardware_memory_flush_translation",
        [("msr vttbr_el2, x1", NOP)],
        "write VTTBR_EL2 is expected",
    ),
    "the VMID is not in force when the TLB is told of a unit": (
        "flush",
        "hardware_unit_flush_unit",
        [("msr vttbr_el2, x1", NOP)],
        "write VTTBR_EL2 is expected",
    ),
    "a line of a page is left out": (
        "hardware_memory_synchronize_instructions",
        "hardware_memory_synchronize_instructions",
        [("add x0, x0, #0x40", lambda code: code + (0x40 << 10))],
        "do DC CVAU",
    ),
    "a line of large memory is left out": (
        "hardware_block_clear_part",
        "hardware_block_clear_part",
        [("add x0, x0, #0x40", lambda code: code + (0x40 << 10))],
        "do DC ZVA",
    ),
    "HCR_EL2 is never written": ("start", "start", [("msr hcr_el2, x0", NOP)], "write HCR_EL2 is expected"),
    "the counter is read too early": ("now", "now", [("isb", NOP)], "do ISB is expected"),
    "the timer is started with another time": (
        "timer_start",
        "timer_start",
        [("msr cnthp_tval_el2, x0", lambda code: code ^ 1)],
        "write CNTHP_TVAL_EL2",
    ),
    "a share lasts longer": (
        "resume",
        "resume",
        [("mov w11, #0x271", lambda code: code ^ 1 << 5)],
        "write CNTHP_TVAL_EL2",
    ),
    "any entry of the interrupt controller is allowed": (
        "interrupt_start",
        "interrupt_start",
        [("mov w8, #0x1", lambda code: code ^ 1 << 6)],
        "write ICC_IGRPEN1_EL1",
    ),
    "an answer is not handed on": (
        "trap",
        "trap",
        [("stp x9, x8, [x19]", lambda code: code & ~31 | 31)],
        "contexts.[].x.[]",
    ),
    "waiting does not move on": (
        "trap",
        "trap",
        [("add x8, x8, #0x4", lambda code: code ^ 1 << 10)],
        "contexts.[].elr_el2",
    ),
    "the kernel's own fault is told on the stack that overflowed": (
        "kernel_fault",
        "vectors[4]",
        [("mov sp, x1", NOP)],
        "the stack of fault()",
    ),
    "a character is sent whether there is room or not": (
        "hardware_console_put",
        "hardware_console_put",
        [("tbnz w8, #0x5, ", NOP)],
        "the model does not",
    ),
    "a device is looked at once less": (
        "hardware_console_put",
        "hardware_console_put",
        [("ldr w8, [x8]", lambda code: 0x52800408)],
        "load 0x9000018 is expected",
    ),
    "a device may go on after it was told to be reset": (
        "hardware_device_reset",
        "hardware_device_reset",
        [("cbnz w8, ", NOP)],
        "call restart is expected",
    ),
    "what a device writes at last comes after the next store": (
        "hardware_device_reset",
        "hardware_device_reset",
        [("dsb SY", NOP)],
        "do DSB SY is expected",
    ),
    "another device is reset": (
        "hardware_device_reset",
        "hardware_device_reset",
        [("bfm x8, x0, #0x37, #0x7", lambda code: code ^ 1 << 16)],
        "",
    ),
    "a device is started that was not reset": (
        "hardware_device_start",
        "hardware_device_start",
        [("bl ", NOP)],
        "load transports is expected",
    ),
    "a device gets a queue at another address": (
        "hardware_device_start",
        "hardware_device_start",
        [("mov w11, #0x60", lambda code: code ^ 1 << 5)],
        "what is told by store transports",
    ),
    "a device that does not agree is started": (
        "hardware_device_start",
        "hardware_device_start",
        [("tbnz w10, #0x3, ", lambda code: code ^ 1 << 19)],
        "the model does not",
    ),
    "a device looks before its request is there": (
        "hardware_device_notify",
        "hardware_device_notify",
        [("dsb SY", NOP)],
        "do DSB SY is expected",
    ),
    "a request is counted before it is there": (
        "hardware_device_publish",
        "hardware_device_publish",
        [("dsb SY", NOP)],
        "do DSB SY is expected",
    ),
    "an answer is read before it is there": (
        "hardware_device_observe",
        "hardware_device_observe",
        [("dsb SY", NOP)],
        "do DSB SY is expected",
    ),
    "a legacy device is taken for a modern one": (
        "find_device",
        "find_device",
        [("cmp w10, #0x2", lambda code: code ^ 3 << 10)],
        "",
    ),
    "a transport is passed over": (
        "find_devices",
        "find_devices",
        [("mov w0, #0x7", lambda code: code ^ 1 << 5)],
        "what is told by call find_device",
    ),
    "another register of the device is asked each time": (
        "stop",
        "stop",
        [("ldr w9, [x8]", lambda code: 0xB8404509)],
        "no constant at 0x0",
    ),
    "a measurement goes to another phase": (
        "power_on",
        "power_on",
        [("mov w1, #0x4", lambda code: code ^ 1 << 5)],
        "measure_start is called with another",
    ),
    "another part is measured twice": (
        "power_on",
        "power_on",
        [("adr x2, 0x40180000", lambda code: code ^ 1 << 23)],
        "",
    ),
    "a register is not measured": (
        "power_on",
        "power_on",
        [("mrs x8, vtcr_el2", NOP)],
        "measure_words is called with another",
    ),
    "whether there is a key is not told": (
        "power_on",
        "power_on",
        [("and w0, w20, #0x1", lambda code: 0x52800020)],
        "report_tell_key is called with another",
    ),
    "a state that breaks an invariant is booted": ("power_on", "power_on", [("tbz w0, #0x0, ", NOP)], ""),
    "another reason is told": (
        "trap",
        "trap",
        [("mov w0, #0xd", lambda code: code ^ 1 << 5)],
        "what is told by call restart",
    ),
    "a kernel that has a log stops": ("restart", "restart", [("cbnz x8, ", NOP)], ""),
    "the kernel starts again after the fault of any partition": ("trap", "trap", [("cbz w8, ", NOP)], ""),
    "not every place is looked at": (
        "check_owned",
        "check_invariants",
        [("cmp w20, #0x2, LSL #12", lambda code: code ^ 3 << 10)],
        "a loop goes on below its end only",
    ),
    "every second place is looked at": (
        "check_owned",
        "check_invariants",
        [("add w20, w20, #0x1", lambda code: code ^ 3 << 10)],
        "a loop goes on with the next number",
    ),
    "pages are passed over that are not free from promises": (
        "check_entries_of_page_1",
        "check_invariants",
        [("cmp w8, #0x3", lambda code: code ^ 1 << 10)],
        "of which nothing is asked",
    ),
    "only one of two kinds of page is looked at": (
        "check_entries_of_page_2",
        "check_invariants",
        [("cmp w8, #0x1", lambda code: code ^ 1 << 10)],
        "of which nothing is asked",
    ),
    "the last entry of a page is passed over": (
        "check_entries_of_page_3",
        "check_invariants",
        [("cmp x3, #0x200", lambda code: code ^ 3 << 18)],
        "",
    ),
    "another invariant is blamed": (
        "check_owned",
        "check_invariants",
        [(f"mov w1, #{BLAMED:#x}", lambda code: code ^ 1 << 5)],
        "found.number",
    ),
    "the blamed place is lost": (
        "violated",
        "check_invariants",
        [("stp w1, w2, [x0]", lambda code: code | 31 << 10)],
        "found.index",
    ),
    "a violation is passed over": (
        "check_whole",
        "check_invariants",
        [("mov w0, wzr", lambda code: 0x52800020)],
        "found.number",
    ),
}


@pytest.mark.parametrize("name", BREAKS)
def test_a_mistake_breaks_its_contract(name):
    symbol, broken, changes, told = BREAKS[name]
    result, reason = verdict(changed(symbol, *changes), broken)
    assert result == "refuted" and told in reason, reason


def leads(symbol):
    """Return the addresses of a function's calls and branches, by their text."""
    read = {
        address: instruction(built().read(address, SIZE), address).text
        for address in built().code(built().functions[symbol])
    }
    return [
        address
        for address, text in read.items()
        if text.split()[0] in ("bl", "b", "tbz", "tbnz", "cbz", "cbnz") or text.startswith("b.")
    ]


def test_no_step_of_the_boot_may_be_left_out():
    steps = leads("power_on")
    assert len(steps) > 20
    for address in steps:
        assert verdict(Image(built().path, [(address, NOP.to_bytes(SIZE, "little"))]), "power_on")[0] == "refuted", (
            f"{address:#x}"
        )


def test_a_wrong_cause_breaks_the_contract_of_its_vector_only():
    address = built().functions["vectors"].address + CONSTANT["VECTOR_SIZE"] * CAUSES["IRQ"] + SIZE
    code = int.from_bytes(built().read(address, SIZE), "little")
    image = Image(built().path, [(address, (code ^ 1 << 5).to_bytes(SIZE, "little"))])
    assert verdict(image, f"vectors[{CAUSES['IRQ']}]")[0] == "refuted" and verdict(image, HVC)[0] == "proved"


@pytest.mark.parametrize(
    "code",
    [
        0xA8C17C1F,  # ldp xzr, xzr, [x0], #16
        0xA8827C1F,  # stp xzr, xzr, [x0], #32
        0xA881041F,  # stp xzr, x1, [x0], #16
    ],
)
def test_a_loop_that_clears_half_of_memory_is_refuted(code):
    first = find_all("start", "stp xzr, xzr, [x0], #0x10")[0]
    image = Image(built().path, [(first, code.to_bytes(SIZE, "little"))])
    assert verdict(image, "start")[0] == "refuted"


@pytest.mark.parametrize(("depth", "result"), [(16, "proved"), (REGION["stack"].size + 16, "refuted")])
def test_a_stack_that_does_not_fit_is_refuted(depth, result):
    rows = [{"id": "trap/machine-code", "operation": "trap", "figures": {"routes": [[1, depth, [], True]]}}]
    rows += [
        {"id": f"{name}/machine-code", "operation": name, "figures": {"routes": [[1, 0, ["trap"], True]]}}
        for name in (HVC,)
    ]
    rows += [
        {"id": f"{name}/machine-code", "operation": name, "figures": {"routes": [[1, 0, [], True]]}}
        for name in CONTRACTS
        if name not in (HVC, "trap")
    ]
    assert fits(rows, "machine-code").result == result


@pytest.mark.parametrize("name", ["fault", "complain"])
def test_a_fault_that_does_not_fit_its_stack_is_refuted(name):
    depths = {name: REGION["last_stack"].size + 16}
    routes = {each: [[1, depths.get(each, 0), ["fault"] if each == "vectors[4]" else [], True]] for each in CONTRACTS}
    rows = [
        {"id": f"{each}/machine-code", "operation": each, "figures": {"routes": found}}
        for each, found in routes.items()
    ]
    row = fits(rows, "machine-code")
    assert row.result == "refuted" and f"{REGION['last_stack'].size + 16} bytes of last_stack" in row.reason


def test_every_vector_has_a_contract():
    assert {f"vectors[{number}]" for number in range(16)} <= set(CONTRACTS)


def test_every_register_of_a_context_is_expected_back():
    names = {name for name, _ in saved()}
    assert names >= {
        slot.name.upper() for slot in platform.Context.layout.slots if slot.name not in ("x", "q", "vttbr_el2")
    }
    assert len(names) == 31 + 32 + len(platform.Context.layout.slots) - 3


def test_a_stray_write_of_a_system_register_is_named():
    address = built().functions["report_say"].address
    image = Image(built().path, [(address, (0xD51C1108).to_bytes(SIZE, "little"))])  # msr hcr_el2, x8
    assert system.strays(built()) == [] and len(system.strays(image)) == 1 and "report_say" in system.strays(image)[0]


def test_code_of_which_nobody_knows_what_it_does_is_named():
    address = built().functions["report_say"].address
    strays = system.strays(Image(built().path, [(address, b"\xff" * SIZE)]))
    assert len(strays) == 1 and "is of no form" in strays[0] and "in report_say" in strays[0]


def test_the_return_of_an_exception_outside_restore_context_is_named():
    address = built().functions["report_say"].address
    image = Image(built().path, [(address, (0xD69F03E0).to_bytes(SIZE, "little"))])
    assert "eret in report_say" in system.strays(image)[0]


def test_a_call_on_no_stack_is_expected_by_no_contract_that_names_none(monkeypatch):
    check: Any = PathCheck.__new__(PathCheck)
    monkeypatch.setattr(PathCheck, "effect", lambda *_, **__: SimpleNamespace(on_stack=False))
    check.thread = SimpleNamespace(trail=())
    with pytest.raises(Different, match="halt is called on no stack"):
        check.outside("halt")
