"""Does the VM in a partition of the kernel answer as the suite expects?

When WASM_TESTSUITE points to the official suite, every part of it that fits a guest is asked. A script of our own
covers less.
"""

import copy
import os

import pytest

from corollary.emulation import agents, ending
from corollary.language.layout import decode
from corollary.record.audit import is_fault
from corollary.spec.kernel.state import WitnessRecord
from tests.wasm.examined import HEADER, RETURNED, TRAPPED, Answers, NoAnswer, Questions, chosen, examine, examined
from tests.wasm.script import parse, read
from tests.wasm.suite import Strictness, Verdict, report
from tests.wasm.test_suite import FOLDER, SCRIPT, official

ASTRAY = 1 << 20  # a question that leads beyond the guest's pages


def questions(name, directives):
    """Return the questions of a script."""
    engine = Questions()
    report(name, directives, engine, Strictness.REASON)
    return engine.asked


def told(name, directives, asked):
    """Return the report of a script whose questions were answered."""
    return report(name, directives, Answers(asked), Strictness.REASON)


@pytest.fixture(scope="module")
def own(tmp_path_factory):
    """Return our own script, as far as a guest can be asked, and its questions with their answers."""
    directives = list(chosen(parse(SCRIPT, "own.wast")))
    asked = questions("own.wast", directives)
    examine(asked, tmp_path_factory.mktemp("own"))
    return directives, asked


def test_a_script_of_our_own_is_answered_as_it_should_be(own):
    came = told("own.wast", *own)
    assert came.failures == [] and came.total(Verdict.PASSED) == len(own[0])
    assert {keyword for keyword, _ in came.counts} >= {
        "assert_return",
        "assert_trap",
        "assert_exhaustion",
        "assert_invalid",
        "assert_malformed",
        "get",
    }


def otherwise(what, number, values):
    """Return an answer that differs from this one."""
    return (
        (what, number, tuple(value ^ 1 for value in values))
        if what == RETURNED and values
        else (TRAPPED if what == RETURNED else RETURNED, 0, ())
    )


def test_every_other_answer_to_what_is_asserted_is_noticed(own):
    directives, asked = own
    good = told("own.wast", directives, asked).failures
    noticed = 0
    for module, item in enumerate(asked):
        for number, given in enumerate(item.answers):
            other = copy.deepcopy(asked)
            other[module].answers[number] = otherwise(*given)
            noticed += told("own.wast", directives, other).failures != good
    asserted = sum(directive.keyword.startswith("assert") for directive in directives)
    assert noticed >= asserted


def test_answers_to_other_questions_are_not_taken(own):
    directives, asked = own
    with pytest.raises(NoAnswer):
        Answers(asked[1:]).decode(asked[0].binary)


def test_a_guest_that_goes_astray_is_contained(tmp_path):
    run = examined(HEADER.pack(ASTRAY, 0, 0, HEADER.size), tmp_path, agents.SHORT)
    assert ending.outcome(run, ending.FIRST) == ("contained",) and run.lines(0, "root") == [["done"]]
    stopped = [record.actor for record in (decode(data, WitnessRecord) for data in run.records) if is_fault(record)]
    assert stopped == [ending.FIRST]


def test_the_official_suite_is_answered_as_far_as_it_fits_a_guest(tmp_path, capsys):
    whole = {path.name: read(path) for path in official()}
    scripts = {name: list(chosen(directives)) for name, directives in whole.items()}
    asked = {name: questions(name, directives) for name, directives in scripts.items()}
    boots = examine([item for items in asked.values() for item in items], tmp_path)
    reports = [told(name, directives, asked[name]) for name, directives in scripts.items()]
    passed, all_ = sum(one.total(Verdict.PASSED) for one in reports), sum(map(len, whole.values()))
    with capsys.disabled():
        print(
            f"\nofficial suite on the kernel: {passed} of {all_} directives, in {boots} boots"
            + ("" if FOLDER in os.environ else f" ({FOLDER} is not set)")
        )
    assert [str(failure) for one in reports for failure in one.failures] == []
    assert passed == sum(map(len, scripts.values())) and 2 * passed >= all_
    assert bool(reports) == (FOLDER in os.environ)
