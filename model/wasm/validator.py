"""May a decoded module run? WebAssembly core 2.0, chapter 3 and the algorithm of its appendix."""

from model.wasm.instructions import instruction
from model.wasm.reader import byte_at, refuse, refused, skip, unsigned_32
from spec.language.builtins import saturating_sub, shift_left, wrapping_add, wrapping_mul
from spec.language.loops import decreases
from spec.language.types import u32, u64
from spec.language.values import clear, length, local
from spec.wasm.module import (
    DEPTH, LOCALS, MEMORY_PAGES, NONE, OPERANDS, BlockType, Constant, Decoded, External, Label, Mode, Module, Name, Types, Validation)
from spec.wasm.opcodes import FIRST_OPERAND, FIXED, LAST_OPERAND, OPERAND_COUNT, RESULT, WIDTH, Opcode
from spec.wasm.refusals import Refusal
from spec.wasm.values import IS_VALUE_TYPE, ValueType


def validate(m: Module, v: Validation) -> None:
    """Refuse the module unless all of it is valid."""
    equal_types(m)
    types_exist(m)
    sizes(m)
    initial_values(m)
    elements(m)
    segments(m)
    exports(m)
    start(m)
    position = m.imported_functions
    while position < m.counts.functions and position < length(m.functions) and not refused(m):
        decreases(length(m.functions) - position)
        body(m, v, position)
        position += 1


# ---- the module around the bodies


def empty_buckets(m: Module) -> None:
    """Nothing has been hashed yet."""
    bucket: u64 = 0
    while bucket < length(m.buckets):
        decreases(length(m.buckets) - bucket)
        m.buckets[bucket] = 0
        bucket += 1


def equal_types(m: Module) -> None:
    """Find for each type the first one that is equal."""
    empty_buckets(m)
    position: u32 = 0
    while position < m.counts.types and position < length(m.types):
        decreases(length(m.types) - position)
        first_equal(m, position)
        position += 1


def first_equal(m: Module, position: u32) -> None:
    """Find for a type the first one that is equal: those with the same hash are chained."""
    if position >= length(m.types) or length(m.buckets) == 0:
        return
    found = m.types[position]
    found.same = position
    bucket = (hash_of(m, found.parameters.at, found.parameters.count) ^ hash_of(m, found.results.at, found.results.count)) % length(m.buckets)
    other = m.buckets[bucket]
    left = length(m.types)
    while left > 0 and other > 0 and other <= length(m.types):
        decreases(left)
        left -= 1
        if same_types(m, m.types[other - 1].parameters, found.parameters) and same_types(m, m.types[other - 1].results, found.results):
            found.same = m.types[other - 1].same
        other = m.types[other - 1].next
    found.next = m.buckets[bucket]
    m.buckets[bucket] = wrapping_add(u32, position, 1)


def types_exist(m: Module) -> None:
    """Every function is of a type that there is."""
    position: u32 = 0
    while position < m.counts.functions and position < length(m.functions) and not refused(m):
        decreases(length(m.functions) - position)
        type_ = m.functions[position].type
        if type_ >= m.counts.types or type_ >= length(m.types):
            refuse(m, Refusal.UNKNOWN_TYPE, m.at)
        else:
            m.functions[position].same = m.types[type_].same
        position += 1


def sizes(m: Module) -> None:
    """There is one memory at most; sizes are in order."""
    position: u32 = 0
    while position < m.counts.tables and position < length(m.tables) and not refused(m):
        decreases(length(m.tables) - position)
        if m.tables[position].limits.minimum > m.tables[position].limits.maximum:
            refuse(m, Refusal.LIMITS_ORDER, m.at)
        position += 1
    if m.counts.memories > 1:
        refuse(m, Refusal.MULTIPLE_MEMORIES, m.at)
    if m.counts.memories == 1 and length(m.memories) > 0:
        if m.memories[0].minimum > MEMORY_PAGES or (m.memories[0].bounded and m.memories[0].maximum > MEMORY_PAGES):
            refuse(m, Refusal.MEMORY_SIZE, m.at)
        if m.memories[0].minimum > m.memories[0].maximum:
            refuse(m, Refusal.LIMITS_ORDER, m.at)


