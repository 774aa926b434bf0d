"""How does one process keep its agents? In an SQLite database, written by one thread, many transactions at a time.

Every request waits in a queue for the thread. It carries out all that are there in one transaction, each within a
savepoint of its own, and tells nobody of success before that transaction is on the disk. So a thousand events a second
need far fewer than a thousand waits for the disk.
"""

import asyncio
import fcntl
import json
import queue
import sqlite3
import threading
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from corollary.runtime.encoding import copied_from, did, entry_packed, entry_unpacked, first_event, rules_from
from corollary.runtime.store import (
    ENTRIES,
    Agent,
    Answer,
    Checkpoint,
    Effect,
    Entry,
    Event,
    Fenced,
    Kept,
    Kind,
    Lease,
    Past,
    Reply,
    State,
    StoreDamaged,
    StoreUnavailable,
    Turn,
    Unknown,
    digest_of,
)

FORMAT = 2
AT_ONCE = 512  # requests of one transaction, at most
REMEMBERED = 7 * 24 * 3600 * 10**9  # ns for which the id of a handled event is remembered, at least
PROGRAMS = """
CREATE TABLE programs (name TEXT PRIMARY KEY, code BLOB NOT NULL) WITHOUT ROWID;
"""
AGENTS = """
CREATE TABLE agents (
    name TEXT PRIMARY KEY, program TEXT NOT NULL, rules TEXT NOT NULL, state INTEGER NOT NULL, copied TEXT NOT NULL,
    turns INTEGER NOT NULL DEFAULT 0, token INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;
CREATE TABLE events (
    number INTEGER PRIMARY KEY AUTOINCREMENT, agent TEXT NOT NULL, id TEXT NOT NULL, kind INTEGER NOT NULL,
    body BLOB NOT NULL, about TEXT NOT NULL, due INTEGER NOT NULL, posted INTEGER NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0, reason TEXT NOT NULL DEFAULT '',
    answer INTEGER, status INTEGER, reply BLOB NOT NULL DEFAULT x'', turn INTEGER, moment INTEGER,
    UNIQUE (agent, id)
);
CREATE INDEX waiting ON events (agent, due, number) WHERE answer IS NULL;
CREATE INDEX answered_later ON events (agent) WHERE answer = 3;
CREATE INDEX handled ON events (agent, turn) WHERE turn IS NOT NULL;
CREATE TABLE checkpoints (
    agent TEXT NOT NULL, turn INTEGER NOT NULL, whole INTEGER NOT NULL, block BLOB NOT NULL, seal BLOB NOT NULL,
    did BLOB NOT NULL, PRIMARY KEY (agent, turn)
) WITHOUT ROWID;
CREATE TABLE effects (
    number INTEGER PRIMARY KEY AUTOINCREMENT, agent TEXT NOT NULL, id TEXT NOT NULL, kind TEXT NOT NULL,
    body BLOB NOT NULL, UNIQUE (agent, id)
);
CREATE TABLE journal (
    agent TEXT NOT NULL, number INTEGER NOT NULL, entry BLOB NOT NULL, PRIMARY KEY (agent, number)
) WITHOUT ROWID;
"""
AGENT = "name, program, rules, state, copied"
EVENT = "agent, id, kind, body, about, due, posted, attempts, reason"
Work = Callable[[sqlite3.Connection], Any]


