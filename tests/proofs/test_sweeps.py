"""Is a loop summarized only where each round has a row of its own, and does the summary leave the rounds' result?"""

import pytest
import z3

from corollary.language.frontend import translate
from corollary.language.types import u64
from corollary.model.kernel.component import KERNEL
from corollary.proofs import bits
from corollary.proofs.symbolic import TOP, Unknown, is_walk
from corollary.proofs.transition import Run, Transition
from corollary.spec.kernel.limits import PARTITIONS
from corollary.spec.kernel.outcome.ring import may_use, usable
from corollary.spec.kernel.state import Kernel, PartitionId
from tests.proofs.kernel import place

ROUNDS = 4


def own_rows(s: Kernel) -> None:
    for i in range(ROUNDS):
        s.partition[PartitionId(i)].nonce = u64(i) + 5


def shared_rows(s: Kernel) -> None:
    for i in range(ROUNDS):
        s.partition[PartitionId(i & 1)].nonce = u64(i) + 5


def rows_of_neighbours(s: Kernel) -> None:
    for i in range(ROUNDS):
        s.partition[PartitionId(i)].nonce = s.partition[PartitionId(i + 1)].nonce


def rows_before_the_first_stop(s: Kernel) -> None:
    for i in range(ROUNDS):
        if s.partition[PartitionId(i)].nonce == 2:
            return
        s.partition[PartitionId(i)].nonce = u64(i) + 5


def nonce_of(run, q):
    """Return the nonce of a partition after a step."""
    cell = place("s").field("partition", Kernel.fields["partition"]).element(q).field("nonce", u64)
    return run.after.read(cell, run.executor.index_types(cell), TOP)


def model_of(function):
    """Return the nonces after a function ran in Python; each partition's nonce was its own number before."""
    s = Kernel()
    for q in range(PARTITIONS):
        s.partition[q].nonce = q
    function(s)
    return [s.partition[q].nonce for q in range(PARTITIONS)]


@pytest.mark.parametrize(
    ("function", "at_once"),
    [
        pytest.param(own_rows, True, id="own rows"),
        pytest.param(shared_rows, False, id="shared rows"),
        pytest.param(rows_of_neighbours, False, id="rows of neighbours"),
        pytest.param(rows_before_the_first_stop, False, id="rows before the first stop"),
    ],
)
def test_a_loop_leaves_what_its_rounds_leave(function, at_once):
    run = Run(Transition("swept", function, component=KERNEL))
    assert isinstance(run.after.heads["s", ("partition", "[]", "nonce")], Unknown) == at_once
    q = z3.Const("q", bits.sort(PartitionId))
    before = z3.Function("s.partition.[].nonce", bits.sort(PartitionId), bits.sort(u64))
    for number, expected in enumerate(model_of(function)):
        solver = z3.Solver()
        solver.add(q == number, *(before(n) == n for n in range(PARTITIONS)))
        solver.add(bits.truth(bits.compare("!=", nonce_of(run, q), expected, u64)))
        assert solver.check() == z3.unsat, number


def test_what_looks_several_times_is_a_walk():
    assert is_walk(translate(usable)) and not is_walk(translate(may_use)) and not is_walk(translate(own_rows))
