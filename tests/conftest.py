"""Which rules apply to all tests?"""

import signal

import pytest
from hypothesis import settings

# Hypothesis fails an example that takes more than 200 ms. That depends on the load of the machine, and slow code is
# still correct. Code that must end in time has tests that measure just that: tests/corollary/test_time.py, test_cost.py
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")


def pytest_configure():
    """Restore the interrupt and hangup signals.

    Tests in the background (`&`, `nohup`) start with these ignored, and so would the processes that they start.
    """
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


def pytest_collection_modifyitems(items):
    """Begin with boots, and with files that take long, so that no processor waits for what another began last.

    What only `make full` runs may take an hour.
    """
    for item in items:
        if item.get_closest_marker("full") and not item.get_closest_marker("timeout"):
            item.add_marker(pytest.mark.timeout(3600))
    long = {item.path for item in items if item.path.parent.name == "platform" or item.get_closest_marker("long")}
    items.sort(key=lambda item: item.path not in long)
