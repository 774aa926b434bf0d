"""How small and how fast are blocks, compared with the reference implementation? Usage:

    python -m corollary.bench.compression

Both take turns on the same buffers in one run. Seconds are processor time, not wall-clock time, so other work of the
machine is not counted. The functions in C are compared: calls from Python also make an object, and whether that takes
new pages of memory, which can cost more than all else, depends on what the process did before.
"""

import ctypes
import json
import statistics
import time
from pathlib import Path

import lz4.block
from lz4.block import _block
from rich.console import Console
from rich.table import Table

from corollary import Instance, compression
from corollary.bench import programs
from corollary.codegen import build
from corollary.codegen.folders import ROOT, write_whole
from corollary.library import PREFIX, Room
from corollary.spec.store.block import Compression, Decompression

RESULT = Path("build/compression.json")
ROUNDS = 11
ENOUGH = 0.02  # seconds of one measurement, at least
SCALE = 3  # of the run of each program
PAGE, PAGES, EVERY = 4096, 2048, 8  # of the image: bytes of a page, pages, and which of them are not zero


class WrongContent(RuntimeError):
    """A block does not come back as it was."""


def snapshots():
    """Return snapshots of all programs of the benchmark, each after a run: their memories, and a little more."""
    found = []
    for name in programs.SOURCES:
        instance = Instance(programs.program(name).wasm.read_bytes())
        instance.call(programs.ENTRY, SCALE)
        found.append(instance.snapshot(bytes(32)))
    return b"".join(found)


def text():
    """Return what people read: the documents, and the source of the specification."""
    paths = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("spec/**/*.py")]
    return b"".join(path.read_bytes() for path in sorted(paths))


def image():
    """Return an image that is mostly zero pages; the others hold machine code."""
    code, found = build.vm_library().read_bytes(), bytearray(PAGE * PAGES)
    for number in range(0, PAGES, EVERY):
        first = number // EVERY * PAGE % (len(code) - PAGE)
        found[number * PAGE : (number + 1) * PAGE] = code[first : first + PAGE]
    return bytes(found)


INPUTS = {"snapshots of programs": snapshots, "text": text, "mostly zero pages": image}


class Bare:
    """The functions of both implementations on buffers that are made once."""

    def __init__(self, content):
        block = lz4.block.compress(content, store_size=False)
        size, most = len(content), compression.most(len(content))
        self.making, self.reading = Room(Compression), Room(Decompression)
        self.making.lend("content", content)
        self.making.make(block=most)
        self.reading.lend("block", block)
        self.reading.make(content=size)
        self.ours, self.other = compression.library(), ctypes.CDLL(_block.__file__)
        self.compressing = (content, self.making.value.block.at, size, most)
        self.decompressing = (block, self.reading.value.content.at, len(block), size)
        for function in (self.other.LZ4_compress_default, self.other.LZ4_decompress_safe):
            function.argtypes = [ctypes.c_char_p, ctypes.c_void_p, ctypes.c_int, ctypes.c_int]

    def pairs(self):
        """Return our action and the other one, for compression and decompression."""
        ours = {name: getattr(self.ours, PREFIX + name) for name in (compression.COMPRESS, compression.DECOMPRESS)}
        return (
            (
                lambda: ours[compression.COMPRESS](self.making.address),
                lambda: self.other.LZ4_compress_default(*self.compressing),
            ),
            (
                lambda: ours[compression.DECOMPRESS](self.reading.address),
                lambda: self.other.LZ4_decompress_safe(*self.decompressing),
            ),
        )


def seconds(action, times):
    """Return the seconds that an action takes, on average."""
    start = time.process_time()
    for _ in range(times):
        action()
    return (time.process_time() - start) / times


def times_for(action):
    """Return how often an action must be repeated to take long enough."""
    times = 1
    while seconds(action, times) * times < ENOUGH:
        times *= 2
    return times


def compared(ours, other):
    """Return the median seconds of two actions that take turns."""
    often = times_for(ours), times_for(other)
    rounds = [(seconds(ours, often[0]), seconds(other, often[1])) for _ in range(ROUNDS)]
    return [statistics.median(each) for each in zip(*rounds)]


def measured(content):
    """Return the figures of one input; raises WrongContent."""
    mine, other = compression.compress(content), lz4.block.compress(content, store_size=False)
    for made in (
        lz4.block.decompress(mine, uncompressed_size=len(content)),
        compression.decompress(other, len(content)),
    ):
        if made != content:
            raise WrongContent("a block does not come back as it was")
    found = {"bytes": len(content), "ratio": len(content) / len(mine), "other ratio": len(content) / len(other)}
    bare = Bare(content)  # which holds the buffers
    for name, pair in zip(("compress", "decompress"), bare.pairs()):
        ours, others = compared(*pair)
        found[name] = {"seconds": ours, "other seconds": others, "times as fast": others / ours}
    return found


def table(data):
    """Return a table of all figures."""
    shown = Table(title="Blocks", title_justify="left", caption="compress, decompress: times as fast as the reference")
    kinds = [name for name, figure in next(iter(data.values())).items() if isinstance(figure, dict)]
    for heading in ("input", "bytes", "ratio", "other ratio", *kinds):
        shown.add_column(heading, justify="left" if heading == "input" else "right")
    for name, row in data.items():
        figures = (f"{row[kind]['times as fast']:.2f}" for kind in kinds)
        shown.add_row(name, str(row["bytes"]), f"{row['ratio']:.3f}", f"{row['other ratio']:.3f}", *figures)
    return shown


def main():
    """Measure, print and write."""
    data = {name: measured(make()) for name, make in INPUTS.items()}
    write_whole(RESULT, json.dumps(data, indent=1))
    Console().print(table(data))


if __name__ == "__main__":
    main()
