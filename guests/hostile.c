/* What can a malicious guest do? Each attempt has an expected result, and the code that makes it. */
#include "runtime.h"

#define DO(text) __asm__ volatile(text ::: "memory", "x9", "x10")
#define READ_REGISTER(name) static uint64_t read_##name(void) { DO("mrs x9, " #name); return HARMLESS; }
#define WRITE_REGISTER(name) \
    static uint64_t write_##name(void) { DO("mov x9, #1\n msr " #name ", x9\n isb"); return HARMLESS; }
#define INSTRUCTIONS(name, text) static uint64_t name(void) { DO(text); return HARMLESS; }
#define READ(name, address) static uint64_t name(void) { (void)*(volatile uint64_t *)(address); return HARMLESS; }
#define WRITE(name, address) static uint64_t name(void) { *(volatile uint64_t *)(address) = 1; return HARMLESS; }
#define RUN(name, address) static uint64_t name(void) { ((void (*)(void))(address))(); return HARMLESS; }
#define CALL(name, call) static uint64_t name(void) { return TRY(call).status; }
#define TAMPER(name, word, value) static uint64_t name(void) { return prove(word, value); }

enum { FLOOD = 2000, STORM = 100, SEED = 0x2545f491, UNKNOWN = 200, FREE_ENTRY = 300 };
enum { PAGES_IN_ALL = 1024, NO_WORD = PROOF_PATH, BEYOND = 0xff };

#define MY_TABLE PAGE_OF(HOSTILE, TABLE_3_OF)
#define PROOF AT(ENTRY_OF(SPARE_OF))
#define PROOF_PAGE PAGE_OF(HOSTILE, SPARE_OF)
#define PHYSICAL(page) (KERNEL_START + (uint64_t)(page) * PAGE_SIZE)
#define HANDLE(slot, generation) ((uint64_t)(generation) << 6 | (slot))

/* ---- memory that is not its own: none of it is mapped, at any address */

READ(read_zero, 0)
READ(read_kernel_text, TEXT_START)
WRITE(write_kernel_text, TEXT_START)
RUN(run_kernel_text, TEXT_START)
READ(read_kernel_state, PHYSICAL(PAGES_IN_ALL))
WRITE(write_kernel_state, PHYSICAL(PAGES_IN_ALL))
RUN(run_kernel_state, PHYSICAL(PAGES_IN_ALL))
READ(read_boot_key, SECRET_START)
WRITE(write_kernel_tables, RODATA_START)
READ(read_worker, PHYSICAL(PAGE_OF(WORKER_A, CANARY_OF)))
WRITE(write_worker, PHYSICAL(PAGE_OF(WORKER_A, CANARY_OF)))
RUN(run_worker, PHYSICAL(PAGE_OF(WORKER_A, CANARY_OF)))
READ(read_own_table, PHYSICAL(MY_TABLE))
WRITE(write_own_table, PHYSICAL(MY_TABLE))
READ(read_console, UART_START)
WRITE(write_interrupts, GICD_START)
READ(read_transport, TRANSPORTS_START + VIRTIO_STATUS)
WRITE(notify_transport, TRANSPORTS_START + VIRTIO_QUEUE_NOTIFY)
READ(read_beyond_tables, 1ull << 38)
READ(read_beyond_addresses, 1ull << 39)
WRITE(write_own_text, GUEST_BASE)
RUN(run_own_data, AT(ENTRY_OF(SPARE_OF)))
READ(read_large_memory, UNITS_START)
WRITE(write_large_memory, UNITS_END - 8)
INSTRUCTIONS(stack_astray, "mov x9, #0xfff0\n mov x10, sp\n mov sp, x9\n str x9, [sp, #8]\n mov sp, x10")
INSTRUCTIONS(zero_by_line, "mov x9, #0x40000000\n dc zva, x9")

/* ---- the processor: system registers, firmware, the levels above and below */

