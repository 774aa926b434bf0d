"""Which values pass between components, and how do they lie in memory and on the stack?

The canonical ABI of the component model says so. A value on the stack of a core module is bits: an unsigned int of the
width of its core type. In Python, values are

* `bool`, `int`, `float`, `str` (a char is one of length 1), and for lists `list`, or `bytes` for a list of `u8`;
* `dict` for records, by label; `tuple` for tuples; `frozenset` of labels for flags; `str`, the label, for an enum;
* `Case` for variants, options (`none`, `some`) and results (`ok`, `error`);
* for a resource of the host its object, for one of a component a `Resource`.

`check` raises `TypeError` or `ValueError` for a Python value of another type. What a component passes wrongly raises
`Trapped`.
"""

import struct
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any, ClassVar

from corollary.components.memory import Context
from corollary.components.refusal import trap
from corollary.components.resources import ResourceType
from corollary.once import once
from corollary.spec.wasm.values import ValueType
from corollary.values import BITS, from_bits, to_bits

I32, I64, F32, F64 = ValueType.I32, ValueType.I64, ValueType.F32, ValueType.F64
FLAT = 16  # parameters that are passed on the stack, at most
SURROGATES = range(0xD800, 0xE000)  # code points that are no characters
OBJECT = 64  # bytes that a Python object takes, about
FLAGS = 32  # flags of a type, at most
NAN = {4: 0x7FC0_0000, 8: 0x7FF8_0000_0000_0000}  # the only one that passes between components


@dataclass(frozen=True)
class Case:
    """A value of a variant: the label of its case, and its payload, or None."""

    label: str
    value: Any = None


