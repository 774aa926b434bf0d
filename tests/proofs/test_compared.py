"""Is everything that matters compared, and nothing that is impossible?

Each piece of the prover of machine code is asked alone.
"""

import itertools
from types import SimpleNamespace

import pytest
import z3

from corollary.language.frontend import translate
from corollary.language.layout import size_of
from corollary.language.types import Array, u32
from corollary.model.kernel.console import put
from corollary.proofs.machine import defined, summary, words
from corollary.proofs.machine.account import Account
from corollary.proofs.machine.calls import cells, facts_of, has_effect, result_of
from corollary.proofs.machine.contract import ContractComparison
from corollary.proofs.machine.contracts import CONTRACTS
from corollary.proofs.machine.execute import FunctionCode
from corollary.proofs.machine.image import Image
from corollary.proofs.machine.lift import SIZE, GaveUp, NotAllowed
from corollary.proofs.machine.loading import Misplaced, check_symbols
from corollary.proofs.machine.memory import ADDRESS
from corollary.proofs.machine.obligations import built
from corollary.proofs.machine.path import Path
from corollary.proofs.machine.refine import Comparison, Different, Model, Vacuous
from corollary.proofs.machine.summary import named, possible_results
from corollary.proofs.machine.sums import parted
from corollary.proofs.symbolic import TOP, Reference, Store
from corollary.spec.kernel.ring import elevated
from corollary.spec.kernel.state import Kernel
from corollary.spec.kernel.vocabulary import Status
from tests.proofs.asked import holds, slot

WORD = z3.BitVec("word", ADDRESS)


# ---- premises and comparisons


def test_what_is_impossible_is_compared_with_nothing():
    comparison = Comparison(built(), named()["capability_id"])
    thread = next(comparison.machine.paths())
    assert comparison.compare(thread)
    comparison.solver.add(False)
    model = Model(comparison, comparison.machine.store.fork(), [])
    comparison.thread, comparison.model, comparison.consumed, comparison.used = thread, model, 0, set()
    with pytest.raises(Vacuous):
        comparison.one(thread, model)


def test_a_path_of_the_assembly_that_is_impossible_is_compared_with_nothing():
    kept = ContractComparison(built(), CONTRACTS["now"])
    for thread in kept.machine.paths():
        kept.solver.add(False)
        kept.thread, kept.consumed, kept.used = thread, 0, set()
        with pytest.raises(Vacuous):
            kept.one(thread, Model(kept, kept.machine.store.fork(), []))


def test_code_that_goes_on_for_too_long_is_not_followed():
    function = named()["capability_id"]
    with pytest.raises(NotAllowed, match="more than 2 steps"):
        list(FunctionCode(built(), function, limit=2).paths())
    assert list(FunctionCode(built(), function).paths())


def test_of_an_object_on_the_stack_counts_what_the_callee_reads_of_it(monkeypatch):
    page = Kernel.fields["page"].element
    reads = {("one", ("kind",)), ("other", ("owner",))}
    monkeypatch.setattr(defined, "footprint", lambda symbol: SimpleNamespace(reads=reads))
    function = SimpleNamespace(symbol="f", parameters=())
    event = SimpleNamespace(places={"one": -8}, number=0, callee="f", stack={}, function=function)
    store, found = Store({"s"}), []
    store.shared.update(roots={})
    item = SimpleNamespace(name="one", type=page)
    defined.argument(event, item, store, lambda what, width: z3.BitVec("b", width), found)
    assert set(store.heads) == {("one@0", ("kind",))}
    assert {what for _, what in found} == {"a stored word is a PageKind in f"}


def test_the_instructions_of_a_function_are_those_that_a_path_within_it_leads_to():
    symbol = built().functions["capability_id"]
    assert Account(built()).reached(symbol) == set(range(symbol.address, symbol.end, SIZE))


def test_more_than_the_segments_is_not_read():
    image = Image(built().path)
    check_symbols(image)
    image.sections.append((0, bytearray(8), False))
    with pytest.raises(Misplaced, match="more than the segments"):
        check_symbols(image)


def test_an_object_on_the_stack_holds_what_the_models_holds():
    comparison = Comparison(built(), named()["capability_id"])
    comparison.model = Model(comparison, comparison.machine.store.fork(), [])
    place, other = Reference("w", (), (), Array[u32, 2]), z3.BitVec("other", 32)
    comparison.model.roots[place.root] = place.type
    for number in range(2):
        comparison.model.store.write(place.element(number), number + 7, TOP)
    for word, same in ((8, True), (9, False), (other, False)):
        event = SimpleNamespace(stack={-8: (4, 7), -4: (4, word)})
        goals = comparison.local(event, place, -8, {("[]",)})
        assert len(goals) == 2 and holds(goals) == same


