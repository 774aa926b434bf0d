"""What does our VM answer? This is the host library behind the protocol of the suite."""

from corollary import Function, Global, Instance, Memory, Module, Table, Trapped
from corollary import Invalid as OurInvalid
from corollary import Malformed as OurMalformed
from corollary import Unlinkable as OurUnlinkable
from corollary.instance import perform
from corollary.module import FunctionType
from corollary.spec.wasm.traps import Trap as Reason
from corollary.spec.wasm.values import ValueType
from tests.wasm.suite import (
    Exhausted,
    HostFunction,
    HostGlobal,
    HostMemory,
    HostTable,
    Invalid,
    Malformed,
    Trap,
    Unlinkable,
)


def bits_of(value):
    """Return the bits of a value of the suite: references count from 1."""
    kind, bits = value
    return bits if "ref" not in kind else 0 if bits is None else bits + 1


def value_of(type_, bits):
    """Return a value of the suite."""
    kind = ValueType(type_).name.lower()
    return (kind, bits if "ref" not in kind else None if bits == 0 else bits - 1)


class Ours:
    """An instance, by the names of its exports."""

    def __init__(self, exports, instance=None):
        self.exports, self.instance = exports, instance

    def export(self, name):
        """Return the external of a name. Raises KeyError."""
        return self.exports[name]

    def get(self, name):
        """Return the value of a global."""
        found = self.exports[name]
        return value_of(found.type, self.instance.references.of(found) if self.instance else found.bits)

    def invoke(self, name, arguments):
        """Return the results of a function."""
        function = self.exports[name]
        results = guarded(lambda: perform(function, [bits_of(value) for value in arguments]))
        return tuple(value_of(type_, bits) for type_, bits in zip(function.type.results, results))


def guarded(run):
    """Run, and raise failures in the words of the suite."""
    try:
        return run()
    except Trapped as trapped:
        raise (Exhausted if trapped.trap is Reason.STACK_EXHAUSTED else Trap)(trapped.message) from None
    except OurUnlinkable as problem:
        raise Unlinkable(problem.message) from None


class CorollaryEngine:
    """Modules of the host library."""

    reasons = {}

    def host(self, definitions):
        """Return an instance that the host defines."""
        return Ours({name: self.define(definition) for name, definition in definitions.items()})

    def define(self, definition):
        """Return the external for one definition of the host."""
        match definition:
            case HostGlobal((kind, _) as value):
                return Global(ValueType[kind.upper()], False, bits_of(value))
            case HostTable(element, minimum, maximum):
                return Table(ValueType[element.upper()], minimum, maximum)
            case HostMemory(minimum, maximum):
                return Memory(minimum, maximum)
            case HostFunction(parameters):
                return Function(FunctionType(tuple(ValueType[kind.upper()] for kind in parameters), ()), lambda *_: ())

    def decode(self, binary):
        """Return a module. Raises Malformed, Invalid."""
        try:
            return Module(binary)
        except OurMalformed as refused:
            raise Malformed(refused.message) from None
        except OurInvalid as refused:
            raise Invalid(refused.message) from None

    def instantiate(self, module, imports):
        """Return an instance. Raises Unlinkable, Trap, Exhausted."""
        given = {}
        for name, export, _, _ in module.imports:
            try:
                given[name, export] = imports[name].export(export)
            except KeyError:
                continue
        instance = guarded(lambda: Instance(module, given))
        return Ours({name: instance.export(name) for name in module.exports}, instance)
