"""Does the running hash go on as SHA-256 does, by OpenSSL and in Python alike, and is a wrong library not believed?"""

import hashlib
import random
import sys
import types

import pytest

from corollary.record import running
from corollary.record.running import BEGINNING, BLOCK, STATE, finished, in_python, openssl

EDGES = [bytes(32), b"\xff" * 32, BEGINNING]


def test_both_go_on_alike_from_any_state():
    source, other = random.Random(0), openssl()
    assert other is not None  # of the Python that this is tested with
    for state in [*EDGES, *(source.randbytes(32) for _ in range(300))]:
        for block in (bytes(BLOCK), b"\xff" * BLOCK, source.randbytes(BLOCK)):
            assert other(state, block) == in_python(state, block) != state


@pytest.mark.parametrize("go_on", [in_python, openssl()], ids=["python", "openssl"])
def test_a_message_has_the_hash_that_hashlib_gives_it(go_on, monkeypatch):
    monkeypatch.setattr(running, "absorbed", go_on)
    state, message = BEGINNING, random.Random(1).randbytes(20 * BLOCK)
    for blocks in range(21):
        assert finished(state, blocks) == hashlib.sha256(message[: blocks * BLOCK]).digest()
        state = go_on(state, message[blocks * BLOCK :][:BLOCK].ljust(BLOCK))


@pytest.mark.parametrize("block", [b"", bytes(BLOCK - 1), bytes(BLOCK + 1)], ids=len)
def test_openssl_gets_no_block_of_another_size(block):
    with pytest.raises(ValueError, match=f"a block has 64 bytes, not {len(block)}"):
        openssl()(BEGINNING, block)


def library(transform):
    """Return what stands for a loaded library."""
    return lambda path: types.SimpleNamespace(SHA256_Transform=transform)


def nothing(context, block):
    """Leave the state as it is."""


def anew(context, block):
    """Do what is right for the first block of a message, whatever the state."""
    context.state[:] = STATE.unpack(in_python(BEGINNING, block))


@pytest.mark.parametrize("transform", [nothing, anew], ids=lambda transform: transform.__name__)
def test_a_library_that_computes_something_else_is_not_believed(transform, monkeypatch):
    monkeypatch.setattr(running.ctypes, "PyDLL", library(transform))
    assert openssl() is None


@pytest.mark.parametrize("problem", [AttributeError, OSError], ids=["without the function", "not to be loaded"])
def test_python_does_it_where_no_library_does(problem, monkeypatch):
    def refuse(path):
        raise problem

    monkeypatch.setattr(running.ctypes, "PyDLL", refuse)
    assert openssl() is None


def test_a_python_without_openssl_does_it_itself(monkeypatch):
    monkeypatch.setitem(sys.modules, "_hashlib", None)
    assert openssl() is None
