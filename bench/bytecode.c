/* What does a scripting language cost that runs on the engine? An interpreter of a small stack machine: each of its
   instructions is a load, a jump through a table and a little work on a stack in memory, the shape of every interpreter
   that is shipped as a WebAssembly module.

   Its program finds the longest Collatz sequence that starts below a bound: a loop in a loop,
   with a condition and a subroutine inside. */

#include <stdint.h>

enum { HALT, PUSH, GET, SET, COPY, ADD, MULTIPLY, AND, SHIFT_RIGHT, EQUAL, LESS, JUMP, JUMP_IF, CALL, RETURN };
enum { START, VALUE, LENGTH, LONGEST, BOUND, VARIABLES };
/* Where the parts begin, and the end. */
enum { EACH_START = 16, EACH_VALUE = 32, ENDED = 64, LONGER = 80, ON = 96, STEP = 112, ODD = 128, SIZE = 144 };
enum { DEPTH = 16, SMALLEST = 24, DIFFERENT = 4 };

static const uint8_t PROGRAM[SIZE] = {
    PUSH, 1, SET, START, PUSH, 0, SET, LONGEST, JUMP, EACH_START,
    [EACH_START] = GET, START, SET, VALUE, PUSH, 0, SET, LENGTH, JUMP, EACH_VALUE,
    [EACH_VALUE] = GET, VALUE, PUSH, 1, EQUAL, JUMP_IF, ENDED, CALL, STEP,
                   GET, LENGTH, PUSH, 1, ADD, SET, LENGTH, JUMP, EACH_VALUE,
    [ENDED] = GET, LONGEST, GET, LENGTH, LESS, JUMP_IF, LONGER, JUMP, ON,
    [LONGER] = GET, LENGTH, SET, LONGEST, JUMP, ON,
    [ON] = GET, START, PUSH, 1, ADD, COPY, SET, START, GET, BOUND, LESS, JUMP_IF, EACH_START, HALT,
    [STEP] = GET, VALUE, COPY, PUSH, 1, AND, JUMP_IF, ODD, PUSH, 1, SHIFT_RIGHT, SET, VALUE, RETURN,
    [ODD] = PUSH, 3, MULTIPLY, PUSH, 1, ADD, SET, VALUE, RETURN,
};

static uint32_t stack[DEPTH], variable[VARIABLES];

static void interpret(const uint8_t *code)
{
    uint32_t at = 0, top = 0, back = 0;
    for (;;) {
        switch (code[at++]) {
        case HALT:
            return;
        case PUSH:
            stack[top++] = code[at++];
            break;
        case GET:
            stack[top++] = variable[code[at++]];
            break;
        case SET:
            variable[code[at++]] = stack[--top];
            break;
        case COPY:
            stack[top] = stack[top - 1];
            top++;
            break;
        case ADD:
            top--;
            stack[top - 1] += stack[top];
            break;
        case MULTIPLY:
            top--;
            stack[top - 1] *= stack[top];
            break;
        case AND:
            top--;
            stack[top - 1] &= stack[top];
            break;
        case SHIFT_RIGHT:
            top--;
            stack[top - 1] >>= stack[top];
            break;
        case EQUAL:
            top--;
            stack[top - 1] = stack[top - 1] == stack[top];
            break;
        case LESS:
            top--;
            stack[top - 1] = stack[top - 1] < stack[top];
            break;
        case JUMP:
            at = code[at];
            break;
        case JUMP_IF:
            at = stack[--top] ? code[at] : at + 1;
            break;
        case CALL:
            back = at + 1;
            at = code[at];
            break;
        case RETURN:
            at = back;
            break;
        }
    }
}

uint32_t run(uint32_t scale)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < scale; i++) {
        variable[BOUND] = SMALLEST + i % DIFFERENT;
        interpret(PROGRAM);
        sum = 31 * sum + variable[LONGEST];
    }
    return sum;
}
