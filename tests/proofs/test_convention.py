"""Must code keep its calling convention, alignment and defined calls? Each change breaks one of these rules."""

import pytest
import z3

from corollary.language.frontend import translate
from corollary.model.kernel.component import KERNEL
from corollary.proofs import outside, steps
from corollary.proofs.machine import alignment, contract, convention, defined, handlers
from corollary.proofs.machine.calls import has_effect
from corollary.proofs.machine.contract import ContractComparison
from corollary.proofs.machine.contracts import CONTRACTS
from corollary.proofs.machine.convention import (
    CALL,
    EXCEPTION_RETURN,
    FUNCTION,
    LAST_CALL,
    LINK,
    NAKED,
    PRESERVE_NONE,
    RETURN,
    SP,
    TAIL_CALL,
    VM_FUNCTION,
)
from corollary.proofs.machine.execute import FunctionCode
from corollary.proofs.machine.image import Image
from corollary.proofs.machine.lift import SIZE, NotAllowed, instruction, registers
from corollary.proofs.machine.memory import ADDRESS, linear, multiple
from corollary.proofs.machine.obligations import BUILDS, built
from corollary.proofs.machine.processor import general
from corollary.proofs.machine.refine import Comparison
from corollary.proofs.machine.summary import named
from corollary.proofs.mutants import machine, ways
from corollary.proofs.transition import transitions

DRAIN = "gate_will_drain"  # makes calls, and has a frame of 0x30 bytes


def listing(name):
    """Return `(address, code, text)` of every instruction of a function."""
    image = built()
    for address in image.code(image.functions[name]):
        code = image.read(address, SIZE)
        yield address, int.from_bytes(code, "little"), instruction(code, address).text


def find(name, start):
    """Return `(address, code)` of the first instruction of a function that begins with this text."""
    return next((address, code) for address, code, text in listing(name) if text.startswith(start))


def with_code(*patches):
    """Return the image with other instructions at some addresses."""
    return Image(built().path, [(address, code.to_bytes(SIZE, "little")) for address, code in patches])


def verdict(name, *patches):
    """Return the verdict on a function of the model in the changed image."""
    return Comparison(with_code(*patches), named()[name]).run()


def refuted(name, why, *patches):
    """Check that the proof fails for this reason."""
    found = verdict(name, *patches)
    assert found.result == "refuted" and why in found.reason, (found.result, found.reason)


def branch(address, target, linked=True):
    """Return a branch from an address to a function."""
    return (0x94000000 if linked else 0x14000000) | (built().functions[target].address - address) // SIZE & 0x3FFFFFF


# ---- registers


def test_a_tail_call_hands_on_the_callers_return_address():
    address, code = find("ring_effective_ring", "stp x29, x30")
    argument = 1  # the partition
    refuted("ring_effective_ring", "x30 is kept", (address, code & ~(31 << 10) | argument << 10))


def test_a_tail_call_hands_on_the_callers_registers():
    address, _ = find("action_preempt", "mov x29, sp")
    refuted("action_preempt", "x25 is kept", (address, 0xAA3903F9))  # mvn x25, x25


@pytest.mark.parametrize(
    ("start", "code", "why"),
    [
        ("bl", 0xD63F0100, "is of no form"),  # blr x8
        ("ret", 0xD61F0100, "a return goes to the caller"),  # br x8
    ],
)
def test_a_call_through_a_register_is_refuted(start, code, why):
    address, _ = find(DRAIN, start)
    refuted(DRAIN, why, (address, code))


def test_a_tail_call_is_given_nothing_that_lies_in_the_frame_that_is_gone():
    last = [each for each, _, text in listing("action_preempt") if text.startswith("mov x0, ")][-1]
    refuted("action_preempt", "of the stack reach into the caller's frame", (last, 0x910003E0))  # mov x0, sp


