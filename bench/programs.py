"""Which programs run on every engine, and how are they compiled to WebAssembly and native code?

Each is one C file. The same compiler builds both forms, at the same optimization level.
"""

from dataclasses import dataclass
from pathlib import Path

from corollary.codegen import build

FOLDER = Path(__file__).parent
SOURCES = {path.stem: path for path in sorted(FOLDER.glob("*.c"))}
ENTRY = "run"  # uint32_t run(uint32_t scale): does work in proportion to the scale, and returns its checksum
STACK = 1 << 14
# freestanding: no loop becomes a call of the C library; no contraction: every engine must get the same bits of a double
SAME = (
    *build.STRICT,
    "-O2",
    "-g0",
    "-ffreestanding",
    "-ffp-contract=off",
    "-fomit-frame-pointer",
    "-fno-sanitize=undefined",
)
WASM = (*SAME, *build.WASM, f"-Wl,--export={ENTRY}", f"-Wl,-z,stack-size={STACK}")
# only instructions that every processor of the kind has: by default, zig cc uses all that this one has
NATIVE = (*SAME, "-mcpu=baseline", "-shared", "-fPIC")


@dataclass(frozen=True)
class Program:
    """One program: its name, what it measures, and the paths of its two compiled forms."""

    name: str
    question: str
    wasm: Path
    library: Path


def program(name):
    """Return a program by name, compiled if necessary."""
    source = SOURCES[name]
    forms = (
        build.linked(build.BUILD / "bench" / f"{name}-{build.fingerprint([source], flags)}{suffix}", [source], flags)
        for suffix, flags in ((".wasm", WASM), (".so", NATIVE))
    )
    return Program(name, question(source), *forms)


def question(source):
    """Return what a program measures: the question at the start of its first comment."""
    opening, mark, _ = source.read_text().partition("?")
    return opening.removeprefix("/* ") + mark
