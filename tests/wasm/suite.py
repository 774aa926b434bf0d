"""Does an engine answer as the suite expects?

An engine carries out the directives of a script; it is any object with the few methods of `Engine`. The results are
compared with the script's expectations. `python -m tests.wasm.suite FILE...` prints the counts and the failures of each
file.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from pkgutil import resolve_name
from typing import Any, ClassVar, Protocol

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from corollary.codegen.folders import purpose
from tests.wasm.literals import FLOATS, INTEGERS, number
from tests.wasm.script import (
    AssertExhaustion,
    AssertInvalid,
    AssertMalformed,
    AssertReturn,
    AssertTrap,
    AssertUnlinkable,
    Invoke,
    Module,
    Pattern,
    Place,
    Register,
    ScriptError,
    read,
)

ENGINES = {
    "wasmtime": "tests.wasm.wasmtime_engine:WasmtimeEngine",
    "corollary": "tests.wasm.corollary_engine:CorollaryEngine",
}


class Refusal(Exception):
    """An engine does not go on, and says why."""

    def __init__(self, message):
        super().__init__(message)
        self.message = message


class Rejected(Refusal):
    """The bytes are no valid module. Engines that do not distinguish malformed from invalid raise this itself."""


class Malformed(Rejected):
    """The bytes do not decode."""


class Invalid(Rejected):
    """The decoded module does not validate."""


class Unlinkable(Refusal):
    """An import is missing or has another type."""


class Trap(Refusal):
    """The program did something forbidden."""


class Exhausted(Refusal):
    """The program needs more stack than there is."""


class Instance(Protocol):
    """An instantiated module. A value is `(type name, bits)`; the bits of a null reference are None."""

    def invoke(self, name: str, arguments: tuple) -> tuple:
        """Return the results of a function. Raises Trap, Exhausted."""
        ...

    def get(self, name: str) -> tuple:
        """Return the value of a global."""
        ...

    def export(self, name: str) -> Any:
        """Return an export that `Engine.instantiate` may import. Raises KeyError."""


class Engine(Protocol):
    """Something that runs modules; one engine runs one script."""

    # the suite's texts for each of the engine's own messages; a message without an entry stands for itself
    reasons: ClassVar[Mapping[str, tuple[str, ...]]]

    def host(self, definitions: Mapping[str, Any]) -> Instance:
        """Return an instance whose exports are a HostGlobal, HostTable, HostMemory or HostFunction each."""
        ...

    def decode(self, binary: bytes) -> Any:
        """Return a module, decoded and validated. Raises Malformed, Invalid."""

    def instantiate(self, module: Any, imports: Mapping[str, Instance]) -> Instance:
        """Return an instance that imports from others by their registered names. Raises Unlinkable, Trap, Exhausted."""
        ...


def imported(imports, name, export):
    """Return an export of a registered instance. Raises Unlinkable when there is no such thing."""
    try:
        return imports[name].export(export)
    except KeyError:
        raise Unlinkable("unknown import") from None


@dataclass(frozen=True)
class HostGlobal:
    """An immutable global and its value."""

    value: tuple


@dataclass(frozen=True)
class HostTable:
    """A table of null references with its limits."""

    element: str
    minimum: int
    maximum: int


@dataclass(frozen=True)
class HostMemory:
    """A memory of zeros with its limits in pages."""

    minimum: int
    maximum: int


@dataclass(frozen=True)
class HostFunction:
    """A function that takes these types, does nothing and returns nothing."""

    parameters: tuple


GLOBALS = dict.fromkeys(INTEGERS, "666") | dict.fromkeys(FLOATS, "666.6")
PRINTED = ((), ("i32",), ("i64",), ("f32",), ("f64",), ("i32", "f32"), ("f64", "f64"))

# exports of the module `spectest`, which every script may import
SPECTEST = (
    {f"global_{kind}": HostGlobal((kind, number(kind, text))) for kind, text in GLOBALS.items()}
    | {"table": HostTable("funcref", 10, 20), "memory": HostMemory(1, 2)}
    | {"_".join(("print", *kinds)): HostFunction(kinds) for kinds in PRINTED}
)


class Strictness(Enum):
    """The part of a refusal that is compared."""

    OUTCOME = "outcome"  # only the kind, for example that it is a trap
    REASON = "reason"  # also the reason, in the engine's own words
    TEXT = "text"  # also that the suite's words are used


REFUSALS = {
    AssertTrap: Trap,
    AssertExhaustion: Exhausted,
    AssertInvalid: Invalid,
    AssertMalformed: Malformed,
    AssertUnlinkable: Unlinkable,
}


class Verdict(Enum):
    """A directive's result."""

    PASSED = "passed"
    FAILED = "failed"
    TEXTUAL = "not about binaries"


