"""How does one load a component, and call what it exports?"""

import hashlib
import sys
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from corollary import Limits
from corollary.components.decoder import DECODING, Decoder
from corollary.components.functions import ComponentFunction
from corollary.components.linking import Linking, Template, instantiate
from corollary.components.reader import Reader
from corollary.components.refusal import run_to_its_end
from corollary.instance import NAMED
from corollary.limits import check_asked
from corollary.meter import meter_of, meter_within
from corollary.module import Binary
from corollary.uncopied import Uncopied

INSIDE = "#"  # between the name of an instance, and the name of what it exports


class Component(Uncopied):
    """A component, decoded, with its core modules loaded. It never changes, so threads may share it.

    `imports` and `exports` are the names of what it imports and exports, `digest` is the SHA-256 of its bytes, and
    `definitions` counts what it was decoded to. `seconds` is how long loading may take, None for no limit. Raises
    `ComponentRefused`, which is a `Refused`; `LimitExceeded` and `Stopped`, as `Module` does.
    """

    def __init__(self, binary: Binary, limits: Limits = Limits(), seconds: float | None = None):
        check_asked("size", len(binary), limits.size)
        meter = meter_within(None, seconds)
        meter.check(DECODING)
        with meter:
            decoder = Decoder(Reader(bytes(binary)), limits, meter)
            self.template = Template(decoder.component(), None)
        self.imports, self.exports = tuple(decoder.imported), tuple(decoder.exported)
        self.digest, self.definitions = hashlib.sha256(binary).digest(), decoder.tally.count


class ComponentInstance(Uncopied):
    """A component together with all that its parts hold, ready to be called.

    `component` is a `Component`, or the bytes of one. `imports` maps the name of each import to what it stands for: a
    Python function; a mapping by name for an instance; a Python class for a type of resources, whose objects are the
    resources. A function has the type that the component asks for. `fuel` and `seconds` limit the first steps.

    Raises `Unlinkable` when an import is missing or does not fit, and whatever `Component` and `Instance` raise.
    """

    advice = "make another one"
    linked: type[Linking] = Linking

    def __init__(
        self,
        component: Component | Binary,
        imports: Mapping[str, Any] = {},
        limits: Limits = Limits(),
        fuel: int | None = None,
        seconds: float | None = None,
    ):
        with meter_of(fuel, seconds, limits.fuel) as meter:
            self.component = component if isinstance(component, Component) else Component(component, limits)
            self.limits, self.linking = limits, self.linked(limits, meter, self.component.definitions)
            self.exports = instantiate(self.linking, self.component.template, imports)
        self.guard = self.linking.calls.guard

    def functions(self) -> Iterator[str]:
        """Yield the names of the functions that it exports; `instance#function` is one within an instance."""
        for name, found in self.exports.items():
            if isinstance(found, ComponentFunction):
                yield name
            elif isinstance(found, Mapping):
                yield from (
                    f"{name}{INSIDE}{inner}" for inner, each in found.items() if isinstance(each, ComponentFunction)
                )

    @property
    def listed(self) -> str:
        """The first of these names, for a message."""
        names = self.functions()
        return ", ".join([*islice(names, NAMED), *("..." for _ in islice(names, 1))]) or "none"

    def function(self, name: str) -> ComponentFunction:
        """Return an exported function; raises `LookupError`."""
        instance, within, inner = name.rpartition(INSIDE)
        exports = self.exports.get(instance) if within else self.exports
        found = exports.get(inner) if isinstance(exports, Mapping) else None
        if not isinstance(found, ComponentFunction):
            raise LookupError(f"no function {name!r} is exported; there are: {self.listed}")
        return found

    def call(self, name: str, *values: Any, fuel: int | None = None, seconds: float | None = None) -> Any:
        """Call an exported function with Python values, as `corollary.components.values` lists them; return its result.

        `fuel` and `seconds` are as in `Instance.call`, but a call that has used them up ends with `Stopped`, and the
        component cannot be called again. Raises `Trapped`, `Stopped`, `Exited`, `LimitExceeded` and `Busy`, too;
        `LookupError` when there is no such function; `TypeError` or `ValueError` when the values do not fit.
        """
        with self.guard.enter(sys._getframe(0)):
            function = self.function(name)
            function.signature.check(values, name)
            with meter_of(fuel, seconds, self.limits.fuel):
                return run_to_its_end(function.perform, values)
