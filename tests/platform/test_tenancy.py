"""Do 16 MiB arrive as they were, in 17 calls, and does who had them reach them no more? QEMU's memory tells."""

import struct
from functools import cache

from corollary.emulation.machine import REGION, remembering, start
from corollary.emulation.package import tenants
from corollary.emulation.verdict import Transcript
from corollary.language.layout import decode
from corollary.spec.kernel.block import SIZE
from corollary.spec.kernel.limits import ROOT, UNIT_SHIFT
from corollary.spec.kernel.state import Kernel
from corollary.spec.kernel.vocabulary import FailureClass, PartitionState, Status

FIRST, SECOND, ORDER = 1, 2, 3  # partitions of guests/tenancy.c, and the order of the block
BYTES = SIZE[ORDER] << UNIT_SHIFT
WORDS, WORD = BYTES // 8, (1 << 64) - 1


@cache
def moved():
    """Return what root told, the kernel's state at the end, and what the block holds then."""
    run = Transcript(bytes(32), names=("root", "first", "second"))
    with remembering() as (shared, kept):
        for line in start(tenants(), run.key, *shared):
            run.take(line)
        state = decode(kept(), Kernel)
        head = min(unit for unit in range(128) if state.block[unit].used)
        held = kept(REGION["units"].start + (head << UNIT_SHIFT), BYTES)
    return {line[0]: int(line[1], 16) for line in run.told[ROOT]}, state, head, held


def test_a_block_is_zero_at_first_and_arrives_as_it_was_in_seventeen_calls():
    told, *_ = moved()
    assert told["words not zero"] == 0 and told["words changed"] == 0
    assert told["calls"] == 2 * SIZE[ORDER] + 1
    assert told["handed on while mapped"] == Status.STILL_SHARED


def test_who_had_the_block_is_stopped_when_it_reads_on():
    told, state, *_ = moved()
    assert told["rounds without it"] == 0
    assert state.partition[FIRST].state == PartitionState.SUSPENDED
    assert state.partition[FIRST].failure != FailureClass.NONE
    assert state.partition[SECOND].failure == FailureClass.NONE


def test_the_memory_of_the_machine_holds_what_the_second_wrote():
    _, state, head, held = moved()
    block = state.block[head]
    assert (block.order, block.holder, block.linked) == (ORDER, SECOND, (1 << SIZE[ORDER]) - 1 << head)
    left = ((i * 0x9E3779B97F4A7C15 + 1) ^ WORD for i in range(WORDS))
    assert all(word == wanted & WORD for (word,), wanted in zip(struct.iter_unpack("<Q", held), left, strict=True))
