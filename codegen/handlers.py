"""What does the handler of each operation do in C? The forms are written here once, the meaning comes from the model."""

from codegen import declarations
from codegen.expressions import type_name
from codegen.program import Program
from spec.language.frontend import translate
from spec.wasm import integers
from spec.wasm.internal import LOADS, OPERATIONS, STORES, Form
from spec.wasm.meaning import BYTES, WORD, fits, is_signed, meaning, trap

SOURCES = ("spec/wasm/internal.py", "spec/wasm/opcodes.py", "spec/wasm/integers.py", "codegen/handlers.py")
MEANING = Program(lambda: list(integers.MEANING.values()), common=(), typed=("spec.wasm.traps",))
OPERANDS = {Form.UNARY: ("A",), Form.SLOTS: ("A", "B"), Form.VALUE: ("A", None), Form.FROM: (None, "A")}


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
    if form in OPERANDS:
        return compute(row, form)
    return branch(row, *form.name.split("_"))


def call(row, *operands):
    """The meaning of an instruction on operands in C."""
    return f"{translate(meaning(row)).symbol}({', '.join(operands)})"


def taken(row, number, where):
    """The declaration of an operand from a slot, or from the word behind."""
    source = f"frame[{where}]" if where else "code[1]"
    return f"{type_name(WORD[row.parameters[number]])} {'ab'[number]} = ({type_name(WORD[row.parameters[number]])}){source};"


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
    return [*body, f"frame[C] = {call(row, *names)};", f"NEXT({2 if None in OPERANDS[form] else 1});"]


def branch(row, kind, form):
    """A branch on a comparison."""
    values_ = form == "VALUE"
    word = "code" if values_ else "code + 1"
    condition = call(row, "a", "b")
    body = [taken(row, 0, "A"), taken(row, 1, None if values_ else "B")]
    body.append(f"if ({'!' if kind == 'UNLESS' else ''}{condition})")
    body.append(f"    {'BACK' if kind == 'LOOP' else 'JUMP'}({word});")
    return [*body, "NEXT(2);"]


def address(row, form, offset):
    """The declaration of the address of an access, and the words of the operation."""
    scaled = f"((uint32_t)frame[A] << {row.width.bit_length() - 1})" if row.width > 1 else "(uint32_t)frame[A]"
    base, more = {"SUM": ("(uint32_t)(frame[A] + code[1])", offset), "SCALED": (f"(uint32_t)({scaled} + code[1])", offset),
                  "SLOTS": ("(uint32_t)(frame[A] + frame[B])", "(uint32_t)code[1]"), "FAR": ("(uint32_t)frame[A]", "(uint32_t)code[1]")}.get(
        form.name.split("_")[-1], ("(uint32_t)frame[A]", offset))
    return f"uint64_t at = (uint64_t){base} + {more};", 1 if form in (Form.LOAD, Form.STORE) else 2


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
    source = "code[1]" if form is Form.STORE_VALUE else "frame[B]"
    return [at, f"IN_MEMORY(at, {row.width});", f"{raw} value = ({raw}){source};", f"__builtin_memcpy(memory + at, &value, {row.width});",
            f"NEXT({words});"]
