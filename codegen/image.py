"""How do kernel and platform become the one image that boots?

The pinned compiler makes the same bytes anywhere. Every boot uses this one file. Guests lie beside it in a package
(emulation/package.py). The harness that runs traces lies beside it, too.
"""

import hashlib
import os
import re
import tempfile
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

from elftools.elf.elffile import ELFFile

from corollary.codegen import build, platform
from corollary.codegen.folders import GENERATED, PLATFORM, ROOT, TEMPLATES
from corollary.codegen.kernel import KERNEL

GUEST_SOURCES = ROOT / "guests"
WRITTEN = PLATFORM / "kernel"  # by hand
LAID_OUT = GENERATED / "platform"
HARNESS = LAID_OUT / "harness"
BEGINNING = "start.S"  # for the kernel, and again for a harness
OBJECTS = build.BUILD / "objects"
INCLUDE = re.compile(r"^\s*#\s*include\s*(.)([^\">\n]*)", re.MULTILINE)
TARGET = ("-target", "aarch64-freestanding-none")
WHOLE = "-mcpu=cortex_a72"  # for guests, and for assembly that saves their vector registers
SMALL = ("-Os", "-fdata-sections")  # for guests, as a boot package has few pages
COMPILE = (
    *TARGET,
    "-std=gnu11",
    "-O2",
    "-g0",
    "-ffreestanding",
    "-fno-builtin",
    "-mgeneral-regs-only",
    "-mstrict-align",
    "-fno-jump-tables",
    "-fno-sanitize=undefined",
    "-fno-stack-protector",
    "-fno-pic",
    "-fno-unwind-tables",
    "-fno-asynchronous-unwind-tables",
    "-ffunction-sections",
    "-Wall",
    "-Wextra",
    "-Werror",
)
ALONE = (*TARGET, build.SCALAR, "-nostdlib", "-static", "-Wl,--build-id=none", "-Wl,-e,0")
LINK = (*TARGET, build.SCALAR, "-nostdlib", "-static", "-Wl,--build-id=none", "-Wl,-e,start", "-Wl,--gc-sections")


def kernel_image(out=build.BUILD, level="-O2"):
    """Build the kernel. Return its path.

    The kernel that ships is built with -O2. At another level, only the model's functions differ.
    """
    name = "kernel.elf" if level == "-O2" else f"kernel{level}.elf"
    key = fingerprint(build.KERNEL, WRITTEN, LAID_OUT, more=(level,))
    return cached(Path(out) / name, lambda image: link_kernel(image, level), key)


def component_image(folder, paths, missing, level="-O2"):
    """Link C files of a component, with headers beside them, to a file that is proved and never runs, in a folder.

    Return its path. Functions that are `missing` have the address 0.
    """
    objects = component_objects(folder, paths, level)
    key = fingerprint(files=objects, more=(ALONE, *missing))
    return cached(folder / f"component{level}.elf", lambda target: link_alone(target, objects, missing), key)


def component_objects(folder, paths, level="-O2"):
    """Compile C files of a component to object files in a folder; return their paths. A guest may link the same ones.

    The compiler and its flags are the kernel's, without warnings: what looks odd in a model is to be proved or refuted.
    """
    return build.aarch64_objects(folder, level, [*paths, build.VM_BYTES], paths[0].parent, ("-w",))


def link_alone(target, objects, missing):
    """Link objects that need nothing of a machine."""
    script = write(target.with_suffix(".ld"), "".join(f"PROVIDE({symbol} = 0);\n" for symbol in missing))
    build.run([*build.compiler(), *ALONE, f"-Wl,-T,{script}", "-o", str(target), *map(str, objects)])


def harness_image(kernel):
    """Build the harness for a kernel. Return its path, which is beside the kernel's.

    The harness runs traces for the host on a kernel that is loaded unchanged.
    """
    key = fingerprint(WRITTEN, LAID_OUT, TEMPLATES / "platform", more=(image_hash(kernel),))
    return cached(kernel.with_name(f"{kernel.stem}-harness.elf"), partial(link_harness, kernel), key)


def cached(target, make, key):
    """Make a file anew only when the key says that something it is made of has changed. Return its path."""
    note = target.with_suffix(".key")
    if not target.exists() or not note.exists() or note.read_text() != key:
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=target.parent) as folder:  # two builds at once do not collide
            make(Path(folder) / target.name)
            os.replace(Path(folder) / target.name, target)
        note.write_text(key)
    return target


