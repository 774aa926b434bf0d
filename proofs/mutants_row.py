"""How did a mutant end? Killed by something, proved to do the same as before, or alive."""

from dataclasses import dataclass

EQUIVALENT, SURVIVOR = "equivalent", "survivor"     # the two ends that are no kills


@dataclass
class Row:
    """One mutant and what decided it."""

    id: str
    kind: str
    function: str
    operation: str
    change: str
    what: str
    killed_by: str = ""     # begins with EQUIVALENT and a colon when there was nothing to notice
    seconds: float = 0.0
    reason: str = ""

    @property
    def end(self):
        """What sort of thing noticed it, as `proof` for `proof: page_map/MEM-3`; else EQUIVALENT or SURVIVOR."""
        return self.killed_by.split(":")[0] or SURVIVOR


def tally(rows):
    """How many mutants were killed, are proved equivalent, and survive."""
    ends = [row.end for row in rows]
    equivalent, survivors = ends.count(EQUIVALENT), ends.count(SURVIVOR)
    return len(ends) - equivalent - survivors, equivalent, survivors
