"""What does a script of the official suite say?

A script (.wast) is a list of S-expressions: modules, actions on their instances, and the expected results. They become
typed directives that know their place. The text of a module is cut out of the file unchanged: only the text parser of
wasmtime reads it.
"""

import bisect
import re
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from typing import Any, ClassVar

from wasmtime import WasmtimeError, wat2wasm

from tests.wasm.literals import FLOATS, INTEGERS, LiteralError, number

TOKEN = re.compile(
    rb"""(?P<blank>[ \t\r\n]+|;;[^\r\n]*)|(?P<comment>\(;)|(?P<open>\()|(?P<close>\))"""
    rb"""|(?P<string>"(?:[^"\\\r\n]|\\[^\r\n])*")|(?P<word>[^\s"();]+)"""
)
COMMENT = re.compile(rb"\(;|;\)")
ESCAPE = re.compile(rb"""\\(?:u\{([0-9A-Fa-f_]+)\}|([0-9A-Fa-f]{2})|([tnr"'\\]))""")
CHARACTERS = {b"t": b"\t", b"n": b"\n", b"r": b"\r", b'"': b'"', b"'": b"'", b"\\": b"\\"}
FIELDS = ("type", "import", "func", "table", "memory", "global", "export", "start", "elem", "data")
REFERENCES = {"func": "funcref", "extern": "externref"}


class ScriptError(Exception):
    """The script cannot be read; the message begins with file and line."""


@dataclass(frozen=True)
class Place:
    """A line of a file."""

    file: str
    line: int

    def __str__(self):
        return f"{self.file}:{self.line}"


class Form(Enum):
    """How a script gives a module."""

    TEXT = "text"
    BINARY = "binary"
    QUOTE = "quote"


class Pattern(Enum):
    """A result that a script may expect instead of bits."""

    CANONICAL = "nan:canonical"
    ARITHMETIC = "nan:arithmetic"
    REFERENCE = "any reference but null"


@dataclass(frozen=True)
class Directive:
    """One statement of a script."""

    keyword: ClassVar[str]
    place: Place

    @property
    def textual(self) -> bool:
        """Is it for text parsers alone?"""
        return False


@dataclass(frozen=True)
class Module(Directive):
    """A module to instantiate: its text, or the bytes of its binary."""

    keyword = "module"
    name: str | None
    form: Form
    source: bytes

    @cached_property
    def binary(self):
        """Return the module in the binary format. Raises ScriptError when its text cannot be read."""
        if self.form is Form.BINARY:
            return self.source
        try:
            return bytes(wat2wasm(self.source))
        except WasmtimeError as error:
            raise ScriptError(f"{self.place}: {error}") from error


@dataclass(frozen=True)
class Register(Directive):
    """Others may import from an instance under this name; by default it is the last instance."""

    keyword = "register"
    known_as: str
    instance: str | None


@dataclass(frozen=True)
class Action(Directive):
    """An action on an export of an instance, by default the last one."""

    instance: str | None
    export: str


@dataclass(frozen=True)
class Invoke(Action):
    """A call of a function with `(type, bits)` values."""

    keyword = "invoke"
    arguments: tuple


@dataclass(frozen=True)
class Get(Action):
    """A read of a global."""

    keyword = "get"


@dataclass(frozen=True)
class AssertReturn(Directive):
    """An action must end with these results: `(type, bits)`, or a Pattern in place of bits."""

    keyword = "assert_return"
    action: Action
    results: tuple


@dataclass(frozen=True)
class Refused(Directive):
    """An action or a module must fail for this reason."""

    subject: Action | Module
    reason: str


class AssertTrap(Refused):
    """The action, or the instantiation of the module, must trap."""

    keyword = "assert_trap"


class AssertExhaustion(Refused):
    """The action must need more stack than there is."""

    keyword = "assert_exhaustion"


class AssertInvalid(Refused):
    """The module must not validate."""

    keyword = "assert_invalid"


class AssertUnlinkable(Refused):
    """The module must not get the imports that it needs."""

    keyword = "assert_unlinkable"


class AssertMalformed(Refused):
    """The module must not decode, or its text must not parse."""

    keyword = "assert_malformed"

    @property
    def textual(self):
        """Malformed text has no binary."""
        subject: Any = self.subject
        return subject.form is not Form.BINARY


