/* Generated from spec/kernel/gate.py, model/kernel/gate.py
   with codegen/templates/unit.c.j2: edit those, not this.
   Content: sha256 40066afb8fbb32d4 */

#include "gate.h"
#include "builtins.h"
#include "agent.h"
#include "arguments.h"
#include "block.h"
#include "capability.h"
#include "clock.h"
#include "console.h"
#include "device.h"
#include "edge.h"
#include "halves.h"
#include "memory.h"
#include "partition.h"
#include "proof.h"
#include "ring.h"
#include "schedule.h"
#include "traffic.h"
#include "unit.h"
#include "witness.h"

#define HANDLE_LIMIT 274877906944ull
#define RESOURCE_LIMIT 4
#define WITNESS_READ 36
static const uint8_t KIND_OF[76] = {
    [OPERATION_CAPABILITY_GRANT] = ACTION_CAPABILITY_GRANT,
    [OPERATION_CAPABILITY_REVOKE] = ACTION_CAPABILITY_REVOKE,
    [OPERATION_CAPABILITY_DELETE] = ACTION_CAPABILITY_ATTENUATED,
    [OPERATION_CAPABILITY_INSPECT] = ACTION_PROOF_VERIFIED_P1,
    [OPERATION_CAPABILITY_WITHDRAW] = ACTION_CAPABILITY_REVOKE,
    [OPERATION_PAGE_CREATE] = ACTION_REGION_CREATE,
    [OPERATION_PAGE_RELEASE] = ACTION_REGION_DESTROY,
    [OPERATION_PAGE_TRANSFER] = ACTION_REGION_TRANSFER,
    [OPERATION_TABLE_ROOT] = ACTION_REGION_MAP,
    [OPERATION_TABLE_LINK] = ACTION_REGION_MAP,
    [OPERATION_PAGE_MAP] = ACTION_REGION_MAP,
    [OPERATION_PAGE_UNMAP] = ACTION_REGION_UNMAP,
    [OPERATION_PAGE_SHARE] = ACTION_REGION_SHARE,
    [OPERATION_SHARE_MAP] = ACTION_REGION_MAP,
    [OPERATION_PAGE_UNSHARE] = ACTION_REGION_UNSHARE,
    [OPERATION_PAGE_APPEND] = ACTION_ZERO_COPY_SHARE,
    [OPERATION_PARTITION_CREATE] = ACTION_PARTITION_CREATE,
    [OPERATION_PARTITION_ADOPT] = ACTION_CAPABILITY_DELEGATE,
    [OPERATION_PARTITION_START] = ACTION_TASK_SPAWN,
    [OPERATION_PARTITION_SUSPEND] = ACTION_PARTITION_SUSPEND,
    [OPERATION_PARTITION_RESUME] = ACTION_PARTITION_RESUME,
    [OPERATION_PARTITION_HIBERNATE] = ACTION_PARTITION_HIBERNATE,
    [OPERATION_PARTITION_RECONSTRUCT] = ACTION_PARTITION_RECONSTRUCT,
    [OPERATION_PARTITION_DESTROY] = ACTION_PARTITION_DESTROY,
    [OPERATION_PARTITION_RELEASE] = ACTION_TASK_TERMINATE,
    [OPERATION_PARTITION_RECLAIM] = ACTION_VMID_RECLAIM,
    [OPERATION_PARTITION_FAIL] = ACTION_RECOVERY_ENTER,
    [OPERATION_SYSTEM_HALT] = ACTION_SCHEDULER_MODE,
    [OPERATION_PARTITION_ENDOW] = ACTION_PARTITION_CREATE,
    [OPERATION_REGION_RECLAIM] = ACTION_REGION_DESTROY,
    [OPERATION_RING_ASSIGN] = ACTION_PROOF_ESCALATED,
    [OPERATION_RING_DEMOTE] = ACTION_PROOF_ESCALATED,
    [OPERATION_RING_ELEVATE] = ACTION_PROOF_ESCALATED,
    [OPERATION_RING_RESTORE] = ACTION_PROOF_ESCALATED,
    [OPERATION_TOOL_ACQUIRE] = ACTION_TASK_SPAWN,
    [OPERATION_TOOL_RELEASE] = ACTION_TASK_TERMINATE,
    [OPERATION_WITNESS_READ] = ACTION_IPC_RECEIVE,
    [OPERATION_WITNESS_SEAL] = ACTION_CHECKPOINT_CREATED,
    [OPERATION_WITNESS_DISCARD] = ACTION_IPC_RECEIVE,
    [OPERATION_PROOF_INSPECT] = ACTION_PROOF_VERIFIED_P1,
    [OPERATION_PROOF_ROOT_PROPOSE] = ACTION_TEE_ATTESTATION,
    [OPERATION_PROOF_ROOT_BIND] = ACTION_TEE_ATTESTATION,
    [OPERATION_PROOF_ROOT_COMMIT] = ACTION_TEE_ATTESTATION,
    [OPERATION_YIELD_NOW] = ACTION_SCHEDULER_EPOCH,
    [OPERATION_CONSOLE_WRITE] = ACTION_IPC_SEND,
    [OPERATION_EDGE_CREATE] = ACTION_EDGE_CREATE,
    [OPERATION_EDGE_DESTROY] = ACTION_EDGE_DESTROY,
    [OPERATION_EDGE_SEND] = ACTION_IPC_SEND,
    [OPERATION_EDGE_RECEIVE] = ACTION_IPC_RECEIVE,
    [OPERATION_NOTIFICATION_CREATE] = ACTION_EDGE_CREATE,
    [OPERATION_NOTIFICATION_SIGNAL] = ACTION_NOTIFICATION_SIGNAL,
    [OPERATION_NOTIFICATION_WAIT] = ACTION_NOTIFICATION_SIGNAL,
    [OPERATION_GRAPH_READ] = ACTION_COHERENCE_RECOMPUTED,
    [OPERATION_EDGE_AWAIT] = ACTION_IPC_RECEIVE,
    [OPERATION_NOTIFICATION_AWAIT] = ACTION_NOTIFICATION_SIGNAL,
    [OPERATION_SCHEDULE_PRIORITIZE] = ACTION_SCHEDULER_MODE,
    [OPERATION_SCHEDULE_MODE] = ACTION_SCHEDULER_MODE,
    [OPERATION_DEVICE_LEASE] = ACTION_LEASE_GRANT,
    [OPERATION_DEVICE_RETURN] = ACTION_LEASE_REVOKE,
    [OPERATION_DEVICE_SUBMIT] = ACTION_IPC_SEND,
    [OPERATION_DEVICE_COMPLETE] = ACTION_IPC_RECEIVE,
    [OPERATION_AGENT_CREATE] = ACTION_AGENT_CREATE,
    [OPERATION_AGENT_MEASURE] = ACTION_AGENT_MEASURE,
    [OPERATION_AGENT_SPAWN] = ACTION_AGENT_SPAWN,
    [OPERATION_AGENT_CHANGE] = ACTION_AGENT_CHANGE,
    [OPERATION_AGENT_SPEAK] = ACTION_AGENT_SPEAK,
    [OPERATION_BLOCK_CREATE] = ACTION_REGION_CREATE,
    [OPERATION_BLOCK_RELEASE] = ACTION_REGION_DESTROY,
    [OPERATION_BLOCK_CLEAN] = ACTION_REGION_CLEAN,
    [OPERATION_BLOCK_MAP] = ACTION_REGION_MAP,
    [OPERATION_BLOCK_UNMAP] = ACTION_REGION_UNMAP,
    [OPERATION_BLOCK_TRANSFER] = ACTION_REGION_TRANSFER,
    [OPERATION_BLOCK_RETIER] = ACTION_REGION_RETIER,
    [OPERATION_PARTITION_SPLIT] = ACTION_PARTITION_SPLIT,
    [OPERATION_PARTITION_MERGE] = ACTION_PARTITION_MERGE,
    [OPERATION_PARTITION_SETTLE] = ACTION_PARTITION_SUSPEND,
};
static const uint8_t TIER_OF[76] = {
    [OPERATION_CAPABILITY_GRANT] = TIER_P1,
    [OPERATION_CAPABILITY_REVOKE] = TIER_P1,
    [OPERATION_CAPABILITY_DELETE] = TIER_P1,
    [OPERATION_CAPABILITY_INSPECT] = TIER_P1,
    [OPERATION_CAPABILITY_WITHDRAW] = TIER_P1,
    [OPERATION_PAGE_CREATE] = TIER_P1,
    [OPERATION_PAGE_RELEASE] = TIER_P1,
    [OPERATION_PAGE_TRANSFER] = TIER_P1,
    [OPERATION_TABLE_ROOT] = TIER_P1,
    [OPERATION_TABLE_LINK] = TIER_P1,
    [OPERATION_PAGE_MAP] = TIER_P1,
    [OPERATION_PAGE_UNMAP] = TIER_P1,
    [OPERATION_PAGE_SHARE] = TIER_P1,
    [OPERATION_SHARE_MAP] = TIER_P1,
    [OPERATION_PAGE_UNSHARE] = TIER_P1,
    [OPERATION_PAGE_APPEND] = TIER_P1,
    [OPERATION_PARTITION_CREATE] = TIER_P1,
    [OPERATION_PARTITION_ADOPT] = TIER_P1,
    [OPERATION_PARTITION_START] = TIER_P1,
    [OPERATION_PARTITION_SUSPEND] = TIER_P1,
    [OPERATION_PARTITION_RESUME] = TIER_P1,
    [OPERATION_PARTITION_HIBERNATE] = TIER_P2,
    [OPERATION_PARTITION_RECONSTRUCT] = TIER_P2,
    [OPERATION_PARTITION_DESTROY] = TIER_P2,
    [OPERATION_PARTITION_RELEASE] = TIER_P1,
    [OPERATION_PARTITION_RECLAIM] = TIER_P1,
    [OPERATION_PARTITION_FAIL] = TIER_P1,
    [OPERATION_SYSTEM_HALT] = TIER_P1,
    [OPERATION_PARTITION_ENDOW] = TIER_P1,
    [OPERATION_REGION_RECLAIM] = TIER_P1,
    [OPERATION_RING_ASSIGN] = TIER_P1,
    [OPERATION_RING_DEMOTE] = TIER_P1,
    [OPERATION_RING_ELEVATE] = TIER_P1,
    [OPERATION_RING_RESTORE] = TIER_P1,
    [OPERATION_TOOL_ACQUIRE] = TIER_P1,
    [OPERATION_TOOL_RELEASE] = TIER_P1,
    [OPERATION_WITNESS_READ] = TIER_P1,
    [OPERATION_WITNESS_SEAL] = TIER_P1,
    [OPERATION_WITNESS_DISCARD] = TIER_P1,
    [OPERATION_PROOF_INSPECT] = TIER_P1,
    [OPERATION_PROOF_ROOT_PROPOSE] = TIER_P1,
    [OPERATION_PROOF_ROOT_BIND] = TIER_P3,
    [OPERATION_PROOF_ROOT_COMMIT] = TIER_P3,
    [OPERATION_YIELD_NOW] = TIER_P1,
    [OPERATION_CONSOLE_WRITE] = TIER_P1,
    [OPERATION_EDGE_CREATE] = TIER_P1,
    [OPERATION_EDGE_DESTROY] = TIER_P1,
    [OPERATION_EDGE_SEND] = TIER_P1,
    [OPERATION_EDGE_RECEIVE] = TIER_P1,
    [OPERATION_NOTIFICATION_CREATE] = TIER_P1,
    [OPERATION_NOTIFICATION_SIGNAL] = TIER_P1,
    [OPERATION_NOTIFICATION_WAIT] = TIER_P1,
    [OPERATION_GRAPH_READ] = TIER_P1,
    [OPERATION_EDGE_AWAIT] = TIER_P1,
    [OPERATION_NOTIFICATION_AWAIT] = TIER_P1,
    [OPERATION_SCHEDULE_PRIORITIZE] = TIER_P1,
    [OPERATION_SCHEDULE_MODE] = TIER_P1,
    [OPERATION_DEVICE_LEASE] = TIER_P1,
    [OPERATION_DEVICE_RETURN] = TIER_P1,
    [OPERATION_DEVICE_SUBMIT] = TIER_P1,
    [OPERATION_DEVICE_COMPLETE] = TIER_P1,
    [OPERATION_AGENT_CREATE] = TIER_P1,
    [OPERATION_AGENT_MEASURE] = TIER_P1,
    [OPERATION_AGENT_SPAWN] = TIER_P3,
    [OPERATION_AGENT_CHANGE] = TIER_P1,
    [OPERATION_AGENT_SPEAK] = TIER_P1,
    [OPERATION_BLOCK_CREATE] = TIER_P1,
    [OPERATION_BLOCK_RELEASE] = TIER_P1,
    [OPERATION_BLOCK_CLEAN] = TIER_P1,
    [OPERATION_BLOCK_MAP] = TIER_P1,
    [OPERATION_BLOCK_UNMAP] = TIER_P1,
    [OPERATION_BLOCK_TRANSFER] = TIER_P1,
    [OPERATION_BLOCK_RETIER] = TIER_P1,
    [OPERATION_PARTITION_SPLIT] = TIER_P2,
    [OPERATION_PARTITION_MERGE] = TIER_P2,
    [OPERATION_PARTITION_SETTLE] = TIER_P1,
};
static const uint8_t REQUIRED_RING[76] = {
    [OPERATION_CAPABILITY_GRANT] = RING_STANDARD,
    [OPERATION_CAPABILITY_REVOKE] = RING_STANDARD,
    [OPERATION_CAPABILITY_DELETE] = RING_STANDARD,
    [OPERATION_CAPABILITY_INSPECT] = RING_SANDBOX,
    [OPERATION_CAPABILITY_WITHDRAW] = RING_STANDARD,
    [OPERATION_PAGE_CREATE] = RING_STANDARD,
    [OPERATION_PAGE_RELEASE] = RING_STANDARD,
    [OPERATION_PAGE_TRANSFER] = RING_STANDARD,
    [OPERATION_TABLE_ROOT] = RING_STANDARD,
    [OPERATION_TABLE_LINK] = RING_STANDARD,
    [OPERATION_PAGE_MAP] = RING_STANDARD,
    [OPERATION_PAGE_UNMAP] = RING_STANDARD,
    [OPERATION_PAGE_SHARE] = RING_STANDARD,
    [OPERATION_SHARE_MAP] = RING_STANDARD,
    [OPERATION_PAGE_UNSHARE] = RING_STANDARD,
    [OPERATION_PAGE_APPEND] = RING_STANDARD,
    [OPERATION_PARTITION_CREATE] = RING_STANDARD,
    [OPERATION_PARTITION_ADOPT] = RING_STANDARD,
    [OPERATION_PARTITION_START] = RING_STANDARD,
    [OPERATION_PARTITION_SUSPEND] = RING_STANDARD,
    [OPERATION_PARTITION_RESUME] = RING_STANDARD,
    [OPERATION_PARTITION_HIBERNATE] = RING_STANDARD,
    [OPERATION_PARTITION_RECONSTRUCT] = RING_STANDARD,
    [OPERATION_PARTITION_DESTROY] = RING_STANDARD,
    [OPERATION_PARTITION_RELEASE] = RING_STANDARD,
    [OPERATION_PARTITION_RECLAIM] = RING_STANDARD,
    [OPERATION_PARTITION_FAIL] = RING_STANDARD,
    [OPERATION_PARTITION_ENDOW] = RING_STANDARD,
    [OPERATION_REGION_RECLAIM] = RING_STANDARD,
    [OPERATION_RING_ASSIGN] = RING_STANDARD,
    [OPERATION_RING_DEMOTE] = RING_STANDARD,
    [OPERATION_RING_ELEVATE] = RING_SANDBOX,
    [OPERATION_RING_RESTORE] = RING_STANDARD,
    [OPERATION_TOOL_ACQUIRE] = RING_SANDBOX,
    [OPERATION_TOOL_RELEASE] = RING_SANDBOX,
    [OPERATION_WITNESS_READ] = RING_STANDARD,
    [OPERATION_WITNESS_SEAL] = RING_STANDARD,
    [OPERATION_WITNESS_DISCARD] = RING_STANDARD,
    [OPERATION_PROOF_INSPECT] = RING_SANDBOX,
    [OPERATION_PROOF_ROOT_PROPOSE] = RING_STANDARD,
    [OPERATION_PROOF_ROOT_BIND] = RING_STANDARD,
    [OPERATION_PROOF_ROOT_COMMIT] = RING_PRIVILEGED,
    [OPERATION_YIELD_NOW] = RING_SANDBOX,
    [OPERATION_CONSOLE_WRITE] = RING_SANDBOX,
    [OPERATION_EDGE_CREATE] = RING_STANDARD,
    [OPERATION_EDGE_DESTROY] = RING_STANDARD,
    [OPERATION_EDGE_SEND] = RING_STANDARD,
    [OPERATION_EDGE_RECEIVE] = RING_STANDARD,
    [OPERATION_NOTIFICATION_CREATE] = RING_STANDARD,
    [OPERATION_NOTIFICATION_SIGNAL] = RING_STANDARD,
    [OPERATION_NOTIFICATION_WAIT] = RING_STANDARD,
    [OPERATION_GRAPH_READ] = RING_STANDARD,
    [OPERATION_EDGE_AWAIT] = RING_STANDARD,
    [OPERATION_NOTIFICATION_AWAIT] = RING_STANDARD,
    [OPERATION_SCHEDULE_PRIORITIZE] = RING_STANDARD,
    [OPERATION_SCHEDULE_MODE] = RING_STANDARD,
    [OPERATION_DEVICE_LEASE] = RING_STANDARD,
    [OPERATION_DEVICE_RETURN] = RING_STANDARD,
    [OPERATION_DEVICE_SUBMIT] = RING_STANDARD,
    [OPERATION_DEVICE_COMPLETE] = RING_STANDARD,
    [OPERATION_AGENT_CREATE] = RING_STANDARD,
    [OPERATION_AGENT_MEASURE] = RING_STANDARD,
    [OPERATION_AGENT_SPAWN] = RING_STANDARD,
    [OPERATION_AGENT_CHANGE] = RING_STANDARD,
    [OPERATION_AGENT_SPEAK] = RING_SANDBOX,
    [OPERATION_BLOCK_CREATE] = RING_STANDARD,
    [OPERATION_BLOCK_RELEASE] = RING_STANDARD,
    [OPERATION_BLOCK_CLEAN] = RING_SANDBOX,
    [OPERATION_BLOCK_MAP] = RING_STANDARD,
    [OPERATION_BLOCK_UNMAP] = RING_STANDARD,
    [OPERATION_BLOCK_TRANSFER] = RING_STANDARD,
    [OPERATION_BLOCK_RETIER] = RING_STANDARD,
    [OPERATION_PARTITION_SPLIT] = RING_STANDARD,
    [OPERATION_PARTITION_MERGE] = RING_STANDARD,
    [OPERATION_PARTITION_SETTLE] = RING_STANDARD,
    /* all others: RING_ROOT */
};
static const uint8_t OBJECT_OF[76] = {
    [OPERATION_CAPABILITY_WITHDRAW] = OBJECT_KIND_PARTITION,
    [OPERATION_PAGE_CREATE] = OBJECT_KIND_REGION,
    [OPERATION_PAGE_RELEASE] = OBJECT_KIND_PARTITION,
    [OPERATION_PAGE_TRANSFER] = OBJECT_KIND_PARTITION,
    [OPERATION_TABLE_ROOT] = OBJECT_KIND_PARTITION,
    [OPERATION_TABLE_LINK] = OBJECT_KIND_PARTITION,
    [OPERATION_PAGE_MAP] = OBJECT_KIND_PARTITION,
    [OPERATION_PAGE_UNMAP] = OBJECT_KIND_PARTITION,
    [OPERATION_PAGE_SHARE] = OBJECT_KIND_PARTITION,
    [OPERATION_SHARE_MAP] = OBJECT_KIND_PARTITION,
    [OPERATION_PAGE_UNSHARE] = OBJECT_KIND_PARTITION,
    [OPERATION_PAGE_APPEND] = OBJECT_KIND_PARTITION,
    [OPERATION_PARTITION_CREATE] = OBJECT_KIND_SCHEDULER,
    [OPERATION_PARTITION_ADOPT] = OBJECT_KIND_SCHEDULER,
    [OPERATION_PARTITION_START] = OBJECT_KIND_PARTITION,
    [OPERATION_PARTITION_SUSPEND] = OBJECT_KIND_PARTITION,
    [OPERATION_PARTITION_RESUME] = OBJECT_KIND_PARTITION,
    [OPERATION_PARTITION_HIBERNATE] = OBJECT_KIND_PARTITION,
    [OPERATION_PARTITION_RECONSTRUCT] = OBJECT_KIND_PARTITION,
    [OPERATION_PARTITION_DESTROY] = OBJECT_KIND_PARTITION,
    [OPERATION_PARTITION_RELEASE] = OBJECT_KIND_PARTITION,
    [OPERATION_PARTITION_RECLAIM] = OBJECT_KIND_PARTITION,
    [OPERATION_PARTITION_FAIL] = OBJECT_KIND_PARTITION,
    [OPERATION_SYSTEM_HALT] = OBJECT_KIND_SCHEDULER,
    [OPERATION_PARTITION_ENDOW] = OBJECT_KIND_PARTITION,
    [OPERATION_REGION_RECLAIM] = OBJECT_KIND_REGION,
    [OPERATION_RING_ASSIGN] = OBJECT_KIND_TRUST,
    [OPERATION_RING_DEMOTE] = OBJECT_KIND_PARTITION,
    [OPERATION_RING_RESTORE] = OBJECT_KIND_PARTITION,
    [OPERATION_WITNESS_READ] = OBJECT_KIND_WITNESS_LOG,
    [OPERATION_WITNESS_SEAL] = OBJECT_KIND_WITNESS_LOG,
    [OPERATION_WITNESS_DISCARD] = OBJECT_KIND_WITNESS_LOG,
    [OPERATION_PROOF_ROOT_PROPOSE] = OBJECT_KIND_PROOF_ROOT,
    [OPERATION_PROOF_ROOT_BIND] = OBJECT_KIND_PROOF_ROOT,
    [OPERATION_PROOF_ROOT_COMMIT] = OBJECT_KIND_PROOF_ROOT,
    [OPERATION_CONSOLE_WRITE] = OBJECT_KIND_DEVICE,
    [OPERATION_EDGE_CREATE] = OBJECT_KIND_SCHEDULER,
    [OPERATION_EDGE_DESTROY] = OBJECT_KIND_EDGE,
    [OPERATION_EDGE_SEND] = OBJECT_KIND_EDGE,
    [OPERATION_EDGE_RECEIVE] = OBJECT_KIND_EDGE,
    [OPERATION_NOTIFICATION_CREATE] = OBJECT_KIND_SCHEDULER,
    [OPERATION_NOTIFICATION_SIGNAL] = OBJECT_KIND_NOTIFICATION,
    [OPERATION_NOTIFICATION_WAIT] = OBJECT_KIND_NOTIFICATION,
    [OPERATION_GRAPH_READ] = OBJECT_KIND_COHERENCE,
    [OPERATION_EDGE_AWAIT] = OBJECT_KIND_EDGE,
    [OPERATION_NOTIFICATION_AWAIT] = OBJECT_KIND_NOTIFICATION,
    [OPERATION_SCHEDULE_PRIORITIZE] = OBJECT_KIND_SCHEDULER,
    [OPERATION_SCHEDULE_MODE] = OBJECT_KIND_SCHEDULER,
    [OPERATION_DEVICE_LEASE] = OBJECT_KIND_TRANSPORT,
    [OPERATION_DEVICE_RETURN] = OBJECT_KIND_TRANSPORT,
    [OPERATION_DEVICE_SUBMIT] = OBJECT_KIND_TRANSPORT,
    [OPERATION_DEVICE_COMPLETE] = OBJECT_KIND_TRANSPORT,
    [OPERATION_AGENT_CREATE] = OBJECT_KIND_PARTITION,
    [OPERATION_AGENT_MEASURE] = OBJECT_KIND_PARTITION,
    [OPERATION_AGENT_SPAWN] = OBJECT_KIND_PARTITION,
    [OPERATION_AGENT_CHANGE] = OBJECT_KIND_PARTITION,
    [OPERATION_BLOCK_CREATE] = OBJECT_KIND_PARTITION,
    [OPERATION_BLOCK_RELEASE] = OBJECT_KIND_PARTITION,
    [OPERATION_BLOCK_MAP] = OBJECT_KIND_PARTITION,
    [OPERATION_BLOCK_UNMAP] = OBJECT_KIND_PARTITION,
    [OPERATION_BLOCK_TRANSFER] = OBJECT_KIND_PARTITION,
    [OPERATION_BLOCK_RETIER] = OBJECT_KIND_PARTITION,
    [OPERATION_PARTITION_SPLIT] = OBJECT_KIND_PARTITION,
    [OPERATION_PARTITION_MERGE] = OBJECT_KIND_PARTITION,
    [OPERATION_PARTITION_SETTLE] = OBJECT_KIND_PARTITION,
    /* all others: OBJECT_KIND_NONE */
};
static const uint16_t RIGHTS_OF[76] = {
    [OPERATION_CAPABILITY_REVOKE] = RIGHT_REVOKE,
    [OPERATION_CAPABILITY_WITHDRAW] = RIGHT_WRITE | RIGHT_REVOKE,
    [OPERATION_PAGE_CREATE] = RIGHT_WRITE,
    [OPERATION_PAGE_RELEASE] = RIGHT_WRITE,
    [OPERATION_PAGE_TRANSFER] = RIGHT_WRITE,
    [OPERATION_TABLE_ROOT] = RIGHT_WRITE,
    [OPERATION_TABLE_LINK] = RIGHT_WRITE,
    [OPERATION_PAGE_MAP] = RIGHT_WRITE,
    [OPERATION_PAGE_UNMAP] = RIGHT_WRITE,
    [OPERATION_PAGE_SHARE] = RIGHT_WRITE,
    [OPERATION_SHARE_MAP] = RIGHT_WRITE,
    [OPERATION_PAGE_UNSHARE] = RIGHT_WRITE,
    [OPERATION_PAGE_APPEND] = RIGHT_WRITE,
    [OPERATION_PARTITION_CREATE] = RIGHT_WRITE,
    [OPERATION_PARTITION_ADOPT] = RIGHT_WRITE,
    [OPERATION_PARTITION_START] = RIGHT_EXECUTE,
    [OPERATION_PARTITION_SUSPEND] = RIGHT_EXECUTE,
    [OPERATION_PARTITION_RESUME] = RIGHT_EXECUTE,
    [OPERATION_PARTITION_HIBERNATE] = RIGHT_HIBERNATE,
    [OPERATION_PARTITION_RECONSTRUCT] = RIGHT_HIBERNATE,
    [OPERATION_PARTITION_DESTROY] = RIGHT_WRITE,
    [OPERATION_PARTITION_RELEASE] = RIGHT_WRITE,
    [OPERATION_PARTITION_RECLAIM] = RIGHT_WRITE,
    [OPERATION_PARTITION_FAIL] = RIGHT_WRITE,
    [OPERATION_SYSTEM_HALT] = RIGHT_WRITE,
    [OPERATION_PARTITION_ENDOW] = RIGHT_WRITE,
    [OPERATION_REGION_RECLAIM] = RIGHT_REVOKE,
    [OPERATION_RING_ASSIGN] = RIGHT_WRITE,
    [OPERATION_RING_DEMOTE] = RIGHT_WRITE,
    [OPERATION_RING_RESTORE] = RIGHT_WRITE,
    [OPERATION_WITNESS_READ] = RIGHT_READ,
    [OPERATION_WITNESS_SEAL] = RIGHT_READ,
    [OPERATION_WITNESS_DISCARD] = RIGHT_READ | RIGHT_WRITE,
    [OPERATION_PROOF_ROOT_PROPOSE] = RIGHT_WRITE,
    [OPERATION_PROOF_ROOT_BIND] = RIGHT_GRANT | RIGHT_PROVE,
    [OPERATION_PROOF_ROOT_COMMIT] = RIGHT_WRITE | RIGHT_PROVE,
    [OPERATION_CONSOLE_WRITE] = RIGHT_WRITE,
    [OPERATION_EDGE_CREATE] = RIGHT_WRITE,
    [OPERATION_EDGE_DESTROY] = RIGHT_REVOKE,
    [OPERATION_EDGE_SEND] = RIGHT_WRITE,
    [OPERATION_EDGE_RECEIVE] = RIGHT_READ,
    [OPERATION_NOTIFICATION_CREATE] = RIGHT_WRITE,
    [OPERATION_NOTIFICATION_SIGNAL] = RIGHT_WRITE,
    [OPERATION_NOTIFICATION_WAIT] = RIGHT_READ,
    [OPERATION_GRAPH_READ] = RIGHT_READ,
    [OPERATION_EDGE_AWAIT] = RIGHT_READ,
    [OPERATION_NOTIFICATION_AWAIT] = RIGHT_READ,
    [OPERATION_SCHEDULE_PRIORITIZE] = RIGHT_EXECUTE,
    [OPERATION_SCHEDULE_MODE] = RIGHT_EXECUTE,
    [OPERATION_DEVICE_LEASE] = RIGHT_LEASE,
    [OPERATION_DEVICE_RETURN] = RIGHT_READ,
    [OPERATION_DEVICE_SUBMIT] = RIGHT_WRITE,
    [OPERATION_DEVICE_COMPLETE] = RIGHT_READ,
    [OPERATION_AGENT_CREATE] = RIGHT_WRITE | RIGHT_EXECUTE,
    [OPERATION_AGENT_MEASURE] = RIGHT_WRITE | RIGHT_EXECUTE,
    [OPERATION_AGENT_SPAWN] = RIGHT_WRITE | RIGHT_EXECUTE | RIGHT_PROVE,
    [OPERATION_AGENT_CHANGE] = RIGHT_EXECUTE,
    [OPERATION_BLOCK_CREATE] = RIGHT_WRITE,
    [OPERATION_BLOCK_RELEASE] = RIGHT_WRITE,
    [OPERATION_BLOCK_MAP] = RIGHT_WRITE,
    [OPERATION_BLOCK_UNMAP] = RIGHT_WRITE,
    [OPERATION_BLOCK_TRANSFER] = RIGHT_WRITE,
    [OPERATION_BLOCK_RETIER] = RIGHT_WRITE,
    [OPERATION_PARTITION_SPLIT] = RIGHT_WRITE | RIGHT_SPLIT,
    [OPERATION_PARTITION_MERGE] = RIGHT_WRITE | RIGHT_MERGE,
    [OPERATION_PARTITION_SETTLE] = RIGHT_WRITE,
    /* all others: 0 */
};
static const uint8_t TAKES_HANDLE[76] = {
    [OPERATION_CAPABILITY_GRANT] = 1,
    [OPERATION_CAPABILITY_REVOKE] = 1,
    [OPERATION_CAPABILITY_DELETE] = 1,
    [OPERATION_CAPABILITY_INSPECT] = 1,
    [OPERATION_CAPABILITY_WITHDRAW] = 1,
    [OPERATION_PAGE_CREATE] = 1,
    [OPERATION_PAGE_RELEASE] = 1,
    [OPERATION_PAGE_TRANSFER] = 1,
    [OPERATION_TABLE_ROOT] = 1,
    [OPERATION_TABLE_LINK] = 1,
    [OPERATION_PAGE_MAP] = 1,
    [OPERATION_PAGE_UNMAP] = 1,
    [OPERATION_PAGE_SHARE] = 1,
    [OPERATION_SHARE_MAP] = 1,
    [OPERATION_PAGE_UNSHARE] = 1,
    [OPERATION_PAGE_APPEND] = 1,
    [OPERATION_PARTITION_CREATE] = 1,
    [OPERATION_PARTITION_ADOPT] = 1,
    [OPERATION_PARTITION_START] = 1,
    [OPERATION_PARTITION_SUSPEND] = 1,
    [OPERATION_PARTITION_RESUME] = 1,
    [OPERATION_PARTITION_HIBERNATE] = 1,
    [OPERATION_PARTITION_RECONSTRUCT] = 1,
    [OPERATION_PARTITION_DESTROY] = 1,
    [OPERATION_PARTITION_RELEASE] = 1,
    [OPERATION_PARTITION_RECLAIM] = 1,
    [OPERATION_PARTITION_FAIL] = 1,
    [OPERATION_SYSTEM_HALT] = 1,
    [OPERATION_PARTITION_ENDOW] = 1,
    [OPERATION_REGION_RECLAIM] = 1,
    [OPERATION_RING_ASSIGN] = 1,
    [OPERATION_RING_DEMOTE] = 1,
    [OPERATION_RING_RESTORE] = 1,
    [OPERATION_WITNESS_READ] = 1,
    [OPERATION_WITNESS_SEAL] = 1,
    [OPERATION_WITNESS_DISCARD] = 1,
    [OPERATION_PROOF_ROOT_PROPOSE] = 1,
    [OPERATION_PROOF_ROOT_BIND] = 1,
    [OPERATION_PROOF_ROOT_COMMIT] = 1,
    [OPERATION_CONSOLE_WRITE] = 1,
    [OPERATION_EDGE_CREATE] = 1,
    [OPERATION_EDGE_DESTROY] = 1,
    [OPERATION_EDGE_SEND] = 1,
    [OPERATION_EDGE_RECEIVE] = 1,
    [OPERATION_NOTIFICATION_CREATE] = 1,
    [OPERATION_NOTIFICATION_SIGNAL] = 1,
    [OPERATION_NOTIFICATION_WAIT] = 1,
    [OPERATION_GRAPH_READ] = 1,
    [OPERATION_EDGE_AWAIT] = 1,
    [OPERATION_NOTIFICATION_AWAIT] = 1,
    [OPERATION_SCHEDULE_PRIORITIZE] = 1,
    [OPERATION_SCHEDULE_MODE] = 1,
    [OPERATION_DEVICE_LEASE] = 1,
    [OPERATION_DEVICE_RETURN] = 1,
    [OPERATION_DEVICE_SUBMIT] = 1,
    [OPERATION_DEVICE_COMPLETE] = 1,
    [OPERATION_AGENT_CREATE] = 1,
    [OPERATION_AGENT_MEASURE] = 1,
    [OPERATION_AGENT_SPAWN] = 1,
    [OPERATION_AGENT_CHANGE] = 1,
    [OPERATION_BLOCK_CREATE] = 1,
    [OPERATION_BLOCK_RELEASE] = 1,
    [OPERATION_BLOCK_MAP] = 1,
    [OPERATION_BLOCK_UNMAP] = 1,
    [OPERATION_BLOCK_TRANSFER] = 1,
    [OPERATION_BLOCK_RETIER] = 1,
    [OPERATION_PARTITION_SPLIT] = 1,
    [OPERATION_PARTITION_MERGE] = 1,
    [OPERATION_PARTITION_SETTLE] = 1,
    /* all others: 0 */
};
static const uint8_t HANDLES[76] = {
    [OPERATION_CAPABILITY_GRANT] = 9,
    [OPERATION_CAPABILITY_REVOKE] = 1,
    [OPERATION_CAPABILITY_DELETE] = 1,
    [OPERATION_CAPABILITY_INSPECT] = 1,
    [OPERATION_CAPABILITY_WITHDRAW] = 1,
    [OPERATION_PAGE_CREATE] = 9,
    [OPERATION_PAGE_RELEASE] = 1,
    [OPERATION_PAGE_TRANSFER] = 5,
    [OPERATION_TABLE_ROOT] = 1,
    [OPERATION_TABLE_LINK] = 1,
    [OPERATION_PAGE_MAP] = 1,
    [OPERATION_PAGE_UNMAP] = 1,
    [OPERATION_PAGE_SHARE] = 9,
    [OPERATION_SHARE_MAP] = 1,
    [OPERATION_PAGE_UNSHARE] = 1,
    [OPERATION_PAGE_APPEND] = 1,
    [OPERATION_PARTITION_CREATE] = 1,
    [OPERATION_PARTITION_ADOPT] = 1,
    [OPERATION_PARTITION_START] = 1,
    [OPERATION_PARTITION_SUSPEND] = 1,
    [OPERATION_PARTITION_RESUME] = 1,
    [OPERATION_PARTITION_HIBERNATE] = 1,
    [OPERATION_PARTITION_RECONSTRUCT] = 1,
    [OPERATION_PARTITION_DESTROY] = 1,
    [OPERATION_PARTITION_RELEASE] = 1,
    [OPERATION_PARTITION_RECLAIM] = 1,
    [OPERATION_PARTITION_FAIL] = 1,
    [OPERATION_SYSTEM_HALT] = 1,
    [OPERATION_PARTITION_ENDOW] = 1,
    [OPERATION_REGION_RECLAIM] = 1,
    [OPERATION_RING_ASSIGN] = 3,
    [OPERATION_RING_DEMOTE] = 1,
    [OPERATION_RING_ELEVATE] = 8,
    [OPERATION_RING_RESTORE] = 1,
    [OPERATION_WITNESS_READ] = 1,
    [OPERATION_WITNESS_SEAL] = 1,
    [OPERATION_WITNESS_DISCARD] = 1,
    [OPERATION_PROOF_ROOT_PROPOSE] = 1,
    [OPERATION_PROOF_ROOT_BIND] = 3,
    [OPERATION_PROOF_ROOT_COMMIT] = 1,
    [OPERATION_CONSOLE_WRITE] = 1,
    [OPERATION_EDGE_CREATE] = 1,
    [OPERATION_EDGE_DESTROY] = 1,
    [OPERATION_EDGE_SEND] = 1,
    [OPERATION_EDGE_RECEIVE] = 1,
    [OPERATION_NOTIFICATION_CREATE] = 1,
    [OPERATION_NOTIFICATION_SIGNAL] = 1,
    [OPERATION_NOTIFICATION_WAIT] = 1,
    [OPERATION_GRAPH_READ] = 1,
    [OPERATION_EDGE_AWAIT] = 1,
    [OPERATION_NOTIFICATION_AWAIT] = 1,
    [OPERATION_SCHEDULE_PRIORITIZE] = 3,
    [OPERATION_SCHEDULE_MODE] = 1,
    [OPERATION_DEVICE_LEASE] = 1,
    [OPERATION_DEVICE_RETURN] = 1,
    [OPERATION_DEVICE_SUBMIT] = 1,
    [OPERATION_DEVICE_COMPLETE] = 1,
    [OPERATION_AGENT_CREATE] = 1,
    [OPERATION_AGENT_MEASURE] = 1,
    [OPERATION_AGENT_SPAWN] = 1,
    [OPERATION_AGENT_CHANGE] = 1,
    [OPERATION_BLOCK_CREATE] = 1,
    [OPERATION_BLOCK_RELEASE] = 1,
    [OPERATION_BLOCK_MAP] = 1,
    [OPERATION_BLOCK_UNMAP] = 1,
    [OPERATION_BLOCK_TRANSFER] = 5,
    [OPERATION_BLOCK_RETIER] = 1,
    [OPERATION_PARTITION_SPLIT] = 3,
    [OPERATION_PARTITION_MERGE] = 3,
    [OPERATION_PARTITION_SETTLE] = 1,
    /* all others: 0 */
};
static const uint8_t ANY_OBJECT[76] = {
    [OPERATION_CAPABILITY_GRANT] = 1,
    [OPERATION_CAPABILITY_REVOKE] = 1,
    [OPERATION_CAPABILITY_DELETE] = 1,
    [OPERATION_CAPABILITY_INSPECT] = 1,
    /* all others: 0 */
};
static const uint8_t USES_RESOURCE[76] = {
    [OPERATION_TOOL_ACQUIRE] = 1,
    /* all others: 0 */
};
static const uint8_t ACCEPTS_DEAD[76] = {
    [OPERATION_CAPABILITY_DELETE] = 1,
    /* all others: 0 */
};
static const uint8_t METER_OF[76] = {
    [OPERATION_WITNESS_READ] = METER_MESSAGES,
    [OPERATION_WITNESS_DISCARD] = METER_MESSAGES,
    [OPERATION_CONSOLE_WRITE] = METER_MESSAGES,
    [OPERATION_EDGE_SEND] = METER_MESSAGES,
    [OPERATION_EDGE_RECEIVE] = METER_MESSAGES,
    [OPERATION_NOTIFICATION_SIGNAL] = METER_MESSAGES,
    [OPERATION_NOTIFICATION_WAIT] = METER_MESSAGES,
    [OPERATION_GRAPH_READ] = METER_MESSAGES,
    [OPERATION_EDGE_AWAIT] = METER_MESSAGES,
    [OPERATION_NOTIFICATION_AWAIT] = METER_MESSAGES,
    [OPERATION_DEVICE_SUBMIT] = METER_MESSAGES,
    [OPERATION_DEVICE_COMPLETE] = METER_MESSAGES,
    [OPERATION_AGENT_MEASURE] = METER_MESSAGES,
    [OPERATION_AGENT_SPEAK] = METER_MESSAGES,
    [OPERATION_BLOCK_CLEAN] = METER_MESSAGES,
    /* all others: METER_CALLS */
};
static const uint8_t FOR_CREATORS[76] = {
    [OPERATION_PARTITION_DESTROY] = 1,
    [OPERATION_PARTITION_RELEASE] = 1,
    [OPERATION_PARTITION_RECLAIM] = 1,
    /* all others: 0 */
};
static const uint8_t ELEVATION_ADMITS[76] = {
    [OPERATION_CAPABILITY_GRANT] = 1,
    [OPERATION_CAPABILITY_REVOKE] = 1,
    [OPERATION_CAPABILITY_DELETE] = 1,
    [OPERATION_CAPABILITY_INSPECT] = 1,
    [OPERATION_CAPABILITY_WITHDRAW] = 1,
    [OPERATION_PAGE_CREATE] = 1,
    [OPERATION_PAGE_RELEASE] = 1,
    [OPERATION_PAGE_TRANSFER] = 1,
    [OPERATION_TABLE_ROOT] = 1,
    [OPERATION_TABLE_LINK] = 1,
    [OPERATION_PAGE_MAP] = 1,
    [OPERATION_PAGE_UNMAP] = 1,
    [OPERATION_PAGE_SHARE] = 1,
    [OPERATION_SHARE_MAP] = 1,
    [OPERATION_PAGE_UNSHARE] = 1,
    [OPERATION_PAGE_APPEND] = 1,
    [OPERATION_PARTITION_CREATE] = 1,
    [OPERATION_PARTITION_ADOPT] = 1,
    [OPERATION_PARTITION_START] = 1,
    [OPERATION_PARTITION_SUSPEND] = 1,
    [OPERATION_PARTITION_RESUME] = 1,
    [OPERATION_PARTITION_HIBERNATE] = 1,
    [OPERATION_PARTITION_RECONSTRUCT] = 1,
    [OPERATION_PARTITION_DESTROY] = 1,
    [OPERATION_PARTITION_RELEASE] = 1,
    [OPERATION_PARTITION_RECLAIM] = 1,
    [OPERATION_PARTITION_FAIL] = 1,
    [OPERATION_SYSTEM_HALT] = 1,
    [OPERATION_PARTITION_ENDOW] = 1,
    [OPERATION_REGION_RECLAIM] = 1,
    [OPERATION_RING_DEMOTE] = 1,
    [OPERATION_RING_ELEVATE] = 1,
    [OPERATION_RING_RESTORE] = 1,
    [OPERATION_TOOL_ACQUIRE] = 1,
    [OPERATION_TOOL_RELEASE] = 1,
    [OPERATION_WITNESS_READ] = 1,
    [OPERATION_WITNESS_SEAL] = 1,
    [OPERATION_WITNESS_DISCARD] = 1,
    [OPERATION_PROOF_INSPECT] = 1,
    [OPERATION_YIELD_NOW] = 1,
    [OPERATION_CONSOLE_WRITE] = 1,
    [OPERATION_EDGE_CREATE] = 1,
    [OPERATION_EDGE_DESTROY] = 1,
    [OPERATION_EDGE_SEND] = 1,
    [OPERATION_EDGE_RECEIVE] = 1,
    [OPERATION_NOTIFICATION_CREATE] = 1,
    [OPERATION_NOTIFICATION_SIGNAL] = 1,
    [OPERATION_NOTIFICATION_WAIT] = 1,
    [OPERATION_GRAPH_READ] = 1,
    [OPERATION_EDGE_AWAIT] = 1,
    [OPERATION_NOTIFICATION_AWAIT] = 1,
    [OPERATION_SCHEDULE_PRIORITIZE] = 1,
    [OPERATION_SCHEDULE_MODE] = 1,
    [OPERATION_DEVICE_LEASE] = 1,
    [OPERATION_DEVICE_RETURN] = 1,
    [OPERATION_DEVICE_SUBMIT] = 1,
    [OPERATION_DEVICE_COMPLETE] = 1,
    [OPERATION_AGENT_CREATE] = 1,
    [OPERATION_AGENT_MEASURE] = 1,
    [OPERATION_AGENT_SPAWN] = 1,
    [OPERATION_AGENT_CHANGE] = 1,
    [OPERATION_AGENT_SPEAK] = 1,
    [OPERATION_BLOCK_CREATE] = 1,
    [OPERATION_BLOCK_RELEASE] = 1,
    [OPERATION_BLOCK_CLEAN] = 1,
    [OPERATION_BLOCK_MAP] = 1,
    [OPERATION_BLOCK_UNMAP] = 1,
    [OPERATION_BLOCK_TRANSFER] = 1,
    [OPERATION_BLOCK_RETIER] = 1,
    [OPERATION_PARTITION_SPLIT] = 1,
    [OPERATION_PARTITION_MERGE] = 1,
    [OPERATION_PARTITION_SETTLE] = 1,
    /* all others: 0 */
};
static const uint8_t REPLACES_ROOT[76] = {
    [OPERATION_PROOF_ROOT_COMMIT] = 1,
    /* all others: 0 */
};
static const uint8_t SHOWS_MODULE[76] = {
    [OPERATION_AGENT_SPAWN] = 1,
    /* all others: 0 */
};

