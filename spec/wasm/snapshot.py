"""What is in a snapshot from outside, and why may it be refused?"""

from corollary.language.types import Enum, Slice, u8, u64
from corollary.language.values import Record


class Fault(Enum):
    """What is wrong with the content of a snapshot."""

    NONE = 0
    PLACE = 1  # execution cannot resume at the operation that it is at
    RETURN = 2  # a call returns to a word that follows no call
    FRAMES = 3  # the frames of its calls do not add up
    STACK = 4  # the frame of a call does not fit the stack
    HOST_CALL = 5  # it waits for a different host function than the operation calls
    MEMORY = 6  # its memory is not a whole number of pages, or is beyond the maximum
    TABLE = 7  # the size of a table is beyond the maximum
    REFERENCE = 8  # a table or a global refers to no function of the instance
    LAYOUT = 9  # it does not have the parts that an instance of the module has
    GLOBAL = 10  # a global that never changes has another value: give the same imports


class Content(Record):
    """The content of a snapshot, and how far it was read."""

    bytes: Slice[u8]
    at: u64  # the next byte to read
    missing: bool  # were there fewer bytes than were to be read?
    apart: bool  # does the instance have the bytes of its memory already?
