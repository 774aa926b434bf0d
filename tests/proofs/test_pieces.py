"""Does each piece of the prover of machine code refuse what it must, and count what it must, when it is asked alone?"""

import itertools
from types import SimpleNamespace

import pytest
import z3

from model.proof import PROOF_FROM, PROOF_LEVELS, PROOF_POSITION
from proofs.machine import constant_time, defined, floats, instructions, lift, obligations, summary, words
from proofs.machine.account import Account
from proofs.machine.beyond import BEYOND, Wide
from proofs.machine.bounds import ENTRY, LAST_WORDS, Bounds, is_fault, may_name
from proofs.machine.called import Entered
from proofs.machine.calls import cells, facts_of, result_of
from proofs.machine.concrete import in_range
from proofs.machine.contract import Kept
from proofs.machine.contracts import CAUSES, CONTRACTS, REGION
from proofs.machine.execute import Function
from proofs.machine.frames import STACK, Framed
from proofs.machine.heap import part
from proofs.machine.image import Image
from proofs.machine.interpreter import VM
from proofs.machine.lift import SIZE, NotAllowed, Operation, Varnode
from proofs.machine.loading import Misplaced, check_symbols
from proofs.machine.memory import ADDRESS, Layout, Linear, linear, multiple, place_of
from proofs.machine.obligations import BUILDS, IMAGE, PLATFORM, built, checked, ends, fits
from proofs.machine.path import Path
from proofs.machine.platform import Platform, Round
from proofs.machine.premises import Typed
from proofs.machine.processor import FLAGS, WORDS, Registers, as_word, evaluate
from proofs.machine.refine import Comparison, Different, Model, Vacuous
from proofs.machine.summary import named, possible_results
from proofs.machine.sums import parted
from proofs.machine.system import strays
from proofs.symbolic import TOP, Reference, Store
from spec.language.frontend import translate
from spec.language.layout import size_of
from spec.language.types import Array, boolean, u32, u64
from spec.limits import LONGEST_CALL
from spec.state import Kernel
from spec.vocabulary import PageKind, Status
from tests.machine.system import assembled

WORD = z3.BitVec("word", ADDRESS)
STATE = Reference("s", (), (), Kernel)


# ---- where an address leads


@pytest.fixture
def layout():
    """A layout, and what it obliges: `(condition, what)`."""
    found = []
    made = Layout(lambda condition, what: found.append((condition, what)))
    made.found = found
    return made


def slot(record, name):
    """Where a field of a record lies."""
    return next(each for each in record.layout.slots if each.name == name)


def holds(conditions, *known):
    """Do conditions follow from what is known?"""
    solver = z3.Solver()
    solver.add(*known, z3.Not(z3.And(*[words.condition(condition) for condition in conditions])))
    return solver.check() == z3.unsat


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


@pytest.mark.parametrize(("value", "constant", "parts"), [
    (WORD + 8, 8, [1]), (WORD * 24 + WORD, 0, [25]), (8 - WORD, 8, [-1]), (~WORD, (1 << ADDRESS) - 1, [-1]),
    ((WORD << 3) + WORD * 2 + 1, 1, None), (WORD - WORD, 0, [])])
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
    """Code of the VM whose address leads to somewhere in its stack."""

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


# ---- what is read


def test_a_variable_is_no_constant():
    image = built()
    base, content, _ = next(section for section in image.sections if not section[2])
    assert image.constant(base, 8) == bytes(content[:8])
    image = Image(image.path)
    image.sections.append((0, bytearray(16), True))
    assert image.read(0, 8) == bytes(8)
    with pytest.raises(LookupError, match="is not read-only"):
        image.constant(0, 8)
    for address, size in ((12, 8), (16, 1)):
        with pytest.raises(LookupError, match="is not in the image"):
            image.read(address, size)


def test_a_p_code_operation_without_a_meaning_is_refused():
    node = Varnode("const", 0, 8)
    with pytest.raises(NotAllowed, match="FLOAT_TRUNC has no meaning"):
        evaluate(SimpleNamespace(name="FLOAT_TRUNC", inputs=[node], output=node), Registers(None))