/* The code of what the header has copied to its callers. */
extern inline bool gate_known(const struct call *call);
extern inline bool gate_drops_all(const struct kernel *s, const struct call *call);

/* What happens between a hypercall and its operation? The gate, in its exact order, and the record.

   Known operation, rate limit, ring 0, ring comparison, resource, then P1, P2, P3, then the operation, then the
   witness. The gate first checks that there is room for the record: no witness, no mutation. */

/* The kind of the record that the call will leave. */
action_t gate_kind_of(const struct call *call)
{
    return gate_known(call) ? (action_t)KIND_OF[call->operation] : ACTION_PROOF_REJECTED;
}

/* Return what the call is paid from; a call that names no operation costs as much as any other. */
meter_t gate_meter_of(const struct call *call)
{
    return gate_known(call) ? (meter_t)METER_OF[call->operation] : METER_CALLS;
}

/* May a partition of this ring ask for this operation now? */
status_t gate_admit(struct kernel *s, const struct call *call)
{
    ring_t held = ring_effective_ring(s, s->current, call->now);
    bool paid = ring_pay(s, s->current, gate_meter_of(call), held, call->now);
    if (!paid) {
        return STATUS_RATE_LIMITED;
    }
    if (!gate_known(call)) {
        return STATUS_UNKNOWN_OPERATION;
    }
    uint8_t required = REQUIRED_RING[call->operation];
    if (required == RING_ROOT) {
        return STATUS_NEEDS_SRE_WITNESS;
    }
    ring_t ring = ELEVATION_ADMITS[call->operation] != 0 ? held : ring_base_ring(s, s->current);
    if (ring > required) {
        return STATUS_RING_DENIED;
    }
    if (USES_RESOURCE[call->operation] != 0) {
        if (call->argument[1] >= RESOURCE_LIMIT) {
            return STATUS_RESOURCE_DENIED;
        }
        if (!ring_permits(ring, call->argument[1])) {
            return STATUS_RESOURCE_DENIED;
        }
    }
    return STATUS_OK;
}

