/* Generated from spec/wasm/bytecodes.py, spec/wasm/internal.py, spec/wasm/opcodes.py, spec/wasm/integers.py,
   codegen/handlers.py
   with codegen/templates/handlers.c.j2: edit those, not this.
   Content: sha256 412717939e9d3073 */

/* What does each operation do? One function each, which ends in a jump to the next.
 *
 * The state is in registers: the next operation, the frame, the memory, what is left of the budget, the control
 * stack. It is brought back to struct machine before anything else may see it.
 */
#include "vm/run.h"
#include "builtins.h"
#include "floats.h"
#include "integers.h"
#include "machine.h"

#define STATE \
    const uint64_t *code, uint64_t *frame, uint8_t *memory, uint64_t size, uint64_t budget, uint64_t *control, \
        struct machine *vm, const struct step *table
#define REGISTERS code, frame, memory, size, budget, control, vm, table
#define CONVENTION __attribute__((preserve_none))
#define GO __attribute__((musttail)) return

struct step {
    CONVENTION outcome_t (*take)(STATE);
};
#define HANDLER(name) CONVENTION static outcome_t take_##name(STATE)

/* The fields of an operation: the machine is little-endian, and a load costs less than a shift. */
#define NUMBER (((const uint16_t *)code)[0])
#define A (((const uint16_t *)code)[1])
#define B (((const uint16_t *)code)[2])
#define C (((const uint16_t *)code)[3])
#define FAR(word) ((uint32_t)(*(word) >> 32))
/* The halves of the word behind. */
#define LOW ((uint32_t)code[1])
#define HIGH FAR(code + 1)

/* Go on at the operation that `code` is at. */
#define DISPATCH GO table[NUMBER].take(REGISTERS)
#define NEXT(words) \
    do { \
        code += (words); \
        DISPATCH; \
    } while (0)
/* Go to where a word leads. */
#define JUMP(word) \
    do { \
        code = (word) + (int32_t)FAR(word); \
        DISPATCH; \
    } while (0)
/* A safe point: with nothing left of the budget, or when somebody wants it to stop, this operation is for later.
 * What that costs can be measured.
 */
#ifdef WITHOUT_SAFE_POINTS
#define SAFE_POINT (void)take_suspended
#else
#define SAFE_POINT \
    do { \
        if (budget <= __atomic_load_n(&vm->stop, __ATOMIC_RELAXED)) \
            GO take_suspended(REGISTERS); \
        budget--; \
    } while (0)
#endif
#define BACK(word) \
    do { \
        SAFE_POINT; \
        JUMP(word); \
    } while (0)
#define TRAP(why) \
    do { \
        vm->trap = (why); \
        GO take_trapped(REGISTERS); \
    } while (0)
#define TRAP_IF(why) \
    do { \
        trap_t reason = (why); \
        if (reason != TRAP_NONE) \
            TRAP(reason); \
    } while (0)
#define IN_MEMORY(at, width) \
    do { \
        if ((at) + (width) > size) \
            GO take_outside(REGISTERS); \
    } while (0)

/* ---- ends of a run */

static outcome_t leave(STATE, outcome_t outcome)
{
    (void)memory;
    (void)size;
    (void)table;
    vm->at = (uint32_t)(code - vm->code.at);
    vm->frame = (uint32_t)(frame - vm->stack.at);
    vm->depth = (uint32_t)(control - vm->control.at);
    vm->budget = budget;
    vm->outcome = outcome;
    return outcome;
}

HANDLER(suspended)
{
    return leave(REGISTERS, OUTCOME_SUSPENDED);
}

HANDLER(trapped)
{
    return leave(REGISTERS, OUTCOME_TRAPPED);
}

HANDLER(outside)
{
    TRAP(TRAP_MEMORY_OUT_OF_BOUNDS);
}

HANDLER(exhausted)
{
    TRAP(TRAP_STACK_EXHAUSTED);
}

HANDLER(host_call)
{
    return leave(REGISTERS, OUTCOME_HOST_CALL);
}

HANDLER(exit)
{
    return leave(REGISTERS, OUTCOME_RETURNED);
}

HANDLER(trap_unreachable)
{
    TRAP(TRAP_UNREACHABLE);
}

HANDLER(poll)
{
    SAFE_POINT;
    NEXT(1);
}

/* ---- constants, copies, branches */

HANDLER(const)
{
    frame[C] = code[1];
    NEXT(2);
}

HANDLER(copy)
{
    frame[C] = frame[A];
    NEXT(1);
}

HANDLER(copy_two)
{
    uint64_t *target = frame + C;

    target[0] = frame[A];
    target[1] = frame[B];
    NEXT(1);
}

HANDLER(copy_pair)
{
    frame[C] = frame[A];
    frame[(uint16_t)code[1]] = frame[B];
    NEXT(2);
}

HANDLER(select)
{
    frame[C] = (uint32_t)frame[(uint16_t)code[1]] != 0 ? frame[A] : frame[B];
    NEXT(2);
}

HANDLER(br)
{
    JUMP(code);
}

HANDLER(loop)
{
    BACK(code);
}

HANDLER(copy_loop)
{
    SAFE_POINT;
    frame[C] = frame[A];
    JUMP(code + 1);
}

/* Go where one word of those behind the operation leads, or the last one of them. */
#define CHOOSE(index, words) \
    do { \
        uint32_t last = FAR(code); \
        const uint64_t *word = code + (words) + ((index) < last ? (index) : last); \
        if ((int32_t)FAR(word) < 0) \
            SAFE_POINT; \
        JUMP(word); \
    } while (0)

HANDLER(br_table)
{
    uint32_t index = (uint32_t)frame[A];

    CHOOSE(index, 1);
}

HANDLER(br_table_load)
{
    uint64_t at = (uint64_t)(uint32_t)(frame[A] + LOW) + HIGH;

    IN_MEMORY(at, 1);
    uint32_t index = memory[at];
    CHOOSE(index, 2);
}

/* ---- calls */

/* The last word of a call: the first slot above the arguments, or the type of what is called; then, in its upper half,
 * by how many slots the frame of the callee is higher, and the slot of a single result.
 */
#define ABOUT(last) (((const uint16_t *)(last))[1])
#define UPPER 0xffffffff00000000

/* The word before the first operation of a function: slots of its frame, parameters, locals. */
#define ENTER(entry) \
    do { \
        uint64_t shape = (entry)[-1]; \
        uint64_t *callee = frame + base; \
        if (callee + (uint32_t)shape > vm->beyond.at) \
            GO take_exhausted(REGISTERS); \
        *control++ = (uint32_t)(back - vm->code.at) | (back[-1] & UPPER); \
        uint64_t *end = callee + (shape >> SHAPE_LOCALS_SHIFT); \
        for (uint64_t *local = callee + (uint16_t)(shape >> SHAPE_PARAMETERS_SHIFT); local < end; local++) \
            *(volatile uint64_t *)local = 0; /* or the compiler calls `memset`, and saves registers for that */ \
        frame = callee; \
        code = (entry); \
        DISPATCH; \
    } while (0)

HANDLER(call)
{
    SAFE_POINT;
    uint16_t base = A;
    const uint64_t *back = code + 2;
    const uint64_t *entry = code + (int32_t)FAR(code);

    ENTER(entry);
}

/* Where the arguments of a host call are, and what is free above them. */
static void ask(struct machine *vm, const uint64_t *frame, uint16_t base, uint32_t top)
{
    vm->arguments = (uint32_t)(frame - vm->stack.at) + base;
    vm->top = (uint32_t)(frame - vm->stack.at) + top;
}

HANDLER(call_import)
{
    SAFE_POINT;
    vm->callee = FAR(code);
    vm->foreign = false;
    ask(vm, frame, A, ABOUT(code + 1));
    code += 2;
    GO take_host_call(REGISTERS);
}

/* What is not simply a function of this instance: a trap, or a call of the host. */
HANDLER(call_elsewhere)
{
    const struct table *found = vm->tables.at[C].table.at;
    uint32_t index = (uint32_t)frame[B];

    if (index >= found->size)
        TRAP(TRAP_UNDEFINED_ELEMENT);
    uint64_t reference = found->elements.at[index];
    if (reference == NULL_REFERENCE)
        TRAP(TRAP_UNINITIALIZED_ELEMENT);
    uint64_t number = reference - vm->base - 1;
    vm->foreign = number >= vm->entries.length;
    vm->callee = vm->foreign ? reference : number;
    vm->type = ABOUT(code + 1);
    if (!vm->foreign && vm->entries.at[number] >> 32 != vm->type)
        TRAP(TRAP_INDIRECT_CALL_TYPE);
    ask(vm, frame, A, A);
    code += 2;
    GO take_host_call(REGISTERS);
}

HANDLER(call_indirect)
{
    SAFE_POINT;
    const struct table_of *found = &vm->tables.at[C];
    uint32_t index = (uint32_t)frame[B];
    uint16_t base = A;
    const uint64_t *back = code + 2;

    if (index >= found->elements.length)
        GO take_call_elsewhere(REGISTERS);
    uint64_t number = found->elements.at[index] - vm->base - 1;
    if (number >= vm->entries.length)
        GO take_call_elsewhere(REGISTERS);
    uint64_t about = vm->entries.at[number];
    if ((uint32_t)about == 0 || about >> 32 != ABOUT(code + 1))
        GO take_call_elsewhere(REGISTERS);
    const uint64_t *entry = vm->code.at + (uint32_t)about;
    ENTER(entry);
}

#define RETURN \
    do { \
        back = *--control; \
        code = vm->code.at + (uint32_t)back; \
        frame -= (uint16_t)(back >> 32); \
    } while (0)

HANDLER(return_none)
{
    uint64_t back;

    RETURN;
    DISPATCH;
}

HANDLER(return_one)
{
    uint64_t back, result = frame[A];

    RETURN;
    frame[back >> RETURN_RESULT_SHIFT] = result;
    DISPATCH;
}

HANDLER(return_many)
{
    uint64_t back;

    for (uint32_t i = 0; i < B; i++)
        frame[i] = frame[A + i];
    RETURN;
    DISPATCH;
}

/* ---- globals, the memory as a whole, tables */

HANDLER(get_global)
{
    frame[C] = vm->globals.at[B].cell.at[0];
    NEXT(1);
}

HANDLER(set_global)
{
    vm->globals.at[B].cell.at[0] = frame[A];
    NEXT(1);
}

/* A reference of this instance as it is in tables and globals, which others may share, and back. */
#define SHARED(reference) ((reference) == NULL_REFERENCE ? NULL_REFERENCE : (reference) + vm->base)
#define OWN(reference) ((reference) == NULL_REFERENCE ? NULL_REFERENCE : (reference) - vm->base)

HANDLER(get_reference)
{
    uint64_t reference = vm->globals.at[B].cell.at[0];

    frame[C] = OWN(reference);
    NEXT(1);
}

HANDLER(set_reference)
{
    vm->globals.at[B].cell.at[0] = SHARED(frame[A]);
    NEXT(1);
}

HANDLER(memory_size)
{
    frame[C] = size / PAGE;
    NEXT(1);
}

HANDLER(memory_grow)
{
    frame[C] = machine_grow_memory(vm->memory.at, (uint32_t)frame[A]);
    size = vm->memory.at->size;
    NEXT(1);
}

#ifdef __x86_64__
#define SMALLEST 2048
#define LARGEST (1 << 18)
typedef uint64_t vector_t __attribute__((vector_size(64), aligned(1), may_alias));
#define STEP (4 * sizeof(vector_t))

static inline void move_step(uint8_t *to, const uint8_t *from)
{
    vector_t a = ((const vector_t *)from)[0], b = ((const vector_t *)from)[1];
    vector_t c = ((const vector_t *)from)[2], d = ((const vector_t *)from)[3];

    ((vector_t *)to)[0] = a;
    ((vector_t *)to)[1] = b;
    ((vector_t *)to)[2] = c;
    ((vector_t *)to)[3] = d;
}

/* Move a block of which no byte is overwritten before it is read, by the last step neither; false for others.
 *
 * The library's function is best for small blocks and huge ones, but a call costs more than a loop where everything
 * that it saves lies a multiple of a page from what was just stored: a habit of these processors.
 */
static inline bool moved(uint8_t *memory, uint64_t to, uint64_t from, uint64_t count)
{
    if (count < SMALLEST || count > LARGEST || to - from < count || from - to < STEP)
        return false;
#pragma clang loop unroll(disable) /* or there are too few registers */
    for (uint64_t done = 0; done < count - STEP; done += STEP)
        move_step(memory + to + done, memory + from + done);
    move_step(memory + to + count - STEP, memory + from + count - STEP); /* it may begin within the one before */
    return true;
}
#endif

/* Many bytes are left to the operation behind, which does them in pieces: its operands are in slots of its own. */
#define BEGIN \
    do { \
        uint64_t first = frame[A], second = frame[B], many = frame[C]; \
        uint64_t *place = frame + (uint16_t)code[1]; \
        place[0] = first; \
        place[1] = second; \
        place[2] = many; \
        NEXT(2); \
    } while (0)
/* A piece is done: the same operation again, unless none are left. */
#define REST(most, words) \
    do { \
        uint32_t left = COUNT, moved = left < (most) ? left : (most); \
        frame[A + 2] = left - moved; \
        if (moved < left) \
            DISPATCH; \
        NEXT(words); \
    } while (0)
#define FURTHER(place, most) \
    frame[A + (place)] = (uint64_t)(uint32_t)frame[A + (place)] + (COUNT < (most) ? COUNT : (most))
#define TO ((uint32_t)frame[A])
#define FROM ((uint32_t)frame[A + 1])
#define COUNT ((uint32_t)frame[A + 2])

__attribute__((noinline)) HANDLER(memory_copy_otherwise)
{
    TRAP_IF(machine_copy_memory(vm->memory.at, (uint32_t)frame[A], (uint32_t)frame[B], (uint32_t)frame[C]));
    NEXT(3);
}

HANDLER(memory_copy)
{
    SAFE_POINT;
    if ((uint32_t)frame[C] > PIECE)
        BEGIN;
#ifdef __x86_64__
    uint64_t to = (uint32_t)frame[A], from = (uint32_t)frame[B], count = (uint32_t)frame[C];

    IN_MEMORY(to, count);
    IN_MEMORY(from, count);
    if (moved(memory, to, from, count))
        NEXT(3);
#endif
    GO take_memory_copy_otherwise(REGISTERS);
}

__attribute__((noinline)) HANDLER(memory_copy_value_otherwise)
{
    TRAP_IF(machine_copy_memory(vm->memory.at, (uint32_t)frame[A], (uint32_t)frame[B], LOW));
    NEXT(2);
}

HANDLER(memory_copy_value)
{
    SAFE_POINT;
#ifdef __x86_64__
    uint64_t to = (uint32_t)frame[A], from = (uint32_t)frame[B], count = LOW;

    IN_MEMORY(to, count);
    IN_MEMORY(from, count);
    if (moved(memory, to, from, count))
        NEXT(2);
#endif
    GO take_memory_copy_value_otherwise(REGISTERS);
}

HANDLER(memory_copy_rest)
{
    SAFE_POINT;
    TRAP_IF(machine_copy_memory(vm->memory.at, TO, FROM, COUNT));
    if (TO <= FROM) {
        FURTHER(0, PIECE);
        FURTHER(1, PIECE);
    }
    REST(PIECE, 1);
}

HANDLER(memory_fill)
{
    SAFE_POINT;
    if ((uint32_t)frame[C] > PIECE)
        BEGIN;
    TRAP_IF(machine_fill_memory(vm->memory.at, (uint32_t)frame[A], (uint32_t)frame[B], (uint32_t)frame[C]));
    NEXT(3);
}

HANDLER(memory_fill_rest)
{
    SAFE_POINT;
    TRAP_IF(machine_fill_memory(vm->memory.at, TO, FROM, COUNT));
    FURTHER(0, PIECE);
    REST(PIECE, 1);
}

HANDLER(memory_init)
{
    SAFE_POINT;
    TRAP_IF(machine_init_memory(vm, vm->memory.at, FAR(code), TO, FROM, COUNT));
    FURTHER(0, PIECE);
    FURTHER(1, PIECE);
    REST(PIECE, 1);
}

HANDLER(data_drop)
{
    vm->dropped_data.at[FAR(code)] = 1;
    NEXT(1);
}

HANDLER(elem_drop)
{
    vm->dropped_elements.at[FAR(code)] = 1;
    NEXT(1);
}

HANDLER(table_get)
{
    const struct table *found = vm->tables.at[B].table.at;
    uint32_t index = (uint32_t)frame[A];

    if (index >= found->size)
        TRAP(TRAP_TABLE_OUT_OF_BOUNDS);
    uint64_t reference = found->elements.at[index];
    frame[C] = OWN(reference);
    NEXT(1);
}

HANDLER(table_set)
{
    struct table *found = vm->tables.at[C].table.at;
    uint32_t index = (uint32_t)frame[A];

    if (index >= found->size)
        TRAP(TRAP_TABLE_OUT_OF_BOUNDS);
    found->elements.at[index] = SHARED(frame[B]);
    NEXT(1);
}

HANDLER(table_size)
{
    frame[C] = vm->tables.at[B].table.at->size;
    NEXT(1);
}

HANDLER(table_grow)
{
    uint64_t element = frame[A];
    uint32_t count = (uint32_t)frame[B];
    uint32_t before = machine_grow_table(vm->tables.at[LOW].table.at, count);
    uint64_t *result = frame + C;

    result[0] = before;
    result[1] = before == FAILED ? 0 : before;
    result[2] = element;
    result[3] = before == FAILED ? 0 : count;
    NEXT(2);
}

HANDLER(table_fill)
{
    SAFE_POINT;
    uint64_t element = frame[A + 1];

    TRAP_IF(machine_fill_table(vm->tables.at[FAR(code)].table.at, TO, SHARED(element), COUNT));
    FURTHER(0, ITEMS);
    REST(ITEMS, 1);
}

HANDLER(table_copy)
{
    SAFE_POINT;
    TRAP_IF(machine_copy_table(vm->tables.at[LOW].table.at, vm->tables.at[HIGH].table.at, TO, FROM, COUNT));
    if (TO <= FROM) {
        FURTHER(0, ITEMS);
        FURTHER(1, ITEMS);
    }
    REST(ITEMS, 2);
}

HANDLER(table_init)
{
    SAFE_POINT;
    TRAP_IF(machine_init_table(vm, vm->tables.at[HIGH].table.at, LOW, TO, FROM, COUNT));
    FURTHER(0, ITEMS);
    FURTHER(1, ITEMS);
    REST(ITEMS, 2);
}

/* ---- instructions that compute, load, store, or branch on a comparison */

HANDLER(i32_load)
{
    uint64_t at = (uint64_t)(uint32_t)frame[A] + B;
    IN_MEMORY(at, 4);
    uint32_t value;
    __builtin_memcpy(&value, memory + at, 4);
    frame[C] = value;
    NEXT(1);
}

HANDLER(i32_load_far)
{
    uint64_t at = (uint64_t)(uint32_t)frame[A] + LOW;
    IN_MEMORY(at, 4);
    uint32_t value;
    __builtin_memcpy(&value, memory + at, 4);
    frame[C] = value;
    NEXT(2);
}

HANDLER(i32_load_sum)
{
    uint64_t at = (uint64_t)(uint32_t)(frame[A] + code[1]) + B;
    IN_MEMORY(at, 4);
    uint32_t value;
    __builtin_memcpy(&value, memory + at, 4);
    frame[C] = value;
    NEXT(2);
}

HANDLER(i32_load_scaled)
{
    uint64_t at = (uint64_t)(uint32_t)(((uint32_t)frame[A] << 2) + code[1]) + B;
    IN_MEMORY(at, 4);
    uint32_t value;
    __builtin_memcpy(&value, memory + at, 4);
    frame[C] = value;
    NEXT(2);
}

HANDLER(i32_load_slots)
{
    uint64_t at = (uint64_t)(uint32_t)(frame[A] + frame[B]) + LOW;
    IN_MEMORY(at, 4);
    uint32_t value;
    __builtin_memcpy(&value, memory + at, 4);
    frame[C] = value;
    NEXT(2);
}

HANDLER(i64_load)
{
    uint64_t at = (uint64_t)(uint32_t)frame[A] + B;
    IN_MEMORY(at, 8);
    uint64_t value;
    __builtin_memcpy(&value, memory + at, 8);
    frame[C] = value;
    NEXT(1);
}

HANDLER(i64_load_far)
{
    uint64_t at = (uint64_t)(uint32_t)frame[A] + LOW;
    IN_MEMORY(at, 8);
    uint64_t value;
    __builtin_memcpy(&value, memory + at, 8);
    frame[C] = value;
    NEXT(2);
}

HANDLER(i64_load_sum)
{
    uint64_t at = (uint64_t)(uint32_t)(frame[A] + code[1]) + B;
    IN_MEMORY(at, 8);
    uint64_t value;
    __builtin_memcpy(&value, memory + at, 8);
    frame[C] = value;
    NEXT(2);
}

HANDLER(i64_load_scaled)
{
    uint64_t at = (uint64_t)(uint32_t)(((uint32_t)frame[A] << 3) + code[1]) + B;
    IN_MEMORY(at, 8);
    uint64_t value;
    __builtin_memcpy(&value, memory + at, 8);
    frame[C] = value;
    NEXT(2);
}

HANDLER(i64_load_slots)
{
    uint64_t at = (uint64_t)(uint32_t)(frame[A] + frame[B]) + LOW;
    IN_MEMORY(at, 8);
    uint64_t value;
    __builtin_memcpy(&value, memory + at, 8);
    frame[C] = value;
    NEXT(2);
}

HANDLER(f32_load)
{
    uint64_t at = (uint64_t)(uint32_t)frame[A] + B;
    IN_MEMORY(at, 4);
    uint32_t value;
    __builtin_memcpy(&value, memory + at, 4);
    frame[C] = value;
    NEXT(1);
}

HANDLER(f32_load_far)
{
    uint64_t at = (uint64_t)(uint32_t)frame[A] + LOW;
    IN_MEMORY(at, 4);
    uint32_t value;
    __builtin_memcpy(&value, memory + at, 4);
    frame[C] = value;
    NEXT(2);
}

HANDLER(f32_load_sum)
{
    uint64_t at = (uint64_t)(uint32_t)(frame[A] + code[1]) + B;
    IN_MEMORY(at, 4);
    uint32_t value;
    __builtin_memcpy(&value, memory + at, 4);
    frame[C] = value;
    NEXT(2);
}

HANDLER(f32_load_scaled)
{
    uint64_t at = (uint64_t)(uint32_t)(((uint32_t)frame[A] << 2) + code[1]) + B;
    IN_MEMORY(at, 4);
    uint32_t value;
    __builtin_memcpy(&value, memory + at, 4);
    frame[C] = value;
    NEXT(2);
}

HANDLER(f32_load_slots)
{
    uint64_t at = (uint64_t)(uint32_t)(frame[A] + frame[B]) + LOW;
    IN_MEMORY(at, 4);
    uint32_t value;
    __builtin_memcpy(&value, memory + at, 4);
    frame[C] = value;
    NEXT(2);
}

HANDLER(f64_load)
{
    uint64_t at = (uint64_t)(uint32_t)frame[A] + B;
    IN_MEMORY(at, 8);
    uint64_t value;
    __builtin_memcpy(&value, memory + at, 8);
    frame[C] = value;
    NEXT(1);
}

HANDLER(f64_load_far)
{
    uint64_t at = (uint64_t)(uint32_t)frame[A] + LOW;
    IN_MEMORY(at, 8);
    uint64_t value;
    __builtin_memcpy(&value, memory + at, 8);
    frame[C] = value;
    NEXT(2);
}

HANDLER(f64_load_sum)
{
    uint64_t at = (uint64_t)(uint32_t)(frame[A] + code[1]) + B;
    IN_MEMORY(at, 8);
    uint64_t value;
    __builtin_memcpy(&value, memory + at, 8);
    frame[C] = value;
    NEXT(2);
}

HANDLER(f64_load_scaled)
{
    uint64_t at = (uint64_t)(uint32_t)(((uint32_t)frame[A] << 3) + code[1]) + B;
    IN_MEMORY(at, 8);
    uint64_t value;
    __builtin_memcpy(&value, memory + at, 8);
    frame[C] = value;
    NEXT(2);
}

HANDLER(f64_load_slots)
{
    uint64_t at = (uint64_t)(uint32_t)(frame[A] + frame[B]) + LOW;
    IN_MEMORY(at, 8);
    uint64_t value;
    __builtin_memcpy(&value, memory + at, 8);
    frame[C] = value;
    NEXT(2);
}

HANDLER(i32_load8_s)
{
    uint64_t at = (uint64_t)(uint32_t)frame[A] + B;
    IN_MEMORY(at, 1);
    uint8_t value;
    __builtin_memcpy(&value, memory + at, 1);
    frame[C] = sign_extend_32(value, 8);
    NEXT(1);
}

HANDLER(i32_load8_s_far)
{
    uint64_t at = (uint64_t)(uint32_t)frame[A] + LOW;
    IN_MEMORY(at, 1);
    uint8_t value;
    __builtin_memcpy(&value, memory + at, 1);
    frame[C] = sign_extend_32(value, 8);
    NEXT(2);
}

HANDLER(i32_load8_s_sum)
{
    uint64_t at = (uint64_t)(uint32_t)(frame[A] + code[1]) + B;
    IN_MEMORY(at, 1);
    uint8_t value;
    __builtin_memcpy(&value, memory + at, 1);
    frame[C] = sign_extend_32(value, 8);
    NEXT(2);
}

HANDLER(i32_load8_s_slots)
{
    uint64_t at = (uint64_t)(uint32_t)(frame[A] + frame[B]) + LOW;
    IN_MEMORY(at, 1);
    uint8_t value;
    __builtin_memcpy(&value, memory + at, 1);
    frame[C] = sign_extend_32(value, 8);
    NEXT(2);
}

HANDLER(i32_load8_u)
{
    uint64_t at = (uint64_t)(uint32_t)frame[A] + B;
    IN_MEMORY(at, 1);
    uint8_t value;
    __builtin_memcpy(&value, memory + at, 1);
    frame[C] = value;
    NEXT(1);
}

HANDLER(i32_load8_u_far)
{
    uint64_t at = (uint64_t)(uint32_t)frame[A] + LOW;
    IN_MEMORY(at, 1);
    uint8_t value;
    __builtin_memcpy(&value, memory + at, 1);
    frame[C] = value;
    NEXT(2);
}

HANDLER(i32_load8_u_sum)
{
    uint64_t at = (uint64_t)(uint32_t)(frame[A] + code[1]) + B;
    IN_MEMORY(at, 1);
    uint8_t value;
    __builtin_memcpy(&value, memory + at, 1);
    frame[C] = value;
    NEXT(2);
}

HANDLER(i32_load8_u_slots)
{
    uint64_t at = (uint64_t)(uint32_t)(frame[A] + frame[B]) + LOW;
    IN_MEMORY(at, 1);
    uint8_t value;
    __builtin_memcpy(&value, memory + at, 1);
    frame[C] = value;
    NEXT(2);
}

HANDLER(i32_load16_s)
{
    uint64_t at = (uint64_t)(uint32_t)frame[A] + B;
    IN_MEMORY(at, 2);
    uint16_t value;
    __builtin_memcpy(&value, memory + at, 2);
    frame[C] = sign_extend_32(value, 16);
    NEXT(1);
}

HANDLER(i32_load16_s_far)
{
    uint64_t at = (uint64_t)(uint32_t)frame[A] + LOW;
    IN_MEMORY(at, 2);
    uint16_t value;
    __builtin_memcpy(&value, memory + at, 2);
    frame[C] = sign_extend_32(value, 16);
    NEXT(2);
}

HANDLER(i32_load16_s_sum)
{
    uint64_t at = (uint64_t)(uint32_t)(frame[A] + code[1]) + B;
    IN_MEMORY(at, 2);
    uint16_t value;
    __builtin_memcpy(&value, memory + at, 2);
    frame[C] = sign_extend_32(value, 16);
    NEXT(2);
}

HANDLER(i32_load16_s_scaled)
{
    uint64_t at = (uint64_t)(uint32_t)(((uint32_t)frame[A] << 1) + code[1]) + B;
    IN_MEMORY(at, 2);
    uint16_t value;
    __builtin_memcpy(&value, memory + at, 2);
    frame[C] = sign_extend_32(value, 16);
    NEXT(2);
}

HANDLER(i32_load16_s_slots)
{
    uint64_t at = (uint64_t)(uint32_t)(frame[A] + frame[B]) + LOW;
    IN_MEMORY(at, 2);
    uint16_t value;
    __builtin_memcpy(&value, memory + at, 2);
    frame[C] = sign_extend_32(value, 16);
    NEXT(2);
}

HANDLER(i32_load16_u)
{
    uint64_t at = (uint64_t)(uint32_t)frame[A] + B;
    IN_MEMORY(at, 2);
    uint16_t value;
    __builtin_memcpy(&value, memory + at, 2);
    frame[C] = value;
    NEXT(1);
}

HANDLER(i32_load16_u_far)
{
    uint64_t at = (uint64_t)(uint32_t)frame[A] + LOW;
    IN_MEMORY(at, 2);
    uint16_t value;
    __builtin_memcpy(&value, memory + at, 2);
    frame[C] = value;
    NEXT(2);
}

HANDLER(i32_load16_u_sum)
{
    uint64_t at = (uint64_t)(uint32_t)(frame[A] + code[1]) + B;
    IN_MEMORY(at, 2);
    uint16_t value;
    __builtin_memcpy(&value, memory + at, 2);
    frame[C] = value;
    NEXT(2);
}

HANDLER(i32_load16_u_scaled)
{
    uint64_t at = (uint64_t)(uint32_t)(((uint32_t)frame[A] << 1) + code[1]) + B;
    IN_MEMORY(at, 2);
    uint16_t value;
    __builtin_memcpy(&value, memory + at, 2);
    frame[C] = value;
    NEXT(2);
}

HANDLER(i32_load16_u_slots)
{
    uint64_t at = (uint64_t)(uint32_t)(frame[A] + frame[B]) + LOW;
    IN_MEMORY(at, 2);
    uint16_t value;
    __builtin_memcpy(&value, memory + at, 2);
    frame[C] = value;
    NEXT(2);
}

HANDLER(i64_load8_s)
{
    uint64_t at = (uint64_t)(uint32_t)frame[A] + B;
    IN_MEMORY(at, 1);
    uint8_t value;
    __builtin_memcpy(&value, memory + at, 1);
    frame[C] = sign_extend_64(value, 8);
    NEXT(1);
}

