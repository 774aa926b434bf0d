"""What does a definition say, in a few characters? Two that say the same have the same fingerprint, whatever their prose.

The fingerprint of a function covers its IR and that of everything it calls, the layout of every type it mentions, and
nothing else: not lines, not comments. That of code that is not of the language covers its syntax tree, all that it imports
of the prover, what it takes from specification and model by name, and the versions of the libraries that it uses.
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

from language import ir, reads
from language.frontend import translate
from language.types import ArrayType, LanguageError, SliceType, is_enum, is_flags, is_scalar
from language.values import RecordMeta
from proofs import footprint

UNIMPORTANT = {"line", "comments", "symbol", "text"}
PROSE = {"sentence", "reason"}      # fields of rows for people
ROOT = Path(__file__).parent.parent
CODE = ("proofs.", "codegen.", "language.")    # the prover, what it knows of the C, and the language
PROJECT = ("proofs", "codegen", "language", "spec", "model", "emulation", "corollary", "tests", "bench")
LANGUAGE = tuple(f"language.{path.stem}" for path in sorted((ROOT / "language").glob("*.py")) if path.stem != "__init__")
SOURCES = ("language", "spec", "model", "proofs", "codegen", "platform", "generated")
WITHOUT = (__name__, "proofs.cache", "codegen.build", "codegen.image")
"""What has no part in a verdict: what keeps proofs, and what makes images, whose bytes are read."""


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
        return f"{type_.name}<{type_.bits}{[(m.name, int(m)) for m in type_]}"
    if is_flags(type_):
        return f"{type_.name}{type_.bits}{sorted(type_.members.items())}"
    if is_scalar(type_):
        return f"{type_.name}<{type_.bound}"
    return f"{type_.name}{{{','.join(f'{k}:{of_type(t)}' for k, t in type_.fields.items())}}}"


def of_node(node):
    """The text of an IR node; calls are named by the fingerprint of what they call."""
    if isinstance(node, ir.Function):
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
    """The fingerprint of a function of the language with all its callees; derived ones among these are read branch by branch."""
    if id(function) not in _functions:
        _functions[id(function)] = function, of_body(function, function.body)      # kept, so that no identity is used again
    return _functions[id(function)][1]


def of_body(function, body):
    """The fingerprint of a function with another body."""
    parameters = ",".join(f"{p.name}:{digest(of_type(p.type))[:16]}" for p in function.parameters)
    flags = f"{function.opaque}{function.hardware}{function.intrinsic}{sorted(function.mutates)}"
    contract = of_node((function.requires, function.ensures))
    return digest(function.symbol, parameters, of_type(function.returns), of_node(body), contract, flags)


def of_branch(function, number):
    """The fingerprint of a derived function as it is for one operation: without the branches of all others."""
    return of_body(function, tuple(node for node in function.body if chosen(node) in (None, number)))


def chosen(node):
    """The number of the operation that a statement is the branch of, or None."""
    condition = node.condition if isinstance(node, ir.If) else None
    return condition.right.value if isinstance(condition, ir.Compare) and isinstance(condition.right, ir.Literal) else None


# ---- what is not of the language

def of_value(value):
    """The text of anything that a module of the specification may define."""
    if isinstance(value, reads.Registry):
        return "registry"       # is read where it is used
    if isinstance(value, enum.Enum):
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
    """The text of a row of some table, but for what it says to people; `TypeError` of what may hold more than one sees."""
    kind = type(value)
    if not is_dataclass(value):
        raise TypeError(f"{value!r} has no fingerprint: a {kind.__qualname__} is no dataclass")
    inner = ",".join(f"{f.name}={of_value(getattr(value, f.name))}" for f in fields(value) if f.name not in PROSE)
    return f"{of_definition(kind) if kind.__module__.startswith(PROJECT) else kind.__qualname__}({inner})"


@cache
def of_language(function):
    """Is a Python function one of the language?"""
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
    """The fingerprint of a Python function or class: its own syntax, and whatever it names of its module.

    What is met on the way counts there for what is known of it by then, as it may lead back; it is not kept for others.
    """
    if what.__module__.startswith(CODE) or not what.__module__.startswith(PROJECT):
        return name_of(what)        # the language is part of all code, and libraries have versions
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
    """The fingerprint of a Python function or class by its syntax and what the names in it stand for."""
    text, words = defined(what.__module__).get(what.__qualname__) or (of_closure(what.__module__), ())
    seen = vars(sys.modules[what.__module__])
    return digest(name_of(what), text, *(f"{name}={of_called(seen[name])}" for name in words if name in seen))


def of_called(value):
    """The text of what may be called: a function of the language with all that it does."""
    return of_function(translate(value)) if isinstance(value, FunctionType) and of_language(value) else of_value(value)


def defined(module):
    """The functions and classes at the top of a module: the syntax of each, and the names in it."""
    return defined_in(source_of(module))


@cache
def defined_in(source):
    """The same of a text."""
    return {node.name: (ast.dump(node), sorted({each.id for each in ast.walk(node) if isinstance(each, ast.Name)}))
            for node in tree_of(source).body if isinstance(node, (ast.FunctionDef, ast.ClassDef))}


# ---- the modules of the prover

@cache
def of_code(*roots):
    """The fingerprint of modules of the prover, of all that they import of it, and of the language."""
    return digest(platform.python_implementation(), platform.python_version(), *(of_module(name) for name in made_of(*roots, *LANGUAGE)))


@cache
def made_of(*roots):
    """The names of some modules of the prover and of all that they import of it, with the packages that they are in."""
    found, pending = set(), list(roots)
    while pending:
        name = pending.pop()
        if is_code(name) and name not in found:
            found.update([name, *packages_of(name)])
            pending += [target for module, alias in imported(name) for target in (module, f"{module}.{alias}" if alias else module)]
    return sorted(found)


def packages_of(module):
    """The packages that a module is in: their text runs before its own."""
    *above, _ = accumulate(module.split("."), "{}.{}".format)
    return above


def is_code(name):
    """Is a name that of a module of the prover, or of the language?"""
    return name.startswith(CODE) and name not in WITHOUT and path_of(name).exists()


def path_of(module):
    """The file of a module of this project, or of a package."""
    path = ROOT.joinpath(*module.split("."))
    return path / "__init__.py" if path.is_dir() and not path.with_suffix(".py").exists() else path.with_suffix(".py")


@cache
def source_of(module):
    """The text of a module as it was imported; `LookupError` if it was written since."""
    text = path_of(module).read_text()
    if written_since(path_of(module)):
        raise LookupError(f"{module} was written while this process ran: what runs is another text")
    return text


def written_since(path):
    """Was a file written, or put in its place, after this run began to import what it decides with?"""
    return path.stat().st_ctime > reads.BEGAN


def rewritten():
    """The modules of this project that were written while they were in use: what was decided is of neither text."""
    paths = {name: path_of(name) for name in list(sys.modules) if name.startswith(PROJECT)}
    return sorted(name for name, path in paths.items() if path.exists() and written_since(path))


def of_sources():
    """The fingerprint of every text that a result is about: specification, prover, and the C that is made of them."""
    files = sorted(path for folder in SOURCES for path in below(ROOT / folder) if path.parent.name != "__pycache__")
    bytes_of = {path: path.read_bytes() for path in files}
    return digest(*(f"{path.relative_to(ROOT)} {hashlib.sha256(data).hexdigest()}" for path, data in bytes_of.items()))


def below(folder, seen=()):
    """Every file below a folder, also where a link leads, as Python's imports do; a link that leads back is none."""
    for path in folder.iterdir():
        if path.is_file():
            yield path
        elif path.is_dir() and path.resolve() not in seen:
            yield from below(path, (*seen, path.resolve()))


