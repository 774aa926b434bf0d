"""Which hypercalls are there? Numbers never change: a new hypercall goes at the end and gets the next number."""

from corollary.language.types import u8, u16, u32, u64
from corollary.spec.agent import Life
from corollary.spec.kernel.operation import OPERATIONS, hypercall
from corollary.spec.kernel.state import (
    AgentBadge,
    AgentId,
    ChildId,
    EdgeGroup,
    EdgeId,
    EntryId,
    Handle,
    NotificationId,
    Order,
    Ordinal,
    PageId,
    PartId,
    PartitionId,
    Pressure,
    SlotId,
    UnitId,
    Use,
)
from corollary.spec.kernel.vocabulary import (
    Access,
    Action,
    Allowance,
    FailureClass,
    Format,
    Heat,
    Meter,
    Mode,
    ObjectKind,
    PageKind,
    Resource,
    Reversibility,
    Right,
    Ring,
    Tier,
)

__all__ = ("OPERATIONS",)

hypercall(
    0,
    "capability_grant",
    Action.CAPABILITY_GRANT,
    any_object=True,
    takes=dict(slot=SlotId, rights=Right, into=Handle, badge=u64),
)
hypercall(1, "capability_revoke", Action.CAPABILITY_REVOKE, any_object=True, needs=Right.REVOKE)
hypercall(
    2,
    "capability_delete",
    Action.CAPABILITY_ATTENUATED,
    any_object=True,
    reversibility=Reversibility.PARTIAL,
    accepts_dead=True,
)
hypercall(3, "capability_inspect", Action.PROOF_VERIFIED_P1, any_object=True, read_only=True)
hypercall(
    4,
    "capability_withdraw",
    Action.CAPABILITY_REVOKE,
    on=ObjectKind.PARTITION,
    needs=Right.WRITE | Right.REVOKE,
    reversibility=Reversibility.PARTIAL,
    takes=dict(slot=SlotId),
)

hypercall(
    5,
    "page_create",
    Action.REGION_CREATE,
    on=ObjectKind.REGION,
    needs=Right.WRITE,
    takes=dict(page=PageId, kind=PageKind, into=Handle),
)
hypercall(
    6,
    "page_release",
    Action.REGION_DESTROY,
    on=ObjectKind.PARTITION,
    needs=Right.WRITE,
    reversibility=Reversibility.PARTIAL,
    takes=dict(page=PageId),
)
hypercall(
    7,
    "page_transfer",
    Action.REGION_TRANSFER,
    on=ObjectKind.PARTITION,
    needs=Right.WRITE,
    reversibility=Reversibility.PARTIAL,
    takes=dict(page=PageId, into=Handle),
)
hypercall(8, "table_root", Action.REGION_MAP, on=ObjectKind.PARTITION, needs=Right.WRITE, takes=dict(page=PageId))
hypercall(
    9,
    "table_link",
    Action.REGION_MAP,
    on=ObjectKind.PARTITION,
    needs=Right.WRITE,
    takes=dict(table=PageId, entry=EntryId, child=PageId),
)
hypercall(
    10,
    "page_map",
    Action.REGION_MAP,
    on=ObjectKind.PARTITION,
    needs=Right.WRITE,
    takes=dict(page=PageId, table=PageId, entry=EntryId, access=Access),
)
hypercall(11, "page_unmap", Action.REGION_UNMAP, on=ObjectKind.PARTITION, needs=Right.WRITE, takes=dict(page=PageId))
hypercall(
    12,
    "page_share",
    Action.REGION_SHARE,
    on=ObjectKind.PARTITION,
    needs=Right.WRITE,
    takes=dict(page=PageId, ordinal=Ordinal, reader=Handle),
)
hypercall(
    13,
    "share_map",
    Action.REGION_MAP,
    on=ObjectKind.PARTITION,
    needs=Right.WRITE,
    takes=dict(page=PageId, ordinal=Ordinal, table=PageId, entry=EntryId),
)
hypercall(
    14,
    "page_unshare",
    Action.REGION_UNSHARE,
    on=ObjectKind.PARTITION,
    needs=Right.WRITE,
    takes=dict(page=PageId, ordinal=Ordinal),
)
hypercall(
    15,
    "page_append",
    Action.ZERO_COPY_SHARE,
    on=ObjectKind.PARTITION,
    needs=Right.WRITE,
    reversibility=Reversibility.PARTIAL,
    takes=dict(page=PageId, value=u64),
)

