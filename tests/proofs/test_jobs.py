"""Is each thing decided once, the slowest first, and does no worker wait while work is left?"""

import math
import random

import pytest

from corollary.codegen.progress import UNKNOWN
from corollary.proofs.jobs import TURN, Job, Jobs, kind

SHORT = TURN / 10


def jobs(steps, last=None):
    """Return jobs for some listed steps, with the seconds that each obligation took last time."""
    known = (
        {f"{step}/{name}": seconds for step, rows in steps.items() for name, seconds in rows.items()}
        if last is None
        else last
    )
    made = Jobs(known.get)
    for step, rows in steps.items():
        made.add(step, [f"{step}/{name}" for name in rows])
    return made


@pytest.mark.parametrize("seed", range(5))
def test_every_obligation_is_given_once_whoever_asks_when(seed):
    chance = random.Random(seed)
    steps = {
        f"step {n}": {f"P{chr(65 + i)}": chance.random() * TURN for i in range(chance.randrange(1, 30))}
        for n in range(9)
    }
    queue, given = jobs(dict(list(steps.items())[:6])), []
    workers: list[str | None] = [None] * 3
    for step in list(steps)[6:]:
        queue.add_step(step)
    while queue:
        who = chance.randrange(len(workers))
        job = queue.next(workers[who])
        workers[who] = job.step
        if job.ids is None:
            queue.add(job.step, [f"{job.step}/{name}" for name in steps[job.step]])
        given += job.ids or ()
    assert sorted(given) == sorted(f"{step}/{name}" for step, rows in steps.items() for name in rows)
    assert queue.next() is None


def test_a_worker_begins_with_the_longest_step_and_the_longest_obligation_and_goes_on_there():
    queue = jobs({"a": {"A": 1.0}, "b": {"A": SHORT, "B": 2 * TURN, "C": TURN}})
    assert [queue.next(None), queue.next("b"), queue.next("b"), queue.next("b"), queue.next("a")] == [
        Job("b", ("b/B",)),
        Job("b", ("b/C",)),
        Job("b", ("b/A",)),
        Job("a", ("a/A",)),
        None,
    ]


def test_another_worker_begins_a_step_of_its_own_and_helps_when_there_is_none():
    queue = jobs({"a": {"A": TURN, "B": TURN}, "b": {"A": TURN, "B": TURN, "C": TURN}})
    assert [queue.next().step, queue.next().step, queue.next().step] == ["b", "a", "b"]


def test_short_obligations_are_given_together_up_to_a_turn():
    queue = jobs({"a": {chr(65 + i): TURN / 4 for i in range(9)}})
    assert [len(queue.next("a").ids) for _ in range(3)] == [4, 4, 1]


def test_what_was_never_decided_is_expected_to_take_what_others_of_its_kind_took():
    queue = jobs({"a": {"NI-4": 0, "RING-1": 0}}, last={})
    assert queue.expected("a/NI-4-books") == queue.expected("b/RING-2") == UNKNOWN
    for seconds in (4.0, 6.0):
        queue.took("c/NI-4-books", seconds)
    queue.took("c/RING-9", 0.5)
    assert (queue.expected("a/NI-4-books"), queue.expected("b/RING-2")) == (5.0, 0.5)
    assert kind("a/NI-4-books") != kind("a/NI-4-mapping")


def test_a_step_that_nobody_knows_is_listed_first_and_one_that_was_short_later():
    queue = jobs({"a": {"A": 2.0}}, last={"a/A": 2.0, "b/A": 1.0})
    queue.add_step("b", ["b/A"])
    queue.add_step("c")
    assert [queue.next(), queue.next(), queue.next()] == [Job("c"), Job("a", ("a/A",)), Job("b")]


def test_what_is_taken_back_is_given_again():
    queue = jobs({"a": {"A": 1.0, "B": 1.0}})
    job = queue.next()
    assert not queue
    queue.add("a", job.ids)
    assert sorted(queue.next().ids) == ["a/A", "a/B"]


def test_what_is_left_is_known_once_every_step_is_listed():
    queue = jobs({"a": {"A": 2.0, "B": 1.0}}, last={"a/A": 2.0, "a/B": 1.0, "b/A": 4.0})
    assert queue.all_left() == 3.0
    queue.add_step("b", ["b/A"])
    assert queue.all_left() == 7.0
    queue.add_step("c")
    assert queue.all_left() == math.inf
