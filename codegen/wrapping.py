"""Where does a long line of C break, and how is a comment laid out?

Nothing here knows what the text means.
"""

import textwrap

WIDTH = 120
# a line may end with these, but the next line begins with `?` or `:`; looser operators come first
BREAKS = (", ", " ? ", " : ", " || ", " && ", " | ", " ^ ", " & ", " + ")
LEADING = (" ? ", " : ")
RIGHTMOST = 80  # a continuation further right has no room left


def wrap(line, width=WIDTH):
    """Break a statement into lines: at the outermost, loosest operator, aligned to its bracket."""
    indent = len(line) - len(line.lstrip())
    stack, lines = [_start(line, indent)], []
    while len(line) > width:
        found = [place for place in _breaks(line, stack) if len(line) - len(line.lstrip()) < place[2] <= width]
        if not found:
            break
        depth, rank = min(place[:2] for place in found)
        _, _, position, stack = max(
            (place for place in found if place[:2] == (depth, rank)), key=lambda place: place[2]
        )
        column = stack[-1] if stack[-1] <= RIGHTMOST else indent + 8
        lines.append(line[:position].rstrip())
        line = " " * column + line[position:].lstrip()
    return [*lines, line]


def _start(line, indent):
    """The column to which the rest of a statement is aligned."""
    text = line[indent:]
    if text.startswith("return "):
        return indent + len("return ")
    equals = text.find(" = ")
    return indent + equals + 3 if 0 < equals < 60 else indent + 8


def _breaks(line, stack):
    """Yield every place where the line may break: depth, looseness, position and the brackets open there."""
    stack = list(stack)
    for position, letter in enumerate(line):
        if letter in "([{":
            stack.append(position + 1)
        elif letter in ")]}" and len(stack) > 1:
            stack.pop()
        elif letter in ", ":
            for rank, token in enumerate(BREAKS):
                rank = BREAKS.index(LEADING[0]) if token in LEADING else rank
                if line.startswith(token, position):
                    after = position + (1 if token in LEADING else len(token))
                    yield len(stack), rank, after, list(stack)
                    break


def harmless(text):
    """Return a text without what ends a comment of C, or looks as if another began in it."""
    return text.replace("*/", "* /").replace("/*", "/ *")


def comment(text, pad="", width=WIDTH):
    """A block comment with this text, on one line or more."""
    text = harmless(" ".join(text.split()))
    lines = textwrap.wrap(text, width - len(pad) - 6)
    return [
        pad + ("/* " if number == 0 else "   ") + line + (" */" if number == len(lines) - 1 else "")
        for number, line in enumerate(lines)
    ]


def paragraphs(text, pad=""):
    """A block comment that keeps the paragraphs of a docstring, if there is one."""
    parts = [part for part in (text or "").strip().split("\n\n") if part.strip()]
    if not parts:
        return []
    lines = []
    for part in parts:
        wrapped = textwrap.wrap(" ".join(part.split()), WIDTH - len(pad) - 6)
        lines += [*([""] if lines else []), *wrapped]
    lines = [("/* " if number == 0 else "   ") + harmless(line) for number, line in enumerate(lines)]
    return [pad + line.rstrip() for line in [*lines[:-1], lines[-1] + " */"]]
