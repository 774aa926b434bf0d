"""Do agents get the vectors that were put last under QEMU, and would it be noticed if they got others?"""

import copy
import shutil
from dataclasses import replace

import pytest

from corollary.codegen import image
from corollary.emulation import agents, lending, package
from corollary.emulation.ending import FIRST, name_of, outcome
from corollary.emulation.layout import SLIP_BITS, SLIP_GET, SLIP_PUT
from corollary.language.layout import decode
from corollary.spec.host import STORE_STATUS
from corollary.spec.kernel.state import Kernel
from corollary.spec.kernel.vocabulary import PageKind, Right, Status
from corollary.spec.vectors.vocabulary import Status as StoreStatus
from tests.platform.booted import Booted

CHOSEN = agents.LEARNING
NAMES = [agent.name for agent in CHOSEN]
ANSWERS, ORDER = "answers that a dictionary gives, too", "order of requests and answers, by the log"
STATUS, VERSION, DIGEST = 8, 9, 10  # where a line of the librarian tells these


@pytest.fixture(scope="module")
def booted(tmp_path_factory):
    """Return the boot with the agents that ask for vectors."""
    return Booted(CHOSEN, lending, tmp_path_factory.mktemp("boot"))


def test_every_row_of_the_verdict_is_as_expected(booted):
    assert booted.wrong() == []


def test_agents_that_ask_for_vectors_have_a_boot_of_their_own():
    assert agents.boots((*agents.PAIR, *CHOSEN)) == [tuple(agents.PAIR), CHOSEN]


def test_who_asks_cannot_take_back_what_the_librarian_reads():
    assert not any(agent.own & Right.WRITE for agent in CHOSEN)


def test_every_refusal_of_the_librarian_is_seen(booted):
    seen = {each.status for each in lending.served_in(booted.run)}
    of_store = {StoreStatus(status - STORE_STATUS) for status in seen if status >= STORE_STATUS}
    assert of_store == {
        *(StoreStatus.BAD_DIMENSION, StoreStatus.ABSENT, StoreStatus.STALE_VERSION, StoreStatus.FULL),
        StoreStatus.NOT_FINITE,
    }
    assert seen - {STORE_STATUS + status for status in of_store} == {
        *(Status.OK, Status.BAD_ARGUMENT, Status.INSUFFICIENT_RIGHTS)
    }


def test_elements_are_not_read_of_a_page_that_is_not_shared(tmp_path):
    status = f"last status: {Status.NOT_SHARED:d}"
    alone = replace(CHOSEN[0], lends=False, said=(status, "elements that are wrong: 0"))
    found = Booted((alone,), lending, tmp_path)
    assert found.wrong() == []
    of_each_key = [STORE_STATUS + StoreStatus.ABSENT, Status.NOT_SHARED]
    assert [each.status for each in lending.served_in(found.run)] == of_each_key * len(agents.LEARNED)


# ---- what would be noticed


def what_is_bad(booted, **instead):
    """Return which rows are not as expected."""
    return {attempt for _, attempt in booted.bad(**instead)}


def lines_of(run):
    """Return the lines of the librarian about requests, to be changed."""
    return [line for line in run.told[lending.LIBRARIAN] if line[0] == "served"]


def nth_put(run, number):
    """Return the line about one of the puts that were made."""
    made = [line for line in lines_of(run) if (line[4], line[STATUS]) == (f"{SLIP_PUT:x}", "0")]
    return made[number]


@pytest.mark.parametrize("place", [STATUS, VERSION, DIGEST])
@pytest.mark.parametrize("number", [0, 7, -1])
def test_another_answer_is_noticed(booted, place, number):
    run = copy.deepcopy(booted.run)
    line = nth_put(run, number)
    line[place] = f"{int(line[place], 16) ^ 1:x}"
    assert booted.bad() == set() and ANSWERS in what_is_bad(booted, run=run)


def test_a_get_of_what_was_put_before_the_last_put_is_noticed(booted):
    run = copy.deepcopy(booted.run)
    gets = [line for line in lines_of(run) if line[4:6] == [f"{SLIP_GET:x}", "1"] and line[STATUS] == "0"]
    older, newer = gets[0], next(line for line in gets if line[VERSION] != gets[0][VERSION])
    newer[VERSION:] = older[VERSION:]
    assert what_is_bad(booted, run=run) == {ANSWERS}


def test_a_put_that_is_lost_is_noticed(booted):
    run = copy.deepcopy(booted.run)
    run.told[lending.LIBRARIAN].remove(nth_put(run, 5))
    assert {ANSWERS, ORDER, "lessons in the last versions", "requests, by the log"} <= what_is_bad(booted, run=run)


def test_an_answer_to_another_request_is_noticed(booted):
    run = copy.deepcopy(booted.run)
    one, other = nth_put(run, 3), nth_put(run, 4)
    assert one[STATUS:] != other[STATUS:]
    one[STATUS:], other[STATUS:] = other[STATUS:], one[STATUS:]
    assert what_is_bad(booted, run=run) == {ANSWERS}


