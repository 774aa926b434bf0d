"""What does a type checker need to know of Z3, which comes without types? Its names, and how each is called.

    python tools/stubs.py

writes `typings/z3/__init__.pyi` from the package that is installed. Every value is `Any`, because an operator of Z3
returns what its arguments are; what is checked is that a name exists and is given the arguments that it takes.
"""

import enum
import inspect
from pathlib import Path
from typing import Any

import z3

STUB = Path(__file__).resolve().parent.parent / "typings" / "z3" / "__init__.pyi"
HEAD = '"""Written by `tools/stubs.py` from the package itself."""\n\nfrom typing import Any\n'
UNNAMED = inspect.Parameter.empty


def parameter(given: inspect.Parameter) -> str:
    """Return a parameter as a stub has it."""
    stars = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}.get(given.kind, "")
    return f"{stars}{given.name}{'' if given.name == 'self' else ': Any'}{'' if given.default is UNNAMED else ' = ...'}"


def function(name: str, made: Any, indent: str = "") -> str:
    """Return the line of a function or a method."""
    if isinstance(made, staticmethod):
        return f"{indent}@staticmethod\n{function(name, made.__func__, indent)}"
    given = ", ".join(map(parameter, inspect.signature(made).parameters.values()))
    returns = "None" if name == "__init__" else "Any"
    return f"{indent}def {name}({given}) -> {returns}: ...\n"


def class_(made: type) -> str:
    """Return the lines of a class. What an object holds besides its methods is set when it is made."""
    bases = ", ".join(base.__name__ for base in made.__bases__ if base is not object)
    if issubclass(made, enum.Enum):
        return f"class {made.__name__}(Any): ...\n"
    methods = [
        function(name, each, "    ")
        for name, each in vars(made).items()
        if inspect.isfunction(each) or isinstance(each, staticmethod)
    ]
    fields = sorted({name for each in vars(made).values() for name in assigned(each)})
    return f"class {made.__name__}({bases}):\n" + "".join(
        [*(f"    {name}: Any\n" for name in fields), *methods, "    ...\n"]
    )


def assigned(method: object) -> list[str]:
    """Return the attributes that a method sets on its object."""
    if not inspect.isfunction(method):
        return []
    source = inspect.getsource(method)
    names = method.__code__.co_names
    return [name for name in names if f"self.{name} = " in source]


def stub() -> str:
    """Return the stub of the whole package."""
    parts = {}
    for name, made in sorted(vars(z3).items()):
        if inspect.ismodule(made) and made.__name__.startswith("z3."):
            parts[name] = f"{name}: Any\n"
        elif inspect.isclass(made) and made.__module__.startswith("z3."):
            parts[name] = class_(made) if made.__name__ == name else f"{name} = {made.__name__}\n"
        elif inspect.isfunction(made) and made.__module__ == "z3.z3":
            parts[name] = function(name, made)
        elif name.startswith("Z3_") and isinstance(made, int) or type(made).__module__ == "z3.z3":
            parts[name] = f"{name}: Any\n"
    return HEAD + "\n" + "".join(parts.values())


if __name__ == "__main__":
    STUB.parent.mkdir(parents=True, exist_ok=True)
    STUB.write_text(stub())
