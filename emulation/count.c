/* How many instructions does each function of the kernel take, and each hypercall? QEMU loads this and it counts.
 *
 * What is to be noticed stands in a file: `text-start text-end stack-start stack-end functions`, then for each
 * marked instruction `address kind number`, all hexadecimal. What was counted is written to another file when
 * QEMU ends. For each hypercall `call number instructions stack`, from the vector to the exception return. For each
 * function `function number runs worst boot`: the most instructions of a run, callees included, and its own until a
 * guest runs first. For each function in the hypercalls of an operation `share operation function own`. What did not
 * return does not count.
 *
 * Of the interface of plugins only what is used here is declared, as QEMU 7.2 has it: docs/devel/tcg-plugins.
 */
#define _POSIX_C_SOURCE 200809L /* open_memstream */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct qemu_plugin_tb;
struct qemu_plugin_insn;

enum { VERSION = 1, NO_REGISTERS = 0, ADD = 0, WRITES = 2 };

extern int qemu_plugin_version;
int qemu_plugin_version = VERSION;

int qemu_plugin_install(uint64_t id, const void *information, int argc, char **argv);
void qemu_plugin_register_vcpu_tb_trans_cb(uint64_t id, void (*call)(uint64_t id, struct qemu_plugin_tb *block));
void qemu_plugin_register_atexit_cb(uint64_t id, void (*call)(uint64_t id, void *data), void *data);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *block);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *block, size_t index);
uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *instruction);
void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *instruction,
                                            void (*call)(unsigned int processor, void *data), int flags, void *data);
void qemu_plugin_register_vcpu_insn_exec_inline(struct qemu_plugin_insn *instruction, int operation, void *data,
                                                uint64_t value);
void qemu_plugin_register_vcpu_mem_cb(struct qemu_plugin_insn *instruction,
                                      void (*call)(unsigned int processor, uint32_t information, uint64_t address,
                                                   void *data),
                                      int flags, int access, void *data);

enum { SIZE = 4, DEPTH = 64, NONE = -1 };
/* Kinds of marks. */
enum { CALL = 1, RETURN_POINT = 2, FUNCTION = 4, OPERATION = 8, VECTOR = 16, EXCEPTION_RETURN = 32 };

struct mark {
    unsigned int kind, number;
};

struct counts {
    uint64_t runs, worst;
    uint64_t own, before;       /* of its own, ever; the same when the exception began */
    uint64_t boot;
};

struct frame {
    const struct mark *back;    /* where it returns to; a tail call: where its caller does */
    unsigned int number;
    uint64_t start;
};

static uint64_t text_start, text_end, stack_start, stack_end, functions;
static struct mark *marks;
static unsigned int *owner;     /* the function of each instruction */
static struct counts *function;
static uint64_t *shares;        /* by operation and function */
static struct frame frames[DEPTH];
static int depth;
static const struct mark *expected;     /* the return point of the call that was just made */
static uint64_t counted;                /* instructions of the kernel, ever */
static uint64_t entered, deepest;       /* at the vector; the lowest address of the stack that was written since */
static int performed = NONE;            /* the operation of this hypercall */
static bool booted;
static FILE *calls;                     /* the lines of all hypercalls, in memory */
static char *lines;
static size_t size;
static const char *result;

static void fail(const char *what)
{
    fprintf(stderr, "count: %s\n", what);
    _Exit(EXIT_FAILURE);
}

static void note(struct counts *counts, uint64_t instructions)
{
    counts->runs++;
    if (counts->worst < instructions)
        counts->worst = instructions;
}

/* A function that is reached without a call is a tail call, or goes round a loop that starts with it. */
static void enter(const struct mark *here)
{
    if (expected == NULL && depth > 0 && frames[depth - 1].number == here->number)
        return;
    if (depth == DEPTH)
        fail("calls are nested too deeply");
    const struct mark *back = expected != NULL || depth == 0 ? expected : frames[depth - 1].back;
    frames[depth] = (struct frame){back, here->number, counted};
    depth++;
    expected = NULL;
}

/* Nobody calls himself, so an instruction behind a call is a return point only for what was called there. */
static void leave(const struct mark *here)
{
    while (depth > 0 && frames[depth - 1].back == here) {
        depth--;
        note(&function[frames[depth].number], counted - frames[depth].start);
    }
}

static void begin(void)
{
    depth = 0;
    expected = NULL;
    entered = counted;
    deepest = stack_end;
    performed = NONE;
    for (uint64_t i = 0; i < functions; i++)
        function[i].before = function[i].own;
}

