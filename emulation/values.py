"""What may a function be given? Values of every type, mostly at boundaries, where mistakes show."""

from operator import getitem, setitem
from typing import Any

from corollary.language.types import ArrayType, is_scalar
from corollary.language.values import default
from corollary.spec.kernel.limits import PACKAGE_LIMIT
from corollary.spec.kernel.memory_map import PageCount
from corollary.spec.kernel.state import BootInformation

KNOWN = 0.6  # how often an index names a row that was written to
LONG, SOME = 128, 4  # elements: an array longer than LONG has SOME that are not zero
FEW, SELDOM = 3, 0.01  # pages, and how often there are as many as can be: each takes as long as many calls


def boundary(type_, random):
    """Return a value of a type where mistakes show: an end, a power of two or its neighbour, or any."""
    end, power = type_.bound, 1 << random.randrange(type_.bits or 1)
    ends = (0, 1, end - 1, end - 2, end // 2, power - 1, power, power + 1)
    return random.choice((*ends, random.randrange(end), random.randrange(end))) % end


def any_scalar(type_, random, rows=()):
    """Return a value of a type: the index of one of some rows, a boundary, or any."""
    if type_ is PageCount:
        return PageCount(pages(random))
    while True:
        number = random.choice(rows) if rows and random.random() < KNOWN else boundary(type_, random)
        try:
            return type_.coerce(bool(number) if type_.name == "bool" else number)
        except ValueError:  # an enumeration without this number
            pass


def pages(random):
    """Return how many pages something has: few, or seldom as many as there can be."""
    return PACKAGE_LIMIT if random.random() < SELDOM else random.randrange(FEW)


def filled(type_, random, scalar):
    """Return a record or an array; its scalars, or some of them, are what `scalar` gives for their types."""
    value = default(type_)
    fill(value, type_, random, scalar)
    if type_ is BootInformation:
        value.package = pages(random)
    return value


def fill(value, type_, random, scalar):
    """Fill a value with scalars from `scalar`."""
    read: Any
    write: Any
    read, write = (getitem, setitem) if isinstance(type_, ArrayType) else (getattr, setattr)
    for place, inner in places(type_, random):
        if is_scalar(inner):
            write(value, place, scalar(inner))
        else:
            fill(read(value, place), inner, random, scalar)


def places(type_, random):
    """Return `(place, type)` of everything in a record or an array; of a long array, only some elements."""
    if not isinstance(type_, ArrayType):
        return type_.fields.items()
    chosen = range(type_.length) if type_.length <= LONG else random.sample(range(type_.length), SOME)
    return ((number, type_.element) for number in chosen)
