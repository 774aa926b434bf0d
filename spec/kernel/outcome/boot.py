"""What state does boot build, from zeros and from what it was given?"""

from corollary.language.builtins import minimum
from corollary.language.property import theorem
from corollary.language.types import u16, u32, u64
from corollary.language.values import local
from corollary.spec.kernel.hardware import Link
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
    ROOT_QUOTA,
    ROOT_TRANSPORTS,
    SHARES,
    UNITS,
)
from corollary.spec.kernel.memory_map import PHASES
from corollary.spec.kernel.outcome.memory import leaf, own_mapping
from corollary.spec.kernel.packed import Halves, MappingPlace
from corollary.spec.kernel.sha256 import Digest, begin
from corollary.spec.kernel.state import (
    BankId,
    BootInformation,
    CapabilityId,
    DeviceId,
    EntryId,
    HeadsId,
    Kernel,
    MappingId,
    Ordinal,
    PageId,
    PartitionId,
    ProofRootId,
    RecordId,
    ResourceId,
    UnitId,
)
from corollary.spec.kernel.vocabulary import (
    ALL_RIGHTS,
    Access,
    Action,
    Awaited,
    DeviceKind,
    FailureClass,
    Mode,
    ObjectKind,
    PageKind,
    PartitionState,
    Ring,
    Status,
    Tier,
)
from corollary.spec.kernel.witness import KERNEL_ACTOR, KERNEL_OPERATION, go_into

TABLES = 3  # the first pages hold root's tables, one of each level
IMAGE_ENTRY = 2  # of the first table: 2 GiB, where guests find their image
RECORDS_OF_BOOT = 2 * PHASES + 1


def package_pages(information: BootInformation) -> u32:
    """How many pages of the boot package root gets."""
    return u32(minimum(information.package, u16(PACKAGE_LIMIT)))


@theorem(
    "BOOT-1",
    "root runs, trusted, with all there is to share out and a full bucket; all others are blank",
    about=("boot",),
)
def root_is_alone(information: BootInformation, after: Kernel, q: PartitionId, kind: ResourceId) -> bool:
    new = after.partition[q]
    blank = (
        new.ancestry == 0
        and new.parent == 0
        and new.records == 0
        and new.refused == 0
        and new.generation == 0
        and new.nonce == 0
        and new.edges_made == 0
        and new.notifications_made == 0
        and new.agents_made == 0
        and new.units_made == 0
        and new.speaker == 0
        and new.tools[kind] == 0
        and not new.elevation.active
        and new.messages.used == 0
        and new.carried == 0
        and not new.fresh
        and new.proof_root == 0
        and new.root == 0
        and new.failure == FailureClass.NONE
        and new.messages.began == 0
        and new.entry == 0
        and new.pressure == 0
        and new.deadline == 0
        and new.awaited == Awaited.NOTHING
    )
    if q != 0:
        return (
            blank
            and new.state == PartitionState.VACANT
            and new.score == 0
            and not new.consensus
            and new.quota == 0
            and new.share == 0
            and new.numbers == 0
            and new.edges == 0
            and new.notifications == 0
            and new.agents == 0
            and new.units == 0
            and new.pages == 0
            and not new.rooted
            and not new.walked
            and not new.warden
            and new.bucket.credit == 0
        )
    return (
        blank
        and new.state == PartitionState.RUNNING
        and new.score == PPM
        and new.consensus
        and new.ring == Ring.PRIVILEGED
        and new.quota == ROOT_QUOTA
        and new.share == SHARES
        and new.numbers == PARTITIONS
        and new.edges == EDGES
        and new.notifications == NOTIFICATIONS
        and new.agents == AGENTS
        and new.units == UNITS
        and u32(new.pages) == TABLES + package_pages(information)
        and new.rooted
        and new.walked
        and new.warden
        and new.bucket.credit == BURST
        and new.bucket.refilled == information.now
    )


