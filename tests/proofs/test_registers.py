"""May code read or change a register that nobody compares?

Every instruction and register outside the lists is refused, wherever it stands.
"""

import random

import pytest

from corollary.proofs.machine import called, handlers, instructions
from corollary.proofs.machine.contract import CONTRACTS, ContractComparison
from corollary.proofs.machine.convention import FLAGS, VECTORS
from corollary.proofs.machine.image import Image
from corollary.proofs.machine.instructions import GENERAL, HANDLER, PAIR
from corollary.proofs.machine.interpreter import CALLED
from corollary.proofs.machine.lanes import Lanes
from corollary.proofs.machine.lift import SIZE, NotAllowed, instruction, registers
from corollary.proofs.machine.obligations import built
from corollary.proofs.machine.platform import all_bytes, system
from corollary.proofs.machine.processor import WITHIN, Registers, general
from corollary.proofs.machine.refine import Comparison
from corollary.proofs.machine.summary import named
from corollary.proofs.machine.system import strays
from corollary.spec.wasm.internal import NUMBER, OPERATIONS
from tests.machine.system import assembled

NEW = (
    "cfinv",
    "setf8 w0",
    "rmif x0, #1, #2",
    "pacia x0, x1",
    "autia x0, x1",
    "xpaci x0",
    "casal x0, x1, [x2]",
    "ldadd x0, x1, [x2]",
    "swp x0, x1, [x2]",
    "ldapr x0, [x1]",
    "sb",
    "bti c",
    "fjcvtzs w0, d0",
    "fmov h0, #1.0",
    "sdot v0.4s, v1.16b, v2.16b",
    "irg x0, x1",
    "mov z0.d, #0",
    "ldraa x0, [x1]",
    "mrs x0, RNDR",
    "msr pan, #1",
    "msr uao, #1",
    "msr dit, #1",
    "msr ssbs, #1",
    "esb",
    "csdb",
    "at s1e1rp, x0",
    "dc cvap, x0",
    "wfet x0",
    "ld64b x0, [x2]",
)
"""Instructions of extensions beyond Armv8.0-A, or without a meaning there."""
ALWAYS = (
    "svc #0",
    "hvc #0",
    "smc #0",
    "brk #0",
    "hlt #0",
    "wfi",
    "wfe",
    "sev",
    "eret",
    "dsb sy",
    "dmb ish",
    "isb",
    "clrex",
    "dc zva, x0",
    "dc civac, x0",
    "ic iallu",
    "ic ivau, x0",
    "tlbi vmalle1",
    "at s1e1r, x0",
    "msr daifclr, #15",
    "msr spsel, #0",
    "sys #3, c7, c11, #1, x0",
    "sysl x0, #3, c7, c11, #1",
    "ldxr x0, [x1]",
    "stxr w0, x1, [x2]",
    "ldar x0, [x1]",
    "stlr x0, [x1]",
    "prfm pldl1keep, [x0]",
    "crc32b w0, w1, w2",
    "aese v0.16b, v1.16b",
    "blr x0",
    "ldtr x0, [x1]",
    "udf #0",
)
WRITTEN = (
    "fpcr",
    "fpsr",
    "tpidr_el0",
    "tpidrro_el0",
    "tpidr_el1",
    "vbar_el1",
    "cpacr_el1",
    "nzcv",
    "daif",
    "sp_el0",
    "elr_el1",
    "spsr_el1",
    "ttbr0_el1",
    "sctlr_el1",
    "mair_el1",
    "tcr_el1",
    "contextidr_el1",
    "cntkctl_el1",
    "cntv_ctl_el0",
    "par_el1",
    "mdscr_el1",
    "vttbr_el2",
    "hcr_el2",
    "sp_el1",
)
UNPREDICTABLE = {
    "ldp with one register twice": 0xA9400400 & ~31 | 1,
    "ldp after which the base is loaded": 0xA8C10400,
    "stp of the base that it changes": 0xA8810400,
    "ldr after which the base is loaded": 0xF8408400,
    "str of the base that it changes": 0xF8008400,
    "smulh with a third operand": 0x9B420020,
    "ldp of one vector register twice": 0xAD400000,
}
SWEEP = 60
HANDLERS = ("copy", "const", "i32_add_slots", "i32_load", "get_global", "br", "f64_abs", "i64_trunc_f64_s")


