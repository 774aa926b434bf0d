"""Does the compiled kernel take the same steps as the model? Both run side by side, compared byte by byte."""

import ctypes

from corollary.codegen.build import host_library
from corollary.emulation.traces import Environment, Fault, Hypercall, Preempt, taken
from corollary.language.frontend import translate
from corollary.language.layout import encode, leaf_at, size_of
from corollary.language.types import ArrayType
from corollary.language.values import spell
from corollary.model.kernel.action import contain, preempt
from corollary.model.kernel.boot import boot
from corollary.model.kernel.gate import dispatch
from corollary.model.kernel.schedule import proceed, rotate, survey
from corollary.spec.kernel.state import BootInformation, Call, Kernel

SIZE = size_of(Kernel)
SMALL = 256  # fields up to this many bytes are encoded after every step; tables row by row, as touched
MEMORY = size_of(Kernel.fields["memory"])
MEMORY_EVERY = 64  # steps between checks of the page frames that the model did not touch
compare = ctypes.CDLL(None).memcmp
compare.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t]


class Differs(AssertionError):
    """C and the model disagree."""


class Rows(dict):
    """The rows of a table; remembers which were looked at, and so may have changed."""

    def __init__(self, rows):
        super().__init__(rows)
        self.touched = set(rows)

    def get(self, index, default=None):
        self.touched.add(index)
        return dict.get(self, index, default)

    def __setitem__(self, index, value):
        self.touched.add(index)
        dict.__setitem__(self, index, value)


class Image:
    """The bytes of a model state, kept up to date row by row."""

    def __init__(self, state):
        self.state = state
        self.data = ctypes.create_string_buffer(encode(state, Kernel), SIZE)
        self.tables = [slot for slot in Kernel.layout.slots if isinstance(slot.type, ArrayType) and slot.size > SMALL]
        self.rest = [slot for slot in Kernel.layout.slots if slot not in self.tables]
        for slot in self.tables:
            table = getattr(state, slot.name)
            table.rows = Rows(table.rows)

    def update(self):
        """Encode what was touched; return the byte ranges written."""
        written = []
        for slot in self.tables:
            rows, step = getattr(self.state, slot.name).rows, size_of(slot.type.element)
            for index in rows.touched:
                if dict.__contains__(rows, index):
                    written.append(
                        self.put(slot.offset + index * step, encode(dict.get(rows, index), slot.type.element))
                    )
            rows.touched.clear()
        for slot in self.rest:
            written.append(self.put(slot.offset, encode(getattr(self.state, slot.name), slot.type)))
        return written

    def put(self, offset, data):
        ctypes.memmove(ctypes.addressof(self.data) + offset, data, len(data))
        return offset, len(data)


class Machine:
    """A kernel in C and its model, after the same boot."""

    def __init__(self, information, library=None):
        self.library = ctypes.CDLL(str(library or host_library()))
        self.model, self.memory = Kernel(), ctypes.create_string_buffer(SIZE)
        boot(self.model, information)
        self.run(boot, self.buffer(information, BootInformation))
        self.image, self.taken, self.history = Image(self.model), 0, []
        self.check_all("boot")

    def run(self, python, *arguments):
        """Call the C function of a function of the language, on the C state."""
        function = translate(python)
        entry = getattr(self.library, function.symbol)
        entry.restype = ctypes.c_uint8 if function.returns is not None else None
        passed = [
            argument if isinstance(argument, ctypes.Array) else ctypes.c_uint64(argument) for argument in arguments
        ]
        return entry(self.memory, *passed)

    def buffer(self, value, type_):
        return ctypes.create_string_buffer(encode(value, type_), size_of(type_))

    def step(self, step):
        """Take one step on both sides and compare its whole outcome; return the status of a hypercall."""
        self.taken += 1
        asked = self.buffer(question(step), Call) if isinstance(step, Hypercall) else None
        patches = step.patches() if isinstance(step, Environment) and step.possible(self.model) else None
        call, status = taken(self.model, step)
        free = self.model.idle
        proceed(self.model)
        written = self.image.update()
        if asked is not None:
            got = self.run(dispatch, asked)
            if got != status:
                raise Differs(f"step {self.taken}, {step}: the model returns {status!r}, C {got}")
            self.same(asked.raw, encode(call, Call), Call, step)
        elif patches is not None:
            for offset, data in patches:
                ctypes.memmove(ctypes.addressof(self.memory) + offset, data, len(data))
        elif isinstance(step, Preempt):
            self.run(preempt, step.now)
        elif isinstance(step, Fault):
            self.run(contain, step.now, step.syndrome, step.address)
        if free:
            self.run(survey)
            self.run(rotate)
        self.check(step, written)
        return status

    def check(self, step, written):
        """Compare what the model touched and everything outside the page frames; all frames only now and then."""
        ours, theirs = ctypes.addressof(self.image.data), ctypes.addressof(self.memory)
        same = compare(ours + MEMORY, theirs + MEMORY, SIZE - MEMORY) == 0
        same = same and all(
            compare(ours + offset, theirs + offset, size) == 0 for offset, size in written if offset < MEMORY
        )
        if not same or self.taken % MEMORY_EVERY == 0:
            self.check_all(step)

    def check_all(self, step):
        """Compare every byte of the state."""
        if compare(self.image.data, self.memory, SIZE) != 0:
            self.same(self.memory.raw, self.image.data.raw, Kernel, step)

    def same(self, got, wanted, type_, step):
        """Raise `Differs` for the first field in which two encoded values differ."""
        if got == wanted:
            return
        offset = next(position for position in range(len(got)) if got[position] != wanted[position])
        path = leaf_at(type_, offset)
        raise Differs(
            f"step {self.taken}, {step}: {spell(path)} (byte {offset}) "
            f"is {wanted[offset : offset + 8].hex()} in the model, "
            f"{got[offset : offset + 8].hex()} in C"
        )

    def violated(self):
        """Return the id of an invariant that C finds violated, with its indices, or None."""
        found = (ctypes.c_uint32 * 3)()
        self.library.check_invariants.restype = ctypes.c_bool
        if self.library.check_invariants(self.memory, found):
            return None
        ids = (ctypes.c_char_p * (found[0] + 1)).in_dll(self.library, "INVARIANT_ID")
        return ids[found[0]].decode(), found[1], found[2]


def question(step):
    """Return the call that a hypercall step makes."""
    call = Call(now=step.now, operation=step.operation)
    for position, value in enumerate(step.arguments):
        call.argument[position] = value
    return call
