"""Is what a call takes taken from its caller? A victim gets as much done beside long calls as beside plain computing."""

from codegen.machine import SHIFT, start
from codegen.package import rivals
from codegen.verdict import Run
from spec.limits import LONGEST_CALL, QUANTUM

LEAST_CALLS = 50


def test_long_calls_at_the_end_of_each_quantum_delay_a_victim_by_less_than_one_call(capsys):
    run = Run(bytes(32), names=("shares", "victim", "attacker"))
    for line in start(rivals(), run.key):
        run.take(line)
    (honest,), (attacked,), (calls,) = (map(lambda line: int(line[0], 16), run.lines(0, what))
                                        for what in ("beside one that computes", "beside one that makes long calls", "calls"))
    with capsys.disabled():
        print(f"\n{honest} rounds beside one that computes, {attacked} beside {calls} long calls: {attacked / honest:.4f}")
    assert calls >= LEAST_CALLS
    assert attacked / honest > 2 * QUANTUM / (2 * QUANTUM + (LONGEST_CALL << SHIFT))