class Database:
    """A database with programs, in a folder that no other process uses meanwhile.

    Makes the folder if there is none. Raises `StoreUnavailable` when another process has it, and `StoreDamaged` when
    its database cannot be read.
    """

    file: str  # the name of the database in the folder
    schema: str  # the statements that make its other tables

    def __init__(self, folder: Path):
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self.path = folder / self.file
        self.requests: queue.SimpleQueue = queue.SimpleQueue()
        self.lock = locked(folder / "lock")
        try:
            self.database = opened(self.path, PROGRAMS + self.schema)
        except StoreDamaged:
            self.lock.close()
            raise
        self.writer = threading.Thread(target=self.serve, name="store", daemon=True)
        self.writer.start()

    # ---- one thread does all

    async def ask(self, work: Work) -> Any:
        """Let the thread do a piece of work, and return its result once that is on the disk."""
        answer = asyncio.get_running_loop().create_future()
        self.requests.put((work, answer))
        return await answer

    def serve(self):
        """Carry out what is asked, until None is asked."""
        while True:
            batch = [self.requests.get()]
            while len(batch) < AT_ONCE and not self.requests.empty():
                batch.append(self.requests.get())
            self.carry_out([each for each in batch if each is not None])
            if None in batch:
                return

    def carry_out(self, batch):
        """Carry out requests in one transaction, and tell each what became of it."""
        try:
            self.database.execute("BEGIN")
            outcomes = [self.outcome(work) for work, _ in batch]
            self.database.execute("COMMIT")
        except sqlite3.Error as error:
            with suppress(sqlite3.Error):
                self.database.execute("ROLLBACK")
            outcomes = [self.problem(error) for _ in batch]
        for (_, answer), outcome in zip(batch, outcomes):
            with suppress(RuntimeError):  # whoever asked has closed its loop
                answer.get_loop().call_soon_threadsafe(tell, answer, outcome)

    def outcome(self, work):
        """Return the result of a piece of work, or the exception that undid it."""
        self.database.execute("SAVEPOINT work")
        try:
            result = work(self.database)
        except sqlite3.Error as error:
            result = self.problem(error)
        except Exception as error:
            result = error
        if isinstance(result, Exception):
            self.database.execute("ROLLBACK TO work")
        self.database.execute("RELEASE work")
        return result

    def problem(self, error):
        """Return what an error of SQLite means."""
        if isinstance(error, sqlite3.OperationalError):
            return StoreUnavailable(f"{self.path}: {error}")
        return damaged(self.path, error)

    async def close(self) -> None:
        self.requests.put(None)
        await asyncio.to_thread(self.writer.join)
        self.database.close()
        self.lock.close()

    # ---- programs

    async def keep(self, program: bytes) -> str:
        return await self.ask(lambda db: keep(db, program))

    async def program(self, name: str) -> bytes:
        code = await self.ask(lambda db: one(db, "SELECT code FROM programs WHERE name = ?", name))
        if code is None:
            raise Unknown(f"no program {name}: keep it first")
        if digest_of(code[0]) != name:
            raise StoreDamaged(f"program {name} is not as it was kept: keep it anew")
        return code[0]


