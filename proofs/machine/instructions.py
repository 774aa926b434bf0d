"""Which instructions may machine code use? Forms that Cortex-A72 has and that tests compare with it.

A row is a layout from bit 31 down, in the names of the Arm Architecture Reference Manual (DDI 0487, C4). It has bits,
fields that hold any value, and fields that hold one of some values. Each of these values makes a form of its own.
After them come further conditions on the fields. Whatever has no row is refused: extensions beyond Armv8.0-A, words
that are UNPREDICTABLE, and anything that was not compared with the processor (tests/machine). LDRSB and LDRSH into 32
bits, and LDPSW, have no row because SLEIGH gets them wrong.
"""

import re
from dataclasses import dataclass, replace
from itertools import product

from corollary.language.reads import remembered

GENERAL, PAIR, HANDLER, HASH, SYSTEM, PADDING = (
    "general registers",
    "pairs of vectors",
    "handlers",
    "hashes",
    "system",
    "padding",
)
"""What uses a form: any code; contracts and handlers; handlers; hashes; contracts; no code, padding is only skipped."""

ACCESSES = (
    ("strb", "00", "00"),
    ("ldrb", "00", "01"),
    ("ldrsb", "00", "10"),
    ("strh", "01", "00"),
    ("ldrh", "01", "01"),
    ("ldrsh", "01", "10"),
    ("str", "size=10,11", "00"),
    ("ldr", "size=10,11", "01"),
    ("ldrsw", "10", "10"),
)
VECTOR_ACCESSES = (("str", "size=10,11", "00"), ("ldr", "size=10,11", "01"), ("str", "00", "10"), ("ldr", "00", "11"))
"""Loads and stores of one register, with `size` and `opc`: each has five addressing forms."""

