"""How does the generated C become machine code?

`zig cc` from its pinned wheel compiles it: the same compiler on every machine. The results are kept under `build/` by
the hash of the sources, the flags and the compiler.
"""

import hashlib
import os
import subprocess
import sys
from pathlib import Path
from platform import libc_ver
from threading import get_ident

from corollary.codegen.folders import GENERATED, IN_TREE, PLATFORM, build_folder

KERNEL = GENERATED / "kernel"
VM = GENERATED / "vm"
STORE = GENERATED / "store"
LINK = GENERATED / "link"
VECTORS = GENERATED / "vectors"
GOVERNANCE = GENERATED / "governance"
VM_BYTES, VM_TURN = (PLATFORM / "vm" / name for name in ("bytes.c", "turn.c"))
VM_LIFE = tuple(
    PLATFORM / "vm" / name for name in ("arena.c", "load.c", "instance.c", "save.c")
)  # from a module to what is kept
EMBEDDING = GENERATED / "embedding"
VM_EMBEDDING = (
    *VM_LIFE,
    VM_TURN,
    *(PLATFORM / "vm" / name for name in ("embedding.c", "heap.c")),
    EMBEDDING / "reasons.c",
)
VM_INCLUDE = ("-I", str(VM), "-I", str(GENERATED), "-I", str(PLATFORM), "-I", str(EMBEDDING))
STORE_INCLUDE = ("-I", str(STORE))
LINK_INCLUDE = ("-I", str(LINK))
VECTORS_INCLUDE = ("-I", str(VECTORS))
GOVERNANCE_INCLUDE = ("-I", str(GOVERNANCE))
BUILD = build_folder()
PREBUILT = Path(__file__).with_name("prebuilt")
PINNED = "0.17.0"
STRICT = ("-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror")
PLAIN = ("-O2", "-g0", "-fno-sanitize=undefined", "-Wno-static-in-inline")
# every function of the model stays a function, so that each can be proved by itself; inline are builtins, and functions
# of one expression, which may use builtins
APART = (*PLAIN, "-finline-hint-functions")
HOST = (*STRICT, *PLAIN, "-flto", "-shared", "-fPIC")  # of this code nothing is proved
FLOATS = ("-ffp-contract=off",)  # a product and a sum are rounded separately
VM_FLAGS = (
    *STRICT,
    "-O2",
    "-falign-functions=32",
    "-g0",
    "-fno-sanitize=undefined",
    "-fno-strict-aliasing",
    "-fomit-frame-pointer",
    *FLOATS,
)
VM_HOST = (*VM_FLAGS, "-shared", "-fPIC", "-fvisibility=hidden", "-fno-plt", "-flto")  # visible is what a host calls
PREBUILT_FOR = {
    machine: (*VM_HOST, "-target", f"{machine}-linux-gnu.2.17") for machine in ("x86_64", "aarch64")
}  # as manylinux2014
VM_OBJECT = (
    *VM_FLAGS,
    "-target",
    "aarch64-freestanding-none",
    "-ffreestanding",
    "-fno-jump-tables",
    "-fno-stack-protector",
    "-fno-unwind-tables",
    "-fno-asynchronous-unwind-tables",
    "-fno-builtin",
)
VM_AARCH64 = (*VM_OBJECT, "-nostdlib", "-static", "-Wl,-e,corollary_run")
VM_SMALL = (*VM_OBJECT, "-Os", "-falign-functions=4", "-ffunction-sections")  # for a boot package, which has few pages
VM_RUNNING = ("handlers", "machine", "bytes")  # these take steps; compiled as in `vm_image`
# WebAssembly 2.0 without vectors and references
FEATURES = ("bulk_memory", "sign_ext", "mutable_globals", "nontrapping_fptoint", "multivalue")
WASM = (
    "-target",
    "wasm32-freestanding",
    f"-mcpu={'+'.join(('mvp', *FEATURES))}",
    "-nostdlib",
    "-Wl,--no-entry",
    "-Wl,--strip-all",
)
SCALAR = "-mcpu=generic+el2vmsa-neon-fp_armv8"  # no vectors: partitions own them; -mgeneral-regs-only alone is ignored
AARCH64 = (
    *STRICT,
    *APART,
    "-target",
    "aarch64-freestanding-none",
    SCALAR,
    "-mgeneral-regs-only",
    "-mstrict-align",
    "-ffreestanding",
    "-fno-jump-tables",
    "-fno-stack-protector",
    "-fno-unwind-tables",
    "-fno-asynchronous-unwind-tables",
    "-ffunction-sections",
)


class Unable(RuntimeError):
    """Something outside of this tree does not do what is needed.

    The message says what to do, or quotes what that program said.
    """