INSTRUCTIONS(secure_call, "smc #0")
INSTRUCTIONS(other_hypercall, "hvc #1")
INSTRUCTIONS(read_hypervisor_configuration, "mrs x9, hcr_el2")
INSTRUCTIONS(write_translation_base, "mov x9, #1\n msr vttbr_el2, x9")
INSTRUCTIONS(return_to_aarch32, "mov x9, #0x10\n msr spsr_el1, x9\n "
             "adr x10, 0f\n msr elr_el1, x10\n eret\n 0: .word 0xeafffffe")
INSTRUCTIONS(return_to_hypervisor, "mov x9, #0x3c9\n msr spsr_el1, x9\n "
             "adr x10, 0f\n msr elr_el1, x10\n eret\n 0: nop\n nop")
INSTRUCTIONS(turn_on_stage_1, "mrs x9, sctlr_el1\n orr x9, x9, #1\n msr sctlr_el1, x9\n isb")
INSTRUCTIONS(clean_by_set, "dc cisw, xzr")
INSTRUCTIONS(invalidate_translations, "tlbi vmalle1is\n dsb ish\n ic iallu\n isb")
INSTRUCTIONS(own_timer, "mov x9, #0\n msr cntv_cval_el0, x9\n mov x9, #1\n "
             "msr cntv_ctl_el0, x9\n msr daifclr, #15\n isb\n nop\n msr daifset, #15")
INSTRUCTIONS(undefined_instruction, "udf #0")
INSTRUCTIONS(breakpoint, "brk #7")
INSTRUCTIONS(exclusive, "ldxr x9, [sp]\n clrex")
INSTRUCTIONS(translate, "at s1e1r, xzr\n at s12e1r, xzr")
INSTRUCTIONS(send_interrupt, "msr icc_sgi1r_el1, xzr")
READ_REGISTER(mdccsr_el0)
READ_REGISTER(cntpct_el0)
READ_REGISTER(aidr_el1)
READ_REGISTER(icc_iar1_el1)
WRITE_REGISTER(mdscr_el1)
WRITE_REGISTER(pmcr_el0)
WRITE_REGISTER(pmuserenr_el0)
WRITE_REGISTER(icc_pmr_el1)
WRITE_REGISTER(cntp_ctl_el0)
WRITE_REGISTER(actlr_el1)
WRITE_REGISTER(oslar_el1)
WRITE_REGISTER(dbgbcr0_el1)
WRITE_REGISTER(ttbr0_el1)
WRITE_REGISTER(tcr_el1)
INSTRUCTIONS(endless_loop, "msr daifset, #15\n 0: b 0b")

static uint64_t wait_storm(void)
{
    for (int i = 0; i < STORM; i++)
        DO("wfi\n wfe");
    return HARMLESS;
}

/* ---- handles */

CALL(empty_slot, capability_inspect(40))
CALL(forged_generation, capability_inspect(HANDLE(OWN, 7)))
CALL(handle_beyond, capability_inspect(1ull << 60))
CALL(handle_of_root, partition_suspend(HANDLE(32 + WORKER_A, 0)))
CALL(wrong_object, page_create(CONSOLE, PAGE_OF(HOSTILE, 20), PAGE_KIND_DATA, SELF))
CALL(too_few_rights, capability_revoke(CONSOLE))
CALL(widen_rights, capability_grant(OWN, 41, 0xfff, SELF, 0))
CALL(pass_on_without_grant, capability_grant(CONSOLE, 41, RIGHT_WRITE, SELF, 0))
CALL(grant_over_used_slot, capability_grant(OWN, CONSOLE, RIGHT_READ, SELF, 0))
CALL(log_without_capability, witness_read(LOG, PROOF_PAGE, 0))
CALL(discard_without_capability, witness_discard(LOG, 0))

/* Root revokes the capability when asked; until then it works. */
static uint64_t use_revoked(void)
{
    struct answer answer;

    status.wish = REVOKED_SOON;
    while ((answer = TRY(capability_inspect(REVOKED_SOON))).status == STATUS_OK)
        wait(100);
    return answer.status;
}

