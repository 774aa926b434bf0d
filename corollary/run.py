"""How does a call run to where it ends? The machine goes on until it wants the host, and the host does what it wants."""

import ctypes
import weakref

from corollary.library import library
from corollary.linker import Native
from corollary.outcome import Exited, Frame, HostCall, Stopped, Suspended, Trapped
from corollary.values import all_values, carried, checked_bits
from spec.wasm.machine import EXIT, FIELD, LOCALS_AT, PARAMETERS_AT, RESULT_AT, Outcome
from spec.wasm.module import NONE
from spec.wasm.traps import Trap

WORD = 8            # bytes of a slot
DEEPEST = 64        # calls that a backtrace tells
PLACE = ("at", "frame", "depth", "arguments", "top", "callee", "foreign", "type")       # where a machine is
IDLE = dict.fromkeys(PLACE, 0)
ENDS = (Stopped, Exited)


class Run:
    """The calls of an instance."""

    def __init__(self, instance):
        self.owner, self.machine, self.room = weakref.ref(instance), instance.machine, instance.room
        self.references, self.turn = instance.references, library().turn

    @property
    def instance(self):
        """Whose calls they are."""
        return self.owner()

    # ---- from outside

    def settle(self):
        """No call is running or waiting: nothing is left of one that an exception tore down, at whatever moment."""
        if self.machine.depth or self.machine.top:
            self.end(IDLE)

    def begin(self, index, arguments):
        """Enter a function above what is running, if anything; where the machine was before. Raises `Trapped`."""
        machine, stack = self.machine, self.room["stack"]
        before = {name: getattr(machine, name) for name in PLACE}
        frame, entry = machine.top, self.instance.module.entries[index]
        about = self.room["code"][entry - 1]
        slots, parameters, locals_ = about & NONE, about >> PARAMETERS_AT & FIELD, about >> LOCALS_AT
        if frame + slots > self.instance.limits.slots:
            raise Trapped(Trap.STACK_EXHAUSTED, self.backtrace())
        stack[frame:frame + len(arguments)] = list(arguments)
        ctypes.memset(machine.stack.at + WORD * (frame + parameters), 0, WORD * (locals_ - parameters))
        self.room["control"][machine.depth] = EXIT
        machine.at, machine.frame, machine.depth = entry, frame, machine.depth + 1
        return before

    def end(self, before):
        """Leave everything as it was."""
        for name, value in before.items():
            setattr(self.machine, name, value)

    def go_on(self, meter):
        """Run until it returns: None; or is suspended, or wants a function that nobody gave. Raises `Trapped`, `Stopped` or `Exited`."""
        stride = self.instance.module.stride
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
                        return HostCall(*function.asked, self.values(function.type.parameters, self.arguments(function)))
                    self.serve(function)
                elif meter.over:
                    return suspended(meter)

    def values(self, types, bits):
        """The Python values of some bits that the machine leaves; raises `Trapped` for a reference that it must not have."""
        try:
            return all_values(types, bits, self.references)
        except LookupError as error:
            raise Trapped(message=str(error), backtrace=self.backtrace()) from error

    def results(self, type_):
        """The bits of the results of a function of a type that has returned."""
        return tuple(self.room["stack"][self.machine.frame:self.machine.frame + len(type_.results)])

    # ---- what the machine wants of the host

    def wanted(self):
        """The function that the machine calls; raises `Trapped` when it is not of the type that it must have."""
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
        """The bits of the arguments of a host call."""
        at = self.machine.arguments
        return tuple(self.room["stack"][at:at + len(function.type.parameters)])

    def answer(self, bits):
        """Put the results of a host call where the machine wants them: a single one where the last word of the call says."""
        at = self.machine.frame + (self.room["code"][self.machine.at - 1] >> RESULT_AT) if len(bits) == 1 else self.machine.arguments
        self.room["stack"][at:at + len(bits)] = list(bits)

    def serve(self, function):
        """Do what the machine wants; an exception of a Python function becomes a trap."""
        depth = self.machine.depth
        try:
            results = self.performed(function, self.arguments(function))
            if self.machine.depth != depth:
                raise Stopped("a function of the host returned while a call that it had made was running still")
            self.answer(results)
        except Trapped as trapped:
            trapped.backtrace += self.backtrace()
            raise
        except ENDS:
            raise
        except Exception as error:
            raise Trapped(message=f"a function of the host failed: {type(error).__name__}: {error}", backtrace=self.backtrace()) from error

    def performed(self, function, arguments):
        """The results of a function of somebody else, as this instance has them."""
        other = function.instance
        if other is None or other is self.instance:
            return perform(function, arguments, self.instance)
        given = carried(function.type.parameters, arguments, self.references, other.references)
        return carried(function.type.results, perform(function, given), other.references, self.references)

    # ---- where it is

    def words(self):
        """Where the calls from the last one from outside on are, innermost first."""
        yield self.machine.at
        for depth in reversed(range(self.machine.depth)):
            word = self.room["control"][depth] & NONE
            if word == EXIT:
                return
            yield word - 1

    def backtrace(self):
        """The innermost calls."""
        found = []
        for word in self.words():
            index = self.instance.module.function_at(word)
            if index < 0 or len(found) == DEEPEST:
                break
            found.append(Frame(index, self.instance.module))
        return tuple(found)

    def outermost(self):
        """The index of the function that was called from outside."""
        *_, word = self.words()
        return self.instance.module.function_at(word)


def suspended(meter):
    """Why a call does not go on now."""
    spent = meter.fuel == 0
    return Suspended(late=not spent and meter.late, interrupted=not spent and meter.stopped)


def perform(function, arguments, instance=None):
    """Call an external function with bits, for the instance that has it; raises `Stopped` for one that nobody gave."""
    if not function.of_host:
        return function.instance.call_bits(function.index, arguments)
    if function.perform is None:
        raise Stopped(f"{'.'.join(function.asked)} is called within a call of the host, which cannot wait for the answer: import a function for it")
    if isinstance(function.perform, Native):
        return function.perform.bits(function.instance or instance, arguments)
    given = tuple(function.perform(*arguments))
    return checked_bits(function.type.results, given, "the result of a function of the host")
