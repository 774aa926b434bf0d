"""Why may WebAssembly code trap?"""

from corollary.language.types import Enum


class Trap(Enum):
    """Why an instance stopped for good. Nothing that it did before is undone."""

    NONE = 0
    UNREACHABLE = 1  # unreachable
    DIVISION_BY_ZERO = 2  # integer divide by zero
    INTEGER_OVERFLOW = 3  # integer overflow
    INVALID_CONVERSION = 4  # invalid conversion to integer
    MEMORY_OUT_OF_BOUNDS = 5  # out of bounds memory access
    TABLE_OUT_OF_BOUNDS = 6  # out of bounds table access
    UNDEFINED_ELEMENT = 7  # undefined element
    UNINITIALIZED_ELEMENT = 8  # uninitialized element
    INDIRECT_CALL_TYPE = 9  # indirect call type mismatch
    STACK_EXHAUSTED = 10  # call stack exhausted
