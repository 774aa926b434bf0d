"""Which definitions does a computation read?

Whatever reads a definition notes it here, and a recorder collects the notes. A remembered result keeps the notes of its
computation, and whoever uses the result again gets them again. What a module reads while it is imported is part of that
module. Without a recorder nothing is collected, and reading costs nothing.
"""

import os
import re
import sys
import time
from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps
from itertools import takewhile
from typing import Any

_heard: ContextVar[Any] = ContextVar("heard", default=None)
_guessing: ContextVar[Any] = ContextVar("guessing", default=None)
BEGAN = time.time()
"""When this process, or the process it was forked from, began to import the specification."""
IMPORTED = {}
"""Module -> what it read while it was imported."""


def note(kind, what):
    """Note that a definition is read. `kind` and `what` identify it."""
    told((kind, what), {(kind, what)})


def told(key, read):
    """Note that some definitions are read. `key` stands for all of them, for a recorder that has heard it before.

    What a module reads while it is imported concerns no recorder that began before: whether a computation is the first
    to import a module depends on what ran before it.
    """
    guess = _guessing.get()
    heard = _heard.get() if guess is None else guess
    if heard is not None and heard.knows(key):
        return
    module = being_imported()
    IMPORTED.setdefault(module, set()).update(read)  # also while guessing: the module stays
    if heard is not None and heard.module == module:
        heard.hear(key, read)


class Heard(set):
    """The definitions that a recorder heard, as `(kind, what)`.

    Hearing the same again costs nothing, unless a module was imported in between: that module may read it for the first
    time.
    """

    def __init__(self):
        super().__init__()
        self.keys, self.modules, self.module = set(), None, being_imported()

    def knows(self, key):
        """Was the key heard while the same modules were loaded as now?"""
        return key in self.keys and self.modules == newest()

    def hear(self, key, read):
        """Add the definitions that are read."""
        if self.modules != newest():
            self.keys, self.modules = set(), newest()
        self.keys.add(key)
        self.update(read)


def newest():
    """The number of loaded modules, and the last of them.

    The number is not enough: a module that fails to import makes room for another.
    """
    return len(sys.modules), next(reversed(sys.modules.values()))


def being_imported():
    """The name of the innermost module whose body runs, or None if no module's body runs.

    The innermost is enough: the text of an outer module says what it imports.
    """
    frame = sys._getframe(1)
    while frame is not None and frame.f_code.co_name != "<module>":
        frame = frame.f_back
    return frame and frame.f_globals["__name__"]


@contextmanager
def recording():
    """Yield the set of all definitions that are read in the meantime, as `(kind, what)`.

    An outer recorder hears all of them in the end.
    """
    found = Heard()
    token = _heard.set(found)
    try:
        yield found
    finally:
        _heard.reset(token)
        told(frozenset(found), found)


@contextmanager
def guessing(really=True):
    """Do not record what is read in the meantime.

    It only helps to choose what to try next. No answer depends on it.
    """
    token = _guessing.set(Heard() if really else None)
    try:
        yield
    finally:
        _guessing.reset(token)


def option(name):
    """Return the value of an option in the environment, or an empty string."""
    note("option", name)
    return os.environ.get(name, "")


def remembered(function) -> Any:
    """Compute a function once for the same arguments. Each use reads what the first one read."""
    kept = Memo()

    @wraps(function)
    def call(*arguments):
        return kept.get(arguments, lambda: function(*arguments))

    vars(call)["cache_clear"] = kept.clear
    return call


class Memo(dict):
    """Values by their keys, each with what was read to compute it."""

    def get(self, key, compute):
        """Return the value of a key, computed if it is new.

        Either way, note all that was read for it, even if the computation fails.
        """
        if key in self:
            value, read = self[key]
            told(read, read)
            return value
        with recording() as read, guessing(False):
            value = compute()
        self[key] = value, frozenset(read)
        return value


def remembered_property(function):
    """An attribute that is computed once for each object. Each use reads what the first one read."""
    slot = f"_{function.__name__}"

    @wraps(function)
    def get(instance):
        if slot not in instance.__dict__:
            instance.__dict__[slot] = remembered(lambda: function(instance))
        return instance.__dict__[slot]()

    return property(get)


def telling(name):
    """Return a dictionary method that looks at which keys exist, and notes that."""
    method = getattr(dict, name)

    @wraps(method)
    def looked(self):
        note("registry", self)
        return method(self)

    return looked


def asking(name):
    """Return a dictionary method that looks for one key, and notes that."""
    method = getattr(dict, name)

    @wraps(method)
    def looked(self, key, *default):
        note("promise", f"{self.component}/{key}")
        return method(self, key, *default)

    return looked


def by_number(id_):
    """Return what an id is ordered by: INV-2 comes before INV-10."""
    return [int(part) if part.isdecimal() else part for part in re.split(r"(\d+)", id_)]


class Registry(dict):
    """Promises of a component by their ids, and in the order of their ids, whatever module was imported first.

    Asking which promises exist reads the registry. Asking for one reads that one, whether it is found or not.
    """

    def __init__(self, component, **known):
        super().__init__(known)
        self.component = component

    def __setitem__(self, id_, promise):
        """Keep a promise, and put those that come after it behind it again."""
        behind = [*takewhile(lambda other: by_number(other) > by_number(id_), dict.__reversed__(self))]
        super().__setitem__(id_, promise)
        for later in reversed(behind):
            super().__setitem__(later, self.pop(later))

    __iter__, __reversed__, __len__, keys, values, items = map(
        telling, ("__iter__", "__reversed__", "__len__", "keys", "values", "items")
    )
    __contains__, __getitem__, get = map(asking, ("__contains__", "__getitem__", "get"))
    __eq__, __hash__ = object.__eq__, object.__hash__  # pyright: ignore[reportAssignmentType] - each is one of a kind
