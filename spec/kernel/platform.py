"""What does the kernel write into the processor and its devices, and what there belongs to a partition?

Register values as named bit-fields, the saved context of a partition, and the numbers of the devices. Names of
registers and fields come from the Arm ARM (DDI 0487), the GICv3 specification (IHI 0069) and the PL011 manual (DDI
0183). spec/kernel/memory_map.py says where all of it lies.
"""

from dataclasses import dataclass

from corollary.language.types import Array, u64
from corollary.language.values import Record
from corollary.spec.kernel.hardware import VTCR, Vtcr, Vttbr
from corollary.spec.kernel.limits import (
    DEVICES,
    PAGE_BITS,
    QUEUE_SIZE,
    REGION_BITS,
    SECOND,
    SHARE_NS,
    UNIT_PART_BITS,
    UNIT_SHIFT,
)
from corollary.spec.kernel.memory_map import DEVICE, MAIR_DEVICE, MAIR_NORMAL, PAGE, TRANSPORT, WRITE_BACK
from corollary.spec.kernel.state import Call, PageId, PartitionId, UnitId, UnitPartId


@dataclass(frozen=True)
class Field:
    """Some bits of a register, the value they get and the reason."""

    name: str
    low: int
    width: int
    value: int
    why: str

    def __post_init__(self):
        assert 0 <= self.value < 1 << self.width, self.name


@dataclass(frozen=True)
class Register:
    """A register and its fields; the bits that no field names are zero."""

    name: str
    title: str
    fields: tuple = ()
    stuck: int = 0  # bits that the machine keeps at one, whatever is written

    @property
    def value(self):
        """Return all fields combined."""
        used = total = 0
        for f in self.fields:
            mask = ((1 << f.width) - 1) << f.low
            assert not used & mask, (self.name, f.name)
            used, total = used | mask, total | f.value << f.low
        return total

    @property
    def held(self):
        """Return what the register reads as, once written."""
        return self.value | self.stuck


def bit(name, low, why, value=1):
    """A field of one bit."""
    return Field(name, low, 1, value, why)


def ones(name, bits, why):
    """Scattered bits that must be one."""
    return tuple(Field(name, b, 1, 1, why) for b in bits)


def fixed(part, why):
    """A field that the declaration of the register as a word fixes."""
    return Field(part.name.upper(), part.low, part.width, part.fixed, why)


# ---- registers written once, at boot

WALK = (  # the same places in VTCR_EL2 and TCR_EL2
    fixed(Vtcr.t0sz, "39-bit input, start level 1"),
    fixed(Vtcr.irgn0, "walks are inner write-back cacheable"),
    fixed(Vtcr.orgn0, "walks are outer write-back cacheable"),
    fixed(Vtcr.sh0, "walks are inner shareable"),
    fixed(Vtcr.tg0, "4 KiB granule"),
    fixed(Vtcr.ps, "40-bit output, not less than the 39-bit input"),
)

SCTLR_EL2 = Register(
    "SCTLR_EL2",
    "System Control Register (EL2)",
    (
        bit("M", 0, "stage 1 on"),
        bit("A", 1, "alignment faults: the kernel is built with -mstrict-align"),
        bit("C", 2, "data cacheable"),
        bit("SA", 3, "SP alignment faults"),
        *ones("RES1", (4, 5, 11, 16, 18, 22, 23, 28, 29), "RES1"),
        bit("I", 12, "instructions cacheable"),
        bit("WXN", 19, "whatever is writable is not executable, whatever the tables say"),
    ),
)

