"""Which images and runs do the tests of the platform share? Each is made once."""

import pytest

from codegen import image
from codegen.machine import start
from codegen.verdict import Run


@pytest.fixture(scope="session")
def elf():
    return image.kernel_image()


@pytest.fixture(scope="session")
def run(elf):
    """One whole run of all guests, with a key that the tests know."""
    outcome = Run(bytes(range(32)))
    for line in start(elf, outcome.key):
        outcome.take(line)
    return outcome
