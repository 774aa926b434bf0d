"""How does Python source become typed IR?

This is the only parser of the language. `translate(function)` reads the source of a Python function, statement by
statement, and returns an `ir.TypedFunction`. It leaves expressions to `corollary.language.expressions`. Source
outside the language raises `LanguageError` with the file, the line and what to write instead. There is no fallback.
"""

import ast
import inspect
import io
import textwrap
import tokenize
from typing import Any

from corollary.language import ir
from corollary.language.bytes import fill, move
from corollary.language.contracts import MEANING, OLD, RESULT, ensures, plain, requires, text
from corollary.language.expressions import Expressions, root_of
from corollary.language.loops import decreases, maintains
from corollary.language.names import why_no_variable
from corollary.language.reads import guessing, note
from corollary.language.types import (
    ArrayType,
    LanguageError,
    Scalar,
    SliceType,
    annotation_type,
    boolean,
    holds_slice,
    is_scalar,
    u32,
    u64,
)
from corollary.language.values import RecordMeta, clear, local

UNSUPPORTED = {
    ast.Try: "a status that says what failed",
    ast.Raise: "a status that says what failed",
    ast.Break: "a flag or an early `return`",
    ast.Continue: "an `if` around the rest",
    ast.With: "plain statements",
    ast.Delete: "`clear(place)`",
    ast.Global: "a field of the state",
    ast.Import: "an import at the top of the module",
    ast.FunctionDef: "a function of the module",
    ast.Assert: "a guard that returns a status",
}
STATEMENTS = "assignments, `if`, `for`, `while`, `return` and calls"
_cache = {}


def opaque(function):
    """Mark a pure function that proofs treat as uninterpreted. Its own meaning is proved once, at its leaf."""
    function.__opaque__ = True
    return function


def hardware(effect):
    """Mark a function whose body models a hardware effect. C also calls the assembly of that name."""

    def mark(function):
        function.__hardware__ = effect
        return function

    return mark


def translate(function):
    """Return the `ir.TypedFunction` of a Python function, translated once. Raises `LanguageError` on recursion.

    What stands for another function in Python alone, as its `__stands_for__` says, is translated as that one.
    """
    function = getattr(function, "__stands_for__", function)
    note("function", function)
    if function not in _cache:
        _cache[function] = None
        try:
            with guessing():  # its callees are part of it, the first time and every other time
                _cache[function] = _Translator(function).run()
        except BaseException:
            del _cache[function]
            raise
    if _cache[function] is None:
        code = plain(function).__code__
        raise LanguageError(
            f"{function.__name__} calls itself", code.co_filename, code.co_firstlineno, "a `for` over `range(CONSTANT)`"
        )
    return _cache[function]