ROWS = {
    GENERAL: """
adr     0 immlo 10000 imm19 Rd
adrp    1 immlo 10000 imm19 Rd
add     sf 0 0 100010 sh=0,1 imm12 Rn Rd
adds    sf 0 1 100010 sh=0,1 imm12 Rn Rd
sub     sf 1 0 100010 sh=0,1 imm12 Rn Rd
subs    sf 1 1 100010 sh=0,1 imm12 Rn Rd
and     sf 00 100100 N immr imms Rn Rd | bitmask
orr     sf 01 100100 N immr imms Rn Rd | bitmask
eor     sf 10 100100 N immr imms Rn Rd | bitmask
ands    sf 11 100100 N immr imms Rn Rd | bitmask
movn    sf 00 100101 hw imm16 Rd | half
movz    sf 10 100101 hw imm16 Rd | half
movk    sf 11 100101 hw imm16 Rd | half
sbfm    sf 00 100110 N immr imms Rn Rd | bitfield
bfm     sf 01 100110 N immr imms Rn Rd | bitfield
ubfm    sf 10 100110 N immr imms Rn Rd | bitfield
extr    sf 00 100111 N 0 Rm imms Rn Rd | bitfield

and     sf 00 01010 shift=00,01,10,11 0 Rm imm6 Rn Rd | amount
bic     sf 00 01010 shift=00,01,10,11 1 Rm imm6 Rn Rd | amount
orr     sf 01 01010 shift=00,01,10,11 0 Rm imm6 Rn Rd | amount
orn     sf 01 01010 shift=00,01,10,11 1 Rm imm6 Rn Rd | amount
eor     sf 10 01010 shift=00,01,10,11 0 Rm imm6 Rn Rd | amount
eon     sf 10 01010 shift=00,01,10,11 1 Rm imm6 Rn Rd | amount
ands    sf 11 01010 shift=00,01,10,11 0 Rm imm6 Rn Rd | amount
bics    sf 11 01010 shift=00,01,10,11 1 Rm imm6 Rn Rd | amount
add     sf 0 0 01011 shift=00,01,10 0 Rm imm6 Rn Rd | amount
adds    sf 0 1 01011 shift=00,01,10 0 Rm imm6 Rn Rd | amount
sub     sf 1 0 01011 shift=00,01,10 0 Rm imm6 Rn Rd | amount
subs    sf 1 1 01011 shift=00,01,10 0 Rm imm6 Rn Rd | amount
add     sf 0 0 01011001 Rm option=000,001,010,011,100,101,110,111 imm3 Rn Rd | extended
adds    sf 0 1 01011001 Rm option=000,001,010,011,100,101,110,111 imm3 Rn Rd | extended
sub     sf 1 0 01011001 Rm option=000,001,010,011,100,101,110,111 imm3 Rn Rd | extended
subs    sf 1 1 01011001 Rm option=000,001,010,011,100,101,110,111 imm3 Rn Rd | extended
ccmn    sf 0 1 11010010 Rm cond 0 0 Rn 0 nzcv
ccmp    sf 1 1 11010010 Rm cond 0 0 Rn 0 nzcv
ccmn    sf 0 1 11010010 imm5 cond 1 0 Rn 0 nzcv
ccmp    sf 1 1 11010010 imm5 cond 1 0 Rn 0 nzcv
csel    sf 0 0 11010100 Rm cond 0 0 Rn Rd
csinc   sf 0 0 11010100 Rm cond 0 1 Rn Rd
csinv   sf 1 0 11010100 Rm cond 0 0 Rn Rd
csneg   sf 1 0 11010100 Rm cond 0 1 Rn Rd
udiv    sf 0 0 11010110 Rm 000010 Rn Rd
lslv    sf 0 0 11010110 Rm 001000 Rn Rd
lsrv    sf 0 0 11010110 Rm 001001 Rn Rd
asrv    sf 0 0 11010110 Rm 001010 Rn Rd
rorv    sf 0 0 11010110 Rm 001011 Rn Rd
rbit    sf 1 0 11010110 00000 000000 Rn Rd
clz     sf 1 0 11010110 00000 000100 Rn Rd
rev16   sf 1 0 11010110 00000 000001 Rn Rd
rev     0 1 0 11010110 00000 000010 Rn Rd
rev32   1 1 0 11010110 00000 000010 Rn Rd
rev     1 1 0 11010110 00000 000011 Rn Rd
madd    sf 00 11011 000 Rm 0 Ra Rn Rd
msub    sf 00 11011 000 Rm 1 Ra Rn Rd
smaddl  1 00 11011 001 Rm 0 Ra Rn Rd
smsubl  1 00 11011 001 Rm 1 Ra Rn Rd
umaddl  1 00 11011 101 Rm 0 Ra Rn Rd
umsubl  1 00 11011 101 Rm 1 Ra Rn Rd
smulh   1 00 11011 010 Rm 0 11111 Rn Rd
umulh   1 00 11011 110 Rm 0 11111 Rn Rd

b       000101 imm26
bl      100101 imm26
b.cond  01010100 imm19 0 cond
cbz     sf 011010 0 imm19 Rt
cbnz    sf 011010 1 imm19 Rt
tbz     sf 011011 0 b40 imm14 Rt
tbnz    sf 011011 1 b40 imm14 Rt
br      1101011 0 0 00 11111 000000 Rn 00000 | somewhere
ret     1101011 0 0 10 11111 000000 Rn 00000 | somewhere
nop     1101010100 0 00 011 0010 0000 000 11111

ldr     size=00,01 011 0 00 imm19 Rt
ldrsw   10 011 0 00 imm19 Rt
stp     sf 0 101 0 001 0 imm7 Rt2 Rn Rt | writeback
stp     sf 0 101 0 010 0 imm7 Rt2 Rn Rt
stp     sf 0 101 0 011 0 imm7 Rt2 Rn Rt | writeback
ldp     sf 0 101 0 001 1 imm7 Rt2 Rn Rt | different writeback
ldp     sf 0 101 0 010 1 imm7 Rt2 Rn Rt | different
ldp     sf 0 101 0 011 1 imm7 Rt2 Rn Rt | different writeback
"""
    + "".join(
        f"""
{name:7} {size} 111 0 00 {opc} 0 imm9 00 Rn Rt
{name:7} {size} 111 0 00 {opc} 0 imm9 01 Rn Rt | writeback
{name:7} {size} 111 0 00 {opc} 0 imm9 11 Rn Rt | writeback
{name:7} {size} 111 0 00 {opc} 1 Rm option=010,011,110,111 S=0,1 10 Rn Rt
{name:7} {size} 111 0 01 {opc} imm12 Rn Rt
"""
        for name, size, opc in ACCESSES
    ),
    PAIR: """
stp     10 101 1 001 0 imm7 Rt2 Rn Rt
stp     10 101 1 010 0 imm7 Rt2 Rn Rt
stp     10 101 1 011 0 imm7 Rt2 Rn Rt
ldp     10 101 1 001 1 imm7 Rt2 Rn Rt | different
ldp     10 101 1 010 1 imm7 Rt2 Rn Rt | different
ldp     10 101 1 011 1 imm7 Rt2 Rn Rt | different
""",
    HANDLER: """
sdiv    sf 0 0 11010110 Rm 000011 Rn Rd
cnt     0 Q=0,1 0 01110 00 10000 00101 10 Rn Rd
addv    0 Q=0,1 0 01110 00 11000 11011 10 Rn Rd
dup     0 Q=0,1 0 01110000 imm5=00001,00010,00100 0 0001 1 Rn Rd
movi    0 Q=0,1 op=0,1 0111100000 abc cmode=0000,0010,0100,0110 01 defgh Rd
movi    0 Q=0,1 0 0111100000 abc 1110 01 defgh Rd
movi    0 Q=0,1 1 0111100000 abc 1110 01 defgh Rd

fmov    000 11110 ftype=00,01 1 000000 10000 Rn Rd
fsqrt   000 11110 ftype=00,01 1 000011 10000 Rn Rd
fcvt    000 11110 00 1 000101 10000 Rn Rd
fcvt    000 11110 01 1 000100 10000 Rn Rd
frintn  000 11110 ftype=00,01 1 001000 10000 Rn Rd
frintp  000 11110 ftype=00,01 1 001001 10000 Rn Rd
frintm  000 11110 ftype=00,01 1 001010 10000 Rn Rd
frintz  000 11110 ftype=00,01 1 001011 10000 Rn Rd
fmul    000 11110 ftype=00,01 1 Rm 0000 10 Rn Rd
fdiv    000 11110 ftype=00,01 1 Rm 0001 10 Rn Rd
fadd    000 11110 ftype=00,01 1 Rm 0010 10 Rn Rd
fsub    000 11110 ftype=00,01 1 Rm 0011 10 Rn Rd
fmax    000 11110 ftype=00,01 1 Rm 0100 10 Rn Rd
fmin    000 11110 ftype=00,01 1 Rm 0101 10 Rn Rd
fcmp    000 11110 ftype=00,01 1 Rm 00 1000 Rn 00000
fcmp    000 11110 ftype=00,01 1 00000 00 1000 Rn 01000
fccmp   000 11110 ftype=00,01 1 Rm cond 01 Rn 0 nzcv
fcsel   000 11110 ftype=00,01 1 Rm cond 11 Rn Rd
fmov    000 11110 ftype=00,01 1 imm8 100 00000 Rd
scvtf   sf 00 11110 ftype=00,01 1 00 010 000000 Rn Rd
ucvtf   sf 00 11110 ftype=00,01 1 00 011 000000 Rn Rd
fcvtzs  sf 00 11110 ftype=00,01 1 11 000 000000 Rn Rd
fcvtzu  sf 00 11110 ftype=00,01 1 11 001 000000 Rn Rd
fmov    000 11110 00 1 00 opcode=110,111 000000 Rn Rd
fmov    100 11110 01 1 00 opcode=110,111 000000 Rn Rd
scvtf   01 0 11110 0 sz=0,1 10000 11101 10 Rn Rd
ucvtf   01 1 11110 0 sz=0,1 10000 11101 10 Rn Rd
fcvtzs  01 0 11110 1 sz=0,1 10000 11011 10 Rn Rd
fcvtzu  01 1 11110 1 sz=0,1 10000 11011 10 Rn Rd
stp     opc=00,01 101 1 001 0 imm7 Rt2 Rn Rt
stp     opc=00,01 101 1 010 0 imm7 Rt2 Rn Rt
stp     opc=00,01 101 1 011 0 imm7 Rt2 Rn Rt
ldp     opc=00,01 101 1 001 1 imm7 Rt2 Rn Rt | different
ldp     opc=00,01 101 1 010 1 imm7 Rt2 Rn Rt | different
ldp     opc=00,01 101 1 011 1 imm7 Rt2 Rn Rt | different
"""
    + "".join(
        f"""
{name:7} {size} 111 1 00 {opc} 0 imm9 00 Rn Rt
{name:7} {size} 111 1 00 {opc} 0 imm9 01 Rn Rt
{name:7} {size} 111 1 00 {opc} 0 imm9 11 Rn Rt
{name:7} {size} 111 1 00 {opc} 1 Rm option=010,011,110,111 S=0,1 10 Rn Rt
{name:7} {size} 111 1 01 {opc} imm12 Rn Rt
"""
        for name, size, opc in VECTOR_ACCESSES
    ),
    HASH: """
ld1      0 1 0011000 1 0 00000 opcode=0010,1010 10 Rn Rt
ld1      0 1 0011001 1 0 11111 0010 10 Rn Rt
st1      0 1 0011000 0 0 00000 1010 10 Rn Rt
add      0 1 0 01110 10 1 Rm 10000 1 Rn Rd
orr      0 1 0 01110 10 1 Rm 00011 1 Rn Rd
sha256h  01011110 00 0 Rm 0 100 00 Rn Rd
sha256h2 01011110 00 0 Rm 0 101 00 Rn Rd
sha256su1 01011110 00 0 Rm 0 110 00 Rn Rd
sha256su0 01011110 00 10100 00010 10 Rn Rd
""",
    SYSTEM: """
wfi     1101010100 0 00 011 0010 0000 011 11111
dsb     1101010100 0 00 011 0011 CRm=1010,1011,0111,1111 100 11111
isb     1101010100 0 00 011 0011 1111 110 11111
spsel   1101010100 0 00 000 0100 0001 101 11111
daifset 1101010100 0 00 011 0100 1111 110 11111
dc      1101010100 0 01 011 0111 CRm=1011,0100 001 Rt
ic      1101010100 0 01 000 0111 CRm=0001,0101 000 11111
tlbi    1101010100 0 01 100 1000 CRm=0111 op2=000,100 11111
tlbi    1101010100 0 01 100 1000 0011 110 11111
smc     11010100 000 0000000000000000 000 11
eret    1101011 0100 11111 0000 00 11111 00000
""",
    PADDING: """
udf     00000000000000000000000000000000
""",
}
WIDTHS = {
    "sf": 1,
    "N": 1,
    "hw": 2,
    "immr": 6,
    "imms": 6,
    "cond": 4,
    "nzcv": 4,
    "immlo": 2,
    "b40": 5,
    "abc": 3,
    "defgh": 5,
}
"""Bits of the fields whose names do not give their width, as the names of immediates do."""
REGISTER = 5


