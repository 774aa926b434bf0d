"""What does a person see of a runtime? Its agents, what each did and was denied and why, and its state after any turn.

    GET  /ui                                   the agents, `?after=NAME` in pages
    GET  /ui/agents/NAME                       one of them
    GET  /ui/agents/NAME/turns?turn=N          its state after a turn, its memory from `&at=ADDRESS` on
    GET  /ui/agents/NAME/failures?moment=T     its state when it failed at a moment
    POST /ui/agents/NAME/suspend|resume|kill, .../retry, .../fork, .../replay

Each page stands by itself: no script, and nothing from elsewhere. An agent is hostile, so whatever it said is escaped,
and what is no printable character is shown as one.
"""

import base64
import hashlib
from collections import Counter
from dataclasses import asdict
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from urllib.parse import quote

import jinja2
from aiohttp import web
from markupsafe import Markup

from corollary.runtime.past import Scene, known
from corollary.runtime.runtime import Runtime
from corollary.runtime.state import PAGE
from corollary.runtime.store import Agent, State, Unknown

TEMPLATES = Path(__file__).parent / "templates"
STYLE = (TEMPLATES / "style.css").read_text()
AT_ONCE = 200  # agents of a page
ROW, WINDOW = 16, 1024  # bytes of a line of memory, and of all lines
CHANGED = 64  # changed pages that are named
LONGEST = 4096  # characters of a text
TONES = {State.RUNNING: "good", State.SUSPENDED: "soft", State.ENDED: "bad"}
VERBS = {"suspend": State.SUSPENDED, "resume": State.RUNNING, "kill": State.ENDED}
HASHED = base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()
HEADERS = {
    "Content-Security-Policy": f"default-src 'none'; style-src 'sha256-{HASHED}'; form-action 'self'; "
    "frame-ancestors 'none'; base-uri 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cache-Control": "no-store",
}


def plain(text: object) -> str:
    """Return a text in which every character can be seen, and nothing turns around what stands beside it."""
    return "".join(each if each.isprintable() or each == "\n" else "\ufffd" for each in str(text)[:LONGEST])


def page_of(name: str) -> str:
    """Return the address of the page of an agent."""
    return f"/ui/agents/{quote(name, safe='')}"


def time_of(moment: int) -> str:
    """Return a moment, in nanoseconds since 1970, as people write it."""
    return datetime.fromtimestamp(moment / 1e9, UTC).strftime("%Y-%m-%d %H:%M:%S.%f UTC")


ENVIRONMENT = jinja2.Environment(
    loader=jinja2.FileSystemLoader(TEMPLATES),
    autoescape=True,
    trim_blocks=True,
    lstrip_blocks=True,
    undefined=jinja2.StrictUndefined,
)
ENVIRONMENT.filters |= {
    "plain": plain,
    "decoded": lambda data: plain(data.decode(errors="replace")),
    "page": page_of,
    "time": time_of,
    "tone": TONES.__getitem__,
}
ENVIRONMENT.globals |= {"style": Markup(STYLE)}


def shown(template: str, status: int = 200, **values) -> web.Response:
    """Return a page."""
    text = ENVIRONMENT.get_template(f"{template}.html.j2").render(**values)
    return web.Response(text=text, status=status, content_type="text/html", headers=HEADERS)


def refusal(status: int, reason: str) -> web.Response:
    """Return the page that says why something is refused."""
    return shown("refused", status, reason=reason)


