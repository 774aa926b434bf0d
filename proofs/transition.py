"""Which steps can the system take, and what do they look like to the solver?

A `Transition` is one operation run through the whole gate, one action of the kernel, the boot, or what a
guest can do by itself. Each is executed symbolically once, from an arbitrary state.
"""

from dataclasses import dataclass

import z3

import corollary.model.kernel.action
import corollary.model.kernel.boot
import corollary.model.kernel.gate
import corollary.model.kernel.schedule
from corollary.language import ir
from corollary.language.frontend import translate
from corollary.language.property import by_itself
from corollary.language.types import is_scalar
from corollary.model.kernel.ring import credit_at, left_of
from corollary.proofs import bits
from corollary.proofs.symbolic import TOP, Executor, Reference, Store
from corollary.spec.kernel.hypercalls import OPERATIONS
from corollary.spec.kernel.state import BootInformation, Call, Kernel, PartitionId


@dataclass(frozen=True)
class Transition:
    """One step: its name, the function that takes it, and the operation when it is a hypercall."""

    name: str
    function: object
    operation: object = None
    from_zero: bool = False

    @property
    def hypercall(self):
        """Does the step have a call, a status and a witness?"""
        return self.function is corollary.model.kernel.gate.dispatch

    @property
    def agent(self):
        """The parameter that says who acts; None when the running partition acts."""
        return next((p.name for p in translate(self.function).parameters if p.type is PartitionId), None)

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
        """Does the theorem name this step of the kernel, so that it may mention the step's parameters?"""
        return self.operation is None and isinstance(theorem.about, tuple) and self.name in theorem.about


def transitions():
    """Return every step of the system."""
    calls = [Transition(declared.name, corollary.model.kernel.gate.dispatch, declared) for declared in OPERATIONS]
    unknown = Transition("unknown_operation", corollary.model.kernel.gate.dispatch)
    actions = [
        Transition(f.__name__, f)
        for f in (
            corollary.model.kernel.action.preempt,
            corollary.model.kernel.action.contain,
            corollary.model.kernel.schedule.rotate,
            corollary.model.kernel.action.guest_store,
        )
    ]
    return [*calls, unknown, *actions, Transition("boot", corollary.model.kernel.boot.boot, from_zero=True)]


def step_named(name):
    """Return the step with this name. Raises `LookupError` if there is none."""
    found = [transition for transition in transitions() if transition.name == name]
    if not found:
        raise LookupError(f"there is no step {name}")
    return found[0]


# sums of wide numbers: most questions only need to know that they are the same
ARITHMETIC = frozenset(translate(function).symbol for function in (credit_at, left_of))


class Run:
    """A transition executed symbolically: the states before and after, the arguments, the status.

    `state` names the state before: runs with different names start from states of their own. With `named`, what walks
    and `ARITHMETIC` compute has names, which a question defines when it must.
    """

    def __init__(self, transition, state="s", executor=Executor, named=False):
        self.transition = transition
        roots = {"s": Kernel, "call": Call, "information": BootInformation}
        before = Store({"call", "information"} if transition.from_zero else {state, "call", "information"})
        before.shared.update(
            roots=roots, alias={"s": state}, sweeps=True, **({"names": {}, "apart": ARITHMETIC} if named else {})
        )
        self.prepare(before)
        self.before, self.after = before, before.fork()
        self.executor = executor(self.after)
        self.scalars = {}
        function = translate(transition.function)
        arguments = [self.argument(parameter, roots) for parameter in function.parameters]
        if transition.hypercall:
            self.fix_operation()
        if state != "s":
            self.fix("now", z3.Const(f"{state}.now", bits.sort(Call.fields["now"])))
        self.status = self.executor.run(function, arguments)
        self.obligations = list(self.executor.obligations)
        self.returns = self.executor.returns

    def prepare(self, store):
        """Set up what is special about the state before: here, nothing."""

    @property
    def actor(self):
        """The partition that acts."""
        if self.transition.agent is not None:
            return self.scalars[self.transition.agent][1]
        return self.before.read(Reference("s", (), (), Kernel).field("current", PartitionId), [], TOP)

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
            self.fix("operation", self.transition.operation.number)
        else:
            operation = self.after.base(
                Reference("call", (), (), Call).field("operation", Call.fields["operation"]), []
            )
            self.premise = z3.UGE(operation, len(OPERATIONS))
            self.executor.false = [
                bits.compare("==", operation, declared.number, Call.fields["operation"]) for declared in OPERATIONS
            ]

    def fix(self, field, value):
        """Give a scalar of the call this value from the start."""
        for store in (self.before, self.after):
            store.write(Reference("call", (), (), Call).field(field, Call.fields[field]), value, TOP)

    def evaluate(self, function, arguments, state=None):
        """Evaluate a boolean function on one state (`before` by default), or on both states for theorems.

        Return its value and its obligations.
        """
        translated = function if isinstance(function, ir.Function) else translate(function)
        executor = Executor(self.readable(state))
        value = executor.run(translated, arguments)
        return value, executor.obligations

    def readable(self, state=None):
        """Return a store for functions that change nothing: one state, or the states before and after and the call."""
        if state is not None:
            return state.fork()
        store = self.before.fork()
        store.view("before", "s", self.before)
        store.view("after", "s", self.after)
        store.view("call", "call", self.after)
        store.view("asked", "call", self.before)
        self.before.shared["roots"].update({"before": Kernel, "after": Kernel, "asked": Call})
        return store


OBJECTS = {"s": Kernel, "before": Kernel, "after": Kernel, "asked": Call, "call": Call, "information": BootInformation}
"""The objects that promises refer to by name: a state, the states before and after a step, the call as it was asked and
as it is in the end, and the boot information."""


def place(name):
    """Return a reference to a whole state object."""
    return Reference(name, (), (), OBJECTS[name])
