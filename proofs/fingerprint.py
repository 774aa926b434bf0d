"""What does a definition say, in a few characters? Two that say the same have the same fingerprint.

Prose has no part in it. The fingerprint of a function covers its IR, the IR of everything that it calls, and the layout
of every type that it mentions. It covers nothing else: no line numbers, no comments. The fingerprint of code that is
not in the language covers its syntax tree, everything that it imports from the prover, what it takes by name from
specification and model, and the versions of the libraries that it uses.
"""

import ast
import enum
import hashlib
import platform
import sys
from dataclasses import fields, is_dataclass
from functools import cache
from importlib import import_module, metadata
from itertools import accumulate
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

from corollary.language import ir, reads
from corollary.language import property as promises
from corollary.language.component import declared
from corollary.language.frontend import translate
from corollary.language.types import ArrayType, LanguageError, SliceType, is_enum, is_flags, is_scalar
from corollary.language.values import RecordMeta
from corollary.proofs import footprint

UNIMPORTANT = {"line", "comments", "symbol", "text"}
PROSE = {"sentence", "reason"}  # fields of rows that only people read
ROOT = Path(__file__).parent.parent.parent  # where the package `corollary` lies
CODE = (
    "corollary.proofs.",
    "corollary.codegen.",
    "corollary.language.",
)  # the prover, what it knows of the C, and the language
PROJECT = ("corollary", "tests")
LANGUAGE = tuple(
    f"corollary.language.{path.stem}"
    for path in sorted((ROOT / "corollary" / "language").glob("*.py"))
    if path.stem != "__init__"
)
SOURCES = ("language", "spec", "model", "proofs", "codegen", "platform", "generated")
WITHOUT = (__name__, "corollary.proofs.cache", "corollary.codegen.build", "corollary.codegen.image")
"""The modules without a part in a verdict: those that keep proofs, and those that make images, whose bytes are read."""


def digest(*parts):
    """The SHA-256 of several texts, in hexadecimal."""
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


@cache
def of_type(type_):
    """The text of a type: its values and its layout."""
    if type_ is None:
        return "none"
    if isinstance(type_, ArrayType):
        return f"{of_type(type_.element)}[{type_.length} {type_.index}]"
    if isinstance(type_, SliceType):
        return f"{of_type(type_.element)}[]"
    if is_enum(type_):
        return f"{type_.name}<{type_.bits}{list(type_.members.items())}"
    if is_flags(type_):
        return f"{type_.name}{type_.bits}{sorted(type_.members.items())}"
    if is_scalar(type_):
        return f"{type_.name}<{type_.bound}"
    return f"{type_.name}{{{','.join(f'{k}:{of_type(t)}' for k, t in type_.fields.items())}}}"


def of_node(node):
    """Return the text of an IR node; a call is named by the fingerprint of the callee."""
    if isinstance(node, ir.TypedFunction):
        return node.symbol if ir.is_derived(node) else of_function(node)
    if isinstance(node, tuple):
        return f"({','.join(map(of_node, node))})"
    if is_dataclass(node):
        inner = ",".join(of_node(getattr(node, f.name)) for f in fields(node) if f.name not in UNIMPORTANT)
        return f"{type(node).__name__}({inner})"
    if isinstance(node, (int, str, bool)) or node is None:
        return str(int(node)) if isinstance(node, int) else str(node)
    return digest(of_type(node))[:16]


_functions = {}


def of_function(function):
    """Return the fingerprint of a function of the language and its callees.

    Derived functions among the callees are read branch by branch.
    """
    if id(function) not in _functions:
        _functions[id(function)] = function, of_body(function, function.body)  # kept, so that no id is used again
    return _functions[id(function)][1]


def of_body(function, body):
    """Return the fingerprint of a function with `body` in place of its own."""
    parameters = ",".join(f"{p.name}:{digest(of_type(p.type))[:16]}" for p in function.parameters)
    flags = f"{function.opaque}{function.hardware}{function.intrinsic}{sorted(function.mutates)}"
    contract = of_node((function.requires, function.ensures))
    return digest(function.symbol, parameters, of_type(function.returns), of_node(body), contract, flags)


def of_branch(function, number):
    """Return the fingerprint of a derived function for one operation, without the branches of all others."""
    return of_body(function, tuple(node for node in function.body if chosen(node) in (None, number)))


