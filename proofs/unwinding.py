"""Does a step leave states alike that were alike? The two halves of weak step consistency.

Weak step consistency (J. Rushby, "Noninterference, Transitivity, and Channel-Control Security Policies", CSL-92-02, SRI
International 1992): two states that are alike to an observer and to the actor are alike to the observer after the step.

`handed_on`, for one run (NI-3): an observer that sees a scalar after a step saw it before, or the actor saw it, or the
step made it. `determined`, for two runs that are alike to the actor (NI-4): a scalar that was the same, or that the
step made, is the same after it. `consistency.py` proves that step consistency follows from the two (NI-5). The
exceptions are those that `DISCLOSURES` declares.
"""

from corollary.language.component import AFTER, ARGUMENT, BEFORE, CALL, STATE
from corollary.language.frontend import translate
from corollary.language.types import Index, is_scalar
from corollary.proofs import bits
from corollary.proofs.frame import scalars_of
from corollary.proofs.pair import OTHER, Reader, acting, handles, onlooker, split
from corollary.proofs.replay import actor_of
from corollary.proofs.symbolic import TOP


def cells_of(transition, part):
    """Every scalar of some tables of the state, with its variables."""
    state = transition.place(STATE)
    for table in transition.component.view.parts[part]:
        yield from scalars_of(state.field(table, state.type.fields[table]))


def words_of(transition, table):
    """Return the scalars of a part of the state that is no table: one, or a few words."""
    state = transition.place(STATE)
    cell = state.field(table, state.type.fields[table])
    if is_scalar(cell.type):
        return [cell]
    return [cell.element(i) for i in range(cell.type.length)] if cell.type.index is None else []


def indices_of(run, cell):
    """Return the indices of a scalar into tables."""
    return [index for index, type_ in zip(cell.indices, run.executor.index_types(cell)) if isinstance(type_, Index)]


def made(run, cell):
    """Return the condition that the step made a scalar, which nobody saw before."""
    rows = run.component.view.making(cell.path)
    return bits.disjoin([run.about(row.function, *indices_of(run, cell)) for row in rows])


def handed_on(run, part, disclosures=None):
    """Return `(variables, goal)`: what is seen of some tables after the step was seen, made or disclosed.

    It was seen before by the same observer or by the actor.
    """
    component, state = run.component, run.place(STATE)
    before, after = [Reader(store.fork(), component) for store in (run.before, run.after)]
    (looking, sight), variables, parts = onlooker(component), {}, []
    for cell, indices in cells_of(run.transition, part):
        seen = [
            [
                reader.run(translate(sees), [state, *who.look, *indices_of(run, cell)])
                for sees in component.view.observing(cell.path)
            ]
            for reader, who in ((after, sight), (before, sight), *((before, who) for who in acting(run)))
        ]
        if all(map(bits.same, *seen[:2])):
            continue
        variables.update({name: (name, type_, term) for name, type_, term in indices})
        parts.append(bits.disjoin([bits.negate(bits.disjoin(seen[0])), *sum(seen[1:], []), made(run, cell)]))
    return [*looking, *variables.values()], bits.disjoin([disclosed(run, sight, disclosures), bits.conjoin(parts)])


def disclosed(run, sight, disclosures=None):
    """Return the condition that the step may show an observer what neither it nor the actor saw."""
    rows = disclosing(run.transition, disclosures)
    return bits.disjoin([run.about(row.function, *sight.look) for row in rows])


def disclosing(step, disclosures=None):
    """Return those disclosures that are about a step; without a list, of those that are declared."""
    rows = step.component.view.disclosures if disclosures is None else disclosures
    return [row for row in rows if step.name in row.about]


def determined(pair, part):
    """Return `(variables, premises, goals)`: what was the same, or was made, is the same after the step.

    This is about the scalars of some tables. There is a goal for each field: a solver that is asked for all of them at
    once may wander from one to another. What is implied by seeing the scalar (NI-0) may be used, too. The premises are
    that both states have the same private key, and also the same books when the books are asked for.
    """
    variables, parts, view = {}, {}, pair.view
    for cell, indices in cells_of(pair.transition, part):
        created = [made(run, cell) for run in pair.runs.values()]
        if untouched(pair, cell) and created == [False, False]:
            continue
        variables.update({name: (name, type_, term) for name, type_, term in indices})
        at_cell = [pair.state, *indices_of(pair.first, cell)]
        implied = [pair.same(row.function, at_cell) for row in view.implying(cell.path)]
        given = [bits.conjoin([same(pair, cell), *implied]), *created]
        parts.setdefault(cell.path, []).append(
            bits.disjoin([bits.negate(bits.disjoin(given)), same(pair, cell, after=True)])
        )
    whole = view.parts[part] if part in view.joint else ()
    premises = [same(pair, cell) for table in (*secrets(pair), *whole) for cell in words_of(pair.transition, table)]
    return list(variables.values()), premises, [bits.conjoin(conditions) for conditions in parts.values()]


