"""How are several values packed into one word?

A `Word` declares which bits of an integer hold which value. It is a view: the integer stays what it is, a `u64` or an
index. The declaration reads its parts, builds it from its parts, and replaces some of them. The front end makes shifts
and masks of that (`packing.py`), so provers and C compilers see nothing new.
"""

import sys
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from corollary.language.names import why_no_field
from corollary.language.types import LanguageError, Scalar, annotation_type, boolean, is_scalar
from corollary.language.values import position

OWN = ("carrier", "fields", "fixed", "parts", "replace")
"""The names under which every word describes itself in Python."""
ENDINGS = ("_mask", "_shift")
ABOUT = ("__module__", "__qualname__", "__doc__", "__annotations__", "__firstlineno__", "__static_attributes__")
"""What Python itself puts into the body of a class."""


class Symbol(str):
    """The name that a constant of a declaration has in C. It knows the part that it is about."""

    __slots__ = ("part",)

    def __new__(cls, name, part):
        symbol = super().__new__(cls, name)
        symbol.part = part
        return symbol


class Bound(str):
    """The name in C of the bound of a type: its values are below."""

    __slots__ = ()

    def __new__(cls, type_):
        return super().__new__(cls, f"{capitals(type_.name)}_BOUND")


@dataclass(frozen=True)
class Part:
    """Some bits of a word. They hold a value of `type`. If they are `fixed`, it is the same in every word."""

    low: int
    width: Any  # None until the type says how many it needs
    fixed: Any
    type: Any = None
    name: str = ""
    word: str = ""  # that it is a part of
    module: str = ""  # of the declaration
    line: int = 0

    @cached_property
    def ones(self):
        """The greatest number that the bits can hold."""
        return (1 << self.width) - 1

    @cached_property
    def mask(self):
        """The bits themselves, at their place."""
        return self.ones << self.low

    @property
    def is_exact(self):
        """Is whatever the bits can hold a value of the type?"""
        return self.type.exact and self.width == self.type.bits

    def symbol(self, attribute):
        """The name in C of the part's `mask`, or of `low`, the number of its lowest bit."""
        name = f"{capitals(self.word)}_{self.name.upper()}"
        single = attribute == "mask" and self.width == 1
        return Symbol(name if single else f"{name}_MASK" if attribute == "mask" else f"{name}_SHIFT", self)

    def __get__(self, word, owner):
        return self if word is None else self.read(word)

    def read(self, word):
        """Return the value in a word. Raises `OutOfRange` if it does not belong to the type."""
        value = int(word) >> self.low & self.ones
        if self.type is None:
            return value
        return value != 0 if self.type is boolean else self.type.coerce(value)

    def put(self, value):
        """Return a value at its place. Raises `OutOfRange` if it does not belong to the type."""
        return int(self.type.coerce(value)) << self.low


def at(low, width=None, fixed=None) -> Any:
    """Declare bits of a word, from bit `low` on, as wide as their type needs, or as `width` says.

    Bits that are `fixed` hold this value in every word that is built.
    """
    return Part(low, width, fixed)


def capitals(name):
    """`CAPABILITY_PLACE` for `CapabilityPlace`."""
    return "".join(f"_{letter}" if letter.isupper() else letter for letter in name).lstrip("_").upper()


class _Once(dict):
    """The names in the body of a class, of which none is a part twice."""

    def __setitem__(self, key, value):
        if isinstance(self.get(key), Part):
            frame = sys._getframe(1)
            message = f"{key} is already a part of this word"
            raise LanguageError(message, frame.f_code.co_filename, frame.f_lineno, "another name")
        super().__setitem__(key, value)


class WordMeta(type):
    """The metaclass that turns the body of a `Word` class into parts."""

    @classmethod
    def __prepare__(mcs, name, bases):
        return _Once()

    def __new__(mcs, name, bases, namespace):
        cls = super().__new__(mcs, name, bases, {"__slots__": (), **namespace})
        if bases[0] is not int and "__qualname__" in namespace:  # a class statement, not `Word[u64]`
            _declare(cls, namespace, sys._getframe(1))
        return cls


def _declare(word, namespace, frame):
    """Check what the body of a class declares, and make it the parts of the word."""
    if len(word.__bases__) > 1 or not hasattr(word.__base__, "carrier") or hasattr(word.__base__, "parts"):
        message = f"{word.__name__} does not say what it is stored in"
        raise LanguageError(message, frame.f_code.co_filename, frame.f_lineno, "`Word[u64]` as its base")
    notes = namespace.get("__annotations__", {})
    names = [key for key in namespace if key not in ABOUT]
    if not names and not notes:
        message = f"{word.__name__} has no parts"
        raise LanguageError(message, frame.f_code.co_filename, frame.f_lineno, "a part such as `low: u8 = at(0)`")
    word.parts, owner = {}, {}
    for name in [*names, *(key for key in notes if key not in namespace)]:
        file, line = position(name, frame)
        type_ = annotation_type(notes.get(name))
        part = namespace.get(name)
        wrong = _why_no_name(name, word.parts) or _why_no_part(name, part) or _why_no_type(name, part, type_)
        if not wrong:
            width = _needed(type_) if part.width is None else part.width
            part = replace(
                part, width=width, type=type_, name=name, word=word.__name__, module=word.__module__, line=line
            )
            wrong = _why_no_width(part, word.carrier) or _why_no_place(part, owner)
        if wrong:
            raise LanguageError(wrong[0], file, line, wrong[1])
        owner.update(dict.fromkeys(range(part.low, part.low + part.width), name))
        word.parts[name] = part
        setattr(word, name, part)
    word.fields = {name: part for name, part in word.parts.items() if part.fixed is None}
    word.fixed = sum(int(part.fixed) << part.low for part in word.parts.values() if part.fixed is not None)


