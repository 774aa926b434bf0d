"""How do the floating-point instructions of WebAssembly read in C?

Each is one expression. The rest comes from its function in Python.
"""

import inspect
from itertools import product

from corollary.codegen.expressions import type_name
from corollary.codegen.wrapping import paragraphs, wrap
from corollary.language.types import annotation_type
from corollary.spec.wasm import floats

SOURCES = ("spec/wasm/floats.py", "codegen/floats.py")
CONSTANTS = ("F32_SIGN", "F64_SIGN", "F32_NAN", "F64_NAN")
FORMATS = (
    dict(f="f32", F="F32", word="uint32_t", float="float", limits="FLT"),
    dict(f="f64", F="F64", word="uint64_t", float="double", limits="DBL"),
)
RANGES = (
    dict(
        i="i32",
        s="s",
        result="uint32_t",
        int="int32_t",
        fits="x > -0x1p31 - 1 && x < 0x1p31",
        value="(uint32_t)(int32_t)x",
        beyond="x < 0 ? (uint32_t)INT32_MIN : x > 0 ? INT32_MAX : 0",
    ),
    dict(
        i="i32",
        s="u",
        result="uint32_t",
        int="uint32_t",
        fits="x > -1 && x < 0x1p32",
        value="(uint32_t)x",
        beyond="x > 0 ? UINT32_MAX : 0",
    ),
    # there is no f64 between the least i64 and the integer below it
    dict(
        i="i64",
        s="s",
        result="uint64_t",
        int="int64_t",
        fits="x >= -0x1p63 && x < 0x1p63",
        value="(uint64_t)(int64_t)x",
        beyond="x < 0 ? (uint64_t)INT64_MIN : x > 0 ? INT64_MAX : 0",
    ),
    dict(
        i="i64",
        s="u",
        result="uint64_t",
        int="uint64_t",
        fits="x > -1 && x < 0x1p64",
        value="(uint64_t)x",
        beyond="x > 0 ? UINT64_MAX : 0",
    ),
)
BODIES = {
    "{f}_add": "{f}_bits({f}_value(a) + {f}_value(b))",
    "{f}_sub": "{f}_bits({f}_value(a) - {f}_value(b))",
    "{f}_mul": "{f}_bits({f}_value(a) * {f}_value(b))",
    "{f}_div": "{f}_bits({f}_value(a) / {f}_value(b))",
    "{f}_sqrt": "{f}_bits(__builtin_elementwise_sqrt({f}_value(a)))",
    "{f}_min": "{f}_bits(__builtin_elementwise_minimum({f}_value(a), {f}_value(b)))",
    "{f}_max": "{f}_bits(__builtin_elementwise_maximum({f}_value(a), {f}_value(b)))",
    "{f}_ceil": "{f}_bits({f}_whole_ceil({f}_value(a)))",
    "{f}_floor": "{f}_bits({f}_whole_floor({f}_value(a)))",
    "{f}_trunc": "{f}_bits({f}_whole_trunc({f}_value(a)))",
    "{f}_nearest": "{f}_bits({f}_whole_roundeven({f}_value(a)))",
    "{f}_abs": "a & ~{F}_SIGN",
    "{f}_neg": "a ^ {F}_SIGN",
    "{f}_copysign": "(a & ~{F}_SIGN) | (b & {F}_SIGN)",
    "{f}_eq": "{f}_value(a) == {f}_value(b)",
    "{f}_ne": "{f}_value(a) != {f}_value(b)",
    "{f}_lt": "{f}_value(a) < {f}_value(b)",
    "{f}_gt": "{f}_value(a) > {f}_value(b)",
    "{f}_le": "{f}_value(a) <= {f}_value(b)",
    "{f}_ge": "{f}_value(a) >= {f}_value(b)",
    "f32_demote_f64": "f32_bits((float)f64_value(a))",
    "f64_promote_f32": "f64_bits(f32_value(a))",
    "{f}_convert_{i}_{s}": "{f}_bits(({float})({int})a)",
    "{i}_trunc_sat_{f}_{s}": "{i}_{s}_saturated({f}_value(a))",
    "{i}_trunc_{f}_{s}_fits": "{i}_{s}_fits({f}_value(a))",
}
"""What each function returns, for every format `f` and every integer `i`, signed or unsigned."""


def functions():
    """The intrinsics by name, in source order."""
    return {name: function for name, function in vars(floats).items() if getattr(function, "__intrinsic__", False)}


def bodies():
    """The expression that each function returns."""
    return {
        name.format(**form, **integers): text.format(**form, **integers)
        for form, integers in product(FORMATS, RANGES)
        for name, text in BODIES.items()
    }


def definition(function, body):
    """The lines that define a function, below its comment."""
    *parameters, returns = (
        (name, type_name(annotation_type(type_))) for name, type_ in function.__annotations__.items()
    )
    inner = ", ".join(f"{type_} {name}" for name, type_ in parameters)
    head = f"static inline {returns[1]} {function.__name__}({inner})"
    return [*paragraphs(inspect.getdoc(function)), head, "{", *wrap(f"    return {body};"), "}"]


def values():
    """The values that the template uses. Raises `ValueError` when Python and C do not have the same functions."""
    found, expressions = functions(), bodies()
    if found.keys() != expressions.keys():
        raise ValueError(
            "without a body in C, or without a function in Python: "
            f"{', '.join(sorted(found.keys() ^ expressions.keys()))}"
        )
    return dict(
        constants=[(name, getattr(floats, name)) for name in CONSTANTS],
        formats=FORMATS,
        ranges=RANGES,
        functions=[definition(function, expressions[name]) for name, function in found.items()],
    )
