"""What are the nearest vectors, in plain Python? Whole numbers for bytes; binary32, rounded step by step, for words."""

import struct
from fractions import Fraction

from corollary.spec.vectors.vocabulary import Element, Metric

LANES = 8
LARGEST = Fraction((1 << 24) - 1) * (1 << 104)  # finite number of binary32


def rounded(x):
    """Return the binary32 number nearest to a fraction, which must not be beyond the largest one; ties to even."""
    if x == 0:
        return Fraction(0)
    size = abs(x).numerator.bit_length() - abs(x).denominator.bit_length()
    exponent = max(size - 25, -149)
    unit = Fraction(2) ** exponent
    while abs(x) / unit >= 1 << 24:
        unit *= 2
    found = round(x / unit) * unit
    assert abs(found) <= LARGEST
    return found


def of_words(metric, a, b):
    """Return the squared distance or the dot product of two vectors of words, in the order that all machines have."""
    lanes, rest, whole = [Fraction(0)] * LANES, Fraction(0), len(a) // LANES * LANES
    for i, pair in enumerate(zip(map(Fraction, a), map(Fraction, b))):
        part = difference(pair) if metric == Metric.SQUARED else pair
        product = rounded(part[0] * part[1])
        if i < whole:
            lanes[i % LANES] = rounded(lanes[i % LANES] + product)
        else:
            rest = rounded(rest + product)
    for apart in (4, 2, 1):
        lanes = [rounded(lanes[i] + lanes[i + apart]) for i in range(apart)]
    return rounded(lanes[0] + rest)


def difference(pair):
    """Return the difference of two numbers, twice."""
    found = rounded(pair[0] - pair[1])
    return found, found


def of_bytes(metric, a, b):
    """Return the squared distance or the dot product of two vectors of bytes."""
    return sum((x - y) ** 2 if metric == Metric.SQUARED else x * y for x, y in zip(a, b))


def nearest(kept, query, count, metric, element):
    """Return keys and nearness of the nearest vectors of a dictionary, nearest first, the lower key first of two."""
    near = of_bytes if element == Element.I8 else of_words
    found = [(near(metric, elements, query), key) for key, elements in kept.items()]
    found.sort(key=lambda each: (each[0] if metric == Metric.SQUARED else -each[0], each[1]))
    return [(key, float(apart)) for apart, key in found[:count]]


def as_word(x):
    """Return the number that a float is as binary32."""
    return struct.unpack("<f", struct.pack("<f", x))[0]
