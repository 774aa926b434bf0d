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
    return run(bool(arguments), files(), "python -m corollary.codegen")[0]


def run(check, wanted, remedy, target=GENERATED):
    """Generate the files that are wanted, or only check them. Return the exit status and what was found, as data."""
    found = differing(wanted, target)
    lines = sum(text.count("\n") for text in wanted.values())
    data = {"files": len(wanted), "lines": lines, "differing": found, "written": [], "removed": []}
    if not check:
        data["written"], data["removed"] = write(wanted, target)
    say(check, remedy, **data)
    return int(check and bool(found)), data


def say(check, remedy, files, lines, differing, written, removed):
    """Print what was found and done."""
    if check:
        for path in differing:
            print(f"generated/{path} is not what the specification says: run `{remedy}`")
        return
    for path in written:
        print(f"wrote   generated/{path}")
    for path in removed:
        print(f"removed generated/{path}")
    print(f"{files} files, {lines} lines: {len(written)} written, {len(removed)} removed")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
