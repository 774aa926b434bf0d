"""Do all messages arrive, once and in order, whatever the link does? And does a dead link end with a status?"""

import random

import pytest

from corollary.link import LinkOver
from corollary.spec.link.session import GIVE_UP, MOST_FRAME, MOST_MESSAGE, Answer
from tests.link.hostile import MILLISECOND, STEP, Chances, carried, ends

SECOND = 1000 * MILLISECOND


def written(chosen, count):
    """Return messages of all sizes; each begins with its number."""
    sizes = (0, 1, 40, MOST_MESSAGE - 4)
    return [number.to_bytes(4, "big") + chosen.randbytes(chosen.choice(sizes)) for number in range(count)]


def arrive_all(count, seed, chances, others=()):
    """Check that all messages arrive, and return wires and answers."""
    chosen = random.Random(seed)
    messages = written(chosen, count), written(chosen, count // 10)
    came, wires, answers, _ = carried(messages, chosen, chances, others=others)
    assert came == messages
    for wire in wires:
        nonces = [frame[8:16] for frame in wire.passed]
        assert len(set(nonces)) == len(nonces) and max(map(len, wire.passed)) <= MOST_FRAME
    return wires, answers


def test_ten_thousand_messages_arrive_over_a_hostile_link():
    earlier, _ = arrive_all(100, 1, Chances())
    recorded = [frame for wire in earlier for frame in wire.passed]
    _, answers = arrive_all(10_000, 2, Chances(), recorded)
    seen = {answer for answer, count in answers.items() if count}
    wanted = {Answer.REPLAYED, Answer.TOO_OLD, Answer.FORGED, Answer.TRUNCATED, Answer.WRONG_SESSION, Answer.DOUBLED}
    assert wanted | {Answer.OK} == seen


@pytest.mark.parametrize("seed", range(8))
def test_messages_arrive_whatever_happens(seed):
    chosen = random.Random(seed)
    rates = [chosen.choice((0, 0.1, 0.5, 0.8)) for _ in range(5)]
    arrive_all(300, seed, Chances(*rates))


def test_a_cut_heals():
    cuts = ((SECOND, 20 * SECOND), (21 * SECOND, 45 * SECOND))
    arrive_all(3000, 5, Chances(cuts=cuts))


def test_a_dead_link_ends_with_a_status():
    chosen = random.Random(6)
    pair = ends(chosen)
    with pytest.raises(LinkOver, match="the session is over") as over:
        carried(([b"x"] * 10_000, []), chosen, Chances(cuts=((SECOND, 1 << 62),)), pair, most=100 * SECOND)
    assert over.value.answer is Answer.DEAD
    assert [pair[0].ask(name, 0) for name in ("poll", "submit", "arrive")] == [Answer.DEAD] * 3


def test_a_link_without_anything_to_say_does_not_die():
    first, second = ends(random.Random(7))
    later = 1000 * GIVE_UP
    assert list(first.frames(later)) == []
    assert first.submit(b"late", later)
    (frame,) = first.frames(later)
    assert second.arrive(frame, later) is Answer.OK and list(second.messages()) == [b"late"]


def test_forged_frames_do_not_keep_a_link_alive():
    first, _ = ends(random.Random(8))
    first.submit(b"x", 0)
    (frame,) = first.frames(0)
    for now in range(0, GIVE_UP, 100 * STEP):
        assert first.arrive(frame, now) is Answer.FORGED  # its own frame, sent back
        list(first.frames(now))
    with pytest.raises(LinkOver):
        list(first.frames(GIVE_UP))


def test_a_whole_recorded_session_does_nothing_to_the_next():
    chosen = random.Random(9)
    messages = written(chosen, 200), []
    _, wires, _, _ = carried(messages, chosen, Chances(0, 0, 0, 0, 0))
    _, second = ends(chosen)
    before = bytes(second.state.link)
    answers = {second.arrive(frame, 0) for wire in wires for frame in wire.passed}
    assert answers == {Answer.WRONG_SESSION} and bytes(second.state.link) == before
    second.state.id = int.from_bytes(wires[0].passed[0][:8], "little")
    assert {second.arrive(frame, 0) for frame in wires[0].passed} == {Answer.FORGED}
    assert bytes(second.state.link) == before and list(second.messages()) == []
