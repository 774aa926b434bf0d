"""How does a function of a component become one of its core module, and the other way round?

The canonical ABI lifts core functions and lowers component functions; between them pass Python values.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from corollary.components.memory import Context, Options
from corollary.components.resources import Compartment, ResourceType, Scope
from corollary.components.values import FLAT, I32, List, Own, String, Tuple, Type
from corollary.linker import Function
from corollary.module import FunctionType
from corollary.once import once
from corollary.outcome import Trapped
from corollary.problem import Problem
from corollary.run import perform
from corollary.spec.wasm.values import ValueType

REALLOC = FunctionType((I32, I32, I32, I32), (I32,))


@dataclass(frozen=True)
class Signature:
    """The type of a component function: label and type of each parameter, and the type of the result, or None."""

    parameters: tuple[tuple[str, Type], ...]
    result: Type | None

    @once
    def types(self) -> tuple[Type, ...]:
        """The types of the parameters."""
        return tuple(type_ for _, type_ in self.parameters)

    @once
    def results(self) -> tuple[Type, ...]:
        """The type of the result, if there is one."""
        return () if self.result is None else (self.result,)

    @once
    def lifted(self) -> FunctionType:
        """The type of the core function that it is lifted from."""
        parameters, results = flat(self.types), flat(self.results)
        return FunctionType(parameters if len(parameters) <= FLAT else (I32,), results if len(results) <= 1 else (I32,))

    @once
    def lowered(self) -> FunctionType:
        """The type of the core function that it is lowered to."""
        if len(flat(self.results)) <= 1:
            return self.lifted
        return FunctionType((*self.lifted.parameters, I32), ())

    def needs_memory(self) -> bool:
        """Does a call touch the memory?"""
        spilled = len(flat(self.types)) > FLAT or len(flat(self.results)) > 1
        return spilled or any(indirect(type_) for type_ in (*self.types, *self.results))

    def needs_realloc(self, lifts: bool) -> bool:
        """Does a call of the lifted, or the lowered, function put anything into new memory?"""
        inward = self.types if lifts else self.results
        return any(indirect(type_) for type_ in inward) or (lifts and len(flat(self.types)) > FLAT)

    def check(self, values: Sequence[Any], what: str) -> None:
        """Raise `TypeError` or `ValueError` unless Python values fit the parameters."""
        if len(values) != len(self.parameters):
            wanted = ", ".join(label for label, _ in self.parameters)
            raise TypeError(f"{what} takes {len(self.parameters)} values ({wanted or 'none'}), not {len(values)}")
        for (label, type_), value in zip(self.parameters, values):
            type_.check(value, f"{label} of {what}")
        check_passed_once(self.types, values, what)

    def check_result(self, value: Any, what: str) -> None:
        """Raise `TypeError` or `ValueError` unless a Python value fits the result, if there is one."""
        for type_ in self.results:
            type_.check(value, what)
            check_passed_once(self.results, (value,), what)


def check_passed_once(types: tuple[Type, ...], values: Sequence[Any], what: str) -> None:
    """Raise `ValueError` when values of types pass a resource on that is there once more."""
    handles = [handle for type_, value in zip(types, values) for handle in type_.handles(value)]
    times = Counter(resource for _, resource in handles)
    for type_, resource in handles:
        if isinstance(type_, Own) and times[resource] > 1:
            raise ValueError(f"{what} passes a {type_.resource.name} on that is there once more: it has one owner")


def flat(types: tuple[Type, ...]) -> tuple[ValueType, ...]:
    """Return the core types of several values."""
    return tuple(core for type_ in types for core in type_.flat)


def indirect(type_: Type) -> bool:
    """Does a value of a type lie in memory, at least in part?"""
    return isinstance(type_, (String, List)) or any(indirect(part) for part in type_.parts)


@dataclass(frozen=True, eq=False)
class ComponentFunction:
    """A function of a component or of the host, on Python values.

    `perform` takes a list of values that fit the signature, and returns the result, or None.
    """

    signature: Signature
    perform: Callable[[Sequence[Any]], Any]


def of_host(signature: Signature, function: Callable[..., Any], what: str) -> ComponentFunction:
    """Return a Python function as one of a component. What it raises, other than a `Problem`, is a trap."""

    def perform(values: Sequence[Any]) -> Any:
        try:
            found = function(*values)
            signature.check_result(found, f"the result of {what}")
            return found if signature.results else None
        except Problem:
            raise
        except Exception as error:
            raise Trapped(message=f"{what} of the host failed: {type(error).__name__}: {error}") from error

    return ComponentFunction(signature, perform)


def lift_all(context: Context, types: tuple[Type, ...], bits: Iterator[int], most: int) -> list[Any]:
    """Return the values that are passed as bits: themselves, or the address of all if they are too many."""
    if len(flat(types)) <= most:
        return [type_.lift(context, bits) for type_ in types]
    together, at = Tuple(types), next(bits)
    context.check(at, together.size, together.alignment)
    return [*together.load(context, at)]


def lower_all(
    context: Context, types: tuple[Type, ...], values: Sequence[Any], most: int, at: int | None = None
) -> list[int]:
    """Return the bits to pass for values; if they are too many, put all at an address, or into new memory."""
    if len(flat(types)) <= most:
        return [bits for type_, value in zip(types, values) for bits in type_.lower(context, value)]
    together = Tuple(types)
    place = context.allocate(together.size, together.alignment) if at is None else at
    context.check(place, together.size, together.alignment)
    together.store(context, place, values)
    return [place] if at is None else []


def lift(instance: Compartment, core: Function, options: Options, signature: Signature) -> ComponentFunction:
    """Return a core function of a component instance as a function on values."""

    def called(values: Sequence[Any]) -> Any:
        with instance.visited(), Scope() as scope:
            context = Context(instance, options, scope)
            with instance.staying():
                bits = lower_all(context, signature.types, values, FLAT)
            returned = perform(core, bits)
            found = lift_all(context, signature.results, iter(returned), 1)
            if options.post_return is not None:
                with instance.staying():
                    perform(options.post_return, returned)
        return found[0] if found else None

    return ComponentFunction(signature, called)


def lower(instance: Compartment, function: ComponentFunction, options: Options) -> Function:
    """Return a function on values as a core function that a component instance may call."""
    signature = function.signature

    def called(*arguments: int) -> list[int]:
        instance.check_may_leave()
        bits = iter(arguments)
        with Scope() as scope:
            context = Context(instance, options, scope)
            values = lift_all(context, signature.types, bits, FLAT)
            found = function.perform(values)
        results = (found,) if signature.results else ()
        with instance.staying():
            return lower_all(context, signature.results, results, 1, next(bits, None))

    return Function(signature.lowered, called)


def make_resource(instance: Compartment, type_: ResourceType) -> Function:
    """Return the core function that makes a handle for what is inside a resource."""

    def called(inside: int) -> list[int]:
        instance.check_may_leave()
        return [instance.handles.take(type_, inside)]

    return Function(FunctionType((I32,), (I32,)), called)


def drop_resource(instance: Compartment, type_: ResourceType) -> Function:
    """Return the core function that drops a handle."""

    def called(number: int) -> list[int]:
        instance.check_may_leave()
        instance.handles.drop(number, type_, instance)
        return []

    return Function(FunctionType((I32,), ()), called)


def see_resource(instance: Compartment, type_: ResourceType) -> Function:
    """Return the core function that tells what is inside a resource."""
    return Function(FunctionType((I32,), (I32,)), lambda number: [instance.handles.find(number, type_).inside])