def test_every_register_is_preserved_or_lost():
    for each in (FUNCTION, VM_FUNCTION, PRESERVE_NONE):
        whole = {name for name in (*each.lost, *each.preserved) if not name.startswith(("q", "d"))}
        assert whole == set(convention.USED) and not set(each.preserved) & set(each.lost)
    places = {registers()[name].offset for name in convention.USED}
    assert places <= general() and not any(registers()[name].offset in general() for name in convention.VECTORS)


class Held:
    """Registers that hold their values from the entry, with some exceptions."""

    def __init__(self, each, **others):
        self.entry = {name: z3.BitVec(name, ADDRESS) for name in (*each.entered, SP)}
        self.others = others

    def __call__(self, name):
        return self.others.get(name, self.entry.get(name, 0))


def broken(way, each, target=0, **others):
    """Return the demands of a way out that are not met."""
    held = Held(each, **others)
    known = {held.entry[SP].get_id(): convention.STACK_ALIGNMENT}
    target = held.entry[LINK] if target is LINK else target
    demands = convention.demands(way, each, held.entry, held, known, target, 0x1000)
    return [what for condition, what in demands if condition is not True]


def test_each_way_out_demands_what_the_standard_says():
    changed = {"x19": 0, SP: 8, LINK: 0x1000}
    assert broken(RETURN, FUNCTION, LINK) == broken(TAIL_CALL, FUNCTION) == []
    assert broken(CALL, FUNCTION, x30=0x1000) == broken(LAST_CALL, FUNCTION) == []
    assert broken(RETURN, FUNCTION, LINK, **changed) == ["x19 is kept", "sp is kept", "sp is a multiple of 16"]
    assert broken(RETURN, FUNCTION, 0x1000) == ["a return goes to the caller"]
    assert broken(TAIL_CALL, FUNCTION, **changed) == ["x30 is kept", *broken(RETURN, FUNCTION, LINK, **changed)]
    assert broken(CALL, FUNCTION, **changed) == broken(LAST_CALL, FUNCTION, **changed) == ["sp is a multiple of 16"]
    assert broken(CALL, FUNCTION) == ["x30 leads to the next instruction"]
    assert broken(TAIL_CALL, PRESERVE_NONE, **changed) == ["x30 is kept", "sp is kept", "sp is a multiple of 16"]


@pytest.mark.parametrize(("way", "each"), [(RETURN, NAKED), (TAIL_CALL, NAKED), (EXCEPTION_RETURN, FUNCTION)])
def test_some_code_has_no_such_way_out(way, each):
    assert broken(way, each) == [f"{way.what}: no way out of a {each.name}"]
    assert broken(EXCEPTION_RETURN, NAKED) == []


# ---- the stack


def test_a_frame_that_leaves_the_stack_between_two_multiples_of_16_is_refuted():
    (first, push), (last, pop) = find(DRAIN, "stp x29, x30"), find(DRAIN, "ldp x29, x30")
    size = 127 << 15  # of a frame, in words
    refuted(DRAIN, "sp is a multiple of 16", (first, push & ~size | (-7 & 127) << 15), (last, pop & ~size | 7 << 15))


@pytest.mark.parametrize(
    ("code", "why"),
    [
        (0xF802C3FD, "8 bytes at -0x4 of the stack reach into the caller's frame"),  # stur x29, [sp, #0x2c]
        (0xF9401BFD, "8 bytes at 0x0 of the stack reach into the caller's frame"),  # ldr x29, [sp, #0x30]
        (0xF81F03FD, "8 bytes at -0x40 of the stack lie below the stack pointer"),  # stur x29, [sp, #-16]
    ],
)
def test_a_function_touches_no_stack_but_its_own(code, why):
    address, _ = find(DRAIN, "mov x29, sp")
    refuted(DRAIN, why, (address, code))


def test_a_call_finds_an_aligned_stack_and_where_to_come_back_to():
    machine = FunctionCode(built(), named()[DRAIN])
    thread = machine.start()
    machine.before = -8
    thread.registers[registers()[SP]] = machine.entry[SP] - 8
    machine.call(thread, built().functions["gate_lookup"].address)
    demanded = {what.split(": ")[1] for _, what in thread.obligations}
    assert demanded == {"x30 leads to the next instruction", "sp is a multiple of 16"}


