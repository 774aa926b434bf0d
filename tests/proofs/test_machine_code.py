"""Does the proof of the machine code notice a compiler's mistakes, and are its words those of the processor?"""

import copy

import pytest
import z3
from hypothesis import given, settings
from hypothesis import strategies as st

from corollary.emulation.probe import CALLEE_SAVED, STACK, Caller
from corollary.language.layout import encode
from corollary.language.types import is_scalar
from corollary.proofs.machine import constant_time, words
from corollary.proofs.machine.execute import FunctionCode, Thread
from corollary.proofs.machine.image import Image
from corollary.proofs.machine.lift import SIZE, NotAllowed, Varnode, instruction
from corollary.proofs.machine.memory import decoded
from corollary.proofs.machine.obligations import built
from corollary.proofs.machine.processor import Registers
from corollary.proofs.machine.refine import Comparison, Vacuous
from corollary.proofs.machine.summary import below, footprint, initialized, named, possible_results
from corollary.proofs.machine.sweep import equal
from corollary.proofs.symbolic import Reference
from corollary.spec.kernel.vocabulary import Action

NOP = (0xD503201F).to_bytes(SIZE, "little")


# ---- miscompilations


def instructions(image, name):
    """Return the address, code and text of every instruction of a function."""
    symbol = image.functions[name]
    for address in range(symbol.address, symbol.end, SIZE):
        code = image.read(address, SIZE)
        yield address, int.from_bytes(code, "little"), instruction(code, address).text


def patched(name, start, change, which=0):
    """Return the image with one instruction of a function changed: the n-th whose text starts like this."""
    image = built()
    found = [(address, code) for address, code, text in instructions(image, name) if text.startswith(start)]
    address, code = found[which]
    new = change if isinstance(change, bytes) else change(code).to_bytes(SIZE, "little")
    return Image(image.path, [(address, new)])


def verdict(image, name):
    return Comparison(image, named()[name]).run()


MISCOMPILATIONS = {
    "a wrong field offset": ("memory_take", "strh wzr", lambda code: code + (1 << 10)),
    "a missing extension": ("memory_take", "and x", lambda code: 0xAA0003E0 | (code >> 5 & 31) << 16 | code & 31),
    "a lost store": ("capability_derive", "strh", NOP),
    "a swapped branch": ("capability_grant", "tbz w26", lambda code: code ^ (1 << 24)),
    "a clobbered register": ("capability_grant", "ldp x20, x19", NOP),
    "a wrong constant": ("capability_grant", "mov w0, #0xe", lambda code: code + (1 << 5)),
    "a wrong callee": ("capability_grant", "bl", lambda code: code - 4),
    "another constant as an argument": ("sha256_authenticate", "mov w1, #0x8", lambda code: code ^ 1 << 5),
    "a wrong argument": ("witness_chain", "mov w1, wzr", lambda code: code ^ (1 << 16)),
    "a signed comparison": ("ring_epoch_over", "cset", lambda code: code ^ 4 << 12),
}

REPRODUCED = ("a wrong field offset", "a missing extension", "a lost store", "a swapped branch", "a clobbered register")


@pytest.mark.parametrize("name", sorted({name for name, _, _ in MISCOMPILATIONS.values()}))
def test_the_code_that_ships_is_proved(name):
    assert verdict(built(), name).result == "proved"


@pytest.mark.parametrize("mistake", MISCOMPILATIONS)
def test_a_miscompilation_is_refuted(mistake):
    name, start, change = MISCOMPILATIONS[mistake]
    found = verdict(patched(name, start, change), name)
    assert found.result == "refuted" and found.reason, mistake


@pytest.mark.parametrize("mistake", REPRODUCED)
def test_the_state_in_which_a_miscompilation_shows_is_found_and_shows_it_in_qemu(mistake):
    name, start, change = MISCOMPILATIONS[mistake]
    function, broken = named()[name], patched(name, start, change)
    found = verdict(broken, name)
    assert found.state.function == name and "on the path" in found.reason
    with Caller() as caller:
        right = caller.call(built(), function, found.state)
    with Caller() as caller:
        wrong = caller.call(broken, function, found.state)
    assert meaning(function, right) == expected(function, found.state)
    assert meaning(function, wrong) != meaning(function, right)


