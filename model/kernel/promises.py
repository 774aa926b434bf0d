"""What does the kernel promise in all? The registries, once every module that may declare a promise is imported.

Modules that declare a promise import `language.property`. Modules that want to see all promises import them from here.
"""

import pkgutil
from importlib import import_module

import model.kernel
import spec.kernel
from language.property import CONDITIONS, CONSERVED, COROLLARIES, EFFECTS, INVARIANTS, REGISTRIES, THEOREMS

__all__ = ("CONDITIONS", "CONSERVED", "COROLLARIES", "EFFECTS", "INVARIANTS", "REGISTRIES", "THEOREMS")


def import_all(package):
    """Import every module of a package."""
    for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        import_module(found.name)


for _package in (model.kernel, spec.kernel):      # the model first: it sets the order of the promises
    import_all(_package)
