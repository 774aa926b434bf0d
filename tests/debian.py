"""Where are the programs and libraries of Debian packages that are not installed?

They are fetched once and unpacked under `build/`. Those of another architecture come with all that they depend on.
"""

import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

from corollary.codegen import build

INSTALLED = Path("/")
FETCHED = build.BUILD / "debian"  # a folder for each package


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
    unpack(FETCHED / package, package, ["apt-get", "download", package], ".")


def root(architecture, package):
    """Return a folder with a package of another architecture and all that it depends on. Raises `PackageMissing`."""
    target = FETCHED / f"{package}-{architecture}"
    if not target.exists():
        unpack(target, package, ["bash", "-euc", CLOSURE, "bash", architecture, package], "archives")
    return target


CLOSURE = """
mkdir -p lists/partial archives/partial && touch installed
apt() {
    apt-get -qq -o APT::Architecture="$1" -o APT::Architectures="$1" -o APT::Sandbox::User= \\
            -o Dir::State="$PWD" -o Dir::Cache="$PWD" -o Dir::State::status="$PWD/installed" "${@:2}"
}
apt "$1" update
apt "$1" install --yes --download-only --no-install-recommends "$2"
"""
"""Fetch the packages of architecture $1 that $2 needs where nothing is installed, without changing what apt knows."""


def unpack(target, package, command, archives):
    """Unpack the packages that a command fetches to a folder. Raises `PackageMissing`."""
    FETCHED.mkdir(parents=True, exist_ok=True)
    # the folder appears in one step, so that nobody finds half of it meanwhile or after an interruption
    with TemporaryDirectory(dir=FETCHED) as folder:
        try:
            subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True)
            for found in sorted(Path(folder, archives).glob("*.deb")):
                subprocess.run(["dpkg", "-x", found, f"{folder}/unpacked"], check=True, capture_output=True, text=True)
        except (OSError, subprocess.CalledProcessError) as error:
            said = getattr(error, "stderr", None) or error
            raise PackageMissing(
                f"{package} is not installed and cannot be fetched: run `apt-get install -y {package}`\n{said}"
            ) from None
        Path(folder, "unpacked").replace(target)