def of_all(_):
    """The fingerprint of all texts that any obligation reads, and of every tool that is installed."""
    tools = sorted(f"{each.name} {each.version}" for each in metadata.distributions())
    return digest(of_sources(), platform.python_implementation(), platform.python_version(), *tools)


@cache
def tree_of(source):
    """The syntax of a text, without its prose."""
    return without_prose(ast.parse(source))


def of_text(module):
    """The fingerprint of a whole module by its syntax."""
    return digest(module, spelled(source_of(module)))


@cache
def spelled(source):
    """The syntax of a text in one line."""
    return ast.dump(tree_of(source))


def without_prose(tree):
    """A syntax tree without documentation."""
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list):
            node.body = [each for each in body if not (isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant))] or [ast.Pass()]
    return tree


def imports(module):
    """`(node, alias)` of all that a module imports."""
    return imports_in(source_of(module))


@cache
def imports_in(source):
    """The same of a text."""
    return [(node, alias) for node in ast.walk(tree_of(source)) if isinstance(node, (ast.Import, ast.ImportFrom)) for alias in node.names]


def imported(module):
    """`(module, name)` of all that a module imports; the name is empty where it imports a module as such."""
    return [(node.module, alias.name) if isinstance(node, ast.ImportFrom) else (alias.name, "") for node, alias in imports(module)]


