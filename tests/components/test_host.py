"""Does a component get from the host what WASI 0.2 says, nothing else, and no exception of Python for any question?"""

import errno
import io
import itertools
import time

import pytest
from wasmtime import wat2wasm

from corollary import Exited, Stopped, Trapped, Unlinkable, Wasi
from corollary.components import host
from corollary.components.component import Component, ComponentInstance
from corollary.components.host import CLOSED, InputStream, OutputStream, Pollable, interfaces, ok, poll
from corollary.components.values import Case
from corollary.meter import meter_of
from corollary.wasi import CHUNK, Stream

ASKING = """(component
  (import "{interface}" (instance $host {types} (export "{name}" (func {type}))))
  (core module $libc (memory (export "memory") 1)
    (func (export "realloc") (param i32 i32 i32 i32) (result i32) (i32.const 1024)))
  (core instance $libc (instantiate $libc))
  (core func $asked (canon lower (func $host "{name}")
    (memory (core memory $libc "memory")) (realloc (core func $libc "realloc"))))
  (core module $m (import "" "asked" (func $asked {core}))
    (func (export "run") {body}))
  (core instance $m (instantiate $m (with "" (instance (export "asked" (func $asked))))))
  (func (export "run") {returns} (canon lift (core func $m "run"))))"""


def asking(interface, name, type_, core="", body="(call $asked)", returns="", types="", wasi=None):
    """Let a component call a function of an interface, and return what its own function returns."""
    text = ASKING.format(interface=interface, name=name, type=type_, core=core, body=body, returns=returns, types=types)
    component = Component(bytes(wat2wasm(text)))
    return ComponentInstance(component, host.imports(component, wasi or Wasi())).call("run", seconds=0.1)


def test_a_program_ends_with_its_status():
    for code, status in ((7, 7), (0, 0), (255, 255)):
        body = f"(call $asked (i32.const {code}))"
        with pytest.raises(Exited) as exited:
            asking("wasi:cli/exit@0.2.6", "exit-with-code", '(param "code" u8)', "(param i32)", body)
        assert exited.value.status == status
    for code in (0, 1):
        body = f"(call $asked (i32.const {code}))"
        with pytest.raises(Exited) as exited:
            asking("wasi:cli/exit@0.2.0", "exit", '(param "status" (result))', "(param i32)", body)
        assert exited.value.status == code


def test_a_time_is_told():
    asked = {"returns": "(result u64)", "core": "(result i64)", "body": "(result i64) (call $asked)"}
    clock = asking("wasi:clocks/monotonic-clock@0.2.0", "now", "(result u64)", **asked, wasi=Wasi(clock=lambda _: 99))
    assert clock == 99
    known = Wasi(random=lambda count: bytes(range(count)))
    assert (
        asking("wasi:random/random@0.2.1", "get-random-u64", "(result u64)", **asked, wasi=known) == 0x0706050403020100
    )


@pytest.mark.parametrize(
    "interface,name",
    [
        ("wasi:cli/environment@0.3.0", "get-arguments"),
        ("wasi:cli/environment", "get-arguments"),
        ("wasi:keyvalue/store@0.2.0", "open"),
        ("other:cli/environment@0.2.0", "get-arguments"),
    ],
)
def test_what_the_host_does_not_have_is_not_there(interface, name):
    with pytest.raises(Unlinkable, match=f"unknown import: {interface}"):
        asking(interface, name, "")


def test_a_function_that_an_interface_does_not_have_is_not_there():
    with pytest.raises(Unlinkable, match="wasi:cli/environment@0.2.0#erase is no such function"):
        asking("wasi:cli/environment@0.2.0", "erase", "")


@pytest.mark.parametrize("interface", ["wasi:sockets/tcp-create-socket@0.2.0", "wasi:http/outgoing-handler@0.2.3"])
def test_what_is_denied_is_a_trap_when_it_is_used(interface):
    with pytest.raises(Trapped, match=f"{interface.split('@')[0]}#open is denied"):
        asking(interface, "open", "")
    assert asking(interface, "open", "", body="(nop)") is None


