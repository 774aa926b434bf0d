"""What do the bytes of a component say? Its definitions, in order, once each refers only to what was defined before.

The format is that of the component model for WASI 0.2. What came later (async functions, values, threads) is refused.
"""

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar

from corollary import Limits, Module, Refused
from corollary.components import linking
from corollary.components.functions import Signature, drop_resource, make_resource, see_resource
from corollary.components.linking import (
    Asked,
    Body,
    ComponentType,
    Definition,
    Environment,
    InstanceType,
    Sort,
    Tally,
    Template,
)
from corollary.components.memory import Encoding
from corollary.components.reader import PREAMBLE, Reader
from corollary.components.refusal import ComponentRefused
from corollary.components.values import (
    FLAGS,
    PRIMITIVES,
    Borrow,
    Enum,
    Flags,
    List,
    Option,
    Own,
    Record,
    Result,
    Tuple,
    Type,
    Variant,
)
from corollary.meter import Meter
from corollary.spec.wasm.values import IS_REFERENCE_TYPE, IS_VALUE_TYPE

DECODING = "loading a component"
NESTED = 32  # components and types within one another, at most
CONSISTS = 10_000  # types that one type consists of, at most
DEPTH = 100  # types of values within one another, at most
PARAMETERS = 1000  # of a function, at most
ASYNC, VALUES, GC, THREADS = "async functions", "values", "garbage collection", "threads"
CANONICAL = dict.fromkeys(range(0x05, 0x26), ASYNC) | dict.fromkeys(range(0x26, 0x43), THREADS)  # what came later
GC_FORMS = (0x00, 0x4E, 0x4F, 0x5E, 0x5F)  # of core types
ASYNC_OPTIONS = (0x06, 0x07)
LATER = {0x66: "streams", 0x65: "futures", 0x64: "error contexts", 0x67: "lists of a fixed length"}
CORE_SORTS = {
    0x00: Sort.CORE_FUNCTION,
    0x01: Sort.CORE_TABLE,
    0x02: Sort.CORE_MEMORY,
    0x03: Sort.CORE_GLOBAL,
    0x10: Sort.CORE_TYPE,
    0x11: Sort.CORE_MODULE,
    0x12: Sort.CORE_INSTANCE,
}
SORTS = {0x01: Sort.FUNCTION, 0x03: Sort.TYPE, 0x04: Sort.COMPONENT, 0x05: Sort.INSTANCE}
OUTER = (Sort.CORE_TYPE, Sort.CORE_MODULE, Sort.TYPE, Sort.COMPONENT)  # what does not belong to an instance
ENCODINGS = {0x00: Encoding.UTF8, 0x01: Encoding.UTF16, 0x02: Encoding.LATIN1_UTF16}
OPTIONS = {
    0x03: ("memory", Sort.CORE_MEMORY),
    0x04: ("realloc", Sort.CORE_FUNCTION),
    0x05: ("post_return", Sort.CORE_FUNCTION),
}
# No two branches match the same, or a name that fails would be tried in exponentially many ways.
LABEL = r"(?:[a-z][0-9a-z]*|[A-Z][0-9A-Z]*)(?:-(?:[0-9a-z]+|[0-9]*[A-Z][0-9A-Z]*))*"
INTERFACE = rf"{LABEL}(?::{LABEL})+(?:/{LABEL})+(?:@[0-9A-Za-z.+-]+)?"
IS_LABEL = re.compile(LABEL)
IS_NAME = re.compile(rf"{LABEL}|\[constructor\]{LABEL}|\[(?:method|static)\]{LABEL}\.{LABEL}|{INTERFACE}")

Item = TypeVar("Item")
Make = Callable[[Environment], Any]


