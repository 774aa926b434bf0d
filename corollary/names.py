"""What are the functions of a module called? The custom section `name`, as far as it can be read."""

CUSTOM, FUNCTIONS = 0, 1        # the ids of a section, and of the part of this one that is about functions
HEADER = 8
LONGEST = 5         # bytes of a number


def function_names(binary):
    """Names by the index of the function. What is not well-formed is left out: names are for people, and decide nothing."""
    found = {}
    try:
        for part in name_sections(binary):
            for kind, content in sections(part, 0):
                if kind == FUNCTIONS:
                    read_names(content, found)
    except IndexError:
        pass
    return found


def name_sections(binary):
    """The contents of the custom sections of that name."""
    for kind, content in sections(binary, HEADER):
        if kind == CUSTOM:
            name, at = text(content, 0)
            if name == "name":
                yield content[at:]


def sections(data, at):
    """The id and the content of each section from a position on."""
    while at < len(data):
        kind = data[at]
        size, at = number(data, at + 1)
        yield kind, data[at:at + size]
        at += size


def read_names(data, found):
    """Add the names of a map from indices to names."""
    count, at = number(data, 0)
    for _ in range(count):
        index, at = number(data, at)
        found[index], at = text(data, at)


def text(data, at):
    """A text, and where it ends; raises `IndexError` where the data end before."""
    size, at = number(data, at)
    if at + size > len(data):
        raise IndexError
    return data[at:at + size].decode(errors="replace"), at + size


def number(data, at):
    """A number in LEB128, and where it ends; raises `IndexError` where the data end before, or it is too long."""
    value = 0
    for position in range(LONGEST):
        byte = data[at + position]
        value |= (byte & 0x7F) << 7 * position
        if byte < 0x80:
            return value, at + position + 1
    raise IndexError