def bits_of(name):
    """Return the width of a field."""
    number = re.fullmatch(r"imm(\d+)", name)
    return REGISTER if name[0] == "R" else int(number.group(1)) if number else WIDTHS[name]


# ---- conditions on fields; otherwise the word is unallocated, or CONSTRAINED UNPREDICTABLE


def is_bitmask(word):
    """Do N and imms stand for a pattern (DecodeBitMasks)?"""
    pattern = word["N"] << 6 | ~word["imms"] & 0x3F
    size = pattern.bit_length() - 1
    return size >= 1 and (word["sf"] or not word["N"]) and word["imms"] & ((1 << size) - 1) != (1 << size) - 1


def fits(word, *names):
    """Are numbers of bits within a register?"""
    return all(word[name] < 32 << word["sf"] for name in names)


WHERE = {
    "bitmask": is_bitmask,
    "half": lambda word: word["hw"] < 2 << word["sf"],
    "bitfield": lambda word: word["N"] == word["sf"] and fits(word, *{"immr", "imms"} & set(word)),
    "amount": lambda word: fits(word, "imm6"),
    "extended": lambda word: word["imm3"] <= 4,
    "different": lambda word: word["Rt"] != word["Rt2"],
    "somewhere": lambda word: word["Rn"] != 31,
    "writeback": lambda word: word["Rn"] == 31 or word["Rn"] not in (word["Rt"], word.get("Rt2")),
}
LAST_CONDITION = 0b1101  # the two beyond it mean "always", and no compiler uses them


