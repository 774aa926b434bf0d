"""Where are the programs and libraries of Debian packages that are not installed? Fetched once, and unpacked under `build/`."""

import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

from codegen import build

INSTALLED = Path("/")
FETCHED = build.BUILD / "debian"    # a folder for each package


class PackageMissing(RuntimeError):
    """A package is not installed, and out of reach."""


def file(package, path):
    """The path of a file, which has `path` below the root of a package: of this machine, or unpacked. Raises `PackageMissing`."""
    for root in (INSTALLED, FETCHED / package):
        if (root / path).exists():
            return root / path
    fetch(package)
    return FETCHED / package / path


def fetch(package):
    """Unpack a package; raises `PackageMissing`."""
    FETCHED.mkdir(parents=True, exist_ok=True)
    # whole at once, so that who looks meanwhile, or after an interruption, finds no half of it
    with TemporaryDirectory(dir=FETCHED) as folder:
        try:
            subprocess.run(["apt-get", "download", package], cwd=folder, check=True, capture_output=True, text=True)
            subprocess.run(["dpkg", "-x", *Path(folder).glob("*.deb"), f"{folder}/unpacked"], check=True, capture_output=True, text=True)
        except (OSError, subprocess.CalledProcessError) as error:
            said = getattr(error, "stderr", None) or error
            raise PackageMissing(f"{package} is not installed and cannot be fetched: run `apt-get install -y {package}`\n{said}") from None
        Path(folder, "unpacked").replace(FETCHED / package)