hypercall(
    16,
    "partition_create",
    Action.PARTITION_CREATE,
    on=ObjectKind.SCHEDULER,
    needs=Right.WRITE,
    takes=dict(p=PartitionId, slot=SlotId, quota=u16),
)
hypercall(
    17,
    "partition_adopt",
    Action.CAPABILITY_DELEGATE,
    on=ObjectKind.SCHEDULER,
    needs=Right.WRITE,
    takes=dict(p=PartitionId, slot=SlotId),
)
hypercall(18, "partition_start", Action.TASK_SPAWN, on=ObjectKind.PARTITION, needs=Right.EXECUTE, takes=dict(entry=u64))
hypercall(19, "partition_suspend", Action.PARTITION_SUSPEND, on=ObjectKind.PARTITION, needs=Right.EXECUTE)
hypercall(20, "partition_resume", Action.PARTITION_RESUME, on=ObjectKind.PARTITION, needs=Right.EXECUTE)
hypercall(
    21, "partition_hibernate", Action.PARTITION_HIBERNATE, tier=Tier.P2, on=ObjectKind.PARTITION, needs=Right.HIBERNATE
)
hypercall(
    22,
    "partition_reconstruct",
    Action.PARTITION_RECONSTRUCT,
    tier=Tier.P2,
    on=ObjectKind.PARTITION,
    needs=Right.HIBERNATE,
)
hypercall(
    23,
    "partition_destroy",
    Action.PARTITION_DESTROY,
    tier=Tier.P2,
    on=ObjectKind.PARTITION,
    needs=Right.WRITE,
    reversibility=Reversibility.NONE,
    creators=True,
)
hypercall(
    24,
    "partition_release",
    Action.TASK_TERMINATE,
    on=ObjectKind.PARTITION,
    needs=Right.WRITE,
    reversibility=Reversibility.NONE,
    creators=True,
)
hypercall(
    25,
    "partition_reclaim",
    Action.VMID_RECLAIM,
    on=ObjectKind.PARTITION,
    needs=Right.WRITE,
    reversibility=Reversibility.NONE,
    creators=True,
)
hypercall(
    26,
    "partition_fail",
    Action.RECOVERY_ENTER,
    on=ObjectKind.PARTITION,
    needs=Right.WRITE,
    takes=dict(failure=FailureClass),
)
hypercall(
    27,
    "system_halt",
    Action.SCHEDULER_MODE,
    admin=True,
    reversibility=Reversibility.NONE,
    on=ObjectKind.SCHEDULER,
    needs=Right.WRITE,
)
hypercall(
    28,
    "partition_endow",
    Action.PARTITION_CREATE,
    on=ObjectKind.PARTITION,
    needs=Right.WRITE,
    takes=dict(what=Allowance, amount=u16),
)
hypercall(
    29,
    "region_reclaim",
    Action.REGION_DESTROY,
    on=ObjectKind.REGION,
    needs=Right.REVOKE,
    reversibility=Reversibility.PARTIAL,
    takes=dict(page=PageId),
)

hypercall(
    30,
    "ring_assign",
    Action.PROOF_ESCALATED,
    on=ObjectKind.TRUST,
    needs=Right.WRITE,
    elevation=False,
    takes=dict(of=Handle, score=u32, consensus=bool),
)
hypercall(31, "ring_demote", Action.PROOF_ESCALATED, on=ObjectKind.PARTITION, needs=Right.WRITE, takes=dict(score=u32))
hypercall(
    32, "ring_elevate", Action.PROOF_ESCALATED, read_only=True, takes=dict(target=Ring, seconds=u32, attestation=Handle)
)
hypercall(33, "ring_restore", Action.PROOF_ESCALATED, on=ObjectKind.PARTITION, needs=Right.WRITE)
hypercall(34, "tool_acquire", Action.TASK_SPAWN, resource=True, read_only=True, takes=dict(resource=Resource))
hypercall(35, "tool_release", Action.TASK_TERMINATE, read_only=True, takes=dict(resource=Resource))

hypercall(
    36,
    "witness_read",
    Action.IPC_RECEIVE,
    on=ObjectKind.WITNESS_LOG,
    needs=Right.READ,
    meter=Meter.MESSAGES,
    takes=dict(page=PageId, first=u64),
)
hypercall(
    37, "witness_seal", Action.CHECKPOINT_CREATED, on=ObjectKind.WITNESS_LOG, needs=Right.READ, takes=dict(page=PageId)
)
hypercall(
    38,
    "witness_discard",
    Action.IPC_RECEIVE,
    on=ObjectKind.WITNESS_LOG,
    needs=Right.READ | Right.WRITE,
    meter=Meter.MESSAGES,
    takes=dict(last=u64),
)

