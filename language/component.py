"""What is a component, and where is it declared? A state, the operations on it, and what they may call: one object.

The kernel of this project is a component, and so is the bank in `examples/bank/`. The prover, the generator of C and
the tests are given a `Component` and know nothing else of what they judge. The promises are those that the modules of
its package declare.
"""

import importlib.util
import inspect
import keyword
import pkgutil
import re
import sys
import traceback
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from importlib import import_module
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import FunctionType
from typing import Any

from corollary.language import ir
from corollary.language.contracts import plain
from corollary.language.frontend import translate
from corollary.language.observation import mistakes
from corollary.language.property import KINDS, MARKS, MODELS, PROMISES, component_of, promises_of
from corollary.language.types import LanguageError, annotation_type, is_enum, is_scalar
from corollary.language.values import RecordMeta

FILE = "component.py"
"""The file of a folder that declares a component."""
NAME = "COMPONENT"
PROMISING = re.compile(rf"\s*@(?:\w+\.)*(?:{'|'.join(mark.__name__ for mark in MARKS)})\(")
"""A line that declares a promise."""
OK = "OK"
STATE, BEFORE, AFTER = "s", "before", "after"
"""How promises and operations call the state: the present one, and those before and after a step."""
CALL, ASKED = "call", "asked"
"""How they call what a gate is given: as it is in the end, and as it was asked."""
STATUS, ACTOR = "status", "actor"
"""How theorems call what a step answers, and who acts."""
GIVEN = (STATUS, ACTOR)
RESERVED = (STATE, BEFORE, AFTER, CALL, ASKED, *GIVEN)
BOOT = "boot"
"""The name of the step that makes the first state."""
ARGUMENT, RESULT, NOW, NUMBER = "argument", "result", "now", "operation"
"""The fields of what a gate is given: what is asked, what the caller is told, the time, and the operation."""


@dataclass(frozen=True)
class Operation:
    """What users of a component may ask for: `f(s, a, b, ...)`, which returns a status or nothing."""

    number: int
    name: str
    function: Any

    promised = True  # must it be said when it succeeds, and what it does?

    @property
    def parameters(self):
        """Name and type of each argument."""
        return tuple((each.name, each.type) for each in translate(self.function).parameters[1:])


