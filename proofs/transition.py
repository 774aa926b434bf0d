"""Which steps can the system take, and what do they look like to the solver?

A `Transition` is one operation run through the whole gate, one action of the kernel, the boot, or what a
guest can do by itself. Each is executed symbolically once, from an arbitrary state.
"""

from dataclasses import dataclass, field
from typing import Any

import z3

from corollary.language import ir
from corollary.language.component import AFTER, ASKED, BEFORE, BOOT, CALL, NOW, NUMBER, STATE, Component
from corollary.language.frontend import translate
from corollary.language.property import by_itself
from corollary.language.types import is_scalar, u8
from corollary.language.values import Record
from corollary.proofs import bits
from corollary.proofs.symbolic import TOP, Executor, Reference, Store, belongs


@dataclass(frozen=True)
class Transition:
    """One step: its name, the function that takes it, the operation that is asked for, and what it is a step of."""

    name: str
    function: Any
    operation: Any = None
    from_zero: bool = False
    component: Component = field(kw_only=True)

    @property
    def hypercall(self):
        """Is the step a call through a gate, with a status and a record of it?"""
        return self.component.gate is not None and self.function is self.component.gate

    @property
    def status(self):
        """The type of the status that the step ends with; None without one."""
        return translate(self.operation.function if self.operation else self.function).returns

    @property
    def agent(self):
        """The parameter that says who acts; None when the running partition acts, or nobody."""
        actor = self.component.actor
        return next((p.name for p in translate(self.function).parameters if actor and p.type is actor), None)

    def place(self, name):
        """Return a reference to a whole object of the component: a state, or what else the step is given."""
        return Reference(name, (), (), self.component.types[name])

    def given(self, function, objects, *scalars):
        """Return the arguments of a function about the step: the objects that it names, then scalars."""
        named = [objects(p.name) for p in translate(function).parameters if not is_scalar(p.type)]
        return [*named, *scalars]

    def speaks(self, theorem):
        """Is the theorem about this step?

        A theorem that mentions no call is about what the kernel does by itself, too.
        """
        if self.operation is not None:
            return theorem.concerns(self.operation)
        if self.is_named(theorem):
            return True
        if theorem.about is by_itself:
            return not self.hypercall and not self.from_zero
        if self.hypercall and theorem.unknown:
            return True
        mentions_call = {"asked", "call", "status"} & {p.name for p in translate(theorem.function).parameters}
        return theorem.about is None and not self.from_zero and (self.hypercall or not mentions_call)

    def is_named(self, theorem):
        """Does the theorem name this step, no call through a gate, so that it may mention the step's parameters?"""
        by_itself = self.operation is None or not self.hypercall
        return by_itself and isinstance(theorem.about, tuple) and self.name in theorem.about


def transitions(component):
    """Return every step of a component."""
    gate, first = component.gate, component.boot or nothing
    calls = [Transition(each.name, gate or each.function, each, component=component) for each in component.operations]
    unknown = [Transition("unknown_operation", gate, component=component)] if gate else []
    actions = [Transition(f.__name__, f, component=component) for f in component.actions]
    return [*calls, *unknown, *actions, Transition(BOOT, first, from_zero=True, component=component)]


def step_named(name, component):
    """Return the step with this name. Raises `LookupError` if there is none."""
    found = [transition for transition in transitions(component) if transition.name == name]
    if not found:
        raise LookupError(f"there is no step {name}")
    return found[0]


class Whatever(Record):
    """Stands for the state of any component."""

    something: u8


def nothing(s: Whatever) -> None:
    """The step that does nothing, of any component: what follows from the invariants alone."""


class Run:
    """A transition executed symbolically: the states before and after, the arguments, the status.

    `state` names the state before: runs with different names start from states of their own. With `named`, what walks
    and the `named` functions of the component compute has names, which a question defines when it must.
    """

    def __init__(self, transition, state=STATE, executor: Any = Executor, named=False):
        self.transition, self.component = transition, transition.component
        roots, apart = self.component.roots, frozenset(translate(function).symbol for function in self.component.named)
        before = Store({*self.component.objects, *(() if transition.from_zero else (state,))})
        before.shared.update(
            roots=roots, alias={STATE: state}, sweeps=True, **({"names": {}, "apart": apart} if named else {})
        )
        self.prepare(before)
        self.before, self.after = before, before.fork()
        self.executor = executor(self.after)
        self.scalars = {}
        function = translate(transition.function)
        arguments = [self.argument(parameter, roots) for parameter in function.parameters]
        if transition.hypercall:
            self.fix_operation()
        if state != STATE and self.component.gate:
            self.fix(NOW, z3.Const(f"{state}.{NOW}", bits.sort(self.call[NOW])))
        self.status = self.executor.run(function, arguments)
        self.obligations = list(self.executor.obligations)
        self.returns = self.executor.returns

    def prepare(self, store):
        """Set up what is special about the state before: here, nothing."""

    @property
    def call(self):
        """The types of the fields of a call."""
        return self.component.objects[CALL].fields

    @property
    def place(self):
        """What returns a reference to a whole object by its name."""
        return self.transition.place

    @property
    def actor(self):
        """Who acts."""
        if self.transition.agent is not None:
            return self.scalars[self.transition.agent][1]
        return self.before.read(self.place(STATE).field("current", self.component.actor), [], TOP)

    @property
    def within(self):
        """The conditions that the arguments of the step are of their types."""
        return [condition for type_, term in self.scalars.values() if (condition := belongs(term, type_)) is not True]

    def argument(self, parameter, roots):
        """Return a parameter of the step: a state object, or a fresh scalar."""
        if not is_scalar(parameter.type):
            return Reference(parameter.name, (), (), roots[parameter.name])
        constant = z3.Const(parameter.name, bits.sort(parameter.type))
        self.scalars[parameter.name] = (parameter.type, constant)
        return constant

    def fix_operation(self):
        """Make the call name the operation; an unknown operation is any number beyond the table."""
        self.premise = True
        if self.transition.operation is not None:
            self.fix(NUMBER, self.transition.operation.number)
        else:
            type_, known = self.call[NUMBER], self.component.operations
            operation = self.after.base(self.place(CALL).field(NUMBER, type_), [])
            self.premise = z3.UGE(operation, len(known))
            self.executor.false = [bits.compare("==", operation, declared.number, type_) for declared in known]

    def fix(self, field, value):
        """Give a scalar of the call this value from the start."""
        for store in (self.before, self.after):
            store.write(self.place(CALL).field(field, self.call[field]), value, TOP)

    def evaluate(self, function, arguments, state=None):
        """Evaluate a boolean function on one state (`before` by default), or on both states for theorems.

        Return its value and its obligations.
        """
        translated = function if isinstance(function, ir.TypedFunction) else translate(function)
        executor = Executor(self.readable(state))
        value = executor.run(translated, arguments)
        return value, executor.obligations

    def readable(self, state=None):
        """Return a store for functions that change nothing: one state, or the states before and after and the call."""
        if state is not None:
            return state.fork()
        store = self.before.fork()
        store.view(BEFORE, STATE, self.before)
        store.view(AFTER, STATE, self.after)
        if CALL in self.component.objects:
            store.view(CALL, CALL, self.after)
            store.view(ASKED, CALL, self.before)
        self.before.shared["roots"].update(self.component.types)
        return store

    def about(self, function, *scalars, state=None):
        """Evaluate a function of the objects that it names, and of scalars; return its value alone."""
        return self.evaluate(function, self.transition.given(function, self.place, *scalars), state)[0]
