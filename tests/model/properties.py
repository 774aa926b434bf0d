"""Do all promises hold in this state?

Every invariant, corollary and theorem is checked on every row that was ever touched.

Tables are sparse, and an untouched row is all zero. One such row of each table stands for all the others.
"""

import itertools
import random

from corollary.language.component import GIVEN
from corollary.language.frontend import translate
from corollary.model.kernel.component import KERNEL
from corollary.model.kernel.gate import OPERATIONS
from corollary.model.kernel.promises import CONSERVED, COROLLARIES, INVARIANTS, THEOREMS
from corollary.proofs.conserved import total
from corollary.spec.kernel.limits import CHILDREN, ORDERS, PAGE_WORDS, PAYLOAD_WORDS, RECORDS
from corollary.spec.kernel.state import Kernel, UsedWord
from corollary.spec.kernel.vocabulary import Access, PageKind, Resource
from corollary.spec.kernel.witness import KERNEL_ACTOR

GUEST_ADDRESSES = (
    0,
    0x8000_0000,
    0x8000_1000,
    0x8000_7FF8,
    0x8020_0000,
    0xC000_0000,
    (1 << 39) - 8,
    1 << 39,
    (1 << 64) - 8,
)
TIMES = (0, 10**9, 10**12, 1 << 63)
TABLES = {name: type_.index for name, type_ in Kernel.fields.items() if getattr(type_, "index", None)}
KEPT_BY_REFUSAL = ("log", "head", "sequence", "drained", "time")


def parameters_of(property_):
    """Return the parameters of a property."""
    return translate(property_.function).parameters


PROPERTIES = (*INVARIANTS.values(), *COROLLARIES.values(), *THEOREMS.values())
NAMED = {*KERNEL.types, *GIVEN}
INDICES = {p.id: tuple(q.type.name for q in parameters_of(p) if q.name not in NAMED) for p in PROPERTIES}


def holds(theorem, step, indices):
    """Does a theorem hold for a step, with named states, call and status, at some indices?"""
    named = [step[q.name] for q in parameters_of(theorem) if q.name in NAMED]
    return theorem.function(*named, *indices)


class Untouched:
    """Looking at a row creates it; this class removes the rows created by looking."""

    def __init__(self, *states):
        self.states = states

    def __enter__(self):
        self.rows = [
            (table.rows, set(table.rows)) for s in self.states for table in (getattr(s, name) for name in TABLES)
        ]

    def __exit__(self, *exception):
        for rows, known in self.rows:
            for extra in rows.keys() - known:
                del rows[extra]


class Reach:
    """The values of each index type worth checking, for one state or for the states around a call."""

    def __init__(self, *states):
        self.states = states
        self.single = {
            index.name: self.with_one_more(
                index.bound, *(getattr(s, table).rows for s in states for table in TABLES if TABLES[table] is index)
            )
            for index in dict.fromkeys(TABLES.values())
        }
        self.single["bool"] = (False, True)
        self.single["u64"] = TIMES
        self.single["Resource"] = tuple(Resource)
        self.single["Access"] = (Access.READ, Access.WRITE, Access.READ | Access.WRITE)
        self.single["UsedWord"] = tuple(range(UsedWord.bound))
        self.single["ChildId"] = range(CHILDREN)
        self.single["Order"] = range(ORDERS)
        self.single["u8"] = (0, 1, 2, 3, 255)
        self.single["EntryId"] = (0, 1, 2, PAGE_WORDS - 1, random.randrange(PAGE_WORDS))
        self.single["PayloadId"] = (0, PAYLOAD_WORDS - 1, random.randrange(PAYLOAD_WORDS))

    @staticmethod
    def with_one_more(length, *rows):
        """Return the rows that were touched, and one that was not."""
        touched = set().union(*rows)
        other = next((number for number in random.sample(range(length), min(length, 8)) if number not in touched), 0)
        return sorted({*touched, other})

    def of(self, id_):
        """Return every combination of indices for a property."""
        names = INDICES[id_]
        if names == ("PageId", "EntryId"):
            return self.words()
        if names == ("u64",):
            return itertools.product(GUEST_ADDRESSES)
        if names == ("PartitionId", "u64"):
            return itertools.product(self.single["PartitionId"], GUEST_ADDRESSES if id_.startswith("ISO") else TIMES)
        if len(names) == 4:
            known = [p for p in self.single["PartitionId"] if any(s.partition[p].rooted for s in self.states)]
            return itertools.product(known, known, GUEST_ADDRESSES[1:4], GUEST_ADDRESSES[1:4])
        return itertools.product(*(self.single[name] for name in names))

    def words(self):
        """Return every word that was ever written, and one that was not, of every page."""
        for page in self.single["PageId"]:
            written = set().union(*(s.memory[page].word.rows for s in self.states if page in s.memory.rows))
            for entry in (*written, random.randrange(PAGE_WORDS)):
                yield page, entry