def test_there_is_no_file_to_call_a_function_with():
    types = '(export "descriptor" (type $d (sub resource)))'
    with pytest.raises(Trapped, match="0 is no handle"):
        asking(
            "wasi:filesystem/types@0.2.0",
            "[method]descriptor.sync",
            '(param "self" (borrow $d))',
            "(param i32)",
            "(call $asked (i32.const 0))",
            types=types,
        )


@pytest.mark.parametrize(
    "interface,name,type_,core,body",
    [
        ("wasi:cli/exit@0.2.0", "exit", '(param "x" u32)', "(param i32)", "(call $asked (i32.const 1))"),
        ("wasi:cli/exit@0.2.0", "exit-with-code", '(param "x" f32)', "(param f32)", "(call $asked (f32.const 1))"),
        ("wasi:cli/environment@0.2.0", "get-arguments", "(result u32)", "(result i32)", "(drop (call $asked))"),
        (
            "wasi:cli/environment@0.2.0",
            "get-arguments",
            '(param "x" u32)',
            "(param i32)",
            "(call $asked (i32.const 1))",
        ),
        ("wasi:cli/stdout@0.2.0", "get-stdout", "(result string)", "(param i32)", "(call $asked (i32.const 8))"),
        (
            "wasi:random/random@0.2.0",
            "get-random-bytes",
            '(param "n" s8)',
            "(param i32)",
            "(call $asked (i32.const -1))",
        ),
        (
            "wasi:io/poll@0.2.0",
            "poll",
            '(param "x" (list u8))',
            "(param i32 i32)",
            "(call $asked (i32.const 0) (i32.const 4))",
        ),
        ("wasi:clocks/monotonic-clock@0.2.0", "now", "(result bool)", "(result i32)", "(drop (call $asked))"),
    ],
)
def test_a_function_of_another_type_is_a_trap(interface, name, type_, core, body):
    with pytest.raises(Trapped, match="of the host failed"):
        asking(interface, name, type_, core, body)


def test_a_method_of_another_class_is_a_trap():
    write = interfaces(Wasi())["wasi:io/streams"]["[method]output-stream.write"]
    assert write(stream(OutputStream, 1), b"x") == ok()
    with pytest.raises(TypeError, match="is no OutputStream"):
        write(stream(InputStream, 1), b"x")


# ---- waiting


def test_who_waits_is_told_what_is_ready():
    clock = itertools.count(step=10).__next__
    early, late = (Pollable(lambda _: clock(), at) for at in (30, 1000))
    assert poll([late, early]) == [1] and poll([Pollable(None), late, Pollable(None)]) == [0, 2]
    late.block()
    assert late.ready()
    with pytest.raises(Trapped, match="waits for nothing"):
        poll([])


def test_waiting_stops_when_the_time_of_the_call_is_up():
    with meter_of(None, 0.05, None), pytest.raises(Stopped, match="waiting is not over"):
        interfaces(Wasi())["wasi:clocks/monotonic-clock"]["subscribe-duration"](1 << 63).block()


# ---- streams


class File:
    """A file that answers each call with the next thing of a list: an error is raised, anything else returned."""

    def __init__(self, *answers):
        self.answers, self.seen, self.closed = [*answers], [], False

    def answer(self, asked):
        """Note what was asked, and answer."""
        self.seen.append(bytes(asked) if isinstance(asked, memoryview) else asked)
        found = self.answers.pop(0)
        if isinstance(found, Exception):
            raise found
        return found

    read1 = read = write = answer

    def flush(self):
        """Have nothing to flush."""


def full():
    """Return the error of a device without room."""
    return OSError(errno.ENOSPC, "no room")


def stream(class_, *answers):
    """Return a stream over a file that answers so."""
    return class_(Stream(File(*answers), 0), time.clock_gettime_ns)


