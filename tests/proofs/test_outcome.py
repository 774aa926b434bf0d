"""Is an operation's promise of its success proved when it is true, and refuted when it is less, more, or other?"""

import pytest

from corollary.language.component import found_in
from corollary.language.property import Property
from corollary.language.values import difference
from corollary.model.kernel.component import KERNEL
from corollary.model.kernel.promises import CONDITIONS, EFFECTS, THEOREMS
from corollary.proofs import outcome
from corollary.proofs.frame import unused
from corollary.proofs.prove import Step
from corollary.proofs.transition import step_named, transitions
from corollary.spec.kernel.outcome.admission import may_call, may_message
from corollary.spec.kernel.outcome.edge import signal_is_allowed, signal_is_exact, wait_is_exact
from corollary.spec.kernel.state import Call, Kernel, NotificationId
from corollary.spec.kernel.vocabulary import Ring

QUICK = ("notification_wait", "notification_signal", "tool_release", "capability_inspect", "partition_endow")
PROMISES = (outcome.CONDITION, outcome.EFFECT, outcome.SETTLED)
BITS = ("notification.bits",)


def decided(operation, promise, registry=None, function=None, changes=()):
    """Return the row of an operation's promise, or of another promise in its place."""
    id_ = {id_: decide for id_, _, decide in outcome.questions(Step(step_named(operation, KERNEL)))}[
        f"{operation}/{promise}"
    ]
    if function is None:
        return id_()
    name = f"{operation} {'succeeds' if registry is CONDITIONS else 'ensures'}"
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(registry, name, Property(name, "", function, (operation,), changes=changes))
        return id_()


@pytest.mark.parametrize("promise", PROMISES)
@pytest.mark.parametrize("operation", QUICK)
def test_what_operations_promise_is_proved(operation, promise):
    assert decided(operation, promise).result == "proved"


# ---- why not


def test_every_call_has_one_theorem_of_why_it_is_refused():
    spoken = [
        step.name
        for step in transitions(KERNEL)
        for theorem in THEOREMS.values()
        if theorem.id.startswith("WHY-") and step.hypercall and step.speaks(theorem)
    ]
    calls = [
        step.name for step in transitions(KERNEL) if step.hypercall and not (step.operation and step.operation.admin)
    ]
    assert sorted(spoken) == sorted(calls)


# ---- when


def of_a_narrower_type(before: Kernel, call: Call, bits: NotificationId) -> bool:
    return signal_is_allowed(before, call, bits)


def that_leaves_one_out(before: Kernel, call: Call) -> bool:
    return may_message(before, call, Ring.STANDARD)


def all_but_one(before: Kernel, call: Call, bits: NotificationId) -> bool:
    return signal_is_allowed(before, call, bits) and bits != 5


def never(before: Kernel, call: Call) -> bool:
    return before.idle


def whoever_calls(before: Kernel, call: Call) -> bool:
    return may_call(before, call, Ring.SANDBOX)


OTHERS = (that_leaves_one_out, never, whoever_calls, of_a_narrower_type, all_but_one)


@pytest.mark.parametrize("function", OTHERS, ids=lambda function: function.__name__)
def test_a_condition_that_is_another_is_refuted(function):
    found = decided("notification_signal", outcome.CONDITION, CONDITIONS, function)
    assert found.result == "refuted" and found.counterexample.holds is False


# ---- what


def unchanged(before: Kernel, call: Call, after: Kernel, n: NotificationId) -> bool:
    return after.notification[n].bits == before.notification[n].bits


def no_fewer(before: Kernel, call: Call, after: Kernel, n: NotificationId) -> bool:
    return after.notification[n].bits >= before.notification[n].bits


@pytest.mark.parametrize(
    "promise, function, changes",
    [
        (outcome.EFFECT, unchanged, BITS),
        (outcome.EFFECT, signal_is_exact, ()),
        (outcome.SETTLED, no_fewer, BITS),
        (outcome.SETTLED, signal_is_exact, (*BITS, "epoch")),
        (outcome.SETTLED, signal_is_exact, (*BITS, "result")),
    ],
    ids=["another", "a field that may not change", "less", "a field too many", "results too many"],
)
def test_an_effect_that_is_another_or_not_all_is_refuted(promise, function, changes):
    assert decided("notification_signal", promise, EFFECTS, function, changes).result == "refuted"


def test_where_a_field_changes_that_may_not_is_known():
    example = decided("notification_signal", outcome.EFFECT, EFFECTS, signal_is_exact).counterexample
    changed = [path for path, _, _ in difference(example.roots["s"], example.after)]
    assert ("notification", example.scalars["?NotificationId"], "bits") in changed


