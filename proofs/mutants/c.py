"""Which mistakes could the C contain? A program makes one-line changes to its function bodies."""

import functools
import re
from dataclasses import dataclass

from corollary.codegen import build, kernel
from corollary.language.types import is_scalar
from corollary.language.values import RecordMeta
from corollary.proofs.fingerprint import digest

FILES = tuple(path.stem for path in build.sources(host=False) if path.stem != "invariants")
OPERATORS = (
    ("==", "!="),
    ("!=", "=="),
    ("<=", "<"),
    (">=", ">"),
    (" < ", " <= "),
    (" > ", " >= "),
    ("&&", "||"),
    ("||", "&&"),
    (" + ", " - "),
    (" - ", " + "),
    (" & ", " | "),
    (" | ", " & "),
    (" << ", " >> "),
    (" >> ", " << "),
    (" += ", " -= "),
    (" -= ", " += "),
    ("++;", "--;"),
    (" |= ", " &= "),
    (" ^ ", " | "),
)
ROOM = re.compile(r"\s+\w+ \w+\[\d+\]( = \{0\})?;$")  # a local array; making it longer is no mistake
ENUMERATORS = (
    r"\b(STATUS|PARTITION_STATE|PAGE_KIND|OBJECT_KIND|RING|TIER|ACTION|RIGHT|ACCESS|FAILURE_CLASS)_[A-Z0-9_]+\b"
)


@dataclass(frozen=True)
class TextMutant:
    """Lines of a C file and their replacement."""

    file: str
    function: str
    number: int  # which of the function's lines
    line: int  # of the file
    old: str
    new: str
    what: str

    @property
    def id(self):
        """The id, made from the function, the line in it and the two texts."""
        return f"c-{self.function}-{digest(self.function, str(self.number), self.old, self.new)[:10]}"

    @property
    def change(self):
        """`file:line `old` -> `new``."""
        old, new = (" ".join(text.split()) for text in (self.old, self.new))
        return f"generated/kernel/{self.file}.c:{self.line} `{old}` -> `{new}`"

    def text(self):
        """Return the text of the changed file."""
        lines = source(self.file).splitlines()
        lines[self.line - 1 : self.line + self.old.count("\n")] = self.new.split("\n")
        return "\n".join(lines) + "\n"


@functools.cache
def source(file):
    """Return the text of a C file of the kernel."""
    return (build.KERNEL / f"{file}.c").read_text()


def candidates(file):
    """Yield every mutant of the function bodies of one C file."""
    function, number, lines = "", 0, source(file).splitlines()
    for position, line in enumerate(lines):
        if line == "{":
            head = " ".join(lines[max(0, position - 4) : position]).rsplit("*/", 1)[-1]
            function, number = re.findall(r"(\w+)\(", head)[0], 0
        elif line == "}":
            function = ""
        elif function and line.strip() and not line.strip().startswith(("/*", "*", "(void)")):
            number += 1
            for what, old, new in changes(lines, position):
                yield TextMutant(file, function, number, position + 1, old, new, what)


def changes(lines, position):
    """Yield `(what, old text, new text)` for one line, or for a guard of three lines."""
    line = lines[position]

    def instead(match, new, group=0):
        return line, line[: match.start(group)] + new + line[match.end(group) :]

    for old, new in OPERATORS:
        for match in re.finditer(re.escape(old), line):
            yield "operator", *instead(match, new)
    for match in re.finditer(r"(?<![\w.])(\d+)(?![\w.])", "" if ROOM.match(line) else line):
        yield "constant", *instead(match, str(int(match[1]) + 1))
    for match in re.finditer(ENUMERATORS, line):
        if following(match[0], match[1]):
            yield "enumerator", *instead(match, following(match[0], match[1]))
    for match in re.finditer(r"(?:->|\.)(\w+)\b(?!\()", line):
        if match[1] in siblings():
            yield "swapped field", *instead(match, siblings()[match[1]], 1)
    if re.match(r"\s+if \(.*\) \{$", line):
        yield "negated condition", line, re.sub(r"if \((.*)\) \{$", r"if (!(\1)) {", line)
        if "return" in lines[position + 1] and lines[position + 2].strip() == "}":
            yield "dropped guard", "\n".join(lines[position : position + 3]), "    ;"
    if re.match(r"\s+(?!const|struct)\S+(->|\.|\[).* [-+|^&]?= .*;$", line):
        yield "removed effect", line, "    ;"
    if re.match(r"\s+\w+\(.*\);$", line) and lines[position - 1].endswith((";", "{", "}", "*/")):
        yield "removed call", line, "    ;"


@functools.cache
def following(name, prefix):
    """Return the next enumerator of the same type in the header, or None."""
    text = (build.KERNEL / "types.h").read_text()
    names = sorted(set(re.findall(rf"\b{prefix}_[A-Z0-9_]+\b(?= = |,)", text)))
    return names[(names.index(name) + 1) % len(names)] if name in names and len(names) > 1 else None


@functools.cache
def siblings():
    """Map each field to the next one of the same type in its record, if all records with that field agree."""
    found = {}
    for record in (type_ for type_ in kernel.KERNEL.types if isinstance(type_, RecordMeta)):
        for name, type_ in record.fields.items():
            same = [other for other, its in record.fields.items() if its is type_ and is_scalar(its)]
            found.setdefault(name, set()).add(same[(same.index(name) + 1) % len(same)] if len(same) > 1 else None)
    return {name: next(iter(others)) for name, others in found.items() if len(others) == 1 and None not in others}


def sample(seed=0, count=96):
    """Choose C mutants, taking each function in turn, by the hash of seed and id."""
    pools, chosen = {}, []
    for file in FILES:
        for mutant in candidates(file):
            pools.setdefault(mutant.function, []).append(mutant)
    for name, pool in pools.items():
        pool.sort(key=lambda mutant: (digest(str(seed), name, mutant.what), digest(str(seed), mutant.id)))
    names = sorted(pools, key=lambda name: digest(str(seed), name))
    while len(chosen) < count and any(pools.values()):
        for name in names:
            chosen += [pools[name].pop(0)] if pools[name] else []
    return chosen[:count]