def test_what_lies_below_the_stack_pointer_is_lost_at_a_call():
    machine = FunctionCode(built(), named()[DRAIN])
    thread = machine.start()
    thread.stack |= {-64: (8, 1), -48: (8, 2), -8: (8, 3)}
    thread.registers[registers()[SP]] = machine.entry[SP] - 48
    machine.abandon(thread)
    assert thread.stack == {-48: (8, 2), -8: (8, 3)} and thread.deepest == 48


def test_nothing_is_known_of_the_stack_where_nobody_calls():
    vector = "vectors[4]"
    start = CONTRACTS[vector].symbol(built()).address
    found = ContractComparison(with_code((start, 0xF81F0FE0)), CONTRACTS[vector]).run()  # str x0, [sp, #-16]!
    assert found.result == "refuted" and "outside every object" in found.reason


# ---- alignment


def test_an_access_that_is_not_aligned_is_refuted():
    address, _ = find("capability_current_object", "ldr w9, [x8, #0x4]")
    refuted("capability_current_object", "an address is a multiple of 8", (address, 0xF8404109))  # ldur x9, [x8, #4]


@pytest.mark.parametrize(
    ("code", "size", "aligned", "on_stack"),
    [
        (0xA9BF7BFD, 8, 8, True),  # stp x29, x30, [sp, #-16]!
        (0x69400000 | 1 << 10, 4, 4, False),  # ldpsw x0, x1, [x0]
        (0xAD000400, 16, 16, False),  # stp q0, q1, [x0]
        (0x3DC003E0, 16, 16, True),  # ldr q0, [sp]
        (0x78206801, 2, 2, False),  # strh w1, [x0, x0]
        (0x58000000, 8, 8, False),  # ldr x0, a word of the code
        (0x5800001F, 8, 8, False),  # ldr xzr, a word of the code
        (0x885F7C00, 4, 4, False),  # ldxr w0, [x0]
        (0xC87F0400, 8, 16, False),  # ldxp x0, x1, [x0]
        (0x08DFFC00, 1, 1, False),  # ldarb w0, [x0]
        (0xF8200000, 8, 8, False),  # ldadd x0, x0, [x0]
    ],
)
def test_the_encoding_says_how_an_access_is_aligned(code, size, aligned, on_stack):
    assert alignment.access(code) == alignment.Access(size, aligned, on_stack)


def test_what_nobody_knows_how_to_align_is_refused():
    with pytest.raises(NotAllowed):
        alignment.access(0x0D400000)  # ld1 {v0.b}[0], [x0]


def test_every_access_of_the_images_is_as_wide_as_its_encoding_says():
    """SLEIGH reads the encodings, too, and others wrote it."""
    seen = 0
    for image in (*map(built, BUILDS), handlers.built()):
        for address in [address for symbol in image.functions.values() for address in image.code(symbol)]:
            code = image.read(address, SIZE)
            try:
                operations = instruction(code, address).operations
            except NotAllowed:
                continue
            sizes = [each.output.size for each in operations if each.name == "LOAD"]
            sizes += [each.inputs[2].size for each in operations if each.name == "STORE"]
            found = alignment.access(int.from_bytes(code, "little"))
            assert set(sizes) == ({found.size} if found else set()), instruction(code, address).text
            seen += len(sizes)
    assert seen > 10_000


def test_the_kernel_runs_where_all_is_checked_and_the_vm_where_the_stack_is():
    assert (alignment.KERNEL.accesses, alignment.KERNEL.stack) == (True, True)
    assert (alignment.PARTITION.accesses, alignment.PARTITION.stack) == (False, True)


def test_multiples_are_known_of_sums():
    base, index = z3.BitVecs("base index", ADDRESS)
    known = {base.get_id(): 8}
    assert multiple(linear(base + index * 24), 8, known) is True and multiple(linear(base + 4), 8, known) is False
    for size, odd in ((16, base), (8, base + index * 4)):
        solver = z3.Solver()
        solver.add(z3.Extract(2, 0, base) == 0, multiple(linear(odd), size, known) != (z3.URem(odd, size) == 0))
        assert solver.check() == z3.unsat


