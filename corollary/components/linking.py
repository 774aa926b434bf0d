"""How do the parts of a component become instances? One definition after the other, each from those before it.

Every definition adds one item to an index space of its component. What a component imports is matched with what it is
given when it is linked, so the types here are those of things that are there: a type of resources is equal to itself
only, and a function has the types of the one that will be called.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, NoReturn

from corollary import Instance, LimitExceeded, Limits, Module, Unlinkable
from corollary.components.functions import REALLOC, ComponentFunction, Signature, lift, lower, of_host
from corollary.components.memory import Encoding, Options
from corollary.components.refusal import ComponentRefused, trap
from corollary.components.resources import Calls, Compartment, ResourceType
from corollary.components.values import I32, Type
from corollary.limits import check_asked
from corollary.linker import Function, Global, Memory, Table
from corollary.meter import Meter
from corollary.module import FunctionType
from corollary.run import perform
from corollary.spec.wasm.module import External

MATCHES = 10_000  # of instances with types, at most
DEPTH = 50  # instances that make one another, at most
LINKING = "linking a component"


class Sort(Enum):
    """The index spaces of a component, by what is in them."""

    CORE_FUNCTION = "core function"
    CORE_TABLE = "core table"
    CORE_MEMORY = "core memory"
    CORE_GLOBAL = "core global"
    CORE_TYPE = "core type"
    CORE_MODULE = "core module"
    CORE_INSTANCE = "core instance"
    FUNCTION = "function"
    TYPE = "type"
    COMPONENT = "component"
    INSTANCE = "instance"


@dataclass(frozen=True)
class Definition:
    """What the byte at `offset` begins to define: `make` returns it, for the space of a sort; None is no space.

    `weight` is of how many parts it consists, with itself.
    """

    offset: int
    sort: Sort | None
    make: "Callable[[Environment], Any]"
    weight: int


Body = tuple[Definition, ...]
"""A component, or the type of an instance or a component."""


@dataclass(frozen=True, eq=False)
class Template:
    """A component that can be instantiated, with the environment that it stands in."""

    body: Body
    around: "Environment | None"


@dataclass(frozen=True, eq=False)
class InstanceType:
    """The type of an instance, with the environment that it stands in."""

    body: Body
    around: "Environment"

    def match(self, here: "Environment", given: Mapping[str, Any], path: str) -> dict[str, Any]:
        """Return of an instance what this type names; raises `Unlinkable` unless all of it is there and fits."""
        here.linking.match()
        inside = Environment(here.linking, self.around.compartment, given, self.around, path, here.depth + 1)
        inside.run(self.body)
        return inside.given_out


@dataclass(frozen=True)
class ComponentType:
    """The type of a component. Nothing is matched with it: what a component needs is seen when it is instantiated."""


TYPES = (Type, Signature, ResourceType, InstanceType, ComponentType)
CLASSES: dict[Sort, Any] = {
    Sort.CORE_FUNCTION: Function,
    Sort.CORE_TABLE: Table,
    Sort.CORE_MEMORY: Memory,
    Sort.CORE_GLOBAL: Global,
    Sort.CORE_MODULE: Module,
    Sort.FUNCTION: ComponentFunction,
    Sort.TYPE: TYPES,
    Sort.COMPONENT: Template,
    Sort.INSTANCE: Mapping,
}
"""The classes of what can be exported."""


class Denied:
    """What the host lets a component import, but not use: each is a class of its own, and whoever calls it is trapped.

    As the type of a resource it has no objects.
    """

    def __new__(cls, *values: Any) -> NoReturn:
        trap(f"{cls.__name__} is denied")


class Tally:
    """How many definitions a component has so far, with their parts."""

    def __init__(self, limits: Limits, count: int = 0):
        self.limits, self.count = limits, count

    def add(self, count: int) -> None:
        """Count some more; raises `LimitExceeded`."""
        self.count += count
        check_asked("definitions", self.count, self.limits.definitions)


class Linking:
    """What all parts of one component share: its limits, its core instances in the order of their making.

    `definitions` is how many it was decoded to.
    """

    def __init__(self, limits: Limits, meter: Meter, definitions: int):
        self.tally = Tally(limits, definitions)
        self.limits, self.meter, self.count, self.memories, self.matches = limits, meter, 0, 0, 0
        self.core: list[Instance] = []
        self.of_host: dict[type, ResourceType] = {}
        self.calls = Calls(limits.fuel)

    def instantiate(self, module: Module, imports: dict[tuple[str, str], Any]) -> dict[str, Any]:
        """Return what a new core instance exports."""
        self.another()
        self.memories += module.value.counts.memories - module.imported(External.MEMORY)
        check_asked("memories", self.memories, self.limits.memories)
        return self.made(module, imports)

    def made(self, module: Module, imports: dict[tuple[str, str], Any]) -> dict[str, Any]:
        """Return what a core instance exports, after its first steps."""
        self.core.append(Instance(module, imports, self.limits))
        return {name: self.core[-1].export(name) for name in module.exports}

    def start(self, function: ComponentFunction) -> None:
        """Call the function where a component starts."""
        function.perform(())

    def another(self) -> None:
        """Count one more instance; raises `LimitExceeded`."""
        self.count += 1
        check_asked("instances", self.count, self.limits.instances)

    def match(self) -> None:
        """Count one more match of an instance with a type; raises `LimitExceeded`."""
        self.matches += 1
        if self.matches > MATCHES:
            raise LimitExceeded(f"the component has more than {MATCHES} imports of instances")

    def resource(self, class_: type) -> ResourceType:
        """Return the type of resources that a Python class stands for."""
        return self.of_host.setdefault(class_, ResourceType(class_.__name__, of_host=class_))


class Environment:
    """The index spaces of one component instance while it is made, what it is given, and what it gives out.

    `around` is the environment of the component that it stands in, and `path` names it in messages.
    """

    def __init__(
        self,
        linking: Linking,
        compartment: Compartment,
        given: Mapping[str, Any],
        around: "Environment | None" = None,
        path: str = "",
        depth: int = 0,
    ):
        self.linking, self.compartment, self.given, self.around, self.path = linking, compartment, given, around, path
        self.items: dict[Sort, list[Any]] = {sort: [] for sort in Sort}
        self.given_out: dict[str, Any] = {}
        self.offset, self.depth = 0, depth
        if depth > DEPTH:
            raise LimitExceeded(f"more than {DEPTH} instances lie within one another")

    def run(self, body: Body) -> None:
        """Make what is defined, in order."""
        for definition in self.linking.meter.watched(body, LINKING):
            self.offset = definition.offset
            self.linking.tally.add(definition.weight)
            made = definition.make(self)
            if definition.sort is not None:
                self.items[definition.sort].append(made)

    def refuse(self, message: str) -> NoReturn:
        """Refuse what is being defined."""
        raise ComponentRefused(message, self.offset)

    def get(self, sort: Sort, index: int) -> Any:
        """Return an item of an index space."""
        return self.items[sort][index]

    def type_of(self, index: int, kind: type, what: str) -> Any:
        """Return a type that must be of a kind."""
        found = self.get(Sort.TYPE, index)
        if not isinstance(found, kind):
            self.refuse(f"type {index} is no {what}")
        return found

    def values(self, index: int) -> Type:
        """Return a type of values."""
        return self.type_of(index, Type, "type of values")

    def signature(self, index: int) -> Signature:
        """Return a type of functions."""
        return self.type_of(index, Signature, "type of functions")

    def resource(self, index: int) -> ResourceType:
        """Return a type of resources."""
        return self.type_of(index, ResourceType, "type of resources")

    def own_resource(self, index: int) -> ResourceType:
        """Return a type of resources that this component defines."""
        found = self.resource(index)
        if found.owner is not self.compartment:
            self.refuse(f"type {index} is a resource of another component")
        return found

    def core_function(self, index: int, type_: FunctionType, what: str) -> Function:
        """Return a core function that must have a type."""
        found = self.get(Sort.CORE_FUNCTION, index)
        if found.type != type_:
            self.refuse(f"core function {index} has another type than {what} needs")
        return found


# ---- core instances


def core_instance(module: int, arguments: Sequence[tuple[str, int]]) -> Callable[[Environment], Any]:
    """Make a core instance of a module; its imports come from the instances that are its arguments."""

    def make(here: Environment) -> dict[str, Any]:
        given = [(from_, here.get(Sort.CORE_INSTANCE, index)) for from_, index in arguments]
        found: Module = here.get(Sort.CORE_MODULE, module)
        here.linking.tally.add(len(found.exports) + sum(len(exports) for _, exports in given))
        imports = {(from_, name): external for from_, exports in given for name, external in exports.items()}
        return here.linking.instantiate(found, imports)

    return make


def gathered(exports: Sequence[tuple[str, Sort, int]]) -> Callable[[Environment], Any]:
    """Make an instance, of a core module or a component, of what there is already."""
    return lambda here: {name: here.get(sort, index) for name, sort, index in exports}


def exported(sort: Sort, of: Sort, instance: int, name: str) -> Callable[[Environment], Any]:
    """Name what an instance exports."""

    def make(here: Environment) -> Any:
        found = here.get(of, instance).get(name)
        if not isinstance(found, CLASSES[sort]):
            here.refuse(f"{of.value} {instance} exports no {sort.value} {name!r}")
        return found

    return make


def outer(sort: Sort, count: int, index: int) -> Callable[[Environment], Any]:
    """Name what the component has that this one stands in, so many times."""

    def make(here: Environment) -> Any:
        found: Any = here
        for _ in range(count):
            found = found.around
        return found.get(sort, index)

    return make


# ---- components


def component_instance(component: int, arguments: Sequence[tuple[str, Sort, int]]) -> Callable[[Environment], Any]:
    """Make an instance of a component."""

    def make(here: Environment) -> dict[str, Any]:
        template: Template = here.get(Sort.COMPONENT, component)
        given = {name: here.get(sort, index) for name, sort, index in arguments}
        return instantiate(here.linking, template, given, here.path, here.depth + 1)

    return make


def instantiate(
    linking: Linking, template: Template, given: Mapping[str, Any], path: str = "", depth: int = 0
) -> dict[str, Any]:
    """Return what a new instance of a component exports."""
    linking.another()
    inside = Environment(linking, Compartment(linking.calls), given, template.around, path, depth)
    inside.run(template.body)
    return inside.given_out


Fit = Callable[[Environment, Any, str], Any]
"""Returns what is given, as it is seen from inside; raises `Unlinkable` if it is not what is asked for."""


def imported(name: str, fit: Fit, needed: bool = True) -> Callable[[Environment], Any]:
    """Take what is given by a name; a type that is said to equal another one need not be given."""

    def make(here: Environment) -> Any:
        path = f"{here.path}#{name}" if here.path else name
        if needed and name not in here.given:
            raise Unlinkable(f"unknown import: {path}")
        return fit(here, here.given[name] if name in here.given else None, path)

    return make


def declared(name: str, fit: Fit, needed: bool = True) -> Callable[[Environment], Any]:
    """Take what an instance has by a name that its type declares."""
    take = imported(name, fit, needed)

    def make(here: Environment) -> Any:
        here.given_out[name] = take(here)
        return here.given_out[name]

    return make


def export(name: str, sort: Sort, index: int, fit: Fit | None) -> Callable[[Environment], Any]:
    """Give out an item by a name, as what it is declared to be."""

    def make(here: Environment) -> Any:
        found = here.get(sort, index)
        here.given_out[name] = found if fit is None else fit(here, found, name)
        return here.given_out[name]

    return make


def misfit(path: str, what: str) -> NoReturn:
    """Raise `Unlinkable`."""
    raise Unlinkable(f"incompatible import type: {path} is no such {what}")


def fits_kind(sort: Sort) -> Fit:
    """Ask for any item of a sort."""

    def fit(here: Environment, given: Any, path: str) -> Any:
        return given if isinstance(given, CLASSES[sort]) else misfit(path, sort.value)

    return fit


def fits_function(index: int) -> Fit:
    """Ask for a function of a type; a Python function has the type that is asked for."""

    def fit(here: Environment, given: Any, path: str) -> ComponentFunction:
        signature = here.signature(index)
        if isinstance(given, ComponentFunction):
            return given if given.signature == signature else misfit(path, "function")
        return of_host(signature, given, path) if callable(given) else misfit(path, "function")

    return fit


def fits_type(index: int) -> Fit:
    """Ask for a type that is equal to another one. The types of values of the host are what they are asked to be."""

    def fit(here: Environment, given: Any, path: str) -> Any:
        wanted = here.get(Sort.TYPE, index)
        if given is None or (isinstance(given, type) and issubclass(given, Denied)):
            return wanted
        found = here.linking.resource(given) if isinstance(given, type) else given
        return wanted if found == wanted else misfit(path, "type")

    return fit


def fits_resource(here: Environment, given: Any, path: str) -> ResourceType:
    """Ask for a type of resources; a Python class is one."""
    if isinstance(given, type):
        return here.linking.resource(given)
    return given if isinstance(given, ResourceType) else misfit(path, "type of resources")


def fits_instance(index: int) -> Fit:
    """Ask for an instance of a type."""

    def fit(here: Environment, given: Any, path: str) -> dict[str, Any]:
        wanted: InstanceType = here.type_of(index, InstanceType, "type of instances")
        return wanted.match(here, given, path) if isinstance(given, Mapping) else misfit(path, "instance")

    return fit


def start(function: int) -> Callable[[Environment], Any]:
    """Call a function that takes and returns nothing."""

    def make(here: Environment) -> None:
        found: ComponentFunction = here.get(Sort.FUNCTION, function)
        if found.signature != Signature((), None):
            here.refuse(f"function {function} takes or returns values, and so cannot be where a component starts")
        here.linking.start(found)

    return make


# ---- functions and resources


@dataclass(frozen=True)
class Asked:
    """The options of a function, as indices."""

    encoding: Encoding = Encoding.UTF8
    memory: int | None = None
    realloc: int | None = None
    post_return: int | None = None

    def made(self, here: Environment, returned: FunctionType | None = None) -> Options:
        """Return the options; `returned` is the type of the function that cleans up."""
        memory = None if self.memory is None else here.get(Sort.CORE_MEMORY, self.memory)
        realloc = None if self.realloc is None else here.core_function(self.realloc, REALLOC, "`realloc`")
        post_return = None
        if self.post_return is not None:
            if returned is None:
                here.refuse("only a function that is lifted has a `post-return`")
            post_return = here.core_function(self.post_return, returned, "`post-return`")
        return Options(self.encoding, memory, realloc, post_return)


def check_options(here: Environment, options: Options, signature: Signature, lifts: bool) -> None:
    """Refuse a function that passes through memory, and does not say through which."""
    realloc = signature.needs_realloc(lifts)
    if options.memory is None and (realloc or signature.needs_memory()):
        here.refuse("the function needs the option `memory`")
    if options.realloc is None and realloc:
        here.refuse("the function needs the option `realloc`")


def lifted(core: int, asked: Asked, type_: int) -> Callable[[Environment], Any]:
    """Make a function of a core function."""

    def make(here: Environment) -> ComponentFunction:
        signature = here.signature(type_)
        options = asked.made(here, FunctionType(signature.lifted.results, ()))
        check_options(here, options, signature, True)
        return lift(
            here.compartment, here.core_function(core, signature.lifted, "the lifted function"), options, signature
        )

    return make


def lowered(function: int, asked: Asked) -> Callable[[Environment], Any]:
    """Make a core function of a function."""

    def make(here: Environment) -> Function:
        found: ComponentFunction = here.get(Sort.FUNCTION, function)
        options = asked.made(here)
        check_options(here, options, found.signature, False)
        return lower(here.compartment, found, options)

    return make


def resource_type(destructor: int | None) -> Callable[[Environment], Any]:
    """Make a type of resources; it is another one in each instance."""

    def make(here: Environment) -> ResourceType:
        name = f"resource of byte {here.offset:#x}"
        if destructor is None:
            return ResourceType(name, here.compartment)
        core = here.core_function(destructor, FunctionType((I32,), ()), "a destructor")
        return ResourceType(name, here.compartment, lambda inside: perform(core, (inside,)))

    return make
