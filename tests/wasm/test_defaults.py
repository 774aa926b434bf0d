"""Does the VM say what is wrong wherever an index may be out of range?"""

import re

import pytest

from codegen.folders import GENERATED
from codegen.vm import VM
from host.library import FUNCTIONS
from model.wasm.reader import refuse
from spec.language.frontend import translate
from spec.language.loops import decreases
from spec.language.types import Slice, u8, u32
from spec.language.values import Record, length
from spec.wasm.module import NONE, Module
from spec.wasm.refusals import Refusal
from tests.wasm import defaults

GUESTS = GENERATED.parent / "guests"


class Bytes(Record):
    """Some bytes."""

    bytes: Slice[u8]


def looked_up(b: Bytes, at: u32) -> u8:
    if at >= length(b.bytes):
        return 0
    return b.bytes[at]


def stored(b: Bytes, at: u32) -> None:
    if at < length(b.bytes):
        b.bytes[at] = 1


def found_or_none(b: Bytes, at: u32) -> u32:
    if length(b.bytes) > at:
        return b.bytes[at]
    else:
        return NONE


def summed(b: Bytes, count: u32) -> u8:
    from_: u32 = 0
    while from_ < count and from_ < length(b.bytes):
        decreases(length(b.bytes) - from_)
        from_ += 1
    return 0


def refused(m: Module, at: u32) -> u8:
    if at >= length(m.bytes):
        refuse(m, Refusal.LENGTH, at)
        return 0
    return m.bytes[at]


def said(b: Bytes, at: u32) -> Refusal:
    if at >= length(b.bytes):
        return Refusal.LENGTH
    return Refusal.NONE


def test_the_vm_says_what_is_wrong_but_where_there_is_a_reason():
    assert set(defaults.found()) == set(defaults.LEFT)


@pytest.mark.parametrize(("function", "silent"), [
    (looked_up, True), (stored, True), (found_or_none, True), (summed, True), (refused, False), (said, False)])
def test_an_answer_in_silence_is_told_from_others(function, silent):
    assert bool(defaults.silent(translate(function))) == silent


def test_nobody_outside_calls_a_function_that_requires_something():
    outside = set(FUNCTIONS)
    ours = (GENERATED / "vm" / "handlers.c", GENERATED / "vm" / "bytes.c")
    for path in (*ours, *GUESTS.glob("*.c"), *GUESTS.glob("*.h")):
        outside |= set(re.findall(r"\b([a-z][a-z_0-9]*)\(", path.read_text()))
    called = [function for function in VM.functions if function.symbol in outside]
    assert [function.symbol for function in called if function.requires] == []
    assert {function.symbol for function in called} == {translate(root).symbol for root in VM.roots()}
