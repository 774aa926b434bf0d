"""How does a page look to a browser? Headless Chromium opens it, runs its scripts, and returns the resulting page."""

import os
import shutil
import subprocess
from dataclasses import dataclass

QUIET = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
)
LIMIT = 120  # s
PROGRAM = "chromium"


class BrowserMissing(RuntimeError):
    """There is no browser."""


@dataclass(frozen=True)
class Opened:
    """A page after its scripts ran, and its console output."""

    document: str
    console: tuple


def opened(path, folder, *more):
    """Open a page in a browser with a new profile in a folder. Raises `BrowserMissing`."""
    program = shutil.which(PROGRAM)
    if program is None:
        raise BrowserMissing("no Chromium: run `bash tools/setup.sh --browser`, as `make test` does")
    done = subprocess.run(
        [
            program,
            *QUIET,
            f"--user-data-dir={folder}",
            "--enable-logging=stderr",
            "--v=0",
            *more,
            "--dump-dom",
            path.resolve().as_uri(),
        ],
        capture_output=True,
        text=True,
        timeout=LIMIT,
        check=True,
        env=os.environ | {"HOME": str(folder)},
    )
    return Opened(done.stdout, tuple(line for line in done.stderr.splitlines() if ":CONSOLE" in line))