def meaning(function, left):
    """Return everything that a caller can see of a function's result."""
    width = 8 * function.returns.storage if function.returns else 0
    return left.exception, left.stack, left.result & words.mask(width), left.saved, left.objects


def expected(function, state):
    """Return the model's result for the same state."""
    objects = copy.deepcopy(state.objects)
    result = function.python(*(objects.get(item.name, state.scalars.get(item.name)) for item in function.parameters))
    types = {item.name: item.type for item in function.parameters}
    return (
        0,
        STACK,
        int(result or 0),
        CALLEE_SAVED,
        {name: encode(record, types[name]) for name, record in objects.items()},
    )


def test_a_changed_round_constant_is_refuted():
    image = built()
    table = next(symbol for symbol in image.objects if symbol.name == "FRACTION_OF_CUBE_ROOTS")
    wrong = Image(image.path, [(table.address + 4 * 63, b"\xf3")])
    assert verdict(wrong, "sha256_compress").result == "refuted"


def test_a_store_outside_every_object_is_refuted():
    found = verdict(patched("memory_take", "strb", lambda code: code | 0xFFF << 10), "memory_take")
    assert found.result == "refuted"


@pytest.mark.parametrize("callee", ["capability_may_act_on", "gate_dispatch"])
def test_a_call_that_the_model_does_not_make_is_refuted(callee):
    """If it were allowed, two functions that call each other forever would each be proved by the other's summary."""
    image, name = built(), "capability_may_act_on"
    address = next(address for address, _, text in instructions(image, name) if text.startswith("bl "))
    wrong = 0x94000000 | (image.functions[callee].address - address) // SIZE & 0x3FFFFFF
    found = verdict(Image(image.path, [(address, wrong.to_bytes(SIZE, "little"))]), name)
    assert found.result == "refuted" and "might rest on itself" in found.reason


@pytest.mark.parametrize(
    ("name", "callee"), [("partition_start", "partition_reset_context"), ("memory_unlink", "memory_flush_translation")]
)
def test_a_call_too_many_is_named(name, callee):
    found = verdict(patched(name, "b.ne", NOP), name)
    assert found.result == "refuted" and f"the machine code calls {callee}, the model does not" in found.reason


def test_the_model_calls_in_one_direction_only():
    assert all(symbol not in below(function) for symbol, function in named().items())
    assert "capability_live" in below(named()["gate_dispatch"]) and not below(named()["capability_id"])


def test_a_stored_number_between_two_enumerators_is_no_value():
    gap = next(number for number in range(Action.bound) if not Action.contains(number))
    obligations = []
    decoded(z3.BitVec("word", 8), Action, lambda condition, what: obligations.append(condition))
    solver = z3.Solver()
    solver.add(z3.BitVec("word", 8) == gap, *(words.condition(condition) for condition in obligations))
    assert solver.check() == z3.unsat
    solver = z3.Solver()
    solver.add(
        z3.BitVec("word", 8) == int(Action.REGION_MAP), *(words.condition(condition) for condition in obligations)
    )
    assert solver.check() == z3.sat


def test_a_path_on_which_the_model_is_undefined_is_not_passed_over(monkeypatch):
    monkeypatch.setattr(Comparison, "one", undefined)
    found = verdict(built(), "capability_id")
    assert found.result == "refuted" and "compared with nothing" in found.reason


def undefined(*arguments):
    raise Vacuous


def test_a_register_keeps_nothing_of_what_was_overwritten():
    def unknown(node):
        return z3.FreshConst(z3.BitVecSort(8 * node.size))

    pieces = Registers(unknown)
    pieces[Varnode("register", 4, 4)] = 1
    pieces[Varnode("register", 0, 8)] = 2 << 32
    assert pieces[Varnode("register", 4, 4)] == 2
    with pytest.raises(NotAllowed):
        pieces[Varnode("register", 4, 4)] = 3


def test_a_narrow_write_leaves_what_lies_above():
    pieces = Registers(None)
    pieces[Varnode("register", 0, 8)] = 1 << 32 | 2
    pieces[Varnode("register", 0, 4)] = 3
    assert pieces[Varnode("register", 0, 8)] == 1 << 32 | 3


