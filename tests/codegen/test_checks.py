"""Does C check every invariant, although what depends on one index alone is asked once?"""

import ctypes
import random

import pytest

from corollary.codegen import checks
from corollary.codegen.hoisting import parted
from corollary.emulation.generator import Generator
from corollary.emulation.native import Image
from corollary.emulation.states import checker
from corollary.emulation.traces import booted
from corollary.language.builtins import implies
from corollary.language.frontend import translate
from corollary.model.kernel.memory import take
from corollary.model.kernel.promises import INVARIANTS
from corollary.spec.kernel.block import SPAN, heads_id
from corollary.spec.kernel.limits import PAGES, ROOT
from corollary.spec.kernel.memory import leaf_descriptor, mapped_page, refers_to
from corollary.spec.kernel.state import EntryId, Kernel, PageId
from corollary.spec.kernel.unit import unit_descriptor
from corollary.spec.kernel.vocabulary import Access, PageKind

LAST_ENTRY = EntryId.bound - 1


def guarded(s: Kernel, page: PageId, entry: EntryId) -> bool:
    return s.page[page].kind == PageKind.FREE or s.memory[page].word[entry] == 0


def asked_later(s: Kernel, page: PageId, entry: EntryId) -> bool:
    return s.memory[page].word[entry] == 0 or s.page[page].kind == PageKind.FREE


def through_a_name(s: Kernel, page: PageId, entry: EntryId) -> bool:
    upper = s.page[page].kind == PageKind.TABLE_1
    word = s.memory[page].word[entry]
    return implies(upper and word != 0 and s.page[page].fetched, word == 1)


def of_the_entry(s: Kernel, page: PageId, entry: EntryId) -> bool:
    word = s.memory[page].word[entry]
    return implies(word != 0, s.page[page].fetched)


@pytest.mark.parametrize(
    ("function", "before", "rest"),
    [
        (guarded, "s->page[page].kind != PAGE_KIND_FREE", "s->memory[page].word[entry] == 0"),
        (through_a_name, "s->page[page].kind == PAGE_KIND_TABLE_1", None),
        (asked_later, None, None),
        (of_the_entry, None, None),
    ],
)
def test_only_what_is_asked_first_and_without_the_last_index_is_asked_once(function, before, rest):
    typed = translate(function)
    condition, left = checks.antecedent(typed), parted(typed).rest
    assert (condition and checks.text_of(typed, condition)) == before
    if before:
        assert (left and checks.text_of(typed, left)) == rest


def test_every_invariant_is_in_one_group():
    members = [item.id for group in checks.groups() for _, item, _ in group.members]
    assert sorted(members) == sorted(INVARIANTS)


# ---- what C finds


@pytest.fixture
def image():
    """Return the state after a boot, with its bytes."""
    return Image(booted(Generator(random.Random(0), None).information))


def found(image):
    """Return the id and the indices of the invariant that C finds not to hold, or None."""
    image.update()
    told = (ctypes.c_uint32 * 3)()
    if checker()(image.data, told):
        return None
    return [*INVARIANTS][told[0] - 1], told[1], told[2]


def page_of(image, kind):
    """Return the last page of a kind."""
    return max(page for page in range(PAGES) if image.state.page[page].kind == kind)


def set_word(kind, entry, word):
    """Return a change that sets a word of the last page of a kind."""

    def change(image):
        page = page_of(image, kind)
        image.state.memory[page].word[entry] = word
        return page, entry

    return change


def with_leaf(change):
    """Return a change of the first leaf, given the state, its descriptor and its mapping."""

    def changes(image):
        table = page_of(image, PageKind.TABLE_3)
        words = image.state.memory[table].word
        words[0] = change(image.state, words[0], refers_to(words[0]))
        return table, 0

    return changes


def fetched(s, descriptor, mapping):
    s.page[mapped_page(mapping)].fetched = True
    return leaf_descriptor(mapping, Access.READ | Access.WRITE)


def with_blocks(*orders, linked=0):
    """Return a change that gives root blocks of these orders, from unit 0 on, and says what the first has linked."""

    def change(image):
        s = image.state
        for unit, order in enumerate(orders):
            s.block[unit].used, s.block[unit].order = True, order
        s.bank[0].taken = SPAN[max(orders)]
        s.heads[heads_id(ROOT, 0)] = SPAN[0] if len(orders) == 1 else SPAN[1]
        s.block[0].linked = linked
        for unit in range(2):
            s.unit[unit].cached = linked >> unit & 1 == 1
        return 0, 1

    return change


def listed(image):
    image.state.heads[heads_id(ROOT, 0)] = 1
    return ROOT, 0


def in_units(word):
    """Return a change that writes a word into a new table of units."""

    def change(image):
        page = page_of(image, PageKind.FREE)
        take(image.state, page, PageKind.TABLE_UNITS, ROOT)
        image.state.memory[page].word[LAST_ENTRY] = word
        return page, LAST_ENTRY

    return change


CHANGES = {
    "BLOCK-3": with_blocks(1, 0),
    "BLOCK-4": listed,
    "MEM-1": with_leaf(lambda s, descriptor, mapping: descriptor ^ 1 << 2),
    "MEM-2": set_word(PageKind.TABLE_3, LAST_ENTRY, leaf_descriptor(0, Access.READ)),
    "MEM-3": with_leaf(
        lambda s, descriptor, mapping: leaf_descriptor(mapping, Access.READ | Access.WRITE | Access.EXECUTE)
    ),
    "MEM-4": set_word(PageKind.TABLE_1, LAST_ENTRY, 3),
    "MEM-5": set_word(PageKind.FREE, LAST_ENTRY, 1),
    "MEM-19": with_leaf(fetched),
    "UNIT-2": with_blocks(0, linked=0b10),
    "UNIT-4": in_units(1),
    "UNIT-5": in_units(unit_descriptor(0, Access.READ)),
}


def test_the_changes_are_of_all_invariants_over_two_indices():
    assert [*CHANGES] == [item.id for _, item, function in checks.numbered() if len(function.parameters) == 3]


def test_nothing_is_found_after_a_boot(image):
    assert found(image) is None


@pytest.mark.parametrize("id_", CHANGES)
def test_a_violation_is_found_where_it_is(image, id_):
    where = CHANGES[id_](image)
    assert not INVARIANTS[id_].function(image.state, *where)
    assert found(image) == (id_, *where)
