"""How may a function of the kernel be entered? In states of random traces, with some values at boundaries.

Fields and arguments are at a boundary now and then. A function of the model is entered only where the model is
defined: it is run in Python first.
"""

import ctypes
import random
from functools import lru_cache
from typing import Any

from corollary.codegen import kernel
from corollary.emulation.generator import Generator
from corollary.emulation.lockstep import CONSTANT, CONTEXT, STACK
from corollary.emulation.native import SIZE, Image, question
from corollary.emulation.package import demonstration
from corollary.emulation.pair import Entry, call
from corollary.emulation.processor import BACK, GENERAL, ROOM, SCRATCH, VECTORS
from corollary.emulation.states import leaf
from corollary.emulation.traces import Hypercall, apply, booted, place, reach
from corollary.emulation.values import any_scalar, boundary, filled
from corollary.language.layout import align, decode, encode, size_of
from corollary.language.types import is_scalar
from corollary.spec.kernel.hardware import POOL_BASE
from corollary.spec.kernel.limits import PARTITIONS, SLOT_BITS, SLOTS
from corollary.spec.kernel.memory_map import PAGE, REGIONS
from corollary.spec.kernel.state import Call, Kernel

WORD = 64
REGION = {region.name: region for region in REGIONS}
ENTRIES_OF_A_STATE = 8  # entries before the trace goes on
LENGTH, BEFORE = 600, 300  # steps of a trace, and the most that are taken before a function is entered
FIELDS = tuple(Kernel.fields)
WATCHED = ("data", "kernel", "scratch")
TABLE_OF = {type_.index.name: name for name, type_ in Kernel.fields.items() if getattr(type_, "index", None)}
RETURNING = {"now": WORD, "interrupt_accept": WORD, "resume": WORD, "trap": WORD, "check_invariants": 8, "violated": 8}
"""How many bits each platform function returns; functions of the model declare this themselves."""
LEAVING = ("halt", "power_off", "start_again")
NAKED = ("vectors", "save_context", "restore_context", "kernel_fault", "start", "wrong_level", *LEAVING)
CLASSES = [CONSTANT[name] for name in CONSTANT if name.startswith("EC_")]


@lru_cache(maxsize=1)
def modelled():
    """Return the functions of the model by symbol."""
    return {function.symbol: function for function in kernel.functions()}


