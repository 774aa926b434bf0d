"""Would it be noticed if the image held, or a loader loaded, anything that nobody has proved?"""

import struct

import pytest
from elftools.elf.elffile import ELFFile

from corollary.codegen.image import section
from corollary.proofs.machine.account import CONSTANTS, KINDS, PADDING, TABLES, Account, Unaccounted, totals
from corollary.proofs.machine.image import Image, Symbol
from corollary.proofs.machine.loading import SEGMENTS, Misplaced, check
from corollary.proofs.machine.obligations import built
from corollary.spec.kernel.memory_map import PAGE

ENTRY, PROGRAM_HEADERS = 24, 56  # offset in the file's header, and size of each program header
FIELDS = {
    "type": (0, "I"),
    "flags": (4, "I"),
    "offset": (8, "Q"),
    "vaddr": (16, "Q"),
    "paddr": (24, "Q"),
    "filesz": (32, "Q"),
    "memsz": (40, "Q"),
}
DATA = list(SEGMENTS).index("data")


def patched(folder, *changes):
    """Return the image with other bytes in its file: `(offset, format, function of the number there)`."""
    data = bytearray(built().path.read_bytes())
    for offset, form, change in changes:
        struct.pack_into(f"<{form}", data, offset, change(struct.unpack_from(f"<{form}", data, offset)[0]))
    file = folder / "patched.elf"
    file.write_bytes(data)
    return Image(file)


def field(segment, name):
    """Return the place and format of a field in a program header."""
    with built().path.open("rb") as file:
        offset, form = FIELDS[name]
        return ELFFile(file).header["e_phoff"] + PROGRAM_HEADERS * segment + offset, form


# ---- loading


def test_the_image_that_ships_is_loaded_as_it_is_proved():
    check(built())


def test_an_image_of_an_unknown_build_is_not_the_one_that_ships():
    with pytest.raises(KeyError):
        built("constant-time")


def test_another_entry_is_noticed(tmp_path):
    with pytest.raises(Misplaced, match="the entry is 0x40100004, not start"):
        check(patched(tmp_path, (ENTRY, "Q", lambda entry: entry + 4)))


CHANGES = [
    ("vaddr", lambda value: value + PAGE),
    ("paddr", lambda value: value + PAGE),
    ("flags", lambda value: 7),
    ("flags", lambda value: value ^ 4),
    ("type", lambda value: 2),
    ("memsz", lambda value: value + (64 << 20)),
    ("filesz", lambda value: value + 16),
    ("offset", lambda value: value + 16),
]


@pytest.mark.parametrize(
    ("segment", "name", "change"),
    [
        (segment, name, change)
        for segment in range(len(SEGMENTS))
        for name, change in CHANGES
        if (segment, name) != (DATA, "offset")
    ],
)  # nothing is loaded there from the file
def test_a_segment_that_is_changed_is_noticed(tmp_path, segment, name, change):
    with pytest.raises(Misplaced, match=f"the segment of {list(SEGMENTS)[segment]} "):
        check(patched(tmp_path, (*field(segment, name), change)))


@pytest.mark.parametrize("number", [2, 4])
def test_a_segment_more_or_less_is_noticed(tmp_path, number):
    with pytest.raises(Misplaced, match=f"there are {number} segments"):
        check(patched(tmp_path, (56, "H", lambda value: number)))


HEADER_OFFSET, SECTIONS, HEADER_SIZE, HEADERS = 32, 40, 54, 56  # offsets in the file's header
SECTION_INFO = 44  # offset in a section's header
MANY = 0xFFFF  # the value that says that the number of segments is elsewhere


def interleaved(folder):
    """Return the image with another program header after each one; a loader that knows their size finds those."""
    data = bytearray(built().path.read_bytes())
    (table,) = struct.unpack_from("<Q", data, HEADER_OFFSET)
    struct.pack_into("<Q", data, HEADER_OFFSET, len(data))
    struct.pack_into("<H", data, HEADER_SIZE, 2 * PROGRAM_HEADERS)
    for number in range(len(SEGMENTS)):
        start = table + number * PROGRAM_HEADERS
        data += 2 * data[start : start + PROGRAM_HEADERS]
    file = folder / "interleaved.elf"
    file.write_bytes(data)
    return Image(file)


def test_program_headers_that_only_the_proofs_find_are_noticed(tmp_path):
    with pytest.raises(Misplaced, match="between program headers"):
        check(interleaved(tmp_path))


