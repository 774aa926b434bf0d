"""Which state shows each thing that can happen? A kept one that still does, or else one that the solver finds now.

The states are kept beside this file.
"""

import sys

from rich.progress import track

from corollary.proofs import steps, witnesses
from corollary.proofs.cover import CASE, PREMISE
from corollary.proofs.prove import REACHES
from corollary.proofs.transition import transitions

ABOUT = (f"/{REACHES}", f"-{PREMISE}-", f"-{CASE}-")


def states_of(step):
    """Return a state for each obligation of a step that something can happen, by its id, and the ids without one."""
    rows = [decide() for id_, _, decide in steps.questions(step) if any(kind in id_ for kind in ABOUT)]
    return {row.id: row.state for row in rows if row.state}, [row.id for row in rows if not row.state]


def main():
    """Write the states; the exit code is 1 if none was found for something."""
    missing = []
    for step in track([steps.ANY_STATE, *(transition.name for transition in transitions())], "states"):
        states, without = states_of(step)
        missing += without
        if states:
            witnesses.save_with_sources(step, states)
    for id_ in missing:
        print(f"{id_}: no state was found that shows it", file=sys.stderr)
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
