"""Is a sum over all rows proved constant where it is, and nowhere else?"""

import re
from dataclasses import replace

import pytest

from corollary.language.builtins import wrapping_add
from corollary.language.property import Property
from corollary.language.types import u16, u32, u64
from corollary.model.kernel.component import KERNEL
from corollary.model.kernel.promises import CONSERVED
from corollary.proofs.prove import Step
from corollary.proofs.transition import step_named
from corollary.spec.kernel.state import CapabilityId, Kernel, PartitionId


def records(s: Kernel, p: PartitionId) -> u16:
    return s.partition[p].records


def rights(s: Kernel, c: CapabilityId) -> u32:
    return u32(s.capability[c].rights)


def asked(name, property_):
    return Step(step_named(name, KERNEL)).conserves(property_)


@pytest.mark.parametrize("promise", CONSERVED.values(), ids=lambda promise: promise.id)
@pytest.mark.parametrize("name", ["boot", "partition_create", "partition_endow", "partition_reclaim"])
def test_what_is_handed_down_or_back_stays_the_same_in_all(name, promise):
    assert asked(name, promise).result == "proved"


@pytest.mark.parametrize("promise", CONSERVED.values(), ids=lambda promise: promise.id)
def test_boot_hands_out_no_other_sum(promise):
    assert asked("boot", replace(promise, total=promise.total - 1)).result == "refuted"


def test_what_grows_in_one_row_is_not_conserved():
    told = asked("yield_now", Property("SUM", "records add up", records, total=1 << 16))
    assert told.result == "refuted" and told.counterexample.holds is False


def tokens(s: Kernel, p: PartitionId) -> u64:
    return s.partition[p].bucket.credit


def next_ones(s: Kernel, p: PartitionId) -> u16:
    return s.partition[wrapping_add(PartitionId, p, PartitionId(1))].records


def with_the_clock(s: Kernel, p: PartitionId) -> u16:
    return s.partition[p].records if s.idle else u16(0)


@pytest.mark.parametrize(
    ("step", "function", "why"),
    [
        ("partition_destroy", rights, r"partition_destroy writes capability.* in rows that cannot be listed"),
        ("yield_now", tokens, "counts in 64 bits; 32 can be added up"),
        ("yield_now", next_ones, r"reads partition.\[\].records of more than the row that it counts"),
        ("yield_now", with_the_clock, "reads idle of more than the row that it counts"),
    ],
    ids=["rows at once", "wide numbers", "another row", "no row"],
)
def test_of_a_sum_of_which_nothing_can_be_told_nothing_is_told(step, function, why):
    told = asked(step, Property("SUM", "a sum", function, total=1 << 30))
    assert told.result == "unknown" and re.search(why, told.reason), told.reason
