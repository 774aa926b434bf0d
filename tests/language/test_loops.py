"""Is a right function outside the kernel proved and a wrong one refused? Is a mistake in the prover noticed?

Each pair is a function and its wrong twin, which differ in one line. The twin also fails in Python, on some state.
"""

import random
from types import SimpleNamespace

import pytest

from corollary.language.types import SliceType, u64
from corollary.proofs import bits, loops
from corollary.proofs.loops import Unbounded
from tests.language import cee, rounds, twins, zee
from tests.language.generator import HEADER
from tests.language.test_readings import outcome

TRIES, ROUNDS = 400, 6
PRELUDE = (
    HEADER
    + """
Five = Array[u8, 5]


def number(h: Heap) -> u64:
    return h.size


def seat() -> Slot:
    return 4


def grow(h: Heap) -> None:
    h.at = 9


def count(inner: Inner) -> None:
    inner.count = 9


def raised(h: Heap, inner: Inner) -> u8:
    if h.inner.count < length(h.data):
        inner.count = 9
        return h.data[h.inner.count]
    return 0


def copied(h: Heap, inner: Inner) -> u8:
    if h.size < length(h.data):
        inner.count = 9
        return h.data[h.size]
    return 0


def marked(one: Inner, other: Inner) -> u32:
    if other.count < 9:
        one.count = 9
        return 9 // (9 - other.count)
    return 0


def leave(h: Heap) -> None:
    while h.step > 0:
        decreases(h.step)
        h.step = 0
        h.at = 7
        return
    h.at = 0


def arrive(h: Heap) -> None:
    while h.step > 0:
        decreases(h.step)
        h.step = 0
        h.at = 7
    h.at = 0


"""
)
SIGNATURE = "def f(h: Heap, x: u32, y: u64, b: u8) -> u64:\n"
INLINE = ("leave", "arrive")
MEASURE = "the measure of the loop falls"
BEFORE, AFTER = "a promise of the loop holds before the first round", "a promise of the loop holds after a round"
INDEX, BYTES, ONE_NAME = "index in range", "all bytes are in range", "what a call writes has one name"
FORWARD = """\
i: u64 = 0
while i < length(h.data):
    maintains(i <= length(h.data))
    decreases(length(h.data) - i)
    i += 1
return length(h.data) - i
"""
DOWN = """\
n = x
while n > 0:
    decreases(n)
    n -= 1
"""
KEPT = f"""\
if h.at >= length(h.data):
    return 0
{DOWN}    h.step = 1
return h.data[h.at]
"""
COUNTED = f"""\
if h.inner.count >= length(h.data):
    return 0
{DOWN}    h.inner.level = 1
return h.data[h.inner.count]
"""
NAMED = f"inner = h.inner\n{COUNTED}"
ALIAS = COUNTED.replace("    n -= 1\n", "    n -= 1\n    inner = h.inner\n").replace(
    "    h.inner.level = 1", "    inner.level = 1"
)
CELL = f"""\
if y >= length(h.cells) or length(h.cells) == 0:
    return 0
cell = h.cells[y]
if cell.count >= length(h.data):
    return 0
{DOWN}    h.cells[0].level = 1
return h.data[cell.count]
"""
ROOM = f"""\
room = local(Inner)
{DOWN}    room.level = 1
return h.pair[room.count]
"""
FIRST = f"""\
if length(h.data) == 0 or length(h.text) == 0 or h.data[0] > 1:
    return 0
{DOWN}    fill(h.text, 0, 9, 1)
return h.pair[h.data[0]]
"""
MOVED = """\
if length(h.data) < 3 or length(h.text) < 3:
    return 0
move(h.data, 0, h.text, 0, 3)
return 0
"""
FILLED = """\
if y < length(h.data):
    fill(h.data, y, 1, 1)
return 0
"""
CALL = """\
k = number(h)
if k < length(h.data):
    return h.data[k]
return 0
"""
GROWN = """\
if h.at < length(h.data):
    count(h.inner)
    return h.data[h.at]
return 0
"""
NESTED = """\
n = x
while n > 0:
    decreases(n)
    n -= 1
    k = b
    while k > 0:
        decreases(k)
        k -= 1
        h.step = 1
return 0
"""
AFTERWARDS = f"{DOWN}return h.pair[n]\n"
SEATS = """\
five = local(Five)
seat_: Slot = 0
n = x
while n > 0:
    decreases(n)
    n -= 1
    seat_ = Slot(n % 5)
return five[seat_]
"""
BYTE = """\
n = b
while n > 0:
    decreases(n)
    n -= 1
return 0
"""
FIELD = """\
while h.size > 0:
    decreases(h.size)
    h.size -= 1
    h.at = 3
return 0
"""
LEFT = """\
arrive(h)
if h.step == 0:
    return h.pair[h.at]
return 0
"""
TWICE = """\
if length(h.cells) < 2:
    return 0
return marked(h.cells[0], h.cells[1])
"""
USED = f"""\
k: u32 = 0
if h.at > 1 or h.inner.count > 1 or length(h.data) == 0 or length(h.text) == 0 or h.data[0] > 1:
    return 0
{DOWN}    b = u8.truncate(h.pair[h.at] ^ h.pair[k] ^ h.pair[h.inner.count] ^ h.pair[h.data[0]])
    inner = h.inner
    h.step = 1
return 0
"""
# name, reason why the twin is refused, the function, a line of it, the twin's line instead
PAIRS = {
    "a measure that stands still": (MEASURE, FORWARD, "i += 1", "h.step = 1"),
    "a measure that stands still at times": (MEASURE, DOWN + "return n\n", "n -= 1", "n = n - 1 if b > 0 else n"),
    "a measure that wraps": (MEASURE, BYTE.replace("n -= 1", "n = wrapping_sub(u8, n, 1)"), "n > 0", "n != 1"),
    "a field that a round writes again": (MEASURE, FIELD, "h.at = 3", "h.size = 3"),
    "a measure lost in an inner loop": (MEASURE, NESTED, "h.step = 1", "n = 3"),
    "a promise that does not hold at first": (BEFORE, FORWARD, "i: u64 = 0", "i: u64 = y"),
    "a promise that a round breaks": (AFTER, FORWARD, "i += 1", "i += 2"),
    "an index in the loop": (
        INDEX,
        FORWARD.replace("    i += 1", "    h.data[i] = 1\n    i += 1"),
        "h.data[i] = 1",
        "h.text[i] = 1",
    ),
    "an index after the loop": (
        INDEX,
        FORWARD.replace("return length(h.data) - i", "return h.data[i - 1] if i > 0 else 0"),
        "h.data[i - 1]",
        "h.data[i]",
    ),
    "what the condition says after the loop": (INDEX, AFTERWARDS, "n > 0", "n > 0 and b > 0"),
    "a field that a round writes": (INDEX, KEPT, "h.step = 1", "h.at = 9"),
    "a field of a record": (INDEX, COUNTED, "h.inner.level = 1", "h.inner.count = 9"),
    "a field by another name": (INDEX, NAMED, "h.inner.level = 1", "inner.count = 9"),
    "a field by a name of the round": (INDEX, ALIAS, "inner.level = 1", "inner.count = 9"),
    "an element by another name": (INDEX, CELL, "h.cells[0].level = 1", "h.cells[0].count = 9"),
    "an element by its own name": (INDEX, CELL, "h.cells[0].level = 1", "cell.count = 9"),
    "a record of the function": (INDEX, ROOM, "room.level = 1", "room.count = 9"),
    "a local of the round before": (INDEX, USED, "h.step = 1", "k = 9"),
    "a field of the round before": (INDEX, USED, "h.step = 1", "h.at = 9"),
    "a field by a name of the round before": (INDEX, USED, "h.step = 1", "inner.count = 9"),
    "a callee of the round before": (INDEX, USED, "h.step = 1", "grow(h)"),
    "bytes of the round before": (INDEX, USED, "h.step = 1", "fill(h.data, 0, 9, 1)"),
    "a callee in a round": (INDEX, KEPT, "h.step = 1", "grow(h)"),
    "a callee in a round, on a part": (
        INDEX,
        KEPT.replace("h.step = 1", "count(h.inner)"),
        "count(h.inner)",
        "grow(h)",
    ),
    "bytes that a round fills": (INDEX, FIRST, "fill(h.text, 0, 9, 1)", "fill(h.data, 0, 9, 1)"),
    "bytes that a round moves": (
        INDEX,
        FIRST.replace("fill(h.text, 0, 9, 1)", "move(h.text, 0, h.data, 0, 1)"),
        "move(h.text, 0, h.data, 0, 1)",
        "move(h.data, 0, h.text, 0, 1)",
    ),
    "bytes that a move writes": (
        INDEX,
        FIRST.replace(DOWN, "if True:\n"),
        "fill(h.text, 0, 9, 1)",
        "move(h.data, 0, h.text, 0, 1)",
    ),
    "bytes that a fill writes": (
        INDEX,
        FIRST.replace(DOWN, "if True:\n"),
        "fill(h.text, 0, 9, 1)",
        "fill(h.data, 0, 9, 1)",
    ),
    "a move beyond the end of its target": (BYTES, MOVED, "h.data, 0,", "h.data, 1,"),
    "a move beyond the end of its source": (BYTES, MOVED, "h.text, 0,", "h.text, 1,"),
    "a move of too much": (BYTES, MOVED, ", 3)", ", 4)"),
    "a fill beyond the end": (BYTES, FILLED, "y < length(h.data)", "y <= length(h.data)"),
    "a fill beyond the end of all numbers": (
        BYTES,
        FILLED,
        "y < length(h.data)",
        "wrapping_add(u64, y, 1) <= length(h.data)",
    ),
    "a result as an index": (INDEX, CALL, "if k < length(h.data):", "if k < 3:"),
    "a result of its type": (INDEX, "five = local(Five)\nreturn five[seat()]\n", "seat()", "number(h)"),
    "a result asked for twice": (INDEX, CALL, "return h.data[k]", "return h.data[number(h) + 1]"),
    "what a callee writes": (INDEX, GROWN, "count(h.inner)", "grow(h)"),
    "an index of its type": (INDEX, SEATS, "five[seat_]", "five[x]"),
    "a return in a round": (INDEX, LEFT, "arrive(h)", "leave(h)"),
    "a part of another argument": (ONE_NAME, "return copied(h, h.inner)\n", "copied", "raised"),
    "an argument twice": (ONE_NAME, TWICE, "h.cells[1]", "h.cells[0]"),
    "an argument that may be another": (
        ONE_NAME,
        TWICE.replace("h.cells[0]", "h.cells[y]").replace("< 2", "< 2 or y != 0"),
        "< 2 or y != 0",
        "< 2 or y > 1",
    ),
}


