"""Which hypercalls are there? Each operation is declared once, where it is defined; all else is derived.

The declaration gives the witness kind, proof tier, reversibility, the object and rights that its handle
must have; the signature gives the arguments. From these come the number, the required ring, the decoding
of registers, the packing of arguments into a witness record, the C dispatch, guest stubs and reference.
"""

import linecache
from dataclasses import dataclass

from language.frontend import translate
from language.types import LanguageError, annotation_type, is_enum
from spec.kernel.state import Handle
from spec.kernel.vocabulary import Meter, ObjectKind, Reversibility, Ring, Status, Tier

OPERATIONS = []
REGISTERS = 6


@dataclass(frozen=True)
class Operation:
    """One hypercall and what it demands of its caller."""

    number: int
    name: str
    function: object
    kind: object
    tier: Tier
    reversibility: Reversibility
    admin: bool
    read_only: bool
    on: ObjectKind      # NONE: the operation concerns the caller alone and takes no handle
    any_object: bool    # the handle may name any kind of object
    needs: int          # rights
    resource: bool      # argument 1 names a resource that the ring must permit
    accepts_dead: bool = False  # the capability may be revoked, or name an object that is gone
    meter: Meter = Meter.CALLS  # what a call is paid from
    creators: bool = False      # creators of the partition that is named may ask for it in ring 2, too
    elevation: bool = True      # does a ring that is held for a while admit the caller?
    replaces_root: bool = False     # its proof is of the pending root, and leads to the one that this replaces

    @property
    def parameters(self):
        """Name and type of each argument after the handle, from the signature."""
        notes = dict(self.function.__annotations__)
        notes.pop("return")
        return [(name, annotation_type(note)) for name, note in list(notes.items())[2:]]

    @property
    def required_ring(self):
        """The ring that follows from the declaration."""
        if self.admin:
            return Ring.ROOT
        if self.reversibility == Reversibility.NONE and not self.read_only and not self.creators:
            return Ring.PRIVILEGED
        return Ring.SANDBOX if self.read_only else Ring.STANDARD

    @property
    def handles(self):
        """Which registers hold handles: bit 0 for x1, and so on."""
        others = sum(2 << position for position, (_, type_) in enumerate(self.parameters) if type_ is Handle)
        return int(self.takes_handle) | others

    @property
    def constant(self):
        """The name of its number in generated code."""
        return f"OPERATION_{self.name.upper()}"

    @property
    def takes_handle(self):
        """Does register x1 hold a handle?"""
        return self.any_object or self.on != ObjectKind.NONE


def operation(kind, tier=Tier.P1, reversibility=Reversibility.FULL, admin=False, read_only=False,
              on=ObjectKind.NONE, any_object=False, needs=0, resource=False,
              accepts_dead=False, meter=Meter.CALLS, creators=False, elevation=True, replaces_root=False):
    """Declare `f(s, call, a, b, ...) -> Status` as the next hypercall."""
    def mark(function):
        if not isinstance(reversibility, Reversibility) or not isinstance(tier, Tier):
            raise TypeError(f"{function.__name__}: reversibility and tier are enumerators, never strings or None")
        declared = Operation(len(OPERATIONS), function.__name__, function, kind, tier, reversibility, admin,
                             read_only, on, any_object, needs, resource, accepts_dead, meter, creators, elevation, replaces_root)
        check_arguments(declared)
        OPERATIONS.append(declared)
        return function
    return mark


def next_number():
    """The number that the operation declared next will have."""
    return len(OPERATIONS)


def check_arguments(declared):
    """Refuse a signature that the registers or the witness record cannot carry."""
    room = REGISTERS - 1 - (declared.tier >= Tier.P2)
    if len(declared.parameters) > room:
        raise LanguageError(f"{declared.name} takes more than {room} arguments", instead="fewer or packed arguments")
    places(declared)


def check_guards(declared):
    """Refuse a guard after an effect: once the state may have changed, an operation can only return OK."""
    function = translate(declared.function)
    _check_block(function, function.body, False)


def _check_block(function, statements, changed):
    from language import ir
    for node in statements:
        if isinstance(node, ir.If):
            changed = _check_block(function, node.then, changed) | _check_block(function, node.other, changed)
        elif isinstance(node, ir.For):
            changed = _check_block(function, node.body, changed)
        elif isinstance(node, ir.Return):
            if changed and not (isinstance(node.value, ir.Literal) and node.value.value == 0):
                raise LanguageError(f"{function.name} refuses after an effect", function.file, node.line,
                                    "guards first, then effects, then `return Status.OK`")
        elif isinstance(node, (ir.Do, ir.Assign, ir.Clear)):
            changed |= _changes_state(node)
    return changed


def _changes_state(node):
    from language import ir
    if isinstance(node, ir.Clear):
        return True
    if isinstance(node, ir.Assign) and not isinstance(node.target, ir.Local):
        return True
    calls = [part for part in ir.walk(node) if isinstance(part, ir.Call)]
    return any("s" in call.function.mutates for call in calls)