def chosen(node):
    """Return the number of the operation whose branch this statement is, or None."""
    condition = node.condition if isinstance(node, ir.If) else None
    return (
        condition.right.value if isinstance(condition, ir.Compare) and isinstance(condition.right, ir.Literal) else None
    )


# ---- code outside the language


def of_value(value):
    """The text of anything that a module of the specification may define."""
    if isinstance(value, reads.Registry):
        return "registry"  # is read where it is used
    if isinstance(value, enum.IntEnum):
        return f"{type(value).__name__}.{value.name}={int(value)}"
    if value is None or type(value) in (bool, int, float, str, bytes, range):
        return repr(value)
    if is_scalar(value) or isinstance(value, (ArrayType, SliceType, RecordMeta)):
        return of_type(value)
    if isinstance(value, (tuple, list)):
        return f"[{','.join(map(of_value, value))}]"
    if isinstance(value, (set, frozenset)):
        return f"{{{','.join(sorted(map(of_value, value)))}}}"
    if isinstance(value, dict):
        return f"{{{','.join(f'{of_value(k)}:{of_value(v)}' for k, v in value.items())}}}"
    if isinstance(value, FunctionType):
        return name_of(value) if of_language(value) else of_definition(value)
    if isinstance(value, type):
        return of_definition(value)
    if isinstance(value, ModuleType):
        return of_closure(value.__name__) if value.__name__.startswith(PROJECT) else of_library(value.__name__)
    return of_instance(value)


def of_instance(value):
    """Return the text of a row of some table, without its prose.

    Raises `TypeError` when the value is no dataclass: it may hold more than its fields show.
    """
    kind = type(value)
    if not is_dataclass(value):
        raise TypeError(f"{value!r} has no fingerprint: a {kind.__qualname__} is no dataclass")
    inner = ",".join(f"{f.name}={of_value(getattr(value, f.name))}" for f in fields(value) if f.name not in PROSE)
    return f"{of_definition(kind) if kind.__module__.startswith(PROJECT) else kind.__qualname__}({inner})"


@cache
def of_language(function):
    """Is a Python function written in the language?"""
    try:
        with reads.guessing():
            return translate(function) is not None
    except (LanguageError, OSError, KeyError, TypeError, AttributeError, SyntaxError):
        return False


def name_of(function):
    """Where a Python function or class is defined."""
    return f"{function.__module__}:{function.__qualname__}"


_definitions, _pending = {}, {}


def of_definition(what):
    """Return the fingerprint of a Python function or class: its own syntax, and what it names in its module.

    Definitions may lead back to themselves. One that is met on the way counts with what is known of it by then, and
    that is not kept for others.
    """
    if what.__module__.startswith(CODE) or not what.__module__.startswith(PROJECT):
        return name_of(what)  # the language is part of all code, and libraries have versions
    if what.__name__ == "<lambda>":
        return of_closure(what.__module__)
    if what not in _definitions and what not in _pending:
        outermost, _pending[what] = not _pending, name_of(what)
        try:
            _pending[what] = of_names(what)
            if outermost:
                _definitions[what] = _pending[what]
        finally:
            if outermost:
                _pending.clear()
    return _definitions.get(what) or _pending[what]


def of_names(what):
    """Return the fingerprint of a Python function or class: its syntax, and what the names in it stand for."""
    text, words = defined(what.__module__).get(what.__qualname__) or (of_closure(what.__module__), ())
    seen = vars(sys.modules[what.__module__])
    return digest(name_of(what), text, *(f"{name}={of_called(seen[name])}" for name in words if name in seen))


def of_called(value):
    """Return the text of a value that may be called; a function of the language counts with all that it does."""
    return of_function(translate(value)) if isinstance(value, FunctionType) and of_language(value) else of_value(value)


def defined(module):
    """Return the functions and classes at the top of a module: the syntax of each, and the names in it."""
    return defined_in(source_of(module))


@cache
def defined_in(source):
    """Return the same for a source text."""
    return {
        node.name: (ast.dump(node), sorted({each.id for each in ast.walk(node) if isinstance(each, ast.Name)}))
        for node in tree_of(source).body
        if isinstance(node, (ast.FunctionDef, ast.ClassDef))
    }


# ---- the modules of the prover


@cache
def of_code(*roots):
    """Return the fingerprint of modules of the prover, of all that they import from it, and of the language."""
    return digest(
        platform.python_implementation(),
        platform.python_version(),
        *(of_module(name) for name in made_of(*roots, *LANGUAGE)),
    )


