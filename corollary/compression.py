"""How are bytes made smaller, and brought back? As one block of the LZ4 format, by code that is proved.

A block does not say how large its content is: keep the size beside it.
"""

import ctypes
from functools import cache
from typing import Any

from corollary.codegen import build
from corollary.library import PREFIX, UNSIGNED, Room, had, structure
from corollary.limits import check_whole
from corollary.problem import Problem
from corollary.spec.store.block import LARGEST, BlockFault, Compression, Decompression

COMPRESS, DECOMPRESS = "compression_compress", "decompression_decompress"
NEW = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_char_p, ctypes.c_ssize_t)(
    ("PyBytes_FromStringAndSize", ctypes.pythonapi)
)
"""What makes a `bytes` object; without bytes to copy, its maker may write it until somebody else has it."""
for record in (Compression, Decompression):
    structure(record)  # each is made once, before there can be a second thread


class BlockRefused(Problem):
    """A block that cannot be made, or bytes that are no block of this content.

    `fault` is a `BlockFault`, `at` the byte of the block where something is wrong, `made` the number of bytes of the
    content before that.
    """

    def __init__(self, fault: BlockFault, at: int, made: int):
        super().__init__(f"{BlockFault.notes[fault.name]}: byte {at} of the block, byte {made} of the content")
        self.fault, self.at, self.made = fault, at, made


def compress(data: bytes) -> bytes:
    """Return a block with these bytes as its content; raises `BlockRefused` if they are more than LARGEST.

    `data` is any object with the buffer interface. Raises `TypeError` for other objects, and `LimitExceeded` if there
    is no room for the block.
    """
    room = Room(Compression)
    room.lend("content", whole(data))
    room.lend("block", blank(most(room.value.content.length)))
    return answer(room, COMPRESS, "block")


def decompress(block: bytes, size: int) -> bytes:
    """Return the content of a block, which has `size` bytes; raises `BlockRefused` if the block says otherwise.

    `block` is any object with the buffer interface. Raises `TypeError` for other objects, `ValueError` for a size below
    0 or above LARGEST, and `LimitExceeded` if there is no room for the content.
    """
    check_whole("size", size, LARGEST)
    room = Room(Decompression)
    room.lend("block", whole(block))
    room.lend("content", blank(size))
    return answer(room, DECOMPRESS, "content")


def most(size: int) -> int:
    """Return how many bytes a block needs at most for a content of `size` bytes: a length and literals."""
    return size + size // 255 + 16


def whole(data):
    """Return the bytes of an object that has the buffer interface."""
    return data if isinstance(data, bytes) else bytes(memoryview(data))


def blank(size):
    """Return a `bytes` object that is to be written; raises `LimitExceeded`."""
    return had(lambda: NEW(None, size), f"{size} bytes")


def answer(room, name, made):
    """Call a function of the library, and return the bytes that it made; raises `BlockRefused`."""
    fault = BlockFault(getattr(library(), PREFIX + name)(room.address))
    if fault is not BlockFault.NONE:
        raise BlockRefused(fault, getattr(room.value, "at", 0), room.value.made)
    return room[made][: room.value.made]


@cache
def library() -> Any:
    """Return the library with the functions of the store; its calls release the lock of the interpreter."""
    loaded = ctypes.CDLL(str(build.store_library()))
    for name in (COMPRESS, DECOMPRESS):
        function = getattr(loaded, PREFIX + name)
        function.restype, function.argtypes = UNSIGNED[BlockFault.storage], [ctypes.c_void_p]
    return loaded
