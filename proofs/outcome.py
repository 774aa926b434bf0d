"""Does an operation succeed exactly under its precondition, and does it then establish its postcondition?

`OK-iff`: the status is OK if and only if the arguments are in range and the precondition of success holds. `ENSURES`:
on success the postcondition gives the fields that may change their values; by the frame condition, no other field
changes but the books of the gate. `SETTLED`: the postcondition is deterministic: two endings of the same call that it
admits are the same.
"""

import itertools
from collections.abc import Iterator
from functools import partial
from typing import Any

import z3

from corollary.language.component import AFTER, BEFORE, CALL, STATE
from corollary.language.frontend import translate
from corollary.language.property import Property
from corollary.language.types import is_scalar, u64
from corollary.language.values import difference, leaves
from corollary.proofs import bits
from corollary.proofs.engine import Question
from corollary.proofs.frame import scalars_of
from corollary.proofs.frame import succeeded as ended_well
from corollary.proofs.replay import actor_of
from corollary.proofs.symbolic import TOP, Executor, Reference, Unknown, belongs

CONDITION, EFFECT, SETTLED = "OK-iff", "ENSURES", "SETTLED"
LEVEL = 3
SAID = {"succeeds": "when", "ensures": "what"}
REST = {"succeeds": "", "ensures": ", what it does, changes=(...)"}


def questions(step):
    """Yield `(id, level, decide)` for what the operation of a step is promised to do."""
    name = step.transition.operation.name
    for id_, decide in ((CONDITION, succeeds_exactly), (EFFECT, does_exactly), (SETTLED, leaves_nothing_open)):
        yield f"{name}/{id_}", LEVEL, lambda decide=decide: decide(step)


def promise_of(transition, what):
    """Return the promise about the operation of a step; if there is none, one that is always broken."""
    return promised(transition.operation.name, transition.component, what)


def promised(name, component, what):
    """Return the same by the name of the operation."""
    registry = {"succeeds": component.conditions, "ensures": component.effects}[what]
    where = f" in {component.outcomes}" * bool(component.outcomes)
    missing = f'nothing says {SAID[what]} {name} {what}: write a function under @{what}("{name}"{REST[what]}){where}'
    return registry.get(f"{name} {what}") or Property(f"{name} {what}", missing, unpromised)


def unpromised() -> bool:
    """Nothing is said."""
    return False


# ---- what a promise is applied to


def split(step, promise):
    """Split the scalar parameters of a promise in two.

    The first are arguments of the operation, each with its register, if there is a gate. The promise quantifies over
    the others.
    """
    places = registers(step.transition.operation)
    scalars = [p for p in translate(promise.function).parameters if is_scalar(p.type)]
    return [(p, places[p.name]) for p in scalars if p.name in places], [p for p in scalars if p.name not in places]


def registers(operation):
    """Return the argument register of each argument of an operation, by name."""
    return {name: 1 + position for position, (name, _) in enumerate(operation.parameters)}


def register(step, number):
    """Return an argument register of the call, as the call was made."""
    cell = step.run.place(CALL).field("argument", step.run.call["argument"]).element(number)
    return step.run.before.read(cell, step.run.executor.index_types(cell), TOP)


def decoded(step, parameter, number):
    """Return an argument as the type that a promise gives it."""
    if not step.transition.hypercall:
        return step.run.scalars[parameter.name][1]
    if parameter.type.name == "bool":
        return bits.compare("!=", register(step, number), 0, u64)
    return bits.resize(register(step, number), u64, parameter.type)


def in_range(step, promise):
    """Return the condition that the arguments are of the types that a promise gives them.

    Without a gate, they are: whoever calls has the same types.
    """
    if not step.transition.hypercall:
        return True
    return bits.conjoin(
        [
            bits.compare("<", register(step, number), p.type.bound, u64)
            for p, number in split(step, promise)[0]
            if p.type.bits < 64
        ]
    )


