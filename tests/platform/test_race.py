"""Under QEMU, do shares of the processor hold, and does nobody wait too long, whatever others do meanwhile?"""

from itertools import pairwise

import pytest

from corollary.emulation.race import ALWAYS, BUSY, NAMES, Race, race


@pytest.fixture(scope="module")
def run():
    return race()


def test_no_two_partitions_run_at_once(run):
    assert len(run.turns) > 1000 and {name for name, _, _ in run.turns} == set(NAMES)
    assert all(former[2] <= later[1] for former, later in pairwise(run.turns))


def test_who_is_busy_runs_as_long_as_its_share_says(run, capsys):
    errors = [abs(run.error(name)) for name in BUSY]
    with capsys.disabled():
        print(f"\nshares {[run.shares[name] for name in BUSY]}: at most {max(errors):.2%} beside them")
    assert max(errors) <= 0.02


def test_nobody_waits_longer_than_the_bound(run, capsys):
    worst = {name: run.longest_wait(name) for name in ALWAYS}
    with capsys.disabled():
        print(f"\nlongest waits {worst} turns, the bound is {run.bound}")
    assert run.bound // 2 <= max(worst.values()) <= run.bound


def test_what_is_measured_tells_an_unfair_scheduler():
    unfair = Race(
        [("steady", 0, 3), ("maker", 3, 6), ("child", 6, 7), ("maker", 7, 8), ("steady", 8, 9)], dict.fromkeys(BUSY, 1)
    )
    assert (unfair.longest_wait("steady"), unfair.longest_wait("maker")) == (3, 1)
    assert unfair.error("steady") == unfair.error("maker") == pytest.approx(1 / 3) and unfair.error(
        "child"
    ) == pytest.approx(-2 / 3)
