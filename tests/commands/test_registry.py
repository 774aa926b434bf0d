"""Does a program get a name by one command, and an agent its program by that name, through real processes?"""

import hashlib
import json
import urllib.request

import pytest
from typer.testing import CliRunner

from corollary.commands import cli
from corollary.commands.shapes import SHAPES, misfit
from tests.commands.test_agents import post
from tests.runtime.agents import COUNTER, PICKY, compiled
from tests.runtime.crashes import Server
from tests.runtime.stores import wait_for_port

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
        with urllib.request.urlopen(f"{server.url}/agents/mine/events?wait=20", data=b"x") as reply:
            assert reply.read() == b"\1\0\0\0"
    finally:
        server.kill()
        server.log.close()


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
