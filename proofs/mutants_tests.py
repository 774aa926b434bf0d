"""What fails first, an obligation or a test? Asked inside a process in which something was made wrong."""

import pytest


class _First:
    name = ""

    def pytest_runtest_logreport(self, report):
        if report.failed and not self.name:
            self.name = report.nodeid


def first_failing(*arguments):
    """`test: ` and the id of the first test that fails, or nothing; the arguments are those of pytest."""
    first = _First()
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
