"""How does a runtime get a program by its name? A registry says what the name means, and the bytes are checked.

They come as a stream that is left as soon as it is too long, or takes too long. They are never read from a file, and
they are a program only if their SHA-256 is what the registry said, and what whoever asked expects.
"""

import asyncio
import json
from contextlib import asynccontextmanager
from typing import Any

import aiohttp
from yarl import URL

from corollary.problem import Problem
from corollary.runtime.composite import Composite
from corollary.runtime.identity import Passport, SecurityViolation
from corollary.runtime.outside import Refusal, address, client, limited, why
from corollary.runtime.store import Rules, digest_of
from corollary.runtime.urn import LARGEST, parsed

PATIENCE = 30.0  # s until a program is there, or published
REDIRECTS = 5  # that are followed for one program, at most
DESCRIPTION = 1 << 16  # bytes of what a registry says about a name, or about what it refuses, at most
SECURE = ("https",)
SCHEMES = ("http", "https")


class Unresolved(Problem):
    """A registry did not give a program, or did not take one; the message says why."""


class Away(Unresolved):
    """No registry answers, or not in time. It may do so later."""


class Registry:
    """The registry at an address, which begins with http:// or https://; raises `ValueError` for any other.

    It may have a private address, but may not send anybody to one. All of a request takes `patience` seconds at most.
    It is checked by the authorities of the system, or shows an identity and is shown `passport` if its place is a sink
    of the policy. What does not fit is a `SecurityViolation`, whatever is asked.
    """

    def __init__(self, url: str, patience: float = PATIENCE, passport: Passport | None = None):
        try:
            self.url, self.patience, self.passport = URL(url.rstrip("/")), patience, passport
            self.rules = Rules(hosts=(place(self.url),), private=True)
            address(self.rules, {"url": url}, SCHEMES)
        except (Refusal, ValueError) as problem:
            raise ValueError(f"{url} is not where a registry can be: {problem}") from None

    async def program(self, name: str, expected: str | None = None) -> bytes:
        """Return the program that a URN names.

        Raises `ValueError` for what is no URN, and `Unresolved` when there is no such program, when it is too large, or
        when it has another SHA-256 (in hexadecimal) than the registry says or than is expected.
        """
        urn = parsed(name)
        async with self.in_time(str(urn)):
            digest = await self.meaning(urn)
            if expected not in (None, digest):
                raise Unresolved(f"it means {digest}, and {expected} is expected: leave it")
            program = await self.fetched(self.url / "programs" / digest)
            if digest_of(program) != digest:
                raise Unresolved(f"it should have the SHA-256 {digest}, and what came has {digest_of(program)}")
            return program

    async def publish(self, name: str, program: bytes) -> str:
        """Let a URN name a program for ever, and return its SHA-256 in hexadecimal. It may be done again.

        Raises `ValueError` for what is no URN, and `Unresolved` when the registry refuses it.
        """
        urn = parsed(name)
        async with self.in_time(str(urn)), client(self.rules) as session:
            trust = self.trust()
            async with session.put(self.about(urn), data=program, ssl=trust, allow_redirects=False) as response:
                return digest_in(await described(response))

    async def announce(self, composite: Composite) -> None:
        """Publish a composite. It may be done again: its hash is the idempotency key. Raises `Unresolved`."""
        async with self.in_time(str(composite.urn)), client(self.rules) as session:
            headers, trust = {"Idempotency-Key": composite.digest}, self.trust()
            request = session.post(
                self.url / "composites", data=composite.text, headers=headers, ssl=trust, allow_redirects=False
            )
            async with request as response:
                found = (await described(response)).get("composite")
            if found != composite.digest:
                raise Unresolved(f"it has the SHA-256 {composite.digest}, and the registry tells {found!r}")

    async def meaning(self, urn):
        """Return the SHA-256 of the program that a name means. The registry itself has to say so."""
        async with client(self.rules) as session:
            async with session.get(self.about(urn), ssl=self.trust(), allow_redirects=False) as response:
                return digest_in(await described(response))

    async def fetched(self, url):
        """Return the bytes at an address, or where that leads; raises `Unresolved` and `Refusal`."""
        for _ in range(1 + REDIRECTS):
            rules, trust = self.bounds(url)
            url = address(rules, {"url": str(url)}, SECURE if self.url.scheme in SECURE else SCHEMES)
            async with client(rules, decompress=False) as session:
                headers = {"Accept-Encoding": "identity"}
                async with session.get(url, headers=headers, ssl=trust, allow_redirects=False) as response:
                    if not 300 <= response.status < 400:
                        check_answer(response)
                        return await bounded(response, LARGEST)
                    url = url.join(URL(response.headers.get("Location", "")))
        raise Unresolved(f"{self.url} leads on more than {REDIRECTS} times")

    def bounds(self, url):
        """Return the rules and the trust for an address: the registry is as it was given, all others are public."""
        if (url.scheme, place(url)) == (self.url.scheme, place(self.url)):
            return self.rules, self.trust()
        return Rules(hosts=("*",)), True

    def trust(self) -> Any:
        """Return how the registry is checked; raises `SecurityViolation`."""
        return (self.passport and self.passport.context(self.url)) or True

    def about(self, urn):
        """Return the address of a name."""
        return self.url / "names" / urn.name / urn.version

    @asynccontextmanager
    async def in_time(self, what):
        """Give up after the time for all of a request, and say of each problem what it is about."""
        try:
            async with asyncio.timeout(self.patience):
                yield
        except TimeoutError:
            raise Away(f"{what}: {self.url} did not answer within {self.patience:g} s") from None
        except Unresolved as problem:
            raise type(problem)(f"{what}: {problem}") from None
        except aiohttp.ClientSSLError as problem:
            raise SecurityViolation(f"{what}: {self.url}: {why(problem)}") from None
        except (aiohttp.ClientConnectionError, aiohttp.ClientPayloadError, OSError) as problem:
            raise Away(f"{what}: {self.url}: {why(problem)}") from None
        except (Refusal, aiohttp.ClientError, ValueError) as problem:
            raise Unresolved(f"{what}: {self.url}: {why(problem)}") from None


def place(url):
    """Return host and port of an address."""
    return f"{url.host}:{url.port}"


def check_answer(response):
    """Raise `Away` when a registry has a problem of its own, and `Unresolved` for any other answer but a good one."""
    if response.status not in (200, 201):
        kind = Away if response.status >= 500 else Unresolved
        raise kind(f"{response.url} answers {response.status} {response.reason}")


async def bounded(response, most):
    """Return the body of an answer; raises `Refusal` when it is, or says it is, too large."""
    if (response.content_length or 0) > most:
        raise Refusal(f"the response has {response.content_length} bytes, more than {most}")
    return await limited(response.content, most)


async def described(response) -> dict:
    """Return the JSON object of an answer; raises `Unresolved` for a refusal, with the reason."""
    body = await bounded(response, DESCRIPTION)
    try:
        found = json.loads(body)
    except (ValueError, RecursionError):
        found = None
    if isinstance(found, dict) and isinstance(found.get("error"), str) and 400 <= response.status < 500:
        raise Unresolved(found["error"])
    check_answer(response)
    if not isinstance(found, dict):
        raise Unresolved(f"{response.url} answers no JSON object: it is no registry")
    return found


def digest_in(found):
    """Return the SHA-256 that a registry says; raises `Unresolved`."""
    digest = found.get("program")
    if not isinstance(digest, str) or len(digest) != 64 or set(digest) - set("0123456789abcdef"):
        raise Unresolved("the registry tells no SHA-256: it is no registry")
    return digest
