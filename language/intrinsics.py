"""Which functions does a specification use without showing the prover their bodies?"""


def intrinsic(function):
    """Mark a pure function whose body stays Python: the prover sees an uninterpreted function, C a function of the same name."""
    function.__intrinsic__ = True
    return function
