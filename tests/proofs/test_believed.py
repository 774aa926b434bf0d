"""What does code assume about things it cannot see?

These are callers, callees, other rounds of a loop, and registers of the hardware.

Each change is an image in which one side no longer does what the other assumes. The proof of one of them must say so.
"""

from dataclasses import replace

import pytest

from corollary.language.layout import size_of
from corollary.proofs.machine import words
from corollary.proofs.machine.contract import CONTRACTS, ContractComparison, Signature
from corollary.proofs.machine.execute import FunctionCode
from corollary.proofs.machine.frames import put
from corollary.proofs.machine.lift import SIZE, instruction
from corollary.proofs.machine.obligations import BUILDS, built
from corollary.proofs.machine.platform import STATUS, Platform, objects, system
from corollary.proofs.machine.refine import Comparison
from corollary.proofs.machine.summary import footprint, named
from corollary.spec.kernel.limits import PARTITIONS
from corollary.spec.kernel.memory_map import PAGE
from corollary.spec.kernel.platform import Context
from corollary.spec.kernel.state import Call
from tests.machine.system import assembled
from tests.proofs.test_convention import branch, find, listing, with_code

TBZ, TBNZ = 0x36000000, 0x37000000


def encoded(text):
    """Return the word of an instruction."""
    return assembled([text])[0]


