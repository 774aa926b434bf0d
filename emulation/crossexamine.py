"""Is a mutant that the prover calls equivalent really equivalent?

It runs beside the original, in something that shares no code with the prover. A difference is a mistake of the
prover, whatever the mutant does.
"""

from dataclasses import dataclass

from corollary.emulation import cases, handlers
from corollary.emulation.lockstep import shipped
from corollary.emulation.pair import Pair
from corollary.emulation.processor import INSTRUCTION

STATES = 10_000


@dataclass(frozen=True)
class Testimony:
    """On how many states a mutant ran beside the original, and how they differ on the last one, if they do."""

    states: int
    difference: str = ""


def crossexamine(mutant, states=STATES):
    """Run a mutant of machine code, of the kernel or of the WebAssembly machine, beside the original."""
    done = 0
    for difference in differences(mutant, states):
        done += 1
        if difference:
            return Testimony(done, difference)
    return Testimony(done)


def differences(mutant, states):
    """Yield how the mutant differs from the original, or None, for each of so many states."""
    patches = [(mutant.address, mutant.new.to_bytes(INSTRUCTION, "little"))]
    program, regions = handlers.built()
    if program.symbols.get(mutant.function, [0])[0] + mutant.offset == mutant.address:
        pair = Pair(program, patches, handlers.WATCHED, regions)
        return handlers.HandlerCases(pair, mutant.function).differences(states)
    pair = Pair(shipped(), patches, cases.WATCHED)
    return cases.Cases(pair, mutant.function, mutant.offset).differences(states)
