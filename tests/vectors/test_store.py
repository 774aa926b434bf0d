"""Does a store do what a dictionary does, and does it find what plain Python finds?"""

import copy
import math
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from corollary.spec.vectors.limits import ANY, LAST, MOST, MOST_DIMENSION, RANKS
from corollary.spec.vectors.store import AT_LATEST, AT_ZEROS, ENTRY, HEADER
from corollary.spec.vectors.vocabulary import Element, Metric, Status
from corollary.vectors import VectorRefused, VectorStore
from tests.vectors.oracle import as_word, nearest

KEYS = st.sampled_from((0, 1, 2, 3, 1 << 32, ANY - 1, ANY))
BYTES = st.integers(-128, 127)
WORDS = st.floats(-1e6, 1e6, width=32)
FEW = st.integers(-2, 2)  # so that many are as near as others


def refused(status, action, *arguments):
    """Check that an action is refused for a reason."""
    with pytest.raises(VectorRefused) as caught:
        action(*arguments)
    assert caught.value.status == status


class Kept(RuleBasedStateMachine):
    """A store beside a dictionary of its vectors."""

    @initialize(element=st.sampled_from(Element), dimension=st.integers(1, 20), capacity=st.integers(1, 5))
    def begin(self, element, dimension, capacity):
        self.store, self.element = VectorStore(dimension, element, capacity), element
        self.dimension, self.capacity = dimension, capacity
        self.kept, self.versions, self.latest = {}, {}, 0

    def drawn(self, data):
        """Draw the elements of a vector."""
        of = st.one_of(FEW, BYTES if self.element is Element.I8 else WORDS)
        return tuple(data.draw(st.lists(of, min_size=self.dimension, max_size=self.dimension)))

    @rule(data=st.data(), key=KEYS, expected=st.sampled_from(("any", "right", "none", "other")))
    def put(self, data, key, expected):
        version = self.versions.get(key, 0)
        wanted = {"any": ANY, "right": version, "none": 0, "other": version + 1}[expected]
        elements = self.drawn(data)
        if wanted not in (ANY, version):
            refused(Status.STALE_VERSION, self.store.put, key, elements, wanted)
        elif key not in self.kept and len(self.kept) == self.capacity:
            refused(Status.FULL, self.store.put, key, elements, wanted)
        else:
            self.latest += 1
            assert self.store.put(key, elements, wanted) == self.latest
            self.kept[key], self.versions[key] = elements, self.latest

    @rule(key=KEYS, right=st.booleans())
    def delete(self, key, right):
        version = self.versions.get(key, 0)
        if key not in self.kept:
            refused(Status.ABSENT, self.store.delete, key)
        elif not right:
            refused(Status.STALE_VERSION, self.store.delete, key, version + 1)
        else:
            self.store.delete(key, version)
            self.latest += 1
            del self.kept[key], self.versions[key]

    @rule(data=st.data(), count=st.integers(1, RANKS), metric=st.sampled_from(Metric))
    def find(self, data, count, metric):
        query = self.drawn(data)
        assert self.store.nearest(query, count, metric) == nearest(self.kept, query, count, metric, self.element)

    @precondition(lambda self: self.element is Element.F32)
    @rule(key=KEYS, bad=st.sampled_from((math.nan, math.inf, -math.inf)))
    def put_what_is_not_finite(self, key, bad):
        refused(Status.NOT_FINITE, self.store.put, key, [bad] * self.dimension)
        refused(Status.NOT_FINITE, self.store.nearest, [bad] * self.dimension, 1)

    @rule()
    def open_again(self):
        self.store = VectorStore(self.dimension, self.element, self.capacity, self.store.saved())

    @invariant()
    def is_the_same(self):
        for key in (0, 1, 2, 3, 1 << 32, ANY - 1, ANY):
            if key in self.kept:
                assert self.store.get(key) == (self.kept[key], self.versions[key])
            else:
                with pytest.raises(KeyError):
                    self.store.get(key)


Kept.TestCase.settings = settings(max_examples=150, stateful_step_count=30)
TestKept = Kept.TestCase


@given(
    st.lists(st.tuples(*[st.floats(-(2.0**50), 2.0**50, width=32)] * 17), min_size=2, max_size=5),
    st.sampled_from(Metric),
)
@settings(max_examples=200)
def test_every_rounding_is_that_of_binary32(vectors, metric):
    store = VectorStore(17, Element.F32, 8)
    kept = dict(enumerate(vectors[1:]))
    for key, elements in kept.items():
        store.put(key, elements)
    assert store.nearest(vectors[0], 4, metric) == nearest(kept, vectors[0], 4, metric, Element.F32)


def test_the_extremes_of_bytes_do_not_overflow():
    store = VectorStore(MOST_DIMENSION, Element.I8, 2)
    store.put(1, [-128] * MOST_DIMENSION)
    store.put(2, [127] * MOST_DIMENSION)
    low = [-128] * MOST_DIMENSION
    assert store.nearest(low, 2) == [(1, 0), (2, MOST_DIMENSION * 255 * 255)]
    assert store.nearest(low, 2, Metric.DOT) == [(1, MOST_DIMENSION * 128 * 128), (2, -MOST_DIMENSION * 127 * 128)]