HANDLER(i64_load8_s_far)
{
    uint64_t at = (uint64_t)(uint32_t)frame[A] + LOW;
    IN_MEMORY(at, 1);
    uint8_t value;
    __builtin_memcpy(&value, memory + at, 1);
    frame[C] = sign_extend_64(value, 8);
    NEXT(2);
}

HANDLER(i64_load8_s_sum)
{
    uint64_t at = (uint64_t)(uint32_t)(frame[A] + code[1]) + B;
    IN_MEMORY(at, 1);
    uint8_t value;
    __builtin_memcpy(&value, memory + at, 1);
    frame[C] = sign_extend_64(value, 8);
    NEXT(2);
}

HANDLER(i64_load8_s_slots)
{
    uint64_t at = (uint64_t)(uint32_t)(frame[A] + frame[B]) + LOW;
    IN_MEMORY(at, 1);
    uint8_t value;
    __builtin_memcpy(&value, memory + at, 1);
    frame[C] = sign_extend_64(value, 8);
    NEXT(2);
}

HANDLER(i64_load8_u)
{
    uint64_t at = (uint64_t)(uint32_t)frame[A] + B;
    IN_MEMORY(at, 1);
    uint8_t value;
    __builtin_memcpy(&value, memory + at, 1);
    frame[C] = value;
    NEXT(1);
}

HANDLER(i64_load8_u_far)
{
    uint64_t at = (uint64_t)(uint32_t)frame[A] + LOW;
    IN_MEMORY(at, 1);
    uint8_t value;
    __builtin_memcpy(&value, memory + at, 1);
    frame[C] = value;
    NEXT(2);
}

HANDLER(i64_load8_u_sum)
{
    uint64_t at = (uint64_t)(uint32_t)(frame[A] + code[1]) + B;
    IN_MEMORY(at, 1);
    uint8_t value;
    __builtin_memcpy(&value, memory + at, 1);
    frame[C] = value;
    NEXT(2);
}

HANDLER(i64_load8_u_slots)
{
    uint64_t at = (uint64_t)(uint32_t)(frame[A] + frame[B]) + LOW;
    IN_MEMORY(at, 1);
    uint8_t value;
    __builtin_memcpy(&value, memory + at, 1);
    frame[C] = value;
    NEXT(2);
}

HANDLER(i64_load16_s)
{
    uint64_t at = (uint64_t)(uint32_t)frame[A] + B;
    IN_MEMORY(at, 2);
    uint16_t value;
    __builtin_memcpy(&value, memory + at, 2);
    frame[C] = sign_extend_64(value, 16);
    NEXT(1);
}

HANDLER(i64_load16_s_far)
{
    uint64_t at = (uint64_t)(uint32_t)frame[A] + LOW;
    IN_MEMORY(at, 2);
    uint16_t value;
    __builtin_memcpy(&value, memory + at, 2);
    frame[C] = sign_extend_64(value, 16);
    NEXT(2);
}

HANDLER(i64_load16_s_sum)
{
    uint64_t at = (uint64_t)(uint32_t)(frame[A] + code[1]) + B;
    IN_MEMORY(at, 2);
    uint16_t value;
    __builtin_memcpy(&value, memory + at, 2);
    frame[C] = sign_extend_64(value, 16);
    NEXT(2);
}

HANDLER(i64_load16_s_scaled)
{
    uint64_t at = (uint64_t)(uint32_t)(((uint32_t)frame[A] << 1) + code[1]) + B;
    IN_MEMORY(at, 2);
    uint16_t value;
    __builtin_memcpy(&value, memory + at, 2);
    frame[C] = sign_extend_64(value, 16);
    NEXT(2);
}

HANDLER(i64_load16_s_slots)
{
    uint64_t at = (uint64_t)(uint32_t)(frame[A] + frame[B]) + LOW;
    IN_MEMORY(at, 2);
    uint16_t value;
    __builtin_memcpy(&value, memory + at, 2);
    frame[C] = sign_extend_64(value, 16);
    NEXT(2);
}

HANDLER(i64_load16_u)
{
    uint64_t at = (uint64_t)(uint32_t)frame[A] + B;
    IN_MEMORY(at, 2);
    uint16_t value;
    __builtin_memcpy(&value, memory + at, 2);
    frame[C] = value;
    NEXT(1);
}

HANDLER(i64_load16_u_far)
{
    uint64_t at = (uint64_t)(uint32_t)frame[A] + LOW;
    IN_MEMORY(at, 2);
    uint16_t value;
    __builtin_memcpy(&value, memory + at, 2);
    frame[C] = value;
    NEXT(2);
}

HANDLER(i64_load16_u_sum)
{
    uint64_t at = (uint64_t)(uint32_t)(frame[A] + code[1]) + B;
    IN_MEMORY(at, 2);
    uint16_t value;
    __builtin_memcpy(&value, memory + at, 2);
    frame[C] = value;
    NEXT(2);
}

HANDLER(i64_load16_u_scaled)
{
    uint64_t at = (uint64_t)(uint32_t)(((uint32_t)frame[A] << 1) + code[1]) + B;
    IN_MEMORY(at, 2);
    uint16_t value;
    __builtin_memcpy(&value, memory + at, 2);
    frame[C] = value;
    NEXT(2);
}

HANDLER(i64_load16_u_slots)
{
    uint64_t at = (uint64_t)(uint32_t)(frame[A] + frame[B]) + LOW;
    IN_MEMORY(at, 2);
    uint16_t value;
    __builtin_memcpy(&value, memory + at, 2);
    frame[C] = value;
    NEXT(2);
}

HANDLER(i64_load32_s)
{
    uint64_t at = (uint64_t)(uint32_t)frame[A] + B;
    IN_MEMORY(at, 4);
    uint32_t value;
    __builtin_memcpy(&value, memory + at, 4);
    frame[C] = sign_extend_64(value, 32);
    NEXT(1);
}

HANDLER(i64_load32_s_far)
{
    uint64_t at = (uint64_t)(uint32_t)frame[A] + LOW;
    IN_MEMORY(at, 4);
    uint32_t value;
    __builtin_memcpy(&value, memory + at, 4);
    frame[C] = sign_extend_64(value, 32);
    NEXT(2);
}

HANDLER(i64_load32_s_sum)
{
    uint64_t at = (uint64_t)(uint32_t)(frame[A] + code[1]) + B;
    IN_MEMORY(at, 4);
    uint32_t value;
    __builtin_memcpy(&value, memory + at, 4);
    frame[C] = sign_extend_64(value, 32);
    NEXT(2);
}

HANDLER(i64_load32_s_scaled)
{
    uint64_t at = (uint64_t)(uint32_t)(((uint32_t)frame[A] << 2) + code[1]) + B;
    IN_MEMORY(at, 4);
    uint32_t value;
    __builtin_memcpy(&value, memory + at, 4);
    frame[C] = sign_extend_64(value, 32);
    NEXT(2);
}

HANDLER(i64_load32_s_slots)
{
    uint64_t at = (uint64_t)(uint32_t)(frame[A] + frame[B]) + LOW;
    IN_MEMORY(at, 4);
    uint32_t value;
    __builtin_memcpy(&value, memory + at, 4);
    frame[C] = sign_extend_64(value, 32);
    NEXT(2);
}

HANDLER(i64_load32_u)
{
    uint64_t at = (uint64_t)(uint32_t)frame[A] + B;
    IN_MEMORY(at, 4);
    uint32_t value;
    __builtin_memcpy(&value, memory + at, 4);
    frame[C] = value;
    NEXT(1);
}

HANDLER(i64_load32_u_far)
{
    uint64_t at = (uint64_t)(uint32_t)frame[A] + LOW;
    IN_MEMORY(at, 4);
    uint32_t value;
    __builtin_memcpy(&value, memory + at, 4);
    frame[C] = value;
    NEXT(2);
}

HANDLER(i64_load32_u_sum)
{
    uint64_t at = (uint64_t)(uint32_t)(frame[A] + code[1]) + B;
    IN_MEMORY(at, 4);
    uint32_t value;
    __builtin_memcpy(&value, memory + at, 4);
    frame[C] = value;
    NEXT(2);
}

HANDLER(i64_load32_u_scaled)
{
    uint64_t at = (uint64_t)(uint32_t)(((uint32_t)frame[A] << 2) + code[1]) + B;
    IN_MEMORY(at, 4);
    uint32_t value;
    __builtin_memcpy(&value, memory + at, 4);
    frame[C] = value;
    NEXT(2);
}

HANDLER(i64_load32_u_slots)
{
    uint64_t at = (uint64_t)(uint32_t)(frame[A] + frame[B]) + LOW;
    IN_MEMORY(at, 4);
    uint32_t value;
    __builtin_memcpy(&value, memory + at, 4);
    frame[C] = value;
    NEXT(2);
}

HANDLER(i32_store)
{
    uint64_t at = (uint64_t)(uint32_t)frame[A] + C;
    IN_MEMORY(at, 4);
    uint32_t value = (uint32_t)frame[B];
    __builtin_memcpy(memory + at, &value, 4);
    NEXT(1);
}

HANDLER(i32_store_far)
{
    uint64_t at = (uint64_t)(uint32_t)frame[A] + LOW;
    IN_MEMORY(at, 4);
    uint32_t value = (uint32_t)frame[B];
    __builtin_memcpy(memory + at, &value, 4);
    NEXT(2);
}

HANDLER(i32_store_sum)
{
    uint64_t at = (uint64_t)(uint32_t)(frame[A] + code[1]) + C;
    IN_MEMORY(at, 4);
    uint32_t value = (uint32_t)frame[B];
    __builtin_memcpy(memory + at, &value, 4);
    NEXT(2);
}

HANDLER(i32_store_scaled)
{
    uint64_t at = (uint64_t)(uint32_t)(((uint32_t)frame[A] << 2) + code[1]) + C;
    IN_MEMORY(at, 4);
    uint32_t value = (uint32_t)frame[B];
    __builtin_memcpy(memory + at, &value, 4);
    NEXT(2);
}

HANDLER(i32_store_value)
{
    uint64_t at = (uint64_t)(uint32_t)frame[A] + C;
    IN_MEMORY(at, 4);
    uint32_t value = (uint32_t)code[1];
    __builtin_memcpy(memory + at, &value, 4);
    NEXT(2);
}

HANDLER(i32_store_sum_value)
{
    uint64_t at = (uint64_t)(uint32_t)(frame[A] + LOW) + C;
    IN_MEMORY(at, 4);
    uint32_t value = (uint32_t)HIGH;
    __builtin_memcpy(memory + at, &value, 4);
    NEXT(2);
}

HANDLER(i64_store)
{
    uint64_t at = (uint64_t)(uint32_t)frame[A] + C;
    IN_MEMORY(at, 8);
    uint64_t value = (uint64_t)frame[B];
    __builtin_memcpy(memory + at, &value, 8);
    NEXT(1);
}

HANDLER(i64_store_far)
{
    uint64_t at = (uint64_t)(uint32_t)frame[A] + LOW;
    IN_MEMORY(at, 8);
    uint64_t value = (uint64_t)frame[B];
    __builtin_memcpy(memory + at, &value, 8);
    NEXT(2);
}

HANDLER(i64_store_sum)
{
    uint64_t at = (uint64_t)(uint32_t)(frame[A] + code[1]) + C;
    IN_MEMORY(at, 8);
    uint64_t value = (uint64_t)frame[B];
    __builtin_memcpy(memory + at, &value, 8);
    NEXT(2);
}

HANDLER(i64_store_scaled)
{
    uint64_t at = (uint64_t)(uint32_t)(((uint32_t)frame[A] << 3) + code[1]) + C;
    IN_MEMORY(at, 8);
    uint64_t value = (uint64_t)frame[B];
    __builtin_memcpy(memory + at, &value, 8);
    NEXT(2);
}

HANDLER(i64_store_value)
{
    uint64_t at = (uint64_t)(uint32_t)frame[A] + C;
    IN_MEMORY(at, 8);
    uint64_t value = (uint64_t)code[1];
    __builtin_memcpy(memory + at, &value, 8);
    NEXT(2);
}

HANDLER(i64_store_sum_value)
{
    uint64_t at = (uint64_t)(uint32_t)(frame[A] + LOW) + C;
    IN_MEMORY(at, 8);
    uint64_t value = (uint64_t)HIGH;
    __builtin_memcpy(memory + at, &value, 8);
    NEXT(2);
}

HANDLER(f32_store)
{
    uint64_t at = (uint64_t)(uint32_t)frame[A] + C;
    IN_MEMORY(at, 4);
    uint32_t value = (uint32_t)frame[B];
    __builtin_memcpy(memory + at, &value, 4);
    NEXT(1);
}

HANDLER(f32_store_far)
{
    uint64_t at = (uint64_t)(uint32_t)frame[A] + LOW;
    IN_MEMORY(at, 4);
    uint32_t value = (uint32_t)frame[B];
    __builtin_memcpy(memory + at, &value, 4);
    NEXT(2);
}

HANDLER(f32_store_sum)
{
    uint64_t at = (uint64_t)(uint32_t)(frame[A] + code[1]) + C;
    IN_MEMORY(at, 4);
    uint32_t value = (uint32_t)frame[B];
    __builtin_memcpy(memory + at, &value, 4);
    NEXT(2);
}

HANDLER(f32_store_scaled)
{
    uint64_t at = (uint64_t)(uint32_t)(((uint32_t)frame[A] << 2) + code[1]) + C;
    IN_MEMORY(at, 4);
    uint32_t value = (uint32_t)frame[B];
    __builtin_memcpy(memory + at, &value, 4);
    NEXT(2);
}

HANDLER(f32_store_value)
{
    uint64_t at = (uint64_t)(uint32_t)frame[A] + C;
    IN_MEMORY(at, 4);
    uint32_t value = (uint32_t)code[1];
    __builtin_memcpy(memory + at, &value, 4);
    NEXT(2);
}

HANDLER(f32_store_sum_value)
{
    uint64_t at = (uint64_t)(uint32_t)(frame[A] + LOW) + C;
    IN_MEMORY(at, 4);
    uint32_t value = (uint32_t)HIGH;
    __builtin_memcpy(memory + at, &value, 4);
    NEXT(2);
}

HANDLER(f64_store)
{
    uint64_t at = (uint64_t)(uint32_t)frame[A] + C;
    IN_MEMORY(at, 8);
    uint64_t value = (uint64_t)frame[B];
    __builtin_memcpy(memory + at, &value, 8);
    NEXT(1);
}

HANDLER(f64_store_far)
{
    uint64_t at = (uint64_t)(uint32_t)frame[A] + LOW;
    IN_MEMORY(at, 8);
    uint64_t value = (uint64_t)frame[B];
    __builtin_memcpy(memory + at, &value, 8);
    NEXT(2);
}

HANDLER(f64_store_sum)
{
    uint64_t at = (uint64_t)(uint32_t)(frame[A] + code[1]) + C;
    IN_MEMORY(at, 8);
    uint64_t value = (uint64_t)frame[B];
    __builtin_memcpy(memory + at, &value, 8);
    NEXT(2);
}

HANDLER(f64_store_scaled)
{
    uint64_t at = (uint64_t)(uint32_t)(((uint32_t)frame[A] << 3) + code[1]) + C;
    IN_MEMORY(at, 8);
    uint64_t value = (uint64_t)frame[B];
    __builtin_memcpy(memory + at, &value, 8);
    NEXT(2);
}

HANDLER(f64_store_value)
{
    uint64_t at = (uint64_t)(uint32_t)frame[A] + C;
    IN_MEMORY(at, 8);
    uint64_t value = (uint64_t)code[1];
    __builtin_memcpy(memory + at, &value, 8);
    NEXT(2);
}

HANDLER(f64_store_sum_value)
{
    uint64_t at = (uint64_t)(uint32_t)(frame[A] + LOW) + C;
    IN_MEMORY(at, 8);
    uint64_t value = (uint64_t)HIGH;
    __builtin_memcpy(memory + at, &value, 8);
    NEXT(2);
}

HANDLER(i32_store8)
{
    uint64_t at = (uint64_t)(uint32_t)frame[A] + C;
    IN_MEMORY(at, 1);
    uint8_t value = (uint8_t)frame[B];
    __builtin_memcpy(memory + at, &value, 1);
    NEXT(1);
}

HANDLER(i32_store8_far)
{
    uint64_t at = (uint64_t)(uint32_t)frame[A] + LOW;
    IN_MEMORY(at, 1);
    uint8_t value = (uint8_t)frame[B];
    __builtin_memcpy(memory + at, &value, 1);
    NEXT(2);
}

HANDLER(i32_store8_sum)
{
    uint64_t at = (uint64_t)(uint32_t)(frame[A] + code[1]) + C;
    IN_MEMORY(at, 1);
    uint8_t value = (uint8_t)frame[B];
    __builtin_memcpy(memory + at, &value, 1);
    NEXT(2);
}

HANDLER(i32_store8_value)
{
    uint64_t at = (uint64_t)(uint32_t)frame[A] + C;
    IN_MEMORY(at, 1);
    uint8_t value = (uint8_t)code[1];
    __builtin_memcpy(memory + at, &value, 1);
    NEXT(2);
}

HANDLER(i32_store8_sum_value)
{
    uint64_t at = (uint64_t)(uint32_t)(frame[A] + LOW) + C;
    IN_MEMORY(at, 1);
    uint8_t value = (uint8_t)HIGH;
    __builtin_memcpy(memory + at, &value, 1);
    NEXT(2);
}

HANDLER(i32_store16)
{
    uint64_t at = (uint64_t)(uint32_t)frame[A] + C;
    IN_MEMORY(at, 2);
    uint16_t value = (uint16_t)frame[B];
    __builtin_memcpy(memory + at, &value, 2);
    NEXT(1);
}

HANDLER(i32_store16_far)
{
    uint64_t at = (uint64_t)(uint32_t)frame[A] + LOW;
    IN_MEMORY(at, 2);
    uint16_t value = (uint16_t)frame[B];
    __builtin_memcpy(memory + at, &value, 2);
    NEXT(2);
}

HANDLER(i32_store16_sum)
{
    uint64_t at = (uint64_t)(uint32_t)(frame[A] + code[1]) + C;
    IN_MEMORY(at, 2);
    uint16_t value = (uint16_t)frame[B];
    __builtin_memcpy(memory + at, &value, 2);
    NEXT(2);
}

HANDLER(i32_store16_scaled)
{
    uint64_t at = (uint64_t)(uint32_t)(((uint32_t)frame[A] << 1) + code[1]) + C;
    IN_MEMORY(at, 2);
    uint16_t value = (uint16_t)frame[B];
    __builtin_memcpy(memory + at, &value, 2);
    NEXT(2);
}

HANDLER(i32_store16_value)
{
    uint64_t at = (uint64_t)(uint32_t)frame[A] + C;
    IN_MEMORY(at, 2);
    uint16_t value = (uint16_t)code[1];
    __builtin_memcpy(memory + at, &value, 2);
    NEXT(2);
}

HANDLER(i32_store16_sum_value)
{
    uint64_t at = (uint64_t)(uint32_t)(frame[A] + LOW) + C;
    IN_MEMORY(at, 2);
    uint16_t value = (uint16_t)HIGH;
    __builtin_memcpy(memory + at, &value, 2);
    NEXT(2);
}

HANDLER(i64_store8)
{
    uint64_t at = (uint64_t)(uint32_t)frame[A] + C;
    IN_MEMORY(at, 1);
    uint8_t value = (uint8_t)frame[B];
    __builtin_memcpy(memory + at, &value, 1);
    NEXT(1);
}

HANDLER(i64_store8_far)
{
    uint64_t at = (uint64_t)(uint32_t)frame[A] + LOW;
    IN_MEMORY(at, 1);
    uint8_t value = (uint8_t)frame[B];
    __builtin_memcpy(memory + at, &value, 1);
    NEXT(2);
}

HANDLER(i64_store8_sum)
{
    uint64_t at = (uint64_t)(uint32_t)(frame[A] + code[1]) + C;
    IN_MEMORY(at, 1);
    uint8_t value = (uint8_t)frame[B];
    __builtin_memcpy(memory + at, &value, 1);
    NEXT(2);
}

HANDLER(i64_store8_value)
{
    uint64_t at = (uint64_t)(uint32_t)frame[A] + C;
    IN_MEMORY(at, 1);
    uint8_t value = (uint8_t)code[1];
    __builtin_memcpy(memory + at, &value, 1);
    NEXT(2);
}

HANDLER(i64_store8_sum_value)
{
    uint64_t at = (uint64_t)(uint32_t)(frame[A] + LOW) + C;
    IN_MEMORY(at, 1);
    uint8_t value = (uint8_t)HIGH;
    __builtin_memcpy(memory + at, &value, 1);
    NEXT(2);
}

HANDLER(i64_store16)
{
    uint64_t at = (uint64_t)(uint32_t)frame[A] + C;
    IN_MEMORY(at, 2);
    uint16_t value = (uint16_t)frame[B];
    __builtin_memcpy(memory + at, &value, 2);
    NEXT(1);
}

HANDLER(i64_store16_far)
{
    uint64_t at = (uint64_t)(uint32_t)frame[A] + LOW;
    IN_MEMORY(at, 2);
    uint16_t value = (uint16_t)frame[B];
    __builtin_memcpy(memory + at, &value, 2);
    NEXT(2);
}

HANDLER(i64_store16_sum)
{
    uint64_t at = (uint64_t)(uint32_t)(frame[A] + code[1]) + C;
    IN_MEMORY(at, 2);
    uint16_t value = (uint16_t)frame[B];
    __builtin_memcpy(memory + at, &value, 2);
    NEXT(2);
}

HANDLER(i64_store16_scaled)
{
    uint64_t at = (uint64_t)(uint32_t)(((uint32_t)frame[A] << 1) + code[1]) + C;
    IN_MEMORY(at, 2);
    uint16_t value = (uint16_t)frame[B];
    __builtin_memcpy(memory + at, &value, 2);
    NEXT(2);
}

HANDLER(i64_store16_value)
{
    uint64_t at = (uint64_t)(uint32_t)frame[A] + C;
    IN_MEMORY(at, 2);
    uint16_t value = (uint16_t)code[1];
    __builtin_memcpy(memory + at, &value, 2);
    NEXT(2);
}

HANDLER(i64_store16_sum_value)
{
    uint64_t at = (uint64_t)(uint32_t)(frame[A] + LOW) + C;
    IN_MEMORY(at, 2);
    uint16_t value = (uint16_t)HIGH;
    __builtin_memcpy(memory + at, &value, 2);
    NEXT(2);
}

HANDLER(i64_store32)
{
    uint64_t at = (uint64_t)(uint32_t)frame[A] + C;
    IN_MEMORY(at, 4);
    uint32_t value = (uint32_t)frame[B];
    __builtin_memcpy(memory + at, &value, 4);
    NEXT(1);
}

HANDLER(i64_store32_far)
{
    uint64_t at = (uint64_t)(uint32_t)frame[A] + LOW;
    IN_MEMORY(at, 4);
    uint32_t value = (uint32_t)frame[B];
    __builtin_memcpy(memory + at, &value, 4);
    NEXT(2);
}

HANDLER(i64_store32_sum)
{
    uint64_t at = (uint64_t)(uint32_t)(frame[A] + code[1]) + C;
    IN_MEMORY(at, 4);
    uint32_t value = (uint32_t)frame[B];
    __builtin_memcpy(memory + at, &value, 4);
    NEXT(2);
}

HANDLER(i64_store32_scaled)
{
    uint64_t at = (uint64_t)(uint32_t)(((uint32_t)frame[A] << 2) + code[1]) + C;
    IN_MEMORY(at, 4);
    uint32_t value = (uint32_t)frame[B];
    __builtin_memcpy(memory + at, &value, 4);
    NEXT(2);
}

HANDLER(i64_store32_value)
{
    uint64_t at = (uint64_t)(uint32_t)frame[A] + C;
    IN_MEMORY(at, 4);
    uint32_t value = (uint32_t)code[1];
    __builtin_memcpy(memory + at, &value, 4);
    NEXT(2);
}

HANDLER(i64_store32_sum_value)
{
    uint64_t at = (uint64_t)(uint32_t)(frame[A] + LOW) + C;
    IN_MEMORY(at, 4);
    uint32_t value = (uint32_t)HIGH;
    __builtin_memcpy(memory + at, &value, 4);
    NEXT(2);
}

HANDLER(i32_eq_slots)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)frame[B];
    frame[C] = integers_i32_eq(a, b);
    NEXT(1);
}

HANDLER(i32_eq_value)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)code[1];
    frame[C] = integers_i32_eq(a, b);
    NEXT(2);
}

HANDLER(i32_eq_if_slots)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)frame[B];
    if (integers_i32_eq(a, b))
        JUMP(code + 1);
    NEXT(2);
}

HANDLER(i32_eq_unless_slots)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)frame[B];
    if (!integers_i32_eq(a, b))
        JUMP(code + 1);
    NEXT(2);
}

HANDLER(i32_eq_loop_slots)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)frame[B];
    if (integers_i32_eq(a, b))
        BACK(code + 1);
    NEXT(2);
}

HANDLER(i32_eq_if_value)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)code[1];
    if (integers_i32_eq(a, b))
        JUMP(code);
    NEXT(2);
}

HANDLER(i32_eq_unless_value)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)code[1];
    if (!integers_i32_eq(a, b))
        JUMP(code);
    NEXT(2);
}

HANDLER(i32_eq_loop_value)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)code[1];
    if (integers_i32_eq(a, b))
        BACK(code);
    NEXT(2);
}

HANDLER(i32_ne_slots)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)frame[B];
    frame[C] = integers_i32_ne(a, b);
    NEXT(1);
}

HANDLER(i32_ne_value)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)code[1];
    frame[C] = integers_i32_ne(a, b);
    NEXT(2);
}

HANDLER(i32_ne_if_slots)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)frame[B];
    if (integers_i32_ne(a, b))
        JUMP(code + 1);
    NEXT(2);
}

HANDLER(i32_ne_unless_slots)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)frame[B];
    if (!integers_i32_ne(a, b))
        JUMP(code + 1);
    NEXT(2);
}

HANDLER(i32_ne_loop_slots)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)frame[B];
    if (integers_i32_ne(a, b))
        BACK(code + 1);
    NEXT(2);
}

HANDLER(i32_ne_if_value)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)code[1];
    if (integers_i32_ne(a, b))
        JUMP(code);
    NEXT(2);
}

HANDLER(i32_ne_unless_value)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)code[1];
    if (!integers_i32_ne(a, b))
        JUMP(code);
    NEXT(2);
}

HANDLER(i32_ne_loop_value)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)code[1];
    if (integers_i32_ne(a, b))
        BACK(code);
    NEXT(2);
}

HANDLER(i32_lt_s_slots)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)frame[B];
    frame[C] = integers_i32_lt_s(a, b);
    NEXT(1);
}

HANDLER(i32_lt_s_value)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)code[1];
    frame[C] = integers_i32_lt_s(a, b);
    NEXT(2);
}

HANDLER(i32_lt_s_from)
{
    uint32_t a = (uint32_t)code[1];
    uint32_t b = (uint32_t)frame[A];
    frame[C] = integers_i32_lt_s(a, b);
    NEXT(2);
}

HANDLER(i32_lt_s_if_slots)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)frame[B];
    if (integers_i32_lt_s(a, b))
        JUMP(code + 1);
    NEXT(2);
}

HANDLER(i32_lt_s_unless_slots)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)frame[B];
    if (!integers_i32_lt_s(a, b))
        JUMP(code + 1);
    NEXT(2);
}

HANDLER(i32_lt_s_loop_slots)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)frame[B];
    if (integers_i32_lt_s(a, b))
        BACK(code + 1);
    NEXT(2);
}

HANDLER(i32_lt_s_if_value)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)code[1];
    if (integers_i32_lt_s(a, b))
        JUMP(code);
    NEXT(2);
}

HANDLER(i32_lt_s_unless_value)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)code[1];
    if (!integers_i32_lt_s(a, b))
        JUMP(code);
    NEXT(2);
}

HANDLER(i32_lt_s_loop_value)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)code[1];
    if (integers_i32_lt_s(a, b))
        BACK(code);
    NEXT(2);
}

HANDLER(i32_lt_u_slots)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)frame[B];
    frame[C] = integers_i32_lt_u(a, b);
    NEXT(1);
}

HANDLER(i32_lt_u_value)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)code[1];
    frame[C] = integers_i32_lt_u(a, b);
    NEXT(2);
}

HANDLER(i32_lt_u_from)
{
    uint32_t a = (uint32_t)code[1];
    uint32_t b = (uint32_t)frame[A];
    frame[C] = integers_i32_lt_u(a, b);
    NEXT(2);
}

HANDLER(i32_lt_u_if_slots)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)frame[B];
    if (integers_i32_lt_u(a, b))
        JUMP(code + 1);
    NEXT(2);
}

HANDLER(i32_lt_u_unless_slots)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)frame[B];
    if (!integers_i32_lt_u(a, b))
        JUMP(code + 1);
    NEXT(2);
}

HANDLER(i32_lt_u_loop_slots)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)frame[B];
    if (integers_i32_lt_u(a, b))
        BACK(code + 1);
    NEXT(2);
}

HANDLER(i32_lt_u_if_value)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)code[1];
    if (integers_i32_lt_u(a, b))
        JUMP(code);
    NEXT(2);
}

HANDLER(i32_lt_u_unless_value)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)code[1];
    if (!integers_i32_lt_u(a, b))
        JUMP(code);
    NEXT(2);
}

HANDLER(i32_lt_u_loop_value)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)code[1];
    if (integers_i32_lt_u(a, b))
        BACK(code);
    NEXT(2);
}

HANDLER(i32_gt_s_slots)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)frame[B];
    frame[C] = integers_i32_gt_s(a, b);
    NEXT(1);
}

HANDLER(i32_gt_s_value)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)code[1];
    frame[C] = integers_i32_gt_s(a, b);
    NEXT(2);
}

HANDLER(i32_gt_s_from)
{
    uint32_t a = (uint32_t)code[1];
    uint32_t b = (uint32_t)frame[A];
    frame[C] = integers_i32_gt_s(a, b);
    NEXT(2);
}

HANDLER(i32_gt_s_if_slots)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)frame[B];
    if (integers_i32_gt_s(a, b))
        JUMP(code + 1);
    NEXT(2);
}

HANDLER(i32_gt_s_unless_slots)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)frame[B];
    if (!integers_i32_gt_s(a, b))
        JUMP(code + 1);
    NEXT(2);
}

