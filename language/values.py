"""How do records and arrays behave when the specification runs as Python?

Values are mutable and passed by reference, as in the generated C. Tables are sparse: a row exists once it is touched.
So a kernel state costs only what is used, and copying or comparing one is cheap.
"""

import copy
import inspect
import linecache
import re
import sys
from functools import cache
from typing import Any, TypeVar, overload

from corollary.language.layout import Layout, lay_out
from corollary.language.names import KEYWORDS, MACROS, why_no_field
from corollary.language.types import ArrayType, LanguageError, SharedType, SliceType, annotation_type, is_scalar

Made = TypeVar("Made")
ZERO = 0
OWN = ("fields", "layout", "scalars", "shared")
"""The names under which every record describes its own fields in Python."""


@overload
def default(type_: "type[Made]") -> "Made": ...


@overload
def default(type_: object) -> Any: ...


def default(type_):
    """The all-zero value of a type."""
    if isinstance(type_, ArrayType):
        return ArrayValue(type_)
    if isinstance(type_, SliceType):
        return SliceValue(type_, 0)
    if isinstance(type_, RecordMeta):
        return type_()
    return zero(type_)


@cache
def zero(type_):
    """The zero of a scalar type."""
    return type_.coerce(False if type_.name == "bool" else ZERO)


def position(name, frame):
    """Return `(file, line)` of a field in a class that a frame is about to make.

    If the field is not found, return the line of the class.
    """
    file, first = frame.f_code.co_filename, frame.f_lineno
    linecache.checkcache(file)
    lines = linecache.getlines(file)[first - 1 :]
    return file, next(
        (first + number for number, line in enumerate(lines) if re.match(rf"\s+{name}\s*[:=]", line)), first
    )


class RecordMeta(type):
    """The metaclass that turns the annotations of a `Record` class into typed fields."""

    fields: dict[str, Any]
    shared: frozenset[str]
    scalars: dict[str, Any]
    layout: Layout
    _zeros: dict[str, Any]
    _parts: dict[str, Any]

    def __new__(mcs, name, bases, namespace):
        notes = namespace.get("__annotations__", {})
        shared = frozenset(key for key, note in notes.items() if isinstance(note, SharedType))
        fields = {key: annotation_type(note.type if key in shared else note) for key, note in notes.items()}
        for key, why in (
            (name, name.lower() in KEYWORDS | MACROS and "would be a keyword or a macro of C"),
            *((key, "is what every record has" if key in OWN else why_no_field(key)) for key in fields),
        ):
            if why:
                raise LanguageError(f"{key} {why}", *position(key, sys._getframe(1)), "another name")
        for key, type_ in fields.items():
            if not (is_scalar(type_) or isinstance(type_, (ArrayType, SliceType, RecordMeta))):
                message = f"{key} is a {getattr(type_, '__name__', type_)}, which no field can hold"
                remedy = "a scalar, an Array, a Slice or a Record; for a packed word, the type it is stored in"
                raise LanguageError(message, *position(key, sys._getframe(1)), remedy)
        cls = super().__new__(mcs, name, bases, {**namespace, "__slots__": tuple(fields)})
        cls.fields, cls.shared = fields, shared
        if fields:
            cls.layout = lay_out(cls)
            cls.scalars = {key: type_ for key, type_ in fields.items() if is_scalar(type_)}
            cls._zeros = {key: zero(type_) for key, type_ in cls.scalars.items()}
            cls._parts = {key: type_ for key, type_ in fields.items() if key not in cls.scalars}
        return cls

    name = property(lambda cls: cls.__name__)

    @property
    def notes(cls):
        """The trailing comment of each field in the source, for the generated C."""
        try:
            text = inspect.getsource(cls)
        except OSError:
            return {}
        found = re.findall(r"^ {4}(\w+): [^#\n]*#[ ]*(.*)$", text, re.MULTILINE)
        return {key: note for key, note in found if key in cls.fields}


class Record(metaclass=RecordMeta):
    """A group of typed fields. Storing a value outside a field's type raises `OutOfRange`."""

    def __init__(self, **values):
        for key, blank in self._zeros.items():
            object.__setattr__(self, key, blank)
        for key, type_ in self._parts.items():
            object.__setattr__(self, key, default(type_))
        for key, value in values.items():
            setattr(self, key, value)

    def __setattr__(self, key, value):
        type_ = self.scalars.get(key)
        if type_ is None:
            raise LanguageError(f"field {key!r} of {type(self).__name__} is not a scalar and cannot be replaced")
        object.__setattr__(self, key, type_.coerce(value))

    def __eq__(self, other):
        return type(self) is type(other) and all(getattr(self, k) == getattr(other, k) for k in self.fields)

    def __deepcopy__(self, memo):
        twin = object.__new__(type(self))
        for key in self.scalars:
            object.__setattr__(twin, key, getattr(self, key))
        for key in self._parts:
            object.__setattr__(twin, key, getattr(self, key).__deepcopy__(memo))
        return twin

    def __repr__(self):
        inner = ", ".join(
            f"{k}={getattr(self, k)!r}" for k in self.fields if getattr(self, k) != default(self.fields[k])
        )
        return f"{type(self).__name__}({inner})"


