"""Which blocks of a Markdown text are to be run, and how? The comment above a block tells.

`runs` is a transcript to be typed in the root of the tree; `fails` and `passes` are transcripts for a copy of the tree,
by the exit code of each command. `append to PATH` and `remove from PATH` change a file of such a copy. `python` is run
by Python; what begins with `>>>` must give what is shown. `in PATH` is an excerpt of a file. In a transcript and in
an excerpt, `...` stands for anything.
"""

import re
from dataclasses import dataclass

COROLLARY = "$ .venv/bin/corollary "
PROMPT, ANYTHING = "$ ", "..."
WRITTEN = ("build", ".venv", "tests/counterexamples", "generated/bank")  # by commands, the last one for a component
MARKED = re.compile(r"(?:^<!-- ([^\n]*) -->\n)?^```(\w*)[^\n]*\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Block:
    """A block of code: the mark in the comment above it, the name of its language, and its text."""

    mark: str
    language: str
    text: str


def blocks(text):
    """Return every block of code in a text, in order."""
    return [Block(*(part or "" for part in parts)) for parts in MARKED.findall(text)]


def paths(text):
    """Return every path of the tree that a text names between backticks, but for what commands write."""
    named = re.findall(r"`([\w./]+/[\w./]*)`", text)
    return [path for path in named if not path.startswith(WRITTEN)]


def section(text, title):
    """Return the text below a heading of the second level."""
    return text.split(f"\n## {title}\n")[1].split("\n## ")[0]


def edits(text, order):
    """Return `(path, code)` of each block with a mark such as `append to PATH`.

    What is appended stands two empty lines below what is there.
    """
    marked = [block for block in blocks(text) if block.mark.startswith(f"{order} ")]
    return [(block.mark.removeprefix(f"{order} "), block.text) for block in marked]


def commands(transcript):
    """Yield `(arguments, expected texts)` of each command of Corollary in a transcript."""
    for part in transcript.split(COROLLARY)[1:]:
        command, *lines = part.splitlines()
        yield command.split(), expected(lines)


def script(transcript):
    """Return what a transcript types, as a script, and the texts that it expects."""
    lines = re.split(r"(?<!\\)\n", transcript)
    typed = [line.removeprefix(PROMPT) for line in lines if line.startswith(PROMPT)]
    return "\n".join(typed), expected(line for line in lines if not line.startswith(PROMPT))


def expected(lines):
    """Return the texts that must appear, in order: the lines, and of a line with dots in it the parts around them."""
    return [part.strip() for line in lines for part in line.split(ANYTHING) if part.strip()]
