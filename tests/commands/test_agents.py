"""Do the commands about agents do what they say, and tell what went wrong?"""

import http.server
import json
import threading
import urllib.request

import pytest
from typer.testing import CliRunner

from corollary.commands import cli
from corollary.commands.shapes import SHAPES, misfit
from tests.runtime.agents import PICKY, compiled
from tests.runtime.crashes import Server
from tests.runtime.stores import wait_for_port


@pytest.fixture(scope="module")
def url(tmp_path_factory):
    """Return where a runtime listens, with an agent `picky` of which one event is dead."""
    server = Server(tmp_path_factory.mktemp("runtime"), [])
    try:
        wait_for_port(server.port)
        program = post(f"{server.url}/programs", compiled(PICKY))
        post(f"{server.url}/agents/picky", json.dumps(program).encode(), method="PUT")
        yield server.url
    finally:
        server.kill()
        server.log.close()


def post(url, body, method="POST"):
    """Return what is answered as JSON."""
    with urllib.request.urlopen(urllib.request.Request(url, data=body, method=method)) as answer:
        return json.load(answer)


def corollary(*arguments, at, code=0):
    """Return what a command prints."""
    done = CliRunner().invoke(cli.app, [*arguments, "--at", at])
    assert done.exit_code == code, done.output
    return done.output if code else done.stdout


def told(*arguments, at):
    """Return the result of a command as JSON, once it has its shape."""
    found = json.loads(corollary(*arguments, "--json", at=at))
    assert misfit(SHAPES[arguments[0]], found) == ""
    return found


def test_an_agent_rises_if_its_trust_is_enough(url):
    program = post(f"{url}/programs", compiled(PICKY))
    wanted = json.dumps(program | {"rules": {"trust": 0.9}}).encode()
    assert post(f"{url}/agents/trusted", wanted, method="PUT")["ring"] == 2
    refusal = corollary("elevate", "trusted", "--ring", "1", at=url, code=1)
    assert "ring 1 needs an attestation" in refusal
    assert told("elevate", "trusted", "--ring", "1", "--attestation", "ticket", at=url)["ring"] == 1
    assert corollary("kill", "trusted", at=url).split()[:4] == ["trusted", "ENDED", "ring", "2"]


def test_an_agent_is_suspended_resumed_and_killed(url):
    assert corollary("ps", at=url).split()[:2] == ["picky", "RUNNING"]
    assert corollary("suspend", "picky", at=url).split()[1] == "SUSPENDED"
    post(f"{url}/agents/picky/events", b"one")
    (agent,) = [each for each in told("ps", at=url)["agents"] if each["name"] == "picky"]
    assert agent["state"] == "SUSPENDED"
    assert told("resume", "picky", at=url)["state"] == "RUNNING"
    assert told("dead", "picky", at=url) == {"events": []} and corollary("dead", "picky", at=url) == ""
    assert corollary("kill", "picky", at=url).split()[1] == "ENDED"
    assert told("resume", "picky", at=url)["state"] == "ENDED"


def test_the_journal_of_an_agent_is_shown(url):
    started, *others = told("logs", "picky", at=url)["entries"]
    assert (started["kind"], started["answer"]) == ("START", "DONE")
    assert "START start: DONE" in corollary("logs", "picky", at=url)
    assert len(corollary("logs", "picky", "--last", "1", at=url).splitlines()) == 1
    assert "nobody" in corollary("logs", "nobody", at=url, code=1)


def test_an_agent_is_copied_and_its_turns_are_done_again(url):
    copy = told("fork", "picky", "copy", "--turn", "1", at=url)
    assert (copy["name"], copy["state"], copy["copied"]) == ("copy", "SUSPENDED", [{"agent": "picky", "turn": 1}])
    assert "copy is there already" in corollary("fork", "picky", "copy", at=url, code=1)
    assert corollary("fork", "copy", "another", at=url).split()[:2] == ["another", "SUSPENDED"]
    assert "turn 1  same state  same effects" in corollary("replay", "picky", at=url)
    found = json.loads(corollary("replay", "picky", "--since", "0", "--json", at=url))
    assert misfit(SHAPES["replay AGENT"], found) == "" and found["same"] and found["turns"][0]["turn"] == 1
    assert "nobody" in corollary("replay", "nobody", at=url, code=1)


def test_a_turn_that_is_not_the_same_again_is_told(stranger):
    assert "turn 7  other state  same effects  a reason" in corollary("replay", "a", at=stranger, code=1)


def test_what_a_runtime_refuses_is_told(url):
    assert "nobody" in corollary("kill", "nobody", at=url, code=1)
    assert ":no" in corollary("dead", "picky", "--retry", ":no", at=url, code=1)
    assert "404" in corollary("suspend", "../x", at=url, code=1) or "../x" in corollary("kill", "../x", at=url, code=1)


@pytest.mark.parametrize("at", ["nonsense", "file:///etc/passwd", "http://[", "ftp://127.0.0.1:1"])
def test_what_is_no_address_is_refused(at):
    assert at in corollary("ps", at=at, code=2)


def test_where_nobody_listens_the_remedy_is_told():
    assert "corollary serve" in corollary("ps", at="http://127.0.0.1:1", code=1)


class Letters(http.server.BaseHTTPRequestHandler):
    """Answers as no runtime would."""

    def do_GET(self):
        letter = {"event": ":1", "kind": "MESSAGE", "attempts": 5, "reason": "\x1b[2Jtrap\n\x07", "body": ""}
        self.answer({"/agents": b"<html>", "/agents/a/dead": json.dumps([letter]).encode()}.get(self.path))

    def do_POST(self):
        turn = {"turn": 7, "state": False, "effects": True, "problem": "a reason"}
        self.answer({"/agents/a/replay": json.dumps([turn]).encode()}.get(self.path))

    def answer(self, body):
        self.send_response(500 if body is None else 200)
        self.end_headers()
        self.wfile.write(body or b"not JSON")

    def log_message(self, format, *args):
        """Say nothing."""


@pytest.fixture
def stranger():
    """Return where something else listens."""
    server = http.server.HTTPServer(("127.0.0.1", 0), Letters)
    threading.Thread(target=server.serve_forever).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def test_what_is_no_runtime_is_told(stranger):
    assert "not where a runtime listens" in corollary("ps", at=stranger, code=2)
    assert "500" in corollary("dead", "b", at=stranger, code=1)


def test_what_an_agent_said_does_not_reach_the_terminal_as_commands(stranger):
    shown = corollary("dead", "a", at=stranger)
    assert "trap" in shown and all(each.isprintable() for each in shown.rstrip("\n"))
