"""What does a program get? WASI preview 1: arguments, standard streams, clocks, random bytes, and folders to read.

Whatever is not given is not there: no folder, no variable of the environment. Calls that are not here answer NOSYS.
One call moves `CHUNK` bytes at most, however often it names the same: a program that has more calls again. What it
writes to a stream that nobody gave is kept, `KEPT` bytes of it; then there is no space.
"""

import enum
import errno
import io
import os
import stat
import struct
import time
from contextlib import suppress

from corollary.folders import Opened, folder
from corollary.linker import WithInstance
from corollary.outcome import Exited
from spec.wasm.module import External

MODULE = "wasi_snapshot_preview1"
POINTER = (1 << 32) - 1
OPEN = 256                      # descriptors at once
CHUNK = 1 << 20                 # bytes that one call moves
PIECES = 1024                   # pieces of memory that one call names, as on Linux
PATH = 4096                     # bytes of a path, as on Linux
KEPT = 10 << 20                 # bytes of the output that is kept
READ, SEEK, TELL, WRITE = 1 << 1, 1 << 2, 1 << 5, 1 << 6
RIGHTS = (1 << 30) - 1
CREATE, DIRECTORY, EXCLUSIVE, TRUNCATE = 1, 2, 4, 8
UNKNOWN, CHARACTER, FOLDER, FILE, LINK = 0, 2, 3, 4, 7      # kinds of files
FDSTAT, FILESTAT, DIRENT, PRESTAT = struct.Struct("<BxH4xQQ"), struct.Struct("<QQB7xQQQQQ"), struct.Struct("<QQIB3x"), struct.Struct("<B3xI")


class Errno(enum.IntEnum):
    """What a call answers."""

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


def refuse(name):
    """An error of the host for an answer."""
    return OSError(getattr(errno, f"E{name.name}"), name.name)


def answer(error):
    """The answer for an error of the host."""
    return Errno.__members__.get(errno.errorcode.get(error.errno, "")[1:], Errno.IO)


class Space:
    """The memory of an instance, by pointers; raises `IndexError` for what is outside."""

    def __init__(self, memory):
        self.memory = memory

    def read(self, at, count):
        """Some bytes."""
        return self.memory.read(at & POINTER, count & POINTER)

    def put(self, at, data):
        """Replace some bytes."""
        self.memory.write(at & POINTER, data)

    def number(self, at):
        """A u32."""
        return int.from_bytes(self.read(at, 4), "little")

    def put_number(self, at, value, size=4):
        """Replace a number."""
        self.put(at, value.to_bytes(size, "little"))

    def vectors(self, at, count):
        """Pointers and sizes of pieces, each within the memory; raises `OSError` for too many."""
        if not 0 <= count <= PIECES:
            raise refuse(Errno.INVAL)
        found = list(struct.iter_unpack("<II", self.read(at, 8 * count)))
        for piece in found:
            self.memory.check(*piece)
        return found

    def gathered(self, at, count):
        """The bytes of pieces, as many as one call moves."""
        parts, left = [], CHUNK
        for start, size in self.vectors(at, count):
            parts.append(self.read(start, min(size, left)))
            left -= len(parts[-1])
        return b"".join(parts)

    def path(self, at, size):
        """A path; raises `OSError` for one that is too long."""
        if not 0 <= size <= PATH:
            raise refuse(Errno.NAMETOOLONG)
        return self.read(at, size)

    def put_texts(self, pointers, at, texts):
        """Texts that end with a zero byte, and a pointer to each."""
        for number, text in enumerate(texts):
            self.put_number(pointers + 4 * number, at & POINTER)
            self.put(at, text + b"\0")
            at += len(text) + 1


class Kept(io.BytesIO):
    """What is written to a stream that nobody gave."""

    def write(self, data):
        """More bytes; raises `OSError` where they are too many."""
        if self.tell() + len(data) > KEPT:
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
        """Some bytes, as many as there are; raises `OSError`, also where one had to wait for them and must not."""
        return now(getattr(self.file, "read1", self.file.read)(size))

    def write(self, data):
        """Write as much as there is room for; how many bytes. Raises `OSError` as `read` does."""
        try:
            size = self.file.write(data)
        except BlockingIOError as full:
            size = full.characters_written or None
        with suppress(BlockingIOError):
            self.file.flush()       # what was taken is written as soon as there is room
        return now(size)

    @property
    def kind(self):
        """A terminal is a character device: programs colour what they write to one, and send it line by line."""
        return CHARACTER if self.file.isatty() else UNKNOWN


def now(found):
    """What was found; raises `OSError` where there is nothing now, but may be later."""
    if found is None:
        raise refuse(Errno.AGAIN)
    return found


def texts(what, found):
    """Texts as the program gets them; raises `TypeError` or `ValueError` for what it would take for something else."""
    if isinstance(found, (str, bytes)):
        raise TypeError(f"{what} are a list of texts, not {found!r}")
    encoded = [os.fsencode(text) for text in found]
    if any(b"\0" in text for text in encoded):
        raise ValueError(f"a zero byte ends a text, so there is none in {what}: {encoded!r}")
    return encoded


