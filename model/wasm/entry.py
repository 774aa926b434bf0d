"""How is a function called from outside, and where do the results of a host call belong?"""

from corollary.language.builtins import wrapping_add
from corollary.language.bytes import fill
from corollary.language.types import u32, u64
from corollary.language.values import length
from corollary.model.wasm.snapshot import slots_at
from corollary.spec.wasm.machine import EXIT, EntryOf, LastOfCall, Machine, Shape
from corollary.spec.wasm.traps import Trap


def enter(vm: Machine, index: u32) -> Trap:
    """Enter a function that the module defines, on top of the running call.

    Its arguments belong where its frame begins; all its other locals are zero.
    """
    if index >= length(vm.entries):
        return Trap.UNDEFINED_ELEMENT
    entry = EntryOf(vm.entries[index]).entry
    if entry == 0 or entry > length(vm.code):
        return Trap.UNDEFINED_ELEMENT
    shape = Shape(vm.code[entry - 1])
    slots = u64(shape.slots)
    parameters = u64(shape.parameters)
    locals_ = u64(shape.locals)
    if vm.top + slots > length(vm.stack) or vm.depth >= length(vm.control) or locals_ > slots or parameters > locals_:
        return Trap.STACK_EXHAUSTED
    first = vm.top + parameters
    others = locals_ - parameters
    fill(vm.stack, first, 0, others)
    vm.control[vm.depth] = EXIT
    vm.at = entry
    vm.frame = vm.top
    vm.depth = wrapping_add(u32, vm.depth, 1)
    return Trap.NONE


def leave(vm: Machine) -> None:
    """Forget every call."""
    vm.at = 0
    vm.frame = 0
    vm.depth = 0
    vm.arguments = 0
    vm.top = 0
    vm.callee = 0
    vm.foreign = False
    vm.type = 0


def result_slot(vm: Machine, count: u32) -> u32:
    """Return the slot where the `count` results of a host call belong.

    The last word of the call says where a single result goes.
    """
    if count != 1 or vm.at == 0 or vm.at > length(vm.code):
        return vm.arguments
    return wrapping_add(u32, vm.frame, u32(LastOfCall(vm.code[vm.at - 1]).result))


def live(vm: Machine) -> u32:
    """Return how many slots of the stack are in use, up to the end of the running frame."""
    return 0 if vm.depth == 0 else wrapping_add(u32, vm.frame, slots_at(vm, vm.at))