def fingerprint(*folders, files=(Path(__file__), Path(build.__file__)), more=()):
    """The hash of all files in some folders, some more files, flags, the compiler's version, and `more`."""
    digest = hashlib.sha256(repr((build.PINNED, build.AARCH64, WHOLE, SMALL, COMPILE, LINK, more)).encode())
    for path in sorted([*files, *(path for folder in folders for path in folder.rglob("*") if path.is_file())]):
        digest.update(path.as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


def image_hash(image):
    """The SHA-256 of a file that boots."""
    return hashlib.sha256(Path(image).read_bytes()).hexdigest()


def link_kernel(image, level="-O2"):
    """Link the platform and the model, without any guests."""
    link_with(image, build.aarch64_objects(level=level))


def link_with(image, model):
    """Link the platform and the objects of a model. Return the path of the result."""
    files = sorted((*WRITTEN.iterdir(), *LAID_OUT.iterdir()), key=lambda path: path.name)
    sources = [path for path in files if path.suffix in (".c", ".S")]
    objects = compile_all(sources, image.parent, build.KERNEL, WRITTEN, LAID_OUT)
    return link(image, LAID_OUT / "link.ld", [*objects, *model], kept())


def kept():
    """Flags that keep a function in the image when all who call it have a copy: it is proved by itself, too."""
    return [f"-Wl,-u,{function.symbol}" for unit in KERNEL.units.values() for function in unit.copied]


def link_harness(kernel, image):
    """Link the kernel's start code with tables that also map the harness.

    Every other function is called in the kernel.
    """
    folder = image.parent
    values = platform.values(platform.HARNESS_REGIONS) | {"symbols": symbols(kernel)}
    script = write(folder / "harness.ld", platform.lay_out("harness.ld", "harness.ld", **values))
    sources = [LAID_OUT / BEGINNING, *(HARNESS / name for name in platform.HARNESS_NAMES)]
    link(image, script, compile_all(sources, folder, build.KERNEL, WRITTEN, LAID_OUT))


def section(elf, name: str) -> Any:
    """Return a section of an open image. Raises `LookupError` if it has none of this name."""
    found = elf.get_section_by_name(name)
    if found is None:
        raise LookupError(f"the image has no section {name}")
    return found


def symbols(image):
    """The global symbols of an image with their values, by name."""
    with Path(image).open("rb") as file:
        found = section(ELFFile(file), ".symtab").iter_symbols()
        return sorted((each.name, each["st_value"]) for each in found if each["st_info"]["bind"] == "STB_GLOBAL")


def compile_all(sources, folder, *include):
    """Compile some sources. Return their object files."""
    with ThreadPoolExecutor(2) as pool:
        return list(pool.map(lambda path: compile_source(path, folder, *include), sources))


def compile_source(path, folder, *include):
    """Compile one source, if it has not been compiled from the same text before. Return its object file.

    The names in it do not depend on where the tree lies. Boots differ in few of the headers that are laid out for one.
    """
    processor = WHOLE if path.suffix == ".S" or path.parent == GUEST_SOURCES else build.SCALAR
    flags = (*COMPILE, processor, *(SMALL if path.parent == GUEST_SOURCES else ()))
    folders = (folder, *include)
    digest = hashlib.sha256(repr((build.PINNED, flags)).encode())
    for name, text in read_to_compile(path, folders):
        digest.update(name.encode() + b"\0" + text + b"\0")
    target = OBJECTS / f"{path.name}-{digest.hexdigest()[:32]}.o"
    return build.linked(
        target, [path], (*flags, f"-ffile-prefix-map={ROOT}=.", *(f"-I{folder}" for folder in folders), "-c")
    )


def read_to_compile(path, folders):
    """Return `(name, contents)` of a source and of all files of this project that it includes, directly or not.

    They are those that the compiler takes: beside the file that includes them, or in the first folder that has them.
    Conditions are not looked at. Raises `ValueError` for an include whose file a macro names.
    """
    found, pending = {path: path.read_bytes()}, [path]
    while pending:
        source = pending.pop()
        for opening, name in INCLUDE.findall(found[source].decode()):
            if opening not in ('"', "<"):
                raise ValueError(f"{source}: an include says its file in quotes or brackets, here it says {opening}")
            places = (folder / name for folder in ((source.parent,) if opening == '"' else ()) + folders)
            included = next(filter(Path.is_file, places), None)
            if included is not None and included not in found:
                found[included] = included.read_bytes()
                pending.append(included)
    return [(file.name, text) for file, text in found.items()]


def link(target, script, objects, more=()):
    """Link objects in the given order, with further flags. Return the path of the result."""
    build.run([*build.compiler(), *LINK, *more, f"-Wl,-T,{script}", "-o", str(target), *map(str, objects)])
    return target


def write(path, text):
    """Write a file. Return its path."""
    path.write_text(text)
    return path


def main():
    """Build the kernel. Print its hash and its path."""
    made = kernel_image()
    print(f"{image_hash(made)}  {made.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
