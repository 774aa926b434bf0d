"""What does a registry do? It keeps programs under names, for ever, and gives them to whoever asks.

    PUT  /names/NAME/VERSION          the body is the program; from then on the name means these bytes
    GET  /names/NAME/VERSION          {"urn": ..., "program": SHA-256, "size": bytes}
    GET  /names                       all of them
    GET  /programs/SHA-256            the program
    POST /composites                  the body is the canonical text of a composite, `Idempotency-Key` its SHA-256
    GET  /composites                  all of them, in the order in which they came
    GET  /composites/SHA-256          the text

The same under the same name again changes nothing, so whoever is not sure publishes again. Every refusal is JSON with
`error`.
"""

import asyncio
import logging
from pathlib import Path

from aiohttp import web

from corollary.runtime.composite import Composite, composite_in
from corollary.runtime.http import refused, told
from corollary.runtime.identity import Clearance, Passport, Policy, SecurityViolation, server_context, show, shown_id
from corollary.runtime.logs import begin
from corollary.runtime.serve import listen, until_told_to_end
from corollary.runtime.sqlite import Database, keep, one
from corollary.runtime.store import StoreDamaged, Unknown, digest_of
from corollary.runtime.urn import LARGEST, Urn, parsed

PATIENCE = 60.0  # s until all of what is published is there
RENEWAL = 600.0  # s after which the identity is looked for again
log = logging.getLogger("corollary.runtime")
PUBLISHER = Clearance.INTERNAL  # what whoever publishes must have, where there is a policy
NAMES = """
CREATE TABLE names (
    name TEXT NOT NULL, version TEXT NOT NULL, program TEXT NOT NULL, size INTEGER NOT NULL, PRIMARY KEY (name, version)
) WITHOUT ROWID;
CREATE TABLE composites (
    number INTEGER PRIMARY KEY AUTOINCREMENT, urn TEXT NOT NULL UNIQUE, digest TEXT NOT NULL UNIQUE, text BLOB NOT NULL
);
"""


class Shelf(Database):
    """The programs of a registry, and their names."""

    file, schema = "registry.sqlite", NAMES

    async def publish(self, urn: Urn, program: bytes) -> tuple[bool, str]:
        """Give a program a name, unless that has one already.

        Returns whether the name is new, and the SHA-256 in hexadecimal of the program that it means now.
        """

        def work(db):
            before = meaning(db, urn)
            if before is not None:
                return False, before
            digest = keep(db, program)
            db.execute("INSERT INTO names VALUES (?, ?, ?, ?)", (urn.name, urn.version, digest, len(program)))
            return True, digest

        return await self.ask(work)

    async def named(self, urn: Urn) -> tuple[str, int]:
        """Return the SHA-256 in hexadecimal and the bytes of the program that a name means; raises `Unknown`."""
        query = "SELECT program, size FROM names WHERE name = ? AND version = ?"
        row = await self.ask(lambda db: one(db, query, urn.name, urn.version))
        if row is None:
            raise Unknown(f"nothing was published as {urn}")
        return row

    async def names(self) -> list[tuple[Urn, str, int]]:
        """Return all names, each with the SHA-256 and the bytes of its program."""
        rows = await self.ask(lambda db: db.execute("SELECT * FROM names ORDER BY name, version").fetchall())
        return [(Urn(name, version), digest, size) for name, version, digest, size in rows]

    async def compose(self, composite: Composite) -> tuple[bool, str]:
        """Keep a composite under its name, unless that means something already.

        Returns whether the name is new, and the SHA-256 in hexadecimal of what it means now.
        """

        def work(db):
            before = meaning(db, composite.urn)
            if before is not None:
                return False, before
            row = str(composite.urn), composite.digest, composite.text
            db.execute("INSERT INTO composites (urn, digest, text) VALUES (?, ?, ?)", row)
            return True, composite.digest

        return await self.ask(work)

    async def composites(self) -> list[tuple[str, str]]:
        """Return the name and the SHA-256 of each composite, in the order in which they came."""
        query = "SELECT urn, digest FROM composites ORDER BY number"
        return await self.ask(lambda db: db.execute(query).fetchall())

    async def composite(self, digest: str) -> bytes:
        """Return the text of a composite; raises `Unknown`, and `StoreDamaged` when it is not as it came."""
        row = await self.ask(lambda db: one(db, "SELECT text FROM composites WHERE digest = ?", digest))
        if row is None:
            raise Unknown(f"there is no composite {digest}")
        if digest_of(row[0]) != digest:
            raise StoreDamaged(f"composite {digest} is not as it was published")
        return row[0]