def variables(environ):
    """Variables as the program gets them; raises as `texts` does."""
    for name in environ:
        if not name or "=" in name:
            raise ValueError(f"{name!r} is no name of a variable: it is not empty, and without `=`")
    return texts("variables", [f"{name}={value}" for name, value in environ.items()])


class Wasi:
    """What one program gets: `folders` are paths of the host by the names that it knows; streams are binary files.

    Raises `TypeError` or `ValueError` for what a program cannot get, and `OSError` for a folder that is none.
    Each instance should have its own: what one opens or closes, another one of the same would see.
    """

    def __init__(self, args=("program",), environ=(), stdin=None, stdout=None, stderr=None, folders=()):
        self.args, self.environ = texts("arguments", args), variables(dict(environ))
        self.stdin, self.stdout, self.stderr = stdin or io.BytesIO(), stdout or Kept(), stderr or Kept()
        self.open = {0: Stream(self.stdin, READ), 1: Stream(self.stdout, WRITE), 2: Stream(self.stderr, WRITE)}
        self.names = {}
        for name, path in dict(folders).items():
            self.names[self.add(folder(path))] = os.fsencode(name)

    def imports(self, module):
        """What a module imports of WASI."""
        return {(MODULE, name): WithInstance(self.function(name)) for from_, name, kind, _ in module.imports
                if from_ == MODULE and kind is External.FUNCTION}

    def function(self, name):
        """A call, with every error as an answer."""
        call = CALLS.get(name)

        def perform(instance, *values):
            try:
                return Errno.NOSYS if call is None else call(self, Space(instance.export("memory")), *values) or Errno.SUCCESS
            except IndexError:
                return Errno.FAULT
            except OSError as error:
                return answer(error)
        return perform

    def add(self, opened):
        """A descriptor for something that was opened: the lowest that is free."""
        for free in range(OPEN):
            if free not in self.open and self.open.setdefault(free, opened) is opened:
                return free
        raise refuse(Errno.MFILE)

    def find(self, descriptor, kind=(Stream, Opened)):
        """What a descriptor stands for."""
        found = self.open.get(descriptor)
        if isinstance(found, Stream) and found.closed:
            raise refuse(Errno.BADF)
        if not isinstance(found, kind):
            raise refuse(Errno.BADF if found is None else Errno.SPIPE)
        return found


