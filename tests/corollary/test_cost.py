"""What does an input of n bytes cost? Time and memory must be proportional, even for the worst input a search finds.

Each input is a mixture of the parts of modules or logs. The same run measures a small and a larger input of the same
mixture. Other load on the machine disturbs both, so the least of several measurements counts. Set COROLLARY_SEARCH=100
for a longer search.
"""

import os
import tracemalloc

import pytest

from corollary.bench.growth import ENTRIES, Entry, search, seconds
from corollary.bench.inputs import passive_data

SEARCHED = int(os.environ.get("COROLLARY_SEARCH", "3"))
TIMES = 6  # the factor by which the larger input has more entries
SLOPE, SLACK = 1.5, 0.002  # factor beyond proportion, and seconds, by which a measurement may be wrong
EACH = [(entry, family) for entry in ENTRIES for family in entry.families]


def memory(perform):
    """Return the peak of Python memory that a function uses."""
    tracemalloc.start()
    perform()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak


def costs(entry, mixture):
    """Return the factor by which the time and memory of a mixture grow beyond proportion."""
    small, large = entry.input(mixture, entry.small), entry.input(mixture, entry.small * TIMES)
    grown = max(len(large) / len(small), TIMES)
    slow = seconds(entry.prepare(large)) / (grown * (seconds(entry.prepare(small)) + SLACK / TIMES) + SLACK)
    return slow, memory(entry.prepare(large)) / (grown * memory(entry.prepare(small)))


def least(entry, mixture):
    """Return the cost of a mixture beyond proportion; measure again where it is too much."""
    for _ in range(3):
        cost = max(costs(entry, mixture))
        if cost <= SLOPE:
            break
    return cost


@pytest.mark.parametrize("entry,family", EACH, ids=[f"{entry.name}-{family.__name__}" for entry, family in EACH])
def test_each_part_costs_in_proportion(entry, family):
    assert least(entry, [family]) <= SLOPE


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.name)
def test_no_mixture_costs_more(entry):
    worst, mixture = search(entry, lambda mixture: least(entry, mixture), SEARCHED)
    assert worst <= SLOPE, [family.__name__ for family in mixture]


def test_what_grows_faster_is_noticed():
    def squares(binary):
        """Do work that grows with the square of the size."""
        return lambda: sum(len(binary) for _ in range(len(binary) * len(binary) // 600))

    slow, _ = costs(Entry("squares", squares), [passive_data])
    assert slow > SLOPE
