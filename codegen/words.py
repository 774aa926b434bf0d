"""At which bits of each packed word does each value lie? The reference of all that specifications declare as words."""

import importlib
import inspect

from corollary.codegen.folders import file_of
from corollary.codegen.program import trailing_notes
from corollary.language.word import WordMeta

MODULES = (
    "corollary.spec.kernel.packed",
    "corollary.spec.kernel.schedule",
    "corollary.spec.kernel.hardware",
    "corollary.spec.kernel.regime",
    "corollary.spec.wasm.machine",
)
SOURCES = tuple(map(file_of, MODULES))


def values():
    """The values that the template may use."""
    return {"words": [described(word) for module in MODULES for word in declared(module)]}


def declared(module):
    """The words that a module declares, in order."""
    found = vars(importlib.import_module(module)).values()
    return [each for each in found if isinstance(each, WordMeta) and each.__module__ == module]


def described(word):
    """What the reference says of a word: its parts from the lowest bit on."""
    parts = sorted(word.parts.values(), key=lambda part: part.low)
    about = " ".join((inspect.getdoc(word) or "").split())
    return {
        "name": word.__name__,
        "about": about,
        "carrier": word.carrier.name,
        "file": file_of(word.__module__),
        "parts": [row(part) for part in parts],
    }


def row(part):
    """The bits, the name, what they hold, and the comment of a part."""
    last = part.low + part.width - 1
    fixed = "" if part.fixed is None else f"always {int(part.fixed):#x}"
    return {
        "bits": f"{part.low}" if part.width == 1 else f"{part.low} .. {last}",
        "name": part.name,
        "holds": ", ".join(filter(None, (part.type.name if part.type else "", fixed))),
        "note": trailing_notes(part.module).get(part.line, ""),
    }
