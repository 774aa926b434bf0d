"""What else must be fast? The start of programs, and saving and restoring instances; also, what do safe points cost?"""

import hmac
import os
import secrets
import statistics
import subprocess
import sys
from dataclasses import asdict, dataclass

from rich.table import Table

from corollary import Instance, Module
from corollary.bench.clock import processor_seconds
from corollary.bench.programs import FOLDER
from corollary.codegen import build
from corollary.codegen.folders import ROOT

HELLO = FOLDER / "wasi" / "hello.c"
HELLO_FLAGS = (*build.STRICT, "-target", "wasm32-wasi", "-O2", "-s")
STARTS, TURNS = 5, 5  # how many measurements each figure is the median of
PAGES = 512  # of the memory of the saved instance
RANDOM = 1 << 20  # random bytes, repeated to fill that memory
LARGE = 1 << 20  # bytes of the large module, about
PART = "200020016a210220022001360210200241037428020820016c21020340200241016b22020d000b"
"""A part of the body of a function with two parameters and a local: a sum, a store, a load, a product, and a loop."""


@dataclass(frozen=True)
class Figure:
    """One figure: its name, value and unit, and its limit, if any: an upper one, or with `least` a lower one."""

    name: str
    value: float
    unit: str
    limit: float | None = None
    least: bool = False

    @property
    def holds(self):
        """Is the value within the limit?"""
        return self.limit is None or (self.value >= self.limit if self.least else self.value <= self.limit)


def figures(results):
    """Return all figures.

    The cost of safe points comes from the results of the programs, if both engines are among them.
    """
    return [*safe_points(results), *starts(), *kept()]


def safe_points(results):
    """Yield how many times as long programs take with safe points as without."""
    if {"corollary", "unchecked"} <= results[0].seconds.keys():
        ratio = statistics.geometric_mean(
            result.seconds["corollary"] / result.seconds["unchecked"] for result in results
        )
        yield Figure("programs with safe points and without", ratio, "times", 1.04)


# ---- starts


def starts():
    """Yield how long it takes until a module runs."""
    yield Figure("a program that says hello, from the command to its end", 1000 * start_of_hello(), "ms", 150)
    binary = large_module()
    yield Figure(
        f"a module of {len(binary) / 2**20:.2f} MiB, from its bytes to an instance",
        1000 * median(lambda: Instance(Module(binary))),
        "ms",
        20,
    )


def start_of_hello():
    """Return the seconds of a whole process, with Python modules compiled as for an installed program."""
    path = build.linked(
        build.BUILD / "bench" / f"hello-{build.fingerprint([HELLO], HELLO_FLAGS)}.wasm", [HELLO], HELLO_FLAGS
    )
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    environment |= {"PYTHONPYCACHEPREFIX": str(build.BUILD / "bench" / "compiled"), "PYTHONPATH": str(ROOT)}

    def start():
        subprocess.run(
            [sys.executable, "-m", "corollary.commands.start", "run", str(path)],
            env=environment,
            check=True,
            stdout=subprocess.DEVNULL,
        )

    start()
    return median(start, STARTS)


def large_module():
    """Return a module of many functions, each with loads, stores, and a loop."""
    body = bytes.fromhex("01017f") + 12 * bytes.fromhex(PART) + bytes.fromhex("20020b")
    count = LARGE // (len(body) + 2)
    functions = leb(count) + count * (leb(len(body)) + body)
    sections = (
        (1, b"\x01\x60\x02\x7f\x7f\x01\x7f"),
        (3, leb(count) + bytes(count)),
        (5, b"\x01\x00\x01"),
        (10, functions),
    )
    return b"\0asm\1\0\0\0" + b"".join(bytes([number]) + leb(len(content)) + content for number, content in sections)


def leb(number):
    """Return a number in LEB128."""
    return bytes([number & 0x7F | 0x80]) + leb(number >> 7) if number > 0x7F else bytes([number])


# ---- snapshots


def kept():
    """Yield how fast an instance is saved and restored, with the copying of its memory and the seal measured apart."""
    instance = Instance(memory_module())
    view, key = instance.memories[0].view(), secrets.token_bytes(32)
    view[:] = secrets.token_bytes(RANDOM) * (len(view) // RANDOM)
    data = instance.snapshot(key)
    copy, seal, save, load = taking_turns(
        lambda: bytes(view),
        lambda: hmac.digest(key, data, "sha256"),
        lambda: instance.snapshot(key),
        lambda: Instance.restore(instance.module, data, key),
    )
    yield Figure("copying a memory of 32 MiB", len(view) / copy / 1e9, "GB/s")
    yield Figure("sealing as much with HMAC-SHA-256", len(data) / seal / 1e9, "GB/s")
    yield Figure("a snapshot but for its seal, beside copying", copy / (save - seal), "times", 0.8, least=True)
    yield Figure("the way back but for the seal, beside copying", copy / (load - seal), "times", 0.8, least=True)


def memory_module():
    """Return a module with nothing but a memory."""
    return b"\0asm\1\0\0\0" + b"\x05" + leb(len(limits := b"\x01\x01" + 2 * leb(PAGES))) + limits


# ---- measuring


def median(action, turns=TURNS):
    """Return the median of the seconds that several runs of an action take."""
    return taking_turns(action, turns=turns)[0]


def taking_turns(*actions, turns=TURNS):
    """Return the median seconds of each action; the actions take turns in every round."""
    taken = [[] for _ in actions]
    for _ in range(turns):
        for action, seconds in zip(actions, taken):
            start = processor_seconds()
            held = action()
            seconds.append(processor_seconds() - start)
            del held
    return [statistics.median(seconds) for seconds in taken]


# ---- output


def as_data(found):
    """Return the figures as they are saved."""
    return [asdict(figure) | {"holds": figure.holds} for figure in found]


def table(found):
    """Return a table of the figures, each with its limit."""
    shown = Table(title="Beside the programs", title_justify="left")
    for heading in ("what", "value", "limit", ""):
        shown.add_column(heading, justify="right" if heading in ("value", "limit") else "left")
    for figure in found:
        limit = "" if figure.limit is None else f"{'at least' if figure.least else 'at most'} {figure.limit:g}"
        shown.add_row(
            figure.name,
            f"{figure.value:.3g} {figure.unit}",
            limit,
            "" if figure.limit is None else "holds" if figure.holds else "missed",
        )
    return shown