def initial_values(m: Module) -> None:
    """Every global begins with a constant of its type."""
    position = m.imported_globals
    while position < m.counts.globals and position < length(m.globals) and not refused(m):
        decreases(length(m.globals) - position)
        constant(m, m.globals[position].value, m.globals[position].type)
        position += 1


def constant(m: Module, c: Constant, wanted: ValueType) -> None:
    """A constant expression is one, and of the type that is wanted."""
    if c.wrong != Refusal.NONE:
        refuse(m, c.wrong, c.at)
        return
    found = constant_type(m, c)
    if found != wanted:
        refuse(m, Refusal.TYPE_MISMATCH, c.at)


def constant_type(m: Module, c: Constant) -> ValueType:
    """The type of a constant expression; a function that it names may be named by `ref.func` from now on."""
    if c.opcode == Opcode.REF_NULL:
        return c.type
    if c.opcode == Opcode.REF_FUNC:
        declare(m, c)
        return ValueType.FUNCREF
    if c.opcode == Opcode.GLOBAL_GET:
        found = imported_constant(m, c)
        return found
    return ValueType.I32 if c.opcode == Opcode.I32_CONST else ValueType.I64 if c.opcode == Opcode.I64_CONST else (
        ValueType.F32 if c.opcode == Opcode.F32_CONST else ValueType.F64)


def declare(m: Module, c: Constant) -> None:
    """A function is named outside the bodies."""
    if c.value >= m.counts.functions or c.value >= length(m.functions):
        refuse(m, Refusal.UNKNOWN_FUNCTION, c.at)
        return
    m.functions[c.value].declared = True


def imported_constant(m: Module, c: Constant) -> ValueType:
    """The type of an imported global that never changes."""
    if c.value >= m.imported_globals or c.value >= length(m.globals):
        refuse(m, Refusal.UNKNOWN_GLOBAL, c.at)
        return ValueType.UNKNOWN
    if m.globals[c.value].mutable:
        refuse(m, Refusal.CONSTANT_REQUIRED, c.at)
    return m.globals[c.value].type


def elements(m: Module) -> None:
    """Every element segment fits its table, and its items are of its type."""
    position: u32 = 0
    while position < m.counts.elements and position < length(m.elements) and not refused(m):
        decreases(length(m.elements) - position)
        element(m, position)
        position += 1


def element(m: Module, position: u32) -> None:
    """One element segment."""
    if position >= length(m.elements):
        return
    found = m.elements[position]
    if found.mode == Mode.ACTIVE:
        type_ = table_type(m, found.table, found.offset.at)
        if type_ != found.type:
            refuse(m, Refusal.TYPE_MISMATCH, found.offset.at)
        constant(m, found.offset, ValueType.I32)
    at = found.first
    left = found.count
    while left > 0 and at < length(m.items) and not refused(m):
        decreases(left)
        left -= 1
        constant(m, m.items[at], found.type)
        at = wrapping_add(u32, at, 1)


def table_type(m: Module, table: u64, at: u32) -> ValueType:
    """The type of the elements of a table that there is."""
    if table >= m.counts.tables or table >= length(m.tables):
        refuse(m, Refusal.UNKNOWN_TABLE, at)
        return ValueType.UNKNOWN
    return m.tables[table].element


def segments(m: Module) -> None:
    """Every active data segment is for a memory that there is."""
    position: u32 = 0
    while position < m.counts.data and position < length(m.data) and not refused(m):
        decreases(length(m.data) - position)
        if m.data[position].mode == Mode.ACTIVE:
            if m.data[position].memory >= m.counts.memories:
                refuse(m, Refusal.UNKNOWN_MEMORY, m.data[position].offset.at)
            constant(m, m.data[position].offset, ValueType.I32)
        position += 1


def exports(m: Module) -> None:
    """Every export is of something that there is, under a name of its own."""
    empty_buckets(m)
    position: u32 = 0
    while position < m.counts.exports and position < length(m.exports) and not refused(m):
        decreases(length(m.exports) - position)
        exported(m, position)
        position += 1


def exported(m: Module, position: u32) -> None:
    """One export."""
    if position >= length(m.exports):
        return
    found = m.exports[position]
    at = found.name.at
    if found.kind == External.FUNCTION:
        if found.index >= m.counts.functions or found.index >= length(m.functions):
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


