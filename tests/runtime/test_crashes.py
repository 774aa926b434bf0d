"""Is an event ever lost or handled twice, whatever process is killed, and when?"""

import pytest

from tests.runtime.crashes import crash
from tests.runtime.stores import nats_server, run

KILLS = [25, pytest.param(500, marks=[pytest.mark.full, pytest.mark.timeout(3600)])]


def judge(found):
    """Each event was handled once, in order, and its message arrived once."""
    for name, statuses in found.answers.items():
        assert statuses == list(range(1, len(statuses) + 1)), name
    assert found.events > found.kills
    assert found.arrived == found.events
    print(f"{found.kills} kills, {found.events} events: 0 lost, 0 doubled")


@pytest.mark.long
@pytest.mark.parametrize("kills", KILLS)
def test_one_process_over_sqlite(tmp_path, kills):
    judge(run(crash(tmp_path, [], 1, kills, kills), None))


@pytest.mark.long
@pytest.mark.parametrize("kills", KILLS)
def test_three_processes_over_nats(tmp_path, kills):
    with nats_server(tmp_path / "nats") as url:
        judge(run(crash(tmp_path / "data", ["--nats", url], 3, kills, kills), None))
