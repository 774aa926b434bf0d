"""How is everything in `generated/` generated, or checked?

`python -m corollary.codegen` generates it. With `--check` it only says whether that would change anything.
"""

import sys

from corollary.codegen.folders import GENERATED
from corollary.codegen.render import differing, files, write


def main(arguments):
    """Generate or check the files of this project. Return the exit status."""
    if arguments not in ([], ["--check"]):
        print("usage: python -m corollary.codegen [--check]")
        return 2
    return check(files(), "python -m corollary.codegen") if arguments else generate(files())


def check(wanted, remedy, target=GENERATED):
    """Say which files are not what is wanted. Return the exit status."""
    found = differing(wanted, target)
    for path in found:
        print(f"generated/{path} is not what the specification says: run `{remedy}`")
    return 1 if found else 0


def generate(wanted, target=GENERATED):
    """Make the files what is wanted, and say which were not. Return the exit status."""
    changed, stale = write(wanted, target)
    lines = sum((target / path).read_text().count("\n") for path in wanted)
    for path in changed:
        print(f"wrote   generated/{path}")
    for path in stale:
        print(f"removed generated/{path}")
    print(f"{len(wanted)} files, {lines} lines: {len(changed)} written, {len(stale)} removed")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
