"""Which stores are tests run over?"""

import pytest

from tests.runtime.stores import opener


@pytest.fixture(params=["sqlite", "nats"])
def open_store(request, tmp_path):
    """Return a function that opens a store; each time the same one."""
    with opener(request.param, tmp_path / "data") as made:
        yield made