/* P1: is the handle one of the caller's own slots, live, on the right object, with enough rights? */
status_t gate_lookup(const struct kernel *s, const struct call *call)
{
    if (call->argument[0] >= HANDLE_LIMIT) {
        return STATUS_INVALID_HANDLE;
    }
    handle_t handle = call->argument[0];
    capability_id_t c = capability_id(s->current, capability_handle_slot(handle));
    if (capability_free(s, c)) {
        return STATUS_INVALID_HANDLE;
    }
    if (s->capability[c].generation != capability_handle_generation(handle)) {
        return STATUS_STALE_HANDLE;
    }
    if (ACCEPTS_DEAD[call->operation] != 0) {
        return STATUS_OK;
    }
    if (!capability_live(s, c)) {
        return STATUS_REVOKED;
    }
    if (ANY_OBJECT[call->operation] == 0 && s->capability[c].kind != OBJECT_OF[call->operation]) {
        return STATUS_WRONG_OBJECT;
    }
    if (!capability_current_object(s, c)) {
        return STATUS_WRONG_OBJECT;
    }
    if (((right_t)RIGHTS_OF[call->operation] & ~s->capability[c].rights) != 0) {
        return STATUS_INSUFFICIENT_RIGHTS;
    }
    return STATUS_OK;
}