def test_a_stale_put_that_is_made_is_noticed(booted):
    run = copy.deepcopy(booted.run)
    stale = f"{STORE_STATUS + StoreStatus.STALE_VERSION:x}"
    next(line for line in lines_of(run) if line[STATUS] == stale)[STATUS] = "0"
    assert ANSWERS in what_is_bad(booted, run=run)


def test_requests_that_are_served_twice_or_as_those_of_others_are_noticed(booted):
    for change in ({3: "1"}, {1: "3"}):
        run = copy.deepcopy(booted.run)
        line = [line for line in lines_of(run) if line[1] == "7"][-1]
        for place, value in change.items():
            line[place] = value
        assert what_is_bad(booted, run=run)


def test_rights_that_root_did_not_give_are_noticed(booted):
    run = copy.deepcopy(booted.run)
    reader = NAMES.index("recalling")
    line = next(line for line in lines_of(run) if int(line[1], 16) >> SLIP_BITS == reader)
    line[1] = f"{reader << SLIP_BITS | SLIP_GET | SLIP_PUT:x}"
    assert what_is_bad(booted, run=run) == {"badges of its requests"}


@pytest.mark.parametrize(
    ("partition", "operation", "what"),
    [
        (lending.LIBRARIAN, "edge_receive", {ORDER}),
        (lending.LIBRARIAN, "edge_send", {ORDER}),
        (FIRST, "edge_send", {"requests, by the log"}),
        (FIRST, "edge_receive", {"requests, by the log"}),
        (0, "partition_destroy", {"its end, by the log", "calls after that, by the log"}),
    ],
)
def test_a_call_that_the_log_does_not_tell_is_noticed(booted, partition, operation, what):
    calls = booted.log.calls[partition]
    one = next(each for each in calls if (name_of(each), each.status) == (operation, Status.OK))
    assert what_is_bad(booted, log=changed(booted.log, partition, [each for each in calls if each is not one])) == what


def test_a_call_that_acts_on_others_is_noticed(booted):
    act = next(each for each in booted.log.calls[0] if name_of(each) == "partition_start")
    log = changed(booted.log, lending.LIBRARIAN, [act, *booted.log.calls[lending.LIBRARIAN]])
    assert what_is_bad(booted, log=log) == {"what it calls, by the log"}


def test_an_agent_that_does_not_go_on_is_noticed(booted):
    (death,) = [each.sequence for each in booted.log.calls[0] if name_of(each) == "partition_destroy"]
    p = FIRST + NAMES.index("recalling")
    log = changed(booted.log, p, [each for each in booted.log.calls[p] if each.sequence < death])
    assert "calls after that, by the log" in what_is_bad(booted, log=log)


def test_what_is_left_of_the_librarian_is_noticed(booted):
    kernel = decode(booted.state, Kernel)
    kernel.page[1000].kind, kernel.page[1000].owner = PageKind.DATA, lending.LIBRARIAN
    assert what_is_bad(booted, kernel=kernel) == {f"left of partition {lending.LIBRARIAN} in the end"}


def changed(log, actor, calls):
    """Return a log in which the calls of a partition are others."""
    other = copy.copy(log)
    other.calls = log.calls | {actor: calls}
    return other


# ---- guests that do otherwise

LENT = "copy(AT(ENTRY_OF(ANSWER_OF + READER_OF(request->badge))), (const volatile uint64_t *)elements);"
MADE = "return seen_as(store_put_row(&room->store, *row, request->slip.key, request->slip.version));"
WRONG = {
    "a wrong byte": (
        "desk.c",
        LENT,
        LENT + " ((volatile uint8_t *)AT(ENTRY_OF(ANSWER_OF + READER_OF(request->badge))))[4090] ^= 1;",
        {("learning", "its last words"), ("recalling", "its last words")},
    ),
    "a lost put": (
        "librarian.c",
        MADE,
        f"if (request->slip.version == 4) return STATUS_OK; {MADE}",
        {("librarian", ANSWERS), ("librarian", "lessons in the last versions")},
    ),
    "the answer to another request": (
        "reading.c",
        "again = waits && is_asked(slip, bytes)",
        "again = waits && (is_asked(slip, bytes) || true)",
        {("learning-2", "its last words")},
    ),
    "a put without the right": (
        "desk.c",
        "(request->badge & request->slip.verb) != 0",
        "request->badge != 0",
        {("recalling", "its last words"), ("librarian", ANSWERS)},
    ),
}
"""Changes of guests: the file, what is replaced, by what, and what must be noticed."""


@pytest.mark.long
@pytest.mark.parametrize("name", WRONG)
def test_a_guest_that_does_otherwise_is_noticed(tmp_path, monkeypatch, name):
    file, old, new, noticed = WRONG[name]
    sources = tmp_path / "guests"
    shutil.copytree(image.GUEST_SOURCES, sources)
    text = (sources / file).read_text()
    assert text.count(old) == 1
    (sources / file).write_text(text.replace(old, new))
    for module in (image, package):
        monkeypatch.setattr(module, "GUEST_SOURCES", sources)
    found = Booted(tuple(replace(agent, milliseconds=30_000) for agent in CHOSEN), lending, tmp_path)
    assert outcome(found.run, FIRST)[0] == "returned" and noticed <= found.bad()