hypercall(39, "proof_inspect", Action.PROOF_VERIFIED_P1, read_only=True)
hypercall(
    40,
    "proof_root_propose",
    Action.TEE_ATTESTATION,
    on=ObjectKind.PROOF_ROOT,
    needs=Right.WRITE,
    elevation=False,
    takes=dict(position=u8, value=u64),
)
hypercall(
    41,
    "proof_root_bind",
    Action.TEE_ATTESTATION,
    tier=Tier.P3,
    on=ObjectKind.PROOF_ROOT,
    needs=Right.GRANT | Right.PROVE,
    elevation=False,
    takes=dict(into=Handle),
)
hypercall(
    42,
    "proof_root_commit",
    Action.TEE_ATTESTATION,
    tier=Tier.P3,
    on=ObjectKind.PROOF_ROOT,
    needs=Right.WRITE | Right.PROVE,
    reversibility=Reversibility.NONE,
    elevation=False,
    replaces_root=True,
)

hypercall(43, "yield_now", Action.SCHEDULER_EPOCH, read_only=True)

hypercall(
    44,
    "console_write",
    Action.IPC_SEND,
    on=ObjectKind.DEVICE,
    needs=Right.WRITE,
    read_only=True,
    meter=Meter.MESSAGES,
    takes=dict(page=PageId, first=EntryId, words=u16, format=Format),
)

hypercall(
    45,
    "edge_create",
    Action.EDGE_CREATE,
    on=ObjectKind.SCHEDULER,
    needs=Right.WRITE,
    takes=dict(e=EdgeId, slot=SlotId, schema=u64),
)
hypercall(
    46, "edge_destroy", Action.EDGE_DESTROY, on=ObjectKind.EDGE, needs=Right.REVOKE, reversibility=Reversibility.PARTIAL
)
hypercall(
    47,
    "edge_send",
    Action.IPC_SEND,
    on=ObjectKind.EDGE,
    needs=Right.WRITE,
    reversibility=Reversibility.PARTIAL,
    meter=Meter.MESSAGES,
    takes=dict(page=PageId, length=u16, schema=u64),
)
hypercall(
    48,
    "edge_receive",
    Action.IPC_RECEIVE,
    on=ObjectKind.EDGE,
    needs=Right.READ,
    reversibility=Reversibility.PARTIAL,
    meter=Meter.MESSAGES,
    takes=dict(page=PageId),
)

hypercall(
    49,
    "notification_create",
    Action.EDGE_CREATE,
    on=ObjectKind.SCHEDULER,
    needs=Right.WRITE,
    takes=dict(n=NotificationId, slot=SlotId),
)
hypercall(
    50,
    "notification_signal",
    Action.NOTIFICATION_SIGNAL,
    on=ObjectKind.NOTIFICATION,
    needs=Right.WRITE,
    reversibility=Reversibility.PARTIAL,
    meter=Meter.MESSAGES,
    takes=dict(bits=u64),
)
hypercall(
    51,
    "notification_wait",
    Action.NOTIFICATION_SIGNAL,
    on=ObjectKind.NOTIFICATION,
    needs=Right.READ,
    reversibility=Reversibility.PARTIAL,
    meter=Meter.MESSAGES,
)

hypercall(
    52,
    "graph_read",
    Action.COHERENCE_RECOMPUTED,
    on=ObjectKind.COHERENCE,
    needs=Right.READ,
    meter=Meter.MESSAGES,
    takes=dict(page=PageId, group=EdgeGroup),
)

hypercall(
    53,
    "edge_await",
    Action.IPC_RECEIVE,
    on=ObjectKind.EDGE,
    needs=Right.READ,
    meter=Meter.MESSAGES,
    takes=dict(patience=u64),
)
hypercall(
    54,
    "notification_await",
    Action.NOTIFICATION_SIGNAL,
    on=ObjectKind.NOTIFICATION,
    needs=Right.READ,
    meter=Meter.MESSAGES,
    takes=dict(patience=u64),
)
hypercall(
    55,
    "schedule_prioritize",
    Action.SCHEDULER_MODE,
    on=ObjectKind.SCHEDULER,
    needs=Right.EXECUTE,
    takes=dict(of=Handle, pressure=Pressure, warden=bool, within=u64),
)
hypercall(
    56, "schedule_mode", Action.SCHEDULER_MODE, on=ObjectKind.SCHEDULER, needs=Right.EXECUTE, takes=dict(mode=Mode)
)

