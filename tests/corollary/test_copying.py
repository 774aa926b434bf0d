"""Is the cost of a WASI call to the host bounded by the program's own memory?

No piece counts twice, no path escapes.
"""

import inspect
import io
import os
import random
import struct
import time
import tracemalloc

import pytest

from corollary import Exited, Memory, Wasi
from corollary.folders import DEEPEST, folder
from corollary.wasi import CALLS, CHUNK, MOST_CAPTURED, PATH, PIECES, Errno

PAGES = 64  # of the program's memory: 4 MiB, more than one call moves
WHOLE = PAGES << 16
# host memory that one call may use for a while: the bytes that it moves, once joined and once as they arrive
ROOM = 3 * CHUNK + (1 << 16)


class Sink(io.RawIOBase):
    """A stream that counts the bytes that it gets."""

    def __init__(self):
        super().__init__()
        self.got = 0

    def write(self, data):
        """Accept this many bytes."""
        self.got += len(data)
        return len(data)


class Source(io.RawIOBase):
    """A stream that never ends."""

    def read1(self, size):
        """Return as many bytes as requested."""
        return bytes(size)


class Caller:
    """A caller that has a memory."""

    def __init__(self, memory):
        self.memory = memory

    def export(self, _):
        """Return the memory."""
        return self.memory


def overlapping(count, size=WHOLE - 8 * 65_536):
    """Return a memory full of pieces that each cover nearly all of it."""
    memory = Memory(PAGES)
    memory.write(0, struct.pack("<II", 8 * 65_536, size) * count)
    return memory


def test_pieces_that_overlap_count_once():
    sink, memory = Sink(), overlapping(PIECES)
    assert Wasi(stdout=sink).function("fd_write")(Caller(memory), 1, 0, PIECES, WHOLE - 8) == Errno.SUCCESS
    assert sink.got == CHUNK == int.from_bytes(memory.read(WHOLE - 8, 4), "little")


@pytest.mark.parametrize("count", [PIECES + 1, 1 << 16, 1 << 29, -1, -(1 << 31)])
@pytest.mark.parametrize("call", ["fd_write", "fd_read", "fd_pread"])
def test_there_are_so_many_pieces_at_most(call, count, tmp_path):
    (tmp_path / "file").write_bytes(b"x")
    wasi = Wasi(stdout=Sink(), stdin=Source(), folders={"/": tmp_path})
    wasi.add(folder(tmp_path).within(b"file"))
    arguments = {"fd_write": (1, 0, count, 8), "fd_read": (0, 0, count, 8), "fd_pread": (4, 0, count, 0, 8)}[call]
    start = time.process_time()
    assert (
        wasi.function(call)(Caller(Memory(65_536, limit=65_536)), *arguments) == Errno.INVAL
        and time.process_time() - start < 0.1
    )


def test_a_program_gets_everything_out_by_more_calls():
    sink, memory, at, left = Sink(), overlapping(1), 0, WHOLE - 8 * 65_536
    while left:
        memory.write(0, struct.pack("<II", 8 * 65_536 + at, left))
        assert Wasi(stdout=sink).function("fd_write")(Caller(memory), 1, 0, 1, 16) == Errno.SUCCESS
        got = int.from_bytes(memory.read(16, 4), "little")
        at, left = at + got, left - got
    assert sink.got == WHOLE - 8 * 65_536


def test_nothing_is_written_where_a_piece_is_outside():
    sink, memory = Sink(), Memory(1)
    memory.write(0, struct.pack("<IIII", 16, 4, 65_534, 4))
    for written in (8, 65_534):
        assert (
            Wasi(stdout=sink).function("fd_write")(Caller(memory), 1, 0, 2 if written == 8 else 1, written)
            == Errno.FAULT
        )
    assert sink.got == 0


def test_nothing_is_read_where_it_could_not_be_told():
    source, memory = io.BytesIO(b"abcd"), Memory(1)
    memory.write(0, struct.pack("<II", 16, 4))
    assert Wasi(stdin=source).function("fd_read")(Caller(memory), 0, 0, 1, 65_534) == Errno.FAULT and source.tell() == 0


