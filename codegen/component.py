"""What does the C of a component consist of? Its operations, its invariants, and everything that they reach."""

import inspect
import sys

from corollary.codegen.checks import INDICES, checked
from corollary.codegen.program import Program
from corollary.language.frontend import translate
from corollary.language.property import component_of
from corollary.language.types import LanguageError

INVARIANTS = "invariants"
TAKEN = ("types", "builtins", INVARIANTS)  # files that every component has
LARGEST = (1 << 31) - 1  # bytes of a state: compilers lay out no larger object for every machine


def program_of(component):
    """Return the functions, types and constants of a component.

    Raises `LanguageError` if two files would have the same name, or an invariant has too many indices.
    """
    check(component)
    promised = checked(component)
    symbols = {translate(function).symbol for function in promised}
    return Program(
        lambda: [*component.functions, *promised],
        common=(component.state.__module__,),
        typed=modules(component),
        apart=lambda: dict.fromkeys(symbols, INVARIANTS),
    )


def modules(component):
    """Return the names of the modules of a component, and of those whose functions it may call: its types are there."""
    rooms = {component.name, *component.calls}
    return tuple(sorted(name for name in sys.modules if "." in name and component_of(name) in rooms))


def check(component):
    """Refuse a component that C could not be made of. Raises `LanguageError`."""
    if component.state.layout.size > LARGEST:
        raise LanguageError(
            f"{component.state.name} takes {component.state.layout.size} bytes, and C may have {LARGEST}",
            inspect.getsourcefile(component.state),
            inspect.getsourcelines(component.state)[1],
            "tables with fewer rows",
        )
    for module in component.modules:
        name = module.rsplit(".", 1)[-1]
        if name in TAKEN:
            raise LanguageError(
                f"{name}.c is generated for every component", f"{name}.py", 1, "another name for the module"
            )
    for promise in component.invariants.values():
        function = translate(promise.function)
        if len(function.parameters) > 1 + INDICES:
            raise LanguageError(
                f"{promise.id} has more than {INDICES} indices", function.file, function.line, "several invariants"
            )
