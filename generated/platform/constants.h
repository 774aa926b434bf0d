/* Generated from spec/kernel/memory_map.py, spec/kernel/platform.py
   with codegen/templates/platform/constants.h.j2: edit those, not this.
   Content: sha256 736350d5ed8d22a2 */

/* What are the numbers of the platform? */
#ifndef CONSTANTS_H
#define CONSTANTS_H

#ifdef __ASSEMBLER__
#define U(number) number
#else
#define U(number) number##ull
#endif

/* Memory */
#define PAGE_SIZE                    U(0x1000) /* translation granule */
#define PAGE_SHIFT                   U(0xc)
#define REGION_SHIFT                 U(0x6) /* pages of a region */
#define VMID_SHIFT_EL2               U(0x30) /* in VTTBR_EL2 */
#define PARTITION_WIDTH              U(0x8) /* bits of a partition_id_t */
#define PAGE_WIDTH                   U(0x10) /* bits of a page_id_t */
#define UNIT_SHIFT                   U(0x15) /* bytes of a unit of large memory */
#define UNIT_WIDTH                   U(0x8) /* bits of a unit_id_t */
#define UNIT_PART_SHIFT              U(0x10) /* bytes of a part of a unit */
#define UNIT_PART_WIDTH              U(0x8) /* bits of a unit_part_id_t */
#define CACHE_LINE                   U(0x40) /* Cortex-A72 data cache line, bytes */

/* Hypercalls */
#define ARGUMENTS                    U(0x6) /* x1..x6 of a call */
#define RESULTS                      U(0x3) /* x1..x3 of a return */

/* Causes, the second argument of trap() */
#define CAUSE_SYNCHRONOUS            U(0x0)
#define CAUSE_IRQ                    U(0x1)
#define CAUSE_FIQ                    U(0x2)
#define CAUSE_SERROR                 U(0x3)

/* Exception syndrome: Arm ARM, ESR_EL2 */
#define ESR_EC_SHIFT                 U(0x1a) /* exception class */
#define ESR_EC_MASK                  U(0x3f)
#define ESR_IMMEDIATE_MASK           U(0xffff) /* immediate of HVC */
#define EC_UNDEFINED                 U(0x0) /* undefined instruction */
#define EC_WFX                       U(0x1) /* WFI or WFE */
#define EC_ILLEGAL_STATE             U(0xe) /* illegal execution state */
#define EC_HVC64                     U(0x16) /* HVC */
#define EC_SMC64                     U(0x17) /* SMC */
#define EC_SYSTEM_REGISTER           U(0x18) /* system register */
#define EC_INSTRUCTION_ABORT         U(0x20) /* instruction abort */
#define EC_DATA_ABORT                U(0x24) /* data abort */
#define EC_BREAKPOINT                U(0x3c) /* BRK */
#define SPSR_AARCH32                 U(0x10) /* M[4] */
#define INSTRUCTION_SIZE             U(0x4) /* bytes */

/* Exception levels */
#define CURRENT_EL2                  U(0x8) /* CurrentEL.EL = 2 */
#define VECTOR_SIZE                  U(0x80) /* bytes */
#define VECTORS_SIZE                 U(0x800) /* bytes, also the alignment */

/* Generic timer */
#define COUNTER_HZ                   U(0x3b9aca0) /* CNTFRQ_EL0; boot checks it */
#define TICK_NS                      U(0x10) /* nanoseconds a tick, exact */
#define SHARE_TICKS                  U(0x271) /* 10000 ns */
#define CNTHP_ENABLE                 U(0x1) /* CNTHP_CTL_EL2: on, not masked */
#define ISR_INTERRUPT                U(0x80) /* ISR_EL1: an IRQ is pending */