def test_a_callee_is_never_given_one_object_twice():
    thread, function = Thread(0, None, None, {}), named()["memory_take"]
    tried = 0
    for callee in named().values():
        objects = [item for item in callee.parameters if not is_scalar(item.type)]
        written = {name for name, _ in footprint(callee).writes}
        if len(objects) < 2 or not written & {item.name for item in objects}:
            continue
        apart = FunctionCode(built(), function).apart
        for places in (
            {item.name: Reference("s", ("page",), (), item.type) for item in objects},
            {item.name: -16 for item in objects},
        ):
            with pytest.raises(NotAllowed):
                apart(thread, callee, places)
        apart(thread, callee, {item.name: Reference(item.name, (), (), item.type) for item in objects})
        tried += 1
    assert tried


def test_a_function_that_looks_at_a_system_register_is_refuted():
    read_vttbr = (0xD53C2100).to_bytes(SIZE, "little")
    found = verdict(patched("capability_id", "", read_vttbr), "capability_id")
    assert found.result == "refuted" and "vttbr_el2" in found.reason


# ---- constant time


def test_the_checks_of_proofs_are_free_of_leaks():
    assert {
        "proof_policy_holds",
        "proof_same_digest",
        "proof_mutation_digest",
        "sha256_compress",
    } <= constant_time.closure()
    assert constant_time.decide(built(), named()["proof_same_digest"]).result == "proved"


@pytest.mark.parametrize("name", ["proof_policy_holds", "proof_mutation_digest"])
def test_what_a_callee_tells_of_no_secret_may_be_branched_on(name):
    assert constant_time.decide(built(), named()[name]).result == "proved"


@pytest.mark.parametrize(
    ("name", "told"), [("memory_page_map", "a branch depends on s.memory.[].word.[]"), ("proof_root_commit", "")]
)
def test_a_branch_on_a_secret_is_refuted(name, told):
    row = constant_time.decide(built(), named()[name])
    assert (row.result == "refuted" and told in row.reason) if told else row.result == "proved"


def test_a_comparison_that_stops_early_is_refuted():
    found = [
        (address, text) for address, _, text in instructions(built(), "proof_same_digest") if text.startswith("ccmp x")
    ]
    address, text = found[0]
    branch = 0xB5000000 | 2 << 5 | int(text.split()[1].strip("x,"))  # cbnz, over the next instruction
    row = constant_time.decide(
        Image(built().path, [(address, branch.to_bytes(SIZE, "little"))]), named()["proof_same_digest"]
    )
    assert row.result == "refuted" and "a branch depends on" in row.reason


@pytest.mark.parametrize(
    ("code", "told"),
    [
        (0xB4000042, "a branch depends on value"),  # cbz x2, over the next instruction
        (0xB400004B, "a branch depends on register"),  # cbz x11, which holds a value left by other code
        (0xB4000053, "a branch depends on x19@entry"),  # cbz x19, which belongs to the caller
        (0xB4000022, "leads to the next instruction"),  # cbz x2, to the next instruction
        (0x9AC20842, "the time of udiv"),  # udiv x2, x2, x2
    ],
)
def test_a_function_that_is_given_secrets_counts_them_as_secret(code, told):
    at = built().functions["sha256_put"].address + 2 * SIZE  # the address of the words is known by then
    row = constant_time.decide(Image(built().path, [(at, code.to_bytes(SIZE, "little"))]), named()["sha256_put"])
    assert row.result == "refuted" and told in row.reason


def test_what_nobody_wrote_into_the_stack_counts_as_secret():
    at = built().functions["sha256_keyed"].address + SIZE
    codes = (0xF94007EB, 0xB400004B)  # ldr x11, [sp, #8]; cbz x11, over the next instruction
    patches = [(at + SIZE * number, code.to_bytes(SIZE, "little")) for number, code in enumerate(codes)]
    row = constant_time.decide(Image(built().path, patches), named()["sha256_keyed"])
    assert row.result == "refuted" and "a branch depends on uninitialized" in row.reason


# ---- words


