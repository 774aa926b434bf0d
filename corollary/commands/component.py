"""What can be asked of a component in a folder of its own: to prove, generate, test, mutate and show it?"""

import json
import keyword
import os
import re
import sys
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

from corollary.codegen.build import Unable
from corollary.codegen.folders import write_whole
from corollary.language.component import FILE, found_in
from corollary.language.names import why_no_field
from corollary.language.property import MODELS

EXAMPLE = "bank"
TEMPLATE = Path(__file__).resolve().parent.parent / "examples" / EXAMPLE
GENERATED = Path("generated")
RESULT, PARTIAL = Path("build/verify.json"), Path("build/verify-only.json")
MUTANTS, MUTANTS_PARTIAL = Path("build/mutants.json"), Path("build/mutants-only.json")
PAGE = Path("build/report/index.html")
TESTED = Path("build/test.json")
NEEDED = {"z3": "verify", "jinja2": "verify", "bitwuzla": "verify", "unicorn": "verify", "hypothesis": "test"}
NEEDED |= dict.fromkeys(("aiohttp", "yarl", "nats", "prometheus_client", "cryptography", "rfc8785"), "serve")
NEEDED |= dict.fromkeys(("mcp", "mcp_types", "uvicorn", "anyio", "httpx2", "pydantic", "jsonschema"), "serve")
NEEDED |= {"opentelemetry": "trace"}


def is_here():
    """Does this folder declare a component? Raises `Unable` if the folder was deleted."""
    try:
        return (Path.cwd() / FILE).is_file()
    except FileNotFoundError:
        raise Unable("this folder was deleted: go to another one") from None


@contextmanager
def needing():
    """Say which extra is missing, where a command needs a package that is not installed."""
    try:
        yield
    except ModuleNotFoundError as problem:
        name = (problem.name or "").split(".")[0]
        extra = NEEDED.get(name, "verify")
        raise Unable(f"{name} is missing: run `{sys.executable} -m pip install 'corollary[{extra}]'`") from problem


def verify(only, full):
    """Prove the component of this folder, with a second solver if `full`. Return the exit status."""
    with needing():
        from corollary.proofs import second
        from corollary.proofs import verify as verifying

        if full:
            os.environ[second.SWITCH] = "1"
        return verifying.main(found_in("."), only, narrating=True)


def generate(check):
    """Write the C of this folder's component into `generated/`, or check that it is there.

    Return the exit status, and what was found as data.
    """
    with needing():
        from corollary.codegen import __main__ as generating
        from corollary.codegen.render import component_texts

        return generating.run(check, component_texts(found_in(".")), "corollary gen", GENERATED)


def test():
    """Run random steps of the model: promises hold, and the generated C does the same. Return the exit status."""
    with needing():
        from corollary.commands.trial import main
        from corollary.emulation.beside import library

        code, _ = generate(check=True)
        if code:
            return code
        component = found_in(".")
        return main(component, library(GENERATED.resolve() / component.name, Path("build")), TESTED)


def text_of(arguments):
    """Return what mutants must contain, of the arguments of `corollary mutants`. Raises `Unable` for other options."""
    if not arguments:
        return ""
    if len(arguments) != 2 or arguments[0] != "--only":
        raise Unable("the mutants of a component take no option but `--only TEXT`")
    return arguments[1]


def mutants(only):
    """Seed bugs in the model of this folder's component, and list those that nothing notices. Return the status."""
    with needing():
        from corollary.proofs.mutants import model

        return model.main(found_in("."), only)


def report(as_json):
    """Write the page with the results of this folder's component, and print its path. Return the exit status."""
    with needing():
        from corollary.report import component as page

        told = page.write(found_in("."), PAGE)
        print(json.dumps(told, indent=1) if as_json else told["page"])
        return 0


def begin(name):
    """Write a folder with a component of this name, made from the example; return its path. Raises `Refused`."""
    why = why_not(name)
    if why:
        raise Refused(f"{name} {why}: take another name, in lower case")
    target = Path(name)
    if target.exists():
        raise Refused(f"{name} is there already: take another name, or remove it")
    for path in sorted(TEMPLATE.glob("*.py")):
        write_whole(target / path.name, renamed(path.read_text(), name))
    return target


class Refused(ValueError):
    """No component can be begun under this name."""


def why_not(name):
    """Return why a package cannot have this name, or an empty string."""
    if not re.fullmatch("[a-z][a-z0-9_]*", name) or keyword.iskeyword(name):
        return "is no name of a package"
    if find_spec(MODELS + name) is not None:
        return "is a component of this project"
    if find_spec(name) is not None:
        return "is a package that Python has"
    state, texts = renamed(EXAMPLE.capitalize(), name), (path.read_text() for path in TEMPLATE.glob("*.py"))
    if name != EXAMPLE and any(re.search(rf"\b{state}\b", text) for text in texts):
        return "names something else in the example that a component begins with"
    return why_no_field(name)


def renamed(text, name):
    """Return a text of the example with another name in it."""
    words = {EXAMPLE: name, EXAMPLE.capitalize(): name.title().replace("_", ""), EXAMPLE.upper(): name.upper()}
    return re.sub(rf"\b({'|'.join(words)})\b", lambda found: words[found[0]], text)
