"""What does a WASI program get? From preview 1: arguments, standard streams, clocks, random bytes, folders to read.

Nothing else is there: no folder and no environment variable that was not given. Calls that are not implemented answer
NOSYS. One call moves `CHUNK` bytes at most, even if it names the same piece of memory several times; a program with
more to move calls again. Output to a stream that was not given is kept, up to `MOST_CAPTURED` bytes; then there is no
space.
"""

import enum
import errno
import io
import os
import stat
import struct
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from typing import Any

from corollary.folders import Opened, folder
from corollary.linker import WithInstance
from corollary.module import Module
from corollary.outcome import Exited
from corollary.spec.wasm.module import External

MODULE = "wasi_snapshot_preview1"
POINTER = (1 << 32) - 1
OPEN = 256  # descriptors at once, at most
CHUNK = 1 << 20  # bytes that one call moves, at most
PIECES = 1024  # pieces of memory that one call names, as on Linux
PATH = 4096  # bytes of a path, as on Linux
MOST_CAPTURED = 10 << 20  # bytes of output that are kept, at most
READ, SEEK, TELL, WRITE = 1 << 1, 1 << 2, 1 << 5, 1 << 6
RIGHTS = (1 << 30) - 1
CREATE, DIRECTORY, EXCLUSIVE, TRUNCATE = 1, 2, 4, 8
UNKNOWN, CHARACTER, FOLDER, FILE, LINK = 0, 2, 3, 4, 7  # kinds of files
FDSTAT, FILESTAT, DIRENT, PRESTAT = (
    struct.Struct("<BxH4xQQ"),
    struct.Struct("<QQB7xQQQQQ"),
    struct.Struct("<QQIB3x"),
    struct.Struct("<B3xI"),
)


class Errno(enum.IntEnum):
    """The answer of a call."""

    SUCCESS = 0
    ACCES = 2
    AGAIN = 6
    BADF = 8
    FAULT = 21
    INVAL = 28
    IO = 29
    ISDIR = 31
    LOOP = 32
    MFILE = 33
    NAMETOOLONG = 37
    NOENT = 44
    NOSPC = 51
    NOSYS = 52
    NOTDIR = 54
    PERM = 63
    PIPE = 64
    ROFS = 69
    SPIPE = 70


def refuse(name: Errno) -> OSError:
    """Return the host error that stands for an answer."""
    return OSError(getattr(errno, f"E{name.name}"), name.name)


def answer(error: OSError) -> Errno:
    """Return the answer for a host error."""
    return Errno.__members__.get(errno.errorcode.get(error.errno or 0, "")[1:], Errno.IO)


class Space:
    """The memory of an instance, accessed by pointers. An access outside it raises `IndexError`."""

    def __init__(self, memory):
        self.memory = memory

    def read(self, at, count):
        """Return some bytes."""
        return self.memory.read(at & POINTER, count & POINTER)

    def put(self, at, data):
        """Replace some bytes."""
        self.memory.write(at & POINTER, data)

    def number(self, at):
        """Return a u32."""
        return int.from_bytes(self.read(at, 4), "little")

    def put_number(self, at, value, size=4):
        """Replace a number of `size` bytes."""
        self.put(at, value.to_bytes(size, "little"))

    def vectors(self, at, count):
        """Return pointers and sizes of pieces, each within the memory; raises `OSError` for too many."""
        if not 0 <= count <= PIECES:
            raise refuse(Errno.INVAL)
        found = list(struct.iter_unpack("<II", self.read(at, 8 * count)))
        for piece in found:
            self.memory.check(*piece)
        return found

    def gathered(self, at, count):
        """Return the bytes of the pieces, as many as one call moves."""
        parts, left = [], CHUNK
        for start, size in self.vectors(at, count):
            parts.append(self.read(start, min(size, left)))
            left -= len(parts[-1])
        return b"".join(parts)

    def path(self, at, size):
        """Return a path; raises `OSError` if it is too long."""
        if not 0 <= size <= PATH:
            raise refuse(Errno.NAMETOOLONG)
        return self.read(at, size)

    def put_texts(self, pointers, at, texts):
        """Store texts, each with a zero byte after it, and a pointer to each."""
        for number, text in enumerate(texts):
            self.put_number(pointers + 4 * number, at & POINTER)
            self.put(at, text + b"\0")
            at += len(text) + 1


class Captured(io.BytesIO):
    """The output to a stream that was not given."""

    def write(self, data):
        """Append bytes; raises `OSError` when they are too many."""
        if self.tell() + len(data) > MOST_CAPTURED:
            raise refuse(Errno.NOSPC)
        return super().write(data)


