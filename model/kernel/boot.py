"""How is the first state built? Seven phases, each measured and recorded, ending in the root partition."""

from corollary.language.types import u32
from corollary.model.kernel.capability import mint
from corollary.model.kernel.memory import link, link_own, take
from corollary.model.kernel.witness import append_for_kernel
from corollary.spec.kernel.capability import capability_id
from corollary.spec.kernel.interface import INTERFACE
from corollary.spec.kernel.limits import (
    AGENTS,
    BURST,
    EDGES,
    NOTIFICATIONS,
    PACKAGE_LIMIT,
    PARTITIONS,
    PPM,
    PROOF_ROOTS,
    REGIONS,
    ROOT,
    ROOT_QUOTA,
    ROOT_TRANSPORTS,
    SHARES,
    UNITS,
)
from corollary.spec.kernel.memory import mapping_id, table_descriptor
from corollary.spec.kernel.memory_map import PHASES
from corollary.spec.kernel.packed import Halves
from corollary.spec.kernel.sha256 import begin
from corollary.spec.kernel.state import (
    BootInformation,
    EntryId,
    Kernel,
    Ordinal,
    PageId,
    PartitionId,
    ProofRootId,
    SlotId,
)
from corollary.spec.kernel.vocabulary import ALL_RIGHTS, Access, Action, ObjectKind, PageKind, PartitionState, Ring

GUEST_BASE = 0x8000_0000  # intermediate physical address of every guest image
GUEST_ENTRY = 2  # of GUEST_BASE in the level-1 table
ROOT_TABLES = 3  # pages 0, 1, 2; the boot package follows
SLOT_OWN = 1  # where boot puts the capabilities of the root partition
SLOT_SCHEDULER = 2
SLOT_LOG = 3
SLOT_PROOF_ROOTS = 4
SLOT_REGIONS = 8
SLOT_CONSOLE = 24
SLOT_TRUST = 25
SLOT_COHERENCE = 26
SLOT_TRANSPORTS = 27


def root_slot(s: Kernel, slot: u32, kind: ObjectKind, object: u32) -> None:
    """Give the root partition a capability with all rights."""
    mint(s, capability_id(PartitionId(ROOT), SlotId(slot)), kind, object, 0, ALL_RIGHTS)


def create_root(s: Kernel, information: BootInformation) -> None:
    """Create the root partition and the only capabilities that exist at first."""
    root = s.partition[PartitionId(ROOT)]
    root.state = PartitionState.CREATED
    root.score = PPM
    root.consensus = True
    root.ring = Ring.PRIVILEGED
    root.warden = True
    root.quota = ROOT_QUOTA
    root.share = SHARES
    root.numbers = PARTITIONS
    root.edges = EDGES
    root.notifications = NOTIFICATIONS
    root.agents = AGENTS
    root.units = UNITS
    root.bucket.credit = BURST
    root.bucket.refilled = s.time
    root_slot(s, SLOT_OWN, ObjectKind.PARTITION, ROOT)
    root_slot(s, SLOT_SCHEDULER, ObjectKind.SCHEDULER, 0)
    root_slot(s, SLOT_LOG, ObjectKind.WITNESS_LOG, 0)
    root_slot(s, SLOT_CONSOLE, ObjectKind.DEVICE, 0)
    root_slot(s, SLOT_TRUST, ObjectKind.TRUST, 0)
    root_slot(s, SLOT_COHERENCE, ObjectKind.COHERENCE, 0)
    for i in range(PROOF_ROOTS):
        root_slot(s, SLOT_PROOF_ROOTS + i, ObjectKind.PROOF_ROOT, i)
    for i in range(REGIONS):
        root_slot(s, SLOT_REGIONS + i, ObjectKind.REGION, i)
    for i in range(ROOT_TRANSPORTS):
        root_slot(s, SLOT_TRANSPORTS + i, ObjectKind.TRANSPORT, i)


def map_root_page(s: Kernel, number: u32, access: Access) -> None:
    """Map page `number` of the boot package where the root image expects it."""
    link_own(s, PageId(ROOT_TABLES + number), PageId(2), EntryId(number), access)


def place_package_page(s: Kernel, information: BootInformation, number: u32) -> None:
    """Give the root partition page `number` of the boot package, if there is one; map it if it is in root's image."""
    if number < information.package:
        take(s, PageId(ROOT_TABLES + number), PageKind.DATA, PartitionId(ROOT))
        if number < information.text:
            map_root_page(s, number, Access.READ | Access.EXECUTE)
        elif number < u32(information.text) + u32(information.data):
            map_root_page(s, number, Access.READ | Access.WRITE)


def build_root_memory(s: Kernel, information: BootInformation) -> None:
    """Give the root partition the boot package, and map its own image: code to execute, data to write."""
    root = PartitionId(ROOT)
    take(s, PageId(0), PageKind.TABLE_1, root)
    take(s, PageId(1), PageKind.TABLE_2, root)
    take(s, PageId(2), PageKind.TABLE_3, root)
    link(s, mapping_id(PageId(1), Ordinal(0)), PageId(0), EntryId(GUEST_ENTRY), table_descriptor(PageId(1)))
    link(s, mapping_id(PageId(2), Ordinal(0)), PageId(1), EntryId(0), table_descriptor(PageId(2)))
    for i in range(PACKAGE_LIMIT):
        place_package_page(s, information, i)
    s.partition[root].root = PageId(0)
    s.partition[root].rooted = True


def attest_half(s: Kernel, information: BootInformation, half: u32) -> None:
    """Record one half of the measurement of a phase; the order of these records tells which."""
    first = Halves(low=information.measurement[4 * half], high=information.measurement[4 * half + 1])
    second = Halves(low=information.measurement[4 * half + 2], high=information.measurement[4 * half + 3])
    append_for_kernel(s, s.time, Action.BOOT_ATTESTATION, first, second)


def boot(s: Kernel, information: BootInformation) -> None:
    """Build a running root partition from all zeros."""
    s.time = information.now
    s.epoch_began = information.now
    for i in range(8):
        s.key[i] = information.key[i]
    begin(s.head)
    for half in range(2 * PHASES):
        attest_half(s, information, half)
    for r in range(PROOF_ROOTS):
        for i in range(4):
            s.proof_root[ProofRootId(r)].root[i] = information.attested[i]
    create_root(s, information)
    build_root_memory(s, information)
    s.partition[PartitionId(ROOT)].state = PartitionState.RUNNING
    s.partition[PartitionId(ROOT)].walked = True
    s.current = PartitionId(ROOT)
    started = Halves(low=u32(information.package), high=u32(information.restarts))
    append_for_kernel(s, s.time, Action.BOOT_COMPLETE, started, INTERFACE)
