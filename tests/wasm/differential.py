"""Does the VM do what wasmtime does on random modules?

Results, traps and the state afterwards are compared, and broken modules must be refused.

`python -m tests.wasm.differential --modules 100000` runs it from the command line and prints the figures. It stops at
the first difference, with the shortest module that shows it. The same seed always gives the same module.
"""

import argparse
import multiprocessing
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import islice
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import wasmtime

import corollary
from corollary.codegen.folders import purpose
from corollary.disassembly import length
from corollary.emulation.traces import shrink
from corollary.library import library
from corollary.limits import LimitExceeded
from corollary.model.wasm.decoder import MAGIC, RANK, VERSION, Section
from corollary.module import Module, Refused
from corollary.spec.wasm.internal import OPERATIONS
from corollary.spec.wasm.module import External
from corollary.spec.wasm.opcodes import BY_NAME
from corollary.spec.wasm.refusals import Refusal as Reason
from tests import debian
from tests.wasm.binary import listing, section
from tests.wasm.choices import REFERENCES, WIDTH, Choices, interesting
from tests.wasm.corollary_engine import CorollaryEngine
from tests.wasm.generator import FUEL, FUEL_NAME, PROVIDER, module
from tests.wasm.suite import SPECTEST, Exhausted, HostFunction, Refusal, Rejected, Unlinkable, alike
from tests.wasm.wasmtime_engine import SHARED, WasmtimeEngine

CHUNK = 250  # modules of one process
SECONDS = 60  # for one module at most
FEW = 2  # for one module at most, while it is being shortened
SHORT = 400  # letters or bytes of an engine's answer
CALLS = 4  # of each function
PART = 6  # instructions that are left out at a time, at most, when halves and quarters do not help
MUTANTS = 4  # of each module
FROM_BYTES = (
    "--mvp-features",
    "--enable-mutable-globals",
    "--enable-sign-ext",
    "--enable-nontrapping-float-to-int",
    "--enable-bulk-memory",
    "--translate-to-fuzz",
)
MORE = (
    "--enable-reference-types",
    "--enable-multivalue",
)  # of many modules with these, binaryen makes more than version 2.0 has
PACKAGE, WASM_OPT = "binaryen", "usr/bin/wasm-opt"
INPUT = 4000  # bytes that it makes a module from, at most
REFILL = "hangLimitInitializer"  # what its modules export to refill the fuel that their loops use
ENDED = "the process ended"
FORKED = multiprocessing.get_context("fork")
ARITHMETIC = bytes(BY_NAME[f"{type_}.{name}"].opcode for type_ in ("i32", "i64") for name in ("add", "sub", "mul"))
CONSTANTS = bytes(BY_NAME[name].opcode for name in ("i32.const", "i64.const", "global.get"))
LATER = re.compile(rb"(?:[%b][\x80-\xFF]*[\0-\x7F])+[%b]" % (re.escape(CONSTANTS), re.escape(ARITHMETIC)))


@dataclass(frozen=True)
class Case:
    """Binaries by the names under which later ones find them, and calls: name, export, arguments."""

    binaries: dict
    calls: tuple
    programs: tuple = ()


# ---- the engines' answers


@lru_cache(maxsize=2)
def compiled(binary):
    """Return a module of wasmtime, to run or to inspect. Raises Rejected."""
    return WasmtimeEngine().decode(binary)


class Theirs:
    """Wasmtime, with access to the state that it made."""

    def __init__(self):
        self.engine, self.decode = WasmtimeEngine(), compiled

    def fill(self, found):
        """Set the fuel."""
        found.set_value(self.engine.store, wasmtime.Val.i32(FUEL))

    def state(self, instance, name):
        """Return the value of an export, or None for a function."""
        found, store = instance.export(name), self.engine.store
        if isinstance(found, wasmtime.Memory):
            return found.read(store, 0, found.data_len(store))
        if isinstance(found, wasmtime.Table):
            elements = [found.get(store, index) for index in range(found.size(store))]
            # values that are false in Python, null or not, are wrapped
            return [not isinstance(element, wasmtime.Val) or element.value is not None for element in elements]
        return plain(instance.get(name)) if isinstance(found, wasmtime.Global) else None


