"""Is everything outside the language refused by name, at its own line, with a suggestion of what to write instead?"""

import ast
import copy
import random

import pytest

from corollary.language.frontend import translate
from corollary.language.types import LanguageError
from tests.language import shapes, zee
from tests.language.generator import HEADER, fill, plain, program, random_scalar
from tests.language.test_readings import load

MUTANTS, SEED = 500, 77

# name, part of the message, the body of `f(s: State, x: u8, y: u16, k: Kind, ok: bool, at: Slot, h: Heap) -> u8`;
# the offending line ends in "# here"
BODIES = [
    ("endless loop", "nothing shows that the loop ends", "while ok:  # here\n    pass\nreturn x"),
    (
        "loop without a measure",
        "nothing shows that the loop ends",
        "while ok:  # here\n    maintains(ok)\n    pass\nreturn x",
    ),
    (
        "loop with two measures",
        "nothing shows that the loop ends",
        "while ok:  # here\n    decreases(x)\n    decreases(y)\nreturn x",
    ),
    (
        "measure behind a statement",
        "nothing shows that the loop ends",
        "while ok:  # here\n    x = 1\n    decreases(x)\nreturn x",
    ),
    (
        "promise behind a statement",
        "is about no loop",
        "while ok:\n    decreases(x)\n    x = 1\n    maintains(ok)  # here\nreturn x",
    ),
    ("measure of a counted loop", "is about no loop", "for i in range(2):\n    decreases(x)  # here\nreturn x"),
    ("promise of no loop", "is about no loop", "maintains(ok)  # here\nreturn x"),
    ("bool as a measure", "cannot fall for ever", "while ok:  # here\n    decreases(ok)\nreturn x"),
    ("enumerator as a measure", "cannot fall for ever", "while ok:  # here\n    decreases(k)\nreturn x"),
    ("flags as a measure", "cannot fall for ever", "while ok:  # here\n    decreases(s.inner.rights)\nreturn x"),
    ("constant as a measure", "cannot fall for ever", "while ok:  # here\n    decreases(3)\nreturn x"),
    ("record as a measure", "not a scalar", "while ok:\n    decreases(h)  # here\nreturn x"),
    ("measure of two numbers", "takes 1 positional", "while ok:\n    decreases(x, y)  # here\nreturn x"),
    ("number as a promise", "not a bool", "while ok:\n    maintains(x)  # here\n    decreases(x)\nreturn x"),
    (
        "effect in a promise",
        "has effects",
        "while ok:\n    maintains(effect(s) == x)  # here\n    decreases(x)\nreturn x",
    ),
    ("number as the condition of a loop", "not a bool", "while x:  # here\n    decreases(x)\nreturn x"),
    ("loop with an alternative", "no `else`", "while ok:  # here\n    decreases(x)\nelse:\n    x = 1\nreturn x"),
    ("name after its while", "`q` is unknown", "while ok:\n    decreases(x)\n    q = x\nreturn q  # here"),
    ("loop as the end", "can end without a value", "while ok:\n    decreases(x)\n    return x"),
    ("length of an array", "is a u64[4], not a slice", "return u8(length(s.words))  # here"),
    ("length of a record", "is a Heap, not a slice", "return u8(length(h))  # here"),
    ("length of a scalar", "is not a place", "return u8(length(x))  # here"),
    ("length of two", "takes 1 positional", "return u8(length(h.data, h.text))  # here"),
    ("unused length", "thrown away", "length(h.data)  # here\nreturn x"),
    ("whole slice", "cannot be assigned as a whole", "h.data = h.text  # here\nreturn x"),
    ("slice as value", "not a scalar", "return h.data  # here"),
    ("record of a slice as a whole", "cannot be assigned as a whole", "h.cells[0] = h.inner  # here\nreturn x"),
    ("bool as a place in a slice", "not a position", "return h.data[ok]  # here"),
    ("clear of a slice", "not cleared as a whole", "clear(h.data)  # here\nreturn x"),
    ("clear of a record with slices", "not cleared as a whole", "clear(h)  # here\nreturn x"),
    ("word of a record with slices", "holds a slice", "return u8.truncate(word(h, 0))  # here"),
    ("slice as local", "not a record or array", "q = local(Slice[u8])  # here\nreturn x"),
    ("move of records", "has no elements", "move(h.cells, 0, h.cells, 1, 1)  # here\nreturn x"),
    ("move from words", "has no elements", "move(h.data, 0, h.words, 1, 1)  # here\nreturn x"),
    ("move to an array", "has no elements", "move(s.row[at].marks, 0, h.data, 1, 1)  # here\nreturn x"),
    ("fill of records", "has no elements", "fill(h.cells, 0, 0, 1)  # here\nreturn x"),
    ("fill with a wide number", "is a u16, not a u8", "fill(h.data, 0, y, 1)  # here\nreturn x"),
    ("fill with too much", "256 is not a u8", "fill(h.data, 0, 256, 1)  # here\nreturn x"),
    ("move of four arguments", "takes 5 positional", "move(h.data, 0, h.text, 1)  # here\nreturn x"),
    ("fill of five arguments", "takes 4 positional", "fill(h.data, 0, h.text, 0, 1)  # here\nreturn x"),
    ("bool as a number of bytes", "is a bool, not a u64", "fill(h.data, 0, 0, ok)  # here\nreturn x"),
    ("shift of an index", "needs a machine integer, not a Lane", "q = shift_left(Lane, 3, 1)  # here\nreturn x"),
    ("quotient of a short index", "every bit pattern", "q = signed_divide(Slot, at, at)  # here\nreturn x"),
    ("shift of a bool", "every bit pattern", "ok = shift_left(boolean, ok, ok)  # here\nreturn x"),
    ("shift without a type", "every bit pattern", "q = shift_left(x, x, 1)  # here\nreturn x"),
    ("shift of a wider number", "is a u16, not a u8", "q = shift_left(u8, y, 1)  # here\nreturn x"),
    ("shift of nothing", "takes 3 positional", "q = shift_left(u8, x)  # here\nreturn x"),
    ("extension by a variable", "width is not a constant", "q = sign_extend(u8, x, x)  # here\nreturn x"),
    ("extension of nothing", "width is not a constant", "q = sign_extend(u8, x, 0)  # here\nreturn x"),
    ("extension beyond the type", "width is not a constant", "q = sign_extend(u8, x, 9)  # here\nreturn x"),
    ("try", "Try", "try:  # here\n    pass\nexcept ValueError:\n    pass\nreturn x"),
    ("raise", "Raise", "raise ValueError  # here"),
    ("with", "With", "with ok:  # here\n    pass\nreturn x"),
    ("assert", "Assert", "assert ok  # here\nreturn x"),
    ("delete", "Delete", "del x  # here\nreturn x"),
    ("global", "Global", "global LIMIT  # here\nreturn x"),
    ("import", "Import", "import os  # here\nreturn x"),
    ("import from", "ImportFrom", "from os import path  # here\nreturn x"),
    ("inner function", "FunctionDef", "def g():  # here\n    pass\nreturn x"),
    ("inner class", "ClassDef", "class G:  # here\n    pass\nreturn x"),
    ("match", "Match", "match x:  # here\n    case _:\n        pass\nreturn x"),
    ("break", "Break", "for i in range(2):\n    break  # here\nreturn x"),
    ("continue", "Continue", "for i in range(2):\n    continue  # here\nreturn x"),
    ("lambda", "Lambda", "return lambda: 0  # here"),
    ("comprehension", "ListComp", "q = [i for i in s.row]  # here\nreturn x"),
    ("list", "List", "q = [x]  # here\nreturn x"),
    ("dict", "Dict", "q = {x: y}  # here\nreturn x"),
    ("tuple", "Tuple", "q = (x, y)  # here\nreturn x"),
    ("format string", "JoinedStr", "return f'{x}'  # here"),
    ("walrus", "NamedExpr", "return (q := x)  # here"),
    ("slice", "Slice", "return s.words[0:1]  # here"),
    ("float", "1.5", "return 1.5  # here"),
    ("string", "'x'", "return 'x'  # here"),
    ("None", "None", "q = None  # here\nreturn x"),
    ("power", "Pow", "return x ** x  # here"),
    ("true division", "Div", "return x / x  # here"),
    ("negation", "USub", "return -x  # here"),
    ("complement", "Invert", "return ~x  # here"),
    ("identity", "Is", "return x if x is x else x  # here"),
    ("membership", "In", "return x if x in x else x  # here"),
    ("keyword arguments", "positional", "return minimum(a=x, b=x)  # here"),
    ("mixed flags", "Right and u8", "return x if s.inner.rights == x else x  # here"),
    ("mixed enums", "Kind and Gap", "return x if k == s.row[at].gap else x  # here"),
    ("bool as number", "arithmetic on bool", "return x + ok  # here"),
    ("arithmetic on bool", "arithmetic on bool", "ok = ok << ok  # here\nreturn x"),
    ("arithmetic on an enum", "arithmetic on Kind", "k = k + k  # here\nreturn x"),
    ("shift of flags", "arithmetic on Right", "s.inner.rights = s.inner.rights << 1  # here\nreturn x"),
    ("order of enums", "no order", "return x if k < Kind.PAGE else x  # here"),
    ("minimum of enums", "minimum on Kind", "k = minimum(k, Kind.PAGE)  # here\nreturn x"),
    ("without on bool", "without on bool", "ok = without(ok, ok)  # here\nreturn x"),
    ("narrowing", "is a u16, not a u8", "return y  # here"),
    ("narrowing store", "is a u16, not a u8", "s.inner.level = y  # here\nreturn x"),
    ("narrowing argument", "is a u16, not a u8", "q = helper(y)  # here\nreturn x"),
    ("number as condition", "not a bool", "if x:  # here\n    pass\nreturn x"),
    ("number in and", "not a bool", "ok = ok and x  # here\nreturn x"),
    ("literal too large", "256 is not a u8", "return 256  # here"),
    ("negative literal", "`3 - 5` is not a u64", "return 3 - 5  # here"),
    ("division of constants by zero", "`1 // 0` is not a u64", "return 1 // 0  # here"),
    ("huge constant", "is not a u64", "return x if x < 0x1_0000_0000_0000_0000 else x  # here"),
    ("open shift", "no type", "return 1 << x  # here"),
    ("open comparison", "open type", "return x if 1 < 2 else x  # here"),
    ("open local", "type of q is open", "q = 3  # here\nreturn x"),
    ("wrong index type", "indexed by Slot, this is a u8", "return s.row[x].marks[0]  # here"),
    ("index of another table", "indexed by Lane, this is a Slot", "q = s.lane[at]  # here\nreturn x"),
    ("constant index out of range", "9 is not a Slot", "return s.row[9].marks[0]  # here"),
    ("constant position out of range", "index 3 is outside u8[3]", "return s.row[at].marks[3]  # here"),
    ("constant tuple out of range", "index 5 is outside a tuple", "return BYTES[5]  # here"),
    ("bool as position", "not a position", "return s.row[at].marks[ok]  # here"),
    ("subscript of a record", "is not a table", "return s.inner[0]  # here"),
    ("unknown field", "no field nothing", "return s.nothing  # here"),
    ("whole record", "cannot be assigned as a whole", "s.inner = s.cell[0]  # here\nreturn x"),
    ("whole array", "cannot be assigned as a whole", "s.words = s.words  # here\nreturn x"),
    ("record as value", "not a scalar", "return s.inner  # here"),
    ("record in a comparison", "not a scalar", "return x if s == s else x  # here"),
    ("effect in an expression", "has effects", "return 1 + effect(s)  # here"),
    ("effect in a condition", "has effects", "if effect(s) == x:  # here\n    pass\nreturn x"),
    (
        "effect on the position it is stored to",
        "may change the position",
        "s.row[s.seat].marks[0] = effect(s)  # here\nreturn x",
    ),
    ("unused expression", "not used", "x  # here\nreturn x"),
    ("unused comparison", "not used", "x == x  # here\nreturn x"),
    ("unused result", "thrown away", "helper(x)  # here\nreturn x"),
    ("unused conversion", "thrown away", "u8(x)  # here\nreturn x"),
    ("unused builtin", "thrown away", "minimum(x, x)  # here\nreturn x"),
    ("no result", "no value", "return x + idle(x)  # here"),
    ("range of a variable", "not a constant", "for i in range(x):  # here\n    pass\nreturn x"),
    ("range with a start", "constant range", "for i in range(1, 3):  # here\n    pass\nreturn x"),
    ("loop over a table", "constant range", "for row in s.row:  # here\n    pass\nreturn x"),
    ("loop with else", "constant range", "for i in range(2):  # here\n    pass\nelse:\n    x = 1\nreturn x"),
    ("loop over two names", "constant range", "for i, j in range(2):  # here\n    pass\nreturn x"),
    ("assigned loop variable", "counts the rounds", "for i in range(2):\n    i = i + 1  # here\nreturn x"),
    ("unknown name", "`q` is unknown", "return q  # here"),
    ("name after its loop", "`i` is unknown", "for i in range(2):\n    pass\nreturn u8(i)  # here"),
    ("name after its branch", "`q` is unknown", "if ok:\n    q = x\nreturn q  # here"),
    (
        "place after its branch",
        "`row` is not a place",
        "if ok:\n    row = s.row[at]\nx = row.marks[0]  # here\nreturn x",
    ),
    ("alias given twice", "already in use", "row = s.row[at]\nrow = s.row[0]  # here\nreturn x"),
    ("alias over a scalar", "not a scalar", "x = s.inner  # here\nreturn x"),
    ("loop variable over a parameter", "already in use", "for x in range(2):  # here\n    pass\nreturn x"),
    ("another type", "already means something else", "x: u16 = 1  # here\nreturn 1"),
    ("constant shadowed", "constant of the module", "LIMIT = x  # here\nreturn x"),
    ("constant shadowed by a loop", "constant of the module", "for LIMIT in range(2):  # here\n    pass\nreturn x"),
    ("type as value", "`u8` is unknown here, or not a constant", "return u8  # here"),
    ("call of a value", "not a function", "return x()  # here"),
    ("call of a Python builtin", "not a function", "return len(s.row)  # here"),
    ("too few arguments", "takes 1 arguments, not 0", "return helper()  # here"),
    ("too few for a builtin", "takes 2 positional", "return minimum(x)  # here"),
    ("too many for a conversion", "takes one value", "return u8(x, x)  # here"),
    ("bool conversion", "bool() is not", "ok = bool(x)  # here\nreturn x"),
    ("boolean conversion", "conversion to bool", "ok = boolean(x)  # here\nreturn x"),
    ("truncation to bool", "every bit pattern", "ok = boolean.truncate(x)  # here\nreturn x"),
    ("truncation to an enum", "every bit pattern", "k = Kind.truncate(x)  # here\nreturn x"),
    ("truncation to a short index", "every bit pattern", "at = Slot.truncate(x)  # here\nreturn x"),
    ("truncation of an open constant", "no type to truncate", "return u8.truncate(300)  # here"),
    ("bool as an enumerator", "a bool is not a Kind", "k = Kind(ok)  # here\nreturn x"),
    (
        "wrapping at a bound that is no power of two",
        "every bit pattern",
        "at = wrapping_add(Slot, at, at)  # here\nreturn x",
    ),
    ("rotation by a variable", "not a constant", "q = rotate_right(u32(x), x)  # here\nreturn x"),
    ("rotation by nothing", "not a constant", "q = rotate_right(u32(x), 0)  # here\nreturn x"),
    ("word outside", "word number", "q = word(s.inner, 9)  # here\nreturn x"),
    ("word of an array", "not a record", "q = word(s.words, 0)  # here\nreturn x"),
    ("clear of a scalar", "not a record or array", "clear(s.tick)  # here\nreturn x"),
    ("clear of nothing", "takes 1", "clear()  # here\nreturn x"),
    ("scalar as local", "not a record or array", "q = local(u8)  # here\nreturn x"),
    ("unknown type", "is not a type", "q: unheard = 1  # here\nreturn x"),
    ("declaration without a value", "declares a scalar", "q: u8  # here\nreturn x"),
    ("two targets", "one target", "x = q = 1  # here\nreturn x"),
    ("return without a value", "declared return type", "return  # here"),
    ("decorated field", "is not a place", "x.field = 1  # here\nreturn x"),
    ("another record", "inner is a Inner, not a Row", "nothing(s.row[at])  # here\nreturn x"),
    ("recursion", "f calls itself", "return f(s, x, y, k, ok, at, h)"),
]
PRELUDE = (
    HEADER
    + """
def helper(a: u8) -> u8:
    return a


def effect(s: State) -> u8:
    s.tick = 1
    return 0


def nothing(inner: Inner) -> None:
    inner.level = 0


def idle(a: u8) -> None:
    pass


"""
)
SIGNATURE = "def f(s: State, x: u8, y: u16, k: Kind, ok: bool, at: Slot, h: Heap) -> u8:\n"
# name, part of the message, a whole definition of `f`
DEFINITIONS = [
    ("missing annotation", "parameter x has no type", "def f(x) -> u8:  # here\n    return 1\n"),
    ("missing return type", "return type is missing", "def f(x: u8):  # here\n    return x\n"),
    ("aggregate result", "returns", "def f(s: State) -> State:  # here\n    return s\n"),
    ("foreign type", "is not a type", "def f(x: int) -> u8:  # here\n    return 1\n"),
    ("string annotation", "is not a type", "def f(x: 'u8') -> u8:  # here\n    return 1\n"),
    ("default", "no defaults", "def f(x: u8 = 1) -> u8:  # here\n    return x\n"),
    ("keyword only", "no defaults", "def f(*, x: u8) -> u8:  # here\n    return x\n"),
    ("positional only", "no defaults", "def f(x: u8, /) -> u8:  # here\n    return x\n"),
    ("variadic", "no defaults", "def f(*x: u8) -> u8:  # here\n    return 1\n"),
    ("open end", "can end without a value", "def f(x: u8) -> u8:  # here\n    if x == 1:\n        return x\n"),
    ("no body", "can end without a value", "def f(x: u8) -> u8:  # here\n    pass\n"),
    ("value from nothing", "declared return type", "def f(x: u8) -> None:\n    return x  # here\n"),
    ("slice as parameter", "is not a type", "def f(h: Slice[u8]) -> u8:  # here\n    return h[0]\n"),
    ("async", "not a plain `def`", "async def f(x: u8) -> u8:  # here\n    return x\n"),
    ("lambda", "not a plain `def`", "f = lambda x: x  # here\n"),
    (
        "mutual recursion",
        "calls itself",
        "def g(x: u8) -> u8:\n    return f(x)\n\n\ndef f(x: u8) -> u8:  # here\n    return g(x)\n",
    ),
]