def signed(word):
    """A byte as a number with a sign."""
    return word - 256 if word > 127 else word


BYTES = (0, 1, 2, 7, 8, 100, 127, 128, 129, 254, 255)
OF_ONE = {      # what an operation makes of a byte, before it is cut to the width of its output
    "COPY": lambda a: a, "INT_NEGATE": lambda a: ~a, "INT_2COMP": lambda a: -a, "INT_ZEXT": lambda a: a,
    "INT_SEXT": signed, "LZCOUNT": lambda a: 8 - a.bit_length(), "POPCOUNT": lambda a: a.bit_count()}
OF_TWO = {
    "INT_ADD": lambda a, b: a + b, "INT_SUB": lambda a, b: a - b, "INT_MULT": lambda a, b: a * b,
    "INT_AND": lambda a, b: a & b, "INT_OR": lambda a, b: a | b, "INT_XOR": lambda a, b: a ^ b,
    "INT_LEFT": lambda a, b: a << b, "INT_RIGHT": lambda a, b: a >> b, "INT_SRIGHT": lambda a, b: signed(a) >> b,
    "INT_DIV": lambda a, b: a // b, "INT_SDIV": lambda a, b: int(signed(a) / signed(b)),
    "INT_EQUAL": lambda a, b: a == b, "INT_NOTEQUAL": lambda a, b: a != b,
    "INT_SLESS": lambda a, b: signed(a) < signed(b), "INT_LESSEQUAL": lambda a, b: a <= b,
    "INT_CARRY": lambda a, b: a + b > 255, "INT_SCARRY": lambda a, b: not -128 <= signed(a) + signed(b) < 128,
    "INT_SBORROW": lambda a, b: not -128 <= signed(a) - signed(b) < 128}


def test_every_operation_on_words_is_asked_about():
    assert {*OF_ONE, *OF_TWO} == {*WORDS, *FLAGS, *BEYOND}


@pytest.mark.parametrize("name", [*OF_ONE, *OF_TWO])
def test_an_operation_on_words_is_what_arithmetic_says(name):
    meaning, number = (OF_ONE[name], 1) if name in OF_ONE else (OF_TWO[name], 2)
    places = [Varnode("register", 64 * position, 1) for position in range(number)]
    output = Varnode("register", 256, 2 if name in ("INT_ZEXT", "INT_SEXT") else 1)
    operation, unknown = Operation(name, output, tuple(places)), z3.BitVecs("a b", 8)[:number]

    def evaluated(values):
        lanes = Registers(None)
        for place, value in zip(places, values):
            lanes[place] = value
        lanes[output] = Wide.evaluate(Wide.__new__(Wide), SimpleNamespace(registers=lanes), operation)
        return words.term(as_word(lanes[output], output.size), 8 * output.size)
    found = evaluated(unknown)
    for values in itertools.product(BYTES, repeat=number):
        if name not in ("INT_DIV", "INT_SDIV") or values[1]:        # the instruction looks for zero first
            known = [(word, z3.BitVecVal(value, 8)) for word, value in zip(unknown, values)]
            told = [z3.simplify(each).as_long() for each in (evaluated(values), z3.substitute(found, *known))]
            assert told == [int(meaning(*values)) & (1 << 8 * output.size) - 1] * 2, values


@pytest.mark.parametrize(("name", "size", "allowed"), [
    ("FLOAT_ADD", 4, True), ("FLOAT_ADD", 8, True), ("FLOAT_ADD", 2, False), ("FLOAT_CEILING", 8, False)])
def test_an_operation_on_floats_is_one_of_the_rules_on_a_format_of_webassembly(name, size, allowed):
    operation = Operation(name, Varnode("register", 0, size), tuple(Varnode("register", at, size) for at in (16, 32)))
    values = z3.BitVecs("one other", 8 * size)
    if allowed:
        assert floats.evaluate(operation, values).size() == 8 * size
    else:
        with pytest.raises(NotAllowed, match="has no meaning"):
            floats.evaluate(operation, values)


