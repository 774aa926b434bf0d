"""How long does a record of the log take, and a check of a handle, beside the SHA-256 of as many bytes?

The generated C runs on this machine, where its SHA-256 is portable C; in the image it is instructions of the processor.
OpenSSL hashes a long message, so that its figure is of a block and not of a call. Seconds are processor time.
"""

import ctypes
import hashlib
import random
import statistics
import time

from corollary.codegen import build
from corollary.codegen.build import Unable
from corollary.codegen.folders import ROOT
from corollary.emulation.generator import Generator
from corollary.emulation.native import Machine
from corollary.language.layout import size_of
from corollary.model.kernel.gate import lookup
from corollary.spec.kernel.hypercalls import OPERATIONS
from corollary.spec.kernel.state import Call, CapabilityId, WitnessRecord

DRIVER = ROOT / "bench" / "drivers" / "kernel.c"
TIMES, ROUNDS, SEED = 100_000, 9, 0
NAMES = ("append a record", "check a handle (P1)", "SHA-256 of as many bytes, by OpenSSL")


def nanoseconds(run):
    """Return the nanoseconds of one of many in a run, the median of some rounds."""
    found = []
    for _ in range(ROUNDS):
        start = time.process_time_ns()
        run()
        found.append((time.process_time_ns() - start) / TIMES)
    return statistics.median(found)


def admitted(s):
    """Return a call whose handle P1 accepts, in a state. Raises `Unable` if there is none."""
    for declared in OPERATIONS:
        for slot in range(CapabilityId.bound):
            call = Call(operation=declared.number)
            call.argument[0] = slot
            if declared.takes_handle and lookup(s, call) == 0:
                return call
    raise Unable("no handle of the root partition is accepted after a boot")


def measured():
    """Return the nanoseconds of each by its name. Raises `Unable` if the C does not check what the model does."""
    machine = Machine(Generator(random.Random(SEED)).information, build.host_library(extra=(DRIVER,)))
    call = machine.buffer(admitted(machine.model), Call)
    library, message = machine.library, bytes(TIMES * size_of(WitnessRecord))
    library.check_many.restype = ctypes.c_uint64
    if library.check_many(machine.memory, call, ctypes.c_uint64(1)) != 1:
        raise Unable("the C refuses a handle that the model accepts")
    runs = (
        lambda: library.append_many(machine.memory, call, ctypes.c_uint64(TIMES)),
        lambda: library.check_many(machine.memory, call, ctypes.c_uint64(TIMES)),
        lambda: hashlib.sha256(message).digest(),
    )
    return dict(zip(NAMES, map(nanoseconds, runs)))
