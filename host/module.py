"""What is a module to the host? Bytes that were found to be one, and the operations that they became."""

import ctypes
import hashlib
from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property

from host.library import MODULE, TRANSLATION, VALIDATION, Room, library
from host.names import function_names
from spec.wasm.module import DEPTH, LOCALS, NONE, OPERANDS, External
from spec.wasm.refusals import INVALID, LIMIT, Refusal
from spec.wasm.values import ValueType

WORDS = 16              # of code for each byte of a module, at most; a module that needs more is refused
MARGIN = 4096


class Refused(Exception):
    """A module is refused: why, and at which byte."""

    def __init__(self, refusal, offset):
        self.refusal, self.offset = refusal, offset
        self.message = Refusal.notes[refusal.name]
        super().__init__(f"{self.message}, at byte {offset:#x}")


class Malformed(Refused):
    """The bytes are no module."""


class Invalid(Refused):
    """The bytes are a module that must not run."""


class TooLarge(Refused):
    """The module is beyond a limit of this implementation."""


@dataclass(frozen=True)
class FunctionType:
    """The value types of parameters and results."""

    parameters: tuple
    results: tuple


class Module:
    """A module, decoded, validated and translated. Raises `Malformed`, `Invalid` or `TooLarge`."""

    def __init__(self, binary):
        self.binary = bytes(binary)
        self.room = Room(MODULE)
        self.value = self.room.value
        source = ctypes.create_string_buffer(self.binary, max(len(self.binary), 1))
        self.room.put("bytes", source, len(self.binary))
        library().decoder_survey(self.room.address)
        self.check()
        counts = self.value.counts
        imports = counts.imports
        self.room.make(types=counts.types, imports=imports, functions=imports + counts.functions, entries=imports + counts.functions, tables=imports + counts.tables,
                       memories=imports + counts.memories, globals=imports + counts.globals, exports=counts.exports, elements=counts.elements,
                       items=counts.items, data=counts.data, nodes=1 + 2 * counts.text)
        library().decoder_decode(self.room.address)
        self.check()
        library().validator_validate(self.room.address, validation().address)
        self.room.make(nodes=0)
        self.check()
        self.translation = Room(TRANSLATION)
        for name, count in (("code", WORDS * len(self.binary) + MARGIN), ("marks", WORDS * len(self.binary) + MARGIN)):
            self.translation.reserve(name, count)
        for name in ("operands", "targets"):
            self.translation.put(name, workspace()[name], len(workspace()[name]))
        library().translator_translate(self.room.address, self.translation.address)
        self.check()

    def check(self):
        """Raise what is wrong, if anything."""
        refusal = Refusal(self.value.refusal)
        if refusal is not Refusal.NONE:
            raise (TooLarge if refusal >= LIMIT else Invalid if refusal >= INVALID else Malformed)(refusal, self.value.offset)

    def text(self, name):
        """A name of the module."""
        return self.binary[name.at:name.at + name.size].decode()

    def types(self, types):
        """Some value types."""
        return tuple(ValueType(code) for code in self.binary[types.at:types.at + types.count])

    def type_of(self, number):
        """A function type by its index."""
        return self.function_types[number]

    @cached_property
    def function_types(self):
        """Every function type."""
        return [FunctionType(self.types(found.parameters), self.types(found.results)) for found in self.room["types"][:self.value.counts.types]]

    @cached_property
    def imports(self):
        """Module, name, kind and index of everything that is imported."""
        return [(self.text(item.module), self.text(item.name), External(item.kind), item.index)
                for item in self.room["imports"][:self.value.counts.imports]]

    @cached_property
    def exports(self):
        """Name to kind and index of everything that is exported."""
        return {self.text(item.name): (External(item.kind), item.index) for item in self.room["exports"][:self.value.counts.exports]}

    @cached_property
    def names(self):
        """What functions are called, by index: in the custom section, or else where they are exported or imported."""
        imported = {index: f"{module}.{name}" for module, name, kind, index in self.imports if kind is External.FUNCTION}
        exported = {index: name for name, (kind, index) in self.exports.items() if kind is External.FUNCTION}
        return imported | exported | function_names(self.binary)

    @cached_property
    def entries(self):
        """The first operation of each function; 0 of an imported one."""
        return [entry & NONE for entry in self.room["entries"][:self.value.counts.functions]]

    def function_at(self, word):
        """The index of the function that a word of the code belongs to."""
        return bisect_right(self.entries, word) - 1

    def end_of(self, index):
        """The word behind the code of a function."""
        return self.entries[index + 1] - 1 if index + 1 < len(self.entries) else self.translation.value.at

    @cached_property
    def digest(self):
        """The SHA-256 of its bytes."""
        return hashlib.sha256(self.binary).digest()


_made = {}


def validation():
    """The workspace of the validator, used by one module after the other."""
    if "validation" not in _made:
        room = Room(VALIDATION)
        room.make(operands=OPERANDS, labels=DEPTH, locals=LOCALS)
        _made["validation"] = room
    return _made["validation"]


def workspace():
    """The workspace of the translator."""
    if "translation" not in _made:
        room = Room(TRANSLATION)
        room.make(operands=OPERANDS, targets=DEPTH)
        _made["translation"] = room
    return _made["translation"]
