"""What must the platform's assembly and C do? Each piece that no function of the model stands for has a contract.

Register values, layouts and constants come from spec/kernel/platform.py. Arm ARM DDI 0487 and IHI 0069 say what they
mean.
"""

from functools import partial

import z3

from corollary.codegen import checks
from corollary.language.layout import offset_of, size_of
from corollary.language.types import boolean, u8, u64
from corollary.model.kernel.boot import GUEST_BASE, PHASES
from corollary.proofs.machine import words
from corollary.proofs.machine.contract import CONTRACTS, Object, Signature, contract
from corollary.proofs.machine.convention import NAKED
from corollary.proofs.machine.memory import ADDRESS, encoded
from corollary.proofs.machine.platform import INTERRUPT_CONTROLLER
from corollary.spec.kernel import memory_map, platform
from corollary.spec.kernel.hardware import Vttbr
from corollary.spec.kernel.kept import Standing
from corollary.spec.kernel.limits import DEVICES, PAGE_BITS, QUEUE_SIZE, ROOT
from corollary.spec.kernel.message import Message
from corollary.spec.kernel.package import PackageFault
from corollary.spec.kernel.state import Call, DeviceId, Kernel, PageId, PartitionId, UnitId, UnitPartId
from corollary.spec.kernel.vocabulary import DeviceKind

__all__ = ["CONTRACTS"]
CONSTANT = {name: value for _, group in platform.CONSTANTS for name, value, _ in group}
REGION = {region.name: region for region in memory_map.REGIONS}
BOOT = (*platform.BOOT_REGISTERS, platform.SCTLR_EL2)
CAUSES = {
    "SYNCHRONOUS": 8,
    "IRQ": 9,
    "FIQ": 10,
    "SERROR": 11,
}  # exceptions from lower levels in AArch64, and their vectors
MASKED = 0xF << 6  # PSTATE.DAIF
HALT = {"halt": Signature(0, final=True)}
STOP = {"stop": Signature(1, final=True)}
RESTART = {"restart": Signature(1, final=True)}


def stop_for(run, why):
    """The kernel stops, and says why."""
    run.final("stop", int(why), widths=(Message.bits,))


def restart_for(run, why):
    """The kernel starts again, and says why."""
    run.final("restart", int(why), widths=(Message.bits,))


def wide(value, type_):
    """Return a value of the model as a word."""
    return words.extend(value, type_.bits, ADDRESS)


# ---- the check of all invariants after boot

GROUPS = checks.groups()


def ends_of(group):
    """Return where the loops of each function that checks a group end, outermost first, by function."""
    ends = [type_.bound for _, type_ in group.indices]
    return {group.name: tuple(ends[:1]), group.inside: tuple(ends[1:])} if group.inside else {group.name: tuple(ends)}


ENDS = {name: ends for group in GROUPS for name, ends in ends_of(group).items()}


@contract(follows=(*ENDS, "violated"), ends=ENDS)
def check_invariants(run, s: Kernel, found: checks.Violation) -> boolean:
    """All invariants are checked in their order, each for all its indices; the first that fails is reported.

    Where the code asks nothing about one first index, each invariant holds for all second ones.
    """
    state, told = (Object(run.model, place) for place in (s, found))
    for group in GROUPS:
        ends, types = [type_.bound for _, type_ in group.indices], [type_ for _, type_ in group.indices]
        numbers = run.rounds(ends[:1] if group.inside else ends)
        asked = not group.inside or run.enters(group.inside)
        if asked and group.inside:
            numbers += run.rounds(ends[1:])
        indices = [words.extract(number, 0, type_.bits, 32) for number, type_ in zip(numbers, types)]
        for number, item, function in group.members:
            if not asked:
                holds = run.meant(function, state, *indices, run.any(types[-1]))
                run.must(holds, f"{item.id}, of which nothing is asked,")
                continue
            asks = partial(run.call, function.symbol) if checks.is_called(function) else partial(run.meant, function)
            if not run.holds(asks(state, *indices)):
                told.number = number
                for position in range(told.index.reference.type.length):
                    told.index[position] = numbers[position] if position < len(numbers) else 0
                return False
        run.rounds_end(numbers, ends[: len(numbers)])
    return True


