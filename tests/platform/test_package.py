"""Is the same kernel loaded whatever it runs, and does it refuse every wrong package?"""

import pytest

from corollary.codegen import image
from corollary.emulation import agents, package
from corollary.emulation.machine import REGION, Server, sharing, start
from corollary.emulation.package import BadPackage, System, header_of
from corollary.emulation.verdict import Transcript, expected_measurements, verdict
from corollary.language.layout import encode
from corollary.model.kernel.component import KERNEL
from corollary.proofs import verify
from corollary.proofs.machine.image import Image
from corollary.proofs.machine.obligations import built
from corollary.spec.kernel import memory_map
from corollary.spec.kernel.limits import PACKAGE_LIMIT
from corollary.spec.kernel.memory_map import PAGE
from corollary.spec.kernel.package import PackageFault, PackageHeader

KEY = bytes(range(32))
BAD = {  # the change in the header, and the kernel's message
    "magic": ({"magic": 0}, PackageFault.MISSING),
    "version": ({"version": 2}, PackageFault.VERSION),
    "no pages": ({"pages": 0, "text": 0, "data": 0}, PackageFault.SIZE),
    "too many pages": ({"pages": PACKAGE_LIMIT + 1}, PackageFault.SIZE),
    "as many pages as 16 bits hold, and more": ({"pages": (1 << 16) + 3}, PackageFault.SIZE),
    "no code": ({"text": 0}, PackageFault.PARTS),
    "more code than pages": ({"text": PACKAGE_LIMIT}, PackageFault.PARTS),
    "more data than pages": ({"data": PACKAGE_LIMIT}, PackageFault.PARTS),
    "a sum that wraps": ({"data": (1 << 64) - 1}, PackageFault.PARTS),
}


def changed(system, folder, **fields):
    """Return the system with another header on its package."""
    header = header_of(system.package)
    for name, value in fields.items():
        setattr(header, name, value)
    file = folder / "changed.package"
    file.write_bytes(encode(header, PackageHeader).ljust(PAGE, b"\0") + package.pages_of(system.package))
    return System(system.kernel, file)


def grown(system, folder, pages):
    """Return the system with a package of this many pages; the new ones are full of zeros."""
    file = changed(system, folder, pages=pages).package
    file.write_bytes(file.read_bytes().ljust((1 + pages) * PAGE, b"\0"))
    return System(system.kernel, file)


def said(system):
    """Return all console output; QEMU itself may warn that nothing goes on."""
    return [line for line in start(system, KEY) if not line.startswith("qemu-system")]


# ---- the same kernel


def loaded(memory, elf):
    """Does memory hold the bytes of the kernel where the proofs expect them?"""
    known = built()
    assert known.sha256 == image.image_hash(elf)
    places = [(base - memory_map.RAM, bytes(content)) for base, content, _ in known.sections]
    return all(memory[at : at + len(content)] == content for at, content in places)


def test_the_demonstration_agents_the_server_and_the_proofs_have_one_kernel(system, tmp_path):
    with_agents = package.with_agents(agents.boots(agents.chosen((agents.ALL,)))[0], tmp_path)
    verify.write_result([], 0.0, KERNEL, tmp_path / "verify.json")
    kernels = {system.kernel, with_agents.kernel, Server().kernel, image.kernel_image()}
    assert {image.image_hash(kernel) for kernel in kernels} == {built().sha256}
    assert f'"kernel_sha256": "{built().sha256}"' in (tmp_path / "verify.json").read_text()


def test_the_bytes_of_that_kernel_lie_in_memory_when_traces_run(system):
    with Server() as server:
        server.reset()
        assert loaded(server.memory, system.kernel)


def test_the_bytes_of_that_kernel_lie_in_memory_when_agents_run(system, tmp_path):
    chosen = package.with_agents(agents.chosen(("trapping",)), tmp_path)
    memory = tmp_path / "memory"
    assert list(start(chosen, KEY, *sharing(memory), **agents.PACE))
    assert loaded(memory.read_bytes(), system.kernel)


def test_a_harness_has_no_function_of_the_kernel_but_where_it_begins(system):
    harness, kernel = (Image(path).functions.keys() for path in (image.harness_image(system.kernel), system.kernel))
    assert harness & kernel == {"start", "wrong_level", "power_on"}


# ---- packages


@pytest.mark.parametrize("name", BAD)
def test_a_bad_package_is_refused_with_its_reason(system, tmp_path, name):
    fields, fault = BAD[name]
    reason = PackageFault.notes[fault.name]
    assert said(changed(system, tmp_path, **fields)) == [f"kernel: boot package refused: {reason}"]


def test_every_fault_has_a_case():
    assert {fault for _, fault in BAD.values()} == set(PackageFault) - {PackageFault.NONE}


def test_where_no_package_is_the_kernel_says_so(system, tmp_path):
    nothing = tmp_path / "nothing"
    nothing.write_bytes(bytes(PAGE))
    assert said(System(system.kernel, nothing)) == [f"kernel: boot package refused: {PackageFault.notes['MISSING']}"]


def test_the_largest_package_boots_and_is_measured_to_its_last_byte(system, tmp_path):
    largest, run = grown(system, tmp_path, PACKAGE_LIMIT), Transcript(KEY)
    for line in start(largest, KEY):
        run.take(line)
    assert [row for row in verdict(run, largest) if not row.good] == []
    wanted = expected_measurements(largest)
    largest.package.write_bytes(largest.package.read_bytes()[:-1] + b"\1")
    assert run.measurements == wanted != expected_measurements(largest)


def test_the_region_of_the_package_has_room_for_the_largest():
    assert REGION["package"].size == (1 + PACKAGE_LIMIT) * PAGE


@pytest.mark.parametrize("name", BAD)
def test_the_host_refuses_what_the_kernel_refuses_and_names_the_file(system, tmp_path, name):
    bad = changed(system, tmp_path, **BAD[name][0]).package
    with pytest.raises(BadPackage, match=f"{bad}: .*the kernel takes {PACKAGE_LIMIT}$"):
        header_of(bad)


@pytest.mark.parametrize("size", [-1, 1, PAGE])
def test_the_host_refuses_a_file_that_is_not_as_long_as_its_header_says(system, tmp_path, size):
    file = tmp_path / "cut"
    data = system.package.read_bytes()
    file.write_bytes(data[:size] if size < 0 else data + bytes(size))
    with pytest.raises(BadPackage, match=f"{file}: its header tells of .* bytes; the file has {file.stat().st_size}"):
        header_of(file)


def test_an_empty_file_is_no_package(tmp_path):
    (tmp_path / "empty").write_bytes(b"")
    with pytest.raises(BadPackage, match="nothing there begins like one"):
        header_of(tmp_path / "empty")
