"""Does a bar say how long the rest takes: as the last time where that is known, else at the speed so far?"""

import io
import math

import pytest
from rich.console import Console

from corollary.codegen.progress import LEFT, UNKNOWN, Pace, Remaining, bar


@pytest.mark.parametrize(
    "seconds, said", [(0.4, "0 s left"), (90, "90 s left"), (150, "2 min left"), (math.inf, ""), (None, "")]
)
def test_what_a_task_knows_is_shown(seconds, said):
    with bar(Console(file=io.StringIO())) as shown:
        task = shown.add_task("work", total=2, **{LEFT: seconds})
        assert Remaining().render(shown.tasks[task]).plain == said


def test_what_no_task_knows_is_told_by_the_speed():
    now = [0.0]
    with bar(Console(file=io.StringIO()), get_time=lambda: now[0]) as shown:
        task = shown.add_task("work", total=10)
        for now[0] in (10.0, 20.0, 30.0):
            shown.advance(task)
        assert Remaining().render(shown.tasks[task]).plain == "70 s left"


def test_nothing_is_left_of_what_is_finished():
    with bar(Console(file=io.StringIO())) as shown:
        task = shown.add_task("work", total=1, completed=1, **{LEFT: 5})
        assert Remaining().render(shown.tasks[task]).plain == ""


def test_work_takes_as_long_as_the_last_time_or_as_its_kind():
    pace = Pace({"a1": 4.0}.get, lambda name: name[0])
    assert [pace.expected(name) for name in ("a1", "a2")] == [4.0, UNKNOWN]
    for seconds in (2.0, 4.0):
        pace.took("a3", seconds)
    assert [pace.expected(name) for name in ("a1", "a2", "b1")] == [4.0, 3.0, UNKNOWN]
    assert pace.left(["a1", "a2", "b1"], workers=2) == (4.0 + 3.0 + UNKNOWN) / 2
