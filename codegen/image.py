"""How do kernel, platform and guests become one image? Compiled and linked by the pinned compiler, the same bytes anywhere."""

import hashlib
import os
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from elftools.elf.elffile import ELFFile

from codegen import build, declarations, platform
from codegen.agents import contents, laid_out
from codegen.attest import attested
from codegen.folders import GENERATED, ROOT, TEMPLATES
from host.snapshot import FORMAT, HEADER, KEY, MAGIC, Reason, key_mark, machine_digest
from model.boot import PACKAGE_LIMIT
from spec.memory_map import PAGE, REGIONS, KiB

GUEST_SOURCES = ROOT / "guests"
PLATFORM = GENERATED / "platform"
GUESTS = ("worker", "worker", "auditor", "hostile")     # after root, in the order of their partitions
SHARED = ("runtime.S", "runtime.c", "model.c", "registers.S", "registers.c")
MAKES_OTHERS, RUNS_MODULES = ("keeper.c",), ("room.c", "load.c", "instance.c")
RUNS_AGENTS = (*RUNS_MODULES, "service.c", "keep.c", "seal.c")
MORE = {"root": MAKES_OTHERS, "warden": MAKES_OTHERS, "agent": RUNS_AGENTS, "examinee": RUNS_MODULES}   # what a guest consists of besides
VM_STACK = 4 * KiB
BORROWED = ("proof", "sha256")                          # files of the kernel that guests link
ONLY_IMAGE = {"report.c", "power_on.c", "translation.S"}
TARGET = ("-target", "aarch64-freestanding-none")
WHOLE = "-mcpu=cortex_a72"      # for guests, and for assembly that saves their vector registers
COMPILE = (*TARGET, "-std=gnu11", "-O2", "-g0", "-ffreestanding", "-fno-builtin", "-mgeneral-regs-only", "-mstrict-align",
           "-fno-jump-tables", "-fno-sanitize=undefined", "-fno-stack-protector", "-fno-pic", "-fno-unwind-tables",
           "-fno-asynchronous-unwind-tables", "-ffunction-sections", "-Wall", "-Wextra", "-Werror")
LINK = (*TARGET, build.SCALAR, "-nostdlib", "-static", "-Wl,--build-id=none", "-Wl,-e,start", "-Wl,--gc-sections")


class PackageTooLarge(RuntimeError):
    """The kernel takes no boot package of so many pages."""


@dataclass(frozen=True)
class Guest:
    """A flat guest image, and how many pages of code and of data it has."""

    name: str
    text: int
    data: int

    @property
    def pages(self):
        """All of them."""
        return self.text + self.data


def kernel_image(out=build.BUILD, level="-O2"):
    """The image with its guests; its path. What ships is -O2; at another level, only the model's functions differ."""
    name = "kernel.elf" if level == "-O2" else f"kernel{level}.elf"
    return cached(Path(out) / name, lambda image: link_kernel(image, level))


def server_image(out=build.BUILD):
    """The image that runs traces for the host; its path."""
    return cached(Path(out) / "server.elf", link_server)


def agents_image(agents, out=build.BUILD, key=bytes(KEY), guest="agent"):
    """The image with some agents, each in a guest that runs it; its path. What they keep, and go on with, is sealed with the key."""
    made_of = repr((agents, [agent.module for agent in agents], snapshots(key), guest))
    return cached(Path(out) / "agents.elf", lambda image: link_kernel(image, package=partial(agents_package, agents, key, guest)),
                  hashlib.sha256(made_of.encode()).hexdigest())


def cached(image, make, more=""):
    """An image, made anew only when something it is made of has changed, or `more` that decides about it."""
    key, note = fingerprint() + more, image.with_suffix(".key")
    if not image.exists() or not note.exists() or note.read_text() != key:
        image.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=image.parent) as folder:   # two builds at once do not meet
            make(Path(folder) / image.name)
            os.replace(Path(folder) / image.name, image)
        note.write_text(key)
    return image


