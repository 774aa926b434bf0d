"""How are the types, constants and signatures of the specification written in C?"""

import inspect
from itertools import pairwise

from corollary.codegen.expressions import (
    PORTABLE,
    Printer,
    constant_name,
    declarator,
    number,
    signature,
    slice_name,
    snake,
    type_name,
)
from corollary.codegen.wrapping import comment, enclosed, paragraphs, wrap
from corollary.language import ir
from corollary.language.rows import Characters, Rows
from corollary.language.types import WORDS, is_enum, is_flags, is_scalar
from corollary.language.word import Bound
from corollary.model.kernel.gate import OPERATIONS

NOTE_COLUMN = 40
LARGE = 1 << 16  # bounds above are easier to read in hexadecimal
ROW = 116  # columns for the elements of a table
RANGES = "__extension__ "  # C11 knows no ranges of rows: the compiler is told that they are meant


def noted(line, note, column=NOTE_COLUMN):
    """A line with a trailing comment in a fixed column."""
    return f"{line:<{column - 1}} /* {enclosed(note)} */" if note else line


def scalar(type_, bounded=()):
    """The lines that define a scalar type, with its named values, and its bound if that is used."""
    bound = [f"#define {Bound(type_)} {number(type_.bound, type_.bound > LARGE)}"] if type_ in bounded else []
    storage = type_name(WORDS[8 * type_.storage])
    if not is_enum(type_) and not is_flags(type_):
        return [noted(f"typedef {storage} {type_name(type_)};", f"0 .. {type_.bound - 1}"), *bound]
    notes = type_.notes
    members = type_.members
    wide = is_flags(type_) or max(members.values()) > 0x3F
    digits = len(f"{max(members.values()):x}") if wide else 0
    values = {name: f"0x{value:0{digits}x}" if wide else str(value) for name, value in members.items()}
    lines = [*comment(inspect.getdoc(type_)), f"typedef {storage} {type_name(type_)};", "enum {"]
    lines += [
        noted(f"    {constant_name(type_, name)} = {value},", notes.get(name, "")) for name, value in values.items()
    ]
    return [*lines, "};", *bound]


def slice_(type_):
    """The lines that define a slice."""
    return [f"struct {slice_name(type_)} {{", f"    {type_name(type_.element)} *at;", "    uint64_t length;", "};"]


def record(type_):
    """The lines that define a record: fields in layout order, padding explicit."""
    lines, offset = [*comment(inspect.getdoc(type_)), f"struct {snake(type_.name)} {{"], 0
    notes = type_.notes
    for slot in type_.layout.slots:
        lines += padding(offset, slot.offset - offset)
        lines.append(noted(f"    {declarator(slot.type, slot.name)};", notes.get(slot.name, "")))
        offset = slot.offset + slot.size
    return [*lines, *padding(offset, type_.layout.size - offset), "};"]


def padding(offset, size):
    """A field for the padding bytes, if there are any."""
    return [f"    uint8_t padding_{offset}[{size}];"] if size else []


def pins(type_):
    """The lines that make the compiler check the layout."""
    name = snake(type_.name)
    return [
        f"PIN_SIZE({name}, {type_.layout.size});",
        *(f"PIN({name}, {slot.name}, {slot.offset});" for slot in type_.layout.slots),
    ]


def define(item):
    """The line that defines a constant."""
    return noted(f"#define {item.name} {item.text}", item.note)