/* Does the call ask for the next eight records that nobody has copied?

   Fewer than eight must wait to be dropped, and the call must name a page that the records can go into. */
bool gate_copies_on(const struct kernel *s, const struct call *call)
{
    return call->operation == WITNESS_READ && call->argument[2] == s->copied && s->copied - s->drained < DRAIN_LIMIT &&
           s->sequence - s->copied >= DRAIN_LIMIT && call->argument[1] < PAGES &&
           memory_lets(s, s->current, call->argument[1] & (PAGE_ID_BOUND - 1), ACCESS_WRITE);
}

/* Will this call bring eight records closer to leaving the log, or make them leave it? */
bool gate_will_drain(const struct kernel *s, const struct call *call)
{
    partition_id_t p = s->current;
    return (gate_copies_on(s, call) || gate_drops_all(s, call)) &&
           ring_effective_ring(s, p, call->now) <= REQUIRED_RING[call->operation] &&
           ring_has_message(s, p, call->now) && gate_lookup(s, call) == STATUS_OK;
}

/* May the call be recorded, within the caller's share of the log, or beyond it when it helps to make room? */
bool gate_room_for(const struct kernel *s, const struct call *call)
{
    if (witness_own_room(s, s->current)) {
        return true;
    }
    return witness_log_room(s) && gate_will_drain(s, call);
}

