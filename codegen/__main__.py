"""How is everything in `generated/` generated, or checked?

`python -m corollary.codegen` generates it. With `--check` it only says whether that would change anything.
"""

import sys

from corollary.codegen.folders import GENERATED
from corollary.codegen.render import differing, files, write


def main(arguments):
    """Generate or check the files. Return the exit status."""
    if arguments == ["--check"]:
        found = differing()
        for path in found:
            print(f"generated/{path} is not what the specification says: run `python -m corollary.codegen`")
        return 1 if found else 0
    if arguments:
        print("usage: python -m corollary.codegen [--check]")
        return 2
    changed, stale = write()
    lines = sum((GENERATED / path).read_text().count("\n") for path in files())
    for path in changed:
        print(f"wrote   generated/{path}")
    for path in stale:
        print(f"removed generated/{path}")
    print(f"{len(files())} files, {lines} lines: {len(changed)} written, {len(stale)} removed")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
