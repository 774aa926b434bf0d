"""Where does an address lead? To a field of a model object, to the stack, or to a constant of the image.

An address is a sum of one base and multiples of words. The layout of the specification turns it into a field and its
indices. That each index is in range is the memory safety of the access; the solver must prove it.
"""

from dataclasses import dataclass

import z3

from corollary.language.layout import size_of
from corollary.language.types import ArrayType, boolean, is_scalar
from corollary.proofs.machine import words
from corollary.proofs.machine.lift import NotAllowed
from corollary.proofs.symbolic import Reference, belongs, index_type

ADDRESS = 64
BYTE = 8


@dataclass(frozen=True)
class Linear:
    """A constant plus multiples of words: `parts` maps the id of a word to `(factor, word)`."""

    constant: int
    parts: dict


def linear(value):
    """Return an address as a sum, cut to 64 bits."""
    if words.known(value):
        return Linear(value, {})
    parts, constant = {}, 0
    pending = [(1, value)]
    while pending:
        factor, word = pending.pop()
        kind = word.decl().kind()
        if z3.is_bv_value(word):
            constant += factor * word.as_long()
        elif kind == z3.Z3_OP_BADD:
            pending += [(factor, part) for part in word.children()]
        elif kind == z3.Z3_OP_BSUB:
            pending += [(factor if position == 0 else -factor, part) for position, part in enumerate(word.children())]
        elif kind == z3.Z3_OP_BNOT:  # ~x is -x - 1
            constant -= factor
            pending.append((-factor, word.arg(0)))
        elif kind == z3.Z3_OP_BMUL and z3.is_bv_value(word.arg(1)):
            pending.append((factor * word.arg(1).as_long(), word.arg(0)))
        elif kind == z3.Z3_OP_ZERO_EXT and word.arg(0).decl().kind() == z3.Z3_OP_BADD and factor_hides(factor, word):
            pending += [(factor, widened(part)) for part in word.arg(0).children()]
        elif found := _shifted(word):
            low, inner = found
            pending.append((factor << low, inner))
        else:
            old = parts.get(word.get_id(), (0, word))[0]
            parts[word.get_id()] = (old + factor, word)
    return Linear(
        constant & words.mask(ADDRESS), {key: part for key, part in parts.items() if part[0] & words.mask(ADDRESS)}
    )


def widened(word):
    """Return a word with zeros above it, as wide as an address."""
    if z3.is_bv_value(word):
        return z3.BitVecVal(word.as_long(), ADDRESS)
    return words.extend(word, word.size(), ADDRESS)


def factor_hides(factor, word):
    """Is a carry out of the word below an extension lost in any case, as it lies behind the address?"""
    return (factor << word.arg(0).size()) & words.mask(ADDRESS) == 0


def _shifted(word):
    """Return `(distance, word before)` for a word that `shift_left` made without a loss above, else None."""
    kind = word.decl().kind()
    if kind == z3.Z3_OP_ZERO_EXT and word.arg(0).decl().kind() == z3.Z3_OP_CONCAT:
        inner = word.arg(0)
    elif kind == z3.Z3_OP_CONCAT:
        inner = word
    else:
        return None
    parts = inner.children()
    if not z3.is_bv_value(parts[-1]) or parts[-1].as_long() != 0:
        return None
    low = parts[-1].size()
    upper = words.concat([(part, part.size()) for part in reversed(parts[:-1])])
    upper = upper if not words.known(upper) else z3.BitVecVal(upper, inner.size() - low)
    if upper.size() > ADDRESS:
        return None
    if kind == z3.Z3_OP_CONCAT and upper.size() + low == ADDRESS:
        if upper.decl().kind() == z3.Z3_OP_EXTRACT and upper.params()[1] == 0:
            return low, upper.arg(0) if upper.arg(0).size() == ADDRESS else words.extend(
                upper.arg(0), upper.arg(0).size(), ADDRESS
            )
    return low, words.extend(upper, upper.size(), ADDRESS)


def multiple(address, size, known):
    """Return the condition that an address is a multiple of `size`, a power of two.

    `known` maps ids of words to the powers of two that they are multiples of.
    """
    rest = [(factor, word) for key, (factor, word) in address.parts.items() if factor * known.get(key, 1) % size]
    if not rest:
        return address.constant % size == 0
    low = size.bit_length() - 1
    total = address.constant % size
    for factor, word in rest:
        total = words.add(words.multiply(words.extract(word, 0, low, ADDRESS), factor % size, low), total, low)
    return words.equal(total, 0, low)


@dataclass(frozen=True)
class Piece:
    """Bytes of one scalar that an access touches: `first .. first + count - 1` of its storage; padding has no place."""

    place: Reference | None
    types: tuple
    first: int
    count: int


