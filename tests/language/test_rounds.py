"""Do Python and C agree on functions outside the kernel? Is a loop that Z3 proves right at every run?"""

import random
from types import SimpleNamespace

import pytest

from corollary.language.frontend import translate
from tests.language import cee, rounds, shapes, zee
from tests.language.generator import plain, random_scalar
from tests.language.test_readings import CONSTANTS, compared, load, outcome

FUNCTIONS, SEED = 240, 20240921
SMALL, TRIES = 105, 40  # functions to be proved, and the number of states in which each is run


def cases(rng, item, count):
    """Return random states and arguments, with mostly small numbers."""
    for _ in range(count):
        yield rounds.heap(rng), [random_scalar(rng, type_) for _, type_ in item.parameters[1:]]


def both(folder, source, entries):
    """Return the plain functions as IR, and both modules: plain, and with all promises checked."""
    modules = load(folder, "checked", rounds.checked(source)), load(folder, "plain", plain(source))
    return {item.name: translate(getattr(modules[1], item.name)) for item in entries}, *modules


@pytest.fixture(scope="module")
def batch(tmp_path_factory):
    """Return functions with loops and slices, compiled."""
    folder = tmp_path_factory.mktemp("rounds")
    source, entries = rounds.functions(random.Random(SEED), FUNCTIONS, size=4, steady=0.9)
    functions, checked, unmarked = both(folder, source, entries)
    seen = []
    lines = [
        cee.PRELUDE,
        CONSTANTS,
        *(line for record in (shapes.State, shapes.Heap) for line in cee.definitions(record, seen)),
    ]
    lines += [line for item in cee.ordered(functions.values()) for line in cee.function(item)]
    library = cee.compile_library("\n".join(lines), folder, "batch")
    return SimpleNamespace(entries=entries, functions=functions, library=library, checked=checked, plain=unmarked)


@pytest.fixture(scope="module")
def runs(batch):
    """Run every function on every input: the result in Python, None where an obligation is broken."""
    return compared(batch, cases, SEED)


def test_most_runs_keep_what_they_say(runs):
    assert sum(run.python is not None for run in runs) > 0.4 * len(runs)


def test_some_runs_do_not(runs):
    assert sum(run.python is None for run in runs) > 0.05 * len(runs)


def test_what_is_not_for_the_kernel_occurs(batch):
    seen = {type(node).__name__ for item in cee.ordered(batch.functions.values()) for node in cee.ir.walk(item.body)}
    assert rounds.OUTSIDE <= seen, rounds.OUTSIDE - seen


def test_c_agrees_with_python(batch, runs):
    for run in runs:
        if run.python is not None:
            found = cee.run_outside(batch.library, run.function, run.state, run.arguments)
            assert found == run.python, f"{run.function.name}{run.arguments} on {run.state}"


@pytest.fixture(scope="module")
def proved(tmp_path_factory):
    """Return small functions, and for each whether it and all its callees are proved, each separately."""
    source, entries = rounds.functions(random.Random(SEED + 2), SMALL, size=2, steady=0.97)
    functions, checked, _ = both(tmp_path_factory.mktemp("proved"), source, entries)
    verdicts = {}
    for item in cee.ordered(functions.values()):
        verdicts[item.symbol] = zee.Outside(item).proved()
    return SimpleNamespace(
        entries=entries,
        functions=functions,
        checked=checked,
        verdicts={
            name: all(verdicts[other.symbol] for other in cee.ordered([item])) for name, item in functions.items()
        },
    )


def failures(proved, item):
    """Return the states and arguments on which a function breaks an obligation."""
    return [
        (state, arguments)
        for state, arguments in cases(random.Random(item.name), item, TRIES)
        if outcome(getattr(proved.checked, item.name), state, arguments) is None
    ]


@pytest.mark.long
def test_what_is_proved_holds_in_every_run(proved):
    for item in proved.entries:
        if proved.verdicts[item.name]:
            assert not failures(proved, item), item.name


def with_loops(proved, verdict):
    """Return the functions with one verdict in which a loop runs, their own or a callee's."""
    return [
        item
        for item in proved.entries
        if proved.verdicts[item.name] == verdict
        and any(
            isinstance(node, cee.ir.While)
            for other in cee.ordered([proved.functions[item.name]])
            for node in cee.ir.walk(other.body)
        )
    ]


@pytest.mark.long
def test_many_functions_with_loops_are_proved_and_many_are_not(proved):
    assert len(with_loops(proved, True)) > 0.1 * SMALL and len(with_loops(proved, False)) > 0.1 * SMALL


@pytest.mark.long
def test_many_that_are_not_proved_fail(proved):
    assert sum(bool(failures(proved, item)) for item in with_loops(proved, False)) > 0.05 * SMALL
