"""Does the VM report an error wherever an index may be out of range?"""

import ctypes
import re

import pytest

from corollary.codegen.folders import GENERATED, PLATFORM
from corollary.codegen.vm import VM
from corollary.language.frontend import translate
from corollary.language.loops import decreases
from corollary.language.types import Slice, u8, u32
from corollary.language.values import Record, allocate, length
from corollary.library import FUNCTIONS
from corollary.model.wasm.decoder import decode, survey
from corollary.model.wasm.reader import refuse
from corollary.model.wasm.translator import translate as translate_module
from corollary.model.wasm.validator import validate
from corollary.module import Module as Loaded
from corollary.spec.wasm.module import LOCALS, NONE, Module, Translation, Validation
from corollary.spec.wasm.refusals import Refusal
from tests.wasm import defaults

GUESTS = GENERATED.parent / "guests"
ROOM = 64  # words, operands and blocks
HEAD = bytes.fromhex("0061736d 01000000 0107 01 60027f7f017f 0302 0100")
SUM = "20 00 20 01 6a"  # both parameters, added


class Bytes(Record):
    """Some bytes."""

    bytes: Slice[u8]
    missing: bool


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


def noted(b: Bytes, at: u32) -> u8:
    if at >= length(b.bytes):
        b.missing = True
        return 0
    return b.bytes[at]


def another(b: Bytes, count: u32) -> Refusal:
    if count != length(b.bytes):
        return Refusal.LENGTH
    return Refusal.NONE


def first_or_silence(b: Bytes) -> None:
    if length(b.bytes) != 0:
        b.bytes[0] = 1


def test_the_vm_says_what_is_wrong_but_where_there_is_a_reason():
    assert set(defaults.found()) == set(defaults.LEFT)


@pytest.mark.parametrize(
    ("function", "silent"),
    [
        (looked_up, True),
        (stored, True),
        (found_or_none, True),
        (summed, True),
        (first_or_silence, True),
        (refused, False),
        (said, False),
        (noted, False),
        (another, False),
    ],
)
def test_an_answer_in_silence_is_told_from_others(function, silent):
    assert bool(defaults.silent(translate(function))) == silent


def test_nobody_outside_calls_a_function_that_requires_something():
    outside = set(FUNCTIONS)
    ours = (GENERATED / "vm" / "handlers.c", *PLATFORM.glob("vm/*.[ch]"), *GUESTS.glob("*.[ch]"))
    for path in ours:
        outside |= set(re.findall(r"\b([a-z][a-z_0-9]*)\(", path.read_text()))
    called = [function for function in VM.functions if function.symbol in outside]
    assert [function.symbol for function in called if function.requires] == []
    assert {function.symbol for function in called} == {translate(root).symbol for root in VM.roots()}


# ---- the model itself runs in Python, where every contract is checked


def binary(body):
    """Return a module with one function of two numbers, from the bytes of its instructions."""
    code = bytes([0]) + bytes.fromhex(body) + bytes([0x0B])
    return HEAD + bytes([0x0A, len(code) + 2, 1, len(code)]) + code


def decoded(body, **room):
    """Return a module as Python decodes it, with room for all of it or for a given amount."""
    m = Module()
    allocate(m, bytes=binary(body))
    survey(m)
    counts = {name: getattr(m.counts, name) for name in m.counts.fields if name in Module.fields}
    allocate(m, **{**counts, "entries": m.counts.functions, "nodes": 1 + 2 * m.counts.text, **room})
    decode(m)
    return m


def validated(m):
    """Return the validator's reason to refuse a module, if any."""
    v = Validation()
    allocate(v, operands=ROOM, labels=ROOM, locals=LOCALS)
    validate(m, v)
    return Refusal(m.refusal)


def translated(m, **room):
    """Return the operations of a module, and the translator's reason to refuse it, if any."""
    t = Translation()
    allocate(t, **{"code": ROOM, "marks": ROOM, "operands": ROOM, "targets": ROOM, **room})
    translate_module(m, t)
    return t.code.rows[: t.at], Refusal(m.refusal)


@pytest.mark.parametrize(
    "body", [SUM, "02 7f " + SUM + " 0b", "20 00 04 7f 20 01 05 " + SUM + " 0b", "20 00 20 01 0d 00"]
)
def test_in_python_every_contract_of_the_vm_holds_and_the_operations_are_those_of_c(body):
    m = decoded(body)
    assert (Refusal(m.refusal), validated(m)) == (Refusal.NONE, Refusal.NONE)
    code, refusal = translated(m)
    assert refusal == Refusal.NONE
    loaded = Loaded(binary(body))
    t = loaded.translation.value
    assert code == list((ctypes.c_uint64 * t.at).from_address(t.code.at))


@pytest.mark.parametrize("room", [{"types": 0}, {"functions": 0}])
def test_what_there_is_no_room_for_is_not_decoded(room):
    assert decoded(SUM, **room).refusal == Refusal.TOO_LARGE


@pytest.mark.parametrize("slice_", ["types", "functions", "nodes"])
def test_no_module_is_validated_beyond_its_room(slice_):
    m = decoded(SUM)
    allocate(m, **{slice_: 0})
    assert validated(m) == Refusal.TOO_LARGE


@pytest.mark.parametrize("slice_", ["types", "functions", "entries"])
def test_no_module_is_translated_beyond_its_room(slice_):
    m = decoded(SUM)
    allocate(m, **{slice_: 0})
    assert translated(m) == ([], Refusal.TOO_LARGE)


@pytest.mark.parametrize("room", [{"code": 3}, {"marks": 3}, {"operands": 1}, {"targets": 0}])
def test_no_operation_is_left_out_where_there_is_no_room(room):
    assert translated(decoded(SUM), **room)[1] == Refusal.TOO_LARGE


# instructions that no validator would pass, and the translator's reason to refuse them as well
INVALID = {
    "6a": Refusal.TYPE_MISMATCH,
    "20 00 1b": Refusal.TYPE_MISMATCH,
    "20 00 36 02 00": Refusal.TYPE_MISMATCH,
    "04 40 0b": Refusal.TYPE_MISMATCH,
    "0f": Refusal.TYPE_MISMATCH,
    "02 7f 0c 00 0b": Refusal.TYPE_MISMATCH,
    "20 00 10 07": Refusal.UNKNOWN_FUNCTION,
    "20 00 11 07 00": Refusal.UNKNOWN_TYPE,
    "02 07 0b": Refusal.UNKNOWN_TYPE,
    "20 00 0d 07": Refusal.UNKNOWN_LABEL,
    "20 00 0e 01 00 07": Refusal.UNKNOWN_LABEL,
    "20 00 0e 01 07 00": Refusal.UNKNOWN_LABEL,
    "23 07": Refusal.UNKNOWN_GLOBAL,
    "10 00": Refusal.TYPE_MISMATCH,
    "20 00 24 07": Refusal.UNKNOWN_GLOBAL,
    "20 00 fc 0a 00 00": Refusal.TYPE_MISMATCH,
    "1a": Refusal.TYPE_MISMATCH,
}


@pytest.mark.parametrize("body", INVALID)
def test_what_was_not_validated_is_refused_with_a_reason(body):
    assert translated(decoded(body))[1] == INVALID[body]
