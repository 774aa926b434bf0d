"""Is the body of a function well typed? WebAssembly core 2.0, chapter 3 and the algorithm in its appendix."""

from corollary.language.builtins import saturating_sub, shift_left
from corollary.language.bytes import fill
from corollary.language.contracts import ensures, preserves, requires
from corollary.language.loops import decreases, maintains
from corollary.language.types import u32, u64
from corollary.language.values import clear, length, local
from corollary.model.wasm.instructions import instruction
from corollary.model.wasm.labels import branch, branch_table, end, open_block, other_branch
from corollary.model.wasm.operand_types import (
    copy_types,
    expect,
    expect_all,
    is_reference,
    mismatch,
    pop,
    push,
    push_all,
    type_at,
    unreachable,
)
from corollary.model.wasm.reader import refuse, refused, skip, spend, unsigned_32
from corollary.model.wasm.room import counted, stacked, within_block
from corollary.spec.wasm.module import LOCALS, Decoded, Module, Types, Validation
from corollary.spec.wasm.opcodes import FIRST_OPERAND, FIXED, LAST_OPERAND, OPERAND_COUNT, RESULT, WIDTH, Opcode
from corollary.spec.wasm.refusals import Refusal
from corollary.spec.wasm.values import ValueType


@requires(counted)
@requires(lambda m, position: position < m.counts.functions)
def body(m: Module, v: Validation, position: u32) -> None:
    """Validate the body of a function, which must leave its results."""
    type_ = m.functions[position].type
    if type_ >= m.counts.types:
        refuse(m, Refusal.UNKNOWN_TYPE, m.at)
        return
    m.at = m.functions[position].at
    m.end = m.functions[position].end
    declare_locals(m, v, m.types[type_].parameters)
    if length(v.labels) == 0:
        refuse(m, Refusal.TOO_LARGE, m.at)
        return
    clear(v.labels[0])
    v.labels[0].opcode = Opcode.BLOCK
    copy_types(m.types[type_].results, v.labels[0].results)
    v.height = 0
    v.depth = 1
    d = local(Decoded)
    left = m.end
    while left > 0 and v.depth > 0 and not refused(m):
        maintains(stacked(v))
        decreases(left)
        left -= 1
        instruction(m, d)
        if not refused(m):
            check(m, v, d)


def declare_locals(m: Module, v: Validation, parameters: Types) -> None:
    """Declare the types of all locals, parameters first."""
    spend(m, parameters.count)
    v.local_count = 0
    position: u32 = 0
    while position < parameters.count and not refused(m):
        decreases(parameters.count - position)
        type_ = type_at(m, parameters, position)
        add_locals(m, v, 1, type_)
        position += 1
    left = unsigned_32(m)
    while left > 0 and not refused(m):
        decreases(left)
        left -= 1
        number = unsigned_32(m)
        code = local(Types)
        code.at = m.at
        skip(m, 1)
        type_ = type_at(m, code, 0)
        add_locals(m, v, number, type_)


def add_locals(m: Module, v: Validation, number: u32, type_: ValueType) -> None:
    """Add locals of one type."""
    if number > LOCALS or v.local_count > LOCALS - number or LOCALS > length(v.locals):
        refuse(m, Refusal.TOO_LARGE, m.at)
        return
    fill(v.locals, v.local_count, type_, number)
    v.local_count += number


@requires(counted)
@requires(within_block)
@ensures(stacked)
def check(m: Module, v: Validation, d: Decoded) -> None:
    """Check that one instruction takes the operands that are there."""
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
        unreachable(m, v)
    elif d.opcode == Opcode.BR:
        branch(m, v, d, d.value, False)
        unreachable(m, v)
    elif d.opcode == Opcode.BR_IF:
        expect(m, v, ValueType.I32)
        branch(m, v, d, d.value, True)
    elif d.opcode == Opcode.BR_TABLE:
        branch_table(m, v, d)
    elif d.opcode == Opcode.RETURN:
        branch(m, v, d, saturating_sub(v.depth, 1), False)
        unreachable(m, v)
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


@requires(counted)
@preserves(within_block)
def fixed(m: Module, v: Validation, d: Decoded) -> None:
    """Check an instruction with the types of its row. What it names must exist."""
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
    """Is an instruction on the memory as a whole?"""
    return (
        opcode == Opcode.MEMORY_SIZE
        or opcode == Opcode.MEMORY_GROW
        or opcode == Opcode.MEMORY_INIT
        or opcode == Opcode.MEMORY_COPY
        or opcode == Opcode.MEMORY_FILL
    )


