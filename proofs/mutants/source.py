"""Who checks the prover? A program makes small changes to its source, and a quick test must notice each one.

A change makes a check weaker or forgets something: a refusal is dropped, a word is compared with itself, an
obligation is not recorded, a key leaves a part out. It runs in a process of its own, which imports the changed text.
The test that noticed the change before is stored and runs again. If there is none, all tests run that ran the changed
lines when they were recorded. A minute of processor time is all they have.

    python -m corollary.proofs.mutants.source ID SECONDS TEST...      prints the first test that fails with the change
"""

import ast
import hashlib
import json
import os
import resource
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import islice, zip_longest
from pathlib import Path
from typing import Any

from corollary.codegen.folders import ROOT, file_of
from corollary.proofs.mutants.breaks import Finder
from corollary.proofs.mutants.operators import changes

KIND, PACKAGE = "source", "corollary."
SECONDS = 60  # of processor time, for all tests of one mutant
COUNT = 155
ASIDE = ("__", "quantified", "jobs", "cluster")
"""How the names of modules of `proofs` begin that decide nothing: they ask about the prover, or only run it."""
READS = "corollary.language.reads"
KEEPING = ("corollary.proofs.cache", "corollary.proofs.fingerprint", READS)
KEEPING_TURNS = 3  # turns of a module that decides which proofs are kept; all others have one
MODULES = tuple(
    PACKAGE + ".".join(path.relative_to(ROOT).with_suffix("").parts)
    for folder in ("proofs", "proofs/machine")
    for path in sorted((ROOT / folder).glob("*.py"))
    if not path.stem.startswith(ASIDE)
) + (READS,)
"""All modules that decide whether something is proved, and which proofs are kept."""
WITNESSES = Path(__file__).with_name("witnesses.json")
BROKEN = "does not compile"  # or cannot be imported: nobody could overlook that, so it does not count


@dataclass(frozen=True)
class Mutant:
    """One change of the text of a module."""

    module: str
    function: str  # dotted, inside the module; empty for what is outside functions
    what: str  # the name of the operator
    first: int  # what it replaces: first line and column, last line and column
    start: int
    last: int
    end: int
    old: str
    new: str
    copy: int  # which of several identical changes

    @property
    def id(self):
        """The id; it stays the same as long as the text of the change and the name of its function do."""
        said = "\0".join((self.function, self.what, self.old, self.new, str(self.copy)))
        return f"{prefix(self.module)}{hashlib.sha256(said.encode()).hexdigest()[:10]}"

    @property
    def file(self):
        """The path of the module, from the root."""
        return file_of(self.module)

    @property
    def change(self):
        """`file:line function `old` -> `new``."""
        old, new = (" ".join(text.split()) for text in (self.old, self.new))
        return f"{self.file}:{self.first} {self.function} `{old}` -> `{new}`"

    def edited(self, text):
        """Return the text of the module with the change."""
        lines = text.splitlines(keepends=True)
        head, tail = (lines[number - 1].encode() for number in (self.first, self.last))
        middle = head[: self.start].decode() + self.new + tail[self.end :].decode()
        return "".join((*lines[: self.first - 1], middle, *lines[self.last :]))


@cache
def text_of(module):
    """Return the source of a module."""
    return (ROOT / file_of(module)).read_text()


@cache
def of(module):
    """Return the mutants of a module by id."""
    lines, found, copies = [line.encode() for line in text_of(module).splitlines(keepends=True)], {}, {}
    for function, what, node, new in changes(ast.parse(text_of(module))):
        place: tuple[Any, ...] = node.lineno, node.col_offset, node.end_lineno, node.end_col_offset
        old = between(lines, *place)
        copies[function, what, old, new] = copy = copies.get((function, what, old, new), -1) + 1
        mutant = Mutant(module, function, what, *place, old=old, new=new, copy=copy)
        found[mutant.id] = mutant
    return found


def between(lines, first, start, last, end):
    """Return the text from one place to another in lines of bytes."""
    whole = b"".join(lines[first - 1 : last])
    return whole[start : len(whole) - len(lines[last - 1]) + end].decode()


