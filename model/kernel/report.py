"""How does the kernel speak about itself? Character by character, so that its words are proved like its actions."""

from corollary.language.types import u8, u32, u64
from corollary.model.kernel.boot import PHASES
from corollary.model.kernel.console import NEWLINE, SPACE, put, put_byte
from corollary.model.kernel.kept import undrained
from corollary.model.kernel.promises import INVARIANTS
from corollary.spec.kernel.kept import BATCH, CHECKPOINT_WORDS, BatchId, Kept, KeptRecord, Standing
from corollary.spec.kernel.memory_map import PhaseId
from corollary.spec.kernel.message import MESSAGE_TEXT, MESSAGE_WORDS, WORD, Message, in_words
from corollary.spec.kernel.package import PackageFault
from corollary.spec.kernel.packed import Halves
from corollary.spec.kernel.state import BootInformation, Kernel, RecordId

INVARIANT_COUNT = len(INVARIANTS)
ID_WORDS = 1 + max(map(len, INVARIANTS)) // WORD  # of each id, with a zero after it
INVARIANT_IDS = in_words(["", *INVARIANTS], ID_WORDS)  # by number, from 1
ZERO = ord("0")


def put_letter(character: u8) -> None:
    """Send a character of a text that is filled up with zeros."""
    if character != 0:
        put(character)


def put_letters(word: u64) -> None:
    """Send eight characters, as they lie in memory."""
    for i in range(WORD):
        put_letter(u8.truncate(word >> (8 * i)))


def say(message: Message) -> None:
    """Send one sentence, or its beginning."""
    for i in range(MESSAGE_WORDS):
        put_letters(MESSAGE_TEXT[MESSAGE_WORDS * u32(message) + i])


def say_half(value: u32) -> None:
    """Send eight hexadecimal digits."""
    for i in range(4):
        put_byte(u8.truncate(value >> (24 - 8 * i)))


def say_number(value: u64) -> None:
    """Send sixteen hexadecimal digits."""
    say_half(Halves(value).high)
    say_half(Halves(value).low)


def tell_number(message: Message, value: u64) -> None:
    """Send a line that ends in a number."""
    say(message)
    say_number(value)
    put(NEWLINE)


def tell_measurement(information: BootInformation, phase: PhaseId) -> None:
    """Send a line with the SHA-256 of one phase."""
    say(Message.MEASUREMENT)
    put(ZERO + u8(phase))
    put(SPACE)
    for i in range(8):
        say_half(information.measurement[8 * u32(phase) + i])
    put(NEWLINE)


def tell_measurements(information: BootInformation) -> None:
    """Send a line for each phase of the boot."""
    for phase in range(PHASES):
        tell_measurement(information, PhaseId(phase))


def tell_key(given: bool) -> None:
    """Say whether checkpoints are worth anything."""
    if given:
        say(Message.KEY_GIVEN)
    else:
        say(Message.NO_KEY)


def tell_violation(number: u32) -> None:
    """Send a line with the id of an invariant that does not hold."""
    say(Message.VIOLATED)
    if number <= INVARIANT_COUNT:
        for i in range(ID_WORDS):
            put_letters(INVARIANT_IDS[ID_WORDS * number + i])
    put(NEWLINE)


def tell_end(s: Kernel) -> None:
    """Say how much was recorded, and how much of that left the log."""
    tell_number(Message.RECORDS, s.sequence)
    tell_number(Message.DRAINED, s.drained)


def tell_fault(vector: u64, syndrome: u64, address: u64, instruction: u64) -> None:
    """Say what happened to the kernel itself."""
    say(Message.FAULT)
    say_number(vector)
    put(SPACE)
    say_number(syndrome)
    put(SPACE)
    say_number(address)
    put(SPACE)
    say_number(instruction)
    put(NEWLINE)


def tell_record(record: KeptRecord) -> None:
    """Send a line with a record that was kept."""
    say(Message.KEPT_RECORD)
    for i in range(8):
        say_number(record.word[i])
    put(NEWLINE)


def tell_kept_record(kept: Kept, number: RecordId) -> None:
    """Send a line with a record that was kept, if there are so many."""
    if u64(number) < undrained(kept.checkpoint):
        tell_record(kept.log[number])


def tell_batch(kept: Kept, batch: BatchId) -> None:
    """Send some records that were kept."""
    for i in range(BATCH):
        tell_kept_record(kept, RecordId(BATCH * u32(batch) + i))


def tell_log(kept: Kept) -> None:
    """Send the end of the log that was kept, with its seal."""
    tell_number(Message.WARM, kept.restarts)
    for i in range(BatchId.bound):
        tell_batch(kept, BatchId(i))
    say(Message.KEPT_SEAL)
    for i in range(CHECKPOINT_WORDS):
        say_number(kept.checkpoint[i])
    put(NEWLINE)


def tell_kept(kept: Kept, standing: Standing) -> None:
    """Say what the last kernel left."""
    if standing == Standing.DAMAGED:
        say(Message.DAMAGED)
    if standing == Standing.WARM or standing == Standing.EXHAUSTED:
        tell_log(kept)


def refusal(fault: PackageFault) -> Message:
    """Return the sentence that says why a boot package is refused."""
    if fault == PackageFault.MISSING:
        return Message.NO_PACKAGE
    if fault == PackageFault.VERSION:
        return Message.OTHER_PACKAGE
    if fault == PackageFault.SIZE:
        return Message.PACKAGE_SIZE
    return Message.PACKAGE_PARTS
