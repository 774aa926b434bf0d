"""Do the generated files match the specification, compile without a warning, and need nothing else?"""

import ctypes
import subprocess

import pytest
from elftools.elf.elffile import ELFFile

from corollary.codegen import build, kernel
from corollary.codegen.declarations import leaf_name
from corollary.codegen.expressions import snake
from corollary.codegen.image import section
from corollary.codegen.render import differing, files
from corollary.language.values import RecordMeta


@pytest.fixture(scope="module")
def made():
    """Return the text of every generated file, by its path."""
    return files()


@pytest.mark.long
def test_generated_files_are_current(made):
    assert differing(made) == []


@pytest.mark.full  # what is committed is what another process made, and that is asked above
def test_generation_is_deterministic(made):
    assert files() == made


@pytest.mark.long
def test_lines_fit_the_screen(made):
    long = [
        f"{path}:{number + 1}"
        for path, text in made.items()
        if path.startswith(("kernel/", "guest/", "vm/", "embedding/"))
        for number, line in enumerate(text.splitlines())
        if len(line) > 120
    ]
    assert long == []


def test_aarch64_objects_need_only_the_kernel_and_its_assembly():
    objects = build.aarch64_objects()
    defined, wanted = set(), set()
    for path in objects:
        symbols = [line.split() for line in symbol_table(path)]
        defined |= {line[-1] for line in symbols if len(line) == 3 and line[1] in "TRD"}
        wanted |= {line[-1] for line in symbols if len(line) == 2 and line[0] == "U"}
    assert wanted - defined == {leaf_name(function) for function in kernel.leaves()}


def test_every_function_of_the_model_is_a_function_of_the_machine_code():
    defined = {line.split()[-1] for path in build.aarch64_objects() for line in symbol_table(path)}
    assert {function.symbol for function in kernel.functions()} <= defined


def symbol_table(path):
    """Return the symbol table of an object, one symbol a line, as `nm` prints it."""
    with path.open("rb") as file:
        for symbol in section(ELFFile(file), ".symtab").iter_symbols():
            if symbol["st_info"]["bind"] not in ("STB_GLOBAL", "STB_WEAK"):
                continue
            yield f"U {symbol.name}" if symbol["st_shndx"] == "SHN_UNDEF" else f"0 T {symbol.name}"


def records():
    return [type_ for type_ in kernel.KERNEL.types if isinstance(type_, RecordMeta)]


def test_c_sees_the_layout_of_the_specification(tmp_path):
    wanted = [number for record in records() for number in measures(record)]
    source = tmp_path / "layout.c"
    source.write_text(measuring_text())
    library = build.host_library(tmp_path, extra=[source])
    found = (ctypes.c_uint64 * len(wanted)).in_dll(ctypes.CDLL(str(library)), "MEASURES")
    assert list(found) == wanted


def measures(record):
    """Return the size of a record, then the offset and size of each field."""
    return [record.layout.size, *(number for slot in record.layout.slots for number in (slot.offset, slot.size))]


def measuring_text():
    """Return C code that measures the same with `sizeof` and `offsetof`."""
    lines = ['#include "types.h"', "extern const uint64_t MEASURES[];", "const uint64_t MEASURES[] = {"]
    for record in records():
        name = f"struct {snake(record.name)}"
        lines.append(f"    sizeof({name}),")
        lines += [
            f"    offsetof({name}, {slot.name}), sizeof((({name} *)0)->{slot.name})," for slot in record.layout.slots
        ]
    return "\n".join([*lines, "};", ""])


def test_guest_stubs_compile_for_a_guest(tmp_path):
    source = tmp_path / "guest.c"
    source.write_text('#include "hypercall.h"\nuint64_t f(void);\nuint64_t f(void) { return yield_now().status; }\n')
    flags = [flag for flag in build.AARCH64 if flag != "-shared"]
    done = subprocess.run(
        [
            *build.compiler(),
            *flags,
            "-I",
            str(build.GENERATED / "guest"),
            "-c",
            str(source),
            "-o",
            str(tmp_path / "guest.o"),
        ],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
