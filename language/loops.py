"""What does a loop say about itself? Its measure and its promises, which proofs hold it to."""


def decreases(measure):
    """The unsigned integer `measure` falls with every round, so the loop ends. First in the body of a `while`."""


def keeps(promise):
    """`promise` holds before the first round and after each. First in the body of a `while`."""
