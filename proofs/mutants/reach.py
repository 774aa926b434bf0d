"""Which test notices a change of the prover? The lines and the running time of each test are recorded once.

The tests that run the changed lines look for a change, the cheapest first. The test that noticed it is stored in
`witnesses.json` and is tried first from then on. So only a new change needs a search. Recording needs the package
`coverage`; nothing else does.

    python -m corollary.proofs.mutants.reach [--seed S]  records, and looks for a witness of each mutant without one
"""

import argparse
import ast
import json
import subprocess
import sys
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest

from corollary.codegen.folders import purpose
from corollary.proofs.fingerprint import digest
from corollary.proofs.mutants import source
from corollary.proofs.mutants.operators import last_name
from corollary.proofs.mutants.source import ROOT, SECONDS, WITNESSES

FOLDER = ROOT / "build/reach"
ABOUT_MUTANTS = ("test_mutants", "test_breaks")
TESTS = (
    *(
        f"proofs/{path.stem}"
        for path in sorted((ROOT / "tests/proofs").glob("test_*.py"))
        if path.stem not in ABOUT_MUTANTS
    ),
    *(f"language/test_{name}" for name in ("bits", "contracts", "loops", "machine_words", "readings")),
    *(f"machine/test_{name}" for name in ("instructions", "system", "walker")),
)
"""The test files that are about the provers."""


class Recorder:
    """A plugin of pytest that notes which lines each test runs."""

    def __init__(self, coverage, file):
        self.coverage, self.file, self.rows, self.failed = coverage, file, {}, False

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item):
        self.coverage.erase()
        self.failed, start = False, time.process_time()
        self.coverage.start()
        try:
            return (yield)
        finally:
            self.coverage.stop()
            data = self.coverage.get_data()
            lines = {
                Path(name).resolve().relative_to(ROOT).as_posix(): sorted(data.lines(name))
                for name in data.measured_files()
            }
            self.rows[item.nodeid] = [round(time.process_time() - start, 2), lines, self.failed]

    def pytest_runtest_logreport(self, report):
        self.failed |= report.failed

    def pytest_sessionfinish(self):
        self.file.parent.mkdir(parents=True, exist_ok=True)
        self.file.write_text(json.dumps(self.rows))


def record(test):
    """Record a test file, in this process."""
    from coverage import Coverage

    plugin = Recorder(Coverage(include=["proofs/*", "language/*"], data_file=None), kept(test))
    return pytest.main(["-q", "--numprocesses=0", "-p", "no:cacheprovider", f"tests/{test}.py"], plugins=[plugin])


def kept(test):
    """Return the path of the record of a test file; it depends on the texts of that file and of the prover."""
    text = (ROOT / f"tests/{test}.py").read_text()
    return FOLDER / f"{test.replace('/', '-')}-{digest(sources(), text)[:16]}.json"


@lru_cache(maxsize=1)
def sources():
    """Return the text of all modules that are changed."""
    return "".join(source.text_of(module) for module in source.MODULES)


@lru_cache(maxsize=1)
def recorded():
    """Return `(test, seconds, lines of each file)` of all tests that pass without a change, the cheapest first."""
    found = []
    for file in filter(Path.exists, map(kept, TESTS)):
        for name, (seconds, lines, failed) in json.loads(file.read_text()).items():
            if not failed:
                found.append((name, seconds, {path: frozenset(numbers) for path, numbers in lines.items()}))
    return sorted(found, key=lambda row: row[1])


def reaching(mutant, seconds):
    """Return tests that run the changed lines, within so many seconds in all, the cheapest of each kind first."""
    turns, in_turn, chosen, total = Counter(), [], [], 0
    for name, cost in running(mutant):
        kind = name.split("[")[0]
        in_turn.append((turns[kind], cost, name))
        turns[kind] += 1
    for _, cost, name in sorted(in_turn):
        if total + cost <= seconds:
            chosen.append(name)
            total += cost
    return chosen


def running(mutant):
    """Return `(test, seconds)` of all tests that run the changed lines.

    If there are none, return all tests in the test files that run other lines of the changed file.
    """
    wanted = changed_lines(mutant)
    found = [
        (name, cost)
        for name, cost, lines in recorded()
        if any(lines.get(file, frozenset()) & numbers for file, numbers in wanted.items())
    ]
    files = {name.split("::")[0] for name, _, lines in recorded() if mutant.file in lines}
    return found or [(name, cost) for name, cost, _ in recorded() if name.split("::")[0] in files]


def changed_lines(mutant):
    """Return the lines of each file that matter: the changed ones or, for a table, all that name it."""
    if mutant.function:
        return {mutant.file: frozenset(range(mutant.first, mutant.last + 1))}
    tree = ast.parse((ROOT / mutant.file).read_text())
    statement = next(node for node in tree.body if node.lineno <= mutant.first <= node.end_lineno)
    names = {node.id for node in ast.walk(statement) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    paths = sorted((ROOT / "proofs").rglob("*.py"))
    return {str(path.relative_to(ROOT)): lines for path in paths if (lines := naming(path, names))}


def naming(path, names):
    """Return the lines of a file's functions that contain one of some names."""
    functions: list[Any] = [node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.FunctionDef)]
    found: list[Any] = [node for function in functions for node in ast.walk(function)]
    return frozenset(node.lineno for node in found if last_name(node) in names)


def searched(mutant):
    """Return what notices a mutant that has no witness, and the seconds of processor time."""
    return source.taken(mutant, reaching(mutant, SECONDS))


def main(arguments=None):
    """Record what is not recorded yet, and store each witness that is found for a mutant."""
    parser = argparse.ArgumentParser(prog="python -m corollary.proofs.mutants.reach", description=purpose(__doc__))
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--record", metavar="TEST", help="record one file of tests in this process")
    parser.add_argument("--workers", type=int, default=2)
    chosen = parser.parse_args(arguments)
    if chosen.record:
        return record(chosen.record)
    for test in TESTS:
        if not kept(test).exists():
            subprocess.run(
                [sys.executable, "-m", "corollary.proofs.mutants.reach", "--record", test], cwd=ROOT, check=False
            )
    known = dict(source.witnesses())
    missing = [mutant for mutant in source.sample(chosen.seed) if mutant.id not in known]
    with ThreadPoolExecutor(chosen.workers) as pool:
        for mutant, (said, seconds) in zip(missing, pool.map(searched, missing)):
            print(f"{mutant.id} {seconds} s {said or 'nobody notices'}\n    {mutant.change}", flush=True)
            if said.startswith("test: "):
                known[mutant.id] = said.removeprefix("test: ")
                WITNESSES.write_text(json.dumps(known, indent=1, sort_keys=True) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
