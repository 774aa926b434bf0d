"""Which states show that something can happen? Those that were found before, as long as the model still agrees.

The solver looks for a state once. From then on the state is kept, in the build and with the sources, and is only
checked: it is valid, the step can be taken from it, and what should happen happens. Nothing depends on who found it. If
it no longer shows this, since the specification has changed, it counts as missing: another one is looked for.
"""

import json
import sys
import time
from pathlib import Path

from corollary.codegen.folders import write_whole
from corollary.language import ir
from corollary.language.component import CALL, STATE
from corollary.language.frontend import translate
from corollary.language.reads import note, remembered
from corollary.language.types import OutOfRange, is_scalar
from corollary.language.values import leaves, local
from corollary.proofs import fingerprint
from corollary.proofs.cache import kept_or_told
from corollary.proofs.replay import Contents, hashes_as_supposed, load
from corollary.proofs.symbolic import Executor
from corollary.proofs.transition import step_named
from corollary.proofs.whole import broken, fill_log

SOURCES = Path(__file__).with_name("states")
BUILD = Path("build/cache/witnesses")
SOLVER = "the model"
ANY = "any state"  # in place of a step, where none is taken


def shown(id_, shows, component):
    """Return a kept state that shows an obligation, as `written`, and the seconds that the check took; or None."""
    start = time.process_time()
    found = next((state for state, example in saved(id_, component) if still(shows, example)), None)
    return found and (found, time.process_time() - start)


def still(shows, example):
    """Does a state still show it? A state that names other things than the promise now does shows nothing."""
    try:
        return shows(example)
    except (LookupError, TypeError, OutOfRange):
        return False


def save(id_, state):
    """Keep a state for an obligation, as it was `written`."""
    kept_or_told(lambda: write_whole(built(id_), json.dumps({"id": id_, "state": state})))


def saved(id_, component):
    """Yield the states kept for an obligation that fit the present component, as `written` and as `read`."""
    sources = of_sources(component.name, of_step(id_))
    for state in (of_build(id_), sources.get(id_)):
        example = state and read(state, component)
        if example:
            yield state, example


# ---- what a state shows


def is_met(example, transition, invariants):
    """Can the step be taken from the state? Before boot the state must be all zero, and ever after valid."""
    s, call, known = example.roots[STATE], example.roots.get(CALL), transition.component.operations
    if transition.from_zero:
        return not any(value for _, value in leaves(s))
    for property_ in invariants.values():
        translate(property_.function)  # whether it is valid depends on all of them
    asked = (
        not transition.hypercall
        or not s.idle
        and (call.operation == transition.operation.number if transition.operation else call.operation >= len(known))
    )
    return asked and next(broken(s, invariants.values()), None) is None


def returned(example, transition):
    """Return what each function returned in a step that is taken from a state: `symbol -> the values`."""
    executor = Taken(Contents(example.roots))
    function = translate(transition.function)
    arguments = [
        p.type.coerce(example.scalars[p.name]) if is_scalar(p.type) else transition.place(p.name)
        for p in function.parameters
    ]
    with hashes_as_supposed(transition.component, example.hashes):
        executor.run(function, arguments)
    return {
        symbol: {value for guard, value in values if guard.term is True} for symbol, values in executor.returns.items()
    }


class Taken(Executor):
    """An executor that takes a step from a known state.

    What is opaque to the solver is recorded as read like all else, but is run as Python.
    """

    def evaluate(self, function, arguments, guard):
        for each in (function, *ir.below(function, opaque=True)):
            note("function", each.python)
        values = [local(place_.type) for place_ in arguments]
        for value, place_ in zip(values, arguments):
            for position, cell in enumerate(self.cells(place_)):
                value[position] = self.load(cell, guard)
        module = sys.modules[function.python.__module__]
        getattr(module, function.name)(*values)  # looked up by name, since compressions may be replaced
        for value, place_ in zip(values, arguments):
            for position, cell in enumerate(self.cells(place_)):
                self.store.write(cell, value[position], guard)


# ---- how it is kept


def written(example):
    """Return a state as data for a file, without the records that any long log is filled with."""
    data = example.as_json()
    told = {path[1] for path, value in data["s"] if path[0] == "log" and not is_filler(path, value)}
    return data | {"s": [[path, value] for path, value in data["s"] if path[0] != "log" or path[1] in told]}


def is_filler(path, value):
    """Does a record say no more than its position?"""
    return path[2:] == ["sequence"] and path[1] == value


def read(data, component):
    """Return the state that was written, or None if it does not fit the present component."""
    try:
        example = load(plain(data, component), component)
        if data["transition"] == ANY or not step_named(data["transition"], component).from_zero:
            told = {path[1] for path, _ in data[STATE] if path[0] == component.log}
            fill_log(example.roots[STATE], told, component)
    except (LookupError, AttributeError, TypeError, ValueError):
        return None
    return example


def plain(data, component):
    """Return the same data. Raises `TypeError` if it holds anything but names and whole numbers."""
    cells = [cell for root in component.roots for cell in data[root]]
    numbers = [*data["scalars"].values(), *(number for _, number in cells)]
    parts = [part for path, _ in cells for part in path]
    if not all(isinstance(number, int) for number in numbers) or not all(
        isinstance(part, (int, str)) for part in parts
    ):
        raise TypeError("a state consists of names and whole numbers")
    return data


def of_step(id_):
    """Return the step of an obligation."""
    return id_.split("/")[0]


def built(id_):
    """Return the file of the build with the state of an obligation."""
    return BUILD / f"{fingerprint.digest(id_)[:40]}.json"


def of_build(id_):
    """Return what the build keeps for an obligation; None if there is nothing, or something else's state."""
    try:
        data = json.loads(built(id_).read_text())
        return data["state"] if data["id"] == id_ else None
    except (OSError, ValueError, LookupError, TypeError, RecursionError):
        return None


@remembered
def of_sources(component, step):
    """Return what the sources keep for the obligations of a step of a component of this name."""
    path = beside_sources(component, step)
    return json.loads(path.read_text()) if path.exists() else {}


def beside_sources(component, step):
    """Return the file of the sources with the states for the obligations of a step."""
    return SOURCES / component / f"{step.replace(' ', '_')}.json"


def save_with_sources(component, step, states):
    """Keep states for the obligations of a step with the sources, by id and as `written`, one per line."""
    lines = [f"{json.dumps(id_)}: {json.dumps(state, separators=(',', ':'))}" for id_, state in sorted(states.items())]
    write_whole(beside_sources(component, step), "{\n" + ",\n".join(lines) + "\n}\n")
