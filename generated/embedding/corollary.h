/* Generated from spec/wasm/values.py, spec/wasm/traps.py, spec/wasm/refusals.py, codegen/embedding.py
   with codegen/templates/corollary.h.j2: edit those, not this.
   Content: sha256 036d7809d0b4c741 */

/* How does a C program run WebAssembly modules?
 *
 *     struct corollary_error error;
 *     struct corollary_module *module = corollary_load(bytes, size, NULL, &error);
 *     struct corollary_instance *instance;
 *     corollary_instantiate(&instance, module, imports, 1, NULL, NULL, &error);
 *     corollary_call(instance, "add", arguments, 2, results, 1, &error);
 *
 * Nothing is kept outside of modules and instances. A module never changes: instances in several threads may share it.
 * One thread at a time may use an instance.
 */
#ifndef COROLLARY_H
#define COROLLARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define COROLLARY_API __attribute__((visibility("default")))
#define COROLLARY_PAGE 65536u     /* bytes in a page of memory */
#define COROLLARY_ALIGNMENT 16u   /* of the blocks that an allocator gives, in bytes */

/* The limits of an instance that was given none. */
#define COROLLARY_USUAL_PAGES 1024u
#define COROLLARY_USUAL_ELEMENTS 100000u
#define COROLLARY_USUAL_SLOTS 65536u

/* The types of values. */
enum {
    COROLLARY_EXTERNREF = 0x6f,
    COROLLARY_FUNCREF = 0x70,
    COROLLARY_F64 = 0x7c,
    COROLLARY_F32 = 0x7d,
    COROLLARY_I64 = 0x7e,
    COROLLARY_I32 = 0x7f,
};

/* Why code trapped. */
enum {
    COROLLARY_TRAP_NONE = 0,
    COROLLARY_TRAP_UNREACHABLE = 1,           /* unreachable */
    COROLLARY_TRAP_DIVISION_BY_ZERO = 2,      /* integer divide by zero */
    COROLLARY_TRAP_INTEGER_OVERFLOW = 3,      /* integer overflow */
    COROLLARY_TRAP_INVALID_CONVERSION = 4,    /* invalid conversion to integer */
    COROLLARY_TRAP_MEMORY_OUT_OF_BOUNDS = 5,  /* out of bounds memory access */
    COROLLARY_TRAP_TABLE_OUT_OF_BOUNDS = 6,   /* out of bounds table access */
    COROLLARY_TRAP_UNDEFINED_ELEMENT = 7,     /* undefined element */
    COROLLARY_TRAP_UNINITIALIZED_ELEMENT = 8, /* uninitialized element */
    COROLLARY_TRAP_INDIRECT_CALL_TYPE = 9,    /* indirect call type mismatch */
    COROLLARY_TRAP_STACK_EXHAUSTED = 10,      /* call stack exhausted */
};