def test_input_is_read_until_its_end():
    assert stream(InputStream, b"text").read(10) == ok(b"text")
    assert stream(InputStream, b"text").skip(10) == stream(InputStream, b"text").blocking_skip(10) == ok(4)
    assert stream(InputStream, b"").blocking_read(10) == stream(InputStream, b"").skip(1) == CLOSED
    assert stream(InputStream, b"").read(0) == ok(b"")
    assert stream(InputStream, None).read(10) == ok(b"") and stream(InputStream, None, b"x").blocking_read(9) == ok(
        b"x"
    )
    reading = stream(InputStream, b"much")
    reading.read(1 << 63)
    assert reading._stream.file.seen == [CHUNK] and reading.subscribe().ready()


def test_output_is_written_whole():
    writing = stream(OutputStream, 2, None, 2, 0)
    assert writing.write(b"text") == ok() and writing._stream.file.seen == [b"text", b"xt", b"xt"]
    assert stream(OutputStream, 3).write_zeroes(3) == stream(OutputStream, 3).blocking_write_zeroes_and_flush(3) == ok()
    assert stream(OutputStream).check_write() == ok(CHUNK) and stream(OutputStream).blocking_flush() == ok()
    assert stream(OutputStream).subscribe().ready()


@pytest.mark.parametrize(
    "write,size",
    [
        (OutputStream.write, CHUNK),
        (OutputStream.blocking_write_and_flush, host.AT_ONCE),
        (lambda stream, data: stream.write_zeroes(len(data)), CHUNK),
        (lambda stream, data: stream.blocking_write_zeroes_and_flush(len(data)), host.AT_ONCE),
    ],
)
def test_more_than_may_be_written_at_once_is_a_trap(write, size):
    assert write(stream(OutputStream, size), bytes(size)) == ok()
    with pytest.raises(Trapped, match=f"{size} may be"):
        write(stream(OutputStream), bytes(size + 1))


def test_one_stream_flows_into_another():
    source = stream(InputStream, b"text", b"more", full(), b"")
    target = stream(OutputStream, 4, 4)
    assert target.splice(source, 9) == target.blocking_splice(source, 9) == ok(4)
    assert target.splice(source, 9).value.label == "last-operation-failed" and target.splice(source, 9) == CLOSED
    assert target._stream.file.seen == [b"text", b"more"]


def test_what_fails_is_told():
    for found in (stream(InputStream, full()).read(1), stream(OutputStream, full()).write(b"x")):
        assert found.label == "error" and found.value.label == "last-operation-failed"
        assert found.value.value.to_debug_string() == "[Errno 28] no room"
    assert stream(OutputStream, BrokenPipeError(errno.EPIPE, "")).write(b"x") == CLOSED
    gone = stream(OutputStream)
    gone._stream.file.closed = True
    assert gone.check_write() == gone.write(b"x") == CLOSED


# ---- the rest


class Terminal(io.BytesIO):
    """A stream with a person at it."""

    def isatty(self):
        return True


def test_everything_has_the_value_that_was_given():
    wasi = Wasi(
        ("program", "é"),
        {"NAME": "a=b"},
        stdout=Terminal(),
        clock=lambda number: {time.CLOCK_REALTIME: 5_000_000_007}[number],
        random=lambda count: bytes(count),
    )
    has = interfaces(wasi)
    assert has["wasi:cli/environment"]["get-arguments"]() == ["program", "é"]
    assert has["wasi:cli/environment"]["get-environment"]() == [("NAME", "a=b")]
    assert has["wasi:cli/environment"]["initial-cwd"]() == Case("none")
    assert has["wasi:clocks/wall-clock"]["now"]() == {"seconds": 5, "nanoseconds": 7}
    assert has["wasi:clocks/wall-clock"]["resolution"]()["seconds"] == 0
    assert has["wasi:cli/terminal-stdout"]["get-terminal-stdout"]().label == "some"
    assert has["wasi:cli/terminal-stdin"]["get-terminal-stdin"]() == Case("none")
    assert has["wasi:random/insecure-seed"]["insecure-seed"]() == (0, 0)
    assert has["wasi:filesystem/preopens"]["get-directories"]() == []
    with pytest.raises(Trapped, match="random bytes are asked for at once"):
        has["wasi:random/random"]["get-random-bytes"](CHUNK + 1)
    assert interfaces(Wasi(("\udcff",)))["wasi:cli/environment"]["get-arguments"]() == ["\ufffd"]