def variables(step, promise):
    """Return a fresh variable for each index that a promise quantifies over: `(name, type, term)`."""
    return [("?" + p.name, p.type, z3.Const("?" + p.name, bits.sort(p.type))) for p in split(step, promise)[1]]


def applied(step, promise, store, guard=TOP):
    """Return `(value, obligations)` of a promise about the states and the call in a store, under a guard."""
    terms = {p.name: decoded(step, p, number) for p, number in split(step, promise)[0]}
    terms |= {name[1:]: term for name, _, term in variables(step, promise)}
    executor = Executor(store)
    function = translate(promise.function)
    arguments = [terms[p.name] if is_scalar(p.type) else step.run.place(p.name) for p in function.parameters]
    return executor.run(function, arguments, guard), executor.obligations


def values(promise, transition, example) -> Any:
    """Return the arguments of a promise for a concrete call; None if an argument is out of range."""
    objects = {**example.roots, BEFORE: example.roots[STATE], AFTER: example.after}
    places, found = registers(transition.operation), []
    for p in translate(promise.function).parameters:
        if p.name not in places:
            number = example.scalars.get("?" + p.name)
        else:
            number = objects[CALL].argument[places[p.name]] if transition.hypercall else example.scalars[p.name]
        if is_scalar(p.type) and not p.type.contains(number):
            return None
        found.append(
            (bool(number) if p.type.name == "bool" else p.type.coerce(number)) if is_scalar(p.type) else objects[p.name]
        )
    return found


# ---- when it succeeds


def succeeded(step):
    """Return the condition that the call ends in OK."""
    return ended_well(step.run)


def succeeds_exactly(step):
    """Decide that the status is OK if and only if the arguments are in range and the condition holds."""
    promise = promise_of(step.transition, "succeeds")
    within = in_range(step, promise)
    value, obligations = applied(step, promise, step.run.readable(), TOP.extend(within))
    promised = bits.conjoin([within, value])

    def judged(example):
        return ends_as_promised(promise, step.transition, example)

    property_ = Property(CONDITION, promise.sentence, promise.function)
    opaque = hashed(step.run)  # asked separately: it is about hashes
    goals = (
        bits.disjoin([bits.negate(succeeded(step)), promised]),
        bits.disjoin([bits.negate(promised), opaque, succeeded(step)]),
        bits.disjoin([bits.negate(promised), bits.negate(opaque)]),
    )
    row: Any = None
    for decide in (
        *(partial(in_general, step, property_, goal, judged) for goal in goals),
        partial(step.decide, property_, LEVEL, [], True, judged, computed=obligations),
    ):
        row = decide().after(row) if row else decide()
        if row.result != "proved":
            break
    return row


def hashed(run):
    """Return the condition that a step ends in the status that depends on hashes."""
    status = run.component.hashed
    return False if status is None else bits.compare("==", run.status, int(status), type(status))


def ends_as_promised(promise, transition, example):
    """Did a concrete call end in OK if and only if that is promised?"""
    given = values(promise, transition, example)
    return is_well(example) == (given is not None and promise.function(*given))


def is_well(example):
    """Did a concrete step end in OK? One that returns no status always does."""
    return not example.status


def in_general(step, property_, goal, judged):
    """Decide a goal for any values of hashes; if that fails, with what is known of them.

    A hash has the same value in both parts of the goal.
    """
    hash_ = step.component.hash
    general = bits.generalized(bits.truth(goal), translate(hash_).symbol) if hash_ else bits.truth(goal)
    row = step.decide(property_, LEVEL, [], general, judged)
    if row.result == "proved" or general.eq(bits.truth(goal)):
        return row
    return step.decide(property_, LEVEL, [], goal, judged)


# ---- what it does


