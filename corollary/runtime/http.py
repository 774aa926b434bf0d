"""How do people and programs talk to the runtime? Over HTTP: programs, agents, events and their replies.

    PUT  /agents/NAME                 {"program": SHA-256, "rules": {...}} makes an agent; {"urn": URN, ...} makes one
                                      of a program of the registry, which has the SHA-256 if that is given, too
    GET  /agents, /agents/NAME
    POST /agents/NAME/events          the body is the message; `Idempotency-Key` names it; `?wait=S` awaits the reply
    GET  /agents/NAME/events/ID       what became of it
    POST /agents/NAME/suspend|resume|kill
    POST /agents/NAME/elevate         {"ring": 1, "seconds": 300, "attestation": "...", "reason": "..."}: a better ring
    POST /agents/NAME/demote          ends that before its time
    POST /agents/NAME/trust           {"trust": 0.7, "consensus": false}: the ring follows from it
    GET  /agents/NAME/journal         what came of its last events: `?last=N` of them
    POST /agents/NAME/fork            {"name": NEW, "turn": N} makes a copy as the agent was then, or is without `turn`
    POST /agents/NAME/replay          does the turns that are kept, or those after `?since=N`, again in a copy
    GET  /agents/NAME/dead            the dead letters
    POST /agents/NAME/dead/ID/retry
    POST /programs                    the body is a module; the answer is its SHA-256
    GET  /metrics                     what Prometheus reads
    GET  /ui                          pages for people, as `ui.py` says

Every refusal is JSON with `error`, which says what was wrong and what to do; under `/ui` it is a page.
"""

import json
import math
import secrets
from collections.abc import Collection
from dataclasses import asdict
from typing import Any

from aiohttp import web

from corollary.governance import Refused as GovernanceRefused
from corollary.governance import Ring
from corollary.limits import LimitExceeded
from corollary.module import Refused
from corollary.outcome import Stopped, Unlinkable
from corollary.problem import Problem
from corollary.runtime.acquisition import Away, Registry, Unresolved
from corollary.runtime.browsers import Handler, guard
from corollary.runtime.identity import SecurityViolation
from corollary.runtime.metrics import CONTENT_TYPE
from corollary.runtime.runtime import Runtime
from corollary.runtime.store import (
    ENTRIES,
    Agent,
    Answer,
    Budget,
    Ended,
    Entry,
    Event,
    Fenced,
    Reply,
    Rules,
    StoreDamaged,
    StoreUnavailable,
    Taken,
    Unknown,
)
from corollary.runtime.ui import VERBS, Ui, refusal
from corollary.spec.ring import ELEVATION_DEFAULT, ELEVATION_LIMIT

PROGRAM, MESSAGE = 64 << 20, 10 << 20  # bytes, at most
LONGEST_WAIT = 300.0  # s
CLIENT = ":"  # begins the ids of events that came from here: no agent has it in its name, so none makes such ids
DIGITS = 16  # of a number in an address, at most
AGAIN = "AGAIN"  # the answer to an event that failed and is tried again
HIGHEST = {"trust": 1}  # of the rules that are numbers
IDENTIFIER = 256  # characters of the id of an event, at most
DESCRIPTION = 1000  # characters of what an agent tells of itself, at most
STATUS = {
    Unknown: web.HTTPNotFound.status_code,
    Taken: web.HTTPConflict.status_code,
    Ended: web.HTTPGone.status_code,
    Fenced: web.HTTPConflict.status_code,
    StoreUnavailable: web.HTTPServiceUnavailable.status_code,
    Away: web.HTTPServiceUnavailable.status_code,
    SecurityViolation: web.HTTPForbidden.status_code,
    Unresolved: web.HTTPBadGateway.status_code,
    StoreDamaged: web.HTTPInternalServerError.status_code,
    Refused: web.HTTPUnprocessableEntity.status_code,
    Unlinkable: web.HTTPUnprocessableEntity.status_code,
    LimitExceeded: web.HTTPUnprocessableEntity.status_code,
    Stopped: web.HTTPUnprocessableEntity.status_code,
    GovernanceRefused: web.HTTPForbidden.status_code,
    ValueError: web.HTTPBadRequest.status_code,
    TypeError: web.HTTPBadRequest.status_code,
}
ANSWERED = {Answer.DEAD: 422, Answer.GONE: 410, Answer.FAILED: 422}


