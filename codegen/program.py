"""What does a program of the language consist of?

It consists of its functions, by C file, and of the types and constants that they use.
"""

import ast
import importlib
import inspect
import io
import re
import sys
import tokenize
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib.util import resolve_name
from pathlib import Path
from typing import Any

from corollary.codegen.expressions import PORTABLE, REQUIRES, Printer, constant_name, number
from corollary.language import ir
from corollary.language.frontend import translate
from corollary.language.reads import remembered_property
from corollary.language.rows import Characters, Rows
from corollary.language.types import WORDS, ArrayType, LanguageError, SliceType, boolean, is_enum, is_flags, is_scalar
from corollary.language.values import RecordMeta
from corollary.language.word import Bound, Part, Symbol


@dataclass(frozen=True)
class Constant:
    """A named constant of the specification, with the module that defines it."""

    name: str
    value: Any  # an integer, or the elements of a table
    element: Any  # the type of a table's elements
    module: str
    note: str
    hexadecimal: bool
    line: int  # of its definition

    @property
    def text(self):
        """The value as C text."""
        return number(self.value, self.hexadecimal)


@dataclass
class Unit:
    """One C file and its header: the functions of the model and specification modules that share one name."""

    name: str
    functions: list = field(default_factory=list)
    modules: list = field(default_factory=list)
    copied: list = field(default_factory=list)  # functions whose bodies are in its header, too
    private: list = field(default_factory=list)  # constants that no other file uses
    shared: list = field(default_factory=list)  # constants for its header
    includes: list = field(default_factory=list)
    above: list = field(default_factory=list)  # other headers that its header needs
    floats: bool = False  # does it call functions whose body in C is in `floats.h`?