def test_of_an_unknown_value_its_type_is_known_and_nothing_of_any_other():
    typed, value = Typed({"s"}), z3.BitVec("kind", 8)
    assert typed.noted(3, PageKind) == 3 and typed.noted(z3.BitVec("word", 64), u64) is not None and typed.facts == {}
    assert typed.noted(value, PageKind) is typed.noted(value, PageKind) is value
    assert [holds([fact == z3.ULT(value, PageKind.bound)]) for fact, _ in typed.facts.values()] == [True]


def test_a_wide_read_of_a_narrow_write_is_refused():
    pieces = Registers(None)
    pieces[Varnode("register", 0, 4)] = 1
    with pytest.raises(NotAllowed, match="read wider"):
        pieces[Varnode("register", 0, 8)]


# ---- premises, and what is compared


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
    kept = Kept(built(), CONTRACTS["now"])
    for thread in kept.machine.paths():
        kept.solver.add(False)
        kept.thread, kept.consumed, kept.used = thread, 0, set()
        with pytest.raises(Vacuous):
            kept.one(thread, Model(kept, kept.machine.store.fork(), []))


def test_code_that_goes_on_for_too_long_is_not_followed():
    function = named()["capability_id"]
    with pytest.raises(NotAllowed, match="more than 2 steps"):
        list(Function(built(), function, limit=2).paths())
    assert list(Function(built(), function).paths())


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
    function = next(each for each in named().values() if each.returns is Status and possible_results(each.symbol))
    results, result = possible_results(function.symbol), result_of(function, "now")
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


# ---- which obligations there are


def test_every_function_of_the_model_is_compared_in_every_build():
    ids = [id_ for step in obligations.steps() for id_, _, _ in obligations.questions(step)]
    wanted = {f"{symbol}/{property_}" for symbol in named() for property_ in BUILDS}
    wanted |= {f"{symbol}/{constant_time.PROPERTY}" for symbol in constant_time.closure()}
    wanted |= {f"{name}/{property_}" for name in CONTRACTS for property_ in BUILDS}
    wanted |= {f"image/{property_}-{about}" for about in IMAGE for property_ in BUILDS}
    assert set(ids) == wanted and len(ids) == len(wanted)


def test_only_the_platform_raises_questions_about_the_image():
    for step in obligations.steps():
        ids = {id_ for id_, _, _ in obligations.questions(step)}
        assert any(id_.startswith("image/") for id_ in ids) == (step == PLATFORM)


def failing():
    raise ValueError("the reason")


def test_what_fails_of_the_image_is_refuted_with_its_reason():
    row = checked("image/x-y", lambda: {"n": 1}, ValueError, "")
    assert (row.result, row.figures) == ("proved", {"n": 1})
    row = checked("image/x-y", failing, ValueError, "")
    assert (row.result, row.reason, row.figures) == ("refuted", "the reason", {})


# ---- bounds


def rows(**routes):
    """Rows of functions with their paths: instructions, stack, callees, whether it returns, and operations."""
    return [{"id": f"{name}/machine-code", "operation": name, "figures": {"routes": found}}
            for name, found in routes.items()]


def test_the_longest_path_counts_with_all_that_it_calls():
    found = Bounds(rows(f=[[5, 16, ["g"], True, None], [9, 0, [], True, None]], g=[[7, 32, [], True, None]]))
    assert found.instructions("f") == 12 and found.stack("f") == 48


@pytest.mark.parametrize(("name", "bound"), [("f", None), ("g", None), ("h", 5), ("k", None)])
def test_what_has_no_bound_has_none(name, bound):
    found = Bounds(rows(f=[[5, 16, ["g"], True, None]], g=[[None, 32, [], True, None]],
                        h=[[5, 8, [], True, None], [99, 8, [], False, None]], k=[[5, 8, ["nobody"], True, None]]))
    assert found.instructions(name) == bound


