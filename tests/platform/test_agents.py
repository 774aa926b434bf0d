"""Do agents run correctly in partitions of the kernel, and would a failure be noticed?"""

import copy
from collections import deque
from typing import Any

import pytest
from wasmtime import wat2wasm

from corollary import HostCall, Instance, Returned
from corollary.emulation import agents, ending, package, qemu
from corollary.emulation.machine import packed, start
from corollary.emulation.verdict import Transcript
from corollary.spec.kernel.limits import MESSAGES_PER_EDGE
from corollary.spec.kernel.vocabulary import Status

CHOSEN = agents.chosen((agents.ALL,))
PARTITION = {agent.name: p for p, agent in enumerate(CHOSEN, ending.FIRST)}


@pytest.fixture(scope="module")
def system():
    return package.with_agents(CHOSEN)


@pytest.fixture(scope="module")
def run(system):
    """Return one whole run of all agents."""
    outcome = Transcript(bytes(range(32)), ending.names(CHOSEN))
    for line in start(system, outcome.key, **agents.PACE):
        outcome.take(line)
    return outcome


@pytest.fixture(scope="module")
def log(run):
    """Return the content of that run's log."""
    return ending.Log(run.records)


def bad(run, log):
    """Return which agents did not behave as expected, and how."""
    return {(row.who, row.attempt) for row in ending.rows_of_agents(run, log, CHOSEN) if not row.good}


def test_every_row_of_the_verdict_is_as_expected(run, system):
    assert [row for row in ending.verdict(run, system, CHOSEN) if not row.good] == []


def test_every_agent_that_there_is_runs(run):
    assert {path.stem for path in agents.FOLDER.glob("*.c")} == set(agents.KNOWN) == set(PARTITION)
    assert set(PARTITION.values()) <= set(run.told)