# A partition has no stage 1 (HCR_EL2.DC) and cannot write its registers (TVM): the same for all, never switched.
NO_STAGE_1 = (
    Register(
        "SCTLR_EL1",
        "System Control Register (EL1)",
        (
            bit("M", 0, "stage 1 off", 0),
            bit("C", 2, "data cacheable"),
            bit("SA", 3, "SP alignment faults at EL1"),
            bit("SA0", 4, "and at EL0"),
            *ones("RES1", (11, 20, 22, 23, 28, 29), "RES1"),
            bit("I", 12, "instructions cacheable"),
            bit("DZE", 14, "EL0 may use DC ZVA"),
            bit("UCT", 15, "EL0 may read CTR_EL0"),
            bit("nTWI", 16, "WFI of EL0 goes to EL2, not EL1"),
            bit("nTWE", 18, "WFE of EL0 goes to EL2, not EL1"),
            bit("UCI", 26, "EL0 may maintain caches by address"),
        ),
    ),
    Register("TCR_EL1", "Translation Control Register (EL1)"),
    Register("TTBR0_EL1", "Translation Table Base Register 0 (EL1)"),
    Register("TTBR1_EL1", "Translation Table Base Register 1 (EL1)"),
    Register("MAIR_EL1", "Memory Attribute Indirection Register (EL1)"),
    Register("AMAIR_EL1", "Auxiliary Memory Attribute Indirection Register (EL1)"),
    Register("AFSR0_EL1", "Auxiliary Fault Status Register 0 (EL1), RES0 on Cortex-A72"),
    Register("AFSR1_EL1", "Auxiliary Fault Status Register 1 (EL1), RES0 on Cortex-A72"),
    Register("CONTEXTIDR_EL1", "Context ID Register (EL1)"),
)

