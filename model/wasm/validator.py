"""Is a decoded module valid?

WebAssembly core 2.0, chapter 3. This file holds the checks of everything around the bodies of functions.
"""

from corollary.language.builtins import wrapping_add
from corollary.language.contracts import requires
from corollary.language.loops import decreases, maintains
from corollary.language.types import u32, u64
from corollary.language.values import length
from corollary.model.wasm.bodies import body, table_type
from corollary.model.wasm.reader import refuse, refused
from corollary.model.wasm.room import counted, planted
from corollary.model.wasm.texts import ROOT, along, below, first_text, forget_texts
from corollary.spec.wasm.module import MEMORY_PAGES, NONE, Constant, External, Mode, Module, Validation
from corollary.spec.wasm.opcodes import Opcode
from corollary.spec.wasm.refusals import Refusal
from corollary.spec.wasm.values import ValueType


def validate(m: Module, v: Validation) -> None:
    """Refuse the module unless all of it is valid and lies in the room that was made for it."""
    if not counted(m) or not planted(m):
        refuse(m, Refusal.TOO_LARGE, m.at)
        return
    equal_types(m)
    types_exist(m)
    sizes(m)
    initial_values(m)
    elements(m)
    segments(m)
    exports(m)
    start(m)
    position = m.imported_functions
    while position < m.counts.functions and not refused(m):
        decreases(m.counts.functions - position)
        body(m, v, position)
        position += 1


# ---- the module around the bodies


@requires(counted)
@requires(planted)
def equal_types(m: Module) -> None:
    """Find, for each type, the first type that is equal."""
    forget_texts(m)
    position: u32 = 0
    while position < m.counts.types and not refused(m):
        decreases(m.counts.types - position)
        found = m.types[position]
        parameters = along(m, ROOT, found.parameters.at, found.parameters.count)
        between = below(m, parameters, 0)  # no value type begins with this half byte
        end = along(m, between, found.results.at, found.results.count)
        found.same = first_text(m, end, position)
        position += 1


@requires(counted)
def types_exist(m: Module) -> None:
    """Check that the type of every function exists."""
    position: u32 = 0
    while position < m.counts.functions and not refused(m):
        decreases(m.counts.functions - position)
        type_ = m.functions[position].type
        if type_ >= m.counts.types:
            refuse(m, Refusal.UNKNOWN_TYPE, m.at)
        else:
            m.functions[position].same = m.types[type_].same
        position += 1


@requires(counted)
def sizes(m: Module) -> None:
    """Check that there is at most one memory, and that sizes are in order."""
    position: u32 = 0
    while position < m.counts.tables and not refused(m):
        decreases(m.counts.tables - position)
        if m.tables[position].limits.minimum > m.tables[position].limits.maximum:
            refuse(m, Refusal.LIMITS_ORDER, m.at)
        position += 1
    if m.counts.memories > 1:
        refuse(m, Refusal.MULTIPLE_MEMORIES, m.at)
    if m.counts.memories == 1:
        if m.memories[0].minimum > MEMORY_PAGES or (m.memories[0].bounded and m.memories[0].maximum > MEMORY_PAGES):
            refuse(m, Refusal.MEMORY_SIZE, m.at)
        if m.memories[0].minimum > m.memories[0].maximum:
            refuse(m, Refusal.LIMITS_ORDER, m.at)


@requires(counted)
def initial_values(m: Module) -> None:
    """Check that every global begins with a constant of its type."""
    position = m.imported_globals
    while position < m.counts.globals and not refused(m):
        decreases(m.counts.globals - position)
        constant(m, m.globals[position].value, m.globals[position].type)
        position += 1


@requires(counted)
def constant(m: Module, c: Constant, wanted: ValueType) -> None:
    """Check that a constant expression is one, and has the type that is wanted."""
    if c.wrong != Refusal.NONE:
        refuse(m, c.wrong, c.at)
        return
    found = constant_type(m, c)
    if found != wanted:
        refuse(m, Refusal.TYPE_MISMATCH, c.at)


@requires(counted)
def constant_type(m: Module, c: Constant) -> ValueType:
    """Return the type of a constant expression. If it names a function, `ref.func` may name it from now on."""
    if c.opcode == Opcode.REF_NULL:
        return c.type
    if c.opcode == Opcode.REF_FUNC:
        declare(m, c)
        return ValueType.FUNCREF
    if c.opcode == Opcode.GLOBAL_GET:
        found = imported_constant(m, c)
        return found
    return (
        ValueType.I32
        if c.opcode == Opcode.I32_CONST
        else ValueType.I64
        if c.opcode == Opcode.I64_CONST
        else (ValueType.F32 if c.opcode == Opcode.F32_CONST else ValueType.F64)
    )


