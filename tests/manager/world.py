"""Who drives managers in tests? A world of kernels, disks and a link that carries out tasks, or does not.

Each manager is the model and the generated C side by side: every step is compared. Everything that was ever sent may
come again at any time. A manager that crashes loses its tasks and goes on with what was written.
"""

import hashlib
from dataclasses import dataclass, field
from functools import cache

from corollary.codegen.build import BUILD
from corollary.codegen.folders import GENERATED
from corollary.compression import BlockRefused, compress, decompress
from corollary.emulation.beside import Beside, library
from corollary.model.manager.component import MANAGER
from corollary.spec.agent import Life
from corollary.spec.manager.limits import EPOCHS
from corollary.spec.manager.state import PeerId
from corollary.spec.manager.step import verb_of
from corollary.spec.manager.vocabulary import Status, Step, Verb

OPERATIONS = {each.name: each.function for each in MANAGER.operations}
CHUNK = 4  # bytes
IMAGE = b"what the agent is"  # bytes
SENT = (Verb.SEND_RESERVE, Verb.SEND_CHUNK, Verb.SEND_COMMIT, Verb.SEND_FILLED)
PATIENCE = 20  # rounds until a task takes too long
ROWS = 4  # of a manager, that tests look at


@cache
def built():
    """Return the path of the library with the C of the manager."""
    return library(GENERATED / MANAGER.name, BUILD / "host")


def hash_of(data):
    """Return the four words of the hash of some bytes."""
    digest = hashlib.sha256(data).digest()
    return tuple(int.from_bytes(digest[at : at + 8], "big") for at in range(0, 32, 8))


def chunks_of(data):
    """Return the chunks of a snapshot."""
    return [data[at : at + CHUNK] for at in range(0, len(data), CHUNK)]


@dataclass
class Kernel:
    """What one kernel has of each agent: its pages, and whether it runs."""

    pages: dict = field(default_factory=dict)  # row: bytes
    running: set = field(default_factory=set)  # rows
    badges: int = 0

    def badge(self):
        """Return a badge that was never used here."""
        self.badges += 1
        return self.badges


