"""Does a value fit a JSON schema? Asked in a process of its own: a schema from outside may take for ever."""

from typing import Any

from anyio import to_process

LONGEST = 500  # characters of what is told of a value


async def misfit(schema: Any, value: Any) -> str:
    """Return why a value does not fit a schema, or nothing if it does. The process ends with the task that asks."""
    return await to_process.run_sync(misfit_here, schema, value, cancellable=True)


def misfit_here(schema: Any, value: Any) -> str:
    """Return why a value does not fit a schema, or nothing if it does. Nothing outside of the schema is read."""
    from jsonschema.exceptions import best_match
    from jsonschema.validators import Draft202012Validator, validator_for
    from referencing import Registry

    try:
        kind = validator_for(schema, default=Draft202012Validator)
        kind.check_schema(schema)
        found = best_match(kind(schema, registry=Registry()).iter_errors(value))
    except Exception as problem:  # whatever a schema from outside leads to, it is no schema
        return f"the schema is none: {type(problem).__name__}: {problem}"[:LONGEST]
    return "" if found is None else f"{found.json_path}: {found.message}"[:LONGEST]
