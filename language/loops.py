"""What does a loop state about itself?

It states a variant, which is why it ends, and loop invariants. Proofs check both.
"""


def decreases(measure):
    """State the variant of a loop: an unsigned integer that decreases with every round, so the loop ends.

    This comes first in the body of a `while`.
    """


def maintains(invariant):
    """State a loop invariant: it holds before the first round and after each.

    This comes first in the body of a `while`.
    """