# ---- calls that the model does not make


MOV_X0_X19, MOV_X1_X20 = 0xAA1303E0, 0xAA1403E1
ROOM = "gate_room_for"


def test_a_call_before_its_index_is_known_to_be_in_range_is_refuted():
    """`gate_lookup` runs before the check that the operation exists.

    The change makes room for it: nobody needs the frame pointer, and one branch can pass on the answer that there is
    room.
    """
    code = [*listing(ROOM)]
    frame = next(n for n, (_, _, text) in enumerate(code) if text == "mov x29, sp")
    asked = next(n for n, (_, _, text) in enumerate(code) if text.startswith("tbz w0"))
    start, answer = code[frame][0], int(code[asked + 2][2].split()[-1], 16)
    assert asked == frame + 4 and code[asked + 3][2] == "mov x0, x19"
    words = [
        code[frame + 1][1],
        code[frame + 2][1],
        branch(start + 2 * SIZE, "witness_own_room"),
        0x37000000 | (answer - start - 3 * SIZE) // SIZE << 5,  # tbnz w0, #0
        MOV_X0_X19,
        MOV_X1_X20,
        branch(start + 6 * SIZE, "gate_lookup"),
    ]
    refuted(
        ROOM,
        "index in range in gate_lookup, which the machine code calls",
        *((start + SIZE * number, word) for number, word in enumerate(words)),
    )


def test_few_functions_without_effect_need_an_index_in_range():
    apart = outside.functions()  # a row of each says whether it is defined; to hash a whole log here takes for ever
    asked = {name: each for name, each in named().items() if name not in apart and not has_effect(each)}
    partial = {name for name, each in asked.items() if not defined.is_total(each)}
    assert {"gate_lookup", "ring_credit_at"} <= partial and len(partial) < 20
    assert defined.is_total(named()["capability_live"]) and defined.is_total(named()["memory_is_root"])


def test_what_the_platform_calls_is_defined_where_it_is_called_or_asked_apart(monkeypatch):
    usual = contract.asked_apart()
    monkeypatch.setattr(contract, "asked_apart", lambda: usual - {"action_preempt"})
    found = ContractComparison(built(), CONTRACTS["trap"]).run()
    assert found.result == "refuted" and "in action_preempt, which the machine code calls" in found.reason, found.reason


def test_what_is_asked_apart_is_asked():
    stepping = {translate(transition.function).symbol: transition.name for transition in transitions(KERNEL)}
    asked = {symbol: steps.questions(stepping[symbol], KERNEL) for symbol in contract.asked_apart() & set(stepping)}
    unasked = {
        symbol
        for symbol, questions in asked.items()
        if not any(id_.split("/")[1].startswith("well-formed") for id_, _, _ in questions)
    }
    assert unasked == {"schedule_wait"}  # in which nothing can be undefined
    assert contract.asked_apart() - set(stepping) <= set(outside.functions())


# ---- all ways out


def test_every_way_out_is_changed():
    changed = {(mutant.function, mutant.what) for mutant in ways.every()}
    for name in named():
        ends = {text.split()[0] for _, _, text in listing(name)}
        assert "ret" not in ends or (name, "return register") in changed, name
    kinds = {"register", "saved register", "slot", "frame", "stack pointer", "return register", "link"}
    assert {what for _, what in changed} == kinds
    assert any(mutant.function == "restore_context" for mutant in ways.every())


@pytest.mark.parametrize("count", [16, pytest.param(64, marks=pytest.mark.full)])
def test_code_that_is_left_otherwise_is_refuted(count):
    tried = ways.sample(0, count / len(ways.every()))
    alive = [mutant.change for mutant in tried if not machine.verdict(mutant).startswith("proof: ")]
    assert len(tried) == count and alive == []
