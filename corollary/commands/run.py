"""How does a WebAssembly program run from the command line? As a WASI program, or as a call of one function.

Both may be suspended and resumed, unless the program is a component.
"""

import sys

from corollary import (
    Busy,
    Exited,
    HostCall,
    Instance,
    LimitExceeded,
    Limits,
    Module,
    Refused,
    Returned,
    SnapshotRefused,
    Stopped,
    Trapped,
    Unlinkable,
    Wasi,
)
from corollary.commands.exits import FAILED, PASSED
from corollary.components.reader import is_component
from corollary.limits import MOST
from corollary.snapshot import MAGIC
from corollary.spec.wasm.module import External
from corollary.spec.wasm.values import ValueType
from corollary.values import all_bits

START = "_start"
PROBLEMS = (Refused, LimitExceeded, Unlinkable, SnapshotRefused, Trapped, Stopped, Busy)
NUMBERS = {
    ValueType.I32: lambda text: int(text, 0),
    ValueType.I64: lambda text: int(text, 0),
    ValueType.F32: float,
    ValueType.F64: float,
}


class WrongUse(Exception):
    """The command line does not fit the program; the message says why."""


def module_in(path):
    """Return the bytes of a module; of a file that is too large, one byte more than the limit."""
    with path.open("rb") as file:
        return file.read(Limits.size + 1)


def snapshot_in(path):
    """Return the bytes of a snapshot; of any other file, only the first bytes."""
    with path.open("rb") as file:
        start = file.read(len(MAGIC))
        return start + file.read() if start == MAGIC else start


def run(binary, arguments, invoke="", fuel=None, seconds=None, folders=(), resume=None, key=b"", save=None):
    """Run a program from its start or from a snapshot, and return the exit code.

    If it is suspended, `save` gets its snapshot. Raises `WrongUse`.
    """
    if fuel is not None and fuel > MOST["fuel"]:
        raise WrongUse(f"--fuel takes a number up to {MOST['fuel']}, not {fuel}")
    wasi = Wasi(
        arguments,
        stdin=sys.stdin.buffer,
        stdout=sys.stdout.buffer,
        stderr=sys.stderr.buffer,
        folders={str(path): path for path in folders},
    )
    try:
        if is_component(binary):
            return run_component(binary, wasi, arguments, invoke, fuel, seconds, bool(folders or resume or save))
        module = Module(binary)
        if resume is not None:
            instance = Instance.restore(module, resume, key, wasi.imports(module))
            outcome = go_on(instance, invoke, arguments, fuel, seconds)
        else:
            instance = Instance(module, wasi.imports(module))
            outcome = called(instance, invoke, arguments, fuel, seconds)
        return told(instance, outcome, key, save)
    except Exited as exited:
        return exited.status
    except PROBLEMS as problem:
        print(f"{type(problem).__name__}: {problem}", file=sys.stderr)
        return FAILED


def run_component(binary, wasi, arguments, invoke, fuel, seconds, more):
    """Run a component, and return the exit code; `more` says that it was asked for what only modules can do."""
    from corollary.commands import component_run

    if more:
        raise WrongUse("a component gets no folders, and cannot be suspended and resumed")
    try:
        return component_run.run(binary, wasi, arguments, invoke, fuel, seconds)
    except component_run.DOES_NOT_FIT as wrong:
        raise WrongUse(str(wrong)) from None


def go_on(instance, invoke, arguments, fuel, seconds):
    """Continue the call that waits, or else begin a new one; return the outcome."""
    if isinstance(instance.waiting, HostCall):
        raise WrongUse(
            f"the snapshot waits for {instance.waiting.module}.{instance.waiting.name}: only Python can answer that"
        )
    if instance.waiting is None:
        return called(instance, invoke, arguments, fuel, seconds)
    return instance.resume(fuel=fuel, seconds=seconds)


def called(instance, invoke, arguments, fuel, seconds):
    """Call the function `invoke` with the arguments as numbers, or else start the program; return the outcome."""
    known = [name for name, (kind, _) in instance.module.exports.items() if kind is External.FUNCTION]
    name = invoke or START
    if name not in known:
        instead = f"use --invoke with one of {', '.join(known)}" if known else "the module exports none"
        raise WrongUse(f"no function {name} is exported: {instead}")
    types = instance.export(name).type.parameters
    return instance.call(name, *(numbers(name, types, arguments[1:]) if invoke else ()), fuel=fuel, seconds=seconds)


def numbers(name, types, texts):
    """Return the arguments of a function as numbers; raises `WrongUse`."""
    wanted = " ".join(type_.name.lower() for type_ in types) or "nothing"
    if len(texts) != len(types) or any(type_ not in NUMBERS for type_ in types):
        raise WrongUse(f"{name} takes {wanted}, not {len(texts)} arguments")
    try:
        values = [NUMBERS[type_](text) for type_, text in zip(types, texts)]
    except ValueError:
        raise WrongUse(f"{name} takes {wanted}, not {' '.join(texts)}") from None
    try:
        all_bits(types, values, None, name)
    except ValueError as too_large:
        raise WrongUse(str(too_large)) from None
    return values


def told(instance, outcome, key, save):
    """Report an outcome, and return the exit code."""
    if isinstance(outcome, Returned):
        for value in outcome.values:
            print(value)
        return PASSED
    if save is None:
        print(f"suspended: {outcome}; --snapshot-on-suspend keeps it", file=sys.stderr)
        return FAILED
    save(instance.snapshot(key))
    print(f"suspended: {outcome}; go on with --resume", file=sys.stderr)
    return PASSED