/* Root fills the slot again when asked: the old handle must not reach the new capability. */
static uint64_t use_reused_slot(void)
{
    TRY(capability_delete(DELETED_SOON));
    status.wish = DELETED_SOON;
    while (TRY(capability_inspect(HANDLE(DELETED_SOON, 1))).status != STATUS_OK)
        wait(100);
    return TRY(capability_inspect(DELETED_SOON)).status;
}

/* Root destroys and reclaims the partition when asked: then the capability names a former incarnation. */
static uint64_t use_reclaimed(void)
{
    struct answer answer;

    status.wish = FLEETING_ONE;
    while ((answer = TRY(capability_inspect(FLEETING_ONE))).status == STATUS_OK)
        wait(200);
    return answer.status;
}

/* ---- memory by hypercall */

CALL(map_worker_page, page_map(OWN, PAGE_OF(WORKER_A, CANARY_OF), MY_TABLE, FREE_ENTRY, ACCESS_READ))
CALL(map_own_table, page_map(OWN, MY_TABLE, MY_TABLE, FREE_ENTRY, ACCESS_READ | ACCESS_WRITE))
CALL(map_into_worker, page_map(OWN, PROOF_PAGE, PAGE_OF(WORKER_A, TABLE_3_OF), FREE_ENTRY, ACCESS_READ))
CALL(map_write_and_execute, page_map(OWN, PROOF_PAGE, MY_TABLE, FREE_ENTRY, ACCESS_WRITE | ACCESS_EXECUTE))
CALL(map_twice, page_map(OWN, PROOF_PAGE, MY_TABLE, FREE_ENTRY, ACCESS_READ))
CALL(map_unshared, share_map(OWN, PAGE_OF(WORKER_A, EXCHANGE_OF), 1, MY_TABLE, FREE_ENTRY))
CALL(take_other_region, page_create(REGION, PAGE_OF(WORKER_A, 20), PAGE_KIND_DATA, SELF))
CALL(take_used_page, page_create(REGION, PROOF_PAGE, PAGE_KIND_DATA, SELF))
CALL(release_worker_page, page_release(OWN, PAGE_OF(WORKER_A, CANARY_OF)))
CALL(share_worker_page, page_share(OWN, PAGE_OF(WORKER_A, CANARY_OF), 2, SELF))
CALL(print_worker_page, console_write(CONSOLE, PAGE_OF(WORKER_A, CANARY_OF), 0, 8, FORMAT_HEX))
CALL(print_too_much, console_write(CONSOLE, PROOF_PAGE, 0, 60000, FORMAT_HEX))
CALL(argument_beyond, page_map(OWN, 0xffff, MY_TABLE, FREE_ENTRY, ACCESS_READ))

/* ---- large memory: root lends none to this partition */

CALL(take_block_unlent, block_create(OWN, 0))
CALL(take_block_too_large, block_create(OWN, BEYOND))
CALL(take_block_for_worker, block_create(REVOKED_SOON, 0))
CALL(release_no_block, block_release(OWN, 0))
CALL(clean_dirt, block_clean())
CALL(release_beyond, block_release(OWN, BEYOND))
CALL(map_no_unit, block_map(OWN, 0, 0, MY_TABLE, FREE_ENTRY, ACCESS_READ))
CALL(map_unit_into_worker, block_map(OWN, 0, 0, PAGE_OF(WORKER_A, TABLE_2_OF), FREE_ENTRY, ACCESS_READ))
CALL(map_unit_beyond, block_map(OWN, 0, BEYOND, MY_TABLE, FREE_ENTRY, ACCESS_READ))
CALL(unmap_no_unit, block_unmap(OWN, 0, 0))
CALL(hand_no_block_on, block_transfer(OWN, 0, SELF))
CALL(cool_no_block, block_retier(OWN, 0, HEAT_HOT, HEAT_WARM, 0))
CALL(cool_beyond, block_retier(OWN, 0, HEAT_COLD, HEAT_COLD + 1, 0))

/* ---- halves */

