"""What does a kernel that cannot go on leave, and what does the next one believe of it?"""

import hashlib
import hmac
import struct

import pytest

from corollary.language.layout import decode, encode
from corollary.model.kernel.kept import keep, measure_start, take
from corollary.record.audit import CHECKPOINT
from corollary.record.continued import COLD, measured_start
from corollary.record.witness_log import hash_of, key_bytes, measurements
from corollary.spec.kernel.kept import DAMAGED, KEPT_MAGIC, Kept, Standing
from corollary.spec.kernel.limits import RESTARTS
from corollary.spec.kernel.memory_map import START_PHASE, PhaseId
from corollary.spec.kernel.state import BootInformation, Kernel, RecordId, WitnessRecord
from corollary.spec.kernel.witness import record_id
from tests.model.world import World

NOW = 77_000_000_000
START = 32 * START_PHASE


@pytest.fixture
def state():
    """Return a kernel with a key and a log."""
    return World().s


def kept_of(s, restarts=0):
    kept = Kept()
    keep(s, NOW, restarts, kept)
    return kept


def told(s, kept, key=None):
    """Return how the next kernel starts, and what its boot is told."""
    information = BootInformation()
    for i in range(8):
        information.key[i] = (key or s.key)[i]
    standing = take(information, kept)
    measure_start(information, PhaseId(START_PHASE), 1, kept)
    return standing, information


def records(s):
    return [encode(s.log[record_id(number)], WitnessRecord) for number in range(s.drained, s.sequence)]


def test_what_is_kept_is_the_log_with_a_checkpoint_that_the_key_seals(state):
    kept = kept_of(state)
    data = encode(kept.checkpoint, Kept.fields["checkpoint"])
    sequence, time, chain, drained, epoch, head, tag = CHECKPOINT.unpack(data)
    assert (sequence, time, drained, epoch) == (state.sequence, NOW, state.drained, state.epoch)
    assert head == hash_of(records(state)) and chain == b"".join(word.to_bytes(4, "big") for word in state.head)
    key = BootInformation()
    for i in range(8):
        key.key[i] = state.key[i]
    assert tag == hmac.new(key_bytes(key), data[:-32], hashlib.sha256).digest()
    assert [encode(kept.log[RecordId(i)].word, Kept.fields["log"].element.fields["word"]) for i in range(sequence)] == (
        records(state)
    )


@pytest.mark.parametrize("restarts", range(RESTARTS))
def test_the_next_kernel_knows_how_often_it_started_again_and_after_which_log(state, restarts):
    standing, information = told(state, kept_of(state, restarts))
    assert (standing, information.restarts) == (Standing.WARM, restarts + 1)
    measured = measurements(information)[START : START + 32]
    assert measured == measured_start(True, restarts + 1, hash_of(records(state)))


@pytest.mark.parametrize("restarts", [RESTARTS, DAMAGED])
def test_after_the_last_restart_there_is_no_other(state, restarts):
    assert told(state, kept_of(state, restarts))[0] == Standing.EXHAUSTED


def test_where_nothing_is_the_start_is_cold(state):
    standing, information = told(state, Kept())
    assert (standing, information.restarts) == (Standing.COLD, 0)
    assert measurements(information)[START : START + 32] == measured_start(True, 0, COLD)


def test_what_was_looked_at_is_not_believed_again(state):
    kept = kept_of(state)
    assert told(state, kept)[0] == Standing.WARM and told(state, kept)[0] == Standing.COLD


SIZE = Kept.layout["log"].offset
PLACES = (*range(8, SIZE, 4), SIZE, SIZE + 63)  # all that is before the records, and the first of these


@pytest.mark.parametrize("place", PLACES)
def test_a_changed_byte_is_found(state, place):
    data = bytearray(encode(kept_of(state), Kept))
    data[place] ^= 1
    standing, information = told(state, decode(bytes(data), Kept))
    assert (standing, information.restarts) == (Standing.DAMAGED, DAMAGED)
    assert measurements(information)[START : START + 32] == measured_start(True, DAMAGED, COLD)


def test_another_key_believes_nothing(state):
    assert told(state, kept_of(state), key=[0] * 8)[0] == Standing.DAMAGED


def test_what_vouches_for_it_is_no_checkpoint():
    assert struct.pack("<Q", KEPT_MAGIC) == b"KEPT LOG" and KEPT_MAGIC > 1 << 54


def test_a_state_that_is_broken_is_kept_all_the_same():
    s = Kernel()
    s.sequence, s.drained = 5, (1 << 64) - 1
    assert told(s, kept_of(s))[0] == Standing.WARM