class Here:
    """An agent on this machine, with the messages and notifications it received."""

    def __init__(self, agent):
        self.instance, self.inbox, self.bits, self.said = Instance(agent.module, host_calls=True), deque(), 0, []
        self.outcome: Any = self.instance.call("run")
        self.received = 0

    def answer(self, peer):
        """Do what the agent requests. Is another try worthwhile at once?"""
        status = getattr(self, self.outcome.name)(peer, *self.outcome.arguments)
        self.outcome = self.instance.resume(int(status))
        return status == Status.OK

    def send(self, peer, _handle, at, count, _schema):
        """Send a message while there is room."""
        if len(peer.inbox) == MESSAGES_PER_EDGE:
            return Status.WOULD_BLOCK
        peer.inbox.append(self.instance.export("memory").read(at, 8 * count))
        return Status.OK

    def recv(self, peer, _handle, at, _room, about):
        """Return the oldest message, if there is one."""
        if not self.inbox:
            return Status.WOULD_BLOCK
        data, memory = self.inbox.popleft(), self.instance.export("memory")
        memory.write(at, data)
        memory.write(about, packed(len(data) // 8, 0, self.received))
        self.received += 1
        return Status.OK

    def notify(self, peer, _handle, bits):
        """Notify the agent."""
        peer.bits |= bits
        return Status.OK

    def wait(self, peer, _handle, at):
        """Was the agent notified?"""
        self.instance.export("memory").write(at, packed(self.bits))
        return Status.OK if self.bits else Status.WOULD_BLOCK

    def print(self, peer, at, size):
        """Print a line."""
        self.said.append(self.instance.export("memory").read(at, size).decode())
        return Status.OK


def test_ping_and_pong_say_the_same_on_this_machine():
    pair = [Here(agents.KNOWN[name]) for name in ("ping", "pong")]
    while any(isinstance(agent.outcome, HostCall) for agent in pair):
        for agent, peer in (pair, reversed(pair)):
            while isinstance(agent.outcome, HostCall) and agent.answer(peer):
                pass
    for agent, name in zip(pair, ("ping", "pong")):
        assert (
            agent.outcome == Returned(agents.KNOWN[name].outcome[1:]) and tuple(agent.said) == agents.KNOWN[name].said
        )


def changed(run, name, word, line):
    """Return the same run except the last line of an agent's guest that begins with a given word."""
    other = copy.deepcopy(run)
    told = other.told[PARTITION[name]]
    place = max(number for number, found in enumerate(told) if found[0] == word)
    told[place : place + 1] = [[word, *line]] if line else []
    return other


@pytest.mark.parametrize(
    ("name", "word", "line", "what"),
    [
        ("ping", "agent", ["returned", "1", "0"], "its outcome"),
        ("pong", "said", ["out of order, lost or doubled: 1"], "its last words"),
        ("trapping", "agent", ["trapped", "1", "0"], "its outcome"),
        ("trapping", "agent", None, "its outcome"),
        ("denied", "denied", ["wait", "0", "7"], "wait that it may not"),
        ("denied", "denied", ["wait", "7", "6"], "wait that it may not"),
        ("denied", "denied", None, "wait that it may not"),
    ],
)
def test_other_words_of_a_guest_are_noticed(run, log, name, word, line, what):
    assert bad(run, log) == set()
    assert (name, what) in bad(changed(run, name, word, line), log)


@pytest.mark.parametrize(
    ("name", "operation", "status", "what"),
    [
        ("denied", "edge_send", Status.INVALID_HANDLE, ("denied", "send that it may not")),
        ("ping", "edge_send", Status.OK, ("ping", "messages to pong, by the log")),
        ("pong", "edge_receive", Status.OK, ("ping", "messages to pong, by the log")),
        ("trapping", "yield_now", Status.OK, ("trapping", "its calls that the log tells were refused")),
    ],
)
def test_a_log_that_tells_otherwise_is_noticed(run, log, name, operation, status, what):
    record = next(
        record
        for record in log.calls[PARTITION[name]]
        if (ending.name_of(record), record.status) == (operation, status)
    )
    record.status = Status.REVOKED
    noticed = bad(run, log)
    record.status = status
    assert what in noticed and bad(run, log) == set()


def test_an_agent_that_is_never_preempted_is_noticed(run, log):
    never = copy.copy(log)
    never.preempted = {}
    assert bad(run, never) == {("looping", "its outcome")}


def test_an_agent_that_holds_up_the_others_is_noticed(run, log):
    alone = copy.copy(log)
    p = PARTITION["looping"]
    alone.preempted = log.preempted | {p: log.preempted[p][:1]}
    assert bad(run, alone) == {("looping", "its outcome")}


def test_a_module_of_somebody_else_runs_and_is_denied_what_it_was_not_given(tmp_path):
    (tmp_path / "agent.wasm").write_bytes(agents.module("denied").read_bytes())
    (tmp_path / "asking.wasm").write_bytes(
        wat2wasm('(module (import "corollary" "send" (func)) (func (export "run") (result i32) (i32.const 7)))')
    )
    agent, asking = agents.chosen(["agent.wasm", "asking.wasm"], tmp_path)
    found = (
        agent,
        agents.Agent("broken", binary=b"\0asm"),
        asking,
        agents.Agent("silent", binary=wat2wasm("(module)")),
    )
    run = Transcript(bytes(range(32)), ending.names(found))
    system = package.with_agents(found, tmp_path)
    for line in start(system, run.key, **agents.PACE):
        run.take(line)
    assert [ending.outcome(run, ending.FIRST + number)[0] for number in range(len(found))] == [
        "returned",
        "refused",
        "unlinkable",
        "unsuitable",
    ]
    assert ending.spoken(ending.outcome(run, ending.FIRST + 3)).endswith("exports no function `run` of its own")
    rows = ending.verdict(run, system, found)
    assert {row.who for row in rows if not row.good} == {"broken", "asking", "silent"}
    assert sum(row.who == "agent" and row.witnessed == "record" for row in rows) == len(agents.KNOWN["denied"].denied)


@pytest.mark.parametrize(
    ("names", "problem"),
    [
        ((), "name some"),
        (("nobody",), "no agent"),
        (("ping",), "speaks to pong"),
        (("x/denied.wasm",), "no file"),
        ((str(agents.FOLDER / "ping.c"),), "no module that can run"),
        (sorted(map(str, agents.FOLDER.glob("*"))), "too many"),
    ],
)
def test_agents_that_cannot_run_are_refused(names, problem):
    with pytest.raises(agents.UnknownAgent, match=problem):
        agents.chosen(names)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("ping,pong", ["ping", "pong"]),
        ("ping  pong", ["ping", "pong"]),
        ("'my agent.wasm', ping", ["my agent.wasm", "ping"]),
        ("'a,b.wasm'", ["a,b.wasm"]),
        ("#.wasm", ["#.wasm"]),
        ("", []),
    ],
)
def test_names_are_told_apart(text, names):
    assert agents.listed(text) == names


def test_a_quotation_that_does_not_end_is_told():
    with pytest.raises(agents.UnknownAgent, match="No closing quotation"):
        agents.listed("'ping")


def test_two_agents_of_one_name_are_refused(tmp_path):
    (tmp_path / "ping.wasm").write_bytes(agents.module("ping").read_bytes())
    with pytest.raises(agents.UnknownAgent, match="each once"):
        agents.chosen(["ping.wasm", "ping", "pong"], tmp_path)


@pytest.mark.parametrize(
    ("binary", "problem"),
    [
        (b"", "no module that can run"),
        (b"\0asm", "no module that can run"),
        (wat2wasm("(module)"), "export a function `run`"),
    ],
)
def test_a_module_that_no_guest_could_run_is_refused_before_anything_boots(tmp_path, binary, problem):
    (tmp_path / "given.wasm").write_bytes(binary)
    with pytest.raises(agents.UnknownAgent, match=problem):
        agents.chosen(["given.wasm"], tmp_path)


def test_the_command_tells_which_agents_there_are(capsys):
    assert qemu.main(["--agents", "nobody"]) == 2
    said = capsys.readouterr().out
    assert all(name in said for name in agents.KNOWN)
