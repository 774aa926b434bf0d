"""Can a program in C run modules, and is it told everything that can go wrong?"""

import os
import re
import subprocess
import sys
from functools import cache

import pytest
from wasmtime import wat2wasm

from corollary import Instance, LimitExceeded, Limits, Module, Refused
from corollary.codegen import build, embedding
from corollary.codegen.folders import ROOT
from corollary.codegen.render import render
from corollary.spec.wasm.traps import Trap
from tests.wasm.sanitized import UNCHECKED, checks

MODULE = wat2wasm("""(module
  (import "host" "mix" (func $mix (param i32 i64 f32 f64) (result f64)))
  (import "host" "stop" (func $stop (param i32)))
  (import "host" "again" (func $again (result i32)))
  (import "host" "refer" (func $refer (param i32) (result externref)))
  (memory (export "memory") 2 8)
  (data (i32.const 8) "data") (data (i32.const 131072) "")
  (table 2 funcref) (elem (i32.const 0) $nothing)
  (global $six i32 (i32.const 6))
  (type $none (func))
  (func $nothing (export "nothing"))
  (func (export "mixed") (param i32 i64 f32 f64) (result f64)
    (call $mix (local.get 0) (local.get 1) (local.get 2) (local.get 3)))
  (func (export "pair") (result i32 i64) (global.get $six) (i64.const -7))
  (func (export "divide") (param i32 i32) (result i32) (i32.div_s (local.get 0) (local.get 1)))
  (func $endless (export "endless") (call $endless))
  (func (export "indirect") (param i32) (result i32) (call_indirect (type $none) (local.get 0)) (i32.const 1))
  (func (export "stop") (param i32) (call $stop (local.get 0)))
  (func (export "again") (result i32) (call $again))
  (func (export "refer") (param i32) (result i32) (ref.is_null (call $refer (local.get 0))))
  (func (export "grow") (param i32) (result i32) (memory.grow (local.get 0)))
  (func $count (export "count") (param i32) (result i32) (local i32)
    (loop (local.set 1 (i32.add (local.get 1) (i32.const 1))) (br_if 0 (i32.lt_u (local.get 1) (local.get 0))))
    (local.get 1))
  (func $begin (drop (call $count (i32.const 5))))
  (start $begin))""")
OTHERS = {
    "ill-typed": wat2wasm("(module (func (result i32) (i32.const 1)))").replace(b"\x41\x01\x0b", b"\x42\x01\x0b"),
    "cut": MODULE[:-3],
    "other import": wat2wasm('(module (import "env" "missing" (func)))'),
    "other type": wat2wasm('(module (import "host" "stop" (func (param i64))))'),
    "memory": wat2wasm('(module (import "host" "memory" (memory 1)))'),
    "segment": wat2wasm('(module (memory 1) (data (i32.const 65535) "ab"))'),
}
SAID = """\
mixed: f64 1.09951e+12
pair: i32 6 i64 -7
divide: i32 -3
divide: 2 integer divide by zero
divide: 8 divide takes or returns other values
divide: 8 divide takes or returns other values
divide: 8 divide takes or returns other values
endless: 2 call stack exhausted
indirect: 2 undefined element
stop: 3 a function of the host ended the call with 6
stop: 3 a function of the host ended the call with -2
again: i32 9
refer: i32 1
refer: 8 a function of the host gave a reference that is not null
missing: 7 no function missing is defined and exported
memory: 7 no function memory is defined and exported
grow: i32 2
memory: 393216 bytes, read 1 data, write 1, beyond 0 0 0
grow: i32 6
count: 1 its fuel is spent
nothing: 9 a call waits: resume or abandon it first
resumed: 10
resumed: 9 no call waits
count: 1 it was interrupted
count: i32 10
instance: 5 unknown import: host.stop
instance: 6 the module asks for more memory than the limits allow
instance: 1 its fuel is spent
start: 1 its fuel is spent
thread: suspended 99 times
thread: suspended 99 times
"""
PROGRAMS = ROOT / "tests" / "corollary"
SOURCES = build.vm_sources(*build.VM_EMBEDDING)
HERE = tuple(flag for flag in build.VM_FLAGS if flag not in UNCHECKED)


@pytest.fixture
def modules(tmp_path):
    """Write the modules to files, and return their paths."""
    paths = [tmp_path / f"{name}.wasm" for name in ("module", *OTHERS)]
    for path, binary in zip(paths, (MODULE, *OTHERS.values())):
        path.write_bytes(binary)
    return paths


