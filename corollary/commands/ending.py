"""How does a command end, and how does it print its result?"""

import contextlib
import json
import sys
from typing import Annotated, NoReturn

import typer

from corollary.commands.exits import USAGE

AsJson = Annotated[bool, typer.Option("--json", help="Print the result as JSON, and all else to the error output.")]


def finish(code) -> NoReturn:
    """Leave with an exit code."""
    raise typer.Exit(int(code))


def finish_with(decide, as_json, result):
    """Leave with the exit code that `decide` returns.

    As JSON, the standard output has the result alone, which `decide` writes to a file; all else goes to the error
    output.
    """
    if not as_json:
        finish(decide())
    before = written(result)
    with contextlib.redirect_stdout(sys.stderr):
        code = decide()
    if written(result) != before:
        typer.echo(result.read_text())
    finish(code)


def finish_told(tell, as_json):
    """Leave with the exit code of `tell`, which returns it with a result; as JSON, the result is printed alone."""
    if not as_json:
        finish(tell()[0])
    with contextlib.redirect_stdout(sys.stderr):
        code, result = tell()
    if result is not None:
        print_json(result)
    finish(code)


def print_json(result):
    """Print a result as JSON."""
    typer.echo(json.dumps(result, indent=1))


def written(path):
    """Return when a file was written last, in ns; 0 if there is none."""
    return path.stat().st_mtime_ns if path.exists() else 0


def refuse(message) -> NoReturn:
    """Say what was wrong with the call, and leave with exit code 2."""
    typer.echo(message, err=True)
    finish(USAGE)