/* Is the caller the creator of the partition that it names, or in ring 1? */
bool gate_in_charge(const struct kernel *s, const struct call *call)
{
    ring_t ring = ring_effective_ring(s, s->current, call->now);
    return s->partition[capability_named_partition(s, call)].parent == s->current || ring == RING_PRIVILEGED;
}

/* Does the proof pass P2 and, where the tier asks for it, P3?

   P3 is a path to the root that binds the caller, or to the root that the call replaces. It leads from what the call
   means, or from the module that it shows. */
bool gate_convinces(const struct kernel *s, const struct call *call, tier_t tier)
{
    bool replaces_root = REPLACES_ROOT[call->operation] != 0;
    uint32_t digest[8] = {0};
    proof_mutation_digest(s, call, HANDLES[call->operation], replaces_root, digest);
    if (!proof_policy_holds(s, call, tier, digest)) {
        return false;
    }
    if (tier != TIER_P3) {
        return true;
    }
    if (SHOWS_MODULE[call->operation] != 0) {
        bool shown = agent_shows_module(s, call, digest);
        if (!shown) {
            return false;
        }
    }
    return proof_path_holds(s, call, replaces_root ? proof_named_root(s, call) : s->partition[s->current].proof_root,
                            digest);
}

/* Check P1, and what more the tier of the operation asks for. */
status_t gate_authorize(const struct kernel *s, struct call *call)
{
    if (TAKES_HANDLE[call->operation] != 0) {
        status_t status = gate_lookup(s, call);
        if (status != STATUS_OK) {
            return status;
        }
        call->capability = capability_id(s->current, capability_handle_slot(call->argument[0]));
        if (FOR_CREATORS[call->operation] != 0 && !gate_in_charge(s, call)) {
            return STATUS_RING_DENIED;
        }
    }
    uint8_t tier = TIER_OF[call->operation];
    if (tier >= TIER_P2) {
        if (!gate_convinces(s, call, tier)) {
            return STATUS_POLICY_VIOLATION;
        }
    }
    return STATUS_OK;
}

