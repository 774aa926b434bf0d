"""Which agents are there, what does each get, and how must it end?

Agents are programs in C. The compiler that makes everything else compiles them to WebAssembly.
"""

import shlex
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from corollary import Module, Refused
from corollary.codegen import build
from corollary.codegen.folders import GENERATED, ROOT
from corollary.emulation.attest import PART
from corollary.emulation.layout import (
    FIRST_KEY,
    LAST_KEY,
    LEARNERS,
    LESSONS,
    SLIP_GET,
    SLIP_PUT,
    VECTORS_AT_MOST,
    VIOLATIONS,
    Fault,
    numbers,
)
from corollary.spec.host import STORE_STATUS
from corollary.spec.kernel.limits import CHILDREN
from corollary.spec.kernel.memory_map import PAGE
from corollary.spec.kernel.vocabulary import Right, Status
from corollary.spec.manager.vocabulary import Remedy, Verb
from corollary.spec.vectors.vocabulary import Status as StoreStatus
from corollary.spec.wasm.traps import Trap

FOLDER, EXAMPLES = ROOT / "guests" / "agents", ROOT / "examples"
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
    *(f"-D{name}={value}" for name, value in numbers().items()),
)
INCLUDED = (FOLDER, ROOT / "guests", GENERATED / "guest")
TRUSTED, ORDINARY = 990_000, 700_000  # trust scores, for rings 1 and 2
LONG, SHORT = 600_000, 4_000  # ms: to be done, or to be seen not to end
ROUTINE = (Status.OK, Status.WOULD_BLOCK, Status.RATE_LIMITED)  # of calls that are repeated until they are allowed
PACE = {"shift": 7, "limit": 240}  # waiting takes longer than computing, so time passes faster here


@dataclass(frozen=True)
class Agent:
    """An agent: what it gets, and what is expected of it.

    Expected are how its outcome begins, the last lines that it says, its denied calls in order, and how many calls of
    some operations were allowed.
    """

    name: str
    outcome: tuple = ("returned",)
    said: tuple = ()
    denied: tuple = ()
    allowed: tuple = ()  # (operation, number)
    then: tuple = ()  # the last lines that it says after it hibernated and was resumed
    program: str = ""  # its source, if that has another name
    peer: str | None = None  # whom it sends to
    also: str | None = None  # a second one that it sends to, if it is managed
    parent: str | None = None  # who spawns it: root prepares its partition, and its parent comes after it
    place: int = 0  # among the children of its parent
    own: int = 0  # rights on its own partition
    memory: int = MEMORY  # bytes of memory that its module may ask for
    hasty: bool = False  # sees that it came too soon, instead of trying again
    score: int = ORDINARY
    milliseconds: int = LONG
    fuel: int = 0  # safe points until it is suspended and saved; 0 for no limit
    snapshot: bytes = b""  # a snapshot to resume from
    binary: bytes | None = None  # its module, if it is not the program of that name
    managed: bool = False  # does a manager look after it?
    remedies: tuple = ()  # what that must do about its failures, one after the other
    whole: tuple = ()  # all that it says if it does not fail
    moves: tuple = ()  # how often it moves, and what goes wrong each time: (verb, fault)
    naps: tuple = ()  # how often it hibernates, in the same way
    respawns: bool = False  # is it spawned again if its manager destroyed it?
    house: int | None = None  # where it begins, if agents are placed
    may: int = 0  # what it may ask the librarian: `SLIP_GET`, `SLIP_PUT` or both
    lends: bool = True  # may the librarian read the elements that it puts?
    outlives: bool = False  # is the librarian killed when only such agents go on?
    large: bool = False  # is its memory in units of large memory, which go along when it moves?

    @property
    def module(self):
        """The bytes of its module, as its guest finds them."""
        return module(self.program or self.name, self.memory).read_bytes() if self.binary is None else self.binary


def squares(last):
    """Return the sum of the squares from 1 to a number."""
    return sum(number * number for number in range(1, last + 1))


