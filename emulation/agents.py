"""Which agents are there, what does each get, and how must it end? Programs in C, compiled to WebAssembly by the compiler that makes all else."""

import shlex
from dataclasses import dataclass
from pathlib import Path

from codegen import build
from codegen.folders import GENERATED, ROOT
from corollary import Module, Refused
from spec.kernel.memory_map import PAGE
from spec.kernel.vocabulary import Status
from spec.wasm.traps import Trap

FOLDER = ROOT / "guests" / "agents"
STACK = 1 << 12
MEMORY = 1 << 16            # one page of WebAssembly: a guest has few pages of its own
ENTRY = "run"               # the function of an agent that its guest calls
FLAGS = (*build.STRICT, "-O2", "-g0", "-ffreestanding", "-fno-sanitize=undefined", *build.WASM, f"-Wl,--export={ENTRY}",
         f"-Wl,-z,stack-size={STACK}", f"-Wl,--initial-memory={MEMORY}", f"-Wl,--max-memory={MEMORY}")
INCLUDED = (FOLDER, ROOT / "guests", GENERATED / "guest")
TRUSTED, ORDINARY = 990_000, 700_000        # trust scores, for rings 1 and 2
LONG, SHORT = 600_000, 4_000                # ms: to be done, or to be seen not to end
ROUTINE = (Status.OK, Status.WOULD_BLOCK, Status.RATE_LIMITED)      # what comes of calls that are made again until they are allowed
PACE = {"shift": 7, "limit": 240}           # waiting for messages takes longer than computing: time goes by faster than elsewhere


@dataclass(frozen=True)
class Agent:
    """An agent: what it gets, how its outcome begins, the last lines that it says, and which of its calls are denied, in their order."""

    name: str
    outcome: tuple = ("returned",)
    said: tuple = ()
    denied: tuple = ()
    peer: str | None = None
    score: int = ORDINARY
    milliseconds: int = LONG
    fuel: int = 0               # safe points until it is suspended and kept; 0 for any number
    kept: bytes = b""           # a snapshot to go on with
    binary: bytes | None = None # what it is, if not the program of that name

    @property
    def module(self):
        """The bytes that its guest finds."""
        return module(self.name).read_bytes() if self.binary is None else self.binary


KNOWN = {agent.name: agent for agent in (
    Agent("ping", ("returned", 0), ("messages sent: 10000", "answers that were wrong: 0"), peer="pong", score=TRUSTED),
    Agent("pong", ("returned", 0), ("messages received: 10000", "out of order, lost or doubled: 0"), peer="ping", score=TRUSTED),
    Agent("looping", ("overdue",), ("rounds so far: 0",), milliseconds=SHORT),
    Agent("trapping", ("trapped", Trap.MEMORY_OUT_OF_BOUNDS), ("it reads at 2147483632",)),
    Agent("recursing", ("returned", 0), ("sums and counts that are wrong: 0",)),
    Agent("denied", ("returned", 0), (f"wait with a handle that was never given: {Status.INVALID_HANDLE:d}",),
          (("send", Status.INVALID_HANDLE), ("recv", Status.WRONG_OBJECT), ("notify", Status.INVALID_HANDLE), ("wait", Status.INVALID_HANDLE))),
)}


ALL = "all"
MOST = 6                    # agents that root has slots and pages for


class UnknownAgent(LookupError):
    """No such agent, or one that cannot be without another."""


def listed(text):
    """The names in a text, apart by spaces or commas; one with either in it stands in quotes. Raises `UnknownAgent`."""
    words = shlex.shlex(text, posix=True)
    words.whitespace, words.whitespace_split, words.commenters = f"{words.whitespace},", True, ""
    try:
        return list(words)
    except ValueError as problem:
        raise UnknownAgent(f"{text}: {problem}") from None


def chosen(names, folder=Path()):
    """The agents of these names, or all; a path, from a folder, is a module of somebody else. Raises `UnknownAgent`, also for one whose peer is left out."""
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
    """An agent that is given as a module; all that is expected of it is that its `run` returns. Raises `UnknownAgent`."""
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
    """The WebAssembly of an agent; its path."""
    source = FOLDER / f"{name}.c"
    headers = [path for folder in INCLUDED for path in sorted(folder.glob("*.h"))]
    target = build.BUILD / "agents" / f"{name}-{build.fingerprint([source, *headers], FLAGS)}.wasm"
    return build.linked(target, [source], (*FLAGS, *(f"-I{folder}" for folder in INCLUDED)))


def contents(agent):
    """The pages that an agent's guest finds: its module, and behind it a snapshot."""
    parts = [data.ljust(-(-len(data) // PAGE) * PAGE, b"\0") for data in (agent.module, agent.kept)]
    data = b"".join(parts)
    return [data[at:at + PAGE] for at in range(0, len(data), PAGE)]


def laid_out(agents):
    """What the guest that starts them must know of each."""
    names = [agent.name for agent in agents]
    return [{"name": agent.name, "size": len(agent.module), "kept": len(agent.kept), "pages": len(contents(agent)),
             "present": sum(1 << number for number, page in enumerate(contents(agent)) if any(page)),
             "fuel": agent.fuel, "score": agent.score, "milliseconds": agent.milliseconds, "peer": names.index(agent.peer or agent.name)} for agent in agents]