@dataclass(frozen=True)
class Node:
    """A piece of a script: its start, its end, and its content.

    `value` is a list of nodes, the str of a word, or the bytes of a string.
    """

    start: int
    end: int
    value: list | str | bytes

    @property
    def head(self):
        """Return the word that a list begins with; empty for everything else."""
        first = self.value[0].value if isinstance(self.value, list) and self.value else ""
        return first if isinstance(first, str) else ""


@dataclass(frozen=True)
class Source:
    """A file and its bytes."""

    file: str
    text: bytes

    @cached_property
    def lines(self):
        """Return the end of each line."""
        return [found.start() for found in re.finditer(rb"\n", self.text)]

    def place(self, offset):
        """Return the line that contains a byte."""
        return Place(self.file, bisect.bisect_left(self.lines, offset) + 1)

    def error(self, offset, problem):
        """Return an error with its place."""
        return ScriptError(f"{self.place(offset)}: {problem}")


def read(path):
    """Return the directives of a file. Raises ScriptError."""
    return parse(path.read_bytes(), path.name)


def parse(text, file):
    """Return the directives of a script, given as bytes. Raises ScriptError."""
    source = Source(file, text)
    found = nodes(source)
    if found and all(node.head in FIELDS for node in found):
        # a file may be one module without the word
        return [Module(source.place(found[0].start), None, Form.TEXT, text)]
    return [directive(source, node, DIRECTIVES) for node in found]


def nodes(source):
    """Return the S-expressions of a file. Raises ScriptError."""
    open_lists, starts = [[]], []
    for kind, start, end in tokens(source):
        if kind == "open":
            open_lists.append([])
            starts.append(start)
        elif kind == "close":
            if not starts:
                raise source.error(start, "a parenthesis too many")
            closed = Node(starts.pop(), end, open_lists.pop())
            open_lists[-1].append(closed)
        else:
            open_lists[-1].append(Node(start, end, (string if kind == "string" else word)(source, start, end)))
    if starts:
        raise source.error(starts[-1], "a parenthesis is not closed")
    return open_lists[0]


def tokens(source):
    """Yield `(kind, start, end)` of every token, without blanks and comments. Raises ScriptError."""
    position, text = 0, source.text
    while position < len(text):
        found = TOKEN.match(text, position)
        if found is None:
            raise source.error(position, f"no token: {text[position : position + 1]!r}")
        if found.lastgroup == "comment":
            position = comment_end(source, position)
            continue
        if found.lastgroup != "blank":
            yield found.lastgroup, position, found.end()
        position = found.end()


def comment_end(source, start):
    """Return the end of the block comment that starts here, with all comments inside. Raises ScriptError."""
    depth = 0
    for found in COMMENT.finditer(source.text, start):
        depth += 1 if found[0] == b"(;" else -1
        if depth == 0:
            return found.end()
    raise source.error(start, "a comment is not closed")


def word(source, start, end):
    """Return the text of a word. Raises ScriptError."""
    return utf8(source, start, source.text[start:end])


def string(source, start, end):
    """Return the bytes that a string means. Raises ScriptError."""
    inner = source.text[start + 1 : end - 1]
    if b"\\" in ESCAPE.sub(b"", inner):
        raise source.error(start, f"no such escape: {inner!r}")
    return ESCAPE.sub(lambda found: escaped(source, start, found), inner)


def escaped(source, start, found):
    """Return the bytes that an escape means. Raises ScriptError."""
    point, byte, character = found.groups()
    if character:
        return CHARACTERS[character]
    try:
        return bytes([int(byte, 16)]) if byte else chr(int(point, 16)).encode()
    except (ValueError, OverflowError) as error:
        raise source.error(start, f"no character: {found[0].decode()}") from error


def utf8(source, offset, text):
    """Return bytes as text. Raises ScriptError."""
    try:
        return text.decode()
    except UnicodeDecodeError as error:
        raise source.error(offset, f"no UTF-8: {text!r}") from error


def directive(source, node, readers):
    """Return the meaning of a list, among the directives that may stand here. Raises ScriptError."""
    if node.head not in readers:
        raise source.error(node.start, f"{node.head or 'this'} is none of {', '.join(readers)}")
    operands = Operands(source, node)
    read_as = readers[node.head](operands)
    operands.close()
    return read_as


