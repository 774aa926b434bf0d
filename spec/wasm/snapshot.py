"""Why may a snapshot from outside be refused?"""

from corollary.language.types import Enum


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
