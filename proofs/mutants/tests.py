"""What fails first, an obligation or a test? Asked in a process in which something was made wrong."""

import pytest


class _First:
    """A plugin of pytest that notes the first failure: of all tests, or of the named ones in the order given."""

    def __init__(self, only):
        self.name, self.only = "", only

    def pytest_collection_modifyitems(self, items):
        if self.only:
            places = {name: position for position, name in enumerate(self.only)}
            items[:] = sorted((item for item in items if item.nodeid in places), key=lambda item: places[item.nodeid])

    def pytest_collectreport(self, report):
        if report.failed and not self.name:
            self.name = report.nodeid

    pytest_runtest_logreport = pytest_collectreport


def first_failing(*arguments, only=()):
    """Return `test: ` and the id of the first test that fails, or nothing; if `only` names tests, only they count."""
    first = _First(only)
    # other processes do not have the mistake
    pytest.main(["-x", "-q", "--numprocesses=0", "-p", "no:cacheprovider", *arguments], plugins=[first])
    return f"test: {first.name}" if first.name else ""


def first_unproved(ids, decide):
    """Return `must-hold: ` and the first obligation that is not proved, or nothing.

    `decide(id)` returns a result, or raises.
    """
    for id_ in ids:
        try:
            result = decide(id_)
        except Exception as problem:  # the mistake may break the prover itself
            result = type(problem).__name__
        if result != "proved":
            return f"must-hold: {id_} is {result}"
    return ""