def test_paths_of_other_operations_do_not_count():
    assert may_name([1, 0, [], True, [3, 4]], 4) and not may_name([1, 0, [], True, [3, 4]], 5)
    assert may_name([1, 0, [], True, None], 5) and may_name([1, 0, [], True], 5)
    assert may_name([1, 0, [], True, [3]], None)
    found = Bounds(rows(f=[[5, 16, ["g"], True, [3]], [9, 0, [], True, [4]]], g=[[1, 0, [], True, None]]))
    assert found.instructions("f", (), 3) == 6 and found.instructions("f", (("f", "g"),)) == 6


def of_the_kernel(count, depth, last=0):
    """Rows in which every way into the kernel takes so much, and its own faults another depth of their stack."""
    faults = {name for name, kept in CONTRACTS.items() if is_fault(kept)} | set(LAST_WORDS)
    return rows(**{name: [[count, last if name in faults else depth, [], True, None]]
                   for name in (*CONTRACTS, "gate_dispatch", "trap")})


def test_a_stack_that_is_as_deep_as_it_may_be_fits_and_no_deeper():
    size = REGION["stack"].size
    assert [fits(of_the_kernel(1, depth), "machine-code").result for depth in (size, size + 1)] == ["proved", "refuted"]
    size = REGION["last_stack"].size
    assert [fits(of_the_kernel(1, 0, last), "machine-code").result for last in (size, size + 1)] == ["proved", "refuted"]
    assert fits(rows(), "machine-code").result == ends(rows()).result == "unknown"
    assert ENTRY == f"vectors[{CAUSES['SYNCHRONOUS']}]"


def test_a_call_that_is_as_long_as_it_may_be_ends_in_time_and_no_longer():
    at_once = {name: [[0, 0, [], True, None]] for name in (*CONTRACTS, "gate_dispatch", "trap")}
    lengths = (LONGEST_CALL, LONGEST_CALL + 1)
    assert [ends(rows(**at_once | {ENTRY: [[length, 0, [], True, None]]})).result for length in lengths] == ["proved", "refuted"]


# ---- forms


def test_every_load_and_store_of_one_register_has_a_form():
    names = {form.name for form in instructions.forms()}
    plain = {f"{start}{end}" for start in ("ldr", "str") for end in ("", "b", "h")}
    assert plain | {"ldrsb", "ldrsh", "ldrsw"} <= names


@pytest.mark.parametrize(("name", "start"), [("b.cond", 0x54000000), ("csel", 0x9A800000)])
def test_a_condition_is_one_of_fourteen(name, start):
    low = 0 if name == "b.cond" else 12
    known = [instructions.form_of(start | number << low) is not None for number in range(16)]
    assert known == [True] * 14 + [False] * 2


@pytest.mark.parametrize(("immr", "imms", "known"), [(31, 31, True), (32, 31, False), (31, 32, False), (32, 32, False)])
def test_every_number_of_bits_lies_in_the_register(immr, imms, known):
    assert (instructions.form_of(0x53000000 | immr << 16 | imms << 10) is not None) == known


def test_an_instruction_with_a_fixed_point_stays_as_it_is():
    output, lane, number = Varnode("register", 0x5000, 8), Varnode("register", 0x5100, 8), Varnode("const", 4, 8)
    plain, fixed = (Operation("FLOAT_TRUNC", output, inputs) for inputs in ((lane,), (lane, number)))
    assert lift.named("fcvtzs", (fixed,)) == (fixed,)
    assert lift.named("fcvtzs", (plain,))[0] == Operation("fcvtzs", output, (lane,))


@pytest.mark.parametrize(("name", "size"), [("s0", 16), ("d0", 16), ("q0", 16), ("d31", 16), ("w0", 8), ("x0", 8)])
def test_what_is_written_to_the_beginning_of_a_register_clears_the_rest(name, size):
    place = lift.registers()[name]
    rest = [each.output for each in lift.cleared(place)]
    assert place.size + sum(each.size for each in rest) == size
    assert all(each.offset == place.offset + place.size for each in rest)


# ---- what is secret


def test_the_time_of_every_check_of_a_proof_is_asked_about():
    checks = {symbol for symbol, function in named().items() if function.module == "proof" and function.returns is boolean}
    assert len(checks) > 1 and checks <= constant_time.closure()