@dataclass(frozen=True, eq=False)
class Component:
    """A state record, what may be done to it, and what holds of it.

    `operations` are functions `f(s: State, a, b, ...) -> Status`. Each is a step by itself, unless there is a `gate`:
    then they are the rows of its table, and every call goes through it. Where there is a gate, the state says in
    `current` who acts, and in `idle` whether nobody does.
    """

    state: Any  # a Record
    operations: tuple  # functions, or, with a gate, rows with `number`, `name`, `parameters` and `function`
    boot: Any = None  # makes the first state from zeros; without it, the first state is all zeros
    actions: tuple = ()  # steps that nobody asks for
    calls: tuple = ()  # the names of other components whose functions it may call
    gate: Any = None  # the function through which all operations are called, as `f(s, call) -> Status`
    objects: dict = field(default_factory=dict)  # the records, besides the state, that steps are given, by name
    actor: Any = None  # the type of who acts, if somebody does
    answers: tuple = ()  # the fields of a call that an operation may set
    books: tuple = ()  # what each call may change, as `field`, or as `table.field` in the caller's row
    turn: tuple = ()  # what a call that succeeds may change besides, written alike
    hashed: Any = None  # the status that depends on hashes
    named: tuple = ()  # functions whose results the prover gives names: they seldom matter as such
    log: str = ""  # the table whose rows are numbered one after the other, and go round
    lists: tuple = ()  # a field that counts rows, the table that lists them, and how many there may be
    sets: tuple = ()  # tables of words whose bits name rows
    view: Any = None  # who sees what, as a `View`; without it, nothing is said about that
    secret: str = ""  # the field that nobody may learn
    hash: Any = None  # the opaque function that all hashes are made of
    large: tuple = ()  # functions not looked into where two runs are compared: equal inputs give equal outputs
    cut: tuple = ()  # likewise, unless the model does otherwise than was found
    alike: tuple = ()  # functions whose results get names there: so they are seen to be the same
    machine: str = ""  # the module of the prover about its machine code, if it is built into an image
    demands: Any = None  # what refuses an operation that is written otherwise than all others
    outcomes: str = ""  # where the promises about its operations belong, for who forgets one

    def __post_init__(self):
        if not isinstance(self.state, RecordMeta) or not self.state.fields:
            frame = sys._getframe(2)  # of who makes the component
            raise LanguageError(
                f"the state, {self.state!r}, is no record",
                frame.f_code.co_filename,
                frame.f_lineno,
                "a class with fields, below Record",
            )
        rows = [
            Operation(number, each.__name__, each) if isinstance(each, FunctionType) else each
            for number, each in enumerate(self.operations)
        ]
        if self.gate is None:  # else the table is still being filled
            object.__setattr__(self, "operations", tuple(rows))
        COMPONENTS[self.name] = self

    @property
    def name(self):
        """The name of the package with its modules, in lower case."""
        return component_of(self.state.__module__)

    @property
    def modules(self):
        """The names of its modules, as far as they are imported."""
        return tuple(sorted(name for name in sys.modules if "." in name and component_of(name) == self.name))

    @property
    def types(self):
        """The record of each object that steps and promises refer to by name."""
        asked = {ASKED: self.objects[CALL]} if CALL in self.objects else {}
        return {STATE: self.state, BEFORE: self.state, AFTER: self.state, **asked, **self.objects}

    @property
    def roots(self):
        """The record of each object that a step is given."""
        return {STATE: self.state, **self.objects}

    def promises(self, kind):
        """Return a registry of its promises, such as `INVARIANTS`."""
        return promises_of(self.name)[kind]

    invariants = property(lambda self: self.promises("INVARIANTS"))
    theorems = property(lambda self: self.promises("THEOREMS"))
    corollaries = property(lambda self: self.promises("COROLLARIES"))
    conserved = property(lambda self: self.promises("CONSERVED"))
    conditions = property(lambda self: self.promises("CONDITIONS"))
    effects = property(lambda self: self.promises("EFFECTS"))

    @property
    def functions(self):
        """The functions that change its state from outside."""
        asked = [self.gate] if self.gate else [each.function for each in self.operations]
        return [*([self.boot] if self.boot else []), *asked, *self.actions]

    def is_book(self, path):
        """May every call change this field, whoever makes it?"""
        return path[0] in self.books

    def is_turn(self, path):
        """May every call that succeeds change this field?"""
        return path[0] in (*self.books, *self.turn)

    def is_of_caller(self, path, refused=False):
        """May a call change this field in the row of the caller, if it succeeds, or even if it is `refused`?"""
        return len(path) > 2 and f"{path[0]}.{path[2]}" in (self.books if refused else (*self.books, *self.turn))


COMPONENTS = {}
"""Every component that was declared, by name."""


def declared(name):
    """Return the component of this name. One of this project is imported where it is not yet. Raises `LookupError`."""
    if name not in COMPONENTS:
        with suppress(ModuleNotFoundError):
            import_module(f"{MODELS}{name}.{FILE.removesuffix('.py')}")
    return COMPONENTS[name]


# ---- a component in a folder of its own

FOR_THE_KERNEL = (
    "gate",
    "objects",
    "hashed",
    "log",
    "lists",
    "sets",
    "secret",
    "hash",
    "machine",
    "demands",
    "outcomes",
)
"""What only the kernel may declare: the prover takes it as the kernel means it, and nothing checks it elsewhere."""


