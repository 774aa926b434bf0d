"""Does a component end in one of our exceptions, whatever its bytes are, and is taken what wasmtime takes?"""

import random
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from wasmtime import wat2wasm

from corollary import Exited, LimitExceeded, Limits, Module, Refused, Stopped, Trapped, Unlinkable, Wasi
from corollary.components import host
from corollary.components.component import Component, ComponentInstance
from corollary.components.decoder import DEPTH, IS_LABEL, IS_NAME, NESTED
from corollary.components.linking import Sort
from corollary.components.reader import PREAMBLE, is_component
from corollary.components.refusal import ComponentRefused
from corollary.components.values import PRIMITIVES, Enum, Flags, List, Option, Record, Result, Tuple, Variant
from tests.components import peer, real
from tests.components.test_resources import GOOD, HOST, File, component
from tests.components.test_traps import CASES
from tests.components.test_traps import component as trapping
from tests.components.test_values import echo
from tests.wasm.test_wasi import program

ENDS = (Refused, Unlinkable, Trapped, LimitExceeded, Stopped, Exited)
U32, STRING = PRIMITIVES[0x79], PRIMITIVES[0x73]
ALL = Record(
    (
        ("a", Tuple((U32, PRIMITIVES[0x76]))),
        ("b", Variant((("one", List(STRING)), ("two", None)))),
        ("c", Result(Option(PRIMITIVES[0x77]), Enum(("x", "y")))),
        ("d", Flags(("left", "right"))),
    )
)
SEEDS = {
    "values": echo(ALL),
    "resources": component(GOOD["it is passed on"][0]),
    "resources of the host": bytes(wat2wasm(HOST)),
    "post-return": trapping(*CASES["a call while it cleans up"][:3]),
}
GIVEN = {
    "host": lambda *values: values[0] if values else None,
    "files": {"file": File, "open": File, "[method]file.name": lambda file: file.name},
}
SMALL = Limits(pages=64, slots=1 << 12, elements=10_000)


def tried(binary):
    """Load, link and call all there is; return whether it is one, as far as we know what later versions have.

    Anything but our exceptions is raised.
    """
    try:
        component = Component(binary, SMALL)
        instance = ComponentInstance(component, GIVEN | host.imports(component, Wasi()), SMALL, seconds=1)
        for name in instance.functions():
            if not instance.function(name).signature.parameters:
                instance.call(name, seconds=0.2)
    except ENDS as end:
        assert str(end)
        if isinstance(end, ComponentRefused):
            assert 0 <= end.offset <= len(binary)
            return end.needs is not None
    return True


@pytest.mark.parametrize("seed", SEEDS)
def test_the_beginning_of_a_component_is_refused(seed):
    binary = SEEDS[seed]
    assert tried(binary)
    for size in range(len(binary)):
        assert not tried(binary[:size]) or peer.loaded(binary[:size]) is not None


TELLING = (0, 1, 2, 3, 0x40, 0x41, 0x60, 0x69, 0x70, 0x7F, 0x80, 0xFF)  # bytes that mean something in many places


def mutated(binary, chosen):
    """Return bytes with some changes: bits, bytes, numbers that are too large, pieces left out or doubled."""
    data = bytearray(binary)
    for _ in range(chosen.choice((1, 1, 1, 2, 4))):
        at, kind = chosen.randrange(len(data)), chosen.randrange(6)
        if kind < 2:
            data[at] ^= 1 << chosen.randrange(8)
        elif kind < 4:
            data[at] = chosen.choice(
                (0, 1, 2, 3, 0x40, 0x41, 0x60, 0x69, 0x70, 0x7F, 0x80, 0xFF, chosen.randrange(256))
            )
        else:
            size = chosen.randrange(1, 9)
            data[at : at + size] = data[at : at + size] * (2 if kind == 4 else 0)
    return bytes(data)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("part", range(4))
def test_a_changed_component_ends_in_one_of_our_exceptions(seed, part):
    chosen = random.Random(f"{seed} {part}")
    differing = []
    for _ in range(400):
        binary = mutated(SEEDS[seed], chosen)
        if not tried(binary) and peer.loaded(binary) is not None:
            differing.append(binary.hex())
    assert differing == []


