"""How are the bytes of a module decoded?

WebAssembly core 2.0, chapter 5. The entries are first counted, then read into the room that was made for them.
"""

from corollary.language.builtins import maximum, minimum, wrapping_add
from corollary.language.contracts import ensures, preserves, requires
from corollary.language.loops import decreases, maintains
from corollary.language.rows import Characters, Rows
from corollary.language.types import Enum, u8, u32, u64
from corollary.language.values import clear, length, local
from corollary.model.wasm.instructions import instruction, reference_type, skip_value_type, value_type, value_types
from corollary.model.wasm.reader import byte, count, name, refuse, refused, remaining, skip, unsigned_32
from corollary.model.wasm.room import counted
from corollary.spec.wasm.module import (
    BODY,
    ENTRIES,
    FREE_ROUNDS,
    NONE,
    ROUNDS,
    SEGMENT_ITEMS,
    Constant,
    Decoded,
    External,
    Limits,
    Mode,
    Module,
    Name,
)
from corollary.spec.wasm.opcodes import Opcode
from corollary.spec.wasm.refusals import Refusal
from corollary.spec.wasm.values import ValueType

MAGIC = Characters(b"\0asm")
VERSION = (0x01, 0x00, 0x00, 0x00)
FUNCTION_FORM = 0x60


class Section(Enum):
    """The sections of a module."""

    CUSTOM = 0
    TYPE = 1
    IMPORT = 2
    FUNCTION = 3
    TABLE = 4
    MEMORY = 5
    GLOBAL = 6
    EXPORT = 7
    START = 8
    ELEMENT = 9
    CODE = 10
    DATA = 11
    DATA_COUNT = 12


SECTIONS = len(Section)
EXTERNALS = len(External)
RANK = Rows((0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 10), Section)  # the required order of the sections


# ---- both passes


def survey(m: Module) -> None:
    """Count how many there are of everything, so that the host can make room.

    The content of the sections is not read yet.
    """
    opening(m)
    m.work = FREE_ROUNDS + ROUNDS * u64(m.end)
    left = length(m.bytes)
    while left > 0 and m.at < m.end and not refused(m):
        decreases(left)
        left -= 1
        survey_section(m)


def decode(m: Module) -> None:
    """Read the module into the room that was made."""
    opening(m)
    before: u8 = 0
    left = length(m.bytes)
    while left > 0 and m.at < m.end and not refused(m):
        maintains(counted(m))
        decreases(left)
        left -= 1
        before = decode_section(m, before)
    consistent(m)
    bodies(m)


@ensures(counted)
def opening(m: Module) -> None:
    """Begin at the first byte, and check the magic number and the version."""
    clear(m.counts)
    m.imported_functions = 0
    m.imported_globals = 0
    m.start = NONE
    m.data_count = NONE
    m.refusal = Refusal.NONE
    m.at = 0
    m.end = u32.truncate(minimum(length(m.bytes), NONE))
    for i in range(4):
        found = byte(m)
        if found != MAGIC[i]:
            refuse(m, Refusal.UNEXPECTED_END if refused(m) else Refusal.MAGIC, 0)
    for i in range(4):
        found = byte(m)
        if found != VERSION[i]:
            refuse(m, Refusal.UNEXPECTED_END if refused(m) else Refusal.VERSION, 4)


def section_size(m: Module) -> u32:
    """Read the size of a section, which must lie within the module."""
    start = m.at
    size = unsigned_32(m)
    if size > remaining(m):
        refuse(m, Refusal.LENGTH, start)
        return 0
    return size


# ---- counting


def survey_section(m: Module) -> None:
    """Count what a section holds, and go to its end."""
    kind = byte(m)
    size = section_size(m)
    if refused(m):
        return
    after = wrapping_add(u32, m.at, size)
    if kind < SECTIONS:
        survey_vector(m, Section(kind), size)
    if not refused(m):
        m.at = after


def survey_vector(m: Module, kind: Section, size: u32) -> None:
    """Count the entries of a section. Each item of an element segment takes at least one byte."""
    if kind == Section.CUSTOM or kind == Section.START:
        return
    number = unsigned_32(m)
    if number > size and kind != Section.DATA_COUNT:
        refuse(m, Refusal.LENGTH, m.at)
        return
    if number > ENTRIES and kind != Section.DATA_COUNT:
        refuse(m, Refusal.TOO_LARGE, m.at)
        return
    if kind == Section.TYPE or kind == Section.EXPORT:
        m.counts.text = maximum(m.counts.text, size)
    if kind == Section.TYPE:
        m.counts.types = number
    elif kind == Section.IMPORT:
        m.counts.imports = number
    elif kind == Section.FUNCTION:
        m.counts.functions = number
    elif kind == Section.TABLE:
        m.counts.tables = number
    elif kind == Section.MEMORY:
        m.counts.memories = number
    elif kind == Section.GLOBAL:
        m.counts.globals = number
    elif kind == Section.EXPORT:
        m.counts.exports = number
    elif kind == Section.ELEMENT:
        m.counts.elements = number
        m.counts.items = minimum(size, SEGMENT_ITEMS)
    elif kind == Section.DATA:
        m.counts.data = number


