"""How does a piece of the system look: as people write it, as C, and as machine code?"""

import inspect
import re
from functools import cache, lru_cache

from markupsafe import Markup, escape
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import CLexer, PythonLexer

from corollary.codegen.folders import GENERATED, PLATFORM
from corollary.proofs.machine.lift import SIZE, instruction

COLOURS = HtmlFormatter(nowrap=True)
MISSING = "/* not generated: run `corollary gen` */"
DEFINITION = re.compile(
    r"(?:^/\*(?:[^*]|\*(?!/))*\*/\n)?"
    r"^(?:__attribute__\(\(\w+\)\) )?\w[^\n;{}]*?\b(?:HANDLER\()?(\w+)[()][^;{}]*\n\{.*?^\}\n",
    re.M | re.S,
)
"""A function, or the handler of an operation, with the comment above it."""
ADDRESS = re.compile(r"0x([0-9a-f]+)$")


@cache
def coloured(function):
    """Return the Python source of a function."""
    return Markup(highlight(inspect.cleandoc(inspect.getsource(function)), PythonLexer(), COLOURS))


@cache
def coloured_c(symbol):
    """Return the C of a function, or of the handler of an operation."""
    return Markup(highlight(definitions().get(symbol, MISSING), CLexer(), COLOURS))


@lru_cache(maxsize=1)
def definitions():
    """Return every definition in C by its name; the first one of each name counts."""
    found = {}
    for path in (*files("*.c"), *files("*.h")):
        for match in DEFINITION.finditer(path.read_text()):
            found.setdefault(match.group(1), match.group())
    return found


def files(pattern):
    """Yield the files of a kind, those that are generated and those that are written by hand."""
    for folder in (GENERATED, PLATFORM):
        yield from sorted(folder.rglob(pattern))


def platform_text(symbol):
    """Return the source of a piece of the platform: C, or assembly from its BEGIN to its END."""
    for path in files("*.S"):
        found = re.search(rf"^BEGIN {symbol}\n.*?^END {symbol}$", path.read_text(), re.M | re.S)
        if found:
            return Markup(escape(found.group()))
    return coloured_c(symbol)


def listing(image, symbol, linked):
    """Return the instructions of a range of an image, with their addresses, without the constants between them.

    Where one leads to another function, `linked` marks up the name of that.
    """
    return Markup("\n").join(line(image, symbol, address, linked) for address in image.code(symbol))


def line(image, symbol, address, linked):
    """Return one line of a listing."""
    text = instruction(image.read(address, SIZE), address).text
    target = ADDRESS.search(text)
    found = image.at.get(int(target.group(1), 16)) if target else None
    there = linked(found.name) if found and found.name != symbol.name else ""
    return Markup('<span class="at">{:x}</span>  {}').format(address, text) + (Markup("  → ") + there if there else "")


def code_style():
    """Return the colours of source text, for light and dark mode."""
    dark = HtmlFormatter(style="github-dark").get_style_defs(".code")
    light = HtmlFormatter(style="default").get_style_defs(".code")
    keep = [[rule for rule in text.splitlines() if rule.startswith(".code .")] for text in (light, dark)]
    return "\n".join([*keep[0], "@media (prefers-color-scheme: dark) {", *keep[1], "}"])