class Decoder:
    """Reads what stands in one component, or in one type of an instance or component.

    `counts` says how many items each index space has so far, and `around` is the decoder of what it stands in.
    `tally` counts all definitions, and `weight` the parts of the one that is read. Everything raises
    `ComponentRefused`, and `LimitExceeded` when there are too many.
    """

    def __init__(self, reader: Reader, limits: Limits, meter: Meter, around: "Decoder | None" = None):
        self.reader, self.limits, self.meter, self.around = reader, limits, meter, around
        self.tally: Tally = Tally(limits) if around is None else around.tally
        self.weight = 0
        self.depth: int = 0 if around is None else around.depth + 1
        self.counts: Counter[Sort] = Counter()
        self.body: list[Definition] = []
        self.imports: set[str] = set()
        self.exports: set[str] = set()
        self.imported: list[str] = []  # the same, as they are spelled
        self.exported: list[str] = []
        if self.depth > NESTED:
            reader.refuse(f"more than {NESTED} components or types lie within one another")

    def inside(self, reader: Reader) -> "Decoder":
        """Return a decoder of what stands in this."""
        return Decoder(reader, self.limits, self.meter, self)

    def define(self, offset: int, sort: Sort | None, make: Make) -> None:
        """Add a definition."""
        self.weigh(1)
        self.body.append(Definition(offset, sort, make, self.weight))
        self.weight = 0
        if sort is not None:
            self.counts[sort] += 1

    def weigh(self, parts: int) -> None:
        """Count parts of the definition that is read."""
        self.weight += parts
        self.tally.add(parts)

    def vector(self, read: Callable[[], Item]) -> tuple[Item, ...]:
        """Return what `read` returns, as often as a count says."""
        count = self.reader.count()
        self.weigh(count)
        return tuple(read() for _ in range(count))

    # ---- sections

    def component(self) -> Body:
        """Return the definitions of a component, from its first byte on."""
        found = self.reader.take(len(PREAMBLE))
        if found != PREAMBLE:
            self.reader.refuse(f"a component begins with {PREAMBLE.hex()}, not with {found.hex()}")
        each: dict[int, Callable[[], None]] = {
            2: self.core_instance,
            3: self.core_type,
            5: self.instance,
            6: self.alias,
            7: self.type_definition,
            8: self.canonical,
            10: self.import_,
            11: self.export,
        }
        whole: dict[int, Callable[[], None]] = {0: self.custom, 1: self.module, 4: self.nested, 9: self.start}
        outer = self.reader
        for id_, content in outer.sections():
            self.reader = content
            if id_ in each:
                self.many(each[id_])
            elif id_ in whole:
                whole[id_]()
            else:
                raise ComponentRefused(f"{id_} is no section", content.at, VALUES if id_ == 12 else None)
        self.reader = outer
        return tuple(self.body)

    def many(self, read: Callable[[], None]) -> None:
        """Read as many definitions as a count says."""
        for _ in self.meter.watched(range(self.reader.number()), DECODING):
            read()

    def custom(self) -> None:
        """Pass over a section that means nothing here; it has a name."""
        self.reader.name()

    def module(self) -> None:
        """Load a core module."""
        at = self.reader.at
        binary = self.reader.take(self.reader.end - at)
        try:
            loaded = Module(binary, self.limits)
        except Refused as refused:
            message = f"in the core module of byte {at:#x}: {refused.message}"
            raise ComponentRefused(message, at + refused.offset, refused.needs, refused.refusal) from None
        self.define(at, Sort.CORE_MODULE, lambda here: loaded)

    def nested(self) -> None:
        """Read a component within this one."""
        at = self.reader.at
        body = self.inside(self.reader).component()
        self.define(at, Sort.COMPONENT, lambda here: Template(body, here))

    def start(self) -> None:
        """Read which function is called."""
        at, function = self.reader.at, self.index(Sort.FUNCTION)
        if self.reader.number() or self.reader.number():
            self.reader.refuse("a start function takes or returns values", VALUES)
        self.define(at, None, linking.start(function))

    # ---- indices and names

    def index(self, sort: Sort) -> int:
        """Return the index of an item that is there."""
        index = self.reader.number()
        if index >= self.counts[sort]:
            self.reader.refuse(f"there is no {sort.value} {index}, only {self.counts[sort]}")
        return index

    def sort(self) -> Sort:
        """Return a sort, by one byte or two."""
        byte = self.reader.byte()
        if byte == 0x00:
            return self.core_sort()
        if byte not in SORTS:
            self.reader.refuse(f"{byte:#04x} is no sort", VALUES if byte == 0x02 else None)
        return SORTS[byte]

    def core_sort(self) -> Sort:
        """Return the sort of an item of core modules."""
        byte = self.reader.byte()
        if byte not in CORE_SORTS:
            self.reader.refuse(f"{byte:#04x} is no sort of core modules", "exception handling" if byte == 4 else None)
        return CORE_SORTS[byte]

    def component_sort(self) -> Sort:
        """Return the sort of an item that components pass to each other."""
        sort = self.sort()
        if sort in CORE_SORTS.values() and sort is not Sort.CORE_MODULE:
            self.reader.refuse(f"a {sort.value} cannot be passed between components")
        return sort

    def label(self) -> str:
        """Return a label of a field, a case or a parameter."""
        name = self.reader.name()
        if not IS_LABEL.fullmatch(name):
            self.reader.refuse(f"{name!r} is no label: words of letters and digits, with - between them")
        return name

    def external_name(self) -> str:
        """Return the name of an import or an export."""
        if self.reader.byte() > 1:
            self.reader.refuse("a name begins with 0 or 1")
        name = self.reader.name()
        if not IS_NAME.fullmatch(name):
            self.reader.refuse(f"{name!r} is no name of an import or export")
        return name

    def unique(self, names: list[str] | tuple[str, ...], what: str) -> None:
        """Refuse names that differ in nothing but the case of letters."""
        seen: set[str] = set()
        for name in names:
            self.once(name, seen, what)

    def once(self, name: str, seen: set[str], what: str) -> None:
        """Refuse a name that was seen."""
        if name.lower() in seen:
            self.reader.refuse(f"the {what} {name!r} is there twice")
        seen.add(name.lower())

    # ---- core instances

    def core_instance(self) -> None:
        """Read an instance of a core module."""
        at, form = self.reader.at, self.reader.byte()
        if form == 0x00:
            module, arguments = self.index(Sort.CORE_MODULE), self.vector(self.core_argument)
            self.unique([name for name, _ in arguments], "argument")
            self.define(at, Sort.CORE_INSTANCE, linking.core_instance(module, arguments))
        elif form == 0x01:
            exports = self.vector(self.core_export)
            if len({name for name, _, _ in exports}) != len(exports):
                self.reader.refuse("an instance exports the same name twice")
            self.define(at, Sort.CORE_INSTANCE, linking.gathered(exports))
        else:
            self.reader.refuse(f"{form:#04x} is no form of a core instance")

    def core_argument(self) -> tuple[str, int]:
        """Return name and core instance."""
        name = self.reader.name()
        self.reader.expect(0x12, "the sort of an argument")
        return name, self.index(Sort.CORE_INSTANCE)

    def core_export(self) -> tuple[str, Sort, int]:
        """Return name, sort and index of what a core instance exports."""
        name, sort = self.reader.name(), self.core_sort()
        if sort in (Sort.CORE_TYPE, Sort.CORE_MODULE, Sort.CORE_INSTANCE):
            self.reader.refuse(f"a core instance cannot export a {sort.value}")
        return name, sort, self.index(sort)

    def core_type(self) -> None:
        """Read a type of functions or modules; nothing is done with it, because a module says what it needs."""
        at, form = self.reader.at, self.reader.byte()
        if form == 0x50:
            self.module_type()
        else:
            self.core_function_type(form)
        self.define(at, Sort.CORE_TYPE, lambda here: None)

    def core_function_type(self, form: int) -> None:
        """Read a type of core functions, whose first byte was read."""
        if form != 0x60:
            self.reader.refuse(f"{form:#04x} is no form of a core type", GC if form in GC_FORMS else None)
        for _ in range(2):
            self.vector(self.core_value_type)

    def core_value_type(self) -> None:
        """Read a core type of values."""
        if not IS_VALUE_TYPE[self.reader.byte()]:
            self.reader.refuse("malformed value type")

    def module_type(self) -> None:
        """Read a type of modules."""
        inner = self.inside(self.reader)
        inner.many(inner.module_declaration)

    def module_declaration(self) -> None:
        """Read one part of a type of modules."""
        self.weigh(1)
        form = self.reader.byte()
        if form == 0x00:
            self.reader.name()
            self.reader.name()
            self.core_description()
        elif form == 0x01:
            self.core_function_type(self.reader.byte())
            self.counts[Sort.CORE_TYPE] += 1
        elif form == 0x02:
            self.alias()
        elif form == 0x03:
            self.reader.name()
            self.core_description()
        else:
            self.reader.refuse(f"{form:#04x} is no part of a type of modules")

    def core_description(self) -> None:
        """Read what a module imports or exports."""
        form = self.reader.byte()
        if form == 0x00:
            self.index(Sort.CORE_TYPE)
        elif form == 0x01:
            if not IS_REFERENCE_TYPE[self.reader.byte()]:
                self.reader.refuse("malformed reference type")
            self.core_limits()
        elif form == 0x02:
            self.core_limits()
        elif form == 0x03:
            self.core_value_type()
            self.reader.optional(lambda: None)
        else:
            self.reader.refuse(f"{form:#04x} is no kind of import or export of a module")

    def core_limits(self) -> None:
        """Read the sizes of a memory or a table."""
        least = self.reader.byte()
        if least > 1:
            self.reader.refuse("malformed limits flags")
        for _ in range(1 + least):
            self.reader.number()

    # ---- instances

    def instance(self) -> None:
        """Read an instance of a component."""
        at, form = self.reader.at, self.reader.byte()
        if form == 0x00:
            component, arguments = self.index(Sort.COMPONENT), self.vector(self.argument)
            self.unique([name for name, _, _ in arguments], "argument")
            self.define(at, Sort.INSTANCE, linking.component_instance(component, arguments))
        elif form == 0x01:
            exports = self.vector(self.instance_export)
            self.unique([name for name, _, _ in exports], "export")
            self.define(at, Sort.INSTANCE, linking.gathered(exports))
        else:
            self.reader.refuse(f"{form:#04x} is no form of an instance")

    def argument(self) -> tuple[str, Sort, int]:
        """Return name, sort and index of what a component is given."""
        name, sort = self.reader.name(), self.component_sort()
        return name, sort, self.index(sort)

    def instance_export(self) -> tuple[str, Sort, int]:
        """Return name, sort and index of what an instance exports."""
        name, sort = self.external_name(), self.component_sort()
        return name, sort, self.index(sort)

    def alias(self) -> None:
        """Read a new index for what an instance exports, or for what stands outside."""
        at, sort, target = self.reader.at, self.sort(), self.reader.byte()
        if target == 0x02:
            self.define(at, sort, linking.outer(sort, *self.outer(sort)))
            return
        if target not in (0x00, 0x01):
            self.reader.refuse(f"{target:#04x} is no target of an alias")
        of = Sort.INSTANCE if target == 0x00 else Sort.CORE_INSTANCE
        if sort not in linking.CLASSES or (sort.value.startswith("core") and sort is not Sort.CORE_MODULE) != target:
            self.reader.refuse(f"a {of.value} exports no {sort.value}")
        self.define(at, sort, linking.exported(sort, of, self.index(of), self.reader.name()))

    def outer(self, sort: Sort) -> tuple[int, int]:
        """Return how many components further out something is, and its index there."""
        if sort not in OUTER:
            self.reader.refuse(f"a {sort.value} belongs to its instance: nobody outside can name it")
        count, found = self.reader.number(), self
        for _ in range(min(count, NESTED + 1)):
            if found.around is None:
                self.reader.refuse(f"nothing lies {count} components further out")
            found = found.around
        index = self.reader.number()
        if index >= found.counts[sort]:
            self.reader.refuse(f"there is no {sort.value} {index} further out, only {found.counts[sort]}")
        return count, index

    # ---- types

    def type_definition(self) -> None:
        """Read a type, which may be one of resources that this component defines."""
        at = self.reader.at
        form = self.reader.byte()
        if form != 0x3F:
            self.define(at, Sort.TYPE, self.type_of(form))
            return
        self.reader.expect(0x7F, "what a resource is inside")
        destructor = self.reader.optional(lambda: self.index(Sort.CORE_FUNCTION))
        self.define(at, Sort.TYPE, linking.resource_type(destructor))

    def type_of(self, form: int) -> Make:
        """Return how a type is made, whose first byte was read."""
        if form == 0x40:
            return self.function_type()
        if form == 0x41:
            self.declarations(Decoder.component_declaration)
            return lambda here: ComponentType()
        if form == 0x42:
            body = self.declarations(lambda inner: inner.declaration(inner.reader.byte()))
            return lambda here: InstanceType(body, here)
        return self.checked(self.value_type_of(form))

    def checked(self, make: Make) -> Make:
        """Return how a type of values is made that is not too large."""

        def made(here: Environment) -> Type:
            found: Type = make(here)
            if found.weight > CONSISTS or found.depth > DEPTH:
                here.refuse(f"more than {CONSISTS} types are in a type, or {DEPTH} within one another")
            return found

        return made

    def value_type_of(self, form: int) -> Make:
        """Return how a type of values is made, whose first byte was read."""
        compound: dict[int, Callable[[], Make]] = {
            0x72: self.record,
            0x71: self.variant,
            0x70: lambda: self.wrapped(List),
            0x6F: self.tuple_type,
            0x6E: self.flags,
            0x6D: self.enum,
            0x6B: lambda: self.wrapped(Option),
            0x6A: self.result,
            0x69: lambda: self.handle(Own),
            0x68: lambda: self.handle(Borrow),
        }
        if form in PRIMITIVES:
            return lambda here: PRIMITIVES[form]
        if form not in compound:
            self.reader.refuse(f"{form:#04x} is no form of a type", ASYNC if form in (0x3E, 0x43) else LATER.get(form))
        return compound[form]()

    def value_type(self) -> Make:
        """Return how a type of values is made that stands here, or has an index."""
        byte = self.reader.byte()
        if byte in PRIMITIVES:
            return lambda here: PRIMITIVES[byte]
        if 0x40 <= byte < 0x80:
            self.reader.refuse(f"{byte:#04x} is no type of values", LATER.get(byte))
        self.reader.at -= 1
        index = self.index(Sort.TYPE)
        return lambda here: here.values(index)

    def labelled(self) -> tuple[str, Make]:
        """Return a label, and how its type is made."""
        return self.label(), self.value_type()

    def labels(self, most: int, what: str) -> tuple[str, ...]:
        """Return labels, of which none is there twice, and at least one."""
        found = self.vector(self.label)
        self.unique(found, what)
        self.check_count(found, most, what)
        return found

    def check_count(self, found: tuple[Any, ...], most: int, what: str) -> None:
        """Refuse a type that consists of nothing, or of too much."""
        if not 1 <= len(found) <= most:
            self.reader.refuse(f"a type has 1 to {most} {what}s, not {len(found)}")

    def record(self) -> Make:
        """Return how a record is made."""
        fields = self.vector(self.labelled)
        self.unique([label for label, _ in fields], "field")
        self.check_count(fields, CONSISTS, "field")
        return lambda here: Record(tuple((label, make(here)) for label, make in fields))

    def variant(self) -> Make:
        """Return how a variant is made."""
        cases = self.vector(self.case)
        self.unique([label for label, _ in cases], "case")
        self.check_count(cases, CONSISTS, "case")
        return lambda here: Variant(tuple((label, make and make(here)) for label, make in cases))

    def case(self) -> tuple[str, Make | None]:
        """Return a label, and how its type is made, if it has one."""
        label, make = self.label(), self.reader.optional(self.value_type)
        self.reader.expect(0x00, "the end of a case")
        return label, make

    def tuple_type(self) -> Make:
        """Return how a tuple is made."""
        parts = self.vector(self.value_type)
        self.check_count(parts, CONSISTS, "part")
        return lambda here: Tuple(tuple(make(here) for make in parts))

    def flags(self) -> Make:
        """Return how flags are made."""
        labels = self.labels(FLAGS, "flag")
        return lambda here: Flags(labels)

    def enum(self) -> Make:
        """Return how an enumeration is made."""
        labels = self.labels(CONSISTS, "case")
        return lambda here: Enum(labels)

    def wrapped(self, class_: Callable[[Type], Type]) -> Make:
        """Return how a list or an option is made."""
        make = self.value_type()
        return lambda here: class_(make(here))

    def result(self) -> Make:
        """Return how a result is made."""
        ok, error = self.reader.optional(self.value_type), self.reader.optional(self.value_type)
        return lambda here: Result(ok and ok(here), error and error(here))

    def handle(self, class_: Callable[[Any], Type]) -> Make:
        """Return how a handle is made."""
        index = self.index(Sort.TYPE)
        return lambda here: class_(here.resource(index))

    def function_type(self) -> Make:
        """Return how a type of functions is made."""
        parameters = self.vector(self.labelled)
        self.unique([label for label, _ in parameters], "parameter")
        if len(parameters) > PARAMETERS:
            self.reader.refuse(f"a function has at most {PARAMETERS} parameters, not {len(parameters)}")
        result = self.function_result()

        def make(here: Environment) -> Signature:
            returned = result and result(here)
            if returned is not None and returned.borrows:
                here.refuse("a function cannot return what it borrows")
            return Signature(tuple((label, made(here)) for label, made in parameters), returned)

        return make

    def function_result(self) -> Make | None:
        """Return how the type of a result is made, if there is one."""
        form = self.reader.byte()
        if form == 0x00:
            return self.value_type()
        if form != 0x01 or self.reader.byte() != 0x00:
            self.reader.refuse("a function returns one value, or none")
        return None

    def declarations(self, read: "Callable[[Decoder], None]") -> Body:
        """Return the definitions of a type of instances or components."""
        inner = self.inside(self.reader)
        inner.many(lambda: read(inner))
        return tuple(inner.body)

    def component_declaration(self) -> None:
        """Read one part of a type of components."""
        form = self.reader.byte()
        if form == 0x03:
            self.import_()
        else:
            self.declaration(form)

    def declaration(self, form: int) -> None:
        """Read one part of a type of instances, whose first byte was read."""
        at = self.reader.at
        if form == 0x00:
            self.core_type()
        elif form == 0x01:
            self.define(at, Sort.TYPE, self.type_of(self.reader.byte()))
        elif form == 0x02:
            self.alias()
        elif form == 0x04:
            name = self.external_name()
            self.once(name, self.exports, "export")
            self.take(at, name, linking.declared)
        else:
            self.reader.refuse(f"{form:#04x} is no part of a type of instances")

    # ---- imports and exports

    def description(self) -> tuple[Sort, linking.Fit, bool]:
        """Return what an import or an export is, and whether it must be given."""
        form = self.reader.byte()
        if form == 0x03:
            return Sort.TYPE, *self.type_bound()
        if form == 0x00:
            self.reader.expect(0x11, "the sort of an import of a module")
            self.index(Sort.CORE_TYPE)
            return Sort.CORE_MODULE, linking.fits_kind(Sort.CORE_MODULE), True
        if form == 0x01:
            return Sort.FUNCTION, linking.fits_function(self.index(Sort.TYPE)), True
        if form == 0x04:
            self.index(Sort.TYPE)
            return Sort.COMPONENT, linking.fits_kind(Sort.COMPONENT), True
        if form == 0x05:
            return Sort.INSTANCE, linking.fits_instance(self.index(Sort.TYPE)), True
        return self.reader.refuse(f"{form:#04x} is no kind of import or export", VALUES if form == 0x02 else None)

    def type_bound(self) -> tuple[linking.Fit, bool]:
        """Return what a type must be, and whether it must be given: it equals another one, or is any of resources."""
        form = self.reader.byte()
        if form == 0x00:
            return linking.fits_type(self.index(Sort.TYPE)), False
        if form != 0x01:
            self.reader.refuse(f"{form:#04x} is no bound of a type")
        return linking.fits_resource, True

    def import_(self) -> None:
        """Read an import."""
        at, name = self.reader.at, self.external_name()
        self.once(name, self.imports, "import")
        self.imported.append(name)
        self.take(at, name, linking.imported)

    def take(self, at: int, name: str, taken: Callable[[str, linking.Fit, bool], Make]) -> None:
        """Read what is taken by a name."""
        sort, fit, needed = self.description()
        self.define(at, sort, taken(name, fit, needed))

    def export(self) -> None:
        """Read an export, which is a new index for what it exports."""
        at, name = self.reader.at, self.external_name()
        self.once(name, self.exports, "export")
        self.exported.append(name)
        sort = self.component_sort()
        index, described = self.index(sort), self.reader.optional(self.description)
        if described is not None and described[0] is not sort:
            self.reader.refuse(f"a {sort.value} is exported as a {described[0].value}")
        self.define(at, sort, linking.export(name, sort, index, described and described[1]))

    # ---- functions

    def canonical(self) -> None:
        """Read a function that the canonical ABI makes."""
        at, form = self.reader.at, self.reader.byte()
        resources = {0x02: make_resource, 0x03: drop_resource, 0x04: see_resource}
        if form == 0x00:
            self.reader.expect(0x00, "what is lifted")
            core, asked = self.index(Sort.CORE_FUNCTION), self.options()
            self.define(at, Sort.FUNCTION, linking.lifted(core, asked, self.index(Sort.TYPE)))
        elif form == 0x01:
            self.reader.expect(0x00, "what is lowered")
            function = self.index(Sort.FUNCTION)
            self.define(at, Sort.CORE_FUNCTION, linking.lowered(function, self.options()))
        elif form in resources:
            make, index = resources[form], self.index(Sort.TYPE)
            find = Environment.resource if form == 0x03 else Environment.own_resource
            self.define(at, Sort.CORE_FUNCTION, lambda here: make(here.compartment, find(here, index)))
        else:
            self.reader.refuse(f"{form:#04x} is no function of the canonical ABI", CANONICAL.get(form))

    def options(self) -> Asked:
        """Return the options of a function, of which none is there twice."""
        asked, seen = Asked(), set[str]()
        for name, value in self.vector(self.option):
            self.once(name, seen, "option")
            asked = replace(asked, **{name: value})
        return asked

    def option(self) -> tuple[str, Any]:
        """Return name and value of an option."""
        form = self.reader.byte()
        if form in ENCODINGS:
            return "encoding", ENCODINGS[form]
        if form not in OPTIONS:
            self.reader.refuse(f"{form:#04x} is no option", ASYNC if form in ASYNC_OPTIONS else None)
        name, sort = OPTIONS[form]
        return name, self.index(sort)
