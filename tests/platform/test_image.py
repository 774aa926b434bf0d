"""Are kernel and package the same wherever they are built? Does an error name what is missing to build or run them?"""

import os
import re
import shutil
import subprocess
import sys
from importlib import metadata

import pytest

from corollary.codegen import build, image
from corollary.codegen.folders import ROOT
from corollary.emulation import installed, package, qemu

SOURCES = ("language", "spec", "model", "codegen", "corollary", "emulation", "generated", "guests", "platform")
COMMAND = (
    "from corollary.codegen import image; from corollary.emulation import package; "
    "made = package.demonstration(); print(*map(image.image_hash, (made.kernel, made.package)))"
)


def build_in(folder):
    """Return the hashes of kernel and package of a copy of the tree, built with empty caches."""
    for name in SOURCES:
        shutil.copytree(ROOT / name, folder / name, symlinks=True, ignore=shutil.ignore_patterns("__pycache__"))
    cache = {"ZIG_GLOBAL_CACHE_DIR": str(folder / "cache"), "ZIG_LOCAL_CACHE_DIR": str(folder / "cache")}
    return subprocess.run(
        [sys.executable, "-c", COMMAND], cwd=folder, env=os.environ | cache, check=True, capture_output=True, text=True
    ).stdout


def test_two_folders_give_the_same_files(tmp_path, system):
    deep = tmp_path / "a" / "much" / "longer" / "name"
    deep.mkdir(parents=True)
    assert build_in(deep).split() == [image.image_hash(system.kernel), image.image_hash(system.package)]


def test_unchanged_files_are_not_made_again(system, monkeypatch):
    monkeypatch.setattr(image, "link", None)
    monkeypatch.setattr(package, "link", None)
    assert package.demonstration() == system


def compiled(folder):
    """Compile a source that includes `near.h`, which includes `far.h`, with headers of its own and of other folders."""
    return image.compile_source(folder / "about.c", folder / "own", folder / "common")


@pytest.fixture
def about(tmp_path, monkeypatch):
    """A folder with such a source, and objects that are kept there."""
    monkeypatch.setattr(image, "OBJECTS", tmp_path / "objects")
    texts = {
        "about.c": '#include <stdint.h>\n  #  include "near.h"\nuint32_t about = FAR;\n',
        "common/near.h": '#include "far.h"\n',
        "common/far.h": "#define FAR 1\n",
        "own/unused.h": "",
    }
    for name, text in texts.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def test_a_source_is_compiled_once(about, monkeypatch):
    made = compiled(about)
    monkeypatch.setattr(build, "run", None)
    (about / "own/unused.h").write_text("#error is not included")
    assert compiled(about) == made


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("about.c", "int about;"),
        ("common/far.h", "#define FAR 2"),
        ("common/near.h", "#define FAR 2"),
        ("own/near.h", "#define FAR 2"),  # comes before the other
        ("near.h", "#define FAR 2"),  # beside the source, before both
        ("common/stdint.h", "typedef unsigned uint32_t;"),  # before the compiler's
    ],
)
def test_what_a_source_includes_compiles_it_again(name, text, about):
    made = compiled(about)
    (about / name).write_text(text)
    assert compiled(about) != made


def test_other_flags_make_another_object(about, monkeypatch):
    made = compiled(about)
    monkeypatch.setattr(image, "COMPILE", (*image.COMPILE, "-Os"))
    assert compiled(about) != made


def test_a_file_that_a_macro_names_is_not_included(about):
    (about / "about.c").write_text('#define WHAT "near.h"\n#include WHAT\n')
    with pytest.raises(ValueError, match=r"about.c: an include says its file in quotes or brackets, here it says W"):
        compiled(about)


def test_no_file_names_a_folder_of_the_machine_that_built_it(system):
    assert str(ROOT).encode() not in system.kernel.read_bytes() + system.package.read_bytes()


def test_missing_qemu_names_the_command_that_installs_it(monkeypatch):
    monkeypatch.setenv("PATH", "")
    with pytest.raises(installed.QemuMissing, match="apt-get install -y qemu-system-arm"):
        installed.emulator()


def test_missing_compiler_names_the_command_that_installs_it(monkeypatch, capsys):
    def missing(name):
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "version", missing)
    monkeypatch.setattr(package, "cached", lambda *_: build.compiler())
    assert qemu.main([]) == 1
    assert re.search(r"pip install\s+ziglang==", capsys.readouterr().out)