class Ours:
    """The VM, with access to the state that it made."""

    def __init__(self):
        self.engine = CorollaryEngine()
        self.decode = self.engine.decode

    def fill(self, found):
        """Set the fuel."""
        found.cell[0] = FUEL

    def state(self, instance, name):
        """Return the value of an export, or None for a function."""
        found = instance.export(name)
        if isinstance(found, corollary.Memory):
            return found.view()
        if isinstance(found, corollary.Table):
            return [bits != 0 for bits in found.room["elements"][: found.size]]
        return plain(instance.get(name)) if isinstance(found, corollary.Global) else None


def plain(value):
    """Return a value that is the same in both engines; a function reference becomes whether there is one."""
    kind, bits = value
    return kind, bits is not None if kind == "funcref" else bits


def told(side, case):
    """Yield an engine's answers to a case, each with a name; stop when the case cannot go on."""
    engine, instances = side.engine, {"spectest": side.engine.host(SPECTEST)}
    for name, binary in case.binaries.items():
        made = attempt(
            lambda: engine.instantiate(
                side.decode(binary), instances | ({} if case.programs else hosts(engine, Module(binary)))
            )
        )
        yield f"{name} is instantiated", made if isinstance(made, Exception) else None
        if isinstance(made, Exception):
            return
        instances[name] = made
    for number, (name, export, arguments) in enumerate(case.calls):
        for filled in case.binaries:
            refill(side, instances[filled])
        outcome = attempt(lambda: tuple(map(plain, instances[name].invoke(export, arguments))))
        yield f"call {number}: {name}.{export}{arguments}", outcome
        if isinstance(outcome, Exhausted):
            return
    for name, binary in case.binaries.items():
        for export in compiled(binary).exports:
            yield f"{name}.{export.name} at the end", side.state(instances[name], export.name)


def attempt(run):
    """Return the result or the refusal. Any other exception counts as a difference."""
    try:
        return run()
    except Exception as error:
        return error


def hosts(engine, module):
    """Return host functions that do nothing, for all imports of a module from binaryen."""
    wanted = {
        (name, export): module.type_of(module.room["functions"][index].type).parameters
        for name, export, _, index in module.imports
    }
    made = {name: HostFunction(tuple(type_.name.lower() for type_ in types)) for name, types in wanted.items()}
    return {
        name: engine.host({export: function for (other, export), function in made.items() if other == name})
        for name, _ in made
    }


def refill(side, instance):
    """Let an instance run for a while."""
    try:
        side.fill(instance.export(FUEL_NAME))
    except KeyError:
        instance.invoke(REFILL, ())


def agree(theirs, ours):
    """Do the engines answer the same? Each has its own words for a trap."""
    if not isinstance(theirs, Refusal) or not isinstance(ours, Refusal):
        return theirs == ours
    if isinstance(theirs, (Rejected, Unlinkable)):
        return isinstance(ours, Rejected if isinstance(theirs, Rejected) else Unlinkable)
    return type(theirs) is type(ours) and any(
        alike(ours.message, text) for text in WasmtimeEngine.reasons[theirs.message]
    )


def difference(case, tally=None):
    """Return the first difference between the engines, in words, or None.

    Where one has no stack left, the comparison stops.
    """
    sides = told(Theirs(), case), told(Ours(), case)
    for (what, theirs), (_, ours) in zip(*sides):
        if tally is not None:
            tally.traps[ours.message if isinstance(ours, Refusal) else "none"] += what.startswith("call")
        if not agree(theirs, ours) or case.programs and isinstance(theirs, (Rejected, Unlinkable)):
            if not case.programs and (isinstance(theirs, Exhausted) or isinstance(ours, Exhausted)):
                return None
            return f"{what}{where(theirs, ours)}: wasmtime says {short(theirs)}, the VM {short(ours)}"
    return None


def where(theirs, ours):
    """Return the place of the first byte in which two memories differ, in words."""
    if not isinstance(theirs, bytearray) or not isinstance(ours, memoryview) or len(theirs) != len(ours):
        return ""
    return f", byte {next(at for at, (one, other) in enumerate(zip(theirs, ours)) if one != other):#x}"


def short(said):
    """Return an engine's answer in a line; a memory is summarized."""
    if isinstance(said, (bytearray, memoryview)):
        used = bytes(said).rstrip(b"\0")
        return f"{len(said)} bytes, up to the last that is not 0: {used[:SHORT].hex()}"
    return (f"{type(said).__name__}: {said}" if isinstance(said, Exception) else repr(said))[:SHORT]


# ---- the source of the cases