def test_a_number_of_segments_that_only_the_proofs_find_is_noticed(tmp_path):
    (sections,) = struct.unpack_from("<Q", built().path.read_bytes(), SECTIONS)
    changes = (HEADERS, "H", lambda value: MANY), (sections + SECTION_INFO, "I", lambda value: len(SEGMENTS))
    image = patched(tmp_path, *changes)
    with pytest.raises(Misplaced, match=f"there are {MANY} segments"):
        check(image)


def test_a_name_that_stands_for_two_places_is_noticed(tmp_path):
    with built().path.open("rb") as file:
        table = section(ELFFile(file), ".symtab")
        names = [symbol.name for symbol in table.iter_symbols()]
        start, size = table["sh_offset"], table["sh_entsize"]
    one, other = (start + size * names.index(name) for name in ("start", "halt"))
    data = built().path.read_bytes()
    image = patched(tmp_path, (other, "I", lambda _: struct.unpack_from("<I", data, one)[0]))
    with pytest.raises(Misplaced, match="start: a name that stands for several places"):
        check(image)


@pytest.mark.parametrize("label", ["text_end", "rodata_end", "translation_end", "rodata_start"])
def test_bytes_that_boot_does_not_measure_are_noticed(label):
    image = Image(built().path)
    image.labels[label] -= 16
    with pytest.raises(Misplaced, match="measured"):
        check(image)


def test_a_variable_that_is_not_cleared_is_noticed():
    image = Image(built().path)
    image.labels["bss_end"] -= PAGE
    with pytest.raises(Misplaced, match="is neither loaded nor cleared"):
        check(image)


# ---- the account


@pytest.fixture(scope="module")
def parts():
    return Account(built()).run()


def test_every_byte_that_is_loaded_belongs_to_one_part(parts, capsys):
    assert sum(part.size for part in parts) == sum(len(content) for _, content, _ in built().sections)
    assert all(one.end <= other.address for one, other in zip(parts, parts[1:]))
    found = totals(parts)
    assert list(found["kinds"]) == list(KINDS) and sum(found["kinds"].values()) == found["total"]
    with capsys.disabled():
        print(f"\n{found}")


@pytest.mark.parametrize("byte", [1, 0x41, 0xFF])
@pytest.mark.parametrize("where", ["before the vectors", "in a vector", "behind the code", "behind the constants"])
def test_hidden_bytes_in_padding_are_noticed(parts, where, byte):
    vectors = built().functions["vectors"]
    address = {
        "before the vectors": vectors.address - 8,
        "in a vector": vectors.address + 64,
        "behind the code": built().labels["text_end"] - 1,
        "behind the constants": built().labels["rodata_end"] - 1,
    }[where]
    assert any(part.kind == PADDING and part.address <= address < part.end for part in parts)
    with pytest.raises(Unaccounted, match=f"{byte:02x}.* at 0x"):
        Account(Image(built().path, [(address, bytes([byte]))])).run()


def test_a_function_that_nobody_proves_is_noticed():
    image = Image(built().path)
    known = image.functions.pop("gate_dispatch")
    image.functions["added"] = Symbol("added", known.address, known.size)
    with pytest.raises(Unaccounted, match="added has no proof"):
        Account(image).run()


def test_code_without_a_symbol_is_noticed():
    image = Image(built().path)
    del image.functions["gate_dispatch"]
    with pytest.raises(Unaccounted, match="it lies in no symbol"):
        Account(image).run()


def test_instructions_that_no_path_of_a_function_leads_to_are_noticed():
    image = Image(built().path)
    function = image.functions["hardware_memory_synchronize_instructions"]
    following = next(symbol for symbol in image.functions.values() if symbol.address == function.end)
    image.functions[function.name] = Symbol(function.name, function.address, function.size + following.size)
    del image.functions[following.name]
    with pytest.raises(Unaccounted, match=f"no instruction of {function.name} leads there"):
        Account(image).run()


def test_two_symbols_of_the_same_bytes_are_noticed():
    image = Image(built().path)
    image.functions["again"] = image.functions["gate_dispatch"]
    with pytest.raises(Unaccounted, match="share"):
        Account(image).run()


def test_a_constant_that_is_none_of_the_models_is_noticed():
    image = Image(built().path)
    known = next(each for each in image.objects if each.name == "KIND_OF")
    image.objects[image.objects.index(known)] = Symbol("added", known.address, known.size)
    with pytest.raises(Unaccounted, match="added is no constant of the model"):
        Account(image).run()


def test_tables_and_constants_are_told_apart(parts):
    kinds = {part.name: part.kind for part in parts}
    assert (kinds["translation_root"], kinds["KIND_OF"]) == (TABLES, CONSTANTS)
