"""How are many elements moved at once? Functions on slices of scalars, which C has as instructions or loops of its own."""


def move(target, at, source, first, count):
    """Elements `first ..` of a slice to `at ..` of another, or of the same, as if by way of a third."""
    if min(at, first, count) < 0 or at + count > len(target) or first + count > len(source):
        raise IndexError(f"{count} elements from {first} to {at}")
    target.rows[at:at + count] = list(source.rows[first:first + count])


def fill(target, at, value, count):
    """The same element, `count` times from `at` on."""
    if min(at, count) < 0 or at + count > len(target):
        raise IndexError(f"{count} elements at {at}")
    target.rows[at:at + count] = [target.type.element.coerce(value)] * count