@cache
def made_of(*roots):
    """Return the names of some modules of the prover, of all that they import from it, and of their packages."""
    found, pending = set(), list(roots)
    while pending:
        name = pending.pop()
        if is_code(name) and name not in found:
            found.update([name, *packages_of(name)])
            pending += [
                target
                for module, alias in imported(name)
                for target in (module, f"{module}.{alias}" if alias else module)
            ]
    return sorted(found)


def packages_of(module):
    """Return the packages that a module is in: their code runs before its own."""
    *above, _ = accumulate(module.split("."), "{}.{}".format)
    return above


def is_code(name):
    """Is this the name of a module of the prover or of the language?"""
    return name.startswith(CODE) and name not in WITHOUT and path_of(name).exists()


def path_of(module):
    """The file of a module of this project, or of a package."""
    path = ROOT.joinpath(*module.split("."))
    return path / "__init__.py" if path.is_dir() and not path.with_suffix(".py").exists() else path.with_suffix(".py")


@cache
def source_of(module):
    """Return the text of a module as it was imported. Raises `LookupError` if the file was written since."""
    text = path_of(module).read_text()
    if written_since(path_of(module)):
        raise LookupError(f"{module} was written while this process ran: what runs is another text")
    return text


def written_since(path):
    """Was a file, or the link to it, written or replaced after this run began to import what it decides with?"""
    return max(path.stat().st_ctime, path.lstat().st_ctime) > reads.BEGAN


def rewritten():
    """Return the modules of this project that were written while in use: results then fit neither text."""
    paths = {name: path_of(name) for name in list(sys.modules) if name.startswith(PROJECT)}
    return sorted(name for name, path in paths.items() if path.exists() and written_since(path))


def of_sources():
    """Return the fingerprint of every text that a result is about: specification, prover, and the generated C."""
    files = sorted(
        path for folder in SOURCES for path in below(ROOT / "corollary" / folder) if path.parent.name != "__pycache__"
    )
    bytes_of = {path: path.read_bytes() for path in files}
    return digest(*(f"{path.relative_to(ROOT)} {hashlib.sha256(data).hexdigest()}" for path, data in bytes_of.items()))


def below(folder, seen=()):
    """Yield every file below a folder, following links as Python's imports do, but not links that lead back."""
    for path in folder.iterdir():
        if path.is_file():
            yield path
        elif path.is_dir() and path.resolve() not in seen:
            yield from below(path, (*seen, path.resolve()))


def of_all(_):
    """Return the fingerprint of all texts that any obligation reads, and of every installed tool."""
    tools = sorted(f"{each.name} {each.version}" for each in metadata.distributions())
    return digest(of_sources(), platform.python_implementation(), platform.python_version(), *tools)


@cache
def tree_of(source):
    """Return the syntax tree of a source text, without its prose."""
    return without_prose(ast.parse(source))


def of_text(module):
    """Return the fingerprint of a whole module by its syntax."""
    return digest(module, spelled(source_of(module)))


@cache
def spelled(source):
    """Return the syntax of a source text in one line."""
    return ast.dump(tree_of(source))


def without_prose(tree):
    """Remove the docstrings from a syntax tree."""
    each_node: Any
    for each_node in ast.walk(tree):
        body = getattr(each_node, "body", None)
        if isinstance(body, list):
            each_node.body = [
                each for each in body if not (isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant))
            ] or [ast.Pass()]
    return tree


def imports(module):
    """Return `(node, alias)` for everything that a module imports."""
    return imports_in(source_of(module))


@cache
def imports_in(source):
    """Return the same for a source text."""
    return [
        (node, alias)
        for node in ast.walk(tree_of(source))
        if isinstance(node, (ast.Import, ast.ImportFrom))
        for alias in node.names
    ]


def imported(module):
    """Return `(module, name)` for everything that a module imports; the name is empty for a module as such."""
    return [
        (node.module, alias.name) if isinstance(node, ast.ImportFrom) else (alias.name, "")
        for node, alias in imports(module)
    ]


@cache
def of_module(module):
    """Return the fingerprint of a module: its syntax, what it takes from elsewhere, and what its import read."""
    import_module(module)
    taken = [f"{name}={text}" for name, text in sorted(taken_by(module))]
    early = sorted(f"{kind} {name}={now(kind, name)}" for kind, name in names(reads.IMPORTED.get(module, ())))
    return digest(of_text(module), *taken, *early)


