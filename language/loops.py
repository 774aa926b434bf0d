"""What does a loop state about itself?

It states a measure and promises. Proofs check both.
"""


def decreases(measure):
    """State that the unsigned integer `measure` decreases with every round, so the loop ends.

    This comes first in the body of a `while`.
    """


def keeps(promise):
    """State that `promise` holds before the first round and after each.

    This comes first in the body of a `while`.
    """