STAGES = ("source", "doubling", "doubling-2", "doubling-3", "sink")
DOUBLED = ("numbers doubled: 100",)
PIPELINE = (
    Agent("source", ("returned", 0), ("numbers made: 100",), peer="doubling"),
    *(
        Agent(name, ("returned", 0), DOUBLED, program="doubling", peer=after)
        for name, after in zip(STAGES[1:-1], STAGES[2:])
    ),
    Agent(
        "sink",
        ("returned", 0),
        ("sum of what arrived: 40400", "numbers that are wrong: 0"),
        allowed=(("edge_receive", 100),),
    ),
)
PAIR = (
    Agent(
        "asker",
        ("returned", 0),
        (f"mapped again: {Status.ALREADY_LINKED:d}", "answers that are wrong: 0"),
        (("map_shared", Status.ALREADY_LINKED),),
        (("share_map", 1),),
        peer="answerer",
        own=Right.WRITE,
    ),
    Agent(
        "answerer",
        ("returned", 0),
        (f"shared: {Status.OK:d}",),
        allowed=(("page_share", 1),),
        peer="asker",
        own=Right.WRITE,
    ),
)
FAMILY = (
    Agent(
        "child",
        ("returned", 0),
        (f"send what it was asked for: {Status.OK:d}",),
        (
            ("recv", Status.INSUFFICIENT_RIGHTS),
            ("send", Status.INVALID_HANDLE),
            ("spawn_agent", Status.INVALID_HANDLE),
            ("hibernate", Status.INVALID_HANDLE),
        ),
        (("edge_send", 1),),
        parent="parent",
    ),
    Agent(
        "parent",
        ("returned", 0),
        (
            f"pass on what it may not: {Status.INSUFFICIENT_RIGHTS:d}",
            f"spawn: {Status.OK:d}",
            "the child says: 42",
            f"send where the child sends: {Status.NOT_SENDER:d}",
        ),
        (("spawn_agent", Status.INSUFFICIENT_RIGHTS), ("send", Status.NOT_SENDER)),
        (("agent_spawn", 2), ("capability_grant", 1), ("partition_start", 1), ("edge_receive", 1)),
    ),
)
CRUMBS = tuple(
    Agent(
        f"crumb-{place + 1}",
        ("returned", 0),
        (f"it is there: {Status.OK:d}",),
        program="crumb",
        parent="hoarder",
        place=place,
    )
    for place in range(CHILDREN)
)
HOARDER = Agent(
    "hoarder",
    ("returned", 0),
    (
        "pages that memory grew by: 0",
        *(f"spawn: {Status.OK:d}" for _ in CRUMBS),
        *(f"spawn one more: {Status.SPAWN_LIMIT:d}" for _ in CRUMBS),
        f"call without end: {Status.RATE_LIMITED:d}",
    ),
    (*(("spawn_agent", Status.SPAWN_LIMIT) for _ in CRUMBS), ("yield_now", Status.RATE_LIMITED)),
    (("agent_spawn", CHILDREN), ("partition_start", CHILDREN)),
    memory=1 << 24,
    hasty=True,
)
OUTLAW = Agent(
    "outlaw",
    ("trapped", Trap.MEMORY_OUT_OF_BOUNDS),
    ("now it trips: 1",),
    (
        ("send", Status.WRONG_OBJECT),
        ("request_shared_region", Status.INVALID_HANDLE),
        ("request_shared_region", Status.WRONG_OBJECT),
        ("map_shared", Status.NOT_SHARED),
        ("map_shared", Status.BAD_ARGUMENT),
        ("map_shared", Status.WRONG_OBJECT),
        *(("spawn_agent", Status.BAD_ARGUMENT) for _ in range(3)),
        ("spawn_agent", Status.INVALID_HANDLE),
        ("spawn_agent", Status.INSUFFICIENT_RIGHTS),
        ("hibernate", Status.WRONG_OBJECT),
    ),
    (("agent_spawn", 0), ("page_share", 0), ("share_map", 0)),
    own=Right.WRITE | Right.EXECUTE,
)
TRIPPED = ("trapped", Trap.MEMORY_OUT_OF_BOUNDS)
RESTARTS = (Remedy.RESTART,) * 3


