"""Do Python, Z3 and C agree on the meaning of every program, and do obligations fail exactly where Python fails?"""

import copy
import importlib.util
import random
from dataclasses import is_dataclass
from types import SimpleNamespace

import pytest

from corollary.language.builtins import BUILTINS
from corollary.language.frontend import translate
from corollary.language.layout import encode
from tests.language import cee, shapes, zee
from tests.language.generator import fill, plain, program, random_scalar
from tests.language.rounds import OUTSIDE

FUNCTIONS, INPUTS, SYMBOLIC_INPUTS, SEED = 400, 8, 4, 20240607
FAILURES = (ValueError, IndexError, ZeroDivisionError)
CONSTANTS = """
#define LIMIT 3
#define LARGE 0x900000000000ull
static const uint8_t BYTES[] = {3, 250, 0, 17, 9};
static const uint64_t WORDS[] = {0x100000000ull, 5, 0xffffffffffffffffull};
"""


def load(folder, name, source):
    """Write a module to a file and import it."""
    path = folder / f"{name}.py"
    path.write_text(source)
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def outcome(function, state, arguments):
    """Return `(result, state)` after a run in Python, or None where it fails."""
    after = copy.deepcopy(state)
    try:
        return function(after, *arguments), after
    except FAILURES:
        return None


def inputs(rng, item, count):
    """Return random states and arguments."""
    for _ in range(count):
        state = fill(rng, shapes.State(), rng.choice((0.2, 0.6, 1.0)))
        yield state, [random_scalar(rng, type_) for _, type_ in item.parameters[1:]]


@pytest.fixture(scope="module")
def batch(tmp_path_factory):
    """Return a few hundred functions: plain and checked Python, IR and a compiled library."""
    folder = tmp_path_factory.mktemp("readings")
    checked, entries = program(random.Random(SEED), FUNCTIONS)
    checked_module, plain_module = load(folder, "checked", checked), load(folder, "plain", plain(checked))
    functions = {item.name: translate(getattr(plain_module, item.name)) for item in entries}
    lines = [cee.PRELUDE, CONSTANTS, *cee.definitions(shapes.State, [])]
    lines += [line for item in cee.ordered(functions.values()) for line in cee.function(item)]
    library = cee.compile_library("\n".join(lines), folder, "batch")
    return SimpleNamespace(
        entries=entries, functions=functions, library=library, checked=checked_module, plain=plain_module
    )


@pytest.fixture(scope="module")
def runs(batch):
    """Run every function on every input: the result in Python, and the result of its checked twin."""
    return compared(batch, inputs, SEED)


def compared(batch, inputs, seed):
    """Run every function on some inputs; one whose obligations hold must return what its checked twin returns."""
    rng, found = random.Random(seed + 1), []
    for item in batch.entries:
        for state, arguments in inputs(rng, item, INPUTS):
            exact = outcome(getattr(batch.checked, item.name), state, arguments)
            result = None if exact is None else outcome(getattr(batch.plain, item.name), state, arguments)
            assert result == exact, f"{item.name}{arguments}: the marks changed the program"
            found.append(
                SimpleNamespace(function=batch.functions[item.name], state=state, arguments=arguments, python=result)
            )
    return found


def compare(run, reading, holds, result, leaves):
    """Compare one reading of one run with Python."""
    where = f"{run.function.name}{run.arguments} on {run.state} [{reading}]"
    assert holds == (run.python is not None), f"{where}: obligations {holds}, Python {run.python}"
    if not holds:
        return
    value, after = run.python
    assert result == value, f"{where}: {result} is not {value}"
    wrong = {path: (number, zee.at(after, path)) for path, number in leaves.items() if number != zee.at(after, path)}
    assert not wrong, f"{where}: {wrong}"


def test_most_runs_satisfy_their_obligations(runs):
    assert sum(run.python is not None for run in runs) > 0.4 * len(runs)


def test_some_runs_violate_them(runs):
    assert sum(run.python is None for run in runs) > 0.05 * len(runs)


def test_every_construct_of_the_language_occurs(batch):
    seen = {type(node).__name__ for item in cee.ordered(batch.functions.values()) for node in cee.ir.walk(item.body)}
    wanted = (
        {name for name, kind in vars(cee.ir).items() if is_dataclass(kind)}
        - {"TypedFunction", "Parameter", "Clause"}
        - OUTSIDE
    )
    assert wanted <= seen, wanted - seen


def test_every_builtin_of_the_language_occurs(batch):
    seen = {
        node.name
        for item in cee.ordered(batch.functions.values())
        for node in cee.ir.walk(item.body)
        if isinstance(node, cee.ir.Builtin)
    }
    assert set(BUILTINS) <= seen, set(BUILTINS) - seen


@pytest.mark.long
def test_z3_on_constants_agrees_with_python(runs):
    for run in runs:
        compare(run, "folded", *zee.folded(run.function, run.state, run.arguments))


@pytest.mark.long
def test_z3_on_variables_agrees_with_python(runs):
    readings = {}
    for number, run in enumerate(runs):
        if number % INPUTS < SYMBOLIC_INPUTS:
            if run.function.name not in readings:
                readings = {run.function.name: zee.Symbolic(run.function)}
            compare(run, "symbolic", *readings[run.function.name].evaluate(run.state, run.arguments))


def test_c_agrees_with_python(batch, runs):
    for run in runs:
        if run.python is not None:
            result, after, data = cee.run(batch.library, run.function, run.state, run.arguments)
            leaves = {path: zee.at(after, path) for path, _ in zee.every_leaf(shapes.State)}
            compare(run, "C", True, result, leaves)
            assert data == encode(after, shapes.State), f"{run.function.name}: padding was written"
