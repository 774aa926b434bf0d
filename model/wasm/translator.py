"""How does one pass over each body compile a valid module to bytecode on slots?"""

from corollary.language.builtins import wrapping_add
from corollary.language.contracts import ensures, preserves, requires
from corollary.language.loops import decreases, maintains
from corollary.language.types import u16, u32, u64
from corollary.language.values import length, local
from corollary.model.wasm.accessing import access
from corollary.model.wasm.blocks import block, end, open_target, other_branch
from corollary.model.wasm.branching import branch, branch_if, branch_table, return_
from corollary.model.wasm.calling import call, call_indirect
from corollary.model.wasm.computing import compute, select
from corollary.model.wasm.emission import RETURN_POINT, emit, mark, operation, poll, resolve
from corollary.model.wasm.instructions import instruction
from corollary.model.wasm.operands import pop, push
from corollary.model.wasm.reader import refuse, refused, skip, unsigned_32
from corollary.model.wasm.room import counted, in_block, in_room
from corollary.model.wasm.shared import other
from corollary.model.wasm.spilling import variable
from corollary.spec.wasm.internal import Handler
from corollary.spec.wasm.machine import EntryOf, Shape
from corollary.spec.wasm.module import LOCALS, NONE, Decoded, Module, Place, Translation
from corollary.spec.wasm.opcodes import NUMERIC, WIDTH, Opcode
from corollary.spec.wasm.refusals import Refusal

SLOTS = 65_536  # every frame has fewer than this
STRAIGHT = 1_024  # after more operations, a safe point precedes the next instruction


@ensures(in_room)
def begin(m: Module, t: Translation) -> None:
    """Begin the code with the return point of a call from outside: word 0 stands for that call, word 1 ends the run."""
    t.at = 0
    t.height = 0
    t.depth = 0
    t.next_mark = 0
    emit(m, t, 0)
    mark(t, RETURN_POINT)
    operation(m, t, Handler.EXIT, 0, 0, 0)


def translate(m: Module, t: Translation) -> None:
    """Translate all bodies, in order, into the room that was made for them."""
    if not counted(m) or m.counts.functions > length(m.entries):
        refuse(m, Refusal.TOO_LARGE, m.at)
        return
    begin(m, t)
    position: u32 = 0
    while position < m.counts.functions and not refused(m):
        maintains(in_room(t))
        decreases(m.counts.functions - position)
        if position >= m.imported_functions:
            body(m, t, position)
        m.entries[position] = EntryOf(entry=m.functions[position].entry, same=m.functions[position].same)
        position += 1


@requires(counted)
@requires(lambda m, position: position < m.counts.functions)
@preserves(in_room)
def body(m: Module, t: Translation, position: u32) -> None:
    """Translate a function: a word about its frame, then the operations of its instructions."""
    type_ = m.functions[position].type
    if type_ >= m.counts.types:
        refuse(m, Refusal.UNKNOWN_TYPE, m.at)
        return
    m.at = m.functions[position].at
    m.end = m.functions[position].end
    parameters = m.types[type_].parameters.count
    count_locals(m, t, parameters)
    t.height = 0
    t.most = m.types[type_].results.count
    t.depth = 0
    t.lowest = 0
    t.last = NONE
    t.step = NONE
    t.copied = NONE
    t.border = t.at
    t.skipped = 0
    t.reachable = True
    t.straight = 0
    t.calls = False
    information = t.at
    emit(m, t, 0)
    m.functions[position].entry = t.at
    resolve(m, t, m.functions[position].calls, t.at)
    open_target(m, t, Opcode.BLOCK, 0, m.types[type_].results.count)
    instructions(m, t)
    slots = wrapping_add(u32, t.locals, t.most)
    if slots >= SLOTS or information >= t.at:
        refuse(m, Refusal.TOO_LARGE, m.at)
        return
    t.code[information] = Shape(slots=slots, parameters=u16.truncate(parameters), locals=u16.truncate(t.locals))


