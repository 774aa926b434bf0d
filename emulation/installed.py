"""Is QEMU installed, and what installs it? This needs no package that may be missing itself."""

import shutil

from corollary.codegen.build import Unable

QEMU = "qemu-system-aarch64"
TIED = ("setpriv", "--pdeathsig", "KILL")
"""Lets a command end with the thread that started it, even when nobody is left to end it. Linux has that."""
INSTALL = "apt-get install -y qemu-system-arm"


class QemuMissing(Unable):
    """The emulator is not installed."""


def emulator():
    """Return the path of QEMU."""
    found = shutil.which(QEMU)
    if found is None:
        raise QemuMissing(f"no QEMU: run `{INSTALL}`")
    return found


def command():
    """Return what starts QEMU."""
    return (*(TIED if shutil.which(TIED[0]) else ()), emulator())
