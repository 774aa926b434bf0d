"""Does a step leave states alike that were alike? The two halves of weak step consistency.

Weak step consistency (J. Rushby, "Noninterference, Transitivity, and Channel-Control Security Policies", CSL-92-02, SRI
International 1992): two states that are alike to an observer and to the actor are alike to the observer after the step.

`handed_on`, for one run (NI-3): an observer that sees a scalar after a step saw it before, or the actor saw it, or the
step made it. `determined`, for two runs that are alike to the actor (NI-4): a scalar that was the same, or that the
step made, is the same after it. `consistency.py` proves that step consistency follows from the two (NI-5). The
exceptions are those that `DISCLOSURES` declares.
"""

from corollary.language.frontend import translate
from corollary.language.types import Index, is_scalar
from corollary.proofs import bits
from corollary.proofs.frame import scalars_of
from corollary.proofs.pair import KERNEL, Reader, acting, handles, observations, onlooker, split
from corollary.proofs.symbolic import TOP
from corollary.proofs.transition import place
from corollary.spec.kernel.observation import (
    ALONE,
    DISCLOSURES,
    IMPLIED,
    NOVELTIES,
    OBSERVATIONS,
    sees_bits,
    sees_edge,
    sees_log,
    sees_message,
    sees_record,
)
from corollary.spec.kernel.state import Kernel, SlotId

LOG_TABLES = tuple(
    row.table for row in OBSERVATIONS if row.function in (sees_record, sees_log)
)  # all seen together, or not at all
CHANNELS = tuple(
    row.table for row in OBSERVATIONS if row.function in (sees_edge, sees_message, sees_bits)
)  # few steps concern them
HASHED = "books"  # the part with the hash chain
PARTS = {row.table: (row.table,) for row in OBSERVATIONS if row.table not in (*LOG_TABLES, *CHANNELS)} | {
    HASHED: LOG_TABLES,
    "channels": CHANNELS,
}


def cells_of(part):
    """Every scalar of some tables of the state, with its variables."""
    for table in PARTS[part]:
        yield from scalars_of(KERNEL.field(table, Kernel.fields[table]))


def words_of(table):
    """Return the scalars of a part of the state that is no table: one, or a few words."""
    cell = KERNEL.field(table, Kernel.fields[table])
    if is_scalar(cell.type):
        return [cell]
    return [cell.element(i) for i in range(cell.type.length)] if cell.type.index is None else []


def indices_of(run, cell):
    """Return the indices of a scalar into tables."""
    return [index for index, type_ in zip(cell.indices, run.executor.index_types(cell)) if isinstance(type_, Index)]


def novelties(path):
    """Return the rows that say how the scalar at a path may be one that nobody saw before."""
    return [row for row in NOVELTIES if row.table == path[0] and (not row.only or path[2] in row.only)]


def made(run, cell):
    """Return the condition that the step made a scalar, which nobody saw before."""
    arguments = [place("before"), place("after"), *indices_of(run, cell)]
    return bits.disjoin([run.evaluate(row.function, arguments)[0] for row in novelties(cell.path)])


def handed_on(run, part, disclosures=DISCLOSURES):
    """Return `(variables, goal)`: what is seen of some tables after the step was seen, made or disclosed.

    It was seen before by the same observer or by the actor.
    """
    before, after = Reader(run.before.fork()), Reader(run.after.fork())
    (looking, sight), variables, parts = onlooker(), {}, []
    for cell, indices in cells_of(part):
        seen = [
            [
                reader.run(translate(sees), [KERNEL, who.observer, who.slot, *indices_of(run, cell)])
                for sees in observations(cell.path)
            ]
            for reader, who in ((after, sight), (before, sight), *((before, who) for who in acting(run)))
        ]
        if all(map(bits.same, *seen[:2])):
            continue
        variables.update({name: (name, type_, term) for name, type_, term in indices})
        parts.append(bits.disjoin([bits.negate(bits.disjoin(seen[0])), *sum(seen[1:], []), made(run, cell)]))
    return [*looking, *variables.values()], bits.disjoin([disclosed(run, sight, disclosures), bits.conjoin(parts)])


def disclosed(run, sight, disclosures=DISCLOSURES):
    """Return the condition that the step may show an observer what neither it nor the actor saw."""
    return bits.disjoin(
        [
            run.evaluate(row.function, [place("before"), place("call"), sight.observer, sight.slot])[0]
            for row in disclosures
            if run.transition.name in row.about
        ]
    )