@cache
def of_module(module):
    """The fingerprint of one module: its syntax, what it takes from elsewhere, and what it read while it was imported."""
    import_module(module)
    taken = [f"{name}={text}" for name, text in sorted(taken_by(module))]
    early = sorted(f"{kind} {name}={now(kind, name)}" for kind, name in names(reads.IMPORTED.get(module, ())))
    return digest(of_text(module), *taken, *early)


def taken_by(module):
    """`(name, text)` of what a module of the prover takes from specification, model and libraries."""
    called, _ = words_of(module)
    for node, alias in imports(module):
        source = node.module if isinstance(node, ast.ImportFrom) else alias.name
        if not source.startswith(PROJECT):
            yield source, of_library(source)
        elif not source.startswith(CODE):
            yield from taken_from(module, node, alias, called)


def words_of(module):
    """What a module calls, and the words with dots in it."""
    return words_in(source_of(module))


@cache
def words_in(source):
    """The same of a text."""
    nodes = list(ast.walk(tree_of(source)))
    return ({ast.unparse(node.func) for node in nodes if isinstance(node, ast.Call)},
            {ast.unparse(node) for node in nodes if isinstance(node, ast.Attribute)})


def taken_from(module, node, alias, called):
    """The same of one import of specification or model: the value of a name, or of what is used of a module."""
    if isinstance(node, ast.ImportFrom):
        home = import_module(node.module)
        value = getattr(home, alias.name) if hasattr(home, alias.name) else import_module(f"{node.module}.{alias.name}")
        local = alias.asname or alias.name
    else:
        value, local = import_module(alias.name), alias.asname or alias.name
    used = used_of(module, local, value) if isinstance(value, ModuleType) else {local: value}
    for name, each in used.items():
        if not (isinstance(each, ModuleType) and is_code(each.__name__)):
            yield name, of_called(each) if name in called else of_value(each)


def used_of(module, local, value):
    """What a module uses of another one, by the words that it uses: all of it if it uses it as such."""
    found = {}
    for text in words_of(module)[1]:
        if text.startswith(f"{local}."):
            each, path = value, text[len(local) + 1:].split(".")
            for position, part in enumerate(path):
                each = getattr(each, part, None)
                if not isinstance(each, ModuleType):
                    found[".".join([local, *path[:position + 1]])] = each
                    break
    return found


@cache
def of_library(name):
    """The version of a library that a module belongs to; nothing of Python's own."""
    top = name.split(".")[0]
    if top in sys.stdlib_module_names:
        return ""
    return ",".join(f"{each} {metadata.version(each)}" for each in distributions().get(top, [top]))


@cache
def distributions():
    """What is installed, by the modules that it brings."""
    return {name: sorted(set(found)) for name, found in metadata.packages_distributions().items()}


# ---- what was read, and what it says now

def names(read):
    """`(kind, name)` of what was recorded; the name is empty where nobody could find it again.

    A function that another one made, and that no table holds, is made of its module and of all that this imports.
    """
    found_ = {(kind, SAID[kind](what)) for kind, what in read}
    lost = {what.__module__ for kind, what in read if kind == "function" and not of_python(what)}
    return {each for each in found_ if each != ("function", "")} | {("closure", module if path_of(module).exists() else "") for module in lost}


@cache
def of_python(function):
    """The name of a function, if that leads to it: as its module has it, or a table of its module."""
    home = sys.modules[function.__module__]
    tables = (f"{home.__name__}:{name}.{function.__name__}" for name, value in list(vars(home).items())
              if type(value) is dict and value.get(function.__name__) is function)
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
    """The fingerprint of the text of a module and of all of this project that it imports."""
    seen, pending = set(), [module]
    while pending:
        name = pending.pop()
        if name.startswith(PROJECT) and name not in seen and path_of(name).exists():
            seen.add(name)
            pending += [target for source, alias in imported(name) for target in (source, f"{source}.{alias}")]
    return digest(*map(of_text, sorted(seen)))


