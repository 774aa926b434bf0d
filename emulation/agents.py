"""Which agents are there, what does each get, and how must it end?

Agents are programs in C. The compiler that makes everything else compiles them to WebAssembly.
"""

import shlex
from dataclasses import dataclass
from pathlib import Path

from corollary import Module, Refused
from corollary.codegen import build
from corollary.codegen.folders import GENERATED, ROOT
from corollary.spec.kernel.memory_map import PAGE
from corollary.spec.kernel.vocabulary import Status
from corollary.spec.wasm.traps import Trap

FOLDER = ROOT / "guests" / "agents"
STACK = 1 << 12
MEMORY = 1 << 16  # one page of WebAssembly: a guest has few pages of its own
ENTRY = "run"  # the function of an agent that its guest calls
FLAGS = (
    *build.STRICT,
    "-O2",
    "-g0",
    "-ffreestanding",
    "-fno-sanitize=undefined",
    *build.WASM,
    f"-Wl,--export={ENTRY}",
    f"-Wl,-z,stack-size={STACK}",
    f"-Wl,--initial-memory={MEMORY}",
    f"-Wl,--max-memory={MEMORY}",
)
INCLUDED = (FOLDER, ROOT / "guests", GENERATED / "guest")
TRUSTED, ORDINARY = 990_000, 700_000  # trust scores, for rings 1 and 2
LONG, SHORT = 600_000, 4_000  # ms: to be done, or to be seen not to end
ROUTINE = (Status.OK, Status.WOULD_BLOCK, Status.RATE_LIMITED)  # of calls that are repeated until they are allowed
PACE = {"shift": 7, "limit": 240}  # waiting takes longer than computing, so time passes faster here


@dataclass(frozen=True)
class Agent:
    """An agent: what it gets, and what is expected of it.

    Expected are how its outcome begins, the last lines that it says, and its denied calls in order.
    """

    name: str
    outcome: tuple = ("returned",)
    said: tuple = ()
    denied: tuple = ()
    peer: str | None = None
    score: int = ORDINARY
    milliseconds: int = LONG
    fuel: int = 0  # safe points until it is suspended and saved; 0 for no limit
    snapshot: bytes = b""  # a snapshot to resume from
    binary: bytes | None = None  # its module, if it is not the program of that name

    @property
    def module(self):
        """The bytes of its module, as its guest finds them."""
        return module(self.name).read_bytes() if self.binary is None else self.binary


KNOWN = {
    agent.name: agent
    for agent in (
        Agent(
            "ping", ("returned", 0), ("messages sent: 10000", "answers that were wrong: 0"), peer="pong", score=TRUSTED
        ),
        Agent(
            "pong",
            ("returned", 0),
            ("messages received: 10000", "out of order, lost or doubled: 0"),
            peer="ping",
            score=TRUSTED,
        ),
        Agent("looping", ("overdue",), ("rounds so far: 0",), milliseconds=SHORT),
        Agent("trapping", ("trapped", Trap.MEMORY_OUT_OF_BOUNDS), ("it reads at 2147483632",)),
        Agent("recursing", ("returned", 0), ("sums and counts that are wrong: 0",)),
        Agent(
            "denied",
            ("returned", 0),
            (f"wait with a handle that was never given: {Status.INVALID_HANDLE:d}",),
            (
                ("send", Status.INVALID_HANDLE),
                ("recv", Status.WRONG_OBJECT),
                ("notify", Status.INVALID_HANDLE),
                ("wait", Status.INVALID_HANDLE),
            ),
        ),
    )
}


ALL = "all"
MOST = 6  # agents that root has slots and pages for


class UnknownAgent(LookupError):
    """There is no such agent, or it needs another one that is missing."""


def listed(text):
    """Return the names in a text. Raises `UnknownAgent`.

    Spaces or commas separate the names; a name with either in it is quoted.
    """
    words = shlex.shlex(text, posix=True)
    words.whitespace, words.whitespace_split, words.commenters = f"{words.whitespace},", True, ""
    try:
        return list(words)
    except ValueError as problem:
        raise UnknownAgent(f"{text}: {problem}") from None


def chosen(names, folder=Path()):
    """Return the agents with these names, or all. Raises `UnknownAgent`, also if the peer of one is left out.

    A name may be a path, relative to a folder: then it is a module of somebody else.
    """
    wanted = tuple(KNOWN) if tuple(names) == (ALL,) else tuple(dict.fromkeys(names))
    if len(wanted) > MOST:
        raise UnknownAgent(f"{len(wanted)} agents are too many: {MOST} fit")
    found = tuple(KNOWN[name] if name in KNOWN else stranger(folder / name) for name in wanted)
    known = [agent.name for agent in found]
    if not found or len(known) != len(set(known)):
        raise UnknownAgent(f"name some agents, each once; there are {', '.join(KNOWN)}")
    for agent in found:
        if agent.peer not in (None, *known):
            raise UnknownAgent(f"{agent.name} speaks to {agent.peer}, which is not among the agents")
    return found


def stranger(path):
    """Return an agent that is given as a module. Raises `UnknownAgent`.

    All that is expected of it is that its `run` returns.
    """
    try:
        binary = path.read_bytes()
        exports = Module(binary).exports
    except OSError:
        raise UnknownAgent(f"{path} is no agent and no file; there are {', '.join(KNOWN)}") from None
    except Refused as refused:
        raise UnknownAgent(f"{path} is no module that can run: {type(refused).__name__}: {refused}") from None
    if ENTRY not in exports:
        raise UnknownAgent(f"{path} does not export a function `{ENTRY}`")
    return Agent(path.stem, binary=binary)


def module(name):
    """Compile an agent to WebAssembly; return its path."""
    source = FOLDER / f"{name}.c"
    headers = [path for folder in INCLUDED for path in sorted(folder.glob("*.h"))]
    target = build.BUILD / "agents" / f"{name}-{build.fingerprint([source, *headers], FLAGS)}.wasm"
    return build.linked(target, [source], (*FLAGS, *(f"-I{folder}" for folder in INCLUDED)))


def contents(agent):
    """Return the pages that an agent's guest finds: its module, followed by a snapshot."""
    parts = [data.ljust(-(-len(data) // PAGE) * PAGE, b"\0") for data in (agent.module, agent.snapshot)]
    data = b"".join(parts)
    return [data[at : at + PAGE] for at in range(0, len(data), PAGE)]


def laid_out(agents):
    """Return what the guest that starts the agents must know of each."""
    names = [agent.name for agent in agents]
    return [
        {
            "name": agent.name,
            "size": len(agent.module),
            "snapshot": len(agent.snapshot),
            "pages": len(contents(agent)),
            "present": sum(1 << number for number, page in enumerate(contents(agent)) if any(page)),
            "fuel": agent.fuel,
            "score": agent.score,
            "milliseconds": agent.milliseconds,
            "peer": names.index(agent.peer or agent.name),
        }
        for agent in agents
    ]
