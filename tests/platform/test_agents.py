"""Do agents run correctly in partitions of the kernel, and would a failure be noticed?"""

import copy
from collections import deque
from dataclasses import replace
from typing import Any

import pytest
from wasmtime import wat2wasm

from corollary import HostCall, Instance, Returned
from corollary.emulation import agents, ending, package, qemu
from corollary.emulation.machine import packed, start
from corollary.emulation.verdict import Transcript
from corollary.snapshot import KEY
from corollary.spec import host
from corollary.spec.kernel.limits import CHILDREN, MESSAGES_PER_EDGE
from corollary.spec.kernel.vocabulary import Status
from corollary.spec.wasm.traps import Trap

BOOTS = agents.boots(agents.chosen((agents.ALL,)))
CHOSEN, *OTHERS = (boot for boot in BOOTS if not agents.is_managed(boot) and not agents.stores(boot))
"""The boots without a manager, of which test_mending.py has some, and without a librarian, as in test_lending.py."""
PARTITION = {agent.name: p for p, agent in enumerate(CHOSEN, ending.FIRST)}


@pytest.fixture(scope="module")
def system():
    return package.with_agents(CHOSEN)


def whole(system, together):
    """Return one whole run of some agents."""
    outcome = Transcript(bytes(range(32)), ending.names(together))
    for line in start(system, outcome.key, **agents.PACE):
        outcome.take(line)
    return outcome


@pytest.fixture(scope="module")
def run(system):
    """Return one whole run of the agents of the first boot."""
    return whole(system, CHOSEN)


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
    together = [agent for boot in BOOTS for agent in boot]
    programs = {agent.program or agent.name for agent in (*together, *agents.LASTING)}  # test_warm.py has the last ones
    assert {path.stem for path in agents.FOLDER.glob("*.c")} == programs
    assert sorted(agent.name for agent in together) == sorted(agents.KNOWN)
    assert set(PARTITION.values()) <= set(run.told)


class Booted:
    """A boot of some agents: what was booted, what it told, and the log."""

    def __init__(self, together, folder):
        self.together, self.system = together, package.with_agents(together, folder)
        self.run = whole(self.system, together)
        self.log = ending.Log(self.run.records)

    def bad(self):
        """Return which agents did not behave as expected, and how."""
        rows = ending.rows_of_agents(self.run, self.log, self.together)
        return {(row.who, row.attempt) for row in rows if not row.good}

    def outcome(self, name):
        """Return how an agent ended."""
        return ending.outcome(self.run, self.partition(name))

    def partition(self, name):
        """Return the partition of an agent."""
        return ending.FIRST + [agent.name for agent in self.together].index(name)


@pytest.fixture(scope="module")
def booted(tmp_path_factory):
    """Return the boots after the first one, each made when it is asked for, by the name of an agent in it."""
    made = {}

    def boot_of(name):
        together = next(together for together in OTHERS if name in [agent.name for agent in together])
        if together not in made:
            made[together] = Booted(together, tmp_path_factory.mktemp("boot"))
        return made[together]

    return boot_of


@pytest.mark.parametrize("together", OTHERS, ids=lambda together: together[-1].name)
def test_every_row_of_the_other_boots_is_as_expected(booted, together):
    found = booted(together[0].name)
    assert [row for row in ending.verdict(found.run, found.system, together) if not row.good] == []


@pytest.mark.parametrize(
    ("name", "operation", "what"),
    [
        ("sink", "edge_receive", "edge_receive, by the log"),
        ("answerer", "page_share", "page_share, by the log"),
        ("parent", "capability_grant", "capability_grant, by the log"),
        ("hoarder", "agent_spawn", "agent_spawn, by the log"),
        ("sleeper", "agent_change", "agent_change, by the log"),
    ],
)
def test_a_call_that_the_log_does_not_tell_is_noticed(booted, name, operation, what):
    found = booted(name)
    calls = found.log.calls[found.partition(name)]
    place = next(n for n, each in enumerate(calls) if (ending.name_of(each), each.status) == (operation, Status.OK))
    record = calls.pop(place)
    noticed = found.bad()
    calls.insert(place, record)
    assert (name, what) in noticed and found.bad() == set()


def test_what_a_parent_passes_on_is_all_that_its_child_has(booted):
    found = booted("parent")
    parent, child = found.partition("parent"), found.partition("child")
    used = {(ending.name_of(record), record.status) for record in found.log.calls[child]}
    assert ("edge_send", Status.OK) in used and ("edge_receive", Status.INSUFFICIENT_RIGHTS) in used
    assert [
        record.status
        for record in found.log.calls[parent]
        if ending.name_of(record) == "capability_grant" and record.status != Status.OK
    ] == [Status.INSUFFICIENT_RIGHTS]


def test_a_quota_ends_where_the_kernel_says(booted):
    found = booted("hoarder")
    told = [(ending.name_of(record), record.status) for record in found.log.calls[found.partition("hoarder")]]
    assert told.count(("agent_create", Status.OK)) == CHILDREN
    assert told.count(("agent_create", Status.SPAWN_LIMIT)) == CHILDREN
    assert told.count(("yield_now", Status.RATE_LIMITED)) == 1
    assert told.index(("yield_now", Status.OK)) < told.index(("yield_now", Status.RATE_LIMITED))


# ---- hibernation


def asleep(said):
    """Return the sleeper on this machine where it waits for its answer to `hibernate`; its output goes into a list."""
    instance = Instance(agents.KNOWN["sleeper"].module, host_calls=True)
    return instance, spoken_until(instance, instance.call("run"), said, "hibernate")


