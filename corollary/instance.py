"""How does a module run? An instance holds the state; every call runs the VM, and ends in an outcome."""

import ctypes
import sys
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import islice
from typing import Any, Self

from corollary import snapshot
from corollary.guard import Guard, Visit
from corollary.library import MACHINE, Room, library, part
from corollary.limits import LimitExceeded, Limits, check_asked
from corollary.linker import Function, Functions, Global, Import, Imports, Memory, Native, Table, WithInstance, fits
from corollary.meter import Meter, meter_of, meter_within
from corollary.module import Binary, FunctionType, Module
from corollary.outcome import Busy, HostCall, Returned, Stopped, Suspended, Trapped, Unlinkable
from corollary.references import References
from corollary.run import CallStack, perform
from corollary.spec.wasm.machine import ITEMS, PIECE
from corollary.spec.wasm.module import NONE, External
from corollary.spec.wasm.traps import Trap
from corollary.spec.wasm.values import ValueType
from corollary.uncopied import Uncopied
from corollary.values import all_bits

WORD = 8  # bytes of a slot
AT_ONCE = 16  # pieces of segments between two checks of the clock
NAMED = 20  # functions that a message lists, at most
MAKING = "making an instance"


class Instance(Uncopied):
    """A module together with its state and its imports, ready to be called.

    `module` is a `Module`, or the bytes of one. `imports` maps `(module, name)` to an external or a Python function.
    With `host_calls=True`, a function may be missing from `imports`: a call of it suspends the caller with a
    `HostCall`, and `resume` supplies the results. `fuel` (safe points) and `seconds` limit the first steps, as they do
    in `call`. With `reentrant=True`, a host function may call the instance that is calling it; otherwise such a call
    raises `Busy`, as a call from another thread does.

    Raises `Unlinkable` when an import is missing or does not fit, `LimitExceeded`, and whatever `Module` raises. The
    first steps (segments and the start function) may raise `Trapped`, `Stopped` and `Exited`.
    """

    advice = "take a snapshot to move it, or make another one"
    calls: type[CallStack] = CallStack

    def __init__(
        self,
        module: Module | Binary,
        imports: Imports = (),
        limits: Limits = Limits(),
        host_calls: bool = False,
        reentrant: bool = False,
        fuel: int | None = None,
        seconds: float | None = None,
    ):
        with meter_of(fuel, seconds, limits.fuel) as meter:
            self.prepare(module, imports, limits, host_calls, reentrant, meter)
            with self.enter():
                self.begin(meter)

    @classmethod
    def restore(
        cls,
        module: Module | Binary,
        data: bytes | bytearray | memoryview,
        key: bytes,
        imports: Imports = (),
        limits: Limits = Limits(),
        host_calls: bool = False,
        reentrant: bool = False,
    ) -> Self:
        """Return an instance with the state of a snapshot, which can continue from there.

        `data` is the snapshot, and `key` the key, of 32 bytes or more, that sealed it. `module` and the other
        arguments are those of `Instance`. Raises `SnapshotRefused`, `LimitExceeded` or `Unlinkable`, and `ValueError`
        for a key that is too short.
        """
        return cls.loaded(partial(snapshot.load, data=data, key=key), module, imports, limits, host_calls, reentrant)

    @classmethod
    def loaded(
        cls,
        load: Callable[[Self], None],
        module: Module | Binary,
        imports: Imports = (),
        limits: Limits = Limits(),
        host_calls: bool = False,
        reentrant: bool = False,
    ) -> Self:
        """Return an instance with the state that a function loads into it, which `restore` is one way of."""
        made = cls.__new__(cls)
        made.prepare(module, imports, limits, host_calls, reentrant, meter_within(None, None))
        load(made)
        return made

    def snapshot(self, key: bytes) -> bytes:
        """Return the state as bytes, sealed with `key`, which has 32 bytes or more.

        Only a holder of the key can make such bytes. Raises `SnapshotRefused` when the instance shares its state with
        others or is in the middle of a host function, `Busy` when it cannot be entered now, and `ValueError` for a key
        that is too short.
        """
        with self.enter() as visit:
            return snapshot.save(self, key, visit.outermost)

    def enter(self) -> Visit:
        """Let the caller in, as `Guard.enter` does, and clear what is left of a call that an exception tore down."""
        visit = self.guard.enter(sys._getframe(1))
        if visit.outermost and self.waiting is None:
            self.run.clear()
        return visit

    # ---- making it

    def prepare(
        self, module: Module | Binary, imports: Imports, limits: Limits, host_calls: bool, reentrant: bool, meter: Meter
    ) -> None:
        """Set up everything but the first steps; raises `Stopped`, too."""
        self.module = module if isinstance(module, Module) else Module(module, limits)
        self.limits, self.reentrant, self.guard = limits, reentrant, Guard()
        self.room = Room(MACHINE)
        self.machine = self.room.value
        self.functions = Functions(self)
        self.memories: list[Memory] = []
        self.tables: list[Table] = []
        self.globals: list[Global] = []
        self.references = References(self, limits.objects)
        self.run = self.calls(self)
        self.waiting: Suspended | HostCall | None = None  # the outcome of an unfinished call,
        self.before: dict[str, int] = {}  # and where the machine was before it
        self.called: Any = None  # the type of the function that was called
        self.running: Meter | None = None  # of the call that is running
        self.messages = 0, 0  # the bytes of memory that `corollary.messages` uses: first and end
        try:
            self.link(dict[tuple[str, str], Any](imports), host_calls, meter)
            self.make(meter)
        except MemoryError:
            raise LimitExceeded("this machine has no room for the instance") from None

    def link(self, imports: dict[tuple[str, str], Import], host_calls: bool, meter: Meter) -> None:
        """Take the imports; raises `Unlinkable` when one is missing or does not fit."""
        kinds: dict[External, tuple[Any, Callable[[Any], None], Callable[[Any, int], bool]]] = {
            External.FUNCTION: (Function, self.functions.add, self.is_function),
            External.MEMORY: (Memory, self.memories.append, self.is_memory),
            External.TABLE: (Table, self.tables.append, self.is_table),
            External.GLOBAL: (Global, self.globals.append, self.is_global),
        }
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

    def external(self, given: Any, kind: External, index: int, name: tuple[str, str]) -> Any:
        """Return what was given for an import as an external; a Python function is wrapped in one."""
        if kind is not External.FUNCTION or isinstance(given, Function):
            return given
        type_ = self.type_of(index)
        if given is None:
            return Function(type_, None, asked=name)
        if callable(given) or isinstance(given, WithInstance):
            return Function(type_, Native(given, type_, ".".join(name)))
        return given

    def is_function(self, found: Function, index: int) -> bool:
        """Does an external have the type of the imported function?"""
        return found.type == self.type_of(index)

    def is_memory(self, found: Memory, index: int) -> bool:
        """Does an external have the size that the imported memory needs?"""
        return fits(found.pages, found.maximum, self.module.room["memories"][index])

    def is_table(self, found: Table, index: int) -> bool:
        """Does an external have the size and the type that the imported table needs?"""
        wanted = self.module.room["tables"][index]
        return not found.closed and found.element == wanted.element and fits(found.size, found.maximum, wanted.limits)

    def is_global(self, found: Global, index: int) -> bool:
        """Does an external have exactly the type and the mutability of the imported global?"""
        wanted = self.module.room["globals"][index]
        return not found.closed and found.type == wanted.type and bool(found.mutable) == bool(wanted.mutable)

    def type_of(self, index: int) -> FunctionType:
        """Return the type of a function by its index."""
        return self.module.type_of(self.module.room["functions"][index].type)

    def make(self, meter: Meter) -> None:
        """Make what the module itself defines; raises `LimitExceeded` before making anything that is too much."""
        counts, room, limits = self.module.value.counts, self.module.room, self.limits
        for name in ("functions", "globals", "tables"):
            check_asked(name, getattr(counts, name), getattr(limits, name))
        tables = room["tables"][len(self.tables) : counts.tables]
        check_asked("elements", sum(wanted.limits.minimum for wanted in tables), limits.elements)
        for wanted in room["memories"][len(self.memories) : counts.memories]:
            check_asked("pages", wanted.minimum, limits.pages)
            self.memories.append(Memory(wanted.minimum, maximum(wanted), limits.pages))
        self.make_tables(tables, meter)
        for wanted in meter.watched(part(room["globals"], len(self.globals), counts.globals), MAKING):
            self.globals.append(Global(wanted.type, bool(wanted.mutable), 0))
        kinds = {table.element for table in self.tables} | {held.type for held in self.globals}
        self.holds_objects = ValueType.EXTERNREF in kinds
        self.place(meter)

    def make_tables(self, wanted: list[Any], meter: Meter) -> None:
        """Make the module's own tables, and divide the room for growth among them.

        Whatever the limit leaves beyond the minimum sizes is shared equally by the tables that may grow. Each has its
        part from the start, so the growth of one never depends on another.
        """
        sizes = [table.limits for table in wanted]
        growing = sum(size.maximum > size.minimum for size in sizes)
        part = (self.limits.elements - sum(size.minimum for size in sizes)) // max(growing, 1)
        for table in meter.watched(wanted, MAKING):
            size = table.limits
            self.tables.append(Table(table.element, size.minimum, maximum(size), size.minimum + part))

    def place(self, meter: Meter) -> None:
        """Put the address and length of everything into the machine's record."""
        counts, room = self.module.value.counts, self.room
        room.refer("module", self.module.room)
        room.put("code", self.module.translation["code"], self.module.translation.value.at)
        room.put("entries", self.module.room["entries"], counts.functions)
        room.reserve("stack", self.limits.slots)
        room.reserve("control", self.limits.slots)
        self.machine.beyond.at = self.machine.stack.at + WORD * self.limits.slots
        room.make(
            tables=len(self.tables),
            globals=len(self.globals),
            items=counts.items,
            dropped_elements=counts.elements,
            dropped_data=counts.data,
        )
        for memory in self.memories:
            room.refer("memory", memory.room)
        for place, table in zip(room["tables"], self.tables):
            place.table.at, place.table.length = table.room.address, 1
            place.elements = table.room.value.elements
        for place, global_ in meter.watched(zip(room["globals"], self.globals), MAKING):
            place.cell.at, place.cell.length = ctypes.addressof(global_.cell), 1
        library().instantiation_fill_globals(room.address)
        for first in meter.watched(range(0, counts.items, ITEMS), MAKING):
            library().instantiation_fill_items(room.address, first)

    def begin(self, meter: Meter) -> None:
        """Copy the segments to tables and memory, and run the start function."""
        counts, room = self.module.value.counts, self.module.room
        self.copy(
            library().instantiation_copy_elements,
            (each.count for each in part(room["elements"], 0, counts.elements)),
            ITEMS,
            meter,
        )
        self.copy(
            library().instantiation_copy_data, (each.size for each in part(room["data"], 0, counts.data)), PIECE, meter
        )
        if self.module.value.start != NONE:
            self.call_bits(self.module.value.start, ())

    def copy(self, next_piece: Callable[..., int], sizes: Iterable[int], piece: int, meter: Meter) -> None:
        """Copy segments of these sizes piece by piece; raises `Trapped` when one does not fit, and `Stopped`."""
        pieces = ((number, done) for number, size in enumerate(sizes) for done in range(0, max(size, 1), piece))
        for number, done in meter.watched(pieces, MAKING, AT_ONCE):
            trap = Trap(next_piece(self.room.address, number, done))
            if trap is not Trap.NONE:
                raise Trapped(trap)

    def imported(self, kind: External) -> int:
        """Return how many externals of a kind are imported."""
        return self.module.imported(kind)

    def neighbours(self) -> "set[Instance]":
        """Return the instances whose functions and objects this one may hold."""
        found = {function.instance for function in [*self.references.kept.values()] if function.instance is not None}
        return found.union(*(external.kept for external in (*self.tables, *self.globals) if external.holds))

    # ---- exports

    def export(self, name: str) -> Any:
        """Return the exported `Function`, `Memory`, `Table` or `Global` with a name; raises `KeyError`."""
        kind, index = self.module.exports[name]
        if kind is External.FUNCTION:
            return self.functions[index]
        others = {External.MEMORY: self.memories, External.TABLE: self.tables, External.GLOBAL: self.globals}
        found = others[kind][index]
        found.share(self)
        return found

    # ---- calls

    def call(
        self, name: str, *values: Any, fuel: int | None = None, seconds: float | None = None
    ) -> Returned | Suspended | HostCall:
        """Call an exported function by name with Python values, and return the outcome.

        `fuel` is a number of safe points, and `seconds` a time; each is None for no limit of its own. The outcome is
        one of three: `Returned`; `Suspended`, when the fuel is spent, the time is up, or `interrupt` was called;
        `HostCall`, when the code calls a function that no import provides. `resume` continues after the last two.
        A call within a call may use no more than the outer call has left.

        Raises `Trapped`, `Stopped`, `Exited` and `LimitExceeded`; `Busy` when the instance is in the middle of a call;
        `LookupError` when no function with that name is exported; `TypeError` or `ValueError` when the values, the
        fuel or the time do not fit.
        """
        with self.enter() as visit:
            index = self.function(name)
            if not visit.outermost and not self.reentrant:
                raise Busy(
                    "the instance is in the middle of the call that called this function of the host: "
                    "make it with `reentrant=True`, or call it later"
                )
            meter, type_ = self.meter(fuel, seconds), self.type_of(index)
            bits = all_bits(type_.parameters, values, self.references, name)
            if self.functions.is_imported(index) or not visit.outermost:
                with meter:
                    return Returned(self.run.values(type_.results, self.run.performed(self.functions[index], bits)))
            self.before, self.called = self.run.begin(index, bits), type_
            return self.proceed(meter)

    def resume(
        self, *results: Any, fuel: int | None = None, seconds: float | None = None
    ) -> Returned | Suspended | HostCall:
        """Continue a suspended call, or one that waits for a `HostCall`, and return the outcome.

        `results` are the results of the host call as Python values; a suspended call takes none. Fuel, time, outcome
        and errors are as in `call`; `Busy` is also raised when no call waits.
        """
        with self.enter() as visit:
            if self.waiting is None:
                raise Busy("no call waits: `call` begins one")
            self.check_alone(visit)
            meter = self.meter(fuel, seconds)
            if isinstance(self.waiting, HostCall):
                wanted = self.run.wanted()
                what = f"the result of {'.'.join(wanted.asked)}"
                self.run.answer(all_bits(wanted.type.results, results, self.references, what))
            elif results:
                raise TypeError("the call is suspended, it waits for no results")
            self.waiting = None
            return self.proceed(meter)

    def abandon(self) -> None:
        """Drop the call that waits, if there is one; raises `Busy` when it is running."""
        with self.enter() as visit:
            if self.waiting is not None:
                self.check_alone(visit)
                self.waiting = None
                self.over()

    def check_alone(self, visit: Visit) -> None:
        """Raise `Busy` for a handler of a signal that came while the call that waits was about to go on or to end."""
        if not visit.outermost:
            raise Busy("the call that waits is being resumed, abandoned or saved: do this later")

    def interrupt(self) -> bool:
        """Ask the running call to suspend. Any thread may call this.

        Returns whether a call was running; if none was, nothing happens.
        """
        meter = self.running
        if meter is not None:
            meter.interrupt()
        return meter is not None

    def proceed(self, meter: Meter) -> Returned | Suspended | HostCall:
        """Run an outermost call until it ends or has to wait, and return its outcome."""
        try:
            self.running = meter
            self.waiting = self.run.go_on(meter)
            return self.waiting or Returned(self.run.values(self.called.results, self.run.results(self.called)))
        finally:
            self.running = None
            if self.waiting is None:
                self.over()

    def over(self) -> None:
        """End the outermost call: put the machine back to where it was before it."""
        self.run.end(self.before)
        self.references.drop_objects()

    def call_bits(self, index: int, arguments: Sequence[int]) -> tuple[int, ...]:
        """Call a function with the bits of its arguments, run it to its end, and return the bits of its results.

        Raises `Trapped`, `Stopped`, `Exited` or `Busy`, and `TypeError` when the number of arguments is wrong.
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

    def meter(self, fuel: int | None, seconds: float | None) -> Meter:
        """Return the meter of a call: what was given, else that of the call around it, else what the limits allow."""
        return meter_of(fuel, seconds, self.limits.fuel)

    def function(self, name: str) -> int:
        """Return the index of an exported function; raises `LookupError`, or `Busy` when a call waits."""
        if self.waiting is not None:
            raise Busy("the instance waits in the middle of a call: `resume` or `abandon` it first")
        kind, index = self.module.exports.get(name, (None, 0))
        if kind is not External.FUNCTION:
            known = (other for other, (kind, _) in self.module.exports.items() if kind is External.FUNCTION)
            listed = [*islice(known, NAMED), *("..." for _ in islice(known, 1))]
            raise LookupError(f"no function {name!r} is exported; there are: {', '.join(listed) or 'none'}")
        return index


def maximum(size):
    """Return the maximum size that the module declares, or None."""
    return size.maximum if size.bounded else None
