"""What does the Z3 reading of a function say about one input? It is asked twice: folded, and by substitution."""

import z3

from corollary.language.types import ArrayType, boolean, is_scalar
from corollary.proofs import bits
from corollary.proofs.loops import Unbounded
from corollary.proofs.symbolic import Executor, Guard, Reference, Store, belongs


def every_leaf(type_, path=()):
    """Return the path of every scalar below a type, positions included."""
    if is_scalar(type_):
        yield path, type_
    elif isinstance(type_, ArrayType):
        for index in range(type_.length):
            yield from every_leaf(type_.element, (*path, index))
    else:
        for key, field in type_.fields.items():
            yield from every_leaf(field, (*path, key))


def at(value, path):
    """Return the scalar at a path of a record."""
    for part in path:
        value = value[part] if isinstance(part, int) else getattr(value, part)
    return value


def reference(root, path, type_):
    """Return a path as the executor's reference."""
    place = Reference(root, (), (), type_)
    for part in path:
        place = place.element(part) if isinstance(part, int) else place.field(part, place.type.fields[part])
    return place


class Reading:
    """A function that the executor ran once: its result, obligations and store."""

    def __init__(self, function, arguments, state=None):
        self.function, self.record = function, function.parameters[0].type
        self.root = Guard()
        store = Store({"s"} if state is None else set())
        store.shared["roots"] = {"s": self.record}
        self.executor = Executor(store)
        if state is not None:
            for path, type_ in every_leaf(self.record):
                value = at(state, path)
                store.write(reference("s", path, self.record), value if type_ is boolean else int(value), self.root)
        self.result = self.executor.run(function, [reference("s", (), self.record), *arguments], self.root)

    def holds(self, known):
        """Are all obligations true, given the truth of a term?"""
        return all(known(item.condition) or not known(item.guard.term) for item in self.executor.obligations)

    def after(self, path):
        """Return the value of a leaf after the run."""
        return self.executor.load(reference("s", path, self.record), self.root)


def folded(function, state, arguments):
    """Read on constants, with nothing symbolic left: `(obligations hold, result, leaves after)`."""
    plain = [value if isinstance(value, bool) else int(value) for value in arguments]
    reading = Reading(function, plain, state)
    after = {path: reading.after(path) for path, _ in every_leaf(reading.record)}
    parts = [
        reading.result,
        *after.values(),
        *(part for item in reading.executor.obligations for part in (item.condition, item.guard.term)),
    ]
    assert bits.known(*parts), f"{function.name} on constants leaves a term"
    return reading.holds(bool), reading.result, after


class Symbolic:
    """The reading on variables, evaluated for many inputs."""

    def __init__(self, function):
        scalars = function.parameters[1:]
        self.variables = [z3.Const(f"argument.{item.name}", bits.sort(item.type)) for item in scalars]
        self.types = [item.type for item in scalars]
        self.reading = Reading(function, self.variables)
        self.store = self.reading.executor.store
        self.cells = [(path, type_, self.before(path)) for path, type_ in every_leaf(self.reading.record)]
        written = {path for root, path in self.store.heads if root == "s"}
        self.after = {
            path: self.reading.after(path)
            for path, _ in every_leaf(self.reading.record)
            if tuple("[]" if isinstance(part, int) else part for part in path) in written
        }

    def before(self, path):
        """Return the variable of a leaf of the state before the run."""
        place = reference("s", path, self.reading.record)
        return self.store.base(place, self.reading.executor.index_types(place))

    def evaluate(self, state, arguments):
        """Return `(obligations hold, result, written leaves after)` for one input."""
        model = self.model(state, arguments)

        def number(term):
            if bits.known(term) or term is None:
                return term
            value = model.eval(term, model_completion=True)
            return z3.is_true(value) if z3.is_bool(value) else value.as_long()

        return (
            self.reading.holds(number),
            number(self.reading.result),
            {path: number(term) for path, term in self.after.items()},
        )

    def model(self, state, arguments):
        """Return a model in which every variable and every cell of the state has its value."""
        solver = z3.Solver()
        for variable, value, type_ in zip(self.variables, arguments, self.types):
            solver.add(variable == bits.term(value, type_))
        for path, type_, cell in self.cells:
            solver.add(cell == bits.term(at(state, path), type_))
        assert solver.check() == z3.sat
        return solver.model()


TIMEOUT = 2000  # milliseconds for a question about one function


class Outside:
    """A function outside the kernel, run alone in any state: its obligations and assumptions."""

    def __init__(self, function, inline=lambda callee: False):
        roots = {item.name: item.type for item in function.parameters if not is_scalar(item.type)}
        store = Store(set(roots))
        store.shared["roots"] = dict(roots)
        arguments, self.facts = [], []
        for item in function.parameters:
            arguments.append(
                z3.Const(f"argument.{item.name}", bits.sort(item.type))
                if is_scalar(item.type)
                else reference(item.name, (), item.type)
            )
            self.facts += [belongs(arguments[-1], item.type)] if is_scalar(item.type) else []
        self.executor = Unbounded(store, inline)
        self.result = self.executor.run(function, arguments)
        self.facts += self.executor.facts

    def breaks(self, obligations):
        """May one of these obligations be broken? Yes if the solver does not know."""
        solver = z3.SolverFor("QF_UFBV")
        solver.set("timeout", TIMEOUT)
        solver.add(*map(bits.truth, self.facts))
        solver.add(
            bits.truth(
                bits.disjoin([bits.conjoin([item.guard.term, bits.negate(item.condition)]) for item in obligations])
            )
        )
        return solver.check() != z3.unsat

    def broken(self):
        """Return the obligations that may be broken, by their text."""
        return [item.what for item in self.executor.obligations if self.breaks([item])]

    def proved(self):
        """Do all obligations hold in every state?"""
        return not self.breaks(self.executor.obligations)
