"""Which clauses of the specifications does which test ask about?"""

from collections import defaultdict

TESTS = defaultdict(list)
"""The tests of each clause."""
ELSEWHERE = {
    "S1.0": "the whole of the tests",
    "S2": "terms only",
    "S20.6": "corollary/runtime/http.py answers no other origin: tests/runtime",
}
"""Clauses without a test here, and why."""


def clause(*ids):
    """Mark a test as one of these clauses."""

    def mark(test):
        for each in ids:
            TESTS[each].append(test.__name__)
        return test

    return mark
