"""What do tests of the model leave out?"""

import pytest

import corollary.model.kernel.witness


@pytest.fixture
def unchained(monkeypatch):
    """Leave out the chain. It does not affect the room in the log, and takes most of the time."""
    monkeypatch.setattr(corollary.model.kernel.witness, "chain", lambda head, entry: None)
