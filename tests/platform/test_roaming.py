"""Does an agent that moves take 16 MiB along, in time, and would it be noticed if it did not?"""

import copy

import pytest

from corollary.emulation import agents, mending, moving
from corollary.emulation.ending import name_of
from corollary.language.layout import decode
from corollary.spec.kernel.block import SIZE
from corollary.spec.kernel.limits import UNIT_SHIFT, UNITS
from corollary.spec.kernel.state import Kernel
from tests.platform.booted import Booted
from tests.platform.test_moving import what_is_bad, without

CHOSEN = agents.ROAMING
MOVER = CHOSEN[0]


@pytest.fixture(scope="module")
def booted(tmp_path_factory):
    """Return the boot with the agent that moves."""
    return Booted(CHOSEN, moving, tmp_path_factory.mktemp("boot"))


def test_every_row_of_the_verdict_is_as_expected(booted):
    assert booted.wrong() == [] and MOVER.moves == agents.FAULTS


def test_where_it_ends_it_has_all_of_its_memory_and_nobody_has_any_other(booted):
    last, _ = moving.where(booted.run)[-1]
    kernel = decode(booted.state, Kernel)
    (block,) = [kernel.block[unit] for unit in range(UNITS) if kernel.block[unit].used]
    assert block.holder == last and SIZE[block.order] << UNIT_SHIFT == MOVER.memory
    assert block.linked.bit_count() == SIZE[block.order]


def test_a_block_that_stays_behind_is_noticed(booted):
    log = without(booted.log, 0, moving.MANAGER, "block_transfer")
    assert what_is_bad(booted, log=log) == {"blocks that change hands, by the log"}


def test_a_word_that_is_lost_is_noticed(booted):
    run = copy.deepcopy(booted.run)
    lines = [line for p in mending.partitions(run, 0) for line in run.told.get(p, []) if line[0] == "said"]
    next(line for line in lines if line[1].startswith("words that are wrong"))[1] = "words that are wrong: 1"
    assert what_is_bad(booted, run=run) == {"its last words"}


def test_an_agent_that_stands_still_for_long_is_noticed(booted):
    log, calls = copy.copy(booted.log), list(booted.log.calls[moving.MANAGER])
    n = next(n for n, each in enumerate(calls) if name_of(each) == "partition_destroy")
    calls[n] = copy.deepcopy(calls[n])
    calls[n].time += moving.LIMIT[True]
    log.calls = log.calls | {moving.MANAGER: calls}
    assert what_is_bad(booted, log=log) == {"time of a move"}
