"""Which state shows each thing that can happen? A kept one that still does, or else one that the solver finds now.

`python -m corollary.proofs.states NAME` writes the states of a component of this project, beside this file.
"""

import sys

from rich.progress import track

from corollary.language.component import declared
from corollary.proofs import steps, witnesses
from corollary.proofs.cover import CASE, PREMISE
from corollary.proofs.prove import REACHES
from corollary.proofs.transition import transitions

ABOUT = (f"/{REACHES}", f"-{PREMISE}-", f"-{CASE}-")


def states_of(step, component):
    """Return a state for each obligation of a step that something can happen, by its id, and the ids without one."""
    rows = [decide() for id_, _, decide in steps.questions(step, component) if any(kind in id_ for kind in ABOUT)]
    return {row.id: row.state for row in rows if row.state}, [row.id for row in rows if not row.state]


def main(name):
    """Write the states of a component; the exit code is 1 if none was found for something."""
    component, missing = declared(name), []
    for step in track([steps.ANY_STATE, *(transition.name for transition in transitions(component))], "states"):
        states, without = states_of(step, component)
        missing += without
        if states:
            witnesses.save_with_sources(name, step, states)
    for id_ in missing:
        print(f"{id_}: no state was found that shows it", file=sys.stderr)
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
