/* Generated from model/kernel/boot.py
   with codegen/templates/unit.c.j2: edit those, not this.
   Content: sha256 23797e0a3dbabc5d */

#include "boot.h"
#include "capability.h"
#include "memory.h"
#include "sha256.h"
#include "witness.h"

#define GUEST_ENTRY 2                   /* of GUEST_BASE in the level-1 table */
#define SLOT_OWN 1                      /* where boot puts the capabilities of the root partition */
#define SLOT_SCHEDULER 2
#define SLOT_LOG 3
#define SLOT_PROOF_ROOTS 4
#define SLOT_REGIONS 8
#define SLOT_CONSOLE 24
#define SLOT_TRUST 25
#define SLOT_COHERENCE 26
#define SLOT_TRANSPORTS 27
#define INTERFACE 10078609418885868155ull

/* How is the first state built? Seven phases, each measured and recorded, ending in the root partition. */

/* Give the root partition a capability with all rights. */
void boot_root_slot(struct kernel *s, uint32_t slot, object_kind_t kind, uint32_t object)
{
    capability_mint(s, capability_id(ROOT, slot), kind, object, 0, ALL_RIGHTS);
}

/* Create the root partition and the only capabilities that exist at first. */
void boot_create_root(struct kernel *s, const struct boot_information *information)
{
    (void)information;
    struct partition *root = &s->partition[ROOT];
    root->state = PARTITION_STATE_CREATED;
    root->score = PPM;
    root->consensus = true;
    root->ring = RING_PRIVILEGED;
    root->warden = true;
    root->quota = ROOT_QUOTA;
    root->share = SHARES;
    root->numbers = PARTITIONS;
    root->edges = EDGES;
    root->notifications = NOTIFICATIONS;
    root->agents = AGENTS;
    root->units = UNITS;
    root->bucket.credit = BURST;
    root->bucket.refilled = s->time;
    boot_root_slot(s, SLOT_OWN, OBJECT_KIND_PARTITION, ROOT);
    boot_root_slot(s, SLOT_SCHEDULER, OBJECT_KIND_SCHEDULER, 0);
    boot_root_slot(s, SLOT_LOG, OBJECT_KIND_WITNESS_LOG, 0);
    boot_root_slot(s, SLOT_CONSOLE, OBJECT_KIND_DEVICE, 0);
    boot_root_slot(s, SLOT_TRUST, OBJECT_KIND_TRUST, 0);
    boot_root_slot(s, SLOT_COHERENCE, OBJECT_KIND_COHERENCE, 0);
    for (uint32_t i = 0; i < PROOF_ROOTS; i++) {
        boot_root_slot(s, SLOT_PROOF_ROOTS + i, OBJECT_KIND_PROOF_ROOT, i);
    }
    for (uint32_t i = 0; i < REGIONS; i++) {
        boot_root_slot(s, SLOT_REGIONS + i, OBJECT_KIND_REGION, i);
    }
    for (uint32_t i = 0; i < ROOT_TRANSPORTS; i++) {
        boot_root_slot(s, SLOT_TRANSPORTS + i, OBJECT_KIND_TRANSPORT, i);
    }
}

/* Map page `number` of the boot package where the root image expects it. */
void boot_map_root_page(struct kernel *s, uint32_t number, access_t access)
{
    memory_link_own(s, ROOT_TABLES + number, 2, number, access);
}

/* Give the root partition page `number` of the boot package, if there is one; map it if it is in root's image. */
void boot_place_package_page(struct kernel *s, const struct boot_information *information, uint32_t number)
{
    if (number < information->package) {
        memory_take(s, ROOT_TABLES + number, PAGE_KIND_DATA, ROOT);
        if (number < information->text) {
            boot_map_root_page(s, number, ACCESS_READ | ACCESS_EXECUTE);
        } else if (number < (uint32_t)information->text + (uint32_t)information->data) {
            boot_map_root_page(s, number, ACCESS_READ | ACCESS_WRITE);
        }
    }
}

/* Give the root partition the boot package, and map its own image: code to execute, data to write. */
void boot_build_root_memory(struct kernel *s, const struct boot_information *information)
{
    partition_id_t root = ROOT;
    memory_take(s, 0, PAGE_KIND_TABLE_1, root);
    memory_take(s, 1, PAGE_KIND_TABLE_2, root);
    memory_take(s, 2, PAGE_KIND_TABLE_3, root);
    memory_link(s, memory_mapping_id(1, 0), 0, GUEST_ENTRY, memory_table_descriptor(1));
    memory_link(s, memory_mapping_id(2, 0), 1, 0, memory_table_descriptor(2));
    for (uint32_t i = 0; i < PACKAGE_LIMIT; i++) {
        boot_place_package_page(s, information, i);
    }
    s->partition[root].root = 0;
    s->partition[root].rooted = true;
}

/* Record one half of the measurement of a phase; the order of these records tells which. */
void boot_attest_half(struct kernel *s, const struct boot_information *information, uint32_t half)
{
    uint64_t first = (uint64_t)information->measurement[4 * half] |
                     ((uint64_t)information->measurement[4 * half + 1] << HALVES_HIGH_SHIFT);
    uint64_t second = (uint64_t)information->measurement[4 * half + 2] |
                      ((uint64_t)information->measurement[4 * half + 3] << HALVES_HIGH_SHIFT);
    witness_append_for_kernel(s, s->time, ACTION_BOOT_ATTESTATION, first, second);
}

/* Build a running root partition from all zeros. */
void boot(struct kernel *s, const struct boot_information *information)
{
    s->time = information->now;
    s->epoch_began = information->now;
    for (uint32_t i = 0; i < 8; i++) {
        s->key[i] = information->key[i];
    }
    sha256_begin(s->head);
    for (uint32_t half = 0; half < 14; half++) {
        boot_attest_half(s, information, half);
    }
    for (uint32_t r = 0; r < PROOF_ROOTS; r++) {
        for (uint32_t i = 0; i < 4; i++) {
            s->proof_root[r].root[i] = information->attested[i];
        }
    }
    boot_create_root(s, information);
    boot_build_root_memory(s, information);
    s->partition[ROOT].state = PARTITION_STATE_RUNNING;
    s->partition[ROOT].walked = true;
    s->current = ROOT;
    uint64_t started = (uint64_t)(uint32_t)information->package |
                       ((uint64_t)(uint32_t)information->restarts << HALVES_HIGH_SHIFT);
    witness_append_for_kernel(s, s->time, ACTION_BOOT_COMPLETE, started, INTERFACE);
}
