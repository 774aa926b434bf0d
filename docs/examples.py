"""What does the language say of the examples on a page? They are read by its front end and put to the prover.

The mark of a block says which. `accepted`: the front end takes every function. `refused`: it does not. `proved`: no
obligation of the last function can fail. `refuted`: one can. The page shows what was said. A block that is not what its
mark says stops the build.
"""

import inspect
import linecache
from dataclasses import dataclass
from types import ModuleType

import z3

from corollary.language.frontend import translate
from corollary.language.types import LanguageError
from corollary.proofs.fingerprint import digest
from corollary.proofs.outside import executed, impossible
from docs.blocks import MARKED, Block, blocks

FENCE = "```"


class Untrue(Exception):
    """An example is not what its page says of it."""


@dataclass(frozen=True)
class Example:
    """A block of a page about the language, and the blocks before it that it may use."""

    block: Block
    before: str

    @property
    def module(self):
        """The example as a module, executed; its text stays where `inspect` finds it."""
        source = self.before + self.block.text
        module, file = ModuleType("example"), f"example_{digest(source)}.py"  # of no folder
        linecache.cache[file] = (len(source), None, source.splitlines(True), file)
        exec(compile(source, file, "exec"), vars(module))
        return module


def examples(text):
    """Yield every example of a page, in order."""
    before = ""
    for block in blocks(text):
        if block.mark in SAYS:
            yield Example(block, before)
        if block.mark in KEPT:
            before += block.text + "\n\n"


def functions(module):
    """Return the functions that a module defines, in order, without those that it imports."""
    found = filter(inspect.isfunction, vars(module).values())
    return [function for function in found if function.__module__ == module.__name__]


def judged(example):
    """Return what is to be shown below an example; raises `Untrue`."""
    mark, said = example.block.mark, SAYS[example.block.mark](functions(example.module))
    if said and not said.startswith(mark) or mark == "refused" and not said:
        raise Untrue(f"not {mark}: {said or 'it is accepted'}\n{example.block.text}")
    return said


def reading(found):
    """Say what the front end has against the last of some functions, and what to write instead; "" if nothing."""
    for function in found:
        try:
            translate(function)
        except LanguageError as error:
            return f"refused: {error.message}\ninstead: {error.instead}"
    return ""


def proof(found):
    """Say whether every obligation of the last of some functions holds, or which one can fail, and in which line."""
    executor = executed(translate(found[-1]))
    for obligation in executor.obligations:
        if impossible(executor.facts, obligation) != z3.unsat:
            return f"refuted: {obligation.what}\nin line: {line_at(found[-1], obligation.where)}"
    return f"proved whatever the arguments; obligations: {len(executor.obligations)}"


def line_at(function, where):
    """Return the text of a line of a function, given as `file:line`."""
    lines, first = inspect.getsourcelines(inspect.unwrap(function))
    return lines[int(where.rsplit(":", 1)[1]) - first].strip()


SAYS = {"accepted": reading, "refused": reading, "proved": proof, "refuted": proof}
KEPT = ("accepted", "proved")  # later examples may use them


def explained(text):
    """Return the text of a page with what the language says of each example below it."""
    found = iter(list(examples(text)))

    def below(match):
        said = judged(next(found)) if match[1] in SAYS else ""
        return f"{match[0]}\n\n{FENCE}text\n{said}\n{FENCE}\n" if said else match[0]

    return MARKED.sub(below, text)
