"""What is a module to the host? Its bytes, checked, and the bytecode that they were compiled to."""

import hashlib
import threading
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from corollary.library import MODULE, TRANSLATION, VALIDATION, Room, library, part
from corollary.limits import LimitExceeded, Limits, check_asked
from corollary.meter import Meter, meter_within
from corollary.names import function_names
from corollary.once import once
from corollary.problem import Problem
from corollary.proposals import needed
from corollary.spec.wasm.module import DEPTH, LOCALS, NONE, OPERANDS, External
from corollary.spec.wasm.refusals import INVALID, LIMIT, Refusal
from corollary.spec.wasm.values import ValueType
from corollary.uncopied import Uncopied

STRIDE = 512  # safe points between two checks of the clock, at most
WORK = 1 << 20  # words of code that run in some milliseconds, about
LARGE = 1 << 16  # bytes; loading a module of this size or more takes more than some milliseconds
LISTEN = 0.01  # seconds between two checks whether to stop
LOADING = "loading a module"


class Refused(Problem):
    """A module was refused.

    `refusal` says why, `offset` is the position of the byte, and `needs` names the missing extension of WebAssembly,
    if that is the reason.
    """

    def __init__(self, refusal: Refusal, offset: int, needs: str | None = None):
        self.refusal, self.offset, self.needs = refusal, offset, needs
        self.message = Refusal.notes[refusal.name]
        missing = f": the module needs {needs}, which this machine does not have" if needs else ""
        super().__init__(f"{self.message}, at byte {offset:#x}{missing}")


class Malformed(Refused):
    """The bytes are not a module."""


class Invalid(Refused):
    """The bytes are a module, but not a valid one: it must not run."""


class TooLarge(Refused, LimitExceeded):
    """The module exceeds a limit of this implementation."""


Binary = bytes | bytearray | memoryview
"""The bytes of a module."""


@dataclass(frozen=True)
class FunctionType:
    """The value types of a function's parameters and results, as tuples of `ValueType`."""

    parameters: tuple[ValueType, ...]
    results: tuple[ValueType, ...]