def aligned(at: int, alignment: int) -> int:
    """Return the next multiple of an alignment."""
    return -(-at // alignment) * alignment


class Type(ABC):
    """A type of values. `size` and `alignment` are in bytes, `flat` are the core types on the stack.

    Only the first `FLAT` + 1 of those count. `weight` is how many types it consists of, and `depth` how many lie within
    one another.
    """

    size: Any
    alignment: Any

    @once
    def parts(self) -> "tuple[Type, ...]":
        """The types that it consists of."""
        return ()

    @once
    def flat(self) -> tuple[ValueType, ...]:
        """The core types of its values on the stack."""
        return (I64 if self.size > 4 else I32,)

    @once
    def weight(self) -> int:
        """How many types it consists of."""
        return 1 + sum(part.weight for part in self.parts)

    @once
    def objects(self) -> int:
        """How many Python objects one of its values is at most, without what is charged for by itself."""
        return 1 + sum(part.objects for part in self.parts)

    @once
    def depth(self) -> int:
        """How many types lie within one another."""
        return 1 + max((part.depth for part in self.parts), default=0)

    @once
    def borrows(self) -> bool:
        """Is a borrowed handle in it?"""
        return any(part.borrows for part in self.parts)

    @once
    def holds(self) -> bool:
        """Is a handle in it?"""
        return any(part.holds for part in self.parts)

    def divided(self, value: Any) -> "Iterable[tuple[Type, Any]]":
        """Return the values that a value consists of, each with its type."""
        return ()

    def handles(self, value: Any) -> "Iterator[tuple[Handle, Any]]":
        """Yield the type and the `Resource` of each handle of a component in a value."""
        for part, each in self.divided(value) if self.holds else ():
            yield from part.handles(each)

    @abstractmethod
    def check(self, value: Any, what: str) -> None:
        """Raise `TypeError` or `ValueError` unless a Python value has this type; `what` names it."""

    def load(self, context: Context, at: int) -> Any:
        """Return the value in memory."""
        return self.lift(context, iter([int.from_bytes(context.read(at, self.size), "little")]))

    def store(self, context: Context, at: int, value: Any) -> None:
        """Put a value into memory."""
        (bits,) = self.lower(context, value)
        context.write(at, (bits % (1 << 8 * self.size)).to_bytes(self.size, "little"))

    @abstractmethod
    def lift(self, context: Context, bits: Iterator[int]) -> Any:
        """Return the value on the stack."""

    @abstractmethod
    def lower(self, context: Context, value: Any) -> list[int]:
        """Return the bits of a value on the stack."""


def expect(kind: type | tuple[type, ...], value: Any, what: str, named: object) -> None:
    """Raise `TypeError` unless a Python value is of a kind."""
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
        raise TypeError(f"{what} is a {named}: {value!r} is none")


@dataclass(frozen=True)
class Boolean(Type):
    """True or false."""

    size: ClassVar = 1
    alignment: ClassVar = 1

    def check(self, value, what):
        expect(bool, value, what, "bool")

    def lift(self, context, bits):
        return next(bits) != 0

    def lower(self, context, value):
        return [int(value)]


@dataclass(frozen=True)
class Integer(Type):
    """An integer of so many bytes, with a sign or not."""

    size: int
    signed: bool

    def __str__(self):
        return f"{'s' if self.signed else 'u'}{8 * self.size}"

    @property
    def alignment(self):
        """It lies at a multiple of its size."""
        return self.size

    @property
    def code(self):
        """Its letter for `struct`."""
        return (
            {1: "b", 2: "h", 4: "i", 8: "q"}[self.size] if self.signed else {1: "B", 2: "H", 4: "I", 8: "Q"}[self.size]
        )

    def check(self, value, what):
        expect(int, value, what, self)
        least, most = (-1 << 8 * self.size - 1, 1 << 8 * self.size - 1) if self.signed else (0, 1 << 8 * self.size)
        if not least <= value < most:
            raise ValueError(f"{what} is a {self}: {value} does not fit")

    def lift(self, context, bits):
        low = next(bits) % (1 << 8 * self.size)
        return low - (1 << 8 * self.size) if self.signed and low >> 8 * self.size - 1 else low

    def lower(self, context, value):
        return [value % (1 << BITS[self.flat[0]])]


@dataclass(frozen=True)
class Float(Type):
    """A floating-point number of 4 or 8 bytes."""

    size: int

    def __str__(self):
        return f"f{8 * self.size}"

    @property
    def alignment(self):
        """It lies at a multiple of its size."""
        return self.size

    @once
    def flat(self) -> tuple[ValueType, ...]:
        """Its core type."""
        return (F32 if self.size == 4 else F64,)

    def check(self, value, what):
        expect((int, float), value, what, self)
        try:
            float(value)
        except OverflowError:
            raise ValueError(f"{what} is a {self}: an integer of {value.bit_length()} bits does not fit") from None

    def lift(self, context, bits):
        return from_bits(self.flat[0], next(bits), None)

    def lower(self, context, value):
        return [NAN[self.size] if value != value else to_bits(self.flat[0], value, None)]


@dataclass(frozen=True)
class Char(Type):
    """A Unicode character."""

    size: ClassVar = 4
    alignment: ClassVar = 4

    def check(self, value, what):
        expect(str, value, what, "char")
        if len(value) != 1 or ord(value) in SURROGATES:
            raise ValueError(f"{what} is one character: {value!r} is none")

    def lift(self, context, bits):
        code = next(bits)
        if code > 0x10FFFF or code in SURROGATES:
            trap(f"{code:#x} is no character")
        return chr(code)

    def lower(self, context, value):
        return [ord(value)]


class Indirect(Type):
    """A value that lies elsewhere in memory: its address and its length are passed."""

    size = 8
    alignment = 4

    @once
    def flat(self) -> tuple[ValueType, ...]:
        """Address and length."""
        return I32, I32

    def load(self, context, at):
        return self.lift(context, iter(struct.unpack("<II", context.read(at, 8))))

    def store(self, context, at, value):
        context.write(at, struct.pack("<II", *self.lower(context, value)))


@dataclass(frozen=True)
class String(Indirect):
    """A text, encoded as the component asks."""

    def check(self, value, what):
        expect(str, value, what, "string")
        try:
            value.encode()
        except UnicodeEncodeError:
            raise ValueError(f"{what} is a text without halves of characters: {value!r} is none") from None

    def lift(self, context, bits):
        return context.text(next(bits), next(bits))

    def lower(self, context, value):
        return context.put_text(value)


@dataclass(frozen=True)
class List(Indirect):
    """Any number of values of one type."""

    element: Type

    @once
    def parts(self) -> tuple[Type, ...]:
        """What it consists of."""
        return (self.element,)

    @once
    def objects(self) -> int:
        """The list: its elements are charged for when they are there."""
        return 1

    @property
    def of_bytes(self):
        """Is it a list of u8, `bytes` in Python?"""
        return self.element == U8

    def check(self, value, what):
        expect((bytes, bytearray) if self.of_bytes else (list, tuple), value, what, "list")
        for number, each in enumerate(() if self.of_bytes else value):
            self.element.check(each, f"{what}[{number}]")

    def divided(self, value):
        return ((self.element, each) for each in value)

    def lift(self, context, bits):
        at, count = next(bits), next(bits)
        size = self.element.size
        context.check(at, size * count, self.element.alignment)
        context.charge((1 if self.of_bytes else OBJECT * self.element.objects) * count)
        if isinstance(self.element, Integer):
            data = context.read(at, size * count)
            return data if self.of_bytes else [*struct.unpack(f"<{count}{self.element.code}", data)]
        return [self.element.load(context, at + size * number) for number in context.watched(range(count))]

    def lower(self, context, value):
        at = context.allocate(self.element.size * len(value), self.element.alignment)
        if isinstance(self.element, Integer):
            context.write(at, value if self.of_bytes else struct.pack(f"<{len(value)}{self.element.code}", *value))
            return [at, len(value)]
        for number, each in enumerate(context.watched(value)):
            self.element.store(context, at + self.element.size * number, each)
        return [at, len(value)]


class Product(Type):
    """Values one after the other: `parts` are their types."""

    @once
    def alignment(self):
        """The largest of the parts."""
        return max(part.alignment for part in self.parts)

    @once
    def places(self):
        """Where each part begins."""
        found, at = [], 0
        for part in self.parts:
            found.append(aligned(at, part.alignment))
            at = found[-1] + part.size
        return found

    @once
    def size(self):
        """All parts, with what lies between and behind them."""
        return aligned(self.places[-1] + self.parts[-1].size, self.alignment)

    @once
    def flat(self) -> tuple[ValueType, ...]:
        """Those of the parts."""
        return tuple(core for part in self.parts for core in part.flat)[: FLAT + 1]

    @abstractmethod
    def together(self, values) -> Any:
        """Return the Python value made from those of the parts."""

    @abstractmethod
    def apart(self, value) -> Sequence[Any]:
        """Return the Python values of the parts."""

    def divided(self, value):
        return zip(self.parts, self.apart(value))

    def load(self, context, at):
        return self.together([part.load(context, at + place) for part, place in zip(self.parts, self.places)])

    def store(self, context, at, value):
        for part, place, each in zip(self.parts, self.places, self.apart(value)):
            part.store(context, at + place, each)

    def lift(self, context, bits):
        return self.together([part.lift(context, bits) for part in self.parts])

    def lower(self, context, value):
        return [bits for part, each in zip(self.parts, self.apart(value)) for bits in part.lower(context, each)]


@dataclass(frozen=True)
class Record(Product):
    """Values with labels: `fields` has label and type of each."""

    fields: tuple[tuple[str, Type], ...]

    @once
    def parts(self) -> tuple[Type, ...]:
        """The types of the fields."""
        return tuple(type_ for _, type_ in self.fields)

    def check(self, value, what):
        expect(dict, value, what, "record")
        if value.keys() != {label for label, _ in self.fields}:
            raise ValueError(f"{what} has the fields {', '.join(label for label, _ in self.fields)}, not {[*value]}")
        for label, type_ in self.fields:
            type_.check(value[label], f"{what}.{label}")

    def together(self, values) -> Any:
        return {label: each for (label, _), each in zip(self.fields, values)}

    def apart(self, value):
        return [value[label] for label, _ in self.fields]


@dataclass(frozen=True)
class Tuple(Product):
    """Values without labels."""

    types: tuple[Type, ...]

    @once
    def parts(self) -> tuple[Type, ...]:
        """The types of the values."""
        return self.types

    def check(self, value, what):
        expect(tuple, value, what, f"tuple of {len(self.parts)}")
        if len(value) != len(self.parts):
            raise ValueError(f"{what} is a tuple of {len(self.parts)}, not of {len(value)}")
        for number, (part, each) in enumerate(zip(self.parts, value)):
            part.check(each, f"{what}[{number}]")

    def together(self, values) -> Any:
        return tuple(values)

    def apart(self, value):
        return value


def width(count: int) -> int:
    """Return how many bytes hold the number of one of so many cases."""
    return 1 if count <= 1 << 8 else 2 if count <= 1 << 16 else 4


def joined(one: ValueType | None, other: ValueType | None) -> ValueType:
    """Return the core type that holds the bits of either; None is nothing at all."""
    if one == other or other is None or one is None:
        return one or other or I32
    return I32 if {one, other} == {I32, F32} else I64


class Sum(Type):
    """One of several values: `cases` has label and type of each, or None instead of a type."""

    cases: Any

    @once
    def parts(self) -> tuple[Type, ...]:
        """The types of the cases that have one."""
        return tuple(type_ for _, type_ in self.cases if type_ is not None)

    @once
    def objects(self) -> int:
        """The case, and the largest of the payloads."""
        return 1 + max((part.objects for part in self.parts), default=0)

    @once
    def numbers(self):
        """The number of each case, by its label."""
        return {label: number for number, (label, _) in enumerate(self.cases)}

    @once
    def alignment(self):
        """The largest of the number and the payloads."""
        return max([width(len(self.cases)), *(part.alignment for part in self.parts)])

    @once
    def payload(self):
        """Where the payload begins."""
        return aligned(width(len(self.cases)), max((part.alignment for part in self.parts), default=1))

    @once
    def size(self):
        """The number, and the largest payload."""
        return aligned(self.payload + max((part.size for part in self.parts), default=0), self.alignment)

    @once
    def flat(self) -> tuple[ValueType, ...]:
        """The number, and what holds each of the payloads."""
        found: list[Any] = []
        for part in self.parts:
            found = [joined(*pair) for pair in zip_longest(found, part.flat)]
        return (I32, *found)[: FLAT + 1]

    def case(self, number):
        """Return label and type of a case."""
        if number >= len(self.cases):
            trap(f"case {number} of {len(self.cases)} is none")
        return self.cases[number]

    def check(self, value, what):
        expect(Case, value, what, "Case")
        if value.label not in self.numbers:
            raise ValueError(f"{what} is one of {', '.join(self.numbers)}, not {value.label}")
        type_ = self.cases[self.numbers[value.label]][1]
        if type_ is not None:
            type_.check(value.value, f"{what}.{value.label}")
        elif value.value is not None:
            raise ValueError(f"{what}.{value.label} has no payload: {value.value!r} is too much")

    def divided(self, value):
        type_ = self.cases[self.numbers[value.label]][1]
        return () if type_ is None else ((type_, value.value),)

    def load(self, context, at):
        label, type_ = self.case(int.from_bytes(context.read(at, width(len(self.cases))), "little"))
        return Case(label, None if type_ is None else type_.load(context, at + self.payload))

    def store(self, context, at, value):
        number, size = self.numbers[value.label], width(len(self.cases))
        context.write(at, number.to_bytes(size, "little"))
        type_ = self.cases[number][1]
        if type_ is not None:
            type_.store(context, at + self.payload, value.value)

    def lift(self, context, bits):
        label, type_ = self.case(next(bits))
        held = [next(bits) for _ in self.flat[1:]]
        if type_ is None:
            return Case(label)
        narrowed = (each % (1 << BITS[core]) for each, core in zip(held, type_.flat))
        return Case(label, type_.lift(context, narrowed))

    def lower(self, context, value):
        number = self.numbers[value.label]
        type_ = self.cases[number][1]
        bits = [] if type_ is None else type_.lower(context, value.value)
        return [number, *bits, *[0] * (len(self.flat) - 1 - len(bits))]


@dataclass(frozen=True)
class Variant(Sum):
    """One of several cases."""

    cases: tuple[tuple[str, Type | None], ...]


@dataclass(frozen=True)
class Option(Sum):
    """A value, or none."""

    some: Type

    @property
    def cases(self):
        """Nothing, or a value."""
        return ("none", None), ("some", self.some)


@dataclass(frozen=True)
class Result(Sum):
    """What a function returns, or its error; each may be nothing."""

    ok: Type | None
    error: Type | None

    @property
    def cases(self):
        """What came out, or what went wrong."""
        return ("ok", self.ok), ("error", self.error)


@dataclass(frozen=True)
class Enum(Type):
    """One of several labels."""

    labels: tuple[str, ...]

    @property
    def size(self):
        """That of a number."""
        return width(len(self.labels))

    alignment = size

    def check(self, value, what):
        expect(str, value, what, "enum")
        if value not in self.labels:
            raise ValueError(f"{what} is one of {', '.join(self.labels)}, not {value}")

    def lift(self, context, bits):
        number = next(bits)
        if number >= len(self.labels):
            trap(f"case {number} of {len(self.labels)} is none")
        return self.labels[number]

    def lower(self, context, value):
        return [self.labels.index(value)]


@dataclass(frozen=True)
class Flags(Type):
    """Some of several labels, each a bit."""

    labels: tuple[str, ...]

    @once
    def objects(self) -> int:
        """The set, with a place for each label."""
        return 1 + len(self.labels)

    @property
    def size(self):
        """As many bytes as the bits need."""
        return 1 if len(self.labels) <= 8 else 2 if len(self.labels) <= 16 else 4

    alignment = size

    def check(self, value, what):
        expect((set, frozenset), value, what, "set of flags")
        if not value <= {*self.labels}:
            raise ValueError(f"{what} has some of {', '.join(self.labels)}, not {', '.join(map(str, value))}")

    def lift(self, context, bits):
        held = next(bits)
        return frozenset(label for number, label in enumerate(self.labels) if held >> number & 1)

    def lower(self, context, value):
        return [sum(1 << number for number, label in enumerate(self.labels) if label in value)]


@dataclass(frozen=True)
class Handle(Type):
    """A resource, by a number that the component instance has for it."""

    resource: ResourceType
    size: ClassVar = 4
    alignment: ClassVar = 4

    @once
    def holds(self) -> bool:
        """It is one."""
        return True

    def handles(self, value):
        if self.resource.owner is not None:
            yield self, value


@dataclass(frozen=True)
class Own(Handle):
    """A handle that is passed on: the resource is the receiver's from then on."""

    def check(self, value, what):
        self.resource.check_owned(value, what)

    def lift(self, context, bits):
        return self.resource.owned(context.instance.handles.give(next(bits), self.resource))

    def lower(self, context, value):
        number = context.instance.handles.take(self.resource, self.resource.inside(value))
        self.resource.pass_on(value)
        return [number]


@dataclass(frozen=True)
class Borrow(Handle):
    """A handle that is lent until the call ends."""

    @once
    def borrows(self) -> bool:
        """It is one."""
        return True

    def check(self, value, what):
        self.resource.check(value, what)

    def lift(self, context, bits):
        inside = context.instance.handles.lend(next(bits), self.resource, context.scope)
        return self.resource.borrowed(inside, context.scope)

    def lower(self, context, value):
        inside = self.resource.lend(value, context.scope)
        if self.resource.owner is context.instance:
            return [inside]
        return [context.instance.handles.borrow(self.resource, inside, context.scope)]


U8 = Integer(1, False)
PRIMITIVES: dict[int, Type] = {
    0x7F: Boolean(),
    0x7E: Integer(1, True),
    0x7D: U8,
    0x7C: Integer(2, True),
    0x7B: Integer(2, False),
    0x7A: Integer(4, True),
    0x79: Integer(4, False),
    0x78: Integer(8, True),
    0x77: Integer(8, False),
    0x76: Float(4),
    0x75: Float(8),
    0x74: Char(),
    0x73: String(),
}
"""The types without parts, by their byte in the binary format."""
