"""What do the SHA-2 instructions of the processor do? Only code that stands for an opaque function may have them.

Arm ARM (DDI 0487), C7.2: SHA256H, SHA256H2, SHA256SU0 and SHA256SU1, and the functions of J1.3.3 that they are made
of. A vector is four words of 32 bits, the lowest first.
"""

from corollary.proofs.machine import words
from corollary.proofs.machine.execute import FunctionCode
from corollary.proofs.machine.instructions import GENERAL, HASH
from corollary.proofs.machine.lanes import Lanes
from corollary.proofs.machine.processor import Core, as_word

WORD, VECTOR = 32, 128  # bits


def parts(vector):
    """Return the words of a vector."""
    return [words.extract(vector, at, WORD, VECTOR) for at in range(0, VECTOR, WORD)]


def joined(low_to_high):
    """Return a vector of four words."""
    return words.concat([(word, WORD) for word in low_to_high])


def plus(*terms):
    """Add words."""
    total, *rest = terms
    for term in rest:
        total = words.add(total, term, WORD)
    return total


def turned(word, distance):
    """Rotate a word to the right."""
    right = words.shift_right(word, distance, WORD)
    return words.bits_or(right, words.shift_left(word, WORD - distance, WORD), WORD)


def xor(*terms):
    """Combine words bit by bit: is the number of ones odd?"""
    total, *rest = terms
    for term in rest:
        total = words.bits_xor(total, term, WORD)
    return total


def both(one, other):
    """Combine two words bit by bit: are both one?"""
    return words.bits_and(one, other, WORD)


def choose(x, y, z):
    """SHAchoose."""
    return xor(both(xor(y, z), x), z)


def majority(x, y, z):
    """SHAmajority, in the words of FIPS 180-4: so the sweep sees that it is what the model computes."""
    return xor(both(x, y), both(x, z), both(y, z))


def rounds(x, y, w):
    """SHA256hash: four rounds on a to d in `x` and e to h in `y`; return both halves."""
    (a, b, c, d), (e, f, g, h) = parts(x), parts(y)
    for word in parts(w):
        first = plus(h, xor(turned(e, 6), turned(e, 11), turned(e, 25)), choose(e, f, g), word)
        second = plus(first, xor(turned(a, 2), turned(a, 13), turned(a, 22)), majority(a, b, c))
        a, b, c, d, e, f, g, h = second, a, b, c, plus(first, d), e, f, g
    return joined((a, b, c, d)), joined((e, f, g, h))


def far(word):
    """The function of a word of the schedule fifteen places before."""
    return xor(turned(word, 7), turned(word, 18), words.shift_right(word, 3, WORD))


def near(word):
    """The function of a word of the schedule two places before."""
    return xor(turned(word, 17), turned(word, 19), words.shift_right(word, 10, WORD))


def schedule_0(old, following):
    """SHA256SU0: add to each word the function of the one after it."""
    known = [*parts(old), *parts(following)]
    return joined(plus(known[at], far(known[at + 1])) for at in range(4))


def schedule_1(partial, new, newest):
    """SHA256SU1: add the words seven places before, and the function of those two places before."""
    known, last, done = [*parts(new)[1:], parts(newest)[0]], parts(newest)[2:], []
    for at, word in enumerate(parts(partial)):
        done.append(plus(word, known[at], near(last[at] if at < 2 else done[at - 2])))
    return joined(done)


RULES = {
    "NEON_sha256h": lambda x, y, w: rounds(x, y, w)[0],
    "NEON_sha256h2": lambda y, x, w: rounds(x, y, w)[1],
    "NEON_sha256su0": schedule_0,
    "NEON_sha256su1": schedule_1,
}
"""The value of each, by the name that p-code has for it, from the vectors that it reads."""


class Hashing(Core):
    """Runs one instruction of a hash, whose registers are `Lanes`."""

    uses = frozenset({GENERAL, HASH})

    def evaluate(self, thread, operation):
        """Return the value of an operation without effect on memory or control."""
        if operation.name not in RULES:
            return super().evaluate(thread, operation)
        vectors = [node for node in operation.inputs if node.space == "register"]
        return RULES[operation.name](*(as_word(thread.registers[node], node.size) for node in vectors))


class HashCode(Hashing, FunctionCode):
    """The machine code of an opaque function, run on all arguments and states."""

    def held(self):
        """Return the registers that such code may look at or change."""
        return Lanes(self.unknown)
