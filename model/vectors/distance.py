"""How far is a row from the query, which lies in row 0? A small number is near.

Of bytes, it is exact: a sum of squared differences, or `LARGEST_PRODUCT` for each element less the dot product. Of
words, each operation rounds as IEEE 754 says, in one order for all machines: element i is added to sum i modulo `LANES`
as long as there are `LANES` of them, and the rest to a sum of its own.
"""

from corollary.language.builtins import maximum, minimum
from corollary.language.contracts import ensures, requires
from corollary.language.loops import decreases, maintains
from corollary.language.types import Array, u8, u32, u64
from corollary.language.values import length, local
from corollary.spec.vectors.limits import MOST_DIMENSION, ROWS
from corollary.spec.vectors.store import Store
from corollary.spec.vectors.vocabulary import Element, Metric
from corollary.spec.wasm.floats import f32_add, f32_mul, f32_sub

SIGN = 0x80  # of a byte: without it, a byte stands for 128 less than it is
MOST_SQUARE = 1 << 16  # more than any squared difference of two bytes
LARGEST_PRODUCT = 128 * 128  # of two elements
MOST_FALL = 1 << 15  # more than there is from it to any product
LANES = 8
NEGATIVE = 0x80000000  # the sign of a word
MAGNITUDE = 0x7FFFFFFF  # the bits of a word without its sign
INFINITY = 0x7F800000  # the pattern of the number; patterns above it are NaN
FARTHEST = 0xFFFFFFFF


Lanes = Array[u32, LANES]


@ensures(lambda result: result <= ROWS * MOST_DIMENSION)
def first_of(s: Store, row: u64) -> u64:
    """Return where the elements of a row begin."""
    return u64(minimum(row, ROWS)) * minimum(s.index.dimension, MOST_DIMENSION)


def has_bytes(s: Store, first: u64) -> bool:
    """Are there all elements of the query, and of a row that begins somewhere, and are they bytes?"""
    few = s.index.dimension <= MOST_DIMENSION and first <= ROWS * MOST_DIMENSION
    return few and first + s.index.dimension <= length(s.bytes)


def has_words(s: Store, first: u64) -> bool:
    """Are they there, and words?"""
    few = s.index.dimension <= MOST_DIMENSION and first <= ROWS * MOST_DIMENSION
    return few and first + s.index.dimension <= length(s.words)


@requires(has_bytes)
@ensures(lambda result: result <= MOST_DIMENSION * MOST_SQUARE)
def squared_of_bytes(s: Store, first: u64) -> u32:
    """Return the sum of squared differences."""
    count = s.index.dimension
    sum: u32 = 0
    i: u32 = 0
    while i < count:
        maintains(i <= count and sum <= i * MOST_SQUARE)
        decreases(count - i)
        sum += squared(s.bytes[i] ^ SIGN, s.bytes[first + i] ^ SIGN)
        i += 1
    return sum


@ensures(lambda result: result < MOST_SQUARE)
def squared(a: u8, b: u8) -> u32:
    """Return the squared difference of two elements, or of each plus 128."""
    apart = u32(maximum(a, b) - minimum(a, b))
    return apart * apart


@requires(has_bytes)
@ensures(lambda result: result <= MOST_DIMENSION * MOST_FALL)
def product_of_bytes(s: Store, first: u64) -> u32:
    """Return how far the dot product falls below that of the largest elements.

    With a and b for two elements plus 128, each product falls by 128 * (a + b) - a * b.
    """
    count = s.index.dimension
    sum: u32 = 0
    i: u32 = 0
    while i < count:
        maintains(i <= count and sum <= i * MOST_FALL)
        decreases(count - i)
        sum += fall(s.bytes[i] ^ SIGN, s.bytes[first + i] ^ SIGN)
        i += 1
    return sum


@ensures(lambda result: result < MOST_FALL)
def fall(a: u8, b: u8) -> u32:
    """Return `LARGEST_PRODUCT` less the product of two elements, which are a - 128 and b - 128."""
    return SIGN * (u32(a) + b) - u32(a) * b


def square(a: u32, b: u32) -> u32:
    """Return the squared difference of two words."""
    apart = f32_sub(a, b)
    return f32_mul(apart, apart)


@requires(has_words)
def squared_of_words(s: Store, first: u64) -> u32:
    """Return the sum of squared differences."""
    count = s.index.dimension
    sum = local(Lanes)
    i: u32 = 0
    while i + LANES <= count:
        maintains(i <= count)
        decreases(count - i)
        for lane in range(LANES):
            sum[lane] = f32_add(sum[lane], square(s.words[i + lane], s.words[first + i + lane]))
        i += LANES
    rest: u32 = 0
    while i < count:
        maintains(i <= count)
        decreases(count - i)
        rest = f32_add(rest, square(s.words[i], s.words[first + i]))
        i += 1
    return f32_add(added(sum), rest)


@requires(has_words)
def product_of_words(s: Store, first: u64) -> u32:
    """Return the dot product."""
    count = s.index.dimension
    sum = local(Lanes)
    i: u32 = 0
    while i + LANES <= count:
        maintains(i <= count)
        decreases(count - i)
        for lane in range(LANES):
            sum[lane] = f32_add(sum[lane], f32_mul(s.words[i + lane], s.words[first + i + lane]))
        i += LANES
    rest: u32 = 0
    while i < count:
        maintains(i <= count)
        decreases(count - i)
        rest = f32_add(rest, f32_mul(s.words[i], s.words[first + i]))
        i += 1
    return f32_add(added(sum), rest)


def added(sum: Lanes) -> u32:
    """Add up all lanes: those four apart, then those two apart, then the last two."""
    low = f32_add(f32_add(sum[0], sum[4]), f32_add(sum[2], sum[6]))
    return f32_add(low, f32_add(f32_add(sum[1], sum[5]), f32_add(sum[3], sum[7])))


def far_of(product: u32) -> u32:
    """Return how far a dot product is: in the opposite order of the numbers, with NaN behind all of them."""
    if product & MAGNITUDE > INFINITY:
        return FARTHEST
    return NEGATIVE - 1 - product if product < NEGATIVE else product


def far(s: Store, row: u64) -> u32:
    """Return how far a row is from the query, by the metric of the search; 0 if its elements are not there."""
    squared = s.index.search.metric == Metric.SQUARED
    first = first_of(s, row)
    if s.index.kind == Element.I8:
        if not has_bytes(s, first):
            return 0
        return squared_of_bytes(s, first) if squared else product_of_bytes(s, first)
    if not has_words(s, first):
        return 0
    return squared_of_words(s, first) if squared else far_of(product_of_words(s, first))


def is_finite(s: Store, row: u64) -> bool:
    """Are the elements of a row there, and finite? Bytes always are."""
    first = first_of(s, row)
    if s.index.kind == Element.I8:
        return has_bytes(s, first)
    return has_words(s, first) and are_finite(s, first)


@requires(has_words)
def are_finite(s: Store, first: u64) -> bool:
    """Are the words from a position on, as many as a vector has, finite?"""
    i: u32 = 0
    while i < s.index.dimension:
        maintains(i <= s.index.dimension)
        decreases(s.index.dimension - i)
        if s.words[first + i] & MAGNITUDE >= INFINITY:
            return False
        i += 1
    return True
