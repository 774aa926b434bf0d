"""Does a program in C run as on a command line, and read only the files that it was given?"""

import io
import os
import struct
from functools import cache
from pathlib import Path

import pytest
from wasmtime import wat2wasm

from corollary import Exited, Instance, Memory, Module, Returned, Trapped, Wasi
from corollary.codegen import build
from corollary.wasi import CALLS, DIRENT, MODULE, Errno, Space

SOURCE = Path(__file__).with_name("program.c")
FLAGS = (*build.STRICT, "-D_GNU_SOURCE", "-target", "wasm32-wasi", "-O2", "-s")


@cache
def program():
    """Return the program as a module."""
    return Module(
        build.linked(
            build.BUILD / "host" / f"program-{build.fingerprint([SOURCE], FLAGS)}.wasm", [SOURCE], FLAGS
        ).read_bytes()
    )


def run(*arguments, **more):
    """Return the status and the output of the program."""
    wasi = Wasi(("program", *arguments), **more)
    try:
        assert Instance(program(), wasi.imports(program())).call("_start") == Returned(())
        status = 0
    except Exited as exited:
        status = exited.status
    return status, wasi.stdout.getvalue().decode()


@pytest.fixture
def folder(tmp_path):
    """Return a folder with files, links and a pipe, next to a file outside it."""
    inside = tmp_path / "inside"
    (inside / "below").mkdir(parents=True)
    (inside / "text").write_text("> what is written\n")
    (inside / "below" / "more").write_text("> more of it\n")
    (tmp_path / "secret").write_text("> a secret\n")
    (inside / "link").symlink_to(tmp_path / "secret")
    (inside / "up").symlink_to("..")
    os.mkfifo(inside / "pipe")
    return inside


def test_a_program_says_hello():
    assert run() == (0, "hello\n")


def test_a_program_has_its_arguments():
    assert run("args", "one", "two words", "") == (0, "program\nargs\none\ntwo words\n\n")


def test_a_program_has_the_environment_that_it_is_given(monkeypatch):
    monkeypatch.setenv("COLOUR", "of the host")
    assert run("environ", environ={"COLOUR": "green"}) == (0, "green\n") and run("environ") == (0, "none\n")


def test_a_program_reads_what_comes_in_and_returns_a_status():
    assert run("stdin", stdin=io.BytesIO(b"a line\n" * 3000)) == (3000, "3000 lines\n")
    assert run("stdin") == (0, "0 lines\n")


def test_a_program_has_two_ways_out():
    other = io.BytesIO()
    assert run("stderr", stderr=other) == (0, "") and other.getvalue() == b"to the other stream\n"


class Terminal(io.BytesIO):
    """A stream with a person at it."""

    def isatty(self):
        return True


def test_a_program_knows_which_stream_is_a_terminal():
    assert run("terminal") == (0, "0 0\n") and run("terminal", stdout=Terminal()) == (0, "0 1\n")


def test_a_program_has_clocks_and_random_bytes():
    assert run("measure") == (0, "1 1 1\n")


def test_a_program_reads_files_in_its_folder(folder):
    assert run("show", "/data/text", folders={"/data": folder}) == (0, "what is written\n")
    assert run("show", "/data/below/../below/more", folders={"/data": folder}) == (0, "more of it\n")
    assert run("list", "/data", folders={"/data": folder}) == (0, "text 18\n")


@pytest.mark.parametrize(
    "path",
    [
        "/data/../secret",
        "/data/link",
        "/data/up/secret",
        "/data/below/../../secret",
        "/data/pipe",
        "/secret",
        "/etc/passwd",
    ],
)
def test_a_program_reads_nothing_else(folder, path):
    status, said = run("show", path, folders={"/data": folder})
    assert status == 1 and said.startswith(f"{path}: ")


def test_a_program_without_a_folder_reads_nothing(folder):
    assert run("show", str(folder / "text"))[0] == 1


