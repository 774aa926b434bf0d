"""What does governance take for an identifier, a score, a path or a number? All else is refused."""

import re
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from enum import Enum
from typing import TypeVar

from corollary.problem import Problem
from corollary.spec.governance.vocabulary import Status
from corollary.spec.ring import PPM

Kind = TypeVar("Kind", bound=Enum)
IDENTIFIER = re.compile(r"[a-zA-Z0-9]([a-zA-Z0-9._:-]*[a-zA-Z0-9])?")  # as a whole: no line end may follow
LONGEST_NAME, LONGEST_PATH = 256, 2048  # characters
EXCEED, REACH = ROUND_CEILING, ROUND_FLOOR
"""How a score is rounded that must exceed a threshold, or reach one: so no score gains by it."""


class Refused(Problem):
    """What governance does not do. `status` says why: a `Status`."""

    def __init__(self, status: Status, told: str = ""):
        super().__init__(f"{told}: {meaning(status)}" if told else meaning(status))
        self.status = status


def meaning(status: Status) -> str:
    """Return what a status says."""
    return Status.notes.get(status.name) or status.name.lower().replace("_", " ")


def told(problem: BaseException) -> str:
    """Return the type of an exception and what it says, if that can be said."""
    try:
        said = str(problem)
    except BaseException:  # whoever made it decides what this raises
        said = "it cannot be told"
    return f"{type(problem).__name__}: {said}" if said else type(problem).__name__


def identifier(what: str, value: object) -> str:
    """Return the identifier of an agent, a session or an action; raises `TypeError`, or `ValueError` for any other."""
    if not isinstance(value, str):
        raise TypeError(f"{what} is a text, not {value!r}")
    if len(value) > LONGEST_NAME or not IDENTIFIER.fullmatch(value):
        raise ValueError(
            f"{what} has 1 to {LONGEST_NAME} letters, digits and . _ : -, begins and ends with a letter or a digit, "
            f"and is not {value[:LONGEST_NAME]!r}"
        )
    return value


def text(what: str, value: object, longest: int) -> str:
    """Return a text that is not blank; raises `TypeError`, or `ValueError` if it is blank or too long."""
    if not isinstance(value, str):
        raise TypeError(f"{what} is a text, not {value!r}")
    if not value.strip() or len(value) > longest:
        raise ValueError(f"{what} has 1 to {longest} characters, not {len(value)}, and is not blank")
    return value


def number(what: str, value: object, least: float, most: float) -> float:
    """Return a number within bounds; raises `TypeError`, or `ValueError` for any other, NaN among them."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise TypeError(f"{what} is a number from {least} to {most}, not {value!r}")
    if not least <= value <= most:  # nor is NaN
        raise ValueError(f"{what} is a number from {least} to {most}, not {value}")
    return value


def whole(what: str, value: object, least: int, most: int) -> int:
    """Return a whole number within bounds; raises `TypeError`, or `ValueError`."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"{what} is a whole number from {least} to {most}, not {value!r}")
    if not least <= value <= most:
        raise ValueError(f"{what} is a whole number from {least} to {most}, not {value}")
    return value


def flag(what: str, value: object) -> bool:
    """Return True or False; raises `TypeError` for anything else."""
    if not isinstance(value, bool):
        raise TypeError(f"{what} is True or False, not {value!r}")
    return value


def member(what: str, value: object, kind: type[Kind]) -> Kind:
    """Return a member of an enumeration; raises `TypeError` for anything else, such as its number."""
    if not isinstance(value, kind):
        raise TypeError(f"{what} is one of {', '.join(each.name for each in kind)}, not {value!r}")
    return value


def parts_per_million(what: str, score: object, rounding: str) -> int:
    """Return a score from 0 to 1 in millionths; raises as `number` does. What is written as 0.85 is 850000."""
    shortest = repr(number(what, score, 0, 1))  # the shortest decimal fraction that is this float
    return int((Decimal(shortest) * PPM).to_integral_value(rounding))
