"""What does the code around the model do? Assembly and C run like a model function, with effects on the hardware.

The objects are the kernel, the contexts of the partitions and the platform's own variables, each at its place in the
image. Writes of system registers, barriers, TLB maintenance and accesses of devices are effects: their order counts.
"""

from dataclasses import dataclass
from typing import Any

import z3

from corollary.codegen import checks
from corollary.codegen.declarations import leaf_name
from corollary.language.layout import size_of
from corollary.language.reads import remembered
from corollary.language.types import Table, u32
from corollary.proofs import bits
from corollary.proofs.footprint import leaves
from corollary.proofs.machine import instructions, words
from corollary.proofs.machine.calls import forget
from corollary.proofs.machine.convention import (
    ARGUMENTS,
    CALL,
    EXCEPTION_RETURN,
    FUNCTION,
    GENERAL,
    LAST_CALL,
    RESULT,
    SP,
    TAIL_CALL,
    VECTORS,
)
from corollary.proofs.machine.execute import FunctionCode
from corollary.proofs.machine.lift import SIZE, NotAllowed, instruction, registers
from corollary.proofs.machine.memory import ADDRESS, BYTE, Linear, encoded, linear, same_type
from corollary.proofs.machine.processor import Registers, bytes_of, general, register_name, vectors
from corollary.proofs.machine.summary import named
from corollary.proofs.symbolic import TOP, Executor, Reference, Store, belongs
from corollary.spec.kernel import memory_map, platform
from corollary.spec.kernel.kept import Kept
from corollary.spec.kernel.package import PackageHeader
from corollary.spec.kernel.state import BootInformation, Kernel, PartitionId

REGION = {region.name: region for region in memory_map.REGIONS}
DEVICES = [region for region in memory_map.REGIONS if region.kind == "device"]
VOLATILE = {"CNTPCT_EL0", "ISR_EL1"}  # holds something else each time it is read
STATUS = ("cnthp_ctl_el2", "cntv_ctl_el0")  # these may, too: they tell whether a timer fired
HARDWARE = ("DataSynchronizationBarrier", "InstructionSynchronizationBarrier", "WaitForInterrupt", "CallSecureMonitor")
MAINTENANCE = ("TLBI_", "IC_", "DC_")  # prefixes of operation names
INTERRUPT_CONTROLLER = {
    encoding: name for name, (_, encoding) in instructions.system_registers().items() if name.lower() not in registers()
}
"""The registers that SLEIGH knows only by their encoding: those of GICv3."""
PSTATE = ("spsel", "daif")  # what MSR with an immediate writes
GIVES_BACK = "restore_context"
"""Only code that runs into this may touch vector registers.

They belong to the partitions, and this code's contract compares all of them with the context.
"""


@remembered
def system():
    """Return the place of every system register that some instruction names, by its name."""
    names = (*(name.lower() for name in instructions.system_registers()), *PSTATE)
    return {name: registers()[name] for name in names if name in registers()}


@remembered
def all_bytes():
    """Return the bytes of all registers that platform code may read or change."""
    return general() | vectors() | bytes_of(system())


def objects(image):
    """Return `(address, type)` by name, for what platform code shares with the model and for its own variables."""
    own = {
        "contexts": Table[PartitionId, platform.Context],
        "charged": u32,
        "waited": u32,
        "information": BootInformation,
        "registers": memory_map.Words,
        "violation": checks.Violation,
    }
    placed = {"kernel": Kernel, "secret": memory_map.Secret, "kept": Kept}
    return {name: (REGION[name].start, type_) for name, type_ in placed.items()} | {
        name: (image.labels[name], type_) for name, type_ in own.items()
    }


def constants(image):
    """Return `(address, type)` by name, for what no kernel code can write, as model functions receive it.

    All of it is mapped. Raises `NotAllowed` if something is not mapped, or not for reading only.
    """
    parts = {name: (image.labels[f"{name}_start"], memory_map.Parts) for name in ("text", "translation", "rodata")}
    found = parts | {
        "package": (REGION["package"].start, memory_map.Parts),
        "header": (REGION["package"].start, PackageHeader),
    }
    for name, (start, type_) in found.items():
        if not any(
            region.kind in ("code", "constant") and region.start <= start and start + size_of(type_) <= region.end
            for region in memory_map.REGIONS
        ):
            raise NotAllowed(f"{start:#x}: {name} is not mapped, or not for reading only")
    return found


