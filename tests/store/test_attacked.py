"""Do forged blocks ever lead to an access outside of the buffers? A build that checks each access looks."""

import os
import signal
import subprocess
from pathlib import Path

import pytest

from corollary.codegen import build
from corollary.spec.store.block import BlockFault
from tests.wasm.sanitized import UNCHECKED, checks

DRIVER = Path(__file__).with_name("attacked.c")
COUNT = 20_000
MANY = 1_000_000


def attacked(count, seed, sources=None):
    """Run the driver where every access is checked, and return how that ended."""
    check = checks()[None]
    usual = (flag for flag in build.VM_FLAGS if flag not in UNCHECKED)
    flags = (*usual, *check.flags, "-gline-tables-only", *build.STORE_INCLUDE)
    paths = [DRIVER, *(sources or build.store_sources())]
    digest = build.fingerprint(paths, flags, build.STORE)
    objects = [
        build.linked(build.BUILD / "host" / f"attacked-{digest}" / f"{path.stem}.o", [path], (*flags, "-c"))
        for path in paths
    ]
    made = build.linked(build.BUILD / "host" / f"attacked-{digest}.elf", [*objects, check.runtime], ())
    environment = os.environ | check.environment | {"LD_LIBRARY_PATH": str(check.runtime.parent)}
    return subprocess.run([made, str(count), str(seed)], capture_output=True, text=True, env=environment)


def counts(done):
    """Return how often each end was reached; there must be no complaint."""
    assert (done.stderr, done.returncode) == ("", 0)
    return {name: int(number) for name, number in (line.split(": ") for line in done.stdout.splitlines())}


@pytest.mark.parametrize("count", [COUNT, pytest.param(MANY, marks=pytest.mark.full)])
def test_no_forged_block_leads_outside(count):
    found = counts(attacked(count, 1))
    assert found.pop("right") == count and sum(found.values()) == 2 * count
    assert {BlockFault(int(name)) for name, number in found.items() if number} == {*BlockFault} - {BlockFault.TOO_LARGE}


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("decompression", "offset < HALF || offset > to", "offset < HALF"),
        ("decompression", "if (offset > made)", "if (offset > made + 1)"),
        (
            "decompression",
            "if (made + count > d->content.length) {\n        return BLOCK_FAULT_NO_ROOM",
            "if (0) {\n return 0",
        ),
        ("compression", "if (made + 1 + count", "if (made + count"),
    ],
)
def test_an_access_outside_is_noticed(name, old, new, tmp_path):
    sources = []
    for path in build.store_sources():
        text = path.read_text()
        if path.stem == name:
            assert old in text
            path = tmp_path / path.name
            path.write_text(text.replace(old, new))
        sources.append(path)
    done = attacked(COUNT, 1, sources)
    assert "AddressSanitizer" in done.stderr or done.returncode == -signal.SIGILL  # of a check that traps