# ---- sections


@preserves(counted)
def decode_section(m: Module, before: u8) -> u8:
    """Read one section, and return its rank, or `before` if it is a custom section.

    It must come after all sections of a rank up to `before`.
    """
    start = m.at
    kind = byte(m)
    size = section_size(m)
    if refused(m):
        return before
    if kind >= SECTIONS:
        refuse(m, Refusal.SECTION_ID, start)
        return before
    rank = RANK[kind]
    if rank != 0 and rank <= before:
        refuse(m, Refusal.SECTION_ORDER, start)
        return before
    whole = m.end
    m.end = wrapping_add(u32, m.at, size)
    after = m.end
    content(m, Section(kind))
    if not refused(m) and m.at != after:
        refuse(m, Refusal.SECTION_SIZE, m.at)
    m.end = whole
    if refused(m):
        m.at = whole
    return rank if rank != 0 else before


@preserves(counted)
def content(m: Module, kind: Section) -> None:
    """Read the content of a section."""
    if kind == Section.CUSTOM:
        custom(m)
    elif kind == Section.START:
        m.start = unsigned_32(m)
    elif kind == Section.DATA_COUNT:
        m.data_count = unsigned_32(m)
    else:
        vector(m, kind)


def custom(m: Module) -> None:
    """Read a custom section: a name, and bytes that mean nothing here."""
    about = local(Name)
    name(m, about)
    skip(m, remaining(m))


@preserves(counted)
def vector(m: Module, kind: Section) -> None:
    """Read the entries of a section."""
    left = count(m)
    while left > 0 and not refused(m):
        maintains(counted(m))
        decreases(left)
        left -= 1
        entry(m, kind)


@preserves(counted)
def entry(m: Module, kind: Section) -> None:
    """Read one entry of a section."""
    if kind == Section.TYPE:
        type_entry(m)
    elif kind == Section.IMPORT:
        import_entry(m)
    elif kind == Section.FUNCTION:
        type_index = unsigned_32(m)
        function_entry(m, type_index)
    elif kind == Section.TABLE:
        table_entry(m)
    elif kind == Section.MEMORY:
        memory_entry(m)
    elif kind == Section.GLOBAL:
        global_entry(m, True)
    elif kind == Section.EXPORT:
        export_entry(m)
    elif kind == Section.ELEMENT:
        element_entry(m)
    elif kind == Section.CODE:
        code_entry(m)
    elif kind == Section.DATA:
        data_entry(m)


def has_room(m: Module, position: u32, room: u64) -> bool:
    """Is there room for an entry at a position? If not, refuse the module."""
    if position >= room or position >= ENTRIES:
        refuse(m, Refusal.TOO_LARGE, m.at)
        return False
    return True


@preserves(counted)
def type_entry(m: Module) -> None:
    """Read a function type: the types of its parameters and results."""
    start = m.at
    form = byte(m)
    if form != FUNCTION_FORM:
        refuse(m, Refusal.TYPE_FORM, start)
    position = m.counts.types
    room = has_room(m, position, length(m.types))
    if not room:
        return
    found = m.types[position]
    value_types(m, found.parameters)
    value_types(m, found.results)
    m.counts.types = position + 1


@preserves(counted)
def import_entry(m: Module) -> None:
    """Read an import: what the module needs from another, and under which names."""
    position = m.counts.imports
    room = has_room(m, position, length(m.imports))
    if not room:
        return
    found = m.imports[position]
    name(m, found.module)
    name(m, found.name)
    start = m.at
    kind = byte(m)
    if kind >= EXTERNALS:
        refuse(m, Refusal.IMPORT_KIND, start)
    if refused(m):
        return
    found.kind = External(kind)
    m.counts.imports = position + 1
    if found.kind == External.FUNCTION:
        found.index = m.counts.functions
        type_index = unsigned_32(m)
        function_entry(m, type_index)
        m.imported_functions = m.counts.functions
    elif found.kind == External.TABLE:
        found.index = m.counts.tables
        table_entry(m)
    elif found.kind == External.MEMORY:
        found.index = m.counts.memories
        memory_entry(m)
    else:
        found.index = m.counts.globals
        global_entry(m, False)
        m.imported_globals = m.counts.globals