def spoken_until(instance, outcome, said, name=None):
    """Answer calls of an agent with OK, and keep what it prints, until it calls a function or ends."""
    while isinstance(outcome, HostCall) and outcome.name != name:
        if outcome.name == "print":
            said.append(instance.export("memory").read(*outcome.arguments).decode())
        outcome = instance.resume(int(Status.OK))
    return outcome


def test_an_agent_that_hibernates_leaves_what_it_would_leave_here_and_says_what_it_would_have_said(booted, tmp_path):
    found, said = booted("sleeper"), []
    sleeper = next(agent for agent in ending.resumed(found.run, found.together) if agent.name == "sleeper")
    instance, outcome = asleep(said)
    assert isinstance(outcome, HostCall) and sleeper.snapshot == instance.snapshot(bytes(KEY))
    assert spoken_until(instance, instance.resume(int(Status.OK)), said) == Returned((0,))
    again = Booted((sleeper,), tmp_path)
    assert again.outcome("sleeper") == ("returned", 0)
    heard = ["|".join(line) for each in (found, again) for line in each.run.lines(each.partition("sleeper"), "said")]
    assert heard == said and again.bad() == set()


def test_an_agent_that_cannot_hibernate_goes_on_with_the_status(tmp_path):
    awake = replace(agents.KNOWN["sleeper"], own=0)
    found = Booted((awake,), tmp_path)
    assert found.outcome("sleeper") == ("returned", 0)
    assert [f"answer to hibernate: {Status.INVALID_HANDLE:d}"] in found.run.lines(ending.FIRST, "said")


# ---- wrong imports, and numbers that mean nothing


def calling(function, parameters, arguments):
    """Return a module that imports a function with these types, and calls it."""
    declared = " ".join(f"(param {type_})" for type_ in parameters)
    given = " ".join(f"({type_}.const {value})" for type_, value in zip(parameters, arguments, strict=True))
    return bytes(
        wat2wasm(f"""(module (import "{host.MODULE}" "{function}" (func $called {declared} (result i32)))
      (memory (export "memory") 1)
      (func (export "run") (result i32) (call $called {given})))""")
    )


def wasm_of(function):
    """Return the types of the parameters of a function."""
    return [kind.wasm for kind in function.parameters.values()]


def wrongly_imported():
    """Yield modules that import each function with a type that is wrong, or one that there is not."""
    for function in host.FUNCTIONS:
        types = wasm_of(function)
        wrong = [*types, "i32"]
        yield function.name, calling(function.name, wrong, [0] * len(wrong))
    yield "nobody", calling("nobody", [], [])


def ends(modules, folder):
    """Return how modules end, by name, in as many boots as they need."""
    found = {}
    made = tuple(agents.Agent(name, binary=binary) for name, binary in modules)
    for number, together in enumerate(agents.boots(made)):
        boot = Booted(together, folder / str(number))
        found |= {agent.name: boot.outcome(agent.name) for agent in together}
    return found


def test_a_module_that_imports_what_there_is_not_is_refused_as_unlinkable(tmp_path):
    modules = list(wrongly_imported())
    assert ends(modules, tmp_path) == {name: ("unlinkable", 0) for name, _ in modules}


def astray():
    """Yield modules that pass each address so that a byte lies outside, while the other arguments are harmless."""
    for function in host.FUNCTIONS:
        for place, (name, kind) in enumerate(function.parameters.items()):
            if kind.wit == "address":
                arguments = [
                    (1 << 16) if other == place else 1 if of in ("count", "size", "room") else 0
                    for other, of in enumerate(function.parameters)
                ]
                yield f"{function.name}-{name}", calling(function.name, wasm_of(function), arguments)
        for place, name in enumerate(function.parameters):
            if name in ("count", "size", "room"):
                arguments = [(1 << 32) - 1 if other == place else 0 for other in range(len(function.parameters))]
                yield f"{function.name}-{name}", calling(function.name, wasm_of(function), arguments)


def test_an_address_or_a_count_that_leads_outside_is_a_trap(tmp_path):
    modules = list(astray())
    assert len(modules) > len(host.FUNCTIONS)
    assert ends(modules, tmp_path) == {name: ("trapped", Trap.MEMORY_OUT_OF_BOUNDS) for name, _ in modules}


# ---- on this machine


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
        (("child",), "is a child of parent"),
        (("x/denied.wasm",), "no file"),
        ((str(agents.FOLDER / "ping.c"),), "no module that can run"),
    ],
)
def test_agents_that_cannot_run_are_refused(names, problem):
    with pytest.raises(agents.UnknownAgent, match=problem):
        agents.chosen(names)


def named(*names, **peers):
    """Return agents with these names, and others with the names of whom they speak to."""
    return tuple(agents.Agent(name, peer=peers.get(name)) for name in (*names, *peers))


def test_a_boot_has_no_more_agents_than_fit_and_those_that_speak_to_each_other_are_together():
    found = named("a", "b", "c", "d", e="f", f="g", g="e", h="a")
    boots = [[agent.name for agent in together] for together in agents.boots(found)]
    assert boots == [["a", "h", "b", "c", "d"], ["e", "f", "g"]]
    assert all(len(together) <= agents.MOST for together in boots)


def test_children_come_before_their_parent():
    (together,) = agents.boots(agents.chosen(("parent", "child")))
    assert [agent.name for agent in together] == ["child", "parent"]


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