hypercall(
    57,
    "device_lease",
    Action.LEASE_GRANT,
    on=ObjectKind.TRANSPORT,
    needs=Right.LEASE,
    takes=dict(duration=u64, budget=u64),
)
hypercall(58, "device_return", Action.LEASE_REVOKE, on=ObjectKind.TRANSPORT, needs=Right.READ)
hypercall(
    59,
    "device_submit",
    Action.IPC_SEND,
    on=ObjectKind.TRANSPORT,
    needs=Right.WRITE,
    reversibility=Reversibility.PARTIAL,
    meter=Meter.MESSAGES,
    takes=dict(page=PageId, offset=u16, length=u16, incoming=bool, sector=u64),
)
hypercall(
    60,
    "device_complete",
    Action.IPC_RECEIVE,
    on=ObjectKind.TRANSPORT,
    needs=Right.READ,
    reversibility=Reversibility.PARTIAL,
    meter=Meter.MESSAGES,
)
hypercall(
    61,
    "agent_create",
    Action.AGENT_CREATE,
    on=ObjectKind.PARTITION,
    needs=Right.WRITE | Right.EXECUTE,
    takes=dict(agent=AgentId, place=ChildId),
)
hypercall(
    62,
    "agent_measure",
    Action.AGENT_MEASURE,
    on=ObjectKind.PARTITION,
    needs=Right.WRITE | Right.EXECUTE,
    meter=Meter.MESSAGES,
    takes=dict(badge=AgentBadge, page=PageId, part=PartId),
)
hypercall(
    63,
    "agent_spawn",
    Action.AGENT_SPAWN,
    tier=Tier.P3,
    on=ObjectKind.PARTITION,
    needs=Right.WRITE | Right.EXECUTE | Right.PROVE,
    shows_module=True,
    takes=dict(badge=AgentBadge, module=u64),
)
hypercall(
    64,
    "agent_change",
    Action.AGENT_CHANGE,
    on=ObjectKind.PARTITION,
    needs=Right.EXECUTE,
    reversibility=Reversibility.PARTIAL,
    takes=dict(badge=AgentBadge, life=Life, old=Life),
)
hypercall(65, "agent_speak", Action.AGENT_SPEAK, read_only=True, meter=Meter.MESSAGES, takes=dict(badge=AgentBadge))
hypercall(66, "block_create", Action.REGION_CREATE, on=ObjectKind.PARTITION, needs=Right.WRITE, takes=dict(order=Order))
hypercall(
    67,
    "block_release",
    Action.REGION_DESTROY,
    on=ObjectKind.PARTITION,
    needs=Right.WRITE,
    reversibility=Reversibility.PARTIAL,
    takes=dict(unit=UnitId),
)
hypercall(68, "block_clean", Action.REGION_CLEAN, read_only=True, meter=Meter.MESSAGES)
hypercall(
    69,
    "block_map",
    Action.REGION_MAP,
    on=ObjectKind.PARTITION,
    needs=Right.WRITE,
    takes=dict(head=UnitId, unit=UnitId, table=PageId, entry=EntryId, access=Access),
)
hypercall(
    70,
    "block_unmap",
    Action.REGION_UNMAP,
    on=ObjectKind.PARTITION,
    needs=Right.WRITE,
    takes=dict(head=UnitId, unit=UnitId),
)
hypercall(
    71,
    "block_transfer",
    Action.REGION_TRANSFER,
    on=ObjectKind.PARTITION,
    needs=Right.WRITE,
    reversibility=Reversibility.PARTIAL,
    takes=dict(unit=UnitId, into=Handle),
)
hypercall(
    72,
    "block_retier",
    Action.REGION_RETIER,
    on=ObjectKind.PARTITION,
    needs=Right.WRITE,
    takes=dict(unit=UnitId, old=Heat, new=Heat, use=Use),
)
hypercall(
    73,
    "partition_split",
    Action.PARTITION_SPLIT,
    tier=Tier.P2,
    on=ObjectKind.PARTITION,
    needs=Right.WRITE | Right.SPLIT,
    reversibility=Reversibility.PARTIAL,
    takes=dict(into=Handle),
)
hypercall(
    74,
    "partition_merge",
    Action.PARTITION_MERGE,
    tier=Tier.P2,
    on=ObjectKind.PARTITION,
    needs=Right.WRITE | Right.MERGE,
    reversibility=Reversibility.PARTIAL,
    takes=dict(into=Handle, edge=EdgeId, slot=SlotId, back=EdgeId),
)
hypercall(
    75,
    "partition_settle",
    Action.PARTITION_SUSPEND,
    on=ObjectKind.PARTITION,
    needs=Right.WRITE,
    reversibility=Reversibility.PARTIAL,
)