def taken_by(module):
    """Yield `(name, text)` for what a module of the prover takes from specification, model and libraries."""
    called, _ = words_of(module)
    for node, alias in imports(module):
        source = node.module or "" if isinstance(node, ast.ImportFrom) else alias.name
        if not source.startswith(PROJECT):
            yield source, of_library(source)
        elif not source.startswith(CODE):
            yield from taken_from(module, node, alias, called)


def words_of(module):
    """Return what a module calls, and the dotted names in it."""
    return words_in(source_of(module))


@cache
def words_in(source):
    """Return the same for a source text."""
    nodes = list(ast.walk(tree_of(source)))
    return (
        {ast.unparse(node.func) for node in nodes if isinstance(node, ast.Call)},
        {ast.unparse(node) for node in nodes if isinstance(node, ast.Attribute)},
    )


def taken_from(module, node, alias, called):
    """Yield the same for one import from specification or model: a name, or the used names of a module."""
    if isinstance(node, ast.ImportFrom):
        home = import_module(node.module or "")
        value = getattr(home, alias.name) if hasattr(home, alias.name) else import_module(f"{node.module}.{alias.name}")
        local = alias.asname or alias.name
    else:
        value, local = import_module(alias.name), alias.asname or alias.name
    used = used_of(module, local, value) if isinstance(value, ModuleType) else {local: value}
    for name, each in used.items():
        if not (isinstance(each, ModuleType) and is_code(each.__name__)):
            yield name, of_called(each) if name in called else of_value(each)


def used_of(module, local, value):
    """Return what a module uses of another one, by dotted words.

    No module is used as a whole, which a test checks: its fingerprint would have to cover all of it.
    """
    found = {}
    for text in words_of(module)[1]:
        if text.startswith(f"{local}."):
            each, path = value, text[len(local) + 1 :].split(".")
            for position, part in enumerate(path):
                each = getattr(each, part, None)
                if not isinstance(each, ModuleType):
                    found[".".join([local, *path[: position + 1]])] = each
                    break
    return found


@cache
def of_library(name):
    """Return the version of the library that a module belongs to; empty for Python's own modules."""
    top = name.split(".")[0]
    if top in sys.stdlib_module_names:
        return ""
    return ",".join(f"{each} {metadata.version(each)}" for each in distributions().get(top, [top]))


@cache
def distributions():
    """Return the installed distributions by the modules that they bring."""
    return {name: sorted(set(found)) for name, found in metadata.packages_distributions().items()}


# ---- what was read, and what it says now


def names(read):
    """Return `(kind, name)` of what was recorded; the name is empty where nothing could be found by it again.

    A function that another function made, and that no table holds, counts as its module with all that this imports.
    """
    found_ = {(kind, SAID[kind](what)) for kind, what in read}
    lost = {what.__module__ for kind, what in read if kind == "function" and not of_python(what)}
    return {each for each in found_ if each != ("function", "")} | {
        ("closure", module if path_of(module).exists() else "") for module in lost
    }


@cache
def of_python(function):
    """Return a name that leads to a function, in its module or in a table of its module; empty if there is none."""
    home = sys.modules[function.__module__]
    tables = (
        f"{home.__name__}:{name}.{function.__name__}"
        for name, value in list(vars(home).items())
        if type(value) is dict and value.get(function.__name__) is function
    )
    direct = name_of(function)
    return direct if leads_to(direct, function) else next(tables, "")


def leads_to(name, function):
    """Does a name lead to a function?"""
    try:
        return found(name) is function
    except LookupError:
        return False


@cache
def of_closure(module):
    """Return the fingerprint of the text of a module and of everything that it imports from this project."""
    seen, pending = set(), [module]
    while pending:
        name = pending.pop()
        if name.startswith(PROJECT) and name not in seen and path_of(name).exists():
            seen.add(name)
            pending += [target for source, alias in imported(name) for target in (source, f"{source}.{alias}")]
    return digest(*map(of_text, sorted(seen)))


def of_choice(choice):
    """Return the name of a derived function with the number of an operation."""
    return f"{of_python(choice[0])}#{choice[1]}" if of_python(choice[0]) else ""


def of_registry(registry):
    """The name of a registry of promises."""
    return next(
        (
            f"{promises.__name__}:PROMISES.{component}.{kind}"
            for component, registries in promises.PROMISES.items()
            for kind, value in registries.items()
            if value is registry
        ),
        "",
    )