def compared(name, at, code):
    """Return the result of comparing a handler with an instruction at some place."""
    image = Image(handlers.built().path, [(at, code.to_bytes(SIZE, "little"))])
    return handlers.Comparison(image, OPERATIONS[NUMBER[name]]).run()


def places(name):
    """Return the addresses of a handler's instructions."""
    return list(handlers.built().code(handlers.built().functions[f"take_{name}"]))


def trap_path(name):
    """Return the addresses of a handler between its first branch and its first return, where it traps."""
    image, found = handlers.built(), places(name)
    texts = [instruction(image.read(at, SIZE), at).mnemonic for at in found]
    return found[next(number for number, text in enumerate(texts) if text.startswith("b.")) + 1 : texts.index("ret")]


def is_refuted(answer, at):
    """Is code refuted because of the instruction at an address itself?"""
    itself = any(why in answer.reason for why in ("is of no form", "is an instruction for"))
    return answer.result == "refuted" and answer.reason.startswith(f"{at:#x}: ") and itself


def refused(code, use=GENERAL):
    """Is an instruction of no form, or only of a form for other code?"""
    form = instructions.form_of(code)
    return form is None or form.use not in (use if isinstance(use, tuple) else (use,))


# ---- instructions


@pytest.mark.parametrize("text", NEW)
def test_an_instruction_that_the_processor_lacks_is_of_no_form(text):
    assert instructions.form_of(encoded(text)) is None


@pytest.mark.parametrize(
    "text", [*ALWAYS, *(f"msr {name}, x0" for name in WRITTEN), *(f"mrs x0, {name}" for name in WRITTEN)]
)
def test_a_handler_may_not_have_an_instruction_of_the_system(text):
    assert refused(encoded(text), (GENERAL, PAIR, HANDLER))


def encoded(text):
    """Return the word of an instruction, of any extension."""
    return assembled([f".arch armv9.4-a+rng+memtag+pauth+ls64+sve+lse+rcpc+dotprod+fp16+crypto+flagm+jscvt\n{text}"])[0]


@pytest.mark.parametrize("mistake", UNPREDICTABLE)
def test_a_word_that_the_architecture_leaves_open_is_refused(mistake):
    assert instructions.form_of(UNPREDICTABLE[mistake]) is None


def test_no_form_for_handlers_or_the_model_is_a_system_instruction():
    """This covers all words of MSR, MRS, SYS, hints and barriers, of exceptions and of returns from them.

    Their other bits take any value.
    """
    for form in instructions.forms():
        if form.use in (GENERAL, PAIR, HANDLER) and form.name != "nop":
            for value, mask in ((0xD5000000, 0xFFC00000), (0xD4000000, 0xFF000000), (0xD6800000, 0xFF800000)):
                assert (form.value ^ value) & form.mask & mask, form


# ---- handlers


@pytest.mark.parametrize(
    "name",
    [
        "fpcr",
        "vbar_el1",
        *(pytest.param(name, marks=pytest.mark.full) for name in ("fpsr", "tpidr_el0", "cpacr_el1", "daifclr")),
    ],
)
def test_a_handler_that_writes_a_register_of_the_system_where_it_traps_is_refuted(name):
    code = encoded(f"msr {name}, #15" if name == "daifclr" else f"msr {name}, x9")
    for at in trap_path("i32_load"):
        assert is_refuted(compared("i32_load", at, code), at)


def any_system_instruction(source):
    """Return a random word of MSR, MRS, SYS, SYSL, hints and barriers, or of exceptions and returns from them."""
    return source.choice((0xD5000000 | source.getrandbits(22), 0xD4000000 | source.getrandbits(24), 0xD69F03E0))