/* GICv3: IHI 0069 */
#define TIMER_INTERRUPT              U(0x1a) /* PPI of CNTHP */
#define TIMER_PRIORITY               U(0x80)
#define SPECIAL_INTERRUPTS           U(0x3fc) /* 1020..1023: nothing to handle */
#define GICD_CTLR                    U(0x0)
#define GICD_CTLR_GROUP1_ARE         U(0x12) /* group 1 on, affinity routing */
#define GICR_WAKER                   U(0x14)
#define GICR_WAKER_SLEEP             U(0x2) /* ProcessorSleep */
#define GICR_WAKER_ASLEEP            U(0x4) /* ChildrenAsleep */
#define GICR_IGROUPR0                U(0x10080) /* in the SGI frame */
#define GICR_ISENABLER0              U(0x10100)
#define GICR_ICENABLER0              U(0x10180)
#define GICR_IPRIORITYR              U(0x10400)
#define ALL_INTERRUPTS               U(0xffffffff) /* all 32 SGIs and PPIs */
#define ICC_PMR_OPEN                 U(0xff) /* no priority masked */
#define ICC_GROUP_ENABLE             U(0x1)

/* PL011: DDI 0183 */
#define UART_DR                      U(0x0)
#define UART_FR                      U(0x18)
#define UART_CR                      U(0x30)
#define UART_LCR_H                   U(0x2c)
#define UART_IMSC                    U(0x38)
#define UART_FR_TXFF                 U(0x20) /* transmit FIFO full */
#define UART_FR_BUSY                 U(0x8) /* still shifting */
#define UART_LOOKS                   U(0x4) /* at its flags, until there is room for a character: more would make the longest call too long */
#define UART_LCR_8N1_FIFO            U(0x70) /* 8 bits, FIFO */
#define UART_CR_TX                   U(0x101) /* on, transmit only */

/* Virtio transports in memory: virtio 1.2, 4.2.2 and 2.1 */
#define TRANSPORTS                   U(0x20) /* of the machine */
#define TRANSPORT_SIZE               U(0x200) /* bytes from one to the next */
#define DESCRIPTORS                  U(0x4) /* of a queue */
#define VIRTIO_MAGIC                 U(0x0)
#define VIRTIO_MAGIC_VALUE           U(0x74726976)
#define VIRTIO_VERSION               U(0x4)
#define VIRTIO_VERSION_MODERN        U(0x2) /* the other one is legacy */
#define VIRTIO_DEVICE                U(0x8) /* which kind of device is there */
#define VIRTIO_DEVICE_BLOCK          U(0x2)
#define VIRTIO_DEVICE_CONSOLE        U(0x3)
#define VIRTIO_TRANSMITS             U(0x1) /* the queue of a console that is for sending; all others are the first */
#define VIRTIO_FEATURES              U(0x20) /* that the driver accepts, 32 at a time */
#define VIRTIO_FEATURES_SELECT       U(0x24) /* which 32 */
#define VIRTIO_FEATURE_VERSION_1     U(0x1) /* of the second 32; no other feature is accepted */
#define VIRTIO_QUEUE_SELECT          U(0x30)
#define VIRTIO_QUEUE_SIZE            U(0x38)
#define VIRTIO_QUEUE_READY           U(0x44)
#define VIRTIO_QUEUE_NOTIFY          U(0x50)
#define VIRTIO_STATUS                U(0x70) /* zero resets the device */
#define VIRTIO_ACKNOWLEDGE           U(0x1) /* somebody has noticed it */
#define VIRTIO_DRIVER                U(0x2) /* and knows how to drive it */
#define VIRTIO_DRIVER_OK             U(0x4) /* it may use its queue */
#define VIRTIO_FEATURES_OK           U(0x8) /* the features are agreed upon */
#define VIRTIO_FAILED                U(0x80) /* it is given up */
#define VIRTIO_DESCRIPTORS           U(0x80) /* physical address of the descriptors, in two halves */
#define VIRTIO_AVAILABLE             U(0x90) /* of the ring of available descriptors */
#define VIRTIO_USED                  U(0xa0) /* of the ring of used descriptors */