def determined(pair, part):
    """Return `(variables, premises, goals)`: what was the same, or was made, is the same after the step.

    This is about the scalars of some tables. There is a goal for each field: a solver that is asked for all of them at
    once may wander from one to another. What is implied by seeing the scalar (NI-0) may be used, too. The premises are
    that both states have the same private key, and also the same books when the books are asked for.
    """
    variables, parts = {}, {}
    for cell, indices in cells_of(part):
        created = [made(run, cell) for run in pair.runs.values()]
        if untouched(pair, cell) and not any(map(possible, created)):
            continue
        variables.update({name: (name, type_, term) for name, type_, term in indices})
        implied = [pair.same(row.function, [KERNEL, *indices_of(pair.first, cell)]) for row in implications(cell.path)]
        given = [bits.conjoin([same(pair, cell), *implied]), *created]
        parts.setdefault(cell.path, []).append(
            bits.disjoin([bits.negate(bits.disjoin(given)), same(pair, cell, after=True)])
        )
    premises = [
        same(pair, cell) for table in ("key", *(LOG_TABLES if part == HASHED else ())) for cell in words_of(table)
    ]
    return list(variables.values()), premises, [bits.conjoin(conditions) for conditions in parts.values()]


def implications(path):
    """Return the rows that say what follows from seeing the scalar at a path."""
    return [row for row in IMPLIED if row.table == path[0]]


def told_by_sight(pair, row, sight, indices):
    """Return the condition that what is implied by seeing a scalar is the same where the scalar is seen."""
    seen = [
        value
        for known in OBSERVATIONS
        if known.table == row.table
        for value in pair.both(known.function, [KERNEL, sight.observer, sight.slot, *indices])
    ]
    return bits.disjoin([bits.negate(bits.disjoin(seen)), pair.same(row.function, [KERNEL, *indices])])


def released_after(pair, released):
    """Return the conditions that released values are the same after the step, for those that must be."""
    return [pair.same(row.function, [KERNEL], after=True) for row in released if row.after]


def possible(condition):
    """May a condition hold, as far as is known without a solver?"""
    return condition is not False


def untouched(pair, cell):
    """Does the step leave the scalar alone in both runs?"""
    types = pair.first.executor.index_types(cell)
    return all(
        bits.same(run.before.read(cell, types, TOP), run.after.read(cell, types, TOP)) for run in pair.runs.values()
    )


def same(pair, cell, after=False):
    """Return the condition that a scalar is the same in both states, seen or not."""
    types = pair.first.executor.index_types(cell)
    values = [(run.after if after else run.before).read(cell, types, TOP) for run in pair.runs.values()]
    return bits.compare("==", *values, cell.type)


# ---- the same for concrete states


def revealed(example, step, part, disclosures=DISCLOSURES):
    """Return the paths that an observer sees after a concrete step, but neither it nor the actor saw before."""
    before, after, sight = example.roots["s"], example.after, (example.scalars["?observer"], example.scalars["?slot"])
    if any(row.function(before, example.roots["call"], *sight) for row in disclosures if step.name in row.about):
        return []
    found = []
    for path in paths(example, part):
        fields, indices = split(path)
        if (
            is_seen(after, [sight], fields, indices)
            and not is_seen(before, [sight, *sights(example, step)], fields, indices)
            and not is_made(before, after, fields, indices)
        ):
            found.append(path)
    return found


def diverged(example, part):
    """Return the paths that a concrete step leaves different in two states.

    They were the same before, or the step made them.
    """
    one, other = [(example.roots[name], after) for name, after in (("s", example.after), ("t", example.other_after))]
    found = []
    for path in paths(example, part):
        fields, indices = split(path)
        was, is_ = [len({at(state, path) for state in states}) == 1 for states in zip(one, other)]
        implied = all(
            len({row.function(before, *indices) for before, _ in (one, other)}) == 1 for row in implications(fields)
        )
        if not is_ and (was and implied or any(is_made(*run, fields, indices) for run in (one, other))):
            found.append(path)
    return found


def paths(example, part):
    """Yield the concrete paths of the scalars that a counterexample is about."""
    for cell, indices in cells_of(part):
        if all(name in example.scalars for name, _, _ in indices):
            numbers = iter([example.scalars[name] for name, _, _ in indices])
            yield tuple(next(numbers) if name == "[]" else name for name in cell.path)


def sights(example, step):
    """Return the actor of a concrete step, with each slot that it looks through."""
    call, actor = (
        example.roots["call"],
        example.roots["s"].current if step.agent is None else example.scalars[step.agent],
    )
    return [(actor, SlotId.truncate(call.argument[i])) for i in handles(step)] or [(actor, ALONE)]


def is_seen(state, lookers, fields, indices):
    """Does one of the observers see a scalar of a concrete state?"""
    return any(sees(state, *sight, *indices) for sight in lookers for sees in observations(fields))


def is_made(before, after, fields, indices):
    """Did a concrete step make a scalar that nobody saw before?"""
    return any(row.function(before, after, *indices) for row in novelties(fields))


def at(state, path):
    """Return the scalar at a concrete path."""
    for step in path:
        state = state[step] if isinstance(step, int) else getattr(state, step)
    return state