class Module(Uncopied):
    """A module, decoded, validated and translated.

    It never changes, so any number of threads may make instances of it. `binary` holds its bytes. `fuel` is how many
    bytes may be loaded, and `seconds` how long that may take; each is None for no limit.

    Raises `Malformed`, `Invalid` or `TooLarge`, all of them `Refused`; `LimitExceeded` when the limits or this machine
    have no room for it; `Stopped` when fuel or time do not suffice; `TypeError` or `ValueError` when they are not
    numbers in range.
    """

    def __init__(
        self, binary: Binary, limits: Limits = Limits(), fuel: int | None = None, seconds: float | None = None
    ):
        meter = meter_within(fuel, seconds)
        check_asked("size", len(binary), limits.size)
        try:
            self.binary = bytes(binary)
            meter.charge(len(self.binary), "loading a module")
            self.load(limits, meter)
        except MemoryError:
            raise LimitExceeded(f"this machine has no room for a module of {len(binary)} bytes") from None

    def load(self, limits: Limits, meter: Meter) -> None:
        """Decode, validate and translate the bytes."""
        self.room = Room(MODULE)
        self.value = self.room.value
        self.room.lend("bytes", self.binary)
        self.step(meter, library().decoder_survey, self.room)
        self.make_room(limits)
        self.step(meter, library().decoder_decode, self.room)
        validation = Room(VALIDATION)
        for name, count in (("operands", OPERANDS), ("labels", DEPTH), ("locals", LOCALS)):
            validation.reserve(name, count)
        self.step(meter, library().validator_validate, self.room, validation)
        self.room.drop("nodes")
        self.translation = Room(TRANSLATION)
        words = library().room_code_words(self.room.address)
        for name, count in (("code", words), ("marks", words), ("operands", OPERANDS), ("targets", DEPTH)):
            self.translation.reserve(name, count)
        self.step(meter, library().translator_translate, self.room, self.translation)
        for name in ("operands", "targets"):
            self.translation.drop(name)
        self.learn(meter)

    def learn(self, meter: Meter) -> None:
        """Read once what every call needs, so that no call takes long for it; raises `Stopped`.

        These are: module, name, kind and index of each import; kind and index of each export, by its name; the word of
        each function's first operation, 0 for an imported one; and how often to check the clock.
        """
        counts, room = self.value.counts, self.room
        self.known_types = {}
        self.imports = [
            (self.text(item.module), self.text(item.name), External(item.kind), item.index)
            for item in meter.watched(part(room["imports"], 0, counts.imports), LOADING)
        ]
        self.exports = {
            self.text(item.name): (External(item.kind), item.index)
            for item in meter.watched(part(room["exports"], 0, counts.exports), LOADING)
        }
        self.entries = [entry & NONE for entry in meter.watched(part(room["entries"], 0, counts.functions), LOADING)]
        self.stride = self.find_stride(meter)

    def make_room(self, limits: Limits) -> None:
        """Allocate room for everything that was counted; raises `LimitExceeded`."""
        counts, imports = self.value.counts, self.value.counts.imports
        for name in ("functions", "globals", "tables"):
            check_asked(name, getattr(counts, name), getattr(limits, name))
        self.room.make(
            types=counts.types,
            imports=imports,
            functions=imports + counts.functions,
            entries=imports + counts.functions,
            tables=imports + counts.tables,
            memories=imports + counts.memories,
            globals=imports + counts.globals,
            exports=counts.exports,
            elements=counts.elements,
            items=counts.items,
            data=counts.data,
            nodes=1 + 2 * counts.text,
        )

    def step(self, meter: Meter, perform: Callable[..., Any], *rooms: Room) -> None:
        """Take one step of loading; raises `Refused` when the module is wrong, and `Stopped` when the time is up."""
        meter.check(LOADING)
        if len(self.binary) < LARGE:
            perform(*(room.address for room in rooms))
        else:
            self.watch(meter, perform, rooms)
        refusal = Refusal(self.value.refusal)
        if refusal is not Refusal.NONE:
            kind = TooLarge if refusal >= LIMIT else Invalid if refusal >= INVALID else Malformed
            raise kind(refusal, self.value.offset, needed(self.binary, refusal, self.value.offset))

    def watch(self, meter: Meter, perform: Callable[..., Any], rooms: tuple[Room, ...]) -> None:
        """Take a long step in a thread of its own, and check the clock here; raises `Stopped` when the time is up.

        The thread holds the rooms, so they stay in memory even if this thread ends early. An event says that the
        thread is done, because a `join` that Ctrl-C interrupts would take the thread for ended.
        """
        done = threading.Event()

        def work():
            try:
                perform(*(room.address for room in rooms))
            finally:
                done.set()

        try:
            threading.Thread(target=work, daemon=True).start()
        except RuntimeError as error:
            raise LimitExceeded(f"this machine has no room for a thread: {error}") from None
        try:
            while not done.wait(LISTEN):
                meter.check(LOADING)
        finally:
            if not done.is_set():
                library().stop_loading(self.room.address)
            done.wait()

    def find_stride(self, meter: Meter) -> int:
        """Return how many safe points may pass between two checks of the clock: no more than about `WORK` words run."""
        entries = [*filter(None, self.entries), self.translation.value.at]
        longest = max((after - before for before, after in meter.watched(pairwise(entries), LOADING)), default=1)
        return max(1, min(STRIDE, WORK // max(longest, 1)))

    def text(self, name: Any) -> str:
        """Return a name of the module as text."""
        return self.binary[name.at : name.at + name.size].decode()

    def types(self, types: Any) -> tuple[ValueType, ...]:
        """Return a list of value types as a tuple."""
        return tuple(ValueType(code) for code in self.binary[types.at : types.at + types.count])

    def type_of(self, number: int) -> FunctionType:
        """Return a `FunctionType` by its index."""
        known = self.known_types.get(number)
        if known is not None:
            return known
        found = self.room["types"][number]
        made = FunctionType(self.types(found.parameters), self.types(found.results))
        return self.known_types.setdefault(number, made)

    def imported(self, kind: External) -> int:
        """Return how many externals of a kind are imported."""
        return self.import_counts[kind]

    @once
    def import_counts(self) -> Counter[External]:
        """How many externals are imported, by kind."""
        return Counter(kind for _, _, kind, _ in self.imports)

    @once
    def names(self) -> dict[int, str]:
        """The names of functions by index: from the custom section, or else of the export, or of the import."""
        imported = {
            index: f"{module}.{name}" for module, name, kind, index in self.imports if kind is External.FUNCTION
        }
        exported = {index: name for name, (kind, index) in self.exports.items() if kind is External.FUNCTION}
        return imported | exported | function_names(self.binary)

    def function_at(self, word: int) -> int:
        """Return the index of the function whose code contains a word."""
        return bisect_right(self.entries, word) - 1

    def end_of(self, index: int) -> int:
        """Return the first word after the code of a function."""
        return self.entries[index + 1] - 1 if index + 1 < len(self.entries) else self.translation.value.at

    @once
    def digest(self) -> bytes:
        """The SHA-256 of its bytes."""
        return hashlib.sha256(self.binary).digest()
