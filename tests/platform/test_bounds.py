"""Does any run take more instructions or stack than was proved, and would that be noticed?"""

from dataclasses import asdict, replace

import pytest

from corollary.codegen.image import harness_image, kernel_image
from corollary.emulation.count import FROM_GUESTS, Counted, Counter, OfOperation, operation_symbols
from corollary.emulation.machine import Server, start
from corollary.emulation.verdict import Transcript
from corollary.proofs.machine import obligations
from corollary.proofs.machine.bounds import Bounds, operation_numbers
from corollary.proofs.machine.contracts import CAUSES
from corollary.proofs.machine.summary import named
from corollary.report.measured import functions, hypercalls
from tests.differential import LENGTH, played, recorded

PROPERTY = "machine-code"
TRACES = 16
pytestmark = pytest.mark.full  # all paths of the machine code are followed once more


@pytest.fixture(scope="module")
def rows():
    """Return the figures of all paths, as a whole verification finds them."""
    return [
        asdict(decide())
        for step in obligations.steps()
        for id_, _, decide in obligations.questions(step)
        if id_.endswith(f"/{PROPERTY}")
    ]


@pytest.fixture(scope="module")
def bounds(rows):
    return Bounds(rows)


@pytest.fixture(scope="module")
def counting(system, run):
    """Return a whole counted run, and the counts."""
    outcome = Transcript(run.key)
    with Counter(system.kernel) as counter:
        for line in start(system, outcome.key, *counter.arguments):
            outcome.take(line)
        return outcome, counter.read()


@pytest.fixture(scope="module")
def counted(counting):
    return counting[1]


@pytest.fixture(scope="module")
def traced():
    """Return the counts while the server ran random traces.

    The server is entered without an exception, so there are no hypercalls.
    """
    with Counter(kernel_image(), harness_image(kernel_image())) as counter:
        with Server(more=counter.arguments) as server:
            for seed in range(TRACES):
                information, taken, _ = recorded(seed, LENGTH)
                played(server, information, [step for step, *_ in taken])
            server.off()
        return counter.read()


def test_counting_changes_nothing(counting, run):
    assert counting[0] == run


def test_what_is_counted_is_what_the_log_tells_of(counting):
    outcome, counted = counting
    assert counted.functions["witness_append"].runs == int(outcome.value("records")[0], 16)
    assert counted.functions["boot"].runs == 1


def test_no_hypercall_takes_more_than_was_proved(bounds, counted, capsys):
    lines = hypercalls(bounds, counted)
    ran = [line for line in lines if line.runs]
    assert [line for line in lines if line.exceeded] == []
    assert all(line.instructions_proved is not None and line.stack_proved is not None for line in lines) and ran
    with capsys.disabled():
        print(
            f"\n{len(ran)} of {len(lines)} operations ran; not "
            f"{', '.join(line.name for line in lines if not line.runs)}"
        )


def test_no_function_takes_more_than_was_proved_and_most_take_exactly_that(bounds, counted):
    lines = [line for line in functions(bounds, counted) if line.instructions_proved is not None]
    assert [line for line in lines if line.exceeded] == []
    assert 2 * sum(line.exact for line in lines) > len(lines)


def test_no_function_takes_more_than_was_proved_on_random_traces(bounds, traced):
    lines = [line for line in functions(bounds, traced) if line.name in named()]
    assert [line for line in lines if line.exceeded] == []
    assert 2 * sum(line.exact for line in lines) > len(lines)


def test_every_operation_ran_here_or_there_but_the_one_that_ends_all(counted, traced):
    silent = {
        name
        for name, symbol in operation_symbols().items()
        if symbol not in counted.operations and symbol not in traced.functions
    }
    assert silent == {"system_halt"}


def one_less(rows, symbol):
    """Return the rows with every path of a function one instruction shorter."""
    return [
        row
        | {"figures": row["figures"] | {"routes": [[count - 1, *rest] for count, *rest in row["figures"]["routes"]]}}
        if row["operation"] == symbol
        else row
        for row in rows
    ]


def test_a_bound_that_is_one_too_small_is_noticed(rows, bounds, counted):
    for symbol in [line.name for line in functions(bounds, counted) if line.exact]:
        wrong = Bounds(one_less(rows, symbol))
        assert [line.exceeded for line in functions(wrong, Counted({symbol: counted.functions[symbol]}, {}))] == [True]


def test_no_entry_into_the_kernel_takes_too_long(rows, bounds, capsys):
    assert obligations.ends(rows).result == "proved"
    with capsys.disabled():
        print("\nthe longest entry: {} instructions, by {}".format(*bounds.longest()))


def test_an_entry_that_takes_one_instruction_too_many_is_refuted(rows, bounds, monkeypatch):
    monkeypatch.setattr(obligations, "LONGEST_CALL", bounds.longest()[0] - 1)
    assert obligations.ends(rows).result == "refuted"


@pytest.mark.parametrize("symbol", ["hardware_console_put", "sha256_compress", "gate_dispatch"])
def test_an_entry_without_a_bound_is_not_proved_to_end(rows, symbol):
    assert obligations.ends([row for row in rows if row["operation"] != symbol]).result == "unknown"


def test_an_operation_is_bounded_by_the_paths_that_it_can_take(bounds):
    numbers = operation_numbers()
    short, long = [
        bounds.instructions("gate_authorize", (), numbers[name]) for name in ("partition_suspend", "proof_root_commit")
    ]
    hashed = bounds.instructions("sha256_compress")  # often, for the path of a proof of P3, and never without a proof
    assert 2 * hashed < long - short and long <= bounds.instructions("gate_authorize")


@pytest.mark.parametrize("which", ["instructions", "stack"])
def test_a_hypercall_that_takes_one_more_than_was_proved_is_noticed(bounds, counted, which):
    for name, symbol in operation_symbols().items():
        proved = dict(zip(("instructions", "stack"), bounds.hypercall(symbol)))[which]
        if proved is not None:
            most = replace(counted.operations.get(symbol, OfOperation(1, 0, 0, 0, {})), **{which: proved})
            more = replace(most, **{which: proved + 1})
            assert [line.name for line in hypercalls(bounds, Counted({}, {symbol: most})) if line.exceeded] == []
            assert [line.name for line in hypercalls(bounds, Counted({}, {symbol: more})) if line.exceeded] == [name]


def test_what_was_counted_survives_a_file(counted):
    assert Counted.of(asdict(counted)) == counted


def test_the_vectors_of_guests_are_those_of_the_contracts():
    assert list(FROM_GUESTS) == list(CAUSES.values())