def application(runtime: Runtime, names: Collection[str] = (), registry: Registry | None = None) -> web.Application:
    """Return the application that serves a runtime.

    `names` are names under which browsers may find it; `registry` has the programs that are named by URN.
    """
    app = web.Application(middlewares=[told, guard(names)], client_max_size=PROGRAM)
    pages = Pages(runtime, registry)
    app.add_routes(Ui(runtime).routes())
    app.add_routes(
        [
            web.post("/programs", pages.keep),
            web.get("/metrics", pages.metrics),
            web.get("/agents", pages.agents),
            web.get("/agents/{name}", pages.agent),
            web.put("/agents/{name}", pages.create),
            web.post("/agents/{name}/events", pages.post),
            web.get("/agents/{name}/events/{id:.+}", pages.event),
            web.post("/agents/{name}/elevate", pages.elevate),
            web.post("/agents/{name}/demote", pages.demote),
            web.post("/agents/{name}/trust", pages.trust),
            web.get("/agents/{name}/journal", pages.journal),
            web.post("/agents/{name}/fork", pages.fork),
            web.post("/agents/{name}/replay", pages.replay),
            web.get("/agents/{name}/dead", pages.dead),
            web.post("/agents/{name}/dead/{id:.+}/retry", pages.retry),
            *(web.post(f"/agents/{{name}}/{verb}", pages.state(state)) for verb, state in VERBS.items()),
        ]
    )
    return app


