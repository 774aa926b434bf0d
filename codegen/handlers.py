"""What does the handler of each operation do in C?

What each form does is written here once. The fields and the meaning come from the model.
"""

from corollary.codegen import declarations
from corollary.codegen.expressions import type_name
from corollary.codegen.program import Program
from corollary.language.frontend import translate
from corollary.spec.wasm import integers
from corollary.spec.wasm.bytecodes import Form
from corollary.spec.wasm.internal import (
    CONSTANTS,
    FIELDS,
    LOADS,
    MOVES,
    OPERATIONS,
    PLACES,
    SCALED,
    STEPS,
    STORES,
    offset,
)
from corollary.spec.wasm.meaning import BYTES, WORD, fits, is_signed, meaning, trap

SOURCES = (
    "spec/wasm/bytecodes.py",
    "spec/wasm/internal.py",
    "spec/wasm/opcodes.py",
    "spec/wasm/integers.py",
    "codegen/handlers.py",
)
MEANING = Program(lambda: list(integers.MEANING.values()), common=(), typed=("corollary.spec.wasm.traps",))
NUMBERS = {name: name.upper() for name in ("a", "b", "c", "low", "high")} | {
    "value": "code[1]",
    "d": "(uint16_t)code[1]",
    "e": "(uint16_t)HIGH",
}
"""Each field as it is written in C."""
WORDS = ("code", "code + 1")  # of the operation, and behind it


def values():
    """The values that the template may use."""
    made = [
        {"name": operation.name, "lines": lines(operation)}
        for operation in OPERATIONS
        if operation.form is not Form.OWN
    ]
    functions = [declarations.definition(function, before="static inline") for function in MEANING.functions]
    return {
        "handlers": made,
        "functions": functions,
        "table": [operation.name for operation in OPERATIONS],
        "used": MEANING.word_builtins,
    }


def operand(name):
    """A field as an operand: a constant, or the contents of a slot."""
    return NUMBERS[name] if name in CONSTANTS else f"frame[{NUMBERS[name]}]"


def lines(operation):
    """The body of the handler of an instruction in one form."""
    row, form = operation.row, operation.form
    if form in LOADS:
        return load(row, form)
    if form in STORES:
        return store(row, form)
    if form in MOVES:
        return move(row, form)
    if form in STEPS:
        return step(row, operation.inner, form)
    if form is Form.COPY_VALUE:
        return [f"{operand('e')} = {operand('b')};", *compute(row, form)]
    if form is Form.BACK_VALUE:
        return [
            "SAFE_POINT;",
            *both(row, form),
            f"{target(form)} = {call(row, 'a', 'b')};",
            f"JUMP({WORDS[FIELDS[form].leads]});",
        ]
    if operation.inner:
        return [*inner(operation.inner, row, form), f"{target(form)} = {call(row, 'a', 'b')};", following(form)]
    return compute(row, form) if FIELDS[form].changed else branch(row, form)


def target(form):
    """The slot that a result goes to."""
    return operand(*FIELDS[form].changed)


def following(form):
    """The step to the next operation."""
    return f"NEXT({FIELDS[form].words});"


def call(row, *operands):
    """The C call that applies the meaning of an instruction to operands."""
    return f"{translate(meaning(row)).symbol}({', '.join(operands)})"


def both(row, form):
    """The declarations of the one or two operands of an instruction."""
    return [taken(row, number, name) for number, name in enumerate(FIELDS[form].operands)]


def taken(row, number, name):
    """The declaration of an operand."""
    type_ = type_name(WORD[row.parameters[number]])
    return f"{type_} {'ab'[number]} = {cast(type_, name)};"


def cast(type_, name):
    """An operand as a value of a type."""
    return operand(name) if PLACES[name].bits == 32 else f"({type_}){operand(name)}"


def inner(first, row, form):
    """The declarations of the operands of an instruction. Its first operand is the result of another instruction."""
    *own, other = FIELDS[form].operands
    type_ = type_name(WORD[first.results[0]])
    return [
        (
            f"{type_} a = "
            f"{call(first, *(cast(type_name(WORD[kind]), name) for kind, name in zip(first.parameters, own)))};"
        ),
        taken(row, 1, other),
    ]


def step(row, first, form):
    """A step of a loop, and the branch back if the loop goes on.

    If the loop is suspended here, nothing has changed yet.
    """
    return [
        *inner(first, row, form),
        f"if ({call(row, 'a', 'b')}) {{",
        "    SAFE_POINT;",
        f"    {target(form)} = a;",
        f"    JUMP({WORDS[FIELDS[form].leads]});",
        "}",
        f"{target(form)} = a;",
        following(form),
    ]


def move(row, form):
    """The body that copies bytes from one place in memory to another."""
    raw, fields = type_name(BYTES[row.width]), FIELDS[form]
    return [
        f"uint64_t from = {address(row, form, fields.operands)};",
        f"uint64_t to = {address(row, form, fields.changed)};",
        f"IN_MEMORY(from, {row.width});",
        f"IN_MEMORY(to, {row.width});",
        f"{raw} value;",
        f"__builtin_memcpy(&value, memory + from, {row.width});",
        f"__builtin_memcpy(memory + to, &value, {row.width});",
        following(form),
    ]


def compute(row, form):
    """The body that computes a result from operands."""
    body = both(row, form)
    names = "ab"[: len(body)]
    if trap(row) is not None:
        body.append(f"TRAP_IF({translate(trap(row)).symbol}({', '.join(names)}));")
    fitting = fits(row)
    if fitting is not None:
        prefix = row.name.split("_")[1][:3]
        body.append(f"if (!{fitting.__name__}(a))")
        body.append(f"    TRAP({prefix}_ne(a, a) ? TRAP_INVALID_CONVERSION : TRAP_INTEGER_OVERFLOW);")
    return [*body, f"{target(form)} = {call(row, *names)};", following(form)]


def branch(row, form):
    """The body that branches on a comparison."""
    kind, _ = form.name.split("_")
    return [
        *both(row, form),
        f"if ({'!' if kind == 'UNLESS' else ''}{call(row, 'a', 'b')})",
        f"    {'BACK' if kind == 'LOOP' else 'JUMP'}({WORDS[FIELDS[form].leads]});",
        following(form),
    ]


def address(row, form, names):
    """The address that some fields give."""
    first, *more = [operand(name) for name in names if name[0] != "+"]
    if form in SCALED:
        first = f"((uint32_t){first} << {row.width.bit_length() - 1})"
    base = f"(uint32_t)({first} + {more[0]})" if more else f"(uint32_t){first}"
    further = offset(names)
    return f"(uint64_t){base} + {NUMBERS[further]}" if further else base


def load(row, form):
    """The body that loads a value from memory."""
    raw, held = BYTES[row.width], WORD[row.results[0]]
    value = f"sign_extend_{held.bits}(value, {raw.bits})" if is_signed(row) else "value"
    return [
        f"uint64_t at = {address(row, form, FIELDS[form].operands)};",
        f"IN_MEMORY(at, {row.width});",
        f"{type_name(raw)} value;",
        f"__builtin_memcpy(&value, memory + at, {row.width});",
        f"{target(form)} = {value};",
        following(form),
    ]


def store(row, form):
    """The body that stores a value to memory."""
    raw = type_name(BYTES[row.width])
    (stored,) = FIELDS[form].operands
    return [
        f"uint64_t at = {address(row, form, FIELDS[form].changed)};",
        f"IN_MEMORY(at, {row.width});",
        f"{raw} value = ({raw}){operand(stored)};",
        f"__builtin_memcpy(memory + at, &value, {row.width});",
        following(form),
    ]
