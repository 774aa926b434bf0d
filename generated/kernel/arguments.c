/* Generated from spec/kernel/arguments.py
   with codegen/templates/unit.c.j2: edit those, not this.
   Content: sha256 aabd2888021fae7b */

#include "arguments.h"

/* How do registers and witness records hold the arguments of a call?

   The functions of this module are generated from the rows of `spec/kernel/hypercalls.py`. */

/* The part of the arguments that the record of a call that succeeds keeps as its object. */
uint64_t arguments_packed_object(const struct call *call)
{
    switch (call->operation) {
    case OPERATION_CAPABILITY_GRANT:
        return (call->argument[1] & 63) | ((call->argument[2] & 0xffff) << 6) |
               ((call->argument[3] & 0x3fffffffffull) << 22);
    case OPERATION_CAPABILITY_WITHDRAW:
        return call->argument[1] & 63;
    case OPERATION_PAGE_CREATE:
        return (call->argument[1] & 1023) | ((call->argument[2] & 255) << 10) |
               ((call->argument[3] & 0x3fffffffffull) << 18);
    case OPERATION_PAGE_RELEASE:
        return call->argument[1] & 1023;
    case OPERATION_PAGE_TRANSFER:
        return (call->argument[1] & 1023) | ((call->argument[2] & 0x3fffffffffull) << 10);
    case OPERATION_TABLE_ROOT:
        return call->argument[1] & 1023;
    case OPERATION_TABLE_LINK:
        return (call->argument[1] & 1023) | ((call->argument[2] & 511) << 10) | ((call->argument[3] & 1023) << 19);
    case OPERATION_PAGE_MAP:
        return (call->argument[1] & 1023) | ((call->argument[2] & 1023) << 10) | ((call->argument[3] & 511) << 20) |
               ((call->argument[4] & 255) << 29);
    case OPERATION_PAGE_UNMAP:
        return call->argument[1] & 1023;
    case OPERATION_PAGE_SHARE:
        return (call->argument[1] & 1023) | ((call->argument[2] & 3) << 10) |
               ((call->argument[3] & 0x3fffffffffull) << 12);
    case OPERATION_SHARE_MAP:
        return (call->argument[1] & 1023) | ((call->argument[2] & 3) << 10) | ((call->argument[3] & 1023) << 12) |
               ((call->argument[4] & 511) << 22);
    case OPERATION_PAGE_UNSHARE:
        return (call->argument[1] & 1023) | ((call->argument[2] & 3) << 10);
    case OPERATION_PAGE_APPEND:
        return call->argument[1] & 1023;
    case OPERATION_PARTITION_CREATE:
        return (call->argument[1] & 63) | ((call->argument[2] & 63) << 6) | ((call->argument[3] & 0xffff) << 12);
    case OPERATION_PARTITION_ADOPT:
        return (call->argument[1] & 63) | ((call->argument[2] & 63) << 6);
    case OPERATION_PARTITION_START:
        return call->argument[1];
    case OPERATION_PARTITION_FAIL:
        return call->argument[1] & 255;
    case OPERATION_PARTITION_ENDOW:
        return (call->argument[1] & 255) | ((call->argument[2] & 0xffff) << 8);
    case OPERATION_REGION_RECLAIM:
        return call->argument[1] & 1023;
    case OPERATION_RING_ASSIGN:
        return call->argument[1] & 0x3fffffffffull;
    case OPERATION_RING_DEMOTE:
        return call->argument[1] & 0xffffffffu;
    case OPERATION_RING_ELEVATE:
        return (call->argument[1] & 255) | ((call->argument[2] & 0xffffffffu) << 8);
    case OPERATION_TOOL_ACQUIRE:
        return call->argument[1] & 255;
    case OPERATION_TOOL_RELEASE:
        return call->argument[1] & 255;
    case OPERATION_WITNESS_READ:
        return call->argument[1] & 1023;
    case OPERATION_WITNESS_SEAL:
        return call->argument[1] & 1023;
    case OPERATION_WITNESS_DISCARD:
        return call->argument[1];
    case OPERATION_PROOF_ROOT_PROPOSE:
        return call->argument[1] & 255;
    case OPERATION_PROOF_ROOT_BIND:
        return call->argument[1] & 0x3fffffffffull;
    case OPERATION_CONSOLE_WRITE:
        return (call->argument[1] & 1023) | ((call->argument[2] & 511) << 10) | ((call->argument[3] & 0xffff) << 19) |
               ((call->argument[4] & 255) << 35);
    case OPERATION_EDGE_CREATE:
        return (call->argument[1] & 255) | ((call->argument[2] & 63) << 8);
    case OPERATION_EDGE_SEND:
        return (call->argument[1] & 1023) | ((call->argument[2] & 0xffff) << 10);
    case OPERATION_EDGE_RECEIVE:
        return call->argument[1] & 1023;
    case OPERATION_NOTIFICATION_CREATE:
        return (call->argument[1] & 255) | ((call->argument[2] & 63) << 8);
    case OPERATION_NOTIFICATION_SIGNAL:
        return call->argument[1];
    case OPERATION_GRAPH_READ:
        return (call->argument[1] & 1023) | ((call->argument[2] & 31) << 10);
    case OPERATION_EDGE_AWAIT:
        return call->argument[1];
    case OPERATION_NOTIFICATION_AWAIT:
        return call->argument[1];
    case OPERATION_SCHEDULE_PRIORITIZE:
        return (call->argument[1] & 0x3fffffffffull) | ((call->argument[2] & 0xfffff) << 38) |
               ((call->argument[3] & 1) << 58);
    case OPERATION_SCHEDULE_MODE:
        return call->argument[1] & 255;
    case OPERATION_DEVICE_LEASE:
        return call->argument[1];
    case OPERATION_DEVICE_SUBMIT:
        return (call->argument[1] & 1023) | ((call->argument[2] & 0xffff) << 10) |
               ((call->argument[3] & 0xffff) << 26) | ((call->argument[4] & 1) << 42);
    case OPERATION_AGENT_CREATE:
        return (call->argument[1] & 255) | ((call->argument[2] & 3) << 8);
    case OPERATION_AGENT_MEASURE:
        return (call->argument[1] & 0xffffffffffull) | ((call->argument[2] & 1023) << 40) |
               ((call->argument[3] & 15) << 50);
    case OPERATION_AGENT_SPAWN:
        return call->argument[1] & 0xffffffffffull;
    case OPERATION_AGENT_CHANGE:
        return (call->argument[1] & 0xffffffffffull) | ((call->argument[2] & 255) << 40) |
               ((call->argument[3] & 255) << 48);
    case OPERATION_AGENT_SPEAK:
        return call->argument[1] & 0xffffffffffull;
    case OPERATION_BLOCK_CREATE:
        return call->argument[1] & 7;
    case OPERATION_BLOCK_RELEASE:
        return call->argument[1] & 127;
    case OPERATION_BLOCK_MAP:
        return (call->argument[1] & 127) | ((call->argument[2] & 127) << 7) | ((call->argument[3] & 1023) << 14) |
               ((call->argument[4] & 511) << 24) | ((call->argument[5] & 255) << 33);
    case OPERATION_BLOCK_UNMAP:
        return (call->argument[1] & 127) | ((call->argument[2] & 127) << 7);
    case OPERATION_BLOCK_TRANSFER:
        return (call->argument[1] & 127) | ((call->argument[2] & 0x3fffffffffull) << 7);
    case OPERATION_BLOCK_RETIER:
        return (call->argument[1] & 127) | ((call->argument[2] & 255) << 7) | ((call->argument[3] & 255) << 15) |
               ((call->argument[4] & 0x3fff) << 23);
    case OPERATION_PARTITION_SPLIT:
        return call->argument[1] & 0x3fffffffffull;
    case OPERATION_PARTITION_MERGE:
        return (call->argument[1] & 0x3fffffffffull) | ((call->argument[2] & 255) << 38) |
               ((call->argument[3] & 63) << 46) | ((call->argument[4] & 255) << 52);
    }
    return 0;
}

/* The part of the arguments that the record of a call that succeeds keeps as its payload. */
uint64_t arguments_packed_payload(const struct call *call)
{
    switch (call->operation) {
    case OPERATION_CAPABILITY_GRANT:
        return call->argument[4];
    case OPERATION_PAGE_APPEND:
        return call->argument[2];
    case OPERATION_RING_ASSIGN:
        return (call->argument[2] & 0xffffffffu) | ((call->argument[3] & 1) << 32);
    case OPERATION_RING_ELEVATE:
        return call->argument[3] & 0x3fffffffffull;
    case OPERATION_WITNESS_READ:
        return call->argument[2];
    case OPERATION_PROOF_ROOT_PROPOSE:
        return call->argument[2];
    case OPERATION_EDGE_CREATE:
        return call->argument[3];
    case OPERATION_EDGE_SEND:
        return call->argument[3];
    case OPERATION_SCHEDULE_PRIORITIZE:
        return call->argument[4];
    case OPERATION_DEVICE_LEASE:
        return call->argument[2];
    case OPERATION_DEVICE_SUBMIT:
        return call->argument[5];
    case OPERATION_AGENT_SPAWN:
        return call->argument[2];
    }
    return 0;
}
