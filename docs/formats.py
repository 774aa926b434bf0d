"""At which byte does each part of a file begin? The code says how long the parts are; here are their names."""

import re
import struct
from dataclasses import dataclass
from hashlib import sha256

from corollary import snapshot
from corollary.record import audit, witness_log
from corollary.spec.kernel.state import BootInformation
from docs.values import code, table

DIGEST = sha256().digest_size


@dataclass(frozen=True)
class Part:
    """A part of a file: its size in bytes, its name, and what it holds."""

    size: int
    name: str
    holds: str


def parts(form, *named):
    """Return the parts of a `struct` with the names and contents that are given for them, in order."""
    return [Part(struct.calcsize(f"<{field}"), *name) for field, name in zip(fields(form.format), named, strict=True)]


def fields(text):
    """Return the format of each field of a `struct`: `10s` is one field, `2I` are two."""
    found = re.findall(r"(\d*)([a-zA-Z])", text)
    return [
        field for count, letter in found for field in ([f"{count}s"] if letter == "s" else [letter] * int(count or 1))
    ]


def zeros(found, size):
    """Return parts, with zeros after them up to a size."""
    return [*found, Part(size - sum(part.size for part in found), "zero", "zero bytes")]


def mark(text):
    """Return what a mark holds: the bytes themselves, as Python writes them."""
    return code(text)


LOG_HEADER = zeros(
    [
        *parts(
            witness_log.HEADER_FIXED,
            ("mark", mark(witness_log.HEADER_MARK)),
            ("version", f"of the format: {witness_log.VERSION}"),
            ("zero", "zero bytes"),
        ),
        Part(BootInformation.layout.size, "information", "`BootInformation`, below; its key is zero"),
        Part(DIGEST, "digest", "SHA-256 of all bytes before it"),
    ],
    witness_log.HEADER_SIZE,
)

CHECKPOINT = parts(
    audit.CHECKPOINT,
    ("sequence", "number of the next record"),
    ("time", "ns; when it was sealed"),
    ("chain", "chain value after the last record before it"),
    ("drained", "records that had left the log"),
    ("epoch", "epochs of the scheduler so far"),
    ("head", "SHA-256 of the log before it"),
    ("tag", "HMAC-SHA-256 of all before it in the checkpoint, under the boot key"),
)

LOG_SEAL = [
    *parts(
        witness_log.SEAL_FIXED,
        ("mark", mark(witness_log.SEAL_MARK)),
        ("interface", "number of the interface"),
        ("zero", "zero bytes"),
    ),
    *CHECKPOINT,
]

LOG_END = parts(
    witness_log.END_FIXED,
    ("mark", mark(witness_log.END_MARK)),
    ("sequence", "number of the next record"),
    ("head", "SHA-256 of the log"),
    ("zero", "zero bytes"),
)

SNAPSHOT_HEADER = parts(
    snapshot.HEADER,
    ("magic", mark(snapshot.MAGIC)),
    ("format", f"version of the format: {snapshot.FORMAT}"),
    ("machine", "identity of the VM"),
    ("key", "identifies the key, and does not reveal it"),
    ("module", "SHA-256 of the module"),
    ("outcome", "what the instance waits in: an `Outcome`, below"),
    ("at", "word of the code at which it goes on"),
    ("frame", "slot of the stack at which the running frame begins"),
    ("depth", "entries of the control stack"),
    ("live", "slots of the stack that are in use"),
    ("callee", "imported function that it waits for, after a host call; else 0"),
    ("globals", "number of globals"),
    ("tables", "number of tables"),
    ("pages", "pages of the memory; 0 if there is none"),
)


def laid_out(found):
    """Return parts of a file as a table, with the offset of each."""
    rows, offset = [], 0
    for part in found:
        rows.append((offset, part.size, part.name, part.holds))
        offset += part.size
    return table(("offset", "size", "field", "holds"), rows)


PAGE = {
    "laid_out": laid_out,
    "LOG_HEADER": LOG_HEADER,
    "LOG_SEAL": LOG_SEAL,
    "LOG_END": LOG_END,
    "SNAPSHOT_HEADER": SNAPSHOT_HEADER,
}
"""The names that pages may use."""
