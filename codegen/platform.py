"""Which files make up the platform layer, and which values of the specification do they contain?"""

from corollary.codegen import declarations, render
from corollary.language.types import annotation_type
from corollary.model.kernel import boot, proof
from corollary.spec.kernel import edge, memory_map, platform
from corollary.spec.kernel.sha256 import FRACTION_OF_CUBE_ROOTS
from corollary.spec.kernel.vocabulary import Tier

SOURCES = ("spec/kernel/memory_map.py", "spec/kernel/platform.py")
NAMES = (
    "constants.h",
    "platform.h",
    "start.S",
    "vectors.S",
    "translation.S",
    "sha256.S",
    "link.ld",
    "context.c",
    "power_on.c",
    "guest.ld",
)
HARNESS_NAMES = ("translation.S", "harness.c")  # of the harness that runs traces; its start code is the kernel's
SLOTS = (
    "SLOT_OWN",
    "SLOT_SCHEDULER",
    "SLOT_LOG",
    "SLOT_PROOF_ROOTS",
    "SLOT_REGIONS",
    "SLOT_CONSOLE",
    "SLOT_TRUST",
    "SLOT_COHERENCE",
    "SLOT_TRANSPORTS",
)
PROOF_WORDS = (
    "PROOF_NONCE",
    "PROOF_TIER",
    "PROOF_FROM",
    "PROOF_UNTIL",
    "PROOF_OBJECT",
    "PROOF_POSITION",
    "PROOF_LEVELS",
    "PROOF_PATH",
)
MESSAGE_WORDS = ("MESSAGE_LENGTH", "MESSAGE_BADGE", "MESSAGE_SCHEMA", "MESSAGE_SEQUENCE", "MESSAGE_PAYLOAD")
HARNESS_REGIONS = (*memory_map.REGIONS, *memory_map.HARNESS)
READABLE = ("cntpct_el0", "esr_el2", "far_el2", "icc_iar1_el1", "isr_el1")
WRITABLE = ("cnthp_ctl_el2", "cnthp_tval_el2", "icc_pmr_el1", "icc_igrpen1_el1", "icc_eoir1_el1")


def files():
    """Every generated file of the platform, by its path below `generated/`."""
    found = texts("platform", NAMES, memory_map.REGIONS)
    return found | texts("platform/harness", HARNESS_NAMES, HARNESS_REGIONS)


def texts(folder, names, regions):
    """Some files for one memory map, by path."""
    shared = values(regions)
    return {f"{folder}/{name}": lay_out(f"{folder}/{name}", name, **shared) for name in names}


def lay_out(path, name, **values):
    """The text of one file of the platform."""
    return render.render(path, f"platform/{name}.j2", SOURCES, hex=lambda value: f"{value:#x}", **values)


def values(regions):
    """The values that the templates may use."""
    general, system, vector = platform.saved_registers()
    boot_registers = (*platform.BOOT_REGISTERS, platform.SCTLR_EL2)
    context = platform.Context
    return dict(
        boot_registers=platform.BOOT_REGISTERS,
        sctlr_el2=platform.SCTLR_EL2,
        initial=platform.INITIAL,
        measured_registers=boot_registers,
        constants=constants(),
        rounds=FRACTION_OF_CUBE_ROOTS,
        regions=regions,
        region={region.name: region for region in regions},
        translation=memory_map.translation(regions),
        values=[
            *(("_BOOT", register) for register in boot_registers),
            *(("_INITIAL", register) for register in platform.INITIAL),
            ("_KEPT", platform.SPSR_KEPT),
        ],
        general=general,
        system=system,
        vector=vector,
        saved=[*general, *system, *vector],
        context=declarations.record(context),
        context_pins=declarations.pins(context),
        context_x30=general[-1][1].offset + 8,
        context_align=platform.CONTEXT_ALIGN,
        readable=sorted({*READABLE, "cntfrq_el0", *(register.name.lower() for register in boot_registers)}),
        writable=WRITABLE,
        kinds=memory_map.KINDS,
        commands=memory_map.COMMANDS,
        mailbox_records=[
            line for record in (memory_map.Entry, memory_map.Mailbox) for line in declarations.record(record)
        ],
        entries_offset=memory_map.ENTRIES_OFFSET,
        mailbox=memory_map.MAILBOX.start,
        page=memory_map.PAGE,
        guest_base=boot.GUEST_BASE,
        words_length=annotation_type(memory_map.Words).length,
        guest_size=memory_map.GUEST_SIZE,
        guest_stack=memory_map.GUEST_STACK,
    )


def constants():
    """The groups of named numbers, with those that the model's boot decides."""
    slots = [(name, getattr(boot, name), "") for name in SLOTS]
    words = [(name, getattr(proof, name), "") for name in PROOF_WORDS] + [
        (f"PROOF_OF_{tier.name}", tier, "") for tier in Tier if tier
    ]
    return [
        *platform.CONSTANTS,
        (
            "Boot",
            [
                ("GUEST_BASE", boot.GUEST_BASE, "intermediate physical address of every guest image"),
                ("GUEST_ENTRY", boot.GUEST_ENTRY, "of GUEST_BASE in the level-1 table"),
                ("PACKAGE_PAGE", boot.ROOT_TABLES, "first page of the boot package, after root's own tables"),
                *slots,
            ],
        ),
        ("Words of a proof page", words),
        ("Words of a page that holds a message", [(name, getattr(edge, name), "") for name in MESSAGE_WORDS]),
    ]