def count_locals(m: Module, t: Translation, parameters: u32) -> None:
    """Count the locals of a function, parameters included."""
    t.locals = parameters
    left = unsigned_32(m)
    while left > 0 and not refused(m):
        decreases(left)
        left -= 1
        number = unsigned_32(m)
        skip(m, 1)
        t.locals = wrapping_add(u32, t.locals, number)
    if t.locals > LOCALS:
        refuse(m, Refusal.TOO_LARGE, m.at)
    # a callee's frame never begins where its caller's does: the control stack cannot overflow before the data stack
    if t.locals == 0:
        t.locals = 1


@requires(counted)
@preserves(in_room)
def instructions(m: Module, t: Translation) -> None:
    """Translate all instructions of a body. Those that never run are left out."""
    d = local(Decoded)
    left = m.end
    while left > 0 and t.depth > 0 and not refused(m):
        maintains(in_room(t))
        decreases(left)
        left -= 1
        instruction(m, d)
        if refused(m):
            return
        if t.reachable:
            translate_one(m, t, d)
        else:
            leave_out(m, t, d)


@requires(in_block)
@ensures(in_room)
def leave_out(m: Module, t: Translation, d: Decoded) -> None:
    """Skip an instruction that never runs. Only the ends of blocks count."""
    if d.opcode == Opcode.BLOCK or d.opcode == Opcode.LOOP or d.opcode == Opcode.IF:
        t.skipped = wrapping_add(u32, t.skipped, 1)
    elif d.opcode == Opcode.END:
        if t.skipped > 0:
            t.skipped -= 1
        else:
            end(m, t)
    elif d.opcode == Opcode.ELSE and t.skipped == 0:
        other_branch(m, t)


@requires(counted)
@requires(in_block)
@ensures(in_room)
def translate_one(m: Module, t: Translation, d: Decoded) -> None:
    """Translate one instruction, with a safe point before it if there was none for long."""
    if t.straight > STRAIGHT:
        poll(m, t)
    if NUMERIC[d.opcode] != 0:
        compute(m, t, d)
    elif WIDTH[d.opcode] != 0:
        access(m, t, d)
    elif d.opcode == Opcode.LOCAL_GET or d.opcode == Opcode.LOCAL_SET or d.opcode == Opcode.LOCAL_TEE:
        variable(m, t, d)
    elif (
        d.opcode == Opcode.I32_CONST
        or d.opcode == Opcode.I64_CONST
        or d.opcode == Opcode.F32_CONST
        or d.opcode == Opcode.F64_CONST
        or d.opcode == Opcode.REF_NULL
    ):
        push(m, t, Place.VALUE, d.value)
    elif d.opcode == Opcode.REF_FUNC:
        push(m, t, Place.VALUE, wrapping_add(u64, d.value, 1))
    elif d.opcode == Opcode.BLOCK or d.opcode == Opcode.LOOP or d.opcode == Opcode.IF:
        block(m, t, d)
    elif d.opcode == Opcode.ELSE:
        other_branch(m, t)
    elif d.opcode == Opcode.END:
        end(m, t)
    elif d.opcode == Opcode.BR:
        branch(m, t, d.value)
        t.reachable = False
    elif d.opcode == Opcode.BR_IF:
        branch_if(m, t, d.value)
    elif d.opcode == Opcode.BR_TABLE:
        branch_table(m, t, d)
    elif d.opcode == Opcode.RETURN:
        return_(m, t)
        t.reachable = False
    elif d.opcode == Opcode.UNREACHABLE:
        operation(m, t, Handler.TRAP_UNREACHABLE, 0, 0, 0)
        t.reachable = False
    elif d.opcode == Opcode.CALL:
        call(m, t, d)
    elif d.opcode == Opcode.CALL_INDIRECT:
        call_indirect(m, t, d)
    elif d.opcode == Opcode.DROP:
        popped = pop(m, t, 1)
        if popped:
            t.last = NONE
    elif d.opcode == Opcode.SELECT or d.opcode == Opcode.SELECT_TYPED:
        select(m, t)
    elif d.opcode != Opcode.NOP:
        other(m, t, d)
