"""Which mutants have already been decided? Their rows are saved as they arrive, so an interrupted run can resume.

The rows hold only for exactly the same tree. Everything that decides about a mutant is in the files below, or pinned
by one of them.
"""

import json
import os
from dataclasses import asdict
from functools import lru_cache
from pathlib import Path

from corollary.codegen.folders import ROOT
from corollary.proofs.fingerprint import digest
from corollary.proofs.mutants.row import MutantResult

FOLDER = Path("build/cache/mutants")
PARTS = (
    "language",
    "spec",
    "model",
    "codegen",
    "corollary",
    "emulation",
    "proofs",
    "generated",
    "guests",
    "platform",
    "tests",
    "pyproject.toml",
    "constraints.txt",
)
DIED = "job-"  # prefix of the ids of rows about a process that died, not about a mutant


@lru_cache(maxsize=1)
def tree():
    """Return one hash of the contents of all files that decide about mutants."""
    paths = (
        path for part in PARTS for path in ([ROOT / part] if (ROOT / part).is_file() else (ROOT / part).rglob("*"))
    )
    files = sorted(path for path in paths if path.is_file() and "__pycache__" not in path.parts)
    return digest(*(f"{path.relative_to(ROOT)} {digest(path.read_bytes().hex())}" for path in files))


def file(traces):
    """Return the path of the rows that were decided with some traces."""
    return FOLDER / f"{digest(tree(), repr(tuple(traces)))}.jsonl"


def recalled(traces):
    """Return the saved rows by id; a line that is not complete is skipped."""
    found = {}
    for line in file(traces).read_text().splitlines() if file(traces).exists() else ():
        try:
            row = MutantResult(**json.loads(line))
        except (ValueError, TypeError):
            continue
        found[row.id] = row
    return found


def remember(traces, rows):
    """Save rows with a single write, so that two runs do not mix their lines."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    lines = (json.dumps(asdict(row)) + "\n" for row in rows if not row.id.startswith(DIED))
    handle = os.open(file(traces), os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
    with os.fdopen(handle, "ab", buffering=0) as out:
        out.write("".join(lines).encode())