@preserves(counted)
def function_entry(m: Module, type_index: u32) -> None:
    """Add a function of a type. Its body, if any, comes later."""
    position = m.counts.functions
    room = has_room(m, position, length(m.functions))
    if not room:
        return
    m.functions[position].type = type_index
    m.functions[position].at = 0
    m.functions[position].end = 0
    m.functions[position].declared = False
    m.functions[position].entry = 0
    m.functions[position].calls = 0
    m.counts.functions = position + 1


def limits(m: Module, found: Limits) -> None:
    """Read a minimum, and perhaps a maximum."""
    start = m.at
    flag = byte(m)
    if flag > 1:
        refuse(m, Refusal.LIMITS_FLAG, start)
    found.bounded = flag == 1
    found.minimum = unsigned_32(m)
    found.maximum = NONE
    if flag == 1:
        found.maximum = unsigned_32(m)


@preserves(counted)
def table_entry(m: Module) -> None:
    """Read a table of references."""
    position = m.counts.tables
    room = has_room(m, position, length(m.tables))
    if not room:
        return
    found = m.tables[position]
    found.element = reference_type(m)
    limits(m, found.limits)
    m.counts.tables = position + 1


@preserves(counted)
def memory_entry(m: Module) -> None:
    """Read a memory."""
    position = m.counts.memories
    room = has_room(m, position, length(m.memories))
    if not room:
        return
    limits(m, m.memories[position])
    m.counts.memories = position + 1


@preserves(counted)
def global_entry(m: Module, own: bool) -> None:
    """Read a global, with its initial value unless it is imported."""
    position = m.counts.globals
    room = has_room(m, position, length(m.globals))
    if not room:
        return
    found = m.globals[position]
    found.type = value_type(m)
    start = m.at
    flag = byte(m)
    if flag > 1:
        refuse(m, Refusal.MUTABILITY, start)
    found.mutable = flag == 1
    if own:
        constant(m, found.value)
    m.counts.globals = position + 1


@preserves(counted)
def export_entry(m: Module) -> None:
    """Read an export: what the module offers, and under which name."""
    position = m.counts.exports
    room = has_room(m, position, length(m.exports))
    if not room:
        return
    found = m.exports[position]
    name(m, found.name)
    start = m.at
    kind = byte(m)
    if kind >= EXTERNALS:
        refuse(m, Refusal.EXPORT_KIND, start)
        return
    found.kind = External(kind)
    found.index = unsigned_32(m)
    m.counts.exports = position + 1


def constant(m: Module, found: Constant) -> None:
    """Read the instructions of a constant expression, up to an `end`.

    Anything but one constant instruction is noted. It is refused once the module is known to be well-formed.
    """
    d = local(Decoded)
    instruction(m, d)
    found.opcode = d.opcode
    found.value = d.value
    found.type = d.type
    found.at = d.at
    found.wrong = (
        Refusal.NONE
        if is_constant(d.opcode)
        else Refusal.TYPE_MISMATCH
        if d.opcode == Opcode.END
        else Refusal.CONSTANT_REQUIRED
    )
    left = remaining(m)
    while left > 0 and d.opcode != Opcode.END and not refused(m):
        decreases(left)
        left -= 1
        instruction(m, d)
        if d.opcode != Opcode.END and found.wrong == Refusal.NONE:
            found.wrong = Refusal.TYPE_MISMATCH if is_constant(d.opcode) else Refusal.CONSTANT_REQUIRED
    if d.opcode != Opcode.END:
        refuse(m, Refusal.END_MISSING, m.at)


def is_constant(opcode: Opcode) -> bool:
    """May an instruction stand in a constant expression?"""
    return (
        opcode == Opcode.I32_CONST
        or opcode == Opcode.I64_CONST
        or opcode == Opcode.F32_CONST
        or opcode == Opcode.F64_CONST
        or opcode == Opcode.REF_NULL
        or opcode == Opcode.REF_FUNC
        or opcode == Opcode.GLOBAL_GET
    )


@preserves(counted)
def element_entry(m: Module) -> None:
    """Read an element segment.

    Bit 0 of its flag: not active. Bit 1: declarative, or with a table. Bit 2: the items are expressions.
    """
    position = m.counts.elements
    room = has_room(m, position, length(m.elements))
    if not room:
        return
    found = m.elements[position]
    start = m.at
    flag = unsigned_32(m)
    if flag > 7:
        refuse(m, Refusal.SEGMENT_FLAG, start)
        return
    found.mode = Mode.ACTIVE if flag & 1 == 0 else Mode.PASSIVE if flag & 2 == 0 else Mode.DECLARATIVE
    found.table = 0
    if flag & 3 == 2:
        found.table = unsigned_32(m)
    if flag & 1 == 0:
        constant(m, found.offset)
    found.type = ValueType.FUNCREF
    if flag & 3 != 0:
        found.type = element_type(m, flag & 4 != 0)
    found.first = m.counts.items
    found.count = count(m)
    items(m, found.count, flag & 4 != 0)
    m.counts.elements = position + 1


