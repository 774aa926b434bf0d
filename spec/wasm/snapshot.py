"""Why may a state that comes from outside not run?"""

from language.types import Enum


class Fault(Enum):
    """What is wrong with the content of a snapshot."""

    NONE = 0
    PLACE = 1               # execution cannot be resumed at the operation that it is at
    RETURN = 2              # a call returns to where no call was made
    FRAMES = 3              # the frames of its calls do not add up
    STACK = 4               # a frame of its calls does not fit the stack
    HOST_CALL = 5           # it wants another function of the host than the operation calls
    MEMORY = 6              # the size of its memory is no whole number of pages, or beyond the maximum
    TABLE = 7               # the size of a table is beyond the maximum
    REFERENCE = 8           # a table or a global refers to what is no function of the instance
    LAYOUT = 9              # it has not the parts that an instance of the module has
