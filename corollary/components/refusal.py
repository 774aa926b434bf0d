"""Why is a component refused, or ended?"""

from collections.abc import Callable
from typing import NoReturn, TypeVar

from corollary.module import Refused
from corollary.outcome import Stopped, Trapped
from corollary.problem import Problem
from corollary.spec.wasm.refusals import Refusal

Found = TypeVar("Found")


class ComponentRefused(Refused):
    """The bytes are not a component that may run.

    `message` says why, `offset` is the position of the byte, and `needs` names the missing extension of the component
    model, if that is the reason. `refusal` is that of a core module, where one in the component was refused.
    """

    def __init__(self, message: str, offset: int, needs: str | None = None, refusal: Refusal = Refusal.NONE):
        self.message, self.offset, self.needs, self.refusal = message, offset, needs, refusal
        missing = f": the component needs {needs}, which this machine does not have" if needs else ""
        Problem.__init__(self, f"{message}, at byte {offset:#x}{missing}")


def trap(message: str) -> NoReturn:
    """End a call that breaks the rules of the canonical ABI: raise `Trapped`."""
    raise Trapped(message=message)


def run_to_its_end(function: Callable[..., Found], *values: object) -> Found:
    """Return what a function returns; raises `Stopped` when it is suspended."""
    try:
        return function(*values)
    except Stopped as stopped:
        if stopped.outcome is None:
            raise
        raise Stopped(f"{stopped.outcome}, and a component cannot go on later", stopped.outcome) from None