/* Admit, authorize and perform a call; a proof is used up only by success. */
status_t gate_carry_out(struct kernel *s, struct call *call)
{
    status_t status = gate_admit(s, call);
    if (status != STATUS_OK) {
        return status;
    }
    status = gate_authorize(s, call);
    if (status != STATUS_OK) {
        return status;
    }
    partition_id_t actor = s->current;
    status = gate_perform(s, call);
    if (status == STATUS_OK && TIER_OF[call->operation] >= TIER_P2) {
        s->partition[actor].nonce++;
    }
    return status;
}

/* Return what the record keeps as its object.

   That is packed arguments, x2 of a call that was refused, or the number of an operation that is not known. */
uint64_t gate_first_word(const struct call *call, status_t status)
{
    if (!gate_known(call)) {
        return call->operation;
    }
    return status == STATUS_OK ? arguments_packed_object(call) : call->argument[1];
}

/* Return what the record keeps as its payload.

   That is packed arguments, x3 of a call that was refused, or x2 of a call that names no operation. */
uint64_t gate_second_word(const struct call *call, status_t status)
{
    if (!gate_known(call)) {
        return call->argument[1];
    }
    return status == STATUS_OK ? arguments_packed_payload(call) : call->argument[2];
}

/* Record a call in the witness log, allowed or denied. */
void gate_record(struct kernel *s, const struct call *call, partition_id_t actor, status_t status)
{
    action_t kind = gate_kind_of(call);
    tier_t tier = gate_known(call) ? (tier_t)TIER_OF[call->operation] : TIER_NONE;
    uint8_t number = gate_known(call) ? (uint8_t)call->operation : KERNEL_OPERATION;
    witness_append_for_partition(s, call->now, actor, kind, tier, status, number, gate_first_word(call, status),
                                 call->argument[0], gate_second_word(call, status));
}

