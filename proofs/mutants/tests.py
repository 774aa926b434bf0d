"""What fails first, an obligation or a test? Asked inside a process in which something was made wrong."""

import pytest


class _First:
    """Notes what fails first, of all tests or of those that are named, which run in the order of their names."""

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
    """`test: ` and the id of the first test that fails, or nothing; `only` these tests count, if it names any."""
    first = _First(only)
    # other processes know nothing of what was made wrong here
    pytest.main(["-x", "-q", "--numprocesses=0", "-p", "no:cacheprovider", *arguments], plugins=[first])
    return f"test: {first.name}" if first.name else ""


def first_unproved(ids, decide):
    """`must-hold: ` and the first obligation that is not proved, or nothing; `decide(id)` tells a result, or breaks."""
    for id_ in ids:
        try:
            result = decide(id_)
        except Exception as problem:  # what was made wrong may break the prover itself
            result = type(problem).__name__
        if result != "proved":
            return f"must-hold: {id_} is {result}"
    return ""