def aimed(code, address, target):
    """Return a conditional branch, or a test of a bit, with another target."""
    width = 14 if code & 0x7E000000 == TBZ else 19
    mask = (1 << width) - 1
    return code & ~(mask << 5) | ((target - address) // SIZE & mask) << 5


def refuted(image, name, why):
    """Check that the contract is broken for this reason."""
    found = ContractComparison(image, CONTRACTS[name]).run()
    assert found.result == "refuted" and why in found.reason, (found.result, found.reason)


# ---- rounds


@pytest.mark.parametrize(("name", "start"), [("stop", "tbnz w9, #0x3"), ("interrupt_start", "tbnz w9, #0x2")])
def test_a_device_that_is_looked_at_once_and_waited_for_without_end_is_refuted(name, start):
    address, code = find(name, start)
    refuted(with_code((address, aimed(code, address, address))), name, "is expected, there is nothing")


def in_a_round(code, skips):
    """Return the image with one more instruction in each round of the inner loop, which leads that many further."""
    name, gone = "check_entries_of_page_1", "mov w0, #0x1"  # as the last call returned it
    text = {reads: (address, code) for address, code, reads in reversed([*listing(name)])}
    first, last = text["add w21, w21, #0x1"][0] + SIZE, text[gone][0]
    moved = [(at + SIZE, at, code) for at, code, _ in listing(name) if first <= at < last]
    patches = [(first, aimed(code, first, first + skips * SIZE))]
    for at, before, old in moved:
        leads = instruction(old.to_bytes(SIZE, "little"), before)
        branches = leads.mnemonic.startswith("b.")
        patches.append((at, aimed(old, at, leads.operations[-1].inputs[0].offset) if branches else old))
    return with_code(*patches)


@pytest.mark.parametrize("bit", [0, 9])
def test_an_inner_loop_that_ends_early_in_some_rounds_is_refuted(bit):
    """Only the first entry of half of the tables is checked."""
    refuted(in_a_round(TBZ | bit << 19 | 19, 3), "check_invariants", "a loop ends behind its last round only")


def test_a_round_that_never_ends_is_refuted():
    refuted(in_a_round(TBNZ | 9 << 19 | 19, 0), "check_invariants", "nobody knows what this loop counts")


# ---- callers


def test_what_a_caller_need_not_pass_is_not_read():
    """`console_write` does not look at this argument, so `gate_perform` may put anything there."""
    address, _ = find("console_write", "mov x29, sp")
    found = Comparison(with_code((address, encoded("ldr xzr, [x1]"))), named()["console_write"]).run()
    assert found.result == "refuted" and "not passed" in found.reason, (found.result, found.reason)


def test_an_argument_that_is_not_passed_may_be_anything():
    function = named()["console_write"]
    machine = FunctionCode(built(), function)
    thread = machine.start()
    unused = [item.name for item in function.parameters if item.name not in footprint(function).used]
    assert unused == ["call"] and machine.words["call"].get_id() not in machine.pointers
    assert words.same(thread.registers.named("x1"), machine.words["call"])


@pytest.mark.parametrize(("stored", "met"), [((2, 0), False), ((1, 0), True), (None, False)])
def test_what_is_handed_on_in_the_stack_is_of_its_types(stored, met):
    machine = FunctionCode(built(), named()["gate_dispatch"])
    thread = machine.start()
    layout = Call.layout
    for name in ("capability", "yields"):
        if stored is not None:
            value = stored[0] if name == "yields" else stored[1]
            put(thread.stack, -0x100 + layout[name].offset, layout[name].type.storage, value)
    machine.typed(thread, -0x100, Call)
    assert all(condition is True for condition, _ in thread.obligations) == met


# ---- callees


def test_assembly_behind_the_model_changes_what_it_says_and_callers_know():
    name = "hardware_partition_reset_context"
    kept = CONTRACTS[name]
    assert kept.changes == ("contexts",)
    found = ContractComparison(built(), replace(kept, changes=())).run()
    assert found.result == "refuted" and "is not to be changed" in found.reason
    assert CONTRACTS["trap"].changed(named()["gate_dispatch"]) == ["contexts"]
    assert CONTRACTS["trap"].changed(named()["schedule_wait"]) == []


def test_a_context_that_a_call_may_have_reset_is_not_put_back():
    """`trap` keeps a register of another partition during the call, and stores it again."""
    now = called("now", find("trap", "stp xzr, xzr, [sp, #0x40]")[0])
    call = called("gate_dispatch", now)
    moves = [code for at, code, text in listing("trap") if now < at < call and text.startswith(("ld", "stp"))]
    page, (hole, _) = find("trap", "adrp x8")[1], find("trap", "add x19, x19, #0x0")
    kernel = next(code for at, code, text in listing("trap") if now < at < call and text.startswith("adrp x0"))
    context = objects(built())["contexts"][0] + (PARTITIONS - 1) * size_of(Context)
    first, again = encoded(f"ldr x21, [x23, #{context % PAGE}]"), encoded(f"str x21, [x23, #{context % PAGE}]")
    waited = objects(built())["waited"][0]
    assert context // PAGE == waited // PAGE
    codes = [*map(encoded, ("mov x1, sp", f"str wzr, [x23, #{waited % PAGE}]")), first, *moves]
    codes += [kernel, branch(call - SIZE, "gate_dispatch"), again]
    places = range(now + SIZE, call + SIZE, SIZE)
    assert len(places) == len(codes)
    saved, restored = find("trap", "str x21")[0], find("trap", "ldr x21")[0]
    kept = [(saved, encoded("stp x21, x23, [sp, #0x70]")), (restored, encoded("ldp x21, x23, [sp, #0x70]"))]
    refuted(with_code(*kept, (hole, page & ~31 | 23), *zip(places, codes)), "trap", "contexts")


def called(name, after):
    """Return the place where `trap` next calls a function through an address."""
    return next(at for at, code, _ in listing("trap") if at > after and code == branch(at, name))


def test_whoever_is_called_keeps_what_its_callers_believe(monkeypatch):
    assert {name for kept in CONTRACTS.values() for name in kept.calls} <= set(CONTRACTS)
    wrong = {
        "check_invariants": (Signature(2, leaves={}), "is not to be changed"),
        "now": (Signature(0, final=True), "it never comes back"),
        "power_off": (Signature(1, final=True), "as many words"),
    }
    for name, (signature, why) in wrong.items():
        monkeypatch.setitem(CONTRACTS["trap"].calls, name, signature)
        refuted(built(), name, why)


# ---- registers that change by themselves


@pytest.mark.parametrize("register", STATUS)
@pytest.mark.parametrize("first", ["mrs x8", "msr"])
def test_whether_a_timer_fired_is_not_the_same_for_ever(register, first):
    machine = Platform(built(), CONTRACTS["timer_start"])
    thread = machine.start()
    before = thread.registers[system()[register]]
    for text in (f"mrs x8, {register}" if first != "msr" else f"msr {register}, x8", f"mrs x9, {register}"):
        machine.run(thread, instruction(encoded(text).to_bytes(SIZE, "little"), thread.pc))
    again = thread.registers.named("x9")
    assert not words.same(again, before) and not words.same(again, thread.registers.named("x8"))


def test_the_first_look_at_a_register_is_what_it_held():
    machine = Platform(built(), CONTRACTS["timer_start"])
    thread = machine.start()
    machine.run(thread, instruction(encoded(f"mrs x8, {STATUS[0]}").to_bytes(SIZE, "little"), thread.pc))
    assert words.same(thread.registers.named("x8"), machine.entry[STATUS[0]])


@pytest.mark.parametrize("property_", BUILDS)
def test_the_code_that_ships_believes_nothing_else(property_):
    for name in ("stop", "interrupt_start", "hardware_partition_reset_context", "power_off"):
        assert ContractComparison(built(property_), CONTRACTS[name]).run().result == "proved"
