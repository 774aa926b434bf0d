"""Is a function outside the kernel's steps proved when it always has a value, and otherwise refused?"""

import pytest

from corollary.language.frontend import opaque, translate
from corollary.language.types import Array, u32, u64
from corollary.proofs import outside
from corollary.proofs.outside import decide, executed, functions
from corollary.spec.kernel.vocabulary import PageKind
from corollary.spec.wasm import integers

DIVIDES = next(name for name in integers.MEANING if name.startswith("i32_div_s") and not name.endswith("_trap"))


def halved(value: u32) -> u32:
    return value // 2


def divided(value: u32, by: u32) -> u32:
    return value // by


def kept_small(value: u64) -> u32:
    if value < 100:
        return u32(value)
    return 100


def taken_for_small(value: u64) -> u32:
    return u32(value)


def following(kind: PageKind) -> u32:
    return 10 // (PageKind.bound - u32(kind))


def following_of_any(kind: u32) -> u32:
    return 10 // (PageKind.bound - minimum_of(kind))


def minimum_of(kind: u32) -> u32:
    if kind < 1000:
        return kind
    return 0


@opaque
def stirred(words: Array[u32, 4]) -> None:
    for i in range(3):
        words[i + 1] = words[i] ^ words[i + 1]


@opaque
def stirred_too_far(words: Array[u32, 4]) -> None:
    for i in range(4):
        words[i + 1] = words[i] ^ 1


@pytest.mark.parametrize(
    ("function", "result"),
    [
        (stirred, "proved"),
        (stirred_too_far, "refuted"),
        (halved, "proved"),
        (divided, "refuted"),
        (kept_small, "proved"),
        (taken_for_small, "refuted"),
        (following, "proved"),
        (following_of_any, "refuted"),
    ],
)
def test_a_function_has_a_value_for_all_arguments_of_their_types(function, result):
    row = decide(translate(function))
    assert row.result == result and bool(row.reason) == (result == "refuted")
    assert row.rounds or result == "proved"


def test_an_instruction_has_a_value_unless_it_traps(monkeypatch):
    function = translate(integers.MEANING[DIVIDES])
    assert decide(function).result == "proved"
    monkeypatch.delitem(integers.MEANING, f"{DIVIDES}_trap")
    assert decide(function).result == "refuted"


@pytest.mark.parametrize("name", ["survey", "compress", "decompress", "seal", "arrive"])
def test_the_functions_of_all_libraries_are_proved(name):
    assert any(function.name == name for function in functions().values())


def test_every_function_brings_one_obligation():
    ids = [id_ for step in outside.steps() for id_, _, _ in outside.questions(step)]
    assert sorted(ids) == sorted(f"{symbol}/{outside.PROPERTY}" for symbol in functions())
    assert executed(functions()[ids[0].split("/")[0]]) is not None