def own_case(choices):
    """Return a module, or two where one imports from the other, and calls of everything they export."""
    programs = {}
    if choices.draw(4) == 3:
        programs[PROVIDER] = module(choices)
    programs["main"] = module(choices, programs.get(PROVIDER))
    calls = []
    for name, program in programs.items():
        types = [*program.imported(External.FUNCTION), *(body.type for body in program.functions)]
        for export, kind, index in program.exports:
            if kind is External.FUNCTION:
                parameters, _ = program.types[types[index]]
                calls += [
                    (name, export, tuple(argument(choices, type_) for type_ in parameters))
                    for _ in range(choices.draw(CALLS + 1))
                ]
    return Case({name: program.encoded() for name, program in programs.items()}, tuple(calls), tuple(programs.values()))


def argument(choices, type_):
    """Return some value in the form that engines take."""
    kind = type_.name.lower()
    if type_ in REFERENCES:
        return kind, choices.draw(9) if kind == "externref" and choices.draw(2) else None
    known = interesting(type_)
    return kind, known[choices.draw(len(known))] if choices.draw(4) else choices.draw(1 << WIDTH[type_])


def from_bytes(seed, folder):
    """Return a module that binaryen makes from random bytes.

    It has no calls when wasmtime does not accept it. Returns None when there is no module.
    """
    given, made, rng = folder / "given", folder / "made.wasm", Random(seed)
    given.write_bytes(rng.randbytes(rng.randint(8, INPUT)))
    command = [debian.file(PACKAGE, WASM_OPT), given, *FROM_BYTES, *rng.choice(((), (), MORE)), "-o", made]
    done = subprocess.run(command, capture_output=True)
    if done.returncode:
        return None
    binary, choices = made.read_bytes(), Choices(seed)
    if verdicts(binary)[0] is not None:
        return Case({"main": binary}, ())
    made = Module(binary)
    calls = [
        (
            "main",
            name,
            tuple(argument(choices, type_) for type_ in made.type_of(made.room["functions"][index].type).parameters),
        )
        for name, (kind, index) in made.exports.items()
        if kind is External.FUNCTION and name != REFILL
    ]
    return Case({"main": binary}, tuple(calls))


# ---- invalid modules


def mutant(binary, rng):
    """Return a module with something broken."""
    changed = bytearray(binary)
    for _ in range(rng.choice((1, 1, 1, 2, 5))):
        at, end = sorted((rng.randrange(len(changed) + 1), rng.randrange(len(changed) + 1)))
        change = rng.randrange(7)
        if change == 0:
            del changed[at:]
        elif change == 1:
            del changed[at : min(end, at + rng.choice((1, 1, 2, 9)))]
        elif change == 2:
            changed[at:at] = rng.randbytes(rng.choice((1, 1, 5)))
        elif change == 3:
            changed[at:at] = changed[at : min(end, at + 20)]
        elif at < len(changed):
            near = changed[at] ^ 1 << rng.randrange(8), (changed[at] + 1) % 256
            changed[at] = rng.choice((0, 1, 0x0B, 0x40, 0x7F, 0x80, 0xFF, *near, rng.randrange(256)))
    return bytes(changed)


def noise(rng):
    """Return sections of random bytes, in their order."""
    kinds = sorted((kind for kind in Section if rng.random() < 0.3), key=lambda kind: RANK[kind])
    return bytes((*MAGIC, *VERSION)) + b"".join(
        section(kind, rng.choice((bytes((1,)), b"")) + rng.randbytes(rng.randrange(12))) for kind in kinds
    )


def verdicts(binary):
    """Return the objections of wasmtime and the VM to some bytes, each or None.

    Raises any exception that is no refusal.
    """
    try:
        wasmtime.Module.validate(SHARED, binary)
        theirs = None
    except wasmtime.WasmtimeError as error:
        theirs = str(error)
    try:
        Module(binary)
        return theirs, None
    except Refused as refused:
        return theirs, refused


def later_constant(binary, refused):
    """Is the VM's objection arithmetic in a constant expression?"""
    return (
        refused.refusal in (Reason.CONSTANT_REQUIRED, Reason.TYPE_MISMATCH)
        and LATER.match(binary, refused.offset) is not None
    )


TAKEN_LATER = {
    later_constant: "arithmetic in constant expressions came with version 3.0, and wasmtime cannot switch it off"
}
"""The modules that wasmtime accepts and the VM rightly refuses, and why."""