def test_a_program_writes_nothing(folder):
    before = sorted(os.listdir(folder))
    for name in ("text", "new"):
        assert run("write", f"/data/{name}", folders={"/data": folder}) == (1, f"/data/{name}: Read-only file system\n")
    assert sorted(os.listdir(folder)) == before and (folder / "text").read_text() == "> what is written\n"


# ---- single calls


def called(name, *arguments, wasi=None, pages=1):
    """Return the answer to a call, and the memory after it."""
    memory = Memory(pages)

    class Caller:
        """A caller that has a memory."""

        def export(self, _):
            """Return the memory."""
            return memory

    return (wasi or Wasi()).function(name)(Caller(), *arguments), Space(memory)


@pytest.mark.parametrize(
    "name,arguments,answer",
    [
        ("fd_write", (1, -8, 1, 0), Errno.FAULT),
        ("fd_write", (7, 0, 0, 0), Errno.BADF),
        ("fd_write", (0, 0, 0, 0), Errno.BADF),
        ("fd_read", (1, 0, 0, 0), Errno.BADF),
        ("random_get", (0, -1), Errno.FAULT),
        ("clock_time_get", (9, 0, 0), Errno.INVAL),
        ("clock_time_get", (-1, 0, 0), Errno.INVAL),
        ("clock_time_get", (0, 0, 65530), Errno.FAULT),
        ("fd_seek", (1, 0, 0, 0), Errno.SPIPE),
        ("fd_prestat_get", (3, 0), Errno.BADF),
        ("path_open", (3, 0, 0, 0, 0, 0, 0, 0, 0), Errno.BADF),
        ("fd_close", (3,), Errno.BADF),
        ("sock_accept", (1, 2, 3), Errno.NOSYS),
        ("__class__", (), Errno.NOSYS),
        ("poll_oneoff", (0, 0, 0, 0), Errno.NOSYS),
        ("fd_close", (1,), Errno.SUCCESS),
        ("sched_yield", (), Errno.SUCCESS),
        ("fd_filestat_get", (0, 0), Errno.SUCCESS),
        ("clock_res_get", (1, 0), Errno.SUCCESS),
        ("args_get", (0, 65535), Errno.FAULT),
        ("fd_fdstat_set_flags", (1, 4), Errno.SUCCESS),
    ],
)
def test_a_wrong_call_has_an_answer(name, arguments, answer):
    assert called(name, *arguments)[0] == answer


def test_a_descriptor_that_was_closed_is_free(folder):
    wasi = Wasi(folders={"/": folder})
    assert [called("fd_close", descriptor, wasi=wasi)[0] for descriptor in (3, 3)] == [Errno.SUCCESS, Errno.BADF]
    assert called("fd_prestat_get", 3, 0, wasi=wasi)[0] == Errno.BADF


def test_descriptors_come_to_an_end(folder):
    wasi = Wasi(folders={"/": folder})
    answers = [called("path_open", 3, 0, 0, 0, 0, 0, 0, 0, 0, wasi=wasi)[0] for _ in range(300)]
    assert set(answers[:252]) == {Errno.SUCCESS} and set(answers[252:]) == {Errno.MFILE}


def test_the_names_in_a_folder_may_be_read_in_pieces(folder):
    wasi, names, cookie = Wasi(folders={"/": folder}), [], 0
    while True:
        _, space = called("fd_readdir", 3, 0, 40, cookie, 100, wasi=wasi)
        if space.number(100) < DIRENT.size:
            break
        cookie, _, size, _ = DIRENT.unpack(space.read(0, DIRENT.size))
        names.append(space.read(DIRENT.size, size).decode())
    assert names == [".", "..", *sorted(os.listdir(folder))]


