"""Is every word that the table accepts the Cortex-A72 instruction of its row, and of no other row?

Two disassemblers and the assembler judge.
"""

import random
import re
from collections import Counter
from itertools import combinations, islice

import capstone
import pytest

from corollary.proofs.machine import instructions
from corollary.proofs.machine.instructions import PADDING, SYSTEM, forms, forms_of
from corollary.proofs.machine.lift import SIZE, NotAllowed, context, instruction
from corollary.proofs.oracle.cases import TIMES
from tests.machine.system import assembled

RANDOM = 100_000 * TIMES  # words
EXAMPLES = 6  # of each form, each with one bit flipped at a time
SPELLED = 4  # of each form, disassembled and assembled again
ALIASES = {
    "add": "mov",
    "adds": "cmn",
    "sub": "neg",
    "subs": "cmp negs",
    "and": "tst",
    "ands": "tst",
    "orr": "mov",
    "orn": "mvn",
    "movz": "mov",
    "movn": "mov",
    "sbfm": "asr sxtb sxth sxtw sbfiz sbfx",
    "bfm": "bfi bfxil bfc",
    "ubfm": "lsl lsr uxtb uxth ubfiz ubfx",
    "extr": "ror",
    "csinc": "cinc cset",
    "csinv": "cinv csetm",
    "csneg": "cneg",
    "lslv": "lsl",
    "lsrv": "lsr",
    "asrv": "asr",
    "rorv": "ror",
    "madd": "mul",
    "msub": "mneg",
    "smaddl": "smull",
    "smsubl": "smnegl",
    "umaddl": "umull",
    "umsubl": "umnegl",
    "strb": "sturb",
    "ldrb": "ldurb",
    "ldrsb": "ldursb",
    "strh": "sturh",
    "ldrh": "ldurh",
    "ldrsh": "ldursh",
    "str": "stur",
    "ldr": "ldur",
    "ldrsw": "ldursw",
    "ubfx": "",
    "movi": "mvni fmov",
    "dup": "mov",
    "b.cond": "b",
    "spsel": "msr",
    "daifset": "msr",
    "rev": "rev64",
}
"""Other names of an instruction for some values of its fields.

C6.2 lists the aliases; "stur" is for an unscaled offset.
"""


def machine():
    """Return the second disassembler: LLVM's."""
    return capstone.Cs(capstone.CS_ARCH_ARM64, capstone.CS_MODE_ARM)


def names(form):
    """Return the names that disassemblers may give an instruction of a form."""
    return {form.name, *ALIASES.get(form.name, "").split()}


def stray(code, form, other):
    """Return the disassemblers' name for an accepted word if it differs from its row; else nothing."""
    data = code.to_bytes(SIZE, "little")
    ours = context().disassemble(data, base_address=0, max_instructions=1).instructions[0].mnem
    theirs = next((each[2] for each in other.disasm_lite(data, 0)), "none")
    called = {each.split(".")[0] for each in (ours, theirs)}
    return "" if called <= {name.split(".")[0] for name in names(form)} else f"{code:#010x} {form}: {ours}, {theirs}"


def judged(codes):
    """Return `(accepted, strays)` of some words."""
    other, accepted, found = machine(), Counter(), []
    for code in codes:
        form = instructions.form_of(code)
        if form is not None and form.use != PADDING:
            accepted[form] += 1
            said = stray(code, form, other)
            found += [said] if said else []
    return accepted, found


def test_random_words_are_accepted_as_what_they_are_only():
    source = random.Random(72)
    accepted, found = judged(source.getrandbits(32) for _ in range(RANDOM))
    print(f"\n{RANDOM} words, {sum(accepted.values())} accepted, of {len(accepted)} forms of {len(forms())}")
    assert found == [] and sum(accepted.values()) < RANDOM / 2


def test_a_word_one_bit_from_a_form_is_what_it_is_only():
    source = random.Random(8)
    words = [word for form in forms() for word in islice(form.words(source), EXAMPLES)]
    accepted, found = judged(word ^ 1 << bit for word in words for bit in range(32))
    print(f"\n{32 * len(words)} words, {sum(accepted.values())} accepted")
    assert found == []


def test_no_word_is_of_two_forms():
    for one, other in combinations(forms(), 2):
        assert (one.value ^ other.value) & one.mask & other.mask, f"{one} and {other}"


def spelled(code, other):
    """Return a word as the second disassembler spells it, with negative numbers as such."""
    name, operands = next(each[2:] for each in other.disasm_lite(code.to_bytes(SIZE, "little"), 0))
    return re.sub(
        r"#0x[89a-f][0-9a-f]{15}\b", lambda found: f"#{int(found.group()[1:], 16) - (1 << 64)}", f"{name} {operands}"
    )


def test_the_assembler_for_cortex_a72_makes_each_form_of_its_spelling():
    source, other = random.Random(0xD08), machine()
    codes = [word for form in forms() if form.use != PADDING for word in islice(form.words(source), SPELLED)]
    texts = [spelled(code, other) for code in codes]
    for code, text, made in zip(codes, texts, assembled(texts), strict=True):
        same = spelled(made, other) == text and instructions.form_of(made) is instructions.form_of(code)
        assert made == code or same, f"{code:#010x} {text}: {made:#010x}"  # several words may have the same spelling


def test_a_row_with_a_bit_too_many_or_an_unknown_field_is_no_row():
    with pytest.raises(ValueError, match="33 bits"):
        list(forms_of("nop 1101010100 0 00 011 0010 0000 000 111110", SYSTEM))
    with pytest.raises(KeyError):
        list(forms_of("nop 1101010100 0 00 011 0010 0000 000 other", SYSTEM))


def test_a_refused_word_is_told_where_and_what_to_do():
    with pytest.raises(
        NotAllowed, match=r"0x80: 0xd500401f is of no form in proofs/machine/instructions\.py; choose one that is"
    ):
        instruction((0xD500401F).to_bytes(SIZE, "little"), 0x80)  # cfinv