CALL(split_without_right, partition_split(FLEETING_ONE, OWN, PROOF_PAGE))
CALL(split_itself, partition_split(OWN, OWN, PROOF_PAGE))
CALL(merge_into_itself, partition_merge(FLEETING_ONE, OWN, 0, CONSOLE, 0, PROOF_PAGE))
CALL(settle_itself, partition_settle(OWN))

/* ---- rings and proofs */

CALL(promote_itself, ring_assign(OWN, OWN, 1000000, true))
CALL(elevate_to_root, ring_elevate(RING_ROOT, 10, 0))
CALL(elevate_without_trust, ring_elevate(RING_PRIVILEGED, 10, OWN))
CALL(destroy_without_write, partition_destroy(FLEETING_ONE, PROOF_PAGE))
CALL(halt_the_system, system_halt(OWN))
CALL(hold_no_proof, partition_hibernate(FLEETING_ONE, PAGE_OF(WORKER_A, CANARY_OF)))
CALL(unknown_operation, hypercall(UNKNOWN, OWN, 0, 0, 0, 0, 0))

/* Try a proof for hibernating the fleeting partition, valid except for one word. */
static uint64_t prove(uint64_t word, uint64_t value)
{
    uint64_t nonce = TRY(proof_inspect()).result[0];

    write_proof(PROOF, PROOF_OF_P2, (struct mutation){.operation = OPERATION_PARTITION_HIBERNATE, .actor = HOSTILE,
                .kind = OBJECT_KIND_PARTITION, .object = FLEETING, .nonce = nonce});
    if (word != NO_WORD)
        PROOF[word] = value;
    return TRY(partition_hibernate(FLEETING_ONE, PROOF_PAGE)).status;
}

TAMPER(forge_digest, 0, 1)
TAMPER(forge_nonce, PROOF_NONCE, 77)
TAMPER(lower_tier, PROOF_TIER, PROOF_OF_P1)
TAMPER(prove_early, PROOF_FROM, nanoseconds() + 500000000)
TAMPER(prove_late, PROOF_UNTIL, nanoseconds() - 1)
TAMPER(prove_for_ever, PROOF_UNTIL, ~0ull)
TAMPER(prove_other_object, PROOF_OBJECT, WORKER_A)
TAMPER(prove_truly, NO_WORD, 0)
CALL(replay_proof, partition_hibernate(FLEETING_ONE, PROOF_PAGE))

/* ---- everything, and too much of it */

