"""What does an interpreter in WebAssembly run? A program that uses much of Python and prints its results."""

import hashlib
import json
import math
import random
import re
from collections import Counter
from decimal import Decimal, getcontext
from fractions import Fraction


def queens(size, placed=()):
    """In how many ways can queens be placed so that none attacks another?"""
    if len(placed) == size:
        return 1
    return sum(
        queens(size, (*placed, column))
        for column in range(size)
        if all(column != other and abs(column - other) != len(placed) - row for row, other in enumerate(placed))
    )


def words(source, count):
    """Return random words."""
    return ["".join(source.choice("abcde") for _ in range(source.randrange(1, 6))) for _ in range(count)]


source = random.Random(2)
getcontext().prec = 50
found = words(source, 500)
print(queens(6), math.factorial(60), sum(Fraction(1, n) for n in range(1, 30)), Decimal(2).sqrt())
print(hashlib.sha256(" ".join(found).encode()).hexdigest(), Counter(found).most_common(3))
print(
    json.dumps(
        {
            "pattern": re.sub(r"(a|b)+(c)", r"<\2>", " ".join(found[:20])),
            "floats": [source.random() / 3 for _ in range(3)],
        }
    )
)
try:
    {}["missing"]
except KeyError as error:
    print(repr(error), f"{math.pi:.17g} {1e300 * 10} {-0.0}", sorted(found)[:5])