@dataclass(frozen=True)
class Failure:
    """A directive with another result than the script expects."""

    place: Place
    keyword: str
    expected: str
    came: str

    def __str__(self):
        return f"{self.place}: {self.keyword}: expected {self.expected}; came {self.came}"


@dataclass
class Report:
    """The number of directives of each kind with each verdict, and the failures."""

    file: str
    counts: Counter = field(default_factory=Counter)
    failures: list = field(default_factory=list)

    def add(self, directive, verdict):
        """Count one directive."""
        self.counts[directive.keyword, verdict] += 1

    def total(self, verdict):
        """Return the number of directives with a verdict."""
        return sum(count for (_, other), count in self.counts.items() if other is verdict)


def run(path, engine, strictness=Strictness.REASON):
    """Return the report of a file. Raises ScriptError."""
    return report(path.name, read(path), engine, strictness)


def report(file, directives, engine, strictness=Strictness.REASON):
    """Carry out the directives of one script, in order, with a fresh engine."""
    stage, told = Stage(engine, strictness), Report(file)
    for directive in directives:
        if directive.textual:
            told.add(directive, Verdict.TEXTUAL)
            continue
        came = stage.outcome(directive)
        good = stage.as_expected(directive, came)
        told.add(directive, Verdict.PASSED if good else Verdict.FAILED)
        if not good:
            told.failures.append(Failure(directive.place, directive.keyword, expectation(directive), spell(came)))
    return told


class Stage:
    """The instances of a script while it is carried out."""

    def __init__(self, engine, strictness):
        self.engine, self.strictness = engine, strictness
        self.imports = {"spectest": engine.host(SPECTEST)}
        self.instances = {}

    def outcome(self, directive):
        """Return the result of a directive: a tuple of values, or the exception that it ends with."""
        try:
            return self.carry_out(directive)
        except Exception as error:  # an engine that breaks fails this directive, and goes on with the next one
            return error

    def carry_out(self, directive):
        """Return the values that a directive leads to.

        Raises what the engine raises, and LookupError when there is no such instance.
        """
        if isinstance(directive, Module):
            return self.enter(directive)
        if isinstance(directive, Register):
            self.imports[directive.known_as] = self.instance(directive.instance)
            return ()
        if isinstance(directive, AssertReturn):
            return self.act(directive.action)
        if isinstance(directive, (AssertInvalid, AssertMalformed)):
            subject: Any = directive.subject
            self.engine.decode(subject.binary)
            return ()
        subject = getattr(directive, "subject", directive)
        if isinstance(subject, Module):
            self.instantiate(subject)
            return ()
        return self.act(subject)

    def instantiate(self, module):
        """Return a new instance of a module."""
        return self.engine.instantiate(self.engine.decode(module.binary), self.imports)

    def enter(self, module):
        """Instantiate a module and make it the current one; if that fails, there is no current one."""
        names = {None, module.name}
        for name in names:
            self.instances.pop(name, None)
        self.instances |= dict.fromkeys(names, self.instantiate(module))
        return ()

    def instance(self, name):
        """Return the instance of this name, the last one for None. Raises LookupError."""
        if name not in self.instances:
            raise LookupError(f"there is no instance {name or 'to act on'}")
        return self.instances[name]

    def act(self, action):
        """Return the values that an action leads to."""
        instance = self.instance(action.instance)
        return (
            tuple(instance.invoke(action.export, action.arguments))
            if isinstance(action, Invoke)
            else (instance.get(action.export),)
        )

    def as_expected(self, directive, came):
        """Is this the result that the script expects?"""
        kind = REFUSALS.get(type(directive))
        if kind is not None:
            return refused_as(kind, came) and self.same_reason(directive.reason, came)
        if isinstance(came, Exception):
            return False
        return not isinstance(directive, AssertReturn) or matches_all(directive.results, came)

    def same_reason(self, reason, came):
        """Does an engine refuse for the reason that the script gives?"""
        if self.strictness is Strictness.OUTCOME:
            return True
        if self.strictness is Strictness.TEXT:
            return came.message.startswith(reason)
        # an engine's order of checks decides which of several broken rules it names
        return isinstance(came, Rejected) or any(
            alike(reason, text) for text in self.engine.reasons.get(came.message, (came.message,))
        )


