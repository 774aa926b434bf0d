"""Which states may a kernel be in although no trace leads to them?

States of a trace with one field at another value, if all invariants still hold.
"""

import ctypes
from dataclasses import dataclass
from functools import lru_cache

from corollary.codegen.build import host_library
from corollary.emulation.traces import Environment, place, reach
from corollary.emulation.values import boundary
from corollary.language.types import LanguageError, OutOfRange, is_scalar
from corollary.language.values import ArrayValue
from corollary.spec.kernel.state import Kernel

FIXED = ("memory", "current", "idle", "head")  # who runs has registers; the others have no invariant to break
TABLES = tuple(name for name, type_ in Kernel.fields.items() if name not in FIXED)


@dataclass(frozen=True)
class Alter(Environment):
    """A field holds another value."""

    changes: tuple

    def possible(self, s):
        """Return True: this was checked before."""
        return True


@lru_cache(maxsize=1)
def checker():
    """Return the check of all invariants, for all indices, as this machine runs it."""
    function = ctypes.CDLL(str(host_library())).check_invariants
    function.restype = ctypes.c_bool
    return function


def altered(image, random, tries=6):
    """Return, in a list, one field at another value with which all invariants hold; an empty list if no try succeeds.

    `image` keeps the bytes of the state; both are as before when this returns.
    """
    found = []
    for _ in range(tries):
        path, type_ = leaf(image.state, random)
        old, new = reach(image.state, path), boundary(type_, random)
        if new == old or not placed(image.state, path, new):
            continue
        image.update()
        if checker()(image.data, (ctypes.c_uint32 * 3)()):
            found.append(Alter(((path, new),)))
        place(image.state, path, old)
    image.update()
    return found[:1]  # together they might break an invariant that each keeps


def leaf(s, random, names=TABLES):
    """Return the path and the type of a scalar below one of these fields, in a row that was written to."""
    path = (random.choice(names),)
    value, type_ = getattr(s, path[0]), Kernel.fields[path[0]]
    while not is_scalar(type_):
        if isinstance(value, ArrayValue):
            part = random.choice(sorted(value.rows) or [0])
            value, type_ = value[part], type_.element
        else:
            part = random.choice(list(type_.fields))
            value, type_ = getattr(value, part), type_.fields[part]
        path = (*path, part)
    return path, type_


def placed(s, path, value):
    """Put a value at a path, if its type has the value; return whether it does."""
    try:
        place(s, path, value)
    except (LanguageError, OutOfRange, ValueError):
        return False
    return True