def cases():
    """Return every rejected program: name, part of the message, source of a module."""
    for name, message, body in BODIES:
        lines = "".join(f"    {line}\n" for line in body.splitlines())
        head = SIGNATURE if "# here" in body else SIGNATURE.replace("\n", "  # here\n")
        yield pytest.param(message, PRELUDE + head + lines, id=name)
    for name, message, text in DEFINITIONS:
        yield pytest.param(message, PRELUDE + text, id=name)


@pytest.mark.parametrize("message, source", list(cases()))
def test_a_rejected_program_is_told_where_what_and_what_instead(message, source, tmp_path):
    module = load(tmp_path, "rejected", source)
    with pytest.raises(LanguageError) as caught:
        translate(module.f)
    error = caught.value
    line = next(number for number, text in enumerate(source.splitlines(), 1) if text.endswith("# here"))
    assert (error.file, error.line) == (str(tmp_path / "rejected.py"), line), str(error)
    assert message in error.message
    assert error.instead and str(error).startswith(f"{error.file}:{line}: ")


def test_a_refused_function_stays_refused(tmp_path):
    module = load(tmp_path, "twice", PRELUDE + SIGNATURE + "    return y\n")
    for _ in range(2):
        with pytest.raises(LanguageError):
            translate(module.f)


EXPRESSIONS = [
    "lambda: 0",
    "[1]",
    "{1: 2}",
    "{1}",
    "1.5",
    "'x'",
    "b'x'",
    "None",
    "...",
    "(1, 2)",
    "f'{x}'",
    "(q := 1)",
    "-x",
    "+x",
    "~x",
    "x ** 2",
    "x @ y",
    "x / y",
    "x is y",
    "x in y",
    "not x",
    "x and y",
    "s",
    "s.row",
    "s.lane",
    "s.row[0]",
    "s.nothing",
    "s.row[at].kind",
    "x",
    "y",
    "at",
    "seed",
    "unknown",
    "LIMIT",
    "LARGE",
    "Kind",
    "Kind.PAGE",
    "Kind.NOTHING",
    "Kind(1)",
    "Kind(x)",
    "Kind['PAGE']",
    "u8",
    "u8()",
    "u8(x, y)",
    "u8(x)",
    "u64(y)",
    "Slot(x)",
    "Slot(9)",
    "Slot(s.ready)",
    "Lane(at)",
    "Right(x)",
    "bool(x)",
    "boolean(x)",
    "boolean.truncate(x)",
    "Kind.truncate(x)",
    "Slot.truncate(x)",
    "Lane.truncate(x)",
    "u8.truncate()",
    "u8.truncate(300)",
    "u8.truncate(1 if s.ready else 2)",
    "u8.truncate(s.ready)",
    "x.truncate(y)",
    "minimum(x)",
    "minimum(x, y)",
    "minimum(True, False)",
    "minimum(1, 2)",
    "minimum(*x)",
    "saturating_sub(x, 300)",
    "without(x, y)",
    "subset(x, y)",
    "rotate_right(x, y)",
    "rotate_right(x, 0)",
    "rotate_right(x)",
    "byte_swap()",
    "byte_swap(x)",
    "word(s, 0)",
    "word(x, 0)",
    "word(s.row, 0)",
    "word(s.inner, 9)",
    "word(s.inner, 0)",
    "word(s.row[at], 1)",
    "word(s)",
    "clear(s)",
    "local(Inner)",
    "len(s.row)",
    "range(3)",
    "print(x)",
    "x.y",
    "x[0]",
    "x()",
    "s()",
    "s.row()",
    "BYTES",
    "BYTES[9]",
    "BYTES[x]",
    "BYTES[1 if s.ready else 2]",
    "BYTES[s.ready]",
    "BYTES['x']",
    "NAMES_OF_NOTHING[0]",
    "implies(x)",
    "implies(x, y)",
    "wrapping_add(Slot, x, y)",
    "wrapping_add(bool, x, y)",
    "wrapping_add(1, x, y)",
    "wrapping_sub(u8, x)",
    "wrapping_sub(Lane, at, 3)",
    "shift_left(Lane, at, 3)",
    "shift_left(u8, x, 9)",
    "signed_divide(u8, x, 0)",
    "signed_less(u64, x, 3)",
    "sign_extend(u16, x, 3)",
    "sign_extend(u16, x, 17)",
    "ones(u8)",
    "ones(bool, x)",
    "length(s.words)",
    "length(x)",
    "decreases(x)",
    "Right.mask",
    "Right.READ",
    "Right.READ + 1",
    "Slot.bound",
    "1 << 70",
    "3 - 5",
    "1 // 0",
    "1 % 0",
    "1 << -1",
    "s.row[1:2]",
    "s.cell[-1].level",
    "s.row[at:]",
    "s.words[x]",
    "s.words[s.ready]",
    "s.words[1 if s.ready else 9]",
    "s.words[Kind.LOG]",
    "s.words[s.kind]",
    "[i for i in x]",
    "(i for i in x)",
    "x < y < at",
    "x if y else at",
    "(1 if s.ready else 2)",
    "(1 if s.ready else 300)",
    "(x if s.ready else 1) + (2 if s.ready else 300)",
    "18446744073709551616",
    "x << y",
    "x >> s.tick",
    "u64(1) << s.tick",
    "s.ready << s.ready",
    "s.ready < s.ready",
    "s.kind < s.kind",
    "s.kind << s.kind",
    "__name__",
    "shapes",
    "u8.bound",
    "Array[u8, 3]",
    "State()",
    "fits(u8, x)",
]
STATEMENTS = [
    "while True:\n    pass",
    "while s.ready:\n    x = 1\n    decreases(x)",
    "decreases(s.tick)",
    "maintains(s.ready)",
    "move(s.words, 0, s.words, 1, 1)",
    "fill(s.row[at].marks, 0, 1, 1)",
    "return",
    "return x",
    "return 0",
    "x: u8",
    "x: unheard = 1",
    "x: u8 = 1",
    "q: bool = True",
    "del x",
    "global x",
    "import os",
    "assert x",
    "try:\n    pass\nfinally:\n    pass",
    "with x:\n    pass",
    "def g():\n    pass",
    "class G:\n    pass",
    "raise ValueError",
    "x, y = y, x",
    "x = q = 1",
    "s = s",
    "q = s",
    "q = s.row",
    "q = s.row[9]",
    "q = unknown",
    "s.row = s.row",
    "s.row[0] = s.row[1]",
    "s.nothing = 1",
    "LIMIT = 3",
    "LIMIT += x",
    "seed = seed",
    "x += 1",
    "q += 1",
    "s += 1",
    "s.tick += x",
    "s.tick -= 1",
    "s.ready += 1",
    "s.kind |= 1",
    "for i in s.row:\n    pass",
    "for i in range(x):\n    pass",
    "for i in range(2):\n    pass\nelse:\n    s.tick = 5",
    "for s in range(2):\n    pass",
    "for a, b in range(2):\n    pass",
    "for i in range(2):\n    i = 0",
    "for i in range(2):\n    i += 1",
    "for i in range(True):\n    pass",
    "for i in range(3 - 5):\n    s.tick = 3",
    "for i in range(2):\n    s.words[i] = 3",
    "clear(x)",
    "clear()",
    "clear(s.tick)",
    "clear(s)",
    "clear(s.row)",
    "clear(s.row[at].inner)",
    "minimum(x, y)",
    "u8(3)",
    "local(Inner)",
    "q = local(u8)",
    "q = local(3)",
    "q = local()",
    "q = local(Inner)",
    "q = local(Inner)\nq.count = 3\ns.tick = word(q, 0)",
    "q = word(s.inner, 0)",
    "match x:\n    case _:\n        pass",
    "if x:\n    pass",
    "if s.ready:\n    q = s.row[at]\nq.kind = Kind.PAGE",
    "if s.ready:\n    q = x\nx = q",
    "q = s.row[at].inner\nclear(s.row)\nq.level = 7",
    "print(x)",
    "x",
    "'text'",
    "pass",
    "x.y = 3",
    "x[0] = 3",
    "(x) = 3",
    "[x] = 3",
    "for i in range(1):\n    t = u8(1)\nif s.ready:\n    t = u64(2)\n    s.tick = t",
    "nonlocal x",
    "q = w = s.row",
]