class Program:
    """Everything that is reachable from some functions.

    `common` lists the modules whose numbers are for all files. `typed` lists the modules that define types, in order.
    `apart` returns the symbols of functions that go to files of other names, with these. The constants called `numbers`
    are defined elsewhere. If it `copies`, functions of one expression are copied to where they are called.
    """

    def __init__(
        self,
        roots,
        common,
        typed,
        apart: Callable[[], dict] = dict,
        numbers: Callable[[], Collection] = tuple,
        copies=False,
    ):
        self.roots, self.common, self.typed, self.apart, self.numbers = roots, common, typed, apart, numbers
        self.copies = copies

    @remembered_property
    def functions(self):
        """Every function, callees first. Raises `LanguageError` when a root has a precondition."""
        for root in map(translate, self.roots()):
            if root.requires:
                said = root.requires[0]
                message = f"{root.name} is called from outside, where nothing shows that {said.text}"
                raise LanguageError(
                    message, root.file, said.line, "a check in its body, with an answer that says what is wrong"
                )
        return tuple(function for function in closure(self.roots()) if not function.intrinsic)

    @cached_property
    def uses_floats(self):
        """Is there any function whose body in C is in `floats.h`?"""
        return any(unit.floats for unit in self.units.values())

    @cached_property
    def moved(self):
        """The files of functions that do not go to the file of their module, by symbol."""
        return self.apart()

    @cached_property
    def units(self):
        """The C files by name, with their constants and the headers that they need."""
        found = {}
        for function in self.functions:
            name = self.moved.get(function.symbol, function.module)
            unit = found.setdefault(name, Unit(name))
            unit.functions.append(function)
            unit.modules = sorted({*unit.modules, function.python.__module__}, reverse=True)
        for unit in found.values():
            unit.functions = in_source_order(unit)
            unit.copied = list(filter(self.is_copied, unit.functions))
        self.place_constants(found)
        homes = {function.symbol: unit.name for unit in found.values() for function in unit.functions}
        for unit in found.values():
            below = [callee for function in unit.functions for callee in callees(function)]
            called = {homes[callee.symbol] for callee in below if not callee.intrinsic}
            unit.floats = any(callee.intrinsic for callee in below)
            used = self.constants(unit.functions)
            shared = owners(found, used)
            unit.above = sorted(owners(found, self.constants(unit.copied)) - {unit.name})
            unit.includes = sorted((called | shared | ({"floats"} if unit.floats else set())) - {unit.name})
            if any(function.hardware for function in unit.functions):
                unit.includes = sorted({*unit.includes, "hardware"})
        return found

    def place_constants(self, found):
        """Put each constant in the one file that uses it, or in the header of the module that defines it."""
        users = {}
        self.refuse_clashes()
        copied = [item for unit in found.values() for item in self.constants(unit.copied)]
        for unit in found.values():
            for item in self.constants(unit.functions):
                users.setdefault(item, []).append(unit)
        for item, using in sorted(users.items(), key=lambda pair: definition_order(pair[0])):
            if self.is_limit(item):
                continue
            owner = found.get(item.module.rsplit(".", 1)[-1], using[0])
            if len(using) == 1 and item not in copied:
                using[0].private.append(item)
            else:
                owner.shared.append(item)

    def is_copied(self, function):
        """May callers have the body of a function instead of a call?"""
        beside = function.symbol in self.moved or function.hardware or function.requires
        return self.copies and ir.is_plain(function) and not beside

    def refuse_clashes(self):
        """Raise `LanguageError` if a constant of a declared word has the name of another constant in C."""
        others = {
            constant_name(type_, name): type_.name
            for type_ in self.types
            if is_enum(type_) or is_flags(type_)
            for name in type_.members
        }
        named = [
            (node.symbol, function.python.__module__)
            for function in self.functions
            for node in ir.walk(function.spoken)
            if isinstance(node, ir.Literal) and node.symbol and not of_type(node)
        ]
        others |= {str(symbol): module for symbol, module in named if not isinstance(symbol, Symbol)}
        for symbol, _ in named:
            if isinstance(symbol, Symbol):
                other = others.setdefault(str(symbol), symbol.part)
                if other != symbol.part:
                    refuse_clash(symbol, other)

    def constants(self, group):
        """The named constants that functions use, each once."""
        found = {}
        for function in group:
            tables, numbers = self.named[function.symbol]
            found |= tables
            found |= {name: item for name, item in numbers.items() if name not in found}
        return list(found.values())

    @cached_property
    def named(self):
        """The named constants of each function by its symbol: tables and numbers, each by name."""
        elsewhere = self.numbers()
        return {function.symbol: named_in(function, elsewhere) for function in self.functions}

    @cached_property
    def limits(self):
        """The numbers for all files, in order."""
        return sorted(filter(self.is_limit, self.constants(self.functions)), key=definition_order)

    def is_limit(self, item):
        """Is the constant a number for all files?"""
        return item.module in self.common and item.element is None

    @cached_property
    def types(self):
        """The scalar types, records and slices that are used, each after the types it is made of."""
        found = []
        for function in self.functions:
            for node in ir.walk((*function.spoken, *function.parameters)):
                collect(getattr(node, "type", None), found)
            collect(function.returns, found)
        for item in self.constants(self.functions):
            if isinstance(item.value, Rows):
                for type_ in filter(is_enum, (item.value.index, item.value.type)):
                    collect(type_, found)
        return found

    def definition_line(self, type_):
        """Return the module and line where a type is defined, so that C keeps the order of the source."""
        for module in self.typed:
            for position, line in enumerate(module_lines(module)):
                if line.startswith((f"class {type_.name}(", f"{type_.name} = ")):
                    return module, position
        raise ValueError(f"{type_.name} is defined in no module of the specification")

    @cached_property
    def word_builtins(self):
        """The builtins of the language that are C functions here."""
        names = {
            node.name
            for function in self.functions
            for node in ir.walk(function.spoken)
            if isinstance(node, ir.Builtin)
        }
        sized = {f"{name}_{bits}" for name in names for bits in WORDS}
        asked = {REQUIRES} if any(function.requires for function in self.functions) else set()
        asked |= {PORTABLE} if any(function.opaque for function in self.functions) else set()
        return names | asked | {name for name in ("clear_words", "clear_halves", *sized) if f"{name}(" in self.text}

    @cached_property
    def bounded(self):
        """The types whose bound is named."""
        words = set(re.findall(r"\w+_BOUND\b", self.text))
        return {type_ for type_ in self.types if is_scalar(type_) and Bound(type_) in words}

    @cached_property
    def text(self):
        """The bodies of all functions in C."""
        return "\n".join(self.bodies.values())

    @cached_property
    def bodies(self):
        """The body of each function in C, by its symbol."""
        return {function.symbol: "\n".join(Printer(function).body()) for function in self.functions}


def named_in(function, elsewhere):
    """Return the named constants of a function, tables and numbers, but those that are defined elsewhere."""
    tables, numbers = {}, {}
    for node in ir.walk(function.spoken):
        if isinstance(node, ir.Builtin) and node.name == "constant_table":
            name, values = node.arguments[0].symbol, tuple(item.value for item in node.arguments[2])
            tables[name] = constant(function, name, values, node.type)
        elif isinstance(node, ir.Literal) and node.symbol and not of_type(node) and node.symbol not in elsewhere:
            numbers[node.symbol] = node.value
    return tables, {
        name: constant(function, name, value, None) for name, value in numbers.items() if name not in tables
    }


def owners(units, constants):
    """The names of the units whose headers define some constants."""
    return {unit.name for unit in units.values() if any(item in constants for item in unit.shared)}