class Stream:
    """A standard stream."""

    def __init__(self, file, rights):
        if isinstance(file, io.TextIOBase):
            raise TypeError(f"{file!r} is a stream of text: give its `buffer`, or another one of bytes")
        self.file, self.rights = file, rights

    @property
    def closed(self):
        """Did the host close it?"""
        return getattr(self.file, "closed", False)

    def read(self, size):
        """Return up to `size` bytes; raises `OSError`, also when a non-blocking stream has none yet."""
        return now(getattr(self.file, "read1", self.file.read)(size))

    def write(self, data):
        """Write as much as there is room for, and return how many bytes. Raises `OSError` as `read` does."""
        try:
            size = self.file.write(data)
        except BlockingIOError as full:
            size = full.characters_written or None
        with suppress(BlockingIOError):
            self.file.flush()  # what was taken is written as soon as there is room
        return now(size)

    @property
    def kind(self):
        """The kind of file: a terminal is a character device, and programs write to it in colour and line by line."""
        return CHARACTER if self.file.isatty() else UNKNOWN


def now(found):
    """Return what was found; raises `OSError` (try again) for None, which means nothing yet."""
    if found is None:
        raise refuse(Errno.AGAIN)
    return found


def texts(what, found):
    """Return texts encoded for the program; raises `TypeError` or `ValueError` if it would read them differently."""
    if isinstance(found, (str, bytes)):
        raise TypeError(f"{what} are a list of texts, not {found!r}")
    encoded = [os.fsencode(text) for text in found]
    if any(b"\0" in text for text in encoded):
        raise ValueError(f"a zero byte ends a text, so there is none in {what}: {encoded!r}")
    return encoded


def variables(environ):
    """Return environment variables encoded for the program; raises as `texts` does."""
    for name in environ:
        if not name or "=" in name:
            raise ValueError(f"{name!r} is no name of a variable: it is not empty, and without `=`")
    return texts("variables", [f"{name}={value}" for name, value in environ.items()])


Pairs = Mapping[str, str] | Iterable[tuple[str, str]]


class Wasi:
    """What one program gets from the host: pass `imports(module)` to its instance.

    `args` is a list of str, the name of the program first; `environ` maps names of variables to values. `stdin`,
    `stdout` and `stderr` are binary files: without one, input is empty, and output is kept. `folders` maps the names
    that the program uses to paths of the host. `clock` takes the number of a clock of Linux and returns its time in
    nanoseconds, and `random` returns as many random bytes as it is asked for.

    Raises `TypeError` or `ValueError` for arguments that a program cannot get, and `OSError` for a path that is not a
    folder. Each instance should have a `Wasi` of its own: instances that share one see each other open and close files.
    """

    def __init__(
        self,
        args: Iterable[str] = ("program",),
        environ: Pairs = (),
        stdin: Any = None,
        stdout: Any = None,
        stderr: Any = None,
        folders: Pairs = (),
        clock: Callable[[int], int] = time.clock_gettime_ns,
        random: Callable[[int], bytes] = os.urandom,
    ):
        self.clock, self.random = clock, random
        self.is_of_host = clock is time.clock_gettime_ns
        self.args, self.environ = texts("arguments", args), variables(dict(environ))
        self.stdin, self.stdout, self.stderr = stdin or io.BytesIO(), stdout or Captured(), stderr or Captured()
        self.open: dict[int, Any] = {
            0: Stream(self.stdin, READ),
            1: Stream(self.stdout, WRITE),
            2: Stream(self.stderr, WRITE),
        }
        self.names: dict[int, bytes] = {}
        for name, path in dict(folders).items():
            self.names[self.add(folder(path))] = os.fsencode(name)

    def resolution(self, clock: int) -> int:
        """Return the resolution of a clock of Linux in nanoseconds; that of one that was given is 1."""
        return round(time.clock_getres(clock) * 1e9) if self.is_of_host else 1

    def imports(self, module: Module) -> dict[tuple[str, str], WithInstance]:
        """Return the WASI functions that a module imports, by `(module, name)`, for `Instance`."""
        return {
            (MODULE, name): WithInstance(self.function(name))
            for from_, name, kind, _ in module.imports
            if from_ == MODULE and kind is External.FUNCTION
        }

    def function(self, name: str) -> Callable[..., Any]:
        """Return the function for a call; it turns every error into an answer."""
        call = CALLS.get(name)

        def perform(instance, *values):
            try:
                return (
                    Errno.NOSYS
                    if call is None
                    else call(self, Space(instance.export("memory")), *values) or Errno.SUCCESS
                )
            except IndexError:
                return Errno.FAULT
            except OSError as error:
                return answer(error)

        return perform

    def add(self, opened: Opened) -> int:
        """Return the lowest free descriptor, now taken for `opened`; raises `OSError` if none is free."""
        for free in range(OPEN):
            if free not in self.open and self.open.setdefault(free, opened) is opened:
                return free
        raise refuse(Errno.MFILE)

    def find(self, descriptor: int, kind: type | tuple[type, ...] = (Stream, Opened)) -> Any:
        """Return what a descriptor stands for; raises `OSError` unless it is open and of this kind."""
        found = self.open.get(descriptor)
        if isinstance(found, Stream) and found.closed:
            raise refuse(Errno.BADF)
        if not isinstance(found, kind):
            raise refuse(Errno.BADF if found is None else Errno.SPIPE)
        return found


