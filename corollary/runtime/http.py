"""How do people and programs talk to the runtime? Over HTTP: programs, agents, events and their replies.

    PUT  /agents/NAME                 {"program": SHA-256, "rules": {...}} makes an agent
    GET  /agents, /agents/NAME
    POST /agents/NAME/events          the body is the message; `Idempotency-Key` names it; `?wait=S` awaits the reply
    GET  /agents/NAME/events/ID       what became of it
    POST /agents/NAME/suspend|resume|kill
    GET  /agents/NAME/dead            the dead letters
    POST /agents/NAME/dead/ID/retry
    POST /programs                    the body is a module; the answer is its SHA-256
    GET  /metrics                     what Prometheus reads

Every refusal is JSON with `error`, which says what was wrong and what to do.
"""

import json
import math
import secrets
from collections.abc import Awaitable, Callable
from dataclasses import asdict, replace
from typing import Any

from aiohttp import web

from corollary.limits import LimitExceeded
from corollary.module import Refused
from corollary.outcome import Stopped, Unlinkable
from corollary.problem import Problem
from corollary.runtime.metrics import CONTENT_TYPE
from corollary.runtime.runtime import Runtime
from corollary.runtime.store import (
    Agent,
    Answer,
    Budget,
    Event,
    Reply,
    Rules,
    State,
    StoreDamaged,
    StoreUnavailable,
    Unknown,
)

PROGRAM, MESSAGE = 64 << 20, 10 << 20  # bytes, at most
LONGEST_WAIT = 300.0  # s
CLIENT = ":"  # begins the ids of events that came from here: no agent has it in its name, so none makes such ids
IDENTIFIER = 256  # characters of the id of an event, at most
DESCRIPTION = 1000  # characters of what an agent tells of itself, at most
STATES = {"suspend": State.SUSPENDED, "resume": State.RUNNING, "kill": State.ENDED}
STATUS = {
    Unknown: web.HTTPNotFound.status_code,
    StoreUnavailable: web.HTTPServiceUnavailable.status_code,
    StoreDamaged: web.HTTPInternalServerError.status_code,
    Refused: web.HTTPUnprocessableEntity.status_code,
    Unlinkable: web.HTTPUnprocessableEntity.status_code,
    LimitExceeded: web.HTTPUnprocessableEntity.status_code,
    Stopped: web.HTTPUnprocessableEntity.status_code,
    ValueError: web.HTTPBadRequest.status_code,
    TypeError: web.HTTPBadRequest.status_code,
}
ANSWERED = {Answer.DEAD: 422, Answer.GONE: 410, Answer.FAILED: 422}
Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


def application(runtime: Runtime) -> web.Application:
    """Return the application that serves a runtime."""
    app = web.Application(middlewares=[told], client_max_size=PROGRAM)
    pages = Pages(runtime)
    app.add_routes(
        [
            web.post("/programs", pages.keep),
            web.get("/metrics", pages.metrics),
            web.get("/agents", pages.agents),
            web.get("/agents/{name}", pages.agent),
            web.put("/agents/{name}", pages.create),
            web.post("/agents/{name}/events", pages.post),
            web.get("/agents/{name}/events/{id:.+}", pages.event),
            web.get("/agents/{name}/dead", pages.dead),
            web.post("/agents/{name}/dead/{id:.+}/retry", pages.retry),
            *(web.post(f"/agents/{{name}}/{verb}", pages.state(state)) for verb, state in STATES.items()),
        ]
    )
    return app


@web.middleware
async def told(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Answer every refusal in one form."""
    try:
        return await handler(request)
    except web.HTTPRequestEntityTooLarge:
        return refused(413, f"a request has {PROGRAM} bytes at most")
    except web.HTTPException as problem:
        return refused(problem.status, f"{request.method} {request.path}: {problem.reason}")
    except (Problem, ValueError, TypeError) as problem:
        status = next((status for kind, status in STATUS.items() if isinstance(problem, kind)), 500)
        return refused(status, str(problem))


def refused(status, reason):
    """Return the answer that refuses a request."""
    return web.json_response({"error": reason}, status=status)


class Pages:
    """What is answered under which address."""

    def __init__(self, runtime: Runtime):
        self.runtime, self.store = runtime, runtime.store

    async def keep(self, request):
        """Keep a program."""
        return web.json_response({"program": await self.store.keep(await request.read())}, status=201)

    async def metrics(self, request):
        """Show what the runtime counts and times."""
        return web.Response(body=self.runtime.metrics.text(), headers={"Content-Type": CONTENT_TYPE})

    async def agents(self, request):
        """List the agents."""
        return web.json_response([shown(agent) for agent in await self.store.agents()])

    async def agent(self, request):
        """Show an agent."""
        return web.json_response(shown(await self.store.agent(request.match_info["name"])))

    async def create(self, request):
        """Make an agent; making the same one again changes nothing."""
        given = await an_object(request)
        wanted = Agent(request.match_info["name"], text(given, "program"), rules_of(given.pop("rules", {})))
        if given:
            raise ValueError(f"an agent has no {', '.join(given)}: only `program` and `rules`")
        if await self.runtime.create(wanted):
            return web.json_response(shown(wanted), status=201)
        there = await self.store.agent(wanted.name)
        if replace(there, state=wanted.state) != wanted:
            return refused(409, f"{wanted.name} is there already, with another program or other rules")
        return web.json_response(shown(there))

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
            return web.json_response(shown(await self.runtime.set_state(request.match_info["name"], state)))

        return page

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


def shown(agent: Agent):
    """Return what JSON tells of an agent."""
    return {"name": agent.name, "program": agent.program, "state": agent.state.name, "rules": asdict(agent.rules)}


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
    if not isinstance(given, dict):
        raise ValueError("the body is a JSON object")
    return given


def text(given, name):
    """Take a text out of an object; raises `ValueError`."""
    found = given.pop(name, None)
    if not isinstance(found, str):
        raise ValueError(f"`{name}` is a text")
    return found


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
    if isinstance(default, float) and isinstance(value, int | float) and 0 < value < 1e6:
        return float(value)
    if isinstance(default, int) and isinstance(value, int) and 0 <= value < 1 << 40:
        return value
    raise ValueError(f"rule `{name}` is a number, such as {default}")