# ---- what the model asks of the hardware


def flush(run, vttbr):
    """Drop all translations of the VMID in `vttbr`, with nothing in between, and restore VTTBR_EL2."""
    run.do("DSB ISHST")
    run.write("VTTBR_EL2", vttbr)
    run.do("ISB", "TLBI VMALLS12E1IS", "DSB ISH")
    run.write("VTTBR_EL2", run.entry("VTTBR_EL2"))
    run.do("ISB")


@contract(follows=("flush",))
def hardware_partition_flush_partition(run, p: PartitionId):
    """Every translation of a partition's VMID is dropped, after all earlier stores and before later instructions."""
    flush(run, words.shift_left(wide(p, PartitionId), Vttbr.parts["vmid"].low, ADDRESS))


@contract(follows=("flush",))
def hardware_memory_flush_translation(run, mapping: u64, vttbr: u64):
    """Every translation of a table's VMID is dropped after one of the table's descriptors was made invalid."""
    flush(run, vttbr)


@contract(follows=("flush",))
def hardware_unit_flush_unit(run, unit: u64, vttbr: u64):
    """Every translation of a table's VMID is dropped after the descriptor of a unit was made invalid."""
    flush(run, vttbr)


@contract()
def hardware_memory_synchronize_instructions(run, page: PageId):
    """Each line of a page is cleaned to where instructions are fetched, then the instruction cache is dropped."""
    start = words.add(words.shift_left(wide(page, PageId), PAGE_BITS, ADDRESS), REGION["kernel"].start, ADDRESS)
    for offset in range(0, memory_map.PAGE, CONSTANT["CACHE_LINE"]):
        run.effect("do", "DC CVAU", words.add(start, offset, ADDRESS))
    run.do("DSB ISH", "IC IALLUIS", "DSB ISH", "ISB")


@contract()
def hardware_block_clear_part(run, unit: UnitId, part: UnitPartId):
    """Each line of a part of large memory becomes zero, and nothing else, before later accesses."""
    size = 1 << CONSTANT["UNIT_PART_SHIFT"]
    first = words.shift_left(wide(unit, UnitId), CONSTANT["UNIT_SHIFT"], ADDRESS)
    within = words.add(words.multiply(wide(part, UnitPartId), size, ADDRESS), REGION["units"].start, ADDRESS)
    start = words.add(first, within, ADDRESS)
    for offset in range(0, size, CONSTANT["CACHE_LINE"]):
        run.effect("do", "DC ZVA", words.add(start, offset, ADDRESS))
    run.do("DSB ISH")


@contract(changes=("contexts",))
def hardware_partition_reset_context(run, p: PartitionId, entry: u64):
    """A partition starts with all registers zero except its entry, its PSTATE and the use of vector registers."""
    context = run.contexts[p]
    context.clear()
    context.elr_el2 = entry
    for register in platform.INITIAL:
        setattr(context, register.name.lower(), register.value)


# ---- time and interrupts


@contract()
def now(run) -> u64:
    """The result is the counter in nanoseconds, read after all earlier instructions."""
    run.do("ISB")
    return words.multiply(run.read("CNTPCT_EL0"), CONSTANT["TICK_NS"], ADDRESS)


@contract()
def timer_start(run, ticks: u64):
    """The EL2 timer fires after so many ticks."""
    run.write("CNTHP_TVAL_EL2", ticks)
    run.write("CNTHP_CTL_EL2", CONSTANT["CNTHP_ENABLE"])


@contract()
def interrupt_accept(run) -> u64:
    """The result is the interrupt that is signalled."""
    return run.read("ICC_IAR1_EL1")


@contract()
def interrupt_finish(run, interrupt: u64):
    """An interrupt is ended after the instructions that moved its cause."""
    run.do("ISB")
    run.write("ICC_EOIR1_EL1", interrupt)