def divided(size, offset, parts):
    """Return the number of the element of `size` bytes at an offset, and what is left of the offset inside it."""
    mine = [(factor // size, word) for factor, word in parts if factor % size == 0]
    left = [(factor, word) for factor, word in parts if factor % size]
    position = signed(offset, ADDRESS) // size
    rest = signed(offset, ADDRESS) - position * size
    total = position & words.mask(ADDRESS)
    for factor, word in mine:
        total = words.add(words.multiply(word, factor & words.mask(ADDRESS), ADDRESS), total, ADDRESS)
    return total, rest, left


class Layout:
    """Turns offsets inside an object into places, and collects what must hold for that."""

    def __init__(self, oblige):
        self.oblige = oblige  # f(condition, what)

    def scalars(self, place, types, offset, parts, count):
        """Return the pieces of `count` bytes at an offset inside a place, and how many bytes they cover.

        The offset is a constant plus multiples of words.
        """
        type_ = place.type
        if is_scalar(type_):
            if parts:
                raise NotAllowed(f"an address runs through {'.'.join(place.path)} by {parts}")
            taken = min(count, type_.storage - offset)
            return [Piece(place, tuple(types), offset, taken)], taken
        if isinstance(type_, ArrayType):
            return self.element(place, types, offset, parts, count)
        return self.field(place, types, offset, parts, count)

    def element(self, place, types, offset, parts, count):
        type_ = place.type
        size, wanted = size_of(type_.element), index_type(type_)
        position, rest, left = self.position(size, offset, parts, size_of(type_))
        if words.known(position):
            if position >= type_.length:
                raise NotAllowed(f"{'.'.join(place.path)}[{position}] is out of range")
            index = position
        else:
            self.oblige(words.less(position, type_.length, ADDRESS), f"{'.'.join(place.path)} is indexed in range")
            index = words.extract(position, 0, wanted.bits, ADDRESS)
        pieces, taken = self.scalars(place.element(index), [*types, wanted], rest, left, count)
        return pieces, taken

    def position(self, size, offset, parts, whole):
        """Return what `divided` returns. A subclass may know better."""
        return divided(size, offset, parts)

    def field(self, place, types, offset, parts, count):
        type_ = place.type
        for slot in type_.layout.slots:
            inside = slot.offset <= offset < slot.offset + slot.size
            if inside:
                return self.scalars(place.field(slot.name, slot.type), types, offset - slot.offset, parts, count)
        following = min((slot.offset for slot in type_.layout.slots if slot.offset > offset), default=type_.layout.size)
        if offset >= type_.layout.size:
            raise NotAllowed(f"offset {offset:#x} is behind {type_.__name__}")
        taken = min(count, following - offset)
        return [Piece(None, (), 0, taken)], taken


def signed(value, width):
    """Return a known word as a number in two's complement."""
    return words.signed(value & words.mask(width), width)


def encoded(value, type_):
    """Return a value of the model as the word of its storage."""
    width = BYTE * type_.storage
    if type_ is boolean:
        return words.choose(value, 1, 0, width)
    return int(value) if words.known(value) else words.extend(value, type_.bits, width)


def decoded(word, type_, oblige):
    """Return the model's value for a stored word; it must be proved that there is one."""
    width = BYTE * type_.storage
    if type_ is boolean:
        oblige(words.less(word, 2, width), "a bool is 0 or 1")
        return words.negate(words.equal(word, 0, width))
    oblige(words.less(word, 1 << type_.bits, width) if type_.bits < width else True, f"a stored word is a {type_.name}")
    value = words.extract(word, 0, type_.bits, width)
    oblige(belongs(value, type_), f"a stored word is a {type_.name}")
    return value


def held(register, type_, oblige):
    """Return the model's value for what a register holds, in its lowest bits; it must be proved that there is one."""
    return decoded(words.extract(register, 0, BYTE * type_.storage, ADDRESS), type_, oblige)


def same_type(a, b):
    """Are two object types the same?"""
    if isinstance(a, ArrayType) and isinstance(b, ArrayType):
        return a.length == b.length and same_type(a.element, b.element)
    return a is b


def overlap(one, its, other, others):
    """May two objects share bytes?"""
    if isinstance(one, Reference) != isinstance(other, Reference):
        return False
    if isinstance(one, Reference):
        shorter, longer = sorted((one.path, other.path), key=len)
        return one.root == other.root and longer[: len(shorter)] == shorter
    return one < other + size_of(others) and other < one + size_of(its)


def place_of(layout, place, offset, parts, wanted):
    """Return the object of a type at an offset inside a place."""
    while not (same_type(place.type, wanted) and offset == 0 and not parts):
        type_ = place.type
        if isinstance(type_, ArrayType):
            position, offset, parts = layout.position(size_of(type_.element), offset, parts, size_of(type_))
            index = index_type(type_)
            layout.oblige(words.less(position, type_.length, ADDRESS), f"{'.'.join(place.path)} is indexed in range")
            place = place.element(
                position if words.known(position) else words.extract(position, 0, index.bits, ADDRESS)
            )
        elif not is_scalar(type_):
            slot = next((slot for slot in type_.layout.slots if slot.offset <= offset < slot.offset + slot.size), None)
            if slot is None:
                raise NotAllowed(f"a pointer between the fields of {type_.__name__}")
            place, offset = place.field(slot.name, slot.type), offset - slot.offset
        else:
            raise NotAllowed(f"a pointer to {'.'.join(place.path)}, where a {wanted} is wanted")
    return place