class ArrayValue:
    """A fixed number of elements, stored sparsely: `rows` holds those that were touched."""

    __slots__ = ("type", "rows", "scalar")

    def __init__(self, type_):
        self.type, self.rows, self.scalar = type_, {}, is_scalar(type_.element)

    def _check(self, index):
        if not 0 <= index < self.type.length:
            raise IndexError(f"index {index} is outside {self.type}")

    def __getitem__(self, index):
        row = self.rows.get(index)
        if row is None:
            self._check(index)
            if self.scalar:
                return zero(self.type.element)
            row = self.rows[index] = default(self.type.element)
        return row

    def __setitem__(self, index, value):
        self._check(index)
        if not self.scalar:
            raise LanguageError(f"an element of {self.type} is not a scalar and cannot be replaced")
        self.rows[int(index)] = self.type.element.coerce(value)

    def __len__(self):
        return self.type.length

    def __eq__(self, other):
        return isinstance(other, ArrayValue) and all(self[i] == other[i] for i in {*self.rows, *other.rows})

    def __deepcopy__(self, memo):
        twin = object.__new__(ArrayValue)
        twin.type, twin.scalar = self.type, self.scalar
        twin.rows = dict(self.rows) if self.scalar else {k: v.__deepcopy__(memo) for k, v in self.rows.items()}
        return twin

    def __repr__(self):
        filled = [f"{k}: {v!r}" for k, v in sorted(self.rows.items()) if v != default(self.type.element)]
        return f"{self.type}{{{', '.join(filled)}}}"


class SliceValue:
    """Elements of one type: a list, or the bytes themselves."""

    __slots__ = ("type", "rows", "scalar")

    def __init__(self, type_, count):
        self.type, self.scalar = type_, is_scalar(type_.element)
        self.rows = [default(type_.element) for _ in range(count)]

    def __getitem__(self, index):
        if index < 0:
            raise IndexError(f"index {index} is outside {self.type}")
        return self.rows[index]

    def __setitem__(self, index, value):
        if not self.scalar:
            raise LanguageError(f"an element of {self.type} is not a scalar and cannot be replaced")
        if index < 0:
            raise IndexError(f"index {index} is outside {self.type}")
        self.rows[index] = self.type.element.coerce(value)

    def __len__(self):
        return len(self.rows)

    def __eq__(self, other):
        return isinstance(other, SliceValue) and list(self.rows) == list(other.rows)

    def __deepcopy__(self, memo):
        twin = SliceValue(self.type, 0)
        twin.rows = self.rows[:] if self.scalar else [copy.deepcopy(row, memo) for row in self.rows]
        return twin

    def __repr__(self):
        return f"{self.type}{list(self.rows)!r}"


def allocate(record, **counts):
    """Make room for elements in slices of a record, by name.

    Each is a count of zeros, or the elements themselves, such as bytes.
    """
    for name, wanted in counts.items():
        type_ = record.fields[name]
        value = SliceValue(type_, wanted if isinstance(wanted, int) else 0)
        if not isinstance(wanted, int):
            value.rows = wanted
        object.__setattr__(record, name, value)


def length(value):
    """The number of elements of a slice."""
    return len(value)


@overload
def local(type_: "type[Made]") -> "Made": ...


@overload
def local(type_: object) -> Any: ...


def local(type_):
    """A zeroed record or array that lives until the function returns."""
    return default(type_)


def clear(value):
    """Set every field or element of a record or array to zero, in place.

    Other names for its parts see the change.
    """
    if isinstance(value, SliceValue):
        raise LanguageError(f"{value.type} is cleared by a loop over its elements")
    if isinstance(value, ArrayValue):
        if value.scalar:
            value.rows.clear()
        for row in value.rows.values():
            clear(row)
        return
    for key, type_ in value.fields.items():
        if key in value.scalars:
            object.__setattr__(value, key, default(type_))
        else:
            clear(getattr(value, key))


def leaves(value, path=()):
    """Yield `(path, scalar)` for every touched scalar below a record or array. Paths hold names and positions."""
    if isinstance(value, ArrayValue):
        for index in sorted(value.rows):
            yield from leaves(value.rows[index], (*path, index))
    elif isinstance(value, SliceValue):
        for index, row in enumerate(value.rows):
            yield from leaves(row, (*path, index))
    elif isinstance(value, Record):
        for key in value.fields:
            yield from leaves(getattr(value, key), (*path, key))
    else:
        yield path, value


def spell(path):
    """Return `partition[3].bucket.tokens` for `("partition", 3, "bucket", "tokens")`."""
    return "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path).lstrip(".")


def difference(left, right):
    """The `(path, left, right)` of every scalar that differs between two values of one type."""
    one, two = dict(leaves(left)), dict(leaves(right))
    return [
        (path, one.get(path, 0), two.get(path, 0))
        for path in sorted({*one, *two}, key=str)
        if one.get(path, 0) != two.get(path, 0)
    ]
