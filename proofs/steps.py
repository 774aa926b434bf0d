"""Which steps does a component have, and which obligations does each have? An image has some of its own.

A list of obligations is kept until something that it depends on changes. The text of this module is part of that, so
that no obligation added here is passed over.
"""

from importlib import import_module

from corollary.proofs import consistency, cover, unwritten
from corollary.proofs.prove import ANY_STATE, Step, corollary_questions, corollary_step
from corollary.proofs.transition import step_named, transitions


def machine_of(component):
    """Return the module with the obligations of the component's image; None if there is no image."""
    return import_module(component.machine) if component.machine else None


def modules(component):
    """Return the names of the modules that say which obligations there are."""
    return [name for name in (__name__, component.machine) if name]


def of_model(component):
    """Return the names of the steps of the model.

    Those that take long come first, so that no worker is left alone with one at the end.
    """
    return [ANY_STATE, *(transition.name for transition in reversed(transitions(component)))]


def names(component):
    """Return the names of all steps of a component."""
    machine = machine_of(component)
    return [*of_model(component), *(machine.names() if machine else ())]


def may_hold(name, text, component):
    """May an obligation of a step have a text in its id?

    The ids of a step of the model begin with the name of the step and a slash.
    """
    return name not in of_model(component) or "/" not in text or name.endswith(text.split("/")[0])


def questions(name, component):
    """Return the obligations of one step: `(id, level, decide)`."""
    machine = machine_of(component)
    if name == ANY_STATE:
        step = corollary_step(component)
        return [*corollary_questions(step), *consistency.questions(step), *cover.questions(step)]
    if machine and name not in of_model(component):
        return machine.questions(name)
    taken = step_named(name, component)
    return list(unwritten.shortened(taken, Step(taken).questions()))