def _needed(type_):
    """The number of bits that hold every value of a type."""
    return max(1, (type_.bound - 1).bit_length())


def _why_no_name(name, others):
    """Return why no part beside the others can have this name, and what to write instead, or None."""
    if name in OWN or hasattr(int, name):
        return f"{name} is what every word has", "another name"
    if name.endswith(ENDINGS):
        return f"{name} ends as its constants in C do", "another name"
    if not name.isascii():
        return f"{name} has letters that C does not have", "a name of a .. z, digits and underscores"
    other = next((other for other in others if other.upper() == name.upper()), None)
    if other:
        return f"{name} and {other} have the same constants in C", "another name"
    why = why_no_field(name)
    return (f"{name} {why}", "another name") if why else None


def _why_no_part(name, part):
    """Return why something in the body of a word is no part of it, and what to write instead, or None."""
    if not isinstance(part, Part):
        return f"nothing says where {name} is", f"`{name}: ... = at(0)`"
    numbers = (part.low, 0 if part.width is None else part.width)
    if not all(type(number) is int for number in numbers):
        return f"{name} is at {part.low!r} with the width {part.width!r}", "integers"
    if part.fixed is not None and not isinstance(part.fixed, int):
        return f"{name} cannot always be {part.fixed!r}", "an integer, a bool, an enumerator or flags"
    return None


def _why_no_type(name, part, type_):
    """Return what is missing or wrong about the values of a part, and what to write instead, or None."""
    if type_ is None and (part.fixed is None or part.width is None):
        return f"nothing says what {name} holds", f"`{name}: u8 = at({part.low})`, or a width and what is fixed"
    if type_ is not None and not is_scalar(type_):
        kind = getattr(type_, "name", type_)
        return f"{name} is a {kind}, and a part is a scalar", "u8 .. u64, bool, an Enum, Flags or Index"
    return None


def _why_no_width(part, carrier):
    """Return what is wrong about the bits of a part, or about what is fixed there, and what to write, or None."""
    name, type_, low, width = part.name, part.type, part.low, part.width
    if type_ is boolean and width != 1:
        return f"{name} is a bool and has {width} bits", "a width of 1"
    if type_ is not None and width < _needed(type_):
        return f"{name} has {width} bits, and a {type_.name} needs {_needed(type_)}", "a wider part, or another type"
    if low < 0 or width < 1 or low + width > carrier.bits:
        return (
            f"bits {low} .. {low + width - 1} of {name} are not in a {carrier.name}",
            f"bits of 0 .. {carrier.bits - 1}",
        )
    held = type_ or Scalar(f"number of {width} bits", 1 << width)
    if part.fixed is not None and not held.contains(part.fixed):
        return f"{name} cannot always be {part.fixed}", f"a {held.name}"
    return None


def _why_no_place(part, owner):
    """Return which bit of a part belongs to another one, and what to write instead, or None."""
    bit = next((bit for bit in range(part.low, part.low + part.width) if bit in owner), None)
    return None if bit is None else (f"bit {bit} is in {owner[bit]} and in {part.name}", "another position")


class Word(int, metaclass=WordMeta):
    """An integer as the values that are packed into it.

    `Leaf(word)` is a view of a word, `Leaf(page=p, ...)` the word that is built of a value for each part, and
    `Leaf(word).replace(page=q)` the word with another value in a part.
    """

    carrier: Any
    parts: dict[str, Part]
    fields: dict[str, Part]
    fixed: int

    def __new__(cls, /, *word, **values):
        if word:
            return int.__new__(cls, cls.carrier.coerce(*word, **values))
        if values.keys() != cls.fields.keys():
            raise TypeError(f"{cls.__name__} is built of {', '.join(cls.fields)}, not of {', '.join(values)}")
        return int.__new__(cls, cls.fixed | sum(cls.fields[name].put(value) for name, value in values.items()))

    def __class_getitem__(cls, carrier):
        """Return the base class of words that are stored as a `carrier`."""
        if not isinstance(carrier, Scalar) or not carrier.exact or carrier is boolean:
            frame = sys._getframe(1)
            message = f"a {getattr(carrier, 'name', carrier)} is no type to pack values into"
            remedy = "u8 .. u64, or an index type that holds every bit pattern"
            raise LanguageError(message, frame.f_code.co_filename, frame.f_lineno, remedy)
        return WordMeta(f"Word[{carrier.name}]", (Word,), {"carrier": carrier})

    def replace(self, /, **values):
        """Return the word with other values in some of its parts."""
        if not values.keys() <= self.fields.keys():
            raise TypeError(f"{type(self).__name__} is built of {', '.join(self.fields)}, not of {', '.join(values)}")
        word = int(self)
        for name, value in values.items():
            word = word & ~self.fields[name].mask | self.fields[name].put(value)
        return type(self)(word)