HANDLER(i32_gt_s_loop_slots)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)frame[B];
    if (integers_i32_gt_s(a, b))
        BACK(code + 1);
    NEXT(2);
}

HANDLER(i32_gt_s_if_value)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)code[1];
    if (integers_i32_gt_s(a, b))
        JUMP(code);
    NEXT(2);
}

HANDLER(i32_gt_s_unless_value)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)code[1];
    if (!integers_i32_gt_s(a, b))
        JUMP(code);
    NEXT(2);
}

HANDLER(i32_gt_s_loop_value)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)code[1];
    if (integers_i32_gt_s(a, b))
        BACK(code);
    NEXT(2);
}

HANDLER(i32_gt_u_slots)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)frame[B];
    frame[C] = integers_i32_gt_u(a, b);
    NEXT(1);
}

HANDLER(i32_gt_u_value)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)code[1];
    frame[C] = integers_i32_gt_u(a, b);
    NEXT(2);
}

HANDLER(i32_gt_u_from)
{
    uint32_t a = (uint32_t)code[1];
    uint32_t b = (uint32_t)frame[A];
    frame[C] = integers_i32_gt_u(a, b);
    NEXT(2);
}

HANDLER(i32_gt_u_if_slots)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)frame[B];
    if (integers_i32_gt_u(a, b))
        JUMP(code + 1);
    NEXT(2);
}

HANDLER(i32_gt_u_unless_slots)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)frame[B];
    if (!integers_i32_gt_u(a, b))
        JUMP(code + 1);
    NEXT(2);
}

HANDLER(i32_gt_u_loop_slots)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)frame[B];
    if (integers_i32_gt_u(a, b))
        BACK(code + 1);
    NEXT(2);
}

HANDLER(i32_gt_u_if_value)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)code[1];
    if (integers_i32_gt_u(a, b))
        JUMP(code);
    NEXT(2);
}

HANDLER(i32_gt_u_unless_value)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)code[1];
    if (!integers_i32_gt_u(a, b))
        JUMP(code);
    NEXT(2);
}

HANDLER(i32_gt_u_loop_value)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)code[1];
    if (integers_i32_gt_u(a, b))
        BACK(code);
    NEXT(2);
}

HANDLER(i32_le_s_slots)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)frame[B];
    frame[C] = integers_i32_le_s(a, b);
    NEXT(1);
}

HANDLER(i32_le_s_value)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)code[1];
    frame[C] = integers_i32_le_s(a, b);
    NEXT(2);
}

HANDLER(i32_le_s_from)
{
    uint32_t a = (uint32_t)code[1];
    uint32_t b = (uint32_t)frame[A];
    frame[C] = integers_i32_le_s(a, b);
    NEXT(2);
}

HANDLER(i32_le_s_if_slots)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)frame[B];
    if (integers_i32_le_s(a, b))
        JUMP(code + 1);
    NEXT(2);
}

HANDLER(i32_le_s_unless_slots)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)frame[B];
    if (!integers_i32_le_s(a, b))
        JUMP(code + 1);
    NEXT(2);
}

HANDLER(i32_le_s_loop_slots)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)frame[B];
    if (integers_i32_le_s(a, b))
        BACK(code + 1);
    NEXT(2);
}

HANDLER(i32_le_s_if_value)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)code[1];
    if (integers_i32_le_s(a, b))
        JUMP(code);
    NEXT(2);
}

HANDLER(i32_le_s_unless_value)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)code[1];
    if (!integers_i32_le_s(a, b))
        JUMP(code);
    NEXT(2);
}

HANDLER(i32_le_s_loop_value)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)code[1];
    if (integers_i32_le_s(a, b))
        BACK(code);
    NEXT(2);
}

HANDLER(i32_le_u_slots)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)frame[B];
    frame[C] = integers_i32_le_u(a, b);
    NEXT(1);
}

HANDLER(i32_le_u_value)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)code[1];
    frame[C] = integers_i32_le_u(a, b);
    NEXT(2);
}

HANDLER(i32_le_u_from)
{
    uint32_t a = (uint32_t)code[1];
    uint32_t b = (uint32_t)frame[A];
    frame[C] = integers_i32_le_u(a, b);
    NEXT(2);
}

HANDLER(i32_le_u_if_slots)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)frame[B];
    if (integers_i32_le_u(a, b))
        JUMP(code + 1);
    NEXT(2);
}

HANDLER(i32_le_u_unless_slots)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)frame[B];
    if (!integers_i32_le_u(a, b))
        JUMP(code + 1);
    NEXT(2);
}

HANDLER(i32_le_u_loop_slots)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)frame[B];
    if (integers_i32_le_u(a, b))
        BACK(code + 1);
    NEXT(2);
}

HANDLER(i32_le_u_if_value)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)code[1];
    if (integers_i32_le_u(a, b))
        JUMP(code);
    NEXT(2);
}

HANDLER(i32_le_u_unless_value)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)code[1];
    if (!integers_i32_le_u(a, b))
        JUMP(code);
    NEXT(2);
}

HANDLER(i32_le_u_loop_value)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)code[1];
    if (integers_i32_le_u(a, b))
        BACK(code);
    NEXT(2);
}

HANDLER(i32_ge_s_slots)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)frame[B];
    frame[C] = integers_i32_ge_s(a, b);
    NEXT(1);
}

HANDLER(i32_ge_s_value)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)code[1];
    frame[C] = integers_i32_ge_s(a, b);
    NEXT(2);
}

HANDLER(i32_ge_s_from)
{
    uint32_t a = (uint32_t)code[1];
    uint32_t b = (uint32_t)frame[A];
    frame[C] = integers_i32_ge_s(a, b);
    NEXT(2);
}

HANDLER(i32_ge_s_if_slots)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)frame[B];
    if (integers_i32_ge_s(a, b))
        JUMP(code + 1);
    NEXT(2);
}

HANDLER(i32_ge_s_unless_slots)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)frame[B];
    if (!integers_i32_ge_s(a, b))
        JUMP(code + 1);
    NEXT(2);
}

HANDLER(i32_ge_s_loop_slots)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)frame[B];
    if (integers_i32_ge_s(a, b))
        BACK(code + 1);
    NEXT(2);
}

HANDLER(i32_ge_s_if_value)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)code[1];
    if (integers_i32_ge_s(a, b))
        JUMP(code);
    NEXT(2);
}

HANDLER(i32_ge_s_unless_value)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)code[1];
    if (!integers_i32_ge_s(a, b))
        JUMP(code);
    NEXT(2);
}

HANDLER(i32_ge_s_loop_value)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)code[1];
    if (integers_i32_ge_s(a, b))
        BACK(code);
    NEXT(2);
}

HANDLER(i32_ge_u_slots)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)frame[B];
    frame[C] = integers_i32_ge_u(a, b);
    NEXT(1);
}

HANDLER(i32_ge_u_value)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)code[1];
    frame[C] = integers_i32_ge_u(a, b);
    NEXT(2);
}

HANDLER(i32_ge_u_from)
{
    uint32_t a = (uint32_t)code[1];
    uint32_t b = (uint32_t)frame[A];
    frame[C] = integers_i32_ge_u(a, b);
    NEXT(2);
}

HANDLER(i32_ge_u_if_slots)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)frame[B];
    if (integers_i32_ge_u(a, b))
        JUMP(code + 1);
    NEXT(2);
}

HANDLER(i32_ge_u_unless_slots)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)frame[B];
    if (!integers_i32_ge_u(a, b))
        JUMP(code + 1);
    NEXT(2);
}

HANDLER(i32_ge_u_loop_slots)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)frame[B];
    if (integers_i32_ge_u(a, b))
        BACK(code + 1);
    NEXT(2);
}

HANDLER(i32_ge_u_if_value)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)code[1];
    if (integers_i32_ge_u(a, b))
        JUMP(code);
    NEXT(2);
}

HANDLER(i32_ge_u_unless_value)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)code[1];
    if (!integers_i32_ge_u(a, b))
        JUMP(code);
    NEXT(2);
}

HANDLER(i32_ge_u_loop_value)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)code[1];
    if (integers_i32_ge_u(a, b))
        BACK(code);
    NEXT(2);
}

HANDLER(i64_eq_slots)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)frame[B];
    frame[C] = integers_i64_eq(a, b);
    NEXT(1);
}

HANDLER(i64_eq_value)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)code[1];
    frame[C] = integers_i64_eq(a, b);
    NEXT(2);
}

HANDLER(i64_eq_if_slots)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)frame[B];
    if (integers_i64_eq(a, b))
        JUMP(code + 1);
    NEXT(2);
}

HANDLER(i64_eq_unless_slots)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)frame[B];
    if (!integers_i64_eq(a, b))
        JUMP(code + 1);
    NEXT(2);
}

HANDLER(i64_eq_loop_slots)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)frame[B];
    if (integers_i64_eq(a, b))
        BACK(code + 1);
    NEXT(2);
}

HANDLER(i64_eq_if_value)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)code[1];
    if (integers_i64_eq(a, b))
        JUMP(code);
    NEXT(2);
}

HANDLER(i64_eq_unless_value)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)code[1];
    if (!integers_i64_eq(a, b))
        JUMP(code);
    NEXT(2);
}

HANDLER(i64_eq_loop_value)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)code[1];
    if (integers_i64_eq(a, b))
        BACK(code);
    NEXT(2);
}

HANDLER(i64_ne_slots)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)frame[B];
    frame[C] = integers_i64_ne(a, b);
    NEXT(1);
}

HANDLER(i64_ne_value)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)code[1];
    frame[C] = integers_i64_ne(a, b);
    NEXT(2);
}

HANDLER(i64_ne_if_slots)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)frame[B];
    if (integers_i64_ne(a, b))
        JUMP(code + 1);
    NEXT(2);
}

HANDLER(i64_ne_unless_slots)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)frame[B];
    if (!integers_i64_ne(a, b))
        JUMP(code + 1);
    NEXT(2);
}

HANDLER(i64_ne_loop_slots)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)frame[B];
    if (integers_i64_ne(a, b))
        BACK(code + 1);
    NEXT(2);
}

HANDLER(i64_ne_if_value)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)code[1];
    if (integers_i64_ne(a, b))
        JUMP(code);
    NEXT(2);
}

HANDLER(i64_ne_unless_value)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)code[1];
    if (!integers_i64_ne(a, b))
        JUMP(code);
    NEXT(2);
}

HANDLER(i64_ne_loop_value)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)code[1];
    if (integers_i64_ne(a, b))
        BACK(code);
    NEXT(2);
}

HANDLER(i64_lt_s_slots)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)frame[B];
    frame[C] = integers_i64_lt_s(a, b);
    NEXT(1);
}

HANDLER(i64_lt_s_value)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)code[1];
    frame[C] = integers_i64_lt_s(a, b);
    NEXT(2);
}

HANDLER(i64_lt_s_from)
{
    uint64_t a = (uint64_t)code[1];
    uint64_t b = (uint64_t)frame[A];
    frame[C] = integers_i64_lt_s(a, b);
    NEXT(2);
}

HANDLER(i64_lt_s_if_slots)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)frame[B];
    if (integers_i64_lt_s(a, b))
        JUMP(code + 1);
    NEXT(2);
}

HANDLER(i64_lt_s_unless_slots)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)frame[B];
    if (!integers_i64_lt_s(a, b))
        JUMP(code + 1);
    NEXT(2);
}

HANDLER(i64_lt_s_loop_slots)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)frame[B];
    if (integers_i64_lt_s(a, b))
        BACK(code + 1);
    NEXT(2);
}

HANDLER(i64_lt_s_if_value)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)code[1];
    if (integers_i64_lt_s(a, b))
        JUMP(code);
    NEXT(2);
}

HANDLER(i64_lt_s_unless_value)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)code[1];
    if (!integers_i64_lt_s(a, b))
        JUMP(code);
    NEXT(2);
}

HANDLER(i64_lt_s_loop_value)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)code[1];
    if (integers_i64_lt_s(a, b))
        BACK(code);
    NEXT(2);
}

HANDLER(i64_lt_u_slots)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)frame[B];
    frame[C] = integers_i64_lt_u(a, b);
    NEXT(1);
}

HANDLER(i64_lt_u_value)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)code[1];
    frame[C] = integers_i64_lt_u(a, b);
    NEXT(2);
}

HANDLER(i64_lt_u_from)
{
    uint64_t a = (uint64_t)code[1];
    uint64_t b = (uint64_t)frame[A];
    frame[C] = integers_i64_lt_u(a, b);
    NEXT(2);
}

HANDLER(i64_lt_u_if_slots)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)frame[B];
    if (integers_i64_lt_u(a, b))
        JUMP(code + 1);
    NEXT(2);
}

HANDLER(i64_lt_u_unless_slots)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)frame[B];
    if (!integers_i64_lt_u(a, b))
        JUMP(code + 1);
    NEXT(2);
}

HANDLER(i64_lt_u_loop_slots)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)frame[B];
    if (integers_i64_lt_u(a, b))
        BACK(code + 1);
    NEXT(2);
}

HANDLER(i64_lt_u_if_value)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)code[1];
    if (integers_i64_lt_u(a, b))
        JUMP(code);
    NEXT(2);
}

HANDLER(i64_lt_u_unless_value)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)code[1];
    if (!integers_i64_lt_u(a, b))
        JUMP(code);
    NEXT(2);
}

HANDLER(i64_lt_u_loop_value)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)code[1];
    if (integers_i64_lt_u(a, b))
        BACK(code);
    NEXT(2);
}

HANDLER(i64_gt_s_slots)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)frame[B];
    frame[C] = integers_i64_gt_s(a, b);
    NEXT(1);
}

HANDLER(i64_gt_s_value)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)code[1];
    frame[C] = integers_i64_gt_s(a, b);
    NEXT(2);
}

HANDLER(i64_gt_s_from)
{
    uint64_t a = (uint64_t)code[1];
    uint64_t b = (uint64_t)frame[A];
    frame[C] = integers_i64_gt_s(a, b);
    NEXT(2);
}

HANDLER(i64_gt_s_if_slots)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)frame[B];
    if (integers_i64_gt_s(a, b))
        JUMP(code + 1);
    NEXT(2);
}

HANDLER(i64_gt_s_unless_slots)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)frame[B];
    if (!integers_i64_gt_s(a, b))
        JUMP(code + 1);
    NEXT(2);
}

HANDLER(i64_gt_s_loop_slots)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)frame[B];
    if (integers_i64_gt_s(a, b))
        BACK(code + 1);
    NEXT(2);
}

HANDLER(i64_gt_s_if_value)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)code[1];
    if (integers_i64_gt_s(a, b))
        JUMP(code);
    NEXT(2);
}

HANDLER(i64_gt_s_unless_value)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)code[1];
    if (!integers_i64_gt_s(a, b))
        JUMP(code);
    NEXT(2);
}

HANDLER(i64_gt_s_loop_value)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)code[1];
    if (integers_i64_gt_s(a, b))
        BACK(code);
    NEXT(2);
}

HANDLER(i64_gt_u_slots)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)frame[B];
    frame[C] = integers_i64_gt_u(a, b);
    NEXT(1);
}

HANDLER(i64_gt_u_value)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)code[1];
    frame[C] = integers_i64_gt_u(a, b);
    NEXT(2);
}

HANDLER(i64_gt_u_from)
{
    uint64_t a = (uint64_t)code[1];
    uint64_t b = (uint64_t)frame[A];
    frame[C] = integers_i64_gt_u(a, b);
    NEXT(2);
}

HANDLER(i64_gt_u_if_slots)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)frame[B];
    if (integers_i64_gt_u(a, b))
        JUMP(code + 1);
    NEXT(2);
}

HANDLER(i64_gt_u_unless_slots)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)frame[B];
    if (!integers_i64_gt_u(a, b))
        JUMP(code + 1);
    NEXT(2);
}

HANDLER(i64_gt_u_loop_slots)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)frame[B];
    if (integers_i64_gt_u(a, b))
        BACK(code + 1);
    NEXT(2);
}

HANDLER(i64_gt_u_if_value)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)code[1];
    if (integers_i64_gt_u(a, b))
        JUMP(code);
    NEXT(2);
}

HANDLER(i64_gt_u_unless_value)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)code[1];
    if (!integers_i64_gt_u(a, b))
        JUMP(code);
    NEXT(2);
}

HANDLER(i64_gt_u_loop_value)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)code[1];
    if (integers_i64_gt_u(a, b))
        BACK(code);
    NEXT(2);
}

HANDLER(i64_le_s_slots)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)frame[B];
    frame[C] = integers_i64_le_s(a, b);
    NEXT(1);
}

HANDLER(i64_le_s_value)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)code[1];
    frame[C] = integers_i64_le_s(a, b);
    NEXT(2);
}

HANDLER(i64_le_s_from)
{
    uint64_t a = (uint64_t)code[1];
    uint64_t b = (uint64_t)frame[A];
    frame[C] = integers_i64_le_s(a, b);
    NEXT(2);
}

HANDLER(i64_le_s_if_slots)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)frame[B];
    if (integers_i64_le_s(a, b))
        JUMP(code + 1);
    NEXT(2);
}

HANDLER(i64_le_s_unless_slots)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)frame[B];
    if (!integers_i64_le_s(a, b))
        JUMP(code + 1);
    NEXT(2);
}

HANDLER(i64_le_s_loop_slots)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)frame[B];
    if (integers_i64_le_s(a, b))
        BACK(code + 1);
    NEXT(2);
}

HANDLER(i64_le_s_if_value)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)code[1];
    if (integers_i64_le_s(a, b))
        JUMP(code);
    NEXT(2);
}

HANDLER(i64_le_s_unless_value)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)code[1];
    if (!integers_i64_le_s(a, b))
        JUMP(code);
    NEXT(2);
}

HANDLER(i64_le_s_loop_value)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)code[1];
    if (integers_i64_le_s(a, b))
        BACK(code);
    NEXT(2);
}

HANDLER(i64_le_u_slots)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)frame[B];
    frame[C] = integers_i64_le_u(a, b);
    NEXT(1);
}

HANDLER(i64_le_u_value)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)code[1];
    frame[C] = integers_i64_le_u(a, b);
    NEXT(2);
}

HANDLER(i64_le_u_from)
{
    uint64_t a = (uint64_t)code[1];
    uint64_t b = (uint64_t)frame[A];
    frame[C] = integers_i64_le_u(a, b);
    NEXT(2);
}

HANDLER(i64_le_u_if_slots)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)frame[B];
    if (integers_i64_le_u(a, b))
        JUMP(code + 1);
    NEXT(2);
}

HANDLER(i64_le_u_unless_slots)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)frame[B];
    if (!integers_i64_le_u(a, b))
        JUMP(code + 1);
    NEXT(2);
}

HANDLER(i64_le_u_loop_slots)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)frame[B];
    if (integers_i64_le_u(a, b))
        BACK(code + 1);
    NEXT(2);
}

HANDLER(i64_le_u_if_value)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)code[1];
    if (integers_i64_le_u(a, b))
        JUMP(code);
    NEXT(2);
}

HANDLER(i64_le_u_unless_value)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)code[1];
    if (!integers_i64_le_u(a, b))
        JUMP(code);
    NEXT(2);
}

HANDLER(i64_le_u_loop_value)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)code[1];
    if (integers_i64_le_u(a, b))
        BACK(code);
    NEXT(2);
}

HANDLER(i64_ge_s_slots)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)frame[B];
    frame[C] = integers_i64_ge_s(a, b);
    NEXT(1);
}

HANDLER(i64_ge_s_value)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)code[1];
    frame[C] = integers_i64_ge_s(a, b);
    NEXT(2);
}

HANDLER(i64_ge_s_from)
{
    uint64_t a = (uint64_t)code[1];
    uint64_t b = (uint64_t)frame[A];
    frame[C] = integers_i64_ge_s(a, b);
    NEXT(2);
}

HANDLER(i64_ge_s_if_slots)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)frame[B];
    if (integers_i64_ge_s(a, b))
        JUMP(code + 1);
    NEXT(2);
}

HANDLER(i64_ge_s_unless_slots)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)frame[B];
    if (!integers_i64_ge_s(a, b))
        JUMP(code + 1);
    NEXT(2);
}

HANDLER(i64_ge_s_loop_slots)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)frame[B];
    if (integers_i64_ge_s(a, b))
        BACK(code + 1);
    NEXT(2);
}

HANDLER(i64_ge_s_if_value)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)code[1];
    if (integers_i64_ge_s(a, b))
        JUMP(code);
    NEXT(2);
}

HANDLER(i64_ge_s_unless_value)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)code[1];
    if (!integers_i64_ge_s(a, b))
        JUMP(code);
    NEXT(2);
}

HANDLER(i64_ge_s_loop_value)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)code[1];
    if (integers_i64_ge_s(a, b))
        BACK(code);
    NEXT(2);
}

HANDLER(i64_ge_u_slots)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)frame[B];
    frame[C] = integers_i64_ge_u(a, b);
    NEXT(1);
}

HANDLER(i64_ge_u_value)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)code[1];
    frame[C] = integers_i64_ge_u(a, b);
    NEXT(2);
}

HANDLER(i64_ge_u_from)
{
    uint64_t a = (uint64_t)code[1];
    uint64_t b = (uint64_t)frame[A];
    frame[C] = integers_i64_ge_u(a, b);
    NEXT(2);
}

HANDLER(i64_ge_u_if_slots)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)frame[B];
    if (integers_i64_ge_u(a, b))
        JUMP(code + 1);
    NEXT(2);
}

HANDLER(i64_ge_u_unless_slots)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)frame[B];
    if (!integers_i64_ge_u(a, b))
        JUMP(code + 1);
    NEXT(2);
}

HANDLER(i64_ge_u_loop_slots)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)frame[B];
    if (integers_i64_ge_u(a, b))
        BACK(code + 1);
    NEXT(2);
}

HANDLER(i64_ge_u_if_value)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)code[1];
    if (integers_i64_ge_u(a, b))
        JUMP(code);
    NEXT(2);
}

HANDLER(i64_ge_u_unless_value)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)code[1];
    if (!integers_i64_ge_u(a, b))
        JUMP(code);
    NEXT(2);
}

HANDLER(i64_ge_u_loop_value)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)code[1];
    if (integers_i64_ge_u(a, b))
        BACK(code);
    NEXT(2);
}

HANDLER(f32_eq_slots)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)frame[B];
    frame[C] = f32_eq(a, b);
    NEXT(1);
}

HANDLER(f32_eq_value)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)code[1];
    frame[C] = f32_eq(a, b);
    NEXT(2);
}

HANDLER(f32_eq_if_slots)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)frame[B];
    if (f32_eq(a, b))
        JUMP(code + 1);
    NEXT(2);
}

HANDLER(f32_eq_unless_slots)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)frame[B];
    if (!f32_eq(a, b))
        JUMP(code + 1);
    NEXT(2);
}

HANDLER(f32_eq_loop_slots)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)frame[B];
    if (f32_eq(a, b))
        BACK(code + 1);
    NEXT(2);
}

HANDLER(f32_eq_if_value)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)code[1];
    if (f32_eq(a, b))
        JUMP(code);
    NEXT(2);
}

HANDLER(f32_eq_unless_value)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)code[1];
    if (!f32_eq(a, b))
        JUMP(code);
    NEXT(2);
}

HANDLER(f32_eq_loop_value)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)code[1];
    if (f32_eq(a, b))
        BACK(code);
    NEXT(2);
}

HANDLER(f32_ne_slots)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)frame[B];
    frame[C] = f32_ne(a, b);
    NEXT(1);
}

HANDLER(f32_ne_value)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)code[1];
    frame[C] = f32_ne(a, b);
    NEXT(2);
}

HANDLER(f32_ne_if_slots)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)frame[B];
    if (f32_ne(a, b))
        JUMP(code + 1);
    NEXT(2);
}

HANDLER(f32_ne_unless_slots)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)frame[B];
    if (!f32_ne(a, b))
        JUMP(code + 1);
    NEXT(2);
}

HANDLER(f32_ne_loop_slots)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)frame[B];
    if (f32_ne(a, b))
        BACK(code + 1);
    NEXT(2);
}

HANDLER(f32_ne_if_value)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)code[1];
    if (f32_ne(a, b))
        JUMP(code);
    NEXT(2);
}

HANDLER(f32_ne_unless_value)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)code[1];
    if (!f32_ne(a, b))
        JUMP(code);
    NEXT(2);
}

HANDLER(f32_ne_loop_value)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)code[1];
    if (f32_ne(a, b))
        BACK(code);
    NEXT(2);
}

HANDLER(f32_lt_slots)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)frame[B];
    frame[C] = f32_lt(a, b);
    NEXT(1);
}

HANDLER(f32_lt_value)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)code[1];
    frame[C] = f32_lt(a, b);
    NEXT(2);
}

HANDLER(f32_lt_from)
{
    uint32_t a = (uint32_t)code[1];
    uint32_t b = (uint32_t)frame[A];
    frame[C] = f32_lt(a, b);
    NEXT(2);
}

HANDLER(f32_lt_if_slots)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)frame[B];
    if (f32_lt(a, b))
        JUMP(code + 1);
    NEXT(2);
}

HANDLER(f32_lt_unless_slots)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)frame[B];
    if (!f32_lt(a, b))
        JUMP(code + 1);
    NEXT(2);
}

HANDLER(f32_lt_loop_slots)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)frame[B];
    if (f32_lt(a, b))
        BACK(code + 1);
    NEXT(2);
}

HANDLER(f32_lt_if_value)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)code[1];
    if (f32_lt(a, b))
        JUMP(code);
    NEXT(2);
}

HANDLER(f32_lt_unless_value)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)code[1];
    if (!f32_lt(a, b))
        JUMP(code);
    NEXT(2);
}

HANDLER(f32_lt_loop_value)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)code[1];
    if (f32_lt(a, b))
        BACK(code);
    NEXT(2);
}

HANDLER(f32_gt_slots)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)frame[B];
    frame[C] = f32_gt(a, b);
    NEXT(1);
}

HANDLER(f32_gt_value)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)code[1];
    frame[C] = f32_gt(a, b);
    NEXT(2);
}

HANDLER(f32_gt_from)
{
    uint32_t a = (uint32_t)code[1];
    uint32_t b = (uint32_t)frame[A];
    frame[C] = f32_gt(a, b);
    NEXT(2);
}

HANDLER(f32_gt_if_slots)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)frame[B];
    if (f32_gt(a, b))
        JUMP(code + 1);
    NEXT(2);
}

HANDLER(f32_gt_unless_slots)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)frame[B];
    if (!f32_gt(a, b))
        JUMP(code + 1);
    NEXT(2);
}

HANDLER(f32_gt_loop_slots)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)frame[B];
    if (f32_gt(a, b))
        BACK(code + 1);
    NEXT(2);
}

HANDLER(f32_gt_if_value)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)code[1];
    if (f32_gt(a, b))
        JUMP(code);
    NEXT(2);
}

HANDLER(f32_gt_unless_value)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)code[1];
    if (!f32_gt(a, b))
        JUMP(code);
    NEXT(2);
}

HANDLER(f32_gt_loop_value)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)code[1];
    if (f32_gt(a, b))
        BACK(code);
    NEXT(2);
}

HANDLER(f32_le_slots)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)frame[B];
    frame[C] = f32_le(a, b);
    NEXT(1);
}

HANDLER(f32_le_value)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)code[1];
    frame[C] = f32_le(a, b);
    NEXT(2);
}

HANDLER(f32_le_from)
{
    uint32_t a = (uint32_t)code[1];
    uint32_t b = (uint32_t)frame[A];
    frame[C] = f32_le(a, b);
    NEXT(2);
}

HANDLER(f32_le_if_slots)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)frame[B];
    if (f32_le(a, b))
        JUMP(code + 1);
    NEXT(2);
}

HANDLER(f32_le_unless_slots)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)frame[B];
    if (!f32_le(a, b))
        JUMP(code + 1);
    NEXT(2);
}

HANDLER(f32_le_loop_slots)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)frame[B];
    if (f32_le(a, b))
        BACK(code + 1);
    NEXT(2);
}

HANDLER(f32_le_if_value)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)code[1];
    if (f32_le(a, b))
        JUMP(code);
    NEXT(2);
}

HANDLER(f32_le_unless_value)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)code[1];
    if (!f32_le(a, b))
        JUMP(code);
    NEXT(2);
}

HANDLER(f32_le_loop_value)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)code[1];
    if (f32_le(a, b))
        BACK(code);
    NEXT(2);
}

HANDLER(f32_ge_slots)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)frame[B];
    frame[C] = f32_ge(a, b);
    NEXT(1);
}

HANDLER(f32_ge_value)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)code[1];
    frame[C] = f32_ge(a, b);
    NEXT(2);
}

HANDLER(f32_ge_from)
{
    uint32_t a = (uint32_t)code[1];
    uint32_t b = (uint32_t)frame[A];
    frame[C] = f32_ge(a, b);
    NEXT(2);
}

HANDLER(f32_ge_if_slots)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)frame[B];
    if (f32_ge(a, b))
        JUMP(code + 1);
    NEXT(2);
}

HANDLER(f32_ge_unless_slots)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)frame[B];
    if (!f32_ge(a, b))
        JUMP(code + 1);
    NEXT(2);
}

HANDLER(f32_ge_loop_slots)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)frame[B];
    if (f32_ge(a, b))
        BACK(code + 1);
    NEXT(2);
}

HANDLER(f32_ge_if_value)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)code[1];
    if (f32_ge(a, b))
        JUMP(code);
    NEXT(2);
}

HANDLER(f32_ge_unless_value)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)code[1];
    if (!f32_ge(a, b))
        JUMP(code);
    NEXT(2);
}

HANDLER(f32_ge_loop_value)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)code[1];
    if (f32_ge(a, b))
        BACK(code);
    NEXT(2);
}

HANDLER(f64_eq_slots)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)frame[B];
    frame[C] = f64_eq(a, b);
    NEXT(1);
}

HANDLER(f64_eq_value)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)code[1];
    frame[C] = f64_eq(a, b);
    NEXT(2);
}

HANDLER(f64_eq_if_slots)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)frame[B];
    if (f64_eq(a, b))
        JUMP(code + 1);
    NEXT(2);
}

HANDLER(f64_eq_unless_slots)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)frame[B];
    if (!f64_eq(a, b))
        JUMP(code + 1);
    NEXT(2);
}

HANDLER(f64_eq_loop_slots)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)frame[B];
    if (f64_eq(a, b))
        BACK(code + 1);
    NEXT(2);
}

HANDLER(f64_eq_if_value)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)code[1];
    if (f64_eq(a, b))
        JUMP(code);
    NEXT(2);
}

