"""What does a function require of its callers, and what may they rely on?

The decorators here state a contract. Python checks it at every call.

A clause is a lambda, or a named function of the language. Its parameters are parameters of the function, by name. A
clause of `ensures` may also name `result`, and `old_NAME` for what the parameter NAME held before the call. Proofs
oblige callers to establish the preconditions, and use the postconditions in place of the body.
"""

import ast
import copy
import inspect
import textwrap
from functools import wraps
from typing import Any

RESULT, OLD = "result", "old_"


class ContractError(ValueError):
    """A contract is broken: a precondition or a postcondition of a function does not hold."""


def requires(clause):
    """Make `clause` a precondition, which callers establish."""
    return lambda function: with_clauses(function, (requires, clause))


def ensures(clause):
    """Make `clause` a postcondition, which holds when the function returns."""
    return lambda function: with_clauses(function, (ensures, clause))


def preserves(clause):
    """Make `clause` both a precondition and a postcondition."""
    return lambda function: with_clauses(function, (requires, clause), (ensures, clause))


MEANING = {requires: (requires,), ensures: (ensures,), preserves: (requires, ensures)}
"""The kinds of clause that each decorator adds to a contract."""


def with_clauses(function, *clauses):
    """Return the function, checked at every call, with these clauses in front of its own."""
    bare = plain(function)

    @wraps(bare)
    def checked(*arguments):
        values = dict(zip(inspect.signature(bare).parameters, arguments))
        hold(checked, requires, values)
        before = {OLD + name: copy.deepcopy(values[name]) for name in olds(checked)}
        result = bare(*arguments)
        hold(checked, ensures, {**values, **before, RESULT: result})
        return result

    vars(checked)["__contract__"] = (*clauses, *getattr(function, "__contract__", ()))
    return checked


def plain(function):
    """Return a function without the checks of its contract."""
    return function.__wrapped__ if hasattr(function, "__contract__") else function


def hold(function, kind, values):
    """Check every clause of a kind. Raises `ContractError` when one does not hold."""
    for position, (other, clause) in enumerate(function.__contract__):
        if other is kind and not clause(**{name: values[name] for name in inspect.signature(clause).parameters}):
            found = ", ".join(f"{name}={value!r}" for name, value in values.items())
            said = f"{function.__name__} {kind.__name__} {texts(function)[position]}"
            raise ContractError(f"{said}, which does not hold of {found}")


def olds(function):
    """The parameters whose old values some clause names."""
    names = {name for _, clause in function.__contract__ for name in inspect.signature(clause).parameters}
    return [name for name in inspect.signature(plain(function)).parameters if OLD + name in names]


def texts(function):
    """The text of every clause of a function, in order."""
    tree: Any = ast.parse(textwrap.dedent(inspect.getsource(plain(function)))).body[0]
    seen = plain(function).__globals__
    calls: list[Any] = [
        node for node in tree.decorator_list if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    ]
    return [text(node.args[0]) for node in calls for _ in MEANING.get(seen.get(node.func.id), ())]


def text(node):
    """The text of a clause: the body of its lambda, or the name of its predicate."""
    return ast.unparse(node.body if isinstance(node, ast.Lambda) else node)
