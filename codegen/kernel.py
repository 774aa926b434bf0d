"""What does the kernel consist of? Its functions by C file, and the types and constants that they use."""

import ast
import importlib
import inspect
import io
import tokenize
from dataclasses import dataclass, field
from functools import lru_cache

from codegen.expressions import Printer, number
from model.action import contain, preempt
from model.boot import boot
from model.gate import OPERATIONS, dispatch
from model.promises import INVARIANTS
from spec.language import ir
from spec.language.frontend import translate
from spec.language.types import WORDS, ArrayType, boolean, is_enum, is_flags, is_scalar
from spec.language.values import RecordMeta

ROOTS = (boot, dispatch, preempt, contain)
COMMON = ("spec.limits", "spec.vocabulary", "spec.state")     # their constants are for all


@dataclass(frozen=True)
class Constant:
    """A named constant of the specification: where it is defined, and who uses it."""

    name: str
    value: object       # an integer, or the elements of a table
    element: object     # the type of a table's elements
    module: str
    note: str
    hexadecimal: bool

    @property
    def text(self):
        """Its value as C."""
        return number(self.value, self.hexadecimal)


@dataclass
class Unit:
    """One C file and its header: the functions of the model and specification modules of one name."""

    name: str
    functions: list = field(default_factory=list)
    modules: list = field(default_factory=list)
    private: list = field(default_factory=list)     # constants that no other file uses
    shared: list = field(default_factory=list)      # constants for its header
    includes: list = field(default_factory=list)


def closure(functions):
    """The typed functions reachable from Python functions, callees first."""
    found = {}
    for python in functions:
        function = translate(python)
        if function.symbol not in found:
            found.update({other.symbol: other for other in closure(function.callees) if other.symbol not in found})
            found[function.symbol] = function
        elif found[function.symbol] is not function:
            raise ValueError(f"{function.symbol} names two functions: {function.file} and {found[function.symbol].file}")
    return list(found.values())


@lru_cache(maxsize=None)
def functions():
    """Every function of the kernel, callees first."""
    return tuple(closure([*ROOTS, *(item.function for item in INVARIANTS.values())]))


def invariant_symbols():
    """The C names of the invariants."""
    return {translate(item.function).symbol for item in INVARIANTS.values()}


def in_source_order(unit):
    """The functions of a unit, specification before model, as they stand in their files."""
    place = {name: number for number, name in enumerate(unit.modules)}
    return sorted(unit.functions, key=lambda function: (place[function.python.__module__], function.file.startswith("<"),
                                                        function.file, function.line))


def units():
    """The C files of the kernel by name, with their constants and the headers that they need."""
    found = {}
    for function in functions():
        name = "invariants" if function.symbol in invariant_symbols() else function.module
        unit = found.setdefault(name, Unit(name))
        unit.functions.append(function)
        unit.modules = sorted({*unit.modules, function.python.__module__}, reverse=True)
    for unit in found.values():
        unit.functions = in_source_order(unit)
    place_constants(found)
    homes = {function.symbol: unit.name for unit in found.values() for function in unit.functions}
    for unit in found.values():
        called = {homes[callee.symbol] for function in unit.functions for callee in callees(function)}
        defined = {item.module.rsplit(".", 1)[-1] for item in constants(unit.functions) if item.module not in COMMON}
        shared = {other for other in defined if other in found and other != unit.name and used_from(found[other], unit)}
        unit.includes = sorted((called | shared) - {unit.name})
        if any(function.hardware for function in unit.functions):
            unit.includes = sorted({*unit.includes, "hardware"})
    return found


def used_from(owner, unit):
    """Does a unit use a constant of another one's header?"""
    return any(item in owner.shared for item in constants(unit.functions))


def place_constants(found):
    """Give each constant to the one file that uses it, or to the header of the module that defines it."""
    users = {}
    for unit in found.values():
        for item in constants(unit.functions):
            users.setdefault(item, []).append(unit)
    for item, using in sorted(users.items(), key=lambda pair: definition_order(pair[0])):
        if item.module in COMMON:
            continue
        owner = found.get(item.module.rsplit(".", 1)[-1], using[0])
        if len(using) == 1:
            using[0].private.append(item)
        elif item.element is not None:
            for unit in using:
                unit.private.append(item)
        else:
            owner.shared.append(item)


def definition_order(item):
    """Where a constant stands: by module, then by line."""
    return item.module, top_level(item.module)[item.name].lineno


def callees(function):
    """The functions that a function calls."""
    return {node.function.symbol: node.function for node in ir.walk(function.body) if isinstance(node, ir.Call)}.values()


# ---- constants


