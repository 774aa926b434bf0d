"""Does a value fit a JSON schema?

Asked in a process of its own: a schema from outside may take for ever, and all the memory that there is.
"""

import resource
from typing import Any

from anyio import BrokenWorkerProcess, CapacityLimiter, to_process

LONGEST = 500  # characters of what is told of a value
MEMORY = 256 << 20  # bytes that the process may have
TOO_LARGE = f"the schema is none: to check a value takes more than {MEMORY >> 20} MiB"


async def misfit(schema: Any, value: Any, turns: CapacityLimiter) -> str:
    """Return why a value does not fit a schema, or nothing if it does. The process ends with the task that asks.

    Who gives schemas waits for its own turns alone.
    """
    try:
        return await to_process.run_sync(misfit_within, schema, value, cancellable=True, limiter=turns)
    except BrokenWorkerProcess:  # nothing was left to say that there is no memory
        return TOO_LARGE


def misfit_within(schema: Any, value: Any) -> str:
    """Do the same within the memory that this process may have from now on."""
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    return misfit_here(schema, value)


def misfit_here(schema: Any, value: Any) -> str:
    """Return why a value does not fit a schema, or nothing if it does. Nothing outside of the schema is read."""
    from jsonschema.exceptions import best_match
    from jsonschema.validators import Draft202012Validator, validator_for
    from referencing import Registry

    try:
        kind = validator_for(schema, default=Draft202012Validator)
        kind.check_schema(schema)
        found = best_match(kind(schema, registry=Registry()).iter_errors(value))
    except MemoryError:
        return TOO_LARGE
    except Exception as problem:  # whatever a schema from outside leads to, it is no schema
        return f"the schema is none: {type(problem).__name__}: {problem}"[:LONGEST]
    return "" if found is None else f"{found.json_path}: {found.message}"[:LONGEST]
