"""Does the runner pass right answers and report all wrong ones?

When WASM_TESTSUITE points to the official suite, wasmtime and our VM are checked against every file of it. A script of
our own covers less, but all kinds of directives. The runner is right if wasmtime passes.
"""

import os
import re
from pathlib import Path
from typing import Any

import pytest

from tests.wasm import suite
from tests.wasm.corollary_engine import CorollaryEngine
from tests.wasm.literals import FLOATS
from tests.wasm.script import DIRECTIVES, Pattern, parse
from tests.wasm.suite import (
    SPECTEST,
    Exhausted,
    Invalid,
    Malformed,
    Refusal,
    Rejected,
    Strictness,
    Trap,
    Unlinkable,
    Verdict,
    report,
)
from tests.wasm.wasmtime_engine import WasmtimeEngine

FOLDER = "WASM_TESTSUITE"
BOTH = (WasmtimeEngine, CorollaryEngine)
IDS = [engine.__name__ for engine in BOTH]

SCRIPT = rb"""
(module $first
  (table 2 funcref)
  (elem declare func $add)
  (global (export "answer") i64 (i64.const 42))
  (func $add (export "add") (param i32 i32) (result i32) (i32.add (local.get 0) (local.get 1)))
  (func (export "divide") (param i32 i32) (result i32) (i32.div_u (local.get 0) (local.get 1)))
  (func (export "nowhere") (param i32) (call_indirect (local.get 0)))
  (func $deep (export "deep") (call $deep))
  (func (export "reference") (result funcref) (ref.func $add))
  (func (export "same") (param externref f32 f64) (result f64 f32 externref) (local.get 2) (local.get 1) (local.get 0))
)
(register "first" $first)
(module binary "\00asm" "\01\00\00\00")
(module quote "(func (ex" "port \"one\") (result i32) (i32.const 1))")
(invoke "one")
(get $first "answer")
(assert_return (invoke "one") (i32.const 1))
(assert_return (get $first "answer") (i64.const 42))
(module $second
  (import "first" "add" (func $add (param i32 i32) (result i32)))
  (func (export "less") (param i32) (result i32) (call $add (local.get 0) (i32.const -1)))
)
(assert_return (invoke "less" (i32.const 0)) (i32.const 0xffff_ffff))
(assert_return (invoke $first "reference") (ref.func))
(assert_return (invoke $first "same" (ref.extern 0) (f32.const nan:0x1) (f64.const -nan:0x1))
  (f64.const -nan:0x1) (f32.const nan:0x1) (ref.extern 0))
(assert_return (invoke $first "same" (ref.extern 7) (f32.const nan) (f64.const -nan))
  (f64.const nan:canonical) (f32.const nan:arithmetic) (ref.extern))
(assert_return (invoke $first "same" (ref.null extern) (f32.const -0) (f64.const 0x1p-1074))
  (f64.const 5e-324) (f32.const -0) (ref.null extern))
(assert_trap (invoke $first "divide" (i32.const 1) (i32.const 0)) "integer divide by zero")
(assert_trap (invoke $first "nowhere" (i32.const 1)) "uninitialized element 1")
(assert_trap (invoke $first "nowhere" (i32.const 2)) "undefined")
(assert_trap (module (func $start unreachable) (start $start)) "unreachable")
(assert_return (invoke $second "less" (i32.const 2)) (i32.const 1))
(assert_exhaustion (invoke $first "deep") "call stack exhausted")
(assert_invalid (module (func (result i32))) "type mismatch")
(assert_malformed (module binary "\00asm") "unexpected end")
(assert_malformed (module quote "(func") "unexpected token")
(assert_unlinkable (module (import "first" "subtract" (func))) "unknown import")
(assert_unlinkable (module (import "third" "add" (func))) "unknown import")
(assert_unlinkable (module (import "first" "add" (func))) "incompatible import type")
"""
IMPORTS = b"""
(module
  (import "spectest" "print" (func $print))
  (import "spectest" "print_i32" (func $print_i32 (param i32)))
  (import "spectest" "print_i64" (func $print_i64 (param i64)))
  (import "spectest" "print_f32" (func $print_f32 (param f32)))
  (import "spectest" "print_f64" (func $print_f64 (param f64)))
  (import "spectest" "print_i32_f32" (func $print_i32_f32 (param i32 f32)))
  (import "spectest" "print_f64_f64" (func $print_f64_f64 (param f64 f64)))
  (global (export "i32") (import "spectest" "global_i32") i32)
  (global (export "i64") (import "spectest" "global_i64") i64)
  (global (export "f32") (import "spectest" "global_f32") f32)
  (global (export "f64") (import "spectest" "global_f64") f64)
  (import "spectest" "table" (table 10 20 funcref))
  (import "spectest" "memory" (memory 1 2))
  (func (export "all")
    (call $print) (call $print_i32 (i32.const 1)) (call $print_i64 (i64.const 2))
    (call $print_f32 (f32.const 3)) (call $print_f64 (f64.const 4))
    (call $print_i32_f32 (i32.const 5) (f32.const 6)) (call $print_f64_f64 (f64.const 7) (f64.const 8)))
)
(assert_return (invoke "all"))
(assert_return (get "i32") (i32.const 666))
(assert_return (get "i64") (i64.const 666))
(assert_return (get "f32") (f32.const 666.6))
(assert_return (get "f64") (f64.const 666.6))
(assert_unlinkable (module (import "spectest" "table" (table 11 20 funcref))) "incompatible import type")
(assert_unlinkable (module (import "spectest" "table" (table 10 19 funcref))) "incompatible import type")
(assert_unlinkable (module (import "spectest" "table" (table 10 20 externref))) "incompatible import type")
(assert_unlinkable (module (import "spectest" "memory" (memory 2 2))) "incompatible import type")
(assert_unlinkable (module (import "spectest" "memory" (memory 1 1))) "incompatible import type")
(assert_unlinkable (module (import "spectest" "global_i32" (global (mut i32)))) "incompatible import type")
"""
EMPTY = b"\0asm\1\0\0\0"


