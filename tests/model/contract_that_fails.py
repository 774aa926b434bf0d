"""A contract that does not hold, so that a check which finds nothing wrong means something."""

from spec.kernel.ring import ring_for


def the_threshold_itself_is_not_enough(score: int) -> int:
    """
    pre: 0 <= score <= 1_000_000
    post: __return__ == (1 if score >= 950_000 else 2 if score > 600_000 else 3)
    """
    return ring_for(score, True)