class _Translator(Expressions):
    """The translator of one function, statement by statement."""

    def __init__(self, function):
        super().__init__(plain(function), translate)
        self.python = function
        source = textwrap.dedent("".join(self.lines))
        self.tree: Any = ast.parse(source).body[0]
        self.comments = _comments(source)
        self.frozen, self.named = set(), {}

    def run(self):
        if not isinstance(self.tree, ast.FunctionDef):
            self.fail(self.tree, f"{self.function.__name__} is not a plain `def`", "a named function")
        if getattr(self.python, "__intrinsic__", False):
            return self.intrinsic()
        if hasattr(self.function, "__wrapped__"):
            self.fail(
                self.tree, f"{self.tree.name} is wrapped by a decorator", "a decorator that returns the function itself"
            )
        parameters = [self.parameter(argument) for argument in self.tree.args.args]
        spec = self.tree.args
        if spec.vararg or spec.kwarg or spec.kwonlyargs or spec.defaults or spec.posonlyargs:
            self.fail(self.tree, "parameters are positional and have no defaults", "name every parameter")
        returns = self.function.__annotations__.get("return", self)
        if returns is self:
            self.fail(self.tree, "the return type is missing", "`-> Status`, `-> bool`, `-> u64` or `-> None`")
        self.returns = annotation_type(returns)
        if self.returns is not None and not is_scalar(self.returns):
            self.fail(
                self.tree, f"{self.tree.name} returns {returns!r}", "a scalar; write aggregates through a parameter"
            )
        body = list(self.tree.body)
        doc = ast.get_docstring(self.tree) or ""
        if doc:
            body = body[1:]
        clauses = self.contract(parameters)
        statements = self.block(body)
        if self.returns is not None and not _always_returns(statements):
            self.fail(self.tree, f"{self.tree.name} can end without a value", "a `return` on every path")
        for callee in map(translate, self.callees):
            if callee.symbol in self.named:
                self.fail(
                    self.named[callee.symbol],
                    f"{callee.symbol} is in C the function `{callee.name}` that is called here",
                    "another name",
                )
        names = {parameter.name for parameter in parameters}
        return ir.TypedFunction(
            self.function.__name__,
            self.function.__module__.rsplit(".", 1)[-1],
            tuple(parameters),
            self.returns,
            statements,
            self.python,
            self.file,
            self.first,
            doc,
            frozenset(self.mutated & names),
            getattr(self.python, "__opaque__", False),
            getattr(self.python, "__hardware__", ""),
            callees=tuple(dict.fromkeys(self.callees)),
            requires=clauses[requires],
            ensures=clauses[ensures],
        )

    def intrinsic(self):
        """Translate a function from scalars to a scalar that is known only by its name."""
        if hasattr(self.python, "__contract__"):
            self.fail(
                self.tree,
                f"{self.tree.name} is an intrinsic: no proof sees what it requires or ensures",
                "a contract of its callers",
            )
        parameters = tuple(self.parameter(argument) for argument in self.tree.args.args)
        returns = annotation_type(self.function.__annotations__.get("return"))
        if not all(is_scalar(type_) for type_ in (returns, *(parameter.type for parameter in parameters))):
            self.fail(
                self.tree,
                f"{self.tree.name} is an intrinsic and not a function of scalars to a scalar",
                "a scalar each",
            )
        return ir.TypedFunction(
            self.function.__name__,
            "",
            parameters,
            returns,
            (),
            self.function,
            self.file,
            self.first,
            ast.get_docstring(self.tree) or "",
            intrinsic=True,
        )

    def parameter(self, argument):
        if argument.arg not in self.function.__annotations__:
            self.fail(argument, f"parameter {argument.arg} has no type", f"`{argument.arg}: u64`")
        self.free(argument, argument.arg)
        type_ = annotation_type(self.function.__annotations__[argument.arg])
        if is_scalar(type_):
            self.scalars[argument.arg] = type_
        elif isinstance(type_, (ArrayType, RecordMeta)):
            self.places[argument.arg] = ir.Root(argument.arg, type_)
        else:
            self.fail(
                argument, f"{type_!r} is not a type of the language", "u8 .. u64, bool, an Enum, Flags, Index or Record"
            )
        return ir.Parameter(argument.arg, type_)

    # ---- what the function requires and ensures

    def contract(self, parameters):
        """The clauses of the function by their kind, in order."""
        clauses: dict[Any, tuple] = {requires: (), ensures: ()}
        for node in self.tree.decorator_list:
            for kind in self.kinds(node):
                clauses[kind] += (self.clause(self.arguments(node, 1)[0], kind, parameters),)
        if any(clauses.values()) and getattr(self.python, "__opaque__", False):
            self.fail(
                self.tree,
                f"{self.tree.name} is opaque: no proof sees what it requires or ensures",
                "a contract of its callers",
            )
        return clauses

    def kinds(self, decorator):
        """The kinds of clause that a decorator adds to the contract."""
        marker = self.resolve(decorator.func) if isinstance(decorator, ast.Call) else None
        return MEANING.get(marker, ()) if inspect.isfunction(marker) else ()

    def clause(self, node, kind, parameters):
        """Translate one clause: a condition over the names that its lambda or predicate takes."""
        before = self.scalars, self.places
        known = dict(self.known(node, kind, parameters))
        predicate = node if isinstance(node, ast.Lambda) else self.applied(node)
        names = [argument.arg for argument in predicate.args.args]
        if len(names) != len([each for each in ast.walk(predicate.args) if isinstance(each, (ast.arg, ast.expr))]):
            self.fail(node, "a clause has parameters by their names alone", "`lambda name: ...`")
        for name in names:
            if name not in known:
                self.fail(node, f"{name} is nothing that {kind.__name__} may speak of", f"one of: {', '.join(known)}")
        self.scalars = {name: known[name] for name in names if is_scalar(known[name])}
        self.places = {name: ir.Root(name, known[name]) for name in names if not is_scalar(known[name])}
        condition = self.condition(predicate.body)
        self.scalars, self.places = before
        return ir.Clause(condition, text(node), self.line(node))

    def known(self, node, kind, parameters):
        """Yield `(name, type)` of everything that a clause of this kind may name."""
        for parameter in parameters:
            if kind is ensures and (parameter.name == RESULT or parameter.name.startswith(OLD)):
                self.fail(
                    node,
                    f"{parameter.name} means something else in what a function ensures",
                    "another name of the parameter",
                )
        yield from ((parameter.name, parameter.type) for parameter in parameters)
        if kind is ensures:
            yield from ((OLD + each.name, each.type) for each in parameters if not is_scalar(each.type))
            yield from [(RESULT, self.returns)] if self.returns is not None else []

    def applied(self, node) -> Any:
        """Return a lambda that calls a named predicate, with the predicate's own parameter names."""
        predicate = self.resolve(node)
        if not inspect.isfunction(predicate):
            self.fail(node, f"`{ast.unparse(node)}` is not a predicate", "a lambda, or a function of the language")
        names = list(inspect.signature(predicate).parameters)
        made = ast.parse(f"lambda {', '.join(names)}: {ast.unparse(node)}({', '.join(names)})", mode="eval").body
        for part in ast.walk(made):
            ast.copy_location(part, node)
        return made

    # ---- statements

    def block(self, nodes):
        out = []
        for node in nodes:
            out.extend(self.statement(node))
        return tuple(out)

    def scope(self, nodes):
        """Translate a block. Its names for places end with it."""
        before = dict(self.places)
        statements = self.block(nodes)
        self.places = before
        return statements

    def statement(self, node):
        method = getattr(self, f"on_{type(node).__name__}", None)
        if method is None:
            self.fail(node, f"{type(node).__name__} is not in the language", UNSUPPORTED.get(type(node), STATEMENTS))
        return method(node)

    def about(self, node):
        return {"line": self.line(node), "comments": self.comments.pop(node.lineno, ())}

    def on_Pass(self, node):
        return []

    def on_Return(self, node):
        if (node.value is None) != (self.returns is None):
            self.fail(node, "the value does not agree with the declared return type", "the type in the signature")
        if node.value is None:
            return [ir.Return(None, **self.about(node))]
        value = self.rvalue(node.value, self.returns)
        return [ir.Return(value, **self.about(node))]

    def on_Expr(self, node):
        if not isinstance(node.value, ast.Call):
            self.fail(node, "an expression that is not used", "an assignment, or nothing")
        about = self.about(node)
        if self.resolve(node.value.func) is clear:
            place = self.place(self.arguments(node.value, 1)[0])
            if is_scalar(place.type):
                self.fail(
                    node,
                    f"`{ast.unparse(node.value.args[0])}` is a {place.type.name}, not a record or array",
                    "an assignment",
                )
            if holds_slice(place.type):
                self.fail(
                    node,
                    f"a {place.type.name} is not cleared as a whole: the host made room for its slices",
                    "a loop over its elements",
                )
            self.touch(place, node)
            return [ir.Clear(place, **about)]
        if self.resolve(node.value.func) in (move, fill):
            return [self.bytes(node, about)]
        if self.said(node)[0] is not None:
            self.fail(node, f"`{ast.unparse(node)}` is about no loop", "it, first in the body of a `while`")
        call = self.call(node.value, effects=True)
        if call.type is not None or not isinstance(call, ir.Call):
            self.fail(
                node, f"the result of `{ast.unparse(node.value.func)}` is thrown away", "`status = ...` and use it"
            )
        return [ir.Do(call, **about)]

    def bytes(self, node, about):
        """Translate `move` or `fill`: slices of scalars of one type, positions in them, and a count."""
        moves = self.resolve(node.value.func) is move
        parts = self.arguments(node.value, 5 if moves else 4)
        places = [self.place(part) for part in (parts[0], *parts[2:3][:moves])]
        for place in places:
            if (
                not isinstance(place.type, SliceType)
                or not is_scalar(place.type.element)
                or place.type is not places[0].type
            ):
                self.fail(
                    node,
                    f"a {place.type.name} has no elements to move",
                    f"a {places[0].type.name}" if moves else "a slice of scalars",
                )
        self.touch(places[0], node)
        at, count = (self.adapt(self.expression(part), u64, node) for part in (parts[1], parts[-1]))
        if moves:
            return ir.Move(places[0], at, places[1], self.adapt(self.expression(parts[3]), u64, node), count, **about)
        return ir.Fill(
            places[0], at, self.adapt(self.expression(parts[2]), places[0].type.element, node), count, **about
        )

    def on_AnnAssign(self, node):
        type_ = annotation_type(self.static(node.annotation))
        if not isinstance(node.target, ast.Name) or not is_scalar(type_) or node.value is None:
            self.fail(node, "an annotated assignment declares a scalar local", "`name: u32 = 0`")
        return [self.declare(node, node.target.id, type_, self.rvalue(node.value, type_))]

    def declare(self, node, name, type_, value):
        if name in self.places or (name in self.scalars and self.scalars[name] is not type_):
            self.fail(node, f"{name} already means something else", "another name")
        if name in self.frozen:
            self.fail(node, f"{name} counts the rounds of a loop and cannot be assigned", "another name")
        self.unshadowed(node, name)
        declares = name not in self.scalars
        word = self.word_of(node.value) if isinstance(node, ast.Assign) else None
        if declares:
            self.views[name] = word
        elif self.views.get(name) not in (None, word):
            self.fail(node, f"{name} is a {self.views[name].__name__}", f"`{self.views[name].__name__}(...)`")
        self.scalars[name] = type_
        return ir.Assign(ir.Local(name, type_), value, declares=declares, **self.about(node))

    def on_Assign(self, node):
        if len(node.targets) != 1:
            self.fail(node, "one target at a time", "two assignments")
        target = node.targets[0]
        if not isinstance(target, ast.Name):
            return [self.store(node, self.place(target), node.value)]
        if target.id in self.scalars:
            return [
                self.declare(node, target.id, self.scalars[target.id], self.rvalue(node.value, self.scalars[target.id]))
            ]
        made = self.aggregate(node, target.id)
        if made is not None:
            return [made]
        value = self.rvalue(node.value, None)
        if value.type is None:
            self.fail(node, f"the type of {target.id} is open", f"`{target.id}: u32 = ...`")
        return [self.declare(node, target.id, value.type, value)]

    def aggregate(self, node, name):
        """Translate a local record or array, or a name for a place. Return None when the value is a scalar."""
        value = node.value
        if isinstance(value, ast.Call) and self.resolve(value.func) is local:
            type_ = self.static(self.arguments(value, 1)[0])
            if not isinstance(type_, (ArrayType, RecordMeta)):
                self.fail(node, f"{type_!r} is not a record or array", f"`{name}: u32 = 0` for a scalar")
            self.fresh(node, name)
            self.places[name] = ir.Root(name, type_)
            self.aliases[name] = None
            return ir.Declare(name, type_, **self.about(node))
        if isinstance(value, (ast.Attribute, ast.Subscript, ast.Name)):
            place = self.place(value, required=False)
            if place is not None and not is_scalar(place.type):
                self.fresh(node, name)
                self.places[name] = ir.Root(name, place.type)
                self.aliases[name] = root_of(place).name
                return ir.Alias(name, place, **self.about(node))
        return None

    def free(self, node, name):
        """Refuse a name that C cannot have. Remember it, to compare it with the functions that are called."""
        self.named.setdefault(name, node)
        why = why_no_variable(name)
        if why:
            self.fail(node, f"{name} {why}", "another name")

    def unshadowed(self, node, name):
        """Refuse a name that is already a constant of the module.

        Python would read the constant as a local without a value, and C would expand it.
        """
        if isinstance(self.function.__globals__.get(name), (int, tuple)):
            self.fail(node, f"{name} already means a constant of the module", "another name")
        self.free(node, name)

    def fresh(self, node, name):
        self.unshadowed(node, name)
        if name in self.places or name in self.scalars or name in self.aliases:
            self.fail(node, f"{name} is already in use; a name for a place is given once", "another name")

    def store(self, node, place, value):
        if not is_scalar(place.type):
            self.fail(
                node, f"a {place.type.name} cannot be assigned as a whole", "an assignment to each field, or `clear`"
            )
        if ir.is_shared(place):
            self.fail(node, f"{place.name} is for others to set", "a field that is not `Shared`")
        self.touch(place, node)
        stored = self.rvalue(value, place.type)
        if any(isinstance(part, ir.Call) and part.function.mutates for part in ir.walk(stored)) and any(
            isinstance(part, ir.Load) for part in ir.walk(place)
        ):
            self.fail(node, "the call may change the position that is stored to", "`value = call(...)`, then the store")
        return ir.Assign(place, stored, **self.about(node))

    def on_AugAssign(self, node):
        value = ast.BinOp(left=node.target, op=node.op, right=node.value)
        ast.copy_location(value, node)
        for part in ast.walk(node.target):
            if isinstance(part, (ast.Name, ast.Attribute, ast.Subscript)):
                part.ctx = ast.Load()
        assign = ast.Assign(targets=[node.target], value=value)
        return self.on_Assign(ast.copy_location(assign, node))

    def on_If(self, node):
        about = self.about(node)
        condition = self.condition(node.test)
        before = dict(self.scalars)
        then = self.scope(node.body)
        self.scalars = dict(before)
        other = self.scope(node.orelse)
        self.scalars = before
        return [ir.If(condition, then, other, **about)]

    def on_For(self, node):
        call = node.iter
        if not (
            isinstance(call, ast.Call)
            and isinstance(call.func, ast.Name)
            and call.func.id == "range"
            and len(call.args) == 1
            and not call.keywords
            and isinstance(node.target, ast.Name)
            and not node.orelse
        ):
            self.fail(node, "a loop runs over a constant range", "`for i in range(LIMIT)`")
        count = self.expression(call.args[0])
        if not isinstance(count, ir.Literal) or count.type is boolean or not u32.contains(count.value):
            self.fail(node, "the number of rounds is not a constant", "a module constant")
        about = self.about(node)
        before = dict(self.scalars)
        self.fresh(node, node.target.id)
        self.scalars[node.target.id], self.views[node.target.id] = u32, None
        self.frozen.add(node.target.id)
        body = self.scope(node.body)
        self.frozen.discard(node.target.id)
        self.scalars = before
        return [ir.For(node.target.id, count, body, u32, **about)]

    def on_While(self, node):
        about = self.about(node)
        if node.orelse:
            self.fail(node, "a loop has no `else`", "a statement after the loop")
        condition = self.condition(node.test)
        said = [self.said(statement) for statement in node.body]
        about_loop = next((number for number, (marker, _) in enumerate(said) if marker is None), len(said))
        promises = tuple(self.condition(argument) for marker, argument in said[:about_loop] if marker is maintains)
        measures: list[Any] = [argument for marker, argument in said[:about_loop] if marker is decreases]
        if len(measures) != 1:
            self.fail(node, "nothing shows that the loop ends", "`decreases(measure)` as its first statement")
        measure = self.expression(measures[0])
        if not isinstance(measure.type, Scalar) or measure.type is boolean:
            self.fail(node, f"`{ast.unparse(measures[0])}` cannot fall for ever", "an unsigned integer")
        before = dict(self.scalars)
        body = self.scope(node.body[about_loop:])
        self.scalars = before
        return [ir.While(condition, promises, measure, body, **about)]

    def said(self, node):
        """Return `(decreases or maintains, its argument)` for a statement about a loop, else `(None, None)`."""
        call = node.value if isinstance(node, ast.Expr) else None
        marker = self.resolve(call.func) if isinstance(call, ast.Call) else None
        return (marker, self.arguments(call, 1)[0]) if marker in (decreases, maintains) else (None, None)


def _comments(source):
    """Line of a statement -> the comment lines directly above it."""
    if "#" not in source:  # as in most functions: it takes as long to look for comments as to read the rest
        return {}
    found, pending = {}, []
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT and not token.line[: token.start[1]].strip():
            pending.append(token.string.lstrip("# "))
        elif token.type not in (tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.COMMENT):
            if pending:
                found[token.start[0]] = tuple(pending)
            pending = []
    return found


def _always_returns(statements):
    if not statements:
        return False
    last = statements[-1]
    if isinstance(last, ir.If):
        return _always_returns(last.then) and _always_returns(last.other)
    return isinstance(last, ir.Return)