def kind_given(c: CapabilityId) -> ObjectKind:
    """On what kind of object does a slot of root hold all rights at first? The slots of all others are empty."""
    if c == 1:
        return ObjectKind.PARTITION
    if c == 2:
        return ObjectKind.SCHEDULER
    if c == 3:
        return ObjectKind.WITNESS_LOG
    if 4 <= c < 4 + PROOF_ROOTS:
        return ObjectKind.PROOF_ROOT
    if 8 <= c < 8 + REGIONS:
        return ObjectKind.REGION
    if c == 24:
        return ObjectKind.DEVICE
    if c == 25:
        return ObjectKind.TRUST
    if 27 <= c < 27 + ROOT_TRANSPORTS:
        return ObjectKind.TRANSPORT
    return ObjectKind.COHERENCE if c == 26 else ObjectKind.NONE


def number_given(c: CapabilityId, kind: ObjectKind) -> u32:
    """Of several objects of a kind, which one does a slot of root name?"""
    if kind == ObjectKind.PROOF_ROOT:
        return u32(c) - 4
    if kind == ObjectKind.REGION:
        return u32(c) - 8
    return u32(c) - 27 if kind == ObjectKind.TRANSPORT else u32(0)


@theorem(
    "BOOT-2",
    "root holds all rights on itself, turns, the log, each proof root and region, the console, "
    "trust, traffic and the first transports; nobody holds anything else",
    about=("boot",),
)
def root_holds_all(after: Kernel, c: CapabilityId) -> bool:
    new = after.capability[c]
    kind = kind_given(c)
    given = kind != ObjectKind.NONE
    return (
        new.kind == kind
        and new.rights == (ALL_RIGHTS if given else 0)
        and new.object == number_given(c, kind)
        and new.incarnation == 0
        and new.depth == 0
        and new.parent == (c if given else 0)
        and new.badge == 0
        and new.generation == 0
        and new.lineage == 0
    )


@theorem(
    "BOOT-3",
    "the key, the time and the root in force in each proof root are those that boot was given; it is root's turn",
    about=("boot",),
)
def given_as_told(information: BootInformation, after: Kernel, r: ProofRootId) -> bool:
    same = (
        after.time == information.now
        and after.current == 0
        and not after.idle
        and after.epoch == 0
        and after.epoch_began == information.now
        and after.switches == 0
        and after.mode == Mode.FLOW
        and after.turn == 0
        and not after.urges
    )
    for i in range(8):
        same = same and after.key[i] == information.key[i]
    for i in range(4):
        same = same and after.proof_root[r].root[i] == information.attested[i] and after.proof_root[r].pending[i] == 0
    return same


@theorem(
    "BOOT-4",
    "root has its tables and the boot package, of which its code is mapped to execute, its data to "
    "write, and nothing else",
    about=("boot",),
)
def root_has_its_image(information: BootInformation, after: Kernel, page: PageId, entry: EntryId) -> bool:
    new = after.page[page]
    of_root = u32(page) < TABLES + package_pages(information)
    code = minimum(u32(information.text), package_pages(information))
    image = minimum(u32(information.text) + u32(information.data), package_pages(information))
    kind = (
        PageKind.TABLE_1
        if page == 0
        else PageKind.TABLE_2
        if page == 1
        else PageKind.TABLE_3
        if page == 2
        else PageKind.DATA
        if of_root
        else PageKind.FREE
    )
    shown = own_mapping(PageId.truncate(TABLES + u32(entry)))
    mapped = (
        leaf(shown, Access.READ | Access.EXECUTE)
        if entry < code
        else leaf(shown, Access.READ | Access.WRITE)
        if entry < image
        else u64(0)
    )
    word = (
        Link(page=PageId(1))
        if page == 0 and entry == IMAGE_ENTRY
        else Link(page=PageId(2))
        if page == 1 and entry == 0
        else mapped
        if page == 2
        else u64(0)
    )
    return (
        new.kind == kind
        and new.owner == 0
        and new.ordinal == (u32(page) if of_root else u32(0))
        and new.filled == 0
        and new.fetched == (page >= TABLES and u32(page) < TABLES + code)
        and after.memory[page].word[entry] == word
    )