class Otherwise(WasmtimeEngine):
    """wasmtime, with each answer changed by `tell`."""

    tell: Any

    def decode(self, binary):
        """Return a module, or the changed answer."""
        return self.tell(super().decode, binary)

    def instantiate(self, module, imports):
        """Return an instance, or the changed answer."""
        return OtherInstance(self.tell(super().instantiate, module, imports), self.tell)


class OtherInstance:
    """An instance, with each answer changed by `tell`."""

    def __init__(self, instance, tell):
        self.instance, self.tell, self.export = instance, tell, getattr(instance, "export", None)

    def invoke(self, name, arguments):
        """Return the changed results of a function."""
        return self.tell(self.instance.invoke, name, arguments)

    def get(self, name):
        """Return the changed value of a global."""
        (value,) = self.tell(lambda: (self.instance.get(name),))
        return value


class WrongValues(Otherwise):
    """Every value is replaced by another one of its type."""

    def tell(self, do, *arguments):
        """Return null for references and 1 for null, 0 for numbers and 1 for 0."""
        came = do(*arguments)
        return tuple((kind, wrong(kind, bits)) for kind, bits in came) if isinstance(came, tuple) else came


def wrong(kind, bits):
    """Return other bits of the same type."""
    return (1 if bits is None else None) if kind.endswith("ref") else int(bits == 0)


class WrongTypes(Otherwise):
    """Every value has another type."""

    def tell(self, do, *arguments):
        """Return the same bits with a type that does not exist."""
        came = do(*arguments)
        return tuple((kind + "x", bits) for kind, bits in came) if isinstance(came, tuple) else came


class OneMore(Otherwise):
    """Functions and globals give one value too many."""

    def tell(self, do, *arguments):
        """Return the last value twice."""
        came = do(*arguments)
        return came + came[-1:] if isinstance(came, tuple) else came


