"""What does the name of a program say? `urn:corollary:NAME:VERSION`: no part of it can be a path, or lead to a file."""

from dataclasses import dataclass

from corollary.runtime.desk import NAME

LARGEST = 10 << 20  # bytes of a program that has such a name, at most
PREFIX = ["urn", "corollary"]


@dataclass(frozen=True)
class Urn:
    """A name that means one program for ever. As a string it is the URN, by RFC 8141."""

    name: str
    version: str

    def __str__(self):
        return ":".join([*PREFIX, self.name, self.version])


def parsed(text: str) -> Urn:
    """Return the name that a text is; raises `ValueError`."""
    parts = text.split(":")
    head, tail = [part.lower() for part in parts[:2]], parts[2:]  # RFC 8141: the case of these two does not count
    if head != PREFIX or len(tail) != 2 or not all(map(NAME.fullmatch, tail)):
        raise ValueError(
            f"{text!r} is no name of a program: it is urn:corollary:NAME:VERSION, both 1 to 63 of a-z, 0-9, `.`, `_`, "
            "`-`, with a letter or digit at both ends"
        )
    return Urn(*tail)
