"""Does the C of a component take the same steps as its model? Both run side by side, compared byte by byte."""

import ctypes

from corollary.codegen.build import BUILD, Unable, shared
from corollary.emulation.native import Differs
from corollary.language.component import STATE
from corollary.language.frontend import translate
from corollary.language.layout import encode, leaf_at, size_of
from corollary.language.values import spell


def library(folder, out_dir=BUILD):
    """Compile every C file of a folder to a library for this machine. Return its path."""
    return shared(folder.name, sorted(folder.glob("*.c")), out_dir, folder)


def opened(path):
    """Return a library. Raises `Unable` if what was compiled before is damaged."""
    try:
        return ctypes.CDLL(str(path))
    except OSError as problem:
        raise Unable(f"{path} is damaged: delete it, and run again ({problem})") from None


class Beside:
    """A component in C and its model, after the same beginning. `prefix` is how its names in a library begin."""

    def __init__(self, component, path, prefix=""):
        self.component, self.library, self.prefix = component, opened(path), prefix
        self.model, self.steps = component.state(), []
        self.memory = ctypes.create_string_buffer(size_of(component.state))
        if component.boot:
            self.take(component.boot)

    def take(self, function, *arguments):
        """Take one step on both sides, and compare the whole outcome; return the status.

        Raises `Differs` if C and the model disagree, and whatever the model raises when nothing fits any more.
        """
        translated = translate(function)
        told = ", ".join(f"{each.name}={value}" for each, value in zip(translated.parameters[1:], arguments))
        self.steps.append(f"{function.__name__}({told})")
        status = function(self.model, *arguments)
        entry = getattr(self.library, self.prefix + translated.symbol)
        entry.restype = None if status is None else ctypes.c_uint8
        got = entry(self.memory, *map(ctypes.c_uint64, map(int, arguments)))
        if got != status:
            raise Differs(f"the model returns {status!r}, C {got}")
        self.compare()
        return status

    def compare(self):
        """Raise `Differs` for the first field in which the two states differ."""
        wanted, got = encode(self.model, self.component.state), self.memory.raw
        if got != wanted:
            offset = next(at for at in range(len(got)) if got[at] != wanted[at])
            path = spell((STATE, *leaf_at(self.component.state, offset)))
            raise Differs(f"{path} (byte {offset}) is {wanted[offset]} in the model, {got[offset]} in C")