@contract(calls=STOP)
def interrupt_start(run):
    """Only the EL2 timer can interrupt, and the counter has the specified frequency."""
    if run.holds(run.entry("CNTFRQ_EL0") != CONSTANT["COUNTER_HZ"]):
        stop_for(run, Message.WRONG_FREQUENCY)
    gicd, gicr = REGION["gicd"].start, REGION["gicr"].start
    waker = gicr + CONSTANT["GICR_WAKER"]
    run.store(gicd + CONSTANT["GICD_CTLR"], 4, CONSTANT["GICD_CTLR_GROUP1_ARE"])
    run.store(waker, 4, words.bits_and(run.load(waker, 4), ~CONSTANT["GICR_WAKER_SLEEP"] & words.mask(32), 32))
    run.wait(waker, 4, lambda value: words.equal(words.bits_and(value, CONSTANT["GICR_WAKER_ASLEEP"], 32), 0, 32))
    run.store(gicr + CONSTANT["GICR_ICENABLER0"], 4, CONSTANT["ALL_INTERRUPTS"])
    run.store(gicr + CONSTANT["GICR_IGROUPR0"], 4, CONSTANT["ALL_INTERRUPTS"])
    run.store(gicr + CONSTANT["GICR_IPRIORITYR"] + CONSTANT["TIMER_INTERRUPT"], 1, CONSTANT["TIMER_PRIORITY"])
    run.store(gicr + CONSTANT["GICR_ISENABLER0"], 4, 1 << CONSTANT["TIMER_INTERRUPT"])
    run.write("ICC_PMR_EL1", CONSTANT["ICC_PMR_OPEN"])
    run.write("ICC_IGRPEN1_EL1", CONSTANT["ICC_GROUP_ENABLE"])
    run.do("ISB")


# ---- devices


def transport(d, name):
    """Return the address of a register of a virtio transport."""
    offset = words.multiply(wide(d, DeviceId), CONSTANT["TRANSPORT_SIZE"], ADDRESS)
    return words.add(offset, REGION["transports"].start + CONSTANT[f"VIRTIO_{name}"], ADDRESS)


def reset(run, d):
    """A device is reset, and says so before anything else happens; else the kernel starts again."""
    run.store(transport(d, "STATUS"), 4, 0)
    if not run.holds(words.equal(run.load(transport(d, "STATUS"), 4), 0, 32)):
        restart_for(run, Message.NOT_RESET)
    run.do("DSB SY")


@contract(calls=RESTART)
def hardware_device_reset(run, d: DeviceId):
    """A device is reset."""
    reset(run, d)


def place_of(d, table, field):
    """Return the physical address of a field of a row that the kernel shares with a device."""
    start = REGION["kernel"].start + offset_of(Kernel, (table, 0, field))
    size = size_of(Kernel.fields[table].element)
    return words.add(words.multiply(wide(d, DeviceId), size, ADDRESS), start, ADDRESS)


def queue_of(kind):
    """Return which queue a kind of device uses."""
    transmits = words.equal(kind, int(DeviceKind.TRANSMITTER), DeviceKind.bits)
    return words.choose(transmits, CONSTANT["VIRTIO_TRANSMITS"], 0, 32)


@contract(follows=("hardware_device_reset",), calls=RESTART)
def hardware_device_start(run, d: DeviceId, kind: DeviceKind):
    """A device is reset, and told the one feature that it needs and where its own queue is, in order; else given up."""

    def tell(name, value, half=0):
        run.store(words.add(transport(d, name), 4 * half, ADDRESS), 4, value)

    reset(run, d)
    status = 0
    for step in ("ACKNOWLEDGE", "DRIVER"):
        status |= CONSTANT[f"VIRTIO_{step}"]
        tell("STATUS", status)
    for select, features in enumerate((0, CONSTANT["VIRTIO_FEATURE_VERSION_1"])):
        tell("FEATURES_SELECT", select)
        tell("FEATURES", features)
    agreed = CONSTANT["VIRTIO_FEATURES_OK"]
    tell("STATUS", status | agreed)
    if run.holds(words.equal(words.bits_and(run.load(transport(d, "STATUS"), 4), agreed, 32), 0, 32)):
        tell("STATUS", CONSTANT["VIRTIO_FAILED"])
        return
    tell("QUEUE_SELECT", queue_of(kind))
    tell("QUEUE_SIZE", QUEUE_SIZE)
    for name, place in (
        ("DESCRIPTORS", place_of(d, "queue", "header")),
        ("AVAILABLE", place_of(d, "queue", "flags")),
        ("USED", place_of(d, "answer", "flags")),
    ):
        for half in (0, 1):
            tell(name, words.extract(place, 32 * half, 32, ADDRESS), half)
    tell("QUEUE_READY", 1)
    tell("STATUS", status | agreed | CONSTANT["VIRTIO_DRIVER_OK"])


