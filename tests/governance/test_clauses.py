"""Has every clause a test, or a reason why it has none?"""

from tests.governance import test_deltas, test_events, test_kills, test_rings, test_sagas, test_sessions
from tests.governance.clauses import CLAUSES, DEFECTS, EXAMPLES, TESTS, WITHOUT

MARKING = (
    test_deltas,
    test_events,
    test_kills,
    test_rings,
    test_sagas,
    test_sessions,
)  # importing them marks their tests


def test_every_clause_has_a_test_or_a_reason():
    assert {*CLAUSES, *EXAMPLES, *DEFECTS} == {*TESTS, *WITHOUT}
    assert TESTS.keys().isdisjoint(WITHOUT)


def test_every_test_of_a_clause_is_there():
    there = {name for module in MARKING for name in vars(module)}
    assert {name for names in TESTS.values() for name in names} <= there
