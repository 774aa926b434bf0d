"""Is a sum over all rows proved to stay what it is where it does, and nowhere else?"""

from dataclasses import replace

import pytest

from model.promises import CONSERVED
from proofs.prove import Step
from proofs.transition import step_named
from spec.language.types import u16, u32
from spec.property import Property
from spec.state import CapabilityId, Kernel, PartitionId


def records(s: Kernel, p: PartitionId) -> u16:
    return s.partition[p].records


def rights(s: Kernel, c: CapabilityId) -> u32:
    return u32(s.capability[c].rights)


def asked(name, property_):
    return Step(step_named(name)).conserves(property_)


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


def test_where_a_step_writes_all_rows_at_once_nothing_is_said_of_their_sum():
    with pytest.raises(NotImplementedError, match="partition_destroy writes capability.*in rows that cannot be listed"):
        asked("partition_destroy", Property("SUM", "rights add up", rights, total=1 << 30))
