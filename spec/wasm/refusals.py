"""Why may a module be refused?

A malformed module is not a module. An invalid module is one that must not run. A module that is too large is beyond a
limit of this implementation. The wording after each reason is the wording of the official test suite.
"""

from corollary.language.types import Enum


class Refusal(Enum):
    """What is wrong with the bytes of a module."""

    NONE = 0
    UNEXPECTED_END = 1  # unexpected end
    MAGIC = 2  # magic header not detected
    VERSION = 3  # unknown binary version
    SECTION_ID = 4  # malformed section id
    SECTION_ORDER = 5  # unexpected content after last section
    LENGTH = 6  # length out of bounds
    SECTION_SIZE = 7  # section size mismatch
    NUMBER_LENGTH = 8  # integer representation too long
    NUMBER_RANGE = 9  # integer too large
    UTF8 = 10  # malformed UTF-8 encoding
    TYPE_FORM = 11  # malformed functype
    VALUE_TYPE = 12  # malformed value type
    REFERENCE_TYPE = 13  # malformed reference type
    LIMITS_FLAG = 14  # malformed limits flags
    IMPORT_KIND = 15  # malformed import kind
    EXPORT_KIND = 16  # malformed export kind
    MUTABILITY = 17  # malformed mutability
    SEGMENT_FLAG = 18  # malformed segment flag
    ELEMENT_KIND = 19  # malformed element kind
    FUNCTION_COUNT = 20  # function and code section have inconsistent lengths
    DATA_COUNT = 21  # data count and data section have inconsistent lengths
    DATA_COUNT_MISSING = 22  # data count section required
    OPCODE = 23  # illegal opcode
    ZERO_BYTE = 24  # zero byte expected
    END_MISSING = 25  # END opcode expected
    ELSE_STRAY = 26  # unexpected token
    TOO_MANY_LOCALS = 27  # too many locals
    ACCESS_FLAGS = 28  # malformed memop flags
    TYPE_MISMATCH = 64  # type mismatch
    UNKNOWN_TYPE = 65  # unknown type
    UNKNOWN_FUNCTION = 66  # unknown function
    UNKNOWN_TABLE = 67  # unknown table
    UNKNOWN_MEMORY = 68  # unknown memory
    UNKNOWN_GLOBAL = 69  # unknown global
    UNKNOWN_LOCAL = 70  # unknown local
    UNKNOWN_LABEL = 71  # unknown label
    UNKNOWN_ELEMENT = 72  # unknown elem segment
    UNKNOWN_DATA = 73  # unknown data segment
    UNDECLARED_REFERENCE = 74  # undeclared function reference
    IMMUTABLE_GLOBAL = 75  # global is immutable
    ALIGNMENT = 76  # alignment must not be larger than natural
    CONSTANT_REQUIRED = 77  # constant expression required
    DUPLICATE_EXPORT = 78  # duplicate export name
    START_FUNCTION = 79  # start function
    MULTIPLE_MEMORIES = 80  # multiple memories
    MEMORY_SIZE = 81  # memory size must be at most 65536 pages (4GiB)
    LIMITS_ORDER = 82  # size minimum must not be greater than maximum
    RESULT_ARITY = 83  # invalid result arity
    TOO_LARGE = 128  # beyond a limit of this implementation
    TOO_MUCH_WORK = 129  # more operands of blocks, calls and branches than its bytes pay for


INVALID, LIMIT = Refusal.TYPE_MISMATCH, Refusal.TOO_LARGE
"""The first reason of each kind after the malformed ones."""
