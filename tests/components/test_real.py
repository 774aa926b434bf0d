"""Do components that others made run as in wasmtime?"""

import pytest

from corollary import Wasi
from corollary.components.component import Component, ComponentInstance
from corollary.components.host import imports
from corollary.components.values import Case
from tests.components import peer, real
from tests.wasm.interpreters import PHP, RUBY
from tests.wasm.test_wasi import program

LINES = b"a line\n" * 3000
IN_RUBY = """
words = STDIN.read.split
puts RUBY_VERSION, words.map(&:capitalize).tally, ARGV.inspect, ENV["COLOUR"]
puts (1..20).inject(:*), format("%.3f", Math.sqrt(2))
begin; raise ArgumentError, "no"; rescue => e; STDERR.puts e.message; end
exit 1
"""
IN_PHP = b"""<?php
function fib($n) { return $n < 2 ? $n : fib($n - 1) + fib($n - 2); }
echo phpversion(), " ", fib(15), " ", json_encode(["a" => [1, 2.5, null], "b" => strrev("done")]), "\\n";
"""


def same(binary, folder, *arguments, **more):
    """Run a command here and in wasmtime, which must end in the same way; return how it does."""
    here, there = real.commanded(binary, arguments, **more), peer.commanded(binary, folder, arguments, **more)
    assert here == there
    return here


@pytest.mark.parametrize(
    "arguments,more,out",
    [
        ((), {}, b"hello\n"),
        (("args", "one", "two words", ""), {}, b"program\nargs\none\ntwo words\n\n"),
        (("environ",), {"environ": {"COLOUR": "green"}}, b"green\n"),
        (("environ",), {}, b"none\n"),
        (("stdin",), {"given": LINES}, b"3000 lines\n"),
        (("stderr",), {}, b""),
        (("measure",), {}, b"1 1 1\n"),
    ],
    ids=lambda each: str(each)[:20],
)
def test_a_program_in_c_does_the_same(tmp_path, arguments, more, out):
    assert same(real.adapted(program().binary), tmp_path, "program", *arguments, **more).out == out


@pytest.mark.long
def test_ruby_does_the_same(tmp_path):
    ended = same(
        real.interpreter(RUBY),
        tmp_path,
        *("ruby", "-e", IN_RUBY, "argument"),
        environ={"COLOUR": "green"},
        given=b"one two one",
    )
    assert ended.status == 1 and ended.error == b"no\n"
    assert ended.out.startswith(b'3.2.0\n{"One"=>2, "Two"=>1}\n["argument"]\ngreen\n2432902008176640000\n')


@pytest.mark.long
def test_php_does_the_same(tmp_path):
    ended = same(real.interpreter(PHP), tmp_path, "php", given=IN_PHP)
    assert ended.status == 0 and ended.out.endswith(b'8.2.0 610 {"a":[1,2.5,null],"b":"enod"}\n')


@pytest.mark.full
def test_a_script_in_spidermonkey_does_the_same(tmp_path):
    ended = same(real.script(), tmp_path, "script")
    assert ended == peer.Ended(0, b"the sum of the first 1000 squares is 333833500\n")


@pytest.mark.full
def test_functions_of_a_script_take_and_return_values():
    component = Component(real.script())
    instance = ComponentInstance(component, imports(component, Wasi()))
    assert instance.call("hello", "Ada") == (
        '{"words":["hello","Ada","from","JavaScript"],"sorted":["Ada","JavaScript","from","hello"]}'
    )
    ada, greet = {"name": "Ada", "age": 36}, "corollary:tests/people#greet"
    for times, wanted in (
        (Case("none"), Case("text", "Ada, 36")),
        (Case("some", 0), Case("nothing")),
        (Case("some", 2), Case("many", [ada, ada])),
    ):
        assert instance.call(greet, ada, times) == Case("ok", wanted)
    assert instance.call(greet, {**ada, "age": 101}, Case("none")) == Case("error", "Ada is too old")