def mutant(rng, source, name):
    """Return the module source with one node of a function replaced by a foreign one; None when Python refuses it."""
    tree = ast.parse(source)
    function = next(node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == name)
    if rng.random() < 0.4:
        blocks = [
            block
            for node in ast.walk(function)
            for block in (getattr(node, "body", None), getattr(node, "orelse", None))
            if isinstance(block, list) and block
        ]
        block = rng.choice(blocks)
        block[rng.randrange(len(block)) : 0] = ast.parse(rng.choice(STATEMENTS)).body if rng.random() < 0.9 else []
    else:
        slots = [
            (node, key)
            for statement in function.body
            for node in ast.walk(statement)
            for key, value in ast.iter_fields(node)
            if isinstance(value, ast.expr) and isinstance(getattr(value, "ctx", ast.Load()), ast.Load)
        ]
        node, key = rng.choice(slots)
        setattr(node, key, ast.parse(rng.choice(EXPRESSIONS), mode="eval").body)
    text = ast.unparse(ast.fix_missing_locations(tree))
    try:
        compile(text, name, "exec")
    except SyntaxError:
        return None
    return text


def agrees(function, python, rng):
    """Check that Python agrees with the IR wherever the obligations of an accepted function hold."""
    state = fill(rng, shapes.State(), 0.6)
    arguments = [random_scalar(rng, parameter.type) for parameter in function.parameters[1:]]
    holds, result, leaves = zee.folded(function, state, arguments)
    if holds:
        after = copy.deepcopy(state)
        assert python(after, *arguments) == result
        assert leaves == {path: zee.at(after, path) for path in leaves}


@pytest.mark.long
@pytest.mark.filterwarnings("ignore::SyntaxWarning")
def test_a_foreign_node_is_refused_or_means_what_python_means(tmp_path):
    rng, tally = random.Random(SEED), {"refused": 0, "accepted": 0}
    checked, entries = program(rng, 12)
    source = plain(checked)
    while sum(tally.values()) < MUTANTS:
        text = mutant(rng, source, rng.choice(entries).name)
        if text is None:
            continue
        module = load(tmp_path, f"mutant{sum(tally.values())}", text)
        python = [getattr(module, item.name) for item in entries]
        try:
            functions = [translate(item) for item in python]
        except LanguageError as error:
            assert error.instead and error.line > 0 and error.message, f"{error}\n{text}"
            tally["refused"] += 1
            continue
        for function, item in zip(functions, python):
            agrees(function, item, rng)
        tally["accepted"] += 1
    assert min(tally.values()) > 50, tally