class Calls:
    """The WASI calls by name. Each takes the `Wasi` of the program, the program's memory, and the arguments."""

    @staticmethod
    def args_sizes_get(wasi: "Wasi", space: Space, count, size):
        """Store how many arguments there are, and how many bytes they take together."""
        put_sizes(space, wasi.args, count, size)

    @staticmethod
    def args_get(wasi: "Wasi", space: Space, pointers, at):
        """Store the arguments."""
        space.put_texts(pointers, at, wasi.args)

    @staticmethod
    def environ_sizes_get(wasi: "Wasi", space: Space, count, size):
        """Store how many environment variables there are, and how many bytes they take together."""
        put_sizes(space, wasi.environ, count, size)

    @staticmethod
    def environ_get(wasi: "Wasi", space: Space, pointers, at):
        """Store the environment variables."""
        space.put_texts(pointers, at, wasi.environ)

    @staticmethod
    def clock_time_get(wasi: "Wasi", space: Space, clock, _precision, at):
        """Store the time of a clock, in nanoseconds."""
        put_time(space, at, wasi.clock, clock)

    @staticmethod
    def clock_res_get(wasi: "Wasi", space: Space, clock, at):
        """Store the resolution of a clock, in nanoseconds."""
        put_time(space, at, wasi.resolution, clock)

    @staticmethod
    def random_get(wasi: "Wasi", space: Space, at, count):
        """Store random bytes; more than one call moves are refused."""
        space.memory.check(at & POINTER, count & POINTER)
        if not 0 <= count <= CHUNK:
            raise refuse(Errno.INVAL)
        space.put(at, wasi.random(count))

    @staticmethod
    def sched_yield(wasi: "Wasi", space: Space):
        """Do nothing: there is nobody to yield to."""

    @staticmethod
    def proc_exit(wasi: "Wasi", space: Space, status):
        """End the program with a status."""
        raise Exited(status & POINTER)

    @staticmethod
    def fd_write(wasi: "Wasi", space: Space, descriptor, vectors, count, written):
        """Write to a stream, at most as much as one call moves."""
        stream = wasi.find(descriptor)
        if not isinstance(stream, Stream) or not stream.rights & WRITE:
            raise refuse(Errno.BADF)
        space.memory.check(written & POINTER, 4)
        space.put_number(written, stream.write(space.gathered(vectors, count)))

    @staticmethod
    def fd_read(wasi: "Wasi", space: Space, descriptor, vectors, count, got):
        """Read from a stream or a file, at most as much as fits the first piece that is not empty."""
        source = wasi.find(descriptor)
        if isinstance(source, Opened):
            into_first(space, vectors, count, got, lambda size: os.read(source.descriptor, size))
        elif not source.rights & READ:
            raise refuse(Errno.BADF)
        else:
            into_first(space, vectors, count, got, source.read)

    @staticmethod
    def fd_pread(wasi: "Wasi", space: Space, descriptor, vectors, count, offset, got):
        """Read from a given position of a file."""
        source = wasi.find(descriptor, Opened)
        into_first(space, vectors, count, got, lambda size: os.pread(source.descriptor, size, offset))

    @staticmethod
    def fd_seek(wasi: "Wasi", space: Space, descriptor, offset, whence, at):
        """Move to a position of a file, and store it."""
        if whence not in (os.SEEK_SET, os.SEEK_CUR, os.SEEK_END):
            raise refuse(Errno.INVAL)
        space.put_number(at, os.lseek(wasi.find(descriptor, Opened).descriptor, offset, whence), 8)

    @staticmethod
    def fd_tell(wasi: "Wasi", space: Space, descriptor, at):
        """Store the current position in a file."""
        Calls.fd_seek(wasi, space, descriptor, 0, os.SEEK_CUR, at)

    @staticmethod
    def fd_close(wasi: "Wasi", space: Space, descriptor):
        """Close a stream or a file."""
        wasi.find(descriptor)
        wasi.open.pop(descriptor, None)
        wasi.names.pop(descriptor, None)

    @staticmethod
    def fd_fdstat_get(wasi: "Wasi", space: Space, descriptor, at):
        """Store the kind and the rights of a descriptor."""
        found = wasi.find(descriptor)
        stream = isinstance(found, Stream)
        kind = found.kind if stream else kind_of(found.about)
        rights = found.rights if stream else RIGHTS & ~WRITE & ~(SEEK | TELL if kind == FOLDER else 0)
        space.put(at, FDSTAT.pack(kind, 0, rights, 0 if stream else RIGHTS & ~WRITE))

    @staticmethod
    def fd_fdstat_set_flags(wasi: "Wasi", space: Space, descriptor, _flags):
        """Accept the flags without effect: a program may not change them."""
        wasi.find(descriptor)

    @staticmethod
    def fd_filestat_get(wasi: "Wasi", space: Space, descriptor, at):
        """Store the metadata of a stream or a file."""
        found = wasi.find(descriptor)
        data = FILESTAT.pack(0, 0, found.kind, 1, 0, 0, 0, 0) if isinstance(found, Stream) else filestat(found.about)
        space.put(at, data)

    @staticmethod
    def fd_prestat_get(wasi: "Wasi", space: Space, descriptor, at):
        """Store how long the name of a given folder is; BADF if the descriptor is not one."""
        if descriptor not in wasi.names:
            raise refuse(Errno.BADF)
        space.put(at, PRESTAT.pack(0, len(wasi.names[descriptor])))

    @staticmethod
    def fd_prestat_dir_name(wasi: "Wasi", space: Space, descriptor, at, size):
        """Store the name of a given folder."""
        if descriptor not in wasi.names:
            raise refuse(Errno.BADF)
        if size & POINTER < len(wasi.names[descriptor]):
            raise refuse(Errno.NAMETOOLONG)
        space.put(at, wasi.names[descriptor])

    @staticmethod
    def fd_readdir(wasi: "Wasi", space: Space, descriptor, at, size, cookie, used):
        """Store the entries of a folder from number `cookie` on; the last one is cut off when there is no more room."""
        data, size = bytearray(), min(size & POINTER, CHUNK)
        for number, name, about in wasi.find(descriptor, Opened).entries(cookie):
            data += DIRENT.pack(number + 1, about.st_ino, len(name), kind_of(about)) + name
            if len(data) >= size:
                break
        space.put(at, data[:size])
        space.put_number(used, len(data[:size]))

    @staticmethod
    def path_open(wasi: "Wasi", space: Space, descriptor, _lookup, path, size, how, rights, _inherited, _flags, at):
        """Open a file or a folder below a folder, for reading."""
        if how & (CREATE | EXCLUSIVE | TRUNCATE) or rights & WRITE:
            raise refuse(Errno.ROFS)
        found = wasi.find(descriptor, Opened).within(space.path(path, size))
        if how & DIRECTORY and not found.is_folder:
            raise refuse(Errno.NOTDIR)
        space.put_number(at, wasi.add(found))

    @staticmethod
    def path_filestat_get(wasi: "Wasi", space: Space, descriptor, _lookup, path, size, at):
        """Store the metadata of a file or a folder below a folder."""
        space.put(at, filestat(wasi.find(descriptor, Opened).within(space.path(path, size)).about))


