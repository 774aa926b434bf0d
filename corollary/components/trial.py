"""What does a component lack? It is linked with what it is given, but none of its code runs."""

from typing import Any

from corollary import Module, Unlinkable
from corollary.components.component import ComponentInstance
from corollary.components.functions import ComponentFunction
from corollary.components.linking import CLASSES, Linking, Sort
from corollary.linker import Function
from corollary.module import FunctionType
from corollary.spec.wasm.module import External

CORE = {kind: CLASSES[Sort[f"CORE_{kind.name}"]] for kind in External}
"""The classes of what core instances export."""


class Trial(Linking):
    """Links a component without its code: what its core instances export has types, and does nothing."""

    def made(self, module: Module, imports: dict[tuple[str, str], Any]) -> dict[str, Any]:
        """Return what an instance of a module would export; raises `Unlinkable` when an import is missing."""
        given: dict[tuple[External, int], Any] = {}
        for from_, name, kind, index in module.imports:
            found: Any = imports.get((from_, name))
            if not isinstance(found, CORE[kind]):
                raise Unlinkable(f"unknown import: {from_}.{name}")
            if kind is External.FUNCTION and found.type != type_of(module, index):
                raise Unlinkable(f"incompatible import type: {from_}.{name} is no such function")
            given[kind, index] = found
        return {name: given.get(place) or outline(module, *place) for name, place in module.exports.items()}

    def start(self, function: ComponentFunction) -> None:
        """Start nothing."""


class Tried(ComponentInstance):
    """A component that is only linked: it has its functions, with their types, and none is to be called."""

    linked = Trial


def outline(module: Module, kind: External, index: int) -> Any:
    """Return what stands for a thing that an instance of a module would have."""
    if kind is not External.FUNCTION:
        return CORE[kind].__new__(CORE[kind])
    return Function(type_of(module, index), None, asked=("", f"function {index}"))


def type_of(module: Module, index: int) -> FunctionType:
    """Return the type of a function by its index."""
    return module.type_of(module.room["functions"][index].type)
