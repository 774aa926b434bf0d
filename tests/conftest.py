"""By which rules do all tests run?"""

import signal

from hypothesis import settings

# no test is about time: the machine may be busy with something else, and what is slow is no less right
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")


def pytest_configure():
    """Tests that run in the background (`&`, `nohup`) are told to ignore signals, which what they start would do, too."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