static uint64_t random_word(void)
{
    static uint64_t state = SEED;

    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

static uint64_t every_operation(void)
{
    for (uint64_t operation = 0; operation < 256; operation++)
        TRY(hypercall(operation, random_word(), random_word(), random_word(), random_word(), random_word(),
                      random_word()));
    return HARMLESS;
}

/* Plausible arguments: small handles, small numbers. */
static uint64_t every_operation_plausibly(void)
{
    for (uint64_t operation = 0; operation <= OPERATION_CONSOLE_WRITE; operation++)
        if (operation != OPERATION_PARTITION_SUSPEND && operation != OPERATION_CAPABILITY_DELETE)
            TRY(hypercall(operation, REVOKED_SOON, random_word() % 64, random_word() % 8, random_word() % 8, 0, 0));
    return HARMLESS;
}

static uint64_t flood_log(void)
{
    uint64_t last = STATUS_OK;

    for (int i = 0; i < FLOOD && last != STATUS_WITNESS_FULL; i++)
        last = note(hypercall(UNKNOWN, i, 0, 0, 0, 0, 0)).status;
    return last;
}

static uint64_t spend_all_tokens(void)
{
    uint64_t last = STATUS_OK;

    for (int i = 0; i < FLOOD && last != STATUS_RATE_LIMITED; i++) {
        last = note(yield_now()).status;
        if (last == STATUS_WITNESS_FULL)
            wait(20);
    }
    return last;
}

static const struct attempt ATTEMPT[] = {
    {"read address 0", STOPPED | EC_DATA_ABORT, read_zero},
    {"read the kernel's code", STOPPED | EC_DATA_ABORT, read_kernel_text},
    {"write the kernel's code", STOPPED | EC_DATA_ABORT, write_kernel_text},
    {"execute the kernel's code", STOPPED | EC_INSTRUCTION_ABORT, run_kernel_text},
    {"read the kernel's state", STOPPED | EC_DATA_ABORT, read_kernel_state},
    {"write the kernel's state", STOPPED | EC_DATA_ABORT, write_kernel_state},
    {"execute the kernel's state", STOPPED | EC_INSTRUCTION_ABORT, run_kernel_state},
    {"read the boot key", STOPPED | EC_DATA_ABORT, read_boot_key},
    {"write the kernel's own tables", STOPPED | EC_DATA_ABORT, write_kernel_tables},
    {"read a worker's page", STOPPED | EC_DATA_ABORT, read_worker},
    {"write a worker's page", STOPPED | EC_DATA_ABORT, write_worker},
    {"execute a worker's page", STOPPED | EC_INSTRUCTION_ABORT, run_worker},
    {"read its own stage-2 table", STOPPED | EC_DATA_ABORT, read_own_table},
    {"write its own stage-2 table", STOPPED | EC_DATA_ABORT, write_own_table},
    {"read the console device", STOPPED | EC_DATA_ABORT, read_console},
    {"write the interrupt controller", STOPPED | EC_DATA_ABORT, write_interrupts},
    {"read a register of a transport", STOPPED | EC_DATA_ABORT, read_transport},
    {"tell a device of a request", STOPPED | EC_DATA_ABORT, notify_transport},
    {"read beyond its tables", STOPPED | EC_DATA_ABORT, read_beyond_tables},
    {"read beyond its addresses", STOPPED | EC_DATA_ABORT, read_beyond_addresses},
    {"modify its own code", STOPPED | EC_DATA_ABORT, write_own_text},
    {"execute its own data", STOPPED | EC_INSTRUCTION_ABORT, run_own_data},
    {"read large memory", STOPPED | EC_DATA_ABORT, read_large_memory},
    {"write the end of large memory", STOPPED | EC_DATA_ABORT, write_large_memory},
    {"put its stack where nothing is", STOPPED | EC_DATA_ABORT, stack_astray},
    {"zero foreign memory by cache line", STOPPED | EC_DATA_ABORT, zero_by_line},
    {"call the firmware (SMC)", STOPPED | EC_SMC64, secure_call},
    {"HVC #1, which means nothing", STOPPED | EC_HVC64, other_hypercall},
    {"read HCR_EL2", CAUGHT | EC_UNDEFINED, read_hypervisor_configuration},
    {"write VTTBR_EL2", CAUGHT | EC_UNDEFINED, write_translation_base},
    {"return to AArch32", STOPPED | EC_ILLEGAL_STATE, return_to_aarch32},
    {"return to EL2", CAUGHT | EC_ILLEGAL_STATE, return_to_hypervisor},
    {"turn on a stage 1 of its own", STOPPED | EC_SYSTEM_REGISTER, turn_on_stage_1},
    {"write TTBR0_EL1", STOPPED | EC_SYSTEM_REGISTER, write_ttbr0_el1},
    {"write TCR_EL1", STOPPED | EC_SYSTEM_REGISTER, write_tcr_el1},
    {"clean caches by set and way", STOPPED | EC_SYSTEM_REGISTER, clean_by_set},
    {"invalidate translations", HARMLESS, invalidate_translations},
    {"set its own timer and unmask", HARMLESS, own_timer},
    {"an undefined instruction", CAUGHT | EC_UNDEFINED, undefined_instruction},
    {"a breakpoint", CAUGHT | EC_BREAKPOINT, breakpoint},
    {"an exclusive load", HARMLESS, exclusive},
    {"AT S12E1R from EL1", CAUGHT | EC_UNDEFINED, translate},
    {"send an interrupt", STOPPED | EC_SYSTEM_REGISTER, send_interrupt},
    {"read MDCCSR_EL0", STOPPED | EC_SYSTEM_REGISTER, read_mdccsr_el0},
    {"read the physical counter", STOPPED | EC_SYSTEM_REGISTER, read_cntpct_el0},
    {"read AIDR_EL1", STOPPED | EC_SYSTEM_REGISTER, read_aidr_el1},
    {"acknowledge an interrupt", STOPPED | EC_SYSTEM_REGISTER, read_icc_iar1_el1},
    {"write MDSCR_EL1", STOPPED | EC_SYSTEM_REGISTER, write_mdscr_el1},
    {"write PMCR_EL0", STOPPED | EC_SYSTEM_REGISTER, write_pmcr_el0},
    {"write PMUSERENR_EL0", STOPPED | EC_SYSTEM_REGISTER, write_pmuserenr_el0},
    {"write ICC_PMR_EL1", STOPPED | EC_SYSTEM_REGISTER, write_icc_pmr_el1},
    {"write CNTP_CTL_EL0", STOPPED | EC_SYSTEM_REGISTER, write_cntp_ctl_el0},
    {"write ACTLR_EL1", STOPPED | EC_SYSTEM_REGISTER, write_actlr_el1},
    {"write OSLAR_EL1", STOPPED | EC_SYSTEM_REGISTER, write_oslar_el1},
    {"write DBGBCR0_EL1", STOPPED | EC_SYSTEM_REGISTER, write_dbgbcr0_el1},
    {"WFI and WFE, again and again", HARMLESS, wait_storm},
    {"an endless loop, interrupts masked", ENDLESS, endless_loop},
    {"use an empty slot", STATUS_INVALID_HANDLE, empty_slot},
    {"forge the generation of a handle", STATUS_STALE_HANDLE, forged_generation},
    {"a handle beyond all slots", STATUS_INVALID_HANDLE, handle_beyond},
    {"a handle that root holds", STATUS_INVALID_HANDLE, handle_of_root},
    {"the console as a region", STATUS_WRONG_OBJECT, wrong_object},
    {"revoke without REVOKE", STATUS_INSUFFICIENT_RIGHTS, too_few_rights},
    {"grant itself all rights", STATUS_RIGHTS_ESCALATION, widen_rights},
    {"pass on without GRANT", STATUS_INSUFFICIENT_RIGHTS, pass_on_without_grant},
    {"grant over a slot in use", STATUS_SLOT_IN_USE, grant_over_used_slot},
    {"read the log without a capability", STATUS_INVALID_HANDLE, log_without_capability},
    {"empty the log without a capability", STATUS_INVALID_HANDLE, discard_without_capability},
    {"use a revoked capability", STATUS_REVOKED, use_revoked},
    {"use the old handle of a reused slot", STATUS_STALE_HANDLE, use_reused_slot},
    {"map a worker's page", STATUS_NOT_OWNER, map_worker_page},
    {"map its own table as data", STATUS_WRONG_PAGE_KIND, map_own_table},
    {"map into a worker's table", STATUS_NOT_OWNER, map_into_worker},
    {"map to write and execute", STATUS_WRITE_XOR_EXECUTE, map_write_and_execute},
    {"map a page twice", STATUS_ALREADY_LINKED, map_twice},
    {"map what was shared with another", STATUS_NOT_SHARED, map_unshared},
    {"take a page of another region", STATUS_WRONG_OBJECT, take_other_region},
    {"take a page in use", STATUS_PAGE_IN_USE, take_used_page},
    {"release a worker's page", STATUS_NOT_OWNER, release_worker_page},
    {"share a worker's page with itself", STATUS_NOT_OWNER, share_worker_page},
    {"print a worker's page", STATUS_NOT_OWNER, print_worker_page},
    {"print more than a page", STATUS_BAD_ARGUMENT, print_too_much},
    {"an argument out of range", STATUS_BAD_ARGUMENT, argument_beyond},
    {"take a block that nobody lent", STATUS_LIMIT_REACHED, take_block_unlent},
    {"take more than the largest block", STATUS_BAD_ARGUMENT, take_block_too_large},
    {"take a block by a revoked capability", STATUS_REVOKED, take_block_for_worker},
    {"release a block that nobody made", STATUS_NOT_HELD, release_no_block},
    {"clear what is nobody's", STATUS_OK, clean_dirt},
    {"release a unit out of range", STATUS_BAD_ARGUMENT, release_beyond},
    {"map a unit of no block of its own", STATUS_NOT_HELD, map_no_unit},
    {"map a unit into a worker's table", STATUS_NOT_OWNER, map_unit_into_worker},
    {"map a unit out of range", STATUS_BAD_ARGUMENT, map_unit_beyond},
    {"take out a unit of no block of its own", STATUS_NOT_HELD, unmap_no_unit},
    {"hand on a block that it does not have", STATUS_NOT_HELD, hand_no_block_on},
    {"cool down a block that it does not have", STATUS_NOT_HELD, cool_no_block},
    {"make a block colder than cold", STATUS_BAD_ARGUMENT, cool_beyond},
    {"split without SPLIT", STATUS_INSUFFICIENT_RIGHTS, split_without_right},
    {"split itself", STATUS_INSUFFICIENT_RIGHTS, split_itself},
    {"merge another one into itself", STATUS_INSUFFICIENT_RIGHTS, merge_into_itself},
    {"settle itself, which is no half", STATUS_WRONG_STATE, settle_itself},
    {"promote itself", STATUS_WRONG_OBJECT, promote_itself},
    {"elevate to ring 0", STATUS_RING_0_FORBIDDEN, elevate_to_root},
    {"elevate without trust", STATUS_INSUFFICIENT_TRUST, elevate_without_trust},
    {"destroy without WRITE", STATUS_INSUFFICIENT_RIGHTS, destroy_without_write},
    {"halt the system", STATUS_NEEDS_SRE_WITNESS, halt_the_system},
    {"prove with a worker's page", STATUS_POLICY_VIOLATION, hold_no_proof},
    {"a proof with a forged digest", STATUS_POLICY_VIOLATION, forge_digest},
    {"a proof with another nonce", STATUS_POLICY_VIOLATION, forge_nonce},
    {"a proof of a lower tier", STATUS_POLICY_VIOLATION, lower_tier},
    {"a proof that is not yet valid", STATUS_POLICY_VIOLATION, prove_early},
    {"a proof that has expired", STATUS_POLICY_VIOLATION, prove_late},
    {"a proof that never expires", STATUS_POLICY_VIOLATION, prove_for_ever},
    {"a proof for another object", STATUS_POLICY_VIOLATION, prove_other_object},
    {"a good proof, for comparison", STATUS_OK, prove_truly},
    {"the same proof again", STATUS_POLICY_VIOLATION, replay_proof},
    {"use a reclaimed partition's capability", STATUS_WRONG_OBJECT, use_reclaimed},
    {"an operation that does not exist", STATUS_UNKNOWN_OPERATION, unknown_operation},
    {"every operation 0..255, random arguments", HARMLESS, every_operation},
    {"every operation, plausible arguments", HARMLESS, every_operation_plausibly},
    {"call without end", STATUS_RATE_LIMITED, spend_all_tokens},
    {"flood the log", STATUS_WITNESS_FULL, flood_log},
};

_Static_assert(sizeof(ATTEMPT) / sizeof(ATTEMPT[0]) <= ATTEMPTS, "more attempts than there is room to remember");

void main(void)
{
    if (status.stage == 0) {
        take_page(BUFFER_OF, PAGE_KIND_DATA, ACCESS_READ | ACCESS_WRITE);
        take_page(SPARE_OF, PAGE_KIND_DATA, ACCESS_READ | ACCESS_WRITE);
        status.stage = 1;
    }
    try_all(ATTEMPT, sizeof(ATTEMPT) / sizeof(ATTEMPT[0]));
    send();
    status.done = 1;
}
