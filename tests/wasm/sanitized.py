"""How does the VM run in a build that checks every access to arrays, stack and globals?

`python -m tests.wasm.sanitized MODULE ARGUMENTS...` runs a module with it. The compiler is the pinned one; the library
that it calls at run time (AddressSanitizer) is a package of Debian. Undefined behaviour in C also ends the process, and
so does a call that breaks its function's precondition.
"""

import os
import runpy
import sys

from codegen import build
from tests import debian

PACKAGE = "libclang-rt-19-dev"
RUNTIME = "usr/lib/llvm-19/lib/clang/19/lib/linux/libclang_rt.asan-x86_64.so"
CHECKED = ("-fsanitize=address", "-fsanitize=undefined", "-fsanitize-trap=undefined", "-DCHECK_REQUIRES")
FLAGS = (*(flag for flag in build.VM_HOST if flag not in ("-g0", "-fno-sanitize=undefined")), *CHECKED, "-gline-tables-only", "-c")
LINK = ("-shared", "-Wl,-z,undefs")     # symbols of the run-time library are missing until the process loads it


def runtime():
    """Return the path of the run-time library. Raises `PackageMissing`."""
    return debian.file(PACKAGE, RUNTIME)


def vm_library():
    """Build the VM as a shared library that checks itself, and return its path."""
    sources = build.vm_sources(build.VM_TURN)
    target = build.BUILD / "host" / f"vm-sanitized-{build.vm_fingerprint((*FLAGS, *LINK))}.so"
    if not target.exists():
        folder = target.with_suffix("")
        folder.mkdir(parents=True, exist_ok=True)
        objects = [folder / f"{source.stem}.o" for source in sources]
        for source, made in zip(sources, objects):
            build.run([*build.compiler(), *FLAGS, *build.VM_INCLUDE, str(source), "-o", str(made)])
        build.linked(target, objects, LINK)
    return target


def main(module, *arguments):
    """Run a module as a program, in a process with the run-time library."""
    if str(runtime()) != os.environ.get("LD_PRELOAD"):
        environment = os.environ | {"LD_PRELOAD": str(runtime()), "ASAN_OPTIONS": "detect_leaks=0", "PYTHONMALLOC": "malloc"}
        os.execve(sys.executable, [sys.executable, "-m", __spec__.name, module, *arguments], environment)
    del os.environ["LD_PRELOAD"]        # not for the compiler
    made = vm_library()
    build.vm_library = lambda extra: made
    sys.argv[1:] = arguments
    runpy.run_module(module, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