@web.middleware
async def told(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Answer every refusal in one form."""
    refuse = refusal if request.path == "/ui" or request.path.startswith("/ui/") else refused
    try:
        return await handler(request)
    except web.HTTPRequestEntityTooLarge:
        return refuse(413, f"a request has {request.client_max_size} bytes at most")
    except web.HTTPRedirection:
        raise
    except web.HTTPException as problem:
        return refuse(problem.status, f"{request.method} {request.path}: {problem.reason}")
    except web.RequestPayloadError as problem:
        return refuse(400, f"the body is not what its headers say: {problem}")
    except (Problem, ValueError, TypeError) as problem:
        status = next((status for kind, status in STATUS.items() if isinstance(problem, kind)), 500)
        return refuse(status, str(problem))


def refused(status, reason):
    """Return the answer that refuses a request."""
    return web.json_response({"error": reason}, status=status)


class Pages:
    """What is answered under which address."""

    def __init__(self, runtime: Runtime, registry: Registry | None):
        self.runtime, self.store, self.registry = runtime, runtime.store, registry

    def shown(self, agent: Agent) -> dict[str, Any]:
        """Return what JSON tells of an agent."""
        return shown(agent, self.runtime.warden.ring(agent))

    async def keep(self, request):
        """Keep a program."""
        return web.json_response({"program": await self.store.keep(await request.read())}, status=201)

    async def metrics(self, request):
        """Show what the runtime counts and times."""
        return web.Response(body=self.runtime.metrics.text(), headers={"Content-Type": CONTENT_TYPE})

    async def agents(self, request):
        """List the agents."""
        return web.json_response([self.shown(agent) for agent in await self.store.agents()])

    async def agent(self, request):
        """Show an agent."""
        return web.json_response(self.shown(await self.store.agent(request.match_info["name"])))

    async def create(self, request):
        """Make an agent; making the same one again changes nothing."""
        given = await an_object(request)
        rules, program, urn = rules_of(given.pop("rules", {})), a_text(given, "program"), a_text(given, "urn")
        if given:
            raise ValueError(f"an agent has no {', '.join(given)}: only `program`, `urn` and `rules`")
        wanted = Agent(request.match_info["name"], await self.program(program, urn), rules)
        if await self.runtime.create(wanted):
            return web.json_response(self.shown(wanted), status=201)
        there = await self.store.agent(wanted.name)
        other = [name for name, value in asdict(there.rules).items() if value != asdict(rules)[name]]
        other += ["program"] * (there.program != wanted.program)
        if other:
            return refused(409, f"{wanted.name} is there already, and differs in {', '.join(other)}")
        return web.json_response(self.shown(there))

    async def program(self, program, urn):
        """Return the SHA-256 of a program; one that has a URN is fetched and kept."""
        if urn is None and program is None:
            raise ValueError("an agent has a `program` or a `urn`")
        if urn is None:
            return program
        if self.registry is None:
            raise ValueError(f"{urn} needs a registry: start the runtime with --registry URL")
        return await self.store.keep(await self.registry.program(urn, program))

    async def post(self, request):
        """Post an event, and wait for the reply if that is asked for."""
        name, id_ = request.match_info["name"], request.headers.get("Idempotency-Key") or secrets.token_hex(16)
        if len(id_) > IDENTIFIER or not id_.isprintable():
            raise ValueError(f"an `Idempotency-Key` has {IDENTIFIER} printable characters at most")
        body = await request.read()
        if len(body) > MESSAGE:
            return refused(413, f"a message has {MESSAGE} bytes at most")
        wait = seconds(request.query.get("wait", "0"))
        await self.runtime.post(name, CLIENT + id_, body)
        return answered(id_, await self.runtime.reply(name, CLIENT + id_, wait))

    async def event(self, request):
        """Show what became of an event."""
        name, id_ = request.match_info["name"], request.match_info["id"]
        wait = seconds(request.query.get("wait", "0"))
        return answered(id_, await self.runtime.reply(name, CLIENT + id_, wait))

    def state(self, state):
        """Return the page that suspends, resumes or ends an agent."""

        async def page(request):
            return web.json_response(self.shown(await self.runtime.set_state(request.match_info["name"], state)))

        return page

    async def elevate(self, request):
        """Let an agent act in a better ring for a while."""
        given = await an_object(request)
        ring, length = given.pop("ring", None), given.pop("seconds", ELEVATION_DEFAULT)
        attestation, reason = a_text(given, "attestation") or "", a_text(given, "reason") or ""
        if given or not is_number(ring) or ring >= len(Ring):
            raise ValueError("an elevation has a `ring` of 0 to 3, and maybe `seconds`, `attestation` and `reason`")
        if isinstance(length, bool) or not isinstance(length, int | float) or not 0 < length <= ELEVATION_LIMIT:
            raise ValueError(f"`seconds` of an elevation is a number above 0, and {ELEVATION_LIMIT:g} at most")
        name = request.match_info["name"]
        return web.json_response(self.shown(await self.runtime.elevate(name, Ring(ring), length, attestation, reason)))

    async def demote(self, request):
        """End an elevation."""
        return web.json_response(self.shown(await self.runtime.demote(request.match_info["name"])))

    async def trust(self, request):
        """Set the trust in an agent."""
        given = await an_object(request)
        trust, consensus = given.pop("trust", None), given.pop("consensus", False)
        known = isinstance(trust, int | float) and not isinstance(trust, bool) and isinstance(consensus, bool)
        if given or not known:
            raise ValueError("what is set is `trust`, a number from 0 to 1, and maybe `consensus`, true or false")
        found = await self.runtime.set_trust(request.match_info["name"], trust, consensus)
        return web.json_response(self.shown(found))

    async def journal(self, request):
        """Show what came of the last events of an agent."""
        last = whole("last", request.query.get("last", str(ENTRIES)))
        found = await self.store.journal(request.match_info["name"])
        return web.json_response([entered(entry) for entry in found[max(0, len(found) - last) :]])

    async def fork(self, request):
        """Make a copy of an agent."""
        given = await an_object(request)
        new, turn = a_text(given, "name"), given.pop("turn", None)
        if given or new is None or turn is not None and not is_number(turn):
            raise ValueError("a copy has a `name`, and maybe a `turn`, which is a number")
        return web.json_response(self.shown(await self.runtime.fork(request.match_info["name"], new, turn)), status=201)

    async def replay(self, request):
        """Do turns again."""
        since = request.query.get("since")
        found = await self.runtime.replay(request.match_info["name"], None if since is None else whole("since", since))
        return web.json_response([asdict(each) for each in found])

    async def dead(self, request):
        """List the dead letters of an agent."""
        name = request.match_info["name"]
        await self.store.agent(name)
        return web.json_response([letter(event) for event in await self.store.dead(name)])

    async def retry(self, request):
        """Try a dead letter again."""
        name, id_ = request.match_info["name"], request.match_info["id"]
        if not await self.runtime.retry(name, id_):
            raise Unknown(f"{name} has no dead letter {id_!r}")
        return web.json_response({"event": id_})


def answered(id_, reply: Reply | None):
    """Return the answer to an event: its reply as bytes, or that it waits."""
    headers = {"Idempotency-Key": id_}
    if reply is None:
        return web.json_response({"event": id_}, status=202, headers=headers)
    if reply.answer is not Answer.DONE:
        return web.json_response({"error": reply.reason, "event": id_}, status=ANSWERED[reply.answer], headers=headers)
    headers["Corollary-Status"] = str(reply.status or 0)
    return web.Response(body=reply.body, headers=headers, content_type="application/octet-stream")


def shown(agent: Agent, ring: Ring):
    """Return what JSON tells of an agent that acts in a ring."""
    return {
        "name": agent.name,
        "program": agent.program,
        "state": agent.state.name,
        "ring": int(ring),
        "rules": asdict(agent.rules),
        "copied": [{"agent": name, "turn": turn} for name, turn in agent.copied],
    }


def entered(entry: Entry):
    """Return what JSON tells of an entry of a journal."""
    event = entry.event
    return {
        "turn": entry.turn,
        "moment": entry.moment,
        "event": event.id,
        "kind": event.kind.name,
        "about": event.about,
        "body": event.body.decode(errors="replace"),
        "attempts": event.attempts,
        "answer": AGAIN if entry.answer is None else entry.answer.name,
        "reason": entry.reason,
        "steps": [{"deed": step.deed.name, "text": step.text} for step in entry.steps],
    }


def letter(event: Event):
    """Return what JSON tells of a dead letter."""
    return {
        "event": event.id,
        "kind": event.kind.name,
        "attempts": event.attempts,
        "reason": event.reason,
        "body": event.body.decode(errors="replace"),
    }


async def an_object(request):
    """Return the JSON object of a request; raises `ValueError`."""
    try:
        given = json.loads(await request.read())
    except RecursionError:
        raise ValueError("the JSON is too deep") from None
    except ValueError as problem:
        raise ValueError(f"the body is a JSON object; it is no JSON: {problem}") from None
    if not isinstance(given, dict):
        raise ValueError("the body is a JSON object")
    return given


def a_text(given, name):
    """Take a text out of an object, or None if it is not there; raises `ValueError`."""
    found = given.pop(name, None)
    if not isinstance(found, str | None):
        raise ValueError(f"`{name}` is a text")
    return found


def is_number(given):
    """Is it a whole number from 0 on, with few digits?"""
    return isinstance(given, int) and not isinstance(given, bool) and 0 <= given < 10**DIGITS


def whole(name: str, given: str) -> int:
    """Return a whole number from 0 on; raises `ValueError`."""
    if not (given.isdecimal() and given.isascii() and len(given) < DIGITS):
        raise ValueError(f"`{name}` is a whole number, not {given!r}")
    return int(given)


def seconds(given: str) -> float:
    """Return how long to wait; raises `ValueError`."""
    try:
        wait = float(given)
    except ValueError:
        wait = math.nan
    if not 0 <= wait <= LONGEST_WAIT:
        raise ValueError(f"`wait` is a number of seconds from 0 to {LONGEST_WAIT:g}, not {given!r}")
    return wait


def rules_of(given) -> Rules:
    """Return rules that came as JSON; raises `ValueError` for what no rule can be."""
    return Rules(**some_of("`rules`", given, vars(Rules())))


def some_of(what, given, known) -> dict[str, Any]:
    """Return those rules that an object gives of the known ones; raises `ValueError`."""
    if not isinstance(given, dict) or not given.keys() <= known.keys():
        raise ValueError(f"{what} is an object with some of: {', '.join(known)}")
    return {name: rule(name, value, known[name]) for name, value in given.items()}


def budgets(value) -> dict[str, Budget]:
    """Return the budget of each tool; raises `ValueError`."""
    if not isinstance(value, dict) or not all(is_tool(name) for name in value):
        raise ValueError("rule `tools` is an object with a budget for each SERVER/TOOL")
    return {name: Budget(**some_of(f"the budget of {name}", given, vars(Budget()))) for name, given in value.items()}


def is_tool(name: str) -> bool:
    """Does a text name a tool of a server?"""
    server, slash, tool = name.partition("/")
    return bool(server and slash and tool)


def rule(name, value, default):
    """Return a rule that has the type of its default; raises `ValueError`."""
    if isinstance(default, dict):
        return budgets(value)
    if isinstance(default, str):
        if isinstance(value, str) and len(value) <= DESCRIPTION:
            return value
        raise ValueError(f"rule `{name}` is a text of {DESCRIPTION} characters at most")
    if isinstance(default, tuple):
        if isinstance(value, list) and all(isinstance(item, str) for item in value):
            return tuple(value)
        raise ValueError(f"rule `{name}` is a list of texts")
    if isinstance(default, bool) or isinstance(value, bool):
        if isinstance(value, bool) and isinstance(default, bool):
            return value
        raise ValueError(f"rule `{name}` is {'true or false' if isinstance(default, bool) else 'a number'}")
    broken, found = isinstance(default, float), repr(value)[:40]
    most = HIGHEST.get(name, 1e6 if broken else 1 << 40)
    if isinstance(value, int | float if broken else int) and 0 <= value <= most:
        return type(default)(value)
    raise ValueError(f"rule `{name}` is a {'' if broken else 'whole '}number from 0 to {most:.0f}, not {found}")
