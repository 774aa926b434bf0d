"""Does a chain of checkpoints bring back exactly the state that was, and is any damage noticed?"""

import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corollary.instance import Instance
from corollary.module import Module
from corollary.runtime.state import (
    PAGE,
    RUN,
    TIMES,
    WHOLE_AFTER,
    Chain,
    Image,
    applied,
    changes,
    image_of,
    instance_of,
    restored,
)
from corollary.runtime.store import Event, Kept, Kind, Past, StoreDamaged
from tests.runtime.agents import COUNTER, compiled
from tests.runtime.stores import KEY

BYTES = st.binary(max_size=5 * PAGE) | st.builds(
    lambda size, at, data: (bytes(at % (size + 1)) + data).ljust(size, b"\0")[:size],
    st.integers(0, 3 * RUN),
    st.integers(0, 3 * RUN),
    st.binary(max_size=2 * PAGE),
)
IMAGES = st.builds(Image, BYTES, BYTES, st.binary(max_size=99))


@given(IMAGES, IMAGES)
def test_changes_make_the_second_state_of_the_first(before, after):
    before = replace(before, memory=before.memory[: len(after.memory)])  # a memory never gets smaller
    assert applied(before, changes(before, after)) == after


@given(IMAGES)
def test_no_change_takes_no_page(image):
    assert len(changes(image, image)) <= len(changes(Image(), Image(notes=image.notes)))


def test_a_page_that_changed_takes_one_page():
    memory = random.Random(1).randbytes(64 * PAGE)
    before, after = Image(memory), Image(memory[: 9 * PAGE + 7] + b"!" + memory[9 * PAGE + 8 :])
    assert PAGE < len(changes(before, after)) < PAGE + 100
    zero = Image(bytes(1 << 21))
    assert len(changes(Image(), zero)) < 50


def test_a_block_that_is_none_is_named():
    block = changes(Image(), Image(b"memory" * 1000, b"rest", b"notes"))
    for broken in (b"", block[:10], block[:-1], block + b"x", bytes([255] * 4) + block[4:], block[:8] + b"\xff" * 8):
        with pytest.raises(StoreDamaged, match="a checkpoint is no block of pages"):
            applied(Image(), broken)


def history(count, seed=0):
    """Return images and their checkpoints, with the turns."""
    rng, chain, memory = random.Random(seed), Chain("agent", KEY), bytearray(8 * PAGE)
    images, checkpoints, turns = [], [], []
    for turn in range(1, count + 1):
        at = rng.randrange(len(memory) - 8)
        memory[at : at + 8] = rng.randbytes(8)
        image = Image(bytes(memory), b"rest %d" % turn, b"notes")
        checkpoint = chain.next(turn, image)
        chain.took(checkpoint, image)
        images.append(image)
        checkpoints.append(checkpoint)
        turns.append(Past(turn, Event("agent", str(turn), Kind.MESSAGE), turn))
    return images, Kept(tuple(checkpoints), tuple(turns))


def test_the_last_checkpoint_brings_back_the_last_state():
    for count in (1, 2, 40, WHOLE_AFTER + 5):
        images, kept = history(count)
        found = restored("agent", KEY, kept)
        assert (found.image, found.turn, found.again, found.problem) == (images[-1], count, (), "")


def test_there_is_a_whole_one_again_when_the_others_take_more_room():
    _, kept = history(200)
    wholes = [checkpoint.turn for checkpoint in kept.checkpoints if checkpoint.whole]
    assert wholes[0] == 1 and len(wholes) > 2
    for first, second in zip(wholes, wholes[1:]):
        between = sum(len(checkpoint.block) for checkpoint in kept.checkpoints[first : second - 1])
        assert between > TIMES * max(len(kept.checkpoints[first - 1].block), PAGE)


def test_a_chain_that_goes_on_makes_the_checkpoints_that_it_would_have_made():
    images, kept = history(60)
    for count in range(1, 59):
        chain, before = Chain("agent", KEY), Kept(kept.checkpoints[:count], kept.turns[:count])
        chain.go_on(before, restored("agent", KEY, before))
        assert chain.next(count + 1, images[count]) == kept.checkpoints[count]


@pytest.mark.parametrize("damage", range(60))
def test_the_last_state_before_any_damage_is_taken(damage):
    images, kept = history(60)
    at = kept.checkpoints[damage]
    for broken in (
        replace(at, block=at.block[:-1] + bytes([at.block[-1] ^ 1])),
        replace(at, seal=bytes(32)),
        replace(at, turn=at.turn + 1),
        replace(at, whole=not at.whole),
        kept.checkpoints[damage - 1],
    ):
        checkpoints = (*kept.checkpoints[:damage], broken, *kept.checkpoints[damage + 1 :])
        found = restored("agent", KEY, Kept(checkpoints, kept.turns))
        later = [checkpoint.turn for checkpoint in kept.checkpoints[damage + 1 :] if checkpoint.whole]
        assert found.problem.startswith("the checkpoint of agent after turn")
        if later:
            assert (found.image, found.turn) == (images[-1], 60)
        else:
            assert found.image == (images[damage - 1] if damage else None)
            assert [turn.number for turn in found.again] == list(range(damage + 1, 61))


def test_checkpoints_of_another_agent_or_key_are_refused():
    _, kept = history(3)
    for agent, key in (("other", KEY), ("agent", b"x" * 32)):
        assert restored(agent, key, kept).image is None


def test_turns_that_are_missing_are_noticed():
    _, kept = history(5)
    broken = tuple(replace(checkpoint, seal=bytes(32)) for checkpoint in kept.checkpoints)
    for turns in (kept.turns[1:], kept.turns[:2] + kept.turns[3:]):
        with pytest.raises(StoreDamaged, match="are not all there"):
            restored("agent", KEY, Kept(broken, turns))


def test_an_instance_goes_on_from_its_image():
    module = Module(compiled(COUNTER))
    first = Instance(module)
    for count in range(1, 4):
        assert first.call("handle_message", 0, 0).value == count
    image = applied(Image(), changes(Image(), image_of(first, KEY, b"notes")))
    second = instance_of(image, module, KEY)
    assert second.call("handle_message", 0, 0).value == 4
    assert image.notes == b"notes" and len(image.memory) == 1 << 16
