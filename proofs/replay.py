"""Does a counterexample hold up? It is run again in the Python model, which knows nothing of the solver.

Only the results of hash compressions are taken over from the solver, since the proof treats them as unknown. A
candidate may rest on two messages with the same hash. Then it says so, and names the messages.
"""

import copy
import sys
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import z3

from corollary.language.component import AFTER, ASKED, BEFORE, CALL, NOW, STATE
from corollary.language.frontend import translate
from corollary.language.types import is_scalar
from corollary.language.values import ArrayValue, Record, difference, leaves, spell
from corollary.proofs.symbolic import Store


@dataclass
class Counterexample:
    """A concrete step that breaks a promise: the state before, the call, the indices, the state after."""

    transition: str
    property: str
    roots: dict
    scalars: dict
    after: Any = None
    status: Any = None
    holds: Any = None
    other_after: Any = None  # after the run from the state `t`, where there are two runs
    other_status: Any = None
    other_call: Any = None
    hashes: dict = field(default_factory=dict)  # of compressions: input -> output, as numbers

    def as_json(self):
        """Return a form for files: every scalar that is not zero, by its path."""
        return {
            "transition": self.transition,
            "property": self.property,
            "scalars": self.scalars,
            "hashes": [[hex(block), hex(result)] for block, result in sorted(self.hashes.items())],
            **{
                name: [[list(path), int(value)] for path, value in leaves(record) if value]
                for name, record in self.roots.items()
            },
        }


def load(data, component):
    """Return the counterexample that `as_json` wrote."""
    types = {**component.roots, **({"t": component.state} if "t" in data else {})}
    roots = {name: type_() for name, type_ in types.items()}
    for name, record in roots.items():
        for path, number in data[name]:
            put(record, path, number)
    hashes = {int(block, 16): int(result, 16) for block, result in data.get("hashes", ())}
    return Counterexample(data["transition"], data["property"], roots, data["scalars"], hashes=hashes)


def put(record, path, number):
    """Set one scalar of a record by its path. Raises `LookupError` when the path names no scalar."""
    *way, last = path
    value = record
    for part in way:
        value = part_of(value, part)
    if isinstance(value, ArrayValue) and value.scalar and isinstance(last, int):
        value[last] = _typed(value.type.element, number)
    elif isinstance(value, Record) and last in value.scalars:
        setattr(value, last, _typed(value.scalars[last], number))
    else:
        raise LookupError(f"{spell(path)} is no scalar")


def part_of(value, part):
    """Return a field of a record by its name, or a row of a table by its number."""
    if isinstance(value, Record) and part in value.fields:
        return getattr(value, part)
    if isinstance(value, ArrayValue) and isinstance(part, int):
        return value[part]
    raise LookupError(f"there is no {part}")


def _typed(type_, number):
    return bool(number) if type_.name == "bool" else type_.coerce(int(number))


class Contents(Store):
    """A store of concrete objects instead of unknown ones: whatever an executor computes from them is a constant."""

    def __init__(self, objects):
        super().__init__(set(objects))
        self.objects = objects
        self.shared["roots"] = {name: type(value) for name, value in objects.items()}

    def fork(self):
        """A copy whose later writes are its own."""
        twin = Contents(self.objects)
        twin.heads, twin.shared = dict(self.heads), self.shared
        return twin

    def base(self, reference, types):
        """Return the value that an object holds."""
        root = self.shared["alias"].get(reference.root, reference.root)
        if root not in self.objects:
            return super().base(reference, types)
        value, remaining = self.objects[root], iter(reference.indices)
        for part in reference.path:
            value = value[next(remaining)] if part == "[]" else getattr(value, part)
        return value


def replay(example, transition, property_, solver_model=None, judged=None):
    """Take the step in Python, and evaluate the property, or `judged` in its place. Fill in what happened."""
    before, objects = example.roots[STATE], copies(example, transition)
    with hashes_as_supposed(transition.component, example.hashes, solver_model):
        example.after = copy.deepcopy(before) if translate(transition.function).mutates else before
        example.status = take(transition, example, example.after, objects)
        asked = {ASKED: example.roots[CALL]} if CALL in objects else {}
        example.roots.update(objects)
        named = {
            **objects,
            **asked,
            BEFORE: before,
            AFTER: example.after,
            STATE: example.after,
            "status": example.status,
            "actor": actor_of(example, transition),
        }
        example.holds = judged(example) if judged else judge(example, property_, named)
    return example


def copies(example, transition):
    """Return copies of the objects that a concrete step is given besides the state: it may change them."""
    return {name: copy.deepcopy(example.roots[name]) for name in transition.component.objects}


def actor_of(example, transition):
    """Who acts in a concrete step; None if nobody does."""
    if transition.agent is not None:
        return example.scalars[transition.agent]
    return example.roots[STATE].current if transition.component.gate else None


