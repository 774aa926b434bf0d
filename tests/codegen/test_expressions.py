"""What has no reading in C that means the same?"""

import pytest

from codegen.expressions import FILLED, Printer
from language.bytes import fill
from language.frontend import translate
from language.types import u32, u64
from spec.wasm.machine import Table


def of_values(t: Table, at: u32, value: u64, count: u32) -> None:
    """All is named before."""
    fill(t.elements, at, value, count)


def of_an_element(t: Table, at: u32, count: u32) -> None:
    """The loop would change what it reads."""
    fill(t.elements, at, t.elements[at] + 1, count)


def up_to_an_element(t: Table, at: u32, value: u64) -> None:
    """The loop would change when it ends."""
    fill(t.elements, at, value, t.elements[at])


def of_its_own_name(t: Table, filled: u32, value: u64, count: u32) -> None:
    """The loop has a variable of this name."""
    fill(t.elements, filled, value, count)


def test_wide_elements_are_filled_in_a_loop():
    assert f"t->elements.at[(uint64_t)at + {FILLED}] = value;" in "\n".join(Printer(translate(of_values)).body())


@pytest.mark.parametrize("function", [of_an_element, up_to_an_element, of_its_own_name])
def test_what_a_loop_would_compute_anew_is_refused(function):
    with pytest.raises(ValueError, match="name it first"):
        Printer(translate(function)).body()
