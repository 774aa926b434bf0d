"""How do resumed snapshots end in a process of their own?

`python -m tests.wasm.restored MODULE SNAPSHOT...` prints how each ends, and the hash of the state after it.
"""

import hashlib
import sys
from pathlib import Path

from corollary import HostCall, Instance, Module, Suspended
from tests.wasm.suspended import KEY, ask


def to_the_end(instance, outcome):
    """Return the outcome of a call that is not over."""
    while isinstance(outcome, (Suspended, HostCall)):
        outcome = instance.resume(*([ask(*outcome.arguments)] if isinstance(outcome, HostCall) else []))
    return outcome


def said(outcome, state):
    """Return the printed line for an end: the outcome, and the hash of a snapshot after it."""
    return f"{outcome} {hashlib.sha256(state).hexdigest()}"


def main(module, *snapshots):
    """Resume each snapshot until it returns."""
    module = Module(Path(module).read_bytes())
    for path in snapshots:
        instance = Instance.restore(module, Path(path).read_bytes(), KEY, host_calls=True)
        print(said(to_the_end(instance, instance.waiting), instance.snapshot(KEY)))


if __name__ == "__main__":
    main(*sys.argv[1:])