@dataclass
class Loop:
    """A loop of machine code: its first and last instruction, and what it writes."""

    first: int
    last: int
    writes: frozenset  # registers
    calls: bool
    stores: bool
    acts: bool  # does it act on the hardware?


@dataclass(frozen=True)
class Wait:
    """Any round of a loop that asks for something until it holds."""

    last: int  # instruction of the loop
    events: int  # how many there were before the round


@dataclass(frozen=True)
class Round:
    """Any round of a counting loop."""

    first: int  # instruction of the loop
    counter: str  # register
    number: Any  # in the counter, below `end`
    end: int
    events: int  # how many there were before
    kept: dict  # register -> value, for those that no round changes
    heads: dict  # of memory, which no round changes


@remembered
def loops(image, symbol):
    """Return the loops of a function, by their first instruction."""
    code = {address: instruction(image.read(address, SIZE), address) for address in image.code(symbol)}
    found = {}
    for address, each in code.items():
        for operation in each.operations:
            if (
                operation.name in ("BRANCH", "CBRANCH")
                and operation.inputs[0].space == "ram"
                and symbol.address <= operation.inputs[0].offset <= address
            ):
                first = operation.inputs[0].offset
                if leads_to(code, first, address):
                    found[first] = loop([code[inner] for inner in range(first, address + SIZE, SIZE)], first, address)
    return found


def leads_to(code, first, last):
    """May one instruction of a function be followed, at some point, by another?

    A branch back makes no loop if its target never leads to the branch again.
    """
    seen, pending = set(), [first]
    while pending:
        at = pending.pop()
        if at in code and at not in seen:
            seen.add(at)
            names = {operation.name for operation in code[at].operations}
            pending += [
                operation.inputs[0].offset
                for operation in code[at].operations
                if operation.name in ("BRANCH", "CBRANCH")
            ]
            pending += [] if names & {"BRANCH", "BRANCHIND", "RETURN"} else [at + SIZE]
    return last in seen


def loop(body, first, last):
    """Return a loop, with what its instructions show."""
    operations = [operation for each in body for operation in each.operations]
    written = {
        operation.output
        for operation in operations
        if operation.output is not None and operation.output.space == "register"
    }
    names = {register_name(node) for node in written if node.offset in general()}
    acts = any(map(is_hardware, operations)) or any(node.offset not in general() for node in written)
    kinds = {operation.name for operation in operations}
    return Loop(first, last, frozenset(names), "CALL" in kinds, "STORE" in kinds, acts)


def is_hardware(operation):
    """Is a p-code operation a barrier, maintenance, or something else outside registers and memory?"""
    return operation.name in HARDWARE or operation.name.startswith(MAINTENANCE)


@dataclass
class Effect:
    """Something that the hardware was told or asked, or a call of a function outside the proof."""

    number: int
    kind: str  # read, write, do, load, store, call, zero, goes
    name: str
    values: tuple
    result: Any = None
    heap: Store | None = None  # what memory held before a call
    left: Store | None = None  # what a call left that may change everything
    registers: Registers | None = None
    on_stack: bool = True  # is SP on the caller's own stack, or does nothing rely on SP?
    has_effect = True
    function = None
    leaf = False

    @property
    def is_call(self):
        """Did other code run?"""
        return self.kind == "call"

    @property
    def callee(self):
        """Return the symbol of the code that was called, if any."""
        return self.name


