"""Which promises does a step keep because it writes none of their fields? Footprints tell: nothing is run or solved.

This is the frame rule. An invariant has the same value in two states that differ in no field that it reads: if it held
before the step, it holds after it. Who sees a part of the state stays the same if the step writes no field that this
depends on: nobody comes to see anything (NI-3). A part stays as it was if the step writes none of its fields. If the
step also writes no field that tells what it made, nothing that nobody saw before becomes visible there (NI-4). Each
answer rests on two footprints and on nothing else, so it stays good when other functions change.
"""

import builtins
from dataclasses import dataclass
from typing import Any

from corollary.language.component import AFTER, BEFORE, STATE, declared
from corollary.language.frontend import translate
from corollary.language.property import Property
from corollary.language.reads import guessing, note
from corollary.proofs import conserved
from corollary.proofs.footprint import NONE, OPERATION, footprint, leaves
from corollary.proofs.prove import LEFT, SHOWN, ObligationResult, labelled
from corollary.proofs.transition import step_named

REASON = "its fields are not written"
SOLVER = "footprints"


def shortened(step, questions):
    """Yield the obligations of a step; the footprint decides those that it can."""
    able = {} if step.from_zero else shortcuts(step)
    for id_, level, decide in questions:
        found = able.get(id_)
        yield id_, level, found if found is not None and found.applies() else decide


def shortcuts(step):
    """Return the obligations of a step that a footprint may decide, by id."""
    name, of = step.name, step.component
    parts = of.view.parts if of.view else ()
    found = [Unwritten(name, each, each.id, read_by, each.id, of.name) for each in dict.values(of.invariants)]
    found += [Unwritten(name, each, each.id, counted_by, each.id, of.name) for each in dict.values(of.conserved)]
    found += [Unwritten(name, SHOWN, labelled(SHOWN, part), looked_at, part, of.name) for part in parts]
    found += [Unwritten(name, LEFT, labelled(LEFT, part), left_by, part, of.name) for part in parts]
    return {each.id: each for each in found}


@dataclass(frozen=True)
class Unwritten:
    """An obligation that holds if the step writes none of the fields that `fields` returns for `about`."""

    step: str
    property: Property
    label: str
    fields: Any
    about: str
    component: str

    apart = True  # it rests on nothing that was read to list the step

    @builtins.property
    def id(self):
        """The id of the obligation."""
        return f"{self.step}/{self.label}"

    def applies(self):
        """Is none of the fields written?"""
        with guessing():
            return not set(self.fields(self.about, self.component)) & set(written_by(self.step, self.component))

    def __call__(self):
        """Return the row; only the two footprints count as read."""
        note("fact", (written_by, self.step, self.component))
        note("fact", (self.fields, self.about, self.component))
        invariant = self.property.id == self.about
        result = "proved" if self.applies() else "refuted"
        return ObligationResult(
            self.id,
            2 if invariant else 3,
            self.property.id,
            self.step,
            result,
            0.0,
            self.property.sentence,
            solver=SOLVER,
            assumptions=[self.about] if invariant else [],
            reason=REASON if result == "proved" else "its fields are written",
        )


# ---- footprints, by name


def written_by(name, component):
    """Return the fields of the state that a step of a component may write."""
    step = step_named(name, declared(component))
    function = translate(step.function)
    number = None if not step.hypercall else step.operation.number if step.operation else NONE
    if OPERATION in footprint(function).writes:
        number = None
    return below(STATE, footprint(function, number).writes)


def read_by(id_, component):
    """Return the fields of the state that an invariant reads."""
    function = translate(declared(component).invariants[id_].function)
    return below(function.parameters[0].name, footprint(function).reads)


def counted_by(id_, component):
    """Return the fields of the state that a sum is taken of."""
    return sorted(conserved.fields_of(translate(declared(component).conserved[id_].function)))


def looked_at(part, component):
    """Return the fields that decide who sees a part of the state."""
    observing = declared(component).view.observing
    functions = {sees for path in cells_of(part, component) for sees in observing(path)}
    return sorted({path for sees in functions for path in below(STATE, footprint(translate(sees)).reads)})


def left_by(part, component):
    """Return the fields that decide what a step leaves of a part.

    These are its own fields, and those that tell what the step made of it.
    """
    cells, making = cells_of(part, component), declared(component).view.making
    functions = {row.function for path in cells for row in making(path)}
    told = {
        path
        for makes in functions
        for name in (BEFORE, AFTER)
        for path in below(name, footprint(translate(makes)).reads)
    }
    return sorted({*cells, *told})


def cells_of(part, component):
    """Return the fields of a part of the state."""
    of = declared(component)
    return sorted(path for table in of.view.parts[part] for path in leaves(of.state.fields[table], (table,)))


def below(parameter, fields):
    """Return the paths of fields below one parameter."""
    return sorted(path for name, path in fields if name == parameter)