def does_exactly(step):
    """Decide that success gives the promised values to what may change, and leaves all else alone."""
    promise = promise_of(step.transition, "ensures")
    guard = TOP.extend(bits.conjoin([succeeded(step), in_range(step, promise)]))
    value, obligations = applied(step, promise, step.run.readable(), guard)
    indices, kept = untouched(step, promise)
    goal = bits.disjoin([bits.negate(succeeded(step)), bits.conjoin([value, *kept])])

    def judged(example):
        return does_as_promised(promise, step.transition, example)

    return step.decide(
        Property(EFFECT, promise.sentence, promise.function),
        LEVEL,
        [*variables(step, promise), *indices],
        goal,
        judged,
        computed=obligations,
    )


def untouched(step, promise):
    """Return `(variables, conditions)`: what success may not change is as it was.

    An answer that the promise does not list is zero.
    """
    found, kept = {}, []
    for cell, indices in cells(step.transition, promise, False):
        types = step.run.executor.index_types(cell)
        old = 0 if cell.root == CALL else step.run.before.read(cell, types, TOP)
        same = bits.compare("==", step.run.after.read(cell, types, TOP), old, cell.type)
        if step.run.component.is_of_caller(cell.path):
            same = bits.disjoin([is_caller(step, cell), same])
        if same is not True:
            found.update({name: (name, type_, term) for name, type_, term in indices})
        kept.append(same)
    return list(found.values()), kept


def is_caller(step, cell):
    """Return the condition that a cell is in the row of who calls: what the gate records there, the gate promises."""
    return bits.compare("==", cell.indices[0], step.run.actor, step.run.component.actor)


def cells(transition, promise, listed) -> Iterator[tuple[Any, Any]]:
    """Yield `(place, variables)` of each scalar that a promise lists as changing, or of each other one.

    The scalars are those of state and call.
    """
    component = transition.component
    answers = [transition.place(CALL).field(name, component.types[CALL].fields[name]) for name in component.answers]
    for reference in (transition.place(STATE), *answers):
        for cell, indices in scalars_of(reference):
            if not component.is_turn(cell.path) and may_change(promise, cell.path) == listed:
                yield cell, indices


def may_change(promise, path):
    """Is a field among those that a promise lists? A table or record stands for all of its fields."""
    names = [name for name in path if isinstance(name, str) and name != "[]"]
    return any(names[: len(listed.split("."))] == listed.split(".") for listed in promise.changes)


def does_as_promised(promise, transition, example):
    """Did a concrete call, if it succeeded, do what is promised?"""
    given = values(promise, transition, example)
    return not is_well(example) or (
        given is not None and promise.function(*given) and not strayed(promise, transition, example)
    )


def strayed(promise, transition, example):
    """Return `(path, before, after)` of what a concrete call changed, or told its caller, without permission."""
    changed, component = difference(example.roots[STATE], example.after), transition.component
    call = leaves(example.roots[CALL]) if component.answers else ()
    told = [(path, 0, value) for path, value in call if path[0] in component.answers and value]
    return [each for each in (*changed, *told) if alien(promise, component, each[0], actor_of(example, transition))]


def alien(promise, component, path, caller):
    """Is a concrete scalar forbidden to change?"""
    return (
        not component.is_turn(path)
        and not may_change(promise, path)
        and not (component.is_of_caller(path) and path[1] == caller)
    )


# ---- whether that is all


def leaves_nothing_open(step):
    """Decide that a promise leaves nothing open.

    Two endings of the same successful call, which differ at most in what may change, are the same if the promise holds
    of both.
    """
    promise = promise_of(step.transition, "ensures")
    question = Question(step.run, step.invariants, quantified=variables(step, promise))
    endings = [ending(step, promise, name) for name in ("one", "other")]
    held = [applied(step, promise, store)[0] for store in endings]
    same = bits.conjoin(list(equal(step, promise, endings)))
    verdict = question.decide([*step.premises, in_range(step, promise), *somewhere(step, promise), *held], same)
    return step.row(
        f"{step.transition.name}/{SETTLED}",
        LEVEL,
        SETTLED,
        verdict,
        "what it promises leaves nothing open",
        counterexample=step.witness(verdict, SETTLED) if verdict.result == "refuted" else None,
    )


