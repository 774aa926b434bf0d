"""Does the differential test notice a mistake? The C with one changed file runs side by side with the model.

Both sides record their hardware effects, and these are compared, too. Every library runs in a process of its own,
since a wrong index may crash it.
"""

import contextlib
import ctypes
import faulthandler
import functools
import multiprocessing
import random
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from corollary.codegen import build, kernel
from corollary.codegen.declarations import definition, leaf_signature, scalars
from corollary.emulation.ears import ears
from corollary.emulation.generator import Generator
from corollary.emulation.native import MEMORY, MEMORY_EVERY, SIZE, Differs, Image, compare, question
from corollary.emulation.traces import Environment, Fault, Hypercall, Preempt, taken
from corollary.language.frontend import translate
from corollary.language.layout import encode, leaf_at
from corollary.language.values import spell
from corollary.model.kernel.action import contain, preempt
from corollary.model.kernel.boot import boot
from corollary.model.kernel.gate import dispatch
from corollary.model.kernel.schedule import proceed, rotate, survey
from corollary.proofs.mutants import apart
from corollary.proofs.mutants.c import FILES, source
from corollary.spec.kernel.state import BootInformation, Call, Kernel

FLAGS = ("-std=c11", "-w", *build.APART, "-fPIC")
LASTING, LONG = 69, 16000  # seed and length of a trace that fills the log more than once
FILES_OF_C = (*FILES, "invariants")
SEEDS, LENGTH, PATIENCE = (*range(64), LASTING), 1500, 120
HEARD = 4096  # the most hardware effects of one step that are recorded
WIDTH = 8  # the effect's number and its arguments


class Workshop:
    """Compiles the kernel with one file changed."""

    def __init__(self, folder):
        self.folder = Path(folder)
        self.objects = {file: self.folder / f"{file}.o" for file in (*FILES_OF_C, "ear")}

    def open(self):
        """Compile all files once, unchanged."""
        for name in self.objects:
            self.compile(ear_text() if name == "ear" else source(name), name)
        return self

    def compile(self, text, name, headers=build.KERNEL):
        """Compile a text; return the path of the object file."""
        path = self.folder / f"{name}.c"
        path.write_text(text)
        folders = [argument for folder in (headers, build.KERNEL) for argument in ("-I", str(folder))]
        build.run([*build.compiler(), *FLAGS, *folders, "-c", str(path), "-o", str(path.with_suffix(".o"))])
        return path.with_suffix(".o")

    def library(self, changes, name):
        """Link the shared library with some files replaced: `{file: text}`. Return its path.

        A header is in every file that is compiled, so all are compiled again.
        """
        headers, texts = self.folder / name, dict(changes)
        for header in changes.keys() - set(FILES_OF_C):
            headers.mkdir(exist_ok=True)
            (headers / header).write_text(texts.pop(header))
        if len(texts) < len(changes):
            texts = {file: source(file) for file in FILES_OF_C} | texts
        changed = {file: self.compile(text, f"{name}-{file}", headers) for file, text in texts.items()}
        target = self.folder / f"{name}.so"
        build.run([*build.compiler(), "-shared", *map(str, (self.objects | changed).values()), "-o", str(target)])
        for path in changed.values():
            path.unlink()
        return target


@contextlib.contextmanager
def workshop():
    """Open a workshop in a temporary folder."""
    with tempfile.TemporaryDirectory() as folder:
        yield Workshop(folder).open()


def mutated_text(mutant):
    """Return `{file: text}` of the C that is generated from a mutated IR; a file with a suffix is a header."""
    function = mutant.function
    file = "invariants" if function.symbol in kernel.invariant_symbols() else function.module
    header = build.KERNEL / f"{file}.h"
    for name, text, before in ((file, source(file), ""), (header.name, header.read_text(), "inline")):
        old = "\n".join(definition(function, before=before))
        with mutant.applied():
            new = "\n".join(definition(function, before=before))
        if text.count(old) == 1:
            return {name: text.replace(old, new)}
    raise ValueError(f"{function.symbol} does not stand once in {file}.c or {header.name}: run `make gen`")


def ear_text():
    """Return C that records the hardware effects instead of performing them."""
    lines = ['#include "hardware.h"', f"uint64_t heard[{HEARD}][{WIDTH}];", "uint32_t heard_count;"]
    for number, function in enumerate(kernel.leaves()):
        lines += [
            leaf_signature(function),
            "{",
            f"    if (heard_count < {HEARD}) {{",
            f"        heard[heard_count][0] = {number};",
        ]
        lines += [
            f"        heard[heard_count][{position + 1}] = {item.name};"
            for position, item in enumerate(scalars(function))
        ]
        lines += ["    }", "    heard_count++;", "}"]
    return "\n".join([*lines, ""])


# ---- the model's side: run once and recorded


class Diary(Image):
    """The bytes of a model state, with a record of what each step changed."""

    fresh: list

    def put(self, offset, data):
        if ctypes.string_at(ctypes.addressof(self.data) + offset, len(data)) != data:
            self.fresh.append((offset, data))
            super().put(offset, data)


@dataclass(frozen=True)
class Taken:
    """A step and its whole outcome in the model."""

    step: Any
    possible: bool  # for a step of the environment: did it happen?
    status: Any
    call: bytes  # the call as it came back
    free: bool  # was the processor given on afterwards?
    told: tuple  # what hardware was told
    written: tuple  # `(offset, bytes)` of the state that changed


