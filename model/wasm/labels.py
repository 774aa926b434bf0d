"""What do blocks take and leave, and what do branches to their labels take? WebAssembly core 2.0, its appendix."""

from corollary.language.contracts import ensures, preserves, requires
from corollary.language.loops import decreases
from corollary.language.types import u32, u64
from corollary.language.values import clear, length
from corollary.model.wasm.operand_types import (
    copy_types,
    expect,
    expect_all,
    fits,
    mismatch,
    push_all,
    same_types,
    unreachable,
)
from corollary.model.wasm.reader import refuse, refused, unsigned_32
from corollary.model.wasm.room import counted, stacked, within_block
from corollary.spec.wasm.module import DEPTH, BlockType, Decoded, Label, Module, Validation
from corollary.spec.wasm.opcodes import Opcode
from corollary.spec.wasm.refusals import Refusal
from corollary.spec.wasm.values import ValueType


@requires(counted)
def block_types(m: Module, d: Decoded, block: Label) -> None:
    """Find the types that a block takes and leaves."""
    clear(block)
    if d.block == BlockType.RESULT:
        block.results.at = d.vector.at
        block.results.count = 1
    if d.block == BlockType.INDEX:
        if d.value >= m.counts.types:
            refuse(m, Refusal.UNKNOWN_TYPE, d.at)
            return
        copy_types(m.types[d.value].parameters, block.parameters)
        copy_types(m.types[d.value].results, block.results)


@requires(counted)
@preserves(within_block)
def open_block(m: Module, v: Validation, d: Decoded) -> None:
    """Open a block, which takes its parameters."""
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


@preserves(within_block)
def leave(m: Module, v: Validation, block: Label) -> None:
    """Check that, at the end of a block, its results are the only operands left."""
    expect_all(m, v, block.results)
    if v.height != block.height:
        mismatch(m)


@preserves(within_block)
def other_branch(m: Module, v: Validation, d: Decoded) -> None:
    """Begin the other branch of an `if` as the first one began."""
    block = v.labels[v.depth - 1]
    if block.opcode != Opcode.IF:
        refuse(m, Refusal.ELSE_STRAY, d.at)
        return
    leave(m, v, block)
    block.opcode = Opcode.ELSE
    block.unreachable = False
    push_all(m, v, block.parameters)


@requires(within_block)
@ensures(stacked)
def end(m: Module, v: Validation) -> None:
    """End the block. An `if` without `else` leaves what it takes."""
    position = v.depth - 1
    block = v.labels[position]
    leave(m, v, block)
    if block.opcode == Opcode.IF:
        same = same_types(m, block.parameters, block.results)
        if not same:
            mismatch(m)
    v.depth = position
    if position > 0:
        push_all(m, v, block.results)


@preserves(within_block)
def branch(m: Module, v: Validation, d: Decoded, label: u64, keep: bool) -> None:
    """Check a branch, which takes the operands that its label expects. If it is not always taken, they stay."""
    if label >= v.depth:
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


@preserves(within_block)
def branch_table(m: Module, v: Validation, d: Decoded) -> None:
    """Check a branch table: all labels expect the same number of operands, and the ones that are there."""
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
    unreachable(m, v)


@requires(within_block)
def one_of_table(m: Module, v: Validation, d: Decoded, label: u32) -> None:
    """Check one label of a branch table."""
    if label >= v.depth or d.value >= v.depth:
        refuse(m, Refusal.UNKNOWN_LABEL, d.at)
        return
    block = v.labels[v.depth - 1 - label]
    last = v.labels[v.depth - 1 - d.value]
    if expected(block) != expected(last):
        mismatch(m)
    fitting = False
    if block.opcode == Opcode.LOOP:
        fitting = fits(m, v, block.parameters)
    else:
        fitting = fits(m, v, block.results)
    if not fitting:
        mismatch(m)


def expected(block: Label) -> u32:
    """Return how many operands a branch to a label takes."""
    return block.parameters.count if block.opcode == Opcode.LOOP else block.results.count
