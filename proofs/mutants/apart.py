"""Does the C agree with the model where no step calls it: boot measurements and the kernel's messages? Random calls."""

import ctypes
import functools
import random
from dataclasses import dataclass
from typing import Any

from corollary.codegen import kernel
from corollary.emulation.ears import ears
from corollary.emulation.values import any_scalar, filled
from corollary.language.builtins import saturating_sub
from corollary.language.frontend import translate
from corollary.language.layout import encode
from corollary.language.types import is_scalar, u64
from corollary.spec.kernel.kept import CHECKPOINT_DRAINED, CHECKPOINT_SEQUENCE, Kept
from corollary.spec.kernel.limits import PACKAGE_LIMIT
from corollary.spec.kernel.memory_map import PageCount, Parts
from corollary.spec.kernel.state import BootInformation, Kernel

FUNCTIONS = (*kernel.OUTSIDE, *kernel.SPOKEN)
CALLS = 60  # of each function
OF_PAGES = 6  # of one that goes through pages: one call with the most pages, the others with few
FEW = 3  # records of a kept log, in all calls but one


@dataclass(frozen=True)
class Made:
    """A call and its outcome in the model. Objects are bytes, in the order of the parameters."""

    function: Any
    given: tuple
    left: tuple
    result: Any
    told: tuple


@functools.cache
def made():
    """Run random calls in the model; return what each returned, changed and told hardware."""
    source, told, found = random.Random(0), [], []
    with ears(told):
        for function in map(translate, FUNCTIONS):
            types = {item.type for item in function.parameters}
            for number in range(OF_PAGES if types & {Kernel, Parts} else CALLS):
                told.clear()
                values = [argument(item.type, number == 0, source) for item in function.parameters]
                given = written(function, values)
                try:
                    result = function.python(*values)
                except (ArithmeticError, ValueError, IndexError):
                    continue  # the function is undefined there
                found.append(Made(function, given, written(function, values), result, tuple(told)))
    return found


def argument(type_, most, source):
    """Return a value for a parameter, with about as many pages or records as there can be if `most` is set."""
    if is_scalar(type_):
        return PageCount(PACKAGE_LIMIT) if most and type_ is PageCount else any_scalar(type_, source)
    value = filled(type_, source, lambda inner: any_scalar(inner, source))
    if most and type_ is BootInformation:
        value.package = PACKAGE_LIMIT
    if not most and type_ is Kept:
        value.checkpoint[CHECKPOINT_DRAINED] = saturating_sub(value.checkpoint[CHECKPOINT_SEQUENCE], u64(FEW))
    return value


def written(function, values):
    """Return the bytes of each object and the number of each scalar."""
    types = (item.type for item in function.parameters)
    return tuple(int(value) if is_scalar(type_) else encode(value, type_) for type_, value in zip(types, values))


def difference(library, expected, heard):
    """Return the first difference between C and the model, in words, or None.

    `heard` returns the hardware effects since its last call, and how many there were.
    """
    for number, call in enumerate(expected):
        function, where = call.function, f"call {number + 1}, {call.function.symbol}"
        passed: list[Any] = [
            ctypes.c_uint64(value) if isinstance(value, int) else ctypes.create_string_buffer(value, len(value))
            for value in call.given
        ]
        entry = getattr(library, function.symbol)
        entry.restype = ctypes.c_uint64 if function.returns is not None else None
        heard()
        result = entry(*passed)
        told, count = heard()
        if function.returns is not None and result % (1 << 8 * function.returns.storage) != int(call.result):
            return f"{where}: the model returns {call.result!r}, C {result}"
        for item, got, wanted in zip(function.parameters, passed, call.left):
            if not is_scalar(item.type) and got.raw != wanted:
                return f"{where}: {item.name} differs"
        if told != call.told[: len(told)] or count != len(call.told):  # the first ones are recorded, all are counted
            return f"{where}: C tells hardware something else"
    return None
