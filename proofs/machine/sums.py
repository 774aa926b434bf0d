"""How are sums of words written, so that equal sums look alike and common parts can be left out?"""

from corollary.proofs.machine import words
from corollary.proofs.machine.memory import ADDRESS, linear


def normal(word):
    """Return a sum in the order that both sides use, so that equal sums look alike."""
    if words.known(word):
        return word
    found, total = linear(word), 0
    for factor, each in sorted(found.parts.values(), key=lambda part: part[1].hash()):
        total = words.add(total, words.multiply(each, factor & words.mask(ADDRESS), ADDRESS), ADDRESS)
    return words.add(total, found.constant, ADDRESS)


def parted(one, other):
    """Return `(common, rest, rest)` of two sums."""
    common, others = 0, {} if words.known(other) else linear(other).parts
    for key, (factor, word) in ({} if words.known(one) else linear(one).parts).items():
        if key in others and others[key][0] == factor:
            common = words.add(common, words.multiply(word, factor & words.mask(ADDRESS), ADDRESS), ADDRESS)
    return normal(common), *(normal(words.subtract(word, common, ADDRESS)) for word in (one, other))


def near(*distances):
    """Return the conditions that distances are small.

    Then sums of two of them do not wrap, nor do elements of a slice that far from its beginning.
    """
    return [words.less(distance, 1 << ADDRESS - 5, ADDRESS) for distance in distances]
