"""How are many bytes moved at once? Functions on slices, which C has as instructions or loops of its own."""


def move(target, at, source, first, count):
    """Bytes `first ..` of a slice to `at ..` of another, or of the same, as if by way of a third."""
    if min(at, first, count) < 0 or at + count > len(target) or first + count > len(source):
        raise IndexError(f"{count} bytes from {first} to {at}")
    target.rows[at:at + count] = bytes(source.rows[first:first + count])


def fill(target, at, value, count):
    """The same byte, `count` times from `at` on."""
    if min(at, count) < 0 or at + count > len(target):
        raise IndexError(f"{count} bytes at {at}")
    target.rows[at:at + count] = bytes([value]) * count
