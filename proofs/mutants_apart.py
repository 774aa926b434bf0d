"""What does C make of what no step calls: what boot measures, what the kernel says? Random calls, beside the model."""

import ctypes
import functools
import random
from dataclasses import dataclass

from codegen import kernel
from emulation.states import boundary
from spec.language.frontend import translate
from spec.language.layout import encode
from spec.language.types import ArrayType, is_scalar
from spec.language.values import default
from spec.limits import PACKAGE_LIMIT
from spec.memory_map import PageCount, Parts
from spec.state import BootInformation, Kernel

FUNCTIONS = (*kernel.BEFORE_BOOT, *kernel.SPOKEN)
CALLS = 60              # of each function
OF_PAGES = 6            # of one that goes through pages: one call through as many as there can be, others through few
FEW = 3                 # pages
LONG, SOME = 128, 8     # elements: of a longer array, so many are not zero


@dataclass(frozen=True)
class Made:
    """A call, and what the model made of it: objects are bytes, in the order of the parameters."""

    function: object
    given: tuple
    left: tuple
    result: object
    told: tuple


@functools.lru_cache(maxsize=None)
def made(ears):
    """What the model made of random calls; what it tells hardware is heard by `ears`."""
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
                    continue        # it has no value there
                found.append(Made(function, given, written(function, values), result, tuple(told)))
    return found


def argument(type_, most, source):
    """A value for a parameter, about as many pages as there can be, or about few."""
    pages = PACKAGE_LIMIT if most else source.randrange(FEW)
    if type_ is PageCount:
        return PageCount(pages)
    if is_scalar(type_):
        return scalar(type_, source)
    value = default(type_)
    fill(value, type_, source)
    if type_ is BootInformation:
        value.package = pages
    return value


def scalar(type_, source):
    """A value of a type, mostly at its boundaries."""
    while True:
        try:
            return type_.coerce(bool(source.getrandbits(1)) if type_.name == "bool" else boundary(type_, source))
        except ValueError:      # an enumeration without this number
            pass


def fill(value, type_, source):
    """Give scalars of a value, some of long arrays, other values than zero."""
    for place, inner in places(type_, source):
        if not is_scalar(inner):
            fill(value[place] if isinstance(type_, ArrayType) else getattr(value, place), inner, source)
        elif isinstance(type_, ArrayType):
            value[place] = scalar(inner, source)
        else:
            setattr(value, place, scalar(inner, source))


def places(type_, source):
    """`(place, type)` of what is in a record, or in an array, of which a long one has some."""
    if not isinstance(type_, ArrayType):
        return type_.fields.items()
    chosen = range(type_.length) if type_.length <= LONG else source.sample(range(type_.length), SOME)
    return ((number, type_.element) for number in chosen)


def written(function, values):
    """The bytes of each object, the number of each scalar."""
    types = (item.type for item in function.parameters)
    return tuple(int(value) if is_scalar(type_) else encode(value, type_) for type_, value in zip(types, values))


def difference(library, expected, heard):
    """Where C and the model part, in words, or None.

    `heard` gives what hardware was told since it was asked before, and how much.
    """
    for number, call in enumerate(expected):
        function, where = call.function, f"call {number + 1}, {call.function.symbol}"
        passed = [ctypes.c_uint64(value) if isinstance(value, int) else ctypes.create_string_buffer(value, len(value))
                  for value in call.given]
        entry = getattr(library, function.symbol)
        entry.restype = ctypes.c_uint64 if function.returns is not None else None
        heard()
        result = entry(*passed)
        told, _ = heard()
        if function.returns is not None and result % (1 << 8 * function.returns.storage) != int(call.result):
            return f"{where}: the model returns {call.result!r}, C {result}"
        for item, got, wanted in zip(function.parameters, passed, call.left):
            if not is_scalar(item.type) and got.raw != wanted:
                return f"{where}: {item.name} differs"
        if told != call.told:
            return f"{where}: C tells hardware something else"
    return None
