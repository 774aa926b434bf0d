/* Generated from spec/wasm/values.py, spec/wasm/traps.py, spec/wasm/refusals.py, codegen/embedding.py
   with codegen/templates/reasons.c.j2: edit those, not this.
   Content: sha256 3ab8507edccb59d9 */

/* Which words say why a module trapped or was refused? */
#include "corollary.h"

COROLLARY_API const char *corollary_trap_text(uint8_t trap)
{
    switch (trap) {
    case COROLLARY_TRAP_NONE:
        return "none";
    case COROLLARY_TRAP_UNREACHABLE:
        return "unreachable";
    case COROLLARY_TRAP_DIVISION_BY_ZERO:
        return "integer divide by zero";
    case COROLLARY_TRAP_INTEGER_OVERFLOW:
        return "integer overflow";
    case COROLLARY_TRAP_INVALID_CONVERSION:
        return "invalid conversion to integer";
    case COROLLARY_TRAP_MEMORY_OUT_OF_BOUNDS:
        return "out of bounds memory access";
    case COROLLARY_TRAP_TABLE_OUT_OF_BOUNDS:
        return "out of bounds table access";
    case COROLLARY_TRAP_UNDEFINED_ELEMENT:
        return "undefined element";
    case COROLLARY_TRAP_UNINITIALIZED_ELEMENT:
        return "uninitialized element";
    case COROLLARY_TRAP_INDIRECT_CALL_TYPE:
        return "indirect call type mismatch";
    case COROLLARY_TRAP_STACK_EXHAUSTED:
        return "call stack exhausted";
    default:
        return "unknown";
    }
}

COROLLARY_API const char *corollary_refusal_text(uint8_t refusal)
{
    switch (refusal) {
    case COROLLARY_REFUSAL_NONE:
        return "none";
    case COROLLARY_REFUSAL_UNEXPECTED_END:
        return "unexpected end";
    case COROLLARY_REFUSAL_MAGIC:
        return "magic header not detected";
    case COROLLARY_REFUSAL_VERSION:
        return "unknown binary version";
    case COROLLARY_REFUSAL_SECTION_ID:
        return "malformed section id";
    case COROLLARY_REFUSAL_SECTION_ORDER:
        return "unexpected content after last section";
    case COROLLARY_REFUSAL_LENGTH:
        return "length out of bounds";
    case COROLLARY_REFUSAL_SECTION_SIZE:
        return "section size mismatch";
    case COROLLARY_REFUSAL_NUMBER_LENGTH:
        return "integer representation too long";
    case COROLLARY_REFUSAL_NUMBER_RANGE:
        return "integer too large";
    case COROLLARY_REFUSAL_UTF8:
        return "malformed UTF-8 encoding";
    case COROLLARY_REFUSAL_TYPE_FORM:
        return "malformed functype";
    case COROLLARY_REFUSAL_VALUE_TYPE:
        return "malformed value type";
    case COROLLARY_REFUSAL_REFERENCE_TYPE:
        return "malformed reference type";
    case COROLLARY_REFUSAL_LIMITS_FLAG:
        return "malformed limits flags";
    case COROLLARY_REFUSAL_IMPORT_KIND:
        return "malformed import kind";
    case COROLLARY_REFUSAL_EXPORT_KIND:
        return "malformed export kind";
    case COROLLARY_REFUSAL_MUTABILITY:
        return "malformed mutability";
    case COROLLARY_REFUSAL_SEGMENT_FLAG:
        return "malformed segment flag";
    case COROLLARY_REFUSAL_ELEMENT_KIND:
        return "malformed element kind";
    case COROLLARY_REFUSAL_FUNCTION_COUNT:
        return "function and code section have inconsistent lengths";
    case COROLLARY_REFUSAL_DATA_COUNT:
        return "data count and data section have inconsistent lengths";
    case COROLLARY_REFUSAL_DATA_COUNT_MISSING:
        return "data count section required";
    case COROLLARY_REFUSAL_OPCODE:
        return "illegal opcode";
    case COROLLARY_REFUSAL_ZERO_BYTE:
        return "zero byte expected";
    case COROLLARY_REFUSAL_END_MISSING:
        return "END opcode expected";
    case COROLLARY_REFUSAL_ELSE_STRAY:
        return "unexpected token";
    case COROLLARY_REFUSAL_TOO_MANY_LOCALS:
        return "too many locals";
    case COROLLARY_REFUSAL_ACCESS_FLAGS:
        return "malformed memop flags";
    case COROLLARY_REFUSAL_TYPE_MISMATCH:
        return "type mismatch";
    case COROLLARY_REFUSAL_UNKNOWN_TYPE:
        return "unknown type";
    case COROLLARY_REFUSAL_UNKNOWN_FUNCTION:
        return "unknown function";
    case COROLLARY_REFUSAL_UNKNOWN_TABLE:
        return "unknown table";
    case COROLLARY_REFUSAL_UNKNOWN_MEMORY:
        return "unknown memory";
    case COROLLARY_REFUSAL_UNKNOWN_GLOBAL:
        return "unknown global";
    case COROLLARY_REFUSAL_UNKNOWN_LOCAL:
        return "unknown local";
    case COROLLARY_REFUSAL_UNKNOWN_LABEL:
        return "unknown label";
    case COROLLARY_REFUSAL_UNKNOWN_ELEMENT:
        return "unknown elem segment";
    case COROLLARY_REFUSAL_UNKNOWN_DATA:
        return "unknown data segment";
    case COROLLARY_REFUSAL_UNDECLARED_REFERENCE:
        return "undeclared function reference";
    case COROLLARY_REFUSAL_IMMUTABLE_GLOBAL:
        return "global is immutable";
    case COROLLARY_REFUSAL_ALIGNMENT:
        return "alignment must not be larger than natural";
    case COROLLARY_REFUSAL_CONSTANT_REQUIRED:
        return "constant expression required";
    case COROLLARY_REFUSAL_DUPLICATE_EXPORT:
        return "duplicate export name";
    case COROLLARY_REFUSAL_START_FUNCTION:
        return "start function";
    case COROLLARY_REFUSAL_MULTIPLE_MEMORIES:
        return "multiple memories";
    case COROLLARY_REFUSAL_MEMORY_SIZE:
        return "memory size must be at most 65536 pages (4GiB)";
    case COROLLARY_REFUSAL_LIMITS_ORDER:
        return "size minimum must not be greater than maximum";
    case COROLLARY_REFUSAL_RESULT_ARITY:
        return "invalid result arity";
    case COROLLARY_REFUSAL_TOO_LARGE:
        return "beyond a limit of this implementation";
    case COROLLARY_REFUSAL_TOO_MUCH_WORK:
        return "more operands of blocks, calls and branches than its bytes pay for";
    default:
        return "unknown";
    }
}
