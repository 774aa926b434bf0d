"""Do the names and effects of system instructions match the processor?

The test covers registers, vectors, barriers, maintenance and returns.
"""

import random
import re
from functools import cache
from typing import Any

import pytest
import z3

from corollary.emulation.probe import BREAKPOINT, GIVEN, SLOT, STACK, System
from corollary.proofs.machine import instructions
from corollary.proofs.machine.contracts import CONSTANT
from corollary.proofs.machine.convention import VECTORS
from corollary.proofs.machine.lift import SIZE, NotAllowed, registers
from corollary.proofs.machine.platform import INTERRUPT_CONTROLLER
from corollary.proofs.oracle.cases import spoken_of
from corollary.spec.kernel.platform import BOOT_REGISTERS
from tests.machine.system import (
    Instruction,
    assembled,
    encoding_of,
    encodings,
    is_immediate,
    lifted,
    read_name,
    spelled,
    written_name,
)

VALUES = 20  # written to each register
PAIRS = 20  # of contents for each pair of vector registers
RETURNS = 60
BEFORE, AFTER, KEPT = (
    STACK,
    STACK + 0x1000,
    12,
)  # two views of all registers, and the general register that keeps an old value
ONES = (1 << 64) - 1
# bits of a register that change by themselves
MOVES = {"CNTPCT_EL0": ONES, "CNTHP_TVAL_EL2": ONES, "CNTV_CTL_EL0": 1 << 2, "CNTHP_CTL_EL2": 1 << 2, "ISR_EL1": ONES}
# registers that cannot be read without an effect, or at all
UNSEEN = {"ICC_IAR1_EL1": "reading it accepts an interrupt", "ICC_EOIR1_EL1": "it is only written"}
# registers that are never written, and their values
CONSTANTS = {"CURRENTEL": CONSTANT["CURRENT_EL2"], "CNTFRQ_EL0": CONSTANT["COUNTER_HZ"]}
TOLD = ("CNTPCT_EL0", "ISR_EL1")  # likewise, but they change by themselves
# registers without a changeable bit here
FIXED = {
    "AFSR0_EL1": "RES0",
    "AFSR1_EL1": "RES0",
    "AMAIR_EL1": "RES0",
    "ACTLR_EL2": "RES0",
    "ICC_SRE_EL2": "RAO/WI: there is no other interface",
}
LEFT_OPEN = set(INTERRUPT_CONTROLLER.values())  # by the rules, each read of these may return anything
# bits that end the program that writes them: the MMU without tables, the other byte order, a trap of FPCR and FPSR
DEADLY = {"SCTLR_EL2": 1 << 0 | 1 << 25, "CPTR_EL2": 1 << 10}
# effects from which no program returns: an interrupt, firmware and another place
AWAY = {"WFI", "SMC 0X0", "ERET"}
HVC, MODES = 0xD4000002, {"EL2h": 9, "EL1h": 5, "EL1t": 4}
RET, UNDEFINED = 0xD65F03C0, 0
OTHER = 5  # the register of an instruction that is not in the image


# ---- what there is


@cache
def beyond():
    """Return the instructions that involve more than general registers, flags, memory and hashes.

    tests/proofs/test_hashing.py compares those for hashes.
    """
    plain = (instructions.GENERAL, instructions.HASH)
    return [code for code in spoken_of() if lifted(code).form.use not in plain]


def refused(code):
    """Is this instruction out of reach of every proof?"""
    try:
        Instruction(code)
    except NotAllowed:
        return True
    return False


@cache
def vectors():
    """Return the instructions that move pairs of vector registers."""
    places = {registers()[name] for name in VECTORS}
    return [
        code
        for code in beyond()
        if any(places & {operation.output, *operation.inputs} for operation in lifted(code).operations)
    ]


@cache
def of_system():
    """Return all others beyond the plain ones, and one of each system form that is not in the image."""
    held = [code for code in beyond() if code not in vectors() and not refused(code)]
    rows = {form for form in instructions.forms() if form.use == instructions.SYSTEM}
    return held + sorted(form.value | OTHER for form in rows - {lifted(code).form for code in held})


