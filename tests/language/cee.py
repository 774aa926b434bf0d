"""How do generated C functions run inside a test? Types come from the layout; ctypes loads one shared library."""

import ctypes
import struct
import subprocess
import sys

from corollary.codegen.declarations import slice_
from corollary.codegen.expressions import (
    REQUIRES,
    SIZED,
    Printer,
    constant_name,
    declarator,
    signature,
    snake,
    type_name,
)
from corollary.codegen.render import ENVIRONMENT
from corollary.language import ir
from corollary.language.builtins import BUILTINS
from corollary.language.layout import decode, encode, size_of
from corollary.language.types import WORDS, ArrayType, SliceType, boolean, is_enum, is_flags, is_scalar
from corollary.language.values import allocate
from corollary.language.word import Bound

GUARD = bytes(range(0xA0, 0xE0))
COMPILER = [
    sys.executable,
    "-m",
    "ziglang",
    "cc",
    "-O2",
    "-std=c11",
    "-shared",
    "-fPIC",
    "-nostdlib",
    "-fno-sanitize=undefined",
    "-Werror=incompatible-pointer-types",
    "-Werror=int-conversion",
    "-Werror=incompatible-pointer-types-discards-qualifiers",
    "-Wno-parentheses-equality",
]
BUILTIN_NAMES = {
    REQUIRES,
    *BUILTINS,
    "clear_words",
    "clear_halves",
    *(f"{name}_{bits}" for name in SIZED for bits in WORDS),
}
PRELUDE = "\n".join(
    [
        "#include <stdbool.h>",
        "#include <stddef.h>",
        "#include <stdint.h>",
        ENVIRONMENT.get_template("builtins.h.j2").render(guard="BUILTINS_H", used=BUILTIN_NAMES),
    ]
)
"""The beginning of every C text here: the builtins of the language, as the generated programs have them."""


def typedef(type_):
    """Return the C lines that define a scalar type, its bound and its constants."""
    lines = [
        f"typedef {type_name(WORDS[8 * type_.storage])} {type_name(type_)};",
        f"#define {Bound(type_)} {type_.bound:#x}ull",
    ]
    named = type_.members if is_flags(type_) or is_enum(type_) else {}
    return lines + [f"#define {constant_name(type_, key)} {hex(number)}" for key, number in named.items()]


def structure(record):
    """Return the C lines that define a record, with explicit padding."""
    lines, offset = [f"struct {snake(record.name)} {{"], 0
    for slot in record.layout.slots:
        lines += _padding(offset, slot.offset - offset)
        lines.append(f"    {declarator(slot.type, slot.name)};")
        offset = slot.offset + slot.size
    return [*lines, *_padding(offset, record.layout.size - offset), "};"]


def _padding(offset, size):
    return [f"    uint8_t padding_{offset}[{size}];"] if size else []


def definitions(type_, seen):
    """Return the C lines of `type_` and of every type below it, each once."""
    if type_ in seen or type_ is boolean or type_ in WORDS.values():
        return []
    if isinstance(type_, ArrayType):
        return (definitions(type_.index, seen) if type_.index else []) + definitions(type_.element, seen)
    seen.append(type_)
    if is_scalar(type_):
        return typedef(type_)
    if isinstance(type_, SliceType):
        return definitions(type_.element, seen) + slice_(type_)
    inner = [line for field in type_.fields.values() for line in definitions(field, seen)]
    return inner + structure(type_)


def function(item):
    """Return the C lines of a function."""
    return [f"{signature(item)}", "{", *Printer(item).body(), "}"]


def ordered(functions):
    """Return the functions and their callees, callees first."""
    found = {}
    for item in functions:
        callees = [node.function for node in ir.walk(item.spoken) if isinstance(node, ir.Call)]
        found.update({other.symbol: other for other in ordered(callees)})
        found[item.symbol] = item
    return list(found.values())


def compile_library(text, folder, name):
    """Compile C text into a shared library and load it."""
    source, library = folder / f"{name}.c", folder / f"{name}.so"
    source.write_text(text)
    done = subprocess.run([*COMPILER, str(source), "-o", str(library)], capture_output=True, text=True)
    assert done.returncode == 0, f"{source}:\n{done.stderr[:4000]}"
    return ctypes.CDLL(str(library))


def unsigned(type_):
    """Return the ctypes type of a scalar."""
    return {1: ctypes.c_uint8, 2: ctypes.c_uint16, 4: ctypes.c_uint32, 8: ctypes.c_uint64}[type_.storage]


class Room:
    """A record with slices in memory, as C sees it. Each slice lies between two guards, which nothing may write."""

    def __init__(self, record):
        self.type, self.slices = type(record), {}
        self.buffer = ctypes.create_string_buffer(b"".join(self.parts(record)), self.type.layout.size)
        self.addresses = self.fixed()

    def parts(self, record):
        """Return the bytes of the record, field by field, and make room for its slices."""
        offset = 0
        for slot in self.type.layout.slots:
            value = getattr(record, slot.name)
            yield bytes(slot.offset - offset)
            offset = slot.offset + slot.size
            if not isinstance(slot.type, SliceType):
                yield encode(value, slot.type)
                continue
            text = b"".join(encode(row, slot.type.element) for row in value.rows)
            self.slices[slot.name] = ctypes.create_string_buffer(GUARD + text + GUARD, len(text) + 2 * len(GUARD))
            yield struct.pack("<QQ", ctypes.addressof(self.slices[slot.name]) + len(GUARD), len(value))

    def fixed(self):
        """Return the part that no program may change: the places and lengths of the slices."""
        return [
            self.buffer.raw[slot.offset : slot.offset + slot.size]
            for slot in self.type.layout.slots
            if slot.name in self.slices
        ]

    def record(self):
        """Return the record that lies there now. Checks that the guards and the slices' own fields are unchanged."""
        assert self.fixed() == self.addresses, "a slice was moved"
        found = self.type()
        for slot in self.type.layout.slots:
            if slot.name not in self.slices:
                object.__setattr__(
                    found, slot.name, decode(self.buffer.raw[slot.offset : slot.offset + slot.size], slot.type)
                )
                continue
            raw, step = self.slices[slot.name].raw, size_of(slot.type.element)
            assert raw.startswith(GUARD) and raw.endswith(GUARD), f"{slot.name} was written outside its bounds"
            text = raw[len(GUARD) : -len(GUARD)]
            allocate(
                found,
                **{slot.name: [decode(text[at : at + step], slot.type.element) for at in range(0, len(text), step)]},
            )
        return found


def run_outside(library, item, state, arguments):
    """Run a compiled function on a record with slices: `(result, state)` after the run."""
    room, entry = Room(state), getattr(library, item.symbol)
    entry.restype = unsigned(item.returns) if item.returns else None
    entry.argtypes = [ctypes.c_void_p, *(unsigned(parameter.type) for parameter in item.parameters[1:])]
    return entry(room.buffer, *(int(value) for value in arguments)), room.record()


def run(library, item, state, arguments):
    """Run a compiled function on a copy of the state: `(result, state, bytes)` after the run."""
    type_ = type(state)
    buffer = ctypes.create_string_buffer(encode(state, type_), type_.layout.size)
    entry = getattr(library, item.symbol)
    entry.restype = unsigned(item.returns) if item.returns else None
    entry.argtypes = [ctypes.c_void_p, *(unsigned(parameter.type) for parameter in item.parameters[1:])]
    result = entry(buffer, *(int(value) for value in arguments))
    return result, decode(buffer.raw, type_), buffer.raw