@dataclass(frozen=True, eq=False)
class Form:
    """One form: its name, its use, its fixed bits, and its fields `name -> (lowest bit, width)`."""

    name: str
    use: str
    mask: int
    value: int
    fields: dict
    where: tuple = ()
    variant: str = ""

    def __str__(self):
        return f"{self.name} {self.variant}".strip()

    def parts(self, word):
        """Return the fields of a word."""
        return {name: word >> low & (1 << width) - 1 for name, (low, width) in self.fields.items()}

    def has(self, word):
        """Is a word an instruction of this form?"""
        if word & self.mask != self.value:
            return False
        parts = self.parts(word)
        return parts.get("cond", 0) <= LAST_CONDITION and all(WHERE[name](parts) for name in self.where)

    def words(self, source):
        """Yield instructions of this form without end, drawn from a `random.Random`; they may repeat."""
        while True:
            word = self.value | source.getrandbits(32) & ~self.mask
            if self.has(word):
                yield word


def forms_of(row, use):
    """Yield the forms of a row."""
    (name, *tokens), *where = (part.split() for part in row.split("|"))
    tokens = ["sf=0,1" if token == "sf" else token for token in tokens]
    choices = [token.split("=")[1].split(",") if "=" in token else [token] for token in tokens]
    for chosen in product(*choices):
        mask = value = at = 0
        fields = {}
        for token, part in zip(reversed(tokens), reversed(chosen)):
            fixed = part[0] in "01"
            width = len(part) if fixed else bits_of(part)
            if not fixed or "=" in token:
                fields[token.split("=")[0]] = (at, width)
            mask, value = (mask | (1 << width) - 1 << at, value | int(part, 2) << at) if fixed else (mask, value)
            at += width
        if at != 32:
            raise ValueError(f"{row}: {at} bits")
        said = " ".join(f"{token.split('=')[0]}={part}" for token, part in zip(tokens, chosen) if "=" in token)
        yield Form(name, use, mask, value, fields, tuple(where[0]) if where else (), said)


