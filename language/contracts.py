"""What does a function ask of its callers, and what may they rely on? Decorators, which Python checks at every call.

A clause is a lambda, or a named function of the language, over parameters of the function, by their names. One that
`ensures` something may also name `result`, and as `old_NAME` what a parameter held before the call. Proofs oblige callers
to what is required, and use what is ensured in place of the body.
"""

import ast
import copy
import inspect
import textwrap
from functools import wraps

RESULT, OLD = "result", "old_"


class ContractError(ValueError):
    """A function was called as it must not be, or did not do what it says."""


def requires(clause):
    """Callers see to it that `clause` holds."""
    return lambda function: with_clauses(function, (requires, clause))


def ensures(clause):
    """`clause` holds when the function returns."""
    return lambda function: with_clauses(function, (ensures, clause))


def preserves(clause):
    """`clause` is required, and ensured."""
    return lambda function: with_clauses(function, (requires, clause), (ensures, clause))


MEANING = {requires: (requires,), ensures: (ensures,), preserves: (requires, ensures)}
"""What each decorator adds to a contract."""


def with_clauses(function, *clauses):
    """The function, checked at every call, with clauses before those that it has."""
    bare = plain(function)

    @wraps(bare)
    def checked(*arguments):
        values = dict(zip(inspect.signature(bare).parameters, arguments))
        hold(checked, requires, values)
        before = {OLD + name: copy.deepcopy(values[name]) for name in olds(checked)}
        result = bare(*arguments)
        hold(checked, ensures, {**values, **before, RESULT: result})
        return result

    checked.__contract__ = (*clauses, *getattr(function, "__contract__", ()))
    return checked


def plain(function):
    """A function without the checks of its contract."""
    return function.__wrapped__ if hasattr(function, "__contract__") else function


def hold(function, kind, values):
    """Every clause of a kind holds; raises `ContractError`."""
    for position, (other, clause) in enumerate(function.__contract__):
        if other is kind and not clause(**{name: values[name] for name in inspect.signature(clause).parameters}):
            found = ", ".join(f"{name}={value!r}" for name, value in values.items())
            said = f"{function.__name__} {kind.__name__} {texts(function)[position]}"
            raise ContractError(f"{said}, which does not hold of {found}")


def olds(function):
    """The parameters of which some clause names what they held before."""
    names = {name for _, clause in function.__contract__ for name in inspect.signature(clause).parameters}
    return [name for name in inspect.signature(plain(function)).parameters if OLD + name in names]


def texts(function):
    """The text of every clause of a function, in their order."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(plain(function)))).body[0]
    seen = plain(function).__globals__
    calls = [node for node in tree.decorator_list if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)]
    return [text(node.args[0]) for node in calls for _ in MEANING.get(seen.get(node.func.id), ())]


def text(node):
    """The text of a clause: what its lambda says, or the name of its predicate."""
    return ast.unparse(node.body if isinstance(node, ast.Lambda) else node)