@contract()
def hardware_device_publish(run, d: DeviceId):
    """What was stored is there before what is stored next."""
    run.do("DSB SY")


@contract()
def hardware_device_notify(run, d: DeviceId, kind: DeviceKind):
    """A device is told to look at its queue, after all that was stored."""
    run.do("DSB SY")
    run.store(transport(d, "QUEUE_NOTIFY"), 4, queue_of(kind))


@contract()
def hardware_device_observe(run, d: DeviceId):
    """What is read next is read after what was read before."""
    run.do("DSB SY")


@contract(follows=("now",))
def find_device(run, d: DeviceId):
    """A device is found where a modern transport says that there is a block device or a console."""
    for name, wanted in (("MAGIC", "VIRTIO_MAGIC_VALUE"), ("VERSION", "VIRTIO_VERSION_MODERN")):
        if not run.holds(words.equal(run.load(transport(d, name), 4), CONSTANT[wanted], 32)):
            return
    device = run.load(transport(d, "DEVICE"), 4)
    if run.holds(words.equal(device, CONSTANT["VIRTIO_DEVICE_BLOCK"], 32)):
        kind = int(DeviceKind.BLOCK)
    elif run.holds(words.equal(device, CONSTANT["VIRTIO_DEVICE_CONSOLE"], 32)):
        even = words.equal(words.extract(d, 0, 1, DeviceId.bits), 0, 1)
        kind = words.choose(even, int(DeviceKind.TRANSMITTER), int(DeviceKind.RECEIVER), DeviceKind.bits)
    else:
        return
    run.call("device_find", run.kernel, now(run), d, kind)


FOUND = Signature(1, leaves={"kernel": "kernel"})


@contract(calls={"find_device": FOUND})
def find_devices(run):
    """Every transport of the machine is looked at once."""
    for d in range(DEVICES):
        run.outside("find_device", d, widths=(DeviceId.bits,))


# ---- the console, and the end


UART = REGION["uart"].start


def uart(name):
    """Return the address of a PL011 register."""
    return UART + CONSTANT[f"UART_{name}"]


def clear_bit(name):
    """Return a test: is a flag of the PL011 clear?"""
    return lambda value: words.equal(words.bits_and(value, CONSTANT[name], 32), 0, 32)


@contract()
def console_start(run):
    """The PL011 sends 8-bit characters through its FIFO, receives nothing and raises no interrupt."""
    run.store(uart("CR"), 4, 0)
    run.store(uart("IMSC"), 4, 0)
    run.store(uart("LCR_H"), 4, CONSTANT["UART_LCR_8N1_FIFO"])
    run.store(uart("CR"), 4, CONSTANT["UART_CR_TX"])


@contract(counted=True)
def hardware_console_put(run, character: u8):
    """A character is sent once there is room; after a fixed number of looks it is lost, so that the call ends."""
    for _ in range(CONSTANT["UART_LOOKS"]):
        if run.holds(clear_bit("UART_FR_TXFF")(run.load(uart("FR"), 4))):
            run.store(uart("DR"), 4, words.extend(character, 8, 32))
            return


@contract(calls={"power_off": Signature(0, final=True)})
def stop(run, why: Message):
    """The reason is reported and sent before the machine is switched off."""
    run.call("report_say", why)
    run.wait(uart("FR"), 4, clear_bit("UART_FR_BUSY"))
    run.final("power_off")


@contract(follows=("now",), calls=STOP | {"start_again": Signature(0, final=True)})
def restart(run, why: Message):
    """The reason is reported and the log kept before the machine starts again. A kernel without a log stops."""
    if run.holds(words.equal(run.kernel.sequence, 0, ADDRESS)):
        run.final("stop", why, widths=(Message.bits,))
    run.call("report_say", why)
    run.call("kept_keep", run.kernel, now(run), run.whole("information").restarts, run.whole("kept"))
    run.wait(uart("FR"), 4, clear_bit("UART_FR_BUSY"))
    run.final("start_again")


