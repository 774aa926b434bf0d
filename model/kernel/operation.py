"""Which function of the model carries out a hypercall? `perform` calls it, once the gate has admitted the call."""

from dataclasses import replace

import corollary.spec.kernel.state
import corollary.spec.kernel.vocabulary
from corollary.language import ir
from corollary.language.frontend import translate
from corollary.language.types import LanguageError, annotation_type
from corollary.spec.kernel.arguments import range_check
from corollary.spec.kernel.hypercalls import OPERATIONS
from corollary.spec.kernel.operation import define, named


def operation(function):
    """Declare that `f(s, call, a, b, ...) -> Status` carries out the hypercall of its name.

    Its arguments are those of the row. Raises `LanguageError` when they differ.
    """
    declared = named(function.__name__)
    notes = {name: annotation_type(note) for name, note in function.__annotations__.items() if name != "return"}
    if tuple(notes.items())[2:] != declared.parameters:
        told = ", ".join(f"{name}: {type_.name}" for name, type_ in declared.parameters)
        raise LanguageError(
            f"{function.__name__} takes other arguments than its row in spec/kernel/hypercalls.py",
            instead=f"(s, call{told and ', '}{told})",
        )
    OPERATIONS[declared.number] = replace(declared, function=function)
    return function


def check_guards(declared):
    """Refuse a guard after an effect: once the state may have changed, an operation can only return OK."""
    function = translate(declared.function)
    _check_block(function, function.body, False)


def _check_block(function, statements, changed):
    for node in statements:
        if isinstance(node, ir.If):
            changed = _check_block(function, node.then, changed) | _check_block(function, node.other, changed)
        elif isinstance(node, ir.For):
            changed = _check_block(function, node.body, changed)
        elif isinstance(node, ir.Return):
            if changed and not (isinstance(node.value, ir.Literal) and node.value.value == 0):
                raise LanguageError(
                    f"{function.name} refuses after an effect",
                    function.file,
                    node.line,
                    "guards first, then effects, then `return Status.OK`",
                )
        elif isinstance(node, (ir.Do, ir.Assign, ir.Clear)):
            changed |= _changes_state(node)
    return changed


def _changes_state(node):
    if isinstance(node, ir.Clear):
        return True
    if isinstance(node, ir.Assign) and not isinstance(node.target, ir.Local):
        return True
    calls = [part for part in ir.walk(node) if isinstance(part, ir.Call)]
    return any("s" in call.function.mutates for call in calls)


def perform_source():
    """Return the source of `perform`: decode the arguments of the operation that a call names, then run it."""
    lines = [
        "def perform(s: Kernel, call: Call) -> Status:",
        '    """Run the operation that the call names, once the gate has admitted it."""',
    ]
    for declared in OPERATIONS:
        lines.append(f"    if call.operation == {declared.constant}:")
        guards = [range_check(position + 1, type_) for position, (_, type_) in enumerate(declared.parameters)]
        guards = [guard for guard in guards if guard]
        if guards:
            lines += [f"        if {' or '.join(guards)}:", "            return Status.BAD_ARGUMENT"]
        arguments = "".join(
            f", {_decoded(position + 1, type_)}" for position, (_, type_) in enumerate(declared.parameters)
        )
        lines += [f"        status = {declared.name}(s, call{arguments})", "        return status"]
    return "\n".join([*lines, "    return Status.UNKNOWN_OPERATION", ""])


def _decoded(position, type_):
    register = f"call.argument[{position}]"
    if type_.name == "bool":
        return f"{register} != 0"
    return register if type_.bits == 64 else f"{type_.name}({register})"


def performer(names):
    """Return the function `perform` of a module with these names, with all operations in scope.

    Raises `LanguageError` when an operation has no function.
    """
    for declared in OPERATIONS:
        if declared.function is None:
            raise LanguageError(
                f"no function of model/kernel does what the hypercall {declared.name} is for",
                instead=f"@operation\ndef {declared.name}(s: Kernel, call: Call, ...) -> Status",
            )
        check_guards(declared)
    functions = {declared.name: declared.function for declared in OPERATIONS}
    numbers = {declared.constant: declared.number for declared in OPERATIONS}
    return define(
        perform_source(),
        vars(corollary.spec.kernel.state) | vars(corollary.spec.kernel.vocabulary) | names | functions | numbers,
    )