class Operands:
    """The operands after the first word of a list, taken from left to right. Every method raises ScriptError."""

    def __init__(self, source, node):
        self.source, self.node, self.place = source, node, source.place(node.start)
        self.left = list(reversed(node.value[1:]))

    def peek(self, kind):
        """Is the next operand of this type?"""
        return bool(self.left) and isinstance(self.left[-1].value, kind)

    def take(self, kind, what):
        """Return the next operand, which must be of this type."""
        if not self.peek(kind):
            raise self.source.error(
                self.left[-1].start if self.left else self.node.end, f"{self.node.head} needs {what} here"
            )
        return self.left.pop()

    def name(self):
        """Return the identifier that stands here, or None if there is none."""
        return self.left.pop().value if self.peek(str) and self.left[-1].value.startswith("$") else None

    def text(self, what):
        """Return a string that is text."""
        node = self.take(bytes, what)
        return utf8(self.source, node.start, node.value)

    def one_of(self, *kinds):
        """Return one directive of these kinds."""
        readers = {kind.keyword: READERS[kind] for kind in kinds}
        return directive(self.source, self.take(list, " or ".join(readers)), readers)

    def rest(self, kind, what):
        """Return all remaining operands, each of this type."""
        while self.left:
            yield self.take(kind, what)

    def close(self):
        """Check that nothing is left."""
        if self.left:
            raise self.source.error(self.left[-1].start, f"{self.node.head} needs no more operands")


def module(operands):
    """Read `(module $name? fields)`, `(module $name? binary strings)`, `(module $name? quote strings)`."""
    name = operands.name()
    if operands.peek(str) and operands.left[-1].value in (Form.BINARY.value, Form.QUOTE.value):
        form = Form(operands.left.pop().value)
        return Module(operands.place, name, form, b"".join(part.value for part in operands.rest(bytes, "strings")))
    operands.left.clear()
    return Module(operands.place, name, Form.TEXT, operands.source.text[operands.node.start : operands.node.end])


def register(operands):
    """Read `(register "name" $instance?)`."""
    return Register(operands.place, operands.text("a name"), operands.name())


def invoke(operands):
    """Read `(invoke $instance? "export" constants)`."""
    instance, export = operands.name(), operands.text("the name of an export")
    return Invoke(
        operands.place,
        instance,
        export,
        tuple(constant(operands.source, node) for node in operands.rest(list, "constants")),
    )


def get(operands):
    """Read `(get $instance? "export")`."""
    return Get(operands.place, operands.name(), operands.text("the name of an export"))


def assert_return(operands):
    """Read `(assert_return action results)`."""
    action = operands.one_of(Invoke, Get)
    return AssertReturn(
        operands.place, action, tuple(result(operands.source, node) for node in operands.rest(list, "results"))
    )


def refused(kind, *subjects):
    """Return the reader of `(keyword subject "reason")`."""

    def reader(operands):
        return kind(operands.place, operands.one_of(*subjects), operands.text("a reason"))

    return reader


SUBJECTS = {
    AssertTrap: (Invoke, Get, Module),
    AssertExhaustion: (Invoke,),
    AssertInvalid: (Module,),
    AssertMalformed: (Module,),
    AssertUnlinkable: (Module,),
}
READERS = {Module: module, Register: register, Invoke: invoke, Get: get, AssertReturn: assert_return} | {
    kind: refused(kind, *subjects) for kind, subjects in SUBJECTS.items()
}
DIRECTIVES = {kind.keyword: reader for kind, reader in READERS.items()}


def constant(source, node):
    """Return the `(type, bits)` of `(i32.const n)` and the like, `(ref.null func)`, `(ref.extern n)`.

    Raises ScriptError.
    """
    kind, _, what = node.head.partition(".")
    if [type(part.value) for part in node.value[1:]] != [str]:
        raise source.error(node.start, f"{node.head} is no constant")
    operand = node.value[1].value
    try:
        if what == "const" and kind in (*INTEGERS, *FLOATS):
            return kind, number(kind, operand)
        if node.head == "ref.extern":
            return "externref", number("i32", operand)
    except LiteralError as error:
        raise source.error(node.start, error) from error
    if node.head == "ref.null" and operand in REFERENCES:
        return REFERENCES[operand], None
    raise source.error(node.start, f"{node.head} is no constant")


def result(source, node):
    """Return an expected result: a constant, or a Pattern in place of its bits. Raises ScriptError."""
    kind, _, what = node.head.partition(".")
    words = [part.value for part in node.value]
    if kind in FLOATS and what == "const" and words[1:] in ([Pattern.CANONICAL.value], [Pattern.ARITHMETIC.value]):
        return kind, Pattern(words[1])
    if kind == "ref" and what in REFERENCES and len(words) == 1:
        return REFERENCES[what], Pattern.REFERENCE
    return constant(source, node)