def alike(one, other):
    """Does one text begin with the other?

    The suite shortens messages to `out of bounds`, and appends the index of an element.
    """
    return bool(one and other) and (one.startswith(other) or other.startswith(one))


def refused_as(kind, came):
    """Is this a refusal of this kind, as far as the engine distinguishes it?"""
    return isinstance(came, kind) or type(came) is Rejected and issubclass(kind, Rejected)


def matches_all(expected, came):
    """Are these the values, one by one?"""
    return len(expected) == len(came) and all(map(matches, expected, came))


def matches(expected, came):
    """Is this the value, or one that the pattern allows?"""
    (kind, bits), (other, found) = expected, came
    if kind != other:
        return False
    if bits is Pattern.REFERENCE:
        return found is not None
    if bits is Pattern.CANONICAL:
        return found & ~FLOATS[kind].sign == FLOATS[kind].nan
    if bits is Pattern.ARITHMETIC:
        return found & FLOATS[kind].nan == FLOATS[kind].nan
    return found == bits


def expectation(directive):
    """Return the expectation of a directive, in words."""
    if isinstance(directive, AssertReturn):
        return spell(directive.results)
    kind = REFUSALS.get(type(directive))
    return f"{kind.__name__}: {directive.reason}" if kind else "no refusal"


def spell(came):
    """Return values or an exception, in words."""
    if isinstance(came, Exception):
        return f"{type(came).__name__}: {came}"
    return " ".join(spell_value(*value) for value in came) or "no values"


def spell_value(kind, bits):
    """Return a value in words."""
    if isinstance(bits, Pattern):
        return f"{kind} {bits.value}"
    return f"{kind} null" if bits is None else f"{kind} {bits:#x}" if isinstance(bits, int) else f"{kind} {bits}"


def counted(told):
    """Return the counts of a report."""
    made = Table(title=told.file, title_justify="left")
    made.add_column("kind")
    for verdict in Verdict:
        made.add_column(verdict.value, justify="right")
    for keyword in sorted({keyword for keyword, _ in told.counts}):
        made.add_row(keyword, *(str(told.counts[keyword, verdict]) for verdict in Verdict))
    return made


def main(arguments=None):
    """Run files with an engine and print the results. Returns 1 when something failed or cannot be read."""
    parser = argparse.ArgumentParser(prog="python -m tests.wasm.suite", description=purpose(__doc__))
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
    parser.add_argument("--engine", choices=ENGINES, default=next(iter(ENGINES)))
    parser.add_argument(
        "--strictness", choices=[strictness.value for strictness in Strictness], default=Strictness.REASON.value
    )
    chosen, console, whole = parser.parse_args(arguments), Console(), Report("all files")
    for path in chosen.files:
        try:
            told = run(path, resolve_name(ENGINES[chosen.engine])(), Strictness(chosen.strictness))
        except (ScriptError, OSError) as error:
            parser.exit(1, f"{error}\n")
        show(told, console)
        whole.counts += told.counts
        whole.failures += told.failures
    if len(chosen.files) > 1:
        console.print(counted(whole))
    return 1 if whole.failures else 0


def show(told, console):
    """Print a report."""
    console.print(counted(told))
    for failure in told.failures:
        console.print(f"[red]failed[/] {escape(str(failure))}", highlight=False, soft_wrap=True)


if __name__ == "__main__":
    # the engines know this module by its name, not as __main__
    sys.exit(resolve_name("tests.wasm.suite:main")())
