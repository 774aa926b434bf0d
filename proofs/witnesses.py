"""Which states show that something can happen? Those that were found before, wherever the model still agrees.

The solver looks for a state once. From then on it is kept, in the build and with the sources, and is only looked at: it
is whole, the step can be taken from it, and what was to happen happens. Nothing rests on who found it. One that does not
show it any more, since the specification has changed, is as good as none: another is looked for.
"""

import json
import sys
import time
from pathlib import Path

from codegen.folders import write_whole
from language import ir
from language.frontend import translate
from language.reads import note, remembered
from language.types import OutOfRange, is_scalar
from language.values import leaves, local
from proofs import fingerprint
from proofs.cache import kept_or_told
from proofs.replay import ROOTS, Contents, hashes_as_supposed, load
from proofs.symbolic import Executor
from proofs.transition import place, step_named
from proofs.whole import broken, fill_log
from spec.kernel.hypercalls import OPERATIONS

SOURCES = Path(__file__).with_name("states")
BUILD = Path("build/cache/witnesses")
SOLVER = "the model"
ANY = "any state"       # in place of a step, where none is taken


def shown(id_, shows):
    """A state that is kept for an obligation and shows it, as `written`, and the seconds that it took to see; or None."""
    start = time.process_time()
    found = next((state for state, example in kept(id_) if still(shows, example)), None)
    return found and (found, time.process_time() - start)


def still(shows, example):
    """Does a state show it? One that names other things than the promise does by now shows nothing."""
    try:
        return shows(example)
    except (LookupError, TypeError, OutOfRange):
        return False


def keep(id_, state):
    """Keep a state for an obligation, as it was `written`."""
    kept_or_told(lambda: write_whole(built(id_), json.dumps({"id": id_, "state": state})))


def kept(id_):
    """The states that are kept for an obligation and fit the kernel as it is now, as `written` and `read`."""
    for state in (of_build(id_), of_sources(of_step(id_)).get(id_)):
        example = state and read(state)
        if example:
            yield state, example


# ---- what a state shows


def is_met(example, transition, invariants):
    """Can the step be taken from the state? It is all zero before boot, and whole ever after."""
    s, call = example.roots["s"], example.roots["call"]
    if transition.from_zero:
        return not any(value for _, value in leaves(s))
    for property_ in invariants.values():
        translate(property_.function)       # that it is whole is read off all of them
    asked = not transition.hypercall or not s.idle and (
        call.operation == transition.operation.number if transition.operation else call.operation >= len(OPERATIONS))
    return asked and next(broken(s, invariants.values()), None) is None


def returned(example, transition):
    """What each function returned in a step that is taken from a state: `symbol -> the values`."""
    executor = Taken(Contents(example.roots))
    function = translate(transition.function)
    arguments = [p.type.coerce(example.scalars[p.name]) if is_scalar(p.type) else place(p.name)
                 for p in function.parameters]
    with hashes_as_supposed(example.hashes):
        executor.run(function, arguments)
    return {symbol: {value for guard, value in values if guard.term is True}
            for symbol, values in executor.returns.items()}


class Taken(Executor):
    """Takes a step from a state that is known; what is opaque to the solver is read like all else, but run as Python."""

    def evaluate(self, function, arguments, guard):
        for each in (function, *ir.below(function, opaque=True)):
            note("function", each.python)
        values = [local(place_.type) for place_ in arguments]
        for value, place_ in zip(values, arguments):
            for position, cell in enumerate(self.cells(place_)):
                value[position] = self.load(cell, guard)
        module = sys.modules[function.python.__module__]
        getattr(module, function.name)(*values)     # the one by that name now: hashes may be supposed
        for value, place_ in zip(values, arguments):
            for position, cell in enumerate(self.cells(place_)):
                self.store.write(cell, value[position], guard)


# ---- how it is kept


def written(example):
    """A state as text for a file, without what any long log is filled with."""
    data = example.as_json()
    told = {path[1] for path, value in data["s"] if path[0] == "log" and not is_filler(path, value)}
    return data | {"s": [[path, value] for path, value in data["s"] if path[0] != "log" or path[1] in told]}


def is_filler(path, value):
    """Does a record tell no more than where it stands?"""
    return path[2:] == ["sequence"] and path[1] == value


def read(data):
    """The state that was written, or None if it is none of the kernel's as it is now."""
    try:
        example = load(plain(data))
        if data["transition"] == ANY or not step_named(data["transition"]).from_zero:
            fill_log(example.roots["s"], {path[1] for path, _ in data["s"] if path[0] == "log"})
    except (LookupError, AttributeError, TypeError, ValueError):
        return None
    return example


def plain(data):
    """The same, if it holds names and whole numbers alone; else raises `TypeError`."""
    numbers = [*data["scalars"].values(), *(number for root in ROOTS for _, number in data[root])]
    parts = [part for root in ROOTS for path, _ in data[root] for part in path]
    if not all(isinstance(number, int) for number in numbers) or not all(isinstance(part, (int, str)) for part in parts):
        raise TypeError("a state consists of names and whole numbers")
    return data


def of_step(id_):
    """The step of an obligation."""
    return id_.split("/")[0]


def built(id_):
    """The file of the build with the state of an obligation."""
    return BUILD / f"{fingerprint.digest(id_)[:40]}.json"


def of_build(id_):
    """What the build keeps for an obligation; None if that is nothing, or of something else."""
    try:
        data = json.loads(built(id_).read_text())
        return data["state"] if data["id"] == id_ else None
    except (OSError, ValueError, LookupError, TypeError, RecursionError):
        return None


@remembered
def of_sources(step):
    """What the sources keep for the obligations of a step."""
    path = beside_sources(step)
    return json.loads(path.read_text()) if path.exists() else {}


def beside_sources(step):
    """The file of the sources with the states for the obligations of a step."""
    return SOURCES / f"{step.replace(' ', '_')}.json"


def keep_with_sources(step, states):
    """Keep states for the obligations of a step with the sources, by id and as `written`, one in a line."""
    lines = [f"{json.dumps(id_)}: {json.dumps(state, separators=(',', ':'))}" for id_, state in sorted(states.items())]
    write_whole(beside_sources(step), "{\n" + ",\n".join(lines) + "\n}\n")