def meaning(db, urn):
    """Return the SHA-256 of what a name means, a program or a composite, or None."""
    found = one(db, "SELECT program FROM names WHERE name = ? AND version = ?", urn.name, urn.version)
    found = found or one(db, "SELECT digest FROM composites WHERE urn = ?", str(urn))
    return found and found[0]


def application(shelf: Shelf, policy: Policy | None = None) -> web.Application:
    """Return the application that serves a registry; with a policy, it says who may publish."""
    app = web.Application(middlewares=[told], client_max_size=LARGEST)
    pages = Pages(shelf, policy)
    app.add_routes(
        [
            web.get("/names", pages.names),
            web.get("/names/{name}/{version}", pages.named),
            web.put("/names/{name}/{version}", pages.publish),
            web.get("/programs/{digest}", pages.program),
            web.get("/composites", pages.composites),
            web.post("/composites", pages.compose),
            web.get("/composites/{digest}", pages.composite),
        ]
    )
    return app


class Pages:
    """What is answered under which address."""

    def __init__(self, shelf: Shelf, policy: Policy | None):
        self.shelf, self.policy = shelf, policy

    async def names(self, request):
        """List the names."""
        return web.json_response([shown(*each) for each in await self.shelf.names()])

    async def named(self, request):
        """Show what a name means."""
        urn = urn_of(request)
        return web.json_response(shown(urn, *await self.shelf.named(urn)))

    async def publish(self, request):
        """Give a program a name."""
        self.check_publisher(request)
        urn, program = urn_of(request), await body_of(request)
        new, digest = await self.shelf.publish(urn, program)
        if digest != digest_of(program):
            return taken(digest)
        return web.json_response(shown(urn, digest, len(program)), status=201 if new else 200)

    async def compose(self, request):
        """Keep a composite."""
        self.check_publisher(request)
        composite = composite_in(await body_of(request))
        if request.headers.get("Idempotency-Key") != composite.digest:
            raise ValueError(f"the `Idempotency-Key` of this composite is {composite.digest}")
        new, digest = await self.shelf.compose(composite)
        if digest != composite.digest:
            return taken(digest)
        return web.json_response(told_of(str(composite.urn), digest), status=201 if new else 200)

    async def composites(self, request):
        """List the composites."""
        return web.json_response([told_of(*each) for each in await self.shelf.composites()])

    async def composite(self, request):
        """Give a composite."""
        text = await self.shelf.composite(request.match_info["digest"])
        return web.Response(body=text, content_type="application/json")

    def check_publisher(self, request):
        """Raise `SecurityViolation` unless who asks may publish; nothing of the body is read before."""
        if self.policy is not None:
            self.policy.check(shown_id(request.transport), PUBLISHER, "publishing")

    async def program(self, request):
        """Give a program."""
        program = await self.shelf.program(request.match_info["digest"])
        return web.Response(body=program, content_type="application/wasm")


async def body_of(request):
    """Return the body of a request, which has to be there in time."""
    try:
        async with asyncio.timeout(PATIENCE):
            return await request.read()
    except TimeoutError:
        raise web.HTTPRequestTimeout from None


def taken(digest):
    """Return the answer that a name is taken."""
    return refused(409, f"the name means {digest} already: take another version")


def told_of(urn, digest):
    """Return what JSON tells of a composite."""
    return {"urn": urn, "composite": digest}


def urn_of(request):
    """Return the name in the address of a request; raises `ValueError`."""
    return parsed(str(Urn(**request.match_info)))


def shown(urn, digest, size):
    """Return what JSON tells of a name."""
    return {"urn": str(urn), "program": digest, "size": size}


def serve(folder: Path, host: str, port: int, passport: Passport | None = None) -> None:
    """Serve the registry in a folder until SIGINT or SIGTERM.

    With a passport it talks to workloads of the same trust domain alone, and its policy says who may publish. Raises
    `StoreUnavailable`, `StoreDamaged` and `SecurityViolation`.
    """
    begin(as_json=False)
    asyncio.run(served(folder, host, port, passport))


async def served(folder, host, port, passport):
    """Serve until the process is told to end."""
    context = None if passport is None else server_context(passport.source())
    shelf = Shelf(folder)
    runner = web.AppRunner(application(shelf, passport and passport.policy))
    try:
        await runner.setup()
        await listen(runner, host, port, context)
        renewing = asyncio.create_task(renew(context, passport)) if context else None
        await until_told_to_end()
        if renewing:
            renewing.cancel()
    finally:
        await runner.cleanup()
        await shelf.close()


async def renew(context, passport):
    """Show the newest identity, for ever."""
    while True:
        await asyncio.sleep(RENEWAL)
        try:
            show(context, passport.source())
        except SecurityViolation as problem:
            log.error("the identity is not renewed: %s", problem)
