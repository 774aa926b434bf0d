"""What can be opened in the report? Each thing that has obligations, and each promise, has a page of its own."""

import re
from collections import defaultdict
from dataclasses import dataclass, field
from functools import lru_cache

from markupsafe import Markup

from corollary.codegen import reference
from corollary.language.frontend import translate
from corollary.model.kernel.component import KERNEL
from corollary.model.kernel.gate import OPERATIONS
from corollary.model.kernel.promises import CONDITIONS, CONSERVED, COROLLARIES, EFFECTS, INVARIANTS, THEOREMS
from corollary.model.wasm.reference import function_of
from corollary.proofs import outside
from corollary.proofs.machine import called, handlers
from corollary.proofs.machine.bounds import Bounds, tells_of_paths
from corollary.proofs.machine.contracts import CONTRACTS
from corollary.proofs.machine.interpreter import HANDLER
from corollary.proofs.machine.obligations import built
from corollary.proofs.machine.summary import named
from corollary.proofs.transition import transitions
from corollary.report.results import RESULTS
from corollary.report.source import coloured, coloured_c, listing, platform_text
from corollary.spec.kernel.vocabulary import Ring, Tier
from corollary.spec.wasm.internal import OPERATIONS as BYTECODE

CODE = "machine-code"  # the property of the image that ships
SYMBOLS = {
    **{translate(action).symbol: action.__name__ for action in KERNEL.actions},
    **{translate(declared.function).symbol: declared.name for declared in OPERATIONS},
}
"""The action or the operation of each function that is one."""
PROMISES = (("invariant", INVARIANTS), ("conserved", CONSERVED), ("corollary", COROLLARIES), ("theorem", THEOREMS))
OPERATION, STEP, FUNCTION, PLATFORM, HANDLED, VM_FUNCTION, OTHER, PROMISE = (
    "operation",
    "step",
    "function of the kernel",
    "platform",
    "handler of the VM",
    "function of the VM",
    "other",
    "promise",
)
KINDS = (OPERATION, STEP, FUNCTION, PLATFORM, HANDLED, VM_FUNCTION, OTHER, PROMISE)
TIERS = {
    Tier.P1: "the capability is enough",
    Tier.P2: "and a page with its commitment: this call, now and once",
    Tier.P3: "and the commitment on a Merkle path to an attested root",
}


@dataclass
class Thing:
    """What a page shows: what it is about, facts, source in several languages, and what was found of it.

    A fact is a name and a value; a panel a heading and a text with its colours.
    """

    name: str
    kind: str
    doc: str = ""
    facts: list = field(default_factory=list)
    panels: list = field(default_factory=list)
    rows: list = field(default_factory=list)
    mutants: list = field(default_factory=list)

    @property
    def path(self):
        """The file of its page, below the folder of the report."""
        return path_of(self.name, self.kind == PROMISE)

    @property
    def result(self):
        """The worst result of its obligations; "" if it has none."""
        return worst(self.rows)


def worst(rows):
    """Return the worst result among rows; "" if there are none."""
    found = {row["result"] for row in rows}
    return next((result for result in RESULTS if result in found), "")


def path_of(name, promise=False):
    """Return the file of a page, below the folder of the report."""
    return f"{'promise' if promise else 'thing'}/{re.sub(r'[^A-Za-z0-9_.-]+', '-', name).strip('-')}.html"


def page_of(name):
    """Return the name of the thing on whose page another name is told: for a function that of its operation."""
    return SYMBOLS.get(name, name)


def anchor(id_):
    """Return the place of an obligation on its page."""
    return id_.replace(" ", "_")


def link(row):
    """Return where an obligation can be opened, from the folder of the report."""
    return f"{path_of(page_of(row['operation']))}#{anchor(row['id'])}"


# ---- all of them


def things(rows, mutants=()):
    """Return every operation, and everything else that some row is about, as `Thing`s in order of kind and name."""
    mine = defaultdict(list)
    for row in rows:
        mine[page_of(row["operation"])].append(row)
    names = sorted({*mine, *SYMBOLS.values()})
    told, dead = Teller(rows), by_page(mutants, rows)
    found = [told.thing(name, mine[name], dead[name]) for name in names]
    return sorted(found, key=lambda thing: (KINDS.index(thing.kind), thing.name))


