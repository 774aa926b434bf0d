"""How does a call run to its end? The machine runs until it needs the host, and then the host serves it."""

import weakref
from typing import Any

from corollary.library import library
from corollary.linker import Native
from corollary.meter import RUNNING
from corollary.outcome import Busy, Exited, Frame, HostCall, Stopped, Suspended, Trapped
from corollary.spec.wasm.machine import EXIT, Outcome
from corollary.spec.wasm.module import NONE
from corollary.spec.wasm.traps import Trap
from corollary.values import all_values, carried, checked_bits

DEEPEST = 64  # calls in a backtrace, at most
NESTED = 48  # calls of instances within one another, at most: Python has no room for many more
PLACE = (
    "at",
    "frame",
    "depth",
    "arguments",
    "top",
    "callee",
    "foreign",
    "type",
)  # the fields that say where a machine is
ENDS = (Stopped, Exited)


class CallStack:
    """The calls of an instance."""

    def __init__(self, instance):
        self.owner, self.machine, self.room = weakref.ref(instance), instance.machine, instance.room
        self.references, self.turn = instance.references, library().turn
        self.closed = False  # is a call running that no function of the host was called by? None may begin on top of it

    @property
    def instance(self) -> Any:
        """The instance that is called."""
        return self.owner()

    # ---- from outside

    def clear(self):
        """Clear what is left of a call that an exception tore down; call this when no call runs or waits."""
        self.closed = False
        if self.machine.depth or self.machine.top:
            library().entry_leave(self.room.address)

    def begin(self, index, arguments):
        """Enter a function on top of the running call, if any, and return where the machine was before.

        Raises `Trapped` when the stack has no room, and `Busy` when the running call has not called a function of the
        host: a handler of a signal comes at any moment, and only then is it known which slots are free.
        """
        if self.closed:
            raise Busy("the instance is in the middle of a call: a handler of a signal cannot call it, do so later")
        before = {name: getattr(self.machine, name) for name in PLACE}
        self.closed = True
        trap = Trap(library().entry_enter(self.room.address, index))
        if trap is not Trap.NONE:
            self.closed = False
            raise Trapped(trap, self.backtrace())
        self.room["stack"][self.machine.frame : self.machine.frame + len(arguments)] = list(arguments)
        return before

    def end(self, before):
        """Put the machine back to where it was before."""
        for name, value in before.items():
            setattr(self.machine, name, value)
        self.closed = False

    def go_on(self, meter):
        """Run until the call returns, is suspended, or needs a function that was not given.

        Returns None, a `Suspended` or a `HostCall`, in this order. Raises `Trapped`, `Stopped` or `Exited`.
        """
        stride, self.closed = self.instance.module.stride, True
        if RUNNING.depth() >= NESTED:
            raise Trapped(message=f"calls from Python, and between instances, are nested {NESTED} deep", backtrace=())
        with meter:
            while True:
                given, time = meter.budget()
                self.machine.budget = given
                outcome = Outcome(self.turn(self.room.address, stride, time))
                meter.spend(given - self.machine.budget)
                if outcome is Outcome.RETURNED:
                    return None
                if outcome is Outcome.TRAPPED:
                    raise Trapped(Trap(self.machine.trap), self.backtrace())
                if outcome is Outcome.HOST_CALL:
                    function = self.wanted()
                    if function.asked is not None:
                        module, name = function.asked
                        arguments = self.values(function.type.parameters, self.arguments(function))
                        return HostCall(module, name, arguments)
                    self.serve(function)
                elif meter.over:
                    return suspended(meter)

    def values(self, types, bits):
        """Return the Python values of bits from the machine; raises `Trapped` for a reference that it must not have."""
        try:
            return all_values(types, bits, self.references)
        except LookupError as error:
            raise Trapped(message=str(error), backtrace=self.backtrace()) from error

    def results(self, type_):
        """Return the bits of the results of a function of this type that has just returned."""
        return tuple(self.room["stack"][self.machine.frame : self.machine.frame + len(type_.results)])

    # ---- serving the machine

    def wanted(self):
        """Return the function that the machine calls; raises `Trapped` when it has the wrong type."""
        machine, instance = self.machine, self.instance
        if not machine.foreign:
            return instance.functions.called(machine.callee)
        try:
            function = self.references.foreign(machine.callee)
        except LookupError as error:
            raise Trapped(message=str(error), backtrace=self.backtrace()) from error
        if function.type != instance.module.type_of(machine.type):
            raise Trapped(Trap.INDIRECT_CALL_TYPE, self.backtrace())
        return function

    def arguments(self, function):
        """Return the bits of the arguments of the host call."""
        at = self.machine.arguments
        return tuple(self.room["stack"][at : at + len(function.type.parameters)])

    def answer(self, bits):
        """Put the results of the host call where the machine expects them."""
        at = library().entry_result_slot(self.room.address, len(bits))
        self.room["stack"][at : at + len(bits)] = list(bits)

    def serve(self, function):
        """Perform the host call; an exception of a Python function becomes a trap."""
        depth = self.machine.depth
        try:
            results = self.performed_open(function)
            if self.machine.depth != depth:
                raise Stopped("a function of the host returned while a call that it had made was running still")
            self.answer(results)
        except Trapped as trapped:
            trapped.backtrace += self.backtrace()
            raise
        except ENDS:
            raise
        except Exception as error:
            raise Trapped(
                message=f"a function of the host failed: {type(error).__name__}: {error}", backtrace=self.backtrace()
            ) from error

    def performed_open(self, function):
        """Perform the host call; meanwhile others may begin on top of the call that made it."""
        arguments = self.arguments(function)
        try:
            self.closed = False
            return self.performed(function, arguments)
        finally:
            self.closed = True

    def performed(self, function, arguments):
        """Call a function of the host or of another instance, and return its results as this instance has them."""
        other = function.instance
        if other is None or other is self.instance:
            return perform(function, arguments, self.instance)
        given = carried(function.type.parameters, arguments, self.references, other.references)
        return carried(function.type.results, perform(function, given), other.references, self.references)

    # ---- where the machine is

    def words(self):
        """Yield the current word of each call since the last entry from outside, innermost first."""
        yield self.machine.at
        for depth in reversed(range(self.machine.depth)):
            word = self.room["control"][depth] & NONE
            if word == EXIT:
                return
            yield word - 1

    def backtrace(self):
        """Return the innermost calls as a tuple of `Frame`."""
        found = []
        for word in self.words():
            index = self.instance.module.function_at(word)
            if index < 0 or len(found) == DEEPEST:
                break
            found.append(Frame(index, self.instance.module))
        return tuple(found)

    def outermost(self):
        """Return the index of the function that was called from outside."""
        *_, word = self.words()
        return self.instance.module.function_at(word)


def suspended(meter):
    """Return the `Suspended` that says why a call is suspended."""
    spent = meter.fuel == 0
    return Suspended(late=not spent and meter.late, interrupted=not spent and meter.stopped)


def perform(function, arguments, instance=None):
    """Call a function with bits, on behalf of an instance, and return the bits of its results.

    Raises `Stopped` for a function that was not given.
    """
    if not function.of_host:
        return function.instance.call_bits(function.index, arguments)
    if function.perform is None:
        raise Stopped(
            f"{'.'.join(function.asked)} is called within a call of the host, which cannot wait for the answer: "
            "import a function for it"
        )
    if isinstance(function.perform, Native):
        return function.perform.bits(function.instance or instance, arguments)
    given = tuple(function.perform(*arguments))
    return checked_bits(function.type.results, given, "the result of a function of the host")
