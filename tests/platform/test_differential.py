"""Does the shipped kernel equal the model over a hundred thousand operations, and would a difference be noticed?"""

import functools
import shutil

import pytest

from corollary.codegen import build, image
from tests.differential import run


@pytest.mark.parametrize("operations", [10_000, pytest.param(100_000, marks=pytest.mark.full)])
def test_random_operations_end_alike(operations, capsys):
    done, differences, seconds = run(operations)
    with capsys.disabled():
        print(f"\n{done} operations in QEMU, {len(differences)} differences, {done / seconds:.0f} operations a second")
    assert differences == [] and done >= operations


@pytest.fixture
def broken_kernel(monkeypatch, tmp_path):
    """Return the kernel with one line of the generated C changed; the generated files stay as they are."""

    def link(unit, old, new):
        kernel = shutil.copytree(build.KERNEL, tmp_path / "kernel")
        text = (kernel / unit).read_text()
        assert text.count(old) == 1
        (kernel / unit).write_text(text.replace(old, new))
        monkeypatch.setattr(build, "KERNEL", kernel)
        monkeypatch.setattr(build, "aarch64_objects", functools.partial(build.aarch64_objects, tmp_path / "objects"))
        image.link_kernel(tmp_path / "kernel.elf")
        return tmp_path / "kernel.elf"

    return link


def test_a_bug_in_the_c_is_found_and_shrunk(broken_kernel):
    kernel = broken_kernel(
        "capability.c", "slot->parent_lineage = parent->lineage;", "slot->parent_lineage = parent->lineage + 1;"
    )
    _, differences, _ = run(20_000, workers=1, kernel=kernel)
    assert len(differences) == 1
    assert len(differences[0].steps) <= 3
    assert "parent_lineage" in differences[0].what