class Ui:
    """The pages of a runtime."""

    def __init__(self, runtime: Runtime):
        self.runtime, self.store = runtime, runtime.store

    def routes(self) -> list[web.RouteDef]:
        """Return what is answered under which address."""
        one = "/ui/agents/{name}"
        return [
            web.get("/ui", self.agents),
            web.get(one, self.agent),
            web.get(f"{one}/turns", self.turn),
            web.get(f"{one}/failures", self.failure),
            web.post(f"{one}/fork", self.fork),
            web.post(f"{one}/replay", self.replay),
            web.post(f"{one}/retry", self.retry),
            web.post(f"{one}/{{verb:{'|'.join(VERBS)}}}", self.state),
        ]

    async def agents(self, request):
        """List the agents."""
        found, after = await self.store.agents(), request.query.get("after", "")
        listed = list(islice((agent for agent in found if agent.name > after), AT_ONCE + 1))
        counts = Counter(agent.state.name for agent in found)
        rings = {agent.name: self.runtime.warden.ring(agent) for agent in listed}
        return shown("agents", agents=listed[:AT_ONCE], more=len(listed) > AT_ONCE, counts=counts, rings=rings)

    async def agent(self, request):
        """Show an agent."""
        name = request.match_info["name"]
        agent = await self.store.agent(name)
        return shown(
            "agent",
            agent=agent,
            ring=self.runtime.warden.ring(agent),
            governed=self.runtime.warden.told(agent),
            rules=asdict(agent.rules),
            turns=known(agent, await self.store.kept(name)),
            dead=await self.store.dead(name),
            journal=reversed(await self.store.journal(name)),
        )

    async def turn(self, request):
        """Show the state of an agent after a turn."""
        name, turn = request.match_info["name"], number(request, "turn")
        scene = await self.runtime.scene_after(name, turn)
        turns = known(await self.store.agent(name), await self.store.kept(name))
        return self.scene(request, scene, ("turn", turn), title=f"after turn {turn}", turn=turn, turns=turns)

    async def failure(self, request):
        """Show the state of an agent when it failed."""
        moment = number(request, "moment")
        scene = await self.runtime.scene_of(request.match_info["name"], moment)
        return self.scene(request, scene, ("moment", moment), title="when it failed", turn=None, turns=())

    def scene(self, request, scene: Scene, place: tuple[str, int], **values):
        """Show a scene, with a part of its memory."""
        name = request.match_info["name"]
        at = min(number(request, "at", "0"), max(0, len(scene.memory) - 1)) // ROW * ROW
        here = f"{request.path}?{place[0]}={place[1]}"
        part = scene.memory[at : at + WINDOW]
        return shown(
            "scene",
            name=name,
            scene=scene,
            place=place,
            here=here,
            at=at,
            window=WINDOW,
            page_size=PAGE,
            shown=CHANGED,
            lines=[line(at + first, part[first : first + ROW]) for first in range(0, len(part), ROW)],
            **values,
        )

    async def state(self, request):
        """Suspend, resume or end an agent."""
        name = request.match_info["name"]
        await self.runtime.set_state(name, VERBS[request.match_info["verb"]])
        raise web.HTTPSeeOther(page_of(name))

    async def fork(self, request):
        """Make a copy of an agent, and go to it."""
        form = await request.post()
        copy: Agent = await self.runtime.fork(
            request.match_info["name"], str(form.get("name")), whole(form.get("turn"))
        )
        raise web.HTTPSeeOther(page_of(copy.name))

    async def retry(self, request):
        """Try a dead letter again."""
        name, event = request.match_info["name"], str((await request.post()).get("event"))
        if not await self.runtime.retry(name, event):
            raise Unknown(f"{name} has no dead letter {event!r}")
        raise web.HTTPSeeOther(page_of(name))

    async def replay(self, request):
        """Do the turns of an agent again."""
        name = request.match_info["name"]
        return shown("replay", name=name, found=await self.runtime.replay(name))


def line(at: int, data: bytes) -> str:
    """Return a line of memory: its address, its bytes, and those that are printable characters."""
    text = "".join(chr(byte) if 0x20 <= byte < 0x7F else "." for byte in data)
    return f"{at:08x}  {data.hex(' '):{3 * ROW}} {text}"


def number(request, name, default=""):
    """Return a number that an address gives; raises `ValueError`."""
    return whole(request.query.get(name, default))


def whole(given) -> int:
    """Return a whole number from 0 on, written in either way; raises `ValueError`."""
    found = int(str(given)[:32], 0)
    if not 0 <= found < 1 << 63:
        raise ValueError(f"{found} is no number of anything here")
    return found
