"""What does the kernel consist of?

It consists of everything that boot, a call, or an event can reach, and of the invariants.
"""

from corollary.codegen.checks import checked
from corollary.codegen.folders import file_of
from corollary.codegen.program import Program
from corollary.language.frontend import translate
from corollary.model.kernel.action import contain, preempt
from corollary.model.kernel.boot import boot
from corollary.model.kernel.component import KERNEL as COMPONENT
from corollary.model.kernel.device import find
from corollary.model.kernel.gate import OPERATIONS, dispatch
from corollary.model.kernel.kept import keep, measure_start, take
from corollary.model.kernel.measure import (
    forget_key,
    measure_pages,
    measure_pair,
    measure_root,
    measure_words,
    take_secret,
    unpack,
)
from corollary.model.kernel.package import accept
from corollary.model.kernel.report import (
    refusal,
    say,
    tell_end,
    tell_fault,
    tell_kept,
    tell_key,
    tell_measurements,
    tell_number,
    tell_violation,
)
from corollary.model.kernel.schedule import rotate, survey, wait
from corollary.spec.kernel.schedule import dozes

OUTSIDE = (  # of all steps: before boot, and when the kernel cannot go on
    accept,
    take_secret,
    take,
    measure_pages,
    measure_words,
    measure_pair,
    measure_start,
    measure_root,
    unpack,
    forget_key,
    tell_kept,
    keep,
)
SPOKEN = (say, refusal, tell_end, tell_fault, tell_key, tell_measurements, tell_number, tell_violation)
ROOTS = (boot, dispatch, preempt, contain, wait, survey, rotate, dozes, find, *OUTSIDE, *SPOKEN)


def invariant_symbols():
    """The C names of the invariants that are functions."""
    return {translate(function).symbol for function in checked(COMPONENT)}


KERNEL = Program(
    lambda: [*ROOTS, *checked(COMPONENT)],
    common=(
        "corollary.spec.ring",
        "corollary.spec.kernel.limits",
        "corollary.spec.kernel.vocabulary",
        "corollary.spec.kernel.state",
        "corollary.spec.kernel.packed",
    ),
    typed=(
        "corollary.spec.agent",
        "corollary.spec.ring",
        "corollary.spec.kernel.sha256",
        "corollary.spec.kernel.vocabulary",
        "corollary.spec.kernel.message",
        "corollary.spec.kernel.package",
        "corollary.spec.kernel.state",
        "corollary.spec.kernel.kept",
        "corollary.spec.kernel.memory_map",
        "corollary.spec.kernel.hardware",
        "corollary.spec.kernel.schedule",
    ),
    apart=lambda: dict.fromkeys(invariant_symbols(), "invariants"),
    numbers=lambda: {declared.constant for declared in OPERATIONS},
    copies=True,
)


def functions():
    """Every function of the kernel, callees first."""
    return KERNEL.functions


def operation_files():
    """The files that declare operations."""
    return tuple(dict.fromkeys(file_of(declared.function.__module__) for declared in OPERATIONS))


def leaves():
    """The functions that end with a call of assembly."""
    return [function for function in functions() if function.hardware]