CALLS = {name: call for name, call in vars(Calls).items() if callable(call)}


def put_sizes(space, texts, count, size):
    """Store how many texts there are, and how many bytes they take, with the zero byte after each."""
    space.put_number(count, len(texts))
    space.put_number(size, sum(len(text) + 1 for text in texts))


def put_time(space, at, read, clock):
    """Store a time in nanoseconds that is read from a clock."""
    clocks = (time.CLOCK_REALTIME, time.CLOCK_MONOTONIC, time.CLOCK_PROCESS_CPUTIME_ID, time.CLOCK_THREAD_CPUTIME_ID)
    if not 0 <= clock < len(clocks):
        raise refuse(Errno.INVAL)
    space.put_number(at, read(clocks[clock]), 8)


def into_first(space, vectors, count, got, read):
    """Read into the first piece that has room, and store how many bytes were read."""
    at, size = next(((at, size) for at, size in space.vectors(vectors, count) if size), (0, 0))
    space.memory.check(got & POINTER, 4)
    data = read(min(size, CHUNK)) if size else b""
    space.put(at, data)
    space.put_number(got, len(data))


def kind_of(about):
    """Return the kind of a file."""
    return (
        FOLDER
        if stat.S_ISDIR(about.st_mode)
        else FILE
        if stat.S_ISREG(about.st_mode)
        else LINK
        if stat.S_ISLNK(about.st_mode)
        else 0
    )


def filestat(about):
    """Return the metadata of a file in the format of WASI."""
    times = about.st_atime_ns, about.st_mtime_ns, about.st_ctime_ns
    since_1970 = (max(0, moment) for moment in times)
    return FILESTAT.pack(about.st_dev, about.st_ino, kind_of(about), about.st_nlink, about.st_size, *since_1970)