class End:
    """A manager with its kernel and its disk. `peers` are the others by number; `sent` is all that is on the link."""

    def __init__(self, number, peers, sent):
        self.number, self.peers, self.sent = number, peers, sent
        self.manager, self.kernel = Beside(MANAGER, built()), Kernel()
        self.stored, self.disk, self.log = {}, {}, []
        peers[number] = self

    def take(self, name, *arguments):
        """Take a step of the manager."""
        return self.manager.take(OPERATIONS[name], *arguments)

    def row(self, a):
        """Return the row of an agent."""
        return self.manager.model.agent[a]

    def spawn(self, a):
        """Let an agent run here."""
        assert self.take("register", a, self.kernel.badge(), 0, 0) == self.take("started", a) == Status.OK
        self.kernel.pages[a] = IMAGE
        self.kernel.running.add(a)

    def pass_epochs(self, count=EPOCHS):
        """Let epochs pass."""
        for _ in range(count):
            assert self.take("begin_epoch") == Status.OK

    def crash(self):
        """Lose what is not written."""
        assert self.take("restart") == Status.OK

    # ---- tasks

    def work(self, a, outcome="done"):
        """Carry the next task out for an agent, if there is one; return its verb.

        `outcome` says what becomes of it: `done`, `refused`, `dropped` (the manager crashes before), `lost` (it is
        done, and the manager crashes before it is told), `twice` (its outcome is told twice).
        """
        status = self.take("assign", a)
        if status == Status.NOTHING_TO_DO:
            return None
        verb, number = self.next_verb(a), self.row(a).asked
        if outcome == "dropped":
            self.crash()
        elif outcome == "refused":
            assert self.take("failed", a, number) == Status.OK
        else:
            told = self.carry_out(verb, a, number)
            if outcome == "lost":
                self.crash()
            if told is not None:
                self.tell(told, outcome)
        return verb

    def next_verb(self, a):
        """Return what is to be done next for an agent."""
        return verb_of(self.row(a).step)

    def tell(self, told, outcome):
        """Tell the manager an outcome, which counts once, and not after a crash."""
        status = self.take(*told)
        if told[0] == "commit":
            assert status == Status.OK
        elif outcome == "lost":
            assert status == Status.OUTDATED
        elif status != Status.OK:
            assert status in (Status.WRONG_HASH, Status.WRONG_SIZE, Status.WRONG_PLACE), status
            assert self.take("failed", *told[1:3]) == Status.OK
        if outcome == "twice" and told[0] != "commit":
            assert self.take(*told) == Status.OUTDATED

    def carry_out(self, verb, a, number):
        """Do what a task says; return the step that tells the manager so, or None for what the link does."""
        if verb == Verb.DECIDE:
            return "commit", a
        if verb in SENT or (verb == Verb.ASK_CHUNK and self.row(a).chunk < self.row(a).chunks):
            self.send(verb, a)
            return None
        name, *arguments = getattr(self, f"do_{verb.name.lower()}")(a)
        return name, a, number, *arguments

    def do_suspend(self, a):
        """The kernel suspends an agent."""
        self.kernel.running.discard(a)
        return ("stopped",)

    def do_resume(self, a):
        """The kernel resumes an agent, if it does not run."""
        assert a in self.kernel.pages
        self.kernel.running.add(a)
        return ("returned",)

    def do_snapshot(self, a):
        """The kernel takes a snapshot."""
        assert a not in self.kernel.running
        data = self.kernel.pages[a]
        if self.row(a).step == Step.STOPPED:
            return "snapped", len(chunks_of(data)), *hash_of(data)
        return "frozen", len(data), *hash_of(data)

    def do_restore(self, a):
        """The kernel lets a snapshot run, if it does not."""
        came = self.row(a).step == Step.ACCEPTED
        self.kernel.pages[a] = b"".join(self.stored[a]) if came else decompress(*self.cold(a))
        self.kernel.running.add(a)
        return ("restored",)

    def do_release(self, a):
        """The kernel destroys what is left of an agent."""
        assert a not in self.kernel.running
        self.kernel.pages.pop(a, None)
        return ("released",) if self.row(a).step == Step.LEFT else ("freed",)

    def do_ask_chunk(self, a):
        """There is nothing to ask for: the hash of all chunks is computed."""
        return "checked", *hash_of(b"".join(self.stored[a]))

    def do_compress(self, a):
        """A snapshot is compressed."""
        return "packed", len(compress(self.kernel.pages[a]))

    def do_write(self, a):
        """It is written to the disk."""
        at = len(self.disk)
        self.disk[at] = compress(self.kernel.pages[a])
        return "written", at

    def do_record(self, a):
        """Its receipt is written to the log."""
        self.log.append((self.row(a).badge, self.row(a).receipt.at))
        return ("recorded",)

    def do_read(self, a):
        """It is read."""
        return "read", self.row(a).receipt.at, len(self.cold(a)[0])

    def do_decompress(self, a):
        """It is decompressed, as far as it can be."""
        packed, size = self.cold(a)
        try:
            data = decompress(packed, size)
        except BlockRefused:
            data = b""
        return "unpacked", len(data), *hash_of(data)

    def cold(self, a):
        """Return what the disk has of an agent, and how many bytes it should make."""
        return self.disk[self.row(a).receipt.at], self.row(a).receipt.plain

    def mend(self, a):
        """The kernel carries a remedy out."""
        self.kernel.running.add(a)
        if self.row(a).step == Step.REPLACING:
            self.kernel.running.discard(a)
            self.kernel.pages.pop(a)
        return ("remedied",)

    do_restart = do_reload = do_replace = do_reboot = mend

    # ---- messages

    def send(self, verb, a):
        """Send the message that a task asks for."""
        g = self.row(a)
        hash = (g.hash.first, g.hash.second, g.hash.third, g.hash.fourth)
        told = {
            Verb.SEND_RESERVE: lambda: ("reserve", a, g.ticket, g.chunks, *hash),
            Verb.SEND_CHUNK: lambda: ("chunk", g.there, g.ticket, g.chunk, chunks_of(self.kernel.pages[a])[g.chunk]),
            Verb.SEND_COMMIT: lambda: ("commit", g.there, g.ticket, a),
            Verb.ASK_CHUNK: lambda: ("want", g.there, g.ticket, a, g.chunk),
            Verb.SEND_FILLED: lambda: ("filled", g.there, g.ticket, a),
        }[verb]()
        self.post(g.peer, *told)

    def post(self, peer, *told):
        """Put a message on the link."""
        self.sent.append((int(peer), self.number, told))

    def receive(self, peer, name, *arguments):
        """Take a message from a peer."""
        getattr(self, f"hear_{name}")(PeerId(peer), *arguments)

    def hear_reserve(self, peer, there, *about):
        """Promise room, if there is some."""
        model = self.manager.model
        free = next(a for a in range(256) if self.row(a).state == Life.TERMINATED)
        lane = next((each for each in range(8) if not model.lane[each].taken), 0)
        if self.take("hear_reserve", free, lane, self.kernel.badge(), 0, peer, there, *about) == Status.OK:
            self.stored[free] = []

    def hear_chunk(self, peer, a, ticket, number, data):
        """Store a chunk."""
        if self.take("hear_chunk", a, peer, ticket, number) == Status.OK:
            self.stored[a].append(data)

    def hear_commit(self, peer, a, ticket, there):
        """Accept an agent, or say that it has arrived."""
        if self.take("hear_commit", a, peer, ticket) == Status.DONE:
            self.post(peer, "done", there, ticket)

    def hear_want(self, peer, a, ticket, there, number):
        """Send a chunk next, or say that the move is void."""
        if self.take("hear_want", a, ticket, there, number) == Status.VOID:
            self.post(peer, "abort", there, ticket)

    def hear_filled(self, peer, a, ticket, there):
        """Decide next, or say that the move is void."""
        if self.take("hear_filled", a, ticket, there) == Status.VOID:
            self.post(peer, "abort", there, ticket)

    def hear_abort(self, peer, a, ticket):
        """Drop a promise."""
        self.take("hear_abort", a, peer, ticket)

    def hear_done(self, peer, a, ticket):
        """Free what is left."""
        self.take("hear_done", a, ticket)