# ---- system registers

REGISTERS = """
ACTLR_EL2       rw 3 4 1 0 1
AFSR0_EL1       rw 3 0 5 1 0
AFSR1_EL1       rw 3 0 5 1 1
AMAIR_EL1       rw 3 0 10 3 0
CNTFRQ_EL0      r  3 3 14 0 0
CNTHCTL_EL2     rw 3 4 14 1 0
CNTHP_CTL_EL2   rw 3 4 14 2 1
CNTHP_TVAL_EL2  w  3 4 14 2 0
CNTKCTL_EL1     rw 3 0 14 1 0
CNTPCT_EL0      r  3 3 14 0 1
CNTVOFF_EL2     rw 3 4 14 0 3
CNTV_CTL_EL0    rw 3 3 14 3 1
CNTV_CVAL_EL0   rw 3 3 14 3 2
CONTEXTIDR_EL1  rw 3 0 13 0 1
CPACR_EL1       rw 3 0 1 0 2
CPTR_EL2        rw 3 4 1 1 2
CSSELR_EL1      rw 3 2 0 0 0
CURRENTEL       r  3 0 4 2 2
ELR_EL1         rw 3 0 4 0 1
ELR_EL2         rw 3 4 4 0 1
ESR_EL1         rw 3 0 5 2 0
ESR_EL2         rw 3 4 5 2 0
FAR_EL1         rw 3 0 6 0 0
FAR_EL2         rw 3 4 6 0 0
FPCR            rw 3 3 4 4 0
FPSR            rw 3 3 4 4 1
HCR_EL2         rw 3 4 1 1 0
HSTR_EL2        rw 3 4 1 1 3
ICC_EOIR1_EL1   w  3 0 12 12 1
ICC_IAR1_EL1    r  3 0 12 12 0
ICC_IGRPEN1_EL1 w  3 0 12 12 7
ICC_PMR_EL1     w  3 0 4 6 0
ICC_SRE_EL2     rw 3 4 12 9 5
ICH_HCR_EL2     rw 3 4 12 11 0
ISR_EL1         r  3 0 12 1 0
MAIR_EL1        rw 3 0 10 2 0
MAIR_EL2        rw 3 4 10 2 0
MDCR_EL2        rw 3 4 1 1 1
MDSCR_EL1       rw 2 0 0 2 2
PAR_EL1         rw 3 0 7 4 0
SCTLR_EL1       rw 3 0 1 0 0
SCTLR_EL2       rw 3 4 1 0 0
SPSR_EL1        rw 3 0 4 0 0
SPSR_EL2        rw 3 4 4 0 0
SP_EL0          rw 3 0 4 1 0
SP_EL1          rw 3 4 4 1 0
TCR_EL1         rw 3 0 2 0 2
TCR_EL2         rw 3 4 2 0 2
TPIDRRO_EL0     rw 3 3 13 0 3
TPIDR_EL0       rw 3 3 13 0 2
TPIDR_EL1       rw 3 0 13 0 4
TPIDR_EL2       rw 3 4 13 0 2
TTBR0_EL1       rw 3 0 2 0 0
TTBR0_EL2       w  3 4 2 0 0
TTBR1_EL1       rw 3 0 2 0 1
VBAR_EL1        rw 3 0 12 0 0
VBAR_EL2        w  3 4 12 0 0
VMPIDR_EL2      rw 3 4 0 0 5
VPIDR_EL2       rw 3 4 0 0 0
VTCR_EL2        rw 3 4 2 1 2
VTTBR_EL2       rw 3 4 2 1 0
"""
"""The system registers that contracts may read (r) or write (w): op0, op1, CRn, CRm, op2 (C5.2; IHI 0069)."""


