"""Does the host move blocks of any size and overlap as Python does?

One loop of its C is in no model and no proof; its boundaries matter most.
"""

import random
import re

from wasmtime import wat2wasm

from corollary import Instance
from corollary.codegen.folders import GENERATED

MODULE = """(module (memory (export "memory") 16)
  (func (export "copy") (param i32 i32 i32) (memory.copy (local.get 0) (local.get 1) (local.get 2))))"""
SIZE, TIMES = 16 << 16, 300


def borders():
    """Return the smallest and the largest block that the loop moves, and the bytes of a step."""
    text = (GENERATED / "vm" / "handlers.c").read_text()
    smallest = int(re.search(r"#define SMALLEST (\d+)", text).group(1))
    largest = 1 << int(re.search(r"#define LARGEST \(1 << (\d+)\)", text).group(1))
    lanes, width = (
        int(re.search(pattern, text).group(1))
        for pattern in (r"#define STEP \((\d+) \* sizeof", r"vector_size\((\d+)\)")
    )
    return smallest, largest, lanes * width


def test_a_block_of_any_size_and_overlap_is_moved_as_python_does():
    source, (smallest, largest, step) = random.Random(3), borders()
    instance = Instance(wat2wasm(MODULE))
    memory, ours = instance.export("memory"), bytearray(source.randbytes(SIZE))
    memory.write(0, bytes(ours))
    counts = [border + more for border in (smallest, smallest + step, 4096, largest) for more in (-1, 0, 1, step // 2)]
    moved = 0
    for _ in range(TIMES):
        count = source.choice((*counts, source.randrange(largest)))
        away = source.choice((0, 1, 63, step - 1, step, step + 1, count - 1, count, count + 1, source.randrange(SIZE)))
        first = source.randrange(SIZE - count)
        other = min(max(0, first + source.choice((-away, away))), SIZE - count)
        instance.call("copy", other, first, count)
        ours[other : other + count] = ours[first : first + count]
        moved += smallest <= count <= largest
        assert memory.read(0, SIZE) == bytes(ours), (other, first, count)
    assert moved > TIMES / 3
