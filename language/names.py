"""Which names are free in the generated C?

Any other name would not compile, or would mean something else there.
"""

import re

from corollary.language.builtins import BUILTINS

C11 = """auto break case char const continue default do double else enum extern float for goto if inline int long
register
restrict return short signed sizeof static struct switch typedef union unsigned void volatile while"""
C23 = "alignas alignof bool constexpr false nullptr static_assert thread_local true typeof typeof_unqual"
OTHERS = "asm fortran"  # of GNU C, and of an annex of the standard
KEYWORDS = frozenset(f"{C11} {C23} {OTHERS}".split())
"""Keywords that begin with a letter."""
MACROS = frozenset(
    """
and and_eq bitand bitor compl not not_eq or or_eq xor xor_eq
assert complex errno imaginary kill_dependency math_errhandling noreturn offsetof setjmp stderr stdin stdout
va_arg va_copy va_end va_start unix linux i386
""".split()
)
"""Lower-case macros of the C11 headers and of compilers in GNU mode."""
PATTERNS = {
    r"_.*": "begins with an underscore, which is reserved for the compiler",
    r".*_t": "ends in _t, as types do",
    r"(?=.*[A-Z])[A-Z0-9_]+": "has capitals only, as constants do",
    r"padding_\d+": "is that of padding",
}
CALLED = rf"memcmp|memcpy|memmove|memset|clear_words|clear_halves|({'|'.join(BUILTINS)})(_\d+)?"
"""Functions that generated C or its compiler calls, besides the functions of the model."""


def why_no_field(name):
    """Return why C cannot have a field of this name, or an empty string if it can."""
    if name in KEYWORDS:
        return "is a keyword of C"
    if name in MACROS:
        return "is a macro of C"
    return next((why for pattern, why in PATTERNS.items() if re.fullmatch(pattern, name)), "")


def why_no_variable(name):
    """Return why C cannot have a parameter or a local of this name, or an empty string if it can."""
    return "is a function that generated C calls" if re.fullmatch(CALLED, name) else why_no_field(name)
