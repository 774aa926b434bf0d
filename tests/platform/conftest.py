"""Which images and runs do the tests of the platform share? Each is made once."""

import pytest

from corollary.emulation import package
from corollary.emulation.machine import start
from corollary.emulation.verdict import Transcript


@pytest.fixture(scope="session")
def system():
    return package.demonstration()


@pytest.fixture(scope="session")
def elf(system):
    return system.kernel


@pytest.fixture(scope="session")
def run(system):
    """Return one whole run of all guests, with a key that the tests know."""
    outcome = Transcript(bytes(range(32)))
    for line in start(system, outcome.key):
        outcome.take(line)
    return outcome
