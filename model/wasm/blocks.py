"""What happens to operands and branches where blocks begin and end?

Basic blocks begin and end there. All operands are spilled to the slots of their heights, so that all paths into a place
agree.
"""

from corollary.language.builtins import maximum, saturating_sub, wrapping_add
from corollary.language.contracts import ensures, preserves, requires
from corollary.language.types import u32
from corollary.language.values import clear, length, local
from corollary.model.wasm.branching import jump, lead_to_end, return_, take_condition
from corollary.model.wasm.emission import far_operation, join, resolve
from corollary.model.wasm.operands import restore
from corollary.model.wasm.reader import refuse
from corollary.model.wasm.room import counted, in_block, in_room
from corollary.model.wasm.spilling import spill_from, spill_locals
from corollary.spec.wasm.internal import UNLESS_OF, Handler
from corollary.spec.wasm.module import DEPTH, NONE, BlockType, Decoded, Module, Target, Translation
from corollary.spec.wasm.opcodes import Opcode
from corollary.spec.wasm.refusals import Refusal


@ensures(lambda t, old_t: t.depth >= old_t.depth)
@preserves(in_room)
def open_target(m: Module, t: Translation, opcode: Opcode, parameters: u32, results: u32) -> None:
    """Open a block. Its parameters are operands of its own."""
    if t.depth >= length(t.targets) or t.depth >= DEPTH:
        refuse(m, Refusal.TOO_LARGE, m.at)
        return
    target = t.targets[t.depth]
    clear(target)
    target.opcode = opcode
    target.height = saturating_sub(t.height, parameters)
    target.parameters = parameters
    target.results = results
    target.start = t.at
    t.border = t.at
    t.depth += 1


@requires(counted)
@requires(in_block)
@ensures(in_room)
def block(m: Module, t: Translation, d: Decoded) -> None:
    """Translate `block`, `loop` and `if`."""
    types = local(Target)
    count_types(m, d, types)
    if d.opcode == Opcode.IF:
        take_condition(m, t)
    spill_locals(m, t, NONE)
    if d.opcode != Opcode.BLOCK:
        spill_from(m, t, saturating_sub(t.height, types.parameters))
    otherwise: u32 = 0
    if d.opcode == Opcode.IF:
        otherwise = jump(m, t, UNLESS_OF[t.condition], 0)
    t.last = NONE
    open_target(m, t, d.opcode, types.parameters, types.results)
    t.targets[t.depth - 1].otherwise = otherwise
    t.targets[t.depth - 1].before = t.straight


@requires(counted)
def count_types(m: Module, d: Decoded, types: Target) -> None:
    """Count the operands that a block takes and leaves."""
    types.results = 1 if d.block == BlockType.RESULT else 0
    if d.block == BlockType.INDEX:
        if d.value >= m.counts.types:
            refuse(m, Refusal.UNKNOWN_TYPE, d.at)
            return
        types.parameters = m.types[d.value].parameters.count
        types.results = m.types[d.value].results.count


@requires(in_block)
@ensures(in_room)
def other_branch(m: Module, t: Translation) -> None:
    """Translate `else`: the first branch of the `if` jumps to the end, and the operands are as they were before it."""
    target = t.targets[t.depth - 1]
    if t.reachable:
        spill_from(m, t, target.height)
        at = t.at
        far_operation(m, t, Handler.BR, 0, target.pending)
        lead_to_end(t, target, wrapping_add(u32, at, 1))
    resolve(m, t, target.otherwise, t.at)
    target.otherwise = 0
    t.straight = target.before
    target.opcode = Opcode.ELSE
    restore(m, t, target.height, target.parameters)
    t.reachable = True


@requires(in_block)
@ensures(in_room)
def end(m: Module, t: Translation) -> None:
    """End a block: all branches to its end meet here."""
    position = t.depth - 1
    target = t.targets[position]
    if position == 0:
        finish(m, t, target)
        return
    joined = target.pending != 0 or target.otherwise != 0
    if t.reachable and joined:
        spill_from(m, t, target.height)
    resolve(m, t, target.pending, t.at)
    resolve(m, t, target.otherwise, t.at)
    join(t, maximum(target.straight, target.before if target.otherwise != 0 else 0))
    if joined or not t.reachable:
        restore(m, t, target.height, target.results)
    t.depth = position
    t.reachable = t.reachable or joined


@requires(in_block)
@ensures(in_room)
def finish(m: Module, t: Translation, target: Target) -> None:
    """End a body: all branches to its end return."""
    if t.reachable:
        return_(m, t)
    t.depth = 0