@cache
def writing():
    """Return the instructions that write a system register."""
    return [code for code in of_system() if written_name(code)]


@cache
def reading():
    """Return the instructions that read one."""
    return [code for code in of_system() if read_name(code)]


@cache
def telling():
    """Return the instructions that do something else."""
    return [code for code in of_system() if code not in writing() and code not in reading()]


@cache
def names():
    """Return every system register that the image reads or writes."""
    return sorted({*map(written_name, writing()), *map(read_name, reading())})


@cache
def seen():
    """Return those that can be read."""
    return [name for name in names() if name not in UNSEEN]


STEADY = [name for name in seen() if MOVES.get(name) != ONES]  # those that keep their value until they are written


def test_no_instruction_is_left_out():
    compared = {*vectors(), *writing(), *reading(), *(code for code in telling() if spelled(code))}
    others = {lifted(code).form.use for code in beyond() if code not in compared}
    assert others == {instructions.PADDING}  # up to the next constant
    assert len(writing()) > 50 and len(reading()) > 20 and len(vectors()) == 32
    print(
        f"\n{len(writing())} writes and {len(reading())} reads of {len(names())} registers, "
        f"{len(vectors())} pairs of vector registers, {len(telling())} other instructions"
    )


def test_every_form_for_the_system_is_compared():
    rows = {form for form in instructions.forms() if form.use == instructions.SYSTEM}
    assert rows == {lifted(code).form for code in of_system()}


# ---- the names


def test_the_names_of_the_rules_are_those_of_the_assembler():
    codes = [code for code in of_system() if not (written_name(code) and is_immediate(code))]
    assert None not in map(spelled, codes)
    assert [
        lifted(code).text for code, found in zip(codes, assembled([spelled(code) for code in codes])) if code != found
    ] == []


def test_the_registers_known_by_encoding_are_those_of_the_assembler():
    spoken, wanted = zip(*encodings())
    assert len(wanted) == len(INTERRUPT_CONTROLLER) and tuple(map(encoding_of, assembled(spoken))) == wanted


def test_another_name_is_noticed():
    assert assembled(["msr TTBR0_EL1, x0"]) != assembled(["msr TTBR1_EL1, x0"])
    assert encoding_of(assembled(["msr ICC_PMR_EL1, x0"])[0]) != encoding_of(assembled(["msr ICC_IGRPEN1_EL1, x0"])[0])


# ---- the registers


@pytest.fixture(scope="module")
def machine():
    with System() as opened:
        yield opened


@pytest.fixture(scope="module")
def codes():
    """Return the code of each text that a test needs.

    These are reads and writes of registers by name, and the other parts of a program.
    """
    wanted = [
        verb.format(name)
        for name in seen()
        for verb in ("mrs x13, {}", f"msr {{}}, x{KEPT}", "msr {}, x0")
        if not (verb.startswith("msr") and name in (*TOLD, *CONSTANTS))
    ]
    wanted += [f"str x13, [x{base}, #{8 * place}]" for base in (14, 15) for place in range(len(seen()))]
    wanted += [f"mov x0, x{number}" for number in range(31)]
    wanted += [
        f"mov {pair}"
        for vector in range(32)
        for number, half in halves(vector)
        for pair in (f"x{number}, v{vector}.d[{half}]", f"v{vector}.d[{half}], x{number}")
    ]
    wanted += ["isb", "mov x9, sp", "mov sp, x8", "mov sp, x9"]
    return dict(zip(wanted, assembled(wanted)))


def halves(vector):
    """Return the general register for each half of a vector register."""
    return ((2 * (vector % 2), 0), (2 * (vector % 2) + 1, 1))


def look(codes, base):
    """Return instructions that store all registers to memory."""
    return [
        code
        for place, name in enumerate(seen())
        for code in (codes[f"mrs x13, {name}"], codes[f"str x13, [x{base}, #{8 * place}]"])
    ]