class Calls:
    """The calls by their names, each with what the program gets, its memory, and its arguments."""

    def args_sizes_get(wasi, space, count, size):
        """How many arguments, and how large all of them."""
        put_sizes(space, wasi.args, count, size)

    def args_get(wasi, space, pointers, at):
        """The arguments."""
        space.put_texts(pointers, at, wasi.args)

    def environ_sizes_get(wasi, space, count, size):
        """How many variables, and how large all of them."""
        put_sizes(space, wasi.environ, count, size)

    def environ_get(wasi, space, pointers, at):
        """The variables."""
        space.put_texts(pointers, at, wasi.environ)

    def clock_time_get(wasi, space, clock, _precision, at):
        """The time of a clock in nanoseconds."""
        put_time(space, at, time.clock_gettime_ns, clock)

    def clock_res_get(wasi, space, clock, at):
        """The least difference between times of a clock."""
        put_time(space, at, lambda number: round(time.clock_getres(number) * 1e9), clock)

    def random_get(wasi, space, at, count):
        """Random bytes, as many as one call moves, or none."""
        space.memory.check(at & POINTER, count & POINTER)
        if not 0 <= count <= CHUNK:
            raise refuse(Errno.INVAL)
        space.put(at, os.urandom(count))

    def sched_yield(wasi, space):
        """Nobody else wants to run."""

    def proc_exit(wasi, space, status):
        """The end."""
        raise Exited(status & POINTER)

    def fd_write(wasi, space, descriptor, vectors, count, written):
        """Write to a stream, as much as one call moves."""
        stream = wasi.find(descriptor)
        if not isinstance(stream, Stream) or not stream.rights & WRITE:
            raise refuse(Errno.BADF)
        space.memory.check(written & POINTER, 4)
        space.put_number(written, stream.write(space.gathered(vectors, count)))

    def fd_read(wasi, space, descriptor, vectors, count, got):
        """Read from a stream or a file, as much as fits the first piece at most."""
        source = wasi.find(descriptor)
        if isinstance(source, Opened):
            into_first(space, vectors, count, got, lambda size: os.read(source.descriptor, size))
        elif not source.rights & READ:
            raise refuse(Errno.BADF)
        else:
            into_first(space, vectors, count, got, source.read)

    def fd_pread(wasi, space, descriptor, vectors, count, offset, got):
        """Read from some place of a file."""
        source = wasi.find(descriptor, Opened)
        into_first(space, vectors, count, got, lambda size: os.pread(source.descriptor, size, offset))

    def fd_seek(wasi, space, descriptor, offset, whence, at):
        """Go to a place of a file."""
        if whence not in (os.SEEK_SET, os.SEEK_CUR, os.SEEK_END):
            raise refuse(Errno.INVAL)
        space.put_number(at, os.lseek(wasi.find(descriptor, Opened).descriptor, offset, whence), 8)

    def fd_tell(wasi, space, descriptor, at):
        """The place in a file."""
        Calls.fd_seek(wasi, space, descriptor, 0, os.SEEK_CUR, at)

    def fd_close(wasi, space, descriptor):
        """Close a stream or a file."""
        wasi.find(descriptor)
        wasi.open.pop(descriptor, None)
        wasi.names.pop(descriptor, None)

    def fd_fdstat_get(wasi, space, descriptor, at):
        """What a descriptor is good for."""
        found = wasi.find(descriptor)
        stream = isinstance(found, Stream)
        kind = found.kind if stream else kind_of(found.about)
        rights = found.rights if stream else RIGHTS & ~WRITE & ~(SEEK | TELL if kind == FOLDER else 0)
        space.put(at, FDSTAT.pack(kind, 0, rights, 0 if stream else RIGHTS & ~WRITE))

    def fd_fdstat_set_flags(wasi, space, descriptor, _flags):
        """Nothing that a program may change."""
        wasi.find(descriptor)

    def fd_filestat_get(wasi, space, descriptor, at):
        """What is known of a stream or a file."""
        found = wasi.find(descriptor)
        data = FILESTAT.pack(0, 0, found.kind, 1, 0, 0, 0, 0) if isinstance(found, Stream) else filestat(found.about)
        space.put(at, data)

    def fd_prestat_get(wasi, space, descriptor, at):
        """Is a descriptor one of the folders that were given, and how long is its name?"""
        if descriptor not in wasi.names:
            raise refuse(Errno.BADF)
        space.put(at, PRESTAT.pack(0, len(wasi.names[descriptor])))

    def fd_prestat_dir_name(wasi, space, descriptor, at, size):
        """The name of a folder that was given."""
        if descriptor not in wasi.names:
            raise refuse(Errno.BADF)
        if size & POINTER < len(wasi.names[descriptor]):
            raise refuse(Errno.NAMETOOLONG)
        space.put(at, wasi.names[descriptor])

    def fd_readdir(wasi, space, descriptor, at, size, cookie, used):
        """The names in a folder from one on, the last one cut off where there is no more room."""
        data, size = bytearray(), min(size & POINTER, CHUNK)
        for number, name, about in wasi.find(descriptor, Opened).entries(cookie):
            data += DIRENT.pack(number + 1, about.st_ino, len(name), kind_of(about)) + name
            if len(data) >= size:
                break
        space.put(at, data[:size])
        space.put_number(used, len(data[:size]))

    def path_open(wasi, space, descriptor, _lookup, path, size, how, rights, _inherited, _flags, at):
        """Open a file or a folder below one, to be read."""
        if how & (CREATE | EXCLUSIVE | TRUNCATE) or rights & WRITE:
            raise refuse(Errno.ROFS)
        found = wasi.find(descriptor, Opened).within(space.path(path, size))
        if how & DIRECTORY and not found.is_folder:
            raise refuse(Errno.NOTDIR)
        space.put_number(at, wasi.add(found))

    def path_filestat_get(wasi, space, descriptor, _lookup, path, size, at):
        """What is known of a file or a folder below one."""
        space.put(at, filestat(wasi.find(descriptor, Opened).within(space.path(path, size)).about))


CALLS = {name: call for name, call in vars(Calls).items() if callable(call)}


def put_sizes(space, texts, count, size):
    """How many texts, and how many bytes with the zero behind each."""
    space.put_number(count, len(texts))
    space.put_number(size, sum(len(text) + 1 for text in texts))


def put_time(space, at, read, clock):
    """A time of a clock."""
    clocks = (time.CLOCK_REALTIME, time.CLOCK_MONOTONIC, time.CLOCK_PROCESS_CPUTIME_ID, time.CLOCK_THREAD_CPUTIME_ID)
    if not 0 <= clock < len(clocks):
        raise refuse(Errno.INVAL)
    space.put_number(at, read(clocks[clock]), 8)


def into_first(space, vectors, count, got, read):
    """Bytes into the first piece that has room."""
    at, size = next(((at, size) for at, size in space.vectors(vectors, count) if size), (0, 0))
    space.memory.check(got & POINTER, 4)
    data = read(min(size, CHUNK)) if size else b""
    space.put(at, data)
    space.put_number(got, len(data))


def kind_of(about):
    """The kind of a file."""
    return FOLDER if stat.S_ISDIR(about.st_mode) else FILE if stat.S_ISREG(about.st_mode) else LINK if stat.S_ISLNK(about.st_mode) else 0


def filestat(about):
    """What is known of a file, as WASI has it."""
    times = about.st_atime_ns, about.st_mtime_ns, about.st_ctime_ns
    since_1970 = (max(0, moment) for moment in times)
    return FILESTAT.pack(about.st_dev, about.st_ino, kind_of(about), about.st_nlink, about.st_size, *since_1970)
