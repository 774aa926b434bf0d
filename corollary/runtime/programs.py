"""How does a program meet its events? It is called with each, it waits for the next one, or it is a script.

A program that exports `handle_message` and `get_response` is called with every event, as `corollary.messages` does. One
with a script in the custom section `SCRIPT` is an engine for it. Any other module exports `_start`, which runs from the
first event on; `recv`, `sleep` and `fetch` of the module `corollary` suspend it, and its checkpoint is taken there. Of
a component, each event gets a new instance.
"""

from collections.abc import Callable
from typing import Any

from corollary.components.component import Component
from corollary.components.reader import is_component
from corollary.failure import Fault, OutputExceeded
from corollary.instance import Instance
from corollary.messages import HANDLE, RESPOND, check_answered, check_interface, exchange
from corollary.module import Module
from corollary.outcome import Exited, HostCall, Returned, Suspended, Unlinkable
from corollary.runtime.desk import Denied
from corollary.runtime.host import MODULE, read
from corollary.runtime.renewed import Renewed, check_handles
from corollary.runtime.run import Failed, Lasting, Run, advised, done, unfinished
from corollary.runtime.script import Scripted, script_of
from corollary.runtime.store import Deed, Event, Reply, Rules

START, INITIALIZE = "_start", "_initialize"


class Program:
    """A program together with what its instances may use. Several agents may share it.

    `run` returns a run that has taken no step yet. Raises `Unlinkable` when the program imports what no agent has, or
    can handle no event.
    """

    def __init__(self, module: Module | Component, rules: Rules, instances: type[Instance] = Instance):
        self.module, self.rules, self.run = module, rules, maker(module, rules, instances)
        self.run().imports()

    def check(self) -> None:
        """See what the program lacks, types and all; raises `Unlinkable`, and whatever linking it raises."""
        with advised():
            self.run().check()


def loaded(binary: bytes, seconds: float) -> Module | Component:
    """Return the module or the component that bytes are; raises as these do."""
    with advised():
        return (Component if is_component(binary) else Module)(binary, seconds=seconds)


def maker(module: Module | Component, rules: Rules, instances: type[Instance]) -> Callable[[], Run]:
    """Return what makes the runs of a program; raises `Unlinkable`."""
    if isinstance(module, Component):
        check_handles(module)
        return lambda: Renewed(module, rules)
    kind = kind_of(module)
    return lambda: kind(module, rules, instances)


def kind_of(module: Module) -> type[Lasting]:
    """Return how a module meets its events; raises `Unlinkable`."""
    if script_of(module) is not None:
        return Scripted
    if {HANDLE, RESPOND} <= module.exports.keys():
        check_interface(module)
        return Called
    if START in module.exports:
        return Waiting
    raise Unlinkable(f"the program exports neither {HANDLE} and {RESPOND} nor {START}: it can handle nothing")


class Called(Lasting):
    """A program that is called with each event."""

    def start(self, event: Event) -> Reply:
        """Initialize it, if it wants that."""
        if INITIALIZE in self.module.exports:
            outcome = self.instance.call(INITIALIZE)
            if not isinstance(outcome, Returned):
                raise unfinished(outcome)
        return done()

    def handle(self, event: Event) -> Reply:
        """Call it with an event."""
        reply = exchange(self.instance, event.body, self.rules.body)
        check_answered(reply)
        return done(reply.status or 0, reply.response)


class Waiting(Lasting):
    """A program that runs until it waits for an event."""

    def start(self, event: Event) -> Reply:
        """Run it from its beginning."""
        return self.until_it_waits(lambda: self.instance.call(START))

    def handle(self, event: Event) -> Reply:
        """Let it go on with an event."""
        waiting = self.instance.waiting
        if not isinstance(waiting, HostCall):
            raise Failed("the program waits for nothing")
        results = () if waiting.name == "sleep" else (len(event.body),)
        return self.until_it_waits(lambda: self.instance.resume(*results))

    def until_it_waits(self, go: Callable[[], Any]) -> Reply:
        """Run until the program ends or waits."""
        try:
            outcome = go()
        except Exited as end:
            self.ended = True
            return done(end.status, self.host.answer)
        if isinstance(outcome, Suspended):
            raise unfinished(outcome)
        if isinstance(outcome, Returned):
            self.ended = True
        else:
            self.wait(outcome)
        return done(body=self.host.answer)

    def wait(self, call: HostCall) -> None:
        """Note what the program waits for; raises `Failed` when it may not."""
        desk = self.host.desk
        try:
            if call.name == "sleep":
                self.about = desk.later(call.arguments[0])
            elif call.name == "fetch":
                self.about = desk.ask("http", read(self.instance.export("memory"), *call.arguments))
        except (Denied, IndexError, OutputExceeded) as error:
            desk.note(Deed.DENIED, str(error))
            fault = Fault.OUTPUT if isinstance(error, OutputExceeded) else Fault.BROKEN
            raise Failed(f"{MODULE}.{call.name}: {error}", fault) from None