def by_page(mutants, rows):
    """Return the mutants by the page to which they belong: where they were seeded, or where they died."""
    found, pages = defaultdict(list), {row["id"]: page_of(row["operation"]) for row in rows}
    for mutant in mutants:
        places = {page_of(mutant.function), page_of(mutant.operation), *(pages[id_] for id_ in killers(mutant, pages))}
        for name in places:
            found[name].append(mutant)
    return found


def killers(mutant, ids):
    """Return the ids of the obligations that noticed a mutant."""
    return [word for word in re.split(r"[\s,;:]+", mutant.killed_by) if word in ids]


class Teller:
    """Says what is known of a thing by its name."""

    def __init__(self, rows):
        self.decided = {row["id"] for row in rows}
        self.names = {row["operation"] for row in rows} | set(SYMBOLS)
        self.bounds = Bounds([row for row in rows if row["property"] == CODE and tells_of_paths(row)])

    def thing(self, name, rows, mutants):
        """Return a thing with all that is known of it."""
        kind, tell = next(((kind, tell) for kind, names, tell in self.kinds() if name in names), (OTHER, None))
        found = Thing(
            name, kind, rows=sorted(rows, key=lambda row: (row["level"], natural(row["id"]))), mutants=mutants
        )
        if tell:
            tell(found)
        return found

    def kinds(self):
        """Yield each kind of thing, the names of that kind, and what tells about them."""
        yield OPERATION, declared(), self.operation
        yield STEP, steps(), self.step
        yield FUNCTION, named(), self.function
        yield PLATFORM, CONTRACTS, self.platform
        yield HANDLED, bytecode(), self.handler
        yield VM_FUNCTION, outside.functions(), self.vm_function

    def operation(self, thing):
        """Tell of a hypercall."""
        about = declared()[thing.name]
        symbol, condition, effect = translate(about.function).symbol, *promises_of(about)
        thing.doc = " ".join(about.function.__doc__.split())
        thing.facts = [
            ("number", about.number),
            ("witness kind", about.kind.name),
            *who_may_call(about),
            (
                "arguments",
                ", ".join(f"{row['register']} {row['name']}: {row['type']}" for row in reference.argument_rows(about))
                or "none",
            ),
            ("can end with", ", ".join(status.name for status in reference.statuses(about))),
        ]
        thing.facts += (
            [("what success does", effect.sentence), ("what may change", ", ".join(effect.changes) or "nothing")]
            if effect
            else []
        )
        thing.facts += pairs("longest call", self.bounds.hypercall(symbol))
        thing.panels = [("Specification", coloured(about.function))]
        thing.panels += [("It succeeds if and only if", coloured(condition.function))] if condition else []
        thing.panels += [("Then", coloured(effect.function))] if effect else []
        self.code(thing, symbol)

    def step(self, thing):
        """Tell of a step that is no hypercall."""
        function = steps()[thing.name].function
        symbol = translate(function).symbol
        self.model(thing, symbol if page_of(symbol) == thing.name else "", function)

    def function(self, thing):
        """Tell of a function of the kernel."""
        self.model(thing, thing.name, named()[thing.name].python)

    def model(self, thing, symbol, python):
        """Tell of a function of the model, and of its machine code, unless that has a page of its own."""
        thing.doc = " ".join((python.__doc__ or "").split())
        thing.panels = [("Specification", coloured(python))]
        if symbol:
            self.code(thing, symbol)

    def code(self, thing, symbol):
        """Add the C and the machine code of a function, and how long it can run."""
        thing.panels.append(("Generated C", coloured_c(symbol)))
        if f"{symbol}/{CODE}" in self.decided and symbol in built().functions:
            thing.panels.append(("Machine code", listing(built(), built().functions[symbol], self.linked)))
            thing.facts += pairs(
                "its own function" if thing.kind == OPERATION else "at most",
                (self.bounds.instructions(symbol), self.bounds.stack(symbol)),
            )

    def platform(self, thing):
        """Tell of a piece of the platform that keeps a contract."""
        kept = CONTRACTS[thing.name]
        thing.doc = kept.sentence
        thing.panels = [
            ("Contract", coloured(kept.body)),
            ("Source", platform_text(kept.function.symbol)),
            ("Machine code", listing(built(), kept.symbol(built()), self.linked)),
        ]
        thing.facts = pairs("at most", (self.bounds.instructions(thing.name), self.bounds.stack(thing.name)))

    def handler(self, thing):
        """Tell of an operation of the VM's bytecode."""
        about, image = bytecode()[thing.name], handlers.built()
        thing.doc = " ".join((function_of(about).__doc__ or "").split())
        thing.facts = [("form", about.form.name), ("fields", about.fields.text)]
        thing.panels = [
            ("Meaning", coloured(function_of(about))),
            ("Handler in C", coloured_c(thing.name)),
            ("Machine code", listing(image, image.functions[f"{HANDLER}{thing.name}"], self.linked)),
        ]

    def vm_function(self, thing):
        """Tell of a function of the VM."""
        python, image = outside.functions()[thing.name].python, handlers.built()
        thing.doc = " ".join((python.__doc__ or "").split())
        thing.panels = [("Specification", coloured(python)), ("Generated C", coloured_c(thing.name))]
        if f"{thing.name}/{called.PROPERTY}" in self.decided:
            thing.panels.append(("Machine code", listing(image, image.functions[thing.name], self.linked)))

    def linked(self, name):
        """Return the name of a function, as a link if it has a page."""
        page = page_of(name)
        known = name in self.names or page in self.names or name.removeprefix(HANDLER) in self.names
        return (
            Markup('<a href="../{}">{}</a>').format(path_of(page.removeprefix(HANDLER)), name)
            if known
            else Markup(name)
        )


