"""Is every name refused that C cannot have, and does C compile all others?"""

import keyword
import subprocess
import sys

import pytest

from corollary.language.builtins import BUILTINS
from corollary.language.frontend import translate
from corollary.language.names import KEYWORDS, MACROS, why_no_field
from corollary.language.types import LanguageError
from corollary.language.values import OWN
from tests.language import cee
from tests.language.generator import HEADER
from tests.language.shapes import Inner
from tests.language.test_readings import load

C11 = """auto break case char const continue default do double else enum extern float for goto if inline int long
register restrict return short signed sizeof
static struct switch typedef union unsigned void volatile while _Alignas _Alignof _Atomic _Bool _Complex _Generic
_Imaginary _Noreturn _Static_assert
_Thread_local""".split()  # ISO/IEC 9899:2011, 6.4.1
GNU = """asm typeof __alignof__ __asm__ __attribute__ __auto_type __builtin_offsetof __complex__ __const __extension__
__func__ __FUNCTION__ __imag__
__inline__ __int128 __label__ __PRETTY_FUNCTION__ __real__ __restrict__ __signed__ __thread __typeof__
__volatile__""".split()
PREDEFINED = [
    "-std=gnu11",
    "-dM",
    "-E",
    "-xc",
    "-",
    *(part for name in ("stdint", "stdbool", "stddef", "float") for part in ("-include", f"{name}.h")),
]
TARGETS = ((), ("-target", "aarch64-freestanding-none"), ("-target", "x86_64-linux-gnu"))
LONGER = ("NULL", "INT8_MAX", "uint8_t", "size_t", "_x", "padding_4")
FUNCTIONS = {*BUILTINS, "wrapping_add_8", "memset", "memmove", "clear_words"}
FREE = (
    "index",
    "time",
    "signal",
    "read",
    "link",
    "near",
    "far",
    "interrupt",
    "new",
    "this",
    "template",
    "self",
    "memory",
    "word_",
    "at",
    "length_",
    "y2",
    "move_",
    "constant",
    "registers",
    "typeofs",
    "t",
    "struct_",
)
SHAPES = {
    "a parameter": "def f(s: State, {0}: u8) -> u8:  # here\n    return {0}\n",
    "a place as parameter": "def f({0}: State) -> u8:  # here\n    return {0}.inner.level\n",
    "a local": "def f(s: State, x: u8) -> u8:\n    {0} = x  # here\n    return {0}\n",
    "an annotated local": "def f(s: State, x: u8) -> u8:\n    {0}: u8 = 3  # here\n    return {0}\n",
    "a record": "def f(s: State, x: u8) -> u8:\n    {0} = local(Inner)  # here\n    return {0}.level\n",
    "a name for a place": "def f(s: State, x: u8) -> u8:\n    {0} = s.inner  # here\n    return {0}.level\n",
    "a loop": "def f(s: State, x: u8) -> u8:\n    for {0} in range(3):  # here\n        x = u8({0})\n    return x\n",
    "a field": "class Other(Record):\n    one: u8\n    {0}: u8  # here\n\n\ndef f(s: Other) -> u8:\n    return s.{0}\n",
    "the second field": "class Other(Record):\n    of_{0}_: u8\n    {0}: u8  # here\n\n\n"
    "def f(s: Other) -> u8:\n    return s.{0}\n",
}
"""Where a name may stand; the line that gives it ends in "# here"."""


def taken(shape):
    """Return the names that C cannot have there, as far as Python can have them."""
    names = {*C11, *GNU, *KEYWORDS, *MACROS, *LONGER, *(() if "field" in shape else FUNCTIONS)}
    return [name for name in sorted(names) if not keyword.iskeyword(name) and not ("field" in shape and renamed(name))]


def renamed(name):
    """Does Python rename a field of this name, as a private one?"""
    return name.startswith("__") and not name.endswith("__")


def refusal(folder, name, shape):
    """Return the front end's message about a name in a place, and the line of the place."""
    source = HEADER + "\n\n" + SHAPES[shape].format(name)
    line = next(number for number, text in enumerate(source.splitlines(), 1) if text.endswith("# here"))
    with pytest.raises(LanguageError) as caught:
        translate(load(folder, "named", source).f)
    return caught.value, line


@pytest.mark.parametrize("shape", SHAPES)
def test_a_name_that_c_cannot_have_is_refused_where_it_is_given(shape, tmp_path):
    for name in taken(shape):
        error, line = refusal(tmp_path, name, shape)
        assert (error.file, error.line) == (str(tmp_path / "named.py"), line) and error.message.startswith(
            f"{name} "
        ), str(error)
        assert error.instead == "another name"


def test_a_record_that_would_be_a_keyword_is_refused(tmp_path):
    with pytest.raises(LanguageError, match="Register would be a keyword"):
        load(tmp_path, "named", HEADER + "\n\nclass Register(Record):\n    one: u8\n")


@pytest.mark.parametrize("name", OWN)
def test_a_field_that_hides_what_every_record_has_is_refused(name, tmp_path):
    with pytest.raises(LanguageError, match=f"{name} is what every record has") as caught:
        load(tmp_path, "named", HEADER + f"\n\nclass Other(Record):\n    one: u8\n    {name}: u8\n")
    assert caught.value.line == 6


def test_a_local_that_hides_a_called_function_is_refused(tmp_path):
    source = (
        HEADER + "\n\ndef g(x: u8) -> u8:\n    return x\n\n\n"
        "def f(s: State, x: u8) -> u8:\n    named_g = x  # here\n    return g(named_g)\n"
    )
    with pytest.raises(LanguageError, match="is in C the function `g`") as caught:
        translate(load(tmp_path, "named", source).f)
    assert caught.value.line == next(
        number for number, text in enumerate(source.splitlines(), 1) if text.endswith("# here")
    )


def test_no_keyword_of_c11_and_gnu_c_is_free():
    assert [name for name in (*C11, *GNU) if not why_no_field(name)] == []


@pytest.mark.parametrize("target", TARGETS, ids=lambda target: target[1] if target else "host")
def test_no_macro_of_the_compiler_and_of_the_headers_is_free(target):
    said = subprocess.run(
        [sys.executable, "-m", "ziglang", "cc", *target, *PREDEFINED],
        input="",
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    names = [line.split()[1].split("(")[0] for line in said.splitlines()]
    assert len(names) > 300 and [name for name in names if not why_no_field(name)] == []


def renumbered(source, number):
    """Return the source of one of many functions and records."""
    return source.replace("def f(", f"def f{number}(").replace("Other", f"Other{number}")


@pytest.mark.parametrize("shape", SHAPES)
def test_c_compiles_with_a_name_that_is_free(shape, tmp_path):
    module = load(
        tmp_path,
        "free",
        "\n\n".join([HEADER, *(renumbered(SHAPES[shape].format(name), number) for number, name in enumerate(FREE))]),
    )
    functions, seen = [translate(getattr(module, f"f{number}")) for number in range(len(FREE))], []
    types = [Inner, *(item.type for function in functions for item in function.parameters)]
    lines = [line for type_ in types for line in cee.definitions(type_, seen)]
    lines += [line for function in functions for line in cee.function(function)]
    cee.compile_library("\n".join([cee.PRELUDE, *lines]), tmp_path, "free")
