"""What does boot measure, and how? SHA-256 of whole lines of 64 bytes: pages, and words filled up with zeros."""

from corollary.language.builtins import byte_swap, minimum
from corollary.language.types import Array, u32, u64
from corollary.language.values import clear, local
from corollary.model.kernel.boot import ROOT_TABLES
from corollary.spec.kernel.limits import PACKAGE_LIMIT, PAGE_WORDS
from corollary.spec.kernel.memory_map import (
    LINE_WORDS,
    LineCount,
    LineId,
    PackagePageId,
    PageCount,
    Parts,
    PhaseId,
    Secret,
    Words,
)
from corollary.spec.kernel.packed import Halves
from corollary.spec.kernel.sha256 import Block, Digest, PairId, begin, compress, end, put
from corollary.spec.kernel.state import BootInformation, EntryId, Frame, Kernel, PageId

Line = Array[u64, LINE_WORDS]
LINE_BITS = 512
PAGE_LINES = PAGE_WORDS // LINE_WORDS
WORDS_LINES = Words.length // LINE_WORDS


def add_line(state: Digest, line: Line) -> None:
    """Fold eight words into a digest."""
    block = local(Block)
    for i in range(LINE_WORDS):
        put(block, PairId(i), line[i])
    compress(state, block)


def add_line_of(state: Digest, page: Frame, number: LineId) -> None:
    """Fold eight words of a page into a digest."""
    line = local(Line)
    for i in range(LINE_WORDS):
        line[i] = page.word[EntryId(LINE_WORDS * u32(number) + i)]
    add_line(state, line)


def add_page(state: Digest, page: Frame) -> None:
    """Fold a page into a digest."""
    for i in range(PAGE_LINES):
        add_line_of(state, page, LineId(i))


def add_page_of(state: Digest, part: Parts, number: u32, pages: PageCount) -> None:
    """Fold page `number` of a part into a digest, if the part has so many pages."""
    if number < pages:
        add_page(state, part[number])


def add_pages(state: Digest, part: Parts, pages: PageCount) -> None:
    """Fold the pages of a part into a digest, one after the other."""
    for i in range(PACKAGE_LIMIT + 1):
        add_page_of(state, part, i, pages)


def finalize(information: BootInformation, phase: PhaseId, state: Digest, lines: LineCount) -> None:
    """End a message of `lines` lines; its digest is the measurement of a phase."""
    block = local(Block)
    end(block, 0, LINE_BITS * u32(lines))
    compress(state, block)
    for i in range(8):
        information.measurement[8 * u32(phase) + i] = state[i]


def measure_pages(information: BootInformation, phase: PhaseId, part: Parts, pages: PageCount) -> None:
    """Measure the pages that a phase relies on."""
    state = local(Digest)
    begin(state)
    add_pages(state, part, pages)
    finalize(information, phase, state, LineCount(PAGE_LINES * u32(pages)))


def measure_words(information: BootInformation, phase: PhaseId, words: Words) -> None:
    """Measure the registers that a phase relies on."""
    state = local(Digest)
    begin(state)
    for i in range(WORDS_LINES):
        line = local(Line)
        for j in range(LINE_WORDS):
            line[j] = words[LINE_WORDS * i + j]
        add_line(state, line)
    finalize(information, phase, state, LineCount(WORDS_LINES))


def measure_pair(information: BootInformation, phase: PhaseId, first: u64, second: u64) -> None:
    """Measure the two numbers that a phase relies on."""
    state = local(Digest)
    begin(state)
    line = local(Line)
    line[0] = first
    line[1] = second
    add_line(state, line)
    finalize(information, phase, state, LineCount(1))


def measure_root(information: BootInformation, phase: PhaseId, package: Parts) -> None:
    """Measure what root relies on: the boot package, header first, and the root of proofs that the host attests."""
    pages = PageCount(u32(minimum(u64(information.package), PACKAGE_LIMIT)) + 1)
    state = local(Digest)
    begin(state)
    add_pages(state, package, pages)
    line = local(Line)
    for i in range(4):
        line[i] = information.attested[i]
    add_line(state, line)
    finalize(information, phase, state, LineCount(PAGE_LINES * u32(pages) + 1))


def take_secret(information: BootInformation, secret: Secret) -> bool:
    """Take the boot key and the first proof root, and leave nothing of them behind; return whether there was a key."""
    found = secret.key[0] | secret.key[1] | secret.key[2] | secret.key[3]
    for i in range(4):
        information.key[2 * i] = byte_swap(Halves(secret.key[i]).low)
        information.key[2 * i + 1] = byte_swap(Halves(secret.key[i]).high)
        information.attested[i] = secret.attested[i]
    clear(secret.key)
    clear(secret.attested)
    clear(secret.rest)
    return found != 0


def forget_key(information: BootInformation) -> None:
    """Clear the key, so that the state holds the only copy."""
    clear(information.key)


def copy_line(target: Frame, source: Frame, first: EntryId) -> None:
    """Copy eight words, or those up to the end of the page."""
    for i in range(LINE_WORDS):
        if u32(first) + i < PAGE_WORDS:
            target.word[EntryId(u32(first) + i)] = source.word[EntryId(u32(first) + i)]


def copy_page(target: Frame, source: Frame) -> None:
    """Copy a page."""
    for i in range(PAGE_LINES):
        copy_line(target, source, EntryId(LINE_WORDS * i))


def unpack_page(s: Kernel, information: BootInformation, package: Parts, number: PackagePageId) -> None:
    """Put page `number` of the boot package where boot gives it to the root partition, if there are so many."""
    if number < information.package:
        copy_page(s.memory[PageId(ROOT_TABLES + u32(number))], package[u32(number) + 1])


def unpack(s: Kernel, information: BootInformation, package: Parts) -> None:
    """Put root's own image, then those of its guests, into the pages that boot gives to root."""
    for i in range(PACKAGE_LIMIT):
        unpack_page(s, information, package, PackagePageId(i))