def own_name(m: Module, position: u32) -> None:
    """No export before has the same name: those with the same hash are chained."""
    if position >= length(m.exports) or length(m.buckets) == 0:
        return
    found = m.exports[position]
    bucket = hash_of(m, found.name.at, found.name.size) % length(m.buckets)
    other = m.buckets[bucket]
    left = length(m.exports)
    while left > 0 and other > 0 and other <= length(m.exports):
        decreases(left)
        left -= 1
        if same_name(m, m.exports[other - 1].name, found.name):
            refuse(m, Refusal.DUPLICATE_EXPORT, found.name.at)
        other = m.exports[other - 1].next
    found.next = m.buckets[bucket]
    m.buckets[bucket] = wrapping_add(u32, position, 1)


def hash_of(m: Module, first: u32, size: u32) -> u64:
    """FNV-1a of some bytes of the module."""
    value: u64 = 0xCBF2_9CE4_8422_2325
    left = size
    at = first
    while left > 0:
        decreases(left)
        left -= 1
        value = wrapping_mul(u64, value ^ byte_at(m, at), 0x100_0000_01B3)
        at = wrapping_add(u32, at, 1)
    return value


def same_name(m: Module, one: Name, other: Name) -> bool:
    """Are two names the same bytes?"""
    if one.size != other.size:
        return False
    left = one.size
    while left > 0:
        decreases(left)
        left -= 1
        if byte_at(m, wrapping_add(u32, one.at, left)) != byte_at(m, wrapping_add(u32, other.at, left)):
            return False
    return True


def start(m: Module) -> None:
    """The function that is run first takes nothing and returns nothing."""
    if m.start == NONE or refused(m):
        return
    if m.start >= m.counts.functions or m.start >= length(m.functions):
        refuse(m, Refusal.UNKNOWN_FUNCTION, m.at)
        return
    type_ = m.functions[m.start].type
    if type_ >= length(m.types):
        return
    if m.types[type_].parameters.count != 0 or m.types[type_].results.count != 0:
        refuse(m, Refusal.START_FUNCTION, m.at)


# ---- operands


def type_at(m: Module, types: Types, position: u32) -> ValueType:
    """One of some value types."""
    code = byte_at(m, wrapping_add(u32, types.at, position))
    if IS_VALUE_TYPE[code] == 0:
        return ValueType.UNKNOWN
    return ValueType(code)


def mismatch(m: Module) -> None:
    """The operands are not what the instruction takes."""
    refuse(m, Refusal.TYPE_MISMATCH, m.at)


def push(m: Module, v: Validation, type_: ValueType) -> None:
    """An operand more."""
    if v.height >= length(v.operands) or v.height >= OPERANDS:
        refuse(m, Refusal.TOO_LARGE, m.at)
        return
    v.operands[v.height] = type_
    v.height += 1


def pop(m: Module, v: Validation) -> ValueType:
    """The type of the uppermost operand, which is gone; in unreachable code there is always one, of any type."""
    if v.depth == 0 or v.depth > length(v.labels):
        mismatch(m)
        return ValueType.UNKNOWN
    block = v.labels[v.depth - 1]
    if v.height <= block.height:
        if not block.unreachable:
            mismatch(m)
        return ValueType.UNKNOWN
    v.height -= 1
    if v.height >= length(v.operands):
        return ValueType.UNKNOWN
    return v.operands[v.height]


def expect(m: Module, v: Validation, wanted: ValueType) -> None:
    """The uppermost operand is of a type, and is gone."""
    found = pop(m, v)
    if found != wanted and found != ValueType.UNKNOWN and wanted != ValueType.UNKNOWN:
        mismatch(m)


def push_all(m: Module, v: Validation, types: Types) -> None:
    """Operands of some types more."""
    position: u32 = 0
    while position < types.count and not refused(m):
        decreases(types.count - position)
        push(m, v, type_at(m, types, position))
        position += 1


def expect_all(m: Module, v: Validation, types: Types) -> None:
    """The uppermost operands are of some types, and are gone."""
    left = types.count
    while left > 0 and not refused(m):
        decreases(left)
        left -= 1
        expect(m, v, type_at(m, types, left))


