"""Do forged stores, or strange states, ever lead to an access outside of the memory? A build that checks looks."""

import os
import signal
import subprocess
from pathlib import Path

import pytest

from corollary.codegen import build
from corollary.spec.vectors.vocabulary import Status
from tests.wasm.sanitized import UNCHECKED, checks

DRIVER = Path(__file__).with_name("attacked.c")
COUNT = 100_000
MANY = 1_000_000
NEVER = {Status.OPEN, Status.BAD_VERSION, Status.KEY_KNOWN, Status.SEARCHED}
"""What the driver does not ask for, or what the index answers and the store does not."""


def attacked(count, seed, sources=None):
    """Run the driver where every access, and what each function requires, is checked; return how that ended."""
    check = checks()[None]
    usual = (flag for flag in build.VM_FLAGS if flag not in UNCHECKED)
    flags = (*usual, *check.flags, "-DCHECK_REQUIRES", "-gline-tables-only", *build.VECTORS_INCLUDE)
    paths = [DRIVER, *(sources or build.vectors_sources())]
    folder = build.BUILD / "host" / f"attacked-{build.fingerprint(paths, flags, build.VECTORS)}"
    objects = [build.linked(folder / f"{path.stem}.o", [path], (*flags, "-c")) for path in paths]
    made = build.linked(folder.with_suffix(".elf"), [*objects, check.runtime], ())
    environment = os.environ | check.environment | {"LD_LIBRARY_PATH": str(check.runtime.parent)}
    return subprocess.run([made, str(count), str(seed)], capture_output=True, text=True, env=environment)


@pytest.mark.parametrize("count", [COUNT, pytest.param(MANY, marks=pytest.mark.full)])
def test_nothing_leads_outside(count):
    done = attacked(count, 1)
    assert (done.stderr, done.returncode) == ("", 0)
    found = {Status(int(name)): int(number) for name, number in (line.split(": ") for line in done.stdout.splitlines())}
    assert sum(found.values()) > count and {each for each, number in found.items() if not number} <= NEVER


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("distance", "s->index.dimension <= s->words.length", "true"),
        ("store", "s->table.length < HEADER", "0"),
        ("distance", "while (i + LANES <= count)", "while (i < count)"),
    ],
)
def test_an_access_outside_is_noticed(name, old, new, tmp_path):
    sources = []
    for path in build.vectors_sources():
        text = path.read_text()
        if path.stem == name:
            assert old in text
            path = tmp_path / path.name
            path.write_text(text.replace(old, new))
        sources.append(path)
    done = attacked(COUNT, 1, sources)
    assert "AddressSanitizer" in done.stderr or done.returncode in (-signal.SIGILL, -signal.SIGTRAP)
