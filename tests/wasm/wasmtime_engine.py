"""What does wasmtime answer? An engine that is known to be right shows that the runner is right."""

from ctypes import POINTER, byref

import wasmtime
from wasmtime import TrapCode, WasmtimeError
from wasmtime import _ffi as ffi

from tests.wasm.literals import FLOATS, INTEGERS
from tests.wasm.suite import (
    Exhausted,
    HostFunction,
    HostGlobal,
    HostMemory,
    HostTable,
    Rejected,
    Trap,
    Unlinkable,
    imported,
)

# The features of version 2.0 beyond 1.0, without vectors. Every other feature that has a switch is switched off, so
# arithmetic in constant expressions is the only later feature left.
FEATURES = {"wasm_reference_types", "wasm_bulk_memory", "wasm_multi_value"}
KINDS = {
    "i32": ffi.WASMTIME_I32,
    "i64": ffi.WASMTIME_I64,
    "f32": ffi.WASMTIME_F32,
    "f64": ffi.WASMTIME_F64,
    "funcref": ffi.WASMTIME_FUNCREF,
    "externref": ffi.WASMTIME_EXTERNREF,
}
NAMES = {kind.value: name for name, kind in KINDS.items()}
WIDTHS = INTEGERS | {name: form.width for name, form in FLOATS.items()}


def configured():
    """Return an engine of wasmtime that is as close to version 2.0 as possible."""
    config = wasmtime.Config()
    for feature in vars(wasmtime.Config):
        if feature.startswith("wasm_"):
            setattr(config, feature, feature in FEATURES)
    # most modules are small and run once
    config.cranelift_opt_level = "none"
    config.parallel_compilation = False
    # every result is determined in this way: ours are canonical, too
    config.cranelift_nan_canonicalization = True
    return wasmtime.Engine(config)


SHARED = configured()


class WasmtimeEngine:
    """One store of wasmtime; it raises only Rejected for bytes that are no valid module."""

    reasons = {
        TrapCode.MEMORY_OUT_OF_BOUNDS.name: ("out of bounds memory access",),
        TrapCode.TABLE_OUT_OF_BOUNDS.name: ("out of bounds table access", "undefined element"),
        TrapCode.INDIRECT_CALL_TO_NULL.name: ("uninitialized element",),
        TrapCode.BAD_SIGNATURE.name: ("indirect call type mismatch",),
        TrapCode.INTEGER_OVERFLOW.name: ("integer overflow",),
        TrapCode.INTEGER_DIVISION_BY_ZERO.name: ("integer divide by zero",),
        TrapCode.BAD_CONVERSION_TO_INTEGER.name: ("invalid conversion to integer",),
        TrapCode.UNREACHABLE.name: ("unreachable",),
        TrapCode.STACK_OVERFLOW.name: ("call stack exhausted",),
    }

    def __init__(self):
        self.store = wasmtime.Store(SHARED)

    def host(self, definitions):
        """Return an instance that the host defines."""
        return Host({name: self.define(definition) for name, definition in definitions.items()})

    def define(self, definition):
        """Return wasmtime's object for one definition of the host."""
        match definition:
            case HostGlobal((kind, _) as value):
                made, of = ffi.wasmtime_global_t(), wasmtime.GlobalType(value_type(kind), False)
                check(ffi.wasmtime_global_new(self.store._context(), of.ptr(), byref(self.raw(value)), byref(made)))
                return wasmtime.Global._from_raw(made)
            case HostTable(element, minimum, maximum):
                of = wasmtime.TableType(value_type(element), wasmtime.Limits(minimum, maximum))
                return wasmtime.Table(self.store, of, wasmtime.Val.ref_null(value_type(element)))
            case HostMemory(minimum, maximum):
                return wasmtime.Memory(self.store, wasmtime.MemoryType(wasmtime.Limits(minimum, maximum)))
            case HostFunction(parameters):
                return wasmtime.Func(
                    self.store, wasmtime.FuncType(list(map(value_type, parameters)), []), lambda *_: None
                )

    def decode(self, binary):
        """Return a compiled module. Raises Rejected."""
        try:
            return wasmtime.Module(SHARED, binary)
        except WasmtimeError as error:
            raise Rejected(str(error)) from None

    def instantiate(self, module, imports):
        """Return an instance. Raises Unlinkable, Trap, Exhausted."""
        externs = [imported(imports, wanted.module, wanted.name) for wanted in module.imports]
        try:
            return WasmtimeInstance(self, wasmtime.Instance(self.store, module, externs))
        except WasmtimeError as error:
            raise Unlinkable(str(error)) from None
        except wasmtime.Trap as trap:
            raise refusal(trap) from None

    def raw(self, value):
        """Return a value of a script in the C structure of wasmtime, bit by bit.

        As a Python float, a signalling NaN would become a quiet one.
        """
        kind, bits = value
        if kind == "externref":
            return wasmtime.Val.externref(bits)._new_raw(self.store)
        made = ffi.wasmtime_val_t(kind=KINDS[kind])
        if kind in WIDTHS:
            setattr(made.of, f"i{WIDTHS[kind]}", bits)
        return made

    def value(self, raw):
        """Return the value in a C structure of wasmtime."""
        kind = NAMES[raw.kind]
        if kind in WIDTHS:
            return kind, getattr(raw.of, f"i{WIDTHS[kind]}") % (1 << WIDTHS[kind])
        return kind, wasmtime.Val._from_raw(self.store, raw).value


class Host:
    """The host's definitions, by name."""

    def __init__(self, externs):
        self.externs = externs

    def export(self, name):
        """Return a definition that wasmtime may import. Raises KeyError."""
        return self.externs[name]


class WasmtimeInstance(Host):
    """An instance of a module."""

    def __init__(self, engine, instance):
        super().__init__(instance.exports(engine.store))
        self.engine = engine

    def invoke(self, name, arguments):
        """Return the results of a function. Raises Trap, Exhausted, WasmtimeError when the arguments do not fit."""
        store, function, trap = self.engine.store, self.export(name), POINTER(ffi.wasm_trap_t)()
        given = (ffi.wasmtime_val_t * len(arguments))(*map(self.engine.raw, arguments))
        results = (ffi.wasmtime_val_t * len(function.type(store).results))()
        error = ffi.wasmtime_func_call(
            store._context(), byref(function._func), given, len(given), results, len(results), byref(trap)
        )
        for raw in given:
            ffi.wasmtime_val_unroot(byref(raw))
        check(error)
        if trap:
            raise refusal(wasmtime.Trap._from_ptr(trap))
        return tuple(map(self.engine.value, results))

    def get(self, name):
        """Return the value of a global."""
        raw = ffi.wasmtime_val_t()
        ffi.wasmtime_global_get(self.engine.store._context(), byref(self.export(name)._global), byref(raw))
        return self.engine.value(raw)


def check(error):
    """Raise the error that a function of the C interface returned, as WasmtimeError."""
    if error:
        raise WasmtimeError._from_ptr(error)


def value_type(kind):
    """Return the type of this name."""
    return getattr(wasmtime.ValType, kind)()


def refusal(trap):
    """Return a trap of wasmtime as the suite knows it; its message is the name of its code."""
    kind = Exhausted if trap.trap_code is TrapCode.STACK_OVERFLOW else Trap
    return kind(trap.trap_code.name)
