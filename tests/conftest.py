"""By which rules do all tests run?"""

from hypothesis import settings

# no test is about time: the machine may be busy with something else, and what is slow is no less right
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")
