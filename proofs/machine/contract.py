"""Does the platform's code keep its contract?

A contract says, path by path, what effects the hardware sees and what memory then holds. It is a Python function of a
`PathCheck`. It reads and writes the objects that model and platform share, calls functions of the model, and names the
effects in their order. Where the machine code branches, the contract asks `holds`.
"""

import inspect
from dataclasses import dataclass, field
from typing import Any

from corollary.codegen.declarations import leaf_name
from corollary.codegen.kernel import OUTSIDE
from corollary.codegen.program import closure
from corollary.language import ir
from corollary.language.frontend import translate
from corollary.language.reads import remembered
from corollary.language.types import is_scalar
from corollary.model.kernel.component import KERNEL
from corollary.proofs import bits
from corollary.proofs.machine import defined, words
from corollary.proofs.machine.convention import FUNCTION, Convention
from corollary.proofs.machine.image import Symbol
from corollary.proofs.machine.memory import ADDRESS, BYTE
from corollary.proofs.machine.platform import Platform, Wait
from corollary.proofs.machine.refine import Comparison, Different, Vacuous, spelled
from corollary.proofs.machine.summary import below, named
from corollary.proofs.symbolic import TOP, Reference, belongs
from corollary.proofs.transition import transitions

ENDLESS = ("again", "final")  # paths that never return to the caller
CONTRACTS = {}
"""The contracts by name, in the order of declaration."""


@dataclass(frozen=True)
class Signature:
    """The signature of a function outside a proof: its arguments, result and changes, and whether it never returns.

    Its own contract says that it behaves so.
    """

    arguments: int
    final: bool = False
    changes: bool = False  # all memory; it returns the context of the partition that runs next
    returns: Any = None  # a scalar type
    leaves: dict = field(default_factory=dict)  # each object that it may change -> its name for it


@dataclass
class Contract:
    """What one piece of platform code must do, and where it lies."""

    name: str
    body: Any
    function: ir.TypedFunction
    convention: Convention = FUNCTION
    offset: int = 0  # bytes after the symbol
    follows: tuple = ()  # other code that it runs into or calls as if it were its own
    calls: dict = field(default_factory=dict)  # symbol -> Signature
    points: dict = field(
        default_factory=dict
    )  # register -> at the entry, "context" (of the running partition) or an address
    counted: bool = False  # its loops end by themselves: every round is run
    clears: bool = False  # its loops that store clear memory
    ends: dict = field(default_factory=dict)  # symbol -> where its counting loops end, outermost first
    changes: tuple = ()  # platform objects that the assembly behind a model function may change

    def symbol(self, image):
        """Return where the code lies."""
        found = image.functions[self.function.symbol]
        return Symbol(self.name, found.address + self.offset, found.size - self.offset)

    def stands(self, callee):
        """Does a function outside the proof run on the stack that it finds? Its own contract may say otherwise."""
        return CONTRACTS[callee].convention.stack if callee in CONTRACTS else FUNCTION.stack

    def changed(self, function):
        """Return the platform objects that the assembly behind a model function, or its callees, may change."""
        reached = (function, *below(function).values())
        return sorted({name for each in reached if each.hardware for name in CONTRACTS[leaf_name(each)].changes})

    @property
    def sentence(self):
        """Return what the contract promises."""
        return (inspect.getdoc(self.body) or "").splitlines()[0]


def contract(symbol=None, name=None, **more):
    """Declare a contract. Its parameters, with their types, are the arguments of the code, in order."""

    def declare(body):
        code = symbol or body.__name__
        items = list(inspect.signature(body).parameters.values())[1:]
        parameters = tuple(
            ir.Parameter(item.name, item.annotation) for item in items if item.annotation is not inspect.Parameter.empty
        )
        returns = inspect.signature(body).return_annotation
        function = ir.TypedFunction(
            code,
            code.split("_")[0],
            parameters,
            None if returns is inspect.Signature.empty else returns,
            (),
            body,
            inspect.getsourcefile(body) or "?",
            body.__code__.co_firstlineno,
            "",
        )
        function.module = code
        CONTRACTS[name or code] = Contract(name or code, body, function, **more)
        return body

    return declare


