"""How does Python take the steps of governance? Through a shared library built from the generated C.

A call keeps the lock of the interpreter: each takes less than a microsecond, and no two of them meet. So a step is
taken whole or not at all, by however many threads, and an interrupt waits until it is over.
"""

import ctypes
import inspect
from functools import cache
from types import SimpleNamespace
from typing import Any

from corollary.codegen import build
from corollary.codegen.governance import HOST
from corollary.language.types import annotation_type, is_scalar
from corollary.library import PREFIX, UNSIGNED, had, mapped, structure
from corollary.spec.governance.state import Governance


@cache
def library() -> Any:
    """Return the functions of governance by the names of the model."""
    loaded = ctypes.PyDLL(str(build.governance_library()))
    return SimpleNamespace(**{function.__name__: callable_of(loaded, function) for function in HOST})


def callable_of(loaded, function):
    """Return a function of a library, which takes and returns numbers; records are addresses.

    Its types are those that the model is annotated with: nothing of the model is read or translated here.
    """
    module, name = function.__module__.rpartition(".")[2], function.__name__
    found = getattr(loaded, PREFIX + (name if name.startswith(module) else f"{module}_{name}"))
    types = {each: annotation_type(note) for each, note in inspect.get_annotations(function).items()}
    found.restype = UNSIGNED[types.pop("return").storage]
    found.argtypes = [UNSIGNED[each.storage] if is_scalar(each) else ctypes.c_void_p for each in types.values()]
    return found


def made() -> Any:
    """Return an empty state, which takes memory as it is used; raises `LimitExceeded`."""
    kind = structure(Governance)
    return had(lambda: kind.from_buffer(mapped(ctypes.sizeof(kind))), "the state of governance")