/* Attempts of guests: a status, or what the processor did */
#define STOPPED                      U(0x100) /* by the kernel; the exception class below */
#define CAUGHT                       U(0x200) /* an exception of its own; the class below */
#define HARMLESS                     U(0x300) /* without effect on others */
#define ENDLESS                      U(0x400) /* only time ends it */

/* PSCI: DEN 0022 */
#define PSCI_SYSTEM_OFF              U(0x84000008)
#define PSCI_SYSTEM_RESET            U(0x84000009)

/* Boot */
#define GUEST_BASE                   U(0x80000000) /* intermediate physical address of every guest image */
#define GUEST_ENTRY                  U(0x2) /* of GUEST_BASE in the level-1 table */
#define PACKAGE_PAGE                 U(0x3) /* first page of the boot package, after root's own tables */
#define SLOT_OWN                     U(0x1)
#define SLOT_SCHEDULER               U(0x2)
#define SLOT_LOG                     U(0x3)
#define SLOT_PROOF_ROOTS             U(0x4)
#define SLOT_REGIONS                 U(0x8)
#define SLOT_CONSOLE                 U(0x18)
#define SLOT_TRUST                   U(0x19)
#define SLOT_COHERENCE               U(0x1a)
#define SLOT_TRANSPORTS              U(0x1b)

/* Words of a proof page */
#define PROOF_NONCE                  U(0x4)
#define PROOF_TIER                   U(0x5)
#define PROOF_FROM                   U(0x6)
#define PROOF_UNTIL                  U(0x7)
#define PROOF_OBJECT                 U(0x8)
#define PROOF_POSITION               U(0x9)
#define PROOF_LEVELS                 U(0xa)
#define PROOF_PATH                   U(0x10)
#define PROOF_OF_P1                  U(0x1)
#define PROOF_OF_P2                  U(0x2)
#define PROOF_OF_P3                  U(0x3)

/* Words of a page that holds a message */
#define MESSAGE_LENGTH               U(0x0)
#define MESSAGE_BADGE                U(0x1)
#define MESSAGE_SCHEMA               U(0x2)
#define MESSAGE_SEQUENCE             U(0x3)
#define MESSAGE_PAYLOAD              U(0x8)

/* Memory map */
#define GICD_START                   U(0x8000000) /* GICv3 distributor */
#define GICD_SIZE                    U(0x10000)
#define GICD_END                     U(0x8010000)
#define GICR_START                   U(0x80a0000) /* GICv3 redistributor of processor 0 */
#define GICR_SIZE                    U(0x20000)
#define GICR_END                     U(0x80c0000)
#define UART_START                   U(0x9000000) /* PL011 */
#define UART_SIZE                    U(0x1000)
#define UART_END                     U(0x9001000)
#define TRANSPORTS_START             U(0xa000000) /* virtio transports in memory */
#define TRANSPORTS_SIZE              U(0x4000)
#define TRANSPORTS_END               U(0xa004000)
#define TEXT_START                   U(0x40100000) /* kernel instructions and vectors */
#define TEXT_SIZE                    U(0x80000)
#define TEXT_END                     U(0x40180000)
#define RODATA_START                 U(0x40180000) /* EL2 translation tables and constants */
#define RODATA_SIZE                  U(0x80000)
#define RODATA_END                   U(0x40200000)
#define DATA_START                   U(0x40200000) /* contexts and what else the platform keeps */
#define DATA_SIZE                    U(0x200000)
#define DATA_END                     U(0x40400000)
#define PACKAGE_START                U(0x43e00000) /* boot package, put there by the host */
#define PACKAGE_SIZE                 U(0x61000)
#define PACKAGE_END                  U(0x43e61000)
#define STACK_START                  U(0x43f01000) /* EL2 stack; the page below is not mapped */
#define STACK_SIZE                   U(0x4000)
#define STACK_END                    U(0x43f05000)
#define LAST_STACK_START             U(0x43f06000) /* stack of the fault that stops the kernel */
#define LAST_STACK_SIZE              U(0x1000)
#define LAST_STACK_END               U(0x43f07000)
#define SECRET_START                 U(0x43f08000) /* boot key and first proof root, put there by the host, wiped at boot */
#define SECRET_SIZE                  U(0x1000)
#define SECRET_END                   U(0x43f09000)
#define KEPT_START                   U(0x43f10000) /* the log of a kernel that could not go on, for the one that starts after it */
#define KEPT_SIZE                    U(0x41000)
#define KEPT_END                     U(0x43f51000)
#define KERNEL_START                 U(0x44000000) /* the state of the model; the page pool comes first */
#define KERNEL_SIZE                  U(0x600000)
#define KERNEL_END                   U(0x44600000)
#define UNITS_START                  U(0x60000000) /* large memory, of which the state says whose it is */
#define UNITS_SIZE                   U(0x10000000)
#define UNITS_END                    U(0x70000000)

