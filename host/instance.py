"""How does a module run? An instance has the state, and every call is a run of the VM that ends in an outcome."""

import ctypes
from dataclasses import replace

from host import snapshot
from host.library import MACHINE, Room, library
from host.limits import Limits
from host.linker import STORE, Function, Global, Memory, Table, WithInstance, fits
from host.meter import Meter, current
from host.module import Module
from host.outcome import Busy, HostCall, Returned, Stopped, Trapped, Unlinkable
from host.run import Run, perform
from host.values import all_bits
from spec.wasm.machine import ITEMS, NULL_REFERENCE, PIECE
from spec.wasm.module import NONE, External, Mode
from spec.wasm.opcodes import Opcode
from spec.wasm.traps import Trap


class Instance:
    """A module with all that it needs.

    `imports` are externals, or Python functions, by `(module, name)`; with `host_calls`, functions that are not among them end
    the call that wants them, and wait for the answer. Raises `Unlinkable`, or `Trapped`, `Stopped` and `Exited` by its first steps.
    """

    def __init__(self, module, imports=(), limits=Limits(), host_calls=False):
        self.prepare(module, imports, limits, host_calls)
        self.begin()

    @classmethod
    def restore(cls, module, data, key, imports=(), limits=Limits(), host_calls=False):
        """The instance that a snapshot was made of, to be gone on with; raises `SnapshotRefused`, or `Unlinkable`."""
        made = cls.__new__(cls)
        made.prepare(module, imports, limits, host_calls)
        snapshot.load(made, data, key)
        return made

    def snapshot(self, key):
        """Its state as bytes that only who has the key could have made; raises `SnapshotRefused` where it is not its own alone."""
        return snapshot.save(self, key)

    # ---- what it is made of

    def prepare(self, module, imports, limits, host_calls):
        """Everything but the first steps."""
        self.module = module if isinstance(module, Module) else Module(module)
        self.limits = limits
        self.room = Room(MACHINE)
        self.machine = self.room.value
        self.functions, self.memories, self.tables, self.globals = [], [], [], []
        self.run = Run(self)
        self.references = self.run.references
        self.waiting, self.before = None, {}    # the outcome of a call that is not over, and where the machine was before it
        self.machine.base = STORE.enter(self, self.module.value.counts.functions)
        self.link(dict(imports), host_calls)
        self.make()

    def link(self, imports, host_calls):
        """Take what is imported, if it fits."""
        kinds = {External.FUNCTION: (Function, self.functions, self.is_function), External.MEMORY: (Memory, self.memories, self.is_memory),
                 External.TABLE: (Table, self.tables, self.is_table), External.GLOBAL: (Global, self.globals, self.is_global)}
        for module, name, kind, index in self.module.imports:
            if (module, name) not in imports and not (host_calls and kind is External.FUNCTION):
                raise Unlinkable(f"unknown import: {module}.{name}" + (" (or let it be one of `host_calls`)" if kind is External.FUNCTION else ""))
            found = self.external(imports.get((module, name)), kind, index, (module, name))
            class_, taken, fitting = kinds[kind]
            if not isinstance(found, class_) or not fitting(found, index):
                raise Unlinkable(f"incompatible import type: {module}.{name} is no such {kind.name.lower()}")
            taken.append(self.imported_here(found) if kind is External.FUNCTION else found)
            self.use(found)

    def external(self, given, kind, index, name):
        """What is given for an import as an external: Python functions become some."""
        if kind is not External.FUNCTION or isinstance(given, Function):
            return given
        type_ = self.type_of(index)
        if given is None:
            return Function(type_, None, asked=name)
        if isinstance(given, WithInstance):
            return Function(type_, self.run.python(lambda *values: given.perform(self, *values), type_, ".".join(name)))
        return Function(type_, self.run.python(given, type_, ".".join(name))) if callable(given) else given

    def imported_here(self, function):
        """A function of the host as this instance's: so others can refer to it, too."""
        return function if function.instance is not None else replace(function, instance=self, index=len(self.functions))

    def use(self, external):
        """One instance more has a memory, table or global. Who has a table or global keeps all whose functions may be in it."""
        if not isinstance(external, Function):
            external.users.append(self)

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

    def make(self):
        """Make what the module defines itself."""
        counts, room = self.module.value.counts, self.module.room
        first = len(self.functions)
        self.functions += [Function(self.module.type_of(function.type), None, self, index)
                           for index, function in enumerate(room["functions"][first:counts.functions], first)]
        for wanted in room["memories"][len(self.memories):counts.memories]:
            self.memories.append(self.new_memory(wanted))
        for wanted in room["tables"][len(self.tables):counts.tables]:
            maximum = wanted.limits.maximum if wanted.limits.bounded else None
            self.tables.append(Table(wanted.element, wanted.limits.minimum, maximum, self.limits.elements))
        for wanted in room["globals"][len(self.globals):counts.globals]:
            self.globals.append(Global(wanted.type, wanted.mutable, self.references.held(wanted.type, self.constant(wanted.value))))
        for kind, made in zip((External.MEMORY, External.TABLE, External.GLOBAL), (self.memories, self.tables, self.globals)):
            for external in made[self.imported(kind):]:
                self.use(external)
        self.place()

    def imported(self, kind):
        """How many externals of a kind are imported."""
        return sum(other is kind for _, _, other, _ in self.module.imports)

    def new_memory(self, wanted):
        """A memory of its own."""
        return Memory(wanted.minimum, wanted.maximum if wanted.bounded else None, self.limits.pages)

    def place(self):
        """Tell the machine where everything is."""
        counts, room = self.module.value.counts, self.room
        room.put("module", (type(self.module.value) * 1).from_buffer(self.module.value), 1)
        room.put("code", self.module.translation["code"], self.module.translation.value.at)
        room.put("entries", self.module.room["entries"], counts.functions)
        room.reserve("stack", self.limits.slots)
        room.reserve("control", self.limits.slots)
        self.machine.beyond.at = self.machine.stack.at + 8 * self.limits.slots
        room.make(tables=len(self.tables), globals=len(self.globals), items=counts.items, dropped_elements=counts.elements, dropped_data=counts.data)
        if self.memories:
            room.put("memory", (type(self.memories[0].room.value) * 1).from_buffer(self.memories[0].room.value), 1)
        for place, table in zip(room["tables"], self.tables):
            place.table.at, place.table.length = table.room.address, 1
            place.elements = table.room.value.elements
        for place, global_ in zip(room["globals"], self.globals):
            place.cell.at, place.cell.length = ctypes.addressof(global_.cell), 1
        for number, item in enumerate(self.module.room["items"][:counts.items]):
            room["items"][number] = self.references.shared(self.constant(item))

    def constant(self, constant):
        """The bits of a constant expression."""
        opcode = Opcode(constant.opcode)
        if opcode is Opcode.GLOBAL_GET:
            return self.references.of(self.globals[constant.value])
        return constant.value + 1 if opcode is Opcode.REF_FUNC else NULL_REFERENCE if opcode is Opcode.REF_NULL else constant.value

    def begin(self):
        """Fill tables and memory from segments, and run the start function."""
        for number, segment in enumerate(self.module.room["elements"][:self.module.value.counts.elements]):
            if segment.mode == Mode.ACTIVE:
                self.bring(library().machine_init_table, self.tables[segment.table], number, segment.offset, segment.count, ITEMS)
            if segment.mode != Mode.PASSIVE:
                self.room["dropped_elements"][number] = 1
        for number, segment in enumerate(self.module.room["data"][:self.module.value.counts.data]):
            if segment.mode == Mode.ACTIVE:
                self.bring(library().machine_init_memory, self.memories[0], number, segment.offset, segment.size, PIECE)
                self.room["dropped_data"][number] = 1
        if self.module.value.start != NONE:
            self.call_bits(self.module.value.start, ())

    def bring(self, init, external, number, offset, count, most):
        """Bring a segment to where it belongs, piece by piece; raises `Trapped` before the first if it does not fit."""
        to = self.constant(offset) & NONE
        for done in range(0, max(count, 1), most):
            self.trap_if(init(self.room.address, external.room.address, number, to + done, done, count - done))

    def trap_if(self, trap):
        """Raise a trap, if it is one."""
        if trap != Trap.NONE:
            raise Trapped(Trap(trap))

    # ---- exports

    def export(self, name):
        """The external of a name; raises `KeyError`."""
        kind, index = self.module.exports[name]
        return {External.FUNCTION: self.functions, External.MEMORY: self.memories, External.TABLE: self.tables, External.GLOBAL: self.globals}[kind][index]

    # ---- calls

    def call(self, name, *values, fuel=None, seconds=None):
        """Call an exported function by its name with Python values.

        `Returned`, `Suspended` when so many safe points are passed or the time is up, or a `HostCall`; the latter two go on with
        `resume`. Raises `Trapped`, `Stopped`, `Exited`, `Busy`, `LookupError` for the name, `TypeError` or `ValueError` for values.
        """
        index, function = self.function(name)
        bits = all_bits(function.type.parameters, values, self.references, name)
        if function.of_host or function.instance is not self or self.machine.depth:
            with self.meter(fuel, seconds):
                return Returned(self.run.values(function.type.results, self.run.performed(function, bits)))
        self.before = self.run.begin(index, bits)
        return self.proceed(function, self.meter(fuel, seconds))

    def resume(self, *results, fuel=None, seconds=None):
        """Go on with a call that was suspended, or with the results of the function of the host that it waits for. As `call`."""
        if self.waiting is None:
            raise Busy("no call waits: `call` begins one")
        if isinstance(self.waiting, HostCall):
            wanted = self.run.wanted()
            self.run.answer(all_bits(wanted.type.results, results, self.references, f"the result of {'.'.join(wanted.asked)}"))
        elif results:
            raise TypeError("the call is suspended, it waits for no results")
        self.waiting = None
        return self.proceed(self.functions[self.run.outermost()], self.meter(fuel, seconds))

    def abandon(self):
        """Drop a call that waits."""
        if self.waiting is not None:
            self.waiting = None
            self.run.end(self.before)

    def proceed(self, function, meter):
        """Run a call from outside until it ends, or has to wait."""
        try:
            self.waiting = self.run.go_on(meter)
            return self.waiting or Returned(self.run.values(function.type.results, self.run.results(function)))
        finally:
            if self.waiting is None:
                self.run.end(self.before)

    def call_bits(self, index, arguments):
        """Call a function with the bits of its arguments, to its end; the bits of its results. Raises `Trapped`, `Stopped` or `Exited`."""
        function = self.functions[index]
        if function.of_host or function.instance is not self:
            return perform(function, arguments)
        if self.waiting is not None:
            raise Busy("the instance waits in the middle of a call: `resume` or `abandon` it first")
        before = self.run.begin(index, arguments)
        try:
            waiting = self.run.go_on(self.meter(None, None))
            if waiting is not None:
                raise Stopped(f"{waiting}: but a call within a call of the host cannot wait")
            return self.run.results(function)
        finally:
            self.run.end(before)

    def meter(self, fuel, seconds):
        """What a call may use: what is said, or else what the call that it is part of may, or else what the limits say."""
        if fuel is None and seconds is None and current() is not None:
            return current()
        return Meter(self.limits.fuel if fuel is None else fuel, seconds)

    def function(self, name):
        """The index and the external of an exported function; raises `LookupError`, or `Busy` when it cannot be called now."""
        if self.waiting is not None:
            raise Busy("the instance waits in the middle of a call: `resume` or `abandon` it first")
        kind, index = self.module.exports.get(name, (None, None))
        if kind is not External.FUNCTION:
            known = ", ".join(other for other, (kind, _) in self.module.exports.items() if kind is External.FUNCTION)
            raise LookupError(f"no function {name!r} is exported; there are: {known or 'none'}")
        return index, self.functions[index]
