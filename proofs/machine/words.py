"""How are machine words built as Z3 terms? Constants are folded, and masks, shifts and extensions have one form each.

A word is a Python int while it is known, else a bit-vector; its width in bits is passed along. A condition is a Python
bool or a Z3 Bool. The forms matter: if compiler and model say the same, it should look the same before a solver is
asked.
"""

from typing import Any

import z3

from corollary.proofs.bits import conjoin, disjoin, known, negate, same


def mask(width):
    """Return a word with all bits set."""
    return (1 << width) - 1


def term(value, width) -> Any:
    """Return a word as a Z3 term."""
    return value if isinstance(value, z3.ExprRef) else z3.BitVecVal(value, width)


def condition(value):
    """Return a condition as a Z3 term."""
    return value if isinstance(value, z3.ExprRef) else z3.BoolVal(value)


def extract(value, low, width, whole):
    """Return `width` bits of a word of `whole` bits, from bit `low` on."""
    if known(value):
        return value >> low & mask(width)
    if low == 0 and width == whole:
        return value
    if z3.is_bv_value(value):
        return value.as_long() >> low & mask(width)
    kind = value.decl().kind()
    if kind == z3.Z3_OP_EXTRACT:
        return extract(value.arg(0), low + value.params()[1], width, value.arg(0).size())
    if kind == z3.Z3_OP_ZERO_EXT:
        inner = value.arg(0)
        if low >= inner.size():
            return 0
        if low + width <= inner.size():
            return extract(inner, low, width, inner.size())
        return extend(extract(inner, low, inner.size() - low, inner.size()), inner.size() - low, width)
    if kind == z3.Z3_OP_CONCAT:
        return _extract_parts(value, low, width)
    if kind == z3.Z3_OP_ITE and all(z3.is_bv_value(value.arg(side)) for side in (1, 2)):
        return choose(value.arg(0), *(value.arg(side).as_long() >> low & mask(width) for side in (1, 2)), width=width)
    if low == 0 and kind in _LOW and value.num_args() == 2 and all(is_piece(value.arg(side)) for side in (0, 1)):
        return _LOW[kind](*(extract(value.arg(side), 0, width, whole) for side in range(value.num_args())), width)
    return z3.Extract(low + width - 1, low, value)


def is_piece(value):
    """Is a word made of other words without arithmetic?"""
    return z3.is_bv_value(value) or value.decl().kind() in (z3.Z3_OP_ZERO_EXT, z3.Z3_OP_CONCAT, z3.Z3_OP_EXTRACT)


def _extract_parts(value, low, width):
    parts, at = [], 0
    for part in reversed(value.children()):
        first, last = max(low, at), min(low + width, at + part.size())
        if first < last:
            parts.append((extract(part, first - at, last - first, part.size()), last - first))
        at += part.size()
    return concat(parts)


def extend(value, source, width):
    """Return a word with zeros above it."""
    if source == width or known(value):
        return value
    if width < source:
        return extract(value, 0, width, source)
    if value.decl().kind() == z3.Z3_OP_ZERO_EXT:
        return extend(value.arg(0), value.arg(0).size(), width)
    return z3.ZeroExt(width - source, value)


def sign_extend(value, source, width):
    """Return a word with copies of its highest bit above it."""
    if known(value):
        return value | (mask(width) ^ mask(source)) if value >> (source - 1) & 1 else value
    return z3.SignExt(width - source, value)


def concat(parts):
    """Concatenate words, the lowest first: `[(value, width), ...]`."""
    merged = []
    for value, width in parts:
        if merged and known(value) and known(merged[-1][0]):
            merged[-1] = (merged[-1][0] | value << merged[-1][1], merged[-1][1] + width)
        elif merged and (joined := _adjacent(merged[-1], value)) is not None:
            merged[-1] = (joined, merged[-1][1] + width)
        else:
            merged.append((value, width))
    if len(merged) == 1:
        return merged[0][0]
    if known(merged[-1][0]) and merged[-1][0] == 0:
        width = sum(part[1] for part in merged)
        return extend(concat(merged[:-1]), width - merged[-1][1], width)
    return z3.Concat(*(term(value, width) for value, width in reversed(merged)))


def _adjacent(lower, value):
    """Return two neighbouring pieces of one word as one piece, or None."""
    if (
        known(lower[0])
        or known(value)
        or not (z3.is_app_of(lower[0], z3.Z3_OP_EXTRACT) and z3.is_app_of(value, z3.Z3_OP_EXTRACT))
    ):
        return None
    if not lower[0].arg(0).eq(value.arg(0)) or value.params()[1] != lower[0].params()[0] + 1:
        return None
    whole = value.arg(0)
    return extract(whole, lower[0].params()[1], value.params()[0] - lower[0].params()[1] + 1, whole.size())


def choose(test, then, other, width):
    """Return one of two words."""
    if known(test):
        return then if test else other
    if same(then, other):
        return then
    return z3.If(test, term(then, width), term(other, width))


