"""How long do decisions of governance take, in C and from Python, compared with another implementation? Usage:

    python -m corollary.bench.governance

All take turns in one run; time is that of the processor, without that of the loop. The other one is `agent-hypervisor`
2.0.0 from PyPI, the last release there that has all of it in Python; its switch calls no callback, so ours has none
here either. A call from Python to C costs more than what the C does: both are shown. The C of a delta has no hash: that
is OpenSSL's, from Python.
"""

import ctypes
import json
import math
from collections.abc import Callable
from pathlib import Path

from rich.console import Console
from rich.table import Table

from corollary.bench.figures import taking_turns
from corollary.codegen import build
from corollary.codegen.folders import ROOT, write_whole
from corollary.governance import (
    ActionDescriptor,
    DeltaEngine,
    Governor,
    KillReason,
    KillSwitch,
    Reversibility,
    Ring,
    RingEnforcer,
    VFSChange,
)
from corollary.governance.governor import Rate

RESULT, DRIVER = Path("build/governance.json"), ROOT / "bench" / "drivers" / "governance.c"
TIMES = 2000  # of each action in a turn
TURNS = 11
FLAGS = (*build.VM_FLAGS, "-shared", "-fPIC", *build.GOVERNANCE_INCLUDE)  # as the library is compiled, but visible
DRIVERS = {"ring check": "checks", "rate limit": "payments", "delta": "deltas", "kill": "kills"}
"""What the driver in C calls each decision."""
PLENTY = {ring: Rate(1e6, 1 << 30) for ring in Ring}  # no call is too many


class WrongAnswer(RuntimeError):
    """A decision is not what it must be here."""


def native() -> dict[str, Callable[[], float]]:
    """Return each decision in C, taken `TIMES` times."""
    sources = [*build.governance_sources(), DRIVER]
    digest = build.fingerprint(sources, FLAGS, build.GOVERNANCE)
    loaded = ctypes.CDLL(str(build.linked(build.BUILD / "host" / f"governed-{digest}.so", sources, FLAGS)))
    return {what: once(loaded, f"time_{name}") for what, name in DRIVERS.items()}


def once(loaded, name):
    """Return a call of the driver; raises `WrongAnswer` if a step is refused."""
    function = getattr(loaded, name)
    function.restype = ctypes.c_uint64

    def call():
        governor = Governor()
        governor.join("agent", "session", 0.8)
        governor.open_session("session")
        found = function(ctypes.c_void_p(governor.address), TIMES)
        if found == 0:
            raise WrongAnswer(f"{name} is refused")
        return found / TIMES

    return call


def ours() -> dict[str, Callable[[int], object]]:
    """Return each decision from Python, with the number of the turn."""
    governor = Governor(limits=PLENTY)
    governor.join("agent", "session", 0.8)
    governor.open_session("session")
    enforcer, switch, engine = RingEnforcer(), KillSwitch(governor), DeltaEngine(governor, "session")
    action = ActionDescriptor("a", "n", "/x", reversibility=Reversibility.FULL)
    change = [VFSChange("/file", "write", content_hash="c" * 64, agent_did="agent")]
    return {
        "ring check": lambda _: enforcer.check(Ring.STANDARD, action).allowed or wrong("ring check"),
        "ring check of an agent": lambda _: governor.check("agent", "session", action).allowed or wrong("agent"),
        "rate limit": lambda _: governor.spend("agent", "session"),
        "delta": lambda _: engine.capture("agent", change),
        "kill": lambda number: switch.kill(f"agent{number}", "session", KillReason.MANUAL),
    }


def others() -> dict[str, Callable[[int], object]]:
    """Return the same of the other implementation. Raises `ImportError` where it is not installed."""
    # `make bench` alone installs it
    from hypervisor import models  # pyright: ignore[reportMissingImports]
    from hypervisor.audit import delta  # pyright: ignore[reportMissingImports]
    from hypervisor.rings import enforcer  # pyright: ignore[reportMissingImports]
    from hypervisor.security import kill_switch, rate_limiter  # pyright: ignore[reportMissingImports]

    ring = models.ExecutionRing.RING_2_STANDARD
    action = models.ActionDescriptor("a", "n", "/x", reversibility=models.ReversibilityLevel.FULL)
    made, switch, engine = enforcer.RingEnforcer(), kill_switch.KillSwitch(), delta.DeltaEngine("session")
    limiter = rate_limiter.AgentRateLimiter(dict.fromkeys(models.ExecutionRing, (1e6, float(1 << 30))))
    change = [delta.VFSChange("/file", "write", content_hash="c" * 64, agent_did="agent")]
    check = {
        "ring check": lambda _: made.check(ring, action, 0.8).allowed or wrong("the other ring check"),
        "rate limit": lambda _: limiter.check("agent", "session", ring),
        "delta": lambda _: engine.capture("agent", change),
        "kill": lambda number: switch.kill(f"agent{number}", "session", kill_switch.KillReason.MANUAL),
    }
    return check | {"ring check of an agent": check["ring check"]}


def wrong(what):
    """Raise `WrongAnswer`."""
    raise WrongAnswer(f"{what} is denied")


def repeated(action):
    """Return a function that does something `TIMES` times, with another number each time."""
    numbers = iter(range(1 << 62))

    def call():
        for _ in range(TIMES):
            action(next(numbers))

    return call


def measured():
    """Return nanoseconds of each decision: ours from Python, the other one's, and ours in C."""
    mine, his = ours(), peers()
    names = list(mine)
    actions = [repeated(each.get(name, idle)) for name in names for each in (mine, his)]
    floor, *seconds = taking_turns(repeated(idle), *actions, turns=TURNS)
    taken = [(each - floor) / TIMES * 1e9 for each in seconds]
    data = {name: {"python ns": taken[2 * at]} for at, name in enumerate(names)}
    for at, name in enumerate(names):
        data[name]["other ns"] = taken[2 * at + 1] if name in his else math.nan
    for name, call in native().items():
        data[name]["c ns"] = min(call() for _ in range(TURNS))
    return data


def idle(_):
    """Do nothing: what the loop takes by itself is not counted."""


def peers():
    """Return the decisions of the other implementation; none where it is not installed."""
    try:
        return others()
    except ImportError:
        return {}


def main():
    """Measure, print and write."""
    data = measured()
    write_whole(RESULT, json.dumps(data, indent=1))
    shown = Table("decision", "ns from Python", "other ns", "times as fast", "ns in C", "times as fast in C")
    for name, row in data.items():
        python, other, c = row["python ns"], row["other ns"], row.get("c ns", math.nan)
        shown.add_row(name, f"{python:.0f}", f"{other:.0f}", f"{other / python:.1f}", f"{c:.1f}", f"{other / c:.0f}")
    Console().print(shown)


if __name__ == "__main__":
    main()
