"""Which functions may a specification use without showing the prover their bodies?"""


def intrinsic(function):
    """Mark a pure function whose body stays in Python.

    The prover sees an uninterpreted function. C has a function of the same name.
    """
    function.__intrinsic__ = True
    return function
