"""Did agents get the vectors that were put last, and was everybody refused what he may not?

Each answer of the librarian is compared with that of a dictionary, which knows by itself what each agent puts. When the
librarian is dead, agents go on.
"""

import hashlib
import struct
from dataclasses import dataclass
from itertools import pairwise
from math import isfinite, nan

from corollary.emulation.agents import LEARNED, refused, stores
from corollary.emulation.ending import FIRST, Log, agent_rows, name_of
from corollary.emulation.ending import names as names_without
from corollary.emulation.layout import (
    LEARNERS,
    LESSONS,
    OWN_KEY,
    OWN_NUMBER,
    SLIP_BITS,
    SLIP_GET,
    SLIP_PUT,
    SLIP_WORDS,
    UNKNOWN_KEY,
    VECTOR_BYTES,
    VECTOR_ELEMENTS,
    VECTORS_AT_MOST,
)
from corollary.emulation.mending import rest_row
from corollary.emulation.verdict import NAMES, boot_rows, end_row, holds, log_rows, root_row
from corollary.language.layout import decode
from corollary.spec.kernel.state import Kernel
from corollary.spec.kernel.vocabulary import Status as KernelStatus
from corollary.spec.vectors.limits import ANY
from corollary.spec.vectors.vocabulary import Status

LIBRARIAN = NAMES.index("worker A")  # its partition
NAME = "librarian"
PREPARES = {"capability_inspect", "page_create", "page_map"}
SERVES = {"notification_await", "notification_wait", "edge_receive", "share_map", "console_write", "edge_send"}


def names(agents):
    """Return the names of the partitions."""
    found = names_without(agents)
    return (*found[:LIBRARIAN], NAME, *found[LIBRARIAN + 1 :])


def verdict(run, system, agents, state):
    """Return all rows; `state` is what the kernel's state was in the end, as bytes."""
    return [
        *rows_of_agents(run, Log(run.records), agents, decode(state, Kernel)),
        *boot_rows(run, system),
        root_row(run, "make agents and their librarian, and kill that"),
        *log_rows(run, system),
        end_row(run),
    ]


def rows_of_agents(run, log, agents, kernel):
    """Yield the rows of each agent, of what it asked, and of the librarian."""
    served, readers = served_in(run), stores(agents)
    for n, agent in enumerate(agents):
        yield from agent_rows(run, log, FIRST + n, agent)
    for reader, agent in enumerate(readers):
        yield from request_rows(log, agents.index(agent) + FIRST, reader, agent, served)
    yield from answer_rows(readers, served)
    yield order_row(log, served)
    yield calls_row(log)
    yield from death_rows(log, agents, kernel)


# ---- what the librarian says


@dataclass(frozen=True)
class Served:
    """A request as the librarian had it, and what it answered."""

    badge: int
    words: int
    number: int
    verb: int
    key: int
    expected: int
    size: int
    status: int
    version: int
    digest: int

    @property
    def reader(self):
        """Who asked, counted from the first who may ask."""
        return self.badge >> SLIP_BITS

    @property
    def may(self):
        """What it may ask, as the librarian saw it."""
        return self.badge & (SLIP_GET | SLIP_PUT)


def served_in(run):
    """Return what the librarian says that it served, in order."""
    return [Served(*(int(number, 16) for number in line)) for line in run.lines(LIBRARIAN, "served")]


# ---- what a dictionary says


def vector(key, lessons):
    """Return the elements that follow from a key and a number of lessons, as `guests/agents/learning.h` has them."""
    return [float(key * 1_000_000 + lessons * (place + 1)) for place in range(VECTOR_ELEMENTS)]


def digest(elements):
    """Return the first eight bytes of the SHA-256 of elements as they lie in memory."""
    data = struct.pack(f"<{len(elements)}f", *elements)
    return int.from_bytes(hashlib.sha256(data).digest()[:8], "big")


class Shelf:
    """Vectors by their keys. It knows what agents put: who learns adds one lesson to the version that it expects."""

    def __init__(self, readers):
        self.readers, self.kept, self.latest = readers, {}, 0
        self.lessons = {}  # in each version of a key

    def answer(self, asked):
        """Return status, version and digest that a request must have."""
        agent = self.readers[asked.reader]
        refusal = self.refusal(agent, asked)
        if refusal:
            return refusal, 0, 0
        if asked.verb == SLIP_PUT:
            self.put(agent, asked)
        version, elements = self.kept[asked.key]
        return KernelStatus.OK, version, digest(elements)

    def refusal(self, agent, asked):
        """Return the status of a request that must be refused, or 0."""
        if asked.words != SLIP_WORDS or asked.verb not in (SLIP_GET, SLIP_PUT):
            return KernelStatus.BAD_ARGUMENT
        if not agent.may & asked.verb:
            return KernelStatus.INSUFFICIENT_RIGHTS
        if asked.size != VECTOR_BYTES:
            return refused(Status.BAD_DIMENSION)
        if asked.verb == SLIP_GET:
            return 0 if asked.key in self.kept else refused(Status.ABSENT)
        return self.refusal_to_put(agent, asked) if agent.lends else KernelStatus.NOT_SHARED

    def refusal_to_put(self, agent, asked):
        """Return the same for a put of elements that are there."""
        if not all(map(isfinite, self.elements(agent, asked))):
            return refused(Status.NOT_FINITE)
        if asked.expected not in (ANY, self.kept.get(asked.key, (0,))[0]):
            return refused(Status.STALE_VERSION)
        full = asked.key not in self.kept and len(self.kept) == VECTORS_AT_MOST
        return refused(Status.FULL) if full else 0

    def put(self, agent, asked):
        """Keep what an agent puts, under the next version."""
        elements, lessons = self.elements(agent, asked), self.lessons.get((asked.key, asked.expected), 0)
        self.latest += 1
        self.kept[asked.key] = self.latest, elements
        self.lessons[asked.key, self.latest] = lessons + 1

    def elements(self, agent, asked):
        """Return the elements that an agent puts."""
        if agent.program == "learning":
            return vector(asked.key, self.lessons.get((asked.key, asked.expected), 0) + 1)
        return [nan] if asked.key == UNKNOWN_KEY else vector(OWN_KEY, 1)