def fits(m: Module, v: Validation, types: Types) -> bool:
    """Are the uppermost operands, which stay, of some types?"""
    if v.depth == 0 or v.depth > length(v.labels):
        return False
    block = v.labels[v.depth - 1]
    height = v.height
    left = types.count
    while left > 0:
        decreases(left)
        left -= 1
        if height <= block.height or height > length(v.operands):
            return block.unreachable
        height -= 1
        if v.operands[height] != type_at(m, types, left) and v.operands[height] != ValueType.UNKNOWN:
            return False
    return True


def unreachable(v: Validation) -> None:
    """Nothing runs behind this; any operands may be taken there."""
    if v.depth == 0 or v.depth > length(v.labels):
        return
    v.height = v.labels[v.depth - 1].height
    v.labels[v.depth - 1].unreachable = True


# ---- blocks


def block_types(m: Module, d: Decoded, block: Label) -> None:
    """What a block takes and leaves."""
    clear(block)
    if d.block == BlockType.RESULT:
        block.results.at = d.vector.at
        block.results.count = 1
    if d.block == BlockType.INDEX:
        if d.value >= m.counts.types or d.value >= length(m.types):
            refuse(m, Refusal.UNKNOWN_TYPE, d.at)
            return
        copy_types(m.types[d.value].parameters, block.parameters)
        copy_types(m.types[d.value].results, block.results)


def copy_types(source: Types, target: Types) -> None:
    """The same types."""
    target.at = source.at
    target.count = source.count


def open_block(m: Module, v: Validation, d: Decoded) -> None:
    """A block takes its parameters and begins."""
    if v.depth >= length(v.labels) or v.depth >= DEPTH:
        refuse(m, Refusal.TOO_LARGE, d.at)
        return
    position = v.depth
    block = v.labels[position]
    block_types(m, d, block)
    expect_all(m, v, block.parameters)
    block.opcode = d.opcode
    block.height = v.height
    v.depth = position + 1
    push_all(m, v, block.parameters)


def leave(m: Module, v: Validation, block: Label) -> None:
    """At the end of a block its results are all that is there."""
    expect_all(m, v, block.results)
    if v.height != block.height:
        mismatch(m)


def other_branch(m: Module, v: Validation, d: Decoded) -> None:
    """The other branch begins as the first one did."""
    if v.depth == 0 or v.depth > length(v.labels):
        return
    block = v.labels[v.depth - 1]
    if block.opcode != Opcode.IF:
        refuse(m, Refusal.ELSE_STRAY, d.at)
        return
    leave(m, v, block)
    block.opcode = Opcode.ELSE
    block.unreachable = False
    v.height = block.height
    push_all(m, v, block.parameters)


def end(m: Module, v: Validation) -> None:
    """The block is over; an `if` without `else` leaves what it takes."""
    if v.depth == 0 or v.depth > length(v.labels):
        return
    position = v.depth - 1
    block = v.labels[position]
    leave(m, v, block)
    if block.opcode == Opcode.IF and not same_types(m, block.parameters, block.results):
        mismatch(m)
    v.depth = position
    if position > 0:
        push_all(m, v, block.results)


def same_types(m: Module, one: Types, other: Types) -> bool:
    """Are the types of two lists the same?"""
    if one.count != other.count:
        return False
    left = one.count
    while left > 0:
        decreases(left)
        left -= 1
        if type_at(m, one, left) != type_at(m, other, left):
            return False
    return True


def branch(m: Module, v: Validation, d: Decoded, label: u64, keep: bool) -> None:
    """A jump to a label takes what is expected there; if it is not always taken, all that stays."""
    if label >= v.depth or v.depth > length(v.labels):
        refuse(m, Refusal.UNKNOWN_LABEL, d.at)
        return
    block = v.labels[v.depth - 1 - label]
    if block.opcode == Opcode.LOOP:
        expect_all(m, v, block.parameters)
        if keep:
            push_all(m, v, block.parameters)
    else:
        expect_all(m, v, block.results)
        if keep:
            push_all(m, v, block.results)


