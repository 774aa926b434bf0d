"""What does wasmtime do with a component?"""

import wasmtime
from wasmtime import component

ENGINE = wasmtime.Engine()


def loaded(binary):
    """Return a component, or None if wasmtime refuses it."""
    try:
        return component.Component(ENGINE, binary)
    except wasmtime.WasmtimeError:
        return None


def called(binary, imports, name, values):
    """Call an exported function, and return its result. Raises `WasmtimeError` or `Trap`."""
    store, linker = wasmtime.Store(ENGINE), component.Linker(ENGINE)
    with linker.root() as root:
        for each, function in imports.items():
            root.add_func(each, lambda _, *given, call=function: call(*given))
    instance = linker.instantiate(store, component.Component(ENGINE, binary))
    function = instance.get_func(store, name)
    result = function(store, *values)
    function.post_return(store)
    return result
