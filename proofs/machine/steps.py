"""Which obligations has the kernel besides those of its steps? Its machine code has some, and code outside the steps.

A component that is built into an image names a module like this one, which also says which images there are.
"""

from corollary.proofs import outside
from corollary.proofs.machine import called, handlers
from corollary.proofs.machine import obligations as code

APART = (outside, handlers, called)
IMAGES = {
    ("image", f"{handlers.__name__}:built"),
    *(("image", f"{code.__name__}:built#{build}") for build in code.BUILDS),
}
"""The images, as reads of a proof: what all obligations rest on besides the sources."""


def names():
    """Return the names of all steps. Those that take long come first."""
    return [*(name for part in APART for name in part.steps()), *code.steps()]


def questions(name):
    """Return the obligations of one step: `(id, level, decide)`."""
    part = code if name.startswith(code.CODE) else next(part for part in APART if name.startswith(part.PART))
    return list(part.questions(name))


def build():
    """Make every image, once for every worker."""
    for each in code.BUILDS:
        code.built(each)
    handlers.built()


def over_all(rows):
    """Return the obligations that rest on all others."""
    return code.over_all(rows)


def shipped():
    """Return the SHA-256 of the image that ships."""
    return code.built().sha256