/* struct context: offsets */
#define CONTEXT_X0                   U(0x0)
#define CONTEXT_X1                   U(0x8)
#define CONTEXT_X2                   U(0x10)
#define CONTEXT_X3                   U(0x18)
#define CONTEXT_X4                   U(0x20)
#define CONTEXT_X5                   U(0x28)
#define CONTEXT_X6                   U(0x30)
#define CONTEXT_X7                   U(0x38)
#define CONTEXT_X8                   U(0x40)
#define CONTEXT_X9                   U(0x48)
#define CONTEXT_X10                  U(0x50)
#define CONTEXT_X11                  U(0x58)
#define CONTEXT_X12                  U(0x60)
#define CONTEXT_X13                  U(0x68)
#define CONTEXT_X14                  U(0x70)
#define CONTEXT_X15                  U(0x78)
#define CONTEXT_X16                  U(0x80)
#define CONTEXT_X17                  U(0x88)
#define CONTEXT_X18                  U(0x90)
#define CONTEXT_X19                  U(0x98)
#define CONTEXT_X20                  U(0xa0)
#define CONTEXT_X21                  U(0xa8)
#define CONTEXT_X22                  U(0xb0)
#define CONTEXT_X23                  U(0xb8)
#define CONTEXT_X24                  U(0xc0)
#define CONTEXT_X25                  U(0xc8)
#define CONTEXT_X26                  U(0xd0)
#define CONTEXT_X27                  U(0xd8)
#define CONTEXT_X28                  U(0xe0)
#define CONTEXT_X29                  U(0xe8)
#define CONTEXT_SP_EL0               U(0x100)
#define CONTEXT_SP_EL1               U(0x108)
#define CONTEXT_ELR_EL2              U(0x110)
#define CONTEXT_SPSR_EL2             U(0x118)
#define CONTEXT_CPACR_EL1            U(0x120)
#define CONTEXT_VBAR_EL1             U(0x128)
#define CONTEXT_ESR_EL1              U(0x130)
#define CONTEXT_FAR_EL1              U(0x138)
#define CONTEXT_ELR_EL1              U(0x140)
#define CONTEXT_SPSR_EL1             U(0x148)
#define CONTEXT_TPIDR_EL0            U(0x150)
#define CONTEXT_TPIDR_EL1            U(0x158)
#define CONTEXT_TPIDRRO_EL0          U(0x160)
#define CONTEXT_PAR_EL1              U(0x168)
#define CONTEXT_CSSELR_EL1           U(0x170)
#define CONTEXT_CNTKCTL_EL1          U(0x178)
#define CONTEXT_CNTV_CTL_EL0         U(0x180)
#define CONTEXT_CNTV_CVAL_EL0        U(0x188)
#define CONTEXT_FPCR                 U(0x190)
#define CONTEXT_FPSR                 U(0x198)
#define CONTEXT_Q0                   U(0x1a0)
#define CONTEXT_Q1                   U(0x1b0)
#define CONTEXT_Q2                   U(0x1c0)
#define CONTEXT_Q3                   U(0x1d0)
#define CONTEXT_Q4                   U(0x1e0)
#define CONTEXT_Q5                   U(0x1f0)
#define CONTEXT_Q6                   U(0x200)
#define CONTEXT_Q7                   U(0x210)
#define CONTEXT_Q8                   U(0x220)
#define CONTEXT_Q9                   U(0x230)
#define CONTEXT_Q10                  U(0x240)
#define CONTEXT_Q11                  U(0x250)
#define CONTEXT_Q12                  U(0x260)
#define CONTEXT_Q13                  U(0x270)
#define CONTEXT_Q14                  U(0x280)
#define CONTEXT_Q15                  U(0x290)
#define CONTEXT_Q16                  U(0x2a0)
#define CONTEXT_Q17                  U(0x2b0)
#define CONTEXT_Q18                  U(0x2c0)
#define CONTEXT_Q19                  U(0x2d0)
#define CONTEXT_Q20                  U(0x2e0)
#define CONTEXT_Q21                  U(0x2f0)
#define CONTEXT_Q22                  U(0x300)
#define CONTEXT_Q23                  U(0x310)
#define CONTEXT_Q24                  U(0x320)
#define CONTEXT_Q25                  U(0x330)
#define CONTEXT_Q26                  U(0x340)
#define CONTEXT_Q27                  U(0x350)
#define CONTEXT_Q28                  U(0x360)
#define CONTEXT_Q29                  U(0x370)
#define CONTEXT_Q30                  U(0x380)
#define CONTEXT_Q31                  U(0x390)
#define CONTEXT_X30                  U(0xf0) /* VTTBR_EL2 follows */
#define CONTEXT_ALIGN                U(16)