@pytest.mark.parametrize(("entry", "secret"), [
    (PROOF_LEVELS, False), (PROOF_POSITION, False), (PROOF_FROM, True), (None, True)])
def test_of_a_proof_two_words_are_public_where_they_are_known_to_be_these(entry, secret):
    page, index = z3.BitVecs("page index", ADDRESS)
    word = z3.Function("s.memory.[].word.[]", *[z3.BitVecSort(ADDRESS)] * 3)(page, index if entry is None else entry)
    secrets = constant_time.Secrets(named()["proof_policy_holds"], SimpleNamespace(events=[]))
    assert secrets.secret(word) == secret and bool(secrets.inside(word + 1)) == secret


def test_a_form_has_32_bits():
    for row in ("nop 1101010100000011001000000001111", "nop 110101010000001100100000000111110"):
        with pytest.raises(ValueError, match="bits"):
            list(instructions.forms_of(row, "anything"))
    (form,) = instructions.forms_of("nop 11010101000000110010000000011111", "anything")
    assert (form.mask, form.value) == (2**32 - 1, 0xD503201F)


# ---- who reaches the system


@pytest.mark.parametrize("text", [
    "eret", "smc #0", "hvc #0", "svc #0", "brk #0", "msr vttbr_el2, x0", "tlbi alle1", "fmov d0, x0"])
def test_a_function_of_the_model_that_reaches_the_system_is_named(text):
    address = built().functions["capability_id"].address
    found = strays(Image(built().path, [(address, assembled([text])[0].to_bytes(SIZE, "little"))]))
    assert len(found) == 1 and f"{address:#x}" in found[0] and "in capability_id" in found[0]


def test_in_the_image_that_ships_nothing_else_reaches_the_system():
    assert strays(built()) == []


# ---- the stack, and loops that count


class Standing(Framed):
    """Code whose stack pointer is at an offset in something."""

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


@pytest.mark.parametrize(("offset", "size", "given", "allowed"), [
    (-16, 8, 0, True), (-8, 8, 0, True), (-24, 8, 0, False), (-8, 16, 0, False), (0, 8, 8, True), (8, 8, 8, False),
    (0, 16, 8, False), (-8, 16, 16, False)])
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
    """A round of a loop that counts, with calls that have effects or none: what is obliged at its end."""
    this, found = Round(0, "x19", z3.BitVec("n", 32), 7, 0, {"x20": 0}, {}), []
    following = words.add(words.extend(this.number, 32, 64), 1, 64)
    thread = SimpleNamespace(
        rounds=[this], events=[SimpleNamespace(has_effect=effect) for effect in effects],
        heap=SimpleNamespace(heads=dict(heads)), oblige=lambda condition, what: found.append(condition),
        registers=SimpleNamespace(named=lambda name: kept if name == "x20" else following))
    Platform.count(None, thread, SimpleNamespace(first=0), True)
    return found


def test_a_round_of_a_loop_that_counts_has_no_effect_and_leaves_all_as_it_was():
    number = z3.BitVec("n", 32)
    conditions = counted(False, False)
    assert holds(conditions, z3.ULT(number, 6)) and not holds(conditions, z3.ULE(number, 6))
    for effects, others in (((False, True), {}), ((True,), {}), ((), {"heads": {"a": 1}}), ((), {"kept": 1})):
        with pytest.raises(NotAllowed, match="a round of this loop changes something"):
            counted(*effects, **others)


# ---- what a function writes before it reads


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


@pytest.mark.parametrize(("function", "found"), [
    (half_written, set()), (all_written, {"state"}), (perhaps_written, set()), (read_between, set()),
    (read_first, set())])
def test_only_what_is_written_from_end_to_end_before_it_is_read_does_not_matter(function, found, monkeypatch):
    functions = {translate(each).symbol: translate(each) for each in (function, look)}
    monkeypatch.setattr(summary, "named", lambda: functions)
    monkeypatch.setattr(summary, "initialized", summary.initialized.__wrapped__)
    assert summary.initialized(translate(function).symbol) == found
