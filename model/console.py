"""How do guests speak to the host? Through the console, when they hold a capability on it."""

from model.witness import own_data
from spec.language.frontend import hardware
from spec.language.types import u16
from spec.limits import PAGE_WORDS
from spec.operation import operation
from spec.state import Call, Kernel, PageId, PartitionId
from spec.vocabulary import Action, Format, Meter, ObjectKind, Right, Status


@hardware("the words of the page go out on the console, as text or as hexadecimal, headed by the partition")
def send_to_console(s: Kernel, p: PartitionId, page: PageId, words: u16, format: Format) -> None:
    """Send the first words of a page to the host."""
    pass


@operation(Action.IPC_SEND, on=ObjectKind.DEVICE, needs=Right.WRITE, read_only=True, meter=Meter.MESSAGES)
def console_write(s: Kernel, call: Call, page: PageId, words: u16, format: Format) -> Status:
    """Write the first `words` words of an own page to the console."""
    if words > PAGE_WORDS:
        return Status.BAD_ARGUMENT
    if not own_data(s, s.current, page):
        return Status.NOT_OWNER
    send_to_console(s, s.current, page, words, format)
    return Status.OK