def looked(machine, address):
    """Return the values that these instructions stored."""
    return {name: int.from_bytes(machine.read(address + 8 * place, 8), "little") for place, name in enumerate(seen())}


def asked(machine, codes, code, value, first=None):
    """Return all registers before and after an instruction, and its general register after it.

    The instruction finds `value` in its general register. The register that it writes holds `first` before it. In the
    end, that register holds its original value again.
    """
    name, register = written_name(code), code & 31
    assert register < KEPT or is_immediate(code)
    prepared = [] if first is None else [codes[f"msr {name}, x0"]]
    isb, restored = codes["isb"], []
    given = [0] * 16
    given[14:] = BEFORE, AFTER
    if name in seen() and name != "CNTHP_TVAL_EL2":
        given[KEPT] = start(machine, codes)[name]
        restored = [codes[f"msr {name}, x{KEPT}"], isb]
    given[0] = first or 0
    if register < KEPT and not (name and is_immediate(code)):
        given[register] = value
    stopped, general = machine.go([*look(codes, 14), *prepared, code, isb, *look(codes, 15), *restored, RET], *given)
    assert stopped.syndrome == 0, (
        f"{lifted(code).text} on {value:#x}: exception {stopped.syndrome:#x} at {stopped.at - SLOT:#x}"
    )
    before = looked(machine, BEFORE)
    if first is not None:
        before[name] = first
    return before, looked(machine, AFTER), general[register] if register < KEPT else None


def start(machine, codes):
    """Return all registers with their current values."""
    stopped, _ = machine.go([*look(codes, 14), RET], *[0] * 14, BEFORE)
    assert stopped.syndrome == 0
    return looked(machine, BEFORE)


def fixed(name, value):
    """Return the bits of a register that do not change by themselves."""
    return value & ~MOVES.get(name, 0)


def differs(code, before, after, value, register):
    """Return the registers, general or not, in which rules and processor differ after an instruction."""
    known = Instruction(code, {**before, f"x{code & 31}": value})
    found = {name: (known.holds(name), after[name]) for name in seen()}
    found = {name: (before[name] if ours is None else ours, theirs) for name, (ours, theirs) in found.items()}
    wrong = {name: pair for name, pair in found.items() if fixed(name, pair[0]) != fixed(name, pair[1])}
    if register is not None and read_name(code) is None and register != value:
        wrong[f"x{code & 31}"] = value, register
    return wrong


def kept_bits(machine, codes, code):
    """Return the bits of a register that keep a written value, found by writing zeros and ones."""
    name: Any = written_name(code)
    able = ONES & ~DEADLY.get(name, 0)
    zeros, ones = (asked(machine, codes, code, value)[1][name] for value in (0, able))
    return (zeros ^ ones) & able & ~MOVES.get(name, 0), zeros


@pytest.mark.parametrize(
    "code", [code for code in writing() if written_name(code) in STEADY and not is_immediate(code)], ids=written_name
)
def test_a_write_is_found_in_the_register_of_that_name_and_in_no_other(machine, codes, code):
    name, source = written_name(code), random.Random(code)
    bits, others = kept_bits(machine, codes, code)
    assert bool(bits) != (name in FIXED)
    for _ in range(VALUES):
        value = source.getrandbits(64) & bits | others & ~bits
        before, after, register = asked(machine, codes, code, value)
        assert differs(code, before, after, value, register) == {}


@pytest.mark.parametrize("name", ["TPIDR_EL0", "VTTBR_EL2"])
def test_a_rule_that_writes_another_register_is_noticed(machine, codes, name):
    code, another = (next(code for code in writing() if written_name(code) == each) for each in (name, "FAR_EL1"))
    before, after, register = asked(machine, codes, code, SLOT)
    assert set(differs(another & ~31 | code & 31, before, after, register, register)) == {name, "FAR_EL1"}


