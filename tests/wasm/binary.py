"""How is a module written, as bytes and as text?

It follows the tables of instructions, types and sections; nothing is checked.

An instruction is `(row, immediates)`; a block type is None, a value type, or the index of a type.
"""

from dataclasses import dataclass, field
from typing import Any

from corollary.model.wasm.decoder import FUNCTION_FORM, MAGIC, RANK, VERSION, Section
from corollary.spec.wasm.module import External, Mode
from corollary.spec.wasm.opcodes import BY_NAME, EXTENDED, INSTRUCTIONS, PREFIX, Immediates
from corollary.spec.wasm.values import ValueType

EMPTY = 0x40  # the type of a block that takes and leaves nothing
PAYLOAD = 7  # bits of a number in one byte of LEB128
EXPRESSIONS = 4  # the flag of element segments whose items are expressions
DISPLACED = 2  # the flag of active segments that name a table or memory


@dataclass
class Body:
    """A function: the index of its type, the types of its own locals, and its instructions without the last `end`."""

    type: int
    locals: list = field(default_factory=list)
    code: list = field(default_factory=list)


@dataclass
class Segment:
    """An element or data segment: `content` is bytes, or instructions that each make a reference."""

    mode: Mode
    content: Any
    offset: tuple = ()
    table: int = 0
    type: ValueType = ValueType.FUNCREF


@dataclass
class Program:
    """A module. All its lists are as in binaries.

    Types are pairs of tuples of value types. Limits are pairs; the second number may be None.
    """

    types: list = field(default_factory=list)
    imports: list = field(
        default_factory=list
    )  # module, name, kind, description: a type index, limits, (type, limits), (type, mutable)
    functions: list = field(default_factory=list)  # bodies
    tables: list = field(default_factory=list)  # element type, limits
    memories: list = field(default_factory=list)  # limits
    globals: list = field(default_factory=list)  # type, mutable, instruction
    exports: list = field(default_factory=list)  # name, kind, index
    elements: list = field(default_factory=list)
    data: list = field(default_factory=list)
    start: int | None = None
    custom: list = field(default_factory=list)  # name, bytes

    def imported(self, kind):
        """Return the imports of a kind."""
        return [what for _, _, of, what in self.imports if of is kind]

    def encoded(self):
        """Return the module as bytes."""
        found = sorted(sections(self), key=lambda item: RANK[item[0]])
        custom = b"".join(section(Section.CUSTOM, text(name) + content) for name, content in self.custom)
        return bytes((*MAGIC, *VERSION)) + b"".join(section(kind, content) for kind, content in found) + custom


def unsigned(number):
    """Return a number in LEB128."""
    return (
        bytes((number,))
        if number < 1 << PAYLOAD
        else bytes((number % (1 << PAYLOAD) | 1 << PAYLOAD,)) + unsigned(number >> PAYLOAD)
    )


def signed(number):
    """Return a signed number in LEB128."""
    last = -1 << PAYLOAD - 1 <= number < 1 << PAYLOAD - 1
    return (
        bytes((number % (1 << PAYLOAD),))
        if last
        else bytes((number % (1 << PAYLOAD) | 1 << PAYLOAD,)) + signed(number >> PAYLOAD)
    )


def text(name):
    """Return a name."""
    return unsigned(len(name.encode())) + name.encode()


def vector(parts):
    """Return some encoded parts, preceded by their number."""
    return unsigned(len(parts)) + b"".join(parts)


def types_of(types):
    """Return a vector of value types."""
    return vector([bytes((type_,)) for type_ in types])


def limits(pair):
    """Return a minimum and perhaps a maximum."""
    minimum, maximum = pair
    return b"\0" + unsigned(minimum) if maximum is None else b"\1" + unsigned(minimum) + unsigned(maximum)


def block_type(type_):
    """Return an encoded block type: None, a value type, or the index of a function type."""
    return bytes((EMPTY,)) if type_ is None else bytes((type_,)) if isinstance(type_, ValueType) else signed(type_)


IMMEDIATES = {
    Immediates.NONE: lambda: b"",
    Immediates.BLOCK_TYPE: block_type,
    Immediates.INDEX: unsigned,
    Immediates.TWO_INDICES: lambda one, other: unsigned(one) + unsigned(other),
    Immediates.LABELS: lambda *labels: vector(list(map(unsigned, labels[:-1]))) + unsigned(labels[-1]),
    Immediates.MEMORY_ARGUMENT: lambda alignment, offset: unsigned(alignment) + unsigned(offset),
    Immediates.ZERO: lambda: b"\0",
    Immediates.TWO_ZEROS: lambda: b"\0\0",
    Immediates.INDEX_ZERO: lambda index: unsigned(index) + b"\0",
    Immediates.NUMBER_32: signed,
    Immediates.NUMBER_64: signed,
    Immediates.BITS_32: lambda bits: bits.to_bytes(4, "little"),
    Immediates.BITS_64: lambda bits: bits.to_bytes(8, "little"),
    Immediates.REFERENCE_TYPE: lambda type_: bytes((type_,)),
    Immediates.VALUE_TYPES: lambda *types: types_of(types),
}
"""The encoding of an instruction's immediates."""
OPENING = {
    opcode: bytes((opcode,)) if opcode < EXTENDED else bytes((PREFIX,)) + unsigned(opcode - EXTENDED)
    for opcode in INSTRUCTIONS
}