def constants(group):
    """The named constants that functions use, each once."""
    found, numbers = {}, {declared.constant for declared in OPERATIONS}
    for function in group:
        for node in ir.walk(function.body):
            if isinstance(node, ir.Builtin) and node.name == "constant_table":
                name, values = node.arguments[0].symbol, tuple(item.value for item in node.arguments[2])
                found[name] = constant(function, name, values, node.type)
        for node in ir.walk(function.body):
            if isinstance(node, ir.Literal) and node.symbol and node.symbol not in found and not of_type(node) and node.symbol not in numbers:
                found[node.symbol] = constant(function, node.symbol, node.value, None)
    return list(found.values())


def of_type(node):
    """Is the literal an enumerator, or a flag of its type?"""
    return is_enum(node.type) or (is_flags(node.type) and node.symbol in node.type.members)


def constant(function, name, value, element):
    """The constant of this name in the sight of a function."""
    module = origin(function.python.__module__, name)
    node = top_level(module)[name]
    source = "\n".join(module_lines(module)[node.lineno - 1:node.end_lineno])
    looks = any(mark in source for mark in ("0x", "mask", "|")) or ("<<" in source and value > 1 << 20 if element is None else False)
    return Constant(name, value, element, module, trailing_notes(module).get(node.end_lineno, ""), looks)


@lru_cache(maxsize=None)
def origin(module, name):
    """The module in which a name that is visible in `module` is assigned."""
    if name in top_level(module):
        return module
    for node in ast.walk(ast.parse("\n".join(module_lines(module)))):
        if isinstance(node, ast.ImportFrom) and any((alias.asname or alias.name) == name for alias in node.names):
            return origin(node.module, name)
    raise ValueError(f"{name} is assigned nowhere that {module} could see")


@lru_cache(maxsize=None)
def module_lines(module):
    """The lines of a module."""
    return inspect.getsource(importlib.import_module(module)).splitlines()


def docstring(module):
    """The question that a module answers."""
    return importlib.import_module(module).__doc__


@lru_cache(maxsize=None)
def top_level(module):
    """The assignments of a module by name."""
    tree = ast.parse("\n".join(module_lines(module)))
    return {target.id: node for node in tree.body if isinstance(node, ast.Assign)
            for target in node.targets if isinstance(target, ast.Name)}


@lru_cache(maxsize=None)
def trailing_notes(module):
    """The comment at the end of each line of a module."""
    text = "\n".join(module_lines(module)) + "\n"
    return {token.start[0]: token.string.lstrip("# ") for token in tokenize.generate_tokens(io.StringIO(text).readline)
            if token.type == tokenize.COMMENT and token.line[:token.start[1]].strip()}


def limits():
    """The constants for all that the kernel uses, in their order."""
    return sorted((item for item in constants(functions()) if item.module in COMMON), key=definition_order)


# ---- types


def types():
    """The scalar types and records that the kernel uses, each after those it is made of."""
    found = []
    for function in functions():
        for node in ir.walk((*function.body, *function.parameters)):
            collect(getattr(node, "type", None), found)
        collect(function.returns, found)
    return found


def collect(type_, found):
    """Add a type and what it is made of."""
    if type_ is None or type_ is boolean or type_ in WORDS.values() or type_ in found:
        return
    if isinstance(type_, ArrayType):
        collect(type_.element, found)
        return
    if isinstance(type_, RecordMeta):
        for inner in type_.fields.values():
            collect(inner, found)
    found.append(type_)


def is_plain(type_):
    """Is the type a number without names of its own?"""
    return is_scalar(type_) and not is_enum(type_) and not is_flags(type_)


def definition_line(type_):
    """Where a type is defined: its module and line, so that C keeps the order of the source."""
    for module in ("spec.vocabulary", "spec.state", "spec.hardware"):
        for position, line in enumerate(module_lines(module)):
            if line.startswith((f"class {type_.name}(", f"{type_.name} = Index")):
                return module, position
    raise ValueError(f"{type_.name} is defined in no module of the specification")


@lru_cache(maxsize=None)
def word_builtins():
    """The builtins of the language that the kernel needs as C functions."""
    names = {node.name for function in functions() for node in ir.walk(function.body) if isinstance(node, ir.Builtin)}
    text = "\n".join(line for function in functions() for line in Printer(function).body())
    return names | {name for name in ("clear_words", "clear_halves") if f"{name}(" in text}


def operation_files():
    """The files that declare operations."""
    return tuple(dict.fromkeys(file_of(declared.function.__module__) for declared in OPERATIONS))


def leaves():
    """The functions that end in a call of assembly."""
    return [function for function in functions() if function.hardware]


def file_of(module):
    """`spec/ring.py` for `spec.ring`."""
    return module.replace(".", "/") + ".py"
