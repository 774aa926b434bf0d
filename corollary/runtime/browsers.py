"""Which requests does a runtime take from browsers? No page from elsewhere may act for a user.

A browser sends what any page asks it to send. So a request that changes something must come from a page of the runtime,
or from no page at all. A page from elsewhere could also give its own name the address of the runtime, and then be taken
for it; so a runtime answers only to names that it knows to be its own, and to addresses.
"""

import socket
from collections.abc import Awaitable, Callable, Collection
from typing import Any

from aiohttp import web
from yarl import URL

from corollary.runtime.outside import is_address

HARMLESS = ("GET", "HEAD", "OPTIONS")
OWN = ("same-origin", "none")  # `Sec-Fetch-Site` of a page of the same server, and of what a user typed
Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class Foreign(web.HTTPForbidden):
    """A request came from a page of another server."""


class Misnamed(web.HTTPMisdirectedRequest):
    """A request was for a server of another name."""


def guard(names: Collection[str] = ()) -> Any:
    """Return a middleware that raises `Foreign` or `Misnamed`. `names` are more names under which a runtime answers."""
    known = {"localhost", socket.gethostname().lower(), *(name.lower() for name in names)}

    @web.middleware
    async def guarded(request: web.Request, handler: Handler) -> web.StreamResponse:
        """Let a request in, or refuse it."""
        if not is_own(request.host, known):
            raise Misnamed(reason="the runtime has another name: ask for its address, or give the name as --host")
        if request.method not in HARMLESS and is_foreign(request):
            raise Foreign(reason="it comes from a page of another server")
        return await handler(request)

    return guarded


def is_own(host: str, names: Collection[str]) -> bool:
    """Is the host of a request an address, or one of some names?"""
    try:
        name = (URL(f"http://{host}").host or "").lower()
    except ValueError:
        return False
    return name in names or is_address(name)


def is_foreign(request: web.Request) -> bool:
    """Does a request come from a page of another server?"""
    origin = request.headers.get("Origin")
    if request.headers.get("Sec-Fetch-Site", OWN[0]) not in OWN:
        return True
    return origin is not None and origin != f"{request.scheme}://{request.host}"