@contract(follows=("console_start",), calls=HALT)
def complain(run):
    """The code writes one line to the console, and no more."""
    console_start(run)
    run.call("report_say", int(Message.WRONG_LEVEL))
    run.final("halt")


@contract(calls=RESTART)
def fault(run, vector: u64, syndrome: u64, address: u64, instruction: u64):
    """A fault of the kernel is reported in this order, then it starts again."""
    run.call("report_tell_fault", vector, syndrome, address, instruction)
    restart_for(run, Message.FAULTED)


# ---- exceptions


def charge(run):
    """The running partition gets a full slice: its share of a quantum."""
    run.variable("charged", successor(run))
    share = words.extend(run.kernel.partition[run.kernel.current].share, 16, ADDRESS)
    timer_start(run, words.multiply(share, CONSTANT["SHARE_TICKS"], ADDRESS))


def successor(run):
    """Return the running partition, counted from 1."""
    return words.add(words.extend(run.kernel.current, PartitionId.bits, 32), 1, 32)


@contract(follows=("timer_start",), calls=STOP)
def resume(run) -> u64:
    """The result is the current partition's context, with its VTTBR_EL2; a slice starts if another one ran before.

    While nobody can run, the processor waits for an interrupt. If nobody will ever run again, it stops.
    """
    if run.holds(run.kernel.idle):
        run.call("schedule_survey", run.kernel)
        run.call("schedule_rotate", run.kernel)
    if run.holds(run.kernel.idle):
        if not run.holds(run.call("schedule_dozes", run.kernel)):
            run.call("report_tell_end", run.kernel)
            stop_for(run, Message.NOBODY)
        run.do("WFI")
        run.wait_for("ISR_EL1", lambda value: words.bits_and(value, CONSTANT["ISR_INTERRUPT"], ADDRESS) != 0)
    if run.holds(words.negate(words.equal(successor(run), run.variable("charged"), 32))):
        charge(run)
    current = run.kernel.current
    run.contexts[current].vttbr_el2 = run.call("hardware_vttbr", run.kernel, current)
    return run.running()


def hypercall(run, caller):
    """The call is in x0 to x6 of the caller, the answer in x0 to x3; nothing else of the caller changes."""
    run.variable("waited", 0)
    call = run.local(Call)
    call.now, call.operation = now(run), caller.x[0]
    for number in range(CONSTANT["ARGUMENTS"]):
        call.argument[number] = caller.x[number + 1]
    caller.x[0] = words.extend(run.call("gate_dispatch", run.kernel, call), 8, ADDRESS)
    for number in range(CONSTANT["RESULTS"]):
        caller.x[number + 1] = call.result[number]


def wait(run, caller):
    """The processor goes to the next partition in turn.

    If it went round once and every partition did nothing but wait, it waits for the end of the slice.
    """
    first = run.variable("waited")
    whole_round = run.holds(words.equal(first, successor(run), 32))
    run.variable("waited", words.choose(words.equal(first, 0, 32), successor(run), first, 32))
    caller.elr_el2 = words.add(caller.elr_el2, CONSTANT["INSTRUCTION_SIZE"], ADDRESS)
    run.call("schedule_wait", run.kernel)
    if whole_round:
        run.do("WFI")


def contain(run, syndrome, address):
    """The running partition is stopped for what it did. After a fault of root the kernel starts again."""
    run.variable("waited", 0)
    run.call("action_contain", run.kernel, now(run), syndrome, address)
    if run.holds(words.equal(run.kernel.current, ROOT, PartitionId.bits)):
        restart_for(run, Message.ROOT_FAULTED)


def synchronous(run, caller):
    """HVC #0 is a call, WFI and WFE give up the processor, and everything else is contained."""
    syndrome = run.entry("ESR_EL2")
    class_ = words.bits_and(
        words.shift_right(syndrome, CONSTANT["ESR_EC_SHIFT"], ADDRESS), CONSTANT["ESR_EC_MASK"], ADDRESS
    )
    immediate = words.bits_and(syndrome, CONSTANT["ESR_IMMEDIATE_MASK"], ADDRESS)
    if run.holds(z3.And(class_ == CONSTANT["EC_HVC64"], immediate == 0)):
        hypercall(run, caller)
    elif run.holds(class_ == CONSTANT["EC_WFX"]):
        wait(run, caller)
    else:
        abort = z3.Or(class_ == CONSTANT["EC_INSTRUCTION_ABORT"], class_ == CONSTANT["EC_DATA_ABORT"])
        address = run.entry("FAR_EL2") if run.holds(abort) else caller.elr_el2
        contain(run, syndrome, address)


