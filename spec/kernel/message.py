"""What does the kernel say about itself? These sentences, and nothing else."""

from corollary.language.types import Enum
from corollary.spec.kernel.package import PackageFault


class Message(Enum):
    """A sentence of the kernel, or the beginning of one that continues with numbers."""

    MEASUREMENT = 0
    KEY_GIVEN = 1
    NO_KEY = 2
    INVARIANTS_HOLD = 3
    VIOLATED = 4
    TICKS = 5
    RECORDS = 6
    DRAINED = 7
    FAULT = 8
    WRONG_LEVEL = 9
    BROKEN_STATE = 10
    WRONG_FREQUENCY = 11
    STRANGE_INTERRUPT = 12
    STRANGE_FIQ = 13
    STRANGE_ERROR = 14
    NOBODY = 15
    FAULTED = 16
    NO_PACKAGE = 17
    OTHER_PACKAGE = 18
    PACKAGE_SIZE = 19
    PACKAGE_PARTS = 20
    AWAKE = 21
    NOT_RESET = 22
    ROOT_FAULTED = 23
    WARM = 24
    KEPT_RECORD = 25
    KEPT_SEAL = 26
    DAMAGED = 27
    EXHAUSTED = 28


def refused(fault):
    """Return the sentence that says why a boot package is refused."""
    return f"boot package refused: {PackageFault.notes[fault.name]}\n"


TEXTS = {
    Message.MEASUREMENT: "measurement ",
    Message.KEY_GIVEN: "key given\n",
    Message.NO_KEY: "NO KEY, anyone can forge checkpoints\n",
    Message.INVARIANTS_HOLD: "invariants hold\n",
    Message.VIOLATED: "violated ",
    Message.TICKS: "ticks to the first guest instruction ",
    Message.RECORDS: "records ",
    Message.DRAINED: "drained ",
    Message.FAULT: "vector, ESR, FAR, ELR ",
    Message.WRONG_LEVEL: "not at EL2; QEMU needs -M virt,virtualization=on\n",
    Message.BROKEN_STATE: "an invariant of the booted state does not hold\n",
    Message.WRONG_FREQUENCY: "the counter has another frequency than specified\n",
    Message.STRANGE_INTERRUPT: "an interrupt nobody enabled\n",
    Message.STRANGE_FIQ: "FIQ, although no interrupt is in group 0\n",
    Message.STRANGE_ERROR: "SError, which cannot be attributed to a partition\n",
    Message.NOBODY: "no partition can run\n",
    Message.FAULTED: "the kernel faulted\n",
    Message.NO_PACKAGE: refused(PackageFault.MISSING),
    Message.OTHER_PACKAGE: refused(PackageFault.VERSION),
    Message.PACKAGE_SIZE: refused(PackageFault.SIZE),
    Message.PACKAGE_PARTS: refused(PackageFault.PARTS),
    Message.AWAKE: "a partition executed that rests\n",
    Message.NOT_RESET: "a device is not reset when it is told to be\n",
    Message.ROOT_FAULTED: "root faulted\n",
    Message.WARM: "starts after a failure, number ",
    Message.KEPT_RECORD: "kept record ",
    Message.KEPT_SEAL: "kept seal ",
    Message.DAMAGED: "what was kept is damaged: this is a cold start\n",
    Message.EXHAUSTED: "failed too often to start again\n",
}
SPOKEN = "kernel: "  # how each sentence begins
WORD = 8  # characters
MESSAGE_WORDS = 8  # of each; a power of two, which makes the proof quick


def in_words(texts, words):
    """Return texts one after the other as u64, each filled up with zeros, at least one.

    Raises `ValueError` when a text does not fit into `words` words with a zero after it.
    """
    data = [text.encode("ascii").ljust(WORD * words, b"\0") for text in texts]
    longest = max(data, key=lambda text: len(text.rstrip(b"\0")))
    if not longest.endswith(b"\0") or len(longest) > WORD * words:
        raise ValueError(f"{longest!r} has more than {WORD * words - 1} characters")
    return tuple(int.from_bytes(text[at : at + WORD], "little") for text in data for at in range(0, len(text), WORD))


MESSAGE_TEXT = in_words([SPOKEN + TEXTS[message] for message in Message], MESSAGE_WORDS)