def table(item):
    """The lines that define a constant table."""
    values = list(item.value)
    if is_text(values):
        return [
            *(comment(item.note) if item.note else []),
            f"static const {type_name(item.element)} {item.name}[{len(values)}] = {{",
            *spelled(values),
            "};",
        ]
    masks = max(values) >> 63 != 0  # which C has no decimal number for
    wide = max(values) > 0xFFFF and item.hexadecimal or masks
    texts = [f"0x{value:0{16 if masks else 8}x}" if wide else str(value) for value in values]
    if isinstance(item.value, Characters):
        texts = list(map(character, values))
    head = f"static const {type_name(item.element)} {item.name}[{len(values)}] = {{"
    about = comment(item.note) if item.note else []
    if isinstance(item.value, Rows):
        return [*about, RANGES * bool(item.value.nothing) + head, *named_rows(item.value), "};"]
    flat = f"{head}{', '.join(texts)}}};"
    if len(flat) <= 120:
        return [*about, flat]
    step = (4 if masks else 8) if wide else min(19, ROW // (max(map(len, texts)) + 2))
    rows = ["    " + ", ".join(texts[at : at + step]) + "," for at in range(0, len(texts), step)]
    return [*about, head, *rows, "};"]


def named_rows(rows):
    """The rows of a table by name, and what all rows between them hold: C says it where that is 0."""
    names = row_names(rows)
    there = [place for place, value in enumerate(rows) if value != rows.nothing]
    lines = {place: [f"    [{names[place]}] = {in_words(rows.type, rows[place])},"] for place in there}
    if rows.nothing:
        gaps = [(before + 1, after) for before, after in pairwise((-1, *there, len(rows))) if after - before > 1]
        lines |= {first: absent_rows(rows, names, first, end) for first, end in gaps}
    elif len(there) < len(rows):
        lines[len(rows)] = [f"    /* all others: {in_words(rows.type, 0)} */"]
    return [line for _, said in sorted(lines.items()) for line in said]


def row_names(rows):
    """The name of each row; a number where the enumeration has none."""
    if not is_enum(rows.index):
        return rows.index
    return [
        constant_name(rows.index, rows.index(place).name) if rows.index.contains(place) else str(place)
        for place in range(len(rows))
    ]


def absent_rows(rows, names, first, end):
    """The lines for all rows from one on and before another one: there is nothing for them."""
    if end - first == 1:
        return [f"    [{names[first]}] = {rows.absent},"]
    low = f"{names[first - 1]} + 1" if first else "0"
    high = f"{names[end]} - 1" if end < len(rows) else str(len(rows) - 1)
    line = f"    [{low} ... {high}] = {rows.absent},"
    return [line] if len(line) <= ROW else [f"    [{low} ...", f"     {high}] = {rows.absent},"]


def in_words(type_, value):
    """A number, written with the constants of its type."""
    if is_enum(type_):
        return constant_name(type_, type_(value).name)
    if is_flags(type_) and value:
        return " | ".join(constant_name(type_, name) for name, bit in type_.members.items() if value & bit)
    return str(value)


def character(value):
    """A character in ASCII as C text."""
    return {0: r"'\0'", ord("'"): r"'\''", ord("\\"): r"'\\'"}.get(value, f"'{chr(value)}'")


def is_text(values):
    """Are these words of eight characters each, padded with zeros?"""
    return max(values) > 0xFFFF_FFFF and all(
        value == 0 or value.to_bytes(8, "little").rstrip(b"\0\n").decode("latin-1").isprintable() for value in values
    )


def spelled(words):
    """The elements of a table of texts, each line with its text in a comment."""
    lines = []
    for at in range(0, len(words), 2):
        row = words[at : at + 2]
        text = (
            b"".join(word.to_bytes(8, "little") for word in row)
            .rstrip(b"\0")
            .decode()
            .replace("\0", " ")
            .replace("\n", "\\n")
        )
        lines.append(f"    {', '.join(f'0x{word:016x}' for word in row)}, /* {text} */")
    return lines


def constant_lines(items):
    """The lines that define constants: numbers, then tables."""
    return [
        *(define(item) for item in items if item.element is None),
        *(line for item in items if item.element is not None for line in table(item)),
    ]


def prototype(function, before=""):
    """The lines that declare a function, with what C may say before the type of its result."""
    return wrap(f"{before} {signature(function)};".lstrip())


def definition(function, about="", before=""):
    """The lines that define a function, below its comment, with what C may say before the type of its result."""
    before = " ".join([*([PORTABLE] if function.opaque else []), *([before] if before else [])])
    head = wrap(f"{before} {signature(function)}".lstrip())
    ensured = "".join(f"\n\nEnsures: {clause.text}." for clause in function.ensures)
    note = paragraphs(f"{about}{function.doc}{ensured}")
    call = leaf_call(function) if function.hardware else []
    return [*note, *head, "{", *Printer(function).body(), *call, "}"]


def leaf_call(function):
    """The call of the assembly that has the hardware effect."""
    if any(isinstance(node, ir.Return) for node in ir.walk(function.body)):
        raise ValueError(f"{function.symbol} is marked as hardware and may not return early")
    return wrap(f"    {leaf_name(function)}({', '.join(item.name for item in scalars(function))});")


def leaf_name(function):
    """The symbol of the assembly that a function calls."""
    return f"hardware_{function.symbol}"


def scalars(function):
    """The parameters that are passed to the assembly."""
    return [item for item in function.parameters if is_scalar(item.type)]


def leaf_signature(function):
    """The prototype of the assembly that a function calls, without the semicolon."""
    inner = ", ".join(f"{type_name(item.type)} {item.name}" for item in scalars(function))
    return f"void {leaf_name(function)}({inner or 'void'})"


def leaf_declaration(function):
    """The lines that declare the assembly that a function calls."""
    return [*comment(function.hardware), *wrap(leaf_signature(function) + ";")]


def leaf_stub(function):
    """The lines that define an empty function for an effect that the host does not have."""
    ignored = [f"    (void){item.name};" for item in scalars(function)]
    return [*wrap(leaf_signature(function)), "{", *ignored, "}"]


def operation_numbers():
    """One enumerator for each operation."""
    return [f"    {declared.constant} = {declared.number}," for declared in OPERATIONS]