def add(a, b, width):
    """Return `a + b`, cut to the width; a constant comes last, and there is only one."""
    if known(a, b):
        return (a + b) & mask(width)
    if known(a):
        a, b = b, a
    if known(b):
        if b == 0:
            return a
        if a.decl().kind() == z3.Z3_OP_BADD and a.num_args() == 2 and z3.is_bv_value(a.arg(1)):
            return add(a.arg(0), (a.arg(1).as_long() + b) & mask(width), width)
    (one, first), (other, second) = factored(a, width), factored(b, width)
    if same(one, other):
        return multiply(one, (first + second) & mask(width), width)
    return term(a, width) + term(b, width)


def subtract(a, b, width):
    """Return `a - b`, cut to the width."""
    if known(b):
        return add(a, -b & mask(width), width)
    (one, first), (other, second) = factored(a, width), factored(b, width)
    if same(one, other):
        return multiply(one, (first - second) & mask(width), width)
    return term(a, width) - b


def factored(value, width):
    """Return a word as `(word, factor)`: compilers shift and add where the model multiplies by a constant."""
    if known(value):
        return value, 1
    if z3.is_app_of(value, z3.Z3_OP_BMUL) and value.num_args() == 2 and z3.is_bv_value(value.arg(1)):
        return value.arg(0), value.arg(1).as_long()
    if z3.is_app_of(value, z3.Z3_OP_CONCAT) and value.num_args() == 2:
        upper, lower = value.children()
        whole = z3.is_app_of(upper, z3.Z3_OP_EXTRACT) and upper.params()[1] == 0 and upper.arg(0).size() == width
        if whole and z3.is_bv_value(lower) and lower.as_long() == 0:
            return upper.arg(0), 1 << lower.size()
    return value, 1


def multiply(a, b, width):
    """Return `a * b`, cut to the width; a constant comes second."""
    if known(a, b):
        return a * b & mask(width)
    if known(a):
        a, b = b, a
    if known(b) and b in (0, 1):
        return a if b else 0
    return a * term(b, width)


def divide(a, b, width):
    """Return `a // b`, unsigned; the processor's guard handles a zero `b`."""
    if known(a, b):
        return a // b if b else 0
    return z3.UDiv(term(a, width), term(b, width))


def divide_signed(a, b, width):
    """Return `a / b` in two's complement, rounded towards zero; the processor's guard handles a zero `b`."""
    return term(a, width) / term(b, width)


def leading_zeros(a, width):
    """Return the number of zero bits above the highest one."""
    result = z3.BitVecVal(width, width)
    for position in range(width):
        result = z3.If(
            z3.Extract(position, position, term(a, width)) == 1, z3.BitVecVal(width - 1 - position, width), result
        )
    return result


def ones(a, width):
    """Return the number of one bits."""
    return z3.Sum([z3.ZeroExt(width - 1, z3.Extract(position, position, term(a, width))) for position in range(width)])


def bits_and(a, b, width):
    """Return the bitwise and; a mask of adjacent bits extracts them."""
    if known(a, b):
        return a & b
    if known(a):
        a, b = b, a
    if known(b):
        if b == 0:
            return 0
        if a.decl().kind() == z3.Z3_OP_BAND and a.num_args() == 2 and z3.is_bv_value(a.arg(1)):
            return bits_and(a.arg(0), b & a.arg(1).as_long(), width)
        low, high = (b & -b).bit_length() - 1, b.bit_length()
        if b == mask(high) ^ mask(low):
            kept = extract(a, low, high - low, width)
            return concat(
                [*([(0, low)] if low else []), (kept, high - low), *([(0, width - high)] if high < width else [])]
            )
    if same(a, b):
        return a
    return term(a, width) & term(b, width)


def bits_or(a, b, width):
    """Return the bitwise or; words whose bits do not overlap are concatenated."""
    if known(a, b):
        return a | b
    if known(a):
        a, b = b, a
    if known(b) and b == 0:
        return a
    if same(a, b):
        return a
    together = beside(pieces(a, width), pieces(b, width))
    return term(a, width) | term(b, width) if together is None else concat(together)


def pieces(value, width):
    """Return the pieces that a word is made of, the lowest first: `[(value, width), ...]`."""
    if known(value) or z3.is_bv_value(value):
        return [(value if known(value) else value.as_long(), width)]
    if z3.is_app_of(value, z3.Z3_OP_ZERO_EXT):
        inner = value.arg(0)
        return [*pieces(inner, inner.size()), (0, width - inner.size())]
    if z3.is_app_of(value, z3.Z3_OP_CONCAT):
        return [piece for part in reversed(value.children()) for piece in pieces(part, part.size())]
    return [(value, width)]


