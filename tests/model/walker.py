"""What does an Arm core do with stage-2 tables?

This is a second, tiny reading of the manual (DDI 0487, D8.2), to compare with the first.
"""

POOL_BASE, POOL_PAGES = 0x4400_0000, 1024
LARGE_BASE, LARGE = 0x6000_0000, 128  # of 2 MiB
READ, WRITE, EXECUTE = 1, 2, 4
FAULT, OUTSIDE = "fault", "outside"


def walk(memory, t0sz, first_level, root, ipa):
    """Where does an address lead? Returns FAULT, OUTSIDE, `(page, access)`, or `(unit, access)` with 2 MiB at once.

    `memory` returns the word at a physical address, or None.
    """
    size = 64 - t0sz
    if ipa >= 1 << size:
        return FAULT
    table, level = root & 0x0000_FFFF_FFFF_F000, first_level
    while True:
        low = 12 + 9 * (3 - level)
        high = size if level == first_level else low + 9
        entry = (ipa % (1 << high)) >> low
        descriptor = memory(table + 8 * entry)
        if descriptor is None:
            return OUTSIDE
        if not descriptor & 1:
            return FAULT
        table = descriptor & 0x0000_FFFF_FFFF_F000
        if level == 3 and descriptor & 2:
            return leaf((table - POOL_BASE) // 4096, POOL_PAGES, descriptor)
        if not descriptor & 2:
            number, rest = divmod(table - LARGE_BASE, 2 << 20)
            large = level == 2 and not rest  # else a block of 1 GiB, or what is reserved: the kernel makes neither
            return leaf(number, LARGE, descriptor) if large else OUTSIDE
        level += 1


def leaf(number, most, descriptor):
    """Return the page or the unit, and its permissions."""
    if not 0 <= number < most:
        return OUTSIDE
    if not descriptor >> 10 & 1:
        return FAULT  # a first access: hardware management of the access flag is off
    access = (READ if descriptor >> 6 & 1 else 0) | (WRITE if descriptor >> 7 & 1 else 0)
    return number, access | (0 if descriptor >> 54 & 1 else EXECUTE)


def reader(s):
    """Return the words of the page pool by physical address."""

    def read(address):
        page, offset = divmod(address - POOL_BASE, 4096)
        return s.memory[page].word[offset // 8] if 0 <= page < POOL_PAGES else None

    return read
