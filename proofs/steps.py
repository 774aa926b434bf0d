"""Which steps does a component have, and which obligations does each have? Machine code has some of its own.

A list of obligations is kept until something that it depends on changes. The text of this module is part of that, so
that no obligation added here is passed over.
"""

from importlib import import_module

from corollary.proofs import consistency, cover, unwritten
from corollary.proofs.prove import ANY_STATE, Step, corollary_questions, corollary_step
from corollary.proofs.transition import step_named, transitions

COMPILED = "corollary.proofs.machine.components"  # imported where it is asked: it loads the kernel, and what compiles


def compiled():
    """Return the module with the obligations of components without an image that boots."""
    return import_module(COMPILED)


def machine_of(component):
    """Return the module with the obligations of the component's image; None if it has no image that boots."""
    return import_module(component.machine) if component.machine else None


def not_compiled(component):
    """Return why the functions of a component have no obligations about machine code; an empty string if they do."""
    return "" if component.machine else compiled().not_compiled(component.name)


def modules(component):
    """Return the names of the modules that say which obligations there are."""
    return [name for name in (__name__, component.machine or COMPILED) if name]


def of_model(component):
    """Return the names of the steps of the model.

    Those that take long come first, so that no worker is left alone with one at the end.
    """
    return [ANY_STATE, *(transition.name for transition in reversed(transitions(component)))]


def compile_all(component):
    """Compile a component without such an image at every level, once for every worker."""
    if not not_compiled(component):
        compiled().build(component.name)


def left_out(component):
    """Yield in words what no obligation is about: functions whose machine code is not compared with the model."""
    if component.machine:
        return
    why = not_compiled(component)
    if why:
        yield f"the machine code of {component.name}: {why}"
    unproved = {} if why else compiled().unproved(component.name)
    for why in dict.fromkeys(unproved.values()):
        symbols = [function.symbol for function, other in unproved.items() if other == why]
        yield f"the machine code of {len(symbols)} functions, since each {why}: {', '.join(symbols)}"


def names(component):
    """Return the names of all steps of a component."""
    machine = machine_of(component)
    if machine:
        return [*of_model(component), *machine.names()]
    return [*of_model(component), *(() if not_compiled(component) else compiled().steps(component.name))]


def may_hold(name, text, component):
    """May an obligation of a step have a text in its id?

    The ids of a step of the model begin with the name of the step and a slash.
    """
    return name not in of_model(component) or "/" not in text or name.endswith(text.split("/")[0])


def questions(name, component):
    """Return the obligations of one step: `(id, level, decide)`."""
    if name == ANY_STATE:
        step = corollary_step(component)
        return [*corollary_questions(step), *consistency.questions(step), *cover.questions(step)]
    if name not in of_model(component):
        machine = machine_of(component)
        return machine.questions(name) if machine else list(compiled().questions(component.name, name))
    taken = step_named(name, component)
    return list(unwritten.shortened(taken, Step(taken).questions()))
