"""What can the kernel itself reach? Its tables, walked with the registers that `start` sets, map its regions only.

This is shown for all addresses, cell by cell. A cell is what one descriptor decides about: a page, a block, or a range
that is not mapped. One proof for all tables shows that the walk tells the addresses of a cell apart only by their
place in it.
"""

from dataclasses import dataclass

import z3

from corollary.language.frontend import translate
from corollary.language.reads import remembered
from corollary.language.types import u8, u64
from corollary.language.values import local
from corollary.proofs import bits, second
from corollary.proofs.engine import EFFORT
from corollary.proofs.machine.memory import ADDRESS, BYTE
from corollary.proofs.symbolic import TOP, Executor, Reference, Store
from corollary.spec.kernel import memory_map, platform
from corollary.spec.kernel.limits import PAGE_BITS
from corollary.spec.kernel.regime import ENTRY_BITS, Mapped, Regime, Tcr, stage1_walk

WORD = ADDRESS // BYTE
SET = {register.name: register.value for register in (*platform.BOOT_REGISTERS, platform.SCTLR_EL2)}
REGISTERS = {"sctlr": SET["SCTLR_EL2"], "tcr": SET["TCR_EL2"], "mair": SET["MAIR_EL2"]}
SIZE = 1 << 64 - Tcr(SET["TCR_EL2"]).t0sz  # of the addresses that can be translated at all
TOLD = tuple(name for name in Mapped.fields if name != "output")
"""What a walk returns that is the same for all addresses of a cell."""


class Mistranslated(Exception):
    """The kernel reaches something that it should not, or in a wrong way; the message says where."""


@dataclass(frozen=True)
class Cell:
    """The addresses that one descriptor decides about, and what the walk says of the first."""

    address: int
    size: int
    mapped: Mapped


def regime(image):
    """Return what EL2 translates with: the registers that the contract of `start` sets, and the image's tables."""
    found, base, root = Regime(**REGISTERS), image.labels["translation_start"], image.labels["translation_root"]
    found.base, found.ttbr = base, root
    data = image.constant(base, image.labels["translation_end"] - base)
    for number in range(len(data) // WORD):
        found.word[number] = int.from_bytes(data[WORD * number : WORD * (number + 1)], "little")
    return found


def shift_of(level):
    """Return the number of address bits that a descriptor of a level does not look at."""
    return PAGE_BITS + ENTRY_BITS * (3 - level)


def cells(found, first=0, last=SIZE):
    """Yield the cells from one address to another."""
    while first < last:
        mapped = local(Mapped)
        stage1_walk(found, first, mapped)
        size = 1 << shift_of(mapped.level)
        yield Cell(first, size, mapped)
        first += size


def check(found, regions=memory_map.REGIONS, first=0, last=SIZE):
    """Return how many cells are mapped. Raises `Mistranslated` if one does not lead where the memory map says."""
    return sum(check_cell(cell, regions) for cell in cells(found, first, last))


def check_cell(cell, regions):
    """Is a cell mapped? Raises `Mistranslated` if it is not mapped as it should be."""
    mapped, end = cell.mapped, cell.address + cell.size
    touched = [region for region in regions if region.start < end and cell.address < region.end]
    if mapped.unspecified:
        raise Mistranslated(f"a descriptor or register for {cell.address:#x} has a value that means nothing")
    if mapped.fault:
        if touched:
            raise Mistranslated(f"{cell.address:#x} of {touched[0].name} is not mapped")
        return False
    if len(touched) != 1 or not touched[0].start <= cell.address < end <= touched[0].end:
        raise Mistranslated(f"{cell.address:#x}, with {cell.size:#x} bytes, is mapped and is of no one region")
    use = memory_map.USES[touched[0].kind]
    said = memory_map.Use(mapped.place, mapped.attributes, mapped.shareability, mapped.write, mapped.execute)
    if mapped.limited:
        raise Mistranslated(f"a table on the way to {cell.address:#x} limits what its descriptors say")
    if mapped.never == mapped.execute:
        raise Mistranslated(f"nothing but WXN keeps {cell.address:#x} from being executed")
    if mapped.output != cell.address or said != use:
        raise Mistranslated(f"{cell.address:#x} of {touched[0].name} leads to {mapped.output:#x} as {said}, not {use}")
    return True


# ---- the walk does not tell the addresses of a cell apart


@remembered
def uniform():
    """Prove that the walk does not tell a cell's addresses apart, for all contents of the tables.

    Raises `Mistranslated` if that does not hold, or if the solver does not know.
    """
    roots = {"r": Regime, "one": Mapped, "other": Mapped}
    store = Store(set(roots))
    store.shared["roots"] = dict(roots)
    place = {name: Reference(name, (), (), type_) for name, type_ in roots.items()}
    for name, value in REGISTERS.items():
        store.write(place["r"].field(name, u64), value, TOP)
    executor, addresses = Executor(store), {name: z3.BitVec(name, ADDRESS) for name in ("one", "other")}
    for name, address in addresses.items():
        executor.run(translate(stage1_walk), [place["r"], address, place[name]])
    told = {
        name: {field: store.read(place[name].field(field, type_), [], TOP) for field, type_ in Mapped.fields.items()}
        for name in addresses
    }
    defined = [bits.disjoin([bits.negate(each.guard.term), each.condition]) for each in executor.obligations]
    prove("the walk has a value", bits.conjoin(defined))
    prove("the addresses of a cell are alike", alike(addresses, told))
    prove(
        "what has more bits than T0SZ allows faults",
        z3.Implies(z3.UGE(addresses["one"], SIZE), bits.truth(told["one"]["fault"])),
    )


def alike(addresses, told):
    """Return the condition that two addresses of one cell keep their offsets into it, and that all else is the same."""
    one, other = addresses["one"], addresses["other"]
    level = bits.term(bits.resize(told["one"]["level"], u8, u64), u64)
    shift = PAGE_BITS + ENTRY_BITS * (3 - level)
    within = (z3.BitVecVal(1, ADDRESS) << shift) - 1
    same = [bits.compare("==", told["one"][name], told["other"][name], Mapped.fields[name]) for name in TOLD]
    leads = [bits.term(told[name]["output"], u64) - (addresses[name] & within) for name in ("one", "other")]
    nowhere = [bits.truth(told["one"][name]) for name in ("fault", "unspecified")]
    equal = z3.And(*map(bits.truth, same), z3.Or(*nowhere, leads[0] == leads[1]))
    return z3.Implies((one ^ other) & ~within == 0, equal)


def prove(what, goal):
    """Prove a goal. Raises `Mistranslated` if it does not hold, or if the solver does not know."""
    solver = z3.Solver()
    solver.set("rlimit", EFFORT)
    solver.add(z3.Not(bits.truth(goal)))
    answer = solver.check()
    if answer != z3.unsat:
        raise Mistranslated(f"{what}: {'refuted' if answer == z3.sat else 'the solver does not know'}")
    second.confirm(solver)
