"""How do guests become a boot package, the file loaded beside the kernel? Its header is in spec/kernel/package.py.

The kernel's own check, a function of the model, decides whether the kernel takes a package.
"""

import struct
from dataclasses import dataclass, field
from functools import partial
from itertools import compress
from pathlib import Path

from elftools.elf.elffile import ELFFile

from corollary.codegen import build, declarations, image, platform
from corollary.codegen.build import Unable
from corollary.codegen.folders import GENERATED, PLATFORM, TEMPLATES
from corollary.codegen.image import (
    GUEST_SOURCES,
    LAID_OUT,
    WRITTEN,
    cached,
    compile_all,
    component_objects,
    fingerprint,
    link,
    symbols,
    write,
)
from corollary.codegen.libraries import LIBRARIES
from corollary.codegen.released import machine_identity
from corollary.emulation.agents import LASTING, contents, first_pages, is_managed, is_there, laid_out, plan_of, stores
from corollary.emulation.agents import packed as modules_of
from corollary.emulation.attest import Attested, attested
from corollary.emulation.layout import numbers
from corollary.language.layout import decode, encode
from corollary.model.kernel.package import fault
from corollary.snapshot import FORMAT, HEADER, KEY, MAGIC, OPENING, Reason, key_mark
from corollary.spec.kernel.limits import PACKAGE_LIMIT
from corollary.spec.kernel.memory_map import PAGE, REGIONS, KiB
from corollary.spec.kernel.package import PACKAGE_MAGIC, PACKAGE_VERSION, PackageFault, PackageHeader

GUESTS = ("worker", "worker", "auditor", "hostile")  # after root, in the order of their partitions
SHARED = ("runtime.S", "runtime.c", "model.c", "registers.S", "registers.c")
SEALS = ("seal.c", "blocks.S")
HASHES = "sha256.S"  # of the kernel's platform: the instructions of the processor for it
MAKES_OTHERS = ("creator.c",)
RUNS_AGENTS = ("service.c", "calls.c", "reading.c", "orders.c", "origin.c", "saving.c", *SEALS)
KEEPS_BLOCKS = ("large.c", "heat.c")
GIVES_ADVICE = ("advised.c", "counsel.c")
MANAGES = ("moves.c", "naps.c", "trials.c", "cold.c", "ward.c", "origin.c", *KEEPS_BLOCKS, *SEALS, *GIVES_ADVICE)
HOUSES_AGENTS = (*MAKES_OTHERS, "housing.c", "origin.c")
MORE = {
    "root": MAKES_OTHERS,
    "shares": MAKES_OTHERS,
    "tenancy": (*MAKES_OTHERS, "large.c"),
    "halving": (*MAKES_OTHERS, "large.c", "origin.c"),
    "keeper": (*MAKES_OTHERS, "origin.c"),
    "linking": MAKES_OTHERS,
    "peer": ("stream.c",),
    "race": (*MAKES_OTHERS, "stints.c"),
    "racer": ("stints.c",),
    "warden": (*HOUSES_AGENTS, "library.c"),
    "steward": (*HOUSES_AGENTS, "large.c"),
    "reviver": HOUSES_AGENTS,
    "manager": ("near.c", *MANAGES),
    "far": ("manager.c", "mail.c", "stream.c", *MANAGES),
    "placer": ("census.c", "counsel.c"),
    "librarian": ("desk.c",),
    "agent": RUNS_AGENTS,
}
"""The files of each guest, besides its own and the ones that all share."""
RUNS_MODULES = ("agent", "examinee")  # with the VM
DRIVES = {
    "manager": ("manager", "store"),
    "far": ("manager", "store", "link"),
    "peer": ("link",),
    "placer": ("placement",),
    "librarian": ("vectors",),
}
"""Guests with the C of components."""
STACKS = {"agent": 4 * KiB, "examinee": 4 * KiB, "steward": 2432, "reviver": 2432, "manager": 2432, "far": 2432}
"""Bytes of the stacks of guests that need more than others."""
BORROWED = ("proof", "sha256")  # files of the kernel that guests link; a component may have less of them


class BadPackage(Unable):
    """The kernel does not take this boot package; the message names the file, what is wrong, and its sizes."""


@dataclass(frozen=True)
class System:
    """What boots: the kernel, the same for all, the package that is loaded beside it, and what the host attests."""

    kernel: Path
    package: Path
    attested: Attested = field(default_factory=attested)


@dataclass(frozen=True)
class Guest:
    """A flat guest image, and how many pages of code and of data it has."""

    name: str
    text: int
    data: int

    @property
    def pages(self):
        """How many pages it has in all."""
        return self.text + self.data


def demonstration(out=build.BUILD):
    """Return the kernel with the guests of the demonstration. Raises `BadPackage`."""
    return beside(out, "guests.package", partial(guests_package, "root", GUESTS))


def rivals(out=build.BUILD):
    """Return the kernel with a victim and a partition that makes long calls. Raises `BadPackage`."""
    return beside(out, "rivals.package", partial(guests_package, "shares", ("rival", "rival")))