def test_two_sums_are_what_is_in_both_and_what_is_left_of_each():
    a, b, c = z3.BitVecs("a b c", ADDRESS)
    common, one, other = parted(a + b * 3 + 1, c + a + b * 2)
    assert holds([common == a, one == b * 3 + 1, other == c + b * 2])
    assert parted(3, a) == (0, 3, a) and parted(3, 5) == (0, 3, 5)


def test_a_goal_that_fails_is_named():
    comparison = Comparison(built(), named()["capability_id"])
    with pytest.raises(Different, match="the second goal"):
        goals = [(WORD == WORD + 0, "the first goal"), (WORD != 3, "the second goal")]
        comparison.prove(goals, Path(0, None, None, {}))


def test_a_result_is_one_of_those_that_the_function_names_and_of_its_type():
    function = next(each for each in named().values() if each.returns is Status and possible_results(each))
    results, result = possible_results(function), result_of(function, "now")
    others = [number for number in range(Status.bound) if number not in results]
    facts = [words.condition(fact) for fact in facts_of(function, result)]
    assert others and holds([z3.Or(*[result == number for number in results])], *facts)
    assert all(not holds([result != number], *facts) for number in results)


def test_every_scalar_of_an_object_has_its_place():
    partition = Kernel.fields["partition"].element
    for name in partition.fields:
        if hasattr(partition.fields[name], "storage"):
            expected = slot(partition, name).offset, partition.fields[name], ()
            assert list(cells(partition, (name,))) == [expected]
    pages = Kernel.fields["page"]
    size, first = size_of(pages.element), slot(pages.element, "owner").offset
    assert [offset for offset, _, _ in cells(pages, ("[]", "owner"))][:3] == [first, size + first, 2 * size + first]


# ---- does a function write before it reads?


Words = Array[u32, 2]


def look(state: Words) -> u32:
    return state[1]


def half_written(state: Words) -> u32:
    state[0] = 0
    return look(state)


def all_written(state: Words) -> u32:
    state[0] = 0
    state[1] = 0
    return look(state)


def perhaps_written(state: Words, x: u32) -> u32:
    state[0] = 0
    if x > 3:
        state[1] = 0
    return look(state)


def read_between(state: Words) -> u32:
    state[0] = 0
    found = look(state)
    state[1] = 0
    return found


def read_first(state: Words) -> u32:
    found = state[0]
    state[0] = 0
    state[1] = 0
    return found


@pytest.mark.parametrize(
    ("function", "found"),
    [
        (half_written, set()),
        (all_written, {"state"}),
        (perhaps_written, set()),
        (read_between, set()),
        (read_first, set()),
    ],
)
def test_only_what_is_written_from_end_to_end_before_it_is_read_does_not_matter(function, found):
    assert summary.initialized(translate(function)) == found


def test_what_acts_on_the_hardware_has_an_effect_though_it_writes_nothing():
    assert has_effect(translate(put)) and not has_effect(translate(elevated))


def test_the_low_bits_of_pieces_of_words_are_made_of_their_low_bits():
    one, other = (words.extract(z3.BitVec(name, 64), 0, 32, 64) for name in ("one", "other"))
    for join in (words.bits_and, words.bits_or, words.bits_xor):
        low = join(words.extract(one, 0, 8, 32), words.extract(other, 0, 8, 32), 8)
        assert words.same(words.extract(join(one, other, 32), 0, 8, 32), low)


def value_of(word, width, /, **values):
    """Return what a word or condition is for numbers in place of its variables."""
    known = [(z3.BitVec(name, width), z3.BitVecVal(value, width)) for name, value in values.items()]
    found = z3.simplify(z3.substitute(words.condition(word) if words.known(word) else word, *known))
    return found.as_long() if z3.is_bv(found) else z3.is_true(found)


@pytest.mark.parametrize("join", ["add", "subtract"])
@pytest.mark.parametrize("one", range(4))
@pytest.mark.parametrize("other", range(4))
def test_what_is_shifted_and_added_is_the_same_as_multiplied(join, one, other):
    width, word = 4, z3.BitVec("word", 4)
    times = [word, words.shift_left(word, 1, width), words.multiply(word, 5, width), words.shift_left(word, 3, width)]
    factors = (1, 2, 5, 8)
    made = getattr(words, join)(times[one], times[other], width)
    total = factors[one] + (factors[other] if join == "add" else -factors[other])
    for value in range(1 << width):
        assert (made if words.known(made) else value_of(made, width, word=value)) == value * total % (1 << width)
    shifted = words.shift_left(made, 1, width)
    assert words.known(made) or value_of(shifted, width, word=7) == 14 * total % (1 << width)