def interrupt(run):
    """The timer ends a slice; a spurious interrupt changes nothing; no other interrupt is enabled."""
    number = interrupt_accept(run)
    if run.holds(z3.UGE(number, CONSTANT["SPECIAL_INTERRUPTS"])):
        return
    if run.holds(number != CONSTANT["TIMER_INTERRUPT"]):
        restart_for(run, Message.STRANGE_INTERRUPT)
    run.variable("waited", 0)
    run.call("action_preempt", run.kernel, now(run))
    charge(run)
    interrupt_finish(run, number)


@contract(
    follows=("now", "interrupt_accept", "interrupt_finish", "timer_start", "resume"),
    calls=STOP | RESTART,
    points={"x0": "context"},
)
def trap(run, context: u64, cause: u64) -> u64:
    """An exception of the running partition becomes the model step that it means; the current partition goes on."""
    caller = run.contexts[run.kernel.current]
    if run.holds(cause == CONSTANT["CAUSE_FIQ"]):
        restart_for(run, Message.STRANGE_FIQ)
    if run.holds(cause == CONSTANT["CAUSE_SERROR"]):
        restart_for(run, Message.STRANGE_ERROR)
    if run.holds(z3.And(run.kernel.idle, cause != CONSTANT["CAUSE_IRQ"])):
        restart_for(run, Message.AWAKE)
    if run.holds(words.bits_and(caller.spsr_el2, CONSTANT["SPSR_AARCH32"], ADDRESS) != 0):
        contain(run, CONSTANT["EC_ILLEGAL_STATE"] << CONSTANT["ESR_EC_SHIFT"], caller.elr_el2)
    elif run.holds(cause == CONSTANT["CAUSE_IRQ"]):
        interrupt(run)
    else:
        synchronous(run, caller)
    return resume(run)


# ---- entry and exit


def saved():
    """Yield `(register, field of a context)` for every register that a partition shares with the others."""
    for number in range(31):
        yield f"X{number}", lambda context, number=number: context.x[number]
    general, pairs, vector = platform.saved_registers()
    for register in [register for pair in pairs for register in pair]:
        yield register.name, lambda context, name=register.name.lower(): getattr(context, name)
    for number in range(32):
        yield (
            f"Q{number}",
            lambda context, number=number: words.concat(
                [(context.q[2 * number], ADDRESS), (context.q[2 * number + 1], ADDRESS)]
            ),
        )


def save(run):
    """The registers' values become the context of the running partition."""
    context = run.contexts[run.kernel.current]
    for number in range(31):
        context.x[number] = run.entry(f"X{number}")
    for pair in platform.saved_registers()[1]:
        for register in pair:
            setattr(context, register.name.lower(), run.entry(register.name))
    for number in range(32):
        vector = run.entry(f"Q{number}")
        context.q[2 * number], context.q[2 * number + 1] = (
            words.extract(vector, 0, ADDRESS, 128),
            words.extract(vector, ADDRESS, ADDRESS, 128),
        )


def permitted(spsr):
    """Return an SPSR that returns to AArch64 EL1 or EL0 only: M is 0b0000, 0b0100 or 0b0101."""
    kept = words.bits_and(spsr, platform.SPSR_KEPT.value, ADDRESS)
    m0, m2 = (words.extract(kept, bit, 1, ADDRESS) for bit in (0, 2))
    return words.concat([(words.bits_and(m0, m2, 1), 1), (words.extract(kept, 1, ADDRESS - 1, ADDRESS), ADDRESS - 1)])