BOOT_REGISTERS = (
    Register(
        "HCR_EL2",
        "Hypervisor Configuration Register",
        (
            bit("VM", 0, "stage 2 on for EL1 and EL0"),
            bit("SWIO", 1, "invalidate by set/way never drops another partition's dirty line"),
            bit("PTW", 2, "a stage 1 walk through device memory faults"),
            bit("FMO", 3, "physical FIQ to EL2, whatever PSTATE.F of the guest says"),
            bit("IMO", 4, "physical IRQ to EL2, whatever PSTATE.I of the guest says"),
            bit("AMO", 5, "SError to EL2"),
            bit("FB", 9, "guest TLB and instruction cache maintenance is broadcast"),
            Field("BSU", 10, 2, 1, "guest barriers reach the inner shareable domain"),
            bit("DC", 12, "EL1 stage 1 is off and cacheable; SCTLR_EL1.M has no effect, so VA = IPA"),
            bit("TWI", 13, "WFI gives the processor back"),
            bit("TWE", 14, "WFE gives the processor back"),
            bit("TID1", 16, "implementation identification is not a guest's business"),
            bit("TSC", 19, "SMC does not reach the firmware"),
            bit("TIDCP", 20, "implementation defined registers"),
            bit("TACR", 21, "ACTLR_EL1"),
            bit("TSW", 22, "cache maintenance by set/way"),
            bit("TVM", 26, "without stage 1 its registers mean nothing: a write is contained, not ignored"),
            bit("RW", 31, "EL1 is AArch64"),
        ),
    ),
    *NO_STAGE_1,
    Register(
        "CPTR_EL2",
        "Architectural Feature Trap Register",
        (
            *ones("RES1", (0, 1, 2, 3, 4, 5, 6, 7, 9, 12, 13), "RES1"),
            bit("TZ", 8, "SVE trapped where implemented, RES1 elsewhere"),
            bit("TFP", 10, "FP and SIMD belong to the guest and are always switched", 0),
            bit("TTA", 20, "trace registers"),
        ),
    ),
    Register(
        "HSTR_EL2",
        "Hypervisor System Trap Register",
        ones("T", (0, 1, 2, 3, 5, 6, 7, 8, 9, 10, 11, 12, 13, 15), "AArch32 coprocessor 15, all primary registers"),
    ),
    Register(
        "MDCR_EL2",
        "Monitor Debug Configuration Register",
        (
            Field("HPMN", 0, 5, 6, "all event counters of Cortex-A72; 0 would be CONSTRAINED UNPREDICTABLE"),
            bit("TPMCR", 5, "PMCR_EL0"),
            bit("TPM", 6, "all other performance monitors"),
            bit("TDE", 8, "BRK is the guest's own exception", 0),
            bit("TDA", 9, "debug registers, so breakpoints and single step cannot be armed"),
            bit("TDOSA", 10, "OS lock and power-down debug registers"),
            bit("TDRA", 11, "debug ROM addresses"),
        ),
    ),
    Register("ACTLR_EL2", "Auxiliary Control Register: no implementation defined right for EL1"),
    Register("MDSCR_EL1", "Monitor Debug System Control Register: no debug event enabled, and TDA keeps it so"),
    Register(
        "CNTHCTL_EL2",
        "Counter-timer Hypervisor Control Register",
        (bit("EL1PCTEN", 0, "physical counter trapped", 0), bit("EL1PCEN", 1, "physical timer trapped", 0)),
    ),
    Register("CNTVOFF_EL2", "Virtual Offset Register: virtual time is physical time"),
    Register("CNTHP_CTL_EL2", "EL2 Physical Timer Control Register: off until the first partition runs"),
    Register(
        "VPIDR_EL2",
        "Virtualization Processor ID Register",
        (
            Field("Revision", 0, 4, 3, "p3"),
            Field("PartNum", 4, 12, 0xD08, "Cortex-A72"),
            Field("Architecture", 16, 4, 0xF, "by ID registers"),
            Field("Implementer", 24, 8, 0x41, "Arm"),
        ),
    ),
    Register(
        "VMPIDR_EL2",
        "Virtualization Multiprocessor ID Register",
        (bit("U", 30, "a guest sees one processor"), bit("RES1", 31, "RES1")),
    ),
    Register(
        "VTCR_EL2",
        "Virtualization Translation Control Register",
        (
            fixed(Vtcr.sl0, "start at level 1: with T0SZ 25, one root of 512 entries"),
            *WALK,
            bit("VS", 19, "8-bit VMID", 0),
            fixed(Vtcr.res1, "RES1"),
        ),
    ),
    Register("VTTBR_EL2", "Virtualization Translation Table Base Register: no partition yet"),
    Register(
        "MAIR_EL2",
        "Memory Attribute Indirection Register",
        (
            Field(f"Attr{MAIR_DEVICE}", 8 * MAIR_DEVICE, 8, DEVICE, "device nGnRnE"),
            Field(f"Attr{MAIR_NORMAL}", 8 * MAIR_NORMAL, 8, WRITE_BACK, "normal, write-back, read and write allocate"),
        ),
    ),
    Register(
        "TCR_EL2", "Translation Control Register (EL2)", (*WALK, bit("RES1", 23, "RES1"), bit("RES1", 31, "RES1"))
    ),
    Register("TPIDR_EL2", "Software Thread ID Register: nonzero once the kernel has faulted"),
    Register(
        "ICC_SRE_EL2",
        "Interrupt Controller System Register Enable",
        (
            bit("SRE", 0, "system registers, not memory mapped"),
            bit("DFB", 1, "no FIQ bypass"),
            bit("DIB", 2, "no IRQ bypass"),
            bit("Enable", 3, "ICC_SRE_EL1 trapped, where that can be", 0),
        ),
        stuck=1 << 3,
    ),
    Register(
        "ICH_HCR_EL2",
        "Interrupt Controller Hypervisor Control Register",
        (
            bit("En", 0, "no virtual interrupts", 0),
            bit("TC", 10, "registers common to both groups"),
            bit("TALL0", 11, "group 0 registers"),
            bit("TALL1", 12, "group 1 registers"),
            bit("TDIR", 14, "deactivation"),
        ),
    ),
)

assert next(r for r in BOOT_REGISTERS if r.name == "VTCR_EL2").value == VTCR, "the walk of spec/kernel/hardware.py"

IMPLEMENTATION_DEFINED = (11, 15)  # CRn of registers and operations that HCR_EL2.TIDCP traps
UNTRAPPED = {
    "L2CTLR_EL1": (1, 11, 0, 2),
    "L2ECTLR_EL1": (1, 11, 0, 3),
    "L2ACTLR_EL1": (1, 15, 0, 0),
    "CPUACTLR_EL1": (1, 15, 2, 0),
    "CPUECTLR_EL1": (1, 15, 2, 1),
    "CPUMERRSR_EL1": (1, 15, 2, 2),
    "L2MERRSR_EL1": (1, 15, 2, 3),
    "CBAR_EL1": (1, 15, 3, 0),
}
"""What QEMU 7.2 lets a partition read anyway: op1, CRn, CRm, op2. All are constants."""
UNTRAPPED_WRITES = {*UNTRAPPED} - {"CBAR_EL1"}
"""Of these, the ones that it also lets a partition write, without effect."""