@requires(counted)
def named(m: Module, d: Decoded) -> None:
    """Check that the segments and tables that an instruction names exist and fit each other."""
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


@requires(counted)
def table_type(m: Module, table: u64, at: u32) -> ValueType:
    """Return the type of the elements of a table, which must exist."""
    if table >= m.counts.tables:
        refuse(m, Refusal.UNKNOWN_TABLE, at)
        return ValueType.UNKNOWN
    return m.tables[table].element


@requires(counted)
def element_type(m: Module, d: Decoded) -> ValueType:
    """Return the type of the element segment that an instruction names, which must exist."""
    if d.value >= m.counts.elements:
        refuse(m, Refusal.UNKNOWN_ELEMENT, d.at)
        return ValueType.UNKNOWN
    return m.elements[d.value].type


@requires(counted)
@preserves(within_block)
def call(m: Module, v: Validation, d: Decoded) -> None:
    """Check a call: the function must exist; it takes its parameters and leaves its results."""
    if d.value >= m.counts.functions:
        refuse(m, Refusal.UNKNOWN_FUNCTION, d.at)
        return
    apply_type(m, v, d, m.functions[d.value].type)


@requires(counted)
@preserves(within_block)
def call_indirect(m: Module, v: Validation, d: Decoded) -> None:
    """Check a call to a function of a type, found in a table."""
    found = table_type(m, d.second, d.at)
    if found != ValueType.FUNCREF:
        mismatch(m)
    expect(m, v, ValueType.I32)
    apply_type(m, v, d, d.value)


@requires(counted)
@preserves(within_block)
def apply_type(m: Module, v: Validation, d: Decoded, type_: u64) -> None:
    """Pop and push operands as a function type says."""
    if type_ >= m.counts.types:
        refuse(m, Refusal.UNKNOWN_TYPE, d.at)
        return
    expect_all(m, v, m.types[type_].parameters)
    push_all(m, v, m.types[type_].results)


@preserves(within_block)
def parametric(m: Module, v: Validation, d: Decoded) -> None:
    """Check `drop` and both forms of `select`."""
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
    if (
        is_reference(one)
        or is_reference(other)
        or (one != other and one != ValueType.UNKNOWN and other != ValueType.UNKNOWN)
    ):
        mismatch(m)
    push(m, v, other if one == ValueType.UNKNOWN else one)


@preserves(within_block)
def drop(m: Module, v: Validation) -> None:
    """Pop the topmost operand, of any type."""
    expect(m, v, ValueType.UNKNOWN)


@preserves(within_block)
def local_variable(m: Module, v: Validation, d: Decoded) -> None:
    """Check `local.get`, `local.set` and `local.tee`."""
    if d.value >= v.local_count or d.value >= length(v.locals):
        refuse(m, Refusal.UNKNOWN_LOCAL, d.at)
        return
    type_ = v.locals[d.value]
    if d.opcode != Opcode.LOCAL_GET:
        expect(m, v, type_)
    if d.opcode != Opcode.LOCAL_SET:
        push(m, v, type_)


@requires(counted)
@preserves(within_block)
def global_variable(m: Module, v: Validation, d: Decoded) -> None:
    """Check `global.get` and `global.set`."""
    if d.value >= m.counts.globals:
        refuse(m, Refusal.UNKNOWN_GLOBAL, d.at)
        return
    if d.opcode == Opcode.GLOBAL_GET:
        push(m, v, m.globals[d.value].type)
        return
    if not m.globals[d.value].mutable:
        refuse(m, Refusal.IMMUTABLE_GLOBAL, d.at)
    expect(m, v, m.globals[d.value].type)


@requires(counted)
@preserves(within_block)
def reference(m: Module, v: Validation, d: Decoded) -> None:
    """Check `ref.null`, `ref.is_null` and `ref.func`."""
    if d.opcode == Opcode.REF_NULL:
        push(m, v, d.type)
    elif d.opcode == Opcode.REF_IS_NULL:
        found = pop(m, v)
        if not is_reference(found) and found != ValueType.UNKNOWN:
            mismatch(m)
        push(m, v, ValueType.I32)
    else:
        if d.value >= m.counts.functions:
            refuse(m, Refusal.UNKNOWN_FUNCTION, d.at)
        elif not m.functions[d.value].declared:
            refuse(m, Refusal.UNDECLARED_REFERENCE, d.at)
        push(m, v, ValueType.FUNCREF)


@requires(counted)
@preserves(within_block)
def table_access(m: Module, v: Validation, d: Decoded) -> None:
    """Check `table.get`, `table.set`, `table.grow` and `table.fill`."""
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