def compiles(mutant):
    """Is the changed text valid Python?"""
    try:
        compile(mutant.edited(text_of(mutant.module)), mutant.file, "exec", dont_inherit=True)
    except SyntaxError:
        return False
    return True


def in_order(seed, names):
    """Sort names in an order that depends only on the seed and on each name."""
    return sorted(names, key=lambda name: hashlib.sha256(f"{seed}\0{name.removeprefix(PACKAGE)}".encode()).digest())


def sample(seed=0, share=1.0):
    """Choose mutants, taking the modules in turn and the operators in turn within each module.

    A small share is the beginning of a larger one.
    """
    queues = [queue for module in in_order(seed, MODULES) for queue in queues_of(seed, module)]
    mutants = filter(compiles, map(named, in_turn(queues)))
    return list(islice(mutants, max(1, round(COUNT * share))))


def queues_of(seed, module):
    """Return the ids of a module's mutants in order, in as many queues as the module has turns."""
    ids, turns = in_turn(of_operators(seed, module)), KEEPING_TURNS if module in KEEPING else 1
    return [ids[first::turns] for first in range(turns)]


def of_operators(seed, module):
    """Return the ids of a module's mutants, one list for each operator."""
    found = {}
    for id_ in in_order(seed, of(module)):
        found.setdefault(of(module)[id_].what, []).append(id_)
    return [found[what] for what in in_order(f"{seed} {module.removeprefix(PACKAGE)}", found)]


def in_turn(queues):
    """Interleave some lists: the first item of each, then the second of each, and so on."""
    return [each for turn in zip_longest(*queues) for each in turn if each is not None]


def prefix(module):
    """Return the prefix of the ids of a module's mutants."""
    return f"{KIND}-{module.removeprefix(PACKAGE).removeprefix('proofs.')}-"


def named(id_):
    """Return the mutant with an id."""
    return of(next(module for module in MODULES if id_.startswith(prefix(module))))[id_]


# ---- who notices


@lru_cache(maxsize=1)
def witnesses():
    """Return the stored test that noticed each mutant; it is tried first."""
    return json.loads(WITNESSES.read_text()) if WITNESSES.exists() else {}


def taken(mutant, tests, seconds=SECONDS):
    """Run tests with a change; return `(what the process said, seconds of processor time)`."""
    command = [sys.executable, "-m", "corollary.proofs.mutants.source", mutant.id, str(seconds), *tests]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    output: Any = process.stdout
    with output:
        lines = [line for line in output.read().splitlines() if line.startswith("noticed ")]
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return lines[-1].removeprefix("noticed ") if lines else "", round(used.ru_utime + used.ru_stime, 2)


def found(mutant):
    """Return `(what notices a mutant, seconds of processor time)`.

    It is the test that noticed it before, or one that runs its lines.
    """
    known = witnesses().get(mutant.id)
    said, seconds = taken(mutant, [known]) if known else ("", 0)
    if said:
        return said, seconds
    from corollary.proofs.mutants.reach import reaching

    tests = reaching(mutant, SECONDS)
    return taken(mutant, tests) if tests else ("", 0)


def main(id_, seconds, *tests):
    """Print the first test that fails with a change."""
    from corollary.proofs.mutants.tests import first_failing

    resource.setrlimit(resource.RLIMIT_CPU, (int(seconds), int(seconds) + 5))
    mutant = named(id_)
    if mutant.module in sys.modules:
        raise RuntimeError(f"{mutant.module} was imported before it was changed")
    sys.meta_path.insert(0, Finder(mutant))
    try:
        __import__(mutant.module)
        from corollary.proofs import cache
    except Exception as problem:
        print(f"noticed {BROKEN}: {type(problem).__name__}")
        return 1
    with tempfile.TemporaryDirectory() as folder:  # wrong decisions must not be kept
        cache.FOLDER, cache.RUNNING = Path(folder, "proofs"), Path(folder, "running")
        said = first_failing(*dict.fromkeys(test.split("::")[0] for test in tests), only=tests)
    print(f"\nnoticed {said}" if said else "nobody notices")
    return 1 if said else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