def closure(functions):
    """The typed functions reachable from Python functions, callees first."""
    found = {}
    for python in functions:
        function = translate(python)
        if function.symbol not in found:
            found.update({other.symbol: other for other in closure(function.callees) if other.symbol not in found})
            found[function.symbol] = function
        elif found[function.symbol] is not function:
            raise LanguageError(
                f"{function.symbol} names in C another function, in {found[function.symbol].file}, too",
                function.file,
                function.line,
                "another name for the function, or for its module",
            )
    return list(found.values())


def refuse_clash(symbol, other):
    """Raise `LanguageError`: a constant of a declared word has the name of something else in C."""
    part = symbol.part
    about = f"{other.name} of {other.word}" if isinstance(other, Part) else f"a constant of {other}"
    message = f"{symbol} names in C {part.name} of {part.word} and {about}"
    raise LanguageError(message, inspect.getsourcefile(sys.modules[part.module]), part.line, "another name for one")


def in_source_order(unit):
    """The functions of a unit in source order, specification before model."""
    place = {name: number for number, name in enumerate(unit.modules)}
    return sorted(
        unit.functions,
        key=lambda function: (
            place[function.python.__module__],
            function.file.startswith("<"),
            function.file,
            function.line,
        ),
    )


def definition_order(item):
    """Where a constant is defined: its module, then its line."""
    return item.module, item.line


def callees(function):
    """The functions that a function calls."""
    return {
        node.function.symbol: node.function for node in ir.walk(function.spoken) if isinstance(node, ir.Call)
    }.values()


def of_type(node):
    """Is the literal an enumerator, a flag of its type, or the bound of a type?"""
    return (
        is_enum(node.type)
        or (is_flags(node.type) and node.symbol in node.type.members)
        or isinstance(node.symbol, Bound)
    )


def constant(function, name, value, element):
    """The constant that a name means in the module of a function, or that the declaration of a word implies."""
    if isinstance(name, Symbol):
        part = name.part
        note = trailing_notes(part.module).get(part.line, "")
        return Constant(str(name), value, None, part.module, note, not name.endswith("_SHIFT"), part.line)
    module = origin(function.python.__module__, name)
    node: Any = top_level(module)[name]
    source = "\n".join(module_lines(module)[node.lineno - 1 : node.end_lineno])
    looks = any(mark in source for mark in ("0x", "mask", "|")) or (
        "<<" in source and value > 1 << 20 if element is None else False
    )
    rows = vars(sys.modules[module])[name]
    return Constant(
        name,
        rows if isinstance(rows, Rows | Characters) else value,
        element,
        module,
        trailing_notes(module).get(node.end_lineno, ""),
        looks,
        node.lineno,
    )


@cache
def origin(module, name):
    """The module that assigns a name which is visible in `module`."""
    if name in top_level(module):
        return module
    for node in ast.walk(syntax(module)):
        if isinstance(node, ast.ImportFrom) and any((alias.asname or alias.name) == name for alias in node.names):
            return origin(resolve_name("." * node.level + (node.module or ""), sys.modules[module].__package__), name)
    raise ValueError(f"{name} is assigned nowhere that {module} could see")


@cache
def module_lines(module):
    """The lines of a module."""
    return Path(str(importlib.import_module(module).__file__)).read_text().splitlines()


@cache
def syntax(module):
    """The syntax tree of a module."""
    return ast.parse("\n".join(module_lines(module)))


def docstring(module):
    """The docstring of a module, with the question that it answers."""
    return importlib.import_module(module).__doc__


@cache
def top_level(module):
    """The assignments of a module by name."""
    tree = syntax(module)
    return {
        target.id: node
        for node in tree.body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }


@cache
def trailing_notes(module):
    """The comment at the end of each line of a module."""
    text = "\n".join(module_lines(module)) + "\n"
    return {
        token.start[0]: token.string.lstrip("# ")
        for token in tokenize.generate_tokens(io.StringIO(text).readline)
        if token.type == tokenize.COMMENT and token.line[: token.start[1]].strip()
    }


def collect(type_, found):
    """Add a type and the types it is made of."""
    if type_ is None or type_ is boolean or type_ in WORDS.values() or type_ in found:
        return
    if isinstance(type_, ArrayType):
        collect(type_.element, found)
        return
    if isinstance(type_, SliceType):
        collect(type_.element, found)
    if isinstance(type_, RecordMeta):
        for inner in type_.fields.values():
            collect(inner, found)
    found.append(type_)


def is_plain(type_):
    """Is the type a number without names of its own?"""
    return is_scalar(type_) and not is_enum(type_) and not is_flags(type_)