# ---- what a partition starts with, and what is saved while another one runs

INITIAL = (
    Register(
        "SPSR_EL2",
        "Saved Program Status Register",
        (Field("M", 0, 4, 5, "EL1h"), Field("DAIF", 6, 4, 0xF, "debug, SError, IRQ and FIQ masked at EL1")),
    ),
    Register(
        "CPACR_EL1",
        "Architectural Feature Access Control Register",
        (Field("FPEN", 20, 2, 3, "FP and SIMD usable at once"),),
    ),
)
SPSR_KEPT = Register(
    "SPSR",
    "the flags of a guest an exception return may carry",
    (
        bit("M0", 0, "SP_ELx; cleared below where M2 is clear, as M = 0b0001 is reserved"),
        bit("M2", 2, "EL1; M1, M3 and M4 stay clear: never EL2, EL3 or AArch32"),
        Field("DAIF", 6, 4, 0xF, "masks of the guest's own exceptions"),
        bit("IL", 20, "an illegal return of the guest still faults in the guest"),
        Field("NZCV", 28, 4, 0xF, "condition flags"),
    ),
)


class Context(Record):
    """Everything a partition can see or change in the processor; moved in pairs, so the order matters."""

    x: Array[u64, 31]
    vttbr_el2: u64
    sp_el0: u64
    sp_el1: u64
    elr_el2: u64
    spsr_el2: u64
    cpacr_el1: u64
    vbar_el1: u64
    esr_el1: u64
    far_el1: u64
    elr_el1: u64
    spsr_el1: u64
    tpidr_el0: u64
    tpidr_el1: u64
    tpidrro_el0: u64
    par_el1: u64
    csselr_el1: u64
    cntkctl_el1: u64
    cntv_ctl_el0: u64
    cntv_cval_el0: u64
    fpcr: u64
    fpsr: u64
    q: Array[u64, 64]  # two words a register


CONTEXT_ALIGN = 16  # of a pair of Q registers


@dataclass(frozen=True)
class Saved:
    """One register of a context and its byte offset."""

    name: str
    offset: int


def saved_registers():
    """Return the general, system and vector registers of a context, each group in pairs."""
    at = {slot.name: slot.offset for slot in Context.layout.slots}
    general = [Saved(f"X{i}", at["x"] + 8 * i) for i in range(30)]
    system = [Saved(name.upper(), offset) for name, offset in at.items() if name not in ("x", "vttbr_el2", "q")]
    vector = [Saved(f"Q{i}", at["q"] + 16 * i) for i in range(32)]
    assert at["vttbr_el2"] == at["x"] + 8 * 31, "VTTBR_EL2 is moved with X30"
    assert vector[0].offset % CONTEXT_ALIGN == 0 == Context.layout.size % CONTEXT_ALIGN, "q is aligned in every context"
    assert system[-2].offset <= 504 and vector[-2].offset <= 1008, "stp and ldp reach"
    return pairs(general), pairs(system), pairs(vector)


def pairs(registers):
    """Return the registers in pairs."""
    assert len(registers) % 2 == 0, "registers are moved in pairs"
    return [(registers[i], registers[i + 1]) for i in range(0, len(registers), 2)]


# ---- the other devices

COUNTER_HZ = 62_500_000
assert SECOND % COUNTER_HZ == 0, "nanoseconds must be exact"
TICK_NS = SECOND // COUNTER_HZ

EXCEPTION_CLASSES = (
    ("UNDEFINED", 0x00, "undefined instruction"),
    ("WFX", 0x01, "WFI or WFE"),
    ("ILLEGAL_STATE", 0x0E, "illegal execution state"),
    ("HVC64", 0x16, "HVC"),
    ("SMC64", 0x17, "SMC"),
    ("SYSTEM_REGISTER", 0x18, "system register"),
    ("INSTRUCTION_ABORT", 0x20, "instruction abort"),
    ("DATA_ABORT", 0x24, "data abort"),
    ("BREAKPOINT", 0x3C, "BRK"),
)
STOPPED, CAUGHT, HARMLESS, ENDLESS = 0x100, 0x200, 0x300, 0x400