class Accepting(Otherwise):
    """Every module is valid."""

    def tell(self, do, *arguments):
        """Return an empty module for an invalid one."""
        try:
            return do(*arguments)
        except Rejected:
            return super(Otherwise, self).decode(EMPTY)


class Answering(Otherwise):
    """A refusal becomes an answer."""

    answered: Any

    def tell(self, do, *arguments):
        """Return nothing in place of a refusal."""
        try:
            return do(*arguments)
        except self.answered:
            return ()


class NeverTraps(Answering):
    """Programs go on whatever happens."""

    answered = (Trap, Exhausted)


class LinksAll(Answering):
    """Imports always fit."""

    answered = Unlinkable


class Calling(Otherwise):
    """A refusal is called something else."""

    called: Any

    def tell(self, do, *arguments):
        """Return another refusal."""
        try:
            return do(*arguments)
        except Refusal as refusal:
            raise self.called(refusal) from None


class OtherReason(Calling):
    """Every refusal has an unexpected reason."""

    def called(self, refusal):
        """Return the same kind of refusal."""
        return type(refusal)("something else")


class NoReason(Calling):
    """Refusals have no reason."""

    def called(self, refusal):
        """Return the same kind of refusal."""
        return type(refusal)("")


class SuiteWords(Calling):
    """Refusals use the suite's words, as far as wasmtime distinguishes them."""

    def called(self, refusal):
        """Return the first text that the message may stand for."""
        return type(refusal)(self.reasons.get(refusal.message, (refusal.message,))[0])


class AllMalformed(Calling):
    """Every refused module is called malformed."""

    def called(self, refusal):
        """Return Malformed for every invalid module."""
        return Malformed(refusal.message) if isinstance(refusal, Rejected) else refusal


class AllInvalid(Calling):
    """Every refused module is called invalid."""

    def called(self, refusal):
        """Return Invalid for every invalid module."""
        return Invalid(refusal.message) if isinstance(refusal, Rejected) else refusal


class AllTraps(Calling):
    """Every failure is called a trap."""

    def called(self, refusal):
        """Return a trap."""
        return Trap(refusal.message)


class Rejecting(Otherwise):
    """No module is valid."""

    def tell(self, do, *arguments):
        """Return a refusal."""
        raise Rejected("no")


class Broken(Otherwise):
    """The engine itself breaks as soon as it has a module."""

    def tell(self, do, *arguments):
        """Break, except for refused modules."""
        do(*arguments)
        raise ZeroDivisionError("broken")


RETURNS, REFUSALS = (
    {"assert_return"},
    {"assert_trap", "assert_exhaustion", "assert_invalid", "assert_malformed", "assert_unlinkable"},
)
# the engine, and the kinds of directives that all fail with it, while no other kind does
REPORTED = {
    WrongValues: RETURNS,
    WrongTypes: RETURNS,
    OneMore: RETURNS | {"get"},
    Accepting: {"assert_invalid", "assert_malformed"},
    NeverTraps: {"assert_trap", "assert_exhaustion"},
    LinksAll: {"assert_unlinkable"},
    OtherReason: {"assert_trap", "assert_exhaustion", "assert_unlinkable"},
    NoReason: {"assert_trap", "assert_exhaustion", "assert_unlinkable"},
    AllMalformed: {"assert_invalid"},
    AllInvalid: {"assert_malformed"},
    AllTraps: REFUSALS - {"assert_trap"},
    Rejecting: set(DIRECTIVES) - {"assert_invalid", "assert_malformed"},
    Broken: set(DIRECTIVES) - {"assert_invalid", "assert_malformed"},
}


def told(text, engine=WasmtimeEngine, strictness=Strictness.REASON):
    """Return the report of a script."""
    return report("own.wast", parse(text, "own.wast"), engine(), strictness)


def kinds(told, verdict):
    """Return the kinds of directives with this verdict."""
    return {keyword for (keyword, other), count in told.counts.items() if other is verdict and count}


def official():
    """Return the files of the official suite, none where it is absent."""
    return sorted((Path(os.environ[FOLDER]) / "core").glob("*.wast")) if FOLDER in os.environ else []


