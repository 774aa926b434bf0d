"""Is the image the same wherever it is built, and does its EL2 table map no more than it should?"""

import os
import re
import shutil
import subprocess
import sys
from importlib import metadata

import pytest
from elftools.elf.elffile import ELFFile

from codegen import build, image, machine, package, qemu, verdict
from codegen.folders import ROOT
from spec import memory_map

SOURCES = ("spec", "model", "codegen", "generated", "guests", "host")
COMMAND = "from codegen import image, package; print(*map(image.image_hash, vars(package.demonstration()).values()))"


def build_in(folder):
    """The hashes of kernel and package of a copy of the tree, built with empty caches."""
    for name in SOURCES:
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    cache = {"ZIG_GLOBAL_CACHE_DIR": str(folder / "cache"), "ZIG_LOCAL_CACHE_DIR": str(folder / "cache")}
    return subprocess.run([sys.executable, "-c", COMMAND], cwd=folder, env=os.environ | cache, check=True, capture_output=True, text=True).stdout


def test_two_folders_give_the_same_files(tmp_path, system):
    deep = tmp_path / "a" / "much" / "longer" / "name"
    deep.mkdir(parents=True)
    assert build_in(deep).split() == [image.image_hash(system.kernel), image.image_hash(system.package)]


def test_unchanged_files_are_not_made_again(system, monkeypatch):
    monkeypatch.setattr(image, "link", None)
    monkeypatch.setattr(package, "link", None)
    assert package.demonstration() == system


def test_no_file_names_a_folder_of_the_machine_that_built_it(system):
    assert str(ROOT).encode() not in system.kernel.read_bytes() + system.package.read_bytes()


def test_missing_qemu_names_the_command_that_installs_it(monkeypatch):
    monkeypatch.setenv("PATH", "")
    with pytest.raises(machine.QemuMissing, match="apt-get install -y qemu-system-arm"):
        machine.emulator()


def test_missing_compiler_names_the_command_that_installs_it(monkeypatch, capsys):
    def missing(name):
        raise metadata.PackageNotFoundError(name)
    monkeypatch.setattr(metadata, "version", missing)
    monkeypatch.setattr(package, "cached", lambda *_: build.compiler())
    assert qemu.main([]) == 1
    assert re.search(r"pip install\s+ziglang==", capsys.readouterr().out)


def descriptors(elf):
    """The EL2 tables as the image holds them: their root, and a function that reads one descriptor."""
    with elf.open("rb") as file:
        parsed = ELFFile(file)
        root = image.symbol(parsed, "translation_root")
        start = image.symbol(parsed, "translation_start")
        words = machine.words_of(verdict.between(parsed, "translation_start", "translation_end"))
    return root, lambda table, index: words[(table - start) // 8 + index]


def walk(address, root, descriptor):
    """What the architecture makes of an address at EL2 (D8.2), as a kind of region; None where nothing is mapped."""
    table = root
    for level, shift in ((1, 30), (2, 21), (3, 12)):
        found = descriptor(table, address >> shift & 511)
        if not found & 1:
            return None
        if level == 3 or not found & 2:
            assert (found & 0xFF_FFFF_F000) + (address & (1 << shift) - 1) == address, "identity"
            read_only, never = found >> 7 & 1, found >> 54 & 1
            assert read_only or never, "no page is writable and executable"
            return "device" if (found >> 2 & 7) == 0 else {(1, 0): "code", (1, 1): "constant", (0, 1): "data"}[read_only, never]
        table = found & 0xFF_FFFF_F000
    return None


def test_the_kernel_maps_exactly_its_regions(elf):
    root, descriptor = descriptors(elf)
    for address in range(0, 0x6000_0000, memory_map.PAGE):
        wanted = next((region.kind for region in memory_map.REGIONS if region.start <= address < region.end), None)
        assert walk(address, root, descriptor) == wanted, hex(address)