def answer_rows(readers, served):
    """Yield rows: the librarian answers what the dictionary answers, and nothing of what was learned is lost."""
    shelf = Shelf(readers)
    right = sum(shelf.answer(each) == (each.status, each.version, each.digest) for each in served)
    yield holds("answers that a dictionary gives, too", str(len(served)), str(right), right == len(served) > 0, NAME)
    learners = sum(agent.program == "learning" for agent in readers)
    if learners == LEARNERS:
        learned = [shelf.lessons.get((key, shelf.kept[key][0])) if key in shelf.kept else None for key in LEARNED]
        wanted = [LESSONS * learners] * len(LEARNED)
        yield holds("lessons in the last versions", str(wanted), str(learned), learned == wanted, NAME)
        stale = sum(each.status == refused(Status.STALE_VERSION) for each in served if each.key in LEARNED)
        yield holds("puts that came too late", "some, refused", str(stale), stale > 1, NAME)


# ---- what the log says


def request_rows(log, p, reader, agent, served):
    """Yield rows about what an agent asked: as often as it sent, with the rights that it has, and in order."""
    mine = [each for each in served if each.reader == reader]
    sent, heard = log.allowed(p, "edge_send"), log.allowed(p, "edge_receive")
    told = f"{sent} sent, {len(mine)} served, {heard} answers"
    # nobody serves what is asked after the death of the librarian, and one request is out then
    good = heard == len(mine) > 0 and sent - len(mine) == agent.outlives
    yield holds("requests, by the log", "served and answered as often as sent", told, good, agent.name)
    wrong = sum(each.may != agent.may for each in mine)
    yield holds("badges of its requests", "tell what it may ask", f"{wrong} wrong", wrong == 0, agent.name)
    numbers = [each.number for each in mine if 0 < each.number < OWN_NUMBER]
    rising = numbers == sorted(set(numbers))
    yield holds("numbers of its requests", "rise", "rise" if rising else "do not", rising, agent.name)
    if agent.program == "learning" and agent.hasty:
        late = dropped(mine)
        yield holds("answers that came too late", "some, not heard", str(late), late > 0, agent.name)


def dropped(mine):
    """Count the vectors that who learns got and put nothing after: it had asked for something else meanwhile."""
    return sum(one.verb == SLIP_GET and (other.verb, other.key) != (SLIP_PUT, one.key) for one, other in pairwise(mine))


def order_row(log, served):
    """Return a row: requests were received in the order in which they are told, and each was answered in turn."""
    told = from_first([each.reader for each in served])
    received, answered = (edges_of(log, operation) for operation in ("edge_receive", "edge_send"))
    good = from_first(received)[: len(told)] == told == from_first(answered) and len(received) - len(told) in (0, 1)
    return holds("order of requests and answers, by the log", "as it is told", "is" if good else "is not", good, NAME)


def edges_of(log, operation):
    """Return through which of its edges the librarian received or sent, in order; they are numbered as who asks is."""
    calls = log.calls.get(LIBRARIAN, [])
    return [each.capability for each in calls if name_of(each) == operation and each.status == KernelStatus.OK]


def from_first(numbers):
    """Return numbers without the least one, so that it does not matter where they begin."""
    return [number - min(numbers) for number in numbers]


def calls_row(log):
    """Return a row: the librarian called nothing that acts on anybody else; it serves."""
    made = {name_of(record) for record in log.calls.get(LIBRARIAN, [])}
    beyond = sorted(str(name) for name in made - PREPARES - SERVES)
    good, told = not beyond and made >= SERVES, ", ".join(beyond) or "nothing else"
    return holds("what it calls, by the log", "what serves", told, good, NAME)


def death_rows(log, agents, kernel):
    """Yield rows about the death of the librarian: nothing of it is left, and others go on."""
    ends = [
        r.sequence for r in log.calls.get(0, []) if name_of(r) == "partition_destroy" and r.status == KernelStatus.OK
    ]
    death = ends[0] if len(ends) == 1 else 0
    late = sum(record.sequence > death for record in log.calls.get(LIBRARIAN, []))
    told = f"{len(ends)} by root, {late} calls of its own after it"
    yield holds("its end, by the log", "1 by root, and it calls no more", told, death > 0 and late == 0, NAME)
    yield rest_row(kernel, Named(NAME), LIBRARIAN)
    for p, agent in enumerate(agents, FIRST):
        if agent.outlives:
            found = sum(record.sequence > death for record in log.calls.get(p, []))
            yield holds("calls after that, by the log", "some", str(found), death > 0 and found > 1, agent.name)


@dataclass(frozen=True)
class Named:
    """Whoever has a row in a table, and is no agent."""

    name: str