def computed_lines(rounds=10, steps=10_000, factor=6364136223846793005):
    """Return all that `brittle.c` says, or `lasting.c` after more rounds, if nothing makes it fail."""
    total = 0
    for step in chain(*(range(steps) for _ in range(rounds))):
        total = (total * factor + step) % (1 << 64)
    return ("begins with 0", *(f"rounds: {number}" for number in range(1, rounds + 1)), f"sum: {total >> 32}")


def brittle(name, *remedies, **more):
    """Return an agent that fails once for each remedy; then it comes to its end, unless the last one is of no use."""
    return Agent(name, program="brittle", managed=True, remedies=remedies, whole=computed_lines(), **more)


MANAGED = (
    brittle("restarted", Remedy.RESTART),
    brittle("reloaded", *RESTARTS, Remedy.RELOAD),
    brittle("replaced", *RESTARTS, Remedy.RELOAD, Remedy.REPLACE, respawns=True),
    brittle("hopeless", *RESTARTS, Remedy.RELOAD, Remedy.REPLACE, Remedy.REBOOT, respawns=True, outcome=TRIPPED),
    brittle("gone", *RESTARTS, Remedy.RELOAD, Remedy.REPLACE, outcome=TRIPPED),
)


STEPS = (Verb.SUSPEND, Verb.SNAPSHOT, Verb.SEND_RESERVE, Verb.SEND_CHUNK, Verb.DECIDE, Verb.RESTORE, Verb.RELEASE)
"""At a task for each of these, which lead through the seven steps of a move, something goes wrong."""
UNDISTURBED = (Verb.NOTHING, Fault.NONE)
FAULTS = (
    UNDISTURBED,
    (Verb.SUSPEND, Fault.DROPPED),
    *((verb, fault) for verb in STEPS for fault in (Fault.REFUSED, Fault.LOST)),
)
MOVING = (
    Agent("moving", ("returned", 0), ("out of order, lost or doubled: 0",), managed=True, moves=FAULTS),
    Agent("counting", ("returned", 0), peer="moving", managed=True),
)
ROAMING = (
    Agent(
        "roaming",
        ("returned", 0),
        ("out of order, lost or doubled: 0", "words that are wrong: 0"),
        managed=True,
        moves=FAULTS,
        memory=16 << 20,
        large=True,
    ),
    Agent("pacing", ("returned", 0), program="counting", peer="roaming", managed=True),
)
"""The first one takes 16 MiB along."""
KEPT = (
    *(Verb.SNAPSHOT, Verb.COMPRESS, Verb.WRITE, Verb.RECORD, Verb.RELEASE),
    *(Verb.READ, Verb.DECOMPRESS, Verb.RESTORE),
)
"""Tasks that lead an agent to the disk, and back."""
NAPS = (
    UNDISTURBED,
    (Verb.SNAPSHOT, Fault.DROPPED),
    (Verb.READ, Fault.ALTERED),
    *((verb, fault) for verb in KEPT for fault in (Fault.REFUSED, Fault.LOST)),
)
DOZING = (
    Agent("dozing", ("returned", 0), ("out of order, lost or doubled: 0",), program="moving", managed=True, naps=NAPS),
    Agent("feeding", ("returned", 0), program="counting", peer="dozing", managed=True),
)
GREEDY = (
    Agent(
        "greedy",
        ("returned", 0),
        ("out of order, lost or doubled: 0",),
        (("yield_now", Status.RATE_LIMITED),) * VIOLATIONS,
        managed=True,
        hasty=True,
        naps=((Verb.NOTHING, Fault.GREED),),
    ),
    Agent("serving", ("returned", 0), program="counting", peer="greedy", managed=True),
)
"""The first one takes too much until it is hibernated for that."""
PLACED = (
    Agent("hearing", ("returned", 0), ("out of order, lost or doubled: 0",), program="moving", managed=True, house=0),
    Agent("chatty", ("returned", 0), peer="hearing", managed=True, house=1),
    Agent("idling", ("returned", 0), ("out of order, lost or doubled: 0",), program="moving", managed=True, house=0),
    Agent("quiet", ("returned", 0), peer="idling", also="chatty", managed=True, house=0),
)
"""Two pairs. One talks much, and is apart at first; between them there is hardly any traffic."""
LEARNED = tuple(range(FIRST_KEY, LAST_KEY + 1))  # keys


