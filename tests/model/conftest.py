"""What do tests of the model leave away?"""

import pytest

import model.kernel.witness


@pytest.fixture
def unchained(monkeypatch):
    """The chain, which has no part in what the log has room for, and takes most of the time."""
    monkeypatch.setattr(model.kernel.witness, "chain", lambda head, entry: None)
