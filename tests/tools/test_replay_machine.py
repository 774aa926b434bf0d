"""The log of the kernel that runs under QEMU, with all its guests, explains every byte of that kernel's memory."""

import hashlib
import io
import os
from pathlib import Path

import pytest

from codegen import machine, package
from codegen.verdict import Run, information
from spec import memory_map
from spec.hardware import POOL_BASE
from spec.language.layout import decode, encode, offset_of
from spec.limits import RECORDS
from spec.state import Kernel, WitnessRecord
from tools.replay_log import replay
from tools.witness_log import boot_head, end, header


@pytest.fixture(scope="module")
def ended():
    """The log and the memory of a run that came to its end: `(log, state)`."""
    memory = Path(f"/dev/shm/corollary.replay.{os.getpid()}")
    try:
        system, run = package.demonstration(), Run(bytes(range(32)))
        for line in machine.start(system, run.key, *machine.sharing(memory)):
            run.take(line)
        with memory.open("rb") as file:
            file.seek(POOL_BASE - memory_map.RAM)
            state = file.read(Kernel.layout.size)
    finally:
        memory.unlink(missing_ok=True)
    return whole_log(run, system, decode(state, Kernel)), state


def whole_log(run, system, kernel):
    """What was drained to the console, and what still lay in the kernel's log."""
    left = [encode(kernel.log[number % RECORDS], WitnessRecord) for number in range(len(run.records), kernel.sequence)]
    known, records = information(run, system), [*run.records, *left]
    head = boot_head(known)
    for record in records:
        head = hashlib.sha256(head + record[:48]).digest()
    return header(known) + b"".join(records) + end(len(records), head)


def test_the_log_of_the_running_kernel_explains_its_state(ended):
    log, state = ended
    found = replay(io.BytesIO(log), state)
    assert found.fault == "" and found.records > 1000


def test_a_byte_that_the_log_does_not_explain_is_found(ended):
    log, state = ended
    offset = offset_of(Kernel, ("partition", 2, "score"))
    changed = state[:offset] + bytes([state[offset] ^ 1]) + state[offset + 1:]
    assert replay(io.BytesIO(log), changed).fault.startswith("partition[2].score is ")