HANDLER(f64_eq_unless_value)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)code[1];
    if (!f64_eq(a, b))
        JUMP(code);
    NEXT(2);
}

HANDLER(f64_eq_loop_value)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)code[1];
    if (f64_eq(a, b))
        BACK(code);
    NEXT(2);
}

HANDLER(f64_ne_slots)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)frame[B];
    frame[C] = f64_ne(a, b);
    NEXT(1);
}

HANDLER(f64_ne_value)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)code[1];
    frame[C] = f64_ne(a, b);
    NEXT(2);
}

HANDLER(f64_ne_if_slots)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)frame[B];
    if (f64_ne(a, b))
        JUMP(code + 1);
    NEXT(2);
}

HANDLER(f64_ne_unless_slots)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)frame[B];
    if (!f64_ne(a, b))
        JUMP(code + 1);
    NEXT(2);
}

HANDLER(f64_ne_loop_slots)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)frame[B];
    if (f64_ne(a, b))
        BACK(code + 1);
    NEXT(2);
}

HANDLER(f64_ne_if_value)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)code[1];
    if (f64_ne(a, b))
        JUMP(code);
    NEXT(2);
}

HANDLER(f64_ne_unless_value)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)code[1];
    if (!f64_ne(a, b))
        JUMP(code);
    NEXT(2);
}

HANDLER(f64_ne_loop_value)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)code[1];
    if (f64_ne(a, b))
        BACK(code);
    NEXT(2);
}

HANDLER(f64_lt_slots)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)frame[B];
    frame[C] = f64_lt(a, b);
    NEXT(1);
}

HANDLER(f64_lt_value)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)code[1];
    frame[C] = f64_lt(a, b);
    NEXT(2);
}

HANDLER(f64_lt_from)
{
    uint64_t a = (uint64_t)code[1];
    uint64_t b = (uint64_t)frame[A];
    frame[C] = f64_lt(a, b);
    NEXT(2);
}

HANDLER(f64_lt_if_slots)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)frame[B];
    if (f64_lt(a, b))
        JUMP(code + 1);
    NEXT(2);
}

HANDLER(f64_lt_unless_slots)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)frame[B];
    if (!f64_lt(a, b))
        JUMP(code + 1);
    NEXT(2);
}

HANDLER(f64_lt_loop_slots)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)frame[B];
    if (f64_lt(a, b))
        BACK(code + 1);
    NEXT(2);
}

HANDLER(f64_lt_if_value)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)code[1];
    if (f64_lt(a, b))
        JUMP(code);
    NEXT(2);
}

HANDLER(f64_lt_unless_value)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)code[1];
    if (!f64_lt(a, b))
        JUMP(code);
    NEXT(2);
}

HANDLER(f64_lt_loop_value)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)code[1];
    if (f64_lt(a, b))
        BACK(code);
    NEXT(2);
}

HANDLER(f64_gt_slots)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)frame[B];
    frame[C] = f64_gt(a, b);
    NEXT(1);
}

HANDLER(f64_gt_value)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)code[1];
    frame[C] = f64_gt(a, b);
    NEXT(2);
}

HANDLER(f64_gt_from)
{
    uint64_t a = (uint64_t)code[1];
    uint64_t b = (uint64_t)frame[A];
    frame[C] = f64_gt(a, b);
    NEXT(2);
}

HANDLER(f64_gt_if_slots)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)frame[B];
    if (f64_gt(a, b))
        JUMP(code + 1);
    NEXT(2);
}

HANDLER(f64_gt_unless_slots)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)frame[B];
    if (!f64_gt(a, b))
        JUMP(code + 1);
    NEXT(2);
}

HANDLER(f64_gt_loop_slots)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)frame[B];
    if (f64_gt(a, b))
        BACK(code + 1);
    NEXT(2);
}

HANDLER(f64_gt_if_value)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)code[1];
    if (f64_gt(a, b))
        JUMP(code);
    NEXT(2);
}

HANDLER(f64_gt_unless_value)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)code[1];
    if (!f64_gt(a, b))
        JUMP(code);
    NEXT(2);
}

HANDLER(f64_gt_loop_value)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)code[1];
    if (f64_gt(a, b))
        BACK(code);
    NEXT(2);
}

HANDLER(f64_le_slots)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)frame[B];
    frame[C] = f64_le(a, b);
    NEXT(1);
}

HANDLER(f64_le_value)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)code[1];
    frame[C] = f64_le(a, b);
    NEXT(2);
}

HANDLER(f64_le_from)
{
    uint64_t a = (uint64_t)code[1];
    uint64_t b = (uint64_t)frame[A];
    frame[C] = f64_le(a, b);
    NEXT(2);
}

HANDLER(f64_le_if_slots)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)frame[B];
    if (f64_le(a, b))
        JUMP(code + 1);
    NEXT(2);
}

HANDLER(f64_le_unless_slots)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)frame[B];
    if (!f64_le(a, b))
        JUMP(code + 1);
    NEXT(2);
}

HANDLER(f64_le_loop_slots)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)frame[B];
    if (f64_le(a, b))
        BACK(code + 1);
    NEXT(2);
}

HANDLER(f64_le_if_value)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)code[1];
    if (f64_le(a, b))
        JUMP(code);
    NEXT(2);
}

HANDLER(f64_le_unless_value)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)code[1];
    if (!f64_le(a, b))
        JUMP(code);
    NEXT(2);
}

HANDLER(f64_le_loop_value)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)code[1];
    if (f64_le(a, b))
        BACK(code);
    NEXT(2);
}

HANDLER(f64_ge_slots)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)frame[B];
    frame[C] = f64_ge(a, b);
    NEXT(1);
}

HANDLER(f64_ge_value)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)code[1];
    frame[C] = f64_ge(a, b);
    NEXT(2);
}

HANDLER(f64_ge_from)
{
    uint64_t a = (uint64_t)code[1];
    uint64_t b = (uint64_t)frame[A];
    frame[C] = f64_ge(a, b);
    NEXT(2);
}

HANDLER(f64_ge_if_slots)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)frame[B];
    if (f64_ge(a, b))
        JUMP(code + 1);
    NEXT(2);
}

HANDLER(f64_ge_unless_slots)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)frame[B];
    if (!f64_ge(a, b))
        JUMP(code + 1);
    NEXT(2);
}

HANDLER(f64_ge_loop_slots)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)frame[B];
    if (f64_ge(a, b))
        BACK(code + 1);
    NEXT(2);
}

HANDLER(f64_ge_if_value)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)code[1];
    if (f64_ge(a, b))
        JUMP(code);
    NEXT(2);
}

HANDLER(f64_ge_unless_value)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)code[1];
    if (!f64_ge(a, b))
        JUMP(code);
    NEXT(2);
}

HANDLER(f64_ge_loop_value)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)code[1];
    if (f64_ge(a, b))
        BACK(code);
    NEXT(2);
}

HANDLER(i32_clz)
{
    uint32_t a = (uint32_t)frame[A];
    frame[C] = integers_i32_clz(a);
    NEXT(1);
}

HANDLER(i32_ctz)
{
    uint32_t a = (uint32_t)frame[A];
    frame[C] = integers_i32_ctz(a);
    NEXT(1);
}

HANDLER(i32_popcnt)
{
    uint32_t a = (uint32_t)frame[A];
    frame[C] = integers_i32_popcnt(a);
    NEXT(1);
}

HANDLER(i32_add_slots)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)frame[B];
    frame[C] = integers_i32_add(a, b);
    NEXT(1);
}

HANDLER(i32_add_value)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)code[1];
    frame[C] = integers_i32_add(a, b);
    NEXT(2);
}

HANDLER(i32_sub_slots)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)frame[B];
    frame[C] = integers_i32_sub(a, b);
    NEXT(1);
}

HANDLER(i32_sub_value)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)code[1];
    frame[C] = integers_i32_sub(a, b);
    NEXT(2);
}

HANDLER(i32_sub_from)
{
    uint32_t a = (uint32_t)code[1];
    uint32_t b = (uint32_t)frame[A];
    frame[C] = integers_i32_sub(a, b);
    NEXT(2);
}

HANDLER(i32_mul_slots)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)frame[B];
    frame[C] = integers_i32_mul(a, b);
    NEXT(1);
}

HANDLER(i32_mul_value)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)code[1];
    frame[C] = integers_i32_mul(a, b);
    NEXT(2);
}

HANDLER(i32_div_s_slots)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)frame[B];
    TRAP_IF(integers_i32_div_s_trap(a, b));
    frame[C] = integers_i32_div_s(a, b);
    NEXT(1);
}

HANDLER(i32_div_s_value)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)code[1];
    TRAP_IF(integers_i32_div_s_trap(a, b));
    frame[C] = integers_i32_div_s(a, b);
    NEXT(2);
}

HANDLER(i32_div_s_from)
{
    uint32_t a = (uint32_t)code[1];
    uint32_t b = (uint32_t)frame[A];
    TRAP_IF(integers_i32_div_s_trap(a, b));
    frame[C] = integers_i32_div_s(a, b);
    NEXT(2);
}

HANDLER(i32_div_u_slots)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)frame[B];
    TRAP_IF(integers_i32_div_u_trap(a, b));
    frame[C] = integers_i32_div_u(a, b);
    NEXT(1);
}

HANDLER(i32_div_u_value)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)code[1];
    TRAP_IF(integers_i32_div_u_trap(a, b));
    frame[C] = integers_i32_div_u(a, b);
    NEXT(2);
}

HANDLER(i32_div_u_from)
{
    uint32_t a = (uint32_t)code[1];
    uint32_t b = (uint32_t)frame[A];
    TRAP_IF(integers_i32_div_u_trap(a, b));
    frame[C] = integers_i32_div_u(a, b);
    NEXT(2);
}

HANDLER(i32_rem_s_slots)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)frame[B];
    TRAP_IF(integers_i32_rem_s_trap(a, b));
    frame[C] = integers_i32_rem_s(a, b);
    NEXT(1);
}

HANDLER(i32_rem_s_value)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)code[1];
    TRAP_IF(integers_i32_rem_s_trap(a, b));
    frame[C] = integers_i32_rem_s(a, b);
    NEXT(2);
}

HANDLER(i32_rem_s_from)
{
    uint32_t a = (uint32_t)code[1];
    uint32_t b = (uint32_t)frame[A];
    TRAP_IF(integers_i32_rem_s_trap(a, b));
    frame[C] = integers_i32_rem_s(a, b);
    NEXT(2);
}

HANDLER(i32_rem_u_slots)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)frame[B];
    TRAP_IF(integers_i32_rem_u_trap(a, b));
    frame[C] = integers_i32_rem_u(a, b);
    NEXT(1);
}

HANDLER(i32_rem_u_value)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)code[1];
    TRAP_IF(integers_i32_rem_u_trap(a, b));
    frame[C] = integers_i32_rem_u(a, b);
    NEXT(2);
}

HANDLER(i32_rem_u_from)
{
    uint32_t a = (uint32_t)code[1];
    uint32_t b = (uint32_t)frame[A];
    TRAP_IF(integers_i32_rem_u_trap(a, b));
    frame[C] = integers_i32_rem_u(a, b);
    NEXT(2);
}

HANDLER(i32_and_slots)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)frame[B];
    frame[C] = integers_i32_and(a, b);
    NEXT(1);
}

HANDLER(i32_and_value)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)code[1];
    frame[C] = integers_i32_and(a, b);
    NEXT(2);
}

HANDLER(i32_or_slots)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)frame[B];
    frame[C] = integers_i32_or(a, b);
    NEXT(1);
}

HANDLER(i32_or_value)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)code[1];
    frame[C] = integers_i32_or(a, b);
    NEXT(2);
}

HANDLER(i32_xor_slots)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)frame[B];
    frame[C] = integers_i32_xor(a, b);
    NEXT(1);
}

HANDLER(i32_xor_value)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)code[1];
    frame[C] = integers_i32_xor(a, b);
    NEXT(2);
}

HANDLER(i32_shl_slots)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)frame[B];
    frame[C] = integers_i32_shl(a, b);
    NEXT(1);
}

HANDLER(i32_shl_value)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)code[1];
    frame[C] = integers_i32_shl(a, b);
    NEXT(2);
}

HANDLER(i32_shl_from)
{
    uint32_t a = (uint32_t)code[1];
    uint32_t b = (uint32_t)frame[A];
    frame[C] = integers_i32_shl(a, b);
    NEXT(2);
}

HANDLER(i32_shr_s_slots)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)frame[B];
    frame[C] = integers_i32_shr_s(a, b);
    NEXT(1);
}

HANDLER(i32_shr_s_value)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)code[1];
    frame[C] = integers_i32_shr_s(a, b);
    NEXT(2);
}

HANDLER(i32_shr_s_from)
{
    uint32_t a = (uint32_t)code[1];
    uint32_t b = (uint32_t)frame[A];
    frame[C] = integers_i32_shr_s(a, b);
    NEXT(2);
}

HANDLER(i32_shr_u_slots)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)frame[B];
    frame[C] = integers_i32_shr_u(a, b);
    NEXT(1);
}

HANDLER(i32_shr_u_value)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)code[1];
    frame[C] = integers_i32_shr_u(a, b);
    NEXT(2);
}

HANDLER(i32_shr_u_from)
{
    uint32_t a = (uint32_t)code[1];
    uint32_t b = (uint32_t)frame[A];
    frame[C] = integers_i32_shr_u(a, b);
    NEXT(2);
}

HANDLER(i32_rotl_slots)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)frame[B];
    frame[C] = integers_i32_rotl(a, b);
    NEXT(1);
}

HANDLER(i32_rotl_value)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)code[1];
    frame[C] = integers_i32_rotl(a, b);
    NEXT(2);
}

HANDLER(i32_rotl_from)
{
    uint32_t a = (uint32_t)code[1];
    uint32_t b = (uint32_t)frame[A];
    frame[C] = integers_i32_rotl(a, b);
    NEXT(2);
}

HANDLER(i32_rotr_slots)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)frame[B];
    frame[C] = integers_i32_rotr(a, b);
    NEXT(1);
}

HANDLER(i32_rotr_value)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)code[1];
    frame[C] = integers_i32_rotr(a, b);
    NEXT(2);
}

HANDLER(i32_rotr_from)
{
    uint32_t a = (uint32_t)code[1];
    uint32_t b = (uint32_t)frame[A];
    frame[C] = integers_i32_rotr(a, b);
    NEXT(2);
}

HANDLER(i64_clz)
{
    uint64_t a = (uint64_t)frame[A];
    frame[C] = integers_i64_clz(a);
    NEXT(1);
}

HANDLER(i64_ctz)
{
    uint64_t a = (uint64_t)frame[A];
    frame[C] = integers_i64_ctz(a);
    NEXT(1);
}

HANDLER(i64_popcnt)
{
    uint64_t a = (uint64_t)frame[A];
    frame[C] = integers_i64_popcnt(a);
    NEXT(1);
}

HANDLER(i64_add_slots)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)frame[B];
    frame[C] = integers_i64_add(a, b);
    NEXT(1);
}

HANDLER(i64_add_value)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)code[1];
    frame[C] = integers_i64_add(a, b);
    NEXT(2);
}

HANDLER(i64_sub_slots)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)frame[B];
    frame[C] = integers_i64_sub(a, b);
    NEXT(1);
}

HANDLER(i64_sub_value)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)code[1];
    frame[C] = integers_i64_sub(a, b);
    NEXT(2);
}

HANDLER(i64_sub_from)
{
    uint64_t a = (uint64_t)code[1];
    uint64_t b = (uint64_t)frame[A];
    frame[C] = integers_i64_sub(a, b);
    NEXT(2);
}

HANDLER(i64_mul_slots)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)frame[B];
    frame[C] = integers_i64_mul(a, b);
    NEXT(1);
}

HANDLER(i64_mul_value)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)code[1];
    frame[C] = integers_i64_mul(a, b);
    NEXT(2);
}

HANDLER(i64_div_s_slots)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)frame[B];
    TRAP_IF(integers_i64_div_s_trap(a, b));
    frame[C] = integers_i64_div_s(a, b);
    NEXT(1);
}

HANDLER(i64_div_s_value)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)code[1];
    TRAP_IF(integers_i64_div_s_trap(a, b));
    frame[C] = integers_i64_div_s(a, b);
    NEXT(2);
}

HANDLER(i64_div_s_from)
{
    uint64_t a = (uint64_t)code[1];
    uint64_t b = (uint64_t)frame[A];
    TRAP_IF(integers_i64_div_s_trap(a, b));
    frame[C] = integers_i64_div_s(a, b);
    NEXT(2);
}

HANDLER(i64_div_u_slots)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)frame[B];
    TRAP_IF(integers_i64_div_u_trap(a, b));
    frame[C] = integers_i64_div_u(a, b);
    NEXT(1);
}

HANDLER(i64_div_u_value)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)code[1];
    TRAP_IF(integers_i64_div_u_trap(a, b));
    frame[C] = integers_i64_div_u(a, b);
    NEXT(2);
}

HANDLER(i64_div_u_from)
{
    uint64_t a = (uint64_t)code[1];
    uint64_t b = (uint64_t)frame[A];
    TRAP_IF(integers_i64_div_u_trap(a, b));
    frame[C] = integers_i64_div_u(a, b);
    NEXT(2);
}

HANDLER(i64_rem_s_slots)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)frame[B];
    TRAP_IF(integers_i64_rem_s_trap(a, b));
    frame[C] = integers_i64_rem_s(a, b);
    NEXT(1);
}

HANDLER(i64_rem_s_value)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)code[1];
    TRAP_IF(integers_i64_rem_s_trap(a, b));
    frame[C] = integers_i64_rem_s(a, b);
    NEXT(2);
}

HANDLER(i64_rem_s_from)
{
    uint64_t a = (uint64_t)code[1];
    uint64_t b = (uint64_t)frame[A];
    TRAP_IF(integers_i64_rem_s_trap(a, b));
    frame[C] = integers_i64_rem_s(a, b);
    NEXT(2);
}

HANDLER(i64_rem_u_slots)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)frame[B];
    TRAP_IF(integers_i64_rem_u_trap(a, b));
    frame[C] = integers_i64_rem_u(a, b);
    NEXT(1);
}

HANDLER(i64_rem_u_value)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)code[1];
    TRAP_IF(integers_i64_rem_u_trap(a, b));
    frame[C] = integers_i64_rem_u(a, b);
    NEXT(2);
}

HANDLER(i64_rem_u_from)
{
    uint64_t a = (uint64_t)code[1];
    uint64_t b = (uint64_t)frame[A];
    TRAP_IF(integers_i64_rem_u_trap(a, b));
    frame[C] = integers_i64_rem_u(a, b);
    NEXT(2);
}

HANDLER(i64_and_slots)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)frame[B];
    frame[C] = integers_i64_and(a, b);
    NEXT(1);
}

HANDLER(i64_and_value)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)code[1];
    frame[C] = integers_i64_and(a, b);
    NEXT(2);
}

HANDLER(i64_or_slots)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)frame[B];
    frame[C] = integers_i64_or(a, b);
    NEXT(1);
}

HANDLER(i64_or_value)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)code[1];
    frame[C] = integers_i64_or(a, b);
    NEXT(2);
}

HANDLER(i64_xor_slots)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)frame[B];
    frame[C] = integers_i64_xor(a, b);
    NEXT(1);
}

HANDLER(i64_xor_value)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)code[1];
    frame[C] = integers_i64_xor(a, b);
    NEXT(2);
}

HANDLER(i64_shl_slots)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)frame[B];
    frame[C] = integers_i64_shl(a, b);
    NEXT(1);
}

HANDLER(i64_shl_value)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)code[1];
    frame[C] = integers_i64_shl(a, b);
    NEXT(2);
}

HANDLER(i64_shl_from)
{
    uint64_t a = (uint64_t)code[1];
    uint64_t b = (uint64_t)frame[A];
    frame[C] = integers_i64_shl(a, b);
    NEXT(2);
}

HANDLER(i64_shr_s_slots)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)frame[B];
    frame[C] = integers_i64_shr_s(a, b);
    NEXT(1);
}

HANDLER(i64_shr_s_value)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)code[1];
    frame[C] = integers_i64_shr_s(a, b);
    NEXT(2);
}

HANDLER(i64_shr_s_from)
{
    uint64_t a = (uint64_t)code[1];
    uint64_t b = (uint64_t)frame[A];
    frame[C] = integers_i64_shr_s(a, b);
    NEXT(2);
}

HANDLER(i64_shr_u_slots)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)frame[B];
    frame[C] = integers_i64_shr_u(a, b);
    NEXT(1);
}

HANDLER(i64_shr_u_value)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)code[1];
    frame[C] = integers_i64_shr_u(a, b);
    NEXT(2);
}

HANDLER(i64_shr_u_from)
{
    uint64_t a = (uint64_t)code[1];
    uint64_t b = (uint64_t)frame[A];
    frame[C] = integers_i64_shr_u(a, b);
    NEXT(2);
}

HANDLER(i64_rotl_slots)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)frame[B];
    frame[C] = integers_i64_rotl(a, b);
    NEXT(1);
}

HANDLER(i64_rotl_value)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)code[1];
    frame[C] = integers_i64_rotl(a, b);
    NEXT(2);
}

HANDLER(i64_rotl_from)
{
    uint64_t a = (uint64_t)code[1];
    uint64_t b = (uint64_t)frame[A];
    frame[C] = integers_i64_rotl(a, b);
    NEXT(2);
}

HANDLER(i64_rotr_slots)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)frame[B];
    frame[C] = integers_i64_rotr(a, b);
    NEXT(1);
}

HANDLER(i64_rotr_value)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)code[1];
    frame[C] = integers_i64_rotr(a, b);
    NEXT(2);
}

HANDLER(i64_rotr_from)
{
    uint64_t a = (uint64_t)code[1];
    uint64_t b = (uint64_t)frame[A];
    frame[C] = integers_i64_rotr(a, b);
    NEXT(2);
}

HANDLER(f32_abs)
{
    uint32_t a = (uint32_t)frame[A];
    frame[C] = f32_abs(a);
    NEXT(1);
}

HANDLER(f32_neg)
{
    uint32_t a = (uint32_t)frame[A];
    frame[C] = f32_neg(a);
    NEXT(1);
}

HANDLER(f32_ceil)
{
    uint32_t a = (uint32_t)frame[A];
    frame[C] = f32_ceil(a);
    NEXT(1);
}

HANDLER(f32_floor)
{
    uint32_t a = (uint32_t)frame[A];
    frame[C] = f32_floor(a);
    NEXT(1);
}

HANDLER(f32_trunc)
{
    uint32_t a = (uint32_t)frame[A];
    frame[C] = f32_trunc(a);
    NEXT(1);
}

HANDLER(f32_nearest)
{
    uint32_t a = (uint32_t)frame[A];
    frame[C] = f32_nearest(a);
    NEXT(1);
}

HANDLER(f32_sqrt)
{
    uint32_t a = (uint32_t)frame[A];
    frame[C] = f32_sqrt(a);
    NEXT(1);
}

HANDLER(f32_add_slots)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)frame[B];
    frame[C] = f32_add(a, b);
    NEXT(1);
}

HANDLER(f32_add_value)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)code[1];
    frame[C] = f32_add(a, b);
    NEXT(2);
}

HANDLER(f32_sub_slots)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)frame[B];
    frame[C] = f32_sub(a, b);
    NEXT(1);
}

HANDLER(f32_sub_value)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)code[1];
    frame[C] = f32_sub(a, b);
    NEXT(2);
}

HANDLER(f32_sub_from)
{
    uint32_t a = (uint32_t)code[1];
    uint32_t b = (uint32_t)frame[A];
    frame[C] = f32_sub(a, b);
    NEXT(2);
}

HANDLER(f32_mul_slots)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)frame[B];
    frame[C] = f32_mul(a, b);
    NEXT(1);
}

HANDLER(f32_mul_value)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)code[1];
    frame[C] = f32_mul(a, b);
    NEXT(2);
}

HANDLER(f32_div_slots)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)frame[B];
    frame[C] = f32_div(a, b);
    NEXT(1);
}

HANDLER(f32_div_value)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)code[1];
    frame[C] = f32_div(a, b);
    NEXT(2);
}

HANDLER(f32_div_from)
{
    uint32_t a = (uint32_t)code[1];
    uint32_t b = (uint32_t)frame[A];
    frame[C] = f32_div(a, b);
    NEXT(2);
}

HANDLER(f32_min_slots)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)frame[B];
    frame[C] = f32_min(a, b);
    NEXT(1);
}

HANDLER(f32_min_value)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)code[1];
    frame[C] = f32_min(a, b);
    NEXT(2);
}

HANDLER(f32_min_from)
{
    uint32_t a = (uint32_t)code[1];
    uint32_t b = (uint32_t)frame[A];
    frame[C] = f32_min(a, b);
    NEXT(2);
}

HANDLER(f32_max_slots)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)frame[B];
    frame[C] = f32_max(a, b);
    NEXT(1);
}

HANDLER(f32_max_value)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)code[1];
    frame[C] = f32_max(a, b);
    NEXT(2);
}

HANDLER(f32_max_from)
{
    uint32_t a = (uint32_t)code[1];
    uint32_t b = (uint32_t)frame[A];
    frame[C] = f32_max(a, b);
    NEXT(2);
}

HANDLER(f32_copysign_slots)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)frame[B];
    frame[C] = f32_copysign(a, b);
    NEXT(1);
}

HANDLER(f32_copysign_value)
{
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = (uint32_t)code[1];
    frame[C] = f32_copysign(a, b);
    NEXT(2);
}

HANDLER(f32_copysign_from)
{
    uint32_t a = (uint32_t)code[1];
    uint32_t b = (uint32_t)frame[A];
    frame[C] = f32_copysign(a, b);
    NEXT(2);
}

HANDLER(f64_abs)
{
    uint64_t a = (uint64_t)frame[A];
    frame[C] = f64_abs(a);
    NEXT(1);
}

HANDLER(f64_neg)
{
    uint64_t a = (uint64_t)frame[A];
    frame[C] = f64_neg(a);
    NEXT(1);
}

HANDLER(f64_ceil)
{
    uint64_t a = (uint64_t)frame[A];
    frame[C] = f64_ceil(a);
    NEXT(1);
}

HANDLER(f64_floor)
{
    uint64_t a = (uint64_t)frame[A];
    frame[C] = f64_floor(a);
    NEXT(1);
}

HANDLER(f64_trunc)
{
    uint64_t a = (uint64_t)frame[A];
    frame[C] = f64_trunc(a);
    NEXT(1);
}

HANDLER(f64_nearest)
{
    uint64_t a = (uint64_t)frame[A];
    frame[C] = f64_nearest(a);
    NEXT(1);
}

HANDLER(f64_sqrt)
{
    uint64_t a = (uint64_t)frame[A];
    frame[C] = f64_sqrt(a);
    NEXT(1);
}

HANDLER(f64_add_slots)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)frame[B];
    frame[C] = f64_add(a, b);
    NEXT(1);
}

HANDLER(f64_add_value)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)code[1];
    frame[C] = f64_add(a, b);
    NEXT(2);
}

HANDLER(f64_sub_slots)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)frame[B];
    frame[C] = f64_sub(a, b);
    NEXT(1);
}

HANDLER(f64_sub_value)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)code[1];
    frame[C] = f64_sub(a, b);
    NEXT(2);
}

HANDLER(f64_sub_from)
{
    uint64_t a = (uint64_t)code[1];
    uint64_t b = (uint64_t)frame[A];
    frame[C] = f64_sub(a, b);
    NEXT(2);
}

HANDLER(f64_mul_slots)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)frame[B];
    frame[C] = f64_mul(a, b);
    NEXT(1);
}

HANDLER(f64_mul_value)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)code[1];
    frame[C] = f64_mul(a, b);
    NEXT(2);
}

HANDLER(f64_div_slots)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)frame[B];
    frame[C] = f64_div(a, b);
    NEXT(1);
}

HANDLER(f64_div_value)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)code[1];
    frame[C] = f64_div(a, b);
    NEXT(2);
}

HANDLER(f64_div_from)
{
    uint64_t a = (uint64_t)code[1];
    uint64_t b = (uint64_t)frame[A];
    frame[C] = f64_div(a, b);
    NEXT(2);
}

HANDLER(f64_min_slots)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)frame[B];
    frame[C] = f64_min(a, b);
    NEXT(1);
}

HANDLER(f64_min_value)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)code[1];
    frame[C] = f64_min(a, b);
    NEXT(2);
}

HANDLER(f64_min_from)
{
    uint64_t a = (uint64_t)code[1];
    uint64_t b = (uint64_t)frame[A];
    frame[C] = f64_min(a, b);
    NEXT(2);
}

HANDLER(f64_max_slots)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)frame[B];
    frame[C] = f64_max(a, b);
    NEXT(1);
}

HANDLER(f64_max_value)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)code[1];
    frame[C] = f64_max(a, b);
    NEXT(2);
}

HANDLER(f64_max_from)
{
    uint64_t a = (uint64_t)code[1];
    uint64_t b = (uint64_t)frame[A];
    frame[C] = f64_max(a, b);
    NEXT(2);
}

HANDLER(f64_copysign_slots)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)frame[B];
    frame[C] = f64_copysign(a, b);
    NEXT(1);
}

HANDLER(f64_copysign_value)
{
    uint64_t a = (uint64_t)frame[A];
    uint64_t b = (uint64_t)code[1];
    frame[C] = f64_copysign(a, b);
    NEXT(2);
}

HANDLER(f64_copysign_from)
{
    uint64_t a = (uint64_t)code[1];
    uint64_t b = (uint64_t)frame[A];
    frame[C] = f64_copysign(a, b);
    NEXT(2);
}

HANDLER(i32_wrap_i64)
{
    uint64_t a = (uint64_t)frame[A];
    frame[C] = integers_i32_wrap_i64(a);
    NEXT(1);
}

HANDLER(i32_trunc_f32_s)
{
    uint32_t a = (uint32_t)frame[A];
    if (!i32_trunc_f32_s_fits(a))
        TRAP(f32_ne(a, a) ? TRAP_INVALID_CONVERSION : TRAP_INTEGER_OVERFLOW);
    frame[C] = i32_trunc_sat_f32_s(a);
    NEXT(1);
}

HANDLER(i32_trunc_f32_u)
{
    uint32_t a = (uint32_t)frame[A];
    if (!i32_trunc_f32_u_fits(a))
        TRAP(f32_ne(a, a) ? TRAP_INVALID_CONVERSION : TRAP_INTEGER_OVERFLOW);
    frame[C] = i32_trunc_sat_f32_u(a);
    NEXT(1);
}