class Platform(FunctionCode):
    """Assembly or C of the platform, on all registers and all contents of memory.

    `contract` says where it begins, which other code it runs into as if it were its own (`follows`), and which
    functions outside the proof it calls (`calls`).
    """

    uses = frozenset({instructions.GENERAL, instructions.SYSTEM})

    def __init__(self, image, contract):
        self.contract, self.convention = contract, contract.convention
        super().__init__(image, contract.function)
        self.symbol = contract.symbol(image)
        self.objects = objects(image)
        self.constants = constants(image)
        self.roots |= {name: type_ for name, (_, type_) in (self.objects | self.constants).items()}
        self.store.symbolic = frozenset(self.roots)
        self.store.shared["roots"] = dict(self.roots)
        self.followed = [image.functions[name] for name in contract.follows]
        if GIVES_BACK in contract.follows:
            self.uses |= {instructions.PAIR}

    # ---- the beginning

    def start(self):
        """Return the state at the entry: every register holds anything."""
        thread = super().start()
        thread.registers.only = all_bytes()
        for name in (*GENERAL, *VECTORS, *system()):
            node = registers()[name]
            if (node.space, node.offset) not in thread.registers.pieces:
                self.entry[name] = z3.BitVec(f"{name}@entry", BYTE * node.size)
                thread.registers[node] = self.entry[name]
        for register, object_ in self.contract.points.items():
            thread.registers[registers()[register]] = self.entry[register] = (
                self.running(thread.heap) if object_ == "context" else object_
            )
        return thread

    def relies_on(self, item):
        """Is a parameter of a contract passed? All are, as contracts compare all that they pass."""
        return True

    def running(self, heap):
        """Return the address of the running partition's context."""
        current = heap.read(Reference("kernel", ("current",), (), PartitionId), [], TOP)
        start, type_ = self.objects["contexts"]
        return words.add(
            words.multiply(words.extend(current, PartitionId.bits, ADDRESS), size_of(type_.element), ADDRESS),
            start,
            ADDRESS,
        )

    # ---- where control goes

    def inside(self, address):
        """Is an address one of its own instructions, or in code that it runs into?"""
        return super().inside(address) or any(symbol.address <= address < symbol.end for symbol in self.followed)

    def step(self, thread):
        """Run one instruction.

        A loop that only waits or only asks runs once, for any round. A loop that clears memory runs as its effect.
        """
        if not self.inside(thread.pc):
            return self.jump(thread, thread.pc)
        here = self.around(thread.pc)  # a loop is not left where a round of it calls other code
        thread.waiting = {
            first: wait
            for first, wait in thread.waiting.items()
            if first <= thread.pc <= wait.last or self.around(first) is not here
        }
        found = self.loop(thread.pc)
        if found is not None and found.stores and self.contract.clears:
            self.clear(thread, found)
        elif found is not None and not found.stores and not found.acts and not self.contract.counted:
            again, counts = thread.pc in thread.waiting, self.counts(found)
            if counts:
                thread.bounded = False
                self.count(thread, found, again)
            if again:
                thread.again = thread.again or thread.waiting[thread.pc]
                thread.ended, thread.pc = "again", None
                return None
            thread.waiting[thread.pc] = Wait(found.last, len(thread.events))
            if not counts:
                thread.registers.drop(found.writes)
        return super().step(thread)

    def counts(self, found):
        """Does a loop go through numbers? It does if it calls anything, or if the contract says where it ends."""
        return found.calls or self.around(found.first).name in self.contract.ends

    def count(self, thread, found, again):
        """Enter a loop that asks for each of some numbers from 0 on, or go on with the next number.

        The loop is entered with any of the numbers.
        """
        if again:
            this = next(one for one in thread.rounds if one.first == found.first)
            following = words.add(words.extend(this.number, 32, ADDRESS), 1, ADDRESS)
            thread.oblige(
                words.equal(thread.registers.named(this.counter), following, ADDRESS),
                "a loop goes on with the next number",
            )
            thread.oblige(words.less(following, this.end, ADDRESS), "a loop goes on below its end only")
            kept = all(words.same(thread.registers.named(name), value) for name, value in this.kept.items())
            if (
                not kept
                or thread.heap.heads != this.heads
                or any(event.has_effect for event in thread.events[this.events :])
            ):
                raise NotAllowed(f"{found.first:#x}: a round of this loop changes something")
            thread.again = this
            return
        holding, lost = (FUNCTION.preserved, FUNCTION.lost) if found.calls else (GENERAL, ())
        counters = [
            name for name in sorted(found.writes) if name in holding and words.known(thread.registers.named(name))
        ]
        if len(counters) != 1 or thread.registers.named(counters[0]) != 0:
            raise NotAllowed(f"{found.first:#x}: nobody knows what this loop counts")
        number, bound = self.anything("round", 32), self.end(found.first)
        self.solver.add(z3.ULT(number, bound))
        thread.registers.drop(found.writes | set(lost))
        thread.registers[registers()[counters[0]]] = words.extend(number, 32, ADDRESS)
        kept = {name: thread.registers.named(name) for name in holding if name not in found.writes}
        thread.rounds.append(
            Round(found.first, counters[0], number, bound, len(thread.events), kept, dict(thread.heap.heads))
        )

    def end(self, address):
        """Return the number at which a loop ends: the contract has it by function and position among its loops."""
        symbol = self.around(address)
        return self.contract.ends[symbol.name][sorted(loops(self.image, symbol)).index(address)]

    def around(self, address):
        """Return the symbol of the code that an instruction lies in."""
        return next(symbol for symbol in (self.symbol, *self.followed) if symbol.address <= address < symbol.end)

    def loop(self, address):
        """Return the loop that begins at an address, or None."""
        for symbol in (self.symbol, *self.followed):
            if symbol.address <= address < symbol.end:
                return loops(self.image, symbol).get(address)
        return None

    def jump(self, thread, target):
        """Go on elsewhere; in code that it does not run into, for good."""
        if self.inside(target) and target != self.symbol.address:
            thread.pc = target
            return None
        return super().jump(thread, target)

    def call(self, thread, target, tail=False):
        """Call another function: a followed one, one outside the proof, or one of the model."""
        name = self.name(target)
        if self.inside(target) and target != self.symbol.address:
            thread.pc = target - SIZE
        elif name in self.contract.calls:
            self.outside(thread, name, self.contract.calls[name], tail)
        else:
            super().call(thread, target, tail)

    def havoc(self, thread, event):
        """Let whatever the callee may write hold anything, also what the assembly behind it may change."""
        super().havoc(thread, event)
        self.changed(event, thread.heap)

    def changed(self, event, heap):
        """Let the platform objects that the callee of an event may change hold what it left."""
        for root in self.contract.changed(event.function):
            for _, path in self.fields(root):
                forget(heap, Reference(root, (), (), self.roots[root]), path, event.left(root, path))

    def fields(self, root):
        """Return the scalar fields of an object: `(root, path)`."""
        return [(root, path) for path in leaves(self.roots[root])]

    def is_leaf(self):
        """Do functions of the model rest on this code?"""
        return self.contract.name in {leaf_name(function) for function in named().values() if function.hardware}

    def may_call(self, function):
        """May this code call a model function? Leaves may not; all other platform code may."""
        return not self.is_leaf()

    def outside(self, thread, name, signature, tail):
        """Record a call of a function outside this proof. It may leave anything where its signature says so."""
        arguments = tuple(thread.registers.named(name) for name in ARGUMENTS[: signature.arguments])
        effect = self.effect(thread, "call", name, arguments)
        effect.heap, effect.registers = thread.heap.fork(), thread.registers.fork()
        if self.contract.stands(name):
            self.obey(thread, LAST_CALL if signature.final else TAIL_CALL if tail else CALL)
            effect.on_stack = self.depth(thread) is not None
        if self.depth(thread) is not None:
            self.abandon(thread)
        if signature.final:
            thread.ended, thread.pc = "final", None
            return
        thread.registers.drop(FUNCTION.lost)
        changed = self.objects if signature.changes else signature.leaves
        for root in changed:
            for path in leaves(self.roots[root]):
                forget(
                    thread.heap,
                    Reference(root, (), (), self.roots[root]),
                    path,
                    f"{name}@{effect.number}.{root}.{'.'.join(path)}",
                )
        effect.left = thread.heap.fork() if changed else None
        if signature.changes:
            thread.registers[registers()[RESULT]] = self.running(thread.heap)
        if signature.returns is not None:
            effect.result = z3.Const(f"{name}@{effect.number}", bits.sort(signature.returns))
            self.assume(belongs(effect.result, signature.returns))
            width = BYTE * signature.returns.storage
            thread.registers[registers()[RESULT]] = words.concat(
                [(encoded(effect.result, signature.returns), width), *self.garbage(ADDRESS - width)]
            )

    def leave(self, thread, target):
        """Return into code that made a call, or from the whole function."""
        if words.known(target) and self.inside(target):
            thread.pc = target
            return None
        return super().leave(thread, target)

    # ---- effects on the hardware

    def effect(self, thread, kind, name, values=(), result=None):
        """Record an effect."""
        made = Effect(len(thread.events), kind, name, tuple(values), result)
        thread.events.append(made)
        return made

    def run(self, thread, code):
        """Run one instruction; an exception return ends the path."""
        self.code = code
        if code.mnemonic == "eret":
            self.obey(thread, EXCEPTION_RETURN)
            self.effect(thread, "do", "ERET")
            thread.ended, thread.pc = "eret", None
            return None
        return super().run(thread, code)

    def put(self, thread, operation, skip):
        """Evaluate an operation; one with a meaning outside registers and memory is an effect."""
        if is_hardware(operation):
            values = [thread.registers[node] for node in operation.inputs if node.space == "register"]
            if operation.name == "CallSecureMonitor":
                values = [words.extract(thread.registers.named("x0"), 0, 32, ADDRESS)]
            self.effect(thread, "do", self.code.text.split(",")[0].upper(), values)
        elif operation.name in ("UnkSytemRegRead", "UnkSytemRegWrite"):
            self.interrupt_controller(thread, operation)
        elif (
            operation.output is not None
            and operation.output.space == "register"
            and operation.output in system().values()
        ):
            super().put(thread, operation, skip)
            name = register_name(operation.output).upper()
            self.effect(thread, "write", name, [thread.registers[operation.output]])
            if name == "SPSEL":
                thread.registers.drop([SP])
            if name.lower() in STATUS:
                thread.stale[name.lower()] = True
        else:
            for node in operation.inputs:
                if node in system().values() and register_name(node).upper() in VOLATILE:
                    thread.registers[node] = self.effect(
                        thread, "read", register_name(node).upper(), (), self.anything("read", ADDRESS)
                    ).result
            for name in [name for name in STATUS if system()[name] in operation.inputs]:
                if name in thread.stale:
                    thread.registers[system()[name]] = self.anything("status", ADDRESS)
                thread.stale[name] = True
            super().put(thread, operation, skip)

    def interrupt_controller(self, thread, operation):
        """Record an access of a register that SLEIGH knows only by its encoding."""
        encoding = tuple(node.offset for node in operation.inputs[:5])
        if encoding not in INTERRUPT_CONTROLLER:
            raise NotAllowed(f"{thread.pc:#x}: {self.code.text} names no register that is known")
        if operation.name == "UnkSytemRegRead":
            effect = self.effect(thread, "read", INTERRUPT_CONTROLLER[encoding], (), self.anything("read", ADDRESS))
            thread.registers[operation.output] = effect.result
        else:
            self.effect(thread, "write", INTERRUPT_CONTROLLER[encoding], [thread.registers[operation.inputs[5]]])

    # ---- memory

    def base(self, thread, address):
        """Return what an address is relative to: also one of the objects at their places in the image."""
        found, offset, rest = super().base(thread, address)
        if found is None:
            for name, (start, type_) in self.objects.items():
                if start <= offset < start + size_of(type_):
                    return name, offset - start, rest
        return found, offset, rest

    def pointed(self, thread, word, type_):
        """Return the object that a pointer leads to: also one of the constants.

        Code gets a constant whole, and reads it only through functions of the model.
        """
        for name, (start, its) in self.constants.items():
            if words.known(word) and word == start and same_type(its, type_):
                return Reference(name, (), (), its)
        return super().pointed(thread, word, type_)

    def load(self, thread, address, size):
        name = self.device(thread, address, size)
        if name is None:
            return super().load(thread, address, size)
        return self.effect(thread, "load", name, (size, whole(address)), self.anything("device", BYTE * size)).result

    def save(self, thread, address, size, value):
        if thread.clearing is not None:
            thread.clearing.append((address, size, value))
            return
        name = self.device(thread, address, size)
        if name is None:
            super().save(thread, address, size, value)
        else:
            self.effect(thread, "store", name, (size, value, whole(address)))

    def device(self, thread, address, size):
        """Return the name of the device that is reached at an address, None for memory."""
        root, _, rest = self.base(thread, address)
        return None if root is not None else self.device_at(whole(address), size)

    def device_at(self, address, size):
        """Return what is surely reached there: a device's register, or one of a device's; None for memory."""
        if words.known(address):
            return next((f"{address:#x}" for region in DEVICES if region.start <= address < region.end), None)
        return next(
            (
                region.name
                for region in DEVICES
                if self.certain(z3.And(z3.ULE(region.start, address), z3.ULE(address, region.end - size)))
            ),
            None,
        )

    # ---- loops that clear memory from x0 up to x1

    def clear(self, thread, found):
        """Show that any round stores zeros at x0 and goes on behind them, so that all up to x1 is zero in the end."""
        first, last = (thread.registers.named(name) for name in ("x0", "x1"))
        if not (words.known(first) and words.known(last)) or first % 16 or last % 16 or first > last:
            raise NotAllowed(f"{thread.pc:#x}: nobody knows from where to where this loop clears")
        if first == last:
            return
        thread.bounded = False
        at, x0 = self.anything("at", ADDRESS), registers()["x0"]
        a_round = thread.fork()
        a_round.registers[x0], a_round.clearing = at, []
        self.solver.push()
        self.solver.add(z3.ULE(first, at), z3.ULT(at, last), z3.Extract(3, 0, at) == 0)
        self.one_round(a_round, found)
        asked = a_round.obligations[len(thread.obligations) :]
        wrong = [what for condition, what in asked if not self.certain(condition)]
        self.solver.pop()
        if wrong:
            raise NotAllowed(wrong[0])
        zeros = sorted(
            (address.constant, size)
            for address, size, value in a_round.clearing
            if value == 0 and address.parts == linear(at).parts
        )
        moved = linear(a_round.registers.named("x0")) == Linear(16, linear(at).parts)
        if (
            zeros != [(0, 8), (8, 8)]
            or len(zeros) != len(a_round.clearing)
            or not moved
            or len(a_round.events) != len(thread.events)
        ):
            raise NotAllowed(f"{found.first:#x}: a round of this loop does not clear 16 bytes and go on behind them")
        thread.registers.drop(found.writes)
        thread.registers[x0] = last
        thread.registers[registers()["x1"]] = last
        self.effect(thread, "zero", f"{first:#x}", (last,))
        for name, (start, type_) in self.objects.items():
            if first <= start and start + size_of(type_) <= last:
                Executor(thread.heap).clear(Reference(name, (), (), type_), TOP)

    def certain(self, condition):
        """Does a condition hold on this path?"""
        self.solver.push()
        self.solver.add(words.condition(words.negate(condition)))
        possible = self.possible()
        self.solver.pop()
        return not possible

    def one_round(self, thread, found):
        """Run once through a loop, which must not be left meanwhile."""
        if "x1" in found.writes:
            raise NotAllowed(f"{found.first:#x}: the loop changes its own end")
        while True:
            fork = super().step(thread)
            if fork is not None:
                condition, _ = fork
                self.solver.push()
                self.solver.add(condition)
                if self.possible():
                    raise NotAllowed(f"{thread.pc:#x}: the loop may be left early")
                self.solver.pop()
                thread.pc += SIZE
            if thread.pc == found.first:
                return
            if thread.pc is None or not found.first <= thread.pc <= found.last:
                raise NotAllowed(f"{found.first:#x}: the loop is left for {thread.pc}")


def whole(address):
    """Return an address that was taken apart as one word."""
    total = address.constant
    for factor, word in address.parts.values():
        total = words.add(words.multiply(word, factor & words.mask(ADDRESS), ADDRESS), total, ADDRESS)
    return total
