"""Which types does the language have, and which values belong to each?

Scalars are `u8 u16 u32 u64`, `boolean`, `Index`, `Enum` and `Flags`. Aggregates are `Record`, `Array`, `Table` and,
outside the kernel, `Slice`. A type knows its value width (`bits`), its storage width (`storage`, in bytes) and which
Python integers belong to it. The layout is decided in `layout.py`. The run-time values are in `values.py`.

A type of the language is a value of Python: `u8` is a `UInt`. Editors are told otherwise, by `editor.pyi`: to them `u8`
is a class of integers, and `Table[PageId, Page]` holds pages.
"""

import enum
import inspect
import re
import sys
from functools import cache
from typing import TYPE_CHECKING, Any, overload

if TYPE_CHECKING:
    from typing_extensions import TypeIs, TypeVar

    from corollary.language.editor import Array, FlagWord, Integer, Shared, Slice, Table, u8, u16, u32, u64

    Class = type
    Word = TypeVar("Word", bound=Integer)
else:
    Class = FlagWord = object


class LanguageError(Exception):
    """The source is outside the language. The error says where, what is wrong and what to write instead."""

    def __init__(self, message: str, file: object = "?", line: int = 0, instead: str = ""):
        self.message, self.file, self.line, self.instead = message, file, line, instead
        hint = f"\n  instead: {instead}" if instead else ""
        super().__init__(f"{file}:{line}: {message}{hint}")

    def __reduce__(self):
        return LanguageError, (self.message, str(self.file), self.line, self.instead)


class OutOfRange(ValueError):
    """A value does not belong to the type it was converted to or stored as."""


WIDEST = 64  # bits of a word
MOST_POSITIONS = 1 << WIDEST


class Scalar(Class):
    """A type whose values are the integers `0 .. bound - 1`, held in `storage` bytes."""

    if TYPE_CHECKING:

        def __new__(cls, *_: Any) -> Any: ...

    def __init__(self, name: str, bound: int):
        self.name, self.bound = name, bound
        self.bits = max(1, (bound - 1).bit_length())
        self.storage = next(size for size in (1, 2, 4, 8) if self.bits <= 8 * size)

    def contains(self, value) -> bool:
        """Is the integer `value` one of this type?"""
        return 0 <= value < self.bound

    def coerce(self, value):
        """Return `value` as a member of the type. Raises `OutOfRange` when it is not one."""
        if 0 <= value < self.bound:  # as `contains` says, without a call: nothing is done more often
            return int(value)
        raise OutOfRange(f"{value} is not a {self.name} (0 .. {self.bound - 1})")

    @overload
    def __call__(self: "type[Word]", value: object) -> "Word": ...

    @overload
    def __call__(self, value: object) -> Any: ...

    def __call__(self, value: object) -> Any:
        return self.coerce(value)

    def truncate(self, value) -> int:
        """The low bits of `value`. Only for types whose bound is a power of two."""
        return int(value) & (self.bound - 1)

    @property
    def exact(self):
        """Does every bit pattern of `bits` bits belong to the type?"""
        return self.bound == 1 << self.bits

    def __repr__(self):
        return self.name


class UInt(Scalar):
    """An unsigned machine integer of 8, 16, 32 or 64 bits."""

    def __init__(self, bits: int):
        super().__init__(f"u{bits}", 1 << bits)


class Boolean(Scalar):
    """`True` or `False`, stored as one byte 1 or 0."""

    def __init__(self):
        super().__init__("bool", 2)

    def coerce(self, value):
        if value is not True and value is not False:
            raise OutOfRange(f"{value!r} is not a bool")
        return value


class Index(Scalar):
    """The positions of a table: `Index("PageId", 1024)`. Raises `LanguageError` for a bound that no word can hold."""

    def __init__(self, name: str, bound: int):
        if not isinstance(bound, int) or not 1 <= bound <= MOST_POSITIONS:
            frame = sys._getframe(1)  # of who makes the type
            raise LanguageError(
                f"{bound!r} is no bound of an index: the greatest is 1 << {WIDEST}",
                frame.f_code.co_filename,
                frame.f_lineno,
                f"Index({name!r}, N), with N from 1 to 1 << {WIDEST}",
            )
        super().__init__(name, bound)


if not TYPE_CHECKING:
    u8, u16, u32, u64 = (UInt(bits) for bits in (8, 16, 32, 64))
boolean = Boolean()
WORDS = {8: u8, 16: u16, 32: u32, 64: u64}


@cache
def member_notes(type_):
    """The trailing comment of each named value in the source. A type that is made from a table has none."""
    try:
        text = inspect.getsource(type_)
    except OSError:
        return {}
    return dict(re.findall(r"^ {4}(\w+) = [^#\n]*#[ ]*(.*)$", text, re.MULTILINE))


@cache
def enumerated(type_, storage):
    """Return how many bytes an enumeration takes.

    Raises `LanguageError` if a value does not fit them, or has two names.
    """
    for name, member in type_.__members__.items():
        if not 0 <= member < 1 << 8 * storage:
            raise misdeclared(type_, f"{name} = {int(member)} is outside the {8 * storage} bits of", "another number")
        if name != member.name:
            raise misdeclared(type_, f"{name} and {member.name} are the same in", "a number for each")
    return storage


def misdeclared(type_, message, instead):
    """Return the error about the class of a type, with the place where it stands."""
    try:
        place = inspect.getsourcefile(type_), inspect.getsourcelines(type_)[1]
    except (OSError, TypeError):  # it was made by a program
        place = type_.__module__, 0
    return LanguageError(f"{message} {type_.__name__}", *place, instead)