def refused(name):
    """Return the line about a module that Python refuses."""
    with pytest.raises(Refused) as caught:
        Module(OTHERS[name])
    problem = caught.value
    return f"refused: {int(problem.refusal)} {problem.offset} {problem.message}, at byte {problem.offset}\n"


def expected():
    """Return all that the program says."""
    return (
        SAID + refused("ill-typed") + refused("cut") + "instance: 5 unknown import: env.missing\n"
        "instance: 5 incompatible import type: host.stop\n"
        "instance: 5 only functions can be imported, unlike host.memory\n"
        "instance: 2 out of bounds memory access\n"
    )


@cache
def objects(*flags):
    """Compile the VM, and return the paths of its objects, in a folder of their own."""
    folder = build.BUILD / "host" / f"embedded-{build.vm_fingerprint((*HERE, *flags))}"
    compiled = (*HERE, *flags, *build.VM_INCLUDE, "-pthread", "-c")
    return [build.linked(folder / f"{source.stem}.o", [source], compiled) for source in SOURCES]


@cache
def program(name, *flags, runtime=()):
    """Compile a program and link it with the VM; return its path."""
    source, vm = PROGRAMS / f"{name}.c", objects(*flags)
    target = vm[0].parent / f"{name}-{build.fingerprint([source, PROGRAMS / 'program.h'], flags)}"
    parts = build.linked(target.with_suffix(".o"), [source], (*HERE, *flags, *build.VM_INCLUDE, "-pthread", "-c"))
    return build.linked(target, [*runtime, parts, *vm], ("-pthread",))


def checked(name, *arguments):
    """Run a program where every access is checked, and return how that ended."""
    check = checks()[None]
    made = program(name, *check.flags, "-gline-tables-only", runtime=(check.runtime,))
    environment = os.environ | {"ASAN_OPTIONS": "detect_leaks=0", "LD_LIBRARY_PATH": str(check.runtime.parent)}
    return subprocess.run(
        [made, *arguments], capture_output=True, text=True, errors="backslashreplace", env=environment
    )


def test_a_program_is_told_how_each_call_ends(modules):
    assert subprocess.run([program("embedded"), *modules], capture_output=True, text=True).stdout == expected()


def test_the_same_holds_where_every_access_is_checked(modules):
    done = checked("embedded", *modules)
    assert (done.stderr, done.returncode, done.stdout) == ("", 0, expected())


def test_what_the_example_says_of_itself_works(tmp_path):
    about = (ROOT / "examples" / "embed.c").read_text().split("*/\n")[0]
    script = re.sub(r"^ \*( {5})?", "", "\n".join(about.splitlines()[2:]), flags=re.MULTILINE)
    script = script.replace("build/", f"{tmp_path}/").replace("python ", f"{sys.executable} ")
    done = subprocess.run(["bash", "-e", "-c", script], cwd=ROOT, capture_output=True, text=True)
    assert (done.stderr, done.returncode) == ("", 0)
    assert done.stdout == 2 * "hello from WebAssembly\n" + "greet returned 14, and 996 units of fuel are left\n"


def test_every_name_that_the_linker_sees_begins_alike():
    defined = {line.split()[-1] for path in objects() for line in names(path)}
    assert all(name.startswith("corollary_") for name in defined) and "corollary_load" in defined


def names(path):
    """Return what `nm` says of the global symbols that an object defines."""
    return subprocess.run(
        ["nm", "-g", "--defined-only", path], capture_output=True, text=True, check=True
    ).stdout.splitlines()


# ---- a program that gives what does not fit

SIMPLE = wat2wasm("""(module (memory 1) (table $a 1 funcref) (table $b 3 4 funcref) (table 2 2 funcref)
  (func (export "a") (param i32) (result i32) (table.grow $a (ref.null func) (local.get 0)))
  (func (export "b") (param i32) (result i32) (table.grow $b (ref.null func) (local.get 0)))
  (func (export "count") (param i32) (result i32) (i32.add (local.get 0) (i32.const 1)))
  (func (export "trap") unreachable))""")