def found_in(folder):
    """Return the component that the folder declares: the `COMPONENT` of its `component.py`.

    Raises `LanguageError` if the folder or its component is not as it must be.
    """
    folder = Path(folder).resolve()
    file, name = folder / FILE, folder.name
    if not file.is_file():
        raise LanguageError("no component is declared here", file, 1, "`corollary new NAME` makes a folder with one")
    if not is_free(name, folder):
        raise LanguageError(
            f"the folder {name} gives its package a name that is taken, or that is no name of Python",
            file,
            1,
            "another name",
        )
    if name not in sys.modules:
        sys.modules[name] = package_at(name, folder)
        import_all(name, folder)
    check_imported(name, folder)
    component = vars(import_module(f"{name}.{file.stem}")).get(NAME)
    if not isinstance(component, Component):
        raise LanguageError(
            f"{NAME} is missing, or no Component", file, 1, f"{NAME} = Component(state=..., operations=(...))"
        )
    if component.name != name or COMPONENTS[name] is not component:
        raise LanguageError(
            f"{NAME} is not the only component of {name}", file, 1, "one Component, whose state this folder declares"
        )
    check_reserved(component, file)
    check(component, file)
    return component


def check_reserved(component, file):
    """Refuse what only the kernel may declare. Raises `LanguageError`."""
    for name in FOR_THE_KERNEL:
        if getattr(component, name):
            raise LanguageError(f"{name} is supported for the kernel only", file, 1, f"a Component without {name}=")


def import_all(name, folder):
    """Import every module of a folder, and of the packages in it. Raises `LanguageError` if Python cannot."""
    try:
        for each in pkgutil.iter_modules([str(folder)]):
            import_module(f"{name}.{each.name}")
            if each.ispkg:
                import_all(f"{name}.{each.name}", folder / each.name)
    except LanguageError:
        raise
    except (Exception, SystemExit) as problem:  # whatever a module does while it is imported
        told = f"Python cannot import it: {type(problem).__name__}: {problem}"
        raise LanguageError(told, *raised_at(problem, folder), "a module that Python can import") from problem


def check_imported(name, folder):
    """Refuse a file with promises that no module is made of: nobody would prove them. Raises `LanguageError`."""
    known = {getattr(sys.modules[each], "__file__", None) for each in list(sys.modules) if each.split(".")[0] == name}
    for file in sorted(folder.rglob("*.py")):
        if str(file) not in known and (line := declaring(file)):
            instead = "a file NAME.py here, or in a folder with __init__.py; NAME as in Python, and used once"
            raise LanguageError("nothing imports this promise", file, line, instead)


def declaring(file):
    """Return the line of the first promise in a file; 0 if there is none."""
    for number, line in enumerate(file.read_text(errors="replace").splitlines(), 1):
        if PROMISING.match(line):
            return number
    return 0


def raised_at(problem, folder):
    """Return the file and the line of a folder where importing a module of it failed."""
    if isinstance(problem, SyntaxError) and problem.filename:
        return problem.filename, problem.lineno or 1
    frames = traceback.extract_tb(problem.__traceback__)
    here = [(each.filename, each.lineno or 1) for each in frames if Path(each.filename).is_relative_to(folder)]
    return here[-1] if here else (folder / FILE, 1)


def is_free(name, folder):
    """May the package of a folder have this name?"""
    if not name.isidentifier() or keyword.iskeyword(name) or name != name.lower():
        return False
    if importlib.util.find_spec(MODELS + name) is not None:
        return False  # promises about it would be among those of this project
    if name in sys.modules:
        return str(folder) in getattr(sys.modules[name], "__path__", ())
    spec = importlib.util.find_spec(name)
    return spec is None or str(folder) in (spec.submodule_search_locations or ())


def package_at(name, folder):
    """Return a package whose modules lie in a folder, wherever that is."""
    spec = ModuleSpec(name, loader=None, is_package=True)
    spec.submodule_search_locations = [str(folder)]
    return importlib.util.module_from_spec(spec)


