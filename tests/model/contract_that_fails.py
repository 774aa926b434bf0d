"""Does the check of contracts find anything? This contract does not hold, so a check that reports nothing is broken."""

from corollary.spec.kernel.ring import ring_for


def the_threshold_itself_is_not_enough(score: int) -> int:
    """
    pre: 0 <= score <= 1_000_000
    post: __return__ == (1 if score >= 950_000 else 2 if score > 600_000 else 3)
    """
    return ring_for(score, True)