@pytest.mark.long
def test_a_changed_program_ends_in_one_of_our_exceptions():
    """What is about components in a real one lies before its modules and behind them."""
    binary, chosen = real.adapted(program().binary), random.Random(0)
    modules = [part.offset for part in Component(binary).template.body if part.sort is Sort.CORE_MODULE]
    before, behind = modules[0], modules[-1]
    for _ in range(200):
        tried(mutated(binary[:before], chosen) + binary[before:])
        tried(binary[:behind] + mutated(binary[behind:], chosen))


@settings(max_examples=500)
@given(st.binary(max_size=200))
def test_any_bytes_end_in_one_of_our_exceptions(data):
    tried(PREAMBLE + data)


def number(value):
    """Return an unsigned number in LEB128."""
    found = bytearray()
    while value >= 0x80:
        found.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*found, value])


def type_index(value):
    """Return the index of a type below 2^13, which is a number with a sign."""
    return number(value) if value < 0x40 else bytes([value & 0x7F | 0x80, value >> 7])


def option_of(index):
    """Return an option of a type."""
    return b"\x6b" + type_index(index)


def section(id_, content):
    """Return a section."""
    return bytes([id_]) + number(len(content)) + content


def nested(depth):
    """Return components within one another."""
    return PREAMBLE + (section(4, nested(depth - 1)) if depth else b"")


def doubled(count):
    """Return types, each a tuple of two of those before."""
    return b"".join(b"\x6f\x02" + number(index) * 2 for index in range(count))


def instances(depth):
    """Return a component that has two of one that has two of one, and so on."""
    within = PREAMBLE if depth == 0 else instances(depth - 1)
    return PREAMBLE + section(4, within) + section(5, b"\x02" + b"\x00\x00\x00" * 2)


def copies(types, count, type_=b"\x7f"):
    """Return a component that has so many of one that has so many types."""
    within = PREAMBLE + section(7, number(types) + type_ * types)
    return PREAMBLE + section(4, within) + section(5, number(count) + b"\x00\x00\x00" * count)


