"""What is missing on this machine, and how can one get it? Everything that the commands need is looked at."""

import json
import os
import shutil
import subprocess
import sys
from dataclasses import asdict, dataclass
from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement
from rich.console import Console
from rich.table import Table

from codegen.folders import ROOT

OLDEST = (3, 11)
MEMORY, DISK = 4, 6         # GiB that a cold `make` takes
GIB = 1 << 30
VERSION = 60                # columns of a program's version text, at most
PATIENCE = 30               # s that a program has to print its version


@dataclass(frozen=True)
class Finding:
    """One requirement: what needs it, what was found, and what to do if that is not enough."""

    what: str
    needed_for: str
    found: str
    remedy: str = ""        # empty: it is there
    optional: bool = False  # without it all commands run

    @property
    def verdict(self):
        """Is it there, and must it be?"""
        return "good" if not self.remedy else "missing" if not self.optional else "optional"


def findings():
    """Yield a finding for everything that the commands need."""
    yield python()
    yield from packages()
    yield program("qemu-system-aarch64", "qemu, differential tests", "apt-get install -y qemu-system-arm")
    yield program("git", "make test", "apt-get install -y git")
    yield program("make", "make", "apt-get install -y make")
    yield program("chromium", "make test: the report is opened in it", "apt-get install -y chromium", optional=True)
    yield suite()
    yield writable(ROOT / "build")
    yield room("memory", os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"), MEMORY, "use a machine with more memory")
    yield room("disk", shutil.disk_usage(ROOT).free, DISK, f"free some room below {ROOT}")


def python():
    """Return the finding about the interpreter that runs this."""
    found = ".".join(map(str, sys.version_info[:3]))
    wanted = ".".join(map(str, OLDEST))
    return Finding(f"Python {wanted}", "everything", found, "" if sys.version_info >= OLDEST else f"install Python {wanted} or later")


def packages(name="corollary"):
    """Yield findings about the packages that the distribution requires, in the versions that it pins."""
    try:
        pinned = [Requirement(text) for text in metadata.requires(name) or ()]
    except metadata.PackageNotFoundError:
        yield Finding(name, "everything", "not installed", "make")
        return
    found = [package(wanted) for wanted in pinned if wanted.marker is None or wanted.marker.evaluate({"extra": ""})]
    good = sum(each.verdict == "good" for each in found)
    yield from (each for each in found if each.verdict != "good")
    yield Finding(f"{len(found)} packages", "everything", f"{good} in the pinned versions", "" if good == len(found) else "make")


def package(wanted):
    """Return the finding about one package."""
    try:
        found = metadata.version(wanted.name)
    except metadata.PackageNotFoundError:
        found = "not installed"
    fits = found in wanted.specifier if found[0].isdigit() else False
    return Finding(str(wanted), "everything", found, "" if fits else f"{sys.executable} -m pip install {wanted}")


def program(name, needed_for, remedy, optional=False):
    """Return the finding about a program on the path, with the first line of its `--version`."""
    path = shutil.which(name)
    if path is None:
        return Finding(name, needed_for, "not on the path", remedy, optional)
    try:
        said = subprocess.run([path, "--version"], capture_output=True, text=True, timeout=PATIENCE, check=True).stdout
    except (OSError, subprocess.SubprocessError) as problem:
        return Finding(name, needed_for, f"{path} does not run: {problem}", remedy, optional)
    return Finding(name, needed_for, (said.splitlines() or [path])[0][:VERSION])


def suite():
    """Return the finding about the official WebAssembly suite, which the tests run if WASM_TESTSUITE names it."""
    named, remedy = os.environ.get("WASM_TESTSUITE", ""), "clone github.com/WebAssembly/testsuite and set WASM_TESTSUITE to it"
    there = named != "" and Path(named).is_dir()
    return Finding("WASM_TESTSUITE", "make test: the official suite", named or "not set", "" if there else remedy, optional=True)


def writable(folder):
    """Return the finding about a folder that commands write to."""
    nearest = next(path for path in (folder, *folder.parents) if path.exists())
    may = os.access(nearest, os.W_OK)
    return Finding(str(folder), "results and caches", "writable" if may else "not writable", "" if may else f"chown -R $USER {nearest}")


def room(what, found, wanted, remedy):
    """Return the finding about an amount in bytes: is there as much as a cold run takes?"""
    return Finding(f"{wanted} GiB of {what}", "make", f"{found / GIB:.0f} GiB", "" if found >= wanted * GIB else remedy, optional=True)


def show(found, as_json=False):
    """Print the findings as a table, or as JSON."""
    if as_json:
        print(json.dumps([asdict(each) | {"verdict": each.verdict} for each in found], indent=1))
        return
    table, colour = Table(), {"good": "green", "missing": "red", "optional": "yellow"}
    for heading in ("what", "needed for", "found", "verdict", "what to do"):
        table.add_column(heading, overflow="fold")
    for each in found:
        table.add_row(each.what, each.needed_for, each.found, f"[{colour[each.verdict]}]{each.verdict}[/]", each.remedy)
    Console().print(table)
