"""What does each byte of a module cost to load, at worst? A search finds the costliest modules, and counts their steps.

A step is an edge between two basic blocks, in a build of the library that counts them, so each run gives the same
number. The room for a module is the same in each run, too. The modules are of several kinds, each made to waste
something, and the search varies the numbers that shape them.
"""

import ctypes
import random
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.table import Table

from corollary import Instance, snapshot
from corollary.library import CONTENT, MODULE, TRANSLATION, VALIDATION, Room, library
from corollary.spec.wasm.module import DEPTH, LOCALS, OPERANDS
from corollary.spec.wasm.refusals import Refusal
from corollary.spec.wasm.snapshot import Fault

COUNTING = ("-fsanitize-coverage=trace-pc-guard", str(Path(__file__).parent / "counting" / "rounds.c"))
PASSES = ("decode", "validate", "translate")
WORDS, MARGIN = 16, 4096  # words of code for a module, as the host makes room
SIZE = 1 << 14  # bytes of the modules in the search,
LARGER = 4  # and how many times as large the modules are that they are compared with
TRIES, SEED = 60, 1  # of each kind
DEEP, MANY = 20_000, 20_000  # calls in the checked snapshot, and functions of its module
KEY = 32  # bytes of the key of a snapshot
I32, FUNCTION, HEADER = 0x7F, 0x60, b"\0asm\1\0\0\0"
TYPE, IMPORT, FUNCTIONS, TABLE, GLOBAL, EXPORT, ELEMENT, CODE, DATA, CUSTOM = 1, 2, 3, 4, 6, 7, 9, 10, 11, 0
UNREACHABLE, BLOCK, LOOP, IF, ELSE, END, BR, BR_IF, BR_TABLE, RETURN, CALL, DROP = (
    0,
    2,
    3,
    4,
    5,
    11,
    12,
    13,
    14,
    15,
    16,
    26,
)
GET, SET, TEE, CONST, LOAD, ADD, EQZ, SHL = 0x20, 0x21, 0x22, 0x41, 0x28, 0x6A, 0x45, 0x74


# ---- modules of some kinds: each takes a size and three numbers that shape it


def number(value):
    """Return a number in LEB128."""
    rest, low = value >> 7, value & 0x7F
    return bytes([low]) if not rest else bytes([low | 0x80]) + number(rest)


def vector(items):
    """Return a vector of encoded items."""
    items = list(items)
    return number(len(items)) + b"".join(items)


def text(data):
    """Return bytes with their length before them, as names and bodies have it."""
    return number(len(data)) + data


def module(*sections):
    """Return a module of sections, each `(id, content)`."""
    return HEADER + b"".join(bytes([kind]) + text(content) for kind, content in sections)


def signature(parameters, results):
    """Return a function type with so many i32 parameters and results."""
    return bytes([FUNCTION]) + vector([bytes([I32])] * parameters) + vector([bytes([I32])] * results)


def functions(types, bodies, *more):
    """Return a module of functions: `bodies` has the type of each, and its locals and instructions."""
    return module(
        (TYPE, vector(types)),
        (FUNCTIONS, vector(number(type_) for type_, _ in bodies)),
        *more,
        (CODE, vector(text(body + bytes([END])) for _, body in bodies)),
    )