HANDLER(i32_trunc_f64_s)
{
    uint64_t a = (uint64_t)frame[A];
    if (!i32_trunc_f64_s_fits(a))
        TRAP(f64_ne(a, a) ? TRAP_INVALID_CONVERSION : TRAP_INTEGER_OVERFLOW);
    frame[C] = i32_trunc_sat_f64_s(a);
    NEXT(1);
}

HANDLER(i32_trunc_f64_u)
{
    uint64_t a = (uint64_t)frame[A];
    if (!i32_trunc_f64_u_fits(a))
        TRAP(f64_ne(a, a) ? TRAP_INVALID_CONVERSION : TRAP_INTEGER_OVERFLOW);
    frame[C] = i32_trunc_sat_f64_u(a);
    NEXT(1);
}

HANDLER(i64_extend_i32_s)
{
    uint32_t a = (uint32_t)frame[A];
    frame[C] = integers_i64_extend_i32_s(a);
    NEXT(1);
}

HANDLER(i64_trunc_f32_s)
{
    uint32_t a = (uint32_t)frame[A];
    if (!i64_trunc_f32_s_fits(a))
        TRAP(f32_ne(a, a) ? TRAP_INVALID_CONVERSION : TRAP_INTEGER_OVERFLOW);
    frame[C] = i64_trunc_sat_f32_s(a);
    NEXT(1);
}

HANDLER(i64_trunc_f32_u)
{
    uint32_t a = (uint32_t)frame[A];
    if (!i64_trunc_f32_u_fits(a))
        TRAP(f32_ne(a, a) ? TRAP_INVALID_CONVERSION : TRAP_INTEGER_OVERFLOW);
    frame[C] = i64_trunc_sat_f32_u(a);
    NEXT(1);
}

HANDLER(i64_trunc_f64_s)
{
    uint64_t a = (uint64_t)frame[A];
    if (!i64_trunc_f64_s_fits(a))
        TRAP(f64_ne(a, a) ? TRAP_INVALID_CONVERSION : TRAP_INTEGER_OVERFLOW);
    frame[C] = i64_trunc_sat_f64_s(a);
    NEXT(1);
}

HANDLER(i64_trunc_f64_u)
{
    uint64_t a = (uint64_t)frame[A];
    if (!i64_trunc_f64_u_fits(a))
        TRAP(f64_ne(a, a) ? TRAP_INVALID_CONVERSION : TRAP_INTEGER_OVERFLOW);
    frame[C] = i64_trunc_sat_f64_u(a);
    NEXT(1);
}

HANDLER(f32_convert_i32_s)
{
    uint32_t a = (uint32_t)frame[A];
    frame[C] = f32_convert_i32_s(a);
    NEXT(1);
}

HANDLER(f32_convert_i32_u)
{
    uint32_t a = (uint32_t)frame[A];
    frame[C] = f32_convert_i32_u(a);
    NEXT(1);
}

HANDLER(f32_convert_i64_s)
{
    uint64_t a = (uint64_t)frame[A];
    frame[C] = f32_convert_i64_s(a);
    NEXT(1);
}

HANDLER(f32_convert_i64_u)
{
    uint64_t a = (uint64_t)frame[A];
    frame[C] = f32_convert_i64_u(a);
    NEXT(1);
}

HANDLER(f32_demote_f64)
{
    uint64_t a = (uint64_t)frame[A];
    frame[C] = f32_demote_f64(a);
    NEXT(1);
}

HANDLER(f64_convert_i32_s)
{
    uint32_t a = (uint32_t)frame[A];
    frame[C] = f64_convert_i32_s(a);
    NEXT(1);
}

HANDLER(f64_convert_i32_u)
{
    uint32_t a = (uint32_t)frame[A];
    frame[C] = f64_convert_i32_u(a);
    NEXT(1);
}

HANDLER(f64_convert_i64_s)
{
    uint64_t a = (uint64_t)frame[A];
    frame[C] = f64_convert_i64_s(a);
    NEXT(1);
}

HANDLER(f64_convert_i64_u)
{
    uint64_t a = (uint64_t)frame[A];
    frame[C] = f64_convert_i64_u(a);
    NEXT(1);
}

HANDLER(f64_promote_f32)
{
    uint32_t a = (uint32_t)frame[A];
    frame[C] = f64_promote_f32(a);
    NEXT(1);
}

HANDLER(i32_extend8_s)
{
    uint32_t a = (uint32_t)frame[A];
    frame[C] = integers_i32_extend8_s(a);
    NEXT(1);
}

HANDLER(i32_extend16_s)
{
    uint32_t a = (uint32_t)frame[A];
    frame[C] = integers_i32_extend16_s(a);
    NEXT(1);
}

HANDLER(i64_extend8_s)
{
    uint64_t a = (uint64_t)frame[A];
    frame[C] = integers_i64_extend8_s(a);
    NEXT(1);
}

HANDLER(i64_extend16_s)
{
    uint64_t a = (uint64_t)frame[A];
    frame[C] = integers_i64_extend16_s(a);
    NEXT(1);
}

HANDLER(i64_extend32_s)
{
    uint64_t a = (uint64_t)frame[A];
    frame[C] = integers_i64_extend32_s(a);
    NEXT(1);
}

HANDLER(i32_trunc_sat_f32_s)
{
    uint32_t a = (uint32_t)frame[A];
    frame[C] = i32_trunc_sat_f32_s(a);
    NEXT(1);
}

HANDLER(i32_trunc_sat_f32_u)
{
    uint32_t a = (uint32_t)frame[A];
    frame[C] = i32_trunc_sat_f32_u(a);
    NEXT(1);
}

HANDLER(i32_trunc_sat_f64_s)
{
    uint64_t a = (uint64_t)frame[A];
    frame[C] = i32_trunc_sat_f64_s(a);
    NEXT(1);
}

HANDLER(i32_trunc_sat_f64_u)
{
    uint64_t a = (uint64_t)frame[A];
    frame[C] = i32_trunc_sat_f64_u(a);
    NEXT(1);
}

HANDLER(i64_trunc_sat_f32_s)
{
    uint32_t a = (uint32_t)frame[A];
    frame[C] = i64_trunc_sat_f32_s(a);
    NEXT(1);
}

HANDLER(i64_trunc_sat_f32_u)
{
    uint32_t a = (uint32_t)frame[A];
    frame[C] = i64_trunc_sat_f32_u(a);
    NEXT(1);
}

HANDLER(i64_trunc_sat_f64_s)
{
    uint64_t a = (uint64_t)frame[A];
    frame[C] = i64_trunc_sat_f64_s(a);
    NEXT(1);
}

HANDLER(i64_trunc_sat_f64_u)
{
    uint64_t a = (uint64_t)frame[A];
    frame[C] = i64_trunc_sat_f64_u(a);
    NEXT(1);
}

HANDLER(i32_add_add_value_slots)
{
    uint32_t a = integers_i32_add((uint32_t)frame[A], (uint32_t)code[1]);
    uint32_t b = (uint32_t)frame[B];
    frame[C] = integers_i32_add(a, b);
    NEXT(2);
}

HANDLER(i32_add_and_value_slots)
{
    uint32_t a = integers_i32_add((uint32_t)frame[A], (uint32_t)code[1]);
    uint32_t b = (uint32_t)frame[B];
    frame[C] = integers_i32_and(a, b);
    NEXT(2);
}

HANDLER(i32_add_or_value_slots)
{
    uint32_t a = integers_i32_add((uint32_t)frame[A], (uint32_t)code[1]);
    uint32_t b = (uint32_t)frame[B];
    frame[C] = integers_i32_or(a, b);
    NEXT(2);
}

HANDLER(i32_add_xor_value_slots)
{
    uint32_t a = integers_i32_add((uint32_t)frame[A], (uint32_t)code[1]);
    uint32_t b = (uint32_t)frame[B];
    frame[C] = integers_i32_xor(a, b);
    NEXT(2);
}

HANDLER(i32_mul_add_value_slots)
{
    uint32_t a = integers_i32_mul((uint32_t)frame[A], (uint32_t)code[1]);
    uint32_t b = (uint32_t)frame[B];
    frame[C] = integers_i32_add(a, b);
    NEXT(2);
}

HANDLER(i32_mul_and_value_slots)
{
    uint32_t a = integers_i32_mul((uint32_t)frame[A], (uint32_t)code[1]);
    uint32_t b = (uint32_t)frame[B];
    frame[C] = integers_i32_and(a, b);
    NEXT(2);
}

HANDLER(i32_mul_or_value_slots)
{
    uint32_t a = integers_i32_mul((uint32_t)frame[A], (uint32_t)code[1]);
    uint32_t b = (uint32_t)frame[B];
    frame[C] = integers_i32_or(a, b);
    NEXT(2);
}

HANDLER(i32_mul_xor_value_slots)
{
    uint32_t a = integers_i32_mul((uint32_t)frame[A], (uint32_t)code[1]);
    uint32_t b = (uint32_t)frame[B];
    frame[C] = integers_i32_xor(a, b);
    NEXT(2);
}

HANDLER(i32_and_add_value_slots)
{
    uint32_t a = integers_i32_and((uint32_t)frame[A], (uint32_t)code[1]);
    uint32_t b = (uint32_t)frame[B];
    frame[C] = integers_i32_add(a, b);
    NEXT(2);
}

HANDLER(i32_and_and_value_slots)
{
    uint32_t a = integers_i32_and((uint32_t)frame[A], (uint32_t)code[1]);
    uint32_t b = (uint32_t)frame[B];
    frame[C] = integers_i32_and(a, b);
    NEXT(2);
}

HANDLER(i32_and_or_value_slots)
{
    uint32_t a = integers_i32_and((uint32_t)frame[A], (uint32_t)code[1]);
    uint32_t b = (uint32_t)frame[B];
    frame[C] = integers_i32_or(a, b);
    NEXT(2);
}

HANDLER(i32_and_xor_value_slots)
{
    uint32_t a = integers_i32_and((uint32_t)frame[A], (uint32_t)code[1]);
    uint32_t b = (uint32_t)frame[B];
    frame[C] = integers_i32_xor(a, b);
    NEXT(2);
}

HANDLER(i32_shl_add_value_slots)
{
    uint32_t a = integers_i32_shl((uint32_t)frame[A], (uint32_t)code[1]);
    uint32_t b = (uint32_t)frame[B];
    frame[C] = integers_i32_add(a, b);
    NEXT(2);
}

HANDLER(i32_shl_and_value_slots)
{
    uint32_t a = integers_i32_shl((uint32_t)frame[A], (uint32_t)code[1]);
    uint32_t b = (uint32_t)frame[B];
    frame[C] = integers_i32_and(a, b);
    NEXT(2);
}

HANDLER(i32_shl_or_value_slots)
{
    uint32_t a = integers_i32_shl((uint32_t)frame[A], (uint32_t)code[1]);
    uint32_t b = (uint32_t)frame[B];
    frame[C] = integers_i32_or(a, b);
    NEXT(2);
}

HANDLER(i32_shl_xor_value_slots)
{
    uint32_t a = integers_i32_shl((uint32_t)frame[A], (uint32_t)code[1]);
    uint32_t b = (uint32_t)frame[B];
    frame[C] = integers_i32_xor(a, b);
    NEXT(2);
}

HANDLER(i32_shr_u_add_value_slots)
{
    uint32_t a = integers_i32_shr_u((uint32_t)frame[A], (uint32_t)code[1]);
    uint32_t b = (uint32_t)frame[B];
    frame[C] = integers_i32_add(a, b);
    NEXT(2);
}

HANDLER(i32_shr_u_and_value_slots)
{
    uint32_t a = integers_i32_shr_u((uint32_t)frame[A], (uint32_t)code[1]);
    uint32_t b = (uint32_t)frame[B];
    frame[C] = integers_i32_and(a, b);
    NEXT(2);
}

HANDLER(i32_shr_u_or_value_slots)
{
    uint32_t a = integers_i32_shr_u((uint32_t)frame[A], (uint32_t)code[1]);
    uint32_t b = (uint32_t)frame[B];
    frame[C] = integers_i32_or(a, b);
    NEXT(2);
}

HANDLER(i32_shr_u_xor_value_slots)
{
    uint32_t a = integers_i32_shr_u((uint32_t)frame[A], (uint32_t)code[1]);
    uint32_t b = (uint32_t)frame[B];
    frame[C] = integers_i32_xor(a, b);
    NEXT(2);
}

HANDLER(i32_rotl_add_value_slots)
{
    uint32_t a = integers_i32_rotl((uint32_t)frame[A], (uint32_t)code[1]);
    uint32_t b = (uint32_t)frame[B];
    frame[C] = integers_i32_add(a, b);
    NEXT(2);
}

HANDLER(i32_rotl_and_value_slots)
{
    uint32_t a = integers_i32_rotl((uint32_t)frame[A], (uint32_t)code[1]);
    uint32_t b = (uint32_t)frame[B];
    frame[C] = integers_i32_and(a, b);
    NEXT(2);
}

HANDLER(i32_rotl_or_value_slots)
{
    uint32_t a = integers_i32_rotl((uint32_t)frame[A], (uint32_t)code[1]);
    uint32_t b = (uint32_t)frame[B];
    frame[C] = integers_i32_or(a, b);
    NEXT(2);
}

HANDLER(i32_rotl_xor_value_slots)
{
    uint32_t a = integers_i32_rotl((uint32_t)frame[A], (uint32_t)code[1]);
    uint32_t b = (uint32_t)frame[B];
    frame[C] = integers_i32_xor(a, b);
    NEXT(2);
}

HANDLER(i32_rotr_add_value_slots)
{
    uint32_t a = integers_i32_rotr((uint32_t)frame[A], (uint32_t)code[1]);
    uint32_t b = (uint32_t)frame[B];
    frame[C] = integers_i32_add(a, b);
    NEXT(2);
}

HANDLER(i32_rotr_and_value_slots)
{
    uint32_t a = integers_i32_rotr((uint32_t)frame[A], (uint32_t)code[1]);
    uint32_t b = (uint32_t)frame[B];
    frame[C] = integers_i32_and(a, b);
    NEXT(2);
}

HANDLER(i32_rotr_or_value_slots)
{
    uint32_t a = integers_i32_rotr((uint32_t)frame[A], (uint32_t)code[1]);
    uint32_t b = (uint32_t)frame[B];
    frame[C] = integers_i32_or(a, b);
    NEXT(2);
}

HANDLER(i32_rotr_xor_value_slots)
{
    uint32_t a = integers_i32_rotr((uint32_t)frame[A], (uint32_t)code[1]);
    uint32_t b = (uint32_t)frame[B];
    frame[C] = integers_i32_xor(a, b);
    NEXT(2);
}

HANDLER(i32_add_add_value_value)
{
    uint32_t a = integers_i32_add((uint32_t)frame[A], LOW);
    uint32_t b = HIGH;
    frame[C] = integers_i32_add(a, b);
    NEXT(2);
}

HANDLER(i32_add_mul_value_value)
{
    uint32_t a = integers_i32_add((uint32_t)frame[A], LOW);
    uint32_t b = HIGH;
    frame[C] = integers_i32_mul(a, b);
    NEXT(2);
}

HANDLER(i32_add_and_value_value)
{
    uint32_t a = integers_i32_add((uint32_t)frame[A], LOW);
    uint32_t b = HIGH;
    frame[C] = integers_i32_and(a, b);
    NEXT(2);
}

HANDLER(i32_add_shl_value_value)
{
    uint32_t a = integers_i32_add((uint32_t)frame[A], LOW);
    uint32_t b = HIGH;
    frame[C] = integers_i32_shl(a, b);
    NEXT(2);
}

HANDLER(i32_mul_add_value_value)
{
    uint32_t a = integers_i32_mul((uint32_t)frame[A], LOW);
    uint32_t b = HIGH;
    frame[C] = integers_i32_add(a, b);
    NEXT(2);
}

HANDLER(i32_mul_mul_value_value)
{
    uint32_t a = integers_i32_mul((uint32_t)frame[A], LOW);
    uint32_t b = HIGH;
    frame[C] = integers_i32_mul(a, b);
    NEXT(2);
}

HANDLER(i32_mul_and_value_value)
{
    uint32_t a = integers_i32_mul((uint32_t)frame[A], LOW);
    uint32_t b = HIGH;
    frame[C] = integers_i32_and(a, b);
    NEXT(2);
}

HANDLER(i32_mul_shl_value_value)
{
    uint32_t a = integers_i32_mul((uint32_t)frame[A], LOW);
    uint32_t b = HIGH;
    frame[C] = integers_i32_shl(a, b);
    NEXT(2);
}

HANDLER(i32_and_add_value_value)
{
    uint32_t a = integers_i32_and((uint32_t)frame[A], LOW);
    uint32_t b = HIGH;
    frame[C] = integers_i32_add(a, b);
    NEXT(2);
}

HANDLER(i32_and_mul_value_value)
{
    uint32_t a = integers_i32_and((uint32_t)frame[A], LOW);
    uint32_t b = HIGH;
    frame[C] = integers_i32_mul(a, b);
    NEXT(2);
}

HANDLER(i32_and_and_value_value)
{
    uint32_t a = integers_i32_and((uint32_t)frame[A], LOW);
    uint32_t b = HIGH;
    frame[C] = integers_i32_and(a, b);
    NEXT(2);
}

HANDLER(i32_and_shl_value_value)
{
    uint32_t a = integers_i32_and((uint32_t)frame[A], LOW);
    uint32_t b = HIGH;
    frame[C] = integers_i32_shl(a, b);
    NEXT(2);
}

HANDLER(i32_shl_add_value_value)
{
    uint32_t a = integers_i32_shl((uint32_t)frame[A], LOW);
    uint32_t b = HIGH;
    frame[C] = integers_i32_add(a, b);
    NEXT(2);
}

HANDLER(i32_shl_mul_value_value)
{
    uint32_t a = integers_i32_shl((uint32_t)frame[A], LOW);
    uint32_t b = HIGH;
    frame[C] = integers_i32_mul(a, b);
    NEXT(2);
}

HANDLER(i32_shl_and_value_value)
{
    uint32_t a = integers_i32_shl((uint32_t)frame[A], LOW);
    uint32_t b = HIGH;
    frame[C] = integers_i32_and(a, b);
    NEXT(2);
}

HANDLER(i32_shl_shl_value_value)
{
    uint32_t a = integers_i32_shl((uint32_t)frame[A], LOW);
    uint32_t b = HIGH;
    frame[C] = integers_i32_shl(a, b);
    NEXT(2);
}

HANDLER(i32_shr_u_add_value_value)
{
    uint32_t a = integers_i32_shr_u((uint32_t)frame[A], LOW);
    uint32_t b = HIGH;
    frame[C] = integers_i32_add(a, b);
    NEXT(2);
}

HANDLER(i32_shr_u_mul_value_value)
{
    uint32_t a = integers_i32_shr_u((uint32_t)frame[A], LOW);
    uint32_t b = HIGH;
    frame[C] = integers_i32_mul(a, b);
    NEXT(2);
}

HANDLER(i32_shr_u_and_value_value)
{
    uint32_t a = integers_i32_shr_u((uint32_t)frame[A], LOW);
    uint32_t b = HIGH;
    frame[C] = integers_i32_and(a, b);
    NEXT(2);
}

HANDLER(i32_shr_u_shl_value_value)
{
    uint32_t a = integers_i32_shr_u((uint32_t)frame[A], LOW);
    uint32_t b = HIGH;
    frame[C] = integers_i32_shl(a, b);
    NEXT(2);
}

HANDLER(i32_add_add_slots_slots)
{
    uint32_t a = integers_i32_add((uint32_t)frame[A], (uint32_t)frame[B]);
    uint32_t b = (uint32_t)frame[(uint16_t)code[1]];
    frame[C] = integers_i32_add(a, b);
    NEXT(2);
}

HANDLER(i32_add_and_slots_slots)
{
    uint32_t a = integers_i32_add((uint32_t)frame[A], (uint32_t)frame[B]);
    uint32_t b = (uint32_t)frame[(uint16_t)code[1]];
    frame[C] = integers_i32_and(a, b);
    NEXT(2);
}

HANDLER(i32_add_or_slots_slots)
{
    uint32_t a = integers_i32_add((uint32_t)frame[A], (uint32_t)frame[B]);
    uint32_t b = (uint32_t)frame[(uint16_t)code[1]];
    frame[C] = integers_i32_or(a, b);
    NEXT(2);
}

HANDLER(i32_add_xor_slots_slots)
{
    uint32_t a = integers_i32_add((uint32_t)frame[A], (uint32_t)frame[B]);
    uint32_t b = (uint32_t)frame[(uint16_t)code[1]];
    frame[C] = integers_i32_xor(a, b);
    NEXT(2);
}

HANDLER(i32_sub_add_slots_slots)
{
    uint32_t a = integers_i32_sub((uint32_t)frame[A], (uint32_t)frame[B]);
    uint32_t b = (uint32_t)frame[(uint16_t)code[1]];
    frame[C] = integers_i32_add(a, b);
    NEXT(2);
}

HANDLER(i32_sub_and_slots_slots)
{
    uint32_t a = integers_i32_sub((uint32_t)frame[A], (uint32_t)frame[B]);
    uint32_t b = (uint32_t)frame[(uint16_t)code[1]];
    frame[C] = integers_i32_and(a, b);
    NEXT(2);
}

HANDLER(i32_sub_or_slots_slots)
{
    uint32_t a = integers_i32_sub((uint32_t)frame[A], (uint32_t)frame[B]);
    uint32_t b = (uint32_t)frame[(uint16_t)code[1]];
    frame[C] = integers_i32_or(a, b);
    NEXT(2);
}

HANDLER(i32_sub_xor_slots_slots)
{
    uint32_t a = integers_i32_sub((uint32_t)frame[A], (uint32_t)frame[B]);
    uint32_t b = (uint32_t)frame[(uint16_t)code[1]];
    frame[C] = integers_i32_xor(a, b);
    NEXT(2);
}

HANDLER(i32_mul_add_slots_slots)
{
    uint32_t a = integers_i32_mul((uint32_t)frame[A], (uint32_t)frame[B]);
    uint32_t b = (uint32_t)frame[(uint16_t)code[1]];
    frame[C] = integers_i32_add(a, b);
    NEXT(2);
}

HANDLER(i32_mul_and_slots_slots)
{
    uint32_t a = integers_i32_mul((uint32_t)frame[A], (uint32_t)frame[B]);
    uint32_t b = (uint32_t)frame[(uint16_t)code[1]];
    frame[C] = integers_i32_and(a, b);
    NEXT(2);
}

HANDLER(i32_mul_or_slots_slots)
{
    uint32_t a = integers_i32_mul((uint32_t)frame[A], (uint32_t)frame[B]);
    uint32_t b = (uint32_t)frame[(uint16_t)code[1]];
    frame[C] = integers_i32_or(a, b);
    NEXT(2);
}

HANDLER(i32_mul_xor_slots_slots)
{
    uint32_t a = integers_i32_mul((uint32_t)frame[A], (uint32_t)frame[B]);
    uint32_t b = (uint32_t)frame[(uint16_t)code[1]];
    frame[C] = integers_i32_xor(a, b);
    NEXT(2);
}

HANDLER(i32_and_add_slots_slots)
{
    uint32_t a = integers_i32_and((uint32_t)frame[A], (uint32_t)frame[B]);
    uint32_t b = (uint32_t)frame[(uint16_t)code[1]];
    frame[C] = integers_i32_add(a, b);
    NEXT(2);
}

HANDLER(i32_and_and_slots_slots)
{
    uint32_t a = integers_i32_and((uint32_t)frame[A], (uint32_t)frame[B]);
    uint32_t b = (uint32_t)frame[(uint16_t)code[1]];
    frame[C] = integers_i32_and(a, b);
    NEXT(2);
}

HANDLER(i32_and_or_slots_slots)
{
    uint32_t a = integers_i32_and((uint32_t)frame[A], (uint32_t)frame[B]);
    uint32_t b = (uint32_t)frame[(uint16_t)code[1]];
    frame[C] = integers_i32_or(a, b);
    NEXT(2);
}

HANDLER(i32_and_xor_slots_slots)
{
    uint32_t a = integers_i32_and((uint32_t)frame[A], (uint32_t)frame[B]);
    uint32_t b = (uint32_t)frame[(uint16_t)code[1]];
    frame[C] = integers_i32_xor(a, b);
    NEXT(2);
}

HANDLER(i32_or_add_slots_slots)
{
    uint32_t a = integers_i32_or((uint32_t)frame[A], (uint32_t)frame[B]);
    uint32_t b = (uint32_t)frame[(uint16_t)code[1]];
    frame[C] = integers_i32_add(a, b);
    NEXT(2);
}

HANDLER(i32_or_and_slots_slots)
{
    uint32_t a = integers_i32_or((uint32_t)frame[A], (uint32_t)frame[B]);
    uint32_t b = (uint32_t)frame[(uint16_t)code[1]];
    frame[C] = integers_i32_and(a, b);
    NEXT(2);
}

HANDLER(i32_or_or_slots_slots)
{
    uint32_t a = integers_i32_or((uint32_t)frame[A], (uint32_t)frame[B]);
    uint32_t b = (uint32_t)frame[(uint16_t)code[1]];
    frame[C] = integers_i32_or(a, b);
    NEXT(2);
}

HANDLER(i32_or_xor_slots_slots)
{
    uint32_t a = integers_i32_or((uint32_t)frame[A], (uint32_t)frame[B]);
    uint32_t b = (uint32_t)frame[(uint16_t)code[1]];
    frame[C] = integers_i32_xor(a, b);
    NEXT(2);
}

HANDLER(i32_xor_add_slots_slots)
{
    uint32_t a = integers_i32_xor((uint32_t)frame[A], (uint32_t)frame[B]);
    uint32_t b = (uint32_t)frame[(uint16_t)code[1]];
    frame[C] = integers_i32_add(a, b);
    NEXT(2);
}

HANDLER(i32_xor_and_slots_slots)
{
    uint32_t a = integers_i32_xor((uint32_t)frame[A], (uint32_t)frame[B]);
    uint32_t b = (uint32_t)frame[(uint16_t)code[1]];
    frame[C] = integers_i32_and(a, b);
    NEXT(2);
}

HANDLER(i32_xor_or_slots_slots)
{
    uint32_t a = integers_i32_xor((uint32_t)frame[A], (uint32_t)frame[B]);
    uint32_t b = (uint32_t)frame[(uint16_t)code[1]];
    frame[C] = integers_i32_or(a, b);
    NEXT(2);
}

HANDLER(i32_xor_xor_slots_slots)
{
    uint32_t a = integers_i32_xor((uint32_t)frame[A], (uint32_t)frame[B]);
    uint32_t b = (uint32_t)frame[(uint16_t)code[1]];
    frame[C] = integers_i32_xor(a, b);
    NEXT(2);
}

HANDLER(i32_add_add_slots_value)
{
    uint32_t a = integers_i32_add((uint32_t)frame[A], (uint32_t)frame[B]);
    uint32_t b = (uint32_t)code[1];
    frame[C] = integers_i32_add(a, b);
    NEXT(2);
}

HANDLER(i32_add_mul_slots_value)
{
    uint32_t a = integers_i32_add((uint32_t)frame[A], (uint32_t)frame[B]);
    uint32_t b = (uint32_t)code[1];
    frame[C] = integers_i32_mul(a, b);
    NEXT(2);
}

HANDLER(i32_add_and_slots_value)
{
    uint32_t a = integers_i32_add((uint32_t)frame[A], (uint32_t)frame[B]);
    uint32_t b = (uint32_t)code[1];
    frame[C] = integers_i32_and(a, b);
    NEXT(2);
}

HANDLER(i32_add_shl_slots_value)
{
    uint32_t a = integers_i32_add((uint32_t)frame[A], (uint32_t)frame[B]);
    uint32_t b = (uint32_t)code[1];
    frame[C] = integers_i32_shl(a, b);
    NEXT(2);
}

HANDLER(i32_add_shr_u_slots_value)
{
    uint32_t a = integers_i32_add((uint32_t)frame[A], (uint32_t)frame[B]);
    uint32_t b = (uint32_t)code[1];
    frame[C] = integers_i32_shr_u(a, b);
    NEXT(2);
}

HANDLER(i32_sub_add_slots_value)
{
    uint32_t a = integers_i32_sub((uint32_t)frame[A], (uint32_t)frame[B]);
    uint32_t b = (uint32_t)code[1];
    frame[C] = integers_i32_add(a, b);
    NEXT(2);
}

HANDLER(i32_sub_mul_slots_value)
{
    uint32_t a = integers_i32_sub((uint32_t)frame[A], (uint32_t)frame[B]);
    uint32_t b = (uint32_t)code[1];
    frame[C] = integers_i32_mul(a, b);
    NEXT(2);
}

HANDLER(i32_sub_and_slots_value)
{
    uint32_t a = integers_i32_sub((uint32_t)frame[A], (uint32_t)frame[B]);
    uint32_t b = (uint32_t)code[1];
    frame[C] = integers_i32_and(a, b);
    NEXT(2);
}

HANDLER(i32_sub_shl_slots_value)
{
    uint32_t a = integers_i32_sub((uint32_t)frame[A], (uint32_t)frame[B]);
    uint32_t b = (uint32_t)code[1];
    frame[C] = integers_i32_shl(a, b);
    NEXT(2);
}

HANDLER(i32_sub_shr_u_slots_value)
{
    uint32_t a = integers_i32_sub((uint32_t)frame[A], (uint32_t)frame[B]);
    uint32_t b = (uint32_t)code[1];
    frame[C] = integers_i32_shr_u(a, b);
    NEXT(2);
}

HANDLER(i32_mul_add_slots_value)
{
    uint32_t a = integers_i32_mul((uint32_t)frame[A], (uint32_t)frame[B]);
    uint32_t b = (uint32_t)code[1];
    frame[C] = integers_i32_add(a, b);
    NEXT(2);
}

HANDLER(i32_mul_mul_slots_value)
{
    uint32_t a = integers_i32_mul((uint32_t)frame[A], (uint32_t)frame[B]);
    uint32_t b = (uint32_t)code[1];
    frame[C] = integers_i32_mul(a, b);
    NEXT(2);
}

HANDLER(i32_mul_and_slots_value)
{
    uint32_t a = integers_i32_mul((uint32_t)frame[A], (uint32_t)frame[B]);
    uint32_t b = (uint32_t)code[1];
    frame[C] = integers_i32_and(a, b);
    NEXT(2);
}