def leave(run):
    """The registers hold the running partition's context, with PSTATE sanitized and its own VTTBR_EL2."""
    context = run.contexts[run.kernel.current]
    written = run.writes()
    expected = {register.name for pair in platform.saved_registers()[1] for register in pair} | {"VTTBR_EL2"}
    run.must(set(written) == expected, "exactly the registers of a context are written")
    run.do("DSB ISHST", "ERET")
    for name, value in saved():
        wanted = permitted(context.spsr_el2) if name == "SPSR_EL2" else value(context)
        run.equal(run.now(name), wanted, f"{name} at the return", 128 if name.startswith("Q") else ADDRESS)
    run.equal(run.now("VTTBR_EL2"), context.vttbr_el2, "VTTBR_EL2 at the return")
    run.equal(run.now("SP"), run.running(), "SP_EL2 at the return")


for cause, vector in CAUSES.items():

    @contract(
        symbol="vectors",
        name=f"vectors[{vector}]",
        convention=NAKED,
        offset=vector * CONSTANT["VECTOR_SIZE"],
        follows=("save_context", "restore_context"),
        calls={"trap": Signature(2, changes=True)},
        points={"sp": "context"},
    )
    def exception(run, number=CONSTANT[f"CAUSE_{cause}"]):
        """An exception saves a partition's registers, runs trap() on the kernel's stack and loads the chosen one's."""
        save(run)
        run.outside("trap", run.entry("sp"), number, stack=REGION["stack"].end)
        leave(run)


for vector in sorted(set(range(16)) - set(CAUSES.values())):

    @contract(
        symbol="vectors",
        name=f"vectors[{vector}]",
        convention=NAKED,
        offset=vector * CONSTANT["VECTOR_SIZE"],
        follows=("kernel_fault",),
        calls={"fault": Signature(4, final=True)} | HALT,
    )
    def kernel_exception(run, number=vector):
        """A kernel fault is reported once, on a stack of its own; a fault during the report stops without a word."""
        if run.holds(run.entry("TPIDR_EL2") != 0):
            run.final("halt")
        run.write("TPIDR_EL2", 1)
        run.write("SPSEL", 1)
        run.final(
            "fault",
            number,
            *(run.entry(name) for name in ("ESR_EL2", "FAR_EL2", "ELR_EL2")),
            stack=REGION["last_stack"].end,
        )


@contract(convention=NAKED, calls=HALT)
def halt(run):
    """All of PSTATE.DAIF is masked, for ever."""
    run.write("DAIF", words.bits_or(run.entry("DAIF"), MASKED, ADDRESS))
    run.do("WFI")
    run.final("halt")


@contract(calls=HALT)
def power_off(run):
    """PSCI is asked to switch the machine off."""
    run.effect("do", "SMC 0X0", CONSTANT["PSCI_SYSTEM_OFF"], widths=(32,))
    run.final("halt")


@contract(calls=HALT)
def start_again(run):
    """PSCI is asked to start the machine again, after all that was stored."""
    run.do("DSB SY")
    run.effect("do", "SMC 0X0", CONSTANT["PSCI_SYSTEM_RESET"], widths=(32,))
    run.final("halt")


# ---- the beginning


LEFT_ALONE = ("secret", "kept")  # objects that are not cleared: what the host or the last kernel left there


@contract(
    convention=NAKED,
    follows=("wrong_level", "restore_context"),
    clears=True,
    calls={"power_on": Signature(0, changes=True), "complain": Signature(0, final=True)},
)
def start(run):
    """At EL2, all specified registers are set one by one and kernel memory is zeroed; then the first partition runs."""
    run.write("DAIF", words.bits_or(run.entry("DAIF"), MASKED, ADDRESS))
    if run.holds(run.entry("CURRENTEL") != CONSTANT["CURRENT_EL2"]):
        run.final("complain", stack=REGION["last_stack"].end)
    image = run.machine.image
    tables = [("VBAR_EL2", image.labels["vectors"]), ("TTBR0_EL2", image.labels["translation_root"])]
    run.must(image.labels["vectors"] % CONSTANT["VECTORS_SIZE"] == 0, "the vectors are aligned")
    for name, value in [*((register.name, register.value) for register in platform.BOOT_REGISTERS), *tables]:
        run.write(name, value)
        run.do("ISB")
    run.do("TLBI ALLE2", "TLBI ALLE1", "IC IALLU", "DSB NSH", "ISB")
    run.write("SCTLR_EL2", platform.SCTLR_EL2.value)
    run.do("ISB")
    run.write("SPSEL", 1)
    for first, last in (
        (image.labels["bss_start"], image.labels["bss_end"]),
        (REGION["kernel"].start, REGION["kernel"].end),
    ):
        run.effect("zero", f"{first:#x}", last)
    for name in run.machine.objects:
        if name not in LEFT_ALONE:
            run.clear(name)
    run.outside("power_on", stack=REGION["stack"].end)
    leave(run)


