"""What did earlier commands find? Their files under `build/` may be missing, damaged, or of another version."""

import json
import math
from dataclasses import fields
from typing import Any

from corollary.codegen.build import Unable
from corollary.emulation.count import Counted
from corollary.emulation.verdict import Attempt
from corollary.proofs.mutants.row import MutantResult
from corollary.proofs.prove import ObligationResult
from corollary.report.trust import LEVELS

RESULTS = ("refuted", "unknown", "proved")  # the worst first
KINDS = {float: (int, float), Any: object}
"""What a field of a row may hold, if that is more than its type."""


class Damaged(Unable):
    """A file does not have the form in which its command writes it."""


def verified(path):
    """Return what `corollary verify` found, or None if it did not run.

    These are seconds, kernel_sha256, sources and obligations; the obligations are rows.
    """
    return read(
        path,
        "verify",
        lambda found: {
            "seconds": typed(found["seconds"], float),
            "kernel_sha256": typed(found.get("kernel_sha256", ""), str),
            "sources": typed(found.get("sources", ""), str),
            "obligations": obligations(found["obligations"]),
        },
    )


def mutated(path):
    """Return what `corollary mutants` found, or None if it did not run: the sources, and the mutants as rows."""
    return read(
        path,
        "mutants",
        lambda found: {
            "sources": typed(found["sources"], str),
            "mutants": [MutantResult(**row) for row in rows(found["mutants"], MutantResult)],
        },
    )


def booted(path):
    """Return what `corollary qemu` found, by name, or None if it did not run."""

    def parsed(found):
        typed(found["image_sha256"], str)
        rows(found.get("verdict", []), Attempt)
        if "counted" in found:
            Counted.of(found["counted"])
        return found

    return read(path, "qemu", parsed)


def read(path, command, parsed):
    """Return what a file holds, or None when it is not there. Raises `Damaged`."""
    try:
        return parsed(json.loads(path.read_text()))
    except FileNotFoundError:
        return None
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        advice = f"run `corollary {command}`, which makes it anew"
        raise Damaged(f"{path} is damaged, or of another version: {advice}") from None


def obligations(found):
    """Return rows about obligations once each says something that can be. Raises `TypeError` or `ValueError`."""
    for row in rows(found, ObligationResult):
        step, slash, promise = row["id"].partition("/")
        known = row["result"] in RESULTS and row["level"] in LEVELS and math.isfinite(row["seconds"])
        if not (step and slash and promise and known):
            raise ValueError(f"{row['id']} is no obligation")
    if len({row["id"] for row in found}) < len(found):
        raise ValueError("an obligation is there twice")
    return found


def rows(found, type_):
    """Return a list of rows once each has the fields of a type, with suitable values. Raises `TypeError`."""
    kinds = {field.name: field.type for field in fields(type_)}
    for row in typed(found, list):
        type_(**row)
        for name, value in row.items():
            typed(value, kinds[name])
    return found


def typed(value, type_):
    """Return a value if it has the type. Raises `TypeError`."""
    if not isinstance(value, KINDS.get(type_, type_)):
        raise TypeError(f"{value!r} is no {type_.__name__}")
    return value