HANDLER(i32_mul_shl_slots_value)
{
    uint32_t a = integers_i32_mul((uint32_t)frame[A], (uint32_t)frame[B]);
    uint32_t b = (uint32_t)code[1];
    frame[C] = integers_i32_shl(a, b);
    NEXT(2);
}

HANDLER(i32_mul_shr_u_slots_value)
{
    uint32_t a = integers_i32_mul((uint32_t)frame[A], (uint32_t)frame[B]);
    uint32_t b = (uint32_t)code[1];
    frame[C] = integers_i32_shr_u(a, b);
    NEXT(2);
}

HANDLER(i32_and_add_slots_value)
{
    uint32_t a = integers_i32_and((uint32_t)frame[A], (uint32_t)frame[B]);
    uint32_t b = (uint32_t)code[1];
    frame[C] = integers_i32_add(a, b);
    NEXT(2);
}

HANDLER(i32_and_mul_slots_value)
{
    uint32_t a = integers_i32_and((uint32_t)frame[A], (uint32_t)frame[B]);
    uint32_t b = (uint32_t)code[1];
    frame[C] = integers_i32_mul(a, b);
    NEXT(2);
}

HANDLER(i32_and_and_slots_value)
{
    uint32_t a = integers_i32_and((uint32_t)frame[A], (uint32_t)frame[B]);
    uint32_t b = (uint32_t)code[1];
    frame[C] = integers_i32_and(a, b);
    NEXT(2);
}

HANDLER(i32_and_shl_slots_value)
{
    uint32_t a = integers_i32_and((uint32_t)frame[A], (uint32_t)frame[B]);
    uint32_t b = (uint32_t)code[1];
    frame[C] = integers_i32_shl(a, b);
    NEXT(2);
}

HANDLER(i32_and_shr_u_slots_value)
{
    uint32_t a = integers_i32_and((uint32_t)frame[A], (uint32_t)frame[B]);
    uint32_t b = (uint32_t)code[1];
    frame[C] = integers_i32_shr_u(a, b);
    NEXT(2);
}

HANDLER(i32_or_add_slots_value)
{
    uint32_t a = integers_i32_or((uint32_t)frame[A], (uint32_t)frame[B]);
    uint32_t b = (uint32_t)code[1];
    frame[C] = integers_i32_add(a, b);
    NEXT(2);
}

HANDLER(i32_or_mul_slots_value)
{
    uint32_t a = integers_i32_or((uint32_t)frame[A], (uint32_t)frame[B]);
    uint32_t b = (uint32_t)code[1];
    frame[C] = integers_i32_mul(a, b);
    NEXT(2);
}

HANDLER(i32_or_and_slots_value)
{
    uint32_t a = integers_i32_or((uint32_t)frame[A], (uint32_t)frame[B]);
    uint32_t b = (uint32_t)code[1];
    frame[C] = integers_i32_and(a, b);
    NEXT(2);
}

HANDLER(i32_or_shl_slots_value)
{
    uint32_t a = integers_i32_or((uint32_t)frame[A], (uint32_t)frame[B]);
    uint32_t b = (uint32_t)code[1];
    frame[C] = integers_i32_shl(a, b);
    NEXT(2);
}

HANDLER(i32_or_shr_u_slots_value)
{
    uint32_t a = integers_i32_or((uint32_t)frame[A], (uint32_t)frame[B]);
    uint32_t b = (uint32_t)code[1];
    frame[C] = integers_i32_shr_u(a, b);
    NEXT(2);
}

HANDLER(i32_xor_add_slots_value)
{
    uint32_t a = integers_i32_xor((uint32_t)frame[A], (uint32_t)frame[B]);
    uint32_t b = (uint32_t)code[1];
    frame[C] = integers_i32_add(a, b);
    NEXT(2);
}

HANDLER(i32_xor_mul_slots_value)
{
    uint32_t a = integers_i32_xor((uint32_t)frame[A], (uint32_t)frame[B]);
    uint32_t b = (uint32_t)code[1];
    frame[C] = integers_i32_mul(a, b);
    NEXT(2);
}

HANDLER(i32_xor_and_slots_value)
{
    uint32_t a = integers_i32_xor((uint32_t)frame[A], (uint32_t)frame[B]);
    uint32_t b = (uint32_t)code[1];
    frame[C] = integers_i32_and(a, b);
    NEXT(2);
}

HANDLER(i32_xor_shl_slots_value)
{
    uint32_t a = integers_i32_xor((uint32_t)frame[A], (uint32_t)frame[B]);
    uint32_t b = (uint32_t)code[1];
    frame[C] = integers_i32_shl(a, b);
    NEXT(2);
}

HANDLER(i32_xor_shr_u_slots_value)
{
    uint32_t a = integers_i32_xor((uint32_t)frame[A], (uint32_t)frame[B]);
    uint32_t b = (uint32_t)code[1];
    frame[C] = integers_i32_shr_u(a, b);
    NEXT(2);
}

HANDLER(f32_mul_add_slots_slots)
{
    uint32_t a = f32_mul((uint32_t)frame[A], (uint32_t)frame[B]);
    uint32_t b = (uint32_t)frame[(uint16_t)code[1]];
    frame[C] = f32_add(a, b);
    NEXT(2);
}

HANDLER(f64_mul_add_slots_slots)
{
    uint64_t a = f64_mul((uint64_t)frame[A], (uint64_t)frame[B]);
    uint64_t b = (uint64_t)frame[(uint16_t)code[1]];
    frame[C] = f64_add(a, b);
    NEXT(2);
}

HANDLER(i32_add_eq_step_slots)
{
    uint32_t a = integers_i32_add((uint32_t)frame[A], (uint32_t)frame[B]);
    uint32_t b = (uint32_t)frame[C];
    if (integers_i32_eq(a, b)) {
        SAFE_POINT;
        frame[A] = a;
        JUMP(code + 1);
    }
    frame[A] = a;
    NEXT(2);
}

HANDLER(i32_add_eq_step_value)
{
    uint32_t a = integers_i32_add((uint32_t)frame[A], LOW);
    uint32_t b = (uint32_t)frame[B];
    if (integers_i32_eq(a, b)) {
        SAFE_POINT;
        frame[C] = a;
        JUMP(code + 1);
    }
    frame[C] = a;
    NEXT(2);
}

HANDLER(i32_add_eq_step_values)
{
    uint32_t a = integers_i32_add((uint32_t)frame[A], LOW);
    uint32_t b = HIGH;
    if (integers_i32_eq(a, b)) {
        SAFE_POINT;
        frame[A] = a;
        JUMP(code);
    }
    frame[A] = a;
    NEXT(2);
}

HANDLER(i32_add_ne_step_slots)
{
    uint32_t a = integers_i32_add((uint32_t)frame[A], (uint32_t)frame[B]);
    uint32_t b = (uint32_t)frame[C];
    if (integers_i32_ne(a, b)) {
        SAFE_POINT;
        frame[A] = a;
        JUMP(code + 1);
    }
    frame[A] = a;
    NEXT(2);
}

HANDLER(i32_add_ne_step_value)
{
    uint32_t a = integers_i32_add((uint32_t)frame[A], LOW);
    uint32_t b = (uint32_t)frame[B];
    if (integers_i32_ne(a, b)) {
        SAFE_POINT;
        frame[C] = a;
        JUMP(code + 1);
    }
    frame[C] = a;
    NEXT(2);
}

HANDLER(i32_add_ne_step_values)
{
    uint32_t a = integers_i32_add((uint32_t)frame[A], LOW);
    uint32_t b = HIGH;
    if (integers_i32_ne(a, b)) {
        SAFE_POINT;
        frame[A] = a;
        JUMP(code);
    }
    frame[A] = a;
    NEXT(2);
}

HANDLER(i32_add_lt_s_step_slots)
{
    uint32_t a = integers_i32_add((uint32_t)frame[A], (uint32_t)frame[B]);
    uint32_t b = (uint32_t)frame[C];
    if (integers_i32_lt_s(a, b)) {
        SAFE_POINT;
        frame[A] = a;
        JUMP(code + 1);
    }
    frame[A] = a;
    NEXT(2);
}

HANDLER(i32_add_lt_s_step_value)
{
    uint32_t a = integers_i32_add((uint32_t)frame[A], LOW);
    uint32_t b = (uint32_t)frame[B];
    if (integers_i32_lt_s(a, b)) {
        SAFE_POINT;
        frame[C] = a;
        JUMP(code + 1);
    }
    frame[C] = a;
    NEXT(2);
}

HANDLER(i32_add_lt_s_step_values)
{
    uint32_t a = integers_i32_add((uint32_t)frame[A], LOW);
    uint32_t b = HIGH;
    if (integers_i32_lt_s(a, b)) {
        SAFE_POINT;
        frame[A] = a;
        JUMP(code);
    }
    frame[A] = a;
    NEXT(2);
}

HANDLER(i32_add_lt_u_step_slots)
{
    uint32_t a = integers_i32_add((uint32_t)frame[A], (uint32_t)frame[B]);
    uint32_t b = (uint32_t)frame[C];
    if (integers_i32_lt_u(a, b)) {
        SAFE_POINT;
        frame[A] = a;
        JUMP(code + 1);
    }
    frame[A] = a;
    NEXT(2);
}

HANDLER(i32_add_lt_u_step_value)
{
    uint32_t a = integers_i32_add((uint32_t)frame[A], LOW);
    uint32_t b = (uint32_t)frame[B];
    if (integers_i32_lt_u(a, b)) {
        SAFE_POINT;
        frame[C] = a;
        JUMP(code + 1);
    }
    frame[C] = a;
    NEXT(2);
}

HANDLER(i32_add_lt_u_step_values)
{
    uint32_t a = integers_i32_add((uint32_t)frame[A], LOW);
    uint32_t b = HIGH;
    if (integers_i32_lt_u(a, b)) {
        SAFE_POINT;
        frame[A] = a;
        JUMP(code);
    }
    frame[A] = a;
    NEXT(2);
}

HANDLER(i32_add_gt_s_step_slots)
{
    uint32_t a = integers_i32_add((uint32_t)frame[A], (uint32_t)frame[B]);
    uint32_t b = (uint32_t)frame[C];
    if (integers_i32_gt_s(a, b)) {
        SAFE_POINT;
        frame[A] = a;
        JUMP(code + 1);
    }
    frame[A] = a;
    NEXT(2);
}

HANDLER(i32_add_gt_s_step_value)
{
    uint32_t a = integers_i32_add((uint32_t)frame[A], LOW);
    uint32_t b = (uint32_t)frame[B];
    if (integers_i32_gt_s(a, b)) {
        SAFE_POINT;
        frame[C] = a;
        JUMP(code + 1);
    }
    frame[C] = a;
    NEXT(2);
}

HANDLER(i32_add_gt_s_step_values)
{
    uint32_t a = integers_i32_add((uint32_t)frame[A], LOW);
    uint32_t b = HIGH;
    if (integers_i32_gt_s(a, b)) {
        SAFE_POINT;
        frame[A] = a;
        JUMP(code);
    }
    frame[A] = a;
    NEXT(2);
}

HANDLER(i32_add_gt_u_step_slots)
{
    uint32_t a = integers_i32_add((uint32_t)frame[A], (uint32_t)frame[B]);
    uint32_t b = (uint32_t)frame[C];
    if (integers_i32_gt_u(a, b)) {
        SAFE_POINT;
        frame[A] = a;
        JUMP(code + 1);
    }
    frame[A] = a;
    NEXT(2);
}

HANDLER(i32_add_gt_u_step_value)
{
    uint32_t a = integers_i32_add((uint32_t)frame[A], LOW);
    uint32_t b = (uint32_t)frame[B];
    if (integers_i32_gt_u(a, b)) {
        SAFE_POINT;
        frame[C] = a;
        JUMP(code + 1);
    }
    frame[C] = a;
    NEXT(2);
}

HANDLER(i32_add_gt_u_step_values)
{
    uint32_t a = integers_i32_add((uint32_t)frame[A], LOW);
    uint32_t b = HIGH;
    if (integers_i32_gt_u(a, b)) {
        SAFE_POINT;
        frame[A] = a;
        JUMP(code);
    }
    frame[A] = a;
    NEXT(2);
}

HANDLER(i32_add_le_s_step_slots)
{
    uint32_t a = integers_i32_add((uint32_t)frame[A], (uint32_t)frame[B]);
    uint32_t b = (uint32_t)frame[C];
    if (integers_i32_le_s(a, b)) {
        SAFE_POINT;
        frame[A] = a;
        JUMP(code + 1);
    }
    frame[A] = a;
    NEXT(2);
}

HANDLER(i32_add_le_s_step_value)
{
    uint32_t a = integers_i32_add((uint32_t)frame[A], LOW);
    uint32_t b = (uint32_t)frame[B];
    if (integers_i32_le_s(a, b)) {
        SAFE_POINT;
        frame[C] = a;
        JUMP(code + 1);
    }
    frame[C] = a;
    NEXT(2);
}

HANDLER(i32_add_le_s_step_values)
{
    uint32_t a = integers_i32_add((uint32_t)frame[A], LOW);
    uint32_t b = HIGH;
    if (integers_i32_le_s(a, b)) {
        SAFE_POINT;
        frame[A] = a;
        JUMP(code);
    }
    frame[A] = a;
    NEXT(2);
}

HANDLER(i32_add_le_u_step_slots)
{
    uint32_t a = integers_i32_add((uint32_t)frame[A], (uint32_t)frame[B]);
    uint32_t b = (uint32_t)frame[C];
    if (integers_i32_le_u(a, b)) {
        SAFE_POINT;
        frame[A] = a;
        JUMP(code + 1);
    }
    frame[A] = a;
    NEXT(2);
}

HANDLER(i32_add_le_u_step_value)
{
    uint32_t a = integers_i32_add((uint32_t)frame[A], LOW);
    uint32_t b = (uint32_t)frame[B];
    if (integers_i32_le_u(a, b)) {
        SAFE_POINT;
        frame[C] = a;
        JUMP(code + 1);
    }
    frame[C] = a;
    NEXT(2);
}

HANDLER(i32_add_le_u_step_values)
{
    uint32_t a = integers_i32_add((uint32_t)frame[A], LOW);
    uint32_t b = HIGH;
    if (integers_i32_le_u(a, b)) {
        SAFE_POINT;
        frame[A] = a;
        JUMP(code);
    }
    frame[A] = a;
    NEXT(2);
}

HANDLER(i32_add_ge_s_step_slots)
{
    uint32_t a = integers_i32_add((uint32_t)frame[A], (uint32_t)frame[B]);
    uint32_t b = (uint32_t)frame[C];
    if (integers_i32_ge_s(a, b)) {
        SAFE_POINT;
        frame[A] = a;
        JUMP(code + 1);
    }
    frame[A] = a;
    NEXT(2);
}

HANDLER(i32_add_ge_s_step_value)
{
    uint32_t a = integers_i32_add((uint32_t)frame[A], LOW);
    uint32_t b = (uint32_t)frame[B];
    if (integers_i32_ge_s(a, b)) {
        SAFE_POINT;
        frame[C] = a;
        JUMP(code + 1);
    }
    frame[C] = a;
    NEXT(2);
}

HANDLER(i32_add_ge_s_step_values)
{
    uint32_t a = integers_i32_add((uint32_t)frame[A], LOW);
    uint32_t b = HIGH;
    if (integers_i32_ge_s(a, b)) {
        SAFE_POINT;
        frame[A] = a;
        JUMP(code);
    }
    frame[A] = a;
    NEXT(2);
}

HANDLER(i32_add_ge_u_step_slots)
{
    uint32_t a = integers_i32_add((uint32_t)frame[A], (uint32_t)frame[B]);
    uint32_t b = (uint32_t)frame[C];
    if (integers_i32_ge_u(a, b)) {
        SAFE_POINT;
        frame[A] = a;
        JUMP(code + 1);
    }
    frame[A] = a;
    NEXT(2);
}

HANDLER(i32_add_ge_u_step_value)
{
    uint32_t a = integers_i32_add((uint32_t)frame[A], LOW);
    uint32_t b = (uint32_t)frame[B];
    if (integers_i32_ge_u(a, b)) {
        SAFE_POINT;
        frame[C] = a;
        JUMP(code + 1);
    }
    frame[C] = a;
    NEXT(2);
}

HANDLER(i32_add_ge_u_step_values)
{
    uint32_t a = integers_i32_add((uint32_t)frame[A], LOW);
    uint32_t b = HIGH;
    if (integers_i32_ge_u(a, b)) {
        SAFE_POINT;
        frame[A] = a;
        JUMP(code);
    }
    frame[A] = a;
    NEXT(2);
}

HANDLER(i32_store8_move)
{
    uint64_t from = (uint64_t)(uint32_t)frame[A] + LOW;
    uint64_t to = (uint64_t)(uint32_t)frame[B] + HIGH;
    IN_MEMORY(from, 1);
    IN_MEMORY(to, 1);
    uint8_t value;
    __builtin_memcpy(&value, memory + from, 1);
    __builtin_memcpy(memory + to, &value, 1);
    NEXT(2);
}

HANDLER(i32_store8_move_sum)
{
    uint64_t from = (uint32_t)(frame[A] + LOW);
    uint64_t to = (uint32_t)(frame[B] + HIGH);
    IN_MEMORY(from, 1);
    IN_MEMORY(to, 1);
    uint8_t value;
    __builtin_memcpy(&value, memory + from, 1);
    __builtin_memcpy(memory + to, &value, 1);
    NEXT(2);
}

HANDLER(i32_store16_move)
{
    uint64_t from = (uint64_t)(uint32_t)frame[A] + LOW;
    uint64_t to = (uint64_t)(uint32_t)frame[B] + HIGH;
    IN_MEMORY(from, 2);
    IN_MEMORY(to, 2);
    uint16_t value;
    __builtin_memcpy(&value, memory + from, 2);
    __builtin_memcpy(memory + to, &value, 2);
    NEXT(2);
}

HANDLER(i32_store16_move_sum)
{
    uint64_t from = (uint32_t)(frame[A] + LOW);
    uint64_t to = (uint32_t)(frame[B] + HIGH);
    IN_MEMORY(from, 2);
    IN_MEMORY(to, 2);
    uint16_t value;
    __builtin_memcpy(&value, memory + from, 2);
    __builtin_memcpy(memory + to, &value, 2);
    NEXT(2);
}

HANDLER(i32_store_move)
{
    uint64_t from = (uint64_t)(uint32_t)frame[A] + LOW;
    uint64_t to = (uint64_t)(uint32_t)frame[B] + HIGH;
    IN_MEMORY(from, 4);
    IN_MEMORY(to, 4);
    uint32_t value;
    __builtin_memcpy(&value, memory + from, 4);
    __builtin_memcpy(memory + to, &value, 4);
    NEXT(2);
}

HANDLER(i32_store_move_sum)
{
    uint64_t from = (uint32_t)(frame[A] + LOW);
    uint64_t to = (uint32_t)(frame[B] + HIGH);
    IN_MEMORY(from, 4);
    IN_MEMORY(to, 4);
    uint32_t value;
    __builtin_memcpy(&value, memory + from, 4);
    __builtin_memcpy(memory + to, &value, 4);
    NEXT(2);
}

HANDLER(i64_store_move)
{
    uint64_t from = (uint64_t)(uint32_t)frame[A] + LOW;
    uint64_t to = (uint64_t)(uint32_t)frame[B] + HIGH;
    IN_MEMORY(from, 8);
    IN_MEMORY(to, 8);
    uint64_t value;
    __builtin_memcpy(&value, memory + from, 8);
    __builtin_memcpy(memory + to, &value, 8);
    NEXT(2);
}

HANDLER(i64_store_move_sum)
{
    uint64_t from = (uint32_t)(frame[A] + LOW);
    uint64_t to = (uint32_t)(frame[B] + HIGH);
    IN_MEMORY(from, 8);
    IN_MEMORY(to, 8);
    uint64_t value;
    __builtin_memcpy(&value, memory + from, 8);
    __builtin_memcpy(memory + to, &value, 8);
    NEXT(2);
}

HANDLER(i32_add_copy_value)
{
    frame[(uint16_t)HIGH] = frame[B];
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = LOW;
    frame[C] = integers_i32_add(a, b);
    NEXT(2);
}

HANDLER(i32_add_back_value)
{
    SAFE_POINT;
    uint32_t a = (uint32_t)frame[A];
    uint32_t b = LOW;
    frame[C] = integers_i32_add(a, b);
    JUMP(code + 1);
}

/* ---- the run */

