"""How does an instance rest outside of memory, and come back at the same instruction? As a block, with a receipt.

The block is a snapshot, compressed. Its receipt says where it lies and what it must be, so bytes that were changed are
refused before anything reads them. Whoever can change both still needs the key that sealed the snapshot. What the host
holds, as files and streams, is not in it.
"""

import hashlib
from dataclasses import dataclass

from corollary.compression import BlockRefused, compress, decompress
from corollary.instance import Instance
from corollary.language.types import Enum
from corollary.limits import Limits
from corollary.linker import Imports
from corollary.module import Binary, Module
from corollary.problem import Problem
from corollary.spec.store.block import CONTINUED, LARGEST


class Damage(Enum):
    """Why does an instance not come back?"""

    TRUNCATED = 0  # the block has fewer bytes than its receipt says
    EXTENDED = 1  # the block has more bytes than its receipt says
    ALTERED = 2  # the block is not the one of its receipt
    MODULE = 3  # the instance is of another module
    CONTENT = 4  # the block has no content of the size that its receipt says


class ReconstructionRefused(Problem):
    """An instance does not come back: `damage` is a `Damage`, and the message says what to do. Nothing is lost."""

    def __init__(self, damage: Damage, advice: str):
        self.damage = damage
        super().__init__(f"{Damage.notes[damage.name]}: {advice}")


@dataclass(frozen=True)
class Receipt:
    """Where the block of a hibernated instance lies, and what it is. Sizes are in bytes, hashes in hexadecimal."""

    at: str  # the words of whoever keeps it
    packed: int  # size of the block
    sha256: str  # of the block
    plain: int  # size of its content, the snapshot
    module: str  # SHA-256 of the module


def hibernate(instance: Instance, key: bytes, at: str = "") -> tuple[Receipt, bytes]:
    """Return the receipt and the block of an instance, whose snapshot is sealed with `key`.

    `at` is for the receipt: where the block will lie. The instance stays as it is: drop it once the block is kept, or
    it lives twice. Raises what `Instance.snapshot` raises: `SnapshotRefused`, `Busy`, and `ValueError` for a key of
    less than 32 bytes.
    """
    plain = instance.snapshot(key)
    block = compress(plain)
    return Receipt(at, len(block), hashed(block), len(plain), instance.module.digest.hex()), block


def reconstruct(
    module: Module | Binary,
    receipt: Receipt,
    block: bytes | bytearray | memoryview,
    key: bytes,
    imports: Imports = (),
    limits: Limits = Limits(),
    host_calls: bool = False,
    reentrant: bool = False,
) -> Instance:
    """Return the instance that was hibernated; `resume` goes on at the instruction where its call was suspended.

    Before anything else, the block is compared with the receipt, by size and hash, and the module by its hash. The
    other arguments are those of `Instance.restore`. Raises `ReconstructionRefused`, then whatever `Instance.restore`
    raises. Receipt and block stay as they are, so that one may try again with what was missing.
    """
    kept = bytes(block)  # a copy: the bytes that were checked are the bytes that are read
    check(receipt, kept)
    made = module if isinstance(module, Module) else Module(module, limits)
    if made.digest.hex() != receipt.module:
        raise ReconstructionRefused(Damage.MODULE, f"it needs the one with SHA-256 {receipt.module}")
    return Instance.restore(made, content(receipt, kept), key, imports, limits, host_calls, reentrant)


def check(receipt, block):
    """Raise `ReconstructionRefused` unless a block is the one of a receipt."""
    place = f" from {receipt.at!r}" if receipt.at else ""
    if len(block) != receipt.packed:
        damage = Damage.TRUNCATED if len(block) < receipt.packed else Damage.EXTENDED
        raise ReconstructionRefused(damage, f"{len(block)} instead of {receipt.packed}: take another copy{place}")
    if hashed(block) != receipt.sha256:
        raise ReconstructionRefused(Damage.ALTERED, f"its SHA-256 is not {receipt.sha256}: take another copy{place}")


def content(receipt, block):
    """Return the content of a block that was checked; raises `ReconstructionRefused`."""
    most = min(CONTINUED * len(block), LARGEST)  # no byte of a block stands for more bytes than one of a length
    if not 0 <= receipt.plain <= most:
        raise wrong_content(f"{receipt.plain} bytes are not between 0 and {most}")
    try:
        return decompress(block, receipt.plain)
    except BlockRefused as refused:
        raise wrong_content(str(refused)) from refused


def wrong_content(why):
    """Return the refusal of a block that fits its receipt, but has another content."""
    return ReconstructionRefused(Damage.CONTENT, f"{why}; take the receipt that was made with the block")


def hashed(block):
    """Return the SHA-256 of a block in hexadecimal."""
    return hashlib.sha256(block).hexdigest()
