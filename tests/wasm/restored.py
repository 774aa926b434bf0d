"""A process that goes on with a snapshot: `python -m tests.wasm.restored MODULE SNAPSHOT AFTER` prints the result, and leaves the state after it."""

import sys
from pathlib import Path

from host import HostCall, Instance, Suspended
from tests.wasm.suspended import KEY, ask


def to_the_end(instance, outcome):
    """The outcome of a call that is not over."""
    while isinstance(outcome, (Suspended, HostCall)):
        outcome = instance.resume(*([ask(*outcome.arguments)] if isinstance(outcome, HostCall) else []))
    return outcome


def main(module, snapshot, after):
    """Go on with a snapshot until it returns."""
    instance = Instance.restore(Path(module).read_bytes(), Path(snapshot).read_bytes(), KEY, host_calls=True)
    print(to_the_end(instance, instance.waiting))
    Path(after).write_bytes(instance.snapshot(KEY))


if __name__ == "__main__":
    main(*sys.argv[1:])