def element_type(m: Module, expressions: bool) -> ValueType:
    """Read the type of the items of a segment: a reference type, or a zero byte for functions."""
    if expressions:
        type_ = reference_type(m)
        return type_
    start = m.at
    kind = byte(m)
    if kind != 0:
        refuse(m, Refusal.ELEMENT_KIND, start)
    return ValueType.FUNCREF


def items(m: Module, number: u32, expressions: bool) -> None:
    """Read the items of a segment, as expressions or as function indices."""
    left = number
    while left > 0 and not refused(m):
        decreases(left)
        left -= 1
        item(m, expressions)


def item(m: Module, expressions: bool) -> None:
    """Read one item of a segment."""
    position = m.counts.items
    if position >= length(m.items) or position >= SEGMENT_ITEMS:
        refuse(m, Refusal.TOO_LARGE, m.at)
        return
    found = m.items[position]
    if expressions:
        constant(m, found)
    else:
        found.at = m.at
        found.opcode = Opcode.REF_FUNC
        found.wrong = Refusal.NONE
        value = unsigned_32(m)
        found.value = value
    m.counts.items = position + 1


@preserves(counted)
def code_entry(m: Module) -> None:
    """Note where the body of the next function begins and ends. Imported functions have no body."""
    size = section_size(m)
    if size > BODY or m.counts.codes >= ENTRIES or m.imported_functions >= ENTRIES:
        refuse(m, Refusal.TOO_LARGE, m.at)
        return
    position = m.imported_functions + m.counts.codes
    m.counts.codes += 1
    if position < m.counts.functions:  # too many bodies are found once all are counted
        m.functions[position].at = m.at
        m.functions[position].end = wrapping_add(u32, m.at, size)
    skip(m, size)


@preserves(counted)
def data_entry(m: Module) -> None:
    """Read a data segment."""
    position = m.counts.data
    room = has_room(m, position, length(m.data))
    if not room:
        return
    found = m.data[position]
    start = m.at
    flag = unsigned_32(m)
    if flag > 2:
        refuse(m, Refusal.SEGMENT_FLAG, start)
        return
    found.mode = Mode.PASSIVE if flag == 1 else Mode.ACTIVE
    found.memory = 0
    if flag == 2:
        found.memory = unsigned_32(m)
    if flag != 1:
        constant(m, found.offset)
    found.size = count(m)
    found.at = m.at
    skip(m, found.size)
    m.counts.data = position + 1


# ---- what sections say about each other


def consistent(m: Module) -> None:
    """Check that every function has a body and that the data section holds what was announced."""
    if refused(m):
        return
    if m.imported_functions > m.counts.functions or m.counts.codes != m.counts.functions - m.imported_functions:
        refuse(m, Refusal.FUNCTION_COUNT, m.at)
    if m.data_count != NONE and m.data_count != m.counts.data:
        refuse(m, Refusal.DATA_COUNT, m.at)


@requires(counted)
def bodies(m: Module) -> None:
    """Check that every body is well-formed."""
    position = m.imported_functions
    while position < m.counts.functions and not refused(m):
        decreases(m.counts.functions - position)
        m.at = m.functions[position].at
        m.end = m.functions[position].end
        body(m)
        position += 1


def body(m: Module) -> None:
    """Read groups of locals, then instructions up to the `end` of the body."""
    local_groups(m)
    d = local(Decoded)
    depth: u32 = 1
    left = remaining(m)
    while left > 0 and depth > 0 and not refused(m):
        decreases(left)
        left -= 1
        instruction(m, d)
        if d.opcode == Opcode.BLOCK or d.opcode == Opcode.LOOP or d.opcode == Opcode.IF:
            depth = wrapping_add(u32, depth, 1)
        if d.opcode == Opcode.END:
            depth -= 1
        if m.data_count == NONE and (d.opcode == Opcode.MEMORY_INIT or d.opcode == Opcode.DATA_DROP):
            refuse(m, Refusal.DATA_COUNT_MISSING, d.at)
    if depth > 0 or m.at != m.end:
        refuse(m, Refusal.END_MISSING, m.at)


def local_groups(m: Module) -> None:
    """Read groups of locals of one type. A u32 must be able to count all of them together."""
    total: u64 = 0
    left = count(m)
    while left > 0 and not refused(m):
        decreases(left)
        left -= 1
        start = m.at
        number = unsigned_32(m)
        skip_value_type(m)
        total = wrapping_add(u64, total, number)
        if total > NONE:
            refuse(m, Refusal.TOO_MANY_LOCALS, start)
