"""How does the VM run in a build that checks itself?

`python -m tests.wasm.sanitized MODULE ARGUMENTS...` runs a module with a VM that checks every access to arrays, stack
and globals. Undefined behaviour in C also ends the process, and so does a call that breaks its function's precondition.
With `--races` before the module, the VM instead reports two threads that access the same memory when nothing orders
them. Options that begin with `-D` go to the compiler.

The compiler is the pinned one. The libraries that check at run time (AddressSanitizer, ThreadSanitizer) are of a
package of Debian. They see what the VM does, and all locks, threads and atomic accesses of the process.
"""

import os
import runpy
import shutil
import sys
from dataclasses import dataclass

from corollary.codegen import build
from tests import debian

PACKAGE = "libclang-rt-19-dev"
FOLDER = "usr/lib/llvm-19/lib/clang/19/lib/linux"
UNCHECKED = ("-g0", "-fno-sanitize=undefined")
LINK = ("-shared", "-Wl,-z,undefs")  # symbols of the run-time library are missing until the process loads it
SYMBOLIZERS = ("llvm-symbolizer", "addr2line")  # a report names files and lines if there is one of these
RACES = "--races"
LONGEST = 7  # of histories: a race with an access that is forgotten already would not be reported


@dataclass(frozen=True)
class Check:
    """A way to check: the name of its run-time library, the flags of the compiler, the environment of the process."""

    library: str
    flags: tuple
    environment: dict

    @property
    def runtime(self):
        """The path of the run-time library. Raises `PackageMissing`."""
        return debian.file(PACKAGE, f"{FOLDER}/libclang_rt.{self.library}-x86_64.so")


def symbolizer():
    """Return the option that names a program which finds files and lines, if there is one."""
    found = next(filter(None, map(shutil.which, SYMBOLIZERS)), None)
    return f"external_symbolizer_path={found}" if found else ""


def checks():
    """Return the ways to check, by the option that asks for one."""
    accesses = Check(
        "asan",
        ("-fsanitize=address", "-fsanitize=undefined", "-fsanitize-trap=undefined", "-DCHECK_REQUIRES"),
        {"ASAN_OPTIONS": "detect_leaks=0", "PYTHONMALLOC": "malloc"},
    )
    races = Check("tsan", ("-fsanitize=thread",), {"TSAN_OPTIONS": f"history_size={LONGEST} {symbolizer()}"})
    return {None: accesses, RACES: races}


def vm_library(check, defined=()):
    """Build the VM as a shared library that checks itself, and return its path."""
    usual = (flag for flag in build.VM_HOST if flag not in UNCHECKED)
    flags = (*usual, *check.flags, *defined, "-gline-tables-only", "-c")
    sources = build.vm_sources(*build.VM_EMBEDDING)
    target = build.BUILD / "host" / f"vm-{check.library}-{build.vm_fingerprint((*flags, *LINK))}.so"
    if not target.exists():
        folder, compiled = target.with_suffix(""), (*flags, *build.VM_INCLUDE)
        build.linked(
            target, [build.linked(folder / f"{source.stem}.o", [source], compiled) for source in sources], LINK
        )
    return target


def main(*given):
    """Run a module as a program, in a process with the run-time library."""
    options = [argument for argument in given[:2] if argument.startswith("-")]
    module, *arguments = given[len(options) :]
    check = checks()[RACES if RACES in options else None]
    if str(check.runtime) != os.environ.get("LD_PRELOAD"):
        environment = os.environ | check.environment | {"LD_PRELOAD": str(check.runtime)}
        os.execve(sys.executable, [sys.executable, "-m", "tests.wasm.sanitized", *given], environment)
    del os.environ["LD_PRELOAD"]  # not for the compiler
    made = vm_library(check, tuple(option for option in options if option != RACES))
    build.vm_library = lambda extra: made
    sys.argv[1:] = arguments
    runpy.run_module(module, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