@lru_cache(maxsize=1)
def declared():
    """Return the declaration of each hypercall by its name."""
    return {each.name: each for each in OPERATIONS}


@lru_cache(maxsize=1)
def steps():
    """Return each step of the kernel that is no hypercall, by its name."""
    return {each.name: each for each in transitions(KERNEL) if each.operation is None}


@lru_cache(maxsize=1)
def bytecode():
    """Return each operation of the bytecode by its name."""
    return {each.name: each for each in BYTECODE}


def promises_of(about):
    """Return when an operation succeeds and what it does then, each a promise or None."""
    return CONDITIONS.get(f"{about.name} succeeds"), EFFECTS.get(f"{about.name} ensures")


def who_may_call(about):
    """Return in words who may call an operation and what a call takes, as facts."""
    yield (
        "who may call it",
        "nobody" if about.required_ring == Ring.ROOT else f"a partition in {ring_of(about)}, {capability_of(about)}",
    )
    yield "proof", f"{about.tier.name}: {TIERS[about.tier]}"
    yield "paid from", f"the rate of {about.meter.name.lower()}"
    yield "can be undone", {"FULL": "yes", "PARTIAL": "in part", "NONE": "no"}[about.reversibility.name]


def ring_of(about):
    """Return in words which ring a caller must be in."""
    ring = about.required_ring
    return "any ring" if ring == Ring.SANDBOX else f"ring {ring.name}, or one with more trust"


def capability_of(about):
    """Return in words which capability a caller must hold."""
    if not about.takes_handle:
        return "without a capability, as it is about the caller alone"
    rights, dead = (
        reference.rights(about.needs),
        ", even one that is revoked or whose object is gone" if about.accepts_dead else "",
    )
    what = "any object" if about.any_object else reference.object_of(about)
    return f"with a capability on {what}{'' if rights == 'none' else f' and the rights {rights}'}{dead}"


def pairs(name, bound):
    """Return a bound on instructions and stack as facts; none for a bound that is not known."""
    instructions, stack = bound
    found = [(name, f"{instructions:,} instructions")] if instructions is not None else []
    return found + ([(f"{name}, stack", f"{stack:,} bytes")] if stack is not None else [])


def promises(rows, mutants=()):
    """Return every promise, with its obligations."""
    mine, dead, ids = defaultdict(list), defaultdict(list), {row["id"]: row["property"] for row in rows}
    for row in rows:
        mine[row["property"]].append(row)
    for mutant in mutants:
        for property_ in {ids[id_] for id_ in killers(mutant, ids)}:
            dead[property_].append(mutant)
    return [
        Thing(
            item.id,
            PROMISE,
            item.sentence,
            [("kind", kind)],
            [("Promise", coloured(item.function))],
            mine[item.id],
            dead[item.id],
        )
        for kind, registry in PROMISES
        for item in registry.values()
    ]


def natural(text):
    """Return a sort key that puts CAP-2 before CAP-10."""
    return [(0, int(part), "") if part.isdigit() else (1, 0, part) for part in re.split(r"(\d+)", text) if part]