def secrets(pair):
    """Return the field that nobody may learn, if there is one."""
    return [name for name in [pair.transition.component.secret] if name]


def told_by_sight(pair, row, sight, indices):
    """Return the condition that what is implied by seeing a scalar is the same where the scalar is seen."""
    seen = [
        value
        for known in pair.view.observations
        if known.table == row.table
        for value in pair.both(known.function, [pair.state, *sight.look, *indices])
    ]
    return bits.disjoin([bits.negate(bits.disjoin(seen)), pair.same(row.function, [pair.state, *indices])])


def released_after(pair, released):
    """Return the conditions that released values are the same after the step, for those that must be."""
    return [pair.same(row.function, [pair.state], after=True) for row in released if row.after]


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
    return bits.compare("==", *values, type_=cell.type)


# ---- the same for concrete states


def revealed(example, step, part, disclosures=None):
    """Return the paths that an observer sees after a concrete step, but neither it nor the actor saw before."""
    view, before, after = step.component.view, example.roots[STATE], example.after
    look = tuple(example.scalars[name] for name in ("?observer", "?slot") if name in example.scalars)
    objects = {**example.roots, BEFORE: before, AFTER: after}
    if any(row.function(*step.given(row.function, objects.get, *look)) for row in disclosing(step, disclosures)):
        return []
    found = []
    for path in paths(example, step, part):
        fields, indices = split(path, type(before))
        if (
            is_seen(view, after, [look], fields, indices)
            and not is_seen(view, before, [look, *looks(example, step)], fields, indices)
            and not is_made(step, objects, fields, indices)
        ):
            found.append(path)
    return found


def diverged(example, step, part):
    """Return the paths that a concrete step leaves different in two states.

    They were the same before, or the step made them.
    """
    endings = ((STATE, example.after), (OTHER, example.other_after))
    one, other = [{BEFORE: example.roots[name], AFTER: after} for name, after in endings]
    found = []
    for path in paths(example, step, part):
        fields, indices = split(path, step.component.state)
        was, is_ = [at(one[name], path) == at(other[name], path) for name in (BEFORE, AFTER)]
        implied = all(
            row.function(one[BEFORE], *indices) == row.function(other[BEFORE], *indices)
            for row in step.component.view.implying(fields)
        )
        if not is_ and (was and implied or any(is_made(step, run, fields, indices) for run in (one, other))):
            found.append(path)
    return found


def paths(example, step, part):
    """Yield the concrete paths of the scalars that a counterexample is about."""
    for cell, indices in cells_of(step, part):
        if all(name in example.scalars for name, _, _ in indices):
            numbers = iter([example.scalars[name] for name, _, _ in indices])
            yield tuple(next(numbers) if name == "[]" else name for name in cell.path)


def looks(example, step):
    """Return the actor of a concrete step, with each slot that it looks through."""
    view, actor = step.component.view, actor_of(example, step)
    registers = [getattr(example.roots[CALL], ARGUMENT)[i] for i in handles(step)]
    return [(actor, view.slots.truncate(register)) for register in registers] or [view.look_alone(actor)]


def is_seen(view, state, lookers, fields, indices):
    """Does one of the observers see a scalar of a concrete state?"""
    return any(sees(state, *look, *indices) for look in lookers for sees in view.observing(fields))


def is_made(step, objects, fields, indices):
    """Did a concrete step make a scalar that nobody saw before?"""
    rows = step.component.view.making(fields)
    return any(row.function(*step.given(row.function, objects.get, *indices)) for row in rows)


def at(state, path):
    """Return the scalar at a concrete path."""
    for step in path:
        state = state[step] if isinstance(step, int) else getattr(state, step)
    return state