/* Why bytes are no module, or one that must not run. */
enum {
    COROLLARY_REFUSAL_NONE = 0,
    COROLLARY_REFUSAL_UNEXPECTED_END = 1,     /* unexpected end */
    COROLLARY_REFUSAL_MAGIC = 2,              /* magic header not detected */
    COROLLARY_REFUSAL_VERSION = 3,            /* unknown binary version */
    COROLLARY_REFUSAL_SECTION_ID = 4,         /* malformed section id */
    COROLLARY_REFUSAL_SECTION_ORDER = 5,      /* unexpected content after last section */
    COROLLARY_REFUSAL_LENGTH = 6,             /* length out of bounds */
    COROLLARY_REFUSAL_SECTION_SIZE = 7,       /* section size mismatch */
    COROLLARY_REFUSAL_NUMBER_LENGTH = 8,      /* integer representation too long */
    COROLLARY_REFUSAL_NUMBER_RANGE = 9,       /* integer too large */
    COROLLARY_REFUSAL_UTF8 = 10,              /* malformed UTF-8 encoding */
    COROLLARY_REFUSAL_TYPE_FORM = 11,         /* malformed functype */
    COROLLARY_REFUSAL_VALUE_TYPE = 12,        /* malformed value type */
    COROLLARY_REFUSAL_REFERENCE_TYPE = 13,    /* malformed reference type */
    COROLLARY_REFUSAL_LIMITS_FLAG = 14,       /* malformed limits flags */
    COROLLARY_REFUSAL_IMPORT_KIND = 15,       /* malformed import kind */
    COROLLARY_REFUSAL_EXPORT_KIND = 16,       /* malformed export kind */
    COROLLARY_REFUSAL_MUTABILITY = 17,        /* malformed mutability */
    COROLLARY_REFUSAL_SEGMENT_FLAG = 18,      /* malformed segment flag */
    COROLLARY_REFUSAL_ELEMENT_KIND = 19,      /* malformed element kind */
    COROLLARY_REFUSAL_FUNCTION_COUNT = 20,    /* function and code section have inconsistent lengths */
    COROLLARY_REFUSAL_DATA_COUNT = 21,        /* data count and data section have inconsistent lengths */
    COROLLARY_REFUSAL_DATA_COUNT_MISSING = 22, /* data count section required */
    COROLLARY_REFUSAL_OPCODE = 23,            /* illegal opcode */
    COROLLARY_REFUSAL_ZERO_BYTE = 24,         /* zero byte expected */
    COROLLARY_REFUSAL_END_MISSING = 25,       /* END opcode expected */
    COROLLARY_REFUSAL_ELSE_STRAY = 26,        /* unexpected token */
    COROLLARY_REFUSAL_TOO_MANY_LOCALS = 27,   /* too many locals */
    COROLLARY_REFUSAL_ACCESS_FLAGS = 28,      /* malformed memop flags */
    COROLLARY_REFUSAL_TYPE_MISMATCH = 64,     /* type mismatch */
    COROLLARY_REFUSAL_UNKNOWN_TYPE = 65,      /* unknown type */
    COROLLARY_REFUSAL_UNKNOWN_FUNCTION = 66,  /* unknown function */
    COROLLARY_REFUSAL_UNKNOWN_TABLE = 67,     /* unknown table */
    COROLLARY_REFUSAL_UNKNOWN_MEMORY = 68,    /* unknown memory */
    COROLLARY_REFUSAL_UNKNOWN_GLOBAL = 69,    /* unknown global */
    COROLLARY_REFUSAL_UNKNOWN_LOCAL = 70,     /* unknown local */
    COROLLARY_REFUSAL_UNKNOWN_LABEL = 71,     /* unknown label */
    COROLLARY_REFUSAL_UNKNOWN_ELEMENT = 72,   /* unknown elem segment */
    COROLLARY_REFUSAL_UNKNOWN_DATA = 73,      /* unknown data segment */
    COROLLARY_REFUSAL_UNDECLARED_REFERENCE = 74, /* undeclared function reference */
    COROLLARY_REFUSAL_IMMUTABLE_GLOBAL = 75,  /* global is immutable */
    COROLLARY_REFUSAL_ALIGNMENT = 76,         /* alignment must not be larger than natural */
    COROLLARY_REFUSAL_CONSTANT_REQUIRED = 77, /* constant expression required */
    COROLLARY_REFUSAL_DUPLICATE_EXPORT = 78,  /* duplicate export name */
    COROLLARY_REFUSAL_START_FUNCTION = 79,    /* start function */
    COROLLARY_REFUSAL_MULTIPLE_MEMORIES = 80, /* multiple memories */
    COROLLARY_REFUSAL_MEMORY_SIZE = 81,       /* memory size must be at most 65536 pages (4GiB) */
    COROLLARY_REFUSAL_LIMITS_ORDER = 82,      /* size minimum must not be greater than maximum */
    COROLLARY_REFUSAL_RESULT_ARITY = 83,      /* invalid result arity */
    COROLLARY_REFUSAL_TOO_LARGE = 128,        /* beyond a limit of this implementation */
    COROLLARY_REFUSAL_TOO_MUCH_WORK = 129,    /* more operands of blocks, calls and branches than its bytes pay for */
};