def instruction(row, immediates):
    """Return one encoded instruction."""
    return OPENING[row.opcode] + IMMEDIATES[row.immediates](*immediates)


def expression(code):
    """Return instructions and an `end`."""
    return b"".join([instruction(row, immediates) for row, immediates in code]) + instruction(BY_NAME["end"], ())


def section(kind, content):
    """Return a section with its size."""
    return bytes((kind,)) + unsigned(len(content)) + content


def table(element, pair):
    """Return the type of a table."""
    return bytes((element,)) + limits(pair)


def external(kind, what):
    """Return the type that an import requires."""
    return bytes((kind,)) + {
        External.FUNCTION: unsigned,
        External.MEMORY: limits,
        External.TABLE: lambda pair: table(*pair),
        External.GLOBAL: bytes,
    }[kind](what)


def body(function):
    """Return locals, then instructions, with their size."""
    content = vector([unsigned(1) + bytes((type_,)) for type_ in function.locals]) + expression(function.code)
    return unsigned(len(content)) + content


def element(segment):
    """Return an element segment, in the short form where there is one."""
    plain = segment.type is ValueType.FUNCREF and all(row.name == "ref.func" for row, _ in segment.content)
    active = segment.mode is Mode.ACTIVE
    short = active and segment.table == 0 and segment.type is ValueType.FUNCREF
    flag = {Mode.ACTIVE: 0 if short else DISPLACED, Mode.PASSIVE: 1, Mode.DECLARATIVE: 3}[segment.mode] | (
        0 if plain else EXPRESSIONS
    )
    place = (b"" if short else unsigned(segment.table)) + expression([segment.offset]) if active else b""
    kind = b"" if short else b"\0" if plain else bytes((segment.type,))
    items = (
        [unsigned(immediates[0]) for _, immediates in segment.content]
        if plain
        else [expression([item]) for item in segment.content]
    )
    return unsigned(flag) + place + kind + vector(items)


def data(segment):
    """Return a data segment."""
    active = segment.mode is Mode.ACTIVE
    return (
        (b"\0" + expression([segment.offset]) if active else b"\1") + unsigned(len(segment.content)) + segment.content
    )


def sections(program):
    """Return the sections that are present, with their content."""
    parts = {
        Section.TYPE: [
            bytes((FUNCTION_FORM,)) + types_of(parameters) + types_of(results) for parameters, results in program.types
        ],
        Section.IMPORT: [
            text(module) + text(name) + external(kind, what) for module, name, kind, what in program.imports
        ],
        Section.FUNCTION: [unsigned(function.type) for function in program.functions],
        Section.TABLE: [table(*pair) for pair in program.tables],
        Section.MEMORY: [limits(pair) for pair in program.memories],
        Section.GLOBAL: [bytes((type_, mutable)) + expression([first]) for type_, mutable, first in program.globals],
        Section.EXPORT: [text(name) + bytes((kind,)) + unsigned(index) for name, kind, index in program.exports],
        Section.ELEMENT: [element(segment) for segment in program.elements],
        Section.CODE: [body(function) for function in program.functions],
        Section.DATA: [data(segment) for segment in program.data],
    }
    yield from ((kind, vector(content)) for kind, content in parts.items() if content)
    if program.start is not None:
        yield Section.START, unsigned(program.start)
    if program.data:
        yield Section.DATA_COUNT, unsigned(len(program.data))


# ---- as text


def spelled(value):
    """Return an immediate, a type, or some of them as text."""
    if isinstance(value, (tuple, list)):
        return "(" + " ".join(map(spelled, value)) + ")"
    return value.name.lower() if isinstance(value, (ValueType, External, Mode)) else str(value)


def line(item):
    """Return an instruction as text."""
    row, immediates = item
    return " ".join([row.name, *map(spelled, immediates)])


def indented(code):
    """Return instructions with their blocks, one per line."""
    depth = 0
    for item in code:
        name = item[0].name
        depth -= name in ("end", "else")
        yield "  " * (depth + 2) + line(item)
        depth += name in ("block", "loop", "if", "else")


def listing(program):
    """Return a module for people to read. All indices are as in the binary, where imports come first."""
    for number, type_ in enumerate(program.types):
        yield f"type {number} {spelled(type_)}"
    for item in program.imports:
        yield f"import {spelled(item)}"
    for name, rows in (("table", program.tables), ("memory", program.memories)):
        yield from (f"{name} {spelled(row)}" for row in rows)
    for type_, mutable, first in program.globals:
        yield f"global {spelled(type_)} {'mutable ' if mutable else ''}{line(first)}"
    for segment in (*program.elements, *program.data):
        content = segment.content.hex() if isinstance(segment.content, bytes) else ", ".join(map(line, segment.content))
        place = f"{segment.table} at {line(segment.offset)}" if segment.mode is Mode.ACTIVE else ""
        yield f"segment {spelled(segment.mode)} {place} {spelled(segment.type)}: {content}"
    for name, kind, index in program.exports:
        yield f"export {name} {spelled(kind)} {index}"
    if program.start is not None:
        yield f"start {program.start}"
    first = len(program.imported(External.FUNCTION))
    for number, function in enumerate(program.functions):
        yield f"function {first + number} type {function.type} locals {spelled(function.locals)}"
        yield from indented(function.code)
