"""Does the benchmark of governance time decisions that are made, and say so if one is not?"""

import pytest

from corollary.bench import governance


def test_every_decision_is_timed_and_made(monkeypatch):
    monkeypatch.setattr(governance, "TIMES", 20)
    monkeypatch.setattr(governance, "TURNS", 1)
    found = governance.measured()
    assert set(found) == set(governance.ours()) >= set(governance.DRIVERS)
    assert all(found[name]["c ns"] > 0 for name in governance.DRIVERS)


def test_a_decision_that_is_refused_is_not_timed(monkeypatch):
    monkeypatch.setattr(governance.Governor, "join", lambda *_: None)  # so nobody is there
    with pytest.raises(governance.WrongAnswer, match="time_checks is refused"):
        governance.native()["ring check"]()
