"""Do the floating-point instructions compute what the standard says in Python and in C, and is a wrong one noticed?"""

import math
import struct
from contextlib import ExitStack
from functools import cache
from subprocess import CalledProcessError

import pytest
from elftools.elf.elffile import ELFFile

from corollary.codegen.floats import BODIES, functions, values
from corollary.codegen.image import section
from corollary.emulation.operands import canonical, infinity, operands
from corollary.spec.wasm import floats
from tests.wasm import compiled, oracle

BITWISE = ("abs", "neg", "copysign")  # these keep a NaN, or change its sign
NAMES = tuple(functions())
TARGETS = (("aarch64-linux-gnu",), ("x86_64-linux-gnu", "-mcpu=baseline"), ("x86_64-linux-gnu", "-mcpu=x86_64_v2"))


def in_python(name):
    """Return the results of a function in Python."""
    function = functions()[name]
    return [int(function(*case)) for case in operands(name)]


@cache
def expected(name):
    """Return the same, for comparison with C."""
    return in_python(name)


def described(name, case, ours, theirs):
    """Describe a difference for people."""
    return f"{name}({', '.join(map(hex, case))}) is {ours:#x} and {theirs:#x}"


def same(name, ours, theirs):
    """Are the results the same?"""
    return ours == theirs


def allowed(name, ours, theirs):
    """Are the results the same? Where the standard leaves the NaN open, ours must be the canonical one."""
    bits = int(name[1:3])
    is_nan = name.startswith("f") and theirs & ~(1 << (bits - 1)) > infinity(bits)
    return ours == canonical(bits) if is_nan and not name.endswith(BITWISE) else ours == theirs


def differences(name, ours, theirs, agree=same):
    """Return every case of a function in which two results do not agree."""
    return [
        described(name, case, *pair)
        for case, *pair in zip(operands(name), ours, theirs, strict=True)
        if not agree(name, *pair)
    ]


@pytest.mark.parametrize("name", NAMES)
def test_python_computes_what_another_implementation_does(name):
    assert differences(name, in_python(name), oracle.computed(name), allowed) == []


@pytest.fixture(scope="module", params=compiled.VARIANTS)
def program(request, tmp_path_factory):
    return compiled.compiled(tmp_path_factory.mktemp("floats"), *compiled.VARIANTS[request.param])


@pytest.mark.parametrize("name", NAMES)
def test_c_computes_what_python_does(program, name):
    assert differences(name, expected(name), compiled.computed(program, name)) == []


@pytest.fixture(scope="module")
def processor(tmp_path_factory):
    with compiled.Processor(tmp_path_factory.mktemp("floats")) as opened:
        yield opened


@pytest.mark.parametrize("name", NAMES)
def test_c_on_aarch64_computes_what_python_does(processor, name):
    assert differences(name, expected(name), processor.computed(name)) == []


@pytest.mark.parametrize("target", TARGETS, ids=" ".join)
def test_c_needs_no_library(tmp_path, target):
    with compiled.compiled(tmp_path, "-ffreestanding", "-c", "-target", *target).open("rb") as file:
        symbols = list(section(ELFFile(file), ".symtab").iter_symbols())
    assert "answer" in {symbol.name for symbol in symbols}
    assert [symbol.name for symbol in symbols if symbol["st_shndx"] == "SHN_UNDEF" and symbol.name] == []


@pytest.mark.parametrize("pattern, other", [("{f}_sqrt", "f32_sqrt, f64_sqrt"), ("f64_promote_f32", "f64_promote_f32")])
def test_a_missing_or_superfluous_body_is_refused(monkeypatch, pattern, other):
    monkeypatch.setitem(BODIES, f"{pattern}_twice", BODIES[pattern])
    with pytest.raises(ValueError, match="_twice"):
        values()
    monkeypatch.delitem(BODIES, f"{pattern}_twice")
    monkeypatch.delitem(BODIES, pattern)
    with pytest.raises(ValueError, match=f": {other}$"):
        values()


# ---- the comparisons above notice a wrong function


def raw(form):
    """Return a pattern that is not made canonical."""
    return lambda x: int.from_bytes(struct.pack(form, x), "little")


def away(x):
    """Round to the nearest integer; a tie goes away from zero."""
    return int(math.copysign(math.floor(abs(x) + 0.5), x))