@pytest.mark.parametrize("engine", BOTH, ids=IDS)
def test_an_engine_that_is_right_passes_a_script_with_every_directive(engine):
    came = told(SCRIPT, engine)
    assert not came.failures and kinds(came, Verdict.PASSED) == set(DIRECTIVES) and kinds(came, Verdict.FAILED) == set()
    assert came.total(Verdict.PASSED) + came.total(Verdict.TEXTUAL) == len(parse(SCRIPT, "own.wast"))
    assert (
        came.total(Verdict.TEXTUAL)
        == came.counts["assert_malformed", Verdict.TEXTUAL]
        == SCRIPT.count(b"(assert_malformed (module quote")
    )


@pytest.mark.parametrize(
    "fields",
    [
        "(memory i64 1)",
        "(memory 1) (memory 1)",
        "(memory 1 1 shared)",
        "(memory 1 (pagesize 1))",
        "(tag)",
        "(func $f (return_call $f))",
        "(func (param v128))",
        "(type (struct))",
        "(type $t (func)) (func (param (ref $t)))",
        "(table 1 funcref (ref.null func))",
        "(func (param i64 i64) (result i64 i64) (i64.mul_wide_u (local.get 0) (local.get 1)))",
    ],
)
def test_wasmtime_is_asked_about_version_2_only(fields):
    assert not told(f'(assert_invalid (module {fields}) "beyond 2.0")'.encode()).failures


@pytest.mark.parametrize("engine", BOTH, ids=IDS)
def test_an_engine_that_is_right_passes_the_official_suite(engine, capsys):
    reports = [suite.run(path, engine()) for path in official()]
    failures = [str(failure) for told in reports for failure in told.failures]
    counts = ", ".join(f"{sum(told.total(verdict) for told in reports)} {verdict.value}" for verdict in Verdict)
    with capsys.disabled():
        print(
            f"\nofficial suite, {engine.__name__}: {len(reports)} files, {counts}"
            + ("" if FOLDER in os.environ else f" ({FOLDER} is not set)")
        )
    assert not failures and all(told.counts for told in reports)
    assert bool(reports) == (FOLDER in os.environ)


@pytest.mark.parametrize("engine", REPORTED, ids=[engine.__name__ for engine in REPORTED])
def test_an_engine_that_is_wrong_is_reported(engine):
    came = told(SCRIPT, engine)
    assert kinds(came, Verdict.FAILED) == REPORTED[engine] and not kinds(came, Verdict.PASSED) & REPORTED[engine]
    assert len(came.failures) == came.total(Verdict.FAILED) and all(
        failure.expected != failure.came for failure in came.failures
    )


def test_every_kind_of_directive_can_fail():
    assert set.union(*REPORTED.values()) == set(DIRECTIVES)


def test_a_failure_tells_where_what_and_what_instead():
    script = (
        b'(module (func (export "f") (result i32 f32) i32.const 1 f32.const 1))\n'
        b'(assert_return (invoke "f") (i32.const 10) (f32.const nan:canonical))'
    )
    (failure,) = told(script).failures
    assert str(failure) == "own.wast:2: assert_return: expected i32 0xa f32 nan:canonical; came i32 0x1 f32 0x3f800000"
    (failure,) = told(b"(module (func $f (unreachable)) (start $f))").failures
    assert str(failure) == "own.wast:1: module: expected no refusal; came Trap: UNREACHABLE"
    (failure,) = told(b'(assert_unlinkable (module) "unknown import")').failures
    assert str(failure) == "own.wast:1: assert_unlinkable: expected Unlinkable: unknown import; came no values"


def test_after_a_module_that_fails_nothing_is_done_with_the_one_before():
    script = (
        b'(module $m (func (export "f")))\n(module $m (import "no" "f" (func)))\n'
        b'(invoke "f")\n(invoke $m "f")\n(register "m")\n(invoke $n "f")'
    )
    came = told(script)
    assert [failure.place.line for failure in came.failures] == [2, 3, 4, 5, 6]
    assert [failure.came for failure in came.failures[1:3]] == [
        "LookupError: there is no instance to act on",
        "LookupError: there is no instance $m",
    ]


