"""How is a drained witness log stored in a file? A header, then records and sealed checkpoints, then an end mark.

Everything is a multiple of 64 bytes and little-endian. A record is
`corollary.spec.kernel.state.WitnessRecord` as the kernel wrote it. Everything else starts with eight bytes that no
record can start with, since a sequence number is below 2^63:

    header   384 bytes   "WITNESS\\xff", version (u32), 4 zero bytes, BootInformation without the key,
                         SHA-256 of all that, zero bytes
    seal     192 bytes   "SEALED.\\xff", number of the interface (u64), 48 zero bytes, the 128 bytes that `witness_seal`
                         wrote
    end       64 bytes   "THE END\\xff", number of the next record (u64), SHA-256 of the log (32 bytes), 16 zero bytes

SHA-256 of the log is that of its records, one after the other, with zeros for their links. A log that does not start at
boot has a seal in place of the header. The last record of a boot says which interface the records follow.
"""

import copy
import hashlib
import struct

from corollary.language.layout import decode, encode
from corollary.language.values import clear
from corollary.spec.kernel.interface import INTERFACE
from corollary.spec.kernel.state import BootInformation, WitnessRecord

UNIT = 64
SEAL = 128
VERSION = 2  # 1 had other links
MARK = 8
HEADER_MARK, SEAL_MARK, END_MARK = b"WITNESS\xff", b"SEALED.\xff", b"THE END\xff"
MARKS = (HEADER_MARK, SEAL_MARK, END_MARK)
HEADER_FIXED = struct.Struct("<8sII")
SEAL_FIXED = struct.Struct("<8sQ48s")  # what is before the checkpoint
END_FIXED = struct.Struct("<8sQ32s16s")
HEADER_SIZE = 384
SEAL_SIZE = 192
SIZES: dict[bytes | None, int] = {HEADER_MARK: HEADER_SIZE, SEAL_MARK: SEAL_SIZE}  # all else has the size of a record
LINKED = WitnessRecord.layout["link"].offset  # bytes of a record that its link covers
INFORMATION_END = HEADER_FIXED.size + BootInformation.layout.size


class BadLog(Exception):
    """Something in a log is not as the kernel writes it."""


def measurements(information):
    """Return the seven measurements of the boot, as bytes."""
    return b"".join(information.measurement[i].to_bytes(4, "big") for i in range(len(information.measurement)))


def measured(information):
    """Return SHA-256 of all that the boot measured: 32 bytes."""
    return hashlib.sha256(measurements(information)).digest()


def key_bytes(information):
    """Return the boot key as bytes, for HMAC."""
    return b"".join(information.key[i].to_bytes(4, "big") for i in range(len(information.key)))


def header(information):
    """Return the header of a log that starts at boot, without the key."""
    public = copy.deepcopy(information)
    clear(public.key)
    text = HEADER_FIXED.pack(HEADER_MARK, VERSION, 0) + encode(public, BootInformation)
    return (text + hashlib.sha256(text).digest()).ljust(HEADER_SIZE, b"\0")


def seal(checkpoint):
    """Return the unit that carries a checkpoint of this kernel."""
    return SEAL_FIXED.pack(SEAL_MARK, INTERFACE, bytes(48)) + checkpoint


def hashed(record):
    """Return the bytes of a record that go into the SHA-256 of the log: it has zeros for its link."""
    return record[:LINKED].ljust(UNIT, b"\0")


def hash_of(records):
    """Return SHA-256 of a log of these records: 32 bytes."""
    return hashlib.sha256(b"".join(map(hashed, records))).digest()


def end(sequence, head):
    """Return the unit that closes a log with this SHA-256."""
    return END_FIXED.pack(END_MARK, sequence, head, bytes(16))


def read_header(data):
    """Return the boot information of a header; raises `BadLog`."""
    if len(data) != HEADER_SIZE:
        raise BadLog("truncated inside the header")
    _, version, blank = HEADER_FIXED.unpack_from(data)
    text, digest, rest = (
        data[:INFORMATION_END],
        data[INFORMATION_END : INFORMATION_END + 32],
        data[INFORMATION_END + 32 :],
    )
    if version != VERSION or blank:
        raise BadLog(
            f"the header is of version {version}, and this reads version {VERSION}: "
            "use the tools that came with the kernel that wrote the log"
        )
    if hashlib.sha256(text).digest() != digest or any(rest):
        raise BadLog("the header was changed: its digest is wrong")
    return decode(text[HEADER_FIXED.size :], BootInformation)


def mark_of(data):
    """Return the mark that a unit begins with, or None: then it is a record."""
    mark = data[:MARK]
    return mark if mark in MARKS else None


def size_of_unit(mark):
    """Return how many bytes a unit with this mark has; None marks a record."""
    return SIZES.get(mark, UNIT)


def units(stream):
    """Yield `(mark or None, bytes)` for each unit of a stream; a truncated unit comes as it is.

    At most one unit is in memory at a time.
    """
    while data := stream.read(UNIT):
        mark = mark_of(data)
        size = size_of_unit(mark)
        yield mark, data + stream.read(size - UNIT) if size > UNIT else data