WRONG = {
    "a NaN that is not made canonical": ("f64_bits", raw("<d"), ("f64_add", "f64_nearest", "f64_promote_f32")),
    "a large number that does not overflow": (
        "f32_bits",
        lambda x: canonical(32) if math.isnan(x) else raw("<f")(max(-(2.0**127), min(2.0**127, x))),
        ("f32_mul", "f32_demote_f64"),
    ),
    "zeros that are equal": (
        "extreme",
        lambda choose, x, y: choose(x, y) if x == x and y == y else math.nan,
        ("f32_min", "f64_max"),
    ),
    "a NaN that is passed over": (
        "extreme",
        lambda choose, x, y: choose(x, y, key=lambda z: (z, math.copysign(1, z))),
        ("f64_min", "f32_max"),
    ),
    "an infinity without the sign of its zero": (
        "quotient",
        lambda x, y: x / y if y != 0 else x * math.inf,
        ("f32_div", "f64_div"),
    ),
    "the root of a negative number": ("root", lambda x: math.sqrt(abs(x)), ("f32_sqrt", "f64_sqrt")),
    "a half away from zero": ("round", away, ("f32_nearest", "f64_nearest")),
    "a zero without its sign": (
        "integral",
        lambda rounding, x: float(rounding(x)) if math.isfinite(x) else x,
        ("f32_ceil", "f64_trunc"),
    ),
    "an integer without its sign": ("signed", lambda a, type_: a, ("f32_convert_i32_s", "f64_convert_i64_s")),
    "an integer that is rounded twice": ("single", float, ("f32_convert_i64_s", "f32_convert_i64_u")),
    "an integer to nearest": (
        "saturated",
        lambda x, integers: 0 if math.isnan(x) else round(max(integers[0], min(integers[-1], x))),
        ("i32_trunc_sat_f32_s", "i64_trunc_sat_f64_u"),
    ),
    "a NaN that saturates": (
        "saturated",
        lambda x, integers: math.trunc(max(integers[0], min(integers[-1], x))),
        ("i32_trunc_sat_f64_u", "i64_trunc_sat_f32_s"),
    ),
    "a limit before the fraction is gone": (
        "fits",
        lambda x, integers: integers[0] <= x <= integers[-1],
        ("i32_trunc_f64_s_fits", "i64_trunc_f32_u_fits"),
    ),
    "a sign that nobody touches": ("F64_SIGN", 0, ("f64_abs", "f64_neg", "f64_copysign")),
}


@pytest.mark.parametrize(
    "mistake, name", [(mistake, name) for mistake, (_, _, names) in WRONG.items() for name in names]
)
def test_a_mistake_in_python_is_noticed(monkeypatch, mistake, name):
    attribute, wrong, _ = WRONG[mistake]
    monkeypatch.setattr(floats, attribute, wrong, raising=False)
    assert differences(name, in_python(name), oracle.computed(name), allowed)


WRONG_BODIES = {
    # a NaN that is not made canonical
    "{f}_add": "(union {{ {float} x; {word} a; }}){{{f}_value(a) + {f}_value(b)}}.a",
    "{f}_min": "{f}_value(a) == {f}_value(b) ? b : " + BODIES["{f}_min"],  # zeros that are equal
    "{f}_max": "{f}_value(a) > {f}_value(b) ? a : b",  # a NaN that is ignored
    "{f}_neg": "{f}_bits(-{f}_value(a))",  # a NaN that loses its payload
    "{f}_ceil": "{f}_bits({f}_whole_ceil({f}_value(a)) + 0)",  # a zero that loses its sign
    "{f}_nearest": "{f}_bits({f}_whole_floor({f}_value(a) + ({float})0.5))",  # a half that goes up
    "f32_demote_f64": "f32_bits((float)f64_value(a >> 29 << 29))",  # rounding towards zero
    "{f}_convert_{i}_{s}": "{f}_bits(({float})(double)({int})a)",  # an integer that is rounded twice
    "{i}_trunc_{f}_{s}_fits": BODIES["{i}_trunc_{f}_{s}_fits"] + " || {f}_ne(a, a)",  # a NaN that does not trap
}
NOTICED = (
    "f32_add",
    "f64_add",
    "f32_min",
    "f64_min",
    "f32_max",
    "f64_max",
    "f32_neg",
    "f64_neg",
    "f32_ceil",
    "f64_ceil",
    "f32_nearest",
    "f64_nearest",
    "f32_demote_f64",
    "f32_convert_i64_s",
    "f32_convert_i64_u",
    "i32_trunc_f32_s_fits",
    "i64_trunc_f64_u_fits",
)


@pytest.fixture(scope="module")
def unguarded(tmp_path_factory):
    """Return a program that traps at undefined behaviour, and whose conversions to integers have some."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(BODIES, "{i}_trunc_sat_{f}_{s}", "({int}){f}_value(a)")
        return compiled.compiled(tmp_path_factory.mktemp("unguarded"), *compiled.TRAPPING)


@pytest.fixture(scope="module")
def wrong(tmp_path_factory):
    """Return processors that compute with these wrong bodies: this machine, and AArch64."""
    folder = tmp_path_factory.mktemp("wrong")
    with ExitStack() as opened:
        with (
            pytest.MonkeyPatch.context() as patch
        ):  # only until they are compiled: other tests compile right ones meanwhile
            for pattern, body in WRONG_BODIES.items():
                patch.setitem(BODIES, pattern, body)
            program = compiled.compiled(folder)
            processor = opened.enter_context(compiled.Processor(folder))
        yield {"host": lambda name: compiled.computed(program, name), "aarch64": processor.computed}


@pytest.mark.parametrize("where", ["host", "aarch64"])
@pytest.mark.parametrize("name", NOTICED)
def test_a_mistake_in_c_is_noticed(wrong, where, name):
    assert differences(name, expected(name), wrong[where](name))


@pytest.mark.parametrize("where", ["host", "aarch64"])
def test_only_the_mistakes_are_noticed(wrong, where):
    assert differences("f64_mul", expected("f64_mul"), wrong[where]("f64_mul")) == []


@pytest.mark.parametrize(
    "name", ["i32_trunc_sat_f32_s", "i32_trunc_sat_f64_u", "i64_trunc_sat_f64_s", "i64_trunc_sat_f32_u"]
)
def test_undefined_behaviour_is_noticed(unguarded, name):
    with pytest.raises(CalledProcessError):
        compiled.computed(unguarded, name)
