"""Who wants to know which definitions are read? A reader says so here as it reads, and whoever records hears it.

What is remembered of a computation is what it read, too: who uses the result again has read the same. What a module reads
while it is imported is part of it. Nobody else is told anything: without a recorder, reading costs nothing.
"""

import os
import sys
import time
from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps

_heard = ContextVar("heard", default=None)
_guessing = ContextVar("guessing", default=False)
BEGAN = time.time()
"""When this process, or the one that it was forked from, began to import the specification."""
IMPORTED = {}
"""Module -> what it read while it was imported."""


def note(kind, what):
    """Something is read: a definition that is named by its kind and itself."""
    told((kind, what), {(kind, what)})


def told(key, read):
    """Some definitions are read; `key` stands for all of them, for whoever has heard it before."""
    heard = None if _guessing.get() else _heard.get()
    if heard is not None and heard.knows(key):
        return
    IMPORTED.setdefault(being_imported(), set()).update(read)      # also while somebody guesses: the module is there to stay
    if heard is not None:
        heard.hear(key, read)


class Heard(set):
    """What a recorder heard, as `(kind, what)`. To hear the same again costs nothing, unless a module came in between: it may be its first time."""

    def __init__(self):
        super().__init__()
        self.keys, self.modules = set(), None

    def knows(self, key):
        """Was it heard with just the modules that there are?"""
        return key in self.keys and self.modules == newest()

    def hear(self, key, read):
        """Add what is read."""
        if self.modules != newest():
            self.keys, self.modules = set(), newest()
        self.keys.add(key)
        self.update(read)


def newest():
    """How many modules there are, and the last of them: one that could not be imported makes room for another."""
    return len(sys.modules), next(reversed(sys.modules.values()))


def being_imported():
    """The module whose body runs: the innermost, for what it imports stands in its text. None only where no module began."""
    frame = sys._getframe(1)
    while frame is not None and frame.f_code.co_name != "<module>":
        frame = frame.f_back
    return frame and frame.f_globals["__name__"]


@contextmanager
def recording():
    """The set of all that is read in the meantime, as `(kind, what)`. Whoever records around it hears all of that in the end."""
    found = Heard()
    token = _heard.set(found)
    try:
        yield found
    finally:
        _heard.reset(token)
        told(frozenset(found), found)


@contextmanager
def guessing(really=True):
    """What is read in the meantime only tells what to try next: no answer rests on it."""
    token = _guessing.set(really)
    try:
        yield
    finally:
        _guessing.reset(token)


def option(name):
    """What the environment says of an option."""
    note("option", name)
    return os.environ.get(name, "")


def remembered(function):
    """Compute a function once for the same arguments; each use reads what the first one read."""
    kept = Kept()

    @wraps(function)
    def call(*arguments):
        return kept.get(arguments, lambda: function(*arguments))

    call.cache_clear = kept.clear
    return call


class Kept(dict):
    """Values by their keys, each with what was read as it was computed."""

    def get(self, key, compute):
        """The value of a key, computed if it is new; either way all that was read for it is read, also if there is none."""
        if key in self:
            value, read = self[key]
            told(read, read)
            return value
        with recording() as read, guessing(False):
            value = compute()
        self[key] = value, frozenset(read)
        return value


def remembered_property(function):
    """An attribute that is computed once for an object; each use reads what the first one read."""
    slot = f"_{function.__name__}"

    @wraps(function)
    def get(instance):
        if slot not in instance.__dict__:
            instance.__dict__[slot] = remembered(lambda: function(instance))
        return instance.__dict__[slot]()

    return property(get)


def telling(name):
    """A method of a dictionary that looks at which keys there are, and says so."""
    method = getattr(dict, name)

    @wraps(method)
    def looked(self):
        note("registry", self)
        return method(self)

    return looked


def asking(name):
    """A method of a dictionary that looks for one key, and says so."""
    method = getattr(dict, name)

    @wraps(method)
    def looked(self, key, *default):
        note("promise", key)
        return method(self, key, *default)

    return looked


class Registry(dict):
    """Promises by their ids. Who asks which there are reads the registry, who asks for one reads that one, found or not."""

    __iter__, __reversed__, __len__, keys, values, items = map(telling, ("__iter__", "__reversed__", "__len__", "keys", "values", "items"))
    __contains__, __getitem__, get = map(asking, ("__contains__", "__getitem__", "get"))
    __eq__, __hash__ = object.__eq__, object.__hash__