class Cases:
    """A state in the model and on both sides of a pair, and ways to enter a function in it."""

    def __init__(self, pair, symbol, offset=0, seed=0):
        self.pair, self.symbol, self.offset, self.seed = pair, symbol, offset, seed
        self.random = random.Random(f"{symbol}/{seed}")
        self.place = {name: address for name, (address, _) in pair.sides[0].program.symbols.items()}
        self.function: Any = modelled().get(symbol)
        self.begin()

    def begin(self):
        """Begin another trace: boot, then take some of its steps."""
        self.seed, self.steps = self.seed + 1, 0
        self.generator = Generator(random.Random(self.seed), careful=self.seed % 4 != 0)
        self.model = booted(self.generator.information)
        for _ in range(self.random.randrange(BEFORE)):
            self.take(self.generator.next(self.model))
        self.image = Image(self.model)
        self.pair.put(POOL_BASE, self.image.data.raw)
        contexts = random.Random(self.seed).randbytes(PARTITIONS * CONTEXT.size)
        self.platform = bytearray(align(self.place["bss_end"], 16) - self.place["bss_start"])
        self.platform[: len(contexts)] = contexts
        self.pair.put(self.place["bss_start"], self.platform)

    def advance(self):
        """Take a few more steps of the trace."""
        for _ in range(self.random.randrange(1, 4)):
            self.take(self.generator.next(self.model))
        if self.steps > LENGTH or self.model.idle:
            self.begin()
        self.bring()

    def take(self, step):
        """Take a step of the trace, if there is one and it is possible."""
        self.steps += 1
        if step is not None:
            apply(self.model, step)

    def bring(self):
        """Give both sides what the model has."""
        for offset, size in self.image.update():
            self.pair.put(POOL_BASE + offset, ctypes.string_at(ctypes.addressof(self.image.data) + offset, size))

    def differences(self, count):
        """Yield how the sides differ, or None, for each of `count` ways to enter the function.

        The function is not entered where it is undefined.
        """
        done = tried = 0
        while done < count and tried < 20 * count:
            self.advance()
            for _ in range(ENTRIES_OF_A_STATE):
                tried += 1
                altered = [self.alter() for _ in range(self.random.randrange(4))]
                entry = self.entry()
                if entry is not None:
                    done += 1
                    yield self.compared(entry)
                for path, old in reversed(altered):
                    place(self.model, path, old)
                self.bring()

    def compared(self, entry):
        """Return how the sides differ, or None; memory is as before."""
        different = self.pair.differs(entry)
        for address, size in self.pair.written():
            self.put_back(address, size)
        return different and f"{self.symbol}: {different}"

    def put_back(self, address, size):
        """Restore memory to what it held before the code ran."""
        if address < SCRATCH + ROOM:
            return  # written anew for each entry
        if address >= POOL_BASE + SIZE:
            self.pair.put(address, bytes(size))
        elif address >= POOL_BASE:
            self.pair.put(address, ctypes.string_at(ctypes.addressof(self.image.data) + address - POOL_BASE, size))
        else:
            offset = address - self.place["bss_start"]
            self.pair.put(address, self.platform[offset : offset + size])

    def alter(self):
        """Set one field to a boundary; return its path and what it held."""
        path, type_ = leaf(self.model, self.random, FIELDS)
        old = reach(self.model, path)
        try:
            place(self.model, path, boundary(type_, self.random))
        except ValueError:  # an enumeration without this number
            pass
        self.bring()
        return path, old

    # ---- entries

    def entry(self):
        """Return a way to enter the function, or None where the model is undefined."""
        return self.of_model() if self.function is not None else self.of_platform()

    def registers(self):
        """Return random values for the registers, with the return address in x30."""
        return [self.random.getrandbits(WORD) for _ in GENERAL[:-1]] + [BACK]

    def of_model(self):
        """Return an entry with arguments for a function of the model, or None where it is undefined."""
        values, general, at = [], self.registers(), SCRATCH
        for number, parameter in enumerate(self.function.parameters):
            if parameter.type is Kernel:
                values.append(self.model)
                general[number] = POOL_BASE
            elif is_scalar(parameter.type):
                value = self.scalar(parameter.type)
                values.append(value)
                width = 8 * parameter.type.storage
                general[number] = general[number] >> width << width | int(value)
            else:
                values.append(self.record(parameter.type))
                self.pair.put(at, encode(values[-1], parameter.type))
                general[number], at = at, align(at + size_of(parameter.type), 16)
        returns = self.function.returns
        if not self.defined(values):
            return None
        return Entry(
            self.place[self.symbol],
            tuple(general),
            STACK.end,
            system=self.system(),
            ends=call(8 * returns.storage if returns is not None else 0),
        )

    def defined(self, values):
        """Is the function of the model defined here? The state is as before when this returns."""
        try:
            self.function.python(*values)
            return True
        except (ArithmeticError, ValueError, IndexError):
            return False
        finally:
            restore(self.image)

    def scalar(self, type_):
        """Return a value of a type: the index of a row that was written to, a boundary, or any."""
        rows = getattr(self.model, TABLE_OF[type_.name]).rows if type_.name in TABLE_OF else ()
        return any_scalar(type_, self.random, sorted(rows))

    def record(self, type_):
        """Return a record or an array to give to a function."""
        if type_ is Call and self.random.random() < 0.8:
            return self.call()
        return filled(type_, self.random, self.scalar)

    def call(self):
        """Return a call as a partition would make it in this state, with the capability that its handle names."""
        names = [name for name in self.generator_names() if self.random.random() < 0.9]
        self.generator.queue.clear()
        step = self.generator.call(self.model, self.random.choice(names or ["yield_now"]))
        while not isinstance(step, Hypercall):
            step = self.generator.queue.pop(0)
        self.generator.queue.clear()
        made = question(step)
        made.capability = (self.model.current << SLOT_BITS) | (made.argument[0] & (SLOTS - 1))
        made.yields = bool(self.random.getrandbits(1))
        return made

    def generator_names(self):
        """Return the operations that the function may be about: its own, or all."""
        from corollary.emulation.calls import BY_NAME

        own = [name for name, declared in BY_NAME.items() if declared.function is self.function.python]
        return own or list(BY_NAME)

    # ---- the platform

    def of_platform(self):
        """Return an entry into the platform: arguments where it takes some, anything in all other registers."""
        general, sp, address = self.registers(), STACK.end, self.place[self.symbol]
        context = self.place["contexts"] + self.model.current * CONTEXT.size
        if self.symbol == "vectors":
            address += self.offset // CONSTANT["VECTOR_SIZE"] * CONSTANT["VECTOR_SIZE"]
        if self.symbol in ("vectors", "save_context"):
            sp = context
        if self.symbol in ("trap", "save_context", "restore_context"):
            general[0], general[1] = context, self.random.randrange(4)
        elif self.symbol.startswith("check_"):
            general[0], general[1] = POOL_BASE, SCRATCH
        elif self.symbol == "violated":
            general[0] = SCRATCH
        elif self.symbol in ("start", "power_on"):
            package = demonstration().package.read_bytes() if self.random.getrandbits(1) else bytes(PAGE)
            self.pair.put(REGION["package"].start, package)
        vectors = tuple(self.random.getrandbits(128) for _ in VECTORS) if self.symbol in NAKED else (0,) * len(VECTORS)
        return Entry(
            address,
            tuple(general),
            sp,
            vectors,
            self.system(),
            {} if self.symbol in NAKED else call(RETURNING.get(self.symbol, 0)),
        )

    def system(self):
        """Return what system registers hold: anything, but values that the platform checks for more often."""
        pick, anything = self.random.choice, self.random.getrandbits
        found = {name: anything(WORD) for name in self.pair.sides[0].program.names.values() if " " not in name}
        found["CURRENTEL"] = pick((CONSTANT["CURRENT_EL2"], CONSTANT["CURRENT_EL2"], 4))
        found["CNTFRQ_EL0"] = pick((CONSTANT["COUNTER_HZ"], CONSTANT["COUNTER_HZ"], anything(32)))
        found["ICC_IAR1_EL1"] = pick((CONSTANT["TIMER_INTERRUPT"], CONSTANT["SPECIAL_INTERRUPTS"], anything(10)))
        found["ESR_EL2"] = pick(CLASSES) << CONSTANT["ESR_EC_SHIFT"] | pick((0, 1, anything(25)))
        found["CNTPCT_EL0"] = self.generator.now // CONSTANT["TICK_NS"] + anything(20)
        found["TPIDR_EL2"] = pick((0, 1, anything(WORD)))
        return found


def restore(image):
    """Restore a model state from the bytes of its image; tables row by row, as touched."""
    data = ctypes.addressof(image.data)
    for slot in image.tables:
        rows, type_ = getattr(image.state, slot.name).rows, slot.type.element
        step = size_of(type_)
        for index in rows.touched:
            if dict.__contains__(rows, index):
                dict.__setitem__(rows, index, decode(ctypes.string_at(data + slot.offset + index * step, step), type_))
        rows.touched.clear()
    for slot in image.rest:
        part = ctypes.string_at(data + slot.offset, slot.size)
        if is_scalar(slot.type):
            object.__setattr__(image.state, slot.name, decode(part, slot.type))
        else:
            decode(part, slot.type, into=getattr(image.state, slot.name))