def program(pair):
    """Return the source of a function and of its twin."""
    _, text, right, wrong = PAIRS[pair]
    assert text.count(right) >= 1, f"{pair}: no {right}"
    for body in (text, text.replace(right, wrong)):
        yield PRELUDE + SIGNATURE + "".join(f"    {line}\n" for line in body.splitlines())


@pytest.fixture(scope="module", name="twins")
def made_twins(tmp_path_factory):
    """Return the functions of each pair."""
    return twins.made(tmp_path_factory.mktemp("twins"), PAIRS, program)


def broken(twin):
    """Return the reasons why a function is refused."""
    return zee.Outside(twin.function, lambda callee: callee.name in INLINE).broken()


def mistaken(pair, twins):
    """Is a pair misjudged? Either the function is refused, or its twin is not refused for its mistake."""
    return bool(broken(twins[pair, "right"])) or PAIRS[pair][0] not in broken(twins[pair, "wrong"])


def fails(python, name):
    """Does a function fail on one of many states, none of which lets a loop run long?"""
    rng = random.Random(name)
    for _ in range(TRIES):
        state, small = rounds.heap(rng), [rng.randrange(ROUNDS) for _ in range(4)]
        state.size = small[0]
        if outcome(python, state, [small[1], rng.choice((small[2], u64.bound - 1)), small[3]]) is None:
            return True
    return False