/* This exception return was not counted yet. */
static void end(const struct mark *here)
{
    unsigned int last = owner[here - marks];

    for (uint64_t i = 0; i < functions; i++) {
        uint64_t own = function[i].own - function[i].before + (i == last);
        if (!booted)
            function[i].boot = own;
        else if (performed != NONE)
            shares[(uint64_t)performed * functions + i] += own;
    }
    booted = true;
    if (performed != NONE)
        fprintf(calls, "call %d %" PRIu64 " %" PRIu64 "\n", performed, counted - entered + 1, stack_end - deepest);
}

static void reached(unsigned int processor, void *data)
{
    const struct mark *here = data;

    (void)processor;
    if (here->kind & RETURN_POINT)
        leave(here);
    if (here->kind & VECTOR)
        begin();
    if (here->kind & FUNCTION)
        enter(here);
    if (here->kind & OPERATION && performed == NONE)
        performed = (int)here->number;
    if (here->kind & CALL)
        expected = here + 1;
    if (here->kind & EXCEPTION_RETURN)
        end(here);
}

static void stored(unsigned int processor, uint32_t information, uint64_t address, void *data)
{
    (void)processor, (void)information, (void)data;
    if (address >= stack_start && address < deepest)
        deepest = address;
}

static void translated(uint64_t id, struct qemu_plugin_tb *block)
{
    (void)id;
    for (size_t i = 0; i < qemu_plugin_tb_n_insns(block); i++) {
        struct qemu_plugin_insn *instruction = qemu_plugin_tb_get_insn(block, i);
        uint64_t address = qemu_plugin_insn_vaddr(instruction);

        if (address < text_start || address >= text_end)
            continue;
        uint64_t at = (address - text_start) / SIZE;
        struct mark *mark = &marks[at];
        if (mark->kind != 0)
            qemu_plugin_register_vcpu_insn_exec_cb(instruction, reached, NO_REGISTERS, mark);
        qemu_plugin_register_vcpu_insn_exec_inline(instruction, ADD, &counted, 1);
        qemu_plugin_register_vcpu_insn_exec_inline(instruction, ADD, &function[owner[at]].own, 1);
        qemu_plugin_register_vcpu_mem_cb(instruction, stored, NO_REGISTERS, WRITES, NULL);
    }
}

static void ended(uint64_t id, void *data)
{
    FILE *file = fopen(result, "w");

    (void)id, (void)data;
    if (file == NULL || fclose(calls) != 0 || fputs(lines, file) < 0)
        fail("the result cannot be written");
    for (uint64_t i = 0; i < functions; i++)
        if (function[i].runs + function[i].boot != 0)
            fprintf(file, "function %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n",
                    i, function[i].runs, function[i].worst, function[i].boot);
    for (uint64_t i = 0; i < functions * functions; i++)
        if (shares[i] != 0)
            fprintf(file, "share %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", i / functions, i % functions, shares[i]);
    fclose(file);
}

static void *zeros(uint64_t count, size_t size)
{
    void *made = calloc(count, size);

    if (made == NULL)
        fail("no memory");
    return made;
}

static void read_marks(const char *path)
{
    FILE *file = fopen(path, "r");
    uint64_t address;
    struct mark mark;

    if (file == NULL || fscanf(file, "%" SCNx64 " %" SCNx64 " %" SCNx64 " %" SCNx64 " %" SCNx64,
                               &text_start, &text_end, &stack_start, &stack_end, &functions) != 5)
        fail("there are no marks");
    uint64_t instructions = (text_end - text_start) / SIZE;
    marks = zeros(instructions, sizeof(*marks));
    owner = zeros(instructions, sizeof(*owner));
    function = zeros(functions, sizeof(*function));
    shares = zeros(functions * functions, sizeof(*shares));
    while (fscanf(file, "%" SCNx64 " %x %x", &address, &mark.kind, &mark.number) == 3) {
        if (address < text_start || address >= text_end || mark.number >= functions)
            fail("a mark is out of range");
        marks[(address - text_start) / SIZE] = mark;
    }
    for (uint64_t i = 0; i < instructions; i++)
        owner[i] = marks[i].kind & FUNCTION ? marks[i].number : i > 0 ? owner[i - 1] : 0;
    fclose(file);
}

static const char *argument(const char *name, int argc, char **argv)
{
    for (int i = 0; i < argc; i++)
        if (strncmp(argv[i], name, strlen(name)) == 0 && argv[i][strlen(name)] == '=')
            return argv[i] + strlen(name) + 1;
    fail("an argument is missing");
    return NULL;
}

int qemu_plugin_install(uint64_t id, const void *information, int argc, char **argv)
{
    (void)information;
    read_marks(argument("marks", argc, argv));
    result = argument("result", argc, argv);
    calls = open_memstream(&lines, &size);
    if (calls == NULL)
        fail("no memory");
    qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
    qemu_plugin_register_atexit_cb(id, ended, NULL);
    return 0;
}