def replay_both(example, transition, solver_model=None):
    """Take the step in Python from both states.

    Fill in both endings, and whether they tell the caller the same.
    """
    objects = [copies(example, transition) for _ in range(2)]
    calls: list[Any] = [given.get(CALL) for given in objects]
    if calls[1] is not None:
        setattr(calls[1], NOW, example.scalars[f"t.{NOW}"])
    example.after, example.other_after = [copy.deepcopy(example.roots[name]) for name in ("s", "t")]
    with hashes_as_supposed(transition.component, example.hashes, solver_model):
        example.status, example.other_status = [
            take(transition, example, state, given)
            for state, given in zip((example.after, example.other_after), objects)
        ]
    example.roots["call"] = calls[0]
    told, other_told = (call and call.result for call in calls)
    example.holds = example.status == example.other_status and told == other_told
    return example


def take(transition, example, state, objects):
    """Take a step in Python from a state, with other objects; it may change all of them. Return the status."""
    given, parameters = {**objects, STATE: state}, translate(transition.function).parameters
    return transition.function(
        *(_typed(p.type, example.scalars[p.name]) if is_scalar(p.type) else given[p.name] for p in parameters)
    )


def judge(example, property_, named):
    """Return the value of a property for a concrete step.

    An invariant is evaluated after the step, a corollary before it, a theorem across it. A parameter that is not in
    `named` is an index, or a parameter of the step.
    """
    parameters, given = translate(property_.function).parameters, example.scalars
    values = [
        named[p.name]
        if p.name in named and not (is_scalar(p.type) and p.name in ("s", "call"))
        else _typed(p.type, given["?" + p.name] if "?" + p.name in given else given[p.name])
        for p in parameters
    ]
    return property_.function(*values)


@contextmanager
def hashes_as_supposed(component, hashes, solver_model=None):
    """Replace the results of the component's hash function for a while.

    A recorded result comes first. Next comes the result that the solver supposes, which is then recorded. Otherwise the
    real result is used.
    """
    if component.hash is None or (solver_model is None and not hashes):
        yield
        return
    original, function = component.hash, translate(component.hash)
    symbol = opaque(function)

    def supposed(*arrays):
        whole = joined(function, arrays)
        if whole not in hashes and solver_model is not None:
            result = solver_model.eval(symbol(z3.BitVecVal(whole, symbol.domain(0).size())), model_completion=True)
            hashes.update({whole: result.as_long()} if z3.is_bv_value(result) else {})
        if whole not in hashes:
            return original(*arrays)
        fill(function, arrays, hashes[whole])
        return None

    vars(supposed)["__stands_for__"] = original  # for what is translated only now
    users = [sys.modules[name] for name in component.modules]
    users = [module for module in users if vars(module).get(original.__name__) is original]
    for module in users:
        setattr(module, original.__name__, supposed)
    try:
        yield
    finally:
        for module in users:
            setattr(module, original.__name__, original)


def opaque(function):
    """Return what stands for an opaque function of arrays in Z3: one wide word of another, as in `Executor`."""
    inputs = sum(p.type.length * p.type.element.bits for p in function.parameters)
    outputs = sum(p.type.length * p.type.element.bits for p in function.parameters if p.name in function.mutates)
    return z3.Function(function.symbol, z3.BitVecSort(inputs), z3.BitVecSort(outputs))


def joined(function, arrays):
    """Return all elements of the arguments of a function as one number, the first highest."""
    whole = 0
    for parameter, array in zip(function.parameters, arrays):
        for i in range(parameter.type.length):
            whole = whole << parameter.type.element.bits | array[i]
    return whole


def fill(function, arrays, number):
    """Set the elements that a function changes to the parts of a number, the first lowest."""
    for parameter, array in zip(function.parameters, arrays):
        for i in range(parameter.type.length) if parameter.name in function.mutates else ():
            array[i], number = number % parameter.type.element.bound, number >> parameter.type.element.bits


def narrate(example):
    """Describe before, call and after in words: what was asked, what came out, which fields changed."""
    call = example.roots.get(CALL)
    lines = [f"step      {example.transition}", f"breaks    {example.property}"]
    lines += [f"with      {name.lstrip('?')} = {value}" for name, value in example.scalars.items()]
    if call is not None:
        registers = ", ".join(f"x{i + 1}={call.argument[i]:#x}" for i in range(6) if call.argument[i])
        lines.append(f"call      operation {call.operation} now {call.now} {registers}")
    lines += [f"before    {spell(path)} = {_show(value)}" for path, value in leaves(example.roots["s"]) if value]
    apart = difference(example.roots["s"], example.roots.get("t", example.roots["s"]))
    lines += [f"other     {spell(path)} = {_show(other)}, not {_show(one)}" for path, one, other in apart]
    if example.other_status is not None and example.other_status != example.status:
        lines.append(f"told      {example.status.name}, and {example.other_status.name} from the other state")
    if example.status is not None:
        lines.append(f"status    {example.status.name}")
    changed = difference(example.roots["s"], example.after) if example.after is not None else []
    lines += [
        f"after     {spell(path)}: {_show(old)} -> {_show(new)}"
        for path, old, new in changed
        if path[0] not in ("log", "head")
    ]
    return "\n".join(lines)


def _show(value):
    return getattr(value, "name", None) or str(value)