def fingerprint():
    """The hash of all sources, templates, flags and the compiler's version."""
    folders = (GENERATED, GUEST_SOURCES, TEMPLATES / "platform")
    digest = hashlib.sha256(repr((build.PINNED, build.AARCH64, WHOLE, COMPILE, LINK, attested())).encode())
    for path in sorted([Path(__file__), Path(build.__file__), *(path for folder in folders for path in folder.rglob("*") if path.is_file())]):
        digest.update(path.relative_to(ROOT).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


def image_hash(image):
    """SHA-256 of the file that boots."""
    return hashlib.sha256(Path(image).read_bytes()).hexdigest()


def link_kernel(image, level="-O2", package=None):
    """Guests first, then the boot package, then the kernel around it."""
    folder = image.parent
    package = compile_source((package or boot_package)(folder), folder, PLATFORM)
    common = [path for path in platform_sources() if path.name not in ("server.c",)]
    link(image, PLATFORM / "link.ld", [*compile_all(common, folder, build.KERNEL, PLATFORM), package, *build.aarch64_objects(level=level)])


def link_server(image):
    """The same kernel and platform, but for what speaks to guests."""
    folder = image.parent
    common = [path for path in platform_sources() if path.name not in ONLY_IMAGE]
    own = [PLATFORM / "server" / name for name in platform.SERVER_NAMES]
    link(image, PLATFORM / "link.ld", [*compile_all([*common, *own], folder, build.KERNEL, PLATFORM), *build.aarch64_objects()])


def platform_sources():
    """What is compiled for the platform."""
    return [path for path in sorted(PLATFORM.glob("*")) if path.suffix in (".c", ".S")]


def boot_package(folder):
    """Write the assembly that carries the guests of the demonstration; its path."""
    others = {name: guest_image(name, folder) for name in dict.fromkeys(GUESTS)}
    return packaged(folder, "root", [others[name] for name in GUESTS])


def agents_package(agents, key, guest, folder):
    """Write the assembly that carries agents, and the guests that they need; its path."""
    write(folder / "agents.h", platform.lay_out("agents.h", "agents.h", agents=laid_out(agents)))
    write(folder / "kept.h", platform.lay_out("kept.h", "kept.h", **snapshots(key)))
    return packaged(folder, "warden", [guest_image("auditor", folder), guest_image(guest, folder), *(module_image(agent, folder) for agent in agents)])


def packaged(folder, first, images):
    """Write the assembly that carries the first guest and what it finds behind itself; its path. Raises `PackageTooLarge`."""
    write(folder / "package.h", platform.lay_out("package.h", "package.h", images=images, commit=attested()))
    images = [guest_image(first, folder), *images]
    pages = sum(image.pages for image in images)
    if pages > PACKAGE_LIMIT:
        raise PackageTooLarge(f"the guests have {pages} pages, and the kernel takes {PACKAGE_LIMIT}")
    return write(folder / "package.S", platform.lay_out("package.S", "package.S", images=images))


def guest_image(name, folder):
    """Compile and link one guest, and lay its bytes out as they will lie in memory."""
    sources = [GUEST_SOURCES / f"{part}" for part in (f"{name}.c", *MORE.get(name, ()), *SHARED)]
    objects = compile_all(sources, folder, GENERATED, GENERATED / "guest", PLATFORM, GUEST_SOURCES, build.KERNEL, folder)
    borrowed = [path for path in build.aarch64_objects() if path.name.rsplit("-", 1)[0] in BORROWED]
    vm = build.vm_objects() if set(RUNS_MODULES) <= set(MORE.get(name, ())) else ()
    elf = link(folder / f"{name}.elf", vm_script(folder) if vm else PLATFORM / "guest.ld", [*objects, *borrowed, *vm])
    return flatten(name, elf, folder / f"{name}.bin")


def vm_script(folder):
    """Write the linker script of a guest with the VM, which needs more stack than others; its path."""
    return write(folder / "vm.ld", platform.lay_out("vm.ld", "guest.ld", **platform.values(REGIONS) | {"guest_stack": VM_STACK}))


def module_image(agent, folder):
    """Lay out the pages of an agent's module and snapshot, but for those of zeros."""
    pages = [page for page in contents(agent) if any(page)]
    made = Guest(f"module-{agent.name}", 0, len(pages))
    (folder / f"{made.name}.bin").write_bytes(b"".join(pages))
    return made


def snapshots(key):
    """What a guest must know of snapshots, from the host's side of them."""
    return {"magic": MAGIC, "version": FORMAT, "header_size": HEADER.size, "machine": machine_digest(), "key": key, "key_mark": key_mark(key),
            "reason": declarations.scalar(Reason), "taken": Reason.bound}


def flatten(name, elf, target):
    """Write the loaded bytes of a guest in whole pages."""
    with elf.open("rb") as file:
        image = ELFFile(file)
        start, middle, end = (symbol(image, wanted) for wanted in ("start", "data_start", "image_end"))
        flat = bytearray(end - start)
        for segment in image.iter_segments("PT_LOAD"):
            at = segment["p_vaddr"] - start
            flat[at:at + segment["p_filesz"]] = segment.data()
    target.write_bytes(flat)
    return Guest(name, (middle - start) // PAGE, (end - middle) // PAGE)


def symbol(image, name):
    """The value of a symbol of an ELF file."""
    return image.get_section_by_name(".symtab").get_symbol_by_name(name)[0]["st_value"]


def compile_all(sources, folder, *include):
    """The object files of some sources."""
    with ThreadPoolExecutor(2) as pool:
        return list(pool.map(lambda path: compile_source(path, folder, *include), sources))


def compile_source(path, folder, *include):
    """The object file of one source; the names in it do not depend on where the tree lies."""
    target = folder / f"{path.name}.o"
    processor = WHOLE if path.suffix == ".S" or path.parent == GUEST_SOURCES else build.SCALAR
    build.run([*build.compiler(), *COMPILE, processor, f"-ffile-prefix-map={ROOT}=.", *(f"-I{path}" for path in (folder, *include)),
               "-c", str(path), "-o", str(target)])
    return target


def link(target, script, objects):
    """Link objects in the given order; the path of the result."""
    build.run([*build.compiler(), *LINK, f"-Wl,-T,{script}", "-o", str(target), *map(str, objects)])
    return target


def write(path, text):
    """Write a file; its path."""
    path.write_text(text)
    return path


def main():
    """Build both images; say where they are and what they hash to."""
    for made in (kernel_image(), server_image()):
        print(f"{image_hash(made)}  {made.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
