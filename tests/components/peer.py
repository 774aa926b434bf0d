"""What does wasmtime do with a component?"""

from dataclasses import dataclass

import wasmtime
from wasmtime import component

ENGINE = wasmtime.Engine()


@dataclass
class Ended:
    """How a command ended: its status, and what it wrote to both streams."""

    status: int
    out: bytes
    error: bytes = b""


def quick_engine():
    """Return an engine that compiles large components in seconds."""
    config = wasmtime.Config()
    config.cranelift_opt_level = "none"
    return wasmtime.Engine(config)


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


def commanded(binary, folder, arguments, environ=(), given=b""):
    """Run a command of WASI 0.2 with files for its streams in a folder."""
    engine = quick_engine()
    store, linker = wasmtime.Store(engine), component.Linker(engine)
    linker.add_wasip2()
    linker.add_wasi_http()
    (folder / "in").write_bytes(given)
    wasi = wasmtime.WasiConfig()
    wasi.argv, wasi.env = arguments, dict(environ).items()
    wasi.stdin_file, wasi.stdout_file, wasi.stderr_file = (str(folder / name) for name in ("in", "out", "error"))
    store.set_wasi(wasi)
    store.set_wasi_http()
    made = component.Component(engine, binary)
    name = next(name for name in made.type.exports(engine) if name.startswith("wasi:cli/run@"))
    instance = linker.instantiate(store, made)
    inner = instance.get_export_index(store, "run", instance.get_export_index(store, name))
    try:
        found = instance.get_func(store, inner)(store)
        status = int(found.tag == "err")
    except wasmtime.ExitTrap as ended:
        status = ended.code
    return Ended(status, (folder / "out").read_bytes(), (folder / "error").read_bytes())