def refused(status):
    """Return the number that agents see when a store of vectors answers this."""
    return STORE_STATUS + status


LEARNING = (
    *(
        Agent(
            name,
            ("returned", 0),
            (f"last status: {Status.OK:d}", "elements that are wrong: 0"),
            program="learning",
            may=SLIP_GET | SLIP_PUT,
            hasty=name != "learning",
        )
        for name in ("learning", *(f"learning-{number + 1}" for number in range(1, LEARNERS)))
    ),
    Agent(
        "recalling",
        ("returned", 0),
        (
            *(f"lessons: {LESSONS * LEARNERS}" for _ in LEARNED),
            f"put what it may not: {Status.INSUFFICIENT_RIGHTS:d}",
            "elements that are wrong: 0",
            "versions that went back: 0",
            "silences: 3",
            f"sum: {sum(range(100_000))}",
        ),
        may=SLIP_GET,
        outlives=True,
    ),
    Agent(
        "pestering",
        ("returned", 0),
        (
            *(
                f"{what}: {Status.BAD_ARGUMENT:d}"
                for what in ("no word", "a word too few", "nothing", "both at once", "a word that is no verb")
            ),
            f"a byte too many: {refused(StoreStatus.BAD_DIMENSION)}",
            f"as many bytes as there are numbers: {refused(StoreStatus.BAD_DIMENSION)}",
            f"a key that nobody knows: {refused(StoreStatus.ABSENT)}",
            "as many taken at once as an edge holds, but not all: 1",
            "taken, and not answered in order: 0",
            f"get too much: {refused(StoreStatus.BAD_DIMENSION)}",
            f"get from the console: {Status.WRONG_OBJECT:d}",
            f"get from nowhere: {Status.INVALID_HANDLE:d}",
            f"put where answers come from: {Status.INSUFFICIENT_RIGHTS:d}",
            f"put what there is already: {refused(StoreStatus.STALE_VERSION)}",
            f"put after a version that nobody made: {refused(StoreStatus.STALE_VERSION)}",
            f"put what is no number: {refused(StoreStatus.NOT_FINITE)}",
            f"vectors until the store is full: {VECTORS_AT_MOST - len(LEARNED)}",
            f"one more: {refused(StoreStatus.FULL)}",
            f"one that was put before: {Status.OK:d}",
        ),
        (
            *(("notify", Status.RIGHTS_ESCALATION) for _ in range(3)),
            ("vector_get", Status.WRONG_OBJECT),
            ("vector_get", Status.INVALID_HANDLE),
            ("vector_put", Status.INSUFFICIENT_RIGHTS),
        ),
        may=SLIP_GET | SLIP_PUT,
    ),
)
"""Agents that ask for vectors: the last one finds the bell of the fourth."""
LASTING = tuple(
    Agent(name, ("returned", 0), program="lasting", managed=True, whole=computed_lines(rounds=60))
    for name in ("lasting", "lasting-2")
)
"""Agents that go on when the kernel has started again."""