def check(component, file):
    """Refuse a component whose operations the prover or C could not take. Raises `LanguageError`."""
    if not component.operations:
        raise LanguageError(
            "no operation is declared", file, 1, "operations=(f, g), functions f(s: State, ...) -> Status"
        )
    check_steps(component)
    if component.gate is None and (component.books or component.turn or component.answers):
        raise LanguageError("there are books, but no gate that keeps them", file, 1, "changes=(...) of each operation")
    names = {operation.name for operation in component.operations}
    for promise in (*component.conditions.values(), *component.effects.values()):
        check_promise(component, promise, names)
    for promise in component.theorems.values() if component.gate is None else ():
        check_theorem(component, promise)
    for kind in KINDS:
        for promise in component.promises(kind).values():
            check_objects(component, kind, promise.function)
            check_pure(promise.function)
            check_function(component, promise.function)
    check_elsewhere(component)
    for function in component.functions:
        check_function(component, function)
        if translate(function).requires:
            raise wrong(
                function,
                f"{function.__name__} is called from outside, where nothing shows what it requires",
                "a status that says what was wrong",
            )
    for operation in component.operations if component.gate is None else ():
        check_operation(operation.function)
    if component.view is not None:
        check_view(component, file)


def check_elsewhere(component):
    """Refuse a promise about the state that is declared outside of the component: it would not be proved."""
    for name, registries in PROMISES.items():
        for promise in (each for registry in registries.values() for each in dict.values(registry)):
            if name != component.name and component.state in inspect.get_annotations(promise.function).values():
                raise wrong(
                    promise.function,
                    f"{promise.id} is about {component.state.name}, and is declared in {name}",
                    f"a function in a module of {component.name}",
                )


def check_steps(component):
    """Refuse two steps of one name: only one of them would be proved."""
    operations = {each.name: each.function for each in component.operations}
    if len(operations) < len(component.operations):
        name = next(name for name, count in Counter(each.name for each in component.operations).items() if count > 1)
        raise wrong(operations[name], f"{name} is the name of two operations", "a name for each")
    for function in component.actions:
        if function.__name__ in operations:
            raise wrong(function, f"{function.__name__} is the name of an operation, too", "a name for each step")
    if BOOT in steps_of(component):
        raise wrong(steps_of(component)[BOOT], f"{BOOT} is the name of the step to the first state", "another name")


def steps_of(component):
    """Return the function of each operation and each action by its name."""
    return {each.name: each.function for each in component.operations} | {
        each.__name__: each for each in component.actions
    }


def check_theorem(component, promise):
    """Refuse a theorem that takes an argument, or the status, for one of another type."""
    function, about, steps = promise.function, promise.about, steps_of(component)
    for step in filter(steps.__contains__, about) if isinstance(about, tuple) else ():
        check_arguments(function, step, translate(steps[step]).parameters)
    wanted = inspect.get_annotations(function).get(STATUS)
    for each in filter(promise.concerns, component.operations) if wanted is not None else ():
        answer = translate(each.function).returns
        if wanted is not answer:
            instead = f"{STATUS}: {answer.name}" if answer else "a theorem without it"
            raise wrong(function, f"{STATUS} of {function.__name__} is not what {each.name} returns", instead)


def check_arguments(function, step, parameters):
    """Refuse a promise about a step that takes an argument of it for one of another type."""
    arguments = {each.name: each.type for each in parameters if each.name != STATE}
    for name, note in inspect.get_annotations(function).items():
        type_ = arguments.get(name)
        if type_ is not None and annotation_type(note) is not type_:
            told = f"{name} of {function.__name__} is a {annotation_type(note).name}, and of {step} a {type_.name}"
            raise wrong(function, told, f"{name}: {type_.name}")


def check_objects(component, kind, function):
    """Refuse a promise that speaks of a state which there is not where it is asked, or of a status in one state."""
    known = component.types if kind in ("THEOREMS", "EFFECTS", "CONDITIONS") else {STATE: component.state}
    known = {name: type_ for name, type_ in known.items() if (kind, name) != ("CONDITIONS", AFTER)}
    for each in translate(function).parameters:
        is_given = kind == "THEOREMS" and each.name in GIVEN
        is_index = is_scalar(each.type) and each.name not in RESERVED
        if not is_given and not is_index and known.get(each.name) is not each.type:
            raise wrong(
                function,
                f"{each.name} is nothing that {function.__name__} may speak of",
                f"an index, or one of {', '.join(known)}",
            )