def branch_table(m: Module, v: Validation, d: Decoded) -> None:
    """All labels expect as many operands, and the ones that are there."""
    expect(m, v, ValueType.I32)
    after = m.at
    m.at = d.vector.at
    left = d.vector.count
    while left > 0 and not refused(m):
        decreases(left)
        left -= 1
        label = unsigned_32(m)
        one_of_table(m, v, d, label)
    if not refused(m):
        m.at = after
    branch(m, v, d, d.value, False)
    unreachable(v)


def one_of_table(m: Module, v: Validation, d: Decoded, label: u32) -> None:
    """One label of a branch table."""
    if label >= v.depth or d.value >= v.depth or v.depth > length(v.labels):
        refuse(m, Refusal.UNKNOWN_LABEL, d.at)
        return
    block = v.labels[v.depth - 1 - label]
    last = v.labels[v.depth - 1 - d.value]
    if expected(block) != expected(last):
        mismatch(m)
    if block.opcode == Opcode.LOOP:
        if not fits(m, v, block.parameters):
            mismatch(m)
    elif not fits(m, v, block.results):
        mismatch(m)


def expected(block: Label) -> u32:
    """How many operands a jump to a label takes."""
    return block.parameters.count if block.opcode == Opcode.LOOP else block.results.count


# ---- bodies


def body(m: Module, v: Validation, position: u32) -> None:
    """The body of a function leaves its results."""
    if position >= length(m.functions):
        return
    type_ = m.functions[position].type
    if type_ >= length(m.types):
        refuse(m, Refusal.UNKNOWN_TYPE, m.at)
        return
    m.at = m.functions[position].at
    m.end = m.functions[position].end
    declare_locals(m, v, m.types[type_].parameters)
    v.height = 0
    v.depth = 0
    if length(v.labels) > 0:
        clear(v.labels[0])
        v.labels[0].opcode = Opcode.BLOCK
        copy_types(m.types[type_].results, v.labels[0].results)
        v.depth = 1
    d = local(Decoded)
    left = m.end
    while left > 0 and v.depth > 0 and not refused(m):
        decreases(left)
        left -= 1
        instruction(m, d)
        if not refused(m):
            check(m, v, d)


def declare_locals(m: Module, v: Validation, parameters: Types) -> None:
    """The types of all locals, parameters first."""
    v.local_count = 0
    position: u32 = 0
    while position < parameters.count and not refused(m):
        decreases(parameters.count - position)
        add_locals(m, v, 1, type_at(m, parameters, position))
        position += 1
    left = unsigned_32(m)
    while left > 0 and not refused(m):
        decreases(left)
        left -= 1
        number = unsigned_32(m)
        code = local(Types)
        code.at = m.at
        skip(m, 1)
        add_locals(m, v, number, type_at(m, code, 0))


def add_locals(m: Module, v: Validation, number: u32, type_: ValueType) -> None:
    """Locals of one type more."""
    if number > LOCALS or v.local_count > LOCALS - number or LOCALS > length(v.locals):
        refuse(m, Refusal.TOO_LARGE, m.at)
        return
    at = v.local_count
    left = number
    while left > 0 and at < length(v.locals):
        decreases(left)
        left -= 1
        v.locals[at] = type_
        at = wrapping_add(u32, at, 1)
    v.local_count = at


def check(m: Module, v: Validation, d: Decoded) -> None:
    """One instruction takes what is there."""
    if FIXED[d.opcode] != 0:
        fixed(m, v, d)
    elif d.opcode == Opcode.BLOCK or d.opcode == Opcode.LOOP:
        open_block(m, v, d)
    elif d.opcode == Opcode.IF:
        expect(m, v, ValueType.I32)
        open_block(m, v, d)
    elif d.opcode == Opcode.ELSE:
        other_branch(m, v, d)
    elif d.opcode == Opcode.END:
        end(m, v)
    elif d.opcode == Opcode.UNREACHABLE:
        unreachable(v)
    elif d.opcode == Opcode.BR:
        branch(m, v, d, d.value, False)
        unreachable(v)
    elif d.opcode == Opcode.BR_IF:
        expect(m, v, ValueType.I32)
        branch(m, v, d, d.value, True)
    elif d.opcode == Opcode.BR_TABLE:
        branch_table(m, v, d)
    elif d.opcode == Opcode.RETURN:
        branch(m, v, d, saturating_sub(v.depth, 1), False)
        unreachable(v)
    elif d.opcode == Opcode.CALL:
        call(m, v, d)
    elif d.opcode == Opcode.CALL_INDIRECT:
        call_indirect(m, v, d)
    elif d.opcode == Opcode.DROP or d.opcode == Opcode.SELECT or d.opcode == Opcode.SELECT_TYPED:
        parametric(m, v, d)
    elif d.opcode == Opcode.LOCAL_GET or d.opcode == Opcode.LOCAL_SET or d.opcode == Opcode.LOCAL_TEE:
        local_variable(m, v, d)
    elif d.opcode == Opcode.GLOBAL_GET or d.opcode == Opcode.GLOBAL_SET:
        global_variable(m, v, d)
    elif d.opcode == Opcode.REF_NULL or d.opcode == Opcode.REF_IS_NULL or d.opcode == Opcode.REF_FUNC:
        reference(m, v, d)
    else:
        table_access(m, v, d)


