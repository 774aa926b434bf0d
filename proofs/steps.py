"""Which steps does a component have, and which obligations does each have? To the kernel belongs its machine code.

A list of obligations is kept until something that it depends on changes. The text of this module is part of that, so
that no obligation added here is passed over.
"""

from corollary.model.kernel.component import KERNEL
from corollary.proofs import consistency, cover, outside, unwritten
from corollary.proofs.machine import called, handlers
from corollary.proofs.machine import obligations as code
from corollary.proofs.prove import ANY_STATE, Step, corollary_questions, corollary_step
from corollary.proofs.transition import step_named, transitions

APART = (outside, handlers, called)


def names(component=KERNEL):
    """Return the names of all steps of a component.

    Those that take long come first, so that no worker is left alone with one at the end.
    """
    mine = [ANY_STATE, *(transition.name for transition in reversed(transitions(component)))]
    if component is not KERNEL:
        return mine
    others = (name for part in APART for name in part.steps())
    return [*mine, *others, *code.steps()]


def may_hold(name, text, component=KERNEL):
    """May an obligation of a step have a text in its id?

    The ids of a step of the model begin with the name of the step and a slash.
    """
    of_model = name == ANY_STATE or any(transition.name == name for transition in transitions(component))
    return not of_model or "/" not in text or name.endswith(text.split("/")[0])


def apart(name):
    """Return the module with the obligations of a step that is not the kernel's, or None."""
    return next((part for part in APART if name.startswith(part.PART)), None)


def questions(name, component=KERNEL):
    """Return the obligations of one step: `(id, level, decide)`."""
    if component is KERNEL and name.startswith(code.CODE):
        return list(code.questions(name))
    if component is KERNEL and apart(name):
        return list(apart(name).questions(name))
    if name == ANY_STATE:
        step = corollary_step(component)
        return [*corollary_questions(step), *consistency.questions(step), *cover.questions(step)]
    taken = step_named(name, component)
    return list(unwritten.shortened(taken, Step(taken).questions()))
