"""How long is a call, how deep is the stack, which obligations are there, and does any code reach a forbidden place?"""

from types import SimpleNamespace

import pytest
import z3

from corollary.language.types import boolean
from corollary.model.kernel.proof import PROOF_FROM, PROOF_LEVELS, PROOF_POSITION
from corollary.proofs.machine import constant_time, instructions, obligations
from corollary.proofs.machine.bounds import ENTRY, LAST_WORDS, Bounds, is_fault, may_name
from corollary.proofs.machine.contracts import CAUSES, CONTRACTS, REGION
from corollary.proofs.machine.image import Image
from corollary.proofs.machine.lift import SIZE
from corollary.proofs.machine.memory import ADDRESS
from corollary.proofs.machine.obligations import BUILDS, IMAGE, PLATFORM, built, checked, ends, fits
from corollary.proofs.machine.summary import named
from corollary.proofs.machine.system import strays
from corollary.spec.kernel.limits import LONGEST_CALL
from tests.machine.system import assembled

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
    """Return rows of functions with their paths: instructions, stack, callees, whether it returns, and operations."""
    return [
        {"id": f"{name}/machine-code", "operation": name, "figures": {"routes": found}}
        for name, found in routes.items()
    ]


def test_the_longest_path_counts_with_all_that_it_calls():
    found = Bounds(rows(f=[[5, 16, ["g"], True, None], [9, 0, [], True, None]], g=[[7, 32, [], True, None]]))
    assert found.instructions("f") == 12 and found.stack("f") == 48


@pytest.mark.parametrize(("name", "bound"), [("f", None), ("g", None), ("h", 5), ("k", None)])
def test_what_has_no_bound_has_none(name, bound):
    found = Bounds(
        rows(
            f=[[5, 16, ["g"], True, None]],
            g=[[None, 32, [], True, None]],
            h=[[5, 8, [], True, None], [99, 8, [], False, None]],
            k=[[5, 8, ["nobody"], True, None]],
        )
    )
    assert found.instructions(name) == bound


def test_paths_of_other_operations_do_not_count():
    assert may_name([1, 0, [], True, [3, 4]], 4) and not may_name([1, 0, [], True, [3, 4]], 5)
    assert may_name([1, 0, [], True, None], 5) and may_name([1, 0, [], True], 5)
    assert may_name([1, 0, [], True, [3]], None)
    found = Bounds(rows(f=[[5, 16, ["g"], True, [3]], [9, 0, [], True, [4]]], g=[[1, 0, [], True, None]]))
    assert found.instructions("f", (), 3) == 6 and found.instructions("f", (("f", "g"),)) == 6


def of_the_kernel(count, depth, last=0):
    """Return rows in which every way into the kernel takes this much; the stack of its own faults has another depth."""
    faults = {name for name, kept in CONTRACTS.items() if is_fault(kept)} | set(LAST_WORDS)
    return rows(
        **{
            name: [[count, last if name in faults else depth, [], True, None]]
            for name in (*CONTRACTS, "gate_dispatch", "trap")
        }
    )


def test_a_stack_that_is_as_deep_as_it_may_be_fits_and_no_deeper():
    size = REGION["stack"].size
    assert [fits(of_the_kernel(1, depth), "machine-code").result for depth in (size, size + 1)] == ["proved", "refuted"]
    size = REGION["last_stack"].size
    assert [fits(of_the_kernel(1, 0, last), "machine-code").result for last in (size, size + 1)] == [
        "proved",
        "refuted",
    ]
    assert fits(rows(), "machine-code").result == ends(rows()).result == "unknown"
    assert ENTRY == f"vectors[{CAUSES['SYNCHRONOUS']}]"


def test_a_call_that_is_as_long_as_it_may_be_ends_in_time_and_no_longer():
    at_once = {name: [[0, 0, [], True, None]] for name in (*CONTRACTS, "gate_dispatch", "trap")}
    lengths = (LONGEST_CALL, LONGEST_CALL + 1)
    assert [ends(rows(**at_once | {ENTRY: [[length, 0, [], True, None]]})).result for length in lengths] == [
        "proved",
        "refuted",
    ]


# ---- what is secret


def test_the_time_of_every_check_of_a_proof_is_asked_about():
    checks = {
        symbol for symbol, function in named().items() if function.module == "proof" and function.returns is boolean
    }
    assert len(checks) > 1 and checks <= constant_time.closure()


@pytest.mark.parametrize(
    ("entry", "secret"), [(PROOF_LEVELS, False), (PROOF_POSITION, False), (PROOF_FROM, True), (None, True)]
)
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


# ---- which code reaches the system


@pytest.mark.parametrize(
    "text", ["eret", "smc #0", "hvc #0", "svc #0", "brk #0", "msr vttbr_el2, x0", "tlbi alle1", "fmov d0, x0"]
)
def test_a_function_of_the_model_that_reaches_the_system_is_named(text):
    address = built().functions["capability_id"].address
    found = strays(Image(built().path, [(address, assembled([text])[0].to_bytes(SIZE, "little"))]))
    assert len(found) == 1 and f"{address:#x}" in found[0] and "in capability_id" in found[0]


def test_in_the_image_that_ships_nothing_else_reaches_the_system():
    assert strays(built()) == []