@theorem(
    "BOOT-5",
    "the log tells the whole measurement of each phase, then what was booted and after how many restarts",
    about=("boot",),
)
def boot_is_told(information: BootInformation, after: Kernel) -> bool:
    told = (
        after.sequence == RECORDS_OF_BOOT
        and after.kernel_records == RECORDS_OF_BOOT
        and after.drained == 0
        and after.copied == 0
    )
    for i in range(RECORDS_OF_BOOT):
        entry = after.log[RecordId(i)]
        told = (
            told
            and entry.sequence == i
            and entry.time == information.now
            and entry.actor == KERNEL_ACTOR
            and entry.operation == KERNEL_OPERATION
            and entry.tier == Tier.NONE
            and entry.status == Status.OK
            and entry.refused == 0
            and entry.capability == 0
        )
    for i in range(2 * PHASES):
        half = after.log[RecordId(i)]
        first = Halves(low=information.measurement[4 * i], high=information.measurement[4 * i + 1])
        second = Halves(low=information.measurement[4 * i + 2], high=information.measurement[4 * i + 3])
        told = told and half.kind == Action.BOOT_ATTESTATION and half.object == first and half.payload == second
    last = after.log[RecordId(2 * PHASES)]
    started = Halves(low=u32(information.package), high=u32(information.restarts))
    return told and last.kind == Action.BOOT_COMPLETE and last.object == started and last.payload == INTERFACE


@theorem("BOOT-6", "the chain begins as SHA-256 does, and every record of the boot goes into it", about=("boot",))
def chain_begins_with_boot(information: BootInformation, after: Kernel) -> bool:
    digest = local(Digest)
    begin(digest)
    for i in range(RECORDS_OF_BOOT):
        go_into(digest, after.log[RecordId(i)])
    same = True
    for i in range(8):
        same = same and after.head[i] == digest[i]
    return same


@theorem("BOOT-7", "what is mapped at first is root's own: two tables, and the pages of its image", about=("boot",))
def image_is_mapped(information: BootInformation, after: Kernel, m: MappingId) -> bool:
    new = after.mapping[m]
    number = u32(MappingPlace(m).page)
    image = minimum(u32(information.text) + u32(information.data), package_pages(information))
    own = Ordinal.truncate(m) == 0
    table = own and (number == 1 or number == 2)
    shown = own and TABLES <= number < TABLES + image
    entry = u32(IMAGE_ENTRY) if number == 1 else u32(0) if number == 2 else number - TABLES if shown else u32(0)
    at = u32(0) if number == 1 else u32(1) if number == 2 else u32(2)
    if not table and not shown:
        return not new.linked and not new.used and not new.cached
    return new.linked and new.cached and not new.used and new.partition == 0 and new.table == at and new.entry == entry


@theorem(
    "BOOT-8",
    "no device is there at first, so none is leased, none has a request, and no page is pinned",
    about=("boot",),
)
def no_device_is_there(after: Kernel, d: DeviceId, page: PageId) -> bool:
    device = after.device[d]
    return (
        device.kind == DeviceKind.ABSENT
        and not device.leased
        and not device.busy
        and not device.active
        and device.budget == 0
        and after.queue[d].available == 0
        and after.answer[d].used == 0
        and not after.pin[page].held
    )


@theorem(
    "BOOT-9",
    "all of large memory is dirty at first, none of it cleared or linked, and no block is there",
    about=("boot",),
)
def all_is_dirty(after: Kernel, unit: UnitId, h: HeadsId, b: BankId) -> bool:
    bank = after.bank[b]
    return (
        not after.block[unit].used
        and after.heads[h] == 0
        and after.block[unit].linked == 0
        and not after.unit[unit].cached
        and bank.clean == 0
        and bank.taken == 0
        and after.cleaned == 0
        and after.cleaning == 0
    )
