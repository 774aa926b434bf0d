"""Does a call's time come out of its caller's share? A victim gets as much done beside long calls as without them."""

from corollary.emulation.machine import SHIFT, start
from corollary.emulation.package import rivals
from corollary.emulation.verdict import Transcript
from corollary.spec.kernel.limits import LONGEST_CALL, QUANTUM, SHARES

LEAST_CALLS = 50
TURN = QUANTUM * 300 // SHARES  # ticks: guests/shares.c gives each of the two 300 shares and the least one


def test_long_calls_at_the_end_of_each_quantum_delay_a_victim_by_less_than_one_call(capsys):
    run = Transcript(bytes(32), names=("shares", "victim", "attacker"))
    for line in start(rivals(), run.key):
        run.take(line)
    told = {line[0]: int(line[1], 16) for line in run.told[0]}
    honest, attacked = told["beside one that computes"], told["beside one that makes long calls"]
    calls = told["calls"]
    with capsys.disabled():
        print(f"\n{honest} rounds without long calls, {attacked} beside {calls}: {attacked / honest:.3f}")
    assert calls >= LEAST_CALLS
    assert attacked / honest > 2 * TURN / (2 * TURN + (LONGEST_CALL << SHIFT))