class CompilerMissing(Unable):
    """The pinned compiler is not installed."""


class CompilationFailed(Unable):
    """The compiler refused a source."""


def compiler():
    """The command of the C compiler."""
    from importlib import metadata  # only compiling needs this

    try:
        version = metadata.version("ziglang")
    except metadata.PackageNotFoundError:
        raise CompilerMissing(f"no C compiler: run `{sys.executable} -m pip install ziglang=={PINNED}`") from None
    if version != PINNED:
        raise CompilerMissing(
            f"ziglang {version} is not the pinned one: run `{sys.executable} -m pip install ziglang=={PINNED}`"
        )
    return [sys.executable, "-m", "ziglang", "cc"]


def run(command):
    """Run the compiler. Raises `CompilationFailed` with its output when it fails.

    An exception such as Ctrl-C ends the compiler, and the linker that it may have started.
    """
    from corollary.codegen.workers import end_family  # only compiling needs this

    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            _, said = process.communicate()
        except BaseException:
            if process.returncode is None:  # else its number may be that of another process by now
                end_family(process.pid)
            raise
    if process.returncode != 0:
        raise CompilationFailed(f"{' '.join(map(str, command))}\n{said}")


def sources(host):
    """The C files of the kernel. The empty hardware effects are included only where there is no hardware."""
    return sorted(path for path in KERNEL.glob("*.c") if host or path.name != "hardware_host.c")


def fingerprint(paths, flags, include=KERNEL):
    """The hash of everything that determines what the compiler makes of these files, with the headers of a folder."""
    digest = hashlib.sha256(" ".join((PINNED, *flags)).encode())
    for path in sorted((*paths, *include.glob("*.h"))):
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


def host_library(out_dir=BUILD / "host", extra=()):
    """Compile the kernel, and any extra C files, to a shared library for this machine. Return its path."""
    return shared("kernel", [*sources(host=True), *map(Path, extra)], out_dir)


def shared(name, paths, out_dir=BUILD / "host", include=KERNEL):
    """Compile some C files, with the headers of a folder, to a shared library for this machine. Return its path."""
    target = Path(out_dir) / f"{name}-{fingerprint(paths, HOST, include)}.so"
    return linked(target, paths, (*HOST, "-I", str(include)))


def linked(target, paths, flags):
    """Compile some C files, and link them if the flags do not forbid it. Return the path of the result.

    The file is there whole or not at all.
    """
    if not target.exists():
        target.parent.mkdir(parents=True, exist_ok=True)
        new = target.with_suffix(f".{os.getpid()}.{get_ident()}")  # another build may be making the same file
        run([*compiler(), *flags, *map(str, paths), "-o", str(new)])
        new.replace(target)
    return target


def aarch64_objects(out_dir=BUILD / "aarch64", level="-O2", paths=(), include=KERNEL, more=()):
    """Compile C files, by default those of the kernel, to object files for the final link. Return their paths.

    The level goes to the compiler proper: its driver treats -O1, -O2 and -O3 as the same. `include` is the folder of
    the headers, `more` are further flags.
    """
    from concurrent.futures import ThreadPoolExecutor

    folder = Path(out_dir) / level[1:]
    with ThreadPoolExecutor(2) as pool:
        return list(
            pool.map(lambda path: aarch64_object(path, folder, level, include, more), paths or sources(host=False))
        )


def aarch64_object(path, out_dir, level="-O2", include=KERNEL, more=()):
    """Compile one C file to an object file. Return its path."""
    flags = (*AARCH64, *more, "-Xclang", level)
    target = out_dir / f"{path.stem}-{fingerprint([path], flags, include)}.o"
    if not target.exists():
        for old in out_dir.glob(f"{path.stem}-*.o"):
            old.unlink(missing_ok=True)
        linked(target, [path], (*flags, "-I", str(include), "-c"))
    return target


def floating_objects(folder, paths):
    """Compile C files of a component that compute with floating point, for a guest; return the object files."""
    found = []
    for path in paths:
        include = path.parent
        target = folder / f"{path.stem}-{fingerprint([path], VM_SMALL, include)}.o"
        found.append(linked(target, [path], (*VM_SMALL, "-I", str(include), "-c")))
    return found


def vm_library(extra=(), out_dir=BUILD / "host"):
    """Compile the WebAssembly VM to a shared library for this machine. Return its path.

    `extra` adds compiler flags. Without any, an installed package has the library for common machines.
    """
    if not extra and serves(found := prebuilt("vm")):
        return found
    flags = (*VM_HOST, *extra)
    return linked(Path(out_dir) / f"vm-{vm_fingerprint(flags)}.so", vm_sources(*VM_EMBEDDING), (*flags, *VM_INCLUDE))