def ending(step, promise, name):
    """Return a store with the state before, and a state after in which everything that may change is unknown."""
    after = step.run.before.fork()
    for cell, _ in cells(step.transition, promise, True):
        types = step.run.executor.index_types(cell)
        symbol = (
            z3.Function(f"{name}.{'.'.join(cell.path)}", *map(bits.sort, types), bits.sort(cell.type))
            if types
            else None
        )
        after.heads[cell.root, cell.path] = Unknown(
            TOP, (), anything(symbol, types, f"{name}.{cell.path}", cell.type), None
        )
    store = step.run.before.fork()
    call = [(CALL, CALL, after)] if CALL in step.run.component.objects else []
    for view, root, state in ((BEFORE, STATE, step.run.before), (AFTER, STATE, after), *call):
        store.view(view, root, state)
        store.shared["roots"][view] = store.shared["roots"][root]
    return store


def anything(symbol, types, name, type_):
    """Return a function from indices to an unknown value."""
    if symbol is None:
        return lambda: z3.Const(name, bits.sort(type_))
    return lambda *indices: symbol(*(bits.term(index, each) for index, each in zip(indices, types)))


def equal(step, promise, endings):
    """Yield conditions: each scalar that may change is the same in both endings, at the indices of the promise."""
    for cell, types in asked(step, promise, variables(step, promise)):
        one, other = [store.read(cell, types, TOP) for store in endings]
        books = is_caller(step, cell) if step.run.component.is_of_caller(cell.path) else False
        yield bits.disjoin([books, bits.compare("==", one, other, cell.type)])


def somewhere(step, promise):
    """Return the conditions that the indices which the promise does not name are in their tables."""
    tables = [step.run.executor.index_types(cell) for cell, _ in cells(step.transition, promise, True)]
    asked_of = {(type_, turn) for types in tables for type_, turn in zip(types, turns(types))}
    in_order = sorted(asked_of, key=lambda each: (each[0].name, each[1]))
    return [belongs(anywhere(type_, turn), type_) for type_, turn in in_order]


def kind(index, width):
    """Return what tells indices apart: the type for a table, the length for an array."""
    _, type_, _ = index
    return type_ if width is type_ else type_.bound


def turns(indices):
    """Return for each index how many before it are of the same type, of a table in a table."""
    return [sum(other == index for other in indices[:place]) for place, index in enumerate(indices)]


def anywhere(type_, turn):
    """Return any index of a table; another one for a table in a table with the same indices."""
    return z3.Const(f"any {type_.name}{turn or ''}", bits.sort(type_))


def asked(step, promise, chosen):
    """Yield each scalar that may change, after the call, at the chosen indices: `(place, types of its indices)`."""
    for cell, indices in cells(step.transition, promise, True):
        types = step.run.executor.index_types(cell)
        root = AFTER if cell.root == STATE else cell.root
        for numbers in itertools.product(
            *(
                positions(type_, width, chosen, types, turn)
                for (_, type_, _), width, turn in zip(indices, types, turns([*map(kind, indices, types)]))
            )
        ):
            yield Reference(root, cell.path, numbers, cell.type), types


def positions(type_, width, chosen, tables, turn):
    """Return the indices at which a promise is asked about a table or array.

    That is its variable of that type or length. Without one, it is any index of a table, or each position of an array.
    `turn` is how many of the tables around it have the same indices: each takes a variable of its own.
    """
    named = [
        bits.resize(term, other, width)
        for _, other, term in chosen
        if other is type_ or (width is not type_ and other.bound == type_.bound and other not in tables)
    ]
    return named[turn : turn + 1] or ([anywhere(type_, turn)] if width is type_ else range(type_.bound))
