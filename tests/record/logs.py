"""Where do logs to audit come from?

The model runs a random trace, and the test keeps the records that leave its log.
"""

import itertools
import random
from dataclasses import dataclass

from corollary.emulation.generator import Generator
from corollary.emulation.traces import Age, apply
from corollary.language.layout import encode
from corollary.model.kernel.boot import boot
from corollary.model.kernel.schedule import proceed, wait
from corollary.record.running import BEGINNING, absorbed
from corollary.record.witness_log import LINKED, UNIT, end, hash_of, hashed, header
from corollary.spec.kernel.limits import RECORDS
from corollary.spec.kernel.state import BootInformation, Kernel, WitnessRecord


@dataclass
class Recorded:
    """A booted kernel, the steps it took, and the bytes of every record it wrote."""

    state: Kernel
    information: BootInformation
    records: list

    @property
    def chain(self):
        """Return the chain value after the last record."""
        return b"".join(self.state.head[i].to_bytes(4, "big") for i in range(8))

    @property
    def head(self):
        """Return SHA-256 of the log."""
        return hash_of(self.records)

    @property
    def log(self):
        """Return the log as a file."""
        return header(self.information) + b"".join(self.records) + end(self.state.sequence, self.head)

    def collect(self):
        """Keep the records written since the last time."""
        for sequence in range(len(self.records), self.state.sequence):
            self.records.append(encode(self.state.log[sequence % RECORDS], WitnessRecord))


def booted(information):
    """Return a run that has only booted."""
    run = Recorded(Kernel(), information, [])
    boot(run.state, information)
    run.collect()
    return run


def run_trace(seed, steps, records=None, waits=0.0):
    """Return a run of this many random steps or, at most, this many records.

    Counters never leap, because no kernel makes them leap. `waits` is how often a partition gives way without a call
    (WFI), which leaves no record.
    """
    generator = Generator(random.Random(seed))
    run = booted(generator.information)
    for _ in range(steps):
        while not run.state.idle and generator.maybe(waits):
            wait(run.state)
            proceed(run.state)
        step = generator.next(run.state)
        if step is None or len(run.records) == records:
            break
        if not isinstance(step, Age):
            apply(run.state, step)
            run.collect()
    return run


def run_with_records(count, first_seed):
    """Return a run that wrote exactly this many records.

    Some random runs end too early, so the first seed that gets there is taken.
    """
    runs = (run_trace(seed, steps=100 * count, records=count) for seed in itertools.count(first_seed))
    return next(run for run in runs if len(run.records) == count)


def relink(records):
    """Return the records with every link recomputed, as a forger without the key can do."""
    chain, out = BEGINNING, []
    for record in records:
        chain = absorbed(chain, hashed(record))
        out.append(record[:LINKED] + chain[: UNIT - LINKED])
    return out


def chain_after(records):
    """Return the chain value after some records."""
    chain = BEGINNING
    for record in records:
        chain = absorbed(chain, hashed(record))
    return chain
