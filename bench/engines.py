"""Which engines can run a program? Each registers a function that says which version is installed.

The function also says how the engine loads a program, or why the engine is not available.
"""

import ctypes
import importlib.metadata
import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from corollary import Instance
from corollary.bench.programs import ENTRY
from corollary.codegen.build import PINNED
from corollary.library import library

SWITCH = "BENCH_ENGINE"  # a binary, or a command with {wasm} and {scale}
INVOKED = ("--invoke", ENTRY, "{wasm}", "{scale}")
STACK = 1 << 16  # bytes of wasm3's own stack
WORD = 0xFFFFFFFF
UNCHECKED = ("-DWITHOUT_SAFE_POINTS",)
ENGINES = {}


class EngineMissing(RuntimeError):
    """An engine is not available."""


class EngineFailed(RuntimeError):
    """An engine did not run a program to its end."""


@dataclass(frozen=True)
class Engine:
    """An engine that runs programs.

    `load(program)` returns a function from a scale to the checksum, an unsigned 32-bit number.
    """

    name: str
    version: str
    load: Callable


def engine(get):
    """Register an engine under a function's name.

    The function returns the engine's version and its `load`, or raises EngineMissing.
    """
    ENGINES[get.__name__] = get
    return get


def at_hand(names):
    """Return the engines with these names that are available, and `(name, reason)` for each of the others."""
    found, left_out = [], []
    for name in names:
        try:
            found.append(Engine(name, *ENGINES[name]()))
        except EngineMissing as reason:
            left_out.append((name, str(reason)))
    return found, left_out


def installed(package):
    """Return the version of a package; raises EngineMissing when it is not installed."""
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        raise EngineMissing(
            f"{package} is not installed: run `pip install --editable .[bench]`; "
            "what comes as source needs a C compiler and Python.h"
        ) from None


# ---- the engines


@engine
def native():
    """The same C, compiled for this machine by the same compiler at the same level."""
    return f"zig cc {PINNED}", load_native


def load_native(program):
    """Return the entry of the shared library."""
    run = getattr(ctypes.CDLL(str(program.library)), ENTRY)
    run.argtypes, run.restype = [ctypes.c_uint32], ctypes.c_uint32
    return run


@engine
def wasmtime():
    """A compiler: Cranelift at its usual level."""
    return installed("wasmtime"), load_wasmtime


def load_wasmtime(program):
    """Return the entry of an instance in a store of its own."""
    from wasmtime import Instance, Module, Store

    store = Store()
    entry: Any = Instance(store, Module.from_file(store.engine, str(program.wasm)), []).exports(store)[ENTRY]
    return lambda scale: entry(store, scale) & WORD


@engine
def wasm3():
    """An interpreter: threaded code, as its package builds it, at -O3."""
    return installed("pywasm3"), load_wasm3


def load_wasm3(program):
    """Return the entry of a module in a runtime of its own."""
    from wasm3 import Environment  # pyright: ignore[reportMissingImports] - `make bench` alone installs it

    environment = Environment()
    runtime = environment.new_runtime(STACK)
    runtime.load(environment.parse_module(program.wasm.read_bytes()))
    entry = runtime.find_function(ENTRY)
    return lambda scale: entry(scale) & WORD


@engine
def process():
    """Any binary that the environment variable names, started anew for each run."""
    named = os.environ.get(SWITCH)
    if not named:
        raise EngineMissing(f"{SWITCH} names no binary")
    command = shlex.split(named) if "{wasm}" in named else [named, *INVOKED]
    if shutil.which(command[0]) is None:
        raise EngineMissing(f"{command[0]}, which {SWITCH} names, cannot be run")
    return named, partial(load_process, command)


def load_process(command, program):
    """Return a function that starts a process for each run; the last number that it prints is the checksum."""

    def run(scale):
        asked = [part.format(wasm=program.wasm, scale=scale) for part in command]
        done = subprocess.run(asked, capture_output=True, text=True)
        numbers = re.findall(r"-?\d+", done.stdout)
        if done.returncode != 0 or not numbers:
            raise EngineFailed(
                f"`{shlex.join(asked)}` ended with {done.returncode} and printed {done.stdout + done.stderr!r}"
            )
        return int(numbers[-1]) & WORD

    return run


@engine
def corollary():
    """Ours: the generated interpreter, as the host library."""
    return "the generated VM", load_corollary


def load_corollary(program):
    """Return the exported function of an instance."""
    return entry_of(Instance(program.wasm.read_bytes()))


def entry_of(instance):
    """Return the exported function of an instance as a function from a scale to a checksum."""
    _, index = instance.module.exports[ENTRY]
    return lambda scale: instance.call_bits(index, [scale])[0]


@engine
def unchecked():
    """Ours without safe points, to measure their cost: nothing can suspend it."""
    return "the generated VM without safe points", load_unchecked


def load_unchecked(program):
    """Return the exported function of an instance that runs with another build of the library."""
    instance = Instance(program.wasm.read_bytes())
    instance.run.turn = library(UNCHECKED).turn
    return entry_of(instance)
