"""Which steps are there, and which obligations does each have?

A list of obligations is kept until something that it depends on changes. The text of this module is part of that, so
that no obligation added here is passed over.
"""

from corollary.proofs import consistency, cover, outside, unwritten
from corollary.proofs.machine import called, handlers
from corollary.proofs.machine import obligations as code
from corollary.proofs.prove import Step, corollary_questions, corollary_step
from corollary.proofs.transition import step_named, transitions

ANY_STATE = "any state"
APART = (outside, handlers, called)


def names():
    """Return the names of all steps.

    Those that take long come first, so that no worker is left alone with one at the end.
    """
    others = (name for part in APART for name in part.steps())
    return [ANY_STATE, *(transition.name for transition in reversed(transitions())), *others, *code.steps()]


def may_hold(name, text):
    """May an obligation of a step have a text in its id?

    The ids of a step of the kernel begin with the name of the step and a slash.
    """
    of_kernel = name == ANY_STATE or any(transition.name == name for transition in transitions())
    return not of_kernel or "/" not in text or name.endswith(text.split("/")[0])


def apart(name):
    """Return the module with the obligations of a step that is not the kernel's, or None."""
    return next((part for part in APART if name.startswith(part.PART)), None)


def questions(name):
    """Return the obligations of one step: `(id, level, decide)`."""
    if name.startswith(code.CODE):
        return list(code.questions(name))
    if apart(name):
        return list(apart(name).questions(name))
    if name == ANY_STATE:
        step = corollary_step()
        return [*corollary_questions(step), *consistency.questions(step), *cover.questions(step)]
    return list(unwritten.shortened(step_named(name), Step(step_named(name)).questions()))
