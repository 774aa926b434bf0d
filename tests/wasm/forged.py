"""Does a forged snapshot, sealed with the right key, ever lead out of its instance?

Such a snapshot has a state that no program reaches. With `--flip`, is a snapshot with a wrong bit ever accepted? Usage:

    python -m tests.wasm.forged [--count N] [--seed S] [--flip]
    python -m tests.wasm.sanitized tests.wasm.forged ...            the same in a build that checks every access

The room of an instance lies between guard pages, so an access outside ends the process. The program prints how the
states ended.
"""

import argparse
import hashlib
import hmac
import random
import struct
import sys
from collections import Counter
from functools import cache

from rich.progress import track

from corollary import HostCall, Instance, Reason, Returned, SnapshotRefused, Trapped
from corollary.codegen.folders import purpose
from corollary.model.wasm.emission import RETURN_POINT, SAFE_POINT
from corollary.snapshot import HEADER, SEAL
from tests.wasm.suspended import KEY, MODULES, ROUNDS, ask

COUNT = 4800
FUEL = 200
BEYOND = 1000  # elements of a table's room to check
FIELDS = ("outcome", "at", "frame", "depth", "live", "callee", "globals", "tables", "pages")


class Parts:
    """A snapshot that can be changed and sealed again."""

    def __init__(self, data):
        *self.opening, outcome, at, frame, depth, live, callee, globals_, tables, pages = HEADER.unpack(
            data[: HEADER.size]
        )
        self.fields = dict(zip(FIELDS, (outcome, at, frame, depth, live, callee, globals_, tables, pages)))
        end = HEADER.size + 4 * depth
        self.control = list(struct.unpack(f"<{depth}I", data[HEADER.size : end]))
        self.stack = list(struct.unpack(f"<{live}Q", data[end : end + 8 * live]))
        self.rest = bytearray(data[end + 8 * live : -SEAL])

    def __getattr__(self, name):
        return self.fields[name]

    def put(self, **fields):
        """Replace fields of the header."""
        self.fields |= fields

    def cells(self, byte, start, end):
        """Replace bytes of globals and tables."""
        self.rest[start:end] = bytes([byte]) * (end - start)

    def sealed(self):
        """Return the snapshot in its present form, with a seal."""
        fields = self.fields | {"depth": len(self.control), "live": len(self.stack)}
        data = HEADER.pack(*self.opening, *(value % (1 << 32) for value in fields.values()))
        data += (
            struct.pack(f"<{len(self.control)}I", *self.control)
            + struct.pack(f"<{len(self.stack)}Q", *self.stack)
            + self.rest
        )
        return data + hmac.digest(KEY, data, hashlib.sha256)


def forge(parts, module, chosen):
    """Change a few things, often to plausible values.

    The check then has something to refuse, and the VM runs the snapshots that pass.
    """
    marks = module.translation["marks"][: module.translation.value.at]
    returns = [word for word, mark in enumerate(marks) if mark & RETURN_POINT]
    places = [word for word, mark in enumerate(marks) if mark & SAFE_POINT]
    for _ in range(chosen.randint(1, 4)):
        change = chosen.randrange(6)
        if change == 0:
            parts.put(at=chosen.choice(places))
        elif change == 1:
            parts.control[chosen.randrange(len(parts.control))] = chosen.choice(returns)
        elif change == 2:
            parts.stack[:] = [
                chosen.choice((0, 1, 1 << 31, (1 << 64) - 1, chosen.getrandbits(64), value)) for value in parts.stack
            ]
        elif change == 3:
            deeper(parts, module, chosen.choice(returns), chosen.choice(places))
        elif change == 4:
            name = chosen.choice(FIELDS[:-1])
            parts.put(**{name: parts.fields[name] + chosen.choice((-1, 1, chosen.getrandbits(32)))})
        elif parts.rest:
            parts.rest[chosen.randrange(min(len(parts.rest), 200))] = chosen.choice((0, 1, 255, chosen.getrandbits(8)))


def deeper(parts, module, word, place):
    """Add a call, with a frame where the frame of such a call lies."""
    distance = module.translation["code"][word - 1] >> 16 & 0xFFFF
    parts.control.append(word)
    parts.put(at=place, frame=parts.frame + distance)
    parts.stack.extend([1] * distance)


def ended(name, data):
    """Return the name of a forged state's end."""
    try:
        instance = Instance.restore(MODULES[name], data, KEY, host_calls=True)
        outcome = instance.waiting
        for _ in range(5):
            if outcome is None:
                outcome = instance.call("run", 3, fuel=FUEL)
            elif isinstance(outcome, HostCall):
                outcome = instance.resume(-1, fuel=FUEL)
            elif instance.waiting is not None:
                outcome = instance.resume(fuel=FUEL)
        check(instance)
        return type(outcome).__name__
    except (SnapshotRefused, Trapped) as problem:
        return type(problem).__name__


def check(instance):
    """Check that nothing was written between the end of memories and tables and the end of their room."""
    for memory in instance.memories:
        beyond = bytes(memoryview(memory.room["bytes"]).cast("B")[memory.room.value.size :])
        assert not beyond.strip(b"\0"), "something was written beyond the memory"
    for table in instance.tables:
        assert not any(table.room["elements"][table.size : table.size + BEYOND]), "something was written beyond a table"


@cache
def stops(name):
    """Return a snapshot of a program at each of its safe points and host calls."""
    instance, found = Instance(MODULES[name], host_calls=True), []
    outcome = instance.call("run", ROUNDS[name], fuel=1)
    while not isinstance(outcome, Returned):
        found.append(instance.snapshot(KEY))
        outcome = instance.resume(*([ask(*outcome.arguments)] if isinstance(outcome, HostCall) else []), fuel=1)
    return tuple(found)


def forged(name, data, chosen):
    """Return how a state ends that was forged with the right key."""
    parts = Parts(data)
    forge(parts, MODULES[name], chosen)
    return ended(name, parts.sealed())


def flipped(name, data, chosen):
    """Return how a snapshot with one flipped bit ends; it must be refused before anything reads the state."""
    bit = chosen.randrange(8 * len(data))
    changed = bytearray(data)
    changed[bit // 8] ^= 1 << bit % 8
    try:
        Instance.restore(MODULES[name], changed, KEY, host_calls=True)
    except SnapshotRefused as refused:
        assert refused.reason is not Reason.CONTENT, refused
        return type(refused).__name__
    raise AssertionError(f"{name}: a snapshot was taken whose bit {bit} is wrong")


def main(arguments):
    """Forge or flip, and count how the snapshots end."""
    parser = argparse.ArgumentParser(prog="python -m tests.wasm.forged", description=purpose(__doc__))
    parser.add_argument("--count", type=int, default=COUNT)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--flip", action="store_true", help="change one bit, instead of what the state says")
    asked = parser.parse_args(arguments)
    chosen, counts, names = random.Random(asked.seed), Counter(), sorted(MODULES)
    for number in track(range(asked.count), "snapshots", disable=not sys.stderr.isatty()):
        name = names[number % len(names)]
        counts[(flipped if asked.flip else forged)(name, chosen.choice(stops(name)), chosen)] += 1
    for outcome, count in sorted(counts.items()):
        print(f"{outcome}: {count}")


if __name__ == "__main__":
    main(sys.argv[1:])
