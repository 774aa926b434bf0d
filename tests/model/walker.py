"""What does an Arm core do with stage-2 tables?

This is a second, tiny reading of the manual (DDI 0487, D8.2), to compare with the first.
"""

POOL_BASE, POOL_PAGES = 0x4400_0000, 1024
READ, WRITE, EXECUTE = 1, 2, 4
FAULT, OUTSIDE = "fault", "outside"


def walk(memory, t0sz, first_level, root, ipa):
    """Where does an address lead? Returns FAULT, OUTSIDE, or `(page, access)`.

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
            return leaf(table, descriptor)
        if not descriptor & 2:
            return OUTSIDE  # a block, or an encoding reserved at level 3: the kernel makes neither
        level += 1


def leaf(address, descriptor):
    """Return the page and its permissions."""
    number = (address - POOL_BASE) // 4096
    if not 0 <= number < POOL_PAGES:
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
