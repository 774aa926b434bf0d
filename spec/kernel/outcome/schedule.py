"""What do the operations on turns and on the console do?"""

from corollary.language.property import ensures, succeeds
from corollary.language.types import u16, u32
from corollary.spec.kernel.limits import CONSOLE_TEXT_WORDS, CONSOLE_WORDS, PAGE_WORDS
from corollary.spec.kernel.outcome.admission import holds_on, may_call, may_message
from corollary.spec.kernel.outcome.words import gives_words
from corollary.spec.kernel.state import Call, EntryId, Kernel, PageId
from corollary.spec.kernel.vocabulary import Format, ObjectKind, Right, Ring


@succeeds("yield_now")
def yield_is_allowed(before: Kernel, call: Call) -> bool:
    return may_call(before, call, Ring.SANDBOX)


@ensures("yield_now", "the caller gives way", changes=("yields",))
def yield_is_exact(before: Kernel, call: Call, after: Kernel) -> bool:
    return call.yields


@succeeds("console_write")
def write_is_allowed(before: Kernel, call: Call, page: PageId, first: EntryId, words: u16, format: Format) -> bool:
    most: u16 = CONSOLE_WORDS if format == Format.HEX else CONSOLE_TEXT_WORDS
    return (
        may_message(before, call, Ring.SANDBOX)
        and holds_on(before, call, ObjectKind.DEVICE, Right.WRITE)
        and words <= most
        and u32(first) + words <= PAGE_WORDS
        and gives_words(before, page)
    )


@ensures("console_write", "nothing is changed but what is on the console")
def write_is_exact(before: Kernel, call: Call, after: Kernel) -> bool:
    return not call.yields
