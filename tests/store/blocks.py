"""What do the model, the library and the reference implementation make of content and of blocks?"""

import random
from functools import cache

import lz4.block

from corollary.codegen.folders import ROOT
from corollary.compression import COMPRESS, DECOMPRESS, library, most
from corollary.language.values import allocate
from corollary.library import PREFIX, Room
from corollary.model.store.compression import compress
from corollary.model.store.decompression import decompress
from corollary.spec.store.block import BlockFault, Compression, Decompression
from tests.wasm.forged import stops
from tests.wasm.suspended import BINARIES


def compressed(content, room=None):
    """Return `(fault, block, all bytes of the room)` as the library says."""
    made = Room(Compression)
    made.lend("content", content)
    made.make(block=most(len(content)) if room is None else room)
    fault = BlockFault(getattr(library(), PREFIX + COMPRESS)(made.address))
    written = bytes(made["block"])[: made.value.block.length]
    return fault, written[: made.value.made], written


def modelled_compressed(content, room=None):
    """Return the same as the model says."""
    c = Compression()
    allocate(c, content=content, block=most(len(content)) if room is None else room)
    fault = compress(c)
    return fault, bytes(c.block.rows)[: c.made], bytes(c.block.rows)


def decompressed(block, size):
    """Return `(fault, at, made, all bytes of the room)` as the library says."""
    made = Room(Decompression)
    made.lend("block", block)
    made.make(content=size)
    fault = BlockFault(getattr(library(), PREFIX + DECOMPRESS)(made.address))
    return fault, made.value.at, made.value.made, bytes(made["content"])[:size]


def modelled_decompressed(block, size):
    """Return the same as the model says."""
    d = Decompression()
    allocate(d, block=block, content=size)
    fault = decompress(d)
    return fault, d.at, d.made, bytes(d.content.rows)


def reference(block, size):
    """Return the content of a block as the reference implementation says; None if it refuses it."""
    try:
        found = lz4.block.decompress(block, uncompressed_size=size)
    except lz4.block.LZ4BlockError:
        return None
    return found if len(found) == size else None


def reference_block(content):
    """Return the block that the reference implementation makes."""
    return lz4.block.compress(content, store_size=False)


@cache
def contents():
    """Return contents of many kinds by name."""
    chosen = random.Random(1)
    noise = chosen.randbytes(70_000)
    text = b"".join(path.read_bytes() for path in sorted(ROOT.glob("*.md")))
    image = bytearray(1 << 17)
    image[5000 : 5000 + len(text)] = text
    found = {
        "text": text,
        "zeros": bytes(300_000),
        "noise": noise,
        "image": bytes(image),
        "far": noise[:65_535] + noise[:40] + noise[:65_536] + noise[:40],
        "snapshot": stops("memory")[-1],
    }
    found |= {f"module {name}": binary for name, binary in BINARIES.items()}
    found |= {f"period {period}": (noise[:period] * 3000)[:3000] for period in (*range(1, 20), 31, 32, 33, 64, 255)}
    return found


def mutated(block, chosen):
    """Return a block with one to four changes, often at values that mean something."""
    changed = bytearray(block)
    for _ in range(chosen.randint(1, 4)):
        at = chosen.randrange(len(changed) + 1)
        value = chosen.choice((0, 1, 0x0F, 0xF0, 0xFF, chosen.getrandbits(8)))
        kind = chosen.randrange(4)
        if kind == 0:
            del changed[at:]
        elif kind == 1:
            changed[at:at] = bytes([value])
        else:
            changed[at : at + 1] = bytes([value])
    return bytes(changed)
