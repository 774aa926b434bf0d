"""What became of a mutant? It is killed, proved equivalent or alive, or it shows that the prover is wrong."""

import json
import tomllib
from dataclasses import asdict, dataclass

from corollary.codegen.build import Unable
from corollary.codegen.folders import write_whole

EQUIVALENT, SURVIVOR = "equivalent", "survivor"  # the two outcomes that are not kills
UNSOUND = "the prover is wrong"  # it calls a mutant equivalent that does something else


@dataclass
class MutantResult:
    """One mutant and what decided it."""

    id: str
    kind: str
    function: str
    operation: str
    change: str
    what: str
    killed_by: str = ""  # begins with EQUIVALENT and a colon if there was nothing to notice
    seconds: float = 0.0
    reason: str = ""
    states: int = 0  # how many it ran on beside the original, if it is proved equivalent

    @property
    def end(self):
        """What killed it, such as `proof` for `proof: page_map/MEM-3`; else EQUIVALENT, SURVIVOR or UNSOUND."""
        return self.killed_by.split(":")[0] or SURVIVOR


def tally(rows):
    """Count the mutants that were killed, are proved equivalent, and survive."""
    ends = [row.end for row in rows]
    equivalent, survivors = ends.count(EQUIVALENT), ends.count(SURVIVOR)
    return len(ends) - equivalent - survivors - ends.count(UNSOUND), equivalent, survivors


def cross_examined(rows):
    """Return in words how the equivalent mutants ran: how many, on how many states, and how many differ."""
    equivalent, wrong = ([row for row in rows if row.end == end] for end in (EQUIVALENT, UNSOUND))
    if not equivalent and not wrong:
        return ""
    least = min((row.states for row in equivalent), default=0)
    return (
        f"{len(equivalent) + len(wrong)} proved equivalent, each run beside the original on at least {least} states: "
        f"{len(wrong)} differ"
    )


def doubtful(rows):
    """Return the rows that speak against the prover: the mutant differs from the original, or nobody has run it."""
    return [row for row in rows if row.end == UNSOUND or row.end == EQUIVALENT and not row.states]


def write_result(path, rows, sources):
    """Write how the mutants ended, with the fingerprint of the sources that were changed."""
    write_whole(path, json.dumps({"sources": sources, "mutants": [asdict(row) for row in rows]}, indent=1))


def reasons_in(path):
    """Return the reason of each mutant that may survive, by its id, from a file. Raises `Unable` if it has others."""
    try:
        reasons = tomllib.loads(path.read_text()) if path.exists() else {}
    except ValueError as problem:
        raise Unable(f'{path} is no TOML, which has lines `id = "reason"`: {problem}') from None
    for id_, reason in reasons.items():
        if not isinstance(reason, str):
            raise Unable(f'{path}: the reason of {id_} is no text: write `{id_} = "reason"`')
    return reasons


def explained(rows, path):
    """Return the rows; each survivor gets the reason that the file gives."""
    reasons = reasons_in(path)
    for row in rows:
        if not row.killed_by:
            row.reason = reasons.get(row.id, "")
    return rows


def verdict(rows, path):
    """Return `(survivors without a reason, mutants with a reason that do not survive)`."""
    reasons = reasons_in(path)
    return (
        [row for row in rows if not row.killed_by and not row.reason],
        [row for row in rows if row.killed_by and row.id in reasons],
    )