def fixed(m: Module, v: Validation, d: Decoded) -> None:
    """An instruction whose types are those of its row; what it names is there."""
    width = WIDTH[d.opcode]
    if (width != 0 or uses_memory(d.opcode)) and m.counts.memories == 0:
        refuse(m, Refusal.UNKNOWN_MEMORY, d.at)
    if width != 0 and (d.value > 3 or shift_left(u64, 1, d.value) > width):
        refuse(m, Refusal.ALIGNMENT, d.at)
    named(m, d)
    if OPERAND_COUNT[d.opcode] > 0:
        expect(m, v, ValueType(LAST_OPERAND[d.opcode]))
    if OPERAND_COUNT[d.opcode] > 1:
        expect(m, v, ValueType(FIRST_OPERAND[d.opcode]))
    if OPERAND_COUNT[d.opcode] > 2:
        expect(m, v, ValueType(FIRST_OPERAND[d.opcode]))
    if RESULT[d.opcode] != 0:
        push(m, v, ValueType(RESULT[d.opcode]))


def uses_memory(opcode: Opcode) -> bool:
    """Is an instruction about the memory as a whole?"""
    return (opcode == Opcode.MEMORY_SIZE or opcode == Opcode.MEMORY_GROW or opcode == Opcode.MEMORY_INIT or opcode == Opcode.MEMORY_COPY
            or opcode == Opcode.MEMORY_FILL)


def named(m: Module, d: Decoded) -> None:
    """The segments and tables that an instruction names are there, and fit each other."""
    if (d.opcode == Opcode.MEMORY_INIT or d.opcode == Opcode.DATA_DROP) and d.value >= m.data_count:
        refuse(m, Refusal.UNKNOWN_DATA, d.at)
    if d.opcode == Opcode.ELEM_DROP and d.value >= m.counts.elements:
        refuse(m, Refusal.UNKNOWN_ELEMENT, d.at)
    if d.opcode == Opcode.TABLE_SIZE and d.value >= m.counts.tables:
        refuse(m, Refusal.UNKNOWN_TABLE, d.at)
    if d.opcode == Opcode.TABLE_INIT:
        segment = element_type(m, d)
        table = table_type(m, d.second, d.at)
        if segment != table:
            mismatch(m)
    if d.opcode == Opcode.TABLE_COPY:
        target = table_type(m, d.value, d.at)
        source = table_type(m, d.second, d.at)
        if source != target:
            mismatch(m)


def element_type(m: Module, d: Decoded) -> ValueType:
    """The type of the element segment that an instruction names."""
    if d.value >= m.counts.elements or d.value >= length(m.elements):
        refuse(m, Refusal.UNKNOWN_ELEMENT, d.at)
        return ValueType.UNKNOWN
    return m.elements[d.value].type


def call(m: Module, v: Validation, d: Decoded) -> None:
    """A function that there is takes its parameters and leaves its results."""
    if d.value >= m.counts.functions or d.value >= length(m.functions):
        refuse(m, Refusal.UNKNOWN_FUNCTION, d.at)
        return
    apply_type(m, v, d, m.functions[d.value].type)


def call_indirect(m: Module, v: Validation, d: Decoded) -> None:
    """The same of a function of a type, found in a table."""
    found = table_type(m, d.second, d.at)
    if found != ValueType.FUNCREF:
        mismatch(m)
    expect(m, v, ValueType.I32)
    apply_type(m, v, d, d.value)


