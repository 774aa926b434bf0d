"""Do the invariants of a component hold after random steps, and does its C do the same as its model?"""

import json
import sys
from collections import Counter
from pathlib import Path

import hypothesis
from hypothesis import configuration, strategies

from corollary.codegen.folders import write_whole
from corollary.commands.exits import FAILED, PASSED
from corollary.emulation.beside import Beside
from corollary.emulation.native import Differs
from corollary.language.component import OK
from corollary.language.contracts import ContractError
from corollary.language.types import OutOfRange, is_enum
from corollary.language.values import spell
from corollary.proofs.conserved import total
from corollary.proofs.whole import broken

RUNS, LONGEST = 200, 40  # runs, and the most steps of each
FEW = 4  # values that are tried more often than others, so that steps are about the same rows
NEAR = (-1, 0, 1)
HOME = Path("build/hypothesis")


class Broken(AssertionError):
    """A promise is broken, or the C of a component and its model differ. The message has the steps that lead there."""


def main(component, library, result):
    """Run a component on random steps; print how they ended, or the shortest that show a mistake; return 0 or 1.

    The same is written as JSON to the file `result`.
    """
    ended = Counter()
    configuration.set_hypothesis_home_dir(HOME)

    # a step may take any time on a busy machine; the shortest steps that show the first mistake are printed, so
    # nothing is kept, and no second mistake is looked for
    @hypothesis.settings(max_examples=RUNS, deadline=None, database=None, report_multiple_bugs=False)
    @hypothesis.given(steps_of(component))
    def trial(steps):
        run(component, library, steps, ended)

    mistake = ""
    try:
        trial()
    except Broken as problem:
        mistake = str(problem)
    rows = [{"operation": name, "status": status, "steps": count} for (name, status), count in sorted(ended.items())]
    write_whole(result, json.dumps({"steps": ended.total(), "ended": rows, "mistake": mistake}, indent=1))
    if mistake:
        print(mistake)
        return FAILED
    for row in rows:
        print(f"{row['steps']:8} {row['operation']} {row['status']}")
    print(f"{ended.total()} steps: every invariant and every sum holds, and C does the same as the model")
    return PASSED


def steps_of(component):
    """Return the strategy for a list of steps: an operation and its arguments."""
    numbers = numbers_in(component)
    each = [
        strategies.tuples(strategies.just(operation), *(values_of(type_, numbers) for _, type_ in operation.parameters))
        for operation in component.operations
    ]
    step = strategies.one_of(each)
    return strategies.lists(step, max_size=LONGEST) | strategies.lists(step, min_size=LONGEST // 2, max_size=LONGEST)


def numbers_in(component):
    """Return the numbers that the component's modules give names to, and those beside them: limits lie there."""
    named = {
        value for module in component.modules for value in vars(sys.modules[module]).values() if type(value) is int
    }
    return {value + more for value in named for more in NEAR}


def values_of(type_, numbers):
    """Return the strategy for a value of a type, often a small one or one of some numbers."""
    if is_enum(type_) or type_.name == "bool":
        return strategies.sampled_from(list(type_) if is_enum(type_) else [False, True])
    fitting = sorted(
        {*range(min(FEW, type_.bound)), type_.bound - 1, *(number for number in numbers if type_.contains(number))}
    )
    return strategies.sampled_from(fitting) | strategies.integers(0, type_.bound - 1)


def run(component, library, steps, ended):
    """Take some steps from the first state, and count how they end. Raises `Broken`."""
    beside = None
    try:
        beside = Beside(component, library)
        check(beside)
        for operation, *arguments in steps:
            status = beside.take(operation.function, *arguments)
            ended[operation.name, OK if status is None else status.name] += 1
            check(beside)
    except (Differs, OutOfRange, IndexError, ContractError) as problem:
        taken = "; ".join(beside.steps) if beside else "the first step"
        raise Broken(f"{taken}: {problem}") from problem


def check(beside):
    """Raise `Differs` if the model breaks an invariant, or a sum is not what it was."""
    for property_, indices in broken(beside.model, beside.component.invariants.values()):
        at = spell((property_.id, *map(int, indices)))
        raise Differs(f"{at} does not hold: {property_.sentence}")
    for property_ in beside.component.conserved.values():
        found = total(beside.model, property_)
        if found != property_.total:
            raise Differs(f"{property_.id} does not hold: {property_.sentence}; it is {found}, not {property_.total}")