/* HCR_EL2: Hypervisor Configuration Register
 *   [ 0   ] VM        = 0x1  stage 2 on for EL1 and EL0
 *   [ 1   ] SWIO      = 0x1  invalidate by set/way never drops another partition's dirty line
 *   [ 2   ] PTW       = 0x1  a stage 1 walk through device memory faults
 *   [ 3   ] FMO       = 0x1  physical FIQ to EL2, whatever PSTATE.F of the guest says
 *   [ 4   ] IMO       = 0x1  physical IRQ to EL2, whatever PSTATE.I of the guest says
 *   [ 5   ] AMO       = 0x1  SError to EL2
 *   [ 9   ] FB        = 0x1  guest TLB and instruction cache maintenance is broadcast
 *   [10 +2] BSU       = 0x1  guest barriers reach the inner shareable domain
 *   [12   ] DC        = 0x1  EL1 stage 1 is off and cacheable; SCTLR_EL1.M has no effect, so VA = IPA
 *   [13   ] TWI       = 0x1  WFI gives the processor back
 *   [14   ] TWE       = 0x1  WFE gives the processor back
 *   [16   ] TID1      = 0x1  implementation identification is not a guest's business
 *   [19   ] TSC       = 0x1  SMC does not reach the firmware
 *   [20   ] TIDCP     = 0x1  implementation defined registers
 *   [21   ] TACR      = 0x1  ACTLR_EL1
 *   [22   ] TSW       = 0x1  cache maintenance by set/way
 *   [26   ] TVM       = 0x1  without stage 1 its registers mean nothing: a write is contained, not ignored
 *   [31   ] RW        = 0x1  EL1 is AArch64
 */
#define HCR_EL2_BOOT                 U(0x8479763f)

/* SCTLR_EL1: System Control Register (EL1)
 *   [ 0   ] M         = 0x0  stage 1 off
 *   [ 2   ] C         = 0x1  data cacheable
 *   [ 3   ] SA        = 0x1  SP alignment faults at EL1
 *   [ 4   ] SA0       = 0x1  and at EL0
 *   [11   ] RES1      = 0x1  RES1
 *   [20   ] RES1      = 0x1  RES1
 *   [22   ] RES1      = 0x1  RES1
 *   [23   ] RES1      = 0x1  RES1
 *   [28   ] RES1      = 0x1  RES1
 *   [29   ] RES1      = 0x1  RES1
 *   [12   ] I         = 0x1  instructions cacheable
 *   [14   ] DZE       = 0x1  EL0 may use DC ZVA
 *   [15   ] UCT       = 0x1  EL0 may read CTR_EL0
 *   [16   ] nTWI      = 0x1  WFI of EL0 goes to EL2, not EL1
 *   [18   ] nTWE      = 0x1  WFE of EL0 goes to EL2, not EL1
 *   [26   ] UCI       = 0x1  EL0 may maintain caches by address
 */