def places(declared):
    """Where each argument lies in the record: `(name, type, field, low bit)` with field object or payload."""
    found, fields, used = [], ["object", "payload"], 0
    for name, type_ in declared.parameters:
        if used + type_.bits > 64:
            fields, used = fields[1:], 0
        if not fields or type_.bits > 64:
            raise LanguageError(f"the arguments of {declared.name} do not fit a witness record", instead="128 bits in all")
        found.append((name, type_, fields[0], used))
        used += type_.bits
    return found


def column(attribute):
    """One attribute of every operation, in the order of their numbers, as a constant table."""
    return tuple(int(getattr(declared, attribute)) for declared in OPERATIONS)


def define(source, names):
    """The function that a text made from the declarations defines; the text stays where `inspect` finds it."""
    name = source[len("def "):source.index("(")]
    file = f"<{name}>"
    linecache.cache[file] = (len(source), None, source.splitlines(True), file)
    exec(compile(source, file, "exec"), names)      # made above of names and types that an imported module declares
    return names[name]


def perform_source():
    """The text of `perform`: decode the arguments of the operation that a call names, then run it."""
    lines = ["def perform(s: Kernel, call: Call) -> Status:",
             '    """Run the operation that the call names, once the gate has admitted it."""']
    for declared in OPERATIONS:
        lines.append(f"    if call.operation == {declared.constant}:")
        guards = [_range_check(position + 1, type_) for position, (_, type_) in enumerate(declared.parameters)]
        guards = [guard for guard in guards if guard]
        if guards:
            lines += [f"        if {' or '.join(guards)}:", "            return Status.BAD_ARGUMENT"]
        arguments = "".join(f", {_decoded(position + 1, type_)}" for position, (_, type_) in enumerate(declared.parameters))
        lines += [f"        status = {declared.name}(s, call{arguments})", "        return status"]
    return "\n".join([*lines, "    return Status.UNKNOWN_OPERATION", ""])


def pack_source(field):
    """The text of `packed_object` or `packed_payload`: the arguments of a call within their ranges, as a record keeps them."""
    lines = [f"def packed_{field}(call: Call) -> u64:", f'    """The part of the arguments that the record of a call that succeeds keeps as its {field}."""']
    for declared in OPERATIONS:
        parts = [f"((call.argument[{position + 1}] & {(1 << type_.bits) - 1}) << {low})"
                 for position, (_, type_, where, low) in enumerate(places(declared)) if where == field]
        if parts:
            lines += [f"    if call.operation == {declared.constant}:", f"        return {' | '.join(parts)}"]
    return "\n".join([*lines, "    return 0", ""])


def told_source():
    """The text of `arguments_told`: can every argument of a call that succeeded be read back from these two words?"""
    lines = ["def arguments_told(call: Call, object: u64, payload: u64) -> bool:",
             '    """Do the words of its record give back the arguments of a call that succeeded, each bit of them?"""']
    for declared in OPERATIONS:
        parts = [f"({where} >> {low}) & {(1 << type_.bits) - 1} == call.argument[{position + 1}]"
                 for position, (_, type_, where, low) in enumerate(places(declared))]
        if parts:
            lines += [f"    if call.operation == {declared.constant}:", f"        return {' and '.join(parts)}"]
    return "\n".join([*lines, "    return True", ""])


def range_source():
    """The text of `arguments_fit`: is every argument of a call in the range of its type?"""
    lines = ["def arguments_fit(call: Call) -> bool:",
             '    """Is every argument of the call in the range of its type?"""']
    for declared in OPERATIONS:
        beyond = [_range_check(position + 1, type_) for position, (_, type_) in enumerate(declared.parameters)]
        if any(beyond):
            told = " or ".join(filter(None, beyond))
            lines += [f"    if call.operation == {declared.constant}:", f"        return not ({told})"]
    return "\n".join([*lines, "    return True", ""])


def _range_check(position, type_):
    register = f"call.argument[{position}]"
    if type_.bits == 64:
        return ""
    return f"{register} >= {type_.bound}"


def _decoded(position, type_):
    register = f"call.argument[{position}]"
    if type_.name == "bool":
        return f"{register} != 0"
    return register if type_.bits == 64 else f"{type_.name}({register})"


def recorded(declared, record):
    """The arguments that a record holds, in their order: all of a call that succeeded, of another the two words that it keeps whole."""
    if record.status != Status.OK:
        return [record.object, record.payload][:len(declared.parameters)]
    return [(getattr(record, field) >> low) & ((1 << type_.bits) - 1) for _, type_, field, low in places(declared)]


def unpack(declared, record):
    """The registers x1 .. x6 of the call that a witness record tells of; zero where the record does not hold them."""
    words = [record.object, record.payload] if record.status != Status.OK else recorded(declared, record)
    return [record.capability, *words, *[0] * (REGISTERS - 1 - len(words))]


def named_arguments(declared, record):
    """The arguments that a record holds by name, enumerators spelled out, for people."""
    out = {}
    for (name, type_), value in zip(declared.parameters, recorded(declared, record)):
        out[name] = type_(value).name if is_enum(type_) and type_.contains(value) else value
    return out