class SqliteStore(Database):
    """The agents of one process."""

    file, schema = "agents.sqlite", AGENTS

    # ---- agents

    async def create(self, agent: Agent, now: int, first: Turn | None = None) -> bool:
        def work(db):
            row = agent.name, agent.program, json.dumps(asdict(agent.rules)), agent.state, json.dumps(agent.copied)
            made = db.execute(f"INSERT OR IGNORE INTO agents ({AGENT}) VALUES (?, ?, ?, ?, ?)", row).rowcount
            if made:
                post(db, first_event(agent.name, now))
            if made and first is not None:
                take(db, agent.name, first)
            return bool(made)

        return await self.ask(work)

    async def agent(self, name: str) -> Agent:
        return await self.ask(lambda db: found(db, name))

    async def agents(self) -> list[Agent]:
        query = f"SELECT {AGENT} FROM agents ORDER BY name"
        return await self.ask(lambda db: [agent(row) for row in db.execute(query)])

    async def set_state(self, name: str, state: State) -> Agent:
        def work(db):
            now = found(db, name)
            if now.state is State.ENDED:
                return now
            db.execute("UPDATE agents SET state = ? WHERE name = ?", (state, name))
            if state is State.ENDED:
                end(db, name)
            return replace(now, state=state)

        return await self.ask(work)

    async def is_elsewhere(self, name: str) -> bool:
        return False  # nobody else uses the folder

    async def set_trust(self, name: str, trust: float, consensus: bool) -> Agent:
        def work(db):
            now = found(db, name)
            rules = replace(now.rules, trust=trust, consensus=consensus)
            db.execute("UPDATE agents SET rules = ? WHERE name = ?", (json.dumps(asdict(rules)), name))
            return replace(now, rules=rules)

        return await self.ask(work)

    # ---- events

    async def post(self, events: Iterable[Event]) -> list[bool]:
        wanted = tuple(events)
        return await self.ask(lambda db: [post(db, event) for event in wanted])

    async def listen(self, ring: Callable[[str], None], answered: Callable[[str, str], None]) -> None:
        """Nobody else uses the folder, so there is nothing to tell."""

    async def claim(self, name: str) -> Lease:
        def work(db):
            db.execute("UPDATE agents SET token = token + 1 WHERE name = ?", (name,))
            held = found(db, name)
            return Lease(held, *one(db, "SELECT turns, token FROM agents WHERE name = ?", name))

        return await self.ask(work)

    async def next(self, lease: Lease, now: int, about: str | None = None) -> Event | int | None:
        def work(db):
            what = f"SELECT {EVENT} FROM events WHERE agent = ? AND answer IS NULL"
            what += "" if about is None else f" AND about = ? AND kind <> {Kind.MESSAGE:d}"
            order, whose = "ORDER BY due, number LIMIT 1", (lease.agent.name, *([] if about is None else [about]))
            row = one(db, f"{what} {order}", *whose)
            if row is None:
                return None
            first = event(row)
            at_once = None if first.is_due(now) else one(db, f"{what} AND due <= posted {order}", *whose)
            first = first if at_once is None else event(at_once)
            return first if first.is_due(now) else first.due

        return await self.ask(work)

    async def commit(self, lease: Lease, turn: Turn) -> None:
        def work(db):
            check(db, lease, turn.number)
            take(db, lease.agent.name, turn)

        await self.ask(work)
        lease.turns = turn.number

    async def fail(self, lease: Lease, entry: Entry, due: int = 0) -> None:
        def work(db):
            event = entry.event
            check(db, lease, lease.turns + 1)
            enter(db, lease.agent.name, entry)
            db.execute(
                "UPDATE events SET attempts = attempts + 1, reason = ?, due = ? WHERE agent = ? AND id = ?",
                (entry.reason, due if entry.answer is None else event.due, event.agent, event.id),
            )
            if entry.answer is not None:
                answer(db, event, Reply(entry.answer, reason=entry.reason))

        await self.ask(work)

    async def journal(self, name: str) -> list[Entry]:
        def work(db):
            found(db, name)
            query = "SELECT entry FROM journal WHERE agent = ? ORDER BY number"
            return [entry_unpacked(name, data) for (data,) in db.execute(query, (name,))]

        return await self.ask(work)

    async def reply(self, agent: str, event: str) -> Reply | None:
        query = "SELECT answer, status, reply, reason FROM events WHERE agent = ? AND id = ?"
        row = await self.ask(lambda db: one(db, query, agent, event))
        if row is None:
            raise Unknown(f"{agent} has no event {event!r}")
        return (
            None if row[0] in (None, Answer.LATER) else Reply(Answer(row[0]), row[1], row[2], row[3] if row[0] else "")
        )

    async def dead(self, agent: str) -> list[Event]:
        query = f"SELECT {EVENT} FROM events WHERE agent = ? AND answer = ? ORDER BY number"
        return await self.ask(lambda db: [event(row) for row in db.execute(query, (agent, Answer.DEAD))])

    async def retry(self, agent: str, event: str, now: int) -> bool:
        query = "UPDATE events SET answer = NULL, attempts = 0, due = ? WHERE agent = ? AND id = ? AND answer = ?"
        return await self.ask(lambda db: bool(db.execute(query, (now, agent, event, Answer.DEAD)).rowcount))

    async def busy(self) -> list[str]:
        query = "SELECT agent FROM events WHERE answer IS NULL UNION SELECT agent FROM effects"
        return await self.ask(lambda db: [name for (name,) in db.execute(query)])

    # ---- the past

    async def kept(self, name: str) -> Kept:
        def work(db):
            found(db, name)
            checkpoints = db.execute(
                "SELECT turn, whole, block, seal, did FROM checkpoints WHERE agent = ? ORDER BY turn", (name,)
            ).fetchall()
            digests = {turn: digest for turn, _, _, _, digest in checkpoints}
            turns = db.execute(
                f"SELECT turn, moment, {EVENT} FROM events WHERE agent = ? AND turn >= ? ORDER BY turn",
                (name, checkpoints[0][0] if checkpoints else 0),
            ).fetchall()
            return Kept(
                tuple(Checkpoint(turn, bool(whole), block, seal) for turn, whole, block, seal, _ in checkpoints),
                tuple(Past(turn, event(row), moment, digests.get(turn, b"")) for turn, moment, *row in turns),
            )

        return await self.ask(work)

    async def waiting(self, name: str) -> tuple[list[Event], list[Effect]]:
        query = f"SELECT {EVENT} FROM events WHERE agent = ? AND answer IS NULL ORDER BY due, number"
        events = await self.ask(lambda db: [event(row) for row in db.execute(query, (name,))])
        return events, await self.outbox(name)

    async def forget(self, lease: Lease, turn: int) -> None:
        def work(db):
            db.execute("DELETE FROM checkpoints WHERE agent = ? AND turn < ?", (lease.agent.name, turn))
            db.execute("UPDATE events SET body = x'' WHERE agent = ? AND turn < ?", (lease.agent.name, turn))
            newest = one(db, "SELECT max(moment) FROM events WHERE agent = ? AND turn >= ?", lease.agent.name, turn)
            db.execute(
                "DELETE FROM events WHERE agent = ? AND turn < ? AND moment < ? AND id NOT IN "
                "(SELECT effects.id || '/open' FROM effects WHERE effects.agent = events.agent)",  # it is open still
                (lease.agent.name, turn, (newest[0] or 0) - REMEMBERED),
            )

        await self.ask(work)

    # ---- effects

    async def outbox(self, name: str) -> list[Effect]:
        query = "SELECT agent, id, kind, body FROM effects WHERE agent = ? ORDER BY number"
        return await self.ask(lambda db: [Effect(*row) for row in db.execute(query, (name,))])

    async def effect(self, agent: str, id_: str) -> Effect | None:
        query = "SELECT agent, id, kind, body FROM effects WHERE agent = ? AND id = ?"
        row = await self.ask(lambda db: one(db, query, agent, id_))
        return None if row is None else Effect(*row)

    async def carried_out(self, effect: Effect, result: Event | None) -> None:
        def work(db):
            gone = db.execute("DELETE FROM effects WHERE agent = ? AND id = ?", (effect.agent, effect.id)).rowcount
            if gone and result is not None:
                post(db, result)

        await self.ask(work)