def test_words_that_overflow_are_far_and_products_that_are_no_number_are_farthest():
    large = 3e38
    store = VectorStore(2, Element.F32, 3)
    store.put(1, [large, -large])
    store.put(2, [0, 0])
    store.put(3, [-large, large])
    assert store.nearest([-large, 0], 3) == [(1, math.inf), (2, math.inf), (3, math.inf)]
    found = store.nearest([large, large], 3, Metric.DOT)
    assert [key for key, _ in found] == [2, 1, 3] and found[0][1] == 0
    assert math.isnan(found[1][1]) and math.isnan(found[2][1])


def test_a_full_store_takes_other_elements():
    store = VectorStore(3, Element.I8, 2)
    store.put(1, [1, 1, 1])
    store.put(2, [2, 2, 2])
    refused(Status.FULL, store.put, 3, [3, 3, 3])
    for number in range(50):
        store.put(number % 2 + 1, [number] * 3)
    assert store.get(1)[0] == (48,) * 3 and store.get(2)[0] == (49,) * 3


def test_after_the_last_version_nothing_changes_any_more():
    store = VectorStore(1, Element.I8, 2)
    store.put(1, [1])
    stored = bytearray(store.saved())
    stored[8 * AT_LATEST : 8 * AT_LATEST + 8] = (LAST - 1).to_bytes(8, "little")
    store = VectorStore(1, Element.I8, 2, bytes(stored))
    assert store.put(1, [2]) == LAST
    refused(Status.EXHAUSTED, store.put, 1, [3])
    refused(Status.EXHAUSTED, store.delete, 1)
    assert store.get(1) == ((2,), LAST)


@pytest.mark.parametrize(
    ("word", "value", "status"),
    [
        (0, 7, Status.NO_STORE),
        (1, 0, Status.BAD_DIMENSION),
        (1, MOST_DIMENSION + 1, Status.BAD_DIMENSION),
        (1, 9, Status.NO_ROOM),
        (2, 2, Status.BAD_ELEMENT),
        (3, 0, Status.BAD_CAPACITY),
        (3, MOST + 1, Status.BAD_CAPACITY),
        (3, 4, Status.NO_ROOM),
        (3, 2, Status.NO_STORE),
        (AT_LATEST, 1, Status.DAMAGED),  # below a version that was given
        (AT_LATEST, ANY, Status.DAMAGED),
        (AT_ZEROS + 1, 1, Status.DAMAGED),
        (HEADER + ENTRY, 2, Status.DAMAGED),  # a key that another row has
        (HEADER + ENTRY + 1, 9, Status.DAMAGED),
        (HEADER + ENTRY * 3 + 1, 1, Status.OK),
        (HEADER + ENTRY * 4 + 1, 1, Status.FULL),
    ],
)
def test_a_damaged_store_is_refused(word, value, status):
    store = VectorStore(8, Element.I8, 3)
    store.put(1, [1] * 8)
    store.put(2, [2] * 8)
    stored = bytearray(store.saved())
    stored[8 * word : 8 * word + 8] = value.to_bytes(8, "little")
    if status is Status.OK:
        assert VectorStore(8, Element.I8, 3, bytes(stored)).get(0) == ((0,) * 8, 1)
    elif status is Status.FULL:
        made = VectorStore(8, Element.I8, 3, bytes(stored))
        refused(Status.FULL, made.put, 7, [7] * 8)
    else:
        refused(status, VectorStore, 8, Element.I8, 3, bytes(stored))


def test_what_has_no_shape_is_refused():
    refused(Status.BAD_DIMENSION, VectorStore, 0, Element.I8, 3)
    refused(Status.BAD_CAPACITY, VectorStore, 3, Element.I8, 0)
    refused(Status.NO_ROOM, VectorStore, 3, Element.I8, 3, b"")
    for wrong in ((MOST_DIMENSION + 1, Element.I8, 3), (3, Element.I8, MOST + 1), (3, 2, 1)):
        with pytest.raises(ValueError, match=r"\d"):
            VectorStore(*wrong)
    store = VectorStore(3, Element.I8, 3)
    assert store.nearest([0, 0, 0], 0) == []
    for action in (
        lambda: store.put(ANY + 1, [0, 0, 0]),
        lambda: store.put(1, [0, 0]),
        lambda: store.put(1, [0, 0, 128]),
        lambda: store.nearest([0, 0, 0], RANKS + 1),
        lambda: VectorStore(1, Element.F32, 1).put(1, [1e39]),
    ):
        with pytest.raises(ValueError, match=r"\d"):
            action()
    with pytest.raises(TypeError):
        copy.copy(store)


def test_threads_take_turns():
    store = VectorStore(4, Element.I8, 4)
    store.put(1, [0] * 4)

    def count(_):
        done = 0
        while done < 50:
            elements, version = store.get(1)
            if elements[0] == elements[1] == elements[2] == elements[3]:
                try:
                    store.put(1, [(elements[0] + 1) % 100] * 4, version)
                except VectorRefused:
                    continue
                done += 1
        return done

    with ThreadPoolExecutor(4) as pool:
        assert sum(pool.map(count, range(4))) == 200
    assert store.get(1) == ((200 % 100,) * 4, 201)


def test_a_word_is_taken_as_binary32():
    store = VectorStore(1, Element.F32, 1)
    store.put(1, [0.1])
    assert store.get(1)[0] == (as_word(0.1),)
