"""How do tests of the runtime's pages get a runtime, and agents that there is something to see of?"""

import json
import urllib.error
import urllib.request
from contextlib import contextmanager

from tests.runtime import scripts
from tests.runtime.crashes import Server
from tests.runtime.stores import wait_for_port

ENDLESS = "agent.on('message', () => { while (true); })"
FUEL = 5_000_000


@contextmanager
def serving(folder):
    """Run a runtime over a folder; yields where it is."""
    server = Server(folder, [])
    try:
        wait_for_port(server.port)
        yield server.url
    finally:
        server.kill()
        server.log.close()


def post(url, body, method="POST"):
    """Return what is answered."""
    try:
        with urllib.request.urlopen(urllib.request.Request(url, data=body, method=method)) as answer:
            return answer.read()
    except urllib.error.HTTPError as refusal:
        return refusal.read()


def begun(url, name, program, **rules):
    """Make an agent of a program, with some rules."""
    kept = json.loads(post(f"{url}/programs", program))
    post(f"{url}/agents/{name}", json.dumps(kept | {"rules": rules}).encode(), "PUT")


def never_ends(url, name):
    """Make an agent in JavaScript whose only turn fails: it never ends."""
    begun(url, name, scripts.program(ENDLESS), fuel=FUEL)
    post(f"{url}/agents/{name}/events?wait=5", b"x")