def check_pure(function):
    """Refuse a predicate that changes what it is about: it would hold of the changed state."""
    changed = sorted(translate(function).mutates)
    if changed:
        raise wrong(function, f"{function.__name__} changes {', '.join(changed)}", "a function that only reads")


def check_function(component, function):
    """Refuse a function that is not about the state, or that calls what the component may not call."""
    name, state = function.__name__, component.state.name
    if component.state not in inspect.get_annotations(function).values():
        raise wrong(function, f"{name} is not about {state}", f"def {name}(s: {state}, ...)")
    check_calls(component, function)


def check_calls(component, function):
    """Refuse a function that calls what the component may not call."""
    translated, allowed = translate(function), {component.name, *component.calls}
    for callee in (translated, *ir.below(translated, opaque=True)):
        home = component_of(callee.python.__module__)
        if home not in allowed:
            raise wrong(
                function,
                f"{function.__name__} calls {callee.name} of {home}, which {component.name} may not call",
                f"a function of its own, or calls=({home!r},) in {FILE}",
            )


def check_operation(function):
    """Refuse an operation that takes more than numbers, or answers with anything but a status."""
    (first, *arguments), answer, name = translate(function).parameters, translate(function).returns, function.__name__
    if first.name != STATE or is_scalar(first.type):
        raise wrong(
            function, f"the first parameter of {name} is {first.name}, and not the state", f"def {name}({STATE}: ...)"
        )
    for each in arguments:
        if not is_scalar(each.type):
            raise wrong(
                function, f"the argument {each.name} of {name} is a record or a table", "numbers, indices, enumerators"
            )
        if each.name in RESERVED:
            raise wrong(function, f"{each.name} means something else in a promise about {name}", "another name")
    if answer is not None and not (is_enum(answer) and getattr(answer, OK, None) == 0):
        raise wrong(function, f"{name} returns no status", "an Enum with OK = 0, or None")


def check_view(component, file):
    """Refuse a declaration of who sees what that leaves something open."""
    if component.actor is None:
        raise LanguageError("it is declared what is seen, but not by whom", file, 1, "actor=..., an Index")
    view = component.view
    for function, message, instead in mistakes(view, component.state, component.actor, steps_of(component)):
        raise wrong(function, message, instead) if function else LanguageError(message, file, 1, instead)
    proved = {each.function for each in (*component.invariants.values(), *component.corollaries.values())}
    for row in view.known:
        if row.corollary not in proved:
            raise wrong(row.corollary, f"{row.corollary.__name__} is not promised", "@corollary(id, sentence)")
    judging = [row.function for table in view.tables for row in table]
    for function in (*judging, *filter(None, (view.exists, view.names))):
        check_pure(function)
        check_calls(component, function)


def check_promise(component, promise, names):
    """Refuse a promise about an operation that does not exist, or about a field that the state does not have."""
    function, (about,), told = promise.function, promise.about, promise.function.__name__
    if about not in names:
        raise wrong(function, f"{told} is about {about}, which is no operation", f"one of {', '.join(sorted(names))}")
    for path in set(promise.changes) - set(component.answers):
        type_ = component.state
        for part in path.split("."):
            type_ = getattr(type_, "element", type_)
            if part not in getattr(type_, "fields", {}):
                raise wrong(
                    function,
                    f"{told} says that {path} changes, which is no field of {component.state.name}",
                    f"one of {', '.join(component.state.fields)}",
                )
            type_ = type_.fields[part]
    if component.gate is None:
        operation = next(each for each in component.operations if each.name == about)
        check_arguments(function, about, translate(operation.function).parameters)


def wrong(function, message, instead):
    """Return the error about a function, with the place where it stands."""
    code = plain(function).__code__
    return LanguageError(message, code.co_filename, code.co_firstlineno, instead)
