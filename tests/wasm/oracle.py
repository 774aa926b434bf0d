"""What does another implementation of WebAssembly compute? Wasmtime runs one instruction on many cases."""

import re
from functools import cache
from typing import Any

from wasmtime import Engine, Instance, Module, Store, Trap, wat2wasm

from corollary.codegen.floats import functions
from corollary.emulation.operands import CASE, operands, packed, results

FITS = "_fits"
PAGE = 1 << 16
LOOP = """
  (func (export "{name}") (param $at i32) (param $end i32)
    (loop $next
      {step}
      (local.set $at (i32.add (local.get $at) (i32.const {size})))
      (br_if $next (i32.lt_u (local.get $at) (local.get $end)))))"""


def instruction(name):
    """Return the name of the instruction that a function implements."""
    return name.removesuffix(FITS).replace("_", ".", 1)


def step(name):
    """Return text that runs one case, at `$at`.

    It stores the result, or 1 if an instruction that may trap does not.
    """
    types = functions()[name].__annotations__
    integer = re.search("convert_(i..)", name)
    loads = [
        f"({integer[1] if integer else f'f{type_.bits}'}.load offset={8 * number} (local.get $at))"
        for number, type_ in enumerate(list(types.values())[:-1])
    ]
    computed = f"({instruction(name)} {' '.join(loads)})"
    if name.endswith(FITS):
        return f"(drop {computed}) (i32.store offset=16 (local.get $at) (i32.const 1))"
    return f"({'i32' if types['return'] is bool else name[:3]}.store offset=16 (local.get $at) {computed})"


@cache
def instance() -> tuple[Store, Any]:
    """Return a store, and the exports of a module that has one loop for each function."""
    size = CASE.size * max(len(operands(name)) for name in functions())
    loops = "".join(LOOP.format(name=name, step=step(name), size=CASE.size) for name in functions())
    store = Store(Engine())
    module = Module(store.engine, wat2wasm(f'(module (memory (export "memory") {size // PAGE + 1}){loops})'))
    return store, Instance(store, module, []).exports(store)


@cache
def computed(name):
    """Return the results of an instruction, or whether it does not trap."""
    store, exported = instance()
    given = packed(name)
    exported["memory"].write(store, given)
    # a loop ends with the first trap
    steps = range(0, len(given), CASE.size if name.endswith(FITS) else len(given))
    for at in steps:
        try:
            exported[name](store, at, at + steps.step)
        except Trap:
            continue
    return results(exported["memory"].read(store, 0, len(given)))