def tenants(out=build.BUILD):
    """Return the kernel with two partitions that have the same large memory in turn. Raises `BadPackage`."""
    return beside(out, "tenancy.package", partial(guests_package, "tenancy", ("tenant", "tenant")))


def halves(out=build.BUILD):
    """Return the kernel with a guest that becomes two partitions, which become one. Raises `BadPackage`."""
    return beside(out, "halving.package", partial(guests_package, "halving", ("half", "half")))


def racers(out=build.BUILD):
    """Return the kernel with partitions that use their turns in different ways. Raises `BadPackage`."""
    return beside(out, "race.package", partial(guests_package, "race", ("racer",) * 6))


def linked(messages, end, out=build.BUILD):
    """Return the kernel with a guest that drives one end of a link to another machine. Raises `BadPackage`.

    `end` is what `end_of` returns.
    """
    about = end | {"messages": messages}
    return beside(folder_of(end, out), "link.package", partial(link_package, about), repr(about))


def end_of(direction, secret, measurements):
    """Return what one end of a session knows before it meets the other, as words."""
    known = {"secret": secret, "measurement": b"".join(measurements)}
    return {"direction": direction} | {name: struct.unpack(f">{len(data) // 4}I", data) for name, data in known.items()}


def folder_of(end, out):
    """Return the folder for the package of one end of a session."""
    return out / f"end{end['direction']}"


def travelling(agents, plan, end, out=build.BUILD):
    """Return the kernel with agents of which one moves to another machine, and the manager of this one.

    `end` is what `end_of` returns. Raises `BadPackage`.
    """
    modules = tuple(agent.module for agent in agents)
    allowed, made_of = attested(modules), repr((agents, modules, plan, end))
    make = partial(agents_package, agents, allowed, bytes(KEY), "agent", "steward", plan, end)
    return beside(folder_of(end, out), "travel.package", make, made_of, allowed)


def with_disk(out=build.BUILD):
    """Return the kernel with a guest that uses a disk, and a hostile one that may lease it. Raises `BadPackage`."""
    return beside(out, "disk.package", partial(guests_package, "keeper", ("driver", "auditor", "intruder")))


def with_agents(agents, out=build.BUILD, key=bytes(KEY), guest="agent", root=""):
    """Return the kernel with some agents, each in a guest that runs it. Raises `BadPackage`.

    What they keep, and resume from, is sealed with the key. Another root than the usual one may look after them.
    """
    modules = tuple(agent.module for agent in agents)
    allowed, made_of = attested(modules), repr((agents, modules, snapshots(key), guest, root))
    root = root or ("steward" if is_managed(agents) else "warden")
    make = partial(agents_package, agents, allowed, key, guest, root, plan_of(agents), None)
    return beside(out, "agents.package", make, made_of, allowed)


def with_lasting_agents(out=build.BUILD):
    """Return the kernel with agents that root keeps snapshots of, on a disk. Raises `BadPackage`."""
    return with_agents(LASTING, out / "lasting", root="reviver")


def beside(out, name, make, made_of="", allowed=None):
    """Return the kernel and a package, which is made if it is not in the cache, with what the host attests."""
    allowed = allowed or attested()
    folders, files = (
        (GENERATED, GUEST_SOURCES, PLATFORM, TEMPLATES / "platform"),
        (__file__, image.__file__, build.__file__),
    )
    key = fingerprint(*folders, files=map(Path, files), more=(allowed, made_of, numbers()))
    package = cached(Path(out) / name, make, key)
    header_of(package)
    return System(image.kernel_image(), package, allowed)


# ---- the file


def header_of(package):
    """Return the header of a boot package that the kernel takes. Raises `BadPackage`."""
    data, length = package.read_bytes(), PackageHeader.layout.size
    header = decode(data[:length].ljust(length, b"\0"), PackageHeader)
    found = fault(header)
    if found != PackageFault.NONE:
        raise BadPackage(
            f"{package}: {PackageFault.notes[found.name]}; its header tells of {header.pages} pages, "
            f"{header.text} of code, {header.data} of data of root; the kernel takes {PACKAGE_LIMIT}"
        )
    whole = (1 + header.pages) * PAGE
    if len(data) != whole:
        raise BadPackage(
            f"{package}: its header tells of {header.pages} pages, which with its own are {whole} bytes; "
            f"the file has {len(data)}"
        )
    return header


def pages_of(package):
    """Return the bytes after the header."""
    return package.read_bytes()[PAGE:]


def packed(first, images, folder, allowed):
    """Return the bytes of a package with the first guest and the images after it."""
    write(folder / "package.h", platform.lay_out("package.h", "package.h", images=images, attested=allowed))
    images = [guest_image(first, folder), *images]
    header = PackageHeader(
        magic=PACKAGE_MAGIC,
        version=PACKAGE_VERSION,
        pages=sum(image.pages for image in images),
        text=images[0].text,
        data=images[0].data,
    )
    contents_of = [(folder / f"{image.name}.bin").read_bytes() for image in images]
    return encode(header, PackageHeader).ljust(PAGE, b"\0") + b"".join(contents_of)


