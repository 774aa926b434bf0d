"""Which types do WebAssembly values have, and how are they encoded?"""

from corollary.language.rows import Rows
from corollary.language.types import Enum


class ValueType(Enum):
    """A value type, by its byte in the binary format: WebAssembly core 2.0, 5.3."""

    UNKNOWN = 0  # of an operand in unreachable code
    EXTERNREF = 0x6F
    FUNCREF = 0x70
    F64 = 0x7C
    F32 = 0x7D
    I64 = 0x7E
    I32 = 0x7F


IS_VALUE_TYPE = Rows((code in iter(ValueType) and code != ValueType.UNKNOWN for code in range(256)), ValueType)
IS_REFERENCE_TYPE = Rows((code in (ValueType.FUNCREF, ValueType.EXTERNREF) for code in range(256)), ValueType)
"""For every byte: does it encode a value type, and does it encode a reference type?"""
