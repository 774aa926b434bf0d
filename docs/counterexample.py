"""What does `corollary explain` show when the model is broken? Each break needs a process of its own.

python -m docs.counterexample NAME        prints it for a break of `corollary.proofs.mutants.breaks`
"""

import json
import sys

from rich.console import Console

from corollary.proofs.mutants.breaks import NAMED, decide

WIDTH = 76  # columns of a block on a page


def main(name):
    """Decide the obligation that a break must turn red, and print its counterexample as `explain` does."""
    row = decide(NAMED[name])
    # what these import reads the model, which is broken by now
    from corollary.proofs.verify import as_data
    from corollary.report.explain import picture, replayed

    data = json.loads(json.dumps(as_data(row)))
    Console(width=WIDTH).print(picture(data, replayed(data["counterexample"])))


if __name__ == "__main__":
    main(sys.argv[1])
