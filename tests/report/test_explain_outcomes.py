"""Does the explanation of an operation's broken promise name the request, its result, and the field that differs?

The model is broken in a process of its own, like a mutant; or the promise is a wrong one.
"""

import json
import subprocess
import sys
from dataclasses import asdict

import pytest
from rich.console import Console

from corollary.language.property import Property
from corollary.model.kernel.component import KERNEL
from corollary.model.kernel.promises import CONDITIONS, EFFECTS
from corollary.proofs.prove import Step
from corollary.proofs.transition import step_named
from corollary.report import explain
from corollary.spec.kernel.outcome.admission import may_call
from corollary.spec.kernel.outcome.ring import acquire_is_allowed, acquire_is_exact, elevate_is_exact
from corollary.spec.kernel.outcome.words import tells
from corollary.spec.kernel.state import Call, Kernel, PartitionId, ResourceId
from corollary.spec.kernel.vocabulary import Resource, Ring

UNMET = "the condition of success does not hold, and yet the call succeeds; it asks for "
BEYOND = "changed, though success may not: "
BETRAYED = "another key makes a difference to: "
TOLD = "    call.result[0] = permitted_tools(s, p, ring)\n"
BREAKS = {
    "partition_adopt/OK-iff": (
        "corollary.model.kernel.partition",
        "    if s.partition[p].parent != s.current:\n        return Status.INVALID_TARGET\n",
        "",
        f"{UNMET}before.partition[p].parent == before.current",
    ),
    "tool_acquire/OK-iff": (
        "corollary.model.kernel.ring",
        "        return Status.LIMIT_REACHED\n",
        "        return Status.LIMIT_REACHED\n    if s.partition[p].score == 7:\n        return Status.WRONG_STATE\n",
        "the condition of success holds, and yet the call ends in WRONG_STATE",
    ),
    "capability_delete/ENSURES": (
        "corollary.model.kernel.capability",
        "        slot.generation = advance(slot.generation)\n",
        "",
        "].generation is ",
    ),
    "tool_acquire/ENSURES": (
        "corollary.model.kernel.ring",
        TOLD,
        f"{TOLD}    s.partition[p].nonce = 7\n",
        f"{BEYOND}partition[",
    ),
    "tool_acquire/KEY": (
        "corollary.model.kernel.ring",
        TOLD,
        "    call.result[0] = s.key[0]\n",
        f"{BETRAYED}result[0], ",
    ),
    "partition_endow/PART-27": (
        "corollary.model.kernel.partition",
        "        own.numbers -= u8(amount)\n",
        "        pass\n",
        "all rows add up to ",
    ),
    "tool_release/KEY": (
        "corollary.model.kernel.ring",
        "    s.partition[p].tools[ResourceId(u8(resource))] -= 1\n",
        "    s.partition[p].tools[ResourceId(u8(resource))] -= 1\n    s.partition[p].nonce = s.key[3]\n",
        f"{BETRAYED}partition[",
    ),
}
DECIDE = """
import json, sys
from corollary.proofs.mutants.breaks import Break, decide
module, old, new, id_ = json.load(sys.stdin)
row = decide(Break("", "", module, old, new, *id_.split("/")))
from corollary.report.explain import replayed
story = replayed(row.counterexample.as_json())
print(json.dumps([row.result, story.broken, story.finding]))
"""