@dataclass(frozen=True)
class Plan:
    """What a manager is to do with the agents of a boot, besides mending them."""

    ends: int  # agents that come to their end, here or on the other machine
    moves: bool = False  # does one move?
    trials: int = 0  # how often it moves at least, or hibernates
    faults: tuple = ()  # what goes wrong in each trial, one after the other and again from the first: (verb, fault)
    messages: int = 0  # that it is sent, at least
    houses: tuple = ()  # of each row, if agents move to others as is recommended
    is_far: bool = False  # does it move to another machine?
    is_away: bool = False  # does it begin there?
    epoch: int = 10_000  # ms; an agent that moved rests for some epochs
    look: int = 50  # ms between two looks at what is to be done


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
        *PIPELINE,
        OUTLAW,
        *PAIR,
        *FAMILY,
        Agent(
            "sleeper",
            ("hibernated",),
            (f"sum before it sleeps: {squares(500)}",),
            allowed=(("agent_change", 2),),
            then=(
                f"answer to hibernate: {Status.OK:d}",
                f"what it remembers: {squares(500)}",
                f"sum of all rounds: {squares(1000)}",
            ),
            own=Right.EXECUTE,
        ),
        *CRUMBS,
        HOARDER,
        *MANAGED,
        *MOVING,
        *ROAMING,
        *DOZING,
        *GREEDY,
        *PLACED,
        *LEARNING,
    )
}


ALL = "all"
MOST = 6  # agents that root has slots and pages for
HOUSE_ROWS = 3  # of a house: with two houses, all rows


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
    """Return the agents with these names, or all. Raises `UnknownAgent`, also if one is left out that another needs.

    A name may be a path, relative to a folder: then it is a module of somebody else.
    """
    wanted = tuple(KNOWN) if tuple(names) == (ALL,) else tuple(dict.fromkeys(names))
    found = tuple(KNOWN[name] if name in KNOWN else stranger(folder / name) for name in wanted)
    known = [agent.name for agent in found]
    if not found or len(known) != len(set(known)):
        raise UnknownAgent(f"name some agents, each once; there are {', '.join(KNOWN)}")
    for agent in found:
        for other in (agent.peer, agent.also):
            if other not in (None, *known):
                raise UnknownAgent(f"{agent.name} speaks to {other}, which is not among the agents")
        if agent.parent not in (None, *known):
            raise UnknownAgent(f"{agent.name} is a child of {agent.parent}, which is not among the agents")
    return found


def boots(found):
    """Return the agents in groups that fit into one boot each; those that need each other stay together.

    Children come first, as root must have prepared them before their parent. A boot has a manager for all, or none.
    """
    groups = []
    for family in families(found):
        if not groups or len(groups[-1]) + len(family) > MOST or apart(groups[-1][0], family[0]):
            groups.append([])
        groups[-1] += family
    return [tuple(sorted(group, key=lambda agent: agent.parent is None)) for group in groups]


def apart(one, other):
    """Do two agents need boots of their own, as one is managed otherwise, or asks for vectors?"""
    return one.managed != other.managed or tried_with(one) != tried_with(other) or bool(one.may) != bool(other.may)


def tried_with(agent):
    """Return the agents of a boot in which one moves or hibernates, if this is one of them."""
    return next((group for group in (MOVING, ROAMING, DOZING, GREEDY, PLACED) if agent in group), ())


def stores(agents):
    """Return the agents of a boot that may ask for vectors."""
    return [agent for agent in agents if agent.may]


def families(found):
    """Return the agents in groups of which none speaks to, or is a child of, one of another group."""
    groups = []
    for agent in found:
        near = [group for group in groups if any(related(agent, other) for other in group)]
        groups = [group for group in groups if group not in near] + [[*(one for group in near for one in group), agent]]
    return sorted(groups, key=lambda group: found.index(group[0]))


def related(one, other):
    """Does one of two agents speak to the other, is it its child, or do both ask for vectors?"""
    if one.may and other.may:
        return True
    return one.name in (other.peer, other.also, other.parent) or other.name in (one.peer, one.also, one.parent)


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


def module(name, memory=MEMORY):
    """Compile an agent to WebAssembly, with at most so many bytes of memory; return its path."""
    flags = (*FLAGS, f"-Wl,--max-memory={memory}")
    source = next(path for folder in (FOLDER, EXAMPLES) if (path := folder / f"{name}.c").exists())
    headers = [path for folder in INCLUDED for path in sorted(folder.glob("*.h"))]
    target = build.BUILD / "agents" / f"{name}-{build.fingerprint([source, *headers], flags)}.wasm"
    return build.linked(target, [source], (*flags, *(f"-I{folder}" for folder in INCLUDED)))


