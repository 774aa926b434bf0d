"""What does the kernel promise in all? The registries, once every module that may declare a promise is imported.

Modules that declare a promise import `corollary.language.property`. Modules that want to see all promises import them
from here.
"""

import pkgutil
from importlib import import_module

import corollary.model.kernel
import corollary.spec.kernel
from corollary.language.property import promises_of

__all__ = ("CONDITIONS", "CONSERVED", "COROLLARIES", "EFFECTS", "INVARIANTS", "REGISTRIES", "THEOREMS")

REGISTRIES = promises_of("kernel")
INVARIANTS, COROLLARIES, THEOREMS = REGISTRIES["INVARIANTS"], REGISTRIES["COROLLARIES"], REGISTRIES["THEOREMS"]
CONDITIONS, EFFECTS, CONSERVED = REGISTRIES["CONDITIONS"], REGISTRIES["EFFECTS"], REGISTRIES["CONSERVED"]


def import_all(package):
    """Import every module of a package."""
    for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        import_module(found.name)


for _package in (corollary.spec.kernel, corollary.model.kernel):
    import_all(_package)
