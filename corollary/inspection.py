"""What is in a WebAssembly module? Its imports, exports and limits, and each function as the machine runs it."""

from corollary import Module
from corollary.disassembly import disassemble
from corollary.model.wasm.emission import SAFE_POINT
from corollary.spec.wasm.module import External
from corollary.spec.wasm.values import ValueType


def describe(binary, code=True):
    """Yield the lines of a description of the module; with `code`, of its functions too. Raises `Refused`."""
    module = Module(binary)
    yield f"module: {len(binary)} bytes, SHA-256 {module.digest.hex()}"
    for from_, name, kind, index in module.imports:
        yield f"import {from_}.{name}: {external(module, kind, index)}"
    for name, (kind, index) in module.exports.items():
        yield f"export {name}: {external(module, kind, index)}"
    for kind in (External.MEMORY, External.TABLE, External.GLOBAL):
        for index in range(count(module, kind)):
            yield external(module, kind, index)
    if code:
        for index, entry in enumerate(module.entries):
            if entry:
                yield from function(module, index)


def count(module, kind):
    """Return how many externals of a kind the module has, imported ones included."""
    return getattr(
        module.value.counts, {External.MEMORY: "memories", External.TABLE: "tables", External.GLOBAL: "globals"}[kind]
    )


def external(module, kind, index):
    """Return one line that describes an external."""
    if kind is External.FUNCTION:
        type_ = module.type_of(module.room["functions"][index].type)
        return f"func {index} ({names(type_.parameters)}) -> ({names(type_.results)})"
    if kind is External.MEMORY:
        return f"memory {index}, pages {limits(module.room['memories'][index])}"
    if kind is External.TABLE:
        table = module.room["tables"][index]
        return f"table {index} of {names([ValueType(table.element)])}, elements {limits(table.limits)}"
    held = module.room["globals"][index]
    return f"global {index}, {'mutable ' if held.mutable else ''}{names([ValueType(held.type)])}"


def names(types):
    """Return value types as text."""
    return " ".join(type_.name.lower() for type_ in types)


def limits(held):
    """Return a minimum and a maximum size as text."""
    return f"{held.minimum} .. {held.maximum}" if held.bounded else f"{held.minimum} .."


def function(module, index):
    """Yield the lines for a function: its frame, then its operations. `*` marks where it can be suspended."""
    entry, code, marks = module.entries[index], module.translation["code"], module.translation["marks"]
    about = code[entry - 1]
    yield (
        f"\nfunc {index} {module.names.get(index, '')}: {about & 0xFFFF_FFFF} slots, "
        f"{about >> 32 & 0xFFFF} parameters, {about >> 48} locals"
    )
    for at, text in disassemble(code, entry, module.end_of(index)):
        yield f"{'*' if marks[at] & SAFE_POINT else ' '}{at:7}  {text}"