def test_what_is_told_without_being_promised_is_refuted():
    found = decided("notification_wait", outcome.EFFECT, EFFECTS, wait_is_exact, BITS)
    assert found.result == "refuted" and found.counterexample.holds is False


def test_what_is_promised_of_another_operation_is_refuted_of_this_one():
    assert decided("notification_wait", outcome.EFFECT, EFFECTS, no_fewer, BITS).result == "refuted"


THREE = {
    "spec.py": """
from corollary.language.builtins import implies
from corollary.language.property import ensures, succeeds
from corollary.language.types import Enum, Index, Table, u8
from corollary.language.values import Record

RowId = Index("RowId", 3)


class Status(Enum):
    OK = 0


class Row(Record):
    held: u8


class Three(Record):
    row: Table[RowId, Row]


@succeeds("put")
def may_put(before: Three, x: u8) -> bool:
    return True


@ensures("put", "each row holds it", changes=("row.held",))
def is_put(before: Three, after: Three, x: u8) -> bool:
    return after.row[0].held == x and after.row[1].held == x and after.row[2].held == x
""",
    "model.py": """
from corollary.language.types import u8
from three_rows.spec import Status, Three


def put(s: Three, x: u8) -> Status:
    s.row[0].held = x
    s.row[1].held = x
    s.row[2].held = x
    return Status.OK
""",
    "component.py": """
from corollary.language.component import Component
from three_rows.model import put
from three_rows.spec import Three

COMPONENT = Component(state=Three, operations=(put,))
""",
}


def test_a_promise_that_names_every_row_leaves_none_open(tmp_path):
    folder = tmp_path / "three_rows"
    folder.mkdir()
    for name, text in THREE.items():
        (folder / name).write_text(text)
    step = Step(step_named("put", found_in(folder)))
    assert outcome.leaves_nothing_open(step).result == "proved"


# ---- tables in tables with the same indices


NESTED = {
    "spec.py": """
from corollary.language.property import ensures, succeeds
from corollary.language.types import Enum, Index, Table, u8
from corollary.language.values import Record

RowId = Index("RowId", 3)


class Status(Enum):
    OK = 0
    REFUSED = 1


class Row(Record):
    to: Table[RowId, u8]


class Nested(Record):
    row: Table[RowId, Row]


@succeeds("put")
def may_put(before: Nested, i: RowId, j: RowId) -> bool:
    return SUCCEEDS


@ensures("put", "one is there", changes=("row.to",))
def is_put(before: Nested, after: Nested, i: RowId, j: RowId, k: RowId, l: RowId) -> bool:
    return ENSURES
""",
    "model.py": """
from corollary.language.types import u8
from NAME.spec import Nested, RowId, Status


def put(s: Nested, i: RowId, j: RowId) -> Status:
    BODY
    return Status.OK
""",
    "component.py": """
from corollary.language.component import Component
from NAME.model import put
from NAME.spec import Nested

COMPONENT = Component(state=Nested, operations=(put,))
""",
}
EXACT = "after.row[k].to[l] == (1 if k == i and l == j else before.row[k].to[l])"
DIAGONAL = "after.row[k].to[k] == (1 if k == i and k == j else before.row[k].to[k])"
PUT, PUT_AND_REFUSE = "s.row[i].to[j] = 1", "s.row[i].to[j] = 1\n    if i != j:\n        return Status.REFUSED"


def test_an_index_has_a_name_that_no_other_one_has():
    taken = [("?i", None, None), ("?j", None, None), ("?j'", None, None)]
    assert [unused(name, taken) for name in ("?i", "?j", "?k")] == ["?i'", "?j''", "?k"]


@pytest.mark.parametrize(
    ("name", "body", "succeeds", "ensures", "expected"),
    [
        ("nested_exact", PUT, "True", EXACT, {}),
        ("nested_diagonal", PUT, "True", DIAGONAL, {"SETTLED": "refuted"}),
        ("nested_refused", PUT_AND_REFUSE, "i == j", EXACT, {"FRAME": "refuted"}),
    ],
)
def test_tables_in_tables_with_the_same_indices_are_asked_about_everywhere(
    tmp_path, name, body, succeeds, ensures, expected
):
    folder = tmp_path / name
    folder.mkdir()
    for file, text in NESTED.items():
        text = text.replace("NAME", name).replace("BODY", body).replace("SUCCEEDS", succeeds)
        (folder / file).write_text(text.replace("ENSURES", ensures))
    step = Step(step_named("put", found_in(folder)))
    found = {id_.split("/")[1]: decide().result for id_, _, decide in step.questions()}
    assert {id_: result for id_, result in found.items() if result != "proved"} == expected