def contents(agent):
    """Return the pages that an agent's guest finds: its module, followed by a snapshot."""
    parts = [data.ljust(-(-len(data) // PAGE) * PAGE, b"\0") for data in (agent.module, agent.snapshot)]
    data = b"".join(parts)
    return [data[at : at + PAGE] for at in range(0, len(data), PAGE)]


def is_there(agent):
    """Return for each of these pages whether the boot package has it.

    It has all of the module, which is measured there page after page; of a snapshot, only what is not zero.
    """
    of_module = -(-len(agent.module) // PAGE)
    return [number < of_module or any(page) for number, page in enumerate(contents(agent))]


def is_managed(agents):
    """Does a manager look after the agents of a boot?"""
    return any(agent.managed for agent in agents)


def moves(agents):
    """Does an agent of a boot move?"""
    return houses_of(agents) != () or any(agent.moves for agent in agents)


def is_tried(agent):
    """Does an agent move, or hibernate? One that sends to another cannot."""
    return agent.moves + agent.naps != () or (agent.house is not None and agent.peer is None)


def houses_of(agents):
    """Return the house of each row of a boot whose agents are placed; rows without an agent fill the houses up."""
    taken = [agent.house for agent in agents if agent.house is not None]
    free = [house for house in sorted(set(taken)) for _ in range(HOUSE_ROWS - taken.count(house))]
    return (*taken, *free)


def naps(agents):
    """Does an agent of a boot hibernate on a disk?"""
    return any(agent.naps for agent in agents)


def trials_of(agents):
    """Return what goes wrong in each move of the agent of a boot that moves, or in each of its naps, as numbers."""
    trials = [UNDISTURBED] if houses_of(agents) else [each for agent in agents for each in agent.moves + agent.naps]
    return tuple((int(verb), int(fault)) for verb, fault in trials)


def plan_of(agents):
    """Return the plan of a boot in which an agent moves within its machine, or hibernates, or none does."""
    trials = trials_of(agents)
    if not trials:
        return Plan(len(agents))
    return Plan(len(agents), moves(agents), len(trials), trials, houses=houses_of(agents), epoch=250)


def packed(agents):
    """Return the agents whose modules are in the boot package; managed agents get copies, so one of each will do."""
    return tuple({agent.module: agent for agent in agents}.values()) if is_managed(agents) else tuple(agents)


def first_pages(agents):
    """Return for each agent the first page of its module in the boot package, and how many pages there are in all."""
    inside, total, found = packed(agents), 0, {}
    for agent in inside:
        found[agent.module if is_managed(agents) else agent.name] = total
        total += sum(is_there(agent))
    return [found[agent.module if is_managed(agents) else agent.name] for agent in agents], total


def laid_out(agents, leaves):
    """Return what the guest that starts the agents must know of each. The leaves of their modules are in that order."""
    names = [agent.name for agent in agents]
    modules, _ = first_pages(agents)
    return [
        {
            "name": agent.name,
            "present": sum(1 << number for number, there in enumerate(is_there(agent)) if there),
            "parts": -(-len(agent.module) // PART),
            "leaf": leaf,
            "numbers": {
                "size": len(agent.module),
                "snapshot": len(agent.snapshot),
                "pages": len(contents(agent)),
                "fuel": agent.fuel,
                "score": agent.score,
                "milliseconds": agent.milliseconds,
                "own": agent.own,
                "hasty": int(agent.hasty),
                "peer": names.index(agent.peer or agent.name),
                "also": names.index(agent.also or agent.name),
                "parent": names.index(agent.parent or agent.name),
                "place": agent.place,
                "module": module,
                "faults": len(agent.remedies),
                "respawns": int(agent.respawns),
                "tried": int(is_tried(agent)),
                "may": agent.may,
                "lends": int(agent.lends),
                "outlives": int(agent.outlives),
                "large": int(agent.large),
            },
        }
        for agent, leaf, module in zip(agents, leaves, modules, strict=True)
    ]
