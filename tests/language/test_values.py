"""What do slices do when the specification runs as Python, and how does the front end read them?"""

import copy

import pytest

from corollary.language.bytes import fill, move
from corollary.language.frontend import translate
from corollary.language.intrinsics import intrinsic
from corollary.language.layout import WORD, size_of
from corollary.language.types import (
    LanguageError,
    OutOfRange,
    Slice,
    SliceType,
    holds_slice,
    is_scalar,
    is_table,
    u8,
    u32,
    u64,
)
from corollary.language.values import Record, SliceValue, allocate, clear, default, difference, leaves, length, local
from tests.language import cee
from tests.language.shapes import Heap, Inner, State

COUNT = 4


@pytest.fixture
def heap():
    """Return a state with four elements in each slice."""
    made = Heap()
    allocate(made, data=COUNT, text=COUNT, words=COUNT, cells=COUNT)
    return made


def test_a_slice_is_empty_until_room_is_made():
    assert length(default(Slice[u8])) == length(Heap().data) == 0
    assert length(local(Heap).cells) == 0


def test_new_elements_are_zero_and_each_is_its_own(heap):
    assert list(heap.words.rows) == [0] * COUNT
    heap.cells[0].count = 1
    assert heap.cells[1] == Inner()


@pytest.mark.parametrize("position", [-1, COUNT, 1 << 40])
def test_nothing_outside_a_slice_is_read_or_written(heap, position):
    with pytest.raises(IndexError):
        heap.words[position]
    with pytest.raises(IndexError):
        heap.words[position] = 1
    assert list(heap.words.rows) == [0] * COUNT


def test_what_is_stored_belongs_to_the_type_of_the_elements(heap):
    heap.data[COUNT - 1] = u8.bound - 1
    assert heap.data[COUNT - 1] == u8.bound - 1
    with pytest.raises(OutOfRange):
        heap.data[0] = u8.bound


def test_a_record_in_a_slice_and_a_slice_itself_are_not_replaced(heap):
    with pytest.raises(LanguageError):
        heap.cells[0] = Inner()
    with pytest.raises(LanguageError):
        heap.data = heap.text


@pytest.mark.parametrize("text", [b"abc", bytearray(b"abc"), [97, 98, 99]])
def test_room_may_hold_its_elements_at_once(text):
    made = Heap()
    allocate(made, data=text)
    assert length(made.data) == len(text) and [made.data[at] for at in range(3)] == list(b"abc")
    other = Heap()
    allocate(other, data=len(text))
    for at, value in enumerate(text):
        other.data[at] = value
    assert made.data == other.data and made == other


def test_slices_are_equal_by_their_elements(heap):
    other = copy.deepcopy(heap)
    assert other == heap
    other.cells[2].level = 1
    assert other != heap and other.data == heap.data
    allocate(other, data=COUNT + 1)
    assert other.data != heap.data and heap.data != list(heap.data.rows)


def test_a_copy_shares_no_element(heap):
    twin = copy.deepcopy(heap)
    twin.data[0], twin.cells[0].count = 1, 2
    assert (heap.data[0], heap.cells[0].count) == (0, 0)


def test_every_scalar_of_a_slice_is_a_leaf(heap):
    heap.cells[3].count = 5
    found = dict(leaves(heap))
    assert found["cells", 3, "count"] == 5 and sum(path[0] == "cells" for path in found) == COUNT * len(Inner.fields)
    assert difference(heap, copy.deepcopy(heap)) == []
    other = copy.deepcopy(heap)
    other.words[1] = 7
    assert difference(heap, other) == [(("words", 1), 0, 7)]


def test_a_slice_is_not_cleared(heap):
    with pytest.raises(LanguageError):
        clear(heap.data)
    with pytest.raises(LanguageError):
        clear(heap)


@pytest.mark.parametrize(
    "at, first, count", [(at, first, count) for at in range(3) for first in range(3) for count in range(3)]
)
def test_bytes_are_moved_as_if_by_way_of_a_third_slice(heap, at, first, count):
    allocate(heap, data=bytearray(b"abcd"))
    move(heap.data, at, heap.data, first, count)
    assert bytes(heap.data.rows) == (b"abcd"[:at] + b"abcd"[first : first + count] + b"abcd"[at + count :])


