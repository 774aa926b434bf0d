"""Which clauses of the specifications does which test ask about?

S is Agent Hypervisor Execution Control 1.0, and AC its companion about audit and compliance; V are the examples of S,
and B the known defects of its reference implementation.
"""

from collections import defaultdict

CLAUSES = """
S1.0 S1.4.1 S1.4.2 S1.4.3 S1.4.4 S1.4.5 S2 S3.1 S3.2 S3.3 S4.1a S4.1b S4.1c S4.1d S4.2 S4.3a S4.3b S5.1 S5.2 S5.3.1
S5.3.2 S5.3.3 S5.3.4 S6.1.1 S6.1.2 S6.1.3 S6.2 S6.3 S6.4 S7.1 S7.2.0 S7.2.1 S7.2.2 S7.2.3 S7.3 S7.4 S8.2 S8.3.1 S8.3.2
S8.3.3 S8.3.4 S8.3.5 S8.3.6 S8.4 S8.5.1 S8.5.2 S8.5.3 S8.6.1 S8.6.2 S8.6.3 S8.6.4 S8.7 S8.8a S8.8b S9.1 S9.2 S9.3 S9.4
S9.5 S9.6 S10.1 S10.2 S10.3 S10.4 S11.1 S11.2 S11.3 S11.4 S11.5 S12.2 S12.3 S12.4 S12.5 S12.6 S12.7 S13.1 S13.2 S13.3
S13.4 S14.1 S14.2 S14.3 S14.4 S14.5 S14.6 S14.7 S15.2 S15.3 S16.1 S16.2 S17.1 S17.2 S17.3 S17.4 S18.1 S18.2 S19.1 S19.2
S20.1 S20.2 S20.3 S20.4 S20.5 S20.6 S21.1 S21.2 AC12.1-2 AC12.3 AC12.4-5 AC12.6 AC12.7 AC13.2-3 AC13.4 AC13.5 AC13.6
AC20.3
""".split()
TESTS = defaultdict(list)
"""The tests of each clause."""
WITHOUT = {
    "S1.0": "is said of all implementations",
    "S2": "says what words mean",
    "S14.6": "is an offer: nothing is committed elsewhere",
    "S18.1": "is a recommendation: a governor has no slots, whoever wants another one makes it",
    "S18.2": "is about those slots",
    "S20.6": "is about an HTTP interface, which governance has none of",
    "S21.1": "is a summary of clauses above",
}
"""Clauses that no test asks about, and why."""
EXAMPLES = [f"V{number}" for number in range(1, 11)]
DEFECTS = [f"B{number}" for number in (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 15)]
"""The others are about what is not here: a denylist of commands, and how parts are put together."""


def clause(*ids):
    """Mark a test as one of these clauses."""

    def mark(test):
        for each in ids:
            TESTS[each].append(test.__name__)
        return test

    return mark