def store_library(out_dir=BUILD / "host"):
    """Do the same for the code for stored states, without extra flags."""
    if serves(found := prebuilt("store")):
        return found
    digest = fingerprint(store_sources(), VM_HOST, STORE)
    return linked(Path(out_dir) / f"store-{digest}.so", store_sources(), (*VM_HOST, *STORE_INCLUDE))


def store_sources():
    """The C files of the code for stored states."""
    return sorted(STORE.glob("*.c"))


def link_library(out_dir=BUILD / "host"):
    """Do the same for the link between two machines."""
    if serves(found := prebuilt("link")):
        return found
    digest = fingerprint(link_sources(), VM_HOST, LINK)
    return linked(Path(out_dir) / f"link-{digest}.so", link_sources(), (*VM_HOST, *LINK_INCLUDE))


def link_sources():
    """The C files of the link between two machines."""
    return sorted(LINK.glob("*.c"))


def vectors_library(out_dir=BUILD / "host"):
    """Do the same for the store of vectors."""
    if serves(found := prebuilt("vectors")):
        return found
    digest = fingerprint(vectors_sources(), VM_HOST, VECTORS)
    return linked(Path(out_dir) / f"vectors-{digest}.so", vectors_sources(), (*VM_HOST, *VECTORS_INCLUDE))


def vectors_sources():
    """The C files of the store of vectors."""
    return sorted(VECTORS.glob("*.c"))


def governance_library(out_dir=BUILD / "host"):
    """Do the same for governance."""
    if serves(found := prebuilt("governance")):
        return found
    digest = fingerprint(governance_sources(), VM_HOST, GOVERNANCE)
    return linked(Path(out_dir) / f"governance-{digest}.so", governance_sources(), (*VM_HOST, *GOVERNANCE_INCLUDE))


def governance_sources():
    """The C files of governance."""
    return sorted(GOVERNANCE.glob("*.c"))


def serves(library):
    """Is there a library of an installed package, for this machine?"""
    return not IN_TREE and library.exists() and libc_ver()[0] == "glibc"


def prebuilt(name, machine=None):
    """Return the path of a library for a kind of machine, by default for this one; only a wheel holds the file."""
    return PREBUILT / f"{name}-{machine or os.uname().machine}.so"


def prebuild():
    """Compile the libraries for each kind of machine that a wheel serves."""
    PREBUILT.mkdir(exist_ok=True)
    libraries = {
        "vm": (vm_sources(*VM_EMBEDDING), VM_INCLUDE),
        "store": (store_sources(), STORE_INCLUDE),
        "link": (link_sources(), LINK_INCLUDE),
        "vectors": (vectors_sources(), VECTORS_INCLUDE),
        "governance": (governance_sources(), GOVERNANCE_INCLUDE),
    }
    for machine, flags in PREBUILT_FOR.items():
        for name, (paths, include) in libraries.items():
            prebuilt(name, machine).unlink(missing_ok=True)
            linked(prebuilt(name, machine), paths, (*flags, *include))


def vm_sources(*more):
    """The C files of the WebAssembly VM and some more, by name.

    A library adds what programs in C call (`VM_EMBEDDING`). Without a C library, the file with what a C library has is
    added.
    """
    return sorted((*VM.glob("*.c"), *more), key=lambda path: path.name)


def vm_image(out_dir=BUILD / "aarch64"):
    """Compile the WebAssembly VM for AArch64, in the form in which its handlers are proved. Return its path."""
    return linked(
        Path(out_dir) / f"vm-{vm_fingerprint(VM_AARCH64)}.elf", vm_sources(VM_BYTES), (*VM_AARCH64, *VM_INCLUDE)
    )


def vm_objects(out_dir=BUILD / "aarch64"):
    """Compile each C file of the WebAssembly VM to an object file. Return their paths.

    The files that run are compiled as in `vm_image`. The files that take modules in are compiled to be small.
    """
    folder = Path(out_dir) / f"vm-{vm_fingerprint((*VM_OBJECT, *VM_SMALL))}"
    flags = {path: VM_OBJECT if path.stem in VM_RUNNING else VM_SMALL for path in vm_sources(VM_BYTES, *VM_LIFE)}
    return [linked(folder / f"{path.stem}.o", [path], (*chosen, *VM_INCLUDE, "-c")) for path, chosen in flags.items()]


def vm_fingerprint(flags):
    """The hash of everything that determines what the compiler makes of the VM; flags may name more C files."""
    digest = hashlib.sha256(" ".join((PINNED, *flags)).encode())
    more = [Path(flag) for flag in flags if flag.endswith(".c")]
    for path in (
        *(path for folder in (VM, EMBEDDING, PLATFORM / "vm") for path in sorted(folder.glob("*.[ch]"))),
        *more,
    ):
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]