class Ended(Exception):
    """The path ends here, both in the machine code and in the contract."""


class Object:
    """A record or an array of the expected state, read and written as in the model."""

    model: Any
    reference: Any

    def __init__(self, model, reference):
        self.__dict__.update(model=model, reference=reference)

    def found(self, reference):
        """Return the value of a scalar, or the object for anything else."""
        return self.model.load(reference, TOP) if is_scalar(reference.type) else Object(self.model, reference)

    def __getattr__(self, name) -> Any:
        return self.found(self.reference.field(name, self.reference.type.fields[name]))

    def __setattr__(self, name, value):
        self.model.store.write(self.reference.field(name, self.reference.type.fields[name]), value, TOP)

    def __getitem__(self, index):
        return self.found(self.reference.element(index))

    def __setitem__(self, index, value):
        self.model.store.write(self.reference.element(index), value, TOP)

    def clear(self):
        """Set everything to zero."""
        self.model.clear(self.reference, TOP)


def given(arguments):
    """Return arguments as the model takes them."""
    return [argument.reference if isinstance(argument, Object) else argument for argument in arguments]


class PathCheck:
    """One path of the machine code, and the contract that follows it."""

    def __init__(self, comparison, thread, model):
        self.comparison, self.machine, self.thread, self.model, self.goals = (
            comparison,
            comparison.machine,
            thread,
            model,
            [],
        )
        self.entered = 0  # counting loops so far
        self.kernel, self.contexts = self.whole("kernel"), self.whole("contexts")

    def place(self, name):
        """Return the place of a whole object."""
        return Reference(name, (), (), self.machine.roots[name])

    def whole(self, name):
        """Return a whole object, to read and write."""
        return Object(self.model, self.place(name))

    def address(self, name):
        """Return where an object of the platform lies."""
        return self.machine.objects[name][0]

    def running(self):
        """Return the address of the running partition's context."""
        return self.machine.running(self.model.store)

    def variable(self, name, *value):
        """Return what a variable of the platform holds, after setting it if a value is given."""
        if value:
            self.model.store.write(self.place(name), value[0], TOP)
        return self.model.load(self.place(name), TOP)

    def local(self, type_):
        """Return a new object, all zeros."""
        root = f"local#{len(self.model.roots)}"
        self.model.roots[root] = type_
        return Object(self.model, Reference(root, (), (), type_))

    # ---- goals

    def must(self, condition, what):
        """Add a goal: a condition that must hold on this path."""
        self.goals.append((condition, what))

    def equal(self, found, expected, what, width=ADDRESS):
        """Add the goal that two words are equal."""
        self.must(words.equal(found, expected, width), what)

    def holds(self, condition):
        """Does a condition hold on this path?"""
        return self.model.decide(condition)

    def entry(self, register):
        """Return what a register held at the entry."""
        return self.machine.entry[register.lower()]

    def now(self, register):
        """Return what a register holds at the end."""
        return self.thread.registers.named(register.lower())

    # ---- effects, in their order

    def effect(self, kind, name, *values, widths=None):
        """Return the next effect, which must be this one. Raises `Different` if it is not."""
        following = next((event for event in self.thread.events[self.comparison.consumed :] if event.has_effect), None)
        if following is None or following.function is not None or (following.kind, following.name) != (kind, name):
            found = "nothing" if following is None else f"{getattr(following, 'kind', 'call')} {following.callee}"
            raise Different(f"{kind} {name} is expected, there is {found}, on the path {spelled(self.thread.trail)}")
        self.comparison.consumed = following.number + 1
        for position, value in enumerate(values):
            width = widths[position] if widths else ADDRESS
            self.equal(
                words.extract(following.values[position], 0, width, ADDRESS)
                if kind == "call"
                else following.values[position],
                value,
                f"what is told by {kind} {name}",
                width,
            )
        return following

    def write(self, register, value):
        """Expect the write of a system register."""
        self.effect("write", register, value)

    def read(self, register):
        """Expect the read of a register that changes by itself, and return the value."""
        return self.effect("read", register).result

    def do(self, *names):
        """Expect barriers, maintenance and other system instructions."""
        for name in names:
            self.effect("do", name)

    def load(self, address, size):
        """Expect the read of a device register, and return the value."""
        return self.asked(address, size).result

    def store(self, address, size, value):
        """Expect the write of a device register."""
        self.effect("store", self.device(address, size), size, value, address, widths=(ADDRESS, BYTE * size, ADDRESS))

    def asked(self, address, size):
        """Expect the read of a device register, and return the effect."""
        return self.effect("load", self.device(address, size), size, address)

    def device(self, address, size):
        """Return the name of the device at an address. Raises `Different` if there may be none."""
        name = self.machine.device_at(address, size)
        if name is None:
            raise Different(f"{address} is no register of a device, on the path {spelled(self.thread.trail)}")
        return name

    def wait(self, address, size, ready):
        """Expect a loop that reads a device until it is ready. Each round reads again and does nothing else."""
        self.ask_until(ready, self.asked(address, size))

    def wait_for(self, register, ready):
        """Expect a loop that reads a register that changes by itself until it holds what is waited for."""
        self.ask_until(ready, self.effect("read", register))

    def ask_until(self, ready, asked):
        """Expect a loop with nothing but a question, which ends with the answer."""
        again = self.thread.again
        if isinstance(again, Wait) and again.events == asked.number == len(self.thread.events) - 1:
            self.must(bits.negate(ready(asked.result)), "the device is asked again only while it is not ready")
            raise Ended
        self.must(ready(asked.result), "nobody goes on before the device is ready")

    def rounds(self, bounds):
        """Return the counters of any round of nested loops that count up to `bounds`."""
        mine = self.thread.rounds[self.entered : self.entered + len(bounds)]
        self.entered += len(bounds)
        if [one.end for one in mine] != list(bounds):
            raise Different(f"loops up to {bounds} are expected on the path {spelled(self.thread.trail)}")
        return [one.number for one in mine]

    def enters(self, symbol):
        """Is the next counting loop on this path one of a function?"""
        code = self.machine.image.functions[symbol]
        return any(code.address <= one.first < code.end for one in self.thread.rounds[self.entered :][:1])

    def any(self, index):
        """Return any index of a type, whatever the machine code did with it."""
        number = self.machine.anything("any", index.bits)
        self.comparison.solver.add(words.condition(belongs(number, index)))
        return number

    def rounds_end(self, numbers, bounds):
        """End a round: a loop goes on after the last round of each loop inside it, or all were in their last round."""
        mine = self.thread.rounds[self.entered - len(bounds) : self.entered]
        inside = next((place + 1 for place, one in enumerate(mine) if one is self.thread.again), 0)
        for number, bound in [*zip(numbers, bounds)][inside:]:
            self.equal(number, bound - 1, "a loop ends behind its last round only", 32)
        if inside:
            raise Ended

    def writes(self):
        """Return the system registers that are written next, in any order: name to value."""
        found = {}
        for event in self.thread.events[self.comparison.consumed :]:
            if getattr(event, "kind", "") != "write" or event.name in found:
                break
            found[event.name] = event.values[0]
            self.comparison.consumed = event.number + 1
        return found

    # ---- calls

    def call(self, symbol, *arguments):
        """Run a function of the model."""
        return self.comparison.called(self.model, named()[symbol], given(arguments))

    def meant(self, function, *arguments):
        """Return what a typed function of the model means, whether or not the machine code calls it."""
        return self.model.whole(function, given(arguments))

    def outside(self, name, *values, stack=None, widths=None):
        """Expect a call of a function outside this proof, on a stack; return its result.

        Memory must then be what the model says. The function may leave anything in it, if its signature says so.
        """
        effect = self.effect("call", name, *values, widths=widths)
        if stack is None and not effect.on_stack:
            raise Different(f"{name} is called on no stack, on the path {spelled(self.thread.trail)}")
        for condition, what in self.comparison.fields(effect.heap, self.model.store):
            self.must(condition, f"{what} when {name} is called")
        if stack is not None:
            self.equal(effect.registers.named("sp"), stack, f"the stack of {name}()")
        if effect.left is not None:
            self.model.store.heads.update(effect.left.heads)
        return effect.result

    def final(self, name, *values, stack=None, widths=None):
        """Expect a call of a function that never returns."""
        self.outside(name, *values, stack=stack, widths=widths)
        raise Ended

    def clear(self, name):
        """Set a whole object to zero."""
        self.model.clear(self.place(name), TOP)


