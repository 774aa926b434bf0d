"""What is in a WebAssembly module? Its imports, exports and limits, and each function as the machine runs it."""

from corollary import Module
from corollary.disassembly import disassemble
from corollary.model.wasm.emission import SAFE_POINT
from corollary.spec.wasm.machine import Shape
from corollary.spec.wasm.module import External
from corollary.spec.wasm.values import ValueType


def describe(binary, code=True):
    """Yield the lines of a description of the module; with `code`, of its functions too. Raises `Refused`.

    `*` marks where a function can be suspended.
    """
    found = as_data(binary, code)
    yield f"module: {found['bytes']} bytes, SHA-256 {found['sha256']}"
    for each in found["imports"]:
        yield f"import {each['module']}.{each['name']}: {each['is']}"
    for each in found["exports"]:
        yield f"export {each['name']}: {each['is']}"
    yield from found["has"]
    for each in found["functions"]:
        yield (
            f"\nfunc {each['index']} {each['name']}: {each['slots']} slots, {each['parameters']} parameters, "
            f"{each['locals']} locals"
        )
        for line in each["code"]:
            yield f"{'*' if line['safe_point'] else ' '}{line['at']:7}  {line['text']}"


def as_data(binary, code=True):
    """Return the same as data. Raises `Refused`."""
    module = Module(binary)
    kinds = (External.MEMORY, External.TABLE, External.GLOBAL)
    return {
        "bytes": len(binary),
        "sha256": module.digest.hex(),
        "imports": [
            {"module": from_, "name": name, "is": external(module, kind, index)}
            for from_, name, kind, index in module.imports
        ],
        "exports": [
            {"name": name, "is": external(module, kind, index)} for name, (kind, index) in module.exports.items()
        ],
        "has": [external(module, kind, index) for kind in kinds for index in range(count(module, kind))],
        "functions": [function(module, index) for index, entry in enumerate(module.entries) if entry and code],
    }


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
    """Return a function: its frame, then its operations, with where it can be suspended."""
    entry, code, marks = module.entries[index], module.translation["code"], module.translation["marks"]
    shape = Shape(code[entry - 1])
    return {
        "index": index,
        "name": module.names.get(index, ""),
        "slots": shape.slots,
        "parameters": shape.parameters,
        "locals": shape.locals,
        "code": [
            {"at": at, "safe_point": bool(marks[at] & SAFE_POINT), "text": text}
            for at, text in disassemble(code, entry, module.end_of(index))
        ],
    }