HUGE = {
    "components within one another": (nested(5000 // 10), f"more than {NESTED} components"),
    "types that double": (PREAMBLE + section(7, number(41) + b"\x79" + doubled(40)), "types are in a type"),
    "types within one another": (
        PREAMBLE
        + section(7, number(DEPTH + 2) + b"\x79" + b"".join(b"\x6b" + type_index(n) for n in range(DEPTH + 1))),
        "within one another",
    ),
    "instances that double": (instances(12), f"1001 instances are asked for, the limit is {Limits().instances}"),
    "types without end": (PREAMBLE + section(7, number(200_000) + b"\x7f" * 200_000), r"100001 .*Limits\(definitions"),
    "a type of everything": (PREAMBLE + section(3, b"\x01\x60" + number(200_000) + b"\x7f" * 200_000), "200000 "),
    "instances with many types": (copies(2000, 100), r"Limits\(definitions=...\)"),
    "instances with large types": (copies(1, 100, b"\x6f" + number(2000) + b"\x7f" * 2000), "Limits"),
    "a count of everything": (PREAMBLE + section(7, b"\xff\xff\xff\xff\x0f"), "unexpected end"),
    "a list of everything": (PREAMBLE + section(7, b"\x01\x6f\xff\xff\xff\xff\x0f"), "items cannot follow"),
    "a size of everything": (PREAMBLE + b"\x07\xff\xff\xff\xff\x0f", "unexpected end"),
    "a number without end": (PREAMBLE + b"\x07" + b"\x80" * 9, "more than 32 bits"),
    "a name that is no text": (PREAMBLE + section(0, b"\x02\xff\xfe"), "no UTF-8"),
    "a module as a component": (b"\0asm\1\0\0\0", "a component begins with"),
}


@pytest.mark.parametrize("what", HUGE)
def test_what_asks_for_too_much_is_refused(what):
    binary, why = HUGE[what]
    with pytest.raises((Refused, LimitExceeded), match=why):
        ComponentInstance(binary)


def test_what_a_core_module_is_given_is_counted_as_often_as_it_is_given():
    exports, given = (
        " ".join(each.format(n) for n in range(300)) for each in ('(export "{}" (func 0))', '(with "{}" (instance 0))')
    )
    text = f"(component (core module (func) {exports}) (core module) (core instance (instantiate 0)) (core instance"
    with pytest.raises(LimitExceeded, match="9.... definitions are asked for"):
        ComponentInstance(bytes(wat2wasm(f"{text} (instantiate 1 {given})))")), limits=Limits(definitions=90_000))


def test_definitions_are_counted_when_they_are_decoded_and_when_they_are_made():
    binary = copies(10, 5)  # 10 types, a component and 5 instances; then the last two, and 10 types in each
    assert Component(binary, Limits(definitions=16)).definitions == 16
    ComponentInstance(binary, limits=Limits(definitions=16 + 6 + 50))
    for limit in (15, 71):
        with pytest.raises(LimitExceeded, match=f"{limit + 1} definitions are asked for, the limit is {limit}"):
            ComponentInstance(binary, limits=Limits(definitions=limit))


LABELS = ("a-1", "a-1b", "a-1B", "A-b-C", "a1", "a-" + "1" * 5000)
NAMES = ("a:b-1/c-2@1.0", "[constructor]a-1", "[method]a-1.b-2", "[static]A.b")
NEITHER = (*("a" + word * 5000 for word in ("-1", "-a", "-A", ":b-1", "/c-1")), "1", "a-", "a-1bC", "a-1Bc")


def test_a_long_name_is_decided_at_once():
    begun = time.process_time()
    for name in NEITHER:
        assert not IS_LABEL.fullmatch(f"{name}!") and not IS_NAME.fullmatch(f"{name}!")
    assert time.process_time() - begun < 2
    assert all(map(IS_LABEL.fullmatch, LABELS)) and all(map(IS_NAME.fullmatch, LABELS + NAMES))
    assert not any(map(IS_LABEL.fullmatch, NAMES + NEITHER[-4:]))


LATER = {
    "async functions": b"\x01\x43\x00\x01\x00",
    "streams": b"\x01\x66\x00",
    "lists of a fixed length": b"\x01\x67\x7f\x04",
}


@pytest.mark.parametrize("needs", LATER)
def test_what_came_later_is_named(needs):
    with pytest.raises(ComponentRefused, match=f"the component needs {needs}") as refused:
        Component(PREAMBLE + section(7, LATER[needs]))
    assert refused.value.needs == needs


def test_a_core_module_that_is_refused_is_told_with_its_place():
    module = b"\0asm\1\0\0\0\x01\x04\x01\x60\x00\x05"
    binary = PREAMBLE + section(0, b"\0") + section(1, module)
    with pytest.raises(ComponentRefused, match="in the core module of byte 0xd: ") as refused:
        Component(binary)
    with pytest.raises(Refused) as alone:
        Module(module)
    assert refused.value.offset == binary.index(module) + alone.value.offset
    assert refused.value.refusal == alone.value.refusal


@pytest.mark.parametrize(
    "given,why",
    [
        ({}, "unknown import: host"),
        ({"host": 1}, "incompatible import type: host is no such function"),
        ({"host": {}}, "incompatible import type: host is no such function"),
    ],
)
def test_what_is_not_given_is_told(given, why):
    with pytest.raises(Unlinkable, match=why):
        ComponentInstance(SEEDS["values"], given)


@pytest.mark.parametrize(
    "files,why",
    [
        ({"open": File, "[method]file.name": File}, "unknown import: files#file"),
        ({"file": File, "open": File}, r"unknown import: files#\[method\]file.name"),
        ({"file": 7, "open": File, "[method]file.name": File}, "files#file is no such type of resources"),
        (7, "incompatible import type: files is no such instance"),
    ],
)
def test_what_an_instance_lacks_is_told(files, why):
    with pytest.raises(Unlinkable, match=why):
        ComponentInstance(SEEDS["resources of the host"], {"files": files})


def test_loading_stops_when_its_time_is_up():
    with pytest.raises(Stopped):
        Component(SEEDS["values"], seconds=0)


def test_what_is_a_component_is_seen_by_its_first_bytes():
    assert is_component(SEEDS["values"]) and not is_component(b"\0asm\1\0\0\0") and not is_component(b"")
