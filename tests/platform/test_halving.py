"""Does a guest that is split, and merged again, keep what it had? Both halves look, and so does QEMU's memory."""

import struct
from functools import cache

import pytest

from corollary.emulation.machine import REGION, remembering, start
from corollary.emulation.package import halves
from corollary.emulation.verdict import Transcript
from corollary.language.layout import decode
from corollary.spec.kernel.block import SIZE
from corollary.spec.kernel.limits import ROOT, UNIT_SHIFT
from corollary.spec.kernel.state import Kernel
from corollary.spec.kernel.vocabulary import FailureClass, Heat, PartitionState, Status

FIRST, SECOND, ORDER = 1, 2, 3  # partitions of guests/halving.c, and the order of the block


@cache
def halved():
    """Return what root told, the kernel's state at the end, and what the block holds then."""
    run = Transcript(bytes(32), names=("root", "first", "second"))
    with remembering() as (shared, kept):
        for line in start(halves(), run.key, *shared):
            run.take(line)
        state = decode(kept(), Kernel)
        (head,) = (unit for unit in range(128) if state.block[unit].used)
        held = kept(REGION["units"].start + (head << UNIT_SHIFT), SIZE[ORDER] << UNIT_SHIFT)
    return {line[0]: int(line[1], 16) for line in run.told[ROOT]}, state, state.block[head], held


def test_each_half_finds_what_the_other_one_left():
    told, *_ = halved()
    assert (told["words that the split changed"], told["words that the merge changed"]) == (0, 0)


def test_what_both_inverted_is_as_the_first_left_it():
    *_, held = halved()
    left = ((i * 0x9E3779B97F4A7C15 + 1) % (1 << 64) for i in range(len(held) // 8))
    assert all(word == wanted for (word,), wanted in zip(struct.iter_unpack("<Q", held), left, strict=True))


@pytest.mark.parametrize(
    ("what", "status"),
    [
        ("resumed as a half", Status.WRONG_STATE),
        ("ended with pages", Status.STILL_HOLDING),
        ("ended empty", Status.OK),
        ("cooled while of use", Status.NOT_DUE),
        ("cooled by two tiers", Status.WRONG_STATE),
        ("linked while cold", Status.WRONG_STATE),
    ],
)
def test_what_is_not_allowed_is_refused(what, status):
    told, *_ = halved()
    assert told[what] == status


def test_a_block_becomes_cold_and_hot_again_step_by_step():
    told, _, block, _ = halved()
    assert told["steps between tiers that failed"] == 0 and block.heat == Heat.HOT


def test_one_partition_is_left_and_has_it_all():
    _, state, block, _ = halved()
    first, second = state.partition[FIRST], state.partition[SECOND]
    assert (block.order, block.holder, block.linked) == (ORDER, FIRST, (1 << SIZE[ORDER]) - 1)
    assert (first.state, first.failure, first.units_made) == (PartitionState.SUSPENDED, FailureClass.NONE, SIZE[ORDER])
    assert (second.state, second.pages, second.units_made) == (PartitionState.DESTROYED, 1, 0)
