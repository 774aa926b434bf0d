"""What does the handler of each operation do in C? The forms are written here once, the meaning comes from the model."""

from codegen import declarations
from codegen.expressions import type_name
from codegen.program import Program
from spec.language.frontend import translate
from spec.wasm import integers
from spec.wasm.internal import LOADS, MOVES, OPERATIONS, STEPS, STORES, Form
from spec.wasm.meaning import BYTES, WORD, fits, is_signed, meaning, trap

SOURCES = ("spec/wasm/internal.py", "spec/wasm/opcodes.py", "spec/wasm/integers.py", "codegen/handlers.py")
MEANING = Program(lambda: list(integers.MEANING.values()), common=(), typed=("spec.wasm.traps",))
A, B, C = "frame[A]", "frame[B]", "frame[C]"
WORD_BEHIND, BY_WORD_BEHIND, LOW, HIGH = "code[1]", "frame[(uint16_t)code[1]]", "LOW", "HIGH"
OPERANDS = {Form.UNARY: (A,), Form.SLOTS: (A, B), Form.VALUE: (A, WORD_BEHIND), Form.FROM: (WORD_BEHIND, A), Form.COPY_VALUE: (A, LOW),
            Form.BACK_VALUE: (A, LOW)}
INNER_OPERANDS = {      # those of the inner instruction, and the second one of the other
    Form.VALUE_SLOTS: (A, WORD_BEHIND, B), Form.VALUE_VALUE: (A, LOW, HIGH), Form.SLOTS_SLOTS: (A, B, BY_WORD_BEHIND),
    Form.SLOTS_VALUE: (A, B, WORD_BEHIND),
    Form.STEP_SLOTS: (A, B, C), Form.STEP_VALUE: (A, LOW, B), Form.STEP_VALUES: (A, LOW, HIGH)}


def values():
    """What the template may lay out."""
    made = [{"name": operation.name, "lines": lines(operation)} for operation in OPERATIONS if operation.form is not Form.OWN]
    functions = [inline(function) for function in MEANING.functions]
    return {"handlers": made, "functions": functions, "table": [operation.name for operation in OPERATIONS], "used": MEANING.word_builtins}


def inline(function):
    """The definition of a function that handlers are made of."""
    text = declarations.definition(function)
    start = next(number for number, line in enumerate(text) if line.startswith(f"{type_name(function.returns)} {function.symbol}("))
    return [*text[:start], f"static inline {text[start]}", *text[start + 1:]]


def lines(operation):
    """The body of the handler of an instruction in some form."""
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
        return ["frame[(uint16_t)HIGH] = frame[B];", *compute(row, form)]
    if form is Form.BACK_VALUE:
        operands = [taken(row, number, where) for number, where in enumerate(OPERANDS[form])]
        return ["SAFE_POINT;", *operands, f"frame[C] = {call(row, 'a', 'b')};", "JUMP(code + 1);"]
    if operation.inner:
        return [*inner(operation.inner, row, form), f"frame[C] = {call(row, 'a', 'b')};", "NEXT(2);"]
    if form in OPERANDS:
        return compute(row, form)
    return branch(row, *form.name.split("_"))


def call(row, *operands):
    """The meaning of an instruction on operands in C."""
    return f"{translate(meaning(row)).symbol}({', '.join(operands)})"


def taken(row, number, where):
    """The declaration of an operand."""
    type_ = type_name(WORD[row.parameters[number]])
    return f"{type_} {'ab'[number]} = {cast(type_, where)};"


def cast(type_, where):
    """An operand of a type."""
    return where if where in (LOW, HIGH) else f"({type_}){where}"


def inner(first, row, form):
    """The declarations of the operands of an instruction whose first one is what another instruction results in."""
    *own, other = INNER_OPERANDS[form]
    type_ = type_name(WORD[first.results[0]])
    return [f"{type_} a = {call(first, *(cast(type_name(WORD[kind]), where) for kind, where in zip(first.parameters, own)))};", taken(row, 1, other)]