def beside(mine, theirs):
    """Return the pieces of two words, if one or the other is known to be zero everywhere; else None."""
    found = []
    while mine:
        (one, first), (other, second) = mine[0], theirs[0]
        size = min(first, second)
        mine = [*([(extract(one, size, first - size, first), first - size)] if first > size else []), *mine[1:]]
        theirs = [
            *([(extract(other, size, second - size, second), second - size)] if second > size else []),
            *theirs[1:],
        ]
        one, other = extract(one, 0, size, first), extract(other, 0, size, second)
        if not any(known(each) and each == 0 for each in (one, other)):
            return None
        found.append((other if known(one) and one == 0 else one, size))
    return found


def bits_xor(a, b, width):
    """Return the bitwise exclusive or; with all ones, the complement."""
    if known(a, b):
        return a ^ b
    if known(a):
        a, b = b, a
    if known(b) and b == 0:
        return a
    if known(b) and b == mask(width):
        return ~a
    if same(a, b):
        return 0
    return term(a, width) ^ term(b, width)


def complement(a, width):
    """Return a word with all bits inverted."""
    return a ^ mask(width) if known(a) else ~a


def shift_left(a, b, width):
    """Return a word shifted up; as pieces when the distance is known."""
    if known(b):
        if b >= width:
            return 0
        if b == 0 or known(a):
            return a << b & mask(width) if known(a) else a
        if z3.is_app_of(a, z3.Z3_OP_BMUL):
            word, factor = factored(a, width)
            return multiply(word, (factor << b) & mask(width), width)
        return concat([(0, b), (extract(a, 0, width - b, width), width - b)])
    return term(a, width) << term(b, width)


def shift_right(a, b, width):
    """Return a word shifted down, with zeros coming in."""
    if known(b):
        if b >= width:
            return 0
        return extend(extract(a, b, width - b, width), width - b, width)
    return z3.LShR(term(a, width), term(b, width))


def shift_signed(a, b, width):
    """Return a word shifted down, with copies of its highest bit coming in."""
    if known(b):
        distance = min(b, width - 1)
        return sign_extend(extract(a, distance, width - distance, width), width - distance, width) if distance else a
    return term(a, width) >> term(b, width)


def equal(a, b, width):
    """Are two words equal?"""
    if known(a, b):
        return a == b
    if same(a, b):
        return True
    if known(a):
        a, b = b, a
    if known(b):
        kind = a.decl().kind()
        if kind == z3.Z3_OP_ZERO_EXT:
            inner = a.arg(0)
            return False if b >> inner.size() else equal(inner, b, inner.size())
        if kind == z3.Z3_OP_ITE and all(z3.is_bv_value(a.arg(side)) for side in (1, 2)):
            sides = [a.arg(side).as_long() == b for side in (1, 2)]
            return sides[0] if sides[0] == sides[1] else a.arg(0) if sides[0] else negate(a.arg(0))
        if kind == z3.Z3_OP_CONCAT and b == 0:
            return conjoin([equal(part, 0, part.size()) for part in a.children()])
        if kind == z3.Z3_OP_BSUB and b == 0:
            return equal(a.arg(0), a.arg(1), width)
    return term(a, width) == term(b, width)


def less(a, b, width):
    """Is `a < b`, unsigned?"""
    if known(a, b):
        return a < b
    if same(a, b) or (known(b) and b == 0):
        return False
    if known(b) and a.decl().kind() == z3.Z3_OP_ZERO_EXT:
        inner = a.arg(0)
        return True if b > mask(inner.size()) else less(inner, b, inner.size())
    return z3.ULT(term(a, width), term(b, width))


def less_signed(a, b, width):
    """Is `a < b`, signed?"""
    if known(a, b):
        return signed(a, width) < signed(b, width)
    if known(b) and b == 0 and not known(a) and a.decl().kind() == z3.Z3_OP_ZERO_EXT:
        return False
    return term(a, width) < term(b, width)


def both(one, other):
    """Are two conditions met? Neither less nor equal is greater: a processor looks at two flags for that."""
    if not known(one, other) and z3.is_not(one) and z3.is_not(other):
        less_, same_ = one.arg(0), other.arg(0)
        if z3.is_app_of(less_, z3.Z3_OP_ULT) and z3.is_eq(same_):
            a, b = less_.children()
            if any(a.eq(same_.arg(side)) and b.eq(same_.arg(1 - side)) for side in (0, 1)):
                return z3.ULT(b, a)
    return conjoin([one, other])


def either(one, other):
    """Is one of two conditions met?"""
    return negate(both(negate(one), negate(other)))


def choose_condition(test, then, other):
    """Return one of two conditions."""
    return disjoin([conjoin([test, then]), conjoin([negate(test), other])])


def signed(value, width):
    """Return a known word as a number in two's complement."""
    return value - (1 << width) if value >> (width - 1) else value


_LOW = {
    z3.Z3_OP_BADD: lambda a, b, width: add(a, b, width),
    z3.Z3_OP_BAND: lambda a, b, width: bits_and(a, b, width),
    z3.Z3_OP_BOR: lambda a, b, width: bits_or(a, b, width),
    z3.Z3_OP_BXOR: lambda a, b, width: bits_xor(a, b, width),
}