# ---- pieces of transactions


def one(db, query, *values):
    """Return the only row of a query, or None."""
    return db.execute(query, values).fetchone()


def keep(db, program):
    """Keep a program, and return its name."""
    name = digest_of(program)
    db.execute("INSERT OR IGNORE INTO programs VALUES (?, ?)", (name, program))
    return name


def agent(row):
    """Return the agent of a row with the columns `AGENT`."""
    name, program, rules, state, copied = row
    return Agent(name, program, rules_from(json.loads(rules)), State(state), copied_from(json.loads(copied)))


def found(db, name):
    """Return an agent by name; raises `Unknown`."""
    row = one(db, f"SELECT {AGENT} FROM agents WHERE name = ?", name)
    if row is None:
        raise Unknown(f"there is no agent {name!r}")
    return agent(row)


def event(row):
    """Return the event of a row with the columns `EVENT`."""
    owner, id_, kind, body, about, due, posted, attempts, reason = row
    return Event(owner, id_, Kind(kind), body, about, due, posted, attempts, reason)


def post(db, event):
    """Post an event; return whether it is new. One to an agent that has ended is answered at once."""
    state = one(db, "SELECT state FROM agents WHERE name = ?", event.agent)
    if state is None:
        return False
    row = event.agent, event.id, event.kind, event.body, event.about, event.due, event.posted
    new = db.execute(
        "INSERT OR IGNORE INTO events (agent, id, kind, body, about, due, posted) VALUES (?, ?, ?, ?, ?, ?, ?)", row
    ).rowcount
    if new and state[0] == State.ENDED:
        answer(db, event, Reply(Answer.GONE, reason="the agent ended before"))
    return bool(new)


def answer(db, event, reply, turn=None, moment=None):
    """Note what became of an event."""
    db.execute(
        "UPDATE events SET answer = ?, status = ?, reply = ?, reason = ?, turn = ?, moment = ?"
        " WHERE agent = ? AND id = ?",
        (reply.answer, reply.status, reply.body, reply.reason, turn, moment, event.agent, event.id),
    )


