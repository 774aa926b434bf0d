"""Who wants to know which definitions are read? A reader says so here as it reads, and whoever records hears it.

What is remembered of a computation is what it read, too: who uses the result again has read the same. What a module reads
while it is imported is read by all who import it. Nobody else is told anything: without a recorder, reading costs nothing.
"""

import os
import sys
from contextlib import contextmanager
from contextvars import ContextVar
from functools import update_wrapper, wraps

_heard = ContextVar("heard", default=None)
_guessing = ContextVar("guessing", default=False)
IMPORTED = {}
"""Module -> what it read while it was imported."""


def note(kind, what):
    """Something is read: a definition that is named by its kind and itself."""
    told((kind, what), {(kind, what)})


def told(key, read):
    """Some definitions are read; `key` stands for all of them, for whoever has heard it before."""
    if _guessing.get():
        return
    heard = _heard.get()
    if heard is not None and heard.knows(key):
        return
    for module in being_imported():
        IMPORTED.setdefault(module, set()).update(read)
    if heard is not None:
        heard.hear(key, read)


class Heard(set):
    """What a recorder heard, as `(kind, what)`. To hear the same again costs nothing, unless a module came in between: it may be its first time."""

    def __init__(self):
        super().__init__()
        self.keys, self.modules = set(), 0

    def knows(self, key):
        """Was it heard with just the modules that there are?"""
        return key in self.keys and self.modules == len(sys.modules)

    def hear(self, key, read):
        """Add what is read."""
        if self.modules != len(sys.modules):
            self.keys, self.modules = set(), len(sys.modules)
        self.keys.add(key)
        self.update(read)


def being_imported():
    """The modules whose body runs further up: none, nearly always."""
    frame, found = sys._getframe(1), []
    while frame is not None:
        if frame.f_code.co_name == "<module>":
            found.append(frame.f_globals["__name__"])
        frame = frame.f_back
    return found


@contextmanager
def recording():
    """The set of all that is read in the meantime, as `(kind, what)`."""
    found = Heard()
    token = _heard.set(found)
    try:
        yield found
    finally:
        _heard.reset(token)


@contextmanager
def guessing():
    """What is read in the meantime only tells what to try next: no answer rests on it."""
    token = _guessing.set(True)
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
        """The value of a key, computed if it is new; either way all that was read for it is read."""
        if key not in self:
            token = _guessing.set(False)
            try:
                with recording() as read:
                    value = compute()
                self[key] = value, frozenset(read)
            finally:
                _guessing.reset(token)
        value, read = self[key]
        told(read, read)
        return value


class remembered_property:      # noqa: N801, it is used as a decorator
    """An attribute that is computed once for an object; each use reads what the first one read."""

    def __init__(self, function):
        self.function = function
        update_wrapper(self, function)

    def __set_name__(self, owner, name):
        self.slot = f"_{name}"

    def __get__(self, instance, owner=None):
        if instance is None:
            return self
        if self.slot not in instance.__dict__:
            instance.__dict__[self.slot] = remembered(lambda: self.function(instance))
        return instance.__dict__[self.slot]()


class Registry(dict):
    """Definitions by name. Who asks which there are reads the registry; what one says is read as it is used."""

    def __iter__(self):
        note("registry", self)
        return super().__iter__()

    def keys(self):
        """The names."""
        note("registry", self)
        return super().keys()

    def values(self):
        """The definitions."""
        note("registry", self)
        return super().values()

    def items(self):
        """Names and definitions."""
        note("registry", self)
        return super().items()

    __hash__ = object.__hash__
