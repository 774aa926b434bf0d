"""Does a program get a name by one command, and an agent its program by that name, through real processes?"""

import hashlib
import json
import urllib.request

import pytest
from typer.testing import CliRunner

from corollary.commands import cli
from corollary.commands.shapes import SHAPES, misfit
from corollary.runtime.composite import composite_of
from tests.commands.test_agents import post
from tests.runtime.agents import COUNTER, PICKY, compiled
from tests.runtime.crashes import Server
from tests.runtime.stores import soon, wait_for_port
from tests.runtime.test_publication import GIVEN, PUBLISHING, URN

NAME = "urn:corollary:counter:1.0"


@pytest.fixture(scope="module")
def registry(tmp_path_factory):
    """Run a registry."""
    server = Server(tmp_path_factory.mktemp("registry"), [], "registry")
    try:
        wait_for_port(server.port)
        yield server
    finally:
        server.kill()
        server.log.close()


@pytest.fixture
def program(tmp_path):
    """Return a file with a program."""
    (tmp_path / "agent.wasm").write_bytes(compiled(COUNTER))
    return tmp_path / "agent.wasm"


def publish(*arguments, code=0):
    """Return what the command prints."""
    done = CliRunner().invoke(cli.app, ["publish", *map(str, arguments)])
    assert done.exit_code == code, done.output
    return done.output if code else done.stdout


def test_an_agent_gets_its_program_by_the_name_that_it_was_published_under(tmp_path, registry, program):
    digest = hashlib.sha256(program.read_bytes()).hexdigest()
    assert publish(program, NAME, "--registry", registry.url) == f"{NAME} is {digest}\n"
    told = json.loads(publish(program, NAME, "--registry", registry.url, "--json"))
    assert told == {"urn": NAME, "program": digest} and misfit(SHAPES["publish"], told) == ""
    registry.kill()
    registry.start()
    wait_for_port(registry.port)
    (tmp_path / "data").mkdir()
    server = Server(tmp_path / "data", ["--registry", registry.url])
    try:
        wait_for_port(server.port)
        agent = post(f"{server.url}/agents/mine", json.dumps({"urn": NAME}).encode(), method="PUT")
        assert agent["program"] == digest
        with urllib.request.urlopen(f"{server.url}/agents/mine/events?wait=60", data=b"x") as reply:
            assert reply.read() == b"\1\0\0\0"
    finally:
        server.kill()
        server.log.close()


def test_what_an_agent_publishes_outlives_a_kill_while_the_registry_is_away(tmp_path, registry):
    registry.kill()
    (tmp_path / "data").mkdir()
    server = Server(tmp_path / "data", ["--registry", registry.url])
    try:
        wait_for_port(server.port)
        program = post(f"{server.url}/programs", compiled(PUBLISHING))
        wanted = {**program, "rules": {"publish": True, "trust": 1.0, "consensus": True}}
        post(f"{server.url}/agents/a", json.dumps(wanted).encode(), method="PUT")
        with urllib.request.urlopen(f"{server.url}/agents/a/events?wait=60", json.dumps(GIVEN).encode()) as reply:
            assert reply.status == 200
        server.kill()
        server.start()
        wait_for_port(server.port)
        registry.start()
        wait_for_port(registry.port)
        listed = soon(lambda: composites(registry), "the registry lists what the agent published")
        server.kill()
        server.start()
        wait_for_port(server.port)
        assert composites(registry) == listed == [{"urn": URN, "composite": composite_of(GIVEN).digest}]
    finally:
        server.kill()
        server.log.close()


def composites(registry):
    """Return what a registry lists."""
    with urllib.request.urlopen(f"{registry.url}/composites") as answer:
        return json.load(answer)


def test_what_cannot_be_published_is_told(tmp_path, registry, program):
    publish(program, NAME, "--registry", registry.url)
    (tmp_path / "other.wasm").write_bytes(compiled(PICKY))
    assert "take another version" in publish(tmp_path / "other.wasm", NAME, "--registry", registry.url, code=1)
    assert "urn:corollary:NAME:VERSION" in publish(program, "counter", "--registry", registry.url, code=2)
    assert "is not where a registry can be" in publish(program, NAME, "--registry", "nonsense", code=2)
    assert "127.0.0.1:1" in publish(program, NAME, "--registry", "http://127.0.0.1:1", code=1)


def test_a_runtime_does_not_start_with_a_registry_that_can_be_none(tmp_path):
    done = CliRunner().invoke(cli.app, ["serve", "--dir", str(tmp_path), "--registry", "file:///srv"])
    assert done.exit_code == 2 and "is not where a registry can be" in done.output


def test_with_identities_only_who_has_the_clearance_publishes(tmp_path, program):
    folder, policy = tmp_path / "identity", tmp_path / "policy.json"
    names = {name: f"spiffe://corollary.local/{name}" for name in ("registry", "publisher", "runtime")}
    told = {"clearances": {names["publisher"]: "INTERNAL", names["runtime"]: "INTERNAL"}}
    policy.write_text(json.dumps(told))
    for name in ("registry", "data"):
        (tmp_path / name).mkdir()
    shown = ["--identity", str(folder), "--policy", str(policy)]
    registry = Server(tmp_path / "registry", shown, "registry")
    try:
        wait_for_port(registry.port)
        url = f"https://127.0.0.1:{registry.port}"
        assert "certificate" in publish(program, NAME, "--registry", url, code=1)
        sink = {"id": names["registry"], "level": "INTERNAL"}
        policy.write_text(json.dumps({**told, "sinks": {f"127.0.0.1:{registry.port}": sink}}))
        digest = hashlib.sha256(program.read_bytes()).hexdigest()
        assert digest in publish(program, NAME, "--registry", url, *shown)
        server = Server(tmp_path / "data", ["--registry", url, *shown])
        try:
            wait_for_port(server.port)
            agent = post(f"{server.url}/agents/mine", json.dumps({"urn": NAME}).encode(), method="PUT")
            assert agent["program"] == digest
        finally:
            server.kill()
            server.log.close()
        policy.write_text(json.dumps({"sinks": {f"127.0.0.1:{registry.port}": sink}}))
        assert "needs clearance INTERNAL" in publish(program, NAME, "--registry", url, *shown, code=1)
    finally:
        registry.kill()
        registry.log.close()


def test_a_policy_without_an_identity_is_refused(tmp_path, program):
    (tmp_path / "policy.json").write_text("{}")
    assert "--identity" in publish(program, NAME, "--policy", tmp_path / "policy.json", code=2)
    assert "is no policy" in publish(program, NAME, "--identity", tmp_path, "--policy", tmp_path / "agent.wasm", code=1)