def of_choice(choice):
    """The name of a derived function with the number of an operation."""
    return f"{of_python(choice[0])}#{choice[1]}" if of_python(choice[0]) else ""


def of_registry(registry):
    """The name of a registry of promises."""
    home = sys.modules["language.property"]
    return next((f"{home.__name__}:{name}" for name, value in vars(home).items() if value is registry), "")


def found(name):
    """What a name leads to; `LookupError` if there is no such thing any more."""
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
    """The function of the language that a name leads to; `LookupError` if it leads to something else by now."""
    value = found(name)
    if not isinstance(value, FunctionType):
        raise LookupError(name)
    return translate(value)


def contents(registry):
    """The text of which promises there are, and of what each is about."""
    return ";".join(map(of_promise, dict.values(registry)))


def of_promise(promise):
    """The text of a promise but for its sentence: which function it is, and of which steps."""
    from spec.kernel.hypercalls import OPERATIONS
    from language.property import by_itself
    steps = [step.name for step in OPERATIONS if promise.concerns(step)]
    kinds = f"{promise.about is None} {promise.about is by_itself} {promise.unknown} {promise.changes}"
    return f"{promise.id} {name_of(promise.function)} {kinds} {steps}"


def promised(id_):
    """What an id stands for: as what it is promised, if it is."""
    from language import property as promises
    found_ = [(kind, dict.get(registry, id_)) for kind, registry in promises.REGISTRIES.items()]
    return ";".join(f"{kind} {of_promise(promise)}" for kind, promise in found_ if promise is not None) or "no promise"


def whole_or_branch(name):
    """The fingerprint of a derived function: as it is for one operation, or for any."""
    path, number = name.split("#")
    function = function_at(path)
    return of_branch(function, int(number)) if number != "None" else digest(of_function(function), *(
        of_function(node.function) for node in ir.walk(function.body) if isinstance(node, ir.Call)))


def of_fact(fact):
    """The name of what a function says of some names."""
    function, *arguments = fact
    return "#".join((name_of(function), *arguments))


def told(name):
    """What a function says; `module:function#argument` asks it."""
    path, *arguments = name.split("#")
    return digest(repr(found(path)(*arguments)))


def built(name):
    """The hash of an image as it is made of the sources now; `module:function#argument` makes it."""
    path, *arguments = name.split("#")
    return found(path)(*arguments).sha256


SAID = {"function": of_python, "branch": of_choice, "registry": of_registry, "image": str, "names": name_of, "option": str, "code": str, "text": str,
        "promise": str, "fact": of_fact, "all": str}
"""Kind of what is read -> how it is named."""
SAYS = {"function": lambda name: of_function(function_at(name)), "branch": whole_or_branch, "registry": lambda name: contents(found(name)),
        "image": built, "names": lambda name: digest(str(found(name)())),
        "option": lambda name: repr(reads.option(name)), "code": lambda name: of_code(name), "text": of_text, "closure": of_closure,
        "promise": promised, "fact": told, "all": of_all}
"""Kind of what is read -> what a name says now."""
_now = {}
SAME = set()
"""`(kind, name, text)` of what was found to say that text now."""


def now(kind, name):
    """What something says now, asked once in a process; empty where there is no such thing."""
    if (kind, name) not in _now:
        try:
            with reads.guessing():
                _now[kind, name] = SAYS[kind](name)
        except (LookupError, ImportError, OSError, LanguageError):
            _now[kind, name] = ""
    return _now[kind, name]


def still(read):
    """Does each `(kind, name, text)` say the same now? Thousands of proofs read the same: what was found so is not asked again."""
    for each in read - SAME:
        kind, name, text = each
        if now(kind, name) != text:
            return False
        SAME.add(each)
    return True


def forget(texts=False):
    """Ask for everything anew: definitions were changed in this process, or texts, too."""
    for kept in (_now, SAME, _functions, _definitions, footprint.found):
        kept.clear()
    for function in (of_type, of_python, of_language, of_code, of_module, of_library, *((made_of, source_of, of_closure) if texts else ())):
        function.cache_clear()
