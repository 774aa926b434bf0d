"""How does the kernel speak about itself? Character by character, so that its words are proved like its actions."""

from corollary.language.types import u8, u32, u64
from corollary.model.kernel.boot import PHASES
from corollary.model.kernel.console import NEWLINE, SPACE, put, put_byte
from corollary.model.kernel.promises import INVARIANTS
from corollary.spec.kernel.memory_map import PhaseId
from corollary.spec.kernel.message import MESSAGE_TEXT, MESSAGE_WORDS, WORD, Message, in_words
from corollary.spec.kernel.package import PackageFault
from corollary.spec.kernel.packed import Halves
from corollary.spec.kernel.state import BootInformation, Kernel

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


def refusal(fault: PackageFault) -> Message:
    """Return the sentence that says why a boot package is refused."""
    if fault == PackageFault.MISSING:
        return Message.NO_PACKAGE
    if fault == PackageFault.VERSION:
        return Message.OTHER_PACKAGE
    if fault == PackageFault.SIZE:
        return Message.PACKAGE_SIZE
    return Message.PACKAGE_PARTS
