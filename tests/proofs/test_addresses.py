"""Where does an address of machine code lead, and what is known of the stack?

Each piece of the prover is asked alone.
"""

from types import SimpleNamespace
from typing import Any

import pytest
import z3

from corollary.language.layout import size_of
from corollary.proofs.machine import words
from corollary.proofs.machine.called import Entered
from corollary.proofs.machine.concrete import in_range
from corollary.proofs.machine.frames import STACK, Framed
from corollary.proofs.machine.heap import part
from corollary.proofs.machine.interpreter import VM
from corollary.proofs.machine.lift import NotAllowed
from corollary.proofs.machine.memory import ADDRESS, Layout, Linear, linear, multiple, place_of
from corollary.proofs.machine.platform import Platform, Round
from corollary.proofs.symbolic import Reference
from corollary.spec.kernel.state import Kernel
from tests.proofs.asked import holds, slot

WORD = z3.BitVec("word", ADDRESS)
LOW = z3.Extract(60, 0, WORD)
STATE = Reference("s", (), (), Kernel)


# ---- where an address leads


@pytest.fixture
def layout():
    """Return a layout and its obligations: `(condition, what)`."""
    found = []
    made: Any = Layout(lambda condition, what: found.append((condition, what)))
    made.found = found
    return made


def test_an_element_is_indexed_in_range_or_that_is_to_be_proved(layout):
    pages, size = STATE.field("page", Kernel.fields["page"]), size_of(Kernel.fields["page"].element)
    pieces, taken = layout.scalars(pages, [], 0, [(size, WORD)], 1)
    assert taken == 1 and pieces[0].place.path[:2] == ("page", "[]")
    conditions = [condition for condition, _ in layout.found]
    assert holds(conditions, z3.ULT(WORD, pages.type.length)) and not holds(conditions, z3.ULE(WORD, pages.type.length))


def test_a_known_element_out_of_range_is_refused(layout):
    pages = STATE.field("page", Kernel.fields["page"])
    size, count = size_of(pages.type.element), pages.type.length
    assert layout.scalars(pages, [], size * (count - 1), [], 1)[0][0].place.indices == (count - 1,)
    with pytest.raises(NotAllowed, match="out of range"):
        layout.scalars(pages, [], size * count, [], 1)
    with pytest.raises(NotAllowed, match="out of range"):
        layout.scalars(pages, [], -size, [], 1)


def test_an_address_runs_through_no_scalar(layout):
    with pytest.raises(NotAllowed, match="runs through sequence"):
        layout.scalars(STATE.field("sequence", Kernel.fields["sequence"]), [], 0, [(1, WORD)], 1)
    with pytest.raises(NotAllowed, match="runs through page"):
        layout.scalars(STATE.field("page", Kernel.fields["page"]), [], 0, [(1, WORD)], 1)


def test_nothing_lies_behind_a_record(layout):
    with pytest.raises(NotAllowed, match="is behind Kernel"):
        layout.scalars(STATE, [], Kernel.layout.size, [], 1)


def test_a_pointer_leads_to_an_element_in_range_of_the_type_that_is_wanted(layout):
    pages = STATE.field("page", Kernel.fields["page"])
    page, at, size = pages.type.element, slot(Kernel, "page").offset, size_of(pages.type.element)
    found = place_of(layout, STATE, at, [(size, WORD)], page)
    assert found.path == ("page", "[]") and found.type is page
    conditions = [condition for condition, _ in layout.found]
    assert holds(conditions, z3.ULT(WORD, pages.type.length)) and not holds(conditions, z3.ULE(WORD, pages.type.length))
    partition = Kernel.fields["partition"].element
    for offset, parts, wanted in ((at + 1, [], page), (at, [(1, WORD)], page), (at, [], partition)):
        with pytest.raises(NotAllowed):
            place_of(layout, STATE, offset, parts, wanted)


@pytest.mark.parametrize(
    ("value", "constant", "parts"),
    [
        (WORD + 8, 8, [1]),
        (WORD * 24 + WORD, 0, [25]),
        (8 - WORD, 8, [-1]),
        (~WORD, (1 << ADDRESS) - 1, [-1]),
        ((WORD << 3) + WORD * 2 + 1, 1, None),
        (WORD - WORD, 0, []),
        (z3.ZeroExt(3, LOW + 1) * 8, 8, [8]),  # what the sum loses lies behind the address
        (z3.ZeroExt(3, LOW + 1) * 4, 0, [4]),
    ],
)
def test_an_address_is_the_sum_that_it_is(value, constant, parts):
    found = linear(value)
    total = found.constant + sum((factor * word for factor, word in found.parts.values()), z3.BitVecVal(0, ADDRESS))
    assert found.constant == constant and holds([total == value])
    assert parts is None or [factor for factor, _ in found.parts.values()] == parts


