"""How are the bytes of a component read? One by one, and never beyond the end of what they belong to."""

from collections.abc import Callable, Iterator
from typing import NoReturn, TypeVar

from corollary.components.refusal import ComponentRefused
from corollary.module import Binary

Item = TypeVar("Item")
PREAMBLE = b"\0asm\x0d\0\x01\0"


def is_component(binary: Binary) -> bool:
    """Do bytes begin as those of a component?"""
    return bytes(binary[: len(PREAMBLE)]) == PREAMBLE


class Reader:
    """A position in bytes, from which numbers and names are read up to `end`. All offsets count from byte 0 of them.

    What is not as it must be raises `ComponentRefused`.
    """

    def __init__(self, binary: bytes, at: int = 0, end: int | None = None):
        self.binary, self.at, self.end = binary, at, len(binary) if end is None else end

    @property
    def more(self) -> bool:
        """Is anything left?"""
        return self.at < self.end

    def refuse(self, message: str, needs: str | None = None) -> NoReturn:
        """Refuse the byte that was read last."""
        raise ComponentRefused(message, max(self.at - 1, 0), needs)

    def take(self, count: int) -> bytes:
        """Return the next bytes."""
        if count > self.end - self.at:
            raise ComponentRefused(f"unexpected end: {count} bytes should follow", self.at)
        self.at += count
        return self.binary[self.at - count : self.at]

    def byte(self) -> int:
        """Return the next byte."""
        return self.take(1)[0]

    def expect(self, byte: int, what: str) -> None:
        """Read one byte that is known."""
        found = self.byte()
        if found != byte:
            self.refuse(f"{what} is {found:#04x} instead of {byte:#04x}")

    def number(self, bits: int = 32) -> int:
        """Return an unsigned number in LEB128."""
        found = shift = 0
        while True:
            byte = self.byte()
            found |= (byte & 0x7F) << shift
            shift += 7
            if found >> bits or (byte & 0x80 and shift >= bits):
                self.refuse(f"a number has more than {bits} bits")
            if not byte & 0x80:
                return found

    def name(self) -> str:
        """Return a text in UTF-8, with its length before it."""
        try:
            return self.take(self.number()).decode()
        except UnicodeDecodeError:
            self.refuse("a name is no UTF-8")

    def optional(self, read: Callable[[], Item]) -> Item | None:
        """Return what `read` returns, or None where a 0 says that there is nothing."""
        flag = self.byte()
        if flag > 1:
            self.refuse(f"{flag:#04x} is neither 0 nor 1")
        return read() if flag else None

    def count(self) -> int:
        """Return how many items follow, each of at least one byte."""
        count = self.number()
        if count > self.end - self.at:
            self.refuse(f"{count} items cannot follow in {self.end - self.at} bytes")
        return count

    def within(self, size: int) -> "Reader":
        """Return a reader of the next `size` bytes, and go on behind them."""
        at = self.at
        self.take(size)
        return Reader(self.binary, at, self.at)

    def sections(self) -> Iterator[tuple[int, "Reader"]]:
        """Yield the id of each section, and a reader of its content, all of which must be read."""
        while self.more:
            id_ = self.byte()
            content = self.within(self.number())
            yield id_, content
            if content.more and id_:
                raise ComponentRefused(f"section {id_} has {content.end - content.at} bytes too many", content.at)
