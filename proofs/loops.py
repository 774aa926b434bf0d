"""What does code outside the kernel mean in Z3, with unbounded loops and callees that are proved on their own?

A `while` is any one round, and then any state that rounds may end in: what the rounds may write is havocked, and only
the loop invariants are known. A call leaves any value in what the callee returns and writes, except for the
postconditions of the callee. This is not circular: no function calls itself, not even through others. A caller that
believes its callees rests on their rows, and these rest on rows of their own callees. A function that calls nobody
rests on its own text alone.
"""

from itertools import permutations
from typing import Any

import z3

from corollary.language import ir
from corollary.language.contracts import RESULT
from corollary.language.frontend import translate
from corollary.language.reads import remembered
from corollary.language.types import boolean, is_scalar, is_table, u64
from corollary.proofs import bits
from corollary.proofs.symbolic import LENGTH, TOP, Executor, Obligation, Reference, Unknown, belongs


class Unbounded(Executor):
    """A symbolic executor for one function outside the kernel.

    `inline` says which callees are executed in place. `facts` hold of the unknown values.
    """

    def __init__(self, store, inline=lambda function: False):
        super().__init__(store)
        self.inline, self.number, self.facts = inline, 0, []
        self.function = self.entry = None
        self.summaries = set()  # the functions whose calls are replaced by what they ensure

    def run(self, function, arguments, guard=None):
        """Execute `function` itself as it may be called, whatever `inline` says of it as a callee."""
        self.function, self.entry = function, self.admitted(function, arguments, guard or TOP)
        return super().invoke(function, arguments, self.entry)

    def admitted(self, function, arguments, guard):
        """Return the guard, extended by what the function requires."""
        given = {item.name: value for item, value in zip(function.parameters, arguments)}
        for clause in function.requires:
            guard = guard.extend(self.clause(function, clause, given, guard, defined=False))
        return guard

    def clause(self, function, clause, given, guard, defined):
        """Return the truth of a clause; its predicates are executed in place, whatever `inline` says."""
        outer, self.inline = self.inline, lambda callee: True
        truth = super().clause(function, clause, given, guard, defined)
        self.inline = outer
        return truth

    def postconditions(self, frame, value):
        """Oblige the function itself to ensure its clauses; a callee that is executed in place is decided by itself."""
        if frame.function is self.function:
            super().postconditions(frame, value)

    # ---- loops

    def on_While(self, node, frame):
        self.promised(node, frame, "before the first round")
        outer, names = frame.guard, tuple(frame.scalars)
        self.any_round(node, frame)
        frame.guard = frame.guard.extend(self.value(node.condition, frame))
        measure = self.value(node.measure, frame)
        self.block(node.body, frame)
        frame.scalars = {name: frame.scalars[name] for name in names}
        if frame.guard.condition is not False:
            self.promised(node, frame, "after a round")
            self.oblige(
                bits.compare("<", self.value(node.measure, frame), measure, node.measure.type),
                "the measure of the loop falls",
                node.line,
                frame,
            )
        frame.guard = outer
        self.any_round(node, frame)
        if any(isinstance(part, ir.Return) for part in ir.walk(node.body)):
            # a round may have returned in a state in which the condition fails: then nothing after the loop runs
            frame.guard = frame.guard.extend(bits.negate(self.anything("returned", boolean)))
        frame.guard = frame.guard.extend(bits.negate(self.value(node.condition, frame)))

    def promised(self, node, frame, when):
        """Oblige the invariants of a loop to hold here."""
        for promise in node.promises:
            self.oblige(self.value(promise, frame), f"a promise of the loop holds {when}", node.line, frame)

    def any_round(self, node, frame):
        """Forget what the loop may change, and assume its invariants."""
        for name, type_ in assigned(node.body).items():
            if name in frame.scalars:
                frame.scalars[name] = self.anything(name, type_)
        for place in written(node.body):
            if place[0] in frame.places:
                self.forget(self.within(frame.places[place[0]], place[1]), frame.guard)
        for promise in node.promises:
            frame.guard = frame.guard.extend(self.value(promise, frame))

    def anything(self, name, type_):
        """Return an unknown value of a type."""
        self.number += 1
        value = z3.Const(f"{name}!{self.number}", bits.sort(type_))
        self.facts.append(belongs(value, type_))
        return value

    def within(self, place, path):
        """Return everything that a path below a place may mean, at any positions."""
        for part in path:
            type_ = place.type.element if part == "[]" else place.type.fields[part]
            place = Reference(place.root, (*place.path, part), place.indices, type_)
        return place

    def forget(self, place, guard):
        """Make all scalars below a place unknown, at the positions that it names and at all further ones."""
        if is_table(place.type):
            return self.forget(Reference(place.root, (*place.path, "[]"), place.indices, place.type.element), guard)
        if not is_scalar(place.type):
            for name, type_ in place.type.fields.items():
                self.forget(place.field(name, type_), guard)
            return None
        self.number += 1
        key, types = (place.root, place.path), self.index_types(place)[len(place.indices) :]
        name = f"{place.root}.{'.'.join(place.path)}!{self.number}"
        left: Any = z3.Function(name, *(bits.sort(type_) for type_ in types), bits.sort(place.type)) if types else None
        constant = z3.Const(name, bits.sort(place.type))

        def value(*indices):
            return left(*(bits.term(index, type_) for index, type_ in zip(indices, types))) if types else constant

        self.store.heads[key] = Unknown(guard, place.indices, value, self.store.heads.get(key))
        return None

    # ---- bytes

    def on_Move(self, node, frame):
        count = self.value(node.count, frame)
        self.inside(node.source, self.value(node.first, frame), count, node, frame)
        self.bytes_at(node, count, frame)

    def on_Fill(self, node, frame):
        self.value(node.value, frame)
        self.bytes_at(node, self.value(node.count, frame), frame)

    def bytes_at(self, node, count, frame):
        """Oblige some bytes of a slice to be in range, and make the whole slice unknown."""
        self.inside(node.target, self.value(node.at, frame), count, node, frame)
        self.forget(self.place(node.target, frame), frame.guard)

    def inside(self, slice_, first, count, node, frame):
        """Oblige `count` bytes from position `first` on to be within a slice."""
        size = self.length(self.place(slice_, frame), frame)
        start, many = bits.term(first, u64), bits.term(count, u64)
        fits = z3.And(z3.BVAddNoOverflow(start, many, False), z3.ULE(start + many, bits.term(size, u64)))
        self.oblige(fits, "all bytes are in range", node.line, frame)

    # ---- calls

    def invoke(self, function, arguments, guard):
        if function.intrinsic or self.inline(function):
            return super().invoke(function, arguments, guard)
        self.called.add(function.symbol)
        self.summaries.add(function.symbol)
        self.apart(function, arguments, guard)
        given = self.given(function, arguments)
        for name, path in sorted(used(function.python, True)):
            if name in given:
                self.forget(self.within(given[name], path), guard)
        given[RESULT] = None if function.returns is None else self.anything(function.symbol, function.returns)
        self.ensured(function, given, guard)
        return given[RESULT]

    def ensured(self, function, given, guard):
        """Assume what a callee ensures. That its clauses are defined is an obligation of the callee."""
        for clause in function.ensures:
            condition = self.clause(function, clause, given, guard, defined=True)
            self.facts.append(bits.disjoin([bits.negate(guard.term), condition]))

    def apart(self, function, arguments, guard):
        """Oblige a call not to alias: what the callee writes by one name, it does not read by another.

        The callee is proved by itself, with places that are apart.
        """
        places = [
            (parameter.name, value)
            for parameter, value in zip(function.parameters, arguments)
            if not is_scalar(parameter.type)
        ]
        for (name, one), (other_name, other) in permutations(places, 2):
            if one.root == other.root and meet(
                below(one, name, function, changes=True), below(other, other_name, function, changes=False)
            ):
                same = [bits.compare("==", *pair) for pair in zip(one.indices, other.indices, self.index_types(one))]
                where = f"{function.file}:{function.line}"
                self.obligations.append(
                    Obligation(guard, bits.negate(bits.conjoin(same)), "what a call writes has one name", where)
                )