class EnumMeta(enum.EnumMeta):
    """The metaclass that gives enumerations the attributes of a scalar type."""

    bits = property(lambda cls: 8 * cls.storage)
    storage = property(lambda cls: enumerated(cls, cls.__dict__.get("_storage_", 1)))
    bound = property(lambda cls: max(cls) + 1)
    name = property(lambda cls: cls.__name__)
    notes = property(member_notes)
    members = property(lambda cls: {item.name: int(item) for item in cls})
    exact = False

    def contains(cls, value):
        """Is the integer `value` one of the enumerators?"""
        return value in cls._value2member_map_

    def coerce(cls, value):
        """Return `value` as an enumerator. Raises `OutOfRange` when it is not one."""
        member = cls._value2member_map_.get(value)
        if member is None:
            raise OutOfRange(f"{value} is not a {cls.__name__}")
        return member


class Enum(enum.IntEnum, metaclass=EnumMeta):
    """A closed list of named values, stored as one byte."""


@cache
def flagged(type_, storage):
    """Return how many bytes flags take. Raises `LanguageError` if a flag does not fit them."""
    for name, value in type_.members.items():
        if not 0 <= value < 1 << 8 * storage:
            raise misdeclared(type_, f"{name} = {value} is outside the {8 * storage} bits of", "another number")
    return storage


class FlagsMeta(type):
    """The metaclass that collects the named bits of a `Flags` class. The class itself is the type."""

    members: dict[str, int]
    mask: int
    storage: int

    def __new__(mcs, name, bases, namespace):
        names = {key: value for key, value in namespace.items() if key.isupper()}
        cls = super().__new__(mcs, name, bases, namespace)
        cls.members = names
        cls.mask = 0
        for value in names.values():
            cls.mask |= value
        return cls

    name = property(lambda cls: cls.__name__)
    bits = property(lambda cls: 8 * flagged(cls, cls.storage))
    bound = property(lambda cls: 1 << cls.bits)
    notes = property(member_notes)
    exact = True

    def contains(cls, value):
        """Does `value` fit the storage? Unnamed bits are legal and mean nothing."""
        return 0 <= value < cls.bound

    def coerce(cls, value):
        """Return `value` as a plain integer. Raises `OutOfRange` when it does not fit."""
        if not cls.contains(value):
            raise OutOfRange(f"{value} is not a {cls.__name__}")
        return int(value)

    def truncate(cls, value):
        """The low bits of `value`."""
        return int(value) & (cls.bound - 1)

    if not TYPE_CHECKING:

        def __call__(cls, value):
            return cls.coerce(value)


class Flags(FlagWord, metaclass=FlagsMeta):
    """A set of named bits, stored as `storage` bytes; its values are plain integers."""

    storage = 2


class ArrayType:
    """`length` elements of one type, indexed by `index`."""

    def __init__(self, element, length, index):
        self.element, self.length, self.index = element, length, index
        self.name = f"{element.name}[{length}]"

    def __repr__(self):
        return self.name


class SliceType:
    """Elements of one type, as many as the host has made room for.

    A slice is a field of a record. It holds the address of the elements and their `length`.
    """

    index = length = None

    def __init__(self, element):
        self.element, self.name = element, f"{element.name}[]"

    def __repr__(self):
        return self.name


class SharedType:
    """A scalar field of a record that other threads of the host may set at any time. The language only reads it."""

    def __init__(self, type_):
        self.type = type_


class _ArrayMaker:
    def __getitem__(self, item):
        element, length = item
        return ArrayType(element, length, None)


class _TableMaker:
    def __getitem__(self, item):
        index, element = item
        return ArrayType(element, index.bound, index)


class _SliceMaker:
    def __init__(self):
        self.made = {}

    def __getitem__(self, element):
        return self.made.setdefault(element, SliceType(element))


class _SharedMaker:
    def __getitem__(self, type_):
        return SharedType(type_)


if not TYPE_CHECKING:
    Slice = _SliceMaker()
    """`Slice[u8]`: indexed by any integer below `length(place)`, which each use must prove."""
    Array = _ArrayMaker()
    """`Array[u64, 512]`: indexed by any integer. Each use has the obligation that the index is in range."""
    Table = _TableMaker()
    """`Table[PageId, Page]`: indexed by an index type, in range by construction."""
    Shared = _SharedMaker()
    """`Shared[u8]`: a field that others may set at any time. C reads it with one atomic load."""


def is_table(type_):
    """Does the type have elements? Their number is part of the type, or found at run time."""
    return isinstance(type_, (ArrayType, SliceType))


def holds_slice(type_):
    """Does the type contain a slice, so that its values are not all in one place?"""
    if isinstance(type_, ArrayType):
        return holds_slice(type_.element)
    return isinstance(type_, SliceType) or any(holds_slice(field) for field in getattr(type_, "fields", {}).values())


def is_scalar(type_: object) -> "TypeIs[Scalar | EnumMeta | FlagsMeta]":
    """Is `type_` a scalar (as opposed to a record or an array)?"""
    return isinstance(type_, (Scalar, EnumMeta, FlagsMeta))


def is_enum(type_: object) -> "TypeIs[EnumMeta]":
    """Is `type_` an enumeration?"""
    return isinstance(type_, EnumMeta)


def is_flags(type_: object) -> "TypeIs[FlagsMeta]":
    """Is `type_` a set of named bits?"""
    return isinstance(type_, FlagsMeta)


def annotation_type(annotation: Any) -> Any:
    """The type that an annotation names. `bool` is the one builtin name that the language takes over."""
    return boolean if annotation is bool else annotation
