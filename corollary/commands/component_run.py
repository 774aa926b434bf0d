"""How does a component run from the command line? As a command of WASI 0.2, or as a call of one function."""

from corollary.commands.exits import FAILED, PASSED
from corollary.components.component import Component, ComponentInstance
from corollary.components.host import RUN, imports, run_of
from corollary.components.values import Case, Char, Float, Integer, String

DOES_NOT_FIT = (LookupError, TypeError, ValueError)  # what a command line raises that does not fit the component


def run(binary, wasi, arguments, invoke, fuel, seconds):
    """Run a component, and return the exit code; an error that it returns is a failure.

    Raises one of `DOES_NOT_FIT`, and what `ComponentInstance` raises.
    """
    component = Component(binary)
    instance = ComponentInstance(component, imports(component, wasi))
    name = invoke or run_of(instance)
    if name is None:
        raise LookupError(f"no {RUN} is exported: use --invoke with one of {instance.listed}")
    given = arguments[1:] if invoke else ()
    found = instance.call(name, *values(instance.function(name).signature, given), fuel=fuel, seconds=seconds)
    if invoke and found is not None:
        print(found)
    return FAILED if isinstance(found, Case) and found.label == "error" else PASSED


def values(signature, texts):
    """Return texts as the values of a function; what is left over, the call refuses."""
    types = [*signature.types, *[String()] * (len(texts) - len(signature.types))]
    return [value(type_, text) for type_, text in zip(types, texts)]


def value(type_, text):
    """Return a text as a value of a type; raises `TypeError` or `ValueError`."""
    if isinstance(type_, Integer):
        return int(text, 0)
    if isinstance(type_, Float):
        return float(text)
    if isinstance(type_, (String, Char)):
        return text
    raise TypeError(f"{text!r} cannot be given: only numbers and texts can")
