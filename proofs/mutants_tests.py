"""Which test fails first? Run inside a process in which something was made wrong."""

import pytest


class _First:
    name = ""

    def pytest_runtest_logreport(self, report):
        if report.failed and not self.name:
            self.name = report.nodeid


def first_failing(*arguments):
    """`test: ` and the id of the first test that fails, or nothing; the arguments are those of pytest."""
    first = _First()
    pytest.main(["-x", "-q", "-p", "no:cacheprovider", *arguments], plugins=[first])
    return f"test: {first.name}" if first.name else ""