def enter(db, name, entry):
    """Add an entry to the journal of an agent, and drop those that are too old."""
    (last,) = one(db, "SELECT coalesce(max(number), 0) FROM journal WHERE agent = ?", name)
    db.execute("INSERT INTO journal VALUES (?, ?, ?)", (name, last + 1, entry_packed(entry)))
    db.execute("DELETE FROM journal WHERE agent = ? AND number <= ?", (name, last + 1 - ENTRIES))


def take(db, name, turn):
    """Make a turn of an agent true."""
    answer(db, turn.event, turn.reply, turn.number, turn.moment)
    for wanted in turn.events:
        post(db, wanted)
    for id_, reply in turn.answers:
        late(db, name, id_, reply)
    for undone in turn.undone:
        where = "agent = ? AND id = ? AND kind = ? AND answer IS NULL"
        db.execute(f"DELETE FROM events WHERE {where}", (name, undone, Kind.TIMER))
    db.executemany(
        "INSERT INTO effects (agent, id, kind, body) VALUES (?, ?, ?, ?)",
        [(effect.agent, effect.id, effect.kind, effect.body) for effect in turn.effects],
    )
    kept = turn.checkpoint
    row = name, kept.turn, kept.whole, kept.block, kept.seal, did(turn)
    db.execute("INSERT INTO checkpoints VALUES (?, ?, ?, ?, ?, ?)", row)
    db.execute("UPDATE agents SET turns = ? WHERE name = ?", (turn.number, name))
    enter(db, name, turn.entry)
    if turn.ended:
        db.execute("UPDATE agents SET state = ? WHERE name = ?", (State.ENDED, name))
        end(db, name)


def late(db, name, id_, reply):
    """Answer an event that was handled in an earlier turn, if it has no answer yet."""
    db.execute(
        "UPDATE events SET answer = ?, status = ?, reply = ?, reason = ? WHERE agent = ? AND id = ? AND answer = ?",
        (reply.answer, reply.status, reply.body, reply.reason, name, id_, Answer.LATER),
    )


def end(db, name):
    """Answer whatever waits for an agent that has ended, and drop what it asked for."""
    db.execute(
        "UPDATE events SET answer = ?, reason = ? WHERE agent = ? AND (answer IS NULL OR answer = ?)",
        (Answer.GONE, "the agent ended before", name, Answer.LATER),
    )
    db.execute("DELETE FROM effects WHERE agent = ?", (name,))


def check(db, lease, turn):
    """Raise `Fenced` unless a lease is the newest one of an agent that may act, and the turn is its next."""
    row = one(db, "SELECT turns, token, state FROM agents WHERE name = ?", lease.agent.name)
    if row != (turn - 1, lease.token, State.RUNNING):
        raise Fenced(f"{lease.agent.name}: another runtime has it, or it was suspended or ended")


def tell(answer, outcome):
    """Tell a future what became of a request."""
    if not answer.done():
        answer.set_exception(outcome) if isinstance(outcome, Exception) else answer.set_result(outcome)


# ---- opening it


def locked(path):
    """Return a file that this process holds locked; raises `StoreUnavailable`."""
    file = path.open("a")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        file.close()
        raise StoreUnavailable(f"{path.parent} is in use by another process: stop it, or give another --dir") from None
    return file


def opened(path, schema):
    """Return a connection to a database that has the tables; raises `StoreDamaged`."""
    database = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    try:
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("PRAGMA synchronous = FULL")
        (version,) = database.execute("PRAGMA user_version").fetchone()
        if version == 0:
            database.executescript(f"BEGIN; {schema} PRAGMA user_version = {FORMAT}; COMMIT;")
        elif version != FORMAT:
            raise StoreDamaged(f"{path} has format {version}, this runtime has {FORMAT}: use the one that made it")
    except sqlite3.Error as error:
        database.close()
        raise damaged(path, error) from None
    return database


def damaged(path, error):
    """Return the exception for a database that cannot be read."""
    return StoreDamaged(f"{path}: {error}: put a copy of the folder in its place; `sqlite3 .recover` saves what it can")