def guests_package(first, names, target):
    """Write the package with guests by name; the first is the root partition."""
    folder = target.parent
    others = {name: guest_image(name, folder) for name in dict.fromkeys(names)}
    target.write_bytes(packed(first, [others[name] for name in names], folder, attested()))


def link_package(about, target):
    """Write the package with a guest that drives one end of a link."""
    folder = target.parent
    write(folder / "link.h", platform.lay_out("link.h", "link.h", **about))
    images = [guest_image(name, folder) for name in ("peer", "auditor")]
    target.write_bytes(packed("linking", images, folder, attested()))


def agents_package(agents, allowed, key, guest, root, plan, end, target):
    """Write the package with agents, and the guests that they need; with an end of a session, if there is one."""
    folder, (_, pages) = target.parent, first_pages(agents)
    managers = ("far" if end else "manager",) if root == "steward" else ()
    managers += ("placer",) if plan.houses else ()
    managers += ("librarian",) if stores(agents) else ()
    about = {
        "agents": laid_out(agents, allowed.modules),
        "managed": is_managed(agents),
        "managers": len(managers),
        "stored": len(stores(agents)),
        "module_pages": pages,
        "plan": plan,
    }
    write(folder / "agents.h", platform.lay_out("agents.h", "agents.h", **about))
    if end:
        write(folder / "link.h", platform.lay_out("link.h", "link.h", messages=0, **end))
    write(folder / "saved.h", platform.lay_out("saved.h", "saved.h", **snapshots(key)))
    images = [guest_image(name, folder) for name in ("auditor", guest, *managers)]
    images += [module_image(agent, folder) for agent in modules_of(agents)]
    target.write_bytes(packed(root, images, folder, allowed))


# ---- guests


def guest_image(name, folder):
    """Compile and link one guest, and lay its bytes out as they will lie in memory."""
    write(folder / "layout.h", platform.lay_out("layout.h", "layout.h", numbers=numbers()))
    sources = [GUEST_SOURCES / f"{part}" for part in (f"{name}.c", *MORE.get(name, ()), *SHARED)]
    sources.append(LAID_OUT / HASHES)
    headers = (GENERATED, GENERATED / "guest", PLATFORM, WRITTEN, LAID_OUT, GUEST_SOURCES, build.KERNEL)
    objects = compile_all(sources, folder, *headers)
    vm = build.vm_objects() if name in RUNS_MODULES else ()
    component = {unit_of(path): path for driver in DRIVES.get(name, ()) for path in driven(driver)}
    component |= {unit_of(path): path for path in build.aarch64_objects() if unit_of(path) in BORROWED}
    script = script_of(name, folder) if name in STACKS else LAID_OUT / "guest.ld"
    elf = link(folder / f"{name}.elf", script, [*objects, *vm, *component.values()])
    return flatten(name, elf, folder / f"{name}.bin")


def unit_of(path):
    """Return the name of the C file that an object file is made of."""
    return path.name.rsplit("-", 1)[0]


def driven(component):
    """Return the objects of a component that a guest drives.

    They are those that are proved, but for files that compute with floating point. No proof looks into these.
    """
    folder, paths = build.BUILD / "aarch64" / component, sorted((GENERATED / component).glob("*.c"))
    units = LIBRARIES[component].program.units if component in LIBRARIES else {}
    floating = [path for path in paths if path.stem in units and units[path.stem].floats]
    whole = [path for path in paths if path not in floating]
    return [*component_objects(folder, whole), *build.floating_objects(folder, floating)]


def script_of(name, folder):
    """Write the linker script of a guest with a stack of its own size; return its path."""
    values = platform.values(REGIONS) | {"guest_stack": STACKS[name]}
    return write(folder / f"{name}.ld", platform.lay_out(f"{name}.ld", "guest.ld", **values))


def module_image(agent, folder):
    """Write those pages of an agent's module and snapshot that are in the package."""
    pages = list(compress(contents(agent), is_there(agent)))
    made = Guest(f"module-{agent.name}", 0, len(pages))
    (folder / f"{made.name}.bin").write_bytes(b"".join(pages))
    return made


def snapshots(key):
    """Return what a guest must know of snapshots, as the host's side defines it."""
    return {
        "magic": MAGIC,
        "version": FORMAT,
        "opening_size": OPENING.size,
        "header_size": HEADER.size,
        "machine": machine_identity(),
        "key": key,
        "key_mark": key_mark(key),
        "reason": declarations.scalar(Reason),
        "taken": Reason.bound,
    }


def flatten(name, elf, target):
    """Write the loaded bytes of a guest in whole pages."""
    places = dict(symbols(elf))
    start, middle, end = (places[wanted] for wanted in ("start", "data_start", "image_end"))
    with elf.open("rb") as file:
        image = ELFFile(file)
        flat = bytearray(end - start)
        for segment in image.iter_segments("PT_LOAD"):
            at = segment["p_vaddr"] - start
            flat[at : at + segment["p_filesz"]] = segment.data()
    target.write_bytes(flat)
    return Guest(name, (middle - start) // PAGE, (end - middle) // PAGE)