CONSTANTS = [  # (group, [(name, value, why)])
    (
        "Memory",
        [
            ("PAGE_SIZE", PAGE, "translation granule"),
            ("PAGE_SHIFT", PAGE_BITS, ""),
            ("REGION_SHIFT", REGION_BITS, "pages of a region"),
            ("VMID_SHIFT_EL2", Vttbr.vmid.low, "in VTTBR_EL2"),
            ("PARTITION_WIDTH", 8 * PartitionId.storage, "bits of a partition_id_t"),
            ("PAGE_WIDTH", 8 * PageId.storage, "bits of a page_id_t"),
            ("UNIT_SHIFT", UNIT_SHIFT, "bytes of a unit of large memory"),
            ("UNIT_WIDTH", 8 * UnitId.storage, "bits of a unit_id_t"),
            ("UNIT_PART_SHIFT", UNIT_SHIFT - UNIT_PART_BITS, "bytes of a part of a unit"),
            ("UNIT_PART_WIDTH", 8 * UnitPartId.storage, "bits of a unit_part_id_t"),
            ("CACHE_LINE", 64, "Cortex-A72 data cache line, bytes"),
        ],
    ),
    (
        "Hypercalls",
        [
            ("ARGUMENTS", Call.fields["argument"].length, "x1..x6 of a call"),
            ("RESULTS", Call.fields["result"].length, "x1..x3 of a return"),
        ],
    ),
    (
        "Causes, the second argument of trap()",
        [("CAUSE_SYNCHRONOUS", 0, ""), ("CAUSE_IRQ", 1, ""), ("CAUSE_FIQ", 2, ""), ("CAUSE_SERROR", 3, "")],
    ),
    (
        "Exception syndrome: Arm ARM, ESR_EL2",
        [
            ("ESR_EC_SHIFT", 26, "exception class"),
            ("ESR_EC_MASK", 0x3F, ""),
            ("ESR_IMMEDIATE_MASK", 0xFFFF, "immediate of HVC"),
            *((f"EC_{name}", value, why) for name, value, why in EXCEPTION_CLASSES),
            ("SPSR_AARCH32", 1 << 4, "M[4]"),
            ("INSTRUCTION_SIZE", 4, "bytes"),
        ],
    ),
    (
        "Exception levels",
        [
            ("CURRENT_EL2", 2 << 2, "CurrentEL.EL = 2"),
            ("VECTOR_SIZE", 128, "bytes"),
            ("VECTORS_SIZE", 2048, "bytes, also the alignment"),
        ],
    ),
    (
        "Generic timer",
        [
            ("COUNTER_HZ", COUNTER_HZ, "CNTFRQ_EL0; boot checks it"),
            ("TICK_NS", TICK_NS, "nanoseconds a tick, exact"),
            ("SHARE_TICKS", SHARE_NS // TICK_NS, f"{SHARE_NS} ns"),
            ("CNTHP_ENABLE", 1, "CNTHP_CTL_EL2: on, not masked"),
            ("ISR_INTERRUPT", 1 << 7, "ISR_EL1: an IRQ is pending"),
        ],
    ),
    (
        "GICv3: IHI 0069",
        [
            ("TIMER_INTERRUPT", 26, "PPI of CNTHP"),
            ("TIMER_PRIORITY", 0x80, ""),
            ("SPECIAL_INTERRUPTS", 1020, "1020..1023: nothing to handle"),
            ("GICD_CTLR", 0x0000, ""),
            ("GICD_CTLR_GROUP1_ARE", 1 << 1 | 1 << 4, "group 1 on, affinity routing"),
            ("GICR_WAKER", 0x0014, ""),
            ("GICR_WAKER_SLEEP", 1 << 1, "ProcessorSleep"),
            ("GICR_WAKER_ASLEEP", 1 << 2, "ChildrenAsleep"),
            ("GICR_IGROUPR0", 0x1_0080, "in the SGI frame"),
            ("GICR_ISENABLER0", 0x1_0100, ""),
            ("GICR_ICENABLER0", 0x1_0180, ""),
            ("GICR_IPRIORITYR", 0x1_0400, ""),
            ("ALL_INTERRUPTS", 0xFFFF_FFFF, "all 32 SGIs and PPIs"),
            ("ICC_PMR_OPEN", 0xFF, "no priority masked"),
            ("ICC_GROUP_ENABLE", 1, ""),
        ],
    ),
    (
        "PL011: DDI 0183",
        [
            ("UART_DR", 0x00, ""),
            ("UART_FR", 0x18, ""),
            ("UART_CR", 0x30, ""),
            ("UART_LCR_H", 0x2C, ""),
            ("UART_IMSC", 0x38, ""),
            ("UART_FR_TXFF", 1 << 5, "transmit FIFO full"),
            ("UART_FR_BUSY", 1 << 3, "still shifting"),
            (
                "UART_LOOKS",
                4,
                "at its flags, until there is room for a character: more would make the longest call too long",
            ),
            ("UART_LCR_8N1_FIFO", 0x70, "8 bits, FIFO"),
            ("UART_CR_TX", 1 << 0 | 1 << 8, "on, transmit only"),
        ],
    ),
    (
        "Virtio transports in memory: virtio 1.2, 4.2.2 and 2.1",
        [
            ("TRANSPORTS", DEVICES, "of the machine"),
            ("TRANSPORT_SIZE", TRANSPORT, "bytes from one to the next"),
            ("DESCRIPTORS", QUEUE_SIZE, "of a queue"),
            ("VIRTIO_MAGIC", 0x00, ""),
            ("VIRTIO_MAGIC_VALUE", int.from_bytes(b"virt", "little"), ""),
            ("VIRTIO_VERSION", 0x04, ""),
            ("VIRTIO_VERSION_MODERN", 2, "the other one is legacy"),
            ("VIRTIO_DEVICE", 0x08, "which kind of device is there"),
            ("VIRTIO_DEVICE_BLOCK", 2, ""),
            ("VIRTIO_DEVICE_CONSOLE", 3, ""),
            ("VIRTIO_TRANSMITS", 1, "the queue of a console that is for sending; all others are the first"),
            ("VIRTIO_FEATURES", 0x20, "that the driver accepts, 32 at a time"),
            ("VIRTIO_FEATURES_SELECT", 0x24, "which 32"),
            ("VIRTIO_FEATURE_VERSION_1", 1 << 0, "of the second 32; no other feature is accepted"),
            ("VIRTIO_QUEUE_SELECT", 0x30, ""),
            ("VIRTIO_QUEUE_SIZE", 0x38, ""),
            ("VIRTIO_QUEUE_READY", 0x44, ""),
            ("VIRTIO_QUEUE_NOTIFY", 0x50, ""),
            ("VIRTIO_STATUS", 0x70, "zero resets the device"),
            ("VIRTIO_ACKNOWLEDGE", 1 << 0, "somebody has noticed it"),
            ("VIRTIO_DRIVER", 1 << 1, "and knows how to drive it"),
            ("VIRTIO_DRIVER_OK", 1 << 2, "it may use its queue"),
            ("VIRTIO_FEATURES_OK", 1 << 3, "the features are agreed upon"),
            ("VIRTIO_FAILED", 1 << 7, "it is given up"),
            ("VIRTIO_DESCRIPTORS", 0x80, "physical address of the descriptors, in two halves"),
            ("VIRTIO_AVAILABLE", 0x90, "of the ring of available descriptors"),
            ("VIRTIO_USED", 0xA0, "of the ring of used descriptors"),
        ],
    ),
    (
        "Attempts of guests: a status, or what the processor did",
        [
            ("STOPPED", STOPPED, "by the kernel; the exception class below"),
            ("CAUGHT", CAUGHT, "an exception of its own; the class below"),
            ("HARMLESS", HARMLESS, "without effect on others"),
            ("ENDLESS", ENDLESS, "only time ends it"),
        ],
    ),
    ("PSCI: DEN 0022", [("PSCI_SYSTEM_OFF", 0x8400_0008, ""), ("PSCI_SYSTEM_RESET", 0x8400_0009, "")]),
]
