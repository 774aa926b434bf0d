"""How does the language move many elements at once?

These functions work on slices of scalars. C has instructions or loops of its own for them.
"""


def move(target, at, source, first, count):
    """Copy `count` elements from `first` of one slice to `at` of another, or of the same, as if through a third."""
    if min(at, first, count) < 0 or at + count > len(target) or first + count > len(source):
        raise IndexError(f"{count} elements from {first} to {at}")
    target.rows[at : at + count] = list(source.rows[first : first + count])


def fill(target, at, value, count):
    """Set `count` elements, from `at` on, to the same value."""
    if min(at, count) < 0 or at + count > len(target):
        raise IndexError(f"{count} elements at {at}")
    target.rows[at : at + count] = [target.type.element.coerce(value)] * count
