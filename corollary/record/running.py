"""How does SHA-256 go on from its state in the middle of a message? `hashlib` neither tells that state nor takes one.

FIPS 180-4, section 6.2.2, for whole blocks of 64 bytes. The OpenSSL behind `hashlib` has it, a hundred times as fast as
Python; where it does not hand it out, Python does it. Model and kernel have other code; an audit compares both with
`hashlib` wherever it knows the message from its beginning.
"""

import ctypes
import hashlib
import struct

BLOCK = 64  # bytes
FIRST = struct.Struct(">16I")
STATE = struct.Struct(">8I")
MASK = 0xFFFFFFFF


def fraction_of_root(number, degree):
    """Return the first 32 bits of the fraction of a square or cube root."""
    low, high = 0, number << 32
    while low < high:  # the greatest integer whose power is at most number * 2^(32 * degree)
        middle = (low + high + 1) // 2
        low, high = (middle, high) if middle**degree <= number << 32 * degree else (low, middle - 1)
    return low & MASK


PRIMES = [number for number in range(2, 312) if all(number % divisor for divisor in range(2, number))]
ROUNDS = [fraction_of_root(prime, 3) for prime in PRIMES]
BEGINNING = STATE.pack(*(fraction_of_root(prime, 2) for prime in PRIMES[:8]))
"""The state before the first block."""


def in_python(state, block):
    """Return the state after one more block; both states have 32 bytes."""
    w = [*FIRST.unpack(block)]
    for t in range(16, 64):
        far, near = w[t - 15], w[t - 2]
        far = (far >> 7 | far << 25) ^ (far >> 18 | far << 14) ^ far >> 3
        near = (near >> 17 | near << 15) ^ (near >> 19 | near << 13) ^ near >> 10
        w.append((w[t - 16] + (far & MASK) + w[t - 7] + (near & MASK)) & MASK)
    a, b, c, d, e, f, g, h = before = STATE.unpack(state)
    for constant, word in zip(ROUNDS, w):
        turned = (e >> 6 | e << 26) ^ (e >> 11 | e << 21) ^ (e >> 25 | e << 7)
        first = h + (turned & MASK) + (g ^ e & (f ^ g)) + constant + word
        turned = (a >> 2 | a << 30) ^ (a >> 13 | a << 19) ^ (a >> 22 | a << 10)
        second = (turned & MASK) + (a & b | c & (a | b))
        a, b, c, d, e, f, g, h = (first + second) & MASK, a, b, c, (d + first) & MASK, e, f, g
    return STATE.pack(*((old + new) & MASK for old, new in zip(before, (a, b, c, d, e, f, g, h))))


class Context(ctypes.Structure):
    """OpenSSL's `SHA256_CTX`: the state, and what it knows of a message, which is not asked."""

    _fields_ = (("state", ctypes.c_uint32 * 8), ("rest", ctypes.c_uint32 * 20))


def openssl():
    """Return what does the same as `in_python` by the OpenSSL behind `hashlib`, or None if that does not hand it out.

    Any OpenSSL may be behind it, so it is believed only if it gives the hash of a known message.
    """
    try:
        import _hashlib

        transform = ctypes.PyDLL(_hashlib.__file__).SHA256_Transform  # a block takes less time than to let go of Python
    except (ImportError, AttributeError, OSError):
        return None
    transform.argtypes, transform.restype = (ctypes.POINTER(Context), ctypes.c_char_p), None

    def absorbed(state, block):
        """Return the state after one more block; both states have 32 bytes."""
        if len(block) != BLOCK:
            raise ValueError(f"a block has {BLOCK} bytes, not {len(block)}")
        context = Context(STATE.unpack(state))
        transform(context, bytes(block))
        return STATE.pack(*context.state)

    known = absorbed(absorbed(BEGINNING, bytes(BLOCK)), last_of(1))
    return absorbed if known == hashlib.sha256(bytes(BLOCK)).digest() else None


def last_of(blocks):
    """Return the block that ends a message of so many whole blocks."""
    return b"\x80".ljust(BLOCK - 8, b"\0") + (8 * BLOCK * blocks).to_bytes(8, "big")


absorbed = openssl() or in_python


def finished(state, blocks):
    """Return SHA-256 of a message of so many whole blocks, from the state after them."""
    return absorbed(state, last_of(blocks))
