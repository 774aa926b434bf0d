"""How did a mutant end? Killed by something, proved to do the same as before, or alive; or it shows that the prover is wrong."""

from dataclasses import dataclass

EQUIVALENT, SURVIVOR = "equivalent", "survivor"     # the two ends that are no kills
UNSOUND = "the prover is wrong"     # it calls equivalent what does something else


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
    states: int = 0         # on which it was run beside the original, when it is proved equivalent

    @property
    def end(self):
        """What sort of thing noticed it, as `proof` for `proof: page_map/MEM-3`; else EQUIVALENT, SURVIVOR or UNSOUND."""
        return self.killed_by.split(":")[0] or SURVIVOR


def tally(rows):
    """How many mutants were killed, are proved equivalent, and survive."""
    ends = [row.end for row in rows]
    equivalent, survivors = ends.count(EQUIVALENT), ends.count(SURVIVOR)
    return len(ends) - equivalent - survivors - ends.count(UNSOUND), equivalent, survivors


def cross_examined(rows):
    """What came of running those that are proved equivalent, in words: how many, on how many states, and what differs."""
    equivalent, wrong = ([row for row in rows if row.end == end] for end in (EQUIVALENT, UNSOUND))
    if not equivalent and not wrong:
        return ""
    least = min((row.states for row in equivalent), default=0)
    return f"{len(equivalent) + len(wrong)} proved equivalent, each run beside the original on at least {least} states: {len(wrong)} differ"


def doubtful(rows):
    """Those that speak against the prover: run beside the original they differ, or nobody has run them."""
    return [row for row in rows if row.end == UNSOUND or row.end == EQUIVALENT and not row.states]