@requires(counted)
def declare(m: Module, c: Constant) -> None:
    """Declare a function, because it is named outside the bodies."""
    if c.value >= m.counts.functions:
        refuse(m, Refusal.UNKNOWN_FUNCTION, c.at)
        return
    m.functions[c.value].declared = True


@requires(counted)
def imported_constant(m: Module, c: Constant) -> ValueType:
    """Return the type of an imported global, which must be immutable."""
    if c.value >= m.imported_globals:
        refuse(m, Refusal.UNKNOWN_GLOBAL, c.at)
        return ValueType.UNKNOWN
    if m.globals[c.value].mutable:
        refuse(m, Refusal.CONSTANT_REQUIRED, c.at)
    return m.globals[c.value].type


@requires(counted)
def elements(m: Module) -> None:
    """Check that every element segment fits its table, and that its items are of its type."""
    position: u32 = 0
    while position < m.counts.elements and not refused(m):
        decreases(m.counts.elements - position)
        element(m, position)
        position += 1


@requires(counted)
@requires(lambda m, position: position < m.counts.elements)
def element(m: Module, position: u32) -> None:
    """Check one element segment."""
    found = m.elements[position]
    if found.mode == Mode.ACTIVE:
        type_ = table_type(m, found.table, found.offset.at)
        if type_ != found.type:
            refuse(m, Refusal.TYPE_MISMATCH, found.offset.at)
        constant(m, found.offset, ValueType.I32)
    at = found.first
    left = found.count
    if u64(at) + left > length(m.items):
        refuse(m, Refusal.TOO_LARGE, found.offset.at)
        return
    while left > 0 and not refused(m):
        maintains(u64(at) + left <= length(m.items))
        decreases(left)
        left -= 1
        constant(m, m.items[at], found.type)
        at = wrapping_add(u32, at, 1)


@requires(counted)
def segments(m: Module) -> None:
    """Check that every active data segment is for a memory that exists."""
    position: u32 = 0
    while position < m.counts.data and not refused(m):
        decreases(m.counts.data - position)
        if m.data[position].mode == Mode.ACTIVE:
            if m.data[position].memory >= m.counts.memories:
                refuse(m, Refusal.UNKNOWN_MEMORY, m.data[position].offset.at)
            constant(m, m.data[position].offset, ValueType.I32)
        position += 1


@requires(counted)
@requires(planted)
def exports(m: Module) -> None:
    """Check that every export is of something that exists, under a name of its own."""
    forget_texts(m)
    position: u32 = 0
    while position < m.counts.exports and not refused(m):
        decreases(m.counts.exports - position)
        exported(m, position)
        position += 1


@requires(counted)
@requires(planted)
@requires(lambda m, position: position < m.counts.exports)
def exported(m: Module, position: u32) -> None:
    """Check one export."""
    found = m.exports[position]
    at = found.name.at
    if found.kind == External.FUNCTION:
        if found.index >= m.counts.functions:
            refuse(m, Refusal.UNKNOWN_FUNCTION, at)
            return
        m.functions[found.index].declared = True
    if found.kind == External.TABLE and found.index >= m.counts.tables:
        refuse(m, Refusal.UNKNOWN_TABLE, at)
    if found.kind == External.MEMORY and found.index >= m.counts.memories:
        refuse(m, Refusal.UNKNOWN_MEMORY, at)
    if found.kind == External.GLOBAL and found.index >= m.counts.globals:
        refuse(m, Refusal.UNKNOWN_GLOBAL, at)
    own_name(m, position)


@requires(counted)
@requires(planted)
@requires(lambda m, position: position < m.counts.exports)
def own_name(m: Module, position: u32) -> None:
    """Check that no export before has the same name."""
    found = m.exports[position]
    node = along(m, ROOT, found.name.at, found.name.size)
    first = first_text(m, node, position)
    if first != position:
        refuse(m, Refusal.DUPLICATE_EXPORT, found.name.at)


@requires(counted)
def start(m: Module) -> None:
    """Check that the start function takes nothing and returns nothing."""
    if m.start == NONE or refused(m):
        return
    if m.start >= m.counts.functions:
        refuse(m, Refusal.UNKNOWN_FUNCTION, m.at)
        return
    type_ = m.functions[m.start].type
    if type_ >= m.counts.types:
        refuse(m, Refusal.UNKNOWN_TYPE, m.at)
        return
    if m.types[type_].parameters.count != 0 or m.types[type_].results.count != 0:
        refuse(m, Refusal.START_FUNCTION, m.at)