@pytest.mark.parametrize("id_", BREAKS)
def test_a_broken_model_is_told_by_what_it_does_otherwise(id_):
    module, old, new, told = BREAKS[id_]
    asked = json.dumps([module, old, new, id_])
    done = subprocess.run([sys.executable, "-c", DECIDE], input=asked, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    result, broken, finding = json.loads(done.stdout)
    assert result == "refuted" and broken and told in finding, finding


# ---- wrong promises


def anybody(before: Kernel, call: Call) -> bool:
    return may_call(before, call, Ring.SANDBOX)


def beyond_reach(before: Kernel, call: Call, resource: Resource) -> bool:
    return acquire_is_allowed(before, call, resource) and before.sequence != 3


def told_nothing(before: Kernel, call: Call, after: Kernel, q: PartitionId, kind: ResourceId) -> bool:
    return after.partition[q].tools[kind] >= 0


def told_one_more(before: Kernel, call: Call, after: Kernel, q: PartitionId, kind: ResourceId) -> bool:
    return tells(call, 12, 13, 0) and after.partition[q].tools[kind] <= 255


def impossible(before: Kernel, call: Call, after: Kernel, q: PartitionId) -> bool:
    return after.partition[q].tools[ResourceId(0)] == 1 and after.partition[q].tools[ResourceId(0)] == 2


ACQUIRED = ("partition.tools", "result")
WRONG = [
    ("OK-iff", anybody, (), "the condition of success holds, and yet the call ends in "),
    ("OK-iff", beyond_reach, (), f"{UNMET}before.sequence != 3"),
    ("ENSURES", acquire_is_exact, ("partition.tools",), f"{BEYOND}result[0], from 0 to "),
    ("ENSURES", told_one_more, ACQUIRED, "and 12 is promised; result[1] is 0, and 13 is promised"),
    ("ENSURES", impossible, ACQUIRED, "no ending would be as promised"),
    ("SETTLED", told_nothing, ACQUIRED, "].tools[0], "),
    ("SETTLED", acquire_is_exact, (*ACQUIRED, "partition.nonce"), "].nonce, "),
]


def row_of(monkeypatch, operation, id_, function, changes):
    """Return the row of an operation's promise, with this promise in its place."""
    registry, what = (CONDITIONS, "succeeds") if id_ == "OK-iff" else (EFFECTS, "ensures")
    name = f"{operation} {what}"
    monkeypatch.setitem(registry, name, Property(name, "as it is promised", function, (operation,), changes=changes))
    return decided(operation, id_)


def decided(operation, id_):
    """Return the row of an obligation of an operation."""
    questions = {name: decide for name, _, decide in Step(step_named(operation, KERNEL)).questions()}
    return questions[f"{operation}/{id_}"]()


@pytest.mark.parametrize(("id_", "function", "changes", "told"), WRONG)
def test_a_wrong_promise_is_told_by_what_the_model_does(monkeypatch, id_, function, changes, told):
    row = row_of(monkeypatch, "tool_acquire", id_, function, changes)
    story = explain.replayed(json.loads(json.dumps(row.counterexample.as_json())))
    assert row.result == "refuted" and story.broken and told in story.finding, story.finding


def test_a_promise_that_says_nothing_of_one_of_its_fields_is_told_with_it(monkeypatch):
    fields = ("partition.elevation", "partition.tools", "partition.bucket.refilled")
    row = row_of(monkeypatch, "ring_elevate", "SETTLED", elevate_is_exact, fields)
    finding = explain.replayed(row.counterexample.as_json()).finding
    assert row.result == "refuted" and "].bucket.refilled, " in finding
    assert finding.startswith("nothing says which of these it is: partition[")


def test_what_is_kept_is_told_as_kept(monkeypatch):
    row = row_of(monkeypatch, "tool_acquire", "ENSURES", told_one_more, ACQUIRED)
    monkeypatch.undo()
    story = explain.replayed(row.counterexample.as_json())
    assert not story.broken and story.finding == explain.HOLDS


def test_the_promise_is_shown_with_the_call_and_the_change(monkeypatch):
    row = row_of(monkeypatch, "tool_acquire", "OK-iff", beyond_reach, ())
    data = asdict(row) | {"counterexample": row.counterexample.as_json()}
    console = Console(width=160, record=True, file=open("/dev/null", "w"))
    console.print(explain.picture(data, explain.replayed(data["counterexample"])))
    text = console.export_text()
    for words in (f"{UNMET}before.sequence != 3", "def beyond_reach(", "tool_acquire", "status", "After: what changed"):
        assert words in text
    assert "sequence" in text.split("Before: what matters")[1]


def test_an_operation_without_promises_is_told_what_to_write(monkeypatch):
    monkeypatch.delitem(CONDITIONS, "tool_release succeeds")
    monkeypatch.delitem(EFFECTS, "tool_release ensures")
    condition, effect = decided("tool_release", "OK-iff"), decided("tool_release", "ENSURES")
    assert condition.result == effect.result == "refuted"
    assert condition.sentence == (
        "nothing says when tool_release succeeds: "
        'write a function under @succeeds("tool_release") in spec/kernel/outcome/'
    )
    assert effect.sentence == (
        "nothing says what tool_release ensures: write a function under "
        '@ensures("tool_release", what it does, changes=(...)) in spec/kernel/outcome/'
    )