@pytest.mark.parametrize(
    "code", [code for code in reading() if read_name(code) in set(STEADY) - {*CONSTANTS, *LEFT_OPEN}], ids=read_name
)
def test_a_read_gives_what_the_register_of_that_name_holds(machine, codes, code):
    name, source = read_name(code), random.Random(code)
    bits, others = kept_bits(machine, codes, codes[f"msr {name}, x0"])
    for _ in range(VALUES):
        value = source.getrandbits(64) & bits | others & ~bits
        moved = codes[f"mov x0, x{code & 31}"]
        stopped, general = machine.go(
            [codes[f"msr {name}, x0"], codes["isb"], code, moved, codes[f"msr {name}, x{KEPT}"], codes["isb"], RET],
            *[value] + [0] * (KEPT - 1),
            start(machine, codes)[name],
        )
        expected = Instruction(code, {name: value}).holds(f"x{code & 31}")
        assert (stopped.syndrome, fixed(name, general[0])) == (0, fixed(name, expected))


@pytest.mark.parametrize("code", [code for code in writing() if is_immediate(code)], ids=written_name)
def test_a_register_is_set_by_the_instruction_itself(machine, codes, code):
    name = written_name(code)
    if name == "DAIF":
        for first in range(16):
            before, after, _ = asked(machine, codes, code, 0, first << 6)
            assert differs(code, before, after, 0, None) == {}
    else:
        before, after, _ = asked(machine, codes, code, 0, 0)
        assert name == "SPSEL" and after[name] == 1 and differs(code, before, after, 0, None) == {}


def test_what_a_register_of_the_interrupt_controller_holds_is_left_open():
    for code in reading():
        assert (read_name(code) in LEFT_OPEN) == isinstance(
            Instruction(code).holds(f"x{code & 31}"), z3.ExprRef
        ) or read_name(code) in MOVES


def test_a_register_that_only_tells_says_what_it_must(machine, codes):
    now = start(machine, codes)
    assert {name: now[name] for name in CONSTANTS} == CONSTANTS
    later = start(machine, codes)
    assert later["CNTPCT_EL0"] > now["CNTPCT_EL0"]
    assert now["ISR_EL1"] & CONSTANT["ISR_INTERRUPT"] == 0
    assert set(map(read_name, reading())) - set(STEADY) <= {*CONSTANTS, *UNSEEN, *TOLD}


def test_the_timer_counts_down_from_what_it_is_told(machine, codes):
    code = next(code for code in writing() if written_name(code) == "CNTHP_TVAL_EL2")
    counter, timer = codes["mrs x13, CNTPCT_EL0"] & ~31 | 1, codes["mrs x13, CNTHP_TVAL_EL2"] & ~31 | 2
    for value in (1 << 30, 12345678, CONSTANT["SHARE_TICKS"]):
        given = [0] * 16
        given[code & 31] = value
        stopped, general = machine.go([counter, code, codes["isb"], timer, counter & ~31 | 3, RET], *given)
        left = general[2] - (general[2] >> 31 << 32)  # below zero if the host was busy meanwhile
        assert stopped.syndrome == 0 and value - (general[3] - general[1]) <= left <= value


def test_no_interrupt_is_accepted_where_none_is_and_finishing_it_does_nothing(machine, codes):
    accept = next(code for code in reading() if read_name(code) == "ICC_IAR1_EL1")
    finish = next(code for code in writing() if written_name(code) == "ICC_EOIR1_EL1")
    before = start(machine, codes)
    stopped, general = machine.go([accept, finish & ~31 | accept & 31, codes["isb"], RET])
    assert stopped.syndrome == 0 and general[accept & 31] >= CONSTANT["SPECIAL_INTERRUPTS"]
    assert {name: fixed(name, value) for name, value in start(machine, codes).items()} == {
        name: fixed(name, value) for name, value in before.items()
    }


@pytest.mark.parametrize("register", BOOT_REGISTERS, ids=lambda register: register.name)
def test_a_value_of_the_specification_is_held(machine, codes, register):
    code = next(code for code in writing() if written_name(code) == register.name)
    _, after, _ = asked(machine, codes, code, register.value)
    assert fixed(register.name, after[register.name]) == register.value | register.stuck