def test_a_module_without_a_name_leaves_the_named_ones():
    assert not told(b'(module $m (func (export "f")))\n(module)\n(invoke $m "f")').failures


def test_a_module_whose_text_is_not_understood_fails_with_its_place():
    (failure,) = told(b'\n(assert_invalid (module (func (no_such_instruction))) "type mismatch")').failures
    assert failure.came.startswith("ScriptError: own.wast:2: unknown operator")


def test_how_much_of_a_refusal_is_compared_can_be_chosen():
    assert not told(SCRIPT, OtherReason, Strictness.OUTCOME).failures
    assert kinds(told(SCRIPT, NeverTraps, Strictness.OUTCOME), Verdict.FAILED) == REPORTED[NeverTraps]
    assert kinds(told(SCRIPT, WasmtimeEngine, Strictness.TEXT), Verdict.FAILED) == REFUSALS - {"assert_unlinkable"}
    words = told(SCRIPT, SuiteWords, Strictness.TEXT)
    assert {failure.expected for failure in words.failures if "Trap" in failure.expected} == {
        "Trap: uninitialized element 1",
        "Trap: undefined",
    }
    assert "assert_exhaustion" not in kinds(words, Verdict.FAILED)


@pytest.mark.parametrize("kind,form", FLOATS.items())
def test_patterns_allow_what_the_standard_allows(kind, form):
    quiet, sign = form.nan, form.sign
    allowed = {
        Pattern.CANONICAL: {quiet, quiet | sign},
        Pattern.ARITHMETIC: {quiet, quiet | sign, quiet + 1, quiet + 1 | sign},
    }
    for pattern, good in allowed.items():
        for bits in (0, 1, form.infinity, form.infinity + 1, quiet - 1, quiet, quiet + 1, quiet >> 1):
            for given in (bits, bits | sign):
                assert suite.matches((kind, pattern), (kind, given)) == (given in good)


@pytest.mark.parametrize("engine", BOTH, ids=IDS)
def test_spectest_is_what_scripts_import(engine):
    assert not told(IMPORTS, engine).failures
    assert sorted(SPECTEST) == sorted(set(re.findall(r'"spectest" "(\w+)"', IMPORTS.decode())))


@pytest.fixture
def file(tmp_path):
    """Return a function that writes a script."""

    def write(name, text):
        (tmp_path / name).write_bytes(text)
        return str(tmp_path / name)

    return write


def test_the_command_prints_a_table_for_each_file(file, capsys):
    assert suite.main([file("one.wast", SCRIPT), file("two.wast", b"(module)")]) == 0
    said = capsys.readouterr().out
    assert all(word in said for word in ("one.wast", "two.wast", "all files", "not about binaries", *DIRECTIVES))


def test_the_command_fails_with_a_file_that_does(file, capsys):
    assert suite.main([file("bad.wast", b'(module)\n(get "g")'), "--strictness", "outcome"]) == 1
    assert "bad.wast:2: get: expected no refusal; came KeyError" in capsys.readouterr().out


def test_the_command_compares_as_much_as_it_is_told(file):
    trap = file("trap.wast", b'(assert_trap (module (func $f (unreachable)) (start $f)) "undefined")')
    assert [suite.main([trap, "--strictness", strictness.value]) for strictness in Strictness] == [0, 1, 1]
    assert suite.main([file("own.wast", SCRIPT), "--strictness", "text"]) == 1


def test_the_command_tells_what_it_cannot_read(file, tmp_path, capsys):
    for path, said in (
        (file("worse.wast", b"(modul)"), "worse.wast:1: modul is none of"),
        (str(tmp_path / "none.wast"), "none.wast"),
    ):
        with pytest.raises(SystemExit) as ended:
            suite.main([path])
        assert ended.value.code == 1 and said in capsys.readouterr().err