def test_output_that_nobody_takes_is_kept_up_to_a_limit():
    wasi, memory, answers = Wasi(), overlapping(1), []
    while not answers or answers[-1] == Errno.SUCCESS:
        answers.append(wasi.function("fd_write")(Caller(memory), 1, 0, 1, 8))
    assert answers[-1] == Errno.NOSPC and len(wasi.stdout.getvalue()) == MOST_CAPTURED == CHUNK * (len(answers) - 1)


@pytest.mark.parametrize(
    "count,answer",
    [
        (CHUNK, Errno.SUCCESS),
        (CHUNK + 1, Errno.INVAL),
        (WHOLE, Errno.INVAL),
        (WHOLE + 1, Errno.FAULT),
        (-1, Errno.FAULT),
    ],
)
def test_random_bytes_are_made_as_far_as_one_call_goes(count, answer):
    assert Wasi().function("random_get")(Caller(Memory(PAGES)), 0, count) == answer


# ---- paths


def opened(wasi, path, at=65_536):
    """Return the answer to opening a path."""
    memory = Memory(4)
    memory.write(at, path[: PATH + 1])
    return wasi.function("path_open")(Caller(memory), 3, 0, at, len(path), 0, 0, 0, 0, 0)


def test_a_path_is_so_long_at_most(tmp_path):
    wasi = Wasi(folders={"/": tmp_path})
    assert (
        opened(wasi, b"./" * (PATH // 2)) == Errno.SUCCESS
        and opened(wasi, b"./" * (PATH // 2) + b".") == Errno.NAMETOOLONG
    )
    for size in (1 << 31, -1, -(1 << 31)):
        assert wasi.function("path_open")(Caller(Memory(1)), 3, 0, 0, size, 0, 0, 0, 0, 0) == Errno.NAMETOOLONG


def test_a_path_does_not_use_up_the_descriptors_of_the_host(tmp_path):
    deep = tmp_path
    for _ in range(DEEPEST + 8):
        deep = deep / "a"
        deep.mkdir()
    wasi, before = Wasi(folders={"/": tmp_path}), len(os.listdir("/proc/self/fd"))
    assert opened(wasi, b"a/" * DEEPEST) == Errno.SUCCESS and opened(wasi, b"a/" * (DEEPEST + 1)) == Errno.NAMETOOLONG
    assert opened(wasi, b"a/../" * 800) == Errno.SUCCESS
    assert len(os.listdir("/proc/self/fd")) <= before + 2


ESCAPES = [
    b"..",
    b"../secret",
    b"a/../../secret",
    b"/etc/passwd",
    b"link",
    b"link/secret",
    b"up",
    b"up/secret",
    b"a/up",
    b"loop",
    b"\0",
    b"a\0/../../secret",
    b"a/../up/../secret",
    b"pipe",
    b"device",
    b"//secret",
    b"./../secret",
    b"a/.././../secret",
    b"missing",
    b"file/..",
    b"file/x",
    b"\xff\xfe",
]


@pytest.fixture
def tree(tmp_path):
    """Return a folder with links that lead out of it, next to a secret."""
    inside = tmp_path / "inside"
    (inside / "a").mkdir(parents=True)
    (tmp_path / "secret").write_text("secret")
    (inside / "file").write_text("file")
    for name, target in (
        ("link", tmp_path),
        ("up", ".."),
        ("a/up", "../.."),
        ("loop", "loop"),
        ("device", "/dev/zero"),
    ):
        (inside / name).symlink_to(target)
    os.mkfifo(inside / "pipe")
    return inside


@pytest.mark.parametrize("path", ESCAPES)
def test_no_path_leads_out(tree, path):
    assert opened(Wasi(folders={"/": tree}), path) in (
        Errno.PERM,
        Errno.LOOP,
        Errno.INVAL,
        Errno.ACCES,
        Errno.NOENT,
        Errno.NOTDIR,
    )


def test_random_paths_do_not_lead_out(tree):
    chosen, top = random.Random(3), folder(tree)
    names = {os.fstat(top.descriptor).st_ino} | {
        path.stat().st_ino for path in tree.rglob("*") if not path.is_symlink()
    }
    for _ in range(3000):
        path = b"/".join(
            chosen.choice([b"a", b"..", b".", b"", b"up", b"link", b"file", b"secret", b"etc"])
            for _ in range(chosen.randrange(1, 7))
        )
        try:
            found = top.within(path)
        except OSError:
            continue
        assert found.about.st_ino in names, path


# ---- all calls


def test_a_large_folder_is_listed_once(tmp_path, monkeypatch):
    for number in range(500):
        (tmp_path / f"{number:04}").touch()
    wasi, memory, listed, looked = Wasi(folders={"/": tmp_path}), Memory(1), [], []
    real_list, real_stat = os.listdir, os.stat
    monkeypatch.setattr(os, "listdir", lambda *arguments: listed.append(1) or real_list(*arguments))
    monkeypatch.setattr(os, "stat", lambda *arguments, **more: looked.append(1) or real_stat(*arguments, **more))
    seen, cookie = [], 0
    while True:
        assert wasi.function("fd_readdir")(Caller(memory), 3, 0, 300, cookie, 4096) == Errno.SUCCESS
        used, at = int.from_bytes(memory.read(4096, 4), "little"), 0
        while at + 24 <= used:
            cookie, _, size, _ = struct.unpack("<QQIB3x", memory.read(at, 24))
            seen += [cookie] if at + 24 + size <= used else []
            at += 24 + size
        if used < 300:
            break
        cookie = seen[-1]
    assert seen == [*range(1, 503)] and len(listed) == 1 and len(looked) < 3 * 500


INTERESTING = (
    0,
    1,
    2,
    3,
    4,
    7,
    8,
    16,
    24,
    255,
    1024,
    1025,
    65_535,
    65_536,
    CHUNK,
    WHOLE - 4,
    WHOLE - 1,
    WHOLE,
    1 << 30,
    -1,
    -8,
    -(1 << 31),
    (1 << 31) - 1,
)
ARITY = {name: len(inspect.signature(call).parameters) - 2 for name, call in CALLS.items()}


@pytest.mark.parametrize("name", sorted(CALLS))
def test_no_call_costs_more_than_one_call_may(name, tmp_path):
    """Whatever the arguments and the memory contain, the call answers, with little of the host's memory and time."""
    chosen, sink = random.Random(name), Sink()
    (tmp_path / "file").write_bytes(b"x" * 3 * CHUNK)
    memory = Memory(PAGES)
    memory.write(0, struct.pack("<II", 1 << 19, WHOLE - (1 << 19)) * 65_536)
    memory.write(16 * 65_536, b"file" * 16_384)
    wasi = Wasi(stdin=Source(), stdout=sink, stderr=sink, folders={"/": tmp_path})
    worst_memory = worst_time = 0
    for _ in range(250):
        arguments = [chosen.choice(INTERESTING) for _ in range(ARITY[name])]
        if arguments:
            arguments[0] = chosen.choice((0, 1, 2, 3, 4, arguments[0]))
        if 4 not in wasi.open:
            wasi.open[4] = folder(tmp_path).within(b"file")
        wasi.open.setdefault(1, Wasi(stdout=sink).open[1])
        before = sink.got
        tracemalloc.start()
        start = time.process_time()
        try:
            assert isinstance(wasi.function(name)(Caller(memory), *arguments), Errno)
        except Exited:
            assert name == "proc_exit"
        worst_time = max(worst_time, time.process_time() - start)
        worst_memory = max(worst_memory, tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
        assert sink.got - before <= CHUNK
    assert worst_memory <= ROOM and worst_time < 0.5, (worst_memory, worst_time)
