"""Which machine is this, and which one made a snapshot?

The identity of a machine covers what its bytecodes, its translator and its layouts mean, which `codegen/meaning.py`
says line by line. Two builds that mean the same have the same identity. Reading it needs nothing else of code
generation.
"""

import hashlib
from functools import cache

from corollary.codegen.folders import GENERATED, ROOT

LINES = GENERATED / "reference" / "machine.txt"
RELEASED = ROOT / "spec" / "wasm" / "released"
SHOWN = 16  # hexadecimal digits of an identity that people see


@cache
def machine_identity():
    """Return the identity of this machine: 32 bytes."""
    return identity_of(lines_of(LINES))


def identity_of(lines):
    """Return the identity of a machine that these lines describe: their SHA-256."""
    return hashlib.sha256("\n".join(lines).encode()).digest()


def lines_of(path):
    """Return the lines of a description, without comments."""
    return [line for line in path.read_text().splitlines() if line and not line.startswith("#")]


def released():
    """Return the lines of each released machine, by the name of its release."""
    return {path.stem: lines_of(path) for path in sorted(RELEASED.glob("*.txt"))}


def named(identity):
    """Return what people call the machine with an identity: the release, if it is one, and the first digits."""
    names = [name for name, lines in released().items() if identity_of(lines) == identity]
    return " ".join(["machine", identity.hex()[:SHOWN], *(f"(release {name})" for name in names)])