def below(place, name, function, changes):
    """Return the paths, from the root, of everything that a function uses below a place that it gets by a name."""
    return {(*place.path, *path) for root, path in used(function.python, changes) if root == name}


def meet(some, others):
    """Is a path in one set a prefix of a path in the other?"""
    return any(one[: len(other)] == other[: len(one)] for one in some for other in others)


@remembered
def used(python, changes):
    """Return `(root, path)` of every place that a function or its callees write, and, without `changes`, read."""
    function = translate(python)
    nodes = list(ir.walk((*function.requires, *function.body, *function.ensures)))
    aliases = {node.name: node.place for node in nodes if isinstance(node, ir.Alias)}
    places = stored(nodes)
    if not changes:
        places += [node.place for node in nodes if isinstance(node, ir.Load)] + [
            node.source for node in nodes if isinstance(node, ir.Move)
        ]
        places += [ir.Field(node.place, LENGTH, u64) for node in nodes if isinstance(node, ir.Length)]
    return frozenset({*(along(place, aliases) for place in places), *through(nodes, aliases, changes)})


def through(nodes, aliases, changes):
    """Yield the same for the callees of statements, by the names used here."""
    for call in nodes:
        if isinstance(call, ir.Call):
            pairs = zip(call.function.parameters, call.arguments)
            given = {item.name: along(argument, aliases) for item, argument in pairs if not is_scalar(item.type)}
            for name, path in sorted(used(call.function.python, changes)):
                if name in given:
                    yield given[name][0], (*given[name][1], *path)


def assigned(body):
    """The scalar locals that statements assign, with their types."""
    return {
        node.target.name: node.target.type
        for node in ir.walk(body)
        if isinstance(node, ir.Assign) and isinstance(node.target, ir.Local)
    }


def written(body):
    """Return `(root, path)` of every place that statements may write, except what they declare themselves."""
    nodes = list(ir.walk(body))
    aliases = {node.name: node.place for node in nodes if isinstance(node, ir.Alias)}
    own = {node.name for node in nodes if isinstance(node, ir.Declare)}
    found = [*(along(place, aliases) for place in stored(nodes)), *through(nodes, aliases, True)]
    return [place for place in dict.fromkeys(found) if place[0] not in own]


def stored(nodes):
    """Return the places that statements write themselves, not through calls."""
    return [
        node.target
        for node in nodes
        if isinstance(node, (ir.Assign, ir.Move, ir.Fill)) and not isinstance(node.target, ir.Local)
    ] + [node.place for node in nodes if isinstance(node, ir.Clear)]


def along(place, aliases):
    """Return the root of a place and the path below it, with positions left open."""
    if isinstance(place, ir.Root):
        return along(aliases[place.name], aliases) if place.name in aliases else (place.name, ())
    root, path = along(place.base, aliases)
    return root, (*path, place.name if isinstance(place, ir.Field) else "[]")