def test_a_sum_is_a_multiple_where_all_of_it_is():
    def found(constant, factor, known=()):
        return multiple(Linear(constant, {WORD.get_id(): (factor, WORD)}), 16, {WORD.get_id(): each for each in known})

    assert found(32, 16) is True and found(32, 2, [8]) is True and found(8, 16) is False
    assert not holds([found(0, 2, [4])]) and not holds([found(8, 1)]) and holds([found(8, 1)], WORD == 24)


class Elsewhere(Entered):
    """Code of the VM with an address that leads somewhere into its stack."""

    def __init__(self, offset, parts):
        self.lead = part(VM, "stack"), offset, parts

    def base(self, thread, address):
        return self.lead


def test_bytes_are_moved_from_whole_elements_of_a_slice():
    thread = SimpleNamespace(pc=0, oblige=lambda condition, what: None)
    place, position = Elsewhere(16, [(8, WORD)]).slice_at(thread, WORD)
    assert place == part(VM, "stack") and holds([position == WORD + 2])
    for offset, parts in ((17, []), (16, [(1, WORD)]), (17, [(1, WORD)])):
        with pytest.raises(NotAllowed, match="between elements of stack"):
            Elsewhere(offset, parts).slice_at(thread, WORD)


def test_an_index_is_below_the_length_of_its_array():
    pages = Kernel.fields["page"].length
    assert [in_range(Kernel, ("page", "[]", "kind"), [index]) for index in (0, pages - 1, pages)] == [True, True, False]


# ---- the stack, and loops that count


class Standing(Framed):
    """Code with its stack pointer at an offset in something."""

    before = None

    def __init__(self, root, offset):
        self.standing = root, offset, []

    def base(self, thread, address):
        return self.standing


THREAD = SimpleNamespace(pc=0, registers=SimpleNamespace(named=lambda name: 0), stack={-24: 1, -8: 2}, deepest=0)


def test_a_stack_pointer_in_an_object_is_none_of_the_stack():
    assert Standing(STACK, -16).depth(THREAD) == -16 and Standing("kernel", -16).depth(THREAD) is None
    for use in (lambda code: code.own(THREAD, -16, 8), lambda code: code.abandon(THREAD)):
        with pytest.raises(NotAllowed, match="stack pointer"):
            use(Standing("kernel", -16))


@pytest.mark.parametrize(
    ("offset", "size", "given", "allowed"),
    [
        (-16, 8, 0, True),
        (-8, 8, 0, True),
        (-24, 8, 0, False),
        (-8, 16, 0, False),
        (0, 8, 8, True),
        (8, 8, 8, False),
        (0, 16, 8, False),
        (-8, 16, 16, False),
    ],
)
def test_code_has_its_frame_and_the_arguments_behind_it(offset, size, given, allowed):
    code = Standing(STACK, -16)
    if allowed:
        code.own(THREAD, offset, size, given)
    else:
        with pytest.raises(NotAllowed, match="of the stack"):
            code.own(THREAD, offset, size, given)


def test_what_lies_below_the_stack_pointer_is_lost_in_a_call():
    thread = SimpleNamespace(**vars(THREAD) | {"stack": {-24: 1, -16: 3, -8: 2}})
    Standing(STACK, -16).abandon(thread)
    assert thread.stack == {-16: 3, -8: 2} and thread.deepest == 16


def counted(*effects, heads=(), kept=0):
    """Return the obligations at the end of a round of a counting loop; the round has calls with or without effects."""
    this, found = Round(0, "x19", z3.BitVec("n", 32), 7, 0, {"x20": 0}, {}), []
    following = words.add(words.extend(this.number, 32, 64), 1, 64)
    thread = SimpleNamespace(
        rounds=[this],
        events=[SimpleNamespace(has_effect=effect) for effect in effects],
        heap=SimpleNamespace(heads=dict(heads)),
        oblige=lambda condition, what: found.append(condition),
        registers=SimpleNamespace(named=lambda name: kept if name == "x20" else following),
    )
    Platform.count(None, thread, SimpleNamespace(first=0), True)
    return found


def test_a_round_of_a_loop_that_counts_has_no_effect_and_leaves_all_as_it_was():
    number = z3.BitVec("n", 32)
    conditions = counted(False, False)
    assert holds(conditions, z3.ULT(number, 6)) and not holds(conditions, z3.ULE(number, 6))
    for effects, others in (((False, True), {}), ((True,), {}), ((), {"heads": {"a": 1}}), ((), {"kept": 1})):
        with pytest.raises(NotAllowed, match="a round of this loop changes something"):
            counted(*effects, **others)