@pytest.mark.parametrize(
    "at, first, count",
    [
        (COUNT, 0, 1),
        (0, COUNT, 1),
        (COUNT + 1, 0, 0),
        (0, COUNT + 1, 0),
        (0, 0, COUNT + 1),
        (-1, 0, 1),
        (0, -1, 1),
        (0, 0, -1),
        (u64.bound - 1, 0, 2),
    ],
)
def test_no_byte_is_moved_beyond_a_slice(heap, at, first, count):
    before = copy.deepcopy(heap)
    with pytest.raises(IndexError):
        move(heap.data, at, heap.text, first, count)
    assert heap == before


def test_a_byte_is_repeated_in_its_bounds(heap):
    fill(heap.data, 1, 9, 2)
    fill(heap.data, COUNT, 9, 0)
    assert list(heap.data.rows) == [0, 9, 9, 0]
    for at, value, count in ((COUNT, 9, 1), (1, 9, COUNT), (-1, 9, 1), (0, u8.bound, 1)):
        with pytest.raises((IndexError, ValueError)):
            fill(heap.data, at, value, count)
    assert list(heap.data.rows) == [0, 9, 9, 0]


# ---- types and layout


def test_a_slice_of_a_type_is_one_type():
    assert Slice[u8] is Slice[u8] and Slice[u8] is not Slice[u32]
    assert is_table(Slice[u8]) and not is_scalar(Slice[u8])


def test_a_type_holds_a_slice_at_any_depth():
    class Outer(Record):
        """A record of records."""

        heap: Heap

    assert holds_slice(Outer) and holds_slice(Heap) and holds_slice(Slice[u8]) and not holds_slice(State)


def test_a_slice_lies_in_a_record_as_address_and_length():
    names = [name for name, type_ in Heap.fields.items() if isinstance(type_, SliceType)]
    assert [Heap.layout[name].offset for name in names] == [2 * WORD * number for number in range(len(names))]
    assert {size_of(Heap.fields[name]) for name in names} == {2 * WORD} and Heap.layout.alignment == WORD


def test_c_places_slices_where_the_layout_does(tmp_path):
    claims = [
        f'_Static_assert(offsetof(struct heap, {slot.name}) == {slot.offset}, "{slot.name}");'
        for slot in Heap.layout.slots
    ]
    claims += [f'_Static_assert(sizeof(struct heap) == {Heap.layout.size}, "size");']
    cee.compile_library("\n".join([cee.PRELUDE, *cee.definitions(Heap, []), *claims]), tmp_path, "layout")


# ---- functions that Python makes and keeps to itself


@intrinsic
def root(a: u64) -> u32:
    """Return the integer square root."""
    return int(a**0.5)


@intrinsic
def without_result(a: u64):
    return a


@intrinsic
def of_a_record(h: Heap) -> u64:
    return h.size


def rooted(a: u64) -> u64:
    return u64(root(a)) + 1


def adding(count, function):
    """Return a function with a constant and another function of its own."""

    def added(a: u32) -> u32:
        return function(a) if a > count else 0

    added.__name__ = f"added_{count}"
    return added


def same(a: u32) -> u32:
    return a


def test_an_intrinsic_is_known_by_its_name_alone():
    function = translate(root)
    assert (function.intrinsic, function.body, function.symbol, function.returns) == (True, (), "root", u32)
    (call,) = (node for node in cee.ir.walk(translate(rooted).body) if isinstance(node, cee.ir.Call))
    assert call.function is function and cee.function(translate(rooted))[2].strip() == "return (uint64_t)root(a) + 1;"


@pytest.mark.parametrize("function", [without_result, of_a_record])
def test_an_intrinsic_is_a_function_of_scalars(function):
    with pytest.raises(LanguageError, match="function of scalars"):
        translate(function)


def test_functions_that_python_makes_have_names_and_constants_of_their_own():
    made = [translate(adding(count, same)) for count in (3, 5)]
    assert [function.name for function in made] == ["added_3", "added_5"]
    for function, count in zip(made, (3, 5)):
        assert [
            node.value
            for node in cee.ir.walk(function.body)
            if isinstance(node, cee.ir.Literal) and node.symbol == "count"
        ] == [count]
        assert [node.function.python for node in cee.ir.walk(function.body) if isinstance(node, cee.ir.Call)] == [same]


def test_slice_values_have_the_text_of_their_elements(heap):
    heap.data[0] = 3
    assert repr(heap.data) == "u8[][3, 0, 0, 0]" and isinstance(heap.data, SliceValue)