def found(name) -> Any:
    """Return what a name leads to. Raises `LookupError` if it no longer exists."""
    module, path = name.split(":")
    value = import_module(module)
    for part in path.split("."):
        if isinstance(value, dict):
            value = value[part]
        elif hasattr(value, part):
            value = getattr(value, part)
        else:
            raise LookupError(name)
    return value


def function_at(name):
    """Return the function of the language that a name leads to.

    Raises `LookupError` if the name leads to something else by now.
    """
    value = found(name)
    if not isinstance(value, FunctionType):
        raise LookupError(name)
    return translate(value)


def contents(registry):
    """Return a text that says which promises there are, and what each is about."""
    return ";".join(("promises", *map(of_promise, dict.values(registry))))


def of_promise(promise):
    """Return the text of a promise without its sentence: its function, and the steps that it is about."""
    component = declared(promises.component_of(promise.function.__module__))
    steps = [step.name for step in component.operations if promise.concerns(step)]
    about = f"{promise.about is None} {promise.about is promises.by_itself}"
    fields = f"{promise.unknown} {promise.changes} {promise.total}"
    return f"{promise.id} {name_of(promise.function)} {about} {fields} {steps}"


def promised(name):
    """Return what `component/id` stands for: the promise, and which kind of promise it is, if there is one."""
    component, id_ = name.split("/", 1)
    found_ = [(kind, dict.get(registry, id_)) for kind, registry in promises.PROMISES.get(component, {}).items()]
    return ";".join(f"{kind} {of_promise(promise)}" for kind, promise in found_ if promise is not None) or "no promise"


def whole_or_branch(name):
    """Return the fingerprint of a derived function, for one operation or for any."""
    path, number = name.split("#")
    function = function_at(path)
    return (
        of_branch(function, int(number))
        if number != "None"
        else digest(
            of_function(function),
            *(of_function(node.function) for node in ir.walk(function.body) if isinstance(node, ir.Call)),
        )
    )


def of_fact(fact):
    """Return the name of a fact: what a function says about some names."""
    function, *arguments = fact
    return "#".join((name_of(function), *arguments))


def told(name):
    """Return a digest of what a function says; `module:function#argument` names the function and its arguments."""
    path, *arguments = name.split("#")
    return digest(repr(found(path)(*arguments)))


def built(name):
    """Return the hash of an image made of the present sources; `module:function#argument` makes it."""
    path, *arguments = name.split("#")
    return found(path)(*arguments).sha256


SAID = {
    "function": of_python,
    "branch": of_choice,
    "registry": of_registry,
    "image": str,
    "names": name_of,
    "option": str,
    "code": str,
    "text": str,
    "promise": str,
    "fact": of_fact,
    "component": str,
    "all": str,
}
"""Kind of read -> how it is named."""
SAYS = {
    "function": lambda name: of_function(function_at(name)),
    "branch": whole_or_branch,
    "registry": lambda name: contents(found(name)),
    "image": built,
    "names": lambda name: digest(str(found(name)())),
    "option": lambda name: repr(reads.option(name)),
    "code": lambda name: of_code(name),
    "text": of_text,
    "closure": of_closure,
    "promise": promised,
    "fact": told,
    "component": lambda name: digest(of_value(declared(name))),
    "all": of_all,
}
"""Kind of read -> what a name says now."""
_now = {}
SAME = set()
"""`(kind, name, text)` of everything that was found to say that text now."""


def now(kind, name):
    """Return what a name says now, computed once per process; empty if there is no such thing."""
    if (kind, name) not in _now:
        try:
            with reads.guessing():
                _now[kind, name] = SAYS[kind](name)
        except (LookupError, ImportError, OSError, LanguageError):
            _now[kind, name] = ""
    return _now[kind, name]


def still(read):
    """Does each `(kind, name, text)` say the same now?

    Thousands of proofs read the same, so what was found unchanged is not asked again.
    """
    for each in read - SAME:
        kind, name, text = each
        if now(kind, name) != text:
            return False
        SAME.add(each)
    return True


def forget(texts=False):
    """Forget all answers: definitions were changed in this process, and with `texts`, texts, too."""
    for kept in (_now, SAME, _functions, _definitions, footprint.found):
        kept.clear()
    for function in (
        of_type,
        of_python,
        of_language,
        of_code,
        of_module,
        of_library,
        *((made_of, source_of, of_closure) if texts else ()),
    ):
        function.cache_clear()
