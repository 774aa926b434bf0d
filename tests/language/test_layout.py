"""Is every field where C puts it, and do values survive the way to bytes and back?"""

import random

import pytest

from corollary.codegen.expressions import declarator, snake
from corollary.language.layout import decode, encode, lay_out, leaf_at, offset_of, size_of
from corollary.language.types import ArrayType, is_scalar
from corollary.language.values import Record, RecordMeta, default, difference
from tests.language import cee, shapes, zee
from tests.language.generator import fill

RECORDS, SEED = 60, 5


def random_record(rng, number, earlier):
    """Return a record of scalars, arrays and records made earlier."""
    fields = {}
    for position in range(rng.randrange(1, 7)):
        type_ = rng.choice([*shapes.SCALARS, *shapes.SCALARS, *earlier[-6:]])
        if rng.random() < 0.3:
            type_ = ArrayType(type_, rng.randrange(1, 6), None)
        fields[f"field{position}"] = type_
    return RecordMeta(f"Made{number}", (Record,), {"__annotations__": fields})


def random_records():
    """Return records over every scalar type, nested a few levels deep."""
    rng, made = random.Random(SEED), [shapes.Inner, shapes.Row, shapes.State]
    while len(made) < RECORDS:
        record = random_record(rng, len(made), made)
        made += [record] if record.layout.size < 4096 else []
    return made


RECORD_TYPES = random_records()
each_record = pytest.mark.parametrize("record", RECORD_TYPES, ids=lambda record: record.name)


def natural(record):
    """Return the record in C without written padding, so that the compiler places the fields itself."""
    return [
        f"struct {snake(record.name)} {{",
        *(f"    {declarator(slot.type, slot.name)};" for slot in record.layout.slots),
        "};",
    ]


def claims(record):
    """Return what the layout says about a record, as C assertions."""
    name = f"struct {snake(record.name)}"
    lines = [
        f'_Static_assert(offsetof({name}, {slot.name}) == {slot.offset}, "{slot.name}");'
        for slot in record.layout.slots
    ]
    lines += [
        f'_Static_assert(sizeof((({name} *)0)->{slot.name}) == {slot.size}, "{slot.name}");'
        for slot in record.layout.slots
    ]
    return [
        *lines,
        f'_Static_assert(sizeof({name}) == {record.layout.size}, "size");',
        f'_Static_assert(_Alignof({name}) == {record.layout.alignment}, "alignment");',
    ]


def translation_unit(shape):
    """Return the types with each record in the given shape, followed by every assertion."""
    seen = []
    lines = [line for record in RECORD_TYPES for line in cee.definitions(record, seen)]
    if shape is natural:
        scalars = [line for type_ in seen if is_scalar(type_) for line in cee.typedef(type_)]
        lines = scalars + [line for type_ in seen if not is_scalar(type_) for line in natural(type_)]
    return "\n".join([cee.PRELUDE, *lines, *(line for record in RECORD_TYPES for line in claims(record))])


@pytest.mark.parametrize("shape", [natural, cee.structure], ids=["natural", "explicit padding"])
def test_offsets_sizes_and_alignments_are_those_of_c(shape, tmp_path):
    cee.compile_library(translation_unit(shape), tmp_path, "layout")


def test_a_field_one_byte_off_is_noticed(tmp_path):
    text = translation_unit(natural).replace("offsetof(struct row, half) == ", "offsetof(struct row, half) == 1 + ")
    with pytest.raises(AssertionError, match="half"):
        cee.compile_library(text, tmp_path, "layout")


@each_record
def test_decode_is_the_inverse_of_encode(record):
    rng = random.Random(record.name)
    for chance in (0, 0.3, 1):
        value = fill(rng, record(), chance)
        data = encode(value, record)
        assert len(data) == size_of(record)
        again = decode(data, record)
        assert again == value and not difference(again, value)
        assert encode(again, record) == data


@each_record
def test_every_scalar_lies_at_its_offset(record):
    value = fill(random.Random(record.name), record(), 1)
    data = encode(value, record)
    for path, type_ in zee.every_leaf(record):
        offset = offset_of(record, path)
        assert int.from_bytes(data[offset : offset + type_.storage], "little") == int(zee.at(value, path))


@each_record
def test_leaf_at_is_the_inverse_of_offset_of_and_the_rest_is_zero_padding(record):
    owner = {}
    for path, type_ in zee.every_leaf(record):
        for byte in range(type_.storage):
            assert owner.setdefault(offset_of(record, path) + byte, path) is path, "two scalars share a byte"
    data = encode(fill(random.Random(record.name), record(), 1), record)
    for offset in range(size_of(record)):
        if offset in owner:
            assert leaf_at(record, offset) == owner[offset]
        else:
            assert leaf_at(record, offset)[-1] == "padding" and data[offset] == 0


@each_record
def test_decoding_into_a_value_replaces_all_of_it(record):
    rng = random.Random(record.name)
    old, new = fill(rng, record(), 1), fill(rng, record(), 0.3)
    assert decode(encode(new, record), record, into=old) == new


def test_decoding_into_a_table_replaces_all_of_it():
    table = shapes.State.fields["lane"]
    old, new = fill(random.Random(1), default(table), 1), fill(random.Random(2), default(table), 0.3)
    assert decode(encode(new, table), table, into=old) == new


def test_a_layout_depends_on_nothing_but_the_fields():
    assert all(lay_out(record) == record.layout for record in RECORD_TYPES)
