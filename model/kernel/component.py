"""What is the kernel, as a component: its state, its operations, and all other steps that it can take?"""

from corollary.language.component import CALL, Component
from corollary.model.kernel import promises  # whoever asks for the kernel gets all of them
from corollary.model.kernel.action import contain, guest_store, preempt
from corollary.model.kernel.agent import absorb, close_module
from corollary.model.kernel.boot import boot
from corollary.model.kernel.clock import later
from corollary.model.kernel.device import device_write, find
from corollary.model.kernel.gate import OPERATIONS, dispatch
from corollary.model.kernel.operation import check_guards
from corollary.model.kernel.partition import together
from corollary.model.kernel.proof import hash_mutation, path_holds
from corollary.model.kernel.ring import credit_at, left_of, shed_tools
from corollary.model.kernel.schedule import rotate, survey, wait
from corollary.model.kernel.witness import chain, copy_record, return_record
from corollary.spec.kernel.block import lowest, runs
from corollary.spec.kernel.limits import PAGES
from corollary.spec.kernel.observation import VIEW
from corollary.spec.kernel.sha256 import authenticate, compress
from corollary.spec.kernel.state import BootInformation, Call, Kernel, PartitionId
from corollary.spec.kernel.traffic import with_message
from corollary.spec.kernel.vocabulary import Status
from corollary.spec.kernel.witness import counted_on

__all__ = ("KERNEL", "promises")

KERNEL = Component(
    state=Kernel,
    operations=OPERATIONS,
    boot=boot,
    gate=dispatch,
    actions=(preempt, contain, wait, survey, rotate, guest_store, device_write, find),
    objects={CALL: Call, "information": BootInformation},
    actor=PartitionId,
    calls=("agent", "ring"),
    answers=("result", "yields"),
    books=(
        "log",
        "head",
        "sequence",
        "time",
        "partition.bucket",
        "partition.messages",
        "partition.records",
        "partition.refused",
        "partition.awaited",
    ),
    turn=("idle",),  # who gives way leaves the processor free
    hashed=Status.POLICY_VIOLATION,
    named=(credit_at, left_of),
    log="log",
    lists=("pages", "owned", PAGES),
    sets=("heads",),
    view=VIEW,
    secret="key",
    hash=compress,
    large=(hash_mutation, path_holds, absorb, close_module, authenticate, chain, copy_record, return_record),
    cut=(together, counted_on, shed_tools, runs, lowest),
    alike=(later, with_message),
    machine="corollary.proofs.machine.steps",
    demands=check_guards,
    outcomes="spec/kernel/outcome/",
)