/* Handle one hypercall of the current partition, from the registers to the record. */
status_t gate_dispatch(struct kernel *s, struct call *call)
{
    partition_id_t actor = s->current;
    schedule_rouse(s);
    call->now = clock_advance(s, call->now);
    call->yields = false;
    clear_words(call->result, 3);
    if (!gate_room_for(s, call)) {
        witness_count_refusal(s, actor);
        return STATUS_WITNESS_FULL;
    }
    status_t status = gate_carry_out(s, call);
    gate_record(s, call, actor, status);
    schedule_reschedule(s, call->yields);
    return status;
}

/* Run the operation that the call names, once the gate has admitted it. */
status_t gate_perform(struct kernel *s, struct call *call)
{
    switch (call->operation) {
    case OPERATION_CAPABILITY_GRANT:
        if (call->argument[1] >= SLOT_ID_BOUND || call->argument[2] >= RIGHT_BOUND ||
            call->argument[3] >= HANDLE_BOUND) {
            return STATUS_BAD_ARGUMENT;
        }
        return capability_grant(s, call, call->argument[1], call->argument[2], call->argument[3], call->argument[4]);
    case OPERATION_CAPABILITY_REVOKE:
        return capability_revoke(s, call);
    case OPERATION_CAPABILITY_DELETE:
        return capability_delete(s, call);
    case OPERATION_CAPABILITY_INSPECT:
        return capability_inspect(s, call);
    case OPERATION_CAPABILITY_WITHDRAW:
        if (call->argument[1] >= SLOT_ID_BOUND) {
            return STATUS_BAD_ARGUMENT;
        }
        return capability_withdraw(s, call, call->argument[1]);
    case OPERATION_PAGE_CREATE:
        if (call->argument[1] >= PAGE_ID_BOUND || call->argument[2] >= PAGE_KIND_BOUND ||
            call->argument[3] >= HANDLE_BOUND) {
            return STATUS_BAD_ARGUMENT;
        }
        return memory_page_create(s, call, call->argument[1], call->argument[2], call->argument[3]);
    case OPERATION_PAGE_RELEASE:
        if (call->argument[1] >= PAGE_ID_BOUND) {
            return STATUS_BAD_ARGUMENT;
        }
        return memory_page_release(s, call, call->argument[1]);
    case OPERATION_PAGE_TRANSFER:
        if (call->argument[1] >= PAGE_ID_BOUND || call->argument[2] >= HANDLE_BOUND) {
            return STATUS_BAD_ARGUMENT;
        }
        return memory_page_transfer(s, call, call->argument[1], call->argument[2]);
    case OPERATION_TABLE_ROOT:
        if (call->argument[1] >= PAGE_ID_BOUND) {
            return STATUS_BAD_ARGUMENT;
        }
        return memory_table_root(s, call, call->argument[1]);
    case OPERATION_TABLE_LINK:
        if (call->argument[1] >= PAGE_ID_BOUND || call->argument[2] >= ENTRY_ID_BOUND ||
            call->argument[3] >= PAGE_ID_BOUND) {
            return STATUS_BAD_ARGUMENT;
        }
        return memory_table_link(s, call, call->argument[1], call->argument[2], call->argument[3]);
    case OPERATION_PAGE_MAP:
        if (call->argument[1] >= PAGE_ID_BOUND || call->argument[2] >= PAGE_ID_BOUND ||
            call->argument[3] >= ENTRY_ID_BOUND || call->argument[4] >= ACCESS_BOUND) {
            return STATUS_BAD_ARGUMENT;
        }
        return memory_page_map(s, call, call->argument[1], call->argument[2], call->argument[3], call->argument[4]);
    case OPERATION_PAGE_UNMAP:
        if (call->argument[1] >= PAGE_ID_BOUND) {
            return STATUS_BAD_ARGUMENT;
        }
        return memory_page_unmap(s, call, call->argument[1]);
    case OPERATION_PAGE_SHARE:
        if (call->argument[1] >= PAGE_ID_BOUND || call->argument[2] >= ORDINAL_BOUND ||
            call->argument[3] >= HANDLE_BOUND) {
            return STATUS_BAD_ARGUMENT;
        }
        return memory_page_share(s, call, call->argument[1], call->argument[2], call->argument[3]);
    case OPERATION_SHARE_MAP:
        if (call->argument[1] >= PAGE_ID_BOUND || call->argument[2] >= ORDINAL_BOUND ||
            call->argument[3] >= PAGE_ID_BOUND || call->argument[4] >= ENTRY_ID_BOUND) {
            return STATUS_BAD_ARGUMENT;
        }
        return memory_share_map(s, call, call->argument[1], call->argument[2], call->argument[3], call->argument[4]);
    case OPERATION_PAGE_UNSHARE:
        if (call->argument[1] >= PAGE_ID_BOUND || call->argument[2] >= ORDINAL_BOUND) {
            return STATUS_BAD_ARGUMENT;
        }
        return memory_page_unshare(s, call, call->argument[1], call->argument[2]);
    case OPERATION_PAGE_APPEND:
        if (call->argument[1] >= PAGE_ID_BOUND) {
            return STATUS_BAD_ARGUMENT;
        }
        return memory_page_append(s, call, call->argument[1], call->argument[2]);
    case OPERATION_PARTITION_CREATE:
        if (call->argument[1] >= PARTITION_ID_BOUND || call->argument[2] >= SLOT_ID_BOUND ||
            call->argument[3] >= 0x10000) {
            return STATUS_BAD_ARGUMENT;
        }
        return partition_create(s, call, call->argument[1], call->argument[2], call->argument[3]);
    case OPERATION_PARTITION_ADOPT:
        if (call->argument[1] >= PARTITION_ID_BOUND || call->argument[2] >= SLOT_ID_BOUND) {
            return STATUS_BAD_ARGUMENT;
        }
        return partition_adopt(s, call, call->argument[1], call->argument[2]);
    case OPERATION_PARTITION_START:
        return partition_start(s, call, call->argument[1]);
    case OPERATION_PARTITION_SUSPEND:
        return partition_suspend(s, call);
    case OPERATION_PARTITION_RESUME:
        return partition_resume(s, call);
    case OPERATION_PARTITION_HIBERNATE:
        return partition_hibernate(s, call);
    case OPERATION_PARTITION_RECONSTRUCT:
        return partition_reconstruct(s, call);
    case OPERATION_PARTITION_DESTROY:
        return partition_destroy(s, call);
    case OPERATION_PARTITION_RELEASE:
        return partition_release(s, call);
    case OPERATION_PARTITION_RECLAIM:
        return partition_reclaim(s, call);
    case OPERATION_PARTITION_FAIL:
        if (call->argument[1] >= FAILURE_CLASS_BOUND) {
            return STATUS_BAD_ARGUMENT;
        }
        return partition_fail(s, call, call->argument[1]);
    case OPERATION_SYSTEM_HALT:
        return partition_system_halt(s, call);
    case OPERATION_PARTITION_ENDOW:
        if (call->argument[1] >= ALLOWANCE_BOUND || call->argument[2] >= 0x10000) {
            return STATUS_BAD_ARGUMENT;
        }
        return partition_endow(s, call, call->argument[1], call->argument[2]);
    case OPERATION_REGION_RECLAIM:
        if (call->argument[1] >= PAGE_ID_BOUND) {
            return STATUS_BAD_ARGUMENT;
        }
        return partition_region_reclaim(s, call, call->argument[1]);
    case OPERATION_RING_ASSIGN:
        if (call->argument[1] >= HANDLE_BOUND || call->argument[2] >= 0x100000000ull || call->argument[3] >= 2) {
            return STATUS_BAD_ARGUMENT;
        }
        return ring_assign(s, call, call->argument[1], call->argument[2], call->argument[3] != 0);
    case OPERATION_RING_DEMOTE:
        if (call->argument[1] >= 0x100000000ull) {
            return STATUS_BAD_ARGUMENT;
        }
        return ring_demote(s, call, call->argument[1]);
    case OPERATION_RING_ELEVATE:
        if (call->argument[1] >= RING_BOUND || call->argument[2] >= 0x100000000ull ||
            call->argument[3] >= HANDLE_BOUND) {
            return STATUS_BAD_ARGUMENT;
        }
        return ring_elevate(s, call, call->argument[1], call->argument[2], call->argument[3]);
    case OPERATION_RING_RESTORE:
        return ring_restore(s, call);
    case OPERATION_TOOL_ACQUIRE:
        if (call->argument[1] >= RESOURCE_BOUND) {
            return STATUS_BAD_ARGUMENT;
        }
        return ring_tool_acquire(s, call, call->argument[1]);
    case OPERATION_TOOL_RELEASE:
        if (call->argument[1] >= RESOURCE_BOUND) {
            return STATUS_BAD_ARGUMENT;
        }
        return ring_tool_release(s, call, call->argument[1]);
    case OPERATION_WITNESS_READ:
        if (call->argument[1] >= PAGE_ID_BOUND) {
            return STATUS_BAD_ARGUMENT;
        }
        return witness_read(s, call, call->argument[1], call->argument[2]);
    case OPERATION_WITNESS_SEAL:
        if (call->argument[1] >= PAGE_ID_BOUND) {
            return STATUS_BAD_ARGUMENT;
        }
        return witness_seal(s, call, call->argument[1]);
    case OPERATION_WITNESS_DISCARD:
        return witness_discard(s, call, call->argument[1]);
    case OPERATION_PROOF_INSPECT:
        return proof_inspect(s, call);
    case OPERATION_PROOF_ROOT_PROPOSE:
        if (call->argument[1] >= 256) {
            return STATUS_BAD_ARGUMENT;
        }
        return proof_root_propose(s, call, call->argument[1], call->argument[2]);
    case OPERATION_PROOF_ROOT_BIND:
        if (call->argument[1] >= HANDLE_BOUND) {
            return STATUS_BAD_ARGUMENT;
        }
        return proof_root_bind(s, call, call->argument[1]);
    case OPERATION_PROOF_ROOT_COMMIT:
        return proof_root_commit(s, call);
    case OPERATION_YIELD_NOW:
        return schedule_yield_now(s, call);
    case OPERATION_CONSOLE_WRITE:
        if (call->argument[1] >= PAGE_ID_BOUND || call->argument[2] >= ENTRY_ID_BOUND ||
            call->argument[3] >= 0x10000 || call->argument[4] >= FORMAT_BOUND) {
            return STATUS_BAD_ARGUMENT;
        }
        return console_write(s, call, call->argument[1], call->argument[2], call->argument[3], call->argument[4]);
    case OPERATION_EDGE_CREATE:
        if (call->argument[1] >= EDGE_ID_BOUND || call->argument[2] >= SLOT_ID_BOUND) {
            return STATUS_BAD_ARGUMENT;
        }
        return edge_create(s, call, call->argument[1], call->argument[2], call->argument[3]);
    case OPERATION_EDGE_DESTROY:
        return edge_destroy(s, call);
    case OPERATION_EDGE_SEND:
        if (call->argument[1] >= PAGE_ID_BOUND || call->argument[2] >= 0x10000) {
            return STATUS_BAD_ARGUMENT;
        }
        return edge_send(s, call, call->argument[1], call->argument[2], call->argument[3]);
    case OPERATION_EDGE_RECEIVE:
        if (call->argument[1] >= PAGE_ID_BOUND) {
            return STATUS_BAD_ARGUMENT;
        }
        return edge_receive(s, call, call->argument[1]);
    case OPERATION_NOTIFICATION_CREATE:
        if (call->argument[1] >= NOTIFICATION_ID_BOUND || call->argument[2] >= SLOT_ID_BOUND) {
            return STATUS_BAD_ARGUMENT;
        }
        return edge_notification_create(s, call, call->argument[1], call->argument[2]);
    case OPERATION_NOTIFICATION_SIGNAL:
        return edge_notification_signal(s, call, call->argument[1]);
    case OPERATION_NOTIFICATION_WAIT:
        return edge_notification_wait(s, call);
    case OPERATION_GRAPH_READ:
        if (call->argument[1] >= PAGE_ID_BOUND || call->argument[2] >= EDGE_GROUP_BOUND) {
            return STATUS_BAD_ARGUMENT;
        }
        return traffic_graph_read(s, call, call->argument[1], call->argument[2]);
    case OPERATION_EDGE_AWAIT:
        return schedule_edge_await(s, call, call->argument[1]);
    case OPERATION_NOTIFICATION_AWAIT:
        return schedule_notification_await(s, call, call->argument[1]);
    case OPERATION_SCHEDULE_PRIORITIZE:
        if (call->argument[1] >= HANDLE_BOUND || call->argument[2] >= PRESSURE_BOUND || call->argument[3] >= 2) {
            return STATUS_BAD_ARGUMENT;
        }
        return schedule_prioritize(s, call, call->argument[1], call->argument[2], call->argument[3] != 0,
                                   call->argument[4]);
    case OPERATION_SCHEDULE_MODE:
        if (call->argument[1] >= MODE_BOUND) {
            return STATUS_BAD_ARGUMENT;
        }
        return schedule_mode(s, call, call->argument[1]);
    case OPERATION_DEVICE_LEASE:
        return device_lease(s, call, call->argument[1], call->argument[2]);
    case OPERATION_DEVICE_RETURN:
        return device_return(s, call);
    case OPERATION_DEVICE_SUBMIT:
        if (call->argument[1] >= PAGE_ID_BOUND || call->argument[2] >= 0x10000 || call->argument[3] >= 0x10000 ||
            call->argument[4] >= 2) {
            return STATUS_BAD_ARGUMENT;
        }
        return device_submit(s, call, call->argument[1], call->argument[2], call->argument[3], call->argument[4] != 0,
                             call->argument[5]);
    case OPERATION_DEVICE_COMPLETE:
        return device_complete(s, call);
    case OPERATION_AGENT_CREATE:
        if (call->argument[1] >= AGENT_ID_BOUND || call->argument[2] >= CHILD_ID_BOUND) {
            return STATUS_BAD_ARGUMENT;
        }
        return agent_create(s, call, call->argument[1], call->argument[2]);
    case OPERATION_AGENT_MEASURE:
        if (call->argument[1] >= AGENT_BADGE_BOUND || call->argument[2] >= PAGE_ID_BOUND ||
            call->argument[3] >= PART_ID_BOUND) {
            return STATUS_BAD_ARGUMENT;
        }
        return agent_measure(s, call, call->argument[1], call->argument[2], call->argument[3]);
    case OPERATION_AGENT_SPAWN:
        if (call->argument[1] >= AGENT_BADGE_BOUND) {
            return STATUS_BAD_ARGUMENT;
        }
        return agent_spawn(s, call, call->argument[1], call->argument[2]);
    case OPERATION_AGENT_CHANGE:
        if (call->argument[1] >= AGENT_BADGE_BOUND || call->argument[2] >= LIFE_BOUND ||
            call->argument[3] >= LIFE_BOUND) {
            return STATUS_BAD_ARGUMENT;
        }
        return agent_change(s, call, call->argument[1], call->argument[2], call->argument[3]);
    case OPERATION_AGENT_SPEAK:
        if (call->argument[1] >= AGENT_BADGE_BOUND) {
            return STATUS_BAD_ARGUMENT;
        }
        return agent_speak(s, call, call->argument[1]);
    case OPERATION_BLOCK_CREATE:
        if (call->argument[1] >= ORDER_BOUND) {
            return STATUS_BAD_ARGUMENT;
        }
        return block_create(s, call, call->argument[1]);
    case OPERATION_BLOCK_RELEASE:
        if (call->argument[1] >= UNIT_ID_BOUND) {
            return STATUS_BAD_ARGUMENT;
        }
        return block_release(s, call, call->argument[1]);
    case OPERATION_BLOCK_CLEAN:
        return block_clean(s, call);
    case OPERATION_BLOCK_MAP:
        if (call->argument[1] >= UNIT_ID_BOUND || call->argument[2] >= UNIT_ID_BOUND ||
            call->argument[3] >= PAGE_ID_BOUND || call->argument[4] >= ENTRY_ID_BOUND ||
            call->argument[5] >= ACCESS_BOUND) {
            return STATUS_BAD_ARGUMENT;
        }
        return unit_block_map(s, call, call->argument[1], call->argument[2], call->argument[3], call->argument[4],
                              call->argument[5]);
    case OPERATION_BLOCK_UNMAP:
        if (call->argument[1] >= UNIT_ID_BOUND || call->argument[2] >= UNIT_ID_BOUND) {
            return STATUS_BAD_ARGUMENT;
        }
        return unit_block_unmap(s, call, call->argument[1], call->argument[2]);
    case OPERATION_BLOCK_TRANSFER:
        if (call->argument[1] >= UNIT_ID_BOUND || call->argument[2] >= HANDLE_BOUND) {
            return STATUS_BAD_ARGUMENT;
        }
        return unit_block_transfer(s, call, call->argument[1], call->argument[2]);
    case OPERATION_BLOCK_RETIER:
        if (call->argument[1] >= UNIT_ID_BOUND || call->argument[2] >= HEAT_BOUND || call->argument[3] >= HEAT_BOUND ||
            call->argument[4] >= USE_BOUND) {
            return STATUS_BAD_ARGUMENT;
        }
        return unit_block_retier(s, call, call->argument[1], call->argument[2], call->argument[3], call->argument[4]);
    case OPERATION_PARTITION_SPLIT:
        if (call->argument[1] >= HANDLE_BOUND) {
            return STATUS_BAD_ARGUMENT;
        }
        return halves_partition_split(s, call, call->argument[1]);
    case OPERATION_PARTITION_MERGE:
        if (call->argument[1] >= HANDLE_BOUND || call->argument[2] >= EDGE_ID_BOUND ||
            call->argument[3] >= SLOT_ID_BOUND || call->argument[4] >= EDGE_ID_BOUND) {
            return STATUS_BAD_ARGUMENT;
        }
        return halves_partition_merge(s, call, call->argument[1], call->argument[2], call->argument[3],
                                      call->argument[4]);
    case OPERATION_PARTITION_SETTLE:
        return halves_partition_settle(s, call);
    }
    return STATUS_UNKNOWN_OPERATION;
}
