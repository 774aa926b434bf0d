"""What does a checkpoint of an agent hold? The pages that changed since the one before, compressed and sealed.

A page has 1 KiB. A whole checkpoint holds every page that is not zero, any other one the pages that differ. The seal of
a checkpoint covers that of the one before it, so none can be left out, altered, or given to another agent. All numbers
of a block are little-endian:

    u32 number of pages; u64 sizes of the memory, of the rest of the state, and of the notes
    u32 number of each page; those of the rest of the state begin at 2^31
    the pages, then the notes, as one LZ4 block
"""

import hmac
import struct
from array import array
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial

from corollary.compression import BlockRefused, compress, decompress
from corollary.instance import Instance
from corollary.module import Module
from corollary.runtime.store import Checkpoint, Kept, Past, StoreDamaged
from corollary.snapshot import load_unsealed, unsealed

PAGE, RUN = 1 << 10, 1 << 16  # bytes of a page, and of what is compared at once
REST = 1 << 31
HEAD = struct.Struct("<IQQQ")
MOST = 1 << 33  # bytes of a memory or of the rest, at most
WHOLE_AFTER = 256  # checkpoints that stand on a whole one, at most,
TIMES = 4  # and how many times as many bytes as it they may have
ABOUT = struct.Struct("<Q?B")


@dataclass(frozen=True)
class Image:
    """The state of an instance as bytes: its memory, the rest of its snapshot, and notes of the runtime about it."""

    memory: bytes = b""
    rest: bytes = b""
    notes: bytes = b""


@dataclass(frozen=True)
class Restored:
    """The newest state that the checkpoints of an agent vouch for, and the turns to do again from there.

    `problem` says what was damaged; it is empty if nothing was.
    """

    image: Image | None
    turn: int
    seal: bytes
    again: tuple[Past, ...]
    problem: str = ""


def image_of(instance: Instance, key: bytes, notes: bytes = b"") -> Image:
    """Return the state of an instance; raises `SnapshotRefused` as a snapshot does."""
    with instance.enter() as visit:
        data = unsealed(instance, key, visit.outermost)
        size = instance.memories[0].room.value.size if instance.memories else 0
        return Image(bytes(memoryview(data)[len(data) - size :]), bytes(data[: len(data) - size]), notes)


# ---- blocks


def changes(before: Image, after: Image) -> bytes:
    """Return the block that makes the second state of the first."""
    memory, rest = differing(before.memory, after.memory), differing(before.rest, after.rest)
    numbers = array("I", [*memory, *(REST + number for number in rest)])
    pages = [page(after.memory, number) for number in memory] + [page(after.rest, number) for number in rest]
    head = HEAD.pack(len(numbers), len(after.memory), len(after.rest), len(after.notes))
    return head + numbers.tobytes() + compress(b"".join((*pages, after.notes)))


def applied(before: Image, block: bytes) -> Image:
    """Return the state that a block makes of another; raises `StoreDamaged` if it is no such block."""
    try:
        count, memory, rest, notes = HEAD.unpack_from(block)
        numbers = array("I")
        numbers.frombytes(block[HEAD.size : HEAD.size + 4 * count])
        if len(numbers) != count or max(memory, rest, notes) > MOST:
            raise ValueError(f"{count} pages, {memory} + {rest} + {notes} bytes")
        content = decompress(block[HEAD.size + 4 * count :], PAGE * count + notes)
    except (struct.error, ValueError, BlockRefused) as error:
        raise StoreDamaged(f"a checkpoint is no block of pages: {error}") from None
    memory, rest = bytearray(before.memory.ljust(memory, b"\0")), bytearray(before.rest[:rest].ljust(rest, b"\0"))
    for place, number in enumerate(numbers):
        into, at = (rest, number - REST) if number >= REST else (memory, number)
        room = into[at * PAGE : (at + 1) * PAGE]
        into[at * PAGE : at * PAGE + len(room)] = content[place * PAGE : place * PAGE + len(room)]
    return Image(bytes(memory), bytes(rest), content[PAGE * count :])


def page(data, number):
    """Return a page; the last one is filled up with zeros."""
    return data[number * PAGE : (number + 1) * PAGE].ljust(PAGE, b"\0")


def differing(before, after):
    """Return the numbers of the pages of `after` that `before`, with zeros behind it, does not have."""
    found = []
    for start in range(0, len(after), RUN):
        old, new = before[start : start + RUN].ljust(min(RUN, len(after) - start), b"\0"), after[start : start + RUN]
        if old[: len(new)] != new:
            found += [
                (start + at) // PAGE for at in range(0, len(new), PAGE) if old[at : at + PAGE] != new[at : at + PAGE]
            ]
    return found


