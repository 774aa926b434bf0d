"""What if a disk gives back what was on it before? QEMU gets its blocks from a server that does, once after each write.

The server speaks as much of NBD as QEMU needs (github.com/NetworkBlockDevice/nbd, doc/proto.md): the fixed newstyle
handshake and simple replies.
"""

import socket
import struct
import threading
from collections.abc import Callable
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from corollary.emulation.disk import options

MAGIC, OPTION, REPLY = 0x4E42444D41474943, 0x49484156454F5054, 0x3E889045565A9
REQUEST, ANSWER = 0x25609513, 0x67446698
FIXED, WITHOUT_ZEROES = 1, 2  # how both sides talk
GO, ACKNOWLEDGED, INFORMED, UNSUPPORTED = 7, 1, 3, (1 << 31) + 1
HAS_FLAGS, MAY_FLUSH = 1, 4  # of the disk
READ, WRITE, OVER = 0, 1, 2
FROM = "driver=nbd,server.type=unix,server.path={file}"


@dataclass
class Memory:
    """The bytes of a disk, and for each place that was written again what is given back instead, the next time."""

    now: bytearray
    instead: Callable = lambda number, old, new: old  # for the so many-th change of what was written
    changes: int = 0
    lies: dict = field(default_factory=dict)  # (position, bytes of the request): what is given back instead
    given: list = field(default_factory=list)  # (position, bytes): what was given back that was not true

    def write(self, at, data):
        """Keep what is written, and remember what it replaces, if that was ever written."""
        old = bytes(self.now[at : at + len(data)])
        if any(old) and old != data:
            self.lies[at, len(data)] = self.instead(self.changes, old, data)
            self.changes += 1
        self.now[at : at + len(data)] = data

    def read(self, at, size):
        """Return what is there, or once what is given back instead."""
        lie = self.lies.pop((at, size), None)
        if lie is None:
            return bytes(self.now[at : at + size])
        self.given.append((at, lie))
        return lie


class Closed(Exception):
    """QEMU has ended."""


def exactly(stream, form):
    """Return the numbers of a form, which come next. Raises `Closed`."""
    return struct.unpack(form, taken(stream, struct.calcsize(form)))


def taken(stream, size):
    """Return so many bytes. Raises `Closed`."""
    data = stream.read(size)
    if len(data) != size:
        raise Closed
    return data


def agree(stream, size):
    """Agree with QEMU on how to talk, and on the size of the disk."""
    send(stream, struct.pack(">QQH", MAGIC, OPTION, FIXED | WITHOUT_ZEROES))
    exactly(stream, ">I")
    while True:
        _, option, length = exactly(stream, ">QII")
        taken(stream, length)
        if option == GO:
            break
        send(stream, struct.pack(">QIII", REPLY, option, UNSUPPORTED, 0))
    about = struct.pack(">HQH", 0, size, HAS_FLAGS | MAY_FLUSH)
    send(stream, struct.pack(">QIII", REPLY, GO, INFORMED, len(about)) + about)
    send(stream, struct.pack(">QIII", REPLY, GO, ACKNOWLEDGED, 0))


def send(stream, data):
    """Send bytes at once."""
    stream.write(data)
    stream.flush()


def serve(listening, memory):
    """Serve the disk to QEMU until that has ended."""
    connection, _ = listening.accept()
    try:
        with connection, connection.makefile("rwb") as stream:
            agree(stream, len(memory.now))
            while True:
                answer(stream, memory)
    except (Closed, OSError):
        return


def answer(stream, memory):
    """Do what QEMU asks for next. Raises `Closed`."""
    _, _, kind, handle, at, size = exactly(stream, ">IHHQQI")
    if kind == OVER:
        raise Closed
    if kind == WRITE:
        memory.write(at, taken(stream, size))
    send(stream, struct.pack(">IIQ", ANSWER, 0, handle) + (memory.read(at, size) if kind == READ else b""))


@contextmanager
def attached(memory):
    """Yield `(arguments for QEMU, contents)`: a disk with that memory; `contents()` returns the bytes on it."""
    with TemporaryDirectory(prefix="corollary.") as folder, socket.socket(socket.AF_UNIX) as listening:
        path = Path(folder) / "disk"
        listening.bind(str(path))
        listening.listen(1)
        threading.Thread(target=serve, args=(listening, memory), daemon=True).start()
        yield options(FROM.format(file=path)), lambda: bytes(memory.now)