def disagreement(binary, tally=None):
    """Return the engines' disagreement about some bytes, in words, or None."""
    try:
        theirs, ours = verdicts(binary)
    except LimitExceeded:  # valid or not: each engine has limits of its own
        return None
    if tally is not None:
        tally.verdicts["taken" if ours is None else type(ours).__name__] += 1
    if ours is not None and not 0 <= ours.offset <= len(binary):
        return f"the VM refuses it at byte {ours.offset:#x} of {len(binary):#x}: {ours}"
    if (theirs is None) == (ours is None) or theirs is None and any(rule(binary, ours) for rule in TAKEN_LATER):
        return None
    return f"wasmtime says {theirs}, the VM {ours}"


# ---- counts


@dataclass
class Tally:
    """Counts for many modules, and what was different.

    It has the number of modules, how their calls ended, the verdicts on broken ones, and their operations.
    """

    modules: int = 0
    traps: Counter = field(default_factory=Counter)
    verdicts: Counter = field(default_factory=Counter)
    operations: Counter = field(default_factory=Counter)
    differences: list = field(default_factory=list)

    def add(self, other):
        """Add another tally."""
        self.modules += other.modules
        self.traps += other.traps
        self.verdicts += other.verdicts
        self.operations += other.operations
        self.differences += other.differences


def operations(module):
    """Return the numbers of a module's operations."""
    translation = module.translation
    code = translation["code"][: translation.value.at]
    counts = module.value.counts
    starts = sorted(
        function.entry for function in module.room["functions"][module.value.imported_functions : counts.functions]
    )
    for at, end in zip(starts, [*(start - 1 for start in starts[1:]), len(code)]):
        while at < end:
            number = code[at] & 0xFFFF
            yield number
            at += length(OPERATIONS[number], code[at])


def tried(seed, generator, folder, tally):
    """Return the difference for the modules of a seed, and for broken ones, in words, or None."""
    case = own_case(Choices(seed)) if generator == "own" else from_bytes(seed, folder)
    if case is None:
        return None
    found = difference(case, tally)
    tally.modules += len(case.binaries)
    rng = Random(seed)
    for binary in case.binaries.values():
        if verdicts(binary)[1] is None:
            tally.operations.update(operations(Module(binary)))
        for bad in (noise(rng), *(mutant(binary, rng) for _ in range(MUTANTS))):
            found = found or broken(bad, tally)
    return found


def broken(binary, tally):
    """Return the engines' disagreement about some bytes, with as few bytes as show it, or None."""
    if disagreement(binary, tally) is None:
        return None
    fewer = bytes(shrink(list(binary), lambda part: disagreement(bytes(part)) is not None))
    return f"{disagreement(fewer)}\n{fewer.hex()}"


def chunk(seeds, generator):
    """Return a tally of some seeds, up to the first difference."""
    tally = Tally()
    with TemporaryDirectory() as folder:
        for seed in seeds:
            signal.alarm(SECONDS)  # ends the process
            found = tried(seed, generator, Path(folder), tally)
            if found:
                tally.differences.append((seed, found))
                break
    return tally


def isolated(work, *arguments, seconds=SECONDS):
    """Return the result of a function that may end its process or never end.

    In those cases, returns in words how it ended. Raises what the function raises.
    """
    receiver, sender = FORKED.Pipe(False)

    def send():
        signal.alarm(seconds)
        sender.send(attempt(lambda: work(*arguments)))

    child = FORKED.Process(target=send)
    child.start()
    sender.close()
    try:
        result = receiver.recv()
    except EOFError:
        child.join()
        return f"{ENDED} with {child.exitcode}"
    child.join()
    if isinstance(result, Exception):
        raise result
    return result


def safe_chunk(seeds, generator):
    """Return a tally of some seeds, even if one of them ends its process."""
    result = isolated(chunk, seeds, generator)
    if isinstance(result, Tally):
        return result
    ends = ((seed, isolated(chunk, [seed], generator)) for seed in seeds)
    return Tally(
        differences=[next(((seed, end) for seed, end in ends if not isinstance(end, Tally)), (seeds[0], result))]
    )


def run(modules, seed=0, jobs=1, generator="own", tell=lambda tally: None):
    """Return a tally of this many seeds, or of those up to the first difference.

    The tally is reported while it grows. Raises `PackageMissing` when binaryen is missing.
    """
    chunks = (range(first, min(first + CHUNK, seed + modules)) for first in range(seed, seed + modules, CHUNK))
    whole = Tally()
    # once, for all processes
    library()
    if generator == "binaryen":
        debian.file(PACKAGE, WASM_OPT)
    with ThreadPoolExecutor(jobs) as pool:
        while not whole.differences and (batch := list(islice(chunks, jobs))):
            for tally in pool.map(lambda seeds: safe_chunk(seeds, generator), batch):
                whole.add(tally)
            tell(whole)
    return whole


