"""How do registers and witness records hold the arguments of a call?

The functions of this module are generated from the rows of `spec/kernel/hypercalls.py`.
"""

from corollary.language.types import WORDS, boolean, is_enum, u64
from corollary.spec.kernel.hypercalls import OPERATIONS
from corollary.spec.kernel.limits import REGISTERS
from corollary.spec.kernel.operation import define
from corollary.spec.kernel.state import Call
from corollary.spec.kernel.vocabulary import Status


def pack_source(field):
    """Return the source of `packed_object` or `packed_payload`.

    The function packs the arguments of a call, each within its range, as a record keeps them.
    """
    lines = [
        f"def packed_{field}(call: Call) -> u64:",
        f'    """The part of the arguments that the record of a call that succeeds keeps as its {field}."""',
    ]
    for declared in OPERATIONS:
        parts = [
            f"((call.argument[{position + 1}] & {(1 << type_.bits) - 1}) << {low})"
            for position, (_, type_, where, low) in enumerate(declared.places)
            if where == field
        ]
        if parts:
            lines += [f"    if call.operation == {declared.constant}:", f"        return {' | '.join(parts)}"]
    return "\n".join([*lines, "    return 0", ""])


def told_source():
    """Return the source of `arguments_told`: do these two words give back every argument of a call that succeeded?"""
    lines = [
        "def arguments_told(call: Call, object: u64, payload: u64) -> bool:",
        '    """Do the words of its record give back the arguments of a call that succeeded, each bit of them?"""',
    ]
    for declared in OPERATIONS:
        parts = [
            f"({where} >> {low}) & {(1 << type_.bits) - 1} == call.argument[{position + 1}]"
            for position, (_, type_, where, low) in enumerate(declared.places)
        ]
        if parts:
            lines += [f"    if call.operation == {declared.constant}:", f"        return {' and '.join(parts)}"]
    return "\n".join([*lines, "    return True", ""])


def range_source():
    """Return the source of `arguments_fit`: is every argument of a call in the range of its type?"""
    lines = [
        "def arguments_fit(call: Call) -> bool:",
        '    """Is every argument of the call in the range of its type?"""',
    ]
    for declared in OPERATIONS:
        beyond = [range_check(position + 1, type_) for position, (_, type_) in enumerate(declared.parameters)]
        if any(beyond):
            told = " or ".join(filter(None, beyond))
            lines += [f"    if call.operation == {declared.constant}:", f"        return not ({told})"]
    return "\n".join([*lines, "    return True", ""])


def range_check(position, type_):
    """Return the source of a check: is a register beyond the range of a type? Empty if no word is beyond it."""
    register = f"call.argument[{position}]"
    if type_.bits == 64:
        return ""
    bound = type_.bound if type_ in (boolean, *WORDS.values()) else f"{type_.name}.bound"
    return f"{register} >= {bound}"


def derived(source):
    """Define a function of this module, generated from the rows; its source names types and operation numbers."""
    numbers = {declared.constant: declared.number for declared in OPERATIONS}
    types = {type_.name: type_ for declared in OPERATIONS for _, type_ in declared.parameters}
    return define(source, {"__name__": __name__, "Call": Call, "u64": u64, **types, **numbers})


packed_object = derived(pack_source("object"))
packed_payload = derived(pack_source("payload"))
arguments_told = derived(told_source())
arguments_fit = derived(range_source())


def recorded(declared, record):
    """Return the arguments that a record holds, in order.

    The record of a call that succeeded holds all of them. Any other record holds the two words that it keeps whole.
    """
    if record.status != Status.OK:
        return [record.object, record.payload][: len(declared.parameters)]
    return [(getattr(record, field) >> low) & ((1 << type_.bits) - 1) for _, type_, field, low in declared.places]


def unpack(declared, record):
    """Return registers x1 .. x6 of the call that a witness record describes; zero where the record lacks them."""
    words = [record.object, record.payload] if record.status != Status.OK else recorded(declared, record)
    return [record.capability, *words, *[0] * (REGISTERS - 1 - len(words))]


def named_arguments(declared, record):
    """Return the arguments that a record holds, by name and with enumerators spelled out, for people to read."""
    out = {}
    for (name, type_), value in zip(declared.parameters, recorded(declared, record)):
        out[name] = type_(value).name if is_enum(type_) and type_.contains(value) else value
    return out
