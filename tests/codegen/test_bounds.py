"""Does generated C call the bound of a type by its name, with the value that it has?"""

import re

import pytest

from corollary.codegen.folders import GENERATED
from corollary.codegen.kernel import KERNEL
from corollary.language.frontend import translate
from corollary.language.types import WORDS, Index, boolean, u64
from corollary.language.word import Bound
from corollary.spec.kernel.hypercalls import OPERATIONS

ARGUMENTS = dict.fromkeys(type_ for row in OPERATIONS for _, type_ in row.parameters)
BOUNDED = [type_ for type_ in ARGUMENTS if type_ not in (boolean, *WORDS.values())]
NUMBERS = ("2", "256", "0x10000", "0x100000000ull")  # of a truth value, and of words of 8, 16 and 32 bits
NearId = Index("NearId", 48)


def is_near(x: u64) -> bool:
    return x < NearId.bound


@pytest.mark.parametrize("type_", [pytest.param(type_, id=type_.name) for type_ in BOUNDED])
def test_the_range_of_an_argument_is_checked_against_a_name(type_):
    name = Bound(type_)
    defined = re.search(rf"^#define {name} (\w+)$", (GENERATED / "kernel/types.h").read_text(), re.MULTILINE)
    assert defined and int(defined[1].removesuffix("ull"), 0) == type_.bound
    assert f" >= {name}" in (GENERATED / "kernel/gate.c").read_text()


def test_no_other_number_is_a_bound_in_the_gate():
    checked = re.findall(r"call->argument\[\d\] >= (\d\w*)", (GENERATED / "kernel/gate.c").read_text())
    assert checked and set(checked) <= set(NUMBERS)


def test_a_bound_that_is_named_is_defined_and_no_other():
    text = "".join(path.read_text() for path in (GENERATED / "kernel").glob("*.[ch]"))
    used = set(re.findall(r"(?<!#define )\b[A-Z]\w*_BOUND\b", text))
    assert used and used == {Bound(type_) for type_ in KERNEL.bounded}


def test_a_bound_is_a_number_of_the_language():
    (condition,) = [node.value for node in translate(is_near).body]
    assert (condition.right.value, condition.right.symbol) == (48, "NEAR_ID_BOUND")
    assert is_near(47) and not is_near(48)