/* How a call ended. */
enum corollary_status {
    COROLLARY_RETURNED,
    COROLLARY_SUSPENDED,    /* the fuel is spent, or it was interrupted: `corollary_resume` goes on */
    COROLLARY_TRAPPED,      /* the error has the trap */
    COROLLARY_STOPPED,      /* a function of the host returned another number than 0, which the error has */
    COROLLARY_REFUSED,      /* the bytes are no module that may run: the error has the refusal and its offset */
    COROLLARY_UNLINKABLE,   /* an import is missing or has another type */
    COROLLARY_NO_ROOM,      /* the limits, or this machine, have no room for it */
    COROLLARY_NO_FUNCTION,  /* the module defines and exports no function with that name */
    COROLLARY_WRONG_TYPES,  /* the arguments or results are not those of the function */
    COROLLARY_BUSY,         /* the instance is in the middle of a call, or no call waits */
    COROLLARY_MISALIGNED,   /* the allocator gave a block that is not aligned to COROLLARY_ALIGNMENT */
};

/* What went wrong, for programs and, as `text`, for people. A function that takes an error wants one: it is never null.
 * Names are in the text as they were given, perhaps not as UTF-8, and what has no room is cut off, even in a character.
 */
struct corollary_error {
    enum corollary_status status;
    uint8_t trap, refusal;
    uint32_t offset;        /* of the byte for which a module was refused */
    int stopped;            /* what a function of the host returned */
    char text[160];
};

/* A value. `bits` are those of any type: 32 bits are its lower half. References can only be null, and not be read. */
struct corollary_value {
    uint8_t type;
    union {
        int32_t i32;
        int64_t i64;
        float f32;
        double f64;
        uint64_t bits;
    } of;
};

#ifndef __cplusplus
#define COROLLARY_VALUE_I32(value) ((struct corollary_value){COROLLARY_I32, {.i32 = (value)}})
#define COROLLARY_VALUE_I64(value) ((struct corollary_value){COROLLARY_I64, {.i64 = (value)}})
#define COROLLARY_VALUE_F32(value) ((struct corollary_value){COROLLARY_F32, {.f32 = (value)}})
#define COROLLARY_VALUE_F64(value) ((struct corollary_value){COROLLARY_F64, {.f64 = (value)}})
#endif

struct corollary_module;
struct corollary_instance;

/* A function of the host. It sets `of` of each result; `type` is there. To go on it returns 0. Any other number ends
 * the call. It must not call the instance that is calling it.
 */
typedef int corollary_function(void *context, struct corollary_instance *instance,
                               const struct corollary_value *arguments, struct corollary_value *results);

/* A function that modules may import. A zero ends each list of types: see COROLLARY_TYPES. */
struct corollary_import {
    const char *module, *name;
    const uint8_t *parameters, *results;
    corollary_function *function;
    void *context;
};

#ifndef __cplusplus
#define COROLLARY_TYPES(...) ((const uint8_t[]){__VA_ARGS__, 0})
#define COROLLARY_NO_TYPES ((const uint8_t[]){0})
#endif

/* Where memory comes from. `allocate` returns zeros, aligned to COROLLARY_ALIGNMENT, or null. What is not aligned is
 * released at once, and the call ends MISALIGNED. A module and an instance take one block each. Where there is no C
 * library, an allocator must be given.
 */
struct corollary_allocator {
    void *(*allocate)(void *context, size_t size);
    void (*release)(void *context, void *block, size_t size);
    void *context;
};

/* How much an instance may use; 0 stands for what is usual. */
struct corollary_limits {
    uint32_t pages;         /* of memory, at most */
    uint32_t elements;      /* of all tables together, at most; tables that may grow have equal parts of what is left */
    uint32_t slots;         /* of the stack, 8 bytes each */
    uint64_t fuel;          /* safe points, that is calls and branches back, until it is suspended; usually no limit */
};

/* Decode, validate and translate a module; null, with the error, if it must not run. The bytes are copied.
 * `allocator` may be null: that of the C library.
 */
