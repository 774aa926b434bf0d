"""What are the functions of a module called? The custom section `name` says so, as far as it can be read."""

NAMES = "name"
CUSTOM, FUNCTIONS = 0, 1  # the ids of a custom section, and of the subsection with function names
HEADER = 8
LONGEST = 5  # bytes of a number, at most


def function_names(binary):
    """Return the names of functions by index.

    Malformed parts are left out: names are for people, and nothing depends on them.
    """
    found = {}
    try:
        for part in custom_sections(binary, NAMES):
            for kind, content in sections(part, 0):
                if kind == FUNCTIONS:
                    read_names(content, found)
    except IndexError:
        pass
    return found


def custom_sections(binary, called):
    """Yield the contents of the custom sections of a name; raises `IndexError` when the data end too early."""
    for kind, content in sections(binary, HEADER):
        if kind == CUSTOM:
            name, at = text(content, 0)
            if name == called:
                yield content[at:]


def sections(data, at):
    """Yield id and content of each section from a position on."""
    while at < len(data):
        kind = data[at]
        size, at = number(data, at + 1)
        yield kind, data[at : at + size]
        at += size


def read_names(data, found):
    """Add the entries of an encoded map from indices to names."""
    count, at = number(data, 0)
    for _ in range(count):
        index, at = number(data, at)
        found[index], at = text(data, at)


def text(data, at):
    """Return a text and the position after it; raises `IndexError` when the data end too early."""
    size, at = number(data, at)
    if at + size > len(data):
        raise IndexError
    return data[at : at + size].decode(errors="replace"), at + size


def number(data, at):
    """Return a LEB128 number and the position after it; raises `IndexError` if it is too long or the data end early."""
    value = 0
    for position in range(LONGEST):
        byte = data[at + position]
        value |= (byte & 0x7F) << 7 * position
        if byte < 0x80:
            return value, at + position + 1
    raise IndexError