def test_a_product_is_seen_in_what_is_shifted_and_added():
    times_5 = words.add(WORD, words.shift_left(WORD, 2, ADDRESS), ADDRESS)
    assert words.same(words.shift_left(times_5, 1, ADDRESS), words.multiply(WORD, 10, ADDRESS))


@pytest.mark.parametrize(
    "word",
    [
        words.bits_and(WORD, ~0xF & words.mask(ADDRESS), ADDRESS),
        words.bits_or(words.shift_left(WORD, 4, ADDRESS), 3, ADDRESS),
        WORD * z3.BitVec("other", ADDRESS),
        words.concat([(0, 4), (words.extract(z3.BitVec("wider", 96), 0, 60, 96), 60)]),
    ],
    ids=["cut off below", "something below", "a product of two unknowns", "cut off above"],
)
def test_what_is_no_multiple_of_a_word_is_not_taken_for_one(word):
    assert words.factored(word, ADDRESS) == (word, 1)


def test_only_a_difference_of_zero_says_that_two_words_are_the_same():
    other = z3.BitVec("other", ADDRESS)
    five = words.equal(words.subtract(WORD, other, ADDRESS), 5, ADDRESS)
    assert not holds([z3.Not(five)], WORD == other + 5) and holds([five], WORD == other + 5)


def test_flags_about_signed_words_say_nothing_of_unsigned_ones():
    a, b = z3.BitVecs("a b", 3)
    found = words.both(words.negate(words.less_signed(a, b, 3)), words.negate(words.equal(a, b, 3)))
    for one, other in itertools.product(range(8), repeat=2):
        wanted = words.signed(one, 3) > words.signed(other, 3)
        assert value_of(found, 3, a=one, b=other) == wanted


def test_what_the_solver_does_not_know_is_neither_possible_nor_proved(monkeypatch):
    comparison = Comparison(built(), named()["memory_take"])
    monkeypatch.setattr(type(comparison.solver), "check", lambda self: z3.unknown)
    for ask in (
        lambda: comparison.possible(WORD == 1),
        lambda: comparison.certain(WORD == 1),
        lambda: comparison.prove([(WORD == 1, "a word")], SimpleNamespace(trail=[])),
    ):
        with pytest.raises(GaveUp):
            ask()


def test_two_flags_together_say_what_each_of_them_says():
    """For all words of three bits, in every order of the operands."""
    (a, b, c), width = z3.BitVecs("a b c", 3), 3
    below = [words.less(one, other, width) for one, other in ((a, b), (b, a))]
    alike = [words.equal(one, other, width) for one, other in ((a, b), (b, a), (a, c))]
    found = [(flag, same, words.both(words.negate(flag), words.negate(same))) for flag in below for same in alike]
    assert sum(z3.is_app_of(both, z3.Z3_OP_ULT) for _, _, both in found) == 4  # not with `c`
    either = [(flag, same, words.either(flag, same)) for flag in below for same in alike]
    for values in itertools.product(range(1 << width), repeat=3):
        known = dict(zip("abc", values, strict=True))
        for flag, same, both in found:
            wanted = not value_of(flag, width, **known) and not value_of(same, width, **known)
            assert value_of(both, width, **known) == wanted
        for flag, same, one in either:
            wanted = value_of(flag, width, **known) or value_of(same, width, **known)
            assert value_of(one, width, **known) == wanted


def test_a_difference_is_zero_where_two_words_are_the_same():
    other = z3.BitVec("other", ADDRESS)
    zero = words.equal(words.subtract(WORD, other, ADDRESS), 0, ADDRESS)
    assert words.same(zero, words.equal(WORD, other, ADDRESS))


def test_on_the_side_of_a_branch_its_condition_is_known():
    condition, comparison = WORD == 3, Comparison(built(), named()["memory_take"])
    for taken in (True, False):
        comparison.thread = SimpleNamespace(decided={condition.get_id(): (taken, condition)})
        assert comparison.branched(condition) is taken and comparison.branched(z3.Not(condition)) is not taken
        assert comparison.branched(WORD == 4) is None