def broken(s, registry=None):
    """Return the first promise about a state that does not hold: `(id, indices)`, or None."""
    with Untouched(s):
        reach = Reach(s)
        for p in registry or (*INVARIANTS.values(), *COROLLARIES.values()):
            for indices in reach.of(p.id):
                if not p.function(s, *indices):
                    return p.id, indices
    return None


def broken_step(before, call, after, status, asked=None):
    """Return the first theorem that a call breaks: `(id, indices)`, or None.

    `asked` is the call as it was made, where that is known.
    """
    declared = OPERATIONS[call.operation] if call.operation < len(OPERATIONS) else None
    step = {"before": before, "asked": asked or call, "call": call, "after": after, "status": status}
    with Untouched(before, after):
        reach = Reach(before, after)
        for p in THEOREMS.values():
            if p.about is not None and not (p.unknown if declared is None else p.concerns(declared)):
                continue
            for indices in reach.of(p.id):
                if not holds(p, step, indices):
                    return p.id, indices
    return None


# ---- counts that the proofs do not make


def miscounted(s):
    """Return the first account that does not add up as a sentence, or None."""
    undrained = [s.log[number & (RECORDS - 1)] for number in range(s.drained, s.sequence)]
    used = [row for row in s.page.rows.values() if row.kind not in (PageKind.FREE, PageKind.KERNEL)]
    for p, row in s.partition.rows.items():
        records = sum(record.actor == p for record in undrained)
        pages = sum(page.owner == p for page in used)
        if row.records != records:
            return f"partition {p} has {records} undrained records, its account says {row.records}"
        if row.pages != pages:
            return f"partition {p} owns {pages} pages, its account says {row.pages}"
    for promise in CONSERVED.values():
        with Untouched(s):
            whole = total(s, promise)
        if whole != promise.total:
            return f"{promise.id}: {whole} in all, not {promise.total}"
    kernels = sum(record.actor == KERNEL_ACTOR for record in undrained)
    if s.kernel_records != kernels:
        return f"the kernel has {kernels} undrained records, its account says {s.kernel_records}"
    if [record.sequence for record in undrained] != list(range(s.drained, s.sequence)):
        return "the log has a gap"
    return None


def meddled(before, after, status):
    """Return the paths that a refused call changed, except the record of its refusal. There should be none."""
    own = ("partition", before.current)
    allowed = {
        (*own, *path)
        for path in (
            ("records",),
            ("refused",),
            ("bucket", "credit"),
            ("bucket", "refilled"),
            ("messages", "used"),
            ("messages", "began"),
            ("awaited",),  # whoever calls does not wait any more
        )
    }
    return [path for path in changed(before, after) if path[0] not in KEPT_BY_REFUSAL and path not in allowed]


def changed(before, after, path=()):
    """Return the paths of every scalar that differs, without descending into equal parts."""
    if hasattr(before, "rows"):
        for number in {*before.rows, *after.rows}:
            one, other = before.rows.get(number), after.rows.get(number)
            if one is None or other is None:
                one, other = before[number], after[number]
            yield from changed(one, other, (*path, number))
    elif hasattr(before, "fields"):
        for key in before.fields:
            yield from changed(getattr(before, key), getattr(after, key), (*path, key))
    elif before != after:
        yield path
