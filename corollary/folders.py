"""Which files may a program read? Those in the folders that it is given.

It reads nothing above these folders, and follows no symbolic link.
"""

import errno
import os
import stat
import weakref

DEEPEST = 64  # nested folders on a path: all are open while the path is resolved
BESIDES = (
    os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK
)  # follow no link, and do not wait for the other end of a pipe


class Opened:
    """A file or a folder of the host, open for reading. It is closed when nothing refers to it any more."""

    def __init__(self, descriptor):
        self.descriptor, self.names = descriptor, None
        self.close = weakref.finalize(self, os.close, descriptor)

    @property
    def about(self):
        """The host's metadata for it, an `os.stat_result`."""
        return os.fstat(self.descriptor)

    @property
    def is_folder(self):
        """Is it a folder?"""
        return stat.S_ISDIR(self.about.st_mode)

    def entries(self, first):
        """Yield number, name and metadata of each entry of the folder, from number `first` on.

        The names are those that the folder had when it was last read from the start.
        """
        if self.names is None or first == 0:
            self.names = [b".", b"..", *(os.fsencode(name) for name in sorted(os.listdir(self.descriptor)))]
        for number in range(max(first, 0), len(self.names)):
            name = self.names[number]
            try:
                yield number, name, self.about if number < 2 else self.about_entry(name)
            except FileNotFoundError:
                continue

    def about_entry(self, name):
        """Return the host's metadata for the entry of this folder with a name; a symbolic link is not followed."""
        return os.stat(name, dir_fd=self.descriptor, follow_symlinks=False)

    def within(self, path: bytes) -> "Opened":
        """Return what a path from this folder leads to, opened step by step.

        Raises `OSError` when a step leaves this folder, or leads to something that is neither a file nor a folder.
        """
        if path.startswith(b"/"):
            raise PermissionError(errno.EPERM, "a path from the root is outside every folder")
        steps: list[Opened] = [self]
        for name in path.split(b"/"):
            if not steps[-1].is_folder:
                raise NotADirectoryError(errno.ENOTDIR, "a path leads through a file")
            if name == b"..":
                steps.pop()
                if not steps:
                    raise PermissionError(errno.EPERM, "a path leads out of its folder")
            elif name not in (b"", b"."):
                if len(steps) > DEEPEST:
                    raise OSError(errno.ENAMETOOLONG, f"a path leads more than {DEEPEST} folders down")
                steps.append(steps[-1].step(name))
        return steps[-1]

    def step(self, name: bytes) -> "Opened":
        """Open the entry of this folder with a name; raises `OSError` unless it is a file or a folder."""
        if b"\0" in name:
            raise OSError(errno.EINVAL, "a name contains a zero byte")
        check_kind(self.about_entry(name))  # a device may do something when it is opened
        found = Opened(os.open(name, BESIDES, dir_fd=self.descriptor))
        check_kind(found.about)
        return found


def check_kind(about):
    """Raise `OSError` for anything that is neither a file nor a folder."""
    if stat.S_ISLNK(about.st_mode):
        raise OSError(errno.ELOOP, "a symbolic link may lead anywhere")
    if not stat.S_ISDIR(about.st_mode) and not stat.S_ISREG(about.st_mode):
        raise PermissionError(errno.EACCES, "only files and folders can be read")


def folder(path):
    """Open a folder of the host; raises `OSError`."""
    return Opened(os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC))