def test_a_file_is_read_from_any_place(folder):
    wasi = Wasi(folders={"/": folder})
    memory = Memory(1)
    memory.write(0, b"text" + bytes(4) + struct.pack("<II", 64, 5))

    class Caller:
        """A caller that has a memory."""

        def export(self, _):
            """Return the memory."""
            return memory

    for name, arguments in (("path_open", (3, 0, 0, 4, 0, 0, 0, 0, 16)), ("fd_pread", (4, 8, 1, 7, 20))):
        assert wasi.function(name)(Caller(), *arguments) == Errno.SUCCESS
    assert (
        memory.read(64, 5) == b"is wr"
        and wasi.function("fd_tell")(Caller(), 4, 24) == Errno.SUCCESS
        and memory.read(24, 8) == bytes(8)
    )


@pytest.mark.parametrize(
    "what,given,error",
    [
        ("args", ("a\0b",), ValueError),
        ("args", "program", TypeError),
        ("args", (1,), TypeError),
        ("environ", {"A=B": "c"}, ValueError),
        ("environ", {"": "c"}, ValueError),
        ("environ", {"A": "b\0c"}, ValueError),
        ("stdout", io.StringIO(), TypeError),
        ("stdin", io.StringIO(), TypeError),
    ],
)
def test_what_a_program_would_take_for_something_else_is_not_given(what, given, error):
    with pytest.raises(error):
        Wasi(**{what: given})


class Given:
    """The stand-in for an instance in a call: a memory with a piece of 3 bytes at 0, named at 8."""

    def __init__(self):
        self.memory = Memory(1)
        self.memory.write(0, b"old")
        self.memory.write(8, struct.pack("<II", 0, 3))

    def export(self, _):
        """Return the memory."""
        return self.memory

    @property
    def moved(self):
        """Return how many bytes a call claims to have moved."""
        return int.from_bytes(self.memory.read(16, 4), "little")


def test_a_stream_that_the_host_closed_is_none():
    stream, given = io.BytesIO(), Given()
    stream.close()
    wasi = Wasi(stdin=stream, stdout=stream)
    calls = ("fd_write", 1, 8, 1, 16), ("fd_read", 0, 8, 1, 16), ("fd_fdstat_get", 1, 24), ("fd_filestat_get", 1, 24)
    answers = [wasi.function(name)(given, *arguments) for name, *arguments in calls]
    assert {*answers} == {Errno.BADF}


@pytest.mark.parametrize("buffering", [0, -1])
def test_a_stream_that_must_not_wait_says_so(buffering):
    """Written bytes are reported once; the rest may be written later."""
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    os.set_blocking(reading, False)
    with open(reading, "rb", buffering=0) as source, open(writing, "wb", buffering=buffering) as sink:
        given, wasi, said = Given(), Wasi(stdin=source, stdout=sink), 0
        assert wasi.function("fd_read")(given, 0, 8, 1, 16) == Errno.AGAIN
        given.memory.write(8, struct.pack("<II", 0, 1 << 16))
        while wasi.function("fd_write")(given, 1, 8, 1, 16) == Errno.SUCCESS:
            said += given.moved
        got = len(os.read(reading, 1 << 20))
        sink.flush()
        assert said >= 1 << 16 and got + len(os.read(reading, 1 << 20) if said > got else b"") == said
        os.write(writing, b"new")
        assert wasi.function("fd_read")(given, 0, 8, 1, 16) == Errno.SUCCESS and given.moved == 3


def test_a_file_from_before_1970_has_no_time(folder):
    (folder / "old").touch()
    os.utime(folder / "old", (-1_000_000, -1_000_000))
    given = Given()
    assert Wasi(folders={"/": folder}).function("path_filestat_get")(given, 3, 0, 0, 3, 64) == Errno.SUCCESS
    assert given.memory.read(64 + 40, 16) == bytes(16)


def test_a_program_without_a_memory_is_trapped():
    module = Module(
        wat2wasm(
            f'(module (import "{MODULE}" "sched_yield" (func $y (result i32))) (func (export "f") (drop (call $y))))'
        )
    )
    with pytest.raises(Trapped, match="KeyError"):
        Instance(module, Wasi().imports(module)).call("f")


def test_every_call_of_the_program_is_there():
    assert {name for module, name, _, _ in program().imports if module == MODULE} <= set(CALLS)