def test_registers_tell_of_an_exception(machine, codes):
    stopped, _ = machine.go([codes["mov x0, x0"], 0xD4200000 | 77 << 5])
    assert (
        stopped.syndrome >> CONSTANT["ESR_EC_SHIFT"],
        stopped.syndrome & CONSTANT["ESR_IMMEDIATE_MASK"],
        stopped.at,
    ) == (BREAKPOINT, 77, SLOT + SIZE)


# ---- vectors, effects, returns


@pytest.mark.parametrize("code", vectors(), ids=lambda code: re.sub(r"\W+", "-", lifted(code).text))
def test_pairs_of_vector_registers_move_as_the_rules_say(machine, codes, code):
    first, second = code & 31, code >> 10 & 31
    source, is_load = random.Random(code), lifted(code).mnemonic == "ldp"
    for _ in range(PAIRS):
        words, stack = [source.getrandbits(64) for _ in range(4)], GIVEN + 0x100
        memory = {stack + at: source.randrange(256) for at in range(1 << 10)}
        machine.write(stack, bytes(memory.values()))
        put = [
            codes[f"mov v{vector}.d[{half}], x{number}"]
            for vector in (first, second)
            for number, half in halves(vector)
        ]
        get = [
            codes[f"mov x{number}, v{vector}.d[{half}]"]
            for vector in (first, second)
            for number, half in halves(vector)
        ]
        stopped, general = machine.go(
            [*put, codes["mov x9, sp"], codes["mov sp, x8"], code, codes["mov sp, x9"], *get, RET],
            *words,
            0,
            0,
            0,
            0,
            stack,
        )
        numbers = {vector: [number for number, _ in halves(vector)] for vector in (first, second)}
        held = {
            f"q{vector}": sum(words[number] << 64 * half for half, number in enumerate(numbers[vector]))
            for vector in numbers
        }
        known = Instruction(code, {**held, "sp": stack}, dict(memory))
        found = {
            f"q{vector}": sum(general[number] << 64 * half for half, number in enumerate(numbers[vector]))
            for vector in numbers
        }
        assert stopped.syndrome == 0 and found == {name: known.holds(name) for name in held}
        assert machine.read(stack, len(memory)) == bytes(known.memory[address] for address in memory)
        assert (found == held) != is_load and (known.memory == memory) == is_load


@pytest.mark.parametrize(
    "code", [code for code in telling() if lifted(code).text.upper() not in AWAY], ids=lambda code: lifted(code).text
)
def test_barriers_and_maintenance_leave_registers_alone(machine, codes, code):
    before, after, register = asked(machine, codes, code, SLOT)
    assert differs(code, before, after, SLOT, register) == {}


@pytest.mark.parametrize("mode", MODES)
def test_an_exception_return_goes_where_its_registers_say(machine, codes, mode):
    code, source = next(code for code in telling() if lifted(code).mnemonic == "eret"), random.Random(mode)
    writes = {
        name: next(each for each in writing() if written_name(each) == name) & ~31 for name in ("ELR_EL2", "SPSR_EL2")
    }
    for _ in range(RETURNS):
        status, number = MODES[mode] | source.getrandbits(4) << 28 | source.getrandbits(4) << 6, source.getrandbits(16)
        place = source.randrange(4, 32)
        stopped, _ = machine.go(
            [writes["ELR_EL2"], writes["SPSR_EL2"] | 1, code, *[UNDEFINED] * (place - 3), HVC | number << 5],
            SLOT + SIZE * place,
            status,
        )
        assert [effect.name for effect in Instruction(code).effects] == ["ERET"]
        assert (stopped.at, stopped.status, stopped.syndrome & CONSTANT["ESR_IMMEDIATE_MASK"]) == (
            SLOT + SIZE * (place + 1),
            status,
            number,
        )


def test_what_fills_up_is_no_instruction_of_the_processor_either(machine):
    stopped, _ = machine.go([UNDEFINED])
    assert stopped.syndrome >> CONSTANT["ESR_EC_SHIFT"] == CONSTANT["EC_UNDEFINED"] and stopped.at == SLOT