class World:
    """Two managers with one agent, which runs at the first."""

    def __init__(self):
        self.peers, self.sent, self.passed = {}, [], 0
        self.source, self.target = End(1, self.peers, self.sent), End(2, self.peers, self.sent)
        self.source.spawn(0)

    ends = property(lambda self: (self.source, self.target))

    def deliver(self, at):
        """Deliver a message that was sent, for the first time or again."""
        to, peer, told = self.sent[at]
        self.peers[to].receive(peer, *told)

    def busy(self):
        """Yield each end with each row in the middle of something."""
        for end in self.ends:
            for a in range(ROWS):
                if end.row(a).step != Step.NONE:
                    yield end, a

    def places(self):
        """Return where the agent runs: the ends and rows."""
        return [(end.number, a) for end in self.ends for a in sorted(end.kernel.running)]

    def holders(self):
        """Return how many rows have the agent, and are in the middle of nothing."""
        rows = [end.row(a) for end in self.ends for a in range(ROWS)]
        return sum(g.step == Step.NONE and g.state != Life.TERMINATED for g in rows)

    def check(self):
        """The agent runs in one place at most, and is what it was."""
        assert len(self.places()) <= 1, self.places()
        for end in self.ends:
            assert all(end.kernel.pages[a] == IMAGE for a in end.kernel.running)

    def come_nearer(self, outcome="done"):
        """Carry out a task for each agent, and deliver all new messages."""
        for end, a in list(self.busy()):
            end.work(a, outcome)
            self.check()
        self.deliver_new()

    def deliver_new(self):
        """Deliver all new messages."""
        while self.passed < len(self.sent):
            self.passed += 1
            self.deliver(self.passed - 1)
            self.check()

    def come_to_rest(self):
        """Go on until nothing is left to do; return the rounds. Now and then tasks take too long."""
        rounds = 0
        while list(self.busy()):
            rounds += 1
            assert rounds < 100, [(end.number, end.row(a).step) for end, a in self.busy()]
            self.come_nearer("done" if rounds % PATIENCE else "refused")
        return rounds

    def assert_one(self):
        """After all is done the agent is in exactly one place; return the number of the end where it runs, or None."""
        assert not list(self.busy()) and self.holders() == 1
        assert sum(map(len, (end.kernel.pages for end in self.ends))) == 1
        assert not any(end.manager.model.lane[each].taken for end in self.ends for each in range(8))
        return self.places()[0][0] if self.places() else None
