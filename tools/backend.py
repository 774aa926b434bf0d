"""How is a wheel built? By setuptools, after the VM was compiled for the machines that most people have."""

import re
import sys
from pathlib import Path

from setuptools import build_meta
from setuptools.build_meta import *  # noqa: F403  # pyright: ignore[reportWildcardImportFromLibrary] - all other hooks

ROOT = Path(__file__).resolve().parent.parent
NEEDED = ("lazy_loader", "ziglang")


def get_requires_for_build_wheel(config_settings=None):
    """Return what compiles the VM, in the versions that the project pins."""
    pins = re.findall(r'"([\w-]+==[\w.]+)"', (ROOT / "pyproject.toml").read_text())
    return [
        *build_meta.get_requires_for_build_wheel(config_settings),
        *(pin for pin in pins if pin.split("==")[0] in NEEDED),
    ]


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """Compile the VM, and build the wheel with it."""
    sys.path.insert(0, str(ROOT))
    from corollary.codegen.build import prebuild

    prebuild()
    return build_meta.build_wheel(wheel_directory, config_settings, metadata_directory)