# ---- chains of checkpoints


class Chain:
    """The checkpoints of one agent: makes the next one, knowing the state that the last one left."""

    def __init__(self, agent: str, key: bytes):
        self.agent, self.key, self.image, self.seal = agent, key, Image(), b""
        self.whole, self.since, self.count = 0, 0, WHOLE_AFTER  # bytes of the whole one, bytes and number since then
        self.turn = 0  # of the last whole checkpoint

    def go_on(self, kept: Kept, from_: Restored) -> None:
        """Go on with the checkpoints that a store has; if one is missing or damaged, the next one is a whole one."""
        self.image, self.seal = from_.image or Image(), from_.seal
        for checkpoint in () if from_.problem else kept.checkpoints:
            self.count_in(checkpoint)

    def next(self, turn: int, image: Image) -> Checkpoint:
        """Return the checkpoint of a state after a turn.

        It is a whole one when those since the last whole one are more, or take more room, than is worth it.
        """
        whole = self.count >= WHOLE_AFTER or self.since > TIMES * max(self.whole, PAGE)
        block = changes(Image() if whole else self.image, image)
        return Checkpoint(turn, whole, block, self.seal_of(turn, whole, block))

    def seal_of(self, turn, whole, block):
        """Return the seal of a block after the last checkpoint."""
        return seal(self.key, self.agent, turn, whole, b"" if whole else self.seal, block)

    def took(self, checkpoint: Checkpoint, image: Image) -> int | None:
        """Note that a checkpoint is in the store. Returns the first turn that is still needed, when that changed.

        The whole checkpoint before the last one stays, for the case that a later one is damaged.
        """
        self.image, self.seal = image, checkpoint.seal
        before = self.turn
        self.count_in(checkpoint)
        return before if checkpoint.whole and before else None

    def count_in(self, checkpoint):
        """Count a checkpoint."""
        if checkpoint.whole:
            self.turn, self.whole, self.since, self.count = checkpoint.turn, len(checkpoint.block), 0, 0
        else:
            self.since += len(checkpoint.block)
            self.count += 1


def seal(key, agent, turn, whole, before, block):
    """Return the seal of a checkpoint that stands on the one with the seal `before`."""
    name = agent.encode()
    about = ABOUT.pack(turn, whole, len(name)), name, before, block
    return hmac.digest(key, b"".join((b"checkpoint", *about)), "sha256")


def states(agent: str, key: bytes, kept: Kept) -> Iterator[tuple[Checkpoint, Image | None]]:
    """Yield each checkpoint of an agent with its state, or with None if that is not good; raises `StoreDamaged`.

    A state is good if all seals on the way to it, from a whole checkpoint on, are good.
    """
    image, last = None, None
    for checkpoint in kept.checkpoints:
        whole = checkpoint.whole
        previous = b"" if whole or last is None else last.seal
        wanted = seal(key, agent, checkpoint.turn, whole, previous, checkpoint.block)
        stands = whole or image is not None and last is not None and checkpoint.turn == last.turn + 1
        last = checkpoint
        if stands and hmac.compare_digest(wanted, checkpoint.seal):
            image = applied(Image() if whole or image is None else image, checkpoint.block)
        else:
            image = None
        yield checkpoint, image


def restored(agent: str, key: bytes, kept: Kept) -> Restored:
    """Return the newest good state of an agent, and what it takes to go on from there; raises `StoreDamaged`."""
    best, problem = Restored(None, 0, b"", ()), ""
    for checkpoint, image in states(agent, key, kept):
        if image is None:
            problem = problem or f"the checkpoint of {agent} after turn {checkpoint.turn} is damaged"
        else:
            best = Restored(image, checkpoint.turn, checkpoint.seal, ())
    again = tuple(turn for turn in kept.turns if turn.number > best.turn)
    if again:
        problem = problem or f"the checkpoint of {agent} after turn {again[-1].number} is missing"
    if [turn.number for turn in again] != list(range(best.turn + 1, best.turn + 1 + len(again))):
        raise StoreDamaged(f"{problem or agent}: the turns after turn {best.turn} are not all there: nothing is good")
    return replace(best, again=again, problem=problem)


def instance_of(image: Image, module: Module, key: bytes, kind: type[Instance] = Instance, **given) -> Instance:
    """Return an instance with a state that its checkpoints vouch for; raises as `Instance.restore` does."""
    return kind.loaded(partial(load_unsealed, data=image.rest + image.memory, key=key), module, **given)