def registers_held(run):
    """Yield what the measured registers hold, in their order."""
    for register in BOOT:
        yield run.read(register.name) if register.name in INTERRUPT_CONTROLLER.values() else run.entry(register.name)


def pages(run, name):
    """Return the number of pages between the labels of a part of the image."""
    labels = run.machine.image.labels
    size = labels[f"{name}_end"] - labels[f"{name}_start"]
    run.must(labels[f"{name}_start"] % memory_map.PAGE == size % memory_map.PAGE == 0, f"{name} is whole pages")
    return size // memory_map.PAGE


def take_package(run, information):
    """The kernel stops if the boot package has no good header."""
    fault = run.call("package_accept", run.whole("header"), information)
    if run.holds(fault != int(PackageFault.NONE)):
        stop_for_any(run, run.call("report_refusal", fault))


def take_kept(run, information):
    """What the last kernel left is judged and told; the kernel stops if it was started again too often."""
    kept = run.whole("kept")
    standing = run.call("kept_take", information, kept)
    run.call("report_tell_kept", kept, standing)
    if run.holds(words.equal(standing, int(Standing.EXHAUSTED), Standing.bits)):
        stop_for(run, Message.EXHAUSTED)


def stop_for_any(run, why):
    """The kernel stops for a reason that it computed."""
    run.final("stop", encoded(why, Message), widths=(Message.bits,))


def measure(run, information, keyed):
    """The seven phases are measured in their order; interrupts are set up once the code that does so is measured."""

    def part(phase, name):
        run.call("measure_pages", information, phase, run.whole(name), pages(run, name))

    part(0, "text")
    interrupt_start(run)
    registers = run.whole("registers")
    for position, value in enumerate(registers_held(run)):
        registers[position] = value
    run.call("measure_words", information, 1, registers)
    part(2, "translation")
    part(3, "rodata")
    started = words.extend(encoded(keyed, boolean), 8, ADDRESS)
    run.call("kept_measure_start", information, memory_map.START_PHASE, started, run.whole("kept"))
    run.call("measure_pair", information, 5, run.entry("CNTFRQ_EL0"), CONSTANT["SHARE_TICKS"])
    run.call("measure_root", information, PHASES - 1, run.whole("package"))


@contract(
    follows=("console_start", "interrupt_start", "now", "hardware_partition_reset_context", "timer_start", "resume"),
    calls=STOP
    | {
        "check_invariants": Signature(2, returns=boolean, leaves={"violation": "found"}),
        "find_devices": Signature(0, leaves={"kernel": "kernel"}),
    },
)
def power_on(run) -> u64:
    """What was given and kept is taken, all is measured and told, boot's state is made and checked; root runs."""
    information, violation = run.whole("information"), run.whole("violation")
    console_start(run)
    keyed = run.call("measure_take_secret", information, run.whole("secret"))
    take_kept(run, information)
    take_package(run, information)
    measure(run, information, keyed)
    run.call("report_tell_measurements", information)
    run.call("report_tell_key", keyed)
    run.call("measure_unpack", run.kernel, information, run.whole("package"))
    information.now = now(run)
    run.call("boot", run.kernel, information)
    run.call("measure_forget_key", information)
    hardware_partition_reset_context(run, ROOT, GUEST_BASE)
    run.outside("find_devices")
    if not run.holds(run.outside("check_invariants", run.address("kernel"), run.address("violation"))):
        run.call("report_tell_violation", violation.number)
        stop_for(run, Message.BROKEN_STATE)
    run.call("report_say", int(Message.INVARIANTS_HOLD))
    run.call("report_tell_number", int(Message.TICKS), run.read("CNTPCT_EL0"))
    return resume(run)
