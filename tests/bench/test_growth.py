"""Does the plot of costs show how they grow, for each entry?"""

import io
from xml.etree import ElementTree

import pytest
from rich.console import Console

from corollary.bench import costs, growth
from corollary.bench.growth import COUNT, Curve
from corollary.bench.inputs import KEY, LOGS, Log, made
from corollary.record.audit import audit

SIZES = (1000, 2000, 4000, 8000)


@pytest.mark.parametrize("power", [0.5, 1, 2])
def test_the_exponent_is_the_power_of_the_size(power):
    curve = Curve("any", "steps", "", tuple((size, 3 * size**power) for size in SIZES))
    assert (
        curve.exponent == pytest.approx(power)
        and curve.relative[0] == (1, 1)
        and curve.per_byte == 3 * SIZES[-1] ** (power - 1)
    )


@pytest.mark.parametrize("family", LOGS, ids=lambda family: family.__name__)
def test_the_logs_that_are_audited_are_good_to_their_last_record(family):
    found = audit(io.BytesIO(made(Log, [family], 60)), KEY)
    assert found.good and found.records == 61 and found.unsealed == 0


def test_the_search_finds_the_worst_of_the_families_and_more_than_one():
    entry = growth.ENTRIES[0]
    wanted = {family.__name__: number for number, family in enumerate(entry.families)}
    price, mixture = growth.search(entry, lambda mixture: sum(wanted[family.__name__] for family in mixture), tries=20)
    assert len(mixture) > 1 and price == sum(wanted[family.__name__] for family in mixture) > max(wanted.values())


@pytest.mark.parametrize("name", costs.PASSES)
def test_each_pass_over_a_module_costs_in_proportion(name):
    curve = growth.of_pass(name, tries=4)
    assert len(curve.points) == len(growth.SIZES) and all(cost for _, cost in curve.points) and curve.exponent < 1.05


def test_a_picture_has_a_curve_for_each_entry(tmp_path, monkeypatch):
    monkeypatch.setattr(growth, "SIZES", (1, 2, 4))
    monkeypatch.setattr(growth, "COUNT", COUNT // 10)
    told = io.StringIO()
    assert growth.main(2, Console(file=told, width=200), tmp_path / "new" / "costs.json", searched=2) == 0
    names = [*costs.PASSES, *(entry.name for entry in growth.ENTRIES)]
    drawn = ElementTree.parse(tmp_path / "new" / "costs.svg").getroot()
    curves = drawn.findall("{*}polyline")
    assert [curve.find("{*}title").text.split(":")[0] for curve in curves] == names
    assert all(len(curve.get("points").split()) == 3 for curve in curves) and all(
        f" {name} " in told.getvalue() for name in names
    )