@remembered
def system_registers():
    """Return the access and encoding, op0 to op2, of each system register by its name."""
    lines = (line.split() for line in REGISTERS.splitlines() if line)
    return {name: (access, tuple(map(int, encoding))) for name, access, *encoding in lines}


def system_rows():
    """Yield the rows of MRS and MSR, each with the name of its register."""
    for name, (access, (op0, *rest)) in system_registers().items():
        encoding = " ".join(f"{number:0{width}b}" for number, width in zip(rest, (3, 4, 4, 3)))
        for way in access:
            start = {"r": "mrs 1101010100 1", "w": "msr 1101010100 0"}[way]
            yield f"{start} 1 {op0 - 2} {encoding} Rt", name


@remembered
def forms():
    """Return all forms."""
    plain = [form for use, text in ROWS.items() for row in text.splitlines() if row for form in forms_of(row, use)]
    return (*plain, *(replace(form, variant=name) for row, name in system_rows() for form in forms_of(row, SYSTEM)))


CLASS = 0x1F  # bits 28 .. 24 of a word, which tell most forms apart


@remembered
def classes():
    """Return the forms by bits 28 .. 24 of their words."""
    return [
        [form for form in forms() if not (form.value >> 24 ^ number) & form.mask >> 24 & CLASS]
        for number in range(CLASS + 1)
    ]


def form_of(word):
    """Return the form of a word, or None."""
    return next((form for form in classes()[word >> 24 & CLASS] if form.has(word)), None)