def apply_type(m: Module, v: Validation, d: Decoded, type_: u64) -> None:
    """Operands are taken and left as a function type says."""
    if type_ >= m.counts.types or type_ >= length(m.types):
        refuse(m, Refusal.UNKNOWN_TYPE, d.at)
        return
    expect_all(m, v, m.types[type_].parameters)
    push_all(m, v, m.types[type_].results)


def parametric(m: Module, v: Validation, d: Decoded) -> None:
    """`drop` and both forms of `select`."""
    if d.opcode == Opcode.DROP:
        drop(m, v)
        return
    expect(m, v, ValueType.I32)
    if d.opcode == Opcode.SELECT_TYPED:
        if d.vector.count != 1:
            refuse(m, Refusal.RESULT_ARITY, d.at)
        type_ = type_at(m, d.vector, 0)
        expect(m, v, type_)
        expect(m, v, type_)
        push(m, v, type_)
        return
    one = pop(m, v)
    other = pop(m, v)
    if is_reference(one) or is_reference(other) or (one != other and one != ValueType.UNKNOWN and other != ValueType.UNKNOWN):
        mismatch(m)
    push(m, v, other if one == ValueType.UNKNOWN else one)


def drop(m: Module, v: Validation) -> None:
    """The uppermost operand, whatever it is, is gone."""
    expect(m, v, ValueType.UNKNOWN)


def is_reference(type_: ValueType) -> bool:
    """Is it a reference type?"""
    return type_ == ValueType.FUNCREF or type_ == ValueType.EXTERNREF


def local_variable(m: Module, v: Validation, d: Decoded) -> None:
    """`local.get`, `local.set` and `local.tee`."""
    if d.value >= v.local_count or d.value >= length(v.locals):
        refuse(m, Refusal.UNKNOWN_LOCAL, d.at)
        return
    type_ = v.locals[d.value]
    if d.opcode != Opcode.LOCAL_GET:
        expect(m, v, type_)
    if d.opcode != Opcode.LOCAL_SET:
        push(m, v, type_)


def global_variable(m: Module, v: Validation, d: Decoded) -> None:
    """`global.get` and `global.set`."""
    if d.value >= m.counts.globals or d.value >= length(m.globals):
        refuse(m, Refusal.UNKNOWN_GLOBAL, d.at)
        return
    if d.opcode == Opcode.GLOBAL_GET:
        push(m, v, m.globals[d.value].type)
        return
    if not m.globals[d.value].mutable:
        refuse(m, Refusal.IMMUTABLE_GLOBAL, d.at)
    expect(m, v, m.globals[d.value].type)


def reference(m: Module, v: Validation, d: Decoded) -> None:
    """`ref.null`, `ref.is_null` and `ref.func`."""
    if d.opcode == Opcode.REF_NULL:
        push(m, v, d.type)
    elif d.opcode == Opcode.REF_IS_NULL:
        found = pop(m, v)
        if not is_reference(found) and found != ValueType.UNKNOWN:
            mismatch(m)
        push(m, v, ValueType.I32)
    else:
        if d.value >= m.counts.functions or d.value >= length(m.functions):
            refuse(m, Refusal.UNKNOWN_FUNCTION, d.at)
        elif not m.functions[d.value].declared:
            refuse(m, Refusal.UNDECLARED_REFERENCE, d.at)
        push(m, v, ValueType.FUNCREF)


def table_access(m: Module, v: Validation, d: Decoded) -> None:
    """`table.get`, `table.set`, `table.grow` and `table.fill`."""
    type_ = table_type(m, d.value, d.at)
    if d.opcode == Opcode.TABLE_GROW or d.opcode == Opcode.TABLE_FILL:
        expect(m, v, ValueType.I32)
    if d.opcode != Opcode.TABLE_GET:
        expect(m, v, type_)
    if d.opcode != Opcode.TABLE_GROW:
        expect(m, v, ValueType.I32)
    if d.opcode == Opcode.TABLE_GET:
        push(m, v, type_)
    if d.opcode == Opcode.TABLE_GROW:
        push(m, v, ValueType.I32)