COROLLARY_API struct corollary_module *
corollary_load(const void *bytes, size_t size, const struct corollary_allocator *allocator,
               struct corollary_error *error);
/* Free a module that has no instances any more; null is allowed. */
COROLLARY_API void corollary_unload(struct corollary_module *module);

/* Make an instance and run its start function. It is there if the call RETURNED or was SUSPENDED; otherwise it is null.
 * Only functions can be imported. Limits and allocator may be null.
 */
COROLLARY_API enum corollary_status
corollary_instantiate(struct corollary_instance **made, const struct corollary_module *module,
                      const struct corollary_import *imports, size_t count, const struct corollary_limits *limits,
                      const struct corollary_allocator *allocator, struct corollary_error *error);
/* Free an instance that nobody uses any more, not even a function of the host; null is allowed. */
COROLLARY_API void corollary_free(struct corollary_instance *instance);

/* Call an exported function. There must be as many arguments and results as its type says. */
COROLLARY_API enum corollary_status
corollary_call(struct corollary_instance *instance, const char *name, const struct corollary_value *arguments,
               size_t count, struct corollary_value *results, size_t results_count, struct corollary_error *error);
/* Go on with a suspended call. */
COROLLARY_API enum corollary_status
corollary_resume(struct corollary_instance *instance, struct corollary_value *results, size_t results_count,
                 struct corollary_error *error);
/* Drop a suspended call. */
COROLLARY_API void corollary_abandon(struct corollary_instance *instance);
/* Suspend the call that runs at its next safe point, or else the next call. Any thread may call this. */
COROLLARY_API void corollary_interrupt(struct corollary_instance *instance);

/* The fuel that is left; all calls draw on it. */
COROLLARY_API uint64_t corollary_fuel(const struct corollary_instance *instance);
COROLLARY_API void corollary_set_fuel(struct corollary_instance *instance, uint64_t fuel);

/* The bytes of the memory, which a call may make more. */
COROLLARY_API size_t corollary_memory_size(const struct corollary_instance *instance);
/* Copy `count` bytes from position `at` of the memory, or to it; false, and nothing copied, if they are not within. */
COROLLARY_API bool corollary_read(const struct corollary_instance *instance, uint64_t at, void *target, size_t count);
COROLLARY_API bool corollary_write(struct corollary_instance *instance, uint64_t at, const void *source, size_t count);

/* What a trap or a refusal means, in the words of the WebAssembly test suite. */
COROLLARY_API const char *corollary_trap_text(uint8_t trap);
COROLLARY_API const char *corollary_refusal_text(uint8_t refusal);

#ifdef __cplusplus
}

/* The same macros in C++, since C++11: it has no compound literals. */
#define COROLLARY_VALUE_I32(value) corollary_value_of(COROLLARY_I32, &corollary_value_bits::i32, value)
#define COROLLARY_VALUE_I64(value) corollary_value_of(COROLLARY_I64, &corollary_value_bits::i64, value)
#define COROLLARY_VALUE_F32(value) corollary_value_of(COROLLARY_F32, &corollary_value_bits::f32, value)
#define COROLLARY_VALUE_F64(value) corollary_value_of(COROLLARY_F64, &corollary_value_bits::f64, value)
#define COROLLARY_TYPES(...) (corollary_list<__VA_ARGS__>::types)
#define COROLLARY_NO_TYPES (corollary_list<>::types)

typedef decltype(corollary_value::of) corollary_value_bits;

template <typename type, typename given>
inline corollary_value corollary_value_of(uint8_t code, type corollary_value_bits::*member, given value)
{
    corollary_value made = corollary_value();

    made.type = code;
    made.of.*member = static_cast<type>(value);
    return made;
}

template <uint8_t... list>
struct corollary_list {
    static const uint8_t types[sizeof...(list) + 1];
};

template <uint8_t... list>
const uint8_t corollary_list<list...>::types[sizeof...(list) + 1] = {list..., 0};
#endif

#endif