@functools.cache
def recorded(seed):
    """Return a random trace: boot information, the state after boot, and every step as the model took it."""
    generator, model = Generator(random.Random(seed), careful=seed == LASTING), Kernel()
    boot(model, generator.information)
    diary, steps, told = Diary(model), [], []
    first = diary.data.raw
    with ears(told):
        while len(steps) < (LONG if seed == LASTING else LENGTH) and (step := generator.next(model)) is not None:
            told.clear()
            diary.fresh = []
            possible = isinstance(step, Environment) and step.possible(model)
            call, status = taken(model, step)
            free = model.idle
            proceed(model)
            diary.update()
            answer = encode(call, Call) if call else b""
            steps.append(Taken(step, possible, status, answer, free, tuple(told), tuple(diary.fresh)))
    return encode(generator.information, BootInformation), first, steps


# ---- the other side: C, compared step by step


class Ear:
    """The hardware effects that a library records."""

    def __init__(self, library):
        self.rows = ((ctypes.c_uint64 * WIDTH) * HEARD).in_dll(library, "heard")
        self.count = ctypes.c_uint32.in_dll(library, "heard_count")

    def heard(self):
        """Return the recorded effects since the last call, and how many there were in all."""
        count, self.count.value = self.count.value, 0
        return tuple(self.effect(self.rows[position]) for position in range(min(count, HEARD))), count

    def effect(self, row):
        """Return a hardware effect as C recorded it."""
        function = kernel.leaves()[row[0]]
        return (function.name, *row[1 : 1 + len(scalars(function))])


class Replay:
    """A library that takes the steps of a trace."""

    def __init__(self, library, seed):
        self.library = ctypes.CDLL(str(library))
        self.ear = Ear(self.library)
        information, first, self.steps = recorded(seed)
        self.wanted, self.memory = ctypes.create_string_buffer(first, SIZE), ctypes.create_string_buffer(SIZE)
        self.call(boot, ctypes.create_string_buffer(information, len(information)))

    def run(self):
        """Take all steps. Raises `Differs` where C and the model disagree."""
        self.whole("boot")
        for number, each in enumerate(self.steps):
            self.ear.heard()
            self.take(each, f"step {number + 1}, {each.step}")
            if number % MEMORY_EVERY == 0:
                self.whole(f"step {number + 1}, {each.step}")
        self.whole("the end")
        self.library.check_invariants.restype = ctypes.c_bool
        if not self.library.check_invariants(self.memory, (ctypes.c_uint32 * 3)()):
            raise Differs("the end: C finds an invariant violated")

    def call(self, python, *arguments):
        """Call the C function that was generated from a function of the language."""
        function = translate(python)
        entry = getattr(self.library, function.symbol)
        entry.restype = ctypes.c_uint8 if function.returns is not None else None
        return entry(
            self.memory, *(value if isinstance(value, ctypes.Array) else ctypes.c_uint64(value) for value in arguments)
        )

    def take(self, taken, where):
        """Take one step and compare its whole outcome."""
        step = taken.step
        if isinstance(step, Hypercall):
            asked = ctypes.create_string_buffer(encode(question(step), Call), len(taken.call))
            got = self.call(dispatch, asked)
            if got != taken.status:
                raise Differs(f"{where}: the model returns {taken.status!r}, C {got}")
            compare_bytes(asked.raw, taken.call, Call, where)
        elif isinstance(step, Preempt):
            self.call(preempt, step.now)
        elif isinstance(step, Fault):
            self.call(contain, step.now, step.syndrome, step.address)
        elif taken.possible:
            for offset, data in step.patches():
                ctypes.memmove(ctypes.addressof(self.memory) + offset, data, len(data))
        if taken.free:
            self.call(survey)
            self.call(rotate)
        told, count = self.ear.heard()
        if told != taken.told[:HEARD] or count != len(taken.told):
            raise Differs(f"{where}: hardware is told {taken.told} by the model, {told} by C")
        self.state(taken, where)

    def state(self, taken, where):
        """Compare everything outside the page frames, and the parts of the frames that the model wrote."""
        ours, theirs = ctypes.addressof(self.wanted), ctypes.addressof(self.memory)
        for offset, data in taken.written:
            ctypes.memmove(ours + offset, data, len(data))
        same = compare(ours + MEMORY, theirs + MEMORY, SIZE - MEMORY) == 0
        if not same or any(
            compare(ours + offset, theirs + offset, len(data)) for offset, data in taken.written if offset < MEMORY
        ):
            self.whole(where)

    def whole(self, where):
        """Compare every byte of the state."""
        if compare(self.wanted, self.memory, SIZE) != 0:
            compare_bytes(self.memory.raw, self.wanted.raw, Kernel, where)


def compare_bytes(got, wanted, type_, where):
    """Raise `Differs` for the first field in which two encoded values differ."""
    if got != wanted:
        offset = next(position for position, (a, b) in enumerate(zip(got, wanted)) if a != b)
        raise Differs(
            f"{where}: {spell(leaf_at(type_, offset))} is {wanted[offset]:#04x} in the model, "
            f"{got[offset]:#04x} in C (byte {offset})"
        )


def differs(library, traces=SEEDS):
    """Return what the differential test finds in a library on the traces of these seeds, or None."""
    context = multiprocessing.get_context("fork")
    here, there = context.Pipe(duplex=False)
    child = context.Process(target=_compare, args=(library, apart.made(), traces, there))
    child.start()
    there.close()
    try:
        found = here.recv() if here.poll(PATIENCE) else "no answer in time"
    except EOFError:
        found = "C crashes"
    if child.is_alive():
        child.kill()
    child.join()
    return found


def _compare(library, calls, seeds, answer):
    faulthandler.disable()  # a crash is an answer, not an error
    seed = None
    try:
        opened = ctypes.CDLL(str(library))
        found = apart.difference(opened, calls, Ear(opened).heard)
        if found is not None:
            answer.send(found)
            return
        for seed in seeds:
            Replay(library, seed).run()
        answer.send(None)
    except Differs as difference:
        answer.send(f"trace {seed}, {difference}")