def repeated(piece, size):
    """Return a piece of code, repeated up to a size."""
    return piece * max(1, size // len(piece))


def types(size, a, b, c):
    """Types that are equal, or that begin alike and differ at the end."""

    def one(position):
        kinds = [I32] * (a % 64) + [I32 - (position >> 2 * place) % 4 for place in range(c % 10)]
        return bytes([FUNCTION]) + vector(bytes([kind]) for kind in kinds) + vector([bytes([I32])] * (b % 64))

    return module((TYPE, vector(one(position) for position in range(size // len(one(0))))))


def exports(size, a, b, c):
    """Names that begin alike, in an alphabet of some size."""
    letters = 1 + b % 90

    def one(position):
        tail = bytes(35 + position // letters**place % letters for place in range(1 + c % 6))
        return text(b"p" * (a % 200) + tail) + b"\3" + number(0)

    found = dict.fromkeys(one(position) for position in range(size // len(one(0))))
    return module((GLOBAL, vector([bytes([I32, 0, CONST, 0, END])])), (EXPORT, vector(found)))


def imports(size, a, b, c):
    """Imported functions, tables or globals, which need no code."""
    kind = (b"\0\0", b"\1\x70\0\0", b"\3\x7f\0")[c % 3]
    one = text(b"m" * (a % 32)) + text(b"n" * (b % 32)) + kind
    return module((TYPE, vector([signature(0, 0)])), (IMPORT, vector([one] * (size // len(one)))))


def locals_(size, a, b, c):
    """Small functions with as many locals as allowed, in some groups."""
    groups = vector([number(LOCALS // (1 + a % 8)) + bytes([I32])] * (1 + a % 8))
    return functions(
        [signature(b % 4, 0)], [(0, groups + bytes([GET, 0, DROP] * (c % 3)))] * (size // (12 + len(groups)))
    )


def empty(size, a, b, c):
    """Functions that do nothing."""
    return functions([signature(a % 4, 0)] * (1 + b % 4), [(c % (1 + b % 4), b"\0")] * (size // 4))


def calls(size, a, b, c):
    """Calls with many operands, in code that runs or does not."""
    arity, results = a % 1000, (a if c % 2 else b) % 1000
    before = b"".join(bytes([CONST, 0]) for _ in range(arity)) if c % 4 < 2 else bytes([UNREACHABLE])
    one = bytes([CALL, 0]) + (bytes([UNREACHABLE]) if c % 4 > 1 else b"")
    after = bytes([DROP]) * (results if c % 4 < 2 else 0)
    return functions(
        [signature(arity, results), signature(0, 0)], [(0, b"\0\0"), (1, b"\0" + before + repeated(one, size) + after)]
    )


def blocks(size, a, b, c):
    """Blocks that take and leave many operands, in sequence or nested."""
    arity = a % 1000
    before = b"".join(bytes([CONST, 0]) for _ in range(arity))
    opening = bytes([(BLOCK, LOOP, IF)[c % 3]]) + number(0)
    opening = bytes([CONST, 1]) + opening if c % 3 == 2 else opening
    depth = 1 + b % 64
    return functions(
        [signature(arity, arity), signature(0, 0)],
        [
            (
                1,
                b"\0"
                + before
                + repeated(opening * depth + (bytes([ELSE, END]) if c % 3 == 2 else bytes([END])) * depth, size),
            )
        ],
    )


def unreached(size, a, b, c):
    """Blocks, branches and returns in unreachable code, whose operands need not be there."""
    one = ((LOOP, 0, BR, 0, END, UNREACHABLE), (RETURN,), (BLOCK, 1, END), (BR, 0), (BR_IF, 0), (BR_TABLE, 0, 0))[c % 6]
    arity = a % 1000
    between = bytes([UNREACHABLE] * (b % 2))
    body = bytes([0, UNREACHABLE]) + repeated(bytes(one) + between, size) + bytes([UNREACHABLE])
    return functions([signature(0, arity), signature(arity, arity)], [(0, body)])


def branches(size, a, b, c):
    """Branches to the end of a block, with operands."""
    arity = a % 100
    before = bytes([BLOCK]) + number(0) + b"".join(bytes([(CONST, GET)[b % 2], 0]) for _ in range(arity))
    one = bytes([CONST, 1, BR_IF, c % 2])
    return functions(
        [signature(0, arity), signature(1, 0)],
        [(1, b"\0" + before + repeated(one, size) + bytes([END] + [DROP] * arity))],
    )


def tables(size, a, b, c):
    """Branch tables with targets among many blocks."""
    depth, arity = 1 + a % 500, b % 32
    opening = b"".join(bytes([BLOCK]) + number(0) for _ in range(depth))
    before = b"".join(bytes([(CONST, GET)[c % 2], 0]) for _ in range(arity + 1))
    labels = [number(label % depth) for label in range(size // 2)]
    return functions(
        [signature(0, arity), signature(1, 0)],
        [
            (
                1,
                b"\0"
                + opening
                + before
                + bytes([BR_TABLE])
                + vector(labels)
                + number(0)
                + bytes([END] * depth + [DROP] * arity),
            )
        ],
    )


def nested(size, a, b, c):
    """Nested blocks, as deep as allowed, repeated."""
    depth = min(DEPTH - 2, 1 + a % DEPTH)
    opening = (bytes([BLOCK, 0x40]), bytes([LOOP, 0x40]), bytes([CONST, 1, IF, 0x40]))[c % 3]
    return functions(
        [signature(0, 0)],
        [(0, b"\0" + repeated(opening * depth + bytes([BR, 0] * (b % 2)) + bytes([END]) * depth, size))],
    )


def operands(size, a, b, c):
    """Operands that are still in locals when the locals are set."""
    pushes = bytes([GET, 0] * (1 + a % 400))
    sets = bytes([CONST, 0, (SET, TEE)[c % 2], b % 2] + [DROP] * (c % 2)) * (1 + b % 30)
    one = pushes + sets + bytes([DROP] * (1 + a % 400))
    return functions([signature(2, 0)], [(0, b"\0" + repeated(one, size))])


def elements(size, a, b, c):
    """Element segments, of many items or of none."""
    item = (number(0), bytes([0xD2, 0, END]), bytes([0xD0, 0x70, END]))[c % 3]
    flag = (b"\3\0", b"\7\x70", b"\7\x70")[c % 3]
    one = flag + vector([item] * (a % 300))
    return functions([signature(0, 0)], [(0, b"\0")], (ELEMENT, vector([one] * (size // len(one)))))


def data(size, a, b, c):
    """Small data segments."""
    return module((DATA, vector([b"\1" + text(bytes(a % 16))] * (size // (2 + a % 16)))))


def globals_(size, a, b, c):
    """Globals with constants of several bytes, or with more instructions than a constant has."""
    one = (
        bytes([I32, 0])
        + (bytes([CONST, 0]) * (1 + a % 5) if c % 2 else bytes([CONST]) + b"\x80" * (a % 5) + b"\0")
        + bytes([END])
    )
    return module((GLOBAL, vector([one] * (size // len(one)))))


def custom(size, a, b, c):
    """Custom sections, with names of several bytes for each letter."""
    one = bytes([CUSTOM]) + text(text(("é", "€", "𝄞", "a")[c % 4].encode() * (a % 5000)))
    return HEADER + one * max(1, size // len(one))


def arithmetic(size, a, b, c):
    """Instructions that are fused into one operation with others, or are not."""
    chosen = random.Random(f"{a} {b} {c}")
    pieces = [
        bytes([GET, 0, GET, 1, ADD, SET, 0]),
        bytes([GET, 0, CONST, 2, SHL, SET, 1]),
        bytes([GET, 0, EQZ, BR_IF, 0]),
        bytes([GET, 0, LOAD, 2, 0, DROP]),
        bytes([GET, 0, GET, 1, SET, 0, SET, 1]),
        bytes([BLOCK, 0x40, GET, 0, BR_IF, 0, END]),
        bytes([CONST, 1, DROP]),
        bytes([CALL, 0]),
    ]
    line = b"".join(chosen.choice(pieces) for _ in range(1 + a % 12))
    memory = (5, b"\1\0\1")
    return functions([signature(2, 0), signature(0, 0)], [(1, b"\0"), (0, b"\0" + repeated(line, size))], memory)


KINDS = {
    kind.__name__.strip("_"): kind
    for kind in (
        types,
        exports,
        imports,
        locals_,
        empty,
        calls,
        blocks,
        unreached,
        branches,
        tables,
        nested,
        operands,
        elements,
        data,
        globals_,
        custom,
        arithmetic,
    )
}


# ---- the cost of modules


@dataclass(frozen=True)
class Cost:
    """The cost of a module: the steps of each pass over it, the bytes of its room, and why it was refused, if so."""

    size: int
    steps: dict
    room: int
    refusal: Refusal

    @property
    def total(self):
        """The steps of all passes, for each byte."""
        return sum(self.steps.values()) / self.size


def cost(binary, prepare=lambda module: None):
    """Return the cost of loading some bytes; `prepare` may change the module's record before."""
    vm, room, steps = library(COUNTING), Room(MODULE), dict.fromkeys(PASSES, 0)
    counter = ctypes.c_uint64.in_dll(vm.loaded, "rounds")

    def step(name, function, *arguments):
        before = counter.value
        function(*arguments)
        steps[name] += counter.value - before
        return room.value.refusal != Refusal.NONE

    source = ctypes.create_string_buffer(binary, len(binary))
    room.put("bytes", source, len(binary))
    prepare(room.value)
    validation, translation = Room(VALIDATION), Room(TRANSLATION)
    if not step("decode", vm.decoder_survey, room.address):
        make(room)
        validation.make(operands=OPERANDS, labels=DEPTH, locals=LOCALS)
        translation.make(operands=OPERANDS, targets=DEPTH)
        for name in ("code", "marks"):
            translation.reserve(name, WORDS * len(binary) + MARGIN)
        _ = (
            step("decode", vm.decoder_decode, room.address)
            or step("validate", vm.validator_validate, room.address, validation.address)
            or step("translate", vm.translator_translate, room.address, translation.address)
        )
    used = sum(ctypes.sizeof(array) for name, array in room.kept.items() if name != "bytes") + 9 * translation.value.at
    return Cost(len(binary), steps, used, Refusal(room.value.refusal))


def make(room):
    """Allocate room for everything that was counted."""
    counts = room.value.counts
    more = {name: getattr(counts, name) + counts.imports for name in ("functions", "tables", "memories", "globals")}
    room.make(
        types=counts.types,
        imports=counts.imports,
        entries=more["functions"],
        exports=counts.exports,
        elements=counts.elements,
        items=counts.items,
        data=counts.data,
        nodes=1 + 2 * counts.text,
        **more,
    )


@dataclass(frozen=True)
class Worst:
    """The costliest module of a kind: its numbers, its cost, and the cost of a larger one with the same numbers."""

    kind: str
    numbers: tuple
    small: Cost
    large: Cost

    @property
    def slope(self):
        """How many times as much a byte costs in the larger one."""
        return self.large.total / self.small.total


def worst(kind, tries=TRIES, size=SIZE, seed=SEED):
    """Search for the costliest module of a kind: first at random, then among neighbours of the best."""
    chosen = random.Random(f"{seed} {kind}")
    best: Any = None
    found: Any = None
    for turn in range(tries):
        numbers = (
            tuple(chosen.randrange(1 << chosen.randrange(1, 17)) for _ in range(3))
            if turn < tries // 2
            else neighbour(best, chosen)
        )
        price = cost(KINDS[kind](size, *numbers))
        if found is None or price.total > found.total:
            best, found = numbers, price
    return Worst(kind, best, found, cost(KINDS[kind](LARGER * size, *best)))


def neighbour(numbers, chosen):
    """Return the numbers with one of them a little different."""
    place = chosen.randrange(len(numbers))
    other = max(0, numbers[place] + chosen.choice((-16, -3, -2, -1, 1, 2, 3, 16)))
    return (*numbers[:place], other, *numbers[place + 1 :])


def restoring(depth, others):
    """Return the steps that it takes to restore and check a snapshot, for each of its bytes, and the fault found.

    The snapshot has `depth` nested calls, and its module has `others` more functions.
    """
    binary = functions(
        [signature(1, 0), signature(0, 0)],
        [(1, b"\0")] * others + [(0, b"\0" + bytes([GET, 0, CALL]) + number(others))],
        (EXPORT, vector([text(b"run") + b"\0" + number(others)])),
    )
    instance, vm = Instance(binary), library(COUNTING)
    instance.call("run", 0, fuel=depth)
    kept, target, content = instance.snapshot(bytes(KEY)), Instance(instance.module), Room(CONTENT)
    content.lend("bytes", kept[: -snapshot.SEAL])
    content.value.at = snapshot.OPENING.size
    counter = ctypes.c_uint64.in_dll(vm.loaded, "rounds")
    before = counter.value
    fault = vm.content_restore(target.room.address, target.module.translation.address, content.address)
    return (counter.value - before) / len(kept), Fault(fault)


def as_data(row):
    """Return the worst module of a kind as data."""
    large = row.large
    return {
        "kind": row.kind,
        "steps_a_byte": {name: steps / large.size for name, steps in large.steps.items()},
        "when_larger": row.slope,
        "room_a_byte": large.room / large.size,
        "outcome": large.refusal.name.lower(),
    }


def show(rows, console):
    """Print the worst module of each kind, and the worst of all."""
    table = Table(
        "kind",
        *(f"{name}, steps a byte" for name in PASSES),
        "together",
        f"{LARGER} x as large",
        "room, bytes a byte",
        "outcome",
    )
    for row in sorted(rows, key=lambda row: -row.large.total):
        steps = (f"{row.large.steps[name] / row.large.size:.1f}" for name in PASSES)
        table.add_row(
            row.kind,
            *steps,
            f"{row.large.total:.1f}",
            f"{row.slope:.2f}",
            f"{row.large.room / row.large.size:.1f}",
            row.large.refusal.name.lower(),
        )
    console.print(table)
    console.print(
        f"A byte costs {max(row.large.total for row in rows):.0f} steps at most, "
        f"and {max(row.large.room / row.large.size for row in rows):.0f} bytes of room; "
        f"a byte of a snapshot, {restoring(DEEP, MANY)[0]:.0f} steps to restore."
    )
