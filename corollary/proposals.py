"""What does a refused module need? An extension of WebAssembly, found by bytes that only this extension uses."""

import re

from corollary.spec.wasm.refusals import Refusal

SIMD, THREADS, EXCEPTIONS, TAIL_CALLS, GC = "SIMD", "threads", "exception handling", "tail calls", "garbage collection"
REFERENCES, MEMORY64, MEMORIES = "typed function references", "memory64", "multiple memories"
ARITHMETIC, STACKS, PAGE_SIZES = "wide arithmetic", "stack switching", "custom page sizes"
COMPONENTS, CONSTANTS = "the component model", "extended constant expressions"
TAG = 4  # the kind of external that exceptions are made from
ACCESS_MEMORY = 0x40  # in the flags of a memory access: an index of a memory follows
EXTENDED = 0xFC
WIDE = range(19, 23)  # the instructions of wide arithmetic, after that prefix
PUSHES, COMPUTES = rb"[\x23\x41\x42][\x80-\xff]{0,9}[\x00-\x7f]", rb"[\x6a-\x6c\x7c-\x7e]"
EXPRESSION = re.compile(rb"%b(%b|%b)*%b\x0b" % (PUSHES, PUSHES, COMPUTES, COMPUTES))
LONGEST = 1 << 10  # bytes of a constant expression that are looked at


def each(name, *values):
    """Map several bytes to the same extension."""
    return dict.fromkeys(values, name)


REFERENCE_TYPES = (
    each(REFERENCES, 0x63, 0x64)
    | each(EXCEPTIONS, 0x69, 0x74)
    | each(GC, *range(0x6A, 0x6F), 0x71, 0x72, 0x73)
    | each(STACKS, 0x68, 0x75)
)
BYTES = {
    Refusal.OPCODE: (
        each(SIMD, 0xFD)
        | each(THREADS, 0xFE)
        | each(GC, 0xFB, 0xD3)
        | each(TAIL_CALLS, 0x12, 0x13, 0x15)
        | each(EXCEPTIONS, *range(0x06, 0x0B), 0x18, 0x19, 0x1F)
        | each(REFERENCES, 0x14, 0xD4, 0xD5, 0xD6)
        | each(STACKS, *range(0xE0, 0xE7))
    ),
    Refusal.SECTION_ID: {13: EXCEPTIONS, 14: "string references"},
    Refusal.VALUE_TYPE: {0x7B: SIMD} | REFERENCE_TYPES,
    Refusal.REFERENCE_TYPE: REFERENCE_TYPES,
    Refusal.TYPE_FORM: each(GC, 0x4E, 0x4F, 0x50, 0x5E, 0x5F) | each(STACKS, 0x5D),
    Refusal.IMPORT_KIND: {TAG: EXCEPTIONS},
    Refusal.EXPORT_KIND: {TAG: EXCEPTIONS},
    Refusal.LIMITS_FLAG: (
        each(THREADS, 2, 3)
        | each(MEMORY64, 4, 5)
        | each(f"{MEMORY64} and {THREADS}", 6, 7)
        | each(PAGE_SIZES, *range(8, 16))
    ),
    Refusal.VERSION: {0x0D: COMPONENTS},
}
"""The extension that a byte belongs to, by the refusal that it caused."""


def needed(binary, refusal, offset):
    """Return the extension that a refused module needs, or None if the module is simply wrong."""
    if refusal in (Refusal.MULTIPLE_MEMORIES, Refusal.ZERO_BYTE):
        return MEMORIES
    if refusal is Refusal.TYPE_MISMATCH:  # in code, it is found at an instruction that takes operands: none begins so
        return CONSTANTS if EXPRESSION.match(binary, offset, offset + LONGEST) else None
    found = binary[offset : offset + 2]
    if refusal is Refusal.ACCESS_FLAGS:
        return MEMORIES if len(found) == 2 and found[1] & ACCESS_MEMORY and not found[1] & 0x80 else None
    if refusal is Refusal.OPCODE and found[:1] == bytes([EXTENDED]) and found[1:] and found[1] in WIDE:
        return ARITHMETIC
    return BYTES.get(refusal, {}).get(found[0]) if found else None
