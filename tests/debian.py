"""Where are the programs and libraries of Debian packages that are not installed?

They are fetched once and unpacked under `build/`.
"""

import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

from codegen import build

INSTALLED = Path("/")
FETCHED = build.BUILD / "debian"    # a folder for each package


class PackageMissing(RuntimeError):
    """A package is not installed and cannot be fetched."""


def file(package, path):
    """Return the path of a package's file, on this machine or unpacked.

    `path` is the file's path below the root of the package. Raises `PackageMissing`.
    """
    for root in (INSTALLED, FETCHED / package):
        if (root / path).exists():
            return root / path
    fetch(package)
    return FETCHED / package / path


def fetch(package):
    """Unpack a package. Raises `PackageMissing`."""
    FETCHED.mkdir(parents=True, exist_ok=True)
    # the folder appears in one step, so that nobody finds half of it meanwhile or after an interruption
    with TemporaryDirectory(dir=FETCHED) as folder:
        try:
            subprocess.run(["apt-get", "download", package], cwd=folder, check=True, capture_output=True, text=True)
            subprocess.run(["dpkg", "-x", *Path(folder).glob("*.deb"), f"{folder}/unpacked"], check=True, capture_output=True, text=True)
        except (OSError, subprocess.CalledProcessError) as error:
            said = getattr(error, "stderr", None) or error
            raise PackageMissing(f"{package} is not installed and cannot be fetched: run `apt-get install -y {package}`\n{said}") from None
        Path(folder, "unpacked").replace(FETCHED / package)