WIDTH = 16
NUMBERS = st.integers(0, (1 << WIDTH) - 1)
BINARY = {
    "add": words.add,
    "subtract": words.subtract,
    "multiply": words.multiply,
    "and": words.bits_and,
    "or": words.bits_or,
    "xor": words.bits_xor,
    "shift left": words.shift_left,
    "shift right": words.shift_right,
    "equal": words.equal,
    "less": words.less,
    "less signed": words.less_signed,
}
MEANING = {
    "add": lambda a, b: a + b,
    "subtract": lambda a, b: a - b,
    "multiply": lambda a, b: a * b,
    "and": lambda a, b: a & b,
    "or": lambda a, b: a | b,
    "xor": lambda a, b: a ^ b,
    "shift left": lambda a, b: a << b,
    "shift right": z3.LShR,
    "equal": lambda a, b: a == b,
    "less": z3.ULT,
    "less signed": lambda a, b: a < b,
}
X, Y = z3.BitVec("x", WIDTH), z3.BitVec("y", 8)
SHAPES = {
    "x": X,
    "extended": words.extend(Y, 8, WIDTH),
    "joined": words.concat([(Y, 8), (words.extract(X, 3, 8, WIDTH), 8)]),
    "shifted": words.shift_left(X, 5, WIDTH),
    "masked": words.bits_and(X, 0x0FF0, WIDTH),
    "sum": words.add(X, 7, WIDTH),
    "chosen": words.choose(Y == 3, 1, 0, WIDTH),
}


def valid(claim):
    solver = z3.Solver()
    solver.add(z3.Not(words.condition(claim)))
    return solver.check() == z3.unsat


def means(value, wanted):
    """Do a value built here and a Z3 term mean the same?"""
    if z3.is_bool(wanted):
        return valid(words.condition(value) == wanted)
    return valid(words.term(value, wanted.size()) == wanted)


@pytest.mark.parametrize("operation", BINARY)
@pytest.mark.parametrize("shape", SHAPES)
@settings(max_examples=15)
@given(number=NUMBERS)
def test_words_mean_what_z3_means(operation, shape, number):
    number = number % WIDTH if operation.startswith("shift") else number
    a, b = SHAPES[shape], z3.BitVecVal(number, WIDTH)
    assert means(BINARY[operation](a, number, WIDTH), MEANING[operation](a, b))
    assert means(BINARY[operation](a, X, WIDTH), MEANING[operation](a, X))
    if not operation.startswith("shift"):
        assert means(BINARY[operation](number, a, WIDTH), MEANING[operation](b, a))


@pytest.mark.parametrize("operation", BINARY)
@given(a=NUMBERS, b=NUMBERS)
def test_known_words_are_computed(operation, a, b):
    b = b % WIDTH if operation.startswith("shift") else b
    wanted = z3.simplify(MEANING[operation](z3.BitVecVal(a, WIDTH), z3.BitVecVal(b, WIDTH)))
    found = BINARY[operation](a, b, WIDTH)
    assert found == (z3.is_true(wanted) if z3.is_bool(wanted) else wanted.as_long())


@pytest.mark.parametrize("shape", SHAPES)
def test_pieces_of_words_are_those_bits(shape):
    for low in range(WIDTH):
        for width in (1, 3, 8, WIDTH - low):
            if low + width <= WIDTH:
                assert means(
                    words.extract(SHAPES[shape], low, width, WIDTH), z3.Extract(low + width - 1, low, SHAPES[shape])
                )


# ---- sweeping, and what is known of callees


def test_sweeping_finds_equal_what_is_equal_and_nothing_else():
    a, b, c = z3.BitVecs("a b c", 32)
    one, other = a, a
    for number in range(12):
        one = z3.RotateRight(one + b + number, 7) ^ (one & c)
        other = (z3.LShR(number + b + other, 7) | ((b + other + number) << 25)) ^ (c & other)
    assert equal(one, other)
    assert not equal(one, other + 1)
    assert not equal(one, z3.If(a == 0xDEAD_BEEF, other ^ 1, other))


def test_footprints_say_what_a_function_may_touch():
    take = footprint(named()["memory_take"])
    assert ("s", ("partition", "[]", "pages")) in take.reads & take.writes
    assert {path[0] for _, path in take.writes} == {"page", "owned", "partition"}
    assert not footprint(named()["capability_live"]).writes


def test_an_array_counts_as_initialized_only_when_all_of_it_is_written_first():
    assert initialized(named()["sha256_begin"]) == {"state"}
    assert not initialized(named()["sha256_compress"]) and not initialized(named()["sha256_end"])


def test_results_are_listed_only_when_the_model_names_them_all():
    assert possible_results(named()["schedule_yield_now"]) == {0}
    assert possible_results(named()["ring_credit_at"]) is None
