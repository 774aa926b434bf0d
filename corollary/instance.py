"""How does a module run? An instance has the state, and every call is a run of the VM that ends in an outcome."""

import ctypes
import sys
from itertools import islice

from corollary import snapshot
from corollary.guard import Guard
from corollary.library import MACHINE, Room, part
from corollary.limits import LimitExceeded, Limits, check_asked
from corollary.linker import Function, Functions, Global, Memory, Native, Table, WithInstance, fits
from corollary.meter import meter_of, meter_within
from corollary.module import Module
from corollary.outcome import Busy, HostCall, Returned, Stopped, Trapped, Unlinkable
from corollary.references import References
from corollary.run import Run, perform
from corollary.uncopied import Uncopied
from corollary.values import all_bits
from spec.wasm.machine import NULL_REFERENCE
from spec.wasm.module import NONE, External, Mode
from spec.wasm.opcodes import Opcode
from spec.wasm.traps import Trap
from spec.wasm.values import ValueType

WORD = 8            # bytes of an element of a table
PIECE = 1 << 20     # bytes of a segment between two looks at the clock
NAMED = 20          # functions that a message lists
MAKING = "making an instance"


class Instance(Uncopied):
    """A module with all that it needs.

    `imports` are externals, or Python functions, by `(module, name)`; with `host_calls`, functions that are not among
    them end the call that wants them, and wait for the answer. Its first steps may take so much `fuel` and so many
    `seconds`, as `call`. With `reentrant`, a function of the host may call the instance that calls it; without, that is
    `Busy`, as it is from another thread.
    Raises `Unlinkable`, `LimitExceeded`, or `Trapped`, `Stopped` and `Exited` by its first steps.
    """

    advice = "take a snapshot to move it, or make another one"

    def __init__(self, module, imports=(), limits=Limits(), host_calls=False, reentrant=False, fuel=None, seconds=None):
        with meter_of(fuel, seconds, limits.fuel) as meter:
            self.prepare(module, imports, limits, host_calls, reentrant, meter)
            with self.enter():
                self.begin(meter)

    @classmethod
    def restore(cls, module, data, key, imports=(), limits=Limits(), host_calls=False, reentrant=False):
        """The instance that a snapshot was made of, to be gone on with.

        Raises `SnapshotRefused`, `LimitExceeded` or `Unlinkable`.
        """
        made = cls.__new__(cls)
        made.prepare(module, imports, limits, host_calls, reentrant, meter_within(None, None))
        snapshot.load(made, data, key)
        return made

    def snapshot(self, key):
        """Its state as bytes that only who has the key could have made.

        Raises `SnapshotRefused` where it is not its own alone, and `Busy`.
        """
        with self.enter():
            return snapshot.save(self, key)

    def enter(self):
        """A visit of who calls this, as of the guard; what an exception tore down before is gone."""
        visit = self.guard.enter(sys._getframe(1))
        if visit.outermost and self.waiting is None:
            self.run.settle()
        return visit

    # ---- what it is made of

    def prepare(self, module, imports, limits, host_calls, reentrant, meter):
        """Everything but the first steps; raises `Stopped`, too."""
        self.module = module if isinstance(module, Module) else Module(module, limits)
        self.limits, self.reentrant, self.guard = limits, reentrant, Guard()
        self.room = Room(MACHINE)
        self.machine = self.room.value
        self.functions, self.memories, self.tables, self.globals = Functions(self), [], [], []
        self.references = References(self, limits.objects)
        self.run = Run(self)
        self.waiting, self.before = None, {}    # the outcome of a call that is not over, and where the machine was before it
        self.called = None                      # the type of the function that the call is of
        self.running = None                     # the meter of the call that is running
        self.messages = 0, 0                    # where `corollary.messages` has pages of the memory
        try:
            self.link(dict(imports), host_calls, meter)
            self.make(meter)
        except MemoryError:
            raise LimitExceeded("this machine has no room for the instance") from None

    def link(self, imports, host_calls, meter):
        """Take what is imported, if it fits."""
        kinds = {External.FUNCTION: (Function, self.functions.add, self.is_function),
                 External.MEMORY: (Memory, self.memories.append, self.is_memory),
                 External.TABLE: (Table, self.tables.append, self.is_table),
                 External.GLOBAL: (Global, self.globals.append, self.is_global)}
        for module, name, kind, index in meter.watched(self.module.imports, MAKING):
            if (module, name) not in imports and not (host_calls and kind is External.FUNCTION):
                advice = " (or let it be one of `host_calls`)" if kind is External.FUNCTION else ""
                raise Unlinkable(f"unknown import: {module}.{name}{advice}")
            found = self.external(imports.get((module, name)), kind, index, (module, name))
            class_, take, fitting = kinds[kind]
            if not isinstance(found, class_) or not fitting(found, index):
                raise Unlinkable(f"incompatible import type: {module}.{name} is no such {kind.name.lower()}")
            take(found)
            if kind is not External.FUNCTION:
                found.import_to(self)

    def external(self, given, kind, index, name):
        """What is given for an import as an external: Python functions become some."""
        if kind is not External.FUNCTION or isinstance(given, Function):
            return given
        type_ = self.type_of(index)
        if given is None:
            return Function(type_, None, asked=name)
        if callable(given) or isinstance(given, WithInstance):
            return Function(type_, Native(given, type_, ".".join(name)))
        return given

    def is_function(self, found, index):
        """Is an external of the type of an imported function?"""
        return found.type == self.type_of(index)

    def is_memory(self, found, index):
        """Is an external large enough for an imported memory?"""
        return fits(found.pages, found.maximum, self.module.room["memories"][index])

    def is_table(self, found, index):
        """Is an external large enough for an imported table, and of its type?"""
        wanted = self.module.room["tables"][index]
        return not found.closed and found.element == wanted.element and fits(found.size, found.maximum, wanted.limits)

    def is_global(self, found, index):
        """Is an external just as an imported global must be?"""
        wanted = self.module.room["globals"][index]
        return not found.closed and found.type == wanted.type and bool(found.mutable) == bool(wanted.mutable)

    def type_of(self, index):
        """The type of a function."""
        return self.module.type_of(self.module.room["functions"][index].type)

    def make(self, meter):
        """Make what the module defines itself; raises `LimitExceeded` before anything is made where it is too much."""
        counts, room, limits = self.module.value.counts, self.module.room, self.limits
        for name in ("functions", "globals", "tables"):
            check_asked(name, getattr(counts, name), getattr(limits, name))
        tables = room["tables"][len(self.tables):counts.tables]
        check_asked("elements", sum(wanted.limits.minimum for wanted in tables), limits.elements)
        for wanted in room["memories"][len(self.memories):counts.memories]:
            check_asked("pages", wanted.minimum, limits.pages)
            self.memories.append(Memory(wanted.minimum, maximum(wanted), limits.pages))
        self.make_tables(tables, meter)
        for wanted in meter.watched(part(room["globals"], len(self.globals), counts.globals), MAKING):
            bits = self.references.held(wanted.type, self.constant(wanted.value))
            self.globals.append(Global(wanted.type, bool(wanted.mutable), bits))
        kinds = {table.element for table in self.tables} | {held.type for held in self.globals}
        self.holds_objects = ValueType.EXTERNREF in kinds
        self.place(meter)

    def make_tables(self, wanted, meter):
        """Tables of its own: what the limit leaves beyond their least sizes is for all that may grow, in equal parts.

        Each has a part of its own from the start, so growing one never depends on another.
        """
        sizes = [table.limits for table in wanted]
        growing = sum(size.maximum > size.minimum for size in sizes)
        part = (self.limits.elements - sum(size.minimum for size in sizes)) // max(growing, 1)
        for table in meter.watched(wanted, MAKING):
            size = table.limits
            self.tables.append(Table(table.element, size.minimum, maximum(size), size.minimum + part))

    def place(self, meter):
        """Tell the machine where everything is."""
        counts, room = self.module.value.counts, self.room
        room.put("module", (type(self.module.value) * 1).from_buffer(self.module.value), 1)
        room.put("code", self.module.translation["code"], self.module.translation.value.at)
        room.put("entries", self.module.room["entries"], counts.functions)
        room.reserve("stack", self.limits.slots)
        room.reserve("control", self.limits.slots)
        self.machine.beyond.at = self.machine.stack.at + WORD * self.limits.slots
        room.make(tables=len(self.tables), globals=len(self.globals), items=counts.items,
                  dropped_elements=counts.elements, dropped_data=counts.data)
        for memory in self.memories:
            room.put("memory", (type(memory.room.value) * 1).from_buffer(memory.room.value), 1)
        for place, table in zip(room["tables"], self.tables):
            place.table.at, place.table.length = table.room.address, 1
            place.elements = table.room.value.elements
        for place, global_ in meter.watched(zip(room["globals"], self.globals), MAKING):
            place.cell.at, place.cell.length = ctypes.addressof(global_.cell), 1
        for number, item in meter.watched(enumerate(part(self.module.room["items"], 0, counts.items)), MAKING):
            room["items"][number] = self.references.shared(self.constant(item))

    def constant(self, constant):
        """The bits of a constant expression."""
        opcode = Opcode(constant.opcode)
        if opcode is Opcode.GLOBAL_GET:
            return self.references.of(self.globals[constant.value])
        if opcode is Opcode.REF_NULL:
            return NULL_REFERENCE
        return constant.value + 1 if opcode is Opcode.REF_FUNC else constant.value

    def begin(self, meter):
        """Fill tables and memory from segments, and run the start function."""
        items = memoryview(self.room["items"]).cast("B")
        for number, (mode, table, offset, first, count) in meter.watched(enumerate(self.module.elements()), MAKING):
            if mode == Mode.ACTIVE:
                room = memoryview(self.tables[table].room["elements"]).cast("B")[:WORD * self.tables[table].size]
                data = items[WORD * first:WORD * (first + count)]
                put(room, WORD * (self.constant(offset) & NONE), data, Trap.TABLE_OUT_OF_BOUNDS, meter)
            self.room["dropped_elements"][number] = mode != Mode.PASSIVE
        source = memoryview(self.module.binary)
        memory = self.memories[0].view() if self.memories else None
        for number, (mode, offset, at, size) in meter.watched(enumerate(self.module.data()), MAKING):
            if mode == Mode.ACTIVE:
                put(memory, self.constant(offset) & NONE, source[at:at + size], Trap.MEMORY_OUT_OF_BOUNDS, meter)
            self.room["dropped_data"][number] = mode == Mode.ACTIVE
        if self.module.value.start != NONE:
            self.call_bits(self.module.value.start, ())

    def imported(self, kind):
        """How many externals of a kind are imported."""
        return self.module.imported(kind)

    def neighbours(self):
        """The instances whose functions and objects this one may have."""
        found = {function.instance for function in [*self.references.kept.values()] if function.instance is not None}
        return found.union(*(external.kept for external in (*self.tables, *self.globals) if external.holds))

    # ---- exports

    def export(self, name):
        """The external of a name; raises `KeyError`."""
        kind, index = self.module.exports[name]
        if kind is External.FUNCTION:
            return self.functions[index]
        others = {External.MEMORY: self.memories, External.TABLE: self.tables, External.GLOBAL: self.globals}
        found = others[kind][index]
        found.share(self)
        return found

    # ---- calls

    def call(self, name, *values, fuel=None, seconds=None):
        """Call an exported function by its name with Python values.

        `Returned`, `Suspended` when so many safe points are passed, the time is up, or `interrupt` is called, or a
        `HostCall`; the latter two go on with `resume`. A call within a call may use no more than that one may.
        Raises `Trapped`, `Stopped`, `Exited`, `LimitExceeded`, `Busy` where the instance is in the middle of a call,
        `LookupError` for the name, `TypeError` or `ValueError` for values, fuel and time.
        """
        with self.enter() as visit:
            index = self.function(name)
            if not visit.outermost and not self.reentrant:
                raise Busy("the instance is in the middle of the call that called this function of the host: "
                           "make it with `reentrant=True`, or call it later")
            meter, type_ = self.meter(fuel, seconds), self.type_of(index)
            bits = all_bits(type_.parameters, values, self.references, name)
            if self.functions.is_imported(index) or not visit.outermost:
                with meter:
                    return Returned(self.run.values(type_.results, self.run.performed(self.functions[index], bits)))
            self.before, self.called = self.run.begin(index, bits), type_
            return self.proceed(meter)

    def resume(self, *results, fuel=None, seconds=None):
        """Go on with a call that was suspended, or with the results of the function that it waits for. As `call`."""
        with self.enter():
            if self.waiting is None:
                raise Busy("no call waits: `call` begins one")
            meter = self.meter(fuel, seconds)
            if isinstance(self.waiting, HostCall):
                wanted = self.run.wanted()
                what = f"the result of {'.'.join(wanted.asked)}"
                self.run.answer(all_bits(wanted.type.results, results, self.references, what))
            elif results:
                raise TypeError("the call is suspended, it waits for no results")
            self.waiting = None
            return self.proceed(meter)

    def abandon(self):
        """Drop a call that waits; raises `Busy` where it runs."""
        with self.enter():
            if self.waiting is not None:
                self.waiting = None
                self.over()

    def interrupt(self):
        """From any thread: the call that is running shall be suspended. False where none runs; then nothing happens."""
        meter = self.running
        if meter is not None:
            meter.interrupt()
        return meter is not None

    def proceed(self, meter):
        """Run a call from outside until it ends, or has to wait."""
        try:
            self.running = meter
            self.waiting = self.run.go_on(meter)
            return self.waiting or Returned(self.run.values(self.called.results, self.run.results(self.called)))
        finally:
            self.running = None
            if self.waiting is None:
                self.over()

    def over(self):
        """The call from outside is over: the machine is where it was before."""
        self.run.end(self.before)
        self.references.drop_objects()

    def call_bits(self, index, arguments):
        """Call a function with the bits of its arguments, to its end; the bits of its results.

        Raises `Trapped`, `Stopped`, `Exited` or `Busy`.
        """
        with self.enter():
            type_ = self.type_of(index)
            if len(arguments) != len(type_.parameters):
                wanted = len(type_.parameters)
                raise TypeError(f"function {index} takes the bits of {wanted} values, not of {len(arguments)}")
            if self.functions.is_imported(index):
                return perform(self.functions[index], arguments)
            if self.waiting is not None:
                raise Busy("the instance waits in the middle of a call: `resume` or `abandon` it first")
            before = self.run.begin(index, arguments)
            around = self.running
            try:
                self.running = self.meter(None, None)
                waiting = self.run.go_on(self.running)
                if waiting is not None:
                    raise Stopped(f"{waiting}: but a call within a call of the host cannot wait", waiting)
                return self.run.results(type_)
            finally:
                self.running = around
                self.run.end(before)

    def meter(self, fuel, seconds):
        """What a call may use: what is said, or what the call that it is part of may, or what the limits say."""
        return meter_of(fuel, seconds, self.limits.fuel)

    def function(self, name):
        """The index of an exported function; raises `LookupError`, or `Busy` when it cannot be called now."""
        if self.waiting is not None:
            raise Busy("the instance waits in the middle of a call: `resume` or `abandon` it first")
        kind, index = self.module.exports.get(name, (None, None))
        if kind is not External.FUNCTION:
            known = (other for other, (kind, _) in self.module.exports.items() if kind is External.FUNCTION)
            listed = [*islice(known, NAMED), *("..." for _ in islice(known, 1))]
            raise LookupError(f"no function {name!r} is exported; there are: {', '.join(listed) or 'none'}")
        return index


def maximum(size):
    """The largest size that a module allows; None for any."""
    return size.maximum if size.bounded else None


def put(room, at, data, trap, meter):
    """Bring a segment to its place; raises `Trapped` where that is outside, and `Stopped`."""
    if at + len(data) > len(room):
        raise Trapped(trap)
    for start in meter.watched(range(0, len(data), PIECE), MAKING, 1):
        piece = data[start:start + PIECE]
        room[at + start:at + start + len(piece)] = piece