# ---- shortening a difference


def without_parts(items, fails):
    """Return a list without all short parts that can be left out while a predicate still holds."""
    for size in range(min(PART, len(items)), 0, -1):
        position = 0
        while position + size <= len(items):
            fewer = [*items[:position], *items[position + size :]]
            if fails(fewer):
                items = fewer
            else:
                position += 1
    return items


def shown(seed):
    """Return the case of a seed as text, with fewer calls, segments and instructions that still differ."""
    case = own_case(Choices(seed))
    ends = str(isolated(difference, case, seconds=FEW)).startswith(ENDED)

    def differs(case):
        # a case with fewer instructions may run forever
        said = isolated(difference, case, seconds=FEW)
        return said is not None and said.startswith(ENDED) == ends

    case = replace(case, calls=tuple(shrink(list(case.calls), lambda calls: differs(replace(case, calls=calls)))))
    for program in case.programs:
        for owner, name in ((program, "elements"), (program, "data"), *((body, "code") for body in program.functions)):
            reduce(case, owner, name, differs)
    case = again(case)
    texts = [f"{isolated(difference, case, seconds=FEW)}"]
    for (name, binary), program in zip(case.binaries.items(), case.programs):
        texts += [f"module {name}", *listing(program), f"bytes {binary.hex()}"]
    return "\n".join([*texts, *(f"call {call}" for call in case.calls)])


def again(case):
    """Return a case with changed programs, encoded."""
    return replace(case, binaries={name: program.encoded() for name, program in zip(case.binaries, case.programs)})


def reduce(case, owner, name, differs):
    """Shorten a list of a program in place, so that the case is valid and still differs."""

    def good(items):
        before = getattr(owner, name)
        setattr(owner, name, items)
        changed = again(case)
        setattr(owner, name, before)
        return all(verdicts(binary)[0] is None for binary in changed.binaries.values()) and differs(changed)

    items = getattr(owner, name)
    if name == "code":
        items = next((cut for cut in (trapping(items, at) for at in range(len(items))) if good(cut)), items)
    setattr(owner, name, without_parts(shrink(items, good), good))


def trapping(code, at):
    """Return the instructions up to some place, then a trap and the ends of the open blocks."""
    names = [row.name for row, _ in code[:at]]
    opened = sum(name in ("block", "loop", "if") for name in names) - names.count("end")
    return [*code[:at], (BY_NAME["unreachable"], ()), *[(BY_NAME["end"], ())] * opened]


def main(arguments=None):
    """Compare and print the figures. Returns 1 when something differs."""
    parser = argparse.ArgumentParser(prog="python -m tests.wasm.differential", description=purpose(__doc__))
    parser.add_argument("--modules", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=time.time_ns() % (1 << 32))
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--generator", choices=("own", "binaryen"), default="own")
    chosen = parser.parse_args(arguments)
    print(f"seed {chosen.seed}", flush=True)
    start = time.perf_counter()
    tally = run(
        chosen.modules,
        chosen.seed,
        chosen.jobs,
        chosen.generator,
        lambda tally: print(f"\r{tally.modules} modules", end="", flush=True),
    )
    print(end="\r")
    seconds = time.perf_counter() - start
    print(f"{tally.modules} modules, {tally.modules / seconds:.0f} a second; {len(tally.differences)} differences")
    for title, counts in (("calls ended", tally.traps), ("broken modules", tally.verdicts)):
        print(f"{title}: " + ", ".join(f"{name} {count}" for name, count in counts.most_common()))
    missing = [operation.name for number, operation in enumerate(OPERATIONS) if not tally.operations[number]]
    print(f"{len(OPERATIONS) - len(missing)} of {len(OPERATIONS)} operations occurred")
    if missing and not tally.differences:
        print(f"not {', '.join(missing)}")
    for seed, found in tally.differences[:1]:
        print(f"\nseed {seed}: {found}")
        if chosen.generator == "own" and "\n" not in found:
            print(shown(seed))
    return 1 if tally.differences else 0


if __name__ == "__main__":
    sys.exit(main())
