"""With which code does a command exit, and what does that tell? Nothing else in the project names these numbers."""

PASSED, FAILED, USAGE = 0, 1, 2
INTERRUPTED = 130  # as shells report SIGINT
SIGNALED = 128  # added to the number of the signal that ended a command

MEANINGS = {
    f"{PASSED}": "all is well",
    f"{FAILED}": "it is not: a proof failed, a log is bad, a module was refused or trapped, something is missing",
    f"{USAGE}": "the command was called wrongly, and did nothing",
    f"{INTERRUPTED}": "Ctrl-C ended it; what was decided until then is kept",
    f"{SIGNALED} + n": "signal n ended it",
}
"""What each code tells, for people."""

OF_PROGRAMS = "`corollary run` exits with the status of the program that it ran, if that ended by itself."


def explained():
    """Return what the codes tell, as text in Markdown."""
    lines = [f"* {code}: {meaning}" for code, meaning in MEANINGS.items()]
    return "\n".join(["**Exit codes**", "", *lines, "", OF_PROGRAMS])
