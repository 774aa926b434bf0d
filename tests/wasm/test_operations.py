"""Is there a module for every operation?

An operation that the translator never makes would be proved and shipped for nothing.
"""

from itertools import product

from wasmtime import wat2wasm

from corollary import Module
from corollary.spec.wasm.bytecodes import Form
from corollary.spec.wasm.internal import OPERATIONS, STEPS
from corollary.spec.wasm.opcodes import INSTRUCTIONS
from tests.wasm.choices import Choices
from tests.wasm.differential import operations, own_case

SEEDS = range(200)  # of random modules, which contain all operations of our own
OUTSIDE = {"exit"}  # except the one that a call from outside returns to
TYPES = ("i32", "i64", "f32", "f64")
LOCALS = " ".join(f"(local ${type_}_{number} {type_})" for type_ in TYPES for number in range(3))
SLOT, OTHER, CONSTANT, NEAR, FAR = (
    "(local.get $i32_0)",
    "(local.get $i32_1)",
    "(i32.const 100)",
    "offset=4",
    "offset=70000",
)


def names(types):
    """Return value types by their names."""
    return [type_.name.lower() for type_ in types]


def leaves(types):
    """Yield operands of some types: each a local of its own or a constant, in all ways.

    Half a word has room for the constants.
    """
    return product(
        *(
            (f"(local.get ${type_}_{number})", f"({type_}.const {0 if type_[0] == 'f' else 100})")
            for number, type_ in enumerate(names(types))
        )
    )


def applied(row, operands, offset=""):
    """Return an instruction on operands as text."""
    return f"({row.name} {offset} {' '.join(operands)})"


def results():
    """Yield rows and texts of every instruction that computes.

    Each is by itself, and on the result of another one where both are one operation.
    """
    for row in INSTRUCTIONS.values():
        if row.is_numeric:
            yield from ((row, applied(row, operands)) for operands in leaves(row.parameters))
    for operation in OPERATIONS:
        if operation.inner and operation.form not in STEPS:
            for *operands, other in leaves((*operation.inner.parameters, operation.row.parameters[1])):
                yield operation.row, applied(operation.row, (applied(operation.inner, operands), other))


def computing():
    """Yield every result in a local, and in all branches if it may be a condition."""
    for row, text in results():
        (type_,) = names(row.results)
        yield f"(local.set ${type_}_0 {text})"
        if type_ == "i32":
            yield from (f"(block (br_if 0 {text}))", f"(if {text} (then))", f"(loop (br_if 0 {text}))")


def accessing():
    """Yield every load, and every store of a local or a constant, at every kind of address.

    Also every store of a value loaded just before, and a copy of any size.
    """
    for row in INSTRUCTIONS.values():
        if row.width:
            scaled = f"(i32.shl {SLOT} (i32.const {row.width.bit_length() - 1}))"
            for address, offset in product(
                (SLOT, f"(i32.add {SLOT} {OTHER})", f"(i32.add {SLOT} {CONSTANT})", scaled), (NEAR, FAR)
            ):
                for stored in leaves(row.parameters[1:]):
                    access = applied(row, (address, *stored), offset)
                    yield f"(local.set ${names(row.results)[0]}_2 {access})" if row.results else access
    moved = [operation.row.name for operation in OPERATIONS if operation.form is Form.MOVE]
    for name, address in product(moved, (SLOT, f"(i32.add {SLOT} {CONSTANT})")):
        load = f"{name.replace('store', 'load')}{'_u' if name[-1] in '68' else ''}"
        yield f"({name} {address} ({load} {address}))"
    yield f"(memory.copy {SLOT} {OTHER} {SLOT})"


def looping():
    """Yield every step of a loop by a local or a constant, of its local or another one.

    The bound is a local or a constant. Also a sum after a copy, or before a branch.
    """
    for operation in OPERATIONS:
        if operation.form in STEPS:
            for from_, by, limit in product((SLOT, "(local.get $i32_2)"), (OTHER, CONSTANT), (OTHER, CONSTANT)):
                step = f"(local.tee $i32_2 {applied(operation.inner, (from_, by))})"
                yield f"(loop (br_if 0 {applied(operation.row, (step, limit))}))"
    sum_ = f"(local.set $i32_0 (i32.add {SLOT} {CONSTANT}))"
    yield from (f"(local.set $i32_2 {OTHER}) {sum_}", f"(loop {sum_} (br 0))")


def made(bodies):
    """Return the names of the operations that functions with these bodies become."""
    functions = "\n".join(f"(func {LOCALS} {body})" for body in bodies)
    return named(Module(wat2wasm(f"(module (memory 1)\n{functions})")))


def named(module):
    """Return the names of the operations of all functions of a module."""
    return {OPERATIONS[number].name for number in operations(module)}


def test_every_operation_is_made_of_some_module():
    own = {
        name for seed in SEEDS for binary in own_case(Choices(seed)).binaries.values() for name in named(Module(binary))
    }
    all_ = {operation.name for operation in OPERATIONS}
    assert all_ - own - made(computing()) - made(accessing()) - made(looping()) == OUTSIDE
