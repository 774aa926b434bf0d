"""Which images and runs do the tests of the platform share? Each is made once."""

import pytest

from codegen import image, qemu


@pytest.fixture(scope="session")
def elf():
    return image.kernel_image()


@pytest.fixture(scope="session")
def run(elf):
    """One whole run of all guests, with a key that the tests know."""
    outcome = qemu.Run(bytes(range(32)))
    for line in qemu.start(elf, outcome.key):
        outcome.take(line)
    return outcome