#define SCTLR_EL1_BOOT               U(0x34d5d81c)

/* TCR_EL1: Translation Control Register (EL1)
 */
#define TCR_EL1_BOOT                 U(0x0)

/* TTBR0_EL1: Translation Table Base Register 0 (EL1)
 */
#define TTBR0_EL1_BOOT               U(0x0)

/* TTBR1_EL1: Translation Table Base Register 1 (EL1)
 */
#define TTBR1_EL1_BOOT               U(0x0)

/* MAIR_EL1: Memory Attribute Indirection Register (EL1)
 */
#define MAIR_EL1_BOOT                U(0x0)

/* AMAIR_EL1: Auxiliary Memory Attribute Indirection Register (EL1)
 */
#define AMAIR_EL1_BOOT               U(0x0)

/* AFSR0_EL1: Auxiliary Fault Status Register 0 (EL1), RES0 on Cortex-A72
 */
#define AFSR0_EL1_BOOT               U(0x0)

/* AFSR1_EL1: Auxiliary Fault Status Register 1 (EL1), RES0 on Cortex-A72
 */
#define AFSR1_EL1_BOOT               U(0x0)

/* CONTEXTIDR_EL1: Context ID Register (EL1)
 */
#define CONTEXTIDR_EL1_BOOT          U(0x0)

/* CPTR_EL2: Architectural Feature Trap Register
 *   [ 0   ] RES1      = 0x1  RES1
 *   [ 1   ] RES1      = 0x1  RES1
 *   [ 2   ] RES1      = 0x1  RES1
 *   [ 3   ] RES1      = 0x1  RES1
 *   [ 4   ] RES1      = 0x1  RES1
 *   [ 5   ] RES1      = 0x1  RES1
 *   [ 6   ] RES1      = 0x1  RES1
 *   [ 7   ] RES1      = 0x1  RES1
 *   [ 9   ] RES1      = 0x1  RES1
 *   [12   ] RES1      = 0x1  RES1
 *   [13   ] RES1      = 0x1  RES1
 *   [ 8   ] TZ        = 0x1  SVE trapped where implemented, RES1 elsewhere
 *   [10   ] TFP       = 0x0  FP and SIMD belong to the guest and are always switched
 *   [20   ] TTA       = 0x1  trace registers
 */
#define CPTR_EL2_BOOT                U(0x1033ff)

/* HSTR_EL2: Hypervisor System Trap Register
 *   [ 0   ] T         = 0x1  AArch32 coprocessor 15, all primary registers
 *   [ 1   ] T         = 0x1  AArch32 coprocessor 15, all primary registers
 *   [ 2   ] T         = 0x1  AArch32 coprocessor 15, all primary registers
 *   [ 3   ] T         = 0x1  AArch32 coprocessor 15, all primary registers
 *   [ 5   ] T         = 0x1  AArch32 coprocessor 15, all primary registers
 *   [ 6   ] T         = 0x1  AArch32 coprocessor 15, all primary registers
 *   [ 7   ] T         = 0x1  AArch32 coprocessor 15, all primary registers
 *   [ 8   ] T         = 0x1  AArch32 coprocessor 15, all primary registers
 *   [ 9   ] T         = 0x1  AArch32 coprocessor 15, all primary registers
 *   [10   ] T         = 0x1  AArch32 coprocessor 15, all primary registers
 *   [11   ] T         = 0x1  AArch32 coprocessor 15, all primary registers
 *   [12   ] T         = 0x1  AArch32 coprocessor 15, all primary registers
 *   [13   ] T         = 0x1  AArch32 coprocessor 15, all primary registers
 *   [15   ] T         = 0x1  AArch32 coprocessor 15, all primary registers
 */
