"""Do forged frames, or strange states, ever lead to an access outside of the buffers? A build that checks looks."""

import os
import signal
import subprocess
from pathlib import Path

import pytest

from corollary.codegen import build
from corollary.spec.link.session import Answer
from tests.wasm.sanitized import UNCHECKED, checks

DRIVER = Path(__file__).with_name("attacked.c")
COUNT = 20_000
MANY = 1_000_000
WANTED = {*Answer} - {
    *(Answer.NOTHING, Answer.WAITS, Answer.FULL, Answer.NO_ROOM, Answer.STRANGER, Answer.UNANSWERED)  # not of frames
}


def attacked(count, seed, sources=None):
    """Run the driver where every access, and what each function requires, is checked; return how that ended."""
    check = checks()[None]
    usual = (flag for flag in build.VM_FLAGS if flag not in UNCHECKED)
    flags = (*usual, *check.flags, "-DCHECK_REQUIRES", "-gline-tables-only", *build.LINK_INCLUDE)
    paths = [DRIVER, *(sources or build.link_sources())]
    folder = build.BUILD / "host" / f"attacked-{build.fingerprint(paths, flags, build.LINK)}"
    objects = [build.linked(folder / f"{path.stem}.o", [path], (*flags, "-c")) for path in paths]
    made = build.linked(folder.with_suffix(".elf"), [*objects, check.runtime], ())
    environment = os.environ | check.environment | {"LD_LIBRARY_PATH": str(check.runtime.parent)}
    return subprocess.run([made, str(count), str(seed)], capture_output=True, text=True, env=environment)


@pytest.mark.parametrize("count", [COUNT, pytest.param(MANY, marks=pytest.mark.full)])
def test_nothing_leads_outside(count):
    done = attacked(count, 1)
    assert (done.stderr, done.returncode) == ("", 0)
    found = {Answer(int(name)): int(number) for name, number in (line.split(": ") for line in done.stdout.splitlines())}
    assert sum(found.values()) == count and {answer for answer, number in found.items() if number} == WANTED


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("session", "if (s->size > MOST_MESSAGE)", "if (0)"),
        ("session", "minimum(s->outgoing_size[place], MOST_MESSAGE)", "s->outgoing_size[place]"),
        ("session", "number % WINDOW", "number % (WINDOW + 1)"),
        ("chacha20", "while (done + BLOCK <= e->content)", "while (done <= e->content)"),
    ],
)
def test_an_access_outside_is_noticed(name, old, new, tmp_path):
    sources = []
    for path in build.link_sources():
        text = path.read_text()
        if path.stem == name:
            assert old in text
            path = tmp_path / path.name
            path.write_text(text.replace(old, new))
        sources.append(path)
    done = attacked(COUNT, 1, sources)
    assert "AddressSanitizer" in done.stderr or done.returncode in (-signal.SIGILL, -signal.SIGTRAP)
