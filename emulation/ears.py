"""What does the model tell hardware? Its effects are recorded as it runs."""

import contextlib
import sys

from corollary.codegen import kernel
from corollary.language.types import is_scalar


@contextlib.contextmanager
def ears(told):
    """Record the model's hardware effects while the context lasts."""
    changed = []
    for function in kernel.leaves():
        for module in [module for name, module in sys.modules.items() if name.startswith("corollary.model.")]:
            if getattr(module, function.name, None) is function.python:
                changed.append((module, function))
                setattr(module, function.name, telling(function, told))
    try:
        yield
    finally:
        for module, function in changed:
            setattr(module, function.name, function.python)


def telling(function, told):
    """Return the model's function for a hardware effect, changed so that it also records the effect."""
    plain = [position for position, item in enumerate(function.parameters) if is_scalar(item.type)]

    def tell(*arguments):
        told.append((function.name, *(int(arguments[position]) for position in plain)))
        return function.python(*arguments)

    return tell
