"""Does a machine function refine its model function? Every path of one is compared with every path of the other.

Refinement means, for all arguments and all states: wherever the model function is defined, the machine code returns the
same result and leaves the same state. Defined means that no sum overflows and no index is out of range; that is proved
where the function is used.
"""

import time
from dataclasses import dataclass, field
from typing import Any

import z3

from corollary.language import ir
from corollary.language.types import is_scalar, u64
from corollary.proofs import bits
from corollary.proofs.machine import defined, words
from corollary.proofs.machine.calls import cell_symbol, cells, facts_of, forget, has_effect, result_of
from corollary.proofs.machine.concrete import State, concrete
from corollary.proofs.machine.execute import FunctionCode
from corollary.proofs.machine.frames import get
from corollary.proofs.machine.hashing import HashCode
from corollary.proofs.machine.lift import GaveUp, NotAllowed
from corollary.proofs.machine.memory import ADDRESS, BYTE, encoded
from corollary.proofs.machine.summary import footprint, initialized
from corollary.proofs.machine.sweep import Sweep
from corollary.proofs.symbolic import TOP, Executor, Reference, along, index_type
from corollary.spec.kernel.hypercalls import OPERATIONS
from corollary.spec.kernel.state import Call

UNKNOWN = len(OPERATIONS)  # stands for the number of any operation that does not exist


class Different(Exception):
    """Machine code and model differ; the message says in what, the solver's model for which arguments and state."""

    def __init__(self, message, model=None):
        super().__init__(message)
        self.model = model


class Vacuous(Exception):
    """A path of the machine code on which the model is undefined."""


@dataclass
class Verdict:
    """The verdict on one function."""

    name: str
    result: str = "proved"
    reason: str = ""
    paths: int = 0  # of the machine code
    pairs: int = 0  # with paths of the model
    worst: int = 0  # instructions of the longest path, without callees
    stack: int = 0  # bytes, without callees
    seconds: float = 0.0
    state: State | None = None  # in which machine code and model differ, if they do
    threads: list = field(default_factory=list, repr=False)


class Model(Executor):
    """The model function on one path: what the solver does not decide is chosen."""

    def __init__(self, comparison, store, choices):
        super().__init__(store)
        self.comparison, self.choices, self.made, self.open = comparison, choices, [], []
        self.unmatched = 0

    def decide(self, condition):
        """Does a condition hold on this path? If both may be, take one side and leave the other for later."""
        if bits.known(condition):
            return bool(condition)
        branched = self.comparison.branched(condition)
        if branched is not None:
            return branched
        solver = self.comparison.solver
        number = len(self.made)
        if number < len(self.choices):
            chosen = self.choices[number]
            solver.add(condition if chosen else z3.Not(condition))
        else:
            yes, no = self.comparison.possible(condition), self.comparison.possible(z3.Not(condition))
            if not yes and not no:
                raise Vacuous
            chosen = yes
            if yes and no:
                self.open.append([*self.made, False])
                solver.add(condition)
        self.made.append(chosen)
        return chosen

    def oblige(self, condition, what, line, frame):
        if condition is not True:
            term = frame.guard.term
            self.comparison.solver.add(bits.truth(bits.disjoin([bits.negate(term), condition])))

    def on_If(self, node, frame):
        self.block(node.then if self.decide(self.value(node.condition, frame)) else node.other, frame)

    def of_Conditional(self, node, frame):
        if calls(node.then) or calls(node.other):
            return self.value(node.then if self.decide(self.value(node.condition, frame)) else node.other, frame)
        return super().of_Conditional(node, frame)

    def of_Logic(self, node, frame):
        stop, values = node.op == "or", []
        for position, operand in enumerate(node.operands):
            if position and any(calls(later) for later in node.operands[position:]):
                so_far = bits.disjoin(values) if stop else bits.conjoin(values)
                if self.decide(so_far) is stop:
                    return stop
                values = []
            outer = frame.guard
            if values:
                so_far = bits.disjoin(values) if stop else bits.conjoin(values)
                frame.guard = outer.extend(bits.negate(so_far) if stop else so_far)
            values.append(self.value(operand, frame))
            frame.guard = outer
        return bits.disjoin(values) if stop else bits.conjoin(values)

    def of_Builtin(self, node, frame):
        if node.name == "implies" and calls(node.arguments[1]):
            return not self.decide(self.value(node.arguments[0], frame)) or self.value(node.arguments[1], frame)
        return super().of_Builtin(node, frame)

    def invoke(self, function, arguments, guard):
        """Find a callee among the events of the machine code; each call of this path is certain."""
        if guard.term is not True:
            raise NotAllowed(f"{function.symbol} is called under a condition that was not decided")
        return self.comparison.called(self, function, arguments)

    def whole(self, function, arguments):
        """Run the function itself, by its body."""
        return (
            super().evaluate(function, arguments, TOP) if function.opaque else super().invoke(function, arguments, TOP)
        )