TOLD = """\
shifted by -1: 6 6, 0 blocks are left
shifted by 0: 0 0, 0 blocks are left
shifted by 1: 10 10, 0 blocks are left
shifted by 8: 10 10, 0 blocks are left
shifted by 15: 10 10, 0 blocks are left
shifted by 16: 0 0, 0 blocks are left
count: 8 0
count: 0 2
count: 8 0
count: 8 0
count: 8 0
count: 8 0
trap: 2 0
count: 0 2
trap: 2 0
count: 0 2
trap: 2 0
count: 0 2
: 7 0
\\xff\\xfe: 7 0
nnnnnnnn: 7 0
nowhere: 4 unexpected end, at byte 0
no byte: 4 unexpected end, at byte 0
one byte: 4 unexpected end, at byte 1
half a header: 4 unexpected end, at byte 6
zeros: 4 magic header not detected, at byte 0
empty sections: 4 unexpected end, at byte 10
4 G types: 4 length out of bounds, at byte 15
a section of 4 GiB: 4 length out of bounds, at byte 9
a name that is no UTF-8: 4 malformed UTF-8 encoding, at byte 11
"""


def grown(elements):
    """Return what the program says of tables that have so many elements at most, as Python grows them."""
    try:
        instance = Instance(SIMPLE, limits=Limits(elements=elements))
    except LimitExceeded:
        return f"{elements} elements: 6 the module asks for more elements of tables than the limits allow\n"
    calls = [f"{name}: 0 {instance.call(name, 1).value}\n" for _ in range(3) for name in "ab"]
    return f"{elements} elements: 0 \n" + "".join(calls)


def test_what_does_not_fit_is_refused_and_harms_nothing(tmp_path):
    (tmp_path / "simple.wasm").write_bytes(SIMPLE)
    done = checked("attacked", tmp_path / "simple.wasm")
    assert (done.stderr, done.returncode, done.stdout) == ("", 0, "".join(map(grown, range(5, 11))) + TOLD)


# ---- the header in each language that may include it

USES = """#include "corollary.h"
int main(void)
{
    struct corollary_value values[] = {COROLLARY_VALUE_I32(-1), COROLLARY_VALUE_I64(1), COROLLARY_VALUE_F32(1),
                                       COROLLARY_VALUE_F64(1.5)};
    struct corollary_import given = {"a", "b", COROLLARY_TYPES(COROLLARY_I32, COROLLARY_F64), COROLLARY_NO_TYPES,
                                     0, 0};

    return !(values[0].of.i32 == -1 && values[3].of.f64 == 1.5 && values[3].type == COROLLARY_F64 &&
             given.parameters[1] == COROLLARY_F64 && given.parameters[2] == 0 && given.results[0] == 0);
}
"""


def accepted(program, language, standard, tmp_path):
    """Compile a program that includes the header, and run it. Return what the compiler says, and the exit status."""
    source, made = tmp_path / "uses", tmp_path / "made"
    source.write_text(program)
    strict = (f"-std={standard}", "-Wall", "-Wextra", "-pedantic", "-Werror", "-I", build.EMBEDDING)
    command = [sys.executable, "-m", "ziglang", "cc", "-x", language, *strict, source, "-o", made]
    done = subprocess.run(command, capture_output=True, text=True)
    return done.stderr, done.returncode or subprocess.run([made]).returncode


@pytest.mark.parametrize(
    "language, standard", [("c", "c99"), ("c", "c11"), ("c", "c17"), ("c++", "c++11"), ("c++", "c++20")]
)
def test_the_header_is_one_of_the_language(language, standard, tmp_path):
    assert accepted(USES, language, standard, tmp_path) == ("", 0)


def test_a_header_that_is_not_would_be_noticed(tmp_path):
    assert (
        "compound literals"
        in accepted(USES.replace("COROLLARY_NO_TYPES", "(const uint8_t[]){0}"), "c++", "c++11", tmp_path)[0]
    )


# ---- words of the specification in generated C

AWKWARD = 'it ends */ here, /* begins, says "no" and \\'


def test_no_note_ends_the_comment_or_the_text_that_it_is_in(monkeypatch, tmp_path):
    monkeypatch.setitem(Trap.notes, "UNREACHABLE", AWKWARD)
    for name in ("corollary.h", "reasons.c"):
        (tmp_path / name).write_text(render(name, f"{name}.j2", embedding.SOURCES, **embedding.values()))
    says = tmp_path / "says.c"
    says.write_text('#include <stdio.h>\n#include "reasons.c"\nint main(void) { puts(corollary_trap_text(1)); }\n')
    made = build.linked(tmp_path / "says", [says], (*build.STRICT, "-I", str(tmp_path)))
    assert subprocess.run([made], capture_output=True, text=True).stdout == AWKWARD + "\n"
