"""What is missing on this machine, and how can one get it? Everything that the commands need is looked at."""

import os
import shutil
import subprocess
import sys
from dataclasses import asdict, dataclass
from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from rich.console import Console
from rich.table import Table

from corollary.codegen.folders import IN_TREE, ROOT, build_folder
from corollary.codegen.progress import spoken
from corollary.commands import steps
from corollary.commands.measured import GIB
from corollary.emulation import installed

MEMORY, DISK = 4, 6  # GiB that a cold `make` takes
EXTRAS = {
    "": "everything",
    "verify": "verify, gen, qemu, report",
    "test": "make test",
}  # of the package: what needs each
VERSION = 60  # columns of a program's version text, at most
PATIENCE = 30  # s that a program has to print its version


@dataclass(frozen=True)
class Finding:
    """One requirement: what needs it, what was found, and what to do if that is not enough."""

    what: str
    needed_for: str
    found: str
    remedy: str = ""  # empty: it is there
    severity: str = "missing"  # if it is not: without what is "optional" or "advised", all commands run

    @property
    def verdict(self):
        """Is it there, and how bad is it if not?"""
        return self.severity if self.remedy else "good"


def findings():
    """Yield a finding for everything that the commands need: here, or where only the package is installed."""
    yield from distribution()
    yield writable(build_folder())
    if IN_TREE:
        yield from of_tree()


def of_tree():
    """Yield a finding for everything that only the commands need that work on the tree."""
    yield program(installed.QEMU, "qemu, differential tests", installed.INSTALL)
    yield program("git", "make test", "apt-get install -y git")
    yield program("make", "make", "apt-get install -y make")
    yield program("chromium", "make test: the report is opened in it", "apt-get install -y chromium", "optional")
    yield suite()
    yield room(
        "memory", os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"), MEMORY, "use a machine with more memory"
    )
    yield room("disk", shutil.disk_usage(ROOT).free, DISK, f"free some room below {ROOT}")


def distribution(name="corollary"):
    """Yield findings about what the distribution requires: Python and packages."""
    try:
        wanted, required = metadata.metadata(name)["Requires-Python"], metadata.requires(name) or ()
    except metadata.PackageNotFoundError:
        yield Finding(name, "everything", "not installed", "make")
        return
    yield python(SpecifierSet(wanted))
    for extra, needed_for in EXTRAS.items():
        if IN_TREE or not extra:
            yield from packages(list(map(Requirement, required)), extra, needed_for)


def python(wanted):
    """Return the finding about the interpreter that runs this."""
    found = ".".join(map(str, sys.version_info[:3]))
    return Finding(f"Python {wanted}", "everything", found, "" if found in wanted else f"install Python {wanted}")


def packages(pinned, extra="", needed_for="everything"):
    """Yield findings about the packages of an extra, in the versions that are pinned."""
    found = [package(wanted, needed_for) for wanted in pinned if belongs(wanted, extra)]
    good = sum(each.verdict == "good" for each in found)
    yield from (each for each in found if each.verdict != "good")
    yield Finding(
        f"{len(found)} packages", needed_for, f"{good} in the pinned versions", "" if good == len(found) else "make"
    )


def belongs(wanted, extra):
    """Does an extra bring this requirement? Those that are always there are brought by the extra without a name."""
    if wanted.marker is None:
        return not extra
    always = wanted.marker.evaluate({"extra": ""})
    return always if not extra else not always and wanted.marker.evaluate({"extra": extra})


def package(wanted, needed_for="everything"):
    """Return the finding about one package."""
    try:
        found = metadata.version(wanted.name)
    except metadata.PackageNotFoundError:
        found = "not installed"
    fits = found in wanted.specifier if found[0].isdigit() else False
    pinned = f"{wanted.name}{wanted.specifier}"
    return Finding(pinned, needed_for, found, "" if fits else f"{sys.executable} -m pip install {pinned}")


def program(name, needed_for, remedy, severity="missing"):
    """Return the finding about a program on the path, with the first line of its `--version`."""
    path = shutil.which(name)
    if path is None:
        return Finding(name, needed_for, "not on the path", remedy, severity)
    try:
        said = subprocess.run([path, "--version"], capture_output=True, text=True, timeout=PATIENCE, check=True).stdout
    except (OSError, subprocess.SubprocessError) as problem:
        return Finding(name, needed_for, f"{path} does not run: {problem}", remedy, severity)
    return Finding(name, needed_for, (said.splitlines() or [path])[0][:VERSION])


def suite():
    """Return the finding about the official WebAssembly suite, which the tests run if WASM_TESTSUITE names it."""
    named, remedy = (
        os.environ.get("WASM_TESTSUITE", ""),
        "clone github.com/WebAssembly/testsuite and set WASM_TESTSUITE to it",
    )
    there = named != "" and Path(named).is_dir()
    needed_for, found = "make test: the official suite", named or "not set"
    return Finding("WASM_TESTSUITE", needed_for, found, "" if there else remedy, "optional")


def writable(folder):
    """Return the finding about a folder that commands write to."""
    nearest = next(path for path in (folder, *folder.parents) if path.exists())
    may = os.access(nearest, os.W_OK)
    return Finding(
        str(folder),
        "results and caches",
        "writable" if may else "not writable",
        "" if may else f"chown -R $USER {nearest}",
    )


def room(what, found, wanted, remedy):
    """Return the finding about an amount in bytes: is there as much as a cold run takes?"""
    enough = found >= wanted * GIB
    return Finding(f"{wanted} GiB of {what}", "make", f"{found / GIB:.0f} GiB", "" if enough else remedy, "advised")


def takes():
    """Return what the targets of the Makefile take: seconds when nothing is kept, and what the last run took here."""
    found = [(target, steps.cold(target), steps.last(target)) for target in steps.TARGETS if target != steps.SHORT]
    return [
        {"target": target, "seconds_when_nothing_is_kept": seconds, "last": last and asdict(last)}
        for target, seconds, last in found
    ]


def as_data(found):
    """Return the findings, and what the targets of the Makefile take, as data."""
    return {
        "findings": [asdict(each) | {"verdict": each.verdict} for each in found],
        "takes": takes() if IN_TREE else [],
    }


def show(found):
    """Print the findings as a table, and what the targets of the Makefile take as another."""
    table, colour = Table(), {"good": "green", "missing": "red", "optional": "yellow", "advised": "yellow"}
    for heading in ("what", "needed for", "found", "verdict", "what to do"):
        table.add_column(heading, overflow="fold")
    for each in found:
        table.add_row(each.what, each.needed_for, each.found, f"[{colour[each.verdict]}]{each.verdict}[/]", each.remedy)
    Console().print(table)
    if IN_TREE:
        Console().print(times())


def times():
    """Return a table of what the targets of the Makefile take."""
    table = Table(title="On two cores", title_justify="left")
    for heading in ("command", "when nothing is kept", "the last time here"):
        table.add_column(heading, overflow="fold")
    for each in takes():
        target, last = each["target"], each["last"]
        command = "make" if target == "make" else f"make {target}"
        told = str(steps.Took(**last)) if last else "not run yet"
        table.add_row(command, f"about {spoken(each['seconds_when_nothing_is_kept'])}", told)
    return table
