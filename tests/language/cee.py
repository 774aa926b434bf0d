"""How do generated C functions come to run inside the test? Types from the layout, one shared library, ctypes."""

import ctypes
import subprocess
import sys

from codegen.expressions import Printer, constant_name, declarator, signature, snake, type_name
from spec.language import ir
from spec.language.layout import decode, encode
from spec.language.types import WORDS, ArrayType, boolean, is_enum, is_flags, is_scalar

COMPILER = [sys.executable, "-m", "ziglang", "cc", "-O2", "-std=c11", "-shared", "-fPIC", "-nostdlib",
            "-fno-sanitize=undefined", "-Werror=incompatible-pointer-types", "-Werror=int-conversion",
            "-Werror=incompatible-pointer-types-discards-qualifiers", "-Wno-parentheses-equality"]
PRELUDE = """
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
static inline uint64_t minimum(uint64_t a, uint64_t b) { return a < b ? a : b; }
static inline uint64_t maximum(uint64_t a, uint64_t b) { return a > b ? a : b; }
static inline uint64_t saturating_sub(uint64_t a, uint64_t b) { return a > b ? a - b : 0; }
static inline uint32_t rotate_right(uint32_t a, uint32_t count) { return (a >> count) | (a << (32 - count)); }
static inline uint32_t byte_swap(uint32_t a) { return __builtin_bswap32(a); }
static inline void clear_words(uint64_t *words, uint32_t count) { for (uint32_t i = 0; i < count; i++) words[i] = 0; }
static inline void clear_halves(uint32_t *halves, uint32_t count) { for (uint32_t i = 0; i < count; i++) halves[i] = 0; }
"""


def typedef(type_):
    """The C lines that define a scalar type and its constants."""
    lines = [f"typedef {type_name(WORDS[8 * type_.storage])} {type_name(type_)};"]
    named = type_.members if is_flags(type_) else {item.name: int(item) for item in type_} if is_enum(type_) else {}
    return lines + [f"#define {constant_name(type_, key)} {hex(number)}" for key, number in named.items()]


def structure(record):
    """The C lines that define a record, padding explicit."""
    lines, offset = [f"struct {snake(record.name)} {{"], 0
    for slot in record.layout.slots:
        lines += _padding(offset, slot.offset - offset)
        lines.append(f"    {declarator(slot.type, slot.name)};")
        offset = slot.offset + slot.size
    return [*lines, *_padding(offset, record.layout.size - offset), "};"]


def _padding(offset, size):
    return [f"    uint8_t padding_{offset}[{size}];"] if size else []


def definitions(type_, seen):
    """The C lines of `type_` and of every type below it, each once."""
    if type_ in seen or type_ is boolean or type_ in WORDS.values():
        return []
    if isinstance(type_, ArrayType):
        return (definitions(type_.index, seen) if type_.index else []) + definitions(type_.element, seen)
    seen.append(type_)
    if is_scalar(type_):
        return typedef(type_)
    inner = [line for field in type_.fields.values() for line in definitions(field, seen)]
    return inner + structure(type_)


def function(item):
    """The C lines of a function."""
    return [f"{signature(item)}", "{", *Printer(item).body(), "}"]


def ordered(functions):
    """The functions and their callees, callees first."""
    found = {}
    for item in functions:
        callees = [node.function for node in ir.walk(item.body) if isinstance(node, ir.Call)]
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
    """The ctypes type of a scalar."""
    return {1: ctypes.c_uint8, 2: ctypes.c_uint16, 4: ctypes.c_uint32, 8: ctypes.c_uint64}[type_.storage]


def run(library, item, state, arguments):
    """Run a compiled function on a copy of the state: `(result, state, bytes)` after it."""
    type_ = type(state)
    buffer = ctypes.create_string_buffer(encode(state, type_), type_.layout.size)
    entry = getattr(library, item.symbol)
    entry.restype = unsigned(item.returns) if item.returns else None
    entry.argtypes = [ctypes.c_void_p, *(unsigned(parameter.type) for parameter in item.parameters[1:])]
    result = entry(buffer, *(int(value) for value in arguments))
    return result, decode(buffer.raw, type_), buffer.raw