static const struct step STEPS[] = {
    [HANDLER_EXIT] = {take_exit},
    [HANDLER_CONST] = {take_const},
    [HANDLER_COPY] = {take_copy},
    [HANDLER_COPY_TWO] = {take_copy_two},
    [HANDLER_COPY_PAIR] = {take_copy_pair},
    [HANDLER_SELECT] = {take_select},
    [HANDLER_BR] = {take_br},
    [HANDLER_LOOP] = {take_loop},
    [HANDLER_COPY_LOOP] = {take_copy_loop},
    [HANDLER_BR_TABLE] = {take_br_table},
    [HANDLER_BR_TABLE_LOAD] = {take_br_table_load},
    [HANDLER_CALL] = {take_call},
    [HANDLER_CALL_IMPORT] = {take_call_import},
    [HANDLER_CALL_INDIRECT] = {take_call_indirect},
    [HANDLER_RETURN_NONE] = {take_return_none},
    [HANDLER_RETURN_ONE] = {take_return_one},
    [HANDLER_RETURN_MANY] = {take_return_many},
    [HANDLER_TRAP_UNREACHABLE] = {take_trap_unreachable},
    [HANDLER_POLL] = {take_poll},
    [HANDLER_GET_GLOBAL] = {take_get_global},
    [HANDLER_SET_GLOBAL] = {take_set_global},
    [HANDLER_GET_REFERENCE] = {take_get_reference},
    [HANDLER_SET_REFERENCE] = {take_set_reference},
    [HANDLER_MEMORY_SIZE] = {take_memory_size},
    [HANDLER_MEMORY_GROW] = {take_memory_grow},
    [HANDLER_MEMORY_COPY] = {take_memory_copy},
    [HANDLER_MEMORY_COPY_VALUE] = {take_memory_copy_value},
    [HANDLER_MEMORY_COPY_REST] = {take_memory_copy_rest},
    [HANDLER_MEMORY_FILL] = {take_memory_fill},
    [HANDLER_MEMORY_FILL_REST] = {take_memory_fill_rest},
    [HANDLER_MEMORY_INIT] = {take_memory_init},
    [HANDLER_DATA_DROP] = {take_data_drop},
    [HANDLER_TABLE_GET] = {take_table_get},
    [HANDLER_TABLE_SET] = {take_table_set},
    [HANDLER_TABLE_SIZE] = {take_table_size},
    [HANDLER_TABLE_GROW] = {take_table_grow},
    [HANDLER_TABLE_FILL] = {take_table_fill},
    [HANDLER_TABLE_COPY] = {take_table_copy},
    [HANDLER_TABLE_INIT] = {take_table_init},
    [HANDLER_ELEM_DROP] = {take_elem_drop},
    [HANDLER_I32_LOAD] = {take_i32_load},
    [HANDLER_I32_LOAD_FAR] = {take_i32_load_far},
    [HANDLER_I32_LOAD_SUM] = {take_i32_load_sum},
    [HANDLER_I32_LOAD_SCALED] = {take_i32_load_scaled},
    [HANDLER_I32_LOAD_SLOTS] = {take_i32_load_slots},
    [HANDLER_I64_LOAD] = {take_i64_load},
    [HANDLER_I64_LOAD_FAR] = {take_i64_load_far},
    [HANDLER_I64_LOAD_SUM] = {take_i64_load_sum},
    [HANDLER_I64_LOAD_SCALED] = {take_i64_load_scaled},
    [HANDLER_I64_LOAD_SLOTS] = {take_i64_load_slots},
    [HANDLER_F32_LOAD] = {take_f32_load},
    [HANDLER_F32_LOAD_FAR] = {take_f32_load_far},
    [HANDLER_F32_LOAD_SUM] = {take_f32_load_sum},
    [HANDLER_F32_LOAD_SCALED] = {take_f32_load_scaled},
    [HANDLER_F32_LOAD_SLOTS] = {take_f32_load_slots},
    [HANDLER_F64_LOAD] = {take_f64_load},
    [HANDLER_F64_LOAD_FAR] = {take_f64_load_far},
    [HANDLER_F64_LOAD_SUM] = {take_f64_load_sum},
    [HANDLER_F64_LOAD_SCALED] = {take_f64_load_scaled},
    [HANDLER_F64_LOAD_SLOTS] = {take_f64_load_slots},
    [HANDLER_I32_LOAD8_S] = {take_i32_load8_s},
    [HANDLER_I32_LOAD8_S_FAR] = {take_i32_load8_s_far},
    [HANDLER_I32_LOAD8_S_SUM] = {take_i32_load8_s_sum},
    [HANDLER_I32_LOAD8_S_SLOTS] = {take_i32_load8_s_slots},
    [HANDLER_I32_LOAD8_U] = {take_i32_load8_u},
    [HANDLER_I32_LOAD8_U_FAR] = {take_i32_load8_u_far},
    [HANDLER_I32_LOAD8_U_SUM] = {take_i32_load8_u_sum},
    [HANDLER_I32_LOAD8_U_SLOTS] = {take_i32_load8_u_slots},
    [HANDLER_I32_LOAD16_S] = {take_i32_load16_s},
    [HANDLER_I32_LOAD16_S_FAR] = {take_i32_load16_s_far},
    [HANDLER_I32_LOAD16_S_SUM] = {take_i32_load16_s_sum},
    [HANDLER_I32_LOAD16_S_SCALED] = {take_i32_load16_s_scaled},
    [HANDLER_I32_LOAD16_S_SLOTS] = {take_i32_load16_s_slots},
    [HANDLER_I32_LOAD16_U] = {take_i32_load16_u},
    [HANDLER_I32_LOAD16_U_FAR] = {take_i32_load16_u_far},
    [HANDLER_I32_LOAD16_U_SUM] = {take_i32_load16_u_sum},
    [HANDLER_I32_LOAD16_U_SCALED] = {take_i32_load16_u_scaled},
    [HANDLER_I32_LOAD16_U_SLOTS] = {take_i32_load16_u_slots},
    [HANDLER_I64_LOAD8_S] = {take_i64_load8_s},
    [HANDLER_I64_LOAD8_S_FAR] = {take_i64_load8_s_far},
    [HANDLER_I64_LOAD8_S_SUM] = {take_i64_load8_s_sum},
    [HANDLER_I64_LOAD8_S_SLOTS] = {take_i64_load8_s_slots},
    [HANDLER_I64_LOAD8_U] = {take_i64_load8_u},
    [HANDLER_I64_LOAD8_U_FAR] = {take_i64_load8_u_far},
    [HANDLER_I64_LOAD8_U_SUM] = {take_i64_load8_u_sum},
    [HANDLER_I64_LOAD8_U_SLOTS] = {take_i64_load8_u_slots},
    [HANDLER_I64_LOAD16_S] = {take_i64_load16_s},
    [HANDLER_I64_LOAD16_S_FAR] = {take_i64_load16_s_far},
    [HANDLER_I64_LOAD16_S_SUM] = {take_i64_load16_s_sum},
    [HANDLER_I64_LOAD16_S_SCALED] = {take_i64_load16_s_scaled},
    [HANDLER_I64_LOAD16_S_SLOTS] = {take_i64_load16_s_slots},
    [HANDLER_I64_LOAD16_U] = {take_i64_load16_u},
    [HANDLER_I64_LOAD16_U_FAR] = {take_i64_load16_u_far},
    [HANDLER_I64_LOAD16_U_SUM] = {take_i64_load16_u_sum},
    [HANDLER_I64_LOAD16_U_SCALED] = {take_i64_load16_u_scaled},
    [HANDLER_I64_LOAD16_U_SLOTS] = {take_i64_load16_u_slots},
    [HANDLER_I64_LOAD32_S] = {take_i64_load32_s},
    [HANDLER_I64_LOAD32_S_FAR] = {take_i64_load32_s_far},
    [HANDLER_I64_LOAD32_S_SUM] = {take_i64_load32_s_sum},
    [HANDLER_I64_LOAD32_S_SCALED] = {take_i64_load32_s_scaled},
    [HANDLER_I64_LOAD32_S_SLOTS] = {take_i64_load32_s_slots},
    [HANDLER_I64_LOAD32_U] = {take_i64_load32_u},
    [HANDLER_I64_LOAD32_U_FAR] = {take_i64_load32_u_far},
    [HANDLER_I64_LOAD32_U_SUM] = {take_i64_load32_u_sum},
    [HANDLER_I64_LOAD32_U_SCALED] = {take_i64_load32_u_scaled},
    [HANDLER_I64_LOAD32_U_SLOTS] = {take_i64_load32_u_slots},
    [HANDLER_I32_STORE] = {take_i32_store},
    [HANDLER_I32_STORE_FAR] = {take_i32_store_far},
    [HANDLER_I32_STORE_SUM] = {take_i32_store_sum},
    [HANDLER_I32_STORE_SCALED] = {take_i32_store_scaled},
    [HANDLER_I32_STORE_VALUE] = {take_i32_store_value},
    [HANDLER_I32_STORE_SUM_VALUE] = {take_i32_store_sum_value},
    [HANDLER_I64_STORE] = {take_i64_store},
    [HANDLER_I64_STORE_FAR] = {take_i64_store_far},
    [HANDLER_I64_STORE_SUM] = {take_i64_store_sum},
    [HANDLER_I64_STORE_SCALED] = {take_i64_store_scaled},
    [HANDLER_I64_STORE_VALUE] = {take_i64_store_value},
    [HANDLER_I64_STORE_SUM_VALUE] = {take_i64_store_sum_value},
    [HANDLER_F32_STORE] = {take_f32_store},
    [HANDLER_F32_STORE_FAR] = {take_f32_store_far},
    [HANDLER_F32_STORE_SUM] = {take_f32_store_sum},
    [HANDLER_F32_STORE_SCALED] = {take_f32_store_scaled},
    [HANDLER_F32_STORE_VALUE] = {take_f32_store_value},
    [HANDLER_F32_STORE_SUM_VALUE] = {take_f32_store_sum_value},
    [HANDLER_F64_STORE] = {take_f64_store},
    [HANDLER_F64_STORE_FAR] = {take_f64_store_far},
    [HANDLER_F64_STORE_SUM] = {take_f64_store_sum},
    [HANDLER_F64_STORE_SCALED] = {take_f64_store_scaled},
    [HANDLER_F64_STORE_VALUE] = {take_f64_store_value},
    [HANDLER_F64_STORE_SUM_VALUE] = {take_f64_store_sum_value},
    [HANDLER_I32_STORE8] = {take_i32_store8},
    [HANDLER_I32_STORE8_FAR] = {take_i32_store8_far},
    [HANDLER_I32_STORE8_SUM] = {take_i32_store8_sum},
    [HANDLER_I32_STORE8_VALUE] = {take_i32_store8_value},
    [HANDLER_I32_STORE8_SUM_VALUE] = {take_i32_store8_sum_value},
    [HANDLER_I32_STORE16] = {take_i32_store16},
    [HANDLER_I32_STORE16_FAR] = {take_i32_store16_far},
    [HANDLER_I32_STORE16_SUM] = {take_i32_store16_sum},
    [HANDLER_I32_STORE16_SCALED] = {take_i32_store16_scaled},
    [HANDLER_I32_STORE16_VALUE] = {take_i32_store16_value},
    [HANDLER_I32_STORE16_SUM_VALUE] = {take_i32_store16_sum_value},
    [HANDLER_I64_STORE8] = {take_i64_store8},
    [HANDLER_I64_STORE8_FAR] = {take_i64_store8_far},
    [HANDLER_I64_STORE8_SUM] = {take_i64_store8_sum},
    [HANDLER_I64_STORE8_VALUE] = {take_i64_store8_value},
    [HANDLER_I64_STORE8_SUM_VALUE] = {take_i64_store8_sum_value},
    [HANDLER_I64_STORE16] = {take_i64_store16},
    [HANDLER_I64_STORE16_FAR] = {take_i64_store16_far},
    [HANDLER_I64_STORE16_SUM] = {take_i64_store16_sum},
    [HANDLER_I64_STORE16_SCALED] = {take_i64_store16_scaled},
    [HANDLER_I64_STORE16_VALUE] = {take_i64_store16_value},
    [HANDLER_I64_STORE16_SUM_VALUE] = {take_i64_store16_sum_value},
    [HANDLER_I64_STORE32] = {take_i64_store32},
    [HANDLER_I64_STORE32_FAR] = {take_i64_store32_far},
    [HANDLER_I64_STORE32_SUM] = {take_i64_store32_sum},
    [HANDLER_I64_STORE32_SCALED] = {take_i64_store32_scaled},
    [HANDLER_I64_STORE32_VALUE] = {take_i64_store32_value},
    [HANDLER_I64_STORE32_SUM_VALUE] = {take_i64_store32_sum_value},
    [HANDLER_I32_EQ_SLOTS] = {take_i32_eq_slots},
    [HANDLER_I32_EQ_VALUE] = {take_i32_eq_value},
    [HANDLER_I32_EQ_IF_SLOTS] = {take_i32_eq_if_slots},
    [HANDLER_I32_EQ_UNLESS_SLOTS] = {take_i32_eq_unless_slots},
    [HANDLER_I32_EQ_LOOP_SLOTS] = {take_i32_eq_loop_slots},
    [HANDLER_I32_EQ_IF_VALUE] = {take_i32_eq_if_value},
    [HANDLER_I32_EQ_UNLESS_VALUE] = {take_i32_eq_unless_value},
    [HANDLER_I32_EQ_LOOP_VALUE] = {take_i32_eq_loop_value},
    [HANDLER_I32_NE_SLOTS] = {take_i32_ne_slots},
    [HANDLER_I32_NE_VALUE] = {take_i32_ne_value},
    [HANDLER_I32_NE_IF_SLOTS] = {take_i32_ne_if_slots},
    [HANDLER_I32_NE_UNLESS_SLOTS] = {take_i32_ne_unless_slots},
    [HANDLER_I32_NE_LOOP_SLOTS] = {take_i32_ne_loop_slots},
    [HANDLER_I32_NE_IF_VALUE] = {take_i32_ne_if_value},
    [HANDLER_I32_NE_UNLESS_VALUE] = {take_i32_ne_unless_value},
    [HANDLER_I32_NE_LOOP_VALUE] = {take_i32_ne_loop_value},
    [HANDLER_I32_LT_S_SLOTS] = {take_i32_lt_s_slots},
    [HANDLER_I32_LT_S_VALUE] = {take_i32_lt_s_value},
    [HANDLER_I32_LT_S_FROM] = {take_i32_lt_s_from},
    [HANDLER_I32_LT_S_IF_SLOTS] = {take_i32_lt_s_if_slots},
    [HANDLER_I32_LT_S_UNLESS_SLOTS] = {take_i32_lt_s_unless_slots},
    [HANDLER_I32_LT_S_LOOP_SLOTS] = {take_i32_lt_s_loop_slots},
    [HANDLER_I32_LT_S_IF_VALUE] = {take_i32_lt_s_if_value},
    [HANDLER_I32_LT_S_UNLESS_VALUE] = {take_i32_lt_s_unless_value},
    [HANDLER_I32_LT_S_LOOP_VALUE] = {take_i32_lt_s_loop_value},
    [HANDLER_I32_LT_U_SLOTS] = {take_i32_lt_u_slots},
    [HANDLER_I32_LT_U_VALUE] = {take_i32_lt_u_value},
    [HANDLER_I32_LT_U_FROM] = {take_i32_lt_u_from},
    [HANDLER_I32_LT_U_IF_SLOTS] = {take_i32_lt_u_if_slots},
    [HANDLER_I32_LT_U_UNLESS_SLOTS] = {take_i32_lt_u_unless_slots},
    [HANDLER_I32_LT_U_LOOP_SLOTS] = {take_i32_lt_u_loop_slots},
    [HANDLER_I32_LT_U_IF_VALUE] = {take_i32_lt_u_if_value},
    [HANDLER_I32_LT_U_UNLESS_VALUE] = {take_i32_lt_u_unless_value},
    [HANDLER_I32_LT_U_LOOP_VALUE] = {take_i32_lt_u_loop_value},
    [HANDLER_I32_GT_S_SLOTS] = {take_i32_gt_s_slots},
    [HANDLER_I32_GT_S_VALUE] = {take_i32_gt_s_value},
    [HANDLER_I32_GT_S_FROM] = {take_i32_gt_s_from},
    [HANDLER_I32_GT_S_IF_SLOTS] = {take_i32_gt_s_if_slots},
    [HANDLER_I32_GT_S_UNLESS_SLOTS] = {take_i32_gt_s_unless_slots},
    [HANDLER_I32_GT_S_LOOP_SLOTS] = {take_i32_gt_s_loop_slots},
    [HANDLER_I32_GT_S_IF_VALUE] = {take_i32_gt_s_if_value},
    [HANDLER_I32_GT_S_UNLESS_VALUE] = {take_i32_gt_s_unless_value},
    [HANDLER_I32_GT_S_LOOP_VALUE] = {take_i32_gt_s_loop_value},
    [HANDLER_I32_GT_U_SLOTS] = {take_i32_gt_u_slots},
    [HANDLER_I32_GT_U_VALUE] = {take_i32_gt_u_value},
    [HANDLER_I32_GT_U_FROM] = {take_i32_gt_u_from},
    [HANDLER_I32_GT_U_IF_SLOTS] = {take_i32_gt_u_if_slots},
    [HANDLER_I32_GT_U_UNLESS_SLOTS] = {take_i32_gt_u_unless_slots},
    [HANDLER_I32_GT_U_LOOP_SLOTS] = {take_i32_gt_u_loop_slots},
    [HANDLER_I32_GT_U_IF_VALUE] = {take_i32_gt_u_if_value},
    [HANDLER_I32_GT_U_UNLESS_VALUE] = {take_i32_gt_u_unless_value},
    [HANDLER_I32_GT_U_LOOP_VALUE] = {take_i32_gt_u_loop_value},
    [HANDLER_I32_LE_S_SLOTS] = {take_i32_le_s_slots},
    [HANDLER_I32_LE_S_VALUE] = {take_i32_le_s_value},
    [HANDLER_I32_LE_S_FROM] = {take_i32_le_s_from},
    [HANDLER_I32_LE_S_IF_SLOTS] = {take_i32_le_s_if_slots},
    [HANDLER_I32_LE_S_UNLESS_SLOTS] = {take_i32_le_s_unless_slots},
    [HANDLER_I32_LE_S_LOOP_SLOTS] = {take_i32_le_s_loop_slots},
    [HANDLER_I32_LE_S_IF_VALUE] = {take_i32_le_s_if_value},
    [HANDLER_I32_LE_S_UNLESS_VALUE] = {take_i32_le_s_unless_value},
    [HANDLER_I32_LE_S_LOOP_VALUE] = {take_i32_le_s_loop_value},
    [HANDLER_I32_LE_U_SLOTS] = {take_i32_le_u_slots},
    [HANDLER_I32_LE_U_VALUE] = {take_i32_le_u_value},
    [HANDLER_I32_LE_U_FROM] = {take_i32_le_u_from},
    [HANDLER_I32_LE_U_IF_SLOTS] = {take_i32_le_u_if_slots},
    [HANDLER_I32_LE_U_UNLESS_SLOTS] = {take_i32_le_u_unless_slots},
    [HANDLER_I32_LE_U_LOOP_SLOTS] = {take_i32_le_u_loop_slots},
    [HANDLER_I32_LE_U_IF_VALUE] = {take_i32_le_u_if_value},
    [HANDLER_I32_LE_U_UNLESS_VALUE] = {take_i32_le_u_unless_value},
    [HANDLER_I32_LE_U_LOOP_VALUE] = {take_i32_le_u_loop_value},
    [HANDLER_I32_GE_S_SLOTS] = {take_i32_ge_s_slots},
    [HANDLER_I32_GE_S_VALUE] = {take_i32_ge_s_value},
    [HANDLER_I32_GE_S_FROM] = {take_i32_ge_s_from},
    [HANDLER_I32_GE_S_IF_SLOTS] = {take_i32_ge_s_if_slots},
    [HANDLER_I32_GE_S_UNLESS_SLOTS] = {take_i32_ge_s_unless_slots},
    [HANDLER_I32_GE_S_LOOP_SLOTS] = {take_i32_ge_s_loop_slots},
    [HANDLER_I32_GE_S_IF_VALUE] = {take_i32_ge_s_if_value},
    [HANDLER_I32_GE_S_UNLESS_VALUE] = {take_i32_ge_s_unless_value},
    [HANDLER_I32_GE_S_LOOP_VALUE] = {take_i32_ge_s_loop_value},
    [HANDLER_I32_GE_U_SLOTS] = {take_i32_ge_u_slots},
    [HANDLER_I32_GE_U_VALUE] = {take_i32_ge_u_value},
    [HANDLER_I32_GE_U_FROM] = {take_i32_ge_u_from},
    [HANDLER_I32_GE_U_IF_SLOTS] = {take_i32_ge_u_if_slots},
    [HANDLER_I32_GE_U_UNLESS_SLOTS] = {take_i32_ge_u_unless_slots},
    [HANDLER_I32_GE_U_LOOP_SLOTS] = {take_i32_ge_u_loop_slots},
    [HANDLER_I32_GE_U_IF_VALUE] = {take_i32_ge_u_if_value},
    [HANDLER_I32_GE_U_UNLESS_VALUE] = {take_i32_ge_u_unless_value},
    [HANDLER_I32_GE_U_LOOP_VALUE] = {take_i32_ge_u_loop_value},
    [HANDLER_I64_EQ_SLOTS] = {take_i64_eq_slots},
    [HANDLER_I64_EQ_VALUE] = {take_i64_eq_value},
    [HANDLER_I64_EQ_IF_SLOTS] = {take_i64_eq_if_slots},
    [HANDLER_I64_EQ_UNLESS_SLOTS] = {take_i64_eq_unless_slots},
    [HANDLER_I64_EQ_LOOP_SLOTS] = {take_i64_eq_loop_slots},
    [HANDLER_I64_EQ_IF_VALUE] = {take_i64_eq_if_value},
    [HANDLER_I64_EQ_UNLESS_VALUE] = {take_i64_eq_unless_value},
    [HANDLER_I64_EQ_LOOP_VALUE] = {take_i64_eq_loop_value},
    [HANDLER_I64_NE_SLOTS] = {take_i64_ne_slots},
    [HANDLER_I64_NE_VALUE] = {take_i64_ne_value},
    [HANDLER_I64_NE_IF_SLOTS] = {take_i64_ne_if_slots},
    [HANDLER_I64_NE_UNLESS_SLOTS] = {take_i64_ne_unless_slots},
    [HANDLER_I64_NE_LOOP_SLOTS] = {take_i64_ne_loop_slots},
    [HANDLER_I64_NE_IF_VALUE] = {take_i64_ne_if_value},
    [HANDLER_I64_NE_UNLESS_VALUE] = {take_i64_ne_unless_value},
    [HANDLER_I64_NE_LOOP_VALUE] = {take_i64_ne_loop_value},
    [HANDLER_I64_LT_S_SLOTS] = {take_i64_lt_s_slots},
    [HANDLER_I64_LT_S_VALUE] = {take_i64_lt_s_value},
    [HANDLER_I64_LT_S_FROM] = {take_i64_lt_s_from},
    [HANDLER_I64_LT_S_IF_SLOTS] = {take_i64_lt_s_if_slots},
    [HANDLER_I64_LT_S_UNLESS_SLOTS] = {take_i64_lt_s_unless_slots},
    [HANDLER_I64_LT_S_LOOP_SLOTS] = {take_i64_lt_s_loop_slots},
    [HANDLER_I64_LT_S_IF_VALUE] = {take_i64_lt_s_if_value},
    [HANDLER_I64_LT_S_UNLESS_VALUE] = {take_i64_lt_s_unless_value},
    [HANDLER_I64_LT_S_LOOP_VALUE] = {take_i64_lt_s_loop_value},
    [HANDLER_I64_LT_U_SLOTS] = {take_i64_lt_u_slots},
    [HANDLER_I64_LT_U_VALUE] = {take_i64_lt_u_value},
    [HANDLER_I64_LT_U_FROM] = {take_i64_lt_u_from},
    [HANDLER_I64_LT_U_IF_SLOTS] = {take_i64_lt_u_if_slots},
    [HANDLER_I64_LT_U_UNLESS_SLOTS] = {take_i64_lt_u_unless_slots},
    [HANDLER_I64_LT_U_LOOP_SLOTS] = {take_i64_lt_u_loop_slots},
    [HANDLER_I64_LT_U_IF_VALUE] = {take_i64_lt_u_if_value},
    [HANDLER_I64_LT_U_UNLESS_VALUE] = {take_i64_lt_u_unless_value},
    [HANDLER_I64_LT_U_LOOP_VALUE] = {take_i64_lt_u_loop_value},
    [HANDLER_I64_GT_S_SLOTS] = {take_i64_gt_s_slots},
    [HANDLER_I64_GT_S_VALUE] = {take_i64_gt_s_value},
    [HANDLER_I64_GT_S_FROM] = {take_i64_gt_s_from},
    [HANDLER_I64_GT_S_IF_SLOTS] = {take_i64_gt_s_if_slots},
    [HANDLER_I64_GT_S_UNLESS_SLOTS] = {take_i64_gt_s_unless_slots},
    [HANDLER_I64_GT_S_LOOP_SLOTS] = {take_i64_gt_s_loop_slots},
    [HANDLER_I64_GT_S_IF_VALUE] = {take_i64_gt_s_if_value},
    [HANDLER_I64_GT_S_UNLESS_VALUE] = {take_i64_gt_s_unless_value},
    [HANDLER_I64_GT_S_LOOP_VALUE] = {take_i64_gt_s_loop_value},
    [HANDLER_I64_GT_U_SLOTS] = {take_i64_gt_u_slots},
    [HANDLER_I64_GT_U_VALUE] = {take_i64_gt_u_value},
    [HANDLER_I64_GT_U_FROM] = {take_i64_gt_u_from},
    [HANDLER_I64_GT_U_IF_SLOTS] = {take_i64_gt_u_if_slots},
    [HANDLER_I64_GT_U_UNLESS_SLOTS] = {take_i64_gt_u_unless_slots},
    [HANDLER_I64_GT_U_LOOP_SLOTS] = {take_i64_gt_u_loop_slots},
    [HANDLER_I64_GT_U_IF_VALUE] = {take_i64_gt_u_if_value},
    [HANDLER_I64_GT_U_UNLESS_VALUE] = {take_i64_gt_u_unless_value},
    [HANDLER_I64_GT_U_LOOP_VALUE] = {take_i64_gt_u_loop_value},
    [HANDLER_I64_LE_S_SLOTS] = {take_i64_le_s_slots},
    [HANDLER_I64_LE_S_VALUE] = {take_i64_le_s_value},
    [HANDLER_I64_LE_S_FROM] = {take_i64_le_s_from},
    [HANDLER_I64_LE_S_IF_SLOTS] = {take_i64_le_s_if_slots},
    [HANDLER_I64_LE_S_UNLESS_SLOTS] = {take_i64_le_s_unless_slots},
    [HANDLER_I64_LE_S_LOOP_SLOTS] = {take_i64_le_s_loop_slots},
    [HANDLER_I64_LE_S_IF_VALUE] = {take_i64_le_s_if_value},
    [HANDLER_I64_LE_S_UNLESS_VALUE] = {take_i64_le_s_unless_value},
    [HANDLER_I64_LE_S_LOOP_VALUE] = {take_i64_le_s_loop_value},
    [HANDLER_I64_LE_U_SLOTS] = {take_i64_le_u_slots},
    [HANDLER_I64_LE_U_VALUE] = {take_i64_le_u_value},
    [HANDLER_I64_LE_U_FROM] = {take_i64_le_u_from},
    [HANDLER_I64_LE_U_IF_SLOTS] = {take_i64_le_u_if_slots},
    [HANDLER_I64_LE_U_UNLESS_SLOTS] = {take_i64_le_u_unless_slots},
    [HANDLER_I64_LE_U_LOOP_SLOTS] = {take_i64_le_u_loop_slots},
    [HANDLER_I64_LE_U_IF_VALUE] = {take_i64_le_u_if_value},
    [HANDLER_I64_LE_U_UNLESS_VALUE] = {take_i64_le_u_unless_value},
    [HANDLER_I64_LE_U_LOOP_VALUE] = {take_i64_le_u_loop_value},
    [HANDLER_I64_GE_S_SLOTS] = {take_i64_ge_s_slots},
    [HANDLER_I64_GE_S_VALUE] = {take_i64_ge_s_value},
    [HANDLER_I64_GE_S_FROM] = {take_i64_ge_s_from},
    [HANDLER_I64_GE_S_IF_SLOTS] = {take_i64_ge_s_if_slots},
    [HANDLER_I64_GE_S_UNLESS_SLOTS] = {take_i64_ge_s_unless_slots},
    [HANDLER_I64_GE_S_LOOP_SLOTS] = {take_i64_ge_s_loop_slots},
    [HANDLER_I64_GE_S_IF_VALUE] = {take_i64_ge_s_if_value},
    [HANDLER_I64_GE_S_UNLESS_VALUE] = {take_i64_ge_s_unless_value},
    [HANDLER_I64_GE_S_LOOP_VALUE] = {take_i64_ge_s_loop_value},
    [HANDLER_I64_GE_U_SLOTS] = {take_i64_ge_u_slots},
    [HANDLER_I64_GE_U_VALUE] = {take_i64_ge_u_value},
    [HANDLER_I64_GE_U_FROM] = {take_i64_ge_u_from},
    [HANDLER_I64_GE_U_IF_SLOTS] = {take_i64_ge_u_if_slots},
    [HANDLER_I64_GE_U_UNLESS_SLOTS] = {take_i64_ge_u_unless_slots},
    [HANDLER_I64_GE_U_LOOP_SLOTS] = {take_i64_ge_u_loop_slots},
    [HANDLER_I64_GE_U_IF_VALUE] = {take_i64_ge_u_if_value},
    [HANDLER_I64_GE_U_UNLESS_VALUE] = {take_i64_ge_u_unless_value},
    [HANDLER_I64_GE_U_LOOP_VALUE] = {take_i64_ge_u_loop_value},
    [HANDLER_F32_EQ_SLOTS] = {take_f32_eq_slots},
    [HANDLER_F32_EQ_VALUE] = {take_f32_eq_value},
    [HANDLER_F32_EQ_IF_SLOTS] = {take_f32_eq_if_slots},
    [HANDLER_F32_EQ_UNLESS_SLOTS] = {take_f32_eq_unless_slots},
    [HANDLER_F32_EQ_LOOP_SLOTS] = {take_f32_eq_loop_slots},
    [HANDLER_F32_EQ_IF_VALUE] = {take_f32_eq_if_value},
    [HANDLER_F32_EQ_UNLESS_VALUE] = {take_f32_eq_unless_value},
    [HANDLER_F32_EQ_LOOP_VALUE] = {take_f32_eq_loop_value},
    [HANDLER_F32_NE_SLOTS] = {take_f32_ne_slots},
    [HANDLER_F32_NE_VALUE] = {take_f32_ne_value},
    [HANDLER_F32_NE_IF_SLOTS] = {take_f32_ne_if_slots},
    [HANDLER_F32_NE_UNLESS_SLOTS] = {take_f32_ne_unless_slots},
    [HANDLER_F32_NE_LOOP_SLOTS] = {take_f32_ne_loop_slots},
    [HANDLER_F32_NE_IF_VALUE] = {take_f32_ne_if_value},
    [HANDLER_F32_NE_UNLESS_VALUE] = {take_f32_ne_unless_value},
    [HANDLER_F32_NE_LOOP_VALUE] = {take_f32_ne_loop_value},
    [HANDLER_F32_LT_SLOTS] = {take_f32_lt_slots},
    [HANDLER_F32_LT_VALUE] = {take_f32_lt_value},
    [HANDLER_F32_LT_FROM] = {take_f32_lt_from},
    [HANDLER_F32_LT_IF_SLOTS] = {take_f32_lt_if_slots},
    [HANDLER_F32_LT_UNLESS_SLOTS] = {take_f32_lt_unless_slots},
    [HANDLER_F32_LT_LOOP_SLOTS] = {take_f32_lt_loop_slots},
    [HANDLER_F32_LT_IF_VALUE] = {take_f32_lt_if_value},
    [HANDLER_F32_LT_UNLESS_VALUE] = {take_f32_lt_unless_value},
    [HANDLER_F32_LT_LOOP_VALUE] = {take_f32_lt_loop_value},
    [HANDLER_F32_GT_SLOTS] = {take_f32_gt_slots},
    [HANDLER_F32_GT_VALUE] = {take_f32_gt_value},
    [HANDLER_F32_GT_FROM] = {take_f32_gt_from},
    [HANDLER_F32_GT_IF_SLOTS] = {take_f32_gt_if_slots},
    [HANDLER_F32_GT_UNLESS_SLOTS] = {take_f32_gt_unless_slots},
    [HANDLER_F32_GT_LOOP_SLOTS] = {take_f32_gt_loop_slots},
    [HANDLER_F32_GT_IF_VALUE] = {take_f32_gt_if_value},
    [HANDLER_F32_GT_UNLESS_VALUE] = {take_f32_gt_unless_value},
    [HANDLER_F32_GT_LOOP_VALUE] = {take_f32_gt_loop_value},
    [HANDLER_F32_LE_SLOTS] = {take_f32_le_slots},
    [HANDLER_F32_LE_VALUE] = {take_f32_le_value},
    [HANDLER_F32_LE_FROM] = {take_f32_le_from},
    [HANDLER_F32_LE_IF_SLOTS] = {take_f32_le_if_slots},
    [HANDLER_F32_LE_UNLESS_SLOTS] = {take_f32_le_unless_slots},
    [HANDLER_F32_LE_LOOP_SLOTS] = {take_f32_le_loop_slots},
    [HANDLER_F32_LE_IF_VALUE] = {take_f32_le_if_value},
    [HANDLER_F32_LE_UNLESS_VALUE] = {take_f32_le_unless_value},
    [HANDLER_F32_LE_LOOP_VALUE] = {take_f32_le_loop_value},
    [HANDLER_F32_GE_SLOTS] = {take_f32_ge_slots},
    [HANDLER_F32_GE_VALUE] = {take_f32_ge_value},
    [HANDLER_F32_GE_FROM] = {take_f32_ge_from},
    [HANDLER_F32_GE_IF_SLOTS] = {take_f32_ge_if_slots},
    [HANDLER_F32_GE_UNLESS_SLOTS] = {take_f32_ge_unless_slots},
    [HANDLER_F32_GE_LOOP_SLOTS] = {take_f32_ge_loop_slots},
    [HANDLER_F32_GE_IF_VALUE] = {take_f32_ge_if_value},
    [HANDLER_F32_GE_UNLESS_VALUE] = {take_f32_ge_unless_value},
    [HANDLER_F32_GE_LOOP_VALUE] = {take_f32_ge_loop_value},
    [HANDLER_F64_EQ_SLOTS] = {take_f64_eq_slots},
    [HANDLER_F64_EQ_VALUE] = {take_f64_eq_value},
    [HANDLER_F64_EQ_IF_SLOTS] = {take_f64_eq_if_slots},
    [HANDLER_F64_EQ_UNLESS_SLOTS] = {take_f64_eq_unless_slots},
    [HANDLER_F64_EQ_LOOP_SLOTS] = {take_f64_eq_loop_slots},
    [HANDLER_F64_EQ_IF_VALUE] = {take_f64_eq_if_value},
    [HANDLER_F64_EQ_UNLESS_VALUE] = {take_f64_eq_unless_value},
    [HANDLER_F64_EQ_LOOP_VALUE] = {take_f64_eq_loop_value},
    [HANDLER_F64_NE_SLOTS] = {take_f64_ne_slots},
    [HANDLER_F64_NE_VALUE] = {take_f64_ne_value},
    [HANDLER_F64_NE_IF_SLOTS] = {take_f64_ne_if_slots},
    [HANDLER_F64_NE_UNLESS_SLOTS] = {take_f64_ne_unless_slots},
    [HANDLER_F64_NE_LOOP_SLOTS] = {take_f64_ne_loop_slots},
    [HANDLER_F64_NE_IF_VALUE] = {take_f64_ne_if_value},
    [HANDLER_F64_NE_UNLESS_VALUE] = {take_f64_ne_unless_value},
    [HANDLER_F64_NE_LOOP_VALUE] = {take_f64_ne_loop_value},
    [HANDLER_F64_LT_SLOTS] = {take_f64_lt_slots},
    [HANDLER_F64_LT_VALUE] = {take_f64_lt_value},
    [HANDLER_F64_LT_FROM] = {take_f64_lt_from},
    [HANDLER_F64_LT_IF_SLOTS] = {take_f64_lt_if_slots},
    [HANDLER_F64_LT_UNLESS_SLOTS] = {take_f64_lt_unless_slots},
    [HANDLER_F64_LT_LOOP_SLOTS] = {take_f64_lt_loop_slots},
    [HANDLER_F64_LT_IF_VALUE] = {take_f64_lt_if_value},
    [HANDLER_F64_LT_UNLESS_VALUE] = {take_f64_lt_unless_value},
    [HANDLER_F64_LT_LOOP_VALUE] = {take_f64_lt_loop_value},
    [HANDLER_F64_GT_SLOTS] = {take_f64_gt_slots},
    [HANDLER_F64_GT_VALUE] = {take_f64_gt_value},
    [HANDLER_F64_GT_FROM] = {take_f64_gt_from},
    [HANDLER_F64_GT_IF_SLOTS] = {take_f64_gt_if_slots},
    [HANDLER_F64_GT_UNLESS_SLOTS] = {take_f64_gt_unless_slots},
    [HANDLER_F64_GT_LOOP_SLOTS] = {take_f64_gt_loop_slots},
    [HANDLER_F64_GT_IF_VALUE] = {take_f64_gt_if_value},
    [HANDLER_F64_GT_UNLESS_VALUE] = {take_f64_gt_unless_value},
    [HANDLER_F64_GT_LOOP_VALUE] = {take_f64_gt_loop_value},
    [HANDLER_F64_LE_SLOTS] = {take_f64_le_slots},
    [HANDLER_F64_LE_VALUE] = {take_f64_le_value},
    [HANDLER_F64_LE_FROM] = {take_f64_le_from},
    [HANDLER_F64_LE_IF_SLOTS] = {take_f64_le_if_slots},
    [HANDLER_F64_LE_UNLESS_SLOTS] = {take_f64_le_unless_slots},
    [HANDLER_F64_LE_LOOP_SLOTS] = {take_f64_le_loop_slots},
    [HANDLER_F64_LE_IF_VALUE] = {take_f64_le_if_value},
    [HANDLER_F64_LE_UNLESS_VALUE] = {take_f64_le_unless_value},
    [HANDLER_F64_LE_LOOP_VALUE] = {take_f64_le_loop_value},
    [HANDLER_F64_GE_SLOTS] = {take_f64_ge_slots},
    [HANDLER_F64_GE_VALUE] = {take_f64_ge_value},
    [HANDLER_F64_GE_FROM] = {take_f64_ge_from},
    [HANDLER_F64_GE_IF_SLOTS] = {take_f64_ge_if_slots},
    [HANDLER_F64_GE_UNLESS_SLOTS] = {take_f64_ge_unless_slots},
    [HANDLER_F64_GE_LOOP_SLOTS] = {take_f64_ge_loop_slots},
    [HANDLER_F64_GE_IF_VALUE] = {take_f64_ge_if_value},
    [HANDLER_F64_GE_UNLESS_VALUE] = {take_f64_ge_unless_value},
    [HANDLER_F64_GE_LOOP_VALUE] = {take_f64_ge_loop_value},
    [HANDLER_I32_CLZ] = {take_i32_clz},
    [HANDLER_I32_CTZ] = {take_i32_ctz},
    [HANDLER_I32_POPCNT] = {take_i32_popcnt},
    [HANDLER_I32_ADD_SLOTS] = {take_i32_add_slots},
    [HANDLER_I32_ADD_VALUE] = {take_i32_add_value},
    [HANDLER_I32_SUB_SLOTS] = {take_i32_sub_slots},
    [HANDLER_I32_SUB_VALUE] = {take_i32_sub_value},
    [HANDLER_I32_SUB_FROM] = {take_i32_sub_from},
    [HANDLER_I32_MUL_SLOTS] = {take_i32_mul_slots},
    [HANDLER_I32_MUL_VALUE] = {take_i32_mul_value},
    [HANDLER_I32_DIV_S_SLOTS] = {take_i32_div_s_slots},
    [HANDLER_I32_DIV_S_VALUE] = {take_i32_div_s_value},
    [HANDLER_I32_DIV_S_FROM] = {take_i32_div_s_from},
    [HANDLER_I32_DIV_U_SLOTS] = {take_i32_div_u_slots},
    [HANDLER_I32_DIV_U_VALUE] = {take_i32_div_u_value},
    [HANDLER_I32_DIV_U_FROM] = {take_i32_div_u_from},
    [HANDLER_I32_REM_S_SLOTS] = {take_i32_rem_s_slots},
    [HANDLER_I32_REM_S_VALUE] = {take_i32_rem_s_value},
    [HANDLER_I32_REM_S_FROM] = {take_i32_rem_s_from},
    [HANDLER_I32_REM_U_SLOTS] = {take_i32_rem_u_slots},
    [HANDLER_I32_REM_U_VALUE] = {take_i32_rem_u_value},
    [HANDLER_I32_REM_U_FROM] = {take_i32_rem_u_from},
    [HANDLER_I32_AND_SLOTS] = {take_i32_and_slots},
    [HANDLER_I32_AND_VALUE] = {take_i32_and_value},
    [HANDLER_I32_OR_SLOTS] = {take_i32_or_slots},
    [HANDLER_I32_OR_VALUE] = {take_i32_or_value},
    [HANDLER_I32_XOR_SLOTS] = {take_i32_xor_slots},
    [HANDLER_I32_XOR_VALUE] = {take_i32_xor_value},
    [HANDLER_I32_SHL_SLOTS] = {take_i32_shl_slots},
    [HANDLER_I32_SHL_VALUE] = {take_i32_shl_value},
    [HANDLER_I32_SHL_FROM] = {take_i32_shl_from},
    [HANDLER_I32_SHR_S_SLOTS] = {take_i32_shr_s_slots},
    [HANDLER_I32_SHR_S_VALUE] = {take_i32_shr_s_value},
    [HANDLER_I32_SHR_S_FROM] = {take_i32_shr_s_from},
    [HANDLER_I32_SHR_U_SLOTS] = {take_i32_shr_u_slots},
    [HANDLER_I32_SHR_U_VALUE] = {take_i32_shr_u_value},
    [HANDLER_I32_SHR_U_FROM] = {take_i32_shr_u_from},
    [HANDLER_I32_ROTL_SLOTS] = {take_i32_rotl_slots},
    [HANDLER_I32_ROTL_VALUE] = {take_i32_rotl_value},
    [HANDLER_I32_ROTL_FROM] = {take_i32_rotl_from},
    [HANDLER_I32_ROTR_SLOTS] = {take_i32_rotr_slots},
    [HANDLER_I32_ROTR_VALUE] = {take_i32_rotr_value},
    [HANDLER_I32_ROTR_FROM] = {take_i32_rotr_from},
    [HANDLER_I64_CLZ] = {take_i64_clz},
    [HANDLER_I64_CTZ] = {take_i64_ctz},
    [HANDLER_I64_POPCNT] = {take_i64_popcnt},
    [HANDLER_I64_ADD_SLOTS] = {take_i64_add_slots},
    [HANDLER_I64_ADD_VALUE] = {take_i64_add_value},
    [HANDLER_I64_SUB_SLOTS] = {take_i64_sub_slots},
    [HANDLER_I64_SUB_VALUE] = {take_i64_sub_value},
    [HANDLER_I64_SUB_FROM] = {take_i64_sub_from},
    [HANDLER_I64_MUL_SLOTS] = {take_i64_mul_slots},
    [HANDLER_I64_MUL_VALUE] = {take_i64_mul_value},
    [HANDLER_I64_DIV_S_SLOTS] = {take_i64_div_s_slots},
    [HANDLER_I64_DIV_S_VALUE] = {take_i64_div_s_value},
    [HANDLER_I64_DIV_S_FROM] = {take_i64_div_s_from},
    [HANDLER_I64_DIV_U_SLOTS] = {take_i64_div_u_slots},
    [HANDLER_I64_DIV_U_VALUE] = {take_i64_div_u_value},
    [HANDLER_I64_DIV_U_FROM] = {take_i64_div_u_from},
    [HANDLER_I64_REM_S_SLOTS] = {take_i64_rem_s_slots},
    [HANDLER_I64_REM_S_VALUE] = {take_i64_rem_s_value},
    [HANDLER_I64_REM_S_FROM] = {take_i64_rem_s_from},
    [HANDLER_I64_REM_U_SLOTS] = {take_i64_rem_u_slots},
    [HANDLER_I64_REM_U_VALUE] = {take_i64_rem_u_value},
    [HANDLER_I64_REM_U_FROM] = {take_i64_rem_u_from},
    [HANDLER_I64_AND_SLOTS] = {take_i64_and_slots},
    [HANDLER_I64_AND_VALUE] = {take_i64_and_value},
    [HANDLER_I64_OR_SLOTS] = {take_i64_or_slots},
    [HANDLER_I64_OR_VALUE] = {take_i64_or_value},
    [HANDLER_I64_XOR_SLOTS] = {take_i64_xor_slots},
    [HANDLER_I64_XOR_VALUE] = {take_i64_xor_value},
    [HANDLER_I64_SHL_SLOTS] = {take_i64_shl_slots},
    [HANDLER_I64_SHL_VALUE] = {take_i64_shl_value},
    [HANDLER_I64_SHL_FROM] = {take_i64_shl_from},
    [HANDLER_I64_SHR_S_SLOTS] = {take_i64_shr_s_slots},
    [HANDLER_I64_SHR_S_VALUE] = {take_i64_shr_s_value},
    [HANDLER_I64_SHR_S_FROM] = {take_i64_shr_s_from},
    [HANDLER_I64_SHR_U_SLOTS] = {take_i64_shr_u_slots},
    [HANDLER_I64_SHR_U_VALUE] = {take_i64_shr_u_value},
    [HANDLER_I64_SHR_U_FROM] = {take_i64_shr_u_from},
    [HANDLER_I64_ROTL_SLOTS] = {take_i64_rotl_slots},
    [HANDLER_I64_ROTL_VALUE] = {take_i64_rotl_value},
    [HANDLER_I64_ROTL_FROM] = {take_i64_rotl_from},
    [HANDLER_I64_ROTR_SLOTS] = {take_i64_rotr_slots},
    [HANDLER_I64_ROTR_VALUE] = {take_i64_rotr_value},
    [HANDLER_I64_ROTR_FROM] = {take_i64_rotr_from},
    [HANDLER_F32_ABS] = {take_f32_abs},
    [HANDLER_F32_NEG] = {take_f32_neg},
    [HANDLER_F32_CEIL] = {take_f32_ceil},
    [HANDLER_F32_FLOOR] = {take_f32_floor},
    [HANDLER_F32_TRUNC] = {take_f32_trunc},
    [HANDLER_F32_NEAREST] = {take_f32_nearest},
    [HANDLER_F32_SQRT] = {take_f32_sqrt},
    [HANDLER_F32_ADD_SLOTS] = {take_f32_add_slots},
    [HANDLER_F32_ADD_VALUE] = {take_f32_add_value},
    [HANDLER_F32_SUB_SLOTS] = {take_f32_sub_slots},
    [HANDLER_F32_SUB_VALUE] = {take_f32_sub_value},
    [HANDLER_F32_SUB_FROM] = {take_f32_sub_from},
    [HANDLER_F32_MUL_SLOTS] = {take_f32_mul_slots},
    [HANDLER_F32_MUL_VALUE] = {take_f32_mul_value},
    [HANDLER_F32_DIV_SLOTS] = {take_f32_div_slots},
    [HANDLER_F32_DIV_VALUE] = {take_f32_div_value},
    [HANDLER_F32_DIV_FROM] = {take_f32_div_from},
    [HANDLER_F32_MIN_SLOTS] = {take_f32_min_slots},
    [HANDLER_F32_MIN_VALUE] = {take_f32_min_value},
    [HANDLER_F32_MIN_FROM] = {take_f32_min_from},
    [HANDLER_F32_MAX_SLOTS] = {take_f32_max_slots},
    [HANDLER_F32_MAX_VALUE] = {take_f32_max_value},
    [HANDLER_F32_MAX_FROM] = {take_f32_max_from},
    [HANDLER_F32_COPYSIGN_SLOTS] = {take_f32_copysign_slots},
    [HANDLER_F32_COPYSIGN_VALUE] = {take_f32_copysign_value},
    [HANDLER_F32_COPYSIGN_FROM] = {take_f32_copysign_from},
    [HANDLER_F64_ABS] = {take_f64_abs},
    [HANDLER_F64_NEG] = {take_f64_neg},
    [HANDLER_F64_CEIL] = {take_f64_ceil},
    [HANDLER_F64_FLOOR] = {take_f64_floor},
    [HANDLER_F64_TRUNC] = {take_f64_trunc},
    [HANDLER_F64_NEAREST] = {take_f64_nearest},
    [HANDLER_F64_SQRT] = {take_f64_sqrt},
    [HANDLER_F64_ADD_SLOTS] = {take_f64_add_slots},
    [HANDLER_F64_ADD_VALUE] = {take_f64_add_value},
    [HANDLER_F64_SUB_SLOTS] = {take_f64_sub_slots},
    [HANDLER_F64_SUB_VALUE] = {take_f64_sub_value},
    [HANDLER_F64_SUB_FROM] = {take_f64_sub_from},
    [HANDLER_F64_MUL_SLOTS] = {take_f64_mul_slots},
    [HANDLER_F64_MUL_VALUE] = {take_f64_mul_value},
    [HANDLER_F64_DIV_SLOTS] = {take_f64_div_slots},
    [HANDLER_F64_DIV_VALUE] = {take_f64_div_value},
    [HANDLER_F64_DIV_FROM] = {take_f64_div_from},
    [HANDLER_F64_MIN_SLOTS] = {take_f64_min_slots},
    [HANDLER_F64_MIN_VALUE] = {take_f64_min_value},
    [HANDLER_F64_MIN_FROM] = {take_f64_min_from},
    [HANDLER_F64_MAX_SLOTS] = {take_f64_max_slots},
    [HANDLER_F64_MAX_VALUE] = {take_f64_max_value},
    [HANDLER_F64_MAX_FROM] = {take_f64_max_from},
    [HANDLER_F64_COPYSIGN_SLOTS] = {take_f64_copysign_slots},
    [HANDLER_F64_COPYSIGN_VALUE] = {take_f64_copysign_value},
    [HANDLER_F64_COPYSIGN_FROM] = {take_f64_copysign_from},
    [HANDLER_I32_WRAP_I64] = {take_i32_wrap_i64},
    [HANDLER_I32_TRUNC_F32_S] = {take_i32_trunc_f32_s},
    [HANDLER_I32_TRUNC_F32_U] = {take_i32_trunc_f32_u},
    [HANDLER_I32_TRUNC_F64_S] = {take_i32_trunc_f64_s},
    [HANDLER_I32_TRUNC_F64_U] = {take_i32_trunc_f64_u},
    [HANDLER_I64_EXTEND_I32_S] = {take_i64_extend_i32_s},
    [HANDLER_I64_TRUNC_F32_S] = {take_i64_trunc_f32_s},
    [HANDLER_I64_TRUNC_F32_U] = {take_i64_trunc_f32_u},
    [HANDLER_I64_TRUNC_F64_S] = {take_i64_trunc_f64_s},
    [HANDLER_I64_TRUNC_F64_U] = {take_i64_trunc_f64_u},
    [HANDLER_F32_CONVERT_I32_S] = {take_f32_convert_i32_s},
    [HANDLER_F32_CONVERT_I32_U] = {take_f32_convert_i32_u},
    [HANDLER_F32_CONVERT_I64_S] = {take_f32_convert_i64_s},
    [HANDLER_F32_CONVERT_I64_U] = {take_f32_convert_i64_u},
    [HANDLER_F32_DEMOTE_F64] = {take_f32_demote_f64},
    [HANDLER_F64_CONVERT_I32_S] = {take_f64_convert_i32_s},
    [HANDLER_F64_CONVERT_I32_U] = {take_f64_convert_i32_u},
    [HANDLER_F64_CONVERT_I64_S] = {take_f64_convert_i64_s},
    [HANDLER_F64_CONVERT_I64_U] = {take_f64_convert_i64_u},
    [HANDLER_F64_PROMOTE_F32] = {take_f64_promote_f32},
    [HANDLER_I32_EXTEND8_S] = {take_i32_extend8_s},
    [HANDLER_I32_EXTEND16_S] = {take_i32_extend16_s},
    [HANDLER_I64_EXTEND8_S] = {take_i64_extend8_s},
    [HANDLER_I64_EXTEND16_S] = {take_i64_extend16_s},
    [HANDLER_I64_EXTEND32_S] = {take_i64_extend32_s},
    [HANDLER_I32_TRUNC_SAT_F32_S] = {take_i32_trunc_sat_f32_s},
    [HANDLER_I32_TRUNC_SAT_F32_U] = {take_i32_trunc_sat_f32_u},
    [HANDLER_I32_TRUNC_SAT_F64_S] = {take_i32_trunc_sat_f64_s},
    [HANDLER_I32_TRUNC_SAT_F64_U] = {take_i32_trunc_sat_f64_u},
    [HANDLER_I64_TRUNC_SAT_F32_S] = {take_i64_trunc_sat_f32_s},
    [HANDLER_I64_TRUNC_SAT_F32_U] = {take_i64_trunc_sat_f32_u},
    [HANDLER_I64_TRUNC_SAT_F64_S] = {take_i64_trunc_sat_f64_s},
    [HANDLER_I64_TRUNC_SAT_F64_U] = {take_i64_trunc_sat_f64_u},
    [HANDLER_I32_ADD_ADD_VALUE_SLOTS] = {take_i32_add_add_value_slots},
    [HANDLER_I32_ADD_AND_VALUE_SLOTS] = {take_i32_add_and_value_slots},
    [HANDLER_I32_ADD_OR_VALUE_SLOTS] = {take_i32_add_or_value_slots},
    [HANDLER_I32_ADD_XOR_VALUE_SLOTS] = {take_i32_add_xor_value_slots},
    [HANDLER_I32_MUL_ADD_VALUE_SLOTS] = {take_i32_mul_add_value_slots},
    [HANDLER_I32_MUL_AND_VALUE_SLOTS] = {take_i32_mul_and_value_slots},
    [HANDLER_I32_MUL_OR_VALUE_SLOTS] = {take_i32_mul_or_value_slots},
    [HANDLER_I32_MUL_XOR_VALUE_SLOTS] = {take_i32_mul_xor_value_slots},
    [HANDLER_I32_AND_ADD_VALUE_SLOTS] = {take_i32_and_add_value_slots},
    [HANDLER_I32_AND_AND_VALUE_SLOTS] = {take_i32_and_and_value_slots},
    [HANDLER_I32_AND_OR_VALUE_SLOTS] = {take_i32_and_or_value_slots},
    [HANDLER_I32_AND_XOR_VALUE_SLOTS] = {take_i32_and_xor_value_slots},
    [HANDLER_I32_SHL_ADD_VALUE_SLOTS] = {take_i32_shl_add_value_slots},
    [HANDLER_I32_SHL_AND_VALUE_SLOTS] = {take_i32_shl_and_value_slots},
    [HANDLER_I32_SHL_OR_VALUE_SLOTS] = {take_i32_shl_or_value_slots},
    [HANDLER_I32_SHL_XOR_VALUE_SLOTS] = {take_i32_shl_xor_value_slots},
    [HANDLER_I32_SHR_U_ADD_VALUE_SLOTS] = {take_i32_shr_u_add_value_slots},
    [HANDLER_I32_SHR_U_AND_VALUE_SLOTS] = {take_i32_shr_u_and_value_slots},
    [HANDLER_I32_SHR_U_OR_VALUE_SLOTS] = {take_i32_shr_u_or_value_slots},
    [HANDLER_I32_SHR_U_XOR_VALUE_SLOTS] = {take_i32_shr_u_xor_value_slots},
    [HANDLER_I32_ROTL_ADD_VALUE_SLOTS] = {take_i32_rotl_add_value_slots},
    [HANDLER_I32_ROTL_AND_VALUE_SLOTS] = {take_i32_rotl_and_value_slots},
    [HANDLER_I32_ROTL_OR_VALUE_SLOTS] = {take_i32_rotl_or_value_slots},
    [HANDLER_I32_ROTL_XOR_VALUE_SLOTS] = {take_i32_rotl_xor_value_slots},
    [HANDLER_I32_ROTR_ADD_VALUE_SLOTS] = {take_i32_rotr_add_value_slots},
    [HANDLER_I32_ROTR_AND_VALUE_SLOTS] = {take_i32_rotr_and_value_slots},
    [HANDLER_I32_ROTR_OR_VALUE_SLOTS] = {take_i32_rotr_or_value_slots},
    [HANDLER_I32_ROTR_XOR_VALUE_SLOTS] = {take_i32_rotr_xor_value_slots},
    [HANDLER_I32_ADD_ADD_VALUE_VALUE] = {take_i32_add_add_value_value},
    [HANDLER_I32_ADD_MUL_VALUE_VALUE] = {take_i32_add_mul_value_value},
    [HANDLER_I32_ADD_AND_VALUE_VALUE] = {take_i32_add_and_value_value},
    [HANDLER_I32_ADD_SHL_VALUE_VALUE] = {take_i32_add_shl_value_value},
    [HANDLER_I32_MUL_ADD_VALUE_VALUE] = {take_i32_mul_add_value_value},
    [HANDLER_I32_MUL_MUL_VALUE_VALUE] = {take_i32_mul_mul_value_value},
    [HANDLER_I32_MUL_AND_VALUE_VALUE] = {take_i32_mul_and_value_value},
    [HANDLER_I32_MUL_SHL_VALUE_VALUE] = {take_i32_mul_shl_value_value},
    [HANDLER_I32_AND_ADD_VALUE_VALUE] = {take_i32_and_add_value_value},
    [HANDLER_I32_AND_MUL_VALUE_VALUE] = {take_i32_and_mul_value_value},
    [HANDLER_I32_AND_AND_VALUE_VALUE] = {take_i32_and_and_value_value},
    [HANDLER_I32_AND_SHL_VALUE_VALUE] = {take_i32_and_shl_value_value},
    [HANDLER_I32_SHL_ADD_VALUE_VALUE] = {take_i32_shl_add_value_value},
    [HANDLER_I32_SHL_MUL_VALUE_VALUE] = {take_i32_shl_mul_value_value},
    [HANDLER_I32_SHL_AND_VALUE_VALUE] = {take_i32_shl_and_value_value},
    [HANDLER_I32_SHL_SHL_VALUE_VALUE] = {take_i32_shl_shl_value_value},
    [HANDLER_I32_SHR_U_ADD_VALUE_VALUE] = {take_i32_shr_u_add_value_value},
    [HANDLER_I32_SHR_U_MUL_VALUE_VALUE] = {take_i32_shr_u_mul_value_value},
    [HANDLER_I32_SHR_U_AND_VALUE_VALUE] = {take_i32_shr_u_and_value_value},
    [HANDLER_I32_SHR_U_SHL_VALUE_VALUE] = {take_i32_shr_u_shl_value_value},
    [HANDLER_I32_ADD_ADD_SLOTS_SLOTS] = {take_i32_add_add_slots_slots},
    [HANDLER_I32_ADD_AND_SLOTS_SLOTS] = {take_i32_add_and_slots_slots},
    [HANDLER_I32_ADD_OR_SLOTS_SLOTS] = {take_i32_add_or_slots_slots},
    [HANDLER_I32_ADD_XOR_SLOTS_SLOTS] = {take_i32_add_xor_slots_slots},
    [HANDLER_I32_SUB_ADD_SLOTS_SLOTS] = {take_i32_sub_add_slots_slots},
    [HANDLER_I32_SUB_AND_SLOTS_SLOTS] = {take_i32_sub_and_slots_slots},
    [HANDLER_I32_SUB_OR_SLOTS_SLOTS] = {take_i32_sub_or_slots_slots},
    [HANDLER_I32_SUB_XOR_SLOTS_SLOTS] = {take_i32_sub_xor_slots_slots},
    [HANDLER_I32_MUL_ADD_SLOTS_SLOTS] = {take_i32_mul_add_slots_slots},
    [HANDLER_I32_MUL_AND_SLOTS_SLOTS] = {take_i32_mul_and_slots_slots},
    [HANDLER_I32_MUL_OR_SLOTS_SLOTS] = {take_i32_mul_or_slots_slots},
    [HANDLER_I32_MUL_XOR_SLOTS_SLOTS] = {take_i32_mul_xor_slots_slots},
    [HANDLER_I32_AND_ADD_SLOTS_SLOTS] = {take_i32_and_add_slots_slots},
    [HANDLER_I32_AND_AND_SLOTS_SLOTS] = {take_i32_and_and_slots_slots},
    [HANDLER_I32_AND_OR_SLOTS_SLOTS] = {take_i32_and_or_slots_slots},
    [HANDLER_I32_AND_XOR_SLOTS_SLOTS] = {take_i32_and_xor_slots_slots},
    [HANDLER_I32_OR_ADD_SLOTS_SLOTS] = {take_i32_or_add_slots_slots},
    [HANDLER_I32_OR_AND_SLOTS_SLOTS] = {take_i32_or_and_slots_slots},
    [HANDLER_I32_OR_OR_SLOTS_SLOTS] = {take_i32_or_or_slots_slots},
    [HANDLER_I32_OR_XOR_SLOTS_SLOTS] = {take_i32_or_xor_slots_slots},
    [HANDLER_I32_XOR_ADD_SLOTS_SLOTS] = {take_i32_xor_add_slots_slots},
    [HANDLER_I32_XOR_AND_SLOTS_SLOTS] = {take_i32_xor_and_slots_slots},
    [HANDLER_I32_XOR_OR_SLOTS_SLOTS] = {take_i32_xor_or_slots_slots},
    [HANDLER_I32_XOR_XOR_SLOTS_SLOTS] = {take_i32_xor_xor_slots_slots},
    [HANDLER_I32_ADD_ADD_SLOTS_VALUE] = {take_i32_add_add_slots_value},
    [HANDLER_I32_ADD_MUL_SLOTS_VALUE] = {take_i32_add_mul_slots_value},
    [HANDLER_I32_ADD_AND_SLOTS_VALUE] = {take_i32_add_and_slots_value},
    [HANDLER_I32_ADD_SHL_SLOTS_VALUE] = {take_i32_add_shl_slots_value},
    [HANDLER_I32_ADD_SHR_U_SLOTS_VALUE] = {take_i32_add_shr_u_slots_value},
    [HANDLER_I32_SUB_ADD_SLOTS_VALUE] = {take_i32_sub_add_slots_value},
    [HANDLER_I32_SUB_MUL_SLOTS_VALUE] = {take_i32_sub_mul_slots_value},
    [HANDLER_I32_SUB_AND_SLOTS_VALUE] = {take_i32_sub_and_slots_value},
    [HANDLER_I32_SUB_SHL_SLOTS_VALUE] = {take_i32_sub_shl_slots_value},
    [HANDLER_I32_SUB_SHR_U_SLOTS_VALUE] = {take_i32_sub_shr_u_slots_value},
    [HANDLER_I32_MUL_ADD_SLOTS_VALUE] = {take_i32_mul_add_slots_value},
    [HANDLER_I32_MUL_MUL_SLOTS_VALUE] = {take_i32_mul_mul_slots_value},
    [HANDLER_I32_MUL_AND_SLOTS_VALUE] = {take_i32_mul_and_slots_value},
    [HANDLER_I32_MUL_SHL_SLOTS_VALUE] = {take_i32_mul_shl_slots_value},
    [HANDLER_I32_MUL_SHR_U_SLOTS_VALUE] = {take_i32_mul_shr_u_slots_value},
    [HANDLER_I32_AND_ADD_SLOTS_VALUE] = {take_i32_and_add_slots_value},
    [HANDLER_I32_AND_MUL_SLOTS_VALUE] = {take_i32_and_mul_slots_value},
    [HANDLER_I32_AND_AND_SLOTS_VALUE] = {take_i32_and_and_slots_value},
    [HANDLER_I32_AND_SHL_SLOTS_VALUE] = {take_i32_and_shl_slots_value},
    [HANDLER_I32_AND_SHR_U_SLOTS_VALUE] = {take_i32_and_shr_u_slots_value},
    [HANDLER_I32_OR_ADD_SLOTS_VALUE] = {take_i32_or_add_slots_value},
    [HANDLER_I32_OR_MUL_SLOTS_VALUE] = {take_i32_or_mul_slots_value},
    [HANDLER_I32_OR_AND_SLOTS_VALUE] = {take_i32_or_and_slots_value},
    [HANDLER_I32_OR_SHL_SLOTS_VALUE] = {take_i32_or_shl_slots_value},
    [HANDLER_I32_OR_SHR_U_SLOTS_VALUE] = {take_i32_or_shr_u_slots_value},
    [HANDLER_I32_XOR_ADD_SLOTS_VALUE] = {take_i32_xor_add_slots_value},
    [HANDLER_I32_XOR_MUL_SLOTS_VALUE] = {take_i32_xor_mul_slots_value},
    [HANDLER_I32_XOR_AND_SLOTS_VALUE] = {take_i32_xor_and_slots_value},
    [HANDLER_I32_XOR_SHL_SLOTS_VALUE] = {take_i32_xor_shl_slots_value},
    [HANDLER_I32_XOR_SHR_U_SLOTS_VALUE] = {take_i32_xor_shr_u_slots_value},
    [HANDLER_F32_MUL_ADD_SLOTS_SLOTS] = {take_f32_mul_add_slots_slots},
    [HANDLER_F64_MUL_ADD_SLOTS_SLOTS] = {take_f64_mul_add_slots_slots},
    [HANDLER_I32_ADD_EQ_STEP_SLOTS] = {take_i32_add_eq_step_slots},
    [HANDLER_I32_ADD_EQ_STEP_VALUE] = {take_i32_add_eq_step_value},
    [HANDLER_I32_ADD_EQ_STEP_VALUES] = {take_i32_add_eq_step_values},
    [HANDLER_I32_ADD_NE_STEP_SLOTS] = {take_i32_add_ne_step_slots},
    [HANDLER_I32_ADD_NE_STEP_VALUE] = {take_i32_add_ne_step_value},
    [HANDLER_I32_ADD_NE_STEP_VALUES] = {take_i32_add_ne_step_values},
    [HANDLER_I32_ADD_LT_S_STEP_SLOTS] = {take_i32_add_lt_s_step_slots},
    [HANDLER_I32_ADD_LT_S_STEP_VALUE] = {take_i32_add_lt_s_step_value},
    [HANDLER_I32_ADD_LT_S_STEP_VALUES] = {take_i32_add_lt_s_step_values},
    [HANDLER_I32_ADD_LT_U_STEP_SLOTS] = {take_i32_add_lt_u_step_slots},
    [HANDLER_I32_ADD_LT_U_STEP_VALUE] = {take_i32_add_lt_u_step_value},
    [HANDLER_I32_ADD_LT_U_STEP_VALUES] = {take_i32_add_lt_u_step_values},
    [HANDLER_I32_ADD_GT_S_STEP_SLOTS] = {take_i32_add_gt_s_step_slots},
    [HANDLER_I32_ADD_GT_S_STEP_VALUE] = {take_i32_add_gt_s_step_value},
    [HANDLER_I32_ADD_GT_S_STEP_VALUES] = {take_i32_add_gt_s_step_values},
    [HANDLER_I32_ADD_GT_U_STEP_SLOTS] = {take_i32_add_gt_u_step_slots},
    [HANDLER_I32_ADD_GT_U_STEP_VALUE] = {take_i32_add_gt_u_step_value},
    [HANDLER_I32_ADD_GT_U_STEP_VALUES] = {take_i32_add_gt_u_step_values},
    [HANDLER_I32_ADD_LE_S_STEP_SLOTS] = {take_i32_add_le_s_step_slots},
    [HANDLER_I32_ADD_LE_S_STEP_VALUE] = {take_i32_add_le_s_step_value},
    [HANDLER_I32_ADD_LE_S_STEP_VALUES] = {take_i32_add_le_s_step_values},
    [HANDLER_I32_ADD_LE_U_STEP_SLOTS] = {take_i32_add_le_u_step_slots},
    [HANDLER_I32_ADD_LE_U_STEP_VALUE] = {take_i32_add_le_u_step_value},
    [HANDLER_I32_ADD_LE_U_STEP_VALUES] = {take_i32_add_le_u_step_values},
    [HANDLER_I32_ADD_GE_S_STEP_SLOTS] = {take_i32_add_ge_s_step_slots},
    [HANDLER_I32_ADD_GE_S_STEP_VALUE] = {take_i32_add_ge_s_step_value},
    [HANDLER_I32_ADD_GE_S_STEP_VALUES] = {take_i32_add_ge_s_step_values},
    [HANDLER_I32_ADD_GE_U_STEP_SLOTS] = {take_i32_add_ge_u_step_slots},
    [HANDLER_I32_ADD_GE_U_STEP_VALUE] = {take_i32_add_ge_u_step_value},
    [HANDLER_I32_ADD_GE_U_STEP_VALUES] = {take_i32_add_ge_u_step_values},
    [HANDLER_I32_STORE8_MOVE] = {take_i32_store8_move},
    [HANDLER_I32_STORE8_MOVE_SUM] = {take_i32_store8_move_sum},
    [HANDLER_I32_STORE16_MOVE] = {take_i32_store16_move},
    [HANDLER_I32_STORE16_MOVE_SUM] = {take_i32_store16_move_sum},
    [HANDLER_I32_STORE_MOVE] = {take_i32_store_move},
    [HANDLER_I32_STORE_MOVE_SUM] = {take_i32_store_move_sum},
    [HANDLER_I64_STORE_MOVE] = {take_i64_store_move},
    [HANDLER_I64_STORE_MOVE_SUM] = {take_i64_store_move_sum},
    [HANDLER_I32_ADD_COPY_VALUE] = {take_i32_add_copy_value},
    [HANDLER_I32_ADD_BACK_VALUE] = {take_i32_add_back_value},
};

/* Run until it returns, traps, wants the host, or has spent its budget; why is in `outcome`. */
outcome_t corollary_run(struct machine *vm)
{
    struct memory *own = vm->memory.length != 0 ? vm->memory.at : 0;
    const uint64_t *code = vm->code.at + vm->at;

    return STEPS[(uint16_t)*code].take(code, vm->stack.at + vm->frame, own ? own->bytes.at : 0, own ? own->size : 0,
                                       vm->budget, vm->control.at + vm->depth, vm, STEPS);
}