def step(row, first, form):
    """A step of a loop and the branch back, if the loop goes on: nothing has changed yet where it is suspended."""
    word = "code" if form is Form.STEP_VALUES else "code + 1"
    target = C if form is Form.STEP_VALUE else A
    return [*inner(first, row, form), f"if ({call(row, 'a', 'b')}) {{", "    SAFE_POINT;", f"    {target} = a;", f"    JUMP({word});", "}",
            f"{target} = a;", "NEXT(2);"]


def move(row, form):
    """Bytes from one place of the memory to another."""
    raw = type_name(BYTES[row.width])
    sums = ("(uint32_t)({} + {})" if form is Form.MOVE_SUM else "(uint64_t)(uint32_t){} + {}").format
    return [f"uint64_t from = {sums(A, LOW)};", f"uint64_t to = {sums(B, HIGH)};", f"IN_MEMORY(from, {row.width});", f"IN_MEMORY(to, {row.width});",
            f"{raw} value;", f"__builtin_memcpy(&value, memory + from, {row.width});", f"__builtin_memcpy(memory + to, &value, {row.width});", "NEXT(2);"]


def compute(row, form):
    """A result from operands."""
    names = "ab"[:len(OPERANDS[form])]
    body = [taken(row, number, where) for number, where in enumerate(OPERANDS[form])]
    if trap(row) is not None:
        body.append(f"TRAP_IF({translate(trap(row)).symbol}({', '.join(names)}));")
    if fits(row) is not None:
        prefix = row.name.split("_")[1][:3]
        body.append(f"if (!{fits(row).__name__}(a))")
        body.append(f"    TRAP({prefix}_ne(a, a) ? TRAP_INVALID_CONVERSION : TRAP_INTEGER_OVERFLOW);")
    return [*body, f"frame[C] = {call(row, *names)};", f"NEXT({1 if {*OPERANDS[form]} <= {A, B} else 2});"]


def branch(row, kind, form):
    """A branch on a comparison."""
    values_ = form == "VALUE"
    word = "code" if values_ else "code + 1"
    condition = call(row, "a", "b")
    body = [taken(row, 0, A), taken(row, 1, WORD_BEHIND if values_ else B)]
    body.append(f"if ({'!' if kind == 'UNLESS' else ''}{condition})")
    body.append(f"    {'BACK' if kind == 'LOOP' else 'JUMP'}({word});")
    return [*body, "NEXT(2);"]


def address(row, form, offset):
    """The declaration of the address of an access, and the words of the operation."""
    scaled = f"((uint32_t)frame[A] << {row.width.bit_length() - 1})" if row.width > 1 else "(uint32_t)frame[A]"
    base, more = {"SUM": ("(uint32_t)(frame[A] + code[1])", offset), "SCALED": (f"(uint32_t)({scaled} + code[1])", offset),
                  "SLOTS": ("(uint32_t)(frame[A] + frame[B])", "(uint32_t)code[1]"), "FAR": ("(uint32_t)frame[A]", "(uint32_t)code[1]")}.get(
        kind(form), ("(uint32_t)frame[A]", offset))
    return f"uint64_t at = (uint64_t){base} + {more};", 1 if form in (Form.LOAD, Form.STORE) else 2


def kind(form):
    """What the address of an access is made of: the word behind the name of the instruction, as forms are called."""
    return "SUM" if form is Form.STORE_SUM_VALUE else form.name.split("_")[-1]


def load(row, form):
    """A value from the memory."""
    raw, held = BYTES[row.width], WORD[row.results[0]]
    value = f"sign_extend_{held.bits}(value, {raw.bits})" if is_signed(row) else "value"
    at, words = address(row, form, "B")
    return [at, f"IN_MEMORY(at, {row.width});", f"{type_name(raw)} value;", f"__builtin_memcpy(&value, memory + at, {row.width});",
            f"frame[C] = {value};", f"NEXT({words});"]


def store(row, form):
    """A value to the memory."""
    raw = type_name(BYTES[row.width])
    at, words = address(row, form, "C")
    source = {Form.STORE_VALUE: WORD_BEHIND, Form.STORE_SUM_VALUE: HIGH}.get(form, B)
    return [at, f"IN_MEMORY(at, {row.width});", f"{raw} value = ({raw}){source};", f"__builtin_memcpy(memory + at, &value, {row.width});",
            f"NEXT({words});"]