#define HSTR_EL2_BOOT                U(0xbfef)

/* MDCR_EL2: Monitor Debug Configuration Register
 *   [ 0 +5] HPMN      = 0x6  all event counters of Cortex-A72; 0 would be CONSTRAINED UNPREDICTABLE
 *   [ 5   ] TPMCR     = 0x1  PMCR_EL0
 *   [ 6   ] TPM       = 0x1  all other performance monitors
 *   [ 8   ] TDE       = 0x0  BRK is the guest's own exception
 *   [ 9   ] TDA       = 0x1  debug registers, so breakpoints and single step cannot be armed
 *   [10   ] TDOSA     = 0x1  OS lock and power-down debug registers
 *   [11   ] TDRA      = 0x1  debug ROM addresses
 */
#define MDCR_EL2_BOOT                U(0xe66)

/* ACTLR_EL2: Auxiliary Control Register: no implementation defined right for EL1
 */
#define ACTLR_EL2_BOOT               U(0x0)

/* MDSCR_EL1: Monitor Debug System Control Register: no debug event enabled, and TDA keeps it so
 */
#define MDSCR_EL1_BOOT               U(0x0)

/* CNTHCTL_EL2: Counter-timer Hypervisor Control Register
 *   [ 0   ] EL1PCTEN  = 0x0  physical counter trapped
 *   [ 1   ] EL1PCEN   = 0x0  physical timer trapped
 */
#define CNTHCTL_EL2_BOOT             U(0x0)

/* CNTVOFF_EL2: Virtual Offset Register: virtual time is physical time
 */
#define CNTVOFF_EL2_BOOT             U(0x0)

/* CNTHP_CTL_EL2: EL2 Physical Timer Control Register: off until the first partition runs
 */
#define CNTHP_CTL_EL2_BOOT           U(0x0)

/* VPIDR_EL2: Virtualization Processor ID Register
 *   [ 0 +4] Revision  = 0x3  p3
 *   [ 4 +12] PartNum   = 0xd08 Cortex-A72
 *   [16 +4] Architecture = 0xf  by ID registers
 *   [24 +8] Implementer = 0x41 Arm
 */
#define VPIDR_EL2_BOOT               U(0x410fd083)

/* VMPIDR_EL2: Virtualization Multiprocessor ID Register
 *   [30   ] U         = 0x1  a guest sees one processor
 *   [31   ] RES1      = 0x1  RES1
 */
#define VMPIDR_EL2_BOOT              U(0xc0000000)

/* VTCR_EL2: Virtualization Translation Control Register
 *   [ 6 +2] SL0       = 0x1  start at level 1: with T0SZ 25, one root of 512 entries
 *   [ 0 +6] T0SZ      = 0x19 39-bit input, start level 1
 *   [ 8 +2] IRGN0     = 0x1  walks are inner write-back cacheable
 *   [10 +2] ORGN0     = 0x1  walks are outer write-back cacheable
 *   [12 +2] SH0       = 0x3  walks are inner shareable
 *   [14 +2] TG0       = 0x0  4 KiB granule
 *   [16 +3] PS        = 0x2  40-bit output, not less than the 39-bit input
 *   [19   ] VS        = 0x0  8-bit VMID
 *   [31   ] RES1      = 0x1  RES1
 */
#define VTCR_EL2_BOOT                U(0x80023559)

/* VTTBR_EL2: Virtualization Translation Table Base Register: no partition yet
 */
#define VTTBR_EL2_BOOT               U(0x0)

/* MAIR_EL2: Memory Attribute Indirection Register
 *   [ 0 +8] Attr0     = 0x0  device nGnRnE
 *   [ 8 +8] Attr1     = 0xff normal, write-back, read and write allocate
 */
#define MAIR_EL2_BOOT                U(0xff00)