@pytest.mark.parametrize("pair", PAIRS)
def test_a_function_is_proved_and_its_wrong_twin_refused(pair, twins):
    assert broken(twins[pair, "right"]) == []
    assert PAIRS[pair][0] in broken(twins[pair, "wrong"])


@pytest.mark.parametrize("pair", PAIRS)
def test_the_wrong_twin_alone_fails_in_python(pair, twins):
    assert not fails(twins[pair, "right"].python, pair)
    assert fails(twins[pair, "wrong"].python, pair)


def test_what_the_pairs_call_is_proved_by_itself(twins):
    callees = {
        other.name: other
        for twin in twins.values()
        for other in cee.ordered([twin.function])
        if other is not twin.function
    }
    assert all(zee.Outside(other).proved() for other in callees.values())


# ---- the pairs above notice a mistake in the prover


def promised_but(*left_out):
    """Return a prover that does not check promises at some point."""
    right = Unbounded.promised
    return lambda self, node, frame, when: None if when in left_out else right(self, node, frame, when)


def with_another(name, function):
    """Return the functions on bits, with one of them replaced."""
    return SimpleNamespace(**{**vars(bits), name: function})


loops_along = loops.along
# name, place, replacement, the pair that notices it
MISTAKES = {
    "written places are kept": (loops, "written", lambda body: [], "a field of the round before"),
    "assigned locals are kept": (loops, "assigned", lambda body: {}, "a local of the round before"),
    "what is called in a round writes nothing": (
        loops,
        "written",
        lambda body: [loops_along(place, {}) for place in loops.stored(list(loops.ir.walk(body)))],
        "a callee of the round before",
    ),
    "other names are not followed": (
        loops,
        "along",
        lambda place, aliases: loops_along(place, {}),
        "a field by a name of the round before",
    ),
    "bytes of a round are kept": (
        loops,
        "stored",
        lambda nodes: [
            node.target
            for node in nodes
            if isinstance(node, loops.ir.Assign) and not isinstance(node.target, loops.ir.Local)
        ],
        "bytes of the round before",
    ),
    "one element alone is forgotten": (
        Unbounded,
        "forget",
        lambda self, place, guard, right=Unbounded.forget: right(
            self, place.element(1) if isinstance(place.type, SliceType) else place, guard
        ),
        "bytes that a fill writes",
    ),
    "promises are not checked at first": (
        Unbounded,
        "promised",
        promised_but("before the first round"),
        "a promise that does not hold at first",
    ),
    "promises are not checked after a round": (
        Unbounded,
        "promised",
        promised_but("after a round"),
        "a promise that a round breaks",
    ),
    "a measure may stand still": (
        loops,
        "bits",
        with_another("compare", lambda op, *rest: bits.compare("<=" if op == "<" else op, *rest)),
        "a measure that stands still",
    ),
    "nothing is said after a loop": (
        loops,
        "bits",
        with_another("negate", lambda value: True),
        "what the condition says after the loop",
    ),
    "the condition holds after a loop": (
        loops,
        "bits",
        with_another("negate", lambda value: value),
        "what the condition says after the loop",
    ),
    "unknown values have no type": (loops, "belongs", lambda value, type_: True, "a result of its type"),
    "what is called writes nothing": (Unbounded, "forget", lambda self, place, guard: None, "what a callee writes"),
    "what is called returns zero": (Unbounded, "anything", lambda self, name, type_: 0, "a result of its type"),
    "a move ends where it likes": (Unbounded, "inside", lambda *_: None, "a move beyond the end of its target"),
    "a fill ends where it likes": (Unbounded, "inside", lambda *_: None, "a fill beyond the end"),
    "a move reads what it likes": (
        Unbounded,
        "on_Move",
        lambda self, node, frame: self.bytes_at(node, self.value(node.count, frame), frame),
        "a move beyond the end of its source",
    ),
    "the end of bytes wraps": (
        loops.z3,
        "BVAddNoOverflow",
        lambda *_: loops.z3.BoolVal(True),
        "a fill beyond the end of all numbers",
    ),
    "one byte too many": (loops.z3, "ULE", lambda a, b: loops.z3.UGE(b + 1, a), "a fill beyond the end"),
    "a return in a round is nothing": (
        Unbounded,
        "anything",
        lambda self, name, type_, right=Unbounded.anything: False if name == "returned" else right(self, name, type_),
        "a return in a round",
    ),
    "places are always apart": (Unbounded, "apart", lambda *_: None, "a part of another argument"),
    "elements are always apart": (loops, "meet", lambda *_: False, "an argument that may be another"),
    "elements are never apart": (
        loops,
        "bits",
        with_another("compare", lambda *_: True),
        "an argument that may be another",
    ),
}


@pytest.mark.parametrize("where, name, instead, pair", MISTAKES.values(), ids=MISTAKES)
def test_a_mistake_in_the_prover_is_noticed(where, name, instead, pair, twins, monkeypatch):
    monkeypatch.setattr(where, name, instead)
    assert mistaken(pair, twins)