@remembered
def asked_apart():
    """Return the symbols of the functions that have their own obligation to be defined.

    These are the steps of the kernel, and all that runs before its boot.
    """
    steps = (translate(transition.function) for transition in transitions(KERNEL))
    return {function.symbol for function in (*steps, *closure(OUTSIDE))}


class ContractComparison(Comparison):
    """Compares the machine code of a contract with the contract."""

    def __init__(self, image, contract):
        self.contract, self.function = contract, contract.function
        self.machine = Platform(image, contract)
        self.solver, self.thread, self.example = self.machine.solver, None, None

    def unlike(self, event, scalars, places):
        """Return what differs between two calls, also in platform objects that the callee may change."""
        found = super().unlike(event, scalars, places)
        wanted = {key for root in self.contract.changed(event.function) for key in self.machine.fields(root)}
        fields = [] if found else self.fields(event.heap, self.model.store, wanted)
        return found or next((what for condition, what in fields if not self.certain(condition)), "")

    def havoc(self, event, places, model):
        """Let what the callee may change hold what it holds on the machine's side, also in platform objects."""
        super().havoc(event, places, model)
        self.machine.changed(event, model.store)

    def additional(self, thread):
        """Yield goals: each called model function is defined, unless its own obligation says so for all arguments."""
        for event in thread.events:
            if (
                event.function is not None
                and event.function.symbol not in asked_apart()
                and not defined.is_total(event.function)
            ):
                yield from defined.demands(event, self.machine.anything)

    def summed_up(self, thread, model):
        """Yield goals: the code does and changes only what its callers assume."""
        name = self.contract.name
        signatures = [contract.calls[name] for contract in CONTRACTS.values() if name in contract.calls]
        for signature in signatures:
            yield signature.arguments == len(self.function.parameters), "it is given as many words as it takes"
            yield not signature.final or thread.ended in ENDLESS, "it never comes back"
        allowed = [signature.leaves.values() for signature in signatures if not (signature.final or signature.changes)]
        allowed += [self.contract.changes] if self.machine.is_leaf() else []
        for root, path in self.touched(thread.heap, model.store):
            yield all(root in each for each in allowed), f"{root}.{'.'.join(path)} is not to be changed"

    def one(self, thread, model):
        """Compare one path of each."""
        run, result, function = PathCheck(self, thread, model), None, self.function
        model.roots.update(self.machine.roots)
        try:
            result = self.contract.body(run, *(self.machine.arguments[item.name] for item in function.parameters))
            stopped = False
        except Ended:
            stopped = True
        if stopped != (thread.ended in ENDLESS):
            raise Different(f"the machine code {'goes on' if stopped else 'stops'} on the path {spelled(thread.trail)}")
        if not self.possible():
            raise Vacuous
        self.nothing_left(thread)
        goals = [*run.goals, *thread.obligations, *self.additional(thread), *self.summed_up(thread, model)]
        if thread.ended != "final":
            goals += self.fields(thread.heap, model.store)
        if not thread.ended and function.returns is not None:
            goals += self.results(thread, result)
        self.prove(goals, thread)
