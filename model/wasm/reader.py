"""How are the bytes of a module read?

Every read stops at the end that is set. After a refusal, nothing more is read.
"""

from corollary.language.builtins import saturating_sub, shift_left, shift_right, wrapping_add
from corollary.language.contracts import ensures, requires
from corollary.language.loops import decreases, maintains
from corollary.language.types import u8, u32, u64
from corollary.language.values import length
from corollary.spec.wasm.module import Module, Name
from corollary.spec.wasm.refusals import Refusal

CONTINUED = 0x80  # another byte follows
LOW = 0x7F  # the bits of a number in a byte
SIGN = 0x40  # the highest of these
ALL_ONES = 0xFFFF_FFFF_FFFF_FFFF


def refuse(m: Module, reason: Refusal, at: u32) -> None:
    """Keep the first reason to refuse the module."""
    if m.refusal == Refusal.NONE:
        m.refusal = reason
        m.offset = at
    m.at = m.end


def refused(m: Module) -> bool:
    """Is there a reason to refuse the module, or a request to stop?"""
    return m.refusal != Refusal.NONE or m.stop != 0


def spend(m: Module, rounds: u32) -> None:
    """Pay for the rounds of a loop over operand types. Refuse the module if it cannot pay."""
    if m.work < rounds:
        refuse(m, Refusal.TOO_MUCH_WORK, m.at)
        return
    m.work -= rounds


def remaining(m: Module) -> u32:
    """Return how many bytes may still be read."""
    return m.end - m.at if m.at < m.end else 0


def byte(m: Module) -> u8:
    """Read the next byte."""
    at = m.at
    if at >= m.end or at >= length(m.bytes):
        refuse(m, Refusal.UNEXPECTED_END, at)
        return 0
    m.at = at + 1
    return m.bytes[at]


def unsigned_32(m: Module) -> u32:
    """Read a u32 in LEB128: at most 5 bytes, with nothing above bit 31 in the last one."""
    start = m.at
    value: u64 = 0
    for i in range(5):
        part = byte(m)
        if i == 4 and part >= CONTINUED:
            refuse(m, Refusal.NUMBER_LENGTH, start)
            return 0
        if i == 4 and part > 0x0F:
            refuse(m, Refusal.NUMBER_RANGE, start)
            return 0
        value |= u64(part & LOW) << u64(7 * i)
        if part < CONTINUED:
            return u32.truncate(value)
    return 0


def signed_number(m: Module, bits: u32) -> u64:
    """Read a signed number of 32, 33 or 64 bits in LEB128, as 64 bits of two's complement.

    The unused bits of its last byte repeat the sign.
    """
    start = m.at
    value: u64 = 0
    for i in range(10):
        part = byte(m)
        value |= shift_left(u64, part & LOW, 7 * i)
        if 7 * i + 7 >= bits:
            if part >= CONTINUED:
                refuse(m, Refusal.NUMBER_LENGTH, start)
                return 0
            sign = shift_right(u8, part & LOW, u8.truncate(saturating_sub(bits, 7 * i + 1)))
            if sign != 0 and sign != shift_right(u8, LOW, u8.truncate(saturating_sub(bits, 7 * i + 1))):
                refuse(m, Refusal.NUMBER_RANGE, start)
                return 0
        if part < CONTINUED:
            return negative(value, 7 * i + 7) if part & SIGN != 0 else value
    return 0


def skip_number(m: Module) -> None:
    """Skip a u32, and check its encoding."""
    for i in range(5):
        part = byte(m)
        if i == 4 and part > 0x0F:
            refuse(m, Refusal.NUMBER_RANGE if part < CONTINUED else Refusal.NUMBER_LENGTH, m.at)
        if part < CONTINUED:
            return


def negative(value: u64, bits: u32) -> u64:
    """Return a number with ones above its bits."""
    return value if bits >= 64 else value | shift_left(u64, ALL_ONES, bits)


def bits_32(m: Module) -> u64:
    """Read the four bytes of an f32."""
    value: u64 = 0
    for i in range(4):
        part = byte(m)
        value |= u64(part) << u64(8 * i)
    return value


def bits_64(m: Module) -> u64:
    """Read the eight bytes of an f64."""
    value: u64 = 0
    for i in range(8):
        part = byte(m)
        value |= u64(part) << u64(8 * i)
    return value


def count(m: Module) -> u32:
    """Read the length of a vector. Each element takes at least one byte."""
    start = m.at
    value = unsigned_32(m)
    if value > remaining(m):
        refuse(m, Refusal.LENGTH, start)
        return 0
    return value


def skip(m: Module, size: u32) -> None:
    """Skip bytes."""
    if size > remaining(m):
        refuse(m, Refusal.LENGTH, m.at)
        return
    m.at += size


def name(m: Module, found: Name) -> None:
    """Read a name: a vector of bytes that must be UTF-8."""
    found.size = count(m)
    found.at = m.at
    skip(m, found.size)
    if u64(found.at) + found.size > length(m.bytes):
        refuse(m, Refusal.UNEXPECTED_END, found.at)
    elif not refused(m) and not is_utf8(m, found):
        refuse(m, Refusal.UTF8, found.at)


@requires(lambda m, text: u64(text.at) + text.size <= length(m.bytes))
def is_utf8(m: Module, text: Name) -> bool:
    """Is a string of the module well-formed UTF-8? Shortest encodings of scalar values only: Unicode 15, table 3-7."""
    left = text.size
    at = text.at
    while left > 0 and not refused(m):
        maintains(u64(at) + left <= length(m.bytes))
        decreases(left)
        size = utf8_size(m, at, left)
        if size == 0:
            return False
        left -= size
        at = wrapping_add(u32, at, size)
    return True


@requires(lambda m, at, left: left > 0 and u64(at) + left <= length(m.bytes))
@ensures(lambda left, result: result <= left)
def utf8_size(m: Module, at: u32, left: u32) -> u32:
    """Return the size of the encoded character at a position, with so many bytes left; 0 if there is none."""
    first = m.bytes[at]
    if first < 0x80:
        return 1
    size: u32 = 2 if first < 0xE0 else 3 if first < 0xF0 else 4
    if first < 0xC2 or first > 0xF4 or left < size:
        return 0
    second = m.bytes[u64(at) + 1]
    least: u8 = 0xA0 if first == 0xE0 else 0x90 if first == 0xF0 else 0x80
    most: u8 = 0x9F if first == 0xED else 0x8F if first == 0xF4 else 0xBF
    if second < least or second > most:
        return 0
    if size > 2 and not follows(m.bytes[u64(at) + 2]):
        return 0
    if size > 3 and not follows(m.bytes[u64(at) + 3]):
        return 0
    return size


def follows(part: u8) -> bool:
    """May a byte come after the second byte of a character?"""
    return part >= 0x80 and part <= 0xBF