def test_a_system_instruction_anywhere_in_a_handler_is_refuted():
    source, tried = random.Random(5), 0
    for name in HANDLERS:
        for _ in range(SWEEP // len(HANDLERS)):
            code, at = any_system_instruction(source), source.choice(places(name))
            assert is_refuted(compared(name, at, code), at), f"{code:#010x} at {at:#x} of {name}"
            tried += 1
    print(f"\n{tried} system instructions in {len(HANDLERS)} handlers")


@pytest.mark.parametrize("symbol", CALLED)
def test_a_function_that_handlers_call_may_not_reach_the_system(symbol):
    image = handlers.built()
    at = image.functions[symbol].address
    patched = Image(image.path, [(at, encoded("msr fpcr, x9").to_bytes(SIZE, "little"))])
    assert is_refuted(called.Comparison(patched, CALLED[symbol]).run(), at)


@pytest.mark.parametrize(
    ("callee", "symbol"), [(called.MOVE, "machine_copy_memory"), (called.FILL, "machine_fill_memory")]
)
def test_code_that_moves_and_fills_bytes_reaches_no_register_of_the_system(callee, symbol):
    image = handlers.built()
    for at in random.Random(callee).sample(list(image.code(image.functions[callee])), 5):
        patched = Image(image.path, [(at, encoded("msr fpcr, x9").to_bytes(SIZE, "little"))])
        assert is_refuted(called.Comparison(patched, CALLED[symbol]).run(), at)


# ---- the kernel


@pytest.mark.parametrize(
    "text",
    [
        "movi v8.2d, #0",
        "fmov d0, x0",
        "ldp q0, q1, [x0]",
        "mrs x9, tpidr_el2",
        "msr tpidr_el2, x9",
        "sdiv x0, x0, x1",
        "isb",
        "cfinv",
    ],
)
def test_a_function_of_the_model_has_general_registers_and_flags_only(text):
    image = built()
    at = image.functions["capability_id"].address
    patched = Image(image.path, [(at, encoded(text).to_bytes(SIZE, "little"))])
    assert is_refuted(Comparison(patched, named()["capability_id"]).run(), at)


@pytest.mark.parametrize("name", ["timer_start", "resume", "trap", "halt", "hardware_console_put"])
@pytest.mark.parametrize(
    "text", ["movi v8.2d, #0", "fmov d8, x0", "ldp q8, q9, [sp]", "msr afsr0_el2, x9", "mrs x9, cntvct_el0"]
)
def test_code_with_a_contract_may_not_change_or_ask_what_no_contract_compares(name, text):
    image = built()
    at = image.functions[name].address
    patched = Image(image.path, [(at, encoded(text).to_bytes(SIZE, "little"))])
    assert is_refuted(ContractComparison(patched, CONTRACTS[name]).run(), at)


@pytest.mark.parametrize("text", ["ldp q8, q9, [sp]", "movi v8.2d, #0"])
def test_vectors_in_code_without_a_contract_are_named(text):
    address = built().functions["report_say"].address
    found = strays(Image(built().path, [(address, encoded(text).to_bytes(SIZE, "little"))]))
    assert len(found) == 1 and "in report_say" in found[0]


# ---- registers


def test_each_list_of_registers_holds_no_other():
    names = {
        name for name, place in registers().items() if set(range(place.offset, place.offset + place.size)) & general()
    }
    whole = {
        *(f"x{number}" for number in range(31)),
        *(f"w{number}" for number in range(31)),
        "sp",
        "wsp",
        *FLAGS,
        *WITHIN,
    }
    assert names == whole
    both = {
        name
        for name, place in registers().items()
        if set(range(place.offset, place.offset + place.size)) <= Lanes(None).only
    }
    assert both - whole == {f"{letter}{number}" for letter in "bhsdqz" for number in range(32)}
    assert not any(range(place.offset, place.offset + place.size)[0] in Lanes(None).only for place in system().values())
    assert len(VECTORS) == 32 and Lanes(None).only < all_bytes()


@pytest.mark.parametrize(
    "make", [lambda: Registers(lambda node: 0, general()), lambda: Lanes(lambda node: 0)], ids=["model", "handler"]
)
def test_a_register_outside_the_list_is_neither_looked_at_nor_changed(make):
    for name in sorted(set(registers()) - {"xzr", "wzr"}):
        place, held = registers()[name], make()
        inside = set(range(place.offset, place.offset + place.size)) <= held.only
        for use in (lambda: held[place], lambda: held.__setitem__(place, 0)):
            if inside:
                use()
            else:
                with pytest.raises(NotAllowed, match="is not among the registers"):
                    use()