def occurs(term, conditions):
    """Does a term occur in some conditions?"""
    seen, pending = set(), list(conditions)
    while pending:
        part = pending.pop()
        if part.get_id() == term.get_id():
            return True
        if part.get_id() not in seen:
            seen.add(part.get_id())
            pending += part.children()
    return False


def spelled(trail):
    """Return the branches of a path: where they are, and whether they were taken."""
    return " ".join(f"{at:#x}{'+' if taken else '-'}" for at, taken in trail) or "without branches"


def calls(node):
    """Does an expression call anything?"""
    return any(isinstance(part, ir.Call) for part in ir.walk(node))


class Comparison:
    """Compares the machine code of one function with the model."""

    def __init__(self, image, function, code=FunctionCode):
        self.function = function
        self.machine = (HashCode if function.opaque else code)(image, function)
        self.solver = self.machine.solver
        self.thread: Any = None  # the path of the machine code that is compared
        self.example: Any = None
        self.plain = []  # calls of plain functions on the path: result, function, arguments and store

    def run(self):
        """Return the verdict."""
        start, verdict = time.perf_counter(), Verdict(self.function.symbol)
        try:
            for thread in self.machine.paths():
                verdict.paths += 1
                verdict.worst, verdict.stack = max(verdict.worst, thread.count), max(verdict.stack, thread.deepest)
                verdict.threads.append(thread)
                pairs = self.compare(thread)
                if not pairs:
                    raise Different(
                        f"the model is undefined on the path {spelled(thread.trail)}, which was compared with nothing"
                    )
                verdict.pairs += pairs
                thread.operations = self.operations(thread)
            if not verdict.paths:
                verdict.result, verdict.reason = "unknown", "no path is possible"
        except (Different, NotAllowed, LookupError) as problem:
            verdict.result, verdict.reason, verdict.state = (
                "refuted",
                str(problem),
                self.state(getattr(problem, "model", None)),
            )
        except (GaveUp, z3.Z3Exception) as problem:
            verdict.result, verdict.reason = "unknown", str(problem)
        verdict.seconds = time.perf_counter() - start
        return verdict

    def operations(self, thread):
        """Return the operation numbers that the call may name on this path; None if no branch looks at the number."""
        call = next((item for item in self.function.parameters if item.type is Call), None)
        if call is None or (call.name, ("operation",)) not in footprint(self.function).reads:
            return None
        number = self.machine.store.base(Reference(call.name, (), (), Call).field("operation", u64), [])
        if not occurs(number, thread.branches):
            return None
        found = []
        while example := self.example_of(*(number != known for known in found), z3.ULT(number, UNKNOWN)):
            found.append(example.eval(number, model_completion=True).as_long())
        return (*sorted(found), *([UNKNOWN] if self.possible(z3.UGE(number, UNKNOWN)) else []))

    def state(self, model):
        """Return the concrete state of a solver's model, or else of any that leads to where the solver is."""
        if model is None and self.solver.check() == z3.sat:
            model = self.solver.model()
        return concrete(self.machine, self.thread, model) if model is not None else None

    def branched(self, condition):
        """Return on which side of a condition the machine code branched on this path, or None if it did not."""
        opposite: Any = bits.negate(condition)
        for side, test in ((True, condition), (False, opposite)):
            if test.get_id() in self.thread.decided:
                return self.thread.decided[test.get_id()][0] is side
        return None

    def possible(self, *assumptions):
        """Can the assumptions hold on this path?"""
        return self.asked(lambda: True, *assumptions) is not None

    def example_of(self, *assumptions):
        """Return a model of the solver in which the assumptions hold on this path, or None."""
        return self.asked(self.solver.model, *assumptions)

    def asked(self, told, *assumptions):
        """Return what is told while the assumptions can hold on this path, or None if they can't."""
        self.solver.push()
        self.solver.add(*assumptions)
        answer = self.solver.check()
        found = told() if answer == z3.sat else None
        self.solver.pop()
        if answer == z3.unknown:
            raise GaveUp("the solver does not know")
        return found

    def certain(self, condition):
        """Must a condition hold on this path? If not, `example` is where it does not."""
        self.example = None
        if bits.known(condition):
            return bool(condition)
        self.example = self.example_of(z3.Not(condition))
        return self.example is None

    def compare(self, thread):
        """Compare one path of the machine code with every path of the model; return how many there are."""
        pending, count = [[]], 0
        while pending:
            choices = pending.pop()
            self.solver.push()
            model = Model(self, self.machine.store.fork(), choices)
            self.thread, self.model, self.consumed, self.used, self.plain = thread, model, 0, set(), []
            try:
                self.one(thread, model)
                count += 1
            except Vacuous:
                pass
            except Different as difference:
                if difference.model is None and self.solver.check() == z3.sat:
                    difference.model = self.solver.model()
                raise
            finally:
                self.solver.pop()
            pending += model.open
        return count

    def one(self, thread, model):
        """Compare one path of each."""
        arguments = [self.machine.arguments[item.name] for item in self.function.parameters]
        result = model.whole(self.function, arguments)
        if self.function.hardware:
            self.told(self.function, arguments)
        if not self.possible():
            raise Vacuous
        self.nothing_left(thread)
        goals = [
            *thread.obligations,
            *self.additional(thread),
            *self.results(thread, result),
            *self.fields(thread.heap, model.store),
        ]
        if self.function.opaque:
            goals = self.swept(
                [*thread.obligations, *self.results(thread, result), *self.elements(thread.heap, model.store)]
            )
        self.prove(goals, thread)

    def nothing_left(self, thread):
        """Check that the machine code did nothing that the model did not. Raises `Different` if it did."""
        left = [event for event in thread.events[self.consumed :] if event.has_effect]
        if left:
            raise Different(
                f"the machine code calls {left[0].callee}, the model does not, on the path {spelled(thread.trail)}"
            )

    def additional(self, thread):
        """Yield goals: calls that only the machine code makes, and that change nothing, are defined."""
        for event in thread.events:
            if not event.has_effect and event.number not in self.used and not defined.is_total(event.function):
                yield from defined.demands(event, self.machine.anything)

    def elements(self, ours, theirs):
        """Yield goals: two stores agree in each element of their arrays.

        This is for functions that know only arrays.
        """
        for root, path in self.touched(ours, theirs):
            array = self.machine.roots[root]
            for number in range(array.length):
                place = Reference(root, path, (number,), array.element)
                a, b = (store.read(place, [index_type(array)], TOP) for store in (ours, theirs))
                yield bits.compare("==", a, b, array.element), f"{root}[{number}]"

    def swept(self, goals):
        """Return goals about a long computation, in few variables."""
        open_ = [(condition, what) for condition, what in goals if not bits.known(condition)]
        sweep = Sweep([condition for condition, _ in open_])
        for condition, what in open_:
            if sweep.fails(condition):
                raise Different(f"{what} differs for random arguments")
        sweep.run()
        return [(sweep.stand_in(condition), what) for condition, what in open_] + [
            goal for goal in goals if bits.known(goal[0])
        ]

    def results(self, thread, result):
        """Return the goal that w0 or x0 holds the result."""
        returns = self.function.returns
        if returns is None:
            return []
        width = BYTE * returns.storage
        found = words.extract(thread.registers.named("x0"), 0, width, ADDRESS)
        return [(words.equal(found, encoded(result, returns), width), "the result")]

    def prove(self, goals, thread):
        """Prove all goals at once; name the first that fails."""
        goals = [(condition, what) for condition, what in goals if condition is not True]
        if not goals:
            return
        self.solver.push()
        failed = words.condition(words.disjoin([words.negate(condition) for condition, _ in goals]))
        self.solver.add(z3.simplify(failed, push_ite_bv=True))
        answer = self.solver.check()
        if answer == z3.sat and self.plain:
            self.solver.add(*self.meant())
            answer = self.solver.check()
        if answer == z3.sat:
            found = self.solver.model()
            what = next(
                what
                for condition, what in goals
                if not z3.is_true(found.eval(words.condition(condition), model_completion=True))
            )
            self.solver.pop()
            raise Different(f"{what} differs on the path {spelled(thread.trail)}", found)
        self.solver.pop()
        if answer == z3.unknown:
            raise GaveUp("the solver does not know whether the states are equal")

    # ---- states

    def touched(self, ours, theirs):
        """Return the fields that either side may have changed, and that are not the very same."""
        keys = {key for key in (*ours.heads, *theirs.heads) if key[0] in self.machine.roots}
        return sorted(key for key in keys if ours.heads.get(key) is not theirs.heads.get(key))

    def fields(self, ours, theirs, wanted=None):
        """Return goals: two stores agree, at any indices, in all fields or in those wanted."""
        goals = []
        for root, path in self.touched(ours, theirs):
            if wanted is None or (root, path) in wanted:
                goals.append((self.field(ours, theirs, root, path), f"{root}.{'.'.join(path)}"))
        return goals

    def field(self, ours, theirs, root, path):
        """Return the condition that two stores agree in one field, at indices that stand for any in range."""
        type_, types, lengths = along(self.machine.roots[root], path)
        indices = tuple(z3.BitVec(f"any.{number}.{its.bits}", its.bits) for number, its in enumerate(types))
        reference = Reference(root, path, indices, type_)
        a, b = ours.read(reference, types, TOP), theirs.read(reference, types, TOP)
        outside = [
            bits.compare(">=", index, length, its)
            for index, its, length in zip(indices, types, lengths)
            if length < 1 << its.bits
        ]
        return bits.disjoin([*outside, bits.compare("==", a, b, type_)])

    # ---- calls

    def called(self, model, function, arguments):
        """Match a call on the model's side with an event of the machine code, and return its result."""
        passed = [
            (item, value)
            for item, value in zip(function.parameters, arguments)
            if item.name in footprint(function).used
        ]
        scalars = {item.name: (value, item.type) for item, value in passed if is_scalar(item.type)}
        places = {item.name: value for item, value in passed if not is_scalar(item.type)}
        event = self.event(function, scalars, places)
        if event is None and ir.is_plain(function):
            return model.whole(function, arguments)
        if event is None:
            model.unmatched += 1
            result = result_of(function, f"unmatched{model.unmatched}") if function.returns is not None else None
            for fact in facts_of(function, result) if result is not None else ():
                self.solver.add(fact)
            return result
        if ir.is_plain(function):
            self.plain.append((event.result, function, arguments, model.store.fork()))
        self.havoc(event, places, model)
        return event.result

    def meant(self):
        """Yield what the results of plain functions are: the compiler may know it, and calls them all the same."""
        for result, function, arguments, store in self.plain:
            meant = Model(self, store, []).whole(function, arguments)
            yield words.condition(bits.compare("==", result, meant, function.returns))

    def event(self, function, scalars, places):
        """Return the event of the machine code for a call of the model, or None."""
        events = self.thread.events
        following = next((event for event in events[self.consumed :] if event.has_effect), None)
        pure = not has_effect(function)
        if not pure:
            if following is None or following.function is not function or following.leaf:
                raise Different(
                    f"the model calls {function.symbol}, the machine code "
                    f"{following.callee if following else 'nothing'}"
                )
            self.consumed = following.number + 1
            reason = self.unlike(following, scalars, places)
            if reason:
                raise Different(
                    f"{function.symbol} is called with another {reason} on the path {spelled(self.thread.trail)}",
                    self.example,
                )
            return following
        candidates = [event for event in events if event.function is function and not event.leaf]
        candidates.sort(key=lambda event: (event.number in self.used, event.number))
        for event in candidates:
            if not self.unlike(event, scalars, places):
                self.used.add(event.number)
                return event
        return None

    def unlike(self, event, scalars, places):
        """Return what differs between a call of the machine code and one of the model; an empty string if nothing."""
        self.example = None
        goals = [
            bits.compare("==", *(side[name][0] for side in (event.scalars, scalars)), type_=type_)
            for name, (_, type_) in scalars.items()
        ]
        wanted = set()
        mark = footprint(event.function)
        for parameter, place in places.items():
            if parameter in initialized(event.function):
                paths = []  # its contents do not matter, only its place
            else:
                paths = [path for name, path in mark.reads | mark.writes if name == parameter]
            theirs = event.places[parameter]
            if isinstance(theirs, Reference):
                if (theirs.root, theirs.path) != (place.root, place.path):
                    return parameter
                goals += [
                    bits.compare("==", a, b, its)
                    for a, b, its in zip(
                        theirs.indices, place.indices, along(self.machine.roots[place.root], place.path)[1]
                    )
                ]
                wanted |= {(place.root, (*place.path, *path)) for path in paths}
            else:
                if place.root in self.machine.roots:
                    return parameter
                goals += self.local(event, place, theirs, paths)
        if not self.certain(bits.conjoin(goals)):
            return "argument"
        if event.function.hardware:
            wanted = None
        ours, theirs = event.heap, self.model.store
        for condition, what in self.fields(ours, theirs, wanted):
            if not self.certain(condition):
                return what
        return ""

    def local(self, event, place, offset, paths):
        """Return goals: a local object on the stack holds what the model's object holds."""
        goals = []
        for path in paths:
            for at, type_, indices in cells(place.type, path):
                width = BYTE * type_.storage
                word = get(event.stack, offset + at, type_.storage, self.machine.anything)
                reference = Reference(place.root, (*place.path, *path), (*place.indices, *indices), type_)
                value = self.model.load(reference, TOP)
                goals.append(words.equal(word, encoded(value, type_), width))
        return goals

    def havoc(self, event, places, model):
        """Let what the callee may write hold the same on the model's side as on the machine's."""
        for parameter, path in sorted(footprint(event.function).writes):
            place = places[parameter]
            if place.root in self.machine.roots:
                forget(model.store, place, path, event.left(parameter, path))
            else:
                for _, type_, indices in cells(place.type, path):
                    reference = Reference(place.root, (*place.path, *path), (*place.indices, *indices), type_)
                    value = model.store.noted(cell_symbol(event.left(parameter, path), indices, type_), type_)
                    model.store.write(reference, value, TOP)

    def told(self, function, arguments):
        """Check that a hardware function ends by calling the assembly behind it, with everything stored before."""
        following = next((event for event in self.thread.events[self.consumed :] if event.has_effect), None)
        if following is None or not following.leaf or following.function is not function:
            raise Different(f"the assembly behind {function.symbol} is not called")
        self.consumed = following.number + 1
        goals = [
            bits.compare("==", following.scalars[item.name][0], value, item.type)
            for item, value in zip(function.parameters, arguments)
            if is_scalar(item.type)
        ]
        goals += [condition for condition, _ in self.fields(following.heap, self.model.store)]
        if not self.certain(bits.conjoin(goals)):
            raise Different(
                (
                    f"the assembly behind {function.symbol} is told something else on the path "
                    f"{spelled(self.thread.trail)}"
                ),
                self.example,
            )
