"""By which rules do all tests run?"""

import signal

from hypothesis import settings

# Hypothesis fails an example that takes more than 200 ms. That depends on what else the machine does, and what is slow
# is no less right. What must end in time has tests that measure just that: tests/corollary/test_time.py, test_cost.py
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")


def pytest_configure():
    """Tests in the background (`&`, `nohup`) are told to ignore signals; what they start would ignore them, too."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
