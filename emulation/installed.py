"""Is QEMU installed, and what installs it? This needs no package that may be missing itself."""

import shutil

from corollary.codegen.build import Unable

QEMU = "qemu-system-aarch64"
INSTALL = "apt-get install -y qemu-system-arm"


class QemuMissing(Unable):
    """The emulator is not installed."""


def emulator():
    """Return the path of QEMU."""
    found = shutil.which(QEMU)
    if found is None:
        raise QemuMissing(f"no QEMU: run `{INSTALL}`")
    return found