/* TCR_EL2: Translation Control Register (EL2)
 *   [ 0 +6] T0SZ      = 0x19 39-bit input, start level 1
 *   [ 8 +2] IRGN0     = 0x1  walks are inner write-back cacheable
 *   [10 +2] ORGN0     = 0x1  walks are outer write-back cacheable
 *   [12 +2] SH0       = 0x3  walks are inner shareable
 *   [14 +2] TG0       = 0x0  4 KiB granule
 *   [16 +3] PS        = 0x2  40-bit output, not less than the 39-bit input
 *   [23   ] RES1      = 0x1  RES1
 *   [31   ] RES1      = 0x1  RES1
 */
#define TCR_EL2_BOOT                 U(0x80823519)

/* TPIDR_EL2: Software Thread ID Register: nonzero once the kernel has faulted
 */
#define TPIDR_EL2_BOOT               U(0x0)

/* ICC_SRE_EL2: Interrupt Controller System Register Enable
 *   [ 0   ] SRE       = 0x1  system registers, not memory mapped
 *   [ 1   ] DFB       = 0x1  no FIQ bypass
 *   [ 2   ] DIB       = 0x1  no IRQ bypass
 *   [ 3   ] Enable    = 0x0  ICC_SRE_EL1 trapped, where that can be
 */
#define ICC_SRE_EL2_BOOT             U(0x7)

/* ICH_HCR_EL2: Interrupt Controller Hypervisor Control Register
 *   [ 0   ] En        = 0x0  no virtual interrupts
 *   [10   ] TC        = 0x1  registers common to both groups
 *   [11   ] TALL0     = 0x1  group 0 registers
 *   [12   ] TALL1     = 0x1  group 1 registers
 *   [14   ] TDIR      = 0x1  deactivation
 */
#define ICH_HCR_EL2_BOOT             U(0x5c00)

/* SCTLR_EL2: System Control Register (EL2)
 *   [ 0   ] M         = 0x1  stage 1 on
 *   [ 1   ] A         = 0x1  alignment faults: the kernel is built with -mstrict-align
 *   [ 2   ] C         = 0x1  data cacheable
 *   [ 3   ] SA        = 0x1  SP alignment faults
 *   [ 4   ] RES1      = 0x1  RES1
 *   [ 5   ] RES1      = 0x1  RES1
 *   [11   ] RES1      = 0x1  RES1
 *   [16   ] RES1      = 0x1  RES1
 *   [18   ] RES1      = 0x1  RES1
 *   [22   ] RES1      = 0x1  RES1
 *   [23   ] RES1      = 0x1  RES1
 *   [28   ] RES1      = 0x1  RES1
 *   [29   ] RES1      = 0x1  RES1
 *   [12   ] I         = 0x1  instructions cacheable
 *   [19   ] WXN       = 0x1  whatever is writable is not executable, whatever the tables say
 */
#define SCTLR_EL2_BOOT               U(0x30cd183f)

/* SPSR_EL2: Saved Program Status Register
 *   [ 0 +4] M         = 0x5  EL1h
 *   [ 6 +4] DAIF      = 0xf  debug, SError, IRQ and FIQ masked at EL1
 */
#define SPSR_EL2_INITIAL             U(0x3c5)

/* CPACR_EL1: Architectural Feature Access Control Register
 *   [20 +2] FPEN      = 0x3  FP and SIMD usable at once
 */
#define CPACR_EL1_INITIAL            U(0x300000)

/* SPSR: the flags of a guest an exception return may carry
 *   [ 0   ] M0        = 0x1  SP_ELx; cleared below where M2 is clear, as M = 0b0001 is reserved
 *   [ 2   ] M2        = 0x1  EL1; M1, M3 and M4 stay clear: never EL2, EL3 or AArch32
 *   [ 6 +4] DAIF      = 0xf  masks of the guest's own exceptions
 *   [20   ] IL        = 0x1  an illegal return of the guest still faults in the guest
 *   [28 +4] NZCV      = 0xf  condition flags
 */
#define SPSR_KEPT                    U(0xf01003c5)

#endif
